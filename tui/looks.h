// The colours of the themes, as numbers: what they are on a terminal is tui/term.c's.
#ifndef GPUADVISE_TUI_LOOKS_H
#define GPUADVISE_TUI_LOOKS_H

#include "tui/grid.h"
#include "tui/tui.h"

enum { MARK_BOLD = 1, MARK_DIM = 2, MARK_UNDERLINE = 4, MARK_REVERSE = 8 };

// Colours by number of the palette of 256, in true colour, and of the first 8; -1: the terminal's own. Chosen
// so that vendor, good and bad stay apart for people who see fewer colours (blue against orange: Okabe and
// Ito), so that letters and attributes say the same without any colour, and so that text on its ground has a
// contrast of 4.5 to 1 or more (WCAG 2.2, 1.4.3), selected rows included.
typedef struct Look {
    int color256, rgb, color8;
    int ground256, ground_rgb, ground8;
    unsigned attributes, mono;  // MARK_
} Look;

extern const Look looks[2][STYLE_COUNT];  // THEME_DARK, THEME_LIGHT
extern const Look cursor_grounds[2];      // of the selected row

double contrast(int rgb, int other);
// Whether black can be read on it better than white.
bool is_light(int rgb);
// Of the palette of 256 from its number 16 on.
int palette_rgb(int color256);

// What a terminal answers to the question for its ground: "11;rgb:ffff/ffff/ffff", with one to four digits
// each. False: something else.
bool ground_parse(Str answer, int *ret_rgb);
// COLORFGBG, as rxvt and Konsole set it: "0;15". False: it does not say.
bool ground_of_variable(const char *text, bool *ret_light);

#endif
