// Several GPUs of one vendor in `bench`: a worker for all of them, copies of each pair, sums over all, and
// how pairs are shown.
#include <math.h>
#include <string.h>

#include "cli/bench.h"

enum { EACH_PAIR_MAX = 16 };  // above, copies between neighbours alone: pairs go with the square

typedef struct GroupBench {
    App *app;
    const BenchPlan *plan;
    const BenchMember *members[BENCH_GROUP_MAX];
    size_t n, failures;
    BenchDevice *device;
    BenchWorker worker;
    BenchRequest request;
    BenchRun *run;
} GroupBench;

static bool any_asked(const BenchPlan *p) {
    bool any = false;
    for (TestId i = TEST_GROUP; i < TEST_COUNT; i++) any = any || p->asked[i];
    return any;
}

static size_t pairs_of(size_t n, bool both_ways) {
    size_t pairs = n <= EACH_PAIR_MAX ? n * (n - 1) / 2 : n;
    return both_ways ? pairs : 2 * pairs;
}

size_t bench_groups_steps(const BenchPlan *p, size_t n) {
    size_t steps = 0;
    for (TestId i = TEST_GROUP; i < TEST_COUNT; i++) {
        if (p->asked[i])
            steps += n >= 2 && test_group(i)->of_pair ? pairs_of(n, test_group(i)->both_ways) : 1;
    }
    return steps;
}

size_t bench_groups_room(size_t n) {
    size_t room = 0;
    for (TestId i = TEST_GROUP; i < TEST_COUNT; i++)
        room += test_group(i)->of_pair ? n * (EACH_PAIR_MAX - 1) : 2;
    return room;
}

// ---------------------------------------------------------------- opening

static bool open_group(GroupBench *b, const char **ret_how, Err *e) {
    App *app = b->app;
    BenchTarget *targets = arena_alloc(&app->arena, b->n, sizeof *targets);
    BenchGroupAbout about;
    for (size_t i = 0; i < b->n; i++)
        targets[i] = bench_target(app, b->members[i]->gpu, b->members[i]->device);
    BenchGroupTarget t = {b->device->id, targets, b->n, 0, 0};
    if (!worker_start(&b->worker, e) ||
        !worker_open_group(&b->worker, &t, b->plan->deadline_s, b->plan->stop, &app->arena, &about, e)) {
        worker_stop(&b->worker);
        return false;
    }
    *ret_how = arena_printf(&app->arena, "%s, by %s; %s", about.path, about.library, about.collectives);
    return true;
}

// After a test that failed. False: they cannot be opened together any more.
static bool reopen(GroupBench *b) {
    const char *how = "";
    Err e = {0};
    worker_stop(&b->worker);
    if (open_group(b, &how, &e)) return true;
    b->device->state = "failed";
    b->device->why =
        arena_printf(&b->app->arena, "after a failed test they cannot be opened again: %s", e.text);
    return false;
}

// ---------------------------------------------------------------- pairs beside each other

// The median of all pairs of that test that are joined as `like` is; NaN where there are too few to say what
// is usual.
static double usual_pair(App *app, const BenchRun *run, size_t first, const BenchResult *like) {
    enum { FEW = 4 };
    double *figures = arena_alloc(&app->arena, run->n_results, sizeof *figures);
    size_t n = 0;
    for (size_t i = first; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        if (strcmp(r->test, like->test) == 0 && strcmp(r->path, like->path) == 0 && r->verified)
            figures[n++] = r->median;
    }
    return n >= FEW ? bench_percentile(figures, n, 0.5) : (double)NAN;
}

// One link that is slower than its likes, of results from `first` on.
static void warn_of_slow_pairs(App *app, const BenchRun *run, size_t first) {
    const double noticeable = 0.85;
    for (size_t i = first; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        double usual = bench_is_pair(r) && r->verified ? usual_pair(app, run, first, r) : (double)NAN;
        if (!(r->median < noticeable * usual)) continue;
        app_warn(app, "%s %s: %.4g GB/s, %.0f %% of what pairs joined alike reach here (%.4g): see that link",
                 r->test, r->device, r->median, 100 * r->median / usual, usual);
    }
}

// ---------------------------------------------------------------- measuring

// Whole boards of one kind have figures to be held against.
static VerdictBasis basis_of(const GroupBench *b) {
    VerdictBasis basis = b->members[0]->basis;
    for (size_t i = 0; i < b->n; i++) {
        const VerdictBasis *other = &b->members[i]->basis;
        if (basis.gpu == NULL || other->gpu == NULL || strcmp(other->gpu->sku_id, basis.gpu->sku_id) != 0 ||
            other->share != 1)
            basis.gpu = NULL;
    }
    return basis;
}

