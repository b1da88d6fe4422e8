// Facts of the user's own: kept in the database beside the shipped ones, checked as they are, and put among
// them.
//
// A shipped fact is never replaced: its key is refused, and an own row whose key ships later is left out. So
// is one whose reference is gone. `source` of an own row begins with "own: ".
#ifndef GPUADVISE_CATALOG_FACTS_OWN_H
#define GPUADVISE_CATALOG_FACTS_OWN_H

#include "catalog/facts/catalog.h"

enum { OWN_ROWS_MAX = 5000 };  // of one file

// Names in the first column of a key (ids; subjects of claims), in the order given.
typedef struct OwnNames {
    const char **names;
    size_t n, capacity;
} OwnNames;

typedef struct OwnChange {
    TableId table;
    Arena *arena;  // of the answer
    // catalog_own_add: a table of rows, CSV or tab-separated with a header, columns by name in any order,
    // missing ones unknown.
    Str text;
    const char *file;   // where it was read, for errors and `source`; NULL: typed as one row
    const char *today;  // YYYY-MM-DD: `as_of` where none is given
    // catalog_own_remove
    const char *const *wanted;
    size_t n_wanted;
    // the answer
    OwnNames added, replaced, removed, ignored;  // ignored: columns of the text that the table does not have
} OwnChange;

// Keeps all rows of the text, or none: a row with the key of an own one replaces it. Errors name file, line
// and column: ERR_USAGE for what was typed and for keys that ship, ERR_FAILED for other faults of a file,
// ERR_DATABASE where nothing would be kept.
bool catalog_own_add(Catalog *c, OwnChange *change, Err *e);

// What catalog_own_add keeps of a text, not held against the catalog: each row as a struct and as the text
// that is kept.
typedef struct OwnRow {
    const void *row;
    const char *name, *content;
    size_t line;
} OwnRow;
bool own_read(OwnChange *change, OwnRow **ret_rows, size_t *ret_n, Err *e);

// Forgets all own rows of each name wanted, or none where a name has no row. ERR_USAGE.
bool catalog_own_remove(Catalog *c, OwnChange *change, Err *e);

// "workload 'x' of your own is left out: ...", of every own row that is not among the facts.
bool catalog_own_left_out(Catalog *c, Arena *a, OwnNames *ret_texts, Err *e);

// What a row of the table is called: "workload". Only of tables that take own rows.
const char *own_noun(TableId id);

#endif
