// src/advise: cost arithmetic, filters, ranking, whole instances, ties, turning points.
#include "src/advise/advise.h"
#include "src/advise/search.h"
#include "src/perf/task.h"
#include "tests/advise_world.h"
#include "tests/check.h"

static void test_cost_arithmetic(void) {
    CHECK_NEAR(usd_per_mtok(2.90, 19500), 0.0413, 2e-3);
    CHECK_NEAR(usd_per_mtok(1.75, 18000), 0.0270, 2e-3);
    CHECK(isnan(usd_per_mtok(0, 100)));  // a price of 0 is unknown, never free
    CHECK(isnan(usd_per_mtok(1, 0)));
    CHECK(isnan(usd_per_mtok(UNKNOWN, 1)));
}

static void test_money_has_three_digits(void) {
    Arena a = {0};
    static const struct {
        double usd;
        const char *text;
    } cases[] = {{12345.4, "$12,345"},   {-2.5, "-$2.50"},          {0.3444, "$0.344"}, {0.01234, "$0.0123"},
                 {0.00074, "$0.000740"}, {0.0000123, "$0.0000123"}, {0, "$0.0000"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) CHECK_STR(usd_text(&a, cases[i].usd), cases[i].text);
    arena_free(&a);
}

static void test_options_are_consistent(void) {
    World w;
    make(&w);
    run(&w);
    CHECK_INT(w.advice.n_options, 2);
    for (size_t i = 0; i < w.advice.n_options; i++) {
        const Option *o = &w.advice.options[i];
        double e2e_s = (o->ttft_p50_ms.value + 511 * o->tpot_ms.value) / 1000;
        CHECK_NEAR(o->output_tokens_s.value, o->concurrency * 512 / e2e_s, 0.02);
        CHECK_NEAR(o->output_usd_mtok.value, o->price_usd_h / 3600 / o->output_tokens_s.value * 1e6, 1e-9);
        CHECK_NEAR(o->blended_usd_mtok.value * 3, o->output_usd_mtok.value, 1e-9);  // 1,024 in and 512 out
        // what a request costs by its input tokens is the share of its time that prefill takes
        double prefill_share = o->point.item_s[TIME_PREFILL] * 512 / o->point.e2e_s;
        CHECK_NEAR(o->input_usd_mtok.value * 1024, o->output_usd_mtok.value * 512 * prefill_share, 1e-9);
        CHECK_INT(o->gpu_count, 8 * o->instances);
        CHECK_INT(o->replicas * o->layout.tp * o->layout.pp <= o->gpu_count, 1);
        CHECK_NEAR(o->price_usd_gpu_h * o->gpu_count, o->price_usd_h, 1e-9);
        CHECK(o->saturated_output_usd_mtok.value <= o->output_usd_mtok.value * (1 + 1e-9));
        CHECK(o->memory_used_pct > 0 && o->memory_used_pct <= 100);
    }
    CHECK(w.advice.options[0].cost <= w.advice.options[1].cost);
    CHECK(w.advice.best[VENDOR_NVIDIA]->gpu == &w.gpus[0]);
    CHECK(w.advice.best[VENDOR_AMD]->gpu == &w.gpus[1]);
    arena_free(&w.arena);
}

static void test_doubled_prices_double_costs(void) {
    World w, d;
    make(&w);
    make(&d);
    for (int i = 0; i < 2; i++) d.offers[i].price_micro_usd_h *= 2;
    run(&w);
    run(&d);
    for (size_t i = 0; i < 2; i++) CHECK_NEAR(d.advice.options[i].cost, 2 * w.advice.options[i].cost, 1e-12);
    CHECK_INT(d.advice.verdict.winner, w.advice.verdict.winner);
    CHECK_NEAR(d.advice.verdict.probability, w.advice.verdict.probability, 1e-12);
    arena_free(&w.arena);
    arena_free(&d.arena);
}

// Half of the hours used: a token costs twice as much. A GPU that is always full is not paid for hours that it stands.
static void test_hours_unused_are_paid(void) {
    World w, half;
    make(&w);
    make(&half);
    half.ask.workload.duty_cycle = 0.5;
    run(&w);
    run(&half);
    for (size_t i = 0; i < 2; i++) {
        const Option *whole = &w.advice.options[i], *o = &half.advice.options[i];
        CHECK_NEAR(o->output_usd_mtok.value, 2 * whole->output_usd_mtok.value, 1e-9);
        CHECK_NEAR(o->saturated_output_usd_mtok.value, whole->saturated_output_usd_mtok.value, 1e-9);
    }
    arena_free(&w.arena);
    arena_free(&half.arena);
}

static void test_of_equal_costs_the_newer_price_is_best(void) {
    World w;
    make(&w);
    w.facts.n_offers = 3;
    w.offers[2] = offer("zeta", "h100", 8, 20), w.offers[2].as_of = "2026-11-25";
    run(&w);
    CHECK_STR(w.advice.best[VENDOR_NVIDIA]->offer->provider, "zeta");
    arena_free(&w.arena);
}

static void test_more_load_takes_more_instances(void) {
    World w;
    make(&w);
    w.ask.workload.concurrency = 20000;
    w.ask.workload.tpot_ms = 60;
    run(&w);
    const Option *o = &w.advice.options[0];
    CHECK(o->instances > 1);
    CHECK(o->tpot_ms.value * 1.15 <= 60);
    CHECK_NEAR(o->price_usd_h, o->instances * (o->gpu->vendor == VENDOR_AMD ? 16.0 : 20.0), 1e-9);
    w.ask.gpus_max = 8;
    arena_free(&w.arena);
    run(&w);
    CHECK_INT(w.advice.n_options, 0);
    CHECK_INT(w.advice.verdict.winner, WINNER_NEITHER);
    CHECK_INT(excluded(&w.advice, "instance too small, or more GPUs needed than allowed"), 2);
    arena_free(&w.arena);
}

static void test_rate_is_served_with_room(void) {
    World w;
    make(&w);
    w.ask.workload.concurrency = UNKNOWN;
    w.ask.workload.rate_rps = 10;
    run(&w);
    const Option *o = &w.advice.options[0];
    CHECK_NEAR(o->output_tokens_s.value, 5120, 1e-9);
    double e2e_s = (o->ttft_p50_ms.value + 511 * o->tpot_ms.value) / 1000;
    CHECK_NEAR(o->concurrency, 10 * e2e_s, 0.02);
    arena_free(&w.arena);
}

static void test_slo_is_kept_or_said(void) {
    World w;
    make(&w);
    w.ask.workload.tpot_ms = 1;
    run(&w);
    CHECK_INT(w.advice.n_options, 0);
    CHECK(excluded(&w.advice, serve_status_names[SERVE_NO_SLO]) > 0);
    CHECK(excluded(&w.advice, serve_status_names[SERVE_NO_MEMORY]) > 0);  // 141 GB on one H100
    arena_free(&w.arena);
}

// A limit on TTFT between the median and the 99th percentile of what would be cheapest: more replicas, until the percentile
// keeps it.
static void test_limits_are_of_percentiles(void) {
    World w;
    make(&w);
    w.ask.workload.concurrency = UNKNOWN;
    w.ask.workload.rate_rps = 20;
    run(&w);
    const Point *p = &w.advice.options[0].point;
    double limit = (p->ttft_s + p->ttft_p99_s) / 2;
    w.ask.workload.ttft_p99_ms = limit * 1000;
    run(&w);
    CHECK(w.advice.n_options > 0);
    for (size_t i = 0; i < w.advice.n_options; i++) CHECK(w.advice.options[i].point.ttft_p99_s <= limit);
    arena_free(&w.arena);
}

static void test_filters(void) {
    World w;
    make(&w);
    w.facts.n_offers = 8;
    w.offers[2] = offer("north", "h100", 8, 10), w.offers[2].standing = STANDING_SUPERSEDED;
    w.offers[3] = offer("east", "h100", 8, 10), w.offers[3].pricing_model = PRICING_SPOT;
    w.offers[4] = offer("east", "h100", UNKNOWN, 1);
    w.offers[5] = offer("east", "", 8, 1);
    w.offers[6] = offer("east", "h100", 0.5, 1);
    w.offers[7] = offer("east", "h100", 8, 12), w.offers[7].as_of = "2025-01";
    w.ask.max_age_days = 30;
    run(&w);
    CHECK_INT(w.advice.n_options, 2);
    CHECK_INT(excluded(&w.advice, "price replaced by a newer one"), 1);
    CHECK_INT(excluded(&w.advice, "filter: other pricing model"), 1);
    CHECK_INT(excluded(&w.advice, "list price without a rentable instance"), 1);
    CHECK_INT(excluded(&w.advice, "GPU not in the catalog"), 1);
    CHECK_INT(excluded(&w.advice, "slice of a GPU"), 1);
    CHECK_INT(excluded(&w.advice, "price older than --max-age"), 1);
    CHECK_INT(w.advice.offers_too_old, 1);
    CHECK(!w.advice.nothing_but_age);
    w.ask.max_age_days = 1;
    run(&w);
    CHECK(w.advice.nothing_but_age);
    arena_free(&w.arena);
}

static void test_vendor_and_price_filters(void) {
    World w;
    make(&w);
    w.ask.vendor = VENDOR_AMD;
    run(&w);
    CHECK(w.advice.best[VENDOR_NVIDIA] == NULL);
    // A filter is no defeat of who was left out.
    CHECK_INT(w.advice.verdict.winner, WINNER_UNKNOWN);
    CHECK(w.advice.verdict.filtered && w.advice.verdict.unknown_because[0] != '\0');
    CHECK(isnan(w.advice.verdict.probability));  // nothing to compare with
    w.ask.vendor = -1;
    w.ask.max_price_usd_gpu_h = 2.2;
    run(&w);
    CHECK(w.advice.best[VENDOR_NVIDIA] == NULL);
    w.ask.max_price_usd_gpu_h = UNKNOWN;
    w.ask.discounts[0] = (Discount){"north", 50};
    w.ask.n_discounts = 1;
    run(&w);
    CHECK_NEAR(w.advice.best[VENDOR_NVIDIA]->price_usd_h, 10, 1e-9);
    arena_free(&w.arena);
}

static void test_lists_of_names(void) {
    World w;
    make(&w);
    w.offers[2] = offer("east", "mi300x", 8, 17);
    w.facts.n_offers = 3;
    w.ask.gpus = (Names){{"h100", "mi300x"}, 2};
    w.ask.without_providers = (Names){{"south"}, 1};
    run(&w);
    CHECK(w.advice.best[VENDOR_NVIDIA] != NULL);
    CHECK_STR(w.advice.best[VENDOR_AMD]->offer->provider, "east");
    CHECK_INT(excluded(&w.advice, "filter: provider left out"), 1);
    w.ask.without_gpus = (Names){{"mi300x"}, 1};
    run(&w);
    CHECK(w.advice.best[VENDOR_AMD] == NULL);
    CHECK_INT(excluded(&w.advice, "filter: GPU left out"), 2);
    CHECK_INT(excluded(&w.advice, "no offer that passes the filters"), 0);
    w.ask.without_gpus.n = 0;
    w.ask.providers = (Names){{"north", "nobody"}, 2};
    run(&w);
    CHECK(w.advice.best[VENDOR_AMD] == NULL);
    CHECK_INT(excluded(&w.advice, "filter: other provider"), 2);
    arena_free(&w.arena);
}

static void test_usual_weights(void) {
    World w;
    make(&w);
    static const Checkpoint rows[] = {
        {"llama-70b", DTYPE_INT4, "owner/awq", MAKER_OWNER, "test", ""},
        {"llama-70b", DTYPE_FP8, "owner/fp8", MAKER_OWNER, "test", ""},
        {"llama-70b", DTYPE_INT8, "other/w8a8", MAKER_THIRD_PARTY, "test", ""},
        {"another", DTYPE_INT8, "owner/int8", MAKER_OWNER, "test", ""},
    };
    CHECK_STR(usual_weights(&w.facts, &w.model, &w.arena), "bf16");
    w.facts.checkpoints = rows;
    w.facts.n_checkpoints = COUNT_OF(rows);
    CHECK_STR(usual_weights(&w.facts, &w.model, &w.arena), "fp8 bf16");
    run(&w);
    CHECK_INT(w.advice.n_checkpoints, 3);
    arena_free(&w.arena);
}

static void test_tie_when_the_range_holds_one(void) {
    World w;
    make(&w);
    run(&w);
    double ratio = w.advice.best[VENDOR_AMD]->cost / w.advice.best[VENDOR_NVIDIA]->cost;
    w.offers[1].price_micro_usd_h = (int64_t)(16e6 / ratio);  // equal costs
    run(&w);
    CHECK_INT(w.advice.verdict.winner, WINNER_TIE);
    CHECK_NEAR(w.advice.verdict.probability, 0.5, 1e-3);
    // sigma 0.2 each, 0.3 + 0.15 shared (model, engine): sd 0.2 x sqrt(2 - 0.9), 80 % half width 0.269.
    double mean = 0, sigma = 0;
    cost_ratio(&w.facts, w.advice.best[VENDOR_AMD], w.advice.best[VENDOR_NVIDIA], &mean, &sigma);
    CHECK_NEAR(sigma, 0.2 * sqrt(1.1), 1e-9);
    w.offers[1].price_micro_usd_h = (int64_t)(16e6 / ratio * exp(-0.27));
    run(&w);
    CHECK_INT(w.advice.verdict.winner, WINNER_AMD);
    w.offers[1].price_micro_usd_h = (int64_t)(16e6 / ratio * exp(-0.268));
    run(&w);
    CHECK_INT(w.advice.verdict.winner, WINNER_TIE);
    w.offers[1].price_micro_usd_h = (int64_t)(16e6 / ratio * exp(0.27));
    run(&w);
    CHECK_INT(w.advice.verdict.winner, WINNER_NVIDIA);
    arena_free(&w.arena);
}

static void test_same_configuration_cheaper_price_wins(void) {
    World w;
    make(&w);
    w.offers[1] = offer("south", "h100", 8, 19.99);
    run(&w);
    double mean = 0, sigma = 1;
    cost_ratio(&w.facts, &w.advice.options[0], &w.advice.options[1], &mean, &sigma);
    CHECK_STR(w.advice.options[0].offer->provider, "south");
    CHECK(mean < 0);
    CHECK_NEAR(sigma, 0, 1e-12);
    arena_free(&w.arena);
}

static void test_price_at_the_turning_point_makes_costs_equal(void) {
    World w;
    make(&w);
    run(&w);
    CHECK(w.advice.n_sensitivities >= 2);  // the prices come first
    for (int i = 0; i < 2; i++) {
        World v;
        make(&v);
        v.offers[i].price_micro_usd_h = (int64_t)(w.advice.sensitivities[i].flip * 8 * 1e6 + 0.5);
        run(&v);
        CHECK_NEAR(v.advice.best[VENDOR_AMD]->cost, v.advice.best[VENDOR_NVIDIA]->cost, 1e-5);
        arena_free(&v.arena);
    }
    arena_free(&w.arena);
}

static void test_price_of_one_offer_does_not_flip_what_another_holds(void) {
    World w;
    make(&w);
    run(&w);
    // index of the cheaper vendor's offer
    int cheap = w.advice.best[VENDOR_AMD]->cost < w.advice.best[VENDOR_NVIDIA]->cost;
    w.offers[2] = w.offers[cheap], w.offers[2].provider = "third", w.offers[2].price_micro_usd_h += 10000;
    w.facts.n_offers = 3;
    run(&w);
    for (size_t i = 0; i < 2; i++) {
        bool held = w.advice.sensitivities[i].value < w.advice.sensitivities[i].flip ||
                    isnan(w.advice.sensitivities[i].flip);
        if (held) CHECK(isnan(w.advice.sensitivities[i].flip));
    }
    CHECK(isnan(w.advice.sensitivities[cheap].flip));
    arena_free(&w.arena);
}

static void test_verdict_changes_where_it_is_said_to(void) {
    World w;
    make(&w);
    run(&w);
    for (int i = 0; i < 2; i++) {
        double at = w.advice.sensitivities[i].verdict_changes;
        if (isnan(at)) continue;
        for (int side = -1; side <= 1; side += 2) {
            World v;
            make(&v);
            v.offers[i].price_micro_usd_h = (int64_t)(at * (1 + side * 1e-4) * 8 * 1e6);
            run(&v);
            bool beyond = (side > 0) == (at > w.advice.sensitivities[i].value);
            CHECK_INT(v.advice.verdict.winner != w.advice.verdict.winner, beyond);
            arena_free(&v.arena);
        }
    }
    arena_free(&w.arena);
}

static void test_what_is_not_to_be_had_is_left_out(void) {
    World w;
    make(&w);
    w.offers[1].available = AVAILABLE_NO;
    run(&w);
    CHECK(w.advice.best[VENDOR_AMD] == NULL);
    CHECK_INT(excluded(&w.advice, "listed, but not to be had when it was seen"), 1);
    arena_free(&w.arena);
}

static void test_ranges_keep_to_physics(void) {
    World w;
    make(&w);
    w.ask.workload.concurrency = 1;
    run(&w);
    for (size_t i = 0; i < w.advice.n_options; i++) {
        const Option *o = &w.advice.options[i];
        CHECK(o->output_tokens_s.high <= serving_bound(&o->serving, 1) * (1 + 1e-9));
        CHECK_NEAR(o->output_usd_mtok.low, usd_per_mtok(o->price_usd_h, o->output_tokens_s.high), 1e-9);
        CHECK_NEAR(o->output_usd_mtok.high, usd_per_mtok(o->price_usd_h, o->output_tokens_s.low), 1e-9);
    }
    arena_free(&w.arena);
}

static void test_cheapest_offer_of_each_provider(void) {
    World w;
    make(&w);
    w.offers[2] = offer("north", "h100", 8, 18);
    w.facts.n_offers = 3;
    run(&w);
    CHECK_INT(w.advice.n_options, 2);
    CHECK_NEAR(w.advice.best[VENDOR_NVIDIA]->price_usd_h, 18, 1e-9);
    CHECK_INT(excluded(&w.advice, "dearer region or instance of the same provider"), 1);
    arena_free(&w.arena);
}

static void test_top_keeps_the_best_of_each_vendor(void) {
    World w;
    make(&w);
    w.ask.top = 1;
    run(&w);
    CHECK_INT(w.advice.n_options, 2);
    CHECK(w.advice.best[0] != NULL && w.advice.best[1] != NULL);
    arena_free(&w.arena);
}

static void test_pareto_options_beat_each_other(void) {
    World w;
    make(&w);
    w.ask.pareto = true;
    w.facts.n_offers = 3;
    w.offers[2] = offer("zeta", "h100", 8, 20);  // as good as north's: one of them is enough
    w.ask.workload.concurrency = UNKNOWN;  // full batches: layouts trade tokens a dollar for time per token
    run(&w);
    const Advice *a = &w.advice;
    CHECK(a->n_options > 2);
    for (size_t i = 0; i < a->n_options; i++) {
        for (size_t k = 0; k < i; k++) {
            if (a->options[i].gpu->vendor == a->options[k].gpu->vendor)
                CHECK(a->options[i].tpot_ms.value < a->options[k].tpot_ms.value);
        }
    }
    arena_free(&w.arena);
}

static void test_no_lengths_is_refused(void) {
    World w;
    make(&w);
    w.ask.workload.isl_tokens = UNKNOWN;
    Err e = {0};
    CHECK(!advise(&w.facts, &w.ask, &w.arena, &w.advice, &e));
    CHECK_INT(e.kind, ERR_USAGE);
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(cost_arithmetic),
    TEST(money_has_three_digits),
    TEST(options_are_consistent),
    TEST(doubled_prices_double_costs),
    TEST(hours_unused_are_paid),
    TEST(of_equal_costs_the_newer_price_is_best),
    TEST(more_load_takes_more_instances),
    TEST(rate_is_served_with_room),
    TEST(slo_is_kept_or_said),
    TEST(limits_are_of_percentiles),
    TEST(filters),
    TEST(vendor_and_price_filters),
    TEST(lists_of_names),
    TEST(usual_weights),
    TEST(tie_when_the_range_holds_one),
    TEST(same_configuration_cheaper_price_wins),
    TEST(price_at_the_turning_point_makes_costs_equal),
    TEST(price_of_one_offer_does_not_flip_what_another_holds),
    TEST(verdict_changes_where_it_is_said_to),
    TEST(what_is_not_to_be_had_is_left_out),
    TEST(ranges_keep_to_physics),
    TEST(cheapest_offer_of_each_provider),
    TEST(top_keeps_the_best_of_each_vendor),
    TEST(pareto_options_beat_each_other),
    TEST(no_lengths_is_refused),
};
TEST_MAIN(tests)
