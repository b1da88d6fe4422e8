// What views, boxes and lines ask of the screen.
#include "tui/services.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const tui_theme_names[] = {"dark", "light", "mono", NULL};

void tui_say(Tui *t, bool bad, const char *format, ...) {
    va_list args;
    Buf b;
    buf_init(&b, BUF_LIMIT);
    va_start(args, format);
    buf_vprintf(&b, format, args);
    va_end(args);
    snprintf(t->message, sizeof t->message, "%s", b.length > 0 ? b.data : "");
    text_scrub(t->message);
    t->bad = bad;
    buf_free(&b);
}

void tui_hush(Tui *t) {
    t->message[0] = '\0';
    t->bad = false;
}

void tui_wish(Tui *t, Action action, int argument, const char *text) {
    t->wish = (Wish){.action = action, .argument = argument};
    snprintf(t->wish.text, sizeof t->wish.text, "%s", text != NULL ? text : "");
}

// ---------------------------------------------------------------- views

ViewState *view_now(Tui *t) { return &t->views[t->view]; }

ViewState *view_answering(Tui *t) {
    ViewState *v = view_now(t);
    return v->view->reports ? &t->views[VIEW_ADVICE] : v;
}

const Panel *panel_now(const ViewState *v) {
    return v->view->n_panels > 0 ? &v->view->panels[v->panel] : NULL;
}

void view_panel(ViewState *v, size_t panel) {
    if (v->view->n_panels < 2) return;
    v->panel = panel % v->view->n_panels;
    view_forget(v);
    v->list = (List){0};
}

void view_forget(ViewState *v) {
    arena_free(&v->arena);
    v->answer = (TuiAnswer){0};
    v->list.of = NULL;
    v->loaded = false;
}

void tui_stale(Tui *t) {
    for (int i = 0; i < VIEW_COUNT; i++) t->views[i].loaded = false;
    t->history.gpu = NULL;
}

void tui_open(Tui *t, ViewId view) {
    if (t->view != view) t->before = t->view;
    t->view = view;
    tui_hush(t);
}

size_t words_of(const char *const list[WORDS_MAX]) {
    size_t n = 0;
    while (n < WORDS_MAX && list[n] != NULL) n++;
    return n;
}

// The options that give the same rows in the same order.
static const char *rows_words(const ViewState *v, Arena *a) {
    const List *l = &v->list;
    const char *where = "";
    const char *sort = "";
    if (!v->view->lists || l->of == NULL || v->one) return "";
    if (l->taken[0] != '\0') where = arena_printf(a, " --where %s", text_shell_word(a, l->taken));
    if (l->n_sorts > 0) sort = arena_printf(a, " --sort=%s", list_sorts(l, a));
    return arena_printf(a, "%s%s", where, sort);
}

const char *frame_command(Tui *t, Arena *a) {
    const ViewState *v = view_answering(t);
    return v->answer.line != NULL ? arena_printf(a, "%s%s", v->answer.line, rows_words(v, a)) : "";
}

// ---------------------------------------------------------------- boxes and lines

void popup_close(Tui *t) {
    arena_free(&t->popup.arena);
    t->popup = (Popup){0};
}

void popup_text(Tui *t, const char *title, const char *text) {
    popup_close(t);
    t->popup.kind = POPUP_TEXT;
    t->popup.title = arena_copy(&t->popup.arena, title, strlen(title));
    t->popup.text = arena_copy(&t->popup.arena, text, strlen(text));
}

void setup_open(Tui *t) {
    popup_close(t);
    t->popup.kind = POPUP_SETUP;
    t->popup.title = "Setup";
}

void prompt_open(Tui *t, PromptKind kind, const char *text) {
    t->prompt.kind = kind;
    line_set(&t->prompt.line, text);
    snprintf(t->prompt.before, sizeof t->prompt.before, "%s", text);
    const char *figure = kind == PROMPT_FIELD ? strrchr(text, '=') : NULL;
    t->prompt.kept = figure != NULL ? (size_t)(figure + 1 - text) : 0;
    t->prompt.offered = (kind == PROMPT_EXPORT || kind == PROMPT_PATH || kind == PROMPT_FLEET ||
                         kind == PROMPT_FIELD || kind == PROMPT_SORT || kind == PROMPT_FIND) &&
                        text[0] != '\0';
    t->prompt.back = t->prompt.chosen = 0;
    tui_hush(t);
}

const char *path_typed(const char *text, Arena *a) {
    const char *home = getenv("HOME");
    bool at_home = text[0] == '~' && (text[1] == '/' || text[1] == '\0') && home != NULL;
    return at_home ? arena_printf(a, "%s%s", home, text + 1) : text;
}

// ---------------------------------------------------------------- commands as processes

void tui_start(Tui *t, JobKind kind, const char *const *words, size_t n) {
    const char *all[JOB_WORDS_MAX];
    Err e = {0};
    size_t used = 0;
    if (n + t->host->n_globals > JOB_WORDS_MAX) {
        tui_say(t, true, "more than %d words", JOB_WORDS_MAX);
        return;
    }
    for (size_t i = 0; i < n; i++) all[used++] = words[i];
    for (size_t i = 0; i < t->host->n_globals; i++) all[used++] = t->host->globals[i];
    if (!job_start(&t->job, kind, all, used, kind == JOB_TEXT ? t->width - POPUP_FRAME : 0, &e))
        tui_say(t, true, "%s", e.text);
}
