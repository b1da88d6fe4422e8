// Verifying one kernel on any back end: against the reference, with numbers that are none, twice the same,
// and what its bits were.
#ifndef GPUADVISE_KERNELS_VERIFY_H
#define GPUADVISE_KERNELS_VERIFY_H

#include "kernels/kernels.h"
#include "src/facts/bench.h"

// How a back end runs a problem of one kernel.
typedef struct VerifyBackend {
    void *job;
    const Kernel *kernel;
    double roundoff;  // kernel_roundoff
    // Makes the buffers and fills the inputs, with one number put in place (`set`: cpu_fill's).
    bool (*prepare)(void *job, const Shape *s, uint64_t seed, const Special *special, Err *e);
    // Poisons the output, runs, gives the output in memory of the host until the next call, and whether the
    // guards around it stand.
    bool (*run)(void *job, const void **ret_output, size_t *ret_bytes, bool *ret_guards, Err *e);
    bool timed_alone;  // the shape to time and nothing else: the others were checked before
} VerifyBackend;

// Odd sizes with three seeds; NaN, infinity and a denormal number where they may be; two runs bit for bit;
// then, unless NULL, the shape to time, which stays prepared. False when it could not be run; what is wrong
// is an answer: verified false, `error` set.
bool bench_verify(const VerifyBackend *b, const Shape *timed, uint64_t seed, Arena *a, BenchResult *r,
                  Err *e);

// ---------------------------------------------------------------- bits

// What BenchResult.bits holds: digests (FNV-1a, 64 bits) of the inputs and of all outputs of `bits_shape`
// with seed 1, and outputs spread over it as bit patterns of 32, of double precision 64: "inputs outputs word word ..."
// in hexadecimal.
enum { BITS_SAMPLES = 64 };
typedef struct BenchBits {
    uint64_t inputs, outputs;
    uint64_t words[BITS_SAMPLES];
    bool wide;  // words of 64 bits
    size_t n;
} BenchBits;

bool bits_parse(Str text, BenchBits *ret_bits, Err *e);
// Steps between two floats of 32 bits, or of 64; UINT32_MAX when one of them is NaN and the other is not.
double ulps_between(uint64_t a, uint64_t b, bool wide);
// Is this word right for that sample, whatever machine of that roundoff made it?
bool bits_right(const Kernel *k, size_t sample, uint64_t word, double roundoff);

#endif
