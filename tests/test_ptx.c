// The interpreter of PTX: instructions whose results were computed by hand from the ISA, faults that it has to see,
// and the committed files under the checks of `bench`.
#include <stdio.h>

#include "tests/check.h"
#include "tests/ptx/bench.h"

enum { THREADS = 64, OUT_WORDS = THREADS };

static const uint64_t out_address = UINT64_C(1) << 36, in_address = UINT64_C(2) << 36;
static uint32_t out[OUT_WORDS], input[OUT_WORDS];
static Err error;

// Runs `body` in two warps: %r0 is the thread, %d1 its word of the output, %d3 of the input; %r1 is stored at the end.
static bool run_text(const char *text, PtxOrder order) {
    Arena a = {0};
    PtxModule m;
    PtxEntry *entry = NULL;
    PtxTally tally = {0};
    uint64_t params[] = {out_address, in_address};
    PtxRange ranges[] = {{out_address, out, sizeof out, true}, {in_address, input, sizeof input, false}};
    PtxLaunch l = {.blocks = 1,
                   .threads = THREADS,
                   .params = params,
                   .n_params = 2,
                   .ranges = ranges,
                   .n_ranges = 2,
                   .order = order,
                   .seed = 1,
                   .budget = 100000};
    error = (Err){0};
    memset(out, 0xEE, sizeof out);
    for (uint32_t i = 0; i < OUT_WORDS; i++) input[i] = i * 3;
    bool ok = ptx_module(str_of(text), &a, &m, &error) && ptx_entry(&m, "t", &entry, &error) &&
              ptx_run(entry, &l, &tally, &error);
    arena_free(&a);
    return ok;
}

static bool run_in(const char *body, PtxOrder order) {
    char text[4000];
    snprintf(
        text, sizeof text,
        ".version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry t(.param .u64 p0, .param .u64 p1)\n"
        ".maxntid 64, 1, 1\n{\n.reg .pred %%p<8>;\n.reg .b16 %%h<16>;\n.reg .b32 %%r<64>;\n.reg .f32 "
        "%%f<16>;\n"
        ".reg .b64 %%d<16>;\n.shared .align 16 .b8 s[1024];\n.shared .align 16 .b8 u[64];\n"
        "mov.u32 %%r0, %%tid.x;\nld.param.u64 %%d0, [p0];\ncvta.to.global.u64 %%d0, %%d0;\n"
        "mul.wide.u32 %%d2, %%r0, 4;\nadd.s64 %%d1, %%d0, %%d2;\nld.param.u64 %%d3, [p1];\n"
        "add.s64 %%d3, %%d3, %%d2;\nmov.u32 %%r1, 0;\nshl.b32 %%r2, %%r0, 2;\ncvt.u64.u32 %%d4, %%r2;\n"
        "mov.u64 %%d5, s;\nadd.s64 %%d5, %%d5, %%d4;\n%s\nst.global.u32 [%%d1], %%r1;\nret;\n}\n",
        body);
    return run_text(text, order);
}

static void check_runs(const char *body) {
    for (int order = 0; order < PTX_ORDERS; order++) {
        if (!run_in(body, (PtxOrder)order)) FAIL_("%s: %s", body, error.text);
    }
}

typedef struct Sample {
    const char *body;
    uint32_t want;  // of thread 5
} Sample;

static void check_samples(const Sample *samples, size_t n) {
    for (size_t i = 0; i < n; i++) {
        check_runs(samples[i].body);
        if (out[5] != samples[i].want) FAIL_("%s: %08x, not %08x", samples[i].body, out[5], samples[i].want);
    }
}

