// What comes into the market from outside: names of GPUs, files of the user's own, signed snapshots.
#include "catalog/feeds/minisign.h"
#include "catalog/feeds/snapshot.h"
#include "tests/check.h"
#include "tests/market_world.h"

// ---------------------------------------------------------------- GPU names

static const struct {
    const char *name;
    double memory;
    const char *want;
} gpu_names[] = {
    {"AMD Instinct MI300X OAM", (double)NAN, "mi300x-192gb"},
    {"AMD_MI300X", 192, "mi300x-192gb"},
    {"amd_mi325x", (double)NAN, "mi325x-256gb"},
    {"MI355X_288GB", (double)NAN, "mi355x-288gb"},
    {"Radeon MI25", (double)NAN, "mi25-16gb"},
    {"Radeon Pro V520", (double)NAN, ""},
    {"V520", (double)NAN, "v520-8gb"},
    {"NVIDIA H100 SXM 80GB", (double)NAN, "h100-sxm5-80gb"},
    {"H100 SXM", (double)NAN, "h100-sxm5-80gb"},
    {"h100-nvl", (double)NAN, "h100-nvl-94gb"},
    {"NVIDIA_HGX_H100", (double)NAN, "h100-sxm5-80gb"},
    {"H100", 80, ""},
    {"H100", 94, "h100-nvl-94gb"},
    {"H200", 141, ""},
    {"A100-80GB", (double)NAN, ""},
    {"NVIDIA A100 SXM 40GB", (double)NAN, "a100-sxm4-40gb"},
    {"RTX 4090", 24, "rtx-4090-24gb"},
    {"RTX4090", (double)NAN, "rtx-4090-24gb"},
    {"RTX 6000Ada", (double)NAN, "rtx-6000-ada-48gb"},
    {"RTXA6000", (double)NAN, "rtx-a6000-48gb"},
    {"NVIDIA RTX A6000", (double)NAN, "rtx-a6000-48gb"},
    {"L40S", 48, "l40s-48gb"},
    {"L40", 48, "l40-48gb"},
    {"NVIDIA L4 24 GB", (double)NAN, "l4-24gb"},
    {"Tesla T4", 16, "t4-16gb"},
    {"B200", 192, "b200-sxm6-180gb"},
    {"NVIDIA RTX PRO 6000 Server 96GB", (double)NAN, "rtx-pro-6000-blackwell-server-96gb"},
    {"RTXPRO6000", (double)NAN, ""},
    {"H100 SXM 40GB", (double)NAN, ""},
    {"", (double)NAN, ""},
    {"NVIDIA", (double)NAN, ""},
    {"GPU", 80, ""},
    {"mi300x-192gb", (double)NAN, "mi300x-192gb"},
    {"AMD V710 24GB", (double)NAN, "v710-28gb"},
    {"V710", 12, "v710-28gb"},
    {"a100-sxm-80", (double)NAN, "a100-sxm4-80gb"},
    {"a100-pcie-40", (double)NAN, "a100-pcie-40gb"},
    {"a100-sxm-81", (double)NAN, ""},
    {"a100-80", (double)NAN, ""},
    {"L40S PCIe", (double)NAN, "l40s-48gb"},
    {"NVIDIA RTX 4090 PCIe", (double)NAN, "rtx-4090-24gb"},
    {"RTX PRO 6000 SE PCIe", 96, "rtx-pro-6000-blackwell-server-96gb"},
    {"H200 PCIe", (double)NAN, ""},
    {"MI300X PCIe", (double)NAN, ""},
    {"B200 PCIe", (double)NAN, ""},
    {"NVIDIA B200 SXM", (double)NAN, "b200-sxm6-180gb"},
    {"A6000 (48 GB)", (double)NAN, "rtx-a6000-48gb"},
    {"NVIDIA A6000 PCIe", (double)NAN, "rtx-a6000-48gb"},
    {"RTX 4090 (48 GB mod)", (double)NAN, ""},
    {"mi50 32", (double)NAN, "mi50-32gb"},
    {"rtx-pro-6000-wk", 96, "rtx-pro-6000-blackwell-ws-96gb"},
    {"RTX PRO 6000 WE", 96, "rtx-pro-6000-blackwell-ws-96gb"},
    {"RTX PRO 6000 SE", 96, "rtx-pro-6000-blackwell-server-96gb"},
    {"A100-SXM-80GB-320GB", (double)NAN, "a100-sxm4-80gb"},
    {"A100-SXM-40GB-320GB", (double)NAN, "a100-sxm4-40gb"},
};

