// The answer of migrate scan as JSON, SARIF 2.1.0, CSV and Markdown; and what changed since an earlier one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/migrate_scan.h"

enum { BASELINE_BYTES_MAX = 256 << 20, BASELINE_VALUES_MAX = 20 * 1000 * 1000 };

const char *const scan_limits[] = {
    "code that templates and macros expand to: only the text as written was read",
    "what functions of other libraries do inside, and whether results stay right or fast: nothing was "
    "compiled or run",
    NULL,
};

const char *scan_subject(Arena *a, const ScanFinding *f) {
    const char *word = text_clean(a, f->word);
    if (f->name == NULL) return word;
    return f->name->hip_name[0] == '\0' ? word : arena_printf(a, "%s -> %s", word, f->name->hip_name);
}

// ---------------------------------------------------------------- JSON

static const char *clean(App *app, const char *text) { return text_clean(&app->arena, text); }

static Json *finding_json(const ScanAnswer *x, const ScanFinding *f) {
    const PortRule *r = &x->facts.rules[f->rule];
    const ScanFile *file = &x->result.files[f->file];
    Json *o = json_object();
    json_add_path(o, "file", file->path);
    json_add(o, J_INTEGER("line", f->line), J_INTEGER("column", f->column), J_TEXT("rule", r->rule),
             J_TEXT("class", port_class_names[r->port_class]), J_TEXT("name", f->word),
             J_TEXT("what", r->what), J_TEXT("why", r->why), J_TEXT("fix", r->fix));
    const char *line = scan_line(x, f);
    json_add(o, J_TEXT_OR_NULL("line_fix", line == NULL ? "" : line),
             J_TEXT("amd", f->name != NULL && f->name->hip_name[0] != '\0' ? f->name->hip_name : r->amd),
             J_TEXT_OR_NULL("since", f->name != NULL && f->name->hip_since[0] != '\0' ? f->name->hip_since
                                                                                      : r->rocm_since),
             J_BOOL("in_string", f->in_string), J_BOOL("device", f->device),
             J_TEXT("effect", port_effect_names[r->effect]), J_NUMBER("effort_min", scan_minutes(r)));
    bool declared = f->declared_line > 0;
    json_add_path(o, "declared_file", declared ? x->result.files[f->declared_file].path : "");
    json_add(o, J_NUMBER("declared_line", declared ? (double)f->declared_line : (double)NAN),
             J_TEXT("origin", origin_names[file->origin]), J_BOOL("in_tests", file->tests != 0),
             J_TEXT("source", f->name != NULL ? f->name->source : r->source));
    return o;
}

static Json *dependency_json(const ScanAnswer *x, const ScanDependency *d) {
    Json *o = json_object();
    const Package *p = d->package;
    const Library *l = d->library;
    json_add(o, J_TEXT("name", d->name), J_TEXT("kind", l != NULL ? "library" : "package"),
             J_TEXT("spec", d->spec));
    json_add_path(o, "file", x->result.files[d->file].path);
    json_add(o, J_INTEGER("line", d->line),
             J_TEXT_OR_NULL("class", d->port_class < 0 ? "" : port_class_names[d->port_class]),
             J_TEXT_OR_NULL("rule", d->rule == NULL ? "" : d->rule->rule),
             J_TEXT_OR_NULL("rocm_status", l != NULL   ? l->coverage
                                           : p == NULL ? ""
                                                       : p->rocm_status),
             J_TEXT_OR_NULL("replacement", l != NULL   ? l->rocm_name
                                           : p == NULL ? ""
                                                       : p->install_instead),
             J_TEXT_OR_NULL("lost", p == NULL ? "" : p->lost),
             J_TEXT_OR_NULL("trap", p == NULL ? "" : p->trap), J_BOOL("pinned", d->pinned),
             J_BOOL("pin_blocks", d->pin_blocks), J_BOOL("index_trap", d->index_trap),
             J_TEXT_OR_NULL("source", l != NULL   ? l->source
                                      : p == NULL ? ""
                                                  : p->source));
    return o;
}

static Json *note_json(const ScanNote *n) {
    Json *o = json_object();
    json_add_path(o, "file", n->path);
    json_add_text(o, "why", n->why);
    return o;
}

static void row(App *app, JsonRows *rows, Json *owned) {
    json_rows_add(rows, owned);
    json_free(owned);
    app_drain(app);
}

static void parts_json(App *app, Json *parent, const char *key, const EffortPart *rows, size_t n) {
    Json *list = json_add_array(parent, key);
    for (size_t i = 0; i < n; i++) {
        Json *o = json_add_object(list, NULL);
        json_add(o, J_TEXT("name", clean(app, rows[i].name)), J_NUMBER("count", rows[i].count),
                 J_NUMBER("low_days", rows[i].low), J_NUMBER("likely_days", rows[i].likely),
                 J_NUMBER("high_days", rows[i].high));
    }
}

