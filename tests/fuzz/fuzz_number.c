// Number and date parsers: what they accept is in range, and what they print of it reads back.
#include <math.h>
#include <string.h>

#include "src/base/base.h"
#include "tests/fuzz/fuzz.h"

static void try_number(Str s) {
    double x = 12345;
    Err e = {0};
    if (!parse_number(s, -1e6, 1e300, &x, &e)) {
        MUST_HOLD(x == 12345 && e.kind == ERR_USAGE && e.text[0] != '\0');
        return;
    }
    MUST_HOLD(x >= -1e6 && x <= 1e300);
    for (int digits = 1; digits <= 8; digits++) {
        char text[64];
        memset(text, 'x', sizeof text);
        format_number(text, sizeof text, x, digits);
        MUST_HOLD(memchr(text, '\0', sizeof text) != NULL && text[0] != '\0');
        char small[8];
        format_number(small, sizeof small, x, digits);
        MUST_HOLD(memchr(small, '\0', sizeof small) != NULL);
    }
}

static void try_integers(Str s) {
    int64_t x = -77;
    Err e = {0};
    if (parse_integer(s, -1000, INT64_MAX, &x, &e)) {
        MUST_HOLD(x >= -1000);
        double same = 0;
        MUST_HOLD(parse_number(s, -1e3, 1e19, &same, NULL) && fabs(same - (double)x) <= fabs(same) * 1e-15);
    } else {
        MUST_HOLD(x == -77);
    }
    int64_t micros = -1;
    if (parse_micros(s, 1000000000000, &micros, &e)) MUST_HOLD(micros >= 0 && micros <= 1000000000000);
}

static void try_date(Str s) {
    int64_t days = -1;
    Err e = {0};
    if (!parse_date(s, &days, &e)) return;
    char text[11];
    format_date(text, days);
    int64_t again = -2;
    MUST_HOLD(parse_date(str_of(text), &again, &e) && again == days);
    MUST_HOLD(memcmp(text, s.data, 4) == 0);
    char time[32];
    format_time(time, days * 86400 + 86399);
    MUST_HOLD(memcmp(time, text, 10) == 0 && strcmp(time + 10, "T23:59:59Z") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Str s = {(const char *)data, size};
    try_number(s);
    try_integers(s);
    try_date(s);
    return 0;
}
