// The catalog: facts kept equal to their files, everything read back for an answer.
#include "catalog/facts/catalog.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "catalog/facts/load.h"
#include "catalog/facts/names.h"
#include "catalog/facts/rows.h"
#include "catalog/facts/store.h"
#include "db/db.h"
#include "src/base/embedded.h"
#include "src/perf/perf.h"

enum {
    FACTS_FORMAT = 1,  // raise when loading stores the same files differently
    FACTS_FILE_BYTES_MAX = 64 * 1024 * 1024,
    RELOADS_MAX = 5
};

struct Catalog {
    Arena arena;  // holds this struct
    Db *db;
    const char *db_path, *origin;
    const char *unkept;  // why nothing can be kept; "" where it can
    const char *folder;  // of the facts; NULL: built in
    Str texts[TABLE_COUNT];
    char digest[17];  // of the texts
};

// ---------------------------------------------------------------- where facts come from

static bool embedded_text(const char *name, Str *ret_text, Err *e) {
    for (size_t i = 0; i < n_embedded_facts; i++) {
        if (strcmp(embedded_facts[i].name, name) != 0) continue;
        *ret_text = (Str){embedded_facts[i].data, embedded_facts[i].length};
        return true;
    }
    return err_set(e, ERR_FAILED, "load '%s.tsv': not built in", name);
}

static bool read_text(Arena *a, const char *folder, const char *name, Str *ret_text, Err *e) {
    if (folder == NULL) return embedded_text(name, ret_text, e);
    const char *path = arena_printf(a, "%s/%s.tsv", folder, name);
    return file_read(a, path, FACTS_FILE_BYTES_MAX, ret_text, e) || err_wrap(e, "load '%s.tsv'", name);
}

static bool read_texts(Catalog *c, Err *e) {
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (!read_text(&c->arena, c->folder, fact_tables[i].name, &c->texts[i], e)) return false;
    }
    return true;
}

// FNV-1a over words of eight bytes; the fold carries high bits down, which multiplication alone does not.
static uint64_t hash_add(uint64_t hash, const char *bytes, size_t length) {
    const uint64_t prime = 0x100000001b3;
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, length - i < 8 ? length - i : 8);
        hash = (hash ^ word) * prime;
        hash ^= hash >> 32;
    }
    return (hash ^ length) * prime;
}

static void set_digest(Catalog *c) {
    uint64_t hash = 0xcbf29ce484222325;
    char format[60];
    snprintf(format, sizeof format, "facts %d, schema %" PRId64, FACTS_FORMAT, db_version_known());
    hash = hash_add(hash, format, strlen(format));
    for (int i = 0; i < TABLE_COUNT; i++) {
        hash = hash_add(hash, fact_tables[i].name, strlen(fact_tables[i].name));
        hash = hash_add(hash, c->texts[i].data, c->texts[i].length);
    }
    snprintf(c->digest, sizeof c->digest, "%016" PRIx64, hash);
}

// ---------------------------------------------------------------- facts into the database

static bool is_current(Catalog *c, bool *ret_current, Err *e) {
    Arena a = {0};
    const char *stored = "";
    bool ok = db_meta_get(c->db, &a, "facts_digest", &stored, e);
    if (ok) *ret_current = strcmp(stored, c->digest) == 0;
    arena_free(&a);
    return ok;
}

bool catalog_settle(Db *db, const char *feed, Err *e) {
    static const char *const queries[] = {"settle_seen", "settle_shipped"};
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        Stmt *s = NULL;
        bool row = false;
        bool ok =
            stmt_query(db, queries[i], &s, e) && stmt_bind_text(s, "feed", feed, e) && stmt_step(s, &row, e);
        stmt_free(s);
        if (!ok) return false;
    }
    return true;
}

// Replaces all facts; inside a transaction.
static bool store(Catalog *c, const TableRows *tables, Err *e) {
    // References point backwards: what refers goes first and comes last.
    for (int i = TABLE_COUNT - 1; i >= 0; i--) {
        if (!db_clear_facts(c->db, fact_tables[i].name, e)) return false;
    }
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (!rows_insert(c->db, &fact_tables[i], tables[i].rows, tables[i].n, e)) return false;
    }
    return db_run(c->db, "settle_offers", e) && catalog_settle(c->db, NULL, e) &&
           db_meta_set(c->db, "facts_digest", c->digest, e);
}

