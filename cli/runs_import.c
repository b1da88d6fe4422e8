// runs import: records of files with what is given for them, kept and judged.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/own_runs.h"
#include "cli/runs_records.h"

// ---------------------------------------------------------------- what is given

// Options of the command line alone: what settings name for every command says nothing of a file.
static bool take_options(Import *m, Err *e) {
    static const struct {
        OptionId id;
        const char *setting;
    } options[] = {{OPT_MODEL, "model"},
                   {OPT_GPU, "gpu"},
                   {OPT_GPUS, "gpus"},
                   {OPT_ENGINE, "engine"},
                   {OPT_WEIGHTS, "weights"},
                   {OPT_KV, "kv"},
                   {OPT_TP, "tp"},
                   {OPT_PP, "pp"},
                   {OPT_EP, "ep"},
                   {OPT_DP, "dp"},
                   {OPT_ISL, "isl"},
                   {OPT_OSL, "osl"},
                   {OPT_CONCURRENCY, "concurrency"},
                   {OPT_CACHED_PROMPT, "cached-prompt"},
                   {OPT_DRAFT_TOKENS, "draft-tokens"},
                   {OPT_PREFILL_GPUS, "prefill-gpus"},
                   {OPT_HOST, "host"},
                   {OPT_AS_OF, "as-of"}};
    App *app = m->app;
    m->options = runs_given_none();
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        if (app->values[options[i].id].level != LEVEL_FLAG) continue;
        if (!runs_given_set(&m->options, options[i].setting, opt_text(app, options[i].id, ""), &app->arena,
                            e))
            return err_wrap(e, "option");
    }
    m->n_columns = opt_list(app, OPT_COLUMN, &m->columns);
    for (size_t i = 0; i < m->n_columns; i++) {
        if (!runs_column_known(m->columns[i]))
            return err_set(e, ERR_USAGE,
                           "option '--column': '%.100s' is not KEY=COLUMN with a column of docs/runs.md "
                           "(output_tokens_per_s, ttft_s, ...)",
                           m->columns[i]);
    }
    return run_given_check(&m->names, &m->options, e);
}

static const char *folder_name(Arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? "." : arena_copy(a, path, (size_t)(slash - path));
}

static bool folder_of(Import *m, const char *path, Folder **ret_folder, Err *e) {
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path);
    for (size_t i = m->n_folders; i-- > 0;) {
        const char *have = m->folders[i].path;
        bool same = slash == NULL ? strcmp(have, ".") == 0
                                  : strlen(have) == length && memcmp(have, path, length) == 0;
        if (!same) continue;
        *ret_folder = &m->folders[i];
        return true;
    }
    RunGiven side = runs_given_none();
    if (strcmp(path, "-") != 0 && !runs_side(m->app, path, m->root, &side, e)) return false;
    if (!run_given_check(&m->names, &side, e)) return err_wrap(e, "file '%s'", RUNS_SIDE_FILE);
    m->folders = arena_grow(&m->app->arena, m->folders, m->n_folders, &m->folders_room, sizeof *m->folders);
    Folder *f = &m->folders[m->n_folders++];
    *f = (Folder){.path = folder_name(&m->app->arena, path), .given = runs_given_merge(&m->options, &side)};
    *ret_folder = f;
    return true;
}

// ---------------------------------------------------------------- records

static Record *add(Import *m, const char *file) {
    m->records = arena_grow(&m->app->arena, m->records, m->n, &m->capacity, sizeof *m->records);
    Record *r = &m->records[m->n++];
    memset(r, 0, sizeof *r);
    r->file = file;
    r->tool = r->reason = r->fate = r->counts = r->doubt = "";
    r->place = (double)NAN;
    return r;
}

static const char *missing_words(Import *m, unsigned missing, const char *why) {
    const char *text = "";
    for (size_t i = 0; i < RUN_MISSING_COUNT; i++) {
        if ((missing >> i & 1u) == 0) continue;
        text =
            arena_printf(&m->app->arena, "%s%s--%s", text, text[0] != '\0' ? ", " : "", run_missing_names[i]);
    }
    return arena_printf(&m->app->arena, "not said: %s%s%s", text, why[0] != '\0' ? "; " : "", why);
}

static void judge(Import *m, Record *r, const RunRead *read, unsigned missing, const char *contradiction,
                  const char *why) {
    r->run = read->run;
    if (contradiction[0] != '\0') {
        r->status = RECORD_CONTRADICTS;
        r->reason = contradiction;
    } else if (missing != 0 && read->run.quarantine[0] != '\0') {
        r->status = RECORD_REFUSED;  // whatever else were said
        r->reason = read->run.quarantine;
    } else if (missing != 0) {
        r->status = RECORD_INCOMPLETE;
        r->reason = missing_words(m, missing, why);
        m->missing |= missing;
    } else if (read->run.quarantine[0] != '\0') {
        r->status = RECORD_QUARANTINED;
        r->reason = read->run.quarantine;
    } else {
        r->reason = own_run_flag_words(&read->run, &m->app->arena);
        r->status = r->reason[0] != '\0' ? RECORD_FLAGGED : RECORD_TAKEN;
    }
}

