// The screen without a terminal: cells, lists, keys, lines being typed, charts.
#include <math.h>
#include <string.h>

#include "cli/cmd.h"
#include "tests/check.h"
#include "tests/printed.h"
#include "tui/chart.h"
#include "tui/grid.h"
#include "tui/keys.h"
#include "tui/line.h"
#include "tui/looks.h"
#include "tui/palette.h"
#include "tui/recent.h"
#include "tui/tui.h"
#include "tui/units.h"

// ---------------------------------------------------------------- cells

static void test_text_is_cut_with_a_mark(void) {
    Arena a = {0};
    Grid g;
    grid_init(&g, &a, 10, 2);
    CHECK(grid_text(&g, 0, 0, 4, STYLE_TEXT, "abcdef") == 4);
    CHECK(grid_text(&g, 0, 1, 4, STYLE_TEXT, "abcd") == 4);
    CHECK_STR(printed(&g, false), "abc~\nabcd\n");
    arena_free(&a);
}

static void test_wide_characters_take_two_columns(void) {
    Arena a = {0};
    Grid g;
    grid_init(&g, &a, 8, 3);
    CHECK(grid_text(&g, 0, 0, 8, STYLE_TEXT, "\xe4\xb8\xad\xe6\x96\x87x") == 5);
    // a second one does not fit beside the mark
    CHECK(grid_text(&g, 0, 1, 4, STYLE_TEXT, "\xe4\xb8\xad\xe6\x96\x87x") == 3);
    grid_text(&g, 0, 2, 8, STYLE_TEXT, "\xe4\xb8\xad\xe6\x96\x87");
    grid_point(&g, 1, 2, STYLE_TEXT, '|');  // half of the first is gone: so is the other
    CHECK_STR(printed(&g, false), "\xe4\xb8\xad\xe6\x96\x87x\n\xe4\xb8\xad~\n |\xe6\x96\x87\n");
    CHECK_STR(printed(&g, true), "????x\n??~\n |??\n");
    arena_free(&a);
}

static void test_marks_combine(void) {
    Arena a = {0};
    Grid g;
    grid_init(&g, &a, 6, 2);
    CHECK(grid_text(&g, 0, 0, 6, STYLE_TEXT, "e\xcc\x81z") == 2);
    CHECK(grid_text(&g, 0, 1, 6, STYLE_TEXT, "\xcc\x81z") == 1);  // nothing to combine with
    CHECK_STR(printed(&g, false), "e\xcc\x81z\nz\n");
    arena_free(&a);
}

static void test_hostile_text_stays_in_its_cells(void) {
    static const char *const texts[] = {"\x1b[31mred\x1b]0;t\x07",
                                        "a\tb\nc",
                                        "\xe2\x80\xae"
                                        "evil",
                                        "\xff\xfe\x80",
                                        "\xf0\x9f\x98\x80 ok",
                                        "a\xe2\x80\x8b"
                                        "b",
                                        "\xc2\x9b"
                                        "1m"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        Arena a = {0};
        Grid g;
        grid_init(&g, &a, 12, 1);
        grid_text(&g, 0, 0, 10, STYLE_TEXT, texts[i]);
        grid_text(&g, 10, 0, 2, STYLE_TEXT, "|");
        const char *text = printed(&g, false);
        CHECK(text_width(text) == 12);  // ten columns, the bar, the end of line
        CHECK(strspn(text, "\x1b\x07\t") == 0 && strchr(text, '\x1b') == NULL && strchr(text, '\t') == NULL);
        CHECK(str_is_utf8(str_of(text)));
        arena_free(&a);
    }
}

static void test_drawing_outside_does_nothing(void) {
    Arena a = {0};
    Grid g;
    grid_init(&g, &a, 4, 2);
    grid_text(&g, -2, 0, 6, STYLE_TEXT, "abcdef");
    grid_text(&g, 0, 7, 6, STYLE_TEXT, "x");
    grid_box(&g, (Rect){2, 1, 9, 9}, "title");
    grid_text(&g, 3, 0, 9, STYLE_TEXT, "\xe4\xb8\xad");  // half of it would stand outside
    CHECK_STR(printed(&g, true), "cde\n  +-\n");
    arena_free(&a);
}

