// C, C++ and CUDA: every rule fires on what it is for and not on what only looks like it.
#include <string.h>

#include "src/migrate/cuda.h"
#include "tests/check.h"
#include "tests/shipped.h"

enum { SEEN_MAX = 200 };

typedef struct Seen {
    const PortingFacts *facts;
    CFinding rows[SEEN_MAX];
    size_t n, defined;
} Seen;

typedef struct World {
    Arena a;
    Catalog *c;
    PortingFacts f;
    CWords *lanes64, *lanes32, *old;
} World;

static void on_finding(void *context, const CFinding *f) {
    Seen *s = context;
    if (s->n < SEEN_MAX) s->rows[s->n++] = *f;
}

static void on_defined(void *context, Str word) {
    Seen *s = context;
    CHECK(word.length > 0);
    s->defined++;
}

static void begin(World *w) {
    Err e = {0};
    *w = (World){0};
    w->c = shipped_porting(&w->a, &w->f);
    CHECK(cuda_words(&w->f, "7.2", true, &w->a, &w->lanes64, &e));
    CHECK(cuda_words(&w->f, "7.2", false, &w->a, &w->lanes32, &e));
    CHECK(cuda_words(&w->f, "5.0", true, &w->a, &w->old, &e));
}

static void end(World *w) {
    catalog_close(w->c);
    arena_free(&w->a);
}

static void scan(const World *w, const CWords *words, const char *text, bool cuda, Seen *ret) {
    Buf tokens;
    CLexed lexed;
    CSink sink = {.context = ret, .finding = on_finding, .defined = on_defined};
    memset(ret, 0, sizeof *ret);
    ret->facts = &w->f;
    buf_init(&tokens, BUF_LIMIT);
    cuda_scan(words, str_of(text), cuda, false, &tokens, &sink, &lexed);
    buf_free(&tokens);
}

static size_t count(const Seen *s, const char *rule) {
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) n += strcmp(s->facts->rules[s->rows[i].rule].rule, rule) == 0;
    return n;
}

// A rule, what makes it fire, and what looks like it and must not. Body: inside a kernel.
typedef struct Example {
    const char *rule, *fires, *quiet;
} Example;

#define BODY(text) "__global__ void k(float *x, int n) {\n" text "\n}\n"

