// CSV as a stream: bytes in, rows out, in the memory of one row. Read as every table is (table_next).
#ifndef GPUADVISE_CATALOG_FEEDS_FEED_CSV_H
#define GPUADVISE_CATALOG_FEEDS_FEED_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"

enum { CSV_ROW_BYTES_MAX = 256 * 1024 };

// Cells are borrowed until it returns, without quotes and blanks around them, valid UTF-8. False ends the stream
// with that error.
typedef bool (*CsvRow)(void *user, const Str *cells, size_t n, Err *e);

typedef struct CsvStream CsvStream;  // owned: csv_close

CsvStream *csv_open(CsvRow row, void *user);
// Refuses, naming the line: bad quoting, NUL bytes, invalid UTF-8, too many or too long
// cells. Nothing may follow a failure but csv_close.
bool csv_bytes(CsvStream *s, Str bytes, Err *e);
bool csv_end(CsvStream *s, Err *e);  // the last row, when no line end follows it
void csv_close(CsvStream *s);        // NULL is fine

// Which column has the name; -1: none.
int csv_column(const Str *header, size_t n, const char *name);

#endif
