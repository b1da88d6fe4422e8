// A flow of money in one world: what a move costs once and each month, and what that is worth today.
#include <math.h>

#include "src/advise/samples.h"

static const double WORKDAYS_A_WEEK = 5;

static double annuity_until(const DiscountFactors *p, double months) {
    return p->monthly > 0 ? -expm1(-months * p->log_rate) / p->monthly : months;
}

// Present value of a dollar a month from `live` on until the end.
static double paid_from(const DiscountFactors *p, double live) {
    return p->months > live ? p->all - annuity_until(p, live) : 0;
}

static double flow_live(const Flow *f, double days) {
    return (f->hire_weeks + days / (WORKDAYS_A_WEEK * f->team)) / WEEKS_A_MONTH;
}

double flow_value(const Flow *f, double months) {
    DiscountFactors p = paid_over(months, f->rate_year);
    return flow_npv(f, flow_paid(f, &p));
}

double flow_pays_after(const Flow *f) {
    Outcome o = flow_outcome(f);
    DiscountFactors p = paid_over(o.live, f->rate_year);
    if (o.saving <= o.upkeep) return (double)INFINITY;
    double wanted = p.all + o.once / (o.saving - o.upkeep);
    return p.monthly <= 0           ? wanted
           : wanted * p.monthly < 1 ? -log1p(-wanted * p.monthly) / p.log_rate
                                    : (double)INFINITY;
}

static double days_of(const Flow *f) { return f->port_days + f->contract_days + f->revalidation_days; }
static double parallel_of(const Flow *f) { return f->bill_after * f->parallel_weeks / WEEKS_A_MONTH; }
static double once_of(const Flow *f, double days) {
    return days * f->day_usd + parallel_of(f) + f->egress_usd + f->unused_commitment_usd;
}
static double upkeep_of(const Flow *f) { return f->upkeep_days_year * f->day_usd / MONTHS_A_YEAR; }

double flow_paid(const Flow *f, const DiscountFactors *all) {
    return paid_from(all, flow_live(f, days_of(f)));
}

double flow_npv(const Flow *f, double paid) {
    return (f->bill - f->bill_after - upkeep_of(f)) * paid - once_of(f, days_of(f));
}

Outcome outcome_paid(const Flow *f, double paid) {
    Outcome o = {.days = days_of(f),
                 .parallel_running = parallel_of(f),
                 .upkeep = upkeep_of(f),
                 .saving = f->bill - f->bill_after,
                 .npv = flow_npv(f, paid)};
    o.work = o.days * f->day_usd;
    o.once = once_of(f, o.days);
    o.months = o.saving > o.upkeep ? o.once / (o.saving - o.upkeep) : (double)INFINITY;
    o.live = flow_live(f, o.days);
    o.weeks = o.live * WEEKS_A_MONTH;
    return o;
}

Outcome flow_outcome(const Flow *f) {
    DiscountFactors p = paid_over(f->horizon_months, f->rate_year);
    return outcome_paid(f, flow_paid(f, &p));
}
