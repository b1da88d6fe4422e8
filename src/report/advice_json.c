// An Advice as JSON.
#include <math.h>

#include "src/report/apis.h"
#include "src/report/figures.h"
#include "src/report/sessions.h"
#include "src/report/sizing.h"

static void option_json(const Option *o, Json *j) {
    json_add(j, J_TEXT("vendor", vendor_names[o->gpu->vendor]), J_TEXT("gpu", o->gpu->sku_id),
             J_INTEGER("gpu_count", o->gpu_count), J_INTEGER("instances", o->instances),
             J_INTEGER("replicas", o->replicas));
    Json *parallel = json_add_object(j, "parallel");
    json_add(parallel, J_INTEGER("tp", o->layout.tp), J_INTEGER("pp", o->layout.pp),
             J_INTEGER("ep", o->layout.ep), J_INTEGER("dp", o->layout.dp));
    json_add(j, J_TEXT_OR_NULL("engine", o->engine),
             J_TEXT_OR_NULL("weights", o->weights != DTYPE_UNKNOWN ? dtype_names[o->weights] : ""),
             J_TEXT_OR_NULL("kv", o->kv != DTYPE_UNKNOWN ? dtype_names[o->kv] : ""),
             J_TEXT("provider", o->offer->provider), J_TEXT_OR_NULL("instance", o->offer->instance),
             J_TEXT_OR_NULL("region", o->offer->region),
             J_TEXT("seller_class", seller_class_names[o->seller]),
             J_NUMBER("machines_seen", o->offer->machines_seen >= 1 ? o->offer->machines_seen : (double)NAN),
             J_NUMBER("hosts_seen", o->offer->hosts_seen >= 1 ? o->offer->hosts_seen : (double)NAN),
             J_AVAILABLE("one_host", offer_one_host(o->offer, o->seller)),
             J_NUMBER("instances_most", isfinite(o->instances_most) ? o->instances_most : (double)NAN),
             J_BOOL("instances_most_assumed", o->most_assumed),
             J_BOOL("price_derived", o->offer->derived_from > 0),
             J_TEXT("pricing_model", pricing_names[o->offer->pricing_model]),
             J_NUMBER("price_usd_per_hour", o->price_usd_h),
             J_NUMBER("price_usd_per_gpu_hour", o->price_usd_gpu_h), J_TEXT("price_seen_at", o->offer->as_of),
             J_TEXT("price_source", o->offer->source), J_AVAILABLE("available", o->offer->available),
             J_NUMBER("sigma_log_speed", o->sigma_log), J_NUMBER("sigma_log_price", o->sigma_price),
             J_NUMBER("gone_probability", o->price_gone), J_NUMBER("concurrency", o->concurrency),
             J_NUMBER("memory_used_pct", o->memory_used_pct));
    for (size_t i = 0; i < n_option_figures; i++)
        estimate_json(j, option_figures[i].key, option_figure(o, i));
    published_json(&o->published, j);
    if (o->serving.group != NULL) {
        kv_json(&o->cache, &o->serving, o->replicas, j);
    } else {
        json_add_null(j, "kv_capacity");
    }
    json_add_number(j, "cached_prompt_share",
                    o->serving.group != NULL ? o->serving.cached_share : (double)NAN);
    session_json(&o->session, o->sessions, o->replicas, o->random_output_tokens_s, j);
    json_add_text(j, "bound_by",
                  o->sessions > 0 && o->session.kv_bound ? "kv-capacity"
                  : o->serving.group != NULL             ? time_item_names[o->point.bound_by]
                                                         : o->task.bound_by);
}

static void alike_json(const Alike *x, Json *parent) {
    Json *j = json_object_if(parent, "like_for_like", x != NULL);
    if (j == NULL) return;
    json_add(j, J_TEXT("winner", winner_names[x->winner]), J_NUMBER("probability", x->probability));
    estimate_json(j, "cost_ratio_amd_to_nvidia", &x->cost_ratio);
    json_add(j, J_TEXT("seller_class", seller_class_names[x->seller_class]),
             J_NUMBER("seen_within_days", x->within_days),
             J_NUMBER("weight_bits", x->bits > 0 ? x->bits : (double)NAN));
    for (int v = 0; v < VENDOR_COUNT; v++) option_json(x->option[v], json_add_object(j, vendor_names[v]));
    json_add_text(j, "text", x->text);
}

