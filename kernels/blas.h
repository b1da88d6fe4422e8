// A vendor's matrix product, opened at run time: the ceiling beside our own.
#ifndef GPUADVISE_KERNELS_BLAS_H
#define GPUADVISE_KERNELS_BLAS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Blas {
    void *handle;
    const char *name;  // soname that was found
    void (*sgemm)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                  float beta, float *c, int ldc);
} Blas;

// False: no library of the list is here. The library runs in this process: open it only where it may crash.
bool blas_open(int threads, Blas *ret_blas);
void blas_close(Blas *b);
// C = A B, row-major.
void blas_product(const Blas *b, size_t m, size_t n, size_t k, const float *a, const float *x, float *c);

#endif
