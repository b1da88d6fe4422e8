// The pager between an answer and the terminal that it is longer than.
#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS_DEFAULT = 24, NOT_RUN = 127 };

static size_t terminal_rows(void) {
    struct winsize size = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
    return known ? size.ws_row : ROWS_DEFAULT;
}

// Lines of the terminal that the answer takes. Escape sequences count as characters: they are few.
static size_t lines_of(const App *app) {
    Str rest = {app->out.data, app->out.length};
    Str line;
    size_t n = 0;
    while (str_next(&rest, '\n', &line)) {
        size_t points = str_points(line);
        n += 1 + (points > 0 ? (points - 1) / app->width : 0);
    }
    return n;
}

static const char *chosen(void) {
    static const char *const variables[] = {"GPUADVISE_PAGER", "PAGER"};
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL) return value;
    }
    return "less";
}

// Is the first word of a command a program? A word that sets a variable, or that the shell has to read, is
// believed.
static bool can_run(App *app, const char *command) {
    const char *word = arena_copy(&app->arena, command, strcspn(command, " \t"));
    const char *path = getenv("PATH");
    if (strpbrk(word, "=$\"'\\;&|()`~") != NULL) return true;
    if (strchr(word, '/') != NULL) return access(word, X_OK) == 0;
    Str rest = str_of(path != NULL ? path : "");
    Str folder;
    while (str_next(&rest, ':', &folder)) {
        const char *file = arena_printf(&app->arena, "%.*s/%s", (int)folder.length, folder.data, word);
        if (access(file, X_OK) == 0) return true;
    }
    return false;
}

static bool wanted(App *app, bool more, const char *command) {
    const char *term = getenv("TERM");
    if (opt_flag(app, OPT_NO_PAGER) || opt_set(app, OPT_OUTPUT) || getenv("GPUADVISE_SCREEN") != NULL ||
        term == NULL || strcmp(term, "dumb") == 0 || !isatty(STDOUT_FILENO))
        return false;
    if (command[strspn(command, " \t")] == '\0' || strcmp(command, "cat") == 0) return false;
    if (!more && (app->out.length == 0 || lines_of(app) < terminal_rows())) return false;
    if (can_run(app, command)) return true;
    if (getenv("GPUADVISE_PAGER") != NULL || getenv("PAGER") != NULL)
        app_warn(app, "no pager: '%.80s' is no program", command);
    return false;
}

void pager_start(App *app, bool more) {
    int ends[2];
    const char *command = chosen();
    if (app->pager > 0 || !wanted(app, more, command) || pipe(ends) != 0) return;
    setenv("LESS", "FRX", 0);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(NOT_RUN);
    }
    if (pid > 0) {
        app->pager = pid;
        signal(SIGINT, SIG_IGN);  // Ctrl-C is the pager's, which has the terminal
        dup2(ends[1], STDOUT_FILENO);
    }
    close(ends[0]);
    close(ends[1]);
}

void pager_end(App *app) {
    if (app->pager <= 0) return;
    close(STDOUT_FILENO);
    while (waitpid((pid_t)app->pager, NULL, 0) < 0 && errno == EINTR) {
    }
    app->pager = 0;
}
