// `gpuadvise estimate`: one model on one configuration of one GPU.
#include <math.h>
#include <string.h>

#include "catalog/facts/runs.h"
#include "cli/cmd.h"
#include "cli/estimate_embedding.h"
#include "cli/estimate_llama.h"
#include "cli/own_runs.h"
#include "src/advise/sessions.h"
#include "src/perf/engines.h"

// What cli.md gives as defaults where the user says nothing.
enum { ISL_DEFAULT = 1024, OSL_DEFAULT = 512 };

typedef struct Wanted {
    ServingWant want;
    int replicas, prefill_replicas;  // prefill_replicas: of disaggregated serving, else 0
    double rate, concurrency;        // NaN = not asked for
    double sessions;                 // at once on all replicas; 0 = not asked for
    const Traffic *traffic;          // of those sessions
} Wanted;

static bool find_engine(const App *app, const Facts *f, const char **ret_engine, Err *e) {
    const char *typed = opt_text(app, OPT_ENGINE, "vllm");
    const char *names[64];
    size_t n = 0;
    for (size_t i = 0; i < f->n_engine_limits && n < COUNT_OF(names); i++)
        names[n++] = f->engine_limits[i].engine;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], typed) != 0) continue;
        *ret_engine = names[i];
        return true;
    }
    return name_unknown(e, "engine", typed, names, n);
}

// --gpus, --tp, --pp, --dp: what is not said follows from the others; what does not agree is refused.
static bool read_layout(const App *app, Wanted *w, Err *e) {
    int64_t pp = opt_integer(app, OPT_PP, 1);
    int64_t dp = opt_integer(app, OPT_DP, 1);
    int64_t gpus =
        opt_set(app, OPT_GPUS) ? opt_integer(app, OPT_GPUS, 1) : opt_integer(app, OPT_TP, 1) * pp * dp;
    int64_t tp = opt_set(app, OPT_TP)    ? opt_integer(app, OPT_TP, 1)
                 : gpus % (pp * dp) == 0 ? gpus / (pp * dp)
                                         : 0;
    if (!opt_set(app, OPT_DP) && tp > 0 && gpus % (tp * pp) == 0) dp = gpus / (tp * pp);
    if (tp < 1 || tp * pp * dp != gpus) {
        return err_set(e, ERR_USAGE, "%lld GPU%s cannot be split into tp %lld x pp %lld x dp %lld",
                       (long long)gpus, plural((double)gpus), (long long)tp, (long long)pp, (long long)dp);
    }
    int64_t ep = opt_integer(app, OPT_EP, 1);
    // Replicas share experts in groups: on each of several instances, or all together.
    bool groups = ep % tp == 0 && dp % (ep / tp) == 0;
    if (ep != 1 && !groups)
        return err_set(e, ERR_USAGE,
                       "option '--ep': experts are spread over the GPUs of a replica (%lld), over groups of "
                       "replicas of equal size, or over all GPUs (%lld), not over %lld",
                       (long long)tp, (long long)(tp * dp), (long long)ep);
    if (opt_set(app, OPT_PREFILL_GPUS) && ep > tp && ep != tp * dp)
        return err_set(e, ERR_USAGE,
                       "option '--ep': with '--prefill-gpus' over a replica or over all: %lld or %lld",
                       (long long)tp, (long long)(tp * dp));
    if (ep > 1 && !model_is_moe(w->want.model))
        return err_set(e, ERR_USAGE, "option '--ep': model '%s' has no experts", w->want.model->model_id);
    w->want.layout = (Layout){(int)tp, (int)pp, (int)ep, (int)dp};
    w->replicas = (int)dp;
    return true;
}

