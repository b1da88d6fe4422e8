// One file out of a zip archive in memory, or of a .gz, as a stream. Stands on libzip (central directory,
// checksums).
#ifndef GPUADVISE_CATALOG_FEEDS_FEED_ZIP_H
#define GPUADVISE_CATALOG_FEEDS_FEED_ZIP_H

#include <stdbool.h>
#include <stdint.h>

#include "src/base/base.h"

// Is this the beginning of a zip archive?
bool zip_begins(Str bytes);

// The same of a file packed by gzip. Stands on zlib, which libzip needs anyway.
bool gzip_begins(Str bytes);
bool gzip_unpack(Str packed, bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e);

// The same as the bytes come: after gzip_open, gzip_feed for every piece, gzip_close at the end, which fails
// when the file is cut.
typedef struct GzipStream GzipStream;
GzipStream *gzip_open(Arena *a, Err *e);  // NULL: failed; ended by gzip_close or gzip_drop
bool gzip_feed(GzipStream *g, Str packed, bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e);
bool gzip_close(GzipStream *g, Err *e);
void gzip_drop(GzipStream *g);  // NULL is fine

// Gives the pieces of the archive's only file whose name ends in `suffix`; ret_name (`name_size` bytes) is
// its name. Refuses more than `bytes_max` unpacked, whatever the archive says of itself, a damaged one and an
// encrypted one.
bool zip_unpack(Str archive, const char *suffix, int64_t bytes_max, char *ret_name, size_t name_size,
                bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e);

#endif
