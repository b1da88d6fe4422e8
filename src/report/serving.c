// One configuration's estimate as JSON and as text.
#include <math.h>
#include <string.h>

#include "src/report/figures.h"
#include "src/report/sessions.h"

static Estimate of(const ServingAnswer *w, double value, double extra_sigma) {
    const Serving *s = &w->serving;
    if (w->status != SERVE_OK) return (Estimate){(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    return estimate_of(value, sqrt(s->sigma_log * s->sigma_log + extra_sigma * extra_sigma), s->basis,
                       w->sources);
}

typedef struct Figures {
    Estimate output, output_gpu, total, ttft_p50, ttft_p99, tpot, e2e;
} Figures;

// A time, its range kept on this side of physics: no shorter than `least`.
static Estimate time_of(const ServingAnswer *w, double seconds, double least) {
    Estimate x = of(w, seconds * 1000, 0);
    if (x.low < least * 1000) x.low = fmin(least * 1000, x.value);
    return x;
}

static Estimate scaled(const Estimate *x, double factor) {
    return (Estimate){x->value * factor, x->low * factor, x->high * factor, x->basis, x->sources};
}

static Figures figures(const ServingAnswer *w) {
    const Point *p = &w->point;
    double n = w->replicas;
    double gpus = n * w->serving.layout.tp * w->serving.layout.pp;
    double tail = sqrt(w->sigma_ttft * w->sigma_ttft + w->sigma_tail * w->sigma_tail);
    Estimate output = of(w, p->output_tokens_s * n, 0);
    // Keeps the range on this side of physics: what waits in a queue or is not offered does not count against
    // it. not so where prompts are read apart and their first token is all
    bool writes = w->status == SERVE_OK && p->running > 0;
    double limit = writes ? serving_bound(&w->serving, p->running) * n : (double)NAN;
    if (output.high > limit) output.high = fmax(limit, output.value);
    // Where prompts are read apart, only the replicas that write hold sequences.
    double writing = n / (n - w->prefill_replicas);
    double least = writes ? 1 / serving_user_bound(&w->serving, p->running * writing) : (double)NAN;
    return (Figures){
        .output = output,
        .output_gpu = scaled(&output, 1 / gpus),
        .total = scaled(&output, p->total_tokens_s / p->output_tokens_s),
        .ttft_p50 = of(w, p->ttft_s * 1000, w->sigma_ttft),
        .ttft_p99 = of(w, p->ttft_p99_s * 1000, tail),
        .tpot = time_of(w, p->tpot_s, least),
        .e2e = time_of(w, p->e2e_s, w->serving.osl * least),
    };
}

// Bytes that the running sequences hold, all GPUs of all replicas.
static double cache_bytes(const ServingAnswer *w) {
    return w->status == SERVE_OK ? w->point.running * w->serving.cache_bytes_per_seq * w->replicas : 0;
}

static bool has_memory(const ServingAnswer *w) { return w->serving.usable_bytes > 0; }

static double copy_bytes(const Serving *s) {
    return s->copy_bytes > 0 ? s->copy_bytes : model_weight_bytes(s->model, s->weights);
}

static void memory_json(const ServingAnswer *w, Json *root) {
    const Serving *s = &w->serving;
    Json *j = json_add_object(root, "memory");
    json_add(j, J_NUMBER("weights_gb", copy_bytes(s) / 1e9),
             J_NUMBER("weights_host_gb", model_lookup_bytes(s->model, s->weights) / 1e9),
             J_NUMBER("weights_cpu_gb", has_memory(w) ? serving_host_bytes(s) / 1e9 : (double)NAN),
             J_NUMBER("kv_bytes_per_token", model_kv_bytes_per_token(s->model, s->kv)),
             J_NUMBER("kv_window_bytes_per_token", model_window_bytes_per_token(s->model, s->kv)),
             J_NUMBER("kv_window_tokens", s->model->sliding_window));
    bool known = has_memory(w);
    json_add(j, J_NUMBER("kv_copies", known ? s->cache_copies : (double)NAN),
             J_NUMBER("kv_cache_gb", known ? cache_bytes(w) / 1e9 : (double)NAN),
             J_NUMBER("kv_room_gb", known ? s->room_bytes * w->replicas / 1e9 : (double)NAN),
             J_NUMBER("workspace_gb", known ? s->workspace_bytes * w->replicas / 1e9 : (double)NAN),
             J_NUMBER("usable_gb", known ? s->usable_bytes * w->replicas / 1e9 : (double)NAN),
             J_NUMBER("sequences_max", known ? s->sequences_max * w->replicas : (double)NAN));
}

// How llama.cpp splits a model over several GPUs; "" where it does not, and for other engines.
static const char *split_name(const Serving *s) {
    if (strcmp(s->engine, "llama.cpp") != 0 || s->layout.tp * s->layout.pp == 1) return "";
    return s->layout.pp > 1 ? "layer" : "row";
}

static void configuration_json(const ServingAnswer *w, Json *root) {
    const Serving *s = &w->serving;
    Json *j = json_add_object(root, "configuration");
    json_add(j, J_TEXT("model", s->model->model_id), J_TEXT("gpu", s->gpu->sku_id),
             J_INTEGER("gpu_count", w->replicas * s->layout.tp * s->layout.pp));
    Json *parallel = json_add_object(j, "parallel");
    json_add(parallel, J_INTEGER("tp", s->layout.tp), J_INTEGER("pp", s->layout.pp),
             J_INTEGER("ep", s->layout.ep), J_INTEGER("dp", w->replicas));
    json_add(j, J_TEXT("engine", s->engine), J_TEXT("weights", dtype_names[s->weights]),
             J_TEXT("kv", dtype_names[s->kv]),
             J_TEXT_OR_NULL("compute", s->compute != DTYPE_UNKNOWN ? dtype_names[s->compute] : ""),
             J_TEXT_OR_NULL("weights_run", s->precision_status), J_NUMBER("isl_tokens", s->isl),
             J_NUMBER("osl_tokens", s->osl), J_NUMBER("cached_prompt_share", s->cached_share),
             J_NUMBER("draft_tokens", s->drafts), J_NUMBER("tokens_per_step", s->kept),
             J_NUMBER("clock_share", s->clock), J_TEXT_OR_NULL("split", split_name(s)),
             J_NUMBER("host_layers", s->host_share * s->model->layers),
             J_NUMBER("host_gb_per_s", serving_host_bytes(s) > 0 ? s->host_bytes_s / 1e9 : (double)NAN),
             J_TEXT_OR_NULL("host_gb_per_s_source", serving_host_bytes(s) > 0 ? s->host_source : ""),
             J_INTEGER("prefill_gpus", w->prefill_replicas * s->layout.tp * s->layout.pp));
}

static void breakdown_json(const ServingAnswer *w, Json *root) {
    Json *list = json_add_array(root, "breakdown");
    if (w->status != SERVE_OK) return;
    for (int i = 0; i < TIME_COUNT; i++) {
        Json *j = json_add_object(list, NULL);
        json_add(j, J_TEXT("item", time_item_names[i]),
                 J_NUMBER("ms_per_output_token", w->point.item_s[i] * 1000),
                 J_TEXT("what", time_item_titles[i]));
    }
}

static void rate_json(const LocalRate *r, Json *list) {
    if (r == NULL) return;
    Json *j = json_add_object(list, NULL);
    json_add(j, J_TEXT("what", r->dtype == DTYPE_UNKNOWN ? "memory-bandwidth" : "matrix-products"),
             J_TEXT_OR_NULL("dtype", r->dtype == DTYPE_UNKNOWN ? "" : dtype_names[r->dtype]),
             J_NUMBER(r->dtype == DTYPE_UNKNOWN ? "gb_per_s" : "tflop_per_s",
                      r->rate / (r->dtype == DTYPE_UNKNOWN ? 1e9 : 1e12)),
             J_INTEGER("run", r->run), J_TEXT("taken_at", r->taken_at));
    if (r->refused[0] != '\0') json_add_text(j, "why", r->refused);
}

void published_json(const Published *p, Json *parent) {
    Json *j = json_add_object(parent, "published");
    json_add(j, J_INTEGER("n", p->n),
             J_NUMBER("output_tokens_per_s", p->n > 0 ? p->output_tokens_s : (double)NAN),
             J_NUMBER("lowest", p->n > 0 ? p->low : (double)NAN),
             J_NUMBER("highest", p->n > 0 ? p->high : (double)NAN),
             J_TEXT_OR_NULL("sources", p->sources != NULL ? p->sources : ""));
}

// What the answer rests on besides the calibration.
static void known_json(const ServingAnswer *w, Json *root) {
    Json *list = json_add_array(root, "measured_here");
    rate_json(w->serving.local_bandwidth, list);
    rate_json(w->serving.local_flops, list);
    list = json_add_array(root, "not_taken");
    rate_json(w->serving.refused_bandwidth, list);
    rate_json(w->serving.refused_flops, list);
    published_json(&w->published, root);
    own_runs_json(w, root);
}

void serving_json(const ServingAnswer *w, Arena *a, Json *root) {
    bool ok = w->status == SERVE_OK;
    const Serving *s = &w->serving;
    Figures f = figures(w);
    json_add(root, J_BOOL("fits", ok), J_TEXT_OR_NULL("reason", w->reason));
    configuration_json(w, root);
    memory_json(w, root);
    kv_json(&w->kv, s, w->replicas, root);
    session_json(&w->session, ok ? w->sessions : 0, w->replicas, w->random_output_tokens_s * w->replicas,
                 root);
    estimate_json(root, "output_tokens_per_s", &f.output);
    estimate_json(root, "output_tokens_per_s_per_gpu", &f.output_gpu);
    estimate_json(root, "total_tokens_per_s", &f.total);
    estimate_json(root, "ttft_p50_ms", &f.ttft_p50);
    estimate_json(root, "ttft_p99_ms", &f.ttft_p99);
    estimate_json(root, "tpot_ms", &f.tpot);
    estimate_json(root, "e2e_ms", &f.e2e);
    json_add(root, J_NUMBER("concurrency", ok ? w->point.concurrency * w->replicas : (double)NAN),
             J_NUMBER("running", ok ? w->point.running * w->replicas : (double)NAN));
    bool by_kv = ok && w->sessions > 0 && w->session.kv_bound;
    json_add_text_or_null(root, "bound_by",
                          by_kv ? "kv-capacity"
                          : ok  ? time_item_names[w->point.bound_by]
                                : "");
    breakdown_json(w, root);
    extras_json(w, a, root);
    known_json(w, root);
}

// ---------------------------------------------------------------- text

// clang-format off
#define COLUMNS(X) \
    X("what",  "",      TEXT,      what) \
    X("value", "VALUE", NUMBER(4), x->value) \
    X("low",   "LOW",   NUMBER(4), x->low) \
    X("high",  "HIGH",  NUMBER(4), x->high) \
    X("unit",  "UNIT",  TEXT,      unit)
// clang-format on

static void row(Listing *l, const char *what, const Estimate *x, const char *unit) {
    listing_row(l, COLUMNS(LISTING_CELL));
}

static void exact(Listing *l, const char *what, double value, const char *unit) {
    Estimate x = {value, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    row(l, what, &x, unit);
}

static void fill(const ServingAnswer *w, Listing *l) {
    const Serving *s = &w->serving;
    exact(l, "weights, one copy", copy_bytes(s) / 1e9, "GB");
    if (model_lookup_bytes(s->model, s->weights) > 0)
        exact(l, "of them in host memory", model_lookup_bytes(s->model, s->weights) / 1e9, "GB");
    exact(l, "KV cache a token", model_kv_bytes_per_token(s->model, s->kv), "bytes");
    if (model_window_bytes_per_token(s->model, s->kv) > 0) {
        exact(l, "and within the window", model_window_bytes_per_token(s->model, s->kv), "bytes");
        exact(l, "window", s->model->sliding_window, "tokens");
    }
    if (has_memory(w)) {
        exact(l, "workspace, all GPUs", s->workspace_bytes * w->replicas / 1e9, "GB");
        exact(l, "usable, all GPUs", s->usable_bytes * w->replicas / 1e9, "GB");
        exact(l, "room for KV cache", s->room_bytes * w->replicas / 1e9, "GB");
        Estimate held = {w->kv.tokens * w->replicas, w->kv.low * w->replicas, w->kv.high * w->replicas,
                         BASIS_CALIBRATED, ""};
        row(l, "KV capacity", &held, "tokens");
        if (w->kv.state_bytes > 0) exact(l, "pool of states", w->kv.state_bytes * w->replicas / 1e9, "GB");
        if (w->kv.host_tokens > 0) exact(l, "and in host memory", w->kv.host_tokens * w->replicas, "tokens");
        exact(l, "sequences at once, at most", s->sequences_max * w->replicas, "");
    }
    if (w->status != SERVE_OK) return;
    Figures f = figures(w);
    if (w->sessions > 0) {
        exact(l, "sessions", w->sessions, "");
        exact(l, "cliff of the prefix cache at", w->session.cliff_sessions * w->replicas, "sessions");
        exact(l, "of prompts found", w->session.hit * 100, "%");
        exact(l, "with an endless cache", w->session.hit_max * 100, "%");
    }
    exact(l, "requests in flight", w->point.concurrency * w->replicas, "");
    row(l, "output tokens", &f.output, "tokens/s");
    row(l, "output tokens of a GPU", &f.output_gpu, "tokens/s");
    row(l, "input and output tokens", &f.total, "tokens/s");
    row(l, "TTFT p50", &f.ttft_p50, "ms");
    row(l, "TTFT p99", &f.ttft_p99, "ms");
    row(l, "TPOT", &f.tpot, "ms");
    row(l, "E2E", &f.e2e, "ms");
}

static const char *turns_words(const Serving *s) {
    const char *split = split_name(s);
    if (strcmp(split, "row") == 0) return " Split by rows: every GPU has a part of each product.";
    return split[0] != '\0'
               ? " Split by layers: the GPUs hold more together and take turns, so are no faster."
               : "";
}

static const char *host_words(const Serving *s, Arena *a) {
    double bytes = serving_host_bytes(s);
    if (!(bytes > 0)) return "";
    return arena_printf(a,
                        " %.4g GB of weights stay in host memory: for answers the CPU works on them at %.4g "
                        "GB/s (%s), its arithmetic not counted; prompts have them streamed to the GPUs.",
                        bytes / 1e9, s->host_bytes_s / 1e9, s->host_source);
}

// What is not ordinary about the configuration, in words; "" if nothing.
static const char *techniques(const ServingAnswer *w, Arena *a) {
    const Serving *s = &w->serving;
    const char *drafts = s->drafts > 0
                             ? arena_printf(a, " %.0f tokens speculated a step; with its own it gives %.2f.",
                                            s->drafts, s->kept)
                             : "";
    const char *cached = s->cached_share > 0 && w->sessions == 0
                             ? arena_printf(a, " %.0f %% of each prompt are cached.", s->cached_share * 100)
                             : "";
    const char *capped =
        s->clock < 1 ? arena_printf(a, " The power cap leaves %.0f %% of the arithmetic.", s->clock * 100)
                     : "";
    const char *split =
        w->prefill_replicas > 0
            ? arena_printf(a, " %d GPUs read prompts, %d write answers.", w->prefill_replicas * s->layout.tp,
                           (w->replicas - w->prefill_replicas) * s->layout.tp)
            : "";
    const char *turns = turns_words(s), *cpu = host_words(s, a);
    const char *all = arena_printf(a, "%s%s%s%s%s%s", drafts, cached, capped, split, turns, cpu);
    return all[0] == ' ' ? all + 1 : all;
}

const char *expert_words(const Serving *s, Arena *a) {
    return model_is_moe(s->model) ? arena_printf(a, "routed experts %.2f, ", s->factors.eta_expert) : "";
}

const char *spread_words(const Serving *s, Arena *a) {
    if (s->expert_ranks <= 1)
        return s->layout.ep > 1 ? "; experts lie whole on GPUs and wait for the one that reads most of them"
                                : "";
    double ratio = s->limits->spread_step_ratio;
    const char *longer = ratio == 1 ? "no longer" : arena_printf(a, "%.3g times as long", ratio);
    return arena_printf(a, "; %d replicas share experts and go in step, which then takes %s (%s)",
                        s->expert_ranks, longer, s->limits->source);
}

// Which tables of kernels stand behind the figures, and what they count.
static void explain_kernels(const Serving *s, size_t width, Arena *a, Buf *out) {
    const Factors *f = &s->factors;
    const char *words =
        s->kernels.known
            ? arena_printf(
                  a, "kernels count %.0f %%: %s; %.2f of their time and %.2f ms a step, %.2f in prompts",
                  s->kernel_share * 100, kernels_words(s, a), f->scale, f->step_s * 1e3, f->prompt)
            : "kernels: none measured for this engine, precision, model or GPU; the factors alone";
    text_wrapped(out, words, 0, width);
}

static void explain(const ServingAnswer *w, size_t width, Arena *a, Buf *out) {
    const Serving *s = &w->serving;
    const Factors *f = &s->factors;
    buf_puts(out, "\nwhere the time of one output token goes\n");
    for (int i = 0; i < TIME_COUNT; i++)
        buf_printf(out, "  %-13s %9.4f ms  %s\n", time_item_names[i], w->point.item_s[i] * 1000,
                   time_item_titles[i]);
    buf_puts(out, "\n");
    wrapped_printf(out, 0, width,
                   "factors: bandwidth %.2f (%sKV cache %.2f), arithmetic %.2f (prompts %.2f) of dense %s, "
                   "%.0f us a layer and step (+%.0f under TP), %.0f us a sequence, link %.2f of messages of "
                   "1 MB, %.0f ms before a prompt; %.0f rows%s",
                   f->eta_bw, expert_words(s, a), f->eta_kv, f->eta_compute, f->eta_prefill,
                   dtype_names[s->compute], f->layer_overhead_s * 1e6, f->tau_tp_s * 1e6,
                   f->sequence_overhead_s * 1e6, factors_link_share(f, 1e6), f->start_s * 1e3, s->group->n,
                   spread_words(s, a));
    explain_kernels(s, width, a, out);
    extras_explain(w, width, a, out);
    own_runs_explain(w, width, a, out);
    buf_puts(out, "sources: ");
    text_wrapped(out, text_clean(a, w->sources), 9, width);
}

static void sessions_said(const ServingAnswer *w, size_t width, Buf *out) {
    wrapped_printf(out, 0, width,
                   "Sessions of coding agents (data/traffic.tsv), each routed to where its cache is; TTFT is "
                   "a mean. Routed at random: %.4g output tokens/s.",
                   w->random_output_tokens_s * w->replicas);
}

void serving_text(const ServingAnswer *w, Format format, Room room, bool explain_it, Arena *a, Buf *out) {
    const Serving *s = &w->serving;
    Listing l = LISTING(a, "estimate", COLUMNS, 20);
    fill(w, &l);
    if (format != FORMAT_CSV) {
        const char *title =
            arena_printf(a, "%s on %d x %s (%s): %s, weights %s, KV cache %s, %s, %s in, %.0f out",
                         s->model->model_id, w->replicas * s->layout.tp * s->layout.pp, s->gpu->sku_id,
                         s->gpu->name, s->engine, dtype_names[s->weights], dtype_names[s->kv],
                         layout_text(&s->layout, a), counted_number(a, s->isl, 7, "token"), s->osl);
        text_wrapped(out, title, 0, format == FORMAT_MD ? 0 : room.width);
        if (techniques(w, a)[0] != '\0')
            text_wrapped(out, techniques(w, a), 0, format == FORMAT_MD ? 0 : room.width);
        if (w->status != SERVE_OK) wrapped_printf(out, 0, room.width, "NO: %s.", w->reason);
        buf_puts(out, "\n");
    }
    listing_print(&l, format, room, out);
    if (format == FORMAT_CSV || w->status != SERVE_OK) return;
    buf_puts(out, "\n");
    wrapped_printf(out, 0, format == FORMAT_MD ? 0 : room.width,
                   "bound by %s; basis %s; low and high are an 80 %% range; GB are 10^9 bytes",
                   w->sessions > 0 && w->session.kv_bound ? "KV capacity"
                                                          : time_item_titles[w->point.bound_by],
                   basis_names[s->basis]);
    LocalScale local = {.bandwidth_rate = s->local_bandwidth,
                        .flops_rate = s->local_flops,
                        .bandwidth_refused = s->refused_bandwidth,
                        .flops_refused = s->refused_flops};
    if (s->local_bandwidth != NULL || s->local_flops != NULL)
        wrapped_printf(out, 0, room.width, "Measured on this machine, in place of the datasheet: %s.",
                       local_source(&local, a));
    if (s->refused_bandwidth != NULL || s->refused_flops != NULL)
        wrapped_printf(out, 0, room.width, "The datasheet stands where a run does not: %s.",
                       local_refused(&local, a));
    const char *own = own_runs_words(s, w->point.running, a);
    if (own[0] != '\0') wrapped_printf(out, 0, room.width, "%s.", own);
    if (w->published.n > 0)
        wrapped_printf(out, 0, room.width,
                       "Published for this very configuration: %.4g output tokens/s (%s, %.4g to %.4g): %s",
                       w->published.output_tokens_s, counted(a, w->published.n, "measurement"),
                       w->published.low, w->published.high, w->published.sources);
    if (w->sessions > 0) sessions_said(w, format == FORMAT_MD ? 0 : room.width, out);
    if (w->point.queued)
        text_wrapped(out,
                     "More requests are in flight than can run at once: TTFT holds the wait in the queue.", 0,
                     room.width);
    if (explain_it) explain(w, room.width, a, out);
}
