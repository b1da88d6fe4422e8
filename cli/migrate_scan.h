// Between migrate_scan.c (options, text) and migrate_scan_out.c (JSON, SARIF, listings, baseline).
#ifndef GPUADVISE_CLI_MIGRATE_SCAN_H
#define GPUADVISE_CLI_MIGRATE_SCAN_H

#include "cli/migrate.h"
#include "src/migrate/effort.h"
#include "src/migrate/scan.h"

// Against an earlier answer: findings by file, rule and name, lines aside.
typedef struct ScanChange {
    bool asked;
    size_t added, gone, same;
} ScanChange;

typedef struct ScanAnswer {
    const char *const *leave_out;  // patterns that the caller wants left out beside the user's, set before
    size_t n_leave_out;
    PortingFacts facts;
    ScanOptions options;
    ScanResult result;
    EffortAssumptions assumptions;
    Effort effort;
    ScanChange change;
    const char *gpu;  // target, "" when none was named
    size_t by_class[ORIGIN_COUNT][PORT_CLASS_COUNT];
    size_t files_of[ORIGIN_COUNT];
    size_t unknown_packages;
    size_t of_tests;  // own findings in tests and benchmarks
    // what is listed: indices of findings, in order; all else is of the whole tree
    const size_t *shown;
    size_t n_shown;
    bool chosen;               // some may be left out on purpose
    bool sorted;               // in an order that was asked for, not by place
    const char *const *lines;  // by finding: its line as migrate fix writes it; NULL: not proven
} ScanAnswer;

// Finding k of those that are listed.
static inline const ScanFinding *scan_shown(const ScanAnswer *x, size_t k) {
    return &x->result.findings[x->shown[k]];
}

// The AMD GPU that --gpu names; NULL: none is named.
bool scan_target(App *app, Catalog *c, const Gpu **ret_gpu, Err *e);
// Scans `root` for `target` (an AMD GPU; NULL: any Instinct) under the options of `app`, and estimates. `x`
// starts zeroed and needs scan_free of its result either way.
bool scan_source(App *app, const char *root, const Gpu *target, ScanAnswer *x, Err *e);
bool scan_baseline(App *app, ScanAnswer *x, const char *path, Err *e);
// The findings of an earlier answer in JSON, as keys of file, rule and name; `path` is for the error alone.
bool scan_baseline_keys(Str text, const char *path, Arena *a, const char ***ret_keys, size_t *ret_n, Err *e);
// Of two lists of such keys, which it sorts: how many came, went and stayed.
ScanChange scan_changes(const char **old, size_t n_old, const char **now, size_t n_now);
void scan_json(App *app, const ScanAnswer *x);
void scan_sarif(App *app, const ScanAnswer *x);
void scan_listing(App *app, const ScanAnswer *x);
// A listing for `rows` findings, and one row of it; text and cells live in `a`.
void scan_listing_open(Listing *l, Arena *a, size_t rows);
void scan_listing_row(Listing *l, Arena *a, const ScanAnswer *x, const ScanFinding *f);
// Fills `shown` from --class, --rule, --path, --where and --sort, and warns of what is not listed. ERR_USAGE: an
// unknown rule, a filter that is none.
bool scan_choose(App *app, ScanAnswer *x, Err *e);
// Fills `lines` for review findings that are listed; of a tree that builds for ROCm already none.
bool scan_lines(App *app, ScanAnswer *x, Err *e);
// The line of a finding as migrate fix writes it, clean for a terminal; NULL: nothing there is proven.
const char *scan_line(const ScanAnswer *x, const ScanFinding *f);
// Minutes of one occurrence (of rules that count files: of one file) by data/cuda_constructs.tsv, the middle of
// their range: before the fit to ports, and before what is met again becomes cheaper.
double scan_minutes(const PortRule *r);
// What is never analysed, whatever the tree: NULL ends.
extern const char *const scan_limits[];
// "cudaMalloc -> hipMalloc", or what was found.
const char *scan_subject(Arena *a, const ScanFinding *f);

#endif
