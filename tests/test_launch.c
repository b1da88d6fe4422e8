// src/advise/launch: the command of every engine, layout and precision; quoting for a shell.
#include "src/advise/launch.h"

#include <math.h>
#include <string.h>

#include "catalog/facts/catalog.h"
#include "tests/advise_world.h"

// An option by hand: 64 of its sequences run on each replica, of 1024 in and 512 out.
typedef struct Plan {
    World w;
    Option o;
    EngineLimits limits;
    Efficiency group;
    Launch l;
} Plan;

static void plan(Plan *p, const char *engine, Layout layout, Dtype weights, Dtype kv) {
    make(&p->w);
    p->w.advice = (Advice){.ask = &p->w.ask};
    p->w.model.hf_name = "maker/Llama-70B";
    p->limits = (EngineLimits){.engine = engine, .memory_fraction = 0.9};
    p->group = (Efficiency){0};
    p->o = (Option){.gpu = &p->w.gpus[0],
                    .offer = &p->w.offers[0],
                    .instances = 1,
                    .gpu_count = 8,
                    .layout = layout,
                    .engine = engine,
                    .weights = weights,
                    .kv = kv,
                    .concurrency = 64};
    p->o.replicas = 8 / (layout.tp * layout.pp);
    p->o.point = (Point){.concurrency = 64, .running = 64};
    p->o.serving = (Serving){.gpu = p->o.gpu,
                             .model = &p->w.model,
                             .engine = engine,
                             .layout = layout,
                             .limits = &p->limits,
                             .group = &p->group,
                             .sequences_max = 300.7};
}

static const char *command(Plan *p) {
    CHECK(launch_of(&p->w.advice, &p->o, &p->w.arena, &p->l));
    return p->l.command;
}

static bool noted(const Plan *p, const char *part) {
    for (size_t i = 0; i < p->l.n_notes; i++) {
        if (text_contains(p->l.notes[i], part)) return true;
    }
    return false;
}

static const struct {
    const char *engine;
    Layout layout;
    Dtype weights, kv;
    const char *command;
} golden[] = {
    {"vllm",
     {1, 1, 1, 1},
     DTYPE_BF16,
     DTYPE_BF16,
     "vllm serve maker/Llama-70B --max-model-len 1536 --max-num-seqs 64 --gpu-memory-utilization 0.9"},
    {"vllm",
     {4, 2, 1, 1},
     DTYPE_FP8,
     DTYPE_FP8,
     "vllm serve maker/Llama-70B --quantization fp8_per_tensor --tensor-parallel-size 4 "
     "--pipeline-parallel-size 2 --kv-cache-dtype fp8 --max-model-len 1536 --max-num-seqs 64 "
     "--gpu-memory-utilization 0.9"},
    {"vllm",
     {2, 1, 8, 4},
     DTYPE_FP16,
     DTYPE_FP16,
     "vllm serve maker/Llama-70B --dtype float16 --tensor-parallel-size 2 --data-parallel-size 4 "
     "--enable-expert-parallel --max-model-len 1536 --max-num-seqs 64 --gpu-memory-utilization 0.9"},
    {"sglang",
     {8, 1, 1, 1},
     DTYPE_BF16,
     DTYPE_FP8,
     "python3 -m sglang.launch_server --model-path maker/Llama-70B --tp-size 8 --kv-cache-dtype fp8_e4m3 "
     "--context-length 1536 --max-running-requests 64 --mem-fraction-static 0.9"},
    {"sglang",
     {2, 1, 8, 4},
     DTYPE_FP8,
     DTYPE_BF16,
     "python3 -m sglang.launch_server --model-path maker/Llama-70B --quantization fp8 --tp-size 8 "
     "--enable-dp-attention --dp-size 4 --ep-size 8 --context-length 1536 --max-running-requests 256 "
     "--mem-fraction-static 0.9"},
    {"tensorrt-llm",
     {2, 2, 1, 1},
     DTYPE_BF16,
     DTYPE_FP8,
     "trtllm-serve maker/Llama-70B --tp_size 2 --pp_size 2 --kv_cache_dtype fp8 --max_seq_len 1536 "
     "--max_batch_size 64 --kv_cache_free_gpu_memory_fraction 0.9"},
    {"tensorrt-llm",
     {1, 1, 8, 8},
     DTYPE_BF16,
     DTYPE_BF16,
     "trtllm-serve maker/Llama-70B --tp_size 8 --enable_attention_dp --ep_size 8 --max_seq_len 1536 "
     "--max_batch_size 64 --kv_cache_free_gpu_memory_fraction 0.9"},
    {"tensorrt-llm",
     {1, 1, 1, 1},
     DTYPE_FP8,
     DTYPE_BF16,
     "trtllm-serve ./llama-70b-fp8 --max_seq_len 1536 --max_batch_size 64 "
     "--kv_cache_free_gpu_memory_fraction 0.9"},
    {"atom",
     {4, 1, 8, 2},
     DTYPE_FP8,
     DTYPE_FP8,
     "python3 -m atom.entrypoints.openai_server --model maker/Llama-70B --online_quant_config "
     "'{\"global_quant_config\":\"ptpc_fp8\",\"exclude_layer\":[\"lm_head\",\"*.gate.*\"]}' "
     "--tensor-parallel-size 4 "
     "--data-parallel-size 2 --enable-expert-parallel --kv_cache_dtype fp8 --max-model-len 1536 "
     "--max-num-seqs 64 --gpu-memory-utilization 0.9"},
    {"llama.cpp",
     {1, 1, 1, 1},
     DTYPE_INT4,
     DTYPE_FP16,
     "llama-server -m ./llama-70b-int4.gguf --split-mode none -ngl 99 -c 98304 -np 64"},
    {"llama.cpp",
     {2, 1, 1, 1},
     DTYPE_BF16,
     DTYPE_INT8,
     "llama-server -m ./llama-70b-bf16.gguf --split-mode tensor -ngl 99 -ctk q8_0 -ctv q8_0 -c 98304 -np 64"},
    {"llama.cpp",
     {1, 4, 1, 1},
     DTYPE_BF16,
     DTYPE_BF16,
     "llama-server -m ./llama-70b-bf16.gguf --split-mode layer -ngl 99 -ctk bf16 -ctv bf16 -c 98304 -np 64"},
};

