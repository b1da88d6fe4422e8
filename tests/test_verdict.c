// Verdicts on figures of GPUs, on the shipped facts and on boards made up here; sensors of recorded bytes.
#include "kernels/verdict.h"

#include "catalog/facts/catalog.h"
#include "kernels/devices.h"
#include "kernels/telemetry.h"
#include "src/perf/perf.h"
#include "tests/check.h"

static const Gpu board = {.sku_id = "board",
                          .memory_gb = 80,
                          .memory_bw_gb_s = 2000,
                          .fp32_vector_tflops = 20,
                          .bf16_tflops = 300,
                          .devices_per_package = 1,
                          .link_topology = LINK_SWITCH,
                          .link_gb_s = 600};
#define READING(sku, name, gpus, median, low, high)                                                          \
    {                                                                                                        \
        .sku_id = sku, .test = name, .gpu_count = gpus, .median_gb_s = median, .low_gb_s = low,              \
        .high_gb_s = high, .median_tflop_s = (double)NAN, .kind = "measured", .source = "somebody",          \
        .as_of = "2026-01-01"                                                                                \
    }
#define NONE ((double)NAN)
static const HealthyGpu readings[] = {
    READING("board", "triad", NONE, 1700, 1500, 1800), READING("board", "copy", NONE, 1600, NONE, NONE),
    READING("other", "add", NONE, 100, NONE, NONE), READING("board", "all-reduce-large", 8, 250, NONE, NONE)};

static BenchAbout quiet_board(void) {
    double nan = (double)NAN;
    return (BenchAbout){.name = "",
                        .arch = "",
                        .library = "",
                        .code = "",
                        .unread = "",
                        .units = 100,
                        .memory_bytes = 80e9,
                        .free_bytes = nan,
                        .cache_bytes = nan,
                        .busy_pct = 0,
                        .other_processes = 0,
                        .power_limit_w = 400,
                        .power_default_w = 400,
                        .ecc_on = 1,
                        .ecc_errors = 0,
                        .link_width = 16,
                        .link_width_max = 16};
}

static BenchResult judged(KernelId id, double median, VerdictBasis b, const BenchAbout *about,
                          const char *throttle, Arena *a) {
    BenchResult r = bench_blank(id, "gpu0");
    r.verified = true;
    r.median = median;
    r.throttle = throttle;
    verdict_fill(&b, about, a, &r);
    return r;
}

static void test_bands(void) {
    static const struct {
        KernelId id;
        double median;
        const char *verdict;
    } cases[] = {{KERNEL_TRIAD, 1750, "as expected"},  {KERNEL_TRIAD, 1501, "as expected"},
                 {KERNEL_TRIAD, 1490, "a little low"}, {KERNEL_TRIAD, 1400, "low"},
                 {KERNEL_COPY, 1521, "as expected"},   {KERNEL_COPY, 1519, "a little low"},
                 {KERNEL_COPY, 1359, "low"},           {KERNEL_ADD, 90, "no reference"},
                 {KERNEL_GEMM_F32, 1, "no reference"}};
    Arena a = {0};
    BenchAbout about = quiet_board();
    VerdictBasis b = {&board, readings, COUNT_OF(readings), 1, false, false, (double)NAN, NULL, 0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        BenchResult r = judged(cases[i].id, cases[i].median, b, &about, "", &a);
        CHECK_STR(r.verdict, cases[i].verdict);
        CHECK_INT(r.cause[0] != '\0', strstr(cases[i].verdict, "low") != NULL);
    }
    BenchResult r = judged(KERNEL_TRIAD, 1000, b, &about, "", &a);
    CHECK_NEAR(r.datasheet, 2000, 0);
    CHECK_NEAR(r.pct_of_datasheet, 50, 1e-12);
    CHECK_NEAR(r.expected_low, 1500, 0);
    CHECK_NEAR(r.expected_high, 1800, 0);
    CHECK(strstr(r.expected_source, "somebody") != NULL);
    CHECK(strstr(r.cause, "nothing that could be read") != NULL);
    arena_free(&a);
}

