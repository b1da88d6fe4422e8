// migrate scan: a tree of sources -> findings, dependencies, days.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/migrate_scan.h"

enum { BAR_WIDTH = 24, TOP_ROWS = 12 };

// ---------------------------------------------------------------- options

bool scan_target(App *app, Catalog *c, const Gpu **ret_gpu, Err *e) {
    Facts f;
    *ret_gpu = NULL;
    if (!opt_set(app, OPT_GPU)) return true;
    if (!catalog_facts(c, &app->arena, &f, e) ||
        !find_gpu(app, f.gpus, f.n_gpus, opt_text(app, OPT_GPU, ""), ret_gpu, e))
        return false;
    if ((*ret_gpu)->vendor != VENDOR_AMD)
        return err_set(e, ERR_USAGE, "'%s' is no GPU of AMD: --gpu names the target of the port",
                       (*ret_gpu)->sku_id);
    return true;
}

// Patterns of the caller's after those of the user.
static void leave_out(App *app, ScanAnswer *x) {
    size_t n = x->options.n_excludes;
    const char **list = arena_alloc(&app->arena, n + x->n_leave_out, sizeof *list);
    for (size_t i = 0; i < n; i++) list[i] = x->options.excludes[i];
    for (size_t i = 0; i < x->n_leave_out; i++) list[n + i] = x->leave_out[i];
    x->options.excludes = list;
    x->options.n_excludes = n + x->n_leave_out;
}

static void read_options(App *app, const char *root, const Gpu *target, ScanAnswer *x) {
    x->options.lanes64 = target == NULL || strncmp(target->target, "gfx9", 4) == 0;
    x->gpu = target == NULL ? "" : target->sku_id;
    x->options.root = root;
    x->options.rocm = opt_text(app, OPT_ROCM, "7.2");
    x->options.n_excludes = opt_list(app, OPT_EXCLUDE, &x->options.excludes);
    if (x->n_leave_out > 0) leave_out(app, x);
    x->assumptions = (EffortAssumptions){.team = (Team)opt_choice(app, OPT_TEAM, TEAM_SOME),
                                         .test_coverage = opt_number(app, OPT_TEST_COVERAGE, (double)NAN)};
    x->assumptions.engineer_day_usd = opt_number(app, OPT_ENGINEER_DAY, (double)NAN);
}

static void count(ScanAnswer *x) {
    const ScanResult *r = &x->result;
    for (size_t i = 0; i < r->n_findings; i++) {
        const ScanFile *f = &r->files[r->findings[i].file];
        x->by_class[f->origin][x->facts.rules[r->findings[i].rule].port_class]++;
        x->of_tests += f->tests && f->origin == ORIGIN_OWN;
    }
    for (size_t i = 0; i < r->n_files; i++) x->files_of[r->files[i].origin] += r->files[i].bytes > 0;
    for (size_t i = 0; i < r->n_dependencies; i++) x->unknown_packages += r->dependencies[i].port_class < 0;
}

static bool estimate(App *app, ScanAnswer *x, Err *e) {
    EffortItem *items = NULL;
    size_t n = scan_effort_items(&x->facts, &x->result, &app->arena, &items);
    size_t tests = x->result.cuda_lines_of_tests < x->result.cuda_lines ? x->result.cuda_lines_of_tests : 0;
    x->assumptions.cuda_kloc = (double)(x->result.cuda_lines - tests) / 1000;
    x->assumptions.ported = x->result.ported == PORTED_PRESENT;
    double seen = (double)x->result.bytes;
    double unread = (double)x->result.unread_bytes;
    x->assumptions.unanalysed_share = seen + unread > 0 ? unread / (seen + unread) : 0;
    return effort_estimate(&x->facts, items, n, &x->assumptions, &app->arena, &x->effort, e);
}

// ---------------------------------------------------------------- progress

typedef struct Progress {
    double shown_at;  // seconds
    bool shown;
    ScanPhase phase;
} Progress;

static void say(const char *text, size_t length) {
    ssize_t ignored = write(STDERR_FILENO, text, length);
    (void)ignored;
}

