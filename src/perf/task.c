// Image generation, training and HPC proxies: work divided by an achieved rate.
#include <math.h>
#include <string.h>

#include "src/perf/perf.h"

static double or_zero(double x) { return is_known(x) ? x : 0; }

static bool is_row(const TaskEfficiency *r, const Gpu *g, const Workload *w) {
    if (r->task != w->kind || r->vendor != g->vendor || strcmp(r->architecture, g->architecture) != 0) return false;
    return r->variant[0] == '\0' || strcmp(r->variant, w->variant) == 0;
}

// Flops of one unit of the result (image, token), or NaN for HPC.
static double unit_flops(const Model *m, const Workload *w) {
    if (m == NULL) return (double)NAN;
    switch ((WorkloadKind)w->kind) {
    case KIND_IMAGES: {
        double steps = is_known(w->images_steps) ? w->images_steps : m->steps_default;
        return m->tflop_per_image * 1e12 * steps / m->steps_default;
    }
    // 6 flops a parameter and token: forward 2, backward 4. With frozen weights their gradients fall away.
    case KIND_TRAIN: return 6 * (m->params_active - or_zero(m->params_input_embedding));
    case KIND_LORA: return 4 * (m->params_active - or_zero(m->params_input_embedding));
    case KIND_SERVE:
    case KIND_HPC:
    case KIND_COUNT: break;
    }
    return (double)NAN;
}

static double needed_bytes(const Facts *f, const Model *m, const Workload *w, int gpus) {
    if (w->kind == KIND_HPC) return or_zero(w->run_memory_gb) * 1e9;
    double activations = or_zero(m->layers) * or_zero(m->hidden) * or_zero(w->isl_tokens) * 2 * constant_of(f, "train_activation_factor");
    switch ((WorkloadKind)w->kind) {
    case KIND_TRAIN: return m->params_total * constant_of(f, "train_bytes_per_param") + gpus * activations;
    case KIND_LORA: return m->params_total * constant_of(f, "lora_bytes_per_param") + gpus * activations;
    // Each GPU makes its own images.
    case KIND_IMAGES: return gpus * (m->weight_bytes_native + constant_of(f, "images_workspace_gb") * 1e9);
    case KIND_HPC:
    case KIND_SERVE:
    case KIND_COUNT: break;
    }
    return 0;
}

// Runs per second of one HPC proxy on `gpus` GPUs: the slowest of its three kinds of work.
static double hpc_rate(const Gpu *g, const Workload *w, const TaskEfficiency *r, int gpus, const char **ret_bound) {
    double fp64_s = or_zero(w->run_tflop_fp64) > 0 ? w->run_tflop_fp64 * 1e12 / (gpu_peak_flops(g, DTYPE_FP64) * r->eta_fl) : 0;
    double fp32_s = or_zero(w->run_tflop_fp32) > 0 ? w->run_tflop_fp32 * 1e12 / (gpu_peak_flops(g, DTYPE_FP32) * r->eta_fl) : 0;
    double bytes_s = or_zero(w->run_tbyte) > 0 ? w->run_tbyte * 1e12 / (g->memory_bw_gb_s * 1e9 * r->eta_bw) : 0;
    if (!is_known(fp64_s) || !is_known(fp32_s) || !is_known(bytes_s)) return (double)NAN;
    double slowest = fmax(fmax(fp64_s, fp32_s), bytes_s);
    *ret_bound = slowest > bytes_s ? "compute" : "memory-bandwidth";
    return gpus / slowest;
}

static bool accepts(const Workload *w, int dtype) { return w->weights[0] == '\0' || word_in(w->weights, dtype_names[dtype]); }

ServeStatus task_at(const Facts *facts, const Gpu *gpu, const Model *model, const Workload *w, int gpus, Arena *a, TaskPoint *ret) {
    TaskPoint best = {.rate = (double)NAN, .sources = "", .bound_by = "compute"};
    bool supported = false;
    *ret = best;
    if (model == NULL && w->kind != KIND_HPC) return SERVE_NO_DATA;
    best.memory_bytes = needed_bytes(facts, model, w, gpus);
    best.usable_bytes = gpus * gpu_usable_bytes(gpu);
    for (size_t i = 0; i < facts->n_task_efficiency; i++) {
        const TaskEfficiency *r = &facts->task_efficiency[i];
        if (!is_row(r, gpu, w) || !accepts(w, r->dtype)) continue;
        supported = true;
        const char *bound = "compute";
        double rate = w->kind == KIND_HPC ? hpc_rate(gpu, w, r, gpus, &bound) : gpus * gpu_peak_flops(gpu, (Dtype)r->dtype) * r->eta_fl / unit_flops(model, w);
        if (!is_known(rate) || (is_known(best.rate) && rate <= best.rate)) continue;
        best.rate = rate;
        best.sigma_log = r->sigma_log;
        best.basis = (Basis)r->basis;
        best.dtype = (Dtype)r->dtype;
        best.bound_by = bound;
        best.sources = arena_printf(a, "%s; %s%s%s", r->source, gpu->source, model != NULL ? "; " : "", model != NULL ? model->source : "");
    }
    *ret = best;
    if (!supported) return SERVE_NO_PRECISION;
    if (!is_known(best.rate)) return SERVE_NO_DATA;
    if (best.memory_bytes > best.usable_bytes * constant_of(facts, "train_memory_fraction")) return SERVE_NO_MEMORY;
    return SERVE_OK;
}
