// One frame as text.
#include <time.h>

#include "tui/app.h"
#include "tui/draw.h"

// The first reading of the GPUs, where the view shows them.
static bool wait_for_sensors(Tui *t) {
    const double patience_s = 3;
    struct timespec moment = {.tv_nsec = 10000000};
    if (t->live.n == 0) return false;
    for (double end = seconds_now() + patience_s; !live_read(&t->live) && seconds_now() < end;)
        nanosleep(&moment, NULL);
    return true;
}

bool tui_once(const TuiHost *host, const TuiOptions *options, int width, int height, Buf *out, Err *e) {
    if (width < TUI_WIDTH_MIN || height < TUI_HEIGHT_MIN || width > TUI_SIDE_MAX || height > TUI_SIDE_MAX) {
        return err_set(e, ERR_USAGE, "no frame of %d x %d: at least %d x %d, at most %d each way", width,
                       height, TUI_WIDTH_MIN, TUI_HEIGHT_MIN, TUI_SIDE_MAX);
    }
    Tui t;
    Arena a = {0};
    Grid g;
    bool ok = tui_init(&t, host, options, width, height, e);
    if (ok) {
        tui_frame(&t, &a, &g);
        if (tui_settle(&t)) tui_frame(&t, &a, &g);
        if (wait_for_sensors(&t)) tui_frame(&t, &a, &g);
        grid_print(&g, t.ascii, out);
        *e = view_answering(&t)->error;
        ok = e->kind == ERR_NONE;
    }
    tui_free(&t);
    arena_free(&a);
    return ok;
}
