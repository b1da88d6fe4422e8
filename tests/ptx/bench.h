// An entry of PTX under the checks of `bench`: the kernel table's sizes, inputs, references and bounds.
#ifndef GPUADVISE_TESTS_PTX_BENCH_H
#define GPUADVISE_TESTS_PTX_BENCH_H

#include "kernels/kernels.h"
#include "tests/ptx/ptx.h"

// How an entry is run.
typedef struct PtxManner {
    PtxOrder order;
    uint64_t seed;
    bool cut_sums;   // PtxLaunch's; then the bound is the one that `bench` has for NVIDIA's matrix units
    unsigned fewer;  // the grid is that many times smaller than what `bench` launches; 0 and 1: it is not
} PtxManner;

// Runs entry `name` as bench_verify does: odd sizes, three seeds, numbers that are none, twice the
// same, and a small one of the sizes that are timed. The entries
// that are no tests (kernels.h) are run on words and patterns of their own. False, with what is wrong: refused code,
// a fault, a wrong output. *ret_bits: what BenchResult.bits is, in the arena.
bool ptx_bench(PtxModule *m, const char *name, const PtxManner *manner, Arena *a, PtxTally *tally,
               const char **ret_bits, Err *e);
// The row of an entry; NULL: it has none.
const Kernel *ptx_kernel(const char *entry);

#endif
