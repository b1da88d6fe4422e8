// One assumption or price otherwise: what the move is worth then, and where that turns it or the verdict.
#include <math.h>

#include "src/advise/samples.h"

static const double FAR = 100;  // how many times less or more is looked at

// Which transitions a part bears on, whether on the time until production or on how later money counts, and the
// sample that it takes the place of (DRAW_COUNT: none, it is set after the sample).
static const struct {
    bool across, within, timed;
    SampleColumn draw;
} parts[PART_COUNT] = {
    [PART_FROM] = {true, true, false, SAMPLE_COUNT},
    [PART_TO] = {true, false, false, SAMPLE_COUNT},
    [PART_SAME] = {false, true, false, SAMPLE_COUNT},
    [PART_SPEED] = {true, false, false, SAMPLE_RATIO},
    [PART_PORT] = {true, false, true, SAMPLE_COUNT},
    [PART_UPKEEP] = {true, false, false, SAMPLE_COUNT},
    [PART_DAY] = {true, true, false, SAMPLE_COUNT},
    [PART_LOAD] = {true, true, false, SAMPLE_LOAD},
    [PART_LEVEL] = {true, false, false, SAMPLE_PRICE},
    [PART_CONTRACT] = {true, true, true, SAMPLE_COUNT},
    [PART_REVALIDATION] = {true, false, true, SAMPLE_COUNT},
    [PART_PARALLEL] = {true, false, false, SAMPLE_COUNT},
    [PART_PARALLEL_SAME] = {false, true, false, SAMPLE_COUNT},
    [PART_TEAM] = {true, true, true, SAMPLE_COUNT},
    [PART_HIRE] = {true, true, true, SAMPLE_COUNT},
    [PART_HORIZON] = {true, true, true, SAMPLE_COUNT},
    [PART_RATE] = {true, true, true, SAMPLE_COUNT},
    [PART_EGRESS] = {true, true, false, SAMPLE_COUNT},
    [PART_UNUSED_COMMITMENT] = {true, true, false, SAMPLE_COUNT},
    [PART_SPOT] = {true, true, false, SAMPLE_COUNT},
};

typedef struct Setting {
    Part part;
    double was, x;
} Setting;

static bool bears(const Weighed *w, Part part) {
    return w->transition != NULL &&
           (w->transition->id == TRANSITION_VENDOR ? parts[part].across : parts[part].within);
}

static void scale_spot(const Option *o, const Setting *s, double *bill) {
    if (o->offer->pricing_model == PRICING_SPOT) *bill *= (1 - s->was / 100) / (1 - s->x / 100);
}

// Sets the part in a flow of `w`, whose sample of it (if it has one) was left out.
static void set_part(const Weighed *w, const Setting *s, Flow *f) {
    double times = s->x / s->was;
    if (!bears(w, s->part)) return;
    switch (s->part) {
    // Another price of an offer that is gone changes nothing.
    case PART_FROM: f->bill *= f->from_stands ? times : 1; break;
    case PART_TO:
    case PART_SAME: f->bill_after *= f->to_stands ? times : 1; break;
    case PART_SPEED: f->bill_after /= times; break;
    case PART_LEVEL: f->bill_after *= w->transition->to->gpu->vendor == VENDOR_AMD ? times : 1 / times; break;
    case PART_LOAD: f->bill *= times, f->bill_after *= times; break;
    case PART_PORT: f->port_days = s->x * w->work; break;
    case PART_UPKEEP: f->upkeep_days_year = s->x * w->work; break;
    case PART_DAY: f->day_usd = s->x; break;
    case PART_CONTRACT: f->contract_days = s->x; break;
    case PART_REVALIDATION: f->revalidation_days = s->x; break;
    case PART_PARALLEL:
    case PART_PARALLEL_SAME: f->parallel_weeks = s->x; break;
    case PART_TEAM: f->team = s->x; break;
    case PART_HIRE: f->hire_weeks = s->x; break;
    case PART_HORIZON: f->horizon_months = s->x; break;
    case PART_RATE: f->rate_year = s->x / 100; break;
    case PART_EGRESS: f->egress_usd = s->x; break;
    case PART_UNUSED_COMMITMENT: f->unused_commitment_usd = s->x; break;
    case PART_SPOT:
        scale_spot(w->transition->from, s, &f->bill), scale_spot(w->transition->to, s, &f->bill_after);
        break;
    case PART_COUNT: break;
    }
}

