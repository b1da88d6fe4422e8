// The CPU kernels for NEON (ARMv8's Advanced SIMD): vectors of 16 bytes, 32 registers.
#if defined(__aarch64__)
#define LANES 4
#define TARGET
#define OPS cpu_ops_neon
#define ISA "neon"
#define MR 8
#define ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
// Products take a lane as factor: two vectors of A instead of eight floats leave room for all 24 sums.
#define A_LOAD vf a0 = LOAD(a), a1 = LOAD(a + LANES);
#define A_OF(r) ((r) < LANES ? a0 : a1)[(r) % LANES]

#include "kernels/cpu_body.h"
#else
typedef int cpu_neon_is_for_arm;
#endif
