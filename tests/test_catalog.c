// Facts kept equal to their files in the database, read back with the newest word on every offer.
#include <math.h>

#include "catalog/facts/catalog.h"
#include "catalog/market/market.h"
#include "catalog/facts/rows.h"
#include "db/db.h"
#include "tests/catalog_world.h"

// ---------------------------------------------------------------- opening

static void open_fails(Scratch *s, const char *db_path, const char *data_dir, const char *want) {
    Catalog *c = NULL;
    const char *warning = NULL;
    Err e = {0};
    CHECK(!catalog_open(&(CatalogOptions){db_path, data_dir}, &s->arena, &c, &warning, &e));
    CHECK(c == NULL);
    CHECK(e.kind == ERR_FAILED || e.kind == ERR_DATABASE);
    CHECK_STR(e.text, want);
}

static void test_built_in_facts_load(void) {
    Scratch s = scratch_make();
    Catalog *c = open_or_fail(NULL, NULL);
    Err e = {0};
    CHECK_STR(catalog_db_path(c), "");
    CHECK_STR(catalog_data_origin(c), "built in");
    const DataAge *ages = NULL;
    size_t n_ages = 0;
    CHECK(catalog_ages(c, true, &s.arena, &ages, &n_ages, &e));
    CHECK_INT(n_ages, TABLE_COUNT + 1);
    CHECK_STR(ages[TABLE_COUNT].table, "offer_seen");
    CHECK_INT(ages[TABLE_COUNT].rows, 0);
    CHECK_STR(ages[TABLE_COUNT].newest, "");
    for (int i = 0; i < TABLE_COUNT; i++) {
        const Table *t = &fact_tables[i];
        void *rows = NULL;
        size_t n = 0;
        if (!catalog_rows(c, (TableId)i, &s.arena, &rows, &n, &e)) FAIL_("%s", e.text);
        CHECK_STR(ages[i].table, t->name);
        CHECK_INT(ages[i].rows, n);
        CHECK(n > 0 && strcmp(ages[i].oldest, ages[i].newest) <= 0 && ages[i].oldest[0] == '2');
        for (size_t k = 1; k < n; k++)
            CHECK(row_compare(t, (char *)rows + (k - 1) * t->row_size, (char *)rows + k * t->row_size) < 0);
    }
    Facts facts = facts_of(&s, c);
    CHECK(facts.n_gpus > 0 && facts.n_models > 0 && facts.n_workloads > 0 && facts.n_offers > 0 &&
          facts.n_engines > 0);
    CHECK(facts.n_engine_limits > 0 && facts.n_precisions > 0 && facts.n_efficiency > 0 &&
          facts.n_task_efficiency > 0 && facts.n_constants > 0 && facts.n_sellers > 0 &&
          facts.n_seller_classes == SELLER_CLASS_COUNT && facts.n_price_moves > 0);
    CHECK_INT(facts.n_constants, CONSTANT_COUNT);
    // In the order of their list each is found at once.
    for (size_t i = 0; i < facts.n_constants; i++) CHECK_STR(facts.constants[i].name, constant_specs[i].name);
    catalog_close(c);
    catalog_close(NULL);
    scratch_free(&s);
}

static void test_rows_come_back_as_loaded(void) {
    Scratch s = scratch_make();
    const char *folder = made_folder(&s, "data", two_gpus, COUNT_OF(two_gpus));
    Catalog *c = open_or_fail(scratch_path(&s, "x.db"), folder);
    CHECK_STR(catalog_db_path(c), scratch_path(&s, "x.db"));
    CHECK_STR(catalog_data_origin(c), folder);
    Facts facts = facts_of(&s, c);
    CHECK_INT(facts.n_gpus, 2);
    CHECK_STR(facts.gpus[0].sku_id, "a-gpu");
    CHECK_INT(facts.gpus[1].vendor, VENDOR_AMD);
    CHECK_NEAR(facts.gpus[0].memory_gb, 80.5, 0);
    CHECK(isnan(facts.gpus[0].cache_mb));
    CHECK_STR(facts.gpus[0].note, "");
    CHECK_STR(facts.gpus[1].note, "two words");
    CHECK_INT(facts.offers[0].price_micro_usd_h, 98320123);
    CHECK_STR(facts.offers[0].region, "");
    CHECK_INT(facts.models[0].tied_embeddings, 1);
    catalog_close(c);
    scratch_free(&s);
}

