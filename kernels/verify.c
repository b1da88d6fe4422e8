// Verifying one kernel on any back end.
#include "kernels/verify.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernels/measure.h"

enum { SEEDS = 3, ODD_SAMPLES = 4096, TIMED_SAMPLES = 256, FEWER = 4, BITS_SEED = 1 };

// ---------------------------------------------------------------- bits

static const Shape *bits_shape(const Kernel *k) { return &k->odd[COUNT_OF(k->odd) - 1]; }

static size_t outputs_of(const Kernel *k, const Shape *s) { return buffer_count(&k->buffers[k->output], s); }

static size_t bits_count(const Kernel *k) {
    size_t n = outputs_of(k, bits_shape(k));
    return n < BITS_SAMPLES ? n : BITS_SAMPLES;
}

// Index of the output.
static size_t bits_place(const Kernel *k, size_t sample) {
    return sample * outputs_of(k, bits_shape(k)) / bits_count(k);
}

static uint64_t digest(uint64_t so_far, const void *bytes, size_t n) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++) so_far = (so_far ^ at[i]) * UINT64_C(0x100000001B3);
    return so_far;
}

static const uint64_t digest_start = UINT64_C(0xCBF29CE484222325);

// Inputs as every machine must have made them: through the generator alone.
static uint64_t digest_inputs(const Kernel *k, Arena *a) {
    const Shape *s = bits_shape(k);
    uint64_t sum = digest_start;
    for (size_t i = 0; i < k->output; i++) {
        size_t n = buffer_count(&k->buffers[i], s), size = elem_size(k->buffers[i].elem);
        void *bytes = arena_alloc(a, n, size);
        input_fill(k, s, i, BITS_SEED, 0, n, bytes);
        sum = digest(sum, bytes, n * size);
    }
    return sum;
}

static const char *bits_text(const Kernel *k, const void *output, size_t bytes, Arena *a) {
    Arena scratch = {0};
    Buf text;
    buf_init(&text, BUF_LIMIT);
    buf_printf(&text, "%016" PRIx64 " %016" PRIx64, digest_inputs(k, &scratch),
               digest(digest_start, output, bytes));
    for (size_t i = 0; i < bits_count(k); i++) {
        size_t at = bits_place(k, i);
        if (k->buffers[k->output].elem == ELEM_F64)
            buf_printf(&text, " %016" PRIx64, ((const uint64_t *)output)[at]);
        else
            buf_printf(&text, " %08" PRIx32, ((const uint32_t *)output)[at]);
    }
    const char *kept = buf_take(&text, a);
    arena_free(&scratch);
    return kept;
}

