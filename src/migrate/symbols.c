// Declarations of a whole tree, once all files were read: which are seen from where, and how wide they are.
#include "src/migrate/symbols.h"

#include <stdlib.h>
#include <string.h>

enum { FOLLOW_MAX = 8, STEPS_MAX = 20000, INCLUDERS_MAX = 8 };

static int by_from(const void *key, const void *row) {
    uint32_t from = *(const uint32_t *)key, other = ((const Include *)row)->from;
    return (from > other) - (from < other);
}

static int by_to(const void *key, const void *row) {
    uint32_t to = *(const uint32_t *)key, other = ((const Include *)row)->to;
    return (to > other) - (to < other);
}

static bool mark(Symbols *s, uint32_t file) {
    uint8_t bit = (uint8_t)(1u << file % 8);
    if ((s->seen[file / 8] & bit) != 0) return false;
    s->seen[file / 8] |= bit;
    return true;
}

// All that one file includes, by way of others too.
static void look_from(Symbols *s, uint32_t file) {
    size_t n = 0;
    memset(s->seen, 0, s->n_files / 8 + 1);
    mark(s, file);
    s->todo[n++] = file;
    while (n > 0) {
        uint32_t at = s->todo[--n];
        size_t i = rows_from(&at, s->includes, s->n_includes, sizeof *s->includes, by_from);
        for (; i < s->n_includes && s->includes[i].from == at; i++) {
            if (mark(s, s->includes[i].to)) s->todo[n++] = s->includes[i].to;
        }
    }
    s->seen_from = file;
    s->any_seen = true;
}

static bool symbols_see(Symbols *s, uint32_t file, uint32_t other) {
    if (file == other) return true;
    if (file >= s->n_files || other >= s->n_files) return false;
    if (!s->any_seen || s->seen_from != file) look_from(s, file);
    return (s->seen[other / 8] >> other % 8 & 1) != 0;
}

bool symbols_see_with_others(Symbols *s, uint32_t file, uint32_t other) {
    if (symbols_see(s, file, other)) return true;
    size_t from = rows_from(&file, s->included_by, s->n_includes, sizeof *s->included_by, by_to);
    size_t n = 0;
    for (; from + n < s->n_includes && s->included_by[from + n].to == file && n < INCLUDERS_MAX; n++) {
        if (!symbols_see(s, s->included_by[from + n].from, other)) return false;
    }
    return n > 0;
}

static bool width_of(Symbols *s, uint32_t file, const Width *w, size_t depth, uint8_t *ret_bits, Symbol *ret);

// The rows of one name that `file` sees, or all when it sees none: one answer, or none.
static bool find(Symbols *s, uint32_t file, Str name, size_t depth, uint8_t *ret_bits, Symbol *ret) {
    size_t from = rows_from(&name, s->rows, s->n, sizeof *s->rows, order_name_str);
    bool seen = false;
    bool any = false;
    for (size_t i = from; i < s->n && str_is(name, s->rows[i].name); i++)
        seen = seen || symbols_see(s, file, s->rows[i].file);
    for (size_t i = from; i < s->n && str_is(name, s->rows[i].name); i++) {
        const Symbol *x = &s->rows[i];
        uint8_t bits = WIDTH_ANY;
        Symbol deeper = *x;
        if (++s->steps > STEPS_MAX) return false;
        if (seen && !symbols_see(s, file, x->file)) continue;
        if (!x->for_amd && !width_of(s, x->file, &x->width, depth + 1, &bits, &deeper)) return false;
        if (x->for_amd) {
            *ret_bits = WIDTH_ANY;
            *ret = *x;
            return true;
        }
        if (any && bits != *ret_bits) return false;
        *ret_bits = bits;
        *ret = *x;
        any = true;
    }
    return any;
}

static bool width_of(Symbols *s, uint32_t file, const Width *w, size_t depth, uint8_t *ret_bits,
                     Symbol *ret) {
    *ret_bits = w->bits;
    if (w->unknown || depth > FOLLOW_MAX) return false;
    for (size_t i = 0; i < w->n; i++) {
        uint8_t bits = 0;
        Symbol x = {0};
        if (!find(s, file, w->names[i], depth, &bits, &x)) return false;
        if (bits >= *ret_bits) *ret = x;
        *ret_bits = bits > *ret_bits ? bits : *ret_bits;
    }
    return *ret_bits > 0;
}

bool symbols_width(Symbols *s, uint32_t file, const Width *w, uint8_t *ret_bits, Symbol *ret_declared) {
    Symbol x = {0};
    s->steps = 0;
    if (!width_of(s, file, w, 0, ret_bits, &x)) return false;
    if (ret_declared != NULL) *ret_declared = x;
    return true;
}

bool macro_is_amd(const TreeMacros *m, Str name) {
    return m != NULL && row_find(&name, m->amd, m->n_amd, sizeof *m->amd, order_name_str) != NULL;
}
