// Requests and results as JSON, and the frames that carry them.
#include <math.h>
#include <string.h>

#include "kernels/bench.h"
#include "kernels/blas.h"
#include "kernels/tests.h"

static void add_fields(const BenchFields *fields, const void *row, Json *object) {
    for (size_t i = 0; i < fields->n; i++) {
        const BenchField *f = &fields->list[i];
        const void *at = (const char *)row + f->offset;
        switch (f->kind) {
        case BENCH_TEXT: {
            const char *text = *(const char *const *)at;
            json_add_text_or_null(object, f->key, text != NULL ? text : "");
            break;
        }
        case BENCH_NUMBER: json_add_number(object, f->key, *(const double *)at); break;
        case BENCH_TRUTH: {
            double x = *(const double *)at;
            json_add(object, J_BOOL_OR_NULL(f->key, is_known(x), x == 1));
            break;
        }
        case BENCH_FLAG: json_add_bool(object, f->key, *(const bool *)at); break;
        }
    }
}

static void read_field(const BenchField *f, const Json *value, Arena *a, void *row) {
    void *at = (char *)row + f->offset;
    const char *text = json_text(value);
    int truth = json_truth(value);
    switch (f->kind) {
    case BENCH_TEXT: *(const char **)at = text != NULL ? text_clean(a, text) : ""; break;
    case BENCH_NUMBER: *(double *)at = json_number(value); break;
    case BENCH_TRUTH: *(double *)at = truth < 0 ? (double)NAN : truth; break;
    case BENCH_FLAG: *(bool *)at = truth == 1; break;
    }
}

// Without an object: of which nothing is known. Members mostly stand in the order of the list: where the last one
// was found the search goes on. Of members of one name the last counts, as elsewhere.
static void read_fields(const BenchFields *fields, const Json *object, Arena *a, void *row) {
    size_t next = 0, n = fields->n;
    for (size_t i = 0; i < n; i++) read_field(&fields->list[i], NULL, a, row);
    for (const Json *m = json_first(object); m != NULL; m = json_next(m)) {
        for (size_t k = 0; k < n; k++) {
            size_t i = next + k < n ? next + k : next + k - n;
            if (strcmp(fields->list[i].key, json_key(m)) != 0) continue;
            read_field(&fields->list[i], m, a, row);
            next = i + 1;
            break;
        }
    }
}

BenchResult bench_blank(TestId test, const char *device) {
    BenchResult r = {0};
    read_fields(&bench_result_fields, NULL, NULL, &r);
    r.test = test_name(test);
    r.device = device;
    r.dtype = test_dtype(test);
    r.unit = test_unit(test);
    r.shape = "-";
    r.verdict = "no reference";
    return r;
}

void bench_result_json(const BenchResult *r, Json *object) { add_fields(&bench_result_fields, r, object); }

void bench_result_read(const Json *object, Arena *a, BenchResult *ret_result) {
    read_fields(&bench_result_fields, object, a, ret_result);
}

void bench_where_json(const BenchRun *run, Json *object) { add_fields(&bench_recorded_fields, run, object); }

void bench_where_read(const Json *object, Arena *a, BenchRun *run) {
    read_fields(&bench_recorded_fields, object, a, run);
}

// ---------------------------------------------------------------- devices

static const BenchFields about_fields = BENCH_FIELDS(BENCH_ABOUT), target_fields = BENCH_FIELDS(BENCH_TARGET),
                         group_fields = BENCH_FIELDS(BENCH_GROUP_ABOUT);

BenchDevice bench_device_blank(const char *id, const char *vendor, const char *name) {
    BenchDevice d = {0};
    read_fields(&bench_device_fields, NULL, NULL, &d);
    d.id = id;
    d.vendor = vendor;
    d.name = name;
    d.state = "not tested";
    return d;
}

void bench_device_json(const BenchDevice *d, Json *object) { add_fields(&bench_device_fields, d, object); }

void bench_device_read(const Json *object, Arena *a, BenchDevice *ret_device) {
    read_fields(&bench_device_fields, object, a, ret_device);
}

void bench_about_json(const BenchAbout *about, Json *object) { add_fields(&about_fields, about, object); }

void bench_about_read(const Json *object, Arena *a, BenchAbout *ret_about) {
    read_fields(&about_fields, object, a, ret_about);
}

void bench_target_json(const BenchTarget *t, Json *object) { add_fields(&target_fields, t, object); }

bool bench_target_read(const Json *object, Arena *a, BenchTarget *ret_target, Err *e) {
    BenchTarget t;
    read_fields(&target_fields, object, a, &t);
    if (!(t.parts >= 1 && t.parts <= 1024 && t.part >= 1 && t.part <= t.parts))
        return err_set(e, ERR_FAILED, "request: no such part of a device");
    *ret_target = t;
    return true;
}

// ---------------------------------------------------------------- groups

// A place in a group, or a number of them, below `end`; a request without one is of none.
static bool read_place(const Json *object, const char *key, size_t end, size_t *ret_place) {
    double x = json_number(json_get(object, key));
    if (is_known(x) && !(x >= 0 && x < (double)end)) return false;
    *ret_place = is_known(x) ? (size_t)x : 0;
    return true;
}

void bench_group_json(const BenchGroupTarget *t, Json *object) {
    json_add_text(object, "id", t->id);
    json_add_integer(object, "rank", (int64_t)t->rank);
    json_add_integer(object, "ranks", (int64_t)t->ranks);
    Json *list = json_add_array(object, "gpus");
    for (size_t i = 0; i < t->n; i++) bench_target_json(&t->gpus[i], json_add_object(list, NULL));
}

