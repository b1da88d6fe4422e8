// Numbers as people write them.
#include "tui/units.h"

#include <string.h>

#include "src/base/base.h"

static const struct {
    const char *unit, *word;
    double factor;
} related[] = {
    {"ms", "s", 1e3},        {"ms", "min", 6e4},  {"W", "kW", 1e3},     {"kW", "W", 1e-3},
    {"kW", "MW", 1e3},       {"0-1", "%", 0.01},  {"days", "d", 1},     {"days", "weeks", 7},
    {"months", "years", 12}, {"months", "y", 12}, {"% a year", "%", 1}, {"1/s", "rps", 1},
};

static const struct {
    const char *word;
    double factor;
} prefixes[] = {{"", 1}, {"Ki", 1024}, {"Mi", 1048576}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}};

// Of "$/GPU-h" and "1/s" also what stands behind the slash, with it.
static bool word_of_unit(Str word, const char *unit, double *ret_factor) {
    *ret_factor = 1;
    if (str_is(word, unit)) return true;
    if ((unit[0] == '$' || unit[0] == '1') && unit[1] == '/' && str_is(word, unit + 1)) return true;
    for (size_t i = 0; i < COUNT_OF(related); i++) {
        if (strcmp(related[i].unit, unit) != 0 || !str_is(word, related[i].word)) continue;
        *ret_factor = related[i].factor;
        return true;
    }
    return false;
}

// The digits at the start, without commas between thousands; gives how many bytes they take, 0: commas that
// are none of these.
static size_t digits_of(const char *text, char *digits, size_t max) {
    size_t n = 0, at = 0;
    for (; strchr("0123456789.,", text[at]) != NULL && text[at] != '\0'; at++) {
        bool three = text[at] == ',' && at > 0 && strspn(text + at + 1, "0123456789") == 3;
        if ((text[at] == ',' && !three) || n + 1 == max) return 0;
        if (text[at] != ',') digits[n++] = text[at];
    }
    digits[n] = '\0';
    return at;
}

bool unit_number(const char *text, const char *unit, double *ret_x) {
    enum { DIGITS_MAX = 64 };
    char digits[DIGITS_MAX];
    double x = 0, factor = 1;
    text += strspn(text, " ");
    if (text[0] == '$' && unit[0] == '$') text++;
    size_t used = digits_of(text, digits, sizeof digits);
    if (used == 0 || !parse_number(str_of(digits), 0, 1e15, &x, NULL)) return false;
    Str rest = str_trim(str_of(text + used));
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        size_t n = strlen(prefixes[i].word);
        if (rest.length < n || memcmp(rest.data, prefixes[i].word, n) != 0) continue;
        Str word = str_trim((Str){rest.data + n, rest.length - n});
        if (word.length > 0 && !word_of_unit(word, unit, &factor)) continue;
        *ret_x = x * prefixes[i].factor * (word.length > 0 ? factor : 1);
        return true;
    }
    return false;
}
