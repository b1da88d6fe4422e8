// A memory test: patterns in nearly all of a GPU's memory, written and compared by the device.
#include <inttypes.h>
#include <math.h>

#include "kernels/cpu.h"
#include "kernels/gpu_measure.h"
#include "kernels/measure.h"
#include "kernels/pattern.h"
#include "kernels/watch.h"

enum { PARTS_MAX = 512, WORD = sizeof(uint32_t), BLOCKS_A_UNIT = 16 };
static const size_t least_part = (size_t)1 << 20, usual_part = (size_t)1 << 30;

typedef struct Memory {
    GpuSession *session;
    const BenchRequest *request;
    GpuFunction fill, check;
    GpuPointer parts[PARTS_MAX];
    size_t bytes[PARTS_MAX];
    size_t n;
    size_t total;       // bytes of all parts
    GpuPointer counts;  // of each part: words that were wrong
    Watch *watch;
    double compared;    // words
    const char *wrong;  // the first fault, in words; NULL: none
} Memory;

// ---------------------------------------------------------------- what is tested

static void release_all(Memory *m) {
    GpuDriver *g = &m->session->gpu;
    if (gpu_is_lost(g)) return;
    for (size_t i = 0; i < m->n; i++) gpu_release(g, m->parts[i]);
    gpu_release(g, m->counts);
}

// All that is free but a fiftieth, which drivers want for launches: in parts of a GiB, then of ever smaller
// ones.
static bool take_all(Memory *m, Err *e) {
    enum { SPARE = 50 };
    GpuDriver *g = &m->session->gpu;
    size_t unused = 0, whole = 0, part = usual_part;
    const char *symbol = g->api == GPU_CUDA ? "cuMemGetInfo" : "hipMemGetInfo";
    if (!gpu_good(g, symbol, g->f.memory(&unused, &whole), e)) return false;
    while (part > unused / 8 && part > least_part) part /= 2;
    while (unused / part >= PARTS_MAX - 16) part *= 2;
    if (!gpu_alloc(g, PARTS_MAX * WORD, &m->counts, e)) return false;
    size_t limit = unused - unused / SPARE;
    while (part >= least_part && m->n < PARTS_MAX) {
        Err full = {0};
        if (m->total + part <= limit && gpu_alloc(g, part, &m->parts[m->n], &full)) {
            m->bytes[m->n++] = part;
            m->total += part;
        } else if (gpu_is_lost(g)) {
            return err_set(e, ERR_FAILED, "%s", full.text);
        } else {
            part /= 2;
        }
    }
    return m->n > 0 || err_set(e, ERR_FAILED, "no memory is free to be tested");
}

// ---------------------------------------------------------------- one pattern

// Every part in its turn, numbered through. `count`: check, else write.
static bool launch_parts(Memory *m, unsigned pattern, uint32_t seed, bool count, Err *e) {
    GpuDriver *g = &m->session->gpu;
    const Launch *l = count ? &launch_pattern_check : &launch_pattern_fill;
    uint64_t first = 0, which = pattern, drawn = seed;
    for (size_t i = 0; i < m->n; i++) {
        uint64_t words = m->bytes[i] / WORD;
        GpuPointer at = m->counts + i * WORD;
        void *arguments[] = {&words, &first, &which, &drawn, &m->parts[i], &at};
        if (!gpu_launch(g, count ? m->check : m->fill, g->units * BLOCKS_A_UNIT, l->threads, 0, arguments, e))
            return false;
        first += words;
    }
    return true;
}

// Where a part is wrong, by the host; what was wrong once and is right when it is read again, is said so.
static bool say_where(Memory *m, size_t part, size_t step, uint32_t seed, uint32_t words, Arena *a, Err *e) {
    uint64_t first = 0;
    size_t n = m->bytes[part] / WORD, i = 0;
    for (size_t k = 0; k < part; k++) first += m->bytes[k] / WORD;
    uint32_t *is = pages_map(m->bytes[part], e);
    if (is == NULL) return false;
    bool ok = gpu_to_host(&m->session->gpu, is, m->parts[part], m->bytes[part], e);
    while (ok && i < n && is[i] == pattern_word(pattern_steps[step], first + i, seed)) i++;
    const char *place =
        i < n ? arena_printf(a, "word %" PRIu64 " of %.0f is %08" PRIx32 ", %08" PRIx32 " was written",
                             first + i, (double)m->total / WORD, is[i],
                             pattern_word(pattern_steps[step], first + i, seed))
              : "read again, all is right: it is the way from the memory";
    if (ok)
        m->wrong = arena_printf(a, "%s: %s of the memory came back wrong: %s", pattern_names[step],
                                counted(a, words, "word"), place);
    pages_unmap(is, m->bytes[part]);
    return ok;
}

// Writes all of it, then reads all of it: a line of addresses that is stuck shows as another part's words.
static bool run_step(Memory *m, size_t step, uint32_t seed, double *ret_seconds, Arena *a, Err *e) {
    GpuDriver *g = &m->session->gpu;
    uint32_t counts[PARTS_MAX] = {0};
    if (!gpu_fill(g, m->counts, 0, PARTS_MAX * WORD, e) || !gpu_clock_start(g, e) ||
        !launch_parts(m, pattern_steps[step], seed, false, e))
        return false;
    watch_look(m->watch, &m->session->telemetry);
    if (!launch_parts(m, pattern_steps[step], seed, true, e) || !gpu_clock_stop(g, ret_seconds, e) ||
        !gpu_to_host(g, counts, m->counts, sizeof counts, e))
        return false;
    m->compared += (double)m->total / WORD;
    for (size_t i = 0; i < m->n; i++) {
        if (counts[i] != 0 && m->wrong == NULL && !say_where(m, i, step, seed, counts[i], a, e)) return false;
    }
    return true;
}

// ---------------------------------------------------------------- the test

static bool run_rounds(Memory *m, Arena *a, BenchResult *r, Err *e) {
    double *figures = arena_alloc(a, BATCHES_MAX, sizeof *figures), start = seconds_now();
    uint32_t seed = (uint32_t)m->request->seed;
    size_t n = 0;
    do {
        for (size_t i = 0; i < PATTERN_STEPS; i++) {
            double seconds = 0;
            if (!run_step(m, i, seed, &seconds, a, e)) return false;
            figures[n++ % BATCHES_MAX] = 2 * (double)m->total / 1e9 / seconds;
        }
        seed++;
    } while (m->wrong == NULL && seconds_now() - start < m->request->hold_s);
    r->checked = m->compared;
    r->verified = m->wrong == NULL;
    watch_note(m->watch, a, r);
    if (r->verified) {
        r->max_error = r->max_error_of_bound = 0;
        bench_figures(r, figures, n < BATCHES_MAX ? n : BATCHES_MAX);
        return true;
    }
    r->verdict = "wrong";
    r->error = m->wrong;
    return true;
}

bool bench_gpu_memory(GpuSession *s, const BenchRequest *request, Arena *a, BenchResult *ret_result, Err *e) {
    BenchResult r = bench_blank(request->test, s->id);
    Memory *m = arena_alloc(a, 1, sizeof *m);
    m->session = s;
    m->request = request;
    m->watch = watch_new(a);
    bool ok = gpu_function(&s->gpu, launch_pattern_fill.entry, &m->fill, e) &&
              gpu_function(&s->gpu, launch_pattern_check.entry, &m->check, e) && take_all(m, e) &&
              run_rounds(m, a, &r, e);
    release_all(m);
    r.shape = arena_printf(a, "%zu", m->total);
    if (ok) *ret_result = r;
    return ok;
}
