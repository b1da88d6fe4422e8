// What `gpuadvise report` is asked: the workload, what the options change of it, and what the answer is kept
// to.
#include "cli/report_ask.h"

#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

enum { TOP_DEFAULT = 12, ISL_DEFAULT = 1024, OSL_DEFAULT = 512, TEXT_DEFAULT = 512 };

#define KV_DEFAULT "bf16 fp8"

// ---------------------------------------------------------------- the question

// --model without --workload: as many requests in flight as fit, no limits; texts of a model that gives
// embeddings.
static Workload bare_workload(const Model *m) {
    bool embeds = model_embeds(m) && !model_is_decoder(m);
    return (Workload){.workload_id = "custom",
                      .title = embeds ? "embeddings, given by options" : "token serving, given by options",
                      .who = "",
                      .kind = embeds ? KIND_EMBED : KIND_SERVE,
                      .model_id = m->model_id,
                      .traffic_id = "",
                      .isl_tokens = embeds ? fmin(TEXT_DEFAULT, m->max_context) : ISL_DEFAULT,
                      .osl_tokens = embeds ? (double)NAN : OSL_DEFAULT,
                      .rate_rps = (double)NAN,
                      .concurrency = (double)NAN,
                      .ttft_p99_ms = (double)NAN,
                      .tpot_ms = (double)NAN,
                      .weights = "",
                      .kv = embeds ? "" : KV_DEFAULT,
                      .duty_cycle = 1,
                      .tokens_total = (double)NAN,
                      .images_steps = (double)NAN,
                      .run_tflop_fp64 = (double)NAN,
                      .run_tflop_fp32 = (double)NAN,
                      .run_tbyte = (double)NAN,
                      .run_steps = (double)NAN,
                      .source = "options",
                      .as_of = ""};
}

// The workload of that name; a model's name says where it belongs.
static bool named_workload(App *app, const Facts *f, const char *name, const Workload **ret_workload,
                           Err *e) {
    Err other;
    const Model *m = NULL;
    if (find_workload(f->workloads, f->n_workloads, name, ret_workload, e)) return true;
    if (!find_model(app, f->models, f->n_models, name, &m, &other)) return false;
    return err_set(
        e, ERR_USAGE,
        "'%s' is a model and no workload: '--model %s', with --isl, --osl and --concurrency or --rate", name,
        name);
}

// `report llama70b` is --workload llama70b, `report llama-3.1-8b` is --model llama-3.1-8b.
static bool take_argument(App *app, const Facts *f, Err *e) {
    const Workload *typed = NULL;
    const Workload *other = NULL;
    if (app->n_args == 0) return true;
    Err none = {0};
    const Model *m = NULL;
    bool of_model = !opt_typed(app, OPT_WORKLOAD) && !opt_typed(app, OPT_MODEL) &&
                    !find_workload(f->workloads, f->n_workloads, app->args[0], &typed, &none) &&
                    find_model(app, f->models, f->n_models, app->args[0], &m, &none);
    if (of_model) {
        app->values[OPT_WORKLOAD].n = 0;  // a setting of it was not meant
        return option_store(app, OPT_MODEL, LEVEL_FLAG, "MODEL", app->args[0], e);
    }
    if (!named_workload(app, f, app->args[0], &typed, e)) return false;
    bool both = opt_typed(app, OPT_WORKLOAD);
    if (both && !named_workload(app, f, opt_text(app, OPT_WORKLOAD, ""), &other, e)) return false;
    if (both && other != typed)
        return err_set(e, ERR_USAGE, "'%s' and '--workload %s' are two workloads", app->args[0],
                       opt_text(app, OPT_WORKLOAD, ""));
    return option_store(app, OPT_WORKLOAD, LEVEL_FLAG, "WORKLOAD", app->args[0], e);
}

bool report_workload(App *app, const Facts *f, Ask *ask, Err *e) {
    if (!take_argument(app, f, e)) return false;
    if (!opt_set(app, OPT_WORKLOAD) && !opt_set(app, OPT_MODEL)) {
        return err_set(e, ERR_USAGE,
                       "no workload named (`gpuadvise report llama70b`; see `gpuadvise workloads`), nor a "
                       "model of your own by '--model'");
    }
    if (opt_set(app, OPT_MODEL) && !app_model(app, f, opt_text(app, OPT_MODEL, ""), &ask->model, e))
        return false;
    if (!opt_set(app, OPT_WORKLOAD)) {
        ask->workload = bare_workload(ask->model);
        return true;
    }
    const Workload *found = NULL;
    if (!named_workload(app, f, opt_text(app, OPT_WORKLOAD, ""), &found, e)) return false;
    ask->workload = *found;
    if (ask->model != NULL || found->model_id[0] == '\0') return true;
    return find_model(app, f->models, f->n_models, found->model_id, &ask->model, e);
}

