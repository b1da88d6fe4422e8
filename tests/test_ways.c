// Ways to serve beyond whole prompts and single tokens: speculation, prefix cache, experts over replicas,
// power caps, two pools.
#include "tests/check.h"
#include "tests/fixture.h"

static Gpu h100(void) { return gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979); }

static void test_kept_tokens_are_a_geometric_sum(void) {
    Facts f = fixture_facts(NULL, 0);
    CHECK_NEAR(usual_accepted(&f, 1), 1.5, 1e-12);  // 1 + 1/2
    CHECK_NEAR(usual_accepted(&f, 3), 1.875, 1e-12);
}

static void test_speculation_verifies_all_and_keeps_some(void) {
    Gpu g = h100();
    Model m = llama_70b();
    Layout two = {2, 1, 1, 1};
    Serving plain, s;
    CHECK_INT(resolve_fp8(&g, &m, two, (ServeTechniques){0}, 1000, 1001, &plain), SERVE_OK);
    CHECK_INT(resolve_fp8(&g, &m, two, (ServeTechniques){.draft_tokens = 3, .accepted_tokens = 2.5}, 1000,
                          1001, &s),
              SERVE_OK);
    double before[TIME_COUNT], after[TIME_COUNT];
    serving_step_items(&plain, 1, before);
    double step = serving_step_items(&s, 1, after);
    // Three passes through one more layer of 80 and the head of 128,256 x 8,192 x 2 bytes, at 0.75 of 2 x
    // 3,350 GB/s.
    double layer = before[TIME_WEIGHTS] / 80, head = 128256.0 * 8192 * 2 / (0.75 * 6700e9);
    // the maximum with compute is a smooth one
    CHECK_NEAR(after[TIME_WEIGHTS], before[TIME_WEIGHTS] + 3 * (layer + head), 1e-3);
    CHECK_NEAR(after[TIME_KV], before[TIME_KV], 1e-12);
    CHECK_NEAR(after[TIME_LAUNCH], 80 * 70e-6 * (1 + 3.0 / 80), 1e-9);
    Point p = serving_at(&s, 1);
    CHECK_NEAR(p.tpot_s, step / 2.5, 1e-3);
    CHECK(p.output_tokens_s > 2 * serving_at(&plain, 1).output_tokens_s);
    // Four times the arithmetic: no help to a batch that arithmetic binds.
    CHECK(serving_at(&s, 1000).output_tokens_s < serving_at(&plain, 1000).output_tokens_s);
    // A layer's weights besides, and more doubt where nobody counted what is kept.
    CHECK_NEAR(s.weight_bytes, plain.weight_bytes * (1 + 1.0 / 80), 1e-12);
    CHECK_NEAR(s.sigma_log, sqrt(0.2 * 0.2 + 0.1 * 0.1), 1e-12);
    CHECK_INT(s.basis, BASIS_EXTRAPOLATED);
    CHECK_INT(resolve_fp8(&g, &m, two, (ServeTechniques){.draft_tokens = 3}, 1000, 1001, &s), SERVE_OK);
    CHECK_NEAR(s.kept, 1.875, 1e-12);
    CHECK_NEAR(s.sigma_log, sqrt(0.2 * 0.2 + 0.3 * 0.3), 1e-12);
}

static void test_speculation_stays_below_physics(void) {
    Gpu g = h100();
    Model models[] = {llama_70b(), mixtral()};
    for (int i = 0; i < 2 * 6 * 4; i++) {
        Serving s;
        double drafts = i % 6;
        if (resolve_fp8(
                &g, &models[i % 2], (Layout){4, 1, 1, 1},
                (ServeTechniques){.draft_tokens = drafts, .accepted_tokens = drafts > 0 ? 1 + drafts : 0},
                500, 500, &s) != SERVE_OK)
            continue;
        double running = 1 << (2 * (i % 4));
        CHECK(serving_at(&s, running).output_tokens_s <= serving_bound(&s, running));
    }
}

