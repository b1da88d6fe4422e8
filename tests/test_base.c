// src/base: errors, arenas, buffers, text, distance, JSON. Numbers are in test_number.c, tables and files in
// test_table.c.
#include <math.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/base.h"
#include "tests/check.h"

// ---------------------------------------------------------------- errors

static void test_err_set_fills_one_line(void) {
    Err e = {0};
    CHECK(!err_set(&e, ERR_USAGE, "open '%s': %d", "x", 5));
    CHECK_INT(e.kind, ERR_USAGE);
    CHECK_STR(e.text, "open 'x': 5");
    err_set(&e, ERR_FAILED, "a\nb\x1b[31mc\x7f");
    CHECK_STR(e.text, "a?b?[31mc?");
    CHECK(!err_set(NULL, ERR_FAILED, "ignored"));
}

static void test_err_wrap_builds_from_the_outside_in(void) {
    Err e = {0};
    err_set(&e, ERR_MISSING, "line 3: bad");
    CHECK(!err_wrap(&e, "load '%s'", "gpus\n.tsv"));
    CHECK_STR(e.text, "load 'gpus?.tsv': line 3: bad");
    CHECK_INT(e.kind, ERR_MISSING);
    CHECK(!err_wrap(NULL, "ignored"));
}

static void test_err_text_may_quote_itself(void) {
    Err e = {0};
    err_set(&e, ERR_FAILED, "inner");
    err_set(&e, ERR_FAILED, "outer: %s", e.text);
    CHECK_STR(e.text, "outer: inner");
    err_wrap(&e, "again %s", e.text);
    CHECK_STR(e.text, "again outer: inner: outer: inner");
}

static void test_err_text_is_bounded(void) {
    static char longer[5000];
    memset(longer, 'x', sizeof longer - 1);
    Err e = {0};
    err_set(&e, ERR_FAILED, "%s", longer);
    CHECK_INT(strlen(e.text), sizeof e.text - 1);
    err_wrap(&e, "%s", longer);
    CHECK_INT(strlen(e.text), sizeof e.text - 1);
}

static void test_err_text_is_harmless_to_a_terminal(void) {
    Err e = {0};
    err_set(&e, ERR_FAILED, "'%s'",
            "\xc2\x9b"
            "31m \xe2\x80\xae \xff \xc3\xa9");
    CHECK_STR(e.text, "'?31m ? ? \xc3\xa9'");
    err_wrap(&e, "%s", "\xc2\x9b");
    CHECK_STR(e.text, "?: '?31m ? ? \xc3\xa9'");
}

// ---------------------------------------------------------------- memory

static void test_arena_gives_zeroed_aligned_memory(void) {
    Arena a = {0};
    for (size_t i = 1; i < 3000; i += 7) {
        unsigned char *p = arena_alloc(&a, i, 1);
        CHECK_INT((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < i; k++) CHECK_INT(p[k], 0);
        memset(p, 0xff, i);
    }
    arena_free(&a);
    arena_free(&a);
    Arena fresh = {0};
    arena_free(&fresh);
}

static void test_arena_takes_large_blocks(void) {
    Arena a = {0};
    char *small = arena_copy(&a, "small", 5);
    char *large = arena_alloc(&a, 10, 1000000);
    large[9999999] = 1;
    char *other = arena_copy(&a, "other", 5);
    CHECK_STR(small, "small");
    CHECK_STR(other, "other");
    CHECK(arena_alloc(&a, 0, 8) != NULL);
    arena_free(&a);
}

static void test_arena_prints(void) {
    Arena a = {0};
    static char longer[3000];
    memset(longer, 'x', sizeof longer - 1);
    CHECK_STR(arena_printf(&a, "%s-%d", "a", 7), "a-7");
    CHECK_INT(strlen(arena_printf(&a, "%s%s", longer, longer)), 2 * (sizeof longer - 1));
    CHECK_STR(arena_copy(&a, "a\0b", 0), "");
    arena_free(&a);
}

// Sizes whose product or sum does not fit end the program instead of giving too little.
static void check_arena_refuses(size_t count, size_t size) {
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(freopen("/dev/null", "w", stderr) != NULL);
        Arena a = {0};
        arena_alloc(&a, count, size);
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 1);
}

static void test_arena_checks_sizes(void) {
    check_arena_refuses(SIZE_MAX, 2);
    check_arena_refuses(SIZE_MAX / 2, 3);
    check_arena_refuses(SIZE_MAX, 1);
    check_arena_refuses((size_t)1 << 33, (size_t)1 << 33);
}

