// Our declarations of CUDA's driver against cuda.h, at compile time: built only where that header is.
#include <cuda.h>

#define GPU_ABI_NAMES
#define GpuPointer CUdeviceptr
#define GpuOrdinal CUdevice
#define GpuAttribute CUdevice_attribute
#define GpuContext CUcontext
#define GpuModule CUmodule
#define GpuFunction CUfunction
#define GpuEvent CUevent
#define GpuStream CUstream
#define GpuSource const void *
#include "kernels/gpu_abi.h"

// An enumeration without negative values is compatible with unsigned.
#define SAME(symbol, args) _Static_assert(__builtin_types_compatible_p(__typeof__(&symbol), CUresult(*) args), #symbol);
#define ROW(field, cuda, hip, args) SAME(cuda, args)
#define ROW_ONE(field, symbol, args) SAME(symbol, args)
GPU_COMMON(ROW)
GPU_CUDA_ONLY(ROW_ONE)

_Static_assert(__builtin_types_compatible_p(CUresult, unsigned) && __builtin_types_compatible_p(CUdevice_attribute, unsigned), "enumerations");
_Static_assert(__builtin_types_compatible_p(CUdeviceptr, unsigned long long) && __builtin_types_compatible_p(CUdevice, int), "plain types");
_Static_assert(sizeof(CUcontext) == sizeof(void *) && sizeof(CUmodule) == sizeof(void *) && sizeof(CUevent) == sizeof(void *), "handles");
_Static_assert(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT == 16 && CU_DEVICE_ATTRIBUTE_WARP_SIZE == 10 && CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK == 1 &&
               CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE == 38 && CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == 75 && CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == 76,
               "attributes");
_Static_assert(CUDA_ERROR_OUT_OF_MEMORY == 2 && CUDA_ERROR_NO_DEVICE == 100 && CUDA_ERROR_NO_BINARY_FOR_GPU == 209 && CUDA_ERROR_ECC_UNCORRECTABLE == 214 &&
               CUDA_ERROR_INVALID_PTX == 218 && CUDA_ERROR_UNSUPPORTED_PTX_VERSION == 222 && CUDA_ERROR_NOT_FOUND == 500 &&
               CUDA_ERROR_ILLEGAL_ADDRESS == 700 && CUDA_ERROR_LAUNCH_FAILED == 719 && CUDA_ERROR_UNKNOWN == 999, "errors");
