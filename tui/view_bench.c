// Bench: the devices of this machine as they are now, runs that were kept, the tests there are, a run beside the
// screen, and the results of other tools that were imported as runs of one's own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu.h"
#include "kernels/devices.h"
#include "kernels/sensors.h"
#include "tui/app.h"

static const Panel panels[] = {
    {"runs", {"bench", "runs"}, {"bench", "runs"}, "run"},
    {"newest run", {NULL}, {NULL}, NULL},
    {"tests", {"bench", "list"}, {NULL}, NULL},
    {"own runs", {"runs", "list"}, {"runs", "show"}, "run"},
};
enum { P_RUNS, P_NEWEST, P_TESTS, P_OWN };

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
                        "No run was kept yet. %s measures this machine beside the screen, with "
                        "a bar of its progress; %s cancels it.",
                        keys_first(&t->keys, ACT_RUN, a), keys_first(&t->keys, ACT_CANCEL, a));
}

static bool load(Tui *t, ViewState *v, Err *e) {
    static const char *const runs[] = {"bench", "runs"};
    const Panel *p = panel_now(v);
    bool newest = v->panel == P_NEWEST;
    v->one = newest;
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
    if (newest && !view_ask(t, v, one, COUNT_OF(one), e)) return false;
    if (v->answer.n_listings > 0) list_open(&v->list, &v->answer.listings[0], &v->arena);
    return true;
}

// ---------------------------------------------------------------- devices, live

typedef struct GpuReading {
    bool seen;
    SensorLine line;
    char words[160];  // of the line: what holds the GPU back, or why it cannot be read
} GpuReading;

static const char *sysroot(void) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    return root != NULL ? root : "";
}

static void start_sensors(Tui *t, size_t n_gpus) {
    static const char *const words[] = {SENSORS_WORD};
    Err e = {0};
    t->readings = arena_alloc(&t->arena, n_gpus, sizeof *t->readings);
    t->n_readings = n_gpus;
    if (!job_start(&t->sensors, JOB_SENSORS, words, COUNT_OF(words), 0, &e))
        tui_say(t, true, "sensors: %s", e.text);
}

void bench_stop_sensors(Tui *t) {
    if (t->readings == NULL) return;
    job_free(&t->sensors);
    job_init(&t->sensors);
    t->readings = NULL;
    t->n_readings = 0;
}

bool bench_read_sensors(Tui *t) {
    char text[400];
    bool ended = job_read(&t->sensors);
    while (job_line(&t->sensors, text, sizeof text)) {
        SensorLine line;
        if (!sensor_line_read(str_of(text), &line) || line.gpu >= t->n_readings) continue;
        GpuReading *r = &t->readings[line.gpu];
        snprintf(r->words, sizeof r->words, "%.*s", (int)line.words.length, line.words.data);
        line.words = (Str){NULL, 0};
        r->line = line;
        r->seen = true;
    }
    if (ended) {
        for (size_t i = 0; i < t->n_readings; i++) t->readings[i] = (GpuReading){0};
        tui_say(t, true,
                t->sensors.code < 0 ? "the process that reads the GPUs was ended by signal %d"
                                    : "the process that reads the GPUs ended with exit code %d",
                t->sensors.code < 0 ? t->sensors.signal : t->sensors.code);
    }
    size_t seen = 0;
    for (size_t i = 0; i < t->n_readings; i++) seen += t->readings[i].seen;
    return seen == t->n_readings;
}

static const char *unit(Grid *g, double x, const char *name) {
    char text[32];
    if (!is_known(x)) return "";
    format_number(text, sizeof text, x, 3);
    return arena_printf(g->arena, "  %s %s", text, name);
}

// The figures of one GPU, right of its name.
static const char *figures_text(Grid *g, const GpuDevice *d, const GpuReading *r) {
    if (r == NULL || !r->seen)
        return arena_printf(g->arena, "%s  %s", unit(g, d->memory_gib, "GiB"), d->driver);
    const SensorLine *x = &r->line;
    const char *memory = !is_known(x->memory_used_gib) ? unit(g, d->memory_gib, "GiB")
                         : is_known(d->memory_gib)
                             ? arena_printf(g->arena, "  %.1f of %.0f GiB", x->memory_used_gib, d->memory_gib)
                             : arena_printf(g->arena, "  %.1f GiB used", x->memory_used_gib);
    return arena_printf(g->arena, "%s%s%s%s%s", unit(g, x->busy_pct, "% busy"), unit(g, x->clock_mhz, "MHz"),
                        unit(g, x->power_w, "W"), unit(g, x->temperature_c, "C"), memory);
}

