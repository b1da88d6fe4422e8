// migrate ports: every documented port against the effort model; what the model was fitted on and what it had
// not seen.
#include <math.h>
#include <string.h>

#include "cli/migrate.h"
#include "src/migrate/effort.h"

typedef struct Judged {
    const Port *port;
    PortSet set;
    Estimate days;
} Judged;

// Author-days of a squashed history are a floor: nothing to hold a range against.
static bool is_judged(const Judged *j) {
    return is_known(j->days.value) && is_known(j->port->author_days) && strcmp(j->port->squashed, "no") == 0;
}

static bool is_inside(const Judged *j) {
    return j->port->author_days >= j->days.low && j->port->author_days <= j->days.high;
}

// Ports of one set, and how many of them lie inside their range.
static size_t count_of(const Judged *rows, size_t n, PortSet set, size_t *ret_inside) {
    size_t all = 0;
    *ret_inside = 0;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].set != set || !is_judged(&rows[i])) continue;
        all++;
        if (is_inside(&rows[i])) ++*ret_inside;
    }
    return all;
}

static void answer_json(App *app, const Judged *rows, size_t n, const EffortFit *fit) {
    Json *root = app_json(app);
    Json *model = json_add_object(root, "fit");
    json_add(model, J_NUMBER("first_port_factor", fit->first_port),
             J_NUMBER("tests_and_ci_factor", fit->tests_and_ci),
             J_NUMBER("kept_a_year_factor", fit->maintenance_a_year), J_NUMBER("spread_log", fit->spread_log),
             J_INTEGER("ports", fit->n));
    Json *unseen = json_add_object(root, "unseen");
    json_add(unseen, J_INTEGER("ports", fit->n_unseen), J_NUMBER("rms_log_model", fit->unseen_model),
             J_NUMBER("rms_log_constant", fit->unseen_constant), J_NUMBER("skill", effort_skill(fit)),
             J_NUMBER("range_spread_log", effort_spread(fit)));
    size_t inside = 0;
    json_add(root, J_INTEGER("held_out", count_of(rows, n, SET_HELD_OUT, &inside)),
             J_INTEGER("held_out_inside", inside));
    Json *list = json_add_array(root, "ports");
    for (size_t i = 0; i < n; i++) {
        Json *object = json_add_object(list, NULL);
        row_json(object, &fact_tables[TABLE_PORTS], rows[i].port);
        json_add_text(object, "set", port_set_names[rows[i].set]);
        estimate_json(object, "predicted_days", &rows[i].days);
        json_add(object, J_BOOL_OR_NULL("inside", is_judged(&rows[i]), is_inside(&rows[i])));
    }
}

static const char *why_shown(const Judged *j) {
    const Port *p = j->port;
    if (!is_known(j->days.value)) return "its tree was not scanned";
    if (!is_known(p->author_days)) return "author-days unknown";
    return strcmp(p->squashed, "no") == 0 ? "" : "history squashed: a floor";
}

// clang-format off
#define PORT_COLUMNS(X) \
    X("port",        "PORT",        TEXT,      j->port->port) \
    X("scope",       "COVERS",      TEXT,      port_scope_names[j->port->scope]) \
    X("cuda_loc",    "CUDA LINES",  NUMBER(6), j->port->cuda_loc) \
    X("years",       "YEARS",       NUMBER(3), j->port->years > 0 ? j->port->years : (double)NAN) \
    X("author_days", "AUTHOR-DAYS", NUMBER(4), j->port->author_days) \
    X("low_days",    "LOW",         NUMBER(3), j->days.low) \
    X("likely_days", "LIKELY",      NUMBER(3), j->days.value) \
    X("high_days",   "HIGH",        NUMBER(3), j->days.high) \
    X("inside",      "INSIDE",      TEXT,      !is_judged(j) ? "" : is_inside(j) ? "yes" : "no") \
    X("set",         "SET",         TEXT,      port_set_names[j->set]) \
    X("remark",      "REMARK",      TEXT,      why_shown(j)) \
    X("source",      "SOURCE",      MORE_TEXT, j->port->source) \
    X("as_of",       "AS OF",       MORE_TEXT, j->port->as_of)
// clang-format on

static void answer_listing(App *app, const Judged *rows, size_t n, const EffortFit *fit) {
    Listing l = LISTING(&app->arena, "ports", PORT_COLUMNS, n);
    for (size_t i = 0; i < n; i++) {
        const Judged *j = &rows[i];
        listing_row(&l, PORT_COLUMNS(LISTING_CELL));
    }
    size_t inside = 0;
    size_t held = count_of(rows, n, SET_HELD_OUT, &inside);
    l.note = arena_printf(
        &app->arena,
        "Inside low-high: %zu of %zu held-out ports. Fitted on %zu rows of the calibration set: a day of "
        "summed minutes takes %.2f days of first port; a day of first port %.1f of tests, CI and tuning, and "
        "%.2f of upkeep a year. On the %zu held-out ports the model was off by x%.2f, a constant for each "
        "scope by x%.2f (root mean square): skill %.2f%s. LIKELY is what `migrate scan` says of the tree "
        "before the port, blockers left out, over what the author-days cover. An author-day is a day on "
        "which an author committed. low-high is an 80 %% range; see docs/effort.md.",
        inside, held, fit->n, fit->first_port, fit->tests_and_ci, fit->maintenance_a_year, fit->n_unseen,
        exp(fit->unseen_model), exp(fit->unseen_constant), effort_skill(fit),
        effort_skill(fit) > 0 ? "" : ", no better than the constant; ranges are as wide as these misses");
    app_listing(app, &l);
}

int migrate_ports(App *app) {
    Err e = {0};
    PortingFacts f;
    EffortFit fit;
    if (!migrate_facts(app, &f, &e) || !effort_fit(&f, &fit, &e)) return app_fail(app, &e);
    Judged *rows = arena_alloc(&app->arena, f.n_ports + 1, sizeof *rows);
    PortSet *sets = arena_alloc(&app->arena, f.n_ports + 1, sizeof *sets);
    ports_split(&f, sets);
    for (size_t i = 0; i < f.n_ports; i++)
        rows[i] = (Judged){&f.ports[i], sets[i], port_predict(&f, &fit, &f.ports[i])};
    if (app->format == FORMAT_JSON) {
        answer_json(app, rows, f.n_ports, &fit);
    } else {
        answer_listing(app, rows, f.n_ports, &fit);
    }
    return EXIT_DONE;
}
