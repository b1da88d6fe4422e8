// A table that one can move in, filter, sort and mark.
#include "tui/list.h"

#include <math.h>
#include <string.h>

#include "src/report/filter.h"

enum { GAP = 2, NARROWEST = 8, NAME_WIDTH = 24 };

const char *list_text(const List *s, size_t row, size_t column, Arena *a) {
    const Column *c = &s->of->columns[column];
    const Cell *cell = listing_cell(s->of, row, column);
    if (!c->number) return cell->text[0] != '\0' ? cell->text : "-";
    return number_text(a, cell->number, c->digits);
}

// ---------------------------------------------------------------- which rows, in which order

static void order_write(List *s) {
    Arena a = {0};
    const char *text = list_sorts(s, &a);
    if (strlen(text) < sizeof s->order) memcpy(s->order, text, strlen(text) + 1);
    arena_free(&a);
}

const char *list_sorts(const List *s, Arena *a) {
    const char *text = "";
    for (size_t i = 0; i < s->n_sorts; i++)
        text = arena_printf(a, "%s%s%s%s", text, i > 0 ? "," : "", s->sorts[i].descending ? "-" : "",
                            s->of->columns[s->sorts[i].column].key);
    return text;
}

// `order` in columns of the listing: all of it or, as of another listing's columns, nothing.
static bool read_order(List *s, Err *e) {
    Str rest = str_of(s->order);
    Str name;
    s->n_sorts = 0;
    while (s->order[0] != '\0' && str_next(&rest, ',', &name)) {
        name = str_trim(name);
        bool down = name.length > 0 && name.data[0] == '-';
        if (down) name.data++, name.length--;
        size_t column = s->n_sorts < SORTS_MAX ? listing_column(s->of, name, e) : SIZE_MAX;
        if (column == SIZE_MAX) {
            if (s->n_sorts == SORTS_MAX) err_set(e, ERR_USAGE, "more than %d columns to sort by", SORTS_MAX);
            s->n_sorts = 0;
            return false;
        }
        s->sorts[s->n_sorts++] = (SortKey){column, down};
    }
    return true;
}

// Columns are as wide as what is in them; of very long lists, in the first rows. Figures are much alike: only
// `all` measures them.
static void measure(List *s, bool all) {
    enum { ROWS_MEASURED = 3000 };
    const Listing *l = s->of;
    for (size_t c = 0; c < l->n_columns; c++) {
        if (l->columns[c].number && !all) continue;
        size_t widest = text_width(l->columns[c].title);
        for (size_t i = 0; i < s->n_shown && i < ROWS_MEASURED; i++) {
            char text[64] = "-";
            const Cell *cell = listing_cell(l, s->shown[i], c);
            if (l->columns[c].number) format_number(text, sizeof text, cell->number, l->columns[c].digits);
            size_t own = text_width(l->columns[c].number ? text : cell->text);
            if (own > widest) widest = own;
        }
        s->widths[c] = (int)(widest < 1000 ? widest : 1000);
    }
}

// The rows that pass the filter as typed; while that cannot be read, those of the last one that could. As the
// option --where and --sort of commands choose them.
static void choose_rows(List *s, bool all) {
    Arena a = {0};
    Filter f = {NULL, 0};
    size_t *rows = NULL;
    s->error = (Err){0};
    if (filter_parse(s->of, s->filter, &a, &f, &s->error)) {
        memcpy(s->taken, s->filter, sizeof s->taken);
    } else if (!filter_parse(s->of, s->taken, &a, &f, NULL)) {
        s->taken[0] = '\0';  // of another listing's columns
    }
    s->n_shown = 0;
    if (listing_choose(s->of, s->taken, list_sorts(s, &a), &a, &rows, &s->n_shown, NULL) && s->n_shown > 0)
        memcpy(s->shown, rows, s->n_shown * sizeof *rows);
    arena_free(&a);
    measure(s, all);
    if (s->cursor >= s->n_shown) s->cursor = s->n_shown > 0 ? s->n_shown - 1 : 0;
}

static void cursor_to_row(List *s, size_t row) {
    for (size_t i = 0; i < s->n_shown; i++) {
        if (s->shown[i] == row) s->cursor = i;
    }
}

static void choose_again(List *s) {
    size_t row = list_row(s);
    choose_rows(s, false);
    if (row != SIZE_MAX) cursor_to_row(s, row);
}

size_t list_column(const Listing *l, const char *key) {
    for (size_t c = 0; c < l->n_columns; c++) {
        if (strcmp(l->columns[c].key, key) == 0) return c;
    }
    return SIZE_MAX;
}

