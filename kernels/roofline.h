// Rooflines from the results of a run (src/facts/roofline.h).
#ifndef GPUADVISE_KERNELS_ROOFLINE_H
#define GPUADVISE_KERNELS_ROOFLINE_H

#include "kernels/kernels.h"
#include "src/facts/roofline.h"

// False: the run has no verified stream or no product on that device. Borrows the results; points live in the
// arena.
bool roofline_of(const BenchRun *run, const char *device, Arena *a, Roofline *ret_roofline);

#endif