bool catalog_rebuild(Catalog *c, OwnStep *step, void *what, Err *e) {
    Arena a = {0};
    TableRows tables[TABLE_COUNT];
    bool ok = false;
    bool current = false;
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (!table_load(&fact_tables[i], c->texts[i], &a, &tables[i], e)) goto out;
    }
    if (!tables_check_references(tables, e) || !tables_check_constants(tables, e) ||
        !tables_check_price_moves(tables, e) || !tables_check_traffic(tables, e))
        goto out;
    if (!db_begin(c->db, e)) goto out;
    // Another process may have loaded the same meanwhile.
    ok = step != NULL || is_current(c, &current, e);
    if (ok && !current)
        ok = (step != NULL ? step(c->db, what, tables, &a, e) : own_merge(c->db, tables, &a, e)) &&
             store(c, tables, e);
    ok = ok && db_commit(c->db, e);
    if (!ok) db_rollback(c->db);
out:
    arena_free(&a);
    return ok;
}

// Begins a read transaction in which the facts are those of this catalog; ended by db_rollback.
static bool begin_current(Catalog *c, Err *e) {
    for (int i = 0; i < RELOADS_MAX; i++) {
        bool current = false;
        if (!db_begin_read(c->db, e)) return false;
        if (!is_current(c, &current, e)) {
            db_rollback(c->db);
            return false;
        }
        if (current) return true;
        db_rollback(c->db);
        if (!catalog_rebuild(c, NULL, NULL, e)) return false;
    }
    return err_set(e, ERR_FAILED, "load facts: another process keeps loading others into the same database");
}

// ---------------------------------------------------------------- open and close

// What the database at `path` holds goes on in a copy, `why` nothing can be kept there.
static bool in_memory(Catalog *c, const char *path, const char *why, Arena *a, const char **ret_warning,
                      Err *e) {
    c->db_path = "";
    c->unkept = arena_printf(&c->arena, "database '%s' cannot be kept: %s", path, why);
    *ret_warning = arena_printf(
        a, "database '%s' cannot be kept (%s): working in memory, nothing will be remembered", path, why);
    return db_open_copy(path, &c->db, e);
}

static bool open_database(Catalog *c, const char *path, Arena *a, const char **ret_warning, Err *e) {
    Err why;
    c->db_path = "";
    c->unkept = "no place for a database is set: --db, XDG_DATA_HOME or HOME";
    if (path == NULL) return db_open(NULL, &c->db, e);
    if (db_writable(path, &why)) {
        c->db_path = arena_copy(&c->arena, path, strlen(path));
        c->unkept = "";
        return db_open(path, &c->db, e);
    }
    return in_memory(c, path, why.text, a, ret_warning, e);
}

// The facts find no room where the database lies: what it holds goes on in memory.
static bool go_on_in_memory(Catalog *c, const char *path, Arena *a, const char **ret_warning, Err *e) {
    db_close(c->db);
    c->db = NULL;
    return in_memory(c, path, "no space left", a, ret_warning, e) && begin_current(c, e);
}

bool catalog_open(const CatalogOptions *options, Arena *a, Catalog **ret_catalog, const char **ret_warning,
                  Err *e) {
    Arena own = {0};
    Catalog *c = arena_alloc(&own, 1, sizeof *c);
    c->arena = own;
    const char *warning = "";
    const char *folder = options->data_dir;
    c->folder = folder == NULL ? NULL : arena_copy(&c->arena, folder, strlen(folder));
    c->origin = folder == NULL ? "built in" : c->folder;
    bool ok = read_texts(c, e);
    if (ok) {
        set_digest(c);
        ok = open_database(c, options->db_path, a, &warning, e) && begin_current(c, e);
        if (!ok && e->kind == ERR_FULL && options->db_path != NULL)
            ok = go_on_in_memory(c, options->db_path, a, &warning, e);
    }
    if (!ok) {
        catalog_close(c);
        return false;
    }
    db_rollback(c->db);
    *ret_catalog = c;
    *ret_warning = warning;
    return true;
}

