// Fleets of records made up here: lists of hosts, limits, states, what is taken out of use.
#include "src/report/fleet_report.h"
#include "tests/check.h"

#include <time.h>

enum { DEVICES = 1, RESULTS = 2, NAME = 16 };

// A record of a machine with one GPU and two tests, as good as all others until a test changes it.
typedef struct Made {
    BenchRun run;
    BenchDevice device;
    BenchResult results[RESULTS];
    char node[NAME];
} Made;

static BenchResult result(const char *test, const char *unit, double median) {
    return (BenchResult){.test = test,
                         .dtype = "fp32",
                         .unit = unit,
                         .device = "gpu0",
                         .shape = "1024",
                         .path = "",
                         .median = median,
                         .p5 = median,
                         .p95 = median,
                         .verified = true,
                         .verdict = "no reference",
                         .error = "",
                         .throttle = "",
                         .library = "",
                         .expected_source = "",
                         .gpu_count = (double)NAN,
                         .expected_low = (double)NAN,
                         .expected_high = (double)NAN,
                         .library_ceiling = (double)NAN,
                         .max_error_of_bound = 0.5,
                         .in_cache = 0};
}

static void make(Made *m, int rank, int ranks) {
    // figures of healthy machines are within a percent or so
    double wobble = 1 + 0.002 * (rank % 3 - 1);
    snprintf(m->node, sizeof m->node, "node%02d", rank + 1);
    m->device = (BenchDevice){.id = "gpu0",
                              .vendor = "nvidia",
                              .name = "H100",
                              .sku_id = "h100-sxm5-80gb",
                              .pci = "",
                              .driver = "nvidia 580",
                              .state = "tested",
                              .why = "",
                              .part = "",
                              .code = "",
                              .uuid = "",
                              .vbios = "96.00",
                              .share = 1,
                              .shared = 0,
                              .power_limit_w = 700,
                              .power_default_w = 700,
                              .ecc_errors = 0,
                              .ecc_corrected = 0,
                              .rows_pending = 0};
    m->results[0] = result("triad", "GB/s", 3000 * wobble);
    m->results[1] = result("latency", "ns", 600 * wobble);
    m->run = (BenchRun){.taken_at = "2026-11-20T10:00:00Z",
                        .host = m->node,
                        .node = m->node,
                        .job = "77",
                        .launcher = "slurm",
                        .rank = rank,
                        .ranks = ranks,
                        .record = BENCH_FINISHED,
                        .complete = true,
                        .quick = 0,
                        .devices = &m->device,
                        .n_devices = DEVICES,
                        .results = m->results,
                        .n_results = RESULTS};
}

static void make_all(Made *m, int n) {
    for (int i = 0; i < n; i++) make(&m[i], i, n);
}

static Fleet judged(Arena *a, Made *m, size_t n) {
    Fleet f = {.arena = a};
    for (size_t i = 0; i < n; i++) fleet_add(&f, "record.json", &m[i].run);
    fleet_judge(&f);
    return f;
}

static const FleetNode *node_of(const Fleet *f, const char *name) {
    for (size_t i = 0; i < f->n_nodes; i++) {
        if (strcmp(f->nodes[i].name, name) == 0) return &f->nodes[i];
    }
    fprintf(stderr, "no node %s\n", name);
    exit(1);
}

#define CHECK_STATE(f, name, want) CHECK_STR(fleet_state_names[node_of((f), (name))->state], (want))

// ---------------------------------------------------------------- hosts

static void test_lists_of_hosts(void) {
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"node[01-03,10],gpu3", "node01 node02 node03 node10 gpu3"},
        {"a b\nc # a remark, with commas\nd", "a b c d"},
        {"r[1-2]n[8-9]", "r1n8 r1n9 r2n8 r2n9"},
        {"x[7]", "x7"},
        {"node[098-101].cluster", "node098.cluster node099.cluster node100.cluster node101.cluster"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena a = {0};
        Err e = {0};
        const char *const *hosts = NULL, *text = "";
        size_t n = 0;
        CHECK(fleet_hosts(str_of(cases[i].text), &a, &hosts, &n, &e));
        for (size_t k = 0; k < n; k++) text = arena_printf(&a, "%s%s%s", text, k > 0 ? " " : "", hosts[k]);
        CHECK_STR(text, cases[i].want);
        arena_free(&a);
    }
}

