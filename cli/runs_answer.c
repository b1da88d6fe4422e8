// runs import: the answer, as a table with the reasons below it, or as JSON.
#include "cli/runs_records.h"

#include <math.h>
#include <string.h>

#include "cli/own_runs.h"

static const char *const status_names[] = {"taken",       "flagged", "quarantined", "incomplete",
                                           "contradicts", "refused", "passed over"};

bool record_is_kept(const Record *r) { return r->status <= STATUS_QUARANTINED; }

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
        listing_add(&l, L_TEXT(C_FILE, all ? r->file : below_root(m, r->file)), L_NUMBER(C_PLACE, r->place),
                    L_TEXT(C_STATUS, status_names[r->status]), L_TEXT(C_FATE, r->fate),
                    L_NUMBER(C_RUN, r->run.id > 0 ? (double)r->run.id : (double)NAN), L_TEXT(C_TOOL, r->tool),
                    L_TEXT(C_MODEL, run ? x->model : ""), L_TEXT(C_GPU, run ? x->gpu_sku : ""),
                    L_NUMBER(C_GPUS, run ? x->gpu_count : (double)NAN),
                    L_TEXT(C_ENGINE, run ? x->engine : ""),
                    L_TEXT(C_WEIGHTS, run ? x->precision_weights : ""),
                    L_NUMBER(C_INPUT, run ? x->input_tokens : (double)NAN),
                    L_NUMBER(C_OUTPUT, run ? x->output_tokens : (double)NAN),
                    L_NUMBER(C_CONCURRENCY, run ? x->batch_or_concurrency : (double)NAN),
                    L_NUMBER(C_RATE, run ? x->rate_rps : (double)NAN),
                    L_NUMBER(C_TOKENS, run ? x->output_tokens_per_s : (double)NAN),
                    L_NUMBER(C_TTFT, run ? x->ttft_ms : (double)NAN),
                    L_NUMBER(C_TPOT, run ? x->tpot_ms : (double)NAN),
                    L_TEXT(C_FLAGS, run ? runs_flags_text(&r->run, a) : ""), L_TEXT(C_REASON, r->reason),
                    L_TEXT(C_COUNTS, r->counts), L_TEXT(C_DOUBT, r->doubt));
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
        if (!record_is_kept(r) || r->doubt[0] == '\0' || strcmp(r->doubt, r->reason) == 0) continue;
        if (shown++ == SHOWN_MAX) {
            buf_puts(out, "further doubts: --format csv or --json\n");
            return;
        }
        const char *name = text_clean(&m->app->arena, below_root(m, r->file));
        buf_printf(out, "%s, record %.0f, %s: %s\n", name, r->place,
                   strcmp(r->counts, "no") == 0 ? "does not count" : "counts less", r->doubt);
    }
}

void runs_import_print(Import *m, bool dry) {
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
    Json *root = app_json(app);
    Listing l = listing_of(m, true);
    json_add_text(app->inputs, "path", m->root);
    json_add(root, J_BOOL("dry_run", dry), J_INTEGER("files", m->files));
    Json *totals = json_add_object(root, "counts");
    for (size_t i = 0; i < STATUS_COUNT; i++)
        json_add_integer(totals, i == STATUS_PASSED ? "passed_over" : status_names[i], (int64_t)counts[i]);
    json_add_integer(totals, "unchanged", (int64_t)unchanged);
    listing_json(&l, root);
}
