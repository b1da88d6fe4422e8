// What views, boxes and lines ask of the screen. Nothing here knows a view by its name, or what keys do.
#ifndef GPUADVISE_TUI_SERVICES_H
#define GPUADVISE_TUI_SERVICES_H

#include "tui/screen.h"

// ---------------------------------------------------------------- services.c

void tui_say(Tui *t, bool bad, const char *format, ...) PRINTF_LIKE(3, 4);
void tui_hush(Tui *t);  // nothing to say any more
// Asks the screen to do something after the key at hand; `text`: a file's name for ACT_WRITE, else NULL.
void tui_wish(Tui *t, Action action, int argument, const char *text);
void tui_open(Tui *t, ViewId view);
void tui_stale(Tui *t);  // every view asks again when it is shown
// Starts a command of the program as a process, with what every such command needs; what keeps it from
// starting is said.
void tui_start(Tui *t, JobKind kind, const char *const *words, size_t n);

ViewState *view_now(Tui *t);
ViewState *view_answering(Tui *t);  // the one whose answer the view now shown is about
const Panel *panel_now(const ViewState *v);
void view_panel(ViewState *v, size_t panel);  // shows that panel, modulo their number
void view_forget(ViewState *v);
size_t words_of(const char *const list[WORDS_MAX]);
// The plain command that the screen equals, "" = none.
const char *frame_command(Tui *t, Arena *a);

void popup_text(Tui *t, const char *title, const char *text);  // copies both
void popup_close(Tui *t);
void setup_open(Tui *t);
void prompt_open(Tui *t, PromptKind kind, const char *text);

// "~/x" is in the home folder, as a shell would have it.
const char *path_typed(const char *text, Arena *a);

// ---------------------------------------------------------------- loading.c

void view_load(Tui *t, ViewState *v);
void view_wait(Tui *t, ViewState *v);  // as view_load, after the answer that it may be waiting for
bool view_ask(Tui *t, ViewState *v, const char *const *words, size_t n, Err *e);
// As TuiHost.ask, for a box as wide as the screen.
bool tui_ask(Tui *t, const char *const *words, size_t n, Arena *a, TuiAnswer *ret_answer, Err *e);
bool may_wait(const ViewState *v);  // its answer takes longer than a frame may, and is not there
bool tui_idle(Tui *t, bool ask);    // as View.idle
void tui_take_answer(Tui *t);       // of the question asked beside the screen, when it is there
void tui_drop_question(Tui *t);     // waits for its answer and throws it away
bool tui_settle(Tui *t);            // nothing is waited for any more. True: something came
long tui_idle_ms(Tui *t);           // how long no key has to come before it
bool tui_ticks(const Tui *t);       // the frame changes by itself every second

// ---------------------------------------------------------------- view_table.c: a view that is a table

void view_table_fill(ViewState *v, Grid *g, Rect at);
// On the lower line of the box `at`: the filter, or what is wrong in it.
void draw_filter(const List *l, Grid *g, Rect at);
ListLook view_look(void);

#endif
