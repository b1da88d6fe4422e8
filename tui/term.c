// The terminal: the only caller of ncurses.
#define NCURSES_WIDECHAR 1
#include "tui/term.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

#include "tui/keys.h"
#include "tui/looks.h"

// ---------------------------------------------------------------- themes

enum { COLORS_RGB = 1 << 24, COLORS_256 = 256, COLORS_8 = 8 };

static void set_pair(int pair, int color, int ground) { init_extended_pair(pair, color, ground); }

void term_theme(Terminal *t, int theme, bool ascii) {
    t->ascii = ascii || !t->utf8;
    t->colors = has_colors() && theme != THEME_MONO ? COLORS : 0;
    for (int i = 0; i < STYLE_COUNT && t->colors >= COLORS_8; i++) {
        const Look *l = &looks[theme][i];
        const Look *c = &cursor_grounds[theme];
        bool direct = t->colors >= COLORS_RGB;
        bool many = t->colors >= COLORS_256;
        set_pair(1 + i,
                 direct ? l->rgb
                 : many ? l->color256
                        : l->color8,
                 direct ? l->ground_rgb
                 : many ? l->ground256
                        : l->ground8);
        // On terminals of few colours a selected row is reversed instead.
        if (many)
            set_pair(1 + STYLE_COUNT + i, direct ? l->rgb : l->color256,
                     direct ? c->ground_rgb : c->ground256);
    }
    term_again(t);
}

static attr_t attributes_of(unsigned marks) {
    static const struct {
        unsigned mark;
        attr_t attribute;
    } pairs[] = {
        {MARK_BOLD, A_BOLD}, {MARK_DIM, A_DIM}, {MARK_UNDERLINE, A_UNDERLINE}, {MARK_REVERSE, A_REVERSE}};
    attr_t all = 0;
    for (size_t i = 0; i < COUNT_OF(pairs); i++) all |= (marks & pairs[i].mark) != 0 ? pairs[i].attribute : 0;
    return all;
}

static attr_t look_of(const Terminal *t, int theme_style, int *ret_pair) {
    int style = theme_style & STYLE_MASK;
    bool cursor = (theme_style & STYLE_CURSOR) != 0;
    *ret_pair = 0;
    if (t->colors < COLORS_8) return attributes_of(looks[THEME_DARK][style].mono) | (cursor ? A_REVERSE : 0);
    bool many = t->colors >= COLORS_256;
    *ret_pair = 1 + style + (cursor && many ? STYLE_COUNT : 0);
    return attributes_of(looks[THEME_DARK][style].attributes) | (cursor && !many ? A_REVERSE : 0);
}

// ---------------------------------------------------------------- taking over and giving back

// Bracketed paste, which terminfo has no common names for.
#define MARK_PASTES "\033[?2004h"
#define UNMARK_PASTES "\033[?2004l"
enum { KEY_PASTE = KEY_MAX + 1, KEY_PASTED };

static void send_now(const char *bytes) {
    putp(bytes);
    fflush(stdout);
}

const char *term_known(void) {
    const char *const names[] = {getenv("TERM"), "xterm-256color", "xterm", "vt100"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        int found = 0;
        if (setupterm(names[i], STDOUT_FILENO, &found) != OK) continue;
        del_curterm(cur_term);
        return names[i];
    }
    return NULL;
}

// The console of Linux draws letters that its font has, and few else.
static bool draws_letters_only(const char *name) { return strcmp(name, "linux") == 0; }

static bool fits(const char **ret_name, Err *e) {
    const char *name = getenv("TERM");
    int found = 0;
    if (name == NULL || name[0] == '\0')
        return err_set(e, ERR_USAGE,
                       "TERM is not set, so that nothing is known of this terminal; `gpuadvise tui --once` "
                       "prints a frame");
    *ret_name = term_known();
    if (*ret_name == NULL || setupterm(*ret_name, STDOUT_FILENO, &found) != OK) {
        return err_set(e, ERR_USAGE,
                       "no terminal is known as '%s' (TERM), and none that it could be taken for: install "
                       "what describes it (Debian: ncurses-base, ncurses-term, or its own package); "
                       "`gpuadvise tui --once` prints a frame",
                       name);
    }
    const char *move = tigetstr("cup");
    bool movable = move != NULL && move != (const char *)-1;
    del_curterm(cur_term);
    if (!movable) {
        return err_set(e, ERR_USAGE,
                       "the cursor of a terminal '%s' (TERM) cannot be moved, which the screen needs; "
                       "`gpuadvise tui --once` prints a frame, and all commands work here",
                       name);
    }
    return true;
}

