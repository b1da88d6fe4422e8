// One prediction a measured row: what the estimator says of the conditions that the row states. Pure.
#ifndef GPUADVISE_PERF_PREDICT_H
#define GPUADVISE_PERF_PREDICT_H

#include "src/perf/burst.h"
#include "src/perf/task.h"

// What the program would have said before the measurement was made, from the columns that cli.md allows: GPU,
// counts, layout, model, dtypes, engine, version, date, run class, task, scenario, lengths, load, draft
// tokens, prompt cache.
typedef struct Prediction {
    const char *not_predicted;  // why not; NULL: predicted
    const Gpu *gpu;             // NULL: not in the catalog
    const Model *model;
    Serving serving;  // one replica
    Burst burst;      // no prompts: requests do not come all at once
    // concurrency of a replica, NaN: as many as fit
    double load;
    double waves;  // of a run that keeps so many in flight, see run_ttft_mean
    Point point;
    EffectSubject subject;  // whose factors were asked for
    double replicas;
    // of rate, as `tokens_kind` of measurements names it; "output": of token serving
    const char *unit;
    double rate;            // of the whole run, in that unit
    double ttft_s, tpot_s;  // token serving; the prompt in the middle
    double ttft_mean_s;     // over a run, with its start
    // of `rate`; the part of it that is not its group's spread, 0 but for prompts alone and bursts
    double sigma_log, doubt_log;
    Basis basis;
    // Not token serving:
    TaskSubject task;
    TaskWork work;
    double ideal_s, gpus, units;  // see task_ideal_s and task_rate; rate = units x task_rate
} Prediction;

void predict(const Facts *facts, const Measurement *m, Prediction *ret);
bool is_burst_run(const Prediction *p);  // whose prompts all come at once
// A replica under the prediction's load: its own, or the same with other factors. The mean TTFT of the run.
Point predicted_point(const Prediction *p, const Serving *s);
double predicted_ttft_mean(const Prediction *p, const Serving *s, const Point *point);
// The part of it that is no serving; `ret` as predict() prepares it, with GPU and model looked up.
void predict_task(const Facts *facts, const Measurement *m, Prediction *ret);
bool is_split_serving(const Measurement *m);  // disaggregated: prompts and answers on GPUs of their own
bool ttft_is_mean(const Measurement *m);
bool is_serving_task(const Measurement *m);  // serving, or the reading of prompts alone

// What was measured, in the unit of the prediction; NaN: not, or in another one.
double measured_rate(const Measurement *m, const Prediction *p);

#endif
