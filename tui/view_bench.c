// Bench: the devices of this machine as they are now, runs that were kept, the tests there are, a run beside the
// screen, and the results of other tools that were imported as runs of one's own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu.h"
#include "kernels/devices.h"
#include "tui/view_parts.h"

static const Panel panels[] = {
    {"runs", {"bench", "runs"}, {"bench", "runs"}, "run"},
    {"newest run", {NULL}, {NULL}, NULL},
    {"tests", {"bench", "list"}, {NULL}, NULL},
    {"own runs", {"runs", "list"}, {"runs", "show"}, "run"},
    {"compare", {NULL}, {NULL}, NULL},
    {"roofline", {NULL}, {NULL}, NULL},
    {"fleet", {NULL}, {NULL}, NULL},
};
enum { P_RUNS, P_NEWEST, P_TESTS, P_OWN, P_COMPARE, P_ROOFLINE, P_FLEET };

void bench_show_newest(Tui *t) {
    ViewState *v = &t->views[VIEW_BENCH];
    v->panel = P_NEWEST;
    view_forget(v);
    v->list = (List){0};
}

// The number of the newest run that is kept, "" = none.
static const char *newest_run(const TuiAnswer *answer, Arena *a) {
    if (answer->n_listings == 0 || answer->listings[0].n_rows == 0) return "";
    const Listing *l = &answer->listings[0];
    double most = 0;
    for (size_t r = 0; r < l->n_rows; r++) most = fmax(most, l->cells[r * l->n_columns].number);
    return arena_printf(a, "%.0f", most);
}

static const char *nothing_text(Tui *t, ViewState *v) {
    Arena *a = &v->arena;
    if (v->panel == P_OWN)
        return arena_printf(a,
                            "No run of your own is kept yet. %s imports the result file of a benchmark tool: "
                            "runs import FILE, with what the file does not say (--gpu h100 --gpus 8 ...).",
                            keys_first(&t->keys, ACT_EDIT, a));
    return arena_printf(a,
                        "No run was kept yet. %s measures this machine beside the screen, with a bar of its "
                        "progress; %s cancels it.",
                        keys_first(&t->keys, ACT_RUN, a), keys_first(&t->keys, ACT_CANCEL, a));
}

static bool load(Tui *t, ViewState *v, Err *e) {
    static const char *const runs[] = {"bench", "runs"};
    const Panel *p = panel_now(v);
    bool roofline = v->panel == P_ROOFLINE;
    bool newest = v->panel == P_NEWEST || (roofline && t->bench.run[0] == '\0');
    v->one = v->panel == P_NEWEST || v->panel >= P_COMPARE;
    if (v->panel == P_COMPARE) return compare_load(t, v, e);
    if (v->panel == P_FLEET) return fleet_load(t, v, e);
    if (roofline && !newest) return roofline_load(t, v, t->bench.run, e);
    if (!view_ask(t, v, newest ? runs : p->words, newest ? COUNT_OF(runs) : words_of(p->words), e))
        return false;
    const char *id = newest ? newest_run(&v->answer, &v->arena) : "";
    const char *const one[] = {"bench", "runs", id};
    bool none = v->answer.n_listings > 0 && v->answer.listings[0].n_rows == 0;
    if (v->panel != P_TESTS && none) {
        v->answer.text = nothing_text(t, v);
        v->list.of = NULL;
        return true;
    }
    if (roofline) return roofline_load(t, v, id, e);
    if (newest && !view_ask(t, v, one, COUNT_OF(one), e)) return false;
    if (v->answer.n_listings > 0) list_open(&v->list, &v->answer.listings[0], &v->arena);
    return true;
}

// ---------------------------------------------------------------- devices, live

static const char *sysroot(void) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    return root != NULL ? root : "";
}

static const char *unit(Grid *g, double x, const char *name) {
    return is_known(x) ? arena_printf(g->arena, "  %s %s", number_text(g->arena, x, 3), name) : "";
}

