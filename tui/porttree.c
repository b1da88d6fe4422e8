// What a porting scan found, read from its JSON, as a tree.
#include "tui/porttree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 20 * 1000 * 1000 };

void porttree_free(PortTree *s) { arena_free(&s->arena); }

// ---------------------------------------------------------------- reading

static const char *text_of(PortTree *s, const Json *j, const char *key) {
    const char *text = json_text(json_get(j, key));
    return text != NULL ? arena_copy(&s->arena, text, strlen(text)) : "";
}

static int whole(const Json *j, const char *key) {
    double x = json_number(json_get(j, key));
    return x >= 0 && x < 2e9 ? (int)x : 0;
}

static size_t count(const Json *list) {
    size_t n = 0;
    for (const Json *x = json_first(list); x != NULL; x = json_next(x)) n++;
    return n;
}

static Estimate estimate_at(const Json *root, const char *key) {
    const Json *x = json_get(json_get(root, "effort_days"), key);
    return (Estimate){json_number(json_get(x, "value")), json_number(json_get(x, "low")),
                      json_number(json_get(x, "high")), BASIS_UNKNOWN, ""};
}

static void read_rows(PortTree *s, const Json *list) {
    s->rows = arena_alloc(&s->arena, count(list) + 1, sizeof *s->rows);
    for (const Json *f = json_first(list); f != NULL; f = json_next(f)) {
        int port_class = name_index(port_class_names, text_of(s, f, "class"));
        if (port_class < 0) continue;
        s->rows[s->n_rows++] =
            (ScanRow){.file = text_of(s, f, "file"),
                      .rule = text_of(s, f, "rule"),
                      .name = text_of(s, f, "name"),
                      .what = text_of(s, f, "what"),
                      .why = text_of(s, f, "why"),
                      .fix = text_of(s, f, "fix"),
                      .amd = text_of(s, f, "amd"),
                      .since = text_of(s, f, "since"),
                      .source = text_of(s, f, "source"),
                      .port_class = port_class,
                      .step = port_step_of(name_index(port_effect_names, text_of(s, f, "effect"))),
                      .line = whole(f, "line"),
                      .column = whole(f, "column")};
        s->by_class[port_class]++;
    }
}

static void read_parts(PortTree *s, const Json *list, size_t which) {
    s->parts[which] = arena_alloc(&s->arena, count(list) + 1, sizeof **s->parts);
    for (const Json *x = json_first(list); x != NULL; x = json_next(x)) {
        s->parts[which][s->n_parts[which]++] = (ScanPart){
            text_of(s, x, "name"), json_number(json_get(x, "count")), json_number(json_get(x, "low_days")),
            json_number(json_get(x, "likely_days")), json_number(json_get(x, "high_days"))};
    }
}

static void read_dependencies(PortTree *s, const Json *list) {
    static const Column columns[] = {{.key = "name", .title = "DEPENDENCY"},
                                     {.key = "class", .title = "CLASS"},
                                     {.key = "file", .title = "FILE"},
                                     {.key = "line", .title = "LINE", .number = true, .digits = 9},
                                     {.key = "replacement", .title = "INSTEAD"},
                                     {.key = "lost", .title = "LOST"},
                                     {.key = "source", .title = "SOURCE"}};
    s->dependencies = listing_new(&s->arena, "dependencies", columns, COUNT_OF(columns), count(list));
    for (const Json *d = json_first(list); d != NULL; d = json_next(d)) {
        for (size_t c = 0; c < COUNT_OF(columns); c++) {
            if (columns[c].number) {
                listing_number(&s->dependencies, c, json_number(json_get(d, columns[c].key)));
            } else {
                listing_text(&s->dependencies, c, text_of(s, d, columns[c].key));
            }
        }
        listing_row_done(&s->dependencies);
    }
}

// ---------------------------------------------------------------- the tree

static int by_place(const void *x, const void *y) {
    const ScanRow *a = x;
    const ScanRow *b = y;
    int order = a->step - b->step;
    if (order == 0) order = b->port_class - a->port_class;
    if (order == 0) order = strcmp(a->file, b->file);
    if (order == 0) order = strcmp(a->rule, b->rule);
    if (order == 0) order = a->line - b->line;
    return order != 0 ? order : a->column - b->column;
}

static bool same_to(const ScanRow *a, const ScanRow *b, int level) {
    return a->step == b->step && (level < LEVEL_CLASS || a->port_class == b->port_class) &&
           (level < LEVEL_FILE || strcmp(a->file, b->file) == 0) &&
           (level < LEVEL_RULE || strcmp(a->rule, b->rule) == 0) && level < LEVEL_FINDING;
}

