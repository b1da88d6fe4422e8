// What the files of migrate scan share.
#ifndef GPUADVISE_CLI_MIGRATE_SCAN_H
#define GPUADVISE_CLI_MIGRATE_SCAN_H

#include "cli/migrate.h"
#include "src/report/scan_report.h"

// The AMD GPU that --gpu names; NULL: none is named.
bool scan_target(App *app, Catalog *c, const Gpu **ret_gpu, Err *e);
// Scans `root` for `target` (an AMD GPU; NULL: any Instinct) under the options of `app`, and estimates. `x`
// starts zeroed and needs scan_free of its result either way.
bool scan_source(App *app, const char *root, const Gpu *target, ScanAnswer *x, Err *e);
// Fills `shown` from --class, --rule, --path, --where and --sort, and warns of what is not listed. ERR_USAGE: an
// unknown rule, a filter that is none.
bool scan_choose(App *app, ScanAnswer *x, Err *e);
// Fills `lines` for review findings that are listed; of a tree that builds for ROCm already none.
bool scan_lines(App *app, ScanAnswer *x, Err *e);

#endif
