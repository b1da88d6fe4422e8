// A library for LD_PRELOAD that makes one call of the program fail: the Nth of a kind, once or from then on.
//
//   FAULT_CALL    malloc, read, write, short (half of what is written), fsync, rename, open, mmap, stat, unlink, truncate
//   FAULT_NTH     which call of that kind fails, from 1; unset: none, they are only counted
//   FAULT_STAYS   set: all that follow fail as well
//   FAULT_REPORT  a file that gets one line a process at its end: 1 when a call failed, else 0, then how many calls
//                 of each kind it made, in the order above
//
// Each process counts its own calls, from the constructors on. What goes to standard error never fails: the
// program is to say what went wrong. The calls behind are the kernel's own, so that no other library is asked.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

typedef enum Kind {
    CALL_MALLOC,
    CALL_READ,
    CALL_WRITE,
    CALL_SHORT,
    CALL_FSYNC,
    CALL_RENAME,
    CALL_OPEN,
    CALL_MMAP,
    CALL_STAT,
    CALL_UNLINK,
    CALL_TRUNCATE,
    CALL_NONE
} Kind;
static const char *const kind_names[] = {"malloc", "read", "write", "short",  "fsync",   "rename",
                                         "open",   "mmap", "stat",  "unlink", "truncate"};

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static Kind kind = CALL_NONE;
static long nth;
static bool stays, failed;
static atomic_long calls[CALL_NONE];

__attribute__((constructor)) static void arm(void) {
    const char *name = getenv("FAULT_CALL"), *n = getenv("FAULT_NTH");
    nth = n != NULL ? strtol(n, NULL, 10) : 0;
    stays = getenv("FAULT_STAYS") != NULL;
    for (size_t i = 0; name != NULL && i < sizeof kind_names / sizeof *kind_names; i++) {
        if (strcmp(name, kind_names[i]) == 0) kind = (Kind)i;
    }
}

__attribute__((destructor)) static void report(void) {
    const char *path = getenv("FAULT_REPORT");
    if (path == NULL) return;
    char line[32 * (CALL_NONE + 1)];
    int length = snprintf(line, sizeof line, "%d", failed);
    for (int k = 0; k < CALL_NONE; k++)
        length += snprintf(line + length, sizeof line - (size_t)length, " %ld", (long)calls[k]);
    line[length++] = '\n';
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return;
    (void)!syscall(SYS_write, fd, line, (size_t)length);
    syscall(SYS_close, fd);
}

// Ends that run no destructors.
SHOWN _Noreturn void _exit(int code) {
    report();
    for (;;) syscall(SYS_exit_group, code);
}

// Whether this call is the one, and with what error it fails.
static bool fails(Kind k, int error) {
    long n = atomic_fetch_add(&calls[k], 1) + 1;
    if (k != kind || nth == 0 || n < nth || (n > nth && !stays)) return false;
    failed = true;
    errno = error;
    return true;
}

// ---------------------------------------------------------------- memory

SHOWN void *malloc(size_t size) { return fails(CALL_MALLOC, ENOMEM) ? NULL : __libc_malloc(size); }
SHOWN void *calloc(size_t n, size_t size) {
    return fails(CALL_MALLOC, ENOMEM) ? NULL : __libc_calloc(n, size);
}
SHOWN void *realloc(void *old, size_t size) {
    return fails(CALL_MALLOC, ENOMEM) ? NULL : __libc_realloc(old, size);
}
SHOWN void *aligned_alloc(size_t alignment, size_t size) {
    return fails(CALL_MALLOC, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}
SHOWN int posix_memalign(void **ret, size_t alignment, size_t size) {
    void *p = fails(CALL_MALLOC, ENOMEM) ? NULL : __libc_memalign(alignment, size);
    if (p == NULL) return ENOMEM;
    *ret = p;
    return 0;
}

static void *map(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    if (fails(CALL_MMAP, ENOMEM)) return MAP_FAILED;
    long got = syscall(SYS_mmap, at, size, protection, flags, fd, offset);
    return (void *)got;  // MAP_FAILED is -1
}
SHOWN void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    return map(at, size, protection, flags, fd, offset);
}
SHOWN void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    return map(at, size, protection, flags, fd, offset);
}

// ---------------------------------------------------------------- bytes

