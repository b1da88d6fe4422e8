// src/traffic: formats, lengths, arrivals, reuse; what is refused, with the line.
#include "src/traffic/parts.h"
#include "src/traffic/reader.h"
#include "src/traffic/traffic.h"
#include "tests/check.h"

typedef struct Told {
    Arena arena;
    TrafficFound found;
    bool ok;
    Err err;
} Told;

// Texts as files, in pieces of `piece` bytes.
static Told told_in(const char *const *texts, size_t n, const char *map_text, size_t piece) {
    Told t = {.arena = {0}};
    ColumnMap map = {.block_tokens = (double)NAN};
    TrafficOptions options = {.service = {0.2, 0.0001, 0.03}, .sessions = (double)NAN};
    TrafficScan *scan = traffic_scan_open(&t.arena, &options);
    t.ok = map_text == NULL || column_map_read(map_text, &t.arena, &map, &t.err);
    for (size_t k = 0; k < n && t.ok; k++) {
        TrafficReader *r = traffic_reader_open(&t.arena, &map, scan);
        size_t length = strlen(texts[k]);
        for (size_t at = 0; at < length && t.ok; at += piece)
            t.ok = traffic_reader_feed(r, (Str){texts[k] + at, length - at < piece ? length - at : piece},
                                       &t.err);
        t.ok = t.ok && traffic_reader_end(r, &t.err);
        traffic_reader_free(r);
    }
    t.ok = t.ok && traffic_scan_end(scan, &t.found, &t.err);
    return t;
}

static Told told(const char *text) { return told_in(&text, 1, NULL, 65536); }

static void refused(const char *text, const char *want) {
    Told t = told(text);
    CHECK(!t.ok);
    CHECK_STR(t.err.text, want);
    arena_free(&t.arena);
}

static void check_two(const char *text, const char *map, const char *format, double input, double output,
                      double span) {
    for (size_t piece = 1; piece < 100000; piece *= 7) {
        Told t = told_in(&text, 1, map, piece);
        if (!t.ok) FAIL_("%s: %s", format, t.err.text);
        CHECK_STR(t.found.format, format);
        CHECK_NEAR(t.found.requests, 2, 0);
        CHECK_NEAR(t.found.input.sum, input, 0);
        CHECK_NEAR(t.found.output.sum, output, 0);
        CHECK_NEAR(t.found.span_s, span, 1e-12);
        arena_free(&t.arena);
    }
}

static void test_csv_formats(void) {
    check_two("TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,4808,10\r\n"
              "2023-11-16 18:17:04.0319600,3180,8",
              NULL, "Azure LLM inference trace", 7988, 18, 0.052);
    check_two("arrived_at,num_prefill_tokens,num_decode_tokens\n0.5,10,2\n2,20,3\n", NULL, "Vidur trace", 30,
              5, 1.5);
    check_two("request_id,request_type,application_id,arrival_timestamp,batch_size,prompt_size,token_size\n"
              "0,2,0,1.25,1,100,7\n1,2,0,3.25,1,50,9\n",
              NULL, "Splitwise trace", 150, 16, 2);
    check_two("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log "
              "Type\n5,ChatGPT,472,18,490,Conversation "
              "log\n45,ChatGPT,1087,230,1317,Conversation log\n50,GPT-4,10,0,10,API log\n",
              NULL, "BurstGPT trace", 1559, 248, 40);
    check_two("request_id,startTime,endTime,prompt_tokens,completion_tokens,status,messages\n"
              "a,2024-05-10T00:00:00.009930+00:00,x,11,5,success,\"a \"\"prompt\"\",\nof two lines\"\n"
              "b,2024-05-10T02:00:02.009930+02:00,x,12,6,success,hello\n"
              "c,2024-05-10T00:00:03Z,x,12,,failure,hello\n",
              NULL, "LiteLLM spend log", 23, 11, 2);
    check_two("when;in;out\n1000;3;4\n2500;5;6\n", "time=when:ms,input=in,output=out", "generic", 8, 10, 1.5);
    check_two("created\tprompt_tokens\tcompletion_tokens\n1000\t3\t4\n2500\t5\t6\n", "time=created:s",
              "generic", 8, 10, 1500);
}

