// Metrics of a serving engine in Prometheus' text format: totals, lengths by bucket, the true hit rate.
#include <math.h>
#include <string.h>

#include "src/traffic/parts.h"
#include "src/traffic/reader.h"

// What is read. A counter only grows; a gauge stands for the moment of the snapshot.
typedef enum MetricId {
    METRIC_PROMPT,
    METRIC_GENERATION,
    METRIC_REQUESTS,
    METRIC_CACHED,         // prompt tokens whose cache was there
    METRIC_CACHED_SOURCE,  // the same, by source
    METRIC_HITS,
    METRIC_QUERIES,
    METRIC_COMPUTED,  // prompt tokens that were computed
    METRIC_INPUT_SUM,
    METRIC_E2E_SUM,
    METRIC_E2E_COUNT,
    METRIC_TTFT_SUM,
    METRIC_TTFT_COUNT,
    METRIC_COUNTERS,
    METRIC_RUNNING = METRIC_COUNTERS,
    METRIC_WAITING,
    METRIC_CAPACITY,
    METRIC_COUNT
} MetricId;

// A name behind "vllm:" or "sglang:", and words that its labels must hold.
static const struct {
    const char *name;
    MetricId id;
    const char *label;  // NULL: any
} metric_names[] = {
    {"prompt_tokens_total", METRIC_PROMPT, NULL},
    {"generation_tokens_total", METRIC_GENERATION, NULL},
    {"request_success_total", METRIC_REQUESTS, NULL},
    {"num_requests_total", METRIC_REQUESTS, NULL},
    {"prompt_tokens_cached_total", METRIC_CACHED, NULL},
    {"cached_tokens_total", METRIC_CACHED, NULL},
    {"prompt_tokens_by_source_total", METRIC_CACHED_SOURCE, "local_cache_hit"},
    {"prompt_tokens_by_source_total", METRIC_CACHED_SOURCE, "external_kv_transfer"},
    {"prefix_cache_hits_total", METRIC_HITS, NULL},
    {"gpu_prefix_cache_hits_total", METRIC_HITS, NULL},
    {"prefix_cache_queries_total", METRIC_QUERIES, NULL},
    {"gpu_prefix_cache_queries_total", METRIC_QUERIES, NULL},
    {"request_prefill_kv_computed_tokens_sum", METRIC_COMPUTED, NULL},
    {"request_prompt_tokens_sum", METRIC_INPUT_SUM, NULL},
    {"e2e_request_latency_seconds_sum", METRIC_E2E_SUM, NULL},
    {"e2e_request_latency_seconds_count", METRIC_E2E_COUNT, NULL},
    {"time_to_first_token_seconds_sum", METRIC_TTFT_SUM, NULL},
    {"time_to_first_token_seconds_count", METRIC_TTFT_COUNT, NULL},
    {"num_requests_running", METRIC_RUNNING, NULL},
    {"num_running_reqs", METRIC_RUNNING, NULL},
    {"num_requests_waiting", METRIC_WAITING, NULL},
    {"num_queue_reqs", METRIC_WAITING, NULL},
    {"max_total_num_tokens", METRIC_CAPACITY, NULL},
};

static const struct {
    const char *name;
    int side;  // 0: input, 1: output
} histogram_names[] = {{"request_prompt_tokens_bucket", 0},
                       {"prompt_tokens_histogram_bucket", 0},
                       {"request_generation_tokens_bucket", 1},
                       {"generation_tokens_histogram_bucket", 1}};

enum { BUCKETS_MAX = 64 };

typedef struct Bucket {
    double up_to, count;  // requests of at most so many tokens; infinity: all
} Bucket;

struct Metrics {
    double value[METRIC_COUNT];  // NaN: not in it
    Bucket buckets[2][BUCKETS_MAX];
    size_t n_buckets[2];
    const char *engine;  // vLLM, SGLang; NULL: neither
};

Metrics *metrics_open(Arena *a) {
    Metrics *m = arena_alloc(a, 1, sizeof *m);
    for (int i = 0; i < METRIC_COUNT; i++) m->value[i] = (double)NAN;
    return m;
}

const char *metrics_format(const Metrics *m) {
    return m->engine == NULL ? "metrics" : m->engine[0] == 'v' ? "metrics of vLLM" : "metrics of SGLang";
}