static void draw_cpu(Grid *g, Rect at, bool alone) {
    CpuFacts cpu;
    cpu_facts(sysroot(), &cpu);
    grid_text(g, at.x, at.y, 6, STYLE_TITLE, "cpu");
    grid_printf(g, at.x + 6, at.y, at.width - 6, STYLE_TEXT, "%s%s%s%s%s", cpu.name,
                unit(g, cpu.clock_mhz, "MHz"), unit(g, cpu.temperature_c, "C"),
                unit(g, fmin(cpu.busy, 1) * 100, "% busy"), unit(g, cpu.available_bytes / 1e9, "GB free"));
    if (alone)
        grid_text(g, at.x, at.y + 1, at.width, STYLE_DIM,
                  "no GPU of NVIDIA or AMD is visible on this machine: the CPU is measured");
}

// What was told so far: where nothing is known of this machine yet, what its devices are called.
static void start_live(Tui *t, Grid *g) {
    const GpuDevice *gpus = NULL;
    bool here = t->options->hosts[0] == '\0';
    size_t n = here ? devices_probe(sysroot(), g->arena, &gpus) : 0;
    t->no_gpus = here && n == 0;
    if (t->live.n == 0 && !t->no_gpus) {
        live_start(&t->live, t->options->hosts);
        if (here) live_expect(&t->live.hosts[0], gpus, n);
    }
    live_read(&t->live);
    if (!t->asker.running)
        live_look_up(&t->live, t->host, t->views[VIEW_ADVICE].answer.advice);  // else a moment later
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    enum { CHART_ROOM = 18, TABLE_ROWS = 6 };
    if (v->panel == P_OWN) {
        bool room = v->list.of != NULL && at.height >= CHART_ROOM;
        if (room) runs_chart_draw(&v->list, g, rect_top(&at, at.height / 2));
        view_table_fill(v, g, at);
        return;
    }
    if (v->panel == P_ROOFLINE) {
        roofline_fill(v, g, at);
        return;
    }
    if (v->panel >= P_COMPARE) {
        view_table_fill(v, g, at);
        return;
    }
    start_live(t, g);
    bool here = t->options->hosts[0] == '\0';
    int most = at.height - TABLE_ROWS - 2 - here;
    int rows = t->no_gpus ? 1 : live_draw(&t->live, t->host, g, (Rect){0, 0, at.width - 4, 0}, most);
    Rect box = rect_top(&at, rows + here + 2);
    grid_box(g, box, here ? "devices" : "devices of hosts");
    Rect in = rect_inside(box);
    if (here) draw_cpu(g, rect_top(&in, 1), t->no_gpus);
    if (!t->no_gpus) live_draw(&t->live, t->host, g, in, most);
    view_table_fill(v, g, at);
}

// ---------------------------------------------------------------- keys

// The run under the cursor is the one whose roofline the panel shows.
static void choose_run(Tui *t, const ViewState *v) {
    size_t row = v->panel == P_RUNS ? list_row(&v->list) : SIZE_MAX;
    if (row == SIZE_MAX) return;
    snprintf(t->bench.run, sizeof t->bench.run, "%.0f",
             v->list.of->cells[row * v->list.of->n_columns].number);
}

static bool act(Tui *t, ViewState *v, Action action, int argument) {
    (void)argument;
    choose_run(t, v);
    if (action == ACT_COMPARE && v->panel == P_RUNS) {
        if (compare_marked(t, v)) view_panel(v, P_COMPARE);
        return true;
    }
    if (action == ACT_EDIT && v->panel == P_FLEET) {
        prompt_open(t, PROMPT_FLEET, t->bench.folder[0] != '\0' ? t->bench.folder : ".");
        return true;
    }
    if (action == ACT_EDIT) {
        if (v->panel != P_OWN) view_panel(v, P_OWN);
        prompt_open(t, PROMPT_COMMAND, "runs import ");
        return true;
    }
    if (action == ACT_RUN) {
        static const char *const words[] = {"bench", "--quick", "--json", "--progress"};
        tui_start(t, JOB_BENCH, words, COUNT_OF(words));
        return true;
    }
    return false;
}

static const Action keys[] = {ACT_RUN,   ACT_CANCEL, ACT_OPEN, ACT_BASIS,  ACT_FILTER,
                              ACT_PANEL, ACT_EXPORT, ACT_MARK, ACT_COMPARE};

const View view_bench = {
    .panels = panels,
    .n_panels = COUNT_OF(panels),
    .load = load,
    .fill = fill,
    .act = act,
    .keys = keys,
    .n_keys = COUNT_OF(keys),
    .lists = true,
};
