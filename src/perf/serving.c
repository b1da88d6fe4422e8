// Serving: one replica's memory, its time at a load, and the load that it can carry.
#include <math.h>
#include <string.h>

#include "src/perf/known.h"

const char *const serve_status_names[] = {
    [SERVE_OK] = "ok",
    [SERVE_NO_ENGINE] = "engine does not support the GPU",
    [SERVE_NO_PRECISION] = "dtype not supported by the engine on the GPU",
    [SERVE_NO_DATA] = "peak, bandwidth, memory or efficiency of the GPU unknown",
    [SERVE_NO_LAYOUT] = "the model cannot be split that way",
    [SERVE_NO_SPREAD] = "the engine spreads no experts over replicas",
    [SERVE_NO_MEMORY] = "does not fit in memory",
    [SERVE_NO_SLO] = "misses the latency limits",
    [SERVE_STATUS_COUNT] = NULL,
};

const char *const time_item_names[] = {"weights", "compute", "kv-cache", "interconnect", "launch", "prefill", NULL};
const char *const time_item_titles[] = {
    "reading weights from memory",     "matrix arithmetic of decoding",        "reading the KV cache",
    "messages between the GPUs",       "kernel launches and scheduling",       "prompts of other requests in between",
    NULL,
};

const double Z80 = 1.2815515655446004;

Estimate estimate_of(double value, double sigma_log, Basis basis, const char *sources) {
    double spread = exp(Z80 * sigma_log);
    return (Estimate){value, value / spread, value * spread, is_known(value) ? basis : BASIS_UNKNOWN, sources};
}

const char *layout_text(const Layout *l, Arena *a) {
    const char *pp = l->pp > 1 ? arena_printf(a, " PP%d", l->pp) : "";
    return arena_printf(a, l->ep > 1 ? "TP%d%s EP%d" : "TP%d%s", l->tp, pp, l->ep);
}

// ---------------------------------------------------------------- look-ups

const EngineSupport *engine_support(const Facts *f, const Gpu *g, const char *engine) {
    for (size_t i = 0; i < f->n_engines; i++) {
        const EngineSupport *s = &f->engines[i];
        if (s->vendor == g->vendor && strcmp(s->architecture, g->architecture) == 0 && strcmp(s->engine, engine) == 0) return s;
    }
    return NULL;
}

static const EngineLimits *find_limits(const Facts *f, const char *engine) {
    for (size_t i = 0; i < f->n_engine_limits; i++) {
        if (strcmp(f->engine_limits[i].engine, engine) == 0) return &f->engine_limits[i];
    }
    return NULL;
}

const Precision *gpu_precision(const Facts *f, const Gpu *g, Dtype weights) {
    for (size_t i = 0; i < f->n_precisions; i++) {
        const Precision *p = &f->precisions[i];
        if (p->vendor == g->vendor && p->weights == (int)weights && strcmp(p->architecture, g->architecture) == 0) return p;
    }
    return NULL;
}

Dtype factor_class(Dtype weights, Dtype compute) {
    double bits = dtype_bits(weights);
    bool native = dtype_bits(compute) <= 8 && dtype_bits(compute) - bits < 1;
    if (bits >= 16) return DTYPE_BF16;
    if (bits >= 8) return native ? DTYPE_FP8 : DTYPE_INT8;
    return native ? DTYPE_FP4 : DTYPE_INT4;
}

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

EffectSubject serving_subject(const ServingWant *want, const Serving *s) {
    return (EffectSubject){s->gpu, s->model, want->factors_engine != NULL ? want->factors_engine : s->engine, want->run_class != NULL ? want->run_class : "independent",
                           factor_class(s->weights, s->compute), want->software_date > 0 ? want->software_date : SOFTWARE_LAST};
}

