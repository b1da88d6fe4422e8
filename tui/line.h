// One line of text being typed.
#ifndef GPUADVISE_TUI_LINE_H
#define GPUADVISE_TUI_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { LINE_MAX_BYTES = 240 };

typedef struct LineEdit {
    char text[LINE_MAX_BYTES];
    size_t length, at;  // bytes; `at` stands before a whole character
} LineEdit;

void line_set(LineEdit *l, const char *text);
// True when the key belongs to a line: characters, arrows, Home, End, Backspace, Delete, Ctrl-A, E, U, K and
// W as in a shell.
bool line_key(LineEdit *l, int key);
// Puts a text in at the cursor: whole, or (false) not at all when there is no room for it.
bool line_insert(LineEdit *l, const char *text);

#endif
