// How the feeds are doing, as a Prometheus textfile.
#include <math.h>

#include "catalog/market/market_store.h"

// A label's value: backslash, quote and newline escaped; feeds are named by this program or its user.
static void add_label(Buf *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\\' || *text == '"') buf_add(out, "\\", 1);
        buf_add(out, text, 1);
    }
}

typedef struct Metric {
    const char *name, *help;
    double (*value)(const FeedState *s, int64_t now);  // NaN: left out
} Metric;

static double age(const FeedState *s, int64_t now) {
    return s->confirmed_at == 0 || s->confirmed_at > now ? (double)NAN : (double)(now - s->confirmed_at);
}
static double success(const FeedState *s, int64_t now) {
    (void)now;
    return s->error[0] == '\0' ? 1 : 0;
}
static double accepted(const FeedState *s, int64_t now) {
    (void)now;
    return s->accepted_at == 0 ? (double)NAN : (double)s->accepted_at;
}
static double rows(const FeedState *s, int64_t now) {
    (void)now;
    return (double)s->rows;
}
static double rejected(const FeedState *s, int64_t now) {
    (void)now;
    return (double)s->rejected;
}
static double quarantined(const FeedState *s, int64_t now) {
    (void)now;
    return (double)s->quarantined;
}

static const Metric metrics[] = {
    {"gpuadvise_prices_age_seconds",
     "Time since the feed's prices were last seen to hold; none where that is ahead of this machine's clock.",
     age},
    {"gpuadvise_prices_last_success", "1 when the last attempt to refresh the feed went well, else 0.",
     success},
    {"gpuadvise_prices_accepted_timestamp_seconds", "When a refresh of the feed was last taken in.",
     accepted},
    {"gpuadvise_prices_rows", "Offers in the last accepted refresh.", rows},
    {"gpuadvise_prices_rejected_rows", "Rows that the last accepted refresh rejected.", rejected},
    {"gpuadvise_prices_held_rows", "Rows that the last accepted refresh holds back as doubtful.",
     quarantined},
};

bool market_metrics(Market *m, Buf *out, Err *e) {
    Arena a = {0};
    FeedState *states = NULL;
    size_t n = 0;
    bool ok = market_feeds(m, &a, &states, &n, e);
    for (size_t i = 0; ok && i < COUNT_OF(metrics); i++) {
        buf_printf(out, "# HELP %s %s\n# TYPE %s gauge\n", metrics[i].name, metrics[i].help, metrics[i].name);
        for (size_t k = 0; k < n; k++) {
            double value = metrics[i].value(&states[k], m->now);
            if (!is_known(value)) continue;
            buf_printf(out, "%s{feed=\"", metrics[i].name);
            add_label(out, states[k].feed);
            buf_printf(out, "\"} %.0f\n", value);
        }
    }
    arena_free(&a);
    return ok;
}
