// What-if: every assumption of the report as a field; the answer follows while one types.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/advise/sizing.h"
#include "src/report/sizing.h"
#include "tui/app.h"
#include "tui/units.h"

// In the order shown.
const Field field_table[] = {
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
    {"kept-tokens", "kept of a draft", "tokens"},
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

static const char *number(Arena *a, double x) {
    char text[64];
    if (!is_known(x)) return "none";
    format_number(text, sizeof text, x, 6);
    return arena_copy(a, text, strlen(text));
}

static const char *or_any(const char *text) { return text[0] != '\0' ? text : "any"; }
static const char *or_none(const char *text) { return text[0] != '\0' ? text : "none"; }

// What the answer was asked for, or what stands for it in the tables.
static const char *effective(const TuiAnswer *answer, const char *option, Arena *a) {
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
        {"power-cap", ask->ways.power_cap_w > 0 ? ask->ways.power_cap_w : (double)NAN, NULL},
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
            return number(a, term_of(answer->facts, ask, (Term)i).value);
    }
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        if (strcmp(values[i].option, option) == 0)
            return values[i].text != NULL ? values[i].text : number(a, values[i].number);
    }
    return "none";
}

// ---------------------------------------------------------------- drawing

static bool load(Tui *t, ViewState *v, Err *e) {
    const char **words = NULL;
    size_t n = fields_words(t, &v->arena, &words);
    if (!view_ask(t, v, words, n, e)) return false;
    return v->answer.advice != NULL || err_set(e, ERR_FAILED, "no advice came back");
}

static size_t shown_fields(const Tui *t, size_t rows[FIELDS_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < n_fields; i++) {
        if (field_option(t, i) != NULL) rows[n++] = i;
    }
    return n;
}

static void draw_field(Tui *t, const TuiAnswer *answer, Grid *g, Rect at, size_t field) {
    enum { LABEL = 18, UNIT = 8 };
    const char *value = t->fields.value[field];
    bool on = field == t->fields.cursor;
    bool changed = value[0] != '\0' && field > 0;
    int flag = on ? STYLE_CURSOR : 0;
    int room = at.width - LABEL - UNIT - 1;
    grid_style(g, at, STYLE_TEXT | flag);
    grid_point(g, at.x, at.y, STYLE_CHANGED | flag, changed ? '*' : ' ');
    grid_text(g, at.x + 2, at.y, LABEL - 3, (changed ? STYLE_CHANGED : STYLE_DIM) | flag,
              field_table[field].label);
    grid_text(g, at.x + at.width - UNIT, at.y, UNIT, STYLE_DIM | flag, field_table[field].unit);
    if (on && t->prompt.kind == PROMPT_FIELD) {
        Rect line = {at.x + LABEL, at.y, room + 1, 1};
        grid_fill(g, line, STYLE_FIELD);
        prompt_draw(t, g, (Rect){at.x + LABEL - 1, at.y, room + 1, 1});
    } else {
        const char *text = value[0] != '\0'         ? value
                           : answer->advice != NULL ? effective(answer, field_table[field].option, g->arena)
                                                    : "";
        grid_text(g, at.x + LABEL, at.y, room, (changed ? STYLE_CHANGED : STYLE_TEXT) | flag, text);
    }
    grid_zone(g, at, ACT_FIELD, (int)field);
}

static void draw_fields(Tui *t, const TuiAnswer *answer, Grid *g, Rect box) {
    size_t rows[FIELDS_MAX];
    size_t n = shown_fields(t, rows);
    size_t changed = fields_changed(t);
    grid_box(g, box,
             changed == 0 ? "assumptions" : arena_printf(g->arena, "assumptions, %zu changed", changed));
    Rect in = rect_inside(box);
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (rows[i] == t->fields.cursor) at = i;
    }
    size_t height = (size_t)in.height;
    if (at < t->fields.top) t->fields.top = at;
    if (at >= t->fields.top + height) t->fields.top = at - height + 1;
    if (t->fields.top + height > n) t->fields.top = n > height ? n - height : 0;
    for (size_t i = t->fields.top; i < n && i - t->fields.top < height; i++)
        draw_field(t, answer, g, (Rect){in.x, in.y + (int)(i - t->fields.top), in.width, 1}, rows[i]);
    if (t->fields.top + height < n)
        grid_right(g, box.x, box.y + box.height - 1, box.width - 3, STYLE_DIM,
                   arena_printf(g->arena, " %zu more below ", n - t->fields.top - height));
}

