// The loop: wait for keys, for what runs, for a signal; draw.
#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tui/app.h"
#include "tui/draw.h"
#include "tui/term.h"

extern char **environ;

static volatile sig_atomic_t ended;  // the signal that asks the program to end

static void on_signal(int number) { ended = number; }

// The signals are held back but while the program waits, so that none is missed in between.
typedef struct Signals {
    sigset_t waiting, before;
    struct sigaction hup, interrupt, term;
} Signals;

static void signals_take(Signals *s) {
    struct sigaction act = {0};
    sigset_t held;
    act.sa_handler = on_signal;
    sigaction(SIGHUP, &act, &s->hup);
    sigaction(SIGINT, &act, &s->interrupt);
    sigaction(SIGTERM, &act, &s->term);
    sigemptyset(&held);
    sigaddset(&held, SIGHUP), sigaddset(&held, SIGINT), sigaddset(&held, SIGTERM), sigaddset(&held, SIGWINCH);
    sigprocmask(SIG_BLOCK, &held, &s->before);
    s->waiting = s->before;
}

static void signals_give(const Signals *s) {
    sigaction(SIGHUP, &s->hup, NULL);
    sigaction(SIGINT, &s->interrupt, NULL);
    sigaction(SIGTERM, &s->term, NULL);
    sigprocmask(SIG_SETMASK, &s->before, NULL);
}

// ---------------------------------------------------------------- other programs in the terminal

static void come_back(Tui *t, Terminal *term) {
    int width = 0, height = 0;
    term_back(term);
    term_size(term, &width, &height);
    if (width != t->width || height != t->height) tui_resize(t, width, height);
}

static void suspend(Tui *t, Terminal *term) {
    term_leave(term);
    kill(getpid(), SIGSTOP);
    come_back(t, term);
}

// $VISUAL or $EDITOR, its arguments split at blanks, at the line.
static void open_editor(Tui *t, Terminal *term) {
    enum { ARGUMENTS_MAX = 12 };
    const char *editor = getenv("VISUAL");
    if (editor == NULL || editor[0] == '\0') editor = getenv("EDITOR");
    if (editor == NULL || editor[0] == '\0') editor = "vi";
    Arena a = {0};
    char *arguments[ARGUMENTS_MAX + 3] = {NULL};
    Str rest = str_of(editor);
    Str word;
    size_t n = 0;
    while (n < ARGUMENTS_MAX && str_next(&rest, ' ', &word)) {
        if (word.length > 0) arguments[n++] = arena_copy(&a, word.data, word.length);
    }
    arguments[n++] = arena_printf(&a, "+%d", t->edit_line);
    arguments[n++] = arena_copy(&a, t->edit_file, strlen(t->edit_file));
    pid_t pid = 0;
    term_leave(term);
    int failed = posix_spawnp(&pid, arguments[0], NULL, NULL, arguments, environ);
    while (failed == 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
    if (failed != 0) tui_say(t, true, "editor '%s': %s", arguments[0], strerror(failed));
    t->edit_file = NULL;
    come_back(t, term);
    arena_free(&a);
}

// ---------------------------------------------------------------- the loop

static void take_keys(Tui *t, Terminal *term, const Grid *g) {
    int x = 0, y = 0, wheel = 0;
    for (int key = term_key(term, &x, &y, &wheel); key != K_NONE && !t->quit;
         key = term_key(term, &x, &y, &wheel)) {
        if (key == K_RESIZE) {
            term_size(term, &x, &y);
            tui_resize(t, x, y);
        } else if (key == K_MOUSE) {
            const Zone *z = grid_zone_at(g, x, y);
            if (wheel != 0) {
                tui_act(t, wheel < 0 ? ACT_WHEEL_UP : ACT_WHEEL_DOWN, 0);
            } else if (z != NULL) {
                tui_act(t, (Action)z->action, z->argument);
            }
        } else {
            tui_key(t, key);
        }
    }
}

// None of these descriptors is negative; the macros of some C libraries (musl) divide them as unsigned
// numbers.
static void set_add(fd_set *set, int fd) { FD_SET((unsigned)fd, set); }
static bool set_has(const fd_set *set, int fd) { return FD_ISSET((unsigned)fd, set); }

// Waits for something to do; true: the starting process or the terminal has gone.
static bool wait_for_work(Tui *t, const Signals *s) {
    fd_set set;
    const int fds[] = {STDIN_FILENO, t->job.out, t->job.err, t->options->parent,
                       t->asker.running ? t->asker.ended[0] : -1};
    int most = 0;
    struct timespec second = {.tv_sec = 1}, moment = {.tv_nsec = tui_idle_ms(t) * 1000000L};
    bool later = tui_idle(t, false);
    FD_ZERO(&set);
    for (size_t i = 0; i < COUNT_OF(fds); i++) {
        if (fds[i] < 0) continue;
        set_add(&set, fds[i]);
        if (fds[i] > most) most = fds[i];
    }
    int n = pselect(most + 1, &set, NULL, NULL, later ? &moment : tui_ticks(t) ? &second : NULL, &s->waiting);
    if (n == 0 && later) tui_idle(t, true);
    // one that is gone can be read for ever, and says nothing
    struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&terminal, 1, 0) > 0 && (terminal.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) return true;
    return n > 0 && t->options->parent >= 0 && set_has(&set, t->options->parent);
}

