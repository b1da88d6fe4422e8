// Result files of benchmark tools: any bytes are rows, taken or refused; the first byte says whether columns are named.
// The file of what users add goes through the same bytes.
#include <math.h>
#include <string.h>

#include "catalog/facts/own_runs.h"
#include "src/runs/runs.h"
#include "tests/fuzz/fuzz.h"

static void check_row(const RunsFile *f, RunRead *r, Arena *a) {
    MUST_HOLD(r->run.tool != NULL && r->refused != NULL && r->run.place >= 1);
    MUST_HOLD((r->kind == RUN_IS_RUN) == (r->refused[0] == '\0'));
    if (r->kind != RUN_IS_RUN) return;
    const Measurement *m = &r->run.m;
    const double figures[] = {
        m->output_tokens_per_s, m->tokens_per_s_total, m->ttft_ms, m->tpot_ms, m->e2e_ms,
        m->input_tokens,        m->output_tokens};
    for (size_t i = 0; i < COUNT_OF(figures); i++) MUST_HOLD(isnan(figures[i]) || figures[i] >= 0);
    MUST_HOLD(strlen(r->run.identity) == 16 && f->tool[0] != '\0');
    runs_check(&r->run, a);
    // whatever is kept comes back as it was
    Buf b;
    TableReader t;
    OwnRun back;
    Err e = {0};
    size_t columns[OWN_RUN_COLUMNS_MAX];
    bool more = false;
    r->run.m.id = r->run.m.source = "x";
    r->run.m.as_of = "2026";
    buf_init(&b, BUF_LIMIT);
    own_run_write(&r->run, '\t', true, &b);
    table_open(&t, a, (Str){b.data, b.length}, '\t');
    MUST_HOLD(table_next(&t, &more, &e) && own_run_columns(&t, columns, &e) && table_next(&t, &more, &e) &&
              more);
    if (own_run_cells(&t, columns, a, &back, &e)) MUST_HOLD(strcmp(back.identity, r->run.identity) == 0);
    buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const columns[] = {"speed=output_tokens_per_s", "a.ttft=ttft_s", "model=model"};
    if (size == 0) return 0;
    Arena a = {0};
    Arena scratch = {0};
    Err e = {0};
    RunGiven given = runs_given_none();
    Str text = {(const char *)data + 1, size - 1};
    RunsFile f = {
        .path = "results/8xMI300X/llama2-70b-99/Server/x", .text = text, .arena = &a, .scratch = &scratch};
    if (data[0] % 2 == 1) {
        f.columns = columns;
        f.n_columns = COUNT_OF(columns);
    }
    run_file_read(&f);
    MUST_HOLD(f.n >= 1 && f.n <= RUNS_OF_FILE_MAX);
    for (size_t i = 0; i < f.n && i < 50; i++) check_row(&f, &f.rows[i], &a);
    MUST_HOLD(runs_given_read(text, &a, &given, &e) || e.text[0] != '\0');
    arena_free(&scratch);
    arena_free(&a);
    return 0;
}
