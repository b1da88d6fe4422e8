// What the GPUs of this machine are at, for who looks on: read by a process of its own, since a driver that
// hangs takes along who asks it.
#ifndef GPUADVISE_KERNELS_SENSORS_H
#define GPUADVISE_KERNELS_SENSORS_H

#include "kernels/telemetry.h"

// The one argument that makes the program that process.
#define SENSORS_WORD "--gpu-sensors"

// Writes a line a GPU of devices_probe to `out`, every second until nobody reads: "1 1755 350.2 61 98 41.2
// power cap" is its number, MHz, W, C, percent busy, GiB of memory used, and what holds it back or why
// nothing can be read. "-": not readable. An exit code.
int sensors_main(int out);

typedef struct SensorLine {
    size_t gpu;
    double clock_mhz, power_w, temperature_c, busy_pct, memory_used_gib;  // NaN: not readable
    Str words;                                                            // of the line read
} SensorLine;
bool sensor_line_read(Str line, SensorLine *ret_line);

#endif
