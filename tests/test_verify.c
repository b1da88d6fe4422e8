// Verifying a kernel on a back end of which we know what is wrong with it; bits and their distances; runs of a batch.
#include "kernels/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu.h"
#include "kernels/gpu_differ.h"
#include "kernels/measure.h"
#include "tests/check.h"

typedef enum Fault {
    FAULT_NONE,
    FAULT_ODD_BIT,
    FAULT_SECOND_RUN,
    FAULT_LOST_NAN,
    FAULT_FLUSHED,
    FAULT_STRAY
} Fault;

// The native kernels, with a fault.
typedef struct Bench {
    Cpu cpu;
    KernelId id;
    Fault fault;
    unsigned runs;
    CpuArgs args;
    void *in[BUFFERS_MAX - 1];
    void *out;
    size_t out_bytes;
} Bench;

static void clear(Bench *b) {
    for (size_t i = 0; i < BUFFERS_MAX - 1; i++) free(b->in[i]), b->in[i] = NULL;
    free(b->out);
    b->out = NULL;
}

static bool prepare(void *job, const Shape *s, uint64_t seed, const Special *special, Err *e) {
    Bench *b = job;
    const Kernel *k = &kernel_table[b->id];
    (void)e;
    clear(b);
    b->args = (CpuArgs){.shape = *s};
    for (size_t i = 0; i < k->output; i++) {
        size_t n = buffer_count(&k->buffers[i], s);
        b->in[i] = malloc(n * elem_size(k->buffers[i].elem));
        input_fill(k, s, i, seed, 0, n, b->in[i]);
        if (special->set && special->buffer == i)
            elem_write(k->buffers[i].elem, b->in[i], special->index, (float)special->value);
        b->args.in[i] = b->in[i];
    }
    b->out_bytes = buffer_count(&k->buffers[k->output], s) * elem_size(k->buffers[k->output].elem);
    b->args.out = b->out = malloc(b->out_bytes);
    return true;
}

static bool run(void *job, const void **ret_output, size_t *ret_bytes, bool *ret_guards, Err *e) {
    Bench *b = job;
    float *out = b->out;
    (void)e;
    cpu_run(&b->cpu, b->id, &b->args);
    b->runs++;
    for (size_t i = 0; i < b->out_bytes / sizeof *out; i++) {
        if (b->fault == FAULT_LOST_NAN && isnan(out[i])) out[i] = 0;
        if (b->fault == FAULT_FLUSHED && out[i] != 0 && fabsf(out[i]) < 0x1p-126f) out[i] = 1e-30f;
    }
    if (b->fault == FAULT_ODD_BIT) ((uint32_t *)b->out)[0] ^= 0x400000;
    if (b->fault == FAULT_SECOND_RUN && b->runs % 2 == 0) ((uint32_t *)b->out)[b->out_bytes / 4 - 1] ^= 1;
    *ret_output = b->out;
    *ret_bytes = b->out_bytes;
    *ret_guards = b->fault != FAULT_STRAY;
    return true;
}

static BenchResult verified(KernelId id, Fault fault, Arena *a) {
    Err e = {0};
    Bench b = {.id = id, .fault = fault};
    BenchResult r = {.error = "", .bits = ""};
    VerifyBackend backend = {&b,   &kernel_table[id], kernel_roundoff(&kernel_table[id], "cpu"), prepare, run,
                             false};
    CHECK(cpu_open(NULL, &b.cpu, &e));
    CHECK(bench_verify(&backend, NULL, 1, a, &r, &e));
    clear(&b);
    cpu_close(&b.cpu);
    return r;
}

static void test_every_kernel_takes_special_numbers(void) {
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        Arena a = {0};
        BenchBits bits;
        Err e = {0};
        BenchResult r = verified((KernelId)id, FAULT_NONE, &a);
        if (!r.verified) FAIL_("%s: %s", kernel_table[id].name, r.error);
        CHECK(bits_parse(str_of(r.bits), &bits, &e));
        for (size_t i = 0; i < bits.n; i += 7)
            CHECK(bits_right(&kernel_table[id], i, bits.words[i], kernel_roundoff(&kernel_table[id], "cpu")));
        arena_free(&a);
    }
}

