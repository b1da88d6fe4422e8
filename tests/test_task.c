// src/perf: training, images, HPC and embeddings: physical bounds, memory, and shifts that are found again.
#include "src/facts/own_run.h"
#include "src/fit/task_fit.h"
#include "tests/check.h"
#include "tests/fixture.h"

static const TaskEfficiency shifts[] = {
    {TASK_ALL, "*", -1, UNKNOWN, 9, "", "test", "2026"},
    {TASK_VENDOR, "amd", -0.2, UNKNOWN, 9, "", "test", "2026"},
    {TASK_NATIVE, "hopper|bf16", 0, UNKNOWN, 9, "", "test", "2026"},
    {TASK_NATIVE, "cdna3|bf16", 0, UNKNOWN, 9, "", "test", "2026"},
    {TASK_NATIVE, "hopper|fp32", 0, UNKNOWN, 9, "", "test", "2026"},
    {TASK_RUN, "train|independent", 0, UNKNOWN, 9, "", "test", "2026"},
    {TASK_SPREAD, "train", 0, 0.3, 9, "h100", "test", "2026"},
    {TASK_SPREAD, "train|nvidia", 0, 0.2, 9, "h100", "test", "2026"},
    {TASK_SPREAD, "train|nvidia|hopper", 0, 0.1, 9, "h100", "test", "2026"},
    {TASK_SPREAD, "lora", 0, 0.3, 9, "h100", "test", "2026"},
    {TASK_SPREAD, "molecular-dynamics", 0, 0.3, 9, "h100", "test", "2026"},
    {TASK_RUN, "encoder|independent", 0, UNKNOWN, 9, "", "test", "2026"},
    {TASK_SPREAD, "embed", 0, 0.3, 9, "h100", "test", "2026"},
    {TASK_SPREAD, "embed|nvidia|hopper", 0, 0.1, 9, "h100", "test", "2026"},
};

static const Precision precisions[] = {
    {DTYPE_BF16, VENDOR_NVIDIA, "hopper", DTYPE_BF16, "native", "test", "2026"},
    {DTYPE_INT4, VENDOR_NVIDIA, "hopper", DTYPE_BF16, "weight-only", "test", "2026"},
    {DTYPE_BF16, VENDOR_AMD, "cdna3", DTYPE_BF16, "native", "test", "2026"},
};

typedef struct World {
    Gpu gpus[2];
    Model model;
    Facts facts;
    Arena arena;
} World;

static void make(World *w) {
    *w = (World){.gpus = {gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979),
                          gpu_like("mi300x", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615)},
                 .model = llama_70b()};
    w->facts = fixture_facts(w->gpus, 2);
    w->facts.models = &w->model, w->facts.n_models = 1;
    w->facts.task_efficiency = shifts, w->facts.n_task_efficiency = COUNT_OF(shifts);
    w->facts.precisions = precisions, w->facts.n_precisions = COUNT_OF(precisions);
}

static Workload job(WorkloadKind kind, const char *weights) {
    return (Workload){.workload_id = "w",
                      .title = "",
                      .who = "",
                      .kind = kind,
                      .variant = kind == KIND_HPC ? "molecular-dynamics" : "",
                      .model_id = "",
                      .isl_tokens = 4096,
                      .osl_tokens = UNKNOWN,
                      .weights = weights,
                      .kv = "",
                      .tokens_total = 1e9,
                      .images_steps = UNKNOWN,
                      .run_tflop_fp64 = UNKNOWN,
                      .run_tflop_fp32 = kind == KIND_HPC ? 1e4 : UNKNOWN,
                      .run_tbyte = UNKNOWN,
                      .run_steps = kind == KIND_HPC ? 1e6 : UNKNOWN,
                      .run_memory_gb = 4,
                      .source = "test",
                      .as_of = "2026"};
}

static void test_training_by_hand(void) {
    World w;
    make(&w);
    Workload train = job(KIND_TRAIN, "bf16");
    TaskPoint p;
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &w.model, &train, 32, &w.arena, &p), SERVE_OK);
    // 6 flops a parameter without the input table, 3 x 4,096 x attention's flops a pair / 2; e^-1 of 989
    // TFLOP/s.
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
    task_at(&w.facts, &w.gpus[0], NULL, &big, 1, &w.arena, &slow_big),
        task_at(&w.facts, &fast, NULL, &big, 1, &w.arena, &fast_big);
    task_at(&w.facts, &w.gpus[0], NULL, &small, 1, &w.arena, &slow_small),
        task_at(&w.facts, &fast, NULL, &small, 1, &w.arena, &fast_small);
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

// ---------------------------------------------------------------- embeddings