// Looks the factors up. Returns the variance that unseen properties add; sets s->group, NULL where the vendor is unknown.
static double find_factors(const Facts *f, const ServingWant *want, Serving *s) {
    EffectSubject subject = serving_subject(want, s);
    EffectLevels levels;
    double sum[FACTOR_COUNT];
    const Efficiency *spread[SPREAD_LEVELS];
    effect_levels(&subject, &levels);
    unsigned found = effects_sum(f, &levels, sum, spread);
    s->factors = factors_of(sum);
    s->group = spread[2] != NULL ? spread[2] : spread[1] != NULL ? spread[1] : spread[0];
    double group = square(constant_of(f, "sigma_unseen_group"));
    double engine = square(constant_of(f, "sigma_unseen_engine"));
    bool class_seen = (found & 1U << EFFECT_NATIVE) != 0;
    return (spread[1] == NULL ? group : 0) + (class_seen ? 0 : group) + (spread[2] == NULL ? engine : 0);
}

// Corrects the factors by what the user's own GPU was measured to do, if it was.
static bool use_local(const Facts *f, Serving *s) {
    LocalScale scale = local_scale(f, s->gpu, s->compute);
    double *of_bandwidth[] = {&s->factors.eta_bw, &s->factors.eta_expert, &s->factors.eta_kv};
    double *of_flops[] = {&s->factors.eta_fl, &s->factors.eta_prefill};
    for (size_t i = 0; i < COUNT_OF(of_bandwidth); i++) *of_bandwidth[i] = fmin(*of_bandwidth[i] * scale.bandwidth, 1);
    for (size_t i = 0; i < COUNT_OF(of_flops); i++) *of_flops[i] = fmin(*of_flops[i] * scale.flops, 1);
    s->local_bandwidth = scale.bandwidth_rate;
    s->local_flops = scale.flops_rate;
    return scale.bandwidth_rate != NULL || scale.flops_rate != NULL;
}

// ---------------------------------------------------------------- memory

// Sequences in steady state hold all of their input and half of their output.
static double mean_context(const Serving *s) { return s->isl + s->osl / 2; }

static int ranks(const Serving *s) { return s->layout.tp * (int)s->gpu->devices_per_package; }

// Boards that split a layer's work: of one replica, or of all that share experts.
static double gpus_together(const Serving *s) { return s->layout.tp * s->expert_ranks; }

// Copies of a sequence's cache that the tensor-parallel ranks hold together.
static double copies_of_cache(const Serving *s) {
    const Model *m = s->model;
    double shards = is_known(m->kv_lora_rank) || !is_known(m->kv_heads) ? 1 : fmin(ranks(s), m->kv_heads);
    return ranks(s) / shards;
}

static void put_weights(const ServingWant *want, Serving *s) {
    const Model *m = s->model;
    double bits = want->weight_bits > 0 ? want->weight_bits / 8 : (double)NAN;
    s->expert_ranks = model_is_moe(m) ? (int)fmin(fmax(s->layout.ep / s->layout.tp, 1), s->layout.dp) : 1;
    s->weight_bytes = is_known(bits) ? m->params_total * bits : model_weight_bytes(m, s->weights);
    s->expert_bytes = !model_is_moe(m) ? 0 : is_known(bits) ? m->params_expert_routed * bits : model_expert_bytes(m, s->weights);
    s->fixed_bytes = model_fixed_bytes(m, s->weights) * (is_known(bits) ? (s->weight_bytes - s->expert_bytes) / (model_weight_bytes(m, s->weights) - (model_is_moe(m) ? model_expert_bytes(m, s->weights) : 0)) : 1);
    s->weight_bytes -= s->expert_bytes * (1 - 1.0 / s->expert_ranks);
    // The head that speculates, or a layer of the model's own.
    double per_param = s->weight_bytes / m->params_total;
    if (s->drafts > 0) s->weight_bytes += is_known(m->params_mtp) ? m->params_mtp * per_param : s->weight_bytes / m->layers;
}

static double sequences_in(double room, double held, double whole) { return room < whole ? 0 : fmax(floor(room / held), 1); }