static void verdict_json(const Verdict *v, Json *root) {
    Json *j = json_add_object(root, "verdict");
    json_add(j, J_TEXT_OR_NULL("winner", v->winner == WINNER_UNKNOWN ? "" : winner_names[v->winner]),
             J_TEXT_OR_NULL("unknown_because", v->unknown_because), J_TEXT("text", v->text),
             J_NUMBER("probability", v->probability));
    estimate_json(j, "cost_ratio_amd_to_nvidia", &v->cost_ratio);
    json_add_texts(j, "reasons_for", v->reasons_for, v->n_for);
    json_add_texts(j, "reasons_against", v->reasons_against, v->n_against);
    json_add_texts(j, "risks", v->risks, v->n_risks);
    json_add(j, J_TEXT_OR_NULL("next_step", v->next_step != NULL ? v->next_step : ""),
             J_INTEGER("draws", v->samples), J_BOOL("decided_by_needs", v->by_needs),
             J_BOOL("decided_by_staying", v->by_staying));
    alike_json(v->alike, j);
    own_verdict_json(v, j);
    json_add(j, J_TEXT_OR_NULL("own_runs_changed", v->own_runs_changed != NULL ? v->own_runs_changed : ""),
             J_TEXT_OR_NULL("own_runs_sides", v->own_runs_sides != NULL ? v->own_runs_sides : ""));
    Json *steps = json_add_array(j, "next_steps");
    for (size_t i = 0; i < v->n_next_steps; i++) {
        Json *step = json_add_object(steps, NULL);
        json_add(step, J_TEXT("text", v->next_steps[i].text), J_NUMBER("cost_usd", v->next_steps[i].cost_usd),
                 J_NUMBER("worth_up_to_usd", v->next_steps[i].worth_usd));
    }
}

static void asked_json(const Advice *advice, Json *inputs) {
    const Ask *ask = advice->ask;
    const Workload *w = &ask->workload;
    Json *j = json_add_object(inputs, "resolved");
    json_add(j, J_TEXT("workload", w->workload_id), J_TEXT("kind", kind_names[w->kind]),
             J_TEXT_OR_NULL("model", ask->model != NULL ? ask->model->model_id : ""),
             J_NUMBER("isl_tokens", w->isl_tokens), J_NUMBER("osl_tokens", w->osl_tokens),
             J_NUMBER("concurrency", w->concurrency), J_NUMBER("rate_rps", w->rate_rps),
             J_TEXT_OR_NULL("traffic", ask->traffic != NULL ? ask->traffic->traffic_id : ""),
             J_NUMBER("sessions", ask->sessions > 0 ? ask->sessions : (double)NAN),
             J_NUMBER("host_gb", ask->techniques.host_gb > 0 ? ask->techniques.host_gb : (double)NAN),
             J_NUMBER("ttft_p99_ms", w->ttft_p99_ms), J_NUMBER("tpot_p99_ms", w->tpot_ms),
             J_TEXT_OR_NULL("weights", w->weights), J_TEXT_OR_NULL("kv", w->kv),
             J_NUMBER("duty_cycle", is_known(w->duty_cycle) ? w->duty_cycle : 1),
             J_TEXT("pricing_model", pricing_names[ask->pricing_model]),
             J_TEXT_OR_NULL("vendor", ask->vendor >= 0 ? vendor_names[ask->vendor] : ""));
    Json *checkpoints = json_add_array(j, "checkpoints");
    for (size_t i = 0; i < advice->n_checkpoints; i++) {
        const Checkpoint *c = advice->checkpoints[i];
        Json *one = json_add_object(checkpoints, NULL);
        json_add(one, J_TEXT("weights", dtype_names[c->weights]), J_TEXT("hf_name", c->hf_name),
                 J_TEXT("maker", checkpoint_maker_names[c->maker]),
                 J_BOOL("searched", serves_tokens(w) && word_in(w->weights, dtype_names[c->weights])),
                 J_TEXT("source", c->source), J_TEXT("as_of", c->as_of));
    }
    json_add_texts(j, "gpus", ask->gpus.items, ask->gpus.n);
    json_add_texts(j, "without_gpus", ask->without_gpus.items, ask->without_gpus.n);
    json_add_texts(j, "engines", ask->engines.items, ask->engines.n);
    json_add_texts(j, "providers", ask->providers.items, ask->providers.n);
    json_add_texts(j, "without_providers", ask->without_providers.items, ask->without_providers.n);
    json_add(j, J_NUMBER("gpus_at_most", ask->gpus_max), J_NUMBER("fleet_gpus", ask->fleet),
             J_NUMBER("site_kw", ask->site_kw));
    Json *now = json_object_if(j, "current", ask->current != NULL);
    if (now == NULL) return;
    json_add(now, J_TEXT("gpu", ask->current->sku_id), J_NUMBER("gpu_count", ask->current_gpus),
             J_NUMBER("price_usd_per_gpu_hour", ask->current_usd_gpu_h),
             J_TEXT_OR_NULL("does_not_do_it", advice->current_unfit != NULL ? advice->current_unfit : ""));
}

