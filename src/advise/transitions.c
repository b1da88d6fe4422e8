// Moving: to another provider of the same vendor's GPUs, or to the other vendor's. What it costs once and
// each month, what it saves, when that is even, and what it is worth today.
#include <math.h>
#include <string.h>

#include "src/advise/money.h"
#include "src/advise/samples.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"

const char *const transition_names[] = {"provider", "vendor", NULL};
NAMES_FIT(transition_names, TRANSITION_COUNT);

static const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};

// ---------------------------------------------------------------- many worlds

static Flow drawn_flow(const Weighed *w, size_t i) {
    double k[SAMPLE_COUNT];
    for (int c = 0; c < SAMPLE_COUNT; c++) k[c] = w->factor[c] != NULL ? w->factor[c][i] : 1;
    Flow f = w->likely;
    double load = k[SAMPLE_LOAD] * w->share;
    f.bill *= load * (w->from_price != NULL ? w->from_price[i] : 1);
    f.bill_after *= load * k[SAMPLE_RATIO] * k[SAMPLE_SAME] * k[SAMPLE_PRICE] *
                    (w->to_price != NULL ? w->to_price[i] : 1);
    f.from_stands = w->from_stands == NULL || w->from_stands[i];
    f.to_stands = w->to_stands == NULL || w->to_stands[i];
    f.port_days *= k[SAMPLE_EFFORT] * w->work;
    f.upkeep_days_year *= k[SAMPLE_EFFORT] * w->work;
    f.contract_days *= k[SAMPLE_CONTRACT];
    f.revalidation_days *= k[SAMPLE_REVALIDATION];
    f.day_usd *= k[SAMPLE_DAY];
    f.parallel_weeks *= k[SAMPLE_PARALLEL];
    return f;
}

static void draw_factors(const Samples *d, Arena *a, Weighed *w) {
    for (int c = 0; c < SAMPLE_COUNT; c++) {
        if (!(w->sigma[c] > 0)) continue;
        double *factor = arena_alloc(a, SAMPLES, sizeof *factor);
        for (size_t i = 0; i < SAMPLES; i++) factor[i] = exp(w->sigma[c] * d->z[c][i]);
        w->factor[c] = factor;
    }
}

static void draw_flows(Arena *a, Weighed *w) {
    Flow *drawn = arena_alloc(a, SAMPLES, sizeof *drawn);
    double *paid = arena_alloc(a, SAMPLES, sizeof *paid);
    DiscountFactors all = paid_over(w->likely.horizon_months, w->likely.rate_year);
    for (size_t i = 0; i < SAMPLES; i++) {
        drawn[i] = drawn_flow(w, i);
        paid[i] = flow_paid(&drawn[i], &all);
    }
    w->drawn = drawn;
    w->paid = paid;
}

// ---------------------------------------------------------------- a transition from the ask

static void set_term(Weighed *w, SampleColumn draw, double *field, Estimate x) {
    *field = x.value;
    w->sigma[draw] = log_spread(&x);
}

static double whole_port(const Effort *x) { return fmax(x->first_port_with_blockers, x->first_port.value); }

static void weigh_software(const Facts *f, const Ask *ask, const Advice *advice, Weighed *w) {
    const Move *m = advice->move;
    Flow *flow = &w->likely;
    flow->port_days = flow->upkeep_days_year = (double)NAN;  // nobody has counted
    if (m != NULL && w->transition->to->gpu->vendor == VENDOR_AMD) {
        // The whole load moves only when what blocks it is built too.
        flow->port_days = whole_port(m->effort) + m->effort->tests_and_ci.value;
        flow->upkeep_days_year = m->effort->maintenance_a_year.value;
        w->sigma[SAMPLE_EFFORT] = log_spread(&m->effort->first_port);
    }
    const double days = term_of(f, ask, TERM_PORT_DAYS).value;
    const double upkeep = term_of(f, ask, TERM_UPKEEP_DAYS).value;
    if (is_known(days)) flow->port_days = days, w->sigma[SAMPLE_EFFORT] = 0;
    if (is_known(upkeep)) flow->upkeep_days_year = upkeep;
    if (ask->stack != NULL && ask->stack->regulated)
        set_term(w, SAMPLE_REVALIDATION, &flow->revalidation_days, term_of(f, ask, TERM_REVALIDATION_DAYS));
    w->sigma[SAMPLE_PRICE] = log_spread(&(Estimate){.value = 1,
                                                    .low = term_of(f, ask, TERM_PRICE_LEVEL).low,
                                                    .high = term_of(f, ask, TERM_PRICE_LEVEL).high});
}

