// The gate: which words tell how a price is had, in slugs, flags and products, and in columns that an import
// does not read.
#include "catalog/market/market_gate.h"
#include "tests/check.h"
#include "tests/market_world.h"

// "spot", "reserved-1y", ..., or why the price is turned away.
static const char *verdict(const char *text, PricingModel stated) {
    PricingModel model = stated;
    const char *why = gate_model(gate_read(text), stated, &model);
    return why != NULL ? why : pricing_names[model];
}

static void test_words_of_on_demand_prices(void) {
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"gpu-mi350x1-288gb", "on-demand"},
        {"Standard_ND96isr_MI300X_v5", "on-demand"},
        {"gpu-mi350x1-288gb-spot", "spot"},
        {"gpu-b300x1-288gb-lc-spot", "spot"},
        {"ND96isr MI300X v5 Spot", "spot"},
        {"SpotVM a100", "spot"},
        {"h100 PREEMPTIBLE", "spot"},
        {"interruptible_l40s", "spot"},
        {"hotspot-h100", "on-demand"},
        {"h100 non-preemptible", "on-demand"},
        {"no contract, no commitment", "on-demand"},
        {"contractor edged clustered", "on-demand"},
        {"12 months", "reserved-1y"},
        {"commit3yr", "reserved-3y"},
        {"Reserved (1 Year)", "reserved-1y"},
        {"h100 36mo", "reserved-3y"},
        {"24 months", gate_other_term},
        {"1-month", gate_other_term},
        {"0 months", "on-demand"},
        {"gpu-mi325x8-2048gb-fabric-contracted", gate_no_term},
        {"committed use", gate_no_term},
        {"spot, 1 year commitment", "its words say both spot and a commitment"},
        {"NCads A100 v4 Series CloudServices", "another service than virtual machines"},
        {"NCads A100 v4 Series Cloud Services", "another service than virtual machines"},
        {"gcp-dws-calendar-mode", "capacity booked for a time of the calendar"},
        {"runpod-cluster", "part of a cluster, which is sold as several machines"},
        {"edge-h100", "an edge site or service, not the cloud's own region"},
        {"ND96 LowPriority", "Low Priority price"},
        {"ND96 Low Priority", "Low Priority price"},
        {"p5 capacity_block", "capacity block"},
        {"Dedicated Host", "dedicated host"},
        {"Preemptible VM", "spot"},
        {"harvest capacity", "spot"},
        {"1yr upfront", "reserved-1y"},
        {"36 Monate", "reserved-3y"},
        {"P1Y", "reserved-1y"},
        {"twelve months", "reserved-1y"},
        {"2 weeks", gate_other_term},
        {"3 months ago", "on-demand"},
        {"No Upfront", "on-demand"},
        {"1yr Partial Upfront", "a part of it is paid in advance, which the price leaves out"},
        {"AWS Wavelength Zone", "an edge site or service, not the cloud's own region"},
        {"Los Angeles Edge Zone", "an edge site or service, not the cloud's own region"},
        {"Low|Priority", "on-demand"},
        {"no|spot", "spot"},
        {"", "on-demand"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        CHECK_STR(verdict(cases[i].text, PRICING_ON_DEMAND), cases[i].want);
}

static void test_words_against_a_stated_model(void) {
    CHECK_STR(verdict("x-spot", PRICING_SPOT), "spot");
    CHECK_STR(verdict("reserved", PRICING_RESERVED_3Y), "reserved-3y");
    CHECK_STR(verdict("12 months", PRICING_RESERVED_1Y), "reserved-1y");
    CHECK_STR(verdict("x-spot", PRICING_RESERVED_1Y),
              "its words and its pricing model contradict each other");
    CHECK_STR(verdict("12 months", PRICING_RESERVED_3Y),
              "its words and its pricing model contradict each other");
    CHECK_STR(verdict("contract", PRICING_SPOT), gate_no_term);
}

// Every text of a row passes: its flags too, and a row that is turned away leaves the plain price standing.
static void test_rows_pass_the_gate(void) {
    World w = world();
    FeedRow flagged = plain("a", 10);
    flagged.said = "gcp-dws-calendar-mode";
    FeedRow region = plain("b", 11);
    region.region = "eu (spot)";
    const FeedRow rows[] = {flagged, plain("a", 20), region};
    MarketOutcome out = refresh(&w, "f", rows, 3);
    CHECK_INT(out.rejected, 1);
    CHECK_STR(out.rejects[0].reason, "capacity booked for a time of the calendar");
    CHECK_STR(offers_of(&w, "f"), "a 20; b 11");
    world_free(&w);
}

