// GPUs as pictures: bars, a minute of history, and what the catalog says they should do.
#include <math.h>
#include <string.h>

#include "tui/chart.h"
#include "tui/live.h"

enum { PICTURES = 6, LABEL = 6 };

// How many pictures stand beside each other.
static int abreast(int width) { return width >= 90 ? 3 : 2; }

// Of a GPU: its name, its pictures, the catalog.
static int picture_rows(int width) { return 2 + PICTURES / abreast(width); }

static const char *with_unit(Grid *g, double x, const char *unit) {
    return is_known(x) ? arena_printf(g->arena, "%s %s", number_text(g->arena, x, 3), unit) : "-";
}

// "512 of 700 W"
static const char *of_most(Grid *g, double x, double most, const char *unit) {
    return is_known(x) && is_known(most) ? arena_printf(g->arena, "%s of %s %s", number_text(g->arena, x, 3),
                                                        number_text(g->arena, most, 3), unit)
                                         : with_unit(g, x, unit);
}

static double memory_most(const LiveGpu *x) {
    if (is_known(x->device.memory_gib) || x->gpu == NULL) return x->device.memory_gib;
    return x->gpu->memory_usable_mib / 1024;
}

static const char *memory_text(Grid *g, const LiveGpu *x) {
    double used = x->line.memory_used_gib, all = memory_most(x);
    if (!is_known(used)) return with_unit(g, all, "GiB");
    return is_known(all) ? arena_printf(g->arena, "%.1f of %.0f GiB", used, all)
                         : arena_printf(g->arena, "%.1f GiB used", used);
}

static double peak_clock(const LiveGpu *x) { return x->gpu != NULL ? x->gpu->peak_clock_mhz : (double)NAN; }

// What the board may take: its limit as set, else as the catalog has it.
static double power_most(const LiveGpu *x) {
    if (is_known(x->line.power_limit_w)) return x->line.power_limit_w;
    return x->gpu != NULL ? x->gpu->board_power_w : (double)NAN;
}

static const char *name_of(const LiveGpu *x) {
    return x->device.name[0] != '\0' ? x->device.name : x->device.pci_device;
}

static int style_of(const LiveGpu *x) { return x->device.vendor == VENDOR_NVIDIA ? STYLE_NVIDIA : STYLE_AMD; }

static const char *words_of_gpu(const LiveGpu *x) {
    return x->device.missing[0] != '\0' ? x->device.missing : x->seen ? x->words : "";
}

// ---------------------------------------------------------------- a line a GPU

static const char *if_known(Grid *g, double x, const char *unit) {
    return is_known(x) ? arena_printf(g->arena, "  %s", with_unit(g, x, unit)) : "";
}

static const char *figures_text(Grid *g, const LiveGpu *x) {
    const SensorLine *l = &x->line;
    if (!x->seen)
        return arena_printf(g->arena, "%s  %s", if_known(g, x->device.memory_gib, "GiB"), x->device.driver);
    const char *power = is_known(l->power_w)
                            ? arena_printf(g->arena, "  %s", of_most(g, l->power_w, power_most(x), "W"))
                            : "";
    const char *memory = memory_text(g, x);
    return arena_printf(g->arena, "%s%s%s%s%s%s", if_known(g, l->busy_pct, "% busy"),
                        if_known(g, l->clock_mhz, "MHz"), power, if_known(g, l->temperature_c, "C"),
                        strcmp(memory, "-") == 0 ? "" : "  ", strcmp(memory, "-") == 0 ? "" : memory);
}

static void draw_line(Grid *g, Rect at, const LiveGpu *x, size_t i) {
    grid_printf(g, at.x, at.y, LABEL, style_of(x), "gpu%zu", i);
    int to = at.x + LABEL +
             grid_printf(g, at.x + LABEL, at.y, at.width - LABEL, style_of(x), "%s %s",
                         x->device.vendor == VENDOR_NVIDIA ? "N" : "A", name_of(x));
    to += grid_text(g, to, at.y, at.width - (to - at.x), STYLE_TEXT, figures_text(g, x));
    grid_text(g, to + 2, at.y, at.width - (to + 2 - at.x), STYLE_WARN, words_of_gpu(x));
}