static bool only_for_serving(const App *app, const Workload *w, Err *e) {
    static const OptionId serving[] = {OPT_OSL,
                                       OPT_TTFT,
                                       OPT_TPOT,
                                       OPT_RATE,
                                       OPT_CONCURRENCY,
                                       OPT_ENGINE,
                                       OPT_KV,
                                       OPT_PARETO,
                                       OPT_FAIL_OVER,
                                       OPT_DRAFT_TOKENS,
                                       OPT_ACCEPTED_TOKENS,
                                       OPT_CACHED_PROMPT,
                                       OPT_POWER_CAP,
                                       OPT_SESSIONS,
                                       OPT_HOST_GB,
                                       OPT_MEMORY_FRACTION};
    for (size_t i = 0; i < COUNT_OF(serving) && !serves_tokens(w); i++) {
        if (!opt_typed(app, serving[i])) continue;
        return err_set(e, ERR_USAGE, "option '--%s' is for token serving; workload '%s' is of kind %s",
                       option_table[serving[i]].name, w->workload_id, kind_names[w->kind]);
    }
    return true;
}

// What the workload has no place for: lengths where nothing reads tokens, a dtype where no model runs.
static bool has_place(const App *app, const Workload *w, Err *e) {
    if (opt_typed(app, OPT_ISL) && !is_known(w->isl_tokens))
        return err_set(e, ERR_USAGE, "option '--isl': workload '%s' of kind %s reads no tokens",
                       w->workload_id, kind_names[w->kind]);
    if (opt_typed(app, OPT_WEIGHTS) && kind_of(w)->no_model)
        return err_set(e, ERR_USAGE, "option '--weights': workload '%s' of kind %s runs no model",
                       w->workload_id, kind_names[w->kind]);
    return true;
}

// The fleet is given and the load follows from it: what says the contrary at the same level is refused, at a
// lower one overruled.
static bool read_fleet(App *app, Ask *ask, Err *e) {
    static const OptionId other[] = {OPT_GPUS, OPT_RATE, OPT_CONCURRENCY, OPT_SESSIONS};
    ask->fleet = opt_number(app, OPT_FLEET, (double)NAN);
    ask->site_kw = opt_number(app, OPT_SITE_KW, (double)NAN);
    ask->gpus_max = opt_number(app, OPT_GPUS, (double)NAN);
    for (size_t i = 0; i < COUNT_OF(other) && is_known(ask->fleet); i++) {
        if (app->values[other[i]].level < app->values[OPT_FLEET].level) continue;
        if (other[i] == OPT_GPUS)
            return err_set(
                e, ERR_USAGE,
                "options '--fleet' and '--gpus' exclude each other: exactly so many GPUs, or at most");
        return err_set(e, ERR_USAGE,
                       "options '--fleet' and '--%s' exclude each other: the load is what the fleet carries",
                       option_table[other[i]].name);
    }
    if (is_known(ask->fleet)) ask->gpus_max = (double)NAN;
    return true;
}

// How requests come by the workload's traffic; sessions without one are those of coding agents.
static bool read_sessions(App *app, const Facts *f, Ask *ask, Err *e) {
    const char *name = ask->workload.traffic_id;
    bool sessions = opt_set(app, OPT_SESSIONS) && !is_known(ask->fleet);
    if (sessions &&
        (opt_set(app, OPT_RATE) || opt_set(app, OPT_CONCURRENCY) || opt_set(app, OPT_CACHED_PROMPT)))
        return err_set(e, ERR_USAGE,
                       "option '--sessions': not with '--rate', '--concurrency' and '--cached-prompt', which "
                       "follow from it");
    ask->traffic = traffic_named(f, name[0] == '\0' && sessions ? AGENTS_TRAFFIC : name);
    if (!sessions) return true;
    if (ask->traffic == NULL || !is_known(ask->traffic->hit_sessions))
        return err_set(e, ERR_USAGE, "option '--sessions': traffic '%s' is not known by its sessions", name);
    ask->sessions = opt_number(app, OPT_SESSIONS, 0);
    ask->workload.rate_rps = ask->workload.concurrency = (double)NAN;
    return true;
}

