// What becomes of each entry of a stack on AMD, and the work that takes.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "src/advise/stack.h"
#include "src/migrate/effort_sum.h"

static const char *const PLATFORM = "rocm";

// Names that people use for what the tables call otherwise.
static const char *const aliases[][2] = {{"pytorch", "torch"},
                                         {"flash-attention", "flash-attn"},
                                         {"te", "transformer-engine"},
                                         {"onnx-runtime", "onnxruntime-gpu"},
                                         {"hf-transformers", "transformers"}};

static char plain(char c) { return c == '_' || c == ' ' || c == '.' ? '-' : char_lower(c); }

static bool same_name(const char *x, const char *y) {
    while (*x != '\0' && plain(*x) == plain(*y)) x++, y++;
    return *x == *y;
}

static const char *known_as(const char *name) {
    for (size_t i = 0; i < COUNT_OF(aliases); i++) {
        if (same_name(aliases[i][0], name)) return aliases[i][1];
    }
    return name;
}

static const StackNeed *need_named(const StackFacts *f, const char *name) {
    for (size_t i = 0; i < f->n_needs; i++) {
        if (same_name(f->needs[i].need, name)) return &f->needs[i];
    }
    return NULL;
}

static const Package *package_named(const StackFacts *f, const char *name) {
    for (size_t i = 0; i < f->porting.n_packages; i++) {
        if (same_name(f->porting.packages[i].package, name)) return &f->porting.packages[i];
    }
    return NULL;
}

static const Library *library_named(const StackFacts *f, const char *name) {
    for (size_t i = 0; i < f->porting.n_libraries; i++) {
        if (same_name(f->porting.libraries[i].cuda_name, name)) return &f->porting.libraries[i];
    }
    return NULL;
}

static const PortRule *class_rule(const StackFacts *f, double effort_class, Arena *a) {
    return is_known(effort_class) ? rule_find(&f->porting, arena_printf(a, "dep-class-%.0f", effort_class))
                                  : NULL;
}

static void take_need(const StackFacts *f, const StackNeed *n, const char *target, double count,
                      StackItem *x) {
    bool elsewhere = n->gpu_scope[0] != '\0' && target[0] != '\0' && !word_in(n->gpu_scope, target);
    x->title = n->title;
    x->fit = elsewhere ? FIT_BLOCKED : n->on_amd;
    x->change = n->change, x->lost = n->lost, x->trap = n->trap;
    x->rule = n->rule[0] != '\0' ? rule_find(&f->porting, n->rule) : NULL;
    x->count = is_known(count) ? count : is_known(n->count) ? n->count : 0;
    x->source = n->source, x->as_of = n->as_of;
}

static void take_package(const StackFacts *f, const Package *p, Arena *a, StackItem *x) {
    double class = p->effort_class;
    bool nothing = strcmp(p->rocm_status, "none") == 0 && strcmp(p->install_instead, "none") == 0;
    x->fit = !is_known(class)                   ? FIT_UNKNOWN
             : class >= 5 || nothing            ? FIT_BLOCKED
             : class >= 3 && p->lost[0] != '\0' ? FIT_LOSES
             : class < 1                        ? FIT_WORKS
                                                : FIT_CHANGES;
    x->change = x->fit == FIT_WORKS ? "" : p->note[0] != '\0' ? p->note : p->install_instead;
    x->lost = class >= 3 ? p->lost : "";
    x->trap = p->trap;
    x->install = p->install_instead;
    x->rule = class_rule(f, class, a);
    x->count = 1;
    x->source = p->source, x->as_of = p->as_of;
}

