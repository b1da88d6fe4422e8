// stack: the user's frameworks, kernels and needs, and what becomes of each on AMD.
#include <math.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/stack.h"

enum { STACK_BYTES_MAX = 1024 * 1024 };

bool stack_read(App *app, const char *path, Stack *ret_stack, Err *e) {
    Str text;
    return file_read(&app->arena, path, STACK_BYTES_MAX, &text, e) &&
           stack_parse(text, path, &app->arena, ret_stack, e);
}

// ---------------------------------------------------------------- guessed from a scan

typedef struct Guess {
    StackEntry *entries;
    size_t n;
} Guess;

static void guess(Guess *g, StackEntry entry) {
    for (size_t i = 0; i < g->n; i++) {
        if (g->entries[i].kind == entry.kind && strcmp(g->entries[i].name, entry.name) == 0) return;
    }
    g->entries[g->n++] = entry;
}

static void guess_needs(const StackFacts *f, const ScanAnswer *scan, Guess *g) {
    const ScanResult *r = &scan->result;
    for (size_t i = 0; i < f->n_needs; i++) {
        const StackNeed *need = &f->needs[i];
        size_t count = 0;
        const char *where = "";
        for (size_t k = 0; need->rule[0] != '\0' && k < r->n_findings; k++) {
            const ScanFinding *x = &r->findings[k];
            if (r->files[x->file].origin != ORIGIN_OWN ||
                strcmp(scan->facts.rules[x->rule].rule, need->rule) != 0)
                continue;
            if (count++ == 0) where = r->files[x->file].path;
        }
        if (count > 0) guess(g, (StackEntry){STACK_NEED, need->need, "", (double)count, where});
    }
}

void stack_guess(App *app, const StackFacts *facts, const ScanAnswer *scan, Stack *ret_stack) {
    const ScanResult *r = &scan->result;
    Guess g = {arena_alloc(&app->arena, r->n_dependencies + facts->n_needs + 1, sizeof(StackEntry)), 0};
    for (size_t i = 0; i < r->n_dependencies; i++) {
        const ScanDependency *d = &r->dependencies[i];
        if (r->files[d->file].origin != ORIGIN_OWN || (d->package == NULL && d->library == NULL)) continue;
        const char *version =
            d->library == NULL && strncmp(d->spec, "==", 2) == 0 ? text_clean(&app->arena, d->spec + 2) : "";
        const char *name = d->package != NULL ? d->package->package : d->library->cuda_name;
        guess(&g, (StackEntry){d->package != NULL ? STACK_FRAMEWORK : STACK_LIBRARY, name, version,
                               (double)NAN, r->files[d->file].path});
    }
    guess_needs(facts, scan, &g);
    const char **names = arena_alloc(&app->arena, g.n + 1, sizeof *names);
    for (size_t i = 0; i < g.n; i++) names[i] = g.entries[i].name;
    *ret_stack = (Stack){.path = "",
                         .entries = g.entries,
                         .n_entries = g.n,
                         .replaceable = names,
                         .n_replaceable = g.n,
                         .kernel_kloc = (double)r->cuda_lines / 1000,
                         .test_coverage = (double)NAN,
                         .team = -1};
}

// ---------------------------------------------------------------- commands

static bool read_facts(App *app, StackFacts *facts, Facts *f, Err *e) {
    Catalog *catalog = NULL;
    return app_catalog(app, &catalog, e) && catalog_stack(catalog, &app->arena, facts, e) &&
           catalog_facts(catalog, &app->arena, f, e);
}

static int show(App *app) {
    Err e = {0};
    StackFacts facts;
    Facts f;
    Stack stack;
    StackView view;
    const Gpu *gpu = NULL;
    if (!read_facts(app, &facts, &f, &e) || !stack_read(app, app->args[0], &stack, &e))
        return app_fail(app, &e);
    if (opt_set(app, OPT_GPU) && !find_gpu(app, f.gpus, f.n_gpus, opt_text(app, OPT_GPU, ""), &gpu, &e))
        return app_fail(app, &e);
    if (gpu != NULL && gpu->vendor != VENDOR_AMD)
        return app_refuse(app, "'%s' is no GPU of AMD: --gpu names the target of the move", gpu->sku_id);
    Ask ask = {.stack = &stack};
    if (!stack_judge(&facts, &stack, gpu != NULL ? gpu->target : "",
                     term_of(&f, &ask, TERM_ENGINEER_DAY).value, &app->arena, &view, &e))
        return app_fail(app, &e);
    if (app->format == FORMAT_CSV) {
        Listing l;
        stack_listing(&view, &app->arena, &l);
        app_listing(app, &l);
        return EXIT_DONE;
    }
    if (app->format != FORMAT_JSON) {
        stack_text(&view, app->format, app_room(app), &app->arena, &app->out);
        return EXIT_DONE;
    }
    Json *root = app_json(app);
    json_add_text(app->inputs, "file", app->args[0]);
    stack_json(&view, root, "compatibility");
    Json *days = json_add_object(root, "effort_days");
    estimate_json(days, "first_port", &view.effort.first_port);
    estimate_json(days, "tests_and_ci", &view.effort.tests_and_ci);
    estimate_json(days, "kept_a_year", &view.effort.maintenance_a_year);
    terms_json(&f, &ask, root);
    return EXIT_DONE;
}

static int init(App *app) {
    Err e = {0};
    StackFacts facts;
    Facts f;
    if (!read_facts(app, &facts, &f, &e)) return app_fail(app, &e);
    if (app->format != FORMAT_TABLE)
        return app_refuse(app, "'stack init' writes a stack file, which has no other format");
    stack_template(&facts, &app->out);
    return EXIT_DONE;
}

static const Verb verbs[] = {
    {"init", "", 0, 0, false, "write a commented example of a stack file", NO_OPTIONS, init},
    {"show", "FILE", 1, 1, false, "what becomes of each entry of a stack file on AMD", TAKES(OPT_GPU), show}};

COMMAND(stack, "stack", FORMATS_LISTING,
        .summary = "your frameworks, kernels and needs, and what becomes of them on AMD",
        .description = "`stack init` writes a commented example of a stack file; `stack show FILE` says of "
                       "each entry whether it works on AMD, with which changes, what is lost and how long "
                       "that takes, with the claims behind it. `report --stack FILE` weighs it.");
