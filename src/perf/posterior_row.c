// A run of the user's own beside what is predicted of it: how far off, and how sure that is.
#include <math.h>
#include <string.h>

#include "src/perf/posterior.h"

// What a flag adds to the noise of a run, as a standard deviation.
static const struct {
    OwnRunFlag flag;
    double sigma;
} flag_doubts[] = {{RUN_SHORT, 0.10},         {RUN_CLIENT_BOUND, 0.20}, {RUN_LOSSES, 0.15},
                   {RUN_FEW, 0.10},           {RUN_CANCELLED, 0.20},    {RUN_WARM_UP, 0.15},
                   {RUN_LENGTHS_ASKED, 0.15}, {RUN_STATIC_BATCH, 0.20}, {RUN_MIXED, 0.20},
                   {RUN_CONVERTED, 0.05}};

// Software changes: what a year of age adds.
static const double AGE_YEAR = 0.10;

static double doubt_of(const OwnRun *run, int64_t today) {
    double variance = 0;
    for (size_t i = 0; i < COUNT_OF(flag_doubts); i++) {
        if (own_run_has(run, flag_doubts[i].flag)) variance += flag_doubts[i].sigma * flag_doubts[i].sigma;
    }
    int64_t day = 0;
    Err unused;
    const char *date = run->ran_at[0] != '\0' ? run->ran_at : run->m.date;
    double years = date[0] != '\0' && parse_date(str_of(date), &day, &unused)
                       ? fmax((double)(today - day) / 365.25, 0)
                       : 1;  // somewhen
    return variance + AGE_YEAR * AGE_YEAR * years;
}

static double log_ratio(double x, double y) { return x > 0 && y > 0 ? log(x / y) : (double)NAN; }

bool posterior_row(const Facts *facts, const OwnRun *run, int64_t today, Prediction *ret_prediction,
                   PosteriorRow *ret) {
    Facts alone = *facts;
    alone.own = NULL;
    const Measurement *m = &run->m;
    predict(&alone, m, ret_prediction);
    const Prediction *p = ret_prediction;
    static const unsigned NO_SERVER_OF_ONES_OWN = RUN_MOCK | RUN_HOSTED | RUN_INVALID | RUN_AGENTIC;
    if (p->not_predicted != NULL || !is_serving_task(m) || is_split_serving(m) ||
        (run->quarantine[0] != '\0' && run->accepted[0] == '\0') ||
        ((unsigned)run->flags & NO_SERVER_OF_ONES_OWN) != 0)
        return false;
    bool prompts = strcmp(p->unit, "prompt") == 0;
    PosteriorRow r = {.run = run, .noise = doubt_of(run, today)};
    r.place = serving_place(&p->serving, prompts ? 1 : p->point.running);
    if (prompts) r.place.at[2] = (double)NAN;
    for (int i = 0; i < RESPONSE_COUNT; i++) r.off[i] = (double)NAN;
    double slower = log_ratio(p->rate, measured_rate(m, p));
    // What arrives at a rate leaves at that rate.
    r.off[prompts ? RESPONSE_TTFT : RESPONSE_RATE] = is_known(m->rate_rps) ? (double)NAN : slower;
    if (!prompts) {
        if (p->serving.osl > 64) r.off[RESPONSE_TPOT] = log_ratio(m->tpot_ms / 1000, p->tpot_s);
        if (!p->point.queued && !own_run_has(run, RUN_QUEUED))
            r.off[RESPONSE_TTFT] = log_ratio(m->ttft_ms / 1000, p->ttft_s);
    }
    *ret = r;
    return is_known(r.off[RESPONSE_RATE]) || is_known(r.off[RESPONSE_TPOT]) || is_known(r.off[RESPONSE_TTFT]);
}
