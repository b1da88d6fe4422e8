// Languages whose comments start with '#': CMake, Make, Meson, shell, Dockerfiles, YAML, TOML, dependency
// lists.
#include <string.h>

#include "src/migrate/text.h"

// How a language tells a comment.
typedef enum CommentStyle {
    COMMENT_NONE,
    COMMENT_ANYWHERE,  // '#' outside quotes
    COMMENT_BLANK,     // '#' at the start of a line or after a blank, outside quotes
    COMMENT_LINE       // '#' as the first character of a line
} CommentStyle;

static const CommentStyle styles[TEXT_KIND_COUNT] = {
    [TEXT_CMAKE] = COMMENT_ANYWHERE, [TEXT_MAKE] = COMMENT_BLANK,      [TEXT_MESON] = COMMENT_ANYWHERE,
    [TEXT_SHELL] = COMMENT_BLANK,    [TEXT_DOCKER] = COMMENT_LINE,     [TEXT_YAML] = COMMENT_BLANK,
    [TEXT_TOML] = COMMENT_ANYWHERE,  [TEXT_INI] = COMMENT_LINE,        [TEXT_REQUIREMENTS] = COMMENT_BLANK,
    [TEXT_JULIA] = COMMENT_ANYWHERE, [TEXT_APPTAINER] = COMMENT_BLANK, [TEXT_AUTOCONF] = COMMENT_BLANK,
};

static bool starts(Str text, size_t at, const char *word) {
    size_t n = strlen(word);
    return at + n <= text.length && memcmp(text.data + at, word, n) == 0;
}

// "#[==[ ... ]==]" of CMake: the place after it, or SIZE_MAX when none starts at `at`.
static size_t cmake_block_end(Str text, size_t at) {
    size_t i = at + 1;
    size_t equals = 0;
    if (i >= text.length || text.data[i] != '[') return SIZE_MAX;
    while (i + 1 + equals < text.length && text.data[i + 1 + equals] == '=') equals++;
    if (i + 1 + equals >= text.length || text.data[i + 1 + equals] != '[') return SIZE_MAX;
    for (i += 2 + equals; i < text.length; i++) {
        size_t k = 0;
        if (text.data[i] != ']') continue;
        while (i + 1 + k < text.length && text.data[i + 1 + k] == '=') k++;
        if (k == equals && i + 1 + k < text.length && text.data[i + 1 + k] == ']') return i + k + 2;
        i += k;
    }
    return text.length;
}

// "#= ... =#" of Julia.
static size_t julia_block_end(Str text, size_t at) {
    if (!starts(text, at, "#=")) return SIZE_MAX;
    for (size_t i = at + 2; i + 1 < text.length; i++) {
        if (text.data[i] == '=' && text.data[i + 1] == '#') return i + 2;
    }
    return text.length;
}

static bool is_comment(Str text, size_t at, size_t line_start, CommentStyle style) {
    if (style == COMMENT_NONE || starts(text, at, "#SBATCH")) return false;
    if (style == COMMENT_ANYWHERE) return at == 0 || text.data[at - 1] != '\\';
    size_t first = line_start;
    while (first < at && (text.data[first] == ' ' || text.data[first] == '\t')) first++;
    if (first == at) return true;
    return style == COMMENT_BLANK && (text.data[at - 1] == ' ' || text.data[at - 1] == '\t');
}

// Quotes hide '#' only until the end of the line where they open: one left open must not swallow the file.
void hashed_scan(TextScan *s) {
    Str text = s->text;
    CommentStyle style = styles[s->kind];
    size_t from = 0;
    size_t line_start = 0;
    char quote = '\0';
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if (c == '\n') {
            line_start = i + 1;
            quote = '\0';
        } else if (quote != '\0') {
            if (c == '\\') i += i + 1 < text.length && text.data[i + 1] != '\n' ? 1 : 0;
            if (c == quote) quote = '\0';
        } else if ((c == '"' || c == '\'') && (i == line_start || text.data[i - 1] != '\\')) {
            quote = c;
        } else if (c == '#' && is_comment(text, i, line_start, style)) {
            scan_stretch(s, STRETCH_CODE, from, i);
            size_t end = s->kind == TEXT_CMAKE   ? cmake_block_end(text, i)
                         : s->kind == TEXT_JULIA ? julia_block_end(text, i)
                                                 : SIZE_MAX;
            if (end == SIZE_MAX) {
                const char *newline = memchr(text.data + i, '\n', text.length - i);
                end = newline == NULL ? text.length : (size_t)(newline - text.data);
            }
            from = end;
            i = end - 1;
        }
    }
    scan_stretch(s, STRETCH_CODE, from, text.length);
}
