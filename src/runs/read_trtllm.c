// trtllm-bench: its report and what it prints.
#include "src/runs/parts.h"

static void read_sizes(RunRead *r, double tp, double pp, double ep, double world) {
    Measurement *m = &r->run.m;
    m->tp = tp;
    m->pp = pp;
    m->ep = ep;
    // its own world, without which nothing runs: GPUs of one instance
    if (world >= 1) m->gpu_count = world;
}

// Everything is queued at once in `throughput`: the engine chose the batch, latencies are those of the queue.
static void load_of(RunRead *r, double requests, double concurrent) {
    Measurement *m = &r->run.m;
    r->run.requests_completed = r->run.requests_asked = requests;
    r->run.concurrency_mean = positive(concurrent);
    m->scenario = "offline";
    m->grade = "B";
    if (concurrent >= 1 && requests >= 1 && concurrent < 0.2 * requests) {
        m->scenario = "fixed-concurrency";
        m->grade = "A";
        m->batch_or_concurrency = round(concurrent);
        return;
    }
    m->batch_or_concurrency = positive(requests);
    run_flag(r, RUN_QUEUED);
}

void read_trtllm(RunsFile *f, const Json *o) {
    const Json *engine = json_get(o, "engine");
    const Json *world = json_get(o, "world_info");
    const Json *performance = json_get(o, "performance");
    double requests = number_at(o, "request_info.num_requests");
    if (is_known(requests) && requests < 1) {
        run_refuse(f, "trtllm-bench", RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, "trtllm-bench");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    r->said.model = text_at(f, engine, "model");
    r->said.engine = "tensorrt-llm";
    r->said.version = text_at(f, engine, "version");
    const char *quantization = text_at(f, engine, "quantization");
    bool plain =
        quantization[0] == '\0' || text_same(quantization, "none") || text_same(quantization, "null");
    r->said.weights = plain ? text_at(f, engine, "dtype") : quantization;
    r->said.kv = text_at(f, engine, "kv_cache_dtype");
    if (text_same(r->said.kv, "auto") || text_same(r->said.kv, "none")) r->said.kv = "";
    r->said.gpu = text_at(f, o, "machine.name");
    read_sizes(r, size_at(world, "tp_size"), size_at(world, "pp_size"), size_at(world, "ep_size"),
               size_at(world, "world_size"));
    load_of(r, requests, number_at(o, "request_info.avg_num_concurrent_requests"));
    m->input_tokens = positive(number_at(o, "request_info.avg_input_length"));
    m->output_tokens = positive(number_at(o, "request_info.avg_output_length"));
    run->seconds = positive(number_at(performance, "total_latency_ms")) / 1000;
    run->requests_per_s = positive(number_at(performance, "request_throughput_req_s"));
    m->output_tokens_per_s = positive(number_at(performance, "system_output_throughput_tok_s"));
    m->tokens_per_s_total = positive(number_at(performance, "system_total_throughput_tok_s"));
    m->tokens_kind = is_known(m->tokens_per_s_total) ? "total" : "";
    m->e2e_ms = positive(number_at(performance, "avg_request_latency_ms"));
    m->ttft_ms = positive(number_at(o, "streaming_metrics.avg_ttft_ms"));
    m->tpot_ms = positive(number_at(o, "streaming_metrics.avg_tpot_ms"));
    m->latency_statistic = is_known(m->ttft_ms) ? "mean" : "";
    if (has(o, "decoding_stats")) m->draft_tokens = "?";
}

// ---------------------------------------------------------------- what it prints

static bool take(Str line, const char *label, double *ret) {
    Str value;
    if (!line_value(line, label, &value)) return false;
    double x = number_of(value);
    if (is_known(x)) *ret = x;
    return true;
}

void read_trtllm_text(RunsFile *f, Str text) {
    double requests = UNKNOWN_NUMBER, concurrent = UNKNOWN_NUMBER, input = UNKNOWN_NUMBER,
           output = UNKNOWN_NUMBER, total_ms = UNKNOWN_NUMBER, out_s = UNKNOWN_NUMBER, all_s = UNKNOWN_NUMBER,
           req_s = UNKNOWN_NUMBER, e2e = UNKNOWN_NUMBER;
    double tp = UNKNOWN_NUMBER, pp = UNKNOWN_NUMBER, ep = UNKNOWN_NUMBER, ttft = UNKNOWN_NUMBER,
           tpot = UNKNOWN_NUMBER;
    const char *model = "", *version = "", *dtype = "", *kv = "", *quantization = "";
    Str line, value;
    while (line_next(&text, &line)) {
        if (take(line, "Number of requests", &requests) ||
            take(line, "Number of concurrent requests", &concurrent) ||
            take(line, "Average Input Length (tokens)", &input) ||
            take(line, "Average Output Length (tokens)", &output) ||
            take(line, "Total Latency (ms)", &total_ms) ||
            take(line, "Total Output Throughput (tokens/sec)", &out_s) ||
            take(line, "Total Token Throughput (tokens/sec)", &all_s) ||
            take(line, "Request Throughput (req/sec)", &req_s) ||
            take(line, "Average request latency (ms)", &e2e) || take(line, "TP Size", &tp) ||
            take(line, "PP Size", &pp) || take(line, "EP Size", &ep) ||
            take(line, "Average time-to-first-token [TTFT] (ms)", &ttft) ||
            take(line, "Average time-per-output-token [TPOT] (ms)", &tpot))
            continue;
        if (line_value(line, "Model", &value)) model = text_of(f, value);
        if (line_value(line, "TensorRT-LLM Version", &value) ||
            line_value(line, "TensorRT LLM Version", &value))
            version = text_of(f, value);
        if (line_value(line, "Dtype", &value)) dtype = text_of(f, value);
        if (line_value(line, "KV Cache Dtype", &value)) kv = text_of(f, value);
        if (line_value(line, "Quantization", &value)) quantization = text_of(f, value);
    }
    if (!(requests >= 1) || !(out_s > 0)) {
        run_refuse(f, "trtllm-text", RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, "trtllm-text");
    if (r == NULL) return;
    Measurement *m = &r->run.m;
    r->said.model = model;
    r->said.engine = "tensorrt-llm";
    r->said.version = version;
    r->said.weights = quantization[0] != '\0' && !text_same(quantization, "none") ? quantization : dtype;
    r->said.kv = text_same(kv, "none") || text_same(kv, "auto") ? "" : kv;
    read_sizes(r, tp, pp, ep, (is_known(tp) ? tp : 1) * (is_known(pp) ? pp : 1));
    load_of(r, requests, concurrent);
    m->input_tokens = positive(input);
    m->output_tokens = positive(output);
    r->run.seconds = positive(total_ms) / 1000;
    r->run.requests_per_s = positive(req_s);
    m->output_tokens_per_s = out_s;
    m->tokens_per_s_total = positive(all_s);
    m->tokens_kind = is_known(m->tokens_per_s_total) ? "total" : "";
    m->e2e_ms = positive(e2e);
    m->ttft_ms = positive(ttft);
    m->tpot_ms = positive(tpot);
    m->latency_statistic = is_known(m->ttft_ms) ? "mean" : "";
}

void read_trtllm_crash(RunsFile *f, Str text) {
    (void)text;
    run_refuse(f, "trtllm-text", RUN_IS_NONE, "TensorRT-LLM ended with an error before it gave a result");
}
