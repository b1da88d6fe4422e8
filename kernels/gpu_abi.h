// The vendors' interfaces as this program calls them: own declarations, so that no toolkit is needed to
// build. One row a function: its field, CUDA's symbol, HIP's symbol, its arguments. HIP follows CUDA's driver
// interface so closely that most rows are common. Old symbols are named where newer ones exist: every driver
// still exports them.
//
// Where the vendors' headers are, kernels/abi/*.c compare each row with them at compile time; they redefine
// the names below.
#ifndef GPUADVISE_KERNELS_GPU_ABI_H
#define GPUADVISE_KERNELS_GPU_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifndef GPU_ABI_NAMES
typedef unsigned long long GpuPointer;                // CUdeviceptr; void * in HIP, of the same size
typedef int GpuOrdinal;                               // CUdevice, hipDevice_t
typedef unsigned GpuAttribute, GpuFunctionAttribute;  // enumerations without negative values
typedef void *GpuContext, *GpuModule, *GpuFunction, *GpuEvent, *GpuStream;
typedef const void *GpuSource;
typedef unsigned long long GpuPeerSource;  // const void * in HIP, of the same size
#endif

#define GPU_COMMON(X)                                                                                        \
    X(init, cuInit, hipInit, (unsigned flags))                                                               \
    X(driver_version, cuDriverGetVersion, hipDriverGetVersion, (int *version))                               \
    X(count, cuDeviceGetCount, hipGetDeviceCount, (int *count))                                              \
    X(device, cuDeviceGet, hipDeviceGet, (GpuOrdinal * device, int index))                                   \
    X(name, cuDeviceGetName, hipDeviceGetName, (char *name, int size, GpuOrdinal device))                    \
    X(total, cuDeviceTotalMem_v2, hipDeviceTotalMem, (size_t * bytes, GpuOrdinal device))                    \
    X(attribute, cuDeviceGetAttribute, hipDeviceGetAttribute,                                                \
      (int *value, GpuAttribute attribute, GpuOrdinal device))                                               \
    X(memory, cuMemGetInfo_v2, hipMemGetInfo, (size_t * unused, size_t * total))                             \
    X(alloc, cuMemAlloc_v2, hipMalloc, (GpuPointer * pointer, size_t bytes))                                 \
    X(release, cuMemFree_v2, hipFree, (GpuPointer pointer))                                                  \
    X(to_device, cuMemcpyHtoD_v2, hipMemcpyHtoD, (GpuPointer to, GpuSource from, size_t bytes))              \
    X(to_host, cuMemcpyDtoH_v2, hipMemcpyDtoH, (void *to, GpuPointer from, size_t bytes))                    \
    X(to_device_async, cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync,                                             \
      (GpuPointer to, GpuSource from, size_t bytes, GpuStream stream))                                       \
    X(to_host_async, cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync,                                               \
      (void *to, GpuPointer from, size_t bytes, GpuStream stream))                                           \
    X(host_alloc, cuMemHostAlloc, hipHostMalloc, (void **pointer, size_t bytes, unsigned flags))             \
    X(host_release, cuMemFreeHost, hipHostFree, (void *pointer))                                             \
    X(fill, cuMemsetD8_v2, hipMemsetD8, (GpuPointer to, unsigned char value, size_t bytes))                  \
    X(module_load, cuModuleLoadData, hipModuleLoadData, (GpuModule * module, const void *image))             \
    X(module_unload, cuModuleUnload, hipModuleUnload, (GpuModule module))                                    \
    X(function, cuModuleGetFunction, hipModuleGetFunction,                                                   \
      (GpuFunction * function, GpuModule module, const char *name))                                          \
    X(launch, cuLaunchKernel, hipModuleLaunchKernel,                                                         \
      (GpuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,            \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, GpuStream stream, void **arguments,        \
       void **extra))                                                                                        \
    X(event_create, cuEventCreate, hipEventCreateWithFlags, (GpuEvent * event, unsigned flags))              \
    X(event_record, cuEventRecord, hipEventRecord, (GpuEvent event, GpuStream stream))                       \
    X(event_wait, cuEventSynchronize, hipEventSynchronize, (GpuEvent event))                                 \
    X(event_elapsed, cuEventElapsedTime, hipEventElapsedTime, (float *ms, GpuEvent from, GpuEvent to))       \
    X(synchronize, cuCtxSynchronize, hipDeviceSynchronize, (void))                                           \
    X(pci, cuDeviceGetPCIBusId, hipDeviceGetPCIBusId, (char *address, int size, GpuOrdinal device))

