// Names that users type for GPUs, models and sellers: whatever the bytes, there is a row or an error of one
// line, and what is said is clean.
#include <string.h>

#include "catalog/facts/names.h"
#include "tests/fuzz/fuzz.h"

static const UserName rows[] = {
    {NAMED_GPU, "h100", "h100-sxm5-80gb", "the common form", "test", "2026"},
    {NAMED_GPU, "mi200", "mi210-64gb; ;x;h100-pcie-80gb", "a series", "test", "2026"},
    {NAMED_PROVIDER, "io.net", "", "no list", "test", "2026"},
    {NAMED_VARIANT, "fp8", "fp8", "", "test", "2026"},
    {NAMED_VARIANT, "instruct", "", "", "test", "2026"},
    {NAMED_VARIANT, "q4-k-m", "int4", "", "test", "2026"},
};
static const Gpu gpus[] = {
    {.sku_id = "h100-pcie-80gb", .name = "NVIDIA H100 PCIe", .architecture = "hopper", .target = "9.0"},
    {.sku_id = "h100-sxm5-80gb", .name = "NVIDIA H100 SXM5", .architecture = "hopper", .target = "9.0"},
    {.sku_id = "mi210-64gb", .name = "AMD Instinct MI210", .architecture = "cdna2", .target = "gfx90a"}};
static const Model models[] = {
    {.model_id = "llama-3.1-70b", .hf_name = "meta-llama/Llama-3.1-70B", .weights_native = DTYPE_BF16},
    {.model_id = "mine", .hf_name = "", .weights_native = DTYPE_FP8}};
static const char *const providers[] = {"aws", "oci"};

static void must_be_clean(const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        MUST_HOLD((unsigned char)*c >= 0x20 && (unsigned char)*c != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    const char *typed = arena_copy(&a, (const char *)data, size);
    const UserNames names = {rows, COUNT_OF(rows)};
    const char *said = "";
    const Gpu *g = NULL;
    const Model *m = NULL;
    const char *provider = NULL;
    Err e = {0};
    if (strlen(typed) == size) {
        bool ok = catalog_find_gpu(&names, gpus, COUNT_OF(gpus), typed, &a, &g, &said, &e);
        MUST_HOLD(ok == (g != NULL) && ok != (e.text[0] != '\0'));
        must_be_clean(ok ? said : e.text);
        e = (Err){0};
        ok = catalog_find_model(&names, models, COUNT_OF(models), typed, &a, &m, &said, &e);
        MUST_HOLD(ok == (m != NULL) && ok != (e.text[0] != '\0'));
        must_be_clean(ok ? said : e.text);
        if (catalog_find_provider(&names, providers, COUNT_OF(providers), typed, &a, &provider, &said))
            must_be_clean(said);
    }
    arena_free(&a);
    return 0;
}