static void test_golden_commands(void) {
    for (size_t i = 0; i < COUNT_OF(golden); i++) {
        Plan p;
        plan(&p, golden[i].engine, golden[i].layout, golden[i].weights, golden[i].kv);
        CHECK_STR(command(&p), golden[i].command);
        CHECK_INT(p.l.gpus, golden[i].layout.tp * golden[i].layout.pp * golden[i].layout.dp);
        CHECK_INT(p.l.servers, 8 / p.l.gpus);
        CHECK_INT(p.l.servers_per_instance, 8 / p.l.gpus);
        CHECK_INT(noted(&p, "share an instance"), p.l.gpus < 8);
        CHECK(p.l.source[0] != '\0' && p.l.as_of[0] != '\0');
        arena_free(&p.w.arena);
    }
}

// What is not said by an option is said by a note.
static void test_notes(void) {
    Plan p;
    plan(&p, "tensorrt-llm", (Layout){2, 1, 8, 4}, DTYPE_BF16, DTYPE_INT8);
    command(&p);
    CHECK(noted(&p, "TP2 within each of the 4 replicas cannot be said"));
    CHECK(noted(&p, "KV cache in int8"));
    arena_free(&p.w.arena);
    plan(&p, "llama.cpp", (Layout){2, 4, 1, 1}, DTYPE_BF16, DTYPE_FP8);
    command(&p);
    CHECK(noted(&p, "not both"));
    CHECK(noted(&p, "experimental"));
    CHECK(noted(&p, "KV cache in fp8"));
    arena_free(&p.w.arena);
    plan(&p, "vllm", (Layout){16, 1, 1, 1}, DTYPE_INT4, DTYPE_BF16);
    p.o.instances = p.o.replicas = 2;
    p.o.gpu_count = 32;
    p.w.ask.techniques.power_cap_w = 400;
    command(&p);
    CHECK(noted(
        &p, "./llama-70b-int4 stands for a checkpoint of llama-70b (released in bf16) with weights in int4"));
    CHECK(noted(&p, "one machine that sees all 16 GPUs"));
    CHECK(noted(&p, "400 W"));
    CHECK(!noted(&p, "share an instance"));
    arena_free(&p.w.arena);
}

