// Files that an import reads: found, unpacked, and what lies beside them.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catalog/feeds/feed_zip.h"
#include "cli/runs.h"

enum { FOLDERS_DEEP = 64, FILES_MAX = 1000000, SIDE_BYTES_MAX = 64 * 1024 };

typedef struct Found {
    App *app;
    RunsPath *paths;
    size_t n, capacity;
} Found;

static void add(Found *f, const char *path, const char *why) {
    f->paths = arena_grow(&f->app->arena, f->paths, f->n, &f->capacity, sizeof *f->paths);
    f->paths[f->n++] = (RunsPath){path, path_shown(&f->app->arena, path), why, false};
}

// What `errno` keeps from being read.
static void add_failed(Found *f, const char *path, const char *what) {
    add(f, path, arena_printf(&f->app->arena, "%s: %s", what, strerror(errno)));
    f->paths[f->n - 1].failed = true;
}

static const char *why_not(const struct stat *st) {
    if (S_ISLNK(st->st_mode)) return "a symbolic link: not followed";
    if (S_ISFIFO(st->st_mode)) return "a pipe: not read";
    if (S_ISSOCK(st->st_mode)) return "a socket: not read";
    if (!S_ISREG(st->st_mode)) return "a device: not read";
    return st->st_size > RUNS_FILE_BYTES_MAX ? "over 256 MiB: not read" : NULL;
}

static bool hidden(const char *name) { return name[0] == '.'; }

static bool walk(Found *f, const char *folder, int depth, Err *e) {
    DIR *d = opendir(folder);
    if (d == NULL) {
        add_failed(f, folder, "a folder that cannot be read");
        return true;
    }
    const char **names = NULL;
    size_t n = 0;
    size_t capacity = 0;
    for (struct dirent *entry; errno = 0, (entry = readdir(d)) != NULL;) {
        if (hidden(entry->d_name) || strcmp(entry->d_name, RUNS_SIDE_FILE) == 0) continue;
        names = arena_grow(&f->app->arena, names, n, &capacity, sizeof *names);
        names[n++] = arena_copy(&f->app->arena, entry->d_name, strlen(entry->d_name));
    }
    if (errno != 0) add_failed(f, folder, "a folder that cannot be read to its end");
    closedir(d);
    if (n > 1) qsort(names, n, sizeof *names, order_texts);
    for (size_t i = 0; i < n; i++) {
        struct stat st;
        const char *path = arena_printf(&f->app->arena, "%s/%s", folder, names[i]);
        if (f->n >= FILES_MAX) return err_set(e, ERR_USAGE, "more than %d files", FILES_MAX);
        if (lstat(path, &st) != 0)
            add_failed(f, path, "cannot be looked at");
        else if (!S_ISDIR(st.st_mode))
            add(f, path, why_not(&st));
        else if (depth >= FOLDERS_DEEP)
            add(f, path, "a folder too deep: not read");
        else if (!walk(f, path, depth + 1, e))
            return false;
    }
    return true;
}

bool runs_paths(App *app, const char *path, RunsPath **ret_paths, size_t *ret_n, bool *ret_folder, Err *e) {
    Found f = {.app = app};
    struct stat st;
    *ret_folder = false;
    if (strcmp(path, "-") == 0) {
        add(&f, path, NULL);
        f.paths[0].shown = "standard input";
    } else if (stat(path, &st) != 0) {
        bool absent = errno == ENOENT || errno == ENOTDIR;
        return err_set(e, absent ? ERR_USAGE : ERR_FAILED, "'%s' cannot be read: %s",
                       text_clean(&app->arena, path), absent ? "it is not there" : strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        size_t length = strlen(path);
        while (length > 1 && path[length - 1] == '/') length--;
        *ret_folder = true;
        if (!walk(&f, arena_copy(&app->arena, path, length), 0, e)) return false;
    } else {
        add(&f, path, why_not(&st));
    }
    *ret_paths = f.paths;
    *ret_n = f.n;
    return true;
}

// ---------------------------------------------------------------- bytes

static bool add_piece(void *user, Str bytes, Err *e) {
    Buf *b = user;
    buf_add(b, bytes.data, bytes.length);
    return !b->overflow || err_set(e, ERR_USAGE, "over 256 MiB: not read");
}

// The whole of a descriptor, which may be a pipe.
static bool read_all(int fd, Buf *b, Err *e) {
    char bytes[65536];
    for (;;) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return err_set(e, ERR_FAILED, "cannot be read: %s", strerror(errno));
        if (n == 0) return true;
        if (!add_piece(b, (Str){bytes, (size_t)n}, e)) return false;
    }
}

bool runs_bytes(const RunsPath *p, Arena *a, Str *ret_text, Err *e) {
    bool input = strcmp(p->path, "-") == 0;
    struct stat st;
    if (p->why != NULL) return err_set(e, p->failed ? ERR_FAILED : ERR_USAGE, "%s", p->why);
    // what was a file when it was found may be a pipe by now, which nobody waits for
    int fd = input ? STDIN_FILENO : open(p->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return err_set(e, ERR_FAILED, "cannot be read: %s", strerror(errno));
    Buf raw, plain;
    buf_init(&raw, RUNS_FILE_BYTES_MAX);
    buf_init(&plain, RUNS_FILE_BYTES_MAX);
    bool ok =
        input || fstat(fd, &st) == 0 || err_set(e, ERR_FAILED, "cannot be looked at: %s", strerror(errno));
    const char *why = ok && !input ? why_not(&st) : NULL;
    if (why != NULL) ok = err_set(e, ERR_USAGE, "%s", why);
    ok = ok && read_all(fd, &raw, e);
    if (!input) close(fd);
    Str text = {raw.data, raw.length};
    if (ok && gzip_begins(text)) {
        ok = gzip_unpack(text, add_piece, &plain, e);
        if (!ok) e->kind = ERR_USAGE;
        text = (Str){plain.data, plain.length};
    }
    if (ok) *ret_text = (Str){arena_copy(a, text.length > 0 ? text.data : "", text.length), text.length};
    buf_free(&raw);
    buf_free(&plain);
    return ok;
}

// ---------------------------------------------------------------- beside them

static bool read_side(App *app, const char *folder, RunGiven *given, Err *e) {
    const char *path = arena_printf(&app->arena, "%s/%s", folder, RUNS_SIDE_FILE);
    struct stat st;
    Str text;
    RunGiven here;
    if (lstat(path, &st) != 0)
        return errno == ENOENT ||
               err_set(e, ERR_FAILED, "look at '%s': %s", text_clean(&app->arena, path), strerror(errno));
    if (!S_ISREG(st.st_mode)) return err_set(e, ERR_USAGE, "'%s' is no file", text_clean(&app->arena, path));
    if (!file_read(&app->arena, path, SIDE_BYTES_MAX, &text, e)) return false;
    if (!runs_given_read(text, &app->arena, &here, e)) {
        e->kind = ERR_USAGE;
        return err_wrap(e, "read '%s'", text_clean(&app->arena, path));
    }
    *given = runs_given_merge(given, &here);
    return true;
}

bool runs_side(App *app, const char *path, const char *root, RunGiven *ret_given, Err *e) {
    RunGiven given = runs_given_none();
    size_t top = strlen(root);
    while (top > 1 && root[top - 1] == '/') top--;
    const char *folder = path_folder(&app->arena, path);
    while (read_side(app, folder, &given, e)) {
        bool below = strlen(folder) > top && strncmp(folder, root, top) == 0;
        if (!below) {
            *ret_given = given;
            return true;
        }
        folder = path_folder(&app->arena, folder);
    }
    return false;
}
