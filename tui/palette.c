// What ":" finds.
#include "tui/palette.h"

#include <stdlib.h>
#include <string.h>

#include "tui/command.h"

enum { PANELS_MAX = 32, ROWS_MAX = 10 };

// ---------------------------------------------------------------- how well words find a thing

enum { AT_START = 100, AT_WORD = 80, INSIDE = 60, IN_ORDER = 30, IN_WHAT = 10, EXACT = 40 };

static bool begins(const char *text, Str word) {
    size_t i = 0;
    while (i < word.length && text[i] != '\0' && char_lower(text[i]) == char_lower(word.data[i])) i++;
    return i == word.length;
}

static bool starts_word(const char *text, size_t at) {
    return at == 0 || strchr(" -/,:(", text[at - 1]) != NULL;
}

// Its letters one after another, the first at the beginning of a word: "it" finds "input tokens".
static bool in_order(const char *text, Str word) {
    size_t found = 0;
    for (size_t i = 0; text[i] != '\0' && found < word.length; i++) {
        if (char_lower(text[i]) == char_lower(word.data[found]) && (found > 0 || starts_word(text, i)))
            found++;
    }
    return found == word.length && word.length > 1;
}

static int word_score(const char *name, const char *what, Str word) {
    int best = in_order(name, word) ? IN_ORDER : 0;
    for (size_t i = 0; name[i] != '\0'; i++) {
        if (!begins(name + i, word)) continue;
        int here = i == 0 ? AT_START : starts_word(name, i) ? AT_WORD : INSIDE;
        if (here > best) best = here;
    }
    for (size_t i = 0; best == 0 && what[i] != '\0'; i++) {
        if (starts_word(what, i) && begins(what + i, word)) best = IN_WHAT;
    }
    return best;
}

int palette_score(const char *name, const char *what, const char *typed) {
    Str rest = str_of(typed);
    Str word;
    int score = 1 + (text_same(name, typed) ? EXACT : 0);
    while (rest.length > 0 && str_next(&rest, ' ', &word)) {
        if (word.length == 0) continue;
        int one = word_score(name, what, word);
        if (one == 0) return 0;
        score += one;
    }
    return score;
}

// ---------------------------------------------------------------- what there is

typedef struct Items {
    Item *list;
    size_t n, capacity;
    Arena *arena;
    const char *typed;
} Items;

static void offer(Items *items, Item item) {
    item.score = palette_score(item.name, item.what, items->typed);
    if (item.score == 0) return;
    items->list = arena_grow(items->arena, items->list, items->n, &items->capacity, sizeof *items->list);
    items->list[items->n++] = item;
}

static void offer_views(Tui *t, Items *items) {
    for (int i = 0; i < VIEW_COUNT; i++) {
        const View *view = t->views[i].view;
        const char *key = keys_first(&t->keys, (Action)(ACT_VIEW_FIRST + i), items->arena);
        offer(items, (Item){ITEM_VIEW, i, view_table[i].title, view_table[i].about, key, 0});
        for (size_t p = 0; view->n_panels > 1 && p < view->n_panels; p++)
            offer(items, (Item){ITEM_PANEL, i * PANELS_MAX + (int)p, view->panels[p].title,
                                arena_printf(items->arena, "panel of %s", view_table[i].title), "", 0});
    }
}

static void offer_fields(Tui *t, Items *items) {
    for (size_t i = 0; i < n_fields; i++) {
        const TuiOption *o = field_option(t, i);
        if (o == NULL) continue;
        const char *now = t->fields.value[i];
        const char *what = now[0] != '\0'
                               ? arena_printf(items->arena, "assumption, now %s: --%s", now, o->name)
                               : arena_printf(items->arena, "assumption: --%s %s", o->name, o->help);
        offer(items, (Item){ITEM_FIELD, (int)i, field_table[i].label, what, "", 0});
    }
}

static void offer_actions(Tui *t, Items *items) {
    for (int i = 1; i < ACT_VIEW_FIRST; i++) {
        const KeyRow *row = &key_table[i];
        if (i == ACT_COMMAND) continue;
        const char *key = keys_first(&t->keys, (Action)i, items->arena);
        offer(items,
              (Item){ITEM_ACTION, i, row->label[0] != '\0' ? row->label : row->name, row->does, key, 0});
    }
}

