// Fleets for a traffic: the busy hour simulated, a day paid for, fixed and following the load.
#include "src/report/sizing.h"

#include <math.h>

#include "src/advise/sizing.h"

static void percentiles_json(Json *parent, const char *key, const Percentiles *p) {
    Json *j = json_add_object(parent, key);
    json_add_number(j, "mean", p->mean * 1000);
    json_add_number(j, "p50", p->p50 * 1000);
    json_add_number(j, "p90", p->p90 * 1000);
    json_add_number(j, "p99", p->p99 * 1000);
}

static void fleet_json(const Sizing *s, Json *j) {
    const Option *o = s->option;
    json_add_text(j, "gpu", o->gpu->sku_id);
    json_add_text(j, "provider", o->offer->provider);
    json_add_text(j, "engine", o->engine);
    json_add_bool(j, "limits_kept", s->met);
    json_add_integer(j, "instances", s->instances);
    json_add_integer(j, "replicas", s->replicas);
    json_add_integer(j, "gpu_count", s->gpus);
    json_add_integer(j, "instances_poisson", s->closed_instances);
    percentiles_json(j, "ttft_ms", &s->run.ttft_s);
    percentiles_json(j, "tpot_ms", &s->run.tpot_s);
    percentiles_json(j, "wait_ms", &s->run.wait_s);
    json_add_number(j, "busy_share", s->run.busy_share);
    json_add_number(j, "in_flight_mean", s->run.in_flight_mean);
    Json *fixed = json_add_object(j, "fixed");
    json_add_number(fixed, "usd_per_day", s->fixed_usd_day);
    json_add_number(fixed, "usd_per_month", s->fixed_usd_month);
    json_add_number(fixed, "idle_share", s->fixed_idle);
    estimate_json(fixed, "output_usd_per_mtok", &s->fixed_usd_mtok);
    json_add_number(fixed, "total_usd_per_mtok", s->fixed_total_usd_mtok);
    Json *scaled = json_add_object(j, "scaled");
    json_add_number(scaled, "instances_floor",
                    is_known(s->scaled_hours_day) ? s->floor_instances : (double)NAN);
    json_add_number(scaled, "instance_hours_per_day", s->scaled_hours_day);
    json_add_number(scaled, "usd_per_day", s->scaled_usd_day);
    json_add_number(scaled, "usd_per_month", s->scaled_usd_month);
    json_add_number(scaled, "idle_share", s->scaled_idle);
    json_add_number(scaled, "short_share_when_reacting", s->short_share);
    estimate_json(scaled, "output_usd_per_mtok", &s->scaled_usd_mtok);
    json_add_number(scaled, "total_usd_per_mtok", s->scaled_total_usd_mtok);
}

void sizing_json(const Advice *advice, Json *root) {
    const TrafficLoad *load = advice->load;
    if (load == NULL) {
        json_add_null(root, "traffic");
        return;
    }
    Json *j = json_add_object(root, "traffic");
    json_add_text(j, "name", load->name);
    json_add_text(j, "basis", load->basis);
    json_add_number(j, "busy_rps", load->busy_rps);
    json_add_number(j, "busy_s", load->busy_s);
    json_add_number(j, "busy_requests", (double)load->n_busy * load->thinned);
    json_add_number(j, "requests_per_simulated", load->thinned);
    json_add_number(j, "input_tokens_mean", load->input_mean);
    json_add_number(j, "output_tokens_mean", load->output_mean);
    json_add_bool(j, "covers_a_day", load->rates != NULL);
    json_add_number(j, "start_s", advice->scaling->start_s);
    json_add_number(j, "billing_s", advice->scaling->billing_s);
    Json *fleets = json_add_array(j, "fleets");
    for (size_t i = 0; i < advice->n_sizings; i++)
        fleet_json(&advice->sizings[i], json_add_object(fleets, NULL));
}

// ---------------------------------------------------------------- text

typedef enum SizeColumn {
    FLEET,
    TTFT,
    TPOT,
    BUSY,
    FIXED_DAY,
    SCALED_DAY,
    FIXED_TOK,
    SCALED_TOK,
    SIZE_COLUMNS
} SizeColumn;

static const Column columns[SIZE_COLUMNS] = {
    [FLEET] = {.key = "fleet", .title = "FLEET FOR THE BUSY HOUR"},
    [TTFT] = {.key = "ttft_p99_ms", .title = "TTFT P99", .number = true, .digits = 3},
    [TPOT] = {.key = "tpot_p99_ms", .title = "TPOT P99", .number = true, .digits = 3},
    [BUSY] = {.key = "busy_pct", .title = "BUSY %", .number = true, .digits = 3},
    [FIXED_DAY] = {.key = "fixed_usd_per_day", .title = "$/DAY", .number = true, .digits = 4},
    [SCALED_DAY] = {.key = "scaled_usd_per_day", .title = "SCALED", .number = true, .digits = 4},
    [FIXED_TOK] = {.key = "fixed_usd_per_mtok", .title = "$/MTOK", .number = true, .digits = 3},
    [SCALED_TOK] = {.key = "scaled_usd_per_mtok", .title = "SCALED", .number = true, .digits = 3},
};