static void test_whole_numbers(void) {
    static const Sample samples[] = {
        {"mov.u32 %r1, %tid.x;", 5},
        {"mov.b32 %r3, -1; add.s32 %r1, %r3, 3;", 2},
        {"mov.b32 %r3, 65537; mul.lo.s32 %r1, %r3, 65537;", 0x00020001},
        {"mov.b32 %r3, 7; mad.lo.s32 %r1, %r3, 3, %r3;", 28},
        {"mov.u32 %r3, 4000000000; mul.wide.u32 %d6, %r3, 3; shr.u64 %d6, %d6, 32; cvt.u32.u64 %r1, %d6;", 2},
        {"mov.u16 %h1, 65535; mul.hi.u16 %h2, %h1, 911; cvt.u32.u16 %r1, %h2;", 910},
        {"mov.u16 %h1, 3; sub.s16 %h2, %h1, 5; cvt.u32.u16 %r1, %h2;", 0xFFFE},
        {"mov.b32 %r3, 1; shl.b32 %r1, %r3, 32;", 0},
        {"mov.b32 %r3, -1; shr.u32 %r1, %r3, 28;", 15},
        {"mov.u32 %r3, 100; div.u32 %r1, %r3, 7;", 14},
        {"mov.b32 %r3, 0xABCD1234; bfe.u32 %r1, %r3, 8, 8;", 0x12},
        {"mov.b32 %r3, 0x0000F200; bfe.s32 %r1, %r3, 8, 8;", 0xFFFFFFF2},
        {"mov.b32 %r3, 0xABCD1234; bfe.u32 %r1, %r3, 28, 8;", 0xA},
        {"mov.b32 %r3, 0x80000000; bfe.s32 %r1, %r3, 40, 4;", 0xFFFFFFFF},
        {"mov.b32 %r3, -1; bfe.s32 %r1, %r3, 3, 0;", 0},
        {"mov.b32 %r3, 0x12345678; mov.b32 {%h1, %h2}, %r3; mov.b32 %r1, {%h2, %h1};", 0x56781234},
        {"mov.b32 %r3, 0x1FF; cvt.s8.s32 %h1, %r3; cvt.u32.u16 %r1, %h1;", 0xFFFF},
        {"setp.lt.s32 %p1, %r0, -1; selp.b32 %r1, 1, 2, %p1;", 2},
        {"setp.lt.u32 %p1, %r0, -1; selp.b32 %r1, 1, 2, %p1;", 1},
    };
    check_samples(samples, COUNT_OF(samples));
}

static void test_floats_round_once_and_to_even(void) {
    static const Sample samples[] = {
        {"add.rn.f32 %f1, 0f3F800000, 0f33800000; mov.b32 %r1, %f1;",
         0x3F800000},  // 1 + 2^-24: to even, down
        {"add.rn.f32 %f1, 0f3F800001, 0f33800000; mov.b32 %r1, %f1;", 0x3F800002},              // up
        {"fma.rn.f32 %f1, 0f3F800800, 0f3F800800, 0fBF801000; mov.b32 %r1, %f1;", 0x33800000},  // 2^-24 stays
        {"mul.rn.f32 %f1, 0f3F800800, 0f3F800800; add.rn.f32 %f1, %f1, 0fBF801000; mov.b32 %r1, %f1;", 0},
        {"div.rn.f32 %f1, 0f3F800000, 0f40400000; mov.b32 %r1, %f1;", 0x3EAAAAAB},
        {"rcp.rn.f32 %f1, 0f00000000; mov.b32 %r1, %f1;", 0x7F800000},
        {"mul.rn.f32 %f1, 0f00800000, 0f3F000000; mov.b32 %r1, %f1;",
         0x00400000},  // denormal numbers are kept
        {"sub.rn.f32 %f1, 0f7F800000, 0f7F800000; mov.b32 %r1, %f1;", 0x7FFFFFFF},
        {"setp.eq.f32 %p1, 0f7FC00000, 0f7FC00000; selp.b32 %r1, 1, 0, %p1;", 0},
        {"setp.neu.f32 %p1, 0f7FC00000, 0f3F800000; selp.b32 %r1, 1, 0, %p1;", 1},
        {"setp.leu.f32 %p1, 0f7FC00000, 0f3F800000; selp.b32 %r1, 1, 0, %p1;", 1},
        {"setp.num.f32 %p1, 0f7FC00000, 0f3F800000; selp.b32 %r1, 1, 0, %p1;", 0},
    };
    check_samples(samples, COUNT_OF(samples));
}

