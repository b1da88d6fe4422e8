// migrate fix --check: what compilers say of each changed file, before and after.
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/migrate_fix.h"
#include "cli/tool.h"

enum { WORDS_MAX = 400, FOLDERS_MAX = 120, COMPILE_S = 180 };

// A tree of links beside the original: only what the patch changes is a file of its own.
typedef struct Mirror {
    const char *folder;
    const char *folders[FOLDERS_MAX];  // of headers, from the root
    size_t n_folders;
} Mirror;

// ---------------------------------------------------------------- the two trees

static bool make_folders(Arena *a, const char *root, const char *path) {
    for (const char *p = strchr(path, '/'); p != NULL; p = strchr(p + 1, '/')) {
        const char *folder = arena_printf(a, "%s/%.*s", root, (int)(p - path), path);
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) return false;
    }
    return true;
}

static const FixChange *change_of(const FixChange *changes, size_t n, const char *path) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(changes[i].path, path) == 0) return &changes[i];
    }
    return NULL;
}

// The folders that hold headers, and those called include: where a build would look.
static void note_folder(Arena *a, Mirror *m, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!fix_is_header(path)) return;
    const char *include = strstr(path, "include/");
    const char *const ends[] = {include == NULL ? NULL : include + strlen("include"), slash};
    for (size_t k = 0; k < COUNT_OF(ends); k++) {
        if (ends[k] == NULL) continue;
        const char *folder = arena_copy(a, path, (size_t)(ends[k] - path));
        bool known = false;
        for (size_t i = 0; i < m->n_folders; i++) known = known || strcmp(m->folders[i], folder) == 0;
        if (!known && m->n_folders < FOLDERS_MAX) m->folders[m->n_folders++] = folder;
    }
}

