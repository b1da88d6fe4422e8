// Decisions: search configurations and offers, cost them, compare the best of each vendor, say why.
//
// Level 2; includes base, facts, perf. Pure: everything comes in through Facts and Ask, everything that was
// decided goes out in Advice, which borrows the facts and lives in the caller's arena.
#ifndef GPUADVISE_ADVISE_H
#define GPUADVISE_ADVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/advise/own.h"
#include "src/advise/stack.h"
#include "src/base/base.h"
#include "src/facts/kinds.h"
#include "src/market/select.h"
#include "src/migrate/effort.h"
#include "src/perf/engines.h"
#include "src/perf/known.h"
#include "src/perf/nearest.h"
#include "src/perf/perf.h"
#include "src/perf/prefix.h"

// ---------------------------------------------------------------- money

// Dollars per million tokens: dollars per hour / 3600 / tokens per second x 10^6. NaN unless both are known
// and > 0.
double usd_per_mtok(double usd_per_hour, double tokens_per_s);

// ---------------------------------------------------------------- the question

// What is asked: a workload with the user's changes already in it, and what the answer must keep to.
typedef struct Ask {
    Workload workload;
    const Model *model;  // NULL only for hpc
    // Filters; no names, "", negative or NaN = any.
    int vendor;
    Names gpus, engines, providers;         // only these
    Names without_gpus, without_providers;  // all but these
    const char *region;                     // part of the region's name
    int pricing_model;                      // PricingModel
    double gpus_max;                        // GPUs of the whole option
    // exactly so many GPUs, under all the load that they carry unless one is set; NaN: what the load takes
    double fleet;
    // power that the site has for the option, servers and cooling included
    double site_kw;
    double max_price_usd_gpu_h;
    double max_age_days;
    Discount discounts[DISCOUNTS_MAX];
    size_t n_discounts;
    int64_t today;               // days since 1970-01-01
    ServeTechniques techniques;  // of serving: speculation, cached prompts, power caps
    // Of serving: how requests come and what of them came before. With a curve of sessions and neither a rate
    // nor requests in flight the load is sessions at once: as many, or 0: as give most within the limits.
    const Traffic *traffic;  // NULL: not said
    double sessions;
    // providers whose prices `prices refresh NAME` asks for; NULL-terminated; NULL: none
    const char *const *feeds;
    size_t top;   // options kept, at least those of the best VENDOR_KEPT GPUs of each vendor
    bool pareto;  // keep what is best in cost or TPOT instead of the cheapest layout of each offer
    // What is moved, if anything: code that was counted, a stack, both or none.
    const struct Move *move;        // of a scan: source, effort, findings, not_analysed; NULL: none
    const Stack *stack;             // NULL: none
    const StackFacts *stack_facts;  // with a stack
    const Gpu *current;             // what runs today; NULL: not said
    double current_usd_gpu_h;
    double current_gpus;       // of it, all paid; NaN: not said, as many as the load takes
    bool onprem;               // also what owning the GPUs would cost
    Quote quotes[QUOTES_MAX];  // what GPUs would be bought for; each asks for owning, onprem is set then
    size_t n_quotes;
    Given terms[TERM_COUNT];
    uint64_t seed;
    // of a search that differs in load or length alone: src/advise/search.h; NULL: none
    const struct SearchMemo *memo;
} Ask;

// The precisions that a model is searched in where nobody said: as released, and what its owner quantised to
// no fewer than 8 bits.
const char *usual_weights(const Facts *facts, const Model *m, Arena *a);

bool ask_takes_gpu(const Ask *ask, const Gpu *g);  // by vendor and name

// ---------------------------------------------------------------- the answer

