// When to try again: growing, jittered waits that honour Retry-After.
#include "catalog/feeds/http_retry.h"

enum { ATTEMPTS_MAX = 4, BACKOFF_MS = 500 };  // the wait before the second attempt; doubles

bool retry_status(long status) {
    return status == 408 || status == 425 || status == 429 || status == 500 ||
           (status >= 502 && status <= 504);
}

int64_t retry_wait_ms(int attempts, int64_t retry_after_s, int64_t elapsed_ms, double random) {
    if (attempts < 1 || attempts >= ATTEMPTS_MAX || retry_after_s > RETRY_MS_MAX / 1000) return -1;
    double wait = (double)(BACKOFF_MS << (attempts - 1)) * (0.5 + random);
    double asked = (double)retry_after_s * 1000;
    if (asked > wait) wait = asked + wait / 4;  // not all at the same moment
    int64_t ms = (int64_t)wait;
    return elapsed_ms + ms > RETRY_MS_MAX ? -1 : ms;
}

double retry_random(uint64_t *state) {  // xorshift64*
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)(*state * 0x2545f4914f6cdd1dULL >> 11) / 9007199254740992.0;
}