static ssize_t get(int fd, void *bytes, size_t size, off_t offset) {
    if (fails(CALL_READ, EIO)) return -1;
    return offset < 0 ? syscall(SYS_read, fd, bytes, size) : syscall(SYS_pread64, fd, bytes, size, offset);
}
SHOWN ssize_t read(int fd, void *bytes, size_t size) { return get(fd, bytes, size, -1); }
SHOWN ssize_t pread(int fd, void *bytes, size_t size, off_t offset) { return get(fd, bytes, size, offset); }
SHOWN ssize_t pread64(int fd, void *bytes, size_t size, off_t offset) { return get(fd, bytes, size, offset); }

static ssize_t put(int fd, const void *bytes, size_t size, off_t offset) {
    if (fd != STDERR_FILENO && fails(CALL_WRITE, ENOSPC)) return -1;
    if (fd != STDERR_FILENO && size > 1 && fails(CALL_SHORT, 0)) size /= 2;
    return offset < 0 ? syscall(SYS_write, fd, bytes, size) : syscall(SYS_pwrite64, fd, bytes, size, offset);
}
SHOWN ssize_t write(int fd, const void *bytes, size_t size) { return put(fd, bytes, size, -1); }
SHOWN ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
    return put(fd, bytes, size, offset);
}
SHOWN ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t offset) {
    return put(fd, bytes, size, offset);
}

SHOWN int fsync(int fd) { return fails(CALL_FSYNC, EIO) ? -1 : (int)syscall(SYS_fsync, fd); }
SHOWN int fdatasync(int fd) { return fails(CALL_FSYNC, EIO) ? -1 : (int)syscall(SYS_fdatasync, fd); }
SHOWN int ftruncate(int fd, off_t size) {
    return fails(CALL_TRUNCATE, EIO) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}
SHOWN int ftruncate64(int fd, off_t size) {
    return fails(CALL_TRUNCATE, EIO) ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

// ---------------------------------------------------------------- files by name

static int opened(int folder, const char *path, int flags, mode_t mode) {
    return fails(CALL_OPEN, EMFILE) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}
#define MODE_OF(flags)                                                                                       \
    mode_t mode = 0;                                                                                         \
    if (((flags)&O_CREAT) != 0) {                                                                            \
        va_list rest;                                                                                        \
        va_start(rest, flags);                                                                               \
        mode = va_arg(rest, mode_t);                                                                         \
        va_end(rest);                                                                                        \
    }
SHOWN int open(const char *path, int flags, ...) {
    MODE_OF(flags)
    return opened(AT_FDCWD, path, flags, mode);
}
SHOWN int open64(const char *path, int flags, ...) {
    MODE_OF(flags)
    return opened(AT_FDCWD, path, flags, mode);
}
SHOWN int openat(int folder, const char *path, int flags, ...) {
    MODE_OF(flags)
    return opened(folder, path, flags, mode);
}
SHOWN int openat64(int folder, const char *path, int flags, ...) {
    MODE_OF(flags)
    return opened(folder, path, flags, mode);
}
SHOWN DIR *opendir(const char *path) {
    int fd = opened(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    return fd < 0 ? NULL : fdopendir(fd);
}

SHOWN int rename(const char *from, const char *to) {
    return fails(CALL_RENAME, EIO) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
SHOWN int unlink(const char *path) {
    return fails(CALL_UNLINK, EIO) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static int look(int folder, const char *path, void *ret, int flags) {
    return fails(CALL_STAT, EIO) ? -1 : (int)syscall(SYS_newfstatat, folder, path, ret, flags);
}
SHOWN int stat(const char *path, struct stat *ret) { return look(AT_FDCWD, path, ret, 0); }
SHOWN int lstat(const char *path, struct stat *ret) { return look(AT_FDCWD, path, ret, AT_SYMLINK_NOFOLLOW); }
SHOWN int fstat(int fd, struct stat *ret) { return look(fd, "", ret, AT_EMPTY_PATH); }
SHOWN int fstatat(int fd, const char *path, struct stat *ret, int flags) {
    return look(fd, path, ret, flags);
}
SHOWN int stat64(const char *path, struct stat64 *ret) { return look(AT_FDCWD, path, ret, 0); }
SHOWN int lstat64(const char *path, struct stat64 *ret) {
    return look(AT_FDCWD, path, ret, AT_SYMLINK_NOFOLLOW);
}
SHOWN int fstat64(int fd, struct stat64 *ret) { return look(fd, "", ret, AT_EMPTY_PATH); }
