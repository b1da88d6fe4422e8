// Which benchmark results may stand for a datasheet: the gate between what was kept and what estimates rest
// on.
#include <math.h>
#include <string.h>

#include "catalog/facts/runs.h"
#include "catalog/facts/store.h"
#include "src/perf/perf.h"

enum { RATES_MAX = 512 };
static const double full_side = 8192;
// A product below that side fills a small GPU too: one that takes so long.
static const double long_product_s = 0.020;
static const double believed_most = 1.03;  // of the datasheet

// A row of the query, its texts borrowed from the statement.
typedef struct Reading {
    const Gpu *gpu;
    const char *shape, *verdict, *throttle, *part;
    double figure;  // in bytes/s or flop/s; of a product the better of ours and the library's
    bool product, has_library, complete, verified;
    double in_cache, share, shared, limit_w, default_w, ecc_errors;
} Reading;

// Only whole streams say what a memory gives: rows and random order are held against those.
static bool is_stream(const char *test) {
    static const char *const streams[] = {"copy", "scale", "add", "triad", "read"};
    return TABLE_ROW(test, streams) != NULL;
}

static double scale_of(const char *unit) {
    if (strcmp(unit, "GB/s") == 0 || strcmp(unit, "GFLOP/s") == 0 || strcmp(unit, "Gop/s") == 0) return 1e9;
    return strcmp(unit, "TFLOP/s") == 0 ? 1e12 : (double)NAN;
}

// ---------------------------------------------------------------- the gate

static const char *refused_device(const Reading *r, Arena *a) {
    if (!is_known(r->share)) return "it does not say how much of the GPU was tested";
    if (r->share != 1 && strcmp(r->part, BENCH_PART_DIE) != 0)
        return arena_printf(a, "a %s: %.3g %% of the GPU", r->part, 100 * r->share);
    if (!is_known(r->shared)) return "it does not say whether others computed on the GPU";
    if (r->shared == 1) return "others computed on the GPU";
    if (r->limit_w < BENCH_WHOLE_LIMIT * r->default_w)
        return arena_printf(a, "power limit %.0f W of %.0f W", r->limit_w, r->default_w);
    if (r->ecc_errors > 0) return arena_printf(a, "%.0f uncorrected memory errors", r->ecc_errors);
    // At its default limit every GPU of the kind meets the power cap in large products.
    bool own_limit = bench_is_own_limit(r->throttle, r->limit_w, r->default_w);
    return r->throttle[0] != '\0' && !own_limit ? arena_printf(a, "clocks held down by %s", r->throttle) : "";
}

// "8192x8192x8192": the sides of a product; false where the text is another.
static bool read_sides(const char *text, double ret_sides[3]) {
    Str rest = str_of(text), word;
    size_t n = 0;
    int64_t x = 0;
    while (str_next(&rest, 'x', &word)) {
        if (n == 3 || !parse_integer(word, 1, 1 << 24, &x, NULL)) return false;
        ret_sides[n++] = (double)x;
    }
    return n == 3;
}

// A product of ours says what our kernel does, one of a few tiles what a part of the GPU does.
static const char *refused_product(const Reading *r, Arena *a) {
    double s[3];
    if (!r->has_library) return "no figure of the vendor's library beside our own product";
    if (!read_sides(r->shape, s)) return "its size is not known";
    bool fills = fmin(s[0], s[1]) >= full_side || 2 * s[0] * s[1] * s[2] / r->figure >= long_product_s;
    return fills ? "" : arena_printf(a, "a product of side %.0f does not fill the GPU", fmin(s[0], s[1]));
}

static const char *why_refused(const Reading *r, double datasheet, Arena *a) {
    if (!r->verified) return arena_printf(a, "its result is %s", r->verdict);
    if (!r->complete) return "it was interrupted";
    const char *why = refused_device(r, a);
    if (why[0] != '\0') return why;
    if (!r->product && r->in_cache != 0)
        return is_known(r->in_cache) ? "its working set lies in the caches"
                                     : "it does not say whether its working set lies in the caches";
    if (r->product) why = refused_product(r, a);
    if (why[0] != '\0') return why;
    double reached = r->figure / r->share / datasheet;
    return reached > believed_most ? arena_printf(a, "%.0f %% of the datasheet", 100 * reached) : "";
}

// ---------------------------------------------------------------- rows

typedef struct Rates {
    LocalRate *list;
    size_t n;
} Rates;