// A line now and then, and one whenever something else begins.
static void tell(Progress *p, bool new, const char *what, size_t done, size_t total) {
    enum { PERIOD_MS = 200 };
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    double at = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    if (!new &&at - p->shown_at < PERIOD_MS / 1000.0) return;
    Buf line;
    buf_init(&line, 100);
    buf_printf(&line, "\r%s", what);
    if (done > 0 && total > 0) buf_printf(&line, ": %zu of %zu files", done, total);
    if (done > 0 && total == 0) buf_printf(&line, ": %zu", done);
    buf_puts(&line, "\033[K");
    say(line.data, line.length);
    buf_free(&line);
    p->shown_at = at;
    p->shown = true;
}

static void progress(void *context, ScanPhase phase, size_t done, size_t total) {
    static const char *const phases[] = {[SCAN_LOOKING] = "looking for files",
                                         [SCAN_LISTS] = "following lists of packages",
                                         [SCAN_READING] = "reading",
                                         [SCAN_SETTLING] = "settling findings"};
    Progress *p = context;
    bool new = !p->shown || p->phase != phase;
    p->phase = phase;
    tell(p, new, phases[phase], done, total);
}

// Shown on a terminal that people look at, and gone at the end.
static bool scan_and_estimate(App *app, ScanAnswer *x, Err *e) {
    Progress p = {0};
    const char *term = getenv("TERM");
    bool terminal = !app->quiet && isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
    if (terminal) {
        x->options.progress = progress;
        x->options.context = &p;
    }
    bool ok = scan_tree(&x->facts, &x->options, &x->result, e);
    if (ok && terminal) tell(&p, true, "estimating days", 0, 0);
    ok = ok && estimate(app, x, e);
    if (p.shown) say("\r\033[K", 4);
    return ok;
}

// ---------------------------------------------------------------- text

static void bar(App *app, double share) {
    size_t n = share > 0 ? (size_t)(share * BAR_WIDTH + 0.5) : 0;
    if (n == 0 && share > 0) n = 1;
    for (size_t i = 0; i < BAR_WIDTH; i++) buf_puts(&app->out, i < n ? "#" : ".");
}

static const char *in_days(App *app, double x) { return counted_number(&app->arena, x, 2, "day"); }

static void total_line(App *app, const char *what, const Estimate *d, const Estimate *usd) {
    buf_printf(&app->out, "  %-18s %s (%s to %s)", what,
               counted_number(&app->arena, d->value, 2, "author-day"), number_text(&app->arena, d->low, 2),
               number_text(&app->arena, d->high, 2));
    if (is_known(usd->value)) {
        char low[40], high[40];
        format_number(low, sizeof low, usd->low, 3);
        format_number(high, sizeof high, usd->high, 3);
        buf_printf(&app->out, ", $%s to $%s", low, high);
    }
    buf_puts(&app->out, "\n");
}

// What ports took that nobody looked into, and whether looking says more.
static void base_rate(App *app, const Effort *x) {
    const BaseRate *b = &x->base_rate;
    if (b->n > 0)
        buf_printf(&app->out, "  documented first ports: %zu, %g to %g author-days, middle %s", b->n, b->low,
                   b->high, number_text(&app->arena, b->middle, 2));
    if (b->n > 0 && b->nearest != NULL)
        buf_printf(&app->out, "; nearest in size: %s, %g lines of CUDA, %g", b->nearest->title,
                   b->nearest->cuda_loc, b->nearest->author_days);
    if (b->n > 0) buf_puts(&app->out, "\n");
    if (is_known(x->skill))
        buf_printf(&app->out,
                   "  on %zu ports that no fit saw the days above are %s than that base rate (skill %.2f)\n",
                   x->n_unseen,
                   x->skill > 0 ? "nearer" : "no nearer, and the range is as wide as they missed: no better",
                   x->skill);
    if (x->docs_days > 0)
        buf_printf(&app->out, "  apart, in documents and notebooks: %s\n", in_days(app, x->docs_days));
}

static void parts(App *app, const char *title, const EffortPart *rows, size_t n) {
    size_t shown = n < TOP_ROWS ? n : TOP_ROWS;
    if (n == 0) return;
    buf_printf(&app->out, "\n%s (days of the first port, low to high)\n", title);
    double most = rows[0].likely;
    for (size_t i = 0; i < shown; i++) {
        buf_puts(&app->out, "  ");
        bar(app, most > 0 ? rows[i].likely / most : 0);
        buf_printf(&app->out, " %6s to %-6s %6g  %s\n", number_text(&app->arena, rows[i].low, 2),
                   number_text(&app->arena, rows[i].high, 2), rows[i].count,
                   path_shown(&app->arena, rows[i].name));
    }
    if (n > shown) buf_printf(&app->out, "  and %zu more\n", n - shown);
}

