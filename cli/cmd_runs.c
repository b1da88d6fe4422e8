// runs: list, show, accept, remove and export of the user's own runs.
#include <string.h>

#include "catalog/facts/rows.h"
#include "cli/cmd.h"
#include "cli/own_runs.h"
#include "cli/runs.h"
#include "src/report/filter.h"

static bool read_runs(App *app, OwnRun **ret_runs, size_t *ret_n, Err *e) {
    Catalog *c = NULL;
    size_t unreadable = 0;
    if (!app_catalog(app, &c, e) || !catalog_own_runs(c, &app->arena, ret_runs, ret_n, &unreadable, e))
        return false;
    if (unreadable > 0)
        app_warn(app, "%s cannot be read by this version and %s left out",
                 counted(&app->arena, unreadable, "run"), unreadable == 1 ? "is" : "are");
    return true;
}

static bool id_of(const char *text, int64_t *ret_id, Err *e) {
    if (parse_integer(str_of(text), 1, INT64_MAX / 1024, ret_id, e)) return true;
    return err_set(e, ERR_USAGE, "run '%.40s': runs have numbers; `gpuadvise runs` lists them", text);
}

// Those named, in the order of the arguments; all without arguments.
static bool chosen(App *app, OwnRun **runs, size_t *n, Err *e) {
    if (!read_runs(app, runs, n, e)) return false;
    if (app->n_args == 0) return true;
    OwnRun *some = arena_alloc(&app->arena, app->n_args, sizeof *some);
    for (size_t i = 0; i < app->n_args; i++) {
        int64_t id = 0;
        size_t k = 0;
        if (!id_of(app->args[i], &id, e)) return false;
        while (k < *n && (*runs)[k].id != id) k++;
        if (k == *n)
            return err_set(e, ERR_USAGE, "no run %lld of your own; `gpuadvise runs list` lists them",
                           (long long)id);
        some[i] = (*runs)[k];
    }
    *runs = some;
    *n = app->n_args;
    return true;
}

// Each with what is predicted of it.
static bool judged_runs(App *app, const OwnRun *runs, size_t n, const JudgedRun **ret, Err *e) {
    Catalog *c = NULL;
    Facts f;
    if (!app_catalog(app, &c, e) || !catalog_facts(c, &app->arena, &f, e)) return false;
    *ret = app_judge_runs(app, &f, runs, n);
    return true;
}

static int answer_json(App *app, const JudgedRun *judged, size_t n) {
    runs_json(judged, n, &app->arena, app_json(app));
    return EXIT_DONE;
}

static int list_runs(App *app) {
    Err e = {0};
    OwnRun *runs = NULL;
    size_t n = 0;
    if (!read_runs(app, &runs, &n, &e)) return app_fail(app, &e);
    if (n == 0)
        app_warn(app, "no run of your own is kept yet: `gpuadvise runs import FILE` takes the result file of "
                      "a benchmark tool");
    const JudgedRun *judged = NULL;
    size_t *rows = NULL, kept = 0;
    if (!judged_runs(app, runs, n, &judged, &e)) return app_fail(app, &e);
    Listing l = run_rows(judged, n, &app->arena);
    if (!app_choose(app, &l, app_sort(app), &rows, &kept, &e)) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        JudgedRun *some = arena_alloc(&app->arena, kept + 1, sizeof *some);
        for (size_t i = 0; i < kept; i++) some[i] = judged[rows[i]];
        return answer_json(app, some, kept);
    }
    listing_take(&l, rows, kept, &app->arena);
    if (kept == 0) l.note = "";
    app_listing(app, &l);
    return EXIT_DONE;
}

static int show_runs(App *app) {
    Err e = {0};
    OwnRun *runs = NULL;
    size_t n = 0;
    if (!chosen(app, &runs, &n, &e)) return app_fail(app, &e);
    const JudgedRun *judged = NULL;
    if (!judged_runs(app, runs, n, &judged, &e)) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) return answer_json(app, judged, n);
    Listing l = run_full_rows(judged, n, &app->arena);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) buf_puts(&app->out, "\n");
        listing_show(&l, i, app->format, app_width(app), &app->out);
    }
    return EXIT_DONE;
}

static int remove_runs(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    int64_t *ids = arena_alloc(&app->arena, app->n_args, sizeof *ids);
    for (size_t i = 0; i < app->n_args; i++) {
        if (!id_of(app->args[i], &ids[i], &e)) return app_fail(app, &e);
    }
    if (!app_kept(app, &c, &e) || !own_runs_remove(c, ids, app->n_args, &e)) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        Json *list = json_add_array(root, "removed");
        for (size_t i = 0; i < app->n_args; i++) {
            json_add_integer(json_add_object(list, NULL), "run", ids[i]);
        }
        return EXIT_DONE;
    }
    buf_printf(&app->out, "%s removed\n", counted(&app->arena, app->n_args, "run"));
    return EXIT_DONE;
}

// What a row may be handed on without: who and where, names of files, and notes.
static void redact(OwnRun *r) {
    r->host = r->file = r->note = r->imported_at = "";
    r->m.source = "own run";
    r->m.submitter = "";
}

