// Macros that build scripts define, and the branch in which they do: for AMD, or not. Read line by line: what a
// condition is about is told by its words.
#include <string.h>

#include "src/migrate/symbols.h"
#include "src/migrate/text.h"

enum { LEVELS_MAX = 64, NAME_MAX_BYTES = 100, COMMANDS_MAX = 200000, VALUES_MAX = 4 * 1000 * 1000 };

static bool same_word(Str part, const char *word) {
    size_t n = strlen(word);
    if (part.length != n) return false;
    for (size_t i = 0; i < n; i++) {
        if (char_lower(part.data[i]) != word[i]) return false;
    }
    return true;
}

static bool is_one_of(Str part, const char *list) {
    Str rest = str_of(list);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        char copy[32];
        if (word.length >= sizeof copy) continue;
        memcpy(copy, word.data, word.length);
        copy[word.length] = '\0';
        if (same_word(part, copy)) return true;
    }
    return false;
}

// The next part of a text between underscores, blanks and other marks.
static bool next_part(Str s, size_t *at, Str *ret) {
    while (*at < s.length && (!char_is_word(s.data[*at]) || s.data[*at] == '_')) ++*at;
    size_t from = *at;
    while (*at < s.length && char_is_word(s.data[*at]) && s.data[*at] != '_') ++*at;
    *ret = (Str){s.data + from, *at - from};
    return *at > from;
}

static const char amd_parts[] = "hip rocm hipcc amdgpu amdgcn hcc";

bool says_amd(Str name) {
    size_t at = 0;
    Str part;
    bool amd = false;
    while (next_part(name, &at, &part)) {
        if (is_one_of(part, "cuda nvidia no not without disable disabled skip")) return false;
        amd = amd || is_one_of(part, amd_parts);
    }
    return amd;
}

// ---------------------------------------------------------------- conditions

typedef enum Side { SIDE_NONE, SIDE_AMD, SIDE_NOT_AMD } Side;

static Side other_side(Side s) {
    return s == SIDE_AMD ? SIDE_NOT_AMD : s == SIDE_NOT_AMD ? SIDE_AMD : SIDE_NONE;
}

// What a condition asks for: words of AMD, and whether they are denied.
static Side side_of(Str condition) {
    size_t at = 0;
    Str part;
    bool denied = false;
    Side side = SIDE_NONE;
    for (size_t i = 0; i + 1 < condition.length; i++) {
        if (condition.data[i] == '!' && condition.data[i + 1] != '=') denied = true;
    }
    while (next_part(condition, &at, &part)) {
        if (is_one_of(part, "not no disable without") && side == SIDE_NONE) denied = true;
        // "torch.version.hip is None"
        if (same_word(part, "none") && side != SIDE_NONE) denied = !denied;
        if (same_word(part, "not") && side != SIDE_NONE) denied = !denied;
        if (is_one_of(part, amd_parts)) side = SIDE_AMD;
    }
    return denied ? other_side(side) : side;
}

typedef struct Builder {
    const BuildSink *sink;
    TextKind kind;
    bool whole_amd;  // the file is of the build for AMD
    bool said_only;  // macros of AMD are taken only where their names say so
    Side levels[LEVELS_MAX];
    bool had_amd[LEVELS_MAX];    // a branch before this one, of the same condition, is for AMD
    size_t indents[LEVELS_MAX];  // Python
    size_t n;
    const char *text,
        *away;  // away: where the branches began that a build for AMD does not take; NULL: in none
} Builder;

static bool in_amd(const Builder *b) {
    bool amd = b->whole_amd;
    for (size_t i = 0; i < b->n && i < LEVELS_MAX; i++) amd = amd || b->levels[i] == SIDE_AMD;
    return amd;
}

static void push(Builder *b, Side side, size_t indent) {
    if (b->n < LEVELS_MAX) {
        b->levels[b->n] = side;
        b->had_amd[b->n] = side == SIDE_AMD;
        b->indents[b->n] = indent;
    }
    b->n++;
}

// To the next branch of a condition: one behind a branch for AMD is not for it, unless it says so.
static void turn(Builder *b, Side side) {
    if (b->n == 0 || b->n > LEVELS_MAX) return;
    bool had = b->had_amd[b->n - 1];
    b->levels[b->n - 1] = side == SIDE_NONE && had ? SIDE_NOT_AMD : side;
    b->had_amd[b->n - 1] = had || side == SIDE_AMD;
}

