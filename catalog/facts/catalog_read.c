// The catalog read back for an answer.
#include <string.h>

#include "catalog/facts/catalog.h"
#include "catalog/facts/load.h"
#include "catalog/facts/names.h"
#include "catalog/facts/rows.h"
#include "catalog/facts/store.h"
#include "src/perf/perf.h"

// ---------------------------------------------------------------- tables into the fields of a struct

// Where the rows of a table stand in a struct of facts, and their number.
typedef struct Part {
    const Table *table;
    size_t rows, n;
} Part;

#define PART(S, table, rows)                                                                                 \
    { table, offsetof(S, rows), offsetof(S, n_##rows) }

static void put_part(void *facts, const Part *part, const void *rows, size_t n) {
    memcpy((char *)facts + part->rows, &rows, sizeof rows);
    memcpy((char *)facts + part->n, &n, sizeof n);
}

// A table that is kept out of the database, and its text (NULL: not wanted).
static bool load_text(Catalog *c, const Table *table, Arena *a, TableRows *ret_rows, Str *ret_text, Err *e) {
    Str text;
    if (!catalog_text(c, table->name, a, &text, e) || !table_load(table, text, a, ret_rows, e)) return false;
    if (ret_text != NULL) *ret_text = text;
    return true;
}

static bool load_parts(Catalog *c, const Part *parts, size_t n, Arena *a, void *facts, Err *e) {
    for (size_t i = 0; i < n; i++) {
        TableRows read;
        if (!load_text(c, parts[i].table, a, &read, NULL, e)) return false;
        put_part(facts, &parts[i], read.rows, read.n);
    }
    return true;
}

// All rows of a table of the database.
static bool read_table(Catalog *c, const Table *table, Arena *a, void **ret_rows, size_t *ret_n, Err *e) {
    bool offers = table == &fact_tables[TABLE_OFFERS];
    return rows_read_all(catalog_db(c), offers ? "offer_current" : table->name,
                         offers ? &offer_current_table : table, a, ret_rows, ret_n, e);
}

bool catalog_rows(Catalog *c, TableId id, Arena *a, void **ret_rows, size_t *ret_n, Err *e) {
    if (!catalog_begin_read(c, e)) return false;
    bool ok = read_table(c, &fact_tables[id], a, ret_rows, ret_n, e);
    db_rollback(catalog_db(c));
    return ok;
}

static bool read_parts(Catalog *c, const Part *parts, size_t n, Arena *a, void *facts, Err *e) {
    for (size_t i = 0; i < n; i++) {
        void *rows = NULL;
        size_t n_rows = 0;
        if (!read_table(c, parts[i].table, a, &rows, &n_rows, e)) return false;
        put_part(facts, &parts[i], rows, n_rows);
    }
    return true;
}

// Rows of a query with at most one parameter, as structs of `table`.
static bool read_query(Catalog *c, const char *query, const char *parameter, const char *value,
                       const Table *table, Arena *a, void **ret_rows, size_t *ret_n, Err *e) {
    Stmt *s = NULL;
    bool ok = stmt_query(catalog_db(c), query, &s, e) &&
              (parameter == NULL || stmt_bind_text(s, parameter, value, e)) &&
              rows_read(s, table, a, ret_rows, ret_n, e);
    stmt_free(s);
    return ok;
}

static bool read_current(Catalog *c, const char *query, const char *parameter, const char *value,
                         const Table *table, Arena *a, void **ret_rows, size_t *ret_n, Err *e) {
    if (!catalog_begin_read(c, e)) return false;
    bool ok = read_query(c, query, parameter, value, table, a, ret_rows, ret_n, e);
    db_rollback(catalog_db(c));
    return ok;
}

// ---------------------------------------------------------------- for an advice

bool catalog_offers_of(Catalog *c, const char *sku_id, Arena *a, Offer **ret_offers, size_t *ret_n, Err *e) {
    void *rows = NULL;
    if (!read_current(c, "offers_of", "sku_id", sku_id, &offer_current_table, a, &rows, ret_n, e))
        return false;
    *ret_offers = rows;
    return true;
}

bool catalog_published(Catalog *c, const char *model_id, Arena *a, Facts *facts, Err *e) {
    void *rows = NULL;
    const Table *table = &fact_tables[TABLE_MEASUREMENTS];
    if (!read_current(c, "measurements_of", "model", model_id, table, a, &rows, &facts->n_published, e))
        return false;
    facts->published = rows;
    return true;
}

bool catalog_measured(Catalog *c, Arena *a, Facts *facts, Err *e) {
    void *rows = NULL;
    if (!read_current(c, "measured", NULL, NULL, &measured_table, a, &rows, &facts->n_measured, e))
        return false;
    facts->measured = rows;
    return true;
}

bool catalog_api_prices(Catalog *c, Arena *a, Facts *facts, Err *e) {
    static const Part part = PART(Facts, &api_prices_table, api_prices);
    return load_parts(c, &part, 1, a, facts, e);
}

static bool read_facts(Catalog *c, Arena *a, Facts *facts, Err *e) {
    static const Part parts[] = {
        PART(Facts, &fact_tables[TABLE_GPUS], gpus),
        PART(Facts, &fact_tables[TABLE_MODELS], models),
        PART(Facts, &fact_tables[TABLE_TRAFFIC], traffic),
        PART(Facts, &fact_tables[TABLE_WORKLOADS], workloads),
        PART(Facts, &fact_tables[TABLE_ENGINES], engines),
        PART(Facts, &fact_tables[TABLE_ENGINE_LIMITS], engine_limits),
        PART(Facts, &fact_tables[TABLE_PRECISIONS], precisions),
        PART(Facts, &fact_tables[TABLE_EFFICIENCY], efficiency),
        PART(Facts, &fact_tables[TABLE_TASK_EFFICIENCY], task_efficiency),
        PART(Facts, &fact_tables[TABLE_HPC_CASES], hpc_cases),
        PART(Facts, &fact_tables[TABLE_CONSTANTS], constants),
        PART(Facts, &fact_tables[TABLE_SELLERS], sellers),
        PART(Facts, &fact_tables[TABLE_SELLER_CLASSES], seller_classes),
        PART(Facts, &fact_tables[TABLE_CHECKPOINTS], checkpoints),
        PART(Facts, &fact_tables[TABLE_PRICE_MOVES], price_moves),
    };
    static const Part offers = PART(Facts, &offer_current_table, offers);
    void *rows = NULL;
    size_t n = 0;
    if (!catalog_begin_read(c, e)) return false;
    bool ok = read_parts(c, parts, COUNT_OF(parts), a, facts, e) &&
              read_query(c, "offers_advice", NULL, NULL, offers.table, a, &rows, &n, e);
    db_rollback(catalog_db(c));
    if (ok) put_part(facts, &offers, rows, n);
    return ok;
}

bool catalog_facts(Catalog *c, Arena *a, Facts *ret_facts, Err *e) {
    static const Part small[] = {
        PART(Facts, &decision_table, assumptions),
        PART(Facts, &licences_table, licences),
        PART(Facts, &engine_precisions_table, engine_precisions),
        PART(Facts, &block_checkpoints_table, block_checkpoints),
        PART(Facts, &engine_loads_table, engine_loads),
        PART(Facts, &engine_defaults_table, engine_defaults),
        PART(Facts, &publishers_table, publishers),
        PART(Facts, &kernels_table, kernels),
        PART(Facts, &moe_times_table, moe_times),
    };
    Facts facts = {0};
    if (!load_parts(c, small, COUNT_OF(small), a, &facts, e) || !read_facts(c, a, &facts, e)) return false;
    Model *models = NULL;  // rows of the arena, which are ours until they are handed out
    void *fits = NULL, *times = NULL;
    memcpy(&models, &facts.models, sizeof models);
    memcpy(&fits, &facts.kernels, sizeof fits);
    memcpy(&times, &facts.moe_times, sizeof times);
    for (size_t i = 0; i < facts.n_models; i++) model_complete(&models[i]);
    kernels_complete(&facts, fits, facts.n_kernels, times, facts.n_moe_times);
    *ret_facts = facts;
    return true;
}

// ---------------------------------------------------------------- for a port

bool catalog_porting(Catalog *c, Arena *a, PortingFacts *ret_facts, Err *e) {
    static const Part files[] = {
        PART(PortingFacts, &cuda_names_table, names),
        PART(PortingFacts, &port_trees_table, trees),
        PART(PortingFacts, &port_findings_table, port_findings),
        PART(PortingFacts, &text_patterns_table, text_patterns),
        PART(PortingFacts, &cuda_patterns_table, cuda_patterns),
        PART(PortingFacts, &library_signs_table, library_signs),
    };
    static const Part parts[] = {
        PART(PortingFacts, &fact_tables[TABLE_CONSTRUCTS], rules),
        PART(PortingFacts, &fact_tables[TABLE_LIBRARIES], libraries),
        PART(PortingFacts, &fact_tables[TABLE_PACKAGES], packages),
        PART(PortingFacts, &fact_tables[TABLE_PORTS], ports),
        PART(PortingFacts, &fact_tables[TABLE_EFFORT_FACTORS], factors),
    };
    PortingFacts facts = {0};
    if (!load_parts(c, files, COUNT_OF(files), a, &facts, e) || !catalog_begin_read(c, e)) return false;
    bool ok = read_parts(c, parts, COUNT_OF(parts), a, &facts, e);
    db_rollback(catalog_db(c));
    if (ok) *ret_facts = facts;
    return ok;
}

bool catalog_stack(Catalog *c, Arena *a, StackFacts *ret_facts, Err *e) {
    static const Part files[] = {PART(StackFacts, &needs_table, needs),
                                 PART(StackFacts, &move_steps_table, steps)};
    StackFacts x = {0};
    void *claims = NULL;
    if (!load_parts(c, files, COUNT_OF(files), a, &x, e) ||
        !catalog_rows(c, TABLE_SUPPORT, a, &claims, &x.n_claims, e) || !catalog_porting(c, a, &x.porting, e))
        return false;
    x.claims = claims;
    *ret_facts = x;
    return true;
}

// ---------------------------------------------------------------- for prices, names and checks

bool catalog_sellers(Catalog *c, Arena *a, SellerFacts *ret_facts, Err *e) {
    const Table *const tables[] = {&instance_gpus_table, &seller_names_table, &gcp_machines_table,
                                   &user_names_table};
    const TableId cards[] = {TABLE_GPUS, TABLE_DEVICE_IDS};
    TableRows rows[COUNT_OF(tables)];
    uint64_t hash = DIGEST_START;
    Str text;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        if (!load_text(c, tables[i], a, &rows[i], &text, e)) return false;
        hash = digest_add(hash, text.data, text.length);
    }
    for (size_t i = 0; i < COUNT_OF(cards); i++) {
        text = catalog_table_text(c, cards[i]);
        hash = digest_add(hash, text.data, text.length);
    }
    if (!own_text(catalog_db(c), TABLE_GPUS, a, &text, e)) return false;
    hash = digest_add(hash, text.data, text.length);
    *ret_facts = (SellerFacts){rows[0].rows, rows[0].n,    rows[1].rows, rows[1].n, rows[2].rows,
                               rows[2].n,    rows[3].rows, rows[3].n,    hash};
    return true;
}

// Rows come by key; claims are told in the order that somebody wrote them down in.
static void claims_in_order(const TableRows *rows, Arena *a, const PublicClaim **ret_rows, size_t *ret_n) {
    const PublicClaim *by_key = rows->rows;
    size_t last = 0;
    for (size_t i = 0; i < rows->n; i++) last = rows->lines[i] > last ? rows->lines[i] : last;
    const PublicClaim **by_line = arena_alloc(a, last + 1, sizeof *by_line);
    for (size_t i = 0; i < rows->n; i++) by_line[rows->lines[i]] = &by_key[i];
    PublicClaim *claims = arena_alloc(a, rows->n + 1, sizeof *claims);
    for (size_t line = 0, n = 0; line <= last; line++) {
        if (by_line[line] != NULL) claims[n++] = *by_line[line];
    }
    *ret_rows = claims;
    *ret_n = rows->n;
}

bool catalog_claims(Catalog *c, Arena *a, const PublicClaim **ret_rows, size_t *ret_n, Err *e) {
    TableRows rows;
    if (!load_text(c, &claims_table, a, &rows, NULL, e)) return false;
    claims_in_order(&rows, a, ret_rows, ret_n);
    return true;
}

// A file of the user's own with columns of `table`.
static bool load_csv(const char *path, size_t limit, const Table *table, Arena *a, TableRows *ret_rows,
                     Err *e) {
    Str text;
    if (!file_read(a, path, limit, &text, e)) return false;
    return table_load_csv(table, text, a, ret_rows, e) || err_wrap(e, "read '%s'", path);
}

bool catalog_claims_file(const char *path, size_t limit, Arena *a, const PublicClaim **ret_rows,
                         size_t *ret_n, Err *e) {
    TableRows rows;
    if (!load_csv(path, limit, &claims_table, a, &rows, e)) return false;
    claims_in_order(&rows, a, ret_rows, ret_n);
    return true;
}

bool catalog_measurements_file(const char *path, size_t limit, Arena *a, const Measurement **ret_rows,
                               size_t *ret_n, Err *e) {
    TableRows rows;
    if (!load_csv(path, limit, &fact_tables[TABLE_MEASUREMENTS], a, &rows, e)) return false;
    // Who measured oneself need not say so.
    Measurement *m = rows.rows;
    for (size_t i = 0; i < rows.n; i++) {
        if (m[i].task[0] == '\0') m[i].task = "serving";
        if (m[i].grade[0] == '\0') m[i].grade = "A";
    }
    *ret_rows = m;
    *ret_n = rows.n;
    return true;
}

bool catalog_healthy(Catalog *c, Arena *a, const HealthyGpu **ret_rows, size_t *ret_n, Err *e) {
    TableRows rows;
    bool ok = load_text(c, &healthy_gpus_table, a, &rows, NULL, e);
    if (ok) *ret_rows = rows.rows, *ret_n = rows.n;
    return ok;
}

bool catalog_agentic_runs(Catalog *c, Arena *a, const AgenticRun **ret_rows, size_t *ret_n, Err *e) {
    TableRows rows;
    bool ok = load_text(c, &agentic_runs_table, a, &rows, NULL, e);
    if (ok) *ret_rows = rows.rows, *ret_n = rows.n;
    return ok;
}

bool catalog_kv_settings(Catalog *c, Arena *a, const KvSetting **ret_rows, size_t *ret_n, Err *e) {
    TableRows rows;
    bool ok = load_text(c, &kv_settings_table, a, &rows, NULL, e);
    if (ok) *ret_rows = rows.rows, *ret_n = rows.n;
    return ok;
}

bool catalog_names(Catalog *c, Arena *a, UserNames *ret_names, Err *e) {
    TableRows rows;
    if (!load_text(c, &user_names_table, a, &rows, NULL, e)) return false;
    *ret_names = (UserNames){rows.rows, rows.n};
    return true;
}

// ---------------------------------------------------------------- how old the facts are

enum { AGES_MAX = TABLE_COUNT + 1 };  // and the offers seen

static bool read_ages(Stmt *s, Arena *a, DataAge *ages, size_t *n, Err *e) {
    bool ok = true;
    while (stmt_next(s, &ok, e) && *n < AGES_MAX) {
        ages[(*n)++] = (DataAge){.table = arena_printf(a, "%s", stmt_text(s, 0)),
                                 .rows = (size_t)stmt_integer(s, 1),
                                 .newest = arena_printf(a, "%s", stmt_text(s, 2)),
                                 .oldest = arena_printf(a, "%s", stmt_text(s, 3))};
    }
    return ok;
}

bool catalog_ages(Catalog *c, bool history, Arena *a, const DataAge **ret_ages, size_t *ret_n, Err *e) {
    DataAge *ages = arena_alloc(a, AGES_MAX, sizeof *ages);
    const char *names[TABLE_COUNT];
    Stmt *facts = NULL, *seen = NULL;
    size_t n = 0;
    for (int i = 0; i < TABLE_COUNT; i++) names[i] = fact_tables[i].name;
    if (!catalog_begin_read(c, e)) return false;
    bool ok = stmt_ages(catalog_db(c), names, TABLE_COUNT, &facts, e) && read_ages(facts, a, ages, &n, e) &&
              stmt_query(catalog_db(c), history ? "ages_seen" : "ages_latest", &seen, e) &&
              read_ages(seen, a, ages, &n, e);
    stmt_free(facts);
    stmt_free(seen);
    db_rollback(catalog_db(c));
    if (!ok) return false;
    *ret_ages = ages;
    *ret_n = n;
    return true;
}
