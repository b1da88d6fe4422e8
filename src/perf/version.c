// Versions of engines in the words of those who publish measurements.
#include "src/perf/version.h"

#include <math.h>
#include <string.h>

#include "src/base/base.h"

static const int YEAR_FIRST = 2015, YEAR_LAST = 2099;

double years_of_date(const char *date) {
    double year = 0, month = 0;
    Str rest = str_of(date), part;
    if (!str_next(&rest, '-', &part) || !parse_number(part, 1970, 2999, &year, NULL)) return (double)NAN;
    if (!str_next(&rest, '-', &part) || !parse_number(part, 1, 12, &month, NULL)) return year + 0.5;
    double day = 15;
    if (str_next(&rest, '-', &part)) parse_number(part, 1, 31, &day, NULL);
    return year + (month - 1 + day / 31) / 12;
}

// The number of up to `most` digits at `*at`, which moves behind it; -1: none, or more digits than that.
static int read_digits(const char **at, int most) {
    int value = 0, n = 0;
    for (; char_is_digit((*at)[n]); n++)
        if (n < most) value = 10 * value + ((*at)[n] - '0');
    if (n == 0 || n > most) return -1;
    *at += n;
    return value;
}

static bool is_year(int year) { return year >= YEAR_FIRST && year <= YEAR_LAST; }

static double years_in(int year, int month, int day) {
    return year + (month - 1 + (day > 0 ? day : 15) / 31.0) / 12;
}

// ---------------------------------------------------------------- dates

// YYYYMMDD
static double read_stamp(const char *at, size_t digits) {
    if (digits != 8) return (double)NAN;
    int n[8];
    for (int i = 0; i < 8; i++) n[i] = at[i] - '0';
    int year = n[0] * 1000 + n[1] * 100 + n[2] * 10 + n[3], month = n[4] * 10 + n[5], day = n[6] * 10 + n[7];
    bool good = is_year(year) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
    return good ? years_in(year, month, day) : (double)NAN;
}

// YYYY-MM, YYYY-MM-DD or a year alone; moves `*at` behind it.
static double read_date(const char **at) {
    const char *p = *at;
    int year = read_digits(&p, 4), month = -1, day = -1;
    if (!is_year(year)) {
        *at = p;
        return (double)NAN;
    }
    const char *behind_year = p;
    if (*p == '-' && char_is_digit(p[1])) {
        p++;
        month = read_digits(&p, 2);
        if (*p == '-' && char_is_digit(p[1]) && month > 0) {
            const char *q = p + 1;
            day = read_digits(&q, 2);
            if (day >= 1 && day <= 31) p = q;
        }
    }
    if (month < 1 || month > 12) {
        *at = behind_year;
        return year + 0.5;
    }
    *at = p;
    return years_in(year, month, day >= 1 && day <= 31 ? day : 0);
}

// The middle of all dates that the text names.
static double date_in(const char *text) {
    double first = (double)NAN, last = (double)NAN;
    for (const char *p = text; *p != '\0';) {
        if (!char_is_digit(*p)) {
            p++;
            continue;
        }
        size_t digits = strspn(p, "0123456789");
        bool span = p > text + 1 && p[-1] == '.' && p[-2] == '.';
        bool inside = p > text && !span && (p[-1] == '.' || char_is_letter(p[-1]));
        const char *behind = p + digits;
        double date = read_stamp(p, digits);
        // a year behind a letter or a point is part of a name; one before a point starts a version of its year
        if (!is_known(date) && digits == 4 && !inside) {
            behind = p;
            date = read_date(&behind);
        }
        if (is_known(date)) {
            if (!is_known(first)) first = date;
            last = date;
        }
        p = behind;
    }
    return (first + last) / 2;
}

// ---------------------------------------------------------------- releases

// What is written before a number, back to the last number or mark: "sglang:v", "_pytorch_release_", "ROCm ".
static bool is_of_another(const char *text, const char *at, const char *engine) {
    static const char *const others[] = {"rocm", "cuda", "torch",   "cudnn",  "py",  "ubuntu",
                                         "hip",  "git",  "runtime", "driver", "trt", "transformers"};
    enum { WORDS_SIZE = 64 };
    char words[WORDS_SIZE];
    size_t n = 0;
    const char *from = at;
    while (from > text && !char_is_digit(from[-1]) && strchr(";,/()+", from[-1]) == NULL &&
           n + 1 < WORDS_SIZE)
        from--, n++;
    memcpy(words, from, n);
    words[n] = '\0';
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (text_contains(words, others[i]) && !text_contains(engine, others[i])) return true;
    return text_contains(words, "tensorrt") && !text_contains(words, "tensorrt-llm") &&
           !text_same(engine, "tensorrt");
}

// Behind the last part of a release: ".post1", ".dev308", "rc5", "+git...".
static double suffix_of(const char *at) {
    if (*at == '.' || *at == '-') at++;
    if (strncmp(at, "post", 4) == 0) {
        at += 4;
        int n = read_digits(&at, 2);
        return (n > 0 ? n : 1) / 100.0;
    }
    bool before = strncmp(at, "dev", 3) == 0 || strncmp(at, "rc", 2) == 0 ||
                  ((*at == 'a' || *at == 'b') && char_is_digit(at[1]));
    return before ? -0.5 : 0;
}

// "0.6.3.post1" at `at`: two parts at least. An image's tag of year and month (25.04) gives its date.
static bool read_release(const char *at, EngineVersion *v) {
    enum { PARTS = 4 };
    int part[PARTS] = {0}, n = 0;
    const char *p = at, *minor = NULL;
    while (n < PARTS) {
        if (n == 1) minor = p;
        if ((part[n] = read_digits(&p, 4)) < 0) return false;
        n++;
        if (*p != '.' || !char_is_digit(p[1])) break;
        p++;
    }
    if (n < 2) return false;
    bool tag = n == 2 && part[0] >= 20 && part[0] < 40 && part[1] >= 1 && part[1] <= 12 && minor[0] != '\0' &&
               char_is_digit(minor[1]);
    if (tag || is_year(part[0])) {
        if (!is_known(v->date)) v->date = tag ? years_in(2000 + part[0], part[1], 0) : part[0] + 0.5;
        return true;
    }
    v->release = part[0] * 10000.0 + part[1] * 100 + part[2] + part[3] / 100.0 + suffix_of(p);
    return true;
}

// b7423, at the beginning of a word
static double build_of(const char *text) {
    for (const char *p = text; *p != '\0'; p++) {
        if (*p != 'b' || !char_is_digit(p[1]) ||
            (p > text && (char_is_letter(p[-1]) || char_is_digit(p[-1]))))
            continue;
        const char *at = p + 1;
        int n = read_digits(&at, 6);
        if (n > 0 && !char_is_letter(*at)) return n;
    }
    return (double)NAN;
}

EngineVersion engine_version(const char *engine, const char *text) {
    EngineVersion v = {(double)NAN, date_in(text)};
    if (text_same(engine, "llama.cpp")) v.release = build_of(text);
    for (const char *p = text; *p != '\0' && !is_known(v.release);) {
        bool starts = char_is_digit(*p) && (p == text || (!char_is_digit(p[-1]) && p[-1] != '.'));
        if (starts && !is_of_another(text, p, engine) && read_release(p, &v)) break;
        p++;
    }
    return v;
}
