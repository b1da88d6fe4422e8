// Checks of own runs against physics and prediction, with the usual mistakes as explanations.
#include "src/fit/suspect.h"

#include <math.h>
#include <string.h>

// Texts live in the arena; "" = nothing to say.
typedef struct Suspicion {
    const char *wrong;  // it does not count: what is wrong, and what may be behind it
    const char *doubt;  // it counts, but less: what the user should look at
} Suspicion;

typedef struct Suspect {
    const Facts *facts;
    const OwnRun *run;
    const Prediction *p;
    Arena *a;
} Suspect;

// Nothing but a unit is so far off: within a factor of three of a thousand, a million, ...
static bool is_unit(double times) {
    double thousands = log(times) / log(1000);
    return fabs(thousands) > 0.8 && fabs(thousands - round(thousands)) < log(3) / log(1000);
}

// ---------------------------------------------------------------- explanations

static double off_as(const Suspect *s, const Measurement *m) {
    Prediction p;
    predict(s->facts, m, &p);
    if (p.not_predicted != NULL) return (double)NAN;
    return log(measured_rate(m, &p) / p.rate) / fmax(p.sigma_log, 0.1);
}

// What the run would suit: more GPUs than it says, or fewer.
static const char *as_count(const Suspect *s) {
    static const double counts[] = {2, 4, 8, 16, 0.5, 0.25, 0.125};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        Measurement m = s->run->m;
        m.gpu_count *= counts[i];
        if (m.gpu_count < 1 || fmod(m.gpu_count, 1) != 0) continue;
        m.tp = m.pp = m.dp = m.ep = (double)NAN;
        if (fabs(off_as(s, &m)) < 1)
            return arena_printf(s->a, "%g GPU%s would suit it, not %g", m.gpu_count, plural(m.gpu_count),
                                s->run->m.gpu_count);
    }
    return "";
}

// The GPU on which the run lies nearest to what is predicted; of the maker that the run names, whose tools it ran.
static const char *as_gpu(const Suspect *s) {
    const Gpu *best = NULL;
    double least = 1;
    for (size_t i = 0; i < s->facts->n_gpus; i++) {
        Measurement m = s->run->m;
        if (s->p->gpu != NULL && s->facts->gpus[i].vendor != s->p->gpu->vendor) continue;
        m.gpu_sku = s->facts->gpus[i].sku_id;
        double off = fabs(off_as(s, &m));
        if (!(off < least) || strcmp(m.gpu_sku, s->run->m.gpu_sku) == 0) continue;
        least = off;
        best = &s->facts->gpus[i];
    }
    return best != NULL ? arena_printf(s->a, "%s would suit it", best->name) : "";
}

// What may be behind a rate that is `times` what can be or is expected.
static const char *behind(const Suspect *s, double times) {
    const Measurement *m = &s->run->m;
    double io = (m->input_tokens + m->output_tokens) / m->output_tokens;
    double by_requests = s->run->requests_per_s * m->output_tokens;  // as the file counts them
    bool agreed = fabs(m->output_tokens_per_s / by_requests - 1) < 0.1;
    if (!agreed && fabs(log(times * m->output_tokens)) < 0.12) return "requests/s taken for tokens/s?";
    double doubt = s->p->not_predicted == NULL ? Z80 * s->p->sigma_log : 0.1;
    if (is_unit(times)) return "seconds taken for milliseconds, or the reverse?";
    if (!agreed && is_known(io) && io > 1.3 && fabs(log(times / io)) < 0.12)
        return "tokens read and written taken for those written alone?";
    if (m->gpu_count > 1 && fabs(log(times * m->gpu_count)) < doubt)
        return arena_printf(s->a, "the figure of one GPU, not of all %g?", m->gpu_count);
    const char *count = as_count(s), *gpu = as_gpu(s);
    bool brief = own_run_has(s->run, RUN_SHORT) || own_run_has(s->run, RUN_FEW);
    const char *start = times < 1 && brief ? "a warm-up in so short a run? " : "";
    if (count[0] != '\0' || gpu[0] != '\0')
        return arena_printf(s->a, "%s%s%s%s?", start, count, count[0] != '\0' && gpu[0] != '\0' ? "; " : "",
                            gpu);
    return times > 1
               ? "a wrong unit, GPU or number of GPUs, or prompts that a cache held?"
               : arena_printf(s->a, "%sa wrong unit, GPU or number of GPUs, or a client that was the limit?",
                              start);
}

// ---------------------------------------------------------------- what cannot be

