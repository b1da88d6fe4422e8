// AIPerf and genai-perf: the aggregate as JSON and CSV, requests one by one, metrics of the server.
#include "src/runs/parts.h"

#include <stdio.h>

// A time in the unit that stands beside it, as milliseconds.
static double ms_of(double x, const char *unit) {
    if (text_same(unit, "ms") || text_same(unit, "milliseconds")) return positive(x);
    if (text_same(unit, "s") || text_same(unit, "sec") || text_same(unit, "seconds"))
        return positive(x) * 1e3;
    if (text_same(unit, "us") || text_same(unit, "microseconds")) return positive(x) / 1e3;
    if (text_same(unit, "ns") || text_same(unit, "nanoseconds")) return positive(x) / 1e6;
    return UNKNOWN_NUMBER;  // of an unknown unit, which is never guessed
}

static double metric_ms(const Json *o, const char *name, const char *statistic) {
    const char *unit = json_text(json_get(json_get(o, name), "unit"));
    return unit != NULL ? ms_of(json_number(json_get(json_get(o, name), statistic)), unit) : UNKNOWN_NUMBER;
}

// GPUs as the telemetry names them; all zeros for an identity is a fixture.
static void read_telemetry(RunsFile *f, RunRead *r, const Json *o) {
    const Json *endpoints = at(o, "telemetry_data.endpoints");
    double n = 0;
    for (const Json *e = json_first(endpoints); e != NULL; e = json_next(e)) {
        for (const Json *g = json_first(json_get(e, "gpus")); g != NULL; g = json_next(g)) {
            const char *name = text_at(f, g, "gpu_name");
            const char *uuid = text_at(f, g, "gpu_uuid");
            if (r->said.gpu[0] == '\0') r->said.gpu = name;
            if (strcmp(r->said.gpu, name) == 0) n++;
            if (strstr(uuid, "00000000-0000-0000-0000-0000") != NULL ||
                strstr(text_at(f, g, "hostname"), "test-host") != NULL)
                run_flag(r, RUN_MOCK);
            if (r->run.host[0] == '\0') r->run.host = text_at(f, g, "hostname");
        }
    }
    if (n >= 1)
        run_note(
            f, r,
            arena_printf(f->arena, "its telemetry saw %s of that name", counted(f->arena, (size_t)n, "GPU")));
}

static const char *first_of_list(const RunsFile *f, const Json *list) {
    const char *text = json_text(json_first(list));
    return text != NULL ? text_of(f, str_of(text)) : "";
}

static bool is_local_host(const char *url) {
    static const char *const locals[] = {"localhost", "127.0.0.1", "0.0.0.0", "://10.", "://192.168.",
                                         "://172.",   ".svc",      ".local",  "::1"};
    for (size_t i = 0; i < COUNT_OF(locals); i++) {
        if (text_contains(url, locals[i])) return true;
    }
    return false;
}

static bool is_hosted(const char *url) {
    static const char *const hosts[] = {
        "api.openai.com", "api.anthropic.com", "together.ai",    "together.xyz",  "fireworks.ai",
        "anyscale.com",   "openrouter.ai",     "groq.com",       "deepinfra.com", "googleapis.com",
        "amazonaws.com",  "azure.com",         "api.nvidia.com", "replicate.com", "perplexity.ai",
        "mistral.ai",     "lepton.ai",         "cerebras.ai",    "sambanova.ai"};
    for (size_t i = 0; i < COUNT_OF(hosts); i++) {
        if (text_contains(url, hosts[i])) return !is_local_host(url);
    }
    return false;
}

static void read_input(RunsFile *f, RunRead *r, const Json *in) {
    r->said.model = first_of_list(f, at(in, "endpoint.model_names"));
    if (r->said.model[0] == '\0') r->said.model = first_of_list(f, json_get(in, "model"));
    if (r->said.model[0] == '\0') r->said.model = text_at(f, in, "model");
    const char *url = first_of_list(f, at(in, "endpoint.urls"));
    if (url[0] == '\0') url = text_at(f, in, "endpoint.url");
    if (url[0] == '\0') url = text_at(f, in, "u");
    if (is_hosted(url)) run_flag(r, RUN_HOSTED);
    if (has_word(r->said.model, "mock") || has_word(r->said.model, "dummy")) run_flag(r, RUN_MOCK);
    if (text_contains(text_at(f, in, "cli_command"), "agentx") ||
        text_contains(text_at(f, in, "scenario"), "agentx") ||
        text_contains(text_at(f, in, "input.public_dataset"), "agent"))
        run_flag(r, RUN_AGENTIC);
}