static void effort_parts_json(App *app, const ScanAnswer *x, Json *root) {
    const Effort *f = &x->effort;
    effort_json(f, root);
    Json *by = json_add_object(root, "effort_parts");
    parts_json(app, by, "class", f->by_class, PORT_CLASS_COUNT);
    parts_json(app, by, "rule", f->by_rule, f->n_by_rule);
    parts_json(app, by, "file", f->by_file, f->n_by_file);
    parts_json(app, by, "dependency", f->by_dependency, f->n_by_dependency);
    json_add_number(root, "first_port_with_blockers_days", f->first_port_with_blockers);
    json_add_number(root, "docs_days", f->docs_days);
    Json *base = json_add_object(root, "base_rate");
    json_add(base, J_INTEGER("first_ports", f->base_rate.n), J_NUMBER("low_days", f->base_rate.low),
             J_NUMBER("middle_days", f->base_rate.middle), J_NUMBER("high_days", f->base_rate.high),
             J_TEXT_OR_NULL("nearest", f->base_rate.nearest == NULL ? "" : f->base_rate.nearest->port),
             J_INTEGER("unseen_ports", f->n_unseen), J_NUMBER("skill", f->skill));
    Json *left = json_add_array(root, "leave_out");
    for (size_t i = 0; i < f->n_leave_out; i++) {
        Json *o = json_add_object(left, NULL);
        json_add(o, J_TEXT("name", clean(app, f->leave_out[i].name)), J_TEXT("lost", f->leave_out[i].lost),
                 J_NUMBER("days", f->leave_out[i].days));
    }
}

static void ported_json(App *app, const ScanResult *r, Json *summary) {
    Json *o = json_add_object(summary, "rocm_port");
    json_add(o, J_TEXT("state", port_state_names[r->ported]), J_INTEGER("guards", r->amd_guards),
             J_INTEGER("guarded_lines", r->amd_lines));
    Json *list = json_add_array(o, "evidence");
    for (size_t i = 0; i < r->n_evidence; i++) {
        Json *sign = json_add_object(list, NULL);
        json_add_path(sign, "file", r->files[r->evidence[i].file].path);
        json_add_integer(sign, "line", r->evidence[i].line);
        json_add_text(sign, "part", r->evidence[i].build ? "build" : "code");
        json_add_text(sign, "what", clean(app, r->evidence[i].what));
    }
}

static void summary_json(App *app, const ScanAnswer *x, Json *root) {
    const ScanResult *r = &x->result;
    Json *s = json_add_object(root, "summary");
    json_add(s, J_INTEGER("lines", r->lines), J_INTEGER("cuda_lines", r->cuda_lines),
             J_INTEGER("bytes", r->bytes), J_INTEGER("unread_bytes", r->unread_bytes),
             J_INTEGER("unread_files", r->unread_files), J_INTEGER("prose_files", r->prose_files),
             J_INTEGER("unreadable", r->unreadable), J_INTEGER("masks", r->masks),
             J_INTEGER("masks_unknown", r->masks_unknown), J_TEXT("rocm", x->options.rocm),
             J_TEXT_OR_NULL("gpu", x->gpu), J_INTEGER("lanes", x->options.lanes64 ? 64 : 32));
    for (size_t o = 0; o < ORIGIN_COUNT; o++) {
        Json *of = json_add_object(s, origin_names[o]);
        json_add_integer(of, "files", (int64_t)x->files_of[o]);
        for (size_t c = 0; c < PORT_CLASS_COUNT; c++)
            json_add_integer(of, port_class_names[c], (int64_t)x->by_class[o][c]);
    }
    json_add(s, J_INTEGER("in_tests", x->of_tests), J_INTEGER("findings", x->result.n_findings),
             J_INTEGER("not_listed", x->result.n_findings - x->n_shown),
             J_TEXT("team", team_names[x->assumptions.team]),
             J_TEXT_OR_NULL("confidence", x->effort.confidence == NULL ? "" : x->effort.confidence),
             J_TEXT_OR_NULL("confidence_note",
                            x->effort.confidence_note == NULL ? "" : x->effort.confidence_note));
    ported_json(app, r, s);
    if (!x->change.asked) return;
    Json *change = json_add_object(s, "baseline");
    json_add(change, J_INTEGER("new", x->change.added), J_INTEGER("gone", x->change.gone),
             J_INTEGER("same", x->change.same));
}