// One way to run the workload: a configuration on whole instances of one offer.
typedef struct Option {
    const Gpu *gpu;
    const Offer *offer;
    bool today;  // the fleet that runs today, not an offer
    int instances;
    int gpu_count;       // of all instances
    int replicas;        // over all instances
    Layout layout;       // of one replica
    Serving serving;     // token serving only: serving.factors is NULL for other tasks
    const char *engine;  // "" for other tasks
    Dtype weights, kv;   // what the weights are stored in (other tasks: what is computed in)
    Basis basis;
    const char *sources;
    Point point;                    // of one replica under its share of the load
    Published published;            // of this very configuration and load; n 0: it was not measured in public
    EngineReach reach;              // at which loads the engine was measured on this family of GPUs
    double concurrency;             // of the whole option, waiting requests included
    KvCapacity cache;               // of one replica; token serving only
    double sessions;                // of the whole option, where the load is sessions; else 0
    SessionPoint session;           // of one replica under its share of them, found by where its cache is
    double random_output_tokens_s;  // of the whole option, if any replica got any request
    double price_usd_h;             // all instances, discount taken
    double price_usd_gpu_h;
    int64_t price_age_days;  // 0 where price_ahead
    bool price_ahead;        // seen by a clock ahead of this one: the price's age is not known
    SellerClass seller;
    double instances_most;  // that can be rented at once; infinity: no limit known
    bool most_assumed;      // nobody counted them: its class of sellers is taken to have so many
    double memory_used_pct;
    Estimate output_tokens_s, output_tokens_s_gpu, tokens_s_user, ttft_p50_ms, ttft_p99_ms, tpot_ms;
    Estimate output_usd_mtok, blended_usd_mtok, input_usd_mtok, saturated_output_usd_mtok;
    // Other kinds of workload; value NaN where they do not apply.
    TaskPoint task;
    Estimate images_s, usd_1k_images, train_tokens_s, hours_total, usd_total, usd_run, sequences_s,
        input_tokens_s;
    // what ranking goes by: $/Mtok (in and out where inputs lead, in for embeddings), $/1k images, $ in all, $ a run
    double cost;
    double sigma_log;    // of its speed
    double sigma_price;  // of its price: the doubt of cost is that of both
    double price_gone;   // probability that its offer is not there any more
} Option;

// Where its GPUs are rented: "4 x NVIDIA H100 SXM5 80GB at vast", or "today's 8 x ...".
const char *place_text(Arena *a, const Option *option);

// When its price was seen: "3 days ago".
const char *price_seen_words(Arena *a, const Option *option);

// WINNER_UNKNOWN: a side lacks a price, a claim or a measurement, or was filtered out. That is no defeat of
// it.
typedef enum Winner {
    WINNER_NVIDIA,
    WINNER_AMD,
    WINNER_SPLIT,
    WINNER_TIE,
    WINNER_NEITHER,
    WINNER_NOT_YET,
    WINNER_UNKNOWN,
    WINNER_COUNT
} Winner;
extern const char *const winner_names[];  // nvidia, amd, split, tie, neither, not-yet, unknown

typedef struct Exclusion {
    const char *what;  // offers, layouts, engines, GPUs
    const char *reason;
    size_t count;
    const char *example;
} Exclusion;

// What would change the verdict: `what` is now `value`; at `flip` the best of both vendors cost the same
// (with a move: it pays neither way). NaN: they never do, or another option of the same vendor takes over
// before.
typedef struct Sensitivity {
    const char *what, *unit;
    double value, low, high;  // range: 80 %; NaN where the value is given, not estimated
    double flip;
    double verdict_changes;  // where the verdict becomes another one than now; NaN: nowhere
    // of a load or length: the value nearest to that at which the verdict is still that of now; NaN: not
    // asked, or no change
    double holds;
    // the result at the ends of the range: NPV of the move in USD, or the ratio of costs AMD / NVIDIA
    double at_low, at_high;
    const char *text;
} Sensitivity;

enum {
    VENDOR_KEPT = 3,
    REASONS_MAX = 3,
    RISKS_MAX = 8,
    SENSITIVITIES_MAX = 32,
    EXCLUSIONS_MAX = 32,
    CURVE_MAX = 14,
    RUNNING_MAX = 4,
    NEXT_STEPS_MAX = 8
};

