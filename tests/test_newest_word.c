// Which price counts: facts, list prices, hearsay and observations of one offer, the newest word first.
#include <string.h>

#include "catalog/market/market.h"
#include "tests/catalog_world.h"

// A price seen: what differs from the others. Rows of one feed and time are one refresh.
typedef struct Seen {
    const char *feed, *seen_at, *region;
    double gpu_count;
    int64_t price;
    Standing standing;
    const char *as_of;
} Seen;

static bool same_refresh(const Seen *a, const Seen *b) {
    return strcmp(a->feed, b->feed) == 0 && strcmp(a->seen_at, b->seen_at) == 0;
}

// Takes in the refresh that begins at `seen`; how many rows it had.
static size_t see(Catalog *c, const Seen *seen, size_t n) {
    Err e = {0};
    Arena a = {0};
    Market *m = NULL;
    MarketOutcome outcome;
    CHECK(market_open(c, time_seconds(seen->seen_at), &m, &e));
    MarketRefresh *r = market_begin(m, seen->feed, "test");
    size_t used = 0;
    for (; used < n && same_refresh(seen, seen + used); used++) {
        FeedRow row = FEED_ROW;
        row.provider = "p";
        row.instance = arena_printf(&a, "%d", (int)(seen[used].price / 1000000));
        row.region = seen[used].region;
        row.gpu = "A";
        row.sku_id = "a-gpu";
        row.gpu_count = seen[used].gpu_count;
        row.price = (double)seen[used].price / 1e6;
        row.standing = seen[used].standing;
        row.as_of = seen[used].as_of;
        CHECK(market_add(r, &row, &e));
    }
    if (!market_finish(r, &a, &outcome, &e)) FAIL_("%s", e.text);
    CHECK_INT(outcome.rows, used);
    market_close(m);
    arena_free(&a);
    return used;
}

// Opens these facts with these observations and compares the prices (dollars) by standing: "listed 2 3;
// superseded 1;".
static void newest_word(const Made *facts, size_t n_facts, const Seen *seen, size_t n_seen,
                        const char *want) {
    Scratch s = scratch_make();
    Made rows[20] = {{TABLE_GPUS, "sku_id=a-gpu"}, {TABLE_GPUS, "sku_id=b-gpu"}};
    CHECK(n_facts + 2 <= COUNT_OF(rows));
    if (n_facts > 0) memcpy(rows + 2, facts, n_facts * sizeof *facts);
    const char *path = scratch_path(&s, "x.db");
    const char *folder = made_folder(&s, "data", rows, n_facts + 2);
    Catalog *c = open_or_fail(path, folder);
    for (size_t i = 0; i < n_seen;) i += see(c, &seen[i], n_seen - i);
    Facts f = facts_of(&s, c);
    Buf b;
    buf_init(&b, 1000);
    for (Standing standing = 0; standing < STANDING_COUNT; standing++) {
        bool any = false;
        for (int64_t price = 1; price < 20; price++) {
            for (size_t i = 0; i < f.n_offers; i++) {
                if (f.offers[i].standing != standing || f.offers[i].price_micro_usd_h != price * 1000000)
                    continue;
                buf_printf(&b, "%s%s %d",
                           any            ? ""
                           : b.length > 0 ? "; "
                                          : "",
                           any ? "" : standing_names[standing], (int)price);
                any = true;
            }
        }
    }
    CHECK_STR(b.data, want);
    buf_free(&b);
    catalog_close(c);
    scratch_free(&s);
}

#define OFFER(text)                                                                                          \
    { TABLE_OFFERS, "provider=p sku_id=a-gpu listed_name=A " text }

static void test_newer_fact_replaces_the_older(void) {
    static const Made facts[] = {
        OFFER("gpu_count=8 price_usd_per_hour=1 as_of=2026-05"),
        OFFER("gpu_count=8 price_usd_per_hour=2 as_of=2026-05-08 instance=other"),
        OFFER("gpu_count=8 price_usd_per_hour=3 as_of=2026-05-08"),
        OFFER("gpu_count=4 price_usd_per_hour=4 as_of=2025"),                     // another count
        OFFER("gpu_count=8 price_usd_per_hour=5 as_of=2025 region=r"),            // another region
        OFFER("gpu_count=8 price_usd_per_hour=6 as_of=2025 pricing_model=spot"),  // another model
        {TABLE_OFFERS, "provider=q sku_id=a-gpu gpu_count=8 price_usd_per_hour=7 as_of=2025"},
        {TABLE_OFFERS, "provider=p sku_id=b-gpu gpu_count=8 price_usd_per_hour=8 as_of=2025"},
    };
    newest_word(facts, COUNT_OF(facts), NULL, 0, "listed 2 3 4 5 6 7 8; superseded 1");
}

