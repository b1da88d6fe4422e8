// What agents and their caches were measured to do, against the estimator: JSON and text.
#include <math.h>

#include "src/report/validation.h"

static double error_pct(double log_error) { return (exp(log_error) - 1) * 100; }

static void group_json(const AgenticStats *s, Json *j) {
    json_add(j, J_TEXT("name", s->name), J_INTEGER("n", s->n),
             J_NUMBER("median_abs_error_pct", s->median_abs_error_pct), J_NUMBER("bias_pct", s->bias_pct),
             J_NUMBER("interval_coverage_pct", s->interval_coverage_pct), J_INTEGER("n_ttft", s->n_ttft),
             J_NUMBER("ttft_within_2x_pct", s->ttft_within_2x_pct), J_INTEGER("n_hit", s->n_hit),
             J_NUMBER("hit_median_abs_points", s->hit_median_abs_points), J_INTEGER("n_side", s->n_side),
             J_NUMBER("side_right_pct", s->side_right_pct));
}

static void run_json(const AgenticCheck *c, Json *j) {
    json_add(j, J_TEXT("run", c->run->run),
             J_TEXT_OR_NULL("left_out", c->left_out != NULL ? c->left_out : ""),
             J_TEXT_OR_NULL("not_predicted", c->not_predicted != NULL ? c->not_predicted : ""));
    bool ok = c->not_predicted == NULL;
    double nan = (double)NAN;
    json_add(j, J_NUMBER("sessions", c->run->sessions), J_NUMBER("kv_tokens", ok ? c->kv.tokens : nan),
             J_NUMBER("kv_tokens_reported", c->run->kv_tokens), J_NUMBER("think_s", ok ? c->think_s : nan),
             J_NUMBER("total_tokens_per_s", ok ? c->predicted.point.total_tokens_s : nan),
             J_NUMBER("measured", c->run->total_tokens_per_s),
             J_NUMBER("error_pct", ok ? error_pct(c->error) : nan),
             J_NUMBER("ttft_s", ok ? c->predicted.point.ttft_s : nan),
             J_NUMBER("ttft_measured_s", c->run->ttft_s),
             J_NUMBER("hit_rate_on_gpus", ok ? c->predicted.hit_device : nan),
             J_NUMBER("hit_rate_measured", c->run->hit_device));
}

static double reported(const KvSetting *k) { return sqrt(k->kv_tokens_low * k->kv_tokens_high); }

static void setting_json(const KvSetting *k, const KvCapacity *kv, Json *j) {
    json_add(j, J_TEXT("gpu", k->gpu_sku), J_TEXT("model", k->model), J_NUMBER("tp", k->tp),
             J_TEXT("engine", k->engine), J_TEXT("offload", k->offload), J_NUMBER("tokens", kv->tokens),
             J_NUMBER("low", kv->low), J_NUMBER("high", kv->high), J_NUMBER("reported_low", k->kv_tokens_low),
             J_NUMBER("reported_high", k->kv_tokens_high),
             J_NUMBER("error_pct", (kv->tokens / reported(k) - 1) * 100), J_TEXT("source", k->source));
}

void validation_agents_json(const Validation *v, Json *root) {
    Json *agentic = json_add_object(root, "agentic");
    Json *groups = json_add_array(agentic, "groups");
    for (size_t i = 0; i < v->n_agent_groups; i++)
        group_json(&v->agent_groups[i], json_add_object(groups, NULL));
    Json *runs = json_add_array(agentic, "runs");
    for (size_t i = 0; i < v->n_agents; i++) run_json(&v->agents[i], json_add_object(runs, NULL));
    Json *settings = json_add_array(root, "kv_capacities");
    for (size_t i = 0; i < v->n_settings; i++)
        setting_json(&v->settings[i], &v->capacities[i], json_add_object(settings, NULL));
}

// ---------------------------------------------------------------- text

