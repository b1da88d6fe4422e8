// The estimator's errors, printed.
#ifndef GPUADVISE_REPORT_VALIDATION_H
#define GPUADVISE_REPORT_VALIDATION_H

#include "src/perf/agentic.h"
#include "src/perf/fit.h"
#include "src/fit/kernel_sum.h"
#include "src/fit/order.h"
#include "src/report/report.h"

// What the project wants of left-out cells, percent: median error of all rows and of each vendor or other
// group, 90th percentile, rows inside the 80 % range, pairs called right.
enum {
    LIMIT_MEDIAN = 12,
    LIMIT_GROUP_MEDIAN = 14,
    LIMIT_P90 = 50,
    LIMIT_RANGE_LOW = 75,
    LIMIT_RANGE_HIGH = 88,
    LIMIT_PAIRS = 92
};

// What it wants where whole publishers are left out, percent.
enum {
    UNSEEN_MEDIAN = 12,
    UNSEEN_P90 = 45,
    UNSEEN_BIAS = 6,  // of each vendor's rows since 2025-07, either way
    UNSEEN_RANGE_LOW = 76,
    UNSEEN_RANGE_HIGH = 86,
    UNSEEN_FIFTH_LOW = 70,  // in the range, of each fifth of the rows by its width
    UNSEEN_FIFTH_HIGH = 90,
    UNSEEN_PAIRS = 85,
    UNSEEN_PAIRS_FAR = 95,  // of pairs over 25 % apart
    UNSEEN_BURSTS = 25      // median error where all prompts come at once
};
// The same two where cells are left out.
static const double CELL_MEDIAN = 11.2, CELL_P90 = 40;

typedef struct Validation {
    const Check *checks;
    size_t n;
    const GroupStats *groups;
    size_t n_groups;
    VendorOrder order;
    bool own;  // rows of the user's own, not those of data/
    // as in leave_out_names: what each prediction was refitted without; "": the shipped factors
    const char *left_out;
    // the same rows with other parts left out too, for the page's first table; 0: not asked for
    const struct Validation *kinds;
    size_t n_kinds;
    // Runs of agents, each predicted without the runs of its model, and reported KV capacities; none with rows
    // of the user's own.
    const AgenticCheck *agents;
    size_t n_agents;
    const AgenticStats *agent_groups;
    size_t n_agent_groups;
    const KvSetting *settings;
    const KvCapacity *capacities;  // of each setting; NaN: not predicted
    size_t n_settings;
    // Sums of measured kernels alone; none with rows of the user's own.
    const KernelSumStats *kernel_sums;
    size_t n_kernel_sums;
    const KernelStep *kernel_steps;
    size_t n_kernel_steps;
} Validation;

// adds groups[], pairs[], said[], rows[] and what the next ones add
void validation_json(const Validation *v, Arena *a, Json *root);
void validation_agents_json(const Validation *v, Json *root);  // adds agentic{} and kv_capacities[]
void validation_agents_text(const Validation *v, Format format, Room room, Arena *a, Buf *out);
void validation_kernels_json(const Validation *v, Arena *a,
                             Json *root);  // adds kernel_sums[], kernel_steps[]
void validation_kernels_text(const Validation *v, Format format, Room room, Arena *a, Buf *out);
// table, md, csv (groups)
void validation_text(const Validation *v, Format format, Room room, Arena *a, Buf *out);
// what Markdown says besides the tables: docs/accuracy.md
void accuracy_page(const Validation *v, Arena *a, Buf *out);

// Order of the vendors and said probabilities.
void order_json(const VendorOrder *j, Json *root);
void pairs_text(const Validation *v, Format format, Room room, Arena *a, Buf *out);
// What is left out against the errors, worst first; nothing without `kinds`.
void left_out_kinds_text(const Validation *v, Format format, Room room, Arena *a, Buf *out);

// What is wanted of rows whose publisher, block or cell is left out and is not so, one miss a line of the list:
// "median 15 % (at most 12)". Returns how many.
enum { UNSEEN_MISSES_MAX = 16 };
size_t unseen_misses(const Validation *v, Arena *a, const char *ret[UNSEEN_MISSES_MAX]);
bool is_unseen(const Validation *v);  // publishers or blocks are left out

#endif