static void test_buf_grows(void) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (int i = 0; i < 1000; i++) buf_printf(&b, "%d,", i);
    CHECK_INT(b.length, 10 * 2 + 90 * 3 + 900 * 4);
    CHECK(strncmp(b.data, "0,1,2,", 6) == 0);
    static char longer[3000];
    memset(longer, 'x', sizeof longer - 1);
    buf_printf(&b, "%s", longer);
    CHECK_INT(strlen(b.data), b.length);
    buf_free(&b);
    CHECK(b.data == NULL && b.length == 0);
    buf_puts(&b, "again");
    CHECK_STR(b.data, "again");
    buf_free(&b);
    buf_free(&b);
}

static void test_buf_refuses_more_than_its_limit(void) {
    Buf b;
    buf_init(&b, 5);
    buf_puts(&b, "12345");
    CHECK(!b.overflow);
    CHECK_STR(b.data, "12345");
    buf_puts(&b, "6");
    CHECK(b.overflow);
    buf_add(&b, "", 0);
    CHECK_STR(b.data, "12345");
    buf_free(&b);
    buf_init(&b, 5);
    buf_puts(&b, "123");
    buf_puts(&b, "45678");
    buf_puts(&b, "4");
    CHECK(b.overflow);
    CHECK_STR(b.data, "123");
    buf_free(&b);
}

// ---------------------------------------------------------------- text

static void test_str_compares_and_trims(void) {
    CHECK(str_is(str_of("abc"), "abc"));
    CHECK(!str_is(str_of("abc"), "ab"));
    CHECK(!str_is((Str){"abc", 2}, "abc"));
    CHECK(str_is((Str){"abc", 2}, "ab"));
    CHECK(str_is(str_trim(str_of(" \t a b \r\n")), "a b"));
    CHECK(str_is(str_trim(str_of("  ")), ""));
    CHECK(str_is(str_trim(str_of("")), ""));
}

static void test_str_next_splits(void) {
    Str rest = str_of("a,,b,");
    Str part;
    static const char *const want[] = {"a", "", "b", ""};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        CHECK(str_next(&rest, ',', &part));
        CHECK(str_is(part, want[i]));
    }
    CHECK(!str_next(&rest, ',', &part));
    rest = str_of("");
    CHECK(str_next(&rest, ',', &part) && part.length == 0);
    CHECK(!str_next(&rest, ',', &part));
}

static void test_word_in_matches_whole_words(void) {
    CHECK(word_in("fp8 bf16 mxfp4", "bf16"));
    CHECK(word_in("fp8", "fp8"));
    CHECK(word_in("  fp8  bf16 ", "bf16"));
    CHECK(!word_in("mxfp4 fp16", "fp4"));
    CHECK(!word_in("fp8", ""));
    CHECK(!word_in("", "fp8"));
}

static void test_text_contains_ignores_case(void) {
    CHECK(text_contains("NVIDIA H100", "h100"));
    CHECK(text_contains("abc", ""));
    CHECK(text_contains("aab", "AB"));
    CHECK(!text_contains("abc", "abcd"));
    CHECK(!text_contains("", "a"));
}

static void check_clean(const char *text, const char *want) {
    Arena a = {0};
    CHECK_STR(text_clean(&a, text), want);
    arena_free(&a);
}

static void test_paths_shown_stay_apart(void) {
    static const char *const pairs[][2] = {{"src/a.cu", "src/a.cu"},
                                           {"\xff.cu", "\\xff.cu"},
                                           {"\\xff.cu", "\\x5cxff.cu"},
                                           {"a\nb", "a\\x0ab"},
                                           {"c\xc3\xa4.cu", "c\xc3\xa4.cu"},
                                           {"c\xc3", "c\\xc3"},
                                           {"\xe2\x80\xae", "\\xe2\\x80\\xae"},
                                           {"", ""}};
    Arena a = {0};
    for (size_t i = 0; i < COUNT_OF(pairs); i++) CHECK_STR(path_shown(&a, pairs[i][0]), pairs[i][1]);
    CHECK(path_shown(&a, pairs[0][0]) == pairs[0][0]);
    arena_free(&a);
}

