// The decision part of an Advice as text: what would flip it, the stack, moving and break-even, owning, an
// API's price.
#include <math.h>
#include <string.h>

#include "src/report/page.h"

static const char *usd(Page *p, double x) {
    return is_known(x) ? arena_printf(p->arena, "%s$%s", x < 0 ? "-" : "", page_number(p, fabs(x), 3))
                       : "not counted";
}

static const char *usd_range(Page *p, const Estimate *x) {
    if (!is_known(x->value)) return "not known";
    if (!(x->high > x->low)) return usd(p, x->value);
    return arena_printf(p->arena, "%s (%s to %s)", usd(p, x->value), usd(p, x->low), usd(p, x->high));
}

// ---------------------------------------------------------------- what would flip it

static void sensitivities(Page *p) {
    const Advice *advice = p->advice;
    double widest = 0;
    if (advice->n_sensitivities == 0) return;
    page_heading(p, "What would flip it");
    for (size_t i = 0; i < advice->n_sensitivities; i++)
        widest = fmax(widest, fabs(advice->sensitivities[i].at_high - advice->sensitivities[i].at_low));
    size_t small = 0;
    for (size_t i = 0; i < advice->n_sensitivities; i++) {
        const Sensitivity *f = &advice->sensitivities[i];
        bool little =
            fabs(f->at_high - f->at_low) < widest / 20 && !is_known(f->flip) && !is_known(f->verdict_changes);
        small += little;
        if (!little) bullet_printf(p, "*", "%s: %s", f->what, f->text);
    }
    if (small > 0)
        bullet_printf(p, "*", "%s by less than a twentieth of that; --json has %s",
                      small == 1 ? "one more assumption moves the result"
                                 : arena_printf(p->arena, "%zu more assumptions move the result", small),
                      small == 1 ? "it" : "them");
}

// ---------------------------------------------------------------- the stack

static const char *days_words(Page *p, const StackItem *x) {
    if (x->rule == NULL || x->days <= 0) return "";
    return arena_printf(p->arena, " [%s, %s to %s]", counted_number(p->arena, x->days, 2, "day"),
                        page_number(p, x->days_low, 2), page_number(p, x->days_high, 2));
}

static void evidence_lines(Page *p, const StackItem *x) {
    enum { SHOWN = 4 };
    size_t shown = 0;
    for (size_t i = 0; i < x->n_evidence && shown < SHOWN; i++) {
        const StackEvidence *v = &x->evidence[i];
        if (!v->wins && !v->disagrees) continue;
        const Claim *c = v->claim;
        const char *version =
            c->framework_version[0] != '\0' ? arena_printf(p->arena, " %s", c->framework_version) : "";
        const char *on =
            c->platform_version[0] != '\0' ? arena_printf(p->arena, " on ROCm %s", c->platform_version) : "";
        const char *scope = c->gpu_scope[0] != '\0' ? arena_printf(p->arena, " (%s)", c->gpu_scope) : "";
        bullet_printf(p, v->wins ? "    =" : "    x", "%s%s%s%s, %s: %s; %s", c->status, version, on, scope,
                      v->why, c->source, c->as_of);
        shown++;
    }
}

// A guess has a line for each package of a project: what works goes without saying there.
static void stack_items(Page *p, const StackView *v) {
    enum { GUESSES = 20 };
    bool guessed = v->stack->path[0] == '\0';
    size_t shown = 0;
    size_t kept_back = 0;
    for (size_t i = 0; i < v->n_items; i++) {
        const StackItem *x = &v->items[i];
        if (guessed && (x->fit == FIT_WORKS || shown == GUESSES)) {
            kept_back += x->fit != FIT_WORKS;
            continue;
        }
        shown++;
        const char *gives_up = x->fit == FIT_BLOCKED && x->replaceable ? " (may be replaced)" : "";
        bullet_printf(p, "*", "%s%s%s: %s%s%s", x->title, x->version[0] != '\0' ? " " : "", x->version,
                      fit_titles[x->fit], gives_up, days_words(p, x));
        if (x->change[0] != '\0') page_bullet(p, "    change:", x->change);
        if (x->lost[0] != '\0') page_bullet(p, "    lost:", x->lost);
        if (x->install[0] != '\0') page_bullet(p, "    install:", x->install);
        if (x->trap[0] != '\0') page_bullet(p, "    trap:", x->trap);
        evidence_lines(p, x);
    }
    if (kept_back > 0) bullet_printf(p, "*", "and %zu more; --json has them", kept_back);
}