// What no GPU of the kind reaches is no figure; partitions may reach the whole memory, libraries more than
// the vectors' fp32.
static void test_more_than_the_datasheet_is_impossible(void) {
    static const struct {
        KernelId id;
        double median, library, share, memory_share;
        bool impossible;
    } cases[] = {{KERNEL_TRIAD, 2050, (double)NAN, 1, (double)NAN, false},
                 {KERNEL_TRIAD, 2070, (double)NAN, 1, (double)NAN, true},
                 {KERNEL_TRIAD, 600, (double)NAN, 0.25, (double)NAN, true},
                 {KERNEL_TRIAD, 600, (double)NAN, 0.25, 1, false},
                 {KERNEL_TRIAD, 2070, (double)NAN, 0.25, 1, true},
                 {KERNEL_GEMM_BF16, 305e3, (double)NAN, 1, (double)NAN, false},
                 {KERNEL_GEMM_BF16, 200e3, 400e3, 1, (double)NAN, true},
                 {KERNEL_GEMM_F32, 15e3, 38e3, 1, (double)NAN, false},
                 {KERNEL_GEMM_F32, 25e3, (double)NAN, 1, (double)NAN, true}};
    Arena a = {0};
    BenchAbout about = quiet_board();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        VerdictBasis b = {&board, readings, COUNT_OF(readings),    cases[i].share,
                          false,  false,    cases[i].memory_share, NULL,
                          0};
        BenchResult r = judged(cases[i].id, cases[i].median, b, &about, "", &a);
        r.library = "lib";
        r.library_ceiling = cases[i].library;
        verdict_possible(&b, &a, &r);
        CHECK_INT(strcmp(r.verdict, "impossible") == 0, cases[i].impossible);
        CHECK_INT(r.verified, !cases[i].impossible);
        CHECK_INT(is_known(r.median), !cases[i].impossible);
    }
    arena_free(&a);
}

static BenchResult judged_group(GroupId id, double median, double gpus, const char *path, const char *shape,
                                VerdictBasis b, Arena *a) {
    BenchResult r = bench_blank(TEST_GROUP + id, "8xnvidia");
    r.verified = true;
    r.median = median;
    r.gpu_count = gpus;
    r.path = path;
    r.shape = shape;
    verdict_fill_group(&b, a, &r);
    return r;
}

static void test_groups(void) {
    Arena a = {0};
    VerdictBasis b = {&board, readings, COUNT_OF(readings), 1, false, false, (double)NAN, NULL, 0};
    const char *full = "536870912", *link = "NVLink, GPU with 12 links";
    Gpu other = board;
    CHECK_STR(judged_group(GROUP_REDUCE_LARGE, 240, 8, link, full, b, &a).verdict, "as expected");
    CHECK_STR(judged_group(GROUP_REDUCE_LARGE, 230, 8, link, full, b, &a).verdict, "a little low");
    CHECK_STR(judged_group(GROUP_REDUCE_LARGE, 200, 8, link, full, b, &a).verdict, "low");
    CHECK(judged_group(GROUP_REDUCE_LARGE, 200, 8, link, full, b, &a).cause[0] != '\0');
    CHECK_NEAR(judged_group(GROUP_REDUCE_LARGE, 240, 8, link, full, b, &a).pct_of_datasheet, 80, 1e-12);
    // Readings are of eight GPUs, of that size and of the library.
    CHECK_STR(judged_group(GROUP_REDUCE_LARGE, 200, 4, link, full, b, &a).verdict, "no reference");
    CHECK_STR(judged_group(GROUP_REDUCE_LARGE, 200, 8, link, "1048576", b, &a).verdict, "no reference");
    CHECK_STR(judged_group(GROUP_RING_LARGE, 200, 8, link, full, b, &a).verdict, "no reference");
    // One way, both ways; not over PCIe; times have no datasheet.
    CHECK_NEAR(judged_group(GROUP_PEER_COPY, 150, 2, link, full, b, &a).datasheet, 300, 0);
    CHECK_NEAR(judged_group(GROUP_PEER_BOTH, 150, 2, link, full, b, &a).datasheet, 600, 0);
    CHECK(!is_known(judged_group(GROUP_PEER_COPY, 150, 2, "PCIe, one switch", full, b, &a).datasheet));
    CHECK(!is_known(judged_group(GROUP_REDUCE_SMALL, 20, 8, link, "16384", b, &a).datasheet));
    // A bridge joins two; of a mesh nobody says how many links do; a part is no board.
    b.gpu = &other;
    other.link_topology = LINK_PAIR;
    CHECK_NEAR(judged_group(GROUP_REDUCE_LARGE, 150, 2, link, full, b, &a).datasheet, 300, 0);
    CHECK(!is_known(judged_group(GROUP_REDUCE_LARGE, 150, 4, link, full, b, &a).datasheet));
    other.link_topology = LINK_MESH;
    CHECK(!is_known(judged_group(GROUP_PEER_COPY, 150, 2, "xGMI, 1 hop", full, b, &a).datasheet));
    b.gpu = &board;
    b.share = 0.125;
    CHECK(!is_known(judged_group(GROUP_PEER_COPY, 150, 2, link, full, b, &a).datasheet));
    arena_free(&a);
}