static bool same_row(const Listing *l, size_t row, const Listing *before, size_t row_before) {
    size_t n = l->n_columns < before->n_columns ? l->n_columns : before->n_columns;
    for (size_t c = 0; c < n; c++) {
        const Cell *now = listing_cell(l, row, c), *then = listing_cell(before, row_before, c);
        if (strcmp(l->columns[c].key, before->columns[c].key) != 0) continue;
        if (!l->columns[c].number && strcmp(now->text, then->text) != 0) return false;
        if (l->columns[c].number &&
            (is_known(now->number) != is_known(then->number) ||
             (is_known(now->number) && (now->number < then->number || now->number > then->number))))
            return false;
    }
    return n > 0;
}

// Where a row of the listing before stands now; mostly where it stood. SIZE_MAX: it is gone or says something
// else.
static size_t find_row(const Listing *l, const Listing *before, size_t row_before) {
    if (row_before < l->n_rows && same_row(l, row_before, before, row_before)) return row_before;
    for (size_t row = 0; row < l->n_rows; row++) {
        if (same_row(l, row, before, row_before)) return row;
    }
    return SIZE_MAX;
}

static void keep_marks(List *s, const Listing *l, const List *before) {
    enum { SEARCHED_MAX = 64 };
    size_t left = before->of != NULL ? before->n_marked : 0;
    if (left > SEARCHED_MAX) return;
    for (size_t row = 0; left > 0 && row < before->of->n_rows; row++) {
        if (!before->marked[row]) continue;
        left--;
        size_t now = find_row(l, before->of, row);
        if (now == SIZE_MAX || s->marked[now]) continue;
        s->marked[now] = true;
        s->n_marked++;
    }
}

void list_open(List *s, const Listing *l, Arena *a) {
    Arena scratch = {0};
    const List old = *s;
    size_t before = s->of != NULL ? list_row(s) : SIZE_MAX;
    const char *name = before != SIZE_MAX ? list_text(s, before, 0, &scratch) : "";
    s->of = l;
    s->arena = a;
    s->shown = arena_alloc(a, l->n_rows + 1, sizeof *s->shown);
    s->widths = arena_alloc(a, l->n_columns + 1, sizeof *s->widths);
    s->marked = arena_alloc(a, l->n_rows + 1, sizeof *s->marked);
    s->n_marked = 0;
    keep_marks(s, l, &old);
    read_order(s, NULL);
    choose_rows(s, true);
    size_t same = before != SIZE_MAX ? find_row(l, old.of, before) : SIZE_MAX;
    if (same != SIZE_MAX) cursor_to_row(s, same);
    for (size_t i = 0; same == SIZE_MAX && before != SIZE_MAX && i < s->n_shown; i++) {
        if (strcmp(list_text(s, s->shown[i], 0, &scratch), name) != 0) continue;
        s->cursor = i;
        break;
    }
    arena_free(&scratch);
}

void list_filter(List *s, const char *filter) {
    size_t n = strlen(filter);
    if (n >= FILTER_MAX) n = FILTER_MAX - 1;
    memmove(s->filter, filter, n);
    s->filter[n] = '\0';
    if (s->of != NULL) choose_again(s);
}

// Sorted anew: from the top, one looks at the top of the new order.
static void sorted(List *s) {
    size_t row = list_row(s);
    bool follow = s->cursor > 0;
    order_write(s);
    choose_rows(s, false);
    if (row != SIZE_MAX && follow) cursor_to_row(s, row);
}

void list_sort(List *s, size_t column, bool descending) {
    if (s->of == NULL) return;
    s->n_sorts = column < s->of->n_columns;
    s->sorts[0] = (SortKey){column, descending};
    sorted(s);
}

bool list_order(List *s, const char *order, Err *e) {
    const List before = *s;
    if (s->of == NULL) return err_set(e, ERR_USAGE, "there are no rows to sort");
    if (strlen(order) >= sizeof s->order) return err_set(e, ERR_USAGE, "the order is too long");
    memcpy(s->order, order, strlen(order) + 1);
    if (!read_order(s, e)) {
        *s = before;
        return false;
    }
    sorted(s);
    return true;
}

static bool is_sorted_by(const List *s, size_t column) {
    for (size_t i = 0; i < s->n_sorts; i++) {
        if (s->sorts[i].column == column) return true;
    }
    return false;
}

static bool is_shown(const List *s, size_t column) {
    return !s->of->columns[column].detail && (column >= 64 || (s->hidden >> column & 1) == 0);
}

void list_sort_next(List *s, int step) {
    if (s->of == NULL) return;
    int n = (int)s->of->n_columns;
    int at = s->n_sorts > 0 ? (int)s->sorts[--s->n_sorts].column : -1;
    for (int i = 0; i <= n; i++) {
        at += step;
        if (at >= n) at = -1;
        if (at < -1) at = n - 1;
        if (at < 0 || (is_shown(s, (size_t)at) && !is_sorted_by(s, (size_t)at))) break;
    }
    if (at >= 0) s->sorts[s->n_sorts++] = (SortKey){(size_t)at, false};
    sorted(s);
}

