// One problem of a kernel as files, for emulators that are other programs: its inputs, and whether an output is right.
//
//     kernel_case list                          a line a kernel: entry, threads, shared bytes, then for each odd size
//                                               "sizes:blocks:bytes of each buffer", comma-separated
//     kernel_case make ENTRY SIZE DIR           writes input I of odd size SIZE (0 to 2) to DIR/I
//     kernel_case check ENTRY SIZE VENDOR FILE  holds the output in FILE against the reference; exit code 1: wrong
#include <stdio.h>
#include <string.h>

#include "kernels/kernels.h"
#include "tests/ptx/bench.h"

enum { SEED = 1, SAMPLES = 512 };

static int list(void) {
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        const Kernel *k = &kernel_table[i];
        printf("%s %u %u", k->launch.entry, k->launch.threads, kernel_shared(k));
        for (size_t s = 0; s < COUNT_OF(k->odd); s++) {
            const char *separator = " ";
            for (size_t d = 0; d < kernel_dims(k); d++, separator = ",")
                printf("%s%zu", separator, k->odd[s].d[d]);
            printf(":%zu", kernel_blocks(k, &k->odd[s]));
            separator = ":";
            for (size_t b = 0; b <= k->output; b++, separator = ",") {
                const BufferSpec *spec = &k->buffers[b];
                printf("%s%zu", separator, buffer_count(spec, &k->odd[s]) * elem_size(spec->elem));
            }
        }
        putchar('\n');
    }
    return 0;
}

static int make(const Kernel *k, const Shape *s, const char *folder) {
    Arena a = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < k->output; i++) {
        size_t n = buffer_count(&k->buffers[i], s), size = elem_size(k->buffers[i].elem);
        void *bytes = arena_alloc(&a, n, size);
        Err e = {0};
        input_fill(k, s, i, SEED, 0, n, bytes);
        ok = file_write(arena_printf(&a, "%s/%zu", folder, i), bytes, n * size, &e);
        if (!ok) fprintf(stderr, "%s\n", e.text);
    }
    arena_free(&a);
    return ok ? 0 : 2;
}

static int check(const Kernel *k, const Shape *s, const char *vendor, const char *path) {
    Arena a = {0};
    Str bytes = {0};
    Err e = {0};
    RefIn in = {k, SEED, *s, kernel_roundoff(k, vendor), {0}};
    CheckTally t = {0};
    const BufferSpec *out = &k->buffers[k->output];
    if (!file_read(&a, path, BUF_LIMIT, &bytes, &e) ||
        bytes.length != buffer_count(out, s) * elem_size(out->elem)) {
        fprintf(stderr, "%s: not an output of that size %s\n", path, e.text);
        arena_free(&a);
        return 2;
    }
    check_outputs(&in, bytes.data, SAMPLES, &t);
    printf("%zu of %zu wrong, %.3g of the bound at most\n", t.wrong, t.checked, t.max_of_bound);
    arena_free(&a);
    return t.wrong > 0 || t.checked == 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "list") == 0) return list();
    const Kernel *k = argc > 3 ? ptx_kernel(argv[2]) : NULL;
    int64_t size = 0;
    if (k != NULL && parse_integer(str_of(argv[3]), 0, (int64_t)COUNT_OF(k->odd) - 1, &size, NULL)) {
        if (argc == 5 && strcmp(argv[1], "make") == 0) return make(k, &k->odd[size], argv[4]);
        if (argc == 6 && strcmp(argv[1], "check") == 0) return check(k, &k->odd[size], argv[4], argv[5]);
    }
    fprintf(stderr, "usage: kernel_case list | make ENTRY SIZE DIR | check ENTRY SIZE VENDOR FILE\n");
    return 2;
}
