// The two generated files: what HIP calls what the tree calls by CUDA's names, for the compiler and for CMake.
// The CUDA side of both is empty but for two macros and a type.
#include <stdlib.h>
#include <string.h>

#include "src/migrate/fix.h"

bool fix_is_ours(Str text) { return str_has(text, FIX_MARK); }

static const char *const *sorted(Buf *list, size_t *ret_n) {
    *ret_n = list->length / sizeof(const char *);
    if (*ret_n > 0) qsort(list->data, *ret_n, sizeof(const char *), order_texts);
    return (const char *const *)(const void *)list->data;
}

// ---------------------------------------------------------------- what an earlier run wrote

static void keep_name(Fix *f, Str name) {
    const CudaName *names = f->facts->names;
    const CudaName *x = row_find(&name, names, f->facts->n_names, sizeof *x, order_name_str);
    if (x != NULL && x->hip_name[0] != '\0' && strcmp(x->hip_name, x->cuda_name) != 0)
        f->renamed[x - names] = 1;
}

// The rest of a line that begins with `with`.
static bool behind(Str line, const char *with, Str *ret) {
    size_t n = strlen(with);
    if (line.length <= n || memcmp(line.data, with, n) != 0) return false;
    *ret = (Str){line.data + n, line.length - n};
    return true;
}

static void merge_header(Fix *f, Str old) {
    Str line;
    Str rest;
    while (str_next(&old, '\n', &line)) {
        if (behind(line, "#include <", &rest) && rest.data[rest.length - 1] == '>')
            fix_use_header(f, arena_copy(f->arena, rest.data, rest.length - 1));
        if (behind(line, "namespace cub = ", &rest)) f->cub = true;
        if (behind(line, "typedef unsigned long long gpu_lane_mask_t", &rest)) f->lanes = true;
        Str name;
        if (behind(line, "#define ", &rest) && str_next(&rest, ' ', &name)) keep_name(f, name);
    }
}

// ---------------------------------------------------------------- the header

// Headers that only a compiler of kernels reads.
static bool is_of_kernels(const char *hip_header) {
    return word_in("hipcub/hipcub.hpp hiprand/hiprand_kernel.h hip/hip_cooperative_groups.h", hip_header) ||
           strncmp(hip_header, "rocrand/", 8) == 0;
}

static void add_headers(Fix *f, bool kernels, Buf *b) {
    size_t n = 0;
    const char *const *list = sorted(&f->hip_headers, &n);
    for (size_t i = 0; i < n; i++) {
        bool first = strcmp(list[i], "hip/hip_runtime.h") == 0;
        if (is_of_kernels(list[i]) != kernels || first) continue;
        // A library that one program of the tree needs is no condition for the others.
        buf_printf(b, "#if __has_include(<%s>)\n#include <%s>\n", list[i], list[i]);
        if (f->cub && strcmp(list[i], "hipcub/hipcub.hpp") == 0) buf_puts(b, "namespace cub = hipcub;\n");
        buf_puts(b, "#endif\n");
    }
}

// Calls that take any pointer to a kernel in CUDA's C++ and a plain pointer in HIP's.
typedef struct Wrapper {
    const char *name, *text;
} Wrapper;

static const Wrapper wrappers[] = {
    {"cudaFuncSetAttribute",
     "template <class F> inline hipError_t gpu_func_set_attribute(F *f, hipFuncAttribute a, int value) {\n"
     "    return hipFuncSetAttribute(reinterpret_cast<const void *>(f), a, value);\n}\n"
     "#define cudaFuncSetAttribute gpu_func_set_attribute\n"},
    {"cudaFuncSetCacheConfig",
     "template <class F> inline hipError_t gpu_func_set_cache_config(F *f, hipFuncCache_t c) {\n"
     "    return hipFuncSetCacheConfig(reinterpret_cast<const void *>(f), c);\n}\n"
     "#define cudaFuncSetCacheConfig gpu_func_set_cache_config\n"},
    {"cudaFuncGetAttributes",
     "template <class F> inline hipError_t gpu_func_get_attributes(hipFuncAttributes *a, F *f) {\n"
     "    return hipFuncGetAttributes(a, reinterpret_cast<const void *>(f));\n}\n"
     "#define cudaFuncGetAttributes gpu_func_get_attributes\n"}};

static void add_names(const Fix *f, Buf *b) {
    const CudaName *last = NULL;
    for (size_t i = 0; i < f->facts->n_names; i++) {
        const CudaName *x = &f->facts->names[i];
        if (!f->renamed[i] || (last != NULL && strcmp(last->cuda_name, x->cuda_name) == 0)) continue;
        last = x;
        const char *text = NULL;
        for (size_t k = 0; k < COUNT_OF(wrappers); k++) {
            if (strcmp(wrappers[k].name, x->cuda_name) == 0) text = wrappers[k].text;
        }
        if (text != NULL) buf_printf(b, "#ifdef __cplusplus\n%s#else\n", text);
        buf_printf(b, "#define %s %s\n", x->cuda_name, x->hip_name);
        if (text != NULL) buf_puts(b, "#endif\n");
    }
}

