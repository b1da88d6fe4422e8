// The CPU kernels for AVX2 with FMA: vectors of 32 bytes.
#if defined(__x86_64__)
#define LANES 8
#define TARGET __attribute__((target("avx2,fma")))
#define OPS cpu_ops_avx2
#define ISA "avx2"
#define MR 4
#define ROWS(X) X(0) X(1) X(2) X(3)

#include "kernels/cpu_body.h"
#else
typedef int cpu_avx2_is_for_x86;
#endif
