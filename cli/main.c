// main: signals, the standard streams, and writing the answer once.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

enum { HOLD = -1, SIGNAL_EXIT = 128 };

// 0: a signal ends the program at once. HOLD: it waits until the output file is whole. Else: the signal that waits.
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

// A closed standard stream must not become the descriptor of the next file opened: it is replaced by one that fails.
static void guard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        int got = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (got > STDERR_FILENO) close(got);
    }
}

static int write_stdout(App *app) {
    size_t done = 0;
    while (done < app->out.length) {
        ssize_t n = write(STDOUT_FILENO, app->out.data + done, app->out.length - done);
        if (n >= 0) {
            done += (size_t)n;
            continue;
        }
        if (errno == EINTR) continue;
        if (errno == EPIPE) return EXIT_DONE;  // the reader has had enough
        Err e = {0};
        err_set(&e, ERR_FAILED, "write standard output: %s", strerror(errno));
        return app_fail(app, &e);
    }
    return -1;
}

static int write_file(App *app, const char *path) {
    Err e = {0};
    struct stat st;
    bool pipe = stat(path, &st) == 0 && !S_ISREG(st.st_mode);  // may block for ever, and leaves no half file behind
    pending = pipe ? 0 : HOLD;
    bool ok = file_write(path, app->out.length > 0 ? app->out.data : "", app->out.length, &e);
    if (pending > 0) _exit(SIGNAL_EXIT + pending);
    pending = 0;
    return ok ? -1 : app_fail(app, &e);
}

int main(int argc, char **argv) {
    catch_signals();
    guard_streams();
    App app;
    int code = app_main(&app, argc, argv);
    if (!app.failed) {
        const char *path = opt_text(&app, OPT_OUTPUT, "-");
        Err e = {0};
        int wrote = app.out.overflow         ? (err_set(&e, ERR_FAILED, "the answer is too large"), app_fail(&app, &e))
                    : strcmp(path, "-") == 0 ? write_stdout(&app)
                                             : write_file(&app, path);
        if (wrote >= 0) code = wrote;
    }
    app_close(&app);
    return code;
}
