// Several GPUs opened together: who reaches whom, over what.
#include "kernels/peer.h"

#include <string.h>

#include "kernels/dl.h"
#include "kernels/measure.h"

#define AT(field) offsetof(PeerTable, field)
#define CUDA_ROW(field, cuda, hip, args) {#cuda, AT(field), false},
#define HIP_ROW(field, cuda, hip, args) {#hip, AT(field), false},
#define ONE_ROW(field, symbol, args) {#symbol, AT(field), false},
#define OPTIONAL_ROW(field, symbol, args) {#symbol, AT(field), true},
static const DlSymbol cuda_symbols[] = {GPU_PEER_COMMON(CUDA_ROW) GPU_PEER_CUDA_ONLY(ONE_ROW)};
static const DlSymbol hip_symbols[] = {GPU_PEER_COMMON(HIP_ROW) GPU_PEER_HIP_ONLY(ONE_ROW)
                                           GPU_PEER_HIP_OPTIONAL(OPTIONAL_ROW)};

enum { NON_BLOCKING = 1 };

static const char *symbol_at(const PeerGroup *p, size_t offset) {
    const DlSymbol *symbols = p->api == GPU_CUDA ? cuda_symbols : hip_symbols;
    size_t n = p->api == GPU_CUDA ? COUNT_OF(cuda_symbols) : COUNT_OF(hip_symbols), i = 0;
    while (i + 1 < n && symbols[i].offset != offset) i++;
    return symbols[i].name;
}

#define CALL(p, gpu, field, ...) gpu_good((gpu), symbol_at((p), AT(field)), (p)->f.field(__VA_ARGS__), e)

// ---------------------------------------------------------------- opening

static bool open_one(PeerGroup *p, size_t i, const BenchTarget *t, const char *root, Arena *a, Err *e) {
    PeerGpu *g = &p->gpus[i];
    GpuTarget target = {
        .api = p->api, .pci = t->pci, .part = (size_t)t->part, .parts = (size_t)t->parts, .gfx = t->gfx};
    const char *unread = "";
    bool cuda = p->api == GPU_CUDA;
    telemetry_open(p->api, root, t->pci, a, &g->telemetry, &unread);
    if (!gpu_open(&target, &g->gpu, e) || !gpu_load(&g->gpu, e)) return err_wrap(e, "%s", t->id);
    for (size_t other = 0; other < i; other++) {
        if (p->gpus[other].gpu.device == g->gpu.device)
            return err_set(e, ERR_FAILED, "%s is the same device as another of the group", t->id);
    }
    if (i == 0 && !dl_fill(g->gpu.library, cuda ? cuda_symbols : hip_symbols,
                           cuda ? COUNT_OF(cuda_symbols) : COUNT_OF(hip_symbols), &p->f, e)) {
        return err_wrap(e, "%s", g->gpu.library_name);
    }
    return CALL(p, &g->gpu, stream_create, &g->stream, NON_BLOCKING) &&
           gpu_event_create(&g->gpu, &g->done, e);
}

// Lets `from` reach `to` where the driver can. A refusal is an answer; a lost device is not.
static bool allow(PeerGroup *p, size_t from, size_t to, Err *e) {
    enum { ENABLED_ALREADY = 704 };
    GpuDriver *g = &p->gpus[from].gpu;
    const GpuDriver *other = &p->gpus[to].gpu;
    int can = 0;
    Err why = {0};
    if (!CALL(p, g, can_access, &can, g->device, other->device)) return false;
    if (can == 0) return true;
    unsigned error =
        p->api == GPU_CUDA ? p->f.reach_context(other->context, 0) : p->f.reach_device(other->device, 0);
    p->gpus[from].reaches[to] = error == 0 || error == ENABLED_ALREADY;
    if (p->gpus[from].reaches[to]) return true;
    p->gpus[from].refused[to] = error;
    (void)gpu_good(g, symbol_at(p, p->api == GPU_CUDA ? AT(reach_context) : AT(reach_device)), error, &why);
    return !gpu_is_lost(g) || err_set(e, ERR_FAILED, "%s", why.text);
}

static bool allow_all(PeerGroup *p, Err *e) {
    for (size_t i = 0; i < p->n; i++) {
        if (!gpu_use(&p->gpus[i].gpu, e)) return false;
        for (size_t k = 0; k < p->n; k++) {
            if (k != i && !allow(p, i, k, e)) return false;
        }
    }
    return true;
}

