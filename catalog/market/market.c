// The market: opened over a catalog, what is known of feeds, refreshes that changed nothing or failed.
#include "catalog/market/market.h"

#include <string.h>

#include "catalog/market/market_store.h"
#include "catalog/facts/store.h"

bool market_open(Catalog *c, int64_t now, Market **ret_market, Err *e) {
    Arena own = {0};
    Market *m = arena_alloc(&own, 1, sizeof *m);
    void *gpus = NULL;
    void *devices = NULL;
    size_t n_gpus = 0;
    size_t n_devices = 0;
    m->db = catalog_db(c);
    m->now = m->clock = now;
    bool ok = catalog_rows(c, TABLE_GPUS, &own, &gpus, &n_gpus, e) &&
              catalog_rows(c, TABLE_DEVICE_IDS, &own, &devices, &n_devices, e) &&
              catalog_sellers(c, &own, &m->sellers, e);
    m->reader = (int64_t)((m->sellers.hash ^ MARKET_READER) & INT64_MAX);
    if (ok) m->names = gpu_names_make(&own, gpus, n_gpus, devices, n_devices, &m->sellers);
    m->arena = own;
    if (ok) {
        *ret_market = m;
    } else {
        market_close(m);
    }
    return ok;
}

void market_close(Market *m) {
    if (m == NULL) return;
    Arena a = m->arena;
    arena_free(&a);
}

const SellerFacts *market_sellers(const Market *m) { return &m->sellers; }

void market_rate(Market *m, const char *currency, double usd, const char *date) {
    MarketRate *rates = arena_alloc(&m->arena, m->n_rates + 1, sizeof *rates);
    if (m->n_rates > 0) memcpy(rates, m->rates, m->n_rates * sizeof *rates);
    rates[m->n_rates++] = (MarketRate){arena_copy(&m->arena, currency, strlen(currency)),
                                       arena_copy(&m->arena, date, strlen(date)), usd};
    m->rates = rates;
}

bool market_is_recent(const Market *m, const FeedState *s) {
    int64_t age = m->now - s->confirmed_at;
    bool same_day = m->now / DAY_S == s->confirmed_at / DAY_S;
    return s->confirmed_at > 0 && age >= 0 && age < MARKET_RECHECK_S && same_day && s->error[0] == '\0' &&
           s->reader == m->reader;
}

// ---------------------------------------------------------------- clocks

bool market_is_ahead(const Market *m, const FeedState *s) {
    return s->accepted_at > m->clock || s->confirmed_at > m->clock;
}

// A clock that is behind the newest price that ships with the program is wrong: no time is corrected by it.
static bool clock_is_behind(Market *m, const char *today, bool *ret_behind, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    bool ok = stmt_query(m->db, "market_newest_shipped", &s, e) && stmt_step(s, &row, e);
    if (ok) *ret_behind = row && strncmp(today, stmt_text(s, 0), strlen(stmt_text(s, 0))) < 0;
    stmt_free(s);
    return ok;
}

bool market_heal(Market *m, const FeedState *s, Err *e) {
    static const struct {
        const char *query;
        bool now, today;  // what it takes
    } queries[] = {{"market_heal_seen", true, true},
                   {"market_heal_latest", false, true},
                   {"market_heal_held", true, true},
                   {"market_heal_providers", true, false},
                   {"market_heal_state", true, false}};
    char now[32];
    char today[11];
    bool behind = false;
    format_time(now, m->clock);
    format_date(today, m->clock / DAY_S);
    if (!market_is_ahead(m, s)) return true;
    if (!clock_is_behind(m, today, &behind, e)) return false;
    for (size_t i = 0; i < COUNT_OF(queries) && !behind; i++) {
        const char *pairs[7] = {"feed", s->feed};
        size_t n = 2;
        if (queries[i].now) pairs[n++] = "now", pairs[n++] = now;
        if (queries[i].today) pairs[n++] = "today", pairs[n++] = today;
        if (!market_do(m->db, queries[i].query, pairs, e)) return false;
    }
    return true;
}

void market_set_found(Market *m, const char *feed, const char *error) {
    m->found = arena_grow(&m->arena, m->found, m->n_found, &m->found_capacity, sizeof *m->found);
    m->found[m->n_found++] =
        (MarketFound){arena_copy(&m->arena, feed, strlen(feed)), arena_copy(&m->arena, error, strlen(error))};
}

// ---------------------------------------------------------------- without rows

static bool in_transaction(Market *m, bool (*work)(Market *m, const char *feed, void *context, Err *e),
                           const char *feed, void *context, Err *e) {
    if (!db_begin(m->db, e)) return false;
    bool ok = work(m, feed, context, e) && db_commit(m->db, e);
    if (!ok) db_rollback(m->db);
    return ok;
}

static bool confirm(Market *m, const char *feed, void *context, Err *e) {
    Arena a = {0};
    FeedState state;
    char now[32];
    char today[11];
    format_time(now, m->now);
    format_date(today, m->now / DAY_S);
    const char *const times[] = {"feed", feed, "now", now, NULL};
    const char *const dates[] = {"feed", feed, "today", today, NULL};
    bool ok = market_feed(m, feed, &a, &state, e);
    if (ok && state.accepted_at == 0)
        ok = err_set(e, ERR_FAILED, "nothing new since a refresh that this database has not seen");
    if (ok && market_is_recent(m, &state)) {
        market_set_found(m, feed, "");
        *(size_t *)context = state.rows;
        arena_free(&a);
        return true;
    }
    ok = ok && market_heal(m, &state, e) && market_do(m->db, "market_confirm_feed", times, e) &&
         market_do(m->db, "market_confirm_providers", times, e) &&
         market_do(m->db, "market_confirm_latest", dates, e) && catalog_settle(m->db, feed, e);
    if (ok) *(size_t *)context = state.rows;
    arena_free(&a);
    return ok;
}

