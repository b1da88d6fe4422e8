// Arrivals in the order of time: gaps, bursts, minutes, requests at once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/traffic/parts.h"

#define NS_PER_S 1e9
static const int64_t MINUTE_NS = 60 * INT64_C(1000000000);

const double idc_windows_s[IDC_WINDOWS] = {1, 10, 60, 300, 3600};

void arrivals_open(Arrivals *x, Arena *a, ServiceTime service) {
    *x = (Arrivals){.arena = a, .service = service};
    x->capacity = 1024;
    x->stamps = arena_alloc(a, x->capacity, sizeof *x->stamps);
    for (int i = 0; i < IDC_WINDOWS; i++) x->bins[i].width_ns = (int64_t)(idc_windows_s[i] * NS_PER_S);
}

// ---------------------------------------------------------------- one arrival after the other

static void bin_close(Bins *b) {
    b->n++;
    b->sum += b->count;
    b->squares += b->count * b->count;
    b->count = 0;
}

// Bins are counted once the next one has begun, so that the last, which the trace cuts, is left out. Of a
// silence only the number of empty bins matters.
static void bin_add(Bins *b, int64_t since_first) {
    double index = (double)(since_first / b->width_ns);
    if (index > b->index) {
        bin_close(b);
        b->n += index - b->index - 1;
        b->index = index;
    }
    b->count++;
}

static void minute_add(Arrivals *x, const Stamp *s) {
    int64_t index = (s->at_ns - x->first_ns) / MINUTE_NS;
    if (index >= MINUTES_MAX) {
        x->too_long = true;
        return;
    }
    while (x->minutes_capacity <= (size_t)index) {  // zeroed where new
        size_t before = x->minutes_capacity;
        x->minutes = arena_grow(x->arena, x->minutes, before, &x->minutes_capacity, sizeof *x->minutes);
    }
    x->n_minutes = (size_t)index + 1;
    Minute *m = &x->minutes[index];
    m->requests += 1;
    m->input += s->input;
    m->output += s->output;
}

static void level_until(Arrivals *x, int64_t at) {
    while (x->levels_capacity <= x->n_ends) {
        size_t before = x->levels_capacity;
        x->level_s = arena_grow(x->arena, x->level_s, before, &x->levels_capacity, sizeof *x->level_s);
    }
    if (x->n_ends + 1 > x->levels) x->levels = x->n_ends + 1;
    x->level_s[x->n_ends] += (double)(at - x->level_since) / NS_PER_S;
    x->level_since = at;
}

static void ends_pop(Arrivals *x) {
    int64_t moved = x->ends[--x->n_ends];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= x->n_ends) break;
        if (child + 1 < x->n_ends && x->ends[child + 1] < x->ends[child]) child++;
        if (x->ends[child] >= moved) break;
        x->ends[at] = x->ends[child];
        at = child;
    }
    x->ends[at] = moved;
}

static void ends_push(Arrivals *x, int64_t end) {
    x->ends = arena_grow(x->arena, x->ends, x->n_ends, &x->ends_capacity, sizeof *x->ends);
    size_t at = x->n_ends++;
    for (; at > 0 && x->ends[(at - 1) / 2] > end; at = (at - 1) / 2) x->ends[at] = x->ends[(at - 1) / 2];
    x->ends[at] = end;
}

static void in_flight_until(Arrivals *x, int64_t at) {
    while (x->n_ends > 0 && x->ends[0] <= at) {
        level_until(x, x->ends[0]);
        ends_pop(x);
    }
}

static void in_flight_add(Arrivals *x, const Stamp *s) {
    if (x->too_many) return;
    if (x->n_ends == IN_FLIGHT_MAX) {
        x->too_many = true;
        return;
    }
    if (x->n == 0) x->level_since = s->at_ns;
    in_flight_until(x, s->at_ns);
    level_until(x, s->at_ns);
    double seconds = x->service.first_s + x->service.input_s * s->input +
                     x->service.output_s * (s->output > 0 ? s->output - 1.0 : 0);
    ends_push(x, s->at_ns + (int64_t)(seconds * NS_PER_S));
}

static void arrive(Arrivals *x, const Stamp *s) {
    if (x->n == 0) x->first_ns = x->last_ns = s->at_ns;
    if (s->at_ns < x->last_ns) {
        x->disordered = true;
        return;
    }
    in_flight_add(x, s);
    if (x->n > 0) {
        double gap = (double)(s->at_ns - x->last_ns) / NS_PER_S, from_mean = gap - x->gap_mean;
        x->gaps++;
        x->gap_mean += from_mean / x->gaps;
        x->gap_squares += from_mean * (gap - x->gap_mean);
        x->zero_gaps += s->at_ns == x->last_ns;
    }
    for (int i = 0; i < IDC_WINDOWS; i++) bin_add(&x->bins[i], s->at_ns - x->first_ns);
    minute_add(x, s);
    x->last_ns = s->at_ns;
    x->n++;
}

// ---------------------------------------------------------------- in order

