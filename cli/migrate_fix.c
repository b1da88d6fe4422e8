// migrate fix: what the scan found, as a patch.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/migrate_fix.h"
#include "cli/migrate_scan.h"
#include "cli/tool.h"

enum { FILE_BYTES_MAX = 16 << 20, GIT_S = 60, HIPIFY_S = 120, SHOWN_MAX = 12 };

typedef struct Patch {
    App *app;
    ScanAnswer *scan;
    Fix fix;
    const char *const *paths;  // of the tree, in the scan's order
    FixChange *changes;
    size_t n, capacity;
    size_t unread;      // own files with findings that could not be read again
    size_t apart;       // findings of vendored and generated files
    size_t no_comment;  // findings in files that take no comment
    Check cuda, hip;
    bool checked;
    bool ported;  // builds for ROCm by somebody else's hand: nothing is patched
} Patch;

// ---------------------------------------------------------------- files

static const char *full_path(const Patch *p, Arena *a, const char *path) {
    return arena_printf(a, "%s/%s", p->scan->options.root, path);
}

// A file of the scan as the fixes take it. False: nothing to do there, or it cannot be read any more.
static bool open_file(Patch *p, size_t index, size_t *first, size_t *first_dependency, Arena *a,
                      FixFile *ret) {
    const ScanResult *r = &p->scan->result;
    const ScanFile *f = &r->files[index];
    size_t from = *first;
    size_t from_dependency = *first_dependency;
    while (*first < r->n_findings && r->findings[*first].file == index) ++*first;
    while (*first_dependency < r->n_dependencies && r->dependencies[*first_dependency].file == index)
        ++*first_dependency;
    *ret = (FixFile){.path = f->path,
                     .c = f->c != 0,
                     .findings = &r->findings[from],
                     .n_findings = *first - from,
                     .dependencies = &r->dependencies[from_dependency],
                     .n_dependencies = *first_dependency - from_dependency};
    Err e = {0};
    bool wanted = f->bytes > 0 && (f->c || ret->n_findings > 0 || ret->n_dependencies > 0 ||
                                   text_kind(f->path, (Str){"", 0}) == TEXT_CMAKE);
    if (f->origin != ORIGIN_OWN || !wanted) return false;
    bool read = file_read(a, full_path(p, a, f->path), FILE_BYTES_MAX, &ret->text, &e);
    if (!read || memchr(ret->text.data, '\0', ret->text.length) != NULL) {
        p->unread += !read || ret->n_findings + ret->n_dependencies > 0;
        return false;
    }
    Str head = {ret->text.data, ret->text.length < 4096 ? ret->text.length : 4096};
    ret->kind = f->c ? TEXT_NONE : text_kind(f->path, head);
    return true;
}

static int by_base(const void *a, const void *b) {
    const char *x = *(const char *const *)a;
    const char *y = *(const char *const *)b;
    const char *p = strrchr(x, '/');
    const char *q = strrchr(y, '/');
    return strcmp(p == NULL ? x : p + 1, q == NULL ? y : q + 1);
}

static void list_files(Patch *p) {
    const ScanResult *r = &p->scan->result;
    const char **paths = arena_alloc(&p->app->arena, r->n_files + 1, sizeof *paths);
    const char **bases = arena_alloc(&p->app->arena, r->n_files + 1, sizeof *bases);
    for (size_t i = 0; i < r->n_files; i++) paths[i] = bases[i] = r->files[i].path;
    if (r->n_files > 0) qsort(bases, r->n_files, sizeof *bases, by_base);
    p->paths = paths;
    p->fix.files = bases;
    p->fix.n_files = r->n_files;
}

// ---------------------------------------------------------------- passes

static void learn(Patch *p) {
    for (int pass = 0; pass < 2; pass++) {
        size_t finding = 0;
        size_t dependency = 0;
        for (size_t i = 0; i < p->scan->result.n_files; i++) {
            Arena a = {0};
            FixFile file;
            if (open_file(p, i, &finding, &dependency, &a, &file) && file.c) fix_learn(&p->fix, &file);
            arena_free(&a);
        }
        if (pass == 0) fix_learned(&p->fix);
    }
}

// The folder that two paths share: "" or "a/b/".
static size_t shared_folder(const char *a, const char *b) {
    size_t common = 0;
    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++) {
        if (a[i] == '/') common = i + 1;
    }
    return common;
}