// The value of a label; length 0: it has none.
static Str label_of(Str labels, const char *name) {
    size_t n = strlen(name);
    for (size_t i = 0; i + n + 2 < labels.length; i++) {
        if (memcmp(labels.data + i, name, n) != 0 || labels.data[i + n] != '=' ||
            labels.data[i + n + 1] != '"')
            continue;
        Str rest = {labels.data + i + n + 2, labels.length - i - n - 2};
        Str value;
        str_next(&rest, '"', &value);
        return value;
    }
    return (Str){"", 0};
}

static bool add_bucket(Metrics *m, int side, Str labels, double count) {
    Str le = label_of(labels, "le");
    Decimal d;
    double up_to = str_is(le, "+Inf")     ? (double)INFINITY
                   : decimal_read(le, &d) ? decimal_value(&d)
                                          : (double)NAN;
    if (isnan(up_to)) return false;
    size_t i = 0;
    while (i < m->n_buckets[side] && m->buckets[side][i].up_to < up_to) i++;
    if (i < m->n_buckets[side] && m->buckets[side][i].up_to == up_to) {
        m->buckets[side][i].count += count;
        return true;
    }
    if (m->n_buckets[side] == BUCKETS_MAX) return false;
    memmove(&m->buckets[side][i + 1], &m->buckets[side][i], (m->n_buckets[side] - i) * sizeof(Bucket));
    m->buckets[side][i] = (Bucket){up_to, count};
    m->n_buckets[side]++;
    return true;
}

static void add(double *sum, double x) { *sum = is_known(*sum) ? *sum + x : x; }

static bool take_metric(Metrics *m, Str name, Str labels, double value) {
    for (size_t i = 0; i < COUNT_OF(histogram_names); i++) {
        if (str_is(name, histogram_names[i].name))
            return add_bucket(m, histogram_names[i].side, labels, value);
    }
    for (size_t i = 0; i < COUNT_OF(metric_names); i++) {
        if (!str_is(name, metric_names[i].name)) continue;
        if (metric_names[i].label == NULL || str_has(labels, metric_names[i].label))
            add(&m->value[metric_names[i].id], value);
    }
    // vLLM: the number of blocks stands in a label
    Decimal blocks, size;
    if (str_is(name, "cache_config_info") && decimal_read(label_of(labels, "num_gpu_blocks"), &blocks) &&
        decimal_read(label_of(labels, "block_size"), &size))
        add(&m->value[METRIC_CAPACITY], decimal_value(&blocks) * decimal_value(&size));
    return true;
}

// name{label="value",...} number [time]
bool metrics_line(Metrics *m, Str line, Err *e) {
    line = str_trim(line);
    if (line.length == 0 || line.data[0] == '#') return true;
    size_t name_end = 0;
    while (name_end < line.length && line.data[name_end] != '{' && line.data[name_end] != ' ') name_end++;
    Str name = {line.data, name_end}, labels = {"", 0};
    size_t at = name_end;
    if (at < line.length && line.data[at] == '{') {
        bool quoted = false;
        for (at++; at < line.length && (quoted || line.data[at] != '}'); at++) {
            if (line.data[at] == '\\')
                at++;
            else if (line.data[at] == '"')
                quoted = !quoted;
        }
        if (at >= line.length) return err_set(e, ERR_FAILED, "labels without an end");
        labels = (Str){line.data + name_end + 1, at - name_end - 1};
        at++;
    }
    Str rest = str_trim((Str){line.data + at, line.length - at}), number;
    Str prefix;
    Decimal d;
    str_next(&rest, ' ', &number);
    if (!str_next(&name, ':', &prefix) || name.data == NULL) return true;
    bool vllm = str_is(prefix, "vllm");
    if (!vllm && !str_is(prefix, "sglang")) return true;
    m->engine = vllm ? "vLLM" : "SGLang";
    if (str_is(number, "NaN")) return true;
    if (!decimal_read(number, &d))
        return err_set(e, ERR_FAILED, "'%.*s' is no number", number.length > 40 ? 40 : (int)number.length,
                       number.data);
    return take_metric(m, name, labels, decimal_value(&d)) ||
           err_set(e, ERR_FAILED, "a histogram that is none");
}

// ---------------------------------------------------------------- what it tells

static double bucket_quantile(const Bucket *b, size_t n, double p) {  // linear within a bucket
    double wanted = p * b[n - 1].count, from = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        if (b[i].count >= wanted && b[i].count > before)
            return isinf(b[i].up_to) ? (double)NAN
                                     : from + (b[i].up_to - from) * (wanted - before) / (b[i].count - before);
        from = b[i].up_to;
        before = b[i].count;
    }
    return (double)NAN;
}

