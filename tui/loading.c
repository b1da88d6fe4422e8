// Answers that views show: asked for at once, or beside the screen where that takes longer than a frame may.
#include "tui/services.h"

static bool ask_host(Tui *t, const char *const *words, size_t n, size_t width, Arena *a,
                     TuiAnswer *ret_answer, Err *e) {
    asker_wait(&t->asker);
    return t->host->ask(t->host->self, words, n, width, a, ret_answer, e);
}

static size_t view_width(const Tui *t) {
    enum { FRAME_COLUMNS = 6 };
    return (size_t)t->width - FRAME_COLUMNS;
}

bool view_ask(Tui *t, ViewState *v, const char *const *words, size_t n, Err *e) {
    return ask_host(t, words, n, view_width(t), &v->arena, &v->answer, e);
}

bool tui_ask(Tui *t, const char *const *words, size_t n, Arena *a, TuiAnswer *ret_answer, Err *e) {
    return ask_host(t, words, n, (size_t)t->width - POPUP_FRAME, a, ret_answer, e);
}

// ---------------------------------------------------------------- at once

static bool load_panel(Tui *t, ViewState *v, Err *e) {
    const Panel *p = panel_now(v);
    if (p == NULL || p->words[0] == NULL) return true;
    if (!view_ask(t, v, p->words, words_of(p->words), e)) return false;
    if (v->answer.n_listings > 0) list_open(&v->list, &v->answer.listings[0], &v->arena);
    return true;
}

static bool load_answer(Tui *t, ViewState *v, Err *e) {
    const char **words = NULL;
    size_t n = v->view->question(t, &v->arena, &words);
    return view_ask(t, v, words, n, e) && v->view->take(t, v, e);
}

// An answer that cannot be had leaves the one before on the screen, under the message.
void view_load(Tui *t, ViewState *v) {
    if (v->loaded) return;
    Arena before = v->arena;
    TuiAnswer answer = v->answer;
    List list = v->list;
    v->arena = (Arena){0};
    v->error = (Err){0};
    bool ok = v->view->question != NULL ? load_answer(t, v, &v->error)
              : v->view->load != NULL   ? v->view->load(t, v, &v->error)
                                        : load_panel(t, v, &v->error);
    v->loaded = true;
    if (ok) {
        arena_free(&before);
        return;
    }
    arena_free(&v->arena);
    v->arena = before;
    v->answer = answer;
    v->list = list;
}

// ---------------------------------------------------------------- beside the screen

// What stands on the screen meanwhile is the answer before the last change, or that there is none yet.
bool may_wait(const ViewState *v) { return v->view->question != NULL && !v->loaded; }

static void start_question(Tui *t, ViewState *v) {
    Arena a = {0};
    const char **words = NULL;
    size_t n = v->view->question(t, &a, &words);
    v->loaded = v->asking = true;
    t->asked_by = v;
    asker_start(&t->asker, t->host, words, n, view_width(t));
    arena_free(&a);
}

void tui_take_answer(Tui *t) {
    ViewState *v = t->asked_by;
    Arena arena = {0};
    Err e = {0};
    if (!asker_ended(&t->asker)) return;
    const ViewState before = *v;
    v->asking = false;
    bool ok = asker_take(&t->asker, &arena, &v->answer, &e);
    if (ok) v->arena = arena;
    if (ok && v->view->take(t, v, &e)) {
        Arena old = before.arena;
        arena_free(&old);
    } else if (ok) {
        arena_free(&v->arena);
        *v = before;
        v->asking = false;
    }
    if (v->loaded) v->error = e;  // else the question has changed meanwhile
}

void view_wait(Tui *t, ViewState *v) {
    if (v->asking) {
        asker_wait(&t->asker);
        tui_take_answer(t);
    }
    view_load(t, v);
}

void tui_drop_question(Tui *t) {
    Arena arena = {0};
    TuiAnswer answer;
    Err e;
    if (!t->asker.running) return;
    if (asker_take(&t->asker, &arena, &answer, &e)) arena_free(&arena);
    t->asked_by->asking = false;
}

// ---------------------------------------------------------------- when

bool tui_idle(Tui *t, bool ask) {
    ViewState *v = view_answering(t);
    if (may_wait(v)) {
        bool can = !t->asker.running;
        if (ask && can) start_question(t, v);
        return can;
    }
    v = view_now(t);
    return v->view->idle != NULL && v->list.of != NULL && t->popup.kind == POPUP_NONE &&
           v->view->idle(t, v, ask);
}

bool tui_settle(Tui *t) {
    ViewState *v = view_answering(t);
    asker_wait(&t->asker);
    tui_take_answer(t);
    bool waited = may_wait(v);
    if (waited) view_load(t, v);
    return tui_idle(t, true) || waited;
}

long tui_idle_ms(Tui *t) {
    enum { ANSWER_MS = 2, EXTRA_MS = 120 };
    return may_wait(view_answering(t)) ? ANSWER_MS : EXTRA_MS;
}

bool tui_ticks(const Tui *t) { return t->job.pid > 0 || t->view == VIEW_BENCH; }
