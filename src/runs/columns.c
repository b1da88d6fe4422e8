// Tables with columns of our own names (docs/runs.md), and files of no known tool whose keys the user names.
#include <stddef.h>
#include <stdio.h>

#include "src/runs/parts.h"

typedef enum CellKind { CELL_NUMBER, CELL_SIZE, CELL_SAID, CELL_TEXT } CellKind;

// scale: from the column's unit to the field's.
#define NUMBER(name, field, scale)                                                                           \
    { name, CELL_NUMBER, offsetof(RunRead, run.field), scale }
#define SIZE(name, field)                                                                                    \
    { name, CELL_SIZE, offsetof(RunRead, run.field), 1 }
#define TEXT(name, field)                                                                                    \
    { name, CELL_TEXT, offsetof(RunRead, run.field), 1 }
#define SAID(name, field)                                                                                    \
    { name, CELL_SAID, offsetof(RunRead, said.field), 1 }

static const struct {
    const char *name;
    CellKind kind;
    size_t offset;
    double scale;
} cells[] = {
    SAID("gpu_sku", gpu),
    SAID("gpu", gpu),
    SIZE("gpu_count", m.gpu_count),
    SAID("model", model),
    SAID("precision_weights", weights),
    SAID("precision_kv", kv),
    SAID("engine", engine),
    SAID("engine_version", version),
    TEXT("scenario", m.scenario),
    TEXT("task", m.task),
    NUMBER("input_tokens", m.input_tokens, 1),
    NUMBER("output_tokens", m.output_tokens, 1),
    NUMBER("batch_or_concurrency", m.batch_or_concurrency, 1),
    NUMBER("rate_rps", m.rate_rps, 1),
    SIZE("tp", m.tp),
    SIZE("pp", m.pp),
    SIZE("ep", m.ep),
    SIZE("dp", m.dp),
    TEXT("draft_tokens", m.draft_tokens),
    NUMBER("output_tokens_per_s", m.output_tokens_per_s, 1),
    NUMBER("tokens_per_s_total", m.tokens_per_s_total, 1),
    TEXT("tokens_kind", m.tokens_kind),
    NUMBER("ttft_ms", m.ttft_ms, 1),
    NUMBER("ttft_s", m.ttft_ms, 1000),
    NUMBER("ttft_p99_ms", m.ttft_p99_ms, 1),
    NUMBER("ttft_p99_s", m.ttft_p99_ms, 1000),
    NUMBER("tpot_ms", m.tpot_ms, 1),
    NUMBER("tpot_s", m.tpot_ms, 1000),
    NUMBER("tpot_p99_ms", m.tpot_p99_ms, 1),
    NUMBER("tpot_p99_s", m.tpot_p99_ms, 1000),
    NUMBER("e2e_ms", m.e2e_ms, 1),
    NUMBER("e2e_s", m.e2e_ms, 1000),
    TEXT("latency_statistic", m.latency_statistic),
    TEXT("host", host),
    TEXT("ran_at", ran_at),
    NUMBER("seconds", seconds, 1),
    NUMBER("requests_asked", requests_asked, 1),
    NUMBER("requests_completed", requests_completed, 1),
    NUMBER("requests_failed", requests_failed, 1),
    NUMBER("requests_per_s", requests_per_s, 1),
    NUMBER("concurrency_mean", concurrency_mean, 1),
    NUMBER("cached_share", cached_share, 1),
    NUMBER("shared_prefix_tokens", shared_prefix_tokens, 1),
    SIZE("prefill_gpus", prefill_gpus),
    TEXT("note", note),
    TEXT("identity", identity),
    TEXT("tool", tool),
    NUMBER("flags", flags, 1),
};

static int cell_named(Str name) {
    for (size_t i = 0; i < COUNT_OF(cells); i++) {
        if (str_is(name, cells[i].name)) return (int)i;
    }
    return -1;
}

static void set_cell(const RunsFile *f, RunRead *r, int cell, Str value) {
    char *where = (char *)r + cells[cell].offset;
    value = str_trim(value);
    if (value.length == 0) return;
    if (cells[cell].kind == CELL_NUMBER || cells[cell].kind == CELL_SIZE) {
        double x = number_of(value) * cells[cell].scale;
        if (cells[cell].kind == CELL_SIZE && !(x >= 1 && floor(x) == x)) x = UNKNOWN_NUMBER;
        if (!(x >= 0)) x = UNKNOWN_NUMBER;
        memcpy(where, &x, sizeof x);
    } else {
        const char *text = text_of(f, value);
        memcpy(where, &text, sizeof text);
    }
}