// clang-format off
#define GROUP_COLUMNS(X) \
    X("name",                  "AGENTS",      TEXT,      s->name) \
    X("n",                     "N",           NUMBER(5), s->n) \
    X("median_abs_error_pct",  "MEDIAN%",     NUMBER(3), s->median_abs_error_pct) \
    X("bias_pct",              "BIAS%",       NUMBER(3), s->bias_pct) \
    X("ttft_within_2x_pct",    "TTFT IN 2X%", NUMBER(3), s->ttft_within_2x_pct) \
    X("hit_median_abs_points", "HIT POINTS",  NUMBER(2), s->hit_median_abs_points) \
    X("side_right_pct",        "SIDE%",       NUMBER(3), s->side_right_pct)
// clang-format on

static void groups_text(const Validation *v, Format format, Room room, Arena *a, Buf *out) {
    Listing l = LISTING(a, "agents", GROUP_COLUMNS, v->n_agent_groups);
    for (size_t i = 0; i < v->n_agent_groups; i++) {
        const AgenticStats *s = &v->agent_groups[i];
        listing_row(&l, GROUP_COLUMNS(LISTING_CELL));
    }
    listing_print(&l, format, room, out);
}

// clang-format off
#define SETTING_COLUMNS(X) \
    X("gpu",        "KV CAPACITY", TEXT,      k->gpu_sku) \
    X("model",      "MODEL",       TEXT,      k->model) \
    X("tp",         "TP",          NUMBER(3), k->tp) \
    X("offload",    "OFFLOAD",     TEXT,      k->offload) \
    X("tokens_m",   "M TOKENS",    NUMBER(3), v->capacities[i].tokens / 1e6) \
    X("reported_m", "REPORTED",    NUMBER(3), reported(k) / 1e6) \
    X("error_pct",  "ERROR%",      NUMBER(2), (v->capacities[i].tokens / reported(k) - 1) * 100)
// clang-format on

static void settings_text(const Validation *v, Format format, Room room, Arena *a, Buf *out) {
    Listing l = LISTING(a, "kv_capacities", SETTING_COLUMNS, v->n_settings);
    for (size_t i = 0; i < v->n_settings; i++) {
        const KvSetting *k = &v->settings[i];
        listing_row(&l, SETTING_COLUMNS(LISTING_CELL));
    }
    listing_print(&l, format, room, out);
}

void validation_agents_text(const Validation *v, Format format, Room room, Arena *a, Buf *out) {
    if (v->n_agents == 0 || format == FORMAT_CSV) return;
    size_t wide = format == FORMAT_MD ? 0 : room.width, left_out = 0;
    for (size_t i = 0; i < v->n_agents; i++) left_out += v->agents[i].left_out != NULL;
    if (format == FORMAT_MD) buf_puts(out, "\n## Agents and their caches\n");
    buf_puts(out, "\n");
    wrapped_printf(
        out, 0, wide,
        "Runs of coding agents against prefix caches: tokens/s in and out, mean TTFT within a factor of two, "
        "hit rate on the GPUs, and on which side of the cliff a run lies. Each is predicted from the runs of "
        "the other models (steps, cliff, think time) and prompts of a fourth; %zu of %zu runs are flagged as "
        "invalid, faulty, short or cancelled and left out. TTFT is a mean, as the runs state it. 80 %% "
        "within a factor of two were wanted on both sides of the cliff; beyond it fewer are: runs of "
        "MiniMax-M2.5 with caches in a host memory of unrecorded size, which from 32 sessions on did no "
        "better than those without, and runs of Qwen3.5 under SGLang, whose decoding takes longer than any "
        "other model's tells. Every run on one GPU is MiniMax's, so that what prompts take there can be the "
        "model's as well as the number of GPUs'.",
        left_out, v->n_agents);
    buf_puts(out, "\n");
    groups_text(v, format, room, a, out);
    buf_puts(out, "\n");
    settings_text(v, format, room, a, out);
}
