// migrate scan: which findings are listed, and in what order. What is counted stays: totals, days and gates are of the
// whole tree.
#include <string.h>

#include "cli/migrate_scan.h"

typedef struct Wanted {
    bool classes[PORT_CLASS_COUNT];
    bool *rules;  // by index in PortingFacts.rules; NULL: all
    Walk paths;   // patterns of --path, as the walk keeps those of --exclude
    bool any_path;
} Wanted;

static void want_classes(const App *app, Wanted *w) {
    const char *const *texts = NULL;
    size_t n = opt_list(app, OPT_CLASS, &texts);
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++) w->classes[c] = n == 0;
    for (size_t i = 0; i < n; i++) w->classes[name_index(port_class_names, texts[i])] = true;
}

// Ids of rules, or patterns of them: warp-*.
static bool want_rules(App *app, const PortingFacts *facts, Wanted *w, Err *e) {
    const char *const *texts = NULL;
    size_t n = opt_list(app, OPT_RULE, &texts);
    if (n == 0) return true;
    const char **names = arena_alloc(&app->arena, facts->n_rules + 1, sizeof *names);
    w->rules = arena_alloc(&app->arena, facts->n_rules + 1, sizeof *w->rules);
    for (size_t r = 0; r < facts->n_rules; r++) names[r] = facts->rules[r].rule;
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t r = 0; r < facts->n_rules; r++) {
            if (!ignore_glob(texts[i], names[r])) continue;
            known = w->rules[r] = true;
        }
        if (!known) {
            name_unknown(e, "rule", texts[i], names, facts->n_rules);
            return false;
        }
    }
    return true;
}

static void want_paths(App *app, Wanted *w) {
    const char *const *texts = NULL;
    size_t n = opt_list(app, OPT_PATH, &texts);
    w->paths.arena = &app->arena;
    w->any_path = n > 0;
    buf_init(&w->paths.ignores, BUF_LIMIT);
    for (size_t i = 0; i < n; i++) ignore_add(&w->paths, "", str_of(texts[i]), true);
}

// Does a pattern fit the file, or a folder that it stands in?
static bool path_fits(const Wanted *w, Arena *a, const char *path) {
    bool user = false;
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        if (ignore_fits(&w->paths, arena_copy(a, path, (size_t)(slash - path)), true, &user)) return true;
    }
    return ignore_fits(&w->paths, path, false, &user);
}

// The findings of wanted class, rule and path, in order of place.
static size_t take_wanted(App *app, const ScanAnswer *x, const Wanted *w, size_t *to) {
    const ScanResult *r = &x->result;
    size_t n = 0;
    size_t file = SIZE_MAX;
    bool fits = true;
    for (size_t i = 0; i < r->n_findings; i++) {
        const ScanFinding *f = &r->findings[i];
        if (w->any_path && f->file != file) fits = path_fits(w, &app->arena, r->files[f->file].path);
        file = f->file;
        bool rule = w->rules == NULL || w->rules[f->rule];
        if (fits && rule && w->classes[x->facts.rules[f->rule].port_class]) to[n++] = i;
    }
    return n;
}

// --where and --sort, over the columns of the listing.
static bool take_fitting(App *app, ScanAnswer *x, Err *e) {
    Arena scratch = {0};
    Listing l;
    size_t *rows = NULL;
    size_t n = 0;
    scan_listing_open(&l, &scratch, x->n_shown);
    for (size_t i = 0; i < x->n_shown; i++) scan_listing_row(&l, &scratch, x, scan_shown(x, i));
    x->sorted = app_sort(app)[0] != '\0';
    bool ok = app_choose(app, &l, app_sort(app), &rows, &n, e);
    if (ok) {
        size_t *chosen = arena_alloc(&app->arena, n + 1, sizeof *chosen);
        for (size_t i = 0; i < n; i++) chosen[i] = x->shown[rows[i]];
        x->shown = chosen;
        x->n_shown = n;
    }
    arena_free(&scratch);
    return ok;
}

bool scan_choose(App *app, ScanAnswer *x, Err *e) {
    Wanted w = {0};
    want_classes(app, &w);
    if (!want_rules(app, &x->facts, &w, e)) return false;
    want_paths(app, &w);
    size_t *shown = arena_alloc(&app->arena, x->result.n_findings + 1, sizeof *shown);
    x->n_shown = take_wanted(app, x, &w, shown);
    x->shown = shown;
    buf_free(&w.paths.ignores);
    x->chosen = opt_set(app, OPT_CLASS) || opt_set(app, OPT_RULE) || opt_set(app, OPT_PATH) ||
                opt_set(app, OPT_WHERE);
    bool ok = (!opt_set(app, OPT_WHERE) && app_sort(app)[0] == '\0') || take_fitting(app, x, e);
    size_t left = x->result.n_findings - x->n_shown;
    if (ok && left > 0)
        app_warn(
            app,
            "%zu of %zu findings are not listed (--class, --rule, --path, --where); all of them are counted",
            left, x->result.n_findings);
    return ok;
}
