// runs import: what becomes of every record of every file, with the reason.
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/own_runs.h"
#include "cli/runs.h"

typedef enum Status {
    STATUS_TAKEN,
    STATUS_FLAGGED,
    STATUS_QUARANTINED,
    STATUS_INCOMPLETE,
    STATUS_CONTRADICTS,
    STATUS_REFUSED,
    STATUS_PASSED,
    STATUS_COUNT
} Status;
static const char *const status_names[] = {"taken",       "flagged", "quarantined", "incomplete",
                                           "contradicts", "refused", "passed over"};

// A record of a file.
typedef struct Record {
    const char *file, *tool, *reason, *fate;
    const char *counts, *doubt;  // yes, less or no; why not in full. Of those that are kept
    double place;
    Status status;
    OwnRun run;  // of those that are kept
} Record;

// What is given for the files of one folder.
typedef struct Folder {
    const char *path;
    RunGiven given;
    bool asked, answered;
} Folder;

typedef struct Import {
    App *app;
    Catalog *catalog;
    RunNames names;
    RunGiven options;
    const char *root, *today;
    const char *const *columns;
    size_t n_columns;
    Record *records;
    size_t n, capacity;
    Folder *folders;
    size_t n_folders, folders_room;
    size_t files;
    bool ask;     // somebody sits at a terminal
    bool folder;  // the import is of one
    unsigned missing;
} Import;

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
        r->status = STATUS_CONTRADICTS;
        r->reason = contradiction;
    } else if (missing != 0 && read->run.quarantine[0] != '\0') {
        r->status = STATUS_REFUSED;  // whatever else were said
        r->reason = read->run.quarantine;
    } else if (missing != 0) {
        r->status = STATUS_INCOMPLETE;
        r->reason = missing_words(m, missing, why);
        m->missing |= missing;
    } else if (read->run.quarantine[0] != '\0') {
        r->status = STATUS_QUARANTINED;
        r->reason = read->run.quarantine;
    } else {
        r->reason = own_run_flag_words(&read->run, &m->app->arena);
        r->status = r->reason[0] != '\0' ? STATUS_FLAGGED : STATUS_TAKEN;
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
        r->status = unknown || read->kind == RUN_IS_SIDE ? STATUS_PASSED : STATUS_REFUSED;
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
        r->status = STATUS_REFUSED;
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
            if (a->status > STATUS_QUARANTINED || b->status > STATUS_QUARANTINED ||
                !runs_are_one(&a->run, &b->run) || !in_one_folder(a->file, b->file))
                continue;
            Record *copy = runs_is_copy(&a->run) ? a : b;
            const Record *kept = copy == a ? b : a;
            copy->status = STATUS_REFUSED;
            copy->reason =
                arena_printf(&m->app->arena, "the same run as in %s, which says more of it", kept->file);
        }
    }
}

// ---------------------------------------------------------------- keeping

static bool is_kept(const Record *r) { return r->status <= STATUS_QUARANTINED; }

// Those that are to be kept, in their order.
static OwnRun *kept_runs(const Import *m, size_t *ret_n) {
    OwnRun *runs = arena_alloc(&m->app->arena, m->n + 1, sizeof *runs);
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++) {
        if (is_kept(&m->records[i])) runs[n++] = m->records[i].run;
    }
    *ret_n = n;
    return runs;
}

static bool keep(Import *m, bool dry, Err *e) {
    size_t n = 0;
    OwnRun *runs = kept_runs(m, &n);
    OwnRunFate *fates = arena_alloc(&m->app->arena, m->n + 1, sizeof *fates);
    if (n == 0) return true;
    if (!(dry ? own_runs_try : own_runs_keep)(m->catalog, runs, n, fates, e)) return false;
    for (size_t i = 0, k = 0; i < m->n; i++) {
        if (!is_kept(&m->records[i])) continue;
        m->records[i].run.id = runs[k].id;
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
        if (!is_kept(r)) continue;
        bool less = j->doubt[0] != '\0' || r->status == STATUS_FLAGGED;
        r->counts = !j->counts ? "no" : less ? "less" : "yes";
        r->doubt = j->wrong[0] != '\0' ? j->wrong : j->doubt[0] != '\0' ? j->doubt : j->idle;
        j++;
    }
    return true;
}

// ---------------------------------------------------------------- the answer