static void test_cached_part_of_a_prompt_spares_its_work(void) {
    Gpu g = h100();
    Model m = llama_70b();
    Serving none, half, all;
    CHECK_INT(resolve_fp8(&g, &m, (Layout){2, 1, 1, 1}, (ServeTechniques){0}, 8000, 500, &none), SERVE_OK);
    CHECK_INT(
        resolve_fp8(&g, &m, (Layout){2, 1, 1, 1}, (ServeTechniques){.cached_share = 0.5}, 8000, 500, &half),
        SERVE_OK);
    CHECK_INT(
        resolve_fp8(&g, &m, (Layout){2, 1, 1, 1}, (ServeTechniques){.cached_share = 1}, 8000, 500, &all),
        SERVE_OK);
    // Half of the tokens, and three quarters of the pairs: 8,000^2 / 2 - 4,000^2 / 2.
    double whole = 8000 * model_token_flops(&m) + model_prompt_attention_flops(&m, 8000);
    double left = 4000 * model_token_flops(&m) + 0.75 * model_prompt_attention_flops(&m, 8000);
    CHECK_NEAR(serving_roof(&half, 10).flops - serving_roof(&all, 10).flops, 10 * left / 500, 1e-9);
    CHECK_NEAR(serving_roof(&none, 10).flops - serving_roof(&all, 10).flops, 10 * whole / 500, 1e-9);
    CHECK(serving_at(&none, 16).output_tokens_s < serving_at(&half, 16).output_tokens_s);
    CHECK(serving_at(&half, 16).output_tokens_s < serving_at(&all, 16).output_tokens_s);
    CHECK(serving_at(&half, 16).ttft_s < serving_at(&none, 16).ttft_s);
    // what is shared is not known: each sequence counts whole
    CHECK_NEAR(half.sequences_max, none.sequences_max, 1e-12);
}

static void test_experts_over_replicas_exchange_tokens(void) {
    Gpu g = h100();
    Model m = mixtral();
    Serving one, four, nodes;
    CHECK_INT(resolve_fp8(&g, &m, (Layout){1, 1, 1, 4}, (ServeTechniques){0}, 100, 100, &one), SERVE_OK);
    CHECK_INT(resolve_fp8(&g, &m, (Layout){1, 1, 4, 4}, (ServeTechniques){0}, 100, 100, &four), SERVE_OK);
    CHECK_NEAR(one.weight_bytes - four.weight_bytes, 0.75 * 45097156608.0, 1e-9);
    double items[TIME_COUNT];
    serving_step_items(&one, 64, items);
    CHECK_NEAR(items[TIME_LINK], 0, 0);
    serving_step_items(&four, 64, items);
    // 64 tokens x 32 layers x there and back x 2 experts x 4,096 x 2 bytes, three quarters to others, at 0.3
    // of 450 GB/s.
    CHECK_NEAR(items[TIME_LINK], 64.0 * 32 * 2 * 2 * 4096 * 2 * 0.75 / (0.3 * 450e9), 1e-9);
    m.experts = 32;
    CHECK_INT(resolve_fp8(&g, &m, (Layout){8, 1, 32, 4}, (ServeTechniques){0}, 100, 100, &nodes), SERVE_OK);
    CHECK_INT(nodes.expert_ranks, 4);
    serving_step_items(&nodes, 64, items);
    // A token's all-reduces of attention alone, 2 x 7/8 of 8,192 bytes; three quarters of the exchange leave
    // the node at 50 GB/s.
    double reduce = 64.0 * 32 * 8192 * 2 * 7 / 8 / 450e9,
           all_to_all = 8.0 * 32 * 2 * 16384 * 31 / 32 * (0.25 / 450e9 + 0.75 / 50e9);
    CHECK_NEAR(items[TIME_LINK], (reduce + all_to_all) / 0.3, 1e-9);
    CHECK(nodes.sigma_log > four.sigma_log);
    CHECK(four.sigma_log > one.sigma_log);
}

