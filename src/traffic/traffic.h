// Requests out of logs and traces, and what they say: lengths, arrivals, reuse of prompts.
//
// Level 2; includes base, facts and perf. Pure: bytes come in, figures go out. One pass, in memory that does
// not grow with the number of requests (reuse.c, arrivals.c and lengths.c say what bounds each figure). Only
// counts, times, lengths and hashes of blocks are kept; texts of prompts and answers are passed over.
#ifndef GPUADVISE_TRAFFIC_H
#define GPUADVISE_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/base.h"
#include "src/facts/facts.h"

// ---------------------------------------------------------------- requests

enum { REQUEST_TOKENS_MAX = 100000000 };  // no model reads more
#define TOKENS_UNKNOWN UINT32_MAX
#define TIME_UNKNOWN INT64_MIN

typedef struct Request {
    int64_t at_ns;  // arrival, since 1970 or since the start of the trace; TIME_UNKNOWN
    uint32_t input, output;
    uint32_t cached;         // of the input, that the server's own cache held; TOKENS_UNKNOWN
    uint64_t session;        // 0: not said
    const uint64_t *blocks;  // hashes of the prompt's blocks from its start, borrowed; NULL: not said
    size_t n_blocks;
    bool lane_begins;  // by session: the first of another agent, beside those before
    double think_s;    // from the answer before to this request, in its session; NaN: not said
} Request;

// Counts of many requests together: what bills and metrics tell. NaN: not said.
typedef struct Totals {
    int64_t from_ns, to_ns;  // TIME_UNKNOWN: not said
    double requests, input, output, cached;
    double running_mean;  // requests at once
} Totals;

// ---------------------------------------------------------------- reading

typedef enum TimeUnit {
    TIME_IN_ASK,
    TIME_IN_ISO,
    TIME_IN_S,
    TIME_IN_MS,
    TIME_IN_US,
    TIME_IN_NS,
    TIME_IN_COUNT
} TimeUnit;
extern const char *const time_unit_names[];  // ask, iso, s, ms, us, ns

// What a column, or a member of a JSON object by its path ("usage.prompt_tokens"), means.
typedef enum Role {
    ROLE_TIME,
    ROLE_INPUT,
    ROLE_OUTPUT,
    ROLE_CACHED,
    ROLE_SESSION,
    ROLE_BLOCKS,
    ROLE_STATUS,
    ROLE_COUNT
} Role;

// What the user says of columns that no format knows.
typedef struct ColumnMap {
    const char *column[ROLE_COUNT];  // NULL: not said
    TimeUnit unit;
    double block_tokens;  // NaN: as the format has it
} ColumnMap;

// "time=created:ms,input=in,output=out": adds to the map. False: a usage error.
bool column_map_read(const char *text, Arena *a, ColumnMap *map, Err *e);

// Reads one file's bytes as they come, in pieces of any size, and tells a TrafficScan. The format is found
// from the first piece. Errors name the line. Borrows map and scan until traffic_reader_free, which is due
// after a failure too.
typedef struct TrafficReader TrafficReader;
struct TrafficScan;
TrafficReader *traffic_reader_open(Arena *a, const ColumnMap *map, struct TrafficScan *scan);
bool traffic_reader_feed(TrafficReader *r, Str piece, Err *e);
bool traffic_reader_end(TrafficReader *r, Err *e);
void traffic_reader_free(TrafficReader *r);

// ---------------------------------------------------------------- what is found

enum { QUANTILES = 5, NOTES_MAX = 24, IDC_WINDOWS = 5, HOURS_OF_DAY = 24 };
extern const double idc_windows_s[IDC_WINDOWS];  // 1, 10, 60, 300, 3600

typedef struct LengthFound {
    double n, mean, std, min, p50, p90, p99, max, sum;
} LengthFound;

// Seconds that a request takes: `first_s` + `input_s` a token of the prompt + `output_s` for every token of
// the answer after its first.
typedef struct ServiceTime {
    double first_s, input_s, output_s;
} ServiceTime;

