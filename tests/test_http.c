// What the HTTP client decides without a network: when to try again, which URLs it takes. The rest:
// tests/cli/test_refresh.py.
#include "catalog/feeds/http.h"
#include "catalog/feeds/http_retry.h"
#include "tests/check.h"

static void test_retry_statuses(void) {
    static const long passing[] = {408, 425, 429, 500, 502, 503, 504};
    static const long lasting[] = {0, 200, 304, 400, 401, 403, 404, 410, 501, 505};
    for (size_t i = 0; i < COUNT_OF(passing); i++) CHECK(retry_status(passing[i]));
    for (size_t i = 0; i < COUNT_OF(lasting); i++) CHECK(!retry_status(lasting[i]));
}

static void test_waits_grow_and_end(void) {
    CHECK_INT(retry_wait_ms(1, 0, 0, 0.5), 500);
    CHECK_INT(retry_wait_ms(2, 0, 0, 0.5), 1000);
    CHECK_INT(retry_wait_ms(3, 0, 0, 0.5), 2000);
    CHECK_INT(retry_wait_ms(4, 0, 0, 0.5), -1);
    CHECK_INT(retry_wait_ms(0, 0, 0, 0.5), -1);
    CHECK_INT(retry_wait_ms(1, 0, 0, 0), 250);
    CHECK_INT(retry_wait_ms(1, 0, 29600, 0.5), -1);  // too late
    CHECK_INT(retry_wait_ms(1, 0, 29500, 0.5), 500);
}

static void test_waits_honour_the_server(void) {
    CHECK_INT(retry_wait_ms(1, 3, 0, 0.5), 3125);
    CHECK_INT(retry_wait_ms(1, 30, 0, 0.5), -1);  // later than it may start
    CHECK_INT(retry_wait_ms(1, 31, 0, 0.5), -1);
    CHECK_INT(retry_wait_ms(1, INT64_MAX, 0, 0.5), -1);
    CHECK_INT(retry_wait_ms(1, 29, 0, 0), 29062);
}

static void test_random_stays_in_its_range(void) {
    uint64_t state = 1;
    double low = 1, high = 0;
    for (int i = 0; i < 10000; i++) {
        double x = retry_random(&state);
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    CHECK(low >= 0 && low < 0.01 && high < 1 && high > 0.99);
}

static void test_urls(void) {
    static const char *const good[] = {"https://a", "https://a:8443/b?c=d#e", "https://[::1]/x"};
    static const char *const bad[] = {"",
                                      "http://a",
                                      "https://",
                                      "https:///x",
                                      "https://u@a/",
                                      "https://u:p@a",
                                      "https://a/ b",
                                      "https://a/\x7f",
                                      "https://a/\xc3\xa9",
                                      "file:///etc/passwd"};
    Err e = {0};
    char shown[20];
    for (size_t i = 0; i < COUNT_OF(good); i++) CHECK(http_url_check(good[i], &e));
    for (size_t i = 0; i < COUNT_OF(bad); i++) CHECK(!http_url_check(bad[i], &e));
    CHECK(http_same_origin("https://a/b", "https://a?c") && http_same_origin("https://a", "https://a#d"));
    CHECK(!http_same_origin("https://a/b", "https://ab/b") &&
          !http_same_origin("https://a:1/", "https://a:2/"));
    http_url_shown(shown, sizeof shown, "https://a/b?key=secret");
    CHECK_STR(shown, "https://a/b");
}

static const TestCase tests[] = {
    TEST(retry_statuses),
    TEST(waits_grow_and_end),
    TEST(waits_honour_the_server),
    TEST(random_stays_in_its_range),
    TEST(urls),
};
TEST_MAIN(tests)
