// Lanes: full masks of 32 bits, and constants of 32 that the whole tree uses where a variable will do.
#include <stdlib.h>
#include <string.h>

#include "src/migrate/fix_tokens.h"

// ---------------------------------------------------------------- full masks

static bool is_hex_ones(Str t) {
    if (t.length < 10 || t.data[0] != '0' || (t.data[1] | 32) != 'x') return false;
    for (size_t k = 2; k < 10; k++) {
        if ((t.data[k] | 32) != 'f') return false;
    }
    for (size_t k = 10; k < t.length; k++) {
        if ((t.data[k] | 32) != 'u' && (t.data[k] | 32) != 'l') return false;
    }
    return true;
}

// A number without an 'l' in it: of 32 bits.
static bool narrow_number(const Tokens *t, size_t i, const char *digits) {
    Str s = tokens_word(t, i);
    if (i >= t->n || t->list[i].kind != C_NUMBER) return false;
    if (s.length > 1 && (s.data[s.length - 1] | 32) == 'u') s.length--;
    return str_is(s, digits);
}

// 0xffffffff, -1, ~0, UINT32_MAX at `i`; the token behind it. 0: none of them.
static size_t plain_mask(const Tokens *t, size_t i) {
    static const char *const names[] = {"UINT32_MAX", "UINT_MAX"};
    if (i >= t->n) return 0;
    if (t->list[i].kind == C_NUMBER && is_hex_ones(tokens_word(t, i))) return i + 1;
    if (tokens_in(t, i, names, COUNT_OF(names))) return i + 1;
    if (tokens_punct(t, i, '-') && narrow_number(t, i + 1, "1")) return i + 2;
    if (tokens_punct(t, i, '~') && narrow_number(t, i + 1, "0")) return i + 2;
    return 0;
}

// unsigned, unsigned int, uint32_t at `i`; the token behind it. 0: another type.
static size_t narrow_type(const Tokens *t, size_t i) {
    if (tokens_is(t, i, "unsigned")) return tokens_is(t, i + 1, "int") ? i + 2 : i + 1;
    return tokens_is(t, i, "uint32_t") || tokens_is(t, i, "uint") ? i + 1 : 0;
}

static size_t full_mask(const Tokens *t, size_t i) {
    size_t end = plain_mask(t, i);
    if (end != 0) return end;
    size_t type = 0;
    if (tokens_punct(t, i, '(') && (type = narrow_type(t, i + 1)) != 0 &&
        tokens_punct(t, type, ')'))  // (unsigned)-1
        return plain_mask(t, type + 1);
    if (tokens_punct(t, i, '(') && (end = plain_mask(t, i + 1)) != 0 && tokens_punct(t, end, ')'))
        return end + 1;
    if (tokens_is(t, i, "static_cast") && tokens_punct(t, i + 1, '<') &&
        (type = narrow_type(t, i + 2)) != 0 && tokens_punct(t, type, '>'))
        i = type + 1;
    else if ((type = narrow_type(t, i)) != 0)
        i = type;  // uint32_t(-1)
    else
        return 0;
    if (!tokens_punct(t, i, '(')) return 0;
    end = plain_mask(t, i + 1);
    return end != 0 && tokens_punct(t, end, ')') ? end + 1 : 0;
}

// ---------------------------------------------------------------- constants of the tree

static int by_constant(const void *a, const void *b) {
    const FixConstant *x = a;
    const FixConstant *y = b;
    return strcmp(x->name, y->name);
}

// NULL: none.
static const FixConstant *fix_constant(const Fix *f, Str name) {
    enum { NAME_MAX_BYTES = 100 };
    char text[NAME_MAX_BYTES];
    if (name.length >= sizeof text || f->constants.length == 0) return NULL;
    memcpy(text, name.data, name.length);
    text[name.length] = '\0';
    FixConstant key = {.name = text};
    return bsearch(&key, f->constants.data, f->constants.length / sizeof key, sizeof key, by_constant);
}

// What the constant at `i` (behind '=' or the name of a macro) is, when it ends where `ends` says.
static bool constant_value(const Tokens *t, size_t i, bool macro, bool *ret_mask) {
    size_t end = full_mask(t, i);
    *ret_mask = end != 0;
    if (end == 0 && (narrow_number(t, i, "32") || narrow_number(t, i, "0x20"))) end = i + 1;
    if (end == 0) return false;
    return macro ? !tokens_on_directive(t, end) : tokens_punct(t, end, ';');
}