static void take_library(const StackFacts *f, const Library *l, Arena *a, StackItem *x) {
    double class = l->effort_class;
    x->fit = !is_known(class)                        ? FIT_UNKNOWN
             : class >= 5 || l->rocm_name[0] == '\0' ? FIT_BLOCKED
             : class < 1                             ? FIT_WORKS
                                                     : FIT_CHANGES;
    x->change = x->fit == FIT_WORKS
                    ? ""
                    : arena_printf(a, "%s%s%s", l->rocm_name, l->note[0] != '\0' ? ": " : "", l->note);
    x->rule = class_rule(f, class, a);
    x->count = 1;
    x->source = l->source, x->as_of = l->as_of;
}

static void take_claim(const Claim *c, StackItem *x) {
    static const char *const words[] = {"full", "partial", "experimental", "none", NULL};
    static const StackFit fits[] = {FIT_WORKS, FIT_CHANGES, FIT_CHANGES, FIT_BLOCKED};
    int i = name_index(words, c->status);
    x->fit = i >= 0 ? fits[i] : FIT_LOSES;
    x->change = c->note;
    x->source = c->source, x->as_of = c->as_of;
}

// Version "1.10.2" against "1.9": by their numbers, one after the other.
static int version_order(const char *x, const char *y) {
    while (*x != '\0' || *y != '\0') {
        double a = 0;
        double b = 0;
        for (; isdigit((unsigned char)*x); x++) a = a * 10 + (*x - '0');
        for (; isdigit((unsigned char)*y); y++) b = b * 10 + (*y - '0');
        if (a != b) return a < b ? -1 : 1;
        if (*x != '.' && *y != '.') return 0;
        if (*x == '.') x++;
        if (*y == '.') y++;
    }
    return 0;
}

static void take_evidence(const StackFacts *f, const char *subject, const char *target, Arena *a,
                          StackItem *x) {
    x->evidence = evidence_of(f->claims, f->n_claims, subject, PLATFORM, target, a, &x->n_evidence);
    for (size_t i = 0; i < x->n_evidence; i++) {
        const Claim *c = x->evidence[i].claim;
        if (!x->evidence[i].wins) continue;
        if (x->fit == FIT_UNKNOWN) take_claim(c, x);
        if (x->install[0] == '\0') x->install = c->install_hint;
    }
    const char *since = "";
    for (size_t i = 0; i < x->n_evidence; i++) {
        const char *s = x->evidence[i].claim->since_version;
        if (isdigit((unsigned char)s[0]) && (since[0] == '\0' || version_order(s, since) < 0)) since = s;
    }
    if (since[0] == '\0' || !isdigit((unsigned char)x->version[0]) || version_order(x->version, since) >= 0)
        return;
    x->change = arena_printf(a, "needs %s or newer (the stack has %s)%s%s", since, x->version,
                             x->change[0] != '\0' ? "; " : "", x->change);
    if (x->fit == FIT_WORKS) x->fit = FIT_CHANGES;
}

// Claims call packages by the names of their projects.
static const char *subject_of(const StackFacts *f, const char *name) {
    for (size_t i = 0; i < f->n_claims; i++) {
        if (same_name(f->claims[i].subject, name)) return f->claims[i].subject;
    }
    for (size_t i = 0; i < COUNT_OF(aliases); i++) {
        if (!same_name(aliases[i][1], name)) continue;
        for (size_t k = 0; k < f->n_claims; k++) {
            if (same_name(f->claims[k].subject, aliases[i][0])) return f->claims[k].subject;
        }
    }
    return name;
}