// How many sequences memory holds. An engine whose own share of memory holds a few only is told to take nearly all, for a few more.
static double sequences_by_memory(const Facts *f, double held, double whole, Serving *s) {
    bool rest = strcmp(s->limits->fraction_of, "rest") == 0;
    double usual = rest ? s->limits->memory_fraction * (s->usable_bytes - s->weight_bytes - s->workspace_bytes) : s->budget_bytes - s->weight_bytes - s->workspace_bytes;
    double least = s->layout.tp * s->layout.pp * constant_of(f, "workspace_gb_least") * 1e9;
    double nearly_all = constant_of(f, "memory_fraction_most") * s->usable_bytes - s->weight_bytes - least;
    double n = sequences_in(usual, held, whole), few = fmin(sequences_in(nearly_all, held, whole), constant_of(f, "sequences_few"));
    s->room_bytes = fmax(few > n ? nearly_all : usual, 0);
    if (few > n) s->workspace_bytes = least;
    return fmax(n, few);
}

static void work_out_memory(const Facts *f, const ServingWant *want, Serving *s) {
    const Model *m = s->model;
    int gpus = s->layout.tp * s->layout.pp;
    put_weights(want, s);
    double width = fmax(is_known(m->intermediate) ? m->intermediate : 0, is_known(m->moe_intermediate) ? m->moe_intermediate * (is_known(m->experts_per_token) ? m->experts_per_token : 1) : 0);
    double activations = s->limits->chunk_tokens * (4 * m->hidden + 2 * width / s->layout.tp) * 2;
    s->workspace_bytes = gpus * (constant_of(f, "workspace_gb_per_gpu") * 1e9 + activations);
    s->usable_bytes = gpus * gpu_usable_bytes(s->gpu);
    s->budget_bytes = s->usable_bytes * s->limits->memory_fraction;
    s->cache_copies = copies_of_cache(s);
    s->cache_bytes_per_seq = model_cache_bytes(m, mean_context(s), s->kv) * s->cache_copies;
    double whole = model_cache_bytes(m, s->isl + s->osl, s->kv) * s->cache_copies;
    bool reserves = strcmp(s->limits->fraction_of, "rest") == 0;  // the whole length, so that nothing is evicted
    double by_memory = sequences_by_memory(f, reserves ? whole : s->cache_bytes_per_seq / constant_of(f, "cache_use"), whole, s);
    double most = want->sequences > 0 ? fmax(want->sequences, s->limits->max_running_sequences) : s->limits->max_running_sequences;
    s->memory_limited = by_memory < most;
    s->sequences_max = fmin(by_memory, most);
}

double usual_kept(const Facts *facts, double draft_tokens) {
    double p = constant_of(facts, "draft_acceptance");
    return (1 - pow(p, draft_tokens + 1)) / (1 - p);
}

// ---------------------------------------------------------------- resolve

static ServeStatus check_layout(const Serving *s) {
    const Model *m = s->model;
    if (!is_known(m->heads) || !is_known(m->hidden) || !is_known(m->layers)) return SERVE_NO_DATA;
    if (fmod(m->heads, s->layout.tp) != 0 || s->layout.pp > m->layers) return SERVE_NO_LAYOUT;
    if (model_is_moe(m) && s->layout.ep > 1 && s->layout.ep * s->gpu->devices_per_package > m->experts) return SERVE_NO_LAYOUT;  // whole experts only
    if (s->expert_ranks > 1 && !is_known(s->limits->spread_step_ratio)) return SERVE_NO_SPREAD;
    int linked = (int)fmin(ranks(s) * s->expert_ranks, NODE_GPUS);
    if (linked > 1 && !is_known(gpu_link_bytes_s(s->gpu, linked))) return SERVE_NO_DATA;
    return SERVE_OK;
}

// What ways of serving that few rows or none have tried add to the doubt.
static double ways_variance(const Facts *facts, const ServingWant *want, const Serving *s) {
    double variance = 0;
    if (s->drafts > 0) variance += square(constant_of(facts, want->ways.kept_tokens > 0 ? "sigma_drafts" : "sigma_acceptance"));
    if (s->cached_share > 0 && s->cached_share < 1) variance += square(constant_of(facts, "sigma_prefix"));
    if (s->clock < 1) variance += square(constant_of(facts, "power_doubt") * log(s->clock));
    if (s->expert_ranks > 1) variance += square(constant_of(facts, "sigma_spread"));
    if (gpus_together(s) > NODE_GPUS) variance += square(constant_of(facts, "sigma_network"));
    return variance;
}

