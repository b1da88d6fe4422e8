// migrate scan: a tree of sources -> findings, dependencies, days.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/migrate_scan.h"

enum { BASELINE_BYTES_MAX = 256 << 20 };

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
    double at = seconds_now();
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

// ---------------------------------------------------------------- answer

static bool compare(App *app, ScanAnswer *x, const char *path, Err *e) {
    Arena *a = &app->arena;
    size_t n = x->result.n_findings, n_old = 0;
    const char **old = NULL;
    const char **now = arena_alloc(a, n + 1, sizeof *now);
    Str text;
    if (!file_read(a, path, BASELINE_BYTES_MAX, &text, e) ||
        !scan_baseline_keys(text, path, a, &old, &n_old, e))
        return false;
    scan_keys(x, a, now);
    x->change = scan_changes(old, n_old, now, n);
    return true;
}

static void listing(App *app, const ScanAnswer *x) {
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

static void answer(App *app, const ScanAnswer *x) {
    Writer w = app_writer(app);
    if (app->format == FORMAT_TABLE) scan_text(&w, x);
    if (app->format == FORMAT_SARIF) scan_sarif(&w, x);
    if (app->format == FORMAT_CSV || app->format == FORMAT_MD) listing(app, x);
    if (app->format != FORMAT_JSON) return;
    app_input(app, "path", text_clean(&app->arena, app->args[0]));
    scan_json(&w, x, app_json(app), app->warnings, app->n_warnings);
    app_json_drop(app);
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
    ok = ok && (!opt_set(app, OPT_BASELINE) || compare(app, x, opt_text(app, OPT_BASELINE, ""), &e));
    if (ok) answer(app, x);
    double gate = opt_number(app, OPT_FAIL_OVER_DAYS, (double)NAN);
    bool over = ok && is_known(gate) && x->effort.first_port.value > gate;
    if (over)
        app_warn(app, "the first working port takes %.3g days, over the limit of %.3g",
                 x->effort.first_port.value, gate);
    bool unread = ok && x->result.unreadable > 0;
    if (unread)
        app_warn(app, "days not known: %s could not be read",
                 counted(&app->arena, x->result.unreadable, "path"));
    scan_free(&x->result);
    return !ok ? app_fail(app, &e) : over || (unread && is_known(gate)) ? EXIT_GATE : EXIT_DONE;
}
