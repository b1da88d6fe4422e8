// Serving: what a configuration is made of, and whether it works: look-ups, memory, factors and their doubt.
#include <math.h>
#include <string.h>

#include "src/perf/engines.h"
#include "src/perf/known.h"
#include "src/perf/kv.h"
#include "src/perf/posterior.h"
#include "src/perf/replica.h"

double ratio_sigma(const Facts *facts, double a, double b, Common common) {
    double shared = common.model ? constant_of(facts, CONSTANT_SHARE_MODEL) : 0;
    if (common.engine) shared += constant_of(facts, CONSTANT_SHARE_ENGINE);
    if (common.gpu) shared += constant_of(facts, CONSTANT_SHARE_GPU);
    // What a hand does is as large on both sides: no more than the surer one's doubt has of it.
    double hand = common.hand ? constant_of(facts, CONSTANT_SHARE_HAND) * square(fmin(a, b)) : 0;
    return sqrt(fmax(a * a + b * b - 2 * (shared * a * b + hand), 0));
}

const char *layout_text(const Layout *l, Arena *a) {
    const char *pp = l->pp > 1 ? arena_printf(a, " PP%d", l->pp) : "";
    return arena_printf(a, l->ep > 1 ? "TP%d%s EP%d" : "TP%d%s", l->tp, pp, l->ep);
}

// ---------------------------------------------------------------- look-ups

static const EngineLimits *find_limits(const Facts *f, const char *engine) {
    return row_named(engine, f->engine_limits, f->n_engine_limits, sizeof *f->engine_limits);
}

EffectSubject serving_subject(const ServingWant *want, const Serving *s) {
    return (EffectSubject){s->gpu,
                           s->model,
                           want->factors_engine != NULL ? want->factors_engine : s->engine,
                           want->run_class != NULL ? want->run_class : "independent",
                           factor_class(s->weights, s->compute),
                           want->software_date > 0 ? want->software_date : SOFTWARE_LAST,
                           NULL};
}

double unseen_variance(const Facts *f, const Seen *seen) {
    double group = square(constant_of(f, CONSTANT_SIGMA_UNSEEN_GROUP));
    return (seen->group ? 0 : group) + (seen->class ? 0 : group) +
           (seen->engine ? 0 : square(constant_of(f, CONSTANT_SIGMA_UNSEEN_ENGINE))) +
           (seen->gpu ? 0 : square(constant_of(f, CONSTANT_SIGMA_UNSEEN_GPU)));
}

// Looks the factors up. Returns the variance that unseen properties add; sets s->group, NULL where the vendor
// is unknown.
static double find_factors(const Facts *f, const ServingWant *want, Serving *s) {
    FactorMemo *memo = want->memo;
    if (memo != NULL && memo->gpu == s->gpu && memo->engine == s->engine) {
        s->factors = memo->factors;
        s->group = memo->group;
        s->hold_share = memo->hold_share;
        return memo->unseen;
    }
    EffectSubject subject = serving_subject(want, s);
    EffectLevels levels;
    double sum[FACTOR_COUNT];
    const Efficiency *spread[SPREAD_LEVELS];
    effect_levels(&subject, &levels);
    unsigned found = effects_sum(f, &levels, sum, spread);
    s->factors = factors_of(sum);
    s->group = spread[2] != NULL ? spread[2] : spread[1] != NULL ? spread[1] : spread[0];
    Seen seen = {spread[1] != NULL, (found & 1U << EFFECT_NATIVE) != 0, spread[2] != NULL, true};
    double unseen = unseen_variance(f, &seen);
    const EngineDefaults *defaults =
        engine_defaults(f, s->gpu, s->engine, want->release > 0 ? want->release : (double)NAN,
                        want->software_date > 0 ? want->software_date : (double)NAN);
    s->hold_share = reads_ahead(defaults) ? constant_of(f, CONSTANT_PROMPT_HOLD_SHARE) : 0;
    if (memo != NULL)
        *memo = (FactorMemo){s->gpu, s->engine, s->factors, s->group, unseen, s->hold_share, memo->kernels};
    return unseen;
}

