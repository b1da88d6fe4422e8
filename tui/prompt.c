// The line at the bottom: filter, command, file names; and text that is pasted.
#include <stdio.h>
#include <string.h>

#include "tui/prompt.h"

#include "tui/command.h"
#include "tui/palette.h"
#include "tui/start.h"
#include "tui/view_parts.h"

static const char *const titles[] = {[PROMPT_NONE] = "",
                                     [PROMPT_FILTER] = "filter: ",
                                     [PROMPT_COMMAND] = ":",
                                     [PROMPT_EXPORT] = "write to: ",
                                     [PROMPT_PATH] = "scan folder: ",
                                     [PROMPT_FLEET] = "folder of records: ",
                                     [PROMPT_FIELD] = "",
                                     [PROMPT_OVERWRITE] =
                                         "it exists; y writes over it, any other key leaves it: ",
                                     [PROMPT_SORT] = "sort by: ",
                                     [PROMPT_FIND] = "find: ",
                                     [PROMPT_ANSWER] = "answer: "};

void prompt_draw(Tui *t, Grid *g, Rect at) {
    const LineEdit *l = &t->prompt.line;
    int x = at.x + 1 + grid_text(g, at.x + 1, at.y, at.width - 1, STYLE_KEY, titles[t->prompt.kind]);
    int room = at.x + at.width - x - 1;
    const char *shown = l->text;
    const char *head = arena_copy(g->arena, l->text, l->at);
    while (*head != '\0' && (int)text_width(head) > room) {  // the end of a long line is what is being typed
        uint32_t point = 0;
        size_t columns = 0;
        size_t bytes = text_point(head, &point, &columns);
        head += bytes;
        shown += bytes;
    }
    size_t kept = t->prompt.offered && shown == l->text ? t->prompt.kept : 0;
    int used = grid_text(g, x, at.y, room + 1, STYLE_FIELD, arena_copy(g->arena, shown, kept));
    grid_text(g, x + used, at.y, room + 1 - used, t->prompt.offered ? STYLE_BAR_ON : STYLE_FIELD,
              shown + kept);
    g->cursor_x = x + (int)text_width(head);
    g->cursor_y = at.y;
}

// ---------------------------------------------------------------- keys

static bool takes_file(const Tui *t) {
    return t->prompt.kind == PROMPT_FIELD && field_option(t, t->fields.cursor)->file;
}

static void take_field(Tui *t) {
    Arena a = {0};
    const char *text = takes_file(t) ? path_typed(t->prompt.line.text, &a) : t->prompt.line.text;
    if (field_set(t, field_table[t->fields.cursor].option, text)) {
        fields_changed_now(t);
    } else {
        tui_say(t, true, "the name is longer than %d bytes", FIELD_BYTES - 1);
    }
    arena_free(&a);
}

// What is typed takes effect while it is typed: filters, fields. The name of a file does when it is whole.
static void typed(Tui *t) {
    if (t->prompt.kind == PROMPT_FILTER) list_filter(&view_now(t)->list, t->prompt.line.text);
    if (t->prompt.kind == PROMPT_FIELD && !takes_file(t)) take_field(t);
}

static void take_path(Tui *t, const char *text) {
    Arena a = {0};
    const char *path = path_typed(text, &a);
    t->scan_asked = path[0] != '\0' && strlen(path) < sizeof t->scan_path;
    if (t->scan_asked) {
        snprintf(t->scan_path, sizeof t->scan_path, "%s", path);
        tui_wish(t, ACT_RUN, 0, NULL);
    } else {
        tui_say(t, true, path[0] == '\0' ? "scan: which folder?" : "the name is too long");
    }
    arena_free(&a);
}

static void take_fleet(Tui *t, const char *text) {
    Arena a = {0};
    fleet_folder(t, path_typed(text, &a));
    arena_free(&a);
}

