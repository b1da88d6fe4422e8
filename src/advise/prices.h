// Inside of src/advise: what a price may have become since it was seen, how much there is of an offer, and
// what both make of a comparison of the two vendors.
//
// A price is a distribution. ln(price now / price seen) of an offer that still stands is normal; its spread
// and mean grow with the days since, by class of seller and pricing model (data/price_moves.tsv), each offer
// for itself. The market's own drift is common to all and uncertain too: it counts by the difference of two
// ages. And an offer may be gone: its vendor's next one then takes its place.
#ifndef GPUADVISE_ADVISE_PRICES_H
#define GPUADVISE_ADVISE_PRICES_H

#include "src/advise/advise.h"

// Who sells an offer: its own word, else the row of data/sellers.tsv for its provider and region, else
// SELLER_UNKNOWN.
SellerClass offer_seller(const Facts *facts, const Offer *offer);

// Whether 1 to 8 GPUs of a node are rented at the price of one times their number, likewise.
Available offer_by_gpu(const Facts *facts, const Offer *offer);

// Instances of one offer that can be rented at once: as many as were seen, else what data/seller_classes.tsv
// takes its class of sellers to have. *ret_assumed: nobody counted them. Facts without that table (tests)
// know no limit.
double offer_instances_most(const Facts *facts, const Offer *offer, bool *ret_assumed);

// The machines of one kind that a seller of this class is taken to have (data/seller_classes.tsv), and
// whether those are nodes of eight GPUs that it rents out in parts, too: a host lists a machine as it rents
// it.
double class_machines(const Facts *facts, SellerClass class);
bool sells_parts(SellerClass class);

// Fills what an option's offer says of its price: age, seller, instances_most, sigma_price and price_gone.
// Its price must be there.
void note_offer(const Facts *facts, const Ask *ask, Option *option);

// A sum of money that is a price over a speed: its range with the doubt of the price in it, too.
void widen_by_price(const Option *option, Estimate *usd);

// What may have become of an option's price. All 0 for a price that the user gave and for facts without
// data/price_moves.tsv.
typedef struct PriceDoubt {
    double sigma, drift;  // of ln(price now / price seen), if the offer is still there
    double gone;          // probability that it is not
    double years;         // since it was seen
    bool one_host;        // it is the listing of a single host of a marketplace
} PriceDoubt;
PriceDoubt price_doubt(const Facts *facts, const Option *option);

// ---------------------------------------------------------------- both vendors

// A vendor's option that is taken with some probability: when all before it are gone.
typedef struct Rung {
    const Option *option;
    double cost;  // its own, or what it would be
    PriceDoubt doubt;
} Rung;

// A vendor's options, cheapest first, each of another GPU or seller.
enum { RUNGS_USED = 6 };
typedef struct Ladder {
    Rung rungs[RUNGS_USED];
    size_t n;
} Ladder;

// Of the same GPU at the same provider and class of seller.
bool same_seller(const Facts *facts, const Option *x, const Option *y);

// The rungs of a vendor among `options`, which are sorted by cost; and of those that are for rent alone,
// without the fleet of today.
Ladder ladder_of(const Facts *facts, const Option *options, size_t n, int vendor);
Ladder ladder_for_rent(const Facts *facts, const Option *options, size_t n, int vendor);

// Some of a vendor's options: those of one GPU, at one provider, or both.
typedef struct Meant {
    int vendor;
    const Gpu *gpu;        // NULL: any
    const char *provider;  // NULL: any
} Meant;

// The rungs of those options, and of the vendor's others.
typedef struct Halves {
    Ladder meant, others;
} Halves;
Halves ladder_halves(const Facts *facts, const Option *options, size_t n, const Meant *meant);

// A ladder of one option alone.
Ladder ladder_alone(const Facts *facts, const Option *option);

// The vendor's ladder if those that are meant cost `times` as much.
Ladder ladder_scaled(const Halves *halves, double times);

// The probability that each rung is the one taken. The last one used takes what is left: somebody will sell.
void ladder_weights(const Ladder *ladder, double weights[RUNGS_USED], size_t *ret_n);

// ln of the ratio of costs AMD / NVIDIA as a mixture of normals over pairs of rungs.
typedef struct Odds {
    double amd_cheaper;  // probability, as the distribution has it
    double low, high;    // 10th and 90th percentile of the ratio; set by odds_range only
    double surest;       // no probability of this comparison is said to be higher: see odds_of
    bool one_host;       // the likelier vendor's cheapest option is one host's listing
} Odds;

// No probability is said to be higher than this: 1, or constant one_host_surest where the winner's cheapest
// option is the listing of one host, less what a list so many years old cannot know (constant
// list_doubt_year).
double surest_of(const Facts *facts, double years, bool one_host);

// `surest` by the older of the two first prices, and by what the same list said of that vendor some time
// ago: no list makes surer by growing old, however unlike its two sides age.
Odds odds_of(const Facts *facts, const Ladder *amd, const Ladder *nvidia);
void odds_range(const Facts *facts, const Ladder *amd, const Ladder *nvidia, Odds *odds);

// The probability that is said: of the likelier vendor.
double odds_probability(const Odds *odds);
// nvidia, amd or tie: a vendor is named from constant-free nine in ten on, where an 80 % interval leaves 1
// out.
Winner odds_winner(const Odds *odds);
// How far that is from turning: above 0 while `winner` holds.
double odds_margin(const Odds *odds, Winner winner);

// The ratio of costs as listed, with the range that speeds and prices leave it.
Estimate ratio_estimate(const Odds *odds, const Option *amd, const Option *nvidia);

enum { ALIKE_DAYS = 60 };  // prices seen no further apart count as of the same time

static const double SURE = 0.9;  // a one-sided tenth: where an 80 % interval leaves zero out

#endif
