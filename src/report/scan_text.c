// The answer of migrate scan for people, and the columns of a finding.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/scan_report.h"

enum { BAR_WIDTH = 24, TOP_ROWS = 12 };

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

// ---------------------------------------------------------------- a row of CSV and Markdown

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

void scan_listing_open(Listing *l, Arena *a, size_t rows) {
    *l = LISTING(a, "findings", FINDING_COLUMNS, rows);
}

void scan_listing_row(Listing *l, Arena *a, const ScanAnswer *x, const ScanFinding *f) {
    const PortRule *rule = &x->facts.rules[f->rule];
    listing_row(l, FINDING_COLUMNS(LISTING_CELL));
}

// ---------------------------------------------------------------- text

static void bar(const Writer *w, double share) {
    size_t n = share > 0 ? (size_t)(share * BAR_WIDTH + 0.5) : 0;
    if (n == 0 && share > 0) n = 1;
    for (size_t i = 0; i < BAR_WIDTH; i++) buf_puts(w->out, i < n ? "#" : ".");
}

static const char *in_days(const Writer *w, double x) { return counted_number(w->arena, x, 2, "day"); }

static void total_line(const Writer *w, const char *what, const Estimate *d, const Estimate *usd) {
    writer_put(w, "  %-18s %s (%s to %s)", what, counted_number(w->arena, d->value, 2, "author-day"),
               number_text(w->arena, d->low, 2), number_text(w->arena, d->high, 2));
    if (is_known(usd->value))
        writer_put(w, ", $%s to $%s", number_text(w->arena, usd->low, 3),
                   number_text(w->arena, usd->high, 3));
    buf_puts(w->out, "\n");
}

// What ports took that nobody looked into, and whether looking says more.
static void base_rate(const Writer *w, const Effort *x) {
    const BaseRate *b = &x->base_rate;
    if (b->n > 0)
        writer_put(w, "  documented first ports: %zu, %g to %g author-days, middle %s", b->n, b->low, b->high,
                   number_text(w->arena, b->middle, 2));
    if (b->n > 0 && b->nearest != NULL)
        writer_put(w, "; nearest in size: %s, %g lines of CUDA, %g", b->nearest->title, b->nearest->cuda_loc,
                   b->nearest->author_days);
    if (b->n > 0) buf_puts(w->out, "\n");
    if (is_known(x->skill))
        writer_put(w,
                   "  on %zu ports that no fit saw the days above are %s than that base rate (skill %.2f)\n",
                   x->n_unseen,
                   x->skill > 0 ? "nearer" : "no nearer, and the range is as wide as they missed: no better",
                   x->skill);
    if (x->docs_days > 0)
        writer_put(w, "  apart, in documents and notebooks: %s\n", in_days(w, x->docs_days));
}

static void parts(const Writer *w, const char *title, const EffortPart *rows, size_t n) {
    size_t shown = n < TOP_ROWS ? n : TOP_ROWS;
    if (n == 0) return;
    writer_put(w, "\n%s (days of the first port, low to high)\n", title);
    double most = rows[0].likely;
    for (size_t i = 0; i < shown; i++) {
        buf_puts(w->out, "  ");
        bar(w, most > 0 ? rows[i].likely / most : 0);
        writer_put(w, " %6s to %-6s %6g  %s\n", number_text(w->arena, rows[i].low, 2),
                   number_text(w->arena, rows[i].high, 2), rows[i].count, path_shown(w->arena, rows[i].name));
    }
    if (n > shown) writer_put(w, "  and %zu more\n", n - shown);
}

// Said first where the tree has been ported before.
static void already(const Writer *w, const ScanAnswer *x) {
    enum { SIGNS_OF_A_KIND = 4 };
    const ScanResult *r = &x->result;
    if (r->ported == PORTED_NOT) return;
    writer_put(w,
               "\n%s: lines that conditions about AMD in the sources keep for it or away from it: %zu behind "
               "%s (not to do)\n",
               r->ported == PORTED_PRESENT ? "already ported: a build for ROCm is there"
                                           : "traces of ROCm, but not both a build and guarded sources",
               r->amd_lines, counted(w->arena, r->amd_guards, "condition"));
    size_t shown[2] = {0, 0};
    for (size_t i = 0; i < r->n_evidence; i++) {
        const ScanEvidence *s = &r->evidence[i];
        if (shown[s->build]++ < SIGNS_OF_A_KIND)
            writer_put(w, "  %s:%u: %s\n", path_shown(w->arena, r->files[s->file].path), s->line,
                       text_clean(w->arena, s->what));
    }
    if (shown[0] > SIGNS_OF_A_KIND || shown[1] > SIGNS_OF_A_KIND)
        writer_put(w, "  and more, %zu files with signs in all; --json lists them\n", r->n_evidence);
    if (r->ported == PORTED_PRESENT)
        buf_puts(w->out, "  the days below are of what no guard keeps from that build, without set-up and "
                         "without what a tool renames\n");
}

