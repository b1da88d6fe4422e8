// Listings, escaping and the envelope: what each format makes of the same cells and of hostile text.
#include "src/report/report.h"
#include "tests/check.h"

static const Column columns[] = {
    {"id", "ID", false, 0, false},
    {"price_usd", "$", true, 3, false},
    {"where", "WHERE", false, 0, false},
    {"source", "SOURCE", false, 0, true},
};

static Listing sample(Arena *a) {
    Listing l = listing_new(a, "things", columns, COUNT_OF(columns), 3);
    listing_text(&l, 0, "alpha");
    listing_number(&l, 1, 1234.6);
    listing_text(&l, 2, "a place with a long name");
    listing_text(&l, 3, "somewhere, \"quoted\"");
    listing_row_done(&l);
    listing_text(&l, 0, "beta");
    listing_row_done(&l);
    return l;
}

static const char *printed(Arena *a, const Listing *l, Format format, size_t width) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    listing_print(l, format, (Room){.width = width}, &b);
    const char *text = arena_copy(a, b.data, b.length);
    buf_free(&b);
    return text;
}

static void test_text_aligns_and_hides_details(void) {
    Arena a = {0};
    Listing l = sample(&a);
    CHECK_STR(printed(&a, &l, FORMAT_TABLE, 0), "ID        $  WHERE\n"
                                                "alpha  1235  a place with a long name\n"
                                                "beta      -  -\n");
    arena_free(&a);
}

static void test_text_cuts_the_widest_but_not_the_first(void) {
    Arena a = {0};
    Listing l = sample(&a);
    CHECK_STR(printed(&a, &l, FORMAT_TABLE, 25), "ID        $  WHERE\n"
                                                 "alpha  1235  a place wit~\n"
                                                 "beta      -  -\n");
    arena_free(&a);
}

static void test_text_that_cannot_fit_still_prints(void) {
    Arena a = {0};
    Listing l = sample(&a);
    CHECK_STR(printed(&a, &l, FORMAT_TABLE, 3), "ID        $  WHERE\n"
                                                "alpha  1235  a place~\n"
                                                "beta      -  -\n");
    arena_free(&a);
}

static void test_text_cuts_between_wide_characters(void) {
    static const Column names[] = {{"id", "ID", false, 0, false}, {"name", "NAME", false, 0, false}};
    Arena a = {0};
    Listing l = listing_new(&a, "x", names, COUNT_OF(names), 1);
    listing_text(&l, 0, "1");
    listing_text(&l, 1, "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97");
    listing_row_done(&l);
    CHECK_STR(printed(&a, &l, FORMAT_TABLE, 12), "ID  NAME\n1   \xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2~\n");
    arena_free(&a);
}

// Names of sellers and GPUs come in any script.
static void test_columns_stay_aligned_in_every_script(void) {
    static const Column two[] = {{.key = "name", .title = "NAME"}, {.key = "what", .title = "WHAT"}};
    static const char *const names[] = {
        "plain",
        "\xe4\xba\x91\xe6\x9c\x8d\xe5\x8a\xa1\xe5\x95\x86",                          // CJK, two columns each
        "Cafe\xcc\x81 Mu\xcc\x88ller",                                               // combining marks
        "\xd7\xa2\xd7\x9f \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",                         // Hebrew
        "\xd8\xb3\xd8\xad\xd8\xa7\xd8\xa8\xd8\xa9",                                  // Arabic
        "\xed\x81\xb4\xeb\x9d\xbc\xec\x9a\xb0\xeb\x93\x9c",                          // Hangul
        "\xef\xbc\xa7\xef\xbc\xb0\xef\xbc\xb5",                                      // full width
        "\xe0\xa4\x95\xe0\xa5\x8d\xe0\xa4\xb2\xe0\xa4\xbe\xe0\xa4\x89\xe0\xa4\xa1",  // Devanagari
    };
    Arena a = {0};
    Listing l = listing_new(&a, "x", two, COUNT_OF(two), COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        listing_text(&l, 0, names[i]);
        listing_text(&l, 1, "|");
        listing_row_done(&l);
    }
    Str rest = str_of(printed(&a, &l, FORMAT_TABLE, 0));
    Str line;
    size_t column = 0, rows = 0;
    str_next(&rest, '\n', &line);
    while (str_next(&rest, '\n', &line) && line.length > 0) {
        size_t before = 0;
        while (line.data[before] != '|') before++;
        size_t width = text_width(arena_copy(&a, line.data, before));
        if (rows++ == 0) column = width;
        CHECK_INT(width, column);
    }
    CHECK_INT(rows, COUNT_OF(names));
    arena_free(&a);
}

