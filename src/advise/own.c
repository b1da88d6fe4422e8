// What owning costs: the price of an hour with its range, and the fleets of owned servers that do the work.
#include "src/advise/own.h"

#include <math.h>
#include <string.h>

#include "src/advise/money.h"
#include "src/advise/samples.h"
#include "src/advise/search.h"

// places in own_terms
enum { STREET, HOST_PRICE, LIFE, RESIDUAL, RATE, HOST_POWER, PUE, POWER_PRICE, HOSTING };
static const Term own_terms[OWN_TERMS] = {TERM_STREET_PRICE, TERM_HOST_PRICE,   TERM_AMORTISE,
                                          TERM_RESIDUAL,     TERM_CAPITAL_RATE, TERM_HOST_POWER,
                                          TERM_PUE,          TERM_POWER_PRICE,  TERM_HOSTING};

double hours_used(const Ask *ask) {
    return is_known(ask->workload.duty_cycle) ? ask->workload.duty_cycle : 1;
}

// ---------------------------------------------------------------- licences

const Licence *licence_of(const Facts *f, const Gpu *gpu) {
    const Licence *best = NULL;
    for (size_t i = 0; i < f->n_licences; i++) {
        const Licence *x = &f->licences[i];
        size_t n = strlen(x->name_begins);
        if (x->vendor != gpu->vendor || strncmp(gpu->name, x->name_begins, n) != 0) continue;
        if (best == NULL || n > strlen(best->name_begins)) best = x;
    }
    return best;
}

const char *licence_note(const Facts *f, const Gpu *gpu, Arena *a) {
    const Licence *x = licence_of(f, gpu);
    if (x == NULL) return "";
    return arena_printf(a, "%s: %s%s%s", gpu->name, x->licence,
                        x->licence[0] != '\0' && x->memory[0] != '\0' ? "; " : "", x->memory);
}

// ---------------------------------------------------------------- an hour

// NaN: none.
static double quote_usd(const Ask *ask, const Gpu *g) {
    for (size_t i = 0; i < ask->n_quotes; i++) {
        if (ask->quotes[i].gpu == g) return ask->quotes[i].usd;
    }
    return (double)NAN;
}

// The terms as numbers: the likely ones, or with one of them at an end of its range.
static void own_estimates(const Facts *f, const Ask *ask, bool quoted, Estimate terms[OWN_TERMS]) {
    for (int i = 0; i < OWN_TERMS; i++) terms[i] = term_of(f, ask, own_terms[i]);
    if (!is_known(terms[RATE].value)) terms[RATE] = term_of(f, ask, TERM_DISCOUNT_RATE);
    if (quoted) terms[STREET] = (Estimate){1, 1, 1, BASIS_PUBLISHED, ""};
}

// Capital is paid back in equal months at the cost of capital, less what the server then still fetches, in
// today's money.
// `x` holds gpu_usd.
static void own_hour(const double t[OWN_TERMS], double board_kw, double duty, Owning *x) {
    double later = pow(1 + t[RATE] / 100, -t[LIFE] / MONTHS_A_YEAR);
    double kw = board_kw * t[HOST_POWER];
    x->server_usd_gpu = x->gpu_usd * t[STREET] * t[HOST_PRICE];
    x->residual_usd = x->server_usd_gpu * t[RESIDUAL] / 100;
    x->capital_usd_h =
        (x->server_usd_gpu - x->residual_usd * later) / annuity(t[LIFE], t[RATE] / 100) / HOURS_A_MONTH;
    x->power_usd_h = kw * t[PUE] * t[POWER_PRICE] * duty;
    x->hosting_usd_h = kw * t[HOSTING] / HOURS_A_MONTH;
    x->usd_gpu_h = x->capital_usd_h + x->power_usd_h + x->hosting_usd_h;
}

void own_ends(const Facts *f, const Ask *ask, const Owning *x, int term, Owning *ret_low, Owning *ret_high) {
    Estimate terms[OWN_TERMS];
    double t[OWN_TERMS];
    Owning *ends[] = {ret_low, ret_high};
    own_estimates(f, ask, x->quoted, terms);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < OWN_TERMS; i++)
            t[i] = i != term ? terms[i].value : end == 0 ? terms[i].low : terms[i].high;
        *ends[end] = *x;
        own_hour(t, board_kw(ask, x->gpu), hours_used(ask), ends[end]);
    }
}

// The errors of the terms are independent of each other: each makes a part of the spread of ln, and these add
// up as squares.
static void spread_hour(const Facts *f, const Ask *ask, Owning *x) {
    double variance = 0;
    for (int i = 0; i < OWN_TERMS; i++) {
        Owning low, high;
        own_ends(f, ask, x, i, &low, &high);
        x->sigma[i] = log(high.usd_gpu_h / low.usd_gpu_h) / (2 * Z80);
        variance += x->sigma[i] * x->sigma[i];
    }
    x->gpu_hour = estimate_of(x->usd_gpu_h, sqrt(variance), BASIS_EXTRAPOLATED, x->source);
}

