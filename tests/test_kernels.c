// The table of kernels and the native CPU kernels against the references: every instruction set, odd sizes,
// three seeds.
#include <math.h>
#include <stdint.h>

#include "kernels/cpu.h"
#include "kernels/reference.h"
#include "kernels/sysfs.h"
#include "tests/check.h"

typedef struct Buffers {
    void *in[BUFFERS_MAX - 1];
    unsigned char *raw;  // guard, output, guard
    void *out;
    size_t in_bytes[BUFFERS_MAX - 1], out_bytes, raw_bytes;
} Buffers;

static Buffers buffers_for(const Cpu *cpu, const Kernel *k, const Shape *s, uint64_t seed) {
    Err e = {0};
    Buffers b = {0};
    for (size_t i = 0; i < k->output; i++) {
        b.in_bytes[i] = buffer_count(&k->buffers[i], s) * elem_size(k->buffers[i].elem);
        b.in[i] = pages_map(b.in_bytes[i], &e);
        CHECK(b.in[i] != NULL);
        cpu_fill(cpu, k, s, i, seed, b.in[i]);
    }
    b.out_bytes = buffer_count(&k->buffers[k->output], s) * elem_size(k->buffers[k->output].elem);
    b.raw_bytes = b.out_bytes + 2 * GUARD_BYTES;
    b.raw = pages_map(b.raw_bytes, &e);
    CHECK(b.raw != NULL);
    memset(b.raw, GUARD, b.raw_bytes);
    b.out = b.raw + GUARD_BYTES;
    memset(b.out, POISON, b.out_bytes);
    return b;
}

static void buffers_free(Buffers *b) {
    for (size_t i = 0; i < BUFFERS_MAX - 1; i++) pages_unmap(b->in[i], b->in_bytes[i]);
    pages_unmap(b->raw, b->raw_bytes);
}

static CpuArgs args_of(const Buffers *b, const Shape *s) {
    CpuArgs a = {.out = b->out, .shape = *s};
    for (size_t i = 0; i < BUFFERS_MAX - 1; i++) a.in[i] = b->in[i];
    return a;
}

static void check_guards(const Buffers *b, const char *name) {
    for (size_t i = 0; i < GUARD_BYTES; i++) {
        if (b->raw[i] != GUARD || b->raw[b->raw_bytes - 1 - i] != GUARD)
            FAIL_("%s wrote outside its output", name);
    }
}

enum { SHAPES = 3, LARGEST = 2 };

// References in double take most of the time: the largest shape, which has outputs enough, gets one seed for each set of
// instructions, another for each; and an emulator one for all.
static uint64_t seeds(size_t shape) {
    return shape == LARGEST || getenv("GPUADVISE_ONE_SEED") != NULL ? 1 : 3;
}

static void check_kernel(const Cpu *cpu, size_t set, KernelId id) {
    const Kernel *k = &kernel_table[id];
    for (size_t shape = 0; shape < SHAPES; shape++) {
        for (uint64_t seed = 1 + set; seed < 1 + set + seeds(shape); seed++) {
            Buffers b = buffers_for(cpu, k, &k->odd[shape], seed);
            CpuArgs a = args_of(&b, &k->odd[shape]);
            cpu_run(cpu, id, &a);
            RefIn in = {
                .kernel = k, .seed = seed, .shape = k->odd[shape], .roundoff = kernel_roundoff(k, "cpu")};
            CheckTally t = {0};
            check_outputs(&in, b.out, k->samples > 0 ? 4 * k->samples : 2000, &t);
            if (t.wrong > 0) {
                FAIL_("%s %s, shape %zu, seed %d: output %zu is %.9g, want %.9g (%zu of %zu wrong, %g of the "
                      "bound)",
                      cpu->ops->isa, k->name, shape, (int)seed, t.first_wrong, t.got, t.want, t.wrong,
                      t.checked, t.max_of_bound);
            }
            CHECK(t.checked > 0);
            check_guards(&b, k->name);
            buffers_free(&b);
        }
    }
}

static void test_native_kernels_fit_the_references(void) {
    Err e = {0};
    size_t sets = 0;
    for (size_t i = 0; cpu_ops(i) != NULL; i++, sets++) {
        Cpu cpu;
        CHECK(cpu_open(cpu_ops(i), &cpu, &e));
        for (size_t id = 0; id < KERNEL_COUNT; id++) check_kernel(&cpu, i, (KernelId)id);
        cpu_close(&cpu);
    }
    CHECK(sets >= 1);
}