void catalog_close(Catalog *c) {
    if (c == NULL) return;
    db_close(c->db);
    Arena a = c->arena;
    arena_free(&a);
}

Db *catalog_db(Catalog *c) { return c->db; }

const char *catalog_db_path(const Catalog *c) { return c->db_path; }

bool catalog_keep(Catalog *c, Err *e) {
    if (c->unkept[0] != '\0') return err_set(e, ERR_DATABASE, "nothing would be kept: %s", c->unkept);
    return db_durable(c->db, e);
}

const char *catalog_digest(const Catalog *c) { return c->digest; }

bool catalog_check(Catalog *c, Err *e) { return db_check(c->db, e); }

const char *catalog_data_origin(const Catalog *c) { return c->origin; }

// ---------------------------------------------------------------- reading

static bool read_query(Catalog *c, const char *query, TableId id, Arena *a, void **ret_rows, size_t *ret_n,
                       Err *e) {
    Stmt *s = NULL;
    const Table *table = id == TABLE_OFFERS ? &offer_current_table : &fact_tables[id];
    bool ok = stmt_query(c->db, query, &s, e) && rows_read(s, table, a, ret_rows, ret_n, e);
    stmt_free(s);
    return ok;
}

static bool read_table(Catalog *c, TableId id, Arena *a, void **ret_rows, size_t *ret_n, Err *e) {
    return read_query(c, fact_tables[id].name, id, a, ret_rows, ret_n, e);
}

bool catalog_rows(Catalog *c, TableId id, Arena *a, void **ret_rows, size_t *ret_n, Err *e) {
    if (!begin_current(c, e)) return false;
    bool ok = read_table(c, id, a, ret_rows, ret_n, e);
    db_rollback(c->db);
    return ok;
}

bool catalog_offers_of(Catalog *c, const char *sku_id, Arena *a, Offer **ret_offers, size_t *ret_n, Err *e) {
    Stmt *s = NULL;
    void *rows = NULL;
    if (!begin_current(c, e)) return false;
    bool ok = stmt_query(c->db, "offers_of", &s, e) && stmt_bind_text(s, "sku_id", sku_id, e) &&
              rows_read(s, &offer_current_table, a, &rows, ret_n, e);
    stmt_free(s);
    db_rollback(c->db);
    if (ok) *ret_offers = rows;
    return ok;
}

// A table that is kept out of the database, and its text (NULL: not wanted).
static bool load_text(Catalog *c, const Table *table, Arena *a, TableRows *ret_rows, Str *ret_text, Err *e) {
    Str text;
    if (!read_text(a, c->folder, table->name, &text, e) || !table_load(table, text, a, ret_rows, e))
        return false;
    if (ret_text != NULL) *ret_text = text;
    return true;
}

bool catalog_published(Catalog *c, const char *model_id, Arena *a, Facts *facts, Err *e) {
    Stmt *s = NULL;
    void *rows = NULL;
    if (!begin_current(c, e)) return false;
    bool ok = stmt_query(c->db, "measurements_of", &s, e) && stmt_bind_text(s, "model", model_id, e) &&
              rows_read(s, &fact_tables[TABLE_MEASUREMENTS], a, &rows, &facts->n_published, e);
    stmt_free(s);
    db_rollback(c->db);
    if (ok) facts->published = rows;
    return ok;
}

bool catalog_measured(Catalog *c, Arena *a, Facts *facts, Err *e) {
    Stmt *s = NULL;
    void *rows = NULL;
    if (!begin_current(c, e)) return false;
    bool ok = stmt_query(c->db, "measured", &s, e) &&
              rows_read(s, &measured_table, a, &rows, &facts->n_measured, e);
    stmt_free(s);
    db_rollback(c->db);
    if (ok) facts->measured = rows;
    return ok;
}

