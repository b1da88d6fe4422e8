// vLLM's `bench serve`, `bench throughput` and `bench latency`, their old scripts, and InferenceX's fork in seconds.
#include "src/runs/parts.h"

// What users pass as --metadata KEY=VALUE, in their words.
static double first_size(const Json *o, const char *keys) {
    Str rest = str_of(keys);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        char key[48] = "";
        memcpy(key, word.data, word.length < sizeof key - 1 ? word.length : sizeof key - 1);
        double x = size_at(o, key);
        if (is_known(x)) return x;
    }
    return UNKNOWN_NUMBER;
}

static const char *first_text(const RunsFile *f, const Json *o, const char *keys) {
    Str rest = str_of(keys);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        char key[48] = "";
        memcpy(key, word.data, word.length < sizeof key - 1 ? word.length : sizeof key - 1);
        const char *text = json_text(json_get(o, key)) != NULL ? text_at(f, o, key) : "";
        if (text[0] != '\0') return text;
    }
    return "";
}

static void read_metadata(const RunsFile *f, RunRead *r, const Json *o) {
    Measurement *m = &r->run.m;
    m->tp = first_size(o, "tp tp_size tensor_parallel_size tensor_parallel");
    m->pp = first_size(o, "pp pp_size pipeline_parallel_size");
    m->ep = first_size(o, "ep ep_size expert_parallel_size");
    m->dp = first_size(o, "dp dp_size data_parallel_size");
    m->gpu_count = first_size(o, "gpus num_gpus gpu_count n_gpus num_gpu");
    r->said.gpu = first_text(f, o, "gpu gpu_type gpu_name hw hardware accelerator gpu_model");
    r->said.engine = first_text(f, o, "framework engine inference_engine");
    r->said.version = first_text(f, o, "version engine_version vllm_version framework_version");
    r->said.weights = first_text(f, o, "quantization precision weights dtype");
    r->said.kv = first_text(f, o, "kv_cache_dtype kv_dtype");
    r->run.host = first_text(f, o, "hostname host");
}

// Lengths that ran: totals over completed requests.
static void set_totals(RunRead *r, double input, double output) {
    double n = r->run.requests_completed;
    r->run.m.input_tokens = n >= 1 ? positive(input / n) : UNKNOWN_NUMBER;
    r->run.m.output_tokens = n >= 1 ? positive(output / n) : UNKNOWN_NUMBER;
}

static void read_speculation(RunsFile *f, RunRead *r, const Json *o) {
    double length = number_at(o, "spec_decode_acceptance_length");
    if (!has(o, "spec_decode_acceptance_rate") && !is_known(length)) return;
    r->run.m.draft_tokens = "?";
    double drafts = number_at(o, "spec_decode_num_drafts");
    double tokens = number_at(o, "spec_decode_num_draft_tokens");
    if (drafts > 0 && tokens >= drafts)
        r->run.m.draft_tokens = arena_printf(f->arena, "%.0f", tokens / drafts);
}

