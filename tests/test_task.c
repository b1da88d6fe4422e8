// src/perf: training, images and HPC: physical bounds, memory, and shifts that are found again.
#include "src/perf/task_fit.h"
#include "tests/check.h"
#include "tests/fixture.h"

static const TaskEfficiency shifts[] = {
    {TASK_ALL, "*", -1, UNKNOWN, 9, "", "test", "2026"},           {TASK_VENDOR, "amd", -0.2, UNKNOWN, 9, "", "test", "2026"},
    {TASK_NATIVE, "hopper|bf16", 0, UNKNOWN, 9, "", "test", "2026"}, {TASK_NATIVE, "cdna3|bf16", 0, UNKNOWN, 9, "", "test", "2026"},
    {TASK_NATIVE, "hopper|fp32", 0, UNKNOWN, 9, "", "test", "2026"}, {TASK_RUN, "train|independent", 0, UNKNOWN, 9, "", "test", "2026"},
    {TASK_SPREAD, "train", 0, 0.3, 9, "h100", "test", "2026"},      {TASK_SPREAD, "train|nvidia", 0, 0.2, 9, "h100", "test", "2026"},
    {TASK_SPREAD, "train|nvidia|hopper", 0, 0.1, 9, "h100", "test", "2026"}, {TASK_SPREAD, "lora", 0, 0.3, 9, "h100", "test", "2026"},
    {TASK_SPREAD, "molecular-dynamics", 0, 0.3, 9, "h100", "test", "2026"},
};

static const Precision precisions[] = {
    {DTYPE_BF16, VENDOR_NVIDIA, "hopper", DTYPE_BF16, "native", "test", "2026"}, {DTYPE_INT4, VENDOR_NVIDIA, "hopper", DTYPE_BF16, "weight-only", "test", "2026"},
    {DTYPE_BF16, VENDOR_AMD, "cdna3", DTYPE_BF16, "native", "test", "2026"},
};

typedef struct World {
    Gpu gpus[2];
    Model model;
    Facts facts;
    Arena arena;
} World;

static void make(World *w) {
    *w = (World){.gpus = {gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979), gpu_like("mi300x", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615)}, .model = llama_70b()};
    w->facts = fixture_facts(w->gpus, 2);
    w->facts.models = &w->model, w->facts.n_models = 1;
    w->facts.task_efficiency = shifts, w->facts.n_task_efficiency = COUNT_OF(shifts);
    w->facts.precisions = precisions, w->facts.n_precisions = COUNT_OF(precisions);
}

static Workload job(int kind, const char *weights) {
    return (Workload){.workload_id = "w", .title = "", .who = "", .kind = kind, .variant = kind == KIND_HPC ? "molecular-dynamics" : "", .model_id = "", .isl_tokens = 4096, .osl_tokens = UNKNOWN,
                      .weights = weights, .kv = "", .tokens_total = 1e9, .images_steps = UNKNOWN, .run_tflop_fp64 = UNKNOWN, .run_tflop_fp32 = kind == KIND_HPC ? 1e4 : UNKNOWN,
                      .run_tbyte = UNKNOWN, .run_steps = kind == KIND_HPC ? 1e6 : UNKNOWN, .run_memory_gb = 4, .source = "test", .as_of = "2026"};
}

static void test_training_by_hand(void) {
    World w;
    make(&w);
    Workload train = job(KIND_TRAIN, "bf16");
    TaskPoint p;
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &train, 32, &w.arena, &p), SERVE_OK);
    // 6 flops a parameter without the input table, 3 x 4,096 x attention's flops a pair / 2; e^-1 of 989 TFLOP/s.
    double flops = 6 * (70553706496.0 - 128256.0 * 8192) + 3 * 4096 * w.model.attn_flops_per_pair_full / 2;
    CHECK_NEAR(p.rate, 32 * 989e12 * exp(-1) / flops, 1e-4);  // norms and biases aside
    CHECK_NEAR(p.memory_bytes, 70553706496.0 * 16 + 32 * 80.0 * 8192 * 4096 * 2 * 2, 1e-4);
    CHECK_INT(p.basis, BASIS_CALIBRATED);
    CHECK_NEAR(p.sigma_log, 0.1, 1e-12);
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &train, 8, &w.arena, &p), SERVE_NO_MEMORY);
    arena_free(&w.arena);
}

