// The market: rows that are rejected, made clean or held back.
#include "tests/check.h"
#include "tests/market_world.h"

static const char *held_of(World *w) {
    Quarantined *quarantined = NULL;
    size_t n = 0;
    Err e = {0};
    Buf b;
    buf_init(&b, 10000);
    if (!market_quarantined(w->m, &w->s.arena, &quarantined, &n, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < n; i++)
        buf_printf(&b, "%s%d %s: %s", i > 0 ? "; " : "", (int)quarantined[i].id,
                   quarantined[i].offer.instance, quarantined[i].reason);
    const char *text = arena_printf(&w->s.arena, "%s", b.length > 0 ? b.data : "");
    buf_free(&b);
    return text;
}

// ---------------------------------------------------------------- rejects

static void test_rejected_rows_have_a_reason(void) {
    static const struct {
        const char *instance, *gpu, *price, *effective, *want;
        double count;
    } cases[] = {
        {"a", "H100 NVL", "0", NULL, "price of 0: unknown, not free", 1},
        {"a", "H100 NVL", "-1", NULL, "price below 0", 1},
        {"a", "H100 NVL", "1e308", NULL, "price out of range", 1},
        {"a", "H100 NVL", "1e400", NULL, "the price is not a plain decimal number", 1},
        {"a", "H100 NVL", "nan", NULL, "the price is not a plain decimal number", 1},
        {"a", "H100 NVL", "1,234.5", NULL, "the price is not a plain decimal number", 1},
        {"a", "H100 NVL", "1,5", NULL, "the price is not a plain decimal number", 1},
        {"a", "H100 NVL", "$2", NULL, "the price is not a plain decimal number", 1},
        {"a", "H100 NVL", "", NULL, "no price", 1},
        {"a", "H100 NVL", "0.0000001", NULL, "price of 0: unknown, not free", 1},
        {"a", "", "2", NULL, "no GPU named", 1},
        {"a", "H100 NVL", "2", NULL, "GPU count out of range", 0},
        {"a", "H100 NVL", "2", "2026-12-24", "takes effect in the future", 1},
        {"a", "H100 NVL", "2", "soon", "date of effect not understood", 1},
        {"NC4 Windows", "H100 NVL", "2", NULL, "Windows", 1},
        {"Standard_NM16ads_MA35D", "AMD MA35D", "2", NULL, "no GPU of NVIDIA or AMD: media card", 1},
        {"Standard_SQLG7_AMD_IaaS", "AMD", "2", NULL, "no GPU of NVIDIA or AMD: AMD CPU", 1},
        {"trn1", "Trainium", "2", NULL, "no GPU of NVIDIA or AMD: Trainium", 1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World w = world();
        FeedRow row = FEED_ROW;
        row.instance = cases[i].instance;
        row.gpu = cases[i].gpu;
        row.price_text = cases[i].price;
        row.gpu_count = cases[i].count;
        row.effective_from = cases[i].effective;
        const FeedRow rows[] = {row, plain("good", 20)};
        MarketOutcome out = refresh(&w, "f", rows, 2);
        CHECK_INT(out.n_rejects, 1);
        CHECK_STR(out.rejects[0].reason, cases[i].want);
        CHECK(strlen(out.rejects[0].example) > 0);
        CHECK_STR(offers_of(&w, "f"), "good 20");
        world_free(&w);
    }
}

static FeedRow valid(const char *instance, double price, const char *from) {
    FeedRow row = plain(instance, price);
    row.effective_from = from;
    return row;
}

// Of two validities in force the later counts, whatever it costs and however they are written; one that
// begins later is none yet.
static void test_the_later_validity_counts(void) {
    World w = world();
    FeedRow gone = valid("e", 70, "2026-11-01");
    gone.available = AVAILABLE_NO;
    const FeedRow rows[] = {valid("a", 48, "2024-05-01T00:00:00Z"),
                            valid("a", 56, "2026-10-01T00:00:00Z"),
                            valid("a", 40, "2026-12-01T00:00:00Z"),
                            valid("b", 56, "2026-10-01"),
                            valid("b", 48, "2024-05"),
                            valid("c", 30, "2026-11-27T11:59:59Z"),
                            valid("c", 20, "2026-11-27T12:00:01Z"),
                            valid("c", 25, "2026-11-26"),
                            valid("d", 60, "2026-10-01"),
                            plain("d", 50),
                            gone,
                            valid("e", 60, "2026-10-01")};
    MarketOutcome out = refresh(&w, "f", rows, COUNT_OF(rows));
    CHECK_STR(offers_of(&w, "f"), "a 56; b 56; c 30; d 60; e 70 no");
    CHECK_INT(out.n_rejects, 2);
    CHECK_STR(out.rejects[0].reason, "a later price of the same offer is in force");
    CHECK_INT(out.rejects[0].count, 5);
    CHECK_STR(out.rejects[1].reason, "takes effect in the future");
    CHECK_INT(out.rejects[1].count, 2);
    world_free(&w);
}

// A source's own date ahead of the clock is taken in, counted, and kept as it is; a day's grace for time
// zones.
static void test_dates_ahead_are_taken_in(void) {
    static const struct {
        const char *as_of;
        size_t ahead;
    } cases[] = {{"2026-11-27", 0}, {"2026-11-28", 0}, {"2026-11-29", 1}, {"2026-11", 0},
                 {"2026-12", 1},    {"2026", 0},       {"2036", 1},       {"2036-01-01T00:00:00Z", 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        World w = world();
        FeedRow row = plain("a", 20);
        row.as_of = cases[i].as_of;
        MarketOutcome out = refresh(&w, "f", &row, 1);
        CHECK_INT(out.rows, 1);
        CHECK_INT(out.ahead, cases[i].ahead);
        CHECK_STR(offers_of(&w, "f"), "a 20");
        world_free(&w);
    }
}

static void test_one_row_an_offer(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20), plain("a", 20), plain("a", 25), plain("b", 30)};
    MarketOutcome out = refresh(&w, "f", rows, 4);
    CHECK_STR(offers_of(&w, "f"), "a 20; b 30");
    CHECK_INT(out.rejected, 2);
    CHECK_STR(out.rejects[0].reason, "the same offer at a higher price");
    CHECK_STR(out.rejects[1].reason, "the same row again");
    world_free(&w);
}

static void test_foreign_text_is_made_clean(void) {
    World w = world();
    FeedRow row = plain("a\033[31m\xff", 20);
    row.provider = "  Crusoe Cloud!\n";
    const FeedRow rows[] = {row};
    refresh(&w, "f", rows, 1);
    CHECK_STR(offers_of(&w, "f"), "a?[31m? 20");
    Offer *offers = NULL;
    size_t n = 0;
    Err e = {0};
    CHECK(catalog_offers_of(w.c, "mi300x-192gb", &w.s.arena, &offers, &n, &e));
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found =
            found || (strcmp(offers[i].feed, "f") == 0 && strcmp(offers[i].provider, "crusoe-cloud!") == 0);
    CHECK(found);
    world_free(&w);
}

static void test_unknown_gpus_are_kept(void) {
    World w = world();
    FeedRow row = plain("a", 20);
    row.gpu = "NVIDIA Zyx9000";
    const FeedRow rows[] = {row};
    MarketOutcome out = refresh(&w, "f", rows, 1);
    CHECK_INT(out.rows, 1);
    CHECK_INT(out.unmapped, 1);
    CHECK_STR(out.unmapped_names, "NVIDIA Zyx9000");
    CHECK_STR(offers_of(&w, "f"), "a 20");
    world_free(&w);
}

// ---------------------------------------------------------------- held rows

static void test_a_jump_is_held_until_accepted(void) {
    World w = world();
    const FeedRow first[] = {plain("a", 20), plain("b", 30)};
    Err e = {0};
    refresh(&w, "f", first, 2);
    at(&w, noon + DAY);
    const FeedRow second[] = {plain("a", 3), plain("b", 33)};
    MarketOutcome out = refresh(&w, "f", second, 2);
    CHECK_INT(out.quarantined, 1);
    CHECK_STR(out.quarantines[0].reason, "price down 6.67-fold, from 20 to 3 $/h");
    CHECK_STR(offers_of(&w, "f"), "a 20; b 33");
    CHECK_STR(held_of(&w), "1 a: price down 6.67-fold, from 20 to 3 $/h");
    at(&w, noon + 2 * DAY);
    refresh(&w, "f", second, 2);
    CHECK_STR(held_of(&w), "1 a: price down 6.67-fold, from 20 to 3 $/h");  // the same id
    const int64_t wrong[] = {7};
    CHECK(!market_accept(w.m, wrong, 1, &e));
    CHECK_INT(e.kind, ERR_USAGE);
    const int64_t ids[] = {1};
    if (!market_accept(w.m, ids, 1, &e)) FAIL_("%s", e.text);
    CHECK_STR(offers_of(&w, "f"), "a 3; b 33");
    CHECK_STR(held_of(&w), "");
    at(&w, noon + 3 * DAY);
    out = refresh(&w, "f", second, 2);
    CHECK_INT(out.unchanged, 2);
    CHECK_INT(out.quarantined, 0);
    world_free(&w);
}

static void test_per_gpu_taken_for_per_instance_is_held(void) {
    World w = world();
    FeedRow two = plain("a", 6);
    two.gpu_count = 2;
    const FeedRow first[] = {two};
    refresh(&w, "f", first, 1);
    at(&w, noon + DAY);
    two.price = 3;
    const FeedRow second[] = {two, plain("b", 20)};
    MarketOutcome out = refresh(&w, "f", second, 2);
    CHECK_INT(out.quarantined, 1);
    CHECK_STR(out.quarantines[0].reason, "price down by its GPU count, 2: of one GPU, or of the instance?");
    world_free(&w);
}

static void test_doubtful_rows_are_held(void) {
    World w = world();
    FeedRow memory = plain("memory", 20);
    memory.gpu_memory_gb = 1536;
    FeedRow dear = plain("dear", 20000);
    FeedRow cheap = plain("cheap", 0.008);
    FeedRow demand = plain("twice", 10);
    FeedRow spot = plain("twice", 12);
    spot.pricing_model = PRICING_SPOT;
    const FeedRow rows[] = {memory, dear, cheap, demand, spot};
    MarketOutcome out = refresh(&w, "f", rows, 5);
    CHECK_INT(out.quarantined, 4);
    CHECK_STR(offers_of(&w, "f"), "twice 10");
    CHECK_STR(held_of(&w), "1 cheap: under 0.005 $/GPU-h: a placeholder?; 2 dear: over 100 $/GPU-h: a "
                           "placeholder, or not of one hour?; "
                           "3 memory: 1536 GB a GPU, where mi300x-192gb has 192 GB; 4 twice: spot price "
                           "above the on-demand price");
    world_free(&w);
}

static void test_a_collapse_is_held_whole(void) {
    World w = world();
    FeedRow rows[10];
    const char *names[10] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    for (size_t i = 0; i < 10; i++) rows[i] = plain(names[i], 20 + (double)i);
    Err e = {0};
    refresh(&w, "f", rows, 10);
    at(&w, noon + DAY);
    const FeedRow few[] = {rows[0], plain("b", 22), plain("new", 30)};
    MarketOutcome out = refresh(&w, "f", few, 3);
    CHECK_INT(out.gone, 0);
    CHECK_INT(out.quarantined, 2);
    CHECK_INT(out.unchanged, 1);
    CHECK_STR(out.quarantines[0].reason, "only 3 rows of f, after 10 in the last accepted refresh");
    CHECK_STR(offers_of(&w, "f"), "a 20; b 21; c 22; d 23; e 24; f 25; g 26; h 27; i 28; j 29");
    const int64_t ids[] = {1, 2};
    if (!market_accept(w.m, ids, 2, &e)) FAIL_("%s", e.text);
    at(&w, noon + 2 * DAY);
    out = refresh(&w, "f", few, 3);
    CHECK_INT(out.quarantined, 0);
    CHECK_INT(out.unchanged, 3);
    CHECK_INT(out.gone, 8);
    world_free(&w);
}

static MarketOutcome refresh_as(World *w, const FeedRow *rows, size_t n, bool private) {
    MarketRefresh *r = market_begin(w->m, "f", "https://example.org/f");
    MarketOutcome out = {0};
    Err e = {0};
    if (private) market_private(r);
    market_scope(r, SCOPE_WHOLE);
    market_document(r, "https://example.org/f", "\"tag\"", "");
    for (size_t i = 0; i < n; i++) {
        if (!market_add(r, &rows[i], &e)) FAIL_("%s", e.text);
    }
    if (!market_finish(r, &w->s.arena, &out, &e)) FAIL_("%s", e.text);
    return out;
}

static size_t documents(World *w) {
    MarketKnown *known = NULL;
    size_t n = 0;
    Err e = {0};
    if (!market_documents(w->m, "f", &w->s.arena, &known, &n, &e)) FAIL_("%s", e.text);
    return n;
}

// What is left of a collapsed list may say nothing new. Then nothing is held, the rest is neither gone nor
// confirmed, and it is told.
static void test_a_collapse_that_says_nothing_new(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20), plain("b", 21), plain("c", 22), plain("d", 23), plain("e", 24)};
    refresh_as(&w, rows, 5, false);
    CHECK_INT(documents(&w), 1);
    at(&w, noon + DAY);
    MarketOutcome out = refresh_as(&w, rows, 2, false);
    CHECK_INT(out.quarantined + out.gone, 0);
    CHECK_STR(out.shrunk, "only 2 rows of f, after 5 in the last accepted refresh");
    CHECK_INT(documents(&w), 0);  // else a 304 tomorrow would say that c, d and e are still offered
    at(&w, noon + 14 * DAY);
    out = refresh_as(&w, rows, 2, false);
    CHECK_INT(out.gone, 0);
    at(&w, noon + 15 * DAY);
    out = refresh_as(&w, rows, 2, false);
    CHECK_INT(out.gone, 3);
    CHECK_STR(out.shrunk, "");
    CHECK_INT(documents(&w), 1);
    world_free(&w);
}