bool fix_is_header(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && word_in("h hh hpp hxx cuh inc inl ipp", dot + 1);
}

// A header below a folder `include`, which may be installed with it.
static bool is_public(const char *path) {
    const char *include = strstr(path, "include/");
    bool folder = include != NULL && (include == path || include[-1] == '/');
    return fix_is_header(path) && folder;
}

// The header stands where all headers of `include` folders that need it stand together, so that it is
// installed with them; where there are none, where all files do; or where an earlier run put it.
static void choose_header(Patch *p, const char *const *needing, size_t n) {
    Arena *a = &p->app->arena;
    const char *folder = NULL;
    size_t length = 0;
    bool public = false;
    for (size_t i = 0; i < n; i++) public = public || is_public(needing[i]);
    for (size_t i = 0; i < n; i++) {
        if (public && !is_public(needing[i])) continue;
        const char *slash = strrchr(needing[i], '/');
        size_t own = slash == NULL ? 0 : (size_t)(slash - needing[i]) + 1;
        if (folder == NULL) length = own;
        if (folder != NULL) {
            size_t common = shared_folder(folder, needing[i]);
            length = common < length ? common : length;
        }
        folder = needing[i];
    }
    p->fix.header = arena_printf(a, "%.*s%s", (int)length, folder == NULL ? "" : folder, FIX_HEADER);
}

// What an earlier run wrote is found by its name and mark; a file of that name without the mark is somebody
// else's.
static bool old_text(Patch *p, const char *path, Str *ret, Err *e) {
    struct stat st;
    const char *file = full_path(p, &p->app->arena, path);
    *ret = (Str){NULL, 0};
    if (stat(file, &st) != 0)
        return errno == ENOENT || err_set(e, ERR_FAILED, "look at '%s': %s", path, strerror(errno));
    if (!file_read(&p->app->arena, file, FILE_BYTES_MAX, ret, e)) return false;
    if (!fix_is_ours(*ret))
        return err_set(e, ERR_FAILED, "'%s' is there and was not written by migrate fix: rename it first",
                       path);
    return true;
}

static void fix_all(Patch *p, bool keep) {
    size_t finding = 0;
    size_t dependency = 0;
    const char **needing = arena_alloc(&p->app->arena, p->scan->result.n_files + 1, sizeof *needing);
    size_t n_needing = 0;
    for (size_t w = 0; w < FIX_WHAT_COUNT; w++) p->fix.counts[w] = 0;
    for (size_t i = 0; i < p->scan->result.n_files; i++) {
        Arena a = {0};
        FixFile file;
        FixEdit *edits = NULL;
        bool compat = false;
        if (open_file(p, i, &finding, &dependency, &a, &file)) {
            size_t n = fix_file(&p->fix, &file, &a, &edits, &compat);
            if (compat) needing[n_needing++] = file.path;
            if (keep && n > 0) {
                FixChange *list = p->changes =
                    arena_grow(&p->app->arena, p->changes, p->n, &p->capacity, sizeof *list);
                FixChange *c = &list[p->n++];
                Str after = fix_apply(file.text, edits, n, &a);
                *c = (FixChange){.path = file.path, .c = file.c};
                c->before =
                    (Str){arena_copy(&p->app->arena, file.text.data, file.text.length), file.text.length};
                c->after = (Str){arena_copy(&p->app->arena, after.data, after.length), after.length};
                for (size_t k = 0; k < n; k++) c->counts[edits[k].what]++;
            }
        }
        arena_free(&a);
    }
    if (!keep && p->fix.header == NULL) choose_header(p, needing, n_needing);
}

static void add_generated(Patch *p, const char *path, Str old, Str text) {
    if (old.data != NULL && old.length == text.length && memcmp(old.data, text.data, text.length) == 0)
        return;
    p->changes = arena_grow(&p->app->arena, p->changes, p->n, &p->capacity, sizeof *p->changes);
    p->changes[p->n++] = (FixChange){.path = path, .before = old, .after = text};
}

