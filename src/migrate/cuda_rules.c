// What the rules of data/cuda_constructs.tsv look like in C, C++ and CUDA.
#include "src/migrate/cuda.h"

#define CUDA_ NEED_CUDA
#define DEVICE_ NEED_DEVICE
#define CALL_ NEED_CALL
#define ROUNDED(name)                                                                                        \
    {"directed-rounding", name "_rd", CUDA_, 0, 0}, {"directed-rounding", name "_ru", CUDA_, 0, 0}, {        \
        "directed-rounding", name "_rz", CUDA_, 0, 0                                                         \
    }

// clang-format off
const CWordRule cuda_word_rules[] = {
    // ---- what makes a file CUDA and a function device code
    {"", "__global__", 0, WORD_MARK | WORD_DEVICE, 0}, {"", "__device__", 0, WORD_MARK | WORD_DEVICE, 0}, {"", "__host__", 0, WORD_MARK, 0},
    {"", "__constant__", 0, WORD_MARK, 0}, {"", "__shared__", 0, WORD_MARK, ACT_SHARED},
    {"", "C10_DEVICE", 0, WORD_DEVICE, 0}, {"", "C10_HOST_DEVICE", 0, WORD_DEVICE, 0}, {"", "GPU_LAMBDA", 0, WORD_DEVICE, 0},
    {"", "CUTLASS_DEVICE", 0, WORD_MARK | WORD_DEVICE, 0}, {"", "CUTLASS_HOST_DEVICE", 0, WORD_MARK | WORD_DEVICE, 0},
    {"", "CUTE_DEVICE", 0, WORD_MARK | WORD_DEVICE, 0}, {"", "CUTE_HOST_DEVICE", 0, WORD_MARK | WORD_DEVICE, 0},
    {"managed-memory", "__managed__", 0, WORD_MARK, 0},
    // ---- words that start a qualified name
    {"", "cuda", 0, WORD_QUALIFIER, 0}, {"", "cub", 0, WORD_QUALIFIER, 0}, {"", "thrust", 0, WORD_QUALIFIER, 0}, {"", "cg", 0, WORD_QUALIFIER, 0},
    {"", "cooperative_groups", 0, WORD_QUALIFIER | WORD_MARK, 0}, {"", "wmma", 0, WORD_QUALIFIER, 0}, {"", "nvcuda", 0, WORD_QUALIFIER | WORD_MARK, 0},
    {"", "nvinfer1", 0, WORD_QUALIFIER, 0}, {"", "nvonnxparser", 0, WORD_QUALIFIER, 0}, {"", "cute", 0, WORD_QUALIFIER, 0},
    {"", "cutlass", 0, WORD_QUALIFIER, 0}, {"", "GMMA", 0, WORD_QUALIFIER, 0}, {"", "UMMA", 0, WORD_QUALIFIER, 0},
    {"", "cudnn_frontend", 0, WORD_QUALIFIER, 0}, {"", "jitify", 0, WORD_QUALIFIER, 0}, {"", "nvcomp", 0, WORD_QUALIFIER, 0},
    // ---- assembly, lanes and warps
    {"", "asm", 0, 0, ACT_ASM}, {"", "__asm__", 0, 0, ACT_ASM}, {"", "__asm", 0, 0, ACT_ASM},
    {"", "__shfl_sync", CUDA_, 0, ACT_MASKED}, {"", "__shfl_up_sync", CUDA_, 0, ACT_MASKED}, {"", "__shfl_down_sync", CUDA_, 0, ACT_MASKED},
    {"", "__shfl_xor_sync", CUDA_, 0, ACT_MASKED}, {"", "__ballot_sync", CUDA_, 0, ACT_MASKED}, {"", "__any_sync", CUDA_, 0, ACT_MASKED},
    {"", "__all_sync", CUDA_, 0, ACT_MASKED}, {"", "__match_any_sync", CUDA_, 0, ACT_MASKED}, {"", "__match_all_sync", CUDA_, 0, ACT_MASKED},
    {"", "__reduce_add_sync", CUDA_, 0, ACT_MASKED}, {"", "__reduce_min_sync", CUDA_, 0, ACT_MASKED}, {"", "__reduce_max_sync", CUDA_, 0, ACT_MASKED},
    {"", "__reduce_and_sync", CUDA_, 0, ACT_MASKED}, {"", "__reduce_or_sync", CUDA_, 0, ACT_MASKED}, {"", "__reduce_xor_sync", CUDA_, 0, ACT_MASKED},
    {"", "__ballot", CUDA_, 0, ACT_VOTE},
    {"syncwarp", "__activemask", CUDA_ | CALL_, 0, ACT_VOTE}, {"syncwarp", "__syncwarp", CUDA_ | CALL_, 0, 0},
    {"", "__popc", CUDA_, 0, ACT_POPC}, {"", "__ffs", CUDA_, 0, ACT_POPC}, {"", "__clz", CUDA_, 0, ACT_POPC}, {"", "__brev", CUDA_, 0, ACT_POPC},
    {"", "for", 0, 0, ACT_FOR}, {"", "volatile", 0, 0, ACT_VOLATILE}, {"", "warpSize", 0, 0, ACT_WARPSIZE},
    {"", "__launch_bounds__", CUDA_, WORD_MARK, ACT_BOUNDS}, {"", "atomicAdd", CUDA_, 0, ACT_ATOMIC},
    {"fp-atomics", "atomicAdd_system", CUDA_, 0, 0}, {"fp-atomics", "atomicAdd_block", CUDA_, 0, 0},
    {"", "dlsym", 0, 0, ACT_LOOKUP}, {"", "dlopen", 0, 0, ACT_LOOKUP}, {"", "GetProcAddress", 0, 0, ACT_LOOKUP},
    {"dlsym-driver", "cuGetProcAddress*", 0, 0, 0}, {"dlsym-driver", "cudaGetDriverEntryPoint*", 0, 0, 0},
    // ---- what starts a declaration of an integer
    {"", "static", 0, 0, ACT_DECLARES}, {"", "inline", 0, 0, ACT_DECLARES}, {"", "constexpr", 0, 0, ACT_DECLARES}, {"", "const", 0, 0, ACT_DECLARES}, {"", "using", 0, 0, ACT_DECLARES},
    {"", "typedef", 0, 0, ACT_DECLARES}, {"", "unsigned", 0, 0, ACT_DECLARES}, {"", "int", 0, 0, ACT_DECLARES}, {"", "long", 0, 0, ACT_DECLARES}, {"", "uint", 0, 0, ACT_DECLARES},
    {"", "uint32_t", 0, 0, ACT_DECLARES}, {"", "uint64_t", 0, 0, ACT_DECLARES}, {"", "int32_t", 0, 0, ACT_DECLARES}, {"", "int64_t", 0, 0, ACT_DECLARES}, {"", "size_t", 0, 0, ACT_DECLARES},
    // ---- guards
    {"cuda-arch-guard", "__CUDA_ARCH__", 0, WORD_MARK, 0}, {"cuda-arch-guard", "__CUDA_ARCH_LIST__", 0, WORD_MARK, 0}, {"cuda-arch-guard", "__CUDA_ARCH_FEAT_*", 0, 0, 0},
    {"cudacc-guard", "__CUDACC__", 0, WORD_MARK, 0}, {"cudacc-guard", "__NVCC__", 0, WORD_MARK, 0}, {"cudacc-guard", "__CUDACC_RTC__", 0, WORD_MARK, 0},
    {"cudacc-guard", "__CUDACC_VER_*", 0, 0, 0}, {"cudacc-guard", "__CUDA_NO_HALF*", 0, 0, 0},
    {"cuda-version-guard", "CUDART_VERSION", 0, WORD_MARK, 0}, {"cuda-version-guard", "CUDA_VERSION", 0, 0, 0},
    {"per-thread-stream", "CUDA_API_PER_THREAD_DEFAULT_STREAM", 0, 0, 0}, {"per-thread-stream", "cudaStreamPerThread", 0, 0, 0},
    // ---- tensor cores, asynchronous copies, clusters
    {"wgmma", "warpgroup_arrive", 0, 0, 0}, {"wgmma", "warpgroup_wait", 0, 0, 0}, {"wgmma", "warpgroup_commit_batch", 0, 0, 0},
    {"setmaxnreg", "warpgroup_reg_alloc", 0, 0, 0}, {"setmaxnreg", "warpgroup_reg_dealloc", 0, 0, 0}, {"tcgen05", "tmem_ld*", CUDA_ | CALL_, 0, 0}, {"tcgen05", "tmem_st*", CUDA_ | CALL_, 0, 0}, {"tcgen05", "tmem_load*", CUDA_ | CALL_, 0, 0}, {"tcgen05", "tmem_alloc", CUDA_ | CALL_, 0, 0}, {"tcgen05", "tmem_dealloc", CUDA_ | CALL_, 0, 0}, {"tcgen05", "SM100_TMEM_*", 0, 0, 0}, {"tcgen05", "SM100_MMA_*", 0, 0, 0},
    {"cp-async", "__pipeline_memcpy_async", 0, 0, 0}, {"cp-async", "__pipeline_commit", 0, 0, 0}, {"cp-async", "__pipeline_wait_prior", 0, 0, 0},
    {"tma", "cuTensorMapEncode*", 0, 0, 0}, {"tma", "CUtensorMap*", 0, 0, 0}, {"tma", "SM90_TMA*", 0, 0, 0}, {"tma", "tma_load*", CUDA_ | MEMBER_TOO, 0, 0}, {"tma", "tma_store*", CUDA_ | MEMBER_TOO, 0, 0},
    {"mbarrier", "ClusterTransactionBarrier", 0, 0, 0}, {"cluster-dsmem", "__cluster_dims__", 0, WORD_MARK, 0},
    {"cluster-dsmem", "cudaLaunchAttributeClusterDimension", 0, 0, 0}, {"cluster-dsmem", "map_shared_rank", CUDA_ | NEED_MEMBER, 0, 0},
    {"cluster-dsmem", "cudaOccupancyMaxActiveClusters", 0, 0, 0}, {"cluster-dsmem", "cudaOccupancyMaxPotentialClusterSize", 0, 0, 0},
    {"pdl", "cudaLaunchAttributeProgrammaticStream*", 0, 0, 0}, {"pdl", "cudaGridDependencySynchronize", 0, 0, 0}, {"pdl", "cudaTriggerProgrammaticLaunchCompletion", 0, 0, 0},
    {"dynamic-parallelism", "cudaLaunchDevice*", 0, 0, 0}, {"dynamic-parallelism", "cudaStreamFireAndForget", 0, 0, 0},
    {"dynamic-parallelism", "cudaStreamTailLaunch", 0, 0, 0}, {"dynamic-parallelism", "cudaGetParameterBuffer*", 0, 0, 0},
    {"ptx-module-load", "cuModuleLoad", 0, 0, 0}, {"ptx-module-load", "cuModuleLoadData*", 0, 0, 0}, {"ptx-module-load", "cuModuleLoadFatBinary", 0, 0, 0},
    {"ptx-module-load", "cuLink*", 0, 0, 0}, {"ptx-module-load", "CU_JIT_*", 0, 0, 0},
    {"sm-hardcode", "sm_#", CUDA_, 0, 0}, {"sm-hardcode", "compute_#", CUDA_, 0, 0}, {"sm-hardcode", "SM#", CUDA_, 0, 0},
    {"smem-over-64k", "cudaFuncAttributeMaxDynamicSharedMemorySize", 0, 0, 0}, {"smem-over-64k", "sharedMemPerBlockOptin", CUDA_, 0, 0},
    {"smem-over-64k", "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", 0, 0, 0},
    {"coop-grid-sync", "cudaLaunchCooperativeKernel*", 0, 0, 0}, {"coop-groups-adv", "barrier_arrive", CUDA_ | NEED_MEMBER, 0, 0}, {"coop-groups-adv", "barrier_wait", CUDA_ | NEED_MEMBER, 0, 0},
    // ---- textures, graphs, memory, graphics
    {"texture-reference", "cudaBindTexture*", 0, 0, 0}, {"", "texture", CUDA_, 0, ACT_TEXTURE}, {"texture-reference", "textureReference", CUDA_, 0, 0}, {"texture-reference", "cudaUnbindTexture", 0, 0, 0}, {"texture-object", "cudaTextureObject_t", 0, 0, 0},
    {"texture-object", "cudaCreateTextureObject*", 0, 0, 0}, {"texture-object", "tex1D*", DEVICE_, 0, 0}, {"texture-object", "tex2D*", DEVICE_, 0, 0}, {"texture-object", "tex3D*", DEVICE_, 0, 0},
    {"surface", "surf1D*", DEVICE_, 0, 0}, {"surface", "surf2D*", DEVICE_, 0, 0}, {"surface", "surf3D*", DEVICE_, 0, 0}, {"surface", "cudaSurfaceObject_t", 0, 0, 0}, {"surface", "cudaCreateSurfaceObject", 0, 0, 0},
    {"gfx-interop", "cudaGraphicsD3D*", 0, 0, 0}, {"gfx-interop", "cudaGraphicsEGL*", 0, 0, 0}, {"gfx-interop", "cudaGraphicsVDPAU*", 0, 0, 0}, {"gfx-interop-gl", "cudaGraphics*", 0, 0, 0}, {"driver-typedefs", "PFN_cu@*", 0, 0, 0},
    {"graphs-advanced", "cudaGraphConditional*", 0, 0, 0}, {"graphs-advanced", "cudaGraphInstantiateFlagDeviceLaunch", 0, 0, 0}, {"graphs-advanced", "cudaGraphAddNode_v2", 0, 0, 0}, {"graphs-advanced", "cudaGraphKernelNodePort*", 0, 0, 0},
    {"graphs-basic", "cudaGraph*", 0, 0, 0}, {"graphs-basic", "cudaStreamBeginCapture*", 0, 0, 0}, {"graphs-basic", "cudaStreamEndCapture", 0, 0, 0},
    {"managed-memory", "cudaMallocManaged", 0, 0, 0}, {"managed-memory", "cudaMemAdvise*", 0, 0, 0}, {"managed-memory", "cudaMemPrefetchAsync*", 0, 0, 0}, {"managed-memory", "cudaMemRangeGetAttribute*", 0, 0, 0},
    {"mempool", "cudaMallocAsync", 0, 0, 0}, {"mempool", "cudaFreeAsync", 0, 0, 0}, {"mempool", "cudaMemPool*", 0, 0, 0}, {"mempool", "cudaDeviceSetMemPool", 0, 0, 0},
    {"vmm-multicast", "cuMulticast*", 0, 0, 0}, {"vmm-multicast", "CU_MEM_HANDLE_TYPE_FABRIC", 0, 0, 0}, {"vmm-multicast", "CUmemFabricHandle*", 0, 0, 0}, {"vmm-multicast", "NVLS", CUDA_, 0, 0},
    {"green-context", "cuGreenCtx*", 0, 0, 0}, {"green-context", "cuDevSmResource*", 0, 0, 0}, {"green-context", "cudaExecutionCtx*", 0, 0, 0},
    {"gfx-interop-gl", "cudaGL*", 0, 0, 0}, {"gfx-interop", "cudaEGL*", 0, 0, 0}, {"gfx-interop", "cudaVDPAU*", 0, 0, 0},
    {"cub-internals", "CUB_PTX_*", 0, 0, 0}, {"cub-internals", "CUB_QUOTIENT*", 0, 0, 0},
    // ---- narrow types and intrinsics
    {"half-intrinsics", "__hfma_relu", CUDA_, 0, 0}, {"half-intrinsics", "__hfma2_relu", CUDA_, 0, 0}, {"half-intrinsics", "__hadd_rn", CUDA_, 0, 0}, {"half-intrinsics", "__hadd2_rn", CUDA_, 0, 0},
    {"half-intrinsics", "__hmul_rn", CUDA_, 0, 0}, {"half-intrinsics", "__hmul2_rn", CUDA_, 0, 0}, {"half-intrinsics", "__hsub_rn", CUDA_, 0, 0}, {"half-intrinsics", "__hsub2_rn", CUDA_, 0, 0},
    {"half-intrinsics", "__hadd_sat", CUDA_, 0, 0}, {"half-intrinsics", "__hadd2_sat", CUDA_, 0, 0}, {"half-intrinsics", "__hsub_sat", CUDA_, 0, 0}, {"half-intrinsics", "__hmul_sat", CUDA_, 0, 0},
    {"half-intrinsics", "__hfma_sat", CUDA_, 0, 0}, {"half-intrinsics", "htanh", CUDA_, 0, 0}, {"half-intrinsics", "h2tanh", CUDA_, 0, 0}, {"half-intrinsics", "htanh_approx", CUDA_, 0, 0}, {"half-intrinsics", "h2tanh_approx", CUDA_, 0, 0},
    {"half-intrinsics", "__hmax2_nan", CUDA_, 0, 0}, {"half-intrinsics", "__hmin2_nan", CUDA_, 0, 0}, {"half-intrinsics", "__hmax_nan", CUDA_, 0, 0}, {"half-intrinsics", "__hmin_nan", CUDA_, 0, 0},
    ROUNDED("__fadd"), ROUNDED("__fsub"), ROUNDED("__fmul"), ROUNDED("__fdiv"), ROUNDED("__frcp"), ROUNDED("__fsqrt"), ROUNDED("__fma"), ROUNDED("__fmaf"),
    ROUNDED("__dadd"), ROUNDED("__dsub"), ROUNDED("__dmul"), ROUNDED("__ddiv"), ROUNDED("__drcp"), ROUNDED("__dsqrt"),
    {"bf16-types", "nv_bfloat16*", 0, 0, 0}, {"bf16-types", "__nv_bfloat16*", 0, 0, 0}, {"fp4-fp6-types", "__nv_fp4*", 0, 0, 0}, {"fp4-fp6-types", "__nv_fp6*", 0, 0, 0}, {"fp4-fp6-types", "__nv_fp8_e8m0", 0, 0, 0},
    {"fp8-types", "__nv_fp8*", 0, 0, 0}, {"fp8-types", "__NV_E4M3", 0, 0, 0}, {"fp8-types", "__NV_E5M2", 0, 0, 0},
    {"simd-video", "__vabs*", CUDA_, 0, 0}, {"simd-video", "__vadd*", CUDA_, 0, 0}, {"simd-video", "__vsub*", CUDA_, 0, 0}, {"simd-video", "__vavg*", CUDA_, 0, 0}, {"simd-video", "__vcmp*", CUDA_, 0, 0}, {"simd-video", "__vset*", CUDA_, 0, 0},
    {"simd-video", "__vmax*", CUDA_, 0, 0}, {"simd-video", "__vmin*", CUDA_, 0, 0}, {"simd-video", "__vneg*", CUDA_, 0, 0}, {"simd-video", "__vsad*", CUDA_, 0, 0}, {"simd-video", "__vhadd*", CUDA_, 0, 0},
    {"dp4a", "__dp4a*", CUDA_, 0, 0}, {"dp4a", "__dp2a*", CUDA_, 0, 0}, {"cache-intrinsics", "__ldcg", CUDA_ | CALL_, 0, 0}, {"cache-intrinsics", "__ldca", CUDA_ | CALL_, 0, 0}, {"cache-intrinsics", "__ldcs", CUDA_ | CALL_, 0, 0},
    {"cache-intrinsics", "__ldlu", CUDA_ | CALL_, 0, 0}, {"cache-intrinsics", "__ldcv", CUDA_ | CALL_, 0, 0}, {"cache-intrinsics", "__stwb", CUDA_ | CALL_, 0, 0}, {"cache-intrinsics", "__stcg", CUDA_ | CALL_, 0, 0}, {"cache-intrinsics", "__stcs", CUDA_ | CALL_, 0, 0}, {"cache-intrinsics", "__stwt", CUDA_ | CALL_, 0, 0},
    {"trap-misc", "__trap", CUDA_ | CALL_, 0, 0}, {"trap-misc", "__brkpt", CUDA_ | CALL_, 0, 0}, {"trap-misc", "__prof_trigger", CUDA_ | CALL_, 0, 0}, {"trap-misc", "__pm0", CUDA_ | CALL_, 0, 0}, {"trap-misc", "__nanosleep", CUDA_ | CALL_, 0, 0},
    {"addr-space", "__cvta_*", CUDA_, 0, 0}, {"addr-space", "__isShared", CUDA_ | CALL_, 0, 0}, {"addr-space", "__isGlobal", CUDA_ | CALL_, 0, 0}, {"addr-space", "__isLocal", CUDA_ | CALL_, 0, 0}, {"addr-space", "__isConstant", CUDA_ | CALL_, 0, 0},
    {"clock", "clock", DEVICE_ | CALL_, 0, 0}, {"clock", "clock64", DEVICE_ | CALL_, 0, 0}, {"device-malloc", "malloc", DEVICE_ | CALL_, 0, 0}, {"device-malloc", "cudaLimitMallocHeapSize", 0, 0, 0},
    {"device-props", "regsPerMultiprocessor", CUDA_ | NEED_MEMBER, 0, 0}, {"device-props", "maxBlocksPerMultiProcessor", CUDA_ | NEED_MEMBER, 0, 0}, {"device-props", "persistingL2CacheMaxSize", CUDA_ | NEED_MEMBER, 0, 0},
    {"device-props", "clockRate", CUDA_ | NEED_MEMBER, 0, 0}, {"", "major", CUDA_, 0, ACT_CAPABILITY}, {"", "minor", CUDA_, 0, ACT_CAPABILITY},
    // ---- libraries
    {"cublas-tensorop", "CUBLAS_GEMM_DEFAULT_TENSOR_OP", 0, 0, 0}, {"cublas-tensorop", "CUBLAS_GEMM_ALGO*", 0, 0, 0}, {"cublas-tensorop", "CUBLAS_TENSOR_OP_MATH", 0, 0, 0},
    {"cublaslt", "cublasLt*", 0, 0, 0}, {"cublaslt", "CUBLASLT_*", 0, 0, 0}, {"mathdx", "cublasdx*", 0, 0, 0}, {"mathdx", "cufftdx*", 0, 0, 0}, {"mathdx", "cusolverdx*", 0, 0, 0}, {"mathdx", "curanddx*", 0, 0, 0}, {"mathdx", "nvcompdx*", 0, 0, 0},
    {"cublas", "cublas@*", 0, 0, 0}, {"cublas", "CUBLAS_*", 0, 0, 0}, {"cudnn-graph", "cudnnBackend*", 0, 0, 0}, {"cudnn-graph", "CUDNN_BACKEND_*", 0, 0, 0}, {"cudnn-graph", "CUDNN_ATTR_*", 0, 0, 0},
    {"cudnn-legacy", "cudnn@*", 0, 0, 0}, {"cusparselt", "cusparseLt@*", 0, 0, 0}, {"cusparse", "cusparse@*", 0, 0, 0}, {"cusolver", "cusolver@*", 0, 0, 0}, {"cufft", "cufft@*", 0, 0, 0}, {"cufft", "CUFFT_*", 0, 0, 0},
    {"curand-device", "curand_*", CUDA_, 0, 0}, {"curand-device", "curandState*", 0, 0, 0}, {"cutensor", "cutensor@*", 0, 0, 0}, {"nccl", "nccl@*", 0, 0, 0}, {"nvshmem", "nvshmem*", 0, 0, 0}, {"nvtx", "nvtx@*", 0, 0, 0},
    {"nvml", "nvml@*", 0, 0, 0}, {"cupti", "cupti@*", 0, 0, 0}, {"npp-nvjpeg", "nppi*", 0, 0, 0}, {"npp-nvjpeg", "npps*", 0, 0, 0}, {"npp-nvjpeg", "NppStatus", 0, 0, 0}, {"npp-nvjpeg", "NppiSize", 0, 0, 0}, {"npp-nvjpeg", "NppiRect", 0, 0, 0},
    {"npp-nvjpeg", "NppStreamContext", 0, 0, 0}, {"npp-nvjpeg", "Npp8u", 0, 0, 0}, {"npp-nvjpeg", "Npp16u", 0, 0, 0}, {"npp-nvjpeg", "Npp32f", 0, 0, 0}, {"npp-nvjpeg", "Npp32s", 0, 0, 0}, {"npp-nvjpeg", "NV_ENC_*", 0, 0, 0}, {"npp-nvjpeg", "CUVID*", 0, 0, 0}, {"npp-nvjpeg", "nvjpeg@*", 0, 0, 0}, {"npp-nvjpeg", "NvEnc*", 0, 0, 0}, {"npp-nvjpeg", "cuvid*", 0, 0, 0},
    {"nvcomp", "nvcompB*", 0, 0, 0}, {"nvcomp", "nvcompS*", 0, 0, 0}, {"cufile", "cuFile*", 0, 0, 0}, {"optix", "optix@*", 0, 0, 0},
};
const size_t n_cuda_word_rules = COUNT_OF(cuda_word_rules);

