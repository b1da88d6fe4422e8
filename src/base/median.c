// The median of numbers.
#include "src/base/median.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double median(double *x, size_t n) {
    if (n == 0) return (double)NAN;
    qsort(x, n, sizeof *x, by_value);
    return n % 2 == 1 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}
