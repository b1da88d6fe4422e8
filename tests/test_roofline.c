// Rooflines of runs, and their picture.
#include <math.h>

#include "kernels/bench.h"
#include "kernels/roofline.h"
#include "src/report/report.h"
#include "tests/check.h"

static BenchResult measured(KernelId id, const char *shape, double median) {
    BenchResult r = bench_blank(id, "gpu0");
    r.shape = shape;
    r.median = median;
    r.verified = true;
    return r;
}

static void test_points_stand_under_the_roof(void) {
    Arena a = {0};
    Roofline roof;
    BenchResult results[] = {measured(KERNEL_COPY, "1000000", 2500),
                             measured(KERNEL_TRIAD, "1000000", 2000),
                             measured(KERNEL_GEMM_BF16, "4096x4096x4096", 400000),
                             measured(KERNEL_GEMV_BF16, "4096x8192", 2250),
                             measured(KERNEL_GEMM_F16, "64x64x64", 10000),
                             measured(KERNEL_LAUNCH, "1", 5)};
    BenchRun run = {.results = results, .n_results = COUNT_OF(results)};
    results[2].library_ceiling = 600000;
    results[2].library = "libcublasLt.so.12";
    CHECK(roofline_of(&run, "gpu0", &a, &roof));
    CHECK(roof.memory_gb_s == 2500 && strcmp(roof.memory_by, "copy") == 0);
    CHECK(roof.n_ceilings == 2 && roof.ceilings[0].gflop_s == 600000 &&
          strcmp(roof.ceilings[0].by, "libcublasLt.so.12") == 0);
    CHECK(roof.n_points == 4);  // copying and launching compute nothing
    // triad: 2 operations for 12 bytes
    CHECK_NEAR(roof.points[0].flop_per_byte, 2.0 / 12, 1e-12);
    CHECK_NEAR(roof.points[0].gflop_s, 2000.0 / 6, 1e-9);
    CHECK(roof.points[0].memory_bound);
    // bf16: 2 n^3 operations, 2 n^2 numbers of 2 bytes in and n^2 of 4 out
    CHECK_NEAR(roof.points[1].flop_per_byte, 4096.0 / 4, 1e-9);
    CHECK(roof.points[1].roof_gflop_s == 600000 && !roof.points[1].memory_bound);
    CHECK_NEAR(roof.points[2].gflop_s / roof.points[2].roof_gflop_s, 0.9, 1e-9);
    CHECK(roof.points[3].roof_gflop_s == 10000);  // 16 operations a byte: under the slope of 40000
    arena_free(&a);
}

static void test_what_gives_no_roof(void) {
    Arena a = {0};
    Roofline roof;
    BenchResult results[] = {measured(KERNEL_TRIAD, "1000000", 2000),
                             measured(KERNEL_GEMM_BF16, "64x64x64", 400000)};
    BenchRun run = {.results = results, .n_results = 2};
    CHECK(roofline_of(&run, "gpu0", &a, &roof));
    CHECK(!roofline_of(&run, "gpu1", &a, &roof));
    // Kept by others, or by another version: sizes and units are looked at.
    static const char *const shapes[] = {
        "64x64", "64x64x64x64", "0x64x64", "-", "", "64x64x99999999999999999999", "64x-1x64", "64xx64"};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        results[1].shape = shapes[i];
        CHECK(!roofline_of(&run, "gpu0", &a, &roof));
    }
    results[1] = measured(KERNEL_GEMM_BF16, "64x64x64", 400000);
    results[1].unit = "TFLOP/s";
    CHECK(!roofline_of(&run, "gpu0", &a, &roof));
    results[1] = measured(KERNEL_GEMM_BF16, "64x64x64", 400000);
    results[0].verified = false;
    CHECK(!roofline_of(&run, "gpu0", &a, &roof));
    arena_free(&a);
}

static void test_a_shape_is_read_as_it_is_written(void) {
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        Shape s = kernel_shape((KernelId)id, 1 << 24, 512), again;
        char text[64];
        shape_text(&kernel_table[id], &s, text);
        CHECK(shape_read(&kernel_table[id], text, &again));
        for (size_t i = 0; i < kernel_dims(&kernel_table[id]); i++) CHECK(s.d[i] == again.d[i]);
    }
}

static void test_the_picture(void) {
    LogLine lines[] = {{10, 1000, 0, "top"}, {10, 100, 10, "low"}};
    LogPoint points[] = {{1, 10, 'a'}, {1000, 100, 'b'}, {1000, 100, 'c'}, {1e9, 1, 'd'}};
    LogPlot p = {.columns = 31,
                 .rows = 4,
                 .x_from = 1,
                 .x_to = 1000,
                 .y_from = 1,
                 .y_to = 1000,
                 .x_name = "x",
                 .y_name = "y",
                 .lines = lines,
                 .n_lines = 2,
                 .points = points,
                 .n_points = 4};
    Buf out;
    buf_init(&out, BUF_LIMIT);
    logplot_text(&p, &out);
    CHECK(strstr(out.data, "----- top\n") != NULL);
    CHECK(strstr(out.data, "-* low\n") != NULL);  // two points at one place
    CHECK(strstr(out.data, "|a") != NULL);
    CHECK(strchr(out.data, 'd') == NULL);  // outside
    size_t length = out.length;
    p.x_from = 0;
    logplot_text(&p, &out);
    CHECK(out.length == length);
    buf_free(&out);
}

static const TestCase tests[] = {TEST(points_stand_under_the_roof), TEST(what_gives_no_roof),
                                 TEST(a_shape_is_read_as_it_is_written), TEST(the_picture)};
TEST_MAIN(tests)