static void test_another_vendor_is_extrapolated(void) {
    World w;
    make(&w);
    Workload train = job(KIND_TRAIN, "bf16");
    TaskPoint p;
    CHECK_INT(task_at(&w.facts, &w.gpus[1], &w.model, &train, 8, &w.arena, &p), SERVE_OK);
    CHECK_INT(p.basis, BASIS_EXTRAPOLATED);
    CHECK(p.sigma_log > 0.3);
    arena_free(&w.arena);
}

// Frozen weights spare a third of the arithmetic; 4-bit ones spare memory, never time.
static void test_adapters_cost_less(void) {
    World w;
    make(&w);
    Workload full = job(KIND_TRAIN, "bf16"), lora = job(KIND_LORA, "bf16"), qlora = job(KIND_LORA, "int4");
    TaskPoint f, l, q;
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &full, 32, &w.arena, &f), SERVE_OK);
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &lora, 4, &w.arena, &l), SERVE_OK);
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &qlora, 4, &w.arena, &q), SERVE_OK);
    CHECK_NEAR(l.rate / 4 / (f.rate / 32), 1.5, 1e-9);
    CHECK(l.memory_bytes < f.memory_bytes / 5 && q.memory_bytes < 0.5 * l.memory_bytes && q.rate <= l.rate);
    CHECK_INT(q.dtype, DTYPE_INT4);
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &lora, 1, &w.arena, &l), SERVE_NO_MEMORY);
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &qlora, 1, &w.arena, &q), SERVE_OK);
    CHECK_INT(task_at(&w.facts, &w.gpus[1], &w.model, &qlora, 1, &w.arena, &q), SERVE_NO_PRECISION);
    arena_free(&w.arena);
}

// A small system is bound by the launches of its steps: a faster GPU hardly helps.
static void test_steps_do_not_shrink(void) {
    World w;
    make(&w);
    Workload big = job(KIND_HPC, ""), small = job(KIND_HPC, "");
    small.run_tflop_fp32 = 1;
    Gpu fast = w.gpus[0];
    fast.fp32_vector_tflops *= 4;
    TaskPoint slow_big, fast_big, slow_small, fast_small;
    task_at(&w.facts, &w.gpus[0], NULL, &big, 1, &w.arena, &slow_big), task_at(&w.facts, &fast, NULL, &big, 1, &w.arena, &fast_big);
    task_at(&w.facts, &w.gpus[0], NULL, &small, 1, &w.arena, &slow_small), task_at(&w.facts, &fast, NULL, &small, 1, &w.arena, &fast_small);
    CHECK(fast_big.rate > 2 * slow_big.rate);
    CHECK(fast_small.rate < 1.01 * slow_small.rate && fast_small.rate >= slow_small.rate);
    CHECK(slow_small.rate < 1 / (1e6 * 100e-6));
    arena_free(&w.arena);
}

static void test_never_over_the_peak(void) {
    World w;
    make(&w);
    TaskEfficiency wild[COUNT_OF(shifts)];
    memcpy(wild, shifts, sizeof wild);
    w.facts.task_efficiency = wild;
    Workload train = job(KIND_TRAIN, "bf16");
    for (int i = 0; i < 40; i++) {
        wild[0].shift = -4 + 0.2 * i;
        TaskPoint p;
        CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &train, 64, &w.arena, &p), SERVE_OK);
        CHECK(p.rate * train_token_flops(&w.model, 4096, false) <= 64 * 989e12 * (1 + 1e-12));
    }
    arena_free(&w.arena);
}

// ---------------------------------------------------------------- fit

enum { ROWS = 48 };