static const char *beyond_memory(const Suspect *s) {
    if (s->p->not_predicted == NULL || strcmp(s->p->not_predicted, serve_status_names[SERVE_NO_MEMORY]) != 0)
        return "";
    const char *count = as_count(s);
    return arena_printf(s->a, "%s in %s does not fit in the memory of %g x %s%s%s", s->p->model->model_id,
                        dtype_names[s->p->serving.weights], s->run->m.gpu_count, s->p->gpu->name,
                        count[0] != '\0' ? ": " : "", count);
}

// Requests per second times their length, where both are known.
static const char *other_than_requests(const Suspect *s) {
    const Measurement *m = &s->run->m;
    double by_requests = s->run->requests_per_s * m->output_tokens;
    double times = m->output_tokens_per_s / by_requests;
    if (!is_known(times) || fabs(times - 1) < 0.1) return "";
    return arena_printf(s->a, "%s output tokens/s, but %s requests/s of %s tokens are %s: %s",
                        number_text(s->a, m->output_tokens_per_s, 3),
                        number_text(s->a, s->run->requests_per_s, 3), number_text(s->a, m->output_tokens, 3),
                        number_text(s->a, by_requests, 3), behind(s, times));
}

// Seconds of a request: stated, or of its tokens; NaN: not known.
static double request_s(const Measurement *m) {
    if (is_known(m->e2e_ms)) return m->e2e_ms / 1000;
    double first = is_known(m->ttft_ms) ? m->ttft_ms : 0;
    return (first + (m->output_tokens - 1) * m->tpot_ms) / 1000;
}

// Little's law: with so much leaving and each taking so long, so many are in flight.
static const char *against_little(const Suspect *s) {
    static const double MORE = 1.35, LESS = 1.0 / 20;  // medians and means apart; a queue is in no TPOT
    const Measurement *m = &s->run->m;
    double in_flight = m->output_tokens_per_s / m->output_tokens * request_s(m);
    double times = in_flight / m->batch_or_concurrency;
    if (!is_known(times) || (times < MORE && times > LESS)) return "";
    return arena_printf(s->a,
                        "%s output tokens/s in answers of %s tokens that take %s s are %s requests in "
                        "flight, not %s: %s",
                        number_text(s->a, m->output_tokens_per_s, 3), number_text(s->a, m->output_tokens, 3),
                        number_text(s->a, request_s(m), 3), number_text(s->a, in_flight, 3),
                        number_text(s->a, m->batch_or_concurrency, 3), behind(s, times));
}

static const char *beyond_roof(const Suspect *s) {
    const Prediction *p = s->p;
    const Measurement *m = &s->run->m;
    if (p->not_predicted != NULL || strcmp(p->unit, "output") != 0 || is_split_serving(m)) return "";
    double most = serving_bound(&p->serving, p->point.running) * p->replicas;
    if (m->output_tokens_per_s > most)
        return arena_printf(s->a,
                            "%s output tokens/s, where memory and arithmetic of %g x %s allow %s at most: %s",
                            number_text(s->a, m->output_tokens_per_s, 3), m->gpu_count, p->gpu->name,
                            number_text(s->a, most, 3), behind(s, m->output_tokens_per_s / p->rate));
    double least_ms = 1000 / serving_user_bound(&p->serving, 1);
    if (m->tpot_ms < least_ms)
        return arena_printf(s->a, "%s ms an output token, where %g x %s take %s at least: %s",
                            number_text(s->a, m->tpot_ms, 3), m->gpu_count, p->gpu->name,
                            number_text(s->a, least_ms, 3), behind(s, m->tpot_ms / 1000 / p->tpot_s));
    return "";
}

// ---------------------------------------------------------------- what is hard to believe

static const char *off_words(const Suspect *s, double measured, double predicted, const char *unit) {
    double spread = exp(Z80 * s->p->sigma_log);
    return arena_printf(s->a, "%s %s, where %s are expected (80 %% range %s to %s): %s",
                        number_text(s->a, measured, 3), unit, number_text(s->a, predicted, 3),
                        number_text(s->a, predicted / spread, 3), number_text(s->a, predicted * spread, 3),
                        behind(s, measured / predicted));
}

// How far a value lies outside its 80 % range, as a logarithm; 0: inside, or not known.
static double outside(double measured, double predicted, double sigma) {
    double off = fabs(log(measured / predicted)) - Z80 * sigma;
    return off > 0 ? off : 0;
}

