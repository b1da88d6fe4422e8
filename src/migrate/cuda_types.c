// How wide an integer expression is: literals, casts, operators, and names as the file itself declares them.
// A name that the file does not declare stays in the answer, for the tree (symbols.c).
#include <string.h>

#include "src/migrate/cuda_types.h"

enum { DEPTH_MAX = 12, SPECIFIERS_MAX = 12, LENGTH_MAX = 200 };

// Of two operands.
static Width width_both(Width a, Width b) {
    if (a.bits < b.bits) a.bits = b.bits;
    a.unknown = a.unknown || b.unknown;
    for (size_t i = 0; i < b.n; i++) {
        if (a.n == WIDTH_NAMES_MAX) return width_unknown();
        a.names[a.n++] = b.names[i];
    }
    return a;
}

// ---------------------------------------------------------------- expressions

typedef struct Reader {
    Scan *scan;
    size_t at, end, depth;
} Reader;

static Width expression(Scan *s, size_t from, size_t end, size_t depth);

static Width of_literal(Str t) {
    size_t longs = 0;
    bool hex = t.length > 2 && t.data[0] == '0' && (t.data[1] | 32) == 'x';
    bool binary = t.length > 2 && t.data[0] == '0' && (t.data[1] | 32) == 'b';
    size_t n = t.length;
    while (n > 1 && strchr("uUlL", t.data[n - 1]) != NULL) longs += (t.data[--n] | 32) == 'l';
    uint64_t value = 0;
    bool wide = longs > 0;
    for (size_t i = hex || binary ? 2 : 0; i < n; i++) {
        char c = char_lower(t.data[i]);
        if (c == '\'') continue;
        unsigned digit = c >= '0' && c <= '9'          ? (unsigned)(c - '0')
                         : hex && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                       : 99;
        if (digit == 99) return width_unknown();  // a fraction
        unsigned base = hex ? 16 : binary ? 2 : 10;
        wide = wide || value > (UINT32_MAX - digit) / base;
        value = wide ? 0 : value * base + digit;
    }
    bool unsigned_too = n < t.length;
    return width_bits(wide || (!hex && !binary && !unsigned_too && value > INT32_MAX) ? 64 : 32);
}

static Width of_local(Scan *s, const Local *x, size_t depth) {
    Width type = width_unknown();
    bool is_auto = false;
    size_t after = 0;
    if (depth > DEPTH_MAX || x->kind == LOCAL_TEMPLATE) return width_unknown();
    if ((s->tokens[x->name].flags & C_GUARDED) != 0) return width_bits(WIDTH_ANY);
    s->declared = s->tokens[x->name].line;
    if (x->kind == LOCAL_MACRO) {
        size_t end = x->value;
        while (end < s->n && (s->tokens[end].flags & C_IN_DIRECTIVE) != 0 &&
               s->tokens[end].kind != C_DIRECTIVE)
            end++;
        return expression(s, x->value, end, depth + 1);
    }
    if (!read_type(s, x->type, s->n, &type, &is_auto, &after)) return width_unknown();
    if (is_auto) {
        size_t end = x->value;
        if (x->value == 0) return width_unknown();
        while (end < s->n && end < x->value + LENGTH_MAX && !token_char(s, end, ';') &&
               !token_char(s, end, '}'))
            end++;
        return expression(s, x->value, end, depth + 1);
    }
    if (type.n == 0) return type;
    const Local *named = local_find(s, type.names[0], x->name, WANT_TYPE);
    return named == NULL ? type : of_local(s, named, depth + 1);
}

