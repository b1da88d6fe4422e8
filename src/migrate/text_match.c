// Matching the pattern table against stretches of a text, and passing hits on: one a chain of words, the
// heaviest.
#include <string.h>

#include "src/migrate/text.h"

enum { ARGUMENT_BYTES_MAX = 1000 };  // looked at for what stands in parentheses

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

// ---------------------------------------------------------------- positions

void scan_place(TextScan *s, size_t offset, size_t *ret_line, size_t *ret_column) {
    if (offset < s->seen) {
        s->seen = 0;
        s->seen_line = 1;
        s->seen_points = 0;
    }
    size_t from = s->seen;
    for (size_t i = from; i < offset; i++) {
        if (s->text.data[i] != '\n') continue;
        s->seen_line++;
        s->seen_points = 0;
        from = i + 1;
    }
    s->seen_points += str_points((Str){s->text.data + from, offset - from});
    s->seen = offset;
    size_t line = s->seen_line;
    if (s->lines != NULL) {
        // A cell's line is one string of the notebook; columns are those of the cell.
        line = line <= s->lines->n ? s->lines->numbers[line - 1]
               : s->lines->n > 0   ? s->lines->numbers[s->lines->n - 1]
                                   : 1;
    }
    *ret_line = line;
    *ret_column = s->seen_points + 1;
}

size_t scan_file_offset(const TextScan *s, size_t offset) {
    if (s->lines == NULL) return offset;
    size_t k = s->seen_line;
    return k <= s->lines->n ? s->lines->offsets[k - 1] : 0;
}

// ---------------------------------------------------------------- hits

static void flush(TextScan *s) {
    if (s->waiting && s->sink->hit != NULL) s->sink->hit(s->sink->context, &s->hit);
    s->waiting = false;
}

// End of the chain of words that goes through `at`: names, paths, dotted words.
static size_t chain_end(Str text, size_t at) {
    while (at < text.length &&
           (char_is_word(text.data[at]) || (text.data[at] != '\0' && strchr(".-/", text.data[at]) != NULL)))
        at++;
    return at;
}

static void hit_ranked(TextScan *s, const char *rule, size_t rank, size_t offset, size_t length,
                       bool in_string) {
    bool same_chain = s->waiting && offset < s->chain_end && offset >= s->hit_at;
    if (same_chain && rank >= s->rank) return;
    if (!same_chain) flush(s);
    TextHit h = {.rule = rule, .length = length, .in_string = in_string};
    scan_place(s, offset, &h.line, &h.column);
    h.offset = scan_file_offset(s, offset);
    s->hit = h;
    s->hit_at = offset;
    s->rank = rank;
    s->chain_end = chain_end(s->text, offset + length);
    s->waiting = true;
}

void scan_hit(TextScan *s, const char *rule, size_t offset, size_t length, bool in_string) {
    hit_ranked(s, rule, 0, offset, length, in_string);
}

// Are letters of a pattern of either case?
static bool kind_folds(TextKind kind) { return kind == TEXT_CMAKE || kind == TEXT_FORTRAN; }

// CMake's commands are spelled in any case: a pattern is found under both.
static void index_patterns(TextScan *s) {
    for (size_t k = s->facts->n_patterns; k-- > 0;) {
        const TextPattern *p = &s->facts->patterns[k];
        if ((p->kinds >> s->kind & 1u) == 0) continue;
        unsigned char c = (unsigned char)(kind_folds(s->kind) ? char_lower(p->text[0]) : p->text[0]);
        s->next[k] = s->first[c];
        s->first[c] = (unsigned short)(k + 1);
    }
}

void scan_init(TextScan *s, TextKind kind, const char *name, Str text, const TextFacts *facts,
               const TextSink *sink) {
    const char *base = path_name(name);
    *s = (TextScan){.kind = kind, .text = text, .sink = sink, .facts = facts, .seen_line = 1};
    s->setup = kind == TEXT_PYTHON && (strcmp(base, "setup.py") == 0 || strcmp(base, "build.py") == 0);
    const char *dot = strrchr(base, '.');
    s->fixed_form = dot != NULL && (text_same(dot, ".f") || text_same(dot, ".for"));
    index_patterns(s);
}

void scan_end(TextScan *s) { flush(s); }

// ---------------------------------------------------------------- patterns

static bool same_char(char a, char b, bool fold) {
    return a == b || (fold && char_lower(a) == char_lower(b));
}

// Skips "( ... )" with what is nested in it; false when it does not close nearby.
static bool skip_arguments(Str text, size_t at, size_t *ret_end) {
    size_t depth = 0;
    for (size_t i = at; i < text.length && i - at < ARGUMENT_BYTES_MAX; i++) {
        char c = text.data[i];
        if (c == '(') depth++;
        if (c == ')' && depth > 0 && --depth == 0) {
            *ret_end = i + 1;
            return true;
        }
        if (depth == 0 && !is_blank(c)) return false;
    }
    return false;
}

static bool match_here(const char *pattern, Str text, size_t at, size_t to, bool fold, size_t *ret_end) {
    size_t i = at;
    for (const char *p = pattern; *p != '\0'; p++) {
        if (*p == '*') {
            while (i < to && char_is_word(text.data[i])) i++;
        } else if (*p == '~') {
            while (i < to && (is_blank(text.data[i]) || text.data[i] == '\n' || text.data[i] == '\r')) i++;
        } else if (*p == '&') {
            if (!skip_arguments(text, i, &i)) return false;
        } else if (i >= to ||
                   (*p == '#' ? !char_is_digit(text.data[i]) : !same_char(*p, text.data[i], fold))) {
            return false;
        } else {
            i++;
        }
    }
    char last = pattern[strlen(pattern) - 1];
    if ((char_is_word(last) || last == '#') && i < text.length && char_is_word(text.data[i])) return false;
    *ret_end = i;
    return true;
}