Str fix_header_text(Fix *f, Str old, Arena *a) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    merge_header(f, old);
    if (f->cub) fix_use_header(f, "hipcub/hipcub.hpp");
    buf_puts(&b,
             "/* One source for CUDA and HIP: " FIX_MARK ", which adds to it when it runs again.\n"
             "   In a HIP build CUDA's names mean HIP's; in a CUDA build nothing is renamed or included. */\n"
             "#ifndef GPU_COMPAT_H\n#define GPU_COMPAT_H\n\n"
             "#if defined(__HIP__) || defined(__HIPCC__) || defined(__HIP_PLATFORM_AMD__)\n"
             "#define GPU_COMPAT_HIP 1\n");
    if (f->lanes)
        buf_puts(&b, "#ifndef HIP_ENABLE_WARP_SYNC_BUILTINS\n"
                     "#define HIP_ENABLE_WARP_SYNC_BUILTINS 1 /* HIP before 7.0 asks for it */\n#endif\n");
    buf_puts(&b, "#include <hip/hip_runtime.h>\n");
    add_headers(f, false, &b);
    size_t before = b.length;
    buf_puts(&b, "#if defined(__HIP__) || defined(__HIPCC__)\n");
    size_t opened = b.length;
    add_headers(f, true, &b);
    if (b.length == opened) b.length = before;  // nothing for compilers of kernels alone
    if (b.length > opened) buf_puts(&b, "#endif\n");
    buf_puts(&b, "\n");
    add_names(f, &b);
    if (f->lanes)
        buf_puts(&b,
                 "/* HIP's masks have 64 bits on every target and must name the lanes that are active. */\n"
                 "typedef unsigned long long gpu_lane_mask_t;\n"
                 "#define GPU_ALL_LANES ((gpu_lane_mask_t)__ballot(1))\n"
                 "#define GPU_WARP_SIZE warpSize\n#define GPU_POPC __popcll\n#define GPU_FFS __ffsll\n"
                 "\n#else\n\ntypedef unsigned int gpu_lane_mask_t;\n"
                 "#define GPU_ALL_LANES 0xffffffffu\n#define GPU_WARP_SIZE 32\n"
                 "#define GPU_POPC __popc\n#define GPU_FFS __ffs\n");
    buf_puts(&b, "\n#endif\n\n#endif\n");
    Str ret = {arena_copy(a, b.data, b.length), b.length};
    buf_free(&b);
    return ret;
}

// ---------------------------------------------------------------- CMake

static void merge_cmake(Fix *f, Str old) {
    Str line;
    Str rest;
    while (str_next(&old, '\n', &line)) {
        Str name;
        if (behind(str_trim(line), "gpu_library(", &rest) && str_next(&rest, ' ', &name))
            fix_use_package(f, arena_copy(f->arena, name.data, name.length));
    }
}

// Imported targets of FindCUDAToolkit, the ROCm package that stands for them, and its target.
typedef struct Target {
    const char *cuda, *package, *rocm;
} Target;

static const Target targets[] = {
    {"cudart", "hip", "hip::host"},
    {"cudart_static", "hip", "hip::host"},
    {"cuda_driver", "hip", "hip::host"},
    {"cublas", "hipblas", "roc::hipblas"},
    {"cublasLt", "hipblaslt", "roc::hipblaslt"},
    {"cufft", "hipfft", "hip::hipfft"},
    {"curand", "hiprand", "hip::hiprand"},
    {"cusparse", "hipsparse", "roc::hipsparse"},
    {"cusolver", "hipsolver", "roc::hipsolver"},
    {"nvrtc", "hiprtc", "hiprtc::hiprtc"},
};

Str fix_cmake_text(Fix *f, Str old, Arena *a) {
    Buf b;
    size_t n = 0;
    buf_init(&b, BUF_LIMIT);
    merge_cmake(f, old);
    const char *const *list = sorted(&f->packages, &n);
    buf_puts(
        &b,
        "# One build for CUDA and HIP: " FIX_MARK ", which adds to it when it runs again.\n"
        "# Without -DGPU_HIP=ON everything here does nothing.\n"
        "option(GPU_HIP \"Build for AMD GPUs with HIP instead of CUDA\" OFF)\n"
        "set(GPU_LANGUAGE CUDA)\n"
        "if(GPU_HIP)\n  set(GPU_LANGUAGE HIP)\nendif()\n\n"
        "# The .cu files of a target are HIP sources in a HIP build.\n"
        "function(gpu_target target)\n"
        "  if(NOT GPU_HIP)\n    return()\n  endif()\n"
        "  get_target_property(sources ${target} SOURCES)\n"
        "  foreach(source IN LISTS sources)\n"
        "    if(source MATCHES \"\\\\.cu$\")\n"
        "      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE HIP)\n"
        "    endif()\n"
        "  endforeach()\n"
        "  target_compile_definitions(${target} PRIVATE __HIP_PLATFORM_AMD__=1)\n"
        "endfunction()\n\n"
        "# The target NAME of CUDA's toolkit as an interface to a ROCm library.\n"
        "function(gpu_library name package target)\n"
        "  find_package(${package} REQUIRED)\n"
        "  if(NOT TARGET CUDA::${name})\n"
        "    add_library(CUDA::${name} INTERFACE IMPORTED GLOBAL)\n"
        "    set_target_properties(CUDA::${name} PROPERTIES INTERFACE_LINK_LIBRARIES ${target})\n"
        "  endif()\n"
        "endfunction()\n\n"
        "macro(gpu_packages)\n"
        "  find_package(hip REQUIRED)\n");
    for (size_t i = 0; i < n; i++) {
        const Target *x = TABLE_ROW(list[i], targets);
        if (x != NULL) buf_printf(&b, "  gpu_library(%s %s %s)\n", x->cuda, x->package, x->rocm);
    }
    buf_puts(&b, "endmacro()\n");
    Str ret = {arena_copy(a, b.data, b.length), b.length};
    buf_free(&b);
    return ret;
}

bool fix_has_target(Str cuda_target) {
    for (size_t k = 0; k < COUNT_OF(targets); k++) {
        if (str_is(cuda_target, targets[k].cuda)) return true;
    }
    return false;
}
