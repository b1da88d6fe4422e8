// What all GPUs of a node did under load together, as JSON and text.
#include "src/report/bench_report.h"

static void gpu_json(const SoakGpu *g, Json *o) {
    json_add(o, J_TEXT("device", g->device), J_NUMBER("memory_pct", 100 * g->memory_share),
             J_NUMBER("rounds", g->rounds), J_NUMBER("ecc_errors_new", g->ecc_new),
             J_NUMBER("ecc_corrected_new", g->ecc_corrected_new), J_NUMBER("clock_min_mhz", g->clock_min_mhz),
             J_NUMBER("power_max_w", g->power_max_w), J_NUMBER("power_limit_w", g->power_limit_w),
             J_NUMBER("temperature_max_c", g->temperature_max_c), J_TEXT_OR_NULL("throttle", g->throttle),
             J_NUMBER("below_median_pct", g->below_pct), J_TEXT_OR_NULL("below_median_in", g->below_in),
             J_TEXT_OR_NULL("ended", g->ended));
}

void bench_soak_json(const BenchSoak *s, Json *root) {
    Json *o = json_object_if(root, "soak", s != NULL);
    if (o == NULL) return;
    json_add(o, J_NUMBER("asked_s", s->asked_s), J_NUMBER("ran_s", s->ran_s), J_NUMBER("slice_s", s->slice_s),
             J_NUMBER("power_w", s->power_w), J_NUMBER("power_limit_w", s->power_limit_w),
             J_TEXT_OR_NULL("slowest", s->slowest != NULL ? s->slowest->device : ""),
             J_TEXT_OR_NULL("hottest", s->hottest != NULL ? s->hottest->device : ""));
    Json *list = json_add_array(o, "gpus");
    for (size_t i = 0; i < s->n_gpus; i++) gpu_json(&s->gpus[i], json_add_object(list, NULL));
}

// Seconds, and minutes where there are two.
static const char *span_text(Arena *a, double s) {
    return s < 120 ? arena_printf(a, "%.1f s", s) : arena_printf(a, "%.1f min", s / 60);
}

// "94 % of its memory under patterns in 3 rounds, from 1410 MHz on, up to 702 W of 700 W and 71 C, no new memory
// errors"
static const char *gpu_line(const Writer *w, const SoakGpu *g) {
    Arena *a = w->arena;
    const char *text = is_known(g->memory_share)
                           ? arena_printf(a, "%.1f %% of its memory under patterns, %s",
                                          100 * g->memory_share, counted(a, (size_t)g->rounds, "round"))
                           : "no memory tested";
    if (is_known(g->clock_min_mhz)) text = arena_printf(a, "%s, not under %.0f MHz", text, g->clock_min_mhz);
    if (is_known(g->power_max_w))
        text = is_known(g->power_limit_w)
                   ? arena_printf(a, "%s, up to %.0f W of %.0f W", text, g->power_max_w, g->power_limit_w)
                   : arena_printf(a, "%s, up to %.0f W", text, g->power_max_w);
    if (is_known(g->temperature_max_c))
        text = arena_printf(a, "%s, up to %.0f C", text, g->temperature_max_c);
    text = !is_known(g->ecc_new) ? arena_printf(a, "%s, memory errors not readable", text)
           : g->ecc_new > 0 || g->ecc_corrected_new > 0
               ? arena_printf(a, "%s, new memory errors: %.0f uncorrected, %.0f corrected", text, g->ecc_new,
                              is_known(g->ecc_corrected_new) ? g->ecc_corrected_new : 0)
               : arena_printf(a, "%s, no new memory errors", text);
    return g->ended[0] != '\0' ? arena_printf(a, "%s; ended %s", text, g->ended) : text;
}

void bench_soak_text(const Writer *w, const BenchSoak *s) {
    Arena *a = w->arena;
    if (s == NULL) return;
    buf_puts(w->out, "\n");
    writer_line(w, 0,
                "Under load for %s of %s, %s at once, in slices of %.3g s: patterns in memory, products, "
                "bandwidth in turn.",
                span_text(a, s->ran_s), span_text(a, s->asked_s), counted(a, s->n_gpus, "GPU"), s->slice_s);
    for (size_t i = 0; i < s->n_gpus; i++)
        writer_line(w, 2, "%s: %s.", s->gpus[i].device, gpu_line(w, &s->gpus[i]));
    const char *power = is_known(s->power_w) ? arena_printf(a, "%.0f W", s->power_w) : "an unread power";
    const char *limit = is_known(s->power_limit_w)
                            ? arena_printf(a, "%.0f W that their limits allow together", s->power_limit_w)
                            : "limits that cannot be read";
    writer_line(w, 0, "The node's GPUs drew up to %s, of %s. Clocks held down: %s.", power, limit,
                s->held[0] != '\0' ? s->held : "none");
    if (text_contains(s->held, BENCH_POWER_BRAKE))
        writer_line(w, 0,
                    "A power brake comes from outside of a GPU: the node's power supply or a limit of the "
                    "node holds it, not the GPU itself.");
    if (s->slowest != NULL)
        writer_line(w, 0, "Slowest: %s, in %s %.1f %% below the median of its like.", s->slowest->device,
                    s->slowest->below_in, s->slowest->below_pct);
    if (s->hottest != NULL && s->n_gpus > 1)
        writer_line(w, 0, "Hottest: %s, %.0f C.", s->hottest->device, s->hottest->temperature_max_c);
}
