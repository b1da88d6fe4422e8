// Days of porting work from counted constructs, calibrated on ports that happened.
//
// Level 1, part of src/migrate. The model, its fit and how far off it is: docs/effort.md.
#ifndef GPUADVISE_MIGRATE_EFFORT_H
#define GPUADVISE_MIGRATE_EFFORT_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/facts/porting.h"

// Three scale factors, fitted to the calibration ports, and how far these lie from the fit.
typedef struct EffortFit {
    double first_port;  // days of a first working port for one day of summed minutes
    // days of tests, CI and tuning until the port is accepted, for one day of first port
    double tests_and_ci;
    double maintenance_a_year;  // days of upkeep in a year, for one day of first port
    // standard deviation of ln(observed / predicted), three degrees of freedom taken off
    double spread_log;
    size_t n;  // ports behind it
    // On the ports that the fit never saw: root mean square of ln(observed / predicted) of this model, and of
    // one constant a scope, taken from the calibration ports. NaN: no such port.
    double unseen_model, unseen_constant;
    size_t n_unseen;
} EffortFit;

// 1 - (error of the model / error of the constants)^2 on the ports that no fit saw; 0 or less: no better.
// NaN: not known.
double effort_skill(const EffortFit *fit);
// The least spread of a range: that of the fit, or the error on unseen ports where the model has no skill.
double effort_spread(const EffortFit *fit);

// What documented ports of one scope took, whatever was found in them: author-days.
typedef struct BaseRate {
    double middle;     // geometric mean; NaN: none
    double low, high;  // the least and the most
    size_t n;
    const Port *nearest;  // in lines of CUDA; NULL: none
} BaseRate;

// `cuda_lines` NaN: no nearest one.
BaseRate effort_base_rate(const PortingFacts *facts, PortScope scope, double cuda_lines);

typedef enum PortSet {
    SET_SHOWN,  // no weights, no author-days, or squashed: neither fitted nor held out
    SET_CALIBRATION,
    SET_HELD_OUT
} PortSet;

extern const char *const port_set_names[];  // shown, calibration, held-out

// Which port serves what; `ret_sets` holds facts->n_ports. data/port_trees.tsv says which are held out.
void ports_split(const PortingFacts *facts, PortSet *ret_sets);

// Fits on the calibration ports alone. Fails with ERR_FAILED when there are fewer than four of them, or none
// of a scope.
bool effort_fit(const PortingFacts *facts, EffortFit *ret_fit, Err *e);

// What the model says of a documented port, over the scope of its author-days: by the same sums as
// effort_estimate, of what the scan counted in its tree. All NaN: its tree was not scanned.
Estimate port_predict(const PortingFacts *facts, const EffortFit *fit, const Port *p);

// One kind of finding in one place.
typedef struct EffortItem {
    const PortRule *rule;
    const char *file;        // NULL: the whole project
    const char *dependency;  // NULL: none
    double count;            // occurrences; an item of a rule that counts files is counted once a file
    bool tests;              // in a file of tests, benchmarks or CI: work of the second total
    bool docs;               // in documentation or a notebook: apart
} EffortItem;

typedef enum Team { TEAM_NOVICE, TEAM_SOME, TEAM_EXPERT, TEAM_COUNT } Team;
extern const char *const team_names[];  // novice, some, expert

typedef struct EffortAssumptions {
    Team team;
    double test_coverage;     // 0-1 of the code; NaN: unknown, as in the documented ports
    double engineer_day_usd;  // NaN: no money shown
    double cuda_kloc;         // thousand lines of .cu and .cuh
    double unanalysed_share;  // 0-1 of the lines that were not analysed
    bool ported;              // the tree builds for ROCm already: no set-up, and nothing that is automatic
} EffortAssumptions;

// A share of the first port. Days without the spread between ports: only the rules' own ranges.
typedef struct EffortPart {
    const char *name;      // class, rule id, file or dependency
    const PortRule *rule;  // by rule only
    double count;
    double low, likely, high;  // days
} EffortPart;

// A blocker, and what it costs to do without.
typedef struct Blocker {
    const char *name;  // rule id or dependency
    const char *lost;
    double days;  // of the first port that would be saved, likely
} Blocker;

typedef struct Effort {
    // days; kept a year: upkeep of the first 12 months, first port excluded
    Estimate first_port, tests_and_ci, maintenance_a_year;
    Estimate first_port_usd, tests_and_ci_usd, maintenance_a_year_usd;
    const EffortPart *by_class;                           // PORT_CLASS_COUNT
    const EffortPart *by_rule, *by_file, *by_dependency;  // largest first
    size_t n_by_rule, n_by_file, n_by_dependency;
    const Blocker *leave_out;
    size_t n_leave_out;
    // days, likely: with every blocker built instead of left out; `first_port` and the totals that follow it
    // are without them
    double first_port_with_blockers;
    double docs_days;      // days, likely, of documents and notebooks: in none of the totals
    double blocker_share;  // 0-1 of the summed minutes
    // in author-days, beside the estimate: what documented first ports took
    BaseRate base_rate;
    double skill;  // of the model against it; NaN: not known
    size_t n_unseen;
    const char *confidence;  // high, medium, low
    const char *confidence_note;
} Effort;

// Adds set-up and reading of code by itself when there is any item. No items: all days are 0. Results live in
// the arena.
bool effort_estimate(const PortingFacts *facts, const EffortItem *items, size_t n,
                     const EffortAssumptions *assumptions, Arena *a, Effort *ret_effort, Err *e);

#endif
