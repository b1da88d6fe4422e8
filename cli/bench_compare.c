// bench compare, bench --baseline: two runs side by side.
#include <math.h>
#include <string.h>

#include "catalog/facts/runs.h"
#include "cli/bench.h"
#include "kernels/bench.h"

enum { FILE_BYTES_MAX = 16 * 1024 * 1024, FILE_VALUES_MAX = 200000, RESULTS_MAX = 4096, DEVICES_MAX = 1024 };

// Within this of each other two medians are the same; a gate fails from that much slower on, ranges apart.
static const double same_within = 0.05, slower_from = 0.15;

static bool read_file(App *app, const char *path, BenchSide *ret_side, Err *e) {
    Str text;
    Json *json = NULL;
    if (!file_read(&app->arena, path, FILE_BYTES_MAX, &text, e)) return false;
    if (!json_parse(text, FILE_VALUES_MAX, &json, e)) return err_wrap(e, "'%s'", path);
    const Json *runs = json_get(json, "runs"), *first = json_is_array(runs) ? json_first(runs) : NULL;
    if (first != NULL && json_next(first) != NULL) {
        json_free(json);
        return err_set(
            e, ERR_USAGE,
            "'%s' holds several runs: `gpuadvise bench import` takes them in, and gives each an id", path);
    }
    const Json *list = json_get(first != NULL ? first : json, "results");
    BenchSide side = {.name = path};
    if (json_is_array(list)) {
        side.results = arena_alloc(&app->arena, RESULTS_MAX, sizeof *side.results);
        for (const Json *r = json_first(list); r != NULL && side.n < RESULTS_MAX; r = json_next(r)) {
            if (json_is_object(r)) bench_result_read(r, &app->arena, &side.results[side.n++]);
        }
    }
    const Json *devices = json_get(first != NULL ? first : json, "devices");
    if (json_is_array(devices)) {
        side.devices = arena_alloc(&app->arena, DEVICES_MAX, sizeof *side.devices);
        for (const Json *d = json_first(devices); d != NULL && side.n_devices < DEVICES_MAX;
             d = json_next(d)) {
            if (json_is_object(d)) bench_device_read(d, &app->arena, &side.devices[side.n_devices++]);
        }
    }
    json_free(json);
    if (side.results == NULL)
        return err_set(e, ERR_USAGE, "'%s' is no answer of `gpuadvise bench --json`: it has no results",
                       path);
    *ret_side = side;
    return true;
}

bool bench_side_read(App *app, const char *name, BenchSide *ret_side, Err *e) {
    int64_t id = 0;
    Catalog *c = NULL;
    BenchRun *runs = NULL;
    size_t n = 0;
    if (!parse_integer(str_of(name), 1, INT64_MAX / 1024, &id, NULL))
        return read_file(app, name, ret_side, e);
    if (!app_catalog(app, &c, e) || !runs_read(c, id, &app->arena, &runs, &n, e)) return false;
    if (n == 0) return err_set(e, ERR_USAGE, "no run %lld; `gpuadvise bench runs` lists them", (long long)id);
    *ret_side = (BenchSide){arena_printf(&app->arena, "run %lld", (long long)id), runs[0].results,
                            runs[0].n_results, runs[0].devices, runs[0].n_devices};
    return true;
}

// What `like` is on the device that stands for its own in `s`.
static const BenchResult *find(const BenchSide *s, const BenchResult *like, const char *device) {
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->results[i].test, like->test) == 0 && strcmp(s->results[i].device, device) == 0)
            return &s->results[i];
    }
    return NULL;
}

// Speed of b over that of a; NaN where they cannot be compared.
static double speed_ratio(const BenchResult *a, const BenchResult *b) {
    if (!a->verified || !b->verified || strcmp(a->unit, b->unit) != 0 || strcmp(a->shape, b->shape) != 0)
        return (double)NAN;
    bool of_time = strcmp(a->unit, "ns") == 0 || strcmp(a->unit, "us") == 0;
    return of_time ? a->median / b->median : b->median / a->median;
}

static bool apart(const BenchResult *a, const BenchResult *b) { return a->p95 < b->p5 || b->p95 < a->p5; }

static bool is_slower(const BenchResult *a, const BenchResult *b) {
    return speed_ratio(a, b) < 1 - slower_from && apart(a, b);
}

