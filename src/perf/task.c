// Image generation, training, HPC proxies and embeddings: work divided by an achieved rate.
#include "src/perf/task.h"

#include "src/facts/kinds.h"
#include "src/perf/known.h"

#include <math.h>
#include <string.h>

const double TRAIN_NODE_GPUS = 8;

// ---------------------------------------------------------------- amounts of work

double task_ideal_s(const Gpu *g, const TaskWork *w, Dtype compute, const char **ret_bound) {
    double matrix_s = w->flops > 0 ? w->flops / gpu_peak_flops(g, compute) : 0;
    double fp64_s = w->fp64 > 0 ? w->fp64 / gpu_peak_flops(g, DTYPE_FP64) : 0;
    double fp32_s = w->fp32 > 0 ? w->fp32 / gpu_peak_flops(g, DTYPE_FP32) : 0;
    double bytes_s = w->bytes > 0 ? w->bytes / (g->memory_bw_gb_s * 1e9) : 0;
    if (!is_known(matrix_s) || !is_known(fp64_s) || !is_known(fp32_s) || !is_known(bytes_s))
        return (double)NAN;
    double flops_s = fmax(matrix_s, fmax(fp64_s, fp32_s));
    *ret_bound = flops_s > bytes_s ? "compute" : "memory-bandwidth";
    return fmax(flops_s, bytes_s);
}

double task_rate(const TaskWork *work, double ideal_s, double gpus, double eta) {
    return 1 / (work->fixed_s + ideal_s / (gpus * eta));
}

double train_token_flops(const Model *m, double tokens, bool frozen) {
    // Forward 1, gradients of activations 1, gradients of weights 1, which frozen weights spare.
    double passes = frozen ? 2 : 3;
    double attention = tokens > 0 ? model_prompt_attention_flops(m, tokens) / tokens : 0;
    return passes * (2 * (m->params_active - or_zero(m->params_input_embedding)) + attention);
}

double image_flops(const Model *m, double steps) {
    return m->tflop_per_image * 1e12 * (is_known(steps) ? steps / m->steps_default : 1);
}

// One noise level an image: one forward and its gradients; encoders' outputs are kept from before.
double train_image_flops(const Model *m) {
    return 3 * (m->tflop_per_forward_matmul + m->tflop_per_forward_attention) * 1e12;
}

// Elements of one token that go to memory or come back between a layer's products, were all else fused: the
// residual stream and its norms, queries, keys, values and what attention makes of them, the wide part of the
// FFN.
static double layer_elements(const Model *m) {
    return 8 * m->hidden + 4 * (or_zero(m->heads) + or_zero(m->kv_heads)) * or_zero(m->head_dim) +
           2 * or_zero(m->intermediate);
}

TaskWork text_work(const Model *m, Dtype compute, double tokens, double texts) {
    double passed = tokens * m->layers * layer_elements(m) * dtype_bits(compute) / 8;
    return (TaskWork){.flops = model_text_flops(m, tokens),
                      .bytes = passed + model_fixed_bytes(m, compute) / texts};
}

double texts_a_batch(const Facts *f, const Workload *w) {
    return is_known(w->concurrency)
               ? w->concurrency
               : fmax(floor(constant_of(f, CONSTANT_EMBED_BATCH_TOKENS) / w->isl_tokens), 1);
}

// ---------------------------------------------------------------- work and memory of each kind

// A workload in one dtype on so many GPUs. model: NULL where its kind has none.
typedef struct Task {
    const Facts *facts;
    const Gpu *gpu;
    const Model *model;
    const Workload *w;
    Dtype weights, compute;
    bool quantised;
    int gpus;
} Task;

static TaskWork image_work(const Task *t) {
    return (TaskWork){.flops = image_flops(t->model, t->w->images_steps)};
}

// Each GPU makes its own images.
static double image_bytes(const Task *t) {
    return t->gpus *
           (t->model->weight_bytes_native + constant_of(t->facts, CONSTANT_IMAGES_WORKSPACE_GB) * 1e9);
}

static TaskWork train_work(const Task *t) {
    return (TaskWork){.flops = train_token_flops(t->model, t->w->isl_tokens, false)};
}

static double activation_bytes(const Task *t) {
    return t->gpus * (or_zero(t->model->layers) * or_zero(t->model->hidden) * or_zero(t->w->isl_tokens) * 2 *
                      constant_of(t->facts, CONSTANT_TRAIN_ACTIVATION_FACTOR));
}

