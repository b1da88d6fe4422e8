// bench fleet: the records of many machines, judged together.
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "catalog/facts/runs.h"
#include "cli/bench.h"
#include "kernels/bench.h"
#include "src/report/fleet_report.h"

enum { HOSTS_BYTES_MAX = 16 * 1024 * 1024 };

// ---------------------------------------------------------------- files

typedef struct Files {
    const char **paths;
    size_t n, room;
} Files;

static void add_path(App *app, Files *f, const char *path) {
    f->paths = arena_grow(&app->arena, f->paths, f->n, &f->room, sizeof *f->paths);
    f->paths[f->n++] = path;
}

// "*.json" of a folder; what begins with a dot is hidden.
static bool add_folder(App *app, Files *f, const char *folder, Err *e) {
    static const char ending[] = ".json";
    DIR *d = opendir(folder);
    size_t before = f->n;
    if (d == NULL) return err_set(e, ERR_FAILED, "read the folder '%s': %s", folder, strerror(errno));
    for (const struct dirent *x = readdir(d); x != NULL; x = readdir(d)) {
        size_t n = strlen(x->d_name);
        if (x->d_name[0] != '.' && n >= sizeof ending &&
            strcmp(x->d_name + n - (sizeof ending - 1), ending) == 0)
            add_path(app, f, arena_printf(&app->arena, "%s/%s", folder, x->d_name));
    }
    closedir(d);
    if (f->n > before) qsort(f->paths + before, f->n - before, sizeof *f->paths, order_texts);
    return true;
}

static bool find_files(App *app, Files *f, Err *e) {
    for (size_t i = 0; i < app->n_args; i++) {
        struct stat st;
        bool folder = stat(app->args[i], &st) == 0 && S_ISDIR(st.st_mode);
        if (!folder) add_path(app, f, app->args[i]);
        if (folder && !add_folder(app, f, app->args[i], e)) return false;
    }
    return true;
}

// ---------------------------------------------------------------- who is expected

static bool of_this_job(const Fleet *f) {
    const char *job = getenv("SLURM_JOB_ID");
    for (size_t i = 0; job != NULL && i < f->n_records; i++) {
        if (strcmp(f->records[i].job, job) == 0) return true;
    }
    return false;
}

// --expect as a list or a file of one; else the nodes of the Slurm job that the records are of, when this
// runs in it.
static bool expect_hosts(App *app, Fleet *f, Err *e) {
    const char *asked = opt_text(app, OPT_EXPECT, ""), *nodes = getenv("SLURM_JOB_NODELIST");
    const char *const *hosts = NULL;
    size_t n = 0;
    Str text = str_of(asked);
    struct stat st;
    if (asked[0] == '\0') {
        if (nodes == NULL || !of_this_job(f)) return true;
        text = str_of(nodes);
    } else if (stat(asked, &st) == 0 && !file_read(&app->arena, asked, HOSTS_BYTES_MAX, &text, e)) {
        return false;
    }
    if (!fleet_hosts(text, &app->arena, &hosts, &n, e)) {
        if (asked[0] != '\0') return err_wrap(e, "option '--expect'");
        app_warn(app, "SLURM_JOB_NODELIST: %s", e->text);
        return true;
    }
    fleet_expect(f, hosts, n);
    return true;
}

// ---------------------------------------------------------------- what estimates rest on

typedef struct Kept {
    int64_t run;      // 0: not kept
    const char *why;  // why not; else what estimates make of it
} Kept;

// "h100-sxm5-80gb: memory; products in bf16 not: ..." of the run just kept.
static bool what_counts(App *app, Catalog *c, int64_t run, const char **ret_text, Err *e) {
    Facts facts;
    const char *text = "";
    if (!app_facts(app, &facts, e) || !runs_rates(c, &app->arena, &facts, e)) return false;
    for (size_t i = 0; i < facts.n_local; i++) {
        const LocalRate *r = &facts.local[i];
        if (r->run != run) continue;
        const char *what = r->dtype == DTYPE_UNKNOWN
                               ? "memory bandwidth"
                               : arena_printf(&app->arena, "products in %s", dtype_names[r->dtype]);
        text = arena_printf(&app->arena, "%s%s%s of %s%s%s", text, text[0] != '\0' ? "; " : "", what,
                            r->sku_id, r->refused[0] != '\0' ? " not: " : "", r->refused);
    }
    *ret_text = text[0] != '\0' ? arena_printf(&app->arena, "estimates take: %s", text)
                                : "no estimate rests on it: its devices are no GPUs of the catalog, or none "
                                  "of their tests says what a datasheet does";
    return true;
}

