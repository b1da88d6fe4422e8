// Completion: the scripts of bash, zsh and fish hand the words of the line to `completion words`, which says what may
// stand for the last of them, from the command and option tables and the catalog.
#include "cli/complete.h"

#include <string.h>

#include "catalog/facts/own_runs.h"
#include "catalog/feeds/refresh.h"
#include "catalog/facts/runs.h"
#include "cli/help.h"
#include "kernels/tests.h"
#include "src/base/embedded.h"
#include "tui/tui.h"

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

// Scripts read lines of `completion words`: a word, a tab and what it is; ":files" for names of files.
bool completion_print(const char *shell, Buf *out, Err *e) {
    for (size_t i = 0; i < n_embedded_completions; i++) {
        if (strcmp(shell, embedded_completions[i].name) != 0) continue;
        buf_puts(out, embedded_completions[i].data);
        return true;
    }
    return name_unknown(e, "shell", shell, shells, COUNT_OF(shells) - 1);
}

// ---------------------------------------------------------------- candidates

typedef enum Kind {
    KIND_OF_FILES,
    KIND_OF_GPUS,
    KIND_OF_MODELS,
    KIND_OF_WORKLOADS,
    KIND_OF_TRAFFIC,
    KIND_OF_PROVIDERS,
    KIND_OF_ENGINES,
    KIND_OF_RULES,
    KIND_OF_SUBJECTS,
    KIND_OF_FEEDS,
    KIND_OF_TESTS,
    KIND_OF_BENCH_RUNS,
    KIND_OF_RUNS,
    KIND_OF_TABLES,
    KIND_OF_VIEWS,
    KIND_OF_COMMANDS,
    KIND_OF_SHELLS,
    KINDS
} Kind;

typedef struct Line {
    App *app;
    const char *last;    // what is being typed
    const char *prefix;  // of an answer: "--gpu=", where the shell takes that for one word
} Line;

static void offer(const Line *l, const char *word, const char *says) {
    bool one_word = word[0] != '\0' && strpbrk(word, " \t'\"\\$&;|<>()") == NULL;  // for every shell
    if (!one_word || strncmp(word, l->last, strlen(l->last)) != 0) return;
    buf_puts(&l->app->out, l->prefix);
    buf_add_clean(&l->app->out, word);
    buf_puts(&l->app->out, "\t");
    buf_add_clean(&l->app->out, says);
    buf_puts(&l->app->out, "\n");
}

static void offer_list(const Line *l, const char *const *names) {
    for (size_t i = 0; names[i] != NULL; i++) offer(l, names[i], "");
}

// The first text of each row of a fact table, once where rows of one follow each other. They are structs that begin
// with it or have it at `offset`.
static void offer_rows(const Line *l, TableId id, size_t offset) {
    Err ignored = {0};
    Catalog *c = NULL;
    void *rows = NULL;
    size_t n = 0;
    const char *before = "";
    if (!app_catalog(l->app, &c, &ignored) || !catalog_rows(c, id, &l->app->arena, &rows, &n, &ignored))
        return;
    for (size_t i = 0; i < n; i++) {
        const char *name = NULL;
        memcpy(&name, (const char *)rows + i * fact_tables[id].row_size + offset, sizeof(char *));
        if (strcmp(name, before) != 0) offer(l, name, "");
        before = name;
    }
}

static void offer_number(const Line *l, int64_t id) {
    char text[24];
    format_fixed(text, sizeof text, (double)id, 0);
    offer(l, text, "");
}

static void offer_runs(const Line *l, bool of_bench) {
    Err ignored = {0};
    Catalog *c = NULL;
    BenchRun *benches = NULL;
    OwnRun *runs = NULL;
    size_t n = 0, unreadable = 0;
    Arena *a = &l->app->arena;
    if (!app_catalog(l->app, &c, &ignored)) return;
    bool ok = of_bench ? runs_read(c, 0, a, &benches, &n, &ignored)
                       : catalog_own_runs(c, a, &runs, &n, &unreadable, &ignored);
    for (size_t i = 0; ok && i < n; i++) offer_number(l, of_bench ? benches[i].id : runs[i].id);
}

static void offer_tests(const Line *l) {
    for (TestId i = 0; i < TEST_COUNT; i++) offer(l, test_name(i), "");
}

