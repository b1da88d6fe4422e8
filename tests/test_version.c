// src/perf/version.c: versions of engines as people write them.
#include "src/perf/version.h"

#include "src/base/base.h"
#include "tests/check.h"

static const double NONE = (double)NAN;

typedef struct Case {
    const char *engine, *text;
    double release, date;
} Case;

static void check(const Case *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        EngineVersion v = engine_version(cases[i].engine, cases[i].text);
        CHECK_NEAR(v.release, cases[i].release, 1e-9);
        CHECK_NEAR(v.date, cases[i].date, 1e-9);
    }
}

static void test_releases(void) {
    static const Case cases[] = {
        {"vllm", "0.6.1", 601, NONE},
        {"vllm", "0.6.3.post1", 603.01, NONE},
        {"vllm", "0.6.3.post2.dev308", 603.02, NONE},
        {"vllm", "vLLM 0.22.1", 2201, NONE},
        {"vllm", "0.11.2.dev (ROCm nightly, Triton attention)", 1101.5, NONE},
        {"sglang", "0.5.3-0.5.5", 503, NONE},
        {"sglang", "v0.5.10rc0 (first light)", 509.5, NONE},
        {"tensorrt-llm", ">1.0", 10000, NONE},
        {"tensorrt-llm", "1.0-1.2.0rc5", 10000, NONE},
        {"tensorrt-llm", "1.2.0rc5", 10199.5, NONE},
        {"tensorrt", "TensorRT 10.11; CUDA 12.9", 101100, NONE},
        {"llama.cpp", "b7423 rocm7.1.1", 7423, NONE},
        {"llama.cpp", "b9187 vulkan_radv", 9187, NONE},
    };
    check(cases, COUNT_OF(cases));
}

// What an engine stands on has versions of its own.
static void test_versions_of_others(void) {
    static const Case cases[] = {
        {"vllm", "0.9.1 / ROCm 6.4.1", 901, NONE},
        {"vllm", "ROCm 6.10.5", NONE, NONE},
        {"vllm", "PyTorch 2.9.1+git8907517; ROCm 7.0.0", NONE, NONE},
        {"tensorrt-llm", "TensorRT 10.14; CUDA 13.1; cuDNN 9.17", NONE, NONE},
        {"tensorrt-llm", "tensorrt-llm 1.1.0", 10100, NONE},
        {"disaggregated", "tensorrtllm-runtime:0.8.1.post3", NONE, NONE},
        {"sglang", "sglang:v0.5.9-rocm700-mi30x", 509, NONE},
        {"sglang", "0.5.19-rocm720", 519, NONE},
        {"atom", "atom:rocm7.1.1-ubuntu24.04-pytorch2.9-atom0.1.1-MI350x", 101, NONE},
        {"vllm", "0.9.0.2.dev108+g71faa1880.d20250730.rocm641", 899.52, 2025 + (6 + 30 / 31.0) / 12},
        {"atom", "atom:rocm7.2.3_ubuntu24.04_py3.12_pytorch_release_2.10.0_atom20260511", NONE,
         2026 + (4 + 11 / 31.0) / 12},
    };
    check(cases, COUNT_OF(cases));
}

static void test_dates(void) {
    double middle = 15 / 31.0;
    const Case cases[] = {
        {"vllm", "2026-05", NONE, 2026 + (4 + middle) / 12},
        {"sglang", "nightly 2026-05", NONE, 2026 + (4 + middle) / 12},
        {"vllm", "nightly 2025-11-03", NONE, 2025 + (10 + 3 / 31.0) / 12},
        {"vllm", "2026-05 (ROCm 7.2.1, triton attention)", NONE, 2026 + (4 + middle) / 12},
        {"vllm", "2026 (ROCm attention)", NONE, 2026.5},
        {"sglang", "2025-11..2026-04 (see page)", NONE,
         (2025 + (10 + middle) / 12 + 2026 + (3 + middle) / 12) / 2},
        {"atom", "2025-2026", NONE, 2026},
        {"pytorch", "25.04", NONE, 2025 + (3 + middle) / 12},
        {"megatron-bridge", "26.04-26.06 container", NONE, 2026 + (3 + middle) / 12},
        {"pytorch", "2.8.0.dev20251001", 20799.5, 2025 + (9 + 1 / 31.0) / 12},
        {"", "2024.1", NONE, 2024.5},
    };
    check(cases, COUNT_OF(cases));
}

static void test_garbage_is_unknown(void) {
    static const char *const texts[] = {"",
                                        "main",
                                        "amd/deepseek_v4 branch",
                                        "3",
                                        "...",
                                        "v",
                                        "b",
                                        ".5",
                                        "1.",
                                        "99999999999.1",
                                        "-1",
                                        "1e308",
                                        "\xff\xfe",
                                        "b12x",
                                        "cu130",
                                        "20251399",
                                        "2025x.",
                                        "post1"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        EngineVersion v = engine_version("vllm", texts[i]);
        CHECK(!is_known(v.release));
        CHECK(!is_known(v.date) || v.date == 2025.5);
    }
    CHECK(!is_known(engine_version("llama.cpp", "b").release));
    CHECK(!is_known(engine_version("", "20251399").date));
}

// Later releases are larger numbers, whatever is added to them.
static void test_order(void) {
    static const char *const rising[] = {"0.6.3rc1", "0.6.3",     "0.6.3.post1", "0.6.4.dev",
                                         "0.6.4",    "0.10.0rc2", "0.10.0",      "0.10.2",
                                         "1.0.0rc0", "1.0",       "1.2.0"};
    for (size_t i = 1; i < COUNT_OF(rising); i++)
        CHECK(engine_version("vllm", rising[i - 1]).release < engine_version("vllm", rising[i]).release);
}

static void test_dates_of_rows(void) {
    CHECK_NEAR(years_of_date("2025"), 2025.5, 1e-9);
    CHECK_NEAR(years_of_date("2025-07"), 2025 + (6 + 15 / 31.0) / 12, 1e-9);
    CHECK_NEAR(years_of_date("2025-07-31"), 2025 + 7 / 12.0, 1e-9);
    CHECK(!is_known(years_of_date("")) && !is_known(years_of_date("soon")));
}

static const TestCase tests[] = {
    TEST(releases), TEST(versions_of_others), TEST(dates), TEST(garbage_is_unknown),
    TEST(order),    TEST(dates_of_rows),
};

TEST_MAIN(tests)
