// Which device of one run is which of another, and what a pair of them is there.
#include "src/report/bench_compare.h"
#include "tests/check.h"

static BenchDevice board(const char *id, const char *uuid, const char *name) {
    return (BenchDevice){.id = id, .uuid = uuid, .name = name, .vendor = "nvidia", .sku_id = ""};
}

static void check_is(const BenchMatch *list, size_t n, const char *device, const char *other,
                     const char *by) {
    Arena a = {0};
    const char *how = "";
    CHECK_STR(bench_matched(&a, list, n, device, &how), other);
    CHECK_STR(how, by);
    arena_free(&a);
}

static void test_by_uuid_model_and_place(void) {
    Arena arena = {0};
    BenchSide a = {.devices = (BenchDevice[]){board("gpu0", "u1", "H100"), board("gpu1", "u2", "H100"),
                                              board("gpu2", "", "H200"), board("gpu3", "", "old name")},
                   .n_devices = 4};
    BenchSide b = {.devices = (BenchDevice[]){board("gpu0", "u2", "H100"), board("gpu1", "", "H200"),
                                              board("gpu2", "u1", "H100"), board("gpu3", "", "new name")},
                   .n_devices = 4};
    size_t n = 0;
    const BenchMatch *list = bench_match(&arena, &a, &b, &n);
    CHECK_INT(n, 4);
    check_is(list, n, "gpu0", "gpu1", "uuid");
    check_is(list, n, "gpu1", "gpu2", "model");
    check_is(list, n, "gpu3", "gpu3", "position");
    // of a pair the less sure of both
    check_is(list, n, "gpu0>gpu2", "gpu1>gpu0", "uuid");
    check_is(list, n, "gpu0+gpu1", "gpu1+gpu2", "model");
    check_is(list, n, "gpu3>gpu0", "gpu3>gpu1", "position");
    check_is(list, n, "gpu9", "", "name");
    check_is(list, n, "gpu0>gpu9", "", "uuid");
    check_is(NULL, 0, "gpu9>gpu8", "gpu9>gpu8", "name");
    arena_free(&arena);
}

// Parts of a GPU share its UUID, which then tells none of them.
static void test_a_shared_uuid_tells_nothing(void) {
    Arena arena = {0};
    BenchSide a = {.devices = (BenchDevice[]){board("gpu0", "u", "1g.12gb"), board("gpu1", "u", "2g.24gb")},
                   .n_devices = 2};
    BenchSide b = {.devices = (BenchDevice[]){board("gpu0", "u", "2g.24gb"), board("gpu1", "u", "3g.48gb"),
                                              board("gpu2", "", "4g.48gb")},
                   .n_devices = 3};
    size_t n = 0;
    const BenchMatch *list = bench_match(&arena, &a, &b, &n);
    check_is(list, n, "gpu0", "gpu1", "model");
    check_is(list, n, "gpu1", "", "model");  // its place is taken
    check_is(list, n, "gpu2", "", "model");  // and there is no third
    arena_free(&arena);
}

static const TestCase tests[] = {TEST(by_uuid_model_and_place), TEST(a_shared_uuid_tells_nothing)};
TEST_MAIN(tests)