// After a condition at `at`: tells the branches that a build for AMD leaves there.
static void note_away(Builder *b, const char *at) {
    bool away = false;
    for (size_t i = 0; i < b->n && i < LEVELS_MAX; i++) away = away || b->levels[i] == SIDE_NOT_AMD;
    if (!away && b->away != NULL && b->sink->away != NULL)
        b->sink->away(b->sink->context, (size_t)(b->away - b->text), (size_t)(at - b->text));
    if (away != (b->away != NULL)) b->away = away ? at : NULL;
}

static Side last_side(const Builder *b) {
    return b->n > 0 && b->n <= LEVELS_MAX ? b->levels[b->n - 1] : SIDE_NONE;
}

static bool begins(Str line, const char *word) {
    size_t n = strlen(word);
    if (line.length < n) return false;
    for (size_t i = 0; i < n; i++) {
        if (char_lower(line.data[i]) != word[i]) return false;
    }
    return line.length == n || !char_is_word(line.data[n]);
}

static Str behind(Str line, size_t n) { return (Str){line.data + n, line.length - n}; }

// if, elif, else and endif of CMake, Make and Meson.
static bool take_condition(Builder *b, Str line) {
    bool make = b->kind == TEXT_MAKE;
    if (begins(line, "ifeq") || begins(line, "ifdef")) {
        push(b, side_of(behind(line, 4)), 0);
    } else if (make && (begins(line, "ifneq") || begins(line, "ifndef"))) {
        // `ifneq ($(USE_HIP),)` asks for it; `ifneq ($(USE_HIP),1)` and `ifndef USE_HIP` ask for the other side
        bool empty = line.length > 0 && memchr(line.data, ',', line.length) != NULL;
        const char *comma = empty ? memchr(line.data, ',', line.length) : NULL;
        bool nothing = comma != NULL && comma + 1 < line.data + line.length && comma[1] == ')';
        Side side = side_of(behind(line, 5));
        push(b, nothing ? side : other_side(side), 0);
    } else if (!make && begins(line, "if")) {
        push(b, side_of(behind(line, 2)), 0);
    } else if (begins(line, "elseif") || begins(line, "elif")) {
        turn(b, side_of(behind(line, 4)));
    } else if (begins(line, "else")) {
        bool had = b->n > 0 && b->n <= LEVELS_MAX && b->had_amd[b->n - 1];
        Side side = had ? SIDE_NOT_AMD : other_side(last_side(b));
        if (make && line.length > 5) side = side_of(behind(line, 4));
        turn(b, side);
    } else if (begins(line, "endif")) {
        b->n -= b->n > 0;
    } else {
        return false;
    }
    note_away(b, line.data);
    return true;
}

// Python's blocks end where the indent falls back.
static void take_python(Builder *b, Str line, size_t indent) {
    if (line.length == 0 || line.data[0] == '#') return;
    Side closed = SIDE_NONE;
    bool any = false;
    while (b->n > 0 && b->n <= LEVELS_MAX && b->indents[b->n - 1] >= indent) {
        closed = b->levels[b->n - 1];
        any = b->indents[b->n - 1] == indent;
        b->n--;
    }
    if (begins(line, "if")) push(b, side_of(behind(line, 2)), indent);
    if (begins(line, "elif")) push(b, side_of(behind(line, 4)), indent);
    if (begins(line, "else") && any) push(b, other_side(closed), indent);
}

// ---------------------------------------------------------------- definitions

// Names that many builds set for reasons of their own.
static bool is_common(Str name) {
    return name.length < 2 || name.data[0] == '_' ||
           is_one_of(name,
                     "ndebug debug nominmax win32_lean_and_mean use_cuda with_cuda with_python_descriptor");
}

static void macro(Builder *b, Str name, bool amd) {
    if (name.length > NAME_MAX_BYTES || is_common(name)) return;
    if (amd && b->said_only && !says_amd(name)) return;
    b->sink->macro(b->sink->context, name, amd ? MACRO_AMD : MACRO_OTHER);
}

static size_t word_end(Str s, size_t at) {
    while (at < s.length && char_is_word(s.data[at])) at++;
    return at;
}

// "-DNAME" anywhere in a line.
static void take_flags(Builder *b, Str line, bool amd) {
    for (size_t i = 0; i + 2 < line.length; i++) {
        if (line.data[i] != '-' || line.data[i + 1] != 'D' ||
            (i > 0 && (char_is_word(line.data[i - 1]) || line.data[i - 1] == '-')))
            continue;
        size_t end = word_end(line, i + 2);
        macro(b, (Str){line.data + i + 2, end - i - 2}, amd);
        i = end - 1;
    }
}

