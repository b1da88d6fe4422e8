// src/traffic/simulate.c against the closed forms of queues, and against the estimate's own.
#include <time.h>

#include "src/perf/replica.h"
#include "src/traffic/parts.h"
#include "src/traffic/simulate.h"
#include "tests/check.h"
#include "tests/fixture.h"

static const Traffic unknown = {.input_mean = 100,
                                .input_p50 = (double)NAN,
                                .output_mean = 1,
                                .output_p50 = (double)NAN,
                                .rate_rps = (double)NAN,
                                .idc_1s = (double)NAN,
                                .idc_60s = (double)NAN,
                                .hits = "",
                                .hours = ""};

// One request at a time, which takes `service_s` for a prompt of 100 tokens.
static ReplicaModel server(double service_s) {
    static const double step[] = {0};
    return (ReplicaModel){.step_s = step,
                          .places = 1,
                          .prompt_token_s = service_s / 100,
                          .chunk_tokens = (double)INFINITY,
                          .tokens_max = 1e9,
                          .kept = 1};
}

static double erlang_wait(double c, double rho) {  // mean wait of M/M/c over the service time
    double a = c * rho, sum = 0, term = 1;
    for (int k = 0; k < (int)c; k++) {
        sum += term;
        term *= a / (k + 1);
    }
    double wait = term / (1 - rho) / (sum + term / (1 - rho));
    return wait / (c * (1 - rho));
}

static FleetRun run(const ReplicaModel *m, size_t servers, const Arrival *arrivals, size_t n) {
    Arena a = {0};
    FleetRun r;
    CHECK(fleet_simulate(m, servers, ROUTE_HOLD, arrivals, n, &a, &r));
    arena_free(&a);
    return r;
}

// Pollaczek and Khinchine: a mean wait of lambda E[S^2] / (2 (1 - rho)).
static void test_md1_and_mg1(void) {
    Arena a = {0};
    size_t n = 0;
    ReplicaModel m = server(1);
    for (double rho = 0.5; rho < 0.85; rho += 0.3) {
        Arrival *x = (Arrival *)(size_t)traffic_draw(&unknown, rho, 1e6, 7, &a, &n);
        CHECK_NEAR((double)n, rho * 1e6, 0.01);
        CHECK_NEAR(run(&m, 1, x, n).wait_s.mean, rho / (2 * (1 - rho)), 0.05);
        // half of the requests take 0.5 s and half 1.5 s: E[S^2] = 1.25
        for (size_t i = 0; i < n; i++) x[i].input = hash64(i + 1) % 2 == 0 ? 50 : 150;
        CHECK_NEAR(run(&m, 1, x, n).wait_s.mean, rho * 1.25 / (2 * (1 - rho)), 0.05);
    }
    arena_free(&a);
}

// M/D/c by Cosmetatos (1976), within 2 % of the exact values for these.
static void test_mdc(void) {
    Arena a = {0};
    size_t n = 0;
    ReplicaModel m = server(1);
    static const double servers[] = {2, 5, 10};
    for (size_t i = 0; i < 3; i++) {
        double c = servers[i], rho = 0.8;
        const Arrival *x = traffic_draw(&unknown, rho * c, 200000, 11 + i, &a, &n);
        double more = (1 - rho) * (c - 1) * (sqrt(4 + 5 * c) - 2) / (16 * rho * c);
        FleetRun r = run(&m, (size_t)c, x, n);
        CHECK_NEAR(r.wait_s.mean, 0.5 * (1 + more) * erlang_wait(c, rho), 0.05);
        CHECK_NEAR(r.busy_share, rho, 0.01);
        CHECK_NEAR(r.in_flight_mean, rho * c * (1 + r.wait_s.mean), 0.02);  // Little's law
    }
    arena_free(&a);
}

