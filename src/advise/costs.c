// What the best options cost beside their price: a month's bill and electricity; what owning the GPUs or an API would cost.
#include <math.h>
#include <string.h>

#include "src/advise/search.h"

static const double HOURS_A_MONTH = 730;  // 365 x 24 / 12

static const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};

// ---------------------------------------------------------------- terms

const TermSpec term_specs[TERM_COUNT] = {
    [TERM_ENGINEER_DAY] = {"engineer_day_usd", "engineer-day-usd", "USD a day", "what a day of an engineer costs", 1e-6, 1e9},
    [TERM_HORIZON] = {"horizon_months", "horizon-months", "months", "time over which a move has to pay", 1, 600},
    [TERM_DISCOUNT_RATE] = {"discount_rate_pct", "discount-rate", "percent a year", "rate at which later money counts for less", 0, 1000},
    [TERM_LOAD] = {"load_factor", "load-factor", "of the load asked", "load over the horizon", 1e-6, 1e6},
    [TERM_PRICE_LEVEL] = {"price_level", "price-level", "of today's", "prices of AMD's GPU-hours against NVIDIA's over the horizon", 0.01, 100},
    [TERM_CONTRACT_DAYS] = {"contract_days", "contract-days", "engineer-days", "work of changing provider whatever the GPUs", 0, 1e6},
    [TERM_REVALIDATION_DAYS] = {"revalidation_days", "revalidation-days", "engineer-days", "validating again what is regulated", 0, 1e6},
    [TERM_PORT_DAYS] = {"port_days", "port-days", "engineer-days", "moving the software with its tests and CI, where you know it; for moves to NVIDIA the only word on it", 0, 1e6},
    [TERM_UPKEEP_DAYS] = {"upkeep_days_year", "upkeep-days-per-year", "engineer-days a year", "keeping what was moved, where you know it", 0, 1e6},
    [TERM_DUAL_PROVIDER] = {"dual_weeks_provider", "dual-weeks-provider", "weeks", "both fleets paid while changing provider", 0, 520},
    [TERM_DUAL_VENDOR] = {"dual_weeks_vendor", "dual-weeks", "weeks", "both fleets paid while changing vendor", 0, 520},
    [TERM_TEAM_SIZE] = {"team_size", "team-size", "engineers", "who work on the move at the same time", 0.01, 1e5},
    [TERM_HIRE_WEEKS] = {"hire_weeks", "hire-weeks", "weeks", "until those who can do it are there", 0, 520},
    [TERM_DATA_GB] = {"data_gb", "data-gb", "GB", "data that has to leave the old provider", 0, 1e12},
    [TERM_EGRESS_USD_GB] = {"egress_usd_gb", "egress-usd-per-gb", "USD a GB", "what the old provider takes for that", 0, 1e6},
    [TERM_COMMITMENT_USD] = {"commitment_usd_month", "commitment-usd-per-month", "USD a month", "commitment to the old provider that would go unused", 0, 1e12},
    [TERM_COMMITMENT_MONTHS] = {"commitment_months", "commitment-months", "months", "for which it still runs", 0, 600},
    [TERM_MOVABLE_SHARE] = {"movable_share", "movable-share", "of the load, 0-1", "load that needs no blocker solved", 0, 1},
    [TERM_JOBS_MONTH] = {"jobs_per_month", "jobs-per-month", "jobs", "runs of a job a month (training, HPC)", 1e-6, 1e9},
    [TERM_SPOT_LOSS] = {"spot_loss_pct", "spot-loss", "percent", "of spot hours lost to interruptions", 0, 95},
    [TERM_POWER_PRICE] = {"power_price", "power-price", "USD a kWh", "electricity", 0, 1000},
    [TERM_PUE] = {"pue", "pue", "factor", "power of the data centre for that of its servers", 1, 10},
    [TERM_HOST_POWER] = {"host_power_factor", "host-power-factor", "factor", "power of a server for that of its GPUs", 1, 10},
    [TERM_HOST_PRICE] = {"host_price_factor", "host-price-factor", "factor", "price of a server for that of its GPUs", 1, 10},
    [TERM_HOSTING] = {"hosting_usd_kw_month", "hosting-usd-per-kw", "USD a kW and month", "space and cooling", 0, 1e6},
    [TERM_AMORTISE] = {"amortise_months", "amortise-months", "months", "over which owned servers are written off", 1, 600},
    [TERM_RESIDUAL] = {"residual_pct", "residual", "percent", "of the price that they fetch then", 0, 99},
    [TERM_API_OUTPUT] = {"api_output_usd_mtok", "api-usd-per-mtok", "USD a million tokens", "an API's price of output tokens", 0, 1e6},
    [TERM_API_INPUT] = {"api_input_usd_mtok", "api-input-usd-per-mtok", "USD a million tokens", "an API's price of input tokens", 0, 1e6},
};

