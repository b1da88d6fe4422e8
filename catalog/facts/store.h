// The database behind a catalog, for the files of this folder.
#ifndef GPUADVISE_CATALOG_FACTS_STORE_H
#define GPUADVISE_CATALOG_FACTS_STORE_H

#include "catalog/facts/catalog.h"
#include "catalog/facts/load.h"
#include "db/db.h"

Db *catalog_db(Catalog *c);  // borrowed

// Judges every offer against every other: which have a newer word (columns `replaced`). Inside a transaction;
// `feed` limits it to the providers that this feed speaks of, NULL: all.
bool catalog_settle(Db *db, const char *feed, Err *e);

// Facts anew in one transaction, in which `step` first changes the user's own rows and puts them among
// `tables`, as own_merge does. Without a step only where they are not those of this catalog.
typedef bool OwnStep(Db *db, void *what, TableRows *tables, Arena *a, Err *e);
bool catalog_rebuild(Catalog *c, OwnStep *step, void *what, Err *e);

// Adds the user's own rows to the shipped ones; notes of each that cannot be a fact why, and leaves it out.
bool own_merge(Db *db, TableRows *tables, Arena *a, Err *e);

// The user's own rows of a table as they are kept.
bool own_text(Db *db, TableId id, Arena *a, Str *ret_text, Err *e);

#endif