// What joins all of them, where it is the same for all pairs; else results have each pair's own.
static const char *common_path(const PeerGroup *p, Arena *a) {
    size_t direct = 0, all = p->n * (p->n - 1);
    bool same = true;
    if (p->n == 1) return "what joins the processes";
    const char *first = peer_path(p, 0, 1, a);
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < p->n; k++) {
            direct += k != i && p->gpus[i].reaches[k];
            same = same && (k == i || strcmp(peer_path(p, i, k, a), first) == 0);
        }
    }
    return same ? first
                : arena_printf(a, "links of several kinds: %zu of %zu directions have peer access", direct,
                               all);
}

bool peer_open(const BenchGroupTarget *t, const char *root, Arena *a, PeerGroup *ret_group,
               BenchGroupAbout *ret_about, Err *e) {
    PeerGroup p = {.id = t->id, .n = t->n, .arena = a, .gpus = arena_alloc(a, t->n, sizeof *p.gpus)};
    p.rank = t->rank;
    p.ranks = t->ranks > 0 ? t->ranks : t->n;
    if (p.ranks < 2 || t->n < 1 || t->n > BENCH_GROUP_MAX)
        return err_set(e, ERR_FAILED, "request: a group has 2 to %d GPUs", BENCH_GROUP_MAX);
    if (!gpu_api_of(t->gpus[0].api, &p.api, e) || !cpu_open(NULL, &p.cpu, e)) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < t->n; i++) ok = open_one(&p, i, &t->gpus[i], root, a, e);
    if (!ok || !allow_all(&p, e)) {
        cpu_close(&p.cpu);
        return false;
    }
    p.path = common_path(&p, a);
    nccl_open(p.api, a, &p.nccl);
    const Nccl *l = &p.nccl;
    const char *collectives =
        l->name == NULL
            ? l->missing
            : arena_printf(a, "%s%s%s", l->name, l->version[0] != '\0' ? ", version " : "", l->version);
    *ret_about = (BenchGroupAbout){gpu_driver_text(&p.gpus[0].gpu, a), p.path, collectives};
    *ret_group = p;
    return true;
}

bool peer_is_lost(const PeerGroup *p) {
    for (size_t i = 0; i < p->n; i++) {
        if (gpu_is_lost(&p->gpus[i].gpu)) return true;
    }
    return false;
}

// ---------------------------------------------------------------- links

// As NVML knows it: NVLink, else how far up the PCIe tree the two meet.
static const char *nvidia_link(const PeerGpu *from, const PeerGpu *to, Arena *a) {
    enum { WAY_NVLINK = 2, LINKS_MAX = 36 };
    static const struct {
        unsigned level;
        const char *words;
    } levels[] = {{0, "on one board"},
                  {10, "PCIe, one switch"},
                  {20, "PCIe, several switches"},
                  {30, "PCIe, one host bridge"},
                  {40, "PCIe, host bridges of one processor"},
                  {50, "PCIe, across processors"}};
    const Telemetry *t = &from->telemetry;
    unsigned status = 1, level = 0, active = 0, links = 0;
    if (t->device == NULL || to->telemetry.device == NULL) return "";
    if (t->f.peer_status != NULL &&
        t->f.peer_status(t->device, to->telemetry.device, WAY_NVLINK, &status) == 0 && status == 0) {
        for (unsigned i = 0; t->f.nvlink != NULL && i < LINKS_MAX; i++)
            links += t->f.nvlink(t->device, i, &active) == 0 && active == 1;
        return links > 0 ? arena_printf(a, "NVLink, GPU with %u link%s", links, links == 1 ? "" : "s")
                         : "NVLink";
    }
    if (t->f.ancestor == NULL || t->f.ancestor(t->device, to->telemetry.device, &level) != 0) return "";
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        if (levels[i].level == level) return levels[i].words;
    }
    return "";
}

// As HIP knows it, by the numbers of HSA's link types.
static const char *amd_link(const PeerGroup *p, const PeerGpu *from, const PeerGpu *to, Arena *a) {
    static const char *const types[] = {"HyperTransport", "QPI", "PCIe", "InfiniBand", "xGMI"};
    uint32_t type = 0, hops = 0;
    if (p->f.link == NULL || p->f.link(from->gpu.device, to->gpu.device, &type, &hops) != 0 ||
        type >= COUNT_OF(types))
        return "";
    return arena_printf(a, "%s, %u hop%s", types[type], (unsigned)hops, hops == 1 ? "" : "s");
}