static const Example examples[] = {
    {"addr-space", BODY("auto p = __cvta_generic_to_shared(x);"), "// __cvta_generic_to_shared(x)\n"},
    {"api-gone", "cuFuncSetSharedMemConfig(f, c);\n", "funcSetSharedMemConfig(f, c);\n"},
    {"api-later", "cudaStreamGetAttribute(a);\n", "cudaMalloc(&p, 4);\n"},
    {"api-rename", "void f() { cudaMalloc(&p, 4); }\n",
     "// cudaMalloc\nvoid f() { log(\"cudaMalloc failed\"); }\n"},
    {"api-rename", "x = cudaDataType::CUDA_R_16BF;\n", "x = my::CUDA_R_16BF;\n"},
    {"api-string", "const char *s = \"cudaMalloc\";\n", "log(\"cudaMalloc failed\");\n"},
    {"api-unknown", "void f() { cudaNotYetKnown(1); }\n", "void f() { x.cudaNotYetKnown(1); }\n"},
    {"api-unmapped", "x = CUDA_ARRAY3D_2DARRAY;\n", "// CUDA_ARRAY3D_2DARRAY\nx = ARRAY3D_2DARRAY;\n"},
    {"ballot-popc32", BODY("int c = __popc(mask);"), BODY("int c = __popc(bits);")},
    {"bf16-header", "#include <cuda_bf16.h>\n", "#include <hip/hip_bf16.h>\n"},
    {"bf16-types", "__nv_bfloat16 x;\n", "hip_bfloat16 x;\n"},
    {"cache-intrinsics", BODY("float y = __ldcg(x);"), BODY("float y = ldcg(x);")},
    {"clock", BODY("auto t = clock64();"), "__global__ void k();\nvoid f() { auto t = clock(); }\n"},
    {"cluster-dsmem", BODY("cg::this_cluster().sync();"), BODY("cg::this_thread_block().sync();")},
    {"coop-grid-sync", BODY("cg::this_grid().sync();"), BODY("this_grid_size();")},
    {"coop-groups-adv", BODY("cg::reduce(t, 1, op);"), BODY("my::reduce(t, 1, op);")},
    {"coop-groups-basic", "namespace cg = cooperative_groups;\n", "namespace cg = other_groups;\n"},
    {"cp-async", "#include <cuda_pipeline.h>\n", "#include \"my_pipeline.h\"\n"},
    {"cp-async", BODY("asm volatile(\"cp.async.ca.shared.global [%0], [%1], 16;\" :: \"r\"(a));"),
     BODY("// cp.async.ca\n")},
    {"cub-header", "#include <cub/block/block_reduce.cuh>\n", "#include <cub/cub.cuh>\n"},
    {"cub-internals", "cub::DispatchReduce<int> d;\n", "cub::DeviceReduce::Sum(a);\n"},
    {"cub-namespace", "cub::DeviceReduce::Sum(a);\n", "my::cub::DeviceReduce::Sum(a);\n"},
    {"cub-warp", "cub::WarpReduce<int> r;\n", "cub::BlockReduce<int> r;\n"},
    {"cublas", "cublasSgemm(h);\n", "hipblasSgemm(h);\n"},
    {"cublas", "cublasHandle_t handle;\n", "auto cublas_handle = get(cublas_workspace);\n"},
    {"cublas-tensorop", "x = CUBLAS_TENSOR_OP_MATH;\n", "x = TENSOR_OP_MATH;\n"},
    {"cublaslt", "cublasLtMatmul(h);\n", "hipblasLtMatmul(h);\n"},
    {"cuda-arch-guard", "#if __CUDA_ARCH__ >= 800\n#endif\n", "#if __HIP_ARCH__ >= 800\n#endif\n"},
    {"cuda-arch-guard", "#if defined(OTHER) && __CUDA_ARCH__ >= 800\n#endif\n",
     "#if !defined(GGML_USE_HIP) && __CUDA_ARCH__ >= 800 || CDNA3\n#endif\n#if __CUDA_ARCH__ >= 700 || "
     "defined(USE_ROCM)\n#endif\n"},
    {"cuda-version-guard", "#if CUDART_VERSION >= 11000\n#endif\n", "#if MY_VERSION >= 11000\n#endif\n"},
    {"cudacc-guard", "#ifdef __CUDACC__\n#endif\n", "#ifdef __clang__\n#endif\n"},
    {"cudnn-graph", "cudnn_frontend::graph::Graph g;\n", "my_frontend::Graph g;\n"},
    {"cudnn-legacy", "cudnnConvolutionForward(h);\n", "miopenConvolutionForward(h);\n"},
    {"cufft", "cufftExecC2C(p);\n", "hipfftExecC2C(p);\n"},
    {"cufile", "#include <cufile.h>\n", "#include <file.h>\n"},
    {"cupti", "cuptiActivityEnable(1);\n", "activityEnable(1);\n"},
    {"curand-device", "#include <curand_kernel.h>\n", "#include <curand.h>\n"},
    {"curand-device", BODY("curandState s;"), BODY("hiprandState s;")},
    {"curand-device", BODY("curand_init(1, 2, 3, x);"), BODY("b.curand_states.data(); p->curand_states;")},
    {"cusolver", "cusolverDnCreate(&h);\n", "hipsolverDnCreate(&h);\n"},
    {"cusparse", "cusparseCreate(&h);\n", "cusparseLtInit(&h);\n"},
    {"cusparselt", "cusparseLtInit(&h);\n", "cusparseCreate(&h);\n"},
    {"cutensor", "#include <cutensor.h>\n", "#include <tensor.h>\n"},
    {"cutlass-cute", "#include <cutlass/gemm/gemm.h>\n", "#include <gemm/gemm.h>\n"},
    {"cutlass-types", "#include <cutlass/numeric_types.h>\n", "#include <cutlass/gemm/gemm.h>\n"},
    {"cutlass-types", "cutlass::half_t x; cutlass::Array<float, 4> y;\n", "half_t x; Array<float, 4> y;\n"},
    {"cutlass-cute", "cutlass::gemm::device::Gemm<int> g;\n", "cutlass::bfloat16_t x;\n"},
    {"device-malloc", BODY("void *p = malloc(4);"),
     "__global__ void k();\nvoid f() { void *p = malloc(4); }\n"},
    {"device-props", "__global__ void k();\nint m = prop.major;\n", "int m = version.major;\n"},
    {"device-props", "__global__ void k();\nint m = p->minor;\n",
     "__global__ void k();\nint m = version.major;\n"},
    {"directed-rounding", BODY("float y = __fadd_rz(a, b);"), BODY("float y = __fadd_rn(a, b);")},
    {"dlsym-driver", "void *h = dlopen(\"libcuda.so.1\", 1);\n", "void *h = dlopen(\"libm.so\", 1);\n"},
    {"dlsym-driver", "dlsym(h, \"cuMemAlloc_v2\");\n", "dlsym(h, \"malloc\");\n"},
    {"dp4a", BODY("int y = __dp4a(a, b, c);"), BODY("int y = dp4a(a, b, c);")},
    {"dynamic-parallelism", BODY("child<<<1, 1>>>(x);"),
     "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n"},
    {"fp-atomics", BODY("atomicAdd((double *)x, 1.0);"), BODY("atomicAdd(count, 1);")},
    {"fp4-fp6-types", "__nv_fp4_e2m1 x;\n", "__hip_fp4_e2m1 x;\n"},
    {"fp8-types", "__nv_fp8_e4m3 x;\n", "__hip_fp8_e4m3 x;\n"},
    {"gfx-interop", "cudaGraphicsD3D11RegisterResource(a);\n", "cudaGraphicsGLRegisterBuffer(a);\n"},
    {"gfx-interop-gl", "cudaGraphicsGLRegisterBuffer(a);\n", "glRegisterBuffer(a);\n"},
    {"driver-typedefs", "#include <cudaTypedefs.h>\n", "#include <typedefs.h>\n"},
    {"driver-typedefs", "PFN_cuTensorMapEncodeTiled f;\n", "PFN_custom f;\n"},
    {"acc-pragma", "#pragma acc parallel loop\nfor (;;) f();\n", "#pragma omp parallel for\nfor (;;) f();\n"},
    {"graphs-advanced", "cudaGraphConditionalHandleCreate(a);\n", "cudaGraphCreate(a);\n"},
    {"graphs-basic", "cudaGraphLaunch(g, s);\n", "hipGraphLaunch(g, s);\n"},
    {"green-context", "cudaExecutionCtxSynchronize(c);\n", "executionCtxSynchronize(c);\n"},
    {"grid-over-2e32", "void f() { k<<<4194304, 1024>>>(x); }\n",
     "void f() { k<<<4194303, 1024>>>(x); k<<<n, 1024>>>(x); }\n"},
    {"grid-over-2e32", "void f() { k<<<dim3(0x800000, 2), dim3(512, 2)>>>(x); }\n",
     "void f() { k<<<dim3(65535, 65535), dim3(32, 32)>>>(x); }\n"},
    {"half-intrinsics", BODY("h = __hfma_relu(a, b, c);"), BODY("h = __hfma(a, b, c);")},
    {"implicit-warp-sync", BODY("volatile float *smem = x;"), BODY("volatile float *out = x;")},
    {"jitify", "#include <jitify2.hpp>\n", "#include <justify.hpp>\n"},
    {"jitify", "static jitify::JitCache cache;\n", "static my::JitCache cache;\n"},
    {"kernel-launch", "void f() { ns::k<int, 3><<<dim3(1),\n  4>>>(x); }\n",
     "int y = a << 3;\n<<<<<<< HEAD\n=======\n>>>>>>> x\n"},
    {"lane-arith-32", BODY("int l = threadIdx.x & 31;"), "int l = tid & 31;\n"},
    {"lane-arith-32", BODY("int w = threadIdx.x >> 5;"), BODY("int w = count >> 5;")},
    {"lane-shift-int", BODY("unsigned b = 1u << lane;"), BODY("auto b = 1ull << lane;")},
    {"launch-bounds-2", "__global__ void __launch_bounds__(256, 2) k() {}\n",
     "__global__ void __launch_bounds__(max(1, 2)) k() {}\n"},
    {"libcupp-atomic", "cuda::atomic_ref<int> a(x);\n", "std::atomic_ref<int> a(x);\n"},
    {"libcupp-std", "cuda::std::array<int, 3> a;\n", "std::array<int, 3> a;\n"},
    {"managed-memory", "cudaMallocManaged(&p, 4);\n", "hipMallocManaged(&p, 4);\n"},
    {"mathdx", "#include <cufftdx.hpp>\n", "#include <fftdx.hpp>\n"},
    {"mempool", "cudaMallocAsync(&p, 4, s);\n", "hipMallocAsync(&p, 4, s);\n"},
    {"mbarrier", "cuda::barrier<cuda::thread_scope_block> b;\n", "std::barrier<> b;\n"},
    {"nccl", "ncclAllReduce(a);\n", "// ncclAllReduce\n"},
    {"nccl", "ncclComm_t c;\n", "auto nccl_comm = nccl_id;\n"},
    {"not-cuda-guard", "#if !defined(USE_CUDA)\n#endif\n", "#if defined(USE_CUDA)\n#endif\n"},
    {"npp-nvjpeg", "nvjpegDecode(h);\n", "jpegDecode(h);\n"},
    {"npp-nvjpeg", "Npp8u *p = nppsMalloc_8u(4);\n", "NppList *p;\n"},
    {"lib-header", "#include <cudss.h>\n", "#include <dss.h>\n"},
    {"lib-header", "#include <opencv2/cudaimgproc.hpp>\n", "#include <opencv2/imgproc.hpp>\n"},
    {"nvcomp", "nvcomp::LZ4Manager m(a, b);\n", "my::LZ4Manager m(a, b);\n"},
    {"nvcomp", "#include <nvcomp/lz4.hpp>\n", "#include <lz4.hpp>\n"},
    {"nvml", "#include <nvml.h>\n", "#include <my.h>\n"},
    {"nvrtc-options", "__global__ void k();\nconst char *o = \"--gpu-architecture=compute_80\";\n",
     "const char *o = \"--gpu-architecture=compute_80\";\n"},
    {"nvshmem", "nvshmem_init();\n", "shmem_init();\n"},
    {"nvtx", "#include <nvtx3/nvToolsExt.h>\n", "#include <roctx.h>\n"},
    {"optix", "optixInit();\n", "opticsInit();\n"},
    {"pdl", BODY("cudaGridDependencySynchronize();"), BODY("gridDependencySynchronize();")},
    {"per-thread-stream", "f(cudaStreamPerThread);\n", "f(streamPerThread);\n"},
    {"per-thread-stream", "#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1\n",
     "#define PER_THREAD_DEFAULT_STREAM 1\n"},
    {"ptx-asm", BODY("asm(\"foo.b32 %0, 1;\" : \"=r\"(y));"),
     "void f() { asm volatile(\"pause\" ::: \"memory\"); }\n"},
    {"ptx-bit-ops", BODY("asm(\"lop3.b32 %0, %1, %2, %3, 0xea;\" : \"=r\"(y));"), BODY("lop3(a, b, c);")},
    {"ptx-cache-hint", BODY("asm volatile(\"ld.global.nc.L1::no_allocate.v4.f32 {%0}, [%1];\");"),
     BODY("asm volatile(\"ld.shared.v4.f32 {%0}, [%1];\");")},
    {"ptx-ldmatrix", BODY("asm(\"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0}, [%1];\");"),
     BODY("load_matrix();")},
    {"ptx-mma", BODY("asm volatile(\"mma.sync.aligned.m16n8k16 {%0};\");"),
     "const char *doc = \"mma.sync\";\n"},
    {"ptx-module-load", "cuModuleLoad(&m, path);\n", "moduleLoad(&m, path);\n"},
    {"ptx-special-reg", BODY("asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(y));"),
     BODY("asm(\"mov.u32 %0, %1;\" : \"=r\"(y));")},
    {"setmaxnreg", BODY("asm(\"setmaxnreg.inc.sync.aligned.u32 240;\");"), BODY("set_max();")},
    {"shared-32-slots", BODY("__shared__ float s[32];"),
     BODY("__shared__ float s[32][33];\n__shared__ float tile[128][32];")},
    {"shared-32-slots", BODY("__shared__ float s[2][32];"), BODY("__shared__ float s[N];")},
    {"shuffle-tree-16", BODY("for (int o = 16; o > 0; o >>= 1) x[0] += o;"),
     BODY("for (int o = 0; o < 16; o++) x[0] += o;")},
    {"simd-video", BODY("int y = __vadd4(a, b);"), BODY("int y = vadd4(a, b);")},
    {"sm-hardcode", "__global__ void k();\nif (prop.major >= 8) f();\n", "if (version.major >= 8) f();\n"},
    {"sm-hardcode",
     "__global__ void k();\ncudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);\nif (major "
     "== 10 && minor > 0) f();\n",
     "__global__ void k();\ncusparseGetVersion(h, &version);\nint major = version / 1000;\nif (major == 12 "
     "&& minor > 0 || major > 9) f();\n"},
    {"sm-hardcode", "__global__ void k();\nif (major >= 8) f();\n",
     "__global__ void k();\nif (major >= 12) f();\n"},
    {"smem-over-64k", "x = cudaFuncAttributeMaxDynamicSharedMemorySize;\n",
     "x = MaxDynamicSharedMemorySize;\n"},
    {"surface", BODY("surf2Dwrite(x, s, 1, 2);"), "surf2Dwrite(x, s, 1, 2);\n"},
    {"syncwarp", BODY("__syncwarp();"), BODY("__syncthreads();")},
    {"tcgen05", BODY("asm(\"tcgen05.mma.cta_group::1.kind::f16 [%0];\");"), BODY("mma();")},
    {"tcgen05", BODY("tmem_load_32x(x);"), BODY("uint32_t tmem_addr = 4; x[0] = tmem_addr + tmem_base;")},
    {"tensorrt-cpp", "#include <NvInfer.h>\n", "#include <Infer.h>\n"},
    {"texture-object", "cudaTextureObject_t t;\n", "hipTextureObject_t t;\n"},
    {"texture-reference", "texture<float, cudaTextureType2D, cudaReadModeElementType> image;\n",
     "my::texture<float, 2> image;\n"},
    {"texture-reference", "__global__ void k();\ntexture<uint2, 1> image;\n", "texture<float, 2> image;\n"},
    {"texture-reference", "cudaBindTexture(0, image, p);\n", "bindTexture(0, image, p);\n"},
    {"thrust", "#include <thrust/sort.h>\n", "#include <sort.h>\n"},
    {"thrust-policy", "thrust::sort(thrust::cuda::par, a, b);\n", "thrust::sort(thrust::device, a, b);\n"},
    {"tma", "cuTensorMapEncodeTiled(a);\n", "tensorMapEncodeTiled(a);\n"},
    {"token-paste-api", "#define CALL(x) cuda##x\n", "#define CALL(x) my##x\n"},
    {"trap-misc", BODY("__trap();"), BODY("trap();")},
    {"vmm-multicast", "cuMulticastCreate(a);\n", "multicastCreate(a);\n"},
    {"warp-assert-32", BODY("if (warpSize != 32) x[0] = 1;"), BODY("if (n < warpSize) x[0] = 1;")},
    {"warp-assert-32", BODY("if (32 != warpSize) x[0] = 1;"), BODY("if (64 == warpSize) x[0] = 1;")},
    {"warp-assert-32",
     "__global__ void k();\nvoid f() { if (32 < p->warpSize || prop.warpSize < 64) g(); }\n",
     "__global__ void k();\nvoid f() { g(std::max<warpSize>(2), 1 << warpSize); }\n"},
    {"warp-assert-32", BODY("if (warpSize == 32) x[0] = 1;"), BODY("if (warpSize == 64) x[0] = 1;")},
    {"warp-mask-literal32", BODY("x[0] = __shfl_down_sync(0xffffffff, x[0], 1);"),
     BODY("x[0] = __shfl_down_sync(0xffffffffffffffff, x[0], 1);")},
    {"warp-mask-literal32", BODY("x[0] = __shfl_sync(uint32_t(-1), x[0], 1);"),
     BODY("x[0] = __shfl_sync(uint64_t(-1), x[0], 1);")},
    {"warp-mask-literal32", BODY("x[0] = __shfl_sync((unsigned)-1, x[0], 1);"),
     BODY("x[0] = __shfl_sync(mask, x[0], 1);")},
    {"warp-mask-literal32",
     "constexpr unsigned kAll = 0xffffffffu;\n" BODY("x[0] = __shfl_sync(kAll, x[0], 1);"),
     "constexpr uint64_t kAll = 0xffffffffu;\n" BODY("x[0] = __shfl_sync(kAll, x[0], 1);")},
    {"warp-mask-literal32", "#define EVERY (1u << 31)\n" BODY("int y = __any_sync(EVERY, n);"),
     "#define EVERY (1ull << 63)\n" BODY("int y = __any_sync(EVERY, n);")},
    {"warp-mask-literal32", BODY("int y = __shfl_sync(static_cast<unsigned>(-1), n, 1);"),
     BODY("int y = __shfl_sync(~0ull, n, 1) + __shfl_sync(~0UL, n, 2);")},
    {"warp-mask-literal32", BODY("unsigned m = __ballot_sync(~0ull, n); n = __shfl_sync(m, n, 1);"),
     BODY("auto m = __ballot_sync(~0ull, n); n = __shfl_sync(m, n, 1);")},
    {"warp-mask-literal32", "__device__ int f(int v, unsigned m) { return __shfl_sync(m, v, 0); }\n",
     "__device__ int f(int v, long m) { return __shfl_sync(m, v, 0); }\n"
     "__device__ void g(int m) { m++; }\n"},
    {"warp-mask-literal32", BODY("n = __shfl_sync(0xffffu << (n & 1), n, 1);"),
     "using mask_t = unsigned long long;\n" BODY("n = __shfl_sync(mask_t(0xffff) << 16, n, 1);")},
    {"warp-mask-literal32",
     "typedef uint32_t lanes;\n" BODY("lanes m = 1; n = __shfl_sync(n ? m : 2u, n, 1);"),
     "template <typename M> __device__ int f(M m, int v) { return __shfl_sync(m, v, 0); }\n"},
    {"warp-mask-literal32", BODY("x[0] = __shfl_sync(kFullWarpMask, x[0], 1);"),
     BODY("x[0] = __shfl_sync(WARP_SIZE, x[0], 1);")},
    {"warp-mask-var32", BODY("unsigned m; m = __ballot_sync(all, p);"),
     BODY("unsigned long long m; m = __ballot_sync(all, p);")},
    {"warp-mask-var32", BODY("unsigned m = __ballot_sync(all, p);"),
     BODY("uint64_t m = __ballot_sync(all, p);")},
    {"warp-mask-var32", BODY("unsigned int m = __match_any_sync(all, p);"),
     BODY("int y = __shfl_sync(all, x[0], 1);\nint any = __any_sync(all, y);")},
    {"warp-size-define", "__global__ void k();\n#define WARP_SIZE 32\n", "#define WARP_SIZE 32\n"},
    {"warp-width-subtile", BODY("x[0] = __shfl_xor_sync(m, x[0], 1, 8);"),
     BODY("x[0] = __shfl_xor_sync(m, x[0], 1);")},
    {"warp-width-subtile", BODY("x[0] = __shfl_down_sync(m, f(x[0], y[1, 2]), z, 16);"),
     BODY("x[0] = __shfl_xor_sync(m, x[0], 16);\nx[0] = __shfl_down_sync(m, f(x[0], 1), 8);")},
    {"warpsize-constexpr", "__global__ void k();\nconstexpr int w = warpSize;\n",
     "__global__ void k();\nint w = warpSize;\n"},
    {"wgmma", BODY("asm(\"wgmma.fence.sync.aligned;\");"), BODY("fence();")},
    {"wmma-api", "#include <mma.h>\n", "#include <amma.h>\n"},
};

