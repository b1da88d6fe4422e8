// Names that users type: the rules on made-up rows, and the shipped table against the catalog that it refers
// to.
#include "catalog/facts/names.h"
#include "tests/check.h"

static const UserName some_names[] = {
    {NAMED_GPU, "h100", "h100-sxm5-80gb", "the common form", "test", "2026"},
    {NAMED_GPU, "mi200", "mi210-64gb; mi250-128gb", "a series", "test", "2026"},
    {NAMED_GPU, "mi900", "", "planned", "test", "2026"},
    {NAMED_GPU, "old", "not-in-this-catalog", "", "test", "2026"},
    {NAMED_PROVIDER, "io.net", "", "no list", "test", "2026"},
    {NAMED_PROVIDER, "oracle", "oci", "", "test", "2026"},
    {NAMED_PROVIDER, "gone", "closed", "", "test", "2026"},
    {NAMED_VARIANT, "4bit", "int4", "", "test", "2026"},
    {NAMED_VARIANT, "fp8", "fp8", "", "test", "2026"},
    {NAMED_VARIANT, "gguf", "", "packed", "test", "2026"},
    {NAMED_VARIANT, "gptq", "int4", "", "test", "2026"},
    {NAMED_VARIANT, "instruct", "", "", "test", "2026"},
    {NAMED_VARIANT, "int8", "int8", "", "test", "2026"},
    {NAMED_VARIANT, "it", "", "", "test", "2026"},
    {NAMED_VARIANT, "q4", "int4", "", "test", "2026"},
    {NAMED_VARIANT, "q4-k-m", "int4", "", "test", "2026"},
};
static const UserNames names = {some_names, COUNT_OF(some_names)};

static const Gpu gpus[] = {
    {.sku_id = "h100-nvl-94gb", .name = "NVIDIA H100 NVL 94GB", .architecture = "hopper", .target = "9.0"},
    {.sku_id = "h100-pcie-80gb", .name = "NVIDIA H100 PCIe 80GB", .architecture = "hopper", .target = "9.0"},
    {.sku_id = "h100-sxm5-80gb", .name = "NVIDIA H100 SXM5 80GB", .architecture = "hopper", .target = "9.0"},
    {.sku_id = "mi210-64gb", .name = "AMD Instinct MI210", .architecture = "cdna2", .target = "gfx90a"},
    {.sku_id = "mi250-128gb", .name = "AMD Instinct MI250", .architecture = "cdna2", .target = "gfx90a"},
    {.sku_id = "mi300x-192gb", .name = "AMD Instinct MI300X", .architecture = "cdna3", .target = ""},
};

static Arena arena;

// `taken`: what the sentence holds; "": nothing was taken for another name.
static void gpu_is(const char *typed, const char *want, const char *taken) {
    const Gpu *g = NULL;
    const char *said = NULL;
    Err e = {0};
    if (!catalog_find_gpu(&names, gpus, COUNT_OF(gpus), typed, &arena, &g, &said, &e))
        FAIL_("'%s': %s", typed, e.text);
    CHECK_STR(g->sku_id, want);
    CHECK_INT(said[0] == '\0', taken[0] == '\0');
    if (!text_contains(said, taken)) FAIL_("'%s' says '%s'", typed, said);
}

static void gpu_is_not(const char *typed, const char *says) {
    const Gpu *g = NULL;
    const char *said = NULL;
    Err e = {0};
    CHECK(!catalog_find_gpu(&names, gpus, COUNT_OF(gpus), typed, &arena, &g, &said, &e));
    CHECK(g == NULL && said == NULL);
    CHECK_INT(e.kind, ERR_USAGE);
    if (!text_contains(e.text, says)) FAIL_("'%s' says '%s'", typed, e.text);
}