static void test_gpu_names(void) {
    World w = world();
    for (size_t i = 0; i < COUNT_OF(gpu_names); i++) {
        const char *got = market_gpu(w.m, gpu_names[i].name, gpu_names[i].memory);
        if (strcmp(got, gpu_names[i].want) != 0)
            FAIL_("'%s': got '%s', want '%s'", gpu_names[i].name, got, gpu_names[i].want);
    }
    world_free(&w);
}

// What the name leaves open, the seller or the instance may tell.
static void test_gpu_names_of_sellers(void) {
    static const struct {
        const char *provider, *instance, *gpu;
        double memory;
        const char *want;
    } cases[] = {
        {"verda", "1H100.80S.30V", "H100", (double)NAN, "h100-sxm5-80gb"},
        {"Verda", "2A100.44V", "A100-80GB-160GB", (double)NAN, "a100-sxm4-80gb"},
        {"verda", "8A100.40S.176V", "A100-40GB-320GB", (double)NAN, "a100-sxm4-40gb"},
        {"verda", "x", "A100", (double)NAN, ""},
        {"verda", "x", "A100", 40, "a100-sxm4-40gb"},
        {"verda", "x", "H100 PCIe", (double)NAN, "h100-pcie-80gb"},
        {"verda", "x", "H100", 94, "h100-nvl-94gb"},
        {"elsewhere", "gpu-h100-sxm_8gpu-128vcpu-1600gb", "H100", (double)NAN, "h100-sxm5-80gb"},
        {"elsewhere", "n3-H100-PCIe", "H100", (double)NAN, "h100-pcie-80gb"},
        {"elsewhere", "gpu-h100-8", "H100", (double)NAN, ""},
        {"AWS", "p3.2xlarge", "V100 (16 GB)", (double)NAN, "v100-sxm2-16gb"},
        {"aws", "p5.48xlarge", "A100", (double)NAN, ""},
        {"azure", "Standard_NC24ads_A100_v4", "A100-80GB", (double)NAN, "a100-pcie-80gb"},
        {"gcp", "a2-highgpu-1g", "A100", (double)NAN, "a100-sxm4-40gb"},
        {"elsewhere", "a2-highgpu-1g", "A100", (double)NAN, ""},
        {"elsewhere", "h100-sxm-and-nvl", "H100", (double)NAN, ""},
        {"azure", "NC24ads A100 v4", "A100 (80 GB)", (double)NAN, "a100-pcie-80gb"},
        {"azure", "nobody knows", "A100 (80 GB)", (double)NAN, ""},
        {"gcp", "a3-megagpu-8g", "H100-MEGA", (double)NAN, "h100-sxm5-80gb"},
        {"elsewhere", "8x H200 SXM5 AC", "H200 SXM5 AC", (double)NAN, "h200-sxm5-141gb"},
        {"aws", "x", "A100 80GB", (double)NAN, "a100-sxm4-80gb"},
        {"oci", "x", "H200", (double)NAN, "h200-sxm5-141gb"},
        {"runpod", "x", "H200", (double)NAN, "h200-sxm5-141gb"},
        {"runpod", "x", "H200 NVL", (double)NAN, "h200-nvl-141gb"},
    };
    World w = world();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Err e = {0};
        MarketOutcome out;
        MarketRefresh *r = market_begin(w.m, "sellers", "https://example.org");
        FeedRow row = plain(cases[i].instance, 16);
        row.provider = cases[i].provider;
        row.gpu = cases[i].gpu;
        row.gpu_memory_gb = cases[i].memory;
        if (!market_add(r, &row, &e) || !market_finish(r, &w.s.arena, &out, &e)) FAIL_("%s", e.text);
        bool mapped = out.unmapped == 0;
        if (mapped != (cases[i].want[0] != '\0'))
            FAIL_("'%s' of %s: %s", cases[i].gpu, cases[i].provider, mapped ? "mapped" : "not mapped");
        Offer *offers = NULL;
        size_t n = 0;
        if (!mapped) continue;
        if (!catalog_offers_of(w.c, cases[i].want, &w.s.arena, &offers, &n, &e)) FAIL_("%s", e.text);
        size_t found = 0;
        for (size_t k = 0; k < n; k++)
            found +=
                strcmp(offers[k].feed, "sellers") == 0 && strcmp(offers[k].instance, cases[i].instance) == 0;
        if (found == 0) FAIL_("'%s' of %s is not %s", cases[i].gpu, cases[i].provider, cases[i].want);
    }
    world_free(&w);
}

