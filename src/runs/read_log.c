// Logs: MLPerf's summary, and training by torchtitan, Megatron (and AMD's Primus), NeMo, MaxText.
#include <stdlib.h>

#include "src/runs/parts.h"

// ---------------------------------------------------------------- MLPerf

// ".../results/<system>/<model>/<scenario>/..." -> the parts; false: the path has no such folders.
static bool path_parts(const RunsFile *f, const char **ret_system, const char **ret_model) {
    Str rest = str_of(f->path);
    Str part;
    int behind = -1;
    while (str_next(&rest, '/', &part)) {
        if (behind == 0) *ret_system = text_of(f, part);
        if (behind == 1) *ret_model = text_of(f, part);
        if (behind >= 0) behind++;
        if (behind < 0 && str_is(part, "results")) behind = 0;
        if (behind == 2) return true;
    }
    return false;
}

// "8xMI300X_2xEPYC": "MI300X" and 8; "H200_NVL_141GBx8": the words before, and 8.
static void system_of(const RunsFile *f, RunRead *r, const char *system) {
    Str rest = str_of(system);
    Str part;
    while (str_next(&rest, '_', &part)) {
        for (size_t i = 1; i + 1 < part.length; i++) {
            if (part.data[i] != 'x') continue;
            double before = number_of((Str){part.data, i});
            double behind = number_of((Str){part.data + i + 1, part.length - i - 1});
            if (is_known(r->run.m.gpu_count)) continue;
            if (before >= 1) {
                r->run.m.gpu_count = before;
                r->said.gpu = text_of(f, (Str){part.data + i + 1, part.length - i - 1});
            } else if (behind >= 1 && behind <= 1024) {
                r->run.m.gpu_count = behind;
                r->said.gpu = text_of(f, (Str){system, (size_t)(part.data + i - system)});
            }
        }
    }
}

static const struct {
    const char *label;
    int slot;
    double scale;
} mlperf_labels[] = {
    {"Tokens per second", 0, 1},
    {"Completed tokens per second", 0, 1},
    {"Tokens per second (inferred)", 0, 1},
    {"Samples per second", 1, 1},
    {"Completed samples per second", 1, 1},
    {"50.00 percentile first token latency (ns)", 2, 1e-6},
    {"99.00 percentile first token latency (ns)", 3, 1e-6},
    {"50.00 percentile time to output token (ns)", 4, 1e-6},
    {"99.00 percentile time to output token (ns)", 5, 1e-6},
    {"Mean latency (ns)", 6, 1e-6},
    {"Max latency (ns)", 7, 1e-9},
    {"target_qps", 8, 1},
    {"Scheduled samples per second", 9, 1},
};
enum { MLPERF_SLOTS = 10 };

void read_mlperf(RunsFile *f, Str text) {
    double x[MLPERF_SLOTS];
    const char *scenario = "", *result = "";
    Str line, value;
    for (size_t i = 0; i < MLPERF_SLOTS; i++) x[i] = UNKNOWN_NUMBER;
    while (line_next(&text, &line)) {
        if (line_value(line, "Scenario", &value)) scenario = text_of(f, value);
        if (line_value(line, "Result is", &value)) result = text_of(f, value);
        for (size_t i = 0; i < COUNT_OF(mlperf_labels); i++) {
            if (line_value(line, mlperf_labels[i].label, &value))
                x[mlperf_labels[i].slot] = number_of(value) * mlperf_labels[i].scale;
        }
    }
    if (!(x[0] > 0)) {
        run_refuse(f, "mlperf", RUN_IS_NONE, "no tokens a second: it is none of a language model");
        return;
    }
    RunRead *r = run_new(f, "mlperf");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    const char *system = "", *model = "";
    if (path_parts(f, &system, &model)) {
        system_of(f, r, system);
        r->said.model = model;
    }
    m->run_class = "mlperf";
    m->grade = "C";
    bool server = text_same(scenario, "Server") || text_same(scenario, "Interactive");
    m->scenario = server ? "server" : text_same(scenario, "SingleStream") ? "single-stream" : "offline";
    if (!server) m->batch_or_concurrency = UNKNOWN_NUMBER;
    m->output_tokens_per_s = x[0];
    m->tokens_per_s_total = x[0];
    m->tokens_kind = "output";
    run->requests_per_s = positive(x[1]);
    m->output_tokens = is_known(run->requests_per_s) ? x[0] / run->requests_per_s : UNKNOWN_NUMBER;
    if (server) {
        m->rate_rps = positive(is_known(x[9]) ? x[9] : x[8]);
        m->ttft_ms = positive(x[2]);
        m->ttft_p99_ms = positive(x[3]);
        m->tpot_ms = positive(x[4]);
        m->tpot_p99_ms = positive(x[5]);
        m->e2e_ms = positive(x[6]);
        m->latency_statistic = is_known(m->ttft_ms) ? "median" : "";
    } else {
        run->seconds = positive(x[7]);  // everything is asked for at once
    }
    if (!text_same(result, "VALID")) run_flag(r, RUN_INVALID);
}