// Then there is nothing to move there.
static bool runs_on_amd(const Advice *advice) {
    return advice->current != NULL && advice->current->gpu->vendor == VENDOR_AMD;
}

static void stack(Page *p, const StackView *v, bool moves) {
    page_heading(p,
                 arena_printf(p->arena, "The stack on AMD%s%s", v->target[0] != '\0' ? ", " : "", v->target));
    page_printf(p, "in all", "%zu work, %zu with changes, %zu lose a feature, %zu blocked, %zu unknown",
                v->by_fit[FIT_WORKS], v->by_fit[FIT_CHANGES], v->by_fit[FIT_LOSES], v->by_fit[FIT_BLOCKED],
                v->by_fit[FIT_UNKNOWN]);
    stack_items(p, v);
    if (!moves) return;
    if (v->n_steps > 0) page_heading(p, "The move, step by step");
    for (size_t i = 0; i < v->n_steps; i++) {
        const MoveStep *s = v->steps[i];
        bullet_printf(p, arena_printf(p->arena, "%2zu", i + 1), "%s: %s%s%s", s->title, s->how,
                      s->trap[0] != '\0' ? ". Trap: " : "", s->trap);
    }
}

void stack_text(const StackView *view, Format format, Room room, Arena *a, Buf *out) {
    Page p = {.format = format, .room = room, .arena = a, .out = out};
    stack(&p, view, true);
    const Effort *x = &view->effort;
    page_heading(&p, "Work");
    page_printf(&p, "first port", "%s days", page_range(&p, &x->first_port, 2));
    page_printf(&p, "tests and CI", "%s days", page_range(&p, &x->tests_and_ci, 2));
    page_printf(&p, "maintenance a year", "%s days", page_range(&p, &x->maintenance_a_year, 2));
    page_printf(&p, "confidence", "%s: %s", x->confidence, x->confidence_note);
}

// ---------------------------------------------------------------- moving

static void work_line(Page *p, const char *what, const Estimate *days, const Estimate *money) {
    const char *words = is_known(money->value)
                            ? arena_printf(p->arena, ", $%s to $%s", page_number(p, money->low, 3),
                                           page_number(p, money->high, 3))
                            : "";
    page_printf(p, what, "%s (%s to %s)%s", counted_number(p->arena, days->value, 2, "day"),
                page_number(p, days->low, 2), page_number(p, days->high, 2), words);
}

static void work(Page *p, const Move *m) {
    const Effort *x = m->effort;
    page_line(p, m->scanned ? "source" : "stack", text_clean(p->arena, m->source));
    if (x->first_port.value > 0) {
        work_line(p, "first port", &x->first_port, &x->first_port_usd);
        work_line(p, "tests and CI", &x->tests_and_ci, &x->tests_and_ci_usd);
        work_line(p, "maintenance a year", &x->maintenance_a_year, &x->maintenance_a_year_usd);
        page_printf(p, "confidence", "%s: %s", x->confidence, x->confidence_note);
        page_printf(p, "findings", "%zu automatic, %zu review, %zu manual, %zu blocker",
                    m->findings[PORT_AUTOMATIC], m->findings[PORT_REVIEW], m->findings[PORT_MANUAL],
                    m->findings[PORT_BLOCKER]);
    }
    for (size_t i = 0; i < x->n_leave_out; i++) {
        page_printf(p, "blocker", "%s, %s; without it is lost: %s",
                    text_clean(p->arena, x->leave_out[i].name),
                    counted_number(p->arena, x->leave_out[i].days, 2, "day"), x->leave_out[i].lost);
    }
    if (m->not_analysed > 0)
        page_printf(p, "not analysed", "%s; `gpuadvise migrate scan` lists %s",
                    m->not_analysed == 1 ? "one file or folder"
                                         : arena_printf(p->arena, "%zu files and folders", m->not_analysed),
                    m->not_analysed == 1 ? "it" : "them");
}