static int by_score(const void *x, const void *y) {
    const Item *a = x;
    const Item *b = y;
    if (a->score != b->score) return b->score - a->score;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return a->value < b->value ? -1 : a->value > b->value;
}

// The items that `typed` finds, the best first; all of them for "".
static size_t palette_find(Tui *t, const char *typed, Arena *a, const Item **ret_items) {
    Items items = {.arena = a, .typed = typed};
    offer_views(t, &items);
    offer_fields(t, &items);
    offer_actions(t, &items);
    for (size_t i = 0; i < t->host->n_commands; i++)
        offer(&items,
              (Item){ITEM_COMMAND, (int)i, t->host->commands[i].name, t->host->commands[i].help, "", 0});
    if (items.n > 1) qsort(items.list, items.n, sizeof *items.list, by_score);
    *ret_items = items.list;
    return items.n;
}

// ---------------------------------------------------------------- choosing

bool palette_chosen(Tui *t, Arena *a, Item *ret_item) {
    const Item *items = NULL;
    size_t at = t->prompt.chosen;
    if (at == 0 && command_known(t, t->prompt.line.text)) return false;
    size_t n = palette_find(t, t->prompt.line.text, a, &items);
    if (at == 0 && t->prompt.line.text[strspn(t->prompt.line.text, " ")] == '\0') return false;
    if (n == 0 || at > n) return false;
    *ret_item = items[at > 0 ? at - 1 : 0];
    return true;
}

bool palette_take(Tui *t, const Item *item) {
    if (item->kind == ITEM_COMMAND) {
        Arena a = {0};
        line_set(&t->prompt.line, arena_printf(&a, "%s ", t->host->commands[item->value].name));
        t->prompt.chosen = 0;
        arena_free(&a);
        return false;
    }
    t->prompt.kind = PROMPT_NONE;
    if (item->kind == ITEM_ACTION) tui_wish(t, (Action)item->value, 0, NULL);
    if (item->kind == ITEM_VIEW) tui_open(t, (ViewId)item->value);
    if (item->kind == ITEM_PANEL) {
        tui_open(t, (ViewId)(item->value / PANELS_MAX));
        tui_wish(t, ACT_CHOICE, item->value % PANELS_MAX, NULL);
    }
    if (item->kind == ITEM_FIELD) {
        popup_close(t);
        tui_open(t, VIEW_WHATIF);
        t->fields.cursor = (size_t)item->value;
        tui_wish(t, ACT_EDIT, 0, NULL);
    }
    return true;
}

// ---------------------------------------------------------------- drawing

static void draw_item(Grid *g, Rect at, const Item *item, bool on) {
    enum { NAME = 22, KEY = 6 };
    int flag = on ? STYLE_CURSOR : 0;
    grid_style(g, at, STYLE_TEXT | flag);
    grid_text(g, at.x + 1, at.y, NAME - 2, STYLE_TEXT | flag, item->name);
    grid_text(g, at.x + NAME, at.y, at.width - NAME - KEY - 1, STYLE_DIM | flag, item->what);
    grid_right(g, at.x, at.y, at.width - 1, STYLE_KEY | flag, item->key);
}

// The best of what the line finds, in a box whose lower line stands at `bottom`.
void palette_draw(Tui *t, Grid *g, int bottom) {
    const Item *items = NULL;
    size_t n = palette_find(t, t->prompt.line.text, g->arena, &items);
    size_t rows = n < ROWS_MAX ? n : ROWS_MAX;
    Item taken;
    bool marked = palette_chosen(t, g->arena, &taken);
    if (n == 0) return;
    if (t->prompt.chosen > n) t->prompt.chosen = n;
    size_t top = t->prompt.chosen > rows ? t->prompt.chosen - rows : 0;
    Rect box = {0, bottom - (int)rows - 1, g->width, (int)rows + 2};
    grid_box(g, box, "views, fields, actions and commands: down chooses, tab completes");
    grid_right(g, 0, box.y, g->width - 2, STYLE_DIM, arena_printf(g->arena, " %zu ", n));
    for (size_t i = top; i < top + rows; i++) {
        Rect row = {1, box.y + 1 + (int)(i - top), g->width - 2, 1};
        draw_item(g, row, &items[i], marked && (t->prompt.chosen > 0 ? i + 1 == t->prompt.chosen : i == 0));
        grid_zone(g, row, ACT_ITEM, (int)i);
    }
}
