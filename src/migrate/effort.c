// Days of a port from its findings: totals, parts, what could be left out, and how sure that is.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/migrate/effort_sum.h"

const char *const team_names[] = {"novice", "some", "expert", NULL};

// standard deviations from the middle of a normal distribution to its 10th and 90th percentile
static const double TAIL = 1.2816;

// ---------------------------------------------------------------- sums

void minutes_add(MinuteSum *s, double low, double high) {
    double sd = (high - low) / (2 * TAIL);
    s->low += low;
    s->high += high;
    s->mean += (low + high) / 2;
    s->variance += sd * sd;
}

double minutes_spread(const MinuteSum *s) {
    return s->mean > 0 ? sqrt(log(1 + s->variance / (s->mean * s->mean))) : 0;
}

Estimate days_estimate(double days, double spread_log) {
    double reach = exp(TAIL * spread_log);
    return (Estimate){days, days / reach, days * reach, BASIS_CALIBRATED,
                      "data/ports.tsv; data/cuda_constructs.tsv"};
}

const PortRule *rule_find(const PortingFacts *facts, const char *id) {
    return row_find(id, facts->rules, facts->n_rules, sizeof *facts->rules, order_name);
}

double factor_value(const PortingFacts *facts, const char *name) {
    const EffortFactor *factor = row_named(name, facts->factors, facts->n_factors, sizeof *facts->factors);
    return factor != NULL ? factor->value : (double)NAN;
}

double repeated(const PortingFacts *facts, const PortRule *rule, double count) {
    enum { COUNTED_OUT = 1000 };
    if (rule->area == AREA_DEPENDENCY || rule->area == AREA_PROJECT || count <= 1) return count;
    double slope = log2(factor_value(facts, "learning_rate"));  // of ln(cost) over ln(number)
    double sum = 0;
    double n = fmin(floor(count), COUNTED_OUT);
    for (double i = 1; i <= n; i++) sum += pow(i, slope);
    return count > n ? sum + (pow(count, 1 + slope) - pow(n, 1 + slope)) / (1 + slope) : sum;
}

// ---------------------------------------------------------------- items

typedef struct Weighing {
    const PortingFacts *facts;
    EffortItem *items;  // set-up and reading among them; counts settled
    double *weights;    // of each item: occurrences as minutes count them
    size_t n;
    MinuteSum total;  // without blockers
    MinuteSum blocked;
    double scale;  // minutes -> days of the first port
} Weighing;

static int by_rule(const void *a, const void *b) {
    const EffortItem *x = a;
    const EffortItem *y = b;
    return strcmp(x->rule->rule, y->rule->rule);
}

// A construct for which the file's kernel is written anew.
static bool is_rewriting(const EffortItem *x) {
    return x->file != NULL && x->rule->port_class == PORT_BLOCKER && x->rule->per == UNIT_FILE;
}

// By file, what makes it be written anew first, the heaviest at the front.
static int by_rewriting(const void *a, const void *b) {
    const EffortItem *x = a;
    const EffortItem *y = b;
    int o = strcmp(x->file == NULL ? "" : x->file, y->file == NULL ? "" : y->file);
    if (o == 0) o = (int)is_rewriting(y) - (int)is_rewriting(x);
    if (o != 0) return o;
    double mx = x->rule->minutes_low + x->rule->minutes_high;
    double my = y->rule->minutes_low + y->rule->minutes_high;
    return mx != my ? mx < my ? 1 : -1 : by_rule(a, b);
}

