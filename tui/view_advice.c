// Advice: verdict, the best of each vendor side by side, ranked options, cost against speed.
#include <stdlib.h>
#include <string.h>

#include "tui/app.h"
#include "tui/chart.h"

enum { WIDE = 110, TALL = 40, LOW = 17 };

static const Panel panels[] = {{"options", {NULL}, {NULL}, NULL},
                               {"chart", {NULL}, {NULL}, NULL},
                               {"reasons", {NULL}, {NULL}, NULL},
                               {"report", {NULL}, {NULL}, NULL}};
enum { P_OPTIONS, P_CHART, P_REASONS, P_REPORT };

static int style_of_winner(Winner w) {
    return w == WINNER_NVIDIA ? STYLE_NVIDIA : w == WINNER_AMD ? STYLE_AMD : STYLE_WARN;
}

static bool load(Tui *t, ViewState *v, Err *e) {
    const char **words = NULL;
    Arena *a = &v->arena;
    size_t n = fields_words(t, a, &words);
    if (!view_ask(t, v, words, n, e)) return false;
    if (v->answer.advice == NULL) return err_set(e, ERR_FAILED, "no advice came back");
    Listing *l = arena_alloc(a, 1, sizeof *l);
    advice_ranked(v->answer.advice, (size_t)t->width - 8, a, l);
    list_open(&v->list, l, a);
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

static void draw_best(const Advice *x, Grid *g, Rect at, bool all) {
    enum { LABEL = 14, MIDDLE = 2 };
    Listing l;
    advice_best(x, g->arena, &l);
    int half = (at.width - LABEL - MIDDLE) / 2;
    int y = at.y;
    grid_text(g, at.x + LABEL, y, half, STYLE_NVIDIA, "N NVIDIA");
    grid_text(g, at.x + LABEL + half + MIDDLE, y, half, STYLE_AMD, "A AMD");
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

// ---------------------------------------------------------------- chart

static const char *cost_words(const Advice *x) {
    static const char *const words[] = {[KIND_SERVE] = "$ per million output tokens",
                                        [KIND_IMAGES] = "$ per 1000 images",
                                        [KIND_TRAIN] = "$ in all",
                                        [KIND_LORA] = "$ in all",
                                        [KIND_HPC] = "$ a run",
                                        [KIND_EMBED] = "$ per million input tokens"};
    return words[x->ask->workload.kind];
}

static double speed(const Option *o, bool serving) { return serving ? o->tpot_ms.value : o->price_usd_h; }

static int by_speed(const void *x, const void *y) {
    const Dot *a = x;
    const Dot *b = y;
    return a->x < b->x ? -1 : a->x > b->x ? 1 : a->y < b->y ? -1 : a->y > b->y;
}

// The options that no other beats in both, as a line; gives how many dots it took.
static size_t frontier(const Advice *x, bool serving, Dot *dots) {
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < x->n_options; i++) {
        const Option *o = &x->options[i];
        if (is_known(speed(o, serving)) && is_known(o->cost))
            dots[n++] = (Dot){speed(o, serving), o->cost, STYLE_FRAME, 0, true};
    }
    if (n > 0) qsort(dots, n, sizeof *dots, by_speed);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || dots[i].y < dots[kept - 1].y) dots[kept++] = dots[i];
    }
    if (kept > 0) dots[0].joined = false;
    return kept;
}