// Corrects the factors by what the user's own GPU was measured to do, if it was.
static bool use_local(const Facts *f, Serving *s) {
    LocalScale scale = local_scale(f, s->gpu, s->compute);
    double *of_bandwidth[] = {&s->factors.eta_bw, &s->factors.eta_expert, &s->factors.eta_kv};
    double *of_flops[] = {&s->factors.eta_compute, &s->factors.eta_prefill};
    for (size_t i = 0; i < COUNT_OF(of_bandwidth); i++)
        *of_bandwidth[i] = fmin(*of_bandwidth[i] * scale.bandwidth, 1);
    for (size_t i = 0; i < COUNT_OF(of_flops); i++) *of_flops[i] = fmin(*of_flops[i] * scale.flops, 1);
    s->local_scale_bandwidth = scale.bandwidth;
    s->local_scale_flops = scale.flops;
    s->local_bandwidth = scale.bandwidth_rate;
    s->local_flops = scale.flops_rate;
    s->refused_bandwidth = scale.bandwidth_refused;
    s->refused_flops = scale.flops_refused;
    return scale.bandwidth_rate != NULL || scale.flops_rate != NULL;
}

// ---------------------------------------------------------------- memory

// Copies of a sequence's cache that the tensor-parallel ranks hold together.
static double copies_of_cache(const Serving *s) {
    const Model *m = s->model;
    double shards = is_known(m->kv_lora_rank) || !is_known(m->kv_heads) ? 1 : fmin(ranks(s), m->kv_heads);
    return ranks(s) / shards;
}

// Bytes of a weight where all are stored alike; NaN: as the dtype says, embeddings and head in 16 bits.
static double bytes_of_weight(const ServingWant *want, const Serving *s) {
    if (want->weight_bits > 0) return want->weight_bits / 8;
    bool usual_file = s->weights == DTYPE_INT4 && s->model->weights_native != DTYPE_INT4;
    return usual_file ? s->limits->int4_bits / 8 : (double)NAN;
}

static double or_none(double params) { return is_known(params) ? params : 0; }

// Parameters that every step reads whatever the batch.
static double params_read(const Model *m) {
    return m->params_total - or_none(m->params_expert_routed) - or_none(m->params_input_embedding) -
           or_none(m->params_lookup) - or_none(m->params_vision);
}

static void put_weights(const ServingWant *want, Serving *s) {
    const Model *m = s->model;
    double bits = bytes_of_weight(want, s);
    s->expert_ranks = model_is_moe(m) ? (int)fmin(fmax(s->layout.ep / s->layout.tp, 1), s->layout.dp) : 1;
    s->copy_bytes = is_known(bits) ? m->params_total * bits : model_weight_bytes(m, s->weights);
    s->weight_bytes = s->copy_bytes - model_lookup_bytes(m, s->weights);
    s->expert_bytes = !model_is_moe(m) ? 0
                      : is_known(bits) ? m->params_expert_routed * bits
                                       : model_expert_bytes(m, s->weights);
    s->fixed_bytes = is_known(bits) ? params_read(m) * bits : model_fixed_bytes(m, s->weights);
    s->weight_bytes -= s->expert_bytes * (1 - 1.0 / s->expert_ranks);
    // The head that speculates, or a layer of the model's own.
    double per_param = s->weight_bytes / m->params_total;
    if (s->drafts > 0)
        s->weight_bytes += is_known(m->params_mtp) ? m->params_mtp * per_param : s->weight_bytes / m->layers;
}

// What llama.cpp leaves in host memory: whole layers with their cache, and experts. The head goes with the layers, by
// their share.
static void put_host(const ServeTechniques *w, Serving *s) {
    s->host_share = w->host_layers > 0 ? w->host_layers / s->model->layers : 0;
    s->host_fixed_bytes = s->fixed_bytes * s->host_share;
    s->host_expert_bytes = s->expert_bytes * (w->cpu_experts ? 1 : s->host_share);
    s->host_bytes_s = w->host_gb_s * 1e9;
    s->host_source = w->host_source != NULL ? w->host_source : "";
    s->fixed_bytes -= s->host_fixed_bytes, s->expert_bytes -= s->host_expert_bytes;
    s->weight_bytes -= serving_host_bytes(s);
}

