// Decimal numbers as they were written, exactly: for the columns of logs with tens of millions of rows, where
// parse_number would cost too much and a double cannot hold nanoseconds since 1970.
#ifndef GPUADVISE_DECIMAL_H
#define GPUADVISE_DECIMAL_H

#include "src/base/base.h"

typedef struct Decimal {
    uint64_t digits;  // the first 19 significant ones
    int exponent;     // the number is digits x 10^exponent
    bool negative;
} Decimal;

// The whole of `s`: digits with a point and an exponent where they are written; no blanks. False: it is none.
bool decimal_read(Str s, Decimal *ret_number);

double decimal_value(const Decimal *d);  // nearest double, or its neighbour

// The number x 10^shift as a whole number, rounded towards 0; false where it does not fit.
bool decimal_scaled(const Decimal *d, int shift, int64_t *ret_value);

#endif
