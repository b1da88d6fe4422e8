// src/advise: how many GPUs of a fleet and of a site, today's own, and layouts over many nodes.
#include "src/advise/advise.h"
#include "src/advise/search.h"
#include "src/perf/task.h"
#include "tests/advise_world.h"
#include "tests/check.h"

static void test_a_fleet_is_filled(void) {
    World w;
    make(&w);
    w.ask.fleet = 16;
    w.ask.workload.concurrency = UNKNOWN;
    w.ask.workload.tpot_ms = 60;
    w.offers[2] = offer("north", "h100", 6, 1);  // 16 is no multiple of it
    w.facts.n_offers = 3;
    run(&w);
    CHECK_INT(excluded(&w.advice, "filter: the fleet is no whole number of such instances"), 1);
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = w.advice.best[v];
        CHECK_INT(o->gpu_count, 16);
        CHECK_INT(o->instances, 2);
        CHECK_NEAR(o->output_usd_mtok.value, o->saturated_output_usd_mtok.value, 1e-9);
        double each = o->concurrency / o->replicas;
        CHECK(1000 * serving_at(&o->serving, each).tpot_p99_s <= 60);
        CHECK(1000 * serving_at(&o->serving, each + 1).tpot_p99_s > 60 ||
              serving_at(&o->serving, each + 1).queued);
    }
    arena_free(&w.arena);
}

static void test_what_runs_today_is_paid_whole(void) {
    World w;
    make(&w);
    w.ask.current = &w.gpus[0];
    w.ask.current_usd_gpu_h = 3;
    w.ask.current_gpus = 24;
    w.ask.workload.concurrency = 2;
    run(&w);
    CHECK(w.advice.current != NULL && w.advice.current_unfit == NULL);
    CHECK_INT(w.advice.current->gpu_count, 24);
    CHECK_INT(w.advice.current->instances, 3);
    CHECK_NEAR(w.advice.costs[VENDOR_COUNT].usd_month.value, 24 * 3 * 730, 1e-3);
    w.ask.current_gpus = 1;
    run(&w);
    CHECK(w.advice.current == NULL);
    CHECK(strstr(w.advice.current_unfit,
                 "your 1 x h100 do not hold llama-70b in bf16: weights 141 GB, usable ") != NULL);
    w.ask.current_gpus = 4;
    w.ask.workload.concurrency = 100000;
    run(&w);
    CHECK(w.advice.current == NULL);
    CHECK(strstr(w.advice.current_unfit, "requests in flight within the limits; 100000 are asked") != NULL);
    arena_free(&w.arena);
}

static void test_power_of_the_site(void) {
    World w;
    make(&w);
    w.gpus[0].board_power_w = 700;
    w.gpus[1].board_power_w = 750;
    static const Assumption assumed[] = {{.name = "host_power_factor", .value = 2, .source = "test"},
                                         {.name = "pue", .value = 1.5, .source = "test"}};
    w.facts.assumptions = assumed;
    w.facts.n_assumptions = 2;
    w.ask.site_kw = 8 * 0.7 * 2 * 1.5 + 0.01;  // 8 x H100, and 8 x MI300X are more
    run(&w);
    CHECK(w.advice.best[VENDOR_NVIDIA] != NULL);
    CHECK(w.advice.best[VENDOR_AMD] == NULL);
    CHECK_INT(excluded(&w.advice, "filter: takes more power than the site has"), 1);
    w.gpus[0].board_power_w = UNKNOWN;  // cannot be promised
    run(&w);
    CHECK(w.advice.best[VENDOR_NVIDIA] == NULL);
    arena_free(&w.arena);
}

// How many options spread experts over replicas, each checked: whole groups of replicas, on one node.
static size_t spread_options(double step_ratio, LinkTopology links, double gpus) {
    World w;
    make(&w);
    w.model = mixtral();
    w.ask.workload.concurrency = 2048;
    EngineLimits limits = w.facts.engine_limits[0];
    limits.spread_step_ratio = step_ratio;
    w.facts.engine_limits = &limits;
    for (int i = 0; i < 2; i++) {
        w.gpus[i].link_topology = links;
        w.offers[i].gpu_count = gpus;
    }
    run(&w);
    size_t n = 0;
    CHECK(w.advice.n_options > 0);
    for (size_t i = 0; i < w.advice.n_options; i++) {
        const Option *o = &w.advice.options[i];
        const Layout *l = &o->layout;
        CHECK_INT(l->ep, l->dp > 1 ? l->tp * l->dp : 1);
        CHECK(l->ep <= NODE_GPUS);
        CHECK_INT(o->replicas % l->dp, 0);
        CHECK(o->replicas * l->tp * l->pp <= o->gpu_count);
        n += l->ep > 1;
    }
    arena_free(&w.arena);
    return n;
}

static void test_experts_are_spread_where_that_pays(void) {
    CHECK(spread_options(0.2, LINK_SWITCH, 8) > 0);
    CHECK(spread_options(0.2, LINK_MESH, 6) > 0);
    CHECK_INT(spread_options(0.2, LINK_PAIR, 8), 0);
    CHECK_INT(spread_options(9, LINK_SWITCH, 8), 0);
    CHECK_INT(spread_options(UNKNOWN, LINK_SWITCH, 8), 0);
}

// Training that does not fit one node takes the fewest that hold it, where nodes may be joined; no range is
// faster than the peak.
static void test_training_takes_the_nodes_that_it_needs(void) {
    static const TaskEfficiency shifts[] = {
        {TASK_ALL, "*", 3, UNKNOWN, 9, "", "test", "2026"},
        {TASK_SPREAD, "train", 0, 0.5, 9, "h100 mi300x", "test", "2026"},
    };
    World w;
    make(&w);
    w.facts.task_efficiency = shifts, w.facts.n_task_efficiency = COUNT_OF(shifts);
    w.ask.workload.kind = KIND_TRAIN, w.ask.workload.tokens_total = 1e9, w.ask.workload.isl_tokens = 4096;
    w.gpus[0].link_topology = LINK_SWITCH, w.gpus[1].link_topology = LINK_PAIR;
    run(&w);
    for (size_t i = 0; i < w.advice.n_options; i++) {
        const Option *o = &w.advice.options[i];
        CHECK_INT(o->gpu_count, 8 * o->instances);
        // 16 bytes of each of 70.6 billion parameters, and activations
        CHECK_INT(o->instances, o->gpu == &w.gpus[0] ? 3 : 1);
        CHECK_NEAR(o->price_usd_h, (o->gpu == &w.gpus[0] ? 60 : 16), 1e-9);
        CHECK(o->train_tokens_s.high * train_token_flops(&w.model, 4096, false) <=
              o->gpu_count * gpu_peak_flops(o->gpu, DTYPE_BF16) * (1 + 1e-9));
        CHECK_NEAR(o->usd_total.low, o->hours_total.low * o->price_usd_h, 1e-9);
        CHECK(o->basis == BASIS_EXTRAPOLATED || o->instances == 1);
    }
    CHECK_INT(w.advice.n_options, 2);
    w.ask.gpus_max = 16;
    run(&w);
    CHECK_INT(w.advice.n_options, 1);
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(a_fleet_is_filled),
    TEST(what_runs_today_is_paid_whole),
    TEST(power_of_the_site),
    TEST(experts_are_spread_where_that_pays),
    TEST(training_takes_the_nodes_that_it_needs),
};
TEST_MAIN(tests)