// `held` by each in steady state and `whole` at its end. Where the engine sets memory aside for the states of
// linear layers, those come out of that and the rest out of the other part.
static double sequences_in(const Serving *s, double room, double held, double whole) {
    double share = kv_state_share(s), most = (double)INFINITY;
    if (share > 0) {
        double state = kv_state_bytes(s->model);
        most = floor(room * share / state);
        room *= 1 - share, held -= state, whole -= state;
    }
    return room < whole ? 0 : fmin(fmax(floor(room / held), 1), most);
}

// How many sequences memory holds. An engine whose own share of memory holds a few only is told to take
// nearly all, for a few more, unless the user has `told` it how much.
static double sequences_by_memory(const Facts *f, bool told, double held, double whole, Serving *s) {
    bool rest = strcmp(s->limits->fraction_of, "rest") == 0;
    double usual = rest ? s->memory_fraction * (s->usable_bytes - s->weight_bytes - s->workspace_bytes)
                        : s->budget_bytes - s->weight_bytes - s->workspace_bytes;
    double least = s->layout.tp * s->layout.pp * constant_of(f, CONSTANT_WORKSPACE_GB_LEAST) * 1e9;
    double nearly_all =
        constant_of(f, CONSTANT_MEMORY_FRACTION_MOST) * s->usable_bytes - s->weight_bytes - least;
    double n = sequences_in(s, usual, held, whole),
           few = fmin(sequences_in(s, nearly_all, held, whole), constant_of(f, CONSTANT_SEQUENCES_FEW));
    if (told) few = 0;
    s->room_bytes = fmax(few > n ? nearly_all : usual, 0);
    if (few > n) s->workspace_bytes = least;
    return fmax(n, few);
}

static void work_out_memory(const Facts *f, const ServingWant *want, Serving *s) {
    const Model *m = s->model;
    int gpus = s->layout.tp * s->layout.pp;
    put_weights(want, s);
    put_host(&want->techniques, s);
    s->workspace_bytes = kv_workspace_bytes(f, s);
    s->usable_bytes = gpus * gpu_usable_bytes(s->gpu);
    s->memory_fraction =
        want->techniques.memory_fraction > 0 ? want->techniques.memory_fraction : s->limits->memory_fraction;
    s->budget_bytes = s->usable_bytes * s->memory_fraction;
    s->host_bytes = want->techniques.host_gb * 1e9;
    s->cache_copies = copies_of_cache(s);
    s->cache_bytes_per_seq = kv_sequence_bytes(s, mean_context(s));
    s->read_bytes_per_seq =
        model_read_bytes(m, mean_context(s), s->kv) * s->cache_copies * (1 - s->host_share);
    double whole = kv_sequence_bytes(s, s->isl + s->osl);
    // the whole length, so that nothing is evicted
    bool reserves = strcmp(s->limits->fraction_of, "rest") == 0;
    double by_memory = sequences_by_memory(
        f, want->techniques.memory_fraction > 0,
        reserves ? whole : s->cache_bytes_per_seq / constant_of(f, CONSTANT_CACHE_USE), whole, s);
    double most = want->sequences > 0 ? fmax(want->sequences, s->limits->max_running_sequences)
                                      : s->limits->max_running_sequences;
    s->memory_limited = by_memory < most;
    s->sequences_max = fmin(by_memory, most);
}

double usual_accepted(const Facts *facts, double draft_tokens) {
    double p = constant_of(facts, CONSTANT_DRAFT_ACCEPTANCE);
    return (1 - pow(p, draft_tokens + 1)) / (1 - p);
}

// ---------------------------------------------------------------- resolve

static ServeStatus check_layout(const Serving *s) {
    const Model *m = s->model;
    if (!is_known(m->heads) || !is_known(m->hidden) || !is_known(m->layers)) return SERVE_NO_DATA;
    if (fmod(m->heads, s->layout.tp) != 0 || s->layout.pp > m->layers) return SERVE_NO_LAYOUT;
    // whole experts only
    if (model_is_moe(m) && s->layout.ep > 1 && s->layout.ep * s->gpu->devices_per_package > m->experts)
        return SERVE_NO_LAYOUT;
    if (s->expert_ranks > 1 && !is_known(s->limits->spread_step_ratio)) return SERVE_NO_EXPERT_PARALLEL;
    int linked = (int)fmin(ranks(s) * s->expert_ranks, NODE_GPUS);
    if (linked > 1 && !is_known(gpu_link_bytes_s(s->gpu, linked))) return SERVE_NO_DATA;
    return SERVE_OK;
}

