// A frame as cells.
#include "tui/grid.h"

#include <string.h>

void grid_init(Grid *g, Arena *a, int width, int height) {
    *g = (Grid){.arena = a, .width = width, .height = height, .cursor_x = -1, .cursor_y = -1};
    g->cells = arena_alloc(a, (size_t)width * (size_t)height, sizeof *g->cells);
    g->zones = arena_alloc(a, ZONES_MAX, sizeof *g->zones);
    grid_fill(g, (Rect){0, 0, width, height}, STYLE_TEXT);
}

static Glyph *cell(const Grid *g, int x, int y) {
    return x >= 0 && y >= 0 && x < g->width && y < g->height ? &g->cells[y * g->width + x] : NULL;
}

// A wide character that loses one of its halves becomes blanks.
static void unpair(Grid *g, int x, int y) {
    Glyph *c = cell(g, x, y);
    Glyph *right = cell(g, x + 1, y);
    Glyph *left = cell(g, x - 1, y);
    if (c != NULL && c->point == 0 && left != NULL) left->point = ' ';
    if (right != NULL && right->point == 0) right->point = ' ';
}

void grid_point(Grid *g, int x, int y, int style, uint32_t point) {
    Glyph *c = cell(g, x, y);
    if (c == NULL) return;
    unpair(g, x, y);
    *c = (Glyph){.point = point, .style = (unsigned char)style};
}

static void add_mark(Grid *g, int x, int y, uint32_t mark) {
    Glyph *c = cell(g, x, y);
    if (c != NULL && c->point == 0) c = cell(g, x - 1, y);
    for (int i = 0; c != NULL && i < GLYPH_MARKS; i++) {
        if (c->marks[i] != 0) continue;
        c->marks[i] = mark;
        return;
    }
}

static void put(Grid *g, int x, int y, int style, uint32_t point, size_t width) {
    bool whole = width < 2 || x + 1 < g->width;
    grid_point(g, x, y, style, whole ? point : ' ');
    if (width == 2 && whole) grid_point(g, x + 1, y, style, ' ');
    if (width == 2 && whole && cell(g, x + 1, y) != NULL && cell(g, x, y) != NULL) {
        *cell(g, x, y) = (Glyph){.point = point, .style = (unsigned char)style};
        *cell(g, x + 1, y) = (Glyph){.point = 0, .style = (unsigned char)style};
    }
}

int grid_text(Grid *g, int x, int y, int width, int style, const char *text) {
    const char *clean = text_clean(g->arena, text);
    int whole = (int)text_width(clean);
    int room = whole > width ? width - 1 : width;
    int used = 0;
    while (*clean != '\0' && width > 0) {
        uint32_t point = 0;
        size_t columns = 0;
        clean += text_point(clean, &point, &columns);
        if (columns == 0) {
            if (used > 0) add_mark(g, x + used - 1, y, point);
            continue;
        }
        if (used + (int)columns > room) break;
        put(g, x + used, y, style, point, columns);
        used += (int)columns;
    }
    if (whole > width && width > 0) grid_point(g, x + used++, y, style, '~');
    return used;
}

int grid_printf(Grid *g, int x, int y, int width, int style, const char *format, ...) {
    Buf b;
    va_list args;
    buf_init(&b, BUF_LIMIT);
    va_start(args, format);
    buf_vprintf(&b, format, args);
    va_end(args);
    int used = b.length > 0 ? grid_text(g, x, y, width, style, b.data) : 0;
    buf_free(&b);
    return used;
}

void grid_right(Grid *g, int x, int y, int width, int style, const char *text) {
    int own = (int)text_width(text_clean(g->arena, text));
    grid_text(g, own < width ? x + width - own : x, y, width, style, text);
}

