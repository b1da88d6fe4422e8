// One question at a time to the host beside the screen.
#include "tui/asker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { STACK_BYTES = 8 << 20 };  // what the answer has on the screen's own thread

void asker_init(Asker *k) { *k = (Asker){.ended = {-1, -1}}; }

static void ask(Asker *k) {
    k->ok = k->host->ask(k->host->self, k->words, k->n, k->width, &k->arena, &k->answer, &k->error);
}

static void *work(void *self) {
    Asker *k = self;
    ask(k);
    while (write(k->ended[1], "", 1) < 0 && errno == EINTR) continue;
    return NULL;
}

static bool start_thread(Asker *k) {
    pthread_attr_t attributes;
    if (k->ended[0] < 0 && pipe(k->ended) != 0) return false;
    for (int i = 0; i < 2; i++) fcntl(k->ended[i], F_SETFD, FD_CLOEXEC);
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    bool started = pthread_create(&k->thread, &attributes, work, k) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

void asker_start(Asker *k, const TuiHost *host, const char *const *words, size_t n, size_t width) {
    const char **copies = arena_alloc(&k->arena, n + 1, sizeof *copies);
    for (size_t i = 0; i < n; i++) copies[i] = arena_copy(&k->arena, words[i], strlen(words[i]));
    k->host = host;
    k->words = copies;
    k->n = n;
    k->width = width;
    k->answer = (TuiAnswer){0};
    k->error = (Err){0};
    k->running = true;
    k->joined = !start_thread(k);
    if (k->joined) ask(k);
}

void asker_wait(Asker *k) {
    char byte;
    if (!k->running || k->joined) return;
    pthread_join(k->thread, NULL);
    k->joined = true;
    while (read(k->ended[0], &byte, 1) < 0 && errno == EINTR) continue;
}

bool asker_ended(Asker *k) {
    struct pollfd end = {.fd = k->ended[0], .events = POLLIN};
    if (!k->running) return false;
    if (!k->joined && poll(&end, 1, 0) > 0) asker_wait(k);
    return k->joined;
}

bool asker_take(Asker *k, Arena *ret_arena, TuiAnswer *ret_answer, Err *e) {
    asker_wait(k);
    bool ok = k->ok;
    if (ok) {
        *ret_arena = k->arena;
        *ret_answer = k->answer;
    } else {
        arena_free(&k->arena);
        *e = k->error;
    }
    k->arena = (Arena){0};
    k->running = false;
    return ok;
}

void asker_free(Asker *k) {
    asker_wait(k);
    arena_free(&k->arena);
    for (int i = 0; i < 2; i++) {
        if (k->ended[i] >= 0) close(k->ended[i]);
    }
    asker_init(k);
}
