// Price lists in the shapes that others publish, taken in by `prices import`: columns, units, words, and
// answers of feeds' servers.
#include "tests/check.h"
#include "tests/market_world.h"

static bool try_as(World *w, const char *text, const char *file, const char *provider, PriceOf of,
                   MarketOutcome *out, Err *e) {
    const ImportAsked asked = {.file = file, .provider = provider, .as_of = "", .price_of = of};
    return market_import(w->m, "list", "list", str_of(text), &asked, &w->s.arena, out, e);
}

static MarketOutcome take(World *w, const char *text, const char *file) {
    MarketOutcome out;
    Err e = {0};
    if (!try_as(w, text, file, "", PRICE_OF_UNSAID, &out, &e)) FAIL_("%s", e.text);
    return out;
}

static void say_row(Buf *b, const Offer *o) {
    if (o->available == AVAILABLE_NO && o->standing != STANDING_SECONDARY) return;
    buf_printf(b, "%s|%s|%s|%s|%.3g|%s|%.5g", o->provider, o->instance, o->region,
               o->sku_id[0] != '\0' ? o->sku_id : "?", o->gpu_count, pricing_names[o->pricing_model],
               (double)o->price_micro_usd_h / 1e6);
}

// "PROVIDER|INSTANCE|REGION|SKU|COUNT|MODEL|PRICE" of every offer that the list has now.
static const char *rows_of(World *w) { return offers_said(w, "list", say_row); }

static const char *reason(const MarketOutcome *out) {
    return out->n_rejects > 0 ? out->rejects[0].reason : "";
}