// ---------------------------------------------------------------- by the likely figures

static double likely_npv(const Weighed *w, const Setting *s) {
    Flow f = w->likely;
    set_part(w, s, &f);
    DiscountFactors paid = paid_over(f.horizon_months, f.rate_year);
    return flow_npv(&f, flow_paid(&f, &paid));
}

double worth_if(const Weighing *w, Part part, double was, double value) {
    Setting s = {part, was, value};
    const Weighed *p = &w->transitions[TRANSITION_PROVIDER];
    return likely_npv(&w->transitions[TRANSITION_VENDOR], &s) -
           (p->transition != NULL ? fmax(likely_npv(p, &s), 0) : 0);
}

// The nearer to `was` of two values, either of which may be NaN.
static double nearer(double was, double x, double y) {
    return !is_known(x) || fabs(log(y / was)) < fabs(log(x / was)) ? y : x;
}

double nothing_at(const Weighing *w, Part part, double was) {
    bool above = worth_if(w, part, was, was) > 0;
    double best = (double)NAN;
    for (int up = 0; up < 2; up++) {
        double inside = was;
        double outside = was;
        double end = up ? was * FAR : was / FAR;
        while (outside != end && (worth_if(w, part, was, outside) > 0) == above) {
            inside = outside;
            outside = up ? fmin(outside * 1.25, end) : fmax(outside / 1.25, end);
        }
        if ((worth_if(w, part, was, outside) > 0) == above) continue;
        for (int i = 0; i < 50; i++) {
            double middle = sqrt(inside * outside);
            *((worth_if(w, part, was, middle) > 0) == above ? &inside : &outside) = middle;
        }
        best = nearer(was, best, outside);
    }
    return best;
}

// ---------------------------------------------------------------- by the samples

// NPV in one sample; `all` is what a dollar a month is worth with the part set.
static double drawn_npv(const Weighed *w, const Setting *s, const DiscountFactors *all, size_t i) {
    Flow f = w->drawn[i];
    SampleColumn draw = parts[s->part].draw;
    if (draw != SAMPLE_COUNT && w->factor[draw] != NULL) {
        if (draw == SAMPLE_LOAD) f.bill /= w->factor[draw][i];
        f.bill_after /= w->factor[draw][i];
    }
    set_part(w, s, &f);
    return flow_npv(&f, parts[s->part].timed ? flow_paid(&f, all) : w->paid[i]);
}

// Of every `stride`-th sample.
static Chances chances_if(const Weighing *w, const Setting *s, size_t stride) {
    const Weighed *across = &w->transitions[TRANSITION_VENDOR];
    const Weighed *within = &w->transitions[TRANSITION_PROVIDER];
    Flow likely = across->likely;
    set_part(across, s, &likely);
    DiscountFactors all = paid_over(likely.horizon_months, likely.rate_year);
    size_t n = 0, pays = 0, without = 0, share = 0;
    for (size_t i = 0; i < SAMPLES; i += stride, n++) {
        double npv = bears(across, s->part) ? drawn_npv(across, s, &all, i)
                                            : flow_npv(&across->drawn[i], across->paid[i]);
        double less = bears(within, s->part) ? fmax(drawn_npv(within, s, &all, i), 0) : w->within[i];
        pays += npv - less > 0;
        without += npv + likely.unused_commitment_usd > 0;
        if (w->part.transition != NULL) share += drawn_npv(&w->part, s, &all, i) > 0;
    }
    double samples = (double)n;
    return (Chances){said(w, (double)pays / samples),
                     likely.unused_commitment_usd > 0 ? said(w, (double)without / samples) : (double)NAN,
                     w->part.transition != NULL ? said(w, (double)share / samples) : (double)NAN};
}

