// The native CPU back end: instruction sets chosen at run time, threads, memory.
#ifndef GPUADVISE_KERNELS_CPU_H
#define GPUADVISE_KERNELS_CPU_H

#include "kernels/kernels.h"

typedef struct CpuArgs {
    const void *in[BUFFERS_MAX - 1];
    void *out;
    Shape shape;
} CpuArgs;

// Computes items begin..end: elements of the flat kernels, rows (tokens, sequences) of the others, cache
// heads of a prompt's attention.
typedef void (*CpuRange)(const CpuArgs *a, size_t begin, size_t end);

// Register tile of the matrix product: c[mr][nr] of a packed panel of A (kc x mr) and of B (kc x nr).
typedef struct CpuTile {
    size_t mr, nr;
    void (*run)(size_t kc, const float *a, const float *b, float *c, size_t ldc, bool add);
} CpuTile;

typedef struct CpuOps {
    const char *isa;
    CpuRange range[KERNEL_COUNT];  // NULL: a matrix product, which goes by tiles
    CpuTile tile;
} CpuOps;

extern const CpuOps cpu_ops_base;
#if defined(__x86_64__)
extern const CpuOps cpu_ops_avx2, cpu_ops_avx512;
#elif defined(__aarch64__)
extern const CpuOps cpu_ops_neon;
#endif

// The instruction sets that this machine can run, best first. NULL past the end.
const CpuOps *cpu_ops(size_t i);

typedef struct Cpu {
    const CpuOps *ops;
    int threads;
    float *packed_b;  // workspace of the matrix product
    float *packed_a;  // one part a thread
    size_t packed_bytes;
} Cpu;

// `ops` NULL: the best that this machine runs. Threads: as OpenMP decides (OMP_NUM_THREADS, affinity).
bool cpu_open(const CpuOps *ops, Cpu *ret_cpu, Err *e);
void cpu_close(Cpu *cpu);
void cpu_run(const Cpu *cpu, KernelId id, const CpuArgs *a);
// Fills an input on the threads that will read it (first touch).
void cpu_fill(const Cpu *cpu, const Kernel *k, const Shape *s, size_t buffer, uint64_t seed, void *out);

// Pages of their own, zeroed, huge where the system has them; never from the heap.
void *pages_map(size_t bytes, Err *e);
void pages_unmap(void *pages, size_t bytes);  // NULL is fine

typedef struct CpuFacts {
    char name[128];
    double cache_bytes;      // last-level cache of one socket; NaN = unknown
    double available_bytes;  // memory that can be had now
    double clock_mhz, temperature_c;
    double energy_j;  // counter of the package; NaN = not readable
    double busy;      // runnable processes besides this one, over the CPUs
} CpuFacts;
// Reads /proc and /sys below `root` ("" = the real ones). What cannot be read is NaN.
void cpu_facts(const char *root, CpuFacts *ret_facts);

#endif