// For the first answer or whatever comes before it: most often the whole frame is the first that is shown.
static void wait_a_moment(Tui *t) {
    enum { MOMENT_MS = 150 };
    struct pollfd any[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = t->asker.ended[0], .events = POLLIN}};
    poll(any, COUNT_OF(any), MOMENT_MS);
}

// The terminal says which ground it has while the first answer is made.
static void first_answer(Tui *t, Terminal *term) {
    Arena a = {0};
    Grid g;
    if (t->options->color && !t->theme_chosen) term_ask_ground(term);
    tui_frame(t, &a, &g);
    if (view_answering(t)->view->question != NULL) tui_idle(t, true);
    if (t->asker.running) wait_a_moment(t);
    take_keys(t, term, &g);
    tui_take_answer(t);
    arena_free(&a);
}

static void loop(Tui *t, Terminal *term, const Signals *s) {
    int theme = -1;
    bool ascii = false;
    bool mouse = false;
    first_answer(t, term);
    if (term->taken_for != NULL)
        tui_say(t, false, "no terminal is known as '%s' (TERM); it is taken for %s", getenv("TERM"),
                term->taken_for);
    while (!t->quit && ended == 0) {
        Arena frame = {0};
        Grid g;
        if (theme != t->theme || ascii != t->ascii) term_theme(term, t->theme, t->ascii);
        theme = t->theme;
        ascii = t->ascii;
        if (mouse != t->mouse) term_mouse(t->mouse);
        mouse = t->mouse;
        if (t->redraw) term_again(term);
        t->redraw = false;
        tui_frame(t, &frame, &g);
        term_show(term, &g);
        if (wait_for_work(t, s)) t->quit = true;
        take_keys(t, term, &g);
        tui_take_answer(t);
        if (job_read(&t->job)) tui_job_done(t);
        if (t->copied.length > 0) term_copy(&t->copied);
        buf_free(&t->copied);
        if (t->interrupt) ended = SIGINT;
        if (t->suspend) suspend(t, term);
        t->suspend = false;
        if (t->edit_file != NULL) open_editor(t, term);
        arena_free(&frame);
    }
}

// An answer takes tens of megabytes and gives them back. Kept for the next one they need not be mapped and cleared
// anew, which is a tenth of its time.
static void keep_memory(void) {
#ifdef __GLIBC__
    enum { KEPT_BYTES = 64 << 20, MAPPED_BYTES = 32 << 20 };
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
#endif
}

bool tui_run(const TuiHost *host, const TuiOptions *options, int *ret_signal, Err *e) {
    Terminal term;
    Tui t;
    Signals signals;
    int width = 0, height = 0;
    if (!term_open(&term, options->color, e)) return false;
    keep_memory();
    term_size(&term, &width, &height);
    bool ok = tui_init(&t, host, options, width, height, e);
    if (ok) {
        signals_take(&signals);
        loop(&t, &term, &signals);
        *ret_signal = ended;
    }
    term_close(&term);
    if (ok) signals_give(&signals);
    tui_free(&t);
    return ok;
}
