// What each kind of workload costs, of what its costs are, and which models it takes: one row a kind.
#include "src/facts/kinds.h"

#include <stddef.h>

#include "src/advise/prices.h"
#include "src/advise/search.h"

// ---------------------------------------------------------------- models that a kind takes

static bool any_model(const Ask *ask, Err *e) {
    (void)ask, (void)e;
    return true;
}

static bool decodes(const Ask *ask, Err *e) {
    return model_is_decoder(ask->model) ||
           err_set(e, ERR_USAGE, "model '%s' (%s) is no decoder: workload '%s' needs one",
                   ask->model->model_id, ask->model->family, ask->workload.workload_id);
}

static bool reads_text(const Ask *ask, Err *e) {
    return model_reads_text(ask->model, ask->workload.isl_tokens, e);
}

static bool makes_images(const Ask *ask, Err *e) {
    return is_known(ask->model->tflop_per_image) ||
           err_set(e, ERR_USAGE, "model '%s' (%s) makes no images", ask->model->model_id, ask->model->family);
}

// ---------------------------------------------------------------- costs of a task

// From units/s of all GPUs and dollars a second that carries the load.
typedef void (*TaskCost)(const Workload *w, const Estimate *rate, double usd_s, Option *o);

static void cost_of_images(const Workload *w, const Estimate *rate, double usd_s, Option *o) {
    (void)w;
    o->images_s = *rate;
    o->usd_1k_images = estimate_inverse(rate, usd_s * 1000);
}

static void cost_of_training(const Workload *w, const Estimate *rate, double usd_s, Option *o) {
    o->train_tokens_s = *rate;
    o->hours_total = estimate_inverse(rate, w->tokens_total / 3600);
    o->usd_total = estimate_inverse(rate, w->tokens_total * usd_s);
}

static void cost_of_runs(const Workload *w, const Estimate *rate, double usd_s, Option *o) {
    (void)w;
    o->usd_run = estimate_inverse(rate, usd_s);
    o->hours_total = estimate_inverse(rate, o->instances / 3600.0);  // each works on a run of its own
}

static void cost_of_texts(const Workload *w, const Estimate *rate, double usd_s, Option *o) {
    o->sequences_s = *rate;
    o->input_tokens_s = task_rate_estimate(&o->task, w->isl_tokens);
    o->input_usd_mtok = estimate_inverse(&o->input_tokens_s, usd_s * 1e6);
}

// ---------------------------------------------------------------- the table

static const struct {
    size_t cost;    // the Estimate in Option that options are ranked by
    TaskCost fill;  // NULL: src/advise/serving.c fills it
    bool (*takes)(const Ask *ask,
                  Err *e);  // whether the ask's model fits, which is not NULL unless `no_model`
} kind_costs[] = {
    [KIND_SERVE] = {offsetof(Option, output_usd_mtok), NULL, decodes},
    [KIND_IMAGES] = {offsetof(Option, usd_1k_images), cost_of_images, makes_images},
    [KIND_TRAIN] = {offsetof(Option, usd_total), cost_of_training, decodes},
    [KIND_LORA] = {offsetof(Option, usd_total), cost_of_training, decodes},
    [KIND_HPC] = {offsetof(Option, usd_run), cost_of_runs, any_model},
    [KIND_EMBED] = {offsetof(Option, input_usd_mtok), cost_of_texts, reads_text},
};
_Static_assert(COUNT_OF(kind_costs) == KIND_COUNT, "each kind of workload has a row");

bool check_ask(const Ask *ask, Err *e) {
    const Workload *w = &ask->workload;
    const KindSpec *kind = kind_of(w);
    if (kind->no_model && ask->model != NULL)
        return err_set(e, ERR_USAGE, "option '--model': workload '%s' runs no model", w->workload_id);
    if (!kind->no_model && ask->model == NULL)
        return err_set(e, ERR_USAGE, "workload '%s' has no model", w->workload_id);
    if (!kind->whole(w)) return err_set(e, ERR_USAGE, "workload '%s' has no %s", w->workload_id, kind->lacks);
    return kind_costs[w->kind].takes(ask, e);
}

void fill_task_cost(const Ask *ask, Option *o) {
    const Workload *w = &ask->workload;
    double duty = is_known(w->duty_cycle) ? w->duty_cycle : 1;
    Estimate rate = task_rate_estimate(&o->task, 1);
    kind_costs[w->kind].fill(w, &rate, o->price_usd_h / duty / 3600, o);
    Estimate *cost = (Estimate *)(void *)((char *)o + kind_costs[w->kind].cost);
    widen_by_price(o, cost);
    o->cost = cost->value;
    o->sigma_log = o->task.sigma_log;
}

// Most of the work is reading prompts: a price of answers alone would say little of it.
bool inputs_lead(const Ask *ask) {
    static const double LEAD = 8;  // input tokens to one of output; docs/traffic.md
    const Workload *w = &ask->workload;
    return serves_tokens(w) && (w->isl_tokens >= LEAD * w->osl_tokens || in_sessions(ask));
}

size_t cost_offset(const Ask *ask) {
    return inputs_lead(ask) ? offsetof(Option, blended_usd_mtok) : kind_costs[ask->workload.kind].cost;
}

const Estimate *option_cost(const Option *o, const Ask *ask) {
    return (const Estimate *)(const void *)((const char *)o + cost_offset(ask));
}

const char *per_what(const Ask *ask) {
    return inputs_lead(ask) ? "per million input and output tokens" : kind_of(&ask->workload)->per;
}

const char *cost_title(const Ask *ask) {
    return inputs_lead(ask) ? "$ IN+OUT" : kind_of(&ask->workload)->title;
}

const char *cost_axis(const Ask *ask) {
    return inputs_lead(ask) ? "$ per million tokens in and out" : kind_of(&ask->workload)->axis;
}