static Suspicion judge_rate(const Suspect *s) {
    static const double DOUBTFUL = 1.25;
    Suspicion none = {"", ""};
    double measured = measured_rate(&s->run->m, s->p);
    bool arrivals = is_known(s->run->m.rate_rps);  // what leaves then is what came
    double off = arrivals ? 0 : outside(measured, s->p->rate, s->p->sigma_log);
    double wrong = log(constant_of(s->facts, CONSTANT_OWN_WRONG_FACTOR));
    const char *unit = strcmp(s->p->unit, "output") == 0 ? "output tokens/s" : "tokens/s";
    if (off > wrong) return (Suspicion){off_words(s, measured, s->p->rate, unit), ""};
    // Times alone: a first token waits for much that is no speed, so only what is far off counts.
    const struct {
        double measured_ms, predicted_s;
        const char *unit;
    } times[] = {
        {s->run->m.tpot_ms, s->p->tpot_s, "ms an output token"},
        {s->p->point.queued ? (double)NAN : s->run->m.ttft_ms, s->p->ttft_s, "ms to the first token"}};
    static const double FAR = 30;
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        double beyond = outside(times[i].measured_ms, times[i].predicted_s * 1000, s->p->sigma_log);
        if (beyond > (i == 0 ? wrong : log(FAR)))
            return (Suspicion){off_words(s, times[i].measured_ms, times[i].predicted_s * 1000, times[i].unit),
                               ""};
    }
    if (off > log(DOUBTFUL)) return (Suspicion){"", off_words(s, measured, s->p->rate, unit)};
    return none;
}

// `p`: what is predicted of the run without any own run's help. Wrong is what needs more bandwidth,
// arithmetic, memory or requests in flight than there are, and what lies a factor of own_wrong_factor beyond
// the 80 % range.
static Suspicion suspect_run(const Facts *facts, const OwnRun *run, const Prediction *p, Arena *a) {
    Facts alone = *facts;
    alone.own = NULL;
    Suspect s = {&alone, run, p, a};
    const char *(*const impossible[])(const Suspect *) = {beyond_memory, other_than_requests, against_little,
                                                          beyond_roof};
    for (size_t i = 0; i < COUNT_OF(impossible); i++) {
        const char *why = impossible[i](&s);
        if (why[0] != '\0') return (Suspicion){why, ""};
    }
    bool predicted = p->not_predicted == NULL && is_serving_task(&run->m) && !is_split_serving(&run->m);
    return predicted ? judge_rate(&s) : (Suspicion){"", ""};
}

// ---------------------------------------------------------------- all runs

static const char *why_not(const JudgedRun *j) {
    const Measurement *m = &j->run->m;
    return j->prediction.not_predicted != NULL ? j->prediction.not_predicted
           : is_split_serving(m)               ? "prompts and answers on GPUs of their own"
           : !is_serving_task(m)               ? "no token serving"
                                 : "nothing in it that tells of the speed of a server of your own";
}

void judge_runs(const Facts *facts, const OwnRun *runs, size_t n, int64_t today, Arena *a, JudgedRun *ret) {
    static const double DOUBT = 0.1;  // of a run that is hard to believe, in ln of its figures
    for (size_t i = 0; i < n; i++) {
        JudgedRun j = {.run = &runs[i], .wrong = runs[i].quarantine, .doubt = "", .idle = ""};
        bool tells = posterior_row(facts, &runs[i], today, &j.prediction, &j.row);
        if (j.wrong[0] == '\0') {
            Suspicion x = suspect_run(facts, &runs[i], &j.prediction, a);
            j.wrong = x.wrong, j.doubt = x.doubt;
        }
        if (j.wrong[0] != '\0' && runs[i].accepted[0] != '\0') {
            j.doubt = arena_printf(a, "accepted by you on %s against: %s", runs[i].accepted, j.wrong);
            j.wrong = "";
        }
        if (j.wrong[0] == '\0' && !tells) j.idle = why_not(&j);
        if (j.doubt[0] != '\0') j.row.noise += DOUBT * DOUBT;
        j.counts = j.wrong[0] == '\0' && tells;
        ret[i] = j;
    }
}

const Posterior *posterior_of_runs(const Facts *facts, const JudgedRun *runs, size_t n, const Model *model,
                                   Arena *a) {
    PosteriorRow *rows = arena_alloc(a, n + 1, sizeof *rows);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (runs[i].counts) rows[kept++] = runs[i].row;
    }
    return kept > 0 ? posterior_of(facts, rows, kept, model, a) : NULL;
}
