// What the best options cost beside their price: a month's bill and electricity; what an API would cost
// instead.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/money.h"
#include "src/advise/search.h"

static const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};

// ---------------------------------------------------------------- a month, and electricity

Costs option_costs(const Facts *f, const Ask *ask, const Option *o) {
    Costs c = {.option = o,
               .usd_month = unknown,
               .kwh_per_mtok = unknown,
               .power_kw = (double)NAN,
               .power_usd_month = (double)NAN};
    if (o == NULL) return c;
    c.usd_month = bill_usd_month(f, ask, o);
    c.power_kw = site_kw_of(f, ask, o->gpu, o->gpu_count);
    c.power_usd_month = c.power_kw * HOURS_A_MONTH * term_of(f, ask, TERM_POWER_PRICE).value;
    const Estimate *rate = &o->output_tokens_s;
    double kwh = c.power_kw / 3600 * 1e6;  // for a million tokens at one token a second
    if (is_known(kwh / rate->value))
        c.kwh_per_mtok = (Estimate){kwh / rate->value, kwh / rate->high, kwh / rate->low, BASIS_DATASHEET,
                                    "board power of data/gpus.tsv; data/decision.tsv"};
    return c;
}

Estimate usd_over(const Estimate *usd_month, double months) {
    return (Estimate){usd_month->value * months, usd_month->low * months, usd_month->high * months,
                      usd_month->basis, usd_month->sources};
}

// ---------------------------------------------------------------- an API's price

// A month of millions of output tokens: what the option gives under the load asked for, and the most it can.
static double asked_mtok(const Ask *ask, const Option *o) {
    return o->output_tokens_s.value * hours_used(ask) * HOURS_A_MONTH * 3600 / 1e6;
}
static double most_mtok(const Option *o) {
    return o->price_usd_h * HOURS_A_MONTH / o->saturated_output_usd_mtok.value;
}

static ApiVolume volume_of(const Ask *ask, const Option *o, const Estimate *usd_month, double usd_mtok) {
    ApiVolume v = {.option = o,
                   .even_mtok = unknown,
                   .most_mtok = (double)NAN,
                   .even_requests_day = (double)NAN,
                   .asked_mtok = (double)NAN};
    if (o == NULL) return v;
    v.even_mtok = (Estimate){usd_month->value / usd_mtok, usd_month->low / usd_mtok,
                             usd_month->high / usd_mtok, usd_month->basis, usd_month->sources};
    v.even_requests_day = v.even_mtok.value * 1e6 / ask->workload.osl_tokens / DAYS_A_MONTH;
    v.asked_mtok = asked_mtok(ask, o);
    v.most_mtok = most_mtok(o);
    return v;
}

static const char *mtok_text(Arena *a, double x) {
    return arena_printf(a, "%s million output tokens", number_text(a, x, 3));
}

// What the fleet must be given to do for its price to be that of the API.
static const char *volume_words(Arena *a, const ApiVolume *v, const char *how) {
    const Option *o = v->option;
    if (o == NULL || !is_known(v->even_mtok.value)) return "";
    char requests[64];
    format_number(requests, sizeof requests, v->even_requests_day, 3);
    const char *fleet = arena_printf(a, "%d x %s %s", o->gpu_count, o->gpu->name, how);
    const char *volume =
        arena_printf(a, "%s a month (%s requests a day)", mtok_text(a, v->even_mtok.value), requests);
    if (v->even_mtok.value > v->most_mtok)
        return arena_printf(a, "; %s would cost as much at %s, more than the %s that they can give: never",
                            fleet, volume, mtok_text(a, v->most_mtok));
    const char *asked = mtok_text(a, v->asked_mtok);
    const char *reached = v->asked_mtok >= v->even_mtok.value ? "the load asked for is above that"
                                                              : "the load asked for never reaches that";
    return arena_printf(a, "; %s cost as much at %s, less above; %s (%s)", fleet, volume, reached, asked);
}

