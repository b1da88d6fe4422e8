// The state of the screen, and what keys do to it.
#include "tui/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/draw.h"
#include "tui/looks.h"
#include "tui/output.h"
#include "tui/popup.h"
#include "tui/prompt.h"
#include "tui/start.h"
#include "tui/view_parts.h"

// clang-format off
#define VIEW_(id, view, name, key, title, about) [VIEW_##id] = &view_##view,
// clang-format on

// ---------------------------------------------------------------- birth and end

static bool first_view(Tui *t, Err *e) {
    const char *name = t->options->view;
    int i = name_index(tui_view_names, name);
    if (name[0] == '\0') return true;
    if (i < 0) {
        Arena a = {0};
        const char *all = tui_view_names[0];
        for (size_t k = 1; tui_view_names[k] != NULL; k++)
            all = arena_printf(&a, "%s, %s", all, tui_view_names[k]);
        err_set(e, ERR_USAGE, "no view is called '%s'; one of: %s", name, all);
        arena_free(&a);
        return false;
    }
    t->view = (ViewId)i;
    return true;
}

// Whoever has saved nothing yet and names no view may be here for the first time.
static void greet(Tui *t) {
    Arena a = {0};
    const char *start = keys_first(&t->keys, ACT_START, &a);
    if (!t->saved && t->options->view[0] == '\0' && start[0] != '\0')
        tui_say(t, false,
                "The first time here? %s asks four questions and builds the command; %s explains the keys.",
                start, keys_first(&t->keys, ACT_HELP, &a));
    arena_free(&a);
}

static void read_state(Tui *t) {
    enum { STATE_BYTES_MAX = 64 * 1024 };
    Arena a = {0};
    Str text;
    Err e = {0};
    if (t->options->state_path[0] != '\0' &&
        file_read(&a, t->options->state_path, STATE_BYTES_MAX, &text, &e)) {
        t->saved = true;
        state_read(t, text);
    }
    arena_free(&a);
}

bool tui_init(Tui *t, const TuiHost *host, const TuiOptions *options, int width, int height, Err *e) {
    *t = (Tui){.host = host,
               .options = options,
               .width = width,
               .height = height,
               .ascii = options->ascii,
               .mouse = true};
    static const View *const views[VIEW_COUNT] = {TUI_VIEWS(VIEW_)};
    for (int i = 0; i < VIEW_COUNT; i++) t->views[i] = (ViewState){.view = views[i]};
    asker_init(&t->asker);
    job_init(&t->job);
    field_set(t, "workload", "llama70b");
    read_state(t);
    if (options->workload[0] != '\0') field_set(t, "workload", options->workload);
    snprintf(t->fields.first, sizeof t->fields.first, "%s", t->fields.value[0]);
    bool light = false;
    if (options->theme >= 0) t->theme = options->theme;
    t->theme_chosen = t->theme_chosen || options->theme >= 0;
    if (!t->theme_chosen && ground_of_variable(getenv("COLORFGBG"), &light))
        t->theme = light ? THEME_LIGHT : THEME_DARK;
    t->ascii = t->ascii || options->ascii;
    if (!first_view(t, e) || !keys_init(&t->keys, options->bindings, options->n_bindings, &t->arena, e))
        return false;
    greet(t);
    return true;
}

void tui_free(Tui *t) {
    asker_free(&t->asker);
    for (int i = 0; i < VIEW_COUNT; i++) arena_free(&t->views[i].arena);
    scan_free_view(t);
    arena_free(&t->history.arena);
    arena_free(&t->popup.arena);
    buf_free(&t->copied);
    arena_free(&t->arena);
    job_free(&t->job);
    live_stop(&t->live);
}

// ---------------------------------------------------------------- views

// What an advice borrows goes with the data that it was made from: it is not kept, not even until the next
// one is there.
static void read_anew(Tui *t) {
    tui_drop_question(t);
    live_forget(&t->live);
    view_forget(&t->views[VIEW_ADVICE]);
    t->host->forget(t->host->self);
    tui_stale(t);
}

void tui_resize(Tui *t, int width, int height) {
    t->width = width;
    t->height = height;
    tui_stale(t);  // commands choose columns by the width
}

// ---------------------------------------------------------------- actions that all views know

static int page_rows(const Tui *t) { return t->height > 12 ? t->height - 10 : 4; }

