// Sums of measured kernels: the shipped tables keep their gate, and steps keep to physics.
#include <math.h>
#include <string.h>

#include "src/fit/kernel_sum.h"
#include "tests/advise_world.h"
#include "tests/shipped.h"

static Serving resolved(const Shipped *s, const Gpu *g, const char *model, const char *engine, Layout layout,
                        Dtype weights) {
    Serving out;
    ServingWant want = {.gpu = g,
                        .model = model_named(s, model),
                        .engine = engine,
                        .layout = layout,
                        .weights = weights,
                        .kv = DTYPE_FP8,
                        .isl = 4096,
                        .osl = 1024};
    CHECK_INT(serving_resolve(&s->facts, &want, &out), SERVE_OK);
    return out;
}

static double step_of(const Serving *s, double batch) {
    double items[TIME_COUNT], sum = 0, step = serving_step_items(s, batch, items);
    for (int i = 0; i < TIME_COUNT; i++) sum += items[i];
    CHECK(fabs(sum / step - 1) < 1e-9);
    return step;
}

static void test_tables_keep_their_gate(void) {
    Shipped s;
    open_shipped(&s);
    CHECK(s.facts.n_kernels > 100 && s.facts.n_moe_times > 100);
    for (size_t i = 0; i < s.facts.n_kernels; i++) {
        const KernelFit *k = &s.facts.kernels[i];
        gpu_named(&s, k->gpu);
        CHECK(k->op != KERNEL_GEMM || (k->t0_us < 30 && k->eta_compute <= 1));
        // A kernel that takes 1.5 times as long over half the bytes converts the cache first.
        for (size_t j = 0; j < s.facts.n_kernels; j++) {
            const KernelFit *wide = &s.facts.kernels[j];
            bool same = k->op == KERNEL_MLA_DECODE && wide->op == k->op && k->kv == KERNEL_FP8 &&
                        wide->kv == KERNEL_BF16 && strcmp(wide->gpu, k->gpu) == 0 &&
                        strcmp(wide->library, k->library) == 0;
            CHECK(!same || k->eta_bw * 3 >= wide->eta_bw);
        }
    }
    for (size_t i = 0; i < s.facts.n_moe_times; i++) {
        const MoeTimes *t = &s.facts.moe_times[i];
        gpu_named(&s, t->gpu);
        for (int a = 0; a < MOE_POINTS; a++) {
            for (int b = 0; b < a; b++) CHECK(t->us[a] != t->us[b]);  // a time copied from other tokens
        }
    }
    close_shipped(&s);
}

static void test_both_vendors_have_kernels_and_steps_keep_to_physics(void) {
    static const char *const skus[] = {"h200-sxm5-141gb", "b200-sxm6-180gb", "mi300x-192gb", "mi355x-288gb"};
    Shipped s;
    open_shipped(&s);
    for (size_t i = 0; i < COUNT_OF(skus); i++) {
        Gpu g = gpu_named(&s, skus[i]), faster = g;
        faster.memory_bw_gb_s *= 1.2;
        Serving own = resolved(&s, &g, "deepseek-r1", "sglang", (Layout){8, 1, 1, 1}, DTYPE_FP8);
        CHECK(own.kernels.known && own.kernel_share > 0);
        Serving more = resolved(&s, &faster, "deepseek-r1", "sglang", (Layout){8, 1, 1, 1}, DTYPE_FP8);
        Serving alone = own;
        alone.kernel_share = 0;
        double before = 0;
        for (double batch = 1; batch <= 512; batch *= 2) {
            double step = step_of(&own, batch);
            CHECK(step >= before);
            CHECK(step_of(&more, batch) <= step);
            before = step;
        }
        CHECK(step_of(&alone, 64) != step_of(&own, 64));
        CHECK(kernels_words(&own, &s.arena)[0] != '\0');
    }
    close_shipped(&s);
}

// Experts dealt out whole wait for the GPU that reads most of them, with tables of kernels and without; with
// more tokens they even out. Replicas that share experts exchange tokens.
static void test_spreading_experts_changes_the_cost(void) {
    static const char *const models[] = {"deepseek-r1",
                                         "qwen3.5-397b-a17b"};  // linear attention: the formula alone
    Shipped s;
    open_shipped(&s);
    Gpu g = gpu_named(&s, "b200-sxm6-180gb");
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        Serving cut = resolved(&s, &g, models[i], "sglang", (Layout){8, 1, 1, 1}, DTYPE_FP8);
        Serving whole = resolved(&s, &g, models[i], "sglang", (Layout){8, 1, 8, 1}, DTYPE_FP8);
        CHECK(cut.kernels.known == (i == 0) && (cut.kernel_share > 0) == (i == 0));
        whole.kernel_share = cut.kernel_share = 0;
        double few = step_of(&whole, 4) / step_of(&cut, 4), many = step_of(&whole, 64) / step_of(&cut, 64);
        CHECK(few > 1.02 && many > 1 && many < few);
    }
    Serving whole = resolved(&s, &g, models[0], "sglang", (Layout){8, 1, 8, 1}, DTYPE_FP8);
    Serving cut = resolved(&s, &g, models[0], "sglang", (Layout){8, 1, 1, 1}, DTYPE_FP8);
    whole.kernel_share = cut.kernel_share = 1;
    CHECK(step_of(&cut, 64) != step_of(&whole, 64));
    Serving shared = resolved(&s, &g, models[0], "sglang", (Layout){1, 1, 8, 8}, DTYPE_FP8);
    CHECK(shared.kernels.link_token_s > 0 && shared.kernels.parts[PLAN_REDUCE] != NULL);
    close_shipped(&s);
}

