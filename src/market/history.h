// How prices moved: what was seen of an offer over time, what waits, and the lowest price of a time. Pure.
#ifndef GPUADVISE_MARKET_HISTORY_H
#define GPUADVISE_MARKET_HISTORY_H

#include "src/base/base.h"
#include "src/facts/facts.h"

// A price and the time it stood. offer.seen_at: when it was seen first, offer.feed: who said so ("" = ships
// with the program).
typedef struct Observation {
    Offer offer;
    const char *last_seen_at;  // RFC 3339, or a date where that is all that is known
    bool stands;               // offered at that price as far as the feed's last refresh says
    const char *currency;      // as stated; "" = USD
} Observation;

// A time and what was asked during it at least.
typedef struct PriceSpan {
    const char *first, *last;     // date, or time (RFC 3339); last "": it stands today
    double lowest_usd_gpu_h;      // of listed prices; NaN: only hearsay
    size_t offers, observations;  // listed ones; all
} PriceSpan;

typedef enum ChangeKind { CHANGE_NEW, CHANGE_GONE, CHANGE_UP, CHANGE_DOWN, CHANGE_COUNT } ChangeKind;
extern const char *const change_names[];  // new, gone, up, down

typedef struct Change {
    ChangeKind kind;
    Offer offer;             // as it is, or was last
    int64_t before_micro_h;  // up, down, gone: the price that stood at `since`; 0: it is new
    const char *at;          // first sight of the price; gone: last sight
} Change;

// A row that waits until it is taken in.
typedef struct Quarantined {
    int64_t id;
    Offer offer;  // price 0: its currency has no rate
    const char *reason, *currency, *last_seen_at;
    int64_t stated_micro_h;  // of `currency`, when that is not "" (USD)
    int64_t before_micro_h;  // what it cost before; 0: not known before
} Quarantined;

// The lowest price over time, in columns of one length.
typedef struct LowestPrices {
    double *usd_gpu_h;  // NaN: nothing listed stood
    size_t *offers;
    bool *seen;          // somebody looked and saw one: between such columns it is only taken to stand
    size_t n;            // columns
    int64_t from, step;  // seconds
} LowestPrices;

// Widens from..to (seconds since 1970; INT64_MAX and 0 at first) so that it holds all spans, of which those that
// stand today end `now`.
void price_range(const PriceSpan *spans, size_t n, int64_t now, int64_t *from, int64_t *to);
// from..to, which hold all spans, in so many columns. Lives in the arena.
LowestPrices lowest_prices(const PriceSpan *spans, size_t n, int64_t now, int64_t from, int64_t to,
                           size_t columns, Arena *a);

#endif
