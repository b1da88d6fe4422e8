// Advice: verdict, the best of each vendor side by side, ranked options, cost against speed.
#include <string.h>

#include "tui/option_box.h"
#include "tui/view_parts.h"

enum { WIDE = 110, TALL = 40, LOW = 17 };

static const Panel panels[] = {{"options", {NULL}, {NULL}, NULL},
                               {"chart", {NULL}, {NULL}, NULL},
                               {"reasons", {NULL}, {NULL}, NULL},
                               {"report", {NULL}, {NULL}, NULL}};
enum { P_OPTIONS, P_CHART, P_REASONS, P_REPORT };

static int style_of_winner(Winner w) {
    return w == WINNER_NVIDIA ? STYLE_NVIDIA : w == WINNER_AMD ? STYLE_AMD : STYLE_WARN;
}

static bool take(Tui *t, ViewState *v, Err *e) {
    Arena *a = &v->arena;
    if (v->answer.advice == NULL) return err_set(e, ERR_FAILED, "no advice came back");
    Listing *l = arena_alloc(a, 1, sizeof *l);
    advice_ranked(v->answer.advice, (size_t)t->width - 8, a, l);
    list_open(&v->list, l, a);
    whatif_pin(t, false);
    return true;
}

// ---------------------------------------------------------------- the best of each

// What stands in a low window; in a high one everything does.
static const char *const wanted[] = {"GPUs",     "from",          "price",       "$/Mtok",  "$/1k images",
                                     "$ in all", "$ a run",       "$/Mtok in",   "tok/s",   "texts/s",
                                     "images/s", "trained tok/s", "TTFT p99 ms", "TPOT ms", "basis"};

static bool is_wanted(const char *label) {
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        if (strcmp(wanted[i], label) == 0) return true;
    }
    return false;
}

// One that was not asked for has no defeat in its column.
static const char *head_of(const Advice *x, int vendor) {
    bool asked = x->ask->vendor < 0 || x->ask->vendor == vendor;
    return vendor == VENDOR_NVIDIA ? (asked ? "N NVIDIA" : "N NVIDIA, not asked for")
                                   : (asked ? "A AMD" : "A AMD, not asked for");
}

static void draw_best(const Advice *x, Grid *g, Rect at, bool all) {
    enum { LABEL = 14, MIDDLE = 2 };
    Listing l;
    advice_best(x, g->arena, &l);
    int half = (at.width - LABEL - MIDDLE) / 2;
    int y = at.y;
    grid_text(g, at.x + LABEL, y, half, STYLE_NVIDIA, head_of(x, VENDOR_NVIDIA));
    grid_text(g, at.x + LABEL + half + MIDDLE, y, half, STYLE_AMD, head_of(x, VENDOR_AMD));
    y++;
    for (size_t r = 0; r < l.n_rows && y < at.y + at.height; r++) {
        const Cell *c = &l.cells[r * l.n_columns];
        if (!all && !is_wanted(c[0].text)) continue;
        grid_text(g, at.x, y, LABEL - 1, STYLE_DIM, c[0].text);
        grid_text(g, at.x + LABEL, y, half, STYLE_TEXT, c[1].text);
        grid_text(g, at.x + LABEL + half + MIDDLE, y, half, STYLE_TEXT, c[2].text);
        y++;
    }
}

// ---------------------------------------------------------------- reasons

static void add_lines(Buf *b, const char *mark, const char *const *texts, size_t n) {
    for (size_t i = 0; i < n; i++) buf_printf(b, "%s %s\n", mark, texts[i]);
}

static const char *reasons_text(const TuiAnswer *answer, Arena *a) {
    Buf b;
    const Advice *x = answer->advice;
    const Verdict *v = &x->verdict;
    buf_init(&b, BUF_LIMIT);
    if (v->alike != NULL) buf_printf(&b, "same class: %s\n", v->alike->text);
    add_lines(&b, "+", v->reasons_for, v->n_for);
    add_lines(&b, "-", v->reasons_against, v->n_against);
    add_lines(&b, "!", v->risks, v->n_risks);
    if (v->next_step != NULL) buf_printf(&b, "next: %s\n", v->next_step);
    for (size_t i = 0; i < x->n_sensitivities; i++)
        buf_printf(&b, "flip: %s: %s\n", x->sensitivities[i].what, x->sensitivities[i].text);
    add_lines(&b, "!", answer->warnings, answer->n_warnings);
    return buf_take(&b, a);
}

// ---------------------------------------------------------------- drawing

static void draw_verdict(const Advice *x, Grid *g, Rect *rest) {
    const Verdict *v = &x->verdict;
    Rect probe = {0, 0, rest->width - 2, 0};
    int lines = grid_wrapped(g, probe, 0, 0, v->text);
    Rect in = rect_top(rest, lines < 4 ? lines : 4);
    grid_wrapped(g, (Rect){1, in.y, in.width - 2, in.height}, style_of_winner(v->winner), 0, v->text);
}

