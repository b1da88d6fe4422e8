// The estimator's accuracy as a page: a picture, the worst rows, what lies above physics, what is not
// modelled.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/embedded.h"
#include "src/report/validation.h"

static bool is_shown(const Check *c) {
    bool grade = strcmp(c->row->grade, "A") == 0 || strcmp(c->row->grade, "B") == 0;
    return grade && !c->special && !c->row->held_out && strcmp(c->row->task, "serving") == 0 &&
           is_known(c->error);
}

// ---------------------------------------------------------------- picture

enum { COLUMNS = 72, LINES = 30 };
static const double LOWEST = 1, HIGHEST = 1e5;  // output tokens/s

static int place(double x, int n) {
    double at = log(x / LOWEST) / log(HIGHEST / LOWEST) * (n - 1);
    return at < 0 ? 0 : at > n - 1 ? n - 1 : (int)lround(at);
}

static void picture(const Validation *v, Buf *out) {
    char grid[LINES][COLUMNS + 1];
    memset(grid, ' ', sizeof grid);
    for (int x = 0; x < COLUMNS; x++) grid[x * (LINES - 1) / (COLUMNS - 1)][x] = '.';
    for (size_t i = 0; i < v->n; i++) {
        const Check *c = &v->checks[i];
        if (!is_shown(c)) continue;
        char *at = &grid[place(c->prediction.rate, LINES)][place(c->row->output_tokens_per_s, COLUMNS)];
        char mark = c->prediction.gpu->vendor == VENDOR_AMD ? 'A' : 'N';
        *at = *at == ' ' || *at == '.' || *at == mark ? mark : '#';
    }
    buf_puts(out, "## Predicted over measured output tokens/s\n\nBoth axes from 1 to 100,000, logarithmic; "
                  "N: NVIDIA, A: AMD, #: both; dots: predicted as measured.\n\n```text\n");
    for (int y = LINES - 1; y >= 0; y--) {
        int n = COLUMNS;
        while (n > 0 && grid[y][n - 1] == ' ') n--;
        grid[y][n] = '\0';
        buf_printf(out, "%9s |%s\n",
                   y == LINES - 1         ? "100000"
                   : y == (LINES - 1) / 2 ? "predicted"
                   : y == 0               ? "1"
                                          : "",
                   grid[y]);
    }
    buf_printf(out, "%9s +", "");
    for (int x = 0; x < COLUMNS; x++) buf_puts(out, "-");
    buf_printf(out, "\n%11s1%*s%*s\n```\n", "", COLUMNS / 2, "measured", COLUMNS / 2 - 1, "100000");
}

// ---------------------------------------------------------------- worst rows

static bool weights_unstated(const Check *c) { return c->row->precision_weights[0] == '\0'; }
static bool old_software(const Check *c) { return strcmp(c->row->date, "2025") < 0; }
static bool engine_chose(const Check *c) { return strcmp(c->row->grade, "B") == 0; }
static bool short_run(const Check *c) {
    return c->row->output_tokens < 256 && c->row->batch_or_concurrency >= 32;
}
static bool expanded(const Check *c) {
    return c->prediction.serving.compute != DTYPE_UNKNOWN &&
           dtype_bits(c->prediction.serving.weights) < dtype_bits(c->prediction.serving.compute) - 1;
}
static bool is_new(const Check *c) {
    return c->prediction.subject.software_date - c->prediction.model->released < 0.35;
}
static bool long_context(const Check *c) { return c->row->input_tokens >= 16384; }
static bool is_thin(const Check *c) { return c->prediction.sigma_log > 0.3; }
static bool small_experts(const Check *c) {
    return model_is_moe(c->prediction.model) && c->prediction.model->params_active < 5e9;
}

static const struct {
    bool (*holds)(const Check *c);
    const char *reason;
} reasons[] = {
    {weights_unstated, "dtype of the weights not stated"},
    {old_software, "software of before 2025, far from settled"},
    {is_new, "model new at the time: first kernels"},
    {expanded, "weights are expanded before products: kernels differ widely"},
    {short_run, "short answers, many in flight: start and end of the run weigh in"},
    {engine_chose, "batch not published"},
    {long_context, "long prompt"},
    {small_experts, "few active parameters: launches rule, not peaks"},
    {is_thin, "hardly any other row of its group"},
};