// Heaviest first: the first that fits wins.
const CTextRule cuda_scoped_rules[] = {
    {"wgmma", "GMMA::*"}, {"tcgen05", "UMMA::*"}, 
    {"cutlass-types", "cutlass::half_t"}, {"cutlass-types", "cutlass::bfloat16_t"}, {"cutlass-types", "cutlass::tfloat32_t"}, {"cutlass-types", "cutlass::float_e*"}, {"cutlass-types", "cutlass::int4b_t"}, {"cutlass-types", "cutlass::uint4b_t"}, {"cutlass-types", "cutlass::uint1b_t"}, {"cutlass-types", "cutlass::complex*"}, {"cutlass-types", "cutlass::Array"}, {"cutlass-types", "cutlass::AlignedArray"}, {"cutlass-types", "cutlass::FastDivmod*"}, {"cutlass-types", "cutlass::NumericConverter*"}, {"cutlass-types", "cutlass::NumericArrayConverter*"},
    {"cutlass-types", "cutlass::numeric_limits*"}, {"cutlass-types", "cutlass::platform*"}, {"cutlass-types", "cutlass::sizeof_bits*"}, {"cutlass-types", "cutlass::Status*"}, {"cutlass-types", "cutlass::cutlassGetStatus*"}, {"cutlass-types", "cutlass::abs"}, {"cutlass-types", "cutlass::ceil_div"}, {"cutlass-types", "cutlass::round_up"}, {"cutlass-types", "cutlass::round_nearest"}, {"cutlass-types", "cutlass::fast_exp*"}, {"cutlass-types", "cutlass::maximum*"}, {"cutlass-types", "cutlass::minimum*"}, {"cutlass-types", "cutlass::plus*"}, {"cutlass-types", "cutlass::multiplies*"},
    {"cutlass-cute", "cutlass::*"}, {"cutlass-cute", "cute::*"}, {"tensorrt-cpp", "nvinfer1::*"}, {"tensorrt-cpp", "nvonnxparser::*"},
    {"cudnn-graph", "cudnn_frontend::*"}, {"jitify", "jitify::*"}, {"nvcomp", "nvcomp::*"},
    {"mbarrier", "cuda::barrier*"}, {"mbarrier", "cuda::ptx::*"}, {"cp-async", "cuda::memcpy_async*"}, {"cp-async", "cuda::make_pipeline*"}, {"cp-async", "cuda::pipeline*"},
    {"libcupp-atomic", "cuda::atomic*"}, {"libcupp-atomic", "cuda::latch*"}, {"libcupp-atomic", "cuda::semaphore*"}, {"libcupp-atomic", "cuda::counting_semaphore*"}, {"libcupp-atomic", "cuda::thread_scope*"}, {"libcupp-std", "cuda::std::*"},
    {"cub-internals", "cub::detail*"}, {"cub-internals", "cub::Dispatch*"}, {"cub-internals", "cub::Agent*"}, {"cub-internals", "cub::ChainedPolicy*"}, {"cub-internals", "cub::PtxVersion*"}, {"cub-warp", "cub::Warp*"}, {"cub-namespace", "cub::*"},
    {"thrust-policy", "thrust::cuda*"}, {"thrust", "thrust::*"}, {"wmma-api", "nvcuda::wmma*"}, {"wmma-api", "wmma::*"},
    {"cluster-dsmem", "cg::this_cluster*"}, {"cluster-dsmem", "cooperative_groups::this_cluster*"}, {"coop-grid-sync", "cg::this_grid*"}, {"coop-grid-sync", "cooperative_groups::this_grid*"}, {"coop-grid-sync", "cg::this_multi_grid*"}, {"coop-grid-sync", "cooperative_groups::this_multi_grid*"},
    {"coop-groups-adv", "cg::reduce*"}, {"coop-groups-adv", "cg::inclusive_scan*"}, {"coop-groups-adv", "cg::exclusive_scan*"}, {"coop-groups-adv", "cg::labeled_partition*"}, {"coop-groups-adv", "cg::binary_partition*"}, {"coop-groups-adv", "cg::memcpy_async*"}, {"coop-groups-adv", "cg::wait*"}, {"coop-groups-adv", "cg::invoke_one*"}, {"coop-groups-adv", "cg::experimental*"},
    {"coop-groups-adv", "cooperative_groups::reduce*"}, {"coop-groups-adv", "cooperative_groups::memcpy_async*"}, {"coop-groups-adv", "cooperative_groups::labeled_partition*"}, {"coop-groups-adv", "cooperative_groups::wait*"}, {"coop-groups-adv", "cooperative_groups::experimental*"},
    {"coop-groups-basic", "cg::this_thread_block*"}, {"coop-groups-basic", "cg::tiled_partition*"}, {"coop-groups-basic", "cg::coalesced_threads*"}, {"coop-groups-basic", "cg::thread_block*"}, {"coop-groups-basic", "cooperative_groups::*"},
};
const size_t n_cuda_scoped_rules = COUNT_OF(cuda_scoped_rules);