static void test_lists_that_are_none(void) {
    static const char *const cases[] = {"",          " # nothing", "node[1-",     "node[]",
                                        "node[3-1]", "node[a]",    "node[1-2-3]", "node[0-999999999]",
                                        "-x",        "all",        "a;b",         "node[1-2]]"};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Arena a = {0};
        Err e = {0};
        const char *const *hosts = NULL;
        size_t n = 0;
        if (fleet_hosts(str_of(cases[i]), &a, &hosts, &n, &e))
            fprintf(stderr, "took '%s'\n", cases[i]), exit(1);
        CHECK_INT(e.kind, ERR_USAGE);
        arena_free(&a);
    }
    CHECK(fleet_same_host("node1", "NODE1.cluster.org"));
    CHECK(!fleet_same_host("node1.a.org", "node1.b.org"));
    CHECK(!fleet_same_host("node1", "node10"));
}

// ---------------------------------------------------------------- states

static void test_each_is_told(void) {
    enum { N = 16 };
    Arena a = {0};
    Made m[N];
    make_all(m, N);
    m[2].results[0].median = 2400;
    m[4].results[1].throttle = "heat";
    m[6].run.record = BENCH_STARTED;
    m[6].run.n_results = 0;
    m[8].device.ecc_errors = 3;
    m[10].device.driver = "nvidia 570";
    m[12].results[0].verified = false;
    m[12].results[0].verdict = "wrong";
    m[12].results[0].median = (double)NAN;
    Fleet f = judged(&a, m, N - 1);  // and rank 15 left nothing
    CHECK_STATE(&f, "node03", "straggler");
    CHECK_STATE(&f, "node05", "throttled");
    CHECK_STATE(&f, "node07", "unfinished");
    CHECK_STATE(&f, "node09", "faulty");
    CHECK_STATE(&f, "node11", "mixed");
    CHECK_STATE(&f, "node13", "faulty");
    CHECK_STATE(&f, "rank 15", "missing");
    CHECK_INT(f.counts[FLEET_GOOD], 9);
    CHECK_INT(f.n_groups, 2);
    CHECK_STR(fleet_summary(&f, &a),
              "16 nodes: 9 good, 1 mixed, 1 straggler, 1 throttled, 1 missing, 1 unfinished, 2 faulty");
    CHECK_STR(f.by_state[0]->name, "node09");
    CHECK(strstr(fleet_why(node_of(&f, "node03"), &a), "triad of gpu0: 2,400 GB/s") != NULL ||
          strstr(fleet_why(node_of(&f, "node03"), &a), "triad of gpu0: 2400 GB/s") != NULL);
    arena_free(&a);
}

