// An entry of PTX under the checks of `bench`.
#include "tests/ptx/bench.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/bench.h"
#include "kernels/pattern.h"
#include "kernels/verify.h"

enum { MAX_DIMS = COUNT_OF(((Shape *)NULL)->d) };
static const uint64_t budget = UINT64_C(1) << 29;

typedef struct Job {
    const PtxEntry *entry;
    const PtxManner *manner;
    const Kernel *kernel;
    Shape shape;
    Arena memory;  // of the buffers
    PtxRange ranges[BUFFERS_MAX];
    uint64_t params[MAX_DIMS + BUFFERS_MAX];
    PtxTally *tally;
} Job;

const Kernel *ptx_kernel(const char *entry) {
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (strcmp(kernel_table[i].launch.entry, entry) == 0) return &kernel_table[i];
    }
    return NULL;
}

// Far apart, and aligned as the driver's are.
static uint64_t device_address(size_t buffer) { return (uint64_t)(buffer + 1) << 36 | 0x100; }

static bool job_prepare(void *pointer, const Shape *s, uint64_t seed, const Special *special, Err *e) {
    Job *j = pointer;
    const Kernel *k = j->kernel;
    size_t dims = kernel_dims(k);
    (void)e;
    arena_free(&j->memory);
    j->shape = *s;
    for (size_t i = 0; i < dims; i++) j->params[i] = s->d[i];
    for (size_t i = 0; i <= k->output; i++) {
        const BufferSpec *b = &k->buffers[i];
        size_t n = buffer_count(b, s);
        void *host = arena_alloc(&j->memory, n, elem_size(b->elem));
        if (i < k->output) input_fill(k, s, i, seed, 0, n, host);
        if (special->set && special->buffer == i)
            elem_write(b->elem, host, special->index, (float)special->value);
        j->ranges[i] = (PtxRange){device_address(i), host, n * elem_size(b->elem), i == k->output};
        j->params[dims + i] = device_address(i);
    }
    return true;
}

static bool job_run(void *pointer, const void **ret_output, size_t *ret_bytes, bool *ret_guards, Err *e) {
    Job *j = pointer;
    const Kernel *k = j->kernel;
    size_t wanted = kernel_blocks(k, &j->shape), fewer = j->manner->fewer > 0 ? j->manner->fewer : 1;
    PtxRange *out = &j->ranges[k->output];
    memset(out->host, POISON, out->bytes);
    PtxLaunch l = {.blocks = (unsigned)((wanted + fewer - 1) / fewer),
                   .threads = k->launch.threads,
                   .dynamic_bytes = kernel_shared(k),
                   .params = j->params,
                   .n_params = kernel_dims(k) + k->output + 1,
                   .ranges = j->ranges,
                   .n_ranges = k->output + 1,
                   .order = j->manner->order,
                   .seed = j->manner->seed,
                   .cut_sums = j->manner->cut_sums,
                   .budget = budget};
    *ret_output = out->host, *ret_bytes = out->bytes;
    *ret_guards = true;  // what stands beside the output is no memory: a write there is a fault
    return ptx_run(j->entry, &l, j->tally, e);
}

// Sums that are exact are held against the bound of one rounding a step. Attention's weights are bf16 where a matrix
// unit takes them, which only its wider bound knows.
static double roundoff_of(const Job *j) {
    const Kernel *k = j->kernel;
    bool in_bf16 = k == &kernel_table[KERNEL_PREFILL] || k == &kernel_table[KERNEL_DECODE_GQA] ||
                   k == &kernel_table[KERNEL_DECODE_MLA];
    bool wide = j->manner->cut_sums || in_bf16;
    return kernel_roundoff(j->kernel, wide ? "nvidia" : "cpu");
}

// Odd sizes never take the paths of rows that start at multiples of sixteen bytes, and end before a ring of stages is
// used a second time; sizes that are timed do, of which this is a small one.
static Shape timed_shape(const Kernel *k) {
    enum { BYTES = 65536, SIDE = 96, STAGED_K = 1024 };
    if (k->matrix_unit == MATRIX_WGMMA) return (Shape){{SIDE, SIDE, STAGED_K}};
    return kernel_shape((KernelId)(k - kernel_table), BYTES, SIDE);
}

static bool verify(Job *j, Arena *a, const char **ret_bits, Err *e) {
    BenchResult r = bench_blank((TestId)0, "ptx");
    VerifyBackend b = {j, j->kernel, roundoff_of(j), job_prepare, job_run, false};
    Shape timed = timed_shape(j->kernel);
    bool ok = bench_verify(&b, &timed, 1, a, &r, e);
    arena_free(&j->memory);
    if (!ok) return false;
    *ret_bits = r.bits;
    return r.verified || err_set(e, ERR_FAILED, "%s: %s", j->kernel->launch.entry, r.error);
}