static void make_rows(World *w, Measurement rows[ROWS]) {
    for (int i = 0; i < ROWS; i++) {
        bool amd = i % 2 != 0;
        rows[i] = (Measurement){.id = arena_printf(&w->arena, "r%02d", i), .gpu_sku = w->gpus[amd].sku_id, .gpu_count = 8 << (i / 2 % 4), .model = "llama-70b", .precision_weights = "bf16", .precision_kv = "",
                                .weight_bits = UNKNOWN, .engine = i % 3 == 0 ? "x" : "y", .engine_version = "", .scenario = "training", .task = i % 4 < 2 ? "pretrain" : "finetune-lora", .grade = "T", .run_class = "mlperf",
                                .input_tokens = 4096, .output_tokens = UNKNOWN, .batch_or_concurrency = UNKNOWN, .rate_rps = UNKNOWN, .tp = UNKNOWN, .pp = UNKNOWN, .ep = UNKNOWN, .dp = UNKNOWN, .layout = "",
                                .draft_tokens = "", .output_tokens_per_s = UNKNOWN, .tokens_per_s_total = UNKNOWN, .tokens_kind = "train tokens", .ttft_ms = UNKNOWN, .ttft_p99_ms = UNKNOWN, .tpot_ms = UNKNOWN,
                                .tpot_p99_ms = UNKNOWN, .e2e_ms = UNKNOWN, .submitter = i / 8 % 2 == 0 ? "one" : "two", .date = "2026", .source = "s", .as_of = "2026"};
        Prediction p;
        predict(&w->facts, &rows[i], &p);
        if (p.not_predicted != NULL) FAIL_("%s", p.not_predicted);
        rows[i].tokens_per_s_total = p.rate;
    }
}

static void test_known_shares_are_found_again(void) {
    World w;
    make(&w);
    Measurement rows[ROWS];
    make_rows(&w, rows);
    TaskRow *fit = NULL;
    TaskEfficiency *table = NULL;
    size_t n = task_rows(&w.facts, rows, ROWS, &w.arena, &fit);
    CHECK_INT(n, ROWS);
    size_t n_table = task_fit(&(TaskFitWant){fit, n, LEAVE_OUT_CELL, NULL, "test"}, &w.arena, &table);
    for (size_t i = 0; i < n; i++) CHECK(fabs(fit[i].left_rate - fit[i].measured) < 0.1 && fit[i].left_sigma >= 0.06);
    w.facts.task_efficiency = table, w.facts.n_task_efficiency = n_table;
    for (int i = 0; i < ROWS; i++) {
        Prediction p;
        predict(&w.facts, &rows[i], &p);
        CHECK(fabs(log(p.rate / rows[i].tokens_per_s_total)) < 0.05);
    }
    for (size_t i = 0; i < n_table; i++) CHECK((table[i].effect == TASK_SPREAD) == is_known(table[i].sigma_log) && table[i].source[0] != '\0');
    arena_free(&w.arena);
}

static void test_a_left_out_cell_has_no_say(void) {
    World w;
    make(&w);
    Measurement rows[ROWS];
    make_rows(&w, rows);
    for (int i = 0; i < ROWS; i++) {
        rows[i].submitter = "one";
        if (strcmp(rows[i].gpu_sku, "h100") == 0 && strcmp(rows[i].engine, "x") == 0) rows[i].tokens_per_s_total *= 3;
    }
    TaskRow *fit = NULL;
    TaskEfficiency *table = NULL;
    size_t n = task_rows(&w.facts, rows, ROWS, &w.arena, &fit), wrong = 0;
    task_fit(&(TaskFitWant){fit, n, LEAVE_OUT_CELL, NULL, "test"}, &w.arena, &table);
    for (size_t i = 0; i < n; i++) {
        bool tripled = strcmp(fit[i].row->gpu_sku, "h100") == 0 && strcmp(fit[i].row->engine, "x") == 0;
        if (tripled) CHECK(fit[i].left_rate - fit[i].measured < -0.8);  // ln(1/3) = -1.1
        wrong += tripled;
    }
    CHECK(wrong >= 4);
    arena_free(&w.arena);
}

static void test_arithmetic_is_a_rate_too(void) {
    World w;
    make(&w);
    Measurement rows[ROWS];
    make_rows(&w, rows);
    Prediction p;
    predict(&w.facts, &rows[0], &p);
    rows[0].tokens_kind = "TFLOP/s", rows[0].tokens_per_s_total *= p.work.flops / 1e12;
    CHECK_NEAR(measured_rate(&rows[0], &p), p.rate, 1e-9);
    rows[0].tokens_kind = "images/s";
    CHECK(isnan(measured_rate(&rows[0], &p)));
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(training_by_hand), TEST(another_vendor_is_extrapolated), TEST(adapters_cost_less), TEST(steps_do_not_shrink), TEST(never_over_the_peak),
    TEST(known_shares_are_found_again), TEST(a_left_out_cell_has_no_say), TEST(arithmetic_is_a_rate_too),
};
TEST_MAIN(tests)
