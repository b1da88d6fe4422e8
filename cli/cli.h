// The command line: one table of commands, one table of options, and the App that every command works in.
//
// Level 7. Only files in cli/ read argv, print, exit or know about exit codes. A command is one `cmd_x.c`
// with one constant Command and a static run function; parsing, help, man page, completion and schemas read
// the two tables.
#ifndef GPUADVISE_CLI_H
#define GPUADVISE_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catalog/facts/catalog.h"
#include "cli/options.h"
#include "kernels/roofline.h"
#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/report/browse.h"
#include "src/report/report.h"
#include "src/report/writer.h"

// Texts for help in cli/help.c.
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_NO = 3,    // answered "no": nothing fits, no offer; the output is still printed
    EXIT_GATE = 4,  // a gate failed; the output is still printed
    EXIT_HARDWARE = 5,
    EXIT_STALE = 6,  // data stale or missing and refused
    EXIT_INTERRUPTED = 130
};

// ---------------------------------------------------------------- commands

typedef struct App App;

// `gpus list`, `gpus show NAME`. A command without subcommands has one verb whose name is "".
typedef struct Verb {
    const char *name;
    const char *args;  // usage: "NAME", "[SUBJECT]", ""
    size_t args_min, args_max;
    bool in_json;             // `inputs` of JSON has it as "subcommand"
    const char *summary;      // a line for help; NULL: what the command does when no subcommand is named
    const OptionId *options;  // besides the global ones, OPT_COUNT after the last
    // Fills app->out and returns an exit code, or `return app_fail(app, &e)`.
    int (*run)(App *app);
} Verb;

#define TAKES(...) ((const OptionId[]){__VA_ARGS__, OPT_COUNT})
#define NO_OPTIONS ((const OptionId[]){OPT_COUNT})
#define ROW_OPTIONS TAKES(OPT_WHERE, OPT_SORT)

enum {
    FORMATS_NONE = 1u << FORMAT_TABLE,
    FORMATS_TEXT_JSON = 1u << FORMAT_TABLE | 1u << FORMAT_JSON,
    FORMATS_LISTING = 1u << FORMAT_TABLE | 1u << FORMAT_JSON | 1u << FORMAT_CSV | 1u << FORMAT_MD
};

typedef struct Command {
    const char *name;
    const char *summary;      // one line for the list of commands, no full stop
    const char *description;  // a paragraph for `help COMMAND`; NULL = none
    const Verb *verbs;        // the first is what runs when none is named
    size_t n_verbs;
    unsigned formats;  // FORMATS_*
    bool no_settings;  // runs without reading the settings file (help, version, completion)
    bool (*allows)(const App *app, Err *e);  // before any subcommand: what goes with which; NULL: all does
    const Browse *browse;  // of its verbs that list, show and change a fact table (cli/own.h); NULL: none
} Command;

// Only main.c knows the table itself (cli/cmd.h): what reads it gets it from the App.
typedef struct CommandTable {
    const Command *const *rows;
    size_t n;
} CommandTable;

const Command *command_find(const CommandTable *t, const char *name);  // NULL: none
const Verb *command_verb(const Command *c, const char *name);          // NULL: none of that name
bool command_takes(const Command *c, OptionId id);
// Is the option one of this subcommand (NULL: of the command), or one of all?
bool verb_takes(const Command *c, const Verb *v, OptionId id);

// Where a command that runs inside of another (a view of `tui`) leaves its answer. Nothing is then printed.
typedef struct AppCapture {
    size_t width;  // columns that text is made for
    // opened by the first command that needs it; kept for the next. Owned by whoever made the capture
    Catalog *catalog;
    Arena facts_arena;  // of `facts`
    Facts facts;
    bool facts_read;
    // Of the last command; all in its arena.
    Listing *listings;
    size_t n_listings, listings_capacity;
    const Advice *advice;
    Chart chart;
    Roofline *roofs;
    size_t n_roofs, roofs_capacity;
    Err error;
} AppCapture;

