// What a file declares, with scopes: variables, functions, types, macros and parameters of templates.
#include <string.h>

#include "src/migrate/cuda_types.h"

enum { SPECIFIERS_MAX = 12, TEMPLATE_MAX = 60, BLOCKS_MAX = 256, STEPS_MAX = 5000, STEPS_OF_FILE = 20000000 };

typedef struct TypeWord {
    const char *word;
    uint8_t bits;
} TypeWord;

static const TypeWord type_words[] = {
    {"bool", 8},
    {"char", 8},
    {"int8_t", 8},
    {"uint8_t", 8},
    {"short", 16},
    {"int16_t", 16},
    {"uint16_t", 16},
    {"int", 32},
    {"unsigned", 32},
    {"signed", 32},
    {"uint", 32},
    {"int32_t", 32},
    {"uint32_t", 32},
    {"u_int32_t", 32},
    {"long", 64},
    {"int64_t", 64},
    {"uint64_t", 64},
    {"u_int64_t", 64},
    {"size_t", 64},
    {"ssize_t", 64},
    {"ptrdiff_t", 64},
    {"uintptr_t", 64},
    {"intptr_t", 64},
    {"ulong", 64},
    {"ushort", 16},
    {"uchar", 8},
    {"uint_fast32_t", 64},
    {"uint_least32_t", 32},
    {"uint_least64_t", 64},
};

// Bits of a built-in type's word; 0: none.
static uint8_t type_word(Str t) {
    for (size_t i = 0; i < COUNT_OF(type_words); i++) {
        if (str_is(t, type_words[i].word)) return type_words[i].bits;
    }
    return 0;
}

bool is_qualifier(Str t) {
    static const char *const words[] = {
        "static",     "inline",       "constexpr",       "const",      "volatile",     "extern",
        "register",   "thread_local", "mutable",         "typename",   "__device__",   "__host__",
        "__shared__", "__constant__", "__forceinline__", "__inline__", "__restrict__", "struct",
        "class",      "enum",         "inline",          "__managed__"};
    return str_in(t, words, COUNT_OF(words));
}

// The token after "<...>" that opens at `i`; s->n when it does not close nearby.
size_t template_close(const Scan *s, size_t i) {
    size_t depth = 0;
    for (size_t k = i; k < s->n && k < i + TEMPLATE_MAX; k++) {
        if (token_char(s, k, ';') || token_char(s, k, '{')) break;
        if (token_char(s, k, '<')) depth++;
        if (token_char(s, k, '>') && --depth == 0) return k + 1;
    }
    return s->n;
}

// The type whose specifiers start at `i`. False: none does. `ret_auto`: it is what the initialiser is.
bool read_type(const Scan *s, size_t i, size_t end, Width *ret, bool *ret_auto, size_t *ret_after) {
    bool built_in = false;
    uint8_t bits = 0;
    size_t longs = 0;
    size_t k = i;
    *ret_auto = false;
    for (; k < end && k < i + SPECIFIERS_MAX && s->tokens[k].kind == C_WORD; k++) {
        Str t = token_text(s, k);
        uint8_t of_word = type_word(t);
        if (is_qualifier(t)) continue;
        if (of_word == 0 && (built_in || *ret_auto)) break;
        if (str_is(t, "auto")) {
            *ret_auto = true;
            *ret = width_unknown();
        } else if (of_word > 0) {
            built_in = true;
            longs += str_is(t, "long");
            bits = bits == 0 || str_is(t, "short") || str_is(t, "char") ? of_word : bits;
        } else {
            size_t last = k;
            while (last + 2 < end && s->tokens[last + 1].kind == C_SCOPE &&
                   s->tokens[last + 2].kind == C_WORD)
                last += 2;
            Str name = token_text(s, last);
            uint8_t of_name = type_word(name);
            *ret_after = token_char(s, last + 1, '<') ? template_close(s, last + 1) : last + 1;
            *ret = of_name > 0              ? width_bits(of_name)
                   : *ret_after != last + 1 ? width_unknown()
                                            : width_named(name);
            while (*ret_after < end && s->tokens[*ret_after].kind == C_WORD &&
                   is_qualifier(token_text(s, *ret_after)))
                ++*ret_after;
            return *ret_after <= end;
        }
    }
    if (!built_in && !*ret_auto) return false;
    if (built_in) *ret = width_bits(longs > 0 ? 64 : bits);
    *ret_after = k;
    return true;
}

// ---------------------------------------------------------------- what the file declares

static Local *rows_of(Locals *l) { return (Local *)(void *)l->rows.data; }
static size_t rows_count(const Locals *l) { return l->rows.length / sizeof(Local); }