// Where an earlier run put the header; NULL: nowhere.
static const char *earlier_header(const Patch *p) {
    const char *root = p->scan->options.root;
    const ScanResult *r = &p->scan->result;
    Arena a = {0};
    const char *ret = NULL;
    struct stat st;
    // The scan leaves it out; folders of the tree are those of its files and the ones above them.
    for (size_t i = 0; i < r->n_files && ret == NULL; i++) {
        const char *path = r->files[i].path;
        for (const char *s = path; s != NULL && ret == NULL;) {
            size_t n = s == path ? 0 : (size_t)(s - path);
            const char *file = arena_printf(&a, "%s/%.*s%s", root, (int)n, path, FIX_HEADER);
            if (stat(file, &st) == 0) ret = arena_printf(&p->app->arena, "%.*s%s", (int)n, path, FIX_HEADER);
            s = strchr(s, '/');
            s = s == NULL ? NULL : s + 1;
        }
        arena_free(&a);
        a = (Arena){0};
    }
    return ret;
}

static bool make_patch(Patch *p, Err *e) {
    Str old = {NULL, 0};
    list_files(p);
    p->fix.header = earlier_header(p);
    // One way to build for ROCm is enough. After a run of this program the way is its own.
    p->ported = p->scan->result.ported == PORTED_PRESENT && p->fix.header == NULL;
    if (p->ported) return true;
    learn(p);
    fix_all(p, false);
    const char *slash = strrchr(p->fix.header, '/');
    int folder = slash == NULL ? 0 : (int)(slash - p->fix.header) + 1;
    const char *module = arena_printf(&p->app->arena, "%.*s%s", folder, p->fix.header, FIX_CMAKE);
    Str old_module = {NULL, 0};
    if (!old_text(p, p->fix.header, &old, e) || !old_text(p, module, &old_module, e)) return false;
    fix_all(p, true);
    bool header = old.data != NULL;
    for (size_t i = 0; i < p->n; i++) header = header || p->changes[i].counts[FIX_INCLUDE] > 0;
    if (header) add_generated(p, p->fix.header, old, fix_header_text(&p->fix, old, &p->app->arena));
    if (p->fix.cmake.length > 0)
        add_generated(p, module, old_module, fix_cmake_text(&p->fix, old_module, &p->app->arena));
    const ScanResult *r = &p->scan->result;
    for (size_t i = 0; i < r->n_findings; i++) {
        const ScanFile *f = &r->files[r->findings[i].file];
        TextKind kind = f->c ? TEXT_NONE : text_kind(f->path, (Str){"", 0});
        p->apart += f->origin != ORIGIN_OWN;
        p->no_comment += f->origin == ORIGIN_OWN && (kind == TEXT_NOTEBOOK || kind == TEXT_JSON_LOCK);
    }
    return true;
}

// ---------------------------------------------------------------- writing

// Only where git can give everything back.
static bool is_clean(App *app, const char *root, Err *e) {
    char *words[] = {(char *)(uintptr_t) "git", (char *)(uintptr_t) "status",
                     (char *)(uintptr_t) "--porcelain", NULL};
    ToolRun run;
    if (!tool_run(&app->arena, words, root, GIT_S, &run) || run.code != 0)
        return err_set(e, ERR_FAILED, "--write: '%s' is no git tree, so that nothing could be taken back",
                       root);
    return run.output.length == 0 ||
           err_set(e, ERR_FAILED, "--write: '%s' has changes of its own: commit or put them away first",
                   root);
}

