// Calibration of the effort model: which ports serve, the fit, and what it says of each port.
#include <math.h>
#include <string.h>

#include "src/migrate/effort_sum.h"

enum { PORTS_MAX = 200, FIT_MIN = 4, FACTORS = 3, ROUNDS = 40 };

const char *const port_set_names[] = {"shown", "calibration", "held-out", NULL};

// ---------------------------------------------------------------- split

static const PortedTree *tree_of(const PortingFacts *facts, const Port *p) {
    return row_named(p->port, facts->trees, facts->n_trees, sizeof *facts->trees);
}

// First finding of the tree in facts->port_findings, which stand by tree; n: how many follow it. 0: none.
static size_t findings_of(const PortingFacts *facts, const char *tree, const PortFinding **ret_first) {
    size_t n = 0;
    for (size_t i = 0; i < facts->n_port_findings; i++) {
        if (strcmp(facts->port_findings[i].tree, tree) != 0) continue;
        if (n++ == 0) *ret_first = &facts->port_findings[i];
    }
    return n;
}

static bool usable(const PortingFacts *facts, const Port *p) {
    const PortedTree *t = tree_of(facts, p);
    const PortFinding *first = NULL;
    return t != NULL && findings_of(facts, t->tree, &first) > 0 && is_known(p->author_days) &&
           strcmp(p->squashed, "no") == 0;
}

void ports_split(const PortingFacts *facts, PortSet *ret_sets) {
    for (size_t i = 0; i < facts->n_ports; i++) {
        const Port *p = &facts->ports[i];
        ret_sets[i] = !usable(facts, p)                  ? SET_SHOWN
                      : tree_of(facts, p)->held_out != 0 ? SET_HELD_OUT
                                                         : SET_CALIBRATION;
    }
}

// ---------------------------------------------------------------- fit

// What the scan counted in the port's tree, as effort_estimate sums it up: without blockers, which ports that
// met them left out.
static MinuteSum port_minutes(const PortingFacts *facts, const Port *p) {
    const PortedTree *t = tree_of(facts, p);
    const PortFinding *rows = NULL;
    size_t n = t == NULL ? 0 : findings_of(facts, t->tree, &rows);
    MinuteSum sum = {0};
    for (size_t i = 0; i < n; i++) {
        const PortRule *r = rule_find(facts, rows[i].rule);
        if (r == NULL || r->port_class == PORT_BLOCKER) continue;
        double weight = repeated(facts, r, rows[i].count);
        minutes_add(&sum, r->minutes_low * weight, r->minutes_high * weight);
    }
    return sum;
}

// Days over the port's scope for one day of first port.
static double scope_factor(const Port *p, double tests, double kept) {
    switch (p->scope) {
    case SCOPE_PRODUCT: return 1 + tests + kept * p->years;
    case SCOPE_UPKEEP: return kept * p->years;
    case SCOPE_FIRST_PORT:
    case SCOPE_COUNT: break;
    }
    return 1;
}

typedef struct FitRow {
    const Port *port;
    double log_ratio;  // ln(observed / summed days)
} FitRow;

// Sum of squares at ln(tests), ln(kept), with the best first factor.
static double misfit(const FitRow *rows, size_t n, double log_tests, double log_kept, double *ret_log_first) {
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        double r = rows[i].log_ratio - log(scope_factor(rows[i].port, exp(log_tests), exp(log_kept)));
        sum += r;
        squares += r * r;
    }
    *ret_log_first = sum / (double)n;
    return squares - sum * sum / (double)n;
}

// Pattern search on the two ratios, each kept within 1/100 to 100.
static EffortFit search(const FitRow *rows, size_t n) {
    double at[2] = {0, 0};
    double first = 0;
    double best = misfit(rows, n, at[0], at[1], &first);
    double step = 1;
    for (int round = 0; round < ROUNDS; step *= 0.7, round++) {
        for (bool moved = true; moved;) {
            moved = false;
            for (int d = 0; d < 4; d++) {
                double next[2] = {at[0], at[1]};
                next[d / 2] = fmin(fmax(next[d / 2] + (d % 2 == 0 ? step : -step), log(0.01)), log(100));
                double f = 0;
                double m = misfit(rows, n, next[0], next[1], &f);
                if (m >= best - 1e-12) continue;
                best = m;
                first = f;
                at[0] = next[0];
                at[1] = next[1];
                moved = true;
            }
        }
    }
    return (EffortFit){.first_port = exp(first),
                       .tests_and_ci = exp(at[0]),
                       .maintenance_a_year = exp(at[1]),
                       .spread_log = sqrt(best / (double)(n - FACTORS)),
                       .n = n,
                       .unseen_model = (double)NAN,
                       .unseen_constant = (double)NAN};
}

