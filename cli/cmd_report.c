// `gpuadvise report`: the advice for a workload.
#include <math.h>
#include <string.h>

#include "catalog/feed.h"
#include "catalog/runs.h"
#include "cli/cmd.h"
#include "cli/migrate_scan.h"
#include "cli/report_gate.h"
#include "cli/report_page.h"
#include "cli/report_price.h"
#include "cli/stack.h"

enum { TOP_DEFAULT = 12, ISL_DEFAULT = 1024, OSL_DEFAULT = 512, TEXT_DEFAULT = 512 };

#define KV_DEFAULT "bf16 fp8"

// ---------------------------------------------------------------- the question

// --model without --workload: as many requests in flight as fit, no limits; texts of a model that gives embeddings.
static Workload bare_workload(const Model *m) {
    bool embeds = model_embeds(m) && !model_is_decoder(m);
    return (Workload){.workload_id = "custom", .title = embeds ? "embeddings, given by options" : "token serving, given by options", .who = "", .kind = embeds ? KIND_EMBED : KIND_SERVE, .model_id = m->model_id,
                      .isl_tokens = embeds ? fmin(TEXT_DEFAULT, m->max_context) : ISL_DEFAULT, .osl_tokens = embeds ? (double)NAN : OSL_DEFAULT, .rate_rps = (double)NAN, .concurrency = (double)NAN,
                      .ttft_p99_ms = (double)NAN, .tpot_ms = (double)NAN, .weights = "", .kv = embeds ? "" : KV_DEFAULT, .duty_cycle = 1,
                      .tokens_total = (double)NAN, .images_steps = (double)NAN, .run_tflop_fp64 = (double)NAN, .run_tflop_fp32 = (double)NAN,
                      .run_tbyte = (double)NAN, .run_steps = (double)NAN, .source = "options", .as_of = ""};
}

// The workload of that name; a model's name says where it belongs.
static bool named_workload(App *app, const Facts *f, const char *name, const Workload **ret_workload, Err *e) {
    Err other;
    const Model *m = NULL;
    if (find_workload(f->workloads, f->n_workloads, name, ret_workload, e)) return true;
    if (!find_model(app, f->models, f->n_models, name, &m, &other)) return false;
    return err_set(e, ERR_USAGE, "'%s' is a model and no workload: '--model %s', with --isl, --osl and --concurrency or --rate", name, name);
}

// `report llama70b` is --workload llama70b.
static bool take_argument(App *app, const Facts *f, Err *e) {
    const Workload *typed = NULL;
    const Workload *other = NULL;
    if (app->n_args == 0) return true;
    if (!named_workload(app, f, app->args[0], &typed, e)) return false;
    bool both = app->values[OPT_WORKLOAD].level == LEVEL_FLAG;
    if (both && !named_workload(app, f, opt_text(app, OPT_WORKLOAD, ""), &other, e)) return false;
    if (both && other != typed) return err_set(e, ERR_USAGE, "'%s' and '--workload %s' are two workloads", app->args[0], opt_text(app, OPT_WORKLOAD, ""));
    return option_store(app, OPT_WORKLOAD, LEVEL_FLAG, "WORKLOAD", app->args[0], e);
}

static bool read_workload(App *app, const Facts *f, Ask *ask, Err *e) {
    if (!take_argument(app, f, e)) return false;
    if (!opt_set(app, OPT_WORKLOAD) && !opt_set(app, OPT_MODEL)) {
        return err_set(e, ERR_USAGE, "no workload named (`gpuadvise report llama70b`; see `gpuadvise workloads`), nor a model of your own by '--model'");
    }
    if (opt_set(app, OPT_MODEL) && !app_model(app, f, opt_text(app, OPT_MODEL, ""), &ask->model, e)) return false;
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
    static const OptionId serving[] = {OPT_OSL, OPT_TTFT, OPT_TPOT, OPT_RATE, OPT_CONCURRENCY, OPT_ENGINE, OPT_KV, OPT_PARETO, OPT_FAIL_OVER, OPT_DRAFT_TOKENS, OPT_KEPT_TOKENS, OPT_CACHED_PROMPT, OPT_POWER_CAP};
    for (size_t i = 0; i < COUNT_OF(serving) && w->kind != KIND_SERVE; i++) {
        if (app->values[serving[i]].level != LEVEL_FLAG) continue;
        return err_set(e, ERR_USAGE, "option '--%s' is for token serving; workload '%s' is of kind %s", option_table[serving[i]].name, w->workload_id, kind_names[w->kind]);
    }
    return true;
}

