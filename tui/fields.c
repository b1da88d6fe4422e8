// The assumptions of the report as fields: their names, what was typed into them, what they are without a change.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/advise/sizing.h"
#include "tui/screen.h"
#include "tui/units.h"

// In the order shown.
const WhatifField field_table[] = {
    {"workload", "workload", ""},
    {"model", "model", ""},
    {"isl", "input tokens", "tokens"},
    {"osl", "output tokens", "tokens"},
    {"rate", "requests", "1/s"},
    {"traffic", "traffic", ""},
    {"sessions", "agent sessions", ""},
    {"concurrency", "in flight", ""},
    {"ttft", "TTFT p99 limit", "ms"},
    {"tpot", "TPOT p99 limit", "ms"},
    {"weights", "weights", ""},
    {"kv", "KV cache", ""},
    {"draft-tokens", "draft tokens", "tokens"},
    {"accepted-tokens", "accepted tokens", "tokens"},
    {"cached-prompt", "prompt cached", "0-1"},
    {"power-cap", "power cap", "W"},
    {"engine", "engine", ""},
    {"vendor", "vendor", ""},
    {"gpu", "GPU", ""},
    {"exclude-gpu", "without GPU", ""},
    {"gpus", "GPUs at most", ""},
    {"fleet", "GPUs exactly", ""},
    {"site-kw", "site power", "kW"},
    {"price", "price of my own", "$/GPU-h"},
    {"discount", "discount", "%"},
    {"spot", "spot prices", ""},
    {"reserved", "reserved", ""},
    {"provider", "provider", ""},
    {"exclude-provider", "without provider", ""},
    {"region", "region", ""},
    {"max-price", "price at most", "$/GPU-h"},
    {"max-age", "prices not older", "days"},
    {"duty-cycle", "duty cycle", "0-1"},
    {"power-price", "power price", "$/kWh"},
    {"pue", "PUE", ""},
    {"onprem", "on premises", ""},
    {"current", "what runs now", "$/GPU-h"},
    {"stack", "stack file", ""},
    {"source", "code to move", ""},
    {"engineer-day-usd", "engineer-day", "$"},
    {"horizon-months", "horizon", "months"},
    {"discount-rate", "discount rate", "% a year"},
    {"team-size", "team", "people"},
    {"movable-share", "movable share", "0-1"},
    {"jobs-per-month", "jobs", "1/month"},
    {"api-usd-per-mtok", "API, output", "$/Mtok"},
    {"api-input-usd-per-mtok", "API, input", "$/Mtok"},
};
const size_t n_fields = COUNT_OF(field_table);
_Static_assert(COUNT_OF(field_table) <= FIELDS_MAX, "Fields has room for every row");

const TuiOption *field_option(const Tui *t, size_t field) {
    for (size_t i = 0; i < t->host->n_options; i++) {
        if (strcmp(t->host->options[i].name, field_table[field].option) == 0) return &t->host->options[i];
    }
    return NULL;
}

const char *field_value(const Tui *t, const char *option) {
    for (size_t i = 0; i < n_fields; i++) {
        if (strcmp(field_table[i].option, option) == 0) return t->fields.value[i];
    }
    return "";
}

bool field_set(Tui *t, const char *option, const char *text) {
    for (size_t i = 0; i < n_fields; i++) {
        double x = 0;
        const TuiOption *o = field_option(t, i);
        if (strcmp(field_table[i].option, option) != 0 || o == NULL || strlen(text) >= FIELD_BYTES) continue;
        bool dressed = o->number && text[strspn(text, "0123456789.")] != '\0' &&
                       unit_number(text, field_table[i].unit, &x);
        if (dressed) {
            snprintf(t->fields.value[i], FIELD_BYTES, "%.12g", x);
        } else {
            snprintf(t->fields.value[i], FIELD_BYTES, "%s", text);
        }
        return true;
    }
    return false;
}

void fields_changed_now(Tui *t) {
    t->views[VIEW_ADVICE].loaded = false;
    t->views[VIEW_WHATIF].loaded = false;
    t->views[VIEW_COMPAT].loaded = false;
}

size_t fields_changed(const Tui *t) {
    size_t n = 0;
    for (size_t i = 1; i < n_fields; i++) n += t->fields.value[i][0] != '\0';
    return n;
}