static bool write_all(Patch *p, Err *e) {
    for (size_t i = 0; i < p->n; i++) {
        const FixChange *c = &p->changes[i];
        if (!file_write(full_path(p, &p->app->arena, c->path), c->after.data, c->after.length, e))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- HIPIFY, where it is installed

// What hipify-perl says that it would convert, in one line; "": it is not here.
static const char *hipify(Patch *p) {
    Arena *a = &p->app->arena;
    const char *path = tool_find(a, "hipify-perl");
    if (path == NULL) return "";
    char **words = arena_alloc(a, p->n + 3, sizeof *words);
    size_t n = 0;
    words[n++] = (char *)(uintptr_t)path;
    words[n++] = (char *)(uintptr_t) "-examine";
    for (size_t i = 0; i < p->n; i++) {
        if (p->changes[i].c && p->changes[i].before.data != NULL)
            words[n++] = (char *)(uintptr_t)p->changes[i].path;
    }
    ToolRun run;
    if (n == 2 || !tool_run(a, words, p->scan->options.root, HIPIFY_S, &run)) return "";
    Str line;
    const char *last = "it said nothing of a count";  // the last one is of all files
    while (str_next(&run.output, '\n', &line)) {
        if (str_has(line, "CONVERTED refs count"))
            last = arena_copy(a, line.data, line.length < 200 ? line.length : 200);
    }
    return text_clean(a, arena_printf(a, "%s: would rename in place where this patch maps names in %s: %s",
                                      path, FIX_HEADER, last));
}

// ---------------------------------------------------------------- the answer

static size_t count_broken(const Check *c, size_t *ret_before, size_t *ret_after) {
    size_t broken = 0;
    *ret_before = *ret_after = 0;
    for (size_t i = 0; i < c->n; i++) {
        *ret_before += c->rows[i].before == 0;
        *ret_after += c->rows[i].after == 0;
        broken += c->rows[i].before >= 0 && c->rows[i].after > c->rows[i].before;
    }
    return broken;
}

static void check_text(Patch *p, const char *side, const Check *c) {
    Buf *out = &p->app->out;
    size_t before = 0;
    size_t after = 0;
    if (c->note[0] != '\0') buf_printf(out, "# %s\n", c->note);
    if (c->compiler == NULL) return;
    size_t broken = count_broken(c, &before, &after);
    buf_printf(out,
               "# %s side, %s: of %s %zu compiled before and %zu compile after; more errors after: %zu\n",
               side, text_clean(&p->app->arena, c->compiler), counted(&p->app->arena, c->n, "file"), before,
               after, broken);
    size_t shown = 0;
    for (size_t i = 0; i < c->n && shown < SHOWN_MAX; i++) {
        const CheckRow *r = &c->rows[i];
        if (r->after == 0) continue;
        shown++;
        if (r->after < 0) {
            buf_printf(out, "#   %s: the compiler did not end\n", path_shown(&p->app->arena, r->path));
        } else {
            buf_printf(out, "#   %s: errors %d before, %d after: %s\n", path_shown(&p->app->arena, r->path),
                       r->before, r->after, text_clean(&p->app->arena, r->first));
        }
    }
}

static void text(Patch *p, bool written, const char *beside) {
    Buf *out = &p->app->out;
    buf_printf(out, "# migrate fix: %s to change", counted(&p->app->arena, p->n, "file"));
    for (size_t w = 0; w < FIX_WHAT_COUNT; w++) {
        if (p->fix.counts[w] > 0) buf_printf(out, ", %s %zu", fix_what_names[w], p->fix.counts[w]);
    }
    buf_puts(out, "\n");
    if (p->ported)
        buf_puts(out, "# left alone: the tree builds for ROCm already, in a way of its own; `gpuadvise "
                      "migrate scan` says by what, and what is left\n");
    if (p->apart > 0)
        buf_printf(out, "# left alone: %s in vendored and generated files\n",
                   counted(&p->app->arena, p->apart, "finding"));
    if (p->no_comment > 0)
        buf_printf(out, "# left alone: %s in notebooks and lock files, which take no comment\n",
                   counted(&p->app->arena, p->no_comment, "finding"));
    if (p->unread > 0)
        buf_printf(out, "# left alone: %s that could not be read again\n",
                   counted(&p->app->arena, p->unread, "file"));
    if (beside[0] != '\0') buf_printf(out, "# %s\n", beside);
    if (p->checked) {
        check_text(p, "CUDA", &p->cuda);
        check_text(p, "HIP", &p->hip);
    }
    if (written) buf_puts(out, "# written; `git diff` shows it\n");
    for (size_t i = 0; !written && i < p->n; i++)
        fix_diff(p->changes[i].path, p->changes[i].before, p->changes[i].after, out);
}

static void check_json(Json *parent, const char *key, const Check *c) {
    Json *x = json_add_object(parent, key);
    size_t before = 0;
    size_t after = 0;
    size_t broken = count_broken(c, &before, &after);
    json_add(x, J_TEXT_OR_NULL("compiler", c->compiler == NULL ? "" : c->compiler),
             J_TEXT_OR_NULL("note", c->note), J_INTEGER("files", c->n), J_INTEGER("compiled_before", before),
             J_INTEGER("compile_after", after), J_INTEGER("more_errors_after", broken));
    Json *list = json_add_array(x, "errors");
    for (size_t i = 0; i < c->n; i++) {
        Json *row = json_add_object(list, NULL);
        json_add_path(row, "path", c->rows[i].path);
        json_add(row, J_NUMBER("before", c->rows[i].before < 0 ? (double)NAN : c->rows[i].before),
                 J_NUMBER("after", c->rows[i].after < 0 ? (double)NAN : c->rows[i].after),
                 J_TEXT_OR_NULL("first", c->rows[i].first));
    }
}

static void counts_json(Json *parent, const size_t counts[FIX_WHAT_COUNT]) {
    Json *x = json_add_object(parent, "edits");
    for (size_t w = 0; w < FIX_WHAT_COUNT; w++) json_add_integer(x, fix_what_names[w], (int64_t)counts[w]);
}

static void json(Patch *p, bool written, const char *beside) {
    Json *root = app_json(p->app);
    json_add_text(p->app->inputs, "path", p->app->args[0]);
    Json *fix = json_add_object(root, "fix");
    json_add_bool(fix, "written", written);
    counts_json(fix, p->fix.counts);
    Json *left = json_add_object(fix, "left_alone");
    json_add(left, J_BOOL("builds_for_rocm", p->ported), J_INTEGER("vendored_and_generated", p->apart),
             J_INTEGER("files_without_comments", p->no_comment), J_INTEGER("unread_files", p->unread));
    json_add_text_or_null(fix, "hipify", beside);
    if (p->checked) {
        Json *check = json_add_object(fix, "check");
        check_json(check, "cuda", &p->cuda);
        check_json(check, "hip", &p->hip);
    } else {
        json_add_null(fix, "check");
    }
    Json *list = json_add_array(fix, "files");
    for (size_t i = 0; i < p->n; i++) {
        Json *row = json_add_object(list, NULL);
        json_add_path(row, "path", p->changes[i].path);
        json_add_bool(row, "new", p->changes[i].before.data == NULL);
        counts_json(row, p->changes[i].counts);
    }
}

static bool run(Patch *p, Err *e) {
    static const char *const generated[] = {FIX_HEADER, FIX_CMAKE};
    App *app = p->app;
    const Gpu *target = NULL;
    Catalog *c = NULL;
    CWords *words = NULL;
    struct stat st;
    bool write = opt_flag(app, OPT_WRITE);
    bool there = stat(app->args[0], &st) == 0;
    if (!there && errno != ENOENT && errno != ENOTDIR)
        return err_set(e, ERR_FAILED, "look at '%s': %s", app->args[0], strerror(errno));
    if (!there || !S_ISDIR(st.st_mode))
        return err_set(e, ERR_USAGE, "'%s' is no folder: migrate fix takes the tree as a whole",
                       app->args[0]);
    if (write && !is_clean(app, app->args[0], e)) return false;
    p->scan->leave_out = generated;
    p->scan->n_leave_out = COUNT_OF(generated);
    if (!app_catalog(app, &c, e) || !scan_target(app, c, &target, e) ||
        !scan_source(app, app->args[0], target, p->scan, e) ||
        !cuda_words(&p->scan->facts, p->scan->options.rocm, p->scan->options.lanes64, &app->arena, &words, e))
        return false;
    fix_open(&p->fix, &p->scan->facts, words, &app->arena);
    p->checked = opt_flag(app, OPT_CHECK);
    bool ok = make_patch(p, e);
    ok = ok && (!p->checked || fix_check(app, app->args[0], p->paths, p->scan->result.n_files, p->changes,
                                         p->n, &p->cuda, &p->hip, e));
    ok = ok && (!write || write_all(p, e));
    size_t unread = p->scan->result.unreadable + p->unread;
    if (ok && unread > 0)
        app_warn(app, "%s could not be read: what is needed there is not in the patch",
                 counted(&app->arena, unread, "path"));
    if (ok) {
        const char *beside = hipify(p);
        if (app->format == FORMAT_JSON) {
            json(p, write, beside);
        } else {
            text(p, write, beside);
        }
    }
    fix_close(&p->fix);
    return ok;
}

int migrate_fix(App *app) {
    Err e = {0};
    Patch p = {.app = app, .scan = arena_alloc(&app->arena, 1, sizeof *p.scan)};
    if (app->format == FORMAT_CSV || app->format == FORMAT_MD)
        return app_refuse(app, "migrate fix answers with a patch, or with --json with its counts");
    bool ok = run(&p, &e);
    size_t ignored = 0;
    size_t broken = count_broken(&p.cuda, &ignored, &ignored);
    scan_free(&p.scan->result);
    return !ok ? app_fail(app, &e) : broken > 0 ? EXIT_GATE : EXIT_DONE;
}