// ---------------------------------------------------------------- pictures

typedef struct Picture {
    const char *label, *text;
    double share;  // of a bar; NaN: none
    const double *history;
    bool bad;
} Picture;

// Label, bar, figure, a minute of it; what there is no room for falls away from the right.
static void draw_picture(Grid *g, Rect at, const Picture *p) {
    enum { BAR = 8, TEXT = 17, GAP = 1, LEAST = 6 };
    int x = at.x + LABEL, right = at.x + at.width - 2;
    grid_text(g, at.x, at.y, LABEL - 1, STYLE_DIM, p->label);
    bool bar = at.width >= LABEL + BAR + TEXT;
    if (bar && is_known(p->share)) {
        grid_point(g, x, at.y, STYLE_FRAME, '[');
        grid_meter(g, x + 1, at.y, BAR - 2,
                   p->bad           ? STYLE_BAD
                   : p->share > 0.9 ? STYLE_WARN
                                    : STYLE_GOOD,
                   p->share);
        grid_point(g, x + BAR - 1, at.y, STYLE_FRAME, ']');
    }
    if (bar) x += BAR + GAP;
    int used =
        grid_text(g, x, at.y, right - x < TEXT ? right - x : TEXT, p->bad ? STYLE_WARN : STYLE_TEXT, p->text);
    x += (used > TEXT - 3 ? used : TEXT - 3) + GAP;
    int room = right - x < LIVE_SECONDS ? right - x : LIVE_SECONDS;
    if (p->history != NULL && room >= LEAST)
        chart_spark(g, x, at.y, room, STYLE_DIM, p->history, LIVE_SECONDS);
}

static double share(double x, double most) { return most > 0 ? x / most : (double)NAN; }

static void draw_pictures(Grid *g, Rect at, const LiveGpu *x) {
    const SensorLine *l = &x->line;
    bool narrow_link = l->link_width < l->link_width_max;
    const char *links =
        is_known(l->link_width)
            ? narrow_link ? arena_printf(g->arena, "PCIe x%.0f of x%.0f", l->link_width, l->link_width_max)
                          : arena_printf(g->arena, "PCIe x%.0f", l->link_width)
            : "-";
    const char *processes =
        is_known(l->processes) ? arena_printf(g->arena, ", %.0f proc.", l->processes) : "";
    const Picture pictures[PICTURES] = {
        {"busy", with_unit(g, l->busy_pct, "%"), l->busy_pct / 100, x->history[LIVE_BUSY], false},
        {"mem", memory_text(g, x), share(l->memory_used_gib, memory_most(x)), x->history[LIVE_MEMORY], false},
        {"power", of_most(g, l->power_w, power_most(x), "W"), share(l->power_w, power_most(x)),
         x->history[LIVE_POWER], false},
        {"clock", of_most(g, l->clock_mhz, peak_clock(x), "MHz"), share(l->clock_mhz, peak_clock(x)),
         x->history[LIVE_CLOCK], false},
        {"heat", with_unit(g, l->temperature_c, "C"), (double)NAN, x->history[LIVE_HEAT], false},
        {"links", arena_printf(g->arena, "%s%s", links, processes), (double)NAN, NULL, narrow_link}};
    int columns = abreast(at.width), width = at.width / columns;
    for (int i = 0; i < PICTURES; i++) {
        Rect cell = {at.x + i % columns * width, at.y + i / columns, width, 1};
        draw_picture(g, cell, &pictures[i]);
    }
}

