// Owning and an API beside renting: as text for people, and as JSON.
#include <math.h>
#include <string.h>

#include "src/report/figures.h"
#include "src/report/page.h"

// ---------------------------------------------------------------- text

// A terminal has no room for where each comes from: the verdict says it of those that count.
static bool is_narrow(const Page *p) { return room_columns(p->room) > 0; }

// clang-format off
#define CHOICE_COLUMNS(X) \
    X("lane",          "CHOICE",  TEXT, \
      arena_printf(p->arena, "%-5s %c %d x %s%s", name, vendor_titles[o->gpu->vendor][0], o->gpu_count, \
                   o->gpu->sku_id, choice->owning != NULL && choice->owning->quoted ? " *" : "")) \
    X("from",          "FROM",    TEXT,      choice->owning != NULL ? choice->owning->source : o->offer->provider) \
    X("cost_usd",      "COST",    NUMBER(3), choice->cost.value) \
    X("low",           "LOW",     NUMBER(3), choice->cost.low) \
    X("high",          "HIGH",    NUMBER(3), choice->cost.high) \
    X("usd_per_month", "$/month", NUMBER(4), choice->usd_month.value)
// clang-format on

static void choice_row(Page *p, Listing *l, const char *name, const OwnChoice *choice) {
    const Option *o = choice->option;
    if (o == NULL) return;
    listing_row(l, CHOICE_COLUMNS(LISTING_CELL));
}

static void choices(Page *p, const OwnAnswer *x) {
    Listing l = LISTING(p->arena, "lanes", CHOICE_COLUMNS, VENDOR_COUNT * OWN_CHOICES);
    listing_hide(&l, "from", is_narrow(p));
    for (int i = 0; i < OWN_CHOICES; i++) {
        for (int v = 0; v < VENDOR_COUNT; v++) choice_row(p, &l, own_choice_names[i], &x->of[v][i]);
    }
    if (l.n_rows == 0) return;
    page_heading(p, arena_printf(p->arena, "Own, rent, or what runs today: $ %s", per_what(p->advice->ask)));
    listing_print(&l, p->format, p->room, p->out);
}

// How many of the rented options shown cost less.
static size_t rented_before(const Advice *advice, const Option *o) {
    size_t n = 0;
    for (size_t i = 0; i < advice->n_options; i++)
        n += !advice->options[i].today && advice->options[i].cost < o->cost;
    return n;
}

static const Owning *price_of(const Advice *advice, const Gpu *g) {
    size_t i = 0;
    while (advice->prices[i].gpu != g) i++;  // every owned option has one
    return &advice->prices[i];
}

static size_t rows_shown(const Advice *advice) {
    return advice->owned->n_options < advice->ask->top ? advice->owned->n_options : advice->ask->top;
}

// clang-format off
#define FLEET_COLUMNS(X) \
    X("rank",                   "#",          NUMBER(3), i + 1) \
    X("gpus",                   "GPUS",       TEXT, \
      arena_printf(p->arena, "%c %d x %s%s", vendor_titles[o->gpu->vendor][0], o->gpu_count, o->gpu->sku_id, \
                   x->quoted ? " *" : "")) \
    X("gpu_price_usd",          "$ A GPU",    NUMBER(5), x->gpu_price.value) \
    X("price_usd_per_gpu_hour", "$/GPU-h",    NUMBER(3), o->price_usd_gpu_h) \
    X("cost_usd",               "COST",       NUMBER(3), cost->value) \
    X("low",                    "LOW",        NUMBER(3), cost->low) \
    X("high",                   "HIGH",       NUMBER(3), cost->high) \
    X("rented_cheaper",         "BEATEN",     NUMBER(3), (double)rented_before(advice, o)) \
    X("price_source",           "PRICE FROM", TEXT,      x->source)
// clang-format on

static void fleets(Page *p) {
    const Advice *advice = p->advice;
    size_t n = rows_shown(advice);
    Listing l = LISTING(p->arena, "owned", FLEET_COLUMNS, n);
    listing_hide(&l, "rank price_usd_per_gpu_hour price_source", is_narrow(p));
    for (size_t i = 0; i < n; i++) {
        const Option *o = &advice->owned->options[i];
        const Owning *x = price_of(advice, o->gpu);
        const Estimate *cost = option_cost(o, advice->ask);
        listing_row(&l, FLEET_COLUMNS(LISTING_CELL));
    }
    page_heading(p, arena_printf(p->arena, "Owned fleets at this load, $ %s", per_what(advice->ask)));
    listing_print(&l, p->format, p->room, p->out);
    page_bullet(p, "*",
                "a GPU with a star has a quoted price, the others street prices; BEATEN: by how many of the "
                "rented options shown");
}