typedef struct Levels {
    double mean, p50, p90, p99, max;  // requests at once, by time
} Levels;

// Requests and tokens of one minute of the trace.
typedef struct Minute {
    double requests, input, output;
} Minute;

typedef struct TrafficFound {
    const char *format;
    double requests;  // that have both lengths
    double left_out;  // that failed or had no answer
    double without_time;
    LengthFound input, output;
    double pearson, spearman;
    bool has_times, absolute;  // absolute: stamps are dates
    int64_t first_ns, last_ns;
    double span_s, rate_rps, busy_rps;
    int64_t busy_from_ns;  // of the busiest hour, or of the whole where that is shorter
    double busy_s;
    double gap_cv, idc[IDC_WINDOWS];
    double zero_gaps, distinct_stamps;
    bool coarse_stamps;   // gap_cv and the dispersion below 10 s say nothing
    double stamp_step_s;  // where they are coarse: mean seconds between different stamps
    ServiceTime service;
    Levels levels;
    const Minute *minutes;  // from first_ns on
    size_t n_minutes;
    double hours[HOURS_OF_DAY];  // as Traffic.hours; NaN
    double cached_share;
    double block_tokens, blocks, distinct_blocks;
    double block_hit_max, hit_max;  // of an endless cache: share of blocks, share of input tokens
    HitCurve hits, block_hits;      // by capacity in tokens
    double sessions, turns_mean, think_s_mean;
    double capacity_tokens;        // of the server's cache, as it said when it started; NaN
    double running_mean;           // requests at once, as the server said; NaN
    const char *notes[NOTES_MAX];  // what was not read, misleads or is estimated: sentences
    size_t n_notes;
} TrafficFound;

typedef struct TrafficOptions {
    ServiceTime service;
    double sessions;  // of agents at once, for the curve of traces by session; NaN: 16
    // Only requests in [from, to) are kept, for a simulation; from == to: none.
    int64_t keep_from_ns, keep_to_ns;
    size_t keep_max;
} TrafficOptions;

// A request as a simulation takes it.
typedef struct Arrival {
    double at_s;
    uint32_t input, output, cached;  // cached TOKENS_UNKNOWN: not said
} Arrival;

void arrivals_sort(Arrival *all, size_t n);  // by time

typedef struct TrafficScan TrafficScan;
TrafficScan *traffic_scan_open(Arena *a, const TrafficOptions *options);
bool traffic_scan_request(TrafficScan *s, const Request *r, Err *e);
void traffic_scan_totals(TrafficScan *s, const Totals *t);
void traffic_scan_left_out(TrafficScan *s);                // a request that failed
void traffic_scan_note(TrafficScan *s, const char *note);  // kept once; borrows until the scan's end
void traffic_scan_block(TrafficScan *s, double block_tokens);
void traffic_scan_lengths(TrafficScan *s, bool input, const LengthFound *estimated);  // of histograms
void traffic_scan_capacity(TrafficScan *s, double tokens);
void traffic_scan_session(TrafficScan *s);                   // the requests that follow are of a new one
void traffic_scan_calendar(TrafficScan *s);                  // stamps are dates
void traffic_scan_format(TrafficScan *s, const char *name);  // of a file; borrows
// A snapshot of counters: the first and the last are told as one window at the end. Borrows.
struct Metrics;
bool traffic_scan_metrics(TrafficScan *s, const struct Metrics *m, Err *e);
// After the last request. ret_found borrows the arena.
bool traffic_scan_end(TrafficScan *s, TrafficFound *ret_found, Err *e);
// The requests that TrafficOptions asked for, in order, seconds from keep_from_ns. ret_thinned: how many each
// stands for (1: all are there).
const Arrival *traffic_scan_kept(const TrafficScan *s, size_t *ret_n, double *ret_thinned);

// The row of data/traffic.tsv that what was found makes.
Traffic traffic_of(const TrafficFound *f, const char *id, const char *title, Arena *a);

#endif
