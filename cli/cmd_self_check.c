// self-check: is what is installed here whole? Facts, database, kernels' answers, terminal, each on its own.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "db/db.h"
#include "kernels/bench.h"
#include "tui/term.h"

typedef enum State { STATE_OK, STATE_FAILED, STATE_NOT_DONE, STATE_COUNT } State;
static const char *const state_names[STATE_COUNT] = {"ok", "failed", "not done"};

typedef struct Check {
    const char *name, *what;
    State state;
} Check;

static Check check_facts(App *app, Catalog *c) {
    const DataAge *ages = NULL;
    size_t n = 0;
    int64_t rows = 0;
    Err e = {0};
    if (!catalog_ages(c, true, &app->arena, &ages, &n, &e))
        return (Check){"facts", arena_printf(&app->arena, "%s", e.text), STATE_FAILED};
    for (size_t i = 0; i < n; i++) rows += (int64_t)ages[i].rows;
    return (Check){
        "facts",
        arena_printf(&app->arena, "digest %s, %" PRId64 " rows in %s, %s", catalog_digest(c), rows,
                     counted(&app->arena, n, "table"), catalog_data_origin(c)),
        rows > 0 ? STATE_OK : STATE_FAILED,
    };
}

static Check check_database(App *app, Catalog *c) {
    Err e = {0};
    if (!catalog_check(c, &e))
        return (Check){"database", arena_printf(&app->arena, "%s", e.text), STATE_FAILED};
    const char *path = catalog_db_path(c);
    return (Check){"database",
                   arena_printf(&app->arena, "schema %lld, whole, every reference leads somewhere; %s",
                                (long long)db_version_known(), path[0] != '\0' ? path : "in memory"),
                   STATE_OK};
}

// Every kernel that a processor can run, at its odd sizes, against the reference in double precision.
static Check check_kernels(App *app) {
    const double smallest = 1 << 20;
    size_t n = 0, wrong = 0;
    const char *first = "";
    for (TestId i = 0; i < KERNEL_COUNT; i++) {
        if (kernel_table[i].matrix_unit == MATRIX_WGMMA) continue;
        Arena a = {0};
        Err e = {0};
        BenchResult r;
        BenchRequest request = {
            .test = i, .check_only = true, .quick = true, .working_set_bytes = smallest, .seed = 1};
        n++;
        bool ran = bench_cpu(&request, &a, &r, &e);
        if (!ran || !r.verified) {
            if (wrong++ == 0)
                first = arena_printf(&app->arena, "; %s: %s", kernel_table[i].name, ran ? r.error : e.text);
        }
        arena_free(&a);
    }
    return (Check){"kernels",
                   arena_printf(&app->arena, "%zu of %s right on this processor%s", n - wrong,
                                counted(&app->arena, n, "kernel"), first),
                   wrong == 0 ? STATE_OK : STATE_FAILED};
}

static Check check_terminal(App *app) {
    const char *name = getenv("TERM");
    if (name == NULL || name[0] == '\0')
        return (Check){"terminal", "TERM is not set: no screen is wanted here", STATE_NOT_DONE};
    const char *known = term_known();
    if (known == NULL)
        return (Check){"terminal",
                       "nothing here describes this terminal, nor one that it could be taken for: the screen "
                       "cannot open (Debian: ncurses-base)",
                       STATE_FAILED};
    name = text_clean(&app->arena, name);
    return (Check){"terminal",
                   strcmp(name, known) == 0 ? arena_printf(&app->arena, "%s is described here", name)
                                            : arena_printf(&app->arena, "%s is taken for %s", name, known),
                   STATE_OK};
}

static size_t examine(App *app, Check *checks) {
    Catalog *c = NULL;
    Err e = {0};
    size_t n = 0;
    if (app_catalog(app, &c, &e)) {
        checks[n++] = check_facts(app, c);
        checks[n++] = check_database(app, c);
    } else {
        checks[n++] = (Check){"facts", "the database could not be opened", STATE_NOT_DONE};
        checks[n++] = (Check){"database", arena_printf(&app->arena, "%s", e.text), STATE_FAILED};
    }
    checks[n++] = check_kernels(app);
    checks[n++] = check_terminal(app);
    return n;
}

static int run(App *app) {
    Check checks[4];
    size_t n = examine(app, checks);
    bool failed = false;
    for (size_t i = 0; i < n; i++) {
        if (checks[i].state != STATE_FAILED) continue;
        failed = true;
        app_warn(app, "%s: %s", checks[i].name, checks[i].what);
    }
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add_bool(root, "whole", !failed);
        Json *list = json_add_array(root, "checks");
        for (size_t i = 0; i < n; i++) {
            Json *o = json_add_object(list, NULL);
            json_add(o, J_TEXT("check", checks[i].name), J_TEXT("state", state_names[checks[i].state]),
                     J_TEXT("what", checks[i].what));
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            buf_printf(&app->out, "%-9s %-9s ", checks[i].name, state_names[checks[i].state]);
            buf_add_clean(&app->out, checks[i].what);
            buf_puts(&app->out, "\n");
        }
    }
    return failed ? EXIT_FAILED : EXIT_DONE;
}

static const Verb verbs[] = {{"", "", 0, 0, false, NULL, NO_OPTIONS, run}};

COMMAND(self_check, "self-check", FORMATS_TEXT_JSON,
        .summary = "is this installation whole: facts, database, kernels' answers, terminal",
        .description = "Exit 1 when a part is not. Nothing is measured and no network is asked; `doctor` "
                       "tells what is around the program, this what it is itself.");