static void load_of(RunRead *r, const Json *in, double completed) {
    double concurrency = known_or(number_at(in, "loadgen.concurrency"), number_at(in, "concurrency"));
    double rate = known_or(number_at(in, "loadgen.request_rate"), number_at(in, "request_rate"));
    concurrency = known_or(concurrency, number_at(in, "stimulus.concurrency"));
    rate = known_or(rate, number_at(in, "stimulus.request_rate"));
    set_load(r, rate, !is_known(rate), concurrency, completed);
}

void read_aiperf(RunsFile *f, const Json *o) {
    const Json *in = json_get(o, "input_config");
    double completed = json_number(json_get(json_get(o, "request_count"), "avg"));
    double throughput = json_number(json_get(json_get(o, "request_throughput"), "avg"));
    bool none = !is_known(throughput) || throughput <= 0;
    if (none || (is_known(completed) && completed < 1)) {
        run_refuse(f, "aiperf", RUN_IS_NONE, "no request was completed");
        return;
    }
    RunRead *r = run_new(f, "aiperf");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    read_input(f, r, in);
    read_telemetry(f, r, o);
    run->seconds = metric_ms(o, "benchmark_duration", "avg") / 1000;
    run->ran_at = day_of(f, text_at(f, o, "start_time"));
    run->requests_completed = completed;
    double failed = json_number(json_get(json_get(o, "error_request_count"), "avg"));
    run->requests_failed = failed;
    double asked = number_at(in, "loadgen.request_count");
    run->requests_asked = is_known(asked) ? asked : is_known(failed) ? completed + failed : completed;
    run->requests_per_s = throughput;
    if (!is_known(run->seconds) && is_known(completed)) run->seconds = completed / throughput;
    run->concurrency_mean = positive(json_number(json_get(json_get(o, "effective_concurrency"), "avg")));
    m->input_tokens = positive(json_number(json_get(json_get(o, "input_sequence_length"), "avg")));
    m->output_tokens = positive(json_number(json_get(json_get(o, "output_sequence_length"), "avg")));
    m->output_tokens_per_s = positive(json_number(json_get(json_get(o, "output_token_throughput"), "avg")));
    m->ttft_ms = metric_ms(o, "time_to_first_token", "p50");
    m->tpot_ms = metric_ms(o, "inter_token_latency", "p50");
    m->ttft_p99_ms = metric_ms(o, "time_to_first_token", "p99");
    m->tpot_p99_ms = metric_ms(o, "inter_token_latency", "p99");
    m->latency_statistic = is_known(m->ttft_ms) ? "median" : "";
    m->e2e_ms = metric_ms(o, "request_latency", "avg");
    load_of(r, in, completed);
    if (json_truth(json_get(o, "was_cancelled")) == 1) run_flag(r, RUN_CANCELLED);
    if (json_truth(at(o, "metadata.submission_valid")) == 0 || json_truth(at(o, "submission_valid")) == 0)
        run_flag(r, RUN_INVALID);
    double wanted = number_at(in, "loadgen.benchmark_duration");
    if (is_known(wanted) && is_known(run->seconds) && run->seconds < 0.8 * wanted) run_flag(r, RUN_CANCELLED);
    if (has(o, "theoretical_prefix_cache_hit"))
        run_note(f, r,
                 arena_printf(f->arena, "its prompts repeat %.0f %% of themselves",
                              json_number(json_get(json_get(o, "theoretical_prefix_cache_hit"), "avg"))));
}

// ---------------------------------------------------------------- CSV

// "Time To First Token (ms)" -> its unit; the name itself in `ret_name`.
static const char *unit_of(const RunsFile *f, Str cell, Str *ret_name) {
    size_t open = cell.length;
    for (size_t i = 0; i < cell.length; i++) {
        if (cell.data[i] == '(' || cell.data[i] == '[') open = i;
    }
    *ret_name = str_trim((Str){cell.data, open});
    return open + 1 < cell.length ? text_of(f, (Str){cell.data + open + 1, cell.length - open - 2}) : "";
}

