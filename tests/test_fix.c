// migrate fix: every kind of edit, what it leaves alone, where comments stand, and that a second run changes
// nothing.
#include "src/migrate/fix.h"

#include <string.h>

#include "tests/check.h"
#include "tests/shipped.h"

typedef struct World {
    Arena a;
    Catalog *c;
    PortingFacts f;
    CWords *words;
} World;

static void begin(World *w) {
    Err e = {0};
    *w = (World){0};
    w->c = shipped_porting(&w->a, &w->f);
    CHECK(cuda_words(&w->f, "7.2", true, &w->a, &w->words, &e));
}

static void end(World *w) {
    catalog_close(w->c);
    arena_free(&w->a);
}

// The text after one run; `findings` may be NULL.
static Str fixed(World *w, const char *path, TextKind kind, Str text, const ScanFinding *findings, size_t n) {
    Fix f;
    FixEdit *edits = NULL;
    bool compat = false;
    FixFile file = {.path = path,
                    .text = text,
                    .c = kind == TEXT_NONE,
                    .kind = kind,
                    .findings = findings,
                    .n_findings = n};
    static const char *const files[] = {"include/own_runtime.h"};
    fix_open(&f, &w->f, w->words, &w->a);
    f.files = files;
    f.n_files = COUNT_OF(files);
    f.header = "gpu_compat.h";
    for (int pass = 0; pass < 2 && file.c; pass++) {
        fix_learn(&f, &file);
        if (pass == 0) fix_learned(&f);
    }
    size_t edits_n = fix_file(&f, &file, &w->a, &edits, &compat);
    Str ret = fix_apply(text, edits, edits_n, &w->a);
    fix_close(&f);
    return ret;
}

typedef struct Example {
    const char *path;
    TextKind kind;
    const char *before, *after;  // after NULL: as before
} Example;

static void check_all(const Example *rows, size_t n) {
    World w;
    begin(&w);
    for (size_t i = 0; i < n; i++) {
        const char *wanted = rows[i].after == NULL ? rows[i].before : rows[i].after;
        Str once = fixed(&w, rows[i].path, rows[i].kind, str_of(rows[i].before), NULL, 0);
        Str twice = fixed(&w, rows[i].path, rows[i].kind, once, NULL, 0);
        CHECK_STR(once.data, wanted);
        CHECK_STR(twice.data, wanted);
    }
    end(&w);
}

#define IN "#include \"gpu_compat.h\"\n"

static void test_headers(void) {
    static const Example rows[] = {
        {"a.cu", TEXT_NONE, "#include <cuda_runtime.h>\n#include <cublas_v2.h>\nint x;\n",
         IN "#ifndef GPU_COMPAT_HIP\n#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#endif\nint x;\n"},
        {"a/b.cu", TEXT_NONE, "#include <cstdio>\n#include <curand_kernel.h>",
         "#include <cstdio>\n#include \"../gpu_compat.h\"\n#ifndef GPU_COMPAT_HIP\n#include "
         "<curand_kernel.h>\n#endif"},
        {"a.cu", TEXT_NONE, "#ifdef USE_CUDA\r\n#include \"cuda_fp16.h\"\r\n#endif\r\n",
         "#ifdef USE_CUDA\r\n#include \"gpu_compat.h\"\r\n#ifndef GPU_COMPAT_HIP\r\n#include "
         "\"cuda_fp16.h\"\r\n"
         "#endif\r\n#endif\r\n"},
        // headers of others, of the tree itself, of the samples, in comments, on two lines
        {"a.cu", TEXT_NONE, "#include <thrust/sort.h>\n#include <cudnn.h>\n#include <NvInfer.h>\n", NULL},
        {"a.cu", TEXT_NONE, "#include \"own_runtime.h\"\n#include \"helper_cuda.h\"\n", NULL},
        {"a.cu", TEXT_NONE, "// #include <cuda_runtime.h>\n/*\n#include <cuda_runtime.h>\n*/\n", NULL},
        {"a.cu", TEXT_NONE, "#include \\\n<cuda_runtime.h>\n", NULL},
        {"a.cu", TEXT_NONE,
         "#ifdef __HIP__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n", NULL},
    };
    check_all(rows, COUNT_OF(rows));
}

