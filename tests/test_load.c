// Loading files of facts: every kind of bad cell is refused by file, line and column.
#include <math.h>

#include "catalog/facts/load.h"
#include "src/facts/facts.h"
#include "tests/check.h"
#include "tests/made.h"

static Str gpus_file(Arena *a, const char *given) {
    return made_file(a, TABLE_GPUS, &(Made){TABLE_GPUS, given}, 1);
}

static void load_fails(TableId id, Arena *a, Str text, const char *want) {
    TableRows rows = {0};
    Err e = {0};
    CHECK(!table_load(&fact_tables[id], text, a, &rows, &e));
    CHECK(rows.rows == NULL);
    CHECK_INT(e.kind, ERR_FAILED);
    CHECK_STR(e.text, want);
}

static void bad_gpu(const char *given, const char *want) {
    Arena a = {0};
    load_fails(TABLE_GPUS, &a, gpus_file(&a, given), want);
    arena_free(&a);
}

static void bad_text(const char *text, const char *want) {
    Arena a = {0};
    load_fails(TABLE_CONSTANTS, &a, str_of(text), want);
    arena_free(&a);
}

#define CONSTANTS_HEADER "name\tvalue\tunit\twhat\tsource\tas_of\n"

static void test_load_reads_every_kind_of_cell(void) {
    Arena a = {0};
    TableRows rows = {0};
    Err e = {0};
    if (!table_load(&fact_tables[TABLE_GPUS], made_file(&a, TABLE_GPUS, two_gpus, COUNT_OF(two_gpus)), &a,
                    &rows, &e))
        FAIL_("%s", e.text);
    const Gpu *gpus = rows.rows;
    CHECK_INT(rows.n, 2);
    CHECK_STR(gpus[0].sku_id, "a-gpu");  // in key order
    CHECK_INT(rows.lines[0], 3);
    CHECK_INT(gpus[0].vendor, VENDOR_NVIDIA);
    CHECK_NEAR(gpus[0].memory_gb, 80.5, 0);
    CHECK_STR(gpus[0].launch, "2022-10");
    CHECK_STR(gpus[0].note, "");
    CHECK(isnan(gpus[0].cache_mb));
    CHECK_STR(gpus[1].note, "two words");
    Str offers = made_file(&a, TABLE_OFFERS, two_gpus, COUNT_OF(two_gpus));
    if (!table_load(&fact_tables[TABLE_OFFERS], offers, &a, &rows, &e)) FAIL_("%s", e.text);
    CHECK_INT(((const Offer *)rows.rows)->price_micro_usd_h, 98320123);
    arena_free(&a);
}

static void test_load_takes_other_line_ends(void) {
    Arena a = {0};
    TableRows rows = {0};
    Err e = {0};
    Str text =
        str_of("\xef\xbb\xbfname\tvalue\tunit\twhat\tsource\tas_of\r\n\r\nc\t1\tu\tw\ts\t2026\r\n\r\n");
    if (!table_load(&fact_tables[TABLE_CONSTANTS], text, &a, &rows, &e)) FAIL_("%s", e.text);
    CHECK_INT(rows.n, 1);
    CHECK_STR(((const Constant *)rows.rows)->as_of, "2026");
    arena_free(&a);
}

static void test_load_refuses_a_missing_column(void) {
    bad_text("name\tvalue\tunit\twhat\tsource\n", "load 'constants.tsv': line 1: column 'as_of' is missing");
    bad_text("name\tunit\tvalue\twhat\tsource\tas_of\n",
             "load 'constants.tsv': line 1: column 2 is 'unit' where 'value' belongs");
}

static void test_load_refuses_an_unknown_column(void) {
    bad_text("name\tvalue\tunit\twhat\tsource\tas_of\textra\n",
             "load 'constants.tsv': line 1: unknown column 'extra'");
}

static void test_load_refuses_an_empty_file(void) {
    bad_text("", "load 'constants.tsv': no header");
    bad_text("\n\n", "load 'constants.tsv': no header");
}

static void test_load_refuses_an_extra_cell(void) {
    bad_text(CONSTANTS_HEADER "c\t1\tu\tw\ts\t2026\tx\n",
             "load 'constants.tsv': line 2: 7 cells where the header has 6");
    bad_text(CONSTANTS_HEADER "c\t1\n", "load 'constants.tsv': line 2: 2 cells where the header has 6");
}

static void test_load_refuses_a_bad_number(void) {
    bad_gpu("memory_gb=80GB", "load 'gpus.tsv': line 2: column 'memory_gb': '80GB' is not a number");
    bad_gpu("memory_gb=nan", "load 'gpus.tsv': line 2: column 'memory_gb': 'nan' is not a number");
    bad_gpu("memory_gb=~80", "load 'gpus.tsv': line 2: column 'memory_gb': ' 80' is not a number");
}

