// Earlier answers of `report`, which anybody may have written.
#include "src/report/baseline.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char other[] = "{\"schema_version\":1,\"command\":\"report\",\"verdict\":{\"winner\":\"amd\",\"probability\":0.5},\"best\":{\"amd\":{\"gpu\":\"x\",\"gpu_count\":8}}}";
    Arena a = {0};
    Err e = {0};
    Baseline one, two;
    MUST_HOLD(baseline_read(str_of(other), "other", &a, &two, &e));
    if (baseline_read((Str){(const char *)data, size}, "fuzz", &a, &one, &e)) {
        Difference list[DIFFERENCES_MAX];
        size_t n = baseline_diff(&one, &two, &a, list);
        MUST_HOLD(baseline_diff(&one, &one, &a, list) == 0 && baseline_diff(&two, &one, &a, list) == n);
        Json *root = json_object();
        Buf out;
        buf_init(&out, BUF_LIMIT);
        diff_json(&two, &one, list, n, root);
        json_print(root, &out);
        diff_text(&two, &one, list, n, FORMAT_TABLE, 80, &a, &out);
        for (size_t i = 0; i < out.length; i++) MUST_HOLD((unsigned char)out.data[i] >= 0x20 || out.data[i] == '\n');
        buf_free(&out);
        json_free(root);
        json_free(one.root);
    } else {
        MUST_HOLD(e.text[0] != '\0');
    }
    json_free(two.root);
    arena_free(&a);
    return 0;
}
