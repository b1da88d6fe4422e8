// Finds GPUs, models and sellers by what users call them: ids of the catalog, short forms of them
// (catalog_find), and the words of data/names.tsv. What was not typed but taken is said in a sentence.
#ifndef GPUADVISE_CATALOG_FACTS_NAMES_H
#define GPUADVISE_CATALOG_FACTS_NAMES_H

#include "catalog/facts/catalog.h"

enum { NAME_FOLDED_BYTES = 200 };  // longer names fit nothing

// One spelling for all: lower case, '-' for blanks, '_' and '.', none doubled or at the ends. Empty when too
// long.
void name_fold(const char *text, char out[NAME_FOLDED_BYTES]);

// A name as it may be shown: one line, no controls, not endless.
const char *name_shown(Arena *a, const char *name);

// Are the parts of the folded `name` parts of the folded `id`, in the same order?
bool name_parts_in(const char *name, const char *id);

// What a folded name stands for, by data/names.tsv. Rows by key.
typedef struct UserNames {
    const UserName *rows;
    size_t n;
} UserNames;

// The words of the catalog's folder, parsed at this call.
bool catalog_names(Catalog *c, Arena *a, UserNames *ret_names, Err *e);

// The row of a name in any spelling; NULL: none.
const UserName *user_name(const UserNames *names, NamedKind kind, const char *typed);

// The next of a row's meanings; false at the end.
bool user_name_next(Str *rest, Str *ret_id);

// All three: *ret_taken is "" where the name is the catalog's own, else it says what was taken for it and
// why, as a sentence without a full stop. Errors are ERR_USAGE, with candidates or "did you mean".
//
// A GPU: an id, the name on its datasheet, a word of the table, an architecture or compiler target that only
// one GPU has, a short name.
bool catalog_find_gpu(const UserNames *names, const Gpu *gpus, size_t n, const char *typed, Arena *a,
                      const Gpu **ret_gpu, const char **ret_taken, Err *e);

// A model: its name on Hugging Face or the part behind the slash, both also with words that leave the
// architecture as it is ("-Instruct", "-FP8"), an id, a short name. A word for narrower weights is never
// dropped in silence.
bool catalog_find_model(const UserNames *names, const Model *models, size_t n, const char *typed, Arena *a,
                        const Model **ret_model, const char **ret_taken, Err *e);

// A seller among `providers`, or one that the table knows and that no offer is of: *ret_provider is then a
// name that no offer has. False without an error: unknown.
bool catalog_find_provider(const UserNames *names, const char *const *providers, size_t n, const char *typed,
                           Arena *a, const char **ret_provider, const char **ret_taken);

#endif
