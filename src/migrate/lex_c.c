// Lexer of C, C++ and CUDA: comments gone, splices joined, strings whole, preprocessor guards followed.
#include <string.h>

#include "src/migrate/cuda.h"
#include "src/migrate/lex_condition.h"

enum { GUARDS_MAX = 256, DELIMITER_MAX = 16 };

typedef struct Guard {
    bool skip;   // this branch
    bool amd;    // some condition of the chain is about AMD
    bool taken;  // a branch that is always taken came before
} Guard;

typedef struct Lexer {
    const CWords *words;
    const char *text;
    size_t n, at;
    uint32_t line;
    bool escaped;     // a string's inside: a backslash takes the next character with it
    bool line_start;  // only blanks since the line began
    bool directive;
    uint8_t guarded;  // C_GUARDED or 0
    uint32_t guarded_from;
    bool guarded_amd;  // by a condition about AMD
    Guard guards[GUARDS_MAX];
    size_t n_guards, deep;  // deep: levels beyond GUARDS_MAX
    Buf *out;
    size_t n_tokens;
    CLexed *result;
} Lexer;

static bool is_letter(char c) {
    return char_is_letter(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static char peek(const Lexer *l, size_t ahead) {
    return l->at + ahead < l->n ? l->text[l->at + ahead] : '\0';
}

// Bytes of a splice (backslash, newline) at `at`, 0 when there is none.
static size_t splice_at(const Lexer *l, size_t at) {
    if (l->escaped || at >= l->n || l->text[at] != '\\') return 0;
    if (at + 1 < l->n && l->text[at + 1] == '\n') return 2;
    return at + 2 < l->n && l->text[at + 1] == '\r' && l->text[at + 2] == '\n' ? 3 : 0;
}

static CToken *add(Lexer *l, CTokenKind kind, size_t from, size_t to, uint32_t line) {
    CToken t = {.at = (uint32_t)from, .length = (uint32_t)(to - from), .line = line, .kind = (uint8_t)kind};
    t.flags = (uint8_t)(l->guarded | (l->directive ? C_IN_DIRECTIVE : 0));
    buf_add(l->out, (const char *)&t, sizeof t);
    l->n_tokens++;
    return (CToken *)(void *)(l->out->data + l->out->length - sizeof t);
}

// ---------------------------------------------------------------- blanks and comments

static void skip_line_comment(Lexer *l) {
    while (l->at < l->n) {
        const char *newline = memchr(l->text + l->at, '\n', l->n - l->at);
        if (newline == NULL) {
            l->at = l->n;
            return;
        }
        l->at = (size_t)(newline - l->text);
        size_t back = l->at > 0 && l->text[l->at - 1] == '\r' ? 2 : 1;
        if (l->at < back || l->text[l->at - back] != '\\') return;
        l->line++;
        l->at++;
    }
}

static void skip_block_comment(Lexer *l) {
    l->at += 2;
    while (l->at < l->n) {
        char c = l->text[l->at];
        if (c == '*' && peek(l, 1) == '/') {
            l->at += 2;
            return;
        }
        l->line += c == '\n';
        l->at++;
    }
    l->result->open_comment = true;
}

// ---------------------------------------------------------------- literals

// l->at stands on the quote. A string left open ends with its line.
static void take_quoted(Lexer *l, CTokenKind kind) {
    char quote = l->text[l->at++];
    size_t from = l->at;
    uint32_t line = l->line;
    while (l->at < l->n && l->text[l->at] != quote) {
        char c = l->text[l->at];
        if (c == '\n') break;
        if (c == '\\' && l->at + 1 < l->n) {
            size_t splice = splice_at(l, l->at);
            if (splice > 0) l->line++;
            l->at += splice > 0 ? splice : l->text[l->at + 1] == '\n' ? 1 : 2;
        } else {
            l->at++;
        }
    }
    if (l->at > l->n) l->at = l->n;
    add(l, kind, from, l->at, line);
    if (l->at < l->n && l->text[l->at] == quote) {
        l->at++;
    } else {
        l->result->open_comment = true;
    }
}

// l->at stands on the quote after R. False: no raw string after all.
static bool take_raw(Lexer *l) {
    size_t open = l->at + 1;
    size_t n = 0;
    while (open + n < l->n && n <= DELIMITER_MAX && strchr("( )\\\n\t\"", l->text[open + n]) == NULL) n++;
    if (open + n >= l->n || l->text[open + n] != '(') return false;
    size_t from = open + n + 1;
    size_t at = from;
    uint32_t line = l->line;
    for (;;) {
        const char *close = at < l->n ? memchr(l->text + at, ')', l->n - at) : NULL;
        if (close == NULL) {
            at = l->n;
            break;
        }
        at = (size_t)(close - l->text);
        if (at + 1 + n < l->n && memcmp(l->text + at + 1, l->text + open, n) == 0 &&
            l->text[at + 1 + n] == '"')
            break;
        at++;
    }
    add(l, C_STRING, from, at, line)->flags |= C_RAW;
    for (size_t i = from; i < at; i++) l->line += l->text[i] == '\n';
    l->result->open_comment = l->result->open_comment || at == l->n;
    l->at = at < l->n ? at + n + 2 : l->n;
    return true;
}

static void take_number(Lexer *l) {
    size_t from = l->at;
    while (l->at < l->n) {
        char c = l->text[l->at];
        bool sign = (c == '+' || c == '-') && strchr("eEpP", l->text[l->at - 1]) != NULL && l->at > from &&
                    peek(l, 1) != '\0' && char_is_digit(peek(l, 1));
        bool mark = c == '\'' && char_is_digit(l->text[l->at - 1]) &&
                    (char_is_digit(peek(l, 1)) || is_letter(peek(l, 1)));
        if (!char_is_digit(c) && !is_letter(c) && c != '.' && !sign && !mark) break;
        l->at++;
    }
    add(l, C_NUMBER, from, l->at, l->line);
}

static bool is_string_prefix(Str s) {
    static const char *const prefixes[] = {"R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"};
    return str_in(s, prefixes, COUNT_OF(prefixes));
}

static void take_word(Lexer *l) {
    size_t from = l->at;
    uint32_t hash = 2166136261u;
    uint32_t line = l->line;
    while (l->at < l->n) {
        char c = l->text[l->at];
        if (is_letter(c) || char_is_digit(c)) {
            hash = (hash ^ (unsigned char)c) * 16777619u;
            l->at++;
            continue;
        }
        size_t splice = c == '\\' ? splice_at(l, l->at) : 0;
        if (splice == 0 || l->at + splice >= l->n ||
            !(is_letter(l->text[l->at + splice]) || char_is_digit(l->text[l->at + splice])))
            break;
        l->line++;
        l->at += splice;
    }
    Str word = {l->text + from, l->at - from};
    if (l->at < l->n && (l->text[l->at] == '"' || l->text[l->at] == '\'') && word.length <= 3 &&
        is_string_prefix(word)) {
        bool raw = word.data[word.length - 1] == 'R' && l->text[l->at] == '"';
        if (!raw || !take_raw(l)) take_quoted(l, l->text[l->at] == '"' ? C_STRING : C_CHAR);
        return;
    }
    uint32_t k = cuda_word(l->words, word, hash);
    CToken *t = add(l, C_WORD, from, l->at, line);
    t->word = (uint16_t)k;
    if (k != 0 && (l->words->words[k - 1].flags & WORD_MARK) != 0 && !l->guarded) l->result->mark = true;
}

// ---------------------------------------------------------------- guards

static void guard_over(Lexer *l) {
    l->result->guarded_lines += l->line - l->guarded_from;
    if (l->guarded_amd) l->result->amd_lines += l->line - l->guarded_from;
}

static void set_guarded(Lexer *l) {
    bool skip = l->n_guards > 0 && l->guards[l->n_guards - 1].skip;
    if (skip && !l->guarded) {
        l->guarded_from = l->line;
        l->guarded_amd = false;
        for (size_t i = 0; i < l->n_guards; i++) l->guarded_amd = l->guarded_amd || l->guards[i].amd;
    }
    if (!skip && l->guarded) guard_over(l);
    l->guarded = skip ? C_GUARDED : 0;
}

static void branch(Lexer *l, Guard *g, Truth t) {
    bool outer = l->n_guards > 1 && l->guards[l->n_guards - 2].skip;
    bool amd = t == AMD_ONLY || t == NOT_AMD;
    l->result->amd_guards += amd;
    if (amd && l->result->amd_guard_at == 0) l->result->amd_guard_at = l->line;
    g->amd = g->amd || amd;
    g->skip = outer || g->amd || g->taken || t == NEVER;
    g->taken = g->taken || t == ALWAYS;
}

// Whoever wrote a condition about AMD has decided what its other words mean there.
static void condition_about_amd(Lexer *l, size_t first) {
    CToken *tokens = (CToken *)(void *)l->out->data;
    bool amd = false;
    for (size_t i = first; i < l->n_tokens; i++)
        amd = amd || (tokens[i].kind == C_WORD &&
                      is_amd_macro(l->words, (Str){l->text + tokens[i].at, tokens[i].length}));
    for (size_t i = first; i < l->n_tokens && amd; i++) tokens[i].flags |= C_GUARDED;
}

// `#ifndef X` before `#define X`: a guard against reading twice, or a default. It says nothing about AMD.
static bool defined_next(const Lexer *l, const CToken *name) {
    static const char define[] = "define";
    size_t at = l->at;
    while (at < l->n && strchr(" \t\r\n", l->text[at]) != NULL && l->text[at] != '\0') at++;
    if (at >= l->n || l->text[at++] != '#') return false;
    while (at < l->n && (l->text[at] == ' ' || l->text[at] == '\t')) at++;
    if (at + sizeof define > l->n || memcmp(l->text + at, define, sizeof define - 1) != 0) return false;
    at += sizeof define - 1;
    while (at < l->n && (l->text[at] == ' ' || l->text[at] == '\t')) at++;
    if (at + name->length > l->n || memcmp(l->text + at, l->text + name->at, name->length) != 0) return false;
    at += name->length;
    return at >= l->n || !(is_letter(l->text[at]) || char_is_digit(l->text[at]));
}

// A condition has been read: tokens from `first` on.
static void directive_done(Lexer *l, Str name, size_t first) {
    const CToken *tokens = (const CToken *)(const void *)l->out->data;
    const CToken *told = tokens + first;
    size_t n = l->n_tokens - first;
    bool is_def = str_is(name, "ifdef") || str_is(name, "ifndef");
    if (str_is(name, "if") || str_is(name, "elif")) condition_about_amd(l, first);
    if (is_def || str_is(name, "if")) {
        if (l->n_guards == GUARDS_MAX) {
            l->deep++;
            return;
        }
        Truth t = OPEN;
        if (!is_def) {
            t = condition_truth(l->words, l->text, told, n);
            for (size_t i = 0; i < n && t == NOT_AMD; i++) {
                if (told[i].kind == C_WORD && defined_next(l, &told[i])) t = OPEN;
            }
        } else if (n > 0 && told[0].kind == C_WORD &&
                   is_amd_macro(l->words, (Str){l->text + told[0].at, told[0].length})) {
            t = name.length == 5 ? AMD_ONLY : defined_next(l, &told[0]) ? OPEN : NOT_AMD;
        }
        l->guards[l->n_guards++] = (Guard){0};
        branch(l, &l->guards[l->n_guards - 1], t);
    } else if (l->deep > 0) {
        if (str_is(name, "endif")) l->deep--;
        return;
    } else if (l->n_guards == 0) {
        return;
    } else if (str_is(name, "elif")) {
        branch(l, &l->guards[l->n_guards - 1], condition_truth(l->words, l->text, told, n));
    } else if (str_is(name, "else")) {
        branch(l, &l->guards[l->n_guards - 1], OPEN);
    } else if (str_is(name, "endif")) {
        l->n_guards--;
    }
    set_guarded(l);
}

static void take_header(Lexer *l) {
    while (peek(l, 0) == ' ' || peek(l, 0) == '\t') l->at++;
    char open = peek(l, 0);
    if (open != '<' && open != '"') return;
    char close = open == '<' ? '>' : '"';
    size_t from = ++l->at;
    while (l->at < l->n && l->text[l->at] != close && l->text[l->at] != '\n') l->at++;
    Str path = {l->text + from, l->at - from};
    CToken *t = add(l, C_HEADER, from, l->at, l->line);
    if (open == '"') t->flags |= C_QUOTED;
    if (l->result->hip_at == 0 && path.length > 4 && memcmp(path.data, "hip/", 4) == 0)
        l->result->hip_at = l->line;
    if (peek(l, 0) == close && l->at < l->n) l->at++;
}

static void take_any(Lexer *l);

static void take_directive(Lexer *l) {
    l->directive = true;
    l->at++;
    while (peek(l, 0) == ' ' || peek(l, 0) == '\t') l->at++;
    size_t from = l->at;
    while (l->at < l->n && is_letter(l->text[l->at])) l->at++;
    Str name = {l->text + from, l->at - from};
    add(l, C_DIRECTIVE, from, l->at, l->line);
    size_t first = l->n_tokens;
    l->line_start = false;
    if (str_is(name, "include") || str_is(name, "include_next") || str_is(name, "import")) take_header(l);
    bool text_only = str_is(name, "error") || str_is(name, "warning") || str_is(name, "pragma");
    while (l->at < l->n && l->text[l->at] != '\n' && l->n_tokens < C_TOKENS_MAX) {
        if (text_only && (l->text[l->at] == '\'' || l->text[l->at] == '"')) {
            l->at++;
        } else {
            take_any(l);
        }
    }
    directive_done(l, name, first);
    l->directive = false;
}

// ---------------------------------------------------------------- all together

static void take_punct(Lexer *l, char c) {
    size_t n = 1;
    CTokenKind kind = C_PUNCT;
    if (c == ':' && peek(l, 1) == ':') {
        kind = C_SCOPE;
        n = 2;
    } else if (c == '<' && peek(l, 1) == '<' && peek(l, 2) == '<') {
        while (peek(l, n) == '<') n++;
        if (n == 3) kind = C_LAUNCH;
    }
    add(l, kind, l->at, l->at + n, l->line);
    l->at += n;
}

// One token, or blanks. A newline is left alone inside a directive.
static void take_any(Lexer *l) {
    char c = l->text[l->at];
    if (is_letter(c)) {
        take_word(l);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\0' || c == '\f' || c == '\v') {
        l->at++;
        return;
    } else if (c == '\n') {
        l->line++;
        l->at++;
        l->line_start = true;
        return;
    } else if (c == '\\') {
        size_t splice = splice_at(l, l->at);
        l->line += splice > 0;
        if (l->escaped && peek(l, 1) == 'n') l->line_start = true;
        l->at += splice > 0 ? splice : l->escaped && l->at + 1 < l->n && l->text[l->at + 1] != '\n' ? 2 : 1;
        return;
    } else if (c == '/' && peek(l, 1) == '/' && !l->escaped) {
        skip_line_comment(l);
        return;
    } else if (c == '/' && peek(l, 1) == '*') {
        skip_block_comment(l);
        return;
    } else if (char_is_digit(c) || (c == '.' && char_is_digit(peek(l, 1)))) {
        take_number(l);
    } else if (c == '"') {
        take_quoted(l, C_STRING);
    } else if (c == '\'') {
        take_quoted(l, C_CHAR);
    } else if (c == '#' && l->line_start && !l->directive) {
        take_directive(l);
    } else {
        take_punct(l, c);
    }
    l->line_start = false;
}

void c_lex(const CWords *w, Str text, bool escaped, Buf *ret_tokens, CLexed *ret) {
    *ret = (CLexed){0};
    ret_tokens->length = 0;
    Lexer l = {.words = w,
               .text = text.data,
               .n = text.length,
               .line = 1,
               .escaped = escaped,
               .line_start = true,
               .out = ret_tokens,
               .result = ret};
    while (l.at < l.n && l.n_tokens < C_TOKENS_MAX) take_any(&l);
    ret->cut = l.at < l.n;
    if (l.guarded) guard_over(&l);
    ret->lines = l.line;
    l.guarded = 0;
    add(&l, C_END, l.n, l.n, l.line);
}