// Dependencies to change, of the tree's own, that are of this class.
static size_t dependencies_of(const ScanAnswer *x, size_t class) {
    const ScanResult *r = &x->result;
    size_t n = 0;
    for (size_t i = 0; i < r->n_dependencies; i++)
        n += r->dependencies[i].rule != NULL && r->dependencies[i].port_class == (int)class &&
             r->files[r->dependencies[i].file].origin == ORIGIN_OWN;
    return n;
}

static void classes(const Writer *w, const ScanAnswer *x) {
    size_t most = 1;
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++)
        most = x->by_class[ORIGIN_OWN][c] > most ? x->by_class[ORIGIN_OWN][c] : most;
    size_t all = 0;
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++) all += x->by_class[ORIGIN_OWN][c];
    buf_puts(w->out, "\nfindings\n");
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++) {
        size_t n = x->by_class[ORIGIN_OWN][c];
        writer_put(w, "  %-10s ", port_class_names[c]);
        bar(w, (double)n / (double)most);
        size_t beside = dependencies_of(x, c);
        writer_put(w, beside > 0 ? " %zu, and %zu of the dependencies\n" : " %zu\n", n, beside);
    }
    if (x->of_tests > 0)
        writer_put(w, "  of these in tests and benchmarks: %zu%s\n", x->of_tests,
                   x->of_tests < all ? " (their work is under 'tests and CI')" : "");
    for (size_t o = ORIGIN_VENDORED; o < ORIGIN_COUNT; o++) {
        size_t n = 0;
        for (size_t c = 0; c < PORT_CLASS_COUNT; c++) n += x->by_class[o][c];
        if (n > 0) writer_put(w, "  apart, in %s files: %zu\n", origin_names[o], n);
    }
}

// A finding with its place and what is done there.
static void place_line(const Writer *w, const ScanAnswer *x, const ScanFinding *f) {
    const PortRule *rule = &x->facts.rules[f->rule];
    const char *line = scan_line(x, f);
    writer_put(w, "  %s:%u:%u: %s: %s (%s): %s%s\n", path_shown(w->arena, x->result.files[f->file].path),
               f->line, f->column, port_class_names[rule->port_class], rule->what, scan_subject(w->arena, f),
               line != NULL ? "as `migrate fix` writes it: " : rule->fix, line != NULL ? line : "");
}

// Is finding f of the tree's own work with this effect? What a tool renames is none, unless findings were chosen.
static bool is_of_step(const ScanAnswer *x, const ScanFinding *f, PortEffect effect) {
    const PortRule *rule = &x->facts.rules[f->rule];
    return rule->effect == effect && (x->chosen || rule->port_class > PORT_AUTOMATIC) &&
           x->result.files[f->file].origin == ORIGIN_OWN;
}

// What to do first: what keeps it from building, what is wrong and nothing says so, what fails, what is slow. Each
// line with its place and what is done there: some of them, or all that were chosen.
static void places(const Writer *w, const ScanAnswer *x) {
    enum { ROWS_A_STEP = 8 };
    for (size_t k = 0; k < PORT_EFFECT_COUNT; k++) {
        size_t n = 0;
        size_t shown = 0;
        if (port_steps[k].effect == PORT_EFFECT_NONE && !x->chosen) continue;
        for (size_t i = 0; i < x->n_shown; i++) n += is_of_step(x, scan_shown(x, i), port_steps[k].effect);
        if (n == 0) continue;
        writer_put(w, "\n%s (%s%s)\n", port_steps[k].title, counted(w->arena, n, "finding"),
                   x->chosen ? "" : " that no tool does");
        for (int class = PORT_BLOCKER; class >= PORT_AUTOMATIC && shown < n; class --) {
            for (size_t i = 0; i < x->n_shown && (x->chosen || shown < ROWS_A_STEP); i++) {
                const ScanFinding *f = scan_shown(x, i);
                bool now = x->sorted ? class == PORT_BLOCKER
                                     : x->facts.rules[f->rule].port_class == (PortClass) class;
                if (!now || !is_of_step(x, f, port_steps[k].effect)) continue;
                shown++;
                place_line(w, x, f);
            }
        }
        if (n > shown) writer_put(w, "  and %zu more; --format csv lists all\n", n - shown);
    }
    size_t apart = 0;
    for (size_t i = 0; x->chosen && i < x->n_shown; i++)
        apart += x->result.files[scan_shown(x, i)->file].origin != ORIGIN_OWN;
    if (apart > 0)
        writer_put(w, "\n%s in vendored or generated files; --format csv lists them\n",
                   counted(w->arena, apart, "chosen finding"));
}