void list_sort_turn(List *s) {
    if (s->of == NULL || s->n_sorts == 0) return;
    s->sorts[s->n_sorts - 1].descending = !s->sorts[s->n_sorts - 1].descending;
    sorted(s);
}

void list_sort_then(List *s) {
    if (s->of == NULL || s->n_sorts == SORTS_MAX) return;
    for (size_t c = 0; c < s->of->n_columns; c++) {
        if (!is_shown(s, c) || is_sorted_by(s, c)) continue;
        s->sorts[s->n_sorts++] = (SortKey){c, false};
        break;
    }
    sorted(s);
}

bool list_find(List *s, int step, Err *e) {
    Arena a = {0};
    Filter f = {NULL, 0};
    size_t n = s->of != NULL ? s->n_shown : 0;
    bool found = false;
    bool read = s->of != NULL && filter_parse(s->of, s->find, &a, &f, e);
    for (size_t i = 1; read && !found && i <= n; i++) {
        size_t at = (s->cursor + (step > 0 ? i : n - i)) % n;
        found = filter_passes(&f, s->of, s->shown[at]);
        if (found) s->cursor = at;
    }
    if (read && !found) err_set(e, ERR_USAGE, "no row shown here fits '%s'", s->find);
    arena_free(&a);
    return found;
}

void list_move(List *s, long by) {
    long at = (long)s->cursor + by;
    if (at >= (long)s->n_shown) at = (long)s->n_shown - 1;
    s->cursor = at > 0 ? (size_t)at : 0;
}

int list_shifts(const List *s) {
    int n = -1;
    for (size_t c = 0; s->of != NULL && c < s->of->n_columns; c++)
        n += !s->of->columns[c].detail && !s->of->columns[c].number;
    return n > 0 ? n : 0;
}

void list_mark(List *s) {
    size_t row = list_row(s);
    if (row == SIZE_MAX) return;
    s->marked[row] = !s->marked[row];
    if (s->marked[row]) {
        s->n_marked++;
    } else {
        s->n_marked--;
    }
}

void list_unmark(List *s) {
    for (size_t row = 0; s->of != NULL && row < s->of->n_rows; row++) s->marked[row] = false;
    s->n_marked = 0;
}

Listing list_shown(const List *s, Arena *a) {
    Listing l = *s->of;
    l.cells = arena_alloc(a, s->n_shown * l.n_columns + 1, sizeof *l.cells);
    l.n_rows = s->n_shown;
    for (size_t i = 0; i < s->n_shown; i++)
        memcpy(&l.cells[i * l.n_columns], listing_cell(s->of, s->shown[i], 0), l.n_columns * sizeof *l.cells);
    return l;
}

const char *list_count(const List *s, Arena *a) {
    size_t all = s->of->n_rows;
    return s->n_shown == all ? arena_printf(a, " %zu ", all)
                             : arena_printf(a, " %zu of %zu ", s->n_shown, all);
}

size_t list_row(const List *s) {
    return s->of != NULL && s->cursor < s->n_shown ? s->shown[s->cursor] : SIZE_MAX;
}

// ---------------------------------------------------------------- drawing

// Columns whose texts name what a row is of: half of such a name is another one's.
static bool names_row(const Listing *l, size_t column, size_t first) {
    return column == first ||
           word_in("gpu gpus sku_id model_id workload_id subject run", l->columns[column].key);
}

// As wide as they want to be; 0: not shown. Gives the first column of text.
static size_t wanted_widths(const List *s, int *widths) {
    const Listing *l = s->of;
    size_t first = l->n_columns;
    int text = 0;
    for (size_t c = 0; c < l->n_columns; c++) {
        if (l->columns[c].detail) continue;
        if (!l->columns[c].number && first == l->n_columns) first = c;
        if (!is_shown(s, c)) continue;
        bool hidden = !l->columns[c].number && c != first && text++ < s->shift;
        widths[c] = hidden ? 0 : s->widths[c];
        int sorted = (int)text_width(l->columns[c].title) + 1;  // room for the mark
        if (!hidden && is_sorted_by(s, c) && widths[c] < sorted) widths[c] = sorted;
    }
    return first;
}