static bool mirror_make(App *app, const char *root, const char *const *files, size_t n_files,
                        const FixChange *changes, size_t n, Mirror *m, Err *e) {
    Arena *a = &app->arena;
    char *folder =
        arena_printf(a, "%s/gpuadvise-fix-XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    char whole[PATH_MAX];
    bool known = realpath(root, whole) != NULL;
    m->folder = mkdtemp(folder);
    bool ok = m->folder != NULL && known;
    for (size_t i = 0; ok && i < n_files; i++) {
        note_folder(a, m, files[i]);
        if (change_of(changes, n, files[i]) != NULL) continue;
        const char *to = arena_printf(a, "%s/%s", m->folder, files[i]);
        ok = make_folders(a, m->folder, files[i]) &&
             symlink(arena_printf(a, "%s/%s", whole, files[i]), to) == 0;
    }
    for (size_t i = 0; ok && i < n; i++) {
        ok = make_folders(a, m->folder, changes[i].path) &&
             file_write(arena_printf(a, "%s/%s", m->folder, changes[i].path), changes[i].after.data,
                        changes[i].after.length, e);
    }
    return ok || err_set(e, ERR_FAILED, "make a copy of the tree: %s", strerror(errno));
}

static int drop(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

// ---------------------------------------------------------------- compilers

typedef struct Compiler {
    const char *path;
    const char *const *flags;  // NULL ends
    const char *rocm;          // NULL: no --rocm-path
} Compiler;

static size_t count_errors(Str output, const char **ret_first, Arena *a) {
    size_t n = 0;
    Str line;
    while (str_next(&output, '\n', &line)) {
        if (!str_has(line, "error:") && !str_has(line, "error :")) continue;
        if (n++ == 0) *ret_first = arena_copy(a, line.data, line.length < 300 ? line.length : 300);
    }
    return n;
}

// Errors of one file of the tree at `root`; -1: the compiler did not come to an end.
static int compile(App *app, const Compiler *c, const Mirror *m, const char *root, const char *path,
                   const char **ret_first) {
    char *words[WORDS_MAX];
    size_t n = 0;
    ToolRun run;
    *ret_first = "";
    words[n++] = (char *)(uintptr_t)c->path;
    for (size_t i = 0; c->flags[i] != NULL; i++) words[n++] = (char *)(uintptr_t)c->flags[i];
    if (c->rocm != NULL) words[n++] = arena_printf(&app->arena, "--rocm-path=%s", c->rocm);
    words[n++] = (char *)(uintptr_t) "-I.";
    for (size_t i = 0; i < m->n_folders; i++) words[n++] = arena_printf(&app->arena, "-I%s", m->folders[i]);
    words[n++] = (char *)(uintptr_t)path;
    words[n] = NULL;
    if (!tool_run(&app->arena, words, root, COMPILE_S, &run) || run.code < 0) return -1;
    size_t errors = count_errors(run.output, ret_first, &app->arena);
    if (errors == 0 && run.code != 0) errors = 1;
    return (int)errors;
}

static bool is_source(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && word_in("cu cpp cc cxx hip", dot + 1);
}

static void check_all(App *app, const Compiler *c, const Mirror *m, const char *root,
                      const FixChange *changes, size_t n, Check *ret) {
    ret->compiler = c->path;
    ret->rows = arena_alloc(&app->arena, n + 1, sizeof *ret->rows);
    for (size_t i = 0; i < n; i++) {
        if (changes[i].before.data == NULL || !is_source(changes[i].path)) continue;
        CheckRow *row = &ret->rows[ret->n++];
        const char *ignored = "";
        row->path = changes[i].path;
        row->before = compile(app, c, m, root, row->path, &ignored);
        row->after = compile(app, c, m, m->folder, row->path, &row->first);
    }
}

static const char *rocm_folder(Arena *a) {
    const char *const names[] = {getenv("ROCM_PATH"), getenv("HIP_PATH"), "/opt/rocm"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (names[i] != NULL && access(arena_printf(a, "%s/include/hip/hip_runtime.h", names[i]), R_OK) == 0)
            return names[i];
    }
    return NULL;
}

bool fix_check(App *app, const char *root, const char *const *files, size_t n_files, const FixChange *changes,
               size_t n, Check *ret_cuda, Check *ret_hip, Err *e) {
    static const char *const nvcc[] = {
        "-x", "cu",        "-std=c++17", "-w", "-c", "-arch=compute_80", "-code=compute_80",
        "-o", "/dev/null", NULL};
    static const char *const hip[] = {"-x",
                                      "hip",
                                      "-std=c++17",
                                      "-w",
                                      "-fsyntax-only",
                                      "--offload-arch=gfx942",
                                      "-nogpulib",
                                      "-ferror-limit=0",
                                      NULL};
    Mirror m = {0};
    *ret_cuda = *ret_hip = (Check){.note = ""};
    const char *cuda_compiler = tool_find(&app->arena, "nvcc");
    const char *hip_compiler =
        tool_find(&app->arena, "hipcc clang++-22 clang++-21 clang++-20 clang++-19 clang++");
    const char *rocm = rocm_folder(&app->arena);
    bool ok = mirror_make(app, root, files, n_files, changes, n, &m, e);
    if (ok && cuda_compiler != NULL)
        check_all(app, &(Compiler){cuda_compiler, nvcc, NULL}, &m, root, changes, n, ret_cuda);
    if (cuda_compiler == NULL) ret_cuda->note = "no nvcc in PATH: the CUDA side was not compiled";
    if (ok && hip_compiler != NULL && rocm != NULL)
        check_all(app, &(Compiler){hip_compiler, hip, rocm}, &m, root, changes, n, ret_hip);
    if (hip_compiler == NULL) ret_hip->note = "no hipcc and no clang in PATH: the HIP side was not compiled";
    if (hip_compiler != NULL && rocm == NULL)
        ret_hip->note = "no HIP headers in ROCM_PATH, HIP_PATH or /opt/rocm: the HIP side was not compiled";
    if (m.folder != NULL) nftw(m.folder, drop, 16, FTW_DEPTH | FTW_PHYS);
    return ok;
}
