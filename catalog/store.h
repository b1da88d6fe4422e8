// The database behind a catalog, for the files of this folder.
#ifndef GPUADVISE_CATALOG_STORE_H
#define GPUADVISE_CATALOG_STORE_H

#include "catalog/catalog.h"
#include "db/db.h"

Db *catalog_db(Catalog *c);  // borrowed

// Judges every offer against every other: which have a newer word (columns `replaced`). Inside a transaction; `feed` limits it
// to the providers that this feed speaks of, NULL: all.
bool catalog_settle(Db *db, const char *feed, Err *e);

#endif
