// The best option of each vendor side by side.
#include <string.h>

#include "src/advise/sessions.h"
#include "src/report/page.h"
#include "src/report/sessions.h"

static const char *layout_words(Page *p, const Option *o) {
    if (o->serving.group == NULL) return arena_printf(p->arena, "%d in parallel", o->layout.dp);
    return arena_printf(p->arena, "%s x %d", layout_text(&o->layout, p->arena), o->replicas);
}

typedef struct Fact {
    const char *label;
    const char *text[VENDOR_COUNT];
} Fact;

static void put(Fact *facts, size_t *n, int vendor, const char *label, const char *text) {
    size_t i = 0;
    while (i < *n && strcmp(facts[i].label, label) != 0) i++;
    if (i == *n) facts[(*n)++] = (Fact){label, {"-", "-"}};
    facts[i].text[vendor] = text;
}

static void put_estimate(Page *p, Fact *facts, size_t *n, const Option *o, const char *label,
                         const Estimate *x, int digits) {
    if (is_known(x->value))
        put(facts, n, o->gpu->vendor, label,
            x->high > x->low ? page_range(p, x, digits) : page_number(p, x->value, digits));
}

// Whole instances: their GPUs are said wherever there are several in one.
static const char *rented_words(Page *p, const Option *o) {
    const char *each =
        o->offer->gpu_count > 1
            ? arena_printf(p->arena, " (%s each)", counted(p->arena, (size_t)o->offer->gpu_count, "GPU"))
            : "";
    return arena_printf(p->arena, "%d x %s%s", o->instances,
                        o->offer->instance[0] != '\0' ? o->offer->instance : o->offer->listed_name, each);
}

// What the model says of an option; those that its kind of work does not have are unknown, and left out.
static void put_figures(Page *p, Fact *facts, size_t *n, const Option *o) {
    static const struct {
        const char *label;
        size_t estimate;  // where in Option
    } figures[] = {
        {"tok/s", offsetof(Option, output_tokens_s)},
        {"tok/s/GPU", offsetof(Option, output_tokens_s_gpu)},
        {"tok/s/user", offsetof(Option, tokens_s_user)},
        {"TTFT p50 ms", offsetof(Option, ttft_p50_ms)},
        {"TTFT p99 ms", offsetof(Option, ttft_p99_ms)},
        {"TPOT ms", offsetof(Option, tpot_ms)},
        {"$/Mtok", offsetof(Option, output_usd_mtok)},
        {"$/Mtok in+out", offsetof(Option, blended_usd_mtok)},
        {"$/Mtok full", offsetof(Option, saturated_output_usd_mtok)},
        {"images/s", offsetof(Option, images_s)},
        {"$/1k images", offsetof(Option, usd_1k_images)},
        {"trained tok/s", offsetof(Option, train_tokens_s)},
        {"hours", offsetof(Option, hours_total)},
        {"$ in all", offsetof(Option, usd_total)},
        {"$ a run", offsetof(Option, usd_run)},
        {"texts/s", offsetof(Option, sequences_s)},
        {"tok/s in", offsetof(Option, input_tokens_s)},
    };
    bool inputs = inputs_lead(p->advice->ask);
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        size_t estimate_of = figures[i].estimate;
        if (inputs && estimate_of == offsetof(Option, output_usd_mtok))
            put_estimate(p, facts, n, o, "$/Mtok in+out", &o->blended_usd_mtok, 3);
        const void *estimate = (const char *)o + estimate_of;
        put_estimate(p, facts, n, o, figures[i].label, estimate, 3);
        bool in_flight = i == 0 && is_known(p->advice->ask->fleet) && is_known(o->concurrency);
        if (in_flight) put(facts, n, o->gpu->vendor, "in flight", page_number(p, o->concurrency, 6));
    }
    if (is_known(o->sequences_s.value)) put_estimate(p, facts, n, o, "$/Mtok in", &o->input_usd_mtok, 3);
}