// What counts in the first port. Files of tests, benchmarks and CI are the work of the second total, and
// documents are apart, unless there is nothing else; a file is written anew once, however many constructs ask for it; what a build for AMD does
// by itself is done where there is one.
static size_t take_items(EffortItem *to, const EffortItem *items, size_t n, bool ported, Arena *a) {
    EffortItem *sorted = arena_alloc(a, n + 1, sizeof *sorted);
    bool only_tests = true;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        only_tests =
            only_tests && (items[i].tests || items[i].docs || items[i].rule->area == AREA_DEPENDENCY);
    if (n > 0) memcpy(sorted, items, n * sizeof *sorted);
    if (n > 0) qsort(sorted, n, sizeof *sorted, by_rewriting);
    const EffortItem *last = NULL;
    for (size_t i = 0; i < n; i++) {
        const EffortItem *x = &sorted[i];
        bool again = is_rewriting(x) && last != NULL && strcmp(last->file, x->file) == 0;
        if (is_rewriting(x)) last = x;
        if (again || ((x->tests || x->docs) && !only_tests) ||
            (ported && x->rule->port_class == PORT_AUTOMATIC))
            continue;
        to[kept] = *x;
        if (x->rule->per == UNIT_FILE && x->count > 1) to[kept].count = 1;
        kept++;
    }
    return kept;
}

// Adds what every port needs, and says what each item weighs.
static bool settle(Weighing *w, const EffortItem *items, size_t n, const EffortAssumptions *as, Arena *a,
                   Err *e) {
    w->items = arena_alloc(a, n + 2, sizeof *w->items);
    w->weights = arena_alloc(a, n + 2, sizeof *w->weights);
    w->n = take_items(w->items, items, n, as->ported, a);
    bool compiled = as->cuda_kloc > 0;
    for (size_t i = 0; i < n; i++) compiled = compiled || items[i].rule->area == AREA_SOURCE;
    const PortRule *setup = rule_find(w->facts, compiled ? "base-setup" : "base-setup-python");
    const PortRule *kloc = rule_find(w->facts, "base-kloc");
    if (setup == NULL || kloc == NULL)
        return err_set(e, ERR_FAILED, "estimate effort: no rule 'base-setup' or 'base-kloc' among the facts");
    if (n > 0 && !as->ported) w->items[w->n++] = (EffortItem){.rule = setup, .count = 1};
    if (n > 0 && !as->ported && as->cuda_kloc > 0)
        w->items[w->n++] = (EffortItem){.rule = kloc, .count = as->cuda_kloc};
    if (w->n > 0) qsort(w->items, w->n, sizeof *w->items, by_rule);
    for (size_t i = 0; i < w->n;) {
        const PortRule *r = w->items[i].rule;
        double count = 0;
        size_t end = i;
        for (; end < w->n && w->items[end].rule == r; end++) count += w->items[end].count;
        double weight = repeated(w->facts, r, count);
        for (; i < end; i++) w->weights[i] = count > 0 ? w->items[i].count * weight / count : 0;
        minutes_add(r->port_class == PORT_BLOCKER ? &w->blocked : &w->total, r->minutes_low * weight,
                    r->minutes_high * weight);
    }
    return true;
}

// ---------------------------------------------------------------- parts

static void part_add(EffortPart *p, const Weighing *w, size_t item) {
    const PortRule *r = w->items[item].rule;
    p->count += w->items[item].count;
    p->low += r->minutes_low * w->weights[item] * w->scale;
    p->high += r->minutes_high * w->weights[item] * w->scale;
    p->likely = (p->low + p->high) / 2;
}

static int largest_first(const void *a, const void *b) {
    const EffortPart *x = a;
    const EffortPart *y = b;
    if (x->likely != y->likely) return x->likely < y->likely ? 1 : -1;
    return strcmp(x->name, y->name);
}

typedef const char *ItemName(const EffortItem *item);

static const char *rule_of(const EffortItem *i) { return i->rule->rule; }
static const char *file_of(const EffortItem *i) { return i->file; }
static const char *dependency_of(const EffortItem *i) { return i->dependency; }

typedef struct Named {
    const char *name;
    const EffortItem *item;
} Named;

static int by_name(const void *a, const void *b) {
    const Named *x = a;
    const Named *y = b;
    return strcmp(x->name, y->name);
}