typedef struct Search {
    const Advice *advice;
    const Weighing *weighing;
    Part part;
    double was;
} Search;

static double margin_at(const Search *q, double x, size_t stride) {
    const Transition *l = q->advice->transitions[TRANSITION_VENDOR];
    const StackView *stack = q->advice->stack;
    Chances c = chances_if(q->weighing, &(Setting){q->part, q->was, x}, stride);
    Winner from = l->from->gpu->vendor == VENDOR_AMD ? WINNER_AMD : WINNER_NVIDIA;
    Winner to = from == WINNER_AMD ? WINNER_NVIDIA : WINNER_AMD;
    return winner_margin(q->advice->verdict.winner, &c, from, to,
                         stack != NULL && stack->stuck > 0 && to == WINNER_AMD);
}

// Between a value with the verdict of now and one with another, both as ln: regula falsi (Illinois).
static double root_between(const Search *q, double inside, double outside, double m_inside, double m_outside,
                           double close, size_t stride) {
    int side = 0;
    for (int i = 0; i < 40 && fabs(outside - inside) > close; i++) {
        double x = inside + (outside - inside) * fmin(fmax(m_inside / (m_inside - m_outside), 0.02), 0.98);
        double m = margin_at(q, exp(x), stride);
        if (m >= 0) {
            inside = x, m_inside = m;
            if (side > 0) m_outside /= 2;
            side = 1;
        } else {
            outside = x, m_outside = m;
            if (side < 0) m_inside /= 2;
            side = -1;
        }
    }
    return outside;
}

// From where a part of the samples puts it, as ln, to where all of them do. `now`: the margin at what was.
static double root_near(const Search *q, double x, double limit, double now) {
    double was = log(q->was);
    double m = margin_at(q, exp(x), 1);
    double sign = (limit > was) == (m >= 0) ? 1 : -1;
    for (double step = 0.01;; step *= 3) {
        double y = x + sign * step;
        y = limit > was ? fmin(fmax(y, was), limit) : fmax(fmin(y, was), limit);
        double n = y == was ? now : margin_at(q, exp(y), 1);
        if ((n >= 0) != (m >= 0))
            return exp(m >= 0 ? root_between(q, x, y, m, n, 1e-4, 1) : root_between(q, y, x, n, m, 1e-4, 1));
        if (y == limit) return (double)NAN;  // but for the part of the samples it would have seemed so
        x = y, m = n;
    }
}

// In one direction, both as ln. A part of the samples finds the place, all of them say where it is.
static double changes_towards(const Search *q, double now, double step, double limit) {
    enum { STRIDE = 16 };
    double inside = log(q->was);
    double m_inside = margin_at(q, q->was, STRIDE);
    while (m_inside >= 0 && inside != limit) {
        double outside = step > 0 ? fmin(inside + step, limit) : fmax(inside + step, limit);
        double m = margin_at(q, exp(outside), STRIDE);
        if (m < 0)
            return root_near(q, root_between(q, inside, outside, m_inside, m, 0.01, STRIDE), limit, now);
        inside = outside, m_inside = m;
    }
    return m_inside < 0 ? root_near(q, log(q->was), limit, now) : (double)NAN;
}

double changes_at(const Advice *advice, const Weighing *w, Part part, double was) {
    Search q = {advice, w, part, was};
    double now = margin_at(&q, was, 1);
    if (now < 0) return was;
    if (isinf(now)) return (double)NAN;
    double down = changes_towards(&q, now, -log(2), log(was / FAR));
    double far = is_known(down) ? was / down : FAR;  // farther up would not be nearer
    return nearer(was, down, changes_towards(&q, now, log(2), log(was * far)));
}
