// What the GPUs of a machine are at, for who looks on: read by a process of its own, since a driver that hangs
// takes along who asks it; and by one on another machine, whose answer comes through ssh.
#ifndef GPUADVISE_KERNELS_SENSORS_H
#define GPUADVISE_KERNELS_SENSORS_H

#include "kernels/devices.h"
#include "kernels/telemetry.h"

// The one argument that makes the program that process.
#define SENSORS_WORD "--gpu-sensors"

// Writes what the GPUs of devices_probe are to `out`, then a line of figures for each, every second until nobody
// reads. An exit code. Words without blanks, "-": not known or not readable:
//     sensors 2 1                                  version of these lines, how many GPUs
//     device 0 nvidia 10de:2330 10de:16c1 00 - - 80 nvidia_580.95.05 NVIDIA H100 80GB HBM3
//                                                  number, vendor, PCI ids, target, compute units, GiB, driver, name
//     0 1755 350.2 61 98 41.2 600 700 16 16 2 power cap
//                                                  number, MHz, W, C, percent busy, GiB used, power limit and the
//                                                  board's own, PCIe lanes and how many there can be, processes,
//                                                  and what holds it back or why nothing can be read
int sensors_main(int out);

enum { SENSORS_VERSION = 2, SENSOR_GPUS_MAX = 64 };

typedef struct SensorLine {
    size_t gpu;
    double clock_mhz, power_w, temperature_c, busy_pct, memory_used_gib;  // NaN: not readable
    double power_limit_w, power_default_w, link_width, link_width_max, processes;
    Str words;  // of the line read
} SensorLine;
bool sensor_line_read(Str line, SensorLine *ret_line);

// "sensors 2 1": false for other lines and other versions.
bool sensor_head_read(Str line, size_t *ret_gpus);
// A line "device ...": texts live in the arena, free of control characters.
bool sensor_device_read(Str line, Arena *a, size_t *ret_number, GpuDevice *ret_device);

#endif
