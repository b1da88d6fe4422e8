// Which of the languages that are not C a file is in, and the one call that scans it.
#include <string.h>

#include "src/migrate/text.h"

const char *const text_kind_names[] = {"none",         "python",    "notebook", "cmake", "make", "bazel",
                                       "meson",        "shell",     "docker",   "yaml",  "toml", "ini",
                                       "requirements", "json-lock", "fortran",  "julia", "rust", "apptainer",
                                       "terraform",    "json",      "autoconf", NULL};

typedef struct NameRule {
    const char *name;  // whole name, ".ext" at its end, or "start*"
    TextKind kind;
} NameRule;

static const NameRule name_rules[] = {
    {"CMakeLists.txt", TEXT_CMAKE},
    {"meson.build", TEXT_MESON},
    {"meson_options.txt", TEXT_MESON},
    {"BUILD", TEXT_BAZEL},
    {"WORKSPACE", TEXT_BAZEL},
    {"BUILD.bazel", TEXT_BAZEL},
    {"WORKSPACE.bazel", TEXT_BAZEL},
    {"MODULE.bazel", TEXT_BAZEL},
    {"Dockerfile*", TEXT_DOCKER},
    {"Containerfile*", TEXT_DOCKER},
    {"Makefile*", TEXT_MAKE},
    {"makefile*", TEXT_MAKE},
    {"GNUmakefile", TEXT_MAKE},
    {"Pipfile", TEXT_TOML},
    {"Pipfile.lock", TEXT_JSON_LOCK},
    {"poetry.lock", TEXT_TOML},
    {"uv.lock", TEXT_TOML},
    {"pdm.lock", TEXT_TOML},
    {"pyproject.toml", TEXT_TOML},
    {"configure.ac", TEXT_AUTOCONF},
    {"configure.in", TEXT_AUTOCONF},
    {"Singularity*", TEXT_APPTAINER},
    {"Apptainer*", TEXT_APPTAINER},
    {"package-lock.json", TEXT_NONE},
    {"setup.cfg", TEXT_INI},
    {"tox.ini", TEXT_INI},
    {".dockerfile", TEXT_DOCKER},
    {".Dockerfile", TEXT_DOCKER},
    {".py", TEXT_PYTHON},
    {".pyi", TEXT_PYTHON},
    {".pyx", TEXT_PYTHON},
    {".pxd", TEXT_PYTHON},
    {".ipynb", TEXT_NOTEBOOK},
    {".cmake", TEXT_CMAKE},
    {".mk", TEXT_MAKE},
    {".mak", TEXT_MAKE},
    {".bzl", TEXT_BAZEL},
    {".bazel", TEXT_BAZEL},
    {".sh", TEXT_SHELL},
    {".bash", TEXT_SHELL},
    {".zsh", TEXT_SHELL},
    {".slurm", TEXT_SHELL},
    {".sbatch", TEXT_SHELL},
    {".sub", TEXT_SHELL},
    {".yaml", TEXT_YAML},
    {".yml", TEXT_YAML},
    {".job", TEXT_SHELL},
    {".pbs", TEXT_SHELL},
    {".lsf", TEXT_SHELL},
    {".toml", TEXT_TOML},
    {".m4", TEXT_AUTOCONF},
    {".am", TEXT_MAKE},
    {".f", TEXT_FORTRAN},
    {".F", TEXT_FORTRAN},
    {".f90", TEXT_FORTRAN},
    {".F90", TEXT_FORTRAN},
    {".f95", TEXT_FORTRAN},
    {".F95", TEXT_FORTRAN},
    {".f03", TEXT_FORTRAN},
    {".F03", TEXT_FORTRAN},
    {".f08", TEXT_FORTRAN},
    {".F08", TEXT_FORTRAN},
    {".for", TEXT_FORTRAN},
    {".FOR", TEXT_FORTRAN},
    {".cuf", TEXT_FORTRAN},
    {".CUF", TEXT_FORTRAN},
    {".fypp", TEXT_FORTRAN},
    {".jl", TEXT_JULIA},
    {".rs", TEXT_RUST},
    {".tf", TEXT_TERRAFORM},
    {".tfvars", TEXT_TERRAFORM},
    {".hcl", TEXT_TERRAFORM},
    {".nomad", TEXT_TERRAFORM},
    {".json", TEXT_JSON},
};

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text);
    size_t m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool name_fits(const char *base, const char *rule) {
    size_t n = strlen(rule);
    if (rule[n - 1] == '*') return strncmp(base, rule, n - 1) == 0;
    return rule[0] == '.' ? ends_with(base, rule) && strcmp(base, rule) != 0 : strcmp(base, rule) == 0;
}

