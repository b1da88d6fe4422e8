// The filter language and the order of rows, against what each filter means row by row.
#include "src/report/filter.h"

#include <string.h>

#include "tests/check.h"

static const Column columns[] = {{"gpu", "GPU", false, 0, false},
                                 {"provider", "PROVIDER", false, 0, false},
                                 {"memory_gb", "MEM GB", true, 4, false},
                                 {"price_usd_per_gpu_hour", "$/GPU-h", true, 4, false},
                                 {"price_usd_per_hour", "$/h", true, 4, true},
                                 {"seen_at", "SEEN", false, 0, true}};
enum { GPU, PROVIDER, MEMORY, GPU_HOUR, HOUR, SEEN };

static const struct {
    const char *gpu, *provider;
    double memory, gpu_hour;
    const char *seen;
} sample[] = {{"mi300x", "azure", 192, 2.5, "2026-08-31"},
              {"h200", "vast", 141, 3, "2026-09-01"},
              {"h100", "Azure", 80, (double)NAN, "2026-10-04"},
              {"mi355x", "vast", 288, 0.997, ""}};
enum { ROWS = sizeof sample / sizeof *sample };

static Listing listing(Arena *a) {
    Listing l = listing_new(a, "offers", columns, COUNT_OF(columns), ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        listing_text(&l, GPU, sample[i].gpu);
        listing_text(&l, PROVIDER, sample[i].provider);
        listing_number(&l, MEMORY, sample[i].memory);
        listing_number(&l, GPU_HOUR, sample[i].gpu_hour);
        listing_number(&l, HOUR, 8 * sample[i].gpu_hour);
        listing_text(&l, SEEN, sample[i].seen);
        listing_row_done(&l);
    }
    return l;
}

// "13": rows 1 and 3, in that order; else what the error says.
static const char *chosen(Arena *a, const char *where, const char *sort) {
    Listing l = listing(a);
    size_t *rows = NULL;
    size_t n = 0;
    Err e = {0};
    if (!listing_choose(&l, where, sort, a, &rows, &n, &e)) {
        CHECK_INT(e.kind, ERR_USAGE);
        return arena_copy(a, e.text, strlen(e.text));
    }
    const char *text = "";
    for (size_t i = 0; i < n; i++) text = arena_printf(a, "%s%zu", text, rows[i]);
    return text;
}

static void test_rows_that_fit(void) {
    static const char *const cases[][2] = {{"", "0123"},
                                           {"  ", "0123"},
                                           {"AZURE", "02"},
                                           {"azure h1", "2"},
                                           {"!azure", "13"},
                                           {"!!azure", "02"},
                                           {"h200|mi300x", "01"},
                                           {"h200 | mi300x", "01"},
                                           {"!h200|mi300x vast", "3"},
                                           {"azure !h100", "0"},
                                           {"memory>=192", "03"},
                                           {"memory>=192GB", "03"},
                                           {"mem<0.1k", "2"},
                                           {"memory_gb=141", "1"},
                                           {"MEMORYGB!=141", "023"},
                                           {"$/GPU-h<3", "03"},
                                           {"$/gpu-h<=$3", "013"},
                                           {"!$/gpu-h<3", "12"},
                                           {"price_usd_per_gpu_hour=0.997", "3"},
                                           {"$/h>20", "1"},
                                           {"provider=azu", "02"},
                                           {"provider!=azu", "13"},
                                           {"seen>=2026-09", "12"},
                                           {"seen<2026-09", "0"},
                                           {"\"h200\"", "1"},
                                           {"\"h200 vast\"", ""},
                                           {"141", "1"},
                                           {"0.997", "3"}};
    Arena a = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *got = chosen(&a, cases[i][0], "");
        if (strcmp(got, cases[i][1]) != 0) FAIL_("'%s': got '%s', want '%s'", cases[i][0], got, cases[i][1]);
    }
    arena_free(&a);
}

static void test_order(void) {
    static const char *const cases[][2] = {
        {"memory", "2103"},           {"-memory", "3012"}, {"$/gpu-h", "3012"},
        {"-$/gpu-h", "1032"},  // unknown last
        {"provider,-memory", "2031"}, {"seen", "0123"},    {"-seen,gpu", "2103"}};
    Arena a = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) CHECK_STR(chosen(&a, "", cases[i][0]), cases[i][1]);
    arena_free(&a);
}

