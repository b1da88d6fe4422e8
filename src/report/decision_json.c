// The decision part of an Advice as JSON: migration, break-even, transitions, sensitivity, stack, costs.
#include <math.h>

#include "src/report/figures.h"

// ---------------------------------------------------------------- the move

void effort_json(const Effort *x, Json *parent) {
    Json *days = json_add_object(parent, "effort_days");
    estimate_json(days, "first_port", &x->first_port);
    estimate_json(days, "tests_and_ci", &x->tests_and_ci);
    estimate_json(days, "kept_a_year", &x->maintenance_a_year);
    Json *usd = json_add_object(parent, "effort_usd");
    estimate_json(usd, "first_port", &x->first_port_usd);
    estimate_json(usd, "tests_and_ci", &x->tests_and_ci_usd);
    estimate_json(usd, "kept_a_year", &x->maintenance_a_year_usd);
}

static void migration_json(const Move *m, Json *root) {
    const Effort *x = m->effort;
    Json *j = json_add_object(root, "migration");
    json_add(j, J_TEXT("source", m->source), J_BOOL("scanned", m->scanned));
    effort_json(x, j);
    json_add(j, J_TEXT("confidence", x->confidence), J_TEXT("confidence_note", x->confidence_note));
    Json *findings = json_add_object(j, "findings");
    for (size_t c = 0; c < PORT_CLASS_COUNT; c++)
        json_add_integer(findings, port_class_names[c], (int64_t)m->findings[c]);
    Json *blockers = json_add_array(j, "blockers");
    for (size_t i = 0; i < x->n_leave_out; i++) {
        Json *b = json_add_object(blockers, NULL);
        json_add(b, J_TEXT("name", x->leave_out[i].name), J_NUMBER("days", x->leave_out[i].days),
                 J_TEXT_OR_NULL("lost", x->leave_out[i].lost));
    }
    json_add(j, J_NUMBER("first_port_without_blockers_days", x->first_port.value),
             J_NUMBER("first_port_with_blockers_days", x->first_port_with_blockers),
             J_INTEGER("not_analysed", m->not_analysed));
}

static void transition_figures(const Transition *l, Json *j) {
    const struct {
        const char *key;
        const Estimate *x;
    } figures[] = {
        {"bill_usd_per_month", &l->bill},
        {"bill_after_usd_per_month", &l->bill_after},
        {"billed_after_usd_per_month", &l->billed_after},
        {"days", &l->days},
        {"work_usd", &l->work},
        {"dual_running_usd", &l->parallel_running},
        {"egress_usd", &l->egress},
        {"leaving_usd", &l->unused_commitment},
        {"once_usd", &l->once},
        {"upkeep_usd_per_month", &l->upkeep},
        {"saving_usd_per_month", &l->saving},
        {"months", &l->break_even_months},
        {"npv_usd", &l->npv},
        {"weeks_to_production", &l->weeks},
    };
    for (size_t i = 0; i < COUNT_OF(figures); i++) estimate_json(j, figures[i].key, figures[i].x);
    json_add(j, J_NUMBER("port_days_at_most", l->port_days_at_most), J_NUMBER("never_probability", l->never),
             J_NUMBER("pays_probability", l->pays),
             J_NUMBER("pays_probability_without_leaving", l->pays_without_unused_commitment),
             J_NUMBER("movable_share_pays_probability", l->pays_share),
             J_NUMBER("pays_more_than_other_moves_probability", l->pays_best), J_TEXT("text", l->text));
    Json *curve = json_add_array(j, "curve");
    for (size_t i = 0; i < l->n_curve; i++) {
        Json *point = json_add_object(curve, NULL);
        json_add(point, J_NUMBER("month", l->curve_month[i]), J_NUMBER("value_usd", l->curve[i]),
                 J_NUMBER("low_usd", l->curve_low[i]), J_NUMBER("high_usd", l->curve_high[i]));
    }
}