const CTextRule cuda_header_rules[] = {
    // ---- libraries that no other rule knows
    {"lib-header", "cublasXt.h"}, {"lib-header", "cublasmp.h"}, {"lib-header", "cudss*"}, {"lib-header", "amgx_c.h"}, {"lib-header", "custatevec.h"}, {"lib-header", "cutensornet*"}, {"lib-header", "cudensitymat.h"},
    {"lib-header", "dcgm_*"}, {"lib-header", "nvJitLink.h"}, {"lib-header", "nvPTXCompiler.h"}, {"lib-header", "rmm/*"}, {"lib-header", "raft/*"}, {"lib-header", "cuvs/*"}, {"lib-header", "cugraph/*"}, {"lib-header", "cudf/*"}, {"lib-header", "cuml/*"},
    {"lib-header", "opencv2/cuda*"}, {"lib-header", "opencv2/cudev*"}, {"lib-header", "dali/*"}, {"lib-header", "cvcuda/*"}, {"lib-header", "nvcv/*"}, {"lib-header", "nvdsmeta*"}, {"lib-header", "gstnvds*"}, {"lib-header", "nixl.h"}, {"lib-header", "kittens.cuh"},
    // ---- the others
    {"wmma-api", "mma.h"}, 
    {"cutlass-types", "cutlass/half.h"}, {"cutlass-types", "cutlass/bfloat16.h"}, {"cutlass-types", "cutlass/tfloat32.h"}, {"cutlass-types", "cutlass/float8.h"}, {"cutlass-types", "cutlass/numeric_types.h"}, {"cutlass-types", "cutlass/numeric_conversion.h"}, {"cutlass-types", "cutlass/numeric_size.h"}, {"cutlass-types", "cutlass/array.h"},
    {"cutlass-types", "cutlass/complex.h"}, {"cutlass-types", "cutlass/fast_math.h"}, {"cutlass-types", "cutlass/functional.h"}, {"cutlass-types", "cutlass/aligned_buffer.h"}, {"cutlass-types", "cutlass/platform/*"},
    {"cutlass-cute", "cutlass/*"}, {"cutlass-cute", "cute/*"}, {"thrust-policy", "thrust/system/cuda*"}, {"thrust", "thrust/*"}, {"cub-namespace", "cub/cub.cuh"}, {"cub-header", "cub/*"},
    {"cp-async", "cuda_pipeline.h"}, {"cp-async", "cuda_pipeline_primitives.h"}, {"cp-async", "cuda/pipeline"}, {"mbarrier", "cuda/barrier"}, {"mbarrier", "cuda/ptx"}, {"libcupp-atomic", "cuda/atomic"}, {"libcupp-atomic", "cuda/semaphore"}, {"libcupp-atomic", "cuda/latch"}, {"libcupp-std", "cuda/*"},
    {"bf16-header", "cuda_bf16.h"}, {"bf16-header", "cuda_bf16.hpp"}, {"fp8-types", "cuda_fp8.h"}, {"fp8-types", "cuda_fp8.hpp"}, {"fp4-fp6-types", "cuda_fp4.h"}, {"fp4-fp6-types", "cuda_fp6.h"}, {"gfx-interop-gl", "cuda_gl_interop.h"}, {"driver-typedefs", "cudaTypedefs*"},
    {"nccl", "nccl.h"}, {"nvtx", "nvToolsExt*"}, {"nvtx", "nvtx3/*"}, {"nvml", "nvml.h"}, {"cufile", "cufile.h"}, {"optix", "optix*"}, {"tensorrt-cpp", "NvInfer*"}, {"tensorrt-cpp", "NvOnnxParser.h"}, {"jitify", "jitify*"},
    {"cupti", "cupti*"}, {"nvshmem", "nvshmem*"}, {"npp-nvjpeg", "npp*"}, {"npp-nvjpeg", "nvjpeg.h"}, {"npp-nvjpeg", "nvcuvid.h"}, {"npp-nvjpeg", "nvEncodeAPI.h"}, {"nvcomp", "nvcomp*"}, {"mathdx", "cufftdx*"}, {"mathdx", "cublasdx*"}, {"mathdx", "cusolverdx*"},
    {"cusparselt", "cusparseLt.h"}, {"cudnn-graph", "cudnn_frontend*"}, {"cudnn-graph", "cudnn_backend.h"}, {"cudnn-legacy", "cudnn*"}, {"cutensor", "cutensor*"}, {"coop-groups-adv", "cooperative_groups/*"}, {"coop-groups-basic", "cooperative_groups.h"},
    {"cublaslt", "cublasLt.h"}, {"cublas", "cublas*"}, {"cufft", "cufft*"}, {"cusolver", "cusolver*"}, {"cusparse", "cusparse*"}, {"curand-device", "curand_kernel.h"},
};
const size_t n_cuda_header_rules = COUNT_OF(cuda_header_rules);