static void ages_json(const Advice *advice, Json *root) {
    Json *j = json_add_object(root, "prices");
    json_add(j, J_INTEGER("offers_seen", advice->offers_seen), J_INTEGER("offers_used", advice->offers_used),
             J_INTEGER("offers_too_old", advice->offers_too_old),
             J_NUMBER("oldest_price_days",
                      advice->oldest_price_days >= 0 ? (double)advice->oldest_price_days : (double)NAN),
             J_NUMBER("newest_price_days",
                      advice->newest_price_days >= 0 ? (double)advice->newest_price_days : (double)NAN));
}

static void nearest_json(const Nearest *n, Json *parent) {
    Json *j = json_object_if(parent, "nearest_measured", n->row != NULL);
    if (j == NULL) return;
    const Measurement *m = n->row;
    json_add_text(j, "id", m->id);
    json_add_texts(j, "differs_in", n->differs, n->n_differs);
    json_add(j, J_NUMBER("distance", n->distance), J_NUMBER("output_tokens_per_s", n->output_tokens_s),
             J_NUMBER("output_tokens_per_s_per_gpu", n->output_tokens_s_gpu), J_TEXT("gpu", m->gpu_sku),
             J_NUMBER("gpu_count", n->gpus), J_TEXT("model", m->model), J_TEXT_OR_NULL("engine", m->engine),
             J_TEXT("source", m->source), J_TEXT("as_of", m->as_of));
}

// The figure of an option that the verdict, tables and charts say first.
static const char *leading_key(const Ask *ask) {
    size_t i = 0;
    while (option_figures[i].offset != cost_offset(ask)) i++;  // every cost is a figure
    return option_figures[i].key;
}

void advice_json(const Advice *advice, Arena *a, Json *root, Json *inputs) {
    asked_json(advice, inputs);
    json_add_text(root, "leading_price", leading_key(advice->ask));
    verdict_json(&advice->verdict, root);
    Json *best = json_add_object(root, "best");
    for (int vendor = 0; vendor < VENDOR_COUNT; vendor++) {
        if (advice->best[vendor] != NULL) {
            Json *j = json_add_object(best, vendor_names[vendor]);
            option_json(advice->best[vendor], j);
            launch_json(advice, advice->best[vendor], a, j);
            nearest_json(&advice->nearest[vendor], j);
        } else {
            json_add_null(best, vendor_names[vendor]);
        }
    }
    session_curves_json(advice, root);
    apis_json(advice, root);
    Json *next = json_add_object(root, "next_best");
    for (int vendor = 0; vendor < VENDOR_COUNT; vendor++) {
        if (advice->next[vendor] != NULL) {
            option_json(advice->next[vendor], json_add_object(next, vendor_names[vendor]));
        } else {
            json_add_null(next, vendor_names[vendor]);
        }
    }
    sizing_json(advice, root);
    Json *options = json_add_array(root, "options");
    for (size_t i = 0; i < advice->n_options; i++)
        option_json(&advice->options[i], json_add_object(options, NULL));
    json_add_integer(root, "options_found", (int64_t)advice->n_found);
    Json *excluded = json_add_array(root, "excluded");
    for (size_t i = 0; i < advice->n_exclusions; i++) {
        Json *j = json_add_object(excluded, NULL);
        json_add(j, J_TEXT("what", advice->exclusions[i].what),
                 J_TEXT("reason", advice->exclusions[i].reason),
                 J_INTEGER("count", advice->exclusions[i].count),
                 J_TEXT("example", advice->exclusions[i].example));
    }
    decision_json(advice, root);
    ages_json(advice, root);
}