static void end_json(const Option *o, Json *parent, const char *key) {
    Json *j = json_add_object(parent, key);
    json_add(j, J_TEXT("vendor", vendor_names[o->gpu->vendor]), J_TEXT("gpu", o->gpu->sku_id),
             J_INTEGER("gpu_count", o->gpu_count), J_TEXT("provider", o->offer->provider),
             J_NUMBER("price_usd_per_gpu_hour", o->price_usd_gpu_h));
}

static void transitions_json(const Advice *advice, Json *root) {
    const Transition *across = advice->transitions[TRANSITION_VENDOR];
    if (advice->move != NULL) {
        migration_json(advice->move, root);
    } else {
        json_add_null(root, "migration");
    }
    if (advice->move != NULL && across != NULL) {
        transition_figures(across, json_add_object(root, "break_even"));
    } else {
        json_add_null(root, "break_even");
    }
    Json *transitions = json_add_array(root, "lanes");
    for (int i = 0; i < TRANSITION_COUNT; i++) {
        const Transition *l = advice->transitions[i];
        if (l == NULL) continue;
        Json *j = json_add_object(transitions, NULL);
        json_add_text(j, "lane", transition_names[l->id]);
        end_json(l->from, j, "from");
        end_json(l->to, j, "to");
        transition_figures(l, j);
    }
}

// ---------------------------------------------------------------- what would turn it

static void sensitivity_json(const Advice *advice, Json *root) {
    const Transition *l = advice->transitions[TRANSITION_VENDOR];
    bool moves = l != NULL && is_known(l->npv.value);
    Json *sensitivities = json_add_array(root, "sensitivity");
    for (size_t i = 0; i < advice->n_sensitivities; i++) {
        const Sensitivity *f = &advice->sensitivities[i];
        Json *j = json_add_object(sensitivities, NULL);
        json_add(j, J_TEXT("assumption", f->what), J_TEXT("unit", f->unit), J_NUMBER("value", f->value),
                 J_NUMBER("low", f->low), J_NUMBER("high", f->high), J_NUMBER("flip_value", f->flip),
                 J_NUMBER("verdict_changes_at", f->verdict_changes), J_NUMBER("holds_at", f->holds),
                 J_TEXT("result", moves ? "npv_usd" : "cost_ratio_amd_to_nvidia"),
                 J_NUMBER("result_at_low", f->at_low), J_NUMBER("result_at_high", f->at_high),
                 J_TEXT("text", f->text));
    }
}

// ---------------------------------------------------------------- the stack

static void evidence_json(const StackItem *x, Json *parent) {
    Json *list = json_add_array(parent, "claims");
    for (size_t i = 0; i < x->n_evidence; i++) {
        const StackEvidence *v = &x->evidence[i];
        const Claim *c = v->claim;
        Json *j = json_add_object(list, NULL);
        json_add(j, J_TEXT("status", c->status), J_TEXT("standing", c->standing),
                 J_TEXT_OR_NULL("since_version", c->since_version),
                 J_TEXT_OR_NULL("framework_version", c->framework_version),
                 J_TEXT_OR_NULL("platform_version", c->platform_version),
                 J_TEXT_OR_NULL("gpu_scope", c->gpu_scope), J_TEXT_OR_NULL("install_hint", c->install_hint),
                 J_TEXT_OR_NULL("note", c->note), J_TEXT("source_type", c->source_type),
                 J_TEXT("source", c->source), J_TEXT("as_of", c->as_of), J_BOOL("wins", v->wins),
                 J_BOOL("disagrees", v->disagrees), J_TEXT("why", v->why));
    }
}