static bool parse_hex(Str s, size_t digits, uint64_t *ret_value) {
    uint64_t value = 0;
    if (s.length != digits) return false;
    for (size_t i = 0; i < digits; i++) {
        char c = s.data[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return false;
        value = value << 4 | (uint64_t)digit;
    }
    *ret_value = value;
    return true;
}

bool bits_parse(Str text, BenchBits *ret_bits, Err *e) {
    BenchBits b = {0};
    Str part;
    uint64_t word = 0;
    bool ok = str_next(&text, ' ', &part) && parse_hex(part, 16, &b.inputs) && str_next(&text, ' ', &part) &&
              parse_hex(part, 16, &b.outputs);
    while (ok && str_next(&text, ' ', &part)) {
        if (b.n == 0) b.wide = part.length == 16;
        ok = b.n < BITS_SAMPLES && parse_hex(part, b.wide ? 16 : 8, &word);
        if (ok) b.words[b.n++] = word;
    }
    if (!ok || b.n == 0) return err_set(e, ERR_FAILED, "bits are not two digests and words in hexadecimal");
    *ret_bits = b;
    return true;
}

// Floats in their order as whole numbers.
static int64_t step_of(uint64_t bits, uint64_t sign) {
    int64_t magnitude = (int64_t)(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude : magnitude;
}

double ulps_between(uint64_t a, uint64_t b, bool wide) {
    uint64_t sign = UINT64_C(1) << (wide ? 63 : 31), infinity = wide ? UINT64_C(0x7FF) << 52 : 0x7F800000u;
    bool a_nan = (a & (sign - 1)) > infinity, b_nan = (b & (sign - 1)) > infinity;
    if (a_nan || b_nan) return a_nan && b_nan ? 0 : UINT32_MAX;
    int64_t x = step_of(a, sign), y = step_of(b, sign);
    return x > y ? (double)((uint64_t)x - (uint64_t)y) : (double)((uint64_t)y - (uint64_t)x);
}

bool bits_right(const Kernel *k, size_t sample, uint64_t word, double roundoff) {
    RefIn in = {k, BITS_SEED, *bits_shape(k), roundoff, {0}};
    Elem e = k->buffers[k->output].elem;
    uint32_t half = (uint32_t)word;
    double want = 0, bound = 0;
    k->reference(&in, bits_place(k, sample), &want, &bound);
    double got = elem_size(e) == sizeof word ? elem_read(e, &word, 0) : elem_read(e, &half, 0);
    return error_of_bound(got, want, bound) <= 1;
}

// ---------------------------------------------------------------- checks

typedef struct Verify {
    const VerifyBackend *b;
    CheckTally tally;
    bool guards;
    const char *wrong;  // NULL: nothing but what the tally says
} Verify;

static bool run_and_check(Verify *v, const Shape *s, uint64_t seed, const Special *special, size_t samples,
                          Err *e) {
    const void *output = NULL;
    size_t bytes = 0;
    bool guards = true;
    RefIn in = {v->b->kernel, seed, *s, v->b->roundoff, *special};
    if (!v->b->prepare(v->b->job, s, seed, special, e) || !v->b->run(v->b->job, &output, &bytes, &guards, e))
        return false;
    check_outputs(&in, output, samples, &v->tally);
    v->guards = v->guards && guards;
    return true;
}

static bool check_odd_sizes(Verify *v, uint64_t seed, Err *e) {
    const Kernel *k = v->b->kernel;
    static const Special none = {0};
    size_t samples = k->samples > 0 ? FEWER * k->samples : ODD_SAMPLES;
    for (size_t shape = 0; shape < COUNT_OF(k->odd); shape++) {
        for (uint64_t i = 0; i < SEEDS; i++) {
            if (!run_and_check(v, &k->odd[shape], seed + i, &none, samples, e)) return false;
        }
    }
    return true;
}

// One number of the first input of floats at a time. Its place: in the middle.
static bool check_specials(Verify *v, uint64_t seed, Arena *a, Err *e) {
    static const char *const names[] = {"NaN", "infinity", "a denormal number"};
    const Kernel *k = v->b->kernel;
    const Shape *s = &k->odd[1];
    size_t buffer = 0;
    while (buffer < k->output && !elem_is_float(k->buffers[buffer].elem)) buffer++;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if ((k->specials >> i & 1) == 0) continue;
        Elem elem = k->buffers[buffer].elem;
        float values[] = {NAN, INFINITY, elem_least(elem)};
        Special special = {true, buffer, buffer_count(&k->buffers[buffer], s) / 2,
                           elem_round(elem, values[i])};
        size_t before = v->tally.wrong;
        if (!run_and_check(v, s, seed, &special, k->samples > 0 ? FEWER * k->samples : ODD_SAMPLES, e))
            return false;
        if (before == 0 && v->tally.wrong > 0) v->wrong = arena_printf(a, "with %s in an input", names[i]);
    }
    return true;
}

// The same problem twice: the bits stay, and are kept.
static bool check_twice(Verify *v, Arena *a, BenchResult *r, Err *e) {
    const VerifyBackend *b = v->b;
    const void *output = NULL;
    size_t bytes = 0;
    bool guards = true;
    static const Special none = {0};
    if (!b->prepare(b->job, bits_shape(b->kernel), BITS_SEED, &none, e) ||
        !b->run(b->job, &output, &bytes, &guards, e))
        return false;
    Arena scratch = {0};
    void *first = arena_copy(&scratch, output, bytes);
    r->bits = bits_text(b->kernel, output, bytes, a);
    bool ok = b->run(b->job, &output, &bytes, &guards, e);
    if (ok && memcmp(first, output, bytes) != 0 && v->wrong == NULL)
        v->wrong = "two runs of the same problem gave different bits";
    arena_free(&scratch);
    return ok;
}

static void judge(const Verify *v, Arena *a, BenchResult *r) {
    const CheckTally *t = &v->tally;
    r->verified = v->guards && t->wrong == 0 && t->checked > 0 && v->wrong == NULL;
    r->max_error = t->max_error;
    r->max_error_of_bound = t->max_of_bound;
    r->checked = (double)t->checked;
    if (!v->guards) {
        r->error = arena_printf(a, "%s wrote outside its output", v->b->kernel->name);
    } else if (t->wrong > 0) {
        r->error = arena_printf(
            a, "%zu of %zu checked outputs are wrong%s%s: output %zu is %.9g, the reference says %.9g",
            t->wrong, t->checked, v->wrong != NULL ? " " : "", v->wrong != NULL ? v->wrong : "",
            t->first_wrong, t->got, t->want);
    } else if (v->wrong != NULL) {
        r->error = v->wrong;
    }
    if (!r->verified) r->verdict = "wrong";
}

bool bench_verify(const VerifyBackend *b, const Shape *timed, uint64_t seed, Arena *a, BenchResult *r,
                  Err *e) {
    static const Special none = {0};
    Verify v = {.b = b, .guards = true};
    if (!b->timed_alone &&
        (!check_odd_sizes(&v, seed, e) || !check_specials(&v, seed, a, e) || !check_twice(&v, a, r, e)))
        return false;
    if (timed != NULL && !run_and_check(&v, timed, seed, &none,
                                        b->kernel->samples > 0 ? b->kernel->samples : TIMED_SAMPLES, e))
        return false;
    judge(&v, a, r);
    return true;
}

void bench_judge(const Kernel *k, bool guards_whole, const CheckTally *t, Arena *a, BenchResult *r) {
    VerifyBackend b = {.kernel = k};
    Verify v = {&b, *t, guards_whole, NULL};
    judge(&v, a, r);
}
