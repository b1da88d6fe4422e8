// An Advice as text for people: a terminal of 80 columns, Markdown, or its options as CSV.

#include "src/report/apis.h"
#include "src/report/advice_html.h"
#include "src/report/figures.h"
#include "src/report/page.h"
#include "src/report/html_page.h"
#include "src/report/sessions.h"
#include "src/advise/sessions.h"
#include "src/report/sizing.h"

// ---------------------------------------------------------------- what was asked

static const char *load_words(Page *p, const Workload *w) {
    if (is_known(w->rate_rps))
        return arena_printf(p->arena, "%s requests/s arriving", page_number(p, w->rate_rps, 4));
    if (p->advice->ask->sessions > 0)
        return arena_printf(p->arena, "%s at once",
                            counted_number(p->arena, p->advice->ask->sessions, 6, "session"));
    if (in_sessions(p->advice->ask)) return "as many sessions at once as give most";
    if (is_known(w->concurrency))
        return arena_printf(p->arena, "%s in flight", page_number(p, w->concurrency, 6));
    return "as many in flight as fit";
}

static const char *limits_words(Page *p, const Workload *w) {
    const char *ttft = is_known(w->ttft_p99_ms)
                           ? arena_printf(p->arena, "TTFT <= %s ms", page_number(p, w->ttft_p99_ms, 6))
                           : "";
    const char *tpot =
        is_known(w->tpot_ms) ? arena_printf(p->arena, "TPOT <= %s ms", page_number(p, w->tpot_ms, 6)) : "";
    if (ttft[0] == '\0' && tpot[0] == '\0') return "no latency limit";
    return arena_printf(p->arena, "%s%s%s at p99", ttft, ttft[0] != '\0' && tpot[0] != '\0' ? ", " : "",
                        tpot);
}

static const char *today_words(Page *p) {
    const Ask *ask = p->advice->ask;
    const char *n = is_known(ask->current_gpus)
                        ? arena_printf(p->arena, "%s x ", page_number(p, ask->current_gpus, 6))
                        : "";
    const char *text = arena_printf(p->arena, "%s%s at $%s a GPU-hour", n, ask->current->sku_id,
                                    page_number(p, ask->current_usd_gpu_h, 4));
    return p->advice->current_unfit != NULL ? arena_printf(p->arena, "%s: %s", text, p->advice->current_unfit)
                                            : text;
}

static const char *fleet_words(Page *p) {
    return is_known(p->advice->ask->fleet)
               ? arena_printf(p->arena, "a fleet of %s, ",
                              counted_number(p->arena, p->advice->ask->fleet, 6, "GPU"))
               : "";
}

static const char *names_words(Page *p, const char *before, const Names *names) {
    return names->n > 0 ? arena_printf(p->arena, "%s%s", before, names_text(names, p->arena)) : "";
}

static void title_line(Page *p, const Workload *w) {
    const char *title = arena_printf(p->arena, "gpuadvise report: %s - %s", w->workload_id, w->title);
    if (p->format == FORMAT_HTML) {
        html_open(p->out, title);
        buf_puts(p->out, "<header>\n");
        html_element(p->out, "h1", "", title);
    } else if (p->format == FORMAT_MD) {
        buf_puts(p->out, "# ");
        md_cell(p->out, title);
        buf_puts(p->out, "\n\n");
    } else {
        text_wrapped(p->out, title, 2, p->room.width);
    }
}

static void load_line(Page *p, const Ask *ask) {
    const Workload *w = &ask->workload;
    const char *model = ask->model != NULL ? arena_printf(p->arena, "%s, ", ask->model->model_id) : "";
    if (serves_tokens(w)) {
        page_printf(p, "Asked", "%s%s%s in, %s out, %s; %s", fleet_words(p), model,
                    counted_number(p->arena, w->isl_tokens, 7, "token"), page_number(p, w->osl_tokens, 7),
                    load_words(p, w), limits_words(p, w));
    } else if (kind_of(w)->reads[0] != '\0') {
        page_printf(p, "Asked", "%s%s%s %s", fleet_words(p), model, kind_of(w)->reads,
                    counted_number(p->arena, w->isl_tokens, 7, "token"));
    } else {
        page_printf(p, "Asked", "%s%s%s", fleet_words(p), model, w->title);
    }
}

