// A judged fleet as a page: nodes against tests in shades that differ in lightness, with their numbers.
#include <math.h>
#include <string.h>

#include "src/report/fleet_report.h"
#include "src/report/html_page.h"

// Speed over the median of the group; NaN = no figure, or no other to compare with. The slowest device of a
// node counts.
static double *cells_of(const Fleet *f, Arena *a) {
    double *cells = arena_alloc(a, f->n_nodes * f->n_tests + 1, sizeof *cells);
    for (size_t i = 0; i < f->n_nodes * f->n_tests; i++) cells[i] = (double)NAN;
    for (size_t i = 0; i < f->n_readings; i++) {
        const FleetReading *r = &f->readings[i];
        const FleetLine *l = &f->lines[r->line];
        if (l->n < 2) continue;
        double ratio = f->tests[r->test].of_time ? l->median / r->figure : r->figure / l->median;
        double *cell = &cells[f->records[f->devices[r->device].record].node * f->n_tests + r->test];
        if (!(ratio >= *cell)) *cell = ratio;
    }
    return cells;
}

static const char *shade(double ratio) {
    static const struct {
        double from;
        const char *class;
    } shades[] = {{0.98, "h0"}, {0.95, "h1"}, {0.90, "h2"}, {0.75, "h3"}};
    if (!is_known(ratio)) return "";
    for (size_t i = 0; i < COUNT_OF(shades); i++) {
        if (ratio >= shades[i].from) return shades[i].class;
    }
    return "h4";
}

// The size too where a test was run at several.
static const char *test_title(const Fleet *f, size_t test, Arena *a) {
    const FleetTest *t = &f->tests[test];
    bool several = false;
    for (size_t i = 0; i < f->n_tests; i++)
        several = several || (i != test && strcmp(f->tests[i].name, t->name) == 0);
    return several ? arena_printf(a, "%s %s", t->name, t->shape) : t->name;
}

static void heat_row(const Fleet *f, const FleetNode *n, const double *cells, Buf *out) {
    buf_puts(out, "<tr><th scope=\"row\">");
    html_text(out, n->name);
    buf_puts(out, "</th><td>");
    html_text(out, fleet_state_names[n->state]);
    buf_puts(out, "</td>");
    for (size_t t = 0; t < f->n_tests; t++) {
        double x = cells[(size_t)(n - f->nodes) * f->n_tests + t];
        if (is_known(x)) {
            buf_printf(out, "<td class=\"n %s\">%.0f</td>", shade(x), 100 * x);
        } else {
            buf_puts(out, "<td class=\"n\">-</td>");
        }
    }
    buf_puts(out, "</tr>\n");
}

static void heat_map(const Fleet *f, Arena *a, Buf *out) {
    const double *cells = cells_of(f, a);
    html_section(out, "", "Nodes against tests");
    html_element(
        out, "p", "",
        "Speed of a node's slowest device in percent of the median of its model, share and driver; the "
        "darker, the slower. A dash: no figure, or no other to compare it with.");
    buf_puts(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Nodes against tests\">"
                  "<table class=\"heat\"><thead><tr><th scope=\"col\">Node</th><th scope=\"col\">State</th>");
    for (size_t t = 0; t < f->n_tests; t++) html_element(out, "th", "n", test_title(f, t, a));
    buf_puts(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < f->n_nodes; i++) heat_row(f, f->by_state[i], cells, out);
    buf_puts(out, "</tbody></table></div>\n");
    html_end(out, "section");
}

void fleet_html(const Fleet *f, const char *title, const char *made, Arena *a, Buf *out) {
    Listing nodes, lines;
    fleet_nodes(f, true, a, &nodes);
    fleet_lines(f, true, a, &lines);
    html_open(out, title);
    html_section(out, "", title);
    html_element(out, "p", "", arena_printf(a, "%s.", fleet_summary(f, a)));
    if (f->slow_as_a_whole)
        html_element(out, "p", "",
                     "A median is below what known-good devices reach: the fleet is slow as a whole.");
    html_table(out, "Nodes", &nodes);
    html_end(out, "section");
    if (f->n_tests > 0) heat_map(f, a, out);
    if (lines.n_rows > 0) {
        html_section(out, "", "Medians and limits");
        for (size_t i = 0; i < f->n_groups; i++) html_element(out, "p", "", fleet_group_text(f, i, a));
        html_table(out, "Medians and limits", &lines);
        html_end(out, "section");
    }
    Json *no_figures = json_array();
    html_close(out, no_figures, made);
    json_free(no_figures);
}
