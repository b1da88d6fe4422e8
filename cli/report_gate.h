// Gates of `report` against an earlier answer, and `report diff`.
#ifndef GPUADVISE_REPORT_GATE_H
#define GPUADVISE_REPORT_GATE_H

#include "cli/cli.h"

// Reads the file of --fail-if-verdict-changes, if that is set, before any work is done.
typedef struct VerdictGate {
    bool set;
    Winner winner;
    const char *file, *generated_at;
} VerdictGate;
bool verdict_gate_read(App *app, VerdictGate *ret_gate, Err *e);

// EXIT_GATE, with a warning that says so, when a gate failed; else EXIT_DONE. `advice` has options.
int report_gates(App *app, const VerdictGate *gate, const Advice *advice);

// `report diff A.json B.json`.
int report_diff(App *app);

#endif
