// Owning the GPUs: what a server of one's own costs an hour, which fleets of them do the work, and whether
// that is less than renting.
//
// Level 2, part of src/advise.
#ifndef GPUADVISE_ADVISE_OWN_H
#define GPUADVISE_ADVISE_OWN_H

#include <stdbool.h>

#include "src/advise/stack.h"
#include "src/base/base.h"
#include "src/facts/facts.h"

struct Option;

// What a GPU would be bought for, where the user knows it: goes before its street price, and is exact.
typedef struct Quote {
    const Gpu *gpu;
    double usd;
} Quote;
enum { QUOTES_MAX = 16 };

// What the cost of an hour hangs on besides the GPU: each with its range.
enum { OWN_TERMS = 9 };

// One GPU with its share of a server, owned: dollars an hour, whether it is used or not, but for electricity.
typedef struct Owning {
    const Gpu *gpu;  // NULL: its price or power is not known
    bool quoted;
    const char *source;  // of its price
    Estimate gpu_price;  // USD
    double gpu_usd, server_usd_gpu, residual_usd;
    double capital_usd_h, power_usd_h, hosting_usd_h, usd_gpu_h;
    Estimate gpu_hour;  // usd_gpu_h with its range
    // standard deviation of ln usd_gpu_h by each term; below 0: a higher term makes it cheaper
    double sigma[OWN_TERMS];
    double output_usd_mtok;   // on whole servers, at this load; NaN: no fleet of it does the work
    double rented_usd_gpu_h;  // what the best option of the vendor pays
    const char *text;
} Owning;

typedef enum OwnChoiceId { OWN_RENT, OWN_OWN, OWN_TODAY, OWN_CHOICES } OwnChoiceId;
extern const char *const own_choice_names[];  // rent, own, today

// One way to come by the GPUs: the cheapest option of it.
typedef struct OwnChoice {
    const struct Option *option;  // NULL: none
    const Owning *owning;         // what it costs; NULL: it is not owned
    Estimate cost;                // in what options are ranked by
    Estimate usd_month;
} OwnChoice;

enum { OWN_NOTES_MAX = 8 };

// Own, rent, or leave what runs today: of both vendors together, and of each.
typedef struct OwnAnswer {
    OwnChoice choices[OWN_CHOICES], of[VENDOR_COUNT][OWN_CHOICES];
    int cheapest;         // OwnLaneId; -1: none
    double probability;   // that owning costs less than renting; NaN: one of them is missing
    Estimate cost_ratio;  // own / rent
    // share of the hours from which on owning costs less than hours rented as they are needed; over 1 or NaN:
    // never
    Estimate even_hours;
    // With the cheaper of own and rent for each vendor.
    int winner;  // Winner; WINNER_UNKNOWN: a vendor has neither
    // Winner with rented servers alone: the verdict, or by cost where that weighs a move
    int before;
    double winner_probability;         // as Verdict.probability
    Estimate vendor_ratio;             // AMD / NVIDIA
    bool changes;                      // winner is not `before`
    const char *notes[OWN_NOTES_MAX];  // on licences and memory of the GPUs among the owned options
    size_t n_notes;
    const char *text;
} OwnAnswer;

// The row on the licence and memory of a GPU; NULL: none. And as words: "" where there is nothing to say.
const Licence *licence_of(const Facts *facts, const Gpu *gpu);
const char *licence_note(const Facts *facts, const Gpu *gpu, Arena *a);

#endif
