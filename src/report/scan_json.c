// The answer of migrate scan as JSON and as SARIF 2.1.0.
#include <math.h>
#include <string.h>

#include "src/report/scan_report.h"

// ---------------------------------------------------------------- JSON

static const char *clean(const Writer *w, const char *text) { return text_clean(w->arena, text); }

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

static void parts_json(const Writer *w, Json *parent, const char *key, const EffortPart *rows, size_t n) {
    Json *list = json_add_array(parent, key);
    for (size_t i = 0; i < n; i++) {
        Json *o = json_add_object(list, NULL);
        json_add(o, J_TEXT("name", clean(w, rows[i].name)), J_NUMBER("count", rows[i].count),
                 J_NUMBER("low_days", rows[i].low), J_NUMBER("likely_days", rows[i].likely),
                 J_NUMBER("high_days", rows[i].high));
    }
}

static void effort_parts_json(const Writer *w, const ScanAnswer *x, Json *root) {
    const Effort *f = &x->effort;
    effort_json(f, root);
    Json *by = json_add_object(root, "effort_parts");
    parts_json(w, by, "class", f->by_class, PORT_CLASS_COUNT);
    parts_json(w, by, "rule", f->by_rule, f->n_by_rule);
    parts_json(w, by, "file", f->by_file, f->n_by_file);
    parts_json(w, by, "dependency", f->by_dependency, f->n_by_dependency);
    json_add(root, J_NUMBER("first_port_with_blockers_days", f->first_port_with_blockers),
             J_NUMBER("docs_days", f->docs_days));
    Json *base = json_add_object(root, "base_rate");
    json_add(base, J_INTEGER("first_ports", f->base_rate.n), J_NUMBER("low_days", f->base_rate.low),
             J_NUMBER("middle_days", f->base_rate.middle), J_NUMBER("high_days", f->base_rate.high),
             J_TEXT_OR_NULL("nearest", f->base_rate.nearest == NULL ? "" : f->base_rate.nearest->port),
             J_INTEGER("unseen_ports", f->n_unseen), J_NUMBER("skill", f->skill));
    Json *left = json_add_array(root, "leave_out");
    for (size_t i = 0; i < f->n_leave_out; i++) {
        Json *o = json_add_object(left, NULL);
        json_add(o, J_TEXT("name", clean(w, f->leave_out[i].name)), J_TEXT("lost", f->leave_out[i].lost),
                 J_NUMBER("days", f->leave_out[i].days));
    }
}

static void ported_json(const Writer *w, const ScanResult *r, Json *summary) {
    Json *o = json_add_object(summary, "rocm_port");
    json_add(o, J_TEXT("state", port_state_names[r->ported]), J_INTEGER("guards", r->amd_guards),
             J_INTEGER("guarded_lines", r->amd_lines));
    Json *list = json_add_array(o, "evidence");
    for (size_t i = 0; i < r->n_evidence; i++) {
        Json *sign = json_add_object(list, NULL);
        json_add_path(sign, "file", r->files[r->evidence[i].file].path);
        json_add(sign, J_INTEGER("line", r->evidence[i].line),
                 J_TEXT("part", r->evidence[i].build ? "build" : "code"),
                 J_TEXT("what", clean(w, r->evidence[i].what)));
    }
}

static void summary_json(const Writer *w, const ScanAnswer *x, Json *root) {
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
    ported_json(w, r, s);
    if (!x->change.asked) return;
    Json *change = json_add_object(s, "baseline");
    json_add(change, J_INTEGER("new", x->change.added), J_INTEGER("gone", x->change.gone),
             J_INTEGER("same", x->change.same));
}

void scan_json(const Writer *w, const ScanAnswer *x, Json *root, const char *const *warnings,
               size_t n_warnings) {
    const ScanResult *r = &x->result;
    summary_json(w, x, root);
    effort_parts_json(w, x, root);
    json_add_array(root, "findings");
    JsonRows rows;
    json_rows_open(root, w->out, &rows);
    for (size_t i = 0; i < x->n_shown; i++) writer_row(w, &rows, finding_json(x, scan_shown(x, i)));
    json_rows_next(&rows, "dependencies");
    for (size_t i = 0; i < r->n_dependencies; i++)
        writer_row(w, &rows, dependency_json(x, &r->dependencies[i]));
    json_rows_next(&rows, "not_analysed");
    for (size_t i = 0; i < r->n_notes; i++) writer_row(w, &rows, note_json(&r->notes[i]));
    for (size_t i = 0; scan_limits[i] != NULL; i++)
        writer_row(w, &rows, note_json(&(ScanNote){"", scan_limits[i]}));
    Json *more = json_object();
    warnings_json(more, warnings, n_warnings);
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
    return buf_take(&b, a);
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

void scan_sarif(const Writer *w, const ScanAnswer *x) {
    Json *root = json_object();
    json_add(root, J_TEXT("$schema", "https://json.schemastore.org/sarif-2.1.0.json"),
             J_TEXT("version", "2.1.0"));
    Json *run = json_add_object(json_add_array(root, "runs"), NULL);
    Json *driver = json_add_object(json_add_object(run, "tool"), "driver");
    json_add_text(driver, "name", "gpuadvise");
    sarif_rules(x, json_add_array(driver, "rules"));
    json_add_text(run, "columnKind", "unicodeCodePoints");
    json_add_array(run, "results");
    JsonRows rows;
    json_rows_open(root, w->out, &rows);
    json_free(root);
    for (size_t i = 0; i < x->n_shown; i++) {
        Arena scratch = {0};
        writer_row(w, &rows, sarif_result(&scratch, x, scan_shown(x, i)));
        arena_free(&scratch);
    }
    json_rows_close(&rows, NULL);
}
