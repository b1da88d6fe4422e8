// The frame around a view: header, box, what runs, the command, the keys.
#include "tui/draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/palette.h"
#include "tui/popup.h"
#include "tui/prompt.h"

static void draw_tabs(const Tui *t, Grid *g) {
    enum { NAMED = 80, ROOMY = 100 };
    grid_fill(g, (Rect){0, 0, g->width, 1}, STYLE_BAR);
    int x = 0;
    for (int i = 0; i < VIEW_COUNT; i++) {
        int style = i == (int)t->view ? STYLE_BAR_ON : STYLE_BAR;
        bool named = g->width >= NAMED || i == (int)t->view;
        int used = grid_printf(g, x, 0, g->width - x, style, g->width >= ROOMY ? "  %d %s " : " %d %s", i + 1,
                               named ? view_table[i].title : "");
        grid_zone(g, (Rect){x, 0, used, 1}, ACT_VIEW_FIRST + i, 0);
        x += used;
    }
    const char *name = t->host->version;
    if (g->width - x > (int)strlen(name) + 12)
        grid_right(g, 0, 0, g->width - 1, STYLE_BAR, arena_printf(g->arena, "gpuadvise %s", name));
}

// A key and what it does here.
typedef struct Hint {
    const char *key, *label;
    Action action;  // of a click; ACT_NONE: none
} Hint;

static Hint hint_of(const Tui *t, const Grid *g, Action action) {
    return (Hint){keys_first(&t->keys, action, g->arena), key_table[action].label, action};
}

static int hint_width(const Hint *h) { return (int)(strlen(h->key) + strlen(h->label)) + 1; }

static int draw_hint(Grid *g, int x, int y, const Hint *h) {
    grid_text(g, x, y, g->width - x, STYLE_KEY, h->key);
    grid_text(g, x + (int)strlen(h->key) + 1, y, g->width - x, STYLE_DIM, h->label);
    if (h->action != ACT_NONE) grid_zone(g, (Rect){x, y, hint_width(h), 1}, (int)h->action, 0);
    return x + hint_width(h) + 2;
}

// As many as fit left of `right`.
static void draw_hints(Grid *g, int y, int right, const Hint *hints, size_t n) {
    int x = 0;
    for (size_t i = 0; i < n; i++) {
        if (hints[i].key[0] != '\0' && x + hint_width(&hints[i]) + 2 <= right)
            x = draw_hint(g, x, y, &hints[i]);
    }
}

// While a line is typed its keys are those of every line.
static void draw_prompt_keys(const Tui *t, Grid *g, int y) {
    static const Hint fixed[] = {{"enter", "Take", ACT_NONE},
                                 {"esc", "Leave", ACT_NONE},
                                 {"tab", "Complete", ACT_NONE},
                                 {"ctrl-p", "Typed before", ACT_NONE},
                                 {"ctrl-u", "Empty", ACT_NONE}};
    static const Hint answers[] = {{"y", "Write over it", ACT_NONE}, {"esc", "Leave it", ACT_NONE}};
    bool asks = t->prompt.kind == PROMPT_OVERWRITE;
    draw_hints(g, y, g->width + 2, asks ? answers : fixed, asks ? COUNT_OF(answers) : COUNT_OF(fixed));
}