// Bare names: `target_compile_definitions(t PRIVATE NAME OTHER=1)`; the first one is the target.
static void take_names(Builder *b, Str line, bool skip_first, bool amd) {
    size_t n = 0;
    for (size_t i = 0; i < line.length;) {
        size_t end = word_end(line, i);
        if (end == i) {
            i++;
            continue;
        }
        Str name = {line.data + i, end - i};
        bool bare = i == 0 || strchr(" \t\n(\"", line.data[i - 1]) != NULL;
        if (bare && (n > 0 || !skip_first) &&
            !is_one_of(name, "private public interface property compile_definitions append"))
            macro(b, name, amd);
        n++;
        i = end;
        // the value
        if (i < line.length && line.data[i] == '=') {
            while (i < line.length && strchr(" \t\n)", line.data[i]) == NULL) i++;
        }
    }
}

static bool has(Str line, const char *what) {
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= line.length; i++) {
        size_t k = 0;
        while (k < n && char_lower(line.data[i + k]) == what[k]) k++;
        if (k == n) return true;
    }
    return false;
}

// `set_source_files_properties(a.cpp b.cpp PROPERTIES LANGUAGE CUDA)`
static void take_sources(Builder *b, Str arguments) {
    bool cuda = has(arguments, "language cuda");
    if (!cuda && !has(arguments, "language hip")) return;
    for (size_t i = 0; i < arguments.length;) {
        size_t end = i;
        while (end < arguments.length &&
               (char_is_word(arguments.data[end]) || strchr("./-+", arguments.data[end]) != NULL))
            end++;
        Str word = {arguments.data + i, end - i};
        if (same_word(word, "properties")) return;
        if (word.length > 2 && memchr(word.data, '.', word.length) != NULL && b->sink->source != NULL)
            b->sink->source(b->sink->context, word, cuda ? MACRO_OTHER : MACRO_AMD);
        i = end == i ? end + 1 : end;
    }
}

// One command of CMake: its name and what stands in its parentheses.
static void take_command(Builder *b, Str name, Str arguments) {
    size_t at = 0;
    Str first = {"", 0};
    while (at < arguments.length && !char_is_word(arguments.data[at])) at++;
    first = (Str){arguments.data + at, word_end(arguments, at) - at};
    bool amd = in_amd(b) || begins(name, "hip_add_library") || begins(name, "hip_add_executable") ||
               says_amd(first) || has(arguments, "compile_language:hip");
    if (has(name, "compile_definitions")) take_names(b, arguments, has(name, "target_"), amd);
    take_flags(b, arguments, amd);
    if (begins(name, "set_source_files_properties")) take_sources(b, arguments);
}

// The text of the command that starts at `at` in a file of CMake, without comments. Returns the place after it.
static size_t cmake_command(Builder *b, Str text, size_t at) {
    size_t end = word_end(text, at);
    size_t open = end;
    size_t depth = 0;
    while (open < text.length && (text.data[open] == ' ' || text.data[open] == '\t')) open++;
    if (open >= text.length || text.data[open] != '(') return end;
    size_t i = open;
    for (; i < text.length; i++) {
        depth += text.data[i] == '(';
        if (text.data[i] == ')' && --depth == 0) break;
        if (text.data[i] != '#') continue;
        while (i + 1 < text.length && text.data[i + 1] != '\n') i++;
    }
    Str name = {text.data + at, end - at};
    Str line = {text.data + at, (i < text.length ? i : text.length) - at};
    Str arguments = {text.data + open + 1, i > open ? i - open - 1 : 0};
    if (arguments.length > text.length - open) arguments.length = 0;
    if (!take_condition(b, line)) take_command(b, name, arguments);
    return i < text.length ? i + 1 : text.length;
}

static void take_cmake(Builder *b, Str text) {
    for (size_t i = 0; i < text.length;) {
        if (text.data[i] == '#') {
            while (i < text.length && text.data[i] != '\n') i++;
        } else if (char_is_word(text.data[i])) {
            i = cmake_command(b, text, i);
        } else {
            i++;
        }
    }
}