static void item_json(const StackItem *x, Json *j) {
    json_add(j, J_TEXT("kind", stack_kind_names[x->kind]), J_TEXT("name", x->name), J_TEXT("title", x->title),
             J_TEXT_OR_NULL("version", x->version), J_TEXT("verdict", fit_names[x->fit]),
             J_BOOL("may_be_replaced", x->replaceable), J_TEXT_OR_NULL("change", x->change),
             J_TEXT_OR_NULL("lost", x->lost), J_TEXT_OR_NULL("install", x->install),
             J_TEXT_OR_NULL("trap", x->trap));
    double unknown = x->rule != NULL ? 0 : (double)NAN;
    estimate_json(j, "days",
                  &(Estimate){x->days + unknown, x->days_low + unknown, x->days_high + unknown,
                              x->rule != NULL ? BASIS_CALIBRATED : BASIS_UNKNOWN,
                              x->rule != NULL ? x->rule->source : ""});
    json_add(j, J_TEXT_OR_NULL("source", x->source), J_TEXT_OR_NULL("as_of", x->as_of));
    evidence_json(x, j);
}

void stack_json(const StackView *view, Json *parent, const char *key) {
    Json *j = json_object_if(parent, key, view != NULL);
    if (j == NULL) return;
    json_add(j, J_TEXT_OR_NULL("file", view->stack->path), J_TEXT_OR_NULL("target", view->target));
    Json *counts = json_add_object(j, "counts");
    for (int i = 0; i < FIT_COUNT; i++) json_add_integer(counts, fit_names[i], (int64_t)view->by_fit[i]);
    json_add_integer(j, "blocked_and_needed", (int64_t)view->stuck);
    Json *items = json_add_array(j, "items");
    for (size_t i = 0; i < view->n_items; i++) item_json(&view->items[i], json_add_object(items, NULL));
    Json *steps = json_add_array(j, "steps");
    for (size_t i = 0; i < view->n_steps; i++) {
        const MoveStep *s = view->steps[i];
        Json *step = json_add_object(steps, NULL);
        json_add(step, J_TEXT("title", s->title), J_TEXT("how", s->how), J_TEXT_OR_NULL("trap", s->trap),
                 J_TEXT("source", s->source), J_TEXT("as_of", s->as_of));
    }
}

// ---------------------------------------------------------------- costs

void sums_json(Json *parent, const Estimate *usd_month, double term_months) {
    Estimate year = usd_over(usd_month, 12);
    Estimate term = usd_over(usd_month, term_months);
    estimate_json(parent, "usd_per_month", usd_month);
    estimate_json(parent, "usd_per_year", &year);
    estimate_json(parent, "usd_over_term", &term);
    json_add_number(parent, "term_months", term_months);
}

static void cost_json(const Advice *advice, const Costs *c, Json *parent, const char *key) {
    Json *j = json_object_if(parent, key, c->option != NULL);
    if (j == NULL) return;
    end_json(c->option, j, "option");
    sums_json(j, &c->usd_month, advice->term_months);
    estimate_json(j, "output_usd_per_mtok", &c->option->output_usd_mtok);
    estimate_json(j, "kwh_per_mtok", &c->kwh_per_mtok);
    json_add(j, J_NUMBER("power_kw", c->power_kw), J_NUMBER("power_usd_per_month", c->power_usd_month));
}

static void costs_json(const Advice *advice, Json *root) {
    Json *costs = json_add_object(root, "costs");
    for (int v = 0; v < VENDOR_COUNT; v++) cost_json(advice, &advice->costs[v], costs, vendor_names[v]);
    cost_json(advice, &advice->costs[VENDOR_COUNT], costs, "current");
    owning_json(advice, root);
}

void terms_json(const Facts *facts, const Ask *ask, Json *root) {
    Json *list = json_add_array(root, "assumptions");
    for (int t = 0; t < TERM_COUNT; t++) {
        Estimate x = term_of(facts, ask, (Term)t);
        Json *j = json_add_object(list, NULL);
        json_add(j, J_TEXT("name", term_specs[t].key), J_TEXT("unit", term_specs[t].unit),
                 J_TEXT("what", term_specs[t].what), J_NUMBER("value", x.value), J_NUMBER("low", x.low),
                 J_NUMBER("high", x.high), J_TEXT_OR_NULL("source", x.sources));
    }
}

void decision_json(const Advice *advice, Json *root) {
    transitions_json(advice, root);
    sensitivity_json(advice, root);
    stack_json(advice->stack, root, "compatibility");
    costs_json(advice, root);
}
