// `bench --minutes`: all GPUs of a node under load at once.
//
// Time goes by in slices. In each every GPU does the same: patterns in its memory, our own product, that of its
// vendor's library, a stream. The next slice begins when the last GPU has answered.
#include <math.h>
#include <string.h>

#include "cli/bench.h"
#include "kernels/measure.h"

enum { STEP_MEMORY, STEP_OWN, STEP_LIBRARY, STEP_STREAM, STEPS, SLICES_MAX = 4096 };

// Whichever the GPU has code for first.
static const KernelId products[] = {KERNEL_GEMM_BF16, KERNEL_GEMM_F16, KERNEL_GEMM_F32};

// The figures of one test of one GPU: a slice each.
typedef struct Series {
    BenchResult result;
    double *medians, *clocks, *watts, *ceilings;
    size_t n, n_ceilings;
    double samples;
} Series;

typedef struct Loaded {
    GpuBench bench;
    bool on;         // it answers
    bool told;       // of this slice
    size_t product;  // of `products`
    bool no_library;
    size_t side;  // of the product, once it is known
    BenchRequest request;
    Series series[STEPS];  // that of STEP_LIBRARY is unused: its figure stands beside our own
    SoakGpu sum;
    double watts;  // of the newest slice
} Loaded;

typedef struct Soak {
    App *app;
    const BenchPlan *plan;
    Loaded *gpus;
    size_t n;
    double started, slice_s;
    BenchSoak sum;
} Soak;

static double passed_s(const Soak *s) { return seconds_now() - s->started; }

// ---------------------------------------------------------------- one slice

static BenchRequest request_of(const Loaded *g, size_t step, double hold_s) {
    BenchRequest r = g->bench.request;
    r.hold_s = hold_s;
    r.seed += g->series[step].n;
    r.test = step == STEP_MEMORY   ? TEST_MEMORY
             : step == STEP_STREAM ? (TestId)KERNEL_TRIAD
                                   : (TestId)products[g->product];
    r.side = step == STEP_OWN || step == STEP_LIBRARY ? g->side : 0;
    r.ceiling = step == STEP_LIBRARY && !g->no_library;
    return r;
}

static void end_gpu(Soak *s, Loaded *g, const char *why) {
    Arena *a = &s->app->arena;
    g->on = false;
    worker_stop(&g->bench.worker);
    if (*s->plan->stop != 0) return;
    g->sum.ended = arena_printf(a, "after %.0f s, in %s: %s", passed_s(s), test_name(g->request.test), why);
    g->bench.device->state = "failed";
    g->bench.device->why = g->sum.ended;
    app_warn(s->app, "%s: %s", g->bench.device->id, g->sum.ended);
}

// The failure of a library takes nothing away but its slices.
static void end_library(Soak *s, Loaded *g, const char *why) {
    BenchDevice again = *g->bench.device;
    g->no_library = g->told = true;
    app_warn(s->app, "%s: no more products by its vendor's library: %s", g->bench.device->id, why);
    if (g->bench.worker.pid == 0 && !bench_gpu_open(s->app, g->bench.gpu, &again, s->plan->deadline_s,
                                                    s->plan->stop, &g->bench.worker, &g->bench.about))
        end_gpu(s, g, again.why);
}

static double least(double a, double b) { return b < a || !is_known(a) ? b : a; }
static double most(double a, double b) { return b > a || !is_known(a) ? b : a; }

static void add_word(Arena *a, const char **list, const char *words) {
    if (words[0] == '\0' || text_contains(*list, words)) return;
    *list = (*list)[0] != '\0' ? arena_printf(a, "%s, %s", *list, words) : words;
}

static void note_sensors(Soak *s, Loaded *g, const BenchResult *r) {
    g->sum.clock_min_mhz = least(g->sum.clock_min_mhz, r->clock_mhz);
    g->sum.power_max_w = most(g->sum.power_max_w, r->power_w);
    g->sum.temperature_max_c = most(g->sum.temperature_max_c, r->temperature_c);
    add_word(&s->app->arena, &g->sum.throttle, r->throttle);
}

static void open_series(Arena *a, Series *x, const BenchResult *r) {
    x->result = *r;
    x->medians = arena_alloc(a, SLICES_MAX, sizeof *x->medians);
    x->clocks = arena_alloc(a, SLICES_MAX, sizeof *x->clocks);
    x->watts = arena_alloc(a, SLICES_MAX, sizeof *x->watts);
    x->ceilings = arena_alloc(a, SLICES_MAX, sizeof *x->ceilings);
}

