// Money: what a million tokens and a month cost, what later dollars are worth, and sums as text.
#include "src/advise/money.h"

#include <math.h>

#include "src/advise/samples.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"

static const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};

double usd_per_mtok(double usd_per_hour, double tokens_per_s) {
    return usd_per_hour > 0 && tokens_per_s > 0 ? usd_per_hour / 3600 / tokens_per_s * 1e6 : (double)NAN;
}

DiscountFactors paid_over(double months, double rate_year) {
    DiscountFactors p = {.log_rate = log1p(rate_year) / MONTHS_A_YEAR, .months = months};
    p.monthly = expm1(p.log_rate);
    p.all = p.monthly > 0 ? -expm1(-months * p.log_rate) / p.monthly : months;
    return p;
}

double annuity(double months, double rate_year) { return paid_over(months, rate_year).all; }

Estimate bill_usd_month(const Facts *f, const Ask *ask, const Option *o) {
    bool spot = o->offer->pricing_model == PRICING_SPOT;
    Estimate loss = spot ? term_of(f, ask, TERM_SPOT_LOSS) : (Estimate){0, 0, 0, BASIS_PUBLISHED, ""};
    double month = kind_of(&ask->workload)->by_job ? o->cost * term_of(f, ask, TERM_JOBS_MONTH).value
                                                   : o->price_usd_h * HOURS_A_MONTH;
    if (!is_known(month)) return unknown;
    Estimate bill = {month / (1 - loss.value / 100), month / (1 - loss.low / 100),
                     month / (1 - loss.high / 100), BASIS_PUBLISHED, o->offer->source};
    widen_by_price(o, &bill);
    return bill;
}

const char *usd_text(Arena *a, double x) {
    char text[64];
    double size = fabs(x);
    if (size >= 1000) {
        format_number(text, sizeof text, round(size), 15);
    } else {
        // three digits at least
        int decimals = size >= 1 ? 2 : size >= 0.1 ? 3 : size >= 1e-12 ? 2 - (int)floor(log10(size)) : 4;
        format_fixed(text, sizeof text, size, decimals);
    }
    return arena_printf(a, "%s$%s", x < 0 ? "-" : "", text);
}

// To three digits: for sums that are no surer than that.
const char *about_usd(Arena *a, double x) {
    char text[64];
    double step = fabs(x) >= 1 ? pow(10, floor(log10(fabs(x))) - 2) : 0.01;
    double rounded = round(x / step) * step;
    format_number(text, sizeof text, fabs(rounded), 3);
    return arena_printf(a, "%s$%s", x < 0 ? "-" : "", text);
}
