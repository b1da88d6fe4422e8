// Command lines with their exit code and a part of what they answer or refuse: forms and refusals that the tests from outside leave out.
#include "tests/line_world.h"

typedef struct Line {
    const char *words;
    int code;
    const char *part;  // of the answer, or of what is said on standard error
} Line;

#define LLAMA "--model llama-3.1-70b --gpu mi300x --gpus 8"
#define R1 "--model deepseek-r1 --gpu mi300x"
#define DAY "tests/payloads/traffic/day.csv"
#define RUNS "tests/fuzz/corpus/runs"

static const Line estimates[] = {
    {"estimate " LLAMA " --engine vllmm", 2, "unknown engine 'vllmm'; did you mean 'vllm'?"},
    {"estimate " R1 " --gpus 8 --tp 4 --dp 2 --ep 3", 2, "not over 3"},
    {"estimate " R1 " --gpus 8 --tp 3", 2, "8 GPUs cannot be split into tp 3 x pp 1 x dp 1"},
    {"estimate " R1 " --gpus 16 --tp 2 --dp 8 --ep 4 --prefill-gpus 8", 2,
     "over a replica or over all: 2 or 16"},
    {"estimate " LLAMA " --tp 4 --pp 2 --prefill-gpus 8", 2, "not with '--pp'"},
    {"estimate " LLAMA " --tp 1 --dp 8 --concurrency 1", 0, "leave some of 8 replicas idle"},
    {"estimate " LLAMA " --isl 200000 --osl 1000", 0, "201000 tokens are more than the 131072"},
    {"estimate " LLAMA " --rate 100000", 0, "figures are at its limit of"},
    {"estimate " LLAMA " --concurrency 5000", 0, "of 5000 requests can run at once"},
    {"estimate " LLAMA " --sessions 16 --cached-prompt 0.5", 2, "which follows from it"},
    {"estimate " LLAMA " --sessions 16 --prefill-gpus 8", 2, "nor with '--prefill-gpus'"},
    {"estimate --model llama-3.1-70b --gpu mi300x --gpus 16 --tp 8 --prefill-gpus 8", 0,
     "8 GPUs read prompts, 8 write answers."},
    {"check --model llama-3.1-70b --gpu mi300x --tokens-per-s 2000 --format md", 0,
     "| - | serving | plausible | 2000 |"},
    {"check --model llama-3.1-70bb --gpu mi300x --tokens-per-s 2000", 2, "did you mean 'llama-3.1-70b'"},
    {"calibrate --tasks", 0, "ln SHARE"},
    {"calibrate --tasks --tsv", 0, "effect\tlevel\tshift\tsigma_log"},
    {"report --workload llama70b --isl 200000", 3, "200512 tokens are more than the 131072"},
    {"report --workload llama70b --current mi300x", 2, "has no '@' and price in it"},
    {"report --workload llama70b --current 8xmi300x-192gb@2 --current 4xh100-sxm5-80gb@3", 2,
     "one fleet of one GPU can run today, not 2"},
    {"stack show docs/stacks/moves.stack --gpu mi300xx", 2, "unknown GPU 'mi300xx'"},
    {"traffic describe " DAY " --service-ms 1,2,3,4", 2, "more than three numbers"},
    {"traffic describe " DAY " " DAY, 0, "2 files:"},
};

static const Line prices[] = {
    {"prices list --gpu mi300x --unmapped", 2, "'--gpu' and '--unmapped' exclude each other"},
    {"prices list --quarantined mi300x --provider vast", 0, "No row is quarantined."},
    {"prices history mi300x --since 2026-11-01 --spot", 3,
     "No spot price of mi300x-192gb was seen in that time."},
    {"prices diff --since 5d --vendor amd --spot", 0, "No refreshed or imported price changed since"},
    {"prices import %/extra.csv --name x", 0, "2 columns not read: colour, mood"},
    {"prices history mi300x --json", 0, "\"provider\": \"x\""},
    {"prices refresh runpod --from https://localhost:1/x", 2, "no feeds can be named with it"},
    {"prices refresh --from %/none", 2, "is not an https URL"},
    {"prices accept 99999", 2, "no row '99999' is held"},
};

static const Line runs[] = {
    {"runs export", 3, "no run of your own is kept yet"},
    {"validate --runs --format md", 3, "0 runs, of which 0 count"},
    {"runs import tests/payloads/runs/own_csv", 0, "1 file: 1 taken."},
    {"runs import %/runs.csv", 0, "1 file: 1 taken."},
    {"runs export --format md", 2, "runs are exported as CSV or JSON"},
    {"runs export --format json", 0, "\"runs\": ["},
    {"runs export", 0, "gpu_sku"},
    {"runs show 1 2", 0, "mi300x-192gb"},
    {"completion words -- runs show ", 0, "2"},
    {"runs show 99", 2, "no run 99 of your own"},
    {"runs remove x", 2, "runs have numbers"},
    {"runs remove 1 2 --json", 0, "\"removed\": ["},
    {"bench import " RUNS "/exported " RUNS "/answer", 0,
     "as this version does not know their tests: 1 result"},
    {"bench import docs/testing.md", 1, "is neither a value nor a name"},
    {"completion words -- bench compare ", 0, "2"},
    {"bench compare 1 99", 2, "no run 99"},
    {"bench compare " RUNS "/exported " RUNS "/answer", 0, "of 4 and 2 tests both have 1"},
    {"bench verify --reference " RUNS "/exported --record %/r", 2, "that is for `bench fleet`"},
    {"bench --join %/j --record %/r", 2, "which no record keeps"},
};

static void check_lines(const Line *lines, size_t n) {
    for (size_t i = 0; i < n; i++) {
        Ran ran = line_run(lines[i].words);
        bool found = strstr(ran.out, lines[i].part) != NULL || strstr(ran.said, lines[i].part) != NULL;
        if (ran.code != lines[i].code || !found)
            FAIL_("%s: exit %d, wanted %d and '%s':\n%.2000s\n%.2000s", lines[i].words, ran.code,
                  lines[i].code, lines[i].part, ran.out, ran.said);
    }
    scratch_free(&scratch);
}

static void test_estimates(void) {
    line_home();
    check_lines(estimates, COUNT_OF(estimates));
}

static void test_prices(void) {
    const char extra[] =
        "instance,region,gpu,gpu_count,price_per_hour,colour,mood\nm0,eu-1,MI300X,8,16,red,good\n";
    line_home();
    scratch_write(scratch_path(&scratch, "extra.csv"), extra, sizeof extra - 1);
    check_lines(prices, COUNT_OF(prices));
}

static void test_runs(void) {
    line_home();
    line_measured();
    check_lines(runs, COUNT_OF(runs));
}

static const TestCase tests[] = {TEST(estimates), TEST(prices), TEST(runs)};
TEST_MAIN(tests)