// `#define NAME value` or `const type NAME = value;` with the name at `i`.
static bool defines_constant(const Tokens *t, size_t i, bool *ret_mask) {
    if (i > 0 && tokens_directive(t, i - 1, "define")) return constant_value(t, i + 1, true, ret_mask);
    if (!tokens_punct(t, i + 1, '=') || tokens_punct(t, i + 2, '=') || tokens_on_directive(t, i))
        return false;
    bool fixed = false;
    for (size_t k = i; k > 0 && k + 8 > i && t->list[k - 1].kind == C_WORD; k--)
        fixed = fixed || tokens_is(t, k - 1, "const") || tokens_is(t, k - 1, "constexpr");
    return fixed && constant_value(t, i + 2, false, ret_mask);
}

static void learn_definitions(Fix *f, const Tokens *t) {
    bool mask = false;
    for (size_t i = 1; i < t->n; i++) {
        if (t->list[i].kind != C_WORD || tokens_guarded(t, i) || !defines_constant(t, i, &mask)) continue;
        Str s = tokens_word(t, i);
        FixConstant x = {.name = arena_copy(f->arena, s.data, s.length), .defined = 1, .mask = mask};
        buf_add(&f->constants, (const char *)&x, sizeof x);
    }
}

void fix_learned(Fix *f) {
    FixConstant *rows = (FixConstant *)(void *)f->constants.data;
    size_t n = f->constants.length / sizeof *rows;
    size_t kept = 0;
    if (n > 0) qsort(rows, n, sizeof *rows, by_constant);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && strcmp(rows[kept - 1].name, rows[i].name) == 0) {
            if (rows[kept - 1].mask != rows[i].mask) rows[kept - 1].otherwise++;
            rows[kept - 1].defined++;
        } else {
            rows[kept++] = rows[i];
        }
    }
    f->constants.length = kept * sizeof *rows;
    f->learned = true;
}

// `type name` before , ) = ; { [: something else of that name.
static bool declares(const Tokens *t, size_t i) {
    static const char *const no_types[] = {"return", "else", "case",   "new",
                                           "throw",  "goto", "delete", "sizeof"};
    if (i == 0) return false;
    if (tokens_directive(t, i - 1, "define") || tokens_directive(t, i - 1, "undef")) return true;
    size_t type = tokens_punct(t, i - 1, '*') || tokens_punct(t, i - 1, '&') ? i - 2 : i - 1;
    if (type >= t->n || t->list[type].kind != C_WORD || tokens_in(t, type, no_types, COUNT_OF(no_types)))
        return false;
    if (tokens_on_directive(t, i) || (type != i - 1 && (i < 2 || t->list[type].word == 0))) return false;
    return tokens_punct(t, i + 1, ',') || tokens_punct(t, i + 1, ')') || tokens_punct(t, i + 1, '=') ||
           tokens_punct(t, i + 1, ';') || tokens_punct(t, i + 1, '{') || tokens_punct(t, i + 1, '[');
}

// Is the bracket at `i` behind a name that is declared there: `float x[`, `x[2][`? Else it is a subscript.
static bool is_declarator(const Tokens *t, size_t i) {
    if (i < 2 || t->list[i - 1].kind != C_WORD) return true;
    return t->list[i - 2].kind == C_WORD || tokens_punct(t, i - 2, '*') || tokens_punct(t, i - 2, '&') ||
           tokens_punct(t, i - 2, '>') || tokens_punct(t, i - 2, ',');
}

// May the number of lanes at `i` be known only while the kernel runs? Not where a constant is asked for.
static bool wants_constant(const Tokens *t, size_t i) {
    static const char *const fixed[] = {
        "constexpr",  "case",     "enum",    "static_assert", "__launch_bounds__",
        "__shared__", "template", "typedef", "using"};
    if (tokens_on_directive(t, i)) return true;
    if ((i > 0 && tokens_punct(t, i - 1, '<') &&
         (tokens_punct(t, i + 1, '>') || tokens_punct(t, i + 1, ','))) ||
        tokens_punct(t, i + 1, '>'))
        return true;
    size_t open = 0;
    for (size_t k = i; k > 0; k--) {
        if (tokens_punct(t, k - 1, ';') || tokens_punct(t, k - 1, '{') || tokens_punct(t, k - 1, '}'))
            return false;
        if (tokens_punct(t, k - 1, ']')) open++;
        if (tokens_punct(t, k - 1, '[') && open-- == 0) {
            if (is_declarator(t, k - 1)) return true;
            open = 0;
        }
        if (tokens_in(t, k - 1, fixed, COUNT_OF(fixed))) return true;
    }
    return true;
}

