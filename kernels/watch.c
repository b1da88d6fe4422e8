// Sensors beside batches.
#include "kernels/watch.h"

#include <math.h>

#include "kernels/bench.h"
#include "kernels/measure.h"

Watch *watch_new(Arena *a) {
    Watch *w = arena_alloc(a, 1, sizeof *w);
    w->hottest = (double)NAN;
    return w;
}

void watch_look(Watch *w, const Telemetry *t) {
    const double pause = 0.05;
    if (w->n == READINGS_MAX || (w->n > 0 && seconds_now() - w->last < pause)) return;
    telemetry_read(t, &w->state);
    w->last = seconds_now();
    if (w->n == 0) w->first = w->state, w->started = w->last;
    w->limits |= telemetry_limits(&w->first, &w->state);
    w->clocks[w->n++] = w->state.clock_mhz;
    if (is_known(w->state.power_w)) w->watts += w->state.power_w, w->n_watts++;
    if (!(w->state.temperature_c <= w->hottest)) w->hottest = w->state.temperature_c;
}

void watch_note(Watch *w, Arena *a, BenchResult *r) {
    const double long_enough = 0.2;
    double joules = w->state.energy_j - w->first.energy_j, seconds = w->last - w->started;
    size_t known = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (is_known(w->clocks[i])) w->clocks[known++] = w->clocks[i];
    }
    r->clock_mhz = bench_percentile(w->clocks, known, 0.5);
    r->power_w = joules > 0 && seconds > long_enough ? joules / seconds
                 : w->n_watts > 0                    ? w->watts / (double)w->n_watts
                                                     : (double)NAN;
    r->temperature_c = w->hottest;
    r->throttle = limits_text(a, w->limits);
}
