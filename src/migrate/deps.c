// Dependencies: one requirement (PEP 508 and what stands for it in conda files and commands), looked up and
// judged.
#include <string.h>

#include "src/facts/facts.h"
#include "src/migrate/deps.h"

enum { NAME_BYTES_MAX = 128, ADDRESS_BYTES_MAX = 300 };

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_name_char(char c) { return char_is_word(c) || c == '-' || c == '.'; }

static bool str_ends(Str s, const char *what) {
    size_t n = strlen(what);
    return s.length >= n && memcmp(s.data + s.length - n, what, n) == 0;
}

// ---------------------------------------------------------------- names

// PEP 503: lower case, runs of "-_." as one "-". False when it is no name or too long.
static bool normalize(Str name, char out[NAME_BYTES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < name.length; i++) {
        char c = name.data[i];
        bool dash = c == '-' || c == '_' || c == '.';
        if (dash && n > 0 && out[n - 1] == '-') continue;
        if (n + 1 >= NAME_BYTES_MAX) return false;
        out[n++] = dash ? '-' : char_lower(c);
    }
    out[n] = '\0';
    return n > 0;
}

static const Package *find(const TextFacts *f, const char *name) {
    return row_find(name, f->packages, f->n_packages, sizeof *f->packages, order_name);
}

// Names that differ only in the CUDA release that they are built for ("cupy-cuda11x", "spconv-cu118") share a
// row. Gives the length of the name before such an ending, or 0.
static size_t stem_of(const char *name) {
    const char *dash = strrchr(name, '-');
    if (dash == NULL || dash == name || strncmp(dash, "-cu", 3) != 0) return 0;
    const char *digits = strncmp(dash, "-cuda", 5) == 0 ? dash + 5 : dash + 3;
    if (*digits < '0' || *digits > '9') return 0;
    while (*digits >= '0' && *digits <= '9') digits++;
    if (*digits != '\0' && strcmp(digits, "x") != 0) return 0;
    return (size_t)(dash - name);
}

static const Package *find_family(const TextFacts *f, const char *name) {
    size_t stem = stem_of(name);
    if (stem == 0) return NULL;
    for (size_t i = 0; i < f->n_packages; i++) {
        const char *other = f->packages[i].package;
        if (stem_of(other) == stem && strncmp(other, name, stem) == 0) return &f->packages[i];
    }
    for (size_t i = 0; i < f->n_packages; i++) {
        const char *other = f->packages[i].package;
        if (strlen(other) == stem && strncmp(other, name, stem) == 0) return &f->packages[i];
    }
    // Parts of the CUDA toolkit: all of one kind, whichever library it is.
    return strncmp(name, "nvidia-", 7) == 0 ? find(f, "nvidia-cuda-runtime-cu12") : NULL;
}

// An extra may have a row of its own: "jax[cuda12]".
static const Package *find_with_extras(const TextFacts *f, const char *name, Str extras) {
    char with[2 * NAME_BYTES_MAX];
    size_t n = strlen(name);
    if (extras.length == 0 || extras.length + 1 >= NAME_BYTES_MAX) return NULL;
    memcpy(with, name, n);
    memcpy(with + n, extras.data, extras.length);
    with[n + extras.length] = '\0';
    return find(f, with);
}

// The package's row; names that differ only in the CUDA release share one. NULL: unknown.
static const Package *package_find(const TextFacts *f, Str name, Str extras) {
    char plain[NAME_BYTES_MAX];
    if (!normalize(name, plain)) return NULL;
    const Package *p = find_with_extras(f, plain, extras);
    if (p == NULL) p = find(f, plain);
    return p != NULL ? p : find_family(f, plain);
}

static bool is_nvidia_wheel(Str name) {
    char plain[NAME_BYTES_MAX];
    static const char *const others[] = {"cuda-python", "nvidia-ml-py", "pytorch-cuda", "cudatoolkit", NULL};
    if (!normalize(name, plain)) return false;
    if (name_index(others, plain) >= 0) return true;
    return stem_of(plain) > 0 && (strncmp(plain, "nvidia-", 7) == 0 || strncmp(plain, "cupy-cuda", 9) == 0);
}

