// What the readers of src/runs share.
#ifndef GPUADVISE_RUNS_PARTS_H
#define GPUADVISE_RUNS_PARTS_H

#include <math.h>
#include <string.h>

#include "src/runs/runs.h"

#define UNKNOWN_NUMBER ((double)NAN)
#define RUN_BLOCK "Serving Benchmark Result"
enum { TEXT_SHOWN_MAX = 200 };

// ---------------------------------------------------------------- rows

// A run of `tool`, all unknown; NULL: the file has too many.
RunRead *run_new(RunsFile *f, const char *tool);
// A record that is no run. `why` is kept.
void run_refuse(RunsFile *f, const char *tool, RunKind kind, const char *why);
void run_flag(RunRead *r, OwnRunFlag flag);
void run_note(RunsFile *f, RunRead *r, const char *note);

// ---------------------------------------------------------------- values

// The value at "a.b.c"; NULL: none, or null.
const Json *at(const Json *object, const char *path);
// A number, also one that is written as a text; NaN: none.
double number_at(const Json *object, const char *path);
double first_number(const Json *object, const char *path,
                    const char *other);  // where the first has none: the other's
double number_of(Str text);              // the same of a text; "1,874" is 1874
double scaled_at(const Json *object, const char *path, double scale);
// Clean, of at most TEXT_SHOWN_MAX bytes; "" none.
const char *text_at(const RunsFile *f, const Json *object, const char *path);
const char *text_of(const RunsFile *f, Str text);
bool has(const Json *object, const char *key);
bool has_all(const Json *object, const char *keys);  // blank-separated
// A whole-number size of at least 1 (tp, pp, ...), else NaN.
double size_at(const Json *object, const char *path);
double positive(double x);  // NaN unless over 0

// YYYYMMDD..., YYYY-MM-DD... or seconds since 1970 -> "YYYY-MM-DD"; "" neither.
const char *day_of(const RunsFile *f, const char *text);
const char *day_of_seconds(const RunsFile *f, double seconds);

// "inf", Infinity
bool is_infinite(const Json *value);

// Sets request rate, concurrency and scenario from what a serving client was told; `concurrency` NaN: no limit.
void set_load(RunRead *r, double rate, bool unlimited, double concurrency, double asked);

// Where a text holds `word` with no letter or digit beside it.
bool has_word(const char *text, const char *word);

// ---------------------------------------------------------------- texts

// The next line without its end; false at the end. Lines end in \n, \r or both.
bool line_next(Str *rest, Str *ret_line);
// The number behind `label` and a colon (or several blanks) in a line; NaN: the line is another one.
bool line_value(Str line, const char *label, Str *ret_value);
const char *find_in(Str text, const char *needle);  // NULL: it is not there

// The first line that names a GPU of NVIDIA or AMD; empty: none.
Str run_gpu_line(Str text);

// Escape sequences of terminals removed; the text itself where there are none.
Str without_colours(Str text, Arena *a);

// ---------------------------------------------------------------- JSON in pieces

// The next JSON value of a text of one or several (lines, or one behind the other); false at the end. What
// lies between values is skipped up to the next '{' or '['. ret_ends false: the value is cut off.
bool next_value(Str *rest, Str *ret_value, bool *ret_ends);
// The value as it is without the lists and texts that no row needs: prompts, answers, times of single tokens.
Str without_details(Str value, Arena *a);

// ---------------------------------------------------------------- readers

// A reader of JSON takes one object (or list) and adds rows.
typedef void JsonReader(RunsFile *f, const Json *value);
void read_vllm_serve(RunsFile *f, const Json *o);
void read_vllm_seconds(RunsFile *f, const Json *o);
void read_vllm_pooling(RunsFile *f, const Json *o);
void read_vllm_throughput(RunsFile *f, const Json *o);
void read_vllm_latency(RunsFile *f, const Json *o);
void read_sglang_serve(RunsFile *f, const Json *o);
void read_sglang_one_batch_server(RunsFile *f, const Json *o);
void read_sglang_one_batch(RunsFile *f, const Json *o);
void read_sglang_offline(RunsFile *f, const Json *o);
void read_aiperf(RunsFile *f, const Json *o);
void read_guidellm(RunsFile *f, const Json *o);
void read_inference_perf(RunsFile *f, const Json *o);
void read_llmd(RunsFile *f, const Json *o);
void read_llama_bench(RunsFile *f, const Json *o);
void read_trtllm(RunsFile *f, const Json *o);
void read_inferencex(RunsFile *f, const Json *o);
void read_llmperf(RunsFile *f, const Json *o);
void read_llmperf_requests(RunsFile *f, const Json *o);
void read_trace(RunsFile *f, const Json *o);
void read_pytorch_ci(RunsFile *f, const Json *o);
void read_estimate(RunsFile *f, const Json *o);
void read_columns_json(RunsFile *f, const Json *o);

// A reader of text takes the whole file.
typedef void TextReader(RunsFile *f, Str text);
void read_serving_text(RunsFile *f, Str text);
void read_llama_table(RunsFile *f, Str text);
void read_llama_csv(RunsFile *f, Str text);
void read_mlperf(RunsFile *f, Str text);
void read_training(RunsFile *f, Str text);
void read_prometheus(RunsFile *f, Str text);
void read_aiperf_csv(RunsFile *f, Str text);
void read_aiperf_server(RunsFile *f, Str text);
void read_aiperf_requests(RunsFile *f, Str text);
void read_trtllm_text(RunsFile *f, Str text);
void read_inferencex_csv(RunsFile *f, Str text);
void read_trace_csv(RunsFile *f, Str text);
void read_own_csv(RunsFile *f, Str text);
void read_columns_csv(RunsFile *f, Str text);
void read_environment(RunsFile *f, Str text);
void read_trtllm_crash(RunsFile *f, Str text);

// A YAML text of maps, lists and scalars as JSON; NULL: it is none. owned: json_free
Json *yaml_parse(Str text);

#endif