static const Api *api_of(const Facts *f, const Advice *advice, Arena *a) {
    const Ask *ask = advice->ask;
    Estimate out = term_of(f, ask, TERM_API_OUTPUT);
    if (!is_known(out.value) || !serves_tokens(&ask->workload) || cheapest_offered(advice) == NULL)
        return NULL;
    Estimate in = term_of(f, ask, TERM_API_INPUT);
    const Option *o = cheapest_offered(advice);
    Api *x = arena_alloc(a, 1, sizeof *x);
    x->usd_mtok =
        out.value + (is_known(in.value) ? in.value * ask->workload.isl_tokens / ask->workload.osl_tokens : 0);
    x->cheapest = o;
    x->cheapest_usd_mtok = o->output_usd_mtok.value;
    x->even_duty = hours_used(ask) * x->cheapest_usd_mtok / x->usd_mtok;
    Estimate month = bill_usd_month(f, ask, o);
    OwnChoice own = own_choice(f, advice);
    x->rented = volume_of(ask, o, &month, x->usd_mtok);
    x->owned = volume_of(ask, own.option, &own.usd_month, x->usd_mtok);
    const char *even =
        x->even_duty <= 1
            ? arena_printf(a, "both cost the same where %.0f %% of the paid hours carry this load",
                           100 * x->even_duty)
            : "at this load renting never costs less";
    x->text = arena_printf(
        a, "the API takes %s a million output tokens%s, the cheapest option %s (%s); %s%s%s",
        usd_text(a, x->usd_mtok),
        is_known(in.value) ? ", input tokens included" : " (its price of input tokens was not given)",
        usd_text(a, x->cheapest_usd_mtok), place_text(a, o), even, volume_words(a, &x->rented, "rented"),
        volume_words(a, &x->owned, "owned"));
    return x;
}

// ---------------------------------------------------------------- APIs that the catalog knows

static int by_price(const void *left, const void *right) {
    const ApiBeside *a = left, *b = right;
    double x = is_known(a->cached_usd_mtok) ? a->cached_usd_mtok : a->fresh_usd_mtok,
           y = is_known(b->cached_usd_mtok) ? b->cached_usd_mtok : b->fresh_usd_mtok;
    return (x > y) - (x < y);
}

// Of input tokens, that an endless cache holds: by the sessions of the cheapest option, or as the ask has it.
static double share_seen(const Advice *advice) {
    const Option *o = cheapest_offered(advice);
    return o == NULL ? 0 : o->sessions > 0 ? o->session.hit_max : o->serving.cached_share;
}

static ApiBeside beside(const ApiPrice *p, const Workload *w, double seen) {
    double in = w->isl_tokens, out = w->osl_tokens, answers = out * p->output_usd_mtok;
    ApiBeside x = {p, (in * p->input_usd_mtok + answers) / (in + out), (double)NAN};
    if (seen > 0)
        x.cached_usd_mtok =
            (in * ((1 - seen) * p->input_usd_mtok + seen * p->cached_usd_mtok) + answers) / (in + out);
    return x;
}

static void find_apis(const Facts *f, Arena *a, Advice *advice) {
    const Ask *ask = advice->ask;
    if (!serves_tokens(&ask->workload) || ask->model == NULL) return;
    ApiBeside *list = arena_alloc(a, f->n_api_prices + 1, sizeof *list);
    advice->apis_cached_share = share_seen(advice);
    for (size_t i = 0; i < f->n_api_prices; i++) {
        if (strcmp(f->api_prices[i].model, ask->model->model_id) == 0)
            list[advice->n_apis++] = beside(&f->api_prices[i], &ask->workload, advice->apis_cached_share);
    }
    qsort(list, advice->n_apis, sizeof *list, by_price);
    advice->apis = list;
}

void find_costs(const Facts *f, Arena *a, Advice *advice) {
    const Ask *ask = advice->ask;
    for (int v = 0; v < VENDOR_COUNT; v++) advice->costs[v] = option_costs(f, ask, advice->best[v]);
    advice->costs[VENDOR_COUNT] = option_costs(f, ask, advice->current);
    advice->term_months = term_of(f, ask, TERM_HORIZON).value;
    find_owned(f, a, advice);
    advice->api = api_of(f, advice, a);
    find_apis(f, a, advice);
}
