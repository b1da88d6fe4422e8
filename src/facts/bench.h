// What a benchmark says of a device: types shared by the measuring, the keeping and the showing of runs.
//
// Level 0. Numbers that are not known are NaN, texts "". All text is borrowed from the arena of whoever made
// the struct.
#ifndef GPUADVISE_BENCH_FACTS_H
#define GPUADVISE_BENCH_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A device of this machine, as an answer and a stored run name it.
typedef struct BenchDevice {
    const char *id;      // "cpu", "gpu0"; "8xnvidia": all of them together
    const char *vendor;  // cpu, nvidia, amd
    const char *name;    // as the device or its driver says
    const char *sku_id;  // of the catalog; "" = not mapped
    const char *pci;     // "0000:c1:00.0"
    const char *driver;  // kernel driver and its version
    const char *state;   // tested, not tested, not in this allocation, failed
    const char *why;     // why it was not tested, or what failed
    const char *how;     // "avx512, 2 threads"
    const char *memory;  // working set of the bandwidth tests: "512 MiB, last-level cache 35.8 MiB"
    double share;        // of the whole GPU of the catalog: 1, 0.125
    const char *part;    // what a share below 1 is: MIG slice, partition, die; "" = a whole GPU, or none
    double shared;       // 1: others computed on it; 0: nobody was seen
    double power_limit_w, power_default_w;
    double ecc_errors, ecc_corrected;  // of its memory since the driver was loaded: uncorrected, corrected
    double rows_pending;               // 1: rows of its memory wait to be remapped, or could not be
    const char *code;                  // the device code that ran: "sm_90a, PTX 8.4"
    const char *uuid, *vbios;          // of the board, as its driver says
} BenchDevice;

// What BenchDevice.part says.
#define BENCH_PART_MIG "MIG slice"
#define BENCH_PART_PARTITION "partition"
#define BENCH_PART_DIE "die"

// A throttle that a healthy GPU shows as well, when its limit is the default.
#define BENCH_POWER_CAP "power cap"

#define BENCH_NOT_ALLOCATED "not in this allocation"
// How the driver's library says that it does not list a GPU.
#define BENCH_NOT_SHOWN " does not show "

// How the path of a pair without peer access begins.
#define BENCH_PATH_STAGED "through the host's memory"

// One test on one device. A speed whose check did not pass is NaN.
typedef struct BenchResult {
    const char *test, *dtype, *unit;
    // a BenchDevice's id; of two GPUs "gpu0>gpu1", or "gpu0+gpu1" both ways
    const char *device;
    const char *shape;       // "2048x2048x2048"; "-" = it did not come to that
    double median, p5, p95;  // steady, in `unit`
    double burst;            // median of the first 50 ms, before clocks and power settle
    double samples;          // batches behind the median
    double datasheet, pct_of_datasheet;
    double library_ceiling;              // the same product by a vendor's library, in `unit`
    const char *library;                 // its name; "" = none was there
    double expected_low, expected_high;  // healthy band of this SKU
    const char *expected_source;
    bool verified;              // every check against the reference passed
    double max_error;           // largest |result - reference| of the checked outputs
    double max_error_of_bound;  // the same over the bound derived for that output; over 1 = wrong
    double checked;             // outputs compared
    // 1: a stream whose working set is not well above the caches; NaN = no stream
    double in_cache;
    // as expected, a little low, low, no reference, not supported, impossible, wrong, failed
    const char *verdict;
    double clock_mhz, power_w, temperature_c;
    // what held the clocks down: "power cap, heat"; "" = nothing that can be read
    const char *throttle;
    const char *cause;  // probable cause of a low figure; "" = none
    const char *error;  // why there is no figure: wrong output, crash, deadline ...
    // that took part in a test of several; clocks are then the lowest, power the sum, temperature the highest
    double gpu_count;
    // what joins them: "NVLink, 18 links", "through the host's memory: ..."; "" = one device
    const char *path;
    // digests and samples of one fixed problem's outputs (kernels/verify.h): what `bench verify` compares
    const char *bits;
} BenchResult;

// A run as it is kept.
typedef struct BenchRun {
    int64_t id;
    const char *taken_at;  // UTC, RFC 3339
    const char *tool_version, *system, *options;
    const char *origin;          // the file it was imported from; "" = measured here
    const char *device_names;    // of a run that is kept: "2 x h100-sxm5-80gb"
    const char *host, *boot_id;  // where it was measured; "" = not known
    double quick;                // 1: small products and short times
    bool complete;               // false: interrupted
    BenchDevice *devices;
    size_t n_devices;
    BenchResult *results;
    size_t n_results;
} BenchRun;

#endif
