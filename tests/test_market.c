// The market: what is taken in and stands, history, one at a time. What is turned away or held:
// test_market_rows.c.
#include "catalog/market/market_store.h"
#include "catalog/facts/rows.h"
#include "db/db.h"
#include "tests/check.h"
#include "tests/market_world.h"

static size_t observations(World *w, const char *sku) {
    Observation *rows = NULL;
    size_t n = 0;
    size_t seen = 0;
    Err e = {0};
    if (!market_history(w->m, &(HistoryFilter){.sku_id = sku, .since = ""}, &w->s.arena, &rows, &n, &e))
        FAIL_("%s", e.text);
    for (size_t i = 0; i < n; i++) seen += rows[i].offer.feed[0] != '\0';
    return seen;
}

// ---------------------------------------------------------------- taking in

static void test_unchanged_rows_are_not_stored_again(void) {
    World w = world();
    const FeedRow first[] = {plain("a", 20), plain("b", 30)};
    MarketOutcome out = refresh(&w, "azure", first, 2);
    CHECK_INT(out.rows, 2);
    CHECK_INT(out.fresh, 2);
    CHECK_INT(out.unmapped, 0);
    at(&w, noon + DAY);
    const FeedRow second[] = {plain("b", 31), plain("a", 20)};
    out = refresh(&w, "azure", second, 2);
    CHECK_INT(out.fresh, 1);
    CHECK_INT(out.unchanged, 1);
    CHECK_STR(offers_of(&w, "azure"), "a 20; b 31");
    Observation *rows = NULL;
    size_t n = 0;
    Err e = {0};
    CHECK(market_history(w.m, &(HistoryFilter){.sku_id = "mi300x-192gb", .since = "2026-11-27"}, &w.s.arena,
                         &rows, &n, &e));
    CHECK_INT(n, 3);
    CHECK_STR(rows[0].offer.instance, "a");
    CHECK(rows[0].stands);
    CHECK_STR(rows[0].last_seen_at, "2026-11-28T12:00:00Z");
    CHECK_STR(rows[1].offer.instance, "b");
    CHECK(!rows[1].stands);
    CHECK_STR(rows[1].offer.seen_at, "2026-11-27T12:00:00Z");
    CHECK_STR(rows[1].last_seen_at, "2026-11-27T12:00:00Z");
    world_free(&w);
}

static void test_rows_that_left_their_feed_are_kept_as_not_available(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20), plain("b", 30)};
    refresh(&w, "azure", rows, 2);
    at(&w, noon + DAY);
    FeedRow other = plain("c", 40);
    other.region = "r2";
    const FeedRow second[] = {rows[0], other};
    MarketOutcome out = refresh(&w, "azure", second, 2);
    CHECK_INT(out.gone, 1);
    CHECK_STR(offers_of(&w, "azure"), "a 20; b 30 no superseded; c 40");  // a is of b's kind
    at(&w, noon + 2 * DAY);
    out = refresh(&w, "azure", rows, 2);
    CHECK_INT(out.fresh, 1);  // b is back
    CHECK_STR(offers_of(&w, "azure"), "a 20; b 30; c 40 no");
    world_free(&w);
}

// The offers of an advice are read by a narrower query: they must be the very offers that every other command
// sees.
static void check_advice_offers(World *w) {
    void *rows = NULL;
    size_t n = 0;
    Facts facts;
    Err e = {0};
    if (!catalog_rows(w->c, TABLE_OFFERS, &w->s.arena, &rows, &n, &e) ||
        !catalog_facts(w->c, &w->s.arena, &facts, &e))
        FAIL_("%s", e.text);
    CHECK_INT(facts.n_offers, n);
    Offer *offers = rows;
    // no advice asks for them, and so they order none of its offers
    for (size_t i = 0; i < n; i++) offers[i].vcpus = offers[i].ram_gb = (double)NAN;
    const size_t *order = rows_order(&offer_current_table, &w->s.arena, offers, n);
    for (size_t i = 0; i < n; i++) {
        const Offer *a = &offers[order[i]];
        const Offer *b = &facts.offers[i];
        const char *const texts[][2] = {
            {a->provider, b->provider}, {a->instance, b->instance},       {a->region, b->region},
            {a->sku_id, b->sku_id},     {a->listed_name, b->listed_name}, {a->source, b->source},
            {a->as_of, b->as_of}};
        for (size_t k = 0; k < COUNT_OF(texts); k++) CHECK_STR(texts[k][1], texts[k][0]);
        CHECK(a->gpu_count == b->gpu_count || (isnan(a->gpu_count) && isnan(b->gpu_count)));
        CHECK_INT(b->price_micro_usd_h, a->price_micro_usd_h);
        CHECK(b->pricing_model == a->pricing_model && b->available == a->available &&
              b->standing == a->standing);
        CHECK(a->seller_class == b->seller_class && a->sold_by_gpu == b->sold_by_gpu);
        CHECK(is_known(a->machines_seen) ? a->machines_seen == b->machines_seen
                                         : !is_known(b->machines_seen));
    }
}

