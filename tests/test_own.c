// Facts of the user's own: beside the shipped ones, through other facts and other versions of them, and back
// out.
#include "catalog/facts/own.h"

#include "db/db.h"
#include "tests/check.h"
#include "tests/made.h"

static const Made shipped[] = {{TABLE_GPUS, "sku_id=a-gpu"},
                               {TABLE_MODELS, "model_id=m"},
                               {TABLE_WORKLOADS, "workload_id=w model_id=m"}};

static Catalog *open_with(Scratch *s, const char *data_dir) {
    Catalog *c = NULL;
    const char *warning = NULL;
    Err e = {0};
    if (!catalog_open(&(CatalogOptions){scratch_path(s, "x.db"), data_dir}, &s->arena, &c, &warning, &e))
        FAIL_("%s", e.text);
    return c;
}

static OwnChange change_of(Scratch *s, TableId id, const char *text) {
    return (OwnChange){
        .table = id, .arena = &s->arena, .text = str_of(text), .file = "f", .today = "2026-11-27"};
}

static OwnChange add(Scratch *s, Catalog *c, TableId id, const char *text) {
    OwnChange change = change_of(s, id, text);
    Err e = {0};
    if (!catalog_own_add(c, &change, &e)) FAIL_("%s", e.text);
    return change;
}

static void add_fails(Scratch *s, Catalog *c, TableId id, const char *text, ErrKind kind, const char *want) {
    OwnChange change = change_of(s, id, text);
    Err e = {0};
    CHECK(!catalog_own_add(c, &change, &e));
    CHECK_STR(e.text, want);
    CHECK_INT(e.kind, kind);
}

static void remove_one(Scratch *s, Catalog *c, TableId id, const char *name) {
    OwnChange change = {.table = id, .arena = &s->arena, .wanted = &name, .n_wanted = 1};
    Err e = {0};
    if (!catalog_own_remove(c, &change, &e)) FAIL_("%s", e.text);
}

// First columns of a table's rows, separated by blanks.
static const char *ids_of(Scratch *s, Catalog *c, TableId id) {
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    const char *text = "";
    if (!catalog_rows(c, id, &s->arena, &rows, &n, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < n; i++) {
        const char *name = NULL;
        memcpy(&name, (const char *)rows + i * fact_tables[id].row_size + fact_tables[id].fields[0].offset,
               sizeof name);
        text = arena_printf(&s->arena, "%s%s%s", text, i > 0 ? " " : "", name);
    }
    return text;
}

static const char *left_out(Scratch *s, Catalog *c) {
    OwnNames texts = {0};
    Err e = {0};
    const char *all = "";
    if (!catalog_own_left_out(c, &s->arena, &texts, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < texts.n; i++)
        all = arena_printf(&s->arena, "%s%s%s", all, i > 0 ? "; " : "", texts.names[i]);
    return all;
}

#define MINE "workload_id,kind,model_id\nmine,serve,m\n"

static void test_own_rows_outlive_other_facts(void) {
    Scratch s = scratch_make();
    static const Made more[] = {{TABLE_MODELS, "model_id=m"}, {TABLE_MODELS, "model_id=n"}};
    const char *folder = made_folder(&s, "data", shipped, COUNT_OF(shipped));
    Catalog *c = open_with(&s, folder);
    OwnChange change = add(&s, c, TABLE_WORKLOADS, MINE);
    CHECK_INT(change.added.n, 1);
    CHECK_STR(change.added.names[0], "mine");
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "mine w");
    catalog_close(c);
    c = open_with(&s, made_folder(&s, "other", more, COUNT_OF(more)));
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "mine");
    CHECK_STR(ids_of(&s, c, TABLE_MODELS), "m n");
    CHECK_STR(left_out(&s, c), "");
    catalog_close(c);
    c = open_with(&s, folder);
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "mine w");
    remove_one(&s, c, TABLE_WORKLOADS, "mine");
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "w");
    catalog_close(c);
    scratch_free(&s);
}

static void test_what_ships_later_wins(void) {
    Scratch s = scratch_make();
    static const Made later[] = {{TABLE_MODELS, "model_id=m"},
                                 {TABLE_WORKLOADS, "workload_id=mine model_id=m isl_tokens=7"}};
    const char *folder = made_folder(&s, "data", shipped, COUNT_OF(shipped));
    Catalog *c = open_with(&s, folder);
    add(&s, c, TABLE_WORKLOADS, MINE);
    catalog_close(c);
    c = open_with(&s, made_folder(&s, "later", later, COUNT_OF(later)));
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "mine");
    CHECK_STR(left_out(&s, c),
              "workload 'mine' of your own is left out: a row with its key ships with the program");
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    CHECK(catalog_rows(c, TABLE_WORKLOADS, &s.arena, &rows, &n, &e));
    CHECK_NEAR(((const Workload *)rows)->isl_tokens, 7, 0);
    catalog_close(c);
    c = open_with(&s, folder);
    CHECK_STR(left_out(&s, c), "");
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "mine w");
    catalog_close(c);
    scratch_free(&s);
}