// Found anywhere in the text of one block.
const CTextRule cuda_ptx_rules[] = {
    {"wgmma", "wgmma."}, {"tcgen05", "tcgen05."}, {"tma", "cp.async.bulk"}, {"vmm-multicast", "multimem."}, {"cluster-dsmem", "barrier.cluster"}, {"cluster-dsmem", "mapa."}, {"ptx-mma", "mma.sync"}, {"ptx-mma", "mma.sp"},
    {"ptx-mma", "wmma."}, {"mbarrier", "mbarrier."}, {"ptx-ldmatrix", "ldmatrix"}, {"ptx-ldmatrix", "stmatrix"}, {"ptx-ldmatrix", "movmatrix"}, {"cp-async", "cp.async."}, {"pdl", "griddepcontrol"}, {"setmaxnreg", "setmaxnreg"},
    {"ptx-cache-hint", "createpolicy"}, {"ptx-cache-hint", "prefetch.global"}, {"ptx-cache-hint", "L2::"}, {"ptx-cache-hint", "L1::"}, {"ptx-cache-hint", ".global.nc"}, {"ptx-cache-hint", ".global.cg"}, {"ptx-cache-hint", ".global.ca"}, {"ptx-cache-hint", ".global.cs"},
    {"ptx-special-reg", "%laneid"}, {"ptx-special-reg", "%warpid"}, {"ptx-special-reg", "%nwarpid"}, {"ptx-special-reg", "%smid"}, {"ptx-special-reg", "%nsmid"}, {"ptx-special-reg", "%globaltimer"}, {"ptx-special-reg", "%clock"}, {"ptx-special-reg", "%lanemask_"}, {"ptx-special-reg", "%dynamic_smem_size"},
    {"ptx-bit-ops", "bfe."}, {"ptx-bit-ops", "bfi."}, {"ptx-bit-ops", "prmt."}, {"ptx-bit-ops", "lop3."}, {"ptx-bit-ops", "shf.l"}, {"ptx-bit-ops", "shf.r"}, {"ptx-bit-ops", "brev."}, {"ptx-bit-ops", "bfind."}, {"ptx-bit-ops", "vadd4"}, {"ptx-bit-ops", "vabsdiff4"}, {"ptx-bit-ops", "dp4a"}, {"ptx-bit-ops", "dp2a"},
    {"ptx-bit-ops", "mad.wide"}, {"ptx-bit-ops", "cvt.rn."}, {"ptx-bit-ops", "ex2.approx"}, {"ptx-bit-ops", "tanh.approx"}, {"ptx-bit-ops", "rcp.approx"},
};
const size_t n_cuda_ptx_rules = COUNT_OF(cuda_ptx_rules);

// Starts of whole string literals, in files that are CUDA.
const CTextRule cuda_string_rules[] = {
    {"nvrtc-options", "--gpu-architecture*"}, {"nvrtc-options", "-arch=*"}, {"nvrtc-options", "--gpu-arch*"}, {"nvrtc-options", "-use_fast_math"}, {"nvrtc-options", "--use_fast_math"}, {"nvrtc-options", "-default-device"}, {"nvrtc-options", "--maxrregcount*"},
    {"nvrtc-options", "--fmad*"}, {"nvrtc-options", "--ftz*"}, {"nvrtc-options", "compute_#*"}, {"nvrtc-options", "sm_#*"}, {"per-thread-stream", "--default-stream*"},
};
const size_t n_cuda_string_rules = COUNT_OF(cuda_string_rules);
