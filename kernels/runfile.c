// Runs as JSON, and back from files that other machines, other versions or nobody wrote.
#include <math.h>
#include <string.h>

#include "kernels/bench.h"
#include "kernels/verify.h"

enum { DEVICES_MAX = 1024, RESULTS_MAX = 4096, ID_MAX = 64, TEXT_MAX = 4096, NAME_BYTES_MAX = 256 };
enum { RANKS_MAX = 1 << 24, ENVIRONMENT_MAX = 65536 };
static const double figure_min = 1e-9, figure_max = 1e15;  // of any unit here: nothing is that slow or fast

void bench_run_json(const BenchRun *run, Json *object) {
    json_add_text(object, "taken_at", run->taken_at);
    json_add_text(object, "measured_by", run->tool_version);
    json_add_text(object, "system", run->system);
    json_add_text(object, "options", run->options);
    json_add_bool(object, "complete", run->complete);
    bench_where_json(run, object);
    Json *devices = json_add_array(object, "devices"), *results = json_add_array(object, "results");
    for (size_t i = 0; i < run->n_devices; i++)
        bench_device_json(&run->devices[i], json_add_object(devices, NULL));
    for (size_t i = 0; i < run->n_results; i++)
        bench_result_json(&run->results[i], json_add_object(results, NULL));
}

// ---------------------------------------------------------------- what a run must be

// "2026-11-27T08:15:00Z", and no later than a day from now: clocks differ.
static bool check_time(const char *text, int64_t now, Err *e) {
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    int64_t days = 0, hours = 0, minutes = 0, seconds = 0;
    bool ok = strlen(text) == sizeof form - 1;
    for (size_t i = 0; ok && form[i] != '\0'; i++)
        ok = form[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i];
    ok = ok && parse_date((Str){text, 10}, &days, NULL) &&
         parse_integer((Str){text + 11, 2}, 0, 23, &hours, NULL) &&
         parse_integer((Str){text + 14, 2}, 0, 59, &minutes, NULL) &&
         parse_integer((Str){text + 17, 2}, 0, 59, &seconds, NULL);
    if (!ok) return err_set(e, ERR_FAILED, "taken_at is no time of the form 2026-11-27T08:15:00Z");
    if (days * DAY_S + hours * 3600 + minutes * 60 + seconds > now + DAY_S)
        return err_set(e, ERR_FAILED, "taken_at %s lies in the future", text);
    return true;
}

static bool check_device(const BenchDevice *d, const BenchDevice *before, size_t n, Err *e) {
    static const char *const vendors[] = {"cpu", "nvidia", "amd", "unknown"}, *const states[] = {
                                                                                  "tested", "not tested",
                                                                                  BENCH_NOT_ALLOCATED,
                                                                                  "failed"};
    if (d->id[0] == '\0' || strlen(d->id) > ID_MAX)
        return err_set(e, ERR_FAILED, "a device has no id, or a long one");
    if (row_named(d->id, before, n, sizeof *before) != NULL)
        return err_set(e, ERR_FAILED, "device '%s' stands twice", d->id);
    if (TABLE_ROW(d->vendor, vendors) == NULL)
        return err_set(e, ERR_FAILED, "device '%s': no vendor '%s'", d->id, d->vendor);
    if (TABLE_ROW(d->state, states) == NULL)
        return err_set(e, ERR_FAILED, "device '%s': no state '%s'", d->id, d->state);
    static const char *const kinds[] = {"", BENCH_PART_MIG, BENCH_PART_PARTITION, BENCH_PART_DIE};
    if (is_known(d->share) && !(d->share > 0 && d->share <= 1))
        return err_set(e, ERR_FAILED, "device '%s': %g of a GPU", d->id, d->share);
    if (TABLE_ROW(d->part, kinds) == NULL || (d->share < 1) != (d->part[0] != '\0'))
        return err_set(e, ERR_FAILED, "device '%s': no part '%s' of a GPU", d->id, d->part);
    return true;
}

static bool is_figure(double x) { return x >= figure_min && x <= figure_max; }