// ---------------------------------------------------------------- entries that are no tests

enum { WORDS = 1001 };

static bool run_helper(Job *j, const Launch *launch, size_t n_params, size_t n_ranges, Err *e) {
    PtxLaunch l = {.blocks = 3,
                   .threads = launch->threads,
                   .params = j->params,
                   .n_params = n_params,
                   .ranges = j->ranges,
                   .n_ranges = n_ranges,
                   .order = j->manner->order,
                   .seed = j->manner->seed,
                   .budget = budget};
    return ptx_run(j->entry, &l, j->tally, e);
}

// Words that differ by one bit, at both ends and between, counted onto what the counter holds.
static bool check_differ(Job *j, Err *e) {
    static const size_t places[] = {0, 1, 383, 384, 700, WORDS - 1};
    uint32_t a[WORDS], b[WORDS], count = 5;
    for (size_t i = 0; i < WORDS; i++) a[i] = b[i] = (uint32_t)i * 2654435761u;
    for (size_t i = 0; i <= COUNT_OF(places); i++) {
        uint32_t before = count;
        void *const hosts[] = {a, b, &count};
        j->params[0] = WORDS;
        for (size_t r = 0; r < COUNT_OF(hosts); r++) {
            j->params[1 + r] = device_address(r);
            j->ranges[r] = (PtxRange){device_address(r), hosts[r], r < 2 ? sizeof a : sizeof count, r == 2};
        }
        if (!run_helper(j, &launch_differ, 4, 3, e)) return false;
        if (count - before != i)
            return err_set(e, ERR_FAILED, "gk_differ: counts %u, not %zu", count - before, i);
        if (i < COUNT_OF(places)) b[places[i]] ^= 1u << (7 * i % 32);
    }
    return true;
}

static bool check_pattern(Job *j, unsigned pattern, uint64_t first, bool check, Err *e) {
    uint32_t words[WORDS], count = 3;
    for (size_t i = 0; i < WORDS; i++) words[i] = check ? pattern_word(pattern, first + i, 7) : 0xABCDu;
    if (check) words[0] ^= 1, words[500] ^= 1u << 31, words[WORDS - 1] ^= 1u << 16;
    uint64_t params[] = {WORDS, first, pattern, 7, device_address(0), device_address(1)};
    memcpy(j->params, params, sizeof params);
    j->ranges[0] = (PtxRange){device_address(0), words, sizeof words, !check};
    j->ranges[1] = (PtxRange){device_address(1), &count, sizeof count, true};
    if (!run_helper(j, check ? &launch_pattern_check : &launch_pattern_fill, check ? 6 : 5, check ? 2 : 1, e))
        return false;
    if (check && count != 6) return err_set(e, ERR_FAILED, "gk_pattern_check: counts %u, not 3", count - 3);
    for (size_t i = 0; !check && i < WORDS; i++) {
        if (words[i] != pattern_word(pattern, first + i, 7))
            return err_set(e, ERR_FAILED, "gk_pattern_fill: word %zu of pattern %u is %08x", i, pattern,
                           words[i]);
    }
    return true;
}

static bool check_patterns(Job *j, bool check, Err *e) {
    static const uint64_t firsts[] = {0, 12345, (UINT64_C(1) << 32) - 500, UINT64_C(70) << 28};
    for (size_t f = 0; f < COUNT_OF(firsts); f++) {
        for (size_t p = 0; p < PATTERN_STEPS; p++) {
            if (!check_pattern(j, pattern_steps[p], firsts[f], check, e)) return false;
        }
    }
    return true;
}

bool ptx_bench(PtxModule *m, const char *name, const PtxManner *manner, Arena *a, PtxTally *tally,
               const char **ret_bits, Err *e) {
    PtxEntry *entry = NULL;
    if (!ptx_entry(m, name, &entry, e)) return false;
    Job j = {.entry = entry, .manner = manner, .kernel = ptx_kernel(name), .tally = tally};
    *ret_bits = "";
    if (j.kernel != NULL) return verify(&j, a, ret_bits, e);
    if (strcmp(name, launch_differ.entry) == 0) return check_differ(&j, e);
    if (strcmp(name, launch_pattern_fill.entry) == 0) return check_patterns(&j, false, e);
    if (strcmp(name, launch_pattern_check.entry) == 0) return check_patterns(&j, true, e);
    return err_set(e, ERR_FAILED, "%s: no row of the kernel table and no check of its own", name);
}
