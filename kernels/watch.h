// Readings of a GPU's sensors while it works. For worker processes.
#ifndef GPUADVISE_KERNELS_WATCH_H
#define GPUADVISE_KERNELS_WATCH_H

#include "kernels/telemetry.h"
#include "src/facts/bench.h"

enum { READINGS_MAX = 4096 };

typedef struct Watch {
    double clocks[READINGS_MAX], watts, hottest;
    double started, last;  // host seconds of the first and the newest reading
    size_t n, n_watts;
    unsigned limits;
    GpuState first, state;
} Watch;

Watch *watch_new(Arena *a);
// To be called with work queued: the GPU is busy then. A reading costs milliseconds, so that there are at most
// twenty a second, and READINGS_MAX in all.
void watch_look(Watch *w, const Telemetry *t);
// Clock (median), power (by the energy counter where there is one), highest temperature, what held it back.
void watch_note(Watch *w, Arena *a, BenchResult *r);

#endif