static void draw_gpu(const Tui *t, Grid *g, Rect at, const GpuDevice *d, size_t i) {
    const GpuReading *r = i < t->n_readings ? &t->readings[i] : NULL;
    int style = d->vendor == VENDOR_NVIDIA ? STYLE_NVIDIA : STYLE_AMD;
    const char *name = d->name[0] != '\0' ? d->name : d->pci_device;
    const char *words = d->missing[0] != '\0' ? d->missing : r != NULL && r->seen ? r->words : "";
    grid_printf(g, at.x, at.y, 6, style, "gpu%zu", i);
    int x = at.x + 6 +
            grid_printf(g, at.x + 6, at.y, at.width - 6, style, "%s %s",
                        d->vendor == VENDOR_NVIDIA ? "N" : "A", name);
    x += grid_text(g, x, at.y, at.width - (x - at.x), STYLE_TEXT, figures_text(g, d, r));
    grid_text(g, x + 2, at.y, at.width - (x + 2 - at.x), STYLE_WARN, words);
}

static int draw_devices(const Tui *t, Grid *g, Rect at, const GpuDevice *gpus, size_t n) {
    CpuFacts cpu;
    int y = at.y;
    cpu_facts(sysroot(), &cpu);
    grid_text(g, at.x, y, 6, STYLE_TITLE, "cpu");
    grid_printf(g, at.x + 6, y++, at.width - 6, STYLE_TEXT, "%s%s%s%s%s", cpu.name,
                unit(g, cpu.clock_mhz, "MHz"), unit(g, cpu.temperature_c, "C"),
                unit(g, fmin(cpu.busy, 1) * 100, "% busy"), unit(g, cpu.available_bytes / 1e9, "GB free"));
    for (size_t i = 0; i < n && y < at.y + at.height; i++, y++)
        draw_gpu(t, g, (Rect){at.x, y, at.width, 1}, &gpus[i], i);
    if (n == 0)
        grid_text(g, at.x, y++, at.width, STYLE_DIM,
                  "no GPU of NVIDIA or AMD is visible on this machine: the CPU is measured");
    return y - at.y;
}

static void fill(Tui *t, ViewState *v, Grid *g, Rect at) {
    enum { SHOWN_MAX = 9, CHART_ROOM = 18 };
    if (v->panel == P_OWN) {
        bool room = v->list.of != NULL && at.height >= CHART_ROOM;
        if (room) runs_chart_draw(&v->list, g, rect_top(&at, at.height / 2));
        view_table_fill(v, g, at);
        return;
    }
    const GpuDevice *gpus = NULL;
    size_t n = devices_probe(sysroot(), g->arena, &gpus);
    if (n > 0 && t->readings == NULL) start_sensors(t, n);
    bench_read_sensors(t);
    int rows = n == 0 ? 2 : n + 1 > SHOWN_MAX ? SHOWN_MAX : (int)n + 1;
    Rect box = rect_top(&at, rows + 2);
    grid_box(g, box, "devices");
    draw_devices(t, g, rect_inside(box), gpus, n);
    view_table_fill(v, g, at);
}

// ---------------------------------------------------------------- keys

static bool act(Tui *t, ViewState *v, Action action, int argument) {
    (void)argument;
    if (action == ACT_EDIT) {
        if (v->panel != P_OWN) tui_act(t, ACT_CHOICE, P_OWN);
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

static const Action keys[] = {ACT_RUN, ACT_CANCEL, ACT_OPEN, ACT_BASIS, ACT_FILTER, ACT_PANEL, ACT_EXPORT};

const View view_bench = {
    .title = "Bench",
    .about =
        "devices as they are now, runs that were kept, the tests there are; R measures, K cancels; own runs "
        "from other tools, measured against predicted: i imports",
    .panels = panels,
    .n_panels = COUNT_OF(panels),
    .load = load,
    .fill = fill,
    .act = act,
    .keys = keys,
    .n_keys = COUNT_OF(keys),
    .lists = true,
};
