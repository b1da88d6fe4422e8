// What sums of measured kernels are worth alone, as JSON, text and Markdown.
#include <math.h>

#include "src/report/validation.h"

static void step_json(const KernelStep *k, Arena *a, Json *j) {
    json_add(j, J_TEXT("model", k->model), J_TEXT("engine", k->engine),
             J_TEXT("precision_weights", dtype_names[k->weights]), J_TEXT("precision_kv", dtype_names[k->kv]),
             J_TEXT("layout", layout_text(&k->layout, a)), J_NUMBER("batch", k->batch),
             J_NUMBER("context_tokens", k->context_tokens));
    Json *gpus = json_add_array(j, "gpus");
    for (size_t g = 0; g < STEP_GPUS; g++) {
        Json *gpu = json_add_object(gpus, NULL);
        json_add(gpu, J_TEXT("gpu", k->gpus[g]), J_NUMBER("sum_us", k->parts[g].sum_s * 1e6));
        Json *parts = json_add_array(gpu, "parts");
        for (int i = 0; i < KERNEL_PART_COUNT; i++) {
            Json *part = json_add_object(parts, NULL);
            json_add(part, J_TEXT("part", kernel_part_names[i]), J_NUMBER("us", k->parts[g].s[i] * 1e6),
                     J_TEXT("basis", k->parts[g].bases[i]));
        }
    }
}

void validation_kernels_json(const Validation *v, Arena *a, Json *root) {
    Json *sums = json_add_array(root, "kernel_sums");
    for (size_t i = 0; i < v->n_kernel_sums; i++) {
        const KernelSumStats *s = &v->kernel_sums[i];
        Json *j = json_add_object(sums, NULL);
        json_add_text(j, "name", s->name);
        Json *models = json_add_array(j, "models");
        for (size_t m = 0; s->models[m] != NULL; m++) json_add_text(models, NULL, s->models[m]);
        json_add(j, J_TEXT("vendor", s->vendor), J_INTEGER("n", s->n), J_INTEGER("publishers", s->publishers),
                 J_INTEGER("n_unjudged", s->n_unjudged),
                 J_NUMBER("median_abs_error_pct", s->median_abs_error_pct),
                 J_NUMBER("p90_abs_error_pct", s->p90_abs_error_pct));
    }
    Json *steps = json_add_array(root, "kernel_steps");
    for (size_t i = 0; i < v->n_kernel_steps; i++)
        step_json(&v->kernel_steps[i], a, json_add_object(steps, NULL));
}

// ---------------------------------------------------------------- text

// clang-format off
#define KERNEL_SUMS_COLUMNS(X) \
    X("name",                 "KERNELS ALONE", TEXT,      s->name) \
    X("vendor",               "VENDOR",        TEXT,      s->vendor) \
    X("n",                    "N",             NUMBER(5), s->n) \
    X("publishers",           "PUBLISHERS",    NUMBER(4), s->publishers) \
    X("n_unjudged",           "NOT JUDGED",    NUMBER(5), s->n_unjudged) \
    X("median_abs_error_pct", "MEDIAN%",       NUMBER(3), s->median_abs_error_pct) \
    X("p90_abs_error_pct",    "P90%",          NUMBER(3), s->p90_abs_error_pct)
// clang-format on

static void sums_text(const Validation *v, Format format, Room room, Arena *a, Buf *out) {
    Listing l = LISTING(a, "kernel_sums", KERNEL_SUMS_COLUMNS, v->n_kernel_sums);
    for (size_t i = 0; i < v->n_kernel_sums; i++) {
        const KernelSumStats *s = &v->kernel_sums[i];
        listing_row(&l, KERNEL_SUMS_COLUMNS(LISTING_CELL));
    }
    listing_print(&l, format, room, out);
}

// Which models a name stands for, where it is more than one.
static void members_text(const Validation *v, size_t width, Arena *a, Buf *out) {
    for (size_t i = 0; i < v->n_kernel_sums; i++) {
        const KernelSumStats *s = &v->kernel_sums[i];
        bool first = i == 0 || s->models != v->kernel_sums[i - 1].models;
        if (!first || s->models[1] == NULL) continue;
        const char *models = s->models[0];
        for (size_t m = 1; s->models[m] != NULL; m++)
            models = arena_printf(a, "%s, %s", models, s->models[m]);
        buf_puts(out, "\n");
        wrapped_printf(out, 0, width, "%s: %s, which have the same layers.", s->name, models);
    }
}

// "512 (this GPU)"; "": unknown.
static const char *part_text(double seconds, const char *basis, Arena *a) {
    if (!is_known(seconds)) return "";
    return basis[0] != '\0' ? arena_printf(a, "%.0f (%s)", seconds * 1e6, basis)
                            : arena_printf(a, "%.0f", seconds * 1e6);
}

static void step_text(const KernelStep *k, Format format, Room room, Arena *a, Buf *out) {
    Column columns[STEP_GPUS + 1] = {{.key = "part", .title = "US"}};
    for (size_t g = 0; g < STEP_GPUS; g++) columns[g + 1] = (Column){.key = k->gpus[g], .title = k->gpus[g]};
    Listing l = listing_new(a, "kernel_step", columns, COUNT_OF(columns), KERNEL_PART_COUNT + 1);
    for (int i = 0; i <= KERNEL_PART_COUNT; i++) {
        listing_text(&l, 0, i < KERNEL_PART_COUNT ? kernel_part_names[i] : "sum");
        for (size_t g = 0; g < STEP_GPUS; g++) {
            const KernelParts *p = &k->parts[g];
            listing_text(&l, g + 1,
                         i < KERNEL_PART_COUNT ? part_text(p->s[i], p->bases[i], a)
                                               : part_text(p->sum_s, "", a));
        }
        listing_row_done(&l);
    }
    listing_print(&l, format, room, out);
}

void validation_kernels_text(const Validation *v, Format format, Room room, Arena *a, Buf *out) {
    if (v->n_kernel_sums == 0 || format == FORMAT_CSV) return;
    size_t wide = format == FORMAT_MD ? 0 : room.width;
    if (format == FORMAT_MD) buf_puts(out, "\n## Kernels alone\n");
    buf_puts(out, "\n");
    text_wrapped(
        out,
        "The sum of measured kernels with one factor per engine and nothing else that is fitted: the factor "
        "is the median of measured over summed rates of the rows, of any model, that other publishers "
        "measured under that engine, so that no row judges itself. NOT JUDGED: nobody else measured it.",
        0, wide);
    members_text(v, wide, a, out);
    buf_puts(out, "\n");
    sums_text(v, format, room, a, out);
    for (size_t i = 0; i < v->n_kernel_steps; i++) {
        const KernelStep *k = &v->kernel_steps[i];
        buf_puts(out, "\n");
        wrapped_printf(
            out, 0, wide,
            "One decode step of %s in microseconds, kernels alone, before any factor: %.0f sequences of %.0f "
            "tokens, %s, %s weights and %s cache under %s. Behind each time is what it was measured on.",
            k->model, k->batch, k->context_tokens, layout_text(&k->layout, a), dtype_names[k->weights],
            dtype_names[k->kv], k->engine);
        buf_puts(out, "\n");
        step_text(k, format, room, a, out);
    }
}
