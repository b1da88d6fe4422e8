// Device code that is linked: what there is, which a GPU and its driver take, what its kernels take.
#include "kernels/code.h"

#include "kernels/gpu.h"
#include "kernels/kernels.h"
#include "tests/check.h"

// Parameters of the entry in the PTX text, one a size and one a buffer; 0: it has no such entry.
static size_t parameters(const char *ptx, const char *entry) {
    char word[96];
    snprintf(word, sizeof word, ".entry %s(", entry);
    const char *at = strstr(ptx, word);
    if (at == NULL) return 0;
    const char *end = strchr(at, ')');
    size_t n = 0;
    for (at = strstr(at, ".param"); at != NULL && at < end; at = strstr(at + 1, ".param")) n++;
    return n;
}

static void test_entries_take_what_launches_pass(void) {
    DeviceCode c;
    size_t seen = 0;
    for (size_t i = 0; device_code(i, &c); i++) {
        if (c.ptx_version == 0) continue;
        seen++;
        CHECK(ptx_needs_driver(c.ptx_version) > 0);
        CHECK_INT(strlen(c.data), c.length);
        size_t entries = 0;
        for (size_t id = 0; id < KERNEL_COUNT; id++) {
            const Kernel *k = &kernel_table[id];
            size_t n = parameters(c.data, k->launch.entry);
            if (n == 0) continue;  // this target has no unit for it
            entries++;
            CHECK_INT(n, kernel_dims(k) + k->output + 1);
        }
        CHECK(entries >= 16);
    }
    CHECK(seen >= 5);
}

static void test_ptx_by_capability_and_driver(void) {
    static const struct {
        int capability, driver;
        const char *first, *second;
    } cases[] = {
        {90, 12040, "sm_90a", "sm_89"}, {89, 12040, "sm_89", "sm_80"},  {100, 12080, "sm_89", "sm_80"},
        {90, 12030, "sm_80", "sm_60"},  {80, 12040, "sm_80", "sm_60"},  {80, 11000, "sm_80", "sm_60"},
        {80, 10020, "sm_60", NULL},     {75, 12040, "sm_60", NULL},     {120, 13000, "sm_120a", "sm_89"},
        {121, 13000, "sm_89", "sm_80"}, {120, 12070, "sm_89", "sm_80"}, {52, 12040, NULL, NULL},
        {90, 8000, NULL, NULL}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        DeviceCode c;
        CHECK_INT(device_ptx(cases[i].capability, cases[i].driver, 0, &c), cases[i].first != NULL);
        if (cases[i].first != NULL) CHECK_STR(c.target, cases[i].first);
        CHECK_INT(device_ptx(cases[i].capability, cases[i].driver, 1, &c), cases[i].second != NULL);
        if (cases[i].second != NULL) CHECK_STR(c.target, cases[i].second);
        CHECK(!device_ptx(cases[i].capability, cases[i].driver, 4, &c));
    }
}

static void test_code_objects_by_name(void) {
    DeviceCode c;
    if (!device_object("gfx942", &c)) SKIP("built without code objects");
    CHECK(memcmp(c.data, "\177ELF", 4) == 0);
    CHECK(device_object("gfx90a:sramecc+:xnack-", &c));
    CHECK_STR(c.target, "gfx90a");
    CHECK(!device_object("gfx94", &c));
    CHECK(!device_object("gfx9422", &c));
    CHECK(!device_object("", &c));
    CHECK(!device_object("sm_8", &c));
}

static void test_the_source_is_whole(void) {
    Arena a = {0};
    DeviceSource s;
    device_source(&a, &s);
    CHECK(strstr(s.text, "GK_KERNEL gk_triad(") != NULL);
    for (const char *at = strstr(s.text, "#include \""); at != NULL; at = strstr(at + 1, "#include \"")) {
        size_t n = strcspn(at + 10, "\""), found = 0;
        for (size_t i = 0; i < s.n_includes; i++)
            found += strlen(s.include_names[i]) == n && strncmp(at + 10, s.include_names[i], n) == 0;
        CHECK_INT(found, 1);
    }
    arena_free(&a);
}

// NVIDIA's own compiler on the same source, without a GPU, where it is installed.
static void test_nvrtc_compiles_the_source(void) {
#ifdef __SANITIZE_ADDRESS__
    SKIP("nothing of ours runs in NVRTC");
#else
    static const char *const targets[] = {"sm_80", "sm_90", "sm_120a"};
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        Arena a = {0};
        Err e = {0};
        Str object = {0};
        bool ok = rtc_compile(GPU_CUDA, targets[i], &a, &object, &e);
        if (!ok && strstr(e.text, "is not here") != NULL) {
            arena_free(&a);
            SKIP("no NVRTC");
        }
        if (!ok) FAIL_("%s", e.text);
        CHECK(object.length > 1000 && memcmp(object.data, "\177ELF", 4) == 0);
        arena_free(&a);
    }
#endif
}

static const TestCase tests[] = {TEST(entries_take_what_launches_pass), TEST(ptx_by_capability_and_driver),
                                 TEST(code_objects_by_name), TEST(the_source_is_whole),
                                 TEST(nvrtc_compiles_the_source)};
TEST_MAIN(tests)
