// Keys, pastes, clicks and answers of a terminal: bytes go through ncurses' decoder and the screen's own to views that
// show real answers. Every frame is one: as large as the screen, without a byte that moves a terminal.
//
// The terminal is a pipe. The screen may start no program and write no file here: posix_spawn and opening for writing
// fail, which it has to say.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // syscall
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define Field TableField  // another one than the screen's
#include "cli/cmd.h"
#include "cli/screen.h"
#undef Field
#include "tests/fuzz/fuzz.h"
#include "tui/app.h"
#include "tui/draw.h"
#include "tui/term.h"

// ---------------------------------------------------------------- what is kept from it

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const words[], char *const environment[]) {
    (void)pid, (void)path, (void)actions, (void)attributes, (void)words, (void)environment;
    return EPERM;
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const words[], char *const environment[]) {
    return posix_spawn(pid, file, actions, attributes, words, environment);
}

int open(const char *path, int flags, ...) {
    if ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}

// ---------------------------------------------------------------- answers

enum { WORDS_IN_ALL = 4, QUESTIONS = 14 };

typedef struct Known {
    const char *words[WORDS_IN_ALL + 1];
    TuiAnswer answer;
    Err error;
} Known;

// What views ask by themselves; everything else is answered by an error.
static Known known[QUESTIONS] = {
    {.words = {"prices", "list"}},   {.words = {"prices", "list", "--group-by", "gpu"}},
    {.words = {"prices", "diff"}},   {.words = {"gpus"}},
    {.words = {"models"}},           {.words = {"workloads"}},
    {.words = {"sources"}},          {.words = {"compat"}},
    {.words = {"bench", "runs"}},    {.words = {"bench", "list"}},
    {.words = {"runs", "list"}},     {.words = {"migrate", "explain"}},
    {.words = {"migrate", "ports"}}, {.words = {"report"}}};
static Arena kept;  // of the answers, to the end

static void answer(Known *k) {
    static const char *const report[] = {"report", "--workload", "llama70b", "--gpu", "mi300x,h200"};
    static Host asked = {.commands = &command_table};  // one catalog for all
    bool of_report = k == &known[QUESTIONS - 1];
    size_t n = 0;
    while (k->words[n] != NULL) n++;
    screen_ask(&asked, of_report ? report : k->words, of_report ? COUNT_OF(report) : n, 100, &kept,
               &k->answer, &k->error);
}

static bool is_asked(const Known *k, const char *const *words, size_t n) {
    if (strcmp(words[0], "report") == 0) return strcmp(k->words[0], "report") == 0;
    for (size_t i = 0; i < n; i++) {
        if (k->words[i] == NULL || strcmp(k->words[i], words[i]) != 0) return false;
    }
    return n <= WORDS_IN_ALL && k->words[n] == NULL;
}

static bool ask(void *self, const char *const *words, size_t n, size_t width, Arena *a, TuiAnswer *ret_answer,
                Err *e) {
    (void)self, (void)width, (void)a;
    for (size_t i = 0; i < QUESTIONS && n > 0; i++) {
        if (!is_asked(&known[i], words, n)) continue;
        if (known[i].error.kind != ERR_NONE) {
            *e = known[i].error;
            return false;
        }
        *ret_answer = known[i].answer;
        return true;
    }
    return err_set(e, ERR_FAILED, "not asked here");
}

static void forget(void *self) { (void)self; }

// ---------------------------------------------------------------- the terminal

enum { KEYS_MAX = 512 };  // bytes of an input that are typed: less than a pipe holds

static TuiHost host;
static Terminal term;
static int keyboard;  // where keys are written to

