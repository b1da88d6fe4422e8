// What tells kinds of workloads apart, in words and in what they need: one row a kind.
//
// A new kind is a value of WorkloadKind (at its end) and a row in three tables, each of which does not compile
// without it: its words here, how it is sized in src/perf/task.c, what it costs in src/advise/kinds.c. No other
// file asks which kind a workload is of, only what these tables say of it.
#ifndef GPUADVISE_FACTS_KINDS_H
#define GPUADVISE_FACTS_KINDS_H

#include "src/facts/facts.h"

typedef struct KindSpec {
    bool serves;          // requests for tokens, searched by src/advise/serving.c; else a task of one rate
    bool trains;          // all GPUs work on one job, over their network
    bool alone;           // each GPU works by itself: there may be any number of them
    bool by_job;          // a month costs what its jobs do, not what its hours do
    bool no_model;        // no model runs
    bool native_weights;  // a model named by the user may also run in the precision that it is released in
    bool (*whole)(const Workload *w);  // whether it has the numbers that it cannot do without;
    const char *lacks;                 // what an error says is lacking
    const char *reads;                 // "one vector a text of", so many input tokens; "": its title says it
    const char *per, *title, *axis;    // of a cost: in a sentence, over a column, along a chart
    const char *rate_key, *rate_unit;  // of the speed of one GPU: in CSV and over a column
    double rate_s;                     // seconds of that unit's time
} KindSpec;

const KindSpec *kind_of(const Workload *w);
bool serves_tokens(const Workload *w);

#endif