static void offer_feeds(const Line *l) {
    size_t n = 0;
    const char *const *names = refresh_names(&l->app->arena, &n);
    for (size_t i = 0; i < n; i++) offer(l, names[i], "");
}

static void offer_tables(const Line *l) {
    for (size_t i = 0; i < TABLE_COUNT; i++) offer(l, fact_tables[i].name, "");
}

static void offer_commands(const Line *l) {
    for (size_t i = 0; i < l->app->commands->n; i++)
        offer(l, l->app->commands->rows[i]->name, l->app->commands->rows[i]->summary);
}

static void offer_kind(const Line *l, Kind kind) {
    switch (kind) {
    case KIND_OF_FILES: buf_puts(&l->app->out, ":files\n"); break;
    case KIND_OF_GPUS: offer_rows(l, TABLE_GPUS, offsetof(Gpu, sku_id)); break;
    case KIND_OF_MODELS: offer_rows(l, TABLE_MODELS, offsetof(Model, model_id)); break;
    case KIND_OF_WORKLOADS: offer_rows(l, TABLE_WORKLOADS, offsetof(Workload, workload_id)); break;
    case KIND_OF_TRAFFIC: offer_rows(l, TABLE_TRAFFIC, offsetof(Traffic, traffic_id)); break;
    case KIND_OF_PROVIDERS: offer_rows(l, TABLE_OFFERS, offsetof(Offer, provider)); break;
    case KIND_OF_ENGINES: offer_rows(l, TABLE_ENGINE_LIMITS, offsetof(EngineLimits, engine)); break;
    case KIND_OF_RULES: offer_rows(l, TABLE_CONSTRUCTS, offsetof(PortRule, rule)); break;
    case KIND_OF_SUBJECTS: offer_rows(l, TABLE_SUPPORT, offsetof(Claim, subject)); break;
    case KIND_OF_FEEDS: offer_feeds(l); break;
    case KIND_OF_TESTS: offer_tests(l); break;
    case KIND_OF_BENCH_RUNS: offer_runs(l, true); break;
    case KIND_OF_RUNS: offer_runs(l, false); break;
    case KIND_OF_TABLES: offer_tables(l); break;
    case KIND_OF_VIEWS: offer_list(l, tui_view_names); break;
    case KIND_OF_COMMANDS: offer_commands(l); break;
    case KIND_OF_SHELLS: offer_list(l, shells); break;
    case KINDS: break;
    }
}

// ---------------------------------------------------------------- values and arguments

static const struct {
    OptionId option;
    Kind kind;
} value_kinds[] = {{OPT_GPU, KIND_OF_GPUS},           {OPT_EXCLUDE_GPU, KIND_OF_GPUS},
                   {OPT_MODEL, KIND_OF_MODELS},       {OPT_WORKLOAD, KIND_OF_WORKLOADS},
                   {OPT_PROVIDER, KIND_OF_PROVIDERS}, {OPT_EXCLUDE_PROVIDER, KIND_OF_PROVIDERS},
                   {OPT_ENGINE, KIND_OF_ENGINES},     {OPT_TRAFFIC, KIND_OF_TRAFFIC},
                   {OPT_RULE, KIND_OF_RULES},         {OPT_REFERENCE, KIND_OF_BENCH_RUNS}};

