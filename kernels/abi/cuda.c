// Our declarations of CUDA's driver against cuda.h, at compile time: built only where that header is.
#include <cuda.h>

#define GPU_ABI_NAMES
#define GpuPointer CUdeviceptr
#define GpuOrdinal CUdevice
#define GpuAttribute CUdevice_attribute
#define GpuFunctionAttribute CUfunction_attribute
#define GpuContext CUcontext
#define GpuModule CUmodule
#define GpuFunction CUfunction
#define GpuEvent CUevent
#define GpuStream CUstream
#define GpuSource const void *
#include "kernels/gpu_abi.h"

// An enumeration without negative values is compatible with unsigned.
#define SAME(symbol, args)                                                                                   \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&symbol), CUresult(*) args), #symbol);
#define ROW(field, cuda, hip, args) SAME(cuda, args)
#define ROW_ONE(field, symbol, args) SAME(symbol, args)
GPU_COMMON(ROW)
GPU_CUDA_ONLY(ROW_ONE)
GPU_PEER_COMMON(ROW)
GPU_PEER_CUDA_ONLY(ROW_ONE)

_Static_assert(__builtin_types_compatible_p(CUresult, unsigned) &&
                   __builtin_types_compatible_p(CUdevice_attribute, unsigned),
               "enumerations");
_Static_assert(__builtin_types_compatible_p(CUdeviceptr, unsigned long long) &&
                   __builtin_types_compatible_p(CUdevice, int),
               "plain types");
_Static_assert(sizeof(CUcontext) == sizeof(void *) && sizeof(CUmodule) == sizeof(void *) &&
                   sizeof(CUevent) == sizeof(void *),
               "handles");
_Static_assert(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT == 16 && CU_DEVICE_ATTRIBUTE_WARP_SIZE == 10 &&
                   CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK == 1 &&
                   CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE == 38 &&
                   CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR == 75 &&
                   CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR == 76 &&
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES == 8,
               "attributes");
_Static_assert(CUDA_ERROR_OUT_OF_MEMORY == 2 && CUDA_ERROR_NO_DEVICE == 100 &&
                   CUDA_ERROR_NO_BINARY_FOR_GPU == 209 && CUDA_ERROR_ECC_UNCORRECTABLE == 214 &&
                   CUDA_ERROR_INVALID_PTX == 218 && CUDA_ERROR_UNSUPPORTED_PTX_VERSION == 222 &&
                   CUDA_ERROR_NOT_FOUND == 500 && CUDA_ERROR_PEER_ACCESS_UNSUPPORTED == 217 &&
                   CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED == 704 && CUDA_ERROR_TOO_MANY_PEERS == 711 &&
                   CU_STREAM_NON_BLOCKING == 1 && CUDA_ERROR_ILLEGAL_ADDRESS == 700 &&
                   CUDA_ERROR_LAUNCH_FAILED == 719 && CUDA_ERROR_UNKNOWN == 999,
               "errors");

#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#define RtcProgram nvrtcProgram
#define RtcTexts const char *const *
#define RTC_ROW(field, cuda, hip, args)                                                                      \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&cuda), nvrtcResult(*) args), #cuda);
RTC_FUNCTIONS(RTC_ROW)
#endif

// cuBLASLt, where the toolkit has it too.
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#define GPU_BLAS_NAMES
#define BlasHandle cublasLtHandle_t
#define BlasTask cublasLtMatmulDesc_t
#define BlasLayout cublasLtMatrixLayout_t
#define BlasPreference cublasLtMatmulPreference_t
#define BlasCompute cublasComputeType_t
#define BlasType cudaDataType_t
#define BlasTaskAttribute cublasLtMatmulDescAttributes_t
#define BlasPreferenceAttribute cublasLtMatmulPreferenceAttributes_t
#define BlasProposal cublasLtMatmulHeuristicResult_t *
#define BlasAlgorithm const cublasLtMatmulAlgo_t *
#define BLAS_ROW(field, cuda, hip, args)                                                                     \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&cuda), cublasStatus_t(*) args), #cuda);
GPU_BLAS_FUNCTIONS(BLAS_ROW)
_Static_assert(offsetof(cublasLtMatmulHeuristicResult_t, algo) == 0 &&
                   sizeof(cublasLtMatmulHeuristicResult_t) < 4096,
               "proposals");
_Static_assert(CUBLASLT_MATMUL_DESC_TRANSA == 3 && CUBLASLT_MATMUL_DESC_TRANSB == 4 &&
                   CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES == 1 && CUBLAS_OP_N == 0 && CUBLAS_OP_T == 1,
               "attributes");
_Static_assert(CUBLAS_COMPUTE_32F == 68 && CUBLAS_COMPUTE_32F_FAST_TF32 == 77 && CUBLAS_COMPUTE_32I == 72 &&
                   CUDA_R_32F == 0 && CUDA_R_16F == 2 && CUDA_R_8I == 3 && CUDA_R_32I == 10 &&
                   CUDA_R_16BF == 14 && CUDA_R_8F_E4M3 == 28,
               "types");
_Static_assert(CUBLAS_STATUS_NOT_INITIALIZED == 1 && CUBLAS_STATUS_ALLOC_FAILED == 3 &&
                   CUBLAS_STATUS_INVALID_VALUE == 7 && CUBLAS_STATUS_ARCH_MISMATCH == 8 &&
                   CUBLAS_STATUS_EXECUTION_FAILED == 13 && CUBLAS_STATUS_INTERNAL_ERROR == 14 &&
                   CUBLAS_STATUS_NOT_SUPPORTED == 15,
               "statuses");
#endif

// NCCL, where it is beside the toolkit.
#if __has_include(<nccl.h>)
#include <nccl.h>
#define NCCL_NAMES
#define NcclComm ncclComm_t
#define NcclResult ncclResult_t
#define NcclType ncclDataType_t
#define NcclOperation ncclRedOp_t
#define NcclId ncclUniqueId
#define NCCL_ROW(field, symbol, args)                                                                        \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&symbol), ncclResult_t(*) args), #symbol);
NCCL_FUNCTIONS(NCCL_ROW)
_Static_assert(__builtin_types_compatible_p(ncclResult_t, unsigned) && ncclFloat32 == 7 && ncclSum == 0 &&
                   ncclUnhandledCudaError == 1 && ncclSystemError == 2 && ncclInternalError == 3 &&
                   ncclInvalidArgument == 4 && ncclInvalidUsage == 5 && ncclRemoteError == 6 &&
                   ncclInProgress == 7,
               "numbers");
#endif