// Scales at the ends of e8m0: NaN, one whose sums still are numbers of fp32, the two least (the last is below
// fp32's normal numbers).
static void test_scales_of_microscaling(void) {
    static const uint8_t scales[] = {0xFF, 0xF8, 1, 0};
    const Kernel *k = &kernel_table[KERNEL_GEMV_MXFP4];
    const Shape *s = &k->odd[1];
    Err e = {0};
    for (size_t i = 0; cpu_ops(i) != NULL; i++) {
        for (size_t j = 0; j < sizeof scales; j++) {
            Cpu cpu;
            CHECK(cpu_open(cpu_ops(i), &cpu, &e));
            Buffers b = buffers_for(&cpu, k, s, 1);
            CpuArgs a = args_of(&b, s);
            RefIn in = {.kernel = k,
                        .seed = 1,
                        .shape = *s,
                        .roundoff = kernel_roundoff(k, "cpu"),
                        .special = {true, 2, 4, elem_read(ELEM_E8M0, scales, j)}};
            CheckTally t = {0};
            ((uint8_t *)b.in[2])[4] = scales[j];
            cpu_run(&cpu, KERNEL_GEMV_MXFP4, &a);
            check_outputs(&in, b.out, 100, &t);
            CHECK_INT(t.checked, 3);
            CHECK_INT(t.wrong, 0);
            if (j == 0) CHECK(isnan(((float *)b.out)[1]) && !isnan(((float *)b.out)[0]));
            buffers_free(&b);
            cpu_close(&cpu);
        }
    }
}

// One output off by more than its bound, one left as it was, is found in every kernel: the check can fail.
static void test_a_wrong_output_is_found(void) {
    Err e = {0};
    Cpu cpu;
    CHECK(cpu_open(NULL, &cpu, &e));
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        const Kernel *k = &kernel_table[id];
        const Shape *s = &k->odd[1];
        Buffers b = buffers_for(&cpu, k, s, 1);
        CpuArgs a = args_of(&b, s);
        RefIn in = {.kernel = k, .seed = 1, .shape = *s, .roundoff = kernel_roundoff(k, "cpu")};
        CheckTally untouched = {0}, right = {0}, wrong = {0}, other = {0};
        size_t samples = k->samples > 0 ? 4 * k->samples : 2000;
        check_outputs(&in, b.out, samples, &untouched);
        CHECK_INT(untouched.wrong, untouched.checked);  // poison is never right
        cpu_run(&cpu, (KernelId)id, &a);
        check_outputs(&in, b.out, samples, &right);
        CHECK_INT(right.wrong, 0);
        size_t size = elem_size(k->buffers[k->output].elem);
        unsigned char *last = (unsigned char *)b.out + b.out_bytes - size;
        last[size - 1] ^= 0x40;  // an exponent bit, or a high bit of a number
        check_outputs(&in, b.out, samples, &wrong);
        CHECK_INT(wrong.wrong, 1);
        in.seed = 2;
        check_outputs(&in, b.out, samples, &other);
        CHECK(other.wrong > 0 || id == KERNEL_ARGMAX);
        buffers_free(&b);
    }
    cpu_close(&cpu);
}

static void test_runs_give_the_same_bits(void) {
    Err e = {0};
    Cpu cpu;
    CHECK(cpu_open(NULL, &cpu, &e));
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        const Kernel *k = &kernel_table[id];
        Buffers x = buffers_for(&cpu, k, &k->odd[2], 7), y = buffers_for(&cpu, k, &k->odd[2], 7);
        CpuArgs a = args_of(&x, &k->odd[2]), b = args_of(&y, &k->odd[2]);
        cpu_run(&cpu, (KernelId)id, &a);
        cpu_run(&cpu, (KernelId)id, &b);
        CHECK(memcmp(x.out, y.out, x.out_bytes) == 0);
        buffers_free(&x);
        buffers_free(&y);
    }
    cpu_close(&cpu);
}

static void test_nan_and_infinity_propagate(void) {
    static const KernelId ids[] = {KERNEL_COPY,    KERNEL_SCALE,   KERNEL_ADD,
                                   KERNEL_TRIAD,   KERNEL_REDUCE,  KERNEL_GEMM_F32,
                                   KERNEL_RMSNORM, KERNEL_SOFTMAX, KERNEL_SWIGLU};
    Err e = {0};
    for (size_t set = 0; cpu_ops(set) != NULL; set++) {
        Cpu cpu;
        CHECK(cpu_open(cpu_ops(set), &cpu, &e));
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
            const Kernel *k = &kernel_table[ids[i]];
            Buffers b = buffers_for(&cpu, k, &k->odd[1], 1);
            CpuArgs a = args_of(&b, &k->odd[1]);
            size_t at = buffer_count(&k->buffers[0], &k->odd[1]) - 1;
            ((float *)b.in[0])[at] = NAN;
            cpu_run(&cpu, ids[i], &a);
            const float *out = b.out;
            size_t n = b.out_bytes / sizeof *out;
            if (!isnan(out[n - 1])) FAIL_("%s %s: NaN was lost", cpu.ops->isa, k->name);
            if (n > 1 && isnan(out[0])) FAIL_("%s %s: NaN reached another row", cpu.ops->isa, k->name);
            buffers_free(&b);
        }
        cpu_close(&cpu);
    }
}

