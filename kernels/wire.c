// Requests and results as JSON, and the frames that carry them.
#include <math.h>
#include <string.h>

#include "kernels/bench.h"

typedef struct WireField {
    const char *key;
    size_t offset;
    bool number;
} WireField;

#define TEXT_FIELD(f) {#f, offsetof(BenchResult, f), false}
#define NUMBER_FIELD(f) {#f, offsetof(BenchResult, f), true}

// In the order of the answer. `verified` is a boolean and stands after them.
static const WireField fields[] = {
    TEXT_FIELD(test), TEXT_FIELD(device), TEXT_FIELD(dtype), TEXT_FIELD(shape), NUMBER_FIELD(median), NUMBER_FIELD(p5), NUMBER_FIELD(p95),
    TEXT_FIELD(unit), NUMBER_FIELD(burst), NUMBER_FIELD(samples), NUMBER_FIELD(datasheet), NUMBER_FIELD(pct_of_datasheet),
    NUMBER_FIELD(library_ceiling), TEXT_FIELD(library), NUMBER_FIELD(expected_low), NUMBER_FIELD(expected_high), TEXT_FIELD(expected_source),
    NUMBER_FIELD(max_error), NUMBER_FIELD(max_error_of_bound), NUMBER_FIELD(checked), TEXT_FIELD(verdict), NUMBER_FIELD(clock_mhz),
    NUMBER_FIELD(power_w), NUMBER_FIELD(temperature_c), TEXT_FIELD(error),
};

void bench_result_json(const BenchResult *r, Json *object) {
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const void *at = (const char *)r + fields[i].offset;
        if (fields[i].number) {
            json_add_number(object, fields[i].key, *(const double *)at);
        } else {
            const char *text = *(const char *const *)at;
            json_add_text_or_null(object, fields[i].key, text != NULL ? text : "");
        }
    }
    json_add_bool(object, "verified", r->verified);
}

void bench_result_read(const Json *object, Arena *a, BenchResult *ret_result) {
    BenchResult r = {0};
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const Json *value = json_get(object, fields[i].key);
        void *at = (char *)&r + fields[i].offset;
        if (fields[i].number) {
            *(double *)at = json_number(value);
        } else {
            const char *text = json_text(value);
            *(const char **)at = text != NULL ? text_clean(a, text) : "";
        }
    }
    r.verified = json_truth(json_get(object, "verified")) == 1;
    *ret_result = r;
}

void bench_request_json(const BenchRequest *r, Json *object) {
    json_add_text(object, "test", kernel_table[r->kernel].name);
    json_add_bool(object, "ceiling", r->ceiling);
    json_add_bool(object, "quick", r->quick);
    json_add_number(object, "working_set_bytes", r->working_set_bytes);
    json_add_integer(object, "seed", (int64_t)r->seed);
}

bool bench_request_read(const Json *object, BenchRequest *ret_request, Err *e) {
    const char *test = json_text(json_get(object, "test"));
    const Kernel *k = test != NULL ? kernel_find(test) : NULL;
    double bytes = json_number(json_get(object, "working_set_bytes")), seed = json_number(json_get(object, "seed"));
    if (k == NULL) return err_set(e, ERR_FAILED, "request names no test");
    if (!(bytes >= 1024 && bytes <= 1e15)) return err_set(e, ERR_FAILED, "request: working set is out of range");
    if (!(seed >= 0 && seed <= 9007199254740992.0)) return err_set(e, ERR_FAILED, "request: seed is out of range");
    *ret_request = (BenchRequest){.kernel = (KernelId)(k - kernel_table), .ceiling = json_truth(json_get(object, "ceiling")) == 1,
                                  .quick = json_truth(json_get(object, "quick")) == 1, .working_set_bytes = bytes, .seed = (uint64_t)seed};
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
    if (memcmp(head, magic, 4) != 0) return err_set(e, ERR_FAILED, "the worker wrote something that is no answer");
    for (size_t i = 4; i-- > 0;) length = length << 8 | head[4 + i];
    if (length == 0 || length > FRAME_BYTES_MAX) return err_set(e, ERR_FAILED, "the worker's answer has an impossible length");
    *ret_length = length;
    return true;
}
