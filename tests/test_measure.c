// src/advise: the command of a load generator that measures an option.
#include "src/advise/measure.h"

#include <string.h>

#include "tests/check.h"
#include "tests/fixture.h"

static Measure measure(const Model *m, const char *engine, double concurrency, double rate) {
    return (Measure){.model = m,
                     .engine = engine,
                     .hf_name = "org/model",
                     .isl = 1024,
                     .osl = 512,
                     .concurrency = concurrency,
                     .rate_rps = rate,
                     .output_tokens_s = 512};
}

static void holds(const Measure *m, const char *tool, const char *const *words, size_t n) {
    Arena a = {0};
    const char *command = measure_command(m, tool, &a);
    for (size_t i = 0; i < n; i++) {
        if (strstr(command, words[i]) == NULL) FAIL_("no '%s' in: %s", words[i], command);
    }
    if (strchr(command, '@') != NULL) FAIL_("not filled: %s", command);
    arena_free(&a);
}
#define HOLDS(m, tool, ...)                                                                                  \
    holds(&(m), tool, (const char *const[]){__VA_ARGS__},                                                    \
          sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void test_each_engine_has_its_own_and_users_keep_theirs(void) {
    Model model = llama_70b();
    Measure vllm = measure(&model, "vllm", 64, UNKNOWN), sglang = measure(&model, "sglang", 64, UNKNOWN),
            rate = measure(&model, "vllm", 64, 3.5), one = measure(&model, "llama.cpp", 1, UNKNOWN),
            many = measure(&model, "llama.cpp", 16, UNKNOWN),
            other = measure(&model, "tensorrt-llm", 64, UNKNOWN);
    HOLDS(vllm, "", "vllm bench serve ", "--model org/model ", "--random-input-len 1024 ",
          "--random-output-len 512 ", "--max-concurrency 64 ", "--num-prompts 700 ", "localhost:8000");
    HOLDS(rate, "", "--request-rate 3.5 ");
    HOLDS(sglang, "", "sglang.bench_serving ", "--random-range-ratio 1 ", "localhost:30000");
    HOLDS(sglang, "aiperf", "aiperf profile ", "--concurrency 64 ", "--url localhost:30000 ");
    HOLDS(sglang, "vllm-serve", "vllm bench serve ", "localhost:30000");
    HOLDS(vllm, "sglang-serve", "vllm bench serve ");  // speaks to no other server
    HOLDS(one, "", "llama-bench ", "-p 1024 -n 512 ");
    HOLDS(many, "llama-bench", "vllm bench serve ", "localhost:8080",
          "--max-concurrency 16 ");  // one at a time only
    HOLDS(other, "no such tool", "vllm bench serve ");
}

static const TestCase tests[] = {
    TEST(each_engine_has_its_own_and_users_keep_theirs),
};
TEST_MAIN(tests)