#if defined(__x86_64__)
// What the system says of this processor, where the program asks the processor itself.
static bool has_flags(const char *list) {
    Arena a = {0};
    Str words = str_of(list), word;
    const char *flags = strstr(sysfs_text(&a, "/proc/cpuinfo"), "\nflags");
    flags = flags != NULL ? arena_printf(&a, "%.*s ", (int)strcspn(flags + 1, "\n"), flags + 1) : "";
    bool all = true;
    while (all && str_next(&words, ' ', &word))
        all = strstr(flags, arena_printf(&a, " %.*s ", (int)word.length, word.data)) != NULL;
    arena_free(&a);
    return all;
}

static size_t wanted_sets(const char **sets) {
    size_t n = 0;
    if (has_flags("avx2 fma avx512f avx512bw avx512dq avx512vl")) sets[n++] = "avx512";
    if (has_flags("avx2 fma")) sets[n++] = "avx2";
    sets[n++] = "sse2";
    return n;
}
#else
static size_t wanted_sets(const char **sets) {
    size_t n = 0;
#if defined(__aarch64__)
    sets[n++] = "neon";
#endif
    sets[n++] = "generic";
    return n;
}
#endif

static void test_the_best_instruction_set_comes_first(void) {
    const char *want[3];
    size_t n = wanted_sets(want);
    for (size_t i = 0; i < n; i++) CHECK_STR(cpu_ops(i)->isa, want[i]);
    CHECK(cpu_ops(n) == NULL);
}

static void test_bf16_rounds_to_nearest_even(void) {
    CHECK_INT(bf16_from(1.0f), 0x3F80);
    CHECK_INT(bf16_from(1.00390625f), 0x3F80);  // halfway to the next: even stays
    CHECK_INT(bf16_from(1.01171875f), 0x3F82);  // halfway above an odd one
    CHECK_INT(bf16_from(-INFINITY), 0xFF80);
    CHECK_INT(bf16_from(3.4028235e38f), 0x7F80);
    CHECK(isnan(bf16_to(bf16_from(NAN))));
}

static void test_the_chase_visits_every_line(void) {
    const Kernel *k = &kernel_table[KERNEL_LATENCY];
    Shape s = {{1024 * CHASE_LINE}};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        size_t at = 0, steps = 0;
        do {
            at = (size_t)input_value(k, &s, 0, seed, at);
            steps++;
        } while (at != 0 && steps < 5000);
        CHECK_INT(steps, 1024);
    }
}

static void test_inputs_look_normal(void) {
    const Kernel *k = &kernel_table[KERNEL_COPY];
    Shape s = {{100000}};
    double sum = 0, squares = 0, most = 0;
    for (size_t i = 0; i < s.d[0]; i++) {
        double x = input_value(k, &s, 0, 1, i);
        sum += x, squares += x * x, most = fmax(most, fabs(x));
    }
    CHECK(fabs(sum / 1e5) < 0.02);
    CHECK_NEAR(squares / 1e5, 1.0, 0.02);
    CHECK(most > 3 && most < 3.5);
}

static void test_shapes_fill_what_was_asked(void) {
    for (size_t id = 0; id < KERNEL_COUNT; id++) {
        const Kernel *k = &kernel_table[id];
        if (k->kind == KIND_COMPUTE || k->kind == KIND_TIME) continue;
        Shape s = kernel_shape((KernelId)id, 512u << 20, 2048);
        double bytes = 0;
        for (size_t i = 0; i <= k->output; i++)
            bytes += (double)(buffer_count(&k->buffers[i], &s) * elem_size(k->buffers[i].elem));
        if (!(bytes > 0.45 * 0x1p29 && bytes < 1.05 * 0x1p29)) FAIL_("%s: %.0f bytes", k->name, bytes);
    }
}

static const TestCase tests[] = {TEST(native_kernels_fit_the_references),
                                 TEST(scales_of_microscaling),
                                 TEST(a_wrong_output_is_found),
                                 TEST(runs_give_the_same_bits),
                                 TEST(nan_and_infinity_propagate),
                                 TEST(the_best_instruction_set_comes_first),
                                 TEST(bf16_rounds_to_nearest_even),
                                 TEST(the_chase_visits_every_line),
                                 TEST(inputs_look_normal),
                                 TEST(shapes_fill_what_was_asked)};
TEST_MAIN(tests)
