// When a request that failed for a passing reason is tried again.
#ifndef GPUADVISE_CATALOG_FEEDS_HTTP_RETRY_H
#define GPUADVISE_CATALOG_FEEDS_HTTP_RETRY_H

#include <stdbool.h>
#include <stdint.h>

enum { RETRY_MS_MAX = 30 * 1000 };  // from the first attempt's start to the last one's

// A status that may be another one in a moment: 408, 425, 429, 500, 502..504.
bool retry_status(long status);

// Milliseconds to wait before the next attempt; -1: there is none, all are used up or it would come too late.
// `attempts` were made, the first `elapsed_ms` ago; `retry_after_s` is the server's word, 0 none; `random` in
// 0..1 spreads the wait.
int64_t retry_wait_ms(int attempts, int64_t retry_after_s, int64_t elapsed_ms, double random);

// The next number in 0..1; *state is never 0. Spreads retries, nothing more.
double retry_random(uint64_t *state);

#endif
