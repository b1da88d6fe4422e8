// One GPU in `bench` and `doctor`: its worker, its tests, its verdicts.
#include <math.h>
#include <string.h>

#include "cli/bench.h"

// ---------------------------------------------------------------- opening

BenchTarget bench_target(App *app, const GpuDevice *g, const BenchDevice *d) {
    return (BenchTarget){.id = d->id,
                         .api = g->vendor == VENDOR_AMD ? "hip" : "cuda",
                         .pci = g->pci_address,
                         .part = (double)g->part,
                         .parts = (double)g->parts,
                         .gfx = gfx_name(&app->arena, g->gfx_target_version)};
}

// What the driver added to what sysfs said: "132 multiprocessors, sm_80, PTX 7.0, by libcuda.so.1 of CUDA
// 12.4, power limit ..."
static const char *how_text(App *app, const BenchDevice *d, const BenchAbout *about) {
    Buf b;
    buf_init(&b, 4096);
    buf_printf(&b, "%s%s%s by %s", d->how, d->how[0] != '\0' ? ", " : "", about->code, about->library);
    if (about->mig)
        buf_printf(
            &b,
            ", MIG slice of %.0f multiprocessors and %.0f GiB: not comparable with figures of the whole GPU",
            about->units, about->memory_bytes / 1073741824);
    if (about->power_limit_w < about->power_default_w)
        buf_printf(&b, ", power limit %.0f W of %.0f W", about->power_limit_w, about->power_default_w);
    if (about->ecc_on == 0) buf_puts(&b, ", ECC off");
    if (about->ecc_errors > 0) buf_printf(&b, ", %.0f uncorrected memory errors", about->ecc_errors);
    if (about->link_width < about->link_width_max && !text_contains(d->how, "PCIe x"))
        buf_printf(&b, ", PCIe x%.0f of x%.0f", about->link_width, about->link_width_max);
    if (about->unread[0] != '\0') buf_printf(&b, ", %s", about->unread);
    return buf_take(&b, &app->arena);
}

bool bench_gpu_open(App *app, const GpuDevice *g, BenchDevice *d, double deadline_s,
                    const volatile sig_atomic_t *stop, BenchWorker *w, BenchAbout *ret_about) {
    BenchTarget t = bench_target(app, g, d);
    Err e = {0};
    d->state = "not tested";
    if (g->missing[0] != '\0') {
        d->why = g->missing;
        return false;
    }
    if (!worker_start(w, &e) || !worker_open(w, &t, deadline_s, stop, &app->arena, ret_about, &e)) {
        d->why = arena_printf(&app->arena, "%s", e.text);
        worker_stop(w);
        return false;
    }
    if (ret_about->name[0] != '\0') d->name = ret_about->name;
    if (d->sku_id[0] == '\0') d->sku_id = app_gpu_named(app, g, d->name);
    return true;
}

void bench_gpu_look(App *app, const GpuDevice *g, BenchDevice *d) {
    static const volatile sig_atomic_t never = 0;
    const double seconds = 30;
    BenchWorker w = {0};
    BenchAbout about;
    if (!bench_gpu_open(app, g, d, seconds, &never, &w, &about)) return;
    worker_stop(&w);
    d->how = how_text(app, d, &about);
    d->why = "its driver opens and takes the kernels; `gpuadvise bench` tests it";
}

// ---------------------------------------------------------------- whose figures it is held against

static VerdictBasis basis_of(App *app, const BenchDevice *d) {
    VerdictBasis b = {.share = (double)NAN};
    Catalog *c = NULL;
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    if (d->sku_id[0] == '\0') return b;
    if (!app_catalog(app, &c, &e) || !catalog_rows(c, TABLE_GPUS, &app->arena, &rows, &n, &e) ||
        !catalog_healthy(c, &app->arena, &b.healthy, &b.n_healthy, &e)) {
        app_warn(app, "%s: no figures to hold it against: %s", d->id, e.text);
        return b;
    }
    const Gpu *gpus = rows;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(gpus[i].sku_id, d->sku_id) == 0) b.gpu = &gpus[i];
    }
    b.gpus = gpus;
    b.n_gpus = n;
    return b;
}

// ---------------------------------------------------------------- measuring

