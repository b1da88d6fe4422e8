// Runs of the user's own in the database: once by what their file says, changed, taken back, and through other
// versions.
#include "catalog/facts/own_runs.h"

#include <string.h>

#include "db/db.h"
#include "tests/check.h"
#include "tests/made.h"

static const Made shipped[] = {{TABLE_GPUS, "sku_id=a-gpu"}, {TABLE_MODELS, "model_id=m"}};

static Catalog *open_at(Scratch *s, const char *path) {
    Catalog *c = NULL;
    const char *warning = NULL;
    Err e = {0};
    const char *data = made_folder(s, "data", shipped, COUNT_OF(shipped));
    if (!catalog_open(&(CatalogOptions){path, data}, &s->arena, &c, &warning, &e)) FAIL_("%s", e.text);
    return c;
}

static OwnRun run_like(const char *identity, double tokens_per_s) {
    OwnRun r = own_run_blank();
    r.identity = identity;
    r.tool = "vllm-serve";
    r.file = "a, \"b\".json";
    r.m.id = identity;
    r.m.gpu_sku = "a-gpu";
    r.m.gpu_count = 8;
    r.m.model = "m";
    r.m.input_tokens = 123456.5;
    r.m.output_tokens_per_s = tokens_per_s;
    r.m.source = "own: a.json";
    r.m.as_of = "2026-11-29";
    r.imported_at = "2026-11-29";
    r.flags = RUN_SHORT | RUN_MIXED;
    return r;
}

static void test_run_is_kept_once_and_read_back(void) {
    Scratch s = scratch_make();
    Catalog *c = open_at(&s, scratch_path(&s, "x.db"));
    OwnRun runs[] = {run_like("1", 100.25), run_like("2", 7), run_like("1", 100.25)};
    OwnRunFate fates[3];
    Err e = {0};
    CHECK(own_runs_try(c, &s.arena, runs, 3, fates, &e));
    CHECK_INT(fates[0], RUN_NEW);
    CHECK(own_runs_keep(c, &s.arena, runs, 3, fates, &e));
    CHECK(fates[0] == RUN_NEW && fates[1] == RUN_NEW && fates[2] == RUN_UNCHANGED);
    CHECK(runs[0].id == 1 && runs[1].id == 2 && runs[2].id == 1);
    runs[0].file = "elsewhere.json";
    runs[0].imported_at = "2026-12-01";
    runs[1].m.gpu_count = 1;
    CHECK(own_runs_keep(c, &s.arena, runs, 2, fates, &e));
    CHECK(fates[0] == RUN_UNCHANGED && fates[1] == RUN_REPLACED);
    OwnRun *kept = NULL;
    size_t n = 0;
    size_t unreadable = 9;
    CHECK(catalog_own_runs(c, &s.arena, &kept, &n, &unreadable, &e));
    CHECK(n == 2 && unreadable == 0);
    CHECK(kept[0].id == 1 && kept[0].m.output_tokens_per_s == 100.25 && kept[0].m.input_tokens == 123456.5);
    CHECK_STR(kept[0].file, "a, \"b\".json");
    CHECK(!is_known(kept[0].m.ttft_ms) && !is_known(kept[0].seconds));
    CHECK(own_run_has(&kept[0], RUN_SHORT) && own_run_has(&kept[0], RUN_MIXED) &&
          !own_run_has(&kept[0], RUN_MOCK));
    CHECK(kept[1].m.gpu_count == 1);
    catalog_close(c);
    scratch_free(&s);
}

static void test_what_was_accepted_stays_so_until_other_words_are_on_it(void) {
    Scratch s = scratch_make();
    Catalog *c = open_at(&s, scratch_path(&s, "x.db"));
    OwnRun run = run_like("1", 100), again = run;
    OwnRunFate fate;
    OwnRun *kept = NULL;
    size_t n = 0;
    Err e = {0};
    CHECK(own_runs_keep(c, &s.arena, &run, 1, &fate, &e));
    run.accepted = "2026-11-29";
    CHECK(own_runs_change(c, &run, 1, &e));
    CHECK(own_runs_keep(c, &s.arena, &again, 1, &fate, &e));
    CHECK_INT(fate, RUN_UNCHANGED);
    CHECK_STR(again.accepted, "2026-11-29");
    CHECK(catalog_own_runs(c, &s.arena, &kept, &n, NULL, &e) && n == 1);
    CHECK_STR(kept[0].accepted, "2026-11-29");
    again = run_like("1", 100);
    again.m.gpu_count = 1;
    CHECK(own_runs_keep(c, &s.arena, &again, 1, &fate, &e));
    CHECK_INT(fate, RUN_REPLACED);
    CHECK(catalog_own_runs(c, &s.arena, &kept, &n, NULL, &e) && n == 1);
    CHECK_STR(kept[0].accepted, "");
    catalog_close(c);
    scratch_free(&s);
}

