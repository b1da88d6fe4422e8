// Commands of load generators.
#include "src/advise/measure.h"

#include <math.h>
#include <string.h>

// '@m' is the model, '@i' and '@o' the lengths, '@n' the requests, '@u' the server; '@l' the load, in the
// words for requests in flight or for arrivals. One request at a time where a tool knows no load.
typedef struct Tool {
    const char *name, *engine;  // engine: whose own it is; "": of none
    const char *command, *in_flight, *at_rate;
    bool one_at_a_time;
    const char *source, *as_of;
} Tool;

static const Tool tools[] = {
    {.name = "vllm-serve",
     .engine = "vllm",
     .command = "vllm bench serve --backend openai --base-url http://@u --model @m --dataset-name random "
                "--random-input-len @i --random-output-len @o --ignore-eos @l --num-prompts @n --save-result",
     .in_flight = "--max-concurrency @c",
     .at_rate = "--request-rate @r",
     .source = "https://docs.vllm.ai/en/latest/cli/bench/serve/",
     .as_of = "2026-11"},
    {.name = "sglang-serve",
     .engine = "sglang",
     .command = "python -m sglang.bench_serving --backend sglang --base-url http://@u --model @m "
                "--dataset-name random --random-input-len @i --random-output-len @o --random-range-ratio 1 "
                "@l --num-prompts @n --output-file run.jsonl",
     .in_flight = "--max-concurrency @c",
     .at_rate = "--request-rate @r",
     .source = "https://docs.sglang.io/docs/developer_guide/bench_serving.md",
     .as_of = "2026-11"},
    {.name = "llama-bench",
     .engine = "llama.cpp",
     .command = "llama-bench -m MODEL.gguf -p @i -n @o -r 5 -o json > run.json",
     .one_at_a_time = true,
     .source = "https://github.com/ggml-org/llama.cpp/blob/master/tools/llama-bench/README.md",
     .as_of = "2026-11"},
    {.name = "aiperf",
     .engine = "",
     .command = "aiperf profile -m @m --url @u --endpoint-type chat --streaming "
                "--synthetic-input-tokens-mean @i --synthetic-input-tokens-stddev 0 --output-tokens-mean @o "
                "--output-tokens-stddev 0 @l --request-count @n",
     .in_flight = "--concurrency @c",
     .at_rate = "--request-rate @r",
     .source = "https://nvidia.github.io/TensorRT-LLM/1.2.1/examples/aiperf_client.html; "
               "https://docs.nvidia.com/aiperf/dev/reference/command-line-options",
     .as_of = "2026-11"},
};

// Where an engine's server listens unless it is told otherwise.
static const struct {
    const char *engine, *address;
} servers[] = {{"sglang", "localhost:30000"}, {"llama.cpp", "localhost:8080"}};

static const char *address_of(const char *engine) {
    for (size_t i = 0; i < COUNT_OF(servers); i++) {
        if (strcmp(servers[i].engine, engine) == 0) return servers[i].address;
    }
    return "localhost:8000";
}

static bool carries(const Tool *t, const Measure *m) {
    return !t->one_at_a_time || (!is_known(m->rate_rps) && m->concurrency <= 1);
}

// SGLang's speaks its own server's protocol; the others speak any.
static bool speaks(const Tool *t, const char *engine) {
    return strcmp(t->engine, "vllm") == 0 || t->engine[0] == '\0' || strcmp(t->engine, engine) == 0;
}

static const Tool *tool_for(const Measure *m, const char *name) {
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        if (strcmp(tools[i].name, name) == 0 && carries(&tools[i], m) && speaks(&tools[i], m->engine))
            return &tools[i];
    }
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        if (strcmp(tools[i].engine, m->engine) == 0 && carries(&tools[i], m)) return &tools[i];
    }
    return &tools[0];
}

static double requests_of(const Measure *m) {
    static const double SECONDS = 120, EACH = 10;
    double a_second = m->output_tokens_s / m->osl;
    double lasts = is_known(m->rate_rps) ? m->rate_rps * SECONDS : a_second * SECONDS;
    double all = fmax(EACH * (is_known(m->concurrency) ? m->concurrency : 1), is_known(lasts) ? lasts : 0);
    double step = all < 100 ? 10 : 100;
    return ceil(all / step) * step;
}

static const char *filled(const char *text, const Measure *m, const char *load, Arena *a) {
    const char *out = "";
    for (const char *at = text; *at != '\0';) {
        const char *next = strchr(at, '@');
        if (next == NULL) return arena_printf(a, "%s%s", out, at);
        out = arena_printf(a, "%s%.*s", out, (int)(next - at), at);
        const char *model = m->hf_name[0] != '\0' ? m->hf_name : m->model->model_id;
        switch (next[1]) {
        case 'm': out = arena_printf(a, "%s%s", out, model); break;
        case 'i': out = arena_printf(a, "%s%.0f", out, m->isl); break;
        case 'o': out = arena_printf(a, "%s%.0f", out, m->osl); break;
        case 'n': out = arena_printf(a, "%s%.0f", out, requests_of(m)); break;
        case 'c': out = arena_printf(a, "%s%.0f", out, fmax(round(m->concurrency), 1)); break;
        case 'r': out = arena_printf(a, "%s%.3g", out, m->rate_rps); break;
        case 'u': out = arena_printf(a, "%s%s", out, address_of(m->engine)); break;
        default: out = arena_printf(a, "%s%s", out, load); break;
        }
        at = next + 2;
    }
    return out;
}

const char *measure_command(const Measure *m, const char *name, Arena *a) {
    const Tool *t = tool_for(m, name);
    const char *load = t->one_at_a_time ? "" : is_known(m->rate_rps) ? t->at_rate : t->in_flight;
    return filled(t->command, m, filled(load, m, "", a), a);
}

Measure measure_of(const Ask *ask, const Option *o) {
    double replicas = fmax(o->replicas, 1);
    return (Measure){.model = ask->model,
                     .engine = o->engine,
                     .hf_name = ask->model->hf_name,
                     .isl = o->serving.isl,
                     .osl = o->serving.osl,
                     .concurrency = fmax(o->concurrency / replicas, 1),
                     .rate_rps = ask->workload.rate_rps / replicas,
                     .output_tokens_s = o->point.output_tokens_s};
}

const char *measure_tool(const Facts *f) {
    const OwnRun *newest = NULL;
    for (size_t i = 0; f->own != NULL && i < f->own->n; i++) {
        const OwnRun *r = f->own->rows[i].run;
        if (newest == NULL || r->id > newest->id) newest = r;
    }
    return newest != NULL ? newest->tool : "";
}