// What the columns left open; false: nothing was measured.
static bool complete(RunsFile *f, RunRead *r) {
    Measurement *m = &r->run.m;
    static const char *const scenarios[] = {"fixed-concurrency", "offline", "single-stream", "server",
                                            "request-rate",      "prefill", "training"};
    static const char *const tasks[] = {"serving", "prefill", "pretrain", "finetune-lora", "finetune-full"};
    bool known = false;
    for (size_t i = 0; i < COUNT_OF(scenarios); i++) known = known || strcmp(m->scenario, scenarios[i]) == 0;
    if (!known)
        m->scenario = is_known(m->rate_rps)               ? "request-rate"
                      : is_known(m->batch_or_concurrency) ? "fixed-concurrency"
                                                          : "offline";
    known = false;
    for (size_t i = 0; i < COUNT_OF(tasks); i++) known = known || strcmp(m->task, tasks[i]) == 0;
    if (!known) m->task = "serving";
    r->run.ran_at = day_of(f, r->run.ran_at);
    if (!(r->run.flags >= 0 && r->run.flags < 1 << RUN_FLAG_COUNT)) r->run.flags = 0;
    if (!is_known(r->run.cached_share) || r->run.cached_share > 1) r->run.cached_share = UNKNOWN_NUMBER;
    return is_known(m->output_tokens_per_s) || is_known(m->tokens_per_s_total) || is_known(m->ttft_ms) ||
           is_known(m->tpot_ms) || is_known(m->e2e_ms);
}

// "KEY=COLUMN" by its last sign.
static bool split_pair(const char *pair, Str *ret_key, int *ret_cell) {
    const char *sign = strrchr(pair, '=');
    if (sign == NULL || sign == pair) return false;
    *ret_key = (Str){pair, (size_t)(sign - pair)};
    *ret_cell = cell_named(str_of(sign + 1));
    return *ret_cell >= 0;
}

bool runs_column_known(const char *pair) {
    Str key;
    int cell = -1;
    return split_pair(pair, &key, &cell);
}

// Rows of a table whose header names the cells (`mapped`: through f->columns).
static void read_table(RunsFile *f, const char *tool, Str text, bool mapped) {
    TableReader t;
    Err e = {0};
    bool more = false;
    int at_cell[TABLE_CELLS_MAX];
    Str first = {0};
    Str rest = text;
    line_next(&rest, &first);
    table_open(&t, f->scratch, text, str_has(first, "\t") ? '\t' : ',');
    bool ok = table_next(&t, &more, &e);
    size_t n = ok && more ? t.n_cells : 0;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        at_cell[i] = mapped ? -1 : cell_named(str_trim(t.cells[i]));
        for (size_t k = 0; mapped && k < f->n_columns; k++) {
            Str key;
            int cell = -1;
            bool same = split_pair(f->columns[k], &key, &cell) && key.length == str_trim(t.cells[i]).length &&
                        memcmp(key.data, str_trim(t.cells[i]).data, key.length) == 0;
            if (same) at_cell[i] = cell;
        }
        any = any || at_cell[i] >= 0;
    }
    if (ok && !any) return;
    while (ok && (ok = table_next(&t, &more, &e)) && more) {
        RunRead *r = run_new(f, tool);
        if (r == NULL) return;
        for (size_t i = 0; i < n && i < t.n_cells; i++) {
            if (at_cell[i] >= 0) set_cell(f, r, at_cell[i], t.cells[i]);
        }
        if (complete(f, r)) continue;
        f->n--;
        run_refuse(f, tool, RUN_IS_NONE, arena_printf(f->arena, "line %zu: nothing was measured", t.line));
    }
    if (!ok) run_refuse(f, tool, RUN_IS_NONE, arena_printf(f->arena, "%s", e.text));
}

void read_own_csv(RunsFile *f, Str text) { read_table(f, "own-csv", text, false); }

void read_columns_csv(RunsFile *f, Str text) { read_table(f, "columns", text, true); }

static bool take_object(RunsFile *f, const Json *o) {
    RunRead *r = run_new(f, "columns");
    bool any = false;
    if (r == NULL) return false;
    for (size_t k = 0; k < f->n_columns; k++) {
        Str key;
        int cell = -1;
        if (!split_pair(f->columns[k], &key, &cell)) continue;
        const char *text = text_at(f, o, arena_copy(f->arena, key.data, key.length));
        any = any || text[0] != '\0';
        set_cell(f, r, cell, str_of(text));
    }
    if (any && complete(f, r)) return true;
    f->n--;
    return false;
}

// The object itself, or those of a list in it.
static void take_objects(RunsFile *f, const Json *value, int depth) {
    enum { DEPTH_MAX = 4 };
    if (json_is_object(value) && take_object(f, value)) return;
    for (const Json *j = json_first(value); j != NULL && depth < DEPTH_MAX; j = json_next(j)) {
        if (json_first(j) != NULL) take_objects(f, j, depth + 1);
    }
}

void read_columns_json(RunsFile *f, const Json *value) {
    size_t before = f->n;
    take_objects(f, value, 0);
    if (f->n == before)
        run_refuse(f, "columns", RUN_IS_NONE, "none of the keys of --column lead to a measured figure in it");
}