// The user's changes to the workload.
bool report_changes(App *app, const Facts *f, Ask *ask, Err *e) {
    Workload *w = &ask->workload;
    if (!only_for_serving(app, w, e) || !has_place(app, w, e)) return false;
    if (opt_set(app, OPT_RATE) && opt_set(app, OPT_CONCURRENCY))
        return err_set(e, ERR_USAGE, "give one of '--rate' and '--concurrency'");
    if (!app_techniques(app, &ask->techniques, e) || !read_fleet(app, ask, e) ||
        !read_sessions(app, f, ask, e))
        return false;
    w->isl_tokens = opt_number(app, OPT_ISL, w->isl_tokens);
    w->osl_tokens = opt_number(app, OPT_OSL, w->osl_tokens);
    w->ttft_p99_ms = opt_number(app, OPT_TTFT, w->ttft_p99_ms);
    w->tpot_ms = opt_number(app, OPT_TPOT, w->tpot_ms);
    w->duty_cycle = opt_number(app, OPT_DUTY_CYCLE, w->duty_cycle);
    if (is_known(ask->fleet)) {
        w->rate_rps = serves_tokens(w) ? (double)NAN : w->rate_rps;
        w->concurrency = serves_tokens(w) ? (double)NAN : w->concurrency;
    } else if (opt_set(app, OPT_RATE) || opt_set(app, OPT_CONCURRENCY)) {
        w->rate_rps = opt_number(app, OPT_RATE, (double)NAN);
        w->concurrency = opt_number(app, OPT_CONCURRENCY, (double)NAN);
    }
    Dtype weights = opt_dtype(app, OPT_WEIGHTS);
    Dtype kv = opt_dtype(app, OPT_KV);
    if (weights != DTYPE_UNKNOWN) {
        w->weights = dtype_names[weights];
    } else if (serves_tokens(w) && w->weights[0] == '\0' && ask->model != NULL) {
        w->weights = usual_weights(f, ask->model, &app->arena);
    } else if (kind_of(w)->native_weights && opt_set(app, OPT_MODEL) && ask->model != NULL &&
               !word_in(w->weights, dtype_names[ask->model->weights_native])) {
        w->weights = arena_printf(&app->arena, "%s%s%s", dtype_names[ask->model->weights_native],
                                  w->weights[0] != '\0' ? " " : "", w->weights);
    }
    if (serves_tokens(w) && w->kv[0] == '\0') w->kv = KV_DEFAULT;
    if (kv != DTYPE_UNKNOWN) w->kv = dtype_names[kv];
    return true;
}

// ---------------------------------------------------------------- filters

static size_t distinct_providers(App *app, const Facts *f, const char ***ret_names) {
    const char **names = arena_alloc(&app->arena, f->n_offers + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < f->n_offers; i++) {
        size_t k = n;
        // offers come by provider: mostly the last
        while (k > 0 && strcmp(names[k - 1], f->offers[i].provider) != 0) k--;
        if (k == 0) names[n++] = f->offers[i].provider;
    }
    *ret_names = names;
    return n;
}

static bool take_name(OptionId id, const char *name, Names *names, Err *e) {
    if (names_hold(names, name)) return true;
    if (names->n == NAMES_MAX)
        return err_set(e, ERR_USAGE, "option '--%s': more than %d names", option_table[id].name, NAMES_MAX);
    names->items[names->n++] = name;
    return true;
}

static bool read_discounts(App *app, const char *const *providers, size_t n, Ask *ask, Err *e) {
    const char *name = NULL;
    double percent = 0;
    for (size_t i = 0; opt_pair(app, OPT_DISCOUNT, i, &name, &percent, &app->arena); i++) {
        if (i == DISCOUNTS_MAX)
            return err_set(e, ERR_USAGE, "option '--discount': more than %d", DISCOUNTS_MAX);
        if (!find_provider(app, providers, n, name, &name, e)) return false;
        ask->discounts[ask->n_discounts++] = (Discount){name, percent};
    }
    return true;
}

static bool read_engines(App *app, const char *const *engines, size_t n, Names *ret, Err *e) {
    const char *const *typed = NULL;
    size_t n_typed = opt_list(app, OPT_ENGINE, &typed);
    for (size_t i = 0; i < n_typed; i++) {
        size_t k = 0;
        while (k < n && strcmp(engines[k], typed[i]) != 0) k++;
        if (k == n) return name_unknown(e, "engine", typed[i], engines, n);
        if (!take_name(OPT_ENGINE, engines[k], ret, e)) return false;
    }
    return true;
}

