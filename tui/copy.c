// Text for the terminal's clipboard.
#include <string.h>

#include "tui/output.h"
#include "tui/start.h"

// Terminals refuse longer ones, some of them silently.
enum { COPIED_MAX = 64 * 1024 };

// Line by line without control characters: what is pasted elsewhere must press no key there.
static void copy(Tui *t, const char *text, const char *what) {
    Arena a = {0};
    Str rest = str_of(text);
    Str line;
    size_t n = 0;
    buf_free(&t->copied);
    buf_init(&t->copied, COPIED_MAX);
    while (rest.length > 0 && str_next(&rest, '\n', &line)) {
        Str cells = line, cell;
        if (n++ > 0) buf_puts(&t->copied, "\n");
        for (size_t i = 0; str_next(&cells, '\t', &cell); i++)
            buf_printf(&t->copied, "%s%s", i > 0 ? "\t" : "",
                       text_clean(&a, arena_copy(&a, cell.data, cell.length)));
    }
    arena_free(&a);
    if (t->copied.overflow) {
        buf_free(&t->copied);
        tui_say(t, true, "%s is more than %d bytes, which no clipboard is sent; %s writes a file", what,
                COPIED_MAX, key_table[ACT_EXPORT].label);
    } else {
        tui_say(t, false, "%s was sent to the terminal's clipboard (OSC 52; tmux: set -g set-clipboard on)",
                what);
    }
}

// All cells, with tabs between them as spreadsheets take them.
void copy_row(Tui *t) {
    const ViewState *v = view_now(t);
    size_t row = list_row(&v->list);
    Arena a = {0};
    if (t->popup.kind == POPUP_TEXT) {
        copy(t, t->popup.text, "the text of the box");
    } else if (row != SIZE_MAX && t->popup.kind == POPUP_NONE) {
        const char *text = "";
        for (size_t c = 0; c < v->list.of->n_columns; c++)
            text = arena_printf(&a, "%s%s%s", text, c > 0 ? "\t" : "",
                                text_clean(&a, list_text(&v->list, row, c, &a)));
        copy(t, text, "the row");
    } else {
        copy_line(t);
    }
    arena_free(&a);
}

void copy_line(Tui *t) {
    Arena a = {0};
    const char *line = t->popup.kind == POPUP_START ? start_line(t, &a) : frame_command(t, &a);
    if (line[0] != '\0') {
        copy(t, line, "the command");
    } else {
        tui_say(t, false, "there is no command here");
    }
    arena_free(&a);
}
