// What a worker process writes, which may be anything after a crash: frames, results, requests.
#include <string.h>

#include "kernels/bench.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Err e = {0};
    Arena a = {0};
    size_t length = 0;
    if (size < FRAME_HEAD || !frame_length(data, &length, &e)) return 0;
    Json *json = NULL;
    if (json_parse((Str){(const char *)data + FRAME_HEAD, size - FRAME_HEAD}, 1000, &json, &e)) {
        BenchResult r;
        BenchRequest request;
        bench_result_read(json_get(json, "result"), &a, &r);
        if (bench_request_read(json, &request, &e)) {
            Json *again = json_object();
            bench_request_json(&request, again);
            json_free(again);
        }
        BenchTarget target;
        BenchAbout about;
        bench_about_read(json_get(json, "about"), &a, &about);
        bool is_target = bench_target_read(json_get(json, "open"), &a, &target, &e);
        BenchGroupTarget group;
        BenchGroupAbout group_about;
        bench_group_about_read(json_get(json, "group"), &a, &group_about);
        bool is_group = bench_group_read(json_get(json, "open_group"), &a, &group, &e);
        Json *out = json_object();
        if (is_group) bench_group_json(&group, json_add_object(out, "open_group"));
        bench_group_about_json(&group_about, json_add_object(out, "group"));
        if (is_target) bench_target_json(&target, out);
        bench_about_json(&about, out);
        bench_result_json(&r, out);
        json_free(out);
    }
    json_free(json);
    arena_free(&a);
    return 0;
}