// The tables that are kept out of the database.
static bool read_small(Catalog *c, Arena *a, Facts *facts, Err *e) {
    const struct {
        const Table *table;
        size_t rows, n;  // where in Facts
    } parts[] = {
        {&decision_table, offsetof(Facts, assumptions), offsetof(Facts, n_assumptions)},
        {&licences_table, offsetof(Facts, licences), offsetof(Facts, n_licences)},
        {&engine_precisions_table, offsetof(Facts, engine_precisions), offsetof(Facts, n_engine_precisions)},
        {&block_checkpoints_table, offsetof(Facts, block_checkpoints), offsetof(Facts, n_block_checkpoints)},
        {&engine_loads_table, offsetof(Facts, engine_loads), offsetof(Facts, n_engine_loads)},
        {&engine_defaults_table, offsetof(Facts, engine_defaults), offsetof(Facts, n_engine_defaults)},
        {&publishers_table, offsetof(Facts, publishers), offsetof(Facts, n_publishers)},
        {&kernels_table, offsetof(Facts, kernels), offsetof(Facts, n_kernels)},
        {&moe_times_table, offsetof(Facts, moe_times), offsetof(Facts, n_moe_times)},
    };
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        TableRows read;
        if (!load_text(c, parts[i].table, a, &read, NULL, e)) return false;
        memcpy((char *)facts + parts[i].rows, &read.rows, sizeof read.rows);
        memcpy((char *)facts + parts[i].n, &read.n, sizeof read.n);
    }
    return true;
}

bool catalog_facts(Catalog *c, Arena *a, Facts *ret_facts, Err *e) {
    static const struct {
        TableId table;
        size_t rows, n;  // where in Facts
    } parts[] = {
        {TABLE_GPUS, offsetof(Facts, gpus), offsetof(Facts, n_gpus)},
        {TABLE_MODELS, offsetof(Facts, models), offsetof(Facts, n_models)},
        {TABLE_TRAFFIC, offsetof(Facts, traffic), offsetof(Facts, n_traffic)},
        {TABLE_WORKLOADS, offsetof(Facts, workloads), offsetof(Facts, n_workloads)},
        {TABLE_OFFERS, offsetof(Facts, offers), offsetof(Facts, n_offers)},
        {TABLE_ENGINES, offsetof(Facts, engines), offsetof(Facts, n_engines)},
        {TABLE_ENGINE_LIMITS, offsetof(Facts, engine_limits), offsetof(Facts, n_engine_limits)},
        {TABLE_PRECISIONS, offsetof(Facts, precisions), offsetof(Facts, n_precisions)},
        {TABLE_EFFICIENCY, offsetof(Facts, efficiency), offsetof(Facts, n_efficiency)},
        {TABLE_TASK_EFFICIENCY, offsetof(Facts, task_efficiency), offsetof(Facts, n_task_efficiency)},
        {TABLE_HPC_CASES, offsetof(Facts, hpc_cases), offsetof(Facts, n_hpc_cases)},
        {TABLE_CONSTANTS, offsetof(Facts, constants), offsetof(Facts, n_constants)},
        {TABLE_SELLERS, offsetof(Facts, sellers), offsetof(Facts, n_sellers)},
        {TABLE_SELLER_CLASSES, offsetof(Facts, seller_classes), offsetof(Facts, n_seller_classes)},
        {TABLE_CHECKPOINTS, offsetof(Facts, checkpoints), offsetof(Facts, n_checkpoints)},
        {TABLE_PRICE_MOVES, offsetof(Facts, price_moves), offsetof(Facts, n_price_moves)},
    };
    Facts facts = {0};
    if (!read_small(c, a, &facts, e) || !begin_current(c, e)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < COUNT_OF(parts); i++) {
        void *rows = NULL;
        size_t n = 0;
        const char *query =
            parts[i].table == TABLE_OFFERS ? "offers_advice" : fact_tables[parts[i].table].name;
        ok = read_query(c, query, parts[i].table, a, &rows, &n, e);
        for (size_t k = 0; parts[i].table == TABLE_MODELS && k < n; k++) model_complete((Model *)rows + k);
        memcpy((char *)&facts + parts[i].rows, &rows, sizeof rows);
        memcpy((char *)&facts + parts[i].n, &n, sizeof n);
    }
    db_rollback(c->db);
    void *fits = NULL, *times = NULL;  // rows of the arena, which are ours until they are handed out
    memcpy(&fits, &facts.kernels, sizeof fits);
    memcpy(&times, &facts.moe_times, sizeof times);
    kernels_complete(&facts, fits, facts.n_kernels, times, facts.n_moe_times);
    if (ok) *ret_facts = facts;
    return ok;
}