static void filters_line(Page *p, const Ask *ask) {
    const Workload *w = &ask->workload;
    const char *duty =
        is_known(w->duty_cycle) && w->duty_cycle < 1
            ? arena_printf(p->arena, ", %s of the paid hours used", page_number(p, w->duty_cycle, 3))
            : "";
    const char *dtypes = w->weights[0] != '\0' ? arena_printf(p->arena, ", weights %s%s%s", w->weights,
                                                              w->kv[0] != '\0' ? ", KV cache " : "", w->kv)
                                               : "";
    const char *capped =
        ask->techniques.power_cap_w > 0
            ? arena_printf(p->arena, ", %s W a GPU", page_number(p, ask->techniques.power_cap_w, 5))
            : "";
    const char *gpus = arena_printf(p->arena, "%s%s", names_words(p, ", ", &ask->gpus),
                                    names_words(p, ", without ", &ask->without_gpus));
    const char *site = is_known(ask->site_kw)
                           ? arena_printf(p->arena, ", at most %s kW with servers and cooling",
                                          page_number(p, ask->site_kw, 6))
                           : "";
    const char *most =
        is_known(ask->gpus_max)
            ? arena_printf(p->arena, ", at most %s", counted_number(p->arena, ask->gpus_max, 6, "GPU"))
            : "";
    page_printf(p, "Kept to", "%s prices, %s%s%s%s%s%s%s", pricing_names[ask->pricing_model],
                ask->vendor >= 0 ? vendor_titles[ask->vendor] : "both vendors", gpus, most, site, capped,
                dtypes, names_words(p, ask->engines.n == 1 ? ", engine " : ", engines ", &ask->engines));
    const char *providers = ask->providers.n > 0 ? names_text(&ask->providers, p->arena) : "any provider";
    page_printf(p, "", "%s%s%s%s, %zu of %zu offers%s", providers,
                names_words(p, " but ", &ask->without_providers),
                ask->region[0] != '\0' ? ", region " : ", any region", ask->region, p->advice->offers_used,
                p->advice->offers_seen, duty);
}

static void asked(Page *p, const ReportFrame *frame) {
    const Ask *ask = p->advice->ask;
    title_line(p, &ask->workload);
    page_line(p, "As of", frame->made);
    load_line(p, ask);
    if (ask->current != NULL) page_line(p, "Today", today_words(p));
    filters_line(p, ask);
}

// ---------------------------------------------------------------- verdict

static void verdict(Page *p) {
    const Verdict *v = &p->advice->verdict;
    if (p->format == FORMAT_HTML) {
        html_section(p->out, arena_printf(p->arena, "verdict %s", winner_names[v->winner]), "Verdict");
        p->section = true;
        advice_html_answer(v, p->arena, p->out);
    } else if (p->format == FORMAT_MD) {
        page_heading(p, "Verdict");
    } else {
        buf_puts(p->out, "\n");
    }
    page_line(p, p->format == FORMAT_HTML ? "In short" : "VERDICT", v->text);
    if (is_known(v->cost_ratio.value)) {
        page_printf(p, "", "cost ratio AMD / NVIDIA %s, 80 %% range, common errors cancelled",
                    page_range(p, &v->cost_ratio, 3));
    }
    if (v->alike != NULL) page_line(p, "Same class", v->alike->text);
    if (v->own != NULL) page_line(p, "Owning", v->own->text);
    if (v->own_runs_changed != NULL) page_line(p, "Own runs", v->own_runs_changed);
    if (v->own_runs_sides != NULL) page_line(p, "", v->own_runs_sides);
    for (size_t i = 0; i < v->n_for; i++) page_bullet(p, "+", v->reasons_for[i]);
    for (size_t i = 0; i < v->n_against; i++) page_bullet(p, "-", v->reasons_against[i]);
    for (size_t i = 0; i < v->n_risks; i++) page_bullet(p, "!", v->risks[i]);
    if (v->next_step != NULL) page_line(p, "Next", v->next_step);
}

// ---------------------------------------------------------------- the rest

static void left_out(Page *p) {
    if (p->advice->n_exclusions == 0) return;
    page_heading(p, "Left out");
    for (size_t i = 0; i < p->advice->n_exclusions; i++) {
        const Exclusion *x = &p->advice->exclusions[i];
        bullet_printf(p, arena_printf(p->arena, "%6zu %-7s", x->count, x->what), "%s (%s)", x->reason,
                      x->example);
    }
}