// Factors, range and basis; false where they or the GPU's peaks are unknown.
static bool put_factors(const Facts *facts, const ServingWant *want, Serving *s) {
    const Gpu *g = s->gpu;
    double unseen = find_factors(facts, want, s);
    if (s->group == NULL || !is_known(gpu_peak_flops(g, s->compute)) || !is_known(g->memory_bw_gb_s)) return false;
    bool measured = use_local(facts, s);
    s->network_bytes_s = constant_of(facts, "network_gb_s") * 1e9;
    s->split_step_ratio = constant_of(facts, "split_step_ratio");
    s->pp_bubble = constant_of(facts, "pp_bubble");
    s->ttft_alone_share = constant_of(facts, "ttft_alone_share");
    s->ttft_p99_ratio = constant_of(facts, "ttft_p99_ratio");
    s->length_cv = constant_of(facts, "length_cv");
    s->rate_overhead_s = constant_of(facts, "rate_overhead_ms") / 1000;
    s->tpot_p99_ratio = constant_of(facts, "tpot_p99_ratio");
    if (!measured && !word_in(s->group->gpus, g->sku_id)) unseen += square(constant_of(facts, "sigma_unseen_gpu"));
    if (s->layout.pp > 1) unseen += square(constant_of(facts, "sigma_pipeline"));
    unseen += ways_variance(facts, want, s);
    double known = square(s->group->sigma_log);
    s->sigma_log = sqrt((measured ? local_variance(facts, known) : known) + unseen);
    s->basis = measured ? BASIS_MEASURED : unseen > 0 ? BASIS_EXTRAPOLATED : BASIS_CALIBRATED;
    return true;
}

ServeStatus serving_resolve(const Facts *facts, const ServingWant *want, Serving *ret) {
    const Gpu *g = want->gpu;
    Serving s = {.gpu = g, .model = want->model, .engine = want->engine, .layout = want->layout, .weights = want->weights,
                 .kv = want->kv, .isl = want->isl, .osl = want->osl, .cached_share = want->ways.cached_share, .drafts = want->ways.draft_tokens, .kept = 1, .clock = 1,
                 .precision_status = "", .basis = BASIS_UNKNOWN};
    if (s.drafts > 0) s.kept = want->ways.kept_tokens > 0 ? want->ways.kept_tokens : usual_kept(facts, s.drafts);
    if (want->ways.power_cap_w > 0) s.clock = capped_clock(facts, g, want->ways.power_cap_w);
    *ret = s;
    s.limits = find_limits(facts, want->engine);
    s.support = engine_support(facts, g, want->engine);
    if (s.limits == NULL || s.support == NULL || s.support->status == SUPPORT_NONE) return SERVE_NO_ENGINE;
    if (!is_known(s.model->params_active) || !is_known(gpu_usable_bytes(g)) || !is_known(s.clock) || (s.drafts > 0 && !is_known(s.model->vocab))) return SERVE_NO_DATA;
    work_out_memory(facts, want, &s);
    *ret = s;
    const Precision *precision = gpu_precision(facts, g, want->weights);
    bool engine_runs = word_in(s.limits->weights, dtype_names[want->weights]) && word_in(s.limits->kv, dtype_names[want->kv]);
    if (precision == NULL || !engine_runs) return SERVE_NO_PRECISION;
    s.compute = (Dtype)precision->compute;
    s.precision_status = precision->status;
    *ret = s;
    // What cannot run needs no factors: most of a search's layouts end here.
    ServeStatus layout = check_layout(&s);
    if (layout != SERVE_OK) return layout;
    if (s.sequences_max < 1) return SERVE_NO_MEMORY;
    if (!put_factors(facts, want, &s)) return SERVE_NO_DATA;
    *ret = s;
    return SERVE_OK;
}

