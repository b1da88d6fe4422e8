// Fleets for a traffic: the busy hour simulated, a day paid for, fixed and following the load.
#include "src/report/sizing.h"

#include <math.h>
#include <string.h>

#include "src/advise/sizing.h"

static void percentiles_json(Json *parent, const char *key, const Percentiles *p) {
    Json *j = json_add_object(parent, key);
    json_add(j, J_NUMBER("mean", p->mean * 1000), J_NUMBER("p50", p->p50 * 1000),
             J_NUMBER("p90", p->p90 * 1000), J_NUMBER("p99", p->p99 * 1000));
}

static void growth_json(const Growth *g, Json *fleet) {
    Json *j = json_object_if(fleet, "growth", g != NULL);
    if (j == NULL) return;
    json_add(j, J_NUMBER("carries_rps", g->carries_rps), J_NUMBER("short_in_month", g->short_month),
             J_NUMBER("fixed_usd", g->fixed_usd), J_NUMBER("scaled_usd", g->scaled_usd));
    Json *months = json_add_array(j, "months");
    for (size_t i = 0; i < g->n_months; i++) {
        const GrowthMonth *m = &g->months[i];
        Json *x = json_add_object(months, NULL);
        json_add(x, J_INTEGER("month", (int64_t)i + 1), J_NUMBER("busy_rps", m->busy_rps),
                 J_INTEGER("instances", m->instances), J_NUMBER("fixed_usd", m->fixed_usd),
                 J_NUMBER("scaled_usd", m->scaled_usd));
    }
}

static void fleet_json(const Sizing *s, Json *j) {
    const Option *o = s->option;
    json_add(j, J_TEXT("gpu", o->gpu->sku_id), J_TEXT("provider", o->offer->provider),
             J_TEXT("engine", o->engine), J_BOOL("limits_kept", s->met), J_INTEGER("instances", s->instances),
             J_INTEGER("replicas", s->replicas), J_INTEGER("gpu_count", s->gpus),
             J_INTEGER("instances_poisson", s->closed_instances));
    percentiles_json(j, "ttft_ms", &s->run.ttft_s);
    percentiles_json(j, "tpot_ms", &s->run.tpot_s);
    percentiles_json(j, "wait_ms", &s->run.wait_s);
    json_add(j, J_NUMBER("busy_share", s->run.busy_share), J_NUMBER("in_flight_mean", s->run.in_flight_mean));
    Json *fixed = json_add_object(j, "fixed");
    json_add(fixed, J_NUMBER("usd_per_day", s->fixed_usd_day), J_NUMBER("usd_per_month", s->fixed_usd_month),
             J_NUMBER("idle_share", s->fixed_idle));
    estimate_json(fixed, "output_usd_per_mtok", &s->fixed_usd_mtok);
    json_add_number(fixed, "total_usd_per_mtok", s->fixed_total_usd_mtok);
    Json *scaled = json_add_object(j, "scaled");
    json_add(scaled,
             J_NUMBER("instances_floor", is_known(s->scaled_hours_day) ? s->floor_instances : (double)NAN),
             J_NUMBER("instance_hours_per_day", s->scaled_hours_day),
             J_NUMBER("usd_per_day", s->scaled_usd_day), J_NUMBER("usd_per_month", s->scaled_usd_month),
             J_NUMBER("idle_share", s->scaled_idle), J_NUMBER("short_share_when_reacting", s->short_share));
    estimate_json(scaled, "output_usd_per_mtok", &s->scaled_usd_mtok);
    json_add_number(scaled, "total_usd_per_mtok", s->scaled_total_usd_mtok);
    growth_json(s->growth, j);
}

void sizing_json(const Advice *advice, Json *root) {
    const TrafficLoad *load = advice->load;
    Json *j = json_object_if(root, "traffic", load != NULL);
    if (j == NULL) return;
    json_add(
        j, J_TEXT("name", load->name), J_TEXT("basis", load->basis), J_NUMBER("busy_rps", load->busy_rps),
        J_NUMBER("busy_s", load->busy_s), J_NUMBER("busy_requests", (double)load->n_busy * load->thinned),
        J_NUMBER("requests_per_simulated", load->thinned), J_NUMBER("input_tokens_mean", load->input_mean),
        J_NUMBER("output_tokens_mean", load->output_mean), J_NUMBER("input_tokens_cv", load->input_cv),
        J_NUMBER("growth_pct_per_month", 100 * load->growth), J_BOOL("covers_a_day", load->rates != NULL),
        J_NUMBER("start_s", advice->scaling->start_s), J_NUMBER("billing_s", advice->scaling->billing_s));
    Json *fleets = json_add_array(j, "fleets");
    for (size_t i = 0; i < advice->n_sizings; i++)
        fleet_json(&advice->sizings[i], json_add_object(fleets, NULL));
}

// ---------------------------------------------------------------- text

