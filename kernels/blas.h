// The matrix products of libraries, opened at run time: the ceiling beside our own.
#ifndef GPUADVISE_KERNELS_BLAS_H
#define GPUADVISE_KERNELS_BLAS_H

#include "kernels/kernels.h"

// What a library may have; NULL: it has not.
typedef struct BlasTable {
    void (*cblas_sgemm)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a,
                        int lda, const float *b, int ldb, float beta, float *c, int ldc);
    int (*dnnl_sgemm)(char trans_a, char trans_b, int64_t m, int64_t n, int64_t k, float alpha,
                      const float *a, int64_t lda, const float *b, int64_t ldb, float beta, float *c,
                      int64_t ldc);
    int (*dnnl_gemm_s8)(char trans_a, char trans_b, char offset_c, int64_t m, int64_t n, int64_t k,
                        float alpha, const int8_t *a, int64_t lda, int8_t zero_a, const int8_t *b,
                        int64_t ldb, int8_t zero_b, float beta, int32_t *c, int64_t ldc,
                        const int32_t *zero_c);
    void (*openblas_threads)(int n);
    void (*blis_threads)(int64_t n);
    void (*mkl_threads)(int n);
} BlasTable;

typedef struct Blas {
    void *handle;
    const char *name;  // soname that was found
    KernelId product;
    BlasTable f;
} Blas;

bool blas_has(KernelId product);  // do any of them have such a product?
// The libraries that are looked for: OpenBLAS, BLIS, MKL, oneDNN. NULL past the end.
const char *blas_name(size_t i);
// Opens library i for that product. False: it is not here, or has no such product. It runs in this process:
// open it only where it may crash.
bool blas_open(size_t i, KernelId product, int threads, Blas *ret_blas);
void blas_close(Blas *b);
// The kernel's output from its two inputs. False: the library refuses.
bool blas_run(const Blas *b, const Shape *s, const void *a, const void *x, void *c);

#endif
