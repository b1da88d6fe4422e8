// A stand-in for libopenblas.so.0 that goes wrong as FAKE_BLAS says: crash, abort, exit, hang, garbage,
// wrong, stray, slow. Unset: it is right. Compiled with FAKE_DNNL it is oneDNN, goes by the variable of that
// name, and may refuse too.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void product(const char *variable, int64_t m, int64_t n, int64_t k, const float *a, int64_t lda,
                    const float *b, int64_t ldb, float *c, int64_t ldc) {
    const char *fault = getenv(variable);
    if (fault == NULL) fault = "";
    if (strcmp(fault, "crash") == 0) raise(SIGSEGV);
    if (strcmp(fault, "abort") == 0) abort();
    if (strcmp(fault, "exit") == 0) _exit(3);
    while (strcmp(fault, "hang") == 0) sleep(1);
    if (strcmp(fault, "slow") == 0) nanosleep(&(struct timespec){0, 300000000}, NULL);
    if (strcmp(fault, "garbage") == 0) {
        ssize_t ignored = write(3, "this is no frame at all", 23);  // where answers go
        (void)ignored;
    }
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) c[i * ldc + j] = 0;
        for (int64_t p = 0; p < k; p++) {
            for (int64_t j = 0; j < n; j++) c[i * ldc + j] += a[i * lda + p] * b[p * ldb + j];
        }
    }
    if (strcmp(fault, "wrong") == 0) c[0] += 1;
    if (strcmp(fault, "stray") == 0) c[m * ldc] = 1;
}

#ifdef FAKE_DNNL
__attribute__((visibility("default"))) int dnnl_sgemm(char trans_a, char trans_b, int64_t m, int64_t n,
                                                      int64_t k, float alpha, const float *a, int64_t lda,
                                                      const float *b, int64_t ldb, float beta, float *c,
                                                      int64_t ldc);

int dnnl_sgemm(char trans_a, char trans_b, int64_t m, int64_t n, int64_t k, float alpha, const float *a,
               int64_t lda, const float *b, int64_t ldb, float beta, float *c, int64_t ldc) {
    const char *fault = getenv("FAKE_DNNL");
    (void)trans_a, (void)trans_b, (void)alpha, (void)beta;
    if (fault != NULL && strcmp(fault, "refuse") == 0) return 2;
    product("FAKE_DNNL", m, n, k, a, lda, b, ldb, c, ldc);
    return 0;
}
#else
__attribute__((visibility("default"))) void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n,
                                                        int k, float alpha, const float *a, int lda,
                                                        const float *b, int ldb, float beta, float *c,
                                                        int ldc);

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a,
                 int lda, const float *b, int ldb, float beta, float *c, int ldc) {
    (void)order, (void)trans_a, (void)trans_b, (void)alpha, (void)beta;
    product("FAKE_BLAS", m, n, k, a, lda, b, ldb, c, ldc);
}
#endif
