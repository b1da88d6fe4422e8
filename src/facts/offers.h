// Offers: what is rented out, by whom, at what price, and what turns sellers' words into GPUs. Part of
// facts.h, whose conventions hold.
#ifndef GPUADVISE_FACTS_OFFERS_H
#define GPUADVISE_FACTS_OFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum PricingModel {
    PRICING_ON_DEMAND,
    PRICING_SPOT,
    PRICING_RESERVED_1Y,
    PRICING_RESERVED_3Y,
    PRICING_COUNT
} PricingModel;

// What an offer is worth: a listed price, one that its provider has replaced since, or hearsay.
typedef enum Standing { STANDING_LISTED, STANDING_SUPERSEDED, STANDING_SECONDARY, STANDING_COUNT } Standing;

// Who rents a machine out. How its price moves, how often it is gone and how much of it there is go by this.
// The hosts of a marketplace and of a community cloud are of one class, whatever the brand; a broker resells
// others' machines; a price list alone: nobody was seen renting by it.
typedef enum SellerClass {
    SELLER_UNKNOWN,
    SELLER_HYPERSCALER,
    SELLER_CLOUD,
    SELLER_MARKETPLACE_HOST,
    SELLER_BROKER,
    SELLER_PRICE_LIST,
    SELLER_CLASS_COUNT
} SellerClass;

typedef enum Available { AVAILABLE_UNKNOWN, AVAILABLE_YES, AVAILABLE_NO, AVAILABLE_COUNT } Available;

extern const char *const pricing_names[];    // on-demand, spot, reserved-1y, reserved-3y
extern const char *const available_names[];  // unknown, yes, no
// unknown, hyperscaler, cloud, marketplace-host, broker, price-list-only
extern const char *const seller_class_names[];
extern const char *const standing_names[];  // listed, superseded, secondary

// One rentable offer (facts: data/offers.tsv; observations: table offer_seen).
typedef struct Offer {
    const char *provider, *instance, *region;
    const char *sku_id;       // "" when the listed GPU has no SKU: shown as unmapped, never used in a search
    const char *listed_name;  // the GPU as the provider names it
    double gpu_count;         // GPUs of the instance; NaN: a list price per GPU, no rentable instance stated
    double vcpus, ram_gb;
    int pricing_model;  // PricingModel
    // whole instance (per GPU where gpu_count is NaN); millionths of a dollar per hour, > 0
    int64_t price_micro_usd_h;
    int available;  // Available: could it be rented when it was seen
    int standing;   // Standing
    // SellerClass, as the feed, import or row says; SELLER_UNKNOWN: data/sellers.tsv says it
    int seller_class;
    // machines that could be rented at this price when it was seen; NaN: not known
    double machines_seen;
    // whose machines those are, where several may be of one host of a marketplace; NaN or 0: not known
    double hosts_seen;
    // Available: is 1 to 8 GPUs of a node rented at the price of one times their number? unknown:
    // data/sellers.tsv says it
    int sold_by_gpu;
    const char *source, *as_of;  // as_of: date seen
    // Of offers that the catalog gives (not of rows of data/offers.tsv):
    const char *feed;     // which feed or import said so; "": it ships with the program
    const char *seen_at;  // when this price was first seen, RFC 3339; "": unknown
    const char *country;  // ISO 3166, two letters; "": unknown
    // Of offers that src/advise makes:
    // the user's own word, as of today's fleet or own servers: its price does not move, and it does not run
    // out
    bool given;
    // the GPUs of the offer whose price a GPU this one's was made of; 0: a seller states this very price
    double derived_from;
} Offer;

// What kind of seller a provider is (data/sellers.tsv). Where one brand has several, `region` tells them
// apart ("community", "secure").
typedef struct Seller {
    const char *provider, *region;  // region: "" = all that have no row of their own
    int seller_class;               // SellerClass
    int sold_by_gpu;                // Available
    const char *source, *as_of;
} Seller;

// The row of a provider's region, else that of all its regions; NULL: nobody knows this seller. Is it the
// listing of a single host of a marketplace? Unknown where nobody counted; no for other sellers, whose
// machines are many.
Available offer_one_host(const Offer *offer, SellerClass seller);

const Seller *seller_find(const Seller *sellers, size_t n, const char *provider, const char *region);

// How many machines of one offer a class of sellers is taken to have where nobody counted them
// (data/seller_classes.tsv).
typedef struct SellerClassFact {
    int seller_class;  // SellerClass
    double machines;   // of at most eight GPUs each
    const char *what;  // why so many
    const char *source, *as_of;
} SellerClassFact;

// How the prices of a class of sellers move within some days (data/price_moves.tsv). Between two rows
// straight lines are drawn.
typedef struct PriceMove {
    int seller_class;   // SellerClass
    int pricing_model;  // PricingModel
    double lag_days;
    // standard deviation of ln(price after those days / price seen), each seller for itself
    double sigma_log;
    double drift_log;  // its mean: where the market goes
    double gone;       // share of offers that were no longer there, 0-1
    double pairs;      // pairs of prices behind it; 0: an assumption
    const char *source, *as_of;
} PriceMove;

// In which country a provider's regions lie (data/regions.tsv). The longest name that a region begins with
// counts.
typedef struct Region {
    const char *provider, *region;
    const char *country;  // ISO 3166, two letters
    const char *source, *as_of;
} Region;

// The GPUs of an instance type whose price list does not name them (data/instance_gpus.tsv).
typedef struct InstanceGpu {
    const char *provider, *instance;
    const char *sku_id;  // "": not in the catalog
    const char *gpu;     // its usual name
    double gpu_count;    // below 1: a slice
    const char *source, *as_of;
} InstanceGpu;

// What a seller means by a GPU's name that fits several cards (data/seller_names.tsv).
typedef struct SellerName {
    const char *provider, *listed_name, *sku_id;
    const char *source, *as_of;
} SellerName;

// A machine that is sold by the hour of its parts: GPUs, cores, memory, local disks (data/gcp_machines.tsv).
// The words are what the price list's descriptions of those parts begin with; "" = the part has no price of
// its own.
typedef struct PartsMachine {
    const char *machine;
    const char *gpu_words, *core_words, *ram_words;
    const char *sku_id, *gpu;
    double gpu_count, vcpus, ram_gib, ssd_gib;
    int on_demand;  // bool: can be ordered on demand
    const char *source, *as_of;
} PartsMachine;

// What turns sellers' words into GPUs. Rows by key.
typedef struct SellerFacts {
    const InstanceGpu *instances;
    size_t n_instances;
    const SellerName *names;
    size_t n_names;
    const PartsMachine *machines;
    size_t n_machines;
    const struct UserName *names_of;  // data/names.tsv: what sellers are called besides
    size_t n_names_of;
    uint64_t hash;  // of these tables and those of GPUs and devices: by another, a name may mean another GPU
} SellerFacts;

#endif