static void test_clean_keeps_text(void) {
    check_clean("", "");
    check_clean("plain ASCII ~", "plain ASCII ~");
    check_clean("caf\xc3\xa9 \xe4\xbe\xa1\xe6\xa0\xbc \xf0\x9f\x98\x80",
                "caf\xc3\xa9 \xe4\xbe\xa1\xe6\xa0\xbc \xf0\x9f\x98\x80");
    check_clean("\xf4\x8f\xbf\xbd", "\xf4\x8f\xbf\xbd");
}

static void test_clean_replaces_escapes(void) {
    check_clean("\x1b[31mred\x1b[0m", "?[31mred?[0m");
    check_clean("\x1b]0;title\x07", "?]0;title?");
    check_clean("a\nb\tc\rd", "a?b?c?d");
    check_clean("\x7f", "?");
    check_clean("\xc2\x9b"
                "31m\xc2\x80\xc2\x9f\xc2\xa0",
                "?31m??\xc2\xa0");
}

static void test_clean_replaces_what_is_ignored_by_default(void) {
    check_clean("a\xf3\xa0\x81\x81"
                "b",
                "a?b");  // U+E0041, a tag letter
    // soft hyphen, grapheme joiner, Hangul fillers
    check_clean("\xc2\xad\xcd\x8f\xe1\x85\x9f\xe3\x85\xa4", "????");
    // variation selectors, interlinear annotation
    check_clean("\xef\xb8\x8f\xf3\xa0\x84\x80\xef\xbf\xb9", "???");
    check_clean("\xef\xbf\xbf\xf0\x9f\xbf\xbe\xf4\x8f\xbf\xbf", "???");  // noncharacters
    // plain ones stay
    check_clean("\xef\xbf\xbd\xe2\x80\xa6\xe2\x82\xac\xf0\x9f\x99\x82",
                "\xef\xbf\xbd\xe2\x80\xa6\xe2\x82\xac\xf0\x9f\x99\x82");
}

static void test_clean_replaces_bidi_and_invisible(void) {
    check_clean("\xe2\x80\xae"
                "abc\xe2\x80\xac",
                "?abc?");
    check_clean("\xe2\x81\xa6\xe2\x81\xa9", "??");
    check_clean("a\xe2\x80\x8b"
                "b\xe2\x80\x8f",
                "a?b?");
    check_clean("\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf\xd8\x9c", "????");
}

static void test_clean_replaces_invalid_utf8(void) {
    check_clean("\x80", "?");
    check_clean("\xff\xfe", "??");
    check_clean("\xe2\x82", "??");
    check_clean("\xe2\x82x", "??x");
    check_clean("\xf0\x9f\x98", "???");
    check_clean("\xc0\xaf", "??");
    check_clean("\xe0\x80\xaf", "???");
    check_clean("\xed\xa0\x80", "???");
    check_clean("\xf4\x90\x80\x80", "????");
    check_clean("\xf8\x88\x80\x80\x80", "?????");
}

static void test_width_counts_columns(void) {
    CHECK_INT(text_width(""), 0);
    CHECK_INT(text_width("abc"), 3);
    CHECK_INT(text_width("caf\xc3\xa9"), 4);
    CHECK_INT(text_width("e\xcc\x81"), 1);
    CHECK_INT(text_width("\xe4\xbe\xa1\xe6\xa0\xbc"), 4);
    CHECK_INT(text_width("\xed\x95\x9c"), 2);
    CHECK_INT(text_width("\xef\xbc\xa1"), 2);
    CHECK_INT(text_width("\xf0\x9f\x98\x80"), 2);
    CHECK_INT(text_width("\xe2\x94\x80\xc2\xb1"), 2);
    CHECK_INT(text_width("\xd7\xa9\xd6\xbf"), 1);          // Hebrew with a point over it
    CHECK_INT(text_width("\xe0\xa4\x95\xe0\xa4\xbe"), 2);  // Devanagari with a vowel beside it
    CHECK_INT(text_width("\xf0\x9f\xa9\xa0"), 1);          // a chess piece, no emoji
    CHECK_INT(text_width("\xff\xff"), 2);
}

// ---------------------------------------------------------------- distance

static void test_distance_counts_edits(void) {
    CHECK_INT(edit_distance("", "", 5), 0);
    CHECK_INT(edit_distance("report", "report", 5), 0);
    CHECK_INT(edit_distance("report", "REPORT", 5), 0);
    CHECK_INT(edit_distance("report", "repor", 5), 1);
    CHECK_INT(edit_distance("repot", "report", 5), 1);
    CHECK_INT(edit_distance("rebort", "report", 5), 1);
    CHECK_INT(edit_distance("erport", "report", 5), 1);
    CHECK_INT(edit_distance("ab", "ba", 5), 1);
    CHECK_INT(edit_distance("kitten", "sitting", 5), 3);
    CHECK_INT(edit_distance("", "abc", 5), 3);
    CHECK_INT(edit_distance("abc", "", 5), 3);
}