// Machines come and go at the same price: the newest number counts and makes no history, as another kind of
// seller does.
static void test_machines_are_those_of_the_last_word(void) {
    World w = world();
    FeedRow row = plain("a", 20);
    Offer *offers = NULL;
    size_t n = 0;
    Err e = {0};
    static const double machines[] = {4, 9, (double)NAN, 2};
    for (size_t i = 0; i < COUNT_OF(machines); i++) {
        row.machines_seen = machines[i];
        row.seller_class = i < 3 ? SELLER_CLOUD : SELLER_BROKER;
        at(&w, noon + (int64_t)i * DAY);
        MarketOutcome out = refresh(&w, "azure", &row, 1);
        CHECK_INT(out.fresh, i == 0 || i == 3);
        if (!catalog_offers_of(w.c, "mi300x-192gb", &w.s.arena, &offers, &n, &e)) FAIL_("%s", e.text);
        size_t k = 0;
        while (k < n && strcmp(offers[k].feed, "azure") != 0) k++;
        CHECK(k < n && offers[k].seller_class == row.seller_class);
        CHECK(is_known(machines[i]) ? offers[k].machines_seen == machines[i]
                                    : !is_known(offers[k].machines_seen));
        check_advice_offers(&w);
    }
    const HistoryFilter f = {
        .sku_id = "mi300x-192gb", .provider = "azure", .region = "", .since = "2026-11-20"};
    Observation *seen = NULL;
    if (!market_history(w.m, &f, &w.s.arena, &seen, &n, &e)) FAIL_("%s", e.text);
    CHECK_INT(n, 2);
    CHECK_NEAR(seen[0].offer.machines_seen, 4, 0);  // when the price was seen first
    CHECK(seen[0].offer.seller_class == SELLER_CLOUD && seen[1].offer.seller_class == SELLER_BROKER);
    world_free(&w);
}

// A row that waits keeps what it says of its seller until somebody takes it in.
static void test_held_rows_keep_their_sellers(void) {
    World w = world();
    FeedRow rows[] = {plain("a", 0.02), plain("b", 20)};
    rows[0].seller_class = SELLER_MARKETPLACE_HOST;
    rows[0].machines_seen = 3;
    rows[0].sold_by_gpu = AVAILABLE_YES;
    Quarantined *quarantined = NULL;
    size_t n = 0;
    Err e = {0};
    CHECK_INT(refresh(&w, "azure", rows, 2).quarantined, 1);
    rows[0].machines_seen = 5;
    at(&w, noon + DAY);
    CHECK_INT(refresh(&w, "azure", rows, 2).quarantined_new, 0);
    CHECK(market_quarantined(w.m, &w.s.arena, &quarantined, &n, &e));
    CHECK_INT(n, 1);
    if (!market_accept(w.m, &quarantined[0].id, 1, &e)) FAIL_("%s", e.text);
    Offer *offers = NULL;
    CHECK(catalog_offers_of(w.c, "mi300x-192gb", &w.s.arena, &offers, &n, &e));
    size_t k = 0;
    while (k < n && strcmp(offers[k].instance, "a") != 0) k++;
    CHECK(k < n && offers[k].seller_class == SELLER_MARKETPLACE_HOST &&
          offers[k].sold_by_gpu == AVAILABLE_YES);
    CHECK_NEAR(offers[k].machines_seen, 5, 0);
    world_free(&w);
}

static void test_an_advice_reads_the_same_offers(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20), plain("b", 30), plain("c", 40)};
    check_advice_offers(&w);
    refresh(&w, "azure", rows, 3);
    check_advice_offers(&w);
    at(&w, noon + DAY);
    FeedRow other = plain("d", 40);
    other.region = "r2";
    other.gpu = "of no catalog";
    // one stays, one moves, one goes, one is unmapped
    const FeedRow second[] = {rows[0], plain("b", 31), other};
    refresh(&w, "azure", second, 3);
    check_advice_offers(&w);
    world_free(&w);
}