static double train_bytes(const Task *t) {
    return t->model->params_total * constant_of(t->facts, CONSTANT_TRAIN_BYTES_PER_PARAM) +
           activation_bytes(t);
}

static TaskWork lora_work(const Task *t) {
    return (TaskWork){.flops = train_token_flops(t->model, t->w->isl_tokens, true)};
}

// Frozen weights as they are stored; adapters and their optimiser state on top of 16-bit weights are in the
// constant.
static double lora_bytes(const Task *t) {
    double adapters = constant_of(t->facts, CONSTANT_LORA_BYTES_PER_PARAM) - dtype_bits(DTYPE_BF16) / 8;
    Dtype kept = dtype_bits(t->weights) < 8 ? t->weights : DTYPE_BF16;
    return t->model->params_total * adapters + model_weight_bytes(t->model, kept) + activation_bytes(t);
}

static TaskWork run_work(const Task *t) {
    return (TaskWork){.fp64 = or_zero(t->w->run_tflop_fp64) * 1e12,
                      .fp32 = or_zero(t->w->run_tflop_fp32) * 1e12,
                      .bytes = or_zero(t->w->run_tbyte) * 1e12,
                      .fixed_s =
                          or_zero(t->w->run_steps) * constant_of(t->facts, CONSTANT_HPC_STEP_US) * 1e-6};
}

static double run_bytes(const Task *t) { return or_zero(t->w->run_memory_gb) * 1e9; }

static TaskWork embed_work(const Task *t) {
    return text_work(t->model, t->compute, t->w->isl_tokens, texts_a_batch(t->facts, t->w));
}

// Each GPU embeds its own texts; of activations one layer's live at a time, kept in 16 bits.
static double embed_bytes(const Task *t) {
    double live = texts_a_batch(t->facts, t->w) * t->w->isl_tokens * layer_elements(t->model) * 2;
    return t->gpus * (model_weight_bytes(t->model, t->weights) + live +
                      constant_of(t->facts, CONSTANT_WORKSPACE_GB_PER_GPU) * 1e9);
}

static const struct {
    const char *family;               // NULL: the workload's variant; otherwise as in TaskSubject
    bool frozen;                      // 4-bit weights may be expanded before each product
    TaskWork (*work)(const Task *t);  // of one unit of the result; NULL: no task
    double (*bytes)(const Task *t);   // that its GPUs keep together
} task_kinds[] = {
    [KIND_SERVE] = {NULL, false, NULL, NULL},
    [KIND_IMAGES] = {"diffusion", false, image_work, image_bytes},
    [KIND_TRAIN] = {"train", false, train_work, train_bytes},
    [KIND_LORA] = {"train", true, lora_work, lora_bytes},
    [KIND_HPC] = {NULL, false, run_work, run_bytes},
    [KIND_EMBED] = {"encoder", false, embed_work, embed_bytes},
};
_Static_assert(COUNT_OF(task_kinds) == KIND_COUNT, "each kind of workload has a row");

// ---------------------------------------------------------------- a workload on GPUs

static TaskSubject subject_of(const Task *t) {
    const Workload *w = t->w;
    TaskSubject s = {.gpu = t->gpu,
                     .kind = kind_names[w->kind],
                     .family = task_kinds[w->kind].family,
                     .run_class = "independent",
                     .scenario = "",
                     .compute = t->compute,
                     .quantised = t->quantised};
    s.moe = t->model != NULL && model_is_moe(t->model);
    if (s.family == NULL) {
        s.kind = s.family = w->variant;
        s.compute = or_zero(w->run_tflop_fp32) > or_zero(w->run_tflop_fp64) ? DTYPE_FP32 : DTYPE_FP64;
    } else if (kind_of(w)->trains) {
        s.scale = log(fmax(t->gpus / TRAIN_NODE_GPUS, 1));
    }
    return s;
}

