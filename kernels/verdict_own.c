// Whether a kernel of ours computes by the unit that a datasheet's figure is of.
#include <string.h>

#include "kernels/verdict.h"

static bool is_of(const char *arch, const char *const *list) {
    for (size_t i = 0; list[i] != NULL; i++) {
        if (strncmp(arch, list[i], strlen(list[i])) == 0) return true;
    }
    return false;
}

const char *verdict_own_unit(const Gpu *gpu, const Kernel *k, const char *arch) {
    static const char *const without[] = {"sm_6", "sm_7", "gfx90c", "gfx906", "gfx908", "gfx103", NULL},
                             *const hopper[] = {"sm_90", NULL}, *const tcgen05[] = {"sm_10", "sm_11", NULL},
                             *const double_rate[] = {"gfx950", NULL};
    bool decode = k == &kernel_table[KERNEL_DECODE_GQA] || k == &kernel_table[KERNEL_DECODE_MLA];
    if (decode && is_of(arch, without))
        return "computed by lanes, without matrix units: arithmetic is slower than memory is";
    if (k->kind != KIND_COMPUTE) return NULL;
    if (strcmp(k->dtype, "fp64") == 0 && is_known(gpu->fp64_matrix_tflops))
        return "by fused multiply-adds: the datasheet's figure is that of matrix units";
    if (k->matrix_unit != MATRIX_ANY) return NULL;
    if (is_of(arch, hopper)) return "by mma.sync: the datasheet's figure is that of warpgroups (wgmma)";
    if (is_of(arch, tcgen05)) return "by mma.sync: the datasheet's figure is that of tcgen05";
    if (is_of(arch, double_rate) && strcmp(k->dtype, "mxfp4") != 0)
        return "by the matrix instructions of gfx942: those of gfx950 are twice as fast";
    return NULL;
}
