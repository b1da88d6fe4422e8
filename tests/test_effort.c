// Effort: the split and the fit of the documented ports, and days from findings.
#include "src/migrate/effort.h"

#include <math.h>
#include <string.h>

#include "tests/shipped.h"

static const PortRule *rule(const PortingFacts *f, const char *id) {
    for (size_t i = 0; i < f->n_rules; i++) {
        if (strcmp(f->rules[i].rule, id) == 0) return &f->rules[i];
    }
    CHECK(false);
    return NULL;
}

static const EffortAssumptions plain = {TEAM_SOME, (double)NAN, (double)NAN, 1, 0, false};

// The split is a fact of its own: other author-days leave it as it is, and nine programs are never fitted.
static void test_split_ignores_outcomes(void) {
    Arena a = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    PortSet before[64];
    PortSet after[64];
    Port *copy = arena_alloc(&a, f.n_ports, sizeof *copy);
    memcpy(copy, f.ports, f.n_ports * sizeof *copy);
    for (size_t i = 0; i < f.n_ports; i++)
        copy[i].author_days = is_known(copy[i].author_days) ? 1 + 1000.0 / (double)(i + 1) : (double)NAN;
    PortingFacts changed = f;
    changed.ports = copy;
    ports_split(&f, before);
    ports_split(&changed, after);
    size_t held = 0;
    for (size_t i = 0; i < f.n_ports; i++) {
        CHECK_INT((int)before[i], (int)after[i]);
        held += before[i] == SET_HELD_OUT;
        if (strcmp(f.ports[i].squashed, "no") != 0) CHECK_INT((int)before[i], SET_SHOWN);
    }
    CHECK_INT((int)held, 9);
    catalog_close(c);
    arena_free(&a);
}

// Every tree belongs to a port, was scanned, and every rule counted there is one of today's.
static void test_trees_and_findings_agree(void) {
    Arena a = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    CHECK(f.n_trees >= 15 && f.n_port_findings > 200);
    for (size_t i = 0; i < f.n_trees; i++) {
        size_t ports = 0;
        size_t findings = 0;
        for (size_t k = 0; k < f.n_ports; k++) ports += strcmp(f.ports[k].port, f.trees[i].port) == 0;
        for (size_t k = 0; k < f.n_port_findings; k++)
            findings += strcmp(f.port_findings[k].tree, f.trees[i].tree) == 0;
        CHECK_INT((int)ports, 1);
        CHECK(findings > 0);
    }
    for (size_t i = 0; i < f.n_port_findings; i++) CHECK(rule(&f, f.port_findings[i].rule) != NULL);
    catalog_close(c);
    arena_free(&a);
}

// What `migrate ports` says of a tree is what the estimate says of the same findings.
static void test_a_port_is_predicted_as_it_is_scanned(void) {
    Arena a = {0};
    Err e = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    EffortItem items[] = {
        {rule(&f, "ptx-asm"), "a.cu", NULL, 7, false, false},
        {rule(&f, "cublas"), "a.cu", NULL, 40, false, false},
        {rule(&f, "fp8-types"), "a.cu", NULL, 9, false, false},
        {rule(&f, "fp8-types"), "b.cu", NULL, 2, false, false},
        {rule(&f, "wgmma"), "b.cu", NULL, 40, false, false},
        {rule(&f, "dep-class-3"), NULL, "x", 1, false, false},
        {rule(&f, "ptx-asm"), "tests/a.cu", NULL, 70, true, false},
        {rule(&f, "ptx-asm"), "docs/a.md", NULL, 70, false, true},
    };
    EffortAssumptions as = plain;
    as.cuda_kloc = 12.5;
    Effort x;
    EffortFit fit;
    CHECK(effort_fit(&f, &fit, &e));
    CHECK(effort_estimate(&f, items, COUNT_OF(items), &as, &a, &x, &e));
    PortFinding *rows = arena_alloc(&a, x.n_by_rule, sizeof *rows);
    for (size_t i = 0; i < x.n_by_rule; i++)
        rows[i] = (PortFinding){.tree = "a/b@c", .rule = x.by_rule[i].name, .count = x.by_rule[i].count};
    PortedTree tree = {.port = "p", .tree = "a/b@c"};
    Port port = {.port = "p", .scope = SCOPE_FIRST_PORT, .author_days = 1, .squashed = "no"};
    PortingFacts one = f;
    one.port_findings = rows;
    one.n_port_findings = x.n_by_rule;
    one.trees = &tree;
    one.n_trees = 1;
    CHECK(fabs(port_predict(&one, &fit, &port).value - x.first_port.value) < 1e-9);
    CHECK(x.first_port_with_blockers > x.first_port.value && x.docs_days > 0);
    catalog_close(c);
    arena_free(&a);
}