static void test_names_of_gpus(void) {
    gpu_is("h100-pcie-80gb", "h100-pcie-80gb", "");
    gpu_is("H100 NVL 94GB", "h100-nvl-94gb", "");
    gpu_is("AMD Instinct MI300X", "mi300x-192gb", "");
    gpu_is("mi300x", "mi300x-192gb", "");
    gpu_is(
        "H100", "h100-sxm5-80gb",
        "'H100' taken as h100-sxm5-80gb: the common form; also of that name: h100-nvl-94gb, h100-pcie-80gb");
    gpu_is("NVIDIA H100", "h100-sxm5-80gb", "the common form");
    gpu_is("h100-pcie", "h100-pcie-80gb", "");
    gpu_is("CDNA3", "mi300x-192gb", "the only one of that architecture");
    gpu_is_not("mi200", "'mi200' is a name of several GPUs: mi210-64gb, mi250-128gb; a series");
    gpu_is_not("mi900", "the catalog has no figures of 'mi900': planned");
    gpu_is_not("gfx90a", "the architecture of several GPUs: mi210-64gb, mi250-128gb");
    gpu_is_not("128gbx", "unknown GPU");
    gpu_is_not("old", "unknown GPU 'old'");
    gpu_is_not("", "empty");
    gpu_is_not("amd", "unknown GPU 'amd'");
    gpu_is_not("a\x1b[31m\n", "a?[31m?");
    arena_free(&arena);
}

static const Model models[] = {
    {.model_id = "deepseek-r1", .hf_name = "deepseek-ai/DeepSeek-R1", .weights_native = DTYPE_FP8},
    {.model_id = "gemma-3-27b", .hf_name = "google/gemma-3-27b-it", .weights_native = DTYPE_BF16},
    {.model_id = "llama-3.1-70b", .hf_name = "meta-llama/Llama-3.1-70B", .weights_native = DTYPE_BF16},
    {.model_id = "mistral-7b", .hf_name = "mistralai/Mistral-7B-v0.3", .weights_native = DTYPE_BF16},
    {.model_id = "mine", .hf_name = "", .weights_native = DTYPE_BF16},
    {.model_id = "twin-a", .hf_name = "x/Twin-8B-it", .weights_native = DTYPE_BF16},
    {.model_id = "twin-b", .hf_name = "y/Twin-8B-Instruct", .weights_native = DTYPE_BF16},
};

static void model_is(const char *typed, const char *want, const char *taken) {
    const Model *m = NULL;
    const char *said = NULL;
    Err e = {0};
    if (!catalog_find_model(&names, models, COUNT_OF(models), typed, &arena, &m, &said, &e))
        FAIL_("'%s': %s", typed, e.text);
    CHECK_STR(m->model_id, want);
    CHECK_INT(said[0] == '\0', taken[0] == '\0');
    if (!text_contains(said, taken)) FAIL_("'%s' says '%s'", typed, said);
}

static void model_is_not(const char *typed, const char *says) {
    const Model *m = NULL;
    const char *said = NULL;
    Err e = {0};
    CHECK(!catalog_find_model(&names, models, COUNT_OF(models), typed, &arena, &m, &said, &e));
    CHECK_INT(e.kind, ERR_USAGE);
    if (!text_contains(e.text, says)) FAIL_("'%s' says '%s'", typed, e.text);
}

static void test_names_of_the_hub(void) {
    model_is("meta-llama/llama-3.1-70b", "llama-3.1-70b", "");
    model_is("LLAMA-3.1-70B", "llama-3.1-70b", "");
    model_is("Llama-3.1-70B-Instruct", "llama-3.1-70b", "'Llama-3.1-70B-Instruct' taken as llama-3.1-70b");
    model_is("unsloth/Llama-3.1-70B", "llama-3.1-70b", "taken as");
    model_is("mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b", "taken as");  // in the middle
    // fewer words than the catalog's
    model_is("google/gemma-3-27b", "gemma-3-27b", "taken as");
    model_is("deepseek-ai/DeepSeek-R1-0528", "deepseek-r1", "taken as");  // a date
    model_is("y/Twin-8B-Instruct", "twin-b", "");
    model_is("mine", "mine", "");
    model_is_not("z/Twin-8B", "ambiguous: twin-a, twin-b");
    model_is_not("mistralai/Mistral-7B-Instruct-v0.2", "unknown model");
    model_is_not("nous/Hermes-3-Llama-3.1-70B", "did you mean 'llama-3.1-70b', which is part of its name?");
    model_is_not("Lama-3.1-70B", "did you mean 'llama-3.1-70b'");
    model_is_not("llama-3.1-70b/", "unknown model");
    model_is_not("/", "unknown model");
    model_is_not("instruct", "unknown model");
    model_is_not("x/\x1b[31m", "?[31m");
    arena_free(&arena);
}

