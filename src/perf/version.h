// What people write for an engine's version, as numbers. Pure; never fails: what it cannot read is NaN.
#ifndef GPUADVISE_PERF_VERSION_H
#define GPUADVISE_PERF_VERSION_H

typedef struct EngineVersion {
    // 10,000 x major + 100 x minor + patch, of llama.cpp the build: 0.6.3 is 603, 1.2 is 10200, b7423 is 7423. Posts
    // add hundredths, candidates and development versions are half a patch less. NaN: none is named
    double release;
    // of a nightly, a branch, an image's tag or a span of runs (its middle), in years: 2026-05 is about 2026.37.
    // NaN: none is named
    double date;
} EngineVersion;

// `text` as in the column engine_version of measurements. Versions of what an engine stands on (ROCm, CUDA,
// PyTorch, TensorRT under TensorRT-LLM) are not its own. Of several the first counts.
EngineVersion engine_version(const char *engine, const char *text);

// YYYY, YYYY-MM or YYYY-MM-DD in years, the middle of what is not said; NaN: no date.
double years_of_date(const char *date);

#endif