// Something that would reduce the doubt, and what knowing the answer is worth at most. USD; worth NaN: no
// monthly bill to weigh it with.
typedef struct NextStep {
    const char *text;
    double cost_usd, worth_usd;
    bool free_look;  // costs nothing and tells enough to be done before anything else
} NextStep;

// The two vendors at sellers of one class, in weights of one precision, at prices seen about the same time.
typedef struct Alike {
    const Option *option[VENDOR_COUNT];  // the cheapest such of each
    SellerClass seller_class;
    double bits;  // a weight, rounded to 4, 8, 16, ...
    // of each other the prices were seen; over 60: widened, since nothing nearer was found
    double within_days;
    Winner winner;  // nvidia, amd, tie
    double probability;
    Estimate cost_ratio;  // AMD / NVIDIA
    const char *text;
} Alike;

typedef struct Verdict {
    Winner winner;
    const char *unknown_because;  // "": it is known
    bool filtered;                // the user left a vendor out: nothing was to be compared
    const Alike *alike;           // NULL: no class of sellers has both, or a vendor is missing
    const char *text;
    // that the named winner (tie: the likelier one) is right; NaN when there is nothing to compare
    double probability;
    Estimate cost_ratio;  // AMD / NVIDIA, errors that both share cancelled; NaN
    const char *reasons_for[REASONS_MAX], *reasons_against[REASONS_MAX], *risks[RISKS_MAX];
    size_t n_for, n_against, n_risks;
    const char *next_step;
    NextStep next_steps[NEXT_STEPS_MAX];  // worth most first
    size_t n_next_steps;
    size_t samples;  // behind the probability; 0: none
    bool by_needs;   // decided by what the stack cannot do without, not by money
    // nobody has counted the work of a move, and it does not matter: even without any the move does not pay
    bool by_staying;
    const OwnAnswer *own;  // the same with owned servers beside rented ones; NULL: not asked
    // what runs of the user's own changed, and what it means that one side alone has them; NULL: nothing
    const char *own_runs_changed, *own_runs_sides;
} Verdict;

// Moving to another provider of the same vendor's GPUs takes contracts and data; to the other vendor's,
// software too.
typedef enum TransitionId { TRANSITION_PROVIDER, TRANSITION_VENDOR, TRANSITION_COUNT } TransitionId;
extern const char *const transition_names[];  // provider, vendor

// A move from one option to another: USD, or USD a month. Ranges are 10th and 90th percentile of the samples;
// the value is that of the likely figures. break_even NaN: never, or not known, as `text` says.
typedef struct Transition {
    TransitionId id;
    const Option *from, *to;
    Estimate bill, bill_after;  // a month, spot losses included; bill_after: for the work that `from` does
    // what a month of `to` is billed: whole instances, whether that work fills them or not
    Estimate billed_after;
    Estimate days;  // of engineers: contract, software, revalidation
    // once: sum of those that are known; unused_commitment: commitment that goes unused
    Estimate work, parallel_running, egress, unused_commitment, once;
    Estimate upkeep, saving;     // a month
    Estimate break_even_months;  // once / (saving - upkeep)
    Estimate npv;                // over the horizon, from today
    Estimate weeks;              // of calendar until production
    // software work up to which it would pay, where that work is not known; NaN: it is, or more is not
    double port_days_at_most;
    // share of samples in which it would pay if the software took no work; NaN where port_days_at_most is
    double pays_without_work;
    double never;                           // share of samples in which it never pays
    double pays;                            // share of samples with NPV > 0
    double pays_without_unused_commitment;  // the same if no commitment went unused
    double pays_share;  // the same for the movable share of the load alone; NaN: no such share
    // across vendors: share of samples in which it is worth more than staying and than any move within the
    // vendor
    double pays_best;
    size_t n_curve;
    // present value in USD after so many months
    double curve_month[CURVE_MAX], curve_low[CURVE_MAX], curve[CURVE_MAX], curve_high[CURVE_MAX];
    const char *text;
} Transition;

