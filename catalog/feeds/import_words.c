// What columns and words of other people's price lists mean.
#include <string.h>

#include "catalog/feeds/import.h"

// As this project calls them.
static const char *const own_names[I_COLUMNS] = {[I_PROVIDER] = "provider",
                                                 [I_INSTANCE] = "instance",
                                                 [I_REGION] = "region",
                                                 [I_COUNTRY] = "country",
                                                 [I_GPU] = "gpu",
                                                 [I_LISTED] = "listed_name",
                                                 [I_FORM] = "form_factor",
                                                 [I_COUNT] = "gpu_count",
                                                 [I_MEMORY] = "gpu_memory_gb",
                                                 [I_VCPUS] = "vcpus",
                                                 [I_RAM] = "ram_gb",
                                                 [I_RAM_GIB] = "ram_gib",
                                                 [I_PRICING] = "pricing_model",
                                                 [I_IS_SPOT] = "is_spot",
                                                 [I_PRICE] = "price_per_hour",
                                                 [I_PRICE_GPU] = "price_per_gpu_hour",
                                                 [I_PRICE_ANY] = "price",
                                                 [I_SPOT_ANY] = "spot_price",
                                                 [I_TYPICAL] = "price_median",
                                                 [I_CURRENCY] = "currency",
                                                 [I_AVAILABLE] = "available",
                                                 [I_STANDING] = "standing",
                                                 [I_CLASS] = "seller_class",
                                                 [I_MACHINES] = "machines_seen",
                                                 [I_HOSTS] = "hosts_seen",
                                                 [I_BY_GPU] = "sold_by_gpu",
                                                 [I_OS] = "os",
                                                 [I_EFFECTIVE] = "effective_from",
                                                 [I_AS_OF] = "as_of",
                                                 [I_SOURCE] = "source"};

// As others do, in small letters and digits only.
static const struct {
    ImportColumn column;
    const char *names;
} other_names[] = {
    {I_PROVIDER, "cloud providerid providername cloudprovider seller"},
    {I_INSTANCE, "instancetype instancename machinetype vmsize armskuname sku plan name"},
    {I_REGION, "location armregionname datacenter zone"},
    {I_COUNTRY, "countrycode"},
    {I_GPU, "gpuname gputype gpumodel acceleratorname accelerator acceleratortype"},
    {I_FORM, "interconnect"},
    {I_COUNT, "gpus numgpus ngpus acceleratorcount"},
    {I_MEMORY, "vramgb gpumemory vrampergpugb"},
    {I_VCPUS, "vcpu cpus"},
    {I_RAM, "ram"},
    {I_RAM_GIB, "memorygib"},
    {I_PRICING, "pricetier tier rentaltype kind pricing pricingtype pricingmode pricingterm pricetype "
                "pricemodel pricekind purchaseoption purchasetype purchasemodel "
                "billingmodel billingtype billing commitment commitmenttype commitmentterm commitmentlength "
                "commitmentperiod commitmentmonths commitmentyears "
                "commit commitmonths commityears commitduration commitlength contract contracttype "
                "contractterm contractlength contractperiod contractmonths contractyears "
                "term terms termlength termmonths termyears reservation reservationterm reservationmonths "
                "reservationyears leasecontractlength leaseterm "
                "capacitytype provisioningmodel provisioningtype instancelifecycle lifecycle markettype"},
    {I_IS_SPOT, "preemptible interruptible ispreemptible isinterruptible spotinstance"},
    {I_PRICE, "priceusdperhour totalhourlyusd instancepriceperhour totalpriceperhour pricetotalhr "
              "pricetotalperhr totalpriceperhr"},
    {I_PRICE_GPU, "priceusdpergpuhour pergpu pergpuhour pergpuhourlyusd usdpergpuhour usdhrpergpu "
                  "pricepergpu pricepergpuhr pricepergpuhrusd"},
    {I_PRICE_ANY, "usdhr usdhour usdperhr pricehr priceperhrusd priceusd priceusdhour priceperhr pricehourly "
                  "hourlyprice hourlyrate hourlycost costperhour ondemand "
                  "ondemandprice listprice newpriceusd newprice priceminusd minprice lowestprice"},
    {I_TYPICAL, "pricemedianusd medianprice priceaverage averageprice pricemean meanprice"},
    {I_SPOT_ANY, "spot spotpriceusd spothourly"},
    {I_CURRENCY, "currencycode"},
    {I_AVAILABLE, "availability instock"},
    {I_OS, "operatingsystem"},
    {I_EFFECTIVE, "effectivedate effectivestartdate"},
    {I_AS_OF, "date seenat fetchedat collectedat updatedat lastupdated observedat"},
    {I_SOURCE, "sourceurl"},
};

