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

typedef enum Action {
    ACT_NONE,
    ACT_UP,
    ACT_DOWN,
    ACT_LEFT,
    ACT_RIGHT,
    ACT_PAGE_UP,
    ACT_PAGE_DOWN,
    ACT_HOME,
    ACT_END,
    ACT_OPEN,
    ACT_BASIS,
    ACT_BACK,
    ACT_PANEL,
    ACT_PANEL_BACK,
    ACT_FILTER,
    ACT_MARK,
    ACT_UNMARK,
    ACT_COMPARE,
    ACT_SORT_LEFT,
    ACT_SORT_RIGHT,
    ACT_SORT_TURN,
    ACT_SORT_THEN,
    ACT_SORT_BY,
    ACT_FIND,
    ACT_NEXT,
    ACT_PREVIOUS,
    ACT_COPY,
    ACT_COPY_LINE,
    ACT_EDIT,
    ACT_RESET,
    ACT_RESET_ALL,
    ACT_PIN,
    ACT_RUN,
    ACT_CANCEL,
    ACT_REFRESH,
    ACT_EDITOR,
    ACT_SETUP,
    ACT_EXPORT,
    ACT_SAVE,
    ACT_COMMAND,
    ACT_START,
    ACT_HELP,
    ACT_REDRAW,
    ACT_SUSPEND,
    ACT_QUIT,
    ACT_VIEW_FIRST,
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

typedef struct KeyRow {
    const char *name;   // of the action, for --bind
    const char *keys;   // separated by blanks
    const char *does;   // a few words
    const char *label;  // in the bottom line
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