const char *serving_sources(const Serving *s, Arena *a) {
    if (s->group == NULL) return "";
    LocalScale local = {.bandwidth_rate = s->local_bandwidth, .flops_rate = s->local_flops};
    const char *runs = local_source(&local, a);
    const char *spread = s->expert_ranks > 1 ? "spread_step_ratio of data/engine_limits.tsv; " : "";
    return arena_printf(a, "%s%s%s; %s%s; %s", runs, runs[0] != '\0' ? "; " : "", s->group->source, spread, s->gpu->source, s->model->source);
}

// ---------------------------------------------------------------- time

// All-reduces of one token at full rates: two a layer, but where experts are spread over replicas only the attention's. Over several
// nodes each GPU first holds a share of its node's sum, and exchanges that with its likes over the network.
static double reduces_s(const Serving *s) {
    double n = fmin(ranks(s), NODE_GPUS * s->gpu->devices_per_package), nodes = fmax(s->layout.tp / (double)NODE_GPUS, 1);
    if (n <= 1) return 0;
    double reduces = 2 * s->model->layers - (s->expert_ranks > 1 ? model_expert_layers(s->model) : 0);
    double bytes = reduces * s->model->hidden * 2;
    return bytes * 2 * (n - 1) / n / gpu_link_bytes_s(s->gpu, (int)n) + bytes * 2 * (nodes - 1) / nodes / NODE_GPUS / s->network_bytes_s;
}

// Every token goes to its experts and comes back, each GPU of a replica sending its share of the tokens; what leaves a node
// takes the network.
static double exchange_s(const Serving *s, double tokens, double message) {
    if (s->expert_ranks <= 1) return 0;
    double n = ranks(s) * s->expert_ranks;
    double token = s->model->experts_per_token * s->model->hidden * 2;
    double bytes = tokens / ranks(s) * model_expert_layers(s->model) * 2 * token * (1 - 1 / n);
    double outside = 1 - fmin(NODE_GPUS / gpus_together(s), 1);
    double a_byte = (1 - outside) / gpu_link_bytes_s(s->gpu, (int)fmin(n, NODE_GPUS)) + outside / s->network_bytes_s;
    return bytes * a_byte / factors_link_share(&s->factors, message / ranks(s) * token);
}

// `tokens` in messages of `message` tokens.
static double link_s(const Serving *s, double tokens, double message) {
    double exchange = exchange_s(s, tokens, message);
    return exchange + tokens * reduces_s(s) / factors_link_share(&s->factors, message * s->model->hidden * 2);
}

static double launch_s(const Serving *s) { return s->model->layers * (s->factors.tau_s + (ranks(s) > 1 ? s->factors.tau_tp_s : 0)); }

// Bytes of routed experts that `tokens` of each replica touch, on the GPUs of one.
static double touched_experts(const Serving *s, double tokens) {
    const Model *m = s->model;
    if (!model_is_moe(m)) return 0;
    return s->expert_bytes / s->expert_ranks * (1 - pow(1 - m->experts_per_token / m->experts, tokens * s->expert_ranks));
}

static double touched_bytes(const Serving *s, double tokens) { return s->fixed_bytes + touched_experts(s, tokens); }

static double bandwidth(const Serving *s) { return s->gpu->memory_bw_gb_s * 1e9 * s->layout.tp; }
static double flops_rate(const Serving *s) { return gpu_peak_flops(s->gpu, s->compute) * s->clock * s->layout.tp; }

static double weights_s(const Serving *s, double tokens) {
    return (s->fixed_bytes / s->factors.eta_bw + touched_experts(s, tokens) / s->factors.eta_expert) / bandwidth(s);
}

// Seconds that drafts of one token each for `batch` sequences take to read, and their flops: one more layer and the head.
static double draft_read_s(const Serving *s, double batch) {
    return weights_s(s, batch) / s->model->layers + s->model->vocab * s->model->hidden * 2 / s->factors.eta_bw / bandwidth(s);
}
static double draft_flops(const Serving *s, double batch) {
    return batch * (model_token_flops(s->model) / s->model->layers + 2 * s->model->vocab * s->model->hidden);
}

