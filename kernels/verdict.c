// Verdicts on figures of GPUs.
#include "kernels/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the median of known-good readings: from here on as expected, from there on a little low.
static const double as_expected = 0.95, a_little_low = 0.85;

double device_share(const Gpu *gpu, double parts, bool mig, double memory_bytes) {
    if (gpu == NULL) return (double)NAN;
    double dies = is_known(gpu->devices_per_package) ? gpu->devices_per_package : 1;
    if (!mig) return 1 / (dies * parts);
    // Slices of memory are eighths, and bandwidth goes with them.
    double eighths = round(memory_bytes / (gpu->memory_gb * 1e9) * 8);
    return eighths >= 1 && eighths <= 8 ? eighths / 8 : (double)NAN;
}

// What the datasheet promises for the whole GPU, in the unit of the test: bandwidth, or the dense rate of the
// data's type.
static double promised(const Gpu *gpu, const Kernel *k) {
    const struct {
        const char *dtype;
        size_t offset;
    } rates[] = {{"fp64", is_known(gpu->fp64_matrix_tflops) ? offsetof(Gpu, fp64_matrix_tflops)
                                                            : offsetof(Gpu, fp64_vector_tflops)},
                 {"fp32", offsetof(Gpu, fp32_vector_tflops)},
                 {"tf32", offsetof(Gpu, tf32_tflops)},
                 {"fp16", offsetof(Gpu, fp16_tflops)},
                 {"bf16", offsetof(Gpu, bf16_tflops)},
                 {"int8", offsetof(Gpu, int8_tops)},
                 {"fp8", offsetof(Gpu, fp8_tflops)},
                 {"mxfp4", offsetof(Gpu, fp4_tflops)}};
    double tflops = (double)NAN;
    if (k->kind == KIND_BANDWIDTH) return gpu->memory_bw_gb_s;
    for (size_t i = 0; k->kind == KIND_COMPUTE && i < COUNT_OF(rates); i++) {
        if (strcmp(rates[i].dtype, k->dtype) == 0)
            memcpy(&tflops, (const char *)gpu + rates[i].offset, sizeof tflops);
    }
    return tflops * 1000;
}

// `gpus`: that took part; a reading that does not say is of one.
static const HealthyGpu *reading(const VerdictBasis *b, const char *test, double gpus) {
    for (size_t i = 0; i < b->n_healthy; i++) {
        const HealthyGpu *h = &b->healthy[i];
        if (strcmp(h->sku_id, b->gpu->sku_id) == 0 && strcmp(h->test, test) == 0 &&
            (is_known(h->gpu_count) ? h->gpu_count : 1) == gpus)
            return h;
    }
    return NULL;
}

// What is expected, in the unit of the test.
typedef struct Band {
    double median, low, high;  // low, high: NaN = not known
    const char *source;
} Band;

static Band band_of(const HealthyGpu *h, Arena *a) {
    const double giga = 1000;
    const char *source = arena_printf(a, "%s (%s, %s)", h->source, h->kind, h->as_of);
    return is_known(h->median_tflop_s)
               ? (Band){giga * h->median_tflop_s, giga * h->low_tflop_s, giga * h->high_tflop_s, source}
               : (Band){h->median_gb_s, h->low_gb_s, h->high_gb_s, source};
}

// The GPU's own readings aside: what part of their datasheets others of its architecture (`kin`) or of its vendor
// reach, the least of them for the median. How many they are.
static size_t band_of_others(const VerdictBasis *b, const Kernel *k, bool kin, double sheet, Arena *a,
                             Band *ret) {
    double least = (double)NAN, most = (double)NAN;
    size_t n = 0;
    for (size_t i = 0; i < b->n_healthy; i++) {
        const HealthyGpu *h = &b->healthy[i];
        const Gpu *gpu = row_named(h->sku_id, b->gpus, b->n_gpus, sizeof *gpu);
        if (gpu == NULL || strcmp(h->test, k->name) != 0 || is_known(h->gpu_count) ||
            gpu->vendor != b->gpu->vendor)
            continue;
        double share = band_of(h, a).median / promised(gpu, k);
        if (!is_known(share) || (kin && strcmp(gpu->architecture, b->gpu->architecture) != 0)) continue;
        least = share < least || !is_known(least) ? share : least;
        most = share > most || !is_known(most) ? share : most;
        n++;
    }
    const char *whose = kin ? "architecture" : "vendor";
    const char *source =
        n == 1
            ? arena_printf(a, "no reading of this GPU: one other of its %s reaches %.0f %% of the datasheet",
                           whose, 100 * least)
            : arena_printf(
                  a, "no reading of this GPU: %zu others of its %s reach %.0f to %.0f %% of the datasheet", n,
                  whose, 100 * least, 100 * most);
    *ret = (Band){least * sheet, (double)NAN, most * sheet, source};
    return n;
}