static bool read_providers(App *app, OptionId id, const char *const *providers, size_t n, Names *ret,
                           Err *e) {
    const char *const *typed = NULL;
    size_t n_typed = opt_list(app, id, &typed);
    for (size_t i = 0; i < n_typed; i++) {
        const char *name = NULL;
        if (!find_provider(app, providers, n, typed[i], &name, e) || !take_name(id, name, ret, e))
            return false;
    }
    return true;
}

static bool read_gpus(App *app, OptionId id, const Facts *f, Names *ret, Err *e) {
    const char *const *typed = NULL;
    size_t n = opt_list(app, id, &typed);
    for (size_t i = 0; i < n; i++) {
        const Gpu *gpu = NULL;
        if (!find_gpu(app, f->gpus, f->n_gpus, typed[i], &gpu, e) || !take_name(id, gpu->sku_id, ret, e))
            return false;
    }
    return true;
}

// Something must be left of what was named.
static bool check_left(const Names *only, OptionId with, const Names *but, OptionId without, Err *e) {
    size_t left = 0;
    for (size_t i = 0; i < only->n; i++) left += !names_hold(but, only->items[i]);
    if (only->n == 0 || left > 0) return true;
    return err_set(e, ERR_USAGE, "option '--%s' leaves out all that '--%s' names", option_table[without].name,
                   option_table[with].name);
}

// Both named: any.
static int read_vendor(App *app) {
    const char *const *typed = NULL;
    size_t n = opt_list(app, OPT_VENDOR, &typed);
    int vendor = -1;
    for (size_t i = 0; i < n; i++) {
        int v = name_index(vendor_names, typed[i]);
        if (i > 0 && v != vendor) return -1;
        vendor = v;
    }
    return vendor;
}

static bool read_lists(App *app, const Facts *f, Ask *ask, Err *e) {
    const char **providers = NULL;
    size_t n_providers = distinct_providers(app, f, &providers);
    const char **engines = arena_alloc(&app->arena, f->n_engine_limits + 1, sizeof *engines);
    for (size_t i = 0; i < f->n_engine_limits; i++) engines[i] = f->engine_limits[i].engine;
    ask->vendor = read_vendor(app);
    return read_providers(app, OPT_PROVIDER, providers, n_providers, &ask->providers, e) &&
           read_providers(app, OPT_EXCLUDE_PROVIDER, providers, n_providers, &ask->without_providers, e) &&
           read_engines(app, engines, f->n_engine_limits, &ask->engines, e) &&
           read_gpus(app, OPT_GPU, f, &ask->gpus, e) &&
           read_gpus(app, OPT_EXCLUDE_GPU, f, &ask->without_gpus, e) &&
           check_left(&ask->gpus, OPT_GPU, &ask->without_gpus, OPT_EXCLUDE_GPU, e) &&
           check_left(&ask->providers, OPT_PROVIDER, &ask->without_providers, OPT_EXCLUDE_PROVIDER, e) &&
           read_discounts(app, providers, n_providers, ask, e);
}

// Providers that `prices refresh` asks.
static const char *const *feed_names(App *app) {
    const char **names = arena_alloc(&app->arena, n_feeds + 1, sizeof *names);
    for (size_t i = 0; i < n_feeds; i++) names[i] = feed_table[i]->name;
    names[n_feeds] = NULL;
    return names;
}

bool report_filters(App *app, const Facts *f, Ask *ask, Err *e) {
    PricingModel pricing = PRICING_ON_DEMAND;
    if (!read_lists(app, f, ask, e) || !app_pricing(app, &pricing, e)) return false;
    ask->pricing_model = (int)pricing;
    ask->region = opt_text(app, OPT_REGION, "");
    ask->max_price_usd_gpu_h = opt_number(app, OPT_MAX_PRICE, (double)NAN);
    ask->max_age_days = opt_number(app, OPT_MAX_AGE, (double)NAN);
    ask->top = (size_t)opt_integer(app, OPT_TOP, TOP_DEFAULT);
    ask->pareto = opt_flag(app, OPT_PARETO);
    ask->today = app->now / DAY_S;
    ask->feeds = feed_names(app);
    return true;
}