// Some replicas read prompts and the others write answers.
static bool read_split(const App *app, Wanted *w, Err *e) {
    const Layout *l = &w->want.layout;
    if (!opt_set(app, OPT_PREFILL_GPUS)) return true;
    double gpus = opt_number(app, OPT_PREFILL_GPUS, 0);
    w->prefill_replicas = (int)(gpus / l->tp);
    if (l->pp > 1) return err_set(e, ERR_USAGE, "option '--prefill-gpus': not with '--pp'");
    if (opt_set(app, OPT_RATE))
        return err_set(e, ERR_USAGE, "option '--prefill-gpus': give '--concurrency', not '--rate'");
    if (fmod(gpus, l->tp) != 0 || w->prefill_replicas >= l->dp)
        return err_set(e, ERR_USAGE,
                       "option '--prefill-gpus': whole replicas of %d GPUs, and at least one must be left to "
                       "write answers: at most %d",
                       l->tp, l->tp * (l->dp - 1));
    return true;
}

static bool read_load(const App *app, Wanted *w, Err *e) {
    int given = opt_set(app, OPT_CONCURRENCY) + opt_set(app, OPT_BATCH) + opt_set(app, OPT_RATE) +
                opt_set(app, OPT_SESSIONS);
    if (given > 1)
        return err_set(e, ERR_USAGE, "give one of '--concurrency', '--batch', '--rate' and '--sessions'");
    w->sessions = opt_number(app, OPT_SESSIONS, 0);
    w->rate = opt_number(app, OPT_RATE, (double)NAN);
    w->concurrency = opt_set(app, OPT_BATCH) ? opt_number(app, OPT_BATCH, 1)
                                             : opt_number(app, OPT_CONCURRENCY, (double)NAN);
    return true;
}

static bool check_power_cap(const Facts *f, const ServingWant *want, Err *e) {
    if (want->techniques.power_cap_w == 0) return true;
    if (!is_known(want->gpu->board_power_w))
        return err_set(e, ERR_USAGE, "option '--power-cap': board power of '%s' is unknown",
                       want->gpu->sku_id);
    if (is_known(capped_clock(f, want->gpu, want->techniques.power_cap_w))) return true;
    return err_set(e, ERR_USAGE, "option '--power-cap': %g W are less than '%s' takes without computing",
                   want->techniques.power_cap_w, want->gpu->sku_id);
}

static bool read_subject(App *app, const Facts *f, Wanted *w, Err *e) {
    static const OptionId needed[] = {OPT_MODEL, OPT_GPU};
    if (!app_needs(app, needed, COUNT_OF(needed), " (`gpuadvise estimate llama-3.1-70b mi300x`)", e))
        return false;
    if (!app_model(app, f, opt_text(app, OPT_MODEL, ""), &w->want.model, e)) return false;
    return find_gpu(app, f->gpus, f->n_gpus, opt_text(app, OPT_GPU, ""), &w->want.gpu, e);
}

static bool read_wanted(App *app, const Facts *f, Catalog *catalog, Wanted *w, Err *e) {
    if (!find_engine(app, f, &w->want.engine, e)) return false;
    if (model_has_unknown_cache(w->want.model))
        return err_set(e, ERR_USAGE, "the KV cache of model '%s' is not known: %s", w->want.model->model_id,
                       w->want.model->note);
    if (!model_is_decoder(w->want.model)) {
        return err_set(e, ERR_USAGE, "model '%s' (%s) is no decoder that can be served token by token",
                       w->want.model->model_id, w->want.model->family);
    }
    Dtype weights = opt_dtype(app, OPT_WEIGHTS);
    Dtype kv = opt_dtype(app, OPT_KV);
    w->want.weights = weights != DTYPE_UNKNOWN ? weights : w->want.model->weights_native;
    w->want.kv = kv != DTYPE_UNKNOWN ? kv : DTYPE_BF16;
    bool sessions = opt_set(app, OPT_SESSIONS);
    w->traffic = sessions ? traffic_named(f, AGENTS_TRAFFIC) : NULL;
    if (sessions && (w->traffic == NULL || opt_set(app, OPT_CACHED_PROMPT) || opt_set(app, OPT_PREFILL_GPUS)))
        return err_set(e, ERR_USAGE, "option '--sessions': %s",
                       w->traffic == NULL
                           ? "the facts have no traffic '" AGENTS_TRAFFIC "'"
                           : "not with '--cached-prompt', which follows from it, nor with '--prefill-gpus'");
    w->want.isl = opt_number(app, OPT_ISL, sessions ? w->traffic->input_mean : ISL_DEFAULT);
    w->want.osl = opt_number(app, OPT_OSL, sessions ? w->traffic->output_mean : OSL_DEFAULT);
    return app_techniques(app, &w->want.techniques, e) && check_power_cap(f, &w->want, e) &&
           read_layout(app, w, e) && estimate_llama(app, catalog, &w->want, e) && read_split(app, w, e) &&
           read_load(app, w, e);
}

