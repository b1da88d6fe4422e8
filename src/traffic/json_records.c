// Requests as JSON objects, one after the other: members by their path, texts passed over.
#include <string.h>

#include "src/traffic/parts.h"
#include "src/traffic/reader.h"
#include "src/base/hash.h"

enum { PATH_MAX_BYTES = 200, LEVELS_MAX = 8, BLOCKS_OF_RECORD_MAX = 1 << 20 };

typedef struct Path {
    char text[PATH_MAX_BYTES];
    size_t length;
} Path;

// "usage" and "prompt_tokens" make "usage.prompt_tokens". False: too long for any that is asked for.
static bool path_add(Path *p, Str key) {
    bool dot = p->length > 0;
    if (p->length + dot + key.length >= PATH_MAX_BYTES) return false;
    if (dot) p->text[p->length++] = '.';
    memcpy(p->text + p->length, key.data, key.length);
    p->length += key.length;
    return true;
}

// What is done with each member that is no object: false ends the walk.
typedef struct Walk {
    bool (*member)(void *user, Str path, JsonKind kind, JsonPull *p, Err *e);
    bool (*wanted)(void *user, Str path);  // is anything below it asked for?
    void *user;
} Walk;

static bool walk_object(const Walk *w, JsonPull *p, Path path, int level, Err *e);

// OTLP writes attributes as a list of {"key": K, "value": {"intValue": V}}.
static bool walk_attributes(const Walk *w, JsonPull *p, const Path *path, Err *e) {
    for (pull_enter(p); pull_element(p);) {
        Str name = {"", 0}, key, value = {"", 0};
        JsonPull value_at = *p;
        if (pull_kind(p) != JSON_OBJECT) {
            if (!pull_skip(p)) return false;
            continue;
        }
        for (pull_enter(p); pull_key(p, &key);) {
            if (str_is(key, "key") && pull_kind(p) == JSON_TEXT) {
                pull_scalar(p, &name);
            } else if (str_is(key, "value") && pull_kind(p) == JSON_OBJECT) {
                for (pull_enter(p); pull_key(p, &value);) {
                    value_at = *p;
                    if (!pull_skip(p)) return false;
                }
            } else if (!pull_skip(p)) {
                return false;
            }
        }
        Path inner = *path;
        JsonKind kind = pull_kind(&value_at);
        if (name.length == 0 || value.length == 0 || kind == JSON_OBJECT || kind == JSON_ARRAY) continue;
        if (path_add(&inner, name) &&
            !w->member(w->user, (Str){inner.text, inner.length}, kind, &value_at, e))
            return false;
    }
    return !p->bad;
}

static bool walk_member(const Walk *w, JsonPull *p, const Path *path, int level, Err *e) {
    JsonKind kind = pull_kind(p);
    Str text = {path->text, path->length};
    if (kind == JSON_OBJECT)
        return level < LEVELS_MAX && w->wanted(w->user, text) ? walk_object(w, p, *path, level + 1, e)
                                                              : pull_skip(p);
    if (kind == JSON_ARRAY && str_is(text, "attributes")) return walk_attributes(w, p, path, e);
    return w->member(w->user, text, kind, p, e);
}

static bool walk_object(const Walk *w, JsonPull *p, Path path, int level, Err *e) {
    Str key;
    size_t length = path.length;
    for (pull_enter(p); pull_key(p, &key); path.length = length) {
        bool fits = path_add(&path, key);
        if (!(fits ? walk_member(w, p, &path, level, e) : pull_skip(p))) return false;
    }
    return !p->bad;
}

// ---------------------------------------------------------------- the first record: which members there are

typedef struct Seen {
    const ColumnMap *map;
    Arena *arena;
    Str names[COLUMNS_MAX];
    size_t n;
    bool time_is_text;
} Seen;

static bool any(void *user, Str path) {
    (void)user;
    (void)path;
    return true;
}

static bool see_member(void *user, Str path, JsonKind kind, JsonPull *p, Err *e) {
    Seen *s = user;
    Str raw;
    Decimal ignored;
    (void)e;
    if (s->n < COLUMNS_MAX)
        s->names[s->n++] = (Str){arena_copy(s->arena, path.data, path.length), path.length};
    if (kind != JSON_TEXT || !column_is_time(s->map, path)) return pull_skip(p);
    if (!pull_scalar(p, &raw)) return false;
    s->time_is_text = !decimal_read(raw, &ignored);
    return true;
}

