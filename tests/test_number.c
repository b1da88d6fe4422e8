// src/base/number.c: numbers, money and dates in and out.
#include <math.h>
#include <stdint.h>

#include "src/base/base.h"
#include "tests/check.h"

// ---------------------------------------------------------------- parse_number

static double number(const char *text) {
    double x = 0;
    Err e = {0};
    if (!parse_number(str_of(text), -1e308, 1e308, &x, &e)) FAIL_("'%s' refused: %s", text, e.text);
    return x;
}

// Refused as usage, with the output untouched and the text named.
static void refuse_number(const char *text, double min, double max, const char *want) {
    double x = 4711;
    Err e = {0};
    if (parse_number(str_of(text), min, max, &x, &e)) FAIL_("'%s' accepted as %g", text, x);
    CHECK_NEAR(x, 4711, 0);
    CHECK_INT(e.kind, ERR_USAGE);
    CHECK_STR(e.text, want);
}

static void refuse_shape(const char *text) {
    char want[100];
    snprintf(want, sizeof want, "'%s' is not a number", text);
    refuse_number(text, -1e308, 1e308, want);
}

static void test_parse_number_takes_decimals(void) {
    CHECK_NEAR(number("0"), 0, 0);
    CHECK_NEAR(number("12.5"), 12.5, 0);
    CHECK_NEAR(number("-3"), -3, 0);
    CHECK_NEAR(number("+3"), 3, 0);
    CHECK_NEAR(number(".5"), 0.5, 0);
    CHECK_NEAR(number("5."), 5, 0);
    CHECK_NEAR(number("1e3"), 1000, 0);
    CHECK_NEAR(number("1.5E-3"), 0.0015, 0);
    CHECK_NEAR(number("2E+2"), 200, 0);
    CHECK_NEAR(number("007"), 7, 0);
    CHECK_NEAR(number("1e-400"), 0, 0);
}

static void test_parse_number_refuses_nan(void) {
    refuse_shape("nan");
    refuse_shape("NaN");
    refuse_shape("-nan");
    refuse_shape("nan(1)");
}

static void test_parse_number_refuses_infinity(void) {
    refuse_shape("inf");
    refuse_shape("-INF");
    refuse_shape("Infinity");
    refuse_number("1e309", -1e308, 1e308, "'1e309' is too large");
    refuse_number("-1e309", -1e308, 1e308, "'-1e309' is too large");
}

static void test_parse_number_refuses_hex(void) {
    refuse_shape("0x10");
    refuse_shape("0x1p3");
    refuse_shape("1p3");
}

static void test_parse_number_refuses_blanks(void) {
    refuse_shape("");
    refuse_shape(" ");
    refuse_shape(" 1");
    refuse_shape("1 ");
    refuse_shape("1 2");
}

static void test_parse_number_refuses_stray_signs_and_points(void) {
    refuse_shape("+");
    refuse_shape("-");
    refuse_shape("--1");
    refuse_shape("+-1");
    refuse_shape("1-");
    refuse_shape(".");
    refuse_shape("-.");
    refuse_shape("1.2.3");
    refuse_shape("e5");
    refuse_shape(".e5");
    refuse_shape("1e");
    refuse_shape("1e+");
    refuse_shape("1e5.5");
}

static void test_parse_number_refuses_separators_and_units(void) {
    refuse_shape("1,000");
    refuse_shape("1_000");
    refuse_shape("1'000");
    refuse_shape("80GB");
    refuse_shape("$5");
    refuse_shape("5%");
}

static void test_parse_number_checks_range(void) {
    double x = 0;
    Err e = {0};
    CHECK(parse_number(str_of("1"), 1, 2, &x, &e));
    CHECK(parse_number(str_of("2"), 1, 2, &x, &e));
    refuse_number("0.999", 1, 2, "'0.999' is outside 1..2");
    refuse_number("2.001", 1, 2, "'2.001' is outside 1..2");
}

static void test_parse_number_reads_views(void) {
    double x = 0;
    Err e = {0};
    CHECK(parse_number((Str){"12345", 2}, 0, 100, &x, &e));
    CHECK_NEAR(x, 12, 0);
    CHECK(!parse_number((Str){"1\0002", 3}, 0, 100, &x, &e));
}

static void test_parse_number_refuses_very_long_text(void) {
    static char digits[5000];
    memset(digits, '1', sizeof digits - 1);
    double x = 0;
    Err e = {0};
    CHECK(!parse_number(str_of(digits), 0, 1e308, &x, &e));
    CHECK(strlen(e.text) < 200);
}