static void test_ages_are_those_of_the_newest_words(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20), plain("b", 30)};
    Err e = {0};
    size_t n = 0;
    refresh(&w, "azure", rows, 2);
    at(&w, noon + DAY);
    const FeedRow dearer[] = {plain("a", 21), rows[1]};
    refresh(&w, "azure", dearer, 2);
    at(&w, noon + 3 * DAY);
    CHECK(market_confirm(w.m, "azure", &n, &e));
    for (int history = 0; history < 2; history++) {
        const DataAge *ages = NULL;
        if (!catalog_ages(w.c, history == 1, &w.s.arena, &ages, &n, &e)) FAIL_("%s", e.text);
        const DataAge *seen = &ages[n - 1];
        CHECK_STR(seen->table, "offer_seen");
        CHECK_INT(seen->rows, history == 1 ? 3 : 2);
        CHECK_STR(seen->newest, "2026-11-30");  // of the check that found nothing new
        CHECK_STR(seen->oldest, history == 1 ? "2026-11-27" : "2026-11-30");
    }
    world_free(&w);
}

static void test_nothing_changed_renews_the_date(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20)};
    Err e = {0};
    size_t n = 0;
    CHECK(!market_confirm(w.m, "azure", &n, &e));
    refresh(&w, "azure", rows, 1);
    at(&w, noon + 3 * DAY);
    if (!market_confirm(w.m, "azure", &n, &e)) FAIL_("%s", e.text);
    CHECK_INT(n, 1);
    Offer *offers = NULL;
    CHECK(catalog_offers_of(w.c, "mi300x-192gb", &w.s.arena, &offers, &n, &e));
    size_t i = 0;
    while (i < n && strcmp(offers[i].feed, "azure") != 0) i++;
    CHECK(i < n);
    CHECK_STR(offers[i].as_of, "2026-11-30");
    CHECK_INT(observations(&w, "mi300x-192gb"), 1);
    FeedState state;
    CHECK(market_feed(w.m, "azure", &w.s.arena, &state, &e));
    CHECK_INT(state.confirmed_at, noon + 3 * DAY);
    CHECK_INT(state.accepted_at, noon);
    world_free(&w);
}

static void test_a_failure_keeps_the_rows(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20)};
    Err e = {0};
    MarketOutcome out;
    refresh(&w, "azure", rows, 1);
    MarketRefresh *r = market_begin(w.m, "azure", "u");
    market_reject(r, "Windows", "x");
    CHECK(!market_finish(r, &w.s.arena, &out, &e));
    CHECK_STR(e.text, "not one usable offer in the answer; rejected: Windows");
    r = market_begin(w.m, "azure", "u");
    CHECK(market_add(r, &(FeedRow){.gpu = "H100 NVL", .gpu_count = 1, .price = 3}, &e));
    market_abandon(r);
    CHECK(market_failed(w.m, "azure", "HTTP 500\033[31m", &e));
    FeedState state;
    CHECK(market_feed(w.m, "azure", &w.s.arena, &state, &e));
    CHECK_STR(state.error, "HTTP 500?[31m");
    CHECK_INT(state.rows, 1);
    CHECK_STR(offers_of(&w, "azure"), "a 20");
    world_free(&w);
}

// ---------------------------------------------------------------- history

static void test_changes_since(void) {
    World w = world();
    FeedRow d = plain("d", 50);
    d.region = "r2";
    const FeedRow first[] = {plain("a", 20), plain("b", 30), plain("c", 40), d};
    refresh(&w, "f", first, 4);
    at(&w, noon + DAY);
    const FeedRow second[] = {plain("a", 21), plain("b", 29), plain("c", 40), plain("e", 60), plain("g", 70)};
    refresh(&w, "f", second, 5);
    at(&w, noon + 2 * DAY);
    const FeedRow third[] = {plain("a", 22), plain("b", 30), plain("c", 40), plain("e", 60)};
    refresh(&w, "f", third, 4);
    MarketChanges changes = {0};
    Err e = {0};
    CHECK(market_changes(w.m, "2026-11-27T20:00:00Z", &w.s.arena, &changes, &e));
    CHECK_INT(changes.n, 3);  // b is back where it was; g came and went
    CHECK_STR(market_change(&changes, 0).offer.instance, "a");
    CHECK_INT(market_change(&changes, 0).kind, CHANGE_UP);
    CHECK_INT(market_change(&changes, 0).before_micro_h, 20000000);
    CHECK_STR(market_change(&changes, 1).offer.instance, "d");
    CHECK_INT(market_change(&changes, 1).kind, CHANGE_GONE);
    CHECK_STR(market_change(&changes, 1).at, "2026-11-27T12:00:00Z");
    CHECK_STR(market_change(&changes, 2).offer.instance, "e");
    CHECK_INT(market_change(&changes, 2).kind, CHANGE_NEW);
    size_t deleted = 0;
    size_t kept = 0;
    CHECK(market_prune(w.m, "2026-11-28T00:00:00Z", &deleted, &kept, &e));
    CHECK_INT(deleted, 3);  // a at 20, b at 30, d
    // what was last seen at the very moment is not older than it; what feeds still say is no history
    CHECK(market_prune(w.m, "2026-11-28T12:00:00Z", &deleted, &kept, &e));
    CHECK_INT(deleted, 0);
    CHECK(market_prune(w.m, "2026-11-28T12:00:01Z", &deleted, &kept, &e));
    CHECK_INT(deleted, 3);  // a at 21, b at 29, g
    CHECK_INT(kept, 4);
    CHECK_STR(offers_of(&w, "f"), "a 22; b 30; c 40; e 60");
    world_free(&w);
}

