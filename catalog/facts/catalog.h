// Facts and observations as rows: loading `data/`, reading rows back as structs, finding them by name.
//
// Level 5; includes src and db.
#ifndef GPUADVISE_CATALOG_FACTS_CATALOG_H
#define GPUADVISE_CATALOG_FACTS_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include "src/facts/tables.h"
#include "src/base/base.h"
#include "src/facts/agentic.h"
#include "src/facts/facts.h"
#include "src/facts/needs.h"

typedef struct Catalog Catalog;  // owned: catalog_close

typedef struct CatalogOptions {
    const char *db_path;   // NULL: in memory
    const char *data_dir;  // NULL: the facts embedded in the program
} CatalogOptions;

// Opens the database and makes its facts equal to the embedded ones or to `data_dir` (read once, checked,
// loaded in one transaction when their digest differs from the one stored). A database whose folder or file
// cannot be written is replaced by one in memory, and *ret_warning (arena text, "" otherwise) says so. Fails
// on a corrupt, foreign or newer database, which is left untouched, and on bad facts (file, line and column
// named).
bool catalog_open(const CatalogOptions *options, Arena *a, Catalog **ret_catalog, const char **ret_warning,
                  Err *e);
void catalog_close(Catalog *c);  // NULL is fine

// All rows of a table as an array of its struct (fact_tables[id].row_size each), ordered by key. Offers are
// the newest word on each (facts and observations): those replaced by a newer one have standing superseded.
bool catalog_rows(Catalog *c, TableId id, Arena *a, void **ret_rows, size_t *ret_n, Err *e);

// Offers of one GPU only: as catalog_rows(TABLE_OFFERS), without reading the others.
bool catalog_offers_of(Catalog *c, const char *sku_id, Arena *a, Offer **ret_offers, size_t *ret_n, Err *e);

// Everything that an advice needs.
bool catalog_facts(Catalog *c, Arena *a, Facts *ret_facts, Err *e);

// Public measurements of one model's serving, for `facts->published`.
bool catalog_published(Catalog *c, const char *model_id, Arena *a, Facts *facts, Err *e);

// Public measurements of every model's serving, without latencies and the like, for `facts->measured`.
bool catalog_measured(Catalog *c, Arena *a, Facts *facts, Err *e);

// What a porting estimate needs. The CUDA names are parsed at this call (a few ms): no other command pays for
// them.
bool catalog_porting(Catalog *c, Arena *a, PortingFacts *ret_facts, Err *e);

// What judging a stack needs: claims, needs, steps, and what a porting estimate needs.
bool catalog_stack(Catalog *c, Arena *a, StackFacts *ret_facts, Err *e);

// What sellers mean by sizes and names of theirs; every id is one of data/gpus.tsv or "".
bool catalog_sellers(Catalog *c, Arena *a, SellerFacts *ret_facts, Err *e);

// Public runs of agents, and KV capacities that engines printed, parsed at this call.
bool catalog_agentic_runs(Catalog *c, Arena *a, const AgenticRun **ret_rows, size_t *ret_n, Err *e);
// What sellers of tokens ask, into the facts.
bool catalog_api_prices(Catalog *c, Arena *a, Facts *facts, Err *e);
bool catalog_kv_settings(Catalog *c, Arena *a, const KvSetting **ret_rows, size_t *ret_n, Err *e);

// What healthy GPUs reach in `bench`, parsed at this call.
bool catalog_healthy(Catalog *c, Arena *a, const HealthyGpu **ret_rows, size_t *ret_n, Err *e);

// Measurements of the user's own: CSV with the columns of data/measurements.tsv, unknown columns ignored,
// missing ones unknown; rows without a task are serving, without a grade of grade A. ERR_FAILED with file and
// line for an unreadable file.
bool catalog_measurements_file(const char *path, size_t limit, Arena *a, const Measurement **ret_rows,
                               size_t *ret_n, Err *e);

// The public claims that ship with the program, or those of a file: CSV or tab-separated with the columns of
// data/claims.tsv in any order, of which only `claim` must be there. In the order of the text. ERR_FAILED
// with file and line for an unreadable file.
bool catalog_claims(Catalog *c, Arena *a, const PublicClaim **ret_rows, size_t *ret_n, Err *e);
bool catalog_claims_file(const char *path, size_t limit, Arena *a, const PublicClaim **ret_rows,
                         size_t *ret_n, Err *e);

// Newest as_of and row count of every table: for "age of data". Of the offers seen, `rows` speaks of all
// observations with `history` and `oldest` of the one seen first (a million to count take tens of
// milliseconds), otherwise both of the last words alone.
typedef struct DataAge {
    const char *table, *newest, *oldest;
    size_t rows;
} DataAge;
bool catalog_ages(Catalog *c, bool history, Arena *a, const DataAge **ret_ages, size_t *ret_n, Err *e);

// Asked before anything is written for somebody: can it be kept? Fails, with the reason, where the database
// is in memory only. From here on each commit is on the disk before it is answered for.
bool catalog_keep(Catalog *c, Err *e);

const char *catalog_db_path(const Catalog *c);  // "" when in memory
// of the texts of all tables of facts: 16 hexadecimal digits
const char *catalog_digest(const Catalog *c);

// Reads all of the database: false, with the first fault, unless it is whole and its references lead somewhere.
bool catalog_check(Catalog *c, Err *e);
const char *catalog_data_origin(const Catalog *c);  // "built in" or the folder

// Finds a row by the name that a user typed: exact id, another spelling of it (case, blanks, '_' or '.' for
// '-'), or an unambiguous short name made of the id's leading parts or of whole parts in order ("mi300x",
// "h100-sxm5", "llama-70b"). Several fit: "'h100' is ambiguous: h100-nvl-94gb, h100-pcie-80gb, ..."; none:
// "did you mean". ERR_USAGE both. `ids` are n pointers at `stride` bytes to each row's id text (const char
// *).
// Of a kind that a command lists, the message ends in that command.
bool catalog_find(const char *what, const char *name, const void *ids, size_t n, size_t stride,
                  size_t *ret_index, Err *e);
// Where things of a kind are listed, for errors about a name: "`gpuadvise gpus` lists them"; "" where no command
// does.
const char *catalog_lister(const char *what);

#endif
