// The part of the stand-in of NCCL that spans processes.
#ifndef GPUADVISE_TESTS_FAKE_NCCL_RANKS_H
#define GPUADVISE_TESTS_FAKE_NCCL_RANKS_H

#include "tests/fake/gpu/fake.h"

bool ranks_joined(void);
void ranks_make_id(NcclId *id);
// Waits for all. `speed`: GB/s that this rank can move.
bool ranks_join(const NcclId *id, int ranks, int rank, double speed);
// Give the speed of the slowest that took part; 0: too much at once.
double ranks_sum(const float *from, float *to, size_t count);
double ranks_exchange(const float *from, float *to, size_t count, int peer, bool wrong);

#endif
