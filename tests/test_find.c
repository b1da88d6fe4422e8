// Finding rows by what a user types.
#include "catalog/facts/catalog.h"
#include "tests/check.h"

static const char *const some_ids[] = {"h100-nvl-94gb",
                                       "h100-pcie-80gb",
                                       "h100-sxm5-80gb",
                                       "h200-sxm5-141gb",
                                       "gh200-96gb",
                                       "l40-48gb",
                                       "l40s-48gb",
                                       "mi300x-192gb",
                                       "mi325x-256gb",
                                       "llama-3.1-70b",
                                       "llama-3.1-8b",
                                       "mixtral-8x7b",
                                       "deepseek-r1",
                                       "deepseek-r1-distill-llama-70b",
                                       "rtx-pro-6000-blackwell-96gb"};

static void finds(const char *name, const char *want) {
    size_t index = 0;
    Err e = {0};
    if (!catalog_find("gpu", name, some_ids, COUNT_OF(some_ids), sizeof *some_ids, &index, &e))
        FAIL_("'%s': %s", name, e.text);
    CHECK_STR(some_ids[index], want);
}

static void finds_not(const char *name, const char *want) {
    size_t index = 77;
    Err e = {0};
    CHECK(!catalog_find("gpu", name, some_ids, COUNT_OF(some_ids), sizeof *some_ids, &index, &e));
    CHECK_INT(index, 77);
    CHECK_INT(e.kind, ERR_USAGE);
    CHECK_STR(e.text, want);
}

static void test_find_takes_ids_and_spellings(void) {
    finds("mi300x-192gb", "mi300x-192gb");
    finds("MI300X-192GB", "mi300x-192gb");
    finds("Llama 3.1_70B", "llama-3.1-70b");
    finds("llama-3-1-70b", "llama-3.1-70b");
    finds(" deepseek--r1 ", "deepseek-r1");  // exact, though the start of another
}

static void test_find_takes_short_names(void) {
    finds("mi300x", "mi300x-192gb");
    finds("h100-sxm5", "h100-sxm5-80gb");
    finds("H100 SXM5", "h100-sxm5-80gb");
    finds("h200", "h200-sxm5-141gb");
    finds("l40", "l40-48gb");
    finds("llama-3.1-8b", "llama-3.1-8b");
    finds("rtx-6000", "rtx-pro-6000-blackwell-96gb");
    finds("94gb", "h100-nvl-94gb");
}

static void test_find_lists_candidates(void) {
    finds_not("h100", "'h100' is ambiguous: h100-nvl-94gb, h100-pcie-80gb, h100-sxm5-80gb");
    finds_not("llama-70b", "'llama-70b' is ambiguous: llama-3.1-70b, deepseek-r1-distill-llama-70b");
    const char *many[20];
    Arena a = {0};
    for (int i = 0; i < 20; i++) many[i] = arena_printf(&a, "x-%d", i);
    size_t index = 0;
    Err e = {0};
    CHECK(!catalog_find("model", "X", many, COUNT_OF(many), sizeof *many, &index, &e));
    CHECK_STR(
        e.text,
        "'X' is ambiguous: x-0, x-1, x-2, x-3, x-4, x-5, x-6, x-7, x-8, x-9, x-10, x-11, ... (20 in all)");
    arena_free(&a);
}

static void test_find_guesses_what_was_meant(void) {
    finds_not("mi30x", "unknown gpu 'mi30x': did you mean 'mi300x-192gb' or 'mi325x-256gb'?");
    finds_not("h10-pcie", "unknown gpu 'h10-pcie': did you mean 'h100-pcie-80gb'?");
    finds_not("mixtrl-8x7b", "unknown gpu 'mixtrl-8x7b': did you mean 'mixtral-8x7b'?");
    finds_not("voodoo2", "unknown gpu 'voodoo2'");
}

static void test_find_survives_any_name(void) {
    finds_not("", "the name of the gpu is empty");
    finds_not(" ", "unknown gpu ' '");
    finds_not("---", "unknown gpu '---'");
    finds_not("a\x1b[31m\n\xff", "unknown gpu 'a?[31m?"
                                 "?'");
    char huge[10240];
    memset(huge, 'h', sizeof huge);
    huge[sizeof huge - 1] = '\0';
    finds_not(huge, "unknown gpu 'hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh...'");
    size_t index = 0;
    Err e = {0};
    CHECK(!catalog_find("gpu", "h100", NULL, 0, sizeof(Gpu), &index, &e));
    CHECK_STR(e.text, "unknown gpu 'h100'");
}

static void test_find_steps_over_rows(void) {
    const Gpu gpus[] = {{.sku_id = "a-1"}, {.sku_id = "b-2"}};
    size_t index = 0;
    Err e = {0};
    CHECK(catalog_find("gpu", "b", &gpus[0].sku_id, COUNT_OF(gpus), sizeof *gpus, &index, &e));
    CHECK_INT(index, 1);
}

static const TestCase tests[] = {
    TEST(find_takes_ids_and_spellings), TEST(find_takes_short_names), TEST(find_lists_candidates),
    TEST(find_guesses_what_was_meant),  TEST(find_survives_any_name), TEST(find_steps_over_rows),
};
TEST_MAIN(tests)