// A transition of `advice` (its ask, best options, move) as flows. `w` then holds `transition`.
static void weigh_transition(const Facts *f, const Advice *advice, const Transition *transition, Weighed *w) {
    const Ask *ask = advice->ask;
    Flow *flow = &w->likely;
    bool across = transition->id == TRANSITION_VENDOR;
    double mean = 0;
    double sigma = 0;
    *w = (Weighed){
        .transition = transition, .share = 1, .work = 1, .likely = {.from_stands = true, .to_stands = true}};
    cost_ratio(f, transition->to, transition->from, &mean, &sigma);
    w->sigma[across ? SAMPLE_RATIO : SAMPLE_SAME] = sigma;
    Estimate level = term_of(f, ask, TERM_PRICE_LEVEL);
    Estimate load = term_of(f, ask, TERM_LOAD);
    flow->bill = bill_usd_month(f, ask, transition->from).value * known_or(load.value, 1);
    flow->bill_after =
        flow->bill * exp(mean) *
        (across ? pow(known_or(level.value, 1), transition->to->gpu->vendor == VENDOR_AMD ? 1 : -1) : 1);
    w->sigma[SAMPLE_LOAD] = log_spread(&load);
    set_term(w, SAMPLE_CONTRACT, &flow->contract_days, term_of(f, ask, TERM_CONTRACT_DAYS));
    set_term(w, SAMPLE_DAY, &flow->day_usd, term_of(f, ask, TERM_ENGINEER_DAY));
    set_term(w, SAMPLE_PARALLEL, &flow->parallel_weeks,
             term_of(f, ask, across ? TERM_PARALLEL_VENDOR : TERM_PARALLEL_PROVIDER));
    flow->egress_usd =
        known_or(term_of(f, ask, TERM_DATA_GB).value * term_of(f, ask, TERM_EGRESS_USD_GB).value, 0);
    flow->unused_commitment_usd = known_or(
        term_of(f, ask, TERM_COMMITMENT_USD).value * term_of(f, ask, TERM_COMMITMENT_MONTHS).value, 0);
    flow->team = term_of(f, ask, TERM_TEAM_SIZE).value;
    flow->hire_weeks = known_or(term_of(f, ask, TERM_HIRE_WEEKS).value, 0);
    flow->horizon_months = term_of(f, ask, TERM_HORIZON).value;
    flow->rate_year = term_of(f, ask, TERM_DISCOUNT_RATE).value / 100;
    if (across) weigh_software(f, ask, advice, w);
}

// ---------------------------------------------------------------- ranges

typedef struct Columns {
    double *months, *npv, *once, *saving, *upkeep, *weeks, *days, *work, *parallel_running, *bill, *after,
        *scratch;
} Columns;

static Estimate spread(double value, double *x, const Transition *transition) {
    if (!is_known(value)) return unknown;
    double low = 0, high = 0;
    tenths_of(x, SAMPLES, &low, &high);
    bool guessed =
        transition->from->basis == BASIS_EXTRAPOLATED || transition->to->basis == BASIS_EXTRAPOLATED;
    return (Estimate){
        value, fmin(low, value), fmax(high, value), guessed ? BASIS_EXTRAPOLATED : BASIS_CALIBRATED,
        "data/decision.tsv; data/ports.tsv; draws of the options' speed, effort, load and prices"};
}

static Estimate exactly(double x) {
    return is_known(x) ? (Estimate){x, x, x, BASIS_PUBLISHED, "as given"} : unknown;
}