// Fills one run from the file, the options, the side files and, where somebody sits there, from answers.
static void take_run(Import *m, Folder *folder, const RunsPath *path, const RunRead *as_read) {
    Record *r = add(m, path->shown);
    unsigned missing = 0;
    const char *contradiction = "", *why = "";
    RunRead read = *as_read;
    run_fill(&m->names, &read, &folder->given, m->today, &missing, &contradiction, &why);
    if (missing != 0 && read.run.quarantine[0] == '\0' && m->ask && !folder->asked) {
        folder->asked = true;
        m->ask = runs_ask(m->app, &m->names, path->shown, missing, &folder->given);
        folder->answered = true;
        read = *as_read;
        run_fill(&m->names, &read, &folder->given, m->today, &missing, &contradiction, &why);
    }
    r->tool = read.run.tool;
    r->place = read.run.place;
    judge(m, r, &read, missing, contradiction, why);
}

static void take_rows(Import *m, Folder *folder, const RunsPath *path, const RunsFile *f) {
    for (size_t i = 0; i < f->n; i++) {
        const RunRead *read = &f->rows[i];
        if (read->kind == RUN_IS_RUN) {
            take_run(m, folder, path, read);
            continue;
        }
        Record *r = add(m, path->shown);
        r->tool = read->run.tool;
        r->place = read->run.place;
        r->reason = read->refused;
        bool unknown = f->n == 1 && read->run.tool[0] == '\0' && m->folder;
        r->status = unknown || read->kind == RUN_IS_SIDE ? RECORD_PASSED : RECORD_REFUSED;
    }
}

static bool take_file(Import *m, const RunsPath *path, Err *e) {
    Arena scratch = {0};
    Err why = {0};
    Str text;
    Folder *folder = NULL;
    m->files++;
    if (!runs_bytes(path, &scratch, &text, &why)) {
        Record *r = add(m, path->shown);
        r->status = RECORD_REFUSED;
        r->unread = why.kind == ERR_FAILED;
        r->reason = arena_printf(&m->app->arena, "%s", why.text);
        arena_free(&scratch);
        return true;
    }
    RunsFile f = {.path = path->shown,
                  .text = text,
                  .arena = &m->app->arena,
                  .scratch = &scratch,
                  .columns = m->columns,
                  .n_columns = m->n_columns};
    run_file_read(&f);
    bool ok = folder_of(m, path->path, &folder, e);
    if (ok) take_rows(m, folder, path, &f);
    arena_free(&scratch);
    return ok;
}

// ---------------------------------------------------------------- one run in two forms

static bool in_one_folder(const char *a, const char *b) {
    const char *x = strrchr(a, '/'), *y = strrchr(b, '/');
    size_t n = x == NULL ? 0 : (size_t)(x - a);
    size_t m = y == NULL ? 0 : (size_t)(y - b);
    return n == m && memcmp(a, b, n) == 0;
}

// Of two forms of one run in one folder the fuller one is kept.
static void drop_copies(Import *m) {
    enum { AROUND = 2000 };  // records of a folder stand together
    for (size_t i = 0; i < m->n; i++) {
        for (size_t k = i > AROUND ? i - AROUND : 0; k < i; k++) {
            Record *a = &m->records[k], *b = &m->records[i];
            if (a->status > RECORD_QUARANTINED || b->status > RECORD_QUARANTINED ||
                !runs_are_one(&a->run, &b->run) || !in_one_folder(a->file, b->file))
                continue;
            Record *copy = runs_is_copy(&a->run) ? a : b;
            const Record *kept = copy == a ? b : a;
            copy->status = RECORD_REFUSED;
            copy->reason =
                arena_printf(&m->app->arena, "the same run as in %s, which says more of it", kept->file);
        }
    }
}

// ---------------------------------------------------------------- keeping

// Those that are to be kept, in their order.
static OwnRun *kept_runs(const Import *m, size_t *ret_n) {
    OwnRun *runs = arena_alloc(&m->app->arena, m->n + 1, sizeof *runs);
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (record_is_kept(&m->records[i])) runs[n++] = m->records[i].run;
    }
    *ret_n = n;
    return runs;
}

static bool keep(Import *m, bool dry, Err *e) {
    size_t n = 0;
    OwnRun *runs = kept_runs(m, &n);
    OwnRunFate *fates = arena_alloc(&m->app->arena, m->n + 1, sizeof *fates);
    if (n == 0) return true;
    if (!(dry ? own_runs_try : own_runs_keep)(m->catalog, &m->app->arena, runs, n, fates, e)) return false;
    for (size_t i = 0, k = 0; i < m->n; i++) {
        if (!record_is_kept(&m->records[i])) continue;
        m->records[i].run.id = runs[k].id;
        m->records[i].run.accepted = runs[k].accepted;
        m->records[i].fate = own_run_fate_names[fates[k++]];
    }
    return true;
}

