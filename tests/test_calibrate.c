// src/perf: fitting factors: what is known is found again, what is thin leans on its family, what is left out
// has no say.
#include "src/fit/calibrate.h"

#include "src/facts/own_run.h"
#include "tests/check.h"
#include "tests/fixture.h"

enum { ROWS = 60 };

typedef struct World {
    Gpu gpus[2];
    Model models[1];
    Facts facts;
    Measurement rows[ROWS];
    Arena arena;
} World;

static Measurement row_of(const char *id, const char *gpu, const char *submitter, double tp, double isl,
                          double osl, double load) {
    Measurement m = own_run_blank().m;
    m.id = id, m.gpu_sku = gpu, m.gpu_count = tp, m.model = "llama-70b";
    m.precision_weights = m.precision_kv = "bf16", m.weight_bits = 16;
    m.engine = "vllm", m.scenario = "fixed-concurrency", m.task = "serving";
    m.grade = "A", m.run_class = "independent";
    m.input_tokens = isl, m.output_tokens = osl, m.batch_or_concurrency = load, m.tp = tp;
    m.submitter = m.source = submitter, m.date = "2026-01-01", m.as_of = "2026-01";
    return m;
}

// Rows of both GPUs whose measured speed is what the fixture's factors predict, times `factor` on the second
// GPU.
static void make(World *w, double factor) {
    static const double loads[] = {1, 4, 16, 64, 256}, lengths[][2] = {{128, 512}, {1024, 512}, {4096, 256}};
    *w = (World){0};
    w->gpus[0] = gpu_like("h100", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    w->gpus[1] = gpu_like("mi300x", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615);
    w->models[0] = llama_70b();
    w->facts = fixture_facts(w->gpus, 2);
    w->facts.models = w->models;
    w->facts.n_models = 1;
    for (int i = 0; i < ROWS; i++) {
        int second = i >= ROWS / 2;
        const double *length = lengths[i % 3];
        w->rows[i] =
            row_of(arena_printf(&w->arena, "r%02d", i), w->gpus[second].sku_id, i % 2 == 0 ? "one" : "two",
                   i % 4 < 2 ? 4 : 8, length[0], length[1], loads[i % 5]);
        Prediction p;
        predict(&w->facts, &w->rows[i], &p);
        if (p.not_predicted != NULL) FAIL_("%s", p.not_predicted);
        w->rows[i].output_tokens_per_s = p.rate * (second ? factor : 1);
    }
}

typedef struct Fit {
    FitRow *rows;
    size_t n, n_table;
    Efficiency *table;
    LeftOut left_out;
} Fit;

static void fit(World *w, LeaveOut leave_out, Fit *f) {
    f->n = fit_rows(&w->facts, w->rows, ROWS, leave_out, &w->arena, &f->rows);
    CHECK(f->n <= ROWS);
    f->n_table = calibrate(&(CalibrateWant){f->rows, f->n, &w->facts, NULL, "test"}, &w->arena, &f->table,
                           &f->left_out);
}

static double worst_error(World *w, const Efficiency *table, size_t n) {
    Facts refitted = w->facts;
    refitted.efficiency = table;
    refitted.n_efficiency = n;
    double worst = 0;
    for (int i = 0; i < ROWS; i++) {
        Prediction p;
        predict(&refitted, &w->rows[i], &p);
        CHECK(p.not_predicted == NULL);
        worst = fmax(worst, fabs(log(p.rate / w->rows[i].output_tokens_per_s)));
    }
    return worst;
}

static void test_what_is_held_out_moves_nothing(void) {
    World w, held;
    Fit f, g;
    make(&w, 0.5);
    make(&held, 0.5);
    for (int i = 0; i < ROWS; i += 3) held.rows[i].held_out = 1;
    for (int i = 0; i < ROWS; i += 3) held.rows[i].output_tokens_per_s *= 9;
    for (int i = 0; i < ROWS; i += 3) w.rows[i].grade = "C";  // which no fit uses either
    fit(&w, LEAVE_OUT_CELL, &f);
    fit(&held, LEAVE_OUT_CELL, &g);
    CHECK_INT(f.n_table, g.n_table);
    for (size_t i = 0; i < f.n_table; i++) {
        CHECK_STR(f.table[i].level, g.table[i].level);
        for (int k = 0; k < FACTOR_COUNT; k++) CHECK_NEAR(f.table[i].shift[k], g.table[i].shift[k], 0);
    }
    arena_free(&w.arena);
    arena_free(&held.arena);
}

static void test_known_factors_are_found_again(void) {
    World w;
    Fit f;
    make(&w, 1);
    fit(&w, LEAVE_OUT_CELL, &f);
    CHECK_INT(f.n, ROWS);
    CHECK(worst_error(&w, f.table, f.n_table) < 0.10);
    for (size_t i = 0; i < f.n_table; i++) {
        const Efficiency *e = &f.table[i];
        CHECK(e->n > 0 && (e->effect == EFFECT_SPREAD) == is_known(e->sigma_log));
        for (int k = 0; k < FACTOR_COUNT; k++)
            CHECK(fabs(e->shift[k]) < 15 && (e->effect != EFFECT_SPREAD || e->shift[k] == 0));
    }
    arena_free(&w.arena);
}

// What one GPU does wrong is told as its own: the other vendor's predictions hardly move.
static void test_groups_keep_apart(void) {
    World w;
    Fit f;
    make(&w, 0.6);
    fit(&w, LEAVE_OUT_CELL, &f);
    CHECK(worst_error(&w, f.table, f.n_table) < 0.2);
    arena_free(&w.arena);
}

// A wrong cell shows in its own left-out error in full: it had no say in its own prediction.
static void test_what_is_left_out_has_no_say(void) {
    World w;
    Fit f;
    make(&w, 1);
    for (int i = 0; i < ROWS / 2; i++) {
        if (strcmp(w.rows[i].submitter, "two") == 0) w.rows[i].output_tokens_per_s *= 3;
    }
    fit(&w, LEAVE_OUT_CELL, &f);
    for (size_t i = 0; i < f.n; i++) {
        bool wrong = f.rows[i].prediction.gpu == &w.gpus[0] && strcmp(f.rows[i].row->submitter, "two") == 0;
        if (wrong) CHECK(f.left_out.errors[i] < -0.8);  // ln(1/3) = -1.1, less what the prior gives
    }
    arena_free(&w.arena);
}

// Whatever a publisher measured, on GPUs of both vendors, has no say in what is predicted of it; nor have rows of
// one model and vendor whoever measured them: half as fast, they are predicted too fast by about ln 2. They are half of all rows here, so the fit is made anew.
static void test_a_publisher_has_no_say_in_his_own(void) {
    static const Publisher known[] = {{.submitter = "two", .publisher = "one company"},
                                      {.submitter = "three", .publisher = "one company"}};
    World w;
    Fit f;
    make(&w, 1);
    w.facts.publishers = known, w.facts.n_publishers = COUNT_OF(known);
    for (int i = 0; i < ROWS; i++) {
        if (strcmp(w.rows[i].submitter, "two") != 0) continue;
        w.rows[i].output_tokens_per_s /= 2;
        if (i % 8 == 1) w.rows[i].submitter = "three";
    }
    fit(&w, LEAVE_OUT_PUBLISHER, &f);
    for (size_t i = 0; i < f.n; i++) {
        bool theirs = strcmp(f.rows[i].row->submitter, "one") != 0;
        CHECK(theirs ? f.left_out.errors[i] > 0.5 : f.left_out.errors[i] < -0.3);
    }
    arena_free(&w.arena);
    make(&w, 0.5);
    fit(&w, LEAVE_OUT_BLOCK, &f);
    for (size_t i = 0; i < f.n; i++)
        CHECK(f.rows[i].prediction.gpu == &w.gpus[1] ? f.left_out.errors[i] > 0.3
                                                     : f.left_out.errors[i] < -0.2);
    arena_free(&w.arena);
}

static double widest_group(const Fit *f) {
    double sigma = UNKNOWN;
    for (size_t i = 0; i < f->n_table; i++) {
        if (f->table[i].effect == EFFECT_SPREAD && strcmp(f->table[i].level, "dense|since 2025") == 0)
            sigma = f->table[i].sigma_log;
    }
    return sigma;
}

// What one publisher's rows are off counts as one voice however many he has; and no range is narrower than what
// one publisher's own runs differ by.
static void test_ranges_come_from_publishers(void) {
    World w;
    Fit alike, off;
    make(&w, 1);
    fit(&w, LEAVE_OUT_CELL, &alike);
    CHECK(widest_group(&alike) >= 0.11);
    for (int i = 0; i < ROWS; i++) {
        if (i % 6 == 1) w.rows[i].submitter = "three", w.rows[i].output_tokens_per_s /= 3;
    }
    fit(&w, LEAVE_OUT_PUBLISHER, &off);
    // five of 30 rows of one submitter are no fifth of all rows, but a fifth where n rows of a publisher count as n^0.7
    CHECK(widest_group(&off) > widest_group(&alike) + 0.1);
    arena_free(&w.arena);
}

static void test_publishers_of_rows(void) {
    static const Publisher known[] = {{.submitter = "X (docs)", .publisher = "X"}};
    Facts facts = {.publishers = known, .n_publishers = 1};
    Measurement m = row_of("x", "n", "X (docs)", 8, 100, 100, 1);
    CHECK_STR(publisher_of(&facts, &m), "X");
    m.submitter = "X (blog)";
    CHECK_STR(publisher_of(&facts, &m), "X (blog)");
    m.run_class = "mlperf";
    CHECK_STR(publisher_of(&facts, &m), "MLPerf");
}

static void test_special_and_unfit_rows_are_not_fitted(void) {
    World w;
    Fit f;
    make(&w, 1);
    w.rows[0].grade = "D", w.rows[1].grade = "C", w.rows[2].draft_tokens = "3",
    w.rows[3].output_tokens_per_s = UNKNOWN;
    w.rows[4].model = "nosuch", w.rows[5].rate_rps = 1;
    fit(&w, LEAVE_OUT_SOURCE, &f);
    CHECK_INT(f.n, ROWS - 2);
    int unfit = 0;
    for (size_t i = 0; i < f.n; i++) unfit += f.rows[i].weight == 0;
    CHECK_INT(unfit, 4);
    arena_free(&w.arena);
}

static void test_statistics_by_hand(void) {
    Arena a = {0};
    Gpu nvidia = gpu_like("n", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979),
        amd = gpu_like("a", VENDOR_AMD, "cdna3", 192, 5300, 1307, 2615);
    Measurement m[4];
    Check c[4];
    static const double measured[] = {100, 100, 100, 150}, predicted[] = {110, 90, 200, 160};
    for (int i = 0; i < 4; i++) {
        m[i] = row_of("x", i < 2 ? "n" : "a", "s", 8, 100, 100, i % 2 + 1);
        m[i].output_tokens_per_s = measured[i];
        Prediction p = {
            .gpu = i < 2 ? &nvidia : &amd, .unit = "output", .rate = predicted[i], .sigma_log = 0.1};
        check_row(&m[i], &p, &c[i]);
    }
    GroupStats s = group_stats(c, 4, NULL, "all", "", &a);
    CHECK_INT(s.n, 4);
    CHECK_NEAR(s.median_abs_error_pct, 10, 1e-9);  // 6.67 10 10 100
    CHECK_NEAR(s.p90_abs_error_pct, 10 + 0.7 * 90, 1e-9);
    CHECK_NEAR(s.interval_coverage_pct, 75, 1e-9);  // ln 2 lies outside 1.28 x 0.1
    CHECK_INT(s.n_pairs, 1);                        // 100 against 150 at load 2; equal at load 1
    CHECK_NEAR(s.pair_winner_accuracy_pct, 100, 1e-9);
    arena_free(&a);
}

// A predicted TTFT is a median: means of runs are held against it apart.
static void test_means_of_ttft_stand_apart(void) {
    Arena a = {0};
    Gpu gpu = gpu_like("n", VENDOR_NVIDIA, "hopper", 80, 3350, 989, 1979);
    static const char *const statistics[] = {"median", "", "mean", "mean"};
    static const double measured_ms[] = {100, 125, 200, 400};
    Measurement m[4];
    Check c[4];
    GroupStats groups[40];
    for (int i = 0; i < 4; i++) {
        m[i] = row_of("x", "n", "s", 8, 100, 100, 1);
        m[i].output_tokens_per_s = 100, m[i].ttft_ms = measured_ms[i], m[i].latency_statistic = statistics[i];
        Prediction p = {
            .gpu = &gpu, .unit = "output", .rate = 100, .ttft_s = 0.1, .ttft_mean_s = 0.1, .sigma_log = 0.1};
        check_row(&m[i], &p, &c[i]);
    }
    size_t n = all_groups(c, 4, &a, groups, COUNT_OF(groups));
    CHECK_STR(groups[0].by, "all");
    CHECK_INT(groups[0].n, 4);
    CHECK_INT(groups[0].n_ttft, 2);
    CHECK_NEAR(groups[0].ttft_median_abs_error_pct, 10, 1e-9);
    CHECK_STR(groups[n - 1].name, "mean-latencies");
    CHECK_INT(groups[n - 1].n_ttft, 2);
    CHECK_NEAR(groups[n - 1].ttft_median_abs_error_pct, 62.5, 1e-9);
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(what_is_held_out_moves_nothing),
    TEST(known_factors_are_found_again),
    TEST(groups_keep_apart),
    TEST(what_is_left_out_has_no_say),
    TEST(a_publisher_has_no_say_in_his_own),
    TEST(ranges_come_from_publishers),
    TEST(publishers_of_rows),
    TEST(special_and_unfit_rows_are_not_fitted),
    TEST(statistics_by_hand),
    TEST(means_of_ttft_stand_apart),
};
TEST_MAIN(tests)