static void test_row_without_its_target_is_left_out(void) {
    Scratch s = scratch_make();
    static const char why[] =
        "workload 'mine' of your own is left out: column 'model_id': 'k' is not among the models";
    const char *folder = made_folder(&s, "data", shipped, COUNT_OF(shipped));
    static const char model[] =
        "model_id,family,attention,weights_native,params_total\nk,dense,gqa,bf16,8e9\n";
    Catalog *c = open_with(&s, folder);
    add_fails(&s, c, TABLE_WORKLOADS, "workload_id,kind,model_id\nmine,serve,k\n", ERR_FAILED,
              "read 'f': line 2: column 'model_id': 'k' is not among the models");
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "w");
    CHECK_STR(left_out(&s, c), "");
    add(&s, c, TABLE_MODELS, model);
    add(&s, c, TABLE_WORKLOADS, "workload_id,kind,model_id\nmine,serve,k\n");
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "mine w");
    remove_one(&s, c, TABLE_MODELS, "k");
    CHECK_STR(left_out(&s, c), why);
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "w");
    add(&s, c, TABLE_MODELS, model);
    CHECK_STR(left_out(&s, c), "");
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "mine w");
    catalog_close(c);
    scratch_free(&s);
}

static void test_one_bad_row_keeps_all_out(void) {
    Scratch s = scratch_make();
    Catalog *c = open_with(&s, made_folder(&s, "data", shipped, COUNT_OF(shipped)));
    static const struct {
        ErrKind kind;
        const char *text, *want;
    } cases[] = {
        {ERR_FAILED, MINE "x,nonsense,m\n",
         "read 'f': line 3: column 'kind': 'nonsense' is none of serve, images, train, lora, hpc, embed"},
        {ERR_FAILED, MINE "x,hpc\n", "read 'f': line 3: 2 cells where the header has 3"},
        {ERR_FAILED, MINE "x,serve,a title, and more\n", "read 'f': line 3: 4 cells where the header has 3"},
        {ERR_FAILED, MINE "x,,m\n", "read 'f': line 3: column 'kind': is empty"},
        {ERR_FAILED, MINE "X,serve,m\n",
         "read 'f': line 3: column 'workload_id': 'X' is no id (a-z, 0-9, '-', '.', '_')"},
        {ERR_FAILED, MINE "-x,serve,m\n",
         "read 'f': line 3: column 'workload_id': '-x' is no id (a-z, 0-9, '-', '.', '_')"},
        {ERR_FAILED, MINE "mine,hpc,\n", "read 'f': line 3: the same key as line 2"},
        {ERR_USAGE, MINE "w,serve,m\n",
         "read 'f': line 3: workload 'w' ships with the program and stays as it is: take another "
         "workload_id"},
        {ERR_FAILED, "workload_id,kind,isl_tokens\nmine,serve,5\nx,serve,0\n",
         "read 'f': line 3: column 'isl_tokens': '0' is outside 1..10000000"},
        {ERR_FAILED, "workload_id,kind,weights\nmine,serve,fp8\nx,serve,fp8 fp9\n",
         "read 'f': line 3: column 'weights': 'fp9' is no dtype"},
        {ERR_FAILED, "workload_id,kind,title\nmine,serve,a\nx,serve,a\033b\n",
         "read 'f': line 3: column 'title': holds a control character"},
        {ERR_FAILED, "workload_id,kind,as_of\nmine,serve,\nx,serve,May\n",
         "read 'f': line 3: column 'as_of': 'May' is not a date (YYYY-MM-DD)"},
        {ERR_FAILED, "kind,title\nserve,x\n", "read 'f': line 1: column 'workload_id' is missing"},
        {ERR_FAILED, "workload_id,kind,kind\nmine,serve,hpc\n",
         "read 'f': line 1: column 'kind' stands twice"},
        {ERR_FAILED, "workload_id,kind\n", "read 'f': no rows"},
        {ERR_FAILED, "", "read 'f': no header"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        add_fails(&s, c, TABLE_WORKLOADS, cases[i].text, cases[i].kind, cases[i].want);
        CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "w");
    }
    catalog_close(c);
    scratch_free(&s);
}

