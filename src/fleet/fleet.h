// A fleet of machines judged by the records that `bench --record` left of each: who is slow, faulty, missing.
//
// Level 1: records in, findings out; no file, no clock, no terminal. Names and words of records come from
// outside: they are clean of control characters and otherwise anything; FleetNode.name is not a host's name
// before fleet_is_host says so.
#ifndef GPUADVISE_FLEET_H
#define GPUADVISE_FLEET_H

#include "src/base/base.h"
#include "src/facts/bench.h"

// ---------------------------------------------------------------- hosts

enum { FLEET_HOSTS_MAX = 100000 };

// Names of "node[01-16,20],gpu3 login": ranges as Slurm writes them, separated by commas, blanks or lines; '#'
// begins a remark. False: what is wrong, or more than FLEET_HOSTS_MAX.
bool fleet_hosts(Str text, Arena *a, const char *const **ret_hosts, size_t *ret_n, Err *e);
// The same machine: alike, or alike up to the first dot where one has none. ASCII case ignored.
bool fleet_same_host(const char *a, const char *b);
// Letters, digits, '-', '.' and '_', the first and last a letter or digit, at most 253; and no word that a
// scheduler takes for more than one machine.
bool fleet_is_host(const char *name);

// ---------------------------------------------------------------- what was found

// From good to bad: a node has the worst of what was found of it.
typedef enum FleetState {
    FLEET_GOOD,
    FLEET_MIXED,       // another driver, VBIOS or power limit than most of its model
    FLEET_STRAGGLER,   // slower than the others of its model, share and driver
    FLEET_THROTTLED,   // clocks held down by more than the default power limit
    FLEET_MISSING,     // expected, and no record
    FLEET_UNREADABLE,  // a file that is no record
    FLEET_UNFINISHED,  // began and left no answer, or was interrupted
    FLEET_FAULTY,      // wrong or failed, memory errors, not to be tested
    FLEET_STATES
} FleetState;
extern const char *const fleet_state_names[];  // NULL-terminated

typedef struct FleetFinding {
    size_t node;
    FleetState state;
    double weight;  // of two of a state the larger one is worse
    const char *text;
} FleetFinding;

// A machine, or what stands for one: a rank that left nothing, a file that cannot be read.
typedef struct FleetNode {
    const char *name;      // the scheduler's, else the machine's own; the file's where that is all there is
    const char *launcher;  // "" = none
    bool scheduled;        // the scheduler named it
    FleetState state;
    const FleetFinding *findings;  // n_findings, worst first
    size_t n_findings;
    size_t records, devices;   // that count; devices that were tested
    double slowest;            // its slowest speed over the median of its group; NaN = compared with nobody
    const char *slowest_text;  // "triad of gpu3"
} FleetNode;

// Devices that are compared with each other.
typedef struct FleetGroup {
    const char *model;  // SKU, else the device's name
    const char *vendor, *part, *driver;
    double share;  // NaN = not known
    size_t devices;
} FleetGroup;

// A test at one size, of one device or of several.
typedef struct FleetTest {
    const char *name, *dtype, *shape, *unit, *path;
    double gpu_count;  // NaN: a test of one device
    bool of_time;      // less is better
} FleetTest;

// A test within a group.
typedef struct FleetLine {
    size_t group, test;
    size_t n;                         // figures
    double median, slowest, fastest;  // in the test's unit
    double spread_pct;                // 1.4826 x median absolute deviation, of the median
    double limit;                     // slower is a straggler; NaN: one figure
    double known_low, known_high;     // healthy band of the records; NaN = none
    const char *known_source;
    bool below_known;  // the median itself
} FleetLine;

// A figure of a record.
typedef struct FleetReading {
    size_t device, test, line;
    double figure, speed;  // as measured; larger is better
    double library, bound, in_cache;
    double known_low, known_high;
    const char *library_name, *known_source;
    bool capped;  // by the power limit alone
} FleetReading;

typedef struct FleetDevice {
    size_t record, group;
    BenchDevice facts;
    bool tested;
} FleetDevice;

typedef struct FleetRecord {
    const char *file, *name, *host, *launcher, *job, *taken_at;
    double rank, ranks, quick;
    bool scheduled, superseded;  // the latter: a newer one of the same machine and rank is here
    size_t node, first_device, n_devices;
} FleetRecord;

// Zeroed but for the arena; fleet_add ... fleet_expect, then fleet_judge once. Lists live in the arena.
typedef struct Fleet {
    Arena *arena;
    FleetRecord *records;
    FleetDevice *devices;
    FleetReading *readings;  // sorted by line and speed once judged; of superseded records none
    FleetFinding *findings;  // as gathered; `node` is then a record
    FleetTest *tests;
    size_t n_records, n_devices, n_readings, n_findings, n_tests;
    const char *const *expected;
    size_t n_expected;
    // judged
    FleetNode *nodes;
    const FleetNode **by_state;  // n_nodes of them, worst first, then by name
    FleetGroup *groups;
    FleetLine *lines;
    size_t n_nodes, n_groups, n_lines;
    size_t superseded;            // records
    size_t counts[FLEET_STATES];  // nodes
    bool slow_as_a_whole;         // a median is below what known-good devices reach
    struct {
        size_t records, devices, readings, findings, tests, nodes, groups, lines;
    } room;
} Fleet;

// Takes what counts of a record; nothing of `run` is kept.
void fleet_add(Fleet *f, const char *file, const BenchRun *run);
void fleet_add_unreadable(Fleet *f, const char *file, const char *why);
// Hosts that must have left a record. Without, the ranks that records say there are.
void fleet_expect(Fleet *f, const char *const *hosts, size_t n);
void fleet_judge(Fleet *f);

// What is slower than that, beside a median and the median of the distances from it, is a straggler.
double fleet_limit(double median, double mad);

// ---------------------------------------------------------------- pairs of ranks

typedef struct FleetPair {
    size_t a, b;
    double speed;  // NaN = not known
} FleetPair;

// The median of each rank's pairs into `medians` (room for `ranks`; NaN: it has none), and gives what a rank's
// is a straggler's below; NaN: two ranks, of which nobody knows the slow one.
double fleet_pairs(const FleetPair *pairs, size_t n, size_t ranks, Arena *a, double *medians);

// ---------------------------------------------------------------- what estimates may rest on

// The medians of the devices of good nodes as one run, a device a group. False: there is none, and why.
bool fleet_median_run(const Fleet *f, const char *from, BenchRun *ret_run, const char **ret_why);

#endif