static bool keep(App *app, const Fleet *f, Kept *ret_kept, Err *e) {
    Catalog *c = NULL;
    BenchRun run;
    *ret_kept = (Kept){0, "--keep keeps the medians of the good nodes as a run, which estimates may rest on"};
    if (!opt_flag(app, OPT_KEEP)) return true;
    const char *from = text_clean(&app->arena, app->args[0]);
    if (!fleet_median_run(f, from, &run, &ret_kept->why)) return true;
    run.tool_version = tool_version();
    return app_kept(app, &c, e) && runs_add(c, &run, &ret_kept->run, e) &&
           what_counts(app, c, ret_kept->run, &ret_kept->why, e);
}

// ---------------------------------------------------------------- the answer

static int exit_code(const Fleet *f) {
    static const FleetState faulty[] = {FLEET_FAULTY, FLEET_UNFINISHED, FLEET_UNREADABLE, FLEET_MISSING},
                            gate[] = {FLEET_STRAGGLER, FLEET_THROTTLED, FLEET_MIXED};
    for (size_t i = 0; i < COUNT_OF(faulty); i++) {
        if (f->counts[faulty[i]] > 0) return EXIT_HARDWARE;
    }
    for (size_t i = 0; i < COUNT_OF(gate); i++) {
        if (f->counts[gate[i]] > 0) return EXIT_GATE;
    }
    return f->slow_as_a_whole ? EXIT_GATE : EXIT_DONE;
}

static void answer_json(App *app, const Fleet *f, const Kept *kept) {
    Json *root = app_json(app);
    fleet_json(f, &app->arena, root);
    json_add_number(root, "run", kept->run > 0 ? (double)kept->run : (double)NAN);
    json_add_text(root, "estimates", kept->why);
}

static void answer(App *app, const Fleet *f, const Kept *kept) {
    Arena *a = &app->arena;
    char date[32];
    format_time(date, app->now);
    if (app->format == FORMAT_JSON) {
        answer_json(app, f, kept);
    } else if (app->format == FORMAT_HTML) {
        fleet_html(f, arena_printf(a, "Fleet of %s", counted(a, f->n_nodes, "node")),
                   arena_printf(a, "%s, gpuadvise %s", date, tool_version()), a, &app->out);
    } else if (app->format == FORMAT_SLURM || app->format == FORMAT_K8S) {
        fleet_drain(f, app->format, a, &app->out);
    } else {
        Listing nodes;
        fleet_nodes(f, true, a, &nodes);
        nodes.note = arena_printf(a, "%s.", fleet_summary(f, a));
        app_capture(app, &nodes);
        fleet_text(f, app->format, app_room(app), a, &app->out);
    }
    if (app->format != FORMAT_TABLE || !opt_flag(app, OPT_KEEP)) return;
    buf_puts(&app->out, "\n");
    text_wrapped(&app->out,
                 kept->run > 0 ? arena_printf(a, "Kept as run %lld: %s.", (long long)kept->run, kept->why)
                               : arena_printf(a, "Not kept: %s.", kept->why),
                 0, app_width(app));
}

// Warnings that concern all nodes, not one.
static void warn(App *app, const Fleet *f) {
    size_t alone = 0;
    for (size_t i = 0; i < f->n_lines; i++) alone += f->lines[i].n == 1;
    if (f->superseded > 0)
        app_warn(app, "%s older than another of the same node: left out",
                 counted(&app->arena, f->superseded, "record"));
    if (alone > 0)
        app_warn(app, "%s no other of its model, share, driver, test and size to be compared with",
                 alone == 1 ? "1 figure has" : arena_printf(&app->arena, "%zu figures have", alone));
    if (f->slow_as_a_whole)
        app_warn(app, "a median is below what known-good devices reach: the fleet is slow as a whole");
}

int bench_fleet(App *app) {
    Err e = {0};
    Files files = {0};
    Fleet f = {.arena = &app->arena};
    Kept kept;
    if (!find_files(app, &files, &e)) return app_fail(app, &e);
    bench_fleet_read(files.paths, files.n, app->now, &f);
    if (!expect_hosts(app, &f, &e)) return app_fail(app, &e);
    if (f.n_records == 0 && f.n_expected == 0)
        return app_refuse(app, "no record here: `gpuadvise bench --record DIR` leaves *.json in DIR");
    fleet_judge(&f);
    warn(app, &f);
    if (!keep(app, &f, &kept, &e)) return app_fail(app, &e);
    answer(app, &f, &kept);
    return exit_code(&f);
}
