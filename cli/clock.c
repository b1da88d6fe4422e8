// The time: the system's, or the one that GPUADVISE_NOW freezes.
#include <stdlib.h>
#include <time.h>

#include "cli/cli.h"

// "08:30" -> seconds; colon and ranges checked.
static bool take_pair(Str text, size_t at, int64_t first_max, int64_t *ret_first, int64_t *ret_second) {
    if (at + 5 > text.length || text.data[at + 2] != ':') return false;
    return parse_integer((Str){text.data + at, 2}, 0, first_max, ret_first, NULL) &&
           parse_integer((Str){text.data + at + 3, 2}, 0, 59, ret_second, NULL);
}

// Seconds east of UTC of "Z" or "+05:30".
static bool parse_offset(Str text, int64_t *ret_seconds) {
    *ret_seconds = 0;
    if (text.length == 1 && (text.data[0] == 'Z' || text.data[0] == 'z')) return true;
    int64_t hours = 0;
    int64_t minutes = 0;
    if (text.length != 6 || (text.data[0] != '+' && text.data[0] != '-')) return false;
    if (!take_pair(text, 1, 23, &hours, &minutes)) return false;
    *ret_seconds = (hours * 3600 + minutes * 60) * (text.data[0] == '-' ? -1 : 1);
    return true;
}

// YYYY-MM-DD, or RFC 3339's YYYY-MM-DDTHH:MM:SS[.fraction](Z|+HH:MM).
static bool parse_time(Str text, int64_t *ret_seconds) {
    enum { DATE = 10, TIME = 19 };
    int64_t days = 0, hours = 0, minutes = 0, seconds = 0, offset = 0;
    if (text.length < DATE || !parse_date((Str){text.data, DATE}, &days, NULL)) return false;
    if (text.length > DATE) {
        if (text.length < TIME + 1 || !take_pair(text, DATE + 1, 23, &hours, &minutes) ||
            text.data[DATE + 6] != ':')
            return false;
        if (!parse_integer((Str){text.data + DATE + 7, 2}, 0, 60, &seconds, NULL)) return false;
        size_t at = TIME;
        if (text.data[at] == '.') at++;
        while (at > TIME && at < text.length && text.data[at] >= '0' && text.data[at] <= '9') at++;
        if (!parse_offset((Str){text.data + at, text.length - at}, &offset)) return false;
    }
    *ret_seconds = days * DAY_S + hours * 3600 + minutes * 60 + seconds - offset;
    return true;
}

bool clock_now(int64_t *ret_seconds, Err *e) {
    const char *frozen = getenv("GPUADVISE_NOW");
    if (frozen == NULL || frozen[0] == '\0') {
        *ret_seconds = (int64_t)time(NULL);
        return true;
    }
    if (parse_time(str_of(frozen), ret_seconds)) return true;
    return err_set(e, ERR_USAGE,
                   "environment variable 'GPUADVISE_NOW': '%s' is not a time (2026-11-27T12:00:00Z)", frozen);
}