// "INSTANCE CLASS MACHINES BY_GPU" of every offer that the list has.
static const char *sellers_of(World *w) {
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    const char *text = "";
    if (!catalog_rows(w->c, TABLE_OFFERS, &w->s.arena, &rows, &n, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < n; i++) {
        const Offer *o = (const Offer *)rows + i;
        if (strcmp(o->feed, "list") != 0) continue;
        text = arena_printf(&w->s.arena, "%s%s%s %s %g %s%s", text, text[0] == '\0' ? "" : "; ", o->instance,
                            seller_class_names[o->seller_class], o->machines_seen,
                            available_names[o->sold_by_gpu], o->available == AVAILABLE_NO ? " gone" : "");
    }
    return text;
}

// ---------------------------------------------------------------- columns and units

static void test_prices_of_both_units_tell_each_other_apart(void) {
    World w = world();
    MarketOutcome out = take(&w,
                             "Cloud,GPU Type,GPUs,vCPUs,RAM,On-demand,Per-GPU,Spot,Name\n"
                             "Somecloud,MI300X,8,96,1000,16.00,2.00,8.00,big\n"
                             "Somecloud,MI300X,1,4-6,12-16,2.10,2.10,,small\n"
                             "Somecloud,MI300X,4,48,500,9,3,,wrong\n",
                             "x.csv");
    CHECK_STR(rows_of(&w),
              "somecloud|big||mi300x-192gb|8|on-demand|16; somecloud|big||mi300x-192gb|8|spot|8; "
              "somecloud|small||mi300x-192gb|1|on-demand|2.1");
    CHECK_INT(out.rejected, 1);
    CHECK_STR(reason(&out), "the price of the instance and that of one GPU contradict each other");
    world_free(&w);
}

// The lowest that somebody asks is an offer; a median or a mean of several is none.
static void test_a_statistic_is_no_offer(void) {
    World w = world();
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    take(&w, "provider,gpu,price_median_usd,price_min_usd\nacme,MI300X,3,2\nbeta,MI300X,1.5,\n", "x.csv");
    CHECK_STR(rows_of(&w), "acme|||mi300x-192gb|nan|on-demand|2; beta|||mi300x-192gb|nan|on-demand|1.5");
    if (!catalog_rows(w.c, TABLE_OFFERS, &w.s.arena, &rows, &n, &e)) FAIL_("%s", e.text);
    size_t seen = 0;
    for (size_t i = 0; i < n; i++) {
        const Offer *o = (const Offer *)rows + i;
        bool median = strcmp(o->provider, "beta") == 0;
        if (!median && strcmp(o->provider, "acme") != 0) continue;
        seen++;
        CHECK_INT(o->standing, median ? STANDING_SECONDARY : STANDING_LISTED);
        CHECK_INT(o->available, median ? AVAILABLE_NO : AVAILABLE_UNKNOWN);
    }
    CHECK_INT(seen, 2);
    world_free(&w);
}

static void test_a_price_of_unknown_unit_is_asked_for(void) {
    static const char csv[] = "provider,gpu_model,gpu_count,rental_type,price_median_usd\nacme,MI300X,1,on_"
                              "demand,2\nacme,MI300X,8,on_demand,16\n";
    World w = world();
    MarketOutcome out;
    Err e = {0};
    CHECK(!try_as(&w, csv, "x.csv", "", PRICE_OF_UNSAID, &out, &e));
    CHECK(e.kind == ERR_USAGE);
    CHECK(text_contains(e.text, "line 3") && text_contains(e.text, "--price-of"));
    CHECK_STR(rows_of(&w), "");
    if (!try_as(&w, csv, "x.csv", "", PRICE_OF_INSTANCE, &out, &e)) FAIL_("%s", e.text);
    CHECK_STR(rows_of(&w), "acme|||mi300x-192gb|1|on-demand|2; acme|||mi300x-192gb|8|on-demand|16");
    if (!try_as(&w, "gpu,gpu_count,price\nMI300X,8,2\n", "x.csv", "beta", PRICE_OF_GPU, &out, &e))
        FAIL_("%s", e.text);
    CHECK(text_contains(rows_of(&w), "beta|||mi300x-192gb|8|on-demand|16"));
    world_free(&w);
}

// One GPU costs what an instance of one costs, and a list without machines is one of GPUs.
static void test_a_list_of_gpus_needs_no_unit(void) {
    World w = world();
    take(&w,
         "[{\"provider_id\":\"acme\",\"gpu_model\":\"A100 "
         "80GB\",\"vram_gb\":80,\"interconnect\":\"SXM\",\"tier\":\"on-demand\",\"is_spot\":false,\"price_"
         "usd_hour\":1.5},"
         "{\"provider_id\":\"acme\",\"gpu_model\":\"MI300X\",\"vram_gb\":192,\"interconnect\":null,\"tier\":"
         "\"shop\",\"is_spot\":true,\"price_usd_hour\":1.25}]",
         "x.json");
    CHECK_STR(rows_of(&w), "acme|||a100-sxm4-80gb|nan|on-demand|1.5; acme||shop|mi300x-192gb|nan|spot|1.25");
    world_free(&w);
}

// The GPUs of a size are told by the catalog's table of sizes; machines without any are turned away.
static void test_sizes_of_clouds_tell_gpus(void) {
    World w = world();
    MarketOutcome out = take(&w,
                             "region,instance_type,usd_per_hour\nus-east-1,c5.large,0.085\nus-east-1,g4ad."
                             "xlarge,0.4\neastus2,Standard_ND96isr_MI300X_v5,48\n",
                             "x.csv");
    CHECK_STR(rows_of(&w), "aws|g4ad.xlarge|us-east-1|v520-8gb|1|on-demand|0.4; "
                           "azure|Standard_ND96isr_MI300X_v5|eastus2|mi300x-192gb|8|on-demand|48");
    CHECK_STR(reason(&out), "instance type without a GPU, or with one that is not known");
    CHECK_INT(out.undated, 2);
    out = take(&w,
               "{\"prices\":{\"europe-west4\":{\"on_demand\":{\"a2-highgpu-8g\":30.5,\"c2d-highcpu-2\":0.1},"
               "\"spot\":{\"a2-highgpu-8g\":12}}}}",
               "x.json");
    CHECK_STR(rows_of(&w), "gcp|a2-highgpu-8g|europe-west4|a100-sxm4-40gb|8|on-demand|30.5; "
                           "gcp|a2-highgpu-8g|europe-west4|a100-sxm4-40gb|8|spot|12");
    CHECK_INT(out.rejected, 1);
    world_free(&w);
}

// A machine that surely has GPUs is told apart from plain ones, and every such size is named.
static void test_sizes_with_unknown_gpus_are_named(void) {
    static const char csv[] = "provider,region,instance_type,usd_per_hour\naws,r,c5.large,0.085\naws,r,p99."
                              "48xlarge,90\nazure,r,Standard_NC8xx_Z9_v7,3\nazure,s,Standard_NC8xx_Z9_v7,3\n"
                              "azure,r,Standard_NP10s,1.6\ngcp,r,g4-standard-6,0.6\nlinode,r,g6-standard-1,0."
                              "1\naws,r,g4ad.xlarge,0.4\naws,r,pack.large,1\n";
    World w = world();
    MarketOutcome out = take(&w, csv, "x.csv");
    CHECK_STR(rows_of(&w), "aws|g4ad.xlarge|r|v520-8gb|1|on-demand|0.4");
    CHECK_INT(out.n_rejects, 2);
    for (size_t i = 0; i < out.n_rejects; i++) {
        bool named = strcmp(out.rejects[i].reason, market_unknown_size) == 0;
        CHECK_INT(out.rejects[i].count, 4);
        if (named)
            CHECK_STR(out.rejects[i].example, "p99.48xlarge, Standard_NC8xx_Z9_v7, g4-standard-6");
        else
            CHECK_STR(out.rejects[i].reason, "instance type without a GPU, or with one that is not known");
    }
    world_free(&w);
}

static void test_names_are_joined_up_to_a_length(void) {
    Arena a = {0};
    const char *list = "";
    CHECK_STR(market_names_join(&a, "", ""), "");
    CHECK_STR(market_names_join(&a, "a, ab", "b, a, ab, b"), "a, ab, b");
    for (int i = 0; i < 1000; i++) list = market_names_join(&a, list, arena_printf(&a, "size-%d", i));
    CHECK(strlen(list) < 1000);
    CHECK(text_contains(list, "size-0, size-1, ") && strcmp(list + strlen(list) - 5, ", ...") == 0);
    arena_free(&a);
}

static void test_prices_that_contradict_are_shown(void) {
    World w = world();
    MarketOutcome out = take(
        &w,
        "provider,gpu,gpu_count,price_per_hour,price_per_gpu_hour\nacme,MI300X,8,20,5\nacme,MI300X,1,2,2\n",
        "x.csv");
    CHECK_INT(out.rows, 1);
    CHECK_STR(out.rejects[0].example, "line 2: MI300X: 20 for 8, 5 for one");
    world_free(&w);
}

static void test_a_currency_in_a_columns_name_counts(void) {
    World w = world();
    MarketOutcome out =
        take(&w, "region,instance_type,eur_per_hour\nr,g4ad.xlarge,0.4\nr,g4ad.2xlarge,0.5\n", "x.csv");
    CHECK_INT(out.quarantined, 2);
    CHECK(text_contains(out.quarantines[0].reason, "EUR"));
    world_free(&w);
}

// ---------------------------------------------------------------- words

static void test_words_for_pricing_models(void) {
    World w = world();
    MarketOutcome out =
        take(&w,
             "provider,gpu_type,price_tier,per_gpu_hourly_usd,source\nAWS EC2,MI300X,12mo,2,live\nAWS "
             "EC2,MI300X,36mo,1.5,live\nAWS EC2,MI300X,6mo,1.8,live\n"
             "vast.ai,MI300X,spot,1.1,live\nAWS EC2,MI300X,on_demand,3,historical_estimate\n",
             "x.csv");
    CHECK_STR(rows_of(&w), "aws|||mi300x-192gb|nan|reserved-1y|2; aws|||mi300x-192gb|nan|reserved-3y|1.5; "
                           "vast|||mi300x-192gb|nan|spot|1.1");
    CHECK_INT(out.rejected, 2);
    world_free(&w);
}

// Prices across: a column a seller and pricing model, or one a GPU. What is an average nobody sells at.
static void test_tables_across(void) {
    World w = world();
    MarketOutcome out = take(&w,
                             "gpu_type,note,acme_on_demand,acme_12mo,beta_ec2_spot\nMI300X,x,$2.40,"
                             "\xe2\x80\x94,$1.10 (IN)\nL40S,x,$1,$0.8,\n",
                             "x.csv");
    CHECK_STR(rows_of(&w), "acme|||l40s-48gb|nan|on-demand|1; acme|||l40s-48gb|nan|reserved-1y|0.8; "
                           "acme|||mi300x-192gb|nan|on-demand|2.4; beta-ec2||IN|mi300x-192gb|nan|spot|1.1");
    CHECK_INT(out.rejected, 0);
    take(&w, "date,neocloud-MI300X,neocloud-L40S\n2026-11-01,2.5,\n2026-11-02,2.6,0.9\n", "x.csv");
    CHECK_STR(rows_of(&w),
              "neocloud|||l40s-48gb|nan|on-demand|0.9; neocloud|||mi300x-192gb|nan|on-demand|2.6");
    take(&w, "{\"entries\":[{\"date\":\"2026-11-02\",\"prices\":{\"AMD MI300X\":2.2}}]}", "x.json");
    CHECK(text_contains(rows_of(&w), "average|||mi300x-192gb|nan|on-demand|2.2"));
    void *rows = NULL;
    size_t n = 0;
    Err e = {0};
    if (!catalog_rows(w.c, TABLE_OFFERS, &w.s.arena, &rows, &n, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < n; i++) {
        const Offer *o = (const Offer *)rows + i;
        if (strcmp(o->provider, "average") == 0)
            CHECK(o->available == AVAILABLE_NO && o->standing == STANDING_SECONDARY);
    }
    world_free(&w);
}

// Parts of a machine are not its price.
static void test_parts_are_turned_away(void) {
    World w = world();
    MarketOutcome out =
        take(&w,
             "gpu_type,provider,per_gpu_hourly_usd,sku\nH100 SXM,GCP,2,Nvidia H100 80GB GPU running in "
             "Americas\nMI300X,acme,2,box\n"
             "A100,GCP,1,Nvidia Tesla A100 GPU attached to Spot Preemptible VMs running in Mumbai\n",
             "x.csv");
    CHECK_INT(out.rows, 1);
    CHECK_STR(reason(&out), "price of the GPU alone, not of a machine");
    world_free(&w);
}

// ---------------------------------------------------------------- answers of feeds

static void test_answers_of_feeds_go_through_their_parsers(void) {
    static const char skypilot[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\r\n"
        "cpu-1,,,1,2,0.1,r1,,\r\nmi-8,MI300X,8.0,10,20,16,r1,\"{'Gpus': []}\",8\r\n";
    static const char gpuhunt[] = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,"
                                  "spot,disk_size\nmi-8,r1,16,10,20,8,MI300X,192,False,\n";
    static const char runpod[] =
        "{\"id\":\"AMD Instinct MI300X "
        "OAM\",\"memoryInGb\":192,\"secureCloud\":true,\"communityCloud\":false,\"communityPrice\":0.5,"
        "\"lowestPrice\":{\"uninterruptablePrice\":0.5},\"securePrice\":2.4}\n"
        "{\"id\":\"unknown\",\"lowestPrice\":{}}\n";
    static const char azure[] =
        "{\"BillingCurrency\":\"USD\",\"NextPageLink\":null,\"Items\":[{\"currencyCode\":\"USD\","
        "\"tierMinimumUnits\":0,\"retailPrice\":48,\"armRegionName\":\"eastus2\","
        "\"effectiveStartDate\":\"2026-01-01T00:00:00Z\",\"productName\":\"Virtual Machines "
        "NDsr\",\"skuName\":\"x\",\"unitOfMeasure\":\"1 Hour\",\"type\":\"Consumption\","
        "\"armSkuName\":\"Standard_ND96isr_MI300X_v5\"}]}";
    World w = world();
    CHECK_INT(take(&w, skypilot, "skypilot/v8/do.csv").rejected, 1);
    CHECK_STR(rows_of(&w),
              "digitalocean|mi-8|r1|mi300x-192gb|8|on-demand|16; digitalocean|mi-8|r1|mi300x-192gb|8|spot|8");
    take(&w, gpuhunt, "/somewhere/acme.csv");
    CHECK_STR(rows_of(&w), "acme|mi-8|r1|mi300x-192gb|8|on-demand|16");
    MarketOutcome out = take(&w, runpod, "runpod.jsonl");
    CHECK_STR(rows_of(&w), "runpod|AMD Instinct MI300X OAM|secure|mi300x-192gb|1|on-demand|2.4");
    CHECK_INT(out.rejected, 2);
    take(&w, azure, "page1.json");
    CHECK_STR(rows_of(&w), "azure|Standard_ND96isr_MI300X_v5|eastus2|mi300x-192gb|8|on-demand|48");
    world_free(&w);
}

// A plan's name tells which part of a card it has, whoever lists it and whatever the list counts.
static void test_parts_of_cards_are_told_by_their_plan(void) {
    World w = world();
    MarketOutcome out;
    Err e = {0};
    static const char list[] = "provider,gpu,instance,price\nvultr,A40,vcg-a40-1c-5g-2vram,0.075\nvultr,L40S,"
                               "vcg-l40s-32c-375g-96vram,3.4\n";
    if (!try_as(&w, list, "x.csv", "", PRICE_OF_INSTANCE, &out, &e)) FAIL_("%s", e.text);
    CHECK_STR(rows_of(&w), "vultr|vcg-a40-1c-5g-2vram||a40-48gb|0.0417|on-demand|0.075; "
                           "vultr|vcg-l40s-32c-375g-96vram||l40s-48gb|2|on-demand|3.4");
    world_free(&w);
    w = world();
    if (!try_as(&w, list, "x.csv", "", PRICE_OF_GPU, &out, &e)) FAIL_("%s", e.text);
    CHECK_STR(rows_of(&w), "vultr|vcg-a40-1c-5g-2vram||a40-48gb|0.0417|on-demand|0.075; "
                           "vultr|vcg-l40s-32c-375g-96vram||l40s-48gb|2|on-demand|6.8");
    take(&w,
         "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size\nvcg-a40-1c-"
         "5g-2vram,ewr,0.075,1,5,1,A40,2,False,\n",
         "/catalogs/vultr.csv");
    CHECK_STR(rows_of(&w), "vultr|vcg-a40-1c-5g-2vram|ewr|a40-48gb|0.0417|on-demand|0.075");
    world_free(&w);
}

// SkyPilot's tables state the memory of one card, or that of all as the size of one, so that only a single
// card's counts; a row without a machine is the GPU alone.
static void test_memory_in_skypilots_gpu_info(void) {
    World w = world();
    MarketOutcome out;
    Err e = {0};
    static const char list[] =
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\n"
        "one,A100,1,1,1,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}], 'TotalGpuMemoryInMiB': "
        "40960}\",1.5,,r\n"
        "all,L40S,4,1,1,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 196608}}], 'TotalGpuMemoryInMiB': "
        "786432}\",4,,r\n"
        ",L40S,1,,,,0.4,,r\n";
    if (!try_as(&w, list, "verda.csv", "verda", PRICE_OF_UNSAID, &out, &e)) FAIL_("%s", e.text);
    CHECK_STR(rows_of(&w), "verda|all|r|l40s-48gb|4|on-demand|4; verda|one|r|a100-sxm4-40gb|1|on-demand|1.5");
    CHECK_INT(out.quarantined, 0);
    CHECK_STR(reason(&out), "price of the GPU alone, not of a machine");
    world_free(&w);
}

static void test_part_of_an_answer_says_who_asks_for_the_rest(void) {
    World w = world();
    MarketOutcome out;
    Err e = {0};
    CHECK(!try_as(
        &w, "{\"items\":[{\"partNumber\":\"B1\",\"displayName\":\"x\",\"currencyCodeLocalizations\":[]}]}",
        "x.json", "", PRICE_OF_UNSAID, &out, &e));
    CHECK(text_contains(e.text, "prices refresh oci"));
    world_free(&w);
}

static void test_what_is_no_price_list_is_refused(void) {
    static const struct {
        const char *text, *says;
    } cases[] = {{"AcceleratorName,Clouds\nA10,x\n", "no price"},
                 {"---\na: 1\n", "YAML"},
                 {"price,region\n1,x\n", "no column 'gpu'"},
                 {"{\"a\":1}", "neither an array"},
                 {"{\"prices\":{\"r\":{\"on_demand\":{\"nothing\":1}}}}", "not one usable offer"},
                 {"\x1f\x8b\x08\x01\x02\x03", "bad .gz"},
                 {"[{\"gpu\":\"MI300X\"}]", "no price"}};
    World w = world();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        MarketOutcome out;
        Err e = {0};
        CHECK(!try_as(&w, cases[i].text, "x", "", PRICE_OF_UNSAID, &out, &e));
        if (!text_contains(e.text, cases[i].says)) FAIL_("'%s' does not say '%s'", e.text, cases[i].says);
    }
    world_free(&w);
}

static void test_a_list_tells_its_sellers(void) {
    World w = world();
    MarketOutcome out =
        take(&w,
             "provider,instance,gpu,gpu_count,price_per_hour,seller_class,machines_seen,sold_by_gpu\n"
             "acme,a,MI300X,8,16,cloud,12,yes\nacme,b,MI300X,8,17,Marketplace_Host,1,false\nacme,c,MI300X,8,"
             "18,,,\n"
             "acme,d,MI300X,8,19,broker,0,no\n",
             "x.csv");
    CHECK_INT(out.rows, 4);
    CHECK_STR(sellers_of(&w),
              "a cloud 12 yes; b marketplace-host 1 no; c unknown nan unknown; d broker nan no gone");
    // The same offers as an answer of this program writes them.
    out = take(&w,
               "{\"offers\":[{\"provider\":\"acme\",\"instance\":\"a\",\"gpu\":\"mi300x-192gb\",\"listed_"
               "name\":\"MI300X\",\"gpu_count\":8,\"price_usd_per_hour\":16,"
               "\"seller_class\":\"price-list-only\",\"machines_seen\":null,\"sold_by_gpu\":false}]}",
               "x.json");
    CHECK_INT(out.fresh, 1);  // another seller is another word
    CHECK(text_contains(sellers_of(&w), "a price-list-only nan no"));
    world_free(&w);
}

// What a row says of its seller in words that nobody knows is told with the word, and the rows beside it are
// taken in.
static void test_unknown_words_for_sellers_are_named(void) {
    static const char *const header = "provider,instance,gpu,gpu_count,price_per_hour,seller_class,machines_"
                                      "seen,sold_by_gpu\nacme,good,MI300X,8,16,,,\n";
    static const struct {
        const char *row, *reason, *example;
    } bad[] = {{"acme,m,MI300X,8,16,shop,,\n", "seller_class is none of ", "line 3: m: 'shop'"},
               {"acme,m,MI300X,8,16,,many,\n", "machines_seen is no number of machines", "line 3: m"},
               {"acme,m,MI300X,8,16,,-1,\n", "machines_seen is no number of machines", "line 3: m"},
               {"acme,m,MI300X,8,16,,,perhaps\n", "sold_by_gpu is none of yes, no", "line 3: m"}};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        World w = world();
        MarketOutcome out = take(&w, arena_printf(&w.s.arena, "%s%s", header, bad[i].row), "x.csv");
        CHECK_INT(out.rows, 1);
        CHECK_INT(out.rejected, 1);
        CHECK(strncmp(reason(&out), bad[i].reason, strlen(bad[i].reason)) == 0);
        CHECK_STR(out.rejects[0].example, bad[i].example);
        for (size_t k = 0; i == 0 && k < SELLER_CLASS_COUNT; k++)
            CHECK(text_contains(reason(&out), seller_class_names[k]));
        world_free(&w);
    }
}

static const TestCase tests[] = {
    TEST(prices_of_both_units_tell_each_other_apart),
    TEST(a_statistic_is_no_offer),
    TEST(a_price_of_unknown_unit_is_asked_for),
    TEST(a_list_of_gpus_needs_no_unit),
    TEST(sizes_of_clouds_tell_gpus),
    TEST(sizes_with_unknown_gpus_are_named),
    TEST(names_are_joined_up_to_a_length),
    TEST(prices_that_contradict_are_shown),
    TEST(a_currency_in_a_columns_name_counts),
    TEST(words_for_pricing_models),
    TEST(a_list_tells_its_sellers),
    TEST(unknown_words_for_sellers_are_named),
    TEST(tables_across),
    TEST(parts_are_turned_away),
    TEST(answers_of_feeds_go_through_their_parsers),
    TEST(memory_in_skypilots_gpu_info),
    TEST(parts_of_cards_are_told_by_their_plan),
    TEST(part_of_an_answer_says_who_asks_for_the_rest),
    TEST(what_is_no_price_list_is_refused),
};
TEST_MAIN(tests)