static const EffortPart *parts_by(const Weighing *w, ItemName *name, bool rules, Arena *a, size_t *ret_n) {
    Named *named = arena_alloc(a, w->n + 1, sizeof *named);
    EffortPart *parts = arena_alloc(a, w->n + 1, sizeof *parts);
    size_t m = 0;
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        const char *text = name(&w->items[i]);
        if (text != NULL) named[m++] = (Named){text, &w->items[i]};
    }
    if (m > 0) qsort(named, m, sizeof *named, by_name);
    for (size_t i = 0; i < m; i++) {
        if (n == 0 || strcmp(parts[n - 1].name, named[i].name) != 0)
            parts[n++] = (EffortPart){.name = named[i].name, .rule = rules ? named[i].item->rule : NULL};
        part_add(&parts[n - 1], w, (size_t)(named[i].item - w->items));
    }
    if (n > 0) qsort(parts, n, sizeof *parts, largest_first);
    *ret_n = n;
    return parts;
}

static const EffortPart *parts_by_class(const Weighing *w, Arena *a) {
    EffortPart *parts = arena_alloc(a, PORT_CLASS_COUNT, sizeof *parts);
    for (int c = 0; c < PORT_CLASS_COUNT; c++) parts[c].name = port_class_names[c];
    for (size_t i = 0; i < w->n; i++) part_add(&parts[w->items[i].rule->port_class], w, i);
    return parts;
}

// ---------------------------------------------------------------- blockers and confidence

static const char *lost_without(const PortingFacts *facts, const EffortItem *item) {
    for (size_t i = 0; item->dependency != NULL && i < facts->n_packages; i++) {
        if (text_same(facts->packages[i].package, item->dependency)) return facts->packages[i].lost;
    }
    return item->dependency == NULL ? item->rule->lost : "";
}

static void blockers(const Weighing *w, Arena *a, Effort *x) {
    Blocker *list = arena_alloc(a, w->n + 1, sizeof *list);
    for (size_t i = 0; i < w->n; i++) {
        const EffortItem *item = &w->items[i];
        if (item->rule->port_class != PORT_BLOCKER) continue;
        const char *name = item->dependency != NULL ? item->dependency : item->rule->rule;
        size_t k = 0;
        while (k < x->n_leave_out && strcmp(list[k].name, name) != 0) k++;
        if (k == x->n_leave_out) list[x->n_leave_out++] = (Blocker){name, lost_without(w->facts, item), 0};
        double mean = (item->rule->minutes_low + item->rule->minutes_high) / 2 * w->weights[i];
        list[k].days += mean * w->scale;
    }
    double all = w->total.mean + w->blocked.mean;
    x->leave_out = list;
    x->first_port_with_blockers = all * w->scale;
    x->blocker_share = all > 0 ? w->blocked.mean / all : 0;
}

// Where blockers or code that nobody looked at dominate, neither the sum nor the ports it was fitted to say
// much; and a range that is wide by itself is never called sure. `spread`: standard deviation of ln(days).
static void judge(Effort *x, double unanalysed, double spread, bool ported, Arena *a) {
    enum { SURE_WITHIN = 2 };  // times
    double doubt = fmax(x->blocker_share, unanalysed);
    double reach = exp(TAIL * spread);
    x->confidence = doubt > 0.5 ? "low" : doubt > 0.2 || reach > SURE_WITHIN ? "medium" : "high";
    if (ported) {
        x->confidence = "low";
        x->confidence_note = "a build for ROCm is there: days are of what no guard keeps from it, and how "
                             "much of that is done or left out was not followed";
    } else if (doubt <= 0.2) {
        x->confidence_note = arena_printf(a,
                                          "blockers and unanalysed code are a small part; documented ports "
                                          "lay up to %.0f times above or below the model",
                                          reach);
    } else if (x->blocker_share >= unanalysed) {
        x->confidence_note = arena_printf(
            a,
            "blockers make %.0f %% of what was found and are in no total: ports that met them left features "
            "out or wrote kernels anew",
            100 * x->blocker_share);
    } else {
        x->confidence_note = arena_printf(a, "%.0f %% of the bytes were not analysed", 100 * unanalysed);
    }
}

