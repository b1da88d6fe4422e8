// SGLang: bench_serving, bench_one_batch_server, bench_one_batch, bench_offline_throughput.
#include "src/runs/parts.h"

// What the server said of itself; null behind a router.
static void read_server(RunsFile *f, RunRead *r, const Json *server) {
    Measurement *m = &r->run.m;
    if (server == NULL) return;
    r->said.engine = "sglang";
    r->said.version = text_at(f, server, "version");
    const char *model = text_at(f, server, "model_path");
    if (r->said.model[0] == '\0') r->said.model = model;
    m->tp = size_at(server, "tp_size");
    m->dp = size_at(server, "dp_size");
    m->ep = size_at(server, "ep_size");
    m->pp = size_at(server, "pp_size");
    const char *quantization = text_at(f, server, "quantization");
    const char *dtype = text_at(f, server, "dtype");
    r->said.weights = quantization[0] != '\0' ? quantization : text_same(dtype, "auto") ? "" : dtype;
    const char *kv = text_at(f, server, "kv_cache_dtype");
    r->said.kv = text_same(kv, "auto") ? "" : kv;
    double tp = is_known(m->tp) ? m->tp : 1;
    double pp = is_known(m->pp) ? m->pp : 1;
    r->gpus_least = tp * pp;
    if (!(m->dp > 1)) m->gpu_count = tp * pp;  // replicas may be behind a router, or inside tp
}

static void read_cache(RunRead *r, const Json *o) {
    double rate = number_at(o, "cache_report.cache_hit_rate_pct");
    if (rate >= 0 && rate <= 100) r->run.cached_share = rate / 100;
}

static const char *date_of_tag(RunsFile *f, const Json *o) {
    const char *date = day_of(f, text_at(f, o, "date"));
    return date[0] != '\0' ? date : day_of(f, text_at(f, o, "tag"));
}

void read_sglang_serve(RunsFile *f, const Json *o) {
    double completed = number_at(o, "completed");
    const char *backend = text_at(f, o, "backend");
    if (is_known(completed) && completed < 1) {
        run_refuse(f, "sglang-serve", RUN_IS_NONE, "no request was completed");
        return;
    }
    if (text_contains(backend, "embedding")) {
        run_refuse(f, "sglang-serve", RUN_IS_NONE,
                   "embeddings: no answers were written, so it is no serving run");
        return;
    }
    RunRead *r = run_new(f, "sglang-serve");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    r->said.model = text_at(f, o, "model");
    if (r->said.model[0] == '\0') r->said.model = text_at(f, o, "model_id");
    read_server(f, r, at(o, "server_info"));
    run->ran_at = date_of_tag(f, o);
    run->seconds = positive(number_at(o, "duration"));
    run->requests_completed = completed;
    run->requests_asked = number_at(o, "num_prompts");
    run->requests_per_s = positive(number_at(o, "request_throughput"));
    if (!is_known(run->requests_per_s) && is_known(run->seconds))
        run->requests_per_s = completed / run->seconds;
    run->concurrency_mean = positive(number_at(o, "concurrency"));
    m->input_tokens = positive(number_at(o, "total_input_tokens") / completed);
    m->output_tokens = positive(number_at(o, "total_output_tokens") / completed);
    set_load(r, number_at(o, "request_rate"), is_infinite(at(o, "request_rate")),
             number_at(o, "max_concurrency"), completed);
    m->output_tokens_per_s = positive(number_at(o, "output_throughput"));
    m->tokens_per_s_total = positive(number_at(o, "total_throughput"));
    m->tokens_kind = is_known(m->tokens_per_s_total) ? "total" : "";
    m->ttft_ms = positive(number_at(o, "median_ttft_ms"));
    m->tpot_ms = positive(number_at(o, "median_tpot_ms"));
    m->latency_statistic = "median";
    m->ttft_p99_ms = positive(number_at(o, "p99_ttft_ms"));
    m->tpot_p99_ms = positive(number_at(o, "p99_tpot_ms"));
    m->e2e_ms = positive(number_at(o, "mean_e2e_latency_ms"));
    double accepted = number_at(o, "accept_length");
    if (accepted > 1) m->draft_tokens = "?";
    read_cache(r, o);
}