static void take_lines(Builder *b, Str text) {
    Str line;
    while (str_next(&text, '\n', &line)) {
        size_t indent = 0;
        while (indent < line.length && (line.data[indent] == ' ' || line.data[indent] == '\t')) indent++;
        Str trimmed = str_trim(line);
        bool python = b->kind == TEXT_PYTHON;
        if (python) {
            take_python(b, trimmed, indent);
        } else if (b->kind != TEXT_BAZEL && take_condition(b, trimmed)) {
            continue;
        }
        if (trimmed.length == 0 || trimmed.data[0] == '#') continue;
        // `HIPFLAGS += -DX`, `if_rocm(["-DX"])`, `x = ["-DX"] if IS_ROCM else []`
        size_t name = word_end(trimmed, 0);
        bool amd = in_amd(b) || says_amd((Str){trimmed.data, name}) || has(trimmed, "if_rocm(") ||
                   has(trimmed, "hipflags");
        take_flags(b, trimmed, amd);
        // `define_macros += [("X", None)]`
        const char *open =
            python && has(trimmed, "macros") ? memchr(trimmed.data, '(', trimmed.length) : NULL;
        for (; open != NULL;
             open = memchr(open + 1, '(', (size_t)(trimmed.data + trimmed.length - open) - 1)) {
            Str rest = {open + 1, (size_t)(trimmed.data + trimmed.length - open) - 1};
            if (rest.length < 3 || (rest.data[0] != '"' && rest.data[0] != '\'')) continue;
            Str quoted = behind(rest, 1);
            macro(b, (Str){quoted.data, word_end(quoted, 0)}, amd);
        }
    }
}

void build_macros(int kind, const char *path, Str text, const BuildSink *sink) {
    Builder b = {.sink = sink, .kind = (TextKind)kind, .text = text.data};
    b.whole_amd = says_amd(str_of(path_name(path)));
    if (b.kind == TEXT_CMAKE) {
        take_cmake(&b, text);
    } else if (b.kind == TEXT_MAKE || b.kind == TEXT_MESON || b.kind == TEXT_BAZEL || b.kind == TEXT_PYTHON) {
        take_lines(&b, text);
    }
    b.n = 0;
    if (b.away != NULL) note_away(&b, text.data + text.length);
}

// ---------------------------------------------------------------- compile_commands.json

// Macros of one command. Those of a command for AMD count only where their names say so: the list is of one build,
// and nothing in it tells what the build for CUDA leaves out.
static void take_options(Builder *b, Str options, bool amd) {
    b->said_only = amd;
    take_flags(b, options, amd);
    b->said_only = false;
}

static void take_entry(Builder *b, const Json *entry) {
    const char *file = json_text(json_get(entry, "file"));
    const char *command = json_text(json_get(entry, "command"));
    const Json *arguments = json_get(entry, "arguments");
    bool amd = command != NULL && (text_contains(command, "hipcc") || text_contains(command, "-x hip") ||
                                   text_contains(command, "--offload-arch=gfx"));
    bool cuda = command != NULL && (text_contains(command, "nvcc") || text_contains(command, "-x cu"));
    const Json *x = arguments != NULL && json_is_array(arguments) ? json_first(arguments) : NULL;
    for (const Json *a = x; a != NULL; a = json_next(a)) {
        const char *text = json_text(a);
        if (text == NULL) continue;
        amd = amd || text_contains(text, "hipcc") || strcmp(text, "hip") == 0 ||
              text_contains(text, "--offload-arch=gfx");
        cuda = cuda || text_contains(text, "nvcc") || strcmp(text, "cu") == 0;
    }
    if (command != NULL) take_options(b, str_of(command), amd);
    for (const Json *a = x; a != NULL; a = json_next(a)) {
        if (json_text(a) != NULL) take_options(b, str_of(json_text(a)), amd);
    }
    if (file != NULL && file[0] != '\0' && (amd || cuda) && b->sink->source != NULL)
        b->sink->source(b->sink->context, str_of(file), amd ? MACRO_AMD : MACRO_OTHER);
}

bool build_commands(Str text, const BuildSink *sink, Err *e) {
    Builder b = {.sink = sink};
    Json *root = NULL;
    if (!json_parse(text, VALUES_MAX, &root, e)) return false;
    bool ok = json_is_array(root);
    size_t n = 0;
    for (const Json *x = ok ? json_first(root) : NULL; x != NULL && n < COMMANDS_MAX; x = json_next(x), n++)
        take_entry(&b, x);
    json_free(root);
    return ok || err_set(e, ERR_FAILED, "no list of compile commands");
}
