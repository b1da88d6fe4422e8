// Inside of tui: the state of the screen, the views, and what they share.
#ifndef GPUADVISE_TUI_APP_H
#define GPUADVISE_TUI_APP_H

#include "tui/asker.h"
#include "tui/grid.h"
#include "tui/job.h"
#include "tui/keys.h"
#include "tui/line.h"
#include "tui/list.h"
#include "tui/live.h"
#include "tui/recent.h"
#include "tui/tui.h"

typedef struct Tui Tui;
typedef struct ViewState ViewState;

typedef enum ViewId {
    VIEW_ADVICE,
    VIEW_WHATIF,
    VIEW_GPUS,
    VIEW_PRICES,
    VIEW_COMPAT,
    VIEW_BENCH,
    VIEW_MIGRATE,
    VIEW_SOURCES,
    VIEW_HELP,
    VIEW_COUNT
} ViewId;

// POPUP_FRAME: columns that a box over the view leaves to its text, less than the screen has
enum { WORDS_MAX = 6, POPUP_FRAME = 6 };

// A table that a plain command answers.
typedef struct Panel {
    const char *title;
    const char *words[WORDS_MAX];  // the command; NULL: the view fills it itself
    // the command that says more of a row, before the text of its key column; none: all its cells
    const char *detail[WORDS_MAX];
    const char *key;  // column that names a row to it
} Panel;

typedef struct View {
    const char *title;
    const char *about;  // one sentence, for help
    const Panel *panels;
    size_t n_panels;
    // Fills v->answer and v->list, or gives false with *e. NULL: asks the command of the panel.
    bool (*load)(Tui *t, ViewState *v, Err *e);
    void (*fill)(Tui *t, ViewState *v, Grid *g, Rect at);            // NULL: the table alone
    bool (*act)(Tui *t, ViewState *v, Action action, int argument);  // true: done; NULL: what all views do
    // What may come a moment later, when no key waits. True: something is missing on the screen, and (ask)
    // was fetched. NULL: nothing.
    bool (*idle)(Tui *t, ViewState *v, bool ask);
    // text of the row or field; NULL: all cells of the row
    const char *(*basis)(Tui *t, ViewState *v, Arena *a);
    const Action *keys;  // in the bottom line, the most wanted first
    size_t n_keys;
    bool lists;    // its command takes --where and --sort
    bool reports;  // it shows the answer of Advice in its own way
    // Instead of `load`, where an answer takes longer than a frame may: what is asked beside the screen, and what
    // is made of the answer in `v`.
    size_t (*question)(const Tui *t, Arena *a, const char ***ret_words);
    bool (*take)(Tui *t, ViewState *v, Err *e);
} View;

struct ViewState {
    const View *view;
    Arena arena;  // of what was loaded
    bool loaded;
    bool asking;  // its question is being answered beside the screen
    Err error;    // of loading; kind ERR_NONE: none
    TuiAnswer answer;
    List list;
    size_t panel;
    bool one;  // what was loaded is one thing: no list whose command takes --where and --sort
};

typedef enum PopupKind { POPUP_NONE, POPUP_TEXT, POPUP_SETUP, POPUP_START } PopupKind;
typedef struct Popup {
    PopupKind kind;
    Arena arena;
    const char *title, *text;
    int skip;       // lines scrolled over
    size_t cursor;  // setup, start
} Popup;

typedef enum PromptKind {
    PROMPT_NONE,
    PROMPT_FILTER,
    PROMPT_COMMAND,
    PROMPT_EXPORT,
    PROMPT_PATH,
    PROMPT_FIELD,
    PROMPT_OVERWRITE,
    PROMPT_SORT,
    PROMPT_FIND,
    PROMPT_ANSWER,
    PROMPT_COUNT
} PromptKind;
typedef struct Prompt {
    PromptKind kind;
    LineEdit line;
    char before[LINE_MAX_BYTES];  // what Esc brings back
    // the text was put there and no key touched it yet: the first character takes its place
    bool offered;
    size_t kept;                 // bytes of what is offered that a figure leaves: "provider:gpu=" of a price
    size_t back;                 // how many lines ago the one shown was typed; 0: it is being typed
    size_t chosen;               // number of the item under ":", from 1; 0: none
    char typed[LINE_MAX_BYTES];  // before older lines were looked at
} Prompt;