static void test_conversions(void) {
    static const Sample samples[] = {
        {"mov.f32 %f1, 0f4039999A; cvt.rzi.s32.f32 %r1, %f1;", 2},           // 2.9
        {"mov.f32 %f1, 0fC039999A; cvt.rzi.s32.f32 %r1, %f1;", 0xFFFFFFFE},  // -2.9
        {"mov.f32 %f1, 0f4F32D05E; cvt.rzi.s32.f32 %r1, %f1;", 0x7FFFFFFF},  // 3e9
        {"mov.f32 %f1, 0f7FC00000; cvt.rzi.s32.f32 %r1, %f1;", 0},
        {"mov.u64 %d6, 16777217; cvt.rn.f32.u64 %f1, %d6; mov.b32 %r1, %f1;", 0x4B800000},  // 2^24 + 1
        {"mov.u16 %h1, 0xFFFE; cvt.rn.f32.s16 %f1, %h1; mov.b32 %r1, %f1;", 0xC0000000},
        {"mov.u16 %h1, 0x3C01; cvt.f32.f16 %f1, %h1; mov.b32 %r1, %f1;", 0x3F802000},
        {"mov.u16 %h1, 0x0001; cvt.f32.f16 %f1, %h1; mov.b32 %r1, %f1;", 0x33800000},
        {"mov.u16 %h1, 0xFC00; cvt.f32.f16 %f1, %h1; mov.b32 %r1, %f1;", 0xFF800000},
        {"mov.u16 %h1, 0x0138; cvt.rn.f16x2.e4m3x2 %r1, %h1;", 0x18003C00},  // 2^-9 and 1
        {"mov.u16 %h1, 0xFE7E; cvt.rn.f16x2.e4m3x2 %r1, %h1;", 0xDF005F00},  // -448 and 448
        {"mov.u16 %h1, 0x837F; cvt.rn.f16x2.e4m3x2 %r1, %h1;", 0x9E007FFF},  // -3 2^-9 and NaN
    };
    check_samples(samples, COUNT_OF(samples));
}

static void test_lanes_part_meet_and_shuffle(void) {
    static const Sample samples[] = {
        {"shfl.sync.bfly.b32 %r1, %r0, 8, 31, -1;", 13},
        {"setp.lt.u32 %p1, %r0, 7; @%p1 bra A; mov.u32 %r3, 100; bra.uni B; A: mov.u32 %r3, 1; B:"
         " shfl.sync.bfly.b32 %r1, %r3, 2, 31, -1;",
         100},
        // as often as its number says
        {"mov.u32 %r3, 0; L: add.s32 %r1, %r1, 3; add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r0; @%p1 bra "
         "L;",
         15},
        {"setp.eq.s32 %p1, %r0, 5; @!%p1 bra E; mov.u32 %r1, 9; E:", 9},
        {"atom.global.add.u32 %r3, [%d1], 2; membar.gl; bar.sync 0; ld.global.u32 %r1, [%d1];", 0xEEEEEEF0},
        {"st.shared.u32 [%d5], %r0; bar.sync 0; ld.shared.u32 %r1, [s+252];", 63},
    };
    check_samples(samples, COUNT_OF(samples));
}

// One number of A in lane `a_lane`, register `a`, one of B; the product stands in lane `c_lane`, sum `c`, where the
// ISA's figures of fragments have it, and nowhere else.
typedef struct Place {
    const char *shape, *tail;
    unsigned a_lane, a, b_lane, b, c_lane, c;
    uint32_t a_bits, b_bits, scales_a, scales_b, want;
} Place;

static void check_place(const Place *p) {
    char body[2000];
    bool whole = strstr(p->shape, "s32") != NULL;
    snprintf(body, sizeof body,
             "and.b32 %%r3, %%r0, 31; setp.eq.s32 %%p1, %%r3, %u; setp.eq.s32 %%p2, %%r3, %u;\n"
             "mov.b32 %%r10, 0; mov.b32 %%r11, 0; mov.b32 %%r12, 0; mov.b32 %%r13, 0; mov.b32 %%r14, 0;\n"
             "mov.b32 %%r15, 0; mov.b32 %%r20, 0; mov.b32 %%r21, 0; mov.b32 %%r22, 0; mov.b32 %%r23, 0;\n"
             "selp.b32 %%r%u, %u, 0, %%p1; selp.b32 %%r%u, %u, 0, %%p2;\n"
             "setp.eq.s32 %%p3, %%r3, 5; selp.b32 %%r30, %u, 0, %%p3; setp.eq.s32 %%p3, %%r3, 24; selp.b32 "
             "%%r31, %u, 0, %%p3;\n"
             "mma.sync.aligned.%s {%%r20,%%r21,%%r22,%%r23}, {%%r10,%%r11,%%r12,%%r13}, {%%r14,%%r15}, "
             "{%%r20,%%r21,%%r22,%%r23}%s;\nmov.b32 %%r1, %%r%u;",
             p->a_lane, p->b_lane, 10 + p->a, p->a_bits, 14 + p->b, p->b_bits, p->scales_a, p->scales_b,
             p->shape, p->tail, 20 + p->c);
    check_runs(body);
    for (unsigned t = 0; t < THREADS; t++) {
        if (out[t] != (t % 32 == p->c_lane ? p->want : 0))
            FAIL_("%s: thread %u has %08x%s", p->shape, t, out[t], whole ? "" : " as a float");
    }
}