static void test_errors_may_be_ignored(void) {
    double x = 0;
    CHECK(!parse_number(str_of("x"), 0, 1, &x, NULL));
}

// ---------------------------------------------------------------- parse_integer

static void refuse_integer(const char *text, int64_t min, int64_t max, const char *want) {
    int64_t x = 4711;
    Err e = {0};
    if (parse_integer(str_of(text), min, max, &x, &e)) FAIL_("'%s' accepted as %lld", text, (long long)x);
    CHECK_INT(x, 4711);
    CHECK_INT(e.kind, ERR_USAGE);
    CHECK_STR(e.text, want);
}

static void test_parse_integer_takes_whole_numbers(void) {
    int64_t x = 0;
    Err e = {0};
    CHECK(parse_integer(str_of("-12"), -100, 100, &x, &e));
    CHECK_INT(x, -12);
    CHECK(parse_integer(str_of("+012"), -100, 100, &x, &e));
    CHECK_INT(x, 12);
    CHECK(parse_integer(str_of("9223372036854775807"), 0, INT64_MAX, &x, &e));
    CHECK_INT(x, INT64_MAX);
    CHECK(parse_integer(str_of("-9223372036854775808"), INT64_MIN, 0, &x, &e));
    CHECK_INT(x, INT64_MIN);
}

static void test_parse_integer_refuses_overflow(void) {
    refuse_integer("9223372036854775808", 0, INT64_MAX,
                   "'9223372036854775808' is outside 0..9223372036854775807");
    refuse_integer("-9223372036854775809", INT64_MIN, 5,
                   "'-9223372036854775809' is outside -9223372036854775808..5");
    refuse_integer("101", 0, 100, "'101' is outside 0..100");
    refuse_integer("-1", 0, 100, "'-1' is outside 0..100");
}

static void test_parse_integer_refuses_all_else(void) {
    static const char *const bad[] = {"",   " ",  "+",   "-",   "1.0",   "1e3", "0x10",
                                      " 1", "1 ", "nan", "inf", "1,000", "--1", "١"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char want[100];
        snprintf(want, sizeof want, "'%s' is not a whole number", bad[i]);
        refuse_integer(bad[i], 0, 100, want);
    }
    refuse_integer("00000000000000000000000001", 0, 100,
                   "'00000000000000000000000001' is not a whole number");
}

// ---------------------------------------------------------------- parse_micros

static int64_t micros(const char *text) {
    int64_t x = -1;
    Err e = {0};
    if (!parse_micros(str_of(text), 10000000000, &x, &e)) FAIL_("'%s' refused: %s", text, e.text);
    return x;
}

static void test_parse_micros_is_exact(void) {
    CHECK_INT(micros("0"), 0);
    CHECK_INT(micros("0.000001"), 1);
    CHECK_INT(micros("2.5"), 2500000);
    CHECK_INT(micros("98.32"), 98320000);
    CHECK_INT(micros("55.04"), 55040000);
    CHECK_INT(micros("9999.999999"), 9999999999);
    CHECK_INT(micros("1.1"), 1100000);
    CHECK_INT(micros("4.35e0"), 4350000);
    // Every whole cent up to 100 $.
    for (int cents = 0; cents <= 10000; cents++) {
        char text[20];
        snprintf(text, sizeof text, "%d.%02d", cents / 100, cents % 100);
        CHECK_INT(micros(text), (int64_t)cents * 10000);
    }
}

static void test_parse_micros_rounds_half_up(void) {
    CHECK_INT(micros("0.0000004"), 0);
    CHECK_INT(micros("0.0000005"), 1);
    CHECK_INT(micros("0.0000014999"), 1);
    CHECK_INT(micros("0.0000015"), 2);
    CHECK_INT(micros("0.0000025"), 3);
    CHECK_INT(micros("2.0000005"), 2000001);
    CHECK_INT(micros("1.0000005"), 1000001);
    CHECK_INT(micros("8.1234565"), 8123457);
}

static void test_parse_micros_refuses_negative_and_large(void) {
    int64_t x = 7;
    Err e = {0};
    CHECK(!parse_micros(str_of("-0.01"), 1000000, &x, &e));
    CHECK_STR(e.text, "'-0.01' is outside 0..1");
    CHECK(!parse_micros(str_of("1.000001"), 1000000, &x, &e));
    CHECK(!parse_micros(str_of("1e400"), 1000000, &x, &e));
    CHECK(!parse_micros(str_of(""), 1000000, &x, &e));
    CHECK_INT(x, 7);
}