// Limits of issue: below five deviations or 95 % of the median; of latencies above; two figures a percent
// apart are one.
static void test_limits(void) {
    static const struct {
        size_t test;
        double factor;
        bool slow;
    } cases[] = {{0, 0.949, true}, {0, 0.97, true}, {0, 0.993, false}, {0, 1.3, false},
                 {1, 1.06, true},  {1, 1.03, true}, {1, 1.005, false}, {1, 0.5, false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        enum { N = 12 };
        Arena a = {0};
        Made m[N];
        make_all(m, N);
        m[4].results[cases[i].test].median = (cases[i].test == 0 ? 3000 : 600) * cases[i].factor;
        Fleet f = judged(&a, m, N);
        CHECK_STATE(&f, "node05", cases[i].slow ? "straggler" : "good");
        CHECK_INT(f.counts[FLEET_GOOD], cases[i].slow ? N - 1 : N);
        arena_free(&a);
    }
}

static void test_a_wide_spread_has_its_own_limit(void) {
    enum { N = 11 };
    Arena a = {0};
    Made m[N];
    make_all(m, N);
    for (int i = 0; i < N; i++) m[i].results[0].median = 2900 + 20 * i;  // median 3000, deviation 89
    Fleet f = judged(&a, m, N);
    CHECK_INT(f.counts[FLEET_GOOD], N);
    CHECK_NEAR(f.lines[0].limit, 0.95 * 3000, 1e-9);
    CHECK_NEAR(f.lines[0].spread_pct, 100 * 1.4826 * 60 / 3000, 1e-9);
    arena_free(&a);
}

static void test_slow_as_a_whole(void) {
    enum { N = 4 };
    Arena a = {0};
    Made m[N];
    make_all(m, N);
    for (int i = 0; i < N; i++) {
        m[i].results[0].expected_low = 3200;
        m[i].results[0].expected_high = 3350;
        m[i].results[0].expected_source = "somebody";
    }
    Fleet f = judged(&a, m, N);
    CHECK(f.slow_as_a_whole);
    CHECK_INT(f.counts[FLEET_GOOD], N);
    CHECK(f.lines[0].below_known);
    CHECK(!f.lines[1].below_known);
    arena_free(&a);
}

// A capped limit is told; the default one's cap is no fault.
static void test_power_caps(void) {
    enum { N = 4 };
    Arena a = {0};
    Made m[N];
    make_all(m, N);
    for (int i = 0; i < N; i++) m[i].results[0].throttle = BENCH_POWER_CAP;
    m[1].device.power_limit_w = 400;
    m[2].device.power_limit_w = m[2].device.power_default_w = (double)NAN;
    Fleet f = judged(&a, m, N);
    CHECK_STATE(&f, "node01", "good");
    CHECK_STATE(&f, "node02", "throttled");
    CHECK_STATE(&f, "node03", "throttled");
    arena_free(&a);
}

static void test_no_majority(void) {
    enum { N = 4 };
    Arena a = {0};
    Made m[N];
    make_all(m, N);
    m[0].device.vbios = m[1].device.vbios = "95.00";
    Fleet f = judged(&a, m, N);
    CHECK_INT(f.counts[FLEET_MIXED], N);
    arena_free(&a);
}

// ---------------------------------------------------------------- records

static void test_the_newest_record_counts(void) {
    enum { N = 6 };
    Arena a = {0};
    Made m[N];
    make_all(m, N);
    m[4].results[0].median = 1000;  // node05 of yesterday
    make(&m[5], 4, N);              // and of today
    m[5].run.taken_at = "2026-11-21T10:00:00Z";
    m[5].run.job = "78";
    m[5].run.ranks = (double)NAN;
    Fleet f = judged(&a, m, N);
    CHECK_INT(f.superseded, 1);
    CHECK_STATE(&f, "node05", "good");
    CHECK_INT(node_of(&f, "node05")->records, 1);
    arena_free(&a);
}

static void test_two_ranks_of_a_node(void) {
    enum { N = 6 };
    Arena a = {0};
    Made m[N];
    make_all(m, N);
    m[1].run.node = m[1].run.host = "node01";
    m[1].results[0].median = 2000;
    Fleet f = judged(&a, m, N);
    CHECK_INT(f.superseded, 0);
    CHECK_INT(node_of(&f, "node01")->records, 2);
    CHECK_STATE(&f, "node01", "straggler");
    arena_free(&a);
}

static void test_expected_hosts(void) {
    enum { N = 3 };
    static const char *const hosts[] = {"node01.cluster", "node02", "node9"};
    Arena a = {0};
    Made m[N];
    make_all(m, N);
    Fleet f = {.arena = &a};
    for (int i = 0; i < N; i++) fleet_add(&f, "x.json", &m[i].run);
    fleet_add_unreadable(&f, "broken.json", "no JSON");
    fleet_expect(&f, hosts, COUNT_OF(hosts));
    fleet_judge(&f);
    CHECK_STATE(&f, "node9", "missing");
    CHECK_STATE(&f, "broken.json", "unreadable");
    CHECK_INT(f.n_nodes, 5);
    arena_free(&a);
}

// ---------------------------------------------------------------- what comes of it

static void test_commands_name_hosts_alone(void) {
    enum { N = 8 };
    static const char *const bad[] = {"$(reboot)", "a b", "node1;x", "ALL", "node[1-9]", "-all", "no'de"};
    Arena a = {0};
    Made m[N];
    Buf out;
    make_all(m, N);
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        m[i].run.node = bad[i];
        m[i].device.ecc_errors = 1;
    }
    m[7].results[0].verified = false;
    m[7].results[0].verdict = "wrong";
    m[7].results[0].error = "it's $(bad) `x`";
    Fleet f = judged(&a, m, N);
    buf_init(&out, BUF_LIMIT);
    fleet_drain(&f, FORMAT_SLURM, &a, &out);
    const char *line = strstr(out.data, "scontrol");
    CHECK(line != NULL && strstr(line + 1, "scontrol") == NULL);
    CHECK_STR(arena_copy(&a, line, strcspn(line, "\n")),
              "scontrol update NodeName=node08 State=DRAIN Reason='gpuadvise: faulty: triad of gpu0 is "
              "wrong: it'\\''s "
              "$(bad) `x`'");
    buf_free(&out);
    arena_free(&a);
}