static void take_cells(const RunsFile *f, RunRead *r, const TableReader *t, const int *columns) {
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    Str name;
    const char *unit = unit_of(f, str_trim(t->cells[0]), &name);
    double value[3];  // avg, p50, p99
    for (size_t i = 0; i < 3; i++)
        value[i] = columns[i] >= 0 && (size_t)columns[i] < t->n_cells ? number_of(t->cells[columns[i]])
                                                                      : UNKNOWN_NUMBER;
    bool known_median = is_known(value[1]);
    double middle = known_median ? value[1] : value[0];
    if (str_is(name, "Time to First Token") || str_is(name, "Time To First Token")) {
        m->ttft_ms = ms_of(middle, unit);
        m->ttft_p99_ms = ms_of(value[2], unit);
        m->latency_statistic = known_median ? "median" : "mean";
    } else if (str_is(name, "Inter Token Latency")) {
        m->tpot_ms = ms_of(middle, unit);
        m->tpot_p99_ms = ms_of(value[2], unit);
    } else if (str_is(name, "Request Latency")) {
        m->e2e_ms = ms_of(value[0], unit);
    } else if (str_is(name, "Output Sequence Length")) {
        m->output_tokens = positive(value[0]);
    } else if (str_is(name, "Input Sequence Length")) {
        m->input_tokens = positive(value[0]);
    } else if (str_is(name, "Output Token Throughput")) {
        m->output_tokens_per_s = positive(value[0]);
    } else if (str_is(name, "Request Throughput")) {
        run->requests_per_s = positive(value[0]);
    } else if (str_is(name, "Request Count")) {
        run->requests_completed = value[0];
    } else if (str_is(name, "Benchmark Duration")) {
        run->seconds = ms_of(value[0], unit) / 1000;
    } else if (str_is(name, "Effective Concurrency")) {
        run->concurrency_mean = positive(value[0]);
    }
}

static int column_named(const TableReader *t, const char *name) {
    for (size_t i = 1; i < t->n_cells; i++) {
        if (str_is(str_trim(t->cells[i]), name)) return (int)i;
    }
    return -1;
}

void read_aiperf_csv(RunsFile *f, Str text) {
    TableReader t;
    Err e = {0};
    bool more = false;
    int columns[3] = {-1, -1, -1};
    RunRead *r = run_new(f, "aiperf-csv");
    if (r == NULL) return;
    table_open(&t, f->scratch, text, ',');
    bool ok = true;
    while ((ok = table_next(&t, &more, &e)) && more) {
        if (str_is(str_trim(t.cells[0]), "Metric")) {
            columns[0] = column_named(&t, "avg") >= 0 ? column_named(&t, "avg") : column_named(&t, "Value");
            columns[1] = column_named(&t, "p50");
            columns[2] = column_named(&t, "p99");
        } else {
            take_cells(f, r, &t, columns);
        }
    }
    OwnRun *run = &r->run;
    if (!ok || !is_known(run->requests_per_s)) {
        f->n--;
        run_refuse(f, "aiperf-csv", RUN_IS_NONE,
                   ok ? "no request throughput: no run of requests" : arena_printf(f->arena, "%s", e.text));
        return;
    }
    if (!is_known(run->seconds) && is_known(run->requests_completed))
        run->seconds = run->requests_completed / run->requests_per_s;
    run->m.scenario = "fixed-concurrency";
    // What was asked for is in the JSON beside it; the mean in flight follows from Little's law.
    run->m.batch_or_concurrency = round(run->requests_per_s * run->m.e2e_ms / 1000);
    if (!(run->m.batch_or_concurrency >= 1))
        run->m.batch_or_concurrency = is_known(run->m.e2e_ms) ? 1 : UNKNOWN_NUMBER;
    run_flag(r, RUN_CONVERTED);
    run_note(f, r, "the concurrency follows from throughput and latency");
}

void read_aiperf_server(RunsFile *f, Str text) {
    (void)text;
    run_refuse(f, "aiperf-server", RUN_IS_TRAFFIC,
               "counters of a server, no run: the run is in profile_export_aiperf.json beside it, and its "
               "requests are traffic");
}

// One request a line: what it is of is in the aggregate beside it.
void read_aiperf_requests(RunsFile *f, Str text) {
    (void)text;
    run_refuse(f, "aiperf-requests", RUN_IS_TRAFFIC,
               "requests one by one: the run is in profile_export_aiperf.json beside it, and the requests "
               "are traffic");
}