#define KERNEL(body) "__global__ void k(float *x, unsigned m) {\n" body "\n}\n"
#define MASKED(body) IN KERNEL(body)

static void test_masks(void) {
    static const char *const full[] = {"0xffffffff",   "0xFFFFFFFFu", "-1",
                                       "~0",           "~0u",         "(unsigned)-1",
                                       "uint32_t(-1)", "UINT32_MAX",  "static_cast<uint32_t>(-1)",
                                       "(0xffffffff)"};
    static const char *const others[] = {"0x0000ffff",  "m",  "~0ull", "0xffffffffffffffff",
                                         "1u << 3",     "-2", "~1u",   "0xffffffff & m",
                                         "uint64_t(-1)"};
    World w;
    begin(&w);
    for (size_t i = 0; i < COUNT_OF(full) + COUNT_OF(others); i++) {
        bool yes = i < COUNT_OF(full);
        const char *mask = yes ? full[i] : others[i - COUNT_OF(full)];
        const char *before = arena_printf(&w.a, KERNEL("x[0] += __shfl_xor_sync(%s, x[0], 1);"), mask);
        Str once = fixed(&w, "a.cu", TEXT_NONE, str_of(before), NULL, 0);
        CHECK_STR(once.data, yes ? MASKED("x[0] += __shfl_xor_sync(GPU_ALL_LANES, x[0], 1);") : before);
        CHECK_STR(fixed(&w, "a.cu", TEXT_NONE, once, NULL, 0).data, once.data);
    }
    end(&w);
    static const Example rows[] = {
        // a name that stands for a full mask everywhere, and one that is something else too
        {"a.cu", TEXT_NONE, "#define FULL 0xffffffff\n" KERNEL("x[0] = __any_sync(FULL, 1);"),
         "#define FULL 0xffffffff\n" IN KERNEL("x[0] = __any_sync(GPU_ALL_LANES, 1);")},
        {"a.cu", TEXT_NONE, "constexpr unsigned kAll = ~0u;\n" KERNEL("x[0] = __any_sync(kAll, 1);"),
         IN "constexpr unsigned kAll = ~0u;\n" KERNEL("x[0] = __any_sync(GPU_ALL_LANES, 1);")},
        {"a.cu", TEXT_NONE,
         "#ifdef A\n#define FULL 0xffffffff\n#else\n#define FULL 0xffff\n#endif\n" KERNEL(
             "x[0] = __any_sync(FULL, 1);"),
         NULL},
        {"a.cu", TEXT_NONE, "#define m 0xffffffff\n" KERNEL("x[0] = __any_sync(m, 1);"), NULL},
        // strings and comments
        {"a.cu", TEXT_NONE, "const char *s = \"__any_sync(0xffffffff, 1)\"; // __any_sync(-1, 1)\n", NULL},
    };
    check_all(rows, COUNT_OF(rows));
}

static void test_votes(void) {
    static const Example rows[] = {
        {"a.cu", TEXT_NONE,
         KERNEL("const unsigned int v = __ballot_sync(~0u, x[0] > 0); if (v == 0) return; x[1] = __popc(v) + "
                "__ffs(v) + __shfl_sync(v, x[0], 0);"),
         MASKED("const gpu_lane_mask_t v = __ballot_sync(GPU_ALL_LANES, x[0] > 0); if (v == 0) return; x[1] "
                "= GPU_POPC(v) + GPU_FFS(v) + __shfl_sync(v, x[0], 0);")},
        {"a.cu", TEXT_NONE, KERNEL("uint32_t v = __activemask(); while (v) return;"),
         MASKED("gpu_lane_mask_t v = __activemask(); while (v) return;")},
        // shifted, given on, signed, wide already, one of two, in a sum with another, assigned
        {"a.cu", TEXT_NONE, KERNEL("unsigned v = __activemask(); x[0] = v >> 1;"), NULL},
        {"a.cu", TEXT_NONE, KERNEL("unsigned v = __activemask(); f(v);"), NULL},
        {"a.cu", TEXT_NONE, KERNEL("int v = __activemask(); x[0] = __popc(v);"), NULL},
        {"a.cu", TEXT_NONE, KERNEL("unsigned long long v = __activemask(); x[0] = __popcll(v);"), NULL},
        {"a.cu", TEXT_NONE, KERNEL("unsigned v = __activemask(), u = 0; x[0] = __popc(v);"), NULL},
        {"a.cu", TEXT_NONE, KERNEL("unsigned v = __activemask(); x[0] = __popc(v & m);"), NULL},
        {"a.cu", TEXT_NONE, KERNEL("unsigned v = __activemask(); v = 3; x[0] = __popc(v);"), NULL},
    };
    check_all(rows, COUNT_OF(rows));
}

