// What measuring a CPU and measuring a GPU share.
#ifndef GPUADVISE_KERNELS_MEASURE_H
#define GPUADVISE_KERNELS_MEASURE_H

#include "kernels/kernels.h"
#include "kernels/telemetry.h"
#include "src/facts/bench.h"

enum { BATCHES_MIN = 15, BATCHES_MAX = 4096, BURST_RUNS_MAX = 4096, LIBRARY_SAMPLES = 256 };

// How long, in seconds: a batch, a window of the warm-up and all of it, the measurement and at most.
typedef struct BenchTimes {
    double batch, window, warm_max, measure, measure_max;
} BenchTimes;
const BenchTimes *bench_times(bool quick);
// How many runs fill a batch where one takes so many seconds; 1 where that is not known (0, NaN). At most those of a
// nanosecond each, whatever a clock says.
size_t bench_batch_runs(const BenchTimes *t, double one);
static const double burst_seconds = 0.050, steady_within = 0.02;

// The figure of one run that took so long, in the kernel's unit.
double bench_figure(const Kernel *k, const Shape *s, double seconds);
// What stands at the end of a measurement: clock, power, heat, and what held the GPU back since `before`.
void bench_sensors(const Telemetry *t, const GpuState *before, Arena *a, BenchResult *r);
// What the checks say: verified or not, and what is wrong.
void bench_judge(const Kernel *k, bool guards_whole, const CheckTally *t, Arena *a, BenchResult *r);

#endif