static void test_json_formats(void) {
    check_two("{\"timestamp\": 0, \"input_length\": 600, \"output_length\": 5, \"hash_ids\": [1, 2]}\n"
              "{\"timestamp\": 3000, \"input_length\": 700, \"output_length\": 6, \"hash_ids\": [1, 3]}\n",
              NULL, "Mooncake trace", 1300, 11, 3);
    check_two("{\"chat_id\":1,\"parent_chat_id\":-1,\"timestamp\":61.1,\"input_length\":20,\"output_length\":"
              "5,\"type\":"
              "\"text\",\"turn\":1,\"hash_ids\":[1,2]}{\"chat_id\":2,\"parent_chat_id\":1,\"timestamp\":62.1,"
              "\"input_length\":"
              "30,\"output_length\":5,\"type\":\"text\",\"turn\":2,\"hash_ids\":[1,2]}",
              NULL, "Bailian trace", 50, 10, 1);
    check_two(
        "[{\"id\":\"x\",\"created\":1700000000,\"choices\":[{\"message\":{\"content\":\"brackets "
        "]}\\\"\"}}],\"usage\":"
        "{\"prompt_tokens\":10,\"completion_tokens\":3,\"prompt_tokens_details\":{\"cached_tokens\":4}}},\n"
        "{\"created\":1700000002,\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":3}}]",
        NULL, "OpenAI responses", 20, 6, 2);
    check_two("{\"metadata\":{\"request_start_ns\":1700000000000000000},\"metrics\":{\"input_sequence_"
              "length\":{\"value\":7,"
              "\"unit\":\"tokens\"},\"output_sequence_length\":{\"value\":2}}}\n"
              "{\"metadata\":{\"request_start_ns\":1700000000500000000},\"metrics\":{\"input_sequence_"
              "length\":{\"value\":7},"
              "\"output_sequence_length\":{\"value\":2}}}\n",
              NULL, "AIPerf records", 14, 4, 0.5);
    check_two(
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"name\":\"db\",\"startTimeUnixNano\":\"1\"},"
        "{\"startTimeUnixNano\":\"1000000000\",\"attributes\":[{\"key\":\"gen_ai.usage.input_tokens\","
        "\"value\":"
        "{\"intValue\":\"9\"}},{\"key\":\"gen_ai.usage.output_tokens\",\"value\":{\"intValue\":\"1\"}}]},"
        "{\"startTimeUnixNano\":\"3000000000\",\"attributes\":[{\"key\":\"gen_ai.usage.input_tokens\","
        "\"value\":"
        "{\"intValue\":\"8\"}},{\"key\":\"gen_ai.usage.output_tokens\",\"value\":{\"intValue\":\"1\"}}]}]}]}]"
        "}",
        NULL, "OpenTelemetry spans", 17, 2, 2);
    check_two("{\"backend\":\"vllm\",\"input_lens\":[5,6,7],\"output_lens\":[1,2,0],\"start_times\":[10.5,11."
              "5,12]}",
              NULL, "detailed result of a benchmark (vLLM, SGLang)", 11, 3, 1);
    check_two(
        "{\"req\":{\"in\":3,\"out\":2},\"at\":\"2026-01-01 00:00:00\"}\n{\"req\":{\"in\":4,\"out\":2},\"at\":"
        "\"2026-01-01T00:01:00Z\"}\n",
        "time=at:iso,input=req.in,output=req.out", "generic", 7, 4, 60);
}