// `s` with its experts over the replicas of its pool, where they are spread so.
static ServeStatus resolve_pool(const Facts *f, const Wanted *w, int replicas, Serving *ret) {
    ServingWant pool = w->want;
    if (pool.layout.ep > pool.layout.tp) pool.layout.ep = pool.layout.tp * replicas;
    pool.layout.dp = replicas;
    return serving_resolve(f, &pool, ret);
}

static void put_split(App *app, const Facts *f, const Wanted *w, ServingAnswer *answer) {
    Serving reading;
    int decode_replicas = w->replicas - w->prefill_replicas;
    answer->status = resolve_pool(f, w, w->prefill_replicas, &reading);
    if (answer->status == SERVE_OK) answer->status = resolve_pool(f, w, decode_replicas, &answer->serving);
    if (answer->status != SERVE_OK) return;
    Serving *s = &answer->serving;
    s->own = NULL;  // no run of one's own is of two pools
    s->sigma_log = s->sigma_alone;
    double sigma = constant_of(f, CONSTANT_SIGMA_SPLIT);
    s->sigma_log = sqrt(s->sigma_log * s->sigma_log + sigma * sigma);
    s->basis = BASIS_EXTRAPOLATED;
    answer->prefill_replicas = w->prefill_replicas;
    answer->asked = is_known(w->concurrency) ? w->concurrency : decode_replicas * s->sequences_max;
    answer->point = serving_split(&reading, s, w->prefill_replicas, decode_replicas, answer->asked);
    if (answer->point.queued)
        app_warn(app, "%s hold up the others: requests wait before their first token",
                 answer->point.running * w->replicas < decode_replicas * s->sequences_max * 0.99
                     ? "the GPUs that read prompts"
                     : "the GPUs that write answers");
}

// Sessions at once: those of a replica on each, or some replicas idle.
static void put_sessions(App *app, const Facts *f, const Wanted *w, ServingAnswer *answer) {
    Ask ask = {.workload = {.kind = KIND_SERVE,
                            .isl_tokens = w->want.isl,
                            .osl_tokens = w->want.osl,
                            .rate_rps = (double)NAN,
                            .concurrency = (double)NAN},
               .traffic = w->traffic};
    Serving *s = &answer->serving;
    double each = fmax(w->sessions / w->replicas, 1);
    answer->sessions = w->sessions;
    answer->session = sessions_point(f, &ask, s, each, w->replicas, ROUTING_CACHE_AWARE);
    answer->random_output_tokens_s =
        sessions_point(f, &ask, s, each, w->replicas, ROUTING_RANDOM).point.output_tokens_s;
    answer->point = answer->session.point;
    s->cached_share = answer->session.hit;
    s->sigma_log = fmax(s->sigma_log, constant_of(f, CONSTANT_SIGMA_SESSIONS));
    s->basis = BASIS_EXTRAPOLATED;
    if (w->sessions < w->replicas)
        app_warn(app, "%g sessions leave some of %d replicas idle: figures are for one on each", w->sessions,
                 w->replicas);
    if (each > answer->session.cliff_sessions)
        app_warn(app,
                 "%g sessions are beyond the cliff of the prefix cache at %.3g: fewer, or more memory for "
                 "the cache, give more tokens/s",
                 w->sessions, answer->session.cliff_sessions * w->replicas);
}