static void grow_tree(PortTree *s) {
    size_t open[LEVEL_COUNT] = {0};
    if (s->n_rows > 0) qsort(s->rows, s->n_rows, sizeof *s->rows, by_place);
    s->nodes = arena_alloc(&s->arena, LEVEL_COUNT * s->n_rows + 1, sizeof *s->nodes);
    for (size_t i = 0; i < s->n_rows; i++) {
        bool parted = i == 0;
        for (int level = 0; level < LEVEL_COUNT; level++) {
            parted = parted || !same_to(&s->rows[i - 1], &s->rows[i], level);
            if (parted) {
                open[level] = s->n_nodes;
                s->nodes[s->n_nodes++] =
                    (ScanNode){.level = level,
                               .first = i,
                               .open = level == LEVEL_STEP ||
                                       (level == LEVEL_CLASS && s->rows[i].port_class >= PORT_MANUAL)};
            }
            s->nodes[open[level]].n++;
        }
    }
}

bool porttree_read(Str json, PortTree *ret_scan, Err *e) {
    Json *root = NULL;
    PortTree s = {0};
    if (!json_parse(json, VALUES_MAX, &root, e)) return err_wrap(e, "the scan's answer");
    const Json *findings = json_get(root, "findings");
    const char *command = json_text(json_get(root, "command"));
    bool ok = json_is_array(findings) && command != NULL && strcmp(command, "migrate") == 0;
    if (ok) {
        const Json *parts = json_get(root, "effort_parts");
        read_rows(&s, findings);
        read_parts(&s, json_get(parts, "class"), 0);
        read_parts(&s, json_get(parts, "rule"), 1);
        read_parts(&s, json_get(parts, "file"), 2);
        read_dependencies(&s, json_get(root, "dependencies"));
        s.first_port = estimate_at(root, "first_port");
        s.tests_and_ci = estimate_at(root, "tests_and_ci");
        s.maintenance_a_year = estimate_at(root, "kept_a_year");
        s.confidence = arena_printf(&s.arena, "%s: %s", text_of(&s, json_get(root, "summary"), "confidence"),
                                    text_of(&s, json_get(root, "summary"), "confidence_note"));
        grow_tree(&s);
        *ret_scan = s;
    }
    json_free(root);
    return ok || err_set(e, ERR_FAILED, "the scan's answer is no answer of `migrate scan --json`");
}

static const char *node_text(const PortTree *s, const ScanNode *n, Arena *a) {
    const ScanRow *r = &s->rows[n->first];
    const char *mark = n->level == LEVEL_FINDING ? "  " : n->open ? "\xe2\x96\xbe " : "\xe2\x96\xb8 ";
    const char *name = n->level == LEVEL_STEP    ? port_steps[r->step].title
                       : n->level == LEVEL_CLASS ? port_class_names[r->port_class]
                       : n->level == LEVEL_FILE  ? r->file
                       : n->level == LEVEL_RULE  ? r->rule
                                                 : arena_printf(a, "%d:%d %s", r->line, r->column, r->name);
    return arena_printf(a, "%*s%s%s", n->level * 2, "", mark, text_clean(a, name));
}

void porttree_list(const PortTree *s, Arena *a, Listing *ret_listing, size_t **ret_nodes) {
    static const Column columns[] = {{.key = "finding", .title = "FINDING"},
                                     {.key = "count", .title = "N", .number = true, .digits = 9},
                                     {.key = "what", .title = "WHAT"},
                                     {.key = "fix", .title = "FIX"}};
    *ret_listing = listing_new(a, "findings", columns, COUNT_OF(columns), s->n_nodes);
    *ret_nodes = arena_alloc(a, s->n_nodes + 1, sizeof **ret_nodes);
    int shown = 0;  // the deepest level whose parents are open
    for (size_t i = 0; i < s->n_nodes; i++) {
        const ScanNode *n = &s->nodes[i];
        if (n->level > shown) continue;
        shown = n->level + n->open;
        (*ret_nodes)[ret_listing->n_rows] = i;
        listing_text(ret_listing, 0, node_text(s, n, a));
        if (n->level < LEVEL_FINDING) listing_number(ret_listing, 1, (double)n->n);
        listing_text(ret_listing, 2, n->level >= LEVEL_RULE ? s->rows[n->first].what : " ");
        listing_text(ret_listing, 3, n->level >= LEVEL_RULE ? s->rows[n->first].fix : " ");
        listing_row_done(ret_listing);
    }
}
