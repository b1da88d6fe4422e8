// One line of text being typed.
#include "tui/line.h"

#include <string.h>

#include "tui/keys.h"

void line_set(LineEdit *l, const char *text) {
    size_t n = strlen(text);
    if (n >= LINE_MAX_BYTES) n = 0;  // what does not fit is not cut to something else
    memcpy(l->text, text, n);
    l->text[n] = '\0';
    l->length = l->at = n;
}

static size_t before(const LineEdit *l) {
    size_t at = l->at;
    while (at > 0 && ((unsigned char)l->text[--at] & 0xc0) == 0x80) continue;
    return at;
}

static size_t after(const LineEdit *l) {
    size_t at = l->at < l->length ? l->at + 1 : l->at;
    while (at < l->length && ((unsigned char)l->text[at] & 0xc0) == 0x80) at++;
    return at;
}

static void cut(LineEdit *l, size_t from, size_t to) {
    memmove(l->text + from, l->text + to, l->length - to + 1);
    l->length -= to - from;
    l->at = from;
}

// Where the word before the cursor begins, with the blanks after it.
static size_t word_before(const LineEdit *l) {
    size_t at = l->at;
    while (at > 0 && l->text[at - 1] == ' ') at--;
    while (at > 0 && l->text[at - 1] != ' ') at--;
    return at;
}

bool line_insert(LineEdit *l, const char *text) {
    size_t n = strlen(text);
    if (l->length + n >= LINE_MAX_BYTES) return false;
    memmove(l->text + l->at + n, l->text + l->at, l->length - l->at + 1);
    memcpy(l->text + l->at, text, n);
    l->length += n;
    l->at += n;
    return true;
}

static void insert(LineEdit *l, int point) {
    char bytes[5] = "";
    unsigned p = (unsigned)point;
    size_t n = p < 0x80 ? 1 : p < 0x800 ? 2 : p < 0x10000 ? 3 : 4;
    static const unsigned leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; p >>= 6) bytes[i] = (char)(unsigned char)(0x80 | (p & 0x3f));
    bytes[0] = (char)(unsigned char)(leads[n] | p);
    line_insert(l, bytes);
}

bool line_key(LineEdit *l, int key) {
    enum { CTRL_A = 1, CTRL_E = 5, CTRL_H = 8, CTRL_K = 11, CTRL_U = 21, CTRL_W = 23, DELETED = 127 };
    switch (key) {
    case K_LEFT: l->at = before(l); return true;
    case K_RIGHT: l->at = after(l); return true;
    case CTRL_A:
    case K_HOME: l->at = 0; return true;
    case CTRL_E:
    case K_END: l->at = l->length; return true;
    case CTRL_H:
    case DELETED:
    case K_BACKSPACE: cut(l, before(l), l->at); return true;
    case K_DELETE: cut(l, l->at, after(l)); return true;
    case CTRL_U: cut(l, 0, l->length); return true;
    case CTRL_K: cut(l, l->at, l->length); return true;
    case CTRL_W: cut(l, word_before(l), l->at); return true;
    default: break;
    }
    if (key < ' ' || key >= KEYS_SPECIAL || (key >= 0x7f && key < 0xa0)) return false;
    insert(l, key);
    return true;
}
