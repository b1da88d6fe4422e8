// Runs of the user's own in the database: kept once by what their file says, listed, taken back.
#ifndef GPUADVISE_CATALOG_FACTS_OWN_RUNS_H
#define GPUADVISE_CATALOG_FACTS_OWN_RUNS_H

#include "catalog/facts/catalog.h"
#include "db/db.h"
#include "src/facts/own_run.h"

// What became of a run that was to be kept.
typedef enum OwnRunFate {
    RUN_NEW,
    RUN_UNCHANGED,  // it is there with every column the same
    RUN_REPLACED    // it is there with other words on it (--gpus 8 where it said 1), and has the new ones now
} OwnRunFate;
extern const char *const own_run_fate_names[];  // new, unchanged, replaced

// Keeps all n runs in one transaction, or none. ret_fates (n, of the caller) says what became of each, and
// r->id is filled. Two of one identity are one: the first counts, the other is "unchanged". What is unchanged stays
// accepted where it was (r->accepted, a text in `a`); a run with other words on it is judged anew.
bool own_runs_keep(Catalog *c, Arena *a, OwnRun *runs, size_t n, OwnRunFate *ret_fates, Err *e);

// The same without writing: what would become of each.
bool own_runs_try(Catalog *c, Arena *a, OwnRun *runs, size_t n, OwnRunFate *ret_fates, Err *e);

// All runs that are kept, in the order of arrival, quarantined ones among them. A row that this program
// cannot read (of another version) is passed over and counted in *ret_unreadable (NULL: not asked).
bool own_runs_read(Db *db, Arena *a, OwnRun **ret_runs, size_t *ret_n, size_t *ret_unreadable, Err *e);
bool catalog_own_runs(Catalog *c, Arena *a, OwnRun **ret_runs, size_t *ret_n, size_t *ret_unreadable, Err *e);

// Writes runs that are kept anew, told by their ids.
bool own_runs_change(Catalog *c, const OwnRun *runs, size_t n, Err *e);

// Forgets the runs of these ids, or none where one of them is not there. ERR_USAGE.
bool own_runs_remove(Catalog *c, const int64_t *ids, size_t n, Err *e);

// Columns and cells of a run, separated by `separator` (cells quoted where that is a comma): the columns of
// data/measurements.tsv, then those of own_run_table. `header` first adds the line with the names.
void own_run_write(const OwnRun *r, char separator, bool header, Buf *out);

// The reverse for the line that `r` just read, `columns` as own_run_columns gives them.
enum { OWN_RUN_COLUMNS_MAX = 96 };
bool own_run_columns(const TableReader *r, size_t *ret_columns, Err *e);
bool own_run_cells(const TableReader *r, const size_t *columns, Arena *a, OwnRun *ret_run, Err *e);

#endif
