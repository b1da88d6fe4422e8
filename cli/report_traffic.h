// `report --traffic`: the load of logs, traces and kept summaries, and the fleets that carry it.
#ifndef GPUADVISE_CLI_REPORT_TRAFFIC_H
#define GPUADVISE_CLI_REPORT_TRAFFIC_H

#include "cli/cmd.h"
#include "src/advise/sizing.h"

// Reads what --traffic names and makes lengths and rate of the ask's workload its own; *ret_load NULL: it was
// not given.
bool report_traffic(App *app, const Facts *facts, Ask *ask, const TrafficLoad **ret_load, Err *e);

// After the search: sizes the best option of each vendor and the next ones of other GPUs.
void report_size(App *app, const TrafficLoad *load, Advice *advice);

#endif