static double finite(double x) { return isfinite(x) ? x : (double)NAN; }

static void curve(const Weighed *w, const Columns *c, Transition *transition) {
    double horizon = w->likely.horizon_months;
    double step = fmax(1, ceil(horizon / (CURVE_MAX - 2)));
    double whole = annuity(horizon, w->likely.rate_year);
    for (double at = 0;; at += step) {
        double month = fmin(at, horizon);
        double later = whole - annuity(month, w->likely.rate_year);  // what is paid after that month
        for (size_t i = 0; i < SAMPLES; i++)
            c->scratch[i] = (c->saving[i] - c->upkeep[i]) * fmax(w->paid[i] - later, 0) - c->once[i];
        transition->curve_month[transition->n_curve] = month;
        transition->curve[transition->n_curve] = flow_value(&w->likely, month);
        tenths_of(c->scratch, SAMPLES, &transition->curve_low[transition->n_curve],
                  &transition->curve_high[transition->n_curve]);
        transition->n_curve++;
        if (month >= horizon) break;
    }
}

// What the verdict takes of the samples.
static void fill_chances(const Weighed *w, Transition *transition, double *npv) {
    for (size_t i = 0; i < SAMPLES; i++) npv[i] = flow_npv(&w->drawn[i], w->paid[i]);
    transition->npv.value = flow_outcome(&w->likely).npv;
    transition->pays = share_above(npv, SAMPLES, 0);
    transition->pays_without_unused_commitment = share_above(npv, SAMPLES, -w->likely.unused_commitment_usd);
}

static void fill_ranges(const Weighed *w, Arena *a, Transition *transition) {
    Columns c;
    double **all[] = {&c.months,           &c.npv,   &c.once,  &c.saving,
                      &c.upkeep,           &c.weeks, &c.days,  &c.work,
                      &c.parallel_running, &c.bill,  &c.after, &c.scratch};
    for (size_t i = 0; i < COUNT_OF(all); i++) *all[i] = arena_alloc(a, SAMPLES, sizeof(double));
    for (size_t i = 0; i < SAMPLES; i++) {
        const Flow *f = &w->drawn[i];
        Outcome o = outcome_paid(f, w->paid[i]);
        c.months[i] = o.months, c.npv[i] = o.npv, c.once[i] = o.once, c.saving[i] = o.saving,
        c.upkeep[i] = o.upkeep, c.weeks[i] = o.weeks;
        c.days[i] = o.days, c.work[i] = o.work, c.parallel_running[i] = o.parallel_running,
        c.bill[i] = f->bill, c.after[i] = f->bill_after;
    }
    curve(w, &c, transition);
    Outcome o = flow_outcome(&w->likely);
    transition->never = share_above(c.months, SAMPLES, 1e300);
    transition->bill = spread(w->likely.bill, c.bill, transition);
    transition->bill_after = spread(w->likely.bill_after, c.after, transition);
    transition->days = spread(o.days, c.days, transition);
    transition->work = spread(o.work, c.work, transition);
    transition->parallel_running = spread(o.parallel_running, c.parallel_running, transition);
    transition->once = spread(o.once, c.once, transition);
    transition->upkeep = spread(o.upkeep, c.upkeep, transition);
    transition->saving = spread(o.saving, c.saving, transition);
    transition->npv = spread(o.npv, c.npv, transition);
    transition->weeks = spread(o.weeks, c.weeks, transition);
    transition->break_even_months = spread(o.months, c.months, transition);
    transition->break_even_months.value = finite(o.months);
    transition->break_even_months.low = finite(transition->break_even_months.low);
    transition->break_even_months.high = finite(transition->break_even_months.high);
    if (!is_known(transition->break_even_months.value) && !is_known(transition->break_even_months.low))
        transition->break_even_months = unknown;
}

