// Calibration of the effort model: which ports serve, the fit, and what it says of each port.
#include <math.h>
#include <string.h>

#include "src/migrate/effort_sum.h"

enum { PORTS_MAX = 200, FIT_MIN = 4, FACTORS = 3, ROUNDS = 40 };

const char *const port_set_names[] = {"shown", "calibration", "held-out", NULL};

// ---------------------------------------------------------------- split

static bool usable(const Port *p) {
    return is_known(p->weights_low_days) && is_known(p->weights_high_days) && is_known(p->author_days) &&
           is_known(p->cuda_loc) && strcmp(p->squashed, "no") == 0;
}

void ports_split(const Port *ports, size_t n, PortSet *ret_sets) {
    for (size_t i = 0; i < n; i++) {
        ret_sets[i] = SET_SHOWN;
        if (!usable(&ports[i])) continue;
        // How many usable programs are smaller: rows of one program have one size and so one place.
        size_t rank = 0;
        for (size_t k = 0; k < n; k++) {
            bool counted = usable(&ports[k]) && ports[k].scope != SCOPE_UPKEEP;
            if (counted && ports[k].cuda_loc < ports[i].cuda_loc) rank++;
        }
        ret_sets[i] = rank % 2 == 0 ? SET_CALIBRATION : SET_HELD_OUT;
    }
}

// ---------------------------------------------------------------- fit

// The documented counts under the rules that they fall to, repetition counted as everywhere; what the
// documented sum holds beyond them is added as it is.
static MinuteSum port_minutes(const PortingFacts *facts, const Port *p) {
    const struct {
        const char *rule;
        double count;
    } counts[] = {
        {"base-setup", 1},
        {"base-kloc", p->cuda_loc / 1000},
        {"ptx-asm", p->asm_blocks},
        {"lane-arith-32", p->lane_uses},
        {"wmma-api", p->wmma_uses},
        {"libcupp-std", p->library_uses},
        {"kernel-launch", p->launches},
    };
    double day = factor_value(facts, "minutes_a_day");
    MinuteSum plain = {0};  // each occurrence as dear as the first
    MinuteSum sum = {0};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        const PortRule *r = rule_find(facts, counts[i].rule);
        if (r == NULL || !is_known(counts[i].count)) continue;
        double weight = repeated(facts, r, counts[i].count);
        minutes_add(&plain, r->minutes_low * counts[i].count, r->minutes_high * counts[i].count);
        minutes_add(&sum, r->minutes_low * weight, r->minutes_high * weight);
    }
    minutes_add(&sum, fmax(0, p->weights_low_days * day - plain.low),
                fmax(0, p->weights_high_days * day - plain.high));
    return sum;
}

// Days over the port's scope for one day of first port.
static double scope_factor(const Port *p, double tests, double kept) {
    switch ((PortScope)p->scope) {
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
    return (EffortFit){exp(first), exp(at[0]), exp(at[1]), sqrt(best / (double)(n - FACTORS)), n};
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
    ports_split(facts->ports, facts->n_ports, sets);
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
    return true;
}

// ---------------------------------------------------------------- one port

Estimate port_predict(const PortingFacts *facts, const EffortFit *fit, const Port *p) {
    Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    if (!is_known(p->weights_low_days) || !is_known(p->weights_high_days)) return unknown;
    MinuteSum sum = port_minutes(facts, p);
    double days = sum.mean / factor_value(facts, "minutes_a_day") * fit->first_port *
                  scope_factor(p, fit->tests_and_ci, fit->kept_a_year);
    return days_estimate(days, fmax(minutes_spread(&sum), fit->spread_log));
}
