// Declarations of a whole tree, once all files were read: which are seen from where, and how wide they are.
#include "src/migrate/symbols.h"

#include <stdlib.h>
#include <string.h>

enum { FOLLOW_MAX = 8, STEPS_MAX = 20000, INCLUDERS_MAX = 8 };

static size_t first_edge(const Symbols *s, uint32_t from) {
    size_t low = 0;
    size_t high = s->n_includes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->includes[middle].from < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
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
        for (size_t i = first_edge(s, at); i < s->n_includes && s->includes[i].from == at; i++) {
            if (mark(s, s->includes[i].to)) s->todo[n++] = s->includes[i].to;
        }
    }
    s->seen_from = file;
    s->any_seen = true;
}

bool symbols_see(Symbols *s, uint32_t file, uint32_t other) {
    if (file == other) return true;
    if (file >= s->n_files || other >= s->n_files) return false;
    if (!s->any_seen || s->seen_from != file) look_from(s, file);
    return (s->seen[other / 8] >> other % 8 & 1) != 0;
}

bool symbols_see_with_others(Symbols *s, uint32_t file, uint32_t other) {
    if (symbols_see(s, file, other)) return true;
    size_t low = 0;
    size_t high = s->n_includes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->included_by[middle].to < file) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t n = 0;
    for (; low + n < s->n_includes && s->included_by[low + n].to == file && n < INCLUDERS_MAX; n++) {
        if (!symbols_see(s, s->included_by[low + n].from, other)) return false;
    }
    return n > 0;
}

static size_t first_symbol(const Symbols *s, Str name) {
    size_t low = 0;
    size_t high = s->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *x = s->rows[middle].name;
        int order = strncmp(x, name.data, name.length);
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool width_of(Symbols *s, uint32_t file, const Width *w, size_t depth, uint8_t *ret_bits, Symbol *ret);

// The rows of one name that `file` sees, or all when it sees none: one answer, or none.
static bool find(Symbols *s, uint32_t file, Str name, size_t depth, uint8_t *ret_bits, Symbol *ret) {
    size_t from = first_symbol(s, name);
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

bool symbols_find(Symbols *s, uint32_t file, const char *name, Symbol *ret) {
    uint8_t bits = 0;
    s->steps = 0;
    if (!find(s, file, str_of(name), 0, &bits, ret)) return false;
    ret->width = (Width){.bits = bits, .negative = ret->width.negative};
    return true;
}

bool macro_is_amd(const TreeMacros *m, Str name) {
    size_t low = 0;
    size_t high = m == NULL ? 0 : m->n_amd;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *x = m->amd[middle];
        int order = strncmp(x, name.data, name.length);
        if (order == 0 && x[name.length] == '\0') return true;
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}