// A die of a card that stands as a device of its own has memory and arithmetic of its own. Slices and partitions
// of one die share what the others leave.
static bool is_die(const VerdictBasis *b) {
    return b->gpu->devices_per_package > 1 && b->share == 1 / b->gpu->devices_per_package;
}

// The band of the part that was tested; readings are of whole cards.
static bool find_band(const VerdictBasis *b, const BenchResult *r, const Kernel *k, Arena *a, Band *ret) {
    const HealthyGpu *h = reading(b, r->test, 1);
    if (h != NULL && k == NULL && b->share != 1) return false;  // a link is not shared out by dies
    if (h != NULL) {
        Band whole = band_of(h, a);
        *ret = (Band){whole.median * b->share, whole.low * b->share, whole.high * b->share, whole.source};
        return true;
    }
    if (k == NULL || !is_known(r->datasheet)) return false;
    return band_of_others(b, k, true, r->datasheet, a, ret) >= 1 ||
           band_of_others(b, k, false, r->datasheet, a, ret) >= 2;
}

// Band and verdict. True: it is below what is expected.
static bool hold_against(const Band *band, BenchResult *r) {
    double figure = bench_judged(r);
    r->expected_low =
        fmin(is_known(band->low) ? band->low : as_expected * band->median, as_expected * band->median);
    r->expected_high = is_known(band->high) ? band->high : band->median;
    r->expected_source = band->source;
    r->verdict = figure >= r->expected_low               ? "as expected"
                 : figure >= a_little_low * band->median ? "a little low"
                                                         : "low";
    return figure < r->expected_low;
}

// Readings of products are of libraries, and of sizes that fill a GPU.
static bool is_comparable(const Kernel *k, const BenchResult *r) {
    enum { FULL_SIDE = 8192 };
    Shape s;
    if (k == NULL || k->kind != KIND_COMPUTE) return true;
    return is_known(r->library_ceiling) && shape_read(k, r->shape, &s) && s.d[0] >= FULL_SIDE &&
           s.d[1] >= FULL_SIDE;
}

// Everything that was seen and slows a GPU down, the likeliest first.
static const char *probable_cause(const VerdictBasis *b, const BenchAbout *about, const BenchResult *r,
                                  Arena *a) {
    const char *list[4] = {NULL}, *text = "";
    size_t n = 0;
    if (r->throttle[0] != '\0') list[n++] = arena_printf(a, "clocks held down by %s", r->throttle);
    if (b->shared) list[n++] = "other programs computed on it";
    if (about->power_limit_w < BENCH_WHOLE_LIMIT * about->power_default_w) {
        list[n++] = arena_printf(a, "power limit %.0f W, default %.0f W", about->power_limit_w,
                                 about->power_default_w);
    }
    if (about->ecc_errors > 0)
        list[n++] = arena_printf(a, "%.0f uncorrected memory errors", about->ecc_errors);
    for (size_t i = 0; i < n; i++)
        text = text[0] != '\0' ? arena_printf(a, "%s; %s", text, list[i]) : list[i];
    return n > 0 ? text : "nothing that could be read explains it: see clocks, cooling and the kernel's log";
}

