// Keys and what they do: one table for bindings, the bottom line and the help.
#ifndef GPUADVISE_TUI_KEYS_H
#define GPUADVISE_TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"
#include "tui/views.h"

// A key: a character's code point, or one of these. Control keys are the characters 1 to 26.
enum {
    KEYS_SPECIAL = 0x110000,
    K_UP = KEYS_SPECIAL,
    K_DOWN,
    K_LEFT,
    K_RIGHT,
    K_PAGE_UP,
    K_PAGE_DOWN,
    K_HOME,
    K_END,
    K_BACKSPACE,
    K_DELETE,
    K_BACKTAB,
    K_INSERT,
    K_F1,
    K_F2,
    K_F3,
    K_F4,
    K_F5,
    K_F6,
    K_F7,
    K_F8,
    K_F9,
    K_F10,
    K_F11,
    K_F12,
    // between K_PASTE and K_PASTED stands text that was pasted; K_LIGHT, K_DARK: the terminal's ground
    K_MOUSE,
    K_RESIZE,
    K_PASTE,
    K_PASTED,
    K_LIGHT,
    K_DARK,
    K_NONE,
    K_CTRL_C = 3,
    K_TAB = 9,
    K_ENTER = 13,
    K_ESC = 27
};

// ROW(Action, name for --bind, keys, what it does in a few words, label in the bottom line); the keys of the views follow them.
// clang-format off
#define KEY_ACTIONS(ROW) \
    ROW(ACT_NONE, "", "", "", "") \
    ROW(ACT_UP, "up", "up k", "one up", "Up") \
    ROW(ACT_DOWN, "down", "down j", "one down", "Down") \
    ROW(ACT_LEFT, "left", "left h", "to the left; the value before", "Less") \
    ROW(ACT_RIGHT, "right", "right l", "to the right; the next value", "More") \
    ROW(ACT_PAGE_UP, "page-up", "pgup ctrl-b", "a page up", "PgUp") \
    ROW(ACT_PAGE_DOWN, "page-down", "pgdn ctrl-f", "a page down", "PgDn") \
    ROW(ACT_HOME, "home", "home g", "to the first row", "Home") \
    ROW(ACT_END, "end", "end G", "to the last row", "End") \
    ROW(ACT_OPEN, "open", "enter", "detail of the row; edit a field", "Detail") \
    ROW(ACT_BASIS, "basis", "b", "what the number rests on: inputs, formula, source, date, range", "Basis") \
    ROW(ACT_BACK, "back", "esc", "close, go back, clear the filter", "Back") \
    ROW(ACT_PANEL, "panel", "tab", "next panel", "Panel") \
    ROW(ACT_PANEL_BACK, "panel-back", "backtab", "panel before", "") \
    ROW(ACT_FILTER, "filter", "/", "show only rows with these words, while typing", "Filter") \
    ROW(ACT_MARK, "mark", "space", "mark the row, or no longer", "Mark") \
    ROW(ACT_UNMARK, "unmark", "U", "no row is marked any more", "Unmark") \
    ROW(ACT_COMPARE, "compare", "c", "marked rows side by side; in Bench: two runs, as bench compare", "Compare") \
    ROW(ACT_SORT_LEFT, "sort-left", "<", "sort by the column before", "") \
    ROW(ACT_SORT_RIGHT, "sort-right", "> f6", "sort by the next column", "Sort") \
    ROW(ACT_SORT_TURN, "sort-turn", "I", "turn the order around", "") \
    ROW(ACT_SORT_THEN, "sort-then", ",", "rows that are level so far, by one more column; > and I then turn that one", "") \
    ROW(ACT_SORT_BY, "sort-by", "S", "sort by columns that are typed: provider,-age", "Sort by") \
    ROW(ACT_FIND, "find", "f", "find a row: words as of a filter", "Find") \
    ROW(ACT_NEXT, "next", "n", "the next row that was found", "") \
    ROW(ACT_PREVIOUS, "previous", "N", "the one before", "") \
    ROW(ACT_COPY, "copy", "y", "copy the row, or the text of the box, to the terminal's clipboard (OSC 52)", "Copy") \
    ROW(ACT_COPY_LINE, "copy-command", "Y", "copy the plain command that stands above the keys", "") \
    ROW(ACT_EDIT, "edit", "i", "edit the field; in Bench: import the result file of a run; in its panel fleet: name the folder", "Edit") \
    ROW(ACT_RESET, "reset", "x", "the field as it was", "Reset") \
    ROW(ACT_RESET_ALL, "reset-all", "X", "all fields as they were", "Reset all") \
    ROW(ACT_PIN, "pin", "p", "this answer is the one before, that others stand beside", "Pin") \
    ROW(ACT_RUN, "run", "R", "start what this view runs: benchmark, scan", "Run") \
    ROW(ACT_CANCEL, "cancel", "K", "cancel what is running", "Cancel") \
    ROW(ACT_REFRESH, "refresh", "r", "read again; in Prices: ask the providers", "Refresh") \
    ROW(ACT_EDITOR, "editor", "o", "open file and line in $EDITOR", "Editor") \
    ROW(ACT_SETUP, "setup", "s f2", "workload; theme and characters", "Setup") \
    ROW(ACT_EXPORT, "export", "e", "write the rows listed to a file: .csv, .json, .md, .html; else the screen as text", "Export") \
    ROW(ACT_SAVE, "save", "W", "keep view, filters, sorting and theme for the next start", "Save") \
    ROW(ACT_COMMAND, "command", ":", "type a command, or words of anything that this screen has", "Cmd") \
    ROW(ACT_START, "start", "w", "four questions that end in the command they built", "Start") \
    ROW(ACT_HELP, "help", "? f1", "this help", "Help") \
    ROW(ACT_REDRAW, "redraw", "ctrl-l", "draw everything anew", "") \
    ROW(ACT_SUSPEND, "suspend", "ctrl-z", "back to the shell; fg returns", "") \
    ROW(ACT_QUIT, "quit", "q f10", "leave", "Quit")

#define ACTION_ID_(id, ...) id,
// clang-format on
typedef enum Action {
    KEY_ACTIONS(ACTION_ID_) ACT_VIEW_FIRST,
    ACT_VIEW_LAST = ACT_VIEW_FIRST + VIEW_COUNT - 1,
    ACT_KEYS,  // how many have keys; what follows comes from the mouse and from the program itself
    ACT_ROW = ACT_KEYS,
    ACT_COLUMN,
    ACT_FIELD,
    ACT_CHOICE,
    ACT_ITEM,
    ACT_WHEEL_UP,
    ACT_WHEEL_DOWN,
    ACT_WRITE,       // what is listed, or the frame, to the file of the wish
    ACT_WRITE_OVER,  // also where a file stands already
    ACT_COUNT
} Action;
#undef ACTION_ID_

typedef struct KeyRow {
    const char *name;
    const char *keys;  // separated by blanks
    const char *does, *label;
} KeyRow;

extern const KeyRow key_table[ACT_KEYS];

// The keys in force: the table's, and the user's instead where there are some.
typedef struct Keys {
    const char *of[ACT_KEYS];  // key names separated by blanks
} Keys;

// `bindings`: "filter=f ctrl-f". ERR_USAGE: an unknown action or key, or a key bound twice by the user.
bool keys_init(Keys *keys, const char *const *bindings, size_t n, Arena *a, Err *e);
Action keys_find(const Keys *keys, int key);
const char *keys_first(const Keys *keys, Action action, Arena *a);  // the name of its first key; "" = none

bool key_parse(Str name, int *ret_key);  // "ctrl-l", "f1", "g"
#endif