// What moving a code base from NVIDIA to AMD takes. The caller gives what it counted (by a scan, or from the
// stack).
typedef struct Move {
    const char *source;  // the code base or stack file, as asked
    const Effort *effort;
    const size_t *findings;  // PORT_CLASS_COUNT, of its own files
    size_t not_analysed;     // files and folders
    bool scanned;
} Move;

// What the best option of a vendor, or today's, costs beside its price.
typedef struct Costs {
    const Option *option;    // NULL: none
    Estimate usd_month;      // all instances for 730 h, or the jobs of a month; spot losses included
    Estimate kwh_per_mtok;   // board power, host and PUE, for a million output tokens
    double power_kw;         // of the servers at full load, PUE included
    double power_usd_month;  // what that electricity would cost; paid by the owner of the servers
} Costs;

// What a fleet would have to give for its price to be an API's: million output tokens a month, as sized for
// the load asked for.
typedef struct ApiVolume {
    const Option *option;  // NULL: none
    Estimate even_mtok;    // from there on the fleet costs less
    double even_requests_day;
    double asked_mtok, most_mtok;  // that the load asked for makes of it, and that it can give
} ApiVolume;

typedef struct Api {
    double usd_mtok;  // of output tokens, input tokens of the workload included
    double cheapest_usd_mtok;
    const Option *cheapest;
    double even_duty;  // share of paid hours used at which both cost the same; over 1: never
    // of the cheapest option; of the cheapest owned fleet, where owning was asked about
    ApiVolume rented, owned;
    const char *text;
} Api;

// A seller of the model's tokens beside the answer, USD a million of the load's tokens, in and out.
typedef struct ApiBeside {
    const ApiPrice *price;
    double fresh_usd_mtok;   // all input at its full price
    double cached_usd_mtok;  // what came before found in its cache; NaN: not known, or nothing came before
} ApiBeside;

// The best option of a vendor, with what it runs on unchanged, under other numbers of sessions.
typedef struct SessionCurvePoint {
    double sessions;
    double output_tokens_s, total_tokens_s;
    double output_usd_mtok, blended_usd_mtok;
    double hit, ttft_s, tpot_s;
    bool keeps;  // the limits
} SessionCurvePoint;
enum { SESSION_CURVE_MAX = 16 };
typedef struct SessionCurve {
    SessionCurvePoint points[SESSION_CURVE_MAX];
    size_t n;
    double cliff_sessions;  // of the whole option
} SessionCurve;

typedef struct Advice {
    const Ask *ask;
    const Option *options;             // cheapest first, what runs today among them once it was decided
    size_t n_options, n_found;         // kept; offers' options before `top` cut the list
    const Option *best[VENDOR_COUNT];  // NULL: none; what runs today, where its vendor has no other
    size_t providers[VENDOR_COUNT];    // with at least one option, before `top` cut the list
    // the GPUs of each vendor's cheapest options: what other loads are tried with
    const Gpu *running[RUNNING_MAX * VENDOR_COUNT];
    size_t n_running;
    Nearest nearest[VENDOR_COUNT];  // public measurement next to best[]; row NULL: none, or no token serving
    struct SearchMemo *memo;        // for searches at other loads: src/advise/search.h
    const Option *all;              // every option that was found, cheapest first, before `top` cut the list
    size_t n_all;
    size_t offers_of[VENDOR_COUNT];  // usable offers
    size_t judged[VENDOR_COUNT];     // layouts whose memory or speed was worked out, fit or not
    // its options in the order in which they would be taken: src/advise/prices.h; NULL: none
    const struct Ladder *ladders[VENDOR_COUNT];
    const Option *next[VENDOR_COUNT];  // the vendor's best of another GPU or provider than best[]; NULL: none
    Verdict verdict;
    Sensitivity sensitivities[SENSITIVITIES_MAX];
    size_t n_sensitivities;
    Exclusion exclusions[EXCLUSIONS_MAX];
    size_t n_exclusions;
    size_t offers_seen, offers_used;
    size_t short_of[2];                            // offers with too few machines: as seen; as taken to have
    size_t offers_too_old;                         // left out by max_age_days alone
    int64_t oldest_price_days, newest_price_days;  // age of the prices used; -1 = none
    const Move *move;                              // NULL: no code base or stack was asked about
    const StackView *stack;                        // NULL: none was asked about
    const Option *current;      // what runs today; NULL: not said, or it does not do the work
    const char *current_unfit;  // why it does not; NULL: it does, or was not said
    const Transition *transitions[TRANSITION_COUNT];  // NULL: no such move to weigh
    Costs costs[VENDOR_COUNT + 1];                    // the last: of current
    double term_months;                               // over which money is counted
    Owning owning[VENDOR_COUNT];
    const Owning *prices;  // of every GPU that may be owned, where owning was asked about
    size_t n_prices;
    // the same work on owned servers: its options and their best; NULL: not asked
    const struct Advice *owned;
    const SessionCurve *session_curve[VENDOR_COUNT];  // of best[]; NULL: the load is not sessions
    const ApiBeside *apis;  // of token serving: those that sell this model, cheapest first
    size_t n_apis;
    double apis_cached_share;              // of input tokens, that came before
    const Api *api;                        // NULL: no price was given
    const Checkpoint *const *checkpoints;  // of the model, in other precisions than the released one
    size_t n_checkpoints;
    bool nothing_but_age;  // every offer that fitted the filters was too old
    // of the best options, where a traffic was given: src/advise/sizing.h; NULL: none
    const struct Sizing *sizings;
    size_t n_sizings;
    const struct TrafficLoad *load;
    const struct Scaling *scaling;
} Advice;