static void test_the_newest_day_of_a_list_counts(void) {
    static const char csv[] = "gpu,instance,gpu_count,price_per_hour,as_of\nMI300X,a,8,20,2026-10-01\nMI300X,"
                              "a,8,24,2026-11-01\nMI300X,a,8,16,2026-09-01\n";
    World w = world();
    MarketOutcome out;
    Err e = {0};
    if (!market_import(w.m, "past", "past.csv", str_of(csv), NULL, &w.s.arena, &out, &e)) FAIL_("%s", e.text);
    CHECK_STR(offers_of(&w, "past"), "a 24");
    CHECK_INT(out.rejected, 2);
    CHECK_STR(out.rejects[0].reason, "an earlier day's price of the same offer");
    world_free(&w);
}

static void test_seller_tables_name_gpus_of_the_catalog(void) {
    World w = world();
    Err e = {0};
    SellerFacts f;
    void *gpus = NULL;
    size_t n_gpus = 0;
    if (!catalog_sellers(w.c, &w.s.arena, &f, &e) ||
        !catalog_rows(w.c, TABLE_GPUS, &w.s.arena, &gpus, &n_gpus, &e))
        FAIL_("%s", e.text);
    CHECK(f.n_instances > 100 && f.n_names > 5 && f.n_machines > 10);
    const Gpu *all = gpus;
    const char *ids[1024];
    size_t n = 0;
    for (size_t i = 0; i < f.n_instances && n < COUNT_OF(ids); i++) ids[n++] = f.instances[i].sku_id;
    for (size_t i = 0; i < f.n_names && n < COUNT_OF(ids); i++) ids[n++] = f.names[i].sku_id;
    for (size_t i = 0; i < f.n_machines && n < COUNT_OF(ids); i++) ids[n++] = f.machines[i].sku_id;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < n_gpus && strcmp(all[k].sku_id, ids[i]) != 0) k++;
        if (ids[i][0] != '\0' && k == n_gpus) FAIL_("'%s' is not in gpus.tsv", ids[i]);
    }
    world_free(&w);
}

// ---------------------------------------------------------------- import

