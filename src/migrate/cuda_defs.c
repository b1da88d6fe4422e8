// What a text defines itself: names that look like CUDA's and are not.
#include <string.h>

#include "src/migrate/cuda_scan.h"

// Could a rule take this word for a name of CUDA?
bool may_be_named(const Scan *s, size_t i) {
    Str t = token_text(s, i);
    size_t start = t.length < 2 ? 0 : (size_t)((unsigned char)t.data[0] << 8 | (unsigned char)t.data[1]);
    return s->tokens[i].word != 0 || looks_cuda(t) ||
           ((unsigned)s->words->starts[start / 8] >> start % 8 & 1u) != 0;
}

void define(Scan *s, size_t i) {
    if (s->sink->defined == NULL || s->tokens[i].kind != C_WORD) return;
    // What the compiler defines is its own, also where an editor is told of it.
    Str t = token_text(s, i);
    if (may_be_named(s, i) && !pattern_fits("__CUDA*", t) && !str_is(t, "__NVCC__"))
        s->sink->defined(s->sink->context, t);
}

static bool is_one_of(const Scan *s, size_t i, const char *list) {
    if (i >= s->n || s->tokens[i].kind != C_WORD) return false;
    Str rest = str_of(list);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        if (word.length == s->tokens[i].length &&
            memcmp(word.data, s->text.data + s->tokens[i].at, word.length) == 0)
            return true;
    }
    return false;
}

// `void *p`, `int n`: do two words, or a word and a star, stand side by side in the parentheses?
static bool has_parameters(const Scan *s, size_t open, size_t close) {
    for (size_t k = open + 1; k + 1 < close; k++) {
        if (s->tokens[k].kind != C_WORD) continue;
        bool pointer =
            token_char(s, k + 1, '*') && (token_char(s, k + 2, '*') || token_char(s, k + 2, ')') ||
                                          token_char(s, k + 2, ',') || s->tokens[k + 2].kind == C_WORD);
        if (s->tokens[k + 1].kind == C_WORD ||
            (pointer && (token_char(s, k - 1, '(') || token_char(s, k - 1, ','))))
            return true;
    }
    return false;
}

// `type name(...) {` at `open`, the parenthesis after the name.
static void maybe_function(Scan *s, size_t i) {
    if (i == 0 || s->device || !may_be_named(s, i)) return;
    bool typed = s->tokens[i - 1].kind == C_WORD || token_char(s, i - 1, '*') || token_char(s, i - 1, '&') ||
                 token_char(s, i - 1, '>');
    if (!typed || is_one_of(s, i - 1, "return else case new throw goto delete operator do and or not"))
        return;
    size_t close = token_close(s, i + 1);
    if (close >= s->n) return;
    size_t k = close + 1;
    while (k < close + 4 &&
           (token_is(s, k, "const") || token_is(s, k, "noexcept") || token_is(s, k, "override")))
        k++;
    // A declaration of a name that is CUDA's too: those who see it mean the tree's own.
    bool typed_name = s->tokens[i - 1].kind == C_WORD && s->tokens[i].word != 0 &&
                      (s->tokens[i - 1].flags & C_IN_DIRECTIVE) == 0 && has_parameters(s, i + 1, close);
    if (token_char(s, k, '{') || (typed_name && token_char(s, k, ';'))) define(s, i);
}

// Does "word<...>" end at `i` as a type does: at the start of a statement, a member or a parameter?
static bool is_template_type(const Scan *s, size_t i) {
    size_t k = before_template(s, i);
    if (k == SIZE_MAX || s->tokens[k].kind != C_WORD) return false;
    for (size_t x = k + 1; x < i; x++) {
        const CToken *t = &s->tokens[x];
        if (t->kind == C_PUNCT && strchr("<>,*&()[]", s->text.data[t->at]) == NULL) return false;
        if (t->kind == C_PUNCT && token_char(s, x, '&') && token_char(s, x + 1, '&')) return false;
    }
    while (k >= 2 && s->tokens[k - 1].kind == C_SCOPE) k -= 2;
    return k == 0 || s->tokens[k - 1].kind == C_WORD || token_char(s, k - 1, ';') ||
           token_char(s, k - 1, '{') || token_char(s, k - 1, '}') || token_char(s, k - 1, '(') ||
           token_char(s, k - 1, ',') || token_char(s, k - 1, ':') ||
           (s->tokens[k - 1].flags & C_IN_DIRECTIVE) != 0;
}

// `type name =`, `type *name)`, `} name;`: a variable, a parameter, or a type of the text's own.
static void maybe_declared(Scan *s, size_t i) {
    if (i < 2 || (s->tokens[i].flags & C_IN_DIRECTIVE) != 0) return;
    bool ends = token_char(s, i + 1, ';') || token_char(s, i + 1, ',');
    if (token_char(s, i - 1, '}')) {
        if (ends) define(s, i);
        return;
    }
    ends = ends || token_char(s, i + 1, '=') || token_char(s, i + 1, ')') || token_char(s, i + 1, '[');
    if (token_char(s, i - 1, '>')) {
        if ((ends || token_char(s, i + 1, '{')) && is_template_type(s, i - 1)) define(s, i);
        return;
    }
    size_t type = token_char(s, i - 1, '*') || token_char(s, i - 1, '&') ? i - 2 : i - 1;
    Str t = token_text(s, type);
    bool typed =
        ends && s->tokens[type].kind == C_WORD &&
        !is_one_of(
            s, type,
            "return else case new throw goto delete sizeof typename struct class enum union namespace using "
            "operator const constexpr static inline extern volatile register mutable and or not co_return");
    // Behind a plain word, '*' and '&' may be arithmetic.
    if (typed && type == i - 2)
        typed = (t.length > 2 && memcmp(t.data + t.length - 2, "_t", 2) == 0) ||
                is_one_of(s, type, "void char int float double auto unsigned half");
    if (typed) define(s, i);
}

void definitions(Scan *s, size_t i) {
    if (token_char(s, i + 1, '(')) maybe_function(s, i);
    if (i == 0) return;
    if (s->tokens[i].word == 0) maybe_declared(s, i);
    bool type = token_is(s, i - 1, "struct") || token_is(s, i - 1, "class") || token_is(s, i - 1, "enum") ||
                token_is(s, i - 1, "union");
    if (type && (token_char(s, i + 1, '{') || token_char(s, i + 1, ':'))) define(s, i);
    if (token_is(s, i - 1, "using") && token_char(s, i + 1, '=')) define(s, i);
    enum { TYPEDEF_MAX = 12 };
    bool guarded = (s->tokens[i].flags & C_GUARDED) != 0;
    for (size_t k = i - 1;
         guarded && token_char(s, i + 1, ';') && k > 0 && k + TYPEDEF_MAX > i && !token_char(s, k, ';');
         k--) {
        if (token_is(s, k, "typedef")) define(s, i);
    }
    // `namespace a::b {`, `namespace b = other;`
    size_t k = i;
    while (k >= 2 && s->tokens[k - 1].kind == C_SCOPE && s->tokens[k - 2].kind == C_WORD) k -= 2;
    if (k > 0 && token_is(s, k - 1, "namespace") &&
        (token_char(s, i + 1, '{') || s->tokens[i + 1].kind == C_SCOPE))
        define(s, i);
}
