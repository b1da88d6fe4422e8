// Secrets of feeds: from the environment, a file or a command, which has half a minute and may print 64 KiB.
#include "cli/secret.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { SECRET_BYTES_MAX = 64 * 1024, COMMAND_WAIT_MS = 30000, SLICE_MS = 20, STOP_WAIT_MS = 1000 };

bool secret_first_line(Str text, Arena *a, const char **ret_value) {
    Str rest = text;
    Str line = {"", 0};
    str_next(&rest, '\n', &line);
    line = str_trim(line);
    *ret_value = arena_copy(a, line.data, line.length);
    return (*ret_value)[0] != '\0';
}

// ---------------------------------------------------------------- a command, started without a shell

static void wait_slice(void) { nanosleep(&(struct timespec){0, SLICE_MS * 1000000L}, NULL); }

bool secret_words(const char *command, Arena *a, char *ret_words[SECRET_WORDS_MAX + 1]) {
    size_t n = 0;
    Str rest = str_of(command);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        if (word.length == 0) continue;
        if (n == SECRET_WORDS_MAX) return false;
        ret_words[n++] = arena_copy(a, word.data, word.length);
    }
    ret_words[n] = NULL;
    return n > 0;
}

static bool start(App *app, const char *command, pid_t *ret_child, int *ret_fd) {
    char *words[SECRET_WORDS_MAX + 1];
    int ends[2];
    if (!secret_words(command, &app->arena, words) || pipe(ends) != 0) return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    bool ok = posix_spawnp(ret_child, words[0], &actions, NULL, words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *ret_fd = ends[0];
    if (!ok) close(ends[0]);
    return ok;
}

// A command that is given up may clean up before it is killed.
static void stop(pid_t child) {
    int status = 0;
    kill(child, SIGTERM);
    for (int waited = 0; waited < STOP_WAIT_MS; waited += SLICE_MS) {
        if (waitpid(child, &status, WNOHANG) != 0) return;
        wait_slice();
    }
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
}

// Reads what the command prints until it ends; what a child of its own still holds open is not waited for.
// NULL, or why it was given up.
static const char *read_until_end(pid_t child, int fd, Buf *out, int *ret_status) {
    int64_t until = ms_now() + COMMAND_WAIT_MS;
    bool open = true;
    bool ended = false;
    while (open || !ended) {
        char bytes[4096];
        struct pollfd p = {.fd = fd, .events = POLLIN};
        ended = ended || waitpid(child, ret_status, WNOHANG) != 0;
        bool ready = open && poll(&p, 1, ended ? 0 : SLICE_MS) > 0;
        if (!ready && ended) break;
        if (ready) {
            ssize_t n = read(fd, bytes, sizeof bytes);
            if (n > 0) buf_add(out, bytes, (size_t)n);
            open = n > 0 || (n < 0 && errno == EINTR);
        } else if (!open) {
            wait_slice();
        }
        if (out->overflow) break;
        if (ms_now() > until) break;
    }
    if (!out->overflow && ended) return NULL;
    if (!ended) stop(child);
    return out->overflow ? "printed more than 64 KiB" : "did not end within 30 s";
}

static bool run_command(App *app, const char *name, const char *command, const char **ret_value, Err *e) {
    Buf out;
    pid_t child = 0;
    int fd = -1;
    int status = 0;
    if (!start(app, command, &child, &fd))
        return err_set(e, ERR_FAILED, "%s_COMMAND cannot be started", name);
    buf_init(&out, SECRET_BYTES_MAX);
    const char *why = read_until_end(child, fd, &out, &status);
    close(fd);
    bool ok = why == NULL && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
              secret_first_line((Str){out.data != NULL ? out.data : "", out.length}, &app->arena, ret_value);
    buf_free(&out);
    return ok ||
           err_set(e, ERR_FAILED, "%s_COMMAND %s", name, why != NULL ? why : "failed or printed nothing");
}

// ---------------------------------------------------------------- all three

void secret_file_warn(App *app, const char *what, const char *path) {
    struct stat st;
    if (stat(path, &st) != 0 || (st.st_mode & (S_IROTH | S_IWOTH)) == 0) return;
    app_warn(app, "%s: every user of this machine can %s '%s' (mode %04o): chmod 600", what,
             (st.st_mode & S_IROTH) != 0 ? "read" : "write", text_clean(&app->arena, path),
             (unsigned)(st.st_mode & 07777));
}

static const char *variable(App *app, const char *name, const char *end) {
    const char *value = getenv(arena_printf(&app->arena, "%s%s", name, end));
    return value != NULL ? value : "";
}

static bool look(Secrets *s, const char *name, const char **ret_value, Err *e) {
    App *app = s->app;
    const char *file = variable(app, name, "_FILE");
    const char *command = variable(app, name, "_COMMAND");
    *ret_value = variable(app, name, "");
    if ((*ret_value)[0] != '\0') return true;
    if (file[0] != '\0') {
        Str text;
        if (!file_read(&app->arena, file, SECRET_BYTES_MAX, &text, e)) return err_wrap(e, "%s_FILE", name);
        secret_file_warn(app, arena_printf(&app->arena, "%s_FILE", name), file);
        return secret_first_line(text, &app->arena, ret_value) ||
               err_set(e, ERR_FAILED, "%s_FILE: its first line is empty", name);
    }
    if (command[0] == '\0') return true;
    if (s->closed)
        return err_set(e, ERR_FAILED, "%s_COMMAND was not asked before this refresh began: refresh once more",
                       name);
    return run_command(app, name, command, ret_value, e);
}

bool secret_find(Secrets *s, const char *name, const char **ret_value, Err *e) {
    Secret *found = NULL;
    for (size_t i = 0; i < s->n && found == NULL; i++) {
        if (strcmp(s->list[i].name, name) == 0) found = &s->list[i];
    }
    if (found == NULL) {
        s->list = arena_grow(&s->app->arena, s->list, s->n, &s->capacity, sizeof *s->list);
        found = &s->list[s->n++];
        *found = (Secret){.name = name, .value = ""};
        look(s, name, &found->value, &found->why);
    }
    *ret_value = found->why.kind == ERR_NONE ? found->value : "";
    if (found->why.kind != ERR_NONE) *e = found->why;
    return found->why.kind == ERR_NONE;
}