// One batch sent to a server: all at once, no arrivals.
void read_sglang_one_batch_server(RunsFile *f, const Json *o) {
    RunRead *r = run_new(f, "sglang-one-batch-server");
    if (r == NULL) return;
    Measurement *m = &r->run.m;
    r->said.engine = "sglang";
    r->said.model = text_at(f, o, "model_path");
    read_server(f, r, at(o, "server_info"));
    m->scenario = "fixed-concurrency";
    m->batch_or_concurrency = size_at(o, "batch_size");
    m->input_tokens = positive(number_at(o, "input_len"));
    m->output_tokens = positive(number_at(o, "output_len"));
    r->run.seconds = positive(number_at(o, "latency"));
    r->run.requests_completed = r->run.requests_asked = m->batch_or_concurrency;
    m->e2e_ms = scaled_at(o, "latency", 1000);
    // the last of the batch to see its first token
    m->ttft_ms = scaled_at(o, "last_ttft", 1000);
    m->latency_statistic = "mean";
    double all = m->batch_or_concurrency * m->output_tokens;
    m->output_tokens_per_s = positive(all / r->run.seconds);
    m->tokens_per_s_total = positive(number_at(o, "overall_throughput"));
    m->tokens_kind = "total";
    if (number_at(o, "acc_length") > 1) m->draft_tokens = "?";
    double hit = number_at(o, "cache_hit_rate");
    if (hit >= 0 && hit <= 1) r->run.cached_share = hit;
    run_flag(r, RUN_STATIC_BATCH);
    run_flag(r, RUN_CONVERTED);
}

// A model without a server or a scheduler.
void read_sglang_one_batch(RunsFile *f, const Json *o) {
    RunRead *r = run_new(f, "sglang-one-batch");
    if (r == NULL) return;
    Measurement *m = &r->run.m;
    r->said.engine = "sglang";
    r->said.model = text_at(f, o, "model_path");
    m->scenario = "fixed-concurrency";
    m->batch_or_concurrency = size_at(o, "batch_size");
    m->input_tokens = positive(number_at(o, "input_len"));
    m->output_tokens = positive(number_at(o, "output_len"));
    m->ttft_ms = scaled_at(o, "prefill_latency", 1000);
    m->tpot_ms = scaled_at(o, "median_decode_latency", 1000);
    m->e2e_ms = scaled_at(o, "total_latency", 1000);
    m->latency_statistic = "median";
    r->run.seconds = positive(number_at(o, "total_latency"));
    m->output_tokens_per_s = positive(m->batch_or_concurrency * m->output_tokens / r->run.seconds);
    m->tokens_per_s_total = positive(number_at(o, "overall_throughput"));
    m->tokens_kind = "total";
    run_flag(r, RUN_STATIC_BATCH);
    run_flag(r, RUN_CONVERTED);
}

void read_sglang_offline(RunsFile *f, const Json *o) {
    double completed = number_at(o, "successful_requests");
    if (!(completed >= 1)) {
        run_refuse(f, "sglang-offline", RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, "sglang-offline");
    if (r == NULL) return;
    Measurement *m = &r->run.m;
    r->said.engine = "sglang";
    r->said.model = text_at(f, o, "model_path");
    m->scenario = "offline";
    m->grade = "B";
    r->run.requests_completed = completed;
    r->run.seconds = positive(number_at(o, "total_latency"));
    r->run.requests_per_s = positive(number_at(o, "request_throughput"));
    m->batch_or_concurrency = completed;
    m->input_tokens = positive(number_at(o, "total_input_tokens") / completed);
    m->output_tokens = positive(number_at(o, "total_output_tokens") / completed);
    m->output_tokens_per_s = positive(number_at(o, "output_throughput"));
    m->tokens_per_s_total = positive(number_at(o, "total_throughput"));
    m->tokens_kind = "total";
    run_flag(r, RUN_QUEUED);
}