// requirements.txt, requirements-dev.in, constraints.txt, and any .txt in a folder named requirements.
static bool is_requirements(const char *path, const char *base) {
    if (!ends_with(base, ".txt") && !ends_with(base, ".in")) return false;
    if (text_contains(base, "requirements") || strncmp(base, "constraints", 11) == 0) return true;
    return base - path >= 13 && strncmp(base - 13, "requirements/", 13) == 0;
}

static TextKind kind_of_script(Str head) {
    if (head.length < 2 || head.data[0] != '#' || head.data[1] != '!') return TEXT_NONE;
    const char *newline = memchr(head.data, '\n', head.length);
    char line[128];
    size_t n = newline == NULL ? head.length : (size_t)(newline - head.data);
    if (n >= sizeof line) n = sizeof line - 1;
    memcpy(line, head.data, n);
    line[n] = '\0';
    if (strstr(line, "python") != NULL) return TEXT_PYTHON;
    return strstr(line, "sh") != NULL ? TEXT_SHELL : strstr(line, "make") != NULL ? TEXT_MAKE : TEXT_NONE;
}

static bool says_bootstrap(Str head) {
    Str line;
    while (str_next(&head, '\n', &line)) {
        line = str_trim(line);
        if (line.length > 10 && (line.data[0] | 32) == 'b' && memcmp(line.data + 1, "ootstrap:", 9) == 0)
            return true;
        if (line.length > 0 && line.data[0] != '#') return false;
    }
    return false;
}

TextKind text_kind(const char *path, Str head) {
    const char *base = path_name(path);
    if (is_requirements(path, base)) return TEXT_REQUIREMENTS;
    for (size_t i = 0; i < COUNT_OF(name_rules); i++) {
        if (name_fits(base, name_rules[i].name)) return name_rules[i].kind;
    }
    // ".def" is of Apptainer when it says where it starts from, and of linkers otherwise.
    if (ends_with(base, ".def") && says_bootstrap(head)) return TEXT_APPTAINER;
    return strchr(base, '.') == NULL ? kind_of_script(head) : TEXT_NONE;
}

bool text_scan(TextKind kind, const char *name, Str text, const TextFacts *facts, const TextSink *sink,
               Arena *scratch, Err *e) {
    TextScan s;
    if (kind == TEXT_NONE) return true;
    if (kind == TEXT_NOTEBOOK) return notebook_scan(name, text, facts, sink, scratch, e);
    scan_init(&s, kind, name, text, facts, sink);
    if (kind == TEXT_PYTHON || kind == TEXT_BAZEL) {
        python_scan(&s);
    } else if (kind == TEXT_FORTRAN) {
        fortran_scan(&s);
    } else if (kind == TEXT_RUST || kind == TEXT_TERRAFORM) {
        slashed_scan(&s);
    } else if (kind == TEXT_JSON) {
        // Data in this form is large and common.
        if (cuda_word_in(text) != SIZE_MAX) scan_stretch(&s, STRETCH_CODE, 0, text.length);
    } else if (kind != TEXT_JSON_LOCK) {
        hashed_scan(&s);
    }
    scan_end(&s);
    return dependencies_scan(&s, e);
}