// Figures of a result that passed its checks, in the test's own unit; of one that did not, none.
static bool check_figures(const BenchResult *r, TestId test, Err *e) {
    const double speeds[] = {r->median, r->p5, r->p95, r->burst};
    if (strcmp(r->unit, test_unit(test)) != 0)
        return err_set(e, ERR_FAILED, "unit '%s', this test is measured in %s", r->unit, test_unit(test));
    if (strcmp(r->dtype, test_dtype(test)) != 0)
        return err_set(e, ERR_FAILED, "dtype '%s', this test's is %s", r->dtype, test_dtype(test));
    for (size_t i = 0; i < COUNT_OF(speeds); i++) {
        if (!r->verified && is_known(speeds[i]))
            return err_set(e, ERR_FAILED, "a speed although it was not verified");
        if (is_known(speeds[i]) && !is_figure(speeds[i]))
            return err_set(e, ERR_FAILED, "a speed of %g %s", speeds[i], r->unit);
    }
    if (r->verified && !(r->p5 <= r->median && r->median <= r->p95))
        return err_set(e, ERR_FAILED, "median and percentiles are missing or out of order");
    if (r->verified && !(r->max_error_of_bound <= 1))
        return err_set(e, ERR_FAILED, "verified, but its error is above the bound or missing");
    if (is_known(r->library_ceiling) && !is_figure(r->library_ceiling))
        return err_set(e, ERR_FAILED, "a library's speed of %g %s", r->library_ceiling, r->unit);
    // Of the median, or of the library's figure: earlier versions took the median of products as well.
    double by_median = 100 * r->median / r->datasheet, judged = 100 * bench_judged(r) / r->datasheet;
    if (is_known(r->datasheet) && is_known(r->pct_of_datasheet) &&
        fmin(fabs(by_median - r->pct_of_datasheet), fabs(judged - r->pct_of_datasheet)) >
            0.01 * r->pct_of_datasheet) {
        return err_set(e, ERR_FAILED, "%g %s are not %g %% of a datasheet's %g", r->median, r->unit,
                       r->pct_of_datasheet, r->datasheet);
    }
    return true;
}

static bool check_result(const BenchResult *r, TestId test, Err *e) {
    static const char *const verdicts[] = {"as expected",   "a little low", "low",   "no reference",
                                           "not supported", "impossible",   "wrong", "failed"};
    const double readings[] = {r->clock_mhz, r->power_w,      r->temperature_c, r->samples,
                               r->checked,   r->expected_low, r->expected_high, r->max_error};
    BenchBits bits;
    bool of_several = test_group(test) != NULL;
    if (TABLE_ROW(r->verdict, verdicts) == NULL) return err_set(e, ERR_FAILED, "no verdict '%s'", r->verdict);
    if (r->verified && !test_sizes_hold(test, r->shape))
        return err_set(e, ERR_FAILED, "sizes '%s', this test's are %s", r->shape, test_dims(test));
    for (size_t i = 0; i < COUNT_OF(readings); i++) {
        if (is_known(readings[i]) && !(fabs(readings[i]) <= figure_max))
            return err_set(e, ERR_FAILED, "a reading of %g", readings[i]);
    }
    if (is_known(r->gpu_count) && !(of_several && r->gpu_count >= 2 && r->gpu_count <= 1024))
        return err_set(e, ERR_FAILED, "a test of %g GPUs", r->gpu_count);
    if (of_several && r->verified && !is_known(r->gpu_count))
        return err_set(e, ERR_FAILED, "a test of several GPUs that does not say how many");
    return check_figures(r, test, e) && (r->bits[0] == '\0' || bits_parse(str_of(r->bits), &bits, e));
}

static bool is_place(double x) { return !is_known(x) || (x >= 0 && x <= RANKS_MAX && x == floor(x)); }

static bool check_job(const BenchRun *run, Err *e) {
    const char *const texts[] = {run->host, run->boot_id, run->launcher, run->job, run->node};
    static const char *const records[] = {"", BENCH_STARTED, BENCH_FINISHED};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (strlen(texts[i]) > NAME_BYTES_MAX)
            return err_set(e, ERR_FAILED, "the name of a host or job is too long");
    }
    if (strlen(run->environment) > ENVIRONMENT_MAX) return err_set(e, ERR_FAILED, "environment is too long");
    if (!is_place(run->rank) || !is_place(run->ranks) || !is_place(run->local_rank))
        return err_set(e, ERR_FAILED, "rank %g of %g", run->rank, run->ranks);
    if (TABLE_ROW(run->record, records) == NULL) return err_set(e, ERR_FAILED, "record is '%s'", run->record);
    return true;
}

// ---------------------------------------------------------------- reading

static bool read_text(const Json *object, const char *key, Arena *a, const char **ret_text, Err *e) {
    const char *text = json_text(json_get(object, key));
    if (text == NULL || text[0] == '\0' || strlen(text) > TEXT_MAX)
        return err_set(e, ERR_FAILED, "%s is missing or too long", key);
    *ret_text = text_clean(a, text);
    return true;
}

