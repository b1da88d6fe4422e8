// What a price may have become, how much of an offer there is, and the odds of one vendor against the other.
#include "src/advise/prices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- sellers

SellerClass offer_seller(const Facts *f, const Offer *o) {
    if (o->seller_class != SELLER_UNKNOWN) return o->seller_class;
    const Seller *s = seller_find(f->sellers, f->n_sellers, o->provider, o->region);
    return s != NULL ? s->seller_class : SELLER_UNKNOWN;
}

Available offer_by_gpu(const Facts *f, const Offer *o) {
    if (o->sold_by_gpu != AVAILABLE_UNKNOWN) return o->sold_by_gpu;
    const Seller *s = seller_find(f->sellers, f->n_sellers, o->provider, o->region);
    return s != NULL ? s->sold_by_gpu : AVAILABLE_UNKNOWN;
}

bool sells_parts(SellerClass class) { return class != SELLER_MARKETPLACE_HOST && class != SELLER_UNKNOWN; }

double class_machines(const Facts *f, SellerClass class) {
    for (size_t i = 0; i < f->n_seller_classes; i++) {
        if (f->seller_classes[i].seller_class == class) return f->seller_classes[i].machines;
    }
    return 1;
}

double offer_instances_most(const Facts *f, const Offer *o, bool *ret_assumed) {
    *ret_assumed = false;
    if (o->given || f->n_seller_classes == 0) return (double)INFINITY;
    if (o->machines_seen >= 1) return floor(o->machines_seen);
    *ret_assumed = true;
    SellerClass class = offer_seller(f, o);
    return class_machines(f, class) *
           (sells_parts(class) && o->gpu_count < NODE_GPUS ? floor(NODE_GPUS / o->gpu_count) : 1);
}

// ---------------------------------------------------------------- a price

static bool is_of(const PriceMove *m, SellerClass class, int pricing) {
    return m->seller_class == class && m->pricing_model == pricing;
}

static double between(double low, double high, double share) { return low + (high - low) * share; }

// Straight lines between rows; past the last one a spread grows with the root of time, and what is gone as
// before.
static PriceDoubt moved(const Facts *f, SellerClass class, int pricing, double days) {
    const PriceMove *before = NULL;
    const PriceMove *after = NULL;
    for (size_t i = 0; i < f->n_price_moves; i++) {
        const PriceMove *m = &f->price_moves[i];
        if (!is_of(m, class, pricing)) continue;
        if (m->lag_days <= days && (before == NULL || m->lag_days > before->lag_days)) before = m;
        if (m->lag_days >= days && (after == NULL || m->lag_days < after->lag_days)) after = m;
    }
    if (before == NULL && after == NULL) return (PriceDoubt){.sigma = 0};
    if (before == NULL) before = after;
    if (after != NULL) {
        double share = after->lag_days > before->lag_days
                           ? (days - before->lag_days) / (after->lag_days - before->lag_days)
                           : 0;
        return (PriceDoubt){.sigma = between(before->sigma_log, after->sigma_log, share),
                            .drift = between(before->drift_log, after->drift_log, share),
                            .gone = between(before->gone, after->gone, share)};
    }
    double times = days / before->lag_days;
    return (PriceDoubt){.sigma = before->sigma_log * sqrt(times),
                        .drift = before->drift_log * times,
                        .gone = 1 - pow(1 - before->gone, times)};
}

static PriceDoubt doubt_after(const Facts *f, const Option *o, double days) {
    if (o->offer->given || f->n_price_moves == 0) return (PriceDoubt){.sigma = 0};
    SellerClass class = offer_seller(f, o->offer);
    // Nobody knows what kind of seller it is: it may be any of those whose prices move most.
    PriceDoubt d = moved(f, class != SELLER_UNKNOWN ? class : SELLER_BROKER, o->offer->pricing_model, days);
    d.years = days / DAYS_A_YEAR;
    d.one_host = offer_one_host(o->offer, class) != AVAILABLE_NO;  // where nobody counted, it may be one
    return d;
}

