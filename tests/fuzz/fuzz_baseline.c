// Earlier answers of `report`, which anybody may have written.
#include "src/report/moved.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char other[] =
        "{\"schema_version\":1,\"command\":\"report\",\"verdict\":{\"winner\":\"amd\",\"probability\":0.5},"
        "\"best\":{\"amd\":{\"gpu\":\"x\",\"gpu_count\":8,\"price_usd_per_gpu_hour\":2,"
        "\"output_usd_per_mtok\":{\"value\":0.5,\"basis\":\"measured\"}},\"nvidia\":{\"gpu\":\"h\","
        "\"provider\":\"q\",\"price_usd_per_gpu_hour\":3,\"usd_total\":{\"value\":5}}},"
        "\"inputs\":{\"price\":[\"a\",[1]]},\"assumptions\":[{\"name\":\"n\",\"value\":1}]}";
    Arena a = {0};
    Err e = {0};
    Baseline one, two;
    MUST_HOLD(baseline_read(str_of(other), "other", &a, &two, &e));
    if (baseline_read((Str){(const char *)data, size}, "fuzz", &a, &one, &e)) {
        Difference list[DIFFERENCES_MAX];
        size_t n = baseline_diff(&one, &two, &a, list);
        MUST_HOLD(baseline_diff(&one, &one, &a, list) == 0 && baseline_diff(&two, &one, &a, list) == n);
        Moved *moved = arena_alloc(&a, 1, sizeof *moved);
        baseline_moved(&one, &one, &a, moved);
        MUST_HOLD(moved->n == 0);
        baseline_moved(&one, &two, &a, moved);
        MUST_HOLD(moved->n <= MOVERS_MAX);
        Json *root = json_object();
        Buf out;
        buf_init(&out, BUF_LIMIT);
        diff_json(&two, &one, list, n, root);
        moved_json(moved, root);
        json_print(root, &out);
        diff_text(&two, &one, list, n, moved, FORMAT_TABLE, (Room){.width = 80}, &a, &out);
        for (size_t i = 0; i < out.length; i++)
            MUST_HOLD((unsigned char)out.data[i] >= 0x20 || out.data[i] == '\n');
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
