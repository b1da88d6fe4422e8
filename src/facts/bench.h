// What a benchmark says of a device: types shared by the measuring, the keeping and the showing of runs.
//
// Level 0. Numbers that are not known are NaN, texts "". All text is borrowed from the arena of whoever made
// the struct.
#ifndef GPUADVISE_BENCH_FACTS_H
#define GPUADVISE_BENCH_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The members of a struct that JSON and, of runs that are kept, the database name alike are listed once:
// X(struct, kind, member), in the order of the JSON.
typedef enum BenchKind {
    BENCH_TEXT,
    BENCH_NUMBER,
    BENCH_TRUTH,  // double: 1, 0, NaN for not known
    BENCH_FLAG    // bool
} BenchKind;

typedef struct BenchField {
    const char *column, *key;  // in the database, in JSON
    BenchKind kind;
    size_t offset;
} BenchField;

typedef struct BenchFields {
    const BenchField *list;
    size_t n;
} BenchFields;

// clang-format off
#define BENCH_MEMBER(T, kind, ...) BENCH_MEMBER_##kind(__VA_ARGS__)
#define BENCH_MEMBER_TEXT(f) const char *f;
#define BENCH_MEMBER_TEXT_AS(f, key) const char *f;
#define BENCH_MEMBER_NUMBER(f) double f;
#define BENCH_MEMBER_TRUTH(f) double f;
#define BENCH_MEMBER_FLAG(f) bool f;
#define BENCH_FIELD(T, kind, ...) BENCH_FIELD_##kind(T, __VA_ARGS__)
#define BENCH_FIELD_TEXT(T, f) {#f, #f, BENCH_TEXT, offsetof(T, f)},
#define BENCH_FIELD_TEXT_AS(T, f, key) {#f, key, BENCH_TEXT, offsetof(T, f)},
#define BENCH_FIELD_NUMBER(T, f) {#f, #f, BENCH_NUMBER, offsetof(T, f)},
#define BENCH_FIELD_TRUTH(T, f) {#f, #f, BENCH_TRUTH, offsetof(T, f)},
#define BENCH_FIELD_FLAG(T, f) {#f, #f, BENCH_FLAG, offsetof(T, f)},
#define BENCH_FIELDS(MEMBERS) \
    { (const BenchField[]){MEMBERS(BENCH_FIELD)}, \
      sizeof((const BenchField[]){MEMBERS(BENCH_FIELD)}) / sizeof(BenchField) }

// A device of this machine, as an answer and a stored run name it.
#define BENCH_DEVICE(X) \
    X(BenchDevice, TEXT, id)             /* "cpu", "gpu0"; "8xnvidia": all of them together */ \
    X(BenchDevice, TEXT, vendor)         /* cpu, nvidia, amd */ \
    X(BenchDevice, TEXT, name)           /* as the device or its driver says */ \
    X(BenchDevice, TEXT, sku_id)         /* of the catalog; "" = not mapped */ \
    X(BenchDevice, TEXT, pci)            /* "0000:c1:00.0" */ \
    X(BenchDevice, TEXT, driver)         /* kernel driver and its version */ \
    X(BenchDevice, TEXT, state)          /* tested, not tested, not in this allocation, failed */ \
    X(BenchDevice, TEXT, why)            /* why it was not tested, or what failed */ \
    X(BenchDevice, TEXT, how)            /* "avx512, 2 threads" */ \
    /* working set of the bandwidth tests: "512 MiB, last-level cache 35.8 MiB" */ \
    X(BenchDevice, TEXT_AS, memory, "working_set") \
    X(BenchDevice, NUMBER, share)        /* of the whole GPU of the catalog: 1, 0.125 */ \
    /* what a share below 1 is: MIG slice, partition, die; "" = a whole GPU, or none */ \
    X(BenchDevice, TEXT, part) \
    X(BenchDevice, TRUTH, shared)        /* others computed on it; 0: nobody was seen */ \
    X(BenchDevice, NUMBER, power_limit_w) \
    X(BenchDevice, NUMBER, power_default_w) \
    X(BenchDevice, NUMBER, ecc_errors)   /* of its memory since the driver was loaded: uncorrected */ \
    X(BenchDevice, NUMBER, ecc_corrected) \
    X(BenchDevice, TRUTH, rows_pending)  /* rows of its memory wait to be remapped, or could not be */ \
    X(BenchDevice, TEXT, code)           /* the device code that ran: "sm_90a, PTX 8.4" */ \
    X(BenchDevice, TEXT, uuid)           /* of the board, as its driver says; the next two as well */ \
    X(BenchDevice, TEXT, vbios) \
    X(BenchDevice, TEXT, serial)
typedef struct BenchDevice {BENCH_DEVICE(BENCH_MEMBER)} BenchDevice;
extern const BenchFields bench_device_fields;
// clang-format on

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