PriceDoubt price_doubt(const Facts *f, const Option *o) {
    return doubt_after(f, o, (double)o->price_age_days);
}

const char *price_seen_words(Arena *a, const Option *o) {
    return o->price_ahead ? "ahead of this machine's clock"
                          : arena_printf(a, "%s ago", counted(a, (size_t)o->price_age_days, "day"));
}

void note_offer(const Facts *f, const Ask *ask, Option *o) {
    int64_t seen = ask->today;
    parse_date(str_of(o->offer->as_of), &seen, NULL);
    o->price_age_days = seen < ask->today ? ask->today - seen : 0;
    o->price_ahead = date_is_ahead(o->offer->as_of, ask->today);
    o->seller = offer_seller(f, o->offer);
    o->instances_most = offer_instances_most(f, o->offer, &o->most_assumed);
    PriceDoubt doubt = price_doubt(f, o);
    o->sigma_price = doubt.sigma;
    o->price_gone = doubt.gone;
}

void widen_by_price(const Option *o, Estimate *x) {
    if (!(o->sigma_price > 0) || !(x->low > 0)) return;
    x->low = x->value * exp(-hypot(log(x->value / x->low), Z80 * o->sigma_price));
    x->high = x->value * exp(hypot(log(x->high / x->value), Z80 * o->sigma_price));
}

// ---------------------------------------------------------------- ladders

bool same_seller(const Facts *f, const Option *x, const Option *y) {
    return x->gpu == y->gpu && strcmp(x->offer->provider, y->offer->provider) == 0 &&
           offer_seller(f, x->offer) == offer_seller(f, y->offer);
}

static void add_rung(const Facts *f, const Option *o, Ladder *l) {
    size_t k = 0;
    while (k < l->n && !same_seller(f, l->rungs[k].option, o)) k++;
    if (k == l->n && l->n < RUNGS_USED) l->rungs[l->n++] = (Rung){o, o->cost, price_doubt(f, o)};
}

Ladder ladder_of(const Facts *f, const Option *options, size_t n, int vendor) {
    Ladder l = {.n = 0};
    for (size_t i = 0; i < n && l.n < RUNGS_USED; i++) {
        if (options[i].gpu->vendor == vendor) add_rung(f, &options[i], &l);
    }
    return l;
}

Ladder ladder_for_rent(const Facts *f, const Option *options, size_t n, int vendor) {
    Ladder l = {.n = 0};
    for (size_t i = 0; i < n && l.n < RUNGS_USED; i++) {
        if (options[i].gpu->vendor == vendor && !options[i].today) add_rung(f, &options[i], &l);
    }
    return l;
}

Ladder ladder_alone(const Facts *f, const Option *o) {
    Ladder l = {.n = 1};
    l.rungs[0] = (Rung){o, o->cost, price_doubt(f, o)};
    return l;
}

Halves ladder_halves(const Facts *f, const Option *options, size_t n, const Meant *m) {
    Halves h = {.meant = {.n = 0}, .others = {.n = 0}};
    for (size_t i = 0; i < n; i++) {
        const Option *o = &options[i];
        if (o->gpu->vendor != m->vendor) continue;
        bool meant = (m->gpu == NULL || o->gpu == m->gpu) &&
                     (m->provider == NULL || strcmp(o->offer->provider, m->provider) == 0);
        add_rung(f, o, meant ? &h.meant : &h.others);
    }
    return h;
}

Ladder ladder_scaled(const Halves *h, double times) {
    Ladder l = {.n = 0};
    size_t i = 0, k = 0;
    while (l.n < RUNGS_USED && (i < h->meant.n || k < h->others.n)) {
        bool meant =
            k == h->others.n || (i < h->meant.n && h->meant.rungs[i].cost * times < h->others.rungs[k].cost);
        l.rungs[l.n] = meant ? h->meant.rungs[i++] : h->others.rungs[k++];
        if (meant) l.rungs[l.n].cost *= times;
        l.n++;
    }
    return l;
}

