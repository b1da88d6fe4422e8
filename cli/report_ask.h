// What `gpuadvise report` is asked: from the options to an Ask, in this order.
#ifndef GPUADVISE_REPORT_ASK_H
#define GPUADVISE_REPORT_ASK_H

#include "cli/cmd.h"

// The workload that is named, as argument or by --workload, or that of a model alone; its model. False: a
// usage error.
bool report_workload(App *app, const Facts *facts, Ask *ask, Err *e);

// What the user changes of it: load, limits, precisions, the fleet.
bool report_changes(App *app, const Facts *facts, Ask *ask, Err *e);

// Vendors, GPUs, providers, engines, prices and discounts; how many options are shown.
bool report_filters(App *app, const Facts *facts, Ask *ask, Err *e);

#endif