static int export_runs(App *app) {
    Err e = {0};
    OwnRun *runs = NULL;
    size_t n = 0;
    if (app->format != FORMAT_JSON && app->format != FORMAT_TABLE && app->format != FORMAT_CSV)
        return app_refuse(app, "runs are exported as CSV or JSON");
    if (!chosen(app, &runs, &n, &e)) return app_fail(app, &e);
    for (size_t i = 0; i < n; i++) {
        runs[i].m.as_of = runs[i].m.as_of[0] != '\0' ? runs[i].m.as_of : runs[i].imported_at;
        if (opt_flag(app, OPT_REDACT)) redact(&runs[i]);
    }
    const JudgedRun *judged = NULL;
    if (app->format == FORMAT_JSON) {
        if (!judged_runs(app, runs, n, &judged, &e)) return app_fail(app, &e);
        return answer_json(app, judged, n);
    }
    for (size_t i = 0; i < n; i++) own_run_write(&runs[i], ',', i == 0, &app->out);
    if (n == 0) app_warn(app, "no run of your own is kept yet");
    return n > 0 ? EXIT_DONE : EXIT_NO;
}

// The user overrules a quarantine: from today these runs count, though less.
static int accept_runs(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    OwnRun *runs = NULL;
    size_t n = 0;
    const JudgedRun *judged = NULL;
    if (!app_kept(app, &c, &e) || !chosen(app, &runs, &n, &e) || !judged_runs(app, runs, n, &judged, &e))
        return app_fail(app, &e);
    for (size_t i = 0; i < n; i++) {
        if (judged[i].wrong[0] == '\0')
            return app_refuse(app, "run %lld is not quarantined: %s", (long long)runs[i].id,
                              own_run_state(&judged[i], &app->arena));
    }
    for (size_t i = 0; i < n; i++) runs[i].accepted = app_today(app);
    if (!own_runs_change(c, runs, n, &e) || !judged_runs(app, runs, n, &judged, &e)) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) return answer_json(app, judged, n);
    for (size_t i = 0; i < n; i++)
        buf_printf(&app->out, "run %lld: %s\n", (long long)runs[i].id,
                   text_clean(&app->arena, own_run_state(&judged[i], &app->arena)));
    return EXIT_DONE;
}

static int compare_runs(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    OwnRun *runs = NULL;
    size_t n = 0;
    Facts f;
    if (!chosen(app, &runs, &n, &e) || !app_catalog(app, &c, &e) || !catalog_facts(c, &app->arena, &f, &e))
        return app_fail(app, &e);
    const JudgedRun *judged = app_judge_runs(app, &f, runs, 2);
    Listing l = runs_compared(&f, &judged[0], &judged[1], &app->arena);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add(app->inputs, J_INTEGER("a", runs[0].id), J_INTEGER("b", runs[1].id));
        json_add_text_or_null(root, "verdict", l.note);
    }
    app_answer(app, &l);
    return EXIT_DONE;
}

static const Verb verbs[] = {
    {"list", "", 0, 0, true, "the runs that were imported", ROW_OPTIONS, list_runs},
    {"import", "FILE|FOLDER|-", 1, 1, true, "take in result files of benchmark tools",
     TAKES(OPT_MODEL, OPT_GPU, OPT_GPUS, OPT_ENGINE, OPT_WEIGHTS, OPT_KV, OPT_TP, OPT_PP, OPT_EP, OPT_DP,
           OPT_ISL, OPT_OSL, OPT_CONCURRENCY, OPT_CACHED_PROMPT, OPT_DRAFT_TOKENS, OPT_PREFILL_GPUS, OPT_HOST,
           OPT_AS_OF, OPT_COLUMN, OPT_DRY_RUN),
     runs_import},
    {"show", "ID...", 1, 100, true, "some of them in full", NO_OPTIONS, show_runs},
    {"remove", "ID...", 1, 1000, true, "forget some of them", NO_OPTIONS, remove_runs},
    {"export", "[ID...]", 0, 1000, true, "write them for others", TAKES(OPT_REDACT), export_runs},
    {"compare", "A B", 2, 2, true, "two runs side by side", NO_OPTIONS, compare_runs},
    {"accept", "ID...", 1, 1000, true, "let quarantined runs count", NO_OPTIONS, accept_runs},
    {"plan", "[WORKLOAD]", 0, 1, true, "the runs that would settle the verdict on a workload",
     TAKES(OPT_WORKLOAD, OPT_MODEL, OPT_GPU, OPT_GPUS, OPT_ISL, OPT_OSL, OPT_CONCURRENCY, OPT_RATE, OPT_TTFT,
           OPT_TPOT, OPT_WEIGHTS, OPT_KV, OPT_ENGINE, OPT_PROVIDER, OPT_PRICE),
     runs_plan}};

COMMAND(
    runs, "runs", FORMATS_LISTING, .summary = "runs of your own, from the result files of benchmark tools",
    .description =
        "`runs import` reads the result files of vLLM, SGLang, AIPerf, GuideLLM, inference-perf, llm-d, "
        "trtllm-bench, InferenceX, llama-bench, LLMPerf, MLPerf and training logs (docs/runs.md), told by "
        "their content; .gz too. What a file does not say (--gpu, --gpus, --model, --engine vllm:0.11.0, "
        "--weights, --tp ...) is asked on a terminal, given by options, or by a file gpuadvise.runs beside "
        "it with lines `gpu = h100`; nothing is guessed, and a contradiction to the file is refused. "
        "--dry-run keeps nothing. The same run twice is one. `runs compare` puts two side by side, `runs "
        "plan` names the two to four runs that would settle the verdict on a workload, each as a command "
        "(docs/own-runs.md: how runs count). `runs accept` lets quarantined runs count, though less. Texts "
        "of prompts and answers are never kept. `runs export --redact` leaves out hosts, files and notes.");