void verdict_fill(const VerdictBasis *b, const BenchAbout *about, Arena *a, BenchResult *r) {
    TestId test = 0;
    if (b->gpu == NULL || !test_find(r->test, &test) || !r->verified || !is_known(r->median)) return;
    const Kernel *k = test_kernel(test);
    if (b->in_cache && k != NULL && k->kind == KIND_BANDWIDTH) return;
    // a copy runs at the pace of the host's link
    r->datasheet = k != NULL ? promised(b->gpu, k) * b->share : (double)NAN;
    // What is low by its making says nothing of the GPU: no part of the datasheet then, but the library's.
    const char *own = k != NULL ? verdict_own_unit(b->gpu, k, about->arch) : NULL;
    bool by_library = k != NULL && k->kind == KIND_COMPUTE && is_known(r->library_ceiling);
    if (own == NULL || by_library) r->pct_of_datasheet = 100 * bench_judged(r) / r->datasheet;
    if (own != NULL && !by_library) r->cause = own;
    Band band;
    bool die = is_die(b);
    if ((b->share != 1 && !die) || !is_comparable(k, r) || !find_band(b, r, k, a, &band)) return;
    if (die)
        band.source = arena_printf(a, "of one of %.0f dies, as its part of the whole card: %s",
                                   b->gpu->devices_per_package, band.source);
    if (hold_against(&band, r)) r->cause = probable_cause(b, about, r, a);
}

void verdict_possible(const VerdictBasis *b, Arena *a, BenchResult *r) {
    const double most = 1.03;
    TestId test = 0;
    const Kernel *k = test_find(r->test, &test) ? test_kernel(test) : NULL;
    if (!r->verified || !is_known(r->datasheet)) return;
    double promise = k != NULL && k->kind == KIND_BANDWIDTH && is_known(b->memory_share)
                         ? r->datasheet / b->share * b->memory_share
                         : r->datasheet;
    // The sheet's rate of fp32 is that of vectors: libraries reach more on matrix units of AMD's.
    bool by_library = r->library_ceiling > r->median && strcmp(r->dtype, "fp32") != 0;
    double figure = by_library ? r->library_ceiling : r->median;
    if (!(figure > most * promise)) return;
    r->error = arena_printf(a,
                            "%.4g %s%s%s are %.1f %% of the datasheet's %.4g: a cache, the clock, or another "
                            "GPU than it says it is",
                            figure, r->unit, by_library ? " by " : "", by_library ? r->library : "",
                            100 * figure / promise, promise);
    r->verdict = "impossible";
    r->verified = false;
    r->median = r->p5 = r->p95 = r->burst = r->library_ceiling = (double)NAN;
    r->expected_low = r->expected_high = (double)NAN;
    r->expected_source = r->cause = "";
}

// One way, of the links that join a GPU to its group; the table has both ways together.
static double promised_link(const Gpu *gpu, const GroupTest *t, double gpus) {
    bool whole = gpu->link_topology == LINK_SWITCH || (gpu->link_topology == LINK_PAIR && gpus == 2);
    return !whole ? (double)NAN : t->both_ways ? gpu->link_gb_s : gpu->link_gb_s / 2;
}

void verdict_fill_group(const VerdictBasis *b, Arena *a, BenchResult *r) {
    TestId test = 0;
    char full[32];
    const GroupTest *t = test_find(r->test, &test) ? test_group(test) : NULL;
    if (t == NULL || b->gpu == NULL || b->share != 1 || !r->verified || !is_known(r->median) || t->of_time)
        return;
    if (strncmp(r->path, "NVLink", 6) == 0 || strncmp(r->path, "xGMI", 4) == 0)
        r->datasheet = promised_link(b->gpu, t, r->gpu_count);
    r->pct_of_datasheet = 100 * r->median / r->datasheet;
    snprintf(full, sizeof full, "%zu", t->bytes);
    const HealthyGpu *h =
        t->of_pair || strcmp(r->shape, full) != 0 ? NULL : reading(b, r->test, r->gpu_count);
    if (h == NULL) return;
    Band band = band_of(h, a);
    if (!hold_against(&band, r)) return;
    r->cause = r->throttle[0] != '\0' ? arena_printf(a, "clocks held down by %s", r->throttle)
                                      : "see the copies of single pairs for a slow link, NCCL's or RCCL's "
                                        "version and its variables in the environment";
}
