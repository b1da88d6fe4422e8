// A command that takes its time, as a process of its own.
#include "tui/job.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_MAX = 512 << 20, ERRORS_MAX = 1 << 20 };

extern char **environ;

const char *job_time(double seconds, char text[16]) {
    int s = seconds > 0 && seconds < 3e6 ? (int)seconds : 0;
    snprintf(text, 16, "%d:%02d", s / 60, s % 60);
    return text;
}

double job_left_s(const Job *j) {
    if (!(j->total > 0) || !(j->done > 0)) return (double)NAN;
    return (seconds_now() - j->started_s) / j->done * (j->total - j->done);
}

void job_init(Job *j) {
    *j = (Job){.out = -1, .err = -1, .done = (double)NAN, .total = (double)NAN};
    buf_init(&j->answer, ANSWER_MAX);
    buf_init(&j->errors, ERRORS_MAX);
}

void job_free(Job *j) {
    const double patience_s = 1;  // one that hangs in a driver does not even die
    struct timespec moment = {.tv_nsec = 5000000};
    if (j->pid > 0) {
        kill(-j->pid, SIGKILL);  // with all that it has started: its group
        for (double end = seconds_now() + patience_s;
             waitpid(j->pid, NULL, WNOHANG) == 0 && seconds_now() < end;)
            nanosleep(&moment, NULL);
    }
    if (j->out >= 0) close(j->out);
    if (j->err >= 0) close(j->err);
    buf_free(&j->answer);
    buf_free(&j->errors);
}

// ---------------------------------------------------------------- starting