static const char *usd_range(const Estimate *x, Arena *a) {
    char text[3][64];
    const double figures[] = {x->value, x->low, x->high};
    if (!is_known(x->value)) return "not known";
    for (size_t i = 0; i < COUNT_OF(figures); i++)
        format_number(text[i], sizeof text[i], fabs(figures[i]), 3);
    return arena_printf(a, "%s$%s (%s$%s to %s$%s)", x->value < 0 ? "-" : "", text[0], x->low < 0 ? "-" : "",
                        text[1], x->high < 0 ? "-" : "", text[2]);
}

// What a move costs and brings.
static void lane_text(const Lane *l, Arena *a, Buf *b) {
    if (l == NULL) return;
    buf_printf(b, "%s %s:\n", l->id == LANE_VENDOR ? "moving to" : "staying with the vendor, moving to",
               l->id == LANE_VENDOR ? vendor_titles[l->to->gpu->vendor] : l->to->offer->provider);
    if (is_known(l->once.value)) buf_printf(b, "  once %s\n", usd_range(&l->once, a));
    if (is_known(l->saving.value)) buf_printf(b, "  saves %s a month\n", usd_range(&l->saving, a));
    buf_printf(b, "  break-even: %s\n", l->text);
    if (is_known(l->npv.value))
        buf_printf(b, "  worth %s today,\n  above nothing with probability %.2f\n", usd_range(&l->npv, a),
                   l->pays);
    buf_puts(b, "\n");
}

static const char *result_text(const Advice *x, Arena *a) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (int i = 0; i < VENDOR_COUNT; i++) {
        const Option *o = x->best[i];
        char cost[64];
        if (o == NULL) {
            buf_printf(&b, "%s: nothing meets what was asked\n\n", vendor_titles[i]);
            continue;
        }
        format_number(cost, sizeof cost, o->cost, 4);
        buf_printf(&b, "%c %s: $%s\n", vendor_titles[i][0], vendor_titles[i], cost);
        buf_printf(&b, "  %d x %s, %s%s%s\n", o->gpu_count, o->gpu->sku_id, o->offer->provider,
                   o->offer->region[0] != '\0' ? ", " : "", o->offer->region);
        format_number(cost, sizeof cost, o->price_usd_gpu_h, 4);
        buf_printf(&b, "  $%s/GPU-h, %s%s%s\n\n", cost, o->engine, o->engine[0] != '\0' ? ", " : "",
                   dtype_names[o->weights]);
    }
    sizing_brief(x, &b);
    for (int i = LANE_COUNT - 1; i >= 0; i--) lane_text(x->lanes[i], a, &b);
    for (size_t i = 0; i < x->n_flips; i++) buf_printf(&b, "%s: %s\n\n", x->flips[i].what, x->flips[i].text);
    const char *text = arena_copy(a, b.length > 0 ? b.data : "", b.length);
    buf_free(&b);
    return text;
}

// What does not fit is a page further on; after the last comes the first.
static void draw_pages(Tui *t, ViewState *v, Grid *g, Rect box, Rect in, const char *text) {
    int lines = grid_wrapped(g, (Rect){0, 0, in.width, 0}, 0, 0, text);
    int page = in.height > 0 ? in.height : 1;
    int pages = (lines + page - 1) / page;
    if (pages > 0) v->list.shift = (v->list.shift % pages + pages) % pages;
    grid_wrapped(g, in, STYLE_TEXT, v->list.shift * page, text);
    if (pages > 1)
        grid_right(g, box.x, box.y + box.height - 1, box.width - 3, STYLE_DIM,
                   arena_printf(g->arena, " page %d of %d, %s ", v->list.shift + 1, pages,
                                keys_first(&t->keys, ACT_PANEL, g->arena)));
}

