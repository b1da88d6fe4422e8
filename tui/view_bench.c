// Bench: the devices of this machine as they are now, runs that were kept, the tests there are, and a run beside the screen.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu.h"
#include "kernels/devices.h"
#include "tui/app.h"

static const Panel panels[] = {
    {"runs", {"bench", "runs"}, {"bench", "runs"}, "run"},
    {"newest run", {NULL}, {NULL}, NULL},
    {"tests", {"bench", "list"}, {NULL}, NULL},
};
enum { P_RUNS, P_NEWEST, P_TESTS };

void bench_show_newest(Tui *t) {
    ViewState *v = &t->views[VIEW_BENCH];
    v->panel = P_NEWEST;
    view_forget(v);
    v->list = (List){.sort = -1};
}

// The number of the newest run that is kept, "" = none.
static const char *newest_run(const TuiAnswer *answer, Arena *a) {
    if (answer->n_listings == 0 || answer->listings[0].n_rows == 0) return "";
    const Listing *l = &answer->listings[0];
    double most = 0;
    for (size_t r = 0; r < l->n_rows; r++) most = fmax(most, l->cells[r * l->n_columns].number);
    return arena_printf(a, "%.0f", most);
}

static bool load(Tui *t, ViewState *v, Err *e) {
    static const char *const runs[] = {"bench", "runs"};
    const Panel *p = panel_now(v);
    bool newest = v->panel == P_NEWEST;
    if (!view_ask(t, v, newest ? runs : p->words, newest ? COUNT_OF(runs) : words_of(p->words), e)) return false;
    const char *id = newest ? newest_run(&v->answer, &v->arena) : "";
    const char *const one[] = {"bench", "runs", id};
    if (newest && id[0] == '\0') {
        v->answer.text = "No run was kept yet.";
        v->list.of = NULL;
        return true;
    }
    if (newest && !view_ask(t, v, one, COUNT_OF(one), e)) return false;
    if (v->answer.n_listings > 0) list_open(&v->list, &v->answer.listings[0], &v->arena);
    return true;
}

// ---------------------------------------------------------------- devices, live

static const char *unit(Grid *g, double x, const char *name) {
    char text[32];
    if (!is_known(x)) return "";
    format_number(text, sizeof text, x, 3);
    return arena_printf(g->arena, "  %s %s", text, name);
}

static int draw_devices(Grid *g, Rect at) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    const GpuDevice *gpus = NULL;
    CpuFacts cpu;
    int y = at.y;
    cpu_facts(root != NULL ? root : "", &cpu);
    size_t n = devices_probe(root != NULL ? root : "", g->arena, &gpus);
    grid_text(g, at.x, y, 6, STYLE_TITLE, "cpu");
    grid_printf(g, at.x + 6, y++, at.width - 6, STYLE_TEXT, "%s%s%s%s%s", cpu.name, unit(g, cpu.clock_mhz, "MHz"), unit(g, cpu.temperature_c, "C"), unit(g, fmin(cpu.busy, 1) * 100, "% busy"), unit(g, cpu.available_bytes / 1e9, "GB free"));
    for (size_t i = 0; i < n && y < at.y + at.height; i++, y++) {
        const GpuDevice *d = &gpus[i];
        int style = d->vendor == VENDOR_NVIDIA ? STYLE_NVIDIA : STYLE_AMD;
        grid_printf(g, at.x, y, 6, style, "gpu%zu", i);
        int x = at.x + 6 + grid_printf(g, at.x + 6, y, at.width - 6, style, "%s %s", d->vendor == VENDOR_NVIDIA ? "N" : "A", d->name[0] != '\0' ? d->name : d->pci_device);
        x += grid_printf(g, x, y, at.width - (x - at.x), STYLE_TEXT, "%s  %s", unit(g, d->memory_gib, "GiB"), d->driver);
        grid_printf(g, x + 2, y, at.width - (x + 2 - at.x), STYLE_WARN, "%s", d->missing);
    }
    if (n == 0) grid_text(g, at.x, y++, at.width, STYLE_DIM, "no GPU of NVIDIA or AMD is visible on this machine: the CPU is measured");
    return y - at.y;
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    (void)t;
    enum { SHOWN_MAX = 9 };
    Arena a = {0};
    Grid probe;
    grid_init(&probe, &a, at.width, SHOWN_MAX);
    int rows = draw_devices(&probe, (Rect){0, 0, at.width - 4, SHOWN_MAX});
    arena_free(&a);
    Rect box = rect_top(&at, rows + 2);
    grid_box(g, box, "devices");
    draw_devices(g, rect_inside(box));
    view_table_fill(v, g, at);
}

// ---------------------------------------------------------------- keys

static bool act(Tui *t, ViewState *v, Action action, int argument) {
    (void)v;
    (void)argument;
    if (action == ACT_RUN) {
        static const char *const words[] = {"bench", "--quick", "--json", "--progress"};
        tui_start(t, JOB_BENCH, words, COUNT_OF(words));
        return true;
    }
    return false;
}

static const Action keys[] = {ACT_RUN, ACT_CANCEL, ACT_OPEN, ACT_BASIS, ACT_FILTER, ACT_PANEL, ACT_EXPORT};

const View view_bench = {
    .title = "Bench",
    .about = "devices as they are now, runs that were kept, the tests there are; R measures, K cancels",
    .panels = panels, .n_panels = COUNT_OF(panels), .load = load, .fill = fill, .act = act, .keys = keys, .n_keys = COUNT_OF(keys),
};