// The dtype that the GPU computes in where weights are of `weights`; DTYPE_UNKNOWN: not run like that.
static Dtype computed_in(const Facts *f, const Gpu *g, const Workload *w, Dtype weights,
                         bool *ret_quantised) {
    *ret_quantised = false;
    // once; the work says the rest
    if (kind_of(w)->no_model) return weights == DTYPE_UNKNOWN ? DTYPE_FP64 : DTYPE_UNKNOWN;
    if (weights == DTYPE_UNKNOWN) return DTYPE_UNKNOWN;
    bool accepted =
        w->weights[0] != '\0' ? word_in(w->weights, dtype_names[weights]) : dtype_bits(weights) == 16;
    const Precision *p = gpu_precision(f, g, weights);
    if (!accepted || p == NULL) return DTYPE_UNKNOWN;
    if (strncmp(p->status, "native", strlen("native")) == 0 && dtype_bits(p->compute) == dtype_bits(weights))
        return p->compute;
    // Frozen weights may be stored in 4 bits and expanded before each product.
    *ret_quantised = task_kinds[w->kind].frozen && weights == DTYPE_INT4;
    return *ret_quantised ? (is_known(g->bf16_tflops) ? DTYPE_BF16 : DTYPE_FP16) : DTYPE_UNKNOWN;
}

// The same in one dtype.
static ServeStatus in_dtype(const Facts *f, const Gpu *gpu, const Model *model, const Workload *w,
                            Dtype weights, int gpus, Arena *a, TaskPoint *ret) {
    const char *bound = "compute";
    Task task = {.facts = f, .gpu = gpu, .model = model, .w = w, .weights = weights, .gpus = gpus};
    task.compute = computed_in(f, gpu, w, weights, &task.quantised);
    if (task.compute == DTYPE_UNKNOWN) return SERVE_NO_PRECISION;
    TaskSubject subject = subject_of(&task);
    TaskShare share = task_share(f, &subject);
    TaskWork work = task_kinds[w->kind].work(&task);
    double ideal = task_ideal_s(gpu, &work, task.compute, &bound);
    LocalScale local = local_scale(f, gpu, model == NULL ? subject.compute : task.compute);
    bool by_memory = strcmp(bound, "compute") != 0;
    const LocalRate *measured = by_memory ? local.bandwidth_rate : local.flops_rate;
    if (measured != NULL) {
        share = (TaskShare){fmin(share.eta * (by_memory ? local.bandwidth : local.flops), 1),
                            sqrt(local_variance(f, share.sigma_log * share.sigma_log)), BASIS_MEASURED,
                            arena_printf(a, "%s; %s", local_source(&local, a), share.source)};
    }
    *ret = (TaskPoint){.rate = gpus * task_rate(&work, ideal, 1, share.eta),
                       .rate_most = gpus * task_rate(&work, ideal, 1, 1),
                       .sigma_log = share.sigma_log,
                       .basis = share.basis,
                       .dtype = model == NULL ? subject.compute : weights,
                       .bound_by = bound,
                       .memory_bytes = task_kinds[w->kind].bytes(&task),
                       .usable_bytes = gpus * gpu_usable_bytes(gpu)};
    const char *refused = local_refused(&local, a);
    ret->sources = arena_printf(a, "%s%s%s; %s%s%s", refused, refused[0] != '\0' ? "; " : "", share.source,
                                gpu->source, model != NULL ? "; " : "", model != NULL ? model->source : "");
    if (!is_known(ret->rate)) return SERVE_NO_DATA;
    return ret->memory_bytes > ret->usable_bytes * constant_of(f, CONSTANT_TRAIN_MEMORY_FRACTION)
               ? SERVE_NO_MEMORY
               : SERVE_OK;
}

Estimate task_rate_estimate(const TaskPoint *p, double each) {
    Estimate x = estimate_of(p->rate * each, p->sigma_log, p->basis, p->sources);
    x.high = fmax(fmin(x.high, p->rate_most * each), x.value);
    return x;
}

ServeStatus task_at(const Facts *facts, const Gpu *gpu, const Model *model, const Workload *w, int gpus,
                    Arena *a, TaskPoint *ret) {
    *ret = (TaskPoint){.rate = (double)NAN, .sources = "", .bound_by = "compute"};
    if (task_kinds[w->kind].work == NULL || (model == NULL) != kind_of(w)->no_model) return SERVE_NO_DATA;
    ServeStatus best = SERVE_NO_PRECISION;
    for (int d = 0; d < DTYPE_COUNT; d++) {
        TaskPoint p;
        ServeStatus status = in_dtype(facts, gpu, model, w, (Dtype)d, gpus, a, &p);
        if (status == SERVE_NO_PRECISION || (best == SERVE_OK && (status != SERVE_OK || p.rate <= ret->rate)))
            continue;
        *ret = p;
        best = status;
    }
    return best;
}
