// Rooflines from the results of a run.
#include "kernels/roofline.h"

#include <math.h>
#include <string.h>

static bool is_stream(KernelId id) { return id <= KERNEL_READ; }

// A verified result of that device whose test and sizes this version knows.
static bool usable(const BenchResult *r, const char *device, KernelId *ret_id, Shape *ret_shape) {
    const Kernel *k = kernel_find(r->test);
    if (k == NULL || !r->verified || !(r->median > 0) || strcmp(r->device, device) != 0 ||
        strcmp(r->unit, kernel_unit(k)) != 0)
        return false;
    *ret_id = (KernelId)(k - kernel_table);
    return shape_read(k, r->shape, ret_shape);
}

static RoofCeiling *ceiling_of(Roofline *roof, const char *dtype) {
    for (size_t i = 0; i < roof->n_ceilings; i++) {
        if (strcmp(roof->ceilings[i].dtype, dtype) == 0) return &roof->ceilings[i];
    }
    return NULL;
}

static void raise_ceiling(Roofline *roof, const char *dtype, double gflop_s, const char *by) {
    RoofCeiling *known = ceiling_of(roof, dtype);
    if (!(gflop_s > 0) || (known == NULL && roof->n_ceilings == ROOF_CEILINGS)) return;
    if (known == NULL) known = &roof->ceilings[roof->n_ceilings++];
    if (!(known->gflop_s >= gflop_s)) *known = (RoofCeiling){dtype, by, gflop_s};
}

static void measure_roof(const BenchRun *run, Roofline *roof) {
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        KernelId id = KERNEL_COUNT;
        Shape s;
        if (!usable(r, roof->device, &id, &s)) continue;
        if (is_stream(id) && !(roof->memory_gb_s >= r->median))
            roof->memory_gb_s = r->median, roof->memory_by = r->test;
        if (strncmp(r->test, "gemm-", 5) != 0) continue;
        raise_ceiling(roof, kernel_table[id].dtype, r->median, r->test);
        raise_ceiling(roof, kernel_table[id].dtype, r->library_ceiling, r->library);
    }
}

static void add_point(Roofline *roof, const BenchResult *r) {
    KernelId id = KERNEL_COUNT;
    Shape s;
    if (!usable(r, roof->device, &id, &s)) return;
    const Kernel *k = &kernel_table[id];
    double flops = k->flops(&s), bytes = k->bytes(&s);
    if (!(flops > 0) || !(bytes > 0) || (k->kind != KIND_BANDWIDTH && k->kind != KIND_COMPUTE)) return;
    double intensity = flops / bytes, slope = roof->memory_gb_s * intensity;
    const RoofCeiling *c = ceiling_of(roof, k->dtype);
    // Work that streams computes in other units than its data's products do: its roof is the memory's.
    bool memory_bound = k->kind == KIND_BANDWIDTH || (c != NULL && slope < c->gflop_s);
    roof->points[roof->n_points++] =
        (RoofPoint){r, intensity, k->kind == KIND_BANDWIDTH ? r->median * intensity : r->median,
                    memory_bound ? slope
                    : c != NULL  ? c->gflop_s
                                 : (double)NAN,
                    memory_bound};
}

bool roofline_of(const BenchRun *run, const char *device, Arena *a, Roofline *ret_roofline) {
    Roofline roof = {.device = device, .memory_gb_s = (double)NAN, .memory_by = ""};
    measure_roof(run, &roof);
    if (!is_known(roof.memory_gb_s) || roof.n_ceilings == 0) return false;
    roof.points = arena_alloc(a, run->n_results, sizeof *roof.points);
    for (size_t i = 0; i < run->n_results; i++) add_point(&roof, &run->results[i]);
    *ret_roofline = roof;
    return true;
}
