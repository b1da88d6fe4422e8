// src/report/page: links of sources, data inside a script element, tables.
#include "src/report/html_page.h"
#include "tests/check.h"

static const char *linked(Arena *a, const char *sources) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    html_sources(&b, sources);
    const char *text = arena_copy(a, b.data, b.length);
    buf_free(&b);
    return text;
}

#define ITEM(inside) "<ul class=\"sources\">\n<li>" inside "</li>\n</ul>\n"
#define LINK(url, text) ITEM("<a rel=\"noopener noreferrer\" href=\"" url "\">" text "</a>")

static void test_sources_are_linked(void) {
    Arena a = {0};
    CHECK_STR(linked(&a, "owner/name:a/b.yaml@2026-08-21"),
              LINK("https://github.com/owner/name", "owner/name:a/b.yaml@2026-08-21"));
    CHECK_STR(linked(&a, "owner/name#2452 (2026)"),
              LINK("https://github.com/owner/name/issues/2452", "owner/name#2452 (2026)"));
    CHECK_STR(linked(&a, "https://example.org/x?a=1&b=2 table 3"),
              LINK("https://example.org/x?a=1&amp;b=2", "https://example.org/x?a=1&amp;b=2 table 3"));
    CHECK_STR(linked(&a, "nvidia-smi or rocm-smi totals; "), ITEM("nvidia-smi or rocm-smi totals"));
    arena_free(&a);
}

static void test_only_pages_are_linked(void) {
    Arena a = {0};
    CHECK_STR(linked(&a, "javascript:alert(1)"), ITEM("javascript:alert(1)"));
    CHECK_STR(linked(&a, "data:text/html,x"), ITEM("data:text/html,x"));
    CHECK_STR(linked(&a, "//evil.example/x:y"), ITEM("//evil.example/x:y"));
    CHECK_STR(linked(&a, "https://e.org/\"onclick=x"),
              LINK("https://e.org/", "https://e.org/&quot;onclick=x"));
    CHECK_STR(linked(&a, "http and/or https"), ITEM("http and/or https"));
    arena_free(&a);
}

static void test_data_cannot_leave_its_element(void) {
    Buf b;
    Json *list = json_array();
    json_add_text(list, NULL, "</script><!--&\xe2\x80\xa8\xe2\x80\xa9");
    buf_init(&b, BUF_LIMIT);
    html_close(&b, list, "");
    const char *data = strstr(b.data, "application/json");
    CHECK(data != NULL);
    const char *end = strstr(data, "</script>");
    CHECK(end != NULL && strstr(data, "\\u003c/script\\u003e\\u003c!--\\u0026") < end);
    CHECK(strstr(b.data, "\xe2\x80\xa8") == NULL && strstr(b.data, "\xe2\x80\xa9") == NULL);
    buf_free(&b);
    json_free(list);
}

static void test_tables_name_rows_and_columns(void) {
    static const Column columns[] = {{.key = "rank", .title = "#", .number = true, .digits = 3},
                                     {.key = "name", .title = "<Name>"},
                                     {.key = "status", .title = "Status"},
                                     {.key = "hidden", .title = "H", .detail = true}};
    Arena a = {0};
    Buf b;
    Listing l = listing_new(&a, "x", columns, COUNT_OF(columns), 1);
    listing_number(&l, 0, 1);
    listing_text(&l, 1, "a&b");
    listing_text(&l, 2, "native (Marlin)");
    listing_row_done(&l);
    buf_init(&b, BUF_LIMIT);
    listing_print(&l, FORMAT_HTML, (Room){0}, &b);
    CHECK(strstr(b.data, "<th scope=\"col\" class=\"n\">#</th><th scope=\"col\">&lt;Name&gt;</th><th "
                         "scope=\"col\">Status</th></tr>") != NULL);
    CHECK(strstr(b.data, "<tr><td class=\"n\" data-title=\"#\">1</td><th scope=\"row\">a&amp;b</th><td "
                         "class=\"native\" data-title=\"Status\">native (Marlin)</td></tr>") != NULL);
    buf_free(&b);
    arena_free(&a);
}

static const TestCase tests[] = {TEST(sources_are_linked), TEST(only_pages_are_linked),
                                 TEST(data_cannot_leave_its_element), TEST(tables_name_rows_and_columns)};
TEST_MAIN(tests)
