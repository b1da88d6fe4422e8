// Four questions for somebody who starts.
#include "tui/start.h"

#include <stdio.h>
#include <string.h>

typedef struct Choice {
    const char *text;
    const char *option, *value;  // that it sets; value NULL: asked for in words; option NULL: none
} Choice;

enum { Q_WORKLOAD, Q_TRAFFIC, Q_TODAY, Q_MATTERS, Q_DONE };
_Static_assert((int)Q_DONE == (int)START_QUESTIONS, "an answer for each");

static const char *const questions[] = {
    [Q_WORKLOAD] =
        "What is to run? The nearest workload stands for it; its figures can be changed afterwards.",
    [Q_TRAFFIC] = "How many requests are in flight at once, in the busiest hour?",
    [Q_TODAY] = "What runs today, and what is paid for it? The answer then says what a change brings.",
    [Q_MATTERS] = "What matters besides the cost?",
    [Q_DONE] = "This is the command. enter shows its answer, y copies it, left goes back."};

static const Choice of_traffic[] = {
    {"as the workload has it", NULL, NULL},
    {"one: a single user at a time", "concurrency", "1"},
    {"a few: 8", "concurrency", "8"},
    {"a team: 32", "concurrency", "32"},
    {"a product: 256", "concurrency", "256"},
    {"another number", "concurrency", NULL},
    {"requests a second instead", "rate", NULL},
    {"a log or trace of requests: its file, or a name of `gpuadvise traffic`", "traffic", NULL}};
static const Choice of_today[] = {
    {"nothing, or nothing that counts", NULL, NULL},
    {"GPUs: how many, which, at which price, as in 8xh100-sxm5-80gb@2.50", "current", NULL}};
static const Choice of_matters[] = {{"nothing but the cost", NULL, NULL},
                                    {"the first token within a second (p99)", "ttft", "1000"},
                                    {"fast text: 25 ms a token at most (p99)", "tpot", "25"},
                                    {"prices seen within 30 days", "max-age", "30"},
                                    {"regions with this in their name", "region", NULL},
                                    {"owning GPUs, beside renting them", "onprem", "yes"}};

// The workloads there are, and a model of one's own.
static size_t workload_choices(Tui *t, Arena *a, const Choice **ret_choices) {
    static const char *const words[] = {"workloads"};
    static const Listing nothing = {0};
    TuiAnswer answer = {0};
    Err e = {0};
    size_t n = 0;
    bool ok = tui_ask(t, words, 1, a, &answer, &e) && answer.n_listings > 0;
    const Listing *l = ok ? &answer.listings[0] : &nothing;
    Choice *choices = arena_alloc(a, l->n_rows + 1, sizeof *choices);
    for (size_t r = 0; r < l->n_rows; r++) {
        const char *id = l->cells[r * l->n_columns].text, *what = "";
        for (size_t c = 1; c < l->n_columns; c++) {
            const char *text = l->cells[r * l->n_columns + c].text;
            if (!l->columns[c].number && !l->columns[c].detail && text[0] != '\0') what = text;
        }
        choices[n++] = (Choice){arena_printf(a, "%-18s %s", id, what), "workload", id};
    }
    choices[n++] = (Choice){"another model: a name of `gpuadvise models`, or its folder", "model", NULL};
    *ret_choices = choices;
    return n;
}

static size_t choices_of(const Tui *t, const Choice **ret_choices) {
    const struct {
        const Choice *list;
        size_t n;
    } all[] = {[Q_WORKLOAD] = {t->start.workloads, t->start.n_workloads},
               [Q_TRAFFIC] = {of_traffic, COUNT_OF(of_traffic)},
               [Q_TODAY] = {of_today, COUNT_OF(of_today)},
               [Q_MATTERS] = {of_matters, COUNT_OF(of_matters)},
               [Q_DONE] = {NULL, 0}};
    *ret_choices = all[t->start.step].list;
    return all[t->start.step].n;
}

// ---------------------------------------------------------------- answers

void start_open(Tui *t) {
    popup_close(t);
    t->start = (Start){0};
    t->popup.kind = POPUP_START;
    t->popup.title = "Start";
    const Choice *choices = NULL;
    t->start.n_workloads = workload_choices(t, &t->popup.arena, &choices);
    t->start.workloads = choices;
    for (size_t i = 0; i < t->start.n_workloads; i++) {
        const char *id = choices[i].value;
        if (id != NULL && strcmp(id, t->fields.value[0]) == 0) t->popup.cursor = i;
    }
}

const char *start_line(const Tui *t, Arena *a) {
    const char *line = "gpuadvise report";
    const char *first = t->start.answers[Q_WORKLOAD].option;
    if (first != NULL && strcmp(first, "model") == 0)  // the rest is as the workload now shown has it
        line = arena_printf(a, "%s --workload %s", line, text_shell_word(a, t->fields.value[0]));
    for (int i = 0; i < START_QUESTIONS; i++) {
        const StartAnswer *x = &t->start.answers[i];
        if (x->option == NULL) continue;
        bool flag = strcmp(x->value, "yes") == 0 && strcmp(x->option, "onprem") == 0;
        line = flag ? arena_printf(a, "%s --%s", line, x->option)
                    : arena_printf(a, "%s --%s %s", line, x->option, text_shell_word(a, x->value));
    }
    return line;
}