bool market_confirm(Market *m, const char *feed, size_t *ret_rows, Err *e) {
    return in_transaction(m, confirm, feed, ret_rows, e);
}

static bool failed(Market *m, const char *feed, void *context, Err *e) {
    char now[32];
    format_time(now, m->now);
    const char *const pairs[] = {"feed", feed, "now", now, "error", (const char *)context, NULL};
    return market_do(m->db, "market_feed_failed", pairs, e);
}

bool market_failed(Market *m, const char *feed, const char *why, Err *e) {
    char clean[1000];
    size_t length = strlen(why) < sizeof clean ? strlen(why) : sizeof clean - 1;
    memcpy(clean, why, length);
    clean[length] = '\0';
    text_scrub(clean);
    bool ok = in_transaction(m, failed, feed, clean, e);
    // metrics must not take the last word that could be written for this one
    if (!ok) market_set_found(m, feed, clean);
    return ok;
}

// ---------------------------------------------------------------- what is known

static FeedState read_state(const Market *m, Stmt *s, Arena *a) {
    FeedState state = {.feed = arena_printf(a, "%s", stmt_text(s, 0)),
                       .attempted_at = time_seconds(stmt_text(s, 1)),
                       .accepted_at = time_seconds(stmt_text(s, 2)),
                       .confirmed_at = time_seconds(stmt_text(s, 3)),
                       .rows = (size_t)stmt_integer(s, 4),
                       .rejected = (size_t)stmt_integer(s, 5),
                       .quarantined = (size_t)stmt_integer(s, 6),
                       .error = arena_printf(a, "%s", stmt_text(s, 7)),
                       .reader = stmt_integer(s, 8),
                       .private = stmt_integer(s, 9) != 0};
    for (size_t i = 0; i < m->n_found; i++) {
        const MarketFound *found = &m->found[i];
        if (strcmp(found->feed, state.feed) != 0) continue;
        state.attempted_at = m->now;
        state.error = arena_printf(a, "%s", found->error);
        if (found->error[0] == '\0') state.confirmed_at = m->now;
    }
    return state;
}

// Feeds whose first attempt failed, and nothing of that could be written.
static void add_unwritten(const Market *m, Arena *a, FeedState **states, size_t *n, size_t capacity) {
    for (size_t i = 0; i < m->n_found; i++) {
        const MarketFound *found = &m->found[i];
        size_t k = 0;
        while (k < *n && strcmp((*states)[k].feed, found->feed) != 0) k++;
        if (k == *n) {
            *states = arena_grow(a, *states, *n, &capacity, sizeof **states);
            (*states)[(*n)++] =
                (FeedState){.feed = arena_printf(a, "%s", found->feed), .attempted_at = m->now};
        }
        if ((*states)[k].attempted_at == m->now) (*states)[k].error = arena_printf(a, "%s", found->error);
    }
}

bool market_feed(Market *m, const char *feed, Arena *a, FeedState *ret_state, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    bool ok = stmt_query(m->db, "market_feed", &s, e) && stmt_bind_text(s, "feed", feed, e) &&
              stmt_step(s, &row, e);
    if (ok)
        *ret_state =
            row ? read_state(m, s, a) : (FeedState){.feed = arena_printf(a, "%s", feed), .error = ""};
    stmt_free(s);
    return ok;
}

bool market_feeds(Market *m, Arena *a, FeedState **ret_states, size_t *ret_n, Err *e) {
    Stmt *s = NULL;
    size_t n = 0;
    size_t capacity = 0;
    FeedState *states = NULL;
    bool ok = stmt_query(m->db, "market_feeds", &s, e);
    while (stmt_next(s, &ok, e)) {
        states = arena_grow(a, states, n, &capacity, sizeof *states);
        states[n++] = read_state(m, s, a);
    }
    stmt_free(s);
    if (!ok) return false;
    add_unwritten(m, a, &states, &n, capacity);
    *ret_states = states;
    *ret_n = n;
    return true;
}

bool market_validators(Market *m, const char *feed, const char *url, Arena *a, const char **ret_etag,
                       const char **ret_last_modified, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    bool ok = stmt_query(m->db, "market_document", &s, e) && stmt_bind_text(s, "feed", feed, e) &&
              stmt_bind_text(s, "url", url, e) && stmt_bind_integer(s, "reader", m->reader, e) &&
              stmt_step(s, &row, e);
    if (ok) {
        *ret_etag = row ? arena_printf(a, "%s", stmt_text(s, 0)) : "";
        *ret_last_modified = row ? arena_printf(a, "%s", stmt_text(s, 1)) : "";
    }
    stmt_free(s);
    return ok;
}

const char *market_gpu(const Market *m, const char *name, double memory_gb) {
    const Gpu *gpu = gpu_names_find(m->names, &(GpuAsked){.listed = name, .memory_gb = memory_gb});
    return gpu == NULL ? "" : gpu->sku_id;
}