static void draw_result(Tui *t, ViewState *v, Grid *g, Rect box) {
    const Advice *x = v->answer.advice;
    grid_box(g, box, v->loaded && v->error.kind == ERR_NONE ? "answer" : "answer before the last change");
    Rect in = rect_inside(box);
    if (v->error.kind != ERR_NONE) {
        Rect top = rect_top(&in, 4);
        grid_wrapped(g, top, STYLE_BAD, 0, v->error.text);
    }
    if (x == NULL) return;
    Winner w = x->verdict.winner;
    int style = w == WINNER_NVIDIA ? STYLE_NVIDIA : w == WINNER_AMD ? STYLE_AMD : STYLE_WARN;
    int lines = grid_wrapped(g, (Rect){0, 0, in.width, 0}, 0, 0, x->verdict.text);
    Rect verdict = rect_top(&in, lines < 7 ? lines : 7);
    grid_wrapped(g, verdict, style, 0, x->verdict.text);
    rect_top(&in, 1);
    if (is_known(x->verdict.cost_ratio.value)) {
        char ratio[160];
        Rect row = rect_top(&in, 2);
        estimate_text(ratio, sizeof ratio, &x->verdict.cost_ratio, 3);
        grid_printf(g, row.x, row.y, row.width, STYLE_DIM, "AMD / NVIDIA %s", ratio);
    }
    draw_pages(t, v, g, box, in, result_text(x, g->arena));
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    enum { BESIDE = 80 };
    int width = at.width / 2 > 60 ? 60 : at.width / 2 + 4;
    Rect fields = at.width >= BESIDE ? rect_left(&at, width) : rect_top(&at, at.height / 2);
    draw_fields(t, &v->answer, g, fields);
    draw_result(t, v, g, at);
}

// ---------------------------------------------------------------- keys

static void move(Tui *t, int by) {
    size_t rows[FIELDS_MAX];
    size_t n = shown_fields(t, rows);
    long at = 0;
    for (size_t i = 0; i < n; i++) {
        if (rows[i] == t->fields.cursor) at = (long)i;
    }
    at += by;
    if (n > 0) t->fields.cursor = rows[at < 0 ? 0 : at >= (long)n ? n - 1 : (size_t)at];
}

// What an edit starts from: of a price, that of the best AMD option.
static const char *value_shown(Tui *t, const ViewState *v, Arena *a) {
    const char *value = t->fields.value[t->fields.cursor];
    if (value[0] != '\0' || v->answer.advice == NULL) return value;
    const char *option = field_table[t->fields.cursor].option;
    const Option *amd = v->answer.advice->best[VENDOR_AMD];
    if (strcmp(option, "price") == 0 && amd != NULL)
        return arena_printf(a, "%s:%s=%.4g", amd->offer->provider, amd->gpu->sku_id, amd->price_usd_gpu_h);
    const char *text = effective(&v->answer, option, a);
    return strcmp(text, "none") == 0 || strcmp(text, "any") == 0 ? "" : text;
}

// The next of the choices, or a number 5 % up or down.
static void turn(Tui *t, ViewState *v, int step) {
    Arena a = {0};
    size_t field = t->fields.cursor;
    const TuiOption *o = field_option(t, field);
    char *value = t->fields.value[field];
    const char *shown = value_shown(t, v, &a);
    const char *now = arena_copy(&a, shown, strlen(shown));  // the value is about to be written
    const char *tail = strrchr(now, '=');
    const char *digits = tail != NULL ? tail + 1 : now;
    double x = 0;
    Buf plain;
    buf_init(&plain, FIELD_BYTES);
    for (const char *c = digits; *c != '\0'; c++) buf_add(&plain, c, *c != ',');
    if (o->flag) {
        snprintf(value, FIELD_BYTES, "%s", strcmp(now, "yes") == 0 ? "no" : "yes");
        fields_changed_now(t);
    } else if (o->choices != NULL) {
        size_t n = 0;
        while (o->choices[n] != NULL) n++;
        int i = name_index(o->choices, now);
        int next = i < 0 ? (step > 0 ? 0 : (int)n - 1) : i + step;
        snprintf(value, FIELD_BYTES, "%s", next < 0 || next >= (int)n ? "" : o->choices[next]);
        fields_changed_now(t);
    } else if (plain.length > 0 && parse_number((Str){plain.data, plain.length}, 0, 1e12, &x, NULL)) {
        double moved = x * (step > 0 ? 1.05 : 1 / 1.05);
        bool whole = word_in("isl osl gpus fleet concurrency", o->name);
        if (whole) moved = step > 0 ? fmax(x + 1, round(moved)) : fmax(1, fmin(x - 1, round(moved)));
        char text[64];
        snprintf(text, sizeof text, whole ? "%.0f" : "%.4g", moved);
        snprintf(value, FIELD_BYTES, "%.*s%s", (int)(digits - now), now, text);
        fields_changed_now(t);
    } else if (strcmp(o->name, "workload") == 0) {
        setup_open(t);
    }
    buf_free(&plain);
    arena_free(&a);
}

