// A stand-in for libopenblas.so.0 that goes wrong as FAKE_BLAS says: crash, abort, exit, hang, wrong, stray. Unset: it is right.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                                                        int ldb, float beta, float *c, int ldc);

void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c,
                 int ldc) {
    const char *fault = getenv("FAKE_BLAS");
    (void)order, (void)trans_a, (void)trans_b, (void)alpha, (void)beta;
    if (fault == NULL) fault = "";
    if (strcmp(fault, "crash") == 0) raise(SIGSEGV);
    if (strcmp(fault, "abort") == 0) abort();
    if (strcmp(fault, "exit") == 0) _exit(3);
    while (strcmp(fault, "hang") == 0) sleep(1);
    if (strcmp(fault, "garbage") == 0) {
        ssize_t ignored = write(3, "this is no frame at all", 23);  // where answers go
        (void)ignored;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) c[(size_t)i * (size_t)ldc + (size_t)j] = 0;
        for (int p = 0; p < k; p++) {
            float x = a[(size_t)i * (size_t)lda + (size_t)p];
            for (int j = 0; j < n; j++) c[(size_t)i * (size_t)ldc + (size_t)j] += x * b[(size_t)p * (size_t)ldb + (size_t)j];
        }
    }
    if (strcmp(fault, "wrong") == 0) c[0] += 1;
    if (strcmp(fault, "stray") == 0) c[(size_t)m * (size_t)ldc] = 1;
}
