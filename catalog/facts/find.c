// Finds a row by the name that a user typed.
#include "catalog/facts/names.h"

#include <string.h>

enum {
    CANDIDATES_MAX = 12,  // listed when ambiguous
    GUESSES_MAX = 3       // "did you mean"
};

// The ids being searched.
typedef struct Ids {
    const char *first;
    size_t n, stride;
} Ids;

static const char *id_at(const Ids *ids, size_t i) {
    const char *id = NULL;
    memcpy(&id, ids->first + i * ids->stride, sizeof id);
    return id;
}

void name_fold(const char *text, char out[NAME_FOLDED_BYTES]) {
    size_t used = 0;
    out[0] = '\0';
    if (strlen(text) >= NAME_FOLDED_BYTES) return;
    for (; *text != '\0'; text++) {
        char c = *text;
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c == ' ' || c == '\t' || c == '_' || c == '.') c = '-';
        if (c == '-' && (used == 0 || out[used - 1] == '-')) continue;
        out[used++] = c;
    }
    while (used > 0 && out[used - 1] == '-') used--;
    out[used] = '\0';
}

bool name_parts_in(const char *name, const char *id) {
    Str have = str_of(id);
    Str want = str_of(name);
    Str part, wanted;
    while (str_next(&want, '-', &wanted)) {
        bool found = false;
        while (!found && str_next(&have, '-', &part)) {
            found = part.length == wanted.length && memcmp(part.data, wanted.data, part.length) == 0;
        }
        if (!found) return false;
    }
    return true;
}

const char *name_shown(Arena *a, const char *name) {
    enum { SHOWN_MAX = 60 };
    const char *clean = text_clean(a, name);
    return strlen(clean) <= SHOWN_MAX
               ? clean
               : arena_printf(a, "%s...", text_clean(a, arena_copy(a, clean, SHOWN_MAX)));
}

// Edits from `name` to the id or to its nearest beginning ("mi30x": "mi300x" of "mi300x-192gb").
static size_t distance(const char *name, const char *folded, size_t limit) {
    char start[NAME_FOLDED_BYTES];
    size_t best = limit + 1;
    for (size_t i = 0;; i++) {
        if (folded[i] != '-' && folded[i] != '\0') continue;
        memcpy(start, folded, i);
        start[i] = '\0';
        size_t d = edit_distance(name, start, limit);
        if (d < best) best = d;
        if (folded[i] == '\0') return best;
    }
}

// The nearest ids, best first; how many.
static size_t guess(const Ids *ids, const char *name, size_t guesses[GUESSES_MAX]) {
    size_t far[GUESSES_MAX];
    size_t n = 0;
    size_t limit = strlen(name) < 4 ? 1 : strlen(name) < 10 ? 2 : 3;
    for (size_t i = 0; i < ids->n; i++) {
        char folded[NAME_FOLDED_BYTES];
        name_fold(id_at(ids, i), folded);
        size_t d = distance(name, folded, limit);
        if (d > limit) continue;
        size_t at = n < GUESSES_MAX ? n : GUESSES_MAX;
        for (; at > 0 && far[at - 1] > d; at--) {
            if (at < GUESSES_MAX) {
                far[at] = far[at - 1];
                guesses[at] = guesses[at - 1];
            }
        }
        if (at == GUESSES_MAX) continue;
        far[at] = d;
        guesses[at] = i;
        if (n < GUESSES_MAX) n++;
    }
    return n;
}

const char *catalog_lister(const char *what) {
    static const char *const listers[][2] = {
        {"GPU", "`gpuadvise gpus` lists them"},
        {"model", "`gpuadvise models` lists them"},
        {"workload", "`gpuadvise workloads` lists them"},
        {"traffic", "`gpuadvise traffic` lists them"},
        {"provider", "`gpuadvise prices list --group-by provider` lists them"},
        {"rule", "`gpuadvise migrate explain` lists them"},
        {"subject", "`gpuadvise compat` lists them"},
        {"table or source", "`gpuadvise sources` lists them"},
        {"test", "`gpuadvise bench list` lists them"},
        {"setting", "`gpuadvise help --man` lists them: settings are named as the options"},
        {"CUDA name",
         "`gpuadvise migrate api LIBRARY --format csv` lists those of a library, such as cublas"},
    };
    const char *lister = paired(what, listers, COUNT_OF(listers));
    return lister != NULL ? lister : "";
}

static bool unknown(const char *what, const char *name, const char *folded, const Ids *ids, Arena *a,
                    Err *e) {
    size_t guesses[GUESSES_MAX];
    size_t n = folded[0] == '\0' ? 0 : guess(ids, folded, guesses);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < n; i++) {
        buf_printf(&b, "%s'%s'",
                   i == 0       ? ": did you mean "
                   : i + 1 == n ? " or "
                                : ", ",
                   id_at(ids, guesses[i]));
    }
    const char *lister = catalog_lister(what);
    err_set(e, ERR_USAGE, "unknown %s '%s'%s%s%s%s", what, name_shown(a, name), n > 0 ? b.data : "",
            n > 0 ? "?" : "",
            lister[0] == '\0' ? ""
            : n > 0           ? " "
                              : "; ",
            lister);
    buf_free(&b);
    return false;
}

static bool ambiguous(const char *name, const Ids *ids, const size_t *fits, size_t n, Arena *a, Err *e) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < n && i < CANDIDATES_MAX; i++)
        buf_printf(&b, "%s%s", i == 0 ? "" : ", ", id_at(ids, fits[i]));
    if (n > CANDIDATES_MAX) buf_printf(&b, ", ... (%zu in all)", n);
    err_set(e, ERR_USAGE, "'%s' is ambiguous: %s", name_shown(a, name), b.data);
    buf_free(&b);
    return false;
}

// Ids that `name` fits: those spelled so, else those that it shortens. Returns how many.
static size_t fitting(const Ids *ids, const char *name, size_t *fits) {
    size_t same = 0;
    size_t n = 0;
    if (name[0] == '\0') return 0;
    for (size_t i = 0; i < ids->n; i++) {
        char folded[NAME_FOLDED_BYTES];
        name_fold(id_at(ids, i), folded);
        if (strcmp(folded, name) == 0) {
            if (same == 0) n = 0;
            same++;
            fits[n++] = i;
        } else if (same == 0 && name_parts_in(name, folded)) {
            fits[n++] = i;
        }
    }
    return n;
}

bool catalog_find(const char *what, const char *name, const void *ids, size_t n, size_t stride,
                  size_t *ret_index, Err *e) {
    const Ids all = {ids, n, stride};
    for (size_t i = 0; i < n; i++) {
        if (strcmp(id_at(&all, i), name) != 0) continue;
        *ret_index = i;
        return true;
    }
    Arena a = {0};
    char folded[NAME_FOLDED_BYTES];
    name_fold(name, folded);
    size_t *fits = arena_alloc(&a, n + 1, sizeof *fits);
    size_t n_fits = fitting(&all, folded, fits);
    bool ok = n_fits == 1;
    if (ok) {
        *ret_index = fits[0];
    } else if (n_fits > 1) {
        ambiguous(name, &all, fits, n_fits, &a, e);
    } else if (name[0] == '\0') {
        err_set(e, ERR_USAGE, "the name of the %s is empty", what);
    } else {
        unknown(what, name, folded, &all, &a, e);
    }
    arena_free(&a);
    return ok;
}