// Each table of tables.c has its table in the database, with its columns, and those of offers with what else they need.
static void test_database_has_the_columns_of_the_files(void) {
    Scratch scratch = scratch_make();
    const char *path = scratch_path(&scratch, "x.db");
    catalog_close(open_or_fail(path, NULL));
    Db *db = NULL;
    Err e = {0};
    CHECK(db_open(path, &db, &e));
    for (int i = 0; i < TABLE_COUNT; i++) {
        const Table *t = &fact_tables[i];
        CHECK(t->n_fields <= TABLE_CELLS_MAX);
        CHECK_STR(t->fields[t->n_fields - 2].name, "source");
        CHECK_STR(t->fields[t->n_fields - 1].name, "as_of");
        Stmt *s = NULL;
        const char *all = "*";
        if (!stmt_select(db, t->name, &all, 1, &s, &e)) FAIL_("%s", e.text);
        CHECK_INT(stmt_columns(s), t->n_fields + (i == TABLE_OFFERS ? 2 : 0));  // replaced, thing
        for (size_t k = 0; k < t->n_fields; k++)
            CHECK_STR(stmt_column_name(s, k), field_column(&t->fields[k]));
        stmt_free(s);
        if (!rows_insert(db, t, NULL, 0, &e)) FAIL_("%s", e.text);
    }
    db_close(db);
    scratch_free(&scratch);
}

static void test_missing_file_is_named(void) {
    Scratch s = scratch_make();
    const char *folder = made_folder(&s, "data", two_gpus, COUNT_OF(two_gpus));
    const char *gone = scratch_path(&s, "data/engines.tsv");
    CHECK(unlink(gone) == 0);
    open_fails(&s, NULL, folder,
               arena_printf(&s.arena, "load 'engines.tsv': open '%s': No such file or directory", gone));
    const char *nowhere = scratch_path(&s, "nowhere");
    open_fails(
        &s, NULL, nowhere,
        arena_printf(&s.arena, "load 'gpus.tsv': open '%s/gpus.tsv': No such file or directory", nowhere));
    scratch_free(&s);
}

static void test_dangling_reference_is_refused(void) {
    Scratch s = scratch_make();
    static const Made offer[] = {{TABLE_OFFERS, "sku_id=@"}, {TABLE_OFFERS, "sku_id=b-gpu"}};
    open_fails(&s, NULL, made_folder(&s, "data", offer, 2),
               "load 'offers.tsv': line 3: column 'sku_id': 'b-gpu' is not in gpus.tsv");
    static const Made workload[] = {{TABLE_MODELS, "model_id=m"},
                                    {TABLE_WORKLOADS, "workload_id=w model_id=n"}};
    open_fails(&s, NULL, made_folder(&s, "data", workload, 2),
               "load 'workloads.tsv': line 2: column 'model_id': 'n' is not in models.tsv");
    scratch_free(&s);
}

static void test_constants_are_checked(void) {
    Scratch s = scratch_make();
    static const Made unknown[] = {{TABLE_CONSTANTS, "name=pi value=3"}};
    open_fails(&s, NULL, made_folder(&s, "data", unknown, 1),
               "load 'constants.tsv': line 2: 'pi' is no constant of this program");
    static const Made absurd[] = {{TABLE_CONSTANTS, "name=utilisation_max value=-3"}};
    open_fails(&s, NULL, made_folder(&s, "data", absurd, 1),
               "load 'constants.tsv': line 2: 'utilisation_max' is -3, outside 0.01..1");
    static const Made few[] = {{TABLE_CONSTANTS, "name=utilisation_max value=1"}};
    open_fails(&s, NULL, made_folder(&s, "data", few, 1), "load 'constants.tsv': 'cache_use' is missing");
    scratch_free(&s);
}

