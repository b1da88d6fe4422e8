// Boxes over the view: text to read, rows side by side, what can be set.
#include <string.h>

#include "tui/popup.h"
#include "tui/start.h"

// ---------------------------------------------------------------- side by side

// Columns become lines: the title, then the cell of each marked row. NULL: fewer than two are marked.
const char *compare_text(Tui *t, ViewState *v, Arena *a) {
    enum { SIDE_MAX = 6 };
    const Listing *l = v->list.of;
    size_t rows[SIDE_MAX];
    size_t n = 0;
    for (size_t r = 0; l != NULL && r < l->n_rows && n < SIDE_MAX; r++) {
        if (v->list.marked[r]) rows[n++] = r;
    }
    if (n < 2) return NULL;
    Column *columns = arena_alloc(a, n + 1, sizeof *columns);
    columns[0] = (Column){.key = "what", .title = ""};
    for (size_t i = 0; i < n; i++)
        columns[i + 1] = (Column){.key = "row", .title = list_text(&v->list, rows[i], 0, a)};
    size_t first = l->columns[0].number && l->n_columns > 1 ? 1 : 0;  // a rank is no name
    for (size_t i = 0; i < n; i++)
        columns[i + 1].title = text_clean(a, list_text(&v->list, rows[i], first, a));
    Listing side = listing_new(a, "side", columns, n + 1, l->n_columns);
    for (size_t c = 0; c < l->n_columns; c++) {
        if (c == first) continue;
        listing_text(&side, 0, l->columns[c].title);
        for (size_t i = 0; i < n; i++) listing_text(&side, i + 1, list_text(&v->list, rows[i], c, a));
        listing_row_done(&side);
    }
    Buf b;
    buf_init(&b, BUF_LIMIT);
    listing_print(&side, FORMAT_TABLE, (Room){.width = (size_t)t->width - POPUP_FRAME}, &b);
    return buf_take(&b, a);
}

// ---------------------------------------------------------------- setup

static const char *theme_text(const Tui *t) { return tui_theme_names[t->theme]; }
static const char *characters_text(const Tui *t) { return t->ascii ? "ASCII" : "Unicode"; }
static const char *mouse_text(const Tui *t) { return t->mouse ? "clicks and wheel" : "selects text"; }
static const char *workload_text(const Tui *t) { return t->fields.value[0]; }

static void theme_turn(Tui *t, int step) {
    t->theme = (t->theme + THEME_COUNT + step) % THEME_COUNT;
    t->theme_chosen = true;
    t->redraw = true;
}

static void characters_turn(Tui *t, int step) {
    (void)step;
    t->ascii = !t->ascii;
    t->redraw = true;
}

static void mouse_turn(Tui *t, int step) {
    (void)step;
    t->mouse = !t->mouse;
}

// The workload before or after, as `gpuadvise workloads` lists them.
static void workload_turn(Tui *t, int step) {
    static const char *const words[] = {"workloads"};
    Arena a = {0};
    TuiAnswer answer = {0};
    Err e = {0};
    if (tui_ask(t, words, 1, &a, &answer, &e) && answer.n_listings > 0 && answer.listings[0].n_rows > 0) {
        const Listing *l = &answer.listings[0];
        size_t at = 0;
        for (size_t r = 0; r < l->n_rows; r++) {
            if (strcmp(l->cells[r * l->n_columns].text, workload_text(t)) == 0) at = r;
        }
        at = (at + l->n_rows + (size_t)(step > 0 ? 1 : l->n_rows - 1)) % l->n_rows;
        field_set(t, "workload", l->cells[at * l->n_columns].text);
        fields_changed_now(t);
    }
    arena_free(&a);
}

static const struct {
    const char *label;
    const char *(*text)(const Tui *t);
    void (*turn)(Tui *t, int step);
} setup_rows[] = {{"Workload", workload_text, workload_turn},
                  {"Theme", theme_text, theme_turn},
                  {"Characters", characters_text, characters_turn},
                  {"Mouse", mouse_text, mouse_turn}};

// After the rows above: the columns of the table on screen.
static size_t setup_columns(Tui *t) {
    return view_now(t)->list.of != NULL ? view_now(t)->list.of->n_columns : 0;
}

static void setup_turn(Tui *t, int step) {
    size_t at = t->popup.cursor;
    if (at < COUNT_OF(setup_rows)) {
        setup_rows[at].turn(t, step);
        return;
    }
    List *l = &view_now(t)->list;
    at -= COUNT_OF(setup_rows);
    if (at < setup_columns(t) && at < 64) l->hidden ^= 1ull << at;
}

