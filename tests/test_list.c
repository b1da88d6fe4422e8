// Lists of the screen: columns, order, filter, find, marks.
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/printed.h"
#include "tui/keys.h"
#include "tui/list.h"

static const Column columns[] = {{.key = "name", .title = "NAME"},
                                 {.key = "usd", .title = "$", .number = true, .digits = 3},
                                 {.key = "where", .title = "WHERE"}};

// A list of four rows, one of them without a price. Freed with its arena.
typedef struct ListWorld {
    Arena a;
    Listing l;
    List s;
    Err e;
} ListWorld;

static void fill_listing(Listing *l, Arena *a) {
    static const struct {
        const char *name;
        double usd;
        const char *where;
    } rows[] = {{"mi300x", 2, "oslo"},
                {"h100", 3, "paris"},
                {"\xe4\xb8\xad\xe6\x96\x87", (double)NAN, "paris"},
                {"b200", 1, ""}};
    *l = listing_new(a, "rows", columns, COUNT_OF(columns), COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        listing_text(l, 0, rows[i].name);
        listing_number(l, 1, rows[i].usd);
        listing_text(l, 2, rows[i].where);
        listing_row_done(l);
    }
}

static void list_world(ListWorld *w) {
    *w = (ListWorld){0};
    fill_listing(&w->l, &w->a);
    list_open(&w->s, &w->l, &w->a);
}

static const char *frame_of(List *s, Arena *a, int width, int height) {
    Grid g;
    ListLook look = {.sort_action = ACT_COLUMN, .row_action = ACT_ROW};
    grid_init(&g, a, width, height);
    list_draw(s, &g, (Rect){1, 0, width - 2, height}, &look);
    return printed(&g, true);
}

static void test_list_draws_aligned_columns(void) {
    ListWorld w;
    list_world(&w);
    CHECK_STR(frame_of(&w.s, &w.a, 24, 5),
              " NAME    $  WHERE\n mi300x  2  oslo\n h100    3  paris\n ????    -  paris\n b200    1  -\n");
    arena_free(&w.a);
}

static void test_list_sorts_unknown_last_both_ways(void) {
    ListWorld w;
    list_world(&w);
    list_move(&w.s, 1);
    list_sort(&w.s, 1, false);
    CHECK(w.s.shown[0] == 3 && w.s.shown[3] == 2);
    CHECK(list_row(&w.s) == 1);  // the cursor stays on its row
    list_sort(&w.s, 1, true);
    CHECK(w.s.shown[0] == 1 && w.s.shown[3] == 2);
    list_sort(&w.s, 2, false);
    CHECK(w.s.shown[3] == 3);
    arena_free(&w.a);
}

static void test_list_filters_by_every_word(void) {
    ListWorld w;
    list_world(&w);
    list_move(&w.s, 1);
    list_filter(&w.s, "PAR");
    CHECK(w.s.n_shown == 2 && list_row(&w.s) == 1);
    list_filter(&w.s, "par h1");
    CHECK(w.s.n_shown == 1 && w.s.shown[0] == 1);
    list_filter(&w.s, "nothing");
    CHECK(w.s.n_shown == 0 && list_row(&w.s) == SIZE_MAX);
    list_mark(&w.s);  // nothing there: nothing happens
    CHECK(w.s.n_marked == 0);
    list_filter(&w.s, "");
    CHECK(w.s.n_shown == 4);
    list_move(&w.s, 100);
    CHECK(list_row(&w.s) == 3);
    list_mark(&w.s);
    CHECK(w.s.n_marked == 1 && w.s.marked[3]);
    arena_free(&w.a);
}

static void test_list_stays_on_its_row_when_read_again(void) {
    Arena a = {0};
    Listing l, other;
    List s = {0};
    fill_listing(&l, &a);
    fill_listing(&other, &a);
    other.cells[0].text = "new";
    list_open(&s, &l, &a);
    list_move(&s, 3);
    list_filter(&s, "b2");
    list_open(&s, &other, &a);
    CHECK(s.n_shown == 1 && list_row(&s) == 3);
    arena_free(&a);
}

