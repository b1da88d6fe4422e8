// Where a database lives: folders and files with their permissions, names as SQLite wants them.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/internal.h"

const char *path_plain(Arena *a, const char *path) {
    return path[0] == '/' ? path : arena_printf(a, "./%s", path);
}

const char *path_uri(Arena *a, const char *path, const char *parameters) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, "file:");
    for (const char *c = path_plain(a, path); *c != '\0'; c++) {
        if (*c == '%' || *c == '?' || *c == '#') {
            buf_printf(&b, "%%%02X", (unsigned)*c);
        } else {
            buf_add(&b, c, 1);
        }
    }
    buf_printf(&b, "?%s", parameters);
    return buf_take(&b, a);
}

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

// Creates the folder with all that lead to it, for this user alone.
static bool folder_make(Arena *a, const char *folder, Err *e) {
    if (is_folder(folder)) return true;
    char *part = arena_copy(a, folder, strlen(folder));
    for (char *c = part + 1;; c++) {
        if (*c != '/' && *c != '\0') continue;
        char kept = *c;
        *c = '\0';
        if (!is_folder(part) && mkdir(part, 0700) != 0) {
            int why = errno == EEXIST ? ENOTDIR : errno;
            // Another process may have made it meanwhile.
            if (!is_folder(part))
                return err_set(e, ERR_DATABASE, "make folder '%s': %s", part, strerror(why));
        }
        if (kept == '\0') return true;
        *c = kept;
    }
}

bool path_create(const char *path, Err *e) {
    Arena a = {0};
    bool ok = false;
    int fd = -1;
    struct stat st;
    if (stat(path, &st) == 0) {
        if (!S_ISREG(st.st_mode)) {
            err_set(e, ERR_DATABASE, "not a regular file");
        } else if (access(path, R_OK | W_OK) != 0) {
            err_set(e, ERR_DATABASE, "%s", strerror(errno));
        } else {
            ok = true;
        }
        goto out;
    }
    if (!folder_make(&a, path_folder(&a, path), e)) goto out;
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ok = fd >= 0 || errno == EEXIST;  // another process was quicker
    if (!ok) err_set(e, ERR_DATABASE, "%s", strerror(errno));
out:
    if (fd >= 0) close(fd);
    arena_free(&a);
    return ok;
}

bool path_readable(const char *path) { return access(path, R_OK) == 0; }

int64_t path_bytes(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

bool path_is_stub(const char *path) {
    enum { PAGE_BYTES_MIN = 512 };
    struct stat st;
    return stat(path, &st) == 0 && st.st_size > 0 && st.st_size < PAGE_BYTES_MIN;
}

bool path_has_wal(Arena *a, const char *path) {
    struct stat st;
    return stat(arena_printf(a, "%s-wal", path), &st) == 0 && st.st_size > 0;
}

bool db_writable(const char *path, Err *e) {
    Arena a = {0};
    const char *folder = path_folder(&a, path);
    bool ok = folder_make(&a, folder, e);
    // The folder too: the log lies beside the file.
    if (ok && access(folder, W_OK | X_OK) != 0)
        ok = err_set(e, ERR_DATABASE, "write in '%s': %s", folder, strerror(errno));
    if (ok && access(path, R_OK | W_OK) != 0 && errno != ENOENT)
        ok = err_set(e, ERR_DATABASE, "write '%s': %s", path, strerror(errno));
    arena_free(&a);
    return ok;
}
