// bench fleet: files of records, read on all cores and taken in their order.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench.h"
#include "kernels/bench.h"

enum { RECORD_BYTES_MAX = 16 * 1024 * 1024, RECORD_VALUES_MAX = 400000, THREADS_MAX = 16, BATCH = 64 };

typedef struct SeenRun {
    BenchRun run;
    const char *why;  // it is none; else NULL
} SeenRun;

typedef struct SeenFile {
    Arena arena;  // of all that follows
    const char *name;
    const char *why;  // it cannot be read; else NULL
    SeenRun *runs;
    size_t n, room;
} SeenFile;

// Files that are in memory at once. `next` is shared by the threads, an element of `files` belongs to one.
typedef struct Batch {
    const char *const *paths;
    size_t n;
    int64_t now;
    SeenFile files[BATCH];
    atomic_size_t next;
} Batch;

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void see_run(const Json *object, int64_t now, SeenFile *file) {
    Err why = {0};
    size_t unknown = 0;
    file->runs = arena_grow(&file->arena, file->runs, file->n, &file->room, sizeof *file->runs);
    SeenRun *seen = &file->runs[file->n++];
    seen->why = NULL;
    if (!bench_run_read(object, now, &file->arena, &seen->run, &unknown, &why))
        seen->why = arena_copy(&file->arena, why.text, strlen(why.text));
}

// A record, an answer of `bench --json`, or what `bench export` wrote. Its text and tree go again at once.
static void see_file(const char *path, int64_t now, SeenFile *file) {
    Arena text_arena = {0};
    Err why = {0};
    Str text;
    Json *json = NULL;
    *file = (SeenFile){0};
    file->name = text_clean(&file->arena, name_of(path));
    if (!file_read(&text_arena, path, RECORD_BYTES_MAX, &text, &why) ||
        !json_parse(text, RECORD_VALUES_MAX, &json, &why)) {
        file->why = arena_copy(&file->arena, why.text, strlen(why.text));
    } else if (json_is_array(json_get(json, "runs"))) {
        for (const Json *r = json_first(json_get(json, "runs")); r != NULL; r = json_next(r))
            see_run(r, now, file);
    } else {
        see_run(json, now, file);
    }
    json_free(json);
    arena_free(&text_arena);
}

// cJSON may be used by several threads at once as long as nobody asks for its last error (its README).
static void *work(void *user) {
    Batch *b = user;
    for (size_t i = atomic_fetch_add(&b->next, 1); i < b->n; i = atomic_fetch_add(&b->next, 1))
        see_file(b->paths[i], b->now, &b->files[i]);
    return NULL;
}

// This thread is one of them: where no other can be started it does all.
static void see_batch(Batch *b, size_t threads) {
    pthread_t others[THREADS_MAX];
    size_t started = 0;
    while (started + 1 < threads && started + 1 < b->n &&
           pthread_create(&others[started], NULL, work, b) == 0)
        started++;
    work(b);
    for (size_t i = 0; i < started; i++) pthread_join(others[i], NULL);
}

static void take_file(Fleet *f, const SeenFile *file) {
    if (file->why != NULL) fleet_add_unreadable(f, file->name, file->why);
    for (size_t i = 0; i < file->n; i++) {
        if (file->runs[i].why != NULL) {
            fleet_add_unreadable(f, file->name, file->runs[i].why);
        } else {
            fleet_add(f, file->name, &file->runs[i].run);
        }
    }
}

void bench_fleet_read(const char *const *paths, size_t n, int64_t now, Fleet *f) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t threads = cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (size_t)cores;
    Batch b = {.now = now};
    for (size_t taken = 0; taken < n; taken += b.n) {
        b.paths = paths + taken;
        b.n = n - taken < BATCH ? n - taken : BATCH;
        atomic_store(&b.next, 0);
        see_batch(&b, threads);
        for (size_t i = 0; i < b.n; i++) {
            take_file(f, &b.files[i]);
            arena_free(&b.files[i].arena);
        }
    }
}
