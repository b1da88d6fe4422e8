// Options that only llama.cpp has.
#include "cli/estimate_llama.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/facts/runs.h"
#include "kernels/cpu.h"

// A bandwidth in the settings file stands there for whenever it is needed.
static bool refuse_others(const App *app, const char *engine, Err *e) {
    static const OptionId only[] = {OPT_SPLIT, OPT_GPU_LAYERS, OPT_CPU_OFFLOAD, OPT_CPU_EXPERTS,
                                    OPT_HOST_GB_S};
    for (size_t i = 0; i < COUNT_OF(only); i++) {
        if (opt_typed(app, only[i]))
            return err_set(e, ERR_USAGE, "option '--%s': only with '--engine llama.cpp', not with %s",
                           option_table[only[i]].name, engine);
    }
    return true;
}

static bool read_split(const App *app, Layout *l, Err *e) {
    if (!opt_set(app, OPT_SPLIT)) return true;
    if (opt_set(app, OPT_TP) || opt_set(app, OPT_PP))
        return err_set(e, ERR_USAGE,
                       "option '--split' says what '--tp' and '--pp' do: give '--gpus' with it instead");
    if (l->tp < 2)
        return err_set(e, ERR_USAGE, "option '--split': several GPUs are split: '--gpus 2' or more");
    if (strcmp(opt_text(app, OPT_SPLIT, ""), "layer") == 0) l->pp = l->tp, l->tp = 1;
    return true;
}

// Which layers and experts stay in host memory.
static bool read_parts(const App *app, const Model *m, ServeTechniques *techniques, Err *e) {
    if (opt_set(app, OPT_GPU_LAYERS) && opt_set(app, OPT_CPU_OFFLOAD))
        return err_set(e, ERR_USAGE, "give '--gpu-layers' or '--cpu-offload', not both");
    double on_gpus = opt_number(app, OPT_GPU_LAYERS, m->layers - opt_number(app, OPT_CPU_OFFLOAD, 0));
    if (!is_known(m->layers) && (opt_set(app, OPT_GPU_LAYERS) || opt_set(app, OPT_CPU_OFFLOAD)))
        return err_set(e, ERR_USAGE, "the number of layers of model '%s' is not known", m->model_id);
    if (on_gpus < 1)
        return err_set(e, ERR_USAGE,
                       "option '--cpu-offload': model '%s' has %g layers, and one at least stays on a GPU",
                       m->model_id, m->layers);
    // as llama.cpp takes it, more than all is all
    techniques->host_layers = is_known(on_gpus) ? fmax(m->layers - on_gpus, 0) : 0;
    techniques->cpu_experts = opt_flag(app, OPT_CPU_EXPERTS);
    if (techniques->cpu_experts && !model_is_moe(m))
        return err_set(e, ERR_USAGE, "option '--cpu-experts': model '%s' has no experts", m->model_id);
    return true;
}

// What the memory of this host gives: as told, or as measured on a CPU of the same name.
static bool read_bandwidth(App *app, Catalog *catalog, ServeTechniques *techniques, Err *e) {
    if (opt_set(app, OPT_HOST_GB_S)) {
        techniques->host_gb_s = opt_number(app, OPT_HOST_GB_S, 0);
        techniques->host_source = "--host-gb-s";
        return true;
    }
    CpuFacts cpu;
    const char *root = getenv("GPUADVISE_SYSROOT");
    cpu_facts(root != NULL ? root : "", &cpu);
    HostRate rate;
    if (!runs_host_rate(catalog, cpu.name, &app->arena, &rate, e)) return false;
    if (!is_known(rate.gb_s))
        return err_set(
            e, ERR_USAGE,
            "a part of the model in host memory needs the bandwidth of that memory: give '--host-gb-s GB/S', "
            "or measure that of this machine: `gpuadvise bench triad --device cpu`");
    techniques->host_gb_s = rate.gb_s;
    techniques->host_source =
        arena_printf(&app->arena, "triad of run %lld on this CPU (%s)", (long long)rate.run, rate.taken_at);
    return true;
}

bool estimate_llama(App *app, Catalog *catalog, ServingWant *want, Err *e) {
    if (strcmp(want->engine, "llama.cpp") != 0) return refuse_others(app, want->engine, e);
    ServeTechniques *techniques = &want->techniques;
    if (!read_split(app, &want->layout, e) || !read_parts(app, want->model, techniques, e)) return false;
    if (techniques->host_layers > 0 || techniques->cpu_experts) {
        if (want->layout.dp > 1)
            return err_set(e, ERR_USAGE,
                           "a part of the model in host memory: one replica only, not %d, since they would "
                           "share that memory's bandwidth",
                           want->layout.dp);
        return read_bandwidth(app, catalog, techniques, e);
    }
    if (opt_typed(app, OPT_HOST_GB_S))
        return err_set(e, ERR_USAGE,
                       "option '--host-gb-s': nothing is in host memory without '--gpu-layers', "
                       "'--cpu-offload' or '--cpu-experts'");
    return true;
}