static void test_price_moves_are_whole(void) {
    Scratch s = scratch_make();
    static const Made few[] = {{TABLE_SELLER_CLASSES, "seller_class=unknown"},
                               {TABLE_SELLER_CLASSES, "seller_class=hyperscaler"}};
    open_fails(&s, NULL, made_folder(&s, "data", few, 2), "load 'seller_classes.tsv': 'cloud' is missing");
    static const Made none[] = {
        {TABLE_PRICE_MOVES, "seller_class=hyperscaler pricing_model=on-demand lag_days=0"},
        {TABLE_PRICE_MOVES, "seller_class=hyperscaler pricing_model=on-demand lag_days=364"}};
    open_fails(&s, NULL, made_folder(&s, "data", none, 2),
               "load 'price_moves.tsv': 'hyperscaler', 'on-demand' lacks rows from day 0 to day 365");
    static const Made late[] = {
        {TABLE_PRICE_MOVES, "seller_class=hyperscaler pricing_model=on-demand lag_days=1"},
        {TABLE_PRICE_MOVES, "seller_class=hyperscaler pricing_model=on-demand lag_days=365"}};
    open_fails(&s, NULL, made_folder(&s, "data", late, 2),
               "load 'price_moves.tsv': 'hyperscaler', 'on-demand' lacks rows from day 0 to day 365");
    static const Made falls[] = {
        {TABLE_PRICE_MOVES, "seller_class=hyperscaler pricing_model=on-demand lag_days=0 sigma_log=0.2"},
        {TABLE_PRICE_MOVES, "seller_class=hyperscaler pricing_model=on-demand lag_days=365 sigma_log=0.1"}};
    open_fails(&s, NULL, made_folder(&s, "data", falls, 2),
               "load 'price_moves.tsv': line 3: sigma_log and gone may not fall with time");
    static const Made back[] = {
        {TABLE_PRICE_MOVES, "seller_class=hyperscaler pricing_model=on-demand lag_days=0 gone=0.2"},
        {TABLE_PRICE_MOVES, "seller_class=hyperscaler pricing_model=on-demand lag_days=365 gone=0.1"}};
    open_fails(&s, NULL, made_folder(&s, "data", back, 2),
               "load 'price_moves.tsv': line 3: sigma_log and gone may not fall with time");
    scratch_free(&s);
}

static void test_bad_facts_leave_the_stored_ones(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "x.db");
    const char *good = made_folder(&s, "good", two_gpus, COUNT_OF(two_gpus));
    catalog_close(open_or_fail(path, good));
    Str before = scratch_read(&s, path);
    static const Made bad[] = {{TABLE_GPUS, "sku_id=c"}, {TABLE_CONSTANTS, "name=c value=many"}};
    open_fails(&s, path, made_folder(&s, "bad", bad, COUNT_OF(bad)),
               "load 'constants.tsv': line 2: column 'value': 'many' is not a number");
    Str after = scratch_read(&s, path);
    CHECK(after.length == before.length && memcmp(after.data, before.data, before.length) == 0);
    scratch_free(&s);
}

// What was loaded from these files once is not loaded again: a change made behind the catalog's back stays.
static void test_facts_load_only_when_files_change(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "x.db");
    const char *folder = made_folder(&s, "data", two_gpus, COUNT_OF(two_gpus));
    catalog_close(open_or_fail(path, folder));
    Db *db = NULL;
    Err e = {0};
    CHECK(db_open(path, &db, &e));
    CHECK(rows_make_tables(db, &e));
    db_close(db);
    Catalog *c = open_or_fail(path, folder);
    CHECK_INT(facts_of(&s, c).n_engine_limits, 0);
    catalog_close(c);
    Made changed[COUNT_OF(two_gpus)];
    memcpy(changed, two_gpus, sizeof changed);
    changed[COUNT_OF(changed) - 1].given = "engine=marker chunk_tokens=18";
    made_folder(&s, "data", changed, COUNT_OF(changed));
    c = open_or_fail(path, folder);
    CHECK_INT(facts_of(&s, c).n_engine_limits, 1);
    CHECK_INT(facts_of(&s, c).engine_limits[0].chunk_tokens, 18);
    catalog_close(c);
    c = open_or_fail(path, NULL);
    CHECK(facts_of(&s, c).n_gpus > 2);
    catalog_close(c);
    scratch_free(&s);
}

typedef struct Rivals {
    const char *path;
    const char *folders[2];
} Rivals;

// A process with facts of its own on a shared file: its answers hold those and only those.
static void read_own_facts(int number, void *context) {
    const Rivals *r = context;
    Scratch s = {0};
    for (int i = 0; i < 8; i++) {
        Catalog *c = open_or_fail(r->path, r->folders[number % 2]);
        for (int k = 0; k < 3; k++) {
            Facts facts = facts_of(&s, c);
            CHECK_INT(facts.n_engine_limits, 1);
            CHECK_INT(facts.engine_limits[0].chunk_tokens, 100 + number % 2);
            CHECK_INT(facts.n_gpus, number % 2 == 0 ? 1 : 300);
        }
        catalog_close(c);
    }
    arena_free(&s.arena);
}