static void fleet_row(Page *p, Listing *l, const Sizing *s) {
    listing_text(l, FLEET,
                 arena_printf(p->arena, "%d x %s, %s%s", s->gpus, s->option->gpu->sku_id,
                              s->option->offer->provider, s->met ? "" : " (misses the limits)"));
    listing_number(l, TTFT, s->run.ttft_s.p99 * 1000);
    listing_number(l, TPOT, s->run.tpot_s.p99 * 1000);
    listing_number(l, BUSY, 100 * s->run.busy_share);
    listing_number(l, FIXED_DAY, s->fixed_usd_day);
    listing_number(l, SCALED_DAY, s->scaled_usd_day);
    listing_number(l, FIXED_TOK, s->fixed_usd_mtok.value);
    listing_number(l, SCALED_TOK, s->scaled_usd_mtok.value);
    listing_row_done(l);
}

static void fleet_words(Page *p, const Sizing *s) {
    const Option *o = s->option;
    const char *poisson = s->instances == s->closed_instances
                              ? "as many as Poisson arrivals of that rate would take"
                              : arena_printf(p->arena, "Poisson arrivals of that rate would take %s",
                                             counted(p->arena, (size_t)s->closed_instances, "instance"));
    const char *text = arena_printf(p->arena, "%s: %s for the busy hour, %s", o->gpu->sku_id,
                                    counted(p->arena, (size_t)s->instances, "instance"), poisson);
    if (is_known(s->scaled_usd_day))
        text = arena_printf(
            p->arena,
            "%s. All day it costs $%s a month and idles %s %% of the time that is paid; following the "
            "load it runs %d to %d, costs $%s a month and idles %s %%; one that only reacts is too small "
            "for %s %% of the requests",
            text, page_number(p, s->fixed_usd_month, 4), page_number(p, 100 * s->fixed_idle, 3),
            s->floor_instances, s->instances, page_number(p, s->scaled_usd_month, 4),
            page_number(p, 100 * s->scaled_idle, 3), page_number(p, 100 * s->short_share, 2));
    page_bullet(p, "*", text);
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
    Listing l;
    page_heading(p, "What this traffic takes");
    page_line(p, "traffic", load->basis);
    page_line(
        p, "busy hour",
        arena_printf(p->arena,
                     "%s requests/s, of which %s min are simulated; %s tokens in and %s out on average%s",
                     page_number(p, load->busy_rps, 4), page_number(p, load->busy_s / 60, 3),
                     page_number(p, load->input_mean, 5), page_number(p, load->output_mean, 4),
                     load->thinned > 1 ? "; a part of the requests on a part of the fleet" : ""));
    listing_init(&l, p->arena, "fleets", columns, SIZE_COLUMNS, p->advice->n_sizings);
    for (size_t i = 0; i < p->advice->n_sizings; i++) fleet_row(p, &l, &p->advice->sizings[i]);
    listing_print(&l, p->format, p->room, p->out);
    for (size_t i = 0; i < p->advice->n_sizings; i++) fleet_words(p, &p->advice->sizings[i]);
    page_bullet(
        p, "*",
        arena_printf(p->arena,
                     "TTFT and TPOT here are of these requests as they come; the closed form that ranks "
                     "the options takes Poisson arrivals of prompts that spread as these do (standard "
                     "deviation %s of their mean)",
                     page_number(p, load->input_cv, 3)));
    if (load->n_busy < FEW)
        page_bullet(
            p, "*",
            arena_printf(p->arena, "only %zu requests were simulated: their p99 is rough", load->n_busy));
    if (load->rates == NULL)
        page_bullet(
            p, "*",
            "the traffic is shorter than a day: how the load moves over one is not known, so nothing is "
            "said of scaling and of the cost of a token as paid");
    else
        page_bullet(
            p, "*",
            arena_printf(p->arena,
                         "scaling: an instance serves %s min after its start and is billed in steps of "
                         "%s min (--start-min, --billing-min); it is started ahead of the load, which "
                         "takes knowing the day",
                         page_number(p, p->advice->scaling->start_s / 60, 3),
                         page_number(p, p->advice->scaling->billing_s / 60, 3)));
    page_end_section(p);
}
