// What a benchmark says of a device.
#include "src/facts/bench.h"

#include <string.h>

bool bench_is_own_limit(const char *throttle, double limit_w, double default_w) {
    return strcmp(throttle, BENCH_POWER_CAP) == 0 && limit_w >= BENCH_WHOLE_LIMIT * default_w;
}