static void option_facts(Page *p, const Option *o, Fact *facts, size_t *n) {
    int v = o->gpu->vendor;
    const Serving *s = &o->serving;
    put(facts, n, v, "GPUs", arena_printf(p->arena, "%d x %s", o->gpu_count, o->gpu->sku_id));
    put(facts, n, v, "rented", rented_words(p, o));
    const char *alone = offer_one_host(o->offer, o->seller) == AVAILABLE_YES ? ", one host" : "";
    const char *class =
        o->today ? "" : arena_printf(p->arena, " (%s%s)", seller_class_names[o->seller], alone);
    put(facts, n, v, "from",
        arena_printf(p->arena, "%s%s%s%s", o->offer->provider, o->offer->region[0] != '\0' ? ", " : "",
                     o->offer->region, class));
    if (o->offer->derived_from > 0)
        put(facts, n, v, "derived",
            arena_printf(p->arena, "%s x its price of %s",
                         page_number(p, o->offer->gpu_count / o->offer->derived_from, 4),
                         o->offer->derived_from > 1
                             ? counted_number(p->arena, o->offer->derived_from, 4, "GPU")
                             : "one GPU"));
    put(facts, n, v, "price",
        arena_printf(p->arena, "$%s/h, $%s/GPU-h", page_number(p, o->price_usd_h, 4),
                     page_number(p, o->price_usd_gpu_h, 3)));
    put(facts, n, v, "price seen",
        arena_printf(p->arena, "%s (%s)", o->offer->as_of, price_seen_words(p->arena, o)));
    if (s->group != NULL) {
        put(facts, n, v, "engine",
            arena_printf(p->arena, "%s, weights %s, KV %s", o->engine, dtype_names[o->weights],
                         dtype_names[o->kv]));
        put(facts, n, v, "layout", layout_words(p, o));
        put(facts, n, v, "memory used", arena_printf(p->arena, "%.0f %%", o->memory_used_pct));
        put(facts, n, v, "KV capacity", kv_words(&o->cache, o->replicas, p->arena));
        bool by_kv = o->sessions > 0 && o->session.kv_bound;
        put(facts, n, v, "bound by", by_kv ? "KV capacity" : time_item_titles[o->point.bound_by]);
    } else {
        put(facts, n, v, "computed in", dtype_names[o->weights]);
        put(facts, n, v, "bound by", o->task.bound_by);
    }
    if (in_reuse(p->advice->ask))
        put(facts, n, v, "prompts found", arena_printf(p->arena, "%.0f %%", s->cached_share * 100));
    if (o->sessions > 0) {
        put(facts, n, v, "sessions", page_number(p, o->sessions, 6));
        put(facts, n, v, "cliff at", cliff_words(&o->session, o->sessions, o->replicas, p->arena));
        put(facts, n, v, "prompts found", hit_words(&o->session, p->arena));
    }
    put_figures(p, facts, n, o);
    const Costs *c = &p->advice->costs[v];
    put_estimate(p, facts, n, o, "$ a month", &c->usd_month, 3);
    put_estimate(p, facts, n, o, "kWh/Mtok", &c->kwh_per_mtok, 2);
    put(facts, n, v, "basis", basis_names[o->basis]);
    const Published *m = &o->published;
    const Nearest *near = &p->advice->nearest[v];
    if (near->row != NULL)
        put(facts, n, v, "nearest run",
            arena_printf(p->arena, "%s tok/s/GPU (%s)", page_number(p, near->output_tokens_s_gpu, 3),
                         near->row->id));
    if (m->n > 0)
        put(facts, n, v, "published",
            arena_printf(p->arena, "%s tok/s (%s)", page_number(p, m->output_tokens_s, 4),
                         counted(p->arena, m->n, "measurement")));
}

void advice_best(const Advice *advice, Arena *a, Listing *ret_listing) {
    static const Column columns[] = {
        {.key = "what", .title = ""}, {.key = "nvidia", .title = "NVIDIA"}, {.key = "amd", .title = "AMD"}};
    Page p = {.advice = advice, .arena = a};
    Fact facts[40];
    size_t n = 0;
    for (int v = 0; v < VENDOR_COUNT; v++) {
        if (advice->best[v] != NULL) option_facts(&p, advice->best[v], facts, &n);
    }
    *ret_listing = listing_new(a, "best", columns, COUNT_OF(columns), n);
    for (size_t i = 0; i < n; i++) {
        listing_text(ret_listing, 0, facts[i].label);
        for (size_t v = 0; v < VENDOR_COUNT; v++) listing_text(ret_listing, 1 + v, facts[i].text[v]);
        listing_row_done(ret_listing);
    }
}

// What was measured nearest to a vendor's best: what, where, how far off.
static void nearest_line(Page *p, int vendor) {
    const Nearest *n = &p->advice->nearest[vendor];
    if (n->row == NULL) return;
    const Measurement *m = n->row;
    const char *differs = "";
    for (size_t i = 0; i < n->n_differs; i++) {
        bool said = strcmp(n->differs[i], m->gpu_sku) == 0 || strcmp(n->differs[i], m->model) == 0;
        if (!said)
            differs =
                arena_printf(p->arena, "%s%s%s", differs, differs[0] != '\0' ? ", " : "", n->differs[i]);
    }
    if (differs[0] == '\0') differs = "all else the same";
    const char *rate =
        is_known(n->gpus)
            ? arena_printf(p->arena, "%s tok/s a GPU on %s x", page_number(p, n->output_tokens_s_gpu, 3),
                           page_number(p, n->gpus, 4))
            : arena_printf(p->arena, "%s tok/s on", page_number(p, n->output_tokens_s, 3));
    page_line(p, "Measured",
              text_clean(p->arena,
                         arena_printf(p->arena, "%s: %s %s, %s: %s; row %s, %s (%s)", vendor_titles[vendor],
                                      rate, m->gpu_sku, m->model, differs, m->id, m->source, m->date)));
}

void best_text(Page *p) {
    Listing l;
    advice_best(p->advice, p->arena, &l);
    if (l.n_rows == 0) return;
    page_heading(p, "Best of each vendor");
    listing_print(&l, p->format, p->room, p->out);
    for (int v = 0; v < VENDOR_COUNT; v++) nearest_line(p, v);
}