// What serving techniques that few rows or none have tried add to the doubt.
static double techniques_variance(const Facts *facts, const ServingWant *want, const Serving *s) {
    double variance = 0;
    if (s->drafts > 0)
        variance += square(constant_of(
            facts, want->techniques.accepted_tokens > 0 ? CONSTANT_SIGMA_DRAFTS : CONSTANT_SIGMA_ACCEPTANCE));
    if (s->cached_share > 0 && s->cached_share < 1)
        variance += square(constant_of(facts, CONSTANT_SIGMA_PREFIX));
    if (serving_host_bytes(s) > 0) variance += square(constant_of(facts, CONSTANT_SIGMA_HOST));
    if (s->clock < 1) variance += square(constant_of(facts, CONSTANT_POWER_DOUBT) * log(s->clock));
    if (s->expert_ranks > 1) variance += square(constant_of(facts, CONSTANT_SIGMA_SPREAD));
    if (gpus_together(s) > NODE_GPUS) variance += square(constant_of(facts, CONSTANT_SIGMA_NETWORK));
    return variance;
}

// What a sum of kernels counts: less for software of before its tables, by half for each so many years.
static double kernel_share(const Facts *facts, const ServingWant *want) {
    double date = want->software_date > 0 ? fmin(want->software_date, SOFTWARE_LAST) : SOFTWARE_LAST;
    return constant_of(facts, CONSTANT_KERNEL_SHARE) *
           exp2((date - SOFTWARE_LAST) / constant_of(facts, CONSTANT_KERNEL_SHARE_YEARS));
}

// How far both ways to say a time lie apart by the datasheet: what was measured of the user's GPU tells how fast it
// is, not how well either way is known.
static double ways_by_datasheet(const Facts *facts, const Serving *s, const Factors *factors) {
    Serving sheet = *s;
    sheet.factors = *factors;
    sheet.local_scale_bandwidth = sheet.local_scale_flops = 1;
    extras_plan(facts, &sheet);
    kernels_plan(facts, NULL, &sheet);  // the memo is of plans as measured
    return serving_ways_variance(facts, &sheet);
}

// Factors, range and basis; false where they or the GPU's peaks are unknown.
static bool put_factors(const Facts *facts, const ServingWant *want, Serving *s) {
    const Gpu *g = s->gpu;
    double unseen = find_factors(facts, want, s);
    if (s->group == NULL || !is_known(gpu_peak_flops(g, s->compute)) || !is_known(g->memory_bw_gb_s))
        return false;
    Factors by_datasheet = s->factors;
    bool measured = use_local(facts, s);
    s->network_bytes_s = constant_of(facts, CONSTANT_NETWORK_GB_S) * 1e9;
    extras_plan(facts, s);
    kernels_plan(facts, want->memo != NULL ? &want->memo->kernels : NULL, s);
    s->kernel_share = s->kernels.known ? kernel_share(facts, want) : 0;
    factors_mix_start(&s->factors, s->kernel_share);
    s->split_step_ratio = constant_of(facts, CONSTANT_SPLIT_STEP_RATIO);
    s->pp_bubble = s->in_turn ? 0 : constant_of(facts, CONSTANT_PP_BUBBLE);
    s->ttft_alone_share = constant_of(facts, CONSTANT_TTFT_ALONE_SHARE);
    s->ttft_p99_ratio = constant_of(facts, CONSTANT_TTFT_P99_RATIO);
    s->length_cv =
        want->techniques.length_cv > 0 ? want->techniques.length_cv : constant_of(facts, CONSTANT_LENGTH_CV);
    s->rate_overhead_s = constant_of(facts, CONSTANT_RATE_OVERHEAD_MS) / 1000;
    s->tpot_p99_ratio = constant_of(facts, CONSTANT_TPOT_P99_RATIO);
    if (!measured && !word_in(s->group->gpus, g->sku_id))
        unseen += unseen_variance(facts, &(Seen){true, true, true, false});
    if (s->layout.pp > 1) unseen += square(constant_of(facts, CONSTANT_SIGMA_PIPELINE));
    if (want->model->doubt != NULL) unseen += square(constant_of(facts, CONSTANT_SIGMA_UNSEEN_GROUP));
    unseen += techniques_variance(facts, want, s);
    double known = square(s->group->sigma_log);
    double ways = measured ? ways_by_datasheet(facts, s, &by_datasheet) : serving_ways_variance(facts, s);
    s->sigma_log = sqrt((measured ? local_variance(facts, known) : known) + ways + unseen);
    s->basis = want->model->doubt != NULL ? BASIS_EXTRAPOLATED
               : measured                 ? BASIS_MEASURED
               : unseen > 0               ? BASIS_EXTRAPOLATED
                                          : BASIS_CALIBRATED;
    return true;
}