// A[9][k] times B[k][6] is in C[9][6]: lane 4 (9 % 8) + 6 / 2 = 7, sum 2.
static void test_fragments_of_products(void) {
    static const Place places[] = {
        // k = 5: lane 4 + 5 % 4, register 3 (row + 8, k >= 4); 3 x 5
        {"m16n8k8.row.col.f32.tf32.tf32.f32", "", 5, 3, 25, 1, 7, 2, 0x40400000, 0x40A00000, 0, 0,
         0x41700000},
        // k = 5 = 2 x 2 + 1: lane 4 + 2, the upper half
        {"m16n8k16.row.col.f32.f16.f16.f32", "", 6, 1, 26, 0, 7, 2, 0x42000000, 0x45000000, 0, 0, 0x41700000},
        {"m16n8k16.row.col.f32.bf16.bf16.f32", "", 6, 1, 26, 0, 7, 2, 0x40400000, 0x40A00000, 0, 0,
         0x41700000},
        // k = 21 = 16 + 4 + 1: lane 4 + 1, register 3, byte 1
        {"m16n8k32.row.col.f32.e4m3.e4m3.f32", "", 5, 3, 25, 1, 7, 2, 0x4400, 0x4A00, 0, 0, 0x41700000},
        {"m16n8k32.row.col.s32.s8.s8.s32", "", 5, 3, 25, 1, 7, 2, 0xFD00, 0x0500, 0, 0, 0xFFFFFFF1},
        // k = 45 = 32 + 8 + 5: lane 4 + 1, register 3, nibble 5; the second scales, 2^1 and 2^-3
        {"m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
         ", %r30, {0,0}, %r31, {0,0}", 5, 3, 25, 1, 7, 2, 0x500000, 0x600000, 0x8000, 0x7C00, 0x40400000},
    };
    for (size_t i = 0; i < COUNT_OF(places); i++) check_place(&places[i]);
}

typedef struct Fault {
    const char *body, *says;
} Fault;