static bool open_pipe(int ends[2], Err *e) {
    if (pipe(ends) != 0) return err_set(e, ERR_FAILED, "pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}

// Its standard input is empty; a group of its own keeps the keys of the terminal from it.
static int spawn(const char *program, char *const *arguments, char *const *environment, int out, int err,
                 pid_t *ret_pid) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT), sigaddset(&usual, SIGTERM), sigaddset(&usual, SIGHUP),
        sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    int failed = program == NULL
                     ? posix_spawn(ret_pid, "/proc/self/exe", &files, &attributes, arguments, environment)
                     : posix_spawnp(ret_pid, program, &files, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

// This program's own, but for the width of tables.
static char **environment_of(int columns, Arena *a) {
    size_t n = 0, used = 0;
    while (environ[n] != NULL) n++;
    char **all = arena_alloc(a, n + 3, sizeof *all);
    for (size_t i = 0; i < n; i++) {
        if (columns <= 0 || strncmp(environ[i], "COLUMNS=", 8) != 0) all[used++] = environ[i];
    }
    if (columns > 0) {
        all[used++] = arena_printf(a, "COLUMNS=%d", columns);
        all[used++] = arena_printf(a, "GPUADVISE_SCREEN=1");  // tables are cut as on a terminal
    }
    all[used] = NULL;
    return all;
}

// `program` NULL: this one, whose name is not among the words.
static bool start(Job *j, const char *program, const char *const *words, size_t n, int columns, Err *e) {
    int out[2], err[2];
    Arena a = {0};
    char *arguments[JOB_WORDS_MAX + 2] = {arena_copy(&a, "gpuadvise", 9)};
    size_t first = program == NULL ? 1 : 0;
    if (j->pid > 0) return err_set(e, ERR_USAGE, "`%s` is still running", j->what);
    if (n > JOB_WORDS_MAX) return err_set(e, ERR_USAGE, "more than %d words", JOB_WORDS_MAX);
    for (size_t i = 0; i < n; i++) arguments[i + first] = arena_copy(&a, words[i], strlen(words[i]));
    if (!open_pipe(out, e)) return false;
    if (!open_pipe(err, e)) {
        close(out[0]), close(out[1]);
        return false;
    }
    job_free(j);
    job_init(j);
    int failed = spawn(program, arguments, environment_of(columns, &a), out[1], err[1], &j->pid);
    close(out[1]), close(err[1]);
    arena_free(&a);
    j->out = out[0];
    j->err = err[0];
    j->started_s = seconds_now();
    for (size_t i = 0; i < n && words[i][0] != '-'; i++)
        snprintf(j->what + strlen(j->what), sizeof j->what - strlen(j->what), "%s%s", i > 0 ? " " : "",
                 words[i]);
    if (failed == 0) return true;
    j->pid = 0;
    return err_set(e, ERR_FAILED, "start `%s`: %s", j->what, strerror(failed));
}

bool job_start(Job *j, JobKind kind, const char *const *words, size_t n, int columns, Err *e) {
    bool started = start(j, NULL, words, n, columns, e);
    if (started) j->kind = kind;
    return started;
}

bool job_start_program(Job *j, JobKind kind, const char *const *words, size_t n, size_t most, Err *e) {
    if (!start(j, words[0], words, n, 0, e)) return false;
    j->kind = kind;
    j->answer.limit = most;
    return true;
}

// ---------------------------------------------------------------- reading

// One that never stops writing is left for the next time, and what its buffer has no room for is lost.
static void drain(int *fd, Buf *into) {
    enum { ROUNDS_MAX = 256 };
    char bytes[65536];
    for (int i = 0; *fd >= 0 && i < ROUNDS_MAX; i++) {
        ssize_t n = read(*fd, bytes, sizeof bytes);
        if (n > 0) {
            buf_add(into, bytes, (size_t)n);
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            close(*fd);
            *fd = -1;
        } else if (errno == EAGAIN) {
            return;
        }
    }
}

// "progress 3 12 gemm": what a command says of itself on standard error when it is asked to (--progress).
static bool take_progress(Job *j, Str line) {
    Str word;
    double done = 0, total = 0;
    if (!str_next(&line, ' ', &word) || !str_is(word, "progress")) return false;
    if (!str_next(&line, ' ', &word) || !parse_number(word, 0, 1e9, &done, NULL)) return false;
    if (!str_next(&line, ' ', &word) || !parse_number(word, 0, 1e9, &total, NULL)) return false;
    j->done = done;
    j->total = total;
    snprintf(j->step, sizeof j->step, "%.*s", (int)(line.length < 150 ? line.length : 150),
             line.data != NULL ? line.data : "");
    text_scrub(j->step);
    return true;
}

// Takes whole lines of progress out of what was said on standard error.
static void take_lines(Job *j) {
    Buf kept;
    buf_init(&kept, ERRORS_MAX);
    Str rest = {j->errors.data, j->errors.length};
    while (rest.length > 0) {
        const char *end = memchr(rest.data, '\n', rest.length);
        size_t n = end != NULL ? (size_t)(end - rest.data) + 1 : rest.length;
        if (end == NULL || !take_progress(j, (Str){rest.data, n - 1})) buf_add(&kept, rest.data, n);
        rest = (Str){rest.data + n, rest.length - n};
    }
    buf_free(&j->errors);
    j->errors = kept;
}

bool job_line(Job *j, char *ret_line, size_t room) {
    const char *end = j->answer.length > 0 ? memchr(j->answer.data, '\n', j->answer.length) : NULL;
    if (end == NULL) return false;
    size_t n = (size_t)(end - j->answer.data);
    snprintf(ret_line, room, "%.*s", (int)n, j->answer.data);
    j->answer.length -= n + 1;
    memmove(j->answer.data, end + 1, j->answer.length);
    j->answer.overflow = false;  // there is room again
    return true;
}

bool job_read(Job *j) {
    if (j->pid <= 0) return false;
    drain(&j->out, &j->answer);
    size_t before = j->errors.length;
    drain(&j->err, &j->errors);
    if (j->errors.length > before) take_lines(j);
    int status = 0;
    bool silent = j->out < 0 && j->err < 0;
    if (waitpid(j->pid, &status, silent ? 0 : WNOHANG) != j->pid) return false;
    drain(&j->out, &j->answer);  // what it said last; a process that it left behind may hold the pipes
    drain(&j->err, &j->errors);
    if (j->out >= 0) close(j->out);
    if (j->err >= 0) close(j->err);
    j->out = j->err = -1;
    j->pid = 0;
    j->ended_s = seconds_now();
    j->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    j->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return true;
}

void job_cancel(Job *j) {
    if (j->pid <= 0) return;
    j->signal_sent = j->cancelled ? SIGKILL : SIGTERM;
    j->cancelled = true;
    kill(j->signal_sent == SIGKILL ? -j->pid : j->pid, j->signal_sent);
}
