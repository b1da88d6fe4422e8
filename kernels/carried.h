// What copies carry, and whether it arrived.
#ifndef GPUADVISE_KERNELS_CARRIED_H
#define GPUADVISE_KERNELS_CARRIED_H

#include "kernels/kernels.h"
#include "src/facts/bench.h"

// Bytes of a counter's hash: no two blocks of eight alike.
void carried_make(unsigned char *out, size_t n, uint64_t seed);
// `raw`: guard, `bytes` of output, guard.
bool guards_whole(const unsigned char *raw, size_t bytes);
// What stands between the guards against what was sent: counts it, and keeps the first thing that is wrong in
// `error`.
void carried_check(const unsigned char *raw, const unsigned char *sent, size_t bytes, Arena *a,
                   BenchResult *r);
// Verified when nothing was wrong.
void carried_judge(BenchResult *r);

#endif