// ---------------------------------------------------------------- conditions

// Finds the line around `at`, with those that a backslash joins to it. Each line is walked once.
static Str logical_line(TextScan *s, size_t at) {
    Str text = s->text;
    if (at < s->line_from || at >= s->line_to) {
        size_t from = at;
        size_t to = at;
        while (from > 0 && (text.data[from - 1] != '\n' || (from >= 2 && text.data[from - 2] == '\\')))
            from--;
        while (to < text.length && (text.data[to] != '\n' || (to > 0 && text.data[to - 1] == '\\'))) to++;
        s->line_from = from;
        s->line_to = to;
        memset(s->known, 0, sizeof s->known);
    }
    return (Str){text.data + s->line_from, s->line_to - s->line_from};
}

// Case ignored and only the start of the word bound, or as it stands.
static bool contains_word(Str area, const char *word, size_t length, bool exact) {
    for (size_t i = 0; i + length <= area.length; i++) {
        if (i > 0 && char_is_word(area.data[i - 1])) continue;
        if (exact && i + length < area.length && char_is_word(area.data[i + length])) continue;
        size_t k = 0;
        while (k < length && same_char(word[k], area.data[i + k], !exact)) k++;
        if (k == length) return true;
    }
    return false;
}

static bool contains_any(Str area, const char *list, bool exact) {
    Str rest = str_of(list);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        if (contains_word(area, word.data, word.length, exact)) return true;
    }
    return false;
}

static bool line_fits(Str line, const TextPattern *p) {
    if (p->unless != NULL && contains_any(line, p->unless, false)) return false;
    return p->also == NULL || contains_any(line, p->also, false);
}

static bool conditions_hold(TextScan *s, const TextPattern *p, size_t at, size_t end) {
    if (p->also == NULL && p->unless == NULL) return true;
    if ((p->where & IN_ARGUMENTS) != 0) {
        size_t close = 0;
        return skip_arguments(s->text, end, &close) &&
               contains_any((Str){s->text.data + end, close - end}, p->also, true);
    }
    Str line = logical_line(s, at);
    unsigned char *known = &s->known[p - s->facts->patterns];
    if (*known == 0) *known = line_fits(line, p) ? 1 : 2;
    return *known == 1;
}

// ---------------------------------------------------------------- stretches

// Does `what` stand directly before `at`? Its blank stands for any blanks.
static bool stands_before(Str text, size_t at, const char *what) {
    size_t n = strlen(what);
    while (n > 0) {
        if (what[n - 1] == ' ') {
            if (at == 0 || !is_blank(text.data[at - 1])) return false;
            while (at > 0 && is_blank(text.data[at - 1])) at--;
        } else if (at == 0 || text.data[at - 1] != what[n - 1]) {
            return false;
        } else {
            at--;
        }
        n--;
    }
    return what[0] == '\0' || !char_is_word(what[0]) || at == 0 || !char_is_word(text.data[at - 1]);
}

// Does the word at `at` name a package of the scanned tree?
static bool is_own(const TextScan *s, size_t at, size_t to) {
    size_t end = at;
    while (end < to && char_is_word(s->text.data[end])) end++;
    return str_in((Str){s->text.data + at, end - at}, s->facts->own, s->facts->n_own);
}

static bool fits(TextScan *s, const TextPattern *p, Stretch what, size_t from, size_t to, size_t at,
                 size_t *ret_end) {
    bool whole = what == STRETCH_STRING && at == from;
    unsigned wanted = what == STRETCH_CODE ? IN_CODE : whole ? IN_STRING | IN_WHOLE : IN_STRING;
    if ((p->where & wanted) == 0) return false;
    if ((p->where & IN_SETUP) != 0 && !s->setup) return false;
    // commands are spelled in any case, variables are not
    bool fold = s->kind == TEXT_FORTRAN || (s->kind == TEXT_CMAKE && p->text[0] != 'C');
    if (!match_here(p->text, s->text, at, to, fold, ret_end)) return false;
    if ((p->where & (IN_STRING | IN_CODE)) == 0 && *ret_end != to) return false;
    if (s->facts->n_own > 0 && what == STRETCH_CODE && is_own(s, at, to)) return false;
    return (p->before[0] == '\0' || stands_before(s->text, at, p->before)) &&
           conditions_hold(s, p, at, *ret_end);
}

void scan_stretch(TextScan *s, Stretch what, size_t from, size_t to) {
    Str text = s->text;
    for (size_t at = from; at < to; at++) {
        if (!char_is_word(text.data[at]) || (at > 0 && char_is_word(text.data[at - 1]))) continue;
        unsigned char first =
            (unsigned char)(kind_folds(s->kind) ? char_lower(text.data[at]) : text.data[at]);
        for (size_t k = s->first[first]; k > 0; k = s->next[k - 1]) {
            const TextPattern *p = &s->facts->patterns[k - 1];
            size_t end = 0;
            if (!fits(s, p, what, from, to, at, &end)) continue;
            hit_ranked(s, p->rule, k - 1, at, end - at, what == STRETCH_STRING);
            break;
        }
    }
}
