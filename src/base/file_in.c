// Files in: regular ones alone, whole, by pieces or their beginning. Out: file_out.c.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/base.h"

// Not blocking: a FIFO that nobody writes must not hang the program.
static bool open_regular(const char *path, int *ret_fd, struct stat *ret_st, Err *e) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, ret_st) != 0) {
        err_set(e, ERR_FAILED, "open '%s': %s", path, strerror(errno));
    } else if (!S_ISREG(ret_st->st_mode)) {
        err_set(e, ERR_FAILED, "open '%s': not a regular file", path);
    } else {
        *ret_fd = fd;
        return true;
    }
    if (fd >= 0) close(fd);
    return false;
}

static ssize_t read_some(int fd, char *bytes, size_t size) {
    ssize_t n = 0;
    do n = read(fd, bytes, size);
    while (n < 0 && errno == EINTR);
    return n;
}

bool file_read(Arena *a, const char *path, size_t limit, Str *ret_text, Err *e) {
    bool ok = true;
    Buf b;
    int fd = -1;
    struct stat st;
    if (!open_regular(path, &fd, &st, e)) return false;
    buf_init(&b, limit);
    char chunk[65536];
    ssize_t n = 0;
    while (!b.overflow && (n = read_some(fd, chunk, sizeof chunk)) > 0) buf_add(&b, chunk, (size_t)n);
    if (n < 0) ok = err_set(e, ERR_FAILED, "read '%s': %s", path, strerror(errno));
    if (b.overflow) ok = err_set(e, ERR_FAILED, "read '%s': over %zu bytes", path, limit);
    close(fd);
    if (ok) *ret_text = (Str){arena_copy(a, b.length > 0 ? b.data : "", b.length), b.length};
    buf_free(&b);
    return ok;
}

bool file_pieces(const char *path, bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e) {
    enum { PIECE_BYTES = 256 * 1024 };
    Arena a = {0};
    struct stat st;
    int fd = -1;
    bool given = strcmp(path, "-") == 0;
    if (!given && !open_regular(path, &fd, &st, e)) return false;
    if (given) fd = STDIN_FILENO;
    char *bytes = arena_alloc(&a, PIECE_BYTES, 1);
    bool ok = true;
    for (ssize_t n = 1; ok && n > 0;) {
        n = read_some(fd, bytes, PIECE_BYTES);
        if (n < 0)
            ok = err_set(e, ERR_FAILED, "read '%s': %s", path, strerror(errno));
        else if (n > 0)
            ok = piece(user, (Str){bytes, (size_t)n}, e);
    }
    if (!given) close(fd);
    arena_free(&a);
    return ok;
}

bool file_head(Arena *a, const char *path, size_t limit, Str *ret_head, FileFacts *ret_facts, Err *e) {
    enum { DAYS_MAX = 376199 };  // 2999-12-31
    int fd = -1;
    struct stat st;
    if (!open_regular(path, &fd, &st, e)) return false;
    size_t wanted = st.st_size > 0 && (uintmax_t)st.st_size < limit ? (size_t)st.st_size
                    : st.st_size > 0                                ? limit
                                                                    : 0;
    char *bytes = arena_alloc(a, wanted + 1, 1);
    size_t used = 0;
    ssize_t n = 1;
    while (used < wanted && n != 0) {
        n = read_some(fd, bytes + used, wanted - used);
        if (n < 0) break;
        used += (size_t)n;
    }
    if (n < 0) err_set(e, ERR_FAILED, "read '%s': %s", path, strerror(errno));
    close(fd);
    if (n < 0) return false;
    int64_t days = (int64_t)(st.st_mtime / DAY_S);
    *ret_head = (Str){bytes, used};
    *ret_facts = (FileFacts){(int64_t)st.st_size, days < 0 ? 0 : days > DAYS_MAX ? DAYS_MAX : days};
    return true;
}
