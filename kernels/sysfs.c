// Reading small files of /proc and /sys.
#include "kernels/sysfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path_of(Arena *a, const char *format, va_list args) PRINTF_LIKE(2, 0);
static const char *path_of(Arena *a, const char *format, va_list args) {
    Buf b;
    buf_init(&b, 4096);
    buf_vprintf(&b, format, args);
    const char *path = arena_copy(a, b.data != NULL ? b.data : "", b.length);
    buf_free(&b);
    return path;
}

static const char *read_whole(Arena *a, const char *path) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return "";
    Buf b;
    buf_init(&b, SYSFS_BYTES_MAX);
    char piece[4096];
    ssize_t n = 0;
    while (!b.overflow && (n = read(fd, piece, sizeof piece)) > 0) buf_add(&b, piece, (size_t)n);
    close(fd);
    bool good = n == 0 && b.length > 0 && !b.overflow && memchr(b.data, '\0', b.length) == NULL;
    size_t length = good ? b.length : 0;
    while (length > 0 && strchr(" \t\r\n", b.data[length - 1]) != NULL) length--;
    const char *text = length > 0 ? arena_copy(a, b.data, length) : "";
    buf_free(&b);
    return text;
}

const char *sysfs_text(Arena *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *path = path_of(a, format, args);
    va_end(args);
    return read_whole(a, path);
}

static double hexadecimal(const char *text) {
    static const char digits[] = "0123456789abcdef";
    double x = 0;
    if (text[0] == '\0' || strlen(text) > 12) return (double)NAN;
    for (; *text != '\0'; text++) {
        const char *at = strchr(digits, char_lower(*text));
        if (at == NULL) return (double)NAN;
        x = x * 16 + (double)(at - digits);
    }
    return x;
}

double sysfs_number(Arena *a, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = read_whole(a, path_of(a, format, args));
    va_end(args);
    double x = (double)NAN;
    if (text[0] == '0' && char_lower(text[1]) == 'x') return hexadecimal(text + 2);
    return parse_number(str_of(text), -1e18, 1e18, &x, NULL) ? x : (double)NAN;
}

const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end != NULL && end[1] != '\0' ? end + 1 : NULL;
}

size_t sysfs_list(Arena *a, const char *folder, const char *const **ret_names) {
    enum { ENTRIES_MAX = 4096 };
    DIR *d = opendir(folder);
    if (d == NULL) return 0;
    const char **names = arena_alloc(a, ENTRIES_MAX, sizeof *names);
    size_t n = 0;
    for (struct dirent *entry; n < ENTRIES_MAX && (entry = readdir(d)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        names[n++] = arena_copy(a, entry->d_name, strlen(entry->d_name));
    }
    closedir(d);
    if (n > 0) qsort(names, n, sizeof *names, order_texts);
    *ret_names = names;
    return n;
}
