// The GPUs of this machine and of others: starting, reading, stopping what tells of them.
#include "tui/live.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ANSWER_MOST = 64 * 1024, LINE_MOST = 400 };

// Letters, digits and what else stands in names and addresses; never a leading "-", which ssh takes for an option.
static bool is_host(Str name) {
    if (name.length == 0 || name.length > 200 || name.data[0] == '-') return false;
    for (size_t i = 0; i < name.length; i++) {
        char c = char_lower(name.data[i]);
        bool good =
            (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c != '\0' && strchr("._-@:%", c) != NULL);
        if (!good) return false;
    }
    return true;
}

bool live_hosts_check(const char *hosts, Err *e) {
    Str rest = str_of(hosts);
    Str name;
    size_t n = 0;
    while (hosts[0] != '\0' && str_next(&rest, ',', &name)) {
        name = str_trim(name);
        if (!is_host(name))
            return err_set(e, ERR_USAGE, "'%.*s' is no name of a host",
                           (int)(name.length < 80 ? name.length : 80), name.data);
        if (++n > LIVE_HOSTS_MAX) return err_set(e, ERR_USAGE, "more than %d hosts", LIVE_HOSTS_MAX);
    }
    return true;
}

static void start_host(LiveHost *h, Str name) {
    Err e = {0};
    *h = (LiveHost){.name = arena_copy(&h->arena, name.data, name.length)};
    job_init(&h->job);
    h->name = arena_copy(&h->arena, name.data, name.length);
    // nobody can answer what ssh might ask: the screen has the terminal
    const char *const here[] = {SENSORS_WORD};
    const char *const there[] = {"ssh", "-o",    "BatchMode=yes", "-o",        "ConnectTimeout=10",
                                 "--",  h->name, "gpuadvise",     SENSORS_WORD};
    bool ok = name.length == 0
                  ? job_start(&h->job, JOB_SENSORS, here, COUNT_OF(here), 0, &e)
                  : job_start_program(&h->job, JOB_SENSORS, there, COUNT_OF(there), ANSWER_MOST, &e);
    h->ended = !ok;
    if (!ok) snprintf(h->why, sizeof h->why, "%s", e.text);
}

void live_start(Live *l, const char *hosts) {
    Str rest = str_of(hosts);
    Str name;
    live_stop(l);
    if (hosts[0] == '\0') {
        start_host(&l->hosts[l->n++], rest);
        return;
    }
    while (l->n < LIVE_HOSTS_MAX && str_next(&rest, ',', &name))
        start_host(&l->hosts[l->n++], str_trim(name));
}

void live_stop(Live *l) {
    for (size_t i = 0; i < l->n; i++) {
        job_free(&l->hosts[i].job);
        arena_free(&l->hosts[i].arena);
    }
    l->n = 0;
}

// ---------------------------------------------------------------- reading

static void take_head(LiveHost *h, size_t n) {
    h->gpus = arena_alloc(&h->arena, n + 1, sizeof *h->gpus);
    h->n = n;
    h->headed = true;
    for (size_t i = 0; i < n; i++) {
        h->gpus[i].device = (GpuDevice){.name = "", .driver = "", .pci_device = "", .missing = ""};
        h->gpus[i].device.memory_gib = (double)NAN;
        for (int f = 0; f < LIVE_FIGURES; f++) {
            for (int k = 0; k < LIVE_SECONDS; k++) h->gpus[i].history[f][k] = (double)NAN;
        }
    }
}

static void remember(LiveGpu *g) {
    const SensorLine *x = &g->line;
    const double now[LIVE_FIGURES] = {[LIVE_BUSY] = x->busy_pct,
                                      [LIVE_MEMORY] = x->memory_used_gib,
                                      [LIVE_POWER] = x->power_w,
                                      [LIVE_CLOCK] = x->clock_mhz,
                                      [LIVE_HEAT] = x->temperature_c};
    for (int f = 0; f < LIVE_FIGURES; f++) {
        memmove(g->history[f], g->history[f] + 1, (LIVE_SECONDS - 1) * sizeof(double));
        g->history[f][LIVE_SECONDS - 1] = now[f];
    }
}

// Texts of a device that live as long as the host.
static GpuDevice kept(const GpuDevice *device, Arena *a) {
    GpuDevice d = *device;
    const char **const texts[] = {&d.pci_address, &d.pci_device, &d.pci_subsystem, &d.pci_revision,
                                  &d.name,        &d.driver,     &d.partition,     &d.missing};
    for (size_t k = 0; k < COUNT_OF(texts); k++) *texts[k] = arena_copy(a, *texts[k], strlen(*texts[k]));
    return d;
}

