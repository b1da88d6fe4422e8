// The median of numbers.
#ifndef GPUADVISE_MEDIAN_H
#define GPUADVISE_MEDIAN_H

#include <stddef.h>

// Sorts `x`; between two middle ones their mean. NaN of none. None of them is NaN.
double median(double *x, size_t n);

#endif
