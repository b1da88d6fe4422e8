// The database behind a catalog, for the files of this folder.
#ifndef GPUADVISE_CATALOG_FACTS_STORE_H
#define GPUADVISE_CATALOG_FACTS_STORE_H

#include <stdint.h>

#include "catalog/facts/catalog.h"
#include "catalog/facts/load.h"
#include "db/db.h"

Db *catalog_db(Catalog *c);  // borrowed

// Begins a read transaction in which the facts are those of this catalog; ended by db_rollback.
bool catalog_begin_read(Catalog *c, Err *e);

// The text of a file of facts, read from its folder now; of a table in the database, as it was loaded.
bool catalog_text(Catalog *c, const char *name, Arena *a, Str *ret_text, Err *e);
Str catalog_table_text(const Catalog *c, TableId id);

// A running digest of texts, which begins with DIGEST_START: SipHash-2-4 of each, with the digest so far as its key.
#define DIGEST_START UINT64_C(0)
uint64_t digest_add(uint64_t hash, const char *bytes, size_t length);

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