static void test_load_refuses_a_number_out_of_range(void) {
    bad_gpu("memory_gb=-80", "load 'gpus.tsv': line 2: column 'memory_gb': '-80' is outside 4..2000");
    bad_gpu("memory_gb=1e999", "load 'gpus.tsv': line 2: column 'memory_gb': '1e999' is too large");
}

static void test_load_refuses_a_price_of_nothing(void) {
    Arena a = {0};
    Str text = made_file(&a, TABLE_OFFERS, &(Made){TABLE_OFFERS, "price_usd_per_hour=0"}, 1);
    load_fails(TABLE_OFFERS, &a, text,
               "load 'offers.tsv': line 2: column 'price_usd_per_hour': '0' is outside 0.001..10000");
    arena_free(&a);
}

static void test_load_refuses_an_unknown_name(void) {
    bad_gpu("vendor=intel", "load 'gpus.tsv': line 2: column 'vendor': 'intel' is none of nvidia, amd");
    bad_gpu("vendor=AMD", "load 'gpus.tsv': line 2: column 'vendor': 'AMD' is none of nvidia, amd");
}

static void bad_offer(const char *given, const char *want) {
    Arena a = {0};
    load_fails(TABLE_OFFERS, &a, made_file(&a, TABLE_OFFERS, &(Made){TABLE_OFFERS, given}, 1), want);
    arena_free(&a);
}

static void bad_move(const char *given, const char *want) {
    Arena a = {0};
    load_fails(TABLE_PRICE_MOVES, &a, made_file(&a, TABLE_PRICE_MOVES, &(Made){TABLE_PRICE_MOVES, given}, 1),
               want);
    arena_free(&a);
}

// What an offer says of its seller may be left out, and is then unknown; what it says must be right.
static void test_load_reads_sellers(void) {
    Arena a = {0};
    TableRows rows = {0};
    Err e = {0};
    static const Made offers[] = {
        {TABLE_OFFERS, "provider=a"},
        {TABLE_OFFERS, "provider=b seller_class=broker machines_seen=3 sold_by_gpu=no"}};
    if (!table_load(&fact_tables[TABLE_OFFERS], made_file(&a, TABLE_OFFERS, offers, 2), &a, &rows, &e))
        FAIL_("%s", e.text);
    const Offer *o = rows.rows;
    CHECK(o[0].seller_class == SELLER_UNKNOWN && !is_known(o[0].machines_seen) &&
          o[0].sold_by_gpu == AVAILABLE_UNKNOWN);
    CHECK(o[1].seller_class == SELLER_BROKER && o[1].sold_by_gpu == AVAILABLE_NO);
    CHECK_NEAR(o[1].machines_seen, 3, 0);
    bad_offer("seller_class=shop", "load 'offers.tsv': line 2: column 'seller_class': 'shop' is none of "
                                   "unknown, hyperscaler, cloud, marketplace-host, broker, price-list-only");
    bad_offer("machines_seen=0",
              "load 'offers.tsv': line 2: column 'machines_seen': '0' is outside 1..1000000");
    bad_offer("sold_by_gpu=maybe",
              "load 'offers.tsv': line 2: column 'sold_by_gpu': 'maybe' is none of unknown, yes, no");
    bad_move("gone=1.01", "load 'price_moves.tsv': line 2: column 'gone': '1.01' is outside 0..1");
    bad_move("sigma_log=-0.1", "load 'price_moves.tsv': line 2: column 'sigma_log': '-0.1' is outside 0..3");
    bad_move("lag_days=@", "load 'price_moves.tsv': line 2: column 'lag_days': is empty");
    static const Made twice[] = {{TABLE_PRICE_MOVES, "lag_days=7"}, {TABLE_PRICE_MOVES, "lag_days=7.0"}};
    load_fails(TABLE_PRICE_MOVES, &a, made_file(&a, TABLE_PRICE_MOVES, twice, 2),
               "load 'price_moves.tsv': line 3: the same key as line 2");
    arena_free(&a);
}

static void test_load_refuses_a_bad_flag(void) {
    Arena a = {0};
    Str text = made_file(&a, TABLE_MODELS, &(Made){TABLE_MODELS, "tied_embeddings=true"}, 1);
    load_fails(TABLE_MODELS, &a, text,
               "load 'models.tsv': line 2: column 'tied_embeddings': 'true' is neither yes nor no");
    arena_free(&a);
}

