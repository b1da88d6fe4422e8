// The state of the screen: views, boxes, the line at the bottom, and what they share. Types only.
#ifndef GPUADVISE_TUI_SCREEN_H
#define GPUADVISE_TUI_SCREEN_H

#include "tui/asker.h"
#include "tui/fields.h"
#include "tui/grid.h"
#include "tui/job.h"
#include "tui/keys.h"
#include "tui/line.h"
#include "tui/list.h"
#include "tui/live.h"
#include "tui/recent.h"
#include "tui/tui.h"
#include "tui/views.h"

typedef struct Tui Tui;
typedef struct ViewState ViewState;

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

// clang-format off
#define VIEW_DECLARED_(id, view, name, key, title, about) extern const View view_##view;
TUI_VIEWS(VIEW_DECLARED_)
#undef VIEW_DECLARED_
// clang-format on

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
    PROMPT_FLEET,
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

// What a key, a line or an item found asks the screen to do once it is done itself; ACT_NONE: nothing.
typedef struct Wish {
    Action action;
    int argument;
    char text[LINE_MAX_BYTES];  // of ACT_WRITE, ACT_WRITE_OVER: the file
} Wish;

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

// What panels of Bench are about.
typedef struct BenchChosen {
    char run[24];                 // under the cursor of the list; "": the newest
    char pair[2][24];             // to be compared; "": none were marked yet
    char folder[LINE_MAX_BYTES];  // of a fleet's records; "": none was named yet
} BenchChosen;

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
    Wish wish;
    Pinned before_that;
    Job job;
    Live live;     // of the GPUs, while Bench is shown
    bool no_gpus;  // of this machine
    BenchChosen bench;
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
    bool unused_commitment;  // ACT_QUIT came while something runs: the next one leaves
    bool interrupt;          // Ctrl-C where nothing is open that it could close
    Buf copied;              // text for the terminal's clipboard that is not sent yet
    const char *edit_file;   // to be opened in $EDITOR
    int edit_line;
};

#endif
