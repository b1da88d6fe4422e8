// The device code in the shim: every kernel against its reference, warps of 32 and 64, all families of matrix
// units, three thread orders; planted faults.
#define SHIM_PLANTS
#include "tests/shim/shim.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/kernels.h"
#include "kernels/pattern.h"
#include "kernels/reference.h"
#include "tests/check.h"

// What is wrong with the code on purpose.
typedef enum Plant {
    PLANT_NONE,
    PLANT_NO_BARRIER,
    PLANT_HALF_BARRIER,
    PLANT_WRONG_MASK,
    PLANT_LOST_LANE,
    PLANT_WIDE_MASK,
    PLANT_ONE_MORE,
    PLANT_TURNED,
    PLANT_NO_COPY_WAIT,
    PLANT_NO_PROXY_FENCE,
    PLANT_NO_SUMS_FENCE,
    PLANT_NO_PRODUCT_WAIT,
    PLANT_NO_LAST_WAIT,
    PLANT_SWIZZLE_64,
    PLANT_NO_SWIZZLE,
    PLANT_WRONG_STRIDE,
    PLANT_SCALES_TURNED
} Plant;
static Plant plant;

static void planted_barrier(int line) {
    if (plant == PLANT_NO_BARRIER) return;
    if (plant == PLANT_HALF_BARRIER && shim.current >= shim.threads / 2) return;
    shim_yield(SHIM_BARRIER, line);
}

static gk_u32 planted_exchange(gk_u32 x, gk_u32 mask, int line) {
    if (plant == PLANT_LOST_LANE && shim.current % shim.warp == 5) return x;
    gk_u32 wrong = plant == PLANT_WRONG_MASK ? mask ^ 1 : plant == PLANT_WIDE_MASK ? mask * 2 : mask;
    return shim_exchange(x, wrong, line);
}

// Two registers of A in each other's place, or its two scales.
static void shim_planted_mma(ShimMma *m) {
    if (plant == PLANT_SCALES_TURNED) m->x = m->x >> 8 | m->x << 8;
    if (plant != PLANT_TURNED) return;
    uint32_t first = m->a[0];
    m->a[0] = m->a[1], m->a[1] = first;
}

static void planted_product(int type, float *sums, size_t a, size_t b, int line) {
    size_t wrong = plant == PLANT_SWIZZLE_64     ? (size_t)3 << 62
                   : plant == PLANT_NO_SWIZZLE   ? (size_t)1 << 62
                   : plant == PLANT_WRONG_STRIDE ? (size_t)32 << 32
                                                 : 0;
    shim_wgmma(type, sums, a, b ^ wrong, line);
}

static void planted_wait(unsigned left) {
    if (plant != (left > 0 ? PLANT_NO_PRODUCT_WAIT : PLANT_NO_LAST_WAIT)) shim_wgmma_wait(left);
}

// A call that this fault leaves out.
#define UNLESS(fault, call) ((void)(plant == (fault) ? 0 : ((call), 0)))
#define gk_copy_wait() UNLESS(PLANT_NO_COPY_WAIT, shim_copy_wait(1))
#define gk_proxy_fence() UNLESS(PLANT_NO_PROXY_FENCE, shim_proxy_fence())
#define gk_wgmma_fence() UNLESS(PLANT_NO_SUMS_FENCE, shim_wgmma_fence())
#define gk_wgmma(type, sums, a, b) planted_product((type), (sums), (a), (b), __LINE__)
#define gk_wgmma_wait(left) planted_wait(left)
#define gk_barrier() planted_barrier(__LINE__)
#define gk_shuffle_xor(x, mask) planted_exchange((x), (mask), __LINE__)
#include "kernels/device/kernels.c"

typedef struct Call {
    KernelId id;
    Shape shape;
    const void *in[BUFFERS_MAX - 1];
    void *out;
} Call;

