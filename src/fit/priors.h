// Priors of the efficiency factors that calibrate.c fits. Pure.
#ifndef GPUADVISE_FIT_PRIORS_H
#define GPUADVISE_FIT_PRIORS_H

#include "src/facts/facts.h"

// Factors of sums of kernels, and the others: no fit has both.
bool is_of_kernels(int factor);

// Standard deviation of what an effect adds to a factor; 0: it has no say.
double prior_sd_of(int effect, int factor);

// Where the common value of a factor starts, on its scale.
double prior_mean_of(int factor);

#endif
