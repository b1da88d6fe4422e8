// Arithmetic of price histories.
#include "src/market/history.h"

#include <math.h>
#include <string.h>

const char *const change_names[] = {"new", "gone", "up", "down", NULL};
NAMES_FIT(change_names, CHANGE_COUNT);

// Seconds since 1970 of a time, or of the last day of a date.
static int64_t seconds_of(const char *text) {
    int64_t days = 0;
    if (strlen(text) >= 19) return time_seconds(text);
    return parse_date(str_of(text), &days, NULL) ? days * DAY_S : 0;
}

static int64_t end_of(const PriceSpan *span, int64_t now) {
    return span->last[0] == '\0' ? now : seconds_of(span->last);
}

void price_range(const PriceSpan *spans, size_t n, int64_t now, int64_t *from, int64_t *to) {
    for (size_t i = 0; i < n; i++) {
        int64_t first = seconds_of(spans[i].first);
        int64_t last = end_of(&spans[i], now);
        if (first < *from) *from = first;
        if (last > *to) *to = last;
        if (first > *to) *to = first;
    }
    if (*to < *from) *to = *from;
}

LowestPrices lowest_prices(const PriceSpan *spans, size_t n, int64_t now, int64_t from, int64_t to,
                           size_t columns, Arena *a) {
    LowestPrices x = {arena_alloc(a, columns, sizeof *x.usd_gpu_h),
                      arena_alloc(a, columns, sizeof *x.offers),
                      arena_alloc(a, columns, sizeof *x.seen),
                      columns,
                      from,
                      (to - from) / (int64_t)columns + 1};
    for (size_t i = 0; i < columns; i++) x.usd_gpu_h[i] = (double)NAN;
    for (size_t i = 0; i < n; i++) {
        int64_t end = (end_of(&spans[i], now) - from) / x.step;
        int64_t first = (seconds_of(spans[i].first) - from) / x.step;
        if (spans[i].offers == 0) continue;
        x.seen[first] = true;
        if (spans[i].last[0] != '\0') x.seen[end] = true;
        for (int64_t k = first; k <= end; k++) {
            if (!(x.usd_gpu_h[k] <= spans[i].lowest_usd_gpu_h)) x.usd_gpu_h[k] = spans[i].lowest_usd_gpu_h;
            x.offers[k] += spans[i].offers;
        }
    }
    return x;
}