// What stands for the arguments of a subcommand: the first, and the others.
static const struct {
    const char *command, *verb;
    Kind first, others;
} argument_kinds[] = {
    {"report", "", KIND_OF_WORKLOADS, KINDS},
    {"report", "diff", KIND_OF_FILES, KIND_OF_FILES},
    {"estimate", "", KIND_OF_MODELS, KIND_OF_GPUS},
    {"check", "", KIND_OF_MODELS, KIND_OF_GPUS},
    {"gpus", "show", KIND_OF_GPUS, KINDS},
    {"gpus", "remove", KIND_OF_GPUS, KIND_OF_GPUS},
    {"gpus", "import", KIND_OF_FILES, KINDS},
    {"models", "show", KIND_OF_MODELS, KINDS},
    {"models", "remove", KIND_OF_MODELS, KIND_OF_MODELS},
    {"models", "import", KIND_OF_FILES, KINDS},
    {"workloads", "show", KIND_OF_WORKLOADS, KINDS},
    {"workloads", "remove", KIND_OF_WORKLOADS, KIND_OF_WORKLOADS},
    {"workloads", "import", KIND_OF_FILES, KINDS},
    {"traffic", "show", KIND_OF_TRAFFIC, KINDS},
    {"traffic", "remove", KIND_OF_TRAFFIC, KIND_OF_TRAFFIC},
    {"traffic", "describe", KIND_OF_FILES, KIND_OF_FILES},
    {"traffic", "import", KINDS, KIND_OF_FILES},
    {"prices", "list", KIND_OF_GPUS, KINDS},
    {"prices", "history", KIND_OF_GPUS, KINDS},
    {"prices", "refresh", KIND_OF_FEEDS, KIND_OF_FEEDS},
    {"prices", "accept", KIND_OF_FEEDS, KIND_OF_FEEDS},
    {"prices", "import", KIND_OF_FILES, KINDS},
    {"compat", "list", KIND_OF_SUBJECTS, KINDS},
    {"compat", "show", KIND_OF_SUBJECTS, KINDS},
    {"compat", "add", KIND_OF_SUBJECTS, KINDS},
    {"compat", "remove", KIND_OF_SUBJECTS, KIND_OF_SUBJECTS},
    {"compat", "import", KIND_OF_FILES, KINDS},
    {"stack", "show", KIND_OF_FILES, KINDS},
    {"migrate", "scan", KIND_OF_FILES, KINDS},
    {"migrate", "fix", KIND_OF_FILES, KINDS},
    {"migrate", "explain", KIND_OF_RULES, KINDS},
    {"bench", "", KIND_OF_TESTS, KIND_OF_TESTS},
    {"bench", "verify", KIND_OF_TESTS, KIND_OF_TESTS},
    {"bench", "runs", KIND_OF_BENCH_RUNS, KINDS},
    {"bench", "compare", KIND_OF_BENCH_RUNS, KIND_OF_BENCH_RUNS},
    {"bench", "export", KIND_OF_BENCH_RUNS, KIND_OF_BENCH_RUNS},
    {"bench", "import", KIND_OF_FILES, KIND_OF_FILES},
    {"bench", "fleet", KIND_OF_FILES, KIND_OF_FILES},
    {"runs", "import", KIND_OF_FILES, KINDS},
    {"runs", "show", KIND_OF_RUNS, KIND_OF_RUNS},
    {"runs", "remove", KIND_OF_RUNS, KIND_OF_RUNS},
    {"runs", "export", KIND_OF_RUNS, KIND_OF_RUNS},
    {"runs", "accept", KIND_OF_RUNS, KIND_OF_RUNS},
    {"runs", "compare", KIND_OF_RUNS, KIND_OF_RUNS},
    {"runs", "plan", KIND_OF_WORKLOADS, KINDS},
    {"sources", "show", KIND_OF_TABLES, KINDS},
    {"tui", "", KIND_OF_VIEWS, KINDS},
    {"help", "", KIND_OF_COMMANDS, KINDS},
    {"completion", "", KIND_OF_SHELLS, KINDS},
};

// Metavars of options that name files beside the names that value_kinds has.
static bool takes_path(const OptionSpec *o) {
    static const char *const paths[] = {"FILE",      "DIR",           "PATH",    "NAME|PATH",
                                        "NAME|FILE", "BASELINE.json", "FILE|KEY"};
    bool path = false;
    for (size_t i = 0; i < COUNT_OF(paths); i++) path = path || strcmp(o->metavar, paths[i]) == 0;
    return o->kind == OPTION_TEXT && path;
}

static void offer_value(const Line *l, OptionId id) {
    const OptionSpec *o = &option_table[id];
    if (o->kind == OPTION_CHOICE) offer_list(l, o->choices);
    for (size_t i = 0; i < COUNT_OF(value_kinds); i++) {
        if (value_kinds[i].option == id) offer_kind(l, value_kinds[i].kind);
    }
    if (takes_path(o)) offer_kind(l, KIND_OF_FILES);
}

static void offer_arguments(const Line *l, const Command *c, const Verb *v, size_t before) {
    for (size_t i = 0; i < COUNT_OF(argument_kinds); i++) {
        bool of_it =
            strcmp(argument_kinds[i].command, c->name) == 0 && strcmp(argument_kinds[i].verb, v->name) == 0;
        Kind kind = before == 0 ? argument_kinds[i].first : argument_kinds[i].others;
        if (of_it && kind != KINDS) offer_kind(l, kind);
    }
}

