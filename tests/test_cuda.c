// C, C++ and CUDA: every rule fires on what it is for and not on what only looks like it.
#include <string.h>

#include "src/migrate/cuda.h"
#include "src/migrate/effort_sum.h"
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

// Further ones than those of data/cuda_patterns.tsv, and those of rules that have no pattern.
static const Example further[] = {
    {"api-gone", "cuFuncSetSharedMemConfig(f, c);\n", "funcSetSharedMemConfig(f, c);\n"},
    {"api-later", "cudaStreamGetAttribute(a);\n", "cudaMalloc(&p, 4);\n"},
    {"api-rename", "void f() { cudaMalloc(&p, 4); }\n",
     "// cudaMalloc\nvoid f() { log(\"cudaMalloc failed\"); }\n"},
    {"api-rename", "x = cudaDataType::CUDA_R_16BF;\n", "x = my::CUDA_R_16BF;\n"},
    {"api-string", "const char *s = \"cudaMalloc\";\n", "log(\"cudaMalloc failed\");\n"},
    {"api-unknown", "void f() { cudaNotYetKnown(1); }\n", "void f() { x.cudaNotYetKnown(1); }\n"},
    {"api-unmapped", "x = CUDA_ARRAY3D_2DARRAY;\n", "// CUDA_ARRAY3D_2DARRAY\nx = ARRAY3D_2DARRAY;\n"},
    {"ballot-popc32", BODY("int c = __popc(mask);"), BODY("int c = __popc(bits);")},
    {"coop-groups-basic", "namespace cg = cooperative_groups;\n", "namespace cg = other_groups;\n"},
    {"cuda-arch-guard", "#if defined(OTHER) && __CUDA_ARCH__ >= 800\n#endif\n",
     "#if !defined(GGML_USE_HIP) && __CUDA_ARCH__ >= 800 || CDNA3\n#endif\n#if __CUDA_ARCH__ >= 700 || "
     "defined(USE_ROCM)\n#endif\n"},
    {"device-props", "__global__ void k();\nint m = prop.major;\n", "int m = version.major;\n"},
    {"device-props", "__global__ void k();\nint m = p->minor;\n",
     "__global__ void k();\nint m = version.major;\n"},
    {"dlsym-driver", "void *h = dlopen(\"libcuda.so.1\", 1);\n", "void *h = dlopen(\"libm.so\", 1);\n"},
    {"dlsym-driver", "dlsym(h, \"cuMemAlloc_v2\");\n", "dlsym(h, \"malloc\");\n"},
    {"dynamic-parallelism", BODY("child<<<1, 1>>>(x);"),
     "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); }\n"},
    {"fp-atomics", BODY("atomicAdd((double *)x, 1.0);"), BODY("atomicAdd(count, 1);")},
    {"acc-pragma", "#pragma acc parallel loop\nfor (;;) f();\n", "#pragma omp parallel for\nfor (;;) f();\n"},
    {"grid-over-2e32", "void f() { k<<<4194304, 1024>>>(x); }\n",
     "void f() { k<<<4194303, 1024>>>(x); k<<<n, 1024>>>(x); }\n"},
    {"grid-over-2e32", "void f() { k<<<dim3(0x800000, 2), dim3(512, 2)>>>(x); }\n",
     "void f() { k<<<dim3(65535, 65535), dim3(32, 32)>>>(x); }\n"},
    {"implicit-warp-sync", BODY("volatile float *smem = x;"), BODY("volatile float *out = x;")},
    {"kernel-launch", "void f() { ns::k<int, 3><<<dim3(1),\n  4>>>(x); }\n",
     "int y = a << 3;\n<<<<<<< HEAD\n=======\n>>>>>>> x\n"},
    {"lane-arith-32", BODY("int l = threadIdx.x & 31;"), "int l = tid & 31;\n"},
    {"lane-arith-32", BODY("int w = threadIdx.x >> 5;"), BODY("int w = count >> 5;")},
    {"lane-shift-int", BODY("unsigned b = 1u << lane;"), BODY("auto b = 1ull << lane;")},
    {"launch-bounds-2", "__global__ void __launch_bounds__(256, 2) k() {}\n",
     "__global__ void __launch_bounds__(max(1, 2)) k() {}\n"},
    {"nccl", "ncclComm_t c;\n", "auto nccl_comm = nccl_id;\n"},
    {"not-cuda-guard", "#if !defined(USE_CUDA)\n#endif\n", "#if defined(USE_CUDA)\n#endif\n"},
    {"ptx-asm", BODY("asm(\"foo.b32 %0, 1;\" : \"=r\"(y));"),
     "void f() { asm volatile(\"pause\" ::: \"memory\"); }\n"},
    {"shared-32-slots", BODY("__shared__ float s[32];"),
     BODY("__shared__ float s[32][33];\n__shared__ float tile[128][32];")},
    {"shared-32-slots", BODY("__shared__ float s[2][32];"), BODY("__shared__ float s[N];")},
    {"shuffle-tree-16", BODY("for (int o = 16; o > 0; o >>= 1) x[0] += o;"),
     BODY("for (int o = 0; o < 16; o++) x[0] += o;")},
    {"sm-hardcode", "__global__ void k();\nif (prop.major >= 8) f();\n", "if (version.major >= 8) f();\n"},
    {"sm-hardcode",
     "__global__ void k();\ncudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);\nif (major "
     "== 10 && minor > 0) f();\n",
     "__global__ void k();\ncusparseGetVersion(h, &version);\nint major = version / 1000;\nif (major == 12 "
     "&& minor > 0 || major > 9) f();\n"},
    {"sm-hardcode", "__global__ void k();\nif (major >= 8) f();\n",
     "__global__ void k();\nif (major >= 12) f();\n"},
    {"texture-reference", "texture<float, cudaTextureType2D, cudaReadModeElementType> image;\n",
     "my::texture<float, 2> image;\n"},
    {"texture-reference", "__global__ void k();\ntexture<uint2, 1> image;\n", "texture<float, 2> image;\n"},
    {"token-paste-api", "#define CALL(x) cuda##x\n", "#define CALL(x) my##x\n"},
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
};

