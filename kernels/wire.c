// Requests and results as JSON, and the frames that carry them.
#include <math.h>
#include <string.h>

#include "kernels/bench.h"
#include "kernels/blas.h"
#include "kernels/tests.h"

// A truth is a double as well: 1, 0, and NaN for not known.
typedef enum WireKind { WIRE_TEXT, WIRE_NUMBER, WIRE_TRUTH } WireKind;

typedef struct WireField {
    const char *key;
    size_t offset;
    WireKind kind;
} WireField;

static void add_truth(Json *object, const char *key, double x) {
    json_add(object, J_BOOL_OR_NULL(key, is_known(x), x == 1));
}

static double read_truth(const Json *value) {
    int truth = json_truth(value);
    return truth < 0 ? (double)NAN : truth;
}

static void add_fields(const WireField *list, size_t n, const void *row, Json *object) {
    for (size_t i = 0; i < n; i++) {
        const void *at = (const char *)row + list[i].offset;
        if (list[i].kind == WIRE_NUMBER) {
            json_add_number(object, list[i].key, *(const double *)at);
        } else if (list[i].kind == WIRE_TRUTH) {
            add_truth(object, list[i].key, *(const double *)at);
        } else {
            const char *text = *(const char *const *)at;
            json_add_text_or_null(object, list[i].key, text != NULL ? text : "");
        }
    }
}

static void read_field(const WireField *field, const Json *value, Arena *a, void *row) {
    void *at = (char *)row + field->offset;
    if (field->kind != WIRE_TEXT) {
        *(double *)at = field->kind == WIRE_TRUTH ? read_truth(value) : json_number(value);
    } else {
        const char *text = json_text(value);
        *(const char **)at = text != NULL ? text_clean(a, text) : "";
    }
}

// Without an object: of which nothing is known. Members mostly stand in the order of the list: where the last one was found the search goes on. Of members of
// one name the last counts, as elsewhere.
static void read_fields(const WireField *list, size_t n, const Json *object, Arena *a, void *row) {
    size_t next = 0;
    for (size_t i = 0; i < n; i++) read_field(&list[i], NULL, a, row);
    for (const Json *m = json_first(object); m != NULL; m = json_next(m)) {
        for (size_t k = 0; k < n; k++) {
            size_t i = next + k < n ? next + k : next + k - n;
            if (strcmp(list[i].key, json_key(m)) != 0) continue;
            read_field(&list[i], m, a, row);
            next = i + 1;
            break;
        }
    }
}

