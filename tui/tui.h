// The interactive screen: every view is the answer of a plain command, drawn into a grid.
//
// Level 6; includes src, catalog, kernels. The command line starts it and answers its questions (TuiHost);
// the terminal is tui/term.c's alone, and views only fill grids, so that `tui --once` prints the very frame
// that the terminal shows.
#ifndef GPUADVISE_TUI_H
#define GPUADVISE_TUI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/devices.h"
#include "kernels/roofline.h"
#include "src/base/base.h"
#include "src/report/report.h"

// What a command answered. Lives in the arena given to the host.
typedef struct TuiAnswer {
    Listing *listings;  // tables that it printed, with all their columns
    size_t n_listings;
    const Advice *advice;   // of `report`; NULL else
    const Facts *facts;     // that it was made from; the host's
    Chart chart;            // of `prices history`; n 0: none
    const Roofline *roofs;  // of `bench runs ID`, with the last n_roofs tables: one a device
    size_t n_roofs;
    const char *text;  // what it printed
    const char *const *warnings;
    size_t n_warnings;
    const char *line;     // the whole command, quoted for a shell
    int64_t answered_at;  // seconds since 1970, UTC
} TuiAnswer;

// An option that `report` takes: a field of the What-if view.
typedef struct TuiOption {
    const char *name, *metavar, *help;
    const char *const *choices;  // NULL-terminated; NULL: any text
    bool flag;
    bool number;  // takes one number
    bool file;    // names a file or folder: half of a name means another one
} TuiOption;

typedef struct TuiCommand {
    const char *name, *help;
} TuiCommand;

typedef struct TuiHost {
    void *self;
    // Answers `words` (a command without the program's name) as text for `width` columns. False: *e says why,
    // as the command would.
    bool (*ask)(void *self, const char *const *words, size_t n, size_t width, Arena *a, TuiAnswer *ret_answer,
                Err *e);
    // data may have changed: the next question reads it anew. Advice given before is gone with it
    void (*forget)(void *self);
    // The catalog's GPU that a device is, NULL = it knows none; and what share of its clock a power limit leaves,
    // NaN = not known. They live until `forget`. NULL: there is no catalog.
    const Gpu *(*gpu_of)(void *self, const GpuDevice *device);
    double (*capped_clock)(void *self, const Gpu *gpu, double limit_w);
    // What share of its tokens/s an option of `ask` keeps under a power limit; NaN = not known.
    double (*share_under)(void *self, const Ask *ask, const Option *option, double limit_w);
    const TuiOption *options;
    size_t n_options;
    const TuiCommand *commands;  // what can be run from the screen: "prices list"
    size_t n_commands;
    const char *const *globals;  // words that every command started as a process needs (--db FILE ...)
    size_t n_globals;
    const char *version;
} TuiHost;

typedef enum TuiTheme { THEME_DARK, THEME_LIGHT, THEME_MONO, THEME_COUNT } TuiTheme;
extern const char *const tui_theme_names[];  // dark, light, mono; NULL-terminated

typedef struct TuiOptions {
    const char *view;      // "": as saved, else the first
    const char *workload;  // "": as saved, else the first of the catalog
    int theme;             // TuiTheme; -1: as saved, else dark
    bool color;            // false: monochrome whatever the theme
    bool ascii;
    const char *const *bindings;  // "filter=f": the user's keys
    size_t n_bindings;
    const char *hosts;       // whose GPUs Bench shows, with commas between them; "": this machine's
    const char *state_path;  // "" = nothing can be saved
    int parent;              // descriptor whose end means that the starting process has gone; -1: none
} TuiOptions;

extern const char *const tui_view_names[];  // NULL-terminated

// One frame of `width` x `height` as lines of text. ERR_USAGE: an unknown view, or a size that no frame fits
// in.
enum { TUI_WIDTH_MIN = 60, TUI_HEIGHT_MIN = 18, TUI_SIDE_MAX = 1000 };
bool tui_once(const TuiHost *host, const TuiOptions *options, int width, int height, Buf *out, Err *e);

// Runs until the user leaves. ERR_USAGE: the terminal cannot show it. *ret_signal: the signal that ended it,
// 0 = none.
bool tui_run(const TuiHost *host, const TuiOptions *options, int *ret_signal, Err *e);

// Bytes that bring the terminal of this process back from whatever state the screen left it in (terminfo;
// empty when TERM is unknown).
void tui_restore_bytes(Buf *out);

#endif