// How the price of the GPU under the cursor moved.
typedef struct History {
    Arena arena;
    const char *gpu;  // NULL: none was asked for
    Chart chart;      // n 0: it has none
    char why[160];    // it could not be read; "": it was
} History;

// What was answered to the questions of the start.
enum { START_QUESTIONS = 4 };
typedef struct StartAnswer {
    const char *option;  // that it sets; NULL: none
    char value[LINE_MAX_BYTES];
} StartAnswer;
typedef struct Start {
    int step;
    StartAnswer answers[START_QUESTIONS];
    const struct Choice *workloads;  // of the first question
    size_t n_workloads;
} Start;

// The answer that others are compared with.
typedef struct Pinned {
    bool set, chosen;  // chosen: by the user; else the workload's own, without a change
    char workload[80], verdict[400];
    struct {
        double cost, usd_gpu_h, tpot_ms;
        char what[120];  // "" = nothing met what was asked
    } best[VENDOR_COUNT];
} Pinned;

// What is asked of `report`: an option's text by its row in field_table; "" = as the workload has it.
enum { FIELDS_MAX = 64, FIELD_BYTES = LINE_MAX_BYTES };
typedef struct Fields {
    char value[FIELDS_MAX][FIELD_BYTES];
    char first[FIELD_BYTES];  // the workload that the screen began with
    size_t cursor, top;
} Fields;

struct Tui {
    const TuiHost *host;
    const TuiOptions *options;
    Arena arena;  // what lives as long as the screen
    int width, height;
    int theme;
    bool theme_chosen;  // by the user: not by the terminal's ground
    bool saved;         // there is a state from before
    bool ascii;
    bool mouse;  // clicks and the wheel are ours; else the terminal selects text with them
    Keys keys;
    ViewState views[VIEW_COUNT];
    ViewId view, before;  // `before`: the one to go back to
    Popup popup;
    Start start;
    Prompt prompt;
    Recent recent[PROMPT_COUNT];
    Fields fields;
    Asker asker;
    ViewState *asked_by;
    Pinned before_that;
    Job job;
    Live live;     // of the GPUs, while Bench is shown
    bool no_gpus;  // of this machine
    History history;
    struct PortTree *scan;  // what the last scan found; view_migrate.c
    size_t *scan_nodes;     // the node of each row shown
    char scan_path[LINE_MAX_BYTES];
    bool scan_asked;  // the path was typed: ACT_RUN starts it
    char message[400];
    bool bad;          // the message is an error
    bool pasting;      // the end of a pasted text has not come yet
    LineEdit pasted;   // so far, as one line
    bool pasted_lost;  // it is longer than a line
    bool quit, redraw, suspend;
    bool leaving;           // ACT_QUIT came while something runs: the next one leaves
    bool interrupt;         // Ctrl-C where nothing is open that it could close
    Buf copied;             // text for the terminal's clipboard that is not sent yet
    const char *edit_file;  // to be opened in $EDITOR
    int edit_line;
};

// ---------------------------------------------------------------- app.c

bool tui_init(Tui *t, const TuiHost *host, const TuiOptions *options, int width, int height, Err *e);
void tui_free(Tui *t);
void tui_resize(Tui *t, int width, int height);
void tui_say(Tui *t, bool bad, const char *format, ...) PRINTF_LIKE(3, 4);
void tui_hush(Tui *t);  // nothing to say any more
void tui_key(Tui *t, int key);
void tui_act(Tui *t, Action action, int argument);
void tui_open(Tui *t, ViewId view);
void tui_stale(Tui *t);  // every view asks again when it is shown
// Starts a command of the program as a process, with what every such command needs; what keeps it from
// starting is said.
void tui_start(Tui *t, JobKind kind, const char *const *words, size_t n);
void tui_job_done(Tui *t);
bool tui_idle(Tui *t, bool ask);  // as View.idle
void tui_take_answer(Tui *t);     // of the question asked beside the screen, when it is there
void tui_drop_question(Tui *t);   // waits for its answer and throws it away
bool tui_settle(Tui *t);          // nothing is waited for any more. True: something came
long tui_idle_ms(Tui *t);         // how long no key has to come before it
bool tui_ticks(const Tui *t);     // the frame changes by itself every second

// Loads the view that is shown when it must be, then draws the whole frame.
void tui_frame(Tui *t, Arena *a, Grid *ret_grid);