static void test_processes_with_different_facts_share_a_file(void) {
    Scratch s = scratch_make();
    Made rows[301] = {{TABLE_ENGINE_LIMITS, "chunk_tokens=100"}, {TABLE_GPUS, "sku_id=g"}};
    Rivals r = {scratch_path(&s, "x.db"), {made_folder(&s, "a", rows, 2), NULL}};
    rows[0].given = "chunk_tokens=101";
    for (int i = 1; i <= 300; i++) rows[i] = (Made){TABLE_GPUS, arena_printf(&s.arena, "sku_id=g%d", i)};
    r.folders[1] = made_folder(&s, "b", rows, COUNT_OF(rows));
    scratch_fork(4, read_own_facts, &r);
    scratch_free(&s);
}

static void first_open(int number, void *context) {
    (void)number;
    Catalog *c = open_or_fail(context, NULL);
    Scratch s = {0};
    CHECK(facts_of(&s, c).n_offers > 0);
    arena_free(&s.arena);
    catalog_close(c);
}

static void test_processes_open_an_empty_home_at_once(void) {
    Scratch s = scratch_make();
    char path[200];
    snprintf(path, sizeof path, "%s/home/catalog.db", s.path);
    scratch_fork(3, first_open, path);
    scratch_free(&s);
}

static void test_unwritable_home_works_in_memory(void) {
    Scratch s = scratch_make();
    const char *file = scratch_path(&s, "file");
    scratch_write(file, "x", 1);
    const char *path = scratch_path(&s, "file/catalog.db");
    const char *folder = made_folder(&s, "data", two_gpus, COUNT_OF(two_gpus));
    Catalog *c = NULL;
    const char *warning = NULL;
    Err e = {0};
    if (!catalog_open(&(CatalogOptions){path, folder}, &s.arena, &c, &warning, &e)) FAIL_("%s", e.text);
    CHECK_STR(warning, arena_printf(&s.arena,
                                    "database '%s' cannot be kept (make folder '%s': Not a directory): "
                                    "working in memory, nothing will be "
                                    "remembered",
                                    path, file));
    CHECK_STR(catalog_db_path(c), "");
    CHECK_INT(facts_of(&s, c).n_gpus, 2);
    catalog_close(c);
    scratch_free(&s);
}

static void test_damaged_database_is_left_alone(void) {
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "x.db");
    scratch_write(path, "not a database, but somebody's notes\n", 37);
    open_fails(&s, path, NULL, arena_printf(&s.arena, "open database '%s': not a database", path));
    Str after = scratch_read(&s, path);
    CHECK_STR(after.data, "not a database, but somebody's notes\n");
    scratch_free(&s);
}

static void test_unknown_name_in_the_database_is_an_error(void) {
    static const char *const columns[] = {"weights", "vendor", "architecture", "compute",
                                          "status",  "source", "as_of"};
    static const char *const cells[] = {"fp2", "amd", "x", "bf16", "native", "here", "2026"};
    Scratch s = scratch_make();
    const char *path = scratch_path(&s, "x.db");
    Catalog *c = open_or_fail(path, NULL);
    Db *db = NULL;
    Stmt *stmt = NULL;
    bool row = false;
    Err e = {0};
    CHECK(db_open(path, &db, &e));
    CHECK(stmt_insert(db, "precisions", columns, COUNT_OF(columns), &stmt, &e));
    for (size_t i = 0; i < COUNT_OF(columns); i++) CHECK(stmt_bind_text(stmt, columns[i], cells[i], &e));
    CHECK(stmt_step(stmt, &row, &e));
    stmt_free(stmt);
    db_close(db);
    Facts facts = {0};
    CHECK(!catalog_facts(c, &s.arena, &facts, &e));
    CHECK(strstr(e.text, "read 'precisions': column 'weights': 'fp2' is none of unknown, fp64") != NULL);
    CHECK(facts.gpus == NULL);
    void *rows = NULL;
    size_t n = 0;
    CHECK(catalog_rows(c, TABLE_GPUS, &s.arena, &rows, &n, &e));
    catalog_close(c);
    scratch_free(&s);
}

static const TestCase tests[] = {
    TEST(built_in_facts_load),
    TEST(rows_come_back_as_loaded),
    TEST(database_has_the_columns_of_the_files),
    TEST(missing_file_is_named),
    TEST(dangling_reference_is_refused),
    TEST(constants_are_checked),
    TEST(price_moves_are_whole),
    TEST(bad_facts_leave_the_stored_ones),
    TEST(facts_load_only_when_files_change),
    TEST(processes_with_different_facts_share_a_file),
    TEST(processes_open_an_empty_home_at_once),
    TEST(unwritable_home_works_in_memory),
    TEST(damaged_database_is_left_alone),
    TEST(unknown_name_in_the_database_is_an_error),
};
TEST_MAIN(tests)
