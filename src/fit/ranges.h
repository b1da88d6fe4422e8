// How wide the ranges of predictions are, from what rows are off when their part is left out. Pure; used by
// calibrate.c.
//
// A group's width is that of its rows' errors (`sigma_log` of the table). Few publishers make few groups, and
// those that happen to agree make narrow ones, so that widths say less than they seem to: a law of two
// parameters, ln width = ln scale + power x ln of the group's own, makes them hold 80 % whether narrow or wide. It
// is fitted without the part that it is used for.
#ifndef GPUADVISE_FIT_RANGES_H
#define GPUADVISE_FIT_RANGES_H

#include "src/fit/calibrate.h"

typedef struct Ranges Ranges;

// `errors` as in LeftOut; these and the rows of `want` have to stay. Lives in the arena.
// `factors`: of each row with its part left out, on the scale that they are fitted on.
Ranges *ranges_make(const CalibrateWant *want, const double *errors, double (*const factors)[FACTOR_COUNT],
                    Arena *a);

// Of each row with its part left out: what the product would say of it had it never seen the part, properties and
// GPUs that nobody else measured included.
void ranges_left_out(Ranges *r, double *ret_sigmas);

// Of row i's group of that level, with all rows.
double ranges_group(Ranges *r, size_t i, int level);

#endif