size_t fields_words(const Tui *t, Arena *a, const char ***ret_words) {
    const char **words = arena_alloc(a, 2 * FIELDS_MAX + 4, sizeof *words);
    size_t n = 0;
    words[n++] = "report";
    for (size_t i = 0; i < n_fields; i++) {
        const char *value = t->fields.value[i];
        const TuiOption *o = field_option(t, i);
        if (value[0] == '\0' || o == NULL) continue;
        words[n++] = o->flag ? arena_printf(a, "--%s=%s", o->name, value) : arena_printf(a, "--%s", o->name);
        if (!o->flag) words[n++] = value;
    }
    words[n++] = "--top";  // the most that it takes: filters and sorting see every option
    words[n++] = "10000";
    *ret_words = words;
    return n;
}

// ---------------------------------------------------------------- what a field is without a change

const char *field_number(Arena *a, double x) { return is_known(x) ? number_text(a, x, 6) : "none"; }

static const char *or_any(const char *text) { return text[0] != '\0' ? text : "any"; }
static const char *or_none(const char *text) { return text[0] != '\0' ? text : "none"; }

// What the answer was asked for, or what stands for it in the tables.
const char *field_effective(const TuiAnswer *answer, const char *option, Arena *a) {
    const Ask *ask = answer->advice->ask;
    const Workload *w = &ask->workload;
    const struct {
        const char *option;
        double number;
        const char *text;
    } values[] = {
        {"workload", 0, w->workload_id},
        {"model", 0, ask->model != NULL ? ask->model->model_id : "none"},
        {"isl", w->isl_tokens, NULL},
        {"osl", w->osl_tokens, NULL},
        {"rate", w->rate_rps, NULL},
        {"traffic", 0, answer->advice->load != NULL ? answer->advice->load->name : or_none(w->traffic_id)},
        {"sessions", ask->sessions > 0 ? ask->sessions : (double)NAN, NULL},
        {"concurrency", w->concurrency, NULL},
        {"ttft", w->ttft_p99_ms, NULL},
        {"tpot", w->tpot_ms, NULL},
        {"weights", 0, or_any(w->weights)},
        {"kv", 0, or_any(w->kv)},
        {"power-cap", ask->techniques.power_cap_w > 0 ? ask->techniques.power_cap_w : (double)NAN, NULL},
        {"engine", 0, or_any(names_text(&ask->engines, a))},
        {"vendor", 0, ask->vendor >= 0 ? vendor_names[ask->vendor] : "any"},
        {"gpu", 0, or_any(names_text(&ask->gpus, a))},
        {"gpus", ask->gpus_max, NULL},
        {"fleet", ask->fleet, NULL},
        {"site-kw", ask->site_kw, NULL},
        {"exclude-gpu", 0, or_none(names_text(&ask->without_gpus, a))},
        {"exclude-provider", 0, or_none(names_text(&ask->without_providers, a))},
        {"spot", 0, ask->pricing_model == PRICING_SPOT ? "yes" : "no"},
        {"reserved", 0,
         ask->pricing_model == PRICING_RESERVED_1Y   ? "1y"
         : ask->pricing_model == PRICING_RESERVED_3Y ? "3y"
                                                     : "no"},
        {"provider", 0, or_any(names_text(&ask->providers, a))},
        {"region", 0, or_any(ask->region)},
        {"max-price", ask->max_price_usd_gpu_h, NULL},
        {"max-age", ask->max_age_days, NULL},
        {"duty-cycle", w->duty_cycle, NULL},
        {"price", 0, "as listed"},
        {"onprem", 0, ask->onprem ? "yes" : "no"},
    };
    for (int i = 0; i < TERM_COUNT; i++) {
        if (strcmp(term_specs[i].key, option) == 0)
            return field_number(a, term_of(answer->facts, ask, (Term)i).value);
    }
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        if (strcmp(values[i].option, option) == 0)
            return values[i].text != NULL ? values[i].text : field_number(a, values[i].number);
    }
    return "none";
}

// Input and output share the context, and at the end of an answer both stand in it.
double field_most(const TuiAnswer *answer, const char *option) {
    if (answer->advice == NULL || answer->advice->ask->model == NULL) return (double)NAN;
    const Workload *w = &answer->advice->ask->workload;
    double context = answer->advice->ask->model->max_context;
    bool input = strcmp(option, "isl") == 0;
    if (!input && strcmp(option, "osl") != 0) return (double)NAN;
    double other = input ? w->osl_tokens : w->isl_tokens;
    return is_known(other) && context > other ? context - other : context;
}