bool term_open(Terminal *t, bool color, Err *e) {
    enum { ESC_MS = 25 };
    *t = (Terminal){0};
    const char *name = NULL;
    if (!fits(&name, e)) return false;
    t->taken_for = strcmp(name, getenv("TERM")) != 0 ? name : NULL;
    setlocale(LC_CTYPE, "");  // numbers stay in the C locale
    t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && !draws_letters_only(name);
    t->screen = newterm(name, stdout, stdin);
    if (t->screen == NULL) return err_set(e, ERR_FAILED, "the terminal cannot be set up");
    raw();
    noecho();
    nonl();
    nodelay(stdscr, TRUE);
    keypad(stdscr, TRUE);
    set_escdelay(ESC_MS);
    define_key("\033[200~", KEY_PASTE);
    define_key("\033[201~", KEY_PASTED);
    curs_set(0);
    if (color && has_colors()) {
        start_color();
        use_default_colors();
    }
    mouseinterval(0);
    return true;
}

void term_copy(const Buf *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Buf out;
    buf_init(&out, BUF_LIMIT);
    buf_puts(&out, "\033]52;c;");
    for (size_t i = 0; i < text->length; i += 3) {
        unsigned bits = 0;
        char four[4] = "====";
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < text->length ? (unsigned char)text->data[i + k] : 0);
        for (size_t k = 0; k < 4 && i + k <= text->length; k++) four[k] = digits[bits >> (18 - 6 * k) & 63];
        buf_add(&out, four, sizeof four);
    }
    buf_puts(&out, "\007");
    send_now(out.data);
    buf_free(&out);
}

void term_mouse(bool on) { mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL); }

// A terminal without a second screen would keep the frame under the shell's prompt.
void term_leave(Terminal *t) {
    if (t->asked_ground) flushinp();  // an answer that comes later is no command for the shell
    t->asked_ground = false;
    send_now(UNMARK_PASTES);
    t->marks_pastes = false;
    if (enter_ca_mode == NULL) {
        erase();
        refresh();
    }
    endwin();
}

void term_close(Terminal *t) {
    term_leave(t);
    delscreen(t->screen);
    arena_free(&t->arena);
}

void term_again(Terminal *t) {
    t->shown = NULL;
    clearok(stdscr, TRUE);
}

// Signals of a resize went to the shell meanwhile.
void term_back(Terminal *t) {
    struct winsize size = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
    if (known && is_term_resized(size.ws_row, size.ws_col)) resizeterm(size.ws_row, size.ws_col);
    term_again(t);
}

void term_size(const Terminal *t, int *ret_width, int *ret_height) {
    (void)t;
    getmaxyx(stdscr, *ret_height, *ret_width);
}

// ---------------------------------------------------------------- showing

static bool same(const Glyph *a, const Glyph *b) {
    return memcmp(a->marks, b->marks, sizeof a->marks) == 0 && a->point == b->point && a->style == b->style;
}

// What this terminal and its C library can show of a glyph that is `columns` wide.
static void show_glyph(const Terminal *t, const Glyph *c, int x, int y, int cells) {
    wchar_t text[2 + GLYPH_MARKS] = {(wchar_t)c->point};
    int pair = 0;
    attr_t attributes = look_of(t, c->style, &pair);
    cchar_t cell;
    bool plain = c->point >= ' ' && c->point < 0x7f;
    if (!plain && (t->ascii || wcwidth((wchar_t)c->point) != cells)) {
        char stands = t->ascii ? ascii_of(c->point) : '?';
        for (int i = 0; i < cells; i++) {
            const wchar_t one[2] = {(wchar_t)(unsigned char)stands};
            setcchar(&cell, one, attributes, 0, &pair);
            mvadd_wch(y, x + i, &cell);
        }
        return;
    }
    for (int i = 0; i < GLYPH_MARKS && !t->ascii && c->marks[i] != 0 && wcwidth((wchar_t)c->marks[i]) == 0;
         i++)
        text[i + 1] = (wchar_t)c->marks[i];
    setcchar(&cell, text, attributes, 0, &pair);
    mvadd_wch(y, x, &cell);
}

void term_show(Terminal *t, const Grid *g) {
    size_t n = (size_t)g->width * (size_t)g->height;
    if (t->shown == NULL || t->width != g->width || t->height != g->height) {
        arena_free(&t->arena);
        t->shown = arena_alloc(&t->arena, n, sizeof *t->shown);
        t->width = g->width;
        t->height = g->height;
        erase();
    }
    for (int y = 0; y < g->height; y++) {
        for (int x = 0; x < g->width; x++) {
            const Glyph *c = &g->cells[y * g->width + x];
            Glyph *before = &t->shown[y * g->width + x];
            bool wide = x + 1 < g->width && c[1].point == 0;
            bool changed = !same(c, before) || (wide && !same(c + 1, before + 1));
            *before = *c;
            if (changed && c->point != 0) show_glyph(t, c, x, y, wide ? 2 : 1);
        }
    }
    if (!t->marks_pastes) send_now(MARK_PASTES);
    t->marks_pastes = true;
    curs_set(g->cursor_x >= 0 ? 1 : 0);
    if (g->cursor_x >= 0) move(g->cursor_y, g->cursor_x);
    refresh();
}

