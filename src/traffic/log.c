// Lines of vLLM's log: statistics every ten seconds, and the cache that it has.
#include <math.h>
#include <string.h>

#include "src/traffic/reader.h"

// The number that follows some words, commas of thousands in it; NaN: none.
static double number_after(Str line, const char *words) {
    size_t found = str_find(line, words, 0);
    char digits[32];
    size_t n = 0;
    Decimal d;
    if (found == SIZE_MAX) return (double)NAN;
    for (const char *at = line.data + found + strlen(words);
         at < line.data + line.length && n < sizeof digits; at++) {
        if (*at == ',' && at + 1 < line.data + line.length && at[1] >= '0' && at[1] <= '9') continue;
        if (!((*at >= '0' && *at <= '9') || *at == '.')) break;
        digits[n++] = *at;
    }
    if (n > 0 && digits[n - 1] == '.') n--;
    return decimal_read((Str){digits, n}, &d) ? decimal_value(&d) : (double)NAN;
}

// "INFO 05-10 12:00:00": month, day and time of day; any year has to do, one with a 29th of February.
static bool log_time(Str line, DayMemo *memo, int64_t *ret_ns) {
    enum { LENGTH = 14 };
    for (size_t i = 0; i + LENGTH <= line.length && i < 64; i++) {
        const char *at = line.data + i;
        if (at[2] != '-' || at[5] != ' ' || at[8] != ':' || at[11] != ':') continue;
        char text[20] = "2024-";
        Err ignored = {0};
        memcpy(text + 5, at, LENGTH);
        return time_read((Str){text, 5 + LENGTH}, TIME_IN_ISO, memo, ret_ns, &ignored);
    }
    return false;
}

bool log_line(Str line, DayMemo *memo, TrafficScan *scan, Err *e) {
    static const double EVERY_S = 10;
    (void)e;
    double capacity = number_after(line, "KV cache size: ");
    if (capacity > 0) traffic_scan_capacity(scan, capacity);
    double prompt = number_after(line, "Avg prompt throughput: ");
    double generation = number_after(line, "Avg generation throughput: ");
    if (isnan(prompt) || isnan(generation)) return true;
    Totals t = {.from_ns = TIME_UNKNOWN,
                .to_ns = TIME_UNKNOWN,
                .requests = (double)NAN,
                .input = prompt * EVERY_S,
                .output = generation * EVERY_S,
                .cached = (double)NAN,
                .running_mean = number_after(line, "Running: ")};
    if (log_time(line, memo, &t.to_ns)) t.from_ns = t.to_ns - (int64_t)(EVERY_S * 1e9);
    double hit = number_after(line, "Prefix cache hit rate: ");
    if (is_known(hit)) t.cached = fmin(hit / 100, 1) * t.input;
    traffic_scan_totals(scan, &t);
    traffic_scan_note(
        scan, "The log gives tokens a second every ten seconds, no lengths of single requests. Its hit "
              "rate is over the last thousand lookups, and waiting requests are looked up again and "
              "again: it says too little where requests wait.");
    return true;
}