static void tell_lengths(const Metrics *x, int side, double sum, TrafficScan *scan) {
    size_t n = x->n_buckets[side];
    LengthFound l = lengths_unknown((double)NAN);
    if (n == 0 || !(x->buckets[side][n - 1].count > 0)) return;
    const Bucket *b = x->buckets[side];
    l.n = b[n - 1].count;
    l.sum = sum;
    l.mean = sum / l.n;
    l.p50 = bucket_quantile(b, n, 0.5);
    l.p90 = bucket_quantile(b, n, 0.9);
    l.p99 = bucket_quantile(b, n, 0.99);
    traffic_scan_lengths(scan, side == 0, &l);
    traffic_scan_note(scan, "Quantiles of lengths are estimated from the buckets of a histogram.");
}

static bool window(const Metrics *before, const Metrics *last, Metrics *ret, Err *e) {
    *ret = *last;
    if (before == NULL) return true;
    bool fell = false;
    for (int i = 0; i < METRIC_COUNTERS; i++) {
        if (!is_known(last->value[i]) || !is_known(before->value[i])) continue;
        ret->value[i] -= before->value[i];
        fell = fell || ret->value[i] < 0;
    }
    for (int side = 0; side < 2; side++) {
        if (last->n_buckets[side] != before->n_buckets[side]) continue;
        for (size_t i = 0; i < last->n_buckets[side]; i++) {
            ret->buckets[side][i].count -= before->buckets[side][i].count;
            fell = fell || ret->buckets[side][i].count < 0;
        }
    }
    return !fell || err_set(e, ERR_FAILED,
                            "a counter fell between the two snapshots: the server was started "
                            "anew, or they stand in the wrong order");
}

// Where the engine says how many prompt tokens it had, else by those computed, else by lookups, which count a
// waiting request every time that it is looked at.
static double cached_of(const double v[METRIC_COUNT], TrafficScan *scan) {
    if (is_known(v[METRIC_CACHED_SOURCE])) return v[METRIC_CACHED_SOURCE];
    if (is_known(v[METRIC_CACHED])) return v[METRIC_CACHED];
    if (v[METRIC_INPUT_SUM] > 0 && is_known(v[METRIC_COMPUTED]))
        return v[METRIC_PROMPT] * (1 - fmin(v[METRIC_COMPUTED] / v[METRIC_INPUT_SUM], 1));
    if (!(v[METRIC_QUERIES] > 0)) return (double)NAN;
    traffic_scan_note(
        scan, v[METRIC_WAITING] > 0 || v[METRIC_QUERIES] > 1.05 * v[METRIC_PROMPT]
                  ? "The hit rate is from prefix_cache_hits over queries, and requests waited: a waiting "
                    "request is counted at every attempt to schedule it, so the true rate may be far "
                    "higher. Newer engines tell it as prompt_tokens_by_source_total."
                  : "The hit rate is from prefix_cache_hits over queries, which is right as long as "
                    "nothing waits.");
    return v[METRIC_PROMPT] * fmin(v[METRIC_HITS] / v[METRIC_QUERIES], 1);
}

bool metrics_tell(const Metrics *before, const Metrics *last, TrafficScan *scan, Err *e) {
    Metrics x;
    if (last->engine == NULL) return err_set(e, ERR_FAILED, "no metrics of vLLM or SGLang are in it");
    if (!window(before, last, &x, e)) return false;
    if (!(x.value[METRIC_PROMPT] > 0))
        return err_set(e, ERR_FAILED, "no prompt tokens were counted%s",
                       before != NULL ? " between the two snapshots" : "");
    traffic_scan_totals(scan, &(Totals){.from_ns = TIME_UNKNOWN,
                                        .to_ns = TIME_UNKNOWN,
                                        .requests = x.value[METRIC_REQUESTS],
                                        .input = x.value[METRIC_PROMPT],
                                        .output = x.value[METRIC_GENERATION],
                                        .cached = cached_of(x.value, scan),
                                        .running_mean = x.value[METRIC_RUNNING]});
    tell_lengths(&x, 0, x.value[METRIC_PROMPT], scan);
    tell_lengths(&x, 1, x.value[METRIC_GENERATION], scan);
    if (is_known(x.value[METRIC_CAPACITY])) traffic_scan_capacity(scan, x.value[METRIC_CAPACITY]);
    traffic_scan_note(scan, before == NULL
                                ? "One snapshot tells all since the server started; two, the window "
                                  "between them."
                                : "The difference of two snapshots.");
    traffic_scan_note(scan, "Arrivals and bursts cannot come from counters.");
    return true;
}