#define TEXT_FIELD(f)                                                                                        \
    { #f, offsetof(BenchResult, f), WIRE_TEXT }
#define NUMBER_FIELD(f)                                                                                      \
    { #f, offsetof(BenchResult, f), WIRE_NUMBER }

// In the order of the answer. `verified` is a boolean and stands after them.
static const WireField fields[] = {
    TEXT_FIELD(test),
    TEXT_FIELD(device),
    TEXT_FIELD(dtype),
    TEXT_FIELD(shape),
    NUMBER_FIELD(median),
    NUMBER_FIELD(p5),
    NUMBER_FIELD(p95),
    TEXT_FIELD(unit),
    NUMBER_FIELD(burst),
    NUMBER_FIELD(samples),
    NUMBER_FIELD(datasheet),
    NUMBER_FIELD(pct_of_datasheet),
    NUMBER_FIELD(library_ceiling),
    TEXT_FIELD(library),
    NUMBER_FIELD(expected_low),
    NUMBER_FIELD(expected_high),
    TEXT_FIELD(expected_source),
    NUMBER_FIELD(max_error),
    NUMBER_FIELD(max_error_of_bound),
    NUMBER_FIELD(checked),
    TEXT_FIELD(verdict),
    NUMBER_FIELD(clock_mhz),
    NUMBER_FIELD(power_w),
    NUMBER_FIELD(temperature_c),
    TEXT_FIELD(throttle),
    TEXT_FIELD(cause),
    TEXT_FIELD(error),
    TEXT_FIELD(bits),
    NUMBER_FIELD(gpu_count),
    TEXT_FIELD(path),
    {"in_cache", offsetof(BenchResult, in_cache), WIRE_TRUTH},
};

BenchResult bench_blank(TestId test, const char *device) {
    BenchResult r = {0};
    read_fields(fields, COUNT_OF(fields), NULL, NULL, &r);
    r.test = test_name(test);
    r.device = device;
    r.dtype = test_dtype(test);
    r.unit = test_unit(test);
    r.shape = "-";
    r.verdict = "no reference";
    return r;
}

void bench_result_json(const BenchResult *r, Json *object) {
    add_fields(fields, COUNT_OF(fields), r, object);
    json_add_bool(object, "verified", r->verified);
}

void bench_result_read(const Json *object, Arena *a, BenchResult *ret_result) {
    BenchResult r = {0};
    read_fields(fields, COUNT_OF(fields), object, a, &r);
    r.verified = json_truth(json_get(object, "verified")) == 1;
    *ret_result = r;
}

// ---------------------------------------------------------------- runs

#define RUN_TEXT(f)                                                                                          \
    { #f, offsetof(BenchRun, f), WIRE_TEXT }
#define RUN_NUMBER(f)                                                                                        \
    { #f, offsetof(BenchRun, f), WIRE_NUMBER }
static const WireField run_fields[] = {
    RUN_TEXT(host),        RUN_TEXT(boot_id), {"quick", offsetof(BenchRun, quick), WIRE_TRUTH},
    RUN_TEXT(launcher),    RUN_TEXT(job),     RUN_TEXT(node),
    RUN_NUMBER(rank),      RUN_NUMBER(ranks), RUN_NUMBER(local_rank),
    RUN_TEXT(environment), RUN_TEXT(record),
};

void bench_where_json(const BenchRun *run, Json *object) {
    add_fields(run_fields, COUNT_OF(run_fields), run, object);
}

void bench_where_read(const Json *object, Arena *a, BenchRun *run) {
    read_fields(run_fields, COUNT_OF(run_fields), object, a, run);
}

// ---------------------------------------------------------------- devices

#define DEVICE_FIELD(key, f)                                                                                 \
    { key, offsetof(BenchDevice, f), WIRE_TEXT }
#define DEVICE_NUMBER(key, f)                                                                                \
    { key, offsetof(BenchDevice, f), WIRE_NUMBER }
static const WireField device_fields[] = {
    DEVICE_FIELD("id", id),
    DEVICE_FIELD("vendor", vendor),
    DEVICE_FIELD("name", name),
    DEVICE_FIELD("sku_id", sku_id),
    DEVICE_FIELD("pci", pci),
    DEVICE_FIELD("driver", driver),
    DEVICE_FIELD("state", state),
    DEVICE_FIELD("why", why),
    DEVICE_FIELD("how", how),
    DEVICE_FIELD("working_set", memory),
    DEVICE_NUMBER("share", share),
    DEVICE_FIELD("part", part),
    {"shared", offsetof(BenchDevice, shared), WIRE_TRUTH},
    DEVICE_NUMBER("power_limit_w", power_limit_w),
    DEVICE_NUMBER("power_default_w", power_default_w),
    DEVICE_NUMBER("ecc_errors", ecc_errors),
    DEVICE_NUMBER("ecc_corrected", ecc_corrected),
    {"rows_pending", offsetof(BenchDevice, rows_pending), WIRE_TRUTH},
    DEVICE_FIELD("code", code),
    DEVICE_FIELD("uuid", uuid),
    DEVICE_FIELD("vbios", vbios),
    DEVICE_FIELD("serial", serial),
};

BenchDevice bench_device_blank(const char *id, const char *vendor, const char *name) {
    BenchDevice d = {0};
    read_fields(device_fields, COUNT_OF(device_fields), NULL, NULL, &d);
    d.id = id;
    d.vendor = vendor;
    d.name = name;
    d.state = "not tested";
    return d;
}

void bench_device_json(const BenchDevice *d, Json *object) {
    add_fields(device_fields, COUNT_OF(device_fields), d, object);
}

void bench_device_read(const Json *object, Arena *a, BenchDevice *ret_device) {
    read_fields(device_fields, COUNT_OF(device_fields), object, a, ret_device);
}

#define ABOUT_TEXT(f)                                                                                        \
    { #f, offsetof(BenchAbout, f), WIRE_TEXT }
#define ABOUT_NUMBER(f)                                                                                      \
    { #f, offsetof(BenchAbout, f), WIRE_NUMBER }
static const WireField about_fields[] = {
    ABOUT_TEXT(name),
    ABOUT_TEXT(arch),
    ABOUT_TEXT(library),
    ABOUT_TEXT(code),
    ABOUT_TEXT(unread),
    ABOUT_NUMBER(units),
    ABOUT_NUMBER(memory_bytes),
    ABOUT_NUMBER(free_bytes),
    ABOUT_NUMBER(cache_bytes),
    ABOUT_NUMBER(busy_pct),
    ABOUT_NUMBER(other_processes),
    ABOUT_NUMBER(power_limit_w),
    ABOUT_NUMBER(power_default_w),
    ABOUT_NUMBER(ecc_on),
    ABOUT_NUMBER(ecc_errors),
    ABOUT_NUMBER(link_width),
    ABOUT_NUMBER(link_width_max),
    ABOUT_TEXT(uuid),
    ABOUT_TEXT(vbios),
    ABOUT_TEXT(serial),
    ABOUT_NUMBER(ecc_corrected),
    ABOUT_NUMBER(rows_pending),
};

void bench_about_json(const BenchAbout *about, Json *object) {
    add_fields(about_fields, COUNT_OF(about_fields), about, object);
    json_add_bool(object, "mig", about->mig);
}

void bench_about_read(const Json *object, Arena *a, BenchAbout *ret_about) {
    BenchAbout about = {0};
    read_fields(about_fields, COUNT_OF(about_fields), object, a, &about);
    about.mig = json_truth(json_get(object, "mig")) == 1;
    *ret_about = about;
}

#define TARGET_TEXT(f)                                                                                       \
    { #f, offsetof(BenchTarget, f), WIRE_TEXT }
#define TARGET_NUMBER(f)                                                                                     \
    { #f, offsetof(BenchTarget, f), WIRE_NUMBER }
static const WireField target_fields[] = {TARGET_TEXT(id),     TARGET_TEXT(api),     TARGET_TEXT(pci),
                                          TARGET_NUMBER(part), TARGET_NUMBER(parts), TARGET_TEXT(gfx)};

void bench_target_json(const BenchTarget *t, Json *object) {
    add_fields(target_fields, COUNT_OF(target_fields), t, object);
}

bool bench_target_read(const Json *object, Arena *a, BenchTarget *ret_target, Err *e) {
    BenchTarget t = {0};
    read_fields(target_fields, COUNT_OF(target_fields), object, a, &t);
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

#define GROUP_TEXT(f)                                                                                        \
    { #f, offsetof(BenchGroupAbout, f), WIRE_TEXT }
static const WireField group_fields[] = {GROUP_TEXT(library), GROUP_TEXT(path), GROUP_TEXT(collectives)};

void bench_group_about_json(const BenchGroupAbout *about, Json *object) {
    add_fields(group_fields, COUNT_OF(group_fields), about, object);
}

void bench_group_about_read(const Json *object, Arena *a, BenchGroupAbout *ret_about) {
    read_fields(group_fields, COUNT_OF(group_fields), object, a, ret_about);
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
