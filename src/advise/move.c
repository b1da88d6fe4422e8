// Moving a code base from NVIDIA to AMD: what it costs once and each month, what it saves, and when that is even.
#include <math.h>

#include "src/advise/advise.h"

static const double HOURS_A_MONTH = 730;  // 365 x 24 / 12
static const double MONTHS_A_YEAR = 12;

static const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};

static Estimate sum_of(const Estimate *a, const Estimate *b) {
    return (Estimate){a->value + b->value, a->low + b->low, a->high + b->high, a->basis, a->sources};
}

// The bill of the best NVIDIA option, times what the ratio of the costs leaves of it: the same tokens, whatever each option does an hour.
static Estimate saving(const Advice *advice) {
    const Option *nvidia = advice->best[VENDOR_NVIDIA];
    const Estimate *ratio = &advice->verdict.cost_ratio;
    if (advice->ask->workload.kind != KIND_SERVE || nvidia == NULL || advice->best[VENDOR_AMD] == NULL || !is_known(ratio->value)) return unknown;
    double bill = nvidia->price_usd_h * HOURS_A_MONTH;
    return (Estimate){bill * (1 - ratio->value), bill * (1 - ratio->high), bill * (1 - ratio->low), ratio->basis, "best options of both vendors; ratio of their costs"};
}

static double months(double once, double a_month) { return a_month > 0 ? once / a_month : (double)NAN; }

// Ends are put together from the ends of both ranges: wider than 80 %.
static Estimate break_even(const Move *m) {
    const Estimate *s = &m->saving_usd_month;
    const Estimate *u = &m->upkeep_usd_month;
    if (!is_known(s->value) || !is_known(m->once_usd.value)) return unknown;
    return (Estimate){months(m->once_usd.value, s->value - u->value), months(m->once_usd.low, s->high - u->low), months(m->once_usd.high, s->low - u->high), s->basis, "data/ports.tsv; best options of both vendors"};
}

static const char *month_text(Arena *a, double x) {
    char text[40];
    format_number(text, sizeof text, x, 2);
    return is_known(x) ? arena_printf(a, "%s", text) : "never";
}

static const char *why(const Advice *advice, const Move *m, Arena *a) {
    const Estimate *b = &m->break_even_months;
    if (m->effort->first_port.value <= 0) return "no sign of CUDA in the code: nothing to port, so nothing to pay back";
    if (advice->best[VENDOR_NVIDIA] == NULL || advice->best[VENDOR_AMD] == NULL) return "not known: only with an option of both vendors is there a saving to hold against the port";
    if (advice->ask->workload.kind != KIND_SERVE) return "not known: the costs of this kind of workload are those of one job, and how many there are a month was not asked";
    const char *best = is_known(b->low) ? arena_printf(a, ", by the likely figures (at best %s months)", month_text(a, b->low)) : "";
    if (m->saving_usd_month.value <= 0) return arena_printf(a, "never%s: the best AMD option costs no less than the best NVIDIA option", best);
    if (!is_known(m->once_usd.value)) return "not known without --engineer-day-usd";
    if (!is_known(b->value)) return arena_printf(a, "never%s: upkeep of the port takes more than the best AMD option saves", best);
    return arena_printf(a, "%s months (%s to %s) until savings less upkeep have paid the port, its tests and CI; both options running all month", month_text(a, b->value), month_text(a, b->low), month_text(a, b->high));
}

void move_judge(const Advice *advice, Arena *a, Move *m) {
    const Effort *x = m->effort;
    const Estimate *year = &x->kept_a_year_usd;
    m->once_usd = sum_of(&x->first_port_usd, &x->tests_and_ci_usd);
    m->upkeep_usd_month = (Estimate){year->value / MONTHS_A_YEAR, year->low / MONTHS_A_YEAR, year->high / MONTHS_A_YEAR, year->basis, year->sources};
    m->saving_usd_month = saving(advice);
    m->break_even_months = x->first_port.value > 0 ? break_even(m) : unknown;
    m->text = why(advice, m, a);
}