static void take_find(Tui *t, const char *text) {
    List *l = &view_now(t)->list;
    Err e = {0};
    snprintf(l->find, sizeof l->find, "%s", text);
    if (text[0] != '\0' && !list_find(l, 1, &e)) tui_say(t, true, "%s", e.text);
}

static void take_order(Tui *t, const char *text) {
    Err e = {0};
    if (!list_order(&view_now(t)->list, text, &e)) tui_say(t, true, "%s", e.text);
}

// What the line finds is taken instead of it where it is no command.
static void take_command(Tui *t, const char *text) {
    Arena a = {0};
    Item item;
    if (palette_chosen(t, &a, &item)) {
        palette_take(t, &item);
    } else {
        t->prompt.kind = PROMPT_NONE;
        command_run(t, text);
    }
    arena_free(&a);
}

static void accept(Tui *t) {
    PromptKind kind = t->prompt.kind;
    char text[LINE_MAX_BYTES];
    if (takes_file(t)) take_field(t);
    snprintf(text, sizeof text, "%s", t->prompt.line.text);
    recent_add(&t->recent[kind], text);
    if (kind == PROMPT_COMMAND) {
        take_command(t, text);
        return;
    }
    t->prompt.kind = PROMPT_NONE;
    if (kind == PROMPT_EXPORT) tui_wish(t, ACT_WRITE, 0, text);
    if (kind == PROMPT_PATH) take_path(t, text);
    if (kind == PROMPT_FLEET) take_fleet(t, text);
    if (kind == PROMPT_SORT) take_order(t, text);
    if (kind == PROMPT_ANSWER) start_answer(t, text);
    if (kind == PROMPT_FIND) take_find(t, text);
}

void prompt_item(Tui *t, size_t number) {
    if (t->prompt.kind != PROMPT_COMMAND) return;
    t->prompt.chosen = number + 1;
    accept(t);
}

// A line typed before, or at 0 the one that is being typed.
static void look_back(Tui *t, size_t back) {
    Prompt *p = &t->prompt;
    const char *line = recent_at(&t->recent[p->kind], back);
    if (back > 0 && line == NULL) return;
    if (p->back == 0) snprintf(p->typed, sizeof p->typed, "%s", p->line.text);
    p->back = back;
    line_set(&p->line, back > 0 ? line : p->typed);
}

// Keys that move on, from a filter or a field that has taken effect already. A command or a file's name wants
// Enter.
static void move_on(Tui *t, int key) {
    Prompt *p = &t->prompt;
    if (p->kind != PROMPT_FILTER && p->kind != PROMPT_FIELD) {
        bool items = p->kind == PROMPT_COMMAND && p->back == 0;
        if (items && key == K_UP && p->chosen > 0) {
            p->chosen--;
        } else if (items && key == K_DOWN) {
            p->chosen++;
        } else if (key == K_UP || (key == K_DOWN && p->back > 0)) {
            look_back(t, key == K_UP ? p->back + 1 : p->back - 1);
        }
        return;
    }
    accept(t);
    if (key != K_TAB || t->view == VIEW_WHATIF)
        tui_wish(t, key == K_TAB ? ACT_DOWN : keys_find(&t->keys, key), 0, NULL);
}

// What was offered gives way to what comes; a figure, to the figure in it.
static void replace_offered(Tui *t, int first) {
    bool figure = (first >= '0' && first <= '9') || first == '.';
    char kept[LINE_MAX_BYTES];
    snprintf(kept, sizeof kept, "%.*s", figure ? (int)t->prompt.kept : 0, t->prompt.line.text);
    line_set(&t->prompt.line, kept);
}

// The rest of a word; under ":" the words of what Enter would take.
static void tab(Tui *t) {
    Arena a = {0};
    Item item;
    if (t->prompt.kind == PROMPT_COMMAND && t->prompt.chosen > 0 && palette_chosen(t, &a, &item)) {
        if (item.kind == ITEM_COMMAND) {
            palette_take(t, &item);
        } else {
            line_set(&t->prompt.line, item.name);
        }
    } else if (prompt_complete(t)) {
        t->prompt.back = 0;
        typed(t);
    } else {
        move_on(t, K_TAB);
    }
    arena_free(&a);
}