static void put_load(App *app, const Facts *f, const Wanted *w, ServingAnswer *answer) {
    const Serving *s = &answer->serving;
    if (w->sessions > 0) {
        put_sessions(app, f, w, answer);
        return;
    }
    if (is_known(w->rate)) {
        // Every arrival is served if it can be at all: the head-room that a plan needs is the user's own
        // here.
        if (!serving_at_rate(s, w->rate / w->replicas, 1, &answer->point)) {
            answer->point = serving_at(s, s->sequences_max);
            app_warn(
                app,
                "%g requests/s are more than this configuration can serve: figures are at its limit of %.3g",
                w->rate, answer->point.output_tokens_s / s->osl * w->replicas);
        }
        return;
    }
    double concurrency = is_known(w->concurrency)
                             ? w->concurrency
                             : serving_capacity(s, (double)NAN, (double)NAN) * w->replicas;
    answer->asked = concurrency;
    answer->point = serving_at(s, concurrency / w->replicas);
    if (concurrency < w->replicas)
        app_warn(app,
                 "%g requests in flight leave some of %d replicas idle: figures are for one request on each",
                 concurrency, w->replicas);
    if (answer->point.queued)
        app_warn(app, "only %.0f of %.0f requests can run at once (%s): the others wait",
                 answer->point.running * w->replicas, concurrency,
                 s->memory_limited ? "memory for the KV cache" : "engine limit");
}

// A public measurement of the very same goes before all estimates, but for the user's own GPU's.
static void show_published(App *app, const Facts *f, ServingAnswer *answer) {
    if (serving_host_bytes(&answer->serving) > 0) return;  // no row says what of a model lay in host memory
    answer->published = published_of(f, &answer->serving, answer->replicas, answer->asked, &app->arena);
    if (answer->published.n == 0 || answer->serving.basis == BASIS_MEASURED) return;
    use_published(f, &answer->published, answer->replicas, &answer->serving, &answer->point);
    answer->sources = arena_printf(&app->arena, "%s; %s", answer->published.sources, answer->sources);
}

// What lies beyond the loads that the engine was measured at is said to be extrapolated.
static void check_reach(App *app, const Facts *f, ServingAnswer *answer) {
    Serving *s = &answer->serving;
    EngineReach reach = engine_reach(f, s->gpu, s->engine);
    double in_flight = answer->point.concurrency * answer->replicas;
    if (in_reach(&reach, answer->point.running, in_flight) || s->basis == BASIS_PUBLISHED ||
        s->basis == BASIS_MEASURED)
        return;
    go_beyond_reach(f, s);
    app_warn(app, "%s: %g in flight are extrapolated", reach_words(&reach, s->gpu, s->engine, &app->arena),
             in_flight);
}

// What is known against this engine on this architecture, where it runs all the same.
static void warn_support(App *app, const Serving *s) {
    if (s->support->status == SUPPORT_FULL || s->support->note[0] == '\0') return;
    app_warn(app, "%s on %s is %s: %s", s->engine, s->gpu->architecture, support_names[s->support->status],
             s->support->note);
}

static void print_answer(App *app, const ServingAnswer *answer) {
    if (app->format != FORMAT_JSON) {
        serving_text(answer, app->format, app_room(app), opt_flag(app, OPT_EXPLAIN), &app->arena, &app->out);
        return;
    }
    Json *root = app_json(app);
    serving_json(answer, &app->arena, root);
}

static int embed(App *app, const Facts *f, const Wanted *w) {
    Err e = {0};
    EmbeddingAnswer answer;
    if (!estimate_embedding(app, f, w->want.gpu, w->want.model, &answer, &e)) return app_fail(app, &e);
    if (app->format == FORMAT_JSON) {
        Json *root = app_json(app);
        embedding_json(&answer, root);
    } else {
        embedding_text(&answer, app->format, app_room(app), opt_flag(app, OPT_EXPLAIN), &app->arena,
                       &app->out);
    }
    return answer.status == SERVE_OK ? EXIT_DONE : EXIT_NO;
}