static void test_every_rule_fires_and_keeps_quiet(void) {
    World w;
    begin(&w);
    Seen s;
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        const CWords *words = strcmp(examples[i].rule, "api-later") == 0 ? w.old : w.lanes64;
        scan(&w, words, examples[i].fires, false, &s);
        if (count(&s, examples[i].rule) == 0) CHECK_STR(examples[i].fires, examples[i].rule);
        scan(&w, words, examples[i].quiet, false, &s);
        if (count(&s, examples[i].rule) != 0) CHECK_STR(examples[i].quiet, examples[i].rule);
    }
    end(&w);
}

static void test_every_rule_has_examples(void) {
    World w;
    begin(&w);
    for (size_t i = 0; i < w.f.n_rules; i++) {
        const PortRule *r = &w.f.rules[i];
        if (r->area != AREA_SOURCE) continue;
        size_t n = 0;
        for (size_t k = 0; k < COUNT_OF(examples); k++)
            n += strcmp(examples[k].rule, r->rule) == 0 && examples[k].fires[0] != '\0' &&
                 examples[k].quiet[0] != '\0';
        if (n == 0) fprintf(stderr, "no example of %s\n", r->rule);
        CHECK(n > 0);
    }
    end(&w);
}

static void test_lanes_matter_on_64_only(void) {
    World w;
    begin(&w);
    Seen s;
    const char *text = BODY("int l = threadIdx.x & 31; __shared__ float s[32]; unsigned b = 1u << lane;");
    scan(&w, w.lanes64, text, true, &s);
    CHECK_INT((int)s.n, 3);
    scan(&w, w.lanes32, text, true, &s);
    CHECK_INT((int)s.n, 0);
    end(&w);
}