static void dependencies(const Writer *w, const ScanAnswer *x) {
    const ScanResult *r = &x->result;
    size_t shown = 0;
    for (size_t i = 0; i < r->n_dependencies && shown < TOP_ROWS; i++) {
        const ScanDependency *d = &r->dependencies[i];
        if (d->rule == NULL) continue;
        if (shown++ == 0) buf_puts(w->out, "\ndependencies to change\n");
        const char *instead = d->package != NULL   ? d->package->install_instead
                              : d->library != NULL ? d->library->rocm_name
                                                   : "";
        writer_put(w, "  %s:%u: %s %s%s%s\n", path_shown(w->arena, r->files[d->file].path), d->line,
                   text_clean(w->arena, d->name),
                   d->port_class < 0 ? d->rule->what : port_class_names[d->port_class],
                   instead[0] != '\0' ? ": " : "", instead);
    }
    shown = 0;
    for (size_t i = 0; i < r->n_dependencies && shown < TOP_ROWS; i++) {
        const ScanDependency *d = &r->dependencies[i];
        if (d->library == NULL || d->rule != NULL) continue;
        if (shown++ == 0) buf_puts(w->out, "\nCUDA libraries used (their work is in the findings)\n");
        writer_put(w, "  %s: %s -> %s: %s\n", text_clean(w->arena, d->name), d->library->coverage,
                   d->library->rocm_name[0] != '\0' ? d->library->rocm_name : "nothing on ROCm",
                   d->port_class < 0 ? "unknown" : port_class_names[d->port_class]);
    }
    if (x->unknown_packages > 0)
        writer_put(w, "  known to no table: %s\n", counted(w->arena, x->unknown_packages, "package"));
}

static void notes(const Writer *w, const ScanAnswer *x) {
    const ScanResult *r = &x->result;
    buf_puts(w->out, "\nnot analysed\n");
    for (size_t i = 0; i < r->n_notes && i < TOP_ROWS; i++)
        writer_put(w, "  %s: %s\n", path_shown(w->arena, r->notes[i].path),
                   text_clean(w->arena, r->notes[i].why));
    if (r->n_notes > TOP_ROWS) writer_put(w, "  and %zu more; --json lists all\n", r->n_notes - TOP_ROWS);
    for (size_t i = 0; scan_limits[i] != NULL; i++) writer_put(w, "  %s\n", scan_limits[i]);
}

void scan_text(const Writer *w, const ScanAnswer *x) {
    const ScanResult *r = &x->result;
    size_t own = 0;
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++) own += x->by_class[ORIGIN_OWN][c];
    writer_put(w, "%s, %s, %zu of them CUDA's own (.cu, .cuh); target ROCm %s, %s, %d lanes\n",
               counted(w->arena,
                       x->files_of[ORIGIN_OWN] + x->files_of[ORIGIN_VENDORED] + x->files_of[ORIGIN_GENERATED],
                       "file"),
               counted(w->arena, r->lines, "line"), r->cuda_lines, text_clean(w->arena, x->options.rocm),
               x->gpu[0] != '\0' ? x->gpu : "any Instinct", x->options.lanes64 ? 64 : 32);
    if (r->unreadable > 0)
        writer_put(w, "not known: %s could not be read; what follows is of the rest\n",
                   counted(w->arena, r->unreadable, "path"));
    if (r->unread_files > 0)
        writer_put(w, "not read: %s, though CUDA's words are there (see \"not analysed\")\n",
                   counted(w->arena, r->unread_files, "file"));
    if (own == 0 && x->effort.first_port.value <= 0) {
        if (r->unreadable + r->unread_files == 0)
            buf_puts(w->out, "no sign of CUDA in the tree's own files: nothing to port\n");
    } else {
        already(w, x);
        buf_puts(w->out, "\neffort\n");
        total_line(w, "first working port", &x->effort.first_port, &x->effort.first_port_usd);
        total_line(w, "tests and CI", &x->effort.tests_and_ci, &x->effort.tests_and_ci_usd);
        total_line(w, "kept for a year", &x->effort.maintenance_a_year, &x->effort.maintenance_a_year_usd);
        writer_put(w, "  confidence: %s (%s); team: %s\n", x->effort.confidence, x->effort.confidence_note,
                   team_names[x->assumptions.team]);
        base_rate(w, &x->effort);
        classes(w, x);
        parts(w, "by construct", x->effort.by_rule, x->effort.n_by_rule);
        parts(w, "by file", x->effort.by_file, x->effort.n_by_file);
        parts(w, "by dependency", x->effort.by_dependency, x->effort.n_by_dependency);
        for (size_t i = 0; i < x->effort.n_leave_out && i < TOP_ROWS; i++) {
            if (i == 0)
                writer_put(w,
                           "\nin none of these days: leave out and lose, or build (first port with all of "
                           "them: %s)\n",
                           in_days(w, x->effort.first_port_with_blockers));
            writer_put(w, "  %s (%s): %s\n", text_clean(w->arena, x->effort.leave_out[i].name),
                       in_days(w, x->effort.leave_out[i].days), x->effort.leave_out[i].lost);
        }
        places(w, x);
        dependencies(w, x);
    }
    if (x->change.asked)
        writer_put(w, "\nsince the baseline: %zu new findings, %zu gone, %zu unchanged\n", x->change.added,
                   x->change.gone, x->change.same);
    notes(w, x);
}
