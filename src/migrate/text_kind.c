// Which of the languages that are not C a file is in, and the one call that scans it.
#include <string.h>

#include "src/migrate/text.h"

const char *const text_kind_names[] = {"none",         "python",    "notebook", "cmake", "make", "bazel",
                                       "meson",        "shell",     "docker",   "yaml",  "toml", "ini",
                                       "requirements", "json-lock", "fortran",  "julia", "rust", "apptainer",
                                       "terraform",    "json",      "autoconf", NULL};

// Whole names and those that begin as one before a '*', then endings; the first row that fits counts.
static const struct {
    TextKind kind;
    const char *names;
} name_rules[] = {
    {TEXT_CMAKE, "CMakeLists.txt"},
    {TEXT_MESON, "meson.build meson_options.txt"},
    {TEXT_BAZEL, "BUILD WORKSPACE BUILD.bazel WORKSPACE.bazel MODULE.bazel"},
    {TEXT_DOCKER, "Dockerfile* Containerfile*"},
    {TEXT_MAKE, "Makefile* makefile* GNUmakefile"},
    {TEXT_TOML, "Pipfile poetry.lock uv.lock pdm.lock pyproject.toml"},
    {TEXT_JSON_LOCK, "Pipfile.lock"},
    {TEXT_AUTOCONF, "configure.ac configure.in"},
    {TEXT_APPTAINER, "Singularity* Apptainer*"},
    {TEXT_NONE, "package-lock.json"},
    {TEXT_INI, "setup.cfg tox.ini"},
    {TEXT_DOCKER, ".dockerfile .Dockerfile"},
    {TEXT_PYTHON, ".py .pyi .pyx .pxd"},
    {TEXT_NOTEBOOK, ".ipynb"},
    {TEXT_CMAKE, ".cmake"},
    {TEXT_MAKE, ".mk .mak .am"},
    {TEXT_BAZEL, ".bzl .bazel"},
    {TEXT_SHELL, ".sh .bash .zsh .slurm .sbatch .sub .job .pbs .lsf"},
    {TEXT_YAML, ".yaml .yml"},
    {TEXT_TOML, ".toml"},
    {TEXT_AUTOCONF, ".m4"},
    {TEXT_FORTRAN, ".f .F .f90 .F90 .f95 .F95 .f03 .F03 .f08 .F08 .for .FOR .cuf .CUF .fypp"},
    {TEXT_JULIA, ".jl"},
    {TEXT_RUST, ".rs"},
    {TEXT_TERRAFORM, ".tf .tfvars .hcl .nomad"},
    {TEXT_JSON, ".json"},
};

static bool name_fits(const char *base, Str rule) {
    size_t n = strlen(base);
    if (rule.data[rule.length - 1] == '*') return strncmp(base, rule.data, rule.length - 1) == 0;
    if (rule.data[0] != '.') return str_is(rule, base);
    return n > rule.length && memcmp(base + n - rule.length, rule.data, rule.length) == 0;
}

static bool is_named(const char *base, const char *names) {
    Str rest = str_of(names);
    Str rule;
    while (str_next(&rest, ' ', &rule)) {
        if (name_fits(base, rule)) return true;
    }
    return false;
}

// requirements.txt, requirements-dev.in, constraints.txt, and any .txt in a folder named requirements.
static bool is_requirements(const char *path, const char *base) {
    if (!text_ends(base, ".txt") && !text_ends(base, ".in")) return false;
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
        if (is_named(base, name_rules[i].names)) return name_rules[i].kind;
    }
    // ".def" is of Apptainer when it says where it starts from, and of linkers otherwise.
    if (text_ends(base, ".def") && says_bootstrap(head)) return TEXT_APPTAINER;
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