// Requests that come at a rate may all be there at once: what fits, not the mean.
static void test_arriving_requests_get_what_fits(void) {
    Plan p;
    plan(&p, "vllm", (Layout){8, 1, 1, 1}, DTYPE_BF16, DTYPE_BF16);
    p.w.ask.workload.rate_rps = 3;
    p.o.point.running = 12.5;
    CHECK(text_contains(command(&p), "--max-num-seqs 300 "));
    p.w.ask.workload.rate_rps = UNKNOWN;
    CHECK(text_contains(command(&p), "--max-num-seqs 13 "));
    arena_free(&p.w.arena);
}

static void test_drafts(void) {
    static const struct {
        const char *engine, *words, *note;
    } cases[] = {
        {"vllm", " --speculative-config '{\"method\":\"mtp\",\"num_speculative_tokens\":3}'", NULL},
        {"sglang",
         " --speculative-algorithm EAGLE --speculative-num-steps 3 --speculative-eagle-topk 1 "
         "--speculative-num-draft-tokens 4",
         NULL},
        {"tensorrt-llm", NULL, "num_nextn_predict_layers: 3"},
        {"atom", " --method mtp --num-speculative-tokens 3", NULL},
        {"llama.cpp", NULL, "second model"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Plan p;
        plan(&p, cases[i].engine, (Layout){8, 1, 1, 1}, DTYPE_BF16, DTYPE_BF16);
        const char *without = command(&p);
        p.w.ask.techniques.draft_tokens = 3;
        p.w.model.params_mtp = 1e9;
        CHECK_STR(command(&p),
                  arena_printf(&p.w.arena, "%s%s", without, cases[i].words != NULL ? cases[i].words : ""));
        if (cases[i].note != NULL) CHECK(noted(&p, cases[i].note));
        p.w.model.params_mtp = UNKNOWN;
        CHECK_STR(command(&p), without);
        CHECK(noted(&p, cases[i].note != NULL ? cases[i].note : "add a draft model"));
        arena_free(&p.w.arena);
    }
}

static void test_models_of_ones_own(void) {
    static const struct {
        const char *engine, *path, *start;
    } cases[] = {
        {"vllm", "./my model/it's", "vllm serve './my model/it'\\''s' --max"},
        {"vllm", "./x/config.json", "vllm serve ./x --max"},
        {"vllm", "model.safetensors", "vllm serve . --max"},
        {"vllm", "/config.json", "vllm serve / --max"},
        {"vllm", "-x/y", "vllm serve ./-x/y --max"},
        {"vllm", "./$(reboot);`id`", "vllm serve './$(reboot);`id`' --max"},
        {"vllm", "x.gguf", "vllm serve ./llama-70b-bf16 --max"},
        {"llama.cpp", "a b/x.GGUF", "llama-server -m 'a b/x.GGUF' --split"},
        {"llama.cpp", "./x", "llama-server -m ./llama-70b-bf16.gguf --split"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Plan p;
        plan(&p, cases[i].engine, (Layout){1, 1, 1, 1}, DTYPE_BF16, DTYPE_BF16);
        p.w.model.path = cases[i].path;
        const char *is = command(&p);
        CHECK_STR(arena_copy(&p.w.arena, is,
                             strlen(cases[i].start) < strlen(is) ? strlen(cases[i].start) : strlen(is)),
                  cases[i].start);
        arena_free(&p.w.arena);
    }
    Plan p;
    plan(&p, "vllm", (Layout){1, 1, 1, 1}, DTYPE_BF16, DTYPE_BF16);
    p.w.model.hf_name = "somebody a-model (weights not public)";
    CHECK(text_contains(command(&p), "vllm serve ./llama-70b-bf16 "));
    CHECK(noted(&p, "stands for"));
    arena_free(&p.w.arena);
}

static void test_every_engine_has_an_answer(void) {
    Arena a = {0};
    Err e = {0};
    Catalog *c = NULL;
    const char *warning = "";
    Facts f;
    if (!catalog_open(&(CatalogOptions){0}, &a, &c, &warning, &e) || !catalog_facts(c, &a, &f, &e))
        FAIL_("%s", e.text);
    CHECK(f.n_engine_limits > 0);
    for (size_t i = 0; i < f.n_engine_limits; i++) {
        for (int d = 0; d < DTYPE_COUNT; d++) {
            if (!word_in(f.engine_limits[i].weights, dtype_names[d])) continue;
            Plan p;
            plan(&p, f.engine_limits[i].engine, (Layout){2, 1, 1, 1}, (Dtype)d, DTYPE_FP16);
            p.o.serving.limits = &f.engine_limits[i];
            CHECK(command(&p) != NULL);
            CHECK(p.l.n_words < LAUNCH_WORDS_MAX && p.l.n_notes < LAUNCH_NOTES_MAX);
            arena_free(&p.w.arena);
        }
    }
    catalog_close(c);
    arena_free(&a);
}

static void test_checkpoints_that_were_released(void) {
    Checkpoint owners = {"llama-70b", DTYPE_FP8, "maker/Llama-70B-FP8", MAKER_OWNER, "test", "2026"},
               others = {"llama-70b", DTYPE_FP8, "x/Llama-70B-FP8", MAKER_THIRD_PARTY, "test", "2026"};
    const Checkpoint *both[] = {&others, &owners};
    static const struct {
        const char *engine, *model;
    } served[] = {{"vllm", "vllm serve maker/Llama-70B-FP8 --max"},
                  {"sglang", "--model-path maker/Llama-70B-FP8 --context"}};
    Plan p;
    for (size_t i = 0; i < COUNT_OF(served); i++) {
        plan(&p, served[i].engine, (Layout){1, 1, 1, 1}, DTYPE_FP8, DTYPE_BF16);
        p.w.advice.checkpoints = both, p.w.advice.n_checkpoints = 2;
        CHECK(text_contains(command(&p), served[i].model));
        CHECK(!noted(&p, "quantised") && !noted(&p, "stands for"));
        p.w.advice.n_checkpoints = 1;  // nobody says that a third party's is as good: it is named
        CHECK(text_contains(command(&p), "maker/Llama-70B --quantization fp8"));
        CHECK(noted(&p, "; x/Llama-70B-FP8 is one, of a third party"));
        arena_free(&p.w.arena);
    }
    plan(&p, "tensorrt-llm", (Layout){1, 1, 1, 1}, DTYPE_FP8, DTYPE_BF16);
    p.w.advice.checkpoints = both, p.w.advice.n_checkpoints = 2;
    CHECK(text_contains(command(&p), "trtllm-serve ./llama-70b-fp8"));
    CHECK(noted(&p, "make or find one; maker/Llama-70B-FP8 is one, of its owner"));
    p.o.weights = DTYPE_INT4;
    CHECK(command(&p) != NULL && !noted(&p, "is one"));
    arena_free(&p.w.arena);
}

static void test_what_has_no_command(void) {
    Plan p;
    plan(&p, "an-engine-of-theirs", (Layout){1, 1, 1, 1}, DTYPE_BF16, DTYPE_BF16);
    CHECK(command(&p) == NULL);
    CHECK(noted(&p, "no command of engine an-engine-of-theirs is known"));
    p.o.serving.group = NULL;
    CHECK(!launch_of(&p.w.advice, &p.o, &p.w.arena, &p.l));
    arena_free(&p.w.arena);
}

static void test_shell_words(void) {
    static const char *const words[][2] = {
        {"a/b-c_1.0:x", "a/b-c_1.0:x"}, {"", "''"},     {"a b", "'a b'"}, {"it's", "'it'\\''s'"},
        {"''", "''\\'''\\'''"},         {"~x", "'~x'"}, {"*", "'*'"},     {"\xc3\xa9", "'\xc3\xa9'"}};
    Arena a = {0};
    for (size_t i = 0; i < COUNT_OF(words); i++) CHECK_STR(text_shell_word(&a, words[i][0]), words[i][1]);
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(golden_commands),
    TEST(notes),
    TEST(arriving_requests_get_what_fits),
    TEST(drafts),
    TEST(models_of_ones_own),
    TEST(every_engine_has_an_answer),
    TEST(checkpoints_that_were_released),
    TEST(what_has_no_command),
    TEST(shell_words),
};

TEST_MAIN(tests)