// BERT-large without its biases and norms.
static Model bert(void) {
    Model m = llama_70b();
    m.model_id = "bert", m.family = "encoder", m.attention = "mha", m.layers = 24, m.hidden = 1024,
    m.heads = m.kv_heads = 16, m.head_dim = 64, m.intermediate = 4096, m.vocab = 30000, m.max_context = 512;
    m.params_input_embedding = 30000.0 * 1024;
    m.params_total = m.params_active = m.params_input_embedding + 24 * 12 * 1024.0 * 1024;
    m.attn_flops_per_pair_full = 4 * 24 * 1024, m.attn_flops_per_pair_window = 0;
    m.weights_native = DTYPE_FP32, m.weight_bytes_native = 4 * m.params_total;
    return m;
}

static Workload texts(double tokens, double batch) {
    Workload w = job(KIND_EMBED, "");
    w.isl_tokens = tokens, w.concurrency = batch;
    return w;
}

static void test_texts_by_hand(void) {
    World w;
    make(&w);
    Model m = bert();
    Workload short_texts = texts(256, UNKNOWN);
    TaskPoint p, amd;
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &m, &short_texts, 4, &w.arena, &p), SERVE_OK);
    // Tables are looked up; every token sees all 256; e^-1 of 989 TFLOP/s on each GPU.
    double flops = 2 * 24 * 12 * 1024.0 * 1024 * 256 + 4 * 24 * 1024 * 256.0 * 256;
    CHECK_NEAR(p.rate, 4 * 989e12 * exp(-1) / flops, 1e-9);
    CHECK_NEAR(p.rate_most, 4 * 989e12 / flops, 1e-9);
    CHECK_STR(p.bound_by, "compute");
    // 16-bit weights, one layer's activations of 64 texts, and what a process takes.
    CHECK_NEAR(p.memory_bytes, 4 * (2 * m.params_total + 64 * 256 * 24 * 1024.0 * 2 + 1.8e9), 1e-9);
    CHECK_INT(p.basis, BASIS_CALIBRATED);
    CHECK_INT(task_at(&w.facts, &w.gpus[1], &m, &short_texts, 1, &w.arena, &amd), SERVE_OK);
    CHECK_INT(amd.basis, BASIS_EXTRAPOLATED);
    CHECK(amd.sigma_log > 0.4);
    m.family = "embedder";  // sees half of the pairs
    CHECK_NEAR(model_text_flops(&m, 256), flops - 2 * 24 * 1024 * 256.0 * 256, 1e-12);
    arena_free(&w.arena);
}

// With all of the peaks reached: neither arithmetic nor bandwidth is outrun, batches never cost, longer texts
// never pay.
static void test_texts_keep_to_physics(void) {
    World w;
    make(&w);
    TaskEfficiency perfect[COUNT_OF(shifts)];
    memcpy(perfect, shifts, sizeof perfect);
    perfect[0].shift = 5;
    w.facts.task_efficiency = perfect;
    for (int width = 64; width <= 8192; width *= 2) {
        Model m = bert();
        m.hidden = width, m.heads = m.kv_heads = width / 64, m.intermediate = 4 * width,
        m.params_input_embedding = 30000.0 * width, m.max_context = 1e6;
        m.params_total = m.params_active = m.params_input_embedding + 24 * 12.0 * width * width,
        m.attn_flops_per_pair_full = 4 * 24.0 * width;
        double shorter = (double)INFINITY;
        for (double tokens = 16; tokens <= 16384; tokens *= 4) {
            double before = 0;
            for (double batch = 1; batch <= 256; batch *= 4) {
                Workload job_now = texts(tokens, batch);
                TaskPoint p;
                ServeStatus status = task_at(&w.facts, &w.gpus[0], &m, &job_now, 1, &w.arena, &p);
                if (status == SERVE_NO_MEMORY) continue;
                CHECK_INT(status, SERVE_OK);
                double weights = 2 * 24 * 12.0 * width * width;
                CHECK(p.rate * model_text_flops(&m, tokens) <= 989e12 * (1 + 1e-12));
                CHECK(p.rate * weights / batch <= 3350e9 * (1 + 1e-12));
                CHECK(p.rate * tokens * 24 * width * 2 <= 3350e9);  // every layer at least writes its result
                CHECK(p.rate >= before);
                CHECK(batch > 1 || p.rate <= shorter);
                CHECK(task_rate_estimate(&p, 1).high <= p.rate_most * (1 + 1e-12));
                before = p.rate;
                if (batch == 1) shorter = p.rate;
            }
        }
    }
    arena_free(&w.arena);
}

