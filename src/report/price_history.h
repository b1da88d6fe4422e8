// What was seen of prices over time, what changed and what waits.
#ifndef GPUADVISE_PRICE_HISTORY_H
#define GPUADVISE_PRICE_HISTORY_H

#include "src/market/history.h"
#include "src/report/writer.h"

Listing price_history_rows(const Observation *rows, size_t n, Arena *a);
// Adds "observations" and "series".
void price_history_json(const Observation *rows, size_t n, const LowestPrices *lowest, Arena *a, Json *root);
// Borrows the prices.
Chart price_history_chart(const LowestPrices *lowest, Arena *a);

// Rows that are held: a listing with room for `rows_max`, and a row of it.
Listing price_quarantined(size_t rows_max, Arena *a);
void price_quarantined_row(Listing *l, const Quarantined *row);

// Changes: the same.
Listing price_changes(size_t rows_max, Arena *a);
void price_change_row(Listing *l, const Change *c);
// Writes the whole answer row by row, since the changes of a large market are never held as a tree: the members
// of `root`, the rows, the counts, the warnings.
void price_changes_json(const Writer *w, const Listing *rows, const char *since,
                        const size_t counts[CHANGE_COUNT], const char *const *warnings, size_t n_warnings,
                        Json *root);

#endif
