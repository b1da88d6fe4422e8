// Our triad against a plain C loop of the same flags, our matrix product against the library: medians of
// interleaved pairs.
#include <stdio.h>
#include <stdlib.h>

#include "kernels/blas.h"
#include "kernels/cpu.h"

enum { PAIRS = 15, WORDS = 48 * 1024 * 1024, SIDE = 2048 };

static void plain_triad(const float *restrict a, const float *restrict b, float *restrict c, size_t n) {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) c[i] = a[i] + KERNEL_SCALAR * b[i];
}

static int by_value(const void *x, const void *y) {
    double p = *(const double *)x, q = *(const double *)y;
    return p < q ? -1 : p > q;
}

static double median(double *x) {
    qsort(x, PAIRS, sizeof *x, by_value);
    return x[PAIRS / 2];
}

static void print(const char *what, double *ours, double *theirs, double *ratios, double work,
                  const char *unit) {
    double own = work / median(ours), other = work / median(theirs);
    double ratio = median(ratios);  // sorts
    printf("%-20s ours %8.2f  other %8.2f %s; ratio of rates: median of %d pairs %.3f (%.3f-%.3f)\n", what,
           own, other, unit, PAIRS, ratio, ratios[0], ratios[PAIRS - 1]);
}

static void triads(const Cpu *cpu, float *a, float *b, float *c) {
    double ours[PAIRS], theirs[PAIRS], ratios[PAIRS];
    CpuArgs args = {{a, b}, c, {{WORDS}}};
    cpu_run(cpu, KERNEL_TRIAD, &args);
    for (int i = 0; i < PAIRS; i++) {
        double start = seconds_now();
        cpu_run(cpu, KERNEL_TRIAD, &args);
        double middle = seconds_now();
        plain_triad(a, b, c, WORDS);
        double end = seconds_now();
        ours[i] = middle - start, theirs[i] = end - middle, ratios[i] = theirs[i] / ours[i];
    }
    print("triad / plain C loop", ours, theirs, ratios, 12e-9 * WORDS, "GB/s");
}

static void products(const Cpu *cpu, const Blas *blas, float *a, float *b, float *c) {
    double ours[PAIRS], theirs[PAIRS], ratios[PAIRS];
    Shape s = {{SIDE, SIDE, SIDE}};
    CpuArgs args = {{a, b}, c, s};
    cpu_run(cpu, KERNEL_GEMM_F32, &args);
    blas_run(blas, &s, a, b, c);
    for (int i = 0; i < PAIRS; i++) {
        double start = seconds_now();
        cpu_run(cpu, KERNEL_GEMM_F32, &args);
        double middle = seconds_now();
        blas_run(blas, &s, a, b, c);
        double end = seconds_now();
        ours[i] = middle - start, theirs[i] = end - middle, ratios[i] = theirs[i] / ours[i];
    }
    print(blas->name, ours, theirs, ratios, 2e-9 * SIDE * SIDE * SIDE, "GFLOP/s");
}

int main(void) {
    Err e = {0};
    Cpu cpu;
    if (!cpu_open(NULL, &cpu, &e)) return 1;
    const Kernel *k = &kernel_table[KERNEL_TRIAD];
    Shape s = {{WORDS}};
    float *buffers[3];
    for (size_t i = 0; i < 3; i++) {
        buffers[i] = pages_map(WORDS * sizeof(float), &e);
        if (buffers[i] == NULL) return 1;
        cpu_fill(&cpu, k, &s, i < 2 ? i : 0, 1, buffers[i]);
    }
    printf("%s, %d threads\n", cpu.ops->isa, cpu.threads);
    triads(&cpu, buffers[0], buffers[1], buffers[2]);
    for (size_t i = 0; blas_name(i) != NULL; i++) {
        Blas blas;
        if (!blas_open(i, KERNEL_GEMM_F32, cpu.threads, &blas)) continue;
        products(&cpu, &blas, buffers[0], buffers[1], buffers[2]);
        blas_close(&blas);
    }
    for (size_t i = 0; i < 3; i++) pages_unmap(buffers[i], WORDS * sizeof(float));
    cpu_close(&cpu);
    return 0;
}