bool catalog_porting(Catalog *c, Arena *a, PortingFacts *ret_facts, Err *e) {
    static const struct {
        TableId table;
        size_t rows, n;  // where in PortingFacts
    } parts[] = {
        {TABLE_CONSTRUCTS, offsetof(PortingFacts, rules), offsetof(PortingFacts, n_rules)},
        {TABLE_LIBRARIES, offsetof(PortingFacts, libraries), offsetof(PortingFacts, n_libraries)},
        {TABLE_PACKAGES, offsetof(PortingFacts, packages), offsetof(PortingFacts, n_packages)},
        {TABLE_PORTS, offsetof(PortingFacts, ports), offsetof(PortingFacts, n_ports)},
        {TABLE_EFFORT_FACTORS, offsetof(PortingFacts, factors), offsetof(PortingFacts, n_factors)},
    };
    PortingFacts facts = {0};
    TableRows names, trees, findings;
    if (!load_text(c, &cuda_names_table, a, &names, NULL, e) ||
        !load_text(c, &port_trees_table, a, &trees, NULL, e) ||
        !load_text(c, &port_findings_table, a, &findings, NULL, e))
        return false;
    facts.names = names.rows;
    facts.n_names = names.n;
    facts.trees = trees.rows;
    facts.n_trees = trees.n;
    facts.port_findings = findings.rows;
    facts.n_port_findings = findings.n;
    if (!begin_current(c, e)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < COUNT_OF(parts); i++) {
        void *rows = NULL;
        size_t n = 0;
        ok = read_table(c, parts[i].table, a, &rows, &n, e);
        memcpy((char *)&facts + parts[i].rows, &rows, sizeof rows);
        memcpy((char *)&facts + parts[i].n, &n, sizeof n);
    }
    db_rollback(c->db);
    if (ok) *ret_facts = facts;
    return ok;
}

bool catalog_stack(Catalog *c, Arena *a, StackFacts *ret_facts, Err *e) {
    StackFacts x = {0};
    TableRows needs, steps;
    void *claims = NULL;
    bool ok = load_text(c, &needs_table, a, &needs, NULL, e) &&
              load_text(c, &move_steps_table, a, &steps, NULL, e) &&
              catalog_rows(c, TABLE_SUPPORT, a, &claims, &x.n_claims, e) &&
              catalog_porting(c, a, &x.porting, e);
    if (!ok) return false;
    x.claims = claims;
    x.needs = needs.rows, x.n_needs = needs.n;
    x.steps = steps.rows, x.n_steps = steps.n;
    *ret_facts = x;
    return true;
}

bool catalog_sellers(Catalog *c, Arena *a, SellerFacts *ret_facts, Err *e) {
    const Table *const tables[] = {&instance_gpus_table, &seller_names_table, &gcp_machines_table,
                                   &user_names_table};
    const TableId cards[] = {TABLE_GPUS, TABLE_DEVICE_IDS};
    TableRows rows[COUNT_OF(tables)];
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        Str text;
        if (!load_text(c, tables[i], a, &rows[i], &text, e)) return false;
        hash = hash_add(hash, text.data, text.length);
    }
    for (size_t i = 0; i < COUNT_OF(cards); i++)
        hash = hash_add(hash, c->texts[cards[i]].data, c->texts[cards[i]].length);
    Str own;
    if (!own_text(c->db, TABLE_GPUS, a, &own, e)) return false;
    hash = hash_add(hash, own.data, own.length);
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
    Str text;
    TableRows rows;
    if (!read_text(a, c->folder, claims_table.name, &text, e) ||
        !table_load(&claims_table, text, a, &rows, e))
        return false;
    claims_in_order(&rows, a, ret_rows, ret_n);
    return true;
}