static void test_what_cannot_be_read(void) {
    static const char *const cases[][2] = {{"memory<x", "'x' is no figure for column 'memory_gb'"},
                                           {"memory<", "'memory<': a value belongs behind it"},
                                           {"<3", "'<3': a column belongs before it"},
                                           {"memory<3ms", "'3ms' is no figure for column 'memory_gb'"},
                                           {"foo<3", "no column is called 'foo'"},
                                           {"price<3", "'price' begins several columns: price_usd_per_gpu_"},
                                           {"gpu<h2", "column 'gpu' is text"},
                                           {"a|", "a word belongs on both sides of '|'"},
                                           {"|a", "a word belongs on both sides of '|'"},
                                           {"!", "a word belongs behind '!'"},
                                           {"\"a b", "a quotation mark is missing"}};
    Arena a = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *got = chosen(&a, cases[i][0], "");
        if (strncmp(got, cases[i][1], strlen(cases[i][1])) != 0)
            FAIL_("'%s': got '%s', want '%s'", cases[i][0], got, cases[i][1]);
    }
    CHECK(strstr(chosen(&a, "", "nothing"), "no column is called 'nothing'") != NULL);
    CHECK(strstr(chosen(&a, "", "gpu,,memory"), "no column is called ''") != NULL);
    arena_free(&a);
}

// ---------------------------------------------------------------- random filters

static unsigned next_random(unsigned *state) {
    return *state = *state * 1664525u + 1013904223u, *state >> 16;
}

typedef struct Made {
    const char *text;
    bool fits[ROWS];
} Made;

// One alternative with what it means for each row.
static Made make_atom(Arena *a, unsigned *state) {
    static const char *const words[] = {"azure", "vast", "mi3", "h"};
    static const char *const signs[] = {"<", "<=", ">", ">=", "=", "!="};
    static const double values[] = {80, 100, 141, 192, 288};
    Made m = {.text = ""};
    bool inverted = next_random(state) % 3 == 0;
    if (next_random(state) % 2 == 0) {
        const char *word = words[next_random(state) % COUNT_OF(words)];
        m.text = arena_printf(a, "%s%s", inverted ? "!" : "", word);
        for (size_t i = 0; i < ROWS; i++)
            m.fits[i] =
                (text_contains(sample[i].gpu, word) || text_contains(sample[i].provider, word)) != inverted;
        return m;
    }
    size_t sign = next_random(state) % COUNT_OF(signs);
    double value = values[next_random(state) % COUNT_OF(values)];
    m.text = arena_printf(a, "%smemory_gb%s%g", inverted ? "!" : "", signs[sign], value);
    for (size_t i = 0; i < ROWS; i++) {
        double x = sample[i].memory;
        bool is = !(x < value) && !(x > value);
        bool holds[] = {x<value, x <= value, x> value, x >= value, is, !is};
        m.fits[i] = holds[sign] != inverted;
    }
    return m;
}

static void test_random_filters(void) {
    unsigned state = 20261129;
    for (int round = 0; round < 3000; round++) {
        Arena a = {0};
        bool fits[ROWS] = {true, true, true, true};
        const char *text = "";
        for (unsigned term = 0, terms = 1 + next_random(&state) % 4; term < terms; term++) {
            bool any[ROWS] = {false};
            for (unsigned k = 0, n = 1 + next_random(&state) % 3; k < n; k++) {
                Made m = make_atom(&a, &state);
                text = arena_printf(&a, "%s%s%s", text, k > 0 ? "|" : " ", m.text);
                for (size_t i = 0; i < ROWS; i++) any[i] = any[i] || m.fits[i];
            }
            for (size_t i = 0; i < ROWS; i++) fits[i] = fits[i] && any[i];
        }
        const char *want = "";
        for (size_t i = 0; i < ROWS; i++) {
            if (fits[i]) want = arena_printf(&a, "%s%zu", want, i);
        }
        const char *got = chosen(&a, text, "");
        if (strcmp(got, want) != 0) FAIL_("'%s': got '%s', want '%s'", text, got, want);
        arena_free(&a);
    }
}

static const TestCase tests[] = {TEST(rows_that_fit), TEST(order), TEST(what_cannot_be_read),
                                 TEST(random_filters)};
TEST_MAIN(tests)
