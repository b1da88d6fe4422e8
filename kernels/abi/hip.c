// Our declarations of HIP and hipRTC against AMD's headers, at compile time: built only where they are.
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#define GPU_ABI_NAMES
#define GpuPointer hipDeviceptr_t
#define GpuOrdinal hipDevice_t
#define GpuAttribute hipDeviceAttribute_t
#define GpuContext hipCtx_t
#define GpuModule hipModule_t
#define GpuFunction hipFunction_t
#define GpuEvent hipEvent_t
#define GpuStream hipStream_t
#define GpuSource void *  // const in later headers, which is the same to a caller
#define GpuPeerSource const void *
#include "kernels/gpu_abi.h"

#define SAME(result, symbol, args)                                                                           \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&symbol), result(*) args), #symbol);
#define ROW(field, cuda, hip, args) SAME(hipError_t, hip, args)
#define ROW_ONE(field, symbol, args) SAME(hipError_t, symbol, args)
GPU_COMMON(ROW)
GPU_HIP_ONLY(ROW_ONE)
GPU_PEER_COMMON(ROW)
GPU_PEER_HIP_ONLY(ROW_ONE)
GPU_PEER_HIP_OPTIONAL(ROW_ONE)

#define RtcProgram hiprtcProgram
#define RtcTexts const char **
#define RTC_ROW(field, cuda, hip, args) SAME(hiprtcResult, hip, args)
RTC_FUNCTIONS(RTC_ROW)

_Static_assert(__builtin_types_compatible_p(hipError_t, unsigned) &&
                   __builtin_types_compatible_p(hipDeviceAttribute_t, unsigned) &&
                   __builtin_types_compatible_p(hiprtcResult, unsigned),
               "enumerations");
_Static_assert(sizeof(hipDeviceptr_t) == sizeof(unsigned long long) &&
                   __builtin_types_compatible_p(hipDevice_t, int),
               "plain types");
_Static_assert(sizeof(hipModule_t) == sizeof(void *) && sizeof(hipEvent_t) == sizeof(void *) &&
                   sizeof(hiprtcProgram) == sizeof(void *),
               "handles");
_Static_assert(hipDeviceAttributeMultiprocessorCount == 63 && hipDeviceAttributeWarpSize == 87 &&
                   hipDeviceAttributeMaxThreadsPerBlock == 56 && hipDeviceAttributeL2CacheSize == 19,
               "attributes");
_Static_assert(hipErrorOutOfMemory == 2 && hipErrorNoDevice == 100 && hipErrorNoBinaryForGpu == 209 &&
                   hipErrorPeerAccessUnsupported == 217 && hipErrorPeerAccessAlreadyEnabled == 704 &&
                   hipStreamNonBlocking == 1 && hipErrorECCNotCorrectable == 214 && hipErrorNotFound == 500 &&
                   hipErrorIllegalAddress == 700 && hipErrorLaunchFailure == 719 && hipErrorUnknown == 999,
               "errors");