static bool act_move(Tui *t, ViewState *v, Action action) {
    long page = page_rows(t);
    switch (action) {
    case ACT_UP: list_move(&v->list, -1); return true;
    case ACT_DOWN: list_move(&v->list, 1); return true;
    case ACT_WHEEL_UP: list_move(&v->list, -3); return true;
    case ACT_WHEEL_DOWN: list_move(&v->list, 3); return true;
    case ACT_PAGE_UP: list_move(&v->list, -page); return true;
    case ACT_PAGE_DOWN: list_move(&v->list, page); return true;
    case ACT_HOME: v->list.cursor = 0; return true;
    case ACT_END: list_move(&v->list, (long)v->list.n_shown); return true;
    case ACT_LEFT: v->list.shift -= v->list.shift > 0; return true;
    case ACT_RIGHT: v->list.shift += v->list.shift < list_shifts(&v->list); return true;
    default: return false;
    }
}

// A click on a title: sorted by it, the other way, not at all.
static void act_column(ViewState *v, int column) {
    const List *l = &v->list;
    bool again = l->n_sorts == 1 && l->sorts[0].column == (size_t)column;
    bool down = again && l->sorts[0].descending;
    list_sort(&v->list, down ? SIZE_MAX : (size_t)column, again && !down);
}

static void act_find(Tui *t, ViewState *v, int step) {
    Err e = {0};
    if (v->list.find[0] == '\0') {
        prompt_open(t, PROMPT_FIND, "");
    } else if (!list_find(&v->list, step, &e)) {
        tui_say(t, true, "%s", e.text);
    }
}

static void act_sort(Tui *t, const ViewState *v) {
    Arena a = {0};
    prompt_open(t, PROMPT_SORT, v->list.of != NULL ? list_sorts(&v->list, &a) : "");
    arena_free(&a);
}

static void show_basis(Tui *t, ViewState *v) {
    Arena a = {0};
    size_t row = list_row(&v->list);
    const char *text = v->view->basis != NULL ? v->view->basis(t, v, &a) : NULL;
    Buf b;
    buf_init(&b, BUF_LIMIT);
    if (text == NULL && row != SIZE_MAX) listing_show(v->list.of, row, FORMAT_TABLE, 0, &b);
    if (text == NULL && b.length > 0 && v->list.of->note != NULL && v->list.of->note[0] != '\0')
        buf_printf(&b, "\n%s\n", v->list.of->note);
    if (text == NULL && b.length > 0) text = b.data;
    if (text != NULL) {
        popup_text(t, "What it rests on", text);
    } else {
        tui_say(t, false, "there is no row here");
    }
    buf_free(&b);
    arena_free(&a);
}

static const char *key_of_row(const ViewState *v, const Panel *p, Arena *a) {
    size_t row = list_row(&v->list);
    for (size_t c = 0; row != SIZE_MAX && p->key != NULL && c < v->list.of->n_columns; c++) {
        const Cell *cell = &v->list.of->cells[row * v->list.of->n_columns + c];
        if (strcmp(v->list.of->columns[c].key, p->key) == 0)
            return v->list.of->columns[c].number ? arena_printf(a, "%.0f", cell->number) : cell->text;
    }
    return NULL;
}

static void show_detail(Tui *t, ViewState *v) {
    const Panel *p = panel_now(v);
    Arena a = {0};
    const char *key = p != NULL && p->detail[0] != NULL ? key_of_row(v, p, &a) : NULL;
    if (key == NULL || key[0] == '\0') {
        show_basis(t, v);
        arena_free(&a);
        return;
    }
    const char *words[WORDS_MAX + 1] = {0};
    size_t n = words_of(p->detail);
    for (size_t i = 0; i < n; i++) words[i] = p->detail[i];
    words[n++] = key;
    TuiAnswer answer = {0};
    Err e = {0};
    if (tui_ask(t, words, n, &a, &answer, &e)) {
        popup_text(t, answer.line, answer.text);
    } else {
        tui_say(t, true, "%s", e.text);
    }
    arena_free(&a);
}

static void act_back(Tui *t, ViewState *v) {
    bool error = t->bad;
    tui_hush(t);
    if (error) return;
    if (v->list.filter[0] != '\0') {
        list_filter(&v->list, "");
    } else if (t->view == VIEW_WHATIF || t->view == VIEW_HELP) {
        tui_open(t, t->before);
    }
}

static void act_compare(Tui *t, ViewState *v) {
    Arena a = {0};
    const char *text = compare_text(t, v, &a);
    if (text != NULL) {
        popup_text(t, "Side by side", text);
    } else {
        tui_say(t, false, "mark two rows or more first (%s)", keys_first(&t->keys, ACT_MARK, &a));
    }
    arena_free(&a);
}