static void test_guards(void) {
    static const Example rows[] = {
        {"a.h", TEXT_NONE, "#ifdef __CUDACC__\n#endif\n",
         "#if defined(__CUDACC__) || defined(__HIPCC__)\n#endif\n"},
        {"a.h", TEXT_NONE, "#  ifndef __CUDA_ARCH__\n#endif\n",
         "#  if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)\n#endif\n"},
        {"a.h", TEXT_NONE, "#if defined(__CUDACC__)\n#endif\n",
         "#if defined(__CUDACC__) || defined(__HIPCC__)\n#endif\n"},
        {"a.h", TEXT_NONE, "#if !defined(__CUDACC__)\n#endif\n",
         "#if !(defined(__CUDACC__) || defined(__HIPCC__))\n#endif\n"},
        {"a.h", TEXT_NONE, "#if defined __CUDACC__ && A\n#elif defined(__CUDA_ARCH__)\n#endif\n",
         "#if (defined(__CUDACC__) || defined(__HIPCC__)) && A\n#elif defined(__CUDA_ARCH__) || "
         "defined(__HIP_DEVICE_COMPILE__)\n#endif\n"},
        // a number is wanted; nvcc is meant and not any compiler; HIP is named already; only among others
        {"a.h", TEXT_NONE, "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\n#endif\n", NULL},
        {"a.h", TEXT_NONE, "#if __CUDA_ARCH__ >= 700\n#endif\n#ifdef __NVCC__\n#endif\n", NULL},
        {"a.h", TEXT_NONE, "#if defined(__CUDACC__) || defined(__HIP__)\n#endif\n", NULL},
        {"a.h", TEXT_NONE, "#if defined(__GNUC__) && !defined(__CUDACC__)\n#endif\n", NULL},
    };
    check_all(rows, COUNT_OF(rows));
}

static void test_sizes_of_warps(void) {
    static const Example rows[] = {
        {"a.cu", TEXT_NONE, "#define WARP 32\n" KERNEL("x[threadIdx.x % WARP] = 0;"),
         "#define WARP GPU_WARP_SIZE\n" IN KERNEL("x[threadIdx.x % WARP] = 0;")},
        // an array, a template, a condition, the host, a shared row, another definition
        {"a.cu", TEXT_NONE, "#define WARP 32\n" KERNEL("float y[WARP];"), NULL},
        {"a.cu", TEXT_NONE, "#define WARP 32\n" KERNEL("f<WARP>(x);"), NULL},
        {"a.cu", TEXT_NONE, "#define WARP 32\n#if WARP > 16\n#endif\n" KERNEL("x[0] = WARP;"), NULL},
        {"a.cu", TEXT_NONE, "#define WARP 32\nint rows = WARP;\n" KERNEL("x[0] = WARP;"), NULL},
        {"a.cu", TEXT_NONE, "#define WARP 32\n" KERNEL("__shared__ float s[4 * WARP];"), NULL},
        {"a.cu", TEXT_NONE, "#define WARP 32\n#define ROWS (2 * WARP)\n" KERNEL("x[0] = WARP;"), NULL},
        {"a.cu", TEXT_NONE, "#define WARP 32\n" KERNEL("constexpr int n = WARP * 2; x[n] = 0;"), NULL},
        {"a.cu", TEXT_NONE, "#define TILE 32\n" KERNEL("x[threadIdx.x % TILE] = 0;"), NULL},
    };
    check_all(rows, COUNT_OF(rows));
}