// ---------------------------------------------------------------- dates

static int64_t date(const char *text) {
    int64_t days = -1;
    Err e = {0};
    if (!parse_date(str_of(text), &days, &e)) FAIL_("'%s' refused: %s", text, e.text);
    return days;
}

static void test_parse_date_counts_days(void) {
    CHECK_INT(date("1970-01-01"), 0);
    CHECK_INT(date("1970-01-02"), 1);
    CHECK_INT(date("2000-03-01"), 11017);
    CHECK_INT(date("2026-11-27"), 20784);
    CHECK_INT(date("2999-12-31"), 376199);
}

static void test_parse_date_ignores_the_time(void) {
    CHECK_INT(date("2026-11-27T23:59:59Z"), 20784);
    CHECK_INT(date("2026-11-27 08:00"), 20784);
}

static void test_parse_date_takes_the_last_day_of_a_coarse_date(void) {
    CHECK_INT(date("2026"), date("2026-12-31"));
    CHECK_INT(date("2026-11"), date("2026-11-30"));
    CHECK_INT(date("2026-02"), date("2026-02-28"));
    CHECK_INT(date("2024-02"), date("2024-02-29"));
    CHECK_INT(date("2026-12"), date("2026-12-31"));
}

static void test_parse_date_knows_leap_years(void) {
    static const char *const bad[] = {"2023-02-29", "2100-02-29", "2026-02-30", "2024-02-30"};
    int64_t days = -1;
    for (size_t i = 0; i < COUNT_OF(bad); i++) CHECK(!parse_date(str_of(bad[i]), &days, NULL));
    CHECK_INT(date("2024-02-29") + 1, date("2024-03-01"));
    CHECK_INT(date("2000-02-29") + 1, date("2000-03-01"));
    CHECK_INT(date("2100-02-28") + 1, date("2100-03-01"));
}

static void test_dates_ahead_of_a_day(void) {
    static const struct {
        const char *date;
        bool ahead;
    } cases[] = {{"2026-11-27", false},
                 {"2026-11-28", false},
                 {"2026-11-29", true},
                 {"2026-11-28T23:00:00Z", false},
                 {"2026-11-29 00:00", true},
                 {"2026-11", false},
                 {"2026-12", true},
                 {"2026", false},
                 {"2027", true},
                 {"1970-01-01", false},
                 {"", false},
                 {"soon", false}};
    int64_t today = 0;
    CHECK(parse_date(str_of("2026-11-27"), &today, NULL));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (date_is_ahead(cases[i].date, today) != cases[i].ahead) FAIL_("'%s'", cases[i].date);
    }
}

static void test_parse_date_refuses_all_else(void) {
    static const char *const bad[] = {
        "",           "26",         "202",        "2026-",    "2026-1", "2026-13", "2026-00",    "2026-11-00",
        "2026-11-31", "2026-11-3",  "2026-11-",   "20261127", "1969",   "3000",    "2026/11/27", "27-11-2026",
        "+026-11-27", "2026-+1-27", "2026-11-2x", "T2026",    " 2026",  "x"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int64_t days = 4711;
        Err e = {0};
        if (parse_date(str_of(bad[i]), &days, &e)) FAIL_("'%s' accepted", bad[i]);
        CHECK_INT(days, 4711);
        CHECK_INT(e.kind, ERR_USAGE);
        CHECK(strstr(e.text, "is not a date (YYYY-MM-DD)") != NULL);
    }
}

static void test_dates_read_back(void) {
    for (int64_t days = 0; days < 376200; days += 13) {
        char text[11];
        format_date(text, days);
        CHECK_INT(date(text), days);
    }
}

static void test_format_time_is_rfc_3339(void) {
    char text[32];
    format_time(text, 0);
    CHECK_STR(text, "1970-01-01T00:00:00Z");
    format_time(text, 1795737600);
    CHECK_STR(text, "2026-11-27T00:00:00Z");
    format_time(text, 1795737600 + 86399);
    CHECK_STR(text, "2026-11-27T23:59:59Z");
    format_time(text, -1);
    CHECK_STR(text, "1969-12-31T23:59:59Z");
}

// ---------------------------------------------------------------- formatting

static void check_format(double x, int digits, const char *want) {
    char text[64];
    format_number(text, sizeof text, x, digits);
    CHECK_STR(text, want);
}