// One decode step of `batch` sequences through all layers, by item (TIME_PREFILL stays 0). Drafts are verified with the token
// that they follow.
double serving_step_items(const Serving *s, double batch, double items[TIME_COUNT]) {
    double context = mean_context(s), tokens = batch * (1 + s->drafts);
    double weights = weights_s(s, tokens);
    double flops = tokens * (model_token_flops(s->model) + model_decode_attention_flops(s->model, context));
    if (s->drafts > 0) {
        weights += s->drafts * draft_read_s(s, batch);
        flops += s->drafts * draft_flops(s, batch);
    }
    double compute = flops / flops_rate(s) / s->factors.eta_fl;
    // Reading and computing overlap, but not quite where they take alike: a smooth maximum, shown under the larger.
    double both = cbrt(weights * weights * weights + compute * compute * compute);
    items[TIME_WEIGHTS] = weights >= compute ? both : 0;
    items[TIME_COMPUTE] = weights >= compute ? 0 : both;
    items[TIME_KV] = batch * s->cache_bytes_per_seq / bandwidth(s) / s->factors.eta_kv;
    items[TIME_LINK] = link_s(s, tokens, tokens);
    items[TIME_LAUNCH] = launch_s(s) * (1 + s->drafts / s->model->layers) + batch * s->layout.pp * s->factors.seq_s;
    items[TIME_PREFILL] = 0;
    double step = 0;
    for (int i = 0; i < TIME_COUNT; i++) step += items[i] *= 1 + s->pp_bubble * (s->layout.pp - 1);
    return step;
}

// What of a prompt no cache holds, and its arithmetic: its own tokens, with all that stand before them.
static double fresh_tokens(const Serving *s) { return s->isl * (1 - s->cached_share); }

static double prompt_flops(const Serving *s) {
    double held = model_prompt_attention_flops(s->model, s->isl * s->cached_share);
    return fresh_tokens(s) * model_token_flops(s->model) + model_prompt_attention_flops(s->model, s->isl) - held;
}

// The arithmetic of one prompt while decoding goes on, and all of its time where nothing else runs.
static double prefill_mixed_s(const Serving *s) {
    if (s->cached_share >= 1) return 0;
    double flops = prompt_flops(s);
    static const double CHUNK_LEAST = 1024, CHUNK_MOST = 8192;  // tokens of a message
    return flops / flops_rate(s) / s->factors.eta_prefill + link_s(s, fresh_tokens(s), fmin(fmax(fresh_tokens(s), CHUNK_LEAST), CHUNK_MOST));
}

static double prefill_alone_s(const Serving *s) {
    return fmax(prefill_mixed_s(s), weights_s(s, fresh_tokens(s))) + launch_s(s);
}

double serving_prompt_s(const Serving *s) { return prefill_alone_s(s); }

static TimeItem largest(const double items[TIME_COUNT]) {
    TimeItem best = TIME_WEIGHTS;
    for (int i = 1; i < TIME_COUNT; i++) {
        if (items[i] > items[best]) best = (TimeItem)i;
    }
    return best;
}

// The same as an engine runs it. Replicas that share experts go in step, each waiting for the slowest and for tokens of the others.
static double engine_step(const Serving *s, double batch, double items[TIME_COUNT]) {
    double step = serving_step_items(s, batch, items);
    if (s->expert_ranks <= 1) return step;
    for (int i = 0; i < TIME_COUNT; i++) items[i] *= s->limits->spread_step_ratio;
    return step * s->limits->spread_step_ratio;
}

// Seconds that do not depend on what else runs: of a prompt in steps of others and alone, of a request that runs alone.
typedef struct Prompts {
    double mixed_s, alone_s, request_s;
} Prompts;