static void test_a_batch_by_hand(void) {
    // Two places; a step of one sequence takes 1 s, of two 2 s; a prompt of 100 tokens 10 s.
    static const double step[] = {1, 2};
    ReplicaModel m = {.step_s = step,
                      .places = 2,
                      .prompt_token_s = 0.1,
                      .chunk_tokens = (double)INFINITY,
                      .tokens_max = 1e9,
                      .kept = 1};
    const Arrival two[] = {{0, 100, 3, TOKENS_UNKNOWN}, {10.5, 100, 2, TOKENS_UNKNOWN}};
    Arena a = {0};
    FleetRun r;
    CHECK(fleet_simulate(&m, 1, ROUTE_LEAST, two, 2, &a, &r));
    // The first reads until 10, has its second token at 11; then a step with the other's prompt, 11 s, until 22
    // ends both the prompt and the first request; the other is done at 23.
    CHECK_NEAR(r.e2e_s.mean, (22 + 12.5) / 2, 1e-6);
    CHECK_NEAR(r.ttft_s.mean, (10 + 11.5) / 2, 1e-6);
    CHECK_NEAR(r.span_s, 23, 1e-6);
    // Half of the other's prompt is cached.
    const Arrival held[] = {{0, 100, 3, 0}, {10.5, 100, 2, 50}};
    CHECK(fleet_simulate(&m, 1, ROUTE_LEAST, held, 2, &a, &r));
    CHECK_NEAR(r.span_s, 18, 1e-6);
    // In chunks of 50 tokens the first one's third token does not wait for the whole prompt.
    m.chunk_tokens = 50;
    CHECK(fleet_simulate(&m, 1, ROUTE_LEAST, two, 2, &a, &r));
    CHECK_NEAR(r.e2e_s.mean, (17 + (22 + 1 - 10.5)) / 2, 1e-6);
    // A request that no memory holds is left out, and said.
    m.tokens_max = 50;
    CHECK(fleet_simulate(&m, 1, ROUTE_LEAST, two, 2, &a, &r));
    CHECK(r.unserved && r.requests == 0);
    CHECK(!fleet_simulate(&m, 1, ROUTE_LEAST, two, 0, &a, &r));
    arena_free(&a);
}

static void test_draws_keep_figures(void) {
    Traffic t = unknown;
    t.rate_rps = 5.53;
    t.idc_1s = 1.385, t.idc_60s = 16.13;
    t.input_mean = 1154.7, t.input_p50 = 1020, t.input_p90 = 2734.5, t.input_p99 = 4142, t.input_max = 14050;
    t.output_mean = 211.1, t.output_p50 = 129, t.output_p90 = 424, t.output_p99 = 601, t.output_max = 1000;
    Arena a = {0};
    size_t n = 0, again_n = 0;
    const Arrival *x = traffic_draw(&t, 5.53, 400000, 3, &a, &n);
    const Arrival *again = traffic_draw(&t, 5.53, 400000, 3, &a, &again_n);
    CHECK_INT(n, again_n);
    CHECK(memcmp(x, again, n * sizeof *x) == 0);
    TrafficScan *scan = traffic_scan_open(&a, &(TrafficOptions){.sessions = (double)NAN});
    TrafficFound f;
    Err e = {0};
    for (size_t i = 0; i < n; i++) {
        Request r = {.at_ns = (int64_t)(x[i].at_s * 1e9),
                     .input = x[i].input,
                     .output = x[i].output,
                     .cached = TOKENS_UNKNOWN,
                     .think_s = (double)NAN};
        CHECK(traffic_scan_request(scan, &r, &e));
    }
    CHECK(traffic_scan_end(scan, &f, &e));
    CHECK_NEAR(f.rate_rps, 5.53, 0.02);
    CHECK_NEAR(f.idc[0], 1.385, 0.05);
    CHECK_NEAR(f.idc[2], 16.13, 0.05);
    CHECK_NEAR(f.input.mean, 1154.7, 0.02);
    CHECK_NEAR(f.input.p99, 4142, 0.03);
    CHECK_NEAR(f.output.p50, 129, 0.03);
    arena_free(&a);
}

// The batch that a rate keeps running, by a step that grows with it: N = lambda (prompt + steps), in which
// every prompt of others is read too.
static void test_poisson_arrivals_as_the_closed_form(void) {
    enum { PLACES = 256 };
    double step[PLACES];
    for (int i = 0; i < PLACES; i++) step[i] = 0.01 + 0.0001 * i;
    ReplicaModel m = {.step_s = step,
                      .places = PLACES,
                      .prompt_token_s = 0.02 / 100,
                      .chunk_tokens = (double)INFINITY,
                      .tokens_max = 1e9,
                      .kept = 1};
    Traffic t = unknown;
    t.output_mean = 200;
    Arena a = {0};
    size_t n = 0;
    const Arrival *x = traffic_draw(&t, 10, 20000, 5, &a, &n);
    FleetRun r;
    CHECK(fleet_simulate(&m, 1, ROUTE_LEAST, x, n, &a, &r));
    double running = 1;  // a sequence's step takes step(n) / (1 - lambda x prompt)
    for (int i = 0; i < 200; i++)
        running = 10 * (0.02 + 199 * (0.01 + 0.0001 * (running - 1)) / (1 - 10 * 0.02));
    CHECK_NEAR(r.in_flight_mean, running, 0.05);
    CHECK_NEAR(r.e2e_s.mean, running / 10, 0.05);
    CHECK_NEAR(r.output_tokens_s, 2000, 0.02);
    arena_free(&a);
}

