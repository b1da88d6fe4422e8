// What is known of the very hardware or configuration in question: the user's benchmark runs, public
// measurements. Pure.
#ifndef GPUADVISE_PERF_KNOWN_H
#define GPUADVISE_PERF_KNOWN_H

#include "src/perf/perf.h"

// How the user's own GPU does beside a healthy one of its kind, 1 where it was not measured. Achieved shares
// of peak are fitted to healthy GPUs, which reach a known share of the datasheet: measured / (datasheet x
// that share) corrects them.
typedef struct LocalScale {
    double bandwidth, flops;
    const LocalRate *bandwidth_rate, *flops_rate;        // NULL: not measured
    const LocalRate *bandwidth_refused, *flops_refused;  // newer, and not to be believed; NULL: none
} LocalScale;
LocalScale local_scale(const Facts *facts, const Gpu *gpu, Dtype compute);

// "bench run 3 of 2026-11-20: 2.97 TB/s"; "" where nothing was measured.
const char *local_source(const LocalScale *scale, Arena *a);

// "bench run 4 of 2026-11-21 not taken for the memory: others computed on the GPU"; "" where none was
// refused.
const char *local_refused(const LocalScale *scale, Arena *a);

// What of a variance is left when the GPU itself was measured.
double local_variance(const Facts *facts, double variance);

// Public measurements of this very configuration: GPU, count, layout, model, dtypes, engine, lengths, load.
typedef struct Published {
    size_t n;
    double output_tokens_s;  // their geometric mean, all replicas
    double low, high;        // the lowest and highest of them
    const char *sources;     // separated by "; "
} Published;
Published published_of(const Facts *facts, const Serving *s, double replicas, double concurrency, Arena *a);

// Moves a point to what was published for it, times and rate alike, and the range with it.
void use_published(const Facts *facts, const Published *p, double replicas, Serving *s, Point *point);

#endif