static const char *in_room(Arena *a, const Listing *l, Room room) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    listing_print(l, FORMAT_TABLE, room, &b);
    const char *text = arena_copy(a, b.data, b.length);
    buf_free(&b);
    return text;
}

static void test_text_off_a_terminal_is_never_cut(void) {
    Arena a = {0};
    Listing l = sample(&a);
    const char *whole = printed(&a, &l, FORMAT_TABLE, 0);
    CHECK_STR(in_room(&a, &l, (Room){.width = 10, .tables = TABLES_WHOLE}), whole);
    CHECK_STR(in_room(&a, &l, (Room){.width = 80, .tables = TABLES_RECORDS}), whole);
    CHECK_STR(in_room(&a, &l, (Room){.width = 28, .tables = TABLES_RECORDS}), "ID:    alpha\n"
                                                                              "$:     1235\n"
                                                                              "WHERE: a place with a long\n"
                                                                              "       name\n"
                                                                              "\n"
                                                                              "ID:    beta\n"
                                                                              "$:     -\n"
                                                                              "WHERE: -\n");
    CHECK_INT(room_columns((Room){.width = 80, .tables = TABLES_WHOLE}), 0);
    CHECK_INT(room_columns((Room){.width = 80}), 80);
    arena_free(&a);
}

static void test_text_shows_no_control_characters(void) {
    Arena a = {0};
    Listing l = sample(&a);
    l.cells[0].text = "\033[31mred\n";
    CHECK(strchr(printed(&a, &l, FORMAT_TABLE, 0), '\033') == NULL);
    CHECK(strncmp(printed(&a, &l, FORMAT_CSV, 0), "id,price_usd,where,source\n?[31mred?,", 36) == 0);
    arena_free(&a);
}

static void test_note_is_wrapped_under_the_table(void) {
    Arena a = {0};
    Listing l = sample(&a);
    l.n_rows = 0;
    l.note = "one two three four five six";
    CHECK_STR(printed(&a, &l, FORMAT_TABLE, 20), "ID  $  WHERE\n\none two three four\nfive six\n");
    CHECK_STR(printed(&a, &l, FORMAT_CSV, 20), "id,price_usd,where,source\n");
    arena_free(&a);
}

static void test_csv_has_all_columns_and_full_numbers(void) {
    Arena a = {0};
    Listing l = sample(&a);
    CHECK_STR(printed(&a, &l, FORMAT_CSV, 10),
              "id,price_usd,where,source\n"
              "alpha,1234.6,a place with a long name,\"somewhere, \"\"quoted\"\"\"\n"
              "beta,,,\n");
    arena_free(&a);
}

static void test_markdown_escapes_and_aligns(void) {
    Arena a = {0};
    Listing l = sample(&a);
    l.cells[0].text = "a|b <i>";
    l.n_rows = 1;
    CHECK_STR(printed(&a, &l, FORMAT_MD, 0),
              "| ID | $ | WHERE |\n|---|---:|---|\n| a\\|b &lt;i&gt; | 1235 | a place with a long name |\n");
    arena_free(&a);
}

static void test_json_has_null_for_unknown(void) {
    Arena a = {0};
    Listing l = sample(&a);
    Json *root = json_object();
    listing_json(&l, root);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    json_print(root, &b);
    CHECK(strstr(b.data, "\"price_usd\": 1234.6,") != NULL);
    CHECK(strstr(b.data, "\"price_usd\": null,") != NULL);
    CHECK(strstr(b.data, "\"source\": null") != NULL);
    json_free(root);
    buf_free(&b);
    arena_free(&a);
}

static void test_show_gives_every_column(void) {
    Arena a = {0};
    Listing l = sample(&a);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    listing_show(&l, 0, FORMAT_TABLE, 36, &b);
    CHECK_STR(b.data, "id:        alpha\n"
                      "price_usd: 1234.6\n"
                      "where:     a place with a long name\n"
                      "source:    somewhere, \"quoted\"\n");
    buf_free(&b);
    arena_free(&a);
}

static const char *escaped(Arena *a, void (*escape)(Buf *, const char *), const char *text) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    escape(&b, text);
    const char *copy = arena_copy(a, b.length > 0 ? b.data : "", b.length);
    buf_free(&b);
    return copy;
}

static void test_csv_defuses_formulas(void) {
    static const char *const cases[][2] = {
        {"", ""},
        {"plain", "plain"},
        {"=1+1", "'=1+1"},
        {"+1", "'+1"},
        {"-1", "'-1"},
        {"@x", "'@x"},
        {"=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""},
        {"a,b", "\"a,b\""},
        {" a", "\" a\""},
        {"a\r\nb", "a??b"},
    };
    Arena a = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) CHECK_STR(escaped(&a, csv_cell, cases[i][0]), cases[i][1]);
    arena_free(&a);
}

