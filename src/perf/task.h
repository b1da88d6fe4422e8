// Work that is not token serving: training, images, video, HPC, embeddings. Amounts of work over an achieved
// share of the GPU's peak.
//
//   ideal = the longest of flops / dense peak (of the compute dtype, of FP64, of FP32) and bytes / bandwidth, one GPU, one unit
//   rate  = 1 / (fixed + ideal / (gpus x eta))     unit: token, image, video, run, text
// ln eta is the sum of what the task, the vendor, the architecture, the dtype, ... add: the rows of
// data/task_efficiency.tsv.
#ifndef GPUADVISE_PERF_TASK_H
#define GPUADVISE_PERF_TASK_H

#include "src/perf/perf.h"

// What one unit of the result takes. 0: nothing of it.
typedef struct TaskWork {
    double flops;       // in the compute dtype
    double fp64, fp32;  // flops in these
    double bytes;       // moved to and from memory
    double fixed_s;     // that no GPU shortens: launches of a run's steps
} TaskWork;

// Seconds of one unit on one GPU at full datasheet peaks, `fixed_s` aside; NaN when a peak that it needs is
// unknown.
double task_ideal_s(const Gpu *g, const TaskWork *work, Dtype compute, const char **ret_bound);

// Units/s of `gpus` GPUs that work on one unit together.
double task_rate(const TaskWork *work, double ideal_s, double gpus, double eta);

// Flops of one trained token (6 a parameter, 4 with frozen weights, attention over `tokens` besides; input
// embeddings are looked up only), of one image of `steps` steps, of one image trained on.
double train_token_flops(const Model *m, double tokens, bool frozen);
double image_flops(const Model *m, double steps);
double train_image_flops(const Model *m);

// One text of `tokens` tokens that is embedded in batches of `texts`: its arithmetic, the weights read once a
// batch, and what passes between the products of each layer. Batches that a GPU is busy with: some thousand
// tokens.
TaskWork text_work(const Model *m, Dtype compute, double tokens, double texts);
double texts_a_batch(const Facts *f, const Workload *w);  // as asked, else as many as servers take by default

// What is known of a task besides its size. Borrows.
typedef struct TaskSubject {
    const Gpu *gpu;
    // train, lora, train-images, images, video, embed, or the class of HPC work
    const char *kind;
    // kinds that run alike: train, diffusion, encoder, or the class of HPC work
    const char *family;
    const char *run_class, *scenario;  // scenario: "" = steady state
    Dtype compute;                     // of the matrix units, or of the vector units in HPC
    bool quantised;                    // weights of 4 bits that are expanded for every product (QLoRA)
    bool moe;
    double split;  // ln of sequences a GPU where they are fewer than GPUs: at most 0
    double scale;  // ln of the number of GPUs, over one node's in training
} TaskSubject;

// GPUs of one node: training on more pays for the network.
extern const double TRAIN_NODE_GPUS;

enum { TASK_SPREADS = 3 };
typedef struct TaskLevels {
    char text[TASK_EFFECT_COUNT][LEVEL_SIZE];  // "": the effect has no say
    double weight[TASK_EFFECT_COUNT];
    char spread[TASK_SPREADS][LEVEL_SIZE];  // its groups, widest first
} TaskLevels;

void task_levels(const TaskSubject *subject, TaskLevels *ret);

// What the shipped factors say of a subject.
typedef struct TaskShare {
    double eta;        // of the binding peak
    double sigma_log;  // of rates
    Basis basis;
    const char *source;
} TaskShare;
TaskShare task_share(const Facts *facts, const TaskSubject *subject);

#endif