enum {
    C_FILE,
    C_PLACE,
    C_STATUS,
    C_FATE,
    C_RUN,
    C_TOOL,
    C_MODEL,
    C_GPU,
    C_GPUS,
    C_ENGINE,
    C_WEIGHTS,
    C_INPUT,
    C_OUTPUT,
    C_CONCURRENCY,
    C_RATE,
    C_TOKENS,
    C_TTFT,
    C_TPOT,
    C_FLAGS,
    C_REASON,
    C_COUNTS,
    C_DOUBT
};
static const Column columns[] = {
    [C_FILE] = {"file", "FILE", false, 0, false},
    [C_PLACE] = {"place", "#", true, 6, false},
    [C_STATUS] = {"status", "STATUS", false, 0, false},
    [C_FATE] = {"fate", "KEPT", false, 0, true},
    [C_RUN] = {"run", "RUN", true, 9, true},
    [C_TOOL] = {"tool", "TOOL", false, 0, true},
    [C_MODEL] = {"model", "MODEL", false, 0, false},
    [C_GPU] = {"gpu", "GPU", false, 0, false},
    [C_GPUS] = {"gpu_count", "GPUS", true, 6, false},
    [C_ENGINE] = {"engine", "ENGINE", false, 0, true},
    [C_WEIGHTS] = {"weights", "WEIGHTS", false, 0, true},
    [C_INPUT] = {"input_tokens", "IN", true, 4, true},
    [C_OUTPUT] = {"output_tokens", "OUT", true, 4, true},
    [C_CONCURRENCY] = {"batch_or_concurrency", "CONC", true, 4, false},
    [C_RATE] = {"rate_rps", "REQ/S", true, 4, true},
    [C_TOKENS] = {"output_tokens_per_s", "OUT TOK/S", true, 4, false},
    [C_TTFT] = {"ttft_ms", "TTFT MS", true, 4, true},
    [C_TPOT] = {"tpot_ms", "TPOT MS", true, 4, true},
    [C_FLAGS] = {"flags", "FLAGS", false, 0, true},
    [C_REASON] = {"reason", "WHY", false, 0, true},
    [C_COUNTS] = {"counts", "COUNTS", false, 0, false},
    [C_DOUBT] = {"counts_why", "WHY NOT IN FULL", false, 0, true},
};

// The part of a path below the folder of the import.
static const char *below_root(const Import *m, const char *file) {
    size_t n = strlen(m->root);
    while (n > 0 && m->root[n - 1] == '/') n--;
    const char *slash = strrchr(file, '/');
    if (m->folder && strncmp(file, m->root, n) == 0 && file[n] == '/') return file + n + 1;
    return !m->folder && slash != NULL ? slash + 1 : file;
}

static Listing listing_of(Import *m, bool all) {
    Listing l;
    Arena *a = &m->app->arena;
    listing_init(&l, a, "records", columns, COUNT_OF(columns), m->n);
    for (size_t i = 0; i < m->n; i++) {
        const Record *r = &m->records[i];
        bool run = r->status < STATUS_REFUSED;
        const Measurement *x = &r->run.m;
        if (r->status == STATUS_PASSED && !all && m->n > 1 && r->tool[0] == '\0') continue;
        listing_text(&l, C_FILE, all ? r->file : below_root(m, r->file));
        listing_number(&l, C_PLACE, r->place);
        listing_text(&l, C_STATUS, status_names[r->status]);
        listing_text(&l, C_FATE, r->fate);
        listing_number(&l, C_RUN, r->run.id > 0 ? (double)r->run.id : (double)NAN);
        listing_text(&l, C_TOOL, r->tool);
        listing_text(&l, C_MODEL, run ? x->model : "");
        listing_text(&l, C_GPU, run ? x->gpu_sku : "");
        listing_number(&l, C_GPUS, run ? x->gpu_count : (double)NAN);
        listing_text(&l, C_ENGINE, run ? x->engine : "");
        listing_text(&l, C_WEIGHTS, run ? x->precision_weights : "");
        listing_number(&l, C_INPUT, run ? x->input_tokens : (double)NAN);
        listing_number(&l, C_OUTPUT, run ? x->output_tokens : (double)NAN);
        listing_number(&l, C_CONCURRENCY, run ? x->batch_or_concurrency : (double)NAN);
        listing_number(&l, C_RATE, run ? x->rate_rps : (double)NAN);
        listing_number(&l, C_TOKENS, run ? x->output_tokens_per_s : (double)NAN);
        listing_number(&l, C_TTFT, run ? x->ttft_ms : (double)NAN);
        listing_number(&l, C_TPOT, run ? x->tpot_ms : (double)NAN);
        listing_text(&l, C_FLAGS, run ? runs_flags_text(&r->run, a) : "");
        listing_text(&l, C_REASON, r->reason);
        listing_text(&l, C_COUNTS, r->counts);
        listing_text(&l, C_DOUBT, r->doubt);
        listing_row_done(&l);
    }
    return l;
}

static void count(const Import *m, size_t counts[STATUS_COUNT], size_t *ret_unchanged) {
    memset(counts, 0, STATUS_COUNT * sizeof *counts);
    *ret_unchanged = 0;
    for (size_t i = 0; i < m->n; i++) {
        counts[m->records[i].status]++;
        *ret_unchanged += strcmp(m->records[i].fate, "unchanged") == 0;
    }
}

static const char *summary(const Import *m, const size_t counts[STATUS_COUNT], size_t unchanged, bool dry) {
    Arena *a = &m->app->arena;
    const char *text = arena_printf(a, "%s:", counted(a, m->files, "file"));
    bool any = false;
    for (size_t i = 0; i < STATUS_COUNT; i++) {
        if (counts[i] == 0) continue;
        text = arena_printf(a, "%s%s %zu %s", text, any ? "," : "", counts[i], status_names[i]);
        any = true;
    }
    if (unchanged > 0)
        text = arena_printf(a, "%s; %zu of them %s here already", text, unchanged,
                            unchanged == 1 ? "was" : "were");
    return dry ? arena_printf(a, "%s. Nothing was kept (--dry-run).", text) : arena_printf(a, "%s.", text);
}

