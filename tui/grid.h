// A frame as cells: what every view fills, what the terminal shows and what `tui --once` prints.
//
// Pure: no terminal, no clock. A grid lives in the arena that made it. Columns and rows count from 0 at the
// top left; whatever falls outside of the grid is not drawn.
#ifndef GPUADVISE_TUI_GRID_H
#define GPUADVISE_TUI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"

// What a cell means; themes (term.c) give each a colour and attributes that also tell them apart without
// colour.
typedef enum Style {
    STYLE_TEXT,
    STYLE_DIM,    // labels, what is unknown
    STYLE_HEAD,   // titles of columns
    STYLE_TITLE,  // of boxes
    STYLE_FRAME,  // lines of boxes
    STYLE_NVIDIA,
    STYLE_AMD,
    STYLE_GOOD,
    STYLE_WARN,
    STYLE_BAD,
    STYLE_CHANGED,  // a value that the user changed, a mark
    STYLE_KEY,      // a key in the bottom line
    STYLE_FIELD,    // a field being edited
    STYLE_BAR,      // the header
    STYLE_BAR_ON,   // the view shown, in the header
    STYLE_COUNT
} Style;
enum { STYLE_CURSOR = 0x80, STYLE_MASK = 0x7f };  // STYLE_CURSOR: added to the style of a selected row

enum { GLYPH_MARKS = 2 };
typedef struct Glyph {
    uint32_t point;               // 0: the right half of the wide character before it
    uint32_t marks[GLYPH_MARKS];  // combining marks on it; 0 = none
    unsigned char style;          // Style, STYLE_CURSOR
} Glyph;

typedef struct Rect {
    int x, y, width, height;
} Rect;

// A part of the frame that answers to the mouse.
typedef struct Zone {
    Rect at;
    int action, argument;
} Zone;

enum { ZONES_MAX = 400 };
typedef struct Grid {
    Arena *arena;
    int width, height;
    Glyph *cells;  // row by row
    Zone *zones;
    size_t n_zones;
    int cursor_x, cursor_y;  // where text is being typed; -1: nowhere
} Grid;

void grid_init(Grid *g, Arena *a, int width, int height);

// Draws `text` at x, y in at most `width` columns; what is longer ends in '~'. Control characters and bytes
// that are no UTF-8 become '?' (text_clean). Gives the columns used.
int grid_text(Grid *g, int x, int y, int width, int style, const char *text);
int grid_printf(Grid *g, int x, int y, int width, int style, const char *format, ...) PRINTF_LIKE(6, 7);
// The same at the right end of `width` columns.
void grid_right(Grid *g, int x, int y, int width, int style, const char *text);
// Text broken at blanks into at most `height` lines of `width` columns, from the line `skip` on. Gives the
// lines it takes in all.
int grid_wrapped(Grid *g, Rect at, int style, int skip, const char *text);
void grid_point(Grid *g, int x, int y, int style, uint32_t point);
void grid_fill(Grid *g, Rect at, int style);         // blanks
void grid_style(Grid *g, Rect at, int style);        // restyles what stands there
void grid_box(Grid *g, Rect at, const char *title);  // lines around, blanks inside
Rect rect_inside(Rect box);                          // of a box
Rect rect_top(Rect *rest, int height);               // cut off, *rest is what is left
Rect rect_left(Rect *rest, int width);

void grid_zone(Grid *g, Rect at, int action, int argument);
const Zone *grid_zone_at(const Grid *g, int x, int y);  // the one drawn last; NULL

// Bars of 1/8 columns: `share` 0..1 of `width`.
void grid_meter(Grid *g, int x, int y, int width, int style, double share);

// What stands for a character where only ASCII can be shown.
char ascii_of(uint32_t point);

// The frame as lines of text, without blanks at their ends. `ascii`: through ascii_of.
void grid_print(const Grid *g, bool ascii, Buf *out);

#endif
