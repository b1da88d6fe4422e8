// A judged fleet as text, CSV, Markdown and JSON.
#include "src/report/fleet_report.h"

#include <math.h>
#include <string.h>

const char *fleet_summary(const Fleet *f, Arena *a) {
    const char *text = "";
    for (size_t i = 0; i < FLEET_STATES; i++) {
        if (f->counts[i] > 0)
            text = arena_printf(a, "%s%s%zu %s", text, text[0] != '\0' ? ", " : "", f->counts[i],
                                fleet_state_names[i]);
    }
    return arena_printf(a, "%s: %s", counted(a, f->n_nodes, "node"), text[0] != '\0' ? text : "none");
}

const char *fleet_why(const FleetNode *n, Arena *a) {
    enum { SHOWN = 6 };
    const char *text = "";
    for (size_t i = 0; i < n->n_findings && i < SHOWN; i++) {
        const FleetFinding *x = &n->findings[i];
        const char *what = x->state == n->state ? "" : arena_printf(a, "%s: ", fleet_state_names[x->state]);
        text = arena_printf(a, "%s%s%s%s", text, i > 0 ? "; " : "", what, x->text);
    }
    return n->n_findings > SHOWN ? arena_printf(a, "%s; and %zu more", text, n->n_findings - SHOWN) : text;
}

// ---------------------------------------------------------------- nodes

// clang-format off
#define NODE_COLUMNS(X) \
    X("node",         "NODE",      TEXT,           n->name) \
    X("state",        "STATE",     TEXT,           fleet_state_names[n->state]) \
    X("device_count", "DEVICES",   NUMBER(5),      n->devices) \
    X("record_count", "RECORDS",   MORE_NUMBER(5), n->records) \
    X("slowest_pct",  "SLOWEST %", NUMBER(3),      100 * n->slowest) \
    X("slowest_test", "IN",        MORE_TEXT,      n->slowest_text) \
    X("why",          "WHY",       TEXT,           fleet_why(n, a))
// clang-format on

void fleet_nodes(const Fleet *f, bool all, Arena *a, Listing *ret_listing) {
    Listing l = LISTING(a, "nodes", NODE_COLUMNS, f->n_nodes);
    for (size_t i = 0; i < f->n_nodes; i++) {
        const FleetNode *n = f->by_state[i];
        if (!all && n->state == FLEET_GOOD) continue;
        listing_row(&l, NODE_COLUMNS(LISTING_CELL));
    }
    *ret_listing = l;
}

// ---------------------------------------------------------------- groups

// clang-format off
#define LINE_COLUMNS(X) \
    X("group",             "GROUP",     NUMBER(4),      x->group + 1) \
    X("model",             "MODEL",     MORE_TEXT,      g->model) \
    X("share",             "SHARE",     MORE_NUMBER(3), g->share) \
    X("driver",            "DRIVER",    MORE_TEXT,      g->driver) \
    X("test",              "TEST",      TEXT,           t->name) \
    X("shape",             "SHAPE",     MORE_TEXT,      t->shape) \
    X("path",              "PATH",      MORE_TEXT,      t->path) \
    X("gpu_count",         "GPUS",      MORE_NUMBER(4), t->gpu_count) \
    X("figure_count",      "N",         NUMBER(6),      x->n) \
    X("median",            "MEDIAN",    NUMBER(4),      x->median) \
    X("unit",              "UNIT",      TEXT,           t->unit) \
    X("spread_pct",        "SPREAD %",  NUMBER(2),      x->spread_pct) \
    X("slowest",           "SLOWEST",   NUMBER(4),      x->slowest) \
    X("fastest",           "FASTEST",   MORE_NUMBER(4), x->fastest) \
    X("limit",             "LIMIT",     NUMBER(4),      x->limit) \
    X("known_good_low",    "GOOD FROM", NUMBER(4),      x->known_low) \
    X("known_good_high",   "GOOD TO",   MORE_NUMBER(4), x->known_high) \
    X("known_good_source", "KNOWN BY",  MORE_TEXT,      x->known_source) \
    X("verdict",           "VERDICT",   TEXT,           word_of(x))