// Cost against TPOT (token serving), else against the dollars of an hour: down and left is better. Capitals
// are the best of each.
static void draw_chart(const Advice *x, const List *list, Grid *g, Rect at) {
    bool serving = x->ask->workload.kind == KIND_SERVE;
    Dot *dots = arena_alloc(g->arena, 2 * x->n_options + 4, sizeof *dots);
    size_t n = frontier(x, serving, dots);
    for (size_t i = x->n_options; i-- > 0;) {
        const Option *o = &x->options[i];
        bool nvidia = o->gpu->vendor == VENDOR_NVIDIA;
        bool best = o == x->best[o->gpu->vendor];
        dots[n++] = (Dot){speed(o, serving), o->cost, nvidia ? STYLE_NVIDIA : STYLE_AMD,
                          best     ? (nvidia ? 'N' : 'A')
                          : nvidia ? 'n'
                                   : 'a',
                          false};
    }
    size_t row = list_row(list);
    if (row < x->n_options) {
        dots[n] = dots[n - 1 - row];
        dots[n++].style |= STYLE_CURSOR;
    }
    ChartAxes axes = {
        .x_title = serving ? "TPOT ms" : "$/h", .y_title = cost_words(x), .x_log = true, .y_log = true};
    chart_draw(g, at, &axes, dots, n);
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
    for (size_t i = 0; i < x->n_flips; i++)
        buf_printf(&b, "flip: %s: %s\n", x->flips[i].what, x->flips[i].text);
    add_lines(&b, "!", answer->warnings, answer->n_warnings);
    const char *text = arena_copy(a, b.length > 0 ? b.data : "", b.length);
    buf_free(&b);
    return text;
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
    const char *count = x->n_options == x->n_found ? list_count(&v->list, g->arena)
                                                   : arena_printf(g->arena, " %zu of the best %zu (of %zu) ",
                                                                  v->list.n_shown, x->n_options, x->n_found);
    if (v->panel == P_OPTIONS && v->list.of != NULL)
        grid_right(g, box.x, box.y, box.width - 2, STYLE_DIM, count);
    Rect in = rect_inside(box);
    ListLook look = view_look();
    if (v->panel == P_OPTIONS) list_draw(&v->list, g, in, &look);
    if (v->panel == P_CHART) draw_chart(x, &v->list, g, in);
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
        grid_box(g, at, "Advice");
        grid_wrapped(g, rect_inside(at), STYLE_BAD, 0, v->error.text);
        return;
    }
    bool tall = at.height >= TALL;
    draw_verdict(x, g, &at);
    if (x->best[VENDOR_NVIDIA] == NULL && x->best[VENDOR_AMD] == NULL) {
        grid_box(g, at, "nothing meets what was asked");
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
        draw_chart(x, &v->list, g, rect_inside(chart));
    }
    grid_box(g, best, arena_printf(g->arena, "%s: %s", x->ask->workload.workload_id, x->ask->workload.title));
    draw_best(x, g, rect_inside(best), tall);
    draw_options(v, g, at);
}

// ---------------------------------------------------------------- keys

static const char *basis(Tui *t, ViewState *v, Arena *a) {
    (void)t;
    const Advice *x = v->answer.advice;
    size_t row = list_row(&v->list);
    if (x == NULL || row >= x->n_options) return NULL;
    const Option *o = &x->options[row];
    Buf b;
    buf_init(&b, BUF_LIMIT);
    const struct {
        const char *name;
        const Estimate *x;
    } figures[] = {{"tok/s", &o->output_tokens_s},
                   {"tok/s/user", &o->tokens_s_user},
                   {"TTFT p50 ms", &o->ttft_p50_ms},
                   {"TTFT p99 ms", &o->ttft_p99_ms},
                   {"TPOT ms", &o->tpot_ms},
                   {"$/Mtok", &o->output_usd_mtok},
                   {"$/Mtok in+out", &o->blended_usd_mtok},
                   {"$/Mtok full", &o->saturated_output_usd_mtok},
                   {"images/s", &o->images_s},
                   {"$/1k images", &o->usd_1k_images},
                   {"trained tok/s", &o->train_tokens_s},
                   {"hours", &o->hours_total},
                   {"$ in all", &o->usd_total},
                   {"$ a run", &o->usd_run},
                   {"texts/s", &o->sequences_s},
                   {"tok/s in", &o->input_tokens_s}};
    buf_printf(&b, "%d x %s at %s, estimates with their 80 %% range, basis and sources\n\n", o->gpu_count,
               o->gpu->sku_id, o->offer->provider);
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        char text[160];
        if (!is_known(figures[i].x->value)) continue;
        estimate_text(text, sizeof text, figures[i].x, 3);
        buf_printf(&b, "%-14s %s, %s: %s\n", figures[i].name, text, basis_names[figures[i].x->basis],
                   figures[i].x->sources);
    }
    buf_printf(&b, "price          seen %s, %s\n", o->offer->as_of, o->offer->source);
    advice_explain(x, o, 0, a, &b);
    buf_puts(&b, "\nThe row\n");
    listing_show(v->list.of, row, FORMAT_TABLE, 0, &b);
    const char *text = arena_copy(a, b.data, b.length);
    buf_free(&b);
    return text;
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
    if (action == ACT_EDIT) {
        tui_open(t, VIEW_WHATIF);
        return true;
    }
    return false;
}

static const Action keys[] = {ACT_OPEN,    ACT_FILTER, ACT_SORT_RIGHT, ACT_MARK,
                              ACT_COMPARE, ACT_PANEL,  ACT_SETUP,      ACT_EXPORT};

const View view_advice = {
    .title = "Advice",
    .about = "the verdict for the workload, the best of each vendor, ranked options, cost against speed",
    .panels = panels,
    .n_panels = COUNT_OF(panels),
    .load = load,
    .fill = fill,
    .act = act,
    .basis = basis,
    .keys = keys,
    .n_keys = COUNT_OF(keys),
};