// ---------------------------------------------------------------- training

typedef enum Trainer {
    TRAINER_TITAN,
    TRAINER_MEGATRON,
    TRAINER_NEMO,
    TRAINER_MAXTEXT,
    TRAINER_COUNT
} Trainer;
static const char *const trainer_names[] = {"torchtitan", "megatron-lm", "nemo", "maxtext"};

// One step as a line tells it; NaN: it does not.
typedef struct Step {
    double step, tokens_gpu, ms, batch, skipped, mfu, tflops;
    Trainer trainer;
} Step;

// The number behind `label` in a line, blanks and a colon between; NaN: none.
static double behind(Str line, const char *label) {
    const char *hit = find_in(line, label);
    if (hit == NULL) return UNKNOWN_NUMBER;
    const char *end = line.data + line.length;
    const char *p = hit + strlen(label);
    while (p < end && (*p == ' ' || *p == ':' || *p == '=' || *p == '\t')) p++;
    const char *from = p;
    while (p < end && ((*p >= '0' && *p <= '9') || strchr(".,+-eE", *p) != NULL)) p++;
    while (p > from && (p[-1] == ',' || p[-1] == '.')) p--;
    return number_of((Str){from, (size_t)(p - from)});
}

static bool step_of(Str line, Step *ret) {
    Step s = {UNKNOWN_NUMBER, UNKNOWN_NUMBER, UNKNOWN_NUMBER, UNKNOWN_NUMBER,
              UNKNOWN_NUMBER, UNKNOWN_NUMBER, UNKNOWN_NUMBER, TRAINER_TITAN};
    if (str_has(line, "tps:") && str_has(line, "step:")) {
        s.step = behind(line, "step:");
        s.tokens_gpu = behind(line, "tps:");
        s.mfu = behind(line, "mfu:");
        s.tflops = behind(line, "tflops:");
    } else if (str_has(line, "elapsed time per iteration (ms):")) {
        s.trainer = TRAINER_MEGATRON;
        s.step = behind(line, "iteration");
        s.ms = behind(line, "elapsed time per iteration (ms):");
        s.batch = behind(line, "global batch size:");
        s.skipped = behind(line, "number of skipped iterations:");
        s.tokens_gpu = behind(line, "tokens per GPU (tokens/s/GPU):");
    } else if (str_has(line, "Tokens/s/device:")) {
        s.trainer = TRAINER_MAXTEXT;
        s.step = behind(line, "completed step:");
        s.tokens_gpu = behind(line, "Tokens/s/device:");
        s.ms = behind(line, "seconds:") * 1000;
    } else if (str_has(line, "train_step_timing in s")) {
        s.trainer = TRAINER_NEMO;
        s.step = behind(line, "global_step");
        s.ms = behind(line, "train_step_timing in s") * 1000;
        s.batch = behind(line, "global_batch_size");
    } else {
        return false;
    }
    *ret = s;
    return true;
}