// Do the runs that are kept count? Physics and prediction say what is wrong with them, or hard to believe.
static bool believe(Import *m, Err *e) {
    Facts facts;
    if (!catalog_facts(m->catalog, &m->app->arena, &facts, e)) return false;
    size_t n = 0;
    const OwnRun *runs = kept_runs(m, &n);
    const JudgedRun *j = app_judge_runs(m->app, &facts, runs, n);
    for (size_t i = 0; i < m->n; i++) {
        Record *r = &m->records[i];
        if (!record_is_kept(r)) continue;
        bool less = j->doubt[0] != '\0' || r->status == RECORD_FLAGGED;
        r->counts = !j->counts ? "no" : less ? "less" : "yes";
        r->doubt = j->wrong[0] != '\0' ? j->wrong : j->doubt[0] != '\0' ? j->doubt : j->idle;
        j++;
    }
    return true;
}

// What could not be read is said where the other files have an answer: it is no part of it.
static void warn_of_unread(const Import *m) {
    size_t n = 0;
    const Record *first = NULL;
    for (size_t i = m->n; i-- > 0;) {
        if (!m->records[i].unread) continue;
        first = &m->records[i];
        n++;
    }
    if (n == 1) app_warn(m->app, "'%s' could not be read: %s", first->file, first->reason);
    if (n > 1)
        app_warn(m->app, "%zu paths could not be read; the first is '%s': %s", n, first->file, first->reason);
}

// The reason that stands for all of them where nothing came of it: what could not be read, since nobody knows what
// that holds; what a run lacks; else the first.
static const Record *first_reason(const Import *m) {
    const Record *first = &m->records[0];
    for (size_t i = m->n; i-- > 0;) {
        if (m->records[i].status == RECORD_INCOMPLETE || m->records[i].status == RECORD_CONTRADICTS)
            first = &m->records[i];
    }
    for (size_t i = m->n; i-- > 0;) {
        if (m->records[i].unread) first = &m->records[i];
    }
    return first;
}

// Nothing came of it: a reason is the answer.
static bool nothing(const Import *m, Err *e) {
    for (size_t i = 0; i < m->n; i++) {
        // a machine's description is an answer too: it names the GPU to say
        const Record *r = &m->records[i];
        bool machine = m->n == 1 && r->status == RECORD_PASSED && r->tool[0] != '\0';
        if (record_is_kept(r) || machine) return true;
    }
    if (m->n == 0) return err_set(e, ERR_USAGE, "'%s' holds no file", m->root);
    const Record *first = first_reason(m);
    const char *more = m->n > 1 ? arena_printf(&m->app->arena, " (and %zu more records)", m->n - 1) : "";
    const char *place = is_known(first->place) && first->place > 1
                            ? arena_printf(&m->app->arena, ", record %.0f", first->place)
                            : "";
    return err_set(e, first->unread ? ERR_FAILED : ERR_USAGE, "no run was taken: '%s'%s: %s%s", first->file,
                   place, first->reason, more);
}

static void keep_answers(Import *m, bool dry) {
    for (size_t i = 0; i < m->n_folders && !dry; i++) {
        if (m->folders[i].answered && strcmp(m->root, "-") != 0)
            runs_ask_keep(m->app, m->folders[i].path, &m->folders[i].given);
    }
}

static void print(const Import *m, bool dry) {
    App *app = m->app;
    const RunRecords records = {m->records, m->n, m->files, m->root, m->folder, dry};
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        json_add_text(app->inputs, "path", m->root);
        run_records_json(&records, &app->arena, root);
        return;
    }
    Listing l = run_records(&records, app->format != FORMAT_TABLE, &app->arena);
    app_listing(app, &l);
    if (app->format == FORMAT_TABLE) run_records_remarks(&records, &app->arena, &app->out);
}

int runs_import(App *app) {
    Err e = {0};
    char today[11];
    RunsPath *paths = NULL;
    size_t n = 0;
    bool dry = opt_flag(app, OPT_DRY_RUN);
    format_date(today, app->now / DAY_S);
    Import m = {.app = app, .root = app->args[0], .today = today};
    m.ask = !app->quiet && app->format == FORMAT_TABLE && strcmp(m.root, "-") != 0 && isatty(STDIN_FILENO) &&
            isatty(STDERR_FILENO);
    bool ok = (dry ? app_catalog(app, &m.catalog, &e) : app_kept(app, &m.catalog, &e)) &&
              run_names_open(m.catalog, &app->arena, &m.names, &e) && take_options(&m, &e) &&
              runs_paths(app, m.root, &paths, &n, &m.folder, &e);
    for (size_t i = 0; ok && i < n; i++) ok = take_file(&m, &paths[i], &e);
    if (ok) drop_copies(&m);
    if (!ok || !nothing(&m, &e) || !keep(&m, dry, &e) || !believe(&m, &e)) return app_fail(app, &e);
    keep_answers(&m, dry);
    warn_of_unread(&m);
    print(&m, dry);
    return EXIT_DONE;
}
