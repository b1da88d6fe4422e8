// Checks that need no prediction: did it run to its end, long enough, and do its figures belong together?
#include "src/runs/parts.h"

static void flag(OwnRun *r, OwnRunFlag f) { r->flags = (double)((unsigned)r->flags | (unsigned)f); }

static void quarantine(OwnRun *r, const char *why) {
    if (r->quarantine[0] == '\0') r->quarantine = why;
}

// Mean time of a request in seconds, as far as the run tells it.
static double request_seconds(const Measurement *m) {
    if (is_known(m->e2e_ms)) return m->e2e_ms / 1000;
    return (m->ttft_ms + m->tpot_ms * (m->output_tokens - 1)) / 1000;  // NaN where one is unknown
}

// Requests in flight by Little's law, over those that were to be.
static double little(const OwnRun *r) {
    return r->requests_per_s * request_seconds(&r->m) / r->m.batch_or_concurrency;
}

static bool is_serving(const OwnRun *r) { return strcmp(r->m.task, "serving") == 0; }

static void check_course(OwnRun *r) {
    enum { SECONDS_MIN = 60, WAVES_MIN = 5 };
    const Measurement *m = &r->m;
    bool batch = own_run_has(r, RUN_STATIC_BATCH) || strncmp(r->tool, "llama-bench", 11) == 0;
    if (r->seconds < SECONDS_MIN && !batch) flag(r, RUN_SHORT);
    if (r->requests_completed < 0.95 * r->requests_asked) {
        flag(r, RUN_LOSSES);
    }
    bool waves = strcmp(m->scenario, "fixed-concurrency") == 0 && !batch;
    if (waves && r->requests_completed < WAVES_MIN * m->batch_or_concurrency) flag(r, RUN_FEW);
}

static void check_load(OwnRun *r, Arena *a) {
    const Measurement *m = &r->m;
    bool closed = strcmp(m->scenario, "fixed-concurrency") == 0 && !is_known(m->rate_rps) &&
                  !own_run_has(r, RUN_STATIC_BATCH) && !own_run_has(r, RUN_CONVERTED);
    double share = closed ? little(r) : UNKNOWN_NUMBER;
    if (!is_known(share)) return;
    if (share < 0.8 || share > 1.2) flag(r, RUN_CLIENT_BOUND);
    bool many = r->requests_completed >= 5 * m->batch_or_concurrency;
    if (share > 2.5 || (share < 0.05 && many))
        quarantine(r, arena_printf(a,
                                   "its throughput and latencies give %.3g requests in flight where %.0f "
                                   "were asked for: a wrong unit, or no one load",
                                   share * m->batch_or_concurrency, m->batch_or_concurrency));
}

// The same quantity said twice must be the same.
static void check_figures(OwnRun *r, Arena *a) {
    const Measurement *m = &r->m;
    double counted_s = r->requests_completed * m->output_tokens / r->seconds;
    bool whole = !own_run_has(r, RUN_LENGTHS_ASKED) && !own_run_has(r, RUN_MIXED) &&
                 strcmp(m->scenario, "prefill") != 0;
    if (is_serving(r) && whole && is_known(counted_s) && is_known(m->output_tokens_per_s) &&
        r->requests_completed >= 1 && strncmp(r->tool, "llama-bench", 11) != 0 &&
        strncmp(r->tool, "aiperf", 6) != 0 && strncmp(r->tool, "guidellm", 8) != 0 &&
        strcmp(r->tool, "mlperf") != 0 &&
        (counted_s > 1.25 * m->output_tokens_per_s || counted_s < 0.8 * m->output_tokens_per_s))
        quarantine(r, arena_printf(
                          a, "it says %.4g output tokens/s, but its requests, lengths and seconds give %.4g",
                          m->output_tokens_per_s, counted_s));
    if (strcmp(m->tokens_kind, "total") == 0 && m->tokens_per_s_total < 0.98 * m->output_tokens_per_s)
        quarantine(r, "fewer tokens in all than output tokens");
    bool median = strcmp(m->latency_statistic, "median") == 0;
    if (median && (m->ttft_p99_ms < 0.98 * m->ttft_ms || m->tpot_p99_ms < 0.98 * m->tpot_ms))
        quarantine(r, "a 99th percentile below the median");
}

