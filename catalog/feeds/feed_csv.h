// CSV as a stream: bytes in, rows out, in the memory of one row. Stands on libcsv (RFC 4180, push parser).
#ifndef GPUADVISE_CATALOG_FEEDS_FEED_CSV_H
#define GPUADVISE_CATALOG_FEEDS_FEED_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"

enum { CSV_CELLS_MAX = 400, CSV_ROW_BYTES_MAX = 256 * 1024 };

// Cells are borrowed until it returns and NUL-terminated, without quotes, valid UTF-8. False ends the stream
// with that error.
typedef bool (*CsvRow)(void *user, const Str *cells, size_t n, Err *e);

typedef struct CsvStream CsvStream;  // owned: csv_close

bool csv_open(CsvRow row, void *user, CsvStream **ret_stream, Err *e);
// Refuses, naming the line: bad quoting, NUL bytes, invalid UTF-8, too many or too long cells.
bool csv_bytes(CsvStream *s, Str bytes, Err *e);
bool csv_end(CsvStream *s, Err *e);  // the last row, when no line end follows it
void csv_close(CsvStream *s);        // NULL is fine

// Which column has the name; -1: none.
int csv_column(const Str *header, size_t n, const char *name);

#endif
