// src/advise/sizing.c: instance-hours of fleets that follow a load, by hand.
#include "src/advise/sizing.h"
#include "tests/check.h"

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

static const TestCase tests[] = {TEST(hours_follow_the_load), TEST(reacting_is_late)};
TEST_MAIN(tests)