static void local_add(const Scan *s, Locals *l, Local row) {
    uint32_t *bucket = &l->buckets[cuda_hash(token_text(s, row.name)) % LOCAL_BUCKETS];
    row.next = *bucket;
    *bucket = (uint32_t)rows_count(l) + 1;
    buf_add(&l->rows, (const char *)&row, sizeof row);
}

static bool is_no_type(Str t) {
    static const char *const words[] = {
        "return", "else",     "case",      "new",      "throw",     "goto",      "delete", "sizeof",
        "using",  "typedef",  "namespace", "operator", "if",        "while",     "for",    "do",
        "switch", "template", "public",    "private",  "protected", "co_return", "friend"};
    return str_in(t, words, COUNT_OF(words));
}

// A declaration whose specifiers start at `i`: `type name` and what may follow a declared name.
bool read_declaration(const Scan *s, size_t i, Local *ret) {
    Width type;
    bool is_auto = false;
    size_t k = 0;
    if (i >= s->n || s->tokens[i].kind != C_WORD || is_no_type(token_text(s, i))) return false;
    if (!read_type(s, i, s->n, &type, &is_auto, &k)) return false;
    while (token_char(s, k, '*') || token_char(s, k, '&') || token_is(s, k, "const") ||
           token_is(s, k, "__restrict__"))
        k++;
    if (k >= s->n || s->tokens[k].kind != C_WORD || k == i) return false;
    bool variable = token_char(s, k + 1, ';') || token_char(s, k + 1, '=') || token_char(s, k + 1, ',') ||
                    token_char(s, k + 1, ')') || token_char(s, k + 1, '[') || token_char(s, k + 1, '{') ||
                    token_char(s, k + 1, ':');
    bool function = token_char(s, k + 1, '(');
    if (!variable && !function) return false;
    bool value = token_char(s, k + 1, '=') || token_char(s, k + 1, '{');
    *ret = (Local){.name = (uint32_t)k,
                   .type = (uint32_t)i,
                   .value = value ? (uint32_t)k + 2 : 0,
                   .kind = function ? LOCAL_FUNCTION : LOCAL_VARIABLE};
    return true;
}

// `using X = T;`, `typedef T X;`, `template <typename X`, `#define X value`.
bool read_other(const Scan *s, size_t i, Local *ret) {
    Width type;
    bool is_auto = false;
    size_t k = 0;
    if (token_is(s, i, "using") && token_char(s, i + 2, '=')) {
        *ret = (Local){.name = (uint32_t)i + 1, .type = (uint32_t)i + 3, .kind = LOCAL_TYPE};
        return s->tokens[i + 1].kind == C_WORD;
    }
    if (token_is(s, i, "typedef") && read_type(s, i + 1, s->n, &type, &is_auto, &k)) {
        *ret = (Local){.name = (uint32_t)k, .type = (uint32_t)i + 1, .kind = LOCAL_TYPE};
        return k < s->n && s->tokens[k].kind == C_WORD && token_char(s, k + 1, ';');
    }
    if ((token_is(s, i, "typename") || token_is(s, i, "class")) && i + 1 < s->n &&
        s->tokens[i + 1].kind == C_WORD) {
        *ret = (Local){.name = (uint32_t)i + 1, .kind = LOCAL_TEMPLATE};
        return token_char(s, i + 2, ',') || token_char(s, i + 2, '>') || token_char(s, i + 2, '=');
    }
    if (i < s->n && s->tokens[i].kind == C_DIRECTIVE && str_is(token_text(s, i), "define") && i + 2 < s->n &&
        s->tokens[i + 1].kind == C_WORD && s->tokens[i + 2].kind != C_DIRECTIVE &&
        (s->tokens[i + 2].flags & C_IN_DIRECTIVE) != 0 &&
        s->tokens[i + 2].at > s->tokens[i + 1].at + s->tokens[i + 1].length) {
        *ret = (Local){.name = (uint32_t)i + 1, .value = (uint32_t)i + 2, .kind = LOCAL_MACRO};
        return true;
    }
    return false;
}

// Blocks that are open, and where the rows of each begin.
typedef struct Blocks {
    uint32_t first[BLOCKS_MAX];
    size_t n;
    uint32_t kept[BLOCKS_MAX];  // open blocks at each #if
    size_t n_kept;
    uint32_t waiting;  // first row of a parameter list whose body has not begun
    bool any_waiting;
} Blocks;