// Does the file hold anything else that rests on 32 lanes?
static bool rests_on_32(const Fix *f, const FixFile *file) {
    for (size_t i = 0; i < file->n_findings; i++) {
        const PortRule *r = &f->facts->rules[file->findings[i].rule];
        if (r->lanes64 != 0 && strcmp(r->rule, "warp-size-define") != 0) return true;
        if (strcmp(r->rule, "warpsize-constexpr") == 0) return true;
    }
    return false;
}

typedef struct Device {
    size_t depth, at;
    bool head, inside;
} Device;

static void follow(Device *d, const Fix *f, const Tokens *t, size_t i) {
    const CToken *x = &t->list[i];
    if ((x->flags & C_IN_DIRECTIVE) != 0) return;
    if (x->word != 0 && (f->words->words[x->word - 1].flags & WORD_DEVICE) != 0) d->head = true;
    if (tokens_punct(t, i, '{')) {
        d->depth++;
        if (d->head && !d->inside) {
            d->inside = true;
            d->at = d->depth;
        }
        d->head = false;
    } else if (tokens_punct(t, i, '}')) {
        if (d->inside && d->depth == d->at) d->inside = false;
        if (d->depth > 0) d->depth--;
    } else if (tokens_punct(t, i, ';')) {
        d->head = false;
    }
}

static void learn_uses(Fix *f, const FixFile *file, const Tokens *t) {
    bool rests = rests_on_32(f, file);
    bool mask = false;
    Device d = {0};
    for (size_t i = 0; i < t->n; i++) {
        follow(&d, f, t, i);
        if (t->list[i].kind != C_WORD) continue;
        FixConstant *c = (FixConstant *)(uintptr_t)fix_constant(f, tokens_word(t, i));
        if (c == NULL) continue;
        if (defines_constant(t, i, &mask)) {
            c->otherwise += tokens_guarded(t, i);
        } else if (declares(t, i)) {
            c->otherwise++;
        } else if (!c->mask && (!d.inside || rests || wants_constant(t, i))) {
            c->unsafe++;
        }
    }
}

void fix_learn(Fix *f, const FixFile *file) {
    Tokens t = tokens_of(f, file->text);
    if (f->learned) {
        learn_uses(f, file, &t);
    } else {
        learn_definitions(f, &t);
    }
}

// ---------------------------------------------------------------- masks

static const char *const masked_calls[] = {
    "__shfl_sync",       "__shfl_up_sync",    "__shfl_down_sync",  "__shfl_xor_sync",  "__ballot_sync",
    "__any_sync",        "__all_sync",        "__match_any_sync",  "__match_all_sync", "__reduce_add_sync",
    "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync"};

// What the scan says of the mask and of a stated width: with all lanes both are right at any number of them.
static void settle_call(FixWork *w, const Tokens *t, size_t i, size_t end) {
    for (size_t k = i; k < end; k++) {
        fix_settle(w, "warp-mask-literal32", t->list[k].line);
        fix_settle(w, "warp-width-subtile", t->list[k].line);
    }
}

void fix_masks(FixWork *w, const Tokens *t) {
    for (size_t i = 0; i + 3 < t->n; i++) {
        if (tokens_guarded(t, i) || !tokens_in(t, i, masked_calls, COUNT_OF(masked_calls)) ||
            !tokens_punct(t, i + 1, '('))
            continue;
        size_t end = full_mask(t, i + 2);
        if (tokens_is(t, i + 2, "GPU_ALL_LANES")) settle_call(w, t, i, i + 3);  // of an earlier run
        const FixConstant *c = end == 0 ? fix_constant(w->fix, tokens_word(t, i + 2)) : NULL;
        if (c != NULL && c->mask && c->otherwise == 0) end = i + 3;
        if (end == 0 || !(tokens_punct(t, end, ',') || tokens_punct(t, end, ')'))) continue;
        size_t from = t->list[i + 2].at;
        fix_edit(w, FIX_MASK, from, tokens_end(t, end - 1) - from, "GPU_ALL_LANES");
        settle_call(w, t, i, end);
        w->compat = true;
        w->fix->lanes = true;
    }
}

// ---------------------------------------------------------------- votes kept in a variable

static size_t close_of(const Tokens *t, size_t open) {
    size_t depth = 0;
    for (size_t k = open; k < t->n; k++) {
        depth += tokens_punct(t, k, '(');
        if (tokens_punct(t, k, ')') && --depth == 0) return k;
    }
    return t->n;
}