// Texts give, the widest first, those that name the row only what is beyond a name's usual width; then columns at
// the right fall away, those that name the row and that it is sorted by last; then names are cut after all.
static void fit(const List *s, int width, int *widths) {
    const Listing *l = s->of;
    size_t first = wanted_widths(s, widths);
    for (;;) {
        int total = 0;
        size_t widest = l->n_columns, name = l->n_columns, last = l->n_columns;
        for (size_t c = 0; c < l->n_columns; c++) {
            if (widths[c] == 0) continue;
            total += widths[c] + (total > 0 ? GAP : 0);
            bool names = names_row(l, c, first);
            if (!names && !is_sorted_by(s, c)) last = c;
            int least = (int)text_width(l->columns[c].title) + is_sorted_by(s, c);
            if (l->columns[c].number || widths[c] <= (least > NARROWEST ? least : NARROWEST)) continue;
            size_t *gives = names && widths[c] <= NAME_WIDTH ? &name : &widest;
            if (*gives == l->n_columns || widths[c] > widths[*gives]) *gives = c;
        }
        if (total <= width) return;
        if (widest != l->n_columns) {
            widths[widest]--;
        } else if (last != l->n_columns) {
            widths[last] = 0;
        } else if (name != l->n_columns) {
            widths[name]--;
        } else {
            return;
        }
    }
}

static void draw_head(const List *s, Grid *g, Rect at, const int *widths, const ListLook *look) {
    int x = at.x;
    grid_style(g, (Rect){at.x - 1, at.y, at.width + 2, 1}, STYLE_HEAD);
    for (size_t c = 0; c < s->of->n_columns; c++) {
        if (widths[c] == 0) continue;
        const Column *column = &s->of->columns[c];
        int own = (int)text_width(column->title);
        int from = column->number ? x + widths[c] - own - is_sorted_by(s, c) : x;
        grid_text(g, from, at.y, widths[c], STYLE_HEAD, column->title);
        for (size_t i = 0; i < s->n_sorts; i++) {
            if (s->sorts[i].column == c)
                grid_point(g, from + own, at.y, STYLE_CHANGED, s->sorts[i].descending ? 0x25bc : 0x25b2);
        }
        grid_zone(g, (Rect){x, at.y, widths[c], 1}, look->sort_action, (int)c);
        x += widths[c] + GAP;
    }
}

static void draw_row(const List *s, Grid *g, Rect at, size_t index, const int *widths, const ListLook *look) {
    size_t row = s->shown[index];
    bool on = index == s->cursor;
    int x = at.x;
    if (on) grid_style(g, (Rect){at.x - 1, at.y, at.width + 2, 1}, STYLE_TEXT | STYLE_CURSOR);
    int flag = on ? STYLE_CURSOR : 0;
    if (s->marked[row]) grid_point(g, at.x - 1, at.y, STYLE_CHANGED | flag, 0x2022);
    for (size_t c = 0; c < s->of->n_columns; c++) {
        if (widths[c] == 0) continue;
        const char *text = list_text(s, row, c, g->arena);
        int style = look->style_of != NULL ? look->style_of(s->of, row, c) : STYLE_TEXT;
        if (strcmp(text, "-") == 0) style = STYLE_DIM;
        if (s->of->columns[c].number) {
            grid_right(g, x, at.y, widths[c], style | flag, text);
        } else {
            grid_text(g, x, at.y, widths[c], style | flag, text);
        }
        x += widths[c] + GAP;
    }
    grid_zone(g, (Rect){at.x - 1, at.y, at.width + 2, 1}, look->row_action, (int)index);
}

static void draw_scrollbar(const List *s, Grid *g, int x, int y, int height) {
    if (s->n_shown <= (size_t)height || height < 2) return;
    int size = (int)((size_t)height * (size_t)height / s->n_shown);
    if (size < 1) size = 1;
    size_t hidden = s->n_shown - (size_t)height;
    int from = (int)(s->top * (size_t)(height - size) / hidden);
    for (int i = 0; i < height; i++)
        grid_point(g, x, y + i, STYLE_FRAME, i >= from && i < from + size ? 0x2503 : 0x2502);
}

void list_draw(List *s, Grid *g, Rect at, const ListLook *look) {
    if (s->of == NULL || at.height < 2 || at.width < 10) return;
    int rows = at.height - 1;
    if (s->cursor < s->top) s->top = s->cursor;
    if (s->cursor >= s->top + (size_t)rows) s->top = s->cursor - (size_t)rows + 1;
    if (s->top + (size_t)rows > s->n_shown)
        s->top = s->n_shown > (size_t)rows ? s->n_shown - (size_t)rows : 0;
    int *widths = arena_alloc(g->arena, s->of->n_columns + 1, sizeof *widths);
    Rect inner = {at.x, at.y, at.width, 1};
    fit(s, inner.width, widths);
    draw_head(s, g, inner, widths, look);
    for (int i = 0; i < rows && s->top + (size_t)i < s->n_shown; i++)
        draw_row(s, g, (Rect){inner.x, at.y + 1 + i, inner.width, 1}, s->top + (size_t)i, widths, look);
    if (s->n_shown == 0)
        grid_text(g, inner.x, at.y + 1, inner.width, STYLE_DIM,
                  s->filter[0] != '\0' ? "nothing fits the filter" : "nothing to show");
    draw_scrollbar(s, g, at.x + at.width + 1, at.y + 1, rows);
}