struct App {
    Arena arena;  // everything a command needs until it ends
    OptionValue values[OPT_COUNT];
    const CommandTable *commands;
    const Command *command;  // NULL until named
    const Verb *verb;
    const char **args;  // positional arguments after command and verb
    size_t n_args;
    const char *command_line;  // as typed, quoted for a shell: for "how to reproduce"
    int64_t now;               // seconds since 1970; GPUADVISE_NOW freezes it
    Format format;
    size_t width;  // columns of the terminal, COLUMNS, or 80
    bool color;    // escape sequences may be used
    bool quiet, verbose;
    Catalog *catalog;  // app_catalog opens it, app_close closes it
    const char **warnings;
    size_t n_warnings, warnings_capacity;
    Json *root, *inputs;      // of app_json; NULL: not made
    Buf out;                  // what goes to stdout or the output file, written once at the end
    void (*drain)(App *app);  // writes `out` early and empties it; NULL: nothing does
    struct {
        FileOut file;
        bool begun, ended;     // ended: the reader has gone, or writing failed
    } parts;                   // of an answer that is drained
    int64_t pager;             // process that standard output leads to; 0: none
    bool failed;               // app_fail was called: out is discarded
    size_t steps_done, steps;  // of a long command, for app_step
    AppCapture *capture;       // NULL: the answer goes to stdout
};

// ---------------------------------------------------------------- for commands: options

bool opt_set(const App *app, OptionId id);
// On the command line, not in a file of settings or the environment.
bool opt_typed(const App *app, OptionId id);
bool opt_flag(const App *app, OptionId id);
const char *opt_text(const App *app, OptionId id, const char *fallback);  // the last one given
double opt_number(const App *app, OptionId id, double fallback);          // also AGE (in days)
int64_t opt_integer(const App *app, OptionId id, int64_t fallback);
int opt_choice(const App *app, OptionId id, int fallback);  // index in the option's `choices`
// All texts of a repeatable option, in the order given; 0 when unset.
size_t opt_list(const App *app, OptionId id, const char *const **ret_texts);
// Item i of a RATE option: "EUR=1.08@2026-11-20" -> "EUR", 1.08, "2026-11-20". False past the end.
bool opt_rate(const App *app, OptionId id, size_t i, const char **ret_currency, double *ret_usd,
              const char **ret_date, Arena *a);
// Item i of a PAIR option: "aws=10" -> "aws", 10. False past the end.
bool opt_pair(const App *app, OptionId id, size_t i, const char **ret_name, double *ret_number, Arena *a);
// Fails where any of these options is not set, naming all that are not; `instead` ends the message.
bool app_needs(const App *app, const OptionId *options, size_t n, const char *instead, Err *e);
// --weights and --kv; DTYPE_UNKNOWN when unset.
Dtype opt_dtype(const App *app, OptionId id);
// --spot, --reserved: on-demand unless set; both of the same level are refused.
bool app_pricing(const App *app, PricingModel *ret_pricing, Err *e);
// The options set that this command takes, as JSON under their names (or keys) with '_' for '-'.
void options_json(const App *app, Json *inputs);

// ---------------------------------------------------------------- for commands: data

// The catalog that --db and --data name, opened at the first call. Warnings about it are given.
bool app_catalog(App *app, Catalog **ret_catalog, Err *e);

// The same for a command that writes into it, before its work: fails where nothing would be kept.
bool app_kept(App *app, Catalog **ret_catalog, Err *e);

// Warns of each row of the user's own that is not among the facts of the catalog just opened or changed.
bool app_warn_left_out(App *app, Err *e);

// Everything that an advice needs, from that catalog.
bool app_facts(App *app, Facts *ret_facts, Err *e);

// The published measurements, or those of --measurements.
bool app_measurements(App *app, Catalog *catalog, const Measurement **ret_rows, size_t *ret_n, Err *e);

// By a name that the user typed (catalog/facts/names.h): borrowed from `rows`. A warning says what was taken for a
// name that is not the catalog's own.
bool find_gpu(App *app, const Gpu *rows, size_t n, const char *name, const Gpu **ret_gpu, Err *e);
bool find_model(App *app, const Model *rows, size_t n, const char *name, const Model **ret_model, Err *e);
// The seller as offers name it. One that is known but has no offer is found too: a warning says so, and no
// offer will fit.
bool find_provider(App *app, const char *const *providers, size_t n, const char *name,
                   const char **ret_provider, Err *e);