// CUDA has contexts, HIP a current device.
#define GPU_CUDA_ONLY(X)                                                                                     \
    X(retain, cuDevicePrimaryCtxRetain, (GpuContext * context, GpuOrdinal device))                           \
    X(set_context, cuCtxSetCurrent, (GpuContext context))                                                    \
    X(function_set, cuFuncSetAttribute, (GpuFunction function, GpuFunctionAttribute attribute, int value))
#define GPU_HIP_ONLY(X) X(set_device, hipSetDevice, (int device))

// Several devices in one process: streams beside the one without a handle, and what one device may do with
// another's memory.
#define GPU_PEER_COMMON(X)                                                                                   \
    X(can_access, cuDeviceCanAccessPeer, hipDeviceCanAccessPeer,                                             \
      (int *can, GpuOrdinal device, GpuOrdinal peer))                                                        \
    X(stream_create, cuStreamCreate, hipStreamCreateWithFlags, (GpuStream * stream, unsigned flags))         \
    X(stream_destroy, cuStreamDestroy_v2, hipStreamDestroy, (GpuStream stream))                              \
    X(stream_wait, cuStreamWaitEvent, hipStreamWaitEvent, (GpuStream stream, GpuEvent event, unsigned flags))
#define GPU_PEER_CUDA_ONLY(X)                                                                                \
    X(reach_context, cuCtxEnablePeerAccess, (GpuContext peer, unsigned flags))                               \
    X(copy_contexts, cuMemcpyPeerAsync,                                                                      \
      (GpuPointer to, GpuContext to_context, GpuPointer from, GpuContext from_context, size_t bytes,         \
       GpuStream stream))
#define GPU_PEER_HIP_ONLY(X)                                                                                 \
    X(reach_device, hipDeviceEnablePeerAccess, (int peer, unsigned flags))                                   \
    X(copy_devices, hipMemcpyPeerAsync,                                                                      \
      (GpuPointer to, int to_device, GpuPeerSource from, int from_device, size_t bytes, GpuStream stream))
// Absent from HIP's oldest versions.
#define GPU_PEER_HIP_OPTIONAL(X)                                                                             \
    X(link, hipExtGetLinkTypeAndHopCount, (int device, int peer, uint32_t *type, uint32_t *hops))

// NCCL, from its documentation (2.28), and RCCL, which exports the same names. Communicators are opaque
// pointers. Answers are 0 when all is well.
#ifndef NCCL_NAMES
typedef void *NcclComm;
typedef unsigned NcclResult, NcclType, NcclOperation;
typedef struct NcclId {
    char bytes[128];
} NcclId;
#endif
#define NCCL_FUNCTIONS(X)                                                                                    \
    X(version, ncclGetVersion, (int *version))                                                               \
    X(init_all, ncclCommInitAll, (NcclComm * comms, int n, const int *devices))                              \
    X(group_start, ncclGroupStart, (void))                                                                   \
    X(group_end, ncclGroupEnd, (void))                                                                       \
    X(all_reduce, ncclAllReduce,                                                                             \
      (const void *from, void *to, size_t count, NcclType type, NcclOperation operation, NcclComm comm,      \
       GpuStream stream))                                                                                    \
    X(async_error, ncclCommGetAsyncError, (NcclComm comm, NcclResult * error))
// For communicators over several processes; copies between ranks are there since 2.7.
#define NCCL_RANK_FUNCTIONS(X)                                                                               \
    X(unique_id, ncclGetUniqueId, (NcclId * id))                                                             \
    X(init_rank, ncclCommInitRank, (NcclComm * comm, int ranks, NcclId id, int rank))                        \
    X(send, ncclSend,                                                                                        \
      (const void *from, size_t count, NcclType type, int peer, NcclComm comm, GpuStream stream))            \
    X(receive, ncclRecv, (void *to, size_t count, NcclType type, int peer, NcclComm comm, GpuStream stream))