// One test of the whole group, or of the pair in the request. False: they are of no further use.
static bool test_one(GroupBench *b, TestId id, const char *who) {
    enum { FAILURES_MAX = 3 };
    App *app = b->app;
    const GroupTest *t = test_group(id);
    BenchResult r;
    Err e = {0};
    b->request.test = id;
    app_step(app, b->run->n_results, test_name(id));
    bench_progress(app, arena_printf(&app->arena, "%s: %s ...", who, test_name(id)));
    bool ok = worker_ask(&b->worker, &b->request, b->plan->deadline_s, b->plan->stop, &app->arena, &r, &e);
    if (!ok && *b->plan->stop != 0) return false;
    if (!ok) r = bench_failed(app, id, who, e.text);
    r.device = who;
    r.gpu_count = t->of_pair ? 2 : (double)b->n;
    VerdictBasis basis = basis_of(b);
    if (ok) verdict_fill_group(&basis, &app->arena, &r);
    if (ok && t->of_pair) verdict_possible(&basis, &app->arena, &r);
    b->run->results[b->run->n_results++] = r;
    if (ok) return true;
    if (++b->failures < FAILURES_MAX && !b->worker.hung) return reopen(b);
    b->device->state = "failed";
    b->device->why = b->worker.hung ? "a test hung: the others were left out"
                                    : "three tests failed: the others were left out";
    return false;
}

static bool test_pairs(GroupBench *b, TestId id) {
    bool both = test_group(id)->both_ways, usable = true;
    for (size_t i = 0; usable && i < b->n; i++) {
        for (size_t k = 0; usable && k < b->n && *b->plan->stop == 0; k++) {
            bool neighbours = k == (i + 1) % b->n || i == (k + 1) % b->n;
            if (k == i || (both && k < i) || (b->n > EACH_PAIR_MAX && !neighbours)) continue;
            b->request.from = i;
            b->request.to = k;
            usable = test_one(b, id,
                              arena_printf(&b->app->arena, "%s%s%s", b->members[i]->device->id,
                                           both ? "+" : ">", b->members[k]->device->id));
        }
    }
    return usable;
}

static const char *name_of(App *app, const GroupBench *b) {
    const char *first = b->members[0]->device->name;
    for (size_t i = 1; i < b->n; i++) {
        if (strcmp(b->members[i]->device->name, first) != 0)
            return arena_printf(&app->arena, "%zu GPUs together", b->n);
    }
    return arena_printf(&app->arena, "%zu x %s together", b->n, first);
}

static void run_group(GroupBench *b) {
    App *app = b->app;
    BenchDevice *d = &b->run->devices[b->run->n_devices++];
    const BenchDevice *first = b->members[0]->device;
    VerdictBasis basis = basis_of(b);
    Err e = {0};
    *d = bench_device_blank(arena_printf(&app->arena, "%zux%s", b->n, first->vendor), first->vendor,
                            name_of(app, b));
    d->sku_id = basis.gpu != NULL ? first->sku_id : "";
    d->driver = first->driver;
    d->state = "tested";
    b->device = d;
    b->request = b->plan->request;
    b->request.working_set_bytes = b->members[0]->working_set_bytes;
    for (size_t i = 1; i < b->n; i++)
        b->request.working_set_bytes = fmin(b->request.working_set_bytes, b->members[i]->working_set_bytes);
    bench_progress(app, arena_printf(&app->arena, "%s: opening them together ...", d->id));
    if (!open_group(b, &d->how, &e)) {
        d->state = "not tested";
        d->why = arena_printf(&app->arena, "%s", e.text);
        return;
    }
    if (b->n > EACH_PAIR_MAX)
        app_warn(app, "%s: of more than %d GPUs, copies between neighbours alone are measured", d->id,
                 EACH_PAIR_MAX);
    bool usable = true;
    size_t before = b->run->n_results;
    for (TestId i = TEST_GROUP; usable && i < TEST_COUNT && *b->plan->stop == 0; i++) {
        if (b->plan->asked[i]) usable = test_group(i)->of_pair ? test_pairs(b, i) : test_one(b, i, d->id);
    }
    warn_of_slow_pairs(app, b->run, before);
    worker_stop(&b->worker);
}

// ---------------------------------------------------------------- who goes together

// Named tests are answered where nothing can be measured too.
static void answer_alone(const BenchPlan *p, const char *device, const char *why, BenchRun *run) {
    for (TestId i = TEST_GROUP; p->named && i < TEST_COUNT; i++) {
        if (!p->asked[i]) continue;
        BenchResult none = bench_blank(i, device);
        none.verdict = "not supported";
        none.error = why;
        run->results[run->n_results++] = none;
    }
}

bool bench_is_alone(const BenchResult *r) {
    TestId test = 0;
    return test_find(r->test, &test) && test_group(test) != NULL &&
           strcmp(r->verdict, "not supported") == 0 && !is_known(r->gpu_count);
}

