// The catalog: the facts in the database kept equal to their files.
#include "catalog/facts/catalog.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "catalog/facts/load.h"
#include "catalog/facts/rows.h"
#include "catalog/facts/store.h"
#include "db/db.h"
#include "src/base/embedded.h"

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
    const EmbeddedFile *file = row_named(name, embedded_facts, n_embedded_facts, sizeof *file);
    if (file == NULL) return err_set(e, ERR_FAILED, "load '%s.tsv': not built in", name);
    *ret_text = (Str){file->data, file->length};
    return true;
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

bool catalog_text(Catalog *c, const char *name, Arena *a, Str *ret_text, Err *e) {
    return read_text(a, c->folder, name, ret_text, e);
}

Str catalog_table_text(const Catalog *c, TableId id) { return c->texts[id]; }

uint64_t digest_add(uint64_t hash, const char *bytes, size_t length) {
    unsigned char key[crypto_shorthash_KEYBYTES] = {0};
    memcpy(key, &hash, sizeof hash);
    crypto_shorthash((unsigned char *)&hash, (const unsigned char *)bytes, length, key);
    return hash;
}

static uint64_t digest_add_text(uint64_t hash, const char *text) {
    return digest_add(hash, text, strlen(text));
}

// What decides how a table is made and filled beside its text, which names its columns.
static uint64_t digest_add_table(uint64_t hash, const Table *t) {
    hash = digest_add_text(hash, t->name);
    for (size_t i = 0; i < t->n_fields; i++) {
        const Field *f = &t->fields[i];
        const char shape[] = {(char)('a' + f->kind), f->key ? 'k' : '-', f->required ? 'r' : '-', '\0'};
        hash = digest_add_text(digest_add_text(hash, field_column(f)), shape);
    }
    return hash;
}

static void set_digest(Catalog *c) {
    char format[60];
    snprintf(format, sizeof format, "facts %d, schema %" PRId64, FACTS_FORMAT, db_version_known());
    uint64_t hash = digest_add_text(digest_add_text(DIGEST_START, format), db_facts_schema());
    for (int i = 0; i < TABLE_COUNT; i++) {
        hash = digest_add_table(hash, &fact_tables[i]);
        hash = digest_add(hash, c->texts[i].data, c->texts[i].length);
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
    if (!rows_make_tables(c->db, e)) return false;
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

bool catalog_begin_read(Catalog *c, Err *e) {
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
    return in_memory(c, path, "no space left", a, ret_warning, e) && catalog_begin_read(c, e);
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
        ok = open_database(c, options->db_path, a, &warning, e) && catalog_begin_read(c, e);
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