static size_t count_of(const Json *list, size_t most) {
    size_t n = 0;
    for (const Json *j = json_first(list); j != NULL && n <= most; j = json_next(j)) n++;
    return n;
}

static bool read_devices(const Json *list, Arena *a, BenchRun *run, Err *e) {
    size_t n = json_is_array(list) ? count_of(list, DEVICES_MAX) : 0;
    if (n == 0 || n > DEVICES_MAX) return err_set(e, ERR_FAILED, "devices are none or too many");
    run->devices = arena_alloc(a, n, sizeof *run->devices);
    for (const Json *j = json_first(list); j != NULL; j = json_next(j)) {
        BenchDevice *d = &run->devices[run->n_devices];
        bench_device_read(j, a, d);
        if (!check_device(d, run->devices, run->n_devices, e)) return false;
        run->n_devices++;
    }
    return true;
}

static bool is_device(const BenchRun *run, Str id) {
    for (size_t i = 0; i < run->n_devices; i++) {
        if (str_is(id, run->devices[i].id)) return true;
    }
    return false;
}

// One device, or two that a test of pairs names: "gpu0>gpu1", "gpu0+gpu1".
static bool has_devices(const BenchRun *run, const BenchResult *r, TestId test) {
    const GroupTest *t = test_group(test);
    size_t n = strcspn(r->device, t != NULL && t->both_ways ? "+" : ">");
    bool two = t != NULL && t->of_pair && r->device[n] != '\0';
    if (two) return is_device(run, (Str){r->device, n}) && is_device(run, str_of(r->device + n + 1));
    return is_device(run, str_of(r->device));
}

// `tests`: of the results read before.
static bool stands_already(const BenchRun *run, const TestId *tests, const BenchResult *r, TestId test) {
    for (size_t i = 0; i < run->n_results; i++) {
        if (tests[i] == test && strcmp(run->results[i].device, r->device) == 0) return true;
    }
    return false;
}

static bool read_results(const Json *list, Arena *a, BenchRun *run, size_t *ret_unknown, Err *e) {
    size_t n = json_is_array(list) ? count_of(list, RESULTS_MAX) : 0;
    if (n == 0 || n > RESULTS_MAX) return err_set(e, ERR_FAILED, "results are none or too many");
    run->results = arena_alloc(a, n, sizeof *run->results);
    TestId *tests = arena_alloc(a, n, sizeof *tests);
    *ret_unknown = 0;
    for (const Json *j = json_first(list); j != NULL; j = json_next(j)) {
        BenchResult *r = &run->results[run->n_results];
        bench_result_read(j, a, r);
        TestId test = 0;
        if (!test_find(r->test, &test)) {
            ++*ret_unknown;
            continue;
        }
        if (!has_devices(run, r, test))
            return err_set(e, ERR_FAILED, "test '%s' is of device '%s', which is not among the devices",
                           r->test, r->device);
        if (stands_already(run, tests, r, test))
            return err_set(e, ERR_FAILED, "test '%s' of device '%s' stands twice", r->test, r->device);
        if (!check_result(r, test, e)) return err_wrap(e, "test '%s' of device '%s'", r->test, r->device);
        tests[run->n_results++] = test;
    }
    return run->n_results > 0 || err_set(e, ERR_FAILED, "none of its %zu tests is known to this version", n);
}

bool bench_run_read(const Json *object, int64_t now, Arena *a, BenchRun *ret_run, size_t *ret_unknown,
                    Err *e) {
    BenchRun run = {.origin = ""};
    size_t unknown = 0;
    // An answer of `bench --json` names the version as all answers do, and keeps the command to itself.
    bool exported = json_get(object, "measured_by") != NULL;
    int complete = json_truth(json_get(object, "complete"));
    run.options = "bench";
    if (!read_text(object, "taken_at", a, &run.taken_at, e) || !check_time(run.taken_at, now, e) ||
        !read_text(object, exported ? "measured_by" : "tool_version", a, &run.tool_version, e) ||
        !read_text(object, "system", a, &run.system, e) ||
        (exported && !read_text(object, "options", a, &run.options, e))) {
        return false;
    }
    if (complete < 0) return err_set(e, ERR_FAILED, "complete is neither true nor false");
    run.complete = complete == 1;
    bench_where_read(object, a, &run);
    if (!check_job(&run, e) || !read_devices(json_get(object, "devices"), a, &run, e)) return false;
    bool begun = strcmp(run.record, BENCH_STARTED) == 0;
    if (!begun && !read_results(json_get(object, "results"), a, &run, &unknown, e)) return false;
    *ret_run = run;
    *ret_unknown = unknown;
    return true;
}