static int run(App *app) {
    Err e = {0};
    Catalog *catalog = NULL;
    Facts f;
    Wanted w = {0};
    if (!app_catalog(app, &catalog, &e) || !catalog_facts(catalog, &app->arena, &f, &e) ||
        !read_subject(app, &f, &w, &e) || !runs_rates(catalog, &app->arena, &f, &e))
        return app_fail(app, &e);
    if (model_embeds(w.want.model) && !model_is_decoder(w.want.model)) return embed(app, &f, &w);
    if (!read_wanted(app, &f, catalog, &w, &e) ||
        !catalog_published(catalog, w.want.model->model_id, &app->arena, &f, &e) ||
        !app_know_own(app, catalog, w.want.model, &f, &e))
        return app_fail(app, &e);
    ServingAnswer answer = {.replicas = w.replicas,
                            .asked = (double)NAN,
                            .sigma_ttft = constant_of(&f, CONSTANT_SIGMA_TTFT),
                            .sigma_tail = constant_of(&f, CONSTANT_SIGMA_TAIL)};
    const Model *m = w.want.model;
    if (w.want.isl + w.want.osl > m->max_context)
        app_warn(app, "%g tokens are more than the %g that model '%s' was made for", w.want.isl + w.want.osl,
                 m->max_context, m->model_id);
    answer.status = serving_resolve(&f, &w.want, &answer.serving);
    if (answer.status == SERVE_OK && w.prefill_replicas > 0) put_split(app, &f, &w, &answer);
    if (answer.status == SERVE_OK && w.prefill_replicas == 0) put_load(app, &f, &w, &answer);
    bool plain = w.prefill_replicas == 0 && w.sessions == 0;
    if (answer.status == SERVE_OK && plain) posterior_at(&f, answer.point.running, &answer.serving);
    answer.kv = kv_capacity(&f, &answer.serving);
    answer.sources = serving_sources(&answer.serving, &app->arena);
    if (answer.status == SERVE_OK && !is_known(w.rate) && w.sessions == 0 && w.prefill_replicas == 0)
        show_published(app, &f, &answer);
    if (answer.status == SERVE_OK) warn_support(app, &answer.serving);
    if (answer.status == SERVE_OK) check_reach(app, &f, &answer);
    answer.reason = answer.status == SERVE_OK ? "" : serving_why(&f, &w.want, answer.status, &app->arena);
    print_answer(app, &answer);
    return answer.status == SERVE_OK ? EXIT_DONE : EXIT_NO;
}

OPTIONS(OPT_MODEL, OPT_ASSUME_DENSE, OPT_GPU, OPT_GPUS, OPT_TP, OPT_PP, OPT_EP, OPT_DP, OPT_WEIGHTS, OPT_KV,
        OPT_ISL, OPT_OSL, OPT_CONCURRENCY, OPT_BATCH, OPT_RATE, OPT_ENGINE, OPT_PREFILL_GPUS,
        OPT_DRAFT_TOKENS, OPT_ACCEPTED_TOKENS, OPT_CACHED_PROMPT, OPT_POWER_CAP, OPT_SESSIONS, OPT_HOST_GB,
        OPT_MEMORY_FRACTION, OPT_SPLIT, OPT_GPU_LAYERS, OPT_CPU_OFFLOAD, OPT_CPU_EXPERTS, OPT_HOST_GB_S);
static const Verb verbs[] = {{"", "[MODEL [GPU]]", 0, 2, false, NULL, options, run}};

COMMAND(estimate, "estimate", FORMATS_LISTING,
        .summary = "speed and memory of one model on one configuration",
        .description =
            "Needs a model and a GPU, as arguments or by --model and --gpu. One GPU, 1,024 tokens in, 512 "
            "out, the released weights, a 16-bit KV cache, vLLM and as many requests in flight as fit unless "
            "you say otherwise. With several GPUs the tensor-parallel size is their number; --tp smaller "
            "than that gives replicas. Models that give embeddings: texts of 512 tokens, in 16 bits, --batch "
            "of them at once on each GPU. Exit 3 when it does not fit or is not supported.");