// Each reason once, with how many records have it: text has no room for it in every row.
static void add_reasons(const Import *m, Buf *out) {
    enum { SHOWN_MAX = 30 };
    size_t shown = 0;
    for (size_t i = 0; i < m->n; i++) {
        const Record *r = &m->records[i];
        size_t same = 0;
        bool before = r->reason[0] == '\0';
        for (size_t k = 0; k < m->n && !before; k++) {
            bool alike = m->records[k].status == r->status && strcmp(m->records[k].reason, r->reason) == 0;
            before = alike && k < i;
            same += alike;
        }
        if (before) continue;
        if (shown++ == SHOWN_MAX) {
            buf_puts(out, "further reasons: --format csv or --json\n");
            return;
        }
        buf_printf(out, "%s (%zu): %s\n", status_names[r->status], same, r->reason);
    }
}

static void add_doubts(const Import *m, Buf *out) {
    enum { SHOWN_MAX = 30 };
    size_t shown = 0;
    for (size_t i = 0; i < m->n; i++) {
        const Record *r = &m->records[i];
        if (!is_kept(r) || r->doubt[0] == '\0' || strcmp(r->doubt, r->reason) == 0) continue;
        if (shown++ == SHOWN_MAX) {
            buf_puts(out, "further doubts: --format csv or --json\n");
            return;
        }
        const char *name = text_clean(&m->app->arena, below_root(m, r->file));
        buf_printf(out, "%s, record %.0f, %s: %s\n", name, r->place,
                   strcmp(r->counts, "no") == 0 ? "does not count" : "counts less", r->doubt);
    }
}

static void print(Import *m, bool dry) {
    App *app = m->app;
    size_t counts[STATUS_COUNT];
    size_t unchanged = 0;
    count(m, counts, &unchanged);
    if (app->format != FORMAT_JSON) {
        Listing l = listing_of(m, app->format != FORMAT_TABLE);
        l.note = summary(m, counts, unchanged, dry);
        app_listing(app, &l);
        if (app->format == FORMAT_TABLE) add_reasons(m, &app->out);
        if (app->format == FORMAT_TABLE) add_doubts(m, &app->out);
        return;
    }
    Json *inputs = NULL;
    Json *root = app_json(app, &inputs);
    Listing l = listing_of(m, true);
    app_inputs_json(app, inputs);
    json_add_text(inputs, "subcommand", app->verb->name);
    json_add_text(inputs, "path", m->root);
    json_add_bool(root, "dry_run", dry);
    json_add_integer(root, "files", (int64_t)m->files);
    Json *totals = json_add_object(root, "counts");
    for (size_t i = 0; i < STATUS_COUNT; i++)
        json_add_integer(totals, i == STATUS_PASSED ? "passed_over" : status_names[i], (int64_t)counts[i]);
    json_add_integer(totals, "unchanged", (int64_t)unchanged);
    listing_json(&l, root);
    app_json_done(app, root);
}

// Nothing came of it: the first reason is the answer.
static bool nothing(const Import *m, Err *e) {
    for (size_t i = 0; i < m->n; i++) {
        // a machine's description is an answer too: it names the GPU to say
        const Record *r = &m->records[i];
        bool machine = m->n == 1 && r->status == STATUS_PASSED && r->tool[0] != '\0';
        if (is_kept(r) || machine) return true;
    }
    if (m->n == 0) return err_set(e, ERR_USAGE, "'%s' holds no file", m->root);
    const Record *first = &m->records[0];
    for (size_t i = m->n; i-- > 0;) {
        if (m->records[i].status == STATUS_INCOMPLETE || m->records[i].status == STATUS_CONTRADICTS)
            first = &m->records[i];
    }
    const char *more = m->n > 1 ? arena_printf(&m->app->arena, " (and %zu more records)", m->n - 1) : "";
    const char *place = is_known(first->place) && first->place > 1
                            ? arena_printf(&m->app->arena, ", record %.0f", first->place)
                            : "";
    return err_set(e, ERR_USAGE, "no run was taken: '%s'%s: %s%s", first->file, place, first->reason, more);
}

static void keep_answers(Import *m, bool dry) {
    for (size_t i = 0; i < m->n_folders && !dry; i++) {
        if (m->folders[i].answered && strcmp(m->root, "-") != 0)
            runs_ask_keep(m->app, m->folders[i].path, &m->folders[i].given);
    }
}

int runs_import(App *app) {
    Err e = {0};
    char today[11];
    RunsPath *paths = NULL;
    size_t n = 0;
    bool dry = opt_flag(app, OPT_DRY_RUN);
    format_date(today, app->now / 86400);
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
    print(&m, dry);
    return EXIT_DONE;
}