static void test_texts_that_cannot_be(void) {
    World w;
    make(&w);
    Model m = bert();
    Err e = {0};
    CHECK(model_embeds(&m) && !model_is_decoder(&m));
    CHECK(model_reads_text(&m, 512, &e));
    CHECK(!model_reads_text(&m, 513, &e) && e.kind == ERR_USAGE);
    m.family = "encoder-decoder";
    CHECK(!model_reads_text(&m, 100, &e));
    m = bert();
    Workload huge = texts(512, 1e6), four_bits = texts(512, 8);
    four_bits.weights = "int4";
    TaskPoint p;
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &m, &huge, 1, &w.arena, &p), SERVE_NO_MEMORY);
    CHECK_INT(task_at(&w.facts, &w.gpus[0], &m, &four_bits, 1, &w.arena, &p), SERVE_NO_PRECISION);
    arena_free(&w.arena);
}

// A dtype of AMD's that is native in a format of its own is native.
static void test_native_formats_are_native(void) {
    static const Precision own[] = {
        {DTYPE_FP8, VENDOR_AMD, "cdna3", DTYPE_FP8, "native (FNUZ)", "test", "2026"}};
    World w;
    make(&w);
    w.facts.precisions = own, w.facts.n_precisions = 1;
    Workload lora = job(KIND_LORA, "fp8");
    TaskPoint p;
    CHECK_INT(task_at(&w.facts, &w.gpus[1], &w.model, &lora, 8, &w.arena, &p), SERVE_OK);
    CHECK_INT(p.dtype, DTYPE_FP8);
    arena_free(&w.arena);
}

// ---------------------------------------------------------------- fit

enum { ROWS = 48 };

static void make_rows(World *w, Measurement rows[ROWS]) {
    for (int i = 0; i < ROWS; i++) {
        bool amd = i % 2 != 0;
        Measurement *m = &rows[i];
        *m = own_run_blank().m;
        m->id = arena_printf(&w->arena, "r%02d", i);
        m->gpu_sku = w->gpus[amd].sku_id, m->gpu_count = 8 << (i / 2 % 4), m->model = "llama-70b";
        m->precision_weights = "bf16", m->engine = i % 3 == 0 ? "x" : "y", m->scenario = "training";
        m->task = i % 4 < 2 ? "pretrain" : "finetune-lora", m->grade = "T", m->run_class = "mlperf";
        m->input_tokens = 4096, m->tokens_kind = "train tokens";
        m->submitter = i / 8 % 2 == 0 ? "one" : "two", m->source = "s", m->date = m->as_of = "2026";
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
    size_t n = task_rows(&w.facts, rows, ROWS, LEAVE_OUT_CELL, &w.arena, &fit);
    CHECK_INT(n, ROWS);
    size_t n_table = task_fit(&(TaskFitWant){fit, n, NULL, "test"}, &w.arena, &table);
    for (size_t i = 0; i < n; i++)
        CHECK(fabs(fit[i].left_rate - fit[i].measured) < 0.1 && fit[i].left_sigma >= 0.06);
    w.facts.task_efficiency = table, w.facts.n_task_efficiency = n_table;
    for (int i = 0; i < ROWS; i++) {
        Prediction p;
        predict(&w.facts, &rows[i], &p);
        CHECK(fabs(log(p.rate / rows[i].tokens_per_s_total)) < 0.05);
    }
    for (size_t i = 0; i < n_table; i++)
        CHECK((table[i].effect == TASK_SPREAD) == is_known(table[i].sigma_log) && table[i].source[0] != '\0');
    arena_free(&w.arena);
}

static void test_a_left_out_cell_has_no_say(void) {
    World w;
    make(&w);
    Measurement rows[ROWS];
    make_rows(&w, rows);
    for (int i = 0; i < ROWS; i++) {
        rows[i].submitter = "one";
        if (strcmp(rows[i].gpu_sku, "h100") == 0 && strcmp(rows[i].engine, "x") == 0)
            rows[i].tokens_per_s_total *= 3;
    }
    TaskRow *fit = NULL;
    TaskEfficiency *table = NULL;
    size_t n = task_rows(&w.facts, rows, ROWS, LEAVE_OUT_CELL, &w.arena, &fit), wrong = 0;
    task_fit(&(TaskFitWant){fit, n, NULL, "test"}, &w.arena, &table);
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
    TEST(training_by_hand),           TEST(another_vendor_is_extrapolated),
    TEST(adapters_cost_less),         TEST(steps_do_not_shrink),
    TEST(never_over_the_peak),        TEST(texts_by_hand),
    TEST(texts_keep_to_physics),      TEST(texts_that_cannot_be),
    TEST(native_formats_are_native),  TEST(known_shares_are_found_again),
    TEST(a_left_out_cell_has_no_say), TEST(arithmetic_is_a_rate_too),
};
TEST_MAIN(tests)