bool bench_group_read(const Json *object, Arena *a, BenchGroupTarget *ret_target, Err *e) {
    const char *id = json_text(json_get(object, "id"));
    const Json *list = json_get(object, "gpus");
    BenchTarget *gpus = arena_alloc(a, BENCH_GROUP_MAX, sizeof *gpus);
    size_t n = 0;
    for (const Json *j = json_is_array(list) ? json_first(list) : NULL; j != NULL; j = json_next(j)) {
        if (n == BENCH_GROUP_MAX)
            return err_set(e, ERR_FAILED, "request: more than %d GPUs", BENCH_GROUP_MAX);
        if (!bench_target_read(j, a, &gpus[n++], e)) return false;
    }
    size_t rank = 0, ranks = 0;
    bool placed = read_place(object, "rank", BENCH_RANKS_MAX, &rank) &&
                  read_place(object, "ranks", BENCH_RANKS_MAX + 1, &ranks);
    bool fits = ranks == 0 ? n >= 2 && rank == 0 : n == 1 && ranks >= 2 && rank < ranks;
    if (id == NULL || !placed || !fits)
        return err_set(e, ERR_FAILED, "request: a group has a name, and two GPUs or one of a rank");
    *ret_target = (BenchGroupTarget){text_clean(a, id), gpus, n, rank, ranks};
    return true;
}

void bench_group_about_json(const BenchGroupAbout *about, Json *object) {
    add_fields(&group_fields, about, object);
}

void bench_group_about_read(const Json *object, Arena *a, BenchGroupAbout *ret_about) {
    read_fields(&group_fields, object, a, ret_about);
}

// ---------------------------------------------------------------- requests

void bench_request_json(const BenchRequest *r, Json *object) {
    json_add_text(object, "test", test_name(r->test));
    json_add_bool(object, "ceiling", r->ceiling);
    json_add_integer(object, "library", (int64_t)r->library);
    json_add_bool(object, "quick", r->quick);
    json_add_bool(object, "check_only", r->check_only);
    json_add_number(object, "working_set_bytes", r->working_set_bytes);
    json_add_bool(object, "sized", r->sized);
    json_add_integer(object, "side", (int64_t)r->side);
    json_add_number(object, "budget_s", r->budget_s);
    json_add_number(object, "hold_s", r->hold_s);
    json_add_integer(object, "seed", (int64_t)r->seed);
    json_add_integer(object, "from", (int64_t)r->from);
    json_add_integer(object, "to", (int64_t)r->to);
}

bool bench_request_read(const Json *object, BenchRequest *ret_request, Err *e) {
    const char *test = json_text(json_get(object, "test"));
    TestId id = 0;
    double bytes = json_number(json_get(object, "working_set_bytes")),
           seed = json_number(json_get(object, "seed"));
    double budget = json_number(json_get(object, "budget_s")), hold = json_number(json_get(object, "hold_s")),
           library = json_number(json_get(object, "library")), side = json_number(json_get(object, "side"));
    size_t from = 0, to = 0;
    if (test == NULL || !test_find(test, &id)) return err_set(e, ERR_FAILED, "request names no test");
    if (!(bytes >= 1024 && bytes <= 1e15))
        return err_set(e, ERR_FAILED, "request: working set is out of range");
    if (!(seed >= 0 && seed <= 9007199254740992.0))
        return err_set(e, ERR_FAILED, "request: seed is out of range");
    if (is_known(side) && !(side >= 0 && side <= 65536))
        return err_set(e, ERR_FAILED, "request: side of a product is out of range");
    if (!read_place(object, "from", BENCH_RANKS_MAX, &from) ||
        !read_place(object, "to", BENCH_RANKS_MAX, &to))
        return err_set(e, ERR_FAILED, "request: no such pair of GPUs");
    if (!(library >= 0 && library < 64 && blas_name((size_t)library) != NULL))
        return err_set(e, ERR_FAILED, "request names no library");
    *ret_request = (BenchRequest){.test = id,
                                  .ceiling = json_truth(json_get(object, "ceiling")) == 1,
                                  .library = (size_t)library,
                                  .quick = json_truth(json_get(object, "quick")) == 1,
                                  .check_only = json_truth(json_get(object, "check_only")) == 1,
                                  .working_set_bytes = bytes,
                                  .sized = json_truth(json_get(object, "sized")) == 1,
                                  .side = is_known(side) ? (size_t)side : 0,
                                  .budget_s = budget > 0 ? budget : 0,
                                  .hold_s = hold > 0 && hold <= 3600 ? hold : 0,
                                  .seed = (uint64_t)seed,
                                  .from = from,
                                  .to = to};
    return true;
}

static const char magic[] = "GAB1";

void frame_put(Buf *out, const Json *json) {
    Buf text;
    buf_init(&text, FRAME_BYTES_MAX);
    json_print(json, &text);
    unsigned char head[FRAME_HEAD];
    memcpy(head, magic, 4);
    for (size_t i = 0; i < 4; i++) head[4 + i] = (unsigned char)(text.length >> 8 * i & 0xFF);
    buf_add(out, (const char *)head, sizeof head);
    buf_add(out, text.data, text.length);
    buf_free(&text);
}

bool frame_length(const unsigned char head[FRAME_HEAD], size_t *ret_length, Err *e) {
    size_t length = 0;
    if (memcmp(head, magic, 4) != 0)
        return err_set(e, ERR_FAILED, "the worker wrote something that is no answer");
    for (size_t i = 4; i-- > 0;) length = length << 8 | head[4 + i];
    if (length == 0 || length > FRAME_BYTES_MAX)
        return err_set(e, ERR_FAILED, "the worker's answer has an impossible length");
    *ret_length = length;
    return true;
}