static void test_build_scripts(void) {
    static const Example rows[] = {
        {"CMakeLists.txt", TEXT_CMAKE,
         "enable_language(CUDA)\nset_source_files_properties(k.cpp PROPERTIES LANGUAGE CUDA)\n",
         "include(${CMAKE_CURRENT_LIST_DIR}/gpu_compat.cmake)\nenable_language(${GPU_LANGUAGE})\n"
         "set_source_files_properties(k.cpp PROPERTIES LANGUAGE ${GPU_LANGUAGE})\n"},
        {"CMakeLists.txt", TEXT_CMAKE,
         "if(A)\nenable_language(HIP)\nelse()\nenable_language(CUDA)\nendif()\n", NULL},
        {"CMakeLists.txt", TEXT_CMAKE,
         "project(x LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\nadd_library(y "
         "a.cu)\ntarget_link_libraries(y "
         "CUDA::cublas)\nadd_library(z INTERFACE)\n",
         "include(${CMAKE_CURRENT_LIST_DIR}/gpu_compat.cmake)\nproject(x LANGUAGES CXX "
         "${GPU_LANGUAGE})\nif(GPU_HIP)\n  "
         "gpu_packages()\nelse()\nfind_package(CUDAToolkit REQUIRED)\nendif()\nadd_library(y "
         "a.cu)\ngpu_target(y)\n"
         "target_link_libraries(y CUDA::cublas)\nadd_library(z INTERFACE)\n"},
        {"CMakeLists.txt", TEXT_CMAKE,
         "# project(x CUDA)\nproject(CUDA CXX)\nmessage(\"\nproject(x CUDA)\n\")\nadd_library(y a.cu)\n",
         NULL},
        {"Makefile", TEXT_MAKE,
         "NVCC ?= /usr/local/cuda/bin/nvcc\nFLAGS = -O3 -gencode arch=compute_80,code=sm_80\nall:\n\techo "
         "nvcc\n",
         "NVCC ?= /usr/local/cuda/bin/nvcc\nifdef GPU_HIP\nNVCC := hipcc\nendif\nFLAGS = -O3 -gencode "
         "arch=compute_80,code=sm_80\nifdef GPU_HIP\nFLAGS := $(filter-out -gencode% arch=compute% -arch=% "
         "--generate-code% "
         "--gpu-architecture% --use_fast_math -use_fast_math -lineinfo --expt-% -Xptxas% "
         "-Xcompiler,$(FLAGS))\nendif\nall:\n\techo "
         "nvcc\n"},
        {"Makefile", TEXT_MAKE,
         "FLAGS = -arch=sm_80 -Xcompiler \"-O3\"\nX = $(shell which nvcc)\nY = -O2 \\\n  -arch=sm_80\n",
         NULL},
    };
    check_all(rows, COUNT_OF(rows));
    World w;
    begin(&w);
    const char *setup = "\"\"\"import this\n\"\"\"\nfrom __future__ import annotations\nfrom "
                        "torch.utils.cpp_extension import CUDAExtension\n"
                        "x = {\n    \"nvcc\": [\"-O3\", \"a]b\",\n             \"-gencode\"],\n}\n";
    Str once = fixed(&w, "setup.py", TEXT_PYTHON, str_of(setup), NULL, 0);
    CHECK(strstr(once.data, "annotations\ndef gpu_flags(flags):\n") != NULL);
    CHECK(strstr(once.data, "\"nvcc\": gpu_flags([\"-O3\", \"a]b\",\n             \"-gencode\"]),\n") !=
          NULL);
    CHECK_STR(fixed(&w, "setup.py", TEXT_PYTHON, once, NULL, 0).data, once.data);
    end(&w);
}

