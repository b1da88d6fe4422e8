// Matrix products by cuBLASLt and hipBLASLt.
//
// Both keep matrices in columns. Ours lie in rows, so that theirs is the transposed product: C' = op(B) A',
// of n x m. Where k runs along the rows of both inputs, op transposes, the only layout for which they have
// products of 8-bit types.
#include "kernels/gpu_blas.h"

#include <string.h>

#include "kernels/dl.h"

#define ROW(field, cuda, hip, args) {#cuda, offsetof(GpuBlasTable, field), false},
static const DlSymbol cuda_symbols[] = {GPU_BLAS_FUNCTIONS(ROW)};
#undef ROW
#define ROW(field, cuda, hip, args) {#hip, offsetof(GpuBlasTable, field), false},
static const DlSymbol hip_symbols[] = {GPU_BLAS_FUNCTIONS(ROW)};

enum { NONE = -1, WORKSPACE = 32 << 20, REAL_32 = 0, REAL_64 = 1, INTEGER_32 = 10 };

// cudaDataType and hipDataType; cublasComputeType_t and hipblasComputeType_t. NONE: that vendor has no such
// type.
typedef struct Types {
    KernelId kernel;
    int input[GPU_APIS], output, compute[GPU_APIS], scale;
    bool along_rows;  // k runs along the rows of both
} Types;
static const Types types[] = {
    {KERNEL_GEMM_F32, {0, 0}, REAL_32, {68, 2}, REAL_32, false},
    {KERNEL_GEMM_F64, {1, 1}, REAL_64, {70, 7}, REAL_64, false},
    {KERNEL_GEMM_TF32, {0, 0}, REAL_32, {77, 6}, REAL_32, true},
    {KERNEL_GEMM_F16, {2, 2}, REAL_32, {68, 2}, REAL_32, true},
    {KERNEL_GEMM_BF16, {14, 14}, REAL_32, {68, 2}, REAL_32, true},
    {KERNEL_GEMM_I8, {3, 3}, INTEGER_32, {72, 9}, INTEGER_32, true},
    {KERNEL_GEMM_FP8, {28, 28}, REAL_32, {68, 2}, REAL_32, true},
    {KERNEL_GEMM_FP8_FNUZ, {NONE, 1000}, REAL_32, {68, 2}, REAL_32, true},
    {KERNEL_WGMMA_F16, {2, NONE}, REAL_32, {68, 2}, REAL_32, true},
    {KERNEL_WGMMA_BF16, {14, NONE}, REAL_32, {68, 2}, REAL_32, true},
    {KERNEL_WGMMA_FP8, {28, NONE}, REAL_32, {68, 2}, REAL_32, true},
};

// Attributes of descriptors, and operations: they differ.
typedef struct Words {
    unsigned transpose_a, transpose_b, most_workspace;
    int32_t as_is, transposed;
} Words;
static const Words words[GPU_APIS] = {{3, 4, 1, 0, 1}, {0, 1, 1, 111, 112}};

static const Types *types_of(const GpuDriver *g, const Kernel *k) {
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (&kernel_table[types[i].kernel] == k && types[i].input[g->api] != NONE) return &types[i];
    }
    return NULL;
}

// cublasStatus_t and hipblasStatus_t share no numbers but 0.
static bool good(const GpuBlas *b, const char *what, unsigned status, Err *e) {
    static const char *const cuda[] = {
        [1] = "not initialized",  [3] = "out of memory",         [7] = "invalid value",
        [8] = "not for this GPU", [13] = "it failed on the GPU", [14] = "internal error",
        [15] = "not supported"};
    static const char *const hip[] = {
        [1] = "not initialized", [2] = "out of memory", [3] = "invalid value",   [5] = "it failed on the GPU",
        [6] = "internal error",  [7] = "not supported", [8] = "not for this GPU"};
    if (status == 0) return true;
    const char *const *list = b->gpu->api == GPU_CUDA ? cuda : hip;
    size_t n = b->gpu->api == GPU_CUDA ? COUNT_OF(cuda) : COUNT_OF(hip);
    const char *text =
        status < n && list[status] != NULL ? list[status] : "an error that this program does not know";
    return err_set(e, ERR_FAILED, "%s: %s: status %u: %s", b->name, what, status, text);
}
#define CALL(b, field, ...) good((b), #field, (b)->f.field(__VA_ARGS__), e)