static Prompts prompts_of(const Serving *s) {
    double items[TIME_COUNT];
    double alone = s->cached_share < 1 ? s->ttft_alone_share * prefill_alone_s(s) : 0;
    return (Prompts){prefill_mixed_s(s), alone, alone + s->osl * engine_step(s, 1, items) / s->kept};
}

// A batch of `running` sequences with nothing waiting.
static Point batch_point(const Serving *s, const Prompts *prompts, double running) {
    Point p = {.concurrency = running, .running = running};
    double pp = s->layout.pp;
    double step = engine_step(s, fmax(running / pp, 1), p.item_s);
    double each = step / s->kept;  // of an output token
    for (int i = 0; i < TIME_COUNT; i++) p.item_s[i] /= s->kept;
    // A prompt alone takes less than one in the steps of others. With others no request ends sooner than alone, nor later than in a row.
    double together = fmax(running / pp, 1) * prompts->mixed_s + s->osl * each;
    p.e2e_s = s->factors.start_s + (running > 1 ? fmin(fmax(together, prompts->request_s), running * prompts->request_s) : prompts->request_s);
    // A prompt waits for the step that is running, and never takes from the steps of its own output.
    double first = s->factors.start_s + prompts->alone_s + (running > 1.5 ? step : 0);
    p.ttft_s = s->osl > 1 ? fmin(first, p.e2e_s - (s->osl - 1) * each) : p.e2e_s;
    p.tpot_s = s->osl > 1 ? (p.e2e_s - p.ttft_s) / (s->osl - 1) : (double)NAN;
    p.ttft_p99_s = p.ttft_s * s->ttft_p99_ratio;
    p.tpot_p99_s = p.tpot_s * s->tpot_p99_ratio;
    p.item_s[TIME_PREFILL] = fmax(p.e2e_s / s->osl - each, 0);
    p.bound_by = largest(p.item_s);
    p.output_tokens_s = running * s->osl / p.e2e_s;
    p.total_tokens_s = running * (s->isl + s->osl) / p.e2e_s;
    return p;
}

// Time that a request waits before it starts goes to TTFT and so to E2E.
static void add_wait(const Serving *s, Point *p, double wait_s) {
    p->ttft_s += wait_s;
    p->ttft_p99_s += wait_s;
    p->e2e_s += wait_s;
    p->concurrency = p->output_tokens_s * p->e2e_s / s->osl;  // Little's law
}

Point serving_at(const Serving *s, double concurrency) {
    Prompts prompts = prompts_of(s);
    Point p = batch_point(s, &prompts, fmax(fmin(concurrency, s->sequences_max), 1));
    if (concurrency > p.running) {
        add_wait(s, &p, concurrency * s->osl / p.output_tokens_s - p.e2e_s);
        p.queued = true;
    }
    return p;
}

// What Poisson arrivals wait. Steps follow each other; a prompt is read in the first one that begins after its arrival, with all
// that came meanwhile: a single server with gated vacations (Takagi 1991), a vacation being a step without prompts. A step lasts
// C with mean V / (1 - rho) and variance lambda E[S^2] E[C] / (1 - rho^2); an arrival sees the rest of one, drawn by its length, and
// then one that is longer by what came in that. Quantiles: a log-normal with the mean and variance of wait and own prompt. The
// variance is that of a queue without vacations, of where in a step one arrives, and of what came meanwhile.
static void put_waits(const Serving *s, double rate, Point *p) {
    static const double Z99 = 2.3263478740408408, RHO_MOST = 0.99;
    double prompt = prefill_mixed_s(s) / s->layout.pp, step = 0;
    for (int i = 0; i < TIME_PREFILL; i++) step += p->item_s[i] * s->kept;
    double spread = 1 + square(s->length_cv);  // E[S^2] = prompt^2 x spread, E[S^3] = prompt^3 x spread^3
    double rho = fmin(rate * prompt, RHO_MOST), arriving = rho * prompt * spread;  // lambda E[S^2]
    double cycle = step / (1 - rho);
    double seen = cycle + arriving / (1 - square(rho));  // E[C^2] / E[C]
    double working = 1 - exp(-p->running);               // else a request finds nothing running, and starts at once
    double mean = working * seen * (0.5 + rho);
    double queue = arriving / (2 * (1 - rho));
    double variance = square(queue) + rho * square(prompt) * cube(spread) / (3 * (1 - rho)) + working * (square(cycle) / 12 + arriving * cycle) + square(prompt) * (spread - 1);
    // Clients of a closed loop come in bursts, which the engine's overhead is fitted to; those that come at random do not.
    double overhead = s->rate_overhead_s - s->factors.start_s;
    double base = p->ttft_s + overhead - prompt, whole = mean + prompt;
    double log_variance = log(1 + variance / square(whole));
    double typical = base + whole * exp(-log_variance / 2);
    p->e2e_s += typical - p->ttft_s;
    p->ttft_s = typical;
    p->concurrency = rate * p->e2e_s;  // Little's law
    p->ttft_p99_s = base + whole * exp(Z99 * sqrt(log_variance) - log_variance / 2);
}