static bool is_conda_cuda(Str name) {
    static const char *const names[] = {
        "cudatoolkit",  "cudatoolkit-dev", "cuda",         "cuda-nvcc",      "cuda-toolkit",
        "cuda-cudart",  "cuda-cudart-dev", "cuda-version", "cuda-libraries", "cuda-libraries-dev",
        "cuda-runtime", "pytorch-cuda",    "cudnn",        "nccl",           NULL};
    char plain[NAME_BYTES_MAX];
    return normalize(name, plain) && name_index(names, plain) >= 0;
}

// ---------------------------------------------------------------- one requirement

// A backslash, and the end of its line: 0 when none stands at `at`.
static size_t join_at(Str s, size_t at) {
    if (at + 1 >= s.length || s.data[at] != '\\') return 0;
    if (s.data[at + 1] == '\n') return 2;
    return at + 2 < s.length && s.data[at + 1] == '\r' && s.data[at + 2] == '\n' ? 3 : 0;
}

static size_t skip_blanks(Str s, size_t at) {
    while (at < s.length && (is_blank(s.data[at]) || join_at(s, at) > 0))
        at += is_blank(s.data[at]) ? 1 : join_at(s, at);
    return at;
}

bool requirement_parse(Str s, Requirement *ret) {
    size_t at = skip_blanks(s, 0);
    size_t start = at;
    while (at < s.length && is_name_char(s.data[at])) at++;
    Requirement r = {.name = {s.data + start, at - start}, .at = start};
    bool alphanumeric =
        r.name.length > 0 && r.name.data[0] != '-' && r.name.data[0] != '.' && r.name.data[0] != '_';
    if (!alphanumeric) return false;
    at = skip_blanks(s, at);
    if (at < s.length && s.data[at] == '[') {
        size_t close = at;
        while (close < s.length && s.data[close] != ']') close++;
        if (close == s.length) return false;
        r.extras = (Str){s.data + at, close + 1 - at};
        at = skip_blanks(s, close + 1);
    }
    size_t end = at;
    while (end < s.length && s.data[end] != ';' && s.data[end] != '\n' && join_at(s, end) == 0 &&
           !(s.data[end] == '-' && end > at && is_blank(s.data[end - 1])))
        end++;
    r.spec = str_trim((Str){s.data + at, end - at});
    if (r.spec.length > 0 && strchr("=<>!~@(^*0123456789", r.spec.data[0]) == NULL) return false;
    *ret = r;
    return true;
}

// "git+https://host/owner/name@tag#egg=x": the last part of its path.
static bool name_of_address(Str s, Requirement *ret) {
    size_t end = s.length;
    for (size_t i = 0; i < s.length; i++) {
        if (s.data[i] == '#' || is_blank(s.data[i]) || (s.data[i] == '@' && i > 12)) {
            end = i;
            break;
        }
    }
    size_t start = end;
    while (start > 0 && s.data[start - 1] != '/') start--;
    Str name = {s.data + start, end - start};
    if (name.length > 4 && memcmp(name.data + name.length - 4, ".git", 4) == 0) name.length -= 4;
    bool other = str_starts(s, "http") && !str_has(s, ".whl") && !str_has(s, ".tar.") &&
                 !str_has(s, ".zip") && !str_has(s, ".git");
    for (size_t i = 0; i < name.length; i++) other = other || !is_name_char(name.data[i]);
    *ret = (Requirement){.name = name, .spec = s, .at = start};
    return name.length > 0 && !other;
}

static bool is_exact(Str spec) {
    return str_starts(spec, "==") || str_starts(spec, "===") || str_starts(spec, "@") ||
           str_starts(spec, "=");
}

const char *rule_of_class(double effort_class) {
    static const char *const rules[] = {"dep-class-0", "dep-class-1", "dep-class-2",
                                        "dep-class-3", "dep-class-4", "dep-class-5"};
    if (!is_known(effort_class) || effort_class < 0) return NULL;
    size_t k = (size_t)effort_class;
    return k < COUNT_OF(rules) ? rules[k] : rules[COUNT_OF(rules) - 1];
}