void scan_json(App *app, const ScanAnswer *x) {
    const ScanResult *r = &x->result;
    Json *root = app_json(app);
    app_input(app, "path", clean(app, app->args[0]));
    summary_json(app, x, root);
    effort_parts_json(app, x, root);
    json_add_array(root, "findings");
    JsonRows rows;
    json_rows_open(root, &app->out, &rows);
    app_json_drop(app);
    for (size_t i = 0; i < x->n_shown; i++) row(app, &rows, finding_json(x, scan_shown(x, i)));
    json_rows_next(&rows, "dependencies");
    for (size_t i = 0; i < r->n_dependencies; i++) row(app, &rows, dependency_json(x, &r->dependencies[i]));
    json_rows_next(&rows, "not_analysed");
    for (size_t i = 0; i < r->n_notes; i++) row(app, &rows, note_json(&r->notes[i]));
    for (size_t i = 0; scan_limits[i] != NULL; i++)
        row(app, &rows, note_json(&(ScanNote){"", scan_limits[i]}));
    Json *more = json_object();
    warnings_json(more, app->warnings, app->n_warnings);
    json_rows_close(&rows, more);
    json_free(more);
}

// ---------------------------------------------------------------- SARIF

static const char *level_of(const PortRule *r) {
    static const char *const levels[] = {[PORT_AUTOMATIC] = "note",
                                         [PORT_REVIEW] = "warning",
                                         [PORT_MANUAL] = "warning",
                                         [PORT_BLOCKER] = "error"};
    return levels[r->port_class];
}

static void message(Json *parent, const char *key, const char *text) {
    json_add_text(json_add_object(parent, key), "text", text);
}

