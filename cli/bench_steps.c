// What the steps of a run share: progress on a terminal, a test that failed.
#include <stdio.h>
#include <unistd.h>

#include "cli/bench.h"

void bench_progress(const App *app, const char *text) {
    if (app->quiet || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
}

BenchResult bench_failed(App *app, TestId test, const char *device, const char *why) {
    BenchResult r = bench_blank(test, device);
    r.verdict = "failed";
    r.error = arena_printf(&app->arena, "%s", why);
    return r;
}