static int by_time(const void *a, const void *b) {
    const Stamp *x = a, *y = b;
    return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

// Hands on the first n of what waits, in order.
static void hand_on(Arrivals *x, size_t n) {
    bool sorted = true;
    for (size_t i = 1; i < x->n_stamps && sorted; i++) sorted = x->stamps[i - 1].at_ns <= x->stamps[i].at_ns;
    if (!sorted) qsort(x->stamps, x->n_stamps, sizeof *x->stamps, by_time);
    for (size_t i = 0; i < n; i++) arrive(x, &x->stamps[i]);
    x->n_stamps -= n;
    memmove(x->stamps, x->stamps + n, x->n_stamps * sizeof *x->stamps);
}

void arrivals_add(Arrivals *x, Stamp s) {
    if (x->n_stamps == STAMPS_MAX) hand_on(x, STAMPS_MAX / 2);
    x->stamps = arena_grow(x->arena, x->stamps, x->n_stamps, &x->capacity, sizeof *x->stamps);
    x->stamps[x->n_stamps++] = s;
}

void arrivals_end(Arrivals *x) {
    hand_on(x, x->n_stamps);
    in_flight_until(x, INT64_MAX);
}

// ---------------------------------------------------------------- figures

static double dispersion(const Bins *b) {
    enum { BINS_LEAST = 2 };
    if (b->n < BINS_LEAST || b->sum <= 0) return (double)NAN;
    double mean = b->sum / b->n;
    return (b->squares / b->n - mean * mean) / mean;
}

static double level_at(const Arrivals *x, double share, double all_s) {
    double passed = 0;
    for (size_t i = 0; i < x->levels; i++) {
        passed += x->level_s[i];
        if (passed >= share * all_s) return (double)i;
    }
    return (double)x->levels - 1;
}

static Levels levels_found(const Arrivals *x) {
    double all_s = 0, area = 0;
    for (size_t i = 0; i < x->levels; i++) {
        all_s += x->level_s[i];
        area += (double)i * x->level_s[i];
    }
    if (!(all_s > 0) || x->too_many)
        return (Levels){(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    return (Levels){area / all_s, level_at(x, 0.5, all_s), level_at(x, 0.9, all_s), level_at(x, 0.99, all_s),
                    (double)x->levels - 1};
}

// The hour with most requests, to the minute.
void busiest_hour(TrafficFound *f) {
    enum { HOUR = 60 };
    double sum = 0, most = -1;
    size_t from = 0;
    f->busy_from_ns = f->first_ns;
    f->busy_s = f->span_s;
    f->busy_rps = f->rate_rps;
    if (f->n_minutes <= HOUR) return;
    for (size_t i = 0; i < f->n_minutes; i++) {
        sum += f->minutes[i].requests;
        if (i >= HOUR) sum -= f->minutes[i - HOUR].requests;
        if (i + 1 >= HOUR && sum > most) most = sum, from = i + 1 - HOUR;
    }
    f->busy_from_ns = f->first_ns + (int64_t)from * MINUTE_NS;
    f->busy_s = HOUR * 60.0;
    f->busy_rps = most / f->busy_s;
}

// Mean requests of each hour of the day, where the trace covers each at least once.
void hours_of_day(TrafficFound *f) {
    enum { HOUR = 60 };
    double requests[HOURS_OF_DAY] = {0}, minutes[HOURS_OF_DAY] = {0};
    for (size_t i = 0; i < f->n_minutes; i++) {
        int64_t minute = f->first_ns / MINUTE_NS + (int64_t)i;
        int64_t hour = minute / HOUR % HOURS_OF_DAY;
        if (hour < 0) hour += HOURS_OF_DAY;
        requests[hour] += f->minutes[i].requests;
        minutes[hour]++;
    }
    double mean = 0;
    for (int h = 0; h < HOURS_OF_DAY; h++) {
        if (minutes[h] < HOUR / 2.0) return;
        mean += requests[h] / minutes[h] / HOURS_OF_DAY;
    }
    for (int h = 0; h < HOURS_OF_DAY && mean > 0; h++) f->hours[h] = requests[h] / minutes[h] / mean;
}

void arrivals_found(const Arrivals *x, bool absolute, TrafficFound *f) {
    static const double STAMPED_TOGETHER = 0.2;  // share of arrivals with the stamp of the one before
    f->has_times = x->n > 0 && !x->disordered && !x->too_long;
    f->absolute = absolute;
    if (!f->has_times) return;
    f->first_ns = x->first_ns;
    f->last_ns = x->last_ns;
    f->span_s = (double)(x->last_ns - x->first_ns) / NS_PER_S;
    f->rate_rps = f->span_s > 0 ? (x->n - 1) / f->span_s : (double)NAN;
    f->zero_gaps = x->zero_gaps;
    f->distinct_stamps = x->n - x->zero_gaps;
    bool coarse = x->gaps > 0 && x->zero_gaps > STAMPED_TOGETHER * x->gaps;
    f->gap_cv = x->gap_mean > 0 ? sqrt(x->gap_squares / x->gaps) / x->gap_mean : (double)NAN;
    for (int i = 0; i < IDC_WINDOWS; i++) f->idc[i] = dispersion(&x->bins[i]);
    f->coarse_stamps = coarse;
    if (coarse) f->stamp_step_s = f->span_s / fmax(f->distinct_stamps - 1, 1);
    f->levels = levels_found(x);
    f->minutes = x->minutes;
    f->n_minutes = x->n_minutes;
    busiest_hour(f);
    if (absolute) hours_of_day(f);
}