// clang-format off
// One test on one device. A speed whose check did not pass is NaN.
#define BENCH_RESULT(X) \
    X(BenchResult, TEXT, test) \
    /* a BenchDevice's id; of two GPUs "gpu0>gpu1", or "gpu0+gpu1" both ways */ \
    X(BenchResult, TEXT, device) \
    X(BenchResult, TEXT, dtype) \
    X(BenchResult, TEXT, shape)              /* "2048x2048x2048"; "-" = it did not come to that */ \
    X(BenchResult, NUMBER, median)           /* steady, in `unit`; the next two as well */ \
    X(BenchResult, NUMBER, p5) \
    X(BenchResult, NUMBER, p95) \
    X(BenchResult, TEXT, unit) \
    X(BenchResult, NUMBER, burst)            /* median of the first 50 ms, before clocks and power settle */ \
    X(BenchResult, NUMBER, samples)          /* batches behind the median */ \
    X(BenchResult, NUMBER, datasheet) \
    X(BenchResult, NUMBER, pct_of_datasheet) \
    X(BenchResult, NUMBER, library_ceiling)  /* the same product by a vendor's library, in `unit` */ \
    X(BenchResult, TEXT, library)            /* its name; "" = none was there */ \
    X(BenchResult, NUMBER, expected_low)     /* healthy band of this SKU */ \
    X(BenchResult, NUMBER, expected_high) \
    X(BenchResult, TEXT, expected_source) \
    X(BenchResult, NUMBER, max_error)        /* largest |result - reference| of the checked outputs */ \
    /* the same over the bound derived for that output; over 1 = wrong */ \
    X(BenchResult, NUMBER, max_error_of_bound) \
    X(BenchResult, NUMBER, checked)          /* outputs compared */ \
    /* as expected, a little low, low, no reference, not supported, impossible, wrong, failed */ \
    X(BenchResult, TEXT, verdict) \
    X(BenchResult, NUMBER, clock_mhz) \
    X(BenchResult, NUMBER, power_w) \
    X(BenchResult, NUMBER, temperature_c) \
    /* what held the clocks down: "power cap, heat"; "" = nothing that can be read */ \
    X(BenchResult, TEXT, throttle) \
    X(BenchResult, TEXT, cause)              /* probable cause of a low figure; "" = none */ \
    X(BenchResult, TEXT, error)              /* why there is no figure: wrong output, crash, deadline ... */ \
    /* digests and samples of one fixed problem's outputs (kernels/verify.h): what `bench verify` compares */ \
    X(BenchResult, TEXT, bits) \
    /* that took part in a test of several; clocks are then the lowest, power the sum, temperature the */ \
    /* highest */ \
    X(BenchResult, NUMBER, gpu_count) \
    /* what joins them: "NVLink, 18 links", "through the host's memory: ..."; of a copy between host and */ \
    /* device where the host's memory lies; "" = neither */ \
    X(BenchResult, TEXT, path) \
    /* a stream whose working set is not well above the caches; NaN = no stream */ \
    X(BenchResult, TRUTH, in_cache) \
    X(BenchResult, FLAG, verified)           /* every check against the reference passed */
typedef struct BenchResult {BENCH_RESULT(BENCH_MEMBER)} BenchResult;
extern const BenchFields bench_result_fields;
// clang-format on

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

// clang-format off
// Where a run was measured; "" = not known. The job that it was a part of is as its launcher says.
#define BENCH_WHERE(X) \
    X(BenchRun, TEXT, host) \
    X(BenchRun, TEXT, boot_id) \
    X(BenchRun, TRUTH, quick)    /* small products and short times */ \
    X(BenchRun, TEXT, launcher)  /* slurm, openmpi, kubernetes, pmi; "" = none */ \
    X(BenchRun, TEXT, job) \
    X(BenchRun, TEXT, node)      /* the scheduler's name of the machine */ \
    X(BenchRun, NUMBER, rank)    /* of this process, of all, of this process on its node */ \
    X(BenchRun, NUMBER, ranks) \
    X(BenchRun, NUMBER, local_rank) \
    /* what steers the libraries: "NCCL_ALGO=Ring NCCL_DEBUG=INFO", as words of a shell */ \
    X(BenchRun, TEXT, environment)
// BENCH_STARTED, BENCH_FINISHED; "" = not of `bench --record`. Of files alone.
#define BENCH_RECORDED(X) \
    BENCH_WHERE(X) \
    X(BenchRun, TEXT, record)
// A run as it is kept.
#define BENCH_KEPT(X) \
    X(BenchRun, TEXT, taken_at)  /* UTC, RFC 3339 */ \
    X(BenchRun, TEXT, tool_version) \
    X(BenchRun, TEXT, system) \
    X(BenchRun, TEXT, options) \
    X(BenchRun, FLAG, complete)  /* false: interrupted */ \
    X(BenchRun, TEXT, origin)    /* the file it was imported from; "" = measured here */ \
    BENCH_WHERE(X)
typedef struct BenchRun {
    int64_t id;
    BENCH_KEPT(BENCH_MEMBER)
    const char *record;        // see BENCH_RECORDED
    const char *device_names;  // of a run that is kept: "2 x h100-sxm5-80gb"
    BenchDevice *devices;
    size_t n_devices;
    BenchResult *results;
    size_t n_results;
    const BenchSoak *soak;  // NULL: none
} BenchRun;
extern const BenchFields bench_recorded_fields, bench_kept_fields;
// clang-format on

#endif