static void test_removed_all_or_none(void) {
    Scratch s = scratch_make();
    Catalog *c = open_at(&s, scratch_path(&s, "x.db"));
    OwnRun runs[] = {run_like("1", 1), run_like("2", 2)};
    OwnRunFate fates[2];
    OwnRun *kept = NULL;
    size_t n = 0;
    Err e = {0};
    CHECK(own_runs_keep(c, &s.arena, runs, 2, fates, &e));
    CHECK(!own_runs_remove(c, (int64_t[]){1, 5}, 2, &e));
    CHECK_STR(e.text, "no run 5 of your own; `gpuadvise runs list` lists them");
    CHECK_INT(e.kind, ERR_USAGE);
    CHECK(catalog_own_runs(c, &s.arena, &kept, &n, NULL, &e) && n == 2);
    CHECK(own_runs_remove(c, (int64_t[]){2}, 1, &e));
    CHECK(own_runs_keep(c, &s.arena, &runs[1], 1, fates, &e) &&
          runs[1].id == 3);  // an id is never given twice
    catalog_close(c);
    scratch_free(&s);
}

static void test_memory_keeps_no_run(void) {
    Scratch s = scratch_make();
    Catalog *c = open_at(&s, NULL);
    OwnRun run = run_like("1", 1);
    OwnRunFate fate;
    Err e = {0};
    CHECK(!own_runs_keep(c, &s.arena, &run, 1, &fate, &e));
    CHECK_INT(e.kind, ERR_DATABASE);
    catalog_close(c);
    scratch_free(&s);
}

// A later version may know fewer columns or narrower ranges: it says so and reads the others.
static void test_run_of_another_version_is_counted(void) {
    static const char *const columns[] = {"identity", "content"};
    Scratch s = scratch_make();
    Catalog *c = open_at(&s, scratch_path(&s, "x.db"));
    OwnRun run = run_like("1", 1);
    OwnRunFate fate;
    Err e = {0};
    CHECK(own_runs_keep(c, &s.arena, &run, 1, &fate, &e));
    catalog_close(c);
    Db *db = NULL;
    Stmt *insert = NULL;
    bool more = false;
    CHECK(db_open(scratch_path(&s, "x.db"), &db, &e) &&
          stmt_insert(db, "own_run", columns, COUNT_OF(columns), &insert, &e));
    CHECK(stmt_bind_text(insert, "identity", "odd", &e) &&
          stmt_bind_text(insert, "content", "id\tgpu_count\nx\tmany\n", &e) && stmt_step(insert, &more, &e));
    stmt_free(insert);
    OwnRun *kept = NULL;
    size_t n = 0;
    size_t unreadable = 0;
    CHECK(own_runs_read(db, &s.arena, &kept, &n, &unreadable, &e) && n == 1 && unreadable == 1);
    db_close(db);
    scratch_free(&s);
}

static void test_written_row_is_read_again(void) {
    Scratch s = scratch_make();
    Err e = {0};
    static const char separators[] = {'\t', ','};
    for (size_t i = 0; i < COUNT_OF(separators); i++) {
        Buf b;
        TableReader r;
        size_t at[OWN_RUN_COLUMNS_MAX];
        bool more = false;
        OwnRun run = run_like("1", 12.5), back;
        buf_init(&b, BUF_LIMIT);
        own_run_write(&run, separators[i], true, &b);
        table_open(&r, &s.arena, (Str){b.data, b.length}, separators[i]);
        CHECK(table_next(&r, &more, &e) && own_run_columns(&r, at, &e) && table_next(&r, &more, &e) && more);
        CHECK(own_run_cells(&r, at, &s.arena, &back, &e));
        CHECK_STR(back.file, run.file);
        CHECK(back.m.output_tokens_per_s == 12.5 && back.flags == run.flags);
        buf_free(&b);
    }
    scratch_free(&s);
}

static const TestCase tests[] = {
    TEST(run_is_kept_once_and_read_back),
    TEST(what_was_accepted_stays_so_until_other_words_are_on_it),
    TEST(removed_all_or_none),
    TEST(memory_keeps_no_run),
    TEST(run_of_another_version_is_counted),
    TEST(written_row_is_read_again),
};
TEST_MAIN(tests)