static void explain_estimate(Page *p, const Option *o) {
    const Serving *s = &o->serving;
    page_heading(p, arena_printf(p->arena, "How %s came about", o->gpu->sku_id));
    page_line(p, "price", o->offer->source);
    if (s->group == NULL) {
        const TaskPoint *t = &o->task;
        page_printf(p, "rate",
                    "%.6g a second on %s, computed in %s, bound by %s; needs %.1f of %.1f GB of memory",
                    t->rate, counted(p->arena, (size_t)o->gpu_count, "GPU"), dtype_names[t->dtype],
                    t->bound_by, t->memory_bytes / 1e9, t->usable_bytes / 1e9);
        page_line(p, "sources", o->sources);
        return;
    }
    const Factors *f = &s->factors;
    int linked = s->layout.tp * s->expert_ranks;
    const char *link = linked > 1
                           ? arena_printf(p->arena, "; link %.2f of %.0f GB/s", factors_link_share(f, 1e6),
                                          gpu_link_bytes_s(o->gpu, linked) / 1e9)
                           : "";
    page_printf(p, "factors",
                "bandwidth %.2f (%sKV cache %.2f) of %.0f GB/s; arithmetic %.2f (prompts %.2f) of %.0f dense "
                "%s TFLOPS; %.0f us a layer and step (+%.0f with TP), %.0f us a sequence%s; %.0f ms before a "
                "prompt; from %.0f rows, %s%s",
                f->eta_bw, expert_words(s, p->arena), f->eta_kv, o->gpu->memory_bw_gb_s, f->eta_compute,
                f->eta_prefill, gpu_peak_flops(o->gpu, s->compute) / 1e12, dtype_names[s->compute],
                f->layer_overhead_s * 1e6, f->tau_tp_s * 1e6, f->sequence_overhead_s * 1e6, link,
                f->start_s * 1e3, s->group->n, basis_names[s->basis], spread_words(s, p->arena));
    page_printf(p, "memory",
                "%.1f GB of weights + %.1f GB of workspace + %.0f x %.3f GB of KV cache, of %.1f GB usable; "
                "at most %.0f sequences at once (%s)",
                s->weight_bytes / 1e9, s->workspace_bytes / 1e9, o->point.running,
                s->cache_bytes_per_seq / 1e9, s->usable_bytes / 1e9, s->sequences_max,
                s->memory_limited ? "memory" : "engine limit");
    for (int i = 0; i < TIME_COUNT; i++) {
        page_printf(p, time_item_names[i], "%.3f ms of every output token of a sequence: %s",
                    o->point.item_s[i] * 1000, time_item_titles[i]);
    }
    double duty = p->advice->ask->workload.duty_cycle;
    const char *used =
        is_known(duty) && duty < 1 ? arena_printf(p->arena, " / %g of the hours used", duty) : "";
    const Workload *w = &p->advice->ask->workload;
    const char *both =
        inputs_lead(p->advice->ask)
            ? arena_printf(p->arena, "; x %g / %g = $%.4f %s", w->osl_tokens, w->isl_tokens + w->osl_tokens,
                           o->blended_usd_mtok.value, per_what(p->advice->ask))
            : "";
    page_printf(p, "cost", "$%.4f/h / 3600 s / %.1f tok/s x 10^6%s = $%.4f per million output tokens%s",
                o->price_usd_h, o->output_tokens_s.value, used, o->output_usd_mtok.value, both);
    page_line(p, "sources", o->sources);
}

void advice_explain(const Advice *advice, const Option *o, size_t width, Arena *a, Buf *out) {
    Page p = {.advice = advice, .format = FORMAT_TABLE, .room = {.width = width}, .arena = a, .out = out};
    explain_estimate(&p, o);
}

static bool as_released(const Model *m, Dtype d) {
    return m->weights_native == d || (dtype_bits(d) == 16 && dtype_bits(m->weights_native) == 16);
}

// "fp8 from Qwen/Qwen3-32B-FP8 (of the model's owner)".
static const char *precision_origin(Page *p, Dtype d) {
    const Advice *advice = p->advice;
    const Checkpoint *best = NULL;
    if (as_released(advice->ask->model, d)) return arena_printf(p->arena, "%s as released", dtype_names[d]);
    for (size_t i = 0; i < advice->n_checkpoints; i++) {
        const Checkpoint *c = advice->checkpoints[i];
        if (c->weights == d && (best == NULL || c->maker < best->maker)) best = c;
    }
    if (best == NULL) return arena_printf(p->arena, "%s (no checkpoint is known)", dtype_names[d]);
    return arena_printf(p->arena, "%s from %s (of %s)", dtype_names[d], best->hf_name,
                        best->maker == MAKER_OWNER ? "the model's owner" : "a third party");
}

