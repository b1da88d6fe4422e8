// Images, containers, clusters: a variable whose default is the line as it was, or a comment that says what
// AMD's line would be.
#include <string.h>

#include "src/migrate/fix.h"

// ---------------------------------------------------------------- Dockerfile

static bool is_from(Str line, Str *ret_image) {
    Str rest = str_trim(line);
    Str word;
    bool from = str_next(&rest, ' ', &word) && (str_is(word, "FROM") || str_is(word, "from"));
    return from && str_next(&rest, ' ', ret_image);
}

// Images on nvidia/cuda become build arguments of which CUDA's is the default. They are declared before the
// first FROM, where alone a FROM can use them.
static void fix_docker(FixWork *w) {
    enum { IMAGES_MAX = 8 };
    Str images[IMAGES_MAX];
    size_t n = 0;
    size_t first = SIZE_MAX;
    Buf arguments;
    buf_init(&arguments, BUF_LIMIT);
    for (size_t i = 0; i < w->lines.n; i++) {
        Str line = fix_line(&w->lines, w->file->text, i);
        Str image;
        if (!w->lines.free[i] || !is_from(line, &image)) continue;
        if (first == SIZE_MAX) first = i;
        if (str_starts(image, "${GPU_BASE")) fix_settle(w, "c-from", i + 1);
        if (!str_starts(image, "nvidia/cuda:") || str_find(image, "$", 0) != SIZE_MAX) continue;
        size_t k = 0;
        while (k < n &&
               !(images[k].length == image.length && memcmp(images[k].data, image.data, image.length) == 0))
            k++;
        if (k == IMAGES_MAX) continue;
        const char *name = k == 0 ? "GPU_BASE" : arena_printf(w->arena, "GPU_BASE_%zu", k + 1);
        if (k == n) {
            images[n++] = image;
            buf_printf(&arguments, "# AMD: --build-arg %s=rocm/dev-ubuntu-24.04 or another image of ROCm%s",
                       name, fix_newline(w->file->text));
            buf_printf(&arguments, "ARG %s=%.*s%s", name, (int)image.length, image.data,
                       fix_newline(w->file->text));
        }
        fix_edit(w, FIX_DEPLOY, (size_t)(image.data - w->file->text.data), image.length,
                 arena_printf(w->arena, "${%s}", name));
        fix_settle(w, "c-from-cuda", i + 1);
    }
    if (n > 0 && str_find(w->file->text, "ARG GPU_BASE", 0) == SIZE_MAX)
        fix_edit(w, FIX_DEPLOY, w->lines.starts[first], 0,
                 arena_copy(w->arena, arguments.data, arguments.length));
    buf_free(&arguments);
    // The arguments of an earlier run.
    for (size_t i = 0; i < w->lines.n; i++) {
        if (str_starts(fix_line(&w->lines, w->file->text, i), "ARG GPU_BASE")) fix_settle(w, "c-from", i + 1);
    }
}

// ---------------------------------------------------------------- shell

// A word of a command, in no quotes, that a variable may take the place of.
typedef struct ShellWord {
    const char *word, *with,
        *beside;       // beside: one of these stands on the line, with blanks between; "": any
    const char *rule;  // that it settles
} ShellWord;

static const ShellWord shell_words[] = {
    {"--gpus all", "${GPU_DOCKER_FLAGS:---gpus all}", "docker podman nerdctl", "c-gpus-all"},
    {"--gpus=all", "${GPU_DOCKER_FLAGS:---gpus=all}", "docker podman nerdctl", "c-gpus-all"},
    {"--nv", "${GPU_CONTAINER_FLAG:---nv}", "apptainer singularity", "c-"},
};

static bool speaks_of(Str line, const char *list) {
    Str rest = str_of(list);
    Str word;
    char text[40];
    while (str_next(&rest, ' ', &word)) {
        memcpy(text, word.data, word.length);
        text[word.length] = '\0';
        if (str_find(line, text, 0) != SIZE_MAX) return true;
    }
    return false;
}