static bool erases(int key) { return key == K_BACKSPACE || key == K_DELETE || key == '\b' || key == 0x7f; }

static bool writes(int key) { return key >= ' ' && key < KEYS_SPECIAL && (key < 0x7f || key >= 0xa0); }

// One key answers, whatever is bound to it.
static void take_overwrite(Tui *t, int key) {
    t->prompt.kind = PROMPT_NONE;
    if (key == 'y' || key == 'Y') {
        tui_wish(t, ACT_WRITE_OVER, 0, t->prompt.line.text);
    } else {
        tui_say(t, false, "nothing was written");
    }
}

void prompt_key(Tui *t, int key) {
    enum { CTRL_N = 14, CTRL_P = 16 };
    if (t->prompt.kind == PROMPT_OVERWRITE) {
        take_overwrite(t, key);
        return;
    }
    bool offered = t->prompt.offered;
    t->prompt.offered = false;
    tui_hush(t);
    if (key == K_ESC || key == K_CTRL_C) {
        line_set(&t->prompt.line, t->prompt.before);
        if (takes_file(t)) take_field(t);
        typed(t);
        t->prompt.kind = PROMPT_NONE;
    } else if (key == K_ENTER) {
        accept(t);
    } else if (key == K_TAB) {
        tab(t);
    } else if (key == CTRL_P || (key == CTRL_N && t->prompt.back > 0)) {
        look_back(t, key == CTRL_P ? t->prompt.back + 1 : t->prompt.back - 1);
        typed(t);
    } else if (key == K_UP || key == K_DOWN || key == K_PAGE_UP || key == K_PAGE_DOWN) {
        move_on(t, key);
    } else {
        t->prompt.chosen = t->prompt.back = 0;
        if (offered && (writes(key) || erases(key))) replace_offered(t, writes(key) ? key : '0');
        if (line_key(&t->prompt.line, key)) typed(t);
    }
}

// ---------------------------------------------------------------- pasted text

static void paste_done(Tui *t) {
    LineEdit *line = &t->prompt.line;
    const LineEdit before = *line;
    if (t->prompt.kind == PROMPT_OVERWRITE) return;
    if (t->prompt.kind == PROMPT_NONE) {
        Arena a = {0};
        tui_say(t, false,
                "pasted text is no keys, and nothing is being typed here: %s opens a filter, %s a command, "
                "%s a field",
                keys_first(&t->keys, ACT_FILTER, &a), keys_first(&t->keys, ACT_COMMAND, &a),
                keys_first(&t->keys, ACT_OPEN, &a));
        arena_free(&a);
        return;
    }
    if (t->prompt.offered && !t->pasted_lost) replace_offered(t, t->pasted.text[0]);
    if (t->pasted_lost || !line_insert(line, t->pasted.text)) {
        *line = before;
        tui_say(t, true,
                "there is no room for all of the pasted text: the line takes %d bytes; nothing was pasted",
                LINE_MAX_BYTES - 1);
        return;
    }
    t->prompt.offered = false;
    tui_hush(t);
    typed(t);
}

// Ends of lines and tabs become blanks, but none at the end; what else is no character is left out.
void paste_key(Tui *t, int key) {
    if (key == K_PASTE) {
        t->pasting = true;
        t->pasted_lost = false;
        line_set(&t->pasted, "");
    } else if (key == K_PASTED) {
        t->pasting = false;
        while (t->pasted.length > 0 && t->pasted.text[t->pasted.length - 1] == ' ')
            line_key(&t->pasted, K_BACKSPACE);
        paste_done(t);
    } else {
        int character = key == K_ENTER || key == '\n' || key == K_TAB ? ' ' : key;
        size_t length = t->pasted.length;
        if (!writes(character)) return;
        line_key(&t->pasted, character);
        t->pasted_lost = t->pasted_lost || t->pasted.length == length;
    }
}