static void test_counts_without_requests(void) {
    Told t = told(
        "{\"object\":\"page\",\"data\":[{\"object\":\"bucket\",\"start_time\":1730419200,\"end_time\":"
        "1730422800,"
        "\"results\":[{\"input_tokens\":1000,\"output_tokens\":50,\"input_cached_tokens\":800,\"num_model_"
        "requests\":"
        "5}]},{\"object\":\"bucket\",\"start_time\":1730422800,\"end_time\":1730426400,\"results\":[]}]}");
    CHECK(t.ok);
    CHECK_NEAR(t.found.input.mean, 200, 0);
    CHECK_NEAR(t.found.cached_share, 0.8, 1e-12);
    CHECK_NEAR(t.found.requests, 5, 0);
    CHECK(isnan(t.found.input.p50) && isnan(t.found.idc[0]));
    arena_free(&t.arena);
    // more from the cache than there was to read
    t = told("{\"object\":\"page\",\"data\":[{\"object\":\"bucket\",\"start_time\":1730419200,\"end_time\":"
             "1730422800,"
             "\"results\":[{\"input_tokens\":500,\"output_tokens\":50,\"input_cached_tokens\":800,\"num_"
             "model_requests\":5}]}]}");
    CHECK(t.ok && isnan(t.found.cached_share));
    CHECK_NEAR(t.found.input.mean, 100, 0);
    arena_free(&t.arena);
    t = told("INFO 05-10 12:00:00 [kv_cache_utils.py:634] GPU KV cache size: 471,392 tokens\nnoise\n"
             "INFO 05-10 12:00:10 [loggers.py:111] Engine 000: Avg prompt throughput: 123.5 tokens/s, Avg "
             "generation "
             "throughput: 56.7 tokens/s, Running: 3 reqs, Waiting: 0 reqs, GPU KV cache usage: 4.5%, Prefix "
             "cache hit "
             "rate: 20.0%\n");
    CHECK(t.ok);
    CHECK_STR(t.found.format, "log of vLLM");
    CHECK_NEAR(t.found.capacity_tokens, 471392, 0);
    CHECK_NEAR(t.found.input.sum, 1235, 1e-12);
    CHECK_NEAR(t.found.cached_share, 0.2, 1e-12);
    CHECK_NEAR(t.found.running_mean, 3, 0);
    arena_free(&t.arena);
}

static const char before[] =
    "# TYPE vllm:prompt_tokens_total counter\nvllm:prompt_tokens_total{engine=\"0\"} 100.0\n"
    "vllm:prompt_tokens_total{engine=\"1\"} 100.0\nvllm:generation_tokens_total 10\n"
    "vllm:request_success_total{finished_reason=\"stop\"} 1\n"
    "vllm:prefix_cache_queries_total 1e9\nvllm:prefix_cache_hits_total 5\n"
    "vllm:prompt_tokens_by_source_total{source=\"local_cache_hit\"} 0\n";
static const char after[] =
    "vllm:prompt_tokens_total{engine=\"0\"} 600\nvllm:prompt_tokens_total{engine=\"1\"} 600\n"
    "vllm:generation_tokens_total 60\nvllm:request_success_total{finished_reason=\"stop\"} 6\n"
    "vllm:prefix_cache_queries_total 2e9\nvllm:prefix_cache_hits_total 6\n"
    "vllm:prompt_tokens_by_source_total{source=\"local_cache_hit\"} 300\n"
    "vllm:prompt_tokens_by_source_total{source=\"external_kv_transfer\"} 200\n"
    "vllm:prompt_tokens_by_source_total{source=\"local_compute\"} 500\n"
    "vllm:request_prompt_tokens_bucket{le=\"100\"} 1\nvllm:request_prompt_tokens_bucket{le=\"300\"} 5\n"
    "vllm:request_prompt_tokens_bucket{le=\"+Inf\"} 5\n";

static void test_metrics_of_a_window(void) {
    const char *texts[] = {before, after, before};
    Told t = told_in(texts, 2, NULL, 11);
    CHECK(t.ok);
    CHECK_STR(t.found.format, "metrics of vLLM");
    CHECK_NEAR(t.found.input.sum, 1000, 0);
    CHECK_NEAR(t.found.output.mean, 10, 0);
    CHECK_NEAR(t.found.cached_share, 0.5, 1e-12);  // by source, not hits over queries
    CHECK_NEAR(t.found.input.p50, 175, 1e-12);     // 1 below 100, then 1.5 of the 4 up to 300
    arena_free(&t.arena);
    t = told_in(texts + 1, 2, NULL, 4096);
    CHECK(!t.ok);
    CHECK_STR(t.err.text,
              "a counter fell between the two snapshots: the server was started anew, or they stand in the "
              "wrong order");
    arena_free(&t.arena);
    t = told_in(texts, 3, NULL, 4096);
    CHECK(!t.ok);
    CHECK_STR(t.err.text, "a third snapshot of metrics: give the first and the last");
    arena_free(&t.arena);
    // Old counters where requests wait mislead, and that is said.
    t = told("vllm:prompt_tokens_total 1000\nvllm:generation_tokens_total 1\nvllm:num_requests_waiting 3\n"
             "vllm:prefix_cache_queries_total 590000\nvllm:prefix_cache_hits_total 2\n");
    CHECK(t.ok && t.found.n_notes > 0);
    CHECK(strstr(t.found.notes[0], "requests waited") != NULL);
    arena_free(&t.arena);
}

