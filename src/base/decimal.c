// Decimal numbers as they were written.
#include "src/base/decimal.h"

#include <math.h>

enum { DIGITS_MAX = 19, EXPONENT_MAX = 400 };

static bool read_exponent(const char *at, const char *end, int *ret_exponent) {
    bool minus = at < end && *at == '-';
    int value = 0;
    if (at < end && (*at == '-' || *at == '+')) at++;
    if (at == end) return false;
    for (; at < end; at++) {
        if (!char_is_digit(*at)) return false;
        if (value < EXPONENT_MAX * 10) value = value * 10 + (*at - '0');
    }
    *ret_exponent = minus ? -value : value;
    return true;
}

bool decimal_read(Str s, Decimal *ret_number) {
    const char *at = s.data;
    const char *end = s.data + s.length;
    Decimal d = {0};
    bool point = false, any = false;
    int kept = 0, exponent = 0;
    if (s.length > 0 && *at == '-') d.negative = true, at++;
    for (; at < end && (char_is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        any = true;
        if (kept == DIGITS_MAX) {
            d.exponent += !point;
            continue;
        }
        d.digits = d.digits * 10 + (uint64_t)(*at - '0');
        kept += d.digits > 0;
        d.exponent -= point;
    }
    if (!any || !(at == end || *at == 'e' || *at == 'E')) return false;
    if (at < end && !read_exponent(at + 1, end, &exponent)) return false;
    d.exponent += exponent;
    if (d.exponent > EXPONENT_MAX || d.exponent < -2 * EXPONENT_MAX) return false;
    *ret_number = d;
    return true;
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double decimal_value(const Decimal *d) {
    int n = d->exponent < 0 ? -d->exponent : d->exponent;
    double x = (double)d->digits;
    if (n < (int)COUNT_OF(powers))
        x = d->exponent < 0 ? x / powers[n] : x * powers[n];
    else
        x *= pow(10, d->exponent);
    return d->negative ? -x : x;
}

bool decimal_scaled(const Decimal *d, int shift, int64_t *ret_value) {
    uint64_t x = d->digits;
    int exponent = d->exponent + shift;
    for (; exponent < 0 && x > 0; exponent++) x /= 10;
    for (; exponent > 0 && x > 0; exponent--) {
        if (x > INT64_MAX / 10) return false;
        x *= 10;
    }
    if (x > INT64_MAX) return false;
    *ret_value = d->negative ? -(int64_t)x : (int64_t)x;
    return true;
}