// Log-normal lengths through a mean, their standard deviation as long as the mean before the longest are cut.
static void spread_lengths(double mean, double *p50, double *p90, double *p99, double *max) {
    static const double SIGMA = 0.8325546;  // sqrt(ln 2)
    *p50 = mean / sqrt(2), *max = 14 * mean;
    *p90 = *p50 * exp(1.2815516 * SIGMA), *p99 = *p50 * exp(2.3263479 * SIGMA);
}

// The estimate at a rate against the simulation of the same replica: mean TTFT of steps as gated vacations,
// within 5 %, and the quantiles that the closed form makes of it.
static void test_first_tokens_under_poisson_arrivals(void) {
    Served h;
    CHECK_INT(served(&h, 1024, 512), SERVE_OK);
    Serving s = h.serving;
    double best = h.requests_s;
    for (int spread = 0; spread < 2; spread++) {
        for (int u = 1; u <= 7; u += 3) {
            Traffic t = unknown;
            t.input_mean = 1024, t.output_mean = 512;
            if (spread > 0) {
                spread_lengths(1024, &t.input_p50, &t.input_p90, &t.input_p99, &t.input_max);
                spread_lengths(512, &t.output_p50, &t.output_p90, &t.output_p99, &t.output_max);
            }
            Arena a = {0};
            size_t n = 0;
            double rate = best * u / 10, sum = 0, squares = 0;
            const Arrival *x = traffic_draw(&t, rate, 40000 / rate, 5, &a, &n);
            for (size_t i = 0; i < n; i++) sum += x[i].input, squares += (double)x[i].input * x[i].input;
            s.length_cv = sqrt(fmax(squares * (double)n / square(sum) - 1, 0));
            Point p;
            CHECK(serving_at_rate(&s, rate, 1, &p));
            ReplicaModel replica = replica_model(&s, &a);
            FleetRun r;
            CHECK(fleet_simulate(&replica, 1, ROUTE_LEAST, x, n, &a, &r));
            double prompt = serving_prompt_mixed_s(&s), step = serving_running_step_s(&s, p.running);
            double rho = rate * prompt, cycle = step / (1 - rho);
            double seen = cycle + rate * square(prompt) * (1 + square(s.length_cv)) / (1 - square(rho));
            CHECK_NEAR(r.ttft_s.mean, seen * (0.5 + rho) + step + prompt, 0.05);
            CHECK_NEAR(r.tpot_s.mean, p.tpot_s, 0.06);
            CHECK_NEAR(r.ttft_s.p50, p.ttft_s, 0.20);
            CHECK_NEAR(r.ttft_s.p99, p.ttft_p99_s, 0.18);
            arena_free(&a);
        }
    }
}

static void test_a_million_requests_in_seconds(void) {
    Traffic t = unknown;
    double step[64];
    for (int i = 0; i < 64; i++) step[i] = 0.01;
    ReplicaModel m = {.step_s = step,
                      .places = 64,
                      .prompt_token_s = 1e-4,
                      .chunk_tokens = 8192,
                      .tokens_max = 1e9,
                      .kept = 1};
    t.output_mean = 200;
    Arena a = {0};
    size_t n = 0;
    const Arrival *x = traffic_draw(&t, 100, 10000, 5, &a, &n);
    FleetRun r;
    clock_t start = clock();
    CHECK(fleet_simulate(&m, 8, ROUTE_LEAST, x, n, &a, &r));
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK_NEAR(r.requests, 1e6, 0.01);
    CHECK(seconds < 20);  // of a debug build, under load; an optimised one takes two
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(md1_and_mg1),
    TEST(mdc),
    TEST(a_batch_by_hand),
    TEST(draws_keep_figures),
    TEST(poisson_arrivals_as_the_closed_form),
    TEST(first_tokens_under_poisson_arrivals),
    TEST(a_million_requests_in_seconds),
};
TEST_MAIN(tests)