static void test_guards_for_amd_are_not_counted(void) {
    static const struct {
        const char *text;
        int n;
    } cases[] = {
        {"#ifdef __HIP_PLATFORM_AMD__\ncudaFree(a);\n#else\ncudaFree(b);\n#endif\n", 0},
        {"#ifndef USE_ROCM\ncudaFree(a);\n#endif\ncudaFree(b);\n", 1},
        {"#if defined(__HIPCC__) || defined(HAVE_X)\ncudaFree(a);\n#endif\n", 1},
        {"#if !defined(USE_ROCM) && (A > 3)\ncudaFree(a);\n#endif\n", 0},
        {"#if 0\ncudaFree(a);\n#else\ncudaFree(b);\n#endif\n", 1},
        {"#ifdef USE_AMD_ROCM\ncudaFree(a);\n#else\ncudaFree(b);\n#endif\n", 0},
        {"#ifndef GMX_GPU_HIP\ncudaFree(a);\n#endif\n", 0},
        {"#if QUDA_TARGET_HIP || RAJA_HIP_ACTIVE\ncudaFree(a);\n#endif\n", 0},
        {"#ifndef MY_HIP_HELPERS_H\n#define MY_HIP_HELPERS_H\ncudaFree(a);\n#endif\n", 1},
        {"#if !defined(MY_ROCM_DEFAULT)\n#define MY_ROCM_DEFAULT 0\ncudaFree(a);\n#endif\n", 1},
        {"#ifdef NO_HIP\ncudaFree(a);\n#endif\n#ifdef CUDA_OR_HIP\ncudaFree(b);\n#endif\n", 2},
        {"#if defined(A)\ncudaFree(a);\n#elif defined(USE_HIP)\ncudaFree(b);\n#endif\n", 1},
    };
    World w;
    begin(&w);
    Seen s;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scan(&w, w.lanes64, cases[i].text, true, &s);
        CHECK_INT((int)count(&s, "api-rename"), cases[i].n);
    }
    end(&w);
}

