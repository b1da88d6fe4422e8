// What-if: every assumption of the report as a field; the answer follows while one types.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/prompt.h"
#include "tui/units.h"
#include "tui/view_parts.h"

// ---------------------------------------------------------------- drawing

static const TuiAnswer *report_of(const Tui *t) { return &t->views[VIEW_ADVICE].answer; }

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
        const char *text = value[0] != '\0' ? value
                           : answer->advice != NULL
                               ? field_effective(answer, field_table[field].option, g->arena)
                               : "";
        double most = field_most(answer, field_table[field].option), x = 0;
        bool over = is_known(most) && parse_number(str_of(value), 0, 1e15, &x, NULL) && x > most;
        grid_text(g, at.x + LABEL, at.y, room,
                  (over      ? STYLE_BAD
                   : changed ? STYLE_CHANGED
                             : STYLE_TEXT) |
                      flag,
                  text);
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
    const char *option = field_table[t->fields.cursor].option;
    double most = field_most(answer, option);
    if (is_known(most))
        grid_text(g, box.x + 2, box.y + box.height - 1, box.width - 20, STYLE_DIM,
                  arena_printf(g->arena, " at most %s: context of the model ", field_number(g->arena, most)));
    if (t->fields.top + height < n)
        grid_right(g, box.x, box.y + box.height - 1, box.width - 3, STYLE_DIM,
                   arena_printf(g->arena, " %zu more below ", n - t->fields.top - height));
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    enum { BESIDE = 80 };
    int width = at.width / 2 > 60 ? 60 : at.width / 2 + 4;
    Rect fields = at.width >= BESIDE ? rect_left(&at, width) : rect_top(&at, at.height / 2);
    draw_fields(t, report_of(t), g, fields);
    whatif_draw_answer(t, v, g, at);
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
static const char *value_shown(const Tui *t, Arena *a) {
    const char *value = t->fields.value[t->fields.cursor];
    const TuiAnswer *answer = report_of(t);
    if (value[0] != '\0' || answer->advice == NULL) return value;
    const char *option = field_table[t->fields.cursor].option;
    const Option *amd = answer->advice->best[VENDOR_AMD];
    if (strcmp(option, "price") == 0 && amd != NULL)
        return arena_printf(a, "%s:%s=%.4g", amd->offer->provider, amd->gpu->sku_id, amd->price_usd_gpu_h);
    const char *text = field_effective(answer, option, a);
    return strcmp(text, "none") == 0 || strcmp(text, "any") == 0 ? "" : text;
}

// The next of the choices, or a number 5 % up or down.
static void turn(Tui *t, int step) {
    Arena a = {0};
    size_t field = t->fields.cursor;
    const TuiOption *o = field_option(t, field);
    char *value = t->fields.value[field];
    const char *shown = value_shown(t, &a);
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
        double most = field_most(report_of(t), o->name);
        if (is_known(most) && moved > most) moved = fmax(x, most);
        if (whole && moved > x + 1) moved = round(moved);
        if (whole && !(is_known(most) && x >= most && step > 0))
            moved = step > 0 ? fmax(x + 1, round(moved)) : fmax(1, fmin(x - 1, round(moved)));
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

static void edit(Tui *t) {
    Arena a = {0};
    const char *now = value_shown(t, &a);
    char before[FIELD_BYTES];
    snprintf(before, sizeof before, "%s", t->fields.value[t->fields.cursor]);
    prompt_open(t, PROMPT_FIELD, now);
    snprintf(t->prompt.before, sizeof t->prompt.before, "%s", before);
    arena_free(&a);
}

// A figure typed on a field is its new value, whatever views its digits stand for elsewhere.
bool field_typed(Tui *t, int key) {
    Action action = keys_find(&t->keys, key);
    bool free_key = action == ACT_NONE || (action >= ACT_VIEW_FIRST && action <= ACT_VIEW_LAST);
    if (!free_key || ((key < '0' || key > '9') && key != '.')) return false;
    const TuiOption *o = field_option(t, t->fields.cursor);
    if (!o->number && strchr(o->metavar, '=') == NULL) {
        tui_say(t, false,
                "%s is no number: enter edits it; esc leaves What-if, then figures open views again",
                field_table[t->fields.cursor].label);
        return true;
    }
    edit(t);
    prompt_key(t, key);
    return true;
}

static const char *basis(Tui *t, ViewState *v, Arena *a) {
    (void)v;
    const TuiOption *o = field_option(t, t->fields.cursor);
    const Advice *x = report_of(t)->advice;
    if (x == NULL || o == NULL) return NULL;
    const Workload *w = &x->ask->workload;
    bool changed = t->fields.value[t->fields.cursor][0] != '\0';
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_printf(&b, "--%s %s: %s.\n\nnow %s, %s\nworkload %s: %s\n", o->name, o->metavar, o->help,
               changed ? t->fields.value[t->fields.cursor] : field_effective(report_of(t), o->name, a),
               changed ? "changed here" : "as the workload or the settings have it", w->workload_id,
               w->source);
    for (int i = 0; i < VENDOR_COUNT; i++) {
        if (x->best[i] != NULL) advice_explain(x, x->best[i], 0, a, &b);
    }
    return buf_take(&b, a);
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
    case ACT_LEFT: turn(t, -1); return true;
    case ACT_RIGHT: turn(t, 1); return true;
    case ACT_PANEL: v->list.shift++; return true;
    case ACT_PANEL_BACK: v->list.shift--; return true;
    case ACT_FIELD:
        if (t->fields.cursor == (size_t)argument) edit(t);
        t->fields.cursor = (size_t)argument;
        return true;
    case ACT_OPEN:
    case ACT_EDIT: edit(t); return true;
    case ACT_RESET:
        snprintf(t->fields.value[t->fields.cursor], FIELD_BYTES, "%s",
                 t->fields.cursor == 0 ? t->fields.first : "");
        fields_changed_now(t);
        return true;
    case ACT_PIN: whatif_pin(t, true); return true;
    case ACT_RESET_ALL:
        for (size_t i = 0; i < n_fields; i++)
            snprintf(t->fields.value[i], FIELD_BYTES, "%s", i == 0 ? t->fields.first : "");
        fields_changed_now(t);
        return true;
    default: return false;
    }
}

static const Action keys[] = {ACT_EDIT, ACT_LEFT,  ACT_RIGHT, ACT_RESET, ACT_RESET_ALL, ACT_PIN,
                              ACT_BACK, ACT_BASIS, ACT_PANEL, ACT_SETUP, ACT_EXPORT};

const View view_whatif = {
    .fill = fill,
    .act = act,
    .basis = basis,
    .keys = keys,
    .n_keys = COUNT_OF(keys),
    .reports = true,
};