static void act_save(Tui *t) {
    Buf b;
    Err e = {0};
    buf_init(&b, BUF_LIMIT);
    state_write(t, &b);
    const char *path = t->options->state_path;
    if (path[0] == '\0') {
        tui_say(t, true, "nothing can be saved: neither XDG_STATE_HOME nor HOME is set");
    } else if (state_folder(path, &e) && file_write(path, b.data, b.length, &e)) {
        tui_say(t, false, "saved in %s", path);
    } else {
        tui_say(t, true, "%s", e.text);
    }
    buf_free(&b);
}

static void act_refresh(Tui *t, ViewState *v) {
    read_anew(t);
    v->error = (Err){0};
    tui_say(t, false, "read again");
}

static bool act_table(Tui *t, ViewState *v, Action action, int argument) {
    switch (action) {
    case ACT_ROW:
        if (v->list.cursor == (size_t)argument) show_detail(t, v);
        v->list.cursor = (size_t)argument;
        return true;
    case ACT_COLUMN: act_column(v, argument); return true;
    case ACT_SORT_LEFT: list_sort_next(&v->list, -1); return true;
    case ACT_SORT_RIGHT: list_sort_next(&v->list, 1); return true;
    case ACT_SORT_TURN: list_sort_turn(&v->list); return true;
    case ACT_SORT_THEN: list_sort_then(&v->list); return true;
    case ACT_SORT_BY: act_sort(t, v); return true;
    case ACT_FIND: prompt_open(t, PROMPT_FIND, v->list.find); return true;
    case ACT_NEXT: act_find(t, v, 1); return true;
    case ACT_PREVIOUS: act_find(t, v, -1); return true;
    case ACT_MARK:
        list_mark(&v->list);
        list_move(&v->list, 1);
        return true;
    case ACT_UNMARK: list_unmark(&v->list); return true;
    case ACT_COMPARE: act_compare(t, v); return true;
    case ACT_OPEN: show_detail(t, v); return true;
    case ACT_BASIS: show_basis(t, v); return true;
    case ACT_FILTER: prompt_open(t, PROMPT_FILTER, v->list.filter); return true;
    default: return act_move(t, v, action);
    }
}

static void act_export(Tui *t) {
    Arena a = {0};
    prompt_open(t, PROMPT_EXPORT, export_name(t, &a));
    arena_free(&a);
}

// What runs would end with the screen: that is said first.
static void act_quit(Tui *t) {
    Arena a = {0};
    if (t->view == VIEW_HELP) {
        tui_open(t, t->before);
    } else if (t->job.pid > 0 && !t->unused_commitment) {
        t->unused_commitment = true;
        tui_say(t, false, "%.40s is running: %s again leaves and ends it, %s cancels it", t->job.what,
                keys_first(&t->keys, ACT_QUIT, &a), keys_first(&t->keys, ACT_CANCEL, &a));
    } else {
        t->quit = true;
    }
    arena_free(&a);
}

static void act_screen(Tui *t, ViewState *v, Action action, int argument) {
    switch (action) {
    case ACT_BACK: act_back(t, v); break;
    case ACT_PANEL: view_panel(v, v->panel + 1); break;
    case ACT_PANEL_BACK: view_panel(v, v->panel + v->view->n_panels - 1); break;
    case ACT_CHOICE: view_panel(v, (size_t)argument); break;
    case ACT_CANCEL: job_cancel(&t->job); break;
    case ACT_REFRESH: act_refresh(t, v); break;
    case ACT_SETUP: setup_open(t); break;
    case ACT_EXPORT: act_export(t); break;
    case ACT_COPY: copy_row(t); break;
    case ACT_COPY_LINE: copy_line(t); break;
    case ACT_SAVE: act_save(t); break;
    case ACT_COMMAND: prompt_open(t, PROMPT_COMMAND, ""); break;
    case ACT_START: start_open(t); break;
    case ACT_HELP: tui_open(t, VIEW_HELP); break;
    case ACT_REDRAW: t->redraw = true; break;
    case ACT_SUSPEND: t->suspend = true; break;
    case ACT_QUIT: act_quit(t); break;
    default:
        if (action >= ACT_VIEW_FIRST && action <= ACT_VIEW_LAST)
            tui_open(t, (ViewId)(action - ACT_VIEW_FIRST));
    }
}

// Whether an action does the same before the rows of the view, or the answer that it is about, are there.
static bool waits_for_nothing(const View *view, Action action) {
    if (action >= ACT_VIEW_FIRST && action <= ACT_VIEW_LAST) return true;
    if (view->reports && action >= ACT_UP && action <= ACT_DOWN) return true;  // among the fields
    switch (action) {
    case ACT_NONE:
    case ACT_BACK:
    case ACT_CANCEL:
    case ACT_REFRESH:
    case ACT_SETUP:
    case ACT_START:
    case ACT_HELP:
    case ACT_REDRAW:
    case ACT_SUSPEND:
    case ACT_QUIT: return true;
    default: return false;
    }
}