static int worst_first(const void *left, const void *right) {
    double a = fabs((*(const Check *const *)left)->error);
    double b = fabs((*(const Check *const *)right)->error);
    return (a < b) - (a > b);
}

static const char *reason_of(const Check *c, Arena *a) {
    const char *text = "";
    for (size_t i = 0; i < COUNT_OF(reasons); i++) {
        if (reasons[i].holds(c))
            text = arena_printf(a, "%s%s%s", text, text[0] != '\0' ? "; " : "", reasons[i].reason);
    }
    return text[0] != '\0' ? text : "none found";
}

static void worst_rows(const Validation *v, Arena *a, Buf *out) {
    enum { SHOWN = 10 };
    const Check **rows = arena_alloc(a, v->n + 1, sizeof *rows);
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        if (is_shown(&v->checks[i])) rows[n++] = &v->checks[i];
    }
    qsort(rows, n, sizeof *rows, worst_first);
    buf_puts(out, "\n## The worst ten rows\n\n| ROW | GPUS | MODEL | ENGINE, DATE | MEASURED | PREDICTED | "
                  "WHAT SPEAKS AGAINST IT |\n|---|---|---|---|---:|---:|---|\n");
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        const Measurement *m = rows[i]->row;
        const char *cells[] = {m->id,
                               arena_printf(a, "%g x %s", m->gpu_count, m->gpu_sku),
                               arena_printf(a, "%s %s", m->model, m->precision_weights),
                               arena_printf(a, "%s %s", m->engine, m->date),
                               arena_printf(a, "%.0f", m->output_tokens_per_s),
                               arena_printf(a, "%.0f", rows[i]->prediction.rate),
                               reason_of(rows[i], a)};
        buf_puts(out, "|");
        for (size_t c = 0; c < COUNT_OF(cells); c++) {
            buf_puts(out, " ");
            md_cell(out, cells[c]);
            buf_puts(out, " |");
        }
        buf_puts(out, "\n");
    }
}

// ---------------------------------------------------------------- bounds

static bool is_beyond(const Check *c) {
    const Prediction *p = &c->prediction;
    bool serving = p->not_predicted == NULL && !c->special && strcmp(c->row->task, "serving") == 0 &&
                   c->row->output_tokens_per_s > 0;
    return serving &&
           c->row->output_tokens_per_s > serving_bound(&p->serving, p->point.running) * p->replicas;
}

static void beyond_physics(const Validation *v, Buf *out) {
    size_t n = 0;
    buf_puts(out,
             "\n## Public figures that physics forbids\n\nClaims of articles are held against dense peaks "
             "and bandwidth in [claims.md](claims.md) (`gpuadvise check --claims`). Of the measurements "
             "here, at the stated conditions and full datasheet bandwidth and arithmetic, ");
    for (size_t i = 0; i < v->n; i++) n += is_beyond(&v->checks[i]);
    if (n == 0) buf_puts(out, "none lies above the bound.\n");
    if (n > 0)
        buf_printf(out, "%zu lie above the bound, so that a condition is stated wrongly or read wrongly:\n\n",
                   n);
    for (size_t i = 0; i < v->n; i++) {
        const Check *c = &v->checks[i];
        if (!is_beyond(c)) continue;
        buf_puts(out, "- ");
        md_cell(out, c->row->id);
        buf_printf(out, " (grade %s): ", c->row->grade);
        md_cell(out, c->row->model);
        buf_printf(out, " on %g x ", c->row->gpu_count);
        md_cell(out, c->row->gpu_sku);
        buf_printf(out, ", %.4g tokens/s against %.4g\n", c->row->output_tokens_per_s,
                   serving_bound(&c->prediction.serving, c->prediction.point.running) *
                       c->prediction.replicas);
    }
}

// ---------------------------------------------------------------- the page

enum {
    HELD_OUT,
    NOT_MODELLED
};  // of embedded_prose, by name; what is held out is true of the shipped rows alone

void accuracy_page(const Validation *v, Arena *a, Buf *out) {
    buf_puts(out, v->own ? "\n" : embedded_prose[HELD_OUT].data);
    picture(v, out);
    worst_rows(v, a, out);
    beyond_physics(v, out);
    buf_puts(out, embedded_prose[NOT_MODELLED].data);
}
