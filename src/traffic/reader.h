// Inside of src/traffic: from bytes to requests.
#ifndef GPUADVISE_TRAFFIC_READER_H
#define GPUADVISE_TRAFFIC_READER_H

#include "src/base/decimal.h"
#include "src/base/json_pull.h"
#include "src/traffic/traffic.h"

// A format by its columns or members; in the table the more special one stands first.
typedef struct TrafficFormat {
    const char *name;
    const char *mark;                // a further column that it must have; NULL: none
    const char *column[ROLE_COUNT];  // NULL: it has none
    TimeUnit unit;
    double block_tokens;      // 0: none
    bool zero_output_failed;  // an answer of 0 tokens is a request that failed
    bool calendar;            // numbers are seconds since 1970, not since a start
} TrafficFormat;

enum { COLUMNS_MAX = 512 };

// What of each record is read: the columns by their role.
typedef struct Columns {
    const char *name;      // of the format
    Str path[ROLE_COUNT];  // length 0: none
    TimeUnit unit;
    double block_tokens;
    bool zero_output_failed, calendar;
} Columns;

// Which columns mean what, from all that the first record has: as mapped by the user, of a named format, or
// by usual names. False: lengths are not among them, or the unit of time is not known.
bool columns_find(const ColumnMap *map, const Str *names, size_t n, bool time_is_text, Columns *ret, Err *e);
// Would the column that means the time hold a date? Asked before columns_find where values are at hand.
bool column_is_time(const ColumnMap *map, Str name);

// One record as texts by role; length 0 and data NULL: not there.
typedef struct Cells {
    Str text[ROLE_COUNT];
    const uint64_t *blocks;
    size_t n_blocks;
} Cells;

// Checks and converts one record and tells the scan.
typedef struct DayMemo {  // the date that was read last: most rows have the same
    char text[10];
    int64_t days;
} DayMemo;
bool record_take(const Columns *c, const Cells *cells, DayMemo *memo, TrafficScan *scan, Err *e);
bool time_read(Str text, TimeUnit unit, DayMemo *memo, int64_t *ret_ns, Err *e);
bool tokens_read(Str text, const char *what, uint32_t *ret_tokens, Err *e);

// One JSON value of the top level, or of the array that is the top level.
typedef struct JsonReader {
    const ColumnMap *map;
    TrafficScan *scan;
    Arena *arena;
    Columns columns;
    bool known;       // columns were found
    bool texts_only;  // prompts stand in it
    const char *format;
    DayMemo memo;
    uint64_t *blocks;
    size_t n_blocks, blocks_capacity;
} JsonReader;
bool json_record(JsonReader *r, Str text, Err *e);
// Objects with lists of requests in them: agents' sessions, detailed benchmark results, pages of usage.
// ret_taken: it was one.
bool json_document(JsonReader *r, Str text, bool *ret_taken, Err *e);

bool log_line(Str line, DayMemo *memo, TrafficScan *scan, Err *e);  // vLLM's line of statistics, others pass

// Metrics of vLLM and SGLang as Prometheus reads them, added over the labels that tell engines apart.
typedef struct Metrics Metrics;
Metrics *metrics_open(Arena *a);
bool metrics_line(Metrics *m, Str line, Err *e);
const char *metrics_format(const Metrics *m);
// What the last snapshot tells, less what `before` told (NULL: nothing, so all since the server started), to
// the scan. False: a counter fell, so the server was started between them; or no such metrics are in it.
bool metrics_tell(const Metrics *before, const Metrics *last, TrafficScan *scan, Err *e);

#endif