static void test_wrapped_text_hangs_under_its_gap(void) {
    Arena a = {0};
    Grid g;
    grid_init(&g, &a, 14, 4);
    CHECK(grid_wrapped(&g, (Rect){0, 0, 14, 4}, STYLE_TEXT, 0, "k  one two three\nlast\n") == 3);
    CHECK_STR(printed(&g, true), "k  one two\n   three\nlast\n\n");
    grid_init(&g, &a, 14, 2);
    CHECK(grid_wrapped(&g, (Rect){0, 0, 14, 2}, STYLE_TEXT, 1, "a\nb\nc\nd") == 4);
    CHECK_STR(printed(&g, true), "b\nc\n");
    arena_free(&a);
}

static void test_meter_fills_by_eighths(void) {
    Arena a = {0};
    Grid g;
    grid_init(&g, &a, 4, 3);
    grid_meter(&g, 0, 0, 4, STYLE_GOOD, 0);
    grid_meter(&g, 0, 1, 4, STYLE_GOOD, 0.375);
    grid_meter(&g, 0, 2, 4, STYLE_GOOD, 7);
    CHECK_STR(printed(&g, false),
              "\n\xe2\x96\x88\xe2\x96\x8c\n\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\n");
    arena_free(&a);
}

static void test_zones_are_found_by_place(void) {
    Arena a = {0};
    Grid g;
    grid_init(&g, &a, 10, 4);
    grid_zone(&g, (Rect){0, 0, 10, 2}, ACT_ROW, 1);
    grid_zone(&g, (Rect){2, 1, 2, 1}, ACT_ROW, 2);
    CHECK(grid_zone_at(&g, 3, 1)->argument == 2);
    CHECK(grid_zone_at(&g, 4, 1)->argument == 1);
    CHECK(grid_zone_at(&g, 4, 2) == NULL);
    arena_free(&a);
}

// ---------------------------------------------------------------- keys

static void test_every_key_of_the_table_is_known_and_its_own(void) {
    Arena a = {0};
    Keys keys;
    Err e = {0};
    CHECK(keys_init(&keys, NULL, 0, &a, &e));
    for (int i = 1; i < ACT_KEYS; i++) {
        Str rest = str_of(key_table[i].keys);
        Str name;
        CHECK(key_table[i].does[0] != '\0' && key_table[i].name[0] != '\0');
        while (str_next(&rest, ' ', &name)) {
            int key = 0;
            CHECK(key_parse(name, &key));
            CHECK(keys_find(&keys, key) == (Action)i);
        }
    }
    arena_free(&a);
}

static bool char_in_word(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

static bool stands_in(const char *text, const char *word) {
    size_t n = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        bool begins = at == text || !char_in_word(at[-1]);
        if (begins && !char_in_word(at[n])) return true;
    }
    return false;
}

// What no table can give: the command's description and the documents name every view.
static void test_every_view_is_named_where_people_read(void) {
    Arena a = {0};
    Err e = {0};
    Str page;
    CHECK(file_read(&a, "docs/tui.md", 1 << 20, &page, &e));
    for (int i = 0; i < VIEW_COUNT; i++) {
        const ViewRow *view = &view_table[i];
        CHECK_INT(name_index(tui_view_names, view->name), i);
        CHECK_STR(key_table[ACT_VIEW_FIRST + i].keys, view->key);
        CHECK(stands_in(cmd_tui.description, view->name));
        CHECK(strstr(page.data, arena_printf(&a, "\n## %s\n", view->title)) != NULL);
        CHECK(strstr(page.data, arena_printf(&a, "$ gpuadvise tui --once %s --size ", view->name)) != NULL);
    }
    arena_free(&a);
}

