// The CPU kernels for any CPU: vectors of 16 bytes.
#define LANES 4
#define TARGET
#define OPS cpu_ops_base
#define MR 4
#define ROWS(X) X(0) X(1) X(2) X(3)
#if defined(__x86_64__)
#define ISA "sse2"
#else
#define ISA "generic"
#endif

#include "kernels/cpu_body.h"