static double median_of(double *x, size_t n) {
    if (n == 0) return UNKNOWN_NUMBER;
    qsort(x, n, sizeof *x, order_doubles);
    return n % 2 == 1 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

// Numbers of the steps that count, in one arena.
typedef struct Steps {
    double *tokens_gpu, *ms;
    size_t n_tokens, n_ms, room_tokens, room_ms;
    size_t all, skipped, warm;
    double batch, mfu, tflops, seconds, last_step;
    Trainer trainer;
} Steps;

// The first ten steps warm up; where a log has none behind them, its last ones have to do, flagged.
enum { WARM_STEPS = 10, STEPS_MAX = 5000000 };

static void count_step(Steps *all, const Step *s, bool warm_too, Arena *a) {
    all->all++;
    all->trainer = s->trainer;
    if (is_known(s->batch)) all->batch = s->batch;
    if (is_known(s->ms)) all->seconds += s->ms / 1000;
    if (s->skipped > 0) {
        all->skipped++;
        return;
    }
    if (is_known(s->step) && s->step <= WARM_STEPS && !warm_too) {
        all->warm++;
        return;
    }
    if (is_known(s->mfu)) all->mfu = s->mfu;
    if (is_known(s->tflops)) all->tflops = s->tflops;
    if (s->tokens_gpu > 0) {
        all->tokens_gpu =
            arena_grow(a, all->tokens_gpu, all->n_tokens, &all->room_tokens, sizeof *all->tokens_gpu);
        all->tokens_gpu[all->n_tokens++] = s->tokens_gpu;
    }
    if (s->ms > 0) {
        all->ms = arena_grow(a, all->ms, all->n_ms, &all->room_ms, sizeof *all->ms);
        all->ms[all->n_ms++] = s->ms;
    }
}

static Steps steps_of(Str text, bool warm_too, Arena *a) {
    Steps all = {.batch = UNKNOWN_NUMBER, .mfu = UNKNOWN_NUMBER, .tflops = UNKNOWN_NUMBER};
    Str line;
    Step s;
    while (line_next(&text, &line) && all.all < STEPS_MAX) {
        if (step_of(line, &s)) count_step(&all, &s, warm_too, a);
    }
    return all;
}

void read_training(RunsFile *f, Str text) {
    Arena scratch = {0};
    bool warm_too = false;
    Steps steps = steps_of(text, false, &scratch);
    if (steps.n_tokens == 0 && steps.n_ms == 0 && steps.warm > 0) {
        warm_too = true;
        steps = steps_of(text, true, &scratch);
    }
    double tokens = median_of(steps.tokens_gpu, steps.n_tokens);
    double ms = median_of(steps.ms, steps.n_ms);
    arena_free(&scratch);
    if (!is_known(tokens) && !(is_known(ms) && is_known(steps.batch))) {
        run_refuse(f, "training-log", RUN_IS_NONE,
                   steps.skipped > 0 ? "every step was skipped"
                                     : "no step tells tokens a second or its time and batch");
        return;
    }
    RunRead *r = run_new(f, "training-log");
    if (r == NULL) return;
    Measurement *m = &r->run.m;
    r->said.engine = trainer_names[steps.trainer];
    m->scenario = "training";
    m->task = "pretrain";
    m->grade = "T";
    m->tokens_kind = "train tokens";
    m->batch_or_concurrency = positive(steps.batch);
    r->tokens_per_s_gpu = tokens;
    if (!is_known(tokens)) r->sequences_per_s = steps.batch / ms * 1000;
    r->run.requests_completed = (double)(steps.n_tokens > steps.n_ms ? steps.n_tokens : steps.n_ms);
    r->run.seconds = positive(steps.seconds);
    if (warm_too) run_flag(r, RUN_WARM_UP);
    if (steps.mfu > 0 && steps.tflops > 0)
        run_note(f, r,
                 arena_printf(f->arena, "by its own utilisation the GPU's peak is %.0f TFLOP/s",
                              steps.tflops / steps.mfu * 100));
    run_note(f, r,
             arena_printf(f->arena,
                          "median of %.0f steps; %zu of the start and %zu skipped ones are left out",
                          r->run.requests_completed, steps.warm, steps.skipped));
}
