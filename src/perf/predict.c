// A measurement's conditions as a configuration, and what the estimator says of it.
#include <math.h>
#include <string.h>

#include "src/perf/engines.h"
#include "src/perf/predict.h"
#include "src/perf/version.h"

// Lengths of a single-stream test that states none: decoding only, so they hardly matter.
enum { DECODE_TEST_OSL = 256 };

// Engines without figures of their own, and the one whose limits and factors stand in.
static const char *const stand_ins[][2] = {
    {"lmdeploy", "vllm"}, {"exllamav2", "llama.cpp"}, {"gpt-fast", "llama.cpp"}, {"", "vllm"}};

bool is_split_serving(const Measurement *m) { return strcmp(m->engine, "disaggregated") == 0; }

// Rows of disaggregated serving say the engine in its version.
static const char *engine_of(const Measurement *m) {
    if (is_split_serving(m))
        return strstr(m->engine_version, "sglang") != NULL     ? "sglang"
               : strstr(m->engine_version, "tensorrt") != NULL ? "tensorrt-llm"
                                                               : "vllm";
    const char *stand_in = paired(m->engine, stand_ins, COUNT_OF(stand_ins));
    return stand_in != NULL ? stand_in : m->engine;
}

// Whose efficiency a row is. llama.cpp's Vulkan kernels are others than those for CUDA and ROCm, which
// `report` is about.
static const char *factors_engine_of(const Measurement *m) {
    if (strcmp(m->engine, "lmdeploy") == 0) return m->engine;
    if (strcmp(m->engine, "llama.cpp") == 0 && text_contains(m->engine_version, "vulkan"))
        return "llama.cpp-vulkan";
    return engine_of(m);
}

// A cache whose dtype is not stated is of 8 bits where engines of 2025 and later default to it: beside
// weights of 8 bits or fewer (estimator of 2026: the fits to such rows assume it).
static Dtype cache_dtype(const Measurement *m, Dtype weights) {
    Dtype stated = dtype_named(m->precision_kv, DTYPE_UNKNOWN);
    if (stated == DTYPE_FP16) return DTYPE_BF16;
    if (stated != DTYPE_UNKNOWN) return stated;
    bool engine = strcmp(m->engine, "vllm") == 0 || strcmp(m->engine, "tensorrt-llm") == 0 ||
                  strcmp(m->engine, "atom") == 0;
    return engine && dtype_bits(weights) <= 8 && strcmp(m->date, "2025-07") >= 0 ? DTYPE_FP8 : DTYPE_BF16;
}

static const char *find_subject(const Facts *f, const Measurement *m, Prediction *p) {
    p->gpu = facts_gpu(f, m->gpu_sku);
    p->model = facts_model(f, m->model);
    return p->gpu == NULL ? "GPU not in the catalog" : NULL;
}

static const char *check_decoder(const Prediction *p) {
    if (p->model == NULL) return "model not in the catalog";
    return model_is_decoder(p->model) ? NULL : "model is no decoder";
}

static bool reads_prompts_only(const Measurement *m) { return strcmp(m->task, "prefill") == 0; }

bool is_serving_task(const Measurement *m) {
    return strcmp(m->task, "serving") == 0 || reads_prompts_only(m);
}

// Weights whose dtype is not stated: as released, but llama.cpp's are its usual files of 4 bits (int4_bits of
// data/engine_limits.tsv), and 16 bits that cannot fit are of 8.
static void read_weights(const Facts *facts, const Measurement *m, const Model *model, ServingWant *want) {
    bool gguf = strcmp(want->engine, "llama.cpp") == 0;
    bool stated = m->precision_weights[0] != '\0';
    want->weights = dtype_named(m->precision_weights, model->weights_native);
    if (gguf && !stated && dtype_bits(want->weights) >= 16) want->weights = DTYPE_INT4;
    // Files of a model that is released in 4 bits keep its other layers in 8.
    bool released = gguf && want->weights == model->weights_native && dtype_bits(want->weights) < 8;
    if (gguf)
        want->weight_bits =
            known_or(m->weight_bits, released ? constant_of(facts, CONSTANT_GGUF_MXFP4_BITS) : (double)NAN);
    if (!stated && dtype_bits(want->weights) >= 16 &&
        model_weight_bytes(model, want->weights) >
            0.95 * known_or(m->gpu_count, 1) * gpu_usable_bytes(want->gpu))
        want->weights = DTYPE_FP8;
    // Checkpoints that keep more layers in 16 bits than the dtype's usual ones; within a tenth of its bits it
    // is the usual one.
    static const double USUAL = 0.1;
    if (!gguf && is_known(m->weight_bits) && fabs(m->weight_bits / dtype_bits(want->weights) - 1) > USUAL)
        want->weight_bits = m->weight_bits;
}