static bool try_import(World *w, const char *text, const char *const *columns, size_t n, MarketOutcome *out,
                       Err *e) {
    const ImportAsked asked = {.file = "x", .provider = "", .as_of = "", .columns = columns, .n_columns = n};
    return market_import(w->m, "list", "list", str_of(text), &asked, &w->s.arena, out, e);
}

static void test_an_import_names_what_it_does_not_read(void) {
    static const char list[] =
        "provider,gpu,gpu_count,price_per_hour,how,color\nx,mi300x-192gb,8,20,spot,red\n";
    static const char *const read[] = {"how=pricing_model"};
    static const char *const ignore[] = {"HOW=ignore"};
    static const char *const typo[] = {"hwo=ignore"};
    World w = world();
    MarketOutcome out;
    Err e = {0};
    CHECK(!try_import(&w, list, NULL, 0, &out, &e));
    CHECK_INT(e.kind, ERR_USAGE);
    CHECK(text_contains(e.text, "line 2: column 'how' is not read") &&
          text_contains(e.text, "--column 'how=pricing_model'"));
    CHECK_STR(offers_of(&w, "list"), "");
    CHECK(!try_import(&w, list, typo, 1, &out, &e));
    CHECK_INT(e.kind, ERR_USAGE);
    if (!try_import(&w, list, ignore, 1, &out, &e)) FAIL_("%s", e.text);
    CHECK_INT(out.n_ignored, 2);
    CHECK_STR(out.ignored[1], "color");
    if (!try_import(&w, list, read, 1, &out, &e)) FAIL_("%s", e.text);
    CHECK_INT(out.n_ignored, 1);
    world_free(&w);
}

// Yes of a column, a number of months, a value within a list of JSON; and what the row's own columns say too
// is no news.
static void test_unread_columns_of_other_shapes(void) {
    static const char *const refused[] = {
        "provider,gpu,gpu_count,price_per_hour,contract_only\nx,mi300x-192gb,8,20,yes\n",
        "provider,gpu,gpu_count,price_per_hour,min_months\nx,mi300x-192gb,8,20,36\n",
        "provider,gpu,gpu_count,price_per_hour,min_commit\nx,mi300x-192gb,8,20,12\n",
        "provider,gpu,gpu_count,price_per_hour,laufzeit_monate\nx,mi300x-192gb,8,20,36\n",
        "[{\"provider\":\"x\",\"gpu\":\"mi300x-192gb\",\"gpu_count\":8,\"price_per_hour\":20,\"sold\":{\"min_"
        "months\":12}}]",
        "[{\"provider\":\"x\",\"gpu\":\"mi300x-192gb\",\"gpu_count\":8,\"price_per_hour\":20,\"tags\":["
        "\"new\",\"preemptible\"]}]",
        "provider,gpu,gpu_count,price_per_hour,pricing,id\nx,mi300x-192gb,8,20,on_demand,a-spot\n"};
    static const char *const taken[] = {
        "provider,gpu,gpu_count,price_per_hour,pricing,id\nx,mi300x-192gb,8,20,spot,a-spot\n",
        "provider,gpu,gpu_count,price_per_hour,link\nx,mi300x-192gb,8,20,https://example.org/spot/\n",
        "provider,gpu,gpu_count,price_per_hour,contract_only\nx,mi300x-192gb,8,20,no\n",
        "provider,gpu,gpu_count,price_per_hour,contract_id,commit_discount_pct,updated\nx,mi300x-192gb,8,20,"
        "4711,30,3 months ago\n",
        "provider,gpu,gpu_count,price_per_hour,billing\nx,mi300x-192gb,8,20,per hour\n",
        "provider,gpu,gpu_count,price_per_hour,notes\nx,mi300x-192gb,8,20,they also sell it as spot and by "
        "contract\n",
        "provider,gpu,gpu_count,price_per_hour,pricing,commitment_months\nx,mi300x-192gb,8,20,reserved,36\n"};
    World w = world();
    MarketOutcome out;
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        Err e = {0};
        if (try_import(&w, refused[i], NULL, 0, &out, &e) || e.kind != ERR_USAGE) FAIL_("%zu: %s", i, e.text);
    }
    for (size_t i = 0; i < COUNT_OF(taken); i++) {
        Err e = {0};
        if (!try_import(&w, taken[i], NULL, 0, &out, &e)) FAIL_("%zu: %s", i, e.text);
        CHECK_INT(out.rows, 1);
    }
    world_free(&w);
}

static const TestCase tests[] = {
    TEST(words_of_on_demand_prices),
    TEST(words_against_a_stated_model),
    TEST(rows_pass_the_gate),
    TEST(an_import_names_what_it_does_not_read),
    TEST(unread_columns_of_other_shapes),
};
TEST_MAIN(tests)
