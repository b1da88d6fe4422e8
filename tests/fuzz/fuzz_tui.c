// What the screen reads and draws: its state file, the answer of a scan, names from outside in cells.
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tui/app.h"
#include "tui/looks.h"
#include "tui/output.h"
#include "tui/porttree.h"

static void try_state(Str text) {
    TuiHost host = {.version = "0"};
    TuiOptions options = {
        .view = "", .workload = "", .theme = -1, .state_path = "", .hosts = "", .parent = -1};
    Tui t;
    Err e = {0};
    MUST_HOLD(tui_init(&t, &host, &options, TUI_WIDTH_MIN, TUI_HEIGHT_MIN, &e));
    state_read(&t, text);
    MUST_HOLD(t.view < VIEW_COUNT && t.theme >= 0 && t.theme < THEME_COUNT);
    for (int i = 0; i < VIEW_COUNT; i++) {
        MUST_HOLD(t.views[i].panel == 0 || t.views[i].panel < t.views[i].view->n_panels);
        MUST_HOLD(strlen(t.views[i].list.filter) < FILTER_MAX && strlen(t.views[i].list.order) < FILTER_MAX);
    }
    Buf once, again;
    buf_init(&once, BUF_LIMIT);
    buf_init(&again, BUF_LIMIT);
    state_write(&t, &once);
    state_read(&t, (Str){once.data, once.length});
    state_write(&t, &again);
    MUST_HOLD(once.length == again.length && memcmp(once.data, again.data, once.length) == 0);
    buf_free(&once);
    buf_free(&again);
    tui_free(&t);
}

static void try_scan(Str text) {
    PortTree tree;
    Err e = {0};
    if (!porttree_read(text, &tree, &e)) {
        MUST_HOLD(e.text[0] != '\0');
        return;
    }
    Arena a = {0};
    Listing l;
    size_t *nodes = NULL;
    for (size_t i = 0; i < tree.n_nodes; i++) tree.nodes[i].open = true;
    porttree_list(&tree, &a, &l, &nodes);
    MUST_HOLD(l.n_rows == tree.n_nodes);
    for (size_t i = 0; i < tree.n_nodes; i++)
        MUST_HOLD(tree.nodes[i].first + tree.nodes[i].n <= tree.n_rows && tree.nodes[i].n > 0);
    porttree_free(&tree);
    arena_free(&a);
}

static void try_cells(Str text) {
    enum { WIDTH = 17, HEIGHT = 5 };
    Arena a = {0};
    Grid g;
    Buf out;
    const char *copy = arena_copy(&a, text.data, text.length);
    grid_init(&g, &a, WIDTH, HEIGHT);
    MUST_HOLD(grid_text(&g, 1, 0, WIDTH - 2, STYLE_TEXT, copy) <= WIDTH - 2);
    grid_wrapped(&g, (Rect){1, 1, WIDTH - 2, HEIGHT - 1}, STYLE_TEXT, 0, copy);
    buf_init(&out, BUF_LIMIT);
    grid_print(&g, false, &out);
    MUST_HOLD(str_is_utf8((Str){out.data, out.length}));
    Str rest = {out.data, out.length};
    Str line;
    for (int y = 0; y < HEIGHT; y++) {
        MUST_HOLD(str_next(&rest, '\n', &line));
        MUST_HOLD(text_width(arena_copy(&a, line.data, line.length)) <= WIDTH - 1);
    }
    for (size_t i = 0; i < out.length; i++)
        MUST_HOLD(out.data[i] == '\n' || (unsigned char)out.data[i] >= ' ');
    buf_free(&out);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    Str text = {(const char *)data + 1, size - 1};
    if (data[0] % 3 == 0) try_state(text);
    if (data[0] % 3 == 1) try_scan(text);
    if (data[0] % 3 == 2) try_cells(text);
    int rgb = 0;
    if (ground_parse(text, &rgb)) MUST_HOLD(rgb >= 0 && rgb <= 0xffffff);  // what a terminal answers
    return 0;
}
