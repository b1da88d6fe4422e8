// The terminal: the only caller of ncurses.
#ifndef GPUADVISE_TUI_TERM_H
#define GPUADVISE_TUI_TERM_H

#include "tui/grid.h"
#include "tui/tui.h"

typedef struct Terminal {
    struct screen *screen;  // of ncurses
    Arena arena;
    Glyph *shown;  // what the screen has, row by row; NULL: nothing yet
    int width, height;
    int colors;  // 0: monochrome
    bool utf8;   // the locale can show more than ASCII
    bool ascii;
    bool asked_ground;      // and no answer has come yet
    const char *taken_for;  // the terminal that an unknown TERM is taken for; NULL: it is known
    bool marks_pastes;      // the terminal was asked to say where a pasted text begins and ends
} Terminal;

// TERM, or the terminal that it is taken for where nothing describes it; NULL: nothing like it is described here.
const char *term_known(void);

// Takes the terminal over, without its mouse. ERR_USAGE: TERM is not set, names one without a cursor that can be
// moved, or nothing like it is described here.
bool term_open(Terminal *t, bool color, Err *e);
void term_close(Terminal *t);  // gives it back as it was
// Whether clicks come as keys; without, the terminal's own selection of text works.
void term_mouse(bool on);
void term_theme(Terminal *t, int theme, bool ascii);
void term_copy(const Buf *text);             // to its clipboard (OSC 52)
void term_ask_ground(Terminal *t);           // answers come as keys: K_LIGHT or K_DARK
void term_show(Terminal *t, const Grid *g);  // sends the cells that changed
void term_again(Terminal *t);                // everything is sent at the next term_show
void term_back(Terminal *t);                 // after term_leave; the window may have another size now
void term_leave(Terminal *t);                // back to the shell's screen, until term_again
// The next key that waits: a character, K_... of keys.h; K_NONE: none waits. K_MOUSE: *ret_x, *ret_y and
// *ret_wheel (-1 up, 1 down, 0 a click).
int term_key(Terminal *t, int *ret_x, int *ret_y, int *ret_wheel);
void term_size(const Terminal *t, int *ret_width, int *ret_height);

#endif
