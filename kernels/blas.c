// OpenBLAS, BLIS and MKL through the CBLAS interface, oneDNN through its own.
#include "kernels/blas.h"

#include "kernels/dl.h"

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };  // values of the CBLAS standard

static const char *const names[] = {"libopenblas.so.0", "libblis.so.4", "libmkl_rt.so.2", "libdnnl.so.3",
                                    "libdnnl.so.2"};

static const DlSymbol symbols[] = {
    {"cblas_sgemm", offsetof(BlasTable, cblas_sgemm), true},
    {"dnnl_sgemm", offsetof(BlasTable, dnnl_sgemm), true},
    {"dnnl_gemm_s8s8s32", offsetof(BlasTable, dnnl_gemm_s8), true},
    {"openblas_set_num_threads", offsetof(BlasTable, openblas_threads), true},
    {"bli_thread_set_num_threads", offsetof(BlasTable, blis_threads), true},
    {"MKL_Set_Num_Threads", offsetof(BlasTable, mkl_threads), true},
};

const char *blas_name(size_t i) { return i < COUNT_OF(names) ? names[i] : NULL; }

bool blas_has(KernelId product) { return product == KERNEL_GEMM_F32 || product == KERNEL_GEMM_I8; }

static bool library_has(const BlasTable *f, KernelId product) {
    if (product == KERNEL_GEMM_I8) return f->dnnl_gemm_s8 != NULL;
    return product == KERNEL_GEMM_F32 && (f->cblas_sgemm != NULL || f->dnnl_sgemm != NULL);
}

bool blas_open(size_t i, KernelId product, int threads, Blas *ret_blas) {
    Err e = {0};
    Blas b = {.handle = dl_open(names[i], &e), .name = names[i], .product = product};
    if (b.handle == NULL) return false;
    if (!dl_fill(b.handle, symbols, COUNT_OF(symbols), &b.f, &e) || !library_has(&b.f, product)) {
        dl_close(b.handle);
        return false;
    }
    // oneDNN takes OpenMP's number, as our own kernels do.
    if (b.f.openblas_threads != NULL) b.f.openblas_threads(threads);
    if (b.f.blis_threads != NULL) b.f.blis_threads(threads);
    if (b.f.mkl_threads != NULL) b.f.mkl_threads(threads);
    *ret_blas = b;
    return true;
}

void blas_close(Blas *b) { dl_close(b->handle); }

bool blas_run(const Blas *b, const Shape *s, const void *a, const void *x, void *c) {
    int64_t m = (int64_t)s->d[0], n = (int64_t)s->d[1], k = (int64_t)s->d[2];
    static const int32_t no_offset = 0;
    if (b->product == KERNEL_GEMM_I8)
        return b->f.dnnl_gemm_s8('N', 'T', 'F', m, n, k, 1, a, k, 0, x, k, 0, 0, c, n, &no_offset) == 0;
    // Its own first: a library's symbols are those of the libraries that it needs, too.
    if (b->f.dnnl_sgemm != NULL) return b->f.dnnl_sgemm('N', 'N', m, n, k, 1, a, k, x, n, 0, c, n) == 0;
    b->f.cblas_sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, (int)m, (int)n, (int)k, 1, a, (int)k, x, (int)n,
                     0, c, (int)n);
    return true;
}
