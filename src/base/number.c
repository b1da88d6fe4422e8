// Numbers and dates in and out: one parser for each, whole text, no locale.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/base.h"

bool is_known(double x) { return !isnan(x); }

static size_t skip_digits(Str s, size_t i) {
    while (i < s.length && char_is_digit(s.data[i])) i++;
    return i;
}

// [-+]digits[.digits][e[-+]digits], with at least one digit before or after the point.
static bool decimal_shape(Str s) {
    size_t i = 0;
    if (i < s.length && (s.data[i] == '-' || s.data[i] == '+')) i++;
    size_t whole = i;
    i = skip_digits(s, i);
    size_t digits = i - whole;
    if (i < s.length && s.data[i] == '.') {
        size_t part = ++i;
        i = skip_digits(s, i);
        digits += i - part;
    }
    if (digits == 0) return false;
    if (i < s.length && (s.data[i] == 'e' || s.data[i] == 'E')) {
        i++;
        if (i < s.length && (s.data[i] == '-' || s.data[i] == '+')) i++;
        size_t exponent = i;
        i = skip_digits(s, i);
        if (i == exponent) return false;
    }
    return i == s.length;
}

static int shown(Str s) { return s.length > 60 ? 60 : (int)s.length; }

bool parse_number(Str s, double min, double max, double *ret_value, Err *e) {
    char text[400];
    if (!decimal_shape(s) || s.length >= sizeof text) {
        return err_set(e, ERR_USAGE, "'%.*s' is not a number", shown(s), s.data);
    }
    memcpy(text, s.data, s.length);
    text[s.length] = '\0';
    double x = strtod(text, NULL);  // the program never calls setlocale for LC_NUMERIC
    if (isinf(x)) return err_set(e, ERR_USAGE, "'%s' is too large", text);
    if (x < min || x > max) return err_set(e, ERR_USAGE, "'%s' is outside %.15g..%.15g", text, min, max);
    *ret_value = x;
    return true;
}

bool parse_integer(Str s, int64_t min, int64_t max, int64_t *ret_value, Err *e) {
    size_t sign = s.length > 0 && (s.data[0] == '-' || s.data[0] == '+') ? 1 : 0;
    if (s.length == sign || s.length > 25 || skip_digits(s, sign) != s.length) {
        return err_set(e, ERR_USAGE, "'%.*s' is not a whole number", shown(s), s.data);
    }
    char text[32];
    memcpy(text, s.data, s.length);
    text[s.length] = '\0';
    errno = 0;
    long long x = strtoll(text, NULL, 10);
    if (errno == ERANGE || x < min || x > max) {
        return err_set(e, ERR_USAGE, "'%s' is outside %" PRId64 "..%" PRId64, text, min, max);
    }
    *ret_value = x;
    return true;
}

bool parse_micros(Str s, int64_t max_micros, int64_t *ret_micros, Err *e) {
    double limit = (double)max_micros / 1e6;
    double x = 0;
    if (!parse_number(s, 0, limit, &x, e)) return false;
    *ret_micros = (int64_t)floor(x * 1e6 + 0.5);
    return true;
}

// Days since 1970-01-01 of a proleptic Gregorian date (Howard Hinnant's era arithmetic, 2013).
static int64_t days_of(int64_t year, int64_t month, int64_t day) {
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static void date_of(int64_t days, int64_t *year, int64_t *month, int64_t *day) {
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * day_of_year + 2) / 153;
    *day = day_of_year - (153 * shifted + 2) / 5 + 1;
    *month = shifted < 10 ? shifted + 3 : shifted - 9;
    *year = year_of_era + era * 400 + (*month <= 2);
}

static int64_t month_days(int64_t year, int64_t month) {
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return lengths[month - 1] + (month == 2 && leap ? 1 : 0);
}

bool parse_date(Str s, int64_t *ret_days, Err *e) {
    size_t length = 0;
    while (length < s.length && s.data[length] != 'T' && s.data[length] != ' ') length++;
    int64_t part[3] = {0, 12, 0};
    bool good = length == 4 || length == 7 || length == 10;
    for (size_t i = 0, at = 0; good && at < length; i++, at += i == 1 ? 5 : 3) {
        Str digits = {s.data + at, i == 0 ? 4 : 2};
        good = skip_digits(digits, 0) == digits.length &&
               parse_integer(digits, i == 0 ? 1970 : 1, i == 0 ? 2999 : 31, &part[i], NULL);
        if (good && i > 0) good = s.data[at - 1] == '-';
    }
    good = good && part[1] <= 12;
    if (good && length < 10) part[2] = month_days(part[0], part[1]);
    if (!good || part[2] > month_days(part[0], part[1])) {
        return err_set(e, ERR_USAGE, "'%.*s' is not a date (YYYY-MM-DD)", shown(s), s.data);
    }
    *ret_days = days_of(part[0], part[1], part[2]);
    return true;
}

