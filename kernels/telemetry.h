// Clocks, power, temperature and what holds a GPU back, while it works: NVML for NVIDIA, sysfs and
// gpu_metrics for AMD.
//
// Everything may be unreadable (containers, virtual machines, old drivers): such a figure is NaN, never an
// error.
#ifndef GPUADVISE_KERNELS_TELEMETRY_H
#define GPUADVISE_KERNELS_TELEMETRY_H

#include "kernels/gpu.h"

// What holds clocks down. Idle clocks and clocks that were set by hand are none of these. A brake comes from
// outside of the GPU: the node's power supply, or a limit of the node.
enum {
    LIMIT_POWER = 1,
    LIMIT_CURRENT = 2,
    LIMIT_THERMAL = 4,
    LIMIT_HARDWARE = 8,
    LIMIT_OTHER = 16,
    LIMIT_BRAKE = 32
};

enum { RESIDENCIES = 5 };

typedef struct GpuState {
    double clock_mhz, power_w, temperature_c, busy_pct;
    double memory_used_gib;
    double energy_j;  // a counter
    unsigned limits;  // LIMIT_*, of this moment
    // counters of newer AMD GPUs: prochot, power, socket, regulator, memory heat
    double residency[RESIDENCIES];
    double accumulated;  // what they are counted against
} GpuState;

#define NVML_FIELD(field, symbol, optional, args) unsigned(*field) args;
typedef struct NvmlTable {
    NVML_FUNCTIONS(NVML_FIELD)
} NvmlTable;
#undef NVML_FIELD

typedef struct Telemetry {
    GpuApi api;
    void *library;  // NVML; NULL = none
    NvmlTable f;
    NvmlDevice device;
    char folder[512];  // AMD: /sys/bus/pci/devices/..., below the root; "" = none
} Telemetry;

// Never fails: what cannot be opened reads as NaN. *ret_why (arena): what is missing, "" = nothing.
void telemetry_open(GpuApi api, const char *root, const char *pci, Arena *a, Telemetry *ret_telemetry,
                    const char **ret_why);
void telemetry_close(Telemetry *t);
void telemetry_read(const Telemetry *t, GpuState *ret_state);
// What held the GPU back between two readings, LIMIT_* bits.
unsigned telemetry_limits(const GpuState *before, const GpuState *after);
// "power cap, heat"; "" for none.
const char *limits_text(Arena *a, unsigned limits);

// Standing facts of the board, for the report and the verdict.
typedef struct BoardFacts {
    bool mig;                // the device is a slice of a MIG-enabled GPU
    double other_processes;  // that compute on it now
    double power_limit_w, power_default_w;
    double ecc_on;                     // 1, 0
    double ecc_errors, ecc_corrected;  // since the driver was loaded
    double rows_pending;               // 1: rows of its memory wait to be remapped, or could not be
    double link_width, link_width_max;
    char uuid[96], serial[64], vbios[64];  // "" = it says none
} BoardFacts;
void telemetry_board(const Telemetry *t, BoardFacts *ret_facts);

// The binary file gpu_metrics of the amdgpu driver, any revision that is known: false and nothing else when
// it is not. Fills clock, power, temperature, busy, limits and residencies that the revision has; the others
// stay as they were.
bool gpu_metrics_read(const unsigned char *bytes, size_t n, GpuState *ret_state);
// The temperature limits or other lines of an hwmon are read by the file's name; the active line of
// pp_dpm_sclk: MHz or NaN.
double dpm_active_mhz(const char *text);

#endif