static void test_observations_survive_other_facts_and_stay_as_they_are(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20)};
    refresh(&w, "f", rows, 1);
    Db *db = NULL;
    Stmt *s = NULL;
    Err e = {0};
    bool row = false;
    CHECK(db_open(w.path, &db, &e));
    CHECK(db_meta_set(db, "facts_digest", "other", &e));  // the facts are loaded again
    CHECK_STR(offers_of(&w, "f"), "a 20");
    CHECK(stmt_query(db, "market_end", &s, &e) && stmt_bind_text(s, "at", "2027", &e) &&
          stmt_bind_text(s, "now", "2027", &e) && stmt_bind_integer(s, "id", 1, &e) &&
          stmt_step(s, &row, &e));
    stmt_free(s);
    db_close(db);
    world_free(&w);
}

static void test_validators_go_with_their_refresh(void) {
    World w = world();
    const FeedRow row = plain("a", 20);
    Err e = {0};
    const char *etag = NULL;
    const char *modified = NULL;
    MarketOutcome out;
    MarketRefresh *r = market_begin(w.m, "f", "u");
    market_document(r, "u1", "\"x\"", "");
    market_document(r, "u2", NULL, "Fri, 27 Nov 2026 12:00:00 GMT");
    CHECK(market_add(r, &row, &e));
    if (!market_finish(r, &w.s.arena, &out, &e)) FAIL_("%s", e.text);
    CHECK(market_validators(w.m, "f", "u1", &w.s.arena, &etag, &modified, &e));
    CHECK_STR(etag, "\"x\"");
    CHECK_STR(modified, "");
    const FeedRow rows[] = {row};
    refresh(&w, "f", rows, 1);
    CHECK(market_validators(w.m, "f", "u1", &w.s.arena, &etag, &modified, &e));
    CHECK_STR(etag, "");
    world_free(&w);
}

static void test_metrics_name_each_feed(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20)};
    Err e = {0};
    refresh(&w, "f", rows, 1);
    at(&w, noon + 60);
    CHECK(market_failed(w.m, "g", "no route", &e));
    Buf b;
    buf_init(&b, 100000);
    CHECK(market_metrics(w.m, &b, &e));
    CHECK(strstr(b.data, "\ngpuadvise_prices_age_seconds{feed=\"f\"} 60\n") != NULL);
    CHECK(strstr(b.data, "gpuadvise_prices_age_seconds{feed=\"g\"}") == NULL);
    CHECK(strstr(b.data, "\ngpuadvise_prices_last_success{feed=\"g\"} 0\n") != NULL);
    CHECK(strstr(b.data, "\ngpuadvise_prices_rows{feed=\"f\"} 1\n") != NULL);
    buf_free(&b);
    world_free(&w);
}

// ---------------------------------------------------------------- one at a time

static void hold_lock(int number, void *context) {
    World *w = context;
    Err e = {0};
    MarketLock *lock = NULL;
    (void)number;
    if (!market_lock(w->c, 0, NULL, &lock, &e)) FAIL_("%s", e.text);
    CHECK(lock == NULL);
}

static void test_one_refresh_at_a_time(void) {
    World w = world();
    MarketLock *lock = NULL;
    Err e = {0};
    CHECK(market_lock(w.c, 0, NULL, &lock, &e));
    CHECK(lock != NULL);
    scratch_fork(2, hold_lock, &w);
    market_unlock(lock);
    CHECK(market_lock(w.c, 0, NULL, &lock, &e));
    CHECK(lock != NULL);
    market_unlock(lock);
    world_free(&w);
}

static const TestCase tests[] = {
    TEST(unchanged_rows_are_not_stored_again),
    TEST(rows_that_left_their_feed_are_kept_as_not_available),
    TEST(an_advice_reads_the_same_offers),
    TEST(machines_are_those_of_the_last_word),
    TEST(held_rows_keep_their_sellers),
    TEST(ages_are_those_of_the_newest_words),
    TEST(nothing_changed_renews_the_date),
    TEST(a_failure_keeps_the_rows),
    TEST(changes_since),
    TEST(observations_survive_other_facts_and_stay_as_they_are),
    TEST(validators_go_with_their_refresh),
    TEST(metrics_name_each_feed),
    TEST(one_refresh_at_a_time),
};
TEST_MAIN(tests)