// Which precisions were searched and which were not. NULL: the model comes in one only.
static const char *precision_words(Page *p) {
    const Ask *ask = p->advice->ask;
    const char *text[2] = {"", ""};  // left out, searched
    size_t n[2] = {0, 0};
    if (!serves_tokens(&ask->workload)) return NULL;
    for (Dtype d = DTYPE_FP64; d < DTYPE_COUNT; d++) {
        bool searched = word_in(ask->workload.weights, dtype_names[d]);
        bool known = searched || ask->model->weights_native == d;
        for (size_t i = 0; i < p->advice->n_checkpoints; i++)
            known = known || p->advice->checkpoints[i]->weights == d;
        if (known)
            text[searched] = arena_printf(p->arena, "%s%s%s", text[searched], n[searched]++ > 0 ? ", " : "",
                                          precision_origin(p, d));
    }
    if (n[0] + n[1] < 2) return NULL;
    const char *unlike = n[1] > 1 ? "; they are not of equal quality, and the cheapest counts" : "";
    const char *others = n[0] > 0 ? arena_printf(p->arena, "; not searched: %s", text[0]) : "";
    return arena_printf(p->arena, "weights searched: %s%s%s; --weights names one", text[1], unlike, others);
}

static void assumptions(Page *p, const ReportFrame *frame) {
    page_heading(p, "Assumptions and ages");
    const Advice *advice = p->advice;
    if (advice->n_options > 0) {
        const char *since = advice->newest_price_days < advice->oldest_price_days
                                ? arena_printf(p->arena, "%lld to ", (long long)advice->newest_price_days)
                                : "";
        bullet_printf(p, "*", "prices seen %s%s ago, as listed: Linux, without tax, traffic and storage",
                      since, counted(p->arena, (size_t)advice->oldest_price_days, "day"));
        page_bullet(p, "*",
                    "whole instances are paid and filled with replicas; ranges are 80 % intervals; peaks are "
                    "dense, never sparse");
    }
    assumed_supply(p);
    const char *precisions = precision_words(p);
    if (precisions != NULL) page_bullet(p, "*", precisions);
    page_bullet(p, "*", frame->data_ages);
    if (advice->move == NULL)
        page_bullet(p, "*",
                    "moving between vendors is not priced: --source PATH of the code, or --stack FILE, bring "
                    "days, money and break-even");
    terms_text(p, frame->facts);
}

void advice_text(const Advice *advice, const ReportFrame *frame, Format format, Room room, Arena *a,
                 Buf *out) {
    Page p = {
        .advice = advice, .facts = frame->facts, .format = format, .room = room, .arena = a, .out = out};
    if (format == FORMAT_CSV) {
        options_csv(advice, frame, a, out);
        return;
    }
    Json *figures = json_array();
    asked(&p, frame);
    if (format == FORMAT_HTML) html_end(out, "header");
    verdict(&p);
    page_end_section(&p);
    if (format == FORMAT_HTML) advice_html_figures(advice, frame->page, figures, a, out);
    best_text(&p);
    if (p.format != FORMAT_HTML) sessions_text(&p);
    apis_text(&p);
    sizing_text(&p);
    launch_text(&p);
    ranked_text(&p);
    totals_text(&p);
    decision_text(&p);
    left_out(&p);
    for (int v = 0; frame->explain && v < VENDOR_COUNT; v++) {
        if (advice->best[v] != NULL) explain_estimate(&p, advice->best[v]);
    }
    page_end_section(&p);
    if (format == FORMAT_HTML) advice_html_evidence(advice, a, out);
    assumptions(&p, frame);
    if (frame->n_warnings > 0) page_heading(&p, "Warnings");
    for (size_t i = 0; i < frame->n_warnings; i++) page_bullet(&p, "!", frame->warnings[i]);
    page_heading(&p, "To repeat");
    page_bullet(&p, "$", frame->command_line);
    page_end_section(&p);
    if (format == FORMAT_HTML) html_close(out, figures, frame->page->made);
    json_free(figures);
}