static void begin(void) {
    int ends[2];
    Err e = {0};
    unsetenv("HOME");  // the database is in memory then
    unsetenv("XDG_DATA_HOME");
    setenv("GPUADVISE_NOW", "2026-11-27T00:00:00Z", 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    for (size_t i = 0; i < QUESTIONS; i++) answer(&known[i]);
    host = (TuiHost){.ask = ask, .forget = forget, .version = "0"};
    host.n_options = screen_options(&command_table, &kept, &host.options);
    host.n_commands = screen_commands(&command_table, &kept, &host.commands);
    int null = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY, 0);
    MUST_HOLD(null >= 0 && dup2(null, STDOUT_FILENO) == STDOUT_FILENO && pipe(ends) == 0 &&
              dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    keyboard = ends[1];
    MUST_HOLD(fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK) == 0);
    MUST_HOLD(term_open(&term, true, &e));
    term_mouse(true);
    term_ask_ground(&term);
}

// ---------------------------------------------------------------- a session

static void check_frame(Tui *t, Arena *a, Grid *ret_grid) {
    Buf out;
    tui_frame(t, a, ret_grid);
    if (tui_settle(t)) tui_frame(t, a, ret_grid);
    MUST_HOLD(ret_grid->width == t->width && ret_grid->height == t->height);
    MUST_HOLD(t->view < VIEW_COUNT && t->theme >= 0 && t->theme < THEME_COUNT);
    buf_init(&out, BUF_LIMIT);
    grid_print(ret_grid, t->ascii, &out);
    MUST_HOLD(str_is_utf8((Str){out.data, out.length}));
    for (size_t i = 0; i < out.length; i++)
        MUST_HOLD(out.data[i] == '\n' || ((unsigned char)out.data[i] >= ' ' && out.data[i] != 0x7f));
    buf_free(&out);
}

// As the screen's loop does it.
static void take_keys(Tui *t, const Grid *g) {
    int x = 0, y = 0, wheel = 0;
    for (int key = term_key(&term, &x, &y, &wheel); key != K_NONE && !t->quit;
         key = term_key(&term, &x, &y, &wheel)) {
        MUST_HOLD(key >= 0 && key < K_NONE);
        if (key != K_MOUSE) {
            if (key != K_RESIZE) tui_key(t, key);
            continue;
        }
        const Zone *z = grid_zone_at(g, x, y);
        if (wheel != 0)
            tui_act(t, wheel < 0 ? ACT_WHEEL_UP : ACT_WHEEL_DOWN, 0);
        else if (z != NULL)
            tui_act(t, (Action)z->action, z->argument);
    }
}

// A first byte says how large the screen is, 0xff among the rest that a frame is drawn there and the size changes.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool begun;
    static const int sizes[][2] = {{80, 24}, {TUI_WIDTH_MIN, TUI_HEIGHT_MIN}, {100, 40}, {200, 60}, {20, 5},
                                   {1, 1}};
    if (!begun) begin();
    begun = true;
    if (size == 0) return 0;
    if (size > KEYS_MAX) size = KEYS_MAX;
    TuiOptions options = {
        .view = "", .workload = "", .theme = -1, .state_path = "", .hosts = "", .parent = -1};
    Tui t;
    Err e = {0};
    size_t kind = data[0] % COUNT_OF(sizes);
    MUST_HOLD(tui_init(&t, &host, &options, sizes[kind][0], sizes[kind][1], &e));
    Str rest = {(const char *)data + 1, size - 1}, burst;
    while (!t.quit && str_next(&rest, (char)0xff, &burst)) {
        Arena a = {0};
        Grid g;
        check_frame(&t, &a, &g);
        MUST_HOLD(write(keyboard, burst.data, burst.length) == (ssize_t)burst.length);
        take_keys(&t, &g);
        t.edit_file = NULL;
        kind = (kind + 1) % COUNT_OF(sizes);
        if (rest.data != NULL) tui_resize(&t, sizes[kind][0], sizes[kind][1]);
        arena_free(&a);
    }
    if (!t.quit) {
        Arena a = {0};
        Grid g;
        check_frame(&t, &a, &g);
        arena_free(&a);
    }
    tui_free(&t);
    for (char bytes[512]; read(STDIN_FILENO, bytes, sizeof bytes) > 0;) continue;
    int x = 0, y = 0, wheel = 0;
    for (int left = KEYS_MAX; left > 0 && term_key(&term, &x, &y, &wheel) != K_NONE; left--) continue;
    return 0;
}