static void test_datasheet_by_type(void) {
    Arena a = {0};
    BenchAbout about = quiet_board();
    VerdictBasis b = {&board, readings, COUNT_OF(readings), 1, false, false, (double)NAN, NULL, 0};
    CHECK_NEAR(judged(KERNEL_GEMM_F32, 10000, b, &about, "", &a).pct_of_datasheet, 50, 1e-12);
    const Kernel *bf16 = kernel_find("gemm-bf16"), *tf32 = kernel_find("gemm-tf32");
    CHECK(bf16 != NULL && tf32 != NULL);
    CHECK_NEAR(judged((KernelId)(bf16 - kernel_table), 150000, b, &about, "", &a).pct_of_datasheet, 50,
               1e-12);
    Gpu no_tf32 = board;
    no_tf32.tf32_tflops = (double)NAN;
    b.gpu = &no_tf32;
    CHECK(!is_known(judged((KernelId)(tf32 - kernel_table), 1, b, &about, "", &a).datasheet));
    arena_free(&a);
}

// By mma.sync on Hopper and Blackwell, by multiply-adds where the sheet has matrix units: the library's figure is the one
// that stands beside the datasheet, and without one none does.
static void test_what_is_low_by_its_making_is_no_part_of_the_datasheet(void) {
    static const struct {
        KernelId id;
        const char *arch;
        bool own;
    } cases[] = {{KERNEL_GEMM_BF16, "sm_80", false},  {KERNEL_GEMM_BF16, "sm_90", true},
                 {KERNEL_WGMMA_BF16, "sm_90", false}, {KERNEL_GEMM_F16, "sm_100", true},
                 {KERNEL_GEMM_BF16, "gfx942", false}, {KERNEL_GEMM_BF16, "gfx950:sramecc+", true},
                 {KERNEL_GEMM_F32, "sm_90", false},   {KERNEL_DECODE_MLA, "sm_90", false},
                 {KERNEL_DECODE_MLA, "sm_75", true},  {KERNEL_GEMM_F64, "sm_80", true},
                 {KERNEL_TRIAD_F64, "sm_80", false},  {KERNEL_TRIAD, "sm_100", false}};
    Arena a = {0};
    Gpu gpu = board;
    gpu.fp64_matrix_tflops = 20, gpu.fp16_tflops = 300;
    VerdictBasis b = {&gpu, readings, COUNT_OF(readings), 1, false, false, (double)NAN, NULL, 0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        BenchAbout about = quiet_board();
        about.arch = cases[i].arch;
        BenchResult r = judged(cases[i].id, 1500, b, &about, "", &a);
        CHECK_INT(is_known(r.pct_of_datasheet), !cases[i].own);
        CHECK(is_known(r.datasheet));
        if (cases[i].own) CHECK(r.cause[0] != '\0');
        r.library_ceiling = 15000;
        verdict_fill(&b, &about, &a, &r);
        if (kernel_table[cases[i].id].kind == KIND_COMPUTE)
            CHECK_NEAR(r.pct_of_datasheet, 100 * 15000 / r.datasheet, 1e-9);
    }
    arena_free(&a);
}