static void enter_serving(const Call *g, size_t n) {
    size_t y = g->shape.d[1], z = g->shape.d[2];
    const void *const *in = g->in;
    switch (g->id) {
    case KERNEL_GEMM_TF32: gk_gemm_tf32(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_GEMM_F16: gk_gemm_f16(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_GEMM_BF16: gk_gemm_bf16(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_GEMM_I8: gk_gemm_i8(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_GEMM_FP8: gk_gemm_fp8(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_GEMM_FP8_FNUZ: gk_gemm_fp8_fnuz(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_WGMMA_F16: gk_wgmma_f16(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_WGMMA_BF16: gk_wgmma_bf16(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_WGMMA_FP8: gk_wgmma_fp8(n, y, z, in[0], in[1], g->out); break;
    case KERNEL_GEMM_MXFP4: gk_gemm_mxfp4(n, y, z, in[0], in[1], in[2], in[3], g->out); break;
    case KERNEL_GEMV_I4: gk_gemv_i4(n, y, in[0], in[1], in[2], g->out); break;
    case KERNEL_GEMV_FP8: gk_gemv_fp8(n, y, in[0], in[1], in[2], g->out); break;
    case KERNEL_GEMV_MXFP4: gk_gemv_mxfp4(n, y, in[0], in[1], in[2], g->out); break;
    case KERNEL_PREFILL: gk_prefill(n, y, in[0], in[1], in[2], g->out); break;
    case KERNEL_DECODE_GQA: gk_decode_gqa(n, y, z, in[0], in[1], in[2], in[3], in[4], g->out); break;
    case KERNEL_DECODE_MLA: gk_decode_mla(n, y, z, in[0], in[1], in[2], in[3], g->out); break;
    case KERNEL_MOE_GATHER: gk_moe_gather(n, y, in[0], in[1], in[2], g->out); break;
    case KERNEL_ATOMICS: gk_atomics(n, y, in[0], g->out); break;
    case KERNEL_LAUNCH: gk_launch(n, in[0], g->out); break;
    default: break;
    }
}

static void enter(void *pointer) {
    const Call *g = pointer;
    size_t n = g->shape.d[0] + (plant == PLANT_ONE_MORE), columns = g->shape.d[1], depth = g->shape.d[2];
    switch (g->id) {
    case KERNEL_COPY: gk_copy(n, g->in[0], g->out); break;
    case KERNEL_SCALE: gk_scale(n, g->in[0], g->out); break;
    case KERNEL_ADD: gk_add(n, g->in[0], g->in[1], g->out); break;
    case KERNEL_TRIAD: gk_triad(n, g->in[0], g->in[1], g->out); break;
    case KERNEL_TRIAD_F64: gk_triad_f64(n, g->in[0], g->in[1], g->out); break;
    case KERNEL_READ: gk_read(n, columns, g->in[0], g->out); break;
    case KERNEL_LATENCY:
        gk_latency(g->shape.d[0] + LINE_WORDS * (plant == PLANT_ONE_MORE), g->in[0], g->out);
        break;
    case KERNEL_REDUCE: gk_reduce(n, columns, g->in[0], g->out); break;
    case KERNEL_GEMM_F32: gk_gemm(n, columns, depth, g->in[0], g->in[1], g->out); break;
    case KERNEL_GEMM_F64: gk_dgemm(n, columns, depth, g->in[0], g->in[1], g->out); break;
    case KERNEL_GEMV_BF16: gk_gemv_bf16(n, columns, g->in[0], g->in[1], g->out); break;
    case KERNEL_GEMV_I8: gk_gemv_i8(n, columns, g->in[0], g->in[1], g->in[2], g->out); break;
    case KERNEL_RMSNORM: gk_rmsnorm(n, columns, g->in[0], g->in[1], g->out); break;
    case KERNEL_SOFTMAX: gk_softmax(n, columns, g->in[0], g->out); break;
    case KERNEL_ROTARY: gk_rotary(n, columns, depth, g->in[0], g->in[1], g->out); break;
    case KERNEL_SWIGLU: gk_swiglu(n, g->in[0], g->in[1], g->out); break;
    case KERNEL_ARGMAX: gk_argmax(n, columns, g->in[0], g->out); break;
    case KERNEL_TOPK: gk_topk(n, columns, depth, g->in[0], g->out); break;
    default: enter_serving(g, n);
    }
}

// Which GPU the shim is: lanes of a warp, matrix unit.
typedef struct Machine {
    unsigned warp;
    ShimFamily family;
} Machine;
static const Machine nvidia = {32, SHIM_NV},
                     machines[] = {
                         {32, SHIM_NV}, {64, SHIM_MFMA}, {32, SHIM_WMMA3}, {32, SHIM_WMMA4}, {64, SHIM_NONE}};

// Is there such an instruction? Kernels without matrix units see only the width: two machines are enough.
static bool has(const Machine *m, KernelId id) {
    switch (id) {
    case KERNEL_GEMM_MXFP4:
    case KERNEL_GEMM_TF32: return m->family == SHIM_NV || m->family == SHIM_MFMA;
    case KERNEL_GEMM_FP8: return m->family != SHIM_WMMA3 && m->family != SHIM_NONE;  // MFMA: gfx950
    case KERNEL_GEMM_FP8_FNUZ: return m->family == SHIM_MFMA;
    case KERNEL_WGMMA_F16:
    case KERNEL_WGMMA_BF16:
    case KERNEL_WGMMA_FP8: return m->family == SHIM_NV;
    case KERNEL_DECODE_GQA:  // they have a way without
    case KERNEL_DECODE_MLA: return true;
    default:
        if (kernel_table[id].matrix_unit) return m->family != SHIM_NONE;
        return m->family == SHIM_NV || m->family == SHIM_NONE;
    }
}

static const Shape long_row = {{2, 700, 0}}, long_vocabulary = {{2, 700, TOPK_K}}, flat = {{1000}};

// Runs kernel `id`; buffers are exactly as large as they may be touched, the output between guards. NULL, or
// what is wrong.
static const char *outcome(KernelId id, const Shape *s, uint64_t seed, const Machine *m, ShimOrder order) {
    const Kernel *k = &kernel_table[id];
    Call g = {.id = id, .shape = *s};
    void *owned[BUFFERS_MAX] = {NULL};
    for (size_t i = 0; i < k->output; i++) {
        size_t n = buffer_count(&k->buffers[i], s);
        owned[i] = malloc(n * elem_size(k->buffers[i].elem));
        input_fill(k, s, i, seed, 0, n, owned[i]);
        g.in[i] = owned[i];
    }
    size_t bytes = buffer_count(&k->buffers[k->output], s) * elem_size(k->buffers[k->output].elem);
    unsigned char *raw = malloc(bytes + 2 * GUARD_BYTES);
    memset(raw, GUARD, bytes + 2 * GUARD_BYTES);
    memset(raw + GUARD_BYTES, POISON, bytes);
    g.out = raw + GUARD_BYTES;
    const char *wrong = shim_run(3, k->launch.threads, m->warp, m->family, order, enter, &g);
    if (wrong == NULL) {
        RefIn in = {k, seed, *s, kernel_roundoff(k, "amd"), {0}};
        CheckTally t = {0};
        check_outputs(&in, g.out, k->samples > 0 ? 100 : 300, &t);
        if (t.wrong > 0 || t.checked == 0) wrong = "wrong outputs";
        for (size_t i = 0; i < GUARD_BYTES; i++) {
            if (raw[i] != GUARD || raw[GUARD_BYTES + bytes + i] != GUARD) wrong = "wrote outside";
        }
    }
    for (size_t i = 0; i < k->output; i++) free(owned[i]);
    free(raw);
    return wrong;
}

static void check_right(KernelId id, const Shape *s, uint64_t seed) {
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        if (!has(&machines[i], id)) continue;
        // The addresses are the same in every order: sanitizers watch one.
        for (int order = check_sanitized() ? SHIM_SCATTERED : 0; order < SHIM_ORDERS; order++) {
            const char *wrong = outcome(id, s, seed, &machines[i], (ShimOrder)order);
            if (wrong != NULL)
                FAIL_("%s, machine %zu, order %d, seed %d: %s", kernel_table[id].name, i, order, (int)seed,
                      wrong);
        }
    }
}

// Three seeds on two sizes; the matrix units' products, which are slow here, and all under sanitizers, with one seed.
static void test_every_kernel_in_three_orders(void) {
    plant = PLANT_NONE;
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        for (size_t shape = 0; shape < 2; shape++) {
            uint64_t seeds = kernel_table[id].matrix_unit || check_sanitized() ? 1 : 3;
            for (uint64_t seed = 1; seed <= seeds; seed++)
                check_right((KernelId)id, &kernel_table[id].odd[shape], seed);
        }
    }
    check_right(KERNEL_REDUCE, &long_row, 4);
    check_right(KERNEL_RMSNORM, &long_row, 4);
    check_right(KERNEL_SOFTMAX, &long_row, 4);
    check_right(KERNEL_ARGMAX, &long_row, 4);
    check_right(KERNEL_TOPK, &long_vocabulary, 4);
}

static void enter_differ(void *args) {
    const Call *g = args;
    gk_differ(g->shape.d[0], g->in[0], g->in[1], g->out);
}

// Words that differ by one bit, at both ends and between; nothing beyond the end counts, and the counter only
// grows.
static void test_words_that_differ_are_counted(void) {
    enum { WORDS = 1001 };
    static const size_t places[] = {0, 1, 383, 384, 700, WORDS - 1};
    static gk_u32 a[WORDS + 1], b[WORDS + 1];
    gk_u32 count = 5;
    plant = PLANT_NONE;
    for (size_t i = 0; i <= WORDS; i++) a[i] = b[i] = (gk_u32)i * 2654435761u;
    b[WORDS] ^= 1;
    Call g = {.shape = {{WORDS}}, .in = {a, b}, .out = &count};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        b[places[i]] ^= 1u << (7 * i % 32);
        gk_u32 before = count;
        for (int order = 0; order < SHIM_ORDERS; order++)
            CHECK(shim_run(3, launch_differ.threads, 32, SHIM_NV, (ShimOrder)order, enter_differ, &g) ==
                  NULL);
        CHECK_INT(count - before, SHIM_ORDERS * (i + 1));
    }
}

static void enter_fill(void *args) {
    const Call *g = args;
    gk_pattern_fill(g->shape.d[0], g->shape.d[1], g->shape.d[2], 7, g->out);
}
static void enter_pattern_check(void *args) {
    const Call *g = args;
    gk_pattern_check(g->shape.d[0], g->shape.d[1], g->shape.d[2], 7, g->in[0], g->out);
}

// Each word as the host says, whatever its number; nothing beyond the end; one bit wrong counts once.
static void test_patterns_of_memory(void) {
    enum { WORDS = 1001 };
    static const uint64_t firsts[] = {0, 12345, (UINT64_C(1) << 32) - 500, UINT64_C(70) << 28};
    static gk_u32 words[WORDS + 1];
    plant = PLANT_NONE;
    for (size_t f = 0; f < COUNT_OF(firsts); f++) {
        for (size_t p = 0; p < PATTERN_STEPS; p++) {
            gk_u32 count = 3;
            Call g = {.shape = {{WORDS, (size_t)firsts[f], pattern_steps[p]}}, .out = words};
            words[WORDS] = 0xABCDu;
            CHECK(shim_run(3, launch_pattern_fill.threads, 32, SHIM_NV, (ShimOrder)(p % SHIM_ORDERS),
                           enter_fill, &g) == NULL);
            CHECK_INT(words[WORDS], 0xABCD);
            for (size_t i = 0; i < WORDS; i++)
                CHECK_INT(words[i], pattern_word(pattern_steps[p], firsts[f] + i, 7));
            Call c = {.shape = g.shape, .in = {words}, .out = &count};
            words[500] ^= 1u << p;
            CHECK(shim_run(3, launch_pattern_check.threads, 32, SHIM_NV, (ShimOrder)(f % SHIM_ORDERS),
                           enter_pattern_check, &c) == NULL);
            CHECK_INT(count, 4);
        }
    }
}

// A pattern tells places apart: words whose numbers differ in one bit alone, and each word from its inverse.
static void test_patterns_tell_addresses_apart(void) {
    for (unsigned bit = 0; bit < 37; bit++) {
        uint64_t at = 4711, other = at ^ UINT64_C(1) << bit;
        CHECK(pattern_word(PATTERN_ADDRESS, at, 0) != pattern_word(PATTERN_ADDRESS, other, 0));
        CHECK(pattern_word(PATTERN_RANDOM, at, 9) != pattern_word(PATTERN_RANDOM, other, 9));
    }
    for (size_t p = 0; p < PATTERN_STEPS; p += 2)
        CHECK_INT(pattern_word(pattern_steps[p], 99, 1) ^ pattern_word(pattern_steps[p + 1], 99, 1),
                  0xFFFFFFFF);
}

// The numbers of which device code makes others by their bits.
static void test_small_numbers_of_device_code(void) {
    uint8_t byte = 0;
    for (unsigned x = 0; x < 256; x++, byte++) {
        float scale = gk_e8m0(x), want = (float)elem_read(ELEM_E8M0, &byte, 0);
        CHECK(x == 255 ? isnan(scale) : scale == want);
        for (gk_u32 p = 0; p < 4; p++) {
            gk_u32 pair = gk_e2m1_pair((x & 15) << 4 * p | (x >> 4) << (4 * p + 16), p);
            CHECK((double)gk_half((gk_u16)pair) * 16384 == e2m1_to(x & 15));
            CHECK((double)gk_half((gk_u16)(pair >> 16)) * 16384 == e2m1_to(x >> 4));
        }
    }
}

// More than one block of queries and of the product, once on each family.
static void test_products_of_several_blocks(void) {
    static const KernelId ids[] = {KERNEL_GEMM_TF32, KERNEL_GEMM_F16,  KERNEL_GEMM_BF16,
                                   KERNEL_GEMM_I8,   KERNEL_GEMM_FP8,  KERNEL_GEMM_FP8_FNUZ,
                                   KERNEL_PREFILL,   KERNEL_WGMMA_F16, KERNEL_WGMMA_BF16,
                                   KERNEL_WGMMA_FP8, KERNEL_GEMM_MXFP4};
    plant = PLANT_NONE;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
            const char *wrong = has(&machines[m], ids[i]) ? outcome(ids[i], &kernel_table[ids[i]].odd[2], 2,
                                                                    &machines[m], SHIM_SCATTERED)
                                                          : NULL;
            if (wrong != NULL) FAIL_("%s, machine %zu: %s", kernel_table[ids[i]].name, m, wrong);
        }
    }
}

// The fault in some order, or NULL when none shows it.
static const char *caught(KernelId id, const Shape *s, Plant fault) {
    const char *found = NULL;
    plant = fault;
    for (int order = 0; order < SHIM_ORDERS && found == NULL; order++)
        found = outcome(id, s, 1, &nvidia, (ShimOrder)order);
    plant = PLANT_NONE;
    CHECK(outcome(id, s, 1, &nvidia, SHIM_FORWARD) == NULL);
    return found;
}

static void test_a_missing_barrier_is_caught(void) {
    CHECK_STR(caught(KERNEL_READ, &long_row, PLANT_NO_BARRIER), "wrong outputs");
    CHECK_STR(caught(KERNEL_REDUCE, &long_row, PLANT_NO_BARRIER), "wrong outputs");
    CHECK_STR(caught(KERNEL_GEMM_F32, &kernel_table[KERNEL_GEMM_F32].odd[1], PLANT_NO_BARRIER),
              "wrong outputs");
    CHECK_STR(caught(KERNEL_SOFTMAX, &long_row, PLANT_NO_BARRIER), "wrong outputs");
    CHECK_STR(caught(KERNEL_ARGMAX, &long_row, PLANT_NO_BARRIER), "wrong outputs");
}

static void test_a_divergent_barrier_is_caught(void) {
    CHECK(strstr(caught(KERNEL_READ, &long_row, PLANT_HALF_BARRIER), "only part of the block") != NULL);
    CHECK(strstr(caught(KERNEL_REDUCE, &long_row, PLANT_HALF_BARRIER), "only part of the block") != NULL);
    CHECK(caught(KERNEL_GEMM_F32, &kernel_table[KERNEL_GEMM_F32].odd[1], PLANT_HALF_BARRIER) != NULL);
}

static void test_a_wrong_lane_mask_is_caught(void) {
    CHECK_STR(caught(KERNEL_REDUCE, &long_row, PLANT_WRONG_MASK), "wrong outputs");
    CHECK_STR(caught(KERNEL_GEMV_BF16, &long_row, PLANT_WRONG_MASK), "wrong outputs");
    CHECK_STR(caught(KERNEL_GEMV_I8, &long_row, PLANT_WIDE_MASK), "an exchange with a lane outside the warp");
    CHECK(caught(KERNEL_ARGMAX, &long_row, PLANT_WRONG_MASK) != NULL);
}

static void test_an_exchange_without_all_lanes_is_caught(void) {
    CHECK(caught(KERNEL_GEMV_BF16, &long_row, PLANT_LOST_LANE) != NULL);
    CHECK(caught(KERNEL_REDUCE, &long_row, PLANT_LOST_LANE) != NULL);
}

// One element too many: AddressSanitizer ends the process where it looks, the guards show it elsewhere.
static void test_an_off_by_one_is_caught(void) {
    static const KernelId ids[] = {KERNEL_COPY, KERNEL_TRIAD, KERNEL_SWIGLU, KERNEL_LATENCY};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const Shape *s = ids[i] == KERNEL_LATENCY ? &kernel_table[KERNEL_LATENCY].odd[1] : &flat;
        fflush(NULL);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            close(STDERR_FILENO);
            _exit(caught(ids[i], s, PLANT_ONE_MORE) != NULL ? 42 : 0);
        }
        int status = 0;
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK(WIFEXITED(status));
        if (WEXITSTATUS(status) != 42 && WEXITSTATUS(status) != 99)
            FAIL_("%s: an off-by-one went unseen", kernel_table[ids[i]].name);
    }
}

// Rows in each other's place: no product of 16 rows or more survives it.
static void test_turned_registers_are_caught(void) {
    static const KernelId ids[] = {KERNEL_GEMM_TF32, KERNEL_GEMM_F16, KERNEL_GEMM_BF16, KERNEL_GEMM_I8,
                                   KERNEL_GEMM_FP8,  KERNEL_PREFILL,  KERNEL_GEMM_MXFP4};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        CHECK_STR(caught(ids[i], &kernel_table[ids[i]].odd[1], PLANT_TURNED), "wrong outputs");
    CHECK_STR(caught(KERNEL_GEMM_MXFP4, &kernel_table[KERNEL_GEMM_MXFP4].odd[1], PLANT_SCALES_TURNED),
              "wrong outputs");
}

static void test_barriers_around_matrix_units_count(void) {
    CHECK(caught(KERNEL_GEMM_BF16, &kernel_table[KERNEL_GEMM_BF16].odd[1], PLANT_NO_BARRIER) != NULL);
    CHECK(caught(KERNEL_PREFILL, &kernel_table[KERNEL_PREFILL].odd[1], PLANT_NO_BARRIER) != NULL);
    CHECK(caught(KERNEL_DECODE_GQA, &kernel_table[KERNEL_DECODE_GQA].odd[1], PLANT_NO_BARRIER) != NULL);
    CHECK(caught(KERNEL_DECODE_MLA, &kernel_table[KERNEL_DECODE_MLA].odd[1], PLANT_NO_BARRIER) != NULL);
}

// The products of several stages: what is missing or wrong shows in some order.
static void test_faults_of_warpgroups_are_caught(void) {
    static const Shape two_stages = {{70, 40, 80}}, six_stages = {{66, 20, 328}};
    static const Plant wrong[] = {PLANT_NO_COPY_WAIT, PLANT_NO_PROXY_FENCE, PLANT_NO_LAST_WAIT,
                                  PLANT_SWIZZLE_64,   PLANT_NO_SWIZZLE,     PLANT_WRONG_STRIDE};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (caught(KERNEL_WGMMA_BF16, &two_stages, wrong[i]) == NULL)
            FAIL_("fault %d went unseen", (int)wrong[i]);
    }
    CHECK_STR(caught(KERNEL_WGMMA_BF16, &six_stages, PLANT_NO_PRODUCT_WAIT), "wrong outputs");
    CHECK_STR(caught(KERNEL_WGMMA_BF16, &six_stages, PLANT_NO_BARRIER), "wrong outputs");
    CHECK_STR(caught(KERNEL_WGMMA_BF16, &two_stages, PLANT_NO_SUMS_FENCE),
              "a product before its sums are fenced");
}

static void test_families_are_numbered_alike(void) {
    CHECK_INT(SHIM_NV, GK_NV);
    CHECK_INT(SHIM_MFMA, GK_MFMA);
    CHECK_INT(SHIM_WMMA3, GK_WMMA3);
    CHECK_INT(SHIM_WMMA4, GK_WMMA4);
    CHECK_INT(SHIM_I8, GK_I8);
}

static const TestCase tests[] = {TEST(products_of_several_blocks),
                                 TEST(every_kernel_in_three_orders),
                                 TEST(a_missing_barrier_is_caught),
                                 TEST(a_divergent_barrier_is_caught),
                                 TEST(a_wrong_lane_mask_is_caught),
                                 TEST(an_exchange_without_all_lanes_is_caught),
                                 TEST(an_off_by_one_is_caught),
                                 TEST(turned_registers_are_caught),
                                 TEST(barriers_around_matrix_units_count),
                                 TEST(families_are_numbered_alike),
                                 TEST(small_numbers_of_device_code),
                                 TEST(faults_of_warpgroups_are_caught),
                                 TEST(words_that_differ_are_counted),
                                 TEST(patterns_of_memory),
                                 TEST(patterns_tell_addresses_apart)};
TEST_MAIN(tests)
