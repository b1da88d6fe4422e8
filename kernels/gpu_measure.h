// Verifying and timing kernels on a GPU. For worker processes.
#ifndef GPUADVISE_KERNELS_GPU_MEASURE_H
#define GPUADVISE_KERNELS_GPU_MEASURE_H

#include "kernels/bench.h"
#include "kernels/cpu.h"
#include "kernels/gpu.h"
#include "kernels/telemetry.h"

// A GPU that was opened, its sensors, and the CPU that makes inputs.
typedef struct GpuSession {
    GpuDriver gpu;
    Telemetry telemetry;
    Cpu cpu;
    const char *id;  // "gpu0": keeps until the session ends
    int numa_node;   // that the GPU hangs on; -1: not known
} GpuSession;

// `root`: "" = the machine. Text of *ret_about lives in the arena. On failure nothing is left open but the
// driver's library.
bool gpu_session_open(const BenchTarget *t, const char *root, Arena *a, GpuSession *ret_session,
                      BenchAbout *ret_about, Err *e);

// Puts what changes while it runs into *about: errors of its memory, its limit and link as they are now.
void gpu_session_look(const GpuSession *s, BenchAbout *about);

// As bench_cpu does: checks first, then the speed, by the device's own clock. False when it could not be run;
// gpu_is_lost() then says whether anything can be.
bool bench_gpu(GpuSession *s, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);

// The kernel "launch" by the host's clock (StartId): checked as it is, then timed.
bool bench_gpu_start(GpuSession *s, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);

// The same of a copy between host and device: every byte compared, then the speed.
bool bench_gpu_transfer(GpuSession *s, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);

// TEST_MEMORY: patterns (kernels/pattern.h) in nearly all of the memory that is free, each written and read
// back once, again and again while the request holds the load. Shape: bytes that were tested; figure: bytes
// written and read over time.
bool bench_gpu_memory(GpuSession *s, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);

#endif