// Does the tree itself install a package of this name? '-', '_' and '.' are the same to pip.
static bool is_project(const TextFacts *f, Str name) {
    for (size_t i = 0; i < f->n_projects; i++) {
        const char *own = f->projects[i];
        size_t k = 0;
        while (k < name.length && own[k] != '\0') {
            char a = char_lower(name.data[k]);
            char b = char_lower(own[k]);
            if ((a == '-' || a == '.' ? '_' : a) != (b == '-' || b == '.' ? '_' : b)) break;
            k++;
        }
        if (k == name.length && own[k] == '\0') return true;
    }
    return false;
}

void dependency_report(TextScan *s, const Requirement *r, size_t offset, DependencyPlace place) {
    DependencyHit h = {.name = r->name, .spec = r->spec, .port_class = -1};
    if (s->sink->dependency == NULL || r->name.length >= NAME_BYTES_MAX || is_project(s->facts, r->name))
        return;
    h.package = package_find(s->facts, r->name, r->extras);
    if (place.known_only && h.package == NULL && !(place.conda && is_conda_cuda(r->name))) return;
    h.port_class = h.package == NULL ? -1 : port_class_of(h.package->effort_class);
    h.rule = h.package == NULL ? NULL : rule_of_class(h.package->effort_class);
    bool other_wheel = h.package != NULL && (strcmp(h.package->rocm_status, "different-wheel") == 0 ||
                                             strcmp(h.package->rocm_status, "fork") == 0);
    h.pinned = is_exact(r->spec);
    h.pin_blocks = str_has(r->spec, "+cu") || (h.pinned && other_wheel && !str_has(r->spec, "rocm"));
    h.index_trap = place.extra_rocm_index && other_wheel && !str_has(r->spec, "rocm");
    if (place.conda && is_conda_cuda(r->name)) {
        h.rule = "b-conda";
        h.port_class = PORT_REVIEW;
    } else if (is_nvidia_wheel(r->name)) {
        h.rule = "py-req-nvidia";
        if (h.port_class < PORT_REVIEW) h.port_class = PORT_REVIEW;
    }
    scan_place(s, offset, &h.line, &h.column);
    h.offset = scan_file_offset(s, offset);
    s->sink->dependency(s->sink->context, &h);
}

void requirement_report(TextScan *s, size_t from, size_t to, DependencyPlace place) {
    Requirement r;
    Str text = {s->text.data + from, to - from};
    size_t at = skip_blanks(text, 0);
    Str rest = {text.data + at, text.length - at};
    bool address = str_starts(rest, "git+") || str_starts(rest, "http:") || str_starts(rest, "https:");
    // a file that was built here
    if (!address && str_ends(str_trim(rest), ".whl") && !str_has(rest, "@")) return;
    if (rest.length == 0 || !(address ? name_of_address(rest, &r) : requirement_parse(rest, &r))) return;
    if (!address && str_starts(r.spec, "=") && !str_starts(r.spec, "==") && !place.conda) return;
    dependency_report(s, &r, from + at + r.at, place);
}

// ---------------------------------------------------------------- commands

static bool word_is(Str w, const char *text) { return str_is(w, text); }

// "${{ ... }}" of a CI file is part of its word: the place after it, or `at` when none starts there.
static size_t expression_end(Str text, size_t at, size_t to) {
    if (at + 3 > to || memcmp(text.data + at, "${{", 3) != 0) return at;
    for (size_t i = at + 3; i + 1 < to && i - at < ADDRESS_BYTES_MAX; i++) {
        if (text.data[i] == '}' && text.data[i + 1] == '}') return i + 2;
    }
    return at;
}

// Next word of a command; quotes and the backslash that joins lines are dropped.
static bool next_word(Str text, size_t *at, size_t to, size_t *ret_from, size_t *ret_to) {
    size_t i = *at;
    while (i < to && (is_blank(text.data[i]) || text.data[i] == '\\' || text.data[i] == '\n' ||
                      text.data[i] == '"' || text.data[i] == '\''))
        i++;
    size_t start = i;
    while (i < to && !is_blank(text.data[i]) && text.data[i] != '\n' && text.data[i] != '"' &&
           text.data[i] != '\'') {
        size_t end = expression_end(text, i, to);
        i = end > i ? end : i + 1;
    }
    *at = i;
    *ret_from = start;
    *ret_to = i;
    return i > start;
}