static Width of_name(Scan *s, size_t i, bool call, Wanted wanted, size_t depth) {
    static const char *const votes[] = {"__ballot_sync",    "__ballot",         "__activemask",
                                        "__match_any_sync", "__match_all_sync", "__lanemask_lt",
                                        "__lanemask_eq"};
    Str t = token_text(s, i);
    if (call && str_in(t, votes, COUNT_OF(votes))) return width_bits(WIDTH_ANY);
    if (str_is(t, "true") || str_is(t, "false") || str_is(t, "UINT32_MAX") || str_is(t, "UINT_MAX") ||
        str_is(t, "INT_MAX"))
        return width_bits(32);
    if (str_is(t, "UINT64_MAX") || str_is(t, "ULLONG_MAX") || str_is(t, "ULONG_MAX") || str_is(t, "SIZE_MAX"))
        return width_bits(64);
    if (str_is(t, "warpSize")) return width_bits(32);
    const Local *x = local_find(s, t, i, wanted);
    return x == NULL ? width_named(t) : of_local(s, x, depth + 1);
}

// A type in "(T)x", "T(x)", "static_cast<T>(x)": resolved in the file where it can be.
static Width of_type(Scan *s, size_t from, size_t end, size_t depth) {
    Width type = width_unknown();
    bool is_auto = false;
    size_t after = from;
    if (!read_type(s, from, end, &type, &is_auto, &after) || after != end) return width_unknown();
    const Local *named = type.n == 0 ? NULL : local_find(s, type.names[0], from, WANT_TYPE);
    return named == NULL ? type : of_local(s, named, depth + 1);
}

// `numeric_limits<T>::max()`, `static_cast<T>(x)`: r->at is on the word before '<'.
static bool of_angled(Reader *r, Width *ret) {
    Scan *s = r->scan;
    Str t = token_text(s, r->at);
    bool cast = str_is(t, "static_cast") || str_is(t, "reinterpret_cast") || str_is(t, "const_cast");
    if (!token_char(s, r->at + 1, '<') || (!cast && !str_is(t, "numeric_limits"))) return false;
    size_t close = template_close(s, r->at + 1);
    if (close >= r->end) return false;
    *ret = of_type(s, r->at + 2, close - 1, r->depth);
    while (close < r->end && !token_char(s, close, '(')) close++;
    close = close < r->end ? token_close(s, close) : r->end;
    r->at = close < r->end ? close + 1 : r->end;
    return true;
}

// Is what stands in the parentheses at `open` a type that casts what follows?
static bool is_cast(Reader *r, size_t open, size_t close, Width *ret) {
    Scan *s = r->scan;
    Width type = width_unknown();
    bool is_auto = false;
    size_t after = 0;
    if (close == open + 1 || !read_type(s, open + 1, close, &type, &is_auto, &after) || after != close)
        return false;
    if (type.n == 0) {
        *ret = type;
        return true;
    }
    // One name alone: a cast only when an operand follows.
    bool operand =
        close + 1 < r->end && (s->tokens[close + 1].kind == C_WORD || s->tokens[close + 1].kind == C_NUMBER ||
                               token_char(s, close + 1, '(') || token_char(s, close + 1, '~'));
    if (operand) *ret = of_type(s, open + 1, close, r->depth);
    return operand;
}

static Width operand(Reader *r);

// Steps over the parenthesis or brace at r->at.
static void skip_call(Reader *r) {
    size_t close = token_char(r->scan, r->at, '(') ? token_close(r->scan, r->at) : r->end;
    r->at = close < r->end ? close + 1 : r->end;
}

static Width of_parenthesis(Reader *r) {
    Width w = width_unknown();
    size_t open = r->at;
    size_t close = token_close(r->scan, open);
    if (close >= r->end) close = r->end - 1;
    r->at = close + 1;
    if (!is_cast(r, open, close, &w)) return expression(r->scan, open + 1, close, r->depth);
    operand(r);
    return w;
}