static void test_launches_and_names_in_place(void) {
    World w;
    begin(&w);
    Seen s;
    scan(&w, w.lanes64,
         "void f() {\n  a<int><<<1, 2>>>(x); b<std::vector<int>><<<3, 4>>>(y);\n  (ns::c<2>)<<<1,\n "
         "2>>>(z);\n}\n",
         true, &s);
    CHECK_INT((int)count(&s, "kernel-launch"), 3);
    CHECK_INT((int)s.rows[0].line, 2);
    CHECK_INT((int)s.rows[0].column, 3);
    CHECK_INT((int)s.rows[2].line, 3);
    scan(&w, w.lanes64, "int x = cuda\\\nFree(p);\n\"a\\\nb\"; cudaFree(q);\n", true, &s);
    CHECK_INT((int)count(&s, "api-rename"), 2);
    CHECK_INT((int)s.rows[1].line, 4);
    scan(&w, w.lanes64,
         "__global__ void a() {\n#ifdef X\n  if (x) {\n#else\n  if (y) {\n#endif\n  }\n}\nvoid f() { a<<<1, "
         "2>>>(); }\n",
         true, &s);
    CHECK_INT((int)count(&s, "dynamic-parallelism"), 0);
    CHECK_INT((int)count(&s, "kernel-launch"), 1);
    scan(&w, w.lanes64,
         "x = std::max(1, 2) + my::min(1, 2) + s.min + cudaCheck;\nvoid cudaCheck(int e) { }\n", true, &s);
    CHECK_INT((int)count(&s, "api-rename"), 0);
    CHECK_INT((int)s.defined, 1);
    scan(&w, w.lanes64, "auto k = R\"(\n__global__ void q(float *x) { x[0] = cudaGetLastError(); })\";\n",
         false, &s);
    CHECK_INT((int)count(&s, "api-rename"), 1);
    CHECK(s.rows[0].in_string && s.rows[0].line == 2);
    end(&w);
}

static void test_release_of_the_target_matters(void) {
    World w;
    begin(&w);
    Seen s;
    scan(&w, w.old, "__nv_fp8_e4m3 x; cudaMalloc(a);\n", true, &s);
    CHECK_INT((int)count(&s, "api-rename"), 1);
    scan(&w, w.lanes64,
         BODY("x[0] = max(x[0], x[1]);") "void f() { cudaDeviceReset(); int y = max(1, 2); }\n", false, &s);
    CHECK_INT((int)count(&s, "api-rename"), 1);  // max is called the same in HIP
    scan(&w, w.lanes64, "float f(float4 v, half h) { return max(v.x, v.y) + clock() + lane % 32; }\n", false,
         &s);
    CHECK_INT((int)s.n, 0);  // no sign of CUDA
    end(&w);
}

static const TestCase tests[] = {
    TEST(every_rule_fires_and_keeps_quiet), TEST(every_rule_has_examples),
    TEST(lanes_matter_on_64_only),          TEST(guards_for_amd_are_not_counted),
    TEST(launches_and_names_in_place),      TEST(release_of_the_target_matters),
};

TEST_MAIN(tests)