// A model that is no better than a constant on ports that no fit saw has ranges as wide as its misses there.
static void test_without_skill_the_range_says_so(void) {
    EffortFit fit = {.spread_log = 0.3, .unseen_model = 0.9, .unseen_constant = 0.8};
    CHECK(effort_skill(&fit) < 0 && effort_spread(&fit) == 0.9);
    fit.unseen_model = 0.4;
    CHECK(fabs(effort_skill(&fit) - 0.75) < 1e-12 && effort_spread(&fit) == 0.3);
    fit.unseen_model = (double)NAN;
    CHECK(!is_known(effort_skill(&fit)) && effort_spread(&fit) == 0.3);
}

// Author-days of held-out ports do not enter the fit; those of calibration ports do.
static void test_fit_sees_calibration_only(void) {
    Arena a = {0};
    Err e = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    EffortFit fit, other;
    PortSet sets[64];
    ports_split(&f, sets);
    CHECK(effort_fit(&f, &fit, &e));
    for (int s = SET_CALIBRATION; s <= SET_HELD_OUT; s++) {
        Port *copy = arena_alloc(&a, f.n_ports, sizeof *copy);
        memcpy(copy, f.ports, f.n_ports * sizeof *copy);
        for (size_t i = 0; i < f.n_ports; i++) copy[i].author_days *= (int)sets[i] == s ? 10 : 1;
        PortingFacts changed = f;
        changed.ports = copy;
        CHECK(effort_fit(&changed, &other, &e));
        double grown = other.first_port / fit.first_port;
        if (s == SET_HELD_OUT) CHECK(fabs(grown - 1) < 1e-9);
        if (s == SET_CALIBRATION) CHECK(fabs(grown - 10) < 0.01);
        CHECK(fabs(other.tests_and_ci / fit.tests_and_ci - 1) < 0.01);
    }
    catalog_close(c);
    arena_free(&a);
}

static void test_held_out_ports_lie_inside(void) {
    Arena a = {0};
    Err e = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    EffortFit fit;
    PortSet sets[64];
    CHECK(effort_fit(&f, &fit, &e));
    ports_split(&f, sets);
    int inside = 0;
    for (size_t i = 0; i < f.n_ports; i++) {
        if (sets[i] != SET_HELD_OUT) continue;
        Estimate x = port_predict(&f, &fit, &f.ports[i]);
        CHECK(x.low < x.value && x.value < x.high);
        inside += f.ports[i].author_days >= x.low && f.ports[i].author_days <= x.high;
    }
    CHECK(inside >= 7);
    catalog_close(c);
    arena_free(&a);
}

static void test_fit_refuses_too_few(void) {
    Arena a = {0};
    Err e = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    EffortFit fit;
    f.n_ports = 2;
    CHECK(!effort_fit(&f, &fit, &e));
    CHECK(strstr(e.text, "ports to calibrate on") != NULL);
    catalog_close(c);
    arena_free(&a);
}

static void test_no_items_no_days(void) {
    Arena a = {0};
    Err e = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    Effort x;
    CHECK(effort_estimate(&f, NULL, 0, &plain, &a, &x, &e));
    CHECK(x.first_port.value == 0 && x.first_port.high == 0 && x.maintenance_a_year.value == 0);
    CHECK_INT((int)x.n_by_rule, 0);
    catalog_close(c);
    arena_free(&a);
}

