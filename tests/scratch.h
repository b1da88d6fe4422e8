// A folder of a test's own, removed with all that is in it, and bytes in and out of its files.
#ifndef GPUADVISE_TESTS_SCRATCH_H
#define GPUADVISE_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/base.h"
#include "tests/check.h"

#ifdef GPUADVISE_COVERED  // a build that counts coverage: _exit alone would leave a child's part out
void __gcov_dump(void);
#define scratch_counted_() __gcov_dump()
#else
#define scratch_counted_() (void)0
#endif

typedef struct Scratch {
    char path[64];
    Arena arena;  // of paths and contents
} Scratch;

static inline Scratch scratch_make(void) {
    Scratch s = {.path = "/tmp/gpuadvise-test-XXXXXX"};
    CHECK(mkdtemp(s.path) != NULL);
    return s;
}

static inline const char *scratch_path(Scratch *s, const char *name) {
    return arena_printf(&s->arena, "%s/%s", s->path, name);
}

static inline size_t scratch_count(const char *folder) {
    DIR *d = opendir(folder);
    CHECK(d != NULL);
    size_t n = 0;
    for (struct dirent *entry; (entry = readdir(d)) != NULL;) n += entry->d_name[0] != '.';
    closedir(d);
    return n;
}

static inline void scratch_remove(Arena *a, const char *path) {
    DIR *d = opendir(path);
    if (d == NULL) {
        unlink(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(d)) != NULL;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            scratch_remove(a, arena_printf(a, "%s/%s", path, entry->d_name));
        }
    }
    closedir(d);
    rmdir(path);
}

static inline void scratch_free(Scratch *s) {
    scratch_remove(&s->arena, s->path);
    arena_free(&s->arena);
}

static inline void scratch_write(const char *path, const char *bytes, size_t length) {
    FILE *f = fopen(path, "wb");
    CHECK(f != NULL);
    CHECK(fwrite(bytes, 1, length, f) == length);
    CHECK(fclose(f) == 0);
}

static inline Str scratch_read(Scratch *s, const char *path) {
    Str text = {0};
    Err e = {0};
    if (!file_read(&s->arena, path, 64 * 1024 * 1024, &text, &e)) FAIL_("%s", e.text);
    return text;
}

static inline int scratch_mode(const char *path) {
    struct stat st;
    CHECK(stat(path, &st) == 0);
    return (int)(st.st_mode & 0777);
}

// Runs `body` in `n` processes that start together; each gets its number. Exit status 0 of all is demanded.
static inline void scratch_fork(int n, void (*body)(int number, void *context), void *context) {
    int gate[2];
    CHECK(pipe(gate) == 0);
    for (int i = 0; i < n; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child > 0) continue;
        char c;
        close(gate[1]);
        if (read(gate[0], &c, 1) != 0) _exit(2);  // opens when the parent closes its end
        body(i, context);
        scratch_counted_();
        _exit(0);
    }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < n; i++) {
        int status = 0;
        CHECK(wait(&status) > 0);
        CHECK_INT(status, 0);
    }
}

#endif