// Each chance with its own question: against nothing at all, and against what else could be done.
static const char *chances(Page *p, const Transition *l) {
    const Advice *x = p->advice;
    bool others = l->id == TRANSITION_VENDOR && x->transitions[TRANSITION_PROVIDER] != NULL;
    const char *nothing = arena_printf(p->arena, "above nothing with probability %.2f (%zu draws)", l->pays,
                                       x->verdict.samples);
    if (!others) return nothing;
    return arena_printf(p->arena,
                        "%s, and above what staying with %s at the best provider is worth with probability "
                        "%.2f, which is what the verdict asks",
                        nothing, vendor_titles[l->from->gpu->vendor], l->pays_best);
}

static void transition(Page *p, const Transition *l) {
    Arena *a = p->arena;
    const char *title = l->id == TRANSITION_VENDOR ? "Across vendors (software, contract and data)"
                                                   : "To another provider, same vendor (contract and data)";
    page_heading(p, title);
    page_printf(p, "from", "%s, %s a month", place_text(a, l->from), usd_range(p, &l->bill));
    page_printf(p, "to", "%s, %s a month as billed; %s for the work that the old fleet does",
                place_text(a, l->to), usd_range(p, &l->billed_after), usd_range(p, &l->bill_after));
    if (is_known(l->once.value)) {
        page_printf(p, "once", "%s: work %s, both fleets %s, data %s, commitment unused %s",
                    usd_range(p, &l->once), usd(p, l->work.value), usd(p, l->parallel_running.value),
                    usd(p, l->egress.value), usd(p, l->unused_commitment.value));
        page_printf(p, "days", "%s engineer-days, %s weeks to production", page_range(p, &l->days, 2),
                    page_range(p, &l->weeks, 2));
        page_printf(p, "upkeep", "%s a month", usd_range(p, &l->upkeep));
    }
    if (is_known(l->saving.value))
        page_printf(p, "saving", "%s a month for the same work; the bill itself changes by %s",
                    usd_range(p, &l->saving), usd(p, l->billed_after.value - l->bill.value));
    page_line(p, "break-even", l->text);
    if (is_known(l->npv.value)) {
        const char *term = counted_number(a, l->curve_month[l->n_curve - 1], 3, "month");
        page_printf(p, "worth", "%s today, over %s; %s", usd_range(p, &l->npv), term, chances(p, l));
    }
}

void decision_text(Page *p) {
    const Advice *advice = p->advice;
    sensitivities(p);
    if (advice->stack != NULL && advice->stack->n_items > 0) stack(p, advice->stack, !runs_on_amd(advice));
    if (advice->move != NULL && !runs_on_amd(advice)) {
        page_heading(p, "Moving the code to AMD");
        work(p, advice->move);
    }
    for (int i = TRANSITION_COUNT - 1; i >= 0; i--) {
        if (advice->transitions[i] != NULL) transition(p, advice->transitions[i]);
    }
    owning_text(p);
    if (advice->api != NULL) {
        page_heading(p, "An API instead");
        page_line(p, "API", advice->api->text);
    }
}

void terms_text(Page *p, const Facts *facts) {
    const Ask *ask = p->advice->ask;
    if (p->advice->transitions[TRANSITION_VENDOR] == NULL &&
        p->advice->transitions[TRANSITION_PROVIDER] == NULL && !ask->onprem)
        return;
    const char *list = "";
    for (int t = 0; t < TERM_COUNT; t++) {
        Estimate x = term_of(facts, ask, (Term)t);
        if (!is_known(x.value)) continue;
        list = arena_printf(p->arena, "%s%s%s %s", list, list[0] != '\0' ? ", " : "", term_specs[t].key,
                            page_range(p, &x, 3));
    }
    bullet_printf(p, "*", "money and time: %s; where they come from: --json", list);
}