static void setup_draw(Tui *t, Grid *g, Rect box) {
    Rect in = rect_inside(box);
    const List *l = &view_now(t)->list;
    size_t n = COUNT_OF(setup_rows) + setup_columns(t);
    size_t rows = (size_t)in.height - 2;
    size_t top = t->popup.cursor >= rows ? t->popup.cursor - rows + 1 : 0;
    for (size_t i = top; i < n && i - top < rows; i++) {
        int y = in.y + (int)(i - top);
        int on = i == t->popup.cursor ? STYLE_CURSOR : 0;
        grid_style(g, (Rect){in.x, y, in.width, 1}, STYLE_TEXT | on);
        if (i < COUNT_OF(setup_rows)) {
            grid_text(g, in.x + 1, y, 18, STYLE_DIM | on, setup_rows[i].label);
            grid_printf(g, in.x + 20, y, in.width - 20, STYLE_TEXT | on, "< %s >", setup_rows[i].text(t));
        } else {
            size_t c = i - COUNT_OF(setup_rows);
            bool shown = c >= 64 || (l->hidden >> c & 1) == 0;
            const char *shown_in = l->of->columns[c].detail ? "in the detail only:" : shown ? "[x]" : "[ ]";
            grid_printf(g, in.x + 1, y, in.width - 1,
                        (l->of->columns[c].detail ? STYLE_DIM : STYLE_TEXT) | on, "%s column %s", shown_in,
                        l->of->columns[c].title);
        }
        grid_zone(g, (Rect){in.x, y, in.width, 1}, ACT_CHOICE, (int)i);
    }
    const char *save = keys_first(&t->keys, ACT_SAVE, g->arena);
    grid_printf(g, in.x + 1, in.y + in.height - 1, in.width - 1, STYLE_DIM,
                "left and right change, esc closes, then %s keeps it for the next start", save);
}

// ---------------------------------------------------------------- drawing and keys

static Rect popup_box(const Tui *t, int lines) {
    enum { MARGIN = 1 };
    int width = t->width - 2 * MARGIN;
    int height = lines + 2 < t->height - 5 ? lines + 2 : t->height - 5;
    return (Rect){MARGIN, 2 + (t->height - 5 - height) / 2, width, height};
}

static void text_draw(Tui *t, Grid *g) {
    Popup *p = &t->popup;
    Rect all = popup_box(t, 1000);
    int lines = grid_wrapped(g, (Rect){0, 0, rect_inside(all).width, 0}, STYLE_TEXT, 0, p->text);
    Rect box = popup_box(t, lines);
    Rect in = rect_inside(box);
    int most = lines > in.height ? lines - in.height : 0;
    if (p->skip > most) p->skip = most;
    grid_box(g, box, p->title);
    grid_wrapped(g, in, STYLE_TEXT, p->skip, p->text);
    if (most > 0)
        grid_right(g, box.x, box.y + box.height - 1, box.width - 3, STYLE_DIM,
                   arena_printf(g->arena, " %d-%d of %d ", p->skip + 1, p->skip + in.height, lines));
    grid_zone(g, (Rect){0, 0, g->width, g->height}, ACT_BACK, 0);
    grid_zone(g, box, ACT_NONE, 0);
}

void popup_draw(Tui *t, Grid *g) {
    if (t->popup.kind == POPUP_TEXT) {
        text_draw(t, g);
        return;
    }
    if (t->popup.kind == POPUP_START) {
        start_draw(t, g);
        return;
    }
    Rect box = popup_box(t, (int)(COUNT_OF(setup_rows) + setup_columns(t)) + 2);
    grid_zone(g, (Rect){0, 0, g->width, g->height}, ACT_BACK, 0);
    grid_box(g, box, t->popup.title);
    setup_draw(t, g, box);
}

static bool setup_act(Tui *t, Action action, int argument) {
    size_t n = COUNT_OF(setup_rows) + setup_columns(t);
    switch (action) {
    case ACT_UP: t->popup.cursor -= t->popup.cursor > 0; return true;
    case ACT_DOWN: t->popup.cursor += t->popup.cursor + 1 < n; return true;
    case ACT_LEFT: setup_turn(t, -1); return true;
    case ACT_MARK:
    case ACT_OPEN:
    case ACT_RIGHT: setup_turn(t, 1); return true;
    case ACT_CHOICE:
        t->popup.cursor = (size_t)argument;
        setup_turn(t, 1);
        return true;
    default: return false;
    }
}

static bool scroll_act(Tui *t, Action action) {
    int page = t->height > 12 ? t->height - 9 : 4;
    switch (action) {
    case ACT_UP: t->popup.skip--; break;
    case ACT_WHEEL_UP: t->popup.skip -= 3; break;
    case ACT_DOWN: t->popup.skip++; break;
    case ACT_WHEEL_DOWN: t->popup.skip += 3; break;
    case ACT_PAGE_UP: t->popup.skip -= page; break;
    case ACT_PAGE_DOWN: t->popup.skip += page; break;
    case ACT_HOME: t->popup.skip = 0; break;
    case ACT_END: t->popup.skip = 1 << 20; break;
    default: return false;
    }
    if (t->popup.skip < 0) t->popup.skip = 0;
    return true;
}

// What a popup does not know closes it, but for what concerns the whole screen.
bool popup_act(Tui *t, Action action, int argument) {
    if (action == ACT_REDRAW || action == ACT_SUSPEND || action == ACT_EXPORT || action == ACT_CANCEL ||
        action == ACT_COMMAND || action == ACT_COPY || action == ACT_COPY_LINE)
        return false;
    if (t->popup.kind == POPUP_SETUP && setup_act(t, action, argument)) return true;
    if (t->popup.kind == POPUP_START && start_act(t, action, argument)) return true;
    if (t->popup.kind == POPUP_TEXT && scroll_act(t, action)) return true;
    if (action == ACT_NONE) return true;
    popup_close(t);
    return action == ACT_BACK || action == ACT_QUIT || action == ACT_OPEN || action == ACT_BASIS ||
           action == ACT_SETUP;
}
