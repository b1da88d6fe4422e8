// Efficiency of tasks as a sum over the properties of what is run.
#include <math.h>
#include <string.h>

#include "src/perf/task.h"

static const char *class_name(const TaskSubject *s) {
    if (s->quantised) return "quantised";
    double bits = dtype_bits(s->compute);
    return bits > 16 ? dtype_names[s->compute] : bits > 8 ? "bf16" : bits >= 8 ? "fp8" : "fp4";
}

void task_levels(const TaskSubject *s, TaskLevels *l) {
    const char *vendor = vendor_names[s->gpu->vendor], *arch = s->gpu->architecture, *class = class_name(s);
    *l = (TaskLevels){0};
    for (int e = 0; e < TASK_SPREAD; e++) l->weight[e] = 1;
    LEVEL_JOIN(l->text[TASK_ALL], "*");
    LEVEL_JOIN(l->text[TASK_KIND], s->kind);
    LEVEL_JOIN(l->text[TASK_VENDOR], vendor);
    LEVEL_JOIN(l->text[TASK_ARCHITECTURE], arch);
    LEVEL_JOIN(l->text[TASK_CLASS], class);
    LEVEL_JOIN(l->text[TASK_NATIVE], arch, class);
    LEVEL_JOIN(l->text[TASK_FAMILY], s->family, arch);
    LEVEL_JOIN(l->text[TASK_RUN], s->family, s->run_class);
    LEVEL_JOIN(l->text[TASK_LAYOUT], s->moe ? "moe" : "dense");
    LEVEL_JOIN(l->text[TASK_SCENARIO], s->scenario);
    LEVEL_JOIN(l->text[TASK_SPLIT], vendor);
    LEVEL_JOIN(l->text[TASK_SCALE], s->family);
    l->weight[TASK_LAYOUT] = s->moe ? 1 : 0;
    l->weight[TASK_SCENARIO] = s->scenario[0] != '\0' ? 1 : 0;
    l->weight[TASK_SPLIT] = s->split;
    l->weight[TASK_SCALE] = s->scale;
    LEVEL_JOIN(l->spread[0], s->kind);
    LEVEL_JOIN(l->spread[1], s->kind, vendor);
    LEVEL_JOIN(l->spread[2], s->kind, vendor, arch);
}

static const TaskEfficiency *spread_row(const Facts *f, const TaskLevels *l, int level) {
    for (size_t i = 0; i < f->n_task_efficiency; i++) {
        const TaskEfficiency *r = &f->task_efficiency[i];
        if (r->effect == TASK_SPREAD && strcmp(r->level, l->spread[level]) == 0) return r;
    }
    return NULL;
}

static double square(double x) { return x * x; }

TaskShare task_share(const Facts *f, const TaskSubject *subject) {
    TaskLevels l;
    task_levels(subject, &l);
    double sum = 0;
    bool class_seen = false, run_seen = false, any = false;
    for (size_t i = 0; i < f->n_task_efficiency; i++) {
        const TaskEfficiency *r = &f->task_efficiency[i];
        if (r->effect == TASK_SPREAD || strcmp(r->level, l.text[r->effect]) != 0) continue;
        sum += l.weight[r->effect] * r->shift;
        class_seen = class_seen || (r->effect == TASK_NATIVE && r->n > 0);
        run_seen = run_seen || (r->effect == TASK_RUN && r->n > 0);
        any = true;
    }
    const TaskEfficiency *narrow = spread_row(f, &l, 2);
    const TaskEfficiency *group = narrow != NULL                 ? narrow
                                  : spread_row(f, &l, 1) != NULL ? spread_row(f, &l, 1)
                                                                 : spread_row(f, &l, 0);
    if (!any || group == NULL) return (TaskShare){(double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    double unseen = (narrow == NULL) + !class_seen;
    unseen *= square(constant_of(f, CONSTANT_SIGMA_UNSEEN_GROUP));
    if (!run_seen) unseen += square(constant_of(f, CONSTANT_SIGMA_UNSEEN_ENGINE));
    if (narrow != NULL && !word_in(narrow->gpus, subject->gpu->sku_id))
        unseen += square(constant_of(f, CONSTANT_SIGMA_UNSEEN_GPU));
    return (TaskShare){fmin(exp(sum), 1), sqrt(square(group->sigma_log) + unseen),
                       unseen > 0 ? BASIS_EXTRAPOLATED : BASIS_CALIBRATED, group->source};
}