static LocalRate *find(Rates *rates, const LocalRate *like, bool refused) {
    for (size_t i = 0; i < rates->n; i++) {
        LocalRate *r = &rates->list[i];
        if (r->dtype == like->dtype && strcmp(r->sku_id, like->sku_id) == 0 &&
            (r->refused[0] != '\0') == refused)
            return r;
    }
    return NULL;
}

// Rows come newest run first: the first run that is believed stays, and what was refused before it. Of one
// run the best test counts.
static void take(Rates *rates, LocalRate r) {
    LocalRate *believed = find(rates, &r, false), *refused = find(rates, &r, true);
    bool good = r.refused[0] == '\0';
    if (believed != NULL) {
        if (good && believed->run == r.run) believed->rate = fmax(believed->rate, r.rate);
        return;
    }
    if (refused != NULL && good && refused->run == r.run) {
        *refused = r;  // another test of the same run is good
    } else if ((good || refused == NULL) && rates->n < RATES_MAX) {
        rates->list[rates->n++] = r;
    }
}

// False: it says nothing of a GPU's memory or products.
static bool read_row(Stmt *s, const Facts *f, Reading *ret, int *ret_dtype) {
    const char *test = stmt_text(s, 1);
    double scale = scale_of(stmt_text(s, 4)), own = stmt_number(s, 5), library = stmt_number(s, 6);
    *ret = (Reading){.gpu = facts_gpu(f, stmt_text(s, 0)),
                     .product = strncmp(test, "gemm-", 5) == 0,
                     .shape = stmt_text(s, 3),
                     .has_library = is_known(library),
                     .complete = stmt_integer(s, 9) != 0,
                     .verified = stmt_integer(s, 10) != 0 && is_known(own),
                     .verdict = stmt_text(s, 11),
                     .throttle = stmt_text(s, 12),
                     .in_cache = stmt_number(s, 13),
                     .share = stmt_number(s, 14),
                     .part = stmt_text(s, 15),
                     .shared = stmt_number(s, 16),
                     .limit_w = stmt_number(s, 17),
                     .default_w = stmt_number(s, 18),
                     .ecc_errors = stmt_number(s, 19)};
    if (ret->gpu == NULL || strcmp(ret->verdict, "not supported") == 0) return false;
    ret->figure = (ret->product && library > own ? library : own) * scale;
    *ret_dtype = ret->product ? name_index(dtype_names, stmt_text(s, 2)) : DTYPE_UNKNOWN;
    return ret->product ? *ret_dtype > DTYPE_UNKNOWN : is_stream(test);
}

bool runs_rates(Catalog *c, Arena *a, Facts *facts, Err *e) {
    Rates rates = {.list = arena_alloc(a, RATES_MAX, sizeof *rates.list)};
    Stmt *s = NULL;
    bool ok = stmt_query(catalog_db(c), "bench_rates", &s, e);
    while (stmt_next(s, &ok, e)) {
        Reading r;
        int dtype = DTYPE_UNKNOWN;
        if (!read_row(s, facts, &r, &dtype)) continue;
        double datasheet =
            dtype == DTYPE_UNKNOWN ? r.gpu->memory_bw_gb_s * 1e9 : gpu_peak_flops(r.gpu, (Dtype)dtype);
        const char *why = text_clean(a, why_refused(&r, datasheet, a));
        take(&rates, (LocalRate){r.gpu->sku_id, dtype, r.figure / r.share, stmt_integer(s, 7),
                                 text_clean(a, stmt_text(s, 8)), why});
    }
    stmt_free(s);
    if (!ok) return err_wrap(e, "read the runs");
    facts->local = rates.list;
    facts->n_local = rates.n;
    return true;
}

bool runs_host_rate(Catalog *c, const char *cpu, Arena *a, HostRate *ret, Err *e) {
    *ret = (HostRate){.gb_s = (double)NAN, .taken_at = ""};
    Stmt *s = NULL;
    bool more = false;
    bool ok = stmt_query(catalog_db(c), "bench_host", &s, e) && stmt_bind_text(s, "name", cpu, e) &&
              stmt_step(s, &more, e);
    if (ok && more)
        *ret = (HostRate){stmt_number(s, 0) * scale_of(stmt_text(s, 3)) / 1e9, stmt_integer(s, 1),
                          text_clean(a, stmt_text(s, 2))};
    stmt_free(s);
    return ok || err_wrap(e, "read the runs");
}
