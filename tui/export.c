// Writing what is on the screen to a file.
#include <string.h>
#include <sys/stat.h>

#include "tui/draw.h"
#include "tui/output.h"

static bool has_rows(const Tui *t) { return t->views[t->view].list.of != NULL; }

const char *export_name(const Tui *t, Arena *a) {
    return has_rows(t) ? arena_printf(a, "gpuadvise-%s.csv", tui_view_names[t->view])
                       : "gpuadvise-screen.txt";
}

// FORMAT_TABLE: the frame as text.
static Format format_of(const char *path) {
    static const Format formats[] = {FORMAT_CSV, FORMAT_JSON, FORMAT_MD, FORMAT_HTML};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < COUNT_OF(formats); i++) {
        if (text_same(dot + 1, format_names[formats[i]])) return formats[i];
    }
    return FORMAT_TABLE;
}

static void frame_text(Tui *t, Arena *a, Buf *out) {
    Grid g;
    tui_hush(t);
    tui_settle(t);
    tui_frame(t, a, &g);
    grid_print(&g, t->ascii, out);
}

// The rows as the plain command gives them in that format, where they are that command's: without the marks that
// text has beside a name.
static bool ask_command(Tui *t, const ViewState *v, Format format, Arena *a, TuiAnswer *ret_answer) {
    enum { MORE = 4 };
    const Panel *p = panel_now(v);
    const List *l = &v->list;
    bool own = p != NULL && v->view->lists && !v->one && format != FORMAT_HTML && v->answer.n_listings > 0 &&
               l->of == &v->answer.listings[0];
    if (!own) return false;
    const char *words[WORDS_MAX + MORE] = {NULL};
    Err e = {0};
    size_t n = words_of(p->words);
    for (size_t i = 0; i < n; i++) words[i] = p->words[i];
    if (l->taken[0] != '\0') words[n++] = arena_printf(a, "--where=%s", l->taken);
    if (l->n_sorts > 0) words[n++] = arena_printf(a, "--sort=%s", list_sorts(l, a));
    words[n++] = "--format";
    words[n++] = format_names[format];
    return tui_ask(t, words, n, a, ret_answer, &e);
}

// The rows that are shown, in their order.
static void rows_text(Tui *t, const ViewState *v, Format format, Arena *a, Buf *out) {
    TuiAnswer answer = {0};
    if (ask_command(t, v, format, a, &answer)) {
        buf_puts(out, answer.text);
        return;
    }
    Envelope env = {
        .tool_version = t->host->version, .command = "tui", .generated_at = v->answer.answered_at};
    Listing shown = list_shown(&v->list, a);
    listing_file(&shown, format, &env, v->answer.line != NULL ? v->answer.line : view_table[t->view].title,
                 out);
}

void export_write(Tui *t, const char *path) {
    const ViewState *v = view_now(t);
    Format format = format_of(path);
    Arena a = {0};
    Err e = {0};
    Buf text;
    buf_init(&text, BUF_LIMIT);
    if (format == FORMAT_TABLE) {
        frame_text(t, &a, &text);
    } else if (has_rows(t)) {
        rows_text(t, v, format, &a, &text);
    } else {
        err_set(&e, ERR_USAGE,
                "this view lists no rows to write as %s; a name that ends in .txt takes the screen as text",
                format_names[format]);
    }
    if (e.kind == ERR_NONE && text.overflow)
        err_set(&e, ERR_FAILED, "the rows are more than a file of %zu bytes", (size_t)BUF_LIMIT);
    if (e.kind == ERR_NONE && file_write(path, text.data, text.length, &e)) {
        if (format == FORMAT_TABLE) {
            tui_say(t, false, "the screen was written to %s", path);
        } else {
            tui_say(t, false, "%zu of %zu rows were written to %s", v->list.n_shown, v->list.of->n_rows,
                    path);
        }
    } else {
        tui_say(t, true, "%s", e.text);
    }
    buf_free(&text);
    arena_free(&a);
}

void export_ask(Tui *t, const char *path) {
    struct stat there;
    if (path[0] == '\0') {
        tui_say(t, true, "write: to which file?");
    } else if (strlen(path) >= LINE_MAX_BYTES) {
        tui_say(t, true, "the name is longer than %d bytes", LINE_MAX_BYTES - 1);
    } else if (stat(path, &there) == 0 && S_ISREG(there.st_mode)) {
        prompt_open(t, PROMPT_OVERWRITE, path);
    } else {
        export_write(t, path);
    }
}