// A name, a call, or a type that makes a value.
static Width of_word(Reader *r) {
    Scan *s = r->scan;
    size_t i = r->at;
    size_t last = i;
    Width w = width_unknown();
    bool is_auto = false;
    while (last + 2 < r->end && s->tokens[last + 1].kind == C_SCOPE && s->tokens[last + 2].kind == C_WORD &&
           !str_is(token_text(s, last), "numeric_limits"))
        last += 2;
    r->at = last;
    if (of_angled(r, &w)) return w;
    bool size = str_is(token_text(s, i), "sizeof");
    bool built_in = !size && read_type(s, i, r->end, &w, &is_auto, &r->at) && w.n == 0 && !w.unknown;
    if (!built_in) r->at = last + 1;
    if (!built_in && token_char(s, r->at, '<')) {
        size_t after = template_close(s, r->at);
        if (after < r->end && token_char(s, after, '(')) r->at = after;
    }
    bool call = r->at < r->end && (token_char(s, r->at, '(') || token_char(s, r->at, '{'));
    if (size) {
        w = width_bits(64);
    } else if (!built_in && call && local_find(s, token_text(s, last), last, WANT_TYPE) != NULL) {
        w = of_type(s, i, last + 1, r->depth);
    } else if (!built_in) {
        w = of_name(s, last, call, WANT_VALUE, r->depth);
    }
    if (call) skip_call(r);
    return w;
}

static Width operand(Reader *r) {
    Scan *s = r->scan;
    while (r->at < r->end && s->tokens[r->at].kind == C_PUNCT &&
           strchr("~-+*&!", s->text.data[s->tokens[r->at].at]) != NULL)
        r->at++;
    if (r->at >= r->end || ++r->depth > DEPTH_MAX) {
        r->at = r->end;
        return width_unknown();
    }
    size_t i = r->at;
    Width w = width_unknown();
    if (s->tokens[i].kind == C_NUMBER) {
        r->at++;
        w = of_literal(token_text(s, i));
    } else if (token_char(s, i, '(')) {
        w = of_parenthesis(r);
    } else if (s->tokens[i].kind == C_WORD) {
        w = of_word(r);
    } else {
        r->at++;
    }
    r->depth--;
    return w;
}

// `.member`, `->member`, `[index]` behind an operand: of members the last one counts.
static Width behind(Reader *r, Width w) {
    Scan *s = r->scan;
    while (r->at < r->end) {
        bool arrow = token_char(s, r->at, '-') && token_char(s, r->at + 1, '>');
        if (token_char(s, r->at, '.') || arrow) {
            r->at += arrow ? 2 : 1;
            if (r->at >= r->end || s->tokens[r->at].kind != C_WORD) return width_unknown();
            bool call = token_char(s, r->at + 1, '(');
            // Tiles of cooperative groups vote in 64 bits.
            w = call ? str_is(token_text(s, r->at), "ballot") ? width_bits(WIDTH_ANY) : width_unknown()
                     : of_name(s, r->at, false, WANT_MEMBER, r->depth);
            r->at++;
            if (call) skip_call(r);
        } else if (token_char(s, r->at, '[')) {
            size_t depth = 0;
            for (; r->at < r->end; r->at++) {
                depth += token_char(s, r->at, '[');
                if (token_char(s, r->at, ']') && --depth == 0) break;
            }
            r->at += r->at < r->end;
        } else {
            break;
        }
    }
    return w;
}

static Width expression(Scan *s, size_t from, size_t end, size_t depth) {
    Reader r = {s, from, end, depth};
    if (from >= end || depth > DEPTH_MAX || !spend(s)) return width_unknown();
    Width w = behind(&r, operand(&r));
    size_t left = LENGTH_MAX;
    while (r.at < end && left-- > 0) {
        char c = s->tokens[r.at].kind == C_PUNCT ? s->text.data[s->tokens[r.at].at] : '\0';
        bool shift = (c == '<' || c == '>') && token_char(s, r.at + 1, c);
        bool logic = ((c == '<' || c == '>') && !shift) || c == '!' ||
                     (c == '=' && token_char(s, r.at + 1, '=')) ||
                     ((c == '&' || c == '|') && token_char(s, r.at + 1, c));
        if (c == '?') {
            size_t middle = r.at + 1;
            size_t nested = 0;
            for (; middle < end; middle++) {
                if (token_char(s, middle, '(')) nested++;
                if (token_char(s, middle, ')') && nested > 0) nested--;
                if (nested == 0 && token_char(s, middle, ':')) break;
            }
            return width_both(expression(s, r.at + 1, middle, depth + 1),
                              expression(s, middle + 1, end, depth + 1));
        }
        if (c == '\0' || strchr("+-*/%&|^<>=!", c) == NULL) return width_unknown();
        r.at += shift || logic ? 2 : 1;
        if (logic && (c == '<' || c == '>' || c == '!') && !token_char(s, r.at - 1, '=')) r.at--;
        Width right = behind(&r, operand(&r));
        if (logic) {
            w = width_bits(32);
        } else if (!shift) {
            w = width_both(w, right);
        }
    }
    if (left == SIZE_MAX) return width_unknown();
    return w;
}