const char *peer_path(const PeerGroup *p, size_t from, size_t to, Arena *a) {
    const PeerGpu *x = &p->gpus[from], *y = &p->gpus[to];
    const char *link = p->api == GPU_CUDA ? nvidia_link(x, y, a) : amd_link(p, x, y, a);
    if (x->reaches[to]) return link[0] != '\0' ? link : "peer access, over a link that nothing here names";
    const char *why = x->refused[to] != 0 ? gpu_error_words(x->refused[to]) : "no peer access";
    return arena_printf(a, BENCH_PATH_STAGED ": %s%s%s%s", why, link[0] != '\0' ? " (" : "", link,
                        link[0] != '\0' ? ")" : "");
}

// ---------------------------------------------------------------- copies, and what waits for them

bool peer_copy(PeerGroup *p, size_t to_gpu, GpuPointer to, size_t from_gpu, GpuPointer from, size_t bytes,
               Err *e) {
    PeerGpu *x = &p->gpus[from_gpu];
    const GpuDriver *target = &p->gpus[to_gpu].gpu;
    if (p->api == GPU_CUDA)
        return CALL(p, &x->gpu, copy_contexts, to, target->context, from, x->gpu.context, bytes, x->stream);
    return CALL(p, &x->gpu, copy_devices, to, target->device, from, x->gpu.device, bytes, x->stream);
}

bool peer_mark(PeerGroup *p, size_t gpu, Err *e) {
    PeerGpu *g = &p->gpus[gpu];
    return gpu_event_record(&g->gpu, g->done, g->stream, e);
}

bool peer_wait_for(PeerGroup *p, size_t gpu, size_t other, Err *e) {
    PeerGpu *g = &p->gpus[gpu];
    return CALL(p, &g->gpu, stream_wait, g->stream, p->gpus[other].done, 0);
}

// ---------------------------------------------------------------- timing

// The slowest clock, all power, the greatest heat of those that took part.
static void note_sensors(const PeerTimed *t, const GpuState *before, Arena *a, BenchResult *r) {
    unsigned limits = 0;
    double watts = 0;
    for (size_t i = 0; i < t->n_gpus; i++) {
        GpuState now;
        telemetry_read(&t->group->gpus[t->gpus[i]].telemetry, &now);
        limits |= telemetry_limits(&before[i], &now);
        watts += now.power_w;
        if (is_known(now.clock_mhz) && !(now.clock_mhz >= r->clock_mhz)) r->clock_mhz = now.clock_mhz;
        if (is_known(now.temperature_c) && !(now.temperature_c <= r->temperature_c))
            r->temperature_c = now.temperature_c;
    }
    r->power_w = watts;
    r->throttle = limits_text(a, limits);
}

static double figure_of(const PeerTimed *t, double seconds) {
    return t->work > 0 ? t->work / seconds : seconds * 1e6;
}

bool peer_time(const PeerTimed *t, Arena *a, BenchResult *r, Err *e) {
    const BenchTimes *times = bench_times(t->quick);
    double one = 0, passed = 0, *figures = arena_alloc(a, BATCHES_MAX, sizeof *figures);
    GpuState *before = arena_alloc(a, t->n_gpus, sizeof *before);
    // the first maps pages and sets up what is slow once
    if (!t->run(t->job, 1, &one, e) || !t->run(t->job, 1, &one, e)) return false;
    r->burst = figure_of(t, one);
    size_t runs = bench_batch_runs(times, one), n = 0;
    for (size_t i = 0; i < t->n_gpus; i++) telemetry_read(&t->group->gpus[t->gpus[i]].telemetry, &before[i]);
    for (; n < BATCHES_MAX && passed < times->measure_max && (n < BATCHES_MIN || passed < times->measure);
         passed += one * (double)runs) {
        if (!t->run(t->job, runs, &one, e)) return false;
        figures[n++] = figure_of(t, one);
    }
    bench_figures(r, figures, n);
    note_sensors(t, before, a, r);
    return true;
}

bool peer_time_agreed(const PeerTimed *t, size_t batches, size_t runs, Arena *a, BenchResult *r, Err *e) {
    double one = 0, *figures = arena_alloc(a, batches, sizeof *figures);
    GpuState *before = arena_alloc(a, t->n_gpus, sizeof *before);
    // the first waits for the others, and sets up what is slow once
    if (!t->run(t->job, 1, &one, e) || !t->run(t->job, 1, &one, e)) return false;
    r->burst = figure_of(t, one);
    for (size_t i = 0; i < t->n_gpus; i++) telemetry_read(&t->group->gpus[t->gpus[i]].telemetry, &before[i]);
    for (size_t i = 0; i < batches; i++) {
        if (!t->run(t->job, runs, &one, e)) return false;
        figures[i] = figure_of(t, one);
    }
    bench_figures(r, figures, batches);
    note_sensors(t, before, a, r);
    return true;
}
