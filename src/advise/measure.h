// The command of a load generator that measures an option: what a user would run beside its server.
//
// The names of the options are those of the tools' own documentation (the table of measure.c, each with
// source and date).
#ifndef GPUADVISE_ADVISE_MEASURE_H
#define GPUADVISE_ADVISE_MEASURE_H

#include "src/advise/advise.h"
#include "src/perf/posterior.h"

// What one run is to be of: one replica of an option under so much of the load.
typedef struct Measure {
    const Model *model;
    const char *engine, *hf_name;  // "": the model's own
    double isl, osl;
    double concurrency, rate_rps;  // of the replica; rate NaN: so many are in flight
    double output_tokens_s;        // expected, so that it lasts long enough
} Measure;

// At the load that the option was judged at.
Measure measure_of(const Ask *ask, const Option *o);

// `tool`: that the user's runs are of (names of OwnRun.tool), "" or one that is not known: the engine's own.
// Lasts two minutes as expected and ten requests for each in flight. Arena text.
const char *measure_command(const Measure *m, const char *tool, Arena *a);

// That the newest of the user's runs was made with; "" where there are none.
const char *measure_tool(const Facts *facts);

#endif
