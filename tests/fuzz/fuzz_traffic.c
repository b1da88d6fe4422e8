// Logs and traces: whatever the bytes and however they are cut, figures that can be, or a message. The first
// byte says into what pieces the rest is cut.
#include <math.h>
#include <string.h>

#include "src/traffic/traffic.h"
#include "tests/fuzz/fuzz.h"

// Quantiles rise; where one lies in the last bucket of a histogram, which has no end, it and all above are unknown.
static void check_lengths(const LengthFound *l) {
    if (isnan(l->p50)) return;
    MUST_HOLD(!(l->mean < 0) && !(l->p50 > l->p90) && !(l->p90 > l->p99));
    MUST_HOLD(!isnan(l->p90) || isnan(l->p99));
}

static void check_found(const TrafficFound *f) {
    MUST_HOLD(!(f->requests <= 0) && f->format[0] != '\0');
    check_lengths(&f->input);
    check_lengths(&f->output);
    MUST_HOLD(isnan(f->hit_max) || (f->hit_max >= 0 && f->hit_max <= 1));
    MUST_HOLD(isnan(f->cached_share) || (f->cached_share >= 0 && f->cached_share <= 1));
    for (size_t i = 1; i < f->hits.n; i++) {
        MUST_HOLD(f->hits.points[i].hit_rate >= f->hits.points[i - 1].hit_rate);
        MUST_HOLD(f->hits.points[i].hit_rate <= f->hit_max);
    }
    MUST_HOLD(!(f->span_s < 0) && f->n_notes <= NOTES_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Err e = {0};
    ColumnMap map = {.block_tokens = (double)NAN};
    TrafficOptions options = {
        .service = {0.2, 0.0001, 0.03}, .sessions = (double)NAN, .keep_to_ns = 1000000000, .keep_max = 16};
    TrafficFound found;
    if (size == 0) return 0;
    size_t piece = (size_t)data[0] * 8 + 1;
    TrafficScan *scan = traffic_scan_open(&a, &options);
    TrafficReader *r = traffic_reader_open(&a, &map, scan);
    bool ok = true;
    for (size_t at = 1; at < size && ok; at += piece)
        ok =
            traffic_reader_feed(r, (Str){(const char *)data + at, size - at < piece ? size - at : piece}, &e);
    ok = ok && traffic_reader_end(r, &e) && traffic_scan_end(scan, &found, &e);
    traffic_reader_free(r);
    if (ok)
        check_found(&found);
    else
        MUST_HOLD(e.text[0] != '\0' && strlen(e.text) < sizeof e.text);
    arena_free(&a);
    return 0;
}
