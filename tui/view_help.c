// The help: every view, every key in force, how screens and commands belong together.
#include <string.h>

#include "tui/services.h"

static const char *help_text(Tui *t, Arena *a) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, "Every screen is the answer of a plain command: the line above the keys says which. "
                 "Estimates stand with their 80 % range; b shows what any figure rests on.\n\nViews\n");
    for (int i = 0; i < VIEW_COUNT; i++)
        buf_printf(&b, "  %s  %-9s %s\n", view_table[i].key, view_table[i].title, view_table[i].about);
    buf_puts(&b, "\nKeys (--bind ACTION=KEY, or bind = ACTION=KEY in the settings file, changes them)\n");
    for (int i = 1; i < ACT_VIEW_FIRST; i++)
        buf_printf(&b, "  %-14s %-13s %s\n", t->keys.of[i], key_table[i].name, key_table[i].does);
    buf_printf(&b, "  %s to %-9s %s ..     that view\n", view_table[0].key, view_table[VIEW_COUNT - 1].key,
               key_table[ACT_VIEW_FIRST].name);
    buf_puts(
        &b,
        "\nThe mouse: click a view, a key, a title to sort by, a row; click the row again for its detail; "
        "the wheel scrolls.\n"
        "\nCommand line (:)\n"
        "  any command    its answer in a box: prices list amd:mi300x, check ..., migrate api cudaMalloc\n"
        "  set NAME TEXT  an assumption: set isl 4096; without a text: as it was\n"
        "  view NAME      theme NAME      w FILE: the screen as text      save      q\n"
        "\nLetters N and A name the vendor beside its colour; - is unknown, never 0.\n");
    return buf_take(&b, a);
}

static bool load(Tui *t, ViewState *v, Err *e) {
    (void)e;
    v->answer = (TuiAnswer){.text = help_text(t, &v->arena), .line = "gpuadvise help tui"};
    return true;
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    (void)t;
    Rect in = rect_inside(at);
    grid_box(g, at, "Help");
    int lines = grid_wrapped(g, (Rect){0, 0, in.width, 0}, STYLE_TEXT, 0, v->answer.text);
    int most = lines > in.height ? lines - in.height : 0;
    if ((int)v->list.top > most) v->list.top = (size_t)most;
    grid_wrapped(g, in, STYLE_TEXT, (int)v->list.top, v->answer.text);
    if (most > 0)
        grid_right(g, at.x, at.y + at.height - 1, at.width - 3, STYLE_DIM,
                   arena_printf(g->arena, " %zu-%zu of %d ", v->list.top + 1, v->list.top + (size_t)in.height,
                                lines));
}

static bool act(Tui *t, ViewState *v, Action action, int argument) {
    (void)argument;
    long page = t->height - 8;
    long by = action == ACT_UP           ? -1
              : action == ACT_DOWN       ? 1
              : action == ACT_WHEEL_UP   ? -3
              : action == ACT_WHEEL_DOWN ? 3
              : action == ACT_PAGE_UP    ? -page
              : action == ACT_PAGE_DOWN  ? page
              : action == ACT_HOME       ? -10000
              : action == ACT_END        ? 10000
                                         : 0;
    long top = (long)v->list.top + by;
    if (by == 0) return false;
    v->list.top = top > 0 ? (size_t)top : 0;
    return true;
}

static const Action keys[] = {ACT_UP, ACT_DOWN, ACT_PAGE_DOWN, ACT_SETUP, ACT_EXPORT};

const View view_help = {.load = load, .fill = fill, .act = act, .keys = keys, .n_keys = COUNT_OF(keys)};