enum { PLAIN_BYTES = 64 };

// Small letters and digits of a name; "" when it is too long to be one.
static void plain(char out[PLAIN_BYTES], Str name) {
    size_t n = 0;
    for (size_t i = 0; i < name.length; i++) {
        char c = char_lower(name.data[i]);
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) continue;
        if (n + 1 == PLAIN_BYTES) {
            out[0] = '\0';
            return;
        }
        out[n++] = c;
    }
    out[n] = '\0';
}

const char *import_own_name(int column) { return own_names[column]; }

int import_column(Str name, char ret_currency[4]) {
    static const char per_hour[] = "perhour";
    char word[PLAIN_BYTES], own[PLAIN_BYTES];
    ret_currency[0] = '\0';
    plain(word, name);
    if (word[0] == '\0') return -1;
    for (int i = 0; i < I_COLUMNS; i++) {
        plain(own, str_of(own_names[i]));
        if (strcmp(own, word) == 0) return i;
    }
    for (size_t i = 0; i < COUNT_OF(other_names); i++) {
        if (word_in(other_names[i].names, word)) return (int)other_names[i].column;
    }
    if (strlen(word) != 3 + sizeof per_hour - 1 || strcmp(word + 3, per_hour) != 0) return -1;
    for (size_t i = 0; i < 3; i++) {
        if (word[i] < 'a' || word[i] > 'z') return -1;
    }
    memcpy(ret_currency, word, 3);
    ret_currency[3] = '\0';
    return I_PRICE_ANY;
}

// ---------------------------------------------------------------- pricing models

static const struct {
    const char *words;
    ImportPricing pricing;
} pricings[] = {
    {"ondemand payg payasyougo payperuse payperhour standard paygo hourly hour perhour perminute persecond "
     "none no false 0 na null regular",
     {PRICING_ON_DEMAND, NULL, false}},
    {"secure community marketplace", {PRICING_ON_DEMAND, NULL, true}},
    {"spot preemptible interruptible bid spotcommunity", {PRICING_SPOT, NULL, false}},
    {"reserved1y reserved1yr 12mo 12months 1y 1yr 1year oneyear commit1yr",
     {PRICING_RESERVED_1Y, NULL, false}},
    {"reserved3y reserved3yr 36mo 36months 3y 3yr 3years threeyear commit3yr",
     {PRICING_RESERVED_3Y, NULL, false}},
    {"1mo 2mo 3mo 6mo 9mo 18mo 24mo 48mo 60mo 1month 3months 6months 24months 2y 2yr 2years 5y 5yr 5years",
     {PRICING_ON_DEMAND, gate_other_term, false}},
    {"reserved committed commitment contract", {PRICING_ON_DEMAND, gate_no_term, false}},
    {"serverless", {PRICING_ON_DEMAND, "serverless, billed by the second", false}},
    {"estimate historicalestimate estimated",
     {PRICING_ON_DEMAND, "an estimate, no price that anybody asked", false}},
};

bool import_pricing(const char *word, ImportPricing *ret_pricing) {
    char text[PLAIN_BYTES];
    plain(text, str_of(word));
    for (size_t i = 0; text[0] != '\0' && i < COUNT_OF(pricings); i++) {
        if (!word_in(pricings[i].words, text)) continue;
        *ret_pricing = pricings[i].pricing;
        return true;
    }
    return false;
}

size_t import_pricing_suffix(Str name, const char **ret_word) {
    for (size_t i = 1; i + 1 < name.length; i++) {  // from the left: "x_on_demand" before "x_on" + "demand"
        ImportPricing pricing;
        char word[PLAIN_BYTES];
        bool between = name.data[i] == '_' || name.data[i] == '-' || name.data[i] == ' ';
        size_t length = name.length - i - 1;
        if (!between || length >= sizeof word) continue;
        memcpy(word, name.data + i + 1, length);
        word[length] = '\0';
        if (!import_pricing(word, &pricing)) continue;
        *ret_word = name.data + i + 1;
        return i;
    }
    return 0;
}

// ---------------------------------------------------------------- sellers

bool import_seller_class(const char *word, SellerClass *ret_class) {
    char text[PLAIN_BYTES], name[PLAIN_BYTES];
    plain(text, str_of(word));
    for (int i = 0; i < SELLER_CLASS_COUNT; i++) {
        plain(name, str_of(seller_class_names[i]));
        if (strcmp(text, name) != 0) continue;
        *ret_class = (SellerClass)i;
        return true;
    }
    return false;
}

bool import_is_average(const char *provider) {
    char word[PLAIN_BYTES];
    plain(word, str_of(provider));
    return word[0] != '\0' &&
           word_in("average market marketaverage index median hyperscaler hyperscalers neocloud neoclouds",
                   word);
}
