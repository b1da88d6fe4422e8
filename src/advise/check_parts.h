// Inside of src/advise: the judges of each kind of claim, and what they share.
#ifndef GPUADVISE_CHECK_PARTS_H
#define GPUADVISE_CHECK_PARTS_H

#include "src/advise/check.h"
#include "src/perf/perf.h"

// A claim on the way to its answer.
typedef struct Judge {
    const Facts *facts;
    const ClaimAsk *ask;
    const PublicClaim *row;
    Arena *arena;
    ClaimAnswer answer;
} Judge;

bool judge_training(Judge *j, Err *e);
bool judge_images(Judge *j, Err *e);
bool judge_peak(Judge *j, Err *e);
bool judge_bill(Judge *j, Err *e);
bool judge_support(Judge *j, Err *e);
bool judge_compared(Judge *j, Err *e);  // ratio
bool judge_statement(Judge *j, Err *e);

void judge_condition(Judge *j, const char *text);
#define condition_printf(j, ...) judge_condition((j), arena_printf((j)->arena, __VA_ARGS__))
void judge_settle(Judge *j);  // plausible with conditions is conditional
// Arena texts: a number, "$1.75", "19,500 claimed is 25 times that".
const char *judge_number(Judge *j, double x, int digits);
const char *judge_money(Judge *j, double usd);
const char *judge_ratio(Judge *j, double claimed, double bound);

// Whether the matrix units leave out zeros (structured sparsity), what of the dense rate vendors print then,
// and the condition.
enum { SPARSE_GAIN = 2 };
bool judge_is_sparse(const Gpu *g);
extern const char *const judge_sparse_words;

// The fastest dense path of a GPU for weights stored as `weights`: formats are widened before the arithmetic,
// never narrowed.
Dtype judge_fastest(const Gpu *g, Dtype weights);

// Below the bound, but nearer to it than public measurements of the same regime come: a condition.
typedef enum Regime {
    REGIME_ONE,
    REGIME_BATCH,
    REGIME_DENSE_16,
    REGIME_DENSE_8,
    REGIME_DENSE_4,
    REGIME_MOE_8,
    REGIME_MOE_4,
    REGIME_TRAINING_16,
    REGIME_TRAINING_8,
    REGIME_IMAGES,
    REGIME_COUNT
} Regime;
void judge_share(Judge *j, Regime regime);

// Beside the best that was measured of that GPU and model at the nearest load. True: the row speaks for the
// claim, being of no harder load.
bool judge_measured(Judge *j, double gpus);
// Beside the range of the estimator, whose word counts where nothing `measured` speaks.
void judge_estimate(Judge *j, Dtype weights, int gpus, bool measured);
// The condition that it is faster `than` something by `times`, `why` that is doubted; names speculation where
// that helps.
void judge_faster(Judge *j, double times, const char *than, const char *why);
// Narrower weights than those, as far as the GPU has them: how many, widest first.
size_t judge_narrower(const Judge *j, Dtype than, Dtype out[DTYPE_COUNT]);

// What the estimator gives for the load of the claim on the GPU of the claim, under `engine` ("": the best of
// them).
ClaimEstimate judge_estimate_of(const Judge *j, Dtype weights, int gpus, const char *engine);

// Ids of the models that run as the claimed one does, at most `most`; whether a name is one of n.
size_t judge_same_models(const Judge *j, const char **names, size_t most);
bool judge_is_one_of(const char *name, const char *const *names, size_t n);
// Bits that a weight takes without its block scales; NaN: unknown.
double judge_whole_bits(Dtype dtype);

// One figure of the first side over one of the other, both of the same load, seller or test.
typedef struct RatioCase {
    double ratio;
    const Measurement *a, *b;  // NULL: not of measured runs
    const char *of;            // seller, where it is a price
} RatioCase;

// Runs of both sides with the same load: the fastest of each load on either side. At most as many as there
// are measurements.
size_t judge_pairs(const Judge *j, Compared compares, RatioCase *ret_cases);
// On-demand prices of a GPU-hour, the lowest of each seller that has both; and the median of the sellers of
// one GPU (NaN: none).
size_t judge_prices(const Judge *j, RatioCase *ret_cases);
double judge_usual_price(const Judge *j, const Gpu *gpu, size_t *ret_sellers);

#endif