// The keys of both forks: `ms` 1 where they end in _ms, 1000 where they are seconds without a suffix.
static void read_serve(RunsFile *f, const Json *o, const char *tool, double ms) {
    const char *end = ms == 1 ? "_ms" : "";
    double completed = number_at(o, "completed");
    if (is_known(completed) && completed < 1) {
        run_refuse(f, tool, RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, tool);
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    r->said.model = text_at(f, o, "model_id");
    read_metadata(f, r, o);
    run->ran_at = day_of(f, text_at(f, o, "date"));
    run->seconds = positive(number_at(o, "duration"));
    run->requests_completed = completed;
    run->requests_asked = number_at(o, "num_prompts");
    run->requests_failed = number_at(o, "failed");
    run->requests_per_s = positive(number_at(o, "request_throughput"));
    if (!is_known(run->requests_completed) && is_known(run->requests_per_s) && is_known(run->seconds))
        run->requests_completed = round(run->requests_per_s * run->seconds);
    set_totals(r, number_at(o, "total_input_tokens"), number_at(o, "total_output_tokens"));
    set_load(r, number_at(o, "request_rate"), is_infinite(at(o, "request_rate")) || !has(o, "request_rate"),
             number_at(o, "max_concurrency"), run->requests_asked);
    m->output_tokens_per_s = positive(number_at(o, "output_throughput"));
    m->tokens_per_s_total = positive(number_at(o, "total_token_throughput"));
    m->tokens_kind = is_known(m->tokens_per_s_total) ? "total" : "";
    bool medians = has(o, arena_printf(f->arena, "median_ttft%s", end)) ||
                   has(o, arena_printf(f->arena, "median_tpot%s", end));
    const char *of = medians ? "median" : "mean";
    m->ttft_ms = scaled_at(o, arena_printf(f->arena, "%s_ttft%s", of, end), ms);
    m->tpot_ms = scaled_at(o, arena_printf(f->arena, "%s_tpot%s", of, end), ms);
    m->ttft_p99_ms = scaled_at(o, arena_printf(f->arena, "p99_ttft%s", end), ms);
    m->tpot_p99_ms = scaled_at(o, arena_printf(f->arena, "p99_tpot%s", end), ms);
    m->e2e_ms = scaled_at(o, arena_printf(f->arena, "mean_e2el%s", end), ms);
    if (!is_known(m->e2e_ms)) m->e2e_ms = scaled_at(o, arena_printf(f->arena, "median_e2el%s", end), ms);
    m->latency_statistic = is_known(m->ttft_ms) || is_known(m->tpot_ms) ? of : "";
    read_speculation(f, r, o);
}

void read_vllm_serve(RunsFile *f, const Json *o) { read_serve(f, o, "vllm-serve", 1); }

void read_vllm_seconds(RunsFile *f, const Json *o) { read_serve(f, o, "inferencex-client", 1000); }

void read_vllm_pooling(RunsFile *f, const Json *o) {
    (void)o;
    run_refuse(f, "vllm-pooling", RUN_IS_NONE,
               "embeddings or pooling: no answers were written, so it is no serving run");
}

// Nothing but counts: lengths are only there where somebody added them (with the typing error that went
// around).
void read_vllm_throughput(RunsFile *f, const Json *o) {
    RunRead *r = run_new(f, "vllm-throughput");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    r->said.model = text_at(f, o, "model");
    r->said.engine = "vllm";
    read_metadata(f, r, o);
    if (r->said.engine[0] == '\0') r->said.engine = "vllm";
    m->scenario = "offline";
    m->grade = "B";
    run->seconds = positive(number_at(o, "elapsed_time"));
    run->requests_completed = run->requests_asked = positive(number_at(o, "num_requests"));
    m->batch_or_concurrency = run->requests_asked;
    run->requests_per_s = positive(number_at(o, "requests_per_second"));
    m->tokens_per_s_total = positive(number_at(o, "tokens_per_second"));
    m->tokens_kind = "total";
    run_flag(r, RUN_QUEUED);
    double input = positive(number_at(o, "input"));
    double output = positive(number_at(o, "output"));
    if (!is_known(output)) output = positive(number_at(o, "ouput"));
    if (!is_known(input)) input = positive(number_at(o, "input_len"));
    if (!is_known(output)) output = positive(number_at(o, "output_len"));
    double total = number_at(o, "total_num_tokens");
    if (is_known(output)) run_flag(r, RUN_LENGTHS_ASKED);
    m->input_tokens = input;
    m->output_tokens = output;
    bool sums = is_known(input) && is_known(output) && is_known(total) &&
                fabs(total - (input + output) * run->requests_asked) <= 0.02 * total;
    if (!sums || !is_known(run->requests_per_s)) return;
    m->output_tokens_per_s = run->requests_per_s * output;
    run_flag(r, RUN_CONVERTED);
}

void read_vllm_latency(RunsFile *f, const Json *o) {
    RunRead *r = run_new(f, "vllm-latency");
    if (r == NULL) return;
    r->said.engine = "vllm";
    r->said.model = text_at(f, o, "model");
    r->run.m.tp = first_size(o, "tp tensor_parallel_size");
    r->run.m.scenario = "fixed-concurrency";
    r->run.m.batch_or_concurrency = positive(number_at(o, "batch_size"));
    r->run.m.input_tokens = positive(number_at(o, "input_len"));
    r->run.m.output_tokens = positive(number_at(o, "output_len"));
    r->run.m.e2e_ms = scaled_at(o, "avg_latency", 1000);
    r->run.m.latency_statistic = "mean";
    double total = 0;
    double n = 0;
    for (const Json *j = json_first(json_get(o, "latencies")); j != NULL; j = json_next(j)) {
        if (!json_is_number(j)) continue;
        total += json_number(j);
        n++;
    }
    r->run.seconds = positive(total);
    run_flag(r, RUN_STATIC_BATCH);
    run_note(f, r, arena_printf(f->arena, "the time of a whole batch, %.0f times", n));
}

void read_pytorch_ci(RunsFile *f, const Json *o) {
    (void)o;
    run_refuse(f, "vllm-pytorch-ci", RUN_IS_NONE,
               "the copy for PyTorch's CI of a run that its own file holds: it would count twice");
}