static void test_html_and_markdown_escape(void) {
    Arena a = {0};
    CHECK_STR(escaped(&a, html_text, "<b a=\"1\">'&'</b>"),
              "&lt;b a=&quot;1&quot;&gt;&#39;&amp;&#39;&lt;/b&gt;");
    CHECK_STR(escaped(&a, md_cell, "a|b *c* _d_ `e` [f](g) \\ <h>"),
              "a\\|b \\*c\\* \\_d\\_ \\`e\\` \\[f\\](g) \\\\ &lt;h&gt;");
    CHECK_STR(escaped(&a, md_cell, "x\ny"), "x?y");
    CHECK_STR(escaped(&a, html_text, ""), "");
    arena_free(&a);
}

static void test_estimate_as_text(void) {
    char out[64];
    Estimate x = {1234, 1010.4, 1500, BASIS_CALIBRATED, ""};
    estimate_text(out, sizeof out, &x, 4);
    CHECK_STR(out, "1234 (1010-1500)");
    x.low = (double)NAN;
    estimate_text(out, sizeof out, &x, 4);
    CHECK_STR(out, "1234");
    x.value = (double)NAN;
    estimate_text(out, sizeof out, &x, 4);
    CHECK_STR(out, "-");
    x = (Estimate){1234, 1010.4, 1500, BASIS_CALIBRATED, ""};
    estimate_text(out, 6, &x, 4);
    CHECK(strlen(out) < 6);
}

static void test_estimate_as_json(void) {
    Estimate x = {(double)NAN, 1, (double)INFINITY, BASIS_DATASHEET, "one; two;; three "};
    Json *root = json_object();
    estimate_json(root, "x", &x);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    json_print(root, &b);
    CHECK(strstr(b.data, "\"value\": null") != NULL);
    CHECK(strstr(b.data, "\"low\": 1") != NULL);
    CHECK(strstr(b.data, "\"high\": null") != NULL);
    CHECK(strstr(b.data, "\"basis\": \"datasheet\"") != NULL);
    CHECK(strstr(b.data, "[\"one\", \"two\", \"three\"]") != NULL);
    json_free(root);
    buf_free(&b);
}

static void test_envelope_begins_every_answer(void) {
    Envelope envelope = {.tool_version = "1.2.3", .command = "gpus", .generated_at = 1795737600};
    Json *inputs = NULL;
    Json *root = envelope_json(&envelope, &inputs);
    json_add_integer(inputs, "isl", 5);
    const char *const warnings[] = {"old"};
    warnings_json(root, warnings, 1);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    json_print(root, &b);
    CHECK_STR(
        b.data,
        "{\n  \"schema_version\": 1,\n  \"tool_version\": \"1.2.3\",\n  \"generated_at\": "
        "\"2026-11-27T00:00:00Z\",\n"
        "  \"command\": \"gpus\",\n  \"inputs\": {\n    \"isl\": 5\n  },\n  \"warnings\": [\"old\"]\n}\n");
    json_free(root);
    buf_free(&b);
}

static void test_wrapping(void) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    text_wrapped(&b, "aaaa bbbb cccc dddd eeee ffff", 2, 22);
    CHECK_STR(b.data, "aaaa bbbb cccc dddd\n  eeee ffff\n");
    buf_free(&b);
    text_wrapped(&b, "", 2, 22);
    CHECK_STR(b.data, "\n");
    buf_free(&b);
    text_wrapped(&b, "one line when unlimited", 2, 0);
    CHECK_STR(b.data, "one line when unlimited\n");
    buf_free(&b);
}

static const TestCase tests[] = {
    TEST(text_aligns_and_hides_details),
    TEST(text_cuts_the_widest_but_not_the_first),
    TEST(text_that_cannot_fit_still_prints),
    TEST(text_cuts_between_wide_characters),
    TEST(columns_stay_aligned_in_every_script),
    TEST(text_off_a_terminal_is_never_cut),
    TEST(text_shows_no_control_characters),
    TEST(note_is_wrapped_under_the_table),
    TEST(csv_has_all_columns_and_full_numbers),
    TEST(markdown_escapes_and_aligns),
    TEST(json_has_null_for_unknown),
    TEST(show_gives_every_column),
    TEST(csv_defuses_formulas),
    TEST(html_and_markdown_escape),
    TEST(estimate_as_text),
    TEST(estimate_as_json),
    TEST(envelope_begins_every_answer),
    TEST(wrapping),
};
TEST_MAIN(tests)