// Share of its output tokens/s that an option keeps, at its own load, where each board is limited to `limit_w`. NaN: no token
// serving, agents' sessions, or a limit of which the catalog cannot say what it leaves.
double option_share_under(const Facts *facts, const Ask *ask, const Option *o, double limit_w);

// Answers: advise_search, then advise_decide. Fails only when the ask cannot be worked on (a serving workload
// without lengths); an empty answer is an answer: n_options 0, winner neither.
bool advise(const Facts *facts, const Ask *ask, Arena *a, Advice *ret_advice, Err *e);

// The options and the best of each vendor, no verdict yet: for callers whose scan depends on the best AMD
// GPU. They may then set ask->move.
bool advise_search(const Facts *facts, const Ask *ask, Arena *a, Advice *ret_advice, Err *e);

// Weighs what was found: costs, transitions, verdict, what would flip it.
bool advise_decide(const Facts *facts, Arena *a, Advice *advice, Err *e);

// A term as the ask has it: given, or the row of data/decision.tsv with its range. value NaN: neither.
Estimate term_of(const Facts *facts, const Ask *ask, Term t);

// What an option costs beside its price; and a monthly sum over so many months, at prices that stay, not
// discounted.
Costs option_costs(const Facts *facts, const Ask *ask, const Option *o);
Estimate usd_over(const Estimate *usd_month, double months);

const Option *cheapest_offered(const Advice *advice);  // what runs today left aside; NULL: no option

// What costs of an ask's options are for. Where inputs lead (8 input tokens or more to one of output, or
// sessions whose prompts a cache finds again) that is a million tokens in and out, else a million of output;
// for one ask the two differ by a factor that all its options have in common.
bool inputs_lead(const Ask *ask);
size_t cost_offset(const Ask *ask);                            // of that Estimate in Option
const Estimate *option_cost(const Option *o, const Ask *ask);  // what options are ranked by
const char *per_what(const Ask *ask);                          // "per million output tokens"
const char *cost_title(const Ask *ask);                        // of a column: "$/Mtok"
const char *cost_axis(const Ask *ask);                         // "$ per million output tokens"
const char *probability_text(Arena *a, double p);              // "probability 0.88", rounded down

// ---------------------------------------------------------------- parts, for tests

// ln of the AMD / NVIDIA cost ratio: mean and standard deviation, with the parts of the error that the two
// options have in common (same model, engine, GPU; the very same configuration) cancelled.
void cost_ratio(const Facts *facts, const Option *numerator, const Option *denominator, double *ret_mean,
                double *ret_sigma);

#endif
