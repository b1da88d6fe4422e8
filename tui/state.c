// What the user saved of the screen: view, theme, characters, workload, filters, sorting, columns.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "src/base/keyvalue.h"
#include "tui/output.h"

static ViewState *view_named(Tui *t, Str name) {
    for (int i = 0; i < VIEW_COUNT; i++) {
        if (str_is(name, tui_view_names[i])) return &t->views[i];
    }
    return NULL;
}

static void read_list(ViewState *v, Str what, Str value) {
    int64_t x = 0;
    if (str_is(what, "filter") && value.length < FILTER_MAX) {
        memcpy(v->list.filter, value.data, value.length);
        v->list.filter[value.length] = '\0';
        text_scrub(v->list.filter);
    } else if (str_is(what, "sort") && value.length < FILTER_MAX) {
        memcpy(v->list.order, value.data, value.length);
        v->list.order[value.length] = '\0';
        text_scrub(v->list.order);
    } else if (str_is(what, "panel") && parse_integer(value, 0, 31, &x, NULL)) {
        if ((size_t)x < v->view->n_panels) v->panel = (size_t)x;
    } else if (str_is(what, "hide") && parse_integer(value, 0, 63, &x, NULL)) {
        v->list.hidden |= 1ull << x;
    }
}

static void read_line(Tui *t, Str key, Str value) {
    Str what = key;
    Str view;
    Arena a = {0};
    const char *text = arena_copy(&a, value.data, value.length);
    if (str_is(key, "view")) {
        int i = name_index(tui_view_names, text);
        if (i >= 0) t->view = (ViewId)i;
    } else if (str_is(key, "theme")) {
        int i = name_index(tui_theme_names, text);
        if (i >= 0) t->theme = i;
        t->theme_chosen = i >= 0;
    } else if (str_is(key, "ascii")) {
        t->ascii = str_is(value, "yes");
    } else if (str_is(key, "mouse")) {
        t->mouse = !str_is(value, "no");
    } else if (str_is(key, "workload")) {
        field_set(t, "workload", text_clean(&a, text));
    } else if (str_next(&what, '.', &view) && what.data != NULL && view_named(t, view) != NULL) {
        read_list(view_named(t, view), what, value);
    }
    arena_free(&a);
}

void state_read(Tui *t, Str text) {
    KeyValues r = {.rest = text};  // a filter may hold any character: no comments
    if (!str_is_utf8(text)) return;
    for (Str key, value; keyvalue_next(&r, &key, &value);) {
        if (value.data != NULL) read_line(t, key, value);
    }
}

void state_write(const Tui *t, Buf *out) {
    buf_printf(out, "view = %s\ntheme = %s\nascii = %s\nmouse = %s\nworkload = %s\n", tui_view_names[t->view],
               tui_theme_names[t->theme], t->ascii ? "yes" : "no", t->mouse ? "yes" : "no",
               t->fields.value[0]);
    for (int i = 0; i < VIEW_COUNT; i++) {
        const ViewState *v = &t->views[i];
        const List *l = &v->list;
        if (v->panel > 0) buf_printf(out, "%s.panel = %zu\n", tui_view_names[i], v->panel);
        if (l->filter[0] != '\0') buf_printf(out, "%s.filter = %s\n", tui_view_names[i], l->filter);
        if (l->order[0] != '\0') buf_printf(out, "%s.sort = %s\n", tui_view_names[i], l->order);
        for (int c = 0; c < 64; c++) {
            if ((l->hidden >> c & 1) != 0) buf_printf(out, "%s.hide = %d\n", tui_view_names[i], c);
        }
    }
}

bool state_folder(const char *path, Err *e) {
    Arena a = {0};
    bool ok = true;
    for (const char *slash = strchr(path + 1, '/'); ok && slash != NULL; slash = strchr(slash + 1, '/')) {
        const char *folder = arena_copy(&a, path, (size_t)(slash - path));
        ok = mkdir(folder, 0700) == 0 || errno == EEXIST ||
             err_set(e, ERR_FAILED, "make folder '%s': %s", folder, strerror(errno));
    }
    arena_free(&a);
    return ok;
}