// clang-format off
#define COLUMNS(X) \
    X("fleet",               "FLEET FOR THE BUSY HOUR", TEXT, \
      arena_printf(p->arena, "%d x %s, %s%s", s->gpus, s->option->gpu->sku_id, s->option->offer->provider, s->met \
        ? "" : " (misses the limits)")) \
    X("ttft_p99_ms",         "TTFT P99",                NUMBER(3), s->run.ttft_s.p99 * 1000) \
    X("tpot_p99_ms",         "TPOT P99",                NUMBER(3), s->run.tpot_s.p99 * 1000) \
    X("busy_pct",            "BUSY %",                  NUMBER(3), 100 * s->run.busy_share) \
    X("fixed_usd_per_day",   "$/DAY",                   NUMBER(4), s->fixed_usd_day) \
    X("scaled_usd_per_day",  "SCALED",                  NUMBER(4), s->scaled_usd_day) \
    X("fixed_usd_per_mtok",  "$/MTOK",                  NUMBER(3), \
      both ? s->fixed_total_usd_mtok : s->fixed_usd_mtok.value) \
    X("scaled_usd_per_mtok", "SCALED",                  NUMBER(3), \
      both ? s->scaled_total_usd_mtok : s->scaled_usd_mtok.value)
// clang-format on

// The last two columns, of a token as paid the price that leads.
static void name_totals(const Ask *ask, Listing *l) {
    Column *scaled = &l->columns[l->n_columns - 1];
    scaled[-1] =
        (Column){.key = "fixed_total_usd_per_mtok", .title = cost_title(ask), .number = true, .digits = 3};
    scaled->key = "scaled_total_usd_per_mtok";
}

static void fleet_row(Page *p, Listing *l, const Sizing *s) {
    bool both = inputs_lead(p->advice->ask);
    listing_row(l, COLUMNS(LISTING_CELL));
}

static void fleet_words(Page *p, const Sizing *s) {
    const Option *o = s->option;
    const char *poisson = s->instances == s->closed_instances
                              ? "as many as Poisson arrivals of that rate would take"
                              : arena_printf(p->arena, "Poisson arrivals of that rate would take %s",
                                             counted(p->arena, (size_t)s->closed_instances, "instance"));
    const char *text =
        arena_printf(p->arena, "%s, %s: %s for the busy hour, %s", o->gpu->sku_id, o->offer->provider,
                     counted(p->arena, (size_t)s->instances, "instance"), poisson);
    if (is_known(s->scaled_usd_day))
        text =
            arena_printf(p->arena,
                         "%s. All day it costs $%s a month and idles %s %% of the time that is paid; "
                         "following the load it runs %d to %d, costs $%s a month and idles %s %%; one that "
                         "only reacts is too small for %s %% of the requests",
                         text, page_number(p, s->fixed_usd_month, 4), page_number(p, 100 * s->fixed_idle, 3),
                         s->floor_instances, s->instances, page_number(p, s->scaled_usd_month, 4),
                         page_number(p, 100 * s->scaled_idle, 3), page_number(p, 100 * s->short_share, 2));
    page_bullet(p, "*", text);
}

// ---------------------------------------------------------------- growth

// clang-format off
#define GROWTH_COLUMNS(X) \
    X("first_fleet",    "FIRST FLEET",    TEXT, \
      arena_printf(p->arena, "%d x %s", s->gpus, s->option->gpu->sku_id)) \
    X("carries_rps",    "CARRIES REQ/S",  NUMBER(3), g->carries_rps) \
    X("short_in_month", "SHORT IN MONTH", NUMBER(3), g->short_month) \
    X("gpus_half_way",  "GPUS HALF-WAY",  NUMBER(6), gpus * g->months[(g->n_months - 1) / 2].instances) \
    X("gpus_at_end",    "AT THE END",     NUMBER(6), gpus * g->months[g->n_months - 1].instances) \
    X("fixed_usd",      "$ IN ALL",       NUMBER(4), g->fixed_usd) \
    X("scaled_usd",     "SCALED",         NUMBER(4), g->scaled_usd)
// clang-format on

static void growth_row(Page *p, Listing *l, const Sizing *s) {
    const Growth *g = s->growth;
    double gpus = (double)s->gpus / s->instances;
    listing_row(l, GROWTH_COLUMNS(LISTING_CELL));
}

