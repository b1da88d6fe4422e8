// tui: the interactive screen. Answers its questions by running the commands of this program, and watches
// over the terminal.
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/screen.h"
#include "src/perf/perf.h"
#include "tui/live.h"

// ---------------------------------------------------------------- answers

bool screen_ask(void *self, const char *const *words, size_t n, size_t width, Arena *a, TuiAnswer *ret_answer,
                Err *e) {
    Host *h = self;
    AppCapture *c = &h->capture;
    char **argv = arena_alloc(a, n + h->n_globals + 2, sizeof *argv);
    int argc = 0;
    argv[argc++] = arena_copy(a, "gpuadvise", 9);
    for (size_t i = 0; i < n; i++) argv[argc++] = arena_copy(a, words[i], strlen(words[i]));
    for (size_t i = 0; i < h->n_globals; i++)
        argv[argc++] = arena_copy(a, h->globals[i], strlen(h->globals[i]));
    c->width = width;
    c->listings = NULL;
    c->n_listings = c->listings_capacity = 0;
    c->advice = NULL;
    c->chart = (Chart){0};
    c->roofs = NULL;
    c->n_roofs = c->roofs_capacity = 0;
    c->error = (Err){0};
    App app = {.capture = c, .arena = *a, .commands = h->commands};
    app_main(&app, argc, argv);
    *a = app.arena;
    if (app.failed) {
        *e = c->error;
        bool asked_wrong = e->kind == ERR_USAGE || e->kind == ERR_MISSING;
        if (h->failed.kind == ERR_NONE && !asked_wrong) h->failed = *e;
    } else {
        *ret_answer =
            (TuiAnswer){.listings = c->listings,
                        .n_listings = c->n_listings,
                        .advice = c->advice,
                        .facts = &c->facts,
                        .chart = c->chart,
                        .roofs = c->roofs,
                        .n_roofs = c->n_roofs,
                        .text = arena_copy(a, app.out.length > 0 ? app.out.data : "", app.out.length),
                        .warnings = app.warnings,
                        .n_warnings = app.n_warnings,
                        .line = app.command_line,
                        .answered_at = app.now};
    }
    buf_free(&app.out);
    return !app.failed;
}

// By the names and numbers that it gives itself.
static const Gpu *gpu_of(void *self, const GpuDevice *device) {
    AppCapture *c = &((Host *)self)->capture;
    App app = {.capture = c, .catalog = c->catalog};
    Facts facts;
    Err e = {0};
    const Gpu *found = NULL;
    if (c->catalog != NULL && app_facts(&app, &facts, &e)) {
        const char *sku = app_sku_of(&app, device);
        found = facts_gpu(&facts, sku);
    }
    arena_free(&app.arena);
    return found;
}

static double clock_under(void *self, const Gpu *gpu, double limit_w) {
    const AppCapture *c = &((Host *)self)->capture;
    return c->facts_read ? capped_clock(&c->facts, gpu, limit_w) : (double)NAN;
}

static double share_under(void *self, const Ask *ask, const Option *option, double limit_w) {
    const AppCapture *c = &((Host *)self)->capture;
    return c->facts_read ? option_share_under(&c->facts, ask, option, limit_w) : (double)NAN;
}

static void forget(void *self) {
    AppCapture *c = &((Host *)self)->capture;
    catalog_close(c->catalog);
    arena_free(&c->facts_arena);
    c->catalog = NULL;
    c->facts_read = false;
}

size_t screen_options(const CommandTable *t, Arena *a, const TuiOption **ret_options) {
    const OptionId *options = command_find(t, "report")->verbs[0].options;
    TuiOption *list = arena_alloc(a, OPT_COUNT, sizeof *list);
    size_t n = 0;
    for (; options[n] != OPT_COUNT; n++) {
        const OptionSpec *o = &option_table[options[n]];
        list[n] = (TuiOption){.name = o->name,
                              .metavar = o->metavar != NULL ? o->metavar : "",
                              .help = o->help,
                              .choices = o->choices,
                              .flag = o->kind == OPTION_FLAG,
                              .number = o->kind == OPTION_INTEGER || o->kind == OPTION_NUMBER,
                              .file = o->metavar != NULL && word_in("FILE PATH", o->metavar)};
    }
    *ret_options = list;
    return n;
}

size_t screen_commands(const CommandTable *t, Arena *a, const TuiCommand **ret_commands) {
    size_t n = 0, used = 0;
    for (size_t i = 0; i < t->n; i++) n += t->rows[i]->n_verbs + 1;
    TuiCommand *list = arena_alloc(a, n, sizeof *list);
    for (size_t i = 0; i < t->n; i++) {
        const Command *c = t->rows[i];
        if (c == &cmd_tui || c == &cmd_completion) continue;
        for (size_t k = 0; k < c->n_verbs || k == 0; k++) {
            const char *verb = c->n_verbs > 0 ? c->verbs[k].name : "";
            list[used++] =
                (TuiCommand){verb[0] != '\0' ? arena_printf(a, "%s %s", c->name, verb) : c->name, c->summary};
        }
    }
    *ret_commands = list;
    return used;
}

// What was said on this command line about data, for every command that the screen runs.
static size_t global_words(App *app, const char *const **ret_words) {
    static const OptionId passed[] = {OPT_DB, OPT_DATA, OPT_OFFLINE};
    const char **words = arena_alloc(&app->arena, 2 * COUNT_OF(passed), sizeof *words);
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(passed); i++) {
        if (!opt_typed(app, passed[i])) continue;
        if (option_table[passed[i]].kind == OPTION_FLAG) {
            if (opt_flag(app, passed[i]))
                words[n++] = arena_printf(&app->arena, "--%s", option_table[passed[i]].name);
            continue;
        }
        words[n++] = arena_printf(&app->arena, "--%s", option_table[passed[i]].name);
        words[n++] = opt_text(app, passed[i], "");
    }
    *ret_words = words;
    return n;
}