static void test_deployment(void) {
    static const Example rows[] = {
        {"Dockerfile", TEXT_DOCKER,
         "# syntax=docker/dockerfile:1\nFROM nvidia/cuda:12.4.1-devel-ubuntu22.04 AS build\nRUN x\n",
         "# syntax=docker/dockerfile:1\n# AMD: --build-arg GPU_BASE=rocm/dev-ubuntu-24.04 or "
         "another image of ROCm\n"
         "ARG GPU_BASE=nvidia/cuda:12.4.1-devel-ubuntu22.04\nFROM ${GPU_BASE} AS build\nRUN x\n"},
        {"Dockerfile", TEXT_DOCKER, "ARG V\nFROM nvidia/cuda:${V}\nRUN cat <<EOF\nFROM nvidia/cuda:12\nEOF\n",
         NULL},
        {"run.sh", TEXT_SHELL,
         "docker run --gpus all x\nmodule load gcc cuda/12.4\nsrun apptainer exec --nv x.sif y\n",
         "docker run ${GPU_DOCKER_FLAGS:---gpus all} x\nmodule load gcc \"${GPU_MODULE:-cuda/12.4}\"\nsrun "
         "apptainer exec "
         "${GPU_CONTAINER_FLAG:---nv} x.sif y\n"},
        {"run.sh", TEXT_SHELL,
         "echo \"docker run --gpus all\"\n# docker run --gpus all x\ncat <<E\ndocker run --gpus all x\nE\nmy "
         "--nv x\n",
         NULL},
        {"pod.yaml", TEXT_YAML, "limits:\n  nvidia.com/gpu: 2\nrun: |\n  nvidia.com/gpu: 1\n",
         "limits:\n  # AMD: amd.com/gpu: 2\n  nvidia.com/gpu: 2\nrun: |\n  nvidia.com/gpu: 1\n"},
    };
    check_all(rows, COUNT_OF(rows));
}

// A comment at line `line` (from 1) of each text stands where `after` has it.
typedef struct Place {
    const char *path;
    TextKind kind;
    uint32_t line;
    const char *before, *after;
} Place;

static void test_comments_stand_where_they_change_nothing(void) {
    static const Place rows[] = {
        {"a.cu", TEXT_NONE, 2, "{\n  asm(x);\n}\n", "{\n  // T\n  asm(x);\n}\n"},
        {"a.c", TEXT_NONE, 1, "x;\n", "/* T */\nx;\n"},
        {"a.cu", TEXT_NONE, 3, "int y;\n#define A \\\n  asm(x)\n", "int y;\n// T\n#define A \\\n  asm(x)\n"},
        {"a.cu", TEXT_NONE, 3, "y = R\"d(\n)\"\nasm(x)\n)d\";\n", "// T\ny = R\"d(\n)\"\nasm(x)\n)d\";\n"},
        {"a.cu", TEXT_NONE, 3, "int z;\n/* \n*/ asm(x);\n", "int z;\n// T\n/* \n*/ asm(x);\n"},
        {"a.cu", TEXT_NONE, 2, "int y = 1'000'000; char q = '\"';\nasm(x);\n",
         "int y = 1'000'000; char q = '\"';\n// T\nasm(x);\n"},
        {"a.py", TEXT_PYTHON, 3, "a = '''\n# no\nx\n'''\n", "# T\na = '''\n# no\nx\n'''\n"},
        {"a.py", TEXT_PYTHON, 3, "if a:\n    b = 1 + \\\n        x\n",
         "if a:\n    # T\n    b = 1 + \\\n        x\n"},
        {"a.sh", TEXT_SHELL, 3, "cat <<-'EOF' > y\nx\nx\nEOF\nz\n", "# T\ncat <<-'EOF' > y\nx\nx\nEOF\nz\n"},
        {"a.sh", TEXT_SHELL, 5, "cat <<-'EOF' > y\nx\nx\n\tEOF\nz\n",
         "cat <<-'EOF' > y\nx\nx\n\tEOF\n# T\nz\n"},
        {"a.sh", TEXT_SHELL, 2, "y='a\nx'\n", "# T\ny='a\nx'\n"},
        {"a.yml", TEXT_YAML, 4, "a:\n  - run: |\n      y\n      x\n    b: c\n",
         "a:\n  # T\n  - run: |\n      y\n      x\n    b: c\n"},
        {"a.yml", TEXT_YAML, 5, "a:\n  - run: |\n      y\n      x\n    b: c\n",
         "a:\n  - run: |\n      y\n      x\n    # T\n    b: c\n"},
        {"Makefile", TEXT_MAKE, 2, "a:\n\tnvcc x\n", "a:\n# T\n\tnvcc x\n"},
        {"x.cmake", TEXT_CMAKE, 2, "set(a [[\nx]])\n", "# T\nset(a [[\nx]])\n"},
        {"Dockerfile", TEXT_DOCKER, 2, "RUN a && \\\n  x\n", "# T\nRUN a && \\\n  x\n"},
        {"a.ipynb", TEXT_NOTEBOOK, 1, "{}\n", "{}\n"},
    };
    World w;
    begin(&w);
    size_t rule = 0;
    while (strcmp(w.f.rules[rule].rule, "ptx-asm") != 0) rule++;
    const char *text = arena_printf(&w.a, "TODO(rocm): ptx-asm: %s", w.f.rules[rule].what);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ScanFinding f = {.line = rows[i].line, .column = 1, .rule = (uint16_t)rule, .word = "x"};
        Str once = fixed(&w, rows[i].path, rows[i].kind, str_of(rows[i].before), &f, 1);
        const char *t = strstr(rows[i].after, " T");
        const char *wanted =
            t == NULL ? rows[i].after
                      : arena_printf(&w.a, "%.*s %s%s", (int)(t - rows[i].after), rows[i].after, text, t + 2);
        CHECK_STR(once.data, wanted);
        f.line += t != NULL;
        CHECK_STR(fixed(&w, rows[i].path, rows[i].kind, once, &f, 1).data, wanted);
    }
    end(&w);
}