// A word for narrower weights is said to be dropped, with the option that asks for them; not where they are
// the model's own.
static void test_names_with_weights(void) {
    model_is("amd/Llama-3.1-70B-Instruct-FP8", "llama-3.1-70b",
             "'fp8' in the name is not taken over: such weights are asked for by --weights fp8");
    model_is("x/Llama-3.1-70B-GPTQ-Int8", "llama-3.1-70b", "--weights int8");
    model_is("x/Llama-3.1-70B-GGUF-4bit", "llama-3.1-70b", "--weights int4");
    model_is("x/Llama-3.1-70B-Q4_K_M", "llama-3.1-70b", "'q4-k-m' in the name");
    model_is("x/Llama-3.1-70B-GGUF", "llama-3.1-70b", "narrower weights are asked for by --weights");
    const Model *m = NULL;
    const char *said = "";
    CHECK(catalog_find_model(&names, models, COUNT_OF(models), "x/DeepSeek-R1-FP8", &arena, &m, &said, NULL));
    CHECK(text_contains(said, "taken as deepseek-r1") && !text_contains(said, "--weights"));
    arena_free(&arena);
}

static void provider_is(const char *typed, const char *want, const char *taken) {
    static const char *const providers[] = {"aws", "oci"};
    const char *found = "";
    const char *said = "";
    CHECK_INT(catalog_find_provider(&names, providers, COUNT_OF(providers), typed, &arena, &found, &said),
              want[0] != '\0');
    CHECK_STR(found, want);
    CHECK_STR(said, taken);
}

static void test_names_of_sellers(void) {
    provider_is("oci", "oci", "");
    provider_is("AWS", "aws", "");
    provider_is("Oracle", "oci", "provider 'Oracle' taken as oci");
    provider_is("IO net", "io.net", "no price of io.net is in the catalog: no list");
    provider_is("gone", "closed", "no price of closed is in the catalog");
    provider_is("nobody", "", "");
    provider_is("", "", "");
    // A seller of the user's own goes before another's second name.
    static const char *const own[] = {"oracle"};
    const char *found = "";
    const char *said = "";
    CHECK(catalog_find_provider(&names, own, 1, "oracle", &arena, &found, &said));
    CHECK_STR(found, "oracle");
    arena_free(&arena);
}

// ---------------------------------------------------------------- the shipped table

typedef struct Shipped {
    Catalog *catalog;
    UserNames names;
    void *gpus, *offers, *claims, *libraries, *packages;
    size_t n_gpus, n_offers, n_claims, n_libraries, n_packages;
} Shipped;

static void shipped_open(Shipped *s) {
    const char *warning = "";
    Err e = {0};
    bool ok = catalog_open(&(CatalogOptions){NULL, NULL}, &arena, &s->catalog, &warning, &e) &&
              catalog_names(s->catalog, &arena, &s->names, &e) &&
              catalog_rows(s->catalog, TABLE_GPUS, &arena, &s->gpus, &s->n_gpus, &e) &&
              catalog_rows(s->catalog, TABLE_OFFERS, &arena, &s->offers, &s->n_offers, &e) &&
              catalog_rows(s->catalog, TABLE_SUPPORT, &arena, &s->claims, &s->n_claims, &e) &&
              catalog_rows(s->catalog, TABLE_LIBRARIES, &arena, &s->libraries, &s->n_libraries, &e) &&
              catalog_rows(s->catalog, TABLE_PACKAGES, &arena, &s->packages, &s->n_packages, &e);
    if (!ok) FAIL_("%s", e.text);
}

static bool is_gpu(const Shipped *s, Str id) {
    for (size_t i = 0; i < s->n_gpus; i++) {
        if (str_is(id, ((const Gpu *)s->gpus)[i].sku_id)) return true;
    }
    return false;
}

static bool is_subject(const Shipped *s, Str id) {
    bool found = false;
    for (size_t i = 0; i < s->n_claims; i++)
        found = found || str_is(id, ((const Claim *)s->claims)[i].subject);
    for (size_t i = 0; i < s->n_libraries; i++)
        found = found || str_is(id, ((const Library *)s->libraries)[i].cuda_name);
    for (size_t i = 0; i < s->n_packages; i++)
        found = found || str_is(id, ((const Package *)s->packages)[i].package);
    return found;
}