static void check_kind(OwnRun *r) {
    static const struct {
        OwnRunFlag flag;
        const char *why;
    } kinds[] = {
        {RUN_MOCK, "a mock server, a fixture or an example"},
        {RUN_HOSTED, "an endpoint of somebody else: its GPUs are not known"},
        {RUN_CANCELLED, "it was cancelled or broke off"},
        {RUN_INVALID, "its own tool calls it invalid"},
        {RUN_LOSSES, "fewer than 95 % of its requests were completed"},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (own_run_has(r, kinds[i].flag)) quarantine(r, kinds[i].why);
    }
}

// Words in a path that say: this ran on something that is no GPU of NVIDIA or AMD. The forms are the same.
static void check_path(OwnRun *r, Arena *a) {
    static const char *const others[] = {"ascend",     "npu",       "hygon", "kunlun",  "gaudi",
                                         "hpu",        "tpu",       "tpus",  "npus",    "trainium",
                                         "inferentia", "cambricon", "metax", "iluvatar"};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (has_word(r->file, others[i]))
            quarantine(r, arena_printf(a, "its path names '%s': no GPU of NVIDIA or AMD", others[i]));
    }
}

void runs_check(OwnRun *r, Arena *a) {
    Measurement *m = &r->m;
    if (own_run_has(r, RUN_QUEUED)) {  // latencies of a queue say nothing of a GPU
        m->ttft_ms = m->ttft_p99_ms = m->e2e_ms = m->tpot_ms = m->tpot_p99_ms = UNKNOWN_NUMBER;
        m->latency_statistic = "";
    }
    bool lengths =
        is_known(m->output_tokens) && (is_known(m->input_tokens) || strncmp(r->tool, "llama-bench", 11) == 0);
    if (is_serving(r) && !lengths) {
        flag(r, RUN_NO_LENGTHS);
        if (strcmp(m->grade, "A") == 0) m->grade = "C";
    }
    check_course(r);
    check_kind(r);
    check_path(r, a);
    check_load(r, a);
    check_figures(r, a);
}

const char *runs_flags_text(const OwnRun *r, Arena *a) {
    const char *text = "";
    for (size_t i = 0; own_run_flag_names[i] != NULL; i++) {
        if (((unsigned)r->flags >> i & 1u) == 0) continue;
        text =
            text[0] == '\0' ? own_run_flag_names[i] : arena_printf(a, "%s, %s", text, own_run_flag_names[i]);
    }
    return text;
}

// ---------------------------------------------------------------- one run in two forms

static bool near(double a, double b, double share) {
    return (!is_known(a) && !is_known(b)) || fabs(a - b) <= share * fabs(a);
}

// Two runs agree in one figure by chance, hardly in all of them; without latencies only to the digits.
bool runs_are_one(const OwnRun *a, const OwnRun *b) {
    const Measurement *x = &a->m, *y = &b->m;
    bool latencies = is_known(x->ttft_ms) && is_known(y->ttft_ms);
    return strcmp(a->tool, b->tool) != 0 && is_known(x->output_tokens_per_s) &&
           strcmp(x->model, y->model) == 0 && strcmp(x->gpu_sku, y->gpu_sku) == 0 &&
           near(x->output_tokens_per_s, y->output_tokens_per_s, latencies ? 5e-4 : 2e-5) &&
           near(x->output_tokens, y->output_tokens, 1e-3) && near(x->input_tokens, y->input_tokens, 1e-3) &&
           (!latencies || near(x->ttft_ms, y->ttft_ms, 2e-3));
}

bool runs_is_copy(const OwnRun *r) {
    return strstr(r->tool, "-text") != NULL || strstr(r->tool, "-csv") != NULL;
}
