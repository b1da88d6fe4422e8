// What a file is: the table of what tells each tool, and how a file is taken apart.
#include "src/runs/parts.h"
#include "src/base/hash.h"

// ---------------------------------------------------------------- JSON

static bool text_has(const Json *o, const char *key, const char *part) {
    const char *text = json_text(json_get(o, key));
    return text != NULL && text_contains(text, part);
}

// Some metric of the object is {"unit": ..., "avg": ...}.
static bool has_metrics(const Json *o) {
    size_t looked = 0;
    for (const Json *j = json_first(o); j != NULL && looked < 64; j = json_next(j), looked++) {
        if (json_text(json_get(j, "unit")) != NULL && json_is_number(json_get(j, "avg"))) return true;
    }
    return false;
}

static bool is_inferencex(const Json *o) {
    return has_all(o, "infmax_model_prefix") ||
           (has_all(o, "hw framework") && (has(o, "tput_per_gpu") || has(o, "output_tput_per_gpu")));
}
static bool is_aiperf(const Json *o) {
    return has_metrics(o) && (has(o, "aiperf_version") || has(o, "schema_version") ||
                              has_all(o, "input_config") || has_all(o, "request_throughput request_latency"));
}
static bool is_guidellm(const Json *o) {
    const Json *first = json_first(json_get(o, "benchmarks"));
    const Json *in = first != NULL && json_is_object(first) ? first : NULL;
    return in != NULL &&
           (text_has(in, "type_", "generative_benchmark") || at(in, "metrics.requests_per_second") != NULL);
}
static bool is_inference_perf(const Json *o) { return has_all(o, "load_summary successes"); }
static bool is_trtllm(const Json *o) {
    return has_all(o, "engine performance") && (has(o, "world_info") || has(o, "request_info"));
}
static bool is_sglang_serve(const Json *o) {
    return has_all(o, "total_output_tokens_retokenized") ||
           has_all(o, "backend random_range_ratio completed");
}
static bool is_one_batch_server(const Json *o) { return has_all(o, "last_ttft batch_size"); }
static bool is_one_batch(const Json *o) { return has_all(o, "median_decode_latency batch_size"); }
static bool is_offline(const Json *o) { return has_all(o, "successful_requests total_latency"); }
static bool is_vllm_serve(const Json *o) {
    return has_all(o, "total_token_throughput duration completed") ||
           has_all(o, "model_id request_throughput") ||
           has_all(o, "request_throughput output_throughput mean_ttft_ms");
}
static bool is_vllm_seconds(const Json *o) {
    return has_all(o, "median_ttft max_concurrency") && !has(o, "median_ttft_ms");
}
static bool is_pooling(const Json *o) {
    return has_all(o, "input_sequence_throughput") && !has(o, "mean_tpot_ms");
}
static bool is_vllm_throughput(const Json *o) {
    return has_all(o, "elapsed_time tokens_per_second num_requests");
}
static bool is_vllm_latency(const Json *o) { return has_all(o, "avg_latency latencies percentiles"); }
static bool is_llama(const Json *o) {
    return has_all(o, "avg_ts") && (has(o, "build_commit") || has(o, "model_filename"));
}
static bool is_llmperf(const Json *o) { return has_all(o, "results_ttft_s_mean"); }
static bool is_llmperf_request(const Json *o) { return has_all(o, "ttft_s number_output_tokens"); }
static bool is_llmd(const Json *o) {
    const char *text = json_text(json_get(o, "version"));
    double number = json_number(json_get(o, "version"));
    bool version = number == 0.1 || number == 0.2 ||
                   (text != NULL && (strcmp(text, "0.1") == 0 || strncmp(text, "0.2", 3) == 0));
    return version && has(o, "scenario") && (has(o, "results") || has(o, "metrics"));
}
static bool is_pytorch_ci(const Json *o) { return has_all(o, "benchmark model metric"); }
static bool is_trace(const Json *o) {
    return has_all(o, "input_length output_length timestamp") || has_all(o, "hash_id_scope requests") ||
           has_all(o, "block_size requests models");
}
static bool is_estimate(const Json *o) {
    return json_truth(json_get(o, "estimated")) == 1 || json_truth(at(o, "metadata.estimated")) == 1;
}