// False: none of the names is here.
static bool open_library(GpuBlas *b) {
    static const char *const names[GPU_APIS][4] = {
        {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", NULL},
        {"libhipblaslt.so.1", "libhipblaslt.so.0", "/opt/rocm/lib/libhipblaslt.so", NULL}};
    bool cuda = b->gpu->api == GPU_CUDA;
    for (size_t i = 0; names[b->gpu->api][i] != NULL; i++) {
        Err ignored = {0};
        void *library = dl_open(names[b->gpu->api][i], &ignored);
        if (library != NULL &&
            dl_fill(library, cuda ? cuda_symbols : hip_symbols, COUNT_OF(cuda_symbols), &b->f, &ignored)) {
            b->name = names[b->gpu->api][i];
            return true;  // stays open: some crash when they are unloaded
        }
        dl_close(library);
    }
    return false;
}

static bool describe(GpuBlas *b, const Types *t, const Shape *s, Err *e) {
    const Words *w = &words[b->gpu->api];
    size_t m = s->d[0], n = s->d[1], k = s->d[2];
    GpuApi api = b->gpu->api;
    unsigned in = (unsigned)t->input[api];
    const int32_t op_a = t->along_rows ? w->transposed : w->as_is, op_b = w->as_is;
    const uint64_t workspace = WORKSPACE;
    return CALL(b, create, &b->handle) &&
           CALL(b, task_create, &b->task, (unsigned)t->compute[api], (unsigned)t->scale) &&
           CALL(b, task_set, b->task, w->transpose_a, &op_a, sizeof op_a) &&
           CALL(b, task_set, b->task, w->transpose_b, &op_b, sizeof op_b) &&
           CALL(b, layout_create, &b->a, in, t->along_rows ? k : n, t->along_rows ? n : k,
                (int64_t)(t->along_rows ? k : n)) &&
           CALL(b, layout_create, &b->b, in, k, m, (int64_t)k) &&
           CALL(b, layout_create, &b->c, (unsigned)t->output, n, m, (int64_t)n) &&
           CALL(b, preference_create, &b->preference) &&
           CALL(b, preference_set, b->preference, w->most_workspace, &workspace, sizeof workspace);
}

bool gpu_blas_open(GpuDriver *g, const Kernel *k, const Shape *s, GpuBlas *ret_blas, Err *e) {
    GpuBlas b = {.gpu = g};
    const Types *t = types_of(g, k);
    int n = 0;
    *ret_blas = b;
    if (t == NULL || !open_library(&b)) return true;
    bool ok = describe(&b, t, s, e) &&
              CALL(&b, heuristic, b.handle, b.task, b.a, b.b, b.c, b.c, b.preference, 1, b.proposal, &n);
    if (ok && n < 1) ok = err_set(e, ERR_FAILED, "%s has no way to compute this product here", b.name);
    ok = ok && gpu_alloc(g, WORKSPACE, &b.workspace, e);
    *ret_blas = b;
    if (!ok) gpu_blas_close(ret_blas);
    return ok;
}

void gpu_blas_close(GpuBlas *b) {
    if (b->preference != NULL) (void)b->f.preference_destroy(b->preference);
    if (b->a != NULL) (void)b->f.layout_destroy(b->a);
    if (b->b != NULL) (void)b->f.layout_destroy(b->b);
    if (b->c != NULL) (void)b->f.layout_destroy(b->c);
    if (b->task != NULL) (void)b->f.task_destroy(b->task);
    if (b->handle != NULL) (void)b->f.destroy(b->handle);
    if (!gpu_is_lost(b->gpu)) gpu_release(b->gpu, b->workspace);
    *b = (GpuBlas){.gpu = b->gpu, .name = b->name};
}

bool gpu_blas_run(GpuBlas *b, const Kernel *k, const GpuPointer *buffers, Err *e) {
    static const float one = 1, none = 0;
    static const double one_f64 = 1, none_f64 = 0;
    static const int32_t one_whole = 1, none_whole = 0;
    Elem out = k->buffers[k->output].elem;
    const void *times = out == ELEM_I32   ? (const void *)&one_whole
                        : out == ELEM_F64 ? (const void *)&one_f64
                                          : &one,
               *plus = out == ELEM_I32   ? (const void *)&none_whole
                       : out == ELEM_F64 ? (const void *)&none_f64
                                         : &none;
    void *c = gpu_address(buffers[k->output]);
    return CALL(b, matmul, b->handle, b->task, times, gpu_address(buffers[1]), b->a, gpu_address(buffers[0]),
                b->b, plus, c, b->c, c, b->c, b->proposal, gpu_address(b->workspace), WORKSPACE, NULL);
}