// Said first where the tree has been ported before.
static void already(App *app, const ScanAnswer *x) {
    enum { SIGNS_OF_A_KIND = 4 };
    const ScanResult *r = &x->result;
    if (r->ported == PORTED_NOT) return;
    buf_printf(
        &app->out,
        "\n%s: %zu conditions about AMD in the sources keep %zu lines for it or away from it (not to do)\n",
        r->ported == PORTED_PRESENT ? "already ported: a build for ROCm is there"
                                    : "traces of ROCm, but not both a build and guarded sources",
        r->amd_guards, r->amd_lines);
    size_t shown[2] = {0, 0};
    for (size_t i = 0; i < r->n_evidence; i++) {
        const ScanEvidence *s = &r->evidence[i];
        if (shown[s->build]++ < SIGNS_OF_A_KIND)
            buf_printf(&app->out, "  %s:%u: %s\n", path_shown(&app->arena, r->files[s->file].path), s->line,
                       text_clean(&app->arena, s->what));
    }
    if (shown[0] > SIGNS_OF_A_KIND || shown[1] > SIGNS_OF_A_KIND)
        buf_printf(&app->out, "  and more, %zu files with signs in all; --json lists them\n", r->n_evidence);
    if (r->ported == PORTED_PRESENT)
        buf_puts(&app->out, "  the days below are of what no guard keeps from that build, without set-up and "
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

static void classes(App *app, const ScanAnswer *x) {
    size_t most = 1;
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++)
        most = x->by_class[ORIGIN_OWN][c] > most ? x->by_class[ORIGIN_OWN][c] : most;
    size_t all = 0;
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++) all += x->by_class[ORIGIN_OWN][c];
    buf_puts(&app->out, "\nfindings\n");
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++) {
        size_t n = x->by_class[ORIGIN_OWN][c];
        buf_printf(&app->out, "  %-10s ", port_class_names[c]);
        bar(app, (double)n / (double)most);
        size_t beside = dependencies_of(x, c);
        buf_printf(&app->out, beside > 0 ? " %zu, and %zu of the dependencies\n" : " %zu\n", n, beside);
    }
    if (x->of_tests > 0)
        buf_printf(&app->out, "  of these in tests and benchmarks: %zu%s\n", x->of_tests,
                   x->of_tests < all ? " (their work is under 'tests and CI')" : "");
    for (size_t o = ORIGIN_VENDORED; o < ORIGIN_COUNT; o++) {
        size_t n = 0;
        for (size_t c = 0; c < PORT_CLASS_COUNT; c++) n += x->by_class[o][c];
        if (n > 0) buf_printf(&app->out, "  apart, in %s files: %zu\n", origin_names[o], n);
    }
}