// ---------------------------------------------------------------- for views

ViewState *view_now(Tui *t);
ViewState *view_answering(Tui *t);  // the one whose answer the view now shown is about
void view_load(Tui *t, ViewState *v);
void view_wait(Tui *t, ViewState *v);  // as view_load, after the answer that it may be waiting for
const Panel *panel_now(const ViewState *v);
void view_forget(ViewState *v);
bool view_ask(Tui *t, ViewState *v, const char *const *words, size_t n, Err *e);
// As TuiHost.ask, for a box as wide as the screen.
bool tui_ask(Tui *t, const char *const *words, size_t n, Arena *a, TuiAnswer *ret_answer, Err *e);

// The plain command that the screen equals, "" = none.
const char *frame_command(Tui *t, Arena *a);

// The clipboard of the terminal, as far as it has one that programs may fill (OSC 52).
void copy_row(Tui *t);
void copy_line(Tui *t);
// On the lower line of the box `at`: the filter, or what is wrong in it.
void draw_filter(const List *l, Grid *g, Rect at);
void view_table_fill(ViewState *v, Grid *g, Rect at);
size_t words_of(const char *const list[WORDS_MAX]);
ListLook view_look(void);

void popup_text(Tui *t, const char *title, const char *text);  // copies both
void popup_close(Tui *t);
void popup_draw(Tui *t, Grid *g);
bool popup_act(Tui *t, Action action, int argument);
const char *compare_text(Tui *t, ViewState *v, Arena *a);
void setup_open(Tui *t);

void prompt_open(Tui *t, PromptKind kind, const char *text);
void prompt_key(Tui *t, int key);
void prompt_item(Tui *t, size_t number);  // a click on what ":" found
void paste_key(Tui *t, int key);
void prompt_draw(Tui *t, Grid *g, Rect at);
// Tab: the rest of the word that the cursor stands behind, as far as there is only one. False: nothing to add.
bool prompt_complete(Tui *t);

// What is listed, by the ending of the file's name; else the frame as text.
const char *export_name(const Tui *t, Arena *a);  // that is offered
void export_ask(Tui *t, const char *path);        // asks first where a file stands already
void export_write(Tui *t, const char *path);

// What-if
typedef struct Field {
    const char *option, *label, *unit;
} Field;
extern const Field field_table[];
extern const size_t n_fields;
const TuiOption *field_option(const Tui *t, size_t field);
size_t fields_changed(const Tui *t);
const char *field_value(const Tui *t, const char *option);  // "" = as the workload has it
// numbers with k, M or a unit become plain ones. False: no such field
bool field_set(Tui *t, const char *option, const char *text);
// true: it begins a number in the field under the cursor
bool field_typed(Tui *t, int key);
void fields_changed_now(Tui *t);  // the question is another one
size_t fields_words(const Tui *t, Arena *a, const char ***ret_words);
// Without a change: what the answer was asked for, or what stands for it in the tables.
const char *field_effective(const TuiAnswer *answer, const char *option, Arena *a);
const char *field_number(Arena *a, double x);  // "none" for an unknown one
// The most that a figure may be, by the context of the answer's model; NaN: no bound is known.
double field_most(const TuiAnswer *answer, const char *option);
int style_of_vendor(const char *text);

// The answer box of What-if.
void whatif_draw_answer(Tui *t, ViewState *v, Grid *g, Rect box);
void whatif_pin(Tui *t, bool chosen);  // the answer is the one that later ones are compared with

extern const View view_advice, view_whatif, view_gpus, view_prices, view_compat, view_bench, view_migrate,
    view_sources, view_help;

// Measured against predicted of the rows that the list of `runs list` shows.
void runs_chart_draw(const List *list, Grid *g, Rect at);
void bench_show_newest(Tui *t);
void bench_stop_sensors(Tui *t);  // for views that do not show them
bool bench_read_sensors(Tui *t);  // takes what they say. True: every GPU was read
void scan_free_view(Tui *t);
bool scan_take(Tui *t, Str json, Err *e);

// ---------------------------------------------------------------- state.c

// "key = value" lines. Reading refuses nothing: what it does not know is left out.
void state_read(Tui *t, Str text);
void state_write(const Tui *t, Buf *out);
bool state_folder(const char *path, Err *e);  // makes the folders that the file at `path` stands in

#endif