// --provider, for commands whose rows are not read yet: another name of a seller becomes its own, any word
// else stays. "": not set.
bool app_provider(App *app, const char **ret_provider, Err *e);
bool known_provider(App *app, const char **provider, Err *e);  // the same of a name that was read elsewhere
// The same, or a file or folder that describes a model (model_file_read): a name with '/' or of a model
// file, or one that the catalog does not know and the current folder has. Warns of what was assumed. How
// requests are served beyond the ordinary, from the options for it; --power-cap apart, which concerns one
// GPU.
// A row of data/traffic.tsv; NULL: none of that name. And whose sessions are taken where nobody says.
const Traffic *traffic_named(const Facts *f, const char *name);
#define AGENTS_TRAFFIC "agentic-coding"

bool app_techniques(const App *app, ServeTechniques *ret, Err *e);
bool app_model(App *app, const Facts *f, const char *name, const Model **ret_model, Err *e);
bool find_traffic(const Traffic *rows, size_t n, const char *name, const Traffic **ret_traffic, Err *e);
bool find_workload(const Workload *rows, size_t n, const char *name, const Workload **ret_workload, Err *e);

// A row of a table whose rows users may add (catalog/facts/own.h), GPUs aside.
bool find_named(App *app, TableId id, const void *rows, size_t n, const char *name, const void **ret_row,
                Err *e);

// The name nearest to `word`, or NULL when none is near.
const char *name_nearest(const char *word, const char *const *names, size_t n);
// "unknown engine 'vlm'; did you mean 'vllm'?" or "...; one of: a, b, c" for short lists. ERR_USAGE; returns
// false.
bool name_unknown(Err *e, const char *what, const char *word, const char *const *names, size_t n);

// The GPUs of this machine (those below GPUADVISE_SYSROOT, where that is set), mapped to the catalog's:
// `gpu0`, `gpu1` ... State "not tested", `why` what keeps a program from using it as far as files show. A
// catalog that cannot be used only loses the mapping.
struct BenchDevice;
struct GpuDevice;
size_t app_gpus(App *app, const struct GpuDevice **ret_gpus, struct BenchDevice **ret_devices);
// The SKU of a device that has no PCI ids, by its driver's name for it; "" = none.
// The catalog's name of a device, by what it says of itself; "" = it knows none (arena).
const char *app_sku_of(App *app, const struct GpuDevice *g);
const char *app_gpu_named(App *app, const struct GpuDevice *g, const char *name);

// ---------------------------------------------------------------- for commands: answers

// Prints "gpuadvise: warning: ..." (not under -q) and keeps it for the JSON answer.
#define app_warn(app, ...) app_warn_text((app), arena_printf(&(app)->arena, __VA_ARGS__))
void app_warn_text(App *app, const char *text);  // keeps `text`
// Prints "gpuadvise: note: ..." under -v only.
#define app_note(app, ...) app_note_text((app), arena_printf(&(app)->arena, __VA_ARGS__))
void app_note_text(const App *app, const char *text);
// Under --progress: says on standard error how many of app->steps are done, and what comes or was last:
// "progress 3 12 gemm".
void app_step(App *app, size_t done, const char *what);
// Prints "gpuadvise: ..." and gives the exit code of e->kind. Nothing goes to stdout.
int app_fail(App *app, const Err *e);
// The same of a question that cannot be asked so: ERR_USAGE.
#define app_refuse(app, ...) app_refuse_text((app), arena_printf(&(app)->arena, __VA_ARGS__))
int app_refuse_text(App *app, const char *text);

// The root object of this command's JSON answer, made at the first call: the envelope, and in `inputs` the
// options that were given. It is printed with the warnings when the command has ended and has not failed.
Json *app_json(App *app);
// The same at once, into `out`; and without printing it, for what wrote the answer itself.
void app_json_print(App *app, Buf *out);
void app_json_drop(App *app);
// An argument, as a member of `inputs` where the answer is JSON.
void app_input(App *app, const char *name, const char *text);
// A listing in app->format: as a member of the JSON answer, else as app_listing does.
void app_answer(App *app, const Listing *l);
// For answers too large to be held, once nothing can fail any more: writes what is in app->out when it has
// grown.
void app_drain(void *app);
// Prints a listing in app->format, which is not JSON. Under --explain `source` and `as_of` are shown.
void app_listing(App *app, const Listing *l);
// For the screen alone; printed, nothing comes of it.
void app_capture(App *app, const Listing *l);