static const char *word_for(const BenchResult *a, const BenchResult *b) {
    double ratio = speed_ratio(a, b);
    if (!is_known(ratio)) return strcmp(a->shape, b->shape) != 0 ? "other sizes" : "not comparable";
    if (fabs(ratio - 1) <= same_within || !apart(a, b)) return "same";
    return ratio > 1 ? "faster" : "slower";
}

// clang-format off
#define COLUMNS(X) \
    X("device",      "DEVICE",     TEXT,      y->device) \
    X("test",        "TEST",       TEXT,      y->test) \
    X("unit",        "UNIT",       TEXT,      y->unit) \
    X("a_median",    "A",          NUMBER(4), x->median) \
    X("b_median",    "B",          NUMBER(4), y->median) \
    X("speed_ratio", "B/A SPEED",  NUMBER(3), speed_ratio(x, y)) \
    X("change",      "CHANGE",     TEXT,      word_for(x, y)) \
    X("a_device",    "A DEVICE",   MORE_TEXT, other) \
    X("matched_by",  "MATCHED BY", MORE_TEXT, by)
// clang-format on

static Listing compared(App *app, const BenchSide *a, const BenchSide *b) {
    Listing l = LISTING(&app->arena, "comparison", COLUMNS, b->n);
    size_t n = 0;
    const BenchMatch *matches = bench_match(&app->arena, a, b, &n);
    for (size_t i = 0; i < b->n; i++) {
        const char *by = "";
        const BenchResult *y = &b->results[i];
        const char *other = bench_matched(&app->arena, matches, n, y->device, &by);
        const BenchResult *x = find(a, y, other);
        if (x == NULL) continue;
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    return l;
}

// How devices were found in the other run, unless each by the board's own identity.
static const char *matches_text(App *app, const BenchSide *a, const BenchSide *b) {
    size_t n = 0, boards = 0;
    const BenchMatch *list = bench_match(&app->arena, a, b, &n);
    const char *text = "";
    for (size_t i = 0; i < n; i++) {
        if (list[i].other[0] == '\0') continue;
        boards += strcmp(list[i].by, "uuid") == 0;
        text = arena_printf(&app->arena, "%s%s %s is %s of A by %s", text, text[0] != '\0' ? "," : "",
                            list[i].id, list[i].other, list[i].by);
    }
    bool by_name = n == 0 || text[0] == '\0';
    return by_name       ? ""
           : boards == n ? " Devices are the same boards, by their UUIDs."
                         : arena_printf(&app->arena, " Devices:%s.", text);
}

int bench_compare(App *app) {
    Err e = {0};
    BenchSide a, b;
    if (!bench_side_read(app, app->args[0], &a, &e) || !bench_side_read(app, app->args[1], &b, &e))
        return app_fail(app, &e);
    Listing l = compared(app, &a, &b);
    l.note = arena_printf(&app->arena,
                          "Same: medians within 5 %%, or ranges (5th-95th percentile) that overlap. For "
                          "latencies the ratio is that of speeds too.%s",
                          matches_text(app, &a, &b));
    if (l.n_rows < b.n || l.n_rows < a.n)
        app_warn(app, "of %zu and %zu tests both have %zu", a.n, b.n, l.n_rows);
    app_input(app, "a", a.name);
    app_input(app, "b", b.name);
    app_answer(app, &l);
    return EXIT_DONE;
}

bool bench_is_slower(App *app, const BenchRun *run, const BenchSide *before) {
    BenchSide now = {"", run->results, run->n_results, run->devices, run->n_devices};
    size_t n = 0;
    const BenchMatch *matches = bench_match(&app->arena, before, &now, &n);
    bool slower = false;
    size_t both = 0;
    for (size_t i = 0; i < now.n; i++) {
        const char *by = "";
        const BenchResult *y = &now.results[i];
        const BenchResult *x = find(before, y, bench_matched(&app->arena, matches, n, y->device, &by));
        both += x != NULL && is_known(speed_ratio(x, y));
        if (x == NULL || !is_slower(x, y)) continue;
        app_warn(app, "%s on %s is slower than in '%s': %.4g, was %.4g %s", y->test, y->device, before->name,
                 y->median, x->median, y->unit);
        slower = true;
    }
    if (both == 0) app_warn(app, "no test here can be compared with '%s'", before->name);
    return slower;
}
