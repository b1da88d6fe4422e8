// Offers: what is rented out, by whom, at what price, and what turns sellers' words into GPUs. Part of
// facts.h, whose conventions hold.
#ifndef GPUADVISE_FACTS_OFFERS_H
#define GPUADVISE_FACTS_OFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/facts/columns.h"

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

// clang-format off
// One rentable offer (facts: data/offers.tsv; observations: table offer_seen).
#define OFFER_FIELDS(X) \
    X(Offer, TEXT, KEY, provider) \
    X(Offer, TEXT, KEY_MAY, instance) \
    X(Offer, TEXT, KEY_MAY, region) \
    /* "" when the listed GPU has no SKU: shown as unmapped, never used in a search */ \
    X(Offer, TEXT, KEY_MAY, sku_id) \
    X(Offer, TEXT, KEY, listed_name)                        /* the GPU as the provider names it */ \
    /* GPUs of the instance; NaN: a list price per GPU, no rentable instance stated */ \
    X(Offer, NUM, KEY_MAY, gpu_count, 0.01, 1024) \
    X(Offer, NUM, KEY_MAY, vcpus, 0.1, 10000) \
    X(Offer, NUM, KEY_MAY, ram_gb, 0.1, 1e6) \
    X(Offer, NAME, KEY, pricing_model, int, pricing_names)  /* PricingModel */ \
    /* whole instance (per GPU where gpu_count is NaN); millionths of a dollar per hour, > 0 */ \
    X(Offer, MICRO, KEY, price_micro_usd_h, "price_usd_per_hour", "price_micro_usd_per_hour", 0.001, 10000) \
    /* could it be rented when it was seen */ \
    X(Offer, NAME, MAY, available, Available, available_names) \
    X(Offer, NAME, MUST, standing, Standing, standing_names) \
    /* as the feed, import or row says; SELLER_UNKNOWN: data/sellers.tsv says it */ \
    X(Offer, NAME, MAY, seller_class, SellerClass, seller_class_names) \
    /* machines that could be rented at this price when it was seen; NaN: not known */ \
    X(Offer, NUM, MAY, machines_seen, 1, 1e6) \
    /* is 1 to 8 GPUs of a node rented at the price of one times their number? unknown: */ \
    /* data/sellers.tsv says it */ \
    X(Offer, NAME, MAY, sold_by_gpu, Available, available_names) \
    X(Offer, TEXT, MUST, source) \
    X(Offer, DATE, KEY, as_of)                              /* date seen */

// Of offers that the catalog gives (not of rows of data/offers.tsv).
#define OFFER_CURRENT_FIELDS(X) \
    OFFER_FIELDS(X) \
    X(Offer, TEXT, MAY, feed)     /* which feed or import said so; "": it ships with the program */ \
    X(Offer, TEXT, MAY, seen_at)  /* when this price was first seen, RFC 3339; "": unknown */ \
    X(Offer, TEXT, MAY, country)  /* ISO 3166, two letters; "": unknown */ \
    /* whose machines those are, where several may be of one host of a marketplace; NaN or 0: not known */ \
    X(Offer, NUM, MAY, hosts_seen, 1, 1e6)
typedef struct Offer {
    OFFER_CURRENT_FIELDS(MEMBER)
    // Of offers that src/advise makes:
    // the user's own word, as of today's fleet or own servers: its price does not move, and it does not run out
    bool given;
    // the GPUs of the offer whose price a GPU this one's was made of; 0: a seller states this very price
    double derived_from;
} Offer;

// What kind of seller a provider is (data/sellers.tsv). Where one brand has several, `region` tells them
// apart ("community", "secure").
#define SELLER_FIELDS(X) \
    X(Seller, TEXT, KEY, provider) \
    /* "" = all that have no row of their own */ \
    X(Seller, TEXT, KEY_MAY, region) \
    X(Seller, NAME, MUST, seller_class, SellerClass, seller_class_names) \
    X(Seller, NAME, MAY, sold_by_gpu, Available, available_names) \
    ORIGIN(X, Seller)
typedef struct Seller {SELLER_FIELDS(MEMBER)} Seller;
// clang-format on

// The row of a provider's region, else that of all its regions; NULL: nobody knows this seller. Is it the
// listing of a single host of a marketplace? Unknown where nobody counted; no for other sellers, whose
// machines are many.
Available offer_one_host(const Offer *offer, SellerClass seller);

const Seller *seller_find(const Seller *sellers, size_t n, const char *provider, const char *region);

// clang-format off
// How many machines of one offer a class of sellers is taken to have where nobody counted them
// (data/seller_classes.tsv).
#define SELLER_CLASS_FACT_FIELDS(X) \
    X(SellerClassFact, NAME, KEY, seller_class, SellerClass, seller_class_names) \
    X(SellerClassFact, NUM, MUST, machines, 1, 1e6)  /* of at most eight GPUs each */ \
    X(SellerClassFact, TEXT, MUST, what)             /* why so many */ \
    ORIGIN(X, SellerClassFact)
