// Inside of src/traffic: the figures that one pass gathers, each in bounded memory.
#ifndef GPUADVISE_TRAFFIC_PARTS_H
#define GPUADVISE_TRAFFIC_PARTS_H

#include "src/traffic/traffic.h"

// ---------------------------------------------------------------- lengths (lengths.c)

// A count for each length, in pages that are made when a length of theirs comes: every quantile is exact.
// At most 100 million lengths in pages of 4 Ki, so 4 bytes for each length that could come, whatever the
// number of requests; real logs touch a few hundred pages.
enum { LENGTH_PAGE = 4096, LENGTH_PAGES = REQUEST_TOKENS_MAX / LENGTH_PAGE + 1 };
typedef struct Lengths {
    uint32_t **pages;
    double n, sum, mean, squares;  // squares: sum of squared differences from the mean
    uint32_t min, max;
} Lengths;
void lengths_open(Lengths *l, Arena *a);
void lengths_add(Lengths *l, Arena *a, uint32_t tokens);
LengthFound lengths_found(const Lengths *l);
LengthFound lengths_unknown(double n);  // of `n` requests, of which nothing else is known

// Both lengths of a request: correlation of values over all, of ranks over a sample.
enum { PAIRS_MAX = 1 << 18 };
typedef struct LengthPairs {
    double n, mean_x, mean_y, xx, yy, xy;
    uint32_t (*pairs)[2];  // all of the first PAIRS_MAX, then a uniform sample
    size_t kept;
    uint64_t seed;
} LengthPairs;
void pairs_open(LengthPairs *p, Arena *a);
void pairs_add(LengthPairs *p, uint32_t x, uint32_t y);
double pairs_pearson(const LengthPairs *p);
double pairs_spearman(const LengthPairs *p, Arena *a);

// ---------------------------------------------------------------- arrivals (arrivals.c)

typedef struct Stamp {
    int64_t at_ns;
    uint32_t input, output;
} Stamp;

// Arrivals in order. Requests that come out of order are put in order within the last STAMPS_MAX; one that is
// older than those makes `disordered` true, and figures that stand on order unknown.
enum { STAMPS_MAX = 1 << 20, MINUTES_MAX = 60 * 24 * 800, IN_FLIGHT_MAX = 1 << 20 };

typedef struct Bins {  // of one width, from the first arrival
    int64_t width_ns;
    double index, count;     // of the bin that is open, and what it holds
    double n, sum, squares;  // of whole ones
} Bins;

typedef struct Arrivals {
    Arena *arena;
    ServiceTime service;
    Stamp *stamps;
    size_t n_stamps, capacity;
    double n;
    int64_t first_ns, last_ns;
    bool disordered, too_long, too_many;
    double gaps, gap_mean, gap_squares, zero_gaps;
    Bins bins[IDC_WINDOWS];
    Minute *minutes;
    size_t n_minutes, minutes_capacity;
    int64_t *ends;  // a heap of when requests in flight end
    size_t n_ends, ends_capacity;
    double *level_s;  // seconds that so many were in flight
    size_t levels, levels_capacity;
    int64_t level_since;
} Arrivals;
void arrivals_open(Arrivals *x, Arena *a, ServiceTime service);
void arrivals_add(Arrivals *x, Stamp s);
void arrivals_end(Arrivals *x);  // before what follows
void arrivals_found(const Arrivals *x, bool absolute, TrafficFound *f);
// From the minutes of `f`: the hour with most requests, and the mean of each hour of the day.
void busiest_hour(TrafficFound *f);
void hours_of_day(TrafficFound *f);

// ---------------------------------------------------------------- reuse (reuse.c)

// Stack distances of blocks: how many distinct blocks were touched since a block was touched last. An LRU
// cache of C blocks holds it when that is below C, so one pass gives every capacity (Mattson et al. 1970); a
// Fenwick tree over touches counts them in O(log n) (Bennett and Kruskal 1975). Over BLOCKS_MAX distinct
// blocks a share of them, drawn by their hash, stands for all (SHARDS, Waldspurger et al. 2015).
enum { BLOCKS_MAX = 1 << 19 };
typedef struct Reuse {
    Arena *arena;
    double block_tokens;
    uint64_t *keys;      // open addressing; 0: free
    uint32_t *last;      // position of the key's last touch
    size_t slots, live;  // slots: power of two
    uint32_t *tree;      // of live positions, from 1
    uint32_t *slot_of;   // slot + 1 that a position belongs to
    size_t positions, clock;
    double *hit_tokens, *hit_blocks;  // by stack distance among the blocks that are followed
    size_t distances;
    double share;                    // of all blocks, that is followed
    uint64_t below;                  // hashes that are followed
    double blocks, input, distinct;  // of all requests with blocks
    double followed;                 // blocks that were followed, each for as many as it stands for
} Reuse;
void reuse_open(Reuse *x, Arena *a);
// A request whose prompt of `input` tokens has these blocks. Looked up from the first block until one is
// missing; then touched from the last to the first, so that no block is older than those behind it.
void reuse_add(Reuse *x, const uint64_t *blocks, size_t n, double input);
void reuse_found(const Reuse *x, TrafficFound *f);
uint64_t hash64(uint64_t x);  // splitmix64's finaliser

// ---------------------------------------------------------------- sessions (sessions.c)

// Requests of traces that stand by session, with times from its start: kept whole, prompts as what differs
// from the prompt before, and put together at the end as so many sessions at once, each followed by the next.
typedef struct Sessions Sessions;
Sessions *sessions_open(Arena *a);
void sessions_begin(Sessions *s);
bool sessions_add(Sessions *s, const Request *r, Err *e);
// Every request in order of time, `at_once` sessions together, to the reuse of blocks.
void sessions_play(const Sessions *s, double at_once, Reuse *reuse);
size_t sessions_count(const Sessions *s);
double sessions_think_s(const Sessions *s);  // mean; NaN: none was told

#endif