static void go_to(Tui *t, int step) {
    t->start.step = step;
    t->popup.cursor = 0;
}

static void answer(Tui *t, const char *option, const char *value) {
    StartAnswer *x = &t->start.answers[t->start.step];
    x->option = option;
    snprintf(x->value, sizeof x->value, "%s", value);
    go_to(t, t->start.step + 1);
}

void start_answer(Tui *t, const char *text) {
    const Choice *choices = NULL;
    size_t n = choices_of(t, &choices);
    if (t->popup.kind != POPUP_START || t->popup.cursor >= n) return;
    bool said = text[strspn(text, " ")] != '\0';
    answer(t, said ? choices[t->popup.cursor].option : NULL, text);
}

// Every field is as the workload has it but for what was answered.
static void finish(Tui *t) {
    const Start done = t->start;
    popup_close(t);
    for (size_t i = 1; i < n_fields; i++) t->fields.value[i][0] = '\0';
    for (int i = 0; i < START_QUESTIONS; i++) {
        if (done.answers[i].option != NULL) field_set(t, done.answers[i].option, done.answers[i].value);
    }
    fields_changed_now(t);
    tui_open(t, VIEW_ADVICE);
}

static void choose(Tui *t) {
    const Choice *choices = NULL;
    size_t n = choices_of(t, &choices);
    if (t->start.step == Q_DONE) {
        finish(t);
    } else if (t->popup.cursor < n) {
        const Choice *c = &choices[t->popup.cursor];
        if (c->option != NULL && c->value == NULL) {
            prompt_open(t, PROMPT_ANSWER, "");
        } else {
            answer(t, c->option, c->value != NULL ? c->value : "");
        }
    }
}

bool start_act(Tui *t, Action action, int argument) {
    const Choice *choices = NULL;
    size_t n = choices_of(t, &choices);
    switch (action) {
    case ACT_WHEEL_UP:
    case ACT_UP: t->popup.cursor -= t->popup.cursor > 0; return true;
    case ACT_WHEEL_DOWN:
    case ACT_DOWN: t->popup.cursor += t->popup.cursor + 1 < n; return true;
    case ACT_HOME: t->popup.cursor = 0; return true;
    case ACT_END: t->popup.cursor = n > 0 ? n - 1 : 0; return true;
    case ACT_LEFT:
        if (t->start.step > 0) {
            go_to(t, t->start.step - 1);
            t->start.answers[t->start.step].option = NULL;
        }
        return true;
    case ACT_RIGHT:
    case ACT_OPEN: choose(t); return true;
    case ACT_CHOICE:
        t->popup.cursor = (size_t)argument;
        choose(t);
        return true;
    default: return false;
    }
}

// ---------------------------------------------------------------- drawing

void start_draw(Tui *t, Grid *g) {
    enum { MARGIN = 1, BELOW = 5, LINES = 22 };
    const Choice *choices = NULL;
    size_t n = choices_of(t, &choices);
    int height = t->height - BELOW < LINES ? t->height - BELOW : LINES;
    Rect box = {MARGIN, 2 + (t->height - BELOW - height) / 2, t->width - 2 * MARGIN, height};
    grid_zone(g, (Rect){0, 0, g->width, g->height}, ACT_BACK, 0);
    grid_box(g, box,
             t->start.step == Q_DONE
                 ? "Start: the command"
                 : arena_printf(g->arena, "Start: question %d of %d", t->start.step + 1, START_QUESTIONS));
    Rect in = rect_inside(box);
    int asked = grid_wrapped(g, in, STYLE_TITLE, 0, questions[t->start.step]);
    rect_top(&in, asked + 1);
    const char *line = arena_printf(g->arena, "$ %s", start_line(t, g->arena));
    int said = grid_wrapped(g, (Rect){in.x, in.y, in.width, 0}, STYLE_DIM, 0, line);
    Rect rows = rect_top(&in, in.height - said - 1);
    size_t fit = rows.height > 0 ? (size_t)rows.height : 1;
    size_t top = t->popup.cursor >= fit ? t->popup.cursor - fit + 1 : 0;
    for (size_t i = top; i < n && i - top < fit; i++) {
        int flag = i == t->popup.cursor ? STYLE_CURSOR : 0;
        Rect row = {rows.x, rows.y + (int)(i - top), rows.width, 1};
        grid_style(g, row, STYLE_TEXT | flag);
        grid_text(g, row.x + 1, row.y, row.width - 1, STYLE_TEXT | flag, choices[i].text);
        grid_zone(g, row, ACT_CHOICE, (int)i);
    }
    grid_wrapped(g, (Rect){in.x, in.y + 1, in.width, said}, STYLE_CHANGED, 0, line);
}
