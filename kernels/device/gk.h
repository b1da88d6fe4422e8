// What device code is written in: the common subset of CUDA, HIP and C17, one macro a keyword, every vendor's
// conditional here.
//
// No vendor header is needed. clang compiles kernels.c as CUDA (-x cuda) or HIP (-x hip) without either
// toolkit, hipRTC and NVRTC at run time; as C17 it runs in the shim (tests/shim/shim.h), each thread a fiber.
// Barriers and warp exchanges must be reached by every thread of the block or warp. The width of a warp is a
// variable: 32 or 64.
#ifndef GPUADVISE_GK_H
#define GPUADVISE_GK_H

#if defined(__CUDA__) || defined(__HIP__) || defined(__CUDACC_RTC__)

#if !defined(__HIP__)
#define GK_CUDA
#endif
#if defined(__CUDACC_RTC__)
typedef unsigned long long gk_size;
#else
typedef __SIZE_TYPE__ gk_size;
#endif
typedef unsigned char gk_u8;
typedef signed char gk_i8;
typedef unsigned short gk_u16;
typedef unsigned int gk_u32;

#define GK_FN static inline __attribute__((device, always_inline))
#define GK_SHARED_ARRAY(type, name, n) static __attribute__((shared)) type name[n]
#define GK_UNROLL _Pragma("unroll")
#if defined(__CUDACC_RTC__)
#define GK_LOOP _Pragma("unroll 1")
#else
#define GK_LOOP _Pragma("nounroll")
#endif

// A kernel whose blocks have `threads` threads: the compiler gives it registers accordingly. TWICE: two blocks are to fit
// a multiprocessor; on AMD's compute units shared memory decides that.
#if defined(__HIP__)
#define GK_KERNEL_OF(threads)                                                                                \
    extern "C" __attribute__((global, amdgpu_flat_work_group_size(threads, threads))) void
#define GK_KERNEL_TWICE_OF GK_KERNEL_OF
#define GK_THREAD (__builtin_amdgcn_workitem_id_x())
#define GK_BLOCK (__builtin_amdgcn_workgroup_id_x())
#define GK_BLOCKS (gk_blocks())
GK_FN gk_u32 gk_blocks(void) { return __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(); }
#define GK_WARP (__builtin_amdgcn_wavefrontsize())
GK_FN void gk_barrier(void) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
// Orders what this thread has written before what it writes later, for the whole GPU.
GK_FN void gk_fence(void) { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
GK_FN void gk_atomic_add(gk_u32 *p, gk_u32 x) {
    (void)__hip_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
GK_FN gk_u32 gk_lane(void) { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)); }
GK_FN gk_u32 gk_shuffle_xor(gk_u32 x, gk_u32 mask) {
    return (gk_u32)__builtin_amdgcn_ds_bpermute((int)((gk_lane() ^ mask) << 2), (int)x);
}
#elif defined(__CUDACC_RTC__)
#define GK_KERNEL_OF(threads) extern "C" __global__ __launch_bounds__(threads) void
#define GK_KERNEL_TWICE_OF(threads) extern "C" __global__ __launch_bounds__(threads, 2) void
#define GK_THREAD (threadIdx.x)
#define GK_BLOCK (blockIdx.x)
#define GK_BLOCKS (gridDim.x)
#define GK_WARP 32u
GK_FN void gk_barrier(void) { __syncthreads(); }
GK_FN void gk_fence(void) { __threadfence(); }
GK_FN void gk_atomic_add(gk_u32 *p, gk_u32 x) { (void)atomicAdd(p, x); }
GK_FN gk_u32 gk_shuffle_xor(gk_u32 x, gk_u32 mask) { return __shfl_xor_sync(0xFFFFFFFFu, x, (int)mask); }
#else
#define GK_KERNEL_OF(threads) extern "C" __attribute__((global, launch_bounds(threads))) void
#define GK_KERNEL_TWICE_OF(threads) extern "C" __attribute__((global, launch_bounds(threads, 2))) void
#define GK_THREAD (__nvvm_read_ptx_sreg_tid_x())
#define GK_BLOCK (__nvvm_read_ptx_sreg_ctaid_x())
#define GK_BLOCKS (__nvvm_read_ptx_sreg_nctaid_x())
#define GK_WARP 32u
GK_FN void gk_barrier(void) { __syncthreads(); }
GK_FN void gk_fence(void) { __nvvm_membar_gl(); }
GK_FN void gk_atomic_add(gk_u32 *p, gk_u32 x) { (void)__nvvm_atom_add_gen_i((int *)p, (int)x); }
GK_FN gk_u32 gk_shuffle_xor(gk_u32 x, gk_u32 mask) {
    return (gk_u32)__nvvm_shfl_sync_bfly_i32(0xFFFFFFFFu, (int)x, (int)mask, 31);
}
#endif

GK_FN gk_u32 gk_bits(float x) { return __builtin_bit_cast(gk_u32, x); }
GK_FN float gk_float(gk_u32 x) { return __builtin_bit_cast(float, x); }
#if defined(__CUDACC_RTC__)
GK_FN float gk_fma(float x, float y, float z) { return __fmaf_rn(x, y, z); }
GK_FN double gk_fma_f64(double x, double y, double z) { return __fma_rn(x, y, z); }
#else
GK_FN float gk_fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
GK_FN double gk_fma_f64(double x, double y, double z) { return __builtin_fma(x, y, z); }
#endif

#elif !defined(GK_KERNEL_OF)
#error "as C17, device code is compiled by tests/shim/shim.h alone, which defines the same names"
#endif

#define GK_KERNEL GK_KERNEL_OF(128)

// Moved by one instruction.
#if defined(__CUDACC_RTC__)  // it has no vectors of its own
template <typename T> struct alignas(16) gk_four {
    T of[4];
    __device__ __forceinline__ T &operator[](gk_size i) { return of[i]; }
    __device__ __forceinline__ const T &operator[](gk_size i) const { return of[i]; }
    __device__ __forceinline__ gk_four operator+(const gk_four &x) const {
        return {{of[0] + x[0], of[1] + x[1], of[2] + x[2], of[3] + x[3]}};
    }
    __device__ __forceinline__ gk_four operator*(T x) const {
        return {{of[0] * x, of[1] * x, of[2] * x, of[3] * x}};
    }
    friend __device__ __forceinline__ gk_four operator*(T x, const gk_four &y) { return y * x; }
};
typedef gk_four<gk_u32> gk_quad;
typedef gk_four<float> gk_floats;
struct alignas(16) gk_doubles {
    double of[2];
    __device__ __forceinline__ double &operator[](gk_size i) { return of[i]; }
    __device__ __forceinline__ const double &operator[](gk_size i) const { return of[i]; }
    __device__ __forceinline__ gk_doubles operator+(const gk_doubles &x) const {
        return {{of[0] + x[0], of[1] + x[1]}};
    }
    friend __device__ __forceinline__ gk_doubles operator*(double x, const gk_doubles &y) {
        return {{x * y[0], x * y[1]}};
    }
};
#else
typedef gk_u32 gk_quad __attribute__((vector_size(16)));
typedef float gk_floats __attribute__((vector_size(16)));
typedef double gk_doubles __attribute__((vector_size(16)));
#endif

GK_FN float gk_shuffle_xor_f(float x, gk_u32 mask) { return gk_float(gk_shuffle_xor(gk_bits(x), mask)); }

#endif