// What the catalog says it should do, and what a power limit below the board's own leaves of that.
static const char *should_text(Grid *g, const LiveGpu *x, const TuiHost *host) {
    const Gpu *c = x->gpu;
    if (c == NULL) return "the catalog does not know which GPU this is";
    const char *text = arena_printf(
        g->arena, "%s should do: %s, %s, %s bf16", c->sku_id, with_unit(g, c->board_power_w, "W"),
        with_unit(g, c->memory_bw_gb_s, "GB/s"), with_unit(g, c->bf16_tflops, "TFLOPS"));
    double limit = x->line.power_limit_w;
    double left = is_known(limit) && limit < c->board_power_w && host->capped_clock != NULL
                      ? host->capped_clock(host->self, c, limit)
                      : (double)NAN;
    if (!is_known(left)) return text;
    const char *costs = x->served[0] != '\0' && is_known(x->share_left)
                            ? arena_printf(g->arena, "costs about %.0f %% of the tok/s of %s, ",
                                           (1 - x->share_left) * 100, x->served)
                            : "";
    return arena_printf(g->arena, "the limit of %.0f W %sleaves %.0f %% of its arithmetic; %s", limit, costs,
                        left * 100, text);
}

static void draw_gpu(Grid *g, Rect at, const LiveGpu *x, size_t i, const TuiHost *host) {
    grid_printf(g, at.x, at.y, LABEL, style_of(x), "gpu%zu", i);
    int to = at.x + LABEL +
             grid_printf(g, at.x + LABEL, at.y, at.width - LABEL, style_of(x), "%s %s",
                         x->device.vendor == VENDOR_NVIDIA ? "N" : "A", name_of(x));
    to += 2 + grid_text(g, to + 2, at.y, at.width - (to + 2 - at.x), STYLE_DIM, x->device.driver);
    grid_text(g, to + 2, at.y, at.width - (to + 2 - at.x), STYLE_WARN, words_of_gpu(x));
    draw_pictures(g, (Rect){at.x, at.y + 1, at.width, at.height - 2}, x);
    grid_text(g, at.x + LABEL, at.y + at.height - 1, at.width - LABEL, STYLE_DIM, should_text(g, x, host));
}

// ---------------------------------------------------------------- all of them

static int host_rows(const LiveHost *h, int gpu_rows) {
    bool headed = h->name[0] != '\0' || h->why[0] != '\0';
    return (headed ? 1 : 0) + (int)h->n * gpu_rows;
}

static void draw_host(Grid *g, Rect at, const LiveHost *h, int gpu_rows, const TuiHost *host) {
    int y = at.y;
    if (h->name[0] != '\0' || h->why[0] != '\0') {
        int used = grid_text(g, at.x, y, at.width, STYLE_TITLE, h->name);
        const char *said = h->why[0] != '\0' ? h->why
                           : !h->headed      ? "asked through ssh ..."
                           : h->n == 0       ? "no GPU of NVIDIA or AMD"
                                             : "";
        grid_text(g, at.x + used + (used > 0 ? 2 : 0), y++, at.width - used - 2,
                  h->why[0] != '\0' ? STYLE_BAD : STYLE_DIM, said);
    }
    for (size_t i = 0; i < h->n && y < at.y + at.height; i++) {
        Rect row = {at.x, y, at.width, gpu_rows};
        if (gpu_rows > 1) draw_gpu(g, row, &h->gpus[i], i, host);
        if (gpu_rows == 1) draw_line(g, row, &h->gpus[i], i);
        y += row.height;
    }
}

int live_draw(const Live *l, const TuiHost *host, Grid *g, Rect at, int rows_most) {
    int rows = 0, gpu_rows = picture_rows(at.width);
    for (size_t i = 0; i < l->n; i++) rows += host_rows(&l->hosts[i], gpu_rows);
    if (rows > rows_most) gpu_rows = 1;
    rows = 0;
    for (size_t i = 0; i < l->n; i++) {
        int own = host_rows(&l->hosts[i], gpu_rows);
        int left = at.height - rows;
        if (left > 0)
            draw_host(g, (Rect){at.x, at.y + rows, at.width, own < left ? own : left}, &l->hosts[i], gpu_rows,
                      host);
        rows += own;
    }
    return rows < rows_most ? rows : rows_most;
}
