// Measured rows as the fit of the efficiency factors takes them.
#include <math.h>
#include <string.h>

#include "src/fit/calibrate.h"

static double grade_weight(const Measurement *m) {
    if (strcmp(m->grade, "A") == 0 || strcmp(m->grade, "B") == 0) return 1;
    return strcmp(m->grade, "R") == 0 ? 0.2 : 0;
}

// What a burst ran at once and how its answers' lengths spread is inferred: it counts as rows of grade R do.
static double burst_weight(const Prediction *p) { return is_burst_run(p) ? 0.2 : 1; }

static double log_or_unknown(double x) { return x > 0 ? log(x) : (double)NAN; }

size_t fit_rows(const Facts *facts, const Measurement *rows, size_t n, LeaveOut leave_out, Arena *a,
                FitRow **ret_rows) {
    FitRow *out = arena_alloc(a, n + 1, sizeof *out);
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        FitRow r = {.row = &rows[i]};
        predict(facts, &rows[i], &r.prediction);
        Check check;
        check_row(&rows[i], &r.prediction, &check);
        if (r.prediction.not_predicted != NULL || !is_serving_task(&rows[i]) || is_known(rows[i].rate_rps) ||
            is_split_serving(&rows[i]))
            continue;
        double rate = measured_rate(&rows[i], &r.prediction);
        r.measured = log_or_unknown(rate);
        r.measured_tpot = log_or_unknown(rows[i].tpot_ms / 1000);
        r.measured_ttft = ttft_is_mean(&rows[i]) ? (double)NAN : log_or_unknown(rows[i].ttft_ms / 1000);
        r.weight = check.special || rows[i].held_out || !is_known(r.measured)
                       ? 0
                       : grade_weight(&rows[i]) * burst_weight(&r.prediction);
        r.prediction.subject.publisher = publisher_of(facts, &rows[i]);
        effect_levels(&r.prediction.subject, &r.levels);
        out[made++] = r;
    }
    PartKey *keys = arena_alloc(a, made + 1, sizeof *keys);
    for (size_t i = 0; i < made; i++)
        keys[i] = (PartKey){out[i].row, out[i].prediction.gpu, publisher_of(facts, out[i].row)};
    size_t *cells = arena_alloc(a, made + 1, sizeof *cells), *parts = arena_alloc(a, made + 1, sizeof *parts);
    size_t *publishers = arena_alloc(a, made + 1, sizeof *publishers);
    size_t n_cells = number_parts(keys, made, LEAVE_OUT_CELL, cells);
    number_parts(keys, made, LEAVE_OUT_PUBLISHER, publishers);
    number_parts(keys, made, leave_out, parts);
    size_t *counts = arena_alloc(a, n_cells + 1, sizeof *counts);
    for (size_t i = 0; i < made; i++) counts[cells[i]]++;
    for (size_t i = 0; i < made; i++) {
        out[i].cell = cells[i], out[i].publisher = publishers[i], out[i].part = parts[i];
        out[i].weight *= cell_weight(counts[cells[i]]);
    }
    *ret_rows = out;
    return made;
}