static void test_a_file_that_lost_lines_is_believed(void) {
    World w = world();
    const FeedRow rows[] = {plain("a", 20), plain("b", 21), plain("c", 22), plain("d", 23), plain("e", 24)};
    const FeedRow changed[] = {plain("a", 25)};
    refresh_as(&w, rows, 5, true);
    at(&w, noon + DAY);
    MarketOutcome out = refresh_as(&w, changed, 1, true);
    CHECK_INT(out.quarantined, 1);
    CHECK_INT(out.gone, 0);
    out = refresh_as(&w, rows, 1, true);
    CHECK_INT(out.quarantined, 0);
    CHECK_INT(out.gone, 4);
    world_free(&w);
}

static void test_other_currencies_need_a_dated_rate(void) {
    World w = world();
    FeedRow euro = plain("a", 16);
    euro.currency = "eur";
    const FeedRow rows[] = {euro, plain("b", 20)};
    Err e = {0};
    MarketOutcome out = refresh(&w, "f", rows, 2);
    CHECK_INT(out.quarantined, 1);
    CHECK_STR(held_of(&w), "1 a: price in EUR: no dated rate for it (--usd-per)");
    const int64_t ids[] = {1};
    CHECK(!market_accept(w.m, ids, 1, &e));
    market_rate(w.m, "EUR", 1.25, "2026-11-20");
    if (!market_accept(w.m, ids, 1, &e)) FAIL_("%s", e.text);
    CHECK_STR(offers_of(&w, "f"), "a 20; b 20");
    out = refresh(&w, "f", rows, 2);
    CHECK_INT(out.unchanged, 2);
    Observation *seen = NULL;
    size_t n = 0;
    CHECK(market_history(w.m, &(HistoryFilter){.sku_id = "mi300x-192gb", .since = "2026-11-27"}, &w.s.arena,
                         &seen, &n, &e));
    size_t i = 0;
    while (i < n && strcmp(seen[i].offer.instance, "a") != 0) i++;
    CHECK(i < n);
    CHECK_STR(seen[i].currency, "EUR");
    CHECK(strstr(seen[i].offer.source, "EUR at 1.25 USD of 2026-11-20") != NULL);
    world_free(&w);
}

static const TestCase tests[] = {
    TEST(rejected_rows_have_a_reason),
    TEST(the_later_validity_counts),
    TEST(dates_ahead_are_taken_in),
    TEST(one_row_an_offer),
    TEST(foreign_text_is_made_clean),
    TEST(unknown_gpus_are_kept),
    TEST(a_jump_is_held_until_accepted),
    TEST(per_gpu_taken_for_per_instance_is_held),
    TEST(doubtful_rows_are_held),
    TEST(a_collapse_is_held_whole),
    TEST(a_collapse_that_says_nothing_new),
    TEST(a_file_that_lost_lines_is_believed),
    TEST(other_currencies_need_a_dated_rate),
};
TEST_MAIN(tests)
