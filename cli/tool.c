// Another program of this machine, run to its end without a shell.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // pipe2, environ, posix_spawn_file_actions_addchdir_np
#endif
#include "cli/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *tool_find(Arena *a, const char *names) {
    Str rest = str_of(names);
    Str name;
    const char *path = getenv("PATH");
    while (str_next(&rest, ' ', &name)) {
        Str folders = str_of(path == NULL ? "" : path);
        Str folder;
        while (str_next(&folders, ':', &folder)) {
            const char *file =
                arena_printf(a, "%.*s/%.*s", (int)folder.length, folder.data, (int)name.length, name.data);
            if (folder.length > 0 && access(file, X_OK) == 0) return file;
        }
    }
    return NULL;
}

// In a process group of its own, so that what it starts ends with it.
static bool start(char *const *words, const char *folder, int out, pid_t *ret_child) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
    if (folder != NULL) posix_spawn_file_actions_addchdir_np(&files, folder);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    bool ok = posix_spawnp(ret_child, words[0], &files, &attributes, words, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return ok;
}

static void take_output(Buf *out, int fd, const char *bytes, ssize_t n, bool *open) {
    (void)fd;
    if (n > 0 && out->length + (size_t)n <= TOOL_OUTPUT_MAX) buf_add(out, bytes, (size_t)n);
    *open = n > 0 || (n < 0 && errno == EINTR);
}

bool tool_run(Arena *a, char *const *words, const char *folder, int limit_s, ToolRun *ret) {
    enum { SLICE_MS = 50 };
    int ends[2];
    pid_t child = 0;
    int status = 0;
    Buf out;
    *ret = (ToolRun){.code = -1, .output = {"", 0}};
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    bool started = start(words, folder, ends[1], &child);
    close(ends[1]);
    buf_init(&out, TOOL_OUTPUT_MAX + 1);
    bool open = started;
    bool ended = !started;
    for (int64_t until = ms_now() + limit_s * (int64_t)1000; open || !ended;) {
        char bytes[8192];
        struct pollfd p = {.fd = ends[0], .events = POLLIN};
        ended = ended || waitpid(child, &status, WNOHANG) != 0;
        bool ready = open && poll(&p, 1, ended ? 0 : SLICE_MS) > 0;
        if (ready) take_output(&out, ends[0], bytes, read(ends[0], bytes, sizeof bytes), &open);
        if (!ready && ended) break;
        if (!open && !ended) nanosleep(&(struct timespec){0, SLICE_MS * 1000000L}, NULL);
        if (ms_now() > until && !ret->late) {
            ret->late = true;
            kill(-child, SIGKILL);
        }
    }
    close(ends[0]);
    if (started && !ret->late && WIFEXITED(status)) ret->code = WEXITSTATUS(status);
    if (out.length > 0) ret->output = (Str){arena_copy(a, out.data, out.length), out.length};
    buf_free(&out);
    return started;
}