static void test_load_refuses_a_bad_date(void) {
    bad_gpu("as_of=2026-13", "load 'gpus.tsv': line 2: column 'as_of': '2026-13' is not a date (YYYY-MM-DD)");
    bad_gpu("as_of=2026-02-29",
            "load 'gpus.tsv': line 2: column 'as_of': '2026-02-29' is not a date (YYYY-MM-DD)");
    bad_gpu("as_of=2026-05-08T00:00",
            "load 'gpus.tsv': line 2: column 'as_of': '2026-05-08T00:00' is not a date (YYYY-MM-DD)");
    bad_gpu("launch=soon", "load 'gpus.tsv': line 2: column 'launch': 'soon' is not a date (YYYY-MM-DD)");
}

static void test_load_refuses_an_empty_source(void) {
    bad_gpu("source=@", "load 'gpus.tsv': line 2: column 'source': is empty");
    bad_gpu("as_of=@", "load 'gpus.tsv': line 2: column 'as_of': is empty");
    bad_gpu("sku_id=@", "load 'gpus.tsv': line 2: column 'sku_id': is empty");
    bad_gpu("vendor=@", "load 'gpus.tsv': line 2: column 'vendor': is empty");
}

static void test_load_refuses_a_key_twice(void) {
    Arena a = {0};
    static const Made twice[] = {
        {TABLE_GPUS, "sku_id=a"}, {TABLE_GPUS, "sku_id=b"}, {TABLE_GPUS, "sku_id=a vendor=amd"}};
    load_fails(TABLE_GPUS, &a, made_file(&a, TABLE_GPUS, twice, COUNT_OF(twice)),
               "load 'gpus.tsv': line 4: the same key as line 2");
    // The price is part of an offer's key; numbers are compared as numbers.
    static const Made offers[] = {{TABLE_OFFERS, "gpu_count=1 price_usd_per_hour=2"},
                                  {TABLE_OFFERS, "gpu_count=1 price_usd_per_hour=3"},
                                  {TABLE_OFFERS, "gpu_count=1.0 price_usd_per_hour=2.00"}};
    TableRows rows = {0};
    Err e = {0};
    CHECK(table_load(&fact_tables[TABLE_OFFERS], made_file(&a, TABLE_OFFERS, offers, 2), &a, &rows, &e));
    load_fails(TABLE_OFFERS, &a, made_file(&a, TABLE_OFFERS, offers, 3),
               "load 'offers.tsv': line 4: the same key as line 2");
    arena_free(&a);
}

static void test_load_refuses_foreign_bytes(void) {
    Arena a = {0};
    load_fails(TABLE_CONSTANTS, &a, (Str){CONSTANTS_HEADER "c\0\t1\n", sizeof CONSTANTS_HEADER + 5},
               "load 'constants.tsv': line 2: not valid UTF-8");
    bad_text(CONSTANTS_HEADER "c\xff\t1\tu\tw\ts\t2026\n", "load 'constants.tsv': line 2: not valid UTF-8");
    bad_text(CONSTANTS_HEADER "c\x1b[31m\t1\tu\tw\ts\t2026\n",
             "load 'constants.tsv': line 2: column 'name': holds a control character");
    arena_free(&a);
}

static void test_load_refuses_huge_cells_and_rows(void) {
    Arena a = {0};
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, CONSTANTS_HEADER);
    for (int i = 0; i <= TABLE_CELL_BYTES_MAX; i++) buf_puts(&b, "x");
    load_fails(TABLE_CONSTANTS, &a, (Str){b.data, b.length},
               "load 'constants.tsv': line 2: a cell is over 65536 bytes");
    buf_free(&b);
    buf_puts(&b, CONSTANTS_HEADER);
    for (int i = 0; i < 100000; i++) buf_puts(&b, "\t");
    load_fails(TABLE_CONSTANTS, &a, (Str){b.data, b.length},
               "load 'constants.tsv': line 2: more than 400 columns");
    buf_free(&b);
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(load_reads_every_kind_of_cell),
    TEST(load_takes_other_line_ends),
    TEST(load_reads_sellers),
    TEST(load_refuses_a_missing_column),
    TEST(load_refuses_an_unknown_column),
    TEST(load_refuses_an_empty_file),
    TEST(load_refuses_an_extra_cell),
    TEST(load_refuses_a_bad_number),
    TEST(load_refuses_a_number_out_of_range),
    TEST(load_refuses_a_price_of_nothing),
    TEST(load_refuses_an_unknown_name),
    TEST(load_refuses_a_bad_flag),
    TEST(load_refuses_a_bad_date),
    TEST(load_refuses_an_empty_source),
    TEST(load_refuses_a_key_twice),
    TEST(load_refuses_foreign_bytes),
    TEST(load_refuses_huge_cells_and_rows),
};
TEST_MAIN(tests)