// A path as a relative URI.
static const char *uri_of(Arena *a, const char *path) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (const char *c = path; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     strchr("-._~/", *c) != NULL;
        if (plain) {
            buf_add(&b, c, 1);
        } else {
            buf_printf(&b, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
    const char *copy = arena_copy(a, b.length > 0 ? b.data : "", b.length);
    buf_free(&b);
    return copy;
}

static void sarif_rules(const ScanAnswer *x, Json *rules) {
    for (size_t i = 0; i < x->facts.n_rules; i++) {
        const PortRule *r = &x->facts.rules[i];
        Json *o = json_add_object(rules, NULL);
        json_add_text(o, "id", r->rule);
        message(o, "shortDescription", r->what);
        message(o, "fullDescription", r->why);
        message(o, "help", r->fix);
        json_add_text(json_add_object(o, "defaultConfiguration"), "level", level_of(r));
    }
}

static Json *sarif_result(Arena *a, const ScanAnswer *x, const ScanFinding *f) {
    const PortRule *rule = &x->facts.rules[f->rule];
    Json *o = json_object();
    json_add(o, J_TEXT("ruleId", rule->rule), J_INTEGER("ruleIndex", f->rule),
             J_TEXT("level", level_of(rule)));
    message(o, "message", arena_printf(a, "%s: %s. %s", rule->what, scan_subject(a, f), rule->fix));
    Json *place = json_add_object(json_add_object(json_add_array(o, "locations"), NULL), "physicalLocation");
    json_add_text(json_add_object(place, "artifactLocation"), "uri",
                  uri_of(a, x->result.files[f->file].path));
    Json *region = json_add_object(place, "region");
    json_add(region, J_INTEGER("startLine", f->line), J_INTEGER("startColumn", f->column));
    return o;
}

void scan_sarif(App *app, const ScanAnswer *x) {
    Json *root = json_object();
    json_add_text(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_add_text(root, "version", "2.1.0");
    Json *run = json_add_object(json_add_array(root, "runs"), NULL);
    Json *driver = json_add_object(json_add_object(run, "tool"), "driver");
    json_add_text(driver, "name", "gpuadvise");
    sarif_rules(x, json_add_array(driver, "rules"));
    json_add_text(run, "columnKind", "unicodeCodePoints");
    json_add_array(run, "results");
    JsonRows rows;
    json_rows_open(root, &app->out, &rows);
    json_free(root);
    for (size_t i = 0; i < x->n_shown; i++) {
        Arena scratch = {0};
        Json *row = sarif_result(&scratch, x, scan_shown(x, i));
        json_rows_add(&rows, row);
        json_free(row);
        arena_free(&scratch);
        app_drain(app);
    }
    json_rows_close(&rows, NULL);
}

// ---------------------------------------------------------------- CSV, Markdown

double scan_minutes(const PortRule *r) { return (r->minutes_low + r->minutes_high) / 2; }

// clang-format off
#define FINDING_COLUMNS(X) \
    X("file",       "FILE",       TEXT,      path_shown(a, x->result.files[f->file].path)) \
    X("line",       "LINE",       NUMBER(9), f->line) \
    X("column",     "COLUMN",     NUMBER(9), f->column) \
    X("class",      "CLASS",      TEXT,      port_class_names[rule->port_class]) \
    X("rule",       "RULE",       TEXT,      rule->rule) \
    X("name",       "NAME",       TEXT,      scan_subject(a, f)) \
    X("what",       "WHAT",       TEXT,      rule->what) \
    X("fix",        "FIX",        TEXT,      rule->fix) \
    X("effect",     "EFFECT",     TEXT,      port_effect_names[rule->effect]) \
    X("effort_min", "EFFORT MIN", NUMBER(3), scan_minutes(rule)) \
    X("origin",     "ORIGIN",     TEXT,      origin_names[x->result.files[f->file].origin]) \
    X("source",     "SOURCE",     MORE_TEXT, f->name != NULL ? f->name->source : rule->source)
// clang-format on
static const Column finding_columns[] = {FINDING_COLUMNS(LISTING_COLUMN)};

void scan_listing_open(Listing *l, Arena *a, size_t rows) {
    listing_init(l, a, "findings", finding_columns, COUNT_OF(finding_columns), rows);
}

void scan_listing_row(Listing *l, Arena *a, const ScanAnswer *x, const ScanFinding *f) {
    const PortRule *rule = &x->facts.rules[f->rule];
    listing_row(l, FINDING_COLUMNS(LISTING_CELL));
}

void scan_listing(App *app, const ScanAnswer *x) {
    enum { ROWS_AT_ONCE = 500 };
    for (size_t i = 0; i == 0 || i < x->n_shown;) {
        Arena scratch = {0};
        Listing l;
        scan_listing_open(&l, &scratch, ROWS_AT_ONCE);
        l.continued = i > 0;
        for (size_t k = 0; k < ROWS_AT_ONCE && i < x->n_shown; k++, i++)
            scan_listing_row(&l, &scratch, x, scan_shown(x, i));
        app_listing(app, &l);
        arena_free(&scratch);
        app_drain(app);
        if (x->n_shown == 0) break;
    }
}

// ---------------------------------------------------------------- baseline

static const char *key_of(Arena *a, const char *file, const char *rule, const char *name) {
    return arena_printf(a, "%s\n%s\n%s", file, rule, name);
}

bool scan_baseline_keys(Str text, const char *path, Arena *a, const char ***ret_keys, size_t *ret_n, Err *e) {
    Json *root = NULL;
    if (!json_parse(text, BASELINE_VALUES_MAX, &root, e)) return err_wrap(e, "baseline '%s'", path);
    const Json *list = json_get(root, "findings");
    size_t n = 0;
    bool ok = list != NULL && json_is_array(list);
    if (json_number(json_get(json_get(root, "summary"), "not_listed")) > 0) {
        json_free(root);
        return err_set(e, ERR_FAILED,
                       "baseline '%s' lists only some of its findings: write it without --class, --rule, "
                       "--path and --where",
                       path);
    }
    for (const Json *f = ok ? json_first(list) : NULL; f != NULL; f = json_next(f)) n++;
    const char **keys = arena_alloc(a, n + 1, sizeof *keys);
    n = 0;
    for (const Json *f = ok ? json_first(list) : NULL; ok && f != NULL; f = json_next(f)) {
        const char *file = json_text(json_get(f, "file"));
        const char *rule = json_text(json_get(f, "rule"));
        const char *name = json_text(json_get(f, "name"));
        ok = file != NULL && rule != NULL && name != NULL;
        if (ok) keys[n++] = key_of(a, file, rule, name);
    }
    json_free(root);
    if (!ok)
        return err_set(e, ERR_FAILED, "baseline '%s' is no answer of `gpuadvise migrate scan --json`", path);
    *ret_keys = keys;
    *ret_n = n;
    return true;
}

ScanChange scan_changes(const char **old, size_t n_old, const char **now, size_t n_now) {
    ScanChange change = {.asked = true};
    qsort(old, n_old, sizeof *old, order_texts);
    qsort(now, n_now, sizeof *now, order_texts);
    for (size_t i = 0, k = 0; i < n_old || k < n_now;) {
        int order = i >= n_old ? 1 : k >= n_now ? -1 : strcmp(old[i], now[k]);
        change.gone += order < 0;
        change.added += order > 0;
        change.same += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return change;
}

bool scan_baseline(App *app, ScanAnswer *x, const char *path, Err *e) {
    const ScanResult *r = &x->result;
    Arena *a = &app->arena;
    const char **old = NULL;
    size_t n_old = 0;
    Str text;
    if (!file_read(a, path, BASELINE_BYTES_MAX, &text, e) ||
        !scan_baseline_keys(text, path, a, &old, &n_old, e))
        return false;
    const char **now = arena_alloc(a, r->n_findings + 1, sizeof *now);
    for (size_t i = 0; i < r->n_findings; i++) {
        const ScanFinding *f = &r->findings[i];
        now[i] = key_of(a, path_shown(a, r->files[f->file].path), x->facts.rules[f->rule].rule,
                        clean(app, f->word));
    }
    x->change = scan_changes(old, n_old, now, r->n_findings);
    return true;
}
