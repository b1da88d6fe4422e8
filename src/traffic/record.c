// One record's texts as a request: times, lengths, what is refused.
#include <math.h>
#include <string.h>

#include "src/traffic/parts.h"
#include "src/traffic/reader.h"
#include "src/base/hash.h"

// ---------------------------------------------------------------- times

static bool two_digits(const char *at, int most, int64_t *ret) {
    if (at[0] < '0' || at[0] > '9' || at[1] < '0' || at[1] > '9') return false;
    *ret = (at[0] - '0') * 10 + (at[1] - '0');
    return *ret <= most;
}

static bool read_day(Str text, DayMemo *memo, int64_t *ret_days, Err *e) {
    enum { DAY = 10 };
    if (text.length < DAY) return err_set(e, ERR_FAILED, "no date");
    if (memcmp(memo->text, text.data, DAY) != 0) {
        if (!parse_date((Str){text.data, DAY}, &memo->days, e)) return false;
        memcpy(memo->text, text.data, DAY);
    }
    *ret_days = memo->days;
    return true;
}

// "+02:00", "-0530", "Z" or nothing, which is taken for UTC.
static bool read_zone(Str text, int64_t *ret_s) {
    int64_t hours = 0, minutes = 0;
    text = str_trim(text);
    *ret_s = 0;
    if (text.length == 0 || str_is(text, "Z") || str_is(text, "UTC")) return true;
    bool minus = text.data[0] == '-';
    if ((!minus && text.data[0] != '+') || text.length < 3 || !two_digits(text.data + 1, 14, &hours))
        return false;
    size_t at = text.length > 3 && text.data[3] == ':' ? 4 : 3;
    if (text.length != at && (text.length != at + 2 || !two_digits(text.data + at, 59, &minutes)))
        return false;
    *ret_s = (hours * 3600 + minutes * 60) * (minus ? -1 : 1);
    return true;
}

// "2023-11-16 18:17:03.9799600", "2024-05-10T00:00:00.009930+00:00".
static bool read_iso(Str text, DayMemo *memo, int64_t *ret_ns, Err *e) {
    enum { WHOLE = 19, PER_SECOND = 1000000000 };
    int64_t days = 0, hour = 0, minute = 0, second = 0, nano = 0, zone_s = 0;
    if (!read_day(text, memo, &days, e)) return false;
    const char *at = text.data;
    bool ok = text.length >= WHOLE && (at[10] == ' ' || at[10] == 'T') && two_digits(at + 11, 23, &hour) &&
              at[13] == ':' && two_digits(at + 14, 59, &minute) && at[16] == ':' &&
              two_digits(at + 17, 60, &second);
    size_t i = WHOLE;
    if (ok && i < text.length && (at[i] == '.' || at[i] == ',')) {
        int64_t unit = 100000000;
        for (i++; i < text.length && at[i] >= '0' && at[i] <= '9'; i++, unit /= 10)
            nano += (at[i] - '0') * unit;
        ok = i > WHOLE + 1;
    }
    ok = ok && read_zone((Str){at + i, text.length - i}, &zone_s);
    if (!ok)
        return err_set(e, ERR_FAILED, "'%.*s' is no time (YYYY-MM-DD HH:MM:SS.FFF)",
                       text.length > 40 ? 40 : (int)text.length, at);
    int64_t seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - zone_s;
    if (seconds >= INT64_MAX / PER_SECOND)  // in the year 2262
        return err_set(e, ERR_FAILED, "'%.*s' is too late to be a time", WHOLE, at);
    *ret_ns = seconds * PER_SECOND + nano;
    return true;
}