bool serving_at_rate(const Serving *s, double rate, double utilisation_max, Point *ret_point) {
    Prompts prompts = prompts_of(s);
    Point best = batch_point(s, &prompts, s->sequences_max);
    if (rate > utilisation_max * best.output_tokens_s / s->osl) return false;
    double low = 1;
    double high = s->sequences_max;
    double over = rate * batch_point(s, &prompts, low).e2e_s - low;  // sequences that come in the time of one, above those that run
    double under = rate * best.e2e_s - high;
    if (over <= 0) high = low;
    for (int i = 1; i <= 60 && high - low > 1e-9 * high; i++) {  // regula falsi (Illinois), halving now and then for the sake of kinks
        double x = i % 4 != 0 ? (low * under - high * over) / (under - over) : (low + high) / 2;
        if (!(x > low && x < high)) x = (low + high) / 2;
        double left = rate * batch_point(s, &prompts, x).e2e_s - x;
        if (left > 0) {
            low = x, over = left, under /= 2;
        } else {
            high = x, under = left, over /= 2;
            if (-left <= 1e-10 * x) break;
        }
    }
    Point p = batch_point(s, &prompts, high);
    p.output_tokens_s = rate * s->osl;
    p.total_tokens_s = rate * (s->isl + s->osl);
    put_waits(s, rate, &p);
    *ret_point = p;
    return true;
}

static bool within(const Point *p, double ttft_limit_s, double tpot_limit_s) {
    return !(p->ttft_p99_s > ttft_limit_s) && !(p->tpot_p99_s > tpot_limit_s);
}

Roof serving_roof(const Serving *s, double running) {
    double gpus = s->layout.tp * s->layout.pp;
    double prompt = s->cached_share < 1 ? prompt_flops(s) : 0;
    Roof r = {.read_bytes = touched_bytes(s, running) + running * s->cache_bytes_per_seq, .flops = running * ((1 + s->drafts) * model_token_flops(s->model) + s->kept * prompt / s->osl)};
    r.read_s = r.read_bytes / (s->gpu->memory_bw_gb_s * 1e9 * gpus);
    r.compute_s = r.flops / (gpu_peak_flops(s->gpu, s->compute) * gpus);
    r.tokens_s = running * s->kept / fmax(r.read_s, r.compute_s);
    return r;
}

double serving_bound(const Serving *s, double running) { return serving_roof(s, running).tokens_s; }

double serving_user_bound(const Serving *s, double running) {
    Serving decoding = *s;
    decoding.cached_share = 1;
    return serving_roof(&decoding, running).tokens_s / running;
}

double serving_capacity(const Serving *s, double ttft_limit_s, double tpot_limit_s) {
    Prompts prompts = prompts_of(s);
    double low = 0;
    double high = s->sequences_max + 1;
    while (high - low > 1) {  // invariant: low fits (0 trivially), high does not
        double middle = floor((low + high) / 2);
        Point p = batch_point(s, &prompts, middle);
        if (within(&p, ttft_limit_s, tpot_limit_s)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