void ladder_weights(const Ladder *l, double weights[RUNGS_USED], size_t *ret_n) {
    size_t n = l->n;
    double left = 1;
    for (size_t i = 0; i < n; i++) {
        weights[i] = i + 1 < n ? left * (1 - l->rungs[i].doubt.gone) : left;
        left -= weights[i];
    }
    *ret_n = n;
}

// ---------------------------------------------------------------- odds

static double normal_below(double z) { return erfc(-z / sqrt(2)) / 2; }

// ln(cost of AMD / cost of NVIDIA) of two rungs, without what may have become of their prices.
typedef struct Pairs {
    double mean[RUNGS_USED][RUNGS_USED], variance[RUNGS_USED][RUNGS_USED];
    double market;  // standard deviation of where all prices go in a year
} Pairs;

static void pairs_of(const Facts *f, const Ladder *amd, const Ladder *nvidia, Pairs *ret) {
    ret->market = constant_of(f, CONSTANT_SIGMA_MARKET_YEAR);
    for (size_t i = 0; i < amd->n; i++) {
        for (size_t k = 0; k < nvidia->n; k++) {
            double mean = 0, sigma = 0;
            cost_ratio(f, amd->rungs[i].option, nvidia->rungs[k].option, &mean, &sigma);
            ret->mean[i][k] = log(amd->rungs[i].cost / nvidia->rungs[k].cost);
            ret->variance[i][k] = sigma * sigma;
        }
    }
}

typedef struct Mixture {
    double weight[RUNGS_USED * RUNGS_USED], mean[RUNGS_USED * RUNGS_USED], sigma[RUNGS_USED * RUNGS_USED];
    size_t n;
} Mixture;

static Mixture mix(const Pairs *p, const Ladder *amd, const Ladder *nvidia) {
    Mixture m = {.n = 0};
    double of_amd[RUNGS_USED], of_nvidia[RUNGS_USED];
    size_t n_amd = 0, n_nvidia = 0;
    ladder_weights(amd, of_amd, &n_amd);
    ladder_weights(nvidia, of_nvidia, &n_nvidia);
    for (size_t i = 0; i < n_amd; i++) {
        const PriceDoubt *x = &amd->rungs[i].doubt;
        for (size_t k = 0; k < n_nvidia; k++) {
            const PriceDoubt *y = &nvidia->rungs[k].doubt;
            double market = p->market * (x->years - y->years);
            m.weight[m.n] = of_amd[i] * of_nvidia[k];
            if (m.weight[m.n] == 0) continue;
            m.mean[m.n] = p->mean[i][k] + x->drift - y->drift;
            m.sigma[m.n] =
                sqrt(p->variance[i][k] + x->sigma * x->sigma + y->sigma * y->sigma + market * market);
            m.n++;
        }
    }
    return m;
}

static double mixture_below(const Mixture *m, double x) {
    double p = 0;
    for (size_t i = 0; i < m->n; i++)
        p += m->weight[i] * (m->sigma[i] > 0   ? normal_below((x - m->mean[i]) / m->sigma[i])
                             : x > m->mean[i]  ? 1
                             : x == m->mean[i] ? 0.5
                                               : 0);
    return p;
}