// Rows seldom say how many tokens they speculate.
static double drafts_of(const Facts *facts, const Measurement *m) {
    double drafts = constant_of(facts, CONSTANT_DRAFT_TOKENS_USUAL);
    if (m->draft_tokens[0] == '\0') return 0;
    return parse_number(str_of(m->draft_tokens), 0, 64, &drafts, NULL)
               ? drafts
               : constant_of(facts, CONSTANT_DRAFT_TOKENS_USUAL);
}

static bool is_offline_batch(const Measurement *m) {
    return strcmp(m->scenario, "offline") == 0 && is_known(m->batch_or_concurrency);
}

// An offline run with a batch: so many prompts, sent at once. MLPerf sends a whole data set, and its batch is what
// the engine runs at once.
static bool is_burst(const Measurement *m) {
    return is_offline_batch(m) && strcmp(m->run_class, "mlperf") != 0;
}

static const char *read_conditions(const Facts *facts, const Measurement *m, Prediction *p,
                                   ServingWant *want) {
    bool decode_test = strcmp(m->scenario, "single-stream") == 0;
    want->gpu = p->gpu;
    want->model = p->model;
    want->engine = engine_of(m);
    want->factors_engine = factors_engine_of(m);
    want->run_class = m->run_class[0] != '\0' ? m->run_class : NULL;
    want->software_date = years_of_date(m->date);
    want->release = engine_version(m->engine, m->engine_version).release;
    read_weights(facts, m, p->model, want);
    want->kv = cache_dtype(m, want->weights);
    want->osl = known_or(m->output_tokens, decode_test             ? DECODE_TEST_OSL
                                           : reads_prompts_only(m) ? 1
                                                                   : (double)NAN);
    want->isl = known_or(m->input_tokens, decode_test ? 1 : (double)NAN);
    want->techniques.cached_share = m->prompt_cached || (decode_test && !is_known(m->input_tokens)) ? 1 : 0;
    want->techniques.draft_tokens = drafts_of(facts, m);
    if (!is_known(want->isl) && is_known(want->osl)) return "lengths of answers alone are published";
    if (!is_known(want->isl) || !is_known(want->osl) || want->osl < 1) return "lengths unknown";
    want->isl = fmax(want->isl, 1);
    p->replicas = known_or(m->dp, 1);
    double pp = known_or(m->pp, 1);
    double tp = known_or(m->tp, fmax(known_or(m->gpu_count, 1) / pp / p->replicas, 1));
    // Disaggregated serving: nodes of eight, see predict_split.
    if (is_split_serving(m)) tp = NODE_GPUS;
    if (tp > 1024 || fmod(tp, 1) != 0) return "layout unknown";
    want->layout = (Layout){(int)tp, (int)pp, (int)known_or(m->ep, 1), (int)p->replicas};
    // It ran: a row that does not say so spread the experts whose blocks cannot be cut.
    if (!is_known(m->ep))
        want->layout = layout_of_blocks(facts, p->gpu, p->model, want->weights, want->layout);
    // A vendor who publishes a burst tells the engine to run all of it; others run its defaults.
    if (is_offline_batch(m) && strcmp(m->run_class, "independent") != 0)
        want->sequences = m->batch_or_concurrency / p->replicas;
    return NULL;
}

bool is_burst_run(const Prediction *p) { return p->burst.prompts > 0; }

Point predicted_point(const Prediction *p, const Serving *s) {
    if (is_burst_run(p)) return serving_burst(s, &p->burst);
    return serving_at(s, known_or(p->load, s->sequences_max));
}

double predicted_ttft_mean(const Prediction *p, const Serving *s, const Point *point) {
    // of a burst the prompt in the middle is also the mean one
    return is_burst_run(p) ? point->ttft_s : run_ttft_mean(s, point, p->waves);
}

static void read_load(const Facts *facts, const Measurement *m, const ServingWant *want, Prediction *p) {
    const Serving *s = &p->serving;
    p->load = m->batch_or_concurrency / p->replicas;
    // Means over what was drawn are no whole numbers.
    double spread = spread_of_lengths(facts, s->isl, s->osl);
    bool same = spread == 0 && fmod(s->isl, 1) == 0 && fmod(s->osl, 1) == 0;
    p->waves = same ? 1 : constant_of(facts, CONSTANT_RUN_WAVES);
    if (!is_burst(m)) return;
    EngineVersion v = engine_version(m->engine, m->engine_version);
    p->burst = burst_of(facts, s, fmax(p->load, 1), spread, want->sequences > 0, v.release,
                        known_or(v.date, want->software_date));
}

