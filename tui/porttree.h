// What a porting scan found, read from its JSON, as a tree: step of work, class, file, rule, finding.
#ifndef GPUADVISE_TUI_PORTTREE_H
#define GPUADVISE_TUI_PORTTREE_H

#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/report/report.h"

typedef struct ScanRow {
    const char *file, *rule, *name, *what, *why, *fix, *amd, *since, *source;
    int port_class;  // PortClass
    int step;        // of port_steps: what to do first
    int line, column;
} ScanRow;

typedef enum PortLevel {
    LEVEL_STEP,
    LEVEL_CLASS,
    LEVEL_FILE,
    LEVEL_RULE,
    LEVEL_FINDING,
    LEVEL_COUNT
} PortLevel;

typedef struct ScanNode {
    int level;        // PortLevel
    size_t first, n;  // of the rows below it
    bool open;
} ScanNode;

typedef struct ScanPart {
    const char *name;
    double count, low, likely, high;  // days
} ScanPart;

typedef struct PortTree {
    Arena arena;
    ScanRow *rows;  // by step of work, blockers first, then by file, rule, line
    size_t n_rows;
    ScanNode *nodes;  // in the order of the tree
    size_t n_nodes;
    size_t by_class[PORT_CLASS_COUNT];
    ScanPart *parts[3];  // by class, rule, file
    size_t n_parts[3];
    Estimate first_port, tests_and_ci, maintenance_a_year;  // days
    const char *confidence;
    Listing dependencies;
} PortTree;

// Reads an answer of `migrate scan --json`; anything else is refused. ret_scan: owned, porttree_free.
bool porttree_read(Str json, PortTree *ret_scan, Err *e);
void porttree_free(PortTree *s);
// The nodes whose parents are open, as a listing in `a`; *ret_nodes: the node of each row.
void porttree_list(const PortTree *s, Arena *a, Listing *ret_listing, size_t **ret_nodes);

#endif
