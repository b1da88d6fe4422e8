// What a benchmark says of a device.
#include "src/facts/bench.h"

#include <string.h>

#include "src/base/base.h"

const BenchFields bench_device_fields = BENCH_FIELDS(BENCH_DEVICE);
const BenchFields bench_result_fields = BENCH_FIELDS(BENCH_RESULT);
const BenchFields bench_recorded_fields = BENCH_FIELDS(BENCH_RECORDED);
const BenchFields bench_kept_fields = BENCH_FIELDS(BENCH_KEPT);

bool bench_is_own_limit(const char *throttle, double limit_w, double default_w) {
    return strcmp(throttle, BENCH_POWER_CAP) == 0 && limit_w >= BENCH_WHOLE_LIMIT * default_w;
}

double bench_judged(const BenchResult *r) {
    return strncmp(r->test, "gemm-", 5) == 0 && is_known(r->library_ceiling) ? r->library_ceiling : r->median;
}