static void put_load(const Facts *facts, const Measurement *m, Prediction *p) {
    const Serving *s = &p->serving;
    p->sigma_log = s->sigma_log;
    p->basis = s->basis;
    if (reads_prompts_only(m)) {
        // The time of a prompt alone is in more doubt than that of whole answers.
        p->unit = "prompt";
        p->doubt_log = constant_of(facts, CONSTANT_SIGMA_TTFT);
        p->sigma_log = hypot(s->sigma_log, p->doubt_log);
        p->rate = s->isl / serving_prompt_s(s) * p->replicas;
        return;
    }
    if (is_known(m->rate_rps)) {
        if (!serving_at_rate(s, m->rate_rps / p->replicas, 1, &p->point))
            p->point = serving_at(s, s->sequences_max);
    } else {
        p->point = predicted_point(p, s);
    }
    if (is_burst_run(p)) p->doubt_log = constant_of(facts, CONSTANT_SIGMA_BURST);
    p->sigma_log = hypot(s->sigma_log, p->doubt_log);
    p->rate = p->point.output_tokens_s * p->replicas;
    p->ttft_s = p->point.ttft_s;
    p->ttft_mean_s = is_known(m->rate_rps) ? p->ttft_s : predicted_ttft_mean(p, s, &p->point);
    p->tpot_s = p->point.tpot_s;
}

// A pool of nodes with all experts spread over it.
static ServeStatus resolve_pool(const Facts *facts, const ServingWant *want, int nodes, Serving *ret) {
    ServingWant pool = *want;
    pool.layout = (Layout){NODE_GPUS, 1, model_is_moe(want->model) ? NODE_GPUS * nodes : 1, nodes};
    return serving_resolve(facts, &pool, ret);
}

// Disaggregated serving whose rows say how many GPUs there are, not which do what: the split into nodes of
// eight that gives most.
static ServeStatus predict_split(const Facts *facts, const Measurement *m, const ServingWant *want,
                                 Prediction *p) {
    int nodes = (int)(known_or(m->gpu_count, 1) / NODE_GPUS);
    ServeStatus status = SERVE_NO_MEMORY;
    double sigma = constant_of(facts, CONSTANT_SIGMA_SPLIT);
    for (int n = 1; n < nodes; n++) {
        Serving reading, writing;
        ServeStatus one = resolve_pool(facts, want, n, &reading),
                    other = resolve_pool(facts, want, nodes - n, &writing);
        if (one != SERVE_OK || other != SERVE_OK) continue;
        Point point = serving_split(&reading, &writing, n, nodes - n,
                                    known_or(m->batch_or_concurrency, (nodes - n) * writing.sequences_max));
        if (status == SERVE_OK && point.output_tokens_s * nodes <= p->rate) continue;
        status = SERVE_OK;
        p->serving = writing, p->point = point, p->replicas = nodes;
        p->rate = point.output_tokens_s * nodes, p->tpot_s = point.tpot_s;
        p->ttft_s = p->ttft_mean_s = point.ttft_s;
        p->sigma_log = sqrt(writing.sigma_log * writing.sigma_log + sigma * sigma),
        p->basis = BASIS_EXTRAPOLATED;
    }
    return status;
}

static void predict_serving(const Facts *facts, const Measurement *m, Prediction *p) {
    ServingWant want = {0};
    p->not_predicted = check_decoder(p);
    if (p->not_predicted == NULL) p->not_predicted = read_conditions(facts, m, p, &want);
    if (p->not_predicted != NULL) return;
    ServeStatus status =
        is_split_serving(m) ? predict_split(facts, m, &want, p) : serving_resolve(facts, &want, &p->serving);
    p->subject = serving_subject(&want, &p->serving);
    if (status == SERVE_OK && !is_split_serving(m)) {
        read_load(facts, m, &want, p);
        put_load(facts, m, p);
    }
    if (status != SERVE_OK) p->not_predicted = serve_status_names[status];
}

void predict(const Facts *facts, const Measurement *m, Prediction *ret) {
    double nan = (double)NAN;
    Prediction p = {.replicas = 1,
                    .unit = "output",
                    .rate = nan,
                    .ttft_s = nan,
                    .ttft_mean_s = nan,
                    .tpot_s = nan,
                    .sigma_log = nan,
                    .load = nan,
                    .basis = BASIS_UNKNOWN};
    p.not_predicted = find_subject(facts, m, &p);
    if (p.not_predicted == NULL) (is_serving_task(m) ? predict_serving : predict_task)(facts, m, &p);
    *ret = p;
}

double measured_rate(const Measurement *m, const Prediction *p) {
    if (strcmp(p->unit, "output") == 0) return m->output_tokens_per_s;
    if (strcmp(m->tokens_kind, p->unit) == 0) return m->tokens_per_s_total;
    // Training is sometimes published as the arithmetic that it does.
    bool as_flops = strcmp(m->tokens_kind, "TFLOP/s") == 0 && p->work.flops > 0;
    return as_flops ? m->tokens_per_s_total * 1e12 / p->work.flops : (double)NAN;
}
