// Serving with a prefix cache: what of a prompt is found again, and what a replica does under sessions.
//
// Level 1; part of src/perf. A session sends its next request when it has the answer and has thought; most of
// the prompt came before, and is found if the cache still holds it. With n sessions of I input and O output
// tokens on a replica of C tokens of cache:
//   ratio    = n I / C                      a cache that is not used again before n others were goes at 1
//   hit      = curve(C / n)                 of the traffic, less half a step where states are kept at steps
//   fresh    = (1 - hit) I                  what is computed again; of a hit in host memory only the transfer
//   E(b)     = start + h I + b P + O step(b)  P: seconds of the fresh part and of the transfer, b running;
//                                           h: of the host, which reads a prompt as text and hashes it
//   X        = n / (E + think + waiting)    b = X E: concurrency and speed are found together
//   b       <= running_share C / (I + O/2)  what does not run waits
//   TTFT     = waiting + prompts before + P;  TPOT = the rest of E over O. While a prompt is read no answer
//              ends, so only sessions that think can send another, and who waits for memory waits no longer
// Beyond the cliff hits go, P grows by 1 / (1 - hit) and more sessions give less. The growth of a step with b
// is longer than that of a synthetic load by session_ constants that are fitted to public runs of agents
// (src/perf/agentic.h); P by one that is measured on 8 ranks of tensor parallelism, is 1 on a single GPU and
// follows the share 1 - 1/tp that a ring exchanges between them.
#ifndef GPUADVISE_PERF_PREFIX_H
#define GPUADVISE_PERF_PREFIX_H

#include "src/perf/kv.h"

// What public runs of agents say beyond the synthetic loads that the other factors are fitted to.
typedef struct SessionFactors {
    double prefill_ratio;  // time of a prompt's fresh part on 8 ranks, over what serving_prompt_s says
    double alone_ratio;    // time of a step of one sequence, over what serving_step_items says
    double step_ratio;     // what each further sequence adds to a step, over what serving_step_items says
    double running_share;  // of the sequences that capacity would hold, that run
    double host_us_token;  // on the host before a prompt runs: of each of its tokens, found or not
    double offload_ratio;  // time of whatever runs with caches in host memory, over without
} SessionFactors;

SessionFactors session_factors(const Facts *facts);

// How replicas get the requests of a session.
typedef enum Routing {
    ROUTING_CACHE_AWARE,  // to the replica that has its cache: each holds its own sessions
    ROUTING_RANDOM,       // to any: each holds all sessions, of some turns ago
    ROUTING_COUNT
} Routing;

// Sessions on `replicas` alike.
typedef struct SessionLoad {
    HitCurve curve;       // of the traffic
    double curve_tokens;  // mean input tokens of the requests behind the curve
    double think_s;       // mean, from an answer to the session's next request
    double sessions;      // at once, of one replica
    double replicas;
    Routing routing;
} SessionLoad;

// One replica under its sessions.
typedef struct SessionPoint {
    // As of serving_at, but that TTFT is a mean; concurrency: sessions that wait for an answer.
    Point point;
    double requests_s;
    double hit_max;          // of input tokens, that an endless cache holds under this routing
    double hit_device, hit;  // found on the GPUs; there or in host memory
    double fresh_tokens;     // of a request, computed
    double ratio;            // tokens of all sessions that this replica sees over its capacity
    double cliff_sessions;   // of the replica: half of what could be found on the GPUs is
    bool kv_bound;           // more KV capacity would give more: hits are lost, or requests wait for memory
} SessionPoint;

// `kv`: of kv_capacity(). Needs lengths and a curve; `sessions` over 0.
SessionPoint session_at(const Facts *facts, const SessionFactors *factors, const Serving *s,
                        const KvCapacity *kv, const SessionLoad *load);

// The number of sessions (`load->sessions` does not count) that gives most output tokens/s of those, whole and
// not over `most`, whose p99 TTFT and TPOT stay within the limits (seconds; NaN: none). 0: not even one does.
double session_best(const Facts *facts, const SessionFactors *factors, const Serving *s, const KvCapacity *kv,
                    const SessionLoad *load, double ttft_limit_s, double tpot_limit_s, double most);

// Share of the input tokens that a replica finds whose requests come on their own (a curve without sessions),
// while `running` of them hold their part of the capacity. Random routing shows each of `replicas` its share
// of the repeats; routing by caches adds their capacities up.
double open_hit_rate(const HitCurve *curve, const Serving *s, const KvCapacity *kv, double running,
                     double replicas, Routing routing);

// What is left of a share of the input tokens that a cache holds: a kept state of linear layers is taken up at
// the last step before the end of what is found, so half a step is lost on average. Other models lose nothing.
double reusable_share(const Serving *s, double share);

// The curve of sessions whose caches go at a cliff: hit rate hit_max / (1 + (ratio / at)^steepness), for
// requests of `tokens` input tokens.
HitCurve cliff_curve(double hit_max, double tokens, double at, double steepness);

#endif