static void test_own_row_is_replaced_by_its_next_word(void) {
    Scratch s = scratch_make();
    Catalog *c = open_with(&s, made_folder(&s, "data", shipped, COUNT_OF(shipped)));
    add(&s, c, TABLE_WORKLOADS, MINE);
    OwnChange change = add(&s, c, TABLE_WORKLOADS,
                           "nonsense\ttitle\tkind\tsource\tworkload_id\nx\tTwo \"words\"\thpc\tmy "
                           "notes\tmine\ny\t\tserve\t\tnext\n");
    CHECK_INT(change.replaced.n, 1);
    CHECK_INT(change.added.n, 1);
    CHECK_INT(change.ignored.n, 1);
    CHECK_STR(change.ignored.names[0], "nonsense");
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    CHECK(catalog_rows(c, TABLE_WORKLOADS, &s.arena, &rows, &n, &e));
    CHECK_INT(n, 3);
    const Workload *w = rows;
    CHECK_STR(w[0].title, "Two \"words\"");
    CHECK_INT(w[0].kind, KIND_HPC);
    CHECK_STR(w[0].source, "own: my notes");
    CHECK_STR(w[0].as_of, "2026-11-27");
    CHECK_STR(w[1].title, "next");
    CHECK_STR(w[1].source, "own: file f");
    catalog_close(c);
    scratch_free(&s);
}

static void test_memory_keeps_nothing(void) {
    Scratch s = scratch_make();
    Catalog *c = NULL;
    const char *warning = NULL;
    Err e = {0};
    CHECK(catalog_open(&(CatalogOptions){NULL, made_folder(&s, "data", shipped, COUNT_OF(shipped))}, &s.arena,
                       &c, &warning, &e));
    add_fails(&s, c, TABLE_WORKLOADS, MINE, ERR_DATABASE,
              "nothing would be kept: no place for a database is set: --db, XDG_DATA_HOME or HOME");
    catalog_close(c);
    scratch_free(&s);
}

// A later version may know fewer columns, or narrower ranges.
static void test_row_of_another_version_is_left_out(void) {
    Scratch s = scratch_make();
    const char *folder = made_folder(&s, "data", shipped, COUNT_OF(shipped));
    Catalog *c = open_with(&s, folder);
    catalog_close(c);
    static const char *const columns[] = {"table_name", "name", "content"};
    static const char *const contents[] = {
        "workload_id\tlost\nmine\tx\n", "workload_id\n",
        "workload_id\tkind\tgone\tsource\tas_of\ttitle\twho\nfits\thpc\tx\town: s\t2026\tt\tw\n"};
    Db *db = NULL;
    Stmt *insert = NULL;
    Err e = {0};
    bool more = false;
    CHECK(db_open(scratch_path(&s, "x.db"), &db, &e) &&
          stmt_insert(db, "own_fact", columns, COUNT_OF(columns), &insert, &e));
    for (size_t i = 0; i < COUNT_OF(contents); i++) {
        CHECK(stmt_bind_text(insert, "table_name", "workloads", &e) &&
              stmt_bind_text(insert, "name", arena_printf(&s.arena, "row%zu", i), &e));
        CHECK(stmt_bind_text(insert, "content", contents[i], &e) && stmt_step(insert, &more, &e));
    }
    stmt_free(insert);
    CHECK(db_meta_set(db, "facts_digest", "another", &e));
    db_close(db);
    c = open_with(&s, folder);
    CHECK_STR(ids_of(&s, c, TABLE_WORKLOADS), "fits w");
    CHECK_STR(left_out(&s, c), "workload 'row0' of your own is left out: columns 'title', 'who', 'kind', "
                               "'source', 'as_of' are empty; workload "
                               "'row1' of your own is left out: has no cells");
    remove_one(&s, c, TABLE_WORKLOADS, "row0");
    remove_one(&s, c, TABLE_WORKLOADS, "row1");
    CHECK_STR(left_out(&s, c), "");
    catalog_close(c);
    scratch_free(&s);
}

static const TestCase tests[] = {
    TEST(own_rows_outlive_other_facts),         TEST(what_ships_later_wins),
    TEST(row_without_its_target_is_left_out),   TEST(one_bad_row_keeps_all_out),
    TEST(own_row_is_replaced_by_its_next_word), TEST(memory_keeps_nothing),
    TEST(row_of_another_version_is_left_out),
};
TEST_MAIN(tests)
