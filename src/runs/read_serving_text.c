// The block that vLLM's and SGLang's clients print: "============ Serving Benchmark Result ============".
#include "src/runs/parts.h"

// What was printed before a block and belongs to it: the client's command and arguments.
typedef struct Before {
    const char *model, *tp, *backend;
    Str arguments;  // the Namespace(...) or the command; empty: none
} Before;

// Lines of a block, in any spelling seen, to what they say. `scale`: to the unit of the field.
typedef enum Target {
    T_COMPLETED,
    T_FAILED,
    T_CONCURRENCY,
    T_RATE,
    T_SECONDS,
    T_INPUT,
    T_OUTPUT,
    T_REQUESTS_S,
    T_OUTPUT_S,
    T_TOTAL_S,
    T_TTFT_MEAN,
    T_TTFT,
    T_TTFT_P99,
    T_TPOT_MEAN,
    T_TPOT,
    T_TPOT_P99,
    T_E2E,
    T_E2E_MEDIAN,
    T_MEAN_CONCURRENCY,
    T_ACCEPT,
    T_COUNT
} Target;
static const struct {
    const char *label;
    Target target;
    double scale;
} labels[] = {
    {"Successful requests", T_COMPLETED, 1},
    {"Failed requests", T_FAILED, 1},
    {"Maximum request concurrency", T_CONCURRENCY, 1},
    {"Max request concurrency", T_CONCURRENCY, 1},
    {"Max reqeuest concurrency", T_CONCURRENCY, 1},  // sic, in releases of 2025
    {"Request rate configured (RPS)", T_RATE, 1},
    {"Traffic request rate", T_RATE, 1},
    {"Benchmark duration (s)", T_SECONDS, 1},
    {"Total input tokens", T_INPUT, 1},
    {"Total generated tokens", T_OUTPUT, 1},
    {"Request throughput (req/s)", T_REQUESTS_S, 1},
    {"Output token throughput (tok/s)", T_OUTPUT_S, 1},
    {"Total Token throughput (tok/s)", T_TOTAL_S, 1},
    {"Mean TTFT (ms)", T_TTFT_MEAN, 1},
    {"Median TTFT (ms)", T_TTFT, 1},
    {"P99 TTFT (ms)", T_TTFT_P99, 1},
    {"Mean TPOT (ms)", T_TPOT_MEAN, 1},
    {"Median TPOT (ms)", T_TPOT, 1},
    {"P99 TPOT (ms)", T_TPOT_P99, 1},
    {"Mean E2EL (ms)", T_E2E, 1},
    {"Mean E2E Latency (ms)", T_E2E, 1},
    {"Median E2EL (ms)", T_E2E_MEDIAN, 1},
    {"Median E2E Latency (ms)", T_E2E_MEDIAN, 1},
    {"Concurrency", T_MEAN_CONCURRENCY, 1},
    {"Accept length", T_ACCEPT, 1},
};

typedef struct Block {
    double value[T_COUNT];
    bool unlimited, has_rate, sglang;
    size_t line;
} Block;

// "model='x'", "--model x", "tensor_parallel_size=8": the word behind a name of an argument.
static bool argument(Str arguments, const char *name, Str *ret_value) {
    size_t n = strlen(name);
    for (size_t i = 0; i + n < arguments.length; i++) {
        if (memcmp(arguments.data + i, name, n) != 0) continue;
        // "--model x", "--model=x" of a command, "model='x'" of a Namespace; never the word in a sentence
        size_t k = i + n;
        char before = i == 0 ? ' ' : arguments.data[i - 1];
        bool option = i >= 2 && before == '-' && arguments.data[i - 2] == '-';
        bool field = strchr(" (,", before) != NULL && arguments.data[k] == '=';
        if (!field && !(option && strchr("= ", arguments.data[k]) != NULL)) continue;
        while (k < arguments.length && strchr("= '\"", arguments.data[k]) != NULL) k++;
        size_t end = k;
        while (end < arguments.length && strchr(" ,)'`\"\t\\", arguments.data[end]) == NULL) end++;
        if (end == k) continue;
        *ret_value = (Str){arguments.data + k, end - k};
        return true;
    }
    return false;
}

static double number_argument(Str arguments, const char *underscored, const char *dashed) {
    Str value;
    if (!argument(arguments, underscored, &value) && !argument(arguments, dashed, &value))
        return UNKNOWN_NUMBER;
    return number_of(value);
}

static void take_label(Block *b, Str line) {
    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        Str value;
        if (!line_value(line, labels[i].label, &value)) continue;
        if (labels[i].target == T_RATE) {
            b->has_rate = true;
            b->unlimited = str_is(value, "inf") || str_is(value, "Infinity");
        }
        b->value[labels[i].target] = number_of(value) * labels[i].scale;
        return;
    }
    Str value;
    if (line_value(line, "Backend", &value) || str_has(line, "(retokenized)")) b->sglang = true;
}