static void test_patches(void) {
    static const struct {
        const char *path, *from, *to, *patch;
    } rows[] = {
        {"a", "1\n2\n3\n4\n5\n", "1\n2\n3\nx\n4\n5\n",
         "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,5 +1,6 @@\n 1\n 2\n 3\n+x\n 4\n 5\n"},
        {"a", "1\n", "1\n", ""},
        {"a", NULL, "x\n",
         "diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n"},
        {"a", "1", "1\n2",
         "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-1\n\\ No newline at end of file\n+1\n+2\n\\ "
         "No newline at end of file\n"},
        {"b \"c\303\244", "1\n", "2\n",
         "diff --git \"a/b \\\"c\\303\\244\" \"b/b \\\"c\\303\\244\"\n--- \"a/b \\\"c\\303\\244\"\n+++ \"b/b "
         "\\\"c\\303\\244\"\n@@ -1 +1 @@\n-1\n+2\n"},
    };
    Buf out;
    buf_init(&out, BUF_LIMIT);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        out.length = 0;
        buf_puts(&out, "");
        fix_diff(rows[i].path, rows[i].from == NULL ? (Str){NULL, 0} : str_of(rows[i].from),
                 str_of(rows[i].to), &out);
        CHECK_STR(out.length == 0 ? "" : out.data, rows[i].patch);
    }
    buf_free(&out);
}

// What was written is kept when the header is made again from nothing, and nothing is lost.
static void test_the_header_only_grows(void) {
    World w;
    begin(&w);
    Fix f;
    fix_open(&f, &w.f, w.words, &w.a);
    fix_use_header(&f, "hipblas/hipblas.h");
    f.lanes = f.cub = true;
    for (size_t i = 0; i < w.f.n_names; i++) f.renamed[i] = strcmp(w.f.names[i].cuda_name, "cudaMalloc") == 0;
    Str first = fix_header_text(&f, (Str){"", 0}, &w.a);
    fix_close(&f);
    CHECK(fix_is_ours(first) && strstr(first.data, "#define cudaMalloc hipMalloc\n") != NULL);
    CHECK(strstr(first.data, "#include <hipblas/hipblas.h>\n") != NULL &&
          strstr(first.data, "namespace cub = hipcub;") != NULL);
    fix_open(&f, &w.f, w.words, &w.a);
    CHECK_STR(fix_header_text(&f, first, &w.a).data, first.data);
    for (size_t i = 0; i < w.f.n_names; i++) f.renamed[i] |= strcmp(w.f.names[i].cuda_name, "cudaFree") == 0;
    Str second = fix_header_text(&f, first, &w.a);
    CHECK(strstr(second.data, "#define cudaMalloc hipMalloc\n") != NULL &&
          strstr(second.data, "#define cudaFree hipFree\n") != NULL);
    fix_close(&f);
    end(&w);
}

static const TestCase tests[] = {
    TEST(headers),
    TEST(masks),
    TEST(guards),
    TEST(votes),
    TEST(sizes_of_warps),
    TEST(build_scripts),
    TEST(deployment),
    TEST(patches),
    TEST(the_header_only_grows),
    TEST(comments_stand_where_they_change_nothing),
};

TEST_MAIN(tests)