// Is the use of a vote at `k` one that means the same at any number of lanes: the mask of a call, counted, the
// first of them, or held against none at all? `ret_count`: the function whose wide form is wanted.
static bool is_wide_use(const Tokens *t, size_t k, size_t *ret_count) {
    static const char *const counts[] = {"__popc", "__ffs"};
    static const char *const asks[] = {"if", "while"};
    bool alone = tokens_punct(t, k - 1, '(') && tokens_punct(t, k + 1, ')');
    *ret_count = 0;
    if (tokens_punct(t, k - 1, '(') && tokens_in(t, k - 2, masked_calls, COUNT_OF(masked_calls)))
        return alone || tokens_punct(t, k + 1, ',');
    if (alone && tokens_in(t, k - 2, counts, COUNT_OF(counts))) {
        *ret_count = k - 2;
        return true;
    }
    if (alone && tokens_in(t, k - 2, asks, COUNT_OF(asks))) return true;
    bool compared =
        (tokens_punct(t, k + 1, '=') || tokens_punct(t, k + 1, '!')) && tokens_punct(t, k + 2, '=');
    bool first = tokens_punct(t, k - 1, '(') || tokens_punct(t, k - 1, '&') || tokens_punct(t, k - 1, '|');
    return compared && first && narrow_number(t, k + 3, "0") && !tokens_punct(t, k + 4, '.');
}

// `unsigned m = __ballot_sync(...);` with the name at `i`: every use until its block ends is of that kind. Then
// the type and the counts are of the target's width.
static void fix_vote(FixWork *w, const Tokens *t, size_t type, size_t i) {
    size_t close = close_of(t, i + 3);
    size_t depth = 0;
    size_t count = 0;
    size_t end = close;
    if (!tokens_punct(t, close + 1, ';')) return;
    for (; end < t->n; end++) {
        depth += tokens_punct(t, end, '{');
        if (tokens_punct(t, end, '}') && depth-- == 0) break;
        bool used =
            t->list[end].kind == C_WORD && t->list[end].length == t->list[i].length &&
            memcmp(t->text.data + t->list[end].at, t->text.data + t->list[i].at, t->list[i].length) == 0;
        if (used && !is_wide_use(t, end, &count)) return;
    }
    for (size_t k = close; k < end; k++) {
        bool used =
            t->list[k].kind == C_WORD && t->list[k].length == t->list[i].length &&
            memcmp(t->text.data + t->list[k].at, t->text.data + t->list[i].at, t->list[i].length) == 0;
        if (!used || !is_wide_use(t, k, &count)) continue;
        fix_settle(w, "warp-mask", t->list[k].line);
        if (count == 0) continue;
        fix_edit(w, FIX_MASK, t->list[count].at, t->list[count].length,
                 tokens_is(t, count, "__popc") ? "GPU_POPC" : "GPU_FFS");
        fix_settle(w, "ballot-popc32", t->list[count].line);
    }
    fix_edit(w, FIX_MASK, t->list[type].at, tokens_end(t, i - 1) - t->list[type].at, "gpu_lane_mask_t");
    fix_settle(w, "warp-mask-var32", t->list[i].line);
    w->compat = true;
    w->fix->lanes = true;
}

void fix_votes(FixWork *w, const Tokens *t) {
    static const char *const votes[] = {"__ballot_sync", "__activemask", "__match_any_sync"};
    for (size_t i = 1; i + 4 < t->n; i++) {
        size_t name = narrow_type(t, i);
        bool starts = tokens_punct(t, i - 1, ';') || tokens_punct(t, i - 1, '{') ||
                      tokens_punct(t, i - 1, '}') || tokens_is(t, i - 1, "const");
        if (name == 0 || !starts || tokens_guarded(t, i) || tokens_on_directive(t, i)) continue;
        if (name + 3 < t->n && t->list[name].kind == C_WORD && tokens_punct(t, name + 1, '=') &&
            tokens_in(t, name + 2, votes, COUNT_OF(votes)) && tokens_punct(t, name + 3, '('))
            fix_vote(w, t, i, name);
    }
}

// ---------------------------------------------------------------- constants of 32 lanes

void fix_warp_sizes(FixWork *w, const Tokens *t) {
    for (size_t i = 1; i + 1 < t->n; i++) {
        if (!tokens_directive(t, i - 1, "define") || t->list[i].kind != C_WORD || tokens_guarded(t, i))
            continue;
        Str name = tokens_word(t, i);
        const FixConstant *c = fix_constant(w->fix, name);
        bool warp = str_has(name, "WARP") || str_has(name, "Warp") || str_has(name, "warp");
        if (c == NULL || c->mask || !warp || c->defined != 1 || c->otherwise > 0 || c->unsafe > 0) continue;
        fix_edit(w, FIX_WARP_SIZE, t->list[i + 1].at, t->list[i + 1].length, "GPU_WARP_SIZE");
        fix_settle(w, "warp-size-define", t->list[i].line);
        w->compat = true;
        w->fix->lanes = true;
    }
}