// The part of the load that could move alone, and pays only for what needs no blocker solved.
static double share_pays(const Facts *f, const Advice *advice, const Weighed *w, Arena *a,
                         Weighed *ret_part) {
    double share = term_of(f, advice->ask, TERM_MOVABLE_SHARE).value;
    if (!(share > 0 && share < 1) || advice->move == NULL || w->transition->to->gpu->vendor != VENDOR_AMD)
        return (double)NAN;
    const Effort *x = advice->move->effort;
    *ret_part = *w;
    ret_part->share = share;
    ret_part->work = x->first_port.value > 0 ? x->first_port.value / whole_port(x) : 0;
    draw_flows(a, ret_part);
    double *npv = arena_alloc(a, SAMPLES, sizeof *npv);
    for (size_t i = 0; i < SAMPLES; i++) npv[i] = flow_npv(&ret_part->drawn[i], ret_part->paid[i]);
    return share_above(npv, SAMPLES, 0);
}

// ---------------------------------------------------------------- words

static const char *month_or_never(Arena *a, double x) { return is_known(x) ? number_text(a, x, 2) : "never"; }

// Why the work is not known, and how much of it the move would bear.
static const char *unknown_work(const Transition *l, const Move *m, Arena *a) {
    const char *why =
        l->to->gpu->vendor != VENDOR_AMD ? "work is counted for moves from CUDA to ROCm, not the other way; "
                                           "port-days and upkeep-days-per-year in the stack file say it"
        : m == NULL ? "what moving the software takes was not asked; --source PATH or --stack FILE bring it"
                    : "the stack file states no upkeep";
    if (!is_known(l->port_days_at_most)) return arena_printf(a, "not known: %s", why);
    if (!(l->port_days_at_most > 0) && l->pays_without_work < 1 - SURE)
        return arena_printf(a,
                            "not known: %s. It does not matter: even if the software took no work the move "
                            "would pay with no more than %s",
                            why, probability_text(a, l->pays_without_work));
    if (!(l->port_days_at_most > 0))
        return arena_printf(a,
                            "not known: %s. By the likely figures the move would not pay even if the "
                            "software took no work, with all doubts it does with %s",
                            why, probability_text(a, l->pays_without_work));
    return arena_printf(a,
                        "not known: %s. By the other likely figures it pays while the software takes fewer "
                        "than %s, upkeep not counted",
                        why, counted_number(a, l->port_days_at_most, 2, "engineer-day"));
}

static const char *transition_text(const Advice *advice, const Weighed *w, const Transition *l, Arena *a) {
    const Move *m = advice->move;
    const Estimate *b = &l->break_even_months;
    const bool across = l->id == TRANSITION_VENDOR;
    if (!is_known(l->bill.value))
        return "not known: the costs of this kind of workload are those of one job; --jobs-per-month says "
               "how many there are";
    if (across && !is_known(w->likely.port_days + w->likely.upkeep_days_year)) return unknown_work(l, m, a);
    if (!is_known(l->once.value)) return "not known: the facts lack an assumption (data/decision.tsv)";
    const char *best = is_known(b->low) ? arena_printf(a, ", by the likely figures (at best %s)",
                                                       counted_number(a, b->low, 2, "month"))
                                        : "";
    const char *nothing = across && w->likely.port_days <= 0 && m != NULL && m->scanned
                              ? "no sign of CUDA in the code, so nothing to port; "
                              : "";
    if (l->saving.value <= 0)
        return arena_printf(a, "%snever%s: the new fleet costs no less than the old one", nothing, best);
    if (!is_known(b->value))
        return arena_printf(a, "%snever%s: upkeep of the port takes more than the new fleet saves", nothing,
                            best);
    return arena_printf(a,
                        "%s%s (%s to %s) after the start until savings less upkeep have paid what is paid "
                        "once; never, however long it runs, in %.0f %% of the draws",
                        nothing, counted_number(a, b->value, 2, "month"), month_or_never(a, b->low),
                        month_or_never(a, b->high), 100 * l->never);
}

// ---------------------------------------------------------------- both transitions

static Estimate product_of(const Facts *f, const Ask *ask, Term x, Term y) {
    return exactly(term_of(f, ask, x).value * term_of(f, ask, y).value);
}