const char *bench_groups_run(App *app, const BenchPlan *p, const BenchMember *members, size_t n,
                             BenchRun *run) {
    static const int vendors[] = {VENDOR_NVIDIA, VENDOR_AMD};
    size_t groups = 0, slices = 0;
    if (!any_asked(p) || n == 0) return "";
    for (size_t v = 0; v < COUNT_OF(vendors) && *p->stop == 0; v++) {
        GroupBench b = {.app = app, .plan = p, .run = run};
        for (size_t i = 0; i < n; i++) {
            if (members[i].gpu->vendor != vendors[v]) continue;
            slices += members[i].about.mig;
            if (!members[i].about.mig && b.n < BENCH_GROUP_MAX) b.members[b.n++] = &members[i];
        }
        if (b.n < 2) continue;
        groups++;
        run_group(&b);
    }
    if (groups > 0 || *p->stop != 0) return "";
    const char *why = slices > 0 ? "MIG slices do not reach each other, and CUDA shows a process one of them"
                                 : "one GPU of its kind was tested here";
    answer_alone(p, members[0].device->id,
                 arena_printf(&app->arena, "nothing to measure between GPUs: %s", why), run);
    return arena_printf(&app->arena, "Nothing to measure between GPUs: %s.", why);
}

// ---------------------------------------------------------------- pairs as matrices

bool bench_is_pair(const BenchResult *r) {
    TestId test = 0;
    return test_find(r->test, &test) && test_group(test) != NULL && test_group(test)->of_pair &&
           is_known(r->gpu_count);
}

enum { CELL = 8 };

// The places of a pair's devices in the run; false: it is none of theirs.
static bool places_of(const BenchRun *run, const BenchResult *r, size_t *ret_from, size_t *ret_to) {
    size_t n = strcspn(r->device, ">+");
    bool from = false, to = false;
    if (r->device[n] == '\0') return false;
    for (size_t i = 0; i < run->n_devices; i++) {
        const char *id = run->devices[i].id;
        if (strlen(id) == n && strncmp(id, r->device, n) == 0) *ret_from = i, from = true;
        if (strcmp(id, r->device + n + 1) == 0) *ret_to = i, to = true;
    }
    return from && to;
}

static bool is_staged(const BenchResult *r) {
    return strncmp(r->path, BENCH_PATH_STAGED, strlen(BENCH_PATH_STAGED)) == 0;
}

static const char *cell_text(const BenchResult *r, Arena *a) {
    if (r == NULL) return "-";
    return r->verified ? arena_printf(a, "%.4g%s", r->median, is_staged(r) ? "*" : "") : r->verdict;
}

// Results of one test by the places of their devices.
typedef struct Matrix {
    const BenchResult *cells[EACH_PAIR_MAX][EACH_PAIR_MAX];
    size_t devices[EACH_PAIR_MAX], n;
    bool staged;
} Matrix;

static bool place_in(Matrix *m, size_t device, size_t *ret_place) {
    for (size_t i = 0; i < m->n; i++) {
        if (m->devices[i] == device) return *ret_place = i, true;
    }
    if (m->n == EACH_PAIR_MAX) return false;
    m->devices[m->n] = device;
    *ret_place = m->n++;
    return true;
}

// False: there are none, or more than one screen's worth.
static bool gather(const BenchRun *run, const char *test, Matrix *m) {
    *m = (Matrix){.n = 0};
    for (size_t i = 0; i < run->n_results; i++) {
        const BenchResult *r = &run->results[i];
        size_t from = 0, to = 0, row = 0, column = 0;
        if (strcmp(r->test, test) != 0 || !bench_is_pair(r)) continue;
        if (!places_of(run, r, &from, &to) || !place_in(m, from, &row) || !place_in(m, to, &column))
            return false;
        m->cells[row][column] = r;
        if (strchr(r->device, '+') != NULL) m->cells[column][row] = r;
        m->staged = m->staged || is_staged(r);
    }
    return m->n > 0;
}

static void matrix_text(const Writer *w, const BenchRun *run, const Matrix *m, const char *title) {
    buf_printf(w->out, "\n%s, GB/s%s:\n%*s", title, m->staged ? " (* through the host's memory)" : "", CELL,
               "");
    for (size_t i = 0; i < m->n; i++) buf_printf(w->out, "%*s", CELL, run->devices[m->devices[i]].id);
    for (size_t i = 0; i < m->n; i++) {
        buf_printf(w->out, "\n%-*s", CELL, run->devices[m->devices[i]].id);
        for (size_t k = 0; k < m->n; k++)
            buf_printf(w->out, "%*s", CELL, cell_text(m->cells[i][k], w->arena));
    }
    buf_puts(w->out, "\n");
}

bool bench_pairs_text(const Writer *w, const BenchRun *run) {
    Matrix one, both;
    bool has_one = gather(run, group_table[GROUP_PEER_COPY].name, &one),
         has_both = gather(run, group_table[GROUP_PEER_BOTH].name, &both);
    size_t widest = has_one && one.n > both.n ? one.n : both.n;
    if ((!has_one && !has_both) || (widest + 1) * CELL > writer_columns(w)) return false;
    if (has_one) matrix_text(w, run, &one, "Copies from the row's GPU to the column's");
    if (has_both) matrix_text(w, run, &both, "Copies both ways at once, the sum of both");
    return true;
}