static void judge_entry(const StackFacts *f, const Stack *s, const StackEntry *entry, const char *target,
                        double factor, Arena *a, StackItem *x) {
    const char *name = known_as(entry->name);
    const StackNeed *need = need_named(f, entry->name);
    const Package *package = package_named(f, name);
    const Library *library = entry->kind == STACK_LIBRARY ? library_named(f, entry->name) : NULL;
    *x = (StackItem){.kind = entry->kind,
                     .name = entry->name,
                     .title = entry->name,
                     .version = entry->version,
                     .fit = FIT_UNKNOWN,
                     .change = "",
                     .lost = "",
                     .install = "",
                     .trap = "",
                     .source = "",
                     .as_of = ""};
    if (need != NULL && (entry->kind == STACK_NEED || package == NULL || need->on_amd == FIT_BLOCKED)) {
        take_need(f, need, target, entry->count, x);
    } else if (library != NULL) {
        take_library(f, library, a, x);
    } else if (package != NULL) {
        take_package(f, package, a, x);
    }
    if (package != NULL && x->install[0] == '\0') x->install = package->install_instead;
    take_evidence(f, need != NULL && need->subject[0] != '\0' ? need->subject : subject_of(f, name), target,
                  a, x);
    for (size_t i = 0; i < s->n_replaceable; i++)
        x->replaceable = x->replaceable || same_name(s->replaceable[i], entry->name);
    if (x->rule == NULL) return;
    double weight = repeated(&f->porting, x->rule, x->rule->per == UNIT_FILE && x->count > 1 ? 1 : x->count);
    x->days_low = x->rule->minutes_low * weight * factor;
    x->days_high = x->rule->minutes_high * weight * factor;
    x->days = (x->days_low + x->days_high) / 2;
}

static bool wanted_step(const Stack *s, const MoveStep *step, bool code) {
    if (strcmp(step->when, "always") == 0 || (code && strcmp(step->when, "code") == 0)) return true;
    for (size_t i = 0; i < s->n_entries; i++) {
        if (same_name(known_as(s->entries[i].name), step->when)) return true;
    }
    return false;
}

static void pick_steps(const StackFacts *f, const StackView *v, Arena *a, StackView *ret) {
    const MoveStep **steps = arena_alloc(a, f->n_steps + 1, sizeof *steps);
    bool code = v->stack->kernel_kloc > 0;
    for (size_t i = 0; i < v->n_items; i++)
        code = code || (v->items[i].rule != NULL && v->items[i].rule->area == AREA_SOURCE);
    for (size_t i = 0; i < f->n_steps; i++) {
        if (wanted_step(v->stack, &f->steps[i], code)) steps[ret->n_steps++] = &f->steps[i];
    }
    ret->steps = steps;
}

bool stack_judge(const StackFacts *facts, const Stack *stack, const char *target, double engineer_day_usd,
                 Arena *a, StackView *ret_view, Err *e) {
    StackView v = {.stack = stack, .target = target};
    StackItem *items = arena_alloc(a, stack->n_entries + 1, sizeof *items);
    EffortItem *work = arena_alloc(a, stack->n_entries + 1, sizeof *work);
    EffortAssumptions as = {.team = stack->team >= 0 ? (Team)stack->team : TEAM_SOME,
                            .test_coverage = stack->test_coverage,
                            .engineer_day_usd = engineer_day_usd,
                            .cuda_kloc = is_known(stack->kernel_kloc) ? stack->kernel_kloc : 0};
    EffortFit fit;
    size_t n_work = 0;
    if (!effort_fit(&facts->porting, &fit, e)) return false;
    double factor = fit.first_port / factor_value(&facts->porting, "minutes_a_day");
    for (size_t i = 0; i < stack->n_entries; i++) {
        StackItem *x = &items[i];
        judge_entry(facts, stack, &stack->entries[i], target, factor, a, x);
        v.by_fit[x->fit]++;
        v.stuck += x->fit == FIT_BLOCKED && !x->replaceable;
        if (x->rule == NULL || x->count <= 0) continue;
        v.findings[x->rule->port_class]++;
        work[n_work++] = (EffortItem){.rule = x->rule, .dependency = x->name, .count = x->count};
    }
    v.items = items;
    v.n_items = stack->n_entries;
    pick_steps(facts, &v, a, &v);
    if (!effort_estimate(&facts->porting, work, n_work, &as, a, &v.effort, e))
        return err_wrap(e, "judge the stack");
    *ret_view = v;
    return true;
}