#define AZURE "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.97,4808,10\n"
#define MOON "{\"timestamp\": 0, \"input_length\": 600, \"output_length\": 5, \"hash_ids\": [1, 2]}\n"

static void test_what_is_refused_names_the_line(void) {
    refused(AZURE "2023-11-16 18:17:04,-5,10\n", "line 3: input tokens: -5 is below 0");
    refused(AZURE "2023-11-16 18:17:04,5,1000000000\n",
            "line 3: output tokens: 1e+09 is more than any request has (at most 100000000)");
    refused(AZURE "2023-11-16 18:17:04,5",
            "line 3: 2 columns where the header has 3: the file ends too soon");
    refused(AZURE "2023-11-16 18:1", "line 3: 1 columns where the header has 3: the file ends too soon");
    refused(AZURE "2023-13-16 18:17:04,5,6\n", "line 3: '2023-13-16' is not a date (YYYY-MM-DD)");
    refused(AZURE "2023-11-16 18:77:04,5,6\n",
            "line 3: '2023-11-16 18:77:04' is no time (YYYY-MM-DD HH:MM:SS.FFF)");
    refused(AZURE "2262-04-11 23:47:16,5,6\n", "line 3: '2262-04-11 23:47:16' is too late to be a time");
    refused(AZURE "2023-11-16 18:17:04,5.5,6\n", "line 3: input tokens: 5.5 is no whole number");
    refused(AZURE "2023-11-16 18:17:04,x,6\n", "line 3: input tokens: 'x' is no number");
    refused(AZURE "2023-11-16 18:17:04,\"5,6\n", "line 3: a quote without its end");
    refused(MOON "{\"timestamp\": 1, \"input_length\": 6", "line 2: the file ends inside a JSON value");
    refused(MOON MOON "{\"timestamp\": -1, \"input_length\": 6, \"output_length\": 1}\n",
            "line 3: a time before 0");
    refused(MOON "{\"timestamp\": 1, \"input_length\" 6}\n", "line 2: bad JSON");
    refused(MOON "nonsense\n", "line 2: no JSON object where one should begin");
    refused("", "the file is empty");
    refused("a,b\n1,2\n", "line 1: no column of input tokens is known among its 2: say which with --map "
                          "time=COLUMN:UNIT,input=COLUMN,output=COLUMN");
    refused(
        "ts,prompt_tokens,completion_tokens\n1,2,3\n",
        "line 1: the unit of the times in 'ts' is not known: say it with --map time=ts:s (or ms, us, ns)");
    refused("[{\"id\":\"a\",\"conversations\":[{\"from\":\"human\",\"value\":\"hello\"}]}]",
            "line 1: it holds texts without counts of tokens: those depend on the model's tokenizer, so "
            "count them with "
            "it first");
    refused("vllm:other 5\n", "no prompt tokens were counted");
}

static void test_order_and_silence(void) {
    const char *sorted =
        "arrived_at,num_prefill_tokens,num_decode_tokens\n0,10,2\n1,20,3\n1,20,3\n3601,5,1\n";
    const char *shuffled =
        "arrived_at,num_prefill_tokens,num_decode_tokens\n1,20,3\n3601,5,1\n0,10,2\n1,20,3\n";
    Told a = told(sorted), b = told(shuffled);
    CHECK(a.ok && b.ok);
    CHECK_NEAR(a.found.gap_cv, b.found.gap_cv, 0);
    CHECK_NEAR(a.found.levels.mean, b.found.levels.mean, 1e-12);
    CHECK_NEAR(a.found.rate_rps, 3.0 / 3601, 1e-12);
    CHECK_NEAR(a.found.idc[2], b.found.idc[2], 0);
    // 3 requests in the first minute, then 59 whole empty ones: mean 3/60, mean of squares 9/60
    CHECK_NEAR(a.found.idc[2], (9.0 / 60 - 3.0 / 60 * 3 / 60) / (3.0 / 60), 1e-12);
    CHECK_INT(a.found.n_minutes, 61);
    CHECK(isnan(a.found.idc[4]));
    arena_free(&a.arena);
    arena_free(&b.arena);
}

