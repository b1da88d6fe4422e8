// Least squares, cells and spreads.
#include "src/perf/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/perf/perf.h"

// In four sums, so that additions need not wait for each other.
static double dot(const double *a, const double *b, size_t n) {
    double part[4] = {0}, rest = 0;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        for (size_t q = 0; q < 4; q++) part[q] += a[k + q] * b[k + q];
    }
    for (; k < n; k++) rest += a[k] * b[k];
    return rest + part[0] + part[1] + part[2] + part[3];
}

void triangle_factorise(double *A, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double *row = triangle_at(A, i, 0);
        for (size_t j = 0; j <= i; j++) {
            const double *other = triangle_at(A, j, 0);
            double sum = row[j] - dot(row, other, j);
            row[j] = j < i ? sum / other[j] : sqrt(fmax(sum, 1e-12));
        }
    }
}

static void solve_down(const double *L, double *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const double *row = L + i * (i + 1) / 2;
        b[i] = (b[i] - dot(row, b, i)) / row[i];
    }
}

static void solve_up(const double *L, double *b, size_t n) {
    for (size_t i = n; i-- > 0;) {
        const double *row = L + i * (i + 1) / 2;
        b[i] /= row[i];
        for (size_t k = 0; k < i; k++) b[k] -= row[k] * b[i];
    }
}

void triangle_solve(const double *L, double *b, size_t n) {
    solve_down(L, b, n);
    solve_up(L, b, n);
}

// With V = L^-1 U, L L' - U U' = L (I - V V') L', and (I - V V')^-1 = I + V (I - V' V)^-1 V' (Sherman,
// Morrison, Woodbury).
void downdate_start(const double *L, size_t n, double *taken, size_t r, double *gram) {
    for (size_t i = 0; i < r; i++) solve_down(L, taken + i * n, n);
    for (size_t i = 0; i < r; i++) {
        for (size_t k = 0; k <= i; k++)
            *triangle_at(gram, i, k) = (i == k) - dot(taken + i * n, taken + k * n, n);
    }
    triangle_factorise(gram, r);
}

void downdate_solve(const double *L, size_t n, const double *taken, size_t r, const double *gram, double *b,
                    double *scratch) {
    solve_down(L, b, n);
    for (size_t i = 0; i < r; i++) scratch[i] = dot(taken + i * n, b, n);
    triangle_solve(gram, scratch, r);
    for (size_t i = 0; i < r; i++) {
        for (size_t k = 0; k < n; k++) b[k] += scratch[i] * taken[i * n + k];
    }
    solve_up(L, b, n);
}

const char *const leave_out_names[] = {"cell", "source", "publisher", "block", NULL};

const char *publisher_of(const Facts *facts, const Measurement *m) {
    if (strcmp(m->run_class, "mlperf") == 0) return "MLPerf";
    const Publisher *known = row_named(m->submitter, facts->publishers, facts->n_publishers, sizeof *known);
    return known != NULL ? known->publisher : m->submitter;
}

static bool same_part(LeaveOut leave_out, const PartKey *a, const PartKey *b) {
    const Measurement *x = a->row;
    const Measurement *y = b->row;
    switch (leave_out) {
    case LEAVE_OUT_SOURCE: return strcmp(x->source, y->source) == 0;
    case LEAVE_OUT_PUBLISHER: return strcmp(a->publisher, b->publisher) == 0;
    case LEAVE_OUT_BLOCK: return a->gpu->vendor == b->gpu->vendor && strcmp(x->model, y->model) == 0;
    case LEAVE_OUT_CELL:
    default:
        return strcmp(x->gpu_sku, y->gpu_sku) == 0 && strcmp(x->model, y->model) == 0 &&
               strcmp(x->engine, y->engine) == 0 && strcmp(x->submitter, y->submitter) == 0;
    }
}

size_t number_parts(const PartKey *keys, size_t n, LeaveOut leave_out, size_t *ret_numbers) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < i && !same_part(leave_out, &keys[k], &keys[i])) k++;
        ret_numbers[i] = k < i ? ret_numbers[k] : found++;
    }
    return found;
}

double cell_weight(size_t n) { return pow((double)n, -0.3); }

double spread_of(double *errors, size_t n, size_t cells, double parent) {
    static const double PARENT_CELLS = 4, LEAST = 0.06;
    if (n == 0) return parent;
    qsort(errors, n, sizeof *errors, order_doubles);
    double own = errors[(size_t)(0.8 * (double)(n - 1))] / Z80;
    double c = (double)cells;
    return fmax(sqrt((c * own * own + PARENT_CELLS * parent * parent) / (c + PARENT_CELLS)), LEAST);
}
