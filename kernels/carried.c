// Bytes made, compared, judged.
#include "kernels/carried.h"

#include <string.h>

void carried_make(unsigned char *out, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; i++) {
        uint64_t x = (seed + i / 8) * UINT64_C(0x9E3779B97F4A7C15);
        out[i] = (unsigned char)((x ^ x >> 29) >> 8 * (i % 8));
    }
}

static size_t wrong_bytes(const unsigned char *got, const unsigned char *want, size_t n, size_t *ret_first) {
    size_t wrong = 0;
    if (memcmp(got, want, n) == 0) return 0;
    for (size_t i = n; i-- > 0;) {
        if (got[i] != want[i]) wrong++, *ret_first = i;
    }
    return wrong;
}

bool guards_whole(const unsigned char *raw, size_t bytes) {
    for (size_t i = 0; i < GUARD_BYTES; i++) {
        if (raw[i] != GUARD || raw[GUARD_BYTES + bytes + i] != GUARD) return false;
    }
    return true;
}

void carried_check(const unsigned char *raw, const unsigned char *sent, size_t bytes, Arena *a,
                   BenchResult *r) {
    size_t first = 0, wrong = wrong_bytes(raw + GUARD_BYTES, sent, bytes, &first);
    r->checked = (is_known(r->checked) ? r->checked : 0) + (double)bytes;
    if (r->error[0] != '\0') return;
    if (wrong > 0) {
        r->error = arena_printf(a, "%zu of %zu bytes arrived wrong, the first at %zu", wrong, bytes, first);
    } else if (!guards_whole(raw, bytes)) {
        r->error = "it wrote beyond its target";
    }
}

void carried_judge(BenchResult *r) {
    r->verified = r->error[0] == '\0';
    if (r->verified) r->max_error = r->max_error_of_bound = 0;
    if (!r->verified) r->verdict = "wrong";
}
