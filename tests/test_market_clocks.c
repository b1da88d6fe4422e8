// The market under clocks that are ahead or behind: nothing that it says is later than its own.
#include "catalog/facts/rows.h"
#include "catalog/market/market_store.h"
#include "db/db.h"
#include "tests/check.h"
#include "tests/market_world.h"

static const int64_t year_2036 = 2082758400;  // 2036-01-01T00:00:00Z

// Nothing that the market says is later than its clock.
static void check_healed(World *w, const char *feed) {
    FeedState state;
    Observation *seen = NULL;
    MarketChanges changes = {0};
    size_t n = 0;
    Err e = {0};
    Buf text;
    CHECK(market_feed(w->m, feed, &w->s.arena, &state, &e));
    CHECK_INT(state.confirmed_at, w->m->now);
    CHECK(market_history(w->m, &(HistoryFilter){.sku_id = "mi300x-192gb", .since = ""}, &w->s.arena, &seen,
                         &n, &e));
    for (size_t i = 0; i < n; i++) {
        if (seen[i].offer.feed[0] == '\0') continue;
        CHECK(time_seconds(seen[i].offer.seen_at) <= w->m->now);
        CHECK(time_seconds(seen[i].last_seen_at) <= w->m->now);
        CHECK(strcmp(seen[i].offer.as_of, "2036") < 0);
    }
    CHECK(market_changes(w->m, "2030-01-01T00:00:00Z", &w->s.arena, &changes, &e));
    CHECK_INT(changes.n, 0);
    buf_init(&text, BUF_LIMIT);
    CHECK(market_metrics(w->m, &text, &e));
    CHECK(strstr(text.data, "} -") == NULL);
    buf_free(&text);
}

static void test_a_clock_ahead_heals(void) {
    World w = world();
    FeedRow dated = plain("d", 50);
    dated.as_of = "2026-11-20";
    const FeedRow before[] = {plain("a", 20), plain("b", 30), dated};
    refresh(&w, "azure", before, 3);
    at(&w, year_2036);
    const FeedRow ahead[] = {plain("a", 21), plain("b", 30), plain("c", 40), dated, plain("held", 0.001)};
    refresh(&w, "azure", ahead, 5);
    CHECK_STR(offer_named(&w, "azure", "b")->as_of, "2036-01-01");
    at(&w, noon + DAY);
    Buf text;
    Err e = {0};
    buf_init(&text, BUF_LIMIT);
    CHECK(market_metrics(w.m, &text, &e));
    CHECK(strstr(text.data, "gpuadvise_prices_age_seconds{") == NULL);  // nobody knows it
    CHECK(strstr(text.data, "gpuadvise_prices_rows{feed=\"azure\"} 4") != NULL);
    buf_free(&text);
    const FeedRow after[] = {plain("a", 22), plain("b", 30), dated, plain("held", 0.001)};
    MarketOutcome out = refresh(&w, "azure", after, 4);
    CHECK_INT(out.fresh, 1);
    CHECK_INT(out.gone, 1);
    CHECK_INT(out.quarantined_new, 0);
    CHECK_STR(offers_of(&w, "azure"), "a 22; b 30; c 40 no superseded; d 50");
    CHECK_STR(offer_named(&w, "azure", "b")->as_of, "2026-11-28");
    CHECK_STR(offer_named(&w, "azure", "c")->as_of, "2026-11-28");
    CHECK_STR(offer_named(&w, "azure", "d")->as_of, "2026-11-20");
    check_healed(&w, "azure");
    Quarantined *quarantined = NULL;
    size_t n = 0;
    CHECK(market_quarantined(w.m, &w.s.arena, &quarantined, &n, &e));
    CHECK_INT(n, 1);
    CHECK_STR(quarantined[0].last_seen_at, "2026-11-28T12:00:00Z");
    world_free(&w);
}

// The same where the source says that nothing changed, and where a clock was put back by seconds.
static void test_a_clock_ahead_heals_without_rows(void) {
    static const int64_t ahead[] = {year_2036, noon + DAY + 5};
    for (size_t i = 0; i < COUNT_OF(ahead); i++) {
        World w = world();
        const FeedRow rows[] = {plain("a", 20), plain("b", 30)};
        size_t n = 0;
        Err e = {0};
        at(&w, ahead[i]);
        refresh(&w, "azure", rows, 2);
        at(&w, noon + DAY);
        CHECK(market_confirm(w.m, "azure", &n, &e));
        CHECK_INT(n, 2);
        CHECK_STR(offer_named(&w, "azure", "a")->as_of, "2026-11-28");
        check_healed(&w, "azure");
        at(&w, ahead[i]);
        refresh(&w, "azure", rows, 2);
        at(&w, noon + DAY);
        refresh(&w, "azure", rows, 2);
        CHECK_STR(offer_named(&w, "azure", "a")->as_of, "2026-11-28");
        check_healed(&w, "azure");
        world_free(&w);
    }
}

// A machine without a battery wakes in 1970: what it brings is taken in, and takes nothing away from what was
// known before.
static void test_a_clock_behind_spoils_no_history(void) {
    World w = world();
    const FeedRow first[] = {plain("a", 20)};
    const FeedRow second[] = {plain("a", 21)};
    refresh(&w, "azure", first, 1);
    at(&w, noon + DAY);
    refresh(&w, "azure", second, 1);
    at(&w, 86400);
    MarketOutcome out = refresh(&w, "azure", second, 1);
    CHECK_INT(out.rows, 1);
    at(&w, noon + 2 * DAY);
    refresh(&w, "azure", second, 1);
    CHECK_STR(offer_named(&w, "azure", "a")->as_of, "2026-11-29");
    CHECK_STR(offer_named(&w, "azure", "a")->seen_at, "2026-11-28T12:00:00Z");
    MarketChanges changes = {0};
    Err e = {0};
    CHECK(market_changes(w.m, "2026-11-27T20:00:00Z", &w.s.arena, &changes, &e));
    CHECK_INT(changes.n, 1);
    CHECK_INT(market_change(&changes, 0).kind, CHANGE_UP);
    world_free(&w);
}

static const TestCase tests[] = {
    TEST(a_clock_ahead_heals),
    TEST(a_clock_ahead_heals_without_rows),
    TEST(a_clock_behind_spoils_no_history),
};
TEST_MAIN(tests)
