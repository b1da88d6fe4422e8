// kernels: a worker process that does not come to run.
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "kernels/bench.h"
#include "tests/check.h"

static bool killed;  // the child is killed on its way, else it finds no program

// Instead of the C library's, for all that is linked here.
int execv(const char *path, char *const arguments[]) {
    (void)path, (void)arguments;
    if (killed) kill(getpid(), SIGKILL);
    errno = ENOENT;
    return -1;
}

static const char *reason(bool with_a_kill, Arena *a) {
    static const volatile sig_atomic_t never;
    BenchWorker w = {0};
    BenchRequest r = {.test = KERNEL_COPY, .quick = true};
    BenchResult result;
    Err e = {0};
    signal(SIGPIPE, SIG_IGN);  // as the program does
    killed = with_a_kill;
    CHECK(worker_start(&w, &e));
    CHECK(!worker_ask(&w, &r, 30, &never, a, &result, &e));
    CHECK_INT(w.pid, 0);
    return arena_copy(a, e.text, strlen(e.text));
}

static void test_cannot_be_executed(void) {
    Arena a = {0};
    const char *text = reason(false, &a);
    CHECK(strstr(text, "could not be started") != NULL && strstr(text, "/proc/self/exe") != NULL);
    CHECK(strstr(text, "signal") == NULL && strstr(text, "memory") == NULL);
    arena_free(&a);
}

static void test_killed(void) {
    Arena a = {0};
    CHECK(strstr(reason(true, &a), "signal 9 (Killed, perhaps for want of memory)") != NULL);
    arena_free(&a);
}

static const TestCase tests[] = {TEST(cannot_be_executed), TEST(killed)};
TEST_MAIN(tests)