static void edit(Tui *t, const ViewState *v) {
    Arena a = {0};
    const char *now = value_shown(t, v, &a);
    char before[FIELD_BYTES];
    snprintf(before, sizeof before, "%s", t->fields.value[t->fields.cursor]);
    prompt_open(t, PROMPT_FIELD, now);
    snprintf(t->prompt.before, sizeof t->prompt.before, "%s", before);
    arena_free(&a);
}

// A figure typed on a field is its new value, whatever views its digits stand for elsewhere.
bool field_typed(Tui *t, int key) {
    Action action = keys_find(&t->keys, key);
    bool free_key = action == ACT_NONE || (action >= ACT_VIEW_1 && action <= ACT_VIEW_9);
    if (!free_key || ((key < '0' || key > '9') && key != '.')) return false;
    const TuiOption *o = field_option(t, t->fields.cursor);
    if (!o->number && strchr(o->metavar, '=') == NULL) {
        tui_say(t, false,
                "%s is no number: enter edits it; esc leaves What-if, then figures open views again",
                field_table[t->fields.cursor].label);
        return true;
    }
    edit(t, view_now(t));
    prompt_key(t, key);
    return true;
}

static const char *basis(Tui *t, ViewState *v, Arena *a) {
    const TuiOption *o = field_option(t, t->fields.cursor);
    const Advice *x = v->answer.advice;
    if (x == NULL || o == NULL) return NULL;
    const Workload *w = &x->ask->workload;
    bool changed = t->fields.value[t->fields.cursor][0] != '\0';
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_printf(&b, "--%s %s: %s.\n\nnow %s, %s\nworkload %s: %s\n", o->name, o->metavar, o->help,
               changed ? t->fields.value[t->fields.cursor] : effective(&v->answer, o->name, a),
               changed ? "changed here" : "as the workload or the settings have it", w->workload_id,
               w->source);
    for (int i = 0; i < VENDOR_COUNT; i++) {
        if (x->best[i] != NULL) advice_explain(x, x->best[i], 0, a, &b);
    }
    const char *text = arena_copy(a, b.data, b.length);
    buf_free(&b);
    return text;
}

static bool act(Tui *t, ViewState *v, Action action, int argument) {
    switch (action) {
    case ACT_UP: move(t, -1); return true;
    case ACT_DOWN: move(t, 1); return true;
    case ACT_WHEEL_UP: move(t, -3); return true;
    case ACT_WHEEL_DOWN: move(t, 3); return true;
    case ACT_PAGE_UP: move(t, -10); return true;
    case ACT_PAGE_DOWN: move(t, 10); return true;
    case ACT_HOME: move(t, -FIELDS_MAX); return true;
    case ACT_END: move(t, FIELDS_MAX); return true;
    case ACT_LEFT: turn(t, v, -1); return true;
    case ACT_RIGHT: turn(t, v, 1); return true;
    case ACT_PANEL: v->list.shift++; return true;
    case ACT_PANEL_BACK: v->list.shift--; return true;
    case ACT_FIELD:
        if (t->fields.cursor == (size_t)argument) edit(t, v);
        t->fields.cursor = (size_t)argument;
        return true;
    case ACT_OPEN:
    case ACT_EDIT: edit(t, v); return true;
    case ACT_RESET:
        if (t->fields.cursor > 0) t->fields.value[t->fields.cursor][0] = '\0';
        fields_changed_now(t);
        return true;
    case ACT_RESET_ALL:
        for (size_t i = 1; i < n_fields; i++) t->fields.value[i][0] = '\0';
        fields_changed_now(t);
        return true;
    default: return false;
    }
}

static const Action keys[] = {ACT_EDIT, ACT_LEFT,  ACT_RIGHT, ACT_RESET, ACT_RESET_ALL,
                              ACT_BACK, ACT_BASIS, ACT_PANEL, ACT_SETUP, ACT_EXPORT};

const View view_whatif = {
    .title = "What-if",
    .about = "every assumption as a field: type (k, M and units too), or turn it with left and right; x "
             "resets, X all",
    .load = load,
    .fill = fill,
    .act = act,
    .basis = basis,
    .keys = keys,
    .n_keys = COUNT_OF(keys),
    .slow = true,
};