void owning_text(Page *p) {
    const Advice *advice = p->advice;
    const OwnAnswer *x = advice->verdict.own;
    if (x == NULL) return;
    choices(p, x);
    page_heading(p, "Owning instead of renting");
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const OwnChoice *own = &x->of[v][OWN_OWN];
        const Gpu *best = advice->best[v] != NULL ? advice->best[v]->gpu : NULL;
        if (advice->owning[v].text[0] != '\0') page_line(p, vendor_titles[v], advice->owning[v].text);
        if (own->option == NULL || own->option->gpu == best) continue;
        page_printf(p, vendor_titles[v], "%s, the cheapest to own: $%s a GPU-hour at $%s a GPU (%s)",
                    own->option->gpu->name, page_range(p, &own->owning->gpu_hour, 3),
                    page_number(p, own->owning->gpu_price.value, 5), own->owning->source);
    }
    page_line(p, "capital",
              "paid back in equal months at the cost of capital, less what the servers still fetch at the "
              "end; docs/owning.md has the arithmetic");
    if (advice->owned == NULL || advice->owned->n_options == 0) return;
    fleets(p);
    for (size_t i = 0; i < x->n_notes; i++) page_bullet(p, "!", x->notes[i]);
}

// ---------------------------------------------------------------- JSON

static void best_owned_json(const Owning *x, Json *parent, const char *key) {
    Json *j = json_add_object(parent, key);
    json_add_text_or_null(j, "gpu", x->gpu != NULL ? x->gpu->sku_id : "");
    const struct {
        const char *key;
        double x;
    } figures[] = {
        {"gpu_usd", x->gpu_usd},
        {"server_usd_per_gpu", x->server_usd_gpu},
        {"residual_usd_per_gpu", x->residual_usd},
        {"capital_usd_per_gpu_hour", x->capital_usd_h},
        {"power_usd_per_gpu_hour", x->power_usd_h},
        {"hosting_usd_per_gpu_hour", x->hosting_usd_h},
        {"price_usd_per_gpu_hour", x->usd_gpu_h},
        {"output_usd_per_mtok", x->output_usd_mtok},
        {"rented_usd_per_gpu_hour", x->rented_usd_gpu_h},
    };
    for (size_t i = 0; i < COUNT_OF(figures); i++)
        json_add_number(j, figures[i].key, x->gpu != NULL ? figures[i].x : (double)NAN);
    json_add_bool(j, "quoted", x->quoted);
    const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    estimate_json(j, "gpu_price", x->gpu != NULL ? &x->gpu_price : &unknown);
    estimate_json(j, "gpu_hour", x->gpu != NULL ? &x->gpu_hour : &unknown);
    json_add_text_or_null(j, "text", x->text);
}

static void option_json(const Advice *advice, const Option *o, Json *j) {
    const Owning *x = price_of(advice, o->gpu);
    json_add(j, J_TEXT("vendor", vendor_names[o->gpu->vendor]), J_TEXT("gpu", o->gpu->sku_id),
             J_INTEGER("gpu_count", o->gpu_count), J_INTEGER("servers", o->instances),
             J_NUMBER("price_usd_per_gpu_hour", o->price_usd_gpu_h), J_TEXT("price_source", o->offer->source),
             J_BOOL("quoted", x->quoted));
    estimate_json(j, "gpu_price", &x->gpu_price);
    estimate_json(j, "gpu_hour", &x->gpu_hour);
    for (size_t i = 0; i < n_option_figures; i++) {
        if (is_known(option_figure(o, i)->value))
            estimate_json(j, option_figures[i].key, option_figure(o, i));
    }
}

static void choice_json(const OwnChoice *l, double term_months, Json *parent, const char *key) {
    const Option *o = l->option;
    Json *j = json_object_if(parent, key, o != NULL);
    if (j == NULL) return;
    json_add(j, J_TEXT("vendor", vendor_names[o->gpu->vendor]), J_TEXT("gpu", o->gpu->sku_id),
             J_INTEGER("gpu_count", o->gpu_count), J_TEXT("provider", o->offer->provider),
             J_BOOL("quoted", l->owning != NULL && l->owning->quoted),
             J_NUMBER("price_usd_per_gpu_hour", o->price_usd_gpu_h));
    estimate_json(j, "cost", &l->cost);
    if (is_known(o->output_usd_mtok.value)) estimate_json(j, "output_usd_per_mtok", &o->output_usd_mtok);
    sums_json(j, &l->usd_month, term_months);
}