// The fleet is given and the load follows from it: what says the contrary at the same level is refused, at a lower one overruled.
static bool read_fleet(App *app, Ask *ask, Err *e) {
    static const OptionId other[] = {OPT_GPUS, OPT_RATE, OPT_CONCURRENCY};
    ask->fleet = opt_number(app, OPT_FLEET, (double)NAN);
    ask->site_kw = opt_number(app, OPT_SITE_KW, (double)NAN);
    ask->gpus_max = opt_number(app, OPT_GPUS, (double)NAN);
    for (size_t i = 0; i < COUNT_OF(other) && is_known(ask->fleet); i++) {
        if (app->values[other[i]].level < app->values[OPT_FLEET].level) continue;
        if (other[i] == OPT_GPUS) return err_set(e, ERR_USAGE, "options '--fleet' and '--gpus' exclude each other: exactly so many GPUs, or at most");
        return err_set(e, ERR_USAGE, "options '--fleet' and '--%s' exclude each other: the load is what the fleet carries", option_table[other[i]].name);
    }
    if (is_known(ask->fleet)) ask->gpus_max = (double)NAN;
    return true;
}

// The user's changes to the workload.
static bool change_workload(App *app, const Facts *f, Ask *ask, Err *e) {
    Workload *w = &ask->workload;
    if (!only_for_serving(app, w, e)) return false;
    if (opt_set(app, OPT_RATE) && opt_set(app, OPT_CONCURRENCY)) return err_set(e, ERR_USAGE, "give one of '--rate' and '--concurrency'");
    if (!app_ways(app, &ask->ways, e) || !read_fleet(app, ask, e)) return false;
    w->isl_tokens = opt_number(app, OPT_ISL, w->isl_tokens);
    w->osl_tokens = opt_number(app, OPT_OSL, w->osl_tokens);
    w->ttft_p99_ms = opt_number(app, OPT_TTFT, w->ttft_p99_ms);
    w->tpot_ms = opt_number(app, OPT_TPOT, w->tpot_ms);
    w->duty_cycle = opt_number(app, OPT_DUTY_CYCLE, w->duty_cycle);
    if (is_known(ask->fleet)) {
        w->rate_rps = w->kind == KIND_SERVE ? (double)NAN : w->rate_rps;
        w->concurrency = w->kind == KIND_SERVE ? (double)NAN : w->concurrency;
    } else if (opt_set(app, OPT_RATE) || opt_set(app, OPT_CONCURRENCY)) {
        w->rate_rps = opt_number(app, OPT_RATE, (double)NAN);
        w->concurrency = opt_number(app, OPT_CONCURRENCY, (double)NAN);
    }
    Dtype weights = opt_dtype(app, OPT_WEIGHTS);
    Dtype kv = opt_dtype(app, OPT_KV);
    if (weights != DTYPE_UNKNOWN) {
        w->weights = dtype_names[weights];
    } else if (w->kind == KIND_SERVE && w->weights[0] == '\0' && ask->model != NULL) {
        w->weights = usual_weights(f, ask->model, &app->arena);
    } else if (w->kind != KIND_EMBED && opt_set(app, OPT_MODEL) && ask->model != NULL && !word_in(w->weights, dtype_names[ask->model->weights_native])) {
        w->weights = arena_printf(&app->arena, "%s%s%s", dtype_names[ask->model->weights_native], w->weights[0] != '\0' ? " " : "", w->weights);
    }
    if (w->kind == KIND_SERVE && w->kv[0] == '\0') w->kv = KV_DEFAULT;
    if (kv != DTYPE_UNKNOWN) w->kv = dtype_names[kv];
    return true;
}

