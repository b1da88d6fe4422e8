// The median of numbers.
#include "src/base/median.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/base.h"

double median(double *x, size_t n) {
    if (n == 0) return (double)NAN;
    qsort(x, n, sizeof *x, order_doubles);
    return n % 2 == 1 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}