ServeStatus serving_resolve(const Facts *facts, const ServingWant *want, Serving *ret) {
    const Gpu *g = want->gpu;
    Serving s = {.gpu = g,
                 .model = want->model,
                 .engine = want->engine,
                 .layout = want->layout,
                 .weights = want->weights,
                 .kv = want->kv,
                 .isl = want->isl,
                 .osl = want->osl,
                 .cached_share = want->techniques.cached_share,
                 .drafts = want->techniques.draft_tokens,
                 .kept = 1,
                 .clock = 1,
                 .precision_status = "",
                 .basis = BASIS_UNKNOWN};
    if (s.drafts > 0)
        s.kept = want->techniques.accepted_tokens > 0 ? want->techniques.accepted_tokens
                                                      : usual_accepted(facts, s.drafts);
    if (want->techniques.power_cap_w > 0) s.clock = capped_clock(facts, g, want->techniques.power_cap_w);
    *ret = s;
    s.limits = find_limits(facts, want->engine);
    s.support = engine_support(facts, g, want->engine);
    if (s.limits == NULL || s.support == NULL || s.support->status == SUPPORT_NONE) return SERVE_NO_ENGINE;
    if (!is_known(s.model->params_active) || !is_known(gpu_usable_bytes(g)) || !is_known(s.clock) ||
        (s.drafts > 0 && !is_known(s.model->vocab)))
        return SERVE_NO_DATA;
    s.in_turn = s.layout.pp > 1 && strcmp(s.limits->stages, "in-turn") == 0;
    work_out_memory(facts, want, &s);
    *ret = s;
    if (!engine_precision(facts, want, s.limits, &s.compute, &s.precision_status)) return SERVE_NO_PRECISION;
    *ret = s;
    // What cannot run needs no factors: most of a search's layouts end here.
    ServeStatus layout = check_layout(&s);
    if (layout != SERVE_OK) return layout;
    if (!blocks_fit(facts, g, s.model, s.weights, &s.layout)) return SERVE_NO_BLOCKS;
    if (s.sequences_max < 1) return SERVE_NO_MEMORY;
    if (!put_factors(facts, want, &s)) return SERVE_NO_DATA;
    // no run of the user's own says what of a model lay in host memory
    if (serving_host_bytes(&s) > 0)
        s.sigma_alone = s.sigma_log, s.basis_alone = s.basis;
    else
        posterior_take(facts, &s);
    *ret = s;
    return SERVE_OK;
}

const char *serving_sources(const Serving *s, Arena *a) {
    if (s->group == NULL) return "";
    LocalScale local = {.bandwidth_rate = s->local_bandwidth,
                        .flops_rate = s->local_flops,
                        .bandwidth_refused = s->refused_bandwidth,
                        .flops_refused = s->refused_flops};
    const char *runs = local_source(&local, a), *refused = local_refused(&local, a);
    const char *own = posterior_source(s, a);
    const char *spread = s->expert_ranks > 1 ? "spread_step_ratio of data/engine_limits.tsv; " : "";
    return arena_printf(a, "%s%s%s%s%s%s%s; %s%s; %s", own, own[0] != '\0' ? "; " : "", runs,
                        runs[0] != '\0' ? "; " : "", refused, refused[0] != '\0' ? "; " : "",
                        s->group->source, spread, s->gpu->source, s->model->source);
}