// ---------------------------------------------------------------- filters

static size_t distinct_providers(App *app, const Facts *f, const char ***ret_names) {
    const char **names = arena_alloc(&app->arena, f->n_offers + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < f->n_offers; i++) {
        size_t k = n;
        while (k > 0 && strcmp(names[k - 1], f->offers[i].provider) != 0) k--;  // offers come by provider: mostly the last
        if (k == 0) names[n++] = f->offers[i].provider;
    }
    *ret_names = names;
    return n;
}

static bool take_name(OptionId id, const char *name, Names *names, Err *e) {
    if (names_hold(names, name)) return true;
    if (names->n == NAMES_MAX) return err_set(e, ERR_USAGE, "option '--%s': more than %d names", option_table[id].name, NAMES_MAX);
    names->items[names->n++] = name;
    return true;
}

static bool read_discounts(App *app, const char *const *providers, size_t n, Ask *ask, Err *e) {
    const char *name = NULL;
    double percent = 0;
    for (size_t i = 0; opt_pair(app, OPT_DISCOUNT, i, &name, &percent, &app->arena); i++) {
        if (i == DISCOUNTS_MAX) return err_set(e, ERR_USAGE, "option '--discount': more than %d", DISCOUNTS_MAX);
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

static bool read_providers(App *app, OptionId id, const char *const *providers, size_t n, Names *ret, Err *e) {
    const char *const *typed = NULL;
    size_t n_typed = opt_list(app, id, &typed);
    for (size_t i = 0; i < n_typed; i++) {
        const char *name = NULL;
        if (!find_provider(app, providers, n, typed[i], &name, e) || !take_name(id, name, ret, e)) return false;
    }
    return true;
}

static bool read_gpus(App *app, OptionId id, const Facts *f, Names *ret, Err *e) {
    const char *const *typed = NULL;
    size_t n = opt_list(app, id, &typed);
    for (size_t i = 0; i < n; i++) {
        const Gpu *gpu = NULL;
        if (!find_gpu(app, f->gpus, f->n_gpus, typed[i], &gpu, e) || !take_name(id, gpu->sku_id, ret, e)) return false;
    }
    return true;
}

// Something must be left of what was named.
static bool check_left(const Names *only, OptionId with, const Names *but, OptionId without, Err *e) {
    size_t left = 0;
    for (size_t i = 0; i < only->n; i++) left += !names_hold(but, only->items[i]);
    if (only->n == 0 || left > 0) return true;
    return err_set(e, ERR_USAGE, "option '--%s' leaves out all that '--%s' names", option_table[without].name, option_table[with].name);
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
    return read_providers(app, OPT_PROVIDER, providers, n_providers, &ask->providers, e) && read_providers(app, OPT_EXCLUDE_PROVIDER, providers, n_providers, &ask->without_providers, e) &&
           read_engines(app, engines, f->n_engine_limits, &ask->engines, e) && read_gpus(app, OPT_GPU, f, &ask->gpus, e) && read_gpus(app, OPT_EXCLUDE_GPU, f, &ask->without_gpus, e) &&
           check_left(&ask->gpus, OPT_GPU, &ask->without_gpus, OPT_EXCLUDE_GPU, e) && check_left(&ask->providers, OPT_PROVIDER, &ask->without_providers, OPT_EXCLUDE_PROVIDER, e) &&
           read_discounts(app, providers, n_providers, ask, e);
}

// Providers that `prices refresh` asks.
static const char *const *feed_names(App *app) {
    const char **names = arena_alloc(&app->arena, n_feeds + 1, sizeof *names);
    for (size_t i = 0; i < n_feeds; i++) names[i] = feed_table[i]->name;
    names[n_feeds] = NULL;
    return names;
}

static bool read_filters(App *app, const Facts *f, Ask *ask, Err *e) {
    PricingModel pricing = PRICING_ON_DEMAND;
    if (!read_lists(app, f, ask, e) || !app_pricing(app, &pricing, e)) return false;
    ask->pricing_model = (int)pricing;
    ask->region = opt_text(app, OPT_REGION, "");
    ask->max_price_usd_gpu_h = opt_number(app, OPT_MAX_PRICE, (double)NAN);
    ask->max_age_days = opt_number(app, OPT_MAX_AGE, (double)NAN);
    ask->top = (size_t)opt_integer(app, OPT_TOP, TOP_DEFAULT);
    ask->pareto = opt_flag(app, OPT_PARETO);
    ask->today = app->now / 86400;
    ask->feeds = feed_names(app);
    return true;
}

// ---------------------------------------------------------------- the answer

// A refresh that makes one vendor's prices fresh and leaves the other's old would turn the answer.
static void warn_of_sides(App *app, const Facts *f) {
    enum { FRESH_DAYS = 30 };
    const Offer **fresh = arena_alloc(&app->arena, f->n_offers + 1, sizeof *fresh);
    size_t n = 0;
    bool unknown = false;
    for (size_t i = 0; i < f->n_offers; i++) {
        const Offer *o = &f->offers[i];
        int64_t day = 0;
        bool refreshed = o->feed != NULL && o->feed[0] != '\0' && o->available != AVAILABLE_NO && o->standing == STANDING_LISTED;
        if (!refreshed || !parse_date(str_of(o->as_of), &day, NULL) || app->now / 86400 - day > FRESH_DAYS) continue;
        fresh[n++] = o;
        unknown = unknown || o->sku_id[0] == '\0';
    }
    const char *sides = unknown ? market_one_sided(f->gpus, f->n_gpus, fresh, n, &app->arena) : "";
    if (sides[0] != '\0') app_warn_text(app, sides);
}

static void warn_about(App *app, const Facts *f, const Advice *advice) {
    double limit = constant_of(f, "price_age_warn_days");
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const Option *o = advice->best[v];
        if (o != NULL && o->serving.group != NULL && o->basis == BASIS_EXTRAPOLATED && !in_reach(&o->reach, o->point.running, o->concurrency)) {
            app_warn(app, "%s: %g in flight are extrapolated", reach_words(&o->reach, o->gpu, o->engine, &app->arena), o->concurrency);
        }
        if (o != NULL && o->price_ahead) app_warn(app, "the price of the best %s option (%s) is dated %s, ahead of this machine's clock: its age is not known", vendor_titles[v], o->offer->provider, o->offer->as_of);
        if (o == NULL || (double)o->price_age_days <= limit) continue;
        app_warn(app, "the price of the best %s option (%s) is %s old", vendor_titles[v], o->offer->provider, counted(&app->arena, (size_t)o->price_age_days, "day"));
    }
    const Ask *ask = advice->ask;
    if (ask->workload.kind == KIND_SERVE && ask->workload.isl_tokens + ask->workload.osl_tokens > ask->model->max_context) {
        app_warn(app, "%g tokens are more than the %g that model '%s' was made for", ask->workload.isl_tokens + ask->workload.osl_tokens, ask->model->max_context, ask->model->model_id);
    }
    if (advice->offers_too_old > 0) app_warn(app, "left out as older than --max-age, or of unknown age: %s", counted(&app->arena, advice->offers_too_old, "offer"));
    warn_of_sides(app, f);
}

static const char *ages_line(App *app, Catalog *catalog) {
    const DataAge *ages = NULL;
    size_t n = 0;
    Err e = {0};
    if (!catalog_ages(catalog, false, &app->arena, &ages, &n, &e)) return "age of the facts unknown";
    Buf line;
    buf_init(&line, BUF_LIMIT);
    buf_printf(&line, "facts (%s), newest row of each table:", catalog_data_origin(catalog));
    for (size_t i = 0, shown = 0; i < n; i++) {
        if (ages[i].rows > 0) buf_printf(&line, "%s %s %s", shown++ > 0 ? "," : "", ages[i].table, ages[i].newest);
    }
    const char *text = arena_copy(&app->arena, line.data, line.length);
    buf_free(&line);
    return text;
}

// The command with what environment and settings file added to it.
static const char *whole_command(App *app) {
    Buf line;
    buf_init(&line, BUF_LIMIT);
    buf_puts(&line, app->command_line);
    for (int id = 0; id < OPT_COUNT; id++) {
        const OptionValue *v = &app->values[id];
        if ((v->level != LEVEL_ENVIRONMENT && v->level != LEVEL_FILE) || !(command_takes(app->command, (OptionId)id) || option_table[id].global)) continue;
        for (size_t i = 0; i < v->n; i++) {
            bool flag = option_table[id].kind == OPTION_FLAG;
            if (!flag) buf_printf(&line, " --%s='%s'", option_table[id].name, v->texts[i]);
            if (flag && v->numbers[i] > 0) buf_printf(&line, " --%s", option_table[id].name);
        }
    }
    const char *text = arena_copy(&app->arena, line.data, line.length);
    buf_free(&line);
    return text;
}

// A copy that outlives this command.
static const Advice *kept(Arena *a, const Advice *advice) {
    Advice *copy = arena_alloc(a, 1, sizeof *copy);
    Ask *ask = arena_alloc(a, 1, sizeof *ask);
    *ask = *advice->ask;
    *copy = *advice;
    copy->ask = ask;
    return copy;
}

static void print_advice(App *app, Catalog *catalog, const Facts *f, const Advice *advice) {
    if (app->capture != NULL) app->capture->advice = kept(&app->arena, advice);
    if (app->format == FORMAT_JSON) {
        Json *inputs = NULL;
        Json *root = app_json(app, &inputs);
        app_inputs_json(app, inputs);
        advice_json(advice, &app->arena, root, inputs);
        terms_json(f, advice->ask, root);
        Json *facts = json_add_object(root, "facts");
        json_add_text(facts, "origin", catalog_data_origin(catalog));
        json_add_text(facts, "digest", catalog_digest(catalog));
        app_json_done(app, root);
        return;
    }
    char day[11];
    format_date(day, app->now / 86400);
    const char *made = arena_printf(&app->arena, "%s, gpuadvise %s", day, tool_version());
    ReportFrame frame = {.made = made, .generated_at = app->now, .warnings = app->warnings, .n_warnings = app->n_warnings, .command_line = whole_command(app), .data_ages = ages_line(app, catalog), .facts = f, .explain = opt_flag(app, OPT_EXPLAIN)};
    ReportPage page;
    if (app->format == FORMAT_HTML) {
        report_page(app, f, advice, &page);
        frame.page = &page;
    }
    advice_text(advice, &frame, app->format, app_width(app), &app->arena, &app->out);
}

static int exit_code(App *app, const VerdictGate *gate, const Advice *advice) {
    if (advice->nothing_but_age) return EXIT_STALE;
    if (cheapest_offered(advice) == NULL) return EXIT_NO;
    int gates = report_gates(app, gate, advice);
    if (gates != EXIT_DONE) return gates;
    return advice->verdict.winner == WINNER_UNKNOWN && !advice->verdict.filtered ? EXIT_NO : EXIT_DONE;
}

// What only says something about the code that --source names.
static bool only_with_source(const App *app, Err *e) {
    static const OptionId with[] = {OPT_ROCM, OPT_TEAM, OPT_TEST_COVERAGE, OPT_EXCLUDE};
    for (size_t i = 0; i < COUNT_OF(with) && !opt_set(app, OPT_SOURCE); i++) {
        if (app->values[with[i]].level == LEVEL_FLAG) return err_set(e, ERR_USAGE, "option '--%s' needs '--source'", option_table[with[i]].name);
    }
    return true;
}

// "8xh100-sxm5-80gb" or "8 x h100-sxm5-80gb": the number before the 'x', where that is one. Sets *name to what follows.
static bool read_count(Str *name, double *ret_gpus, Err *e) {
    size_t digits = 0;
    while (digits < name->length && name->data[digits] >= '0' && name->data[digits] <= '9') digits++;
    Str rest = str_trim((Str){name->data + digits, name->length - digits});
    if (digits == 0 || rest.length == 0 || (rest.data[0] != 'x' && rest.data[0] != 'X')) return true;
    int64_t gpus = 0;
    if (!parse_integer((Str){name->data, digits}, 1, (int64_t)option_table[OPT_FLEET].max, &gpus, e)) return err_wrap(e, "number of GPUs");
    *ret_gpus = (double)gpus;
    *name = str_trim((Str){rest.data + 1, rest.length - 1});
    return true;
}

// "h100-sxm5-80gb@2.50", "8xh100-sxm5-80gb@2.50". A GPU whose own name starts like a number of others is meant itself.
static bool read_fleet_today(App *app, const Facts *f, const char *text, Ask *ask, Err *e) {
    Str rest = str_of(text);
    Str name;
    Err not_found = {0};
    str_next(&rest, '@', &name);
    if (rest.data == NULL) return err_set(e, ERR_USAGE, "'%s' has no '@' and price in it: [Nx]SKU@PRICE", text);
    if (!parse_number(str_trim(rest), 1e-6, 1e6, &ask->current_usd_gpu_h, e)) return err_wrap(e, "price");
    name = str_trim(name);
    if (find_gpu(app, f->gpus, f->n_gpus, arena_copy(&app->arena, name.data, name.length), &ask->current, &not_found)) return true;
    return read_count(&name, &ask->current_gpus, e) && find_gpu(app, f->gpus, f->n_gpus, arena_copy(&app->arena, name.data, name.length), &ask->current, e);
}

static bool read_current(App *app, const Facts *f, Ask *ask, Err *e) {
    const char *const *fleets = NULL;
    size_t n = opt_list(app, OPT_CURRENT, &fleets);
    ask->current_gpus = (double)NAN;
    if (n == 0) return true;
    if (n > 1) return err_set(e, ERR_USAGE, "option '--current': one fleet of one GPU can run today, not %zu", n);
    return read_fleet_today(app, f, fleets[0], ask, e) || err_wrap(e, "option '--current'");
}

// A stack that names an engine which serves on both vendors' GPUs keeps it.
static void keep_engine(const Facts *f, Ask *ask) {
    for (size_t i = 0; i < ask->stack->n_entries && ask->engines.n == 0 && ask->workload.kind == KIND_SERVE; i++) {
        bool runs[VENDOR_COUNT] = {false};
        const char *name = ask->stack->entries[i].name;
        for (size_t k = 0; k < f->n_engines; k++) {
            if (text_same(f->engines[k].engine, name) && f->engines[k].status <= SUPPORT_PARTIAL) runs[f->engines[k].vendor] = true;
        }
        for (size_t k = 0; k < f->n_engine_limits && runs[VENDOR_NVIDIA] && runs[VENDOR_AMD]; k++) {
            if (text_same(f->engine_limits[k].engine, name)) ask->engines = (Names){{f->engine_limits[k].engine}, 1};
        }
    }
}

static bool read_decision(App *app, Catalog *catalog, const Facts *f, Ask *ask, Err *e) {
    static const struct {
        OptionId option;
        Term term;
    } terms[] = {
        {OPT_ENGINEER_DAY, TERM_ENGINEER_DAY}, {OPT_HORIZON, TERM_HORIZON}, {OPT_DISCOUNT_RATE, TERM_DISCOUNT_RATE}, {OPT_POWER_PRICE, TERM_POWER_PRICE}, {OPT_PUE, TERM_PUE},
        {OPT_HOST_PRICE, TERM_HOST_PRICE}, {OPT_AMORTISE, TERM_AMORTISE}, {OPT_RESIDUAL, TERM_RESIDUAL}, {OPT_CAPITAL_RATE, TERM_CAPITAL_RATE}, {OPT_TEAM_SIZE, TERM_TEAM_SIZE}, {OPT_MOVABLE, TERM_MOVABLE_SHARE}, {OPT_JOBS, TERM_JOBS_MONTH}, {OPT_API_OUTPUT, TERM_API_OUTPUT}, {OPT_API_INPUT, TERM_API_INPUT},
    };
    for (size_t i = 0; i < COUNT_OF(terms); i++) ask->terms[terms[i].term] = (Given){opt_set(app, terms[i].option), opt_number(app, terms[i].option, 0)};
    ask->seed = (uint64_t)opt_integer(app, OPT_SEED, 0);
    if (!report_quotes(app, f, ask, e)) return false;
    ask->onprem = opt_flag(app, OPT_ONPREM) || ask->n_quotes > 0;
    if (!read_current(app, f, ask, e)) return false;
    if (!opt_set(app, OPT_STACK)) return true;
    Stack *stack = arena_alloc(&app->arena, 1, sizeof *stack);
    StackFacts *facts = arena_alloc(&app->arena, 1, sizeof *facts);
    if (!stack_read(app, opt_text(app, OPT_STACK, ""), stack, e) || !catalog_stack(catalog, &app->arena, facts, e)) return false;
    ask->stack = stack;
    ask->stack_facts = facts;
    keep_engine(f, ask);
    return true;
}

// Scans the code for the best AMD option's GPU; its requirements and constructs make a stack where none was given.
static bool scan_move(App *app, Catalog *catalog, const Advice *advice, Ask *ask, ScanAnswer *x, Err *e) {
    if (!opt_set(app, OPT_SOURCE)) return true;
    const Option *amd = advice->best[VENDOR_AMD];
    Move *m = arena_alloc(&app->arena, 1, sizeof *m);
    if (!scan_source(app, opt_text(app, OPT_SOURCE, ""), amd != NULL ? amd->gpu : NULL, x, e)) return false;
    *m = (Move){.source = x->options.root, .effort = &x->effort, .findings = x->by_class[ORIGIN_OWN], .not_analysed = x->result.n_notes, .scanned = true};
    ask->move = m;
    if (ask->stack != NULL) return true;
    Stack *stack = arena_alloc(&app->arena, 1, sizeof *stack);
    StackFacts *facts = arena_alloc(&app->arena, 1, sizeof *facts);
    if (!catalog_stack(catalog, &app->arena, facts, e)) return false;
    stack_guess(app, facts, x, stack);
    ask->stack = stack;
    ask->stack_facts = facts;
    return true;
}

static int answer(App *app, Catalog *catalog, const Facts *f, const VerdictGate *gate, Advice *advice) {
    int code = exit_code(app, gate, advice);
    warn_about(app, f, advice);
    print_advice(app, catalog, f, advice);
    return code;
}

static int run(App *app) {
    Err e = {0};
    Catalog *catalog = NULL;
    Facts f;
    Ask ask = {.region = ""};
    Advice advice;
    VerdictGate gate;
    if (strcmp(app->verb->name, "diff") == 0) return report_diff(app);
    if (!verdict_gate_read(app, &gate, &e)) return app_fail(app, &e);
    if (!app_catalog(app, &catalog, &e) || !app_facts(app, &f, &e) || !report_prices(app, &f, &e) || !runs_rates(catalog, &app->arena, &f, &e)) return app_fail(app, &e);
    if (!only_with_source(app, &e) || !read_workload(app, &f, &ask, &e) || !change_workload(app, &f, &ask, &e) || !read_filters(app, &f, &ask, &e) || !read_decision(app, catalog, &f, &ask, &e)) return app_fail(app, &e);
    if (ask.workload.kind == KIND_SERVE && ask.model != NULL && !(catalog_published(catalog, ask.model->model_id, &app->arena, &f, &e) && catalog_measured(catalog, &app->arena, &f, &e))) return app_fail(app, &e);
    if (!advise_search(&f, &ask, &app->arena, &advice, &e)) return app_fail(app, &e);
    ScanAnswer *x = arena_alloc(&app->arena, 1, sizeof *x);
    bool ok = scan_move(app, catalog, &advice, &ask, x, &e) && advise_decide(&f, &app->arena, &advice, &e);
    int code = ok ? answer(app, catalog, &f, &gate, &advice) : app_fail(app, &e);
    scan_free(&x->result);
    return code;
}

static const Verb verbs[] = {{"", "[WORKLOAD]", 0, 1}, {"diff", "A.json B.json", 2, 2}};
static const OptionId options[] = {OPT_WORKLOAD, OPT_MODEL, OPT_ASSUME_DENSE, OPT_ISL, OPT_OSL, OPT_TTFT, OPT_TPOT, OPT_RATE, OPT_CONCURRENCY, OPT_GPUS, OPT_FLEET, OPT_SITE_KW, OPT_GPU, OPT_EXCLUDE_GPU, OPT_VENDOR, OPT_ENGINE, OPT_WEIGHTS, OPT_KV, OPT_DRAFT_TOKENS, OPT_KEPT_TOKENS, OPT_CACHED_PROMPT, OPT_POWER_CAP, OPT_SPOT, OPT_RESERVED,
                                   OPT_PROVIDER, OPT_EXCLUDE_PROVIDER, OPT_REGION, OPT_MAX_PRICE, OPT_PRICE, OPT_DISCOUNT, OPT_DUTY_CYCLE, OPT_MAX_AGE, OPT_TOP, OPT_PARETO, OPT_FAIL_OVER, OPT_FAIL_CHANGES, OPT_SEED,
                                   OPT_POWER_PRICE, OPT_PUE, OPT_ONPREM, OPT_GPU_PRICE, OPT_HOST_PRICE, OPT_AMORTISE, OPT_RESIDUAL, OPT_CAPITAL_RATE, OPT_CURRENT, OPT_STACK, OPT_SOURCE, OPT_ROCM, OPT_TEAM, OPT_TEST_COVERAGE, OPT_EXCLUDE, OPT_ENGINEER_DAY, OPT_HORIZON, OPT_DISCOUNT_RATE, OPT_TEAM_SIZE, OPT_MOVABLE, OPT_JOBS, OPT_API_OUTPUT, OPT_API_INPUT};

const Command cmd_report = {
    .name = "report",
    .summary = "NVIDIA or AMD for a workload: verdict, best of each, costs",
    .description = "Needs a workload, or --model for one of your own. Searches every GPU that has an offer, in every layout, precision and "
                   "engine that works, on whole rentable instances, and ranks by cost per million output tokens at the workload's load. "
                   "`report diff` says in what two answers (--json) differ and which price, run or fact moved the verdict. Exit 3 when nothing meets what was asked or no winner can be named for want of facts, 4 when a gate failed, 6 when only prices older than --max-age are left.",
    .verbs = verbs,
    .n_verbs = COUNT_OF(verbs),
    .options = options,
    .n_options = COUNT_OF(options),
    .formats = FORMATS_LISTING | 1u << FORMAT_HTML,
    .run = run,
};
