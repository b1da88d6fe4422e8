// What migrate scan answers, whoever asked: the answer itself, and its writers.
#ifndef GPUADVISE_REPORT_SCAN_REPORT_H
#define GPUADVISE_REPORT_SCAN_REPORT_H

#include "src/migrate/effort.h"
#include "src/migrate/scan.h"
#include "src/report/writer.h"

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

// The line of a finding as migrate fix writes it, clean for a terminal; NULL: nothing there is proven.
static inline const char *scan_line(const ScanAnswer *x, const ScanFinding *f) {
    return x->lines == NULL ? NULL : x->lines[f - x->result.findings];
}

// Row by row, with the warnings at the end: `root` is what stands before, and stays the caller's.
void scan_json(const Writer *w, const ScanAnswer *x, Json *root, const char *const *warnings,
               size_t n_warnings);
void scan_sarif(const Writer *w, const ScanAnswer *x);
void scan_text(const Writer *w, const ScanAnswer *x);
// A listing for `rows` findings, and one row of it; text and cells live in `a`.
void scan_listing_open(Listing *l, Arena *a, size_t rows);
void scan_listing_row(Listing *l, Arena *a, const ScanAnswer *x, const ScanFinding *f);
// Minutes of one occurrence (of rules that count files: of one file) by data/cuda_constructs.tsv, the middle of
// their range: before the fit to ports, and before what is met again becomes cheaper.
double scan_minutes(const PortRule *r);
// What is never analysed, whatever the tree: NULL ends.
extern const char *const scan_limits[];
// "cudaMalloc -> hipMalloc", or what was found.
const char *scan_subject(Arena *a, const ScanFinding *f);

// ---------------------------------------------------------------- an earlier answer

// The findings of an earlier answer in JSON, as keys of file, rule and name; `path` is for the error alone.
bool scan_baseline_keys(Str text, const char *path, Arena *a, const char ***ret_keys, size_t *ret_n, Err *e);
// Of two lists of such keys, which it sorts: how many came, went and stayed.
ScanChange scan_changes(const char **old, size_t n_old, const char **now, size_t n_now);
// The same of this answer; `ret_keys` has room for each finding.
void scan_keys(const ScanAnswer *x, Arena *a, const char **ret_keys);

#endif
