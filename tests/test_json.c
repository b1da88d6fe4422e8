// Reading JSON from outside.
#include <math.h>

#include "src/base/base.h"
#include "tests/check.h"

static Json *parse(const char *text) {
    Json *root = NULL;
    Err e = {0};
    if (!json_parse(str_of(text), 1000, &root, &e)) FAIL_("%s: %s", text, e.text);
    return root;
}

static void refuses(Str text, size_t values_max, const char *want) {
    Json *root = NULL;
    Err e = {0};
    CHECK(!json_parse(text, values_max, &root, &e));
    CHECK(root == NULL);
    CHECK_INT(e.kind, ERR_USAGE);
    CHECK_STR(e.text, want);
}

static void test_values(void) {
    Json *root = parse(" {\"n\":-1.5e2,\"t\":\"a\\n\\u00e9\\ud83d\\ude00\",\"yes\":true,\"no\":false,"
                       "\"none\":null,\"list\":[1,\"b\",{}],\"o\":{\"k\":2}} \n");
    CHECK(json_is_object(root));
    CHECK(json_number(json_get(root, "n")) == -150);
    CHECK_STR(json_text(json_get(root, "t")), "a\n\xc3\xa9\xf0\x9f\x98\x80");
    CHECK_INT(json_truth(json_get(root, "yes")), 1);
    CHECK_INT(json_truth(json_get(root, "no")), 0);
    CHECK(json_get(root, "none") == NULL && json_get(root, "gone") == NULL);
    CHECK(json_number(json_get(json_get(root, "o"), "k")) == 2);
    const Json *item = json_first(json_get(root, "list"));
    CHECK(json_is_number(item) && json_number(item) == 1);
    CHECK_STR(json_key(item), "");
    item = json_next(item);
    CHECK_STR(json_text(item), "b");
    CHECK(json_next(json_next(item)) == NULL);
    CHECK_STR(json_key(json_first(root)), "n");
    json_free(root);
}

static void test_wrong_kinds_are_not_there(void) {
    Json *root = parse("[7]");
    CHECK(json_is_array(root) && !json_is_object(root));
    CHECK(json_get(root, "a") == NULL && json_text(root) == NULL && isnan(json_number(root)));
    CHECK_INT(json_truth(root), -1);
    CHECK(json_first(json_first(root)) == NULL);
    CHECK(json_get(NULL, "a") == NULL && json_text(NULL) == NULL && isnan(json_number(NULL)) &&
          json_first(NULL) == NULL);
    CHECK(!json_is_object(NULL) && !json_is_array(NULL) && !json_is_number(NULL));
    CHECK_INT(json_truth(NULL), -1);
    json_free(root);
}

static void test_last_of_a_doubled_key(void) {
    Json *root = parse("{\"a\":1,\"A\":2,\"a\":3}");
    CHECK(json_number(json_get(root, "a")) == 3);
    json_free(root);
}

static void test_python_words_are_null(void) {
    Json *root = parse("\xef\xbb\xbf[NaN,Infinity,-Infinity,1]");
    const Json *item = json_first(root);
    for (int i = 0; i < 3; i++, item = json_next(item)) CHECK(isnan(json_number(item)));
    CHECK(json_number(item) == 1);
    json_free(root);
}

static void test_refuses_with_the_byte(void) {
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", "byte 0: empty"},
        {"  ", "byte 2: empty"},
        {"{\"a\":}", "byte 5: not JSON"},
        {"[1,]", "byte 3: not JSON"},
        {"[1 2]", "byte 3: not JSON"},
        {"[1]]", "byte 3: a bracket too many"},
        {"[1", "byte 2: ends too early"},
        {"[1}", "byte 2: not JSON"},
        {"{1:2}", "byte 2: not JSON"},
        {"[1] [2]", "byte 4: not JSON"},
        {"\"abc", "byte 0: a string that is never closed"},
        {"\"a\\", "byte 3: an escape that is none"},
        {"\"\\u12g4\"", "byte 2: an escape that is none"},
        {"\"\\u0000\"", "byte 2: a NUL in a string"},
        {"\"\t\"", "byte 1: a control character in a string"},
        {"nul", "byte 0: 'nul' is neither a value nor a name"},
        {"nulls", "byte 0: 'nulls' is neither a value nor a name"},
        {"NaNs", "byte 0: 'NaNs' is neither a value nor a name"},
        {"-", "byte 0: '-' is not a number"},
        {"00", "byte 0: '00' is not a number"},
        {"1.", "byte 0: '1.' is not a number"},
        {".5", "byte 0: '.5' is neither a value nor a name"},
        {"1e", "byte 0: '1e' is not a number"},
        {"0x10", "byte 1: 'x10' is neither a value nor a name"},
        {"[1,\n2,\n-nan]", "byte 7 (line 3): '-nan' is not a number"},
        {"[\n1 2]", "byte 4 (line 2): not JSON"},
        {"1e400", "byte 0: a number too large"},
        {"-1e400", "byte 0: a number too large"},
        {"1000000000000000000000000000000000000000000000000000000000000000000000",
         "byte 0: a number of too many digits"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) refuses(str_of(cases[i].text), 1000, cases[i].want);
    refuses((Str){"[\0]", 3}, 1000, "not valid UTF-8");
    refuses(str_of("\"\xed\xa0\x80\""), 1000, "not valid UTF-8");  // half a surrogate pair
}

static void test_rows_keep_the_words(void) {
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    Json *root = NULL;
    Err e = {0};
    CHECK(json_parse_rows(str_of("[NaN,Infinity,-Infinity,null]"), 100, &root, &e));
    const Json *item = json_first(root);
    for (size_t i = 0; i < COUNT_OF(words); i++, item = json_next(item)) CHECK_STR(json_text(item), words[i]);
    CHECK(json_text(item) == NULL);
    json_free(root);
}

static void test_limits(void) {
    Json *root = NULL;
    Err e = {0};
    CHECK(json_parse(str_of("[1,2,3]"), 4, &root, &e));
    json_free(root);
    refuses(str_of("[1,2,3]"), 3, "byte 6: too many values");
    char deep[2 * JSON_DEPTH_MAX + 3];
    memset(deep, '[', sizeof deep);
    memset(deep + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    root = NULL;
    CHECK(json_parse((Str){deep, 2 * JSON_DEPTH_MAX}, 1000, &root, &e));
    json_free(root);
    memset(deep, '[', JSON_DEPTH_MAX + 1);
    memset(deep + JSON_DEPTH_MAX + 1, ']', JSON_DEPTH_MAX + 1);
    refuses((Str){deep, 2 * JSON_DEPTH_MAX + 2}, 1000, "byte 64: nested too deep");
}

static const TestCase tests[] = {
    TEST(values),
    TEST(wrong_kinds_are_not_there),
    TEST(last_of_a_doubled_key),
    TEST(python_words_are_null),
    TEST(rows_keep_the_words),
    TEST(refuses_with_the_byte),
    TEST(limits),
};

TEST_MAIN(tests)