static void draw_popup_keys(const Tui *t, Grid *g, int y) {
    static const struct {
        Action action;
        const char *label;
    } of_text[] = {{ACT_BACK, "Close"}, {ACT_DOWN, "Scroll"}, {ACT_PAGE_DOWN, "PgDn"},
                   {ACT_END, "End"},    {ACT_COPY, "Copy"},   {ACT_COPY_LINE, "Copy command"}},
      of_setup[] = {{ACT_BACK, "Close"}, {ACT_DOWN, "Next"}, {ACT_RIGHT, "Change"}, {ACT_SAVE, "Save"}},
      of_start[] = {{ACT_OPEN, "Take"},
                    {ACT_DOWN, "Next"},
                    {ACT_LEFT, "Back"},
                    {ACT_COPY, "Copy"},
                    {ACT_BACK, "Close"}};
    PopupKind kind = t->popup.kind;
    Hint hints[COUNT_OF(of_text)];
    size_t n = kind == POPUP_TEXT    ? COUNT_OF(of_text)
               : kind == POPUP_SETUP ? COUNT_OF(of_setup)
                                     : COUNT_OF(of_start);
    for (size_t i = 0; i < n; i++) {
        Action action = kind == POPUP_TEXT    ? of_text[i].action
                        : kind == POPUP_SETUP ? of_setup[i].action
                                              : of_start[i].action;
        hints[i] = hint_of(t, g, action);
        hints[i].label = kind == POPUP_TEXT    ? of_text[i].label
                         : kind == POPUP_SETUP ? of_setup[i].label
                                               : of_start[i].label;
    }
    draw_hints(g, y, g->width + 2, hints, n);
}

// The view's keys from the left, as many as fit before those that always work.
static void draw_keys(const Tui *t, const ViewState *v, Grid *g, int y) {
    enum { HINTS_MAX = 24 };
    static const Action always[] = {ACT_COMMAND, ACT_HELP, ACT_QUIT};
    if (t->prompt.kind != PROMPT_NONE) {
        draw_prompt_keys(t, g, y);
        return;
    }
    if (t->popup.kind != POPUP_NONE) {
        draw_popup_keys(t, g, y);
        return;
    }
    Hint hints[HINTS_MAX], last[COUNT_OF(always)];
    size_t n = 0;
    int right = g->width + 2;
    for (size_t i = 0; i < COUNT_OF(always); i++) {
        last[i] = hint_of(t, g, always[i]);
        right -= hint_width(&last[i]) + 2;
    }
    for (; n < v->view->n_keys && n < HINTS_MAX; n++) hints[n] = hint_of(t, g, v->view->keys[n]);
    draw_hints(g, y, right, hints, n);
    for (size_t i = 0; i < COUNT_OF(always); i++) right = draw_hint(g, right, y, &last[i]);
}

static void draw_job(const Tui *t, Grid *g, int y) {
    const Job *j = &t->job;
    char spent[16], left[16];
    double left_s = job_left_s(j);
    job_time(seconds_now() - j->started_s, spent);
    int x = grid_printf(g, 0, y, g->width / 2, STYLE_TITLE, " %s ", j->what);
    if (j->total > 0) {
        enum { METER = 16 };
        grid_point(g, x, y, STYLE_FRAME, '[');
        grid_meter(g, x + 1, y, METER, STYLE_GOOD, j->done / j->total);
        grid_point(g, x + 1 + METER, y, STYLE_FRAME, ']');
        x += METER + 3;
        x += grid_printf(g, x, y, g->width - x, STYLE_TEXT, "%.0f of %.0f %s, ", j->done, j->total, j->step);
    } else if (j->step[0] != '\0') {
        x += grid_printf(g, x, y, g->width - x, STYLE_TEXT, "%s, ", j->step);
    }
    x += grid_text(g, x, y, g->width - x, STYLE_TEXT, spent);
    if (isfinite(left_s))
        x += grid_printf(g, x, y, g->width - x, STYLE_DIM, ", about %s left", job_time(left_s, left));
    const char *key = keys_first(&t->keys, ACT_CANCEL, g->arena);
    x += grid_printf(g, x + 1, y, g->width - x - 1, STYLE_KEY, j->cancelled ? "cancelling ..." : "%s cancels",
                     key);
    grid_zone(g, (Rect){0, y, g->width, 1}, ACT_CANCEL, 0);
}