// Engineer-days of moving the software up to which going across is worth more than the best move within the
// vendor, by the likely figures and without upkeep. NaN: something else is not known either.
static double days_at_most(const Weighing *w) {
    const Weighed *p = &w->transitions[TRANSITION_PROVIDER];
    double less = p->transition != NULL ? fmax(flow_outcome(&p->likely).npv, 0) : 0;
    Flow f = w->transitions[TRANSITION_VENDOR].likely;
    f.port_days = f.upkeep_days_year = 0;
    double at_none = flow_outcome(&f).npv - less;
    if (!is_known(at_none) || at_none <= 0) return is_known(at_none) ? 0 : (double)NAN;
    double low = 0;
    double high = at_none / f.day_usd;  // each day costs its price at least
    for (int i = 0; i < 60; i++) {
        f.port_days = (low + high) / 2;
        *(flow_outcome(&f).npv > less ? &low : &high) = f.port_days;
    }
    return high;
}

// What may have become of the prices of both ends. An end is today's fleet, or a vendor's best option.
static void set_prices(const Advice *advice, const PriceSamples *prices, Weighed *w) {
    int from = w->transition->from->gpu->vendor;
    int to = w->transition->to->gpu->vendor;
    if (w->transition->from != advice->current)
        w->from_price = prices->factor[from], w->from_stands = prices->stands[from];
    if (w->transition->to != advice->current)
        w->to_price = prices->factor[to], w->to_stands = prices->stands[to];
}

// How sure the samples may sound: a list that old cannot know what came since, and one host's listing is no
// supply.
static void bound_chances(const Facts *f, const Option *to, const Option *same, Weighing *ret) {
    PriceDoubt there = price_doubt(f, to);
    PriceDoubt here = same != NULL ? price_doubt(f, same) : (PriceDoubt){.sigma = 0};
    double years = fmax(there.years, here.years);
    ret->most = surest_of(f, years, there.one_host);
    ret->least = 1 - surest_of(f, years, here.one_host);
}

// Share of samples in which the move would be worth more than the best one within the vendor if the software
// took no work.
static double pays_without_work(const Advice *advice, const Weighed *transition, const Weighing *ret,
                                Arena *a) {
    Weighed none = *transition;
    const Weighed *p = &ret->transitions[TRANSITION_PROVIDER];
    bool within = advice->transitions[TRANSITION_PROVIDER] != NULL && p->drawn != NULL;
    none.likely.port_days = none.likely.upkeep_days_year = 0;
    none.sigma[SAMPLE_EFFORT] = 0;
    if (!is_known(flow_outcome(&none.likely).npv)) return (double)NAN;
    draw_factors(&ret->samples, a, &none);
    draw_flows(a, &none);
    size_t pays = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        pays += flow_npv(&none.drawn[i], none.paid[i]) >
                (within ? fmax(flow_npv(&p->drawn[i], p->paid[i]), 0) : 0);
    return said(ret, (double)pays / SAMPLES);
}