// clang-format on

static const char *word_of(const FleetLine *l) {
    if (l->below_known) return "below known good";
    return is_known(l->known_low) ? "as expected" : "no reference";
}

void fleet_lines(const Fleet *f, bool all, Arena *a, Listing *ret_listing) {
    Listing l = LISTING(a, "groups", LINE_COLUMNS, f->n_lines);
    for (size_t i = 0; i < f->n_lines; i++) {
        const FleetLine *x = &f->lines[i];
        const FleetGroup *g = &f->groups[x->group];
        const FleetTest *t = &f->tests[x->test];
        if (!all && x->n < 2 && !x->below_known) continue;
        listing_row(&l, LINE_COLUMNS(LISTING_CELL));
    }
    *ret_listing = l;
}

const char *fleet_group_text(const Fleet *f, size_t group, Arena *a) {
    const FleetGroup *g = &f->groups[group];
    const char *part = g->part[0] != '\0' ? arena_printf(a, " (%s, %.3g of a GPU)", g->part, g->share) : "";
    return arena_printf(a, "Group %zu: %s of %s%s%s%s", group + 1, counted(a, g->devices, "device"), g->model,
                        part, g->driver[0] != '\0' ? ", " : "", g->driver);
}

// ---------------------------------------------------------------- formats

void fleet_text(const Fleet *f, Format format, Room room, Arena *a, Buf *out) {
    Listing nodes, lines;
    bool table = format == FORMAT_TABLE;
    fleet_nodes(f, !table, a, &nodes);
    if (!table) {
        listing_print(&nodes, format, room, out);
        return;
    }
    wrapped_printf(out, 0, room.width, "%s.", fleet_summary(f, a));
    if (nodes.n_rows > 0) {
        Room whole = room;  // a reason that is cut off says nothing
        if (whole.tables == TABLES_CUT) whole.tables = TABLES_RECORDS;
        buf_puts(out, "\n");
        listing_print(&nodes, format, whole, out);
    }
    fleet_lines(f, false, a, &lines);
    if (f->n_groups > 0) buf_puts(out, "\n");
    for (size_t i = 0; i < f->n_groups; i++) text_wrapped(out, fleet_group_text(f, i, a), 2, room.width);
    if (lines.n_rows == 0) return;
    buf_puts(out, "\n");
    listing_print(&lines, format, room, out);
    buf_puts(out, "\n");
    text_wrapped(out,
                 "LIMIT: slower is a straggler: the larger of the median less five deviations (1.4826 x the "
                 "median absolute deviation, at least 1 %) and 95 % of the median. GOOD FROM: what "
                 "known-good devices reach, whatever the fleet does.",
                 0, room.width);
}

void fleet_json(const Fleet *f, Arena *a, Json *root) {
    Json *summary = json_add_object(root, "summary");
    json_add_integer(summary, "nodes", (int64_t)f->n_nodes);
    for (size_t i = 0; i < FLEET_STATES; i++)
        json_add_integer(summary, fleet_state_names[i], (int64_t)f->counts[i]);
    json_add(summary, J_INTEGER("superseded_records", f->superseded),
             J_BOOL("below_known_good", f->slow_as_a_whole));
    Listing nodes, lines;
    fleet_nodes(f, true, a, &nodes);
    fleet_lines(f, true, a, &lines);
    Json *list = json_add_array(root, "nodes");
    for (size_t i = 0; i < f->n_nodes; i++) {
        Json *one = json_add_object(list, NULL);
        listing_row_json(&nodes, i, one);
        Json *findings = json_add_array(one, "findings");
        for (size_t k = 0; k < f->by_state[i]->n_findings; k++) {
            const FleetFinding *x = &f->by_state[i]->findings[k];
            Json *finding = json_add_object(findings, NULL);
            json_add(finding, J_TEXT("state", fleet_state_names[x->state]), J_TEXT("text", x->text));
        }
    }
    listing_json(&lines, root);
}