Estimate term_of(const Facts *f, const Ask *ask, Term t) {
    if (ask->terms[t].set) return (Estimate){ask->terms[t].value, ask->terms[t].value, ask->terms[t].value, BASIS_PUBLISHED, "as given"};
    if (ask->stack != NULL && ask->stack->terms[t].set) return (Estimate){ask->stack->terms[t].value, ask->stack->terms[t].value, ask->stack->terms[t].value, BASIS_PUBLISHED, "stack file"};
    for (size_t i = 0; i < f->n_assumptions; i++) {
        const Assumption *x = &f->assumptions[i];
        if (strcmp(x->name, term_specs[t].name) == 0) return (Estimate){x->value, x->low, x->high, BASIS_EXTRAPOLATED, x->source};
    }
    return unknown;
}

// ---------------------------------------------------------------- what runs today

const Option *current_option(const Facts *f, const Ask *ask, Arena *a) {
    enum { SIZES = 5 };  // 1, 2, 4, 8, 16 GPUs: what is rented together was not said
    if (ask->current == NULL) return NULL;
    Offer *offers = arena_alloc(a, SIZES, sizeof *offers);
    for (int i = 0; i < SIZES; i++) {
        char today[11];
        format_date(today, ask->today);
        int gpus = 1 << i;
        offers[i] = (Offer){.provider = "today", .instance = arena_printf(a, "%d x %s", gpus, ask->current->sku_id), .region = "", .sku_id = ask->current->sku_id, .listed_name = ask->current->name, .gpu_count = gpus,
                            .vcpus = (double)NAN, .ram_gb = (double)NAN, .pricing_model = PRICING_ON_DEMAND, .price_micro_usd_h = (int64_t)(ask->current_usd_gpu_h * gpus * 1e6 + 0.5), .available = AVAILABLE_YES,
                            .standing = STANDING_LISTED, .source = "as given (--current)", .as_of = arena_copy(a, today, strlen(today)), .feed = "", .seen_at = "", .country = "", .given = true};
    }
    Facts own = *f;
    own.offers = offers;
    own.n_offers = SIZES;
    Ask *alone = arena_alloc(a, 1, sizeof *alone);
    Advice *found = arena_alloc(a, 1, sizeof *found);
    *alone = *ask;
    alone->memo = NULL;
    alone->vendor = -1, alone->gpus = alone->providers = alone->without_gpus = alone->without_providers = (Names){.n = 0}, alone->region = "", alone->current = NULL, alone->n_discounts = 0, alone->top = 1, alone->pareto = false, alone->pricing_model = PRICING_ON_DEMAND;
    alone->max_price_usd_gpu_h = alone->max_age_days = (double)NAN;
    Err e = {0};
    return advise_search(&own, alone, a, found, &e) ? found->best[ask->current->vendor] : NULL;
}

// ---------------------------------------------------------------- a month, and electricity

// What one board takes at most: its own limit, or the cap it runs under.
static double board_w(const Ask *ask, const Gpu *g) { return ask->ways.power_cap_w > 0 ? fmin(ask->ways.power_cap_w, g->board_power_w) : g->board_power_w; }

static void cost_of(const Facts *f, const Ask *ask, const Option *o, Costs *c) {
    *c = (Costs){.option = o, .usd_month = unknown, .kwh_per_mtok = unknown, .power_kw = (double)NAN, .power_usd_month = (double)NAN};
    if (o == NULL) return;
    c->usd_month = bill_usd_month(f, ask, o);
    double pue = term_of(f, ask, TERM_PUE).value;
    c->power_kw = board_w(ask, o->gpu) * o->gpu_count * term_of(f, ask, TERM_HOST_POWER).value * pue / 1000;
    c->power_usd_month = c->power_kw * HOURS_A_MONTH * term_of(f, ask, TERM_POWER_PRICE).value;
    const Estimate *rate = &o->output_tokens_s;
    double kwh = c->power_kw / 3600 * 1e6;  // for a million tokens at one token a second
    if (is_known(kwh / rate->value)) c->kwh_per_mtok = (Estimate){kwh / rate->value, kwh / rate->high, kwh / rate->low, BASIS_DATASHEET, "board power of data/gpus.tsv; data/decision.tsv"};
}

// ---------------------------------------------------------------- owning

static double hours_used(const Ask *ask) { return is_known(ask->workload.duty_cycle) ? ask->workload.duty_cycle : 1; }

// What a GPU and its share of a server cost an hour. False: its price or power is not known.
static bool price_of_owning(const Facts *f, const Ask *ask, const Gpu *g, Owning *x) {
    double price = g->street_price_usd;
    if (!is_known(price) || !is_known(g->board_power_w)) return false;
    double hours = term_of(f, ask, TERM_AMORTISE).value * HOURS_A_MONTH;
    double kw = board_w(ask, g) * term_of(f, ask, TERM_HOST_POWER).value / 1000;
    x->gpu = g;
    x->gpu_usd = price;
    x->server_usd_gpu = price * term_of(f, ask, TERM_HOST_PRICE).value;
    x->residual_usd = x->server_usd_gpu * term_of(f, ask, TERM_RESIDUAL).value / 100;
    x->capital_usd_h = (x->server_usd_gpu - x->residual_usd) / hours;
    x->power_usd_h = kw * term_of(f, ask, TERM_PUE).value * term_of(f, ask, TERM_POWER_PRICE).value * hours_used(ask);
    x->hosting_usd_h = kw * term_of(f, ask, TERM_HOSTING).value / HOURS_A_MONTH;
    x->usd_gpu_h = x->capital_usd_h + x->power_usd_h + x->hosting_usd_h;
    return is_known(x->usd_gpu_h);
}