static void transitions_json(const Advice *advice, Json *root) {
    const OwnAnswer *x = advice->verdict.own;
    Json *j = json_add_object(root, "own");
    Json *all = json_add_object(j, "lanes");
    for (int i = 0; i < OWN_CHOICES; i++)
        choice_json(&x->choices[i], advice->term_months, all, own_choice_names[i]);
    Json *vendors = json_add_object(j, "vendors");
    for (int v = 0; v < VENDOR_COUNT; v++) {
        Json *of = json_add_object(vendors, vendor_names[v]);
        for (int i = 0; i < OWN_CHOICES; i++)
            choice_json(&x->of[v][i], advice->term_months, of, own_choice_names[i]);
    }
    json_add(j, J_TEXT("cost_unit", per_what(advice->ask)),
             J_TEXT_OR_NULL("cheapest", x->cheapest >= 0 ? own_choice_names[x->cheapest] : ""),
             J_NUMBER("owning_cheaper_probability", x->probability));
    estimate_json(j, "cost_ratio_own_to_rent", &x->cost_ratio);
    estimate_json(j, "even_share_of_hours", &x->even_hours);
    json_add_text(j, "text", x->text);
}

void own_verdict_json(const Verdict *v, Json *verdict) {
    const OwnAnswer *x = v->own;
    Json *j = json_object_if(verdict, "own", x != NULL);
    if (j == NULL) return;
    json_add(j, J_TEXT_OR_NULL("winner", x->winner != WINNER_UNKNOWN ? winner_names[x->winner] : ""),
             J_TEXT_OR_NULL("lane", x->cheapest >= 0 ? own_choice_names[x->cheapest] : ""),
             J_NUMBER("probability", x->winner_probability));
    estimate_json(j, "cost_ratio_amd_to_nvidia", &x->vendor_ratio);
    json_add(j, J_NUMBER("owning_cheaper_probability", x->probability),
             J_TEXT_OR_NULL("winner_rented", x->before != WINNER_UNKNOWN ? winner_names[x->before] : ""),
             J_BOOL("changes_verdict", x->changes), J_TEXT("text", x->text));
}

static void volume_json(const ApiVolume *v, Json *parent, const char *key) {
    Json *j = json_object_if(parent, key, v->option != NULL);
    if (j == NULL) return;
    json_add(j, J_TEXT("vendor", vendor_names[v->option->gpu->vendor]), J_TEXT("gpu", v->option->gpu->sku_id),
             J_INTEGER("gpu_count", v->option->gpu_count), J_TEXT("provider", v->option->offer->provider));
    estimate_json(j, "even_output_mtok_per_month", &v->even_mtok);
    json_add(j, J_NUMBER("even_requests_per_day", v->even_requests_day),
             J_NUMBER("asked_output_mtok_per_month", v->asked_mtok),
             J_NUMBER("most_output_mtok_per_month", v->most_mtok));
}

static void api_json(const Api *x, Json *root) {
    Json *api = json_object_if(root, "api", x != NULL);
    if (api == NULL) return;
    json_add(api, J_NUMBER("usd_per_mtok", x->usd_mtok),
             J_NUMBER("cheapest_output_usd_per_mtok", x->cheapest_usd_mtok),
             J_NUMBER("even_duty_cycle", x->even_duty));
    volume_json(&x->rented, api, "rented");
    volume_json(&x->owned, api, "owned");
    json_add_text(api, "text", x->text);
}

void owning_json(const Advice *advice, Json *root) {
    if (advice->verdict.own == NULL) {
        json_add_null(root, "onprem");
        json_add_null(root, "own");
    } else {
        Json *own = json_add_object(root, "onprem");
        for (int v = 0; v < VENDOR_COUNT; v++) best_owned_json(&advice->owning[v], own, vendor_names[v]);
        Json *options = json_add_array(own, "options");
        for (size_t i = 0; advice->owned != NULL && i < rows_shown(advice); i++)
            option_json(advice, &advice->owned->options[i], json_add_object(options, NULL));
        json_add_texts(own, "notes", advice->verdict.own->notes, advice->verdict.own->n_notes);
        transitions_json(advice, root);
    }
    api_json(advice->api, root);
}