static void describe(LiveHost *h, size_t number, const GpuDevice *device) {
    if (number >= h->n || h->gpus[number].described) return;
    h->gpus[number].device = kept(device, &h->arena);
    h->gpus[number].described = true;
}

void live_expect(LiveHost *h, const GpuDevice *gpus, size_t n) {
    take_head(h, n);
    for (size_t i = 0; i < n; i++) describe(h, i, &gpus[i]);
}

static void take_figures(LiveGpu *g, const SensorLine *figures) {
    snprintf(g->words, sizeof g->words, "%.*s", (int)figures->words.length, figures->words.data);
    text_scrub(g->words);
    g->line = *figures;
    g->line.words = (Str){NULL, 0};
    g->seen = true;
    remember(g);
}

static void take_line(LiveHost *h, const char *text) {
    Str line = str_of(text);
    SensorLine figures;
    GpuDevice device;
    Arena a = {0};
    size_t n = 0;
    if (!h->headed) {
        if (sensor_head_read(line, &n)) take_head(h, n);
        if (!h->headed && h->why[0] == '\0')
            snprintf(h->why, sizeof h->why, "says no figures of GPUs, or another version of gpuadvise does");
    } else if (sensor_device_read(line, &a, &n, &device)) {
        describe(h, n, &device);
    } else if (sensor_line_read(line, &figures) && figures.gpu < h->n) {
        take_figures(&h->gpus[figures.gpu], &figures);
    }
    arena_free(&a);
}

// The last line that it wrote on standard error, else how it ended.
static void say_ended(LiveHost *h) {
    Str rest = {h->job.errors.data, h->job.errors.length};
    Str line, last = {"", 0};
    while (rest.length > 0 && str_next(&rest, '\n', &line)) {
        if (str_trim(line).length > 0) last = str_trim(line);
    }
    if (last.length > 0 && h->name[0] != '\0') {
        snprintf(h->why, sizeof h->why, "%.*s", (int)(last.length < 150 ? last.length : 150), last.data);
    } else if (h->job.code < 0) {
        snprintf(h->why, sizeof h->why, "the process that reads the GPUs was ended by signal %d",
                 h->job.signal);
    } else if (h->job.code > 0 || !h->headed || h->n > 0) {
        snprintf(h->why, sizeof h->why, "the process that reads the GPUs ended with exit code %d",
                 h->job.code);
    }
    text_scrub(h->why);
    h->ended = true;
    for (size_t i = 0; i < h->n; i++) h->gpus[i].seen = false;
}

static bool read_host(LiveHost *h) {
    char text[LINE_MOST];
    size_t seen = 0;
    bool ended = !h->ended && job_read(&h->job);
    while (job_line(&h->job, text, sizeof text)) take_line(h, text);
    // what fills its room without the end of a line is no answer of ours
    if (h->job.answer.length + 1 >= h->job.answer.limit) h->job.answer.length = 0;
    if (ended) say_ended(h);
    for (size_t i = 0; i < h->n; i++) seen += h->gpus[i].seen;
    return h->ended || (h->headed && seen == h->n);
}

bool live_read(Live *l) {
    bool all = true;
    for (size_t i = 0; i < l->n; i++) all = read_host(&l->hosts[i]) && all;
    return all;
}

void live_forget(Live *l) {
    for (size_t i = 0; i < l->n; i++) {
        for (size_t k = 0; k < l->hosts[i].n; k++) {
            l->hosts[i].gpus[k].gpu = NULL;
            l->hosts[i].gpus[k].looked_up = false;
        }
    }
}

static void look_up_limit(LiveGpu *g, const TuiHost *host, const Advice *advice) {
    g->share_left = (double)NAN;
    g->served[0] = '\0';
    double limit = g->line.power_limit_w;
    if (g->gpu == NULL || advice == NULL || host->share_under == NULL || !(limit < g->gpu->board_power_w))
        return;
    for (size_t i = 0; i < advice->n_all; i++) {
        if (strcmp(advice->all[i].gpu->sku_id, g->gpu->sku_id) != 0) continue;
        g->share_left = host->share_under(host->self, advice->ask, &advice->all[i], limit);
        snprintf(g->served, sizeof g->served, "%s", advice->ask->workload.workload_id);
        return;
    }
}

void live_look_up(Live *l, const TuiHost *host, const Advice *advice) {
    for (size_t i = 0; i < l->n; i++) {
        for (size_t k = 0; k < l->hosts[i].n; k++) {
            LiveGpu *g = &l->hosts[i].gpus[k];
            if (!g->looked_up && g->described) {
                g->looked_up = true;
                g->gpu = host->gpu_of != NULL ? host->gpu_of(host->self, &g->device) : NULL;
            }
            look_up_limit(g, host, advice);
        }
    }
}