static void test_medians_of_good_nodes(void) {
    enum { N = 9 };
    Arena a = {0};
    Made m[N];
    BenchRun run;
    const char *why = "";
    make_all(m, N);
    for (int i = 0; i < N; i++) m[i].results[0].median = 3000 + i;
    for (int i = 0; i < N; i++) m[i].results[0].library_ceiling = 3100 + i, m[i].results[0].library = "libx";
    m[8].device.ecc_errors = 1;
    Fleet f = judged(&a, m, N);
    CHECK(fleet_median_run(&f, "here", &run, &why));
    CHECK_INT(run.n_devices, 1);
    CHECK_INT(run.n_results, 2);
    CHECK_NEAR(run.results[0].median, 3003.5, 1e-12);
    CHECK_NEAR(run.results[0].library_ceiling, 3103.5, 1e-12);
    CHECK_NEAR(run.results[0].samples, 8, 1e-12);
    CHECK_STR(run.origin, "fleet of 9 nodes in here");
    CHECK_STR(run.devices[0].how, "medians of 8 of 9 devices on 8 nodes of the fleet");
    for (int i = 0; i < N; i++) m[i].device.ecc_errors = 1;
    f = judged(&a, m, N);
    CHECK(!fleet_median_run(&f, "here", &run, &why));
    CHECK_STR(why, "no node is good");
    arena_free(&a);
}

// Of a slow rank every pair is slow, of the others the one with it.
static void test_a_slow_rank(void) {
    enum { RANKS = 6 };
    Arena a = {0};
    FleetPair pairs[RANKS * RANKS];
    double medians[RANKS];
    size_t n = 0;
    for (size_t i = 0; i < RANKS; i++) {
        for (size_t k = i + 1; k < RANKS; k++)
            pairs[n++] = (FleetPair){i, k, i == 4 || k == 4 ? 12 : 48 + 0.1 * (double)k};
    }
    double limit = fleet_pairs(pairs, n, RANKS, &a, medians);
    for (size_t i = 0; i < RANKS; i++) CHECK_INT(medians[i] < limit, i == 4);
    CHECK(isnan(fleet_pairs(pairs, 1, 2, &a, medians)));
    pairs[0].speed = (double)NAN;
    (void)fleet_pairs(pairs, 1, 3, &a, medians);
    CHECK(isnan(medians[0]) && isnan(medians[2]));
    arena_free(&a);
}

// Time grows with the records, not with their square.
static void test_a_thousand_nodes(void) {
    enum { N = 1000, TESTS = 40 };
    const double limit_s = 2;
    Arena a = {0};
    Made *m = arena_alloc(&a, 1, sizeof *m);
    BenchResult *results = arena_alloc(&a, TESTS, sizeof *results);
    const char **hosts = arena_alloc(&a, N, sizeof *hosts);
    Fleet f = {.arena = &a};
    clock_t start = clock();
    for (int i = 0; i < N; i++) {
        make(m, i, N);
        hosts[i] = arena_printf(&a, "node%02d", i + 1);
        for (int k = 0; k < TESTS; k++) {
            results[k] = result(arena_printf(&a, "test%d", k), "GB/s", 1000 + i % 7);
            if (i == 500) results[k].median = 700;
        }
        m->run.results = results;
        m->run.n_results = TESTS;
        fleet_add(&f, "x.json", &m->run);
    }
    fleet_expect(&f, hosts, N);
    fleet_judge(&f);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK_INT(f.counts[FLEET_GOOD], N - 1);
    CHECK_STATE(&f, "node501", "straggler");
    CHECK_INT(f.n_lines, TESTS);
    if (seconds > limit_s) fprintf(stderr, "%.2f s, at most %g\n", seconds, limit_s), exit(1);
    arena_free(&a);
}

static const TestCase tests[] = {TEST(lists_of_hosts),
                                 TEST(lists_that_are_none),
                                 TEST(each_is_told),
                                 TEST(limits),
                                 TEST(a_wide_spread_has_its_own_limit),
                                 TEST(slow_as_a_whole),
                                 TEST(power_caps),
                                 TEST(no_majority),
                                 TEST(the_newest_record_counts),
                                 TEST(two_ranks_of_a_node),
                                 TEST(expected_hosts),
                                 TEST(commands_name_hosts_alone),
                                 TEST(medians_of_good_nodes),
                                 TEST(a_slow_rank),
                                 TEST(a_thousand_nodes)};
TEST_MAIN(tests)