// The rows of `l` that fit --where, by the columns of `sort`; a warning where none of several does.
bool app_choose(App *app, const Listing *l, const char *sort, size_t **ret_rows, size_t *ret_n, Err *e);
// The columns of --sort as typed; a setting of that name is for prices alone.
const char *app_sort(const App *app);
// Leaves the rows of `l` that fit --where, in the order of --sort.
bool app_rows(App *app, Listing *l, Err *e);
// Terminal width for sentences, unlimited (0) for the formats that have none.
size_t app_width(const App *app);
// The same with what becomes of wider tables: cut on a terminal only. Elsewhere they take the room that they
// need, or where COLUMNS sets a limit that they do not keep, become a record a row.
Room app_room(const App *app);
// That room, for what is written by src/report: into app->out.
Writer app_writer(App *app);
// A sentence of the answer, broken at blanks; its further lines stand `indent` columns in.
#define app_line(app, indent, ...)                                                                           \
    text_wrapped(&(app)->out, arena_printf(&(app)->arena, __VA_ARGS__), (indent), app_width(app))
// How wide a text table may be that chooses its columns by that: a large number where nothing limits it.
size_t app_columns(const App *app);

int browse_list(App *app, const Browse *b, const void *const *rows, size_t n);
// A fact table of the catalog, as rows of its struct.
const void **table_pointers(TableId id, const void *rows, size_t n, Arena *a);  // one a row
bool app_table(App *app, TableId id, void **ret_rows, size_t *ret_n, Err *e);
// The verbs `list` and `show` of a command that browses a table: every row, and the one of args[0].
int browse_every(App *app);
int browse_named(App *app);
// `extra` may add to the row's JSON object; NULL = nothing.
int browse_show(App *app, const Browse *b, const void *row,
                void (*extra)(App *app, const void *row, Json *object));

// ---------------------------------------------------------------- framework (start.c, args.c, settings.c, help.c, ...)

// Everything up to the exit code, with the commands of app->commands; what is to be written is in app->out. argv and the environment must outlive
// the app.
int app_main(App *app, int argc, char **argv);
void app_close(App *app);

const char *app_today(App *app);               // "2026-11-29", UTC
bool clock_now(int64_t *ret_seconds, Err *e);  // GPUADVISE_NOW (RFC 3339), else the system's

// The command of that name, or NULL with what it may have meant.
const Command *command_resolve(App *app, const char *name, Err *e);
// "'gpus': unknown subcommand 'lst'; ...". ERR_USAGE; returns false.
bool verb_unknown(App *app, const Command *c, const char *word, Err *e);
bool args_parse(App *app, int argc, char **argv, Err *e);
// Checks and stores one value; `where` names it in errors ("option '--isl'").
bool option_store(App *app, OptionId id, OptionLevel level, const char *where, const char *text, Err *e);
bool option_by_name(const char *name, size_t length, OptionId *ret_id);
const char *option_variable(App *app, OptionId id);  // "GPUADVISE_MAX_AGE"
bool settings_load(App *app, Err *e);                // environment, then settings file
const char *settings_path(App *app);                 // "" when there is no home
// $variable/gpuadvise/name, else $HOME/below_home/gpuadvise/name; "" when neither is an absolute path.
const char *xdg_path(App *app, const char *variable, const char *below_home, const char *name);

void help_program(const CommandTable *t, Buf *out, size_t width);
void help_short(const CommandTable *t, Buf *out);
// `v`: one of its subcommands, or NULL
void help_command(const Command *c, const Verb *v, Buf *out, size_t width);
void help_man(const CommandTable *t, Buf *out);

const char *tool_version(void);
// The code for GPUs that is linked (device_code.c): "for NVIDIA: sm_60 (PTX 6.0), ... For AMD: gfx906, ...", in
// the arena; as the object "embedded" of `root`.
const char *device_code_text(Arena *a);
void device_code_json(Arena *a, Json *root);

// ---------------------------------------------------------------- ages of facts (kinds.c)

// Prices, support claims and models: how old the newest word of each is, and how old it may be.
enum { DATA_KINDS = 3 };
typedef struct KindAge {
    const char *kind, *newest;
    double age_days, limit_days;  // age: NaN where nothing is dated
    bool overdue;
} KindAge;

double app_age_days(const App *app, const char *date);  // NaN: no date, or one still to come
void kinds_of(const App *app, const DataAge *ages, size_t n, KindAge ret[DATA_KINDS]);
void kinds_json(const KindAge kind[DATA_KINDS], Json *root);
const char *kinds_text(const KindAge kind[DATA_KINDS], Arena *a);  // a sentence

#endif