static void check_fault(KernelId id, Fault fault, const char *words) {
    Arena a = {0};
    BenchResult r = verified(id, fault, &a);
    CHECK(!r.verified);
    CHECK_STR(r.verdict, "wrong");
    if (strstr(r.error, words) == NULL) FAIL_("'%s' is not in '%s'", words, r.error);
    arena_free(&a);
}

static void test_faults_are_named(void) {
    check_fault(KERNEL_TRIAD, FAULT_ODD_BIT, "checked outputs are wrong: output 0");
    check_fault(KERNEL_GEMM_F32, FAULT_SECOND_RUN, "different bits");
    check_fault(KERNEL_GEMM_F32, FAULT_LOST_NAN, "with NaN in an input");
    check_fault(KERNEL_COPY, FAULT_FLUSHED, "with a denormal number in an input");
    check_fault(KERNEL_SOFTMAX, FAULT_STRAY, "wrote outside");
}

static void test_bits_that_are_none(void) {
    static const char *const bad[] = {"",
                                      "0",
                                      "0123456789abcdef 0123456789abcdef",
                                      "0123456789abcdef 0123456789abcde 00000000",
                                      "0123456789abcdef 0123456789abcdef 0000000g",
                                      "0123456789ABCDEF 0123456789abcdef 00000000",
                                      "0123456789abcdef 0123456789abcdef 00000000 "};
    BenchBits bits;
    Err e = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (bits_parse(str_of(bad[i]), &bits, &e)) FAIL_("'%s' was taken", bad[i]);
    }
    CHECK(bits_parse(str_of("0123456789abcdef fedcba9876543210 3f800000 bf800000"), &bits, &e));
    CHECK_INT(bits.n, 2);
    CHECK_INT(bits.words[1], 0xBF800000);
    CHECK(bits.outputs == UINT64_C(0xFEDCBA9876543210));
}

static void test_ulps_are_steps(void) {
    CHECK_NEAR(ulps_between(0x3FF0000000000000, 0x3FF0000000000003, true), 3, 0);
    CHECK_NEAR(ulps_between(0x8000000000000002, 1, true), 3, 0);
    CHECK_NEAR(ulps_between(0x7FF8000000000000, 0x3FF0000000000000, true), UINT32_MAX, 0);
    CHECK_NEAR(ulps_between(0x3F800000, 0x3F800001, false), 1, 0);
    CHECK_NEAR(ulps_between(0x80000000, 0, false), 0, 0);
    CHECK_NEAR(ulps_between(0x80000001, 1, false), 2, 0);
    CHECK_NEAR(ulps_between(0x7F800000, 0x7F7FFFFF, false), 1, 0);
    CHECK_NEAR(ulps_between(0x7FC00000, 0xFFC00001, false), 0, 0);
    CHECK_NEAR(ulps_between(0x7FC00000, 0x3F800000, false), UINT32_MAX, 0);
}