// What was said last, else the plain command that this screen equals. Both matter to their last word: as many
// lines as it takes.
static const char *status_text(Tui *t, const ViewState *v, Arena *a, int *ret_style) {
    const Err *error = &view_answering(t)->error;
    (void)v;
    if (error->kind != ERR_NONE && !t->bad) {
        *ret_style = STYLE_BAD;
        return error->text;
    }
    *ret_style = t->message[0] == '\0' ? STYLE_DIM : t->bad ? STYLE_BAD : STYLE_CHANGED;
    if (t->message[0] != '\0') return t->message;
    const char *command = frame_command(t, a);
    return command[0] != '\0' ? arena_printf(a, "$ %s", command) : "";
}

static int status_lines(Tui *t, const ViewState *v, Grid *g) {
    enum { LINES_MAX = 6 };
    int style = 0;
    if (t->popup.kind != POPUP_NONE) return 1;  // the box reaches down to it
    if (t->prompt.kind != PROMPT_NONE && t->prompt.kind != PROMPT_FIELD) return t->message[0] != '\0' ? 2 : 1;
    int lines =
        grid_wrapped(g, (Rect){0, 0, g->width - 2, 0}, STYLE_TEXT, 0, status_text(t, v, g->arena, &style));
    return lines < 1 ? 1 : lines < LINES_MAX ? lines : LINES_MAX;
}

static void draw_status(Tui *t, const ViewState *v, Grid *g, Rect at) {
    int style = 0;
    if (t->prompt.kind != PROMPT_NONE && t->prompt.kind != PROMPT_FIELD) {
        Rect said = rect_top(&at, at.height - 1);
        if (said.height > 0)
            grid_text(g, said.x + 1, said.y, said.width - 1, t->bad ? STYLE_BAD : STYLE_CHANGED, t->message);
        prompt_draw(t, g, at);
        return;
    }
    const char *text = status_text(t, v, g->arena, &style);
    if (at.height > 1) {
        grid_wrapped(g, (Rect){at.x + 1, at.y, at.width - 2, at.height}, style, 0, text);
    } else {
        grid_text(g, at.x + 1, at.y, at.width - 1, style, text);
    }
}

// Nothing of it was ever there: the host is still busy with another question.
static bool waits(const ViewState *v) {
    bool own = v->view->question == NULL && !v->view->reports;
    return own && !v->loaded && v->list.of == NULL && v->answer.text == NULL;
}

static void frame_draw(Tui *t, Arena *a, Grid *ret_grid) {
    ViewState *v = view_now(t);
    Grid g;
    grid_init(&g, a, t->width, t->height);
    if (t->width < TUI_WIDTH_MIN || t->height < TUI_HEIGHT_MIN) {
        grid_wrapped(
            &g, (Rect){0, 0, t->width, t->height}, STYLE_WARN, 0,
            arena_printf(a, "This window has %d x %d; gpuadvise needs %d x %d. Make it larger, or press q.",
                         t->width, t->height, TUI_WIDTH_MIN, TUI_HEIGHT_MIN));
        *ret_grid = g;
        return;
    }
    bool job = t->job.pid > 0;
    int said = status_lines(t, v, &g);
    Rect body = {0, 1, t->width, t->height - 2 - said - job};
    draw_tabs(t, &g);
    if (v->view->fill != NULL && !waits(v)) {
        v->view->fill(t, v, &g, body);
    } else {
        view_table_fill(v, &g, body);
    }
    if (job) draw_job(t, &g, t->height - 2 - said);
    if (t->popup.kind != POPUP_NONE) {
        g.n_zones = 0;
        popup_draw(t, &g);
    }
    if (t->prompt.kind == PROMPT_COMMAND) palette_draw(t, &g, t->height - 2 - said);
    draw_status(t, v, &g, (Rect){0, t->height - 1 - said, t->width, said});
    draw_keys(t, v, &g, t->height - 1);
    *ret_grid = g;
}

void tui_frame(Tui *t, Arena *a, Grid *ret_grid) {
    if (t->view != VIEW_BENCH) live_stop(&t->live);
    ViewState *v = view_answering(t);
    // while the host answers beside the screen, it has no time for another view: its rows come after that
    if (!may_wait(v) && !t->asker.running) view_load(t, v);
    frame_draw(t, a, ret_grid);
}