// In the order of asking: what is no run comes before what looks like it.
static const struct {
    const char *tool;
    bool (*is)(const Json *o);
    JsonReader *read;
    bool whole;  // the first object speaks for the file
} forms[] = {
    {"estimate", is_estimate, read_estimate, false},
    {"inferencex", is_inferencex, read_inferencex, false},
    {"aiperf", is_aiperf, read_aiperf, false},
    {"guidellm", is_guidellm, read_guidellm, false},
    {"inference-perf", is_inference_perf, read_inference_perf, false},
    {"trtllm-bench", is_trtllm, read_trtllm, false},
    {"sglang-serve", is_sglang_serve, read_sglang_serve, false},
    {"sglang-one-batch-server", is_one_batch_server, read_sglang_one_batch_server, false},
    {"sglang-one-batch", is_one_batch, read_sglang_one_batch, false},
    {"sglang-offline", is_offline, read_sglang_offline, false},
    {"vllm-pooling", is_pooling, read_vllm_pooling, false},
    {"inferencex-client", is_vllm_seconds, read_vllm_seconds, false},
    {"vllm-serve", is_vllm_serve, read_vllm_serve, false},
    {"vllm-throughput", is_vllm_throughput, read_vllm_throughput, false},
    {"vllm-latency", is_vllm_latency, read_vllm_latency, false},
    {"llama-bench", is_llama, read_llama_bench, false},
    {"llmperf", is_llmperf, read_llmperf, false},
    {"llmperf-requests", is_llmperf_request, read_llmperf_requests, true},
    {"llm-d-benchmark", is_llmd, read_llmd, false},
    {"vllm-pytorch-ci", is_pytorch_ci, read_pytorch_ci, true},
    {"trace", is_trace, read_trace, true},
};

// Objects that a user's own wrapper holds lie a few levels down.
enum { WRAPPED_DEPTH_MAX = 3, WRAPPED_MEMBERS_MAX = 20000 };

// Takes every known object in `value`; ret_whole: the file is done.
static bool take_value(RunsFile *f, const Json *value, int depth, bool *ret_whole) {
    if (json_is_object(value)) {
        for (size_t i = 0; i < COUNT_OF(forms); i++) {
            if (!forms[i].is(value)) continue;
            size_t before = f->n;
            forms[i].read(f, value);
            for (size_t k = before; k < f->n; k++) {
                if (f->rows[k].run.tool[0] == '\0') f->rows[k].run.tool = forms[i].tool;
            }
            *ret_whole = forms[i].whole;
            return true;
        }
    }
    bool any = false;
    size_t looked = 0;
    for (const Json *j = json_first(value);
         j != NULL && depth < WRAPPED_DEPTH_MAX && !*ret_whole && looked < WRAPPED_MEMBERS_MAX;
         j = json_next(j), looked++) {
        if (json_first(j) != NULL && take_value(f, j, depth + 1, ret_whole)) any = true;
    }
    return any;
}

// What a client printed and somebody's wrapper kept as a text of its own.
static bool take_printed(RunsFile *f, const Json *value, int depth) {
    bool any = false;
    size_t looked = 0;
    for (const Json *j = json_first(value);
         j != NULL && depth <= WRAPPED_DEPTH_MAX && looked < WRAPPED_MEMBERS_MAX;
         j = json_next(j), looked++) {
        const char *text = json_text(j);
        if (text != NULL && strstr(text, RUN_BLOCK) != NULL) {
            const char *copy = arena_printf(f->scratch, "%s", text);
            read_serving_text(f, without_colours(str_of(copy), f->scratch));
            any = true;
        }
        if (json_first(j) != NULL && take_printed(f, j, depth + 1)) any = true;
    }
    return any;
}

// One value of the text. False: it is not JSON, and `e` says why.
static bool take_piece(RunsFile *f, Str piece, bool ends, bool *ret_known, bool *ret_whole, Err *e) {
    Json *root = NULL;
    Arena scratch = {0};
    if (!ends) return err_set(e, ERR_FAILED, "it ends in the middle of a value");
    Str plain = without_details(piece, &scratch);
    bool ok = json_parse_rows(plain, RUNS_VALUES_MAX, &root, e);
    arena_free(&scratch);
    if (!ok) return false;
    *ret_known = take_value(f, root, 0, ret_whole) || take_printed(f, root, 0);
    if (!*ret_known && f->n_columns > 0) {
        read_columns_json(f, root);
        *ret_known = true;
    }
    json_free(root);
    return true;
}

static bool looks_like_json(Str text) {
    text = str_trim(text);
    return text.length > 1 && (text.data[0] == '{' || text.data[0] == '[');
}

