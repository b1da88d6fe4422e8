// Runs of the user's own as rows: whether they count, figures and predictions, every column.
#include <math.h>
#include <string.h>

#include "src/report/browse.h"
#include "src/report/run_report.h"
#include "src/runs/runs.h"

const char *own_run_flag_words(const OwnRun *run, Arena *a) {
    const char *text = "";
    for (size_t i = 0; own_run_flag_names[i] != NULL; i++) {
        if (((unsigned)run->flags >> i & 1u) == 0) continue;
        text = text[0] == '\0' ? own_run_flag_reasons[i]
                               : arena_printf(a, "%s; %s", text, own_run_flag_reasons[i]);
    }
    return text;
}

const char *own_run_state(const JudgedRun *j, Arena *a) {
    if (j->wrong[0] != '\0') return arena_printf(a, "quarantined: %s", j->wrong);
    const char *flags = runs_flags_text(j->run, a);
    if (j->idle[0] != '\0')
        return arena_printf(a, "moves no estimate: %s%s%s", j->idle, flags[0] != '\0' ? "; " : "", flags);
    if (j->doubt[0] != '\0')
        return arena_printf(a, "doubtful: %s%s%s", j->doubt, flags[0] != '\0' ? "; " : "", flags);
    return flags[0] != '\0' ? flags : "counts";
}

// clang-format off
#define COLUMNS(X) \
    X("run",                         "RUN",       NUMBER(9),      r->id) \
    X("ran_at",                      "RAN",       TEXT,           r->ran_at) \
    X("host",                        "HOST",      MORE_TEXT,      r->host) \
    X("tool",                        "TOOL",      MORE_TEXT,      r->tool) \
    X("model",                       "MODEL",     TEXT,           m->model) \
    X("gpu_sku",                     "GPU",       TEXT,           m->gpu_sku) \
    X("gpu_count",                   "GPUS",      NUMBER(6),      m->gpu_count) \
    X("engine",                      "ENGINE",    TEXT,           m->engine) \
    X("precision_weights",           "WEIGHTS",   TEXT,           m->precision_weights) \
    X("tp",                          "TP",        MORE_NUMBER(4), m->tp) \
    X("input_tokens",                "IN",        NUMBER(4),      m->input_tokens) \
    X("output_tokens",               "OUT",       NUMBER(4),      m->output_tokens) \
    X("batch_or_concurrency",        "CONC",      NUMBER(4),      m->batch_or_concurrency) \
    X("rate_rps",                    "REQ/S",     MORE_NUMBER(4), m->rate_rps) \
    X("output_tokens_per_s",         "OUT TOK/S", NUMBER(4),      m->output_tokens_per_s) \
    X("measured_tokens_per_s",       "MEASURED",  MORE_NUMBER(4), x.measured) \
    X("predicted_tokens_per_s",      "PREDICTED", NUMBER(4),      x.predicted.value) \
    X("predicted_low_tokens_per_s",  "LOW",       MORE_NUMBER(4), x.predicted.low) \
    X("predicted_high_tokens_per_s", "HIGH",      MORE_NUMBER(4), x.predicted.high) \
    X("ttft_ms",                     "TTFT MS",   NUMBER(4),      m->ttft_ms) \
    X("tpot_ms",                     "TPOT MS",   NUMBER(4),      m->tpot_ms) \
    X("state",                       "STATE",     TEXT,           own_run_state(j, a)) \
    X("file",                        "FILE",      MORE_TEXT,      r->file)
// clang-format on

// Tokens/s: of output, of prompts alone for a run that reads prompts only; unknown where nothing is predicted.
typedef struct Speeds {
    double measured;
    Estimate predicted;  // without any own run's help
} Speeds;

static Speeds speeds_of(const JudgedRun *j) {
    const Prediction *p = &j->prediction;
    bool known = p->not_predicted == NULL;
    double rate = known ? p->rate : (double)NAN;
    return (Speeds){known ? measured_rate(&j->run->m, p) : (double)NAN,
                    estimate_of(rate, p->sigma_log, p->basis, "")};
}

static void run_row(Listing *l, const JudgedRun *j, Arena *a) {
    const OwnRun *r = j->run;
    const Measurement *m = &r->m;
    Speeds x = speeds_of(j);
    listing_row(l, COLUMNS(LISTING_CELL));
}

static void run_json(const JudgedRun *j, Json *object, Arena *a) {
    const OwnRun *r = j->run;
    Speeds x = speeds_of(j);
    json_add_integer(object, "run", r->id);
    row_json(object, &fact_tables[TABLE_MEASUREMENTS], &r->m);
    const Table *t = &own_run_table;
    for (size_t i = 0; i < t->n_fields; i++) {
        Table one = {.name = t->name, .fields = &t->fields[i], .n_fields = 1, .row_size = t->row_size};
        if (strcmp(t->fields[i].name, "flags") != 0) row_json(object, &one, r);
    }
    Json *flags = json_add_array(object, "flags");
    for (size_t i = 0; own_run_flag_names[i] != NULL; i++) {
        if (((unsigned)r->flags >> i & 1u) != 0) json_add_text(flags, NULL, own_run_flag_names[i]);
    }
    json_add(object, J_NUMBER("measured_tokens_per_s", x.measured),
             J_NUMBER("predicted_tokens_per_s", x.predicted.value),
             J_NUMBER("predicted_low_tokens_per_s", x.predicted.low),
             J_NUMBER("predicted_high_tokens_per_s", x.predicted.high), J_TEXT("state", own_run_state(j, a)),
             J_BOOL("counts", j->counts));
}

void runs_json(const JudgedRun *judged, size_t n, Arena *a, Json *root) {
    Json *list = json_add_array(root, "runs");
    for (size_t i = 0; i < n; i++) run_json(&judged[i], json_add_object(list, NULL), a);
}

Listing run_rows(const JudgedRun *judged, size_t n, Arena *a) {
    Listing l = LISTING(a, "runs", COLUMNS, n);
    for (size_t i = 0; i < n; i++) run_row(&l, &judged[i], a);
    l.note = "MEASURED, PREDICTED, LOW and HIGH are tokens/s: of output, of prompts alone for runs that read "
             "prompts only; predicted without any own run's help, in an 80 % range.";
    return l;
}

// Every column of the runs, those of a measurement first.
Listing run_full_rows(const JudgedRun *judged, size_t n, Arena *a) {
    const Table *m = &fact_tables[TABLE_MEASUREMENTS];
    size_t total = 1 + m->n_fields + own_run_table.n_fields;
    Column *all = arena_alloc(a, total, sizeof *all);
    all[0] = (Column){.key = "state", .title = "state"};
    for (size_t i = 1; i < total; i++) {
        const Field *f = i <= m->n_fields ? &m->fields[i - 1] : &own_run_table.fields[i - 1 - m->n_fields];
        all[i] = (Column){.key = f->name, .title = f->name, .number = f->kind == FIELD_NUM, .digits = 6};
    }
    Listing l = listing_new(a, "runs", all, total, n);
    for (size_t r = 0; r < n; r++) {
        listing_text(&l, 0, own_run_state(&judged[r], a));
        for (size_t i = 0; i < m->n_fields; i++)
            listing_field(&l, 1 + i, &m->fields[i], &judged[r].run->m, 1);
        for (size_t i = 0; i < own_run_table.n_fields; i++)
            listing_field(&l, 1 + m->n_fields + i, &own_run_table.fields[i], judged[r].run, 1);
        listing_row_done(&l);
    }
    return l;
}