bool time_read(Str text, TimeUnit unit, DayMemo *memo, int64_t *ret_ns, Err *e) {
    static const int shift[TIME_IN_COUNT] = {
        [TIME_IN_S] = 9, [TIME_IN_MS] = 6, [TIME_IN_US] = 3, [TIME_IN_NS] = 0};
    Decimal d;
    text = str_trim(text);
    if (unit == TIME_IN_ISO) return read_iso(text, memo, ret_ns, e);
    if (!decimal_read(text, &d))
        return err_set(e, ERR_FAILED, "'%.*s' is no time in %s", text.length > 40 ? 40 : (int)text.length,
                       text.data, time_unit_names[unit]);
    if (d.negative && d.digits > 0) return err_set(e, ERR_FAILED, "a time before 0");
    return decimal_scaled(&d, shift[unit], ret_ns) ||
           err_set(e, ERR_FAILED, "%.*s %s is too late to be a time", (int)text.length, text.data,
                   time_unit_names[unit]);
}

// ---------------------------------------------------------------- lengths

bool tokens_read(Str text, const char *what, uint32_t *ret_tokens, Err *e) {
    Decimal d;
    text = str_trim(text);
    if (text.length == 0) return err_set(e, ERR_FAILED, "no %s tokens", what);
    if (!decimal_read(text, &d))
        return err_set(e, ERR_FAILED, "%s tokens: '%.*s' is no number", what,
                       text.length > 40 ? 40 : (int)text.length, text.data);
    double tokens = decimal_value(&d);
    if (tokens < 0) return err_set(e, ERR_FAILED, "%s tokens: %g is below 0", what, tokens);
    if (tokens != floor(tokens))
        return err_set(e, ERR_FAILED, "%s tokens: %g is no whole number", what, tokens);
    if (tokens > REQUEST_TOKENS_MAX)
        return err_set(e, ERR_FAILED, "%s tokens: %g is more than any request has (at most %d)", what, tokens,
                       REQUEST_TOKENS_MAX);
    *ret_tokens = (uint32_t)tokens;
    return true;
}

static uint64_t hash_text(Str s) {
    uint64_t h = hash_fnv1a(s);
    return h != 0 ? h : 1;
}

static bool failed(const Columns *c, const Cells *cells, uint32_t output) {
    static const char good[] = "success succeeded ok completed 200";
    Str status = cells->text[ROLE_STATUS];
    if (c->zero_output_failed && output == 0) return true;
    if (status.length == 0) return false;
    Str rest = str_of(good);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        if (word.length == status.length && memcmp(word.data, status.data, word.length) == 0) return false;
    }
    return !str_is(status, "null");
}

static bool is_nothing(Str s) { return s.length == 0 || str_is(s, "null") || str_is(s, "NULL"); }

bool record_take(const Columns *c, const Cells *cells, DayMemo *memo, TrafficScan *scan, Err *e) {
    Request r = {.at_ns = TIME_UNKNOWN,
                 .cached = TOKENS_UNKNOWN,
                 .blocks = cells->blocks,
                 .n_blocks = cells->n_blocks,
                 .think_s = (double)NAN};
    bool no_answer = is_nothing(cells->text[ROLE_OUTPUT]);
    if (no_answer && cells->text[ROLE_STATUS].length > 0 && failed(c, cells, 1)) {
        traffic_scan_left_out(scan);
        return true;
    }
    if (!tokens_read(cells->text[ROLE_INPUT], "input", &r.input, e) ||
        !tokens_read(cells->text[ROLE_OUTPUT], "output", &r.output, e))
        return false;
    if (failed(c, cells, r.output)) {
        traffic_scan_left_out(scan);
        return true;
    }
    if (!is_nothing(cells->text[ROLE_CACHED]) &&
        (!tokens_read(cells->text[ROLE_CACHED], "cached", &r.cached, e) ||
         (r.cached > r.input && !err_set(e, ERR_FAILED, "%u cached of %u input tokens", r.cached, r.input))))
        return false;
    if (!is_nothing(cells->text[ROLE_TIME]) && !time_read(cells->text[ROLE_TIME], c->unit, memo, &r.at_ns, e))
        return false;
    if (!is_nothing(cells->text[ROLE_SESSION])) r.session = hash_text(cells->text[ROLE_SESSION]);
    return traffic_scan_request(scan, &r, e);
}