// Of a slice the whole GPU is read: its neighbours' work is not the slice's. Where processes are counted and
// there are none the GPU is idle, whatever its utilization says: NVML's stays at 100 % on some.
static bool is_busy(const BenchAbout *about) {
    const double idle_pct = 10;
    if (about->mig) return false;
    return is_known(about->other_processes) ? about->other_processes > 0 : about->busy_pct > idle_pct;
}

static const char *busy_text(App *app, const BenchAbout *about) {
    if (about->other_processes > 0) {
        return arena_printf(&app->arena, "%.0f other process%s computing on it", about->other_processes,
                            about->other_processes == 1 ? " is" : "es are");
    }
    return arena_printf(&app->arena, "others keep it %.0f %% busy", about->busy_pct);
}

// What decides later whether its figures may stand for the datasheet, and whose they are.
static void note_device(GpuBench *b) {
    BenchDevice *d = b->device;
    const BenchAbout *about = &b->about;
    d->share = b->basis.share;
    d->part = !(d->share < 1)     ? ""
              : about->mig        ? BENCH_PART_MIG
              : b->gpu->parts > 1 ? BENCH_PART_PARTITION
                                  : BENCH_PART_DIE;
    // who works on this slice is not told from who works on others
    d->shared = about->mig ? (double)NAN : b->basis.shared;
    d->power_limit_w = about->power_limit_w;
    d->power_default_w = about->power_default_w;
    d->ecc_errors = about->ecc_errors;
    d->ecc_corrected = about->ecc_corrected;
    d->rows_pending = about->rows_pending;
    d->code = about->code;
    d->uuid = about->uuid;
    d->serial = about->serial;
    d->vbios = about->vbios;
}

// Working set, basis of verdicts, what to say of the device. False: it is in use.
static bool prepare(GpuBench *b) {
    App *app = b->app;
    BenchDevice *d = b->device;
    const double mib = 1048576;
    b->basis = basis_of(app, d);
    b->basis.memory_share = b->gpu->parts > 1 ? 1 : (double)NAN;
    b->basis.share = device_share(b->basis.gpu, (double)b->gpu->parts, b->about.mig, b->about.memory_bytes);
    b->basis.shared = is_busy(&b->about);
    if (b->basis.shared && !b->plan->shared) {
        d->why = arena_printf(&app->arena,
                              "%s: its figures would be of a shared GPU; --shared measures all the same",
                              busy_text(app, &b->about));
        return false;
    }
    if (b->basis.shared)
        app_warn(app, "%s: %s: figures are of a shared GPU", d->id, busy_text(app, &b->about));
    // The driver may not count the cache in front of the memory; the catalog's figure does.
    double cache = b->about.cache_bytes,
           listed = b->basis.gpu != NULL ? b->basis.gpu->cache_mb * 1e6 : (double)NAN;
    if (listed > cache || !is_known(cache)) cache = listed;
    double bytes = b->plan->working_set_given ? b->plan->request.working_set_bytes
                                              : bench_working_set(cache, b->about.free_bytes, false);
    b->basis.in_cache = cache * 4 > bytes;
    if (b->basis.in_cache)
        app_warn(app,
                 "%s: a working set of %.0f MiB is under 4 x the last-level cache (%.1f MiB): these are "
                 "figures of the cache",
                 d->id, bytes / mib, cache / mib);
    note_device(b);
    b->request = b->plan->request;
    b->request.working_set_bytes = bytes;
    b->request.sized = b->plan->working_set_given;
    d->memory = arena_printf(
        &app->arena, "%.0f MiB%s", bytes / mib,
        is_known(cache) ? arena_printf(&app->arena, ", last-level cache %.1f MiB", cache / mib) : "");
    d->how = how_text(app, d, &b->about);
    return true;
}

// After a test that failed the worker is started again: its context may be broken. False: the device cannot
// be opened any more.
static bool reopen(GpuBench *b) {
    BenchDevice again = *b->device;
    worker_stop(&b->worker);
    if (bench_gpu_open(b->app, b->gpu, &again, b->plan->deadline_s, b->plan->stop, &b->worker, &b->about))
        return true;
    b->device->state = "failed";
    b->device->why =
        arena_printf(&b->app->arena, "after a failed test it cannot be opened again: %s", again.why);
    return false;
}

