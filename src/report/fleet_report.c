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

enum { N_NODE, N_STATE, N_DEVICES, N_RECORDS, N_SLOWEST, N_TEST, N_WHY };
static const Column node_columns[] = {
    [N_NODE] = {"node", "NODE", false, 0, false},
    [N_STATE] = {"state", "STATE", false, 0, false},
    [N_DEVICES] = {"device_count", "DEVICES", true, 5, false},
    [N_RECORDS] = {"record_count", "RECORDS", true, 5, true},
    [N_SLOWEST] = {"slowest_pct", "SLOWEST %", true, 3, false},
    [N_TEST] = {"slowest_test", "IN", false, 0, true},
    [N_WHY] = {"why", "WHY", false, 0, false},
};

void fleet_nodes(const Fleet *f, bool all, Arena *a, Listing *ret_listing) {
    Listing l;
    listing_init(&l, a, "nodes", node_columns, COUNT_OF(node_columns), f->n_nodes);
    for (size_t i = 0; i < f->n_nodes; i++) {
        const FleetNode *n = f->by_state[i];
        if (!all && n->state == FLEET_GOOD) continue;
        listing_add(&l, L_TEXT(N_NODE, n->name), L_TEXT(N_STATE, fleet_state_names[n->state]),
                    L_NUMBER(N_DEVICES, (double)n->devices), L_NUMBER(N_RECORDS, (double)n->records),
                    L_NUMBER(N_SLOWEST, 100 * n->slowest), L_TEXT(N_TEST, n->slowest_text),
                    L_TEXT(N_WHY, fleet_why(n, a)));
    }
    *ret_listing = l;
}

// ---------------------------------------------------------------- groups

enum {
    G_GROUP,
    G_MODEL,
    G_SHARE,
    G_DRIVER,
    G_TEST,
    G_SHAPE,
    G_PATH,
    G_GPUS,
    G_N,
    G_MEDIAN,
    G_UNIT,
    G_SPREAD,
    G_SLOWEST,
    G_FASTEST,
    G_LIMIT,
    G_LOW,
    G_HIGH,
    G_SOURCE,
    G_WORD
};
static const Column line_columns[] = {
    [G_GROUP] = {"group", "GROUP", true, 4, false},
    [G_MODEL] = {"model", "MODEL", false, 0, true},
    [G_SHARE] = {"share", "SHARE", true, 3, true},
    [G_DRIVER] = {"driver", "DRIVER", false, 0, true},
    [G_TEST] = {"test", "TEST", false, 0, false},
    [G_SHAPE] = {"shape", "SHAPE", false, 0, true},
    [G_PATH] = {"path", "PATH", false, 0, true},
    [G_GPUS] = {"gpu_count", "GPUS", true, 4, true},
    [G_N] = {"figure_count", "N", true, 6, false},
    [G_MEDIAN] = {"median", "MEDIAN", true, 4, false},
    [G_UNIT] = {"unit", "UNIT", false, 0, false},
    [G_SPREAD] = {"spread_pct", "SPREAD %", true, 2, false},
    [G_SLOWEST] = {"slowest", "SLOWEST", true, 4, false},
    [G_FASTEST] = {"fastest", "FASTEST", true, 4, true},
    [G_LIMIT] = {"limit", "LIMIT", true, 4, false},
    [G_LOW] = {"known_good_low", "GOOD FROM", true, 4, false},
    [G_HIGH] = {"known_good_high", "GOOD TO", true, 4, true},
    [G_SOURCE] = {"known_good_source", "KNOWN BY", false, 0, true},
    [G_WORD] = {"verdict", "VERDICT", false, 0, false},
};

static const char *word_of(const FleetLine *l) {
    if (l->below_known) return "below known good";
    return is_known(l->known_low) ? "as expected" : "no reference";
}

void fleet_lines(const Fleet *f, bool all, Arena *a, Listing *ret_listing) {
    Listing l;
    listing_init(&l, a, "groups", line_columns, COUNT_OF(line_columns), f->n_lines);
    for (size_t i = 0; i < f->n_lines; i++) {
        const FleetLine *x = &f->lines[i];
        const FleetGroup *g = &f->groups[x->group];
        const FleetTest *t = &f->tests[x->test];
        if (!all && x->n < 2 && !x->below_known) continue;
        listing_add(&l, L_NUMBER(G_GROUP, (double)x->group + 1), L_TEXT(G_MODEL, g->model),
                    L_NUMBER(G_SHARE, g->share), L_TEXT(G_DRIVER, g->driver), L_TEXT(G_TEST, t->name),
                    L_TEXT(G_SHAPE, t->shape), L_TEXT(G_PATH, t->path), L_NUMBER(G_GPUS, t->gpu_count),
                    L_NUMBER(G_N, (double)x->n), L_NUMBER(G_MEDIAN, x->median), L_TEXT(G_UNIT, t->unit),
                    L_NUMBER(G_SPREAD, x->spread_pct), L_NUMBER(G_SLOWEST, x->slowest),
                    L_NUMBER(G_FASTEST, x->fastest), L_NUMBER(G_LIMIT, x->limit),
                    L_NUMBER(G_LOW, x->known_low), L_NUMBER(G_HIGH, x->known_high),
                    L_TEXT(G_SOURCE, x->known_source), L_TEXT(G_WORD, word_of(x)));
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
    text_wrapped(out, arena_printf(a, "%s.", fleet_summary(f, a)), 0, room.width);
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
    text_wrapped(
        out,
        "LIMIT: slower is a straggler: the larger of the median less five deviations (1.4826 x the "
        "median absolute deviation, at least 1 %) and 95 % of the median. GOOD FROM: what known-good "
        "devices reach, whatever the fleet does.",
        0, room.width);
}

void fleet_json(const Fleet *f, Arena *a, Json *root) {
    Json *summary = json_add_object(root, "summary");
    json_add_integer(summary, "nodes", (int64_t)f->n_nodes);
    for (size_t i = 0; i < FLEET_STATES; i++)
        json_add_integer(summary, fleet_state_names[i], (int64_t)f->counts[i]);
    json_add_integer(summary, "superseded_records", (int64_t)f->superseded);
    json_add_bool(summary, "below_known_good", f->slow_as_a_whole);
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