// As `--sort` of the command that lists them: the same rows in the same order.
static void test_list_sorts_by_several_columns(void) {
    ListWorld w;
    list_world(&w);
    CHECK(list_order(&w.s, "where,-usd", &w.e));
    CHECK(w.s.shown[0] == 0 && w.s.shown[1] == 1 && w.s.shown[2] == 2 && w.s.shown[3] == 3);
    CHECK_STR(list_sorts(&w.s, &w.a), "where,-usd");
    list_sort_turn(&w.s);  // of two in paris the one without a price stays behind
    CHECK_STR(list_sorts(&w.s, &w.a), "where,usd");
    CHECK(w.s.shown[1] == 1 && w.s.shown[2] == 2);
    list_sort_then(&w.s);
    CHECK_STR(list_sorts(&w.s, &w.a), "where,usd,name");
    list_sort_next(&w.s, 1);  // there is no other column left
    CHECK_STR(list_sorts(&w.s, &w.a), "where,usd");
    CHECK(!list_order(&w.s, "where,nothing", &w.e) && w.e.kind == ERR_USAGE);
    CHECK_STR(list_sorts(&w.s, &w.a), "where,usd");
    CHECK(list_order(&w.s, "", &w.e) && w.s.n_sorts == 0 && w.s.shown[0] == 0);
    list_sort(&w.s, 0, true);
    CHECK_STR(w.s.order, "-name");
    CHECK_STR(frame_of(&w.s, &w.a, 26, 2), " NAMEv   $  WHERE\n ????    -  paris\n");
    arena_free(&w.a);
}

// The order is kept for a listing that has its columns; another one stands as it was given.
static void test_an_order_waits_for_its_columns(void) {
    static const Column others[] = {{.key = "other", .title = "OTHER"}};
    Arena a = {0};
    Listing l, other;
    List s = {0};
    fill_listing(&l, &a);
    other = listing_new(&a, "rows", others, COUNT_OF(others), 1);
    listing_text(&other, 0, "x");
    listing_row_done(&other);
    list_open(&s, &l, &a);
    list_sort(&s, 1, false);
    list_open(&s, &other, &a);
    CHECK(s.n_sorts == 0 && s.n_shown == 1);
    list_open(&s, &l, &a);
    CHECK(s.n_sorts == 1 && s.shown[0] == 3);
    arena_free(&a);
}

static void test_list_finds_around_its_end(void) {
    ListWorld w;
    list_world(&w);
    memcpy(w.s.find, "paris", 6);
    CHECK(list_find(&w.s, 1, &w.e) && list_row(&w.s) == 1);
    CHECK(list_find(&w.s, 1, &w.e) && list_row(&w.s) == 2);
    CHECK(list_find(&w.s, 1, &w.e) && list_row(&w.s) == 1);
    CHECK(list_find(&w.s, -1, &w.e) && list_row(&w.s) == 2);
    memcpy(w.s.find, "usd<3", 6);
    CHECK(list_find(&w.s, -1, &w.e) && list_row(&w.s) == 0);
    memcpy(w.s.find, "nobody", 7);
    CHECK(!list_find(&w.s, 1, &w.e) && w.e.kind == ERR_USAGE && list_row(&w.s) == 0);
    arena_free(&w.a);
}

// A name that is cut may be another one's: columns at the right go before it.
static void test_names_are_cut_last(void) {
    static const Column of_gpus[] = {{.key = "gpu", .title = "GPU"},
                                     {.key = "vendor", .title = "VENDOR"},
                                     {.key = "memory_gb", .title = "MEM GB", .number = true, .digits = 4}};
    Arena a = {0};
    List s = {0};
    Listing l = listing_new(&a, "rows", of_gpus, COUNT_OF(of_gpus), 1);
    listing_text(&l, 0, "a100-pcie-40gb");
    listing_text(&l, 1, "nvidia");
    listing_number(&l, 2, 40);
    listing_row_done(&l);
    list_open(&s, &l, &a);
    CHECK_STR(frame_of(&s, &a, 26, 2), " GPU             VENDOR\n a100-pcie-40gb  nvidia\n");
    CHECK_STR(frame_of(&s, &a, 18, 2), " GPU\n a100-pcie-40gb\n");
    CHECK_STR(frame_of(&s, &a, 14, 2), " GPU\n a100-pcie-4~\n");
    arena_free(&a);
}

static void test_list_gives_way_in_a_narrow_window(void) {
    ListWorld w;
    list_world(&w);
    CHECK_STR(frame_of(&w.s, &w.a, 14, 2), " NAME    $\n mi300x  2\n");
    arena_free(&w.a);
}

static const TestCase tests[] = {
    TEST(list_draws_aligned_columns),        TEST(list_sorts_unknown_last_both_ways),
    TEST(list_filters_by_every_word),        TEST(list_stays_on_its_row_when_read_again),
    TEST(list_sorts_by_several_columns),     TEST(an_order_waits_for_its_columns),
    TEST(list_finds_around_its_end),         TEST(names_are_cut_last),
    TEST(list_gives_way_in_a_narrow_window),
};
TEST_MAIN(tests)
