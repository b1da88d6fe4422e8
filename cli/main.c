// main: signals, the standard streams, and writing the answer once.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/pager.h"
#include "kernels/bench.h"
#include "kernels/sensors.h"

extern char **environ;

enum { HOLD = -1, SIGNAL_EXIT = 128 };

// 0: a signal ends the program at once. HOLD: it waits until the output file is whole. Else: the signal that
// waits.
static volatile sig_atomic_t pending;

static void on_signal(int number) {
    if (pending == 0) _exit(SIGNAL_EXIT + number);
    pending = number;
}

static void catch_signals(void) {
    struct sigaction act = {0};
    act.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &act, NULL);
    sigaction(SIGXFSZ, &act, NULL);  // a file over its limit is an error of its write
    act.sa_handler = on_signal;
    act.sa_flags = SA_RESTART;
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
}

// A closed standard stream must not become the descriptor of the next file opened: it is replaced by one that
// fails.
static void guard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        int got = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (got > STDERR_FILENO) close(got);
    }
}

// Who runs a program that has more rights than he (setuid, setgid, file capabilities) chooses its environment: what
// libraries it loads, where it reads and writes, what it starts. None of that is taken from him, by no variable.
static bool drop_foreign_environment(void) {
    if (getauxval(AT_SECURE) == 0) return false;
    environ[0] = NULL;
    return true;
}

// The answer, or the part of it that is there. False: the reader has gone, or the error was told.
static bool write_stdout(App *app) {
    size_t done = 0;
    while (done < app->out.length) {
        ssize_t n = write(STDOUT_FILENO, app->out.data + done, app->out.length - done);
        if (n >= 0) {
            done += (size_t)n;
            continue;
        }
        if (errno == EINTR) continue;
        if (errno == EPIPE) return false;  // the reader has had enough
        Err e = {0};
        err_set(&e, ERR_FAILED, "write standard output: %s", strerror(errno));
        app_fail(app, &e);
        return false;
    }
    return true;
}

static int write_file(App *app, const char *path) {
    Err e = {0};
    struct stat st;
    // may block for ever, and leaves no half file behind
    bool pipe = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    pending = pipe ? 0 : HOLD;
    bool ok = file_write(path, app->out.length > 0 ? app->out.data : "", app->out.length, &e);
    if (pending > 0) _exit(SIGNAL_EXIT + pending);
    pending = 0;
    return ok ? -1 : app_fail(app, &e);
}

// ---------------------------------------------------------------- answers that are written in parts

static void part_failed(App *app, const char *path) {
    Err e = {0};
    err_set(&e, ERR_FAILED, "write '%s': %s", path, strerror(errno));
    file_out_drop(&app->parts.file);
    app_fail(app, &e);
    app->parts.ended = true;
}

static void drain(App *app) {
    const char *path = opt_text(app, OPT_OUTPUT, "-");
    Err e = {0};
    if (app->parts.ended) {
        // nobody reads on
    } else if (strcmp(path, "-") == 0) {
        pager_start(app, true);
        app->parts.ended = !write_stdout(app);
    } else {
        struct stat st;
        if (!app->parts.begun) {
            pending = stat(path, &st) == 0 && !S_ISREG(st.st_mode) ? 0 : HOLD;
            app->parts.ended = !file_out_open(path, &app->parts.file, &e);
            if (app->parts.ended) app_fail(app, &e);
        }
        if (!app->parts.ended && !file_out_add(&app->parts.file, app->out.data, app->out.length))
            part_failed(app, path);
        if (pending > 0) {
            file_out_drop(&app->parts.file);
            _exit(SIGNAL_EXIT + pending);
        }
    }
    app->parts.begun = true;
    app->out.length = 0;
}

static int end_parts(App *app, int code) {
    const char *path = opt_text(app, OPT_OUTPUT, "-");
    if (app->out.length > 0) drain(app);
    if (!app->parts.ended && strcmp(path, "-") != 0 && !file_out_close(&app->parts.file))
        part_failed(app, path);
    pending = 0;
    return app->failed ? EXIT_FAILED : app->parts.ended ? EXIT_DONE : code;
}

static int write_answer(App *app, int code) {
    const char *path = opt_text(app, OPT_OUTPUT, "-");
    Err e = {0};
    if (app->out.overflow) {
        err_set(&e, ERR_FAILED, "the answer is too large");
        return app_fail(app, &e);
    }
    if (app->parts.begun) return end_parts(app, code);
    if (strcmp(path, "-") != 0) {
        int wrote = write_file(app, path);
        return wrote >= 0 ? wrote : code;
    }
    pager_start(app, false);
    bool whole = write_stdout(app);
    return whole ? code : app->failed ? EXIT_FAILED : EXIT_DONE;
}

int main(int argc, char **argv) {
    enum { ANSWERS = 3 };
    bool foreign = drop_foreign_environment();
    if (argc == 2 && strcmp(argv[1], BENCH_WORKER_WORD) == 0) return worker_main(STDIN_FILENO, ANSWERS);
    if (argc == 2 && strcmp(argv[1], SENSORS_WORD) == 0) return sensors_main(STDOUT_FILENO);
    catch_signals();
    guard_streams();
    App app = {.drain = drain, .commands = &command_table};
    if (foreign)
        app_warn(&app, "it runs with more rights than whoever started it has: the environment is not heeded");
    int code = app_main(&app, argc, argv);
    if (!app.failed) code = write_answer(&app, code);
    if (app.failed && app.parts.begun) {
        file_out_drop(&app.parts.file);
        code = EXIT_FAILED;
    }
    pager_end(&app);
    app_close(&app);
    return code;
}