// A finding with its place and what is done there.
static void place_line(App *app, const ScanAnswer *x, const ScanFinding *f) {
    const PortRule *rule = &x->facts.rules[f->rule];
    const char *line = scan_line(x, f);
    buf_printf(&app->out, "  %s:%u:%u: %s: %s (%s): %s%s\n",
               path_shown(&app->arena, x->result.files[f->file].path), f->line, f->column,
               port_class_names[rule->port_class], rule->what, scan_subject(&app->arena, f),
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
static void places(App *app, const ScanAnswer *x) {
    enum { ROWS_A_STEP = 8 };
    for (size_t k = 0; k < PORT_EFFECT_COUNT; k++) {
        size_t n = 0;
        size_t shown = 0;
        if (port_steps[k].effect == PORT_EFFECT_NONE && !x->chosen) continue;
        for (size_t i = 0; i < x->n_shown; i++) n += is_of_step(x, scan_shown(x, i), port_steps[k].effect);
        if (n == 0) continue;
        buf_printf(&app->out, "\n%s (%s%s)\n", port_steps[k].title, counted(&app->arena, n, "finding"),
                   x->chosen ? "" : " that no tool does");
        for (int class = PORT_BLOCKER; class >= PORT_AUTOMATIC && shown < n; class --) {
            for (size_t i = 0; i < x->n_shown && (x->chosen || shown < ROWS_A_STEP); i++) {
                const ScanFinding *f = scan_shown(x, i);
                bool now = x->sorted ? class == PORT_BLOCKER
                                     : x->facts.rules[f->rule].port_class == (PortClass) class;
                if (!now || !is_of_step(x, f, port_steps[k].effect)) continue;
                shown++;
                place_line(app, x, f);
            }
        }
        if (n > shown) buf_printf(&app->out, "  and %zu more; --format csv lists all\n", n - shown);
    }
    size_t apart = 0;
    for (size_t i = 0; x->chosen && i < x->n_shown; i++)
        apart += x->result.files[scan_shown(x, i)->file].origin != ORIGIN_OWN;
    if (apart > 0)
        buf_printf(&app->out, "\n%s in vendored or generated files; --format csv lists them\n",
                   counted(&app->arena, apart, "chosen finding"));
}

static void dependencies(App *app, const ScanAnswer *x) {
    const ScanResult *r = &x->result;
    size_t shown = 0;
    for (size_t i = 0; i < r->n_dependencies && shown < TOP_ROWS; i++) {
        const ScanDependency *d = &r->dependencies[i];
        if (d->rule == NULL) continue;
        if (shown++ == 0) buf_puts(&app->out, "\ndependencies to change\n");
        const char *instead = d->package != NULL   ? d->package->install_instead
                              : d->library != NULL ? d->library->rocm_name
                                                   : "";
        buf_printf(&app->out, "  %s:%u: %s %s%s%s\n", path_shown(&app->arena, r->files[d->file].path),
                   d->line, text_clean(&app->arena, d->name),
                   d->port_class < 0 ? d->rule->what : port_class_names[d->port_class],
                   instead[0] != '\0' ? ": " : "", instead);
    }
    shown = 0;
    for (size_t i = 0; i < r->n_dependencies && shown < TOP_ROWS; i++) {
        const ScanDependency *d = &r->dependencies[i];
        if (d->library == NULL || d->rule != NULL) continue;
        if (shown++ == 0) buf_puts(&app->out, "\nCUDA libraries used (their work is in the findings)\n");
        buf_printf(&app->out, "  %s: %s -> %s: %s\n", text_clean(&app->arena, d->name), d->library->coverage,
                   d->library->rocm_name[0] != '\0' ? d->library->rocm_name : "nothing on ROCm",
                   d->port_class < 0 ? "unknown" : port_class_names[d->port_class]);
    }
    if (x->unknown_packages > 0)
        buf_printf(&app->out, "  %zu packages that no table knows\n", x->unknown_packages);
}

static void notes(App *app, const ScanAnswer *x) {
    const ScanResult *r = &x->result;
    buf_puts(&app->out, "\nnot analysed\n");
    for (size_t i = 0; i < r->n_notes && i < TOP_ROWS; i++)
        buf_printf(&app->out, "  %s: %s\n", path_shown(&app->arena, r->notes[i].path),
                   text_clean(&app->arena, r->notes[i].why));
    if (r->n_notes > TOP_ROWS)
        buf_printf(&app->out, "  and %zu more; --json lists all\n", r->n_notes - TOP_ROWS);
    for (size_t i = 0; scan_limits[i] != NULL; i++) buf_printf(&app->out, "  %s\n", scan_limits[i]);
}

static void text(App *app, const ScanAnswer *x) {
    const ScanResult *r = &x->result;
    size_t own = 0;
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++) own += x->by_class[ORIGIN_OWN][c];
    buf_printf(&app->out, "%s, %s, %zu of them CUDA's own (.cu, .cuh); target ROCm %s, %s, %d lanes\n",
               counted(&app->arena,
                       x->files_of[ORIGIN_OWN] + x->files_of[ORIGIN_VENDORED] + x->files_of[ORIGIN_GENERATED],
                       "file"),
               counted(&app->arena, r->lines, "line"), r->cuda_lines,
               text_clean(&app->arena, x->options.rocm), x->gpu[0] != '\0' ? x->gpu : "any Instinct",
               x->options.lanes64 ? 64 : 32);
    if (r->unreadable > 0)
        buf_printf(&app->out, "not known: %s or folders could not be read; what follows is of the rest\n",
                   counted(&app->arena, r->unreadable, "file"));
    if (r->unread_files > 0)
        buf_printf(&app->out, "not read: %s, though CUDA's words are there (see \"not analysed\")\n",
                   counted(&app->arena, r->unread_files, "file"));
    if (own == 0 && x->effort.first_port.value <= 0) {
        if (r->unreadable + r->unread_files == 0)
            buf_puts(&app->out, "no sign of CUDA in the tree's own files: nothing to port\n");
    } else {
        already(app, x);
        buf_puts(&app->out, "\neffort\n");
        total_line(app, "first working port", &x->effort.first_port, &x->effort.first_port_usd);
        total_line(app, "tests and CI", &x->effort.tests_and_ci, &x->effort.tests_and_ci_usd);
        total_line(app, "kept for a year", &x->effort.maintenance_a_year, &x->effort.maintenance_a_year_usd);
        buf_printf(&app->out, "  confidence: %s (%s); team: %s\n", x->effort.confidence,
                   x->effort.confidence_note, team_names[x->assumptions.team]);
        base_rate(app, &x->effort);
        classes(app, x);
        parts(app, "by construct", x->effort.by_rule, x->effort.n_by_rule);
        parts(app, "by file", x->effort.by_file, x->effort.n_by_file);
        parts(app, "by dependency", x->effort.by_dependency, x->effort.n_by_dependency);
        for (size_t i = 0; i < x->effort.n_leave_out && i < TOP_ROWS; i++) {
            if (i == 0)
                buf_printf(
                    &app->out,
                    "\nin none of these days: leave out and lose, or build (first port with all of them: "
                    "%s)\n",
                    in_days(app, x->effort.first_port_with_blockers));
            buf_printf(&app->out, "  %s (%s): %s\n", text_clean(&app->arena, x->effort.leave_out[i].name),
                       in_days(app, x->effort.leave_out[i].days), x->effort.leave_out[i].lost);
        }
        places(app, x);
        dependencies(app, x);
    }
    if (x->change.asked)
        buf_printf(&app->out, "\nsince the baseline: %zu new findings, %zu gone, %zu unchanged\n",
                   x->change.added, x->change.gone, x->change.same);
    notes(app, x);
}

bool scan_source(App *app, const char *root, const Gpu *target, ScanAnswer *x, Err *e) {
    read_options(app, root, target, x);
    if (!migrate_facts(app, &x->facts, e) || !scan_and_estimate(app, x, e)) return false;
    count(x);
    return true;
}

int migrate_scan(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    ScanAnswer *x = arena_alloc(&app->arena, 1, sizeof *x);
    const Gpu *target = NULL;
    if (!app_catalog(app, &c, &e) || !scan_target(app, c, &target, &e)) return app_fail(app, &e);
    bool ok = scan_source(app, app->args[0], target, x, &e);
    ok = ok && scan_choose(app, x, &e) && scan_lines(app, x, &e);
    ok = ok && (!opt_set(app, OPT_BASELINE) || scan_baseline(app, x, opt_text(app, OPT_BASELINE, ""), &e));
    if (ok) {
        if (app->format == FORMAT_TABLE) text(app, x);
        if (app->format == FORMAT_JSON) scan_json(app, x);
        if (app->format == FORMAT_SARIF) scan_sarif(app, x);
        if (app->format == FORMAT_CSV || app->format == FORMAT_MD) scan_listing(app, x);
    }
    double gate = opt_number(app, OPT_FAIL_OVER_DAYS, (double)NAN);
    bool over = ok && is_known(gate) && x->effort.first_port.value > gate;
    if (over)
        app_warn(app, "the first working port takes %.3g days, over the limit of %.3g",
                 x->effort.first_port.value, gate);
    bool unread = ok && x->result.unreadable > 0;
    if (unread) app_warn(app, "days not known: %zu files or folders could not be read", x->result.unreadable);
    scan_free(&x->result);
    return !ok ? app_fail(app, &e) : over || (unread && is_known(gate)) ? EXIT_GATE : EXIT_DONE;
}