static Transition *add_transition(const Facts *f, Arena *a, const Advice *advice, TransitionId id,
                                  const Option *from, const Option *to, bool chances_only, Weighing *ret,
                                  double *npv) {
    Transition *l = arena_alloc(a, 1, sizeof *l);
    *l = (Transition){.id = id,
                      .from = from,
                      .to = to,
                      .bill = unknown,
                      .bill_after = unknown,
                      .billed_after = bill_usd_month(f, advice->ask, to),
                      .days = unknown,
                      .work = unknown,
                      .parallel_running = unknown,
                      .egress = unknown,
                      .unused_commitment = unknown,
                      .once = unknown,
                      .upkeep = unknown,
                      .saving = unknown,
                      .break_even_months = unknown,
                      .npv = unknown,
                      .weeks = unknown,
                      .port_days_at_most = (double)NAN,
                      .pays_without_work = (double)NAN,
                      .never = (double)NAN,
                      .pays = (double)NAN,
                      .pays_without_unused_commitment = (double)NAN,
                      .pays_share = (double)NAN,
                      .pays_best = (double)NAN};
    Weighed *w = &ret->transitions[id];
    weigh_transition(f, advice, l, w);
    set_prices(advice, &ret->prices, w);
    l->egress = product_of(f, advice->ask, TERM_DATA_GB, TERM_EGRESS_USD_GB);
    l->unused_commitment = product_of(f, advice->ask, TERM_COMMITMENT_USD, TERM_COMMITMENT_MONTHS);
    Outcome o = flow_outcome(&w->likely);
    if (is_known(o.npv)) {
        draw_factors(&ret->samples, a, w);
        draw_flows(a, w);
        fill_chances(w, l, npv);
        if (!chances_only) fill_ranges(w, a, l);
        if (id == TRANSITION_VENDOR) {
            l->pays_share = said(ret, share_pays(f, advice, w, a, &ret->part));
            l->pays_without_unused_commitment = said(ret, l->pays_without_unused_commitment);
        }
        l->pays = id == TRANSITION_VENDOR ? said(ret, l->pays) : 1 - said(ret, 1 - l->pays);
    } else {
        l->bill = exactly(w->likely.bill);
        l->bill_after = exactly(w->likely.bill_after);
        l->saving = exactly(o.saving);
        if (id == TRANSITION_VENDOR) {
            l->port_days_at_most = days_at_most(ret);
            l->pays_without_work = pays_without_work(advice, w, ret, a);
        }
    }
    l->text = chances_only ? "" : transition_text(advice, w, l, a);
    return l;
}

// Those of the search that this one differs from in load or length alone, or new ones.
static void make_draws(Advice *advice, Arena *a, Weighing *ret) {
    SearchMemo *memo = advice->memo;
    if (memo->samples == NULL) {
        Samples *made = arena_alloc(a, 1, sizeof *made);
        samples_make(advice->ask->seed, a, made);
        memo->samples = made;
    }
    ret->samples = *memo->samples;
}

bool weigh(const Facts *f, Arena *a, Advice *advice, bool chances_only, Weighing *ret) {
    *ret = (Weighing){0};
    make_draws(advice, a, ret);
    draw_prices(f, &ret->samples, advice, a, &ret->prices);
    const Option *now = advice->current;
    int vendor = now != NULL ? now->gpu->vendor : VENDOR_NVIDIA;
    // for rent
    const Option *same = advice->best[vendor] == now ? advice->next[vendor] : advice->best[vendor];
    const Option *other = advice->best[vendor == VENDOR_AMD ? VENDOR_NVIDIA : VENDOR_AMD];
    double *across = arena_alloc(a, SAMPLES, sizeof *across);
    double *within = arena_alloc(a, SAMPLES, sizeof *within);
    const Option *from = now != NULL ? now : same;
    ret->most = 1;
    // then what is for rent is no reason to stay
    bool stays = now != NULL && same != NULL && same->cost >= now->cost;
    if (other != NULL) bound_chances(f, other, stays ? NULL : same, ret);
    if (now != NULL && same != NULL)
        advice->transitions[TRANSITION_PROVIDER] =
            add_transition(f, a, advice, TRANSITION_PROVIDER, now, same, chances_only, ret, within);
    Transition *l = NULL;
    if ((now != NULL || advice->move != NULL) && from != NULL && other != NULL)
        l = add_transition(f, a, advice, TRANSITION_VENDOR, from, other, chances_only, ret, across);
    advice->transitions[TRANSITION_VENDOR] = l;
    if (l == NULL || !is_known(l->npv.value)) return false;
    const Transition *p = advice->transitions[TRANSITION_PROVIDER];
    for (size_t i = 0; i < SAMPLES; i++)
        within[i] = p != NULL && is_known(p->npv.value) ? fmax(within[i], 0) : 0;
    for (size_t i = 0; i < SAMPLES; i++) across[i] -= within[i];
    l->pays_best = said(ret, share_above(across, SAMPLES, 0));
    ret->gain = across;
    ret->within = within;
    return true;
}
