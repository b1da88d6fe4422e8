// What the fits of serving and of tasks share: least squares, rows that stay together, spreads. Pure.
#ifndef GPUADVISE_PERF_FIT_H
#define GPUADVISE_PERF_FIT_H

#include "src/facts/facts.h"

// A symmetric positive definite matrix as its lower triangle, row after row.
static inline double *triangle_at(double *A, size_t row, size_t column) {
    return A + row * (row + 1) / 2 + column;
}
void triangle_factorise(double *A, size_t n);                    // A becomes its Cholesky factor
void triangle_solve(const double *factor, double *b, size_t n);  // b becomes the solution

// Solves with the matrix less u u' for each of r vectors u, without factorising it anew. Start: `taken` holds
// the vectors, one after the other, and is overwritten; `gram` has room for a triangle of r rows. `scratch`:
// r values.
void downdate_start(const double *factor, size_t n, double *taken, size_t r, double *gram);
void downdate_solve(const double *factor, size_t n, const double *taken, size_t r, const double *gram,
                    double *b, double *scratch);

// What is left out together: rows of one GPU, model, engine and submitter (which also share their weight); of
// one source; of one publisher, whatever he measured; of one model on GPUs of one vendor, whoever measured it.
typedef enum LeaveOut { LEAVE_OUT_CELL, LEAVE_OUT_SOURCE, LEAVE_OUT_PUBLISHER, LEAVE_OUT_BLOCK } LeaveOut;
extern const char *const leave_out_names[];  // "cell", ..., NULL

// Who published a row: its submitter, but one name for those who belong together (data/publishers.tsv), and
// "MLPerf" for all of that benchmark, whose submitters run the vendors' code. Borrows.
const char *publisher_of(const Facts *facts, const Measurement *m);

// What decides with which rows one is left out. Borrows.
typedef struct PartKey {
    const Measurement *row;
    const Gpu *gpu;
    const char *publisher;
} PartKey;

// Numbers keys that belong together alike, from 0; returns how many numbers there are.
size_t number_parts(const PartKey *keys, size_t n, LeaveOut leave_out, size_t *ret_numbers);

// Weight of one of n rows of a cell: together they count as n^0.7.
double cell_weight(size_t n);

// The width that holds 80 % of the errors, as a standard deviation, drawn towards the parent's where they
// come from few cells. Sorts `errors`, which are absolute. n = 0: the parent's.
double spread_of(double *errors, size_t n, size_t cells, double parent);

#endif