// The first that is wrong stays: what comes later takes nothing of it back.
static void add_slice(Soak *s, Series *x, const BenchResult *r) {
    Arena *a = &s->app->arena;
    if (x->medians == NULL) open_series(a, x, r);
    BenchResult *sum = &x->result;
    if (!r->verified && (sum->verified || x->n == 0)) {
        sum->verified = false;
        sum->verdict = r->verdict;
        sum->error = arena_printf(a, "after %.0f s under load: %s", passed_s(s), r->error);
    }
    sum->checked = x->n == 0 ? r->checked : sum->checked + r->checked;
    sum->max_error = most(sum->max_error, r->max_error);
    sum->max_error_of_bound = most(sum->max_error_of_bound, r->max_error_of_bound);
    sum->temperature_c = most(sum->temperature_c, r->temperature_c);
    if (x->n > 0) add_word(a, &sum->throttle, r->throttle);
    if (x->n < SLICES_MAX) {
        x->medians[x->n] = r->median;
        x->clocks[x->n] = r->clock_mhz;
        x->watts[x->n] = r->power_w;
    }
    x->samples += is_known(r->samples) ? r->samples : 0;
    x->n++;
}

static void add_library_slice(Soak *s, Loaded *g, const BenchResult *r) {
    Series *own = &g->series[STEP_OWN];
    if (r->library[0] == '\0') {
        g->no_library = true;  // our own product takes its slices from here on
        return;
    }
    own->result.library = r->library;
    if (!r->verified) {
        app_warn(s->app, "%s of %s on %s: %s", r->test, r->library, g->bench.device->id, r->error);
        g->no_library = true;
    } else if (own->n_ceilings < SLICES_MAX) {
        own->ceilings[own->n_ceilings++] = r->library_ceiling;
    }
}

// False: it has no code for this product, and is to be asked for the next.
static bool take_answer(Soak *s, Loaded *g, size_t step, const BenchResult *r) {
    Shape timed;
    if (strcmp(r->verdict, "not supported") == 0 && step != STEP_MEMORY &&
        g->product + 1 < COUNT_OF(products)) {
        g->product++;
        return false;
    }
    note_sensors(s, g, r);
    if (g->request.ceiling) {
        add_library_slice(s, g, r);
        return true;
    }
    if (step == STEP_LIBRARY) step = STEP_OWN;
    if (step == STEP_OWN && shape_read(test_kernel(g->request.test), r->shape, &timed)) g->side = timed.d[0];
    if (step == STEP_MEMORY) {
        double bytes = (double)NAN;
        if (parse_number(str_of(r->shape), 1, 1e18, &bytes, NULL))
            g->sum.memory_share = least(g->sum.memory_share, bytes / g->bench.about.memory_bytes);
        g->sum.rounds++;
    }
    add_slice(s, &g->series[step], r);
    return true;
}

// Asks those that are `told` false and waits for them all. False: one has to be asked again.
static bool ask_all(Soak *s, size_t step, double hold_s) {
    bool done = true;
    for (size_t i = 0; i < s->n; i++) {
        Loaded *g = &s->gpus[i];
        Err e = {0};
        if (!g->on || g->told) continue;
        g->request = request_of(g, step, hold_s);
        if (!worker_tell(&g->bench.worker, &g->request, &e)) end_gpu(s, g, e.text);
    }
    for (size_t i = 0; i < s->n; i++) {
        Loaded *g = &s->gpus[i];
        BenchResult r;
        Err e = {0};
        if (!g->on || g->told) continue;
        if (!worker_hear(&g->bench.worker, &g->request, hold_s + s->plan->deadline_s, s->plan->stop,
                         &s->app->arena, &r, &e)) {
            if (g->request.ceiling && *s->plan->stop == 0) {
                end_library(s, g, e.text);
            } else {
                end_gpu(s, g, e.text);
            }
            continue;
        }
        g->told = take_answer(s, g, step, &r);
        done = done && g->told;
        g->watts = r.power_w;
    }
    return done;
}

static void run_slice(Soak *s, size_t step, double hold_s) {
    double watts = 0;
    for (size_t i = 0; i < s->n; i++) s->gpus[i].told = false;
    while (!ask_all(s, step, hold_s) && *s->plan->stop == 0) continue;
    for (size_t i = 0; i < s->n; i++) watts += s->gpus[i].on ? s->gpus[i].watts : 0;
    s->sum.power_w = most(s->sum.power_w, watts);
}