// Whoever adds an offer of a new provider says in data/sellers.tsv what kind of seller it is, or that nobody
// knows.
static void test_every_seller_has_its_class(void) {
    World w = world();
    Facts facts;
    Err e = {0};
    size_t counted = 0;
    if (!catalog_facts(w.c, &w.s.arena, &facts, &e)) FAIL_("%s", e.text);
    for (size_t i = 0; i < facts.n_offers; i++) {
        const Offer *o = &facts.offers[i];
        if (seller_find(facts.sellers, facts.n_sellers, o->provider, o->region) == NULL)
            FAIL_("'%s' is not in sellers.tsv", o->provider);
        CHECK(!is_known(o->machines_seen) || o->machines_seen >= 1);
        counted += is_known(o->machines_seen);
        // Its source counts the offers behind a price, which is hearsay: nobody sells a median.
        const char *median = strstr(o->source, "median of ");
        double n = 0;
        if (strcmp(o->provider, "vast") != 0 || median == NULL) continue;
        CHECK(o->standing != STANDING_LISTED);
        // "of verified offers"
        if (!parse_number((Str){median + 10, strspn(median + 10, "0123456789")}, 1, 1000, &n, NULL))
            n = (double)NAN;
        CHECK(is_known(n) ? o->machines_seen == n : !is_known(o->machines_seen));
    }
    CHECK(counted > 100);
    const Seller *community = seller_find(facts.sellers, facts.n_sellers, "runpod", "community");
    const Seller *other = seller_find(facts.sellers, facts.n_sellers, "runpod", "secure");
    CHECK(community != NULL && community->seller_class == SELLER_MARKETPLACE_HOST);
    CHECK(other != NULL && other->seller_class == SELLER_CLOUD);
    CHECK(seller_find(facts.sellers, facts.n_sellers, "nobody", "") == NULL);
    world_free(&w);
}

static void test_import_reads_csv_and_json(void) {
    static const char csv[] =
        "\xef\xbb\xbfprovider,instance,gpu,gpu_count,price_per_hour,pricing_model,note\r\n"
        "quote,m8,MI300X,8,\"16.5\",reserved-1y,\"a, b\"\r\n"
        "quote,m1,MI300X,,2.5,on-demand,no count\r\n"
        "quote,m2,MI300X,2,x,on-demand,\r\n"
        "quote,m3,MI300X,2,5,weekly,\r\n";
    static const char json[] = "{\"offers\":[{\"gpu\":\"mi300x-192gb\",\"gpu_count\":4,\"price_usd_per_gpu_"
                               "hour\":2,\"available\":true},"
                               "7,{\"gpu\":\"H100 NVL\",\"price_per_gpu_hour\":\"3\",\"os\":\"Windows\"}]}";
    World w = world();
    MarketOutcome out;
    Err e = {0};
    if (!market_import(w.m, "mine", "quote.csv", (Str){csv, sizeof csv - 1}, NULL, &w.s.arena, &out, &e))
        FAIL_("%s", e.text);
    CHECK_INT(out.rows, 1);
    CHECK_INT(out.rejected, 3);
    CHECK_STR(offers_of(&w, "mine"), "m8 16.5");
    if (!market_import(w.m, "other", "o.json", (Str){json, sizeof json - 1}, NULL, &w.s.arena, &out, &e))
        FAIL_("%s", e.text);
    CHECK_INT(out.rows, 1);
    CHECK_INT(out.rejected, 2);
    CHECK_STR(offers_of(&w, "other"), " 8");
    static const char *const broken[] = {"",   "a,b\n1,2\n",     "gpu,price_per_gpu_hour\n\"x",    "{}",
                                         "[1", "{\"offers\":3}", "gpu,price_per_gpu_hour\nx,1,2\n"};
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        e.text[0] = '\0';
        CHECK(!market_import(w.m, "bad", "b", str_of(broken[i]), NULL, &w.s.arena, &out, &e));
        CHECK(e.text[0] != '\0');
    }
    CHECK_STR(offers_of(&w, "bad"), "");
    world_free(&w);
}

// ---------------------------------------------------------------- snapshots