static void growth_text(Page *p) {
    const Advice *x = p->advice;
    size_t months = 0, n = 0;
    for (size_t i = 0; i < x->n_sizings; i++) {
        if (x->sizings[i].growth == NULL) continue;
        months = x->sizings[i].growth->n_months;
        n++;
    }
    if (!is_known(x->load->growth)) return;
    if (n == 0) {
        page_bullet(p, "*", "no fleet keeps the limits as it is: nothing is said of growth");
        return;
    }
    Listing l = LISTING(p->arena, "growth", GROWTH_COLUMNS, n);
    for (size_t i = 0; i < x->n_sizings; i++)
        if (x->sizings[i].growth != NULL) growth_row(p, &l, &x->sizings[i]);
    listing_print(&l, p->format, p->room, p->out);
    bullet_printf(p, "*",
                  "%s %s %% a month for %zu months (--horizon-months), at today's prices. The first fleet is "
                  "simulated under the same requests coming faster; later ones are counted by what an "
                  "instance carries then. Short in month: the first one that it is too small for; -: none",
                  x->load->growth < 0 ? "shrinking" : "growing",
                  page_number(p, fabs(100 * x->load->growth), 3), months);
}

// Which fleet costs least all day, and which where it follows the load: not always the same vendor's.
static void cheapest_words(Page *p) {
    const Sizing *fixed = NULL, *scaled = NULL;
    for (size_t i = 0; i < p->advice->n_sizings; i++) {
        const Sizing *s = &p->advice->sizings[i];
        if (!s->met) continue;
        if (fixed == NULL || s->fixed_usd_day < fixed->fixed_usd_day) fixed = s;
        bool known = is_known(s->scaled_usd_day);
        if (known && (scaled == NULL || s->scaled_usd_day < scaled->scaled_usd_day)) scaled = s;
    }
    if (fixed == NULL || scaled == NULL) return;
    bullet_printf(p, "*",
                  "cheapest within the limits: all day %d x %s (%s) at $%s a day; following the load %s%d x "
                  "%s (%s) at $%s",
                  fixed->gpus, fixed->option->gpu->sku_id, fixed->option->offer->provider,
                  page_number(p, fixed->fixed_usd_day, 4), fixed == scaled ? "too, " : "up to ", scaled->gpus,
                  scaled->option->gpu->sku_id, scaled->option->offer->provider,
                  page_number(p, scaled->scaled_usd_day, 4));
}

void sizing_brief(const Advice *x, Buf *b) {
    for (size_t i = 0; i < x->n_sizings; i++) {
        const Sizing *s = &x->sizings[i];
        char first[64], token[64], day[64];
        format_number(first, sizeof first, s->run.ttft_s.p99 * 1000, 3);
        format_number(token, sizeof token, s->run.tpot_s.p99 * 1000, 3);
        format_number(day, sizeof day, s->fixed_usd_day, 4);
        if (i == 0) buf_puts(b, "the busy hour as its requests come:\n");
        buf_printf(b, "  %d x %s, $%s a day,\n  p99 of TTFT %s ms, of TPOT %s ms%s\n", s->gpus,
                   s->option->gpu->sku_id, day, first, token, s->met ? "" : ": misses the limits");
    }
    if (x->n_sizings > 0) buf_puts(b, "\n");
}

void sizing_text(Page *p) {
    enum { FEW = 1000 };
    const TrafficLoad *load = p->advice->load;
    if (load == NULL || p->advice->n_sizings == 0) return;
    page_heading(p, "What this traffic takes");
    page_line(p, "traffic", load->basis);
    page_printf(p, "busy hour",
                "%s requests/s, of which %s min are simulated; %s tokens in and %s out on average%s",
                page_number(p, load->busy_rps, 4), page_number(p, load->busy_s / 60, 3),
                page_number(p, load->input_mean, 5), page_number(p, load->output_mean, 4),
                load->thinned > 1 ? "; a part of the requests on a part of the fleet" : "");
    Listing l = LISTING(p->arena, "fleets", COLUMNS, p->advice->n_sizings);
    if (inputs_lead(p->advice->ask)) name_totals(p->advice->ask, &l);
    for (size_t i = 0; i < p->advice->n_sizings; i++) fleet_row(p, &l, &p->advice->sizings[i]);
    listing_print(&l, p->format, p->room, p->out);
    cheapest_words(p);
    for (size_t i = 0; i < p->advice->n_sizings; i++) fleet_words(p, &p->advice->sizings[i]);
    growth_text(p);
    bullet_printf(
        p, "*",
        "TTFT and TPOT here are of these requests as they come; the closed form that ranks the options takes "
        "Poisson arrivals of prompts that spread as these do (standard deviation %s of their mean)",
        page_number(p, load->input_cv, 3));
    if (load->n_busy < FEW)
        bullet_printf(p, "*", "only %zu requests were simulated: their p99 is rough", load->n_busy);
    if (load->rates == NULL)
        page_bullet(p, "*",
                    "the traffic is shorter than a day: how the load moves over one is not known, so nothing "
                    "is said of scaling and of the cost of a token as paid");
    else
        bullet_printf(
            p, "*",
            "scaling: an instance serves %s min after its start and is billed in steps of %s min "
            "(--start-min, --billing-min); it is started ahead of the load, which takes knowing the day",
            page_number(p, p->advice->scaling->start_s / 60, 3),
            page_number(p, p->advice->scaling->billing_s / 60, 3));
    page_end_section(p);
}
