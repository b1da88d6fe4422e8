// The CPU kernels for AVX-512 (F, BW, DQ, VL): vectors of 64 bytes.
#if defined(__x86_64__)
#define LANES 16
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#define OPS cpu_ops_avx512
#define ISA "avx512"
#define MR 8
#define ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)

#include "kernels/cpu_body.h"
#else
typedef int cpu_avx512_is_for_x86;
#endif