// False: its price or power is not known; `x->text` says which.
static bool price_of_owning(const Facts *f, const Ask *ask, const Gpu *g, Arena *a, Owning *x) {
    double quote = quote_usd(ask, g);
    *x = (Owning){.text = "",
                  .source = "",
                  .output_usd_mtok = (double)NAN,
                  .rented_usd_gpu_h = (double)NAN,
                  .quoted = is_known(quote),
                  .gpu_usd = is_known(quote) ? quote : g->street_price_usd};
    if (!is_known(x->gpu_usd))
        x->text = arena_printf(
            a, "not known: no street price of %s is in the catalog; --gpu-price %s=USD gives one", g->name,
            g->sku_id);
    if (!is_known(g->board_power_w))
        x->text = arena_printf(a, "not known: the power of %s is not in the catalog", g->name);
    if (x->text[0] != '\0') return false;
    Estimate terms[OWN_TERMS];
    double t[OWN_TERMS];
    own_estimates(f, ask, x->quoted, terms);
    for (int i = 0; i < OWN_TERMS; i++) t[i] = terms[i].value;
    own_hour(t, board_kw(ask, g), hours_used(ask), x);
    if (!is_known(x->usd_gpu_h)) return false;  // terms are missing
    const Estimate *street = &terms[STREET];
    x->gpu = g;
    x->source = x->quoted
                    ? "quote (--gpu-price)"
                    : arena_printf(a, "street price: %s",
                                   g->street_price_basis[0] != '\0' ? g->street_price_basis : g->source);
    x->gpu_price = (Estimate){x->gpu_usd * street->value, x->gpu_usd * street->low, x->gpu_usd * street->high,
                              x->quoted ? BASIS_PUBLISHED : BASIS_EXTRAPOLATED, x->source};
    spread_hour(f, ask, x);
    return true;
}

double own_sigma(const Owning *a, const Owning *b) {
    double variance = 0;
    for (int i = 0; i < OWN_TERMS; i++) {
        double x = a != NULL ? a->sigma[i] : 0;
        double y = b != NULL ? b->sigma[i] : 0;
        // each GPU's street price has its own error
        bool apart = i == STREET && a != NULL && b != NULL && a->gpu != b->gpu;
        variance += apart ? x * x + y * y : (x - y) * (x - y);
    }
    return sqrt(variance);
}

// ---------------------------------------------------------------- fleets

// GPUs on a common switch or mesh are sold as a whole board; what sits in no slot is a computer of its own;
// cards go into servers one by one.
static size_t server_sizes(const Gpu *g, int sizes[4]) {
    bool board = g->link_topology == LINK_SWITCH || g->link_topology == LINK_MESH;
    sizes[0] = board ? NODE_GPUS : 1;
    if (board || !is_known(g->pcie_gen)) return 1;
    for (int i = 1; i < 4; i++) sizes[i] = 1 << i;
    return 4;
}

// What is owned keeps to the filters on GPUs, but for those that the user has a price of: that asks for them.
static bool may_be_owned(const Ask *ask, const Gpu *g) {
    return is_known(quote_usd(ask, g)) || ask_takes_gpu(ask, g);
}

// A GPU costs the same in a server of any size, to the last digit: of servers that do the work at one cost
// the smallest is taken.
static Offer owned_offer(const Ask *ask, const Owning *x, int gpus, Arena *a) {
    int64_t micro_usd_h = (int64_t)(x->usd_gpu_h * 1e6 + 0.5) * gpus;
    Offer o = offer_given("owned", x->gpu, gpus, ask->pricing_model, micro_usd_h);
    o.instance = "server";
    o.available = AVAILABLE_UNKNOWN;
    o.machines_seen = (double)NAN;
    o.source = arena_printf(a, "%s; data/decision.tsv", x->source);
    o.as_of = x->gpu->as_of;
    return o;
}

const Owning *owning_in(const Advice *advice, const Gpu *g) {
    for (size_t i = 0; i < advice->n_prices; i++) {
        if (advice->prices[i].gpu == g) return &advice->prices[i];
    }
    return NULL;
}

// Prices every GPU that may be owned, and searches the work on servers of them.
static const Advice *search_owned(const Facts *f, Arena *a, Advice *advice) {
    const Ask *ask = advice->ask;
    Offer *offers = arena_alloc(a, 4 * f->n_gpus + 1, sizeof *offers);
    Owning *prices = arena_alloc(a, f->n_gpus + 1, sizeof *prices);
    Facts own = *f;
    own.offers = offers;
    own.n_offers = 0;
    advice->prices = prices;
    for (size_t i = 0; i < f->n_gpus; i++) {
        const Gpu *g = &f->gpus[i];
        Owning *x = &prices[advice->n_prices];
        if (!may_be_owned(ask, g)) continue;
        if (!price_of_owning(f, ask, g, a, x)) {
            if (exclude(advice, "GPUs", "owned: price or power not known; --gpu-price gives a price"))
                exclude_example(advice, g->sku_id);
            continue;
        }
        int sizes[4];
        size_t n = server_sizes(g, sizes);
        for (size_t k = 0; k < n; k++) offers[own.n_offers++] = owned_offer(ask, x, sizes[k], a);
        advice->n_prices++;
    }
    Ask *alone = arena_alloc(a, 1, sizeof *alone);
    Advice *found = arena_alloc(a, 1, sizeof *found);
    *alone = *ask;
    alone->memo = NULL;
    alone->gpus = alone->providers = alone->without_gpus = alone->without_providers = (Names){.n = 0};
    alone->region = "", alone->vendor = -1, alone->n_discounts = 0, alone->pareto = false,
    alone->top = f->n_gpus;
    alone->max_price_usd_gpu_h = alone->max_age_days = (double)NAN;
    Err e = {0};
    return advise_search(&own, alone, a, found, &e) ? found : NULL;
}

