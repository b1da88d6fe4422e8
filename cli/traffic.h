// Files of requests for the commands that read them.
#ifndef GPUADVISE_CLI_TRAFFIC_H
#define GPUADVISE_CLI_TRAFFIC_H

#include "cli/cli.h"
#include "cli/own.h"
#include "src/traffic/traffic.h"

// Reads all files, gzip or not, as the options --map, --block-tokens, --service-ms and --sessions say, which
// it puts into `options`. What was found borrows the app's arena.
bool traffic_read(App *app, const char *const *files, size_t n, TrafficOptions *options,
                  TrafficScan **ret_scan, TrafficFound *ret_found, Err *e);

#endif