static void check_example(const World *w, const Example *x) {
    const CWords *words = strcmp(x->rule, "api-later") == 0 ? w->old : w->lanes64;
    Seen s;
    scan(w, words, x->fires, false, &s);
    if (count(&s, x->rule) == 0) CHECK_STR(x->fires, x->rule);
    scan(w, words, x->quiet, false, &s);
    if (count(&s, x->rule) != 0) CHECK_STR(x->quiet, x->rule);
}

static void test_every_rule_fires_and_keeps_quiet(void) {
    World w;
    begin(&w);
    for (size_t i = 0; i < COUNT_OF(further); i++) check_example(&w, &further[i]);
    for (size_t i = 0; i < w.f.n_cuda_patterns; i++) {
        const CudaPattern *p = &w.f.cuda_patterns[i];
        if ((p->fires[0] == '\0') != (p->quiet[0] == '\0'))
            FAIL_("cuda_patterns.tsv: line %zu: an example needs fires and quiet", p->line);
        if (p->fires[0] != '\0')
            check_example(
                &w, &(Example){p->rule, shipped_example(&w.a, p->fires), shipped_example(&w.a, p->quiet)});
    }
    end(&w);
}

static void test_every_rule_has_examples(void) {
    World w;
    begin(&w);
    for (size_t i = 0; i < w.f.n_rules; i++) {
        const PortRule *r = &w.f.rules[i];
        bool shown = r->area != AREA_SOURCE;
        for (size_t k = 0; k < COUNT_OF(further); k++) shown = shown || strcmp(further[k].rule, r->rule) == 0;
        for (size_t k = 0; k < w.f.n_cuda_patterns; k++) {
            const CudaPattern *p = &w.f.cuda_patterns[k];
            shown = shown || (p->fires[0] != '\0' && strcmp(p->rule, r->rule) == 0);
        }
        if (!shown) FAIL_("no example of %s in data/cuda_patterns.tsv", r->rule);
    }
    end(&w);
}

static void test_bad_rows_are_refused_by_line(void) {
    static const PortRule rules[] = {{.rule = "ptx-x", .port_class = PORT_MANUAL}};
    static const struct {
        CudaPattern row;
        const char *error;
    } cases[] = {
        {{.rule = "ptx-y", .text = "x", .needs = ""}, "no rule 'ptx-y' in cuda_constructs.tsv"},
        {{.rule = "ptx-x", .text = "x", .needs = "cuda gpu"}, "column 'needs': 'gpu' is no word of it"},
        {{.rule = "ptx-x", .place = PLACE_HEADER, .text = "x.h", .needs = "cuda"},
         "column 'needs': for words alone"},
        {{.rule = "ptx-x", .text = "x*", .needs = ""},
         "column 'text': not two characters before its first sign"},
        {{.rule = "ptx-x", .place = PLACE_QUALIFIED, .text = "cub", .needs = ""},
         "column 'text': no '::' in it"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        CudaPattern rows[2] = {{.rule = "ptx-x", .text = "good", .needs = "cuda call"}, cases[i].row};
        rows[1].line = 17;
        PortingFacts f = {.rules = rules, .n_rules = 1, .cuda_patterns = rows, .n_cuda_patterns = 2};
        Arena a = {0};
        CWords *words = NULL;
        Err e = {0};
        CHECK(!cuda_words(&f, "7.2", true, &a, &words, &e));
        CHECK_STR(e.text, arena_printf(&a, "'cuda_patterns.tsv': line 17: %s", cases[i].error));
        f.n_cuda_patterns = 1;
        CHECK(cuda_words(&f, "7.2", true, &a, &words, &e));
        arena_free(&a);
    }
}

static void test_signs_name_libraries_and_rules(void) {
    World w;
    begin(&w);
    for (size_t i = 0; i < w.f.n_library_signs; i++) {
        const LibrarySign *s = &w.f.library_signs[i];
        bool library = false;
        for (size_t k = 0; k < w.f.n_libraries; k++)
            library = library || strcmp(w.f.libraries[k].cuda_name, s->library) == 0;
        if (!library || rule_find(&w.f, s->rule) == NULL)
            FAIL_("library_signs.tsv: line %zu: no %s '%s'", s->line, library ? "rule" : "library",
                  library ? s->rule : s->library);
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
    TEST(bad_rows_are_refused_by_line),     TEST(signs_name_libraries_and_rules),
    TEST(lanes_matter_on_64_only),          TEST(guards_for_amd_are_not_counted),
    TEST(launches_and_names_in_place),      TEST(release_of_the_target_matters),
};

TEST_MAIN(tests)