static void test_tensor_parallelism_over_nodes_takes_the_network(void) {
    Gpu g = h100();
    Model m = llama_70b();
    Serving one, two;
    CHECK_INT(resolve_fp8(&g, &m, (Layout){8, 1, 1, 1}, (ServeTechniques){0}, 100, 100, &one), SERVE_OK);
    CHECK_INT(resolve_fp8(&g, &m, (Layout){16, 1, 1, 1}, (ServeTechniques){0}, 100, 100, &two), SERVE_OK);
    double near[TIME_COUNT], far[TIME_COUNT];
    serving_step_items(&one, 64, near);
    serving_step_items(&two, 64, far);
    // Between two nodes one half of each GPU's eighth goes either way: 64 tokens x 160 all-reduces x 8,192 x
    // 2 bytes, at 50 GB/s.
    double share = near[TIME_LINK] / (64.0 * 160 * 8192 * 2 * 2 * 7 / 8 / 450e9);
    CHECK_NEAR(far[TIME_LINK] - near[TIME_LINK], share * 64 * 160 * 8192 * 2 / 8 / 50e9, 1e-9);
    CHECK(two.sigma_log > one.sigma_log);
}

static void test_replicas_that_share_experts_step_together(void) {
    Gpu g = h100();
    Model m = mixtral();
    Facts f = fixture_facts(&g, 1);
    EngineLimits limits = f.engine_limits[0];
    f.engine_limits = &limits;
    ServingWant want = {.gpu = &g,
                        .model = &m,
                        .engine = "vllm",
                        .layout = {1, 1, 4, 4},
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_FP8,
                        .isl = 100,
                        .osl = 100};
    Serving s;
    CHECK_INT(serving_resolve(&f, &want, &s), SERVE_OK);
    double items[TIME_COUNT];
    double step = serving_step_items(&s, 64, items);
    limits.spread_step_ratio = 1;
    Point alone = serving_at(&s, 64);
    limits.spread_step_ratio = 2;
    Point together = serving_at(&s, 64);
    CHECK_NEAR(alone.item_s[TIME_WEIGHTS], items[TIME_WEIGHTS], 1e-9);
    CHECK_NEAR(together.item_s[TIME_LINK], 2 * items[TIME_LINK], 1e-9);
    CHECK_NEAR(together.e2e_s - alone.e2e_s, 100 * step, 1e-9);  // prompts take what they took
    limits.spread_step_ratio = UNKNOWN;
    CHECK_INT(serving_resolve(&f, &want, &s), SERVE_NO_EXPERT_PARALLEL);
    want.layout = (Layout){1, 1, 1, 4};
    CHECK_INT(serving_resolve(&f, &want, &s), SERVE_OK);
    limits.spread_step_ratio = 1;
    want.layout = (Layout){2, 1, 16, 8};  // of 8 experts
    CHECK_INT(serving_resolve(&f, &want, &s), SERVE_NO_LAYOUT);
}

// The halves of a board are two devices, and eight boards one node all the same.
static void test_nodes_are_counted_in_boards(void) {
    Gpu g = h100();
    Model m = mixtral();
    m.experts = 64;
    Facts f = fixture_facts(&g, 1);
    ServingWant want = {.gpu = &g,
                        .model = &m,
                        .engine = "vllm",
                        .layout = {1, 1, 8, 8},
                        .weights = DTYPE_FP8,
                        .kv = DTYPE_FP8,
                        .isl = 100,
                        .osl = 100};
    Serving whole, halves, nodes;
    CHECK_INT(serving_resolve(&f, &want, &whole), SERVE_OK);
    g.devices_per_package = 2;
    CHECK_INT(serving_resolve(&f, &want, &halves), SERVE_OK);
    CHECK_NEAR(whole.sigma_log, halves.sigma_log, 1e-12);
    double items[TIME_COUNT];
    // half of the tokens a device; one all-reduce a layer
    double tokens = 64 * 32 * 2 * 2 * 8192.0 / 2 * 15 / 16, reduces = 64 * 32 * 8192.0;
    serving_step_items(&halves, 64, items);
    CHECK_NEAR(items[TIME_LINK], (tokens + reduces) / 450e9 / 0.3, 1e-9);
    want.layout = (Layout){1, 1, 16, 16};
    CHECK_INT(serving_resolve(&f, &want, &nodes), SERVE_OK);
    CHECK(nodes.sigma_log > halves.sigma_log);
}