static void test_parts_are_never_held_against_whole_boards(void) {
    Arena a = {0};
    BenchAbout about = quiet_board();
    VerdictBasis b = {&board, readings, COUNT_OF(readings), 0.5, false, false, (double)NAN, NULL, 0};
    BenchResult r = judged(KERNEL_TRIAD, 900, b, &about, "", &a);
    CHECK_STR(r.verdict, "no reference");
    CHECK_NEAR(r.datasheet, 1000, 0);
    b = (VerdictBasis){&board, readings, COUNT_OF(readings), 1, false, true, (double)NAN, NULL, 0};
    r = judged(KERNEL_TRIAD, 9000, b, &about, "", &a);
    CHECK_STR(r.verdict, "no reference");
    CHECK(!is_known(r.datasheet));
    b = (VerdictBasis){.share = (double)NAN};
    CHECK_STR(judged(KERNEL_TRIAD, 1, b, &about, "", &a).verdict, "no reference");
    CHECK_NEAR(device_share(&board, 8, false, 10e9), 0.125, 0);
    CHECK_NEAR(device_share(&board, 1, true, 20e9), 0.25, 0);
    CHECK(!is_known(device_share(&board, 1, true, 200e9)));
    CHECK(!is_known(device_share(NULL, 1, false, 1)));
    Gpu two_dies = board;
    two_dies.devices_per_package = 2;
    CHECK_NEAR(device_share(&two_dies, 1, false, 40e9), 0.5, 0);
    arena_free(&a);
}

static BenchResult judged_product(double library, const char *shape, VerdictBasis b, Arena *a) {
    BenchAbout about = quiet_board();
    BenchResult r = bench_blank(KERNEL_GEMM_BF16, "gpu0");
    r.verified = true;
    r.verdict = "no reference";
    r.median = 90e3;
    r.library = "lib";
    r.library_ceiling = library;
    r.shape = shape;
    verdict_fill(&b, &about, a, &r);
    return r;
}

// A product is judged by the library's figure at a full side; without one it is not.
static void test_products_are_judged_by_their_library(void) {
    static const HealthyGpu rows[] = {{.sku_id = "board",
                                       .test = "gemm-bf16",
                                       .gpu_count = (double)NAN,
                                       .median_gb_s = (double)NAN,
                                       .median_tflop_s = 250,
                                       .low_tflop_s = 200,
                                       .high_tflop_s = (double)NAN,
                                       .kind = "measured",
                                       .source = "somebody",
                                       .as_of = "2026-01-01"}};
    Arena a = {0};
    VerdictBasis b = {&board, rows, COUNT_OF(rows), 1, false, false, (double)NAN, NULL, 0};
    const char *full = "8192x8192x8192";
    CHECK_STR(judged_product(205e3, full, b, &a).verdict, "as expected");
    CHECK_STR(judged_product(150e3, full, b, &a).verdict, "low");
    CHECK_NEAR(judged_product(150e3, full, b, &a).expected_low, 200e3, 1e-6);
    CHECK_STR(judged_product((double)NAN, full, b, &a).verdict, "no reference");
    CHECK_STR(judged_product(150e3, "2048x2048x2048", b, &a).verdict, "no reference");
    b.share = 0.5;
    CHECK_STR(judged_product(150e3, full, b, &a).verdict, "no reference");
    arena_free(&a);
}