// False: no known form of JSON; *ret_why says what is wrong with it, "" nothing; *ret_json: it is JSON.
static bool read_json(RunsFile *f, const char **ret_why, bool *ret_json) {
    enum { UNKNOWN_SHOWN = 1 };
    Str rest = f->text;
    Str piece;
    bool ends = true;
    bool any = false;
    bool whole = false;
    size_t record = 0;
    *ret_why = "";
    while (!whole && next_value(&rest, &piece, &ends)) {
        Err e = {0};
        bool known = false;
        record++;
        if (!take_piece(f, piece, ends, &known, &whole, &e)) {
            const char *why = arena_printf(f->arena, "record %zu is not JSON: %s", record, e.text);
            if (!any) {
                *ret_why = why;
                return false;
            }
            run_refuse(f, "", RUN_IS_NONE, why);
        } else if (!known && any) {
            run_refuse(f, "", RUN_IS_NONE, arena_printf(f->arena, "record %zu is of no known form", record));
        }
        any = any || known;
        *ret_json = true;
        if (!any && record >= 100) break;
    }
    return any;
}

// ---------------------------------------------------------------- text

static bool has_begin(Str text, const char *word) { return str_has(text, word); }
static bool first_is(Str text, const char *word) { return str_starts(text, word); }

static bool is_aiperf_server(Str t) { return first_is(t, "# AIPerf Server Metrics"); }
static bool is_aiperf_csv(Str t) { return first_is(t, "Metric,avg,") || first_is(t, "Metric,Value"); }
static bool is_aiperf_requests(Str t) {
    Str first = {0};
    Str rest = t;
    return line_next(&rest, &first) && str_has(first, "\"request_start_ns\"") &&
           str_has(first, "\"metrics\"");
}
static bool is_prometheus(Str t) {
    return has_begin(t, "# TYPE vllm:") || has_begin(t, "# TYPE sglang:") || has_begin(t, "# TYPE trtllm_") ||
           has_begin(t, "# TYPE tgi_");
}
static bool is_mlperf(Str t) { return has_begin(t, "MLPerf Results Summary"); }
static bool is_serving_text(Str t) { return has_begin(t, RUN_BLOCK); }
static bool is_llama_table(Str t) { return has_begin(t, "| model") && has_begin(t, "t/s |"); }
static bool is_trtllm_text(Str t) {
    return has_begin(t, "PERFORMANCE OVERVIEW") && has_begin(t, "Total Output Throughput");
}
static bool is_trtllm_crash(Str t) {
    return has_begin(t, "[TRT-LLM] [E]") || (has_begin(t, "[TRT-LLM]") && has_begin(t, "Traceback"));
}
static bool is_training(Str t) {
    return (has_begin(t, "step:") && has_begin(t, "tps:") && has_begin(t, "mfu:")) ||
           has_begin(t, "elapsed time per iteration (ms):") || has_begin(t, "train_step_timing in s") ||
           has_begin(t, "Tokens/s/device:");
}
static bool first_has(Str t, const char *a, const char *b) {
    Str first = {0};
    Str rest = t;
    return line_next(&rest, &first) && str_has(first, a) && str_has(first, b);
}
static bool is_llama_csv(Str t) { return first_has(t, "build_commit", "avg_ts"); }
static bool is_inferencex_csv(Str t) {
    return first_has(t, "hw", "framework") && first_has(t, "precision", ",conc");
}
static bool is_trace_csv(Str t) {
    return first_has(t, "TIMESTAMP", "ContextTokens") ||
           first_has(t, "num_prefill_tokens", "num_decode_tokens") ||
           first_has(t, "Request tokens", "Response tokens");
}
static bool is_own_csv(Str t) { return first_has(t, "gpu_sku", "output_tokens_per_s"); }
static bool is_environment(Str t) {
    bool tool = has_begin(t, "NVIDIA-SMI") || has_begin(t, "driver_version") || has_begin(t, "AMD-SMI") ||
                has_begin(t, "ROCm System Management Interface");
    return t.length < 200000 && tool && run_gpu_line(t).length > 0;
}

// `among`: it may stand in a text among others of its kind (a README, a log); else it is the whole file.
static const struct {
    const char *tool;
    bool (*is)(Str text);
    TextReader *read;
    bool among;
} text_forms[] = {
    {"aiperf-server", is_aiperf_server, read_aiperf_server, false},
    {"aiperf-requests", is_aiperf_requests, read_aiperf_requests, false},
    {"own-csv", is_own_csv, read_own_csv, false},
    {"llama-bench-csv", is_llama_csv, read_llama_csv, false},
    {"inferencex-csv", is_inferencex_csv, read_inferencex_csv, false},
    {"trace-csv", is_trace_csv, read_trace_csv, false},
    {"aiperf-csv", is_aiperf_csv, read_aiperf_csv, false},
    {"prometheus", is_prometheus, read_prometheus, false},
    {"serving-text", is_serving_text, read_serving_text, true},
    {"mlperf", is_mlperf, read_mlperf, true},
    {"trtllm-text", is_trtllm_text, read_trtllm_text, true},
    {"llama-bench-table", is_llama_table, read_llama_table, true},
    {"training-log", is_training, read_training, true},
    {"trtllm-text", is_trtllm_crash, read_trtllm_crash, false},
    {"environment", is_environment, read_environment, false},
};

