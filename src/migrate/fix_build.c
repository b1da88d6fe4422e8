// Build scripts: a branch for HIP beside the CUDA one in CMake and Make, and nvcc's options in a setup.py.
#include <string.h>

#include "src/migrate/fix.h"

static size_t line_of(const FixLines *l, size_t at) {
    size_t low = 0;
    size_t high = l->n;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (l->starts[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static const char *indent_at(const FixWork *w, size_t line) {
    Str s = fix_line(&w->lines, w->file->text, line);
    size_t n = 0;
    while (n < s.length && (s.data[n] == ' ' || s.data[n] == '\t')) n++;
    return arena_copy(w->arena, s.data, n);
}

// ---------------------------------------------------------------- CMake

// name(arguments) at the start of a line.
typedef struct Command {
    Str name, arguments;
    size_t at, end;  // end: behind the closing parenthesis
} Command;

// The next command at or after `at`; strings and comments are skipped. False: none.
static bool next_command(const FixWork *w, size_t *line, Command *ret) {
    Str text = w->file->text;
    for (; *line < w->lines.n; ++*line) {
        Str s = fix_line(&w->lines, text, *line);
        size_t i = 0;
        while (i < s.length && (s.data[i] == ' ' || s.data[i] == '\t')) i++;
        size_t from = i;
        while (i < s.length && char_is_word(s.data[i])) i++;
        size_t open = i;
        while (open < s.length && s.data[open] == ' ') open++;
        if (i == from || open >= s.length || s.data[open] != '(' || !w->lines.free[*line]) continue;
        size_t at = w->lines.starts[*line] + open;
        size_t depth = 0;
        bool quoted = false;
        for (size_t k = at; k < text.length; k++) {
            char c = text.data[k];
            if (c == '\\')
                k++;
            else if (c == '"')
                quoted = !quoted;
            else if (!quoted && c == '#')
                while (k + 1 < text.length && text.data[k + 1] != '\n') k++;
            else if (!quoted && c == '(')
                depth++;
            else if (!quoted && c == ')' && --depth == 0) {
                *ret = (Command){{s.data + from, i - from},
                                 {text.data + at + 1, k - at - 1},
                                 w->lines.starts[*line] + from,
                                 k + 1};
                ++*line;
                return true;
            }
        }
        return false;
    }
    return false;
}

// The next argument: without quotes only. False at the end.
static bool next_word(Str *rest, Str *ret) {
    size_t i = 0;
    while (i < rest->length) {
        if (rest->data[i] == '#') {
            while (i < rest->length && rest->data[i] != '\n') i++;
        } else if (strchr(" \t\r\n", rest->data[i]) != NULL) {
            i++;
        } else {
            break;
        }
    }
    size_t from = i;
    bool quoted = i < rest->length && rest->data[i] == '"';
    for (i += quoted; i < rest->length; i++) {
        if (quoted ? rest->data[i] == '"' : strchr(" \t\r\n\"", rest->data[i]) != NULL) break;
    }
    i += quoted && i < rest->length;
    *ret = (Str){rest->data + from, i - from};
    *rest = (Str){rest->data + i, rest->length - i};
    return ret->length > 0;
}

static bool named(const Command *c, const char *name) {
    char text[40];
    if (c->name.length >= sizeof text) return false;
    for (size_t i = 0; i < c->name.length; i++) text[i] = char_lower(c->name.data[i]);
    text[c->name.length] = '\0';
    return strcmp(text, name) == 0;
}

// The folder of a file: "" or "a/b/".
static const char *folder_of(Arena *a, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? "" : arena_copy(a, path, (size_t)(slash - path) + 1);
}

// Does this file, or one in a folder above it, include the module?
static bool has_module(const FixWork *w) {
    const char *const *rows = (const char *const *)(const void *)w->fix->cmake.data;
    for (size_t i = 0; i < w->fix->cmake.length / sizeof *rows; i++) {
        if (strncmp(w->file->path, rows[i], strlen(rows[i])) == 0) return true;
    }
    return false;
}

// `project(x LANGUAGES CXX CUDA)`, `enable_language(CUDA)`: the language is a variable. True: an edit was made.
static bool fix_language(FixWork *w, const Command *c, bool *included) {
    Str rest = c->arguments;
    Str word;
    bool any = false;
    size_t last = line_of(&w->lines, c->end - 1);
    for (size_t k = 0; next_word(&rest, &word); k++) {
        // Of this run or of an earlier one.
        bool variable = str_is(word, "${GPU_LANGUAGE}");
        for (size_t i = line_of(&w->lines, c->at); (variable || str_is(word, "CUDA")) && i <= last; i++)
            fix_settle(w, "cm-language", i + 1);
        if (!str_is(word, "CUDA") || (named(c, "project") && k == 0)) continue;
        fix_edit(w, FIX_BUILD, (size_t)(word.data - w->file->text.data), word.length, "${GPU_LANGUAGE}");
        any = true;
    }
    size_t line = line_of(&w->lines, c->at);
    if (!any || *included) return any;
    *included = true;
    const char *header = w->fix->header == NULL ? FIX_HEADER : w->fix->header;
    const char *module = arena_printf(w->arena, "%s%s", folder_of(w->arena, header), FIX_CMAKE);
    fix_edit(w, FIX_BUILD, w->lines.starts[line], 0,
             arena_printf(w->arena, "%sinclude(${CMAKE_CURRENT_LIST_DIR}/%s)%s", indent_at(w, line),
                          fix_relative(w->arena, w->file->path, module), fix_newline(w->file->text)));
    const char *folder = folder_of(w->fix->arena, w->file->path);
    buf_add(&w->fix->cmake, (const char *)&folder, sizeof folder);
    return true;
}

// A package of CUDA's toolkit: ROCm's in its place. Under a condition or not, the CUDA side keeps its line.
static void fix_package(FixWork *w, const Command *c) {
    Str rest = c->arguments;
    Str word;
    if (!next_word(&rest, &word) || !str_is(word, "CUDAToolkit")) return;
    size_t line = line_of(&w->lines, c->at);
    const char *indent = indent_at(w, line);
    const char *newline = fix_newline(w->file->text);
    Str before = line > 0 ? str_trim(fix_line(&w->lines, w->file->text, line - 1)) : (Str){"", 0};
    fix_settle(w, "cm-find", line + 1);
    if (str_is(before, "else()") && line > 1 &&
        str_is(str_trim(fix_line(&w->lines, w->file->text, line - 2)), "gpu_packages()"))
        return;
    fix_edit(w, FIX_BUILD, w->lines.starts[line], 0,
             arena_printf(w->arena, "%sif(GPU_HIP)%s%s  gpu_packages()%s%selse()%s", indent, newline, indent,
                          newline, indent, newline));
    fix_edit(w, FIX_BUILD, c->end, 0, arena_printf(w->arena, "%s%sendif()", newline, indent));
}

// What a target is made of: its .cu files are HIP sources in a HIP build.
static void fix_target(FixWork *w, const Command *c) {
    Str rest = c->arguments;
    Str name;
    Str word;
    bool sources = false;
    if (!next_word(&rest, &name)) return;
    while (next_word(&rest, &word)) {
        bool none = str_is(word, "INTERFACE") || str_is(word, "IMPORTED") || str_is(word, "ALIAS");
        if (none) return;
        sources = sources || str_starts(word, "${") || str_has(word, ".cu");
    }
    Str behind = str_trim((Str){w->file->text.data + c->end, w->file->text.length - c->end});
    if (!sources || str_starts(behind, "gpu_target(")) return;
    size_t line = line_of(&w->lines, c->at);
    fix_edit(w, FIX_BUILD, c->end, 0,
             arena_printf(w->arena, "%s%sgpu_target(%.*s)", fix_newline(w->file->text), indent_at(w, line),
                          (int)name.length, name.data));
}

static void fix_links(FixWork *w, const Command *c) {
    Str rest = c->arguments;
    Str word;
    while (next_word(&rest, &word)) {
        if (!str_starts(word, "CUDA::") || !fix_has_target((Str){word.data + 6, word.length - 6})) continue;
        fix_use_package(w->fix, arena_copy(w->fix->arena, word.data + 6, word.length - 6));
        fix_settle(w, "cm-targets", line_of(&w->lines, (size_t)(word.data - w->file->text.data)) + 1);
    }
}

// `LANGUAGE CUDA` of sources that are called otherwise, where the module is included.
static void fix_property(FixWork *w, const Command *c) {
    Str rest = c->arguments;
    Str word;
    bool language = false;
    while (next_word(&rest, &word)) {
        size_t at = (size_t)(word.data - w->file->text.data);
        bool ours = str_is(word, "${GPU_LANGUAGE}");
        if (language && (ours || str_is(word, "CUDA")))
            fix_settle(w, "cm-language", line_of(&w->lines, at) + 1);
        if (language && str_is(word, "CUDA")) fix_edit(w, FIX_BUILD, at, word.length, "${GPU_LANGUAGE}");
        language = str_is(word, "LANGUAGE");
    }
}

// A file that speaks of HIP as a language has a branch for it by somebody else.
static bool has_branch(const FixWork *w) {
    Command c;
    for (size_t line = 0; next_command(w, &line, &c);) {
        Str rest = c.arguments;
        Str word;
        if (!named(&c, "project") && !named(&c, "enable_language")) continue;
        while (next_word(&rest, &word)) {
            if (str_is(word, "HIP")) return true;
        }
    }
    return false;
}

static void fix_cmake(FixWork *w) {
    Command c;
    bool included = str_has(w->file->text, FIX_CMAKE ")");
    if (has_branch(w)) return;
    if (included) {
        const char *folder = folder_of(w->fix->arena, w->file->path);
        buf_add(&w->fix->cmake, (const char *)&folder, sizeof folder);
    }
    for (size_t line = 0; next_command(w, &line, &c);) {
        if (named(&c, "project") || named(&c, "enable_language")) fix_language(w, &c, &included);
        if (!has_module(w)) continue;
        if (named(&c, "find_package")) fix_package(w, &c);
        if (named(&c, "add_executable") || named(&c, "add_library")) fix_target(w, &c);
        if (named(&c, "target_link_libraries")) fix_links(w, &c);
        if (named(&c, "set_source_files_properties") || named(&c, "set_property")) fix_property(w, &c);
    }
}

// ---------------------------------------------------------------- Make

// What nvcc alone takes, as patterns of filter-out; each a whole word of the command line.
static const char *const nvcc_flags = "-gencode% arch=compute% -arch=% --generate-code% --gpu-architecture% "
                                      "--use_fast_math -use_fast_math -lineinfo --expt-% -Xptxas% -Xcompiler";

// Is every option that only nvcc knows among those that are filtered? Others want a person.
static bool is_filtered(Str value) {
    static const char *const known[] = {
        "-gencode",        "arch=compute",   "-arch=",    "--generate-code", "--gpu-architecture",
        "--use_fast_math", "-use_fast_math", "-lineinfo", "--expt-"};
    static const char *const others[] = {"-Xcompiler",    "-Xptxas",        "-Xlinker", "--compiler-options",
                                         "-maxrregcount", "--maxrregcount", "-rdc",     "-dc",
                                         "-ccbin",        "--ptxas-options"};
    bool any = false;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (str_has(value, others[i])) return false;
    }
    for (size_t i = 0; i < COUNT_OF(known); i++) any = any || str_has(value, known[i]);
    return any && !str_has(value, "\"") && !str_has(value, "'");
}

// `NAME = value`, `NAME := value`, `NAME ?= value`, `NAME += value` at the start of a line.
static bool assignment(Str line, Str *ret_name, Str *ret_value) {
    size_t i = 0;
    while (i < line.length && char_is_word(line.data[i])) i++;
    *ret_name = (Str){line.data, i};
    while (i < line.length && (line.data[i] == ' ' || line.data[i] == '\t')) i++;
    while (i < line.length && strchr(":?+", line.data[i]) != NULL) i++;
    if (ret_name->length == 0 || i >= line.length || line.data[i] != '=') return false;
    *ret_value = str_trim((Str){line.data + i + 1, line.length - i - 1});
    return true;
}

static void fix_make(FixWork *w) {
    const char *newline = fix_newline(w->file->text);
    for (size_t i = 0; i < w->lines.n; i++) {
        Str line = fix_line(&w->lines, w->file->text, i);
        Str name;
        Str value;
        if (str_is(str_trim(line), "ifdef GPU_HIP")) fix_settle(w, NULL, i + 2);  // of an earlier run
        if (!w->lines.free[i] || !assignment(line, &name, &value) || value.length == 0 ||
            value.data[value.length - 1] == '\\')
            continue;
        size_t n = value.length;
        bool compiler = n >= 4 && memcmp(value.data + n - 4, "nvcc", 4) == 0 && !str_has(value, " ") &&
                        !str_has(value, "$(shell");
        bool flags = !compiler && is_filtered(value);
        if (!compiler && !flags) continue;
        fix_settle(w, "b-nvcc", i + 1);
        fix_settle(w, "sm-", i + 1);
        if (str_is(str_trim(fix_line(&w->lines, w->file->text, i + 1)), "ifdef GPU_HIP")) continue;
        int length = (int)name.length;
        const char *there = compiler ? arena_printf(w->arena, "%.*s := hipcc", length, name.data)
                                     : arena_printf(w->arena, "%.*s := $(filter-out %s,$(%.*s))", length,
                                                    name.data, nvcc_flags, length, name.data);
        size_t at = w->lines.starts[i + 1];
        bool open = at == w->file->text.length && w->file->text.data[at - 1] != '\n';
        fix_edit(w, FIX_BUILD, at, 0,
                 arena_printf(w->arena, "%sifdef GPU_HIP%s%s%sendif%s", open ? newline : "", newline, there,
                              newline, open ? "" : newline));
    }
}

// ---------------------------------------------------------------- setup.py

static const char *const python_helper[] = {
    "def gpu_flags(flags):",
    "    \"\"\"nvcc's options; where PyTorch is built for ROCm only those that hipcc takes too.\"\"\"",
    "    import torch",
    "",
    "    if torch.version.hip is None:",
    "        return flags",
    "    nvidia = (\"-gencode\", \"arch=compute\", \"-arch\", \"--generate-code\", \"--gpu-architecture\", "
    "\"--expt-\",",
    "              \"--use_fast_math\", \"-use_fast_math\", \"-lineinfo\", \"--ptxas-options\", \"-Xptxas\", "
    "\"--threads\")",
    "    return [flag for flag in flags if not flag.startswith(nvidia)]",
    "",
    "",
};

// The bracket that closes the one at `at`; strings are skipped. 0: none.
static size_t bracket_end(Str text, size_t at) {
    size_t depth = 0;
    for (size_t i = at; i < text.length; i++) {
        char c = text.data[i];
        if (c == '"' || c == '\'') {
            for (i++; i < text.length && text.data[i] != c && text.data[i] != '\n'; i++)
                i += text.data[i] == '\\';
        } else if (c == '#') {
            while (i < text.length && text.data[i] != '\n') i++;
        } else if (c == '[') {
            depth++;
        } else if (c == ']' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

// Where the helper goes: before the first import, but behind __future__. SIZE_MAX: there is none.
static size_t first_import(const FixWork *w) {
    for (size_t i = 0; i < w->lines.n; i++) {
        Str s = fix_line(&w->lines, w->file->text, i);
        if (w->lines.free[i] && (str_starts(s, "import ") || str_starts(s, "from ")) &&
            !str_has(s, "__future__"))
            return i;
    }
    return SIZE_MAX;
}

static void fix_setup(FixWork *w) {
    Str text = w->file->text;
    size_t import = first_import(w);
    bool helped = str_has(text, "def gpu_flags(");
    if (!str_has(text, "cpp_extension") || import == SIZE_MAX) return;
    for (size_t i = 0; i < w->lines.n; i++) {
        Str s = fix_line(&w->lines, text, i);
        Str bare = str_trim(s);
        size_t key =
            str_starts(bare, "\"nvcc\": [") || str_starts(bare, "'nvcc': [") ? strlen("\"nvcc\": ") : 0;
        if (key == 0) continue;
        size_t at = (size_t)(bare.data - text.data) + key;
        size_t end = bracket_end(text, at);
        if (end == 0) continue;
        fix_edit(w, FIX_BUILD, at, 0, "gpu_flags(");
        fix_edit(w, FIX_BUILD, end, 0, ")");
        for (size_t k = i; k < w->lines.n && w->lines.starts[k] < end; k++)
            fix_settle(w, "py-nvcc-args", k + 1);
        if (helped) continue;
        helped = true;
        Buf b;
        buf_init(&b, BUF_LIMIT);
        for (size_t k = 0; k < COUNT_OF(python_helper); k++)
            buf_printf(&b, "%s%s", python_helper[k], fix_newline(text));
        fix_edit(w, FIX_BUILD, w->lines.starts[import], 0, arena_copy(w->arena, b.data, b.length));
        buf_free(&b);
    }
    // What an earlier run put round the options.
    for (size_t i = 0; i < w->lines.n; i++) {
        Str s = str_trim(fix_line(&w->lines, text, i));
        if (!str_starts(s, "\"nvcc\": gpu_flags([") && !str_starts(s, "'nvcc': gpu_flags([")) continue;
        size_t end = bracket_end(text, (size_t)(s.data - text.data) + strlen("\"nvcc\": gpu_flags("));
        for (size_t k = i; k < w->lines.n && w->lines.starts[k] < end; k++)
            fix_settle(w, "py-nvcc-args", k + 1);
    }
    // The helper's own list of options is no work.
    for (size_t i = 0; i < w->lines.n; i++) {
        if (!str_starts(fix_line(&w->lines, text, i), python_helper[0])) continue;
        for (size_t k = 0; k < COUNT_OF(python_helper); k++) fix_settle(w, NULL, i + k + 1);
    }
}

void fix_build(FixWork *w) {
    if (w->file->kind == TEXT_CMAKE) fix_cmake(w);
    if (w->file->kind == TEXT_MAKE) fix_make(w);
    if (w->file->kind == TEXT_PYTHON) fix_setup(w);
}
