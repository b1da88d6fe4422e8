// Prices too low or too high to be meant: what is held, what is not, and what somebody's word changes.
#include "tests/check.h"
#include "tests/market_world.h"

typedef struct Case {
    const char *provider, *instance, *region, *gpu;
    double count, usd_gpu_h;
    PricingModel model;
    const char *want;  // part of the reason; NULL: taken in
} Case;

static FeedRow row_of(const Case *c) {
    FeedRow row = FEED_ROW;
    row.provider = c->provider;
    row.instance = c->instance;
    row.region = c->region;
    row.gpu = c->gpu;
    row.gpu_count = c->count;
    row.pricing_model = c->model;
    row.price = c->usd_gpu_h * c->count;
    return row;
}

static const char *reason_of(World *w, const Case *c) {
    Quarantined *quarantined = NULL;
    size_t n = 0;
    Err e = {0};
    if (!market_quarantined(w->m, &w->s.arena, &quarantined, &n, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < n; i++) {
        const Offer *o = &quarantined[i].offer;
        bool same = strcmp(o->provider, c->provider) == 0 && strcmp(o->instance, c->instance) == 0 &&
                    strcmp(o->region, c->region) == 0;
        if (same && o->pricing_model == (int)c->model) return quarantined[i].reason;
    }
    return NULL;
}

static void judge(World *w, const Case *cases, size_t n) {
    FeedRow rows[40];
    CHECK(n <= COUNT_OF(rows));
    for (size_t i = 0; i < n; i++) rows[i] = row_of(&cases[i]);
    MarketOutcome out = refresh(w, "f", rows, n);
    size_t quarantined = 0;
    for (size_t i = 0; i < n; i++) {
        const char *reason = reason_of(w, &cases[i]);
        bool fits =
            cases[i].want == NULL ? reason == NULL : reason != NULL && strstr(reason, cases[i].want) != NULL;
        if (!fits)
            FAIL_("%s %s: held because '%s', expected '%s'", cases[i].provider, cases[i].instance,
                  reason == NULL ? "" : reason, cases[i].want == NULL ? "" : cases[i].want);
        quarantined += cases[i].want != NULL;
    }
    CHECK_INT(out.quarantined, quarantined);
}

// A GPU that ships without a single offer, so that only these rows speak of it.
#define RARE "mi100-32gb"

static void test_placeholder_beside_the_providers_own_price(void) {
    World w = world();
    const Case cases[] = {{"p", "x", "secure", RARE, 1, 3.39, PRICING_ON_DEMAND, NULL},
                          {"p", "x", "community", RARE, 1, 0.5, PRICING_ON_DEMAND,
                           "0.5 $/GPU-h, under 35 % of 3.39, which p asks for the same GPU elsewhere"},
                          {"q", "x", "secure", RARE, 1, 3.39, PRICING_ON_DEMAND, NULL},
                          {"q", "x", "community", RARE, 1, 1.19, PRICING_ON_DEMAND, NULL}};  // over 35 %
    judge(&w, cases, COUNT_OF(cases));
    world_free(&w);
}

static void test_one_price_far_above_the_providers_own(void) {
    World w = world();
    const Case cases[] = {
        {"p", "a", "r", RARE, 1, 0.5, PRICING_ON_DEMAND, NULL},
        {"p", "b", "r", RARE, 1, 0.6, PRICING_ON_DEMAND, NULL},
        {"p", "c", "r", RARE, 1, 0.7, PRICING_ON_DEMAND, NULL},
        {"p", "d", "r", RARE, 1, 53.34, PRICING_ON_DEMAND, "53.34 $/GPU-h, over 20 times 0.7"},
        {"p", "e", "r", RARE, 1, 0.65, PRICING_ON_DEMAND, NULL}};
    judge(&w, cases, COUNT_OF(cases));
    world_free(&w);
}

static void test_median_of_other_providers(void) {
    World w = world();
    const Case cases[] = {{"a", "x", "", RARE, 8, 2, PRICING_ON_DEMAND, NULL},
                          {"b", "x", "", RARE, 8, 2.5, PRICING_ON_DEMAND, NULL},
                          {"c", "x", "", RARE, 1, 3, PRICING_ON_DEMAND, NULL},
                          {"d", "x", "", RARE, 1, 3.5, PRICING_ON_DEMAND, NULL},
                          {"e", "x", "", RARE, 1, 0.5, PRICING_ON_DEMAND,
                           "0.5 $/GPU-h, under 35 % of 3, the median of 5 other providers"},
                          {"g", "x", "", RARE, 1, 70, PRICING_ON_DEMAND,
                           "70 $/GPU-h, over 20 times 2.5, the median of 5 other providers"},
                          // a slice is nobody's measure, and has none
                          {"h", "x", "", RARE, 0.5, 0.1, PRICING_ON_DEMAND, NULL}};
    judge(&w, cases, COUNT_OF(cases));
    world_free(&w);
}

static void test_no_median_of_a_few(void) {
    World w = world();
    const Case cases[] = {{"a", "x", "", RARE, 1, 2, PRICING_ON_DEMAND, NULL},
                          {"b", "x", "", RARE, 1, 2.5, PRICING_ON_DEMAND, NULL},
                          {"c", "x", "", RARE, 1, 3, PRICING_ON_DEMAND, NULL},
                          {"e", "x", "", RARE, 1, 0.5, PRICING_ON_DEMAND, NULL}};
    judge(&w, cases, COUNT_OF(cases));
    world_free(&w);
}

static void test_spot_is_held_against_spot(void) {
    World w = world();
    const Case cases[] = {
        {"a", "x", "", RARE, 1, 1, PRICING_SPOT, NULL},
        {"b", "x", "", RARE, 1, 1, PRICING_SPOT, NULL},
        {"c", "x", "", RARE, 1, 1, PRICING_SPOT, NULL},
        {"d", "x", "", RARE, 1, 1, PRICING_SPOT, NULL},
        {"e", "x", "", RARE, 1, 0.31, PRICING_SPOT, NULL},
        {"e", "y", "", RARE, 1, 1, PRICING_SPOT, NULL},
        {"g", "x", "", RARE, 1, 0.29, PRICING_SPOT, "under 30 % of 1, the median of 5 other providers"},
        {"a", "x", "", RARE, 1, 3.3, PRICING_ON_DEMAND, NULL},  // its spot is 30 % of it
        {"b", "x", "", RARE, 1, 10.5, PRICING_ON_DEMAND, NULL}};
    Case all[COUNT_OF(cases)];
    memcpy(all, cases, sizeof cases);
    all[1].want = "spot at 1 $/GPU-h, under 10 % of the on-demand price, 10.5";
    judge(&w, all, COUNT_OF(all));
    world_free(&w);
}

// Commitments below any discount seen on the same provider's price on demand: 35 % for a year, 25 % for three.
static void test_reserved_is_held_against_on_demand(void) {
    World w = world();
    const Case cases[] = {
        {"a", "x", "", RARE, 1, 10, PRICING_ON_DEMAND, NULL},
        {"a", "y", "", RARE, 1, 2.4, PRICING_RESERVED_3Y, "under 25 % of the on-demand price, 10"},
        {"b", "x", "", RARE, 1, 10, PRICING_ON_DEMAND, NULL},
        {"b", "y", "", RARE, 1, 2.6, PRICING_RESERVED_3Y, NULL},
        {"c", "x", "", RARE, 1, 10, PRICING_ON_DEMAND, NULL},
        {"c", "y", "", RARE, 1, 3.4, PRICING_RESERVED_1Y, "under 35 % of the on-demand price, 10"},
        {"d", "x", "", RARE, 1, 10, PRICING_ON_DEMAND, NULL},
        {"d", "y", "", RARE, 1, 3.6, PRICING_RESERVED_1Y, NULL}};
    judge(&w, cases, COUNT_OF(cases));
    world_free(&w);
}

static void test_form_factors_share_their_median(void) {
    World w = world();
    // H200 SXM is offered by many of the shipped offers' providers, the NVL by hardly one.
    const Case cases[] = {
        {"runpod", "NVIDIA H200 NVL", "secure", "H200 NVL", 1, 0.5, PRICING_ON_DEMAND, "under 35 % of"},
        {"runpod", "NVIDIA H200", "secure", "H200 SXM", 1, 3.59, PRICING_ON_DEMAND, NULL}};
    judge(&w, cases, COUNT_OF(cases));
    world_free(&w);
}

static void test_accepted_placeholders_stay(void) {
    World w = world();
    Err e = {0};
    FeedRow rows[2] = {row_of(&(Case){"p", "x", "secure", RARE, 1, 3, PRICING_ON_DEMAND, NULL}),
                       row_of(&(Case){"p", "x", "community", RARE, 1, 0.5, PRICING_ON_DEMAND, NULL})};
    CHECK_INT(refresh(&w, "f", rows, 2).quarantined, 1);
    const int64_t ids[] = {1};
    if (!market_accept(w.m, ids, 1, &e)) FAIL_("%s", e.text);
    at(&w, noon + DAY);
    MarketOutcome out = refresh(&w, "f", rows, 2);
    CHECK_INT(out.quarantined, 0);
    CHECK_INT(out.unchanged, 2);
    at(&w, noon + 2 * DAY);
    rows[1].price = 0.45;  // the level was accepted
    CHECK_INT(refresh(&w, "f", rows, 2).quarantined, 0);
    at(&w, noon + 3 * DAY);
    rows[1].price = 0.1;  // another level
    CHECK_INT(refresh(&w, "f", rows, 2).quarantined, 1);
    world_free(&w);
}

static void test_a_standing_offer_that_turns_into_a_placeholder(void) {
    World w = world();
    FeedRow rows[2] = {row_of(&(Case){"p", "x", "secure", RARE, 1, 2.2, PRICING_ON_DEMAND, NULL}),
                       row_of(&(Case){"p", "x", "community", RARE, 1, 2, PRICING_ON_DEMAND, NULL})};
    CHECK_INT(refresh(&w, "f", rows, 2).quarantined, 0);
    at(&w, noon + DAY);
    rows[1].price = 0.5;  // a fourth of what it was: no jump of five
    MarketOutcome out = refresh(&w, "f", rows, 2);
    CHECK_INT(out.quarantined, 1);
    CHECK_STR(offers_of(&w, "f"), "x 2; x 2.2");
    world_free(&w);
}

static const char *import(World *w, const char *text, MarketOutcome *out) {
    Err e = {0};
    if (!market_import(w->m, "quote", "quote.csv", str_of(text), NULL, &w->s.arena, out, &e))
        FAIL_("%s", e.text);
    return out->quarantined == 0 ? "" : out->quarantines[0].reason;
}

static void test_own_sellers_are_believed(void) {
    World w = world();
    MarketOutcome out;
    CHECK_STR(import(&w,
                     "provider,instance,gpu,gpu_count,price_per_hour\nown-cellar,m8,MI300X,8,1.6\nown-cellar,"
                     "m1,MI300X,1,5\n",
                     &out),
              "");
    CHECK(strstr(import(&w,
                        "provider,instance,gpu,gpu_count,price_per_hour\nrunpod,m8,MI300X,8,4\nown-cellar,m1,"
                        "MI300X,1,1.2\n",
                        &out),
                 "under 35 % of") != NULL);
    CHECK_INT(out.quarantined, 1);
    CHECK(strstr(import(&w,
                        "provider,instance,gpu,gpu_count,price_per_hour\nvast.ai,m8,RTX "
                        "5090,1,53.34\n,m1,MI300X,1,0.2\n",
                        &out),
                 "over 20 times") != NULL);
    world_free(&w);
}

static const TestCase tests[] = {TEST(placeholder_beside_the_providers_own_price),
                                 TEST(one_price_far_above_the_providers_own),
                                 TEST(median_of_other_providers),
                                 TEST(no_median_of_a_few),
                                 TEST(spot_is_held_against_spot),
                                 TEST(reserved_is_held_against_on_demand),
                                 TEST(form_factors_share_their_median),
                                 TEST(accepted_placeholders_stay),
                                 TEST(a_standing_offer_that_turns_into_a_placeholder),
                                 TEST(own_sellers_are_believed)};
TEST_MAIN(tests)