static bool read_text(RunsFile *f) {
    Str text = without_colours(f->text, f->scratch);
    bool any = false;
    for (size_t i = 0; i < COUNT_OF(text_forms); i++) {
        if ((any && !text_forms[i].among) || !text_forms[i].is(text)) continue;
        if (!any) f->tool = text_forms[i].tool;
        text_forms[i].read(f, text);
        any = true;
        if (!text_forms[i].among) break;
    }
    return any;
}

// A YAML text that holds what a JSON form would.
static bool read_yaml(RunsFile *f) {
    if (!has_begin(f->text, "version:") && !has_begin(f->text, "benchmarks:")) return false;
    Json *root = yaml_parse(f->text);
    bool whole = false;
    bool known = root != NULL && take_value(f, root, 0, &whole);
    json_free(root);
    return known;
}

// ---------------------------------------------------------------- the whole file

static const char *why_no_text(Str text) {
    if (text.length == 0) return "it is empty";
    if (text.length >= 2 && (memcmp(text.data, "\xff\xfe", 2) == 0 || memcmp(text.data, "\xfe\xff", 2) == 0))
        return "it is UTF-16: save it as UTF-8";
    if (memchr(text.data, '\0', text.length) != NULL) return "it holds NUL bytes: no text";
    return NULL;
}

// What the file says of a run, as 16 hexadecimal digits: not where it stands, and nothing that the user adds.
static const char *identity_of(const RunRead *r, Arena *a) {
    const OwnRun *run = &r->run;
    const Measurement *m = &run->m;
    const char *texts[] = {run->tool,       run->ran_at,     r->said.model, r->said.gpu, r->said.engine,
                           r->said.version, r->said.weights, r->said.kv,    m->scenario, m->task};
    const double numbers[] = {m->gpu_count,
                              m->input_tokens,
                              m->output_tokens,
                              m->batch_or_concurrency,
                              m->rate_rps,
                              m->tp,
                              m->output_tokens_per_s,
                              m->tokens_per_s_total,
                              m->ttft_ms,
                              m->tpot_ms,
                              m->ttft_p99_ms,
                              m->tpot_p99_ms,
                              m->e2e_ms,
                              run->seconds,
                              run->requests_asked,
                              run->requests_completed,
                              run->requests_failed,
                              run->requests_per_s,
                              r->tokens_per_s_gpu,
                              r->sequences_per_s};
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < COUNT_OF(texts); i++) buf_printf(&b, "%s\n", texts[i]);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        buf_printf(&b, "%.9g\n", is_known(numbers[i]) ? numbers[i] : -1);
    uint64_t hash = hash_fnv1a((Str){b.data, b.length});
    buf_free(&b);
    return arena_printf(a, "%016llx", (unsigned long long)hash);
}

static bool is_identity(const char *text) {
    return strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

static void finish(RunsFile *f) {
    for (size_t i = 0; i < f->n; i++) {
        RunRead *r = &f->rows[i];
        if (!is_identity(r->run.identity)) r->run.identity = identity_of(r, f->arena);
    }
}

void run_file_read(RunsFile *f) {
    const char *why = why_no_text(f->text);
    f->tool = "";
    f->rows = NULL;
    f->n = f->capacity = 0;
    if (f->text.length >= 3 && memcmp(f->text.data, "\xef\xbb\xbf", 3) == 0)
        f->text = (Str){f->text.data + 3, f->text.length - 3};
    if (why == NULL) {
        why = "";
        bool requests = is_aiperf_requests(f->text);
        bool json = false;
        bool known = !requests && looks_like_json(f->text) && read_json(f, &why, &json);
        if (known || (!json && (read_text(f) || read_yaml(f)))) {
            if (f->n == 0) run_refuse(f, f->tool, RUN_IS_NONE, "it holds no run");
            finish(f);
            return;
        }
        if (f->n_columns > 0 && !looks_like_json(f->text)) {
            read_columns_csv(f, f->text);
            finish(f);
            if (f->n > 0) return;
        }
    }
    run_refuse(f, "", RUN_IS_NONE, why[0] != '\0' ? why : "no form that is known: docs/runs.md lists them");
}
