// What the kernel's drivers show of a GPU: gpu_metrics, lines of clocks, numbers of targets.
#include <math.h>
#include <string.h>

#include "kernels/devices.h"
#include "kernels/sensors.h"
#include "tests/fuzz/fuzz.h"

// A figure that was read is a figure: not below 0, not infinite.
static void check(double x) { MUST_HOLD(isnan(x) || (x >= 0 && x < 1e19)); }

// Lines that another machine's program wrote: numbers within their bounds, texts fit for a terminal.
static void try_lines(Str text) {
    Str line;
    while (text.length > 0 && str_next(&text, '\n', &line)) {
        Arena a = {0};
        SensorLine figures;
        GpuDevice d;
        size_t n = 0;
        if (sensor_head_read(line, &n)) MUST_HOLD(n <= SENSOR_GPUS_MAX);
        if (sensor_line_read(line, &figures)) MUST_HOLD(figures.gpu < SENSOR_GPUS_MAX);
        if (sensor_device_read(line, &a, &n, &d)) {
            MUST_HOLD(n < SENSOR_GPUS_MAX && d.vendor >= 0 && d.vendor < VENDOR_COUNT);
            MUST_HOLD(strcmp(text_clean(&a, d.name), d.name) == 0 &&
                      strcmp(text_clean(&a, d.driver), d.driver) == 0);
        }
        arena_free(&a);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    double nan = (double)NAN;
    GpuState before = {.clock_mhz = nan,
                       .power_w = nan,
                       .temperature_c = nan,
                       .busy_pct = nan,
                       .energy_j = nan,
                       .accumulated = nan},
             after = before;
    bool known = gpu_metrics_read(data, size, &after);
    MUST_HOLD(!known || size >= 96);
    check(after.clock_mhz), check(after.power_w), check(after.temperature_c), check(after.busy_pct);
    unsigned limits = telemetry_limits(&before, &after);
    MUST_HOLD(limits < 32);
    MUST_HOLD(strlen(limits_text(&a, limits)) < 200);
    const char *text = arena_copy(&a, (const char *)data, size);
    check(dpm_active_mhz(text));
    try_lines((Str){text, strlen(text)});
    double target = 0;
    if (size >= sizeof target) {
        memcpy(&target, data, sizeof target);
        MUST_HOLD(strlen(gfx_name(&a, target)) < 16);
    }
    arena_free(&a);
    return 0;
}
