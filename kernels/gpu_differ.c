// Outputs under load against the one that was checked.
#include "kernels/gpu_differ.h"

#include <inttypes.h>

#include "kernels/cpu.h"

// Half of them; not a multiple of the multiprocessors, where every part would go where it was.
unsigned gpu_differ_blocks(unsigned blocks, unsigned units) {
    unsigned half = blocks > 1 ? blocks / 2 : 1;
    return half % units == 0 ? half - 1 : half;
}

bool gpu_differ_open(GpuDriver *g, GpuPointer kept, size_t bytes, GpuDiffer *ret_differ, Err *e) {
    GpuDiffer d = {.gpu = g, .kept = kept, .words = bytes / sizeof(uint32_t)};
    if (!gpu_function(g, launch_differ.entry, &d.function, e) || !gpu_alloc(g, sizeof(uint32_t), &d.count, e))
        return false;
    if (!gpu_fill(g, d.count, 0, sizeof(uint32_t), e)) {
        gpu_differ_close(&d);
        return false;
    }
    *ret_differ = d;
    return true;
}

void gpu_differ_close(GpuDiffer *d) {
    if (d->gpu != NULL && !gpu_is_lost(d->gpu)) gpu_release(d->gpu, d->count);
    *d = (GpuDiffer){0};
}

bool gpu_differ_count(GpuDiffer *d, GpuPointer output, uint32_t *ret_words, Err *e) {
    enum { BLOCKS_A_UNIT = 16 };
    uint64_t words = d->words;
    uint32_t counted = 0;
    void *arguments[] = {&words, &d->kept, &output, &d->count};
    if (!gpu_launch(d->gpu, d->function, d->gpu->units * BLOCKS_A_UNIT, launch_differ.threads, 0, arguments,
                    e) ||
        !gpu_to_host(d->gpu, &counted, d->count, sizeof counted, e)) {
        return false;
    }
    *ret_words = counted - d->counted;
    d->counted = counted;
    return true;
}

bool gpu_differ_place(GpuDiffer *d, GpuPointer output, Arena *a, const char **ret_place, Err *e) {
    size_t bytes = d->words * sizeof(uint32_t), i = 0;
    uint32_t *was = pages_map(bytes, e), *is = was != NULL ? pages_map(bytes, e) : NULL;
    bool ok = is != NULL && gpu_to_host(d->gpu, was, d->kept, bytes, e) &&
              gpu_to_host(d->gpu, is, output, bytes, e);
    while (ok && i < d->words && was[i] == is[i]) i++;
    if (ok && i < d->words)
        *ret_place = arena_printf(a, "word %zu is %08" PRIx32 ", it was %08" PRIx32, i, is[i], was[i]);
    if (ok && i == d->words) *ret_place = "the host sees none of it: the comparison on the device is wrong";
    pages_unmap(is, bytes);
    pages_unmap(was, bytes);
    return ok;
}