static void test_unmapped_offers_go_by_their_name(void) {
    static const Made facts[] = {
        {TABLE_OFFERS, "provider=p listed_name=A gpu_count=1 price_usd_per_hour=1 as_of=2025"},
        {TABLE_OFFERS, "provider=p listed_name=A gpu_count=1 price_usd_per_hour=2 as_of=2026"},
        {TABLE_OFFERS, "provider=p listed_name=B gpu_count=1 price_usd_per_hour=3 as_of=2025"},
    };
    newest_word(facts, COUNT_OF(facts), NULL, 0, "listed 2 3; superseded 1");
}

static void test_hearsay_never_replaces_a_listed_price(void) {
    static const Made facts[] = {
        OFFER("gpu_count=8 price_usd_per_hour=1 as_of=2026-01 standing=secondary"),
        OFFER("gpu_count=8 price_usd_per_hour=2 as_of=2026-02"),
        OFFER("gpu_count=8 price_usd_per_hour=3 as_of=2026-03 standing=secondary"),
        OFFER("gpu_count=8 price_usd_per_hour=4 as_of=2026-04 standing=superseded"),
        OFFER("gpu_count=4 price_usd_per_hour=5 as_of=2026-01 standing=secondary"),
        OFFER("gpu_count=4 price_usd_per_hour=6 as_of=2026-02 standing=secondary"),
    };
    newest_word(facts, COUNT_OF(facts), NULL, 0, "listed 2; superseded 1 4 5; secondary 3 6");
}

static void test_newer_list_price_replaces_instances_without_region(void) {
    static const Made facts[] = {
        OFFER("price_usd_per_hour=1 as_of=2026-02"),
        OFFER("gpu_count=8 price_usd_per_hour=2 as_of=2026-01"),
        OFFER("gpu_count=8 price_usd_per_hour=3 as_of=2026-01 region=r"),
        OFFER("gpu_count=4 price_usd_per_hour=4 as_of=2026-03"),
        OFFER("gpu_count=2 price_usd_per_hour=5 as_of=2026-02"),
    };
    newest_word(facts, COUNT_OF(facts), NULL, 0, "listed 1 3 4 5; superseded 2");
}

static void test_observation_is_the_newest_word(void) {
    static const Made facts[] = {
        OFFER("gpu_count=8 price_usd_per_hour=1 as_of=2026-05-08"),
        OFFER("gpu_count=8 price_usd_per_hour=2 as_of=2026-05-08 region=r"),
        OFFER("gpu_count=4 price_usd_per_hour=3 as_of=2026-05-09"),
        OFFER("gpu_count=2 price_usd_per_hour=4 as_of=2026-12"),
    };
    static const Seen seen[] = {
        // on the same day: better than the fact
        {"f", "2026-05-08T10:00:00Z", "", 8, 5000000, STANDING_LISTED, "2026-05-08"},
        {"f", "2026-05-08T10:00:00Z", "", 4, 6000000, STANDING_LISTED, "2026-05-08"},  // older than the fact
        {"f", "2026-05-08T10:00:00Z", "", 2, 7000000, STANDING_LISTED, "2026-05-08"},  // older than the fact
    };
    newest_word(facts, COUNT_OF(facts), seen, COUNT_OF(seen), "listed 2 3 4 5; superseded 1 6 7");
    static const Seen list_price[] = {
        {"f", "2026-06-01T10:00:00Z", "", (double)NAN, 9000000, STANDING_LISTED, "2026-06-01"}};
    newest_word(facts, COUNT_OF(facts), list_price, 1, "listed 2 4 9; superseded 1 3");
}

static void test_refresh_replaces_what_its_feed_saw_before(void) {
    static const Seen seen[] = {
        // another feed has newer words
        {"h", "2026-05-06T09:00:00Z", "", 4, 7000000, STANDING_LISTED, "2026-05-06"},
        {"g", "2026-05-07T09:00:00Z", "", 8, 5000000, STANDING_LISTED, "2026-05-07"},
        // gone next day: the last word still
        {"g", "2026-05-07T09:00:00Z", "", 4, 6000000, STANDING_LISTED, "2026-05-07"},
        {"g", "2026-05-08T09:00:00Z", "", 8, 4000000, STANDING_LISTED, "2026-05-08"},
        {"f", "2026-05-08T10:00:00Z", "", 8, 1000000, STANDING_LISTED, "2026-05-08"},
        // the same day, later: 1 is history
        {"f", "2026-05-08T11:00:00Z", "", 8, 2000000, STANDING_LISTED, "2026-05-08"},
        // another instance of the same refresh
        {"f", "2026-05-08T11:00:00Z", "", 8, 3000000, STANDING_LISTED, "2026-05-08"},
    };
    newest_word(NULL, 0, seen, COUNT_OF(seen), "listed 2 3 4 6; superseded 1 5 7");
}

static const TestCase tests[] = {
    TEST(newer_fact_replaces_the_older),         TEST(unmapped_offers_go_by_their_name),
    TEST(hearsay_never_replaces_a_listed_price), TEST(newer_list_price_replaces_instances_without_region),
    TEST(observation_is_the_newest_word),        TEST(refresh_replaces_what_its_feed_saw_before),
};
TEST_MAIN(tests)
