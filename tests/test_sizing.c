// src/advise/sizing.c: instance-hours of fleets that follow a load, by hand.
#include "src/advise/sizing.h"
#include "tests/check.h"
#include "tests/fixture.h"

static double hours(const double *rates, size_t n, double start_s, double billing_s, int want_floor) {
    Arena a = {0};
    int least = 0;
    double x = scaled_hours(rates, n, 3600, 1, &(Scaling){start_s, billing_s}, &a, &least);
    CHECK_INT(least, want_floor);
    arena_free(&a);
    return x;
}

static void test_hours_follow_the_load(void) {
    static const double rates[] = {0.5, 0.5, 2.5, 0.5, 0.5, 1.5};
    CHECK_NEAR(hours(rates, 6, 0, 0, 1), 1 + 1 + 3 + 1 + 1 + 2, 1e-12);
    // ordered an hour ahead, each is paid from its order on
    CHECK_NEAR(hours(rates, 6, 3600, 0, 1), 1 + 3 + 3 + 1 + 2 + 2, 1e-12);
    // billed by 3 hours: the second instance serves one hour, pauses two, serves one: three and three, or four as six
    CHECK_NEAR(hours(rates, 6, 0, 3 * 3600, 1), 6 + 6 + 3, 1e-12);
    // never more than all the time
    CHECK_NEAR(hours(rates, 6, 0, 100 * 3600, 1), 6 * 3, 1e-12);
}

static void test_reacting_is_late(void) {
    static const double rates[] = {1, 1, 3, 3, 1, 1};
    // the load of an hour is seen when it is over: the first hour of three is short
    CHECK_NEAR(reacting_short(rates, 6, 3600, 1, &(Scaling){0, 0}), 3.0 / 10, 1e-12);
    CHECK_NEAR(reacting_short(rates, 6, 3600, 1, &(Scaling){3600, 0}), 6.0 / 10, 1e-12);
    CHECK_NEAR(reacting_short(rates, 6, 3600, 3, &(Scaling){3600, 0}), 0, 0);
}

// A load that grows against a fleet whose places tell what it carries.
static void test_growth_runs_a_fleet_out(void) {
    Served h;
    CHECK_INT(served(&h, 1024, 256), SERVE_OK);
    Option o = {.gpu = &h.gpu,
                .instances = 1,
                .replicas = 1,
                .gpu_count = 4,
                .price_usd_h = 10,
                .serving = h.serving};
    double best = h.requests_s, rate = best / 3;
    Arena a = {0};
    enum { N = 3000, MONTHS = 24 };
    Arrival *x = arena_alloc(&a, N, sizeof *x);
    for (int i = 0; i < N; i++) x[i] = (Arrival){i / rate, 1024, 256, TOKENS_UNKNOWN};
    Ask ask = {.workload = {.ttft_p99_ms = 2000, .tpot_ms = (double)NAN}};
    double hours[24];
    for (int i = 0; i < 24; i++) hours[i] = rate;
    TrafficLoad load = {.busy = x,
                        .n_busy = N,
                        .busy_s = N / rate,
                        .thinned = 1,
                        .busy_rps = rate,
                        .rates = hours,
                        .n_rates = 24,
                        .interval_s = 3600,
                        .input_mean = 1024,
                        .output_mean = 256,
                        .growth = 0.1};
    Scaling scaling = {0, 0};
    Sizing s = size_fleet(&ask, &o, &load, &scaling, &a);
    CHECK(s.met && s.instances == 1 && s.growth == NULL);
    grow_fleet(&ask, &load, &scaling, MONTHS, &a, &s);
    const Growth *grown = s.growth;
    CHECK(grown != NULL && grown->n_months == MONTHS);
    // what one replica carries is known from the closed form: 2.5 to 3.5 times this load
    CHECK(grown->carries_rps > 2.5 * rate && grown->carries_rps < 3.5 * rate);
    double usd = 0;
    for (int i = 0; i < MONTHS; i++) {
        const GrowthMonth *month = &grown->months[i];
        CHECK_NEAR(month->busy_rps, rate * pow(1.1, i), 1e-9);
        CHECK_INT(month->instances, (int)ceil(month->busy_rps / grown->carries_rps - 1e-9));
        CHECK_NEAR(month->fixed_usd, 10 * 730.0 * month->instances, 1e-9);
        CHECK_NEAR(month->scaled_usd, month->fixed_usd, 1e-9);  // the load is the same at all hours
        CHECK((i + 1 >= grown->short_month) == (month->instances > 1));
        usd += month->fixed_usd;
    }
    CHECK_NEAR(grown->fixed_usd, usd, 1e-9);
    // Shrinking: never too small.
    load.growth = -0.1;
    grow_fleet(&ask, &load, &scaling, MONTHS, &a, &s);
    CHECK(!is_known(s.growth->short_month));
    CHECK_INT(s.growth->months[MONTHS - 1].instances, 1);
    arena_free(&a);
}

static const TestCase tests[] = {TEST(hours_follow_the_load), TEST(reacting_is_late),
                                 TEST(growth_runs_a_fleet_out)};
TEST_MAIN(tests)
