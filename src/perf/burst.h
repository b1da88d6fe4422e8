// Requests that all come at once: how long a replica takes for them, and what each of them sees. Pure.
//
// Prompts are let in first come first served, as places and memory allow, and the engine works in steps. Three
// parts follow each other (src/perf/burst.c has the sums): sequences pile up while prompts are read (ramp),
// run at the most that fits while others wait (hold), and end one after the other (drain). Steps of a few
// sequences take hardly less than steps of many, so that the last long answers count more than their tokens.
#ifndef GPUADVISE_PERF_BURST_H
#define GPUADVISE_PERF_BURST_H

#include "src/perf/perf.h"
#include "src/perf/version.h"

typedef struct Burst {
    double prompts;       // of one replica, 1 or more
    double places;        // sequences that run at once: the engine's limit and memory
    double chunk_tokens;  // of prompts beside a step of decoding; NaN: prompts are read ahead of decoding
    // standard deviation over mean of the answers' lengths, 0 to 1: a shortest length and an exponential rest
    double length_cv;
} Burst;

// What an engine of this release and date makes of `prompts` of a replica by default (data/engine_defaults.tsv,
// else its row of data/engine_limits.tsv). `told`: it runs as many at once as memory holds. `date` in years; it
// and the release NaN where unknown.
Burst burst_of(const Facts *facts, const Serving *s, double prompts, double length_cv, bool told,
               double release, double date);

// The burst's figures: output tokens/s of the whole run until its last answer, TTFT of the prompt in the middle,
// mean TPOT, E2E of both together.
Point serving_burst(const Serving *s, const Burst *b);

// Mean TTFT of a benchmark that keeps `concurrency` requests in flight, from its point in steady state: all of them
// start together, so that the last one waits for the prompts of all. So does the first of `waves` waves; 1: where every
// request has the same lengths they also end and start again together.
double run_ttft_mean(const Serving *s, const Point *steady, double waves);

// Spread of a run's answers, by their mean lengths: 0 where both are round (a digit and zeros, powers of two, as a
// load generator is told), else that of chat logs (length_cv of data/constants.tsv): means over a data set.
double spread_of_lengths(const Facts *facts, double isl, double osl);

#endif