// A market with two feeds, as a snapshot.
static const char *made_snapshot(World *w) {
    FeedRow rows[] = {plain("a", 20), plain("b^", 30), plain("^", 40)};
    rows[0].seller_class = SELLER_BROKER;
    rows[0].machines_seen = 7;
    rows[1].sold_by_gpu = AVAILABLE_NO;
    Buf b;
    Err e = {0};
    size_t n = 0;
    refresh(w, "azure", rows, 3);
    at(w, noon + 60);
    refresh(w, "oci", rows, 2);
    buf_init(&b, SNAPSHOT_BYTES_MAX);
    if (!snapshot_write(w->m, false, &b, &n, &e)) FAIL_("%s", e.text);
    CHECK_INT(n, 5);
    const char *text = arena_printf(&w->s.arena, "%s", b.data);
    buf_free(&b);
    return text;
}

static void test_snapshot_comes_back_as_written(void) {
    World from = world();
    World to = world();
    const char *text = made_snapshot(&from);
    SnapshotFeed *feeds = NULL;
    size_t n = 0;
    Err e = {0};
    CHECK(snapshot_is(str_of(text)));
    CHECK(!snapshot_is(str_of("gpuadvise-snapshots")));
    if (!snapshot_read(to.c, str_of(text), noon + DAY, "https://example.org/s", &to.s.arena, &feeds, &n, &e))
        FAIL_("%s", e.text);
    CHECK_INT(n, 2);
    CHECK_STR(feeds[0].name, "azure");
    CHECK_INT(feeds[0].confirmed_at, noon);
    CHECK_INT(feeds[0].outcome.fresh, 3);
    CHECK_INT(feeds[1].confirmed_at, noon + 60);
    CHECK_STR(offers_of(&to, "azure"), offers_of(&from, "azure"));
    CHECK_STR(offers_of(&to, "oci"), "a 20; b^ 30");
    const Offer *a = offer_named(&to, "azure", "a");
    const Offer *b = offer_named(&to, "azure", "b^");
    CHECK(a->seller_class == SELLER_BROKER && a->sold_by_gpu == AVAILABLE_UNKNOWN);
    CHECK_NEAR(a->machines_seen, 7, 0);
    CHECK(b->seller_class == SELLER_UNKNOWN && b->sold_by_gpu == AVAILABLE_NO && !is_known(b->machines_seen));
    CHECK(snapshot_read(to.c, str_of(text), noon + DAY, "s", &to.s.arena, &feeds, &n, &e));
    CHECK_STR(feeds[0].skipped, "this database knows it as new or newer");
    CHECK(snapshot_read(to.c, str_of(text), noon - DAY, "s", &to.s.arena, &feeds, &n, &e));
    CHECK_STR(feeds[0].skipped, "this database knows it as new or newer");
    world_free(&from);
    world_free(&to);
}

// One from ahead of the clock is taken in, and told; one that is not puts right what a clock ahead had taken
// in.
static void test_snapshots_and_clocks(void) {
    World from = world();
    World behind = world();
    World ahead = world();
    const char *text = made_snapshot(&from);
    SnapshotFeed *feeds = NULL;
    size_t n = 0;
    Err e = {0};
    if (!snapshot_read(behind.c, str_of(text), noon - DAY, "s", &behind.s.arena, &feeds, &n, &e))
        FAIL_("%s", e.text);
    CHECK(feeds[0].ahead && feeds[1].ahead);
    CHECK_STR(offers_of(&behind, "azure"), offers_of(&from, "azure"));
    at(&ahead, noon + 3650 * (int64_t)DAY);
    const FeedRow rows[] = {plain("a", 21)};
    refresh(&ahead, "azure", rows, 1);
    if (!snapshot_read(ahead.c, str_of(text), noon + DAY, "s", &ahead.s.arena, &feeds, &n, &e))
        FAIL_("%s", e.text);
    CHECK_STR(feeds[0].skipped, "");
    CHECK(!feeds[0].ahead);
    CHECK_STR(offers_of(&ahead, "azure"), offers_of(&from, "azure"));
    CHECK_STR(offer_named(&ahead, "azure", "a")->as_of, offer_named(&from, "azure", "a")->as_of);
    world_free(&from);
    world_free(&behind);
    world_free(&ahead);
}