// cuBLASLt and hipBLASLt, from NVIDIA's cuBLAS documentation (13.0) and ROCm/hipBLASLt's hipblaslt.h of 2025:
// the second follows the first. Handles and descriptors are opaque pointers. Answers are 0 when all is well.
#ifndef GPU_BLAS_NAMES
typedef void *BlasHandle, *BlasTask, *BlasLayout, *BlasPreference;
typedef unsigned BlasCompute, BlasType, BlasTaskAttribute, BlasPreferenceAttribute;
typedef void *BlasProposal;
typedef const void *BlasAlgorithm;
#endif
#define GPU_BLAS_FUNCTIONS(X)                                                                                \
    X(create, cublasLtCreate, hipblasLtCreate, (BlasHandle * handle))                                        \
    X(destroy, cublasLtDestroy, hipblasLtDestroy, (BlasHandle handle))                                       \
    X(task_create, cublasLtMatmulDescCreate, hipblasLtMatmulDescCreate,                                      \
      (BlasTask * task, BlasCompute compute, BlasType scale))                                                \
    X(task_destroy, cublasLtMatmulDescDestroy, hipblasLtMatmulDescDestroy, (BlasTask task))                  \
    X(task_set, cublasLtMatmulDescSetAttribute, hipblasLtMatmulDescSetAttribute,                             \
      (BlasTask task, BlasTaskAttribute attribute, const void *value, size_t bytes))                         \
    X(layout_create, cublasLtMatrixLayoutCreate, hipblasLtMatrixLayoutCreate,                                \
      (BlasLayout * layout, BlasType type, uint64_t rows, uint64_t columns, int64_t leading))                \
    X(layout_destroy, cublasLtMatrixLayoutDestroy, hipblasLtMatrixLayoutDestroy, (BlasLayout layout))        \
    X(preference_create, cublasLtMatmulPreferenceCreate, hipblasLtMatmulPreferenceCreate,                    \
      (BlasPreference * preference))                                                                         \
    X(preference_destroy, cublasLtMatmulPreferenceDestroy, hipblasLtMatmulPreferenceDestroy,                 \
      (BlasPreference preference))                                                                           \
    X(preference_set, cublasLtMatmulPreferenceSetAttribute, hipblasLtMatmulPreferenceSetAttribute,           \
      (BlasPreference preference, BlasPreferenceAttribute attribute, const void *value, size_t bytes))       \
    X(heuristic, cublasLtMatmulAlgoGetHeuristic, hipblasLtMatmulAlgoGetHeuristic,                            \
      (BlasHandle handle, BlasTask task, BlasLayout a, BlasLayout b, BlasLayout c, BlasLayout d,             \
       BlasPreference preference, int wanted, BlasProposal proposals, int *ret_n))                           \
    X(matmul, cublasLtMatmul, hipblasLtMatmul,                                                               \
      (BlasHandle handle, BlasTask task, const void *alpha, const void *a, BlasLayout a_layout,              \
       const void *b, BlasLayout b_layout, const void *beta, const void *c, BlasLayout c_layout, void *d,    \
       BlasLayout d_layout, BlasAlgorithm algorithm, void *workspace, size_t bytes, GpuStream stream))

// NVML: device handles are pointers, every answer is 0 when it is good.
typedef void *NvmlDevice;
typedef struct NvmlMemory {
    unsigned long long total, unused, used;  // bytes
} NvmlMemory;
typedef struct NvmlUse {
    unsigned gpu, memory;  // percent
} NvmlUse;