bool catalog_claims_file(const char *path, size_t limit, Arena *a, const PublicClaim **ret_rows,
                         size_t *ret_n, Err *e) {
    Str text;
    TableRows rows;
    if (!file_read(a, path, limit, &text, e)) return false;
    if (!table_load_csv(&claims_table, text, a, &rows, e)) return err_wrap(e, "read '%s'", path);
    claims_in_order(&rows, a, ret_rows, ret_n);
    return true;
}

bool catalog_names(Catalog *c, Arena *a, UserNames *ret_names, Err *e) {
    TableRows rows;
    if (!load_text(c, &user_names_table, a, &rows, NULL, e)) return false;
    *ret_names = (UserNames){rows.rows, rows.n};
    return true;
}

bool catalog_healthy(Catalog *c, Arena *a, const HealthyGpu **ret_rows, size_t *ret_n, Err *e) {
    TableRows rows;
    if (!load_text(c, &healthy_gpus_table, a, &rows, NULL, e)) return false;
    *ret_rows = rows.rows;
    *ret_n = rows.n;
    return true;
}

bool catalog_agentic_runs(Catalog *c, Arena *a, const AgenticRun **ret_rows, size_t *ret_n, Err *e) {
    TableRows rows;
    if (!load_text(c, &agentic_runs_table, a, &rows, NULL, e)) return false;
    *ret_rows = rows.rows;
    *ret_n = rows.n;
    return true;
}

bool catalog_kv_settings(Catalog *c, Arena *a, const KvSetting **ret_rows, size_t *ret_n, Err *e) {
    TableRows rows;
    if (!load_text(c, &kv_settings_table, a, &rows, NULL, e)) return false;
    *ret_rows = rows.rows;
    *ret_n = rows.n;
    return true;
}

bool catalog_api_prices(Catalog *c, Arena *a, Facts *facts, Err *e) {
    TableRows rows;
    if (!load_text(c, &api_prices_table, a, &rows, NULL, e)) return false;
    facts->api_prices = rows.rows;
    facts->n_api_prices = rows.n;
    return true;
}

enum { AGES_MAX = TABLE_COUNT + 1 };  // and the offers seen

static bool read_ages(Catalog *c, const char *query, Arena *a, DataAge *ages, size_t *n, Err *e) {
    Stmt *s = NULL;
    bool row = false;
    bool ok = stmt_query(c->db, query, &s, e);
    while (ok && (ok = stmt_step(s, &row, e)) && row && *n < AGES_MAX) {
        DataAge *age = &ages[(*n)++];
        age->table = arena_printf(a, "%s", stmt_text(s, 0));
        age->rows = (size_t)stmt_integer(s, 1);
        age->newest = arena_printf(a, "%s", stmt_text(s, 2));
        age->oldest = arena_printf(a, "%s", stmt_text(s, 3));
    }
    stmt_free(s);
    return ok;
}

bool catalog_ages(Catalog *c, bool history, Arena *a, const DataAge **ret_ages, size_t *ret_n, Err *e) {
    DataAge *ages = arena_alloc(a, AGES_MAX, sizeof *ages);
    size_t n = 0;
    if (!begin_current(c, e)) return false;
    bool ok = read_ages(c, "ages", a, ages, &n, e) &&
              read_ages(c, history ? "ages_seen" : "ages_latest", a, ages, &n, e);
    db_rollback(c->db);
    if (!ok) return false;
    *ret_ages = ages;
    *ret_n = n;
    return true;
}

bool catalog_measurements_file(const char *path, size_t limit, Arena *a, const Measurement **ret_rows,
                               size_t *ret_n, Err *e) {
    Str text;
    TableRows rows;
    if (!file_read(a, path, limit, &text, e)) return false;
    if (!table_load_csv(&fact_tables[TABLE_MEASUREMENTS], text, a, &rows, e))
        return err_wrap(e, "read '%s'", path);
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