// By hand: blocks of 512 tokens, the third prompt finds two of its three.
static void test_reuse_by_hand(void) {
    Told t =
        told("{\"timestamp\": 0, \"input_length\": 1024, \"output_length\": 5, \"hash_ids\": [1, 2]}\n"
             "{\"timestamp\": 1, \"input_length\": 1000, \"output_length\": 5, \"hash_ids\": [3, 4]}\n"
             "{\"timestamp\": 2, \"input_length\": 1100, \"output_length\": 5, \"hash_ids\": [1, 2, 5]}\n");
    CHECK(t.ok);
    CHECK_NEAR(t.found.blocks, 7, 0);
    CHECK_NEAR(t.found.distinct_blocks, 5, 0);
    CHECK_NEAR(t.found.hit_max, 1024.0 / 3124, 1e-12);
    CHECK_NEAR(t.found.block_hit_max, 2.0 / 7, 1e-12);
    arena_free(&t.arena);
}

// Every capacity at once against a cache that is played for each, on prompts that are drawn.
static double played(const uint64_t (*prompts)[8], const size_t *lengths, size_t n, size_t capacity) {
    enum { KEYS = 4096 };
    static double touched[KEYS];
    double now = 0, hits = 0;
    memset(touched, 0, sizeof touched);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < lengths[i]; k++) {
            size_t newer = 0;
            if (touched[prompts[i][k]] == 0) break;
            for (size_t j = 0; j < KEYS; j++) newer += touched[j] > touched[prompts[i][k]];
            if (newer >= capacity) break;
            hits++;
        }
        for (size_t k = lengths[i]; k-- > 0;) touched[prompts[i][k]] = ++now;
    }
    return hits;
}

static void test_stack_distance_is_an_lru(void) {
    enum { N = 1500, MOST = 8, BLOCK = 1000 };
    static uint64_t prompts[N][MOST];
    static size_t lengths[N];
    Arena a = {0};
    Reuse x;
    TrafficFound f;
    double blocks = 0;
    reuse_open(&x, &a);
    x.block_tokens = BLOCK;
    for (uint64_t i = 0; i < N; i++) {
        uint64_t u = hash64(i + 1), root = u % 40;
        lengths[i] = 1 + (u >> 20) % MOST;
        for (size_t k = 0; k < lengths[i]; k++)
            prompts[i][k] = k < 2 ? root + 100 * k : 200 + (root * 97 + k * 13 + (u >> 32) % 30 * 31) % 3000;
        reuse_add(&x, prompts[i], lengths[i], (double)lengths[i] * BLOCK);
        blocks += (double)lengths[i];
    }
    reuse_found(&x, &f);
    CHECK(f.block_hits.n > 5);
    for (size_t i = 0; i < f.block_hits.n; i += 2) {
        size_t capacity = (size_t)(f.block_hits.points[i].capacity_tokens / BLOCK);
        CHECK_NEAR(f.block_hits.points[i].hit_rate * blocks,
                   played((const uint64_t(*)[8])prompts, lengths, N, capacity), 1e-9);
    }
    arena_free(&a);
}

// More blocks than are followed one by one: the estimate stays near what the making of the prompts gives.
static void test_reuse_of_a_sample(void) {
    enum { N = 1000000 };
    Arena a = {0};
    Reuse x;
    TrafficFound f;
    reuse_open(&x, &a);
    x.block_tokens = 16;
    for (uint64_t i = 0; i < N; i++) {  // a root that all share, two blocks of their own, used twice
        uint64_t prompt[] = {1, 10 + i / 2 * 2, 11 + i / 2 * 2};
        for (int k = 0; k < 2; k++) reuse_add(&x, prompt, 3, 48);
    }
    reuse_found(&x, &f);
    CHECK(x.share < 1);
    // of 3 x 4 lookups of each pair the root hits 4, its own blocks 3 x 2
    CHECK_NEAR(f.hit_max, 10.0 / 12, 0.01);
    CHECK_NEAR(f.distinct_blocks, N, 0.01);
    arena_free(&a);
}