static void test_faults_are_seen(void) {
    static const Fault faults[] = {
        {"ld.global.u32 %r1, [%d3+256];", "outside of every buffer"},
        {"ld.global.u32 %r1, [%d3+-256];", "outside of every buffer"},
        {"ld.global.u32 %r1, [%d3+2];", "misaligned"},
        {"st.global.u32 [%d3], %r1;", "in an input"},
        {"add.s64 %d1, %d0, 0;", "writes what another thread wrote"},
        {"ld.shared.u32 %r1, [%d5];", "nobody wrote"},
        {"st.shared.u32 [%d5+1024], %r1;", "outside of every array"},
        {"st.shared.u32 [%d5+772], %r1;", "outside of every array"},
        {"st.shared.u32 [%d5+2], %r1;", "misaligned"},
        {"st.shared.u32 [%d5], %r0; bar.sync 0; st.shared.u32 [%d5], %r0; ld.shared.u32 %r1, [s+252];",
         "with no barrier between"},
        {"st.shared.u32 [%d5], %r0; bar.sync 0; ld.shared.u32 %r1, [s]; st.shared.u32 [%d5], %r1;",
         "with no barrier between"},
        {"st.shared.u32 [s], %r0;", "writes what another thread wrote"},
        {"setp.lt.u32 %p1, %r0, 32; @%p1 bra A; bar.sync 0; A:", "has ended"},
        {"setp.lt.u32 %p1, %r0, 7; @%p1 bra A; bar.sync 0; A:", "all lanes"},
        {"setp.lt.u32 %p1, %r0, 7; @%p1 bra A; bar.sync 0; bra.uni B; A: bar.sync 0; B:",
         "wait for each other"},
        {"setp.eq.s32 %p1, %r0, 3; @%p1 ret; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;", "all lanes"},
        {"shfl.sync.bfly.b32 %r1, %r0, 1, 31, 15;", "members"},
        {"L: bra.uni L;", "budget"},
        {"mov.u32 %r3, 0; div.u32 %r1, %r0, %r3;", "division by zero"},
        {"mov.u32 %r3, 16; shl.b32 %r4, %r0, 4; mov.u32 %r5, 256; add.s32 %r4, %r4, 256;"
         "mov.u64 %d6, s; cvt.u32.u64 %r6, %d6; setp.lt.u32 %p1, %r0, 1; @!%p1 bra A;"
         "cp.async.cg.shared.global [%r6], [%d3], 16, %r3; cp.async.commit_group; ld.shared.u32 %r1, [s]; A:",
         "yet to bring"},
        {"mov.u32 %r3, 16; mov.u64 %d6, s; cvt.u32.u64 %r6, %d6; setp.lt.u32 %p1, %r0, 1; @!%p1 bra A;"
         "cp.async.cg.shared.global [%r6], [%d3], 16, %r3; cp.async.commit_group; cp.async.wait_group 1;"
         "ld.shared.u32 %r1, [s]; A:",
         "yet to bring"},
        {"mov.u64 %d6, s; cvta.to.global.u64 %d6, %d6; cvta.shared.u64 %d6, %d6; cvta.to.global.u64 %d6, "
         "%d6;",
         "shared memory taken for global"},
    };
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        for (int order = 0; order < PTX_ORDERS; order++) {
            bool ok = run_in(faults[i].body, (PtxOrder)order);
            if (ok || strstr(error.text, faults[i].says) == NULL)
                FAIL_("%s: %s, not '%s'", faults[i].body, ok ? "no fault" : error.text, faults[i].says);
        }
    }
    // the same with what was missing
    check_runs(
        "mov.u32 %r3, 16; mov.u64 %d6, s; cvt.u32.u64 %r6, %d6; setp.lt.u32 %p1, %r0, 1; @!%p1 bra A;"
        "cp.async.cg.shared.global [%r6], [%d3], 16, %r3; cp.async.commit_group; cp.async.wait_group 0;"
        "ld.shared.u32 %r1, [s+8]; A:");
    CHECK_INT(out[0], 6);
}

static void test_what_is_not_known_is_refused(void) {
    static const Fault refused[] = {
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];",
         "an instruction that is not known"},
        {"add.f32 %f1, %f2, %f3;", "an instruction that is not known"},
        {"add.s32 %r1, %r2;", "operands that are not known"},
        {"add.s32 %r1, %d1, %r2;", "operands that are not known"},
        {"add.s32 %r1, %r99, 1;", "operands that are not known"},
        {"mov.u32 %r1, %laneid;", "operands that are not known"},
        {"ld.shared.u32 %r1, [nothing];", "operands that are not known"},
        {"bra.uni NOWHERE;", "no such label"},
        {"@%r1 bra A; A:", "not a predicate"},
        {".local .align 4 .b8 x[4];", "a directive that is not known"},
        {"{ .reg .b32 t; mov.u32 t, 1; } mov.u32 %r1, t;", "operands that are not known"},
    };
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        CHECK(!run_in(refused[i].body, PTX_IN_TURN));
        if (strstr(error.text, refused[i].says) == NULL) FAIL_("%s: %s", refused[i].body, error.text);
    }
    CHECK(!run_text(".version 8.4\n.target sm_90a\n.visible .entry t()\n.maxntid 64,1,1\n{ mov.u32",
                    PTX_IN_TURN));
    CHECK(!run_text("", PTX_IN_TURN));
}

// What a failed try left of an entry does not count when it is read again: fuzzing found that more arrays were then
// copied than there was room for.
static void test_an_entry_that_failed_fails_alike_again(void) {
    Arena a = {0};
    PtxModule m;
    Err e = {0};
    Buf text;
    buf_init(&text, BUF_LIMIT);
    buf_puts(&text, ".version 8.4\n.target sm_90a\n.address_size 64\n");
    for (int i = 0; i < 10; i++) buf_printf(&text, ".shared .align 4 .b8 array%d[16];\n", i);
    buf_puts(&text, ".visible .entry t()\n.maxntid 64,1,1\n{ nonsense; }\n");
    CHECK(ptx_module((Str){text.data, text.length}, &a, &m, &e));
    const char *first = "";
    for (int i = 0; i < 4; i++) {
        PtxEntry *entry = NULL;
        Err why = {0};
        CHECK(!ptx_entry(&m, "t", &entry, &why));
        if (i == 0) first = arena_printf(&a, "%s", why.text);
        CHECK_STR(why.text, first);
    }
    buf_free(&text);
    arena_free(&a);
}