bool date_is_ahead(const char *date, int64_t today) {
    int64_t days = 0;
    char tomorrow[11];
    if (!parse_date(str_of(date), &days, NULL)) return false;
    format_date(tomorrow, today + 1);
    return strncmp(date, tomorrow, strcspn(date, "T ")) > 0;
}

double seconds_now(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int64_t ms_now(void) { return (int64_t)(seconds_now() * 1000); }

// ---------------------------------------------------------------- formatting

void format_fixed(char *out, size_t size, double x, int decimals) {
    if (isfinite(x)) {
        snprintf(out, size, "%.*f", decimals, x);
        // no minus zero
        if (out[0] == '-' && strspn(out, "-0.") == strlen(out)) memmove(out, out + 1, strlen(out));
    } else {
        snprintf(out, size, "-");
    }
}

void format_number(char *out, size_t size, double x, int digits) {
    if (!isfinite(x)) {
        snprintf(out, size, "-");
        return;
    }
    double magnitude = fabs(x);
    if (magnitude >= 1e15 || (magnitude > 0 && magnitude < 1e-6)) {
        snprintf(out, size, "%.*g", digits, x);
        return;
    }
    int whole = magnitude >= 1 ? (int)floor(log10(magnitude)) + 1 : 1;
    int decimals = digits > whole ? digits - whole : 0;
    if (magnitude > 0 && magnitude < 1) decimals = digits - 1 - (int)floor(log10(magnitude));
    char plain[64];
    format_fixed(plain, sizeof plain, x, decimals > 20 ? 20 : decimals);
    if (strchr(plain, '.') != NULL) {
        size_t end = strlen(plain);
        while (plain[end - 1] == '0') end--;
        if (plain[end - 1] == '.') end--;
        plain[end] = '\0';
    }
    size_t head = strcspn(plain, ".");
    if (strcspn(plain + (plain[0] == '-'), ".") < 5) {
        snprintf(out, size, "%s", plain);
        return;
    }
    size_t used = 0;
    for (size_t i = 0; plain[i] != '\0' && used + 2 < size; i++) {
        out[used++] = plain[i];
        size_t left = i < head ? head - 1 - i : 0;
        if (char_is_digit(plain[i]) && left > 0 && left % 3 == 0) out[used++] = ',';
    }
    out[used] = '\0';
}

void format_date(char out[11], int64_t days) {
    int64_t year = 0, month = 0, day = 0;
    date_of(days, &year, &month, &day);
    char text[80];
    snprintf(text, sizeof text, "%04d-%02d-%02d", (int)(year % 10000), (int)month, (int)day);
    memcpy(out, text, 10);
    out[10] = '\0';
}

void format_time(char out[32], int64_t seconds) {
    int64_t days = seconds >= 0 ? seconds / DAY_S : (seconds - 86399) / DAY_S;
    int64_t rest = seconds - days * DAY_S;
    char date[11];
    format_date(date, days);
    char text[80];
    snprintf(text, sizeof text, "%sT%02d:%02d:%02dZ", date, (int)(rest / 3600), (int)(rest / 60 % 60),
             (int)(rest % 60));
    memcpy(out, text, 21);
}

int64_t time_seconds(const char *time) {
    int64_t days = 0, h = 0, m = 0, s = 0;
    if (strlen(time) < 19 || !parse_date((Str){time, 10}, &days, NULL)) return 0;
    if (!parse_integer((Str){time + 11, 2}, 0, 23, &h, NULL) ||
        !parse_integer((Str){time + 14, 2}, 0, 59, &m, NULL) ||
        !parse_integer((Str){time + 17, 2}, 0, 60, &s, NULL))
        return days * DAY_S;
    return days * DAY_S + h * 3600 + m * 60 + s;
}

const char *plural(double n) { return n == 1 ? "" : "s"; }

const char *number_text(Arena *a, double x, int digits) {
    char text[64];
    format_number(text, sizeof text, x, digits);
    return arena_copy(a, text, strlen(text));
}

const char *counted(Arena *a, size_t n, const char *noun) {
    return arena_printf(a, "%zu %s%s", n, noun, plural((double)n));
}

const char *date_text(Arena *a, int64_t days) {
    char text[11];
    format_date(text, days);
    return arena_copy(a, text, strlen(text));
}

const char *time_text(Arena *a, int64_t seconds) {
    char text[32];
    format_time(text, seconds);
    return arena_copy(a, text, strlen(text));
}

const char *counted_number(Arena *a, double x, int digits, const char *noun) {
    const char *text = number_text(a, x, digits);
    return arena_printf(a, "%s %s%s", text, noun, plural(strcmp(text, "1") == 0 ? 1 : 2));
}
