// Figures of devices that are alike: medians, limits, and who is below them.
#include <math.h>
#include <stdlib.h>

#include "src/fleet/inside.h"

// A normal distribution's deviation is that much of its median absolute deviation. A straggler is below the
// median by five of them, or by 5 %, and in any case by more than two figures of one device differ.
static const double deviation_of_mad = 1.4826, deviations = 5, share_of_median = 0.95, told_apart = 0.99;

// ---------------------------------------------------------------- figures

static double median_of_sorted(const double *x, size_t n) {
    return n % 2 == 1 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

// By line, the slowest first. Until lines are made, `line` is group x tests + test.
static int by_line(const void *a, const void *b) {
    const FleetReading *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return (x->speed > y->speed) - (x->speed < y->speed);
}

static double figure_of(const FleetTest *t, double speed) { return t->of_time ? 1 / speed : speed; }

double fleet_limit(double median, double mad) {
    double far = deviations * deviation_of_mad * mad;
    return fmax(fmin(median - far, told_apart * median), share_of_median * median);
}

static FleetLine line_of(Fleet *f, const FleetReading *r, size_t n, double *scratch) {
    const FleetTest *t = &f->tests[r[0].test];
    for (size_t i = 0; i < n; i++) scratch[i] = r[i].speed;
    double median = median_of_sorted(scratch, n);
    for (size_t i = 0; i < n; i++) scratch[i] = fabs(r[i].speed - median);
    qsort(scratch, n, sizeof *scratch, order_doubles);
    double mad = median_of_sorted(scratch, n), limit = fleet_limit(median, mad);
    FleetLine l = {.group = f->devices[r[0].device].group,
                   .test = r[0].test,
                   .n = n,
                   .median = figure_of(t, median),
                   .slowest = figure_of(t, r[0].speed),
                   .fastest = figure_of(t, r[n - 1].speed),
                   .spread_pct = n > 1 ? 100 * deviation_of_mad * mad / median : (double)NAN,
                   .limit = n > 1 ? figure_of(t, limit) : (double)NAN,
                   .known_low = (double)NAN,
                   .known_high = (double)NAN,
                   .known_source = ""};
    for (size_t i = 0; i < n && !is_known(l.known_low); i++) {
        l.known_low = r[i].known_low;
        l.known_high = r[i].known_high;
        l.known_source = r[i].known_source;
    }
    l.below_known = t->of_time ? l.median > l.known_low : l.median < l.known_low;
    return l;
}

// Of superseded records, and of devices that are in no group, nothing counts.
static void choose_readings(Fleet *f) {
    size_t kept = 0;
    for (size_t i = 0; i < f->n_readings; i++) {
        FleetReading r = f->readings[i];
        if (!fleet_counts(f, &f->devices[r.device])) continue;
        r.line = f->devices[r.device].group * f->n_tests + r.test;
        f->readings[kept++] = r;
    }
    f->n_readings = kept;
    if (kept > 0) qsort(f->readings, kept, sizeof *f->readings, by_line);
}

static void make_lines(Fleet *f) {
    double *scratch = arena_alloc(f->arena, f->n_readings + 1, sizeof *scratch);
    choose_readings(f);
    for (size_t i = 0; i < f->n_readings;) {
        size_t n = 1;
        while (i + n < f->n_readings && f->readings[i + n].line == f->readings[i].line) n++;
        f->lines = arena_grow(f->arena, f->lines, f->n_lines, &f->room.lines, sizeof *f->lines);
        f->lines[f->n_lines] = line_of(f, f->readings + i, n, scratch);
        f->slow_as_a_whole = f->slow_as_a_whole || f->lines[f->n_lines].below_known;
        for (size_t k = 0; k < n; k++) f->readings[i + k].line = f->n_lines;
        f->n_lines++;
        i += n;
    }
}

// ---------------------------------------------------------------- stragglers

typedef struct Slowest {
    const FleetReading *reading;
    double ratio;
    size_t below;  // figures that are too slow
} Slowest;

static const char *slow_text(Fleet *f, const Slowest *s) {
    const FleetLine *l = &f->lines[s->reading->line];
    const FleetTest *t = &f->tests[l->test];
    char figure[32], median[32];
    format_number(figure, sizeof figure, s->reading->figure, 4);
    format_number(median, sizeof median, l->median, 4);
    const char *more =
        s->below > 1 ? arena_printf(f->arena, "; %s in all", counted(f->arena, s->below, "figure")) : "";
    return arena_printf(f->arena, "%s of %s: %s %s, the median of %zu is %s (%.0f %% of its speed)%s",
                        t->name, f->devices[s->reading->device].facts.id, figure, t->unit, l->n, median,
                        100 * s->ratio, more);
}

static void find_slow(Fleet *f) {
    Slowest *slowest = arena_alloc(f->arena, f->n_nodes + 1, sizeof *slowest);
    for (size_t i = 0; i < f->n_readings; i++) {
        const FleetReading *r = &f->readings[i];
        const FleetLine *l = &f->lines[r->line];
        if (l->n < 2) continue;
        Slowest *s = &slowest[f->records[f->devices[r->device].record].node];
        bool of_time = f->tests[l->test].of_time;
        double ratio = of_time ? l->median / r->figure : r->figure / l->median;
        s->below += of_time ? r->figure > l->limit : r->figure < l->limit;
        if (s->reading == NULL || ratio < s->ratio) s->reading = r, s->ratio = ratio;
    }
    for (size_t i = 0; i < f->n_nodes; i++) {
        const Slowest *s = &slowest[i];
        if (s->reading == NULL) continue;
        f->nodes[i].slowest = s->ratio;
        f->nodes[i].slowest_text = arena_printf(f->arena, "%s of %s", f->tests[s->reading->test].name,
                                                f->devices[s->reading->device].facts.id);
        if (s->below > 0) fleet_found(f, i, FLEET_STRAGGLER, 1 / s->ratio, slow_text(f, s));
    }
}

void fleet_figures(Fleet *f) {
    make_lines(f);
    find_slow(f);
}
