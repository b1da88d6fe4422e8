// Records of result files and what became of them: a table with the reasons below it, or JSON.
#include <math.h>
#include <string.h>

#include "src/report/run_report.h"
#include "src/runs/runs.h"

static const char *const status_names[] = {"taken",       "flagged", "quarantined", "incomplete",
                                           "contradicts", "refused", "passed over", NULL};
NAMES_FIT(status_names, RECORD_COUNT);

// clang-format off
#define COLUMNS(X) \
    X("file",                 "FILE",            TEXT,           all ? r->file : below_root(m, r->file)) \
    X("place",                "#",               NUMBER(6),      r->place) \
    X("status",               "STATUS",          TEXT,           status_names[r->status]) \
    X("fate",                 "KEPT",            MORE_TEXT,      r->fate) \
    X("run",                  "RUN",             MORE_NUMBER(9), r->run.id > 0 ? (double)r->run.id : (double)NAN) \
    X("tool",                 "TOOL",            MORE_TEXT,      r->tool) \
    X("model",                "MODEL",           TEXT,           run ? x->model : "") \
    X("gpu",                  "GPU",             TEXT,           run ? x->gpu_sku : "") \
    X("gpu_count",            "GPUS",            NUMBER(6),      run ? x->gpu_count : (double)NAN) \
    X("engine",               "ENGINE",          MORE_TEXT,      run ? x->engine : "") \
    X("weights",              "WEIGHTS",         MORE_TEXT,      run ? x->precision_weights : "") \
    X("input_tokens",         "IN",              MORE_NUMBER(4), run ? x->input_tokens : (double)NAN) \
    X("output_tokens",        "OUT",             MORE_NUMBER(4), run ? x->output_tokens : (double)NAN) \
    X("batch_or_concurrency", "CONC",            NUMBER(4),      run ? x->batch_or_concurrency : (double)NAN) \
    X("rate_rps",             "REQ/S",           MORE_NUMBER(4), run ? x->rate_rps : (double)NAN) \
    X("output_tokens_per_s",  "OUT TOK/S",       NUMBER(4),      run ? x->output_tokens_per_s : (double)NAN) \
    X("ttft_ms",              "TTFT MS",         MORE_NUMBER(4), run ? x->ttft_ms : (double)NAN) \
    X("tpot_ms",              "TPOT MS",         MORE_NUMBER(4), run ? x->tpot_ms : (double)NAN) \
    X("flags",                "FLAGS",           MORE_TEXT,      run ? runs_flags_text(&r->run, a) : "") \
    X("reason",               "WHY",             MORE_TEXT,      r->reason) \
    X("counts",               "COUNTS",          TEXT,           r->counts) \
    X("counts_why",           "WHY NOT IN FULL", MORE_TEXT,      r->doubt)
// clang-format on

// The part of a path below the folder of the import.
static const char *below_root(const RunRecords *m, const char *file) {
    size_t n = strlen(m->root);
    while (n > 0 && m->root[n - 1] == '/') n--;
    const char *slash = strrchr(file, '/');
    if (m->folder && strncmp(file, m->root, n) == 0 && file[n] == '/') return file + n + 1;
    return !m->folder && slash != NULL ? slash + 1 : file;
}

static Listing listing_of(const RunRecords *m, bool all, Arena *a) {
    Listing l = LISTING(a, "records", COLUMNS, m->n);
    for (size_t i = 0; i < m->n; i++) {
        const Record *r = &m->records[i];
        bool run = r->status < RECORD_REFUSED;
        const Measurement *x = &r->run.m;
        if (r->status == RECORD_PASSED && !all && m->n > 1 && r->tool[0] == '\0') continue;
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    return l;
}

static void count(const RunRecords *m, size_t counts[RECORD_COUNT], size_t *ret_unchanged) {
    memset(counts, 0, RECORD_COUNT * sizeof *counts);
    *ret_unchanged = 0;
    for (size_t i = 0; i < m->n; i++) {
        counts[m->records[i].status]++;
        *ret_unchanged += strcmp(m->records[i].fate, "unchanged") == 0;
    }
}

static const char *summary(const RunRecords *m, const size_t counts[RECORD_COUNT], size_t unchanged,
                           Arena *a) {
    const char *text = arena_printf(a, "%s:", counted(a, m->files, "file"));
    bool any = false;
    for (size_t i = 0; i < RECORD_COUNT; i++) {
        if (counts[i] == 0) continue;
        text = arena_printf(a, "%s%s %zu %s", text, any ? "," : "", counts[i], status_names[i]);
        any = true;
    }
    if (unchanged > 0)
        text = arena_printf(a, "%s; %zu of them %s here already", text, unchanged,
                            unchanged == 1 ? "was" : "were");
    return m->dry ? arena_printf(a, "%s. Nothing was kept (--dry-run).", text) : arena_printf(a, "%s.", text);
}

// Each reason once, with how many records have it: text has no room for it in every row.
static void add_reasons(const RunRecords *m, Buf *out) {
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

static void add_doubts(const RunRecords *m, Arena *a, Buf *out) {
    enum { SHOWN_MAX = 30 };
    size_t shown = 0;
    for (size_t i = 0; i < m->n; i++) {
        const Record *r = &m->records[i];
        if (!record_is_kept(r) || r->doubt[0] == '\0' || strcmp(r->doubt, r->reason) == 0) continue;
        if (shown++ == SHOWN_MAX) {
            buf_puts(out, "further doubts: --format csv or --json\n");
            return;
        }
        const char *name = text_clean(a, below_root(m, r->file));
        buf_printf(out, "%s, record %.0f, %s: %s\n", name, r->place,
                   strcmp(r->counts, "no") == 0 ? "does not count" : "counts less", r->doubt);
    }
}

Listing run_records(const RunRecords *m, bool all, Arena *a) {
    size_t counts[RECORD_COUNT];
    size_t unchanged = 0;
    count(m, counts, &unchanged);
    Listing l = listing_of(m, all, a);
    l.note = summary(m, counts, unchanged, a);
    return l;
}

void run_records_remarks(const RunRecords *m, Arena *a, Buf *out) {
    add_reasons(m, out);
    add_doubts(m, a, out);
}

void run_records_json(const RunRecords *m, Arena *a, Json *root) {
    size_t counts[RECORD_COUNT];
    size_t unchanged = 0;
    count(m, counts, &unchanged);
    Listing l = listing_of(m, true, a);
    json_add(root, J_BOOL("dry_run", m->dry), J_INTEGER("files", m->files));
    Json *totals = json_add_object(root, "counts");
    for (size_t i = 0; i < RECORD_COUNT; i++)
        json_add_integer(totals, i == RECORD_PASSED ? "passed_over" : status_names[i], (int64_t)counts[i]);
    json_add_integer(totals, "unchanged", (int64_t)unchanged);
    listing_json(&l, root);
}