// Without a reading of its own: what others of its architecture reach of their datasheets, else two of its vendor.
static void test_a_band_from_the_datasheet_and_kin(void) {
    Gpu mine = board;
    mine.architecture = "one";
    Gpu kin = mine, far = mine, third = mine, gpus[3];
    HealthyGpu rows[] = {readings[0], readings[0], readings[0]};
    Arena a = {0};
    BenchAbout about = quiet_board();
    kin.sku_id = rows[0].sku_id = "kin", far.sku_id = rows[1].sku_id = "far",
    third.sku_id = rows[2].sku_id = "third";
    far.architecture = third.architecture = "another";
    rows[0].median_gb_s = 0.8 * board.memory_bw_gb_s;
    rows[1].median_gb_s = 0.5 * board.memory_bw_gb_s;
    rows[2].median_gb_s = 0.6 * board.memory_bw_gb_s;
    gpus[0] = kin, gpus[1] = far, gpus[2] = third;
    VerdictBasis b = {&mine, rows, 3, 1, false, false, (double)NAN, gpus, 3};
    BenchResult r = judged(KERNEL_TRIAD, 0.77 * board.memory_bw_gb_s, b, &about, "", &a);
    CHECK_STR(r.verdict, "as expected");
    CHECK_NEAR(r.expected_low, 0.95 * 0.8 * board.memory_bw_gb_s, 1e-9);
    CHECK_STR(r.expected_source,
              "no reading of this GPU: one other of its architecture reaches 80 % of the datasheet");
    CHECK_STR(judged(KERNEL_TRIAD, 0.6 * board.memory_bw_gb_s, b, &about, "", &a).verdict, "low");
    b.healthy = &rows[1], b.n_healthy = 2;
    r = judged(KERNEL_TRIAD, 0.55 * board.memory_bw_gb_s, b, &about, "", &a);
    CHECK_STR(r.expected_source,
              "no reading of this GPU: 2 others of its vendor reach 50 to 60 % of the datasheet");
    CHECK_STR(r.verdict, "as expected");
    b.n_healthy = 1;  // one of another architecture says nothing
    CHECK_STR(judged(KERNEL_TRIAD, 1, b, &about, "", &a).verdict, "no reference");
    arena_free(&a);
}

// A die that is a device of its own is held against its part of the whole card's band; half a card by other ways,
// and a slice of a die, against none.
static void test_a_die_has_its_part_of_the_cards_band(void) {
    Gpu card = board, kin = board, gpus[2];
    HealthyGpu row = readings[0];
    Arena a = {0};
    BenchAbout about = quiet_board();
    card.devices_per_package = 2;
    card.architecture = kin.architecture = "one";
    kin.sku_id = "kin";
    gpus[0] = card, gpus[1] = kin;
    VerdictBasis b = {&card, &row, 1, 0.5, false, false, (double)NAN, gpus, 2};
    BenchResult r = judged(KERNEL_TRIAD, 760, b, &about, "", &a);
    CHECK_STR(r.verdict, "as expected");
    CHECK_NEAR(r.expected_low, 0.5 * 1500, 1e-9);
    CHECK_NEAR(r.expected_high, 0.5 * 1800, 1e-9);
    CHECK_STR(r.expected_source,
              "of one of 2 dies, as its part of the whole card: somebody (measured, 2026-01-01)");
    CHECK_STR(judged(KERNEL_TRIAD, 600, b, &about, "", &a).verdict, "low");
    row.sku_id = "kin";
    row.median_gb_s = 0.8 * board.memory_bw_gb_s;
    r = judged(KERNEL_TRIAD, 0.4 * board.memory_bw_gb_s, b, &about, "", &a);
    CHECK_STR(r.verdict, "as expected");
    CHECK_NEAR(r.expected_low, 0.95 * 0.4 * board.memory_bw_gb_s, 1e-9);
    CHECK(strstr(r.expected_source, "of one of 2 dies") != NULL &&
          strstr(r.expected_source, "reaches 80 %") != NULL);
    b.share = 0.25;
    CHECK_STR(judged(KERNEL_TRIAD, 380, b, &about, "", &a).verdict, "no reference");
    b.share = 0.5, card.devices_per_package = 1;
    CHECK_STR(judged(KERNEL_TRIAD, 760, b, &about, "", &a).verdict, "no reference");
    arena_free(&a);
}

