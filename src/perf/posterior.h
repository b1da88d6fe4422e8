// What runs of the user's own say of an estimate: a posterior over how far off the estimator is. Pure.
//
// What a run took over what is predicted of it, as a logarithm, is one value of an unknown function of the
// configuration and its load; there is one such function for the throughput, one for the time of an output
// token beside it, one for the first token. A priori each is a Gaussian process around 0 whose covariance
// between two places is
//   likeness x (scale + shape x exp(-d^2 / 2))
// likeness: what the two have in common, 1 for one configuration of one GPU (its model, engine, class of
// weights and layout), less for kin. Between GPUs it is the part of one model, engine and class, as far as one
// hand's two sides err alike (constants share_model, share_engine, share_hand, as in the ratio of two). d: distance of
// the logarithms of load and lengths. A scale holds at every load, a shape near the measured ones. Measured
// values carry noise: what repeats vary by, more where a run is short, flagged or old. The posterior given the
// runs is exact; its mean corrects the estimate, and its variance over that of the prior narrows the range. All
// runs stand in one posterior, so that a run of either side of a ratio leaves that no less sure.
#ifndef GPUADVISE_PERF_POSTERIOR_H
#define GPUADVISE_PERF_POSTERIOR_H

#include "src/facts/own_run.h"
#include "src/perf/perf.h"
#include "src/perf/predict.h"

// What is measured of a run, as a time: a request's share of the throughput, an output token, the first one.
typedef enum Response { RESPONSE_RATE, RESPONSE_TPOT, RESPONSE_TTFT, RESPONSE_COUNT } Response;

// What a run or an estimate is of, and where it lies. Borrows.
typedef struct Place {
    const Gpu *gpu;
    const Model *model;
    const char *engine;
    Dtype class;  // factor_class
    Layout layout;
    bool speculates, cached;
    double sigma;  // of ln of the estimate alone
    double at[3];  // ln of sequences running on a replica, of input, of output tokens; NaN: does not matter
} Place;

// A run that can be predicted, and how far off that was.
typedef struct PosteriorRow {
    const OwnRun *run;
    Place place;
    double off[RESPONSE_COUNT];  // ln(measured / predicted) of the times; NaN: not measured
    double noise;                // variance beyond that of a good run of today
} PosteriorRow;

// What is the same on two GPUs in errors of one model, engine and class: always, and by the hand that runs both.
typedef struct Shares {
    double always, hand;
} Shares;

// All runs, solved. Owned by the arena it was made in.
typedef struct Posterior {
    Shares shares;
    const PosteriorRow *rows;
    size_t n, n_values;
    const unsigned *row_of, *response_of;  // of each measured value
    const double *factor, *weights;        // of their covariance; its inverse times the values
    size_t left_out;                       // runs beyond POSTERIOR_ROWS_MAX
} Posterior;

enum { POSTERIOR_ROWS_MAX = 64 };  // those of the model in question first, then the newest

Place serving_place(const Serving *s, double running);

// Predicts a run without any own run's help. False where it says nothing of token serving: no prediction
// (`ret->prediction.not_predicted`), disaggregated, quarantined or flagged as no run of an own server.
// `today`: days since 1970.
bool posterior_row(const Facts *facts, const OwnRun *run, int64_t today, Prediction *ret_prediction,
                   PosteriorRow *ret);

// Solves n rows, of any GPUs. `model`: the one in question, NULL: none.
const Posterior *posterior_of(const Facts *facts, const PosteriorRow *rows, size_t n, const Model *model,
                              Arena *a);

// ---------------------------------------------------------------- what they say

// ln(what is to be expected / what the estimator says alone) of the times.
void posterior_means(const Posterior *p, const Place *place, double ret[RESPONSE_COUNT]);
// Variance of the posterior over that of the prior, 0 to 1.
double posterior_left(const Posterior *p, const Place *place, Response response);

// The standard deviation of ln that is then left of `alone`, that of an estimate without own runs. What repeats
// vary by (constant sigma_own) is part of both: runs cannot take it away.
double posterior_sigma(const Facts *facts, double alone, double left);

// The variance of ln of the ratio of two estimates that the runs leave, without that of repeats.
double posterior_ratio_left(const Facts *facts, const Posterior *p, const Place *a, const Place *b);

// Takes what the runs say and puts range and basis as they are at a middling load.
void posterior_take(const Facts *facts, Serving *s);
// Range and basis at this load, once it is known.
void posterior_at(const Facts *facts, double running, Serving *s);
// Corrects the times of a point without waiting; nothing where there are no runs.
void posterior_correct(const Serving *s, Point *point);

// How many of its runs the user accepted against a quarantine.
size_t posterior_accepted(const Posterior *p);

// "runs 3, 5 and 8 of your own", and how many were accepted against a quarantine; "" where they have no say.
const char *posterior_source(const Serving *s, Arena *a);

// One run's part in an estimate.
typedef struct PosteriorMove {
    const PosteriorRow *row;
    double likeness;  // of its configuration, 0 to 1
    double moved;     // what it adds to ln(time of an answer)
} PosteriorMove;

// The runs that have a part in it, the largest first; at most `size`.
size_t posterior_moves(const Serving *s, double running, PosteriorMove *ret, size_t size);

#endif