static void test_sessions_scale(void) {
    static const char one[] =
        "{\"id\":\"a\",\"block_size\":64,\"hash_id_scope\":\"local\",\"requests\":["
        "{\"t\":0,\"type\":\"n\",\"in\":128,\"out\":5,\"hash_ids\":[1,2],\"think_time\":0},"
        "{\"t\":2,\"type\":\"subagent\",\"agent_id\":\"x\",\"requests\":[{\"t\":1,\"in\":64,\"out\":5,\"hash_"
        "ids\":[1]}]},"
        "{\"t\":1000000,\"type\":\"n\",\"in\":192,\"out\":5,\"hash_ids\":[1,2,3],\"think_time\":999}]}";
    const char *texts[] = {one, one};
    Told t = told_in(texts, 2, NULL, 65536);
    if (!t.ok) FAIL_("%s", t.err.text);
    CHECK_NEAR(t.found.requests, 6, 0);
    CHECK_NEAR(t.found.sessions, 2, 0);
    CHECK_NEAR(t.found.turns_mean, 3, 0);
    CHECK_NEAR(t.found.think_s_mean, 150, 0);  // of 0 and at most 300
    // ids are of a session alone: the same ones in another are other blocks
    CHECK_NEAR(t.found.distinct_blocks, 6, 0);
    CHECK_NEAR(t.found.hit_max, 2 * (64.0 + 128) / (2 * 384), 1e-12);
    CHECK_NEAR(t.found.hits.sessions, 2, 0);
    arena_free(&t.arena);
}

static void test_curves_of_facts(void) {
    Traffic t = {.hits = "1000:0.1 4000:0.3", .hit_rate_max = 0.5, .hit_sessions = (double)NAN};
    HitCurve c;
    CHECK(hit_curve_of(&t, &c));
    CHECK_NEAR(hit_curve_at(&c, 1000, (double)NAN), 0.1, 0);
    CHECK_NEAR(hit_curve_at(&c, 500, (double)NAN), 0.05, 1e-12);
    CHECK_NEAR(hit_curve_at(&c, 2000, (double)NAN), 0.2, 1e-12);
    CHECK_NEAR(hit_curve_at(&c, 9000, (double)NAN), 0.3, 0);
    CHECK_NEAR(hit_curve_at(&c, -1, (double)NAN), 0, 0);
    t.hit_sessions = 10;
    CHECK(hit_curve_of(&t, &c));
    CHECK_NEAR(hit_curve_at(&c, 2000, 20), 0.1, 1e-12);
    static const char *const bad[] = {"",         "x",    "1000", "1000:0.1 500:0.2", "1000:0.2 2000:0.1",
                                      "1000:0.6", "0:0.1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        t.hits = bad[i];
        CHECK(!hit_curve_of(&t, &c));
    }
}

static void test_decimals(void) {
    Decimal d;
    int64_t x = 0;
    CHECK(decimal_read(str_of("1700000000.123456789"), &d) && decimal_scaled(&d, 9, &x));
    CHECK_INT(x, 1700000000123456789);
    CHECK(decimal_read(str_of("-1.5e3"), &d));
    CHECK_NEAR(decimal_value(&d), -1500, 0);
    CHECK(decimal_read(str_of("123456789012345678901234567890"), &d));
    CHECK_NEAR(decimal_value(&d), 123456789012345678901234567890.0, 1e-15);
    CHECK(!decimal_scaled(&d, 0, &x));
    static const char *const bad[] = {"",   "-",   ".",   "1e",    "1e+",           "0x1",
                                      "1 ", "1,5", "nan", "1.2.3", "1e999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(!decimal_read(str_of(bad[i]), &d));
}

static const TestCase tests[] = {
    TEST(csv_formats),
    TEST(json_formats),
    TEST(counts_without_requests),
    TEST(metrics_of_a_window),
    TEST(what_is_refused_names_the_line),
    TEST(order_and_silence),
    TEST(reuse_by_hand),
    TEST(stack_distance_is_an_lru),
    TEST(reuse_of_a_sample),
    TEST(sessions_scale),
    TEST(curves_of_facts),
    TEST(decimals),
};
TEST_MAIN(tests)