static void test_distance_is_bounded(void) {
    CHECK_INT(edit_distance("abcdef", "uvwxyz", 2), 3);
    char longer[100];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    CHECK_INT(edit_distance(longer, longer, 3), 4);
    longer[64] = '\0';
    CHECK_INT(edit_distance(longer, longer, 3), 0);
    CHECK_INT(edit_distance(longer, "", 100), 64);
}

// ---------------------------------------------------------------- JSON

static void check_json(Json *j, const char *want) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    json_print(j, &b);
    CHECK_STR(b.data, want);
    buf_free(&b);
    json_free(j);
}

static void test_json_writes_unknown_as_null(void) {
    Json *j = json_object();
    json_add_number(j, "nan", (double)NAN);
    json_add_number(j, "inf", -(double)INFINITY);
    json_add_null(j, "null");
    json_add_text_or_null(j, "empty", "");
    json_add_text_or_null(j, "none", NULL);
    json_add_text_or_null(j, "some", "x");
    check_json(
        j, "{\n  \"nan\": null,\n  \"inf\": null,\n  \"null\": null,\n  \"empty\": null,\n  \"none\": null,\n"
           "  \"some\": \"x\"\n}\n");
}

static void test_json_writes_numbers(void) {
    Json *j = json_array();
    json_add_number(j, NULL, 0.1);
    json_add_number(j, NULL, -2.5e-9);
    json_add_number(j, NULL, 1e300);
    json_add_number(j, NULL, 123456789012);
    json_add_integer(j, NULL, 9007199254740992);
    json_add_integer(j, NULL, INT64_MIN);
    json_add_bool(j, NULL, true);
    json_add_bool(j, NULL, false);
    check_json(
        j, "[0.1, -2.5e-09, 1e+300, 1.23456789e+11, 9007199254740992, -9223372036854775808, true, false]\n");
}

static void test_json_escapes_text(void) {
    Json *j = json_array();
    json_add_text(j, NULL, "say \"hi\" \\ / </script>");
    json_add_text(j, NULL, "\x1b[31m\n\t");
    json_add_text(j, NULL, "\xff\xc3\xa9");
    json_add_text(j, NULL, "");
    check_json(j, "[\"say \\\"hi\\\" \\\\ / </script>\", \"?[31m??\", \"?\xc3\xa9\", \"\"]\n");
}

static void test_json_nests_and_indents(void) {
    Json *j = json_object();
    Json *list = json_add_array(j, "list");
    json_add_text(json_add_object(list, NULL), "k:", "a: b");
    json_add_object(j, "empty");
    json_add_array(j, "none");
    check_json(
        j, "{\n  \"list\": [{\n      \"k:\": \"a: b\"\n    }],\n  \"empty\": {\n  },\n  \"none\": []\n}\n");
}

static void test_json_free_takes_null(void) { json_free(NULL); }

static const TestCase tests[] = {
    TEST(err_set_fills_one_line),
    TEST(err_wrap_builds_from_the_outside_in),
    TEST(err_text_may_quote_itself),
    TEST(err_text_is_bounded),
    TEST(err_text_is_harmless_to_a_terminal),
    TEST(arena_gives_zeroed_aligned_memory),
    TEST(arena_takes_large_blocks),
    TEST(arena_prints),
    TEST(arena_checks_sizes),
    TEST(buf_grows),
    TEST(buf_refuses_more_than_its_limit),
    TEST(str_compares_and_trims),
    TEST(str_next_splits),
    TEST(word_in_matches_whole_words),
    TEST(text_contains_ignores_case),
    TEST(paths_shown_stay_apart),
    TEST(clean_keeps_text),
    TEST(clean_replaces_escapes),
    TEST(clean_replaces_bidi_and_invisible),
    TEST(clean_replaces_what_is_ignored_by_default),
    TEST(clean_replaces_invalid_utf8),
    TEST(width_counts_columns),
    TEST(distance_counts_edits),
    TEST(distance_is_bounded),
    TEST(json_writes_unknown_as_null),
    TEST(json_writes_numbers),
    TEST(json_escapes_text),
    TEST(json_nests_and_indents),
    TEST(json_free_takes_null),
};
TEST_MAIN(tests)
