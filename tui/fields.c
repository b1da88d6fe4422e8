// The assumptions of the report as fields: their names, what was typed into them, what they are without a change.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/advise/sizing.h"
#include "tui/screen.h"
#include "tui/units.h"

// ROW(option, label, unit, what it is without a change), in the order shown. `ask` and `w`: the answer's question and its workload.
// clang-format off
#define WHATIF_FIELDS(ROW) \
    ROW("workload", "workload", "", w->workload_id) \
    ROW("model", "model", "", ask->model != NULL ? ask->model->model_id : "none") \
    ROW("isl", "input tokens", "tokens", NUMBER(w->isl_tokens)) \
    ROW("osl", "output tokens", "tokens", NUMBER(w->osl_tokens)) \
    ROW("rate", "requests", "1/s", NUMBER(w->rate_rps)) \
    ROW("traffic", "traffic", "", answer->advice->load != NULL ? answer->advice->load->name : or_none(w->traffic_id)) \
    ROW("sessions", "agent sessions", "", NUMBER(ask->sessions > 0 ? ask->sessions : (double)NAN)) \
    ROW("concurrency", "in flight", "", NUMBER(w->concurrency)) \
    ROW("ttft", "TTFT p99 limit", "ms", NUMBER(w->ttft_p99_ms)) \
    ROW("tpot", "TPOT p99 limit", "ms", NUMBER(w->tpot_ms)) \
    ROW("weights", "weights", "", or_any(w->weights)) \
    ROW("kv", "KV cache", "", or_any(w->kv)) \
    ROW("draft-tokens", "draft tokens", "tokens", "none") \
    ROW("accepted-tokens", "accepted tokens", "tokens", "none") \
    ROW("cached-prompt", "prompt cached", "0-1", "none") \
    ROW("power-cap", "power cap", "W", NUMBER(ask->techniques.power_cap_w > 0 ? ask->techniques.power_cap_w : (double)NAN)) \
    ROW("engine", "engine", "", or_any(names_text(&ask->engines, a))) \
    ROW("vendor", "vendor", "", ask->vendor >= 0 ? vendor_names[ask->vendor] : "any") \
    ROW("gpu", "GPU", "", or_any(names_text(&ask->gpus, a))) \
    ROW("exclude-gpu", "without GPU", "", or_none(names_text(&ask->without_gpus, a))) \
    ROW("gpus", "GPUs at most", "", NUMBER(ask->gpus_max)) \
    ROW("fleet", "GPUs exactly", "", NUMBER(ask->fleet)) \
    ROW("site-kw", "site power", "kW", NUMBER(ask->site_kw)) \
    ROW("price", "price of my own", "$/GPU-h", "as listed") \
    ROW("discount", "discount", "%", "none") \
    ROW("spot", "spot prices", "", ask->pricing_model == PRICING_SPOT ? "yes" : "no") \
    ROW("reserved", "reserved", "", reserved_for(ask->pricing_model)) \
    ROW("provider", "provider", "", or_any(names_text(&ask->providers, a))) \
    ROW("exclude-provider", "without provider", "", or_none(names_text(&ask->without_providers, a))) \
    ROW("region", "region", "", or_any(ask->region)) \
    ROW("max-price", "price at most", "$/GPU-h", NUMBER(ask->max_price_usd_gpu_h)) \
    ROW("max-age", "prices not older", "days", NUMBER(ask->max_age_days)) \
    ROW("duty-cycle", "duty cycle", "0-1", NUMBER(w->duty_cycle)) \
    ROW("power-price", "power price", "$/kWh", TERM(TERM_POWER_PRICE)) \
    ROW("pue", "PUE", "", TERM(TERM_PUE)) \
    ROW("onprem", "on premises", "", ask->onprem ? "yes" : "no") \
    ROW("current", "what runs now", "$/GPU-h", "none") \
    ROW("stack", "stack file", "", "none") \
    ROW("source", "code to move", "", "none") \
    ROW("engineer-day-usd", "engineer-day", "$", TERM(TERM_ENGINEER_DAY)) \
    ROW("horizon-months", "horizon", "months", TERM(TERM_HORIZON)) \
    ROW("discount-rate", "discount rate", "% a year", TERM(TERM_DISCOUNT_RATE)) \
    ROW("team-size", "team", "people", TERM(TERM_TEAM_SIZE)) \
    ROW("movable-share", "movable share", "0-1", TERM(TERM_MOVABLE_SHARE)) \
    ROW("jobs-per-month", "jobs", "1/month", TERM(TERM_JOBS_MONTH)) \
    ROW("api-usd-per-mtok", "API, output", "$/Mtok", TERM(TERM_API_OUTPUT)) \
    ROW("api-input-usd-per-mtok", "API, input", "$/Mtok", TERM(TERM_API_INPUT))

#define FIELD_ROW(option, label, unit, value) {option, label, unit},
// clang-format on
const WhatifField field_table[] = {WHATIF_FIELDS(FIELD_ROW)};
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

static const char *reserved_for(int m) {
    return m == PRICING_RESERVED_1Y ? "1y" : m == PRICING_RESERVED_3Y ? "3y" : "no";
}

#define NUMBER(x) field_number(a, x)
#define TERM(t) field_number(a, term_of(answer->facts, ask, t).value)
#define VALUE_OF_ROW(name, label, unit, value)                                                               \
    if (strcmp(name, option) == 0) return value;

// What the answer was asked for, or what stands for it in the tables.
const char *field_effective(const TuiAnswer *answer, const char *option, Arena *a) {
    const Ask *ask = answer->advice->ask;
    const Workload *w = &ask->workload;
    WHATIF_FIELDS(VALUE_OF_ROW)
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
