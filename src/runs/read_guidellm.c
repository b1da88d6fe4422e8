// GuideLLM: one run for each rate of its sweep; format 1 (args) and 2 (config).
#include "src/runs/parts.h"

static const char *first_text(const RunsFile *f, const Json *o, const char *a, const char *b, const char *c) {
    const char *text = text_at(f, o, a);
    if (text[0] == '\0') text = text_at(f, o, b);
    return text[0] != '\0' ? text : text_at(f, o, c);
}

static bool is_example(const char *text) {
    return text_contains(text, "example") || has_word(text, "mock") || has_word(text, "dummy") ||
           has_word(text, "test-model");
}

// The strategy of one benchmark; `type` of a sweep's strategies is that of the one that ran.
static void load_of(RunRead *r, const RunsFile *f, const Json *b, double completed) {
    const char *type =
        first_text(f, b, "args.strategy.type_", "config.strategy.type_", "scheduler.strategy.type_");
    const Json *s = at(b, "args.strategy");
    if (s == NULL) s = at(b, "config.strategy");
    if (s == NULL) s = at(b, "scheduler.strategy");
    double rate = number_at(s, "rate");
    double concurrency = first_number(s, "max_concurrency", "streams");
    if (text_same(type, "synchronous")) concurrency = 1;
    if (text_same(type, "throughput") && !is_known(concurrency)) {
        set_load(r, UNKNOWN_NUMBER, true, UNKNOWN_NUMBER, completed);
        // the mean in flight is what it really was
        double mean = number_at(b, "metrics.request_concurrency.successful.mean");
        if (mean >= 1) r->run.m.batch_or_concurrency = round(mean);
        return;
    }
    bool paced = text_same(type, "constant") || text_same(type, "poisson") || text_same(type, "async");
    set_load(r, paced ? rate : UNKNOWN_NUMBER, !paced, concurrency, completed);
}

static void read_benchmark(RunsFile *f, const Json *b, const Json *root) {
    const Json *metrics = json_get(b, "metrics");
    double completed = number_at(metrics, "request_totals.successful");
    if (!is_known(completed))
        completed = first_number(b, "request_totals.successful", "run_stats.requests_made.successful");
    if (is_known(completed) && completed < 1) {
        run_refuse(f, "guidellm", RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, "guidellm");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    r->said.model = first_text(f, b, "worker.backend_model", "config.backend.model", "backend.model");
    if (r->said.model[0] == '\0') r->said.model = text_at(f, root, "args.model");
    const char *target = first_text(f, b, "worker.backend_target", "config.backend.target", "backend.target");
    if (is_example(r->said.model) || is_example(target)) run_flag(r, RUN_MOCK);
    run->ran_at = day_of_seconds(f, number_at(b, "start_time"));
    run->seconds = positive(number_at(b, "duration"));
    if (!is_known(run->seconds))
        run->seconds = positive(number_at(b, "end_time") - number_at(b, "start_time"));
    run->requests_completed = completed;
    double errored = first_number(metrics, "request_totals.errored", "x");
    if (!is_known(errored)) errored = number_at(b, "request_totals.errored");
    run->requests_failed = errored;
    // requests cut at the end of the window are no losses
    run->requests_asked = is_known(errored) ? completed + errored : completed;
    run->requests_per_s = positive(number_at(metrics, "requests_per_second.successful.mean"));
    run->concurrency_mean = positive(number_at(metrics, "request_concurrency.successful.mean"));
    m->input_tokens = positive(number_at(metrics, "prompt_token_count.successful.mean"));
    m->output_tokens = positive(number_at(metrics, "output_token_count.successful.mean"));
    m->output_tokens_per_s = positive(number_at(metrics, "output_tokens_per_second.successful.mean"));
    if (is_known(m->output_tokens) && is_known(run->requests_per_s)) {
        // its own figure is a mean over moments between tokens, and wrong where many come at once
        m->output_tokens_per_s = run->requests_per_s * m->output_tokens;
        run_flag(r, RUN_CONVERTED);
    }
    m->ttft_ms = positive(number_at(metrics, "time_to_first_token_ms.successful.median"));
    m->tpot_ms = positive(number_at(metrics, "inter_token_latency_ms.successful.median"));
    m->ttft_p99_ms = positive(number_at(metrics, "time_to_first_token_ms.successful.percentiles.p99"));
    m->tpot_p99_ms = positive(number_at(metrics, "inter_token_latency_ms.successful.percentiles.p99"));
    m->e2e_ms = scaled_at(metrics, "request_latency.successful.mean", 1000);
    m->latency_statistic = is_known(m->ttft_ms) || is_known(m->tpot_ms) ? "median" : "";
    load_of(r, f, b, completed);
}

void read_guidellm(RunsFile *f, const Json *o) {
    for (const Json *b = json_first(json_get(o, "benchmarks")); b != NULL; b = json_next(b))
        read_benchmark(f, b, o);
}
