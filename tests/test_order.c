// src/fit/order.h by hand: which vendor is called faster, and what a probability that is said of it is worth.
#include "src/fit/order.h"
#include "tests/check.h"
#include "tests/fixture.h"

typedef struct World {
    Gpu gpus[2];
    Measurement rows[16];
    Check checks[16];
    size_t n;
    Facts facts;
    Arena arena;
} World;

static const Constant shares[] = {{.name = "share_hand", .value = 0.5},
                                  {.name = "share_model", .value = 0},
                                  {.name = "share_engine", .value = 0}};

static void start(World *w) {
    *w = (World){.facts = {.constants = shares, .n_constants = 3}};
    w->gpus[0] = gpu_like("n", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    w->gpus[1] = gpu_like("a", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615);
}

static void add(World *w, int gpu, const char *publisher, double load, double measured, double predicted) {
    Measurement *m = &w->rows[w->n];
    *m = (Measurement){.id = "x",
                       .gpu_sku = w->gpus[gpu].sku_id,
                       .gpu_count = 8,
                       .model = "m",
                       .engine = "vllm",
                       .engine_version = "",
                       .scenario = "fixed-concurrency",
                       .task = "serving",
                       .grade = "R",
                       .input_tokens = 100,
                       .output_tokens = 100,
                       .batch_or_concurrency = load,
                       .draft_tokens = "",
                       .output_tokens_per_s = measured,
                       .latency_statistic = "",
                       .date = "2026"};
    Prediction p = {.gpu = &w->gpus[gpu], .unit = "output", .rate = predicted, .sigma_log = 0.1};
    check_row(m, &p, &w->checks[w->n]);
    w->checks[w->n++].publisher = publisher;
}

// A pair: publisher, measured and predicted ratio AMD / NVIDIA.
static void add_pair(World *w, const char *publisher, double measured, double predicted) {
    double load = (double)w->n + 1;
    add(w, 0, publisher, load, 100, 100);
    add(w, 1, publisher, load, 100 * measured, 100 * predicted);
}

static VendorOrder order_of(World *w) {
    VendorOrder order;
    vendor_order(&w->facts, w->checks, w->n, &w->arena, &order);
    return order;
}

static void test_pairs_by_how_far_they_are_apart(void) {
    World w;
    start(&w);
    add_pair(&w, "p", 1.05, 1.5);  // too near to count
    add_pair(&w, "p", 1.2, 1.5);
    add_pair(&w, "p", 1 / 1.2, 1.5);
    add_pair(&w, "q", 2, 1.01);
    VendorOrder o = order_of(&w);
    CHECK_INT(o.apart[0].n, 3);
    CHECK_NEAR(o.apart[0].right_pct, 200.0 / 3, 1e-9);
    CHECK_INT(o.apart[1].n, 2);
    CHECK_NEAR(o.apart[1].right_pct, 50, 1e-9);
    CHECK(!is_known(o.apart[1].error_pct));  // one publisher is no sample
    CHECK_INT(o.apart[2].n, 1);
    CHECK_NEAR(o.apart[2].right_pct, 100, 1e-9);
    CHECK_INT(o.apart[3].n, 0);
    CHECK(!is_known(o.apart[3].right_pct));
    // Clusters p (1 of 2) and q (1 of 1): off by 1 - 2 x 2/3 and 1 - 2/3, so sqrt(2 x 2/9) / 3 = 0.222; as many
    // pairs drawn apart would be as sure as sqrt(2/9 / 3) = 0.272.
    CHECK_INT(o.apart[0].publishers, 2);
    CHECK_NEAR(o.apart[0].error_pct, 100 * sqrt(2.0 / 27), 1e-9);
    arena_free(&w.arena);
}

static void test_only_like_is_paired(void) {
    World w;
    start(&w);
    add_pair(&w, "p", 2, 2);
    add_pair(&w, "p", 2, 2);
    w.rows[3].scenario = "offline";
    add_pair(&w, "p", 2, 2);
    w.rows[5].grade = "D";
    add_pair(&w, "p", 2, 2);
    w.rows[7].held_out = 1;
    add_pair(&w, "p", 2, 2);
    w.rows[9].batch_or_concurrency = UNKNOWN;
    VendorOrder o = order_of(&w);
    CHECK_INT(o.apart[0].n, 1);
    CHECK_INT(o.apart[3].n, 1);  // what is held out stands apart
    CHECK_INT(o.said[0].n + o.said[1].n + o.said[2].n + o.said[3].n, 1);
    arena_free(&w.arena);
}

static void test_said_against_what_came(void) {
    World w;
    start(&w);
    // sigma of the ratio is 0.1 sqrt 2 less the half that one hand has in both, 0.1: a predicted ratio of exp(0.1) is
    // said with 0.841
    double one_sigma = exp(0.1);
    add_pair(&w, "p", 1.01, one_sigma);
    add_pair(&w, "q", 0.99, one_sigma);
    add_pair(&w, "p", 1.3, 10);
    VendorOrder o = order_of(&w);
    CHECK_INT(o.said[0].n, 0);
    CHECK(said_holds(&o.said[0]));
    CHECK_INT(o.said[2].n, 2);
    CHECK_NEAR(o.said[2].said_pct, 84.1345, 1e-3);
    CHECK_NEAR(o.said[2].right_pct, 50, 1e-9);
    CHECK_NEAR(o.said[2].error_pct, 50, 1e-9);
    CHECK(said_holds(&o.said[2]));  // two publishers tell little
    o.said[2].error_pct = 3;
    CHECK(!said_holds(&o.said[2]));
    CHECK_INT(o.said[3].n, 1);
    CHECK_NEAR(o.said[3].said_pct, 100, 1e-3);
    CHECK(said_holds(&o.said[3]));
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(pairs_by_how_far_they_are_apart),
    TEST(only_like_is_paired),
    TEST(said_against_what_came),
};
TEST_MAIN(tests)