static void offer_verbs(const Line *l, const Command *c) {
    for (size_t i = 0; i < c->n_verbs; i++)
        offer(l, c->verbs[i].name, c->verbs[i].summary != NULL ? c->verbs[i].summary : "");
}

// ---------------------------------------------------------------- the line

typedef struct Typed {
    const CommandTable *commands;
    const Command *command;
    const Verb *verb;   // named, else NULL
    size_t arguments;   // after those
    const char *first;  // of them
    OptionId value_of;  // the option whose value the last word is; OPT_COUNT: none
} Typed;

static OptionId option_of(const char *word) {
    OptionId id = OPT_COUNT;
    for (size_t i = 0; word[0] == '-' && word[1] != '-' && i < OPT_COUNT; i++) {
        if (option_table[i].letter != 0 && option_table[i].letter == word[1] && word[2] == '\0')
            return (OptionId)i;
    }
    if (strncmp(word, "--", 2) == 0) option_by_name(word + 2, strlen(word + 2), &id);
    return id;
}

// A word before the last one. bash splits "--gpu=x" into three.
static void take(Typed *t, const char *word) {
    bool value = t->value_of != OPT_COUNT;
    if (value && strcmp(word, "=") == 0) return;
    t->value_of = OPT_COUNT;
    if (value) return;
    if (word[0] == '-') {
        t->value_of = option_of(word);
        if (t->value_of != OPT_COUNT && option_table[t->value_of].kind == OPTION_FLAG)
            t->value_of = OPT_COUNT;
    } else if (t->command == NULL) {
        t->command = command_find(t->commands, word);
    } else if (t->verb == NULL && t->arguments == 0 && command_verb(t->command, word) != NULL) {
        t->verb = command_verb(t->command, word);
    } else {
        if (t->arguments++ == 0) t->first = word;
    }
}

static void offer_options(const Line *l, const Typed *t) {
    for (size_t i = 0; i < OPT_COUNT; i++) {
        const OptionSpec *o = &option_table[i];
        bool fits = t->command == NULL ? o->global : verb_takes(t->command, t->verb, (OptionId)i);
        if (fits) offer(l, arena_printf(&l->app->arena, "--%s", o->name), o->help);
    }
}

static void offer_words(Line *l, const Typed *t) {
    const char *equals = strchr(l->last, '=');
    OptionId id = OPT_COUNT;
    if (t->value_of != OPT_COUNT) {
        if (strcmp(l->last, "=") == 0) l->last = "";
        offer_value(l, t->value_of);
    } else if (equals != NULL && strncmp(l->last, "--", 2) == 0) {
        size_t name = (size_t)(equals - l->last);
        if (!option_by_name(l->last + 2, name - 2, &id)) return;
        l->prefix = arena_copy(&l->app->arena, l->last, name + 1);
        l->last = equals + 1;
        offer_value(l, id);
    } else if (l->last[0] == '-') {
        offer_options(l, t);
    } else if (t->command == NULL) {
        offer_commands(l);
    } else {
        const Verb *v = t->verb != NULL ? t->verb : &t->command->verbs[0];
        const Verb *show = v->args_max == 0 && t->verb == NULL ? command_verb(t->command, "show") : NULL;
        const Command *of = strcmp(t->command->name, "help") == 0 && t->arguments == 1
                                ? command_find(t->commands, t->first)
                                : NULL;
        if (t->verb == NULL && t->arguments == 0) offer_verbs(l, t->command);
        if (of != NULL) offer_verbs(l, of);
        offer_arguments(l, t->command, show != NULL ? show : v, t->arguments);
    }
}

void completion_words(App *app) {
    Typed t = {.commands = app->commands, .value_of = OPT_COUNT, .first = ""};
    Line l = {.app = app, .last = app->n_args > 0 ? app->args[app->n_args - 1] : "", .prefix = ""};
    Err ignored = {0};
    app->quiet = true;
    settings_load(app, &ignored);  // for the database and the data that they name
    for (size_t i = 0; i + 1 < app->n_args; i++) take(&t, app->args[i]);
    offer_words(&l, &t);
}
