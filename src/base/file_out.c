// Files out: whole or not at all, and never through a link that somebody else laid.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/base.h"

enum { LINKS_MAX = 40 };  // as many as Linux follows

static bool write_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes += n;
        length -= (size_t)n;
    }
    return true;
}

// Devices, pipes and /dev/stdout cannot be renamed onto: they are written as they are.
static bool is_stream(const char *path, const struct stat *st) {
    static const char *const names[] = {"/dev/std", "/dev/fd/", "/proc/"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strncmp(path, names[i], strlen(names[i])) == 0) return true;
    }
    return st != NULL && !S_ISREG(st->st_mode);
}

// The folder of a path's last part: up to and with its last '/', "." without one.
static void folder_of(const char *path, size_t length, char *ret_folder, size_t size) {
    while (length > 0 && path[length - 1] != '/') length--;
    snprintf(ret_folder, size, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
}

// Links in a folder where everybody may lay them and nobody may remove another's, such as /tmp, are followed
// only when they are our own or of whom the folder belongs to. Linux does the same where fs.protected_symlinks
// is set; not everywhere it is.
static bool link_is_trusted(const char *path, size_t length) {
    char part[4096], folder[4096];
    struct stat st, above;
    snprintf(part, sizeof part, "%.*s", (int)length, path);
    if (lstat(part, &st) != 0 || !S_ISLNK(st.st_mode) || st.st_uid == geteuid()) return true;
    folder_of(path, length, folder, sizeof folder);
    if (stat(folder, &above) != 0) return false;
    return (above.st_mode & S_ISVTX) == 0 || (above.st_mode & S_IWOTH) == 0 || above.st_uid == st.st_uid;
}

static bool every_link_is_trusted(const char *path) {
    for (size_t i = 1; i <= strlen(path); i++) {
        if ((path[i] == '/' || path[i] == '\0') && path[i - 1] != '/' && !link_is_trusted(path, i)) {
            errno = EACCES;
            return false;
        }
    }
    return true;
}

// Where a path leads, link by link: the file need not be there. False: errno says why.
static bool follow(const char *path, char *ret_target, size_t size) {
    char link[4096], folder[4096], next[4096];
    if (strlen(path) >= size) {
        errno = ENAMETOOLONG;
        return false;
    }
    memmove(ret_target, path, strlen(path) + 1);
    for (int i = 0; i < LINKS_MAX; i++) {
        if (!every_link_is_trusted(ret_target)) return false;
        ssize_t n = readlink(ret_target, link, sizeof link - 1);
        if (n < 0) return errno == EINVAL || errno == ENOENT;  // no link, or nothing there yet
        link[n] = '\0';
        folder_of(ret_target, strlen(ret_target), folder, sizeof folder);
        int m = snprintf(next, sizeof next, "%s%s%s", link[0] == '/' ? "" : folder,
                         link[0] == '/' || folder[strlen(folder) - 1] == '/' ? "" : "/", link);
        if (m < 0 || (size_t)m >= sizeof next || (size_t)m >= size) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(ret_target, next, (size_t)m + 1);
    }
    errno = ELOOP;
    return false;
}

// Keeps errno.
static void out_drop(FileOut *f) {
    int saved = errno;
    if (f->fd >= 0) close(f->fd);
    if (f->temporary[0] != '\0') unlink(f->temporary);
    *f = (FileOut){.fd = -1};
    errno = saved;
}

// Devices, pipes and /dev/stdout are opened as they are; else a file beside the target takes what is written.
// Whatever keeps the target from being looked at but that it is not there ends it: what cannot be seen is not
// replaced.
static bool out_start(FileOut *f, const char *path, Err *e) {
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (!there && errno != ENOENT) return err_set(e, ERR_FAILED, "%s", strerror(errno));
    if (is_stream(path, there ? &st : NULL)) {
        f->fd = open(path, O_WRONLY | O_CLOEXEC);
        return f->fd >= 0 || err_set(e, ERR_FAILED, "%s", strerror(errno));
    }
    if (!follow(path, f->target, sizeof f->target))
        return err_set(e, ERR_FAILED, "%s%s", strerror(errno),
                       errno == EACCES ? " (a link of another user in a folder that all may write)" : "");
    if (there && ((st.st_mode & 0222) == 0 || access(f->target, W_OK) != 0))
        return err_set(e, ERR_FAILED, "it is read-only: remove it or make it writable first");
    int n = snprintf(f->temporary, sizeof f->temporary, "%s.part-%ld", f->target, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof f->temporary) {
        f->temporary[0] = '\0';
        return err_set(e, ERR_FAILED, "%s", strerror(ENAMETOOLONG));
    }
    f->fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, there ? st.st_mode & 0777 : 0644);
    if (f->fd < 0) {
        f->temporary[0] = '\0';  // somebody else's
        return err_set(e, ERR_FAILED, "%s", strerror(errno));
    }
    return true;
}

bool file_out_open(const char *path, FileOut *ret_file, Err *e) {
    *ret_file = (FileOut){.fd = -1};
    if (out_start(ret_file, path, e)) return true;
    out_drop(ret_file);
    return err_wrap(e, "write '%s'", path);
}

bool file_out_add(FileOut *f, const char *bytes, size_t length) {
    return f->fd >= 0 && write_all(f->fd, bytes, length);
}

bool file_out_close(FileOut *f) {
    bool renamed = f->temporary[0] != '\0';
    bool ok = f->fd >= 0 && (!renamed || fsync(f->fd) == 0);
    if (ok) {
        ok = close(f->fd) == 0;
        f->fd = -1;
    }
    ok = ok && (!renamed || rename(f->temporary, f->target) == 0);
    if (ok) f->temporary[0] = '\0';
    out_drop(f);
    return ok;
}

void file_out_drop(FileOut *f) { out_drop(f); }

bool file_write(const char *path, const char *bytes, size_t length, Err *e) {
    FileOut f;
    if (!file_out_open(path, &f, e)) return false;
    bool ok = file_out_add(&f, bytes, length);
    if (!ok) out_drop(&f);
    ok = ok && file_out_close(&f);
    return ok || err_set(e, ERR_FAILED, "write '%s': %s", path, strerror(errno));
}