static void test_bindings_replace_keys(void) {
    Arena a = {0};
    Keys keys;
    Err e = {0};
    const char *const own[] = {"filter=f ctrl-f", "quit = x"};
    CHECK(keys_init(&keys, own, COUNT_OF(own), &a, &e));
    CHECK(keys_find(&keys, 'f') == ACT_FILTER && keys_find(&keys, 6) == ACT_FILTER &&
          keys_find(&keys, '/') == ACT_NONE);
    CHECK(keys_find(&keys, 'x') == ACT_QUIT && keys_find(&keys, 'q') == ACT_NONE);  // and no longer ACT_RESET
    CHECK_STR(keys_first(&keys, ACT_FILTER, &a), "f");
    arena_free(&a);
}

static void test_bindings_that_are_refused(void) {
    static const char *const bad[][2] = {{"nothing=f", "filter=f"},
                                         {"filter", "quit=q"},
                                         {"filter=ff", "quit=q"},
                                         {"filter=Q", "quit=Q"},
                                         {"filter=ctrl-1", "quit=q"}};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        Arena a = {0};
        Keys keys;
        Err e = {0};
        CHECK(!keys_init(&keys, bad[i], 2, &a, &e));
        CHECK(e.kind == ERR_USAGE && strstr(e.text, "--bind") != NULL);
        arena_free(&a);
    }
}

// ---------------------------------------------------------------- a line being typed

static void test_line_edits_whole_characters(void) {
    LineEdit l;
    line_set(&l, "a\xc3\xa9");
    CHECK(line_key(&l, K_BACKSPACE));
    CHECK_STR(l.text, "a");
    CHECK(line_key(&l, 0x4e2d) && line_key(&l, K_LEFT) && line_key(&l, 'b'));
    CHECK_STR(l.text, "ab\xe4\xb8\xad");
    CHECK(line_key(&l, K_HOME) && line_key(&l, K_DELETE));
    CHECK_STR(l.text, "b\xe4\xb8\xad");
    CHECK(line_key(&l, K_END) && line_key(&l, 21));
    CHECK_STR(l.text, "");
    CHECK(line_key(&l, K_BACKSPACE) && line_key(&l, K_LEFT) && line_key(&l, K_DELETE));
    CHECK(!line_key(&l, K_UP) && !line_key(&l, 2) && !line_key(&l, 0x9b));
}

static void test_line_has_an_end(void) {
    LineEdit l;
    line_set(&l, "");
    for (int i = 0; i < 1000; i++) CHECK(line_key(&l, 0x1f600));
    CHECK(l.length < LINE_MAX_BYTES && l.length % 4 == 0 && str_is_utf8((Str){l.text, l.length}));
}

static void test_what_was_typed_comes_back(void) {
    static Recent r;
    CHECK(recent_at(&r, 1) == NULL);
    recent_add(&r, "");
    recent_add(&r, "a");
    recent_add(&r, "b");
    recent_add(&r, "a");
    CHECK(r.n == 2);
    CHECK_STR(recent_at(&r, 1), "a");
    CHECK_STR(recent_at(&r, 2), "b");
    CHECK(recent_at(&r, 3) == NULL && recent_at(&r, 0) == NULL);
    for (int i = 0; i < 3 * RECENT_MAX; i++) {
        char text[] = "line 00";
        text[5] = (char)('0' + i / 10);
        text[6] = (char)('0' + i % 10);
        recent_add(&r, text);
    }
    CHECK(r.n == RECENT_MAX);
    CHECK_STR(recent_at(&r, 1), "line 59");
}

static void test_words_find_what_they_name(void) {
    CHECK(palette_score("in flight", "assumption", "in flight") > palette_score("in flight", "", "flight"));
    CHECK(palette_score("in flight", "", "flight") > palette_score("in flight", "", "ight"));
    CHECK(palette_score("in flight", "", "ight") > palette_score("in flight", "", "inf"));
    CHECK(palette_score("in flight", "", "inf") > palette_score("x", "requests in flight", "flight"));
    CHECK(palette_score("x", "requests in flight", "flight") > 0);
    CHECK(palette_score("Filter", "", "FIL") > 0);
    CHECK(palette_score("Filter", "show only rows", "fil rows") > 0);
    CHECK(palette_score("Filter", "show only rows", "fil nothing") == 0);
    CHECK(palette_score("Filter", "", "rf") == 0 && palette_score("Filter", "", "il er") > 0);
    CHECK(palette_score("Filter", "", "") > 0);
}