static double mixture_quantile(const Mixture *m, double q) {
    double low = -20;
    double high = 20;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(mixture_below(m, middle) < q ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

double surest_of(const Facts *f, double years, bool one_host) {
    double surest = one_host ? constant_of(f, CONSTANT_ONE_HOST_SUREST) : 1;
    return years > 0 ? fmax(surest - constant_of(f, CONSTANT_LIST_DOUBT_YEAR) * years, 0.5) : surest;
}

// The ladder as it was so many days ago, or when its prices were seen, if that is later.
static Ladder ladder_before(const Facts *f, const Ladder *l, double days) {
    Ladder then = *l;
    for (size_t i = 0; i < l->n; i++) {
        const Option *o = l->rungs[i].option;
        if (l->rungs[i].doubt.years > 0)
            then.rungs[i].doubt = doubt_after(f, o, fmax((double)o->price_age_days - days, 0));
    }
    return then;
}

// The least that the same list said for that vendor since the older of the two first prices was seen, 0.5 at
// least: on the days when that price was as old as a row of data/price_moves.tsv says, since between them all
// is straight.
static double surest_before(const Facts *f, const Pairs *pairs, const Ladder *amd, const Ladder *nvidia,
                            bool amd_ahead) {
    static const double old[] = {0, 7, 30, 60, 90, 150, 365};
    double oldest =
        (double)(amd->rungs[0].doubt.years > nvidia->rungs[0].doubt.years ? amd->rungs[0].option
                                                                          : nvidia->rungs[0].option)
            ->price_age_days;
    double least = 1;
    for (size_t i = 0; i < COUNT_OF(old) && old[i] < oldest; i++) {
        Ladder x = ladder_before(f, amd, oldest - old[i]);
        Ladder y = ladder_before(f, nvidia, oldest - old[i]);
        Mixture then = mix(pairs, &x, &y);
        double amd_then = mixture_below(&then, 0);
        least = fmin(least, amd_ahead ? amd_then : 1 - amd_then);
    }
    return fmax(least, 0.5);
}

static Odds judged(const Facts *f, const Ladder *amd, const Ladder *nvidia, Mixture *ret_now) {
    Pairs pairs;
    pairs_of(f, amd, nvidia, &pairs);
    *ret_now = mix(&pairs, amd, nvidia);
    Odds o = {.amd_cheaper = mixture_below(ret_now, 0), .low = (double)NAN, .high = (double)NAN, .surest = 1};
    double years = fmax(amd->rungs[0].doubt.years, nvidia->rungs[0].doubt.years);
    bool amd_ahead = o.amd_cheaper >= 0.5;
    o.one_host = (amd_ahead ? amd : nvidia)->rungs[0].doubt.one_host;
    o.surest = surest_of(f, years, o.one_host);
    o.surest = fmin(o.surest, surest_before(f, &pairs, amd, nvidia, amd_ahead));
    return o;
}

Odds odds_of(const Facts *f, const Ladder *amd, const Ladder *nvidia) {
    Mixture now;
    return judged(f, amd, nvidia, &now);
}

void odds_range(const Facts *f, const Ladder *amd, const Ladder *nvidia, Odds *odds) {
    Mixture now;
    *odds = judged(f, amd, nvidia, &now);
    odds->low = exp(mixture_quantile(&now, 0.1));
    odds->high = exp(mixture_quantile(&now, 0.9));
}

double odds_probability(const Odds *o) { return fmin(fmax(o->amd_cheaper, 1 - o->amd_cheaper), o->surest); }

Winner odds_winner(const Odds *o) {
    return odds_probability(o) < SURE ? WINNER_TIE : o->amd_cheaper > 0.5 ? WINNER_AMD : WINNER_NVIDIA;
}

double odds_margin(const Odds *o, Winner winner) {
    double p = odds_probability(o);
    bool amd = o->amd_cheaper > 0.5;
    if (winner == WINNER_TIE) return SURE - p;
    return (winner == WINNER_AMD) == amd ? p - SURE : -p;
}

Estimate ratio_estimate(const Odds *o, const Option *amd, const Option *nvidia) {
    double listed = amd->cost / nvidia->cost;
    bool far = amd->basis == BASIS_EXTRAPOLATED || nvidia->basis == BASIS_EXTRAPOLATED;
    return (Estimate){listed, fmin(o->low, listed), fmax(o->high, listed),
                      far ? BASIS_EXTRAPOLATED : BASIS_CALIBRATED,
                      "ratio of the two best options, common errors cancelled; data/price_moves.tsv"};
}