// ---------------------------------------------------------------- all of them

static bool any_on(const Soak *s) {
    for (size_t i = 0; i < s->n; i++) {
        if (s->gpus[i].on) return true;
    }
    return false;
}

static void say_progress(const Soak *s) {
    Arena *a = &s->app->arena;
    double hottest = (double)NAN;
    for (size_t i = 0; i < s->n; i++) hottest = most(hottest, s->gpus[i].sum.temperature_max_c);
    const char *heat = is_known(hottest) ? arena_printf(a, ", up to %.0f C", hottest) : "";
    bench_progress(s->app, arena_printf(a, "under load: %.1f of %.1f min, %s%s", passed_s(s) / 60,
                                        s->plan->soak_s / 60, counted(a, s->n, "GPU"), heat));
}

// Each step at least once, however short the time.
static void run_slices(Soak *s) {
    const double longest_s = 30, shortest_s = 0.02;
    const size_t turns = 3;
    double asked = s->plan->soak_s;
    s->slice_s = fmax(fmin(asked / (double)(turns * STEPS), longest_s), shortest_s);
    for (size_t i = 0; *s->plan->stop == 0 && any_on(s) && (i < STEPS || passed_s(s) < asked); i++) {
        app_step(s->app, (size_t)fmin(passed_s(s), asked), "under load");
        say_progress(s);
        run_slice(s, i % STEPS, fmax(fmin(s->slice_s, asked - passed_s(s)), shortest_s));
    }
}

// What the boards say by now of their memories.
static void look_again(Soak *s, Loaded *g) {
    BenchDevice *d = g->bench.device;
    BenchAbout now;
    Err e = {0};
    const double seconds = 10;
    if (!g->on || !worker_look(&g->bench.worker, seconds, s->plan->stop, &s->app->arena, &now, &e)) return;
    g->sum.ecc_new = now.ecc_errors - d->ecc_errors;
    g->sum.ecc_corrected_new = now.ecc_corrected - d->ecc_corrected;
    d->ecc_errors = now.ecc_errors;
    d->ecc_corrected = now.ecc_corrected;
    d->rows_pending = now.rows_pending;
}

static void warn_of_memory(const Soak *s, const Loaded *g) {
    const double nearly_all = 0.9;
    if (g->sum.memory_share < nearly_all)
        app_warn(s->app, "%s: patterns could be written to %.1f %% of its memory only: the rest was in use",
                 g->sum.device, 100 * g->sum.memory_share);
}

static double median_of(const Soak *s, const double *values, size_t n, double share) {
    double *sorted = arena_alloc(&s->app->arena, n + 1, sizeof *sorted);
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_known(values[i])) sorted[known++] = values[i];
    }
    return bench_percentile(sorted, known, share);
}

static void close_series(Soak *s, Loaded *g, size_t step, BenchRun *run) {
    Series *x = &g->series[step];
    BenchResult *r = &x->result;
    size_t n = x->n < SLICES_MAX ? x->n : SLICES_MAX;
    if (n == 0) return;
    r->device = g->bench.device->id;
    r->clock_mhz = median_of(s, x->clocks, n, 0.5);
    r->power_w = median_of(s, x->watts, n, 0.5);
    r->burst = (double)NAN;
    r->median = r->verified ? median_of(s, x->medians, n, 0.5) : (double)NAN;
    r->p5 = r->verified ? median_of(s, x->medians, n, 0.05) : (double)NAN;
    r->p95 = r->verified ? median_of(s, x->medians, n, 0.95) : (double)NAN;
    r->samples = r->verified ? x->samples : (double)NAN;
    r->library_ceiling = r->verified ? median_of(s, x->ceilings, x->n_ceilings, 0.5) : (double)NAN;
    if (!is_known(r->library_ceiling)) r->library = "";
    if (step == STEP_STREAM) r->in_cache = g->bench.basis.in_cache;
    verdict_fill(&g->bench.basis, &g->bench.about, &s->app->arena, r);
    verdict_possible(&g->bench.basis, &s->app->arena, r);
    run->results[run->n_results++] = *r;
}

// ---------------------------------------------------------------- which one stands out

static bool are_alike(const Loaded *a, const Loaded *b) {
    const BenchDevice *x = a->bench.device, *y = b->bench.device;
    return strcmp(x->vendor, y->vendor) == 0 && strcmp(x->sku_id, y->sku_id) == 0 &&
           strcmp(x->name, y->name) == 0 && a->product == b->product;
}