static double predicted_days(const PortingFacts *facts, const EffortFit *fit, const Port *p,
                             MinuteSum *ret_sum) {
    *ret_sum = port_minutes(facts, p);
    return ret_sum->mean / factor_value(facts, "minutes_a_day") * fit->first_port *
           scope_factor(p, fit->tests_and_ci, fit->maintenance_a_year);
}

// How far the model and a constant of each scope, both from the calibration ports, are from the others.
static void judge_unseen(const PortingFacts *facts, const PortSet *sets, EffortFit *fit) {
    double sum[SCOPE_COUNT] = {0};
    double n[SCOPE_COUNT] = {0};
    double model = 0;
    double constant = 0;
    for (size_t i = 0; i < facts->n_ports; i++) {
        const Port *p = &facts->ports[i];
        if (sets[i] != SET_CALIBRATION) continue;
        sum[p->scope] += log(p->author_days);
        n[p->scope]++;
    }
    for (size_t i = 0; i < facts->n_ports; i++) {
        const Port *p = &facts->ports[i];
        MinuteSum ignored;
        if (sets[i] != SET_HELD_OUT || n[p->scope] <= 0) continue;
        double off = log(p->author_days / predicted_days(facts, fit, p, &ignored));
        double base = log(p->author_days) - sum[p->scope] / n[p->scope];
        model += off * off;
        constant += base * base;
        fit->n_unseen++;
    }
    if (fit->n_unseen == 0) return;
    fit->unseen_model = sqrt(model / (double)fit->n_unseen);
    fit->unseen_constant = sqrt(constant / (double)fit->n_unseen);
}

bool effort_fit(const PortingFacts *facts, EffortFit *ret_fit, Err *e) {
    PortSet sets[PORTS_MAX];
    FitRow rows[PORTS_MAX];
    size_t n = 0;
    size_t of_scope[SCOPE_COUNT] = {0};
    double day = factor_value(facts, "minutes_a_day");
    if (!is_known(day) || !is_known(factor_value(facts, "learning_rate")))
        return err_set(e, ERR_FAILED, "fit effort: a factor is missing in effort_factors.tsv");
    if (facts->n_ports > PORTS_MAX)
        return err_set(e, ERR_FAILED, "fit effort: more than %d ports", PORTS_MAX);
    ports_split(facts, sets);
    for (size_t i = 0; i < facts->n_ports; i++) {
        const Port *p = &facts->ports[i];
        if (sets[i] != SET_CALIBRATION) continue;
        rows[n++] = (FitRow){p, log(p->author_days * day / port_minutes(facts, p).mean)};
        of_scope[p->scope]++;
    }
    if (n < FIT_MIN)
        return err_set(e, ERR_FAILED, "fit effort: %zu ports to calibrate on, at least %d needed", n,
                       FIT_MIN);
    for (int s = 0; s < SCOPE_COUNT; s++) {
        if (of_scope[s] == 0)
            return err_set(e, ERR_FAILED, "fit effort: no port of scope '%s' to calibrate on",
                           port_scope_names[s]);
    }
    *ret_fit = search(rows, n);
    judge_unseen(facts, sets, ret_fit);
    return true;
}

double effort_skill(const EffortFit *fit) {
    double ratio = fit->unseen_model / fit->unseen_constant;
    return 1 - ratio * ratio;
}

double effort_spread(const EffortFit *fit) {
    double skill = effort_skill(fit);
    return is_known(skill) && skill <= 0 ? fmax(fit->spread_log, fit->unseen_model) : fit->spread_log;
}

// ---------------------------------------------------------------- base rates

BaseRate effort_base_rate(const PortingFacts *facts, PortScope scope, double cuda_lines) {
    BaseRate ret = {.middle = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    double sum = 0;
    double distance = (double)INFINITY;
    for (size_t i = 0; i < facts->n_ports; i++) {
        const Port *p = &facts->ports[i];
        if (p->scope != scope || !is_known(p->author_days) || strcmp(p->squashed, "no") != 0) continue;
        ret.low = ret.n == 0 ? p->author_days : fmin(ret.low, p->author_days);
        ret.high = ret.n == 0 ? p->author_days : fmax(ret.high, p->author_days);
        ret.n++;
        sum += log(p->author_days);
        double d = cuda_lines > 0 && p->cuda_loc > 0 ? fabs(log(p->cuda_loc / cuda_lines)) : (double)INFINITY;
        if (d < distance) {
            distance = d;
            ret.nearest = p;
        }
    }
    if (ret.n > 0) ret.middle = exp(sum / (double)ret.n);
    return ret;
}

// ---------------------------------------------------------------- one port

Estimate port_predict(const PortingFacts *facts, const EffortFit *fit, const Port *p) {
    MinuteSum sum;
    double days = predicted_days(facts, fit, p, &sum);
    if (!(days > 0)) return (Estimate){(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    return days_estimate(days, fmax(minutes_spread(&sum), effort_spread(fit)));
}
