// The colours of the themes.
#include "tui/looks.h"

#include <math.h>
#include <string.h>

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE };

#define INK(c256, rgb, c8, attributes, mono)                                                                 \
    { c256, rgb, c8, -1, -1, -1, attributes, mono }
const Look looks[2][STYLE_COUNT] =
    {
        [THEME_DARK] =
            {
                [STYLE_TEXT] = INK(-1, -1, -1, 0, 0),
                [STYLE_DIM] = INK(248, 0xa8a8a8, -1, 0, MARK_DIM),
                [STYLE_HEAD] = INK(250, 0xbcbcbc, -1, MARK_BOLD, MARK_BOLD | MARK_UNDERLINE),
                [STYLE_TITLE] = INK(-1, -1, -1, MARK_BOLD, MARK_BOLD),
                [STYLE_FRAME] = INK(244, 0x808080, -1, 0, MARK_DIM),
                [STYLE_NVIDIA] = INK(75, 0x56b4e9, CYAN, MARK_BOLD, MARK_BOLD),
                [STYLE_AMD] = INK(214, 0xe69f00, YELLOW, MARK_BOLD, MARK_UNDERLINE),
                [STYLE_GOOD] = INK(43, 0x20bf96, GREEN, 0, 0),
                [STYLE_WARN] = INK(227, 0xf0e442, YELLOW, 0, MARK_BOLD),
                [STYLE_BAD] = INK(208, 0xff8030, RED, MARK_BOLD, MARK_BOLD),
                [STYLE_CHANGED] = INK(176, 0xd79ac0, MAGENTA, MARK_BOLD, MARK_BOLD),
                [STYLE_KEY] = {16, 0x000000, BLACK, 248, 0xa8a8a8, WHITE, 0, MARK_REVERSE},
                [STYLE_FIELD] = {231, 0xffffff, WHITE, 24, 0x005f87, BLUE, 0, MARK_UNDERLINE},
                [STYLE_BAR] = {252, 0xd0d0d0, WHITE, 237, 0x3a3a3a, BLUE, 0, MARK_REVERSE},
                [STYLE_BAR_ON] = {16, 0x000000, BLACK, 75, 0x56b4e9, CYAN, MARK_BOLD, MARK_BOLD},
            },
        [THEME_LIGHT] =
            {
                [STYLE_TEXT] = INK(-1, -1, -1, 0, 0),
                [STYLE_DIM] = INK(240, 0x585858, -1, 0, MARK_DIM),
                [STYLE_HEAD] = INK(238, 0x444444, -1, MARK_BOLD, MARK_BOLD | MARK_UNDERLINE),
                [STYLE_TITLE] = INK(-1, -1, -1, MARK_BOLD, MARK_BOLD),
                [STYLE_FRAME] = INK(243, 0x767676, -1, 0, MARK_DIM),
                [STYLE_NVIDIA] = INK(25, 0x0060a8, BLUE, MARK_BOLD, MARK_BOLD),
                [STYLE_AMD] = INK(94, 0x944800, RED, MARK_BOLD, MARK_UNDERLINE),
                [STYLE_GOOD] = INK(23, 0x00624a, GREEN, 0, 0),
                [STYLE_WARN] = INK(58, 0x665000, MAGENTA, 0, MARK_BOLD),
                [STYLE_BAD] = INK(124, 0xa62000, RED, MARK_BOLD, MARK_BOLD),
                [STYLE_CHANGED] = INK(90, 0x802a6a, MAGENTA, MARK_BOLD, MARK_BOLD),
                [STYLE_KEY] = {231, 0xffffff, WHITE, 240, 0x585858, BLACK, 0, MARK_REVERSE},
                [STYLE_FIELD] = {16, 0x000000, BLACK, 153, 0xafd7ff, CYAN, 0, MARK_UNDERLINE},
                [STYLE_BAR] = {238, 0x444444, BLACK, 254, 0xe4e4e4, WHITE, 0, MARK_REVERSE},
                [STYLE_BAR_ON] = {231, 0xffffff, WHITE, 25, 0x0060a8, BLUE, MARK_BOLD, MARK_BOLD},
            },
};
const Look cursor_grounds[2] = {[THEME_DARK] = {.ground256 = 237, .ground_rgb = 0x3a3a3a},
                                [THEME_LIGHT] = {.ground256 = 195, .ground_rgb = 0xd0e8f4}};

// Relative luminance of a colour 0xrrggbb: 0 black, 1 white (WCAG 2.2).
static double luminance(int rgb) {
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double part = (double)(rgb >> (16 - 8 * i) & 0xff) / 255;
        sum += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

double contrast(int rgb, int other) {
    double a = luminance(rgb), b = luminance(other);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

bool is_light(int rgb) { return contrast(rgb, 0x000000) > contrast(rgb, 0xffffff); }

int palette_rgb(int color256) {
    enum { CUBE = 16, SIDE = 6, GREYS = 232 };
    if (color256 >= GREYS) return (8 + 10 * (color256 - GREYS)) * 0x010101;
    const int at[] = {(color256 - CUBE) / (SIDE * SIDE), (color256 - CUBE) / SIDE % SIDE,
                      (color256 - CUBE) % SIDE};
    int rgb = 0;
    for (int i = 0; i < 3; i++) rgb = rgb << 8 | (at[i] == 0 ? 0 : 55 + 40 * at[i]);
    return rgb;
}

// One to four hexadecimal digits, scaled to 0-255.
static bool parse_part(Str digits, int *ret_part) {
    int value = 0, most = 0;
    if (digits.length < 1 || digits.length > 4) return false;
    for (size_t i = 0; i < digits.length; i++) {
        const char *all = "0123456789abcdef0123456789ABCDEF";
        const char *found = strchr(all, digits.data[i]);
        if (found == NULL || *found == '\0') return false;
        value = value * 16 + (int)(found - all) % 16;
        most = most * 16 + 15;
    }
    *ret_part = value * 255 / most;
    return true;
}

bool ground_parse(Str answer, int *ret_rgb) {
    static const char *const heads[] = {"11;rgb:", "11;rgba:"};
    for (size_t i = 0; i < COUNT_OF(heads); i++) {
        size_t n = strlen(heads[i]);
        if (answer.length < n || memcmp(answer.data, heads[i], n) != 0) continue;
        Str rest = {answer.data + n, answer.length - n};
        Str digits;
        int rgb = 0, part = 0;
        for (int k = 0; k < 3; k++) {
            if (!str_next(&rest, '/', &digits) || !parse_part(digits, &part)) return false;
            rgb = rgb << 8 | part;
        }
        *ret_rgb = rgb;
        return true;
    }
    return false;
}

bool ground_of_variable(const char *text, bool *ret_light) {
    const char *last = text != NULL ? strrchr(text, ';') : NULL;
    int64_t color = 0;
    if (last == NULL || !parse_integer(str_of(last + 1), 0, 15, &color, NULL)) return false;
    *ret_light = color == WHITE || color > 8;
    return true;
}