// Options of pip and conda whose value is the next word.
static bool takes_value(Str w) {
    static const char *const options[] = {"-i",
                                          "-f",
                                          "-c",
                                          "-r",
                                          "-n",
                                          "-p",
                                          "-t",
                                          "-e",
                                          "--index-url",
                                          "--extra-index-url",
                                          "--find-links",
                                          "--channel",
                                          "--name",
                                          "--prefix",
                                          "--target",
                                          "--constraint",
                                          "--requirement",
                                          "--file",
                                          "--python-version",
                                          "--platform",
                                          "--trusted-host",
                                          "--timeout",
                                          "--index",
                                          "--default-index",
                                          NULL};
    for (size_t i = 0; options[i] != NULL; i++) {
        if (word_is(w, options[i])) return true;
    }
    return false;
}

static bool ends_command(Str w) {
    return word_is(w, "&&") || word_is(w, "||") || word_is(w, ";") || word_is(w, "|") || word_is(w, "&") ||
           word_is(w, ">") || word_is(w, ">>");
}

// The list at text[from..to): given apart from its option (`option` is empty) or with it: "-rx.txt",
// "--requirement=x.txt".
static void list_report(TextScan *s, Str option, size_t from, size_t to, DependencyPlace place) {
    static const char *const options[] = {"--requirement=", "--constraint=", "-r", "-c"};
    size_t skipped = option.length == 0 ? 0 : SIZE_MAX;
    for (size_t i = 0; skipped == SIZE_MAX && i < COUNT_OF(options); i++) {
        if (str_starts(option, options[i])) skipped = strlen(options[i]);
    }
    if (s->sink->list == NULL || skipped == SIZE_MAX || skipped >= to - from) return;
    ListHit h = {.target = {s->text.data + from + skipped, to - from - skipped},
                 .rocm_index = place.extra_rocm_index};
    size_t column = 0;
    scan_place(s, from, &h.line, &column);
    s->sink->list(s->sink->context, &h);
}

// What follows "install": requirements and options up to the end of the command.
static size_t install_words(TextScan *s, size_t at, size_t to, bool conda) {
    size_t from = 0;
    size_t end = 0;
    size_t first = at;
    DependencyPlace place = {.conda = conda, .known_only = false};
    for (size_t i = at; next_word(s->text, &i, to, &from, &end);) {
        Str w = {s->text.data + from, end - from};
        if (ends_command(w)) break;
        bool index = str_starts(w, "--extra-index-url") || word_is(w, "--index");
        size_t seen = to - from < ADDRESS_BYTES_MAX ? to - from : ADDRESS_BYTES_MAX;  // option and address
        if (index && !place.extra_rocm_index) place.extra_rocm_index = str_has((Str){w.data, seen}, "rocm");
    }
    bool skip = false;
    bool list = false;
    at = first;
    while (next_word(s->text, &at, to, &from, &end)) {
        Str w = {s->text.data + from, end - from};
        if (ends_command(w)) break;
        bool option = w.data[0] == '-';
        bool last = w.data[w.length - 1] == ';';
        if (!conda && (list || option)) list_report(s, list ? (Str){"", 0} : w, from, end - last, place);
        list =
            word_is(w, "-r") || word_is(w, "--requirement") || word_is(w, "-c") || word_is(w, "--constraint");
        if (!option && !skip && strchr("$./{(<>%`", w.data[0]) == NULL)
            requirement_report(s, from, last ? end - 1 : end, place);
        skip = option && takes_value(w);
        if (last) break;
    }
    return at;
}

void dependencies_command(TextScan *s, size_t from, size_t to) {
    size_t at = from;
    size_t start = 0;
    size_t end = 0;
    Str before = {"", 0};
    while (next_word(s->text, &at, to, &start, &end)) {
        Str w = {s->text.data + start, end - start};
        bool pip = str_has(before, "pip");
        bool conda = word_is(before, "conda") || word_is(before, "mamba") || word_is(before, "micromamba");
        if ((word_is(w, "install") && (pip || conda)) ||
            (word_is(w, "add") && (word_is(before, "uv") || word_is(before, "poetry")))) {
            at = install_words(s, at, to, conda);
        }
        bool notebook = w.length > 1 && (w.data[0] == '!' || w.data[0] == '%');  // "!conda install x"
        before = notebook ? (Str){w.data + 1, w.length - 1} : w;
    }
}