Width width_of_expression(Scan *s, size_t from, size_t end) {
    s->declared = 0;
    s->steps = 0;
    return expression(s, from, end, 0);
}

Width width_of_variable(Scan *s, size_t i) {
    Str name = token_text(s, i);
    s->declared = 0;
    s->steps = 0;
    const Local *x = local_find(s, name, i + 1, WANT_VALUE);
    if (x == NULL) x = local_find(s, name, i + 1, WANT_MEMBER);
    return x == NULL ? width_named(name) : of_local(s, x, 0);
}

// ---------------------------------------------------------------- what headers declare

static Width of_exported(Scan *s, const Local *x) {
    Width w = width_unknown();
    bool is_auto = false;
    size_t after = 0;
    size_t end = x->value;
    if (x->kind != LOCAL_MACRO && !read_type(s, x->type, s->n, &w, &is_auto, &after)) return width_unknown();
    if (x->kind != LOCAL_MACRO && !is_auto) return w;
    while (end < s->n && end < x->value + SPECIFIERS_MAX && !token_char(s, end, ';') &&
           (x->kind != LOCAL_MACRO ||
            ((s->tokens[end].flags & C_IN_DIRECTIVE) != 0 && s->tokens[end].kind != C_DIRECTIVE)))
        end++;
    // Small plain numbers are no masks, and headers have very many of them.
    bool plain =
        end == x->value + 1 && s->tokens[x->value].kind == C_NUMBER && s->tokens[x->value].length < 4;
    return x->value == 0 || plain ? width_unknown() : expression(s, x->value, end, 0);
}

// A declaration around the word at `i`, for files that include this one.
void scan_symbol(Scan *s, size_t i) {
    static const uint8_t kinds[] = {[LOCAL_VARIABLE] = SYMBOL_VARIABLE,
                                    [LOCAL_FUNCTION] = SYMBOL_FUNCTION,
                                    [LOCAL_TYPE] = SYMBOL_TYPE,
                                    [LOCAL_MACRO] = SYMBOL_MACRO,
                                    [LOCAL_TEMPLATE] = SYMBOL_TYPE};
    Local x;
    if (s->sink->symbol == NULL || s->in_string) return;
    while (i > 0 && s->tokens[i - 1].kind == C_WORD && is_qualifier(token_text(s, i - 1))) {
        uint16_t before = s->tokens[--i].word;
        if (before != 0 && s->words->words[before - 1].action == ACT_DECLARES) return;  // taken there
    }
    bool other = read_other(s, i, &x);
    if (!other && (!starts_declaration(s, i) || !read_declaration(s, i, &x))) return;
    if (x.kind == LOCAL_TEMPLATE ||
        (i > 0 && !other && (token_char(s, i - 1, '(') || token_char(s, i - 1, ','))))
        return;
    bool guarded = (s->tokens[x.name].flags & C_GUARDED) != 0;
    s->names_only = true;
    s->steps = 0;
    Width w = guarded ? (Width){.bits = WIDTH_ANY} : of_exported(s, &x);
    s->names_only = false;
    // A type of one letter is a template's parameter.
    if (w.unknown || (w.n > 0 && w.names[0].length < 2)) return;
    CSymbol symbol = {token_text(s, x.name), w, s->tokens[x.name].line, kinds[x.kind], guarded};
    s->sink->symbol(s->sink->context, &symbol);
}