static void test_format_number_is_short(void) {
    check_format(0, 3, "0");
    check_format(1, 3, "1");
    check_format(2.5, 3, "2.5");
    check_format(2.50049, 3, "2.5");
    check_format(3.14159, 3, "3.14");
    check_format(31.4159, 3, "31.4");
    check_format(314.159, 3, "314");
    check_format(-2.71828, 3, "-2.72");
    check_format(0.00012345, 3, "0.000123");
    check_format(0.5, 3, "0.5");
    check_format(0.9996, 3, "1");
    check_format(1e-7, 3, "1e-07");
    check_format(1e15, 3, "1e+15");
}

static void test_format_number_groups_thousands(void) {
    check_format(9999, 4, "9999");
    check_format(10000, 3, "10,000");
    check_format(123456, 6, "123,456");
    check_format(1234567, 7, "1,234,567");
    check_format(-1234567, 7, "-1,234,567");
    check_format(12345.5, 6, "12,345.5");
}

static void test_format_number_shows_unknown_as_a_dash(void) {
    check_format((double)NAN, 3, "-");
    check_format((double)INFINITY, 3, "-");
    char text[8];
    format_fixed(text, sizeof text, (double)NAN, 2);
    CHECK_STR(text, "-");
}

static void test_format_number_rounds_across_a_power_of_ten(void) {
    check_format(9.999, 3, "10");
    check_format(999.9, 3, "1000");
    check_format(9999.9, 4, "10,000");
}

static void test_format_number_never_shows_minus_zero(void) {
    check_format(-0.0, 3, "0");
    char text[16];
    format_fixed(text, sizeof text, -0.001, 2);
    CHECK_STR(text, "0.00");
}

static void test_format_number_fits_small_buffers(void) {
    char text[6];
    format_number(text, sizeof text, 1234567, 7);
    CHECK(strlen(text) < sizeof text);
    format_number(text, sizeof text, 0.123456, 6);
    CHECK(strlen(text) < sizeof text);
}

static void test_counted_knows_one_from_many(void) {
    Arena a = {0};
    CHECK_STR(counted(&a, 0, "row"), "0 rows");
    CHECK_STR(counted(&a, 1, "row"), "1 row");
    CHECK_STR(counted(&a, 12, "row"), "12 rows");
    CHECK_STR(counted_number(&a, 1.001, 2, "day"), "1 day");  // as it is printed
    CHECK_STR(counted_number(&a, 0.5, 2, "day"), "0.5 days");
    CHECK_STR(counted_number(&a, 12345, 3, "token"), "12,345 tokens");
    arena_free(&a);
}

static void test_format_fixed_keeps_places(void) {
    char text[32];
    format_fixed(text, sizeof text, 2.5, 2);
    CHECK_STR(text, "2.50");
    format_fixed(text, sizeof text, 12345.678, 1);
    CHECK_STR(text, "12345.7");
}

static void test_unknown_is_nan(void) {
    CHECK(!is_known((double)NAN));
    CHECK(is_known(0));
    CHECK(is_known((double)INFINITY));
}

static const TestCase tests[] = {
    TEST(parse_number_takes_decimals),
    TEST(parse_number_refuses_nan),
    TEST(parse_number_refuses_infinity),
    TEST(parse_number_refuses_hex),
    TEST(parse_number_refuses_blanks),
    TEST(parse_number_refuses_stray_signs_and_points),
    TEST(parse_number_refuses_separators_and_units),
    TEST(parse_number_checks_range),
    TEST(parse_number_reads_views),
    TEST(parse_number_refuses_very_long_text),
    TEST(errors_may_be_ignored),
    TEST(parse_integer_takes_whole_numbers),
    TEST(parse_integer_refuses_overflow),
    TEST(parse_integer_refuses_all_else),
    TEST(parse_micros_is_exact),
    TEST(parse_micros_rounds_half_up),
    TEST(parse_micros_refuses_negative_and_large),
    TEST(dates_ahead_of_a_day),
    TEST(parse_date_counts_days),
    TEST(parse_date_ignores_the_time),
    TEST(parse_date_takes_the_last_day_of_a_coarse_date),
    TEST(parse_date_knows_leap_years),
    TEST(parse_date_refuses_all_else),
    TEST(dates_read_back),
    TEST(format_time_is_rfc_3339),
    TEST(format_number_is_short),
    TEST(format_number_groups_thousands),
    TEST(format_number_shows_unknown_as_a_dash),
    TEST(format_number_rounds_across_a_power_of_ten),
    TEST(format_number_never_shows_minus_zero),
    TEST(format_number_fits_small_buffers),
    TEST(counted_knows_one_from_many),
    TEST(format_fixed_keeps_places),
    TEST(unknown_is_nan),
};
TEST_MAIN(tests)