// What is shown part by part is the step that predictions are made of, and unknown where no tables stand behind it.
static void test_parts_add_up_to_the_step(void) {
    static const double batches[] = {1, 50, 64, 300};  // at points of the tables, and between
    Shipped s;
    open_shipped(&s);
    Gpu g = gpu_named(&s, "b200-sxm6-180gb");
    for (int dense = 0; dense < 2; dense++) {
        Serving one = resolved(&s, &g, dense ? "llama-3.1-70b" : "deepseek-r1", "sglang",
                               (Layout){8, 1, 1, 1}, DTYPE_FP8);
        one.kernel_share = 1;
        one.factors.scale = 1, one.factors.step_s = one.factors.kernel_sequence_s = 0;
        for (size_t i = 0; i < COUNT_OF(batches); i++) {
            KernelParts p;
            kernels_parts(&s.facts, &one, batches[i], &p);
            CHECK(fabs(p.sum_s / step_of(&one, batches[i]) - 1) < 1e-9);
            for (int k = 0; k < KERNEL_PART_COUNT; k++)
                CHECK(p.s[k] > 0 || (dense && k == KERNEL_PART_EXPERTS && p.s[k] == 0));
        }
    }
    KernelStep steps[STEP_MODELS];
    CHECK_INT(kernel_steps(&s.facts, steps), STEP_MODELS);
    for (size_t i = 0; i < STEP_GPUS; i++) {
        CHECK_STR(steps[0].parts[i].bases[KERNEL_PART_EXPERTS], "this GPU");
        CHECK_STR(steps[1].parts[i].bases[KERNEL_PART_EXPERTS], "");
    }
    s.facts.n_kernels = 0;
    kernel_steps(&s.facts, steps);
    CHECK(isnan(steps[0].parts[0].sum_s) && isnan(steps[0].parts[0].s[KERNEL_PART_GEMMS]));
    close_shipped(&s);
}

// Two publishers' rows of one engine: each is corrected by what the other measured, whatever its own are.
static void test_no_row_judges_itself(void) {
    static const struct {
        const char *engine, *publisher;
        double factor;  // of the sum
        bool held_out;
    } made[] = {{"sglang", "one", 0.5, false},
                {"sglang", "one", 0.5, false},
                {"sglang", "other", 0.8, false},
                {"sglang", "third", 9, true},
                {"vllm", "one", 0.1, false}};
    Shipped s;
    open_shipped(&s);
    Gpu g = gpu_named(&s, "mi355x-288gb");
    Measurement rows[COUNT_OF(made)];
    Check checks[COUNT_OF(made)];
    for (size_t i = 0; i < COUNT_OF(made); i++) {
        Prediction p = {.gpu = &g, .unit = "output", .load = 64, .replicas = 1};
        p.serving = resolved(&s, &g, "deepseek-r1", made[i].engine, (Layout){8, 1, 1, 1}, DTYPE_FP8);
        rows[i] = (Measurement){.model = "deepseek-r1",
                                .engine = made[i].engine,
                                .task = "serving",
                                .scenario = "fixed-concurrency",
                                .grade = "A",
                                .draft_tokens = "",
                                .held_out = made[i].held_out,
                                .output_tokens_per_s = kernel_sum_rate(&p) * made[i].factor};
        checks[i] = (Check){.row = &rows[i], .prediction = p, .publisher = made[i].publisher};
    }
    KernelSumStats stats[KERNEL_SUMS_MAX];
    CHECK_INT(kernel_sums(checks, COUNT_OF(made), &s.arena, stats), 6);
    CHECK_STR(stats[0].vendor, "all");
    CHECK_INT(stats[0].n, 3);  // none of the rows held out
    CHECK_INT(stats[0].publishers, 2);
    CHECK_INT(stats[0].n_unjudged, 1);                       // alone under its engine
    CHECK(fabs(stats[0].median_abs_error_pct - 60) < 1e-6);  // 0.8 / 0.5; of the third 0.5 / 0.8
    CHECK_INT(stats[1].n, 0);
    CHECK(isnan(stats[1].median_abs_error_pct));
    CHECK_INT(stats[2].n, 3);
    close_shipped(&s);
}

static const TestCase tests[] = {
    TEST(parts_add_up_to_the_step),
    TEST(no_row_judges_itself),
    TEST(tables_keep_their_gate),
    TEST(both_vendors_have_kernels_and_steps_keep_to_physics),
    TEST(spreading_experts_changes_the_cost),
};

TEST_MAIN(tests)
