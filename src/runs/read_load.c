// inference-perf, llm-d's benchmark reports and LLMPerf: load generators that know nothing of the GPU.
#include "src/runs/parts.h"

// ---------------------------------------------------------------- inference-perf: seconds throughout

static void read_report_of_server(RunsFile *f, RunRead *r, const Json *s) {
    Measurement *m = &r->run.m;
    r->run.requests_per_s = positive(number_at(s, "rate"));
    m->output_tokens_per_s = positive(number_at(s, "output_len.rate"));
    m->ttft_ms = scaled_at(s, "time_to_first_token.median", 1000);
    m->tpot_ms = scaled_at(s, "time_per_output_token.median", 1000);
    m->ttft_p99_ms = scaled_at(s, "time_to_first_token.p99", 1000);
    m->tpot_p99_ms = scaled_at(s, "time_per_output_token.p99", 1000);
    m->e2e_ms = scaled_at(s, "request_latency.mean", 1000);
    run_flag(r, RUN_MIXED);
    run_note(f, r, "counters of the server over all its stages");
}

void read_inference_perf(RunsFile *f, const Json *o) {
    const Json *s = json_get(o, "successes");
    const Json *load = json_get(o, "load_summary");
    double completed = number_at(s, "count");
    if (!(completed >= 1)) {
        run_refuse(f, "inference-perf", RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, "inference-perf");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    double failed = number_at(o, "failures.count");
    run->requests_completed = completed;
    run->requests_failed = failed;
    run->requests_asked = number_at(load, "count");
    if (!is_known(run->requests_asked) && is_known(failed)) run->requests_asked = completed + failed;
    m->input_tokens = positive(number_at(s, "prompt_len.mean"));
    m->output_tokens = positive(number_at(s, "output_len.mean"));
    m->latency_statistic = "median";
    m->scenario = "request-rate";
    if (!has(s, "latency")) {
        read_report_of_server(f, r, s);
        m->rate_rps = run->requests_per_s;
        return;
    }
    run->requests_per_s = positive(number_at(s, "throughput.requests_per_sec"));
    run->seconds = positive(completed / run->requests_per_s);
    m->output_tokens_per_s = positive(number_at(s, "throughput.output_tokens_per_sec"));
    m->tokens_per_s_total = positive(number_at(s, "throughput.total_tokens_per_sec"));
    m->tokens_kind = is_known(m->tokens_per_s_total) ? "total" : "";
    m->ttft_ms = scaled_at(s, "latency.time_to_first_token.median", 1000);
    m->tpot_ms = scaled_at(s, "latency.time_per_output_token.median", 1000);
    m->ttft_p99_ms = scaled_at(s, "latency.time_to_first_token.p99", 1000);
    m->tpot_p99_ms = scaled_at(s, "latency.time_per_output_token.p99", 1000);
    m->e2e_ms = scaled_at(s, "latency.request_latency.mean", 1000);
    m->rate_rps = positive(first_number(load, "achieved_rate", "requested_rate"));
    double concurrency = number_at(load, "concurrency");
    if (is_known(concurrency) && concurrency >= 1) {
        m->rate_rps = UNKNOWN_NUMBER;
        m->batch_or_concurrency = concurrency;
        m->scenario = "fixed-concurrency";
    }
    // a summary over stages mixes their loads: no rate was asked for in it
    if (!is_known(m->rate_rps) && !is_known(m->batch_or_concurrency)) {
        m->rate_rps = run->requests_per_s;
        run_flag(r, RUN_MIXED);
    }
}

// ---------------------------------------------------------------- llm-d benchmark report: units beside each figure

static double in_ms(const RunsFile *f, const Json *latency, const char *statistic) {
    const char *unit = text_at(f, latency, "units");
    double x = positive(number_at(latency, statistic));
    if (text_same(unit, "s") || text_same(unit, "s/token")) return x * 1e3;
    if (text_same(unit, "ms") || text_same(unit, "ms/token")) return x;
    if (text_same(unit, "us") || text_same(unit, "us/token")) return x / 1e3;
    return UNKNOWN_NUMBER;
}

static double figure(const Json *o) { return json_is_object(o) ? number_at(o, "mean") : json_number(o); }

// The first engine of the stack that is not only for prompts.
static const Json *engine_of(const Json *stack) {
    const Json *any = NULL;
    for (const Json *c = json_first(stack); c != NULL; c = json_next(c)) {
        const Json *s = json_get(c, "standardized");
        const char *kind = json_text(json_get(s, "kind"));
        if (kind == NULL || strcmp(kind, "inference_engine") != 0) continue;
        const char *role = json_text(json_get(s, "role"));
        if (role == NULL || strcmp(role, "prefill") != 0) return s;
        any = s;
    }
    return any;
}

static void read_stack(RunsFile *f, RunRead *r, const Json *o) {
    Measurement *m = &r->run.m;
    const Json *engine = engine_of(at(o, "scenario.stack"));
    const Json *old = json_first(at(o, "scenario.host.accelerator"));
    const Json *accelerator = engine != NULL ? json_get(engine, "accelerator") : old;
    const Json *parallel = json_get(accelerator, "parallelism");
    r->said.model = engine != NULL ? text_at(f, engine, "model.name") : text_at(f, o, "scenario.model.name");
    r->said.weights = engine != NULL ? text_at(f, engine, "model.quantization")
                                     : text_at(f, o, "scenario.model.quantization");
    r->said.gpu = text_at(f, accelerator, "model");
    const char *tool = text_at(f, engine, "tool");
    r->said.engine =
        engine != NULL ? tool : text_at(f, json_first(at(o, "scenario.platform.engine")), "name");
    r->said.version =
        engine != NULL ? "" : text_at(f, json_first(at(o, "scenario.platform.engine")), "version");
    if (text_same(r->said.engine, "llm-d")) r->said.engine = "vllm";  // what llm-d runs
    m->tp = size_at(parallel, "tp");
    m->pp = size_at(parallel, "pp");
    m->ep = size_at(parallel, "ep");
    m->dp = size_at(parallel, "dp");
    double count = 0;
    bool same = true;
    for (const Json *a = old; a != NULL; a = json_next(a)) {
        count += size_at(a, "count");
        same = same && strcmp(text_at(f, a, "model"), r->said.gpu) == 0;
    }
    for (const Json *c = json_first(at(o, "scenario.stack")); c != NULL; c = json_next(c)) {
        const Json *s = json_get(c, "standardized");
        double replicas = size_at(s, "replicas");
        if (strcmp(text_at(f, s, "kind"), "inference_engine") == 0)
            count += size_at(s, "accelerator.count") * (is_known(replicas) ? replicas : 1);
    }
    m->gpu_count = same && count >= 1 ? count : UNKNOWN_NUMBER;
    if (!same) r->said.gpu = "";
}

// Figures of an example contradict each other: it ends before it starts, or lasts 16 minutes and 50 seconds at once.
static bool times_contradict(const RunsFile *f, const Json *o) {
    double start = number_at(o, "metrics.time.start");
    double stop = number_at(o, "metrics.time.stop");
    (void)f;
    return is_known(start) && is_known(stop) && stop < start;
}

static double seconds_of(Str clock) {
    double h = clock.length >= 19 ? number_of((Str){clock.data + 11, 2}) : UNKNOWN_NUMBER;
    double m = clock.length >= 19 ? number_of((Str){clock.data + 14, 2}) : UNKNOWN_NUMBER;
    double s = clock.length >= 19 ? number_of((Str){clock.data + 17, 2}) : UNKNOWN_NUMBER;
    return h * 3600 + m * 60 + s;
}

// "PT49.97S"
static double iso_seconds(Str text) {
    return text.length > 3 && str_starts(text, "PT") && text.data[text.length - 1] == 'S'
               ? number_of((Str){text.data + 2, text.length - 3})
               : UNKNOWN_NUMBER;
}

void read_llmd(RunsFile *f, const Json *o) {
    const Json *old = json_get(o, "metrics");
    const Json *p = old != NULL ? old : at(o, "results.request_performance.aggregate");
    double total = number_at(p, "requests.total");
    double failures = number_at(p, "requests.failures");
    if (!(total >= 1) || total - failures < 1) {
        run_refuse(f, "llm-d-benchmark", RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, "llm-d-benchmark");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    read_stack(f, r, o);
    run->requests_asked = total;
    run->requests_failed = failures;
    run->requests_completed = is_known(failures) ? total - failures : total;
    run->seconds = positive(number_at(o, "metrics.time.duration"));
    const char *duration = text_at(f, o, "run.time.duration");
    if (duration[0] != '\0') run->seconds = positive(iso_seconds(str_of(duration)));
    run->ran_at = old != NULL ? day_of_seconds(f, number_at(o, "metrics.time.start"))
                              : day_of(f, text_at(f, o, "run.time.start"));
    double clock = seconds_of(str_of(text_at(f, o, "run.time.end"))) -
                   seconds_of(str_of(text_at(f, o, "run.time.start")));
    if (times_contradict(f, o) || (is_known(clock) && is_known(run->seconds) && clock > 5 * run->seconds)) {
        run_flag(r, RUN_MOCK);
        run_note(f, r, "its times contradict each other");
    }
    const Json *latency = json_get(p, "latency");
    m->input_tokens = positive(number_at(p, "requests.input_length.mean"));
    m->output_tokens = positive(number_at(p, "requests.output_length.mean"));
    m->ttft_ms = in_ms(f, json_get(latency, "time_to_first_token"), "mean");
    m->tpot_ms = in_ms(f, json_get(latency, "time_per_output_token"), "mean");
    m->ttft_p99_ms = in_ms(f, json_get(latency, "time_to_first_token"), "p99");
    m->tpot_p99_ms = in_ms(f, json_get(latency, "time_per_output_token"), "p99");
    m->e2e_ms = in_ms(f, json_get(latency, "request_latency"), "mean");
    m->latency_statistic = "mean";
    const Json *t = json_get(p, "throughput");
    double rate = figure(json_get(t, "requests_per_sec"));
    if (!is_known(rate)) rate = figure(json_get(t, "request_rate"));
    double output = figure(json_get(t, "output_tokens_per_sec"));
    if (!is_known(output)) output = figure(json_get(t, "output_token_rate"));
    run->requests_per_s = positive(rate);
    m->output_tokens_per_s = positive(output);
    double concurrency = number_at(o, "scenario.load.standardized.concurrency");
    double qps = first_number(o, "scenario.load.standardized.rate_qps", "scenario.load.args.qps_values");
    if (is_known(concurrency) && concurrency >= 1)
        set_load(r, UNKNOWN_NUMBER, true, concurrency, total);
    else
        set_load(r, is_known(qps) && qps > 0 ? qps : rate, false, UNKNOWN_NUMBER, total);
}

// ---------------------------------------------------------------- LLMPerf

static bool is_own_server(const char *api) {
    return text_contains(api, "localhost") || text_contains(api, "127.0.0.1") ||
           text_contains(api, "0.0.0.0");
}

void read_llmperf(RunsFile *f, const Json *o) {
    const char *api = text_at(f, o, "api");
    const char *framework = text_at(f, o, "framework");
    bool named = api[0] != '\0' || framework[0] != '\0';
    if (named && !is_own_server(api)) {
        run_refuse(f, "llmperf", RUN_IS_NONE,
                   arena_printf(f->arena, "a hosted API (%s): on GPUs that nobody names",
                                framework[0] != '\0' ? framework : api));
        return;
    }
    double completed = number_at(o, "results_num_completed_requests");
    if (!(completed >= 1)) {
        run_refuse(f, "llmperf", RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, "llmperf");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    r->said.model = text_at(f, o, "model");
    run->ran_at = day_of_seconds(f, number_at(o, "timestamp"));
    run->requests_completed = completed;
    run->requests_asked = number_at(o, "results_num_requests_started");
    run->requests_failed = number_at(o, "results_number_errors");
    run->requests_per_s = positive(number_at(o, "results_num_completed_requests_per_min")) / 60;
    run->seconds = positive(completed / run->requests_per_s);
    m->input_tokens = positive(number_at(o, "results_number_input_tokens_mean"));
    m->output_tokens = positive(number_at(o, "results_number_output_tokens_mean"));
    m->output_tokens_per_s = positive(number_at(o, "results_mean_output_throughput_token_per_s"));
    m->ttft_ms = scaled_at(o, "results_ttft_s_quantiles_p50", 1000);
    m->ttft_p99_ms = scaled_at(o, "results_ttft_s_quantiles_p99", 1000);
    // its "inter token latency" holds the first token too, so the time between tokens is worked out
    m->e2e_ms = scaled_at(o, "results_end_to_end_latency_s_mean", 1000);
    double first = scaled_at(o, "results_ttft_s_mean", 1000);
    if (m->output_tokens > 1) m->tpot_ms = positive((m->e2e_ms - first) / (m->output_tokens - 1));
    m->latency_statistic = "median";
    run_flag(r, RUN_CONVERTED);
    set_load(r, UNKNOWN_NUMBER, true, number_at(o, "num_concurrent_requests"), completed);
    run_note(f, r,
             "LLMPerf counts tokens of every model by Llama's tokenizer, and may have asked a hosted API");
    m->grade = "C";
}

void read_llmperf_requests(RunsFile *f, const Json *o) {
    (void)o;
    run_refuse(f, "llmperf-requests", RUN_IS_NONE,
               "requests one by one of LLMPerf, mostly of a hosted API: its summary has the run");
}