// Keys that came together: each meets what the one before left.
static void meet_rows(Tui *t, ViewState *v, Action action) {
    if (waits_for_nothing(v->view, action)) return;
    if (v->list.of == NULL && v->view->n_panels > 0) view_wait(t, v);
    if (v->view->reports && view_answering(t)->answer.line == NULL) view_wait(t, view_answering(t));
}

static void act_once(Tui *t, Action action, int argument) {
    ViewState *v = view_now(t);
    if (action == ACT_ITEM) {
        prompt_item(t, (size_t)argument);
        return;
    }
    if (t->popup.kind != POPUP_NONE) {
        if (popup_act(t, action, argument)) return;
    }
    if (action != ACT_NONE && action != ACT_BACK) tui_hush(t);
    if (action != ACT_QUIT) t->unused_commitment = false;
    meet_rows(t, v, action);
    if (v->view->act != NULL && v->view->act(t, v, action, argument)) return;
    if (!act_table(t, v, action, argument)) act_screen(t, v, action, argument);
}

static void write_file(Tui *t, Action action, const char *text) {
    Arena a = {0};
    if (action == ACT_WRITE) {
        export_ask(t, path_typed(text, &a));
    } else {
        export_write(t, text);
    }
    arena_free(&a);
}

// What the key before asked for: each meets what the one before left.
static void grant_wishes(Tui *t) {
    while (t->wish.action != ACT_NONE) {
        const Wish wish = t->wish;
        t->wish.action = ACT_NONE;
        if (wish.action == ACT_WRITE || wish.action == ACT_WRITE_OVER) {
            write_file(t, wish.action, wish.text);
        } else {
            act_once(t, wish.action, wish.argument);
        }
    }
}

void tui_act(Tui *t, Action action, int argument) {
    act_once(t, action, argument);
    grant_wishes(t);
}

void tui_key(Tui *t, int key) {
    if (key == K_LIGHT || key == K_DARK) {
        if (!t->theme_chosen) t->theme = key == K_LIGHT ? THEME_LIGHT : THEME_DARK;
    } else if (t->pasting || key == K_PASTE) {
        paste_key(t, key);
    } else if (t->prompt.kind != PROMPT_NONE) {
        prompt_key(t, key);
    } else if (key == K_CTRL_C) {
        t->interrupt = t->popup.kind == POPUP_NONE;
        popup_close(t);
    } else if (t->popup.kind != POPUP_NONE || t->view != VIEW_WHATIF || !field_typed(t, key)) {
        act_once(t, keys_find(&t->keys, key), key);
    }
    grant_wishes(t);
}

// ---------------------------------------------------------------- jobs

static void say_failed(Tui *t, const Job *j) {
    Str rest = {j->errors.data, j->errors.length};
    Str line;
    Str last = {"", 0};
    while (rest.length > 0 && str_next(&rest, '\n', &line)) {
        if (line.length > 0) last = line;
    }
    if (last.length > 11 && memcmp(last.data, "gpuadvise: ", 11) == 0)
        last = (Str){last.data + 11, last.length - 11};
    tui_say(t, true, "%.80s: %.*s", j->what, (int)(last.length < 250 ? last.length : 250),
            last.length > 0 ? last.data : "it said nothing");
}

void tui_job_done(Tui *t) {
    Job *j = &t->job;
    Err e = {0};
    char time[16];
    if (j->cancelled) {
        tui_say(t, false, "%.80s was cancelled", j->what);
    } else if (j->code < 0) {
        tui_say(t, true, "%.80s was ended by signal %d (%s); nothing else was touched", j->what, j->signal,
                strsignal(j->signal));
    } else if (j->kind == JOB_TEXT) {
        bool silent = j->answer.length == 0;
        popup_text(t, j->what,
                   silent ? (j->errors.length > 0 ? j->errors.data : "it printed nothing") : j->answer.data);
    } else if (j->kind == JOB_SCAN) {
        if (j->answer.length == 0) {
            say_failed(t, j);
        } else if (!scan_take(t, (Str){j->answer.data, j->answer.length}, &e)) {
            tui_say(t, true, "%s", e.text);
        }
    } else if (j->answer.length == 0) {
        say_failed(t, j);
    } else {
        if (j->kind == JOB_BENCH) bench_show_newest(t);
        tui_say(t, j->code != 0, "%.80s ended after %s with exit code %d", j->what,
                job_time(j->ended_s - j->started_s, time), j->code);
        if (j->code != 0 && j->errors.length > 0) say_failed(t, j);
    }
    read_anew(t);
}