// Is the place at `at` of the line outside quotes and comments?
static bool is_bare(Str line, size_t at) {
    size_t single = 0;
    size_t both = 0;
    for (size_t i = 0; i < at; i++) {
        single += line.data[i] == '\'';
        both += line.data[i] == '"';
        if (line.data[i] == '#' && (i == 0 || line.data[i - 1] == ' ' || line.data[i - 1] == '\t'))
            return false;
    }
    return single % 2 == 0 && both % 2 == 0;
}

static bool ends_word(Str line, size_t at) {
    return at >= line.length || strchr(" \t\\;&|", line.data[at]) != NULL;
}

// `module load cuda/12.4` -> `module load "${GPU_MODULE:-cuda/12.4}"`.
static void fix_module(FixWork *w, size_t i, Str line) {
    Str bare = str_trim(line);
    const char *starts[] = {"module load ", "ml load ", "module add "};
    for (size_t k = 0; k < COUNT_OF(starts); k++) {
        if (!str_starts(bare, starts[k])) continue;
        Str rest = {bare.data + strlen(starts[k]), bare.length - strlen(starts[k])};
        Str word;
        while (str_next(&rest, ' ', &word)) {
            if (!str_starts(word, "cuda") || (word.length > 4 && word.data[4] != '/')) continue;
            fix_edit(w, FIX_DEPLOY, (size_t)(word.data - w->file->text.data), word.length,
                     arena_printf(w->arena, "\"${GPU_MODULE:-%.*s}\"", (int)word.length, word.data));
            fix_settle(w, "k-", i + 1);
        }
    }
}

static void fix_shell(FixWork *w) {
    for (size_t i = 0; i < w->lines.n; i++) {
        Str line = fix_line(&w->lines, w->file->text, i);
        if (!w->lines.free[i]) continue;
        fix_module(w, i, line);
        for (size_t k = 0; k < COUNT_OF(shell_words); k++) {
            const ShellWord *x = &shell_words[k];
            size_t n = strlen(x->word);
            if (str_find(line, x->with, 0) != SIZE_MAX) fix_settle(w, x->rule, i + 1);
            size_t at = str_find(line, x->word, 0);
            bool fits = at != SIZE_MAX && at > 0 && line.data[at - 1] == ' ' && ends_word(line, at + n) &&
                        is_bare(line, at) && speaks_of(line, x->beside);
            if (!fits) continue;
            fix_edit(w, FIX_DEPLOY, w->lines.starts[i] + at, n, x->with);
            fix_settle(w, x->rule, i + 1);
        }
    }
}

// ---------------------------------------------------------------- Kubernetes

// A manifest has no conditions, so that AMD's line stands beside as a comment.
static void fix_yaml(FixWork *w) {
    static const char resource[] = "nvidia.com/gpu";
    for (size_t i = 0; i < w->lines.n; i++) {
        Str line = fix_line(&w->lines, w->file->text, i);
        Str bare = str_trim(line);
        size_t at = str_find(bare, resource, 0);
        if (at == SIZE_MAX || bare.data[0] == '#' || !w->lines.free[i]) continue;
        size_t end = at + strlen(resource);
        while (end < bare.length && (bare.data[end] == '"' || bare.data[end] == '\'')) end++;
        if (end >= bare.length || bare.data[end] != ':') continue;
        const char *text = arena_printf(
            w->arena, "%.*s# AMD: %.*samd.com/gpu%.*s", (int)(bare.data - line.data), line.data, (int)at,
            bare.data, (int)(bare.length - at - strlen(resource)), bare.data + at + strlen(resource));
        fix_settle(w, "k-resource", i + 1);
        Str above = i > 0 ? fix_line(&w->lines, w->file->text, i - 1) : (Str){"", 0};
        if (str_is(above, text)) continue;
        fix_edit(w, FIX_DEPLOY, w->lines.starts[i], 0,
                 arena_printf(w->arena, "%s%s", text, fix_newline(w->file->text)));
    }
}

void fix_deploy(FixWork *w) {
    if (w->file->kind == TEXT_DOCKER) fix_docker(w);
    if (w->file->kind == TEXT_SHELL) fix_shell(w);
    if (w->file->kind == TEXT_YAML) fix_yaml(w);
}