// Column where the further lines of a paragraph begin: after its blanks, or after the last gap of two among
// its first words.
static int hang_of(const char *text) {
    enum { LATEST = 30 };
    int hang = text[0] != '\0' && text[0] != ' ' && text[1] == ' ' ? 2 : 0;  // "+ a reason"
    for (int i = 0; i < LATEST && text[i] != '\0'; i++) {
        if (i > 0 && text[i] == ' ' && text[i - 1] == ' ' && text[i + 1] != ' ') hang = i + 1;
        if (i == 0 && text[0] == ' ' && text[1] != ' ') hang = 1;
    }
    return hang;
}

// Bytes of `text` that go into a line of `width` columns, broken at a blank where there is one.
static size_t line_bytes(const char *text, int width) {
    size_t at = 0, blank = 0;
    int used = 0;
    while (text[at] != '\0') {
        uint32_t point = 0;
        size_t columns = 0;
        size_t bytes = text_point(text + at, &point, &columns);
        if (used + (int)columns > width) break;
        if (text[at] == ' ' && strspn(text, " ") < at) blank = at;
        used += (int)columns;
        at += bytes;
    }
    if (text[at] != '\0' && text[at] != ' ' && blank > 0) at = blank;
    return at > 0 || text[0] == '\0' ? at : 1;  // narrower than one character: it goes all the same
}

static int wrap_paragraph(Grid *g, Rect at, int style, int line, const char *text) {
    int hang = hang_of(text);
    int indent = 0;
    if (hang > at.width / 2) hang = 0;
    do {
        size_t bytes = line_bytes(text, at.width - indent);
        if (line >= 0 && line < at.height)
            grid_text(g, at.x + indent, at.y + line, at.width - indent, style,
                      arena_copy(g->arena, text, bytes));
        line++;
        text += bytes;
        text += strspn(text, " ");
        indent = hang;
    } while (*text != '\0');
    return line;
}

int grid_wrapped(Grid *g, Rect at, int style, int skip, const char *text) {
    Str rest = str_of(text);
    Str paragraph;
    int line = -skip;
    while (str_next(&rest, '\n', &paragraph)) {
        // the text ends with its last line
        if (rest.data == NULL && paragraph.length == 0 && line > -skip) break;
        line = wrap_paragraph(g, at, style, line,
                              text_clean(g->arena, arena_copy(g->arena, paragraph.data, paragraph.length)));
    }
    return line + skip;
}

void grid_fill(Grid *g, Rect at, int style) {
    for (int y = at.y; y < at.y + at.height; y++) {
        for (int x = at.x; x < at.x + at.width; x++) grid_point(g, x, y, style, ' ');
    }
}

void grid_style(Grid *g, Rect at, int style) {
    for (int y = at.y; y < at.y + at.height; y++) {
        for (int x = at.x; x < at.x + at.width; x++) {
            Glyph *c = cell(g, x, y);
            if (c != NULL) c->style = (unsigned char)style;
        }
    }
}

// ---------------------------------------------------------------- boxes and bars

void grid_box(Grid *g, Rect at, const char *title) {
    if (at.width < 2 || at.height < 2) return;
    int right = at.x + at.width - 1;
    int bottom = at.y + at.height - 1;
    grid_fill(g, at, STYLE_TEXT);
    for (int x = at.x + 1; x < right; x++) {
        grid_point(g, x, at.y, STYLE_FRAME, 0x2500);
        grid_point(g, x, bottom, STYLE_FRAME, 0x2500);
    }
    for (int y = at.y + 1; y < bottom; y++) {
        grid_point(g, at.x, y, STYLE_FRAME, 0x2502);
        grid_point(g, right, y, STYLE_FRAME, 0x2502);
    }
    grid_point(g, at.x, at.y, STYLE_FRAME, 0x256d);
    grid_point(g, right, at.y, STYLE_FRAME, 0x256e);
    grid_point(g, at.x, bottom, STYLE_FRAME, 0x2570);
    grid_point(g, right, bottom, STYLE_FRAME, 0x256f);
    if (title[0] == '\0' || at.width < 8) return;
    grid_point(g, at.x + 2, at.y, STYLE_FRAME, ' ');
    int used = grid_text(g, at.x + 3, at.y, at.width - 6, STYLE_TITLE, title);
    grid_point(g, at.x + 3 + used, at.y, STYLE_FRAME, ' ');
}