static void test_causes(void) {
    Arena a = {0};
    BenchAbout about = quiet_board();
    VerdictBasis b = {&board, readings, COUNT_OF(readings), 1, true, false, (double)NAN, NULL, 0};
    about.power_limit_w = 200;
    about.ecc_errors = 3;
    const char *cause = judged(KERNEL_TRIAD, 1000, b, &about, "heat", &a).cause;
    CHECK(strstr(cause, "clocks held down by heat") != NULL);
    CHECK(strstr(cause, "other programs") != NULL);
    CHECK(strstr(cause, "power limit 200 W, default 400 W") != NULL);
    CHECK(strstr(cause, "3 uncorrected memory errors") != NULL);
    arena_free(&a);
}

static void test_shipped_readings_are_of_tests_and_gpus_and_below_the_datasheet(void) {
    Arena a = {0};
    Err e = {0};
    Catalog *c = NULL;
    const HealthyGpu *rows = NULL;
    void *gpus = NULL;
    size_t n = 0, n_gpus = 0;
    const char *warning = "";
    const CatalogOptions in_memory = {0};
    if (!catalog_open(&in_memory, &a, &c, &warning, &e) || !catalog_healthy(c, &a, &rows, &n, &e) ||
        !catalog_rows(c, TABLE_GPUS, &a, &gpus, &n_gpus, &e))
        FAIL_("%s", e.text);
    CHECK(n > 20);
    for (size_t i = 0; i < n; i++) {
        TestId test = 0;
        const Gpu *gpu = NULL;
        for (size_t g = 0; g < n_gpus; g++) {
            if (strcmp(((Gpu *)gpus)[g].sku_id, rows[i].sku_id) == 0) gpu = (Gpu *)gpus + g;
        }
        bool known = test_find(rows[i].test, &test), copy = known && test_transfer(test) != NULL;
        const GroupTest *group = known ? test_group(test) : NULL;
        const Kernel *k = known ? test_kernel(test) : NULL;
        bool product = k != NULL && k->kind == KIND_COMPUTE;
        bool bandwidth = group != NULL ? !group->of_time : copy || (k != NULL && k->kind == KIND_BANDWIDTH);
        if (!known || gpu == NULL || bandwidth == product)
            FAIL_("%s %s: no such test or GPU", rows[i].sku_id, rows[i].test);
        CHECK((group != NULL) == is_known(rows[i].gpu_count));
        CHECK(bandwidth == is_known(rows[i].median_gb_s) && product == is_known(rows[i].median_tflop_s));
        // Sums inside the switch take bus bandwidth above what one way of the links gives.
        CHECK(group == NULL || !is_known(gpu->link_gb_s) || rows[i].median_gb_s < 0.6 * gpu->link_gb_s);
        CHECK(!copy || rows[i].median_gb_s < 64);  // PCIe 5 x16, one way
        CHECK(!bandwidth ||
              (rows[i].median_gb_s < gpu->memory_bw_gb_s && !(rows[i].high_gb_s > gpu->memory_bw_gb_s)));
        CHECK(!(rows[i].low_gb_s > rows[i].median_gb_s) && !(rows[i].high_gb_s < rows[i].median_gb_s));
        Dtype dtype = product ? (Dtype)name_index(dtype_names, k->dtype) : DTYPE_UNKNOWN;
        double sheet = product ? gpu_peak_flops(gpu, dtype) / 1e12 : (double)NAN;
        CHECK(!product || (rows[i].median_tflop_s < sheet && !(rows[i].high_tflop_s > sheet)));
        CHECK(!(rows[i].low_tflop_s > rows[i].median_tflop_s) &&
              !(rows[i].high_tflop_s < rows[i].median_tflop_s));
    }
    catalog_close(c);
    arena_free(&a);
}