// Of the program before this form: it knew nothing of sellers.
static void test_a_snapshot_of_form_1_is_read(void) {
    static const char text[] =
        "gpuadvise-snapshot 1 2026-11-27T12:00:00Z\n#\tprovider\nfeed\tf\t2026-11-27T11:00:00Z\t2\n"
        "+\tp\ti\tr\tDE\tMI300X\tmi300x-192gb\t8\t\t\ton-demand\t20.000000\tunknown\tlisted\t\ts\n"
        "+\t^\tk\t^\t^\t^\t^\t4\t\t\t^\t10.000000\t^\t^\t2026-11-01\t^\n";
    World w = world();
    SnapshotFeed *feeds = NULL;
    size_t n = 0;
    Err e = {0};
    if (!snapshot_read(w.c, str_of(text), noon, "s", &w.s.arena, &feeds, &n, &e)) FAIL_("%s", e.text);
    CHECK_STR(offers_of(&w, "f"), "i 20; k 10");
    const Offer *o = offer_named(&w, "f", "k");
    CHECK(o->seller_class == SELLER_UNKNOWN && o->sold_by_gpu == AVAILABLE_UNKNOWN &&
          !is_known(o->machines_seen));
    world_free(&w);
}

static void test_damaged_snapshots_are_refused_whole(void) {
    static const char *const broken[] = {
        "",
        "gpuadvise-snapshot",
        "gpuadvise-snapshot x y\n",
        "gpuadvise-snapshot 0 2026-11-27T12:00:00Z\n",
        "gpuadvise-snapshot 4 2026-11-27T12:00:00Z\n",
        "gpuadvise-snapshot 2 "
        "t\nfeed\tf\t2026-11-27T12:00:00Z\t1\n+\tp\ti\tr\t\tMI300X\t\t8\t\t\ton-"
        "demand\t20\tunknown\tlisted\t\ts\n",
        "gpuadvise-snapshot 2 "
        "t\nfeed\tf\t2026-11-27T12:00:00Z\t1\n+\tp\ti\tr\t\tMI300X\t\t8\t\t\ton-"
        "demand\t20\tunknown\tlisted\t\ts\tshop\t\tyes\n",
        "gpuadvise-snapshot 2 "
        "t\nfeed\tf\t2026-11-27T12:00:00Z\t1\n+\tp\ti\tr\t\tMI300X\t\t8\t\t\ton-"
        "demand\t20\tunknown\tlisted\t\ts\tcloud\t-1\tyes\n",
        "gpuadvise-snapshot 1 t\n+\tp\ti\tr\t\tMI300X\t\t8\t\t\ton-demand\t20\tunknown\tlisted\t\ts\n",
        "gpuadvise-snapshot 1 t\nfeed\tf\t2026-11-27T12:00:00Z\t1\n",
        "gpuadvise-snapshot 1 t\nfeed\tf\tnever\t0\n",
        "gpuadvise-snapshot 1 "
        "t\nfeed\tf\t2026-11-27T12:00:00Z\t1\n+\t^\ti\tr\t\tMI300X\t\t8\t\t\ton-"
        "demand\t20\tunknown\tlisted\t\ts\n",
        "gpuadvise-snapshot 1 "
        "t\nfeed\tf\t2026-11-27T12:00:00Z\t1\n+\tp\ti\tr\t\tMI300X\t\tx\t\t\ton-"
        "demand\t20\tunknown\tlisted\t\ts\n",
        "gpuadvise-snapshot 1 t\nother\n",
    };
    World w = world();
    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        SnapshotFeed *feeds = NULL;
        size_t n = 0;
        Err e = {0};
        if (snapshot_read(w.c, str_of(broken[i]), noon, "s", &w.s.arena, &feeds, &n, &e))
            FAIL_("taken in: %s", broken[i]);
        CHECK(e.text[0] != '\0');
    }
    CHECK_STR(offers_of(&w, "f"), "");
    world_free(&w);
}

// ---------------------------------------------------------------- signatures