// ---------------------------------------------------------------- charts

static void test_line_takes_a_text_whole_or_not_at_all(void) {
    LineEdit l;
    char text[LINE_MAX_BYTES];
    line_set(&l, "ad");
    line_key(&l, K_LEFT);
    CHECK(line_insert(&l, "bc"));
    CHECK_STR(l.text, "abcd");
    memset(text, 'x', sizeof text);
    text[LINE_MAX_BYTES - 4] = '\0';
    CHECK(!line_insert(&l, text));
    CHECK_STR(l.text, "abcd");
    text[LINE_MAX_BYTES - 5] = '\0';
    CHECK(line_insert(&l, text));
    CHECK(l.length == LINE_MAX_BYTES - 1 && l.text[3] == 'x' && l.text[l.length - 1] == 'd');
}

static void test_numbers_have_units(void) {
    static const struct {
        const char *text, *unit;
        double x;
    } rows[] = {{"32k", "tokens", 32000},  {"32 K tokens", "tokens", 32000},
                {"1.5M", "", 1.5e6},       {"4Ki", "tokens", 4096},
                {"1,024", "tokens", 1024}, {"1,048,576", "", 1048576},
                {"3 s", "ms", 3000},       {"250 ms", "ms", 250},
                {"30 %", "0-1", 0.3},      {"1.2kW", "W", 1200},
                {"2 MW", "kW", 2000},      {"700W", "kW", 0.7},
                {"$2.20", "$/GPU-h", 2.2}, {"$2.20/GPU-h", "$/GPU-h", 2.2},
                {"4 rps", "1/s", 4},       {"4/s", "1/s", 4},
                {"2 years", "months", 24}, {"7", "ms", 7}};
    static const char *const none[] = {"",           "k",   "s",     "$",  "1,02",    "1,0245",
                                       "12 parsecs", "3kk", "1.2.3", "-4", "32 ms k", "0x10"};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double x = -1;
        CHECK(unit_number(rows[i].text, rows[i].unit, &x));
        CHECK(fabs(x - rows[i].x) <= 1e-12 * rows[i].x);
    }
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        double x = -1;
        CHECK(!unit_number(none[i], "ms", &x));
    }
}

// Of text on its ground, by the palette and in true colour; on the selected row too, where no frame stands.
static void test_every_pair_of_colours_can_be_read(void) {
    const double least = 4.5;
    static const int grounds[] = {[THEME_DARK] = 0x000000, [THEME_LIGHT] = 0xffffff};
    for (int theme = 0; theme <= THEME_LIGHT; theme++) {
        const Look *c = &cursor_grounds[theme];
        CHECK(contrast(grounds[1 - theme], c->ground_rgb) >= least);  // the terminal's own text
        CHECK(contrast(grounds[1 - theme], palette_rgb(c->ground256)) >= least);
        for (int i = 0; i < STYLE_COUNT; i++) {
            const Look *l = &looks[theme][i];
            if (l->rgb < 0) continue;
            bool own = l->ground_rgb >= 0;
            CHECK(contrast(l->rgb, own ? l->ground_rgb : grounds[theme]) >= least);
            CHECK(contrast(palette_rgb(l->color256), own ? palette_rgb(l->ground256) : grounds[theme]) >=
                  least);
            if (own || i == STYLE_FRAME) continue;
            CHECK(contrast(l->rgb, c->ground_rgb) >= least);
            CHECK(contrast(palette_rgb(l->color256), palette_rgb(c->ground256)) >= least);
        }
    }
    CHECK(fabs(contrast(0x000000, 0xffffff) - 21) < 1e-9);
    CHECK(fabs(contrast(0x777777, 0xffffff) - 4.48) < 0.01);
}