static void test_gpu_metrics_of_each_revision(void) {
    static const struct {
        unsigned char revision;
        size_t size, clock, hotspot, power;
    } layouts[] = {{1, 96, 54, 6, 22},    {3, 120, 54, 6, 22},   {4, 288, 240, 4, 10}, {5, 360, 312, 4, 10},
                   {6, 1664, 264, 4, 10}, {7, 2208, 296, 4, 10}, {8, 3872, 296, 4, 10}};
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        unsigned char bytes[4096] = {0};
        GpuState s = {.clock_mhz = 0};
        bytes[0] = (unsigned char)(layouts[i].size & 0xFF), bytes[1] = (unsigned char)(layouts[i].size >> 8),
        bytes[2] = 1, bytes[3] = layouts[i].revision;
        bytes[layouts[i].clock] = 0x6C, bytes[layouts[i].clock + 1] = 0x07;  // 1900
        bytes[layouts[i].hotspot] = 71;
        bytes[layouts[i].power] = 0x80, bytes[layouts[i].power + 1] = 0x02;  // 640
        CHECK(gpu_metrics_read(bytes, layouts[i].size, &s));
        CHECK_NEAR(s.clock_mhz, 1900, 0);
        CHECK_NEAR(s.temperature_c, 71, 0);
        CHECK_NEAR(s.power_w, 640, 0);
        CHECK(!gpu_metrics_read(bytes, layouts[i].size - 1, &s));
        bytes[0]++;
        CHECK(!gpu_metrics_read(bytes, layouts[i].size, &s));
    }
}

static void test_what_held_it_back(void) {
    Arena a = {0};
    GpuState before = {.residency = {0, 100, 0, 0, 0}, .accumulated = 1000},
             after = {.residency = {0, 400, 10, 0, 0}, .accumulated = 2000};
    CHECK_STR(limits_text(&a, telemetry_limits(&before, &after)), "power cap");
    after.residency[4] = 30;
    CHECK_STR(limits_text(&a, telemetry_limits(&before, &after)), "power cap, heat");
    after.accumulated = 1000;  // nothing was counted
    CHECK_STR(limits_text(&a, telemetry_limits(&before, &after)), "");
    CHECK_NEAR(dpm_active_mhz("0: 132Mhz\n1: 1420Mhz *\n2: 2100Mhz\n"), 1420, 0);
    CHECK(!is_known(dpm_active_mhz("0: 132Mhz\n")));
    CHECK(!is_known(dpm_active_mhz("*")));
    CHECK_STR(gfx_name(&a, 90402), "gfx942");
    CHECK_STR(gfx_name(&a, 90010), "gfx90a");
    CHECK_STR(gfx_name(&a, 110501), "gfx1151");
    CHECK_STR(gfx_name(&a, (double)NAN), "");
    arena_free(&a);
}

static const TestCase tests[] = {TEST(bands),
                                 TEST(more_than_the_datasheet_is_impossible),
                                 TEST(groups),
                                 TEST(datasheet_by_type),
                                 TEST(what_is_low_by_its_making_is_no_part_of_the_datasheet),
                                 TEST(parts_are_never_held_against_whole_boards),
                                 TEST(causes),
                                 TEST(products_are_judged_by_their_library),
                                 TEST(a_band_from_the_datasheet_and_kin),
                                 TEST(a_die_has_its_part_of_the_cards_band),
                                 TEST(shipped_readings_are_of_tests_and_gpus_and_below_the_datasheet),
                                 TEST(gpu_metrics_of_each_revision),
                                 TEST(what_held_it_back)};
TEST_MAIN(tests)
