// The GPUs of this machine and of others as they are now, with a minute of history: read by processes of their
// own, those of other machines through the user's ssh.
#ifndef GPUADVISE_TUI_LIVE_H
#define GPUADVISE_TUI_LIVE_H

#include "kernels/sensors.h"
#include "tui/grid.h"
#include "tui/job.h"
#include "tui/tui.h"

enum { LIVE_SECONDS = 60, LIVE_HOSTS_MAX = 16 };

typedef enum LiveFigure {
    LIVE_BUSY,
    LIVE_MEMORY,
    LIVE_POWER,
    LIVE_CLOCK,
    LIVE_HEAT,
    LIVE_FIGURES
} LiveFigure;

typedef struct LiveGpu {
    GpuDevice device;
    bool described;  // `device` is filled
    bool seen;       // its figures came
    SensorLine line;
    char words[160];  // of the line: what holds the GPU back, or why it cannot be read
    double history[LIVE_FIGURES][LIVE_SECONDS];  // the newest last; NaN: not known
    const Gpu *gpu;                              // of the catalog; NULL: not known
    bool looked_up;
    // Of the tokens/s of the cheapest option of `served` on this GPU, what its power limit leaves; NaN: not known, or no limit
    // below the board's own.
    double share_left;
    char served[64];  // the workload; "": none
} LiveGpu;

typedef struct LiveHost {
    const char *name;  // "": this machine
    Job job;
    Arena arena;
    LiveGpu *gpus;
    size_t n;
    bool headed;  // it said how many GPUs it has
    bool ended;
    char why[200];  // it ended, or speaks of something else
} LiveHost;

typedef struct Live {
    LiveHost hosts[LIVE_HOSTS_MAX];
    size_t n;  // 0: not started
} Live;

// `hosts`: names with commas between them, "": this machine. ERR_USAGE: too many, or one that is none.
bool live_hosts_check(const char *hosts, Err *e);
// Starts what reads them. What cannot be started says so in `why`.
void live_start(Live *l, const char *hosts);
// The GPUs of a machine before it says anything of them; texts are copied.
void live_expect(LiveHost *h, const GpuDevice *gpus, size_t n);
void live_stop(Live *l);
// Takes what they say. True: every GPU of every host was read, or its host has ended.
bool live_read(Live *l);
// What the catalog knows of GPUs that were not looked up yet, and what power limits leave of the options of `advice` (NULL: none
// yet, else it lives as long as they are drawn); asks the host.
void live_look_up(Live *l, const TuiHost *host, const Advice *advice);

// Before the host forgets.
void live_forget(Live *l);

// As pictures where there is room, else a line a GPU. Gives the rows it takes; draws nothing where `at` is empty.
int live_draw(const Live *l, const TuiHost *host, Grid *g, Rect at, int rows_most);

#endif