// Halves between two numbers go to the even one; all bytes come back as they were.
static void test_small_floats(void) {
    static const Elem types[] = {ELEM_E4M3, ELEM_E4M3_FNUZ, ELEM_E8M0, ELEM_F16};
    void *cell = malloc(8), *back = malloc(8);
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        size_t size = elem_size(types[t]);
        for (unsigned x = 0; x < 1u << 8 * size; x++) {
            uint16_t half = (uint16_t)x;
            uint8_t byte = (uint8_t)x;
            memcpy(cell, size == 1 ? (const void *)&byte : &half, size);
            float value = (float)elem_read(types[t], cell, 0), same = 0;
            elem_write(types[t], back, 0, value);
            elem_floats(types[t], cell, 0, 1, &same);
            CHECK(isnan(value) ? isnan(same) && isnan(elem_read(types[t], back, 0))
                               : same == value && memcmp(cell, back, size) == 0);
        }
    }
    free(cell);
    free(back);
    CHECK(elem_round(ELEM_E4M3, 448) == 448 && elem_round(ELEM_E4M3, 1e9f) == 448 &&
          elem_round(ELEM_E4M3_FNUZ, -1e9f) == -240);
    CHECK(elem_round(ELEM_E4M3, 17) == 16 && elem_round(ELEM_E4M3, 19) == 20 &&
          elem_round(ELEM_E4M3, 18) == 18);
    CHECK(elem_round(ELEM_F16, 65519) == 65504 && isinf(elem_round(ELEM_F16, 65520)));
    CHECK(elem_round(ELEM_TF32, 1.00048828125f) == 1 && elem_round(ELEM_TF32, 1.00146484375f) == 1.001953125);
    CHECK(elem_round(ELEM_E8M0, 0) == 0x1p-127 && elem_round(ELEM_E8M0, 1.4f) == 1 &&
          elem_round(ELEM_E8M0, 1.5f) == 2 && elem_round(ELEM_E8M0, INFINITY) == 0x1p127);
    CHECK(e2m1_to(1) == 0.5 && e2m1_to(15) == -6 && e2m1_to(5) == 3 && signbit(e2m1_to(8)));
    CHECK(elem_round(ELEM_E4M3_FNUZ, 0x1p-10f) == 0x1p-10 && elem_round(ELEM_E4M3, 0x1p-9f) == 0x1p-9);
}

// One of 132 multiprocessors, whichever: it has a part of every product and vector of a quick run, and the run in other
// blocks gives that part to another one.
static void test_every_multiprocessor_shows(void) {
    enum { UNITS = 132, A_UNIT = 2048 };
    static const size_t sets_mib[] = {72, 256, 512};
    for (size_t i = 0; i < COUNT_OF(sets_mib) * KERNEL_COUNT; i++) {
        KernelId id = (KernelId)(i % KERNEL_COUNT);
        const Kernel *k = &kernel_table[id];
        Shape s =
            kernel_shape(id, sets_mib[i / KERNEL_COUNT] << 20, kernel_filling_side(k, 2048, 8192, UNITS));
        size_t parts = kernel_blocks(k, &s), most = (size_t)UNITS * (A_UNIT / k->launch.threads);
        size_t grid = parts < most ? parts : most, other = gpu_differ_blocks((unsigned)grid, UNITS);
        for (size_t unit = 0; id != KERNEL_LATENCY && id != KERNEL_LAUNCH && unit < UNITS; unit++) {
            size_t moved = 0;
            for (size_t p = 0; p < parts; p++)
                moved += (p % grid % UNITS == unit) != (p % other % UNITS == unit);
            if (moved == 0) FAIL_("%s: multiprocessor %zu of %d goes unseen", k->name, unit, UNITS);
        }
    }
}

// Whatever a clock says, the clock of a driver that lies included.
static void test_a_batch_has_so_many_runs(void) {
    static const BenchTimes times = {.batch = 0.010};
    CHECK_INT(bench_batch_runs(&times, 0.020), 1);
    CHECK_INT(bench_batch_runs(&times, 0.010), 1);
    CHECK_INT(bench_batch_runs(&times, 0.003), 4);
    CHECK_INT(bench_batch_runs(&times, 1e-9), 10000000);
    CHECK_INT(bench_batch_runs(&times, 1e-48), 10000000);
    CHECK_INT(bench_batch_runs(&times, 0), 1);
    CHECK_INT(bench_batch_runs(&times, (double)NAN), 1);
    CHECK_INT(bench_batch_runs(&times, (double)INFINITY), 1);
}

static const TestCase tests[] = {TEST(a_batch_has_so_many_runs),
                                 TEST(every_multiprocessor_shows),
                                 TEST(every_kernel_takes_special_numbers),
                                 TEST(faults_are_named),
                                 TEST(bits_that_are_none),
                                 TEST(ulps_are_steps),
                                 TEST(small_floats)};
TEST_MAIN(tests)