static void test_grounds_are_told(void) {
    static const struct {
        const char *text;
        int rgb;
    } rows[] = {{"11;rgb:ffff/ffff/ffff", 0xffffff},
                {"11;rgb:1e1e/1E1E/2e2e", 0x1e1e2e},
                {"11;rgb:f/8/0", 0xff8800},
                {"11;rgba:0000/0000/0000/ffff", 0}};
    static const char *const none[] = {
        "", "11;rgb:", "11;rgb:ff/ff", "11;rgb:gg/00/00", "11;rgb:fffff/0/0", "10;rgb:ff/ff/ff", "11;?"};
    bool light = false;
    int rgb = -1;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK(ground_parse(str_of(rows[i].text), &rgb));
        CHECK(rgb == rows[i].rgb);
    }
    for (size_t i = 0; i < COUNT_OF(none); i++) CHECK(!ground_parse(str_of(none[i]), &rgb));
    CHECK(is_light(0xffffff) && is_light(0xfdf6e3) && !is_light(0x002b36) && !is_light(0x303030));
    CHECK(ground_of_variable("0;15", &light) && light);
    CHECK(ground_of_variable("15;default;0", &light) && !light);
    CHECK(!ground_of_variable("15;default", &light) && !ground_of_variable(NULL, &light) &&
          !ground_of_variable("", &light));
}

static void test_chart_places_dots(void) {
    Arena a = {0};
    Grid g;
    const Dot dots[] = {{.x = 1, .y = 1, .style = STYLE_NVIDIA, .label = 'N'},
                        {.x = 100, .y = 100, .style = STYLE_AMD, .label = 'A'},
                        {.x = (double)NAN, .y = 5, .style = STYLE_AMD, .label = 'x'}};
    ChartAxes axes = {.x_title = "x", .y_title = "y", .x_log = true, .y_log = true};
    grid_init(&g, &a, 30, 9);
    chart_draw(&g, (Rect){0, 0, 30, 9}, &axes, dots, COUNT_OF(dots));
    const char *text = printed(&g, true);
    const char *n = strchr(text, 'N');
    const char *amd = strchr(text, 'A');
    CHECK(n != NULL && amd != NULL && amd < n);      // cheaper and faster stands lower
    CHECK(strchr(text, 'x') == strrchr(text, 'x'));  // the title alone: what is unknown is not drawn
    arena_free(&a);
}

static void test_chart_of_nothing_is_empty(void) {
    Arena a = {0};
    Grid g;
    const Dot dots[] = {{.x = (double)NAN, .y = 1, .style = STYLE_TEXT}};
    ChartAxes axes = {.x_title = "", .y_title = ""};
    grid_init(&g, &a, 30, 3);
    chart_draw(&g, (Rect){0, 0, 30, 9}, &axes, dots, 1);
    chart_spark(&g, 0, 0, 10, STYLE_TEXT, NULL, 0);
    CHECK_STR(printed(&g, true), "\n\n\n");
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(text_is_cut_with_a_mark),
    TEST(wide_characters_take_two_columns),
    TEST(marks_combine),
    TEST(hostile_text_stays_in_its_cells),
    TEST(drawing_outside_does_nothing),
    TEST(wrapped_text_hangs_under_its_gap),
    TEST(meter_fills_by_eighths),
    TEST(zones_are_found_by_place),
    TEST(every_key_of_the_table_is_known_and_its_own),
    TEST(every_view_is_named_where_people_read),
    TEST(bindings_replace_keys),
    TEST(bindings_that_are_refused),
    TEST(line_edits_whole_characters),
    TEST(line_has_an_end),
    TEST(line_takes_a_text_whole_or_not_at_all),
    TEST(what_was_typed_comes_back),
    TEST(words_find_what_they_name),
    TEST(numbers_have_units),
    TEST(every_pair_of_colours_can_be_read),
    TEST(grounds_are_told),
    TEST(chart_places_dots),
    TEST(chart_of_nothing_is_empty),
};
TEST_MAIN(tests)
