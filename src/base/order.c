// Which of two comes first.
#include <math.h>
#include <string.h>

#include "src/base/base.h"

int number_order(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : isnan(a) ? -1 : 1;
    return a < b ? -1 : a > b;
}

int order_texts(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int order_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}
