// Offers and groups of them as `prices list` shows them.
#ifndef GPUADVISE_PRICE_ROWS_H
#define GPUADVISE_PRICE_ROWS_H

#include "src/market/price_list.h"
#include "src/report/writer.h"

// `table`: for people, with marks of doubt beside the provider and columns that fit the room.
Listing price_rows(const Writer *w, const PriceSelection *s, bool table);
void price_row_json(Json *list, const PriceRow *r);
// Lowest, median and highest price of a GPU-hour by GPU (0), provider (1) or region (2).
Listing price_groups(const Writer *w, int by, const PriceSelection *s);

#endif
