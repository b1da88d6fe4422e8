// InferenceX (InferenceMAX) aggregates: one row with fixed lengths, rows of agents' sessions, and its summary table. Times are
// seconds; throughputs are per GPU.
#include "src/runs/parts.h"

static bool is_true(const Json *o, const char *key) {
    const char *text = json_text(json_get(o, key));
    return json_truth(json_get(o, key)) == 1 || (text != NULL && text_same(text, "true"));
}

// GPUs: those of prefill and decode where they are apart, else tensor times pipeline times, with attention's data parallelism inside tp.
static void gpus_of(RunRead *r, const Json *o) {
    Measurement *m = &r->run.m;
    double prefill = size_at(o, "num_prefill_gpu");
    double decode = size_at(o, "num_decode_gpu");
    m->tp = size_at(o, "tp");
    m->pp = size_at(o, "pp");
    m->ep = size_at(o, "ep");
    if (is_true(o, "dp_attention")) m->dp = m->tp;
    if (is_true(o, "disagg") && is_known(prefill) && is_known(decode)) {
        r->run.prefill_gpus = prefill;
        m->gpu_count = prefill + decode;
        m->tp = size_at(o, "decode_tp");
        m->ep = size_at(o, "decode_ep");
        m->dp = UNKNOWN_NUMBER;
        return;
    }
    double count = size_at(o, "num_gpus");
    if (!is_known(count) && is_known(m->tp))
        count = m->tp * known_or(m->pp, 1) * known_or(size_at(o, "dcp"), 1) * known_or(size_at(o, "pcp"), 1);
    m->gpu_count = count;
}

static double ms(const Json *o, const char *a, const char *b) {
    return positive(known_or(number_at(o, a), number_at(o, b))) * 1000;
}

static void latencies_of(RunRead *r, const Json *o) {
    Measurement *m = &r->run.m;
    bool median = is_known(number_at(o, "median_ttft")) || is_known(number_at(o, "median_tpot"));
    m->ttft_ms = median ? ms(o, "median_ttft", "median_ttft") : ms(o, "mean_ttft", "ttft.mean");
    m->tpot_ms = median ? ms(o, "median_tpot", "median_tpot") : ms(o, "mean_tpot", "tpot.mean");
    m->ttft_p99_ms = ms(o, "p99_ttft", "ttft.p99");
    m->tpot_p99_ms = ms(o, "p99_tpot", "tpot.p99");
    m->e2e_ms = ms(o, "mean_e2el", "e2el.mean");
    m->latency_statistic = median ? "median" : is_known(m->ttft_ms) || is_known(m->tpot_ms) ? "mean" : "";
}

static void image_of(RunsFile *f, RunRead *r, const Json *o) {
    const char *image = text_at(f, o, "image");
    const char *colon = strrchr(image, ':');
    r->said.version = colon != NULL && strchr(colon, '/') == NULL ? colon + 1 : "";
}

static double per_gpu(const Json *o, const char *key, double gpus) {
    return positive(number_at(o, key) * gpus);
}

void read_inferencex(RunsFile *f, const Json *o) {
    const char *hw = text_at(f, o, "hw");
    RunRead *r = run_new(f, "inferencex");
    if (r == NULL) return;
    OwnRun *run = &r->run;
    Measurement *m = &run->m;
    bool agentic = text_contains(text_at(f, o, "scenario_type"), "agentic");
    r->said.gpu = hw;
    r->said.model = text_at(f, o, "model");
    if (r->said.model[0] == '\0') r->said.model = text_at(f, o, "infmax_model_prefix");
    r->said.engine = text_at(f, o, "framework");
    r->said.weights = text_at(f, o, "precision");
    image_of(f, r, o);
    gpus_of(r, o);
    const char *speculation = text_at(f, o, "spec_decoding");
    if (speculation[0] != '\0' && !text_same(speculation, "none") && !text_same(speculation, "false"))
        m->draft_tokens = "?";
    m->scenario = "fixed-concurrency";
    m->batch_or_concurrency = positive(known_or(number_at(o, "conc"), number_at(o, "concurrency")));
    run->ran_at = day_of(f, text_at(f, o, "date"));
    run->seconds = positive(known_or(number_at(o, "duration_seconds"), number_at(o, "duration")));
    latencies_of(r, o);
    double decode = is_known(run->prefill_gpus) ? m->gpu_count - run->prefill_gpus : m->gpu_count;
    m->output_tokens_per_s = positive(number_at(o, "output_tput_tps"));
    if (!is_known(m->output_tokens_per_s)) m->output_tokens_per_s = per_gpu(o, "output_tput_per_gpu", decode);
    m->tokens_per_s_total = positive(number_at(o, "total_tput_tps"));
    if (!is_known(m->tokens_per_s_total)) m->tokens_per_s_total = per_gpu(o, "tput_per_gpu", m->gpu_count);
    m->tokens_kind = is_known(m->tokens_per_s_total) ? "total" : "";
    if (agentic) {
        run_flag(r, RUN_AGENTIC);
        m->input_tokens =
            positive(known_or(number_at(o, "mean_input_tokens"), number_at(o, "input_tokens.mean")));
        m->output_tokens = positive(
            known_or(number_at(o, "mean_output_tokens_actual"), number_at(o, "output_tokens_actual.mean")));
        run->requests_per_s = positive(known_or(number_at(o, "mean_qps"), number_at(o, "qps")));
        run->requests_completed = number_at(o, "num_requests_successful");
        run->requests_asked = number_at(o, "num_requests_total");
        double hit = number_at(o, "server_gpu_cache_hit_rate");
        if (hit >= 0 && hit <= 1)
            run_note(f, r, "the hit rate of its counters is too low where requests wait, and is not taken");
        if (json_truth(json_get(o, "submission_valid")) == 0) run_flag(r, RUN_INVALID);
    } else {
        // lengths that were asked for: its lists draw 80 to 100 % of them
        m->input_tokens = positive(number_at(o, "isl"));
        m->output_tokens = positive(number_at(o, "osl"));
        run_flag(r, RUN_LENGTHS_ASKED);
    }
    if (!is_known(m->output_tokens_per_s) && !is_known(m->tpot_ms)) {
        f->n--;
        run_refuse(f, "inferencex", RUN_IS_NONE, "it holds neither a throughput nor a latency");
    }
}

// The summary table has the same keys as its objects: each row becomes one.
void read_inferencex_csv(RunsFile *f, Str text) {
    TableReader t;
    Err e = {0};
    bool more = false;
    table_open(&t, f->scratch, text, ',');
    if (!table_next(&t, &more, &e) || !more) return;
    size_t n = t.n_cells;
    const char **names = arena_alloc(f->arena, n, sizeof *names);
    for (size_t i = 0; i < n; i++) names[i] = text_of(f, t.cells[i]);
    bool ok = true;
    while ((ok = table_next(&t, &more, &e)) && more) {
        Json *o = json_object();
        for (size_t i = 0; i < n && i < t.n_cells; i++) {
            if (str_trim(t.cells[i]).length > 0) json_add_text(o, names[i], text_of(f, t.cells[i]));
        }
        size_t before = f->n;
        read_inferencex(f, o);
        for (size_t i = before; i < f->n; i++) f->rows[i].run.tool = "inferencex-csv";
        json_free(o);
    }
    if (!ok) run_refuse(f, "inferencex-csv", RUN_IS_NONE, arena_printf(f->arena, "%s", e.text));
}
