// Panels of Bench that judge several runs together: two of them side by side, and the records of a fleet's nodes.
#include <stdio.h>
#include <string.h>

#include "tui/view_parts.h"

// The list of an answer with one table; what the command warned of stands under it.
static void open_list(ViewState *v) {
    Arena *a = &v->arena;
    if (v->answer.n_listings == 0) return;
    Listing *l = &v->answer.listings[0];
    const char *note = l->note != NULL ? l->note : "";
    for (size_t i = 0; i < v->answer.n_warnings; i++)
        note = arena_printf(a, "%s%s! %s.", note, note[0] != '\0' ? " " : "", v->answer.warnings[i]);
    l->note = note;
    list_open(&v->list, l, a);
}

// ---------------------------------------------------------------- two runs

bool compare_load(Tui *t, ViewState *v, Err *e) {
    const char *const words[] = {"bench", "compare", t->bench.pair[0], t->bench.pair[1]};
    if (t->bench.pair[0][0] == '\0') {
        v->answer = (TuiAnswer){
            .text = arena_printf(
                &v->arena,
                "No runs are chosen. In the panel runs, %s marks a run and %s compares two that are marked.",
                keys_first(&t->keys, ACT_MARK, &v->arena), keys_first(&t->keys, ACT_COMPARE, &v->arena))};
        v->list.of = NULL;
        return true;
    }
    if (!view_ask(t, v, words, COUNT_OF(words), e)) return false;
    open_list(v);
    return true;
}

bool compare_marked(Tui *t, const ViewState *v) {
    const List *list = &v->list;
    size_t n = 0;
    if (list->of == NULL || list->n_marked != 2) {
        Arena a = {0};
        tui_say(t, false, "`bench compare` takes two runs: mark two first (%s); marked: %zu",
                keys_first(&t->keys, ACT_MARK, &a), list->n_marked);
        arena_free(&a);
        return false;
    }
    // The older one is A: numbers of runs grow.
    double low = 0, high = 0;
    for (size_t r = 0; r < list->of->n_rows; r++) {
        double id = list->of->cells[r * list->of->n_columns].number;
        if (!list->marked[r]) continue;
        low = n == 0 || id < low ? id : low;
        high = n == 0 || id > high ? id : high;
        n++;
    }
    snprintf(t->bench.pair[0], sizeof t->bench.pair[0], "%.0f", low);
    snprintf(t->bench.pair[1], sizeof t->bench.pair[1], "%.0f", high);
    return true;
}

// ---------------------------------------------------------------- a fleet

bool fleet_load(Tui *t, ViewState *v, Err *e) {
    const char *const words[] = {"bench", "fleet", t->bench.folder};
    if (t->bench.folder[0] == '\0') {
        v->answer =
            (TuiAnswer){.text = arena_printf(&v->arena,
                                             "No folder of records is named yet: %s asks for one. `gpuadvise "
                                             "bench --record DIR` on each node leaves its record in DIR.",
                                             keys_first(&t->keys, ACT_EDIT, &v->arena))};
        v->list.of = NULL;
        return true;
    }
    if (!view_ask(t, v, words, COUNT_OF(words), e)) return false;
    open_list(v);
    return true;
}

void fleet_folder(Tui *t, const char *path) {
    ViewState *v = &t->views[VIEW_BENCH];
    if (path[0] == '\0' || strlen(path) >= sizeof t->bench.folder) {
        tui_say(t, true, path[0] == '\0' ? "fleet: which folder?" : "the name is too long");
        return;
    }
    snprintf(t->bench.folder, sizeof t->bench.folder, "%s", path);
    view_forget(v);
    v->error = (Err){0};
}