static void owning_of(const Facts *f, const Ask *ask, const Option *o, Arena *a, Owning *x) {
    *x = (Owning){.text = ""};
    if (o == NULL) return;
    if (!price_of_owning(f, ask, o->gpu, x)) {
        x->text = arena_printf(a, "not known: no street price of %s is in the catalog", o->gpu->name);
        return;
    }
    x->rented_usd_gpu_h = o->price_usd_gpu_h;
    x->output_usd_mtok = usd_per_mtok(x->usd_gpu_h * o->gpu_count / hours_used(ask), o->output_tokens_s.value);
    x->text = arena_printf(a, "%s a GPU-hour (capital %s, electricity %s, hosting %s) against %s rented; staff, spares and the network outside not counted", usd_text(a, x->usd_gpu_h), usd_text(a, x->capital_usd_h),
                           usd_text(a, x->power_usd_h), usd_text(a, x->hosting_usd_h), usd_text(a, o->price_usd_gpu_h));
}

// The same work on owned servers of every GPU whose price is known, ranked as what is rented is.
static const Advice *owned_options(const Facts *f, const Ask *ask, Arena *a) {
    enum { GPUS_A_SERVER = 8 };
    Offer *offers = arena_alloc(a, f->n_gpus + 1, sizeof *offers);
    Facts own = *f;
    own.offers = offers;
    own.n_offers = 0;
    for (size_t i = 0; i < f->n_gpus; i++) {
        const Gpu *g = &f->gpus[i];
        Owning x = {.text = ""};
        if (!price_of_owning(f, ask, g, &x)) continue;
        offers[own.n_offers++] = (Offer){.provider = "owned", .instance = "server", .region = "", .sku_id = g->sku_id, .listed_name = g->name, .gpu_count = GPUS_A_SERVER, .vcpus = (double)NAN, .ram_gb = (double)NAN,
                                         .pricing_model = ask->pricing_model, .price_micro_usd_h = (int64_t)(x.usd_gpu_h * GPUS_A_SERVER * 1e6 + 0.5), .available = AVAILABLE_UNKNOWN, .standing = STANDING_LISTED,
                                         .source = arena_printf(a, "%s; data/decision.tsv", g->source), .as_of = g->as_of, .feed = "", .seen_at = "", .country = "", .given = true};
    }
    Ask *alone = arena_alloc(a, 1, sizeof *alone);
    Advice *found = arena_alloc(a, 1, sizeof *found);
    *alone = *ask;
    alone->memo = NULL;
    alone->providers = alone->without_providers = (Names){.n = 0}, alone->region = "", alone->n_discounts = 0, alone->pareto = false;
    alone->max_price_usd_gpu_h = alone->max_age_days = (double)NAN;
    Err e = {0};
    return advise_search(&own, alone, a, found, &e) ? found : NULL;
}

// ---------------------------------------------------------------- an API's price

static const Api *api_of(const Facts *f, const Advice *advice, Arena *a) {
    const Ask *ask = advice->ask;
    Estimate out = term_of(f, ask, TERM_API_OUTPUT);
    if (!is_known(out.value) || ask->workload.kind != KIND_SERVE || advice->n_options == 0) return NULL;
    Estimate in = term_of(f, ask, TERM_API_INPUT);
    const Option *o = &advice->options[0];
    Api *x = arena_alloc(a, 1, sizeof *x);
    x->usd_mtok = out.value + (is_known(in.value) ? in.value * ask->workload.isl_tokens / ask->workload.osl_tokens : 0);
    x->cheapest = o;
    x->cheapest_usd_mtok = o->cost;
    x->even_duty = hours_used(ask) * o->cost / x->usd_mtok;
    const char *even = x->even_duty <= 1 ? arena_printf(a, "both cost the same where %.0f %% of the paid hours carry this load", 100 * x->even_duty) : "at this load renting never costs less";
    x->text = arena_printf(a, "the API takes %s a million output tokens%s, the cheapest option %s (%s at %s); %s", usd_text(a, x->usd_mtok), is_known(in.value) ? ", input tokens included" : " (its price of input tokens was not given)",
                           usd_text(a, o->cost), o->gpu->name, o->offer->provider, even);
    return x;
}

void find_costs(const Facts *f, Arena *a, Advice *advice) {
    const Ask *ask = advice->ask;
    for (int v = 0; v < VENDOR_COUNT; v++) {
        cost_of(f, ask, advice->best[v], &advice->costs[v]);
        owning_of(f, ask, ask->onprem ? advice->best[v] : NULL, a, &advice->owning[v]);
    }
    cost_of(f, ask, advice->current, &advice->costs[VENDOR_COUNT]);
    if (ask->onprem) advice->owned = owned_options(f, ask, a);
    advice->api = api_of(f, advice, a);
}