static bool has_library(const GpuBench *b, TestId id) {
    const Kernel *k = test_kernel(id);
    return k != NULL && strncmp(k->name, "gemm-", 5) == 0 && !b->request.check_only;
}

// The vendor's library beside a product of ours: its failure takes nothing away but a worker. False: that
// cannot be opened again.
static bool add_library(GpuBench *b, BenchResult *own) {
    BenchResult library;
    BenchRequest r = b->request;
    Err e = {0};
    Shape timed;
    r.ceiling = true;
    if (shape_read(test_kernel(r.test), own->shape, &timed)) r.side = timed.d[0];
    if (worker_ask(&b->worker, &r, b->plan->deadline_s, b->plan->stop, &b->app->arena, &library, &e)) {
        own->library = library.library;
        own->library_ceiling = library.library_ceiling;
        if (own->throttle[0] == '\0') own->throttle = library.throttle;
        if (library.library[0] != '\0' && !library.verified)
            app_warn(b->app, "%s of %s on %s: %s", own->test, library.library, b->device->id, library.error);
        return true;
    }
    if (*b->plan->stop != 0) return true;
    app_warn(b->app, "%s on %s: no library figure beside it: %s", own->test, b->device->id, e.text);
    return reopen(b);
}

// One test. False: the device is of no further use.
static bool test_one(GpuBench *b, TestId id, BenchRun *run) {
    enum { FAILURES_MAX = 3 };
    App *app = b->app;
    BenchResult r;
    Err e = {0};
    b->request.test = id;
    app_step(app, run->n_results, test_name(id));
    bench_progress(app, arena_printf(&app->arena, "%s: %s ...", b->device->id, test_name(id)));
    bool ok = worker_ask(&b->worker, &b->request, b->plan->deadline_s, b->plan->stop, &app->arena, &r, &e);
    if (!ok && *b->plan->stop != 0) return false;
    if (!ok) r = bench_failed(app, id, b->device->id, e.text);
    r.device = b->device->id;
    if (test_kernel(id) != NULL && test_kernel(id)->kind == KIND_BANDWIDTH) r.in_cache = b->basis.in_cache;
    bool usable = !ok || !r.verified || !has_library(b, id) || add_library(b, &r);
    if (ok) verdict_fill(&b->basis, &b->about, &app->arena, &r);
    if (ok) verdict_possible(&b->basis, &app->arena, &r);
    run->results[run->n_results++] = r;
    if (ok) return usable;
    size_t failures = 0;
    for (size_t i = 0; i < run->n_results; i++)
        failures += strcmp(run->results[i].device, b->device->id) == 0 &&
                    strcmp(run->results[i].verdict, "failed") == 0;
    if (failures < FAILURES_MAX && !b->worker.hung) return reopen(b);
    b->device->state = "failed";
    b->device->why = b->worker.hung ? "a test hung: the others were left out"
                                    : "three tests failed: the others were left out";
    return false;
}

bool bench_gpu_begin(App *app, const BenchPlan *p, const GpuDevice *g, BenchDevice *d, GpuBench *ret_bench) {
    *ret_bench = (GpuBench){.app = app, .plan = p, .gpu = g, .device = d};
    bench_progress(app, arena_printf(&app->arena, "%s: opening its driver ...", d->id));
    if (!bench_gpu_open(app, g, d, p->deadline_s, p->stop, &ret_bench->worker, &ret_bench->about))
        return false;
    if (!prepare(ret_bench)) return false;
    d->state = "tested";
    return true;
}

bool bench_gpu_run(App *app, const BenchPlan *p, const GpuDevice *g, BenchDevice *d, BenchRun *run,
                   BenchMember *ret_member) {
    GpuBench b;
    if (bench_gpu_begin(app, p, g, d, &b)) {
        for (TestId i = 0; i < TEST_GROUP && *p->stop == 0; i++) {
            if (p->asked[i] && !test_one(&b, i, run)) break;
        }
    }
    worker_stop(&b.worker);
    *ret_member = (BenchMember){g, d, b.about, b.basis, b.request.working_set_bytes};
    return strcmp(d->state, "tested") == 0;
}