static void close_rows(Locals *l, size_t from, size_t at) {
    for (size_t i = from; i < rows_count(l); i++) {
        if (rows_of(l)[i].scope_end == 0 && rows_of(l)[i].kind != LOCAL_MACRO)
            rows_of(l)[i].scope_end = (uint32_t)at;
    }
}

static void take_block(const Scan *s, Locals *l, Blocks *b, size_t i) {
    if (token_char(s, i, '{')) {
        uint32_t first = b->any_waiting ? b->waiting : (uint32_t)rows_count(l);
        if (b->n < BLOCKS_MAX) b->first[b->n] = first;
        b->n++;
    } else if (token_char(s, i, '}') && b->n > 0) {
        b->n--;
        if (b->n < BLOCKS_MAX) close_rows(l, b->first[b->n], i);
    } else if (token_char(s, i, ';') && b->any_waiting) {
        close_rows(l, b->waiting, i);
    } else {
        return;
    }
    b->any_waiting = false;
}

static void take_condition(const Scan *s, Blocks *b, size_t i) {
    Str t = token_text(s, i);
    if (t.length >= 2 && memcmp(t.data, "if", 2) == 0) {
        if (b->n_kept < BLOCKS_MAX) b->kept[b->n_kept] = (uint32_t)b->n;
        b->n_kept++;
    } else if (str_is(t, "endif")) {
        b->n_kept -= b->n_kept > 0;
    } else if (t.length >= 4 && memcmp(t.data, "el", 2) == 0 && b->n_kept > 0 && b->n_kept <= BLOCKS_MAX) {
        b->n = b->kept[b->n_kept - 1];
    }
}

bool starts_declaration(const Scan *s, size_t i) {
    if (i == 0) return true;
    const CToken *before = &s->tokens[i - 1];
    if (before->kind != C_PUNCT)
        return before->kind == C_HEADER || (before->flags & ~s->tokens[i].flags & C_IN_DIRECTIVE) != 0;
    return strchr(";{}(,:>)", s->text.data[before->at]) != NULL;
}

// Built when the first question of a file is asked.
static Locals *locals_of(Scan *s) {
    Locals *l = s->locals;
    if (l->built) return l;
    Blocks b = {0};
    size_t parens = 0;
    memset(l->buckets, 0, sizeof l->buckets);
    l->built = true;
    for (size_t i = 0; i < s->n; i++) {
        const CToken *t = &s->tokens[i];
        Local row;
        if (t->kind == C_PUNCT && (t->flags & C_IN_DIRECTIVE) == 0) {
            parens += token_char(s, i, '(');
            parens -= token_char(s, i, ')') && parens > 0;
            if (token_char(s, i, '{') || token_char(s, i, '}')) parens = 0;
            take_block(s, l, &b, i);
        }
        if (t->kind == C_DIRECTIVE) take_condition(s, &b, i);
        if (t->kind != C_WORD && t->kind != C_DIRECTIVE) continue;
        bool other = read_other(s, i, &row);
        if (!other && (!starts_declaration(s, i) || !read_declaration(s, i, &row))) continue;
        if ((parens > 0 || row.kind == LOCAL_TEMPLATE) && !b.any_waiting) {
            b.any_waiting = true;
            b.waiting = (uint32_t)rows_count(l);
        }
        local_add(s, l, row);
    }
    for (size_t i = 0; i < rows_count(l); i++) {
        if (rows_of(l)[i].scope_end == 0) rows_of(l)[i].scope_end = (uint32_t)s->n;
    }
    return l;
}

bool spend(Scan *s) { return ++s->steps <= STEPS_MAX && ++s->steps_of_file <= STEPS_OF_FILE; }

// The declaration of a name that is seen at token `at`: the nearest one before it. Members and functions are seen
// from anywhere. NULL: none.
const Local *local_find(Scan *s, Str name, size_t at, Wanted wanted) {
    if (s->names_only) return NULL;
    Locals *l = locals_of(s);
    const Local *far = NULL;
    for (uint32_t k = l->buckets[cuda_hash(name) % LOCAL_BUCKETS]; k != 0 && spend(s);
         k = rows_of(l)[k - 1].next) {
        const Local *x = &rows_of(l)[k - 1];
        Str t = token_text(s, x->name);
        if (t.length != name.length || memcmp(t.data, name.data, t.length) != 0) continue;
        bool type = x->kind == LOCAL_TYPE;
        if (x->kind != LOCAL_TEMPLATE && x->kind != LOCAL_MACRO && type != (wanted == WANT_TYPE)) continue;
        if (x->kind == LOCAL_FUNCTION || wanted == WANT_MEMBER) far = x;
        if (x->name < at && x->scope_end >= at) return x;
    }
    return far;
}
