// The amdgpu driver's binary file gpu_metrics: a header (u16 size, u8 format, u8 revision), then fields at
// places that each revision chose anew. Places as in the kernel's struct gpu_metrics_v1_x
// (drivers/gpu/drm/amd/include/kgd_pp_interface.h).
#include <math.h>
#include <string.h>

#include "kernels/telemetry.h"

typedef enum ThrottleKind { THROTTLE_NONE, THROTTLE_CHIP, THROTTLE_COMMON, THROTTLE_RESIDENCY } ThrottleKind;

typedef struct Layout {
    unsigned revision;
    size_t size, hotspot, power, busy, clock;
    size_t clocks;  // how many stand there, one a die; those at 0xFFFF are not there
    ThrottleKind kind;
    // u32 of the chip, u64 of common bits, or five u32 counters after the one they are held against
    size_t throttle;
} Layout;

static const Layout layouts[] = {
    {1, 96, 6, 22, 16, 54, 1, THROTTLE_CHIP, 68},
    {2, 104, 6, 22, 16, 54, 1, THROTTLE_CHIP, 68},
    {3, 120, 6, 22, 16, 54, 1, THROTTLE_COMMON, 112},
    {4, 288, 4, 10, 12, 240, 8, THROTTLE_CHIP, 40},
    {5, 360, 4, 10, 12, 312, 8, THROTTLE_CHIP, 104},
    {6, 1664, 4, 10, 12, 264, 8, THROTTLE_RESIDENCY, 32},
    {7, 2208, 4, 10, 12, 296, 8, THROTTLE_RESIDENCY, 40},
    {8, 3872, 4, 10, 12, 296, 8, THROTTLE_RESIDENCY, 40},
};
enum { FORMAT_DISCRETE = 1, HEADER = 4, ABSENT = 0xFFFF };

static uint64_t whole(const unsigned char *bytes, size_t at, size_t size) {
    uint64_t x = 0;
    for (size_t i = size; i-- > 0;) x = x << 8 | bytes[at + i];
    return x;
}

static void take16(const unsigned char *bytes, size_t at, double *value) {
    uint64_t x = whole(bytes, at, 2);
    if (x != ABSENT) *value = (double)x;
}

static double mean_clock(const unsigned char *bytes, const Layout *l) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < l->clocks; i++) {
        uint64_t mhz = whole(bytes, l->clock + 2 * i, 2);
        if (mhz != ABSENT && mhz != 0) sum += (double)mhz, n++;
    }
    return n > 0 ? sum / n : (double)NAN;
}

// Bits of enum smu_throttler: 0-15 power, 16-31 current, 32-55 heat.
static unsigned common_limits(uint64_t bits) {
    if (bits == UINT64_MAX) return 0;
    return ((bits & 0xFFFF) != 0 ? LIMIT_POWER : 0) | ((bits >> 16 & 0xFFFF) != 0 ? LIMIT_CURRENT : 0) |
           ((bits >> 32 & 0xFFFFFF) != 0 ? LIMIT_THERMAL : 0);
}

bool gpu_metrics_read(const unsigned char *bytes, size_t n, GpuState *s) {
    if (n < HEADER || bytes[2] != FORMAT_DISCRETE) return false;
    const Layout *l = NULL;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        if (layouts[i].revision == bytes[3]) l = &layouts[i];
    }
    if (l == NULL || whole(bytes, 0, 2) != l->size || n < l->size) return false;
    double clock = mean_clock(bytes, l);
    take16(bytes, l->hotspot, &s->temperature_c);
    take16(bytes, l->power, &s->power_w);
    take16(bytes, l->busy, &s->busy_pct);
    if (is_known(clock)) s->clock_mhz = clock;
    uint64_t chip = l->kind == THROTTLE_CHIP ? whole(bytes, l->throttle, 4) : 0;
    if (chip != 0 && chip != UINT32_MAX) s->limits |= LIMIT_OTHER;
    if (l->kind == THROTTLE_COMMON) s->limits |= common_limits(whole(bytes, l->throttle, 8));
    if (l->kind == THROTTLE_RESIDENCY) {
        s->accumulated = (double)whole(bytes, l->throttle, 4);
        for (size_t i = 0; i < RESIDENCIES; i++)
            s->residency[i] = (double)whole(bytes, l->throttle + 4 + 4 * i, 4);
    }
    return true;
}