// ---------------------------------------------------------------- estimate

static Estimate in_money(Estimate days, double usd) {
    return (Estimate){days.value * usd, days.low * usd, days.high * usd,
                      is_known(usd) ? days.basis : BASIS_UNKNOWN, days.sources};
}

// Of documents and notebooks, whose work stands apart.
static double docs_minutes(const PortingFacts *facts, const EffortItem *items, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const PortRule *r = items[i].rule;
        if (!items[i].docs || r->port_class == PORT_BLOCKER) continue;
        double count = r->per == UNIT_FILE && items[i].count > 1 ? 1 : items[i].count;
        sum += (r->minutes_low + r->minutes_high) / 2 * repeated(facts, r, count);
    }
    return sum;
}

// Factor on tests: between "no code is covered" and "all is", in proportion.
static double tests_factor(const PortingFacts *facts, double coverage) {
    double none = factor_value(facts, "tests_none");
    double full = factor_value(facts, "tests_full");
    return is_known(coverage) ? none + (full - none) * coverage : 1;
}

bool effort_estimate(const PortingFacts *facts, const EffortItem *items, size_t n,
                     const EffortAssumptions *assumptions, Arena *a, Effort *ret_effort, Err *e) {
    static const char *const team_factors[TEAM_COUNT] = {"team_novice", "team_some", "team_expert"};
    EffortFit fit;
    Weighing w = {.facts = facts};
    Effort x = {0};
    double team = factor_value(facts, team_factors[assumptions->team]);
    double tests = tests_factor(facts, assumptions->test_coverage);
    double day = factor_value(facts, "minutes_a_day");
    if (!is_known(team) || !is_known(tests) || !is_known(day) ||
        !is_known(factor_value(facts, "learning_rate")))
        return err_set(e, ERR_FAILED, "estimate effort: a factor is missing in effort_factors.tsv");
    if (!effort_fit(facts, &fit, e) || !settle(&w, items, n, assumptions, a, e)) return false;
    w.scale = fit.first_port * team / day;
    double unanalysed = is_known(assumptions->unanalysed_share) ? assumptions->unanalysed_share : 0;
    double days = w.total.mean * w.scale;
    x.first_port.value = days;
    blockers(&w, a, &x);
    // Doubt widens the range: a judgment, not a fit.
    double spread = hypot(fmax(minutes_spread(&w.total), effort_spread(&fit)), unanalysed);
    x.first_port = days_estimate(days, spread);
    x.tests_and_ci = days_estimate(days * fit.tests_and_ci * tests, spread);
    x.maintenance_a_year = days_estimate(days * fit.maintenance_a_year, spread);
    x.first_port_usd = in_money(x.first_port, assumptions->engineer_day_usd);
    x.tests_and_ci_usd = in_money(x.tests_and_ci, assumptions->engineer_day_usd);
    x.maintenance_a_year_usd = in_money(x.maintenance_a_year, assumptions->engineer_day_usd);
    x.by_class = parts_by_class(&w, a);
    x.by_rule = parts_by(&w, rule_of, true, a, &x.n_by_rule);
    x.by_file = parts_by(&w, file_of, false, a, &x.n_by_file);
    x.by_dependency = parts_by(&w, dependency_of, false, a, &x.n_by_dependency);
    x.docs_days = docs_minutes(facts, items, n) * w.scale;
    x.base_rate = effort_base_rate(facts, SCOPE_FIRST_PORT, assumptions->cuda_kloc * 1000);
    x.skill = effort_skill(&fit);
    x.n_unseen = fit.n_unseen;
    judge(&x, unanalysed, spread, assumptions->ported, a);
    *ret_effort = x;
    return true;
}
