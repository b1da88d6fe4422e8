// A measurement of training, images, video, HPC or embedding as an amount of work, and what the estimator
// says of it.
#include <math.h>
#include <string.h>

#include "src/perf/predict.h"

// Tasks as measurements name them.
static const struct {
    const char *task, *kind, *family, *unit;
} tasks[] = {
    {"pretrain", "train", "train", "train tokens"},     {"finetune-full", "train", "train", "train tokens"},
    {"finetune-lora", "lora", "train", "train tokens"}, {"images", "images", "diffusion", "images/s"},
    {"video", "video", "diffusion", "videos/s"},        {"hpc", "", "", ""},
    {"embed", "embed", "encoder", "sequences/s"},
};

// What the rules of MLPerf fix where rows do not say it (Inference v5.1 and v6.0: 20 denoising steps;
// Training v5.1: images of 512 x 512, of which a forward pass takes 0.804 TFLOP).
static const struct {
    const char *model;
    double steps, tflop_per_forward;
} mlperf_rules[] = {{"sdxl", 20, (double)NAN},
                    {"wan2.2-t2v-a14b", 20, (double)NAN},
                    {"stable-diffusion-v2", (double)NAN, 0.804}};

static size_t rule_of(const Measurement *m) {
    size_t i = 0;
    while (i < COUNT_OF(mlperf_rules) &&
           (strcmp(m->run_class, "mlperf") != 0 || strcmp(m->model, mlperf_rules[i].model) != 0))
        i++;
    return i;
}

static bool makes_images(const Model *m) { return is_known(m->tflop_per_image); }

static const char *generation(const Measurement *m, Prediction *p) {
    if (!makes_images(p->model)) return "lengths unknown";  // of prompts and answers about images
    size_t rule = rule_of(m);
    p->work.flops =
        image_flops(p->model, rule < COUNT_OF(mlperf_rules) ? mlperf_rules[rule].steps : (double)NAN);
    // At its limit a server waits as an offline run does not; one sample at a time leaves GPUs idle.
    bool waits = strcmp(m->scenario, "server") == 0 || strcmp(m->scenario, "single-stream") == 0;
    p->task.scenario = waits ? m->scenario : "";
    return NULL;
}

static const char *training(const Measurement *m, Prediction *p) {
    size_t rule = rule_of(m);
    if (makes_images(p->model)) {
        p->task.kind = "train-images";
        p->unit = "images/s";
        p->work.flops = rule < COUNT_OF(mlperf_rules) && is_known(mlperf_rules[rule].tflop_per_forward)
                            ? 3e12 * mlperf_rules[rule].tflop_per_forward
                            : train_image_flops(p->model);
    } else {
        if (!is_known(p->model->params_active)) return "model's size unknown";
        p->work.flops = train_token_flops(p->model, m->input_tokens, strcmp(p->task.kind, "lora") == 0);
    }
    p->task.moe = model_is_moe(p->model);
    p->task.scale = log(fmax(p->gpus / TRAIN_NODE_GPUS, 1));
    p->task.split = is_known(m->batch_or_concurrency) ? log(fmin(m->batch_or_concurrency / p->gpus, 1)) : 0;
    return NULL;
}

// Where no batch is stated, servers' own.
static const char *embedding(const Facts *f, const Measurement *m, Prediction *p) {
    if (!model_embeds(p->model)) return "model gives no embeddings";
    if (!is_known(m->input_tokens)) return "lengths unknown";
    Workload texts = {.isl_tokens = m->input_tokens, .concurrency = m->batch_or_concurrency / p->gpus};
    p->work = text_work(p->model, p->task.compute, m->input_tokens, texts_a_batch(f, &texts));
    p->task.moe = model_is_moe(p->model);
    return NULL;
}

// One run on all GPUs: of molecular dynamics a nanosecond, of linear algebra 10^9 flops.
static const char *computing(const Facts *f, const Measurement *m, Prediction *p) {
    const HpcCase *c = f->hpc_cases;
    while (c < f->hpc_cases + f->n_hpc_cases && strcmp(c->case_id, m->model) != 0) c++;
    if (c == f->hpc_cases + f->n_hpc_cases) return "HPC case not in the catalog";
    bool per_day = strcmp(c->unit, "ns/day") == 0;
    p->unit = c->unit;
    p->units = per_day ? DAY_S : 1;
    p->task.kind = p->task.family = c->variant;
    p->task.compute = or_zero(c->run_tflop_fp32) > or_zero(c->run_tflop_fp64) ? DTYPE_FP32 : DTYPE_FP64;
    // One simulation that is cut in pieces; benchmarks of linear algebra grow with the machine.
    p->task.scale = per_day ? log(p->gpus) : 0;
    p->work = (TaskWork){.fp64 = or_zero(c->run_tflop_fp64) * 1e12,
                         .fp32 = or_zero(c->run_tflop_fp32) * 1e12,
                         .bytes = or_zero(c->run_tbyte) * 1e12,
                         .fixed_s = or_zero(c->run_steps) * constant_of(f, CONSTANT_HPC_STEP_US) * 1e-6};
    return NULL;
}

void predict_task(const Facts *facts, const Measurement *m, Prediction *p) {
    size_t t = 0;
    while (t < COUNT_OF(tasks) && strcmp(tasks[t].task, m->task) != 0) t++;
    if (t == COUNT_OF(tasks)) {
        p->not_predicted = "task unknown";
        return;
    }
    bool hpc = tasks[t].kind[0] == '\0', train = strcmp(tasks[t].family, "train") == 0,
         embeds = strcmp(tasks[t].family, "encoder") == 0;
    p->unit = tasks[t].unit;
    p->gpus = is_known(m->gpu_count) ? m->gpu_count : 1;
    p->units = 1;
    p->task = (TaskSubject){.gpu = p->gpu,
                            .kind = tasks[t].kind,
                            .family = tasks[t].family,
                            .run_class = m->run_class[0] != '\0' ? m->run_class : "independent",
                            .scenario = "",
                            .compute = dtype_named(m->precision_weights, DTYPE_BF16)};
    p->not_predicted = !hpc && p->model == NULL ? "model not in the catalog"
                       : hpc                    ? computing(facts, m, p)
                       : train                  ? training(m, p)
                       : embeds                 ? embedding(facts, m, p)
                                                : generation(m, p);
    if (p->not_predicted != NULL) return;
    const char *bound = "";
    p->ideal_s = task_ideal_s(p->gpu, &p->work, p->task.compute, &bound);
    TaskShare share = task_share(facts, &p->task);
    p->rate = p->units * task_rate(&p->work, p->ideal_s, p->gpus, share.eta);
    p->sigma_log = share.sigma_log;
    p->basis = share.basis;
    if (!is_known(p->rate)) p->not_predicted = serve_status_names[SERVE_NO_DATA];
}