static void test_power_cap_takes_clock(void) {
    Gpu g = h100();  // 700 W, of which 140 without computing
    Facts f = fixture_facts(&g, 1);
    CHECK_NEAR(capped_clock(&f, &g, 350), cbrt(210.0 / 560), 1e-12);
    CHECK_NEAR(capped_clock(&f, &g, 900), 1, 0);
    CHECK(isnan(capped_clock(&f, &g, 140)));
    Model m = llama_70b();
    Serving s, capped;
    CHECK_INT(resolve_fp8(&g, &m, (Layout){2, 1, 1, 1}, (ServeTechniques){0}, 1000, 500, &s), SERVE_OK);
    CHECK_INT(
        resolve_fp8(&g, &m, (Layout){2, 1, 1, 1}, (ServeTechniques){.power_cap_w = 350}, 1000, 500, &capped),
        SERVE_OK);
    CHECK_NEAR(capped.sigma_log, sqrt(0.04 + 0.25 * log(capped.clock) * log(capped.clock)), 1e-9);
    double few[TIME_COUNT], fewer[TIME_COUNT];
    serving_step_items(&s, 1, few), serving_step_items(&capped, 1, fewer);
    CHECK_NEAR(few[TIME_KV], fewer[TIME_KV], 0);  // memory keeps its clock
    CHECK(serving_prompt_s(&capped) > 1.2 * serving_prompt_s(&s));
    CHECK_INT(
        resolve_fp8(&g, &m, (Layout){2, 1, 1, 1}, (ServeTechniques){.power_cap_w = 100}, 1000, 500, &capped),
        SERVE_NO_DATA);
}

static void test_two_pools_by_hand(void) {
    Gpu g = h100();
    Model m = llama_70b();
    Serving s;
    CHECK_INT(resolve_fp8(&g, &m, (Layout){2, 1, 1, 1}, (ServeTechniques){0}, 1000, 501, &s), SERVE_OK);
    double items[TIME_COUNT];
    // A prompt's cache: 1,000 x 163,840 bytes over two ports of 50 GB/s.
    CHECK_NEAR(serving_hand_over_s(&s), 1000 * 163840.0 / 100e9, 1e-12);
    double first = serving_prompt_s(&s) + serving_hand_over_s(&s);
    Point p = serving_split(&s, &s, 1, 3, 1);
    double step = serving_step_items(&s, 1, items);
    CHECK_NEAR(p.ttft_s, first, 1e-9);
    CHECK_NEAR(p.tpot_s, step, 1e-9);
    CHECK_NEAR(p.output_tokens_s * 4, 501 / (first + 500 * step), 1e-6);
    CHECK(!p.queued);
    // Far over what one reader can do: it gives the rate, and the rest waits before the first token.
    Point q = serving_split(&s, &s, 1, 9, 5000);
    CHECK(q.queued);
    CHECK_NEAR(q.output_tokens_s * 10, 501 / serving_prompt_s(&s), 1e-3);
    CHECK_NEAR(q.e2e_s, 5000 * serving_prompt_s(&s), 1e-3);  // Little's law
    // A second reader is never slower.
    CHECK(serving_split(&s, &s, 2, 8, 5000).output_tokens_s > q.output_tokens_s);
    CHECK(q.output_tokens_s <= serving_bound(&s, q.running));
}

static const TestCase tests[] = {
    TEST(kept_tokens_are_a_geometric_sum),
    TEST(speculation_verifies_all_and_keeps_some),
    TEST(speculation_stays_below_physics),
    TEST(cached_part_of_a_prompt_spares_its_work),
    TEST(experts_over_replicas_exchange_tokens),
    TEST(tensor_parallelism_over_nodes_takes_the_network),
    TEST(replicas_that_share_experts_step_together),
    TEST(nodes_are_counted_in_boards),
    TEST(power_cap_takes_clock),
    TEST(two_pools_by_hand),
};
TEST_MAIN(tests)