static bool is_provider(const Shipped *s, Str id) {
    bool found = false;
    for (size_t i = 0; i < s->n_offers; i++)
        found = found || str_is(id, ((const Offer *)s->offers)[i].provider);
    for (size_t i = 0; i < s->names.n; i++)
        found = found || (s->names.rows[i].kind == NAMED_PROVIDER && str_is(id, s->names.rows[i].name) &&
                          s->names.rows[i].means[0] == '\0');
    return found;
}

static bool is_meaning(const Shipped *s, const UserName *row, Str id) {
    switch ((NamedKind)row->kind) {
    case NAMED_GPU: return is_gpu(s, id);
    case NAMED_PROVIDER: return is_provider(s, id);
    case NAMED_SUBJECT: return is_subject(s, id);
    case NAMED_VARIANT: return name_index(dtype_names + 1, row->means) >= 0;
    case NAMED_API: return str_is(id, row->name);
    case NAMED_KIND_COUNT: break;
    }
    return false;
}

static void test_names_mean_what_is_there(void) {
    Shipped s = {0};
    shipped_open(&s);
    CHECK(s.names.n > 100);
    for (size_t i = 0; i < s.names.n; i++) {
        const UserName *row = &s.names.rows[i];
        Str rest = str_of(row->means);
        Str id;
        while (user_name_next(&rest, &id)) {
            if (!is_meaning(&s, row, id))
                FAIL_("%s '%s' means '%.*s', which is not there", named_kind_names[row->kind], row->name,
                      (int)id.length, id.data);
        }
        if (user_name(&s.names, (NamedKind)row->kind, row->name) != row)
            FAIL_("%s '%s' stands twice", named_kind_names[row->kind], row->name);
    }
    catalog_close(s.catalog);
    arena_free(&arena);
}

static size_t sellers_of(const Shipped *s, const char *sku_id) {
    const Offer *offers = s->offers;
    const char *last = "";
    size_t n = 0;
    for (size_t i = 0; i < s->n_offers; i++) {  // by provider
        if (strcmp(offers[i].sku_id, sku_id) != 0 || strcmp(offers[i].provider, last) == 0) continue;
        last = offers[i].provider;
        n++;
    }
    return n;
}

// No other form of the name has more sellers than the one taken for it: prices that come in may prove the
// table wrong.
static void test_names_take_the_form_that_is_sold(void) {
    Shipped s = {0};
    shipped_open(&s);
    size_t compared = 0;
    for (size_t i = 0; i < s.names.n; i++) {
        const UserName *row = &s.names.rows[i];
        if (row->kind != NAMED_GPU || strchr(row->means, ';') != NULL || row->means[0] == '\0') continue;
        for (size_t k = 0; k < s.n_gpus; k++) {
            const char *sku = ((const Gpu *)s.gpus)[k].sku_id;
            if (strcmp(sku, row->means) == 0 || !name_parts_in(row->name, sku)) continue;
            if (sellers_of(&s, sku) > sellers_of(&s, row->means))
                FAIL_("'%s': %s has more sellers than %s", row->name, sku, row->means);
            compared++;
        }
    }
    CHECK(compared > 5);
    catalog_close(s.catalog);
    arena_free(&arena);
}

// Names of one row are found as such, and no word of the table hides an id of a GPU.
static void test_names_hide_no_id(void) {
    Shipped s = {0};
    shipped_open(&s);
    for (size_t i = 0; i < s.n_gpus; i++) {
        const Gpu *own = &((const Gpu *)s.gpus)[i];
        const Gpu *g = NULL;
        const char *said = "";
        Err e = {0};
        if (!catalog_find_gpu(&s.names, s.gpus, s.n_gpus, own->sku_id, &arena, &g, &said, &e) || g != own ||
            said[0] != '\0')
            FAIL_("'%s' is not itself", own->sku_id);
    }
    catalog_close(s.catalog);
    arena_free(&arena);
}

static const TestCase tests[] = {
    TEST(names_of_gpus),    TEST(names_of_the_hub),         TEST(names_with_weights),
    TEST(names_of_sellers), TEST(names_mean_what_is_there), TEST(names_take_the_form_that_is_sold),
    TEST(names_hide_no_id),
};
TEST_MAIN(tests)
