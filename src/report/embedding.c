// The estimate of a model that gives embeddings as JSON and as text.
#include <math.h>

#include "src/report/figures.h"

static Estimate rate(const EmbeddingAnswer *w, double each) {
    return w->status == SERVE_OK ? task_rate_estimate(&w->point, each)
                                 : (Estimate){(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
}

static double weight_bytes(const EmbeddingAnswer *w) { return model_weight_bytes(w->model, w->point.dtype); }

static double workspace_bytes(const EmbeddingAnswer *w) {
    return w->point.memory_bytes - w->gpus * weight_bytes(w);
}

static bool has_memory(const EmbeddingAnswer *w) { return w->point.memory_bytes > 0; }

// ---------------------------------------------------------------- JSON

static void configuration_json(const EmbeddingAnswer *w, Json *root) {
    Json *j = json_add_object(root, "configuration");
    json_add(j, J_TEXT("model", w->model->model_id), J_TEXT("gpu", w->gpu->sku_id),
             J_INTEGER("gpu_count", w->gpus),
             J_TEXT_OR_NULL("weights", has_memory(w) ? dtype_names[w->point.dtype] : ""),
             J_NUMBER("isl_tokens", w->tokens), J_NUMBER("sequences_per_batch", w->texts));
}

static void memory_json(const EmbeddingAnswer *w, Json *root) {
    Json *j = json_add_object(root, "memory");
    bool known = has_memory(w);
    json_add_number(j, "weights_gb", known ? weight_bytes(w) / 1e9 : (double)NAN);
    json_add_null(j, "kv_bytes_per_token");
    json_add_null(j, "kv_cache_gb");
    json_add(j, J_NUMBER("workspace_gb", known ? workspace_bytes(w) / 1e9 : (double)NAN),
             J_NUMBER("usable_gb", known ? w->point.usable_bytes / 1e9 : (double)NAN));
}

void embedding_json(const EmbeddingAnswer *w, Json *root) {
    // What only token serving has is unknown, so that scripts find the same keys.
    static const char *const of_serving[] = {"output_tokens_per_s",
                                             "output_tokens_per_s_per_gpu",
                                             "ttft_p50_ms",
                                             "ttft_p99_ms",
                                             "tpot_ms",
                                             "e2e_ms"};
    const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    bool ok = w->status == SERVE_OK;
    Estimate texts = rate(w, 1), each = rate(w, 1.0 / w->gpus), tokens = rate(w, w->tokens);
    json_add(root, J_BOOL("fits", ok), J_TEXT_OR_NULL("reason", ok ? "" : serve_status_names[w->status]));
    configuration_json(w, root);
    memory_json(w, root);
    estimate_json(root, "sequences_per_s", &texts);
    estimate_json(root, "sequences_per_s_per_gpu", &each);
    estimate_json(root, "input_tokens_per_s", &tokens);
    estimate_json(root, "total_tokens_per_s", &tokens);
    for (size_t i = 0; i < COUNT_OF(of_serving); i++) estimate_json(root, of_serving[i], &unknown);
    json_add_null(root, "concurrency");
    json_add_text_or_null(root, "bound_by", ok ? w->point.bound_by : "");
    json_add_array(root, "breakdown");
}

// ---------------------------------------------------------------- text

// clang-format off
#define COLUMNS(X) \
    X("what",  "",      TEXT,      what) \
    X("value", "VALUE", NUMBER(4), x.value) \
    X("low",   "LOW",   NUMBER(4), x.low) \
    X("high",  "HIGH",  NUMBER(4), x.high) \
    X("unit",  "UNIT",  TEXT,      unit)
// clang-format on

static void row(Listing *l, const char *what, Estimate x, const char *unit) {
    listing_row(l, COLUMNS(LISTING_CELL));
}

static void exact(Listing *l, const char *what, double value) {
    row(l, what, (Estimate){value, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""}, "GB");
}

static void fill(const EmbeddingAnswer *w, Listing *l) {
    if (has_memory(w)) {
        exact(l, "weights, one copy", weight_bytes(w) / 1e9);
        exact(l, "workspace, all GPUs", workspace_bytes(w) / 1e9);
        exact(l, "usable, all GPUs", w->point.usable_bytes / 1e9);
    }
    if (w->status != SERVE_OK) return;
    row(l, "texts", rate(w, 1), "texts/s");
    row(l, "texts of a GPU", rate(w, 1.0 / w->gpus), "texts/s");
    row(l, "input tokens", rate(w, w->tokens), "tokens/s");
}

void embedding_text(const EmbeddingAnswer *w, Format format, Room room, bool explain, Arena *a, Buf *out) {
    Listing l = LISTING(a, "estimate", COLUMNS, 6);
    fill(w, &l);
    if (format != FORMAT_CSV) {
        const char *computed =
            has_memory(w) ? arena_printf(a, ", computed in %s", dtype_names[w->point.dtype]) : "";
        wrapped_printf(out, 0, format == FORMAT_MD ? 0 : room.width,
                       "%s on %d x %s (%s): embeddings%s, texts of %s, %.0f a batch", w->model->model_id,
                       w->gpus, w->gpu->sku_id, w->gpu->name, computed,
                       counted_number(a, w->tokens, 7, "token"), w->texts);
        if (w->status != SERVE_OK)
            wrapped_printf(out, 0, room.width, "NO: %s.", serve_status_names[w->status]);
        buf_puts(out, "\n");
    }
    listing_print(&l, format, room, out);
    if (format == FORMAT_CSV || w->status != SERVE_OK) return;
    buf_printf(out, "\nbound by %s; basis %s; low and high are an 80 %% range; GB are 10^9 bytes\n",
               w->point.bound_by, basis_names[w->point.basis]);
    if (!explain) return;
    buf_printf(out, "\nat full datasheet peaks %.4g texts/s: %.0f %% of them are reached\nsources: ",
               w->point.rate_most, 100 * w->point.rate / w->point.rate_most);
    text_wrapped(out, text_clean(a, w->point.sources), 9, room.width);
}