// ---------------------------------------------------------------- the committed files

static const char *const files[] = {"sm_60", "sm_80", "sm_89", "sm_90a", "sm_120a"};

typedef struct Seen {
    uint64_t digests[256];
    size_t n;
} Seen;

static bool is_new(Seen *s, uint64_t digest) {
    for (size_t i = 0; i < s->n; i++) {
        if (s->digests[i] == digest) return false;
    }
    CHECK(s->n < COUNT_OF(s->digests));
    s->digests[s->n++] = digest;
    return true;
}

static void check_entry(PtxModule *m, const char *name, size_t turn, Arena *a) {
    static const PtxManner manners[] = {
        {PTX_ONE_FIRST, 1, false, 1}, {PTX_REVERSED, 2, true, 2}, {PTX_RANDOM, 3, false, 3}};
    Err e = {0};
    PtxTally tally = {0};
    const char *bits = "";
    if (!ptx_bench(m, name, &manners[turn % COUNT_OF(manners)], a, &tally, &bits, &e))
        FAIL_("%s: %s", m->target, e.text);
}

// `runs`: the entries that are not in `seen`; else they are only read.
static void check_file(const char *target, bool runs, Seen *seen, size_t *ret_entries) {
    Arena a = {0};
    Str text = {0};
    PtxModule m;
    Err e = {0};
    char path[100];
    snprintf(path, sizeof path, "kernels/prebuilt/%s.ptx", target);
    if (!file_read(&a, path, 64 << 20, &text, &e) || !ptx_module(text, &a, &m, &e))
        FAIL_("%s: %s", path, e.text);
    for (size_t i = 0; i < m.n_entries; i++) {
        PtxEntry *entry = NULL;
        if (!ptx_entry(&m, ptx_entry_name(&m, i), &entry, &e)) FAIL_("%s: %s", path, e.text);
        (*ret_entries)++;
        if (is_new(seen, ptx_entry_digest(entry)) && runs)
            check_entry(&m, ptx_entry_name(&m, i), seen->n, &a);
    }
    arena_free(&a);
}

// Entries that are the same in several files run once, in the first of them, in one of three manners; `ptx-all` runs
// all of them in every manner.
static void check_files(size_t from, size_t to, size_t entries_wanted) {
    Seen seen = {.n = 0};
    size_t entries = 0;
    if (check_sanitized()) SKIP("runs without sanitizers, where it takes seconds");
    for (size_t i = 0; i < to; i++) check_file(files[i], i >= from, &seen, &entries);
    fprintf(stderr, "%zu of %zu entries differ\n", seen.n, entries);
    CHECK_INT(entries, entries_wanted);
}

static void test_every_entry_of_sm_60(void) { check_files(0, 1, 29); }
static void test_every_entry_of_sm_80_that_differs(void) { check_files(1, 2, 63); }
static void test_every_entry_of_sm_89_that_differs(void) { check_files(2, 3, 98); }
static void test_every_entry_of_sm_90a_that_differs(void) { check_files(3, 4, 136); }
static void test_every_entry_of_sm_120a_that_differs(void) { check_files(4, 5, 172); }

static const TestCase tests[] = {TEST(whole_numbers),
                                 TEST(floats_round_once_and_to_even),
                                 TEST(conversions),
                                 TEST(lanes_part_meet_and_shuffle),
                                 TEST(fragments_of_products),
                                 TEST(faults_are_seen),
                                 TEST(what_is_not_known_is_refused),
                                 TEST(an_entry_that_failed_fails_alike_again),
                                 TEST(every_entry_of_sm_60),
                                 TEST(every_entry_of_sm_80_that_differs),
                                 TEST(every_entry_of_sm_89_that_differs),
                                 TEST(every_entry_of_sm_90a_that_differs),
                                 TEST(every_entry_of_sm_120a_that_differs)};
TEST_MAIN(tests)