static void draw_options(ViewState *v, Grid *g, Rect box) {
    const Advice *x = v->answer.advice;
    grid_box(g, box, "");
    int at = box.x + 3;
    for (size_t i = 0; i < COUNT_OF(panels); i++) {
        int used = grid_printf(g, at, box.y, box.width - 30, i == v->panel ? STYLE_TITLE : STYLE_DIM,
                               i == v->panel ? "[%s]" : " %s ", panels[i].title);
        grid_zone(g, (Rect){at, box.y, used, 1}, ACT_CHOICE, (int)i);
        at += used;
    }
    const char *count = x->n_options >= x->n_found ? list_count(&v->list, g->arena)
                                                   : arena_printf(g->arena, " %zu of the best %zu (of %zu) ",
                                                                  v->list.n_shown, x->n_options, x->n_found);
    if (v->panel == P_OPTIONS && v->list.of != NULL)
        grid_right(g, box.x, box.y, box.width - 2, STYLE_DIM, count);
    Rect in = rect_inside(box);
    ListLook look = view_look();
    if (v->panel == P_OPTIONS) list_draw(&v->list, g, in, &look);
    if (v->panel == P_CHART) options_chart_draw(x, &v->list, g, in, true);
    if (v->panel == P_REASONS || v->panel == P_REPORT) {
        const char *text = v->panel == P_REASONS ? reasons_text(&v->answer, g->arena) : v->answer.text;
        int lines = grid_wrapped(g, (Rect){0, 0, in.width, 0}, 0, 0, text);
        int most = lines > in.height ? lines - in.height : 0;
        if (v->list.shift > most) v->list.shift = most;
        grid_wrapped(g, in, STYLE_TEXT, v->list.shift, text);
    }
    draw_filter(&v->list, g, box);
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    const Advice *x = v->answer.advice;
    if (x == NULL) {
        bool failed = v->error.kind != ERR_NONE;
        grid_box(g, at, "Advice");
        grid_wrapped(g, rect_inside(at), failed ? STYLE_BAD : STYLE_DIM, 0,
                     failed ? v->error.text : "The answer is being worked out ...");
        return;
    }
    bool tall = at.height >= TALL;
    draw_verdict(x, g, &at);
    if (x->best[VENDOR_NVIDIA] == NULL && x->best[VENDOR_AMD] == NULL) {
        grid_box(g, at,
                 x->ask->vendor < 0
                     ? "nothing meets what was asked"
                     : arena_printf(g->arena, "nothing of %s meets what was asked; no other was asked for",
                                    vendor_titles[x->ask->vendor]));
        grid_wrapped(g, rect_inside(at), STYLE_TEXT, 0, v->answer.text);
        return;
    }
    if (v->panel == P_REPORT || at.height < LOW || (v->panel != P_OPTIONS && !tall)) {
        draw_options(v, g, at);
        return;
    }
    Rect best = rect_top(&at, tall ? 27 : 10);
    bool wide = t->width >= WIDE;
    Rect chart = best;
    if (wide) {
        best = rect_left(&chart, best.width * 55 / 100);
        grid_box(g, chart, "cost against speed");
        options_chart_draw(x, &v->list, g, rect_inside(chart), v->panel == P_CHART);
    }
    bool old = !v->loaded || v->asking;
    grid_box(g, best,
             old ? "answer before the last change"
                 : arena_printf(g->arena, "%s: %s", x->ask->workload.workload_id, x->ask->workload.title));
    draw_best(x, g, rect_inside(best), tall);
    draw_options(v, g, at);
}

// ---------------------------------------------------------------- keys

static const char *basis(Tui *t, ViewState *v, Arena *a) {
    (void)t;
    const Advice *x = v->answer.advice;
    size_t row = list_row(&v->list);
    if (x == NULL || row >= x->n_options) return NULL;
    return option_text(x, &v->list, row, a);
}

static bool act(Tui *t, ViewState *v, Action action, int argument) {
    bool text = v->panel == P_REASONS || v->panel == P_REPORT;
    int by = action == ACT_UP           ? -1
             : action == ACT_DOWN       ? 1
             : action == ACT_WHEEL_UP   ? -3
             : action == ACT_WHEEL_DOWN ? 3
             : action == ACT_PAGE_UP    ? -15
             : action == ACT_PAGE_DOWN  ? 15
             : action == ACT_HOME       ? -100000
             : action == ACT_END        ? 100000
                                        : 0;
    if (text && by != 0) {
        v->list.shift = v->list.shift + by > 0 ? v->list.shift + by : 0;
        return true;
    }
    if (action == ACT_PANEL || action == ACT_PANEL_BACK || action == ACT_CHOICE) {
        size_t n = COUNT_OF(panels);
        v->panel =
            action == ACT_CHOICE ? (size_t)argument % n : (v->panel + (action == ACT_PANEL ? 1 : n - 1)) % n;
        v->list.shift = 0;
        return true;
    }
    if (v->panel == P_CHART && v->answer.advice != NULL && (action == ACT_LEFT || action == ACT_RIGHT)) {
        options_front_move(v->answer.advice, &v->list, action == ACT_LEFT ? -1 : 1);
        return true;
    }
    if (action == ACT_EDIT) {
        tui_open(t, VIEW_WHATIF);
        return true;
    }
    return false;
}

static const Action keys[] = {ACT_OPEN,    ACT_FILTER, ACT_SORT_RIGHT, ACT_EXPORT, ACT_PANEL, ACT_MARK,
                              ACT_COMPARE, ACT_SETUP,  ACT_SORT_BY,    ACT_FIND,   ACT_COPY,  ACT_START};

const View view_advice = {
    .panels = panels,
    .n_panels = COUNT_OF(panels),
    .question = fields_words,
    .take = take,
    .fill = fill,
    .act = act,
    .basis = basis,
    .keys = keys,
    .n_keys = COUNT_OF(keys),
};