// How far below the median of those like it, itself among them; one like it at least.
static void compare_with_like(Soak *s, Loaded *g) {
    double *values = arena_alloc(&s->app->arena, s->n, sizeof *values);
    for (size_t step = 0; step < STEPS; step++) {
        const BenchResult *own = &g->series[step].result;
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++) {
            const BenchResult *r = &s->gpus[i].series[step].result;
            if (s->gpus[i].series[step].n > 0 && r->verified && is_known(r->median) &&
                are_alike(g, &s->gpus[i]))
                values[n++] = r->median;
        }
        if (n < 2 || g->series[step].n == 0 || !is_known(own->median)) continue;
        double below = 100 * (1 - own->median / bench_percentile(values, n, 0.5));
        if (is_known(g->sum.below_pct) && below <= g->sum.below_pct) continue;
        g->sum.below_pct = below;
        g->sum.below_in = own->test;
    }
}

static void sum_up(Soak *s) {
    Arena *a = &s->app->arena;
    SoakGpu *list = arena_alloc(a, s->n + 1, sizeof *list);
    BenchSoak *sum = &s->sum;
    sum->held = "";
    sum->power_limit_w = s->n > 0 ? 0 : (double)NAN;
    for (size_t i = 0; i < s->n; i++) {
        Loaded *g = &s->gpus[i];
        compare_with_like(s, g);
        list[i] = g->sum;
        sum->power_limit_w += g->sum.power_limit_w;
        if (list[i].throttle[0] != '\0')
            sum->held = arena_printf(a, "%s%s%s by %s", sum->held, sum->held[0] != '\0' ? ", " : "",
                                     list[i].device, list[i].throttle);
        if (sum->slowest == NULL ? list[i].below_pct > 0 : list[i].below_pct > sum->slowest->below_pct)
            sum->slowest = &list[i];
        if (is_known(list[i].temperature_max_c) &&
            (sum->hottest == NULL || list[i].temperature_max_c > sum->hottest->temperature_max_c))
            sum->hottest = &list[i];
    }
    sum->gpus = list;
    sum->n_gpus = s->n;
    sum->asked_s = s->plan->soak_s;
    sum->ran_s = passed_s(s);
    sum->slice_s = s->slice_s;
}

// ---------------------------------------------------------------- from the start to the end

static void open_all(Soak *s, const GpuDevice *const *gpus, BenchRun *run) {
    double nan = (double)NAN;
    for (size_t i = 0; i < run->n_devices && *s->plan->stop == 0; i++) {
        Loaded *g = &s->gpus[s->n];
        if (gpus[i] == NULL) continue;
        bool begun = bench_gpu_begin(s->app, s->plan, gpus[i], &run->devices[i], &g->bench);
        if (!begun) {
            worker_stop(&g->bench.worker);
            continue;
        }
        g->on = true;
        g->sum = (SoakGpu){.device = run->devices[i].id,
                           .memory_share = nan,
                           .ecc_new = nan,
                           .ecc_corrected_new = nan,
                           .clock_min_mhz = nan,
                           .power_max_w = nan,
                           .temperature_max_c = nan,
                           .power_limit_w = g->bench.about.power_limit_w,
                           .throttle = "",
                           .below_pct = nan,
                           .below_in = "",
                           .ended = ""};
        s->n++;
    }
}

size_t bench_soak(App *app, const BenchPlan *p, const GpuDevice *const *gpus, BenchRun *run,
                  BenchMember *members) {
    Soak s = {.app = app, .plan = p, .gpus = arena_alloc(&app->arena, run->n_devices + 1, sizeof *s.gpus)};
    s.sum.power_w = (double)NAN;
    app->steps = (size_t)p->soak_s;
    open_all(&s, gpus, run);
    s.started = seconds_now();
    run_slices(&s);
    for (size_t i = 0; i < s.n; i++) {
        Loaded *g = &s.gpus[i];
        look_again(&s, g);
        worker_stop(&g->bench.worker);
        for (size_t step = 0; step < STEPS; step++) close_series(&s, g, step, run);
        warn_of_memory(&s, g);
        members[i] = (BenchMember){g->bench.gpu, g->bench.device, g->bench.about, g->bench.basis,
                                   g->bench.request.working_set_bytes};
    }
    sum_up(&s);
    BenchSoak *kept = arena_alloc(&app->arena, 1, sizeof *kept);
    *kept = s.sum;
    run->soak = kept;
    return s.n;
}
