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
    double ecc_errors, ecc_corrected;   // of its memory since the driver was loaded: uncorrected, corrected
    double rows_pending;                // 1: rows of its memory wait to be remapped, or could not be
    const char *code;                   // the device code that ran: "sm_90a, PTX 8.4"
    const char *uuid, *serial, *vbios;  // of the board, as its driver says
} BenchDevice;

// What BenchDevice.part says.
#define BENCH_PART_MIG "MIG slice"
#define BENCH_PART_PARTITION "partition"
#define BENCH_PART_DIE "die"

// What BenchRun.record says: a file that was begun and not finished has no results.
#define BENCH_STARTED "started"
#define BENCH_FINISHED "finished"

// A throttle that a healthy GPU shows as well, when its limit is the default.
#define BENCH_POWER_CAP "power cap"
// Is `throttle` that one alone, and the limit the default?
bool bench_is_own_limit(const char *throttle, double limit_w, double default_w);
// A power limit below this share of the default is a cap.
#define BENCH_WHOLE_LIMIT 0.97

// One that comes from outside of the GPU.
#define BENCH_POWER_BRAKE "power brake of the node"

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
    // what joins them: "NVLink, 18 links", "through the host's memory: ..."; of a copy between host and device
    // where the host's memory lies; "" = neither
    const char *path;
    // digests and samples of one fixed problem's outputs (kernels/verify.h): what `bench verify` compares
    const char *bits;
} BenchResult;

// One GPU of a run under load.
typedef struct SoakGpu {
    const char *device;                 // a BenchDevice's id
    double memory_share;                // of its memory that patterns were written to: 0.94
    double rounds;                      // memory, products and bandwidth in turn: how often
    double ecc_new, ecc_corrected_new;  // errors of its memory that came meanwhile
    double clock_min_mhz, power_max_w, temperature_max_c;  // of the slices' figures
    double power_limit_w;
    const char *throttle;  // all that held its clocks down
    double below_pct;      // of the median of its like, in the test where that is most; NaN: it has no like
    const char *below_in;  // that test
    const char *ended;     // "after 310 s: ..."; "" = it went on to the end
} SoakGpu;

// GPUs of a node under load together. It is part of the answer; results and devices alone are kept.
typedef struct BenchSoak {
    double asked_s, ran_s, slice_s;
    double power_w;        // the most that all of them drew together in a slice
    double power_limit_w;  // of all of them together
    const char *held;      // "gpu1 by power cap, gpu3 by heat"; "" = none
    SoakGpu *gpus;
    size_t n_gpus;
    const SoakGpu *slowest, *hottest;  // NULL: not known
} BenchSoak;

// The figure that a verdict is of: of a product the library's, where there is one.
double bench_judged(const BenchResult *r);

// A run as it is kept.
typedef struct BenchRun {
    int64_t id;
    const char *taken_at;  // UTC, RFC 3339
    const char *tool_version, *system, *options;
    const char *origin;          // the file it was imported from; "" = measured here
    const char *device_names;    // of a run that is kept: "2 x h100-sxm5-80gb"
    const char *host, *boot_id;  // where it was measured; "" = not known
    double quick;                // 1: small products and short times
    // Of the job that it was a part of, as its launcher says: slurm, openmpi, kubernetes, pmi; "" = none.
    const char *launcher, *job;
    const char *node;                // the scheduler's name of the machine
    double rank, ranks, local_rank;  // of this process, of all, of this process on its node
    const char
        *environment;    // what steers the libraries: "NCCL_ALGO=Ring NCCL_DEBUG=INFO", as words of a shell
    const char *record;  // BENCH_STARTED, BENCH_FINISHED; "" = not of `bench --record`
    bool complete;       // false: interrupted
    BenchDevice *devices;
    size_t n_devices;
    BenchResult *results;
    size_t n_results;
    const BenchSoak *soak;  // NULL: none
} BenchRun;

#endif