static void widen(Estimate *x, double sigma, const char *source, Arena *a) {
    if (!is_known(x->value)) return;
    double extra = Z80 * sigma;
    *x = (Estimate){x->value, x->value * exp(-hypot(log(x->value / x->low), extra)),
                    x->value * exp(hypot(log(x->high / x->value), extra)), BASIS_EXTRAPOLATED,
                    arena_printf(a, "%s; %s", source, x->sources)};
}

// The ranges of money hold the price of owning too; sigma_log stays that of the speed, for what options have
// in common.
static void widen_money(const Owning *x, Option *o, Arena *a) {
    Estimate *money[] = {
        &o->output_usd_mtok, &o->blended_usd_mtok, &o->input_usd_mtok, &o->saturated_output_usd_mtok,
        &o->usd_1k_images,   &o->usd_total,        &o->usd_run};
    for (size_t i = 0; i < COUNT_OF(money); i++) widen(money[i], own_sigma(x, NULL), o->offer->source, a);
}

// Leaves out fleets that nobody would rack, and counts them.
static void keep_sensible(const Facts *f, Arena *a, Advice *advice, Advice *found) {
    int smallest = 0;
    for (size_t i = 0; i < found->n_options; i++) {
        if (smallest == 0 || found->options[i].gpu_count < smallest) smallest = found->options[i].gpu_count;
    }
    double most = smallest * constant_of(f, CONSTANT_OWNED_GPUS_TIMES_MOST);
    Option *kept = arena_alloc(a, found->n_options + 1, sizeof *kept);
    size_t n = 0;
    for (int v = 0; v < VENDOR_COUNT; v++) found->best[v] = NULL;
    for (size_t i = 0; i < found->n_options; i++) {
        const Option *o = &found->options[i];
        const Owning *x = owning_in(advice, o->gpu);
        if (o->gpu_count > most && !x->quoted) {
            if (exclude(advice, "fleets",
                        "owned: many times the GPUs of the smallest fleet that does the work "
                        "(owned_gpus_times_most)"))
                exclude_example(advice, arena_printf(a, "%d x %s", o->gpu_count, o->gpu->sku_id));
            continue;
        }
        kept[n] = *o;
        widen_money(x, &kept[n], a);
        if (found->best[o->gpu->vendor] == NULL) found->best[o->gpu->vendor] = &kept[n];
        n++;
    }
    found->options = kept;
    found->n_options = n;
}

const Option *owned_option(const Advice *owned, const Gpu *g) {
    for (size_t i = 0; owned != NULL && i < owned->n_options; i++) {
        if (owned->options[i].gpu == g) return &owned->options[i];
    }
    return NULL;
}

// The GPU of the vendor's best option, owned. `x` may be among the prices already.
static void owning_best(const Facts *f, const Advice *advice, const Option *best, Arena *a, Owning *x) {
    *x = (Owning){.text = "", .source = ""};
    if (best == NULL || !price_of_owning(f, advice->ask, best->gpu, a, x)) return;
    const Option *fleet = owned_option(advice->owned, best->gpu);
    x->rented_usd_gpu_h = best->price_usd_gpu_h;
    if (fleet != NULL) x->output_usd_mtok = fleet->output_usd_mtok.value;
    x->text = arena_printf(a,
                           "%s: %s a GPU-hour (%s to %s; capital %s, electricity %s, hosting %s) at %s a GPU "
                           "(%s), against %s rented; staff, spares and the network outside not counted",
                           best->gpu->name, usd_text(a, x->usd_gpu_h), usd_text(a, x->gpu_hour.low),
                           usd_text(a, x->gpu_hour.high), usd_text(a, x->capital_usd_h),
                           usd_text(a, x->power_usd_h), usd_text(a, x->hosting_usd_h),
                           usd_text(a, x->gpu_price.value), x->source, usd_text(a, best->price_usd_gpu_h));
}

void find_owned(const Facts *f, Arena *a, Advice *advice) {
    if (!advice->ask->onprem) return;
    Advice *found = arena_alloc(a, 1, sizeof *found);
    const Advice *all = search_owned(f, a, advice);
    if (all != NULL) {
        *found = *all;
        keep_sensible(f, a, advice, found);
        advice->owned = found;
    }
    for (int v = 0; v < VENDOR_COUNT; v++) owning_best(f, advice, advice->best[v], a, &advice->owning[v]);
}