// Made by minisign 0.11 (Debian) with a key without a password: `minisign -S -m FILE -t "a comment"`, FILE
// holding "prices\n".
static const char minisign_public[] = "RWTvRGbM7b/OKE+edvAWNL/xOAj3sXdkMwtVquk6YvD3BICfxMlSWOXk";
static const char minisign_signature[] =
    "untrusted comment: test\n"
    "RUTvRGbM7b/OKFo8/Bg/H8K2IAiFw2VF/WNQvjh/vQxw6lfAEumQFSToSPqhTTvcN1oF9p6b2B+jp0D+8cLSkVDH+XQnaB/W4wA=\n"
    "trusted comment: a comment\n"
    "BBdLxbS6/tDrVXL4HxQ1hjRMBd504jYQfm3mOoloafXtZ0u70VWhAWthHtoWLcfbqOJ0vhfFqeV/9IrFuEF+DA==\n";

static void test_signatures_of_minisign_are_understood(void) {
    Arena a = {0};
    const char *comment = NULL;
    Err e = {0};
    if (!minisign_verify(str_of("prices\n"), str_of(minisign_signature), str_of(minisign_public), &a,
                         &comment, &e))
        FAIL_("%s", e.text);
    CHECK_STR(comment, "a comment");
    CHECK(!minisign_verify(str_of("prices"), str_of(minisign_signature), str_of(minisign_public), &a,
                           &comment, &e));
    arena_free(&a);
}

static void test_only_the_signed_bytes_and_comment_pass(void) {
    Arena a = {0};
    const char *secret = NULL;
    const char *public = NULL;
    const char *signature = NULL;
    const char *comment = NULL;
    Err e = {0};
    CHECK(minisign_generate(&a, &secret, &public, &e));
    if (!minisign_sign(str_of("bytes"), str_of(secret), NULL, "of today", &a, &signature, &e))
        FAIL_("%s", e.text);
    CHECK(minisign_verify(str_of("bytes"), str_of(signature), str_of(public), &a, &comment, &e));
    CHECK_STR(comment, "of today");
    CHECK(!minisign_verify(str_of("byteS"), str_of(signature), str_of(public), &a, &comment, &e));
    CHECK(!minisign_sign(str_of("bytes"), str_of(public), NULL, "c", &a, &signature, &e));
    CHECK(!minisign_sign(str_of("bytes"), str_of(secret), NULL, "two\nlines", &a, &signature, &e));
    // Whatever one letter of the signature's file becomes, it no longer fits: but for the untrusted comment.
    size_t length = strlen(signature);
    char *changed = arena_copy(&a, signature, length);
    for (size_t i = strcspn(changed, "\n") + 1; i + 1 < length; i++) {
        char was = changed[i];
        changed[i] = was == 'A' ? 'B' : 'A';
        if (minisign_verify(str_of("bytes"), str_of(changed), str_of(public), &a, &comment, &e))
            FAIL_("byte %zu may change", i);
        changed[i] = was;
    }
    for (size_t i = 0; i < length; i++) {
        if (i + 1 < length &&
            minisign_verify(str_of("bytes"), (Str){signature, i}, str_of(public), &a, &comment, &e))
            FAIL_("%zu bytes are enough", i);
    }
    arena_free(&a);
}

static const TestCase tests[] = {
    TEST(gpu_names),
    TEST(gpu_names_of_sellers),
    TEST(seller_tables_name_gpus_of_the_catalog),
    TEST(every_seller_has_its_class),
    TEST(import_reads_csv_and_json),
    TEST(the_newest_day_of_a_list_counts),
    TEST(snapshot_comes_back_as_written),
    TEST(snapshots_and_clocks),
    TEST(a_snapshot_of_form_1_is_read),
    TEST(damaged_snapshots_are_refused_whole),
    TEST(signatures_of_minisign_are_understood),
    TEST(only_the_signed_bytes_and_comment_pass),
};
TEST_MAIN(tests)