// field, symbol, optional, arguments
#define NVML_FUNCTIONS(X)                                                                                    \
    X(init, nvmlInit_v2, false, (void))                                                                      \
    X(shutdown, nvmlShutdown, false, (void))                                                                 \
    X(by_pci, nvmlDeviceGetHandleByPciBusId_v2, false, (const char *address, NvmlDevice *device))            \
    X(driver, nvmlSystemGetDriverVersion, true, (char *version, unsigned size))                              \
    X(memory, nvmlDeviceGetMemoryInfo, true, (NvmlDevice device, NvmlMemory * memory))                       \
    X(clock, nvmlDeviceGetClockInfo, true, (NvmlDevice device, unsigned domain, unsigned *mhz))              \
    X(power, nvmlDeviceGetPowerUsage, true, (NvmlDevice device, unsigned *milliwatts))                       \
    X(power_limit, nvmlDeviceGetEnforcedPowerLimit, true, (NvmlDevice device, unsigned *milliwatts))         \
    X(power_default, nvmlDeviceGetPowerManagementDefaultLimit, true,                                         \
      (NvmlDevice device, unsigned *milliwatts))                                                             \
    X(energy, nvmlDeviceGetTotalEnergyConsumption, true,                                                     \
      (NvmlDevice device, unsigned long long *millijoules))                                                  \
    X(temperature, nvmlDeviceGetTemperature, true, (NvmlDevice device, unsigned sensor, unsigned *celsius))  \
    X(use, nvmlDeviceGetUtilizationRates, true, (NvmlDevice device, NvmlUse * use))                          \
    X(reasons, nvmlDeviceGetCurrentClocksEventReasons, true, (NvmlDevice device, unsigned long long *bits))  \
    X(reasons_before, nvmlDeviceGetCurrentClocksThrottleReasons, true,                                       \
      (NvmlDevice device, unsigned long long *bits))                                                         \
    X(mig, nvmlDeviceGetMigMode, true, (NvmlDevice device, unsigned *now, unsigned *pending))                \
    X(ecc_mode, nvmlDeviceGetEccMode, true, (NvmlDevice device, unsigned *now, unsigned *pending))           \
    X(ecc_errors, nvmlDeviceGetTotalEccErrors, true,                                                         \
      (NvmlDevice device, unsigned kind, unsigned counter, unsigned long long *count))                       \
    X(processes, nvmlDeviceGetComputeRunningProcesses_v3, true,                                              \
      (NvmlDevice device, unsigned *count, void *infos))                                                     \
    X(link_width, nvmlDeviceGetCurrPcieLinkWidth, true, (NvmlDevice device, unsigned *lanes))                \
    X(link_width_max, nvmlDeviceGetMaxPcieLinkWidth, true, (NvmlDevice device, unsigned *lanes))             \
    X(remapped, nvmlDeviceGetRemappedRows, true,                                                             \
      (NvmlDevice device, unsigned *corrected, unsigned *uncorrected, unsigned *pending, unsigned *failed))  \
    X(uuid, nvmlDeviceGetUUID, true, (NvmlDevice device, char *uuid, unsigned size))                         \
    X(serial, nvmlDeviceGetSerial, true, (NvmlDevice device, char *serial, unsigned size))                   \
    X(vbios, nvmlDeviceGetVbiosVersion, true, (NvmlDevice device, char *version, unsigned size))             \
    X(link_gen, nvmlDeviceGetCurrPcieLinkGeneration, true, (NvmlDevice device, unsigned *generation))        \
    X(peer_status, nvmlDeviceGetP2PStatus, true,                                                             \
      (NvmlDevice device, NvmlDevice peer, unsigned way, unsigned *status))                                  \
    X(nvlink, nvmlDeviceGetNvLinkState, true, (NvmlDevice device, unsigned link, unsigned *active))          \
    X(ancestor, nvmlDeviceGetTopologyCommonAncestor, true,                                                   \
      (NvmlDevice device, NvmlDevice peer, unsigned *level))

// NVRTC and hipRTC answer 0 when all is well; what they make goes to the drivers' module_load.
typedef void *RtcProgram;
#define RTC_FUNCTIONS(X)                                                                                     \
    X(create, nvrtcCreateProgram, hiprtcCreateProgram,                                                       \
      (RtcProgram * program, const char *source, const char *name, int n_headers, RtcTexts headers,          \
       RtcTexts names))                                                                                      \
    X(compile, nvrtcCompileProgram, hiprtcCompileProgram,                                                    \
      (RtcProgram program, int n_options, RtcTexts options))                                                 \
    X(code_size, nvrtcGetCUBINSize, hiprtcGetCodeSize, (RtcProgram program, size_t * bytes))                 \
    X(code, nvrtcGetCUBIN, hiprtcGetCode, (RtcProgram program, char *code))                                  \
    X(log_size, nvrtcGetProgramLogSize, hiprtcGetProgramLogSize, (RtcProgram program, size_t * bytes))       \
    X(log, nvrtcGetProgramLog, hiprtcGetProgramLog, (RtcProgram program, char *log))                         \
    X(destroy, nvrtcDestroyProgram, hiprtcDestroyProgram, (RtcProgram * program))
#ifndef GPU_ABI_NAMES
typedef const char *const *RtcTexts;  // char ** in hipRTC, which is the same to a caller
#endif

#endif