static bool find_columns(JsonReader *r, Str text, Err *e) {
    JsonPull p;
    Seen *seen = arena_alloc(r->arena, 1, sizeof *seen);
    seen->map = r->map;
    seen->arena = r->arena;
    Walk w = {see_member, any, seen};
    pull_open(&p, text);
    if (pull_kind(&p) != JSON_OBJECT || !walk_object(&w, &p, (Path){.length = 0}, 0, e))
        return err_set(e, ERR_FAILED, "no JSON object");
    for (size_t i = 0; i < seen->n; i++) {
        Str n = seen->names[i];
        if (str_is(n, "conversations") || str_is(n, "text_input") || str_is(n, "messages") ||
            str_is(n, "prompt"))
            r->texts_only = true;
    }
    if (!columns_find(r->map, seen->names, seen->n, seen->time_is_text, &r->columns, e)) {
        if (r->texts_only)
            err_set(
                e, ERR_USAGE,
                "it holds texts without counts of tokens: those depend on the model's tokenizer, so count "
                "them with it first");
        return false;
    }
    r->known = true;
    r->format = r->columns.name;
    traffic_scan_block(r->scan, r->columns.block_tokens);
    if (r->columns.unit == TIME_IN_ISO || r->columns.calendar) traffic_scan_calendar(r->scan);
    return true;
}

// ---------------------------------------------------------------- every record

typedef struct Taking {
    JsonReader *reader;
    Cells cells;
} Taking;

static bool leads_to_role(void *user, Str path) {
    const Columns *c = &((Taking *)user)->reader->columns;
    for (int role = 0; role < ROLE_COUNT; role++) {
        Str wanted = c->path[role];
        if (wanted.length > path.length && wanted.data[path.length] == '.' &&
            memcmp(wanted.data, path.data, path.length) == 0)
            return true;
    }
    return false;
}

// Hashes of blocks: numbers, or texts where they are hexadecimal.
static bool take_blocks(Taking *t, JsonPull *p, Err *e) {
    JsonReader *r = t->reader;
    r->n_blocks = 0;
    for (pull_enter(p); pull_element(p);) {
        Str raw;
        Decimal d;
        int64_t id = 0;
        if (!pull_scalar(p, &raw)) return false;
        if (r->n_blocks == BLOCKS_OF_RECORD_MAX)
            return err_set(e, ERR_FAILED, "over %d blocks", BLOCKS_OF_RECORD_MAX);
        bool number = decimal_read(raw, &d) && decimal_scaled(&d, 0, &id);
        r->blocks = arena_grow(r->arena, r->blocks, r->n_blocks, &r->blocks_capacity, sizeof *r->blocks);
        r->blocks[r->n_blocks++] = number ? (uint64_t)id : hash_fnv1a(raw);
    }
    t->cells.blocks = r->blocks;
    t->cells.n_blocks = r->n_blocks;
    return !p->bad;
}

static bool take_member(void *user, Str path, JsonKind kind, JsonPull *p, Err *e) {
    Taking *t = user;
    const Columns *c = &t->reader->columns;
    for (int role = 0; role < ROLE_COUNT; role++) {
        Str wanted = c->path[role];
        if (wanted.length == 0 || wanted.length != path.length ||
            memcmp(wanted.data, path.data, path.length) != 0)
            continue;
        if (role == ROLE_BLOCKS) return kind == JSON_ARRAY ? take_blocks(t, p, e) : pull_skip(p);
        return kind == JSON_ARRAY ? pull_skip(p) : pull_scalar(p, &t->cells.text[role]);
    }
    return pull_skip(p);
}

bool json_record(JsonReader *r, Str text, Err *e) {
    JsonPull p;
    Taking t = {.reader = r};
    Walk w = {take_member, leads_to_role, &t};
    if (!r->known && !find_columns(r, text, e)) return false;
    pull_open(&p, text);
    if (pull_kind(&p) != JSON_OBJECT) return err_set(e, ERR_FAILED, "no JSON object");
    if (!walk_object(&w, &p, (Path){.length = 0}, 0, e) || p.bad)
        return p.bad ? err_set(e, ERR_FAILED, "bad JSON") : false;
    // of spans only those of calls to a model have counts
    if (strncmp(r->columns.name, "OpenTelemetry", 13) == 0 && t.cells.text[ROLE_INPUT].length == 0)
        return true;
    return record_take(&r->columns, &t.cells, &r->memo, r->scan, e);
}