// ---------------------------------------------------------------- the watch over the terminal

// In the starting process: waits for the screen's. However that ends, a crash or kill -9 included, the
// terminal is as it was before.
static int watch(pid_t pid, const struct termios *modes) {
    int status = 0;
    for (;;) {
        pid_t got = waitpid(pid, &status, WUNTRACED);
        if (got < 0 && errno == EINTR) continue;
        if (got != pid || !WIFSTOPPED(status)) break;
        raise(SIGSTOP);
        kill(pid, SIGCONT);
    }
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    Buf bytes;
    buf_init(&bytes, 4096);
    tui_restore_bytes(&bytes);
    ssize_t ignored = bytes.length > 0 ? write(STDOUT_FILENO, bytes.data, bytes.length) : 0;
    (void)ignored;
    buf_free(&bytes);
    tcsetattr(STDOUT_FILENO, TCSAFLUSH, modes);
    fprintf(stderr, "gpuadvise: the screen was ended by signal %d (%s)\n", WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

static volatile sig_atomic_t screen;  // the process that signals are passed on to

static void pass_on(int number) {
    if (screen > 0) kill((pid_t)screen, number);
}

static void pass_signals_on(pid_t pid) {
    struct sigaction act = {0};
    screen = (sig_atomic_t)pid;
    act.sa_handler = pass_on;
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGHUP, &act, NULL);
    sigaction(SIGINT, &act, NULL);
}

static int run_screen(App *app, const TuiHost *host, TuiOptions *o) {
    Err e = {0};
    int number = 0;
    int ends[2];
    struct termios modes;
    if (opt_set(app, OPT_OUTPUT)) return app_refuse(app, "option '--output' goes with --once");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDOUT_FILENO, &modes) != 0)
        return app_refuse(app,
                          "standard input and output are no terminal; `gpuadvise tui --once` prints a frame");
    if (pipe(ends) != 0) {
        err_set(&e, ERR_FAILED, "pipe: %s", strerror(errno));
        return app_fail(app, &e);
    }
    pid_t pid = fork();
    if (pid > 0) {
        close(ends[0]);
        pass_signals_on(pid);
        int code = watch(pid, &modes);
        app->failed = code != 0;  // the screen's process has said why
        return code;
    }
    close(ends[1]);
    o->parent = ends[0];
    if (!tui_run(host, o, &number, &e)) return app_fail(app, &e);
    app->failed = number != 0;
    return number != 0 ? 128 + number : EXIT_DONE;
}

// ---------------------------------------------------------------- the command

static bool read_size(App *app, int *ret_width, int *ret_height, Err *e) {
    const char *text = opt_text(app, OPT_SIZE, "80x24");
    Str rest = str_of(text);
    Str width;
    int64_t w = 0, h = 0;
    str_next(&rest, 'x', &width);
    if (rest.data == NULL || !parse_integer(width, 1, 100000, &w, e) ||
        !parse_integer(rest, 1, 100000, &h, e)) {
        return err_set(e, ERR_USAGE, "option '--size': '%s' is not WxH, as in 100x30", text);
    }
    *ret_width = (int)w;
    *ret_height = (int)h;
    return true;
}

static int run(App *app) {
    Err e = {0};
    Host h = {.commands = app->commands};
    int width = 0, height = 0;
    bool once = opt_flag(app, OPT_ONCE);
    TuiHost host = {.self = &h,
                    .ask = screen_ask,
                    .forget = forget,
                    .gpu_of = gpu_of,
                    .capped_clock = clock_under,
                    .share_under = share_under,
                    .version = tool_version()};
    TuiOptions o = {.view = app->n_args > 0 ? app->args[0] : "",
                    .workload = opt_text(app, OPT_WORKLOAD, ""),
                    .theme = opt_choice(app, OPT_THEME, -1),
                    .color = app->color,
                    .ascii = opt_flag(app, OPT_ASCII),
                    .hosts = opt_text(app, OPT_HOST, ""),
                    .parent = -1};
    if (!live_hosts_check(o.hosts, &e)) return app_fail(app, &e);
    o.n_bindings = opt_list(app, OPT_BIND, &o.bindings);
    o.state_path = xdg_path(app, "XDG_STATE_HOME", ".local/state", "tui");
    host.n_options = screen_options(app->commands, &app->arena, &host.options);
    host.n_commands = screen_commands(app->commands, &app->arena, &host.commands);
    host.n_globals = h.n_globals = global_words(app, &host.globals);
    h.globals = host.globals;
    int code = EXIT_DONE;
    if (!once) {
        code = run_screen(app, &host, &o);
    } else if (!read_size(app, &width, &height, &e) || !tui_once(&host, &o, width, height, &app->out, &e)) {
        code = app_fail(app, &e);
    } else if (h.failed.kind != ERR_NONE) {
        app_warn(app, "a part of the frame is missing: %s", h.failed.text);
    }
    forget(&h);
    return code;
}

OPTIONS(OPT_ONCE, OPT_SIZE, OPT_WORKLOAD, OPT_THEME, OPT_ASCII, OPT_BIND, OPT_HOST);
static const Verb verbs[] = {{"", "[VIEW]", 0, 1, false, NULL, options, run}};

COMMAND(tui, "tui", FORMATS_NONE, .summary = "the whole advisor as an interactive screen",
        .description =
            "Starts by itself when the program is called without arguments on a terminal. VIEW is advice, "
            "what-if, gpus, prices, compat, bench, migrate, sources or help. Every screen is the answer of a "
            "plain command, and names it. ? shows the keys. --once prints one frame as text.");