Rect rect_inside(Rect box) {
    return (Rect){box.x + 2, box.y + 1, box.width > 4 ? box.width - 4 : 0,
                  box.height > 2 ? box.height - 2 : 0};
}

Rect rect_top(Rect *rest, int height) {
    if (height > rest->height) height = rest->height;
    Rect top = {rest->x, rest->y, rest->width, height};
    rest->y += height;
    rest->height -= height;
    return top;
}

Rect rect_left(Rect *rest, int width) {
    if (width > rest->width) width = rest->width;
    Rect left = {rest->x, rest->y, width, rest->height};
    rest->x += width;
    rest->width -= width;
    return left;
}

void grid_meter(Grid *g, int x, int y, int width, int style, double share) {
    int eighths = share > 0 ? (int)((share < 1 ? share : 1) * width * 8 + 0.5) : 0;
    for (int i = 0; i < width; i++) {
        int full = eighths - i * 8;
        uint32_t point = full >= 8 ? 0x2588 : full > 0 ? 0x2590 - (uint32_t)full : ' ';
        grid_point(g, x + i, y, style, point);
    }
}

// ---------------------------------------------------------------- the mouse

void grid_zone(Grid *g, Rect at, int action, int argument) {
    if (g->n_zones < ZONES_MAX) g->zones[g->n_zones++] = (Zone){at, action, argument};
}

const Zone *grid_zone_at(const Grid *g, int x, int y) {
    for (size_t i = g->n_zones; i > 0; i--) {
        const Rect *r = &g->zones[i - 1].at;
        if (x >= r->x && x < r->x + r->width && y >= r->y && y < r->y + r->height) return &g->zones[i - 1];
    }
    return NULL;
}

// ---------------------------------------------------------------- as text

char ascii_of(uint32_t point) {
    static const struct {
        uint32_t first, last;
        char stands;
    } ranges[] = {{0x2500, 0x2501, '-'}, {0x2502, 0x2503, '|'}, {0x250c, 0x257f, '+'}, {0x2581, 0x2584, '.'},
                  {0x2585, 0x258c, '#'}, {0x258d, 0x258f, ':'}, {0x2801, 0x28ff, '*'}, {0x2800, 0x2800, ' '},
                  {0x25b2, 0x25b2, '^'}, {0x25bc, 0x25bc, 'v'}, {0x25b8, 0x25b8, '>'}, {0x25be, 0x25be, 'v'},
                  {0x2022, 0x2022, '*'}, {0x00b7, 0x00b7, '.'}, {0x2591, 0x2593, '.'}};
    if (point >= ' ' && point < 0x7f) return (char)point;
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        if (point >= ranges[i].first && point <= ranges[i].last) return ranges[i].stands;
    }
    return '?';
}

static void add_point(Buf *out, uint32_t p) {
    char bytes[4];
    size_t n = p < 0x80 ? 1 : p < 0x800 ? 2 : p < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; p >>= 6) bytes[i] = (char)(unsigned char)(0x80 | (p & 0x3f));
    bytes[0] = (char)(unsigned char)(leads[n] | p);
    buf_add(out, bytes, n);
}

static void print_cell(const Glyph *c, bool ascii, Buf *out) {
    if (ascii) {
        char one = c->point == 0 ? '?' : ascii_of(c->point);
        buf_add(out, &one, 1);
        return;
    }
    if (c->point == 0) return;
    add_point(out, c->point);
    for (int i = 0; i < GLYPH_MARKS && c->marks[i] != 0; i++) add_point(out, c->marks[i]);
}

void grid_print(const Grid *g, bool ascii, Buf *out) {
    for (int y = 0; y < g->height; y++) {
        int last = g->width;
        while (last > 0 && cell(g, last - 1, y)->point == ' ') last--;
        for (int x = 0; x < last; x++) print_cell(cell(g, x, y), ascii, out);
        buf_puts(out, "\n");
    }
}
