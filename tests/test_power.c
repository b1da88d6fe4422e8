// src/advise: what a limit on the power of boards costs.
#include "tests/advise_world.h"
#include "tests/check.h"

// A limit takes arithmetic and leaves memory its speed: a step that reads weights loses less than the clock does.
static void test_what_a_power_limit_costs(void) {
    World w;
    make(&w);
    run(&w);
    const Option *o = w.advice.best[VENDOR_NVIDIA];
    double board = o->gpu->board_power_w, before = 1;
    CHECK_NEAR(option_share_under(&w.facts, &w.ask, o, board), 1, 1e-12);
    for (double limit = board * 0.9; limit > board * 0.5; limit -= board * 0.1) {
        double share = option_share_under(&w.facts, &w.ask, o, limit);
        CHECK(share < before && share > capped_clock(&w.facts, o->gpu, limit));
        before = share;
    }
    CHECK(isnan(option_share_under(&w.facts, &w.ask, o, 1)));  // below what it takes when idle
    w.ask.workload.kind = KIND_TRAIN;
    CHECK(isnan(option_share_under(&w.facts, &w.ask, o, board * 0.7)));
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(what_a_power_limit_costs),
};
TEST_MAIN(tests)