// Parts add up to the whole; set-up and reading are lines of their own; one a file where the rule says so.
static void test_parts_add_up(void) {
    Arena a = {0};
    Err e = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    EffortItem items[] = {
        {rule(&f, "ptx-asm"), "a.cu", NULL, 3, false, false},
        {rule(&f, "ptx-asm"), "b.cu", NULL, 1, false, false},
        {rule(&f, "wgmma"), "b.cu", NULL, 40, false, false},
        {rule(&f, "dep-class-5"), NULL, "tensorrt-llm", 1, false, false},
    };
    Effort x;
    EffortAssumptions some = plain;
    some.engineer_day_usd = 800;
    CHECK(effort_estimate(&f, items, COUNT_OF(items), &some, &a, &x, &e));
    double classes = 0;
    double rules = 0;
    for (int i = 0; i < PORT_CLASS_COUNT; i++) classes += x.by_class[i].likely;
    for (size_t i = 0; i < x.n_by_rule; i++) {
        rules += x.by_rule[i].likely;
        if (strcmp(x.by_rule[i].name, "wgmma") == 0) CHECK(x.by_rule[i].count == 1);
        if (strcmp(x.by_rule[i].name, "ptx-asm") == 0) CHECK(x.by_rule[i].count == 4);
    }
    CHECK(fabs(classes - x.first_port_with_blockers) < 1e-9 &&
          fabs(rules - x.first_port_with_blockers) < 1e-9);
    CHECK_INT((int)x.n_by_rule, 5);
    CHECK_INT((int)x.n_by_file, 2);
    CHECK_STR(x.by_file[0].name, "b.cu");
    CHECK_STR(x.by_dependency[0].name, "tensorrt-llm");
    CHECK_INT((int)x.n_leave_out, 2);
    for (size_t i = 0; i < x.n_leave_out; i++)
        CHECK(x.leave_out[i].lost[0] != '\0' && x.leave_out[i].days > 0);
    CHECK(x.first_port.value > 0 && x.first_port.value < x.first_port_with_blockers);
    CHECK(fabs(x.first_port_usd.value - 800 * x.first_port.value) < 1e-6);
    CHECK_STR(x.confidence, "low");
    catalog_close(c);
    arena_free(&a);
}

static double days_of(const PortingFacts *f, const EffortItem *items, size_t n, bool ported, Arena *a) {
    Err e = {0};
    Effort x;
    EffortAssumptions as = plain;
    as.ported = ported;
    CHECK(effort_estimate(f, items, n, &as, a, &x, &e));
    return x.first_port_with_blockers;
}

// Twice as many of one construct cost less than twice as much, and more than as many; other constructs and
// dependencies do not share it.
static void test_repetition_gets_cheaper(void) {
    Arena a = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    double base =
        days_of(&f, (EffortItem[]){{rule(&f, "kernel-launch"), "a.cu", NULL, 0, false, false}}, 1, false, &a);
    double at[4];
    for (int i = 0; i < 4; i++)
        at[i] = days_of(&f, (EffortItem[]){{rule(&f, "ptx-mma"), "a.cu", NULL, 1 << i, false, false}}, 1,
                        false, &a) -
                base;
    CHECK(fabs(at[1] / at[0] - 1.8) < 1e-9);  // the second of two costs 80 %
    for (int i = 1; i < 4; i++) CHECK(at[i] > at[i - 1] && at[i] < 2 * at[i - 1]);
    EffortItem many[] = {{rule(&f, "dep-class-3"), NULL, "a", 1, false, false},
                         {rule(&f, "dep-class-3"), NULL, "b", 1, false, false}};
    double none =
        days_of(&f, (EffortItem[]){{rule(&f, "dep-class-3"), NULL, "a", 0, false, false}}, 1, false, &a);
    CHECK(fabs(days_of(&f, many, 2, false, &a) - none - 2 * (days_of(&f, many, 1, false, &a) - none)) < 1e-9);
    // More is never less, also beyond the occurrences that are summed one by one.
    double before = 0;
    for (double n = 1; n < 1e6; n *= 3) {
        double x =
            days_of(&f, (EffortItem[]){{rule(&f, "ptx-asm"), "a.cu", NULL, n, false, false}}, 1, false, &a);
        CHECK(x > before && x < 1e6);
        before = x;
    }
    catalog_close(c);
    arena_free(&a);
}