typedef struct SellerClassFact {SELLER_CLASS_FACT_FIELDS(MEMBER)} SellerClassFact;

// How the prices of a class of sellers move within some days (data/price_moves.tsv). Between two rows
// straight lines are drawn.
#define PRICE_MOVE_FIELDS(X) \
    X(PriceMove, NAME, KEY, seller_class, SellerClass, seller_class_names) \
    X(PriceMove, NAME, KEY, pricing_model, int, pricing_names)      /* PricingModel */ \
    X(PriceMove, NUM, KEY, lag_days, 0, 3650) \
    /* standard deviation of ln(price after those days / price seen), each seller for itself */ \
    X(PriceMove, NUM, MUST, sigma_log, 0, 3) \
    X(PriceMove, NUM, MUST, drift_log, -3, 3)                       /* its mean: where the market goes */ \
    /* share of offers that were no longer there, 0-1 */ \
    X(PriceMove, NUM, MUST, gone, 0, 1) \
    /* pairs of prices behind it; 0: an assumption */ \
    X(PriceMove, NUM, MUST, pairs, 0, 1e9) \
    ORIGIN(X, PriceMove)
typedef struct PriceMove {PRICE_MOVE_FIELDS(MEMBER)} PriceMove;

// In which country a provider's regions lie (data/regions.tsv). The longest name that a region begins with
// counts.
#define REGION_FIELDS(X) \
    X(Region, TEXT, KEY, provider) \
    X(Region, TEXT, KEY, region) \
    X(Region, TEXT, MUST, country)  /* ISO 3166, two letters */ \
    ORIGIN(X, Region)
typedef struct Region {REGION_FIELDS(MEMBER)} Region;

// The GPUs of an instance type whose price list does not name them (data/instance_gpus.tsv).
#define INSTANCE_GPU_FIELDS(X) \
    X(InstanceGpu, TEXT, KEY, provider) \
    X(InstanceGpu, TEXT, KEY, instance) \
    X(InstanceGpu, TEXT, MAY, sku_id)                 /* "": not in the catalog */ \
    X(InstanceGpu, TEXT, MUST, gpu)                   /* its usual name */ \
    X(InstanceGpu, NUM, MUST, gpu_count, 0.01, 1024)  /* below 1: a slice */ \
    ORIGIN(X, InstanceGpu)
typedef struct InstanceGpu {INSTANCE_GPU_FIELDS(MEMBER)} InstanceGpu;

// What a seller means by a GPU's name that fits several cards (data/seller_names.tsv).
#define SELLER_NAME_FIELDS(X) \
    X(SellerName, TEXT, KEY, provider) \
    X(SellerName, TEXT, KEY, listed_name) \
    X(SellerName, TEXT, MUST, sku_id) \
    ORIGIN(X, SellerName)
typedef struct SellerName {SELLER_NAME_FIELDS(MEMBER)} SellerName;

// A machine that is sold by the hour of its parts: GPUs, cores, memory, local disks (data/gcp_machines.tsv).
// The words are what the price list's descriptions of those parts begin with; "" = the part has no price of
// its own.
#define PARTS_MACHINE_FIELDS(X) \
    X(PartsMachine, TEXT, KEY, machine) \
    X(PartsMachine, TEXT, MUST, gpu_words) \
    X(PartsMachine, TEXT, MAY, core_words) \
    X(PartsMachine, TEXT, MAY, ram_words) \
    X(PartsMachine, TEXT, MAY, sku_id) \
    X(PartsMachine, TEXT, MUST, gpu) \
    X(PartsMachine, NUM, MUST, gpu_count, 0.01, 1024) \
    X(PartsMachine, NUM, MAY, vcpus, 1, 4096) \
    X(PartsMachine, NUM, MAY, ram_gib, 1, 1e5) \
    X(PartsMachine, NUM, MUST, ssd_gib, 0, 1e6) \
    X(PartsMachine, BOOL, MAY, on_demand)  /* bool: can be ordered on demand */ \
    ORIGIN(X, PartsMachine)
typedef struct PartsMachine {PARTS_MACHINE_FIELDS(MEMBER)} PartsMachine;
// clang-format on

// What turns sellers' words into GPUs. Rows by key.
typedef struct SellerFacts {
    ROWS(InstanceGpu, instances);
    ROWS(SellerName, names);
    ROWS(PartsMachine, machines);
    ROWS(struct UserName, names_of);  // data/names.tsv: what sellers are called besides
    uint64_t hash;  // of these tables and those of GPUs and devices: by another, a name may mean another GPU
} SellerFacts;

#endif