// ---------------------------------------------------------------- keys

static int mouse_key(int *ret_x, int *ret_y, int *ret_wheel) {
    MEVENT event;
    if (getmouse(&event) != OK) return K_NONE;
    *ret_x = event.x;
    *ret_y = event.y;
    *ret_wheel = (event.bstate & BUTTON4_PRESSED) != 0 ? -1 : (event.bstate & BUTTON5_PRESSED) != 0 ? 1 : 0;
    bool click = (event.bstate & BUTTON1_PRESSED) != 0;
    return click || *ret_wheel != 0 ? K_MOUSE : K_NONE;
}

// Which terminals answer, by the beginning of their names; others might show the question.
void term_ask_ground(Terminal *t) {
    static const char *const names[] = {"xterm",   "tmux",    "screen",  "rxvt",  "alacritty",
                                        "foot",    "konsole", "vte",     "gnome", "wezterm",
                                        "ghostty", "st-",     "contour", "iterm", "mintty"};
    const char *name = getenv("TERM");
    for (size_t i = 0; i < COUNT_OF(names) && !t->asked_ground; i++)
        t->asked_ground = strncmp(name, names[i], strlen(names[i])) == 0;
    if (t->asked_ground) send_now("\033]11;?\007");
}

// After an Esc: the rest of the terminal's answer, when that is what begins here. Else nothing is taken.
static int ground_key(Terminal *t) {
    enum { ANSWER_MAX = 64, BELL = 7, GAP_MS = 100 };
    char answer[ANSWER_MAX];
    size_t n = 0;
    wint_t c = 0;
    int rgb = 0;
    if (!t->asked_ground || get_wch(&c) != OK) return K_ESC;
    if (c != ']') {
        unget_wch((wchar_t)c);
        return K_ESC;
    }
    timeout(GAP_MS);  // the rest may be on its way
    while (get_wch(&c) == OK && c != BELL && c != '\\') {
        if (n < sizeof answer && c >= ' ' && c < 0x7f) answer[n++] = (char)c;
    }
    timeout(0);
    t->asked_ground = false;
    return ground_parse((Str){answer, n}, &rgb) ? (is_light(rgb) ? K_LIGHT : K_DARK) : K_NONE;
}

// The key of a character. The C library decodes four bytes and more past Unicode's last character as well, whose numbers would
// be other keys, the end of a paste among them.
static int character_key(wint_t c) {
    enum { REPLACEMENT = 0xfffd };
    if (c == '\n') return K_ENTER;
    return c < KEYS_SPECIAL ? (int)c : REPLACEMENT;
}

int term_key(Terminal *t, int *ret_x, int *ret_y, int *ret_wheel) {
    static const struct {
        wint_t code;
        int key;
    } codes[] = {{KEY_UP, K_UP},        {KEY_DOWN, K_DOWN},     {KEY_LEFT, K_LEFT},
                 {KEY_RIGHT, K_RIGHT},  {KEY_PPAGE, K_PAGE_UP}, {KEY_NPAGE, K_PAGE_DOWN},
                 {KEY_HOME, K_HOME},    {KEY_END, K_END},       {KEY_BACKSPACE, K_BACKSPACE},
                 {KEY_DC, K_DELETE},    {KEY_IC, K_INSERT},     {KEY_BTAB, K_BACKTAB},
                 {KEY_ENTER, K_ENTER},  {KEY_RESIZE, K_RESIZE}, {KEY_PASTE, K_PASTE},
                 {KEY_PASTED, K_PASTED}};
    wint_t c = 0;
    for (;;) {
        int kind = get_wch(&c);
        if (kind == ERR) return K_NONE;
        if (kind == OK && c == K_ESC) return ground_key(t);
        if (kind == OK) return character_key(c);
        if (c == KEY_MOUSE) {
            int key = mouse_key(ret_x, ret_y, ret_wheel);
            if (key != K_NONE) return key;
            continue;
        }
        if (c >= KEY_F(1) && c <= KEY_F(12)) return K_F1 + (int)(c - KEY_F(1));
        for (size_t i = 0; i < COUNT_OF(codes); i++) {
            if (codes[i].code == c) return codes[i].key;
        }
    }
}

void tui_restore_bytes(Buf *out) {
    static const char *const names[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
    int found = 0;
    const char *name = term_known();
    if (name == NULL || setupterm(name, STDOUT_FILENO, &found) != OK) return;
    // the mouse: terminfo has no name for it on most terminals
    buf_puts(out, UNMARK_PASTES "\033[?1000l\033[?1006l");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *text = tigetstr(names[i]);
        if (text != NULL && text != (const char *)-1) buf_puts(out, text);
    }
    del_curterm(cur_term);
}