static void load_of(RunRead *r, const Block *b, Str arguments) {
    Str value;
    double concurrency = b->value[T_CONCURRENCY];
    double rate = b->value[T_RATE];
    bool unlimited = b->unlimited;
    bool said = b->has_rate || is_known(concurrency);
    if (!is_known(concurrency))
        concurrency = number_argument(arguments, "max_concurrency", "max-concurrency");
    if (!b->has_rate &&
        (argument(arguments, "request_rate", &value) || argument(arguments, "request-rate", &value))) {
        said = true;
        rate = number_of(value);
        unlimited = !is_known(rate);
    }
    if (said || is_known(concurrency) || arguments.length > 0) {
        set_load(r, rate, unlimited || !is_known(rate), concurrency, r->run.requests_completed);
        return;
    }
    // Neither the block nor its command says how requests were sent: by default all at once.
    set_load(r, UNKNOWN_NUMBER, true, UNKNOWN_NUMBER, r->run.requests_completed);
    r->run.m.grade = "C";
}

static void latencies_of(Measurement *m, const Block *b) {
    bool median = is_known(b->value[T_TTFT]) || is_known(b->value[T_TPOT]);
    m->ttft_ms = positive(b->value[median ? T_TTFT : T_TTFT_MEAN]);
    m->tpot_ms = positive(b->value[median ? T_TPOT : T_TPOT_MEAN]);
    m->ttft_p99_ms = positive(b->value[T_TTFT_P99]);
    m->tpot_p99_ms = positive(b->value[T_TPOT_P99]);
    m->e2e_ms = positive(b->value[is_known(b->value[T_E2E]) ? T_E2E : T_E2E_MEDIAN]);
    m->latency_statistic = median ? "median" : is_known(m->ttft_ms) ? "mean" : "";
}

static void end_block(RunsFile *f, const Block *b, const Before *before) {
    bool whole =
        is_known(b->value[T_COMPLETED]) && is_known(b->value[T_SECONDS]) && is_known(b->value[T_OUTPUT_S]);
    if (!whole || b->value[T_COMPLETED] < 1) {
        const char *why =
            whole || b->value[T_COMPLETED] < 1 ? "no request was completed" : "the block breaks off";
        run_refuse(f, "serving-text", RUN_IS_NONE, arena_printf(f->arena, "line %zu: %s", b->line, why));
        return;
    }
    RunRead *r = run_new(f, "serving-text");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    Str value;
    Str arguments = before->arguments;
    if (argument(arguments, "model", &value)) r->said.model = text_of(f, value);
    run->requests_completed = b->value[T_COMPLETED];
    run->requests_failed = b->value[T_FAILED];
    run->requests_asked = number_argument(arguments, "num_prompts", "num-prompts");
    if (!is_known(run->requests_asked) && is_known(run->requests_failed))
        run->requests_asked = run->requests_completed + run->requests_failed;
    run->seconds = positive(b->value[T_SECONDS]);
    run->requests_per_s = positive(b->value[T_REQUESTS_S]);
    if (is_known(run->seconds))
        run->requests_per_s = run->requests_completed / run->seconds;  // of more digits
    run->concurrency_mean = positive(b->value[T_MEAN_CONCURRENCY]);
    m->input_tokens = positive(b->value[T_INPUT] / run->requests_completed);
    m->output_tokens = positive(b->value[T_OUTPUT] / run->requests_completed);
    m->output_tokens_per_s = positive(b->value[T_OUTPUT_S]);
    m->tokens_per_s_total = positive(b->value[T_TOTAL_S]);
    m->tokens_kind = is_known(m->tokens_per_s_total) ? "total" : "";
    if (b->value[T_ACCEPT] > 1) m->draft_tokens = "?";
    latencies_of(m, b);
    load_of(r, b, arguments);
}

static bool is_command(Str line) {
    return str_has(line, "Namespace(") || str_has(line, "bench serve") ||
           str_has(line, "benchmark_serving") || str_has(line, "bench_serving");
}

void read_serving_text(RunsFile *f, Str text) {
    Before before = {.model = "", .tp = "", .backend = ""};
    Block b = {0};
    bool inside = false;
    bool continued = false;
    size_t number = 0;
    Str line;
    while (line_next(&text, &line)) {
        number++;
        if (str_has(line, RUN_BLOCK)) {
            if (inside) end_block(f, &b, &before);
            b = (Block){.line = number};
            for (size_t i = 0; i < T_COUNT; i++) b.value[i] = UNKNOWN_NUMBER;
            inside = true;
            continue;
        }
        if (inside && str_has(line, "==========")) {
            end_block(f, &b, &before);
            inside = false;
        } else if (inside) {
            take_label(&b, line);
        } else if (is_command(line)) {
            before.arguments = line;
        } else if (continued) {  // a command over several lines
            before.arguments.length = (size_t)(line.data + line.length - before.arguments.data);
        }
        Str trimmed = str_trim(line);
        continued = !inside && before.arguments.length > 0 && trimmed.length > 0 &&
                    trimmed.data[trimmed.length - 1] == '\\';
    }
    if (inside) end_block(f, &b, &before);
}