static void test_what_the_first_port_leaves_to_others(void) {
    Arena a = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    const PortRule *wgmma = rule(&f, "wgmma");
    const PortRule *tma = rule(&f, "tma");
    const PortRule *asm_ = rule(&f, "ptx-asm");
    double one = days_of(&f, (EffortItem[]){{wgmma, "a.cu", NULL, 5, false, false}}, 1, false, &a);
    // A file is written anew once; two files are two.
    CHECK(fabs(days_of(&f,
                       (EffortItem[]){{tma, "a.cu", NULL, 3, false, false},
                                      {wgmma, "a.cu", NULL, 5, false, false}},
                       2, false, &a) -
               one) < 1e-9);
    CHECK(
        days_of(&f,
                (EffortItem[]){{tma, "b.cu", NULL, 3, false, false}, {wgmma, "a.cu", NULL, 5, false, false}},
                2, false, &a) > one);
    // Tests are no part of it, unless there is nothing else.
    CHECK(fabs(days_of(&f,
                       (EffortItem[]){{wgmma, "a.cu", NULL, 5, false, false},
                                      {asm_, "tests/b.cu", NULL, 9, true, false}},
                       2, false, &a) -
               one) < 1e-9);
    CHECK(fabs(days_of(&f, (EffortItem[]){{wgmma, "tests/a.cu", NULL, 5, true, false}}, 1, false, &a) - one) <
          1e-9);
    // A tree that builds for ROCm needs no set-up, and nothing that is automatic.
    CHECK(days_of(&f, (EffortItem[]){{rule(&f, "kernel-launch"), "a.cu", NULL, 9, false, false}}, 1, true,
                  &a) == 0);
    CHECK(days_of(&f, (EffortItem[]){{wgmma, "a.cu", NULL, 5, false, false}}, 1, true, &a) < one);
    catalog_close(c);
    arena_free(&a);
}

static void test_assumptions_move_the_days(void) {
    Arena a = {0};
    Err e = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    EffortItem item = {rule(&f, "lane-arith-32"), "a.cu", NULL, 20, false, false};
    Effort some, novice, expert, covered, unseen;
    EffortAssumptions x = plain;
    CHECK(effort_estimate(&f, &item, 1, &x, &a, &some, &e));
    x.team = TEAM_NOVICE;
    CHECK(effort_estimate(&f, &item, 1, &x, &a, &novice, &e));
    x.team = TEAM_EXPERT;
    CHECK(effort_estimate(&f, &item, 1, &x, &a, &expert, &e));
    CHECK(expert.first_port.value < some.first_port.value && some.first_port.value < novice.first_port.value);
    x = plain;
    x.test_coverage = 1;
    CHECK(effort_estimate(&f, &item, 1, &x, &a, &covered, &e));
    CHECK(covered.tests_and_ci.value < some.tests_and_ci.value &&
          covered.first_port.value == some.first_port.value);
    x = plain;
    x.unanalysed_share = 0.6;
    CHECK(effort_estimate(&f, &item, 1, &x, &a, &unseen, &e));
    CHECK_STR(some.confidence, "medium");  // documented ports differ by more than a factor of two
    CHECK_STR(unseen.confidence, "low");
    CHECK(unseen.first_port.high > some.first_port.high && !is_known(some.first_port_usd.value));
    catalog_close(c);
    arena_free(&a);
}

static void test_blockers_name_what_is_lost(void) {
    Arena a = {0};
    PortingFacts f;
    Catalog *c = shipped_porting(&a, &f);
    for (size_t i = 0; i < f.n_rules; i++) {
        const PortRule *r = &f.rules[i];
        CHECK(r->minutes_low <= r->minutes_high);
        if (r->port_class == PORT_BLOCKER && r->area != AREA_DEPENDENCY) CHECK(r->lost[0] != '\0');
    }
    for (size_t i = 0; i < f.n_packages; i++) {
        if (f.packages[i].effort_class >= 4) CHECK(f.packages[i].lost[0] != '\0');
    }
    CHECK_INT((int)f.n_names, 10515);
    catalog_close(c);
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(split_ignores_outcomes),
    TEST(fit_sees_calibration_only),
    TEST(held_out_ports_lie_inside),
    TEST(fit_refuses_too_few),
    TEST(no_items_no_days),
    TEST(parts_add_up),
    TEST(assumptions_move_the_days),
    TEST(blockers_name_what_is_lost),
    TEST(trees_and_findings_agree),
    TEST(a_port_is_predicted_as_it_is_scanned),
    TEST(without_skill_the_range_says_so),
    TEST(repetition_gets_cheaper),
    TEST(what_the_first_port_leaves_to_others),
};

TEST_MAIN(tests)
