// prices: what the offers cost, by $/GPU-h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/prices.h"
#include "src/report/price_rows.h"

enum { OLD_DAYS = 30 };

// ---------------------------------------------------------------- what is asked

// A name that is no part of an id may still be one that a GPU is known by.
static bool known_name(App *app, PriceFilter *f, const Gpu *gpus, size_t n, Err *e) {
    for (size_t i = 0; i < n; i++) {
        if (name_parts_match(gpus[i].sku_id, f->name)) return true;
    }
    const Gpu *named = NULL;
    if (!find_gpu(app, gpus, n, f->name, &named, e)) return false;
    if (f->offer.gpus.n > 0 && !names_hold(&f->offer.gpus, named->sku_id))
        return err_set(e, ERR_USAGE, "'%s' and '--gpu %s' are two GPUs", f->name, f->offer.gpus.items[0]);
    f->offer.gpus = (Names){{named->sku_id}, 1};
    f->name = "";
    return true;
}

// By any name of the provider.
static bool read_discounts(App *app, PriceFilter *f, Err *e) {
    size_t n = app->values[OPT_DISCOUNT].n;
    Discount *list = arena_alloc(&app->arena, n + 1, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        opt_pair(app, OPT_DISCOUNT, i, &list[i].provider, &list[i].percent, &app->arena);
        if (!known_provider(app, &list[i].provider, e)) return false;
    }
    f->offer.discounts = list;
    f->offer.n_discounts = n;
    return true;
}

static bool read_filter(App *app, const Gpu *gpus, size_t n_gpus, PriceFilter *ret_filter, Err *e) {
    PricingModel pricing = PRICING_ON_DEMAND;
    if (!app_pricing(app, &pricing, e)) return false;
    PriceFilter f = {.offer = {.vendor = opt_choice(app, OPT_VENDOR, -1),
                               .gpu_count = opt_number(app, OPT_GPUS, (double)NAN),
                               .region = opt_text(app, OPT_REGION, ""),
                               .pricing_model = (int)pricing,
                               .gpus_max = (double)NAN,
                               .fleet = (double)NAN,
                               .max_usd_gpu_h = opt_number(app, OPT_MAX_PRICE, (double)NAN)},
                     .name = "",
                     .max_age_days = opt_number(app, OPT_MAX_AGE, (double)NAN),
                     .unmapped = opt_flag(app, OPT_UNMAPPED),
                     .superseded = opt_flag(app, OPT_SUPERSEDED),
                     .all_regions = opt_flag(app, OPT_ALL_REGIONS) || opt_set(app, OPT_GROUP_BY),
                     .available = opt_flag(app, OPT_AVAILABLE),
                     .today = app->now / DAY_S};
    f.n_countries = opt_list(app, OPT_COUNTRY, &f.countries);
    for (size_t i = 0; i < f.n_countries; i++) {
        if (strlen(f.countries[i]) != 2)
            return err_set(e, ERR_USAGE, "option '--country': '%s' is no country of two letters",
                           f.countries[i]);
    }
    if (!read_discounts(app, &f, e)) return false;
    if (app->n_args > 0 && !price_spec(app, app->args[0], &f, e)) return false;
    if (f.unmapped && opt_typed(app, OPT_GPU)) {
        return err_set(e, ERR_USAGE, "options '--gpu' and '--unmapped' exclude each other");
    }
    const Gpu *gpu = NULL;
    if (opt_set(app, OPT_GPU) && !f.unmapped) {
        if (!find_gpu(app, gpus, n_gpus, opt_text(app, OPT_GPU, ""), &gpu, e)) return false;
        f.offer.gpus = (Names){{gpu->sku_id}, 1};
    }
    if (!f.unmapped && f.name[0] != '\0' && !known_name(app, &f, gpus, n_gpus, e)) return false;
    *ret_filter = f;
    return true;
}

// A provider without a single offer is probably misspelt, unless it goes by another name here.
static void check_provider(App *app, PriceFilter *f, const Offer *offers, size_t n) {
    Err e = {0};
    const char *provider = opt_text(app, OPT_PROVIDER, "");
    if (provider[0] == '\0') return;
    const char **names = arena_alloc(&app->arena, n, sizeof *names);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (used == 0 || strcmp(names[used - 1], offers[i].provider) != 0) names[used++] = offers[i].provider;
    }
    if (!find_provider(app, names, used, provider, &provider, &e))
        app_warn_text(app, arena_printf(&app->arena, "%s", e.text));
    f->offer.providers = (Names){{provider}, 1};
}

// ---------------------------------------------------------------- offers

// The names that --sort had before it took columns.
static const char *sorted_by(const App *app) {
    static const char *const names[][2] = {
        {"", ""}, {"price", "price_usd_per_gpu_hour"}, {"hour", "price_usd_per_hour"}};
    const char *sort = opt_text(app, OPT_SORT, "");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(sort, names[i][0]) == 0) return names[i][1];
    }
    return sort;
}

// Leaves the offers that --where fits, in the order of --sort, both by the columns of the text table.
static bool choose_offers(App *app, PriceSelection *s, Err *e) {
    Writer w = app_writer(app);
    Listing l = price_rows(&w, s, true);
    size_t *rows = NULL;
    size_t n = 0;
    const char *sort = opt_set(app, OPT_GROUP_BY) ? "" : sorted_by(app);
    if (!app_choose(app, &l, sort, &rows, &n, e)) return false;
    PriceRow *chosen = arena_alloc(&app->arena, n + 1, sizeof *chosen);
    for (size_t i = 0; i < n; i++) chosen[i] = s->rows[rows[i]];
    s->rows = chosen;
    s->n = n;
    return true;
}

// ---------------------------------------------------------------- the answer

static const char *left_out(App *app, const PriceFilter *f, const PriceSelection *s) {
    Buf b;
    buf_init(&b, 2000);
    size_t secondary = 0;
    size_t alone = 0;
    for (size_t i = 0; i < s->n; i++) {
        secondary += s->rows[i].offer->standing == STANDING_SECONDARY;
        alone += offer_one_host(s->rows[i].offer, s->rows[i].seller_class) == AVAILABLE_YES;
    }
    if (s->n == 0) buf_printf(&b, "No %s offer fits.", pricing_names[f->offer.pricing_model]);
    if (s->n > 0)
        buf_printf(&b, "%zu %s offer%s, %s; Linux, shared tenancy.", s->n,
                   pricing_names[f->offer.pricing_model], plural((double)s->n),
                   opt_set(app, OPT_SORT) ? "sorted as asked" : "cheapest per GPU-hour first");
    if (f->offer.n_discounts > 0 && s->n > 0) buf_puts(&b, " Prices are after --discount.");
    if (secondary > 0)
        buf_printf(
            &b, " ?: %zu from secondary sources, unverified; x: replaced since; -: not to be had when seen.",
            secondary);
    if (alone > 0) buf_printf(&b, " 1: %zu of one host each, which may be rented out tomorrow.", alone);
    const struct {
        size_t n;
        const char *what;
    } parts[] = {{s->n_other_regions, "in dearer regions (--all-regions)"},
                 {s->n_superseded, "replaced by newer prices (--superseded)"},
                 {s->n_unmapped, "of GPUs unknown to the catalog (--unmapped)"},
                 {s->n_unavailable, "that could not be had (--available)"},
                 {s->n_unknown_country, "of unknown country (--country)"},
                 {s->n_too_old, "older than --max-age"},
                 {s->n_ahead, "of unknown age, dated ahead of this machine's clock (--max-age)"}};
    const char *before = " Left out: ";
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        if (parts[i].n == 0) continue;
        buf_printf(&b, "%s%zu %s", before, parts[i].n, parts[i].what);
        before = ", ";
    }
    if (before[0] == ',') buf_puts(&b, ".");
    return buf_take(&b, &app->arena);
}

static void warn_of_age(App *app, const PriceSelection *s) {
    if (s->n == 0) return;
    int64_t newest = INT64_MAX;
    size_t ahead = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->rows[i].age_days < newest) newest = s->rows[i].age_days;
        ahead += s->rows[i].ahead;
    }
    if (ahead > 0)
        app_warn(app, "%zu of the %s shown are dated ahead of this machine's clock: their age is not known",
                 ahead, counted(&app->arena, s->n, "price"));
    if (newest > OLD_DAYS)
        app_warn(app, "the newest price shown is %s old", counted(&app->arena, (size_t)newest, "day"));
}

static void answer_json(App *app, const PriceSelection *s, int by) {
    Writer w = app_writer(app);
    Json *root = app_json(app);
    if (app->n_args > 0) json_add_text(app->inputs, "spec", app->args[0]);
    Json *list = json_add_array(root, "offers");
    for (size_t i = 0; i < s->n; i++) price_row_json(list, &s->rows[i]);
    if (by >= 0) {
        Listing groups = price_groups(&w, by, s);
        listing_json(&groups, root);
    }
    Json *left = json_add_object(root, "left_out");
    json_add(left, J_INTEGER("superseded", s->n_superseded), J_INTEGER("unmapped", s->n_unmapped),
             J_INTEGER("too_old", s->n_too_old), J_INTEGER("dated_ahead", s->n_ahead),
             J_INTEGER("other_regions", s->n_other_regions), J_INTEGER("unavailable", s->n_unavailable),
             J_INTEGER("unknown_country", s->n_unknown_country));
}

static void answer_text(App *app, const PriceFilter *f, const PriceSelection *s, int by) {
    Writer w = app_writer(app);
    const char *note = left_out(app, f, s);
    if (s->n == 0 && app->format == FORMAT_TABLE) {
        text_wrapped(&app->out, note, 0, app_width(app));
    } else if (by >= 0) {
        Listing groups = price_groups(&w, by, s);
        groups.note = note;
        app_listing(app, &groups);
    } else {
        Listing l = price_rows(&w, s, app->format == FORMAT_TABLE);
        l.note = note;
        app_listing(app, &l);
    }
}

// Offers that may fit. Where the filter names few GPUs only theirs are read, and those of GPUs without a name
// in the catalog.
static bool read_offers(App *app, Catalog *c, const PriceFilter *f, const Gpu *gpus, size_t n_gpus,
                        Offer **ret_offers, size_t *ret_n, Err *e) {
    enum { FEW = 4 };
    const char *ids[FEW + 1] = {""};  // "": unmapped ones
    size_t n_ids = 1;
    bool narrow = f->offer.gpus.n > 0 || f->name[0] != '\0';
    for (size_t i = 0; narrow && i < n_gpus; i++) {
        if (f->offer.gpus.n > 0 ? !names_hold(&f->offer.gpus, gpus[i].sku_id)
                                : !name_parts_match(gpus[i].sku_id, f->name))
            continue;
        if (n_ids == COUNT_OF(ids)) narrow = false;
        if (narrow) ids[n_ids++] = gpus[i].sku_id;
    }
    void *all = NULL;
    if (!narrow || opt_set(app, OPT_PROVIDER)) {
        if (!catalog_rows(c, TABLE_OFFERS, &app->arena, &all, ret_n, e)) return false;
        *ret_offers = all;
        return true;
    }
    Offer *parts[FEW + 1];
    size_t n[FEW + 1];
    size_t sum = 0;
    for (size_t i = 0; i < n_ids; i++) {
        if (!catalog_offers_of(c, ids[i], &app->arena, &parts[i], &n[i], e)) return false;
        sum += n[i];
    }
    Offer *offers = arena_alloc(&app->arena, sum + 1, sizeof *offers);
    size_t used = 0;
    for (size_t i = 0; i < n_ids; i++) {
        if (n[i] > 0) memcpy(offers + used, parts[i], n[i] * sizeof *offers);
        used += n[i];
    }
    *ret_offers = offers;
    *ret_n = sum;
    return true;
}

static int list(App *app) {
    Err e = {0};
    Catalog *c = NULL;
    void *gpus = NULL;
    Offer *offers = NULL;
    size_t n_gpus = 0;
    size_t n_offers = 0;
    void *regions = NULL;
    void *sellers = NULL;
    size_t n_regions = 0;
    size_t n_sellers = 0;
    PriceFilter filter = {0};
    if (opt_flag(app, OPT_QUARANTINED)) return prices_quarantined(app);
    bool loaded = app_catalog(app, &c, &e) && catalog_rows(c, TABLE_GPUS, &app->arena, &gpus, &n_gpus, &e) &&
                  catalog_rows(c, TABLE_REGIONS, &app->arena, &regions, &n_regions, &e) &&
                  catalog_rows(c, TABLE_SELLERS, &app->arena, &sellers, &n_sellers, &e) &&
                  read_filter(app, gpus, n_gpus, &filter, &e);
    filter.regions = regions;
    filter.n_regions = n_regions;
    filter.sellers = sellers;
    filter.n_sellers = n_sellers;
    loaded = loaded && read_offers(app, c, &filter, gpus, n_gpus, &offers, &n_offers, &e);
    if (!loaded) return app_fail(app, &e);
    check_provider(app, &filter, offers, n_offers);
    PriceSelection selection;
    price_select(&filter, offers, n_offers, gpus, n_gpus, &app->arena, &selection);
    if (!choose_offers(app, &selection, &e)) return app_fail(app, &e);
    warn_of_age(app, &selection);
    size_t n_old = selection.n_too_old + selection.n_ahead;
    bool stale = selection.n == 0 && n_old > 0;
    if (stale)
        app_warn(
            app,
            "all offers that fit (%zu) are older than --max-age %s, or dated ahead of this machine's clock",
            n_old, opt_text(app, OPT_MAX_AGE, ""));
    int by = opt_choice(app, OPT_GROUP_BY, -1);
    if (app->format == FORMAT_JSON) {
        answer_json(app, &selection, by);
    } else {
        answer_text(app, &filter, &selection, by);
    }
    if (selection.n > 0) return EXIT_DONE;
    return stale ? EXIT_STALE : EXIT_NO;
}

static const Verb verbs[] = {
    {"list", "[VENDOR:NAME:MEM:COUNT]", 0, 1, true, "offers, the cheapest GPU-hour first",
     TAKES(OPT_VENDOR, OPT_GPU, OPT_GPUS, OPT_PROVIDER, OPT_REGION, OPT_COUNTRY, OPT_SPOT, OPT_RESERVED,
           OPT_MAX_PRICE, OPT_MAX_AGE, OPT_AVAILABLE, OPT_ALL_REGIONS, OPT_UNMAPPED, OPT_QUARANTINED,
           OPT_DISCOUNT, OPT_SUPERSEDED, OPT_GROUP_BY, OPT_SORT, OPT_WHERE),
     list},
    {"refresh", "[NAME...]", 0, 100, true, "ask the providers, all or those named",
     TAKES(OPT_MAX_AGE, OPT_STRICT, OPT_FEED_URL, OPT_FEED_REGIONS, OPT_CA, OPT_METRICS, OPT_FROM,
           OPT_TRUSTED_KEY, OPT_PROGRESS),
     prices_refresh},
    {"history", "GPU", 1, 1, true, "how prices of a GPU moved",
     TAKES(OPT_SPOT, OPT_RESERVED, OPT_PROVIDER, OPT_REGION, OPT_SINCE), prices_history},
    {"diff", "", 0, 0, true, "what changed since a day",
     TAKES(OPT_SINCE, OPT_VENDOR, OPT_GPU, OPT_GPUS, OPT_PROVIDER, OPT_REGION, OPT_SPOT, OPT_RESERVED),
     prices_diff},
    {"import", "FILE|URL", 1, 1, true, "take in a price list of your own, or a signed snapshot",
     TAKES(OPT_NAME, OPT_PROVIDER, OPT_REGION, OPT_PRICE_OF, OPT_COLUMN, OPT_CURRENCY_RATE, OPT_AS_OF,
           OPT_TRUSTED_KEY, OPT_CA),
     prices_import},
    {"export", "", 0, 0, true, "write refreshed prices as a signed snapshot for others",
     TAKES(OPT_SNAPSHOT, OPT_WITH_IMPORTS, OPT_SECRET_KEY, OPT_NEW_KEY), prices_export},
    {"accept", "ID|NAME...", 1, 1000, true, "take in rows that were quarantined", NO_OPTIONS, prices_accept},
    {"prune", "", 0, 0, true, "forget what was last seen long ago", TAKES(OPT_OLDER_THAN), prices_prune}};

COMMAND(prices, "prices", FORMATS_LISTING, .summary = "offers of cloud providers by price",
        .description =
            "VENDOR:NAME:MEM:COUNT picks GPUs; parts may be empty: amd:mi300x::8, nvidia::80: (at "
            "least 80 GB), :h100 (every H100). On-demand prices unless --spot or --reserved; the "
            "cheapest region of each instance. `refresh` asks the providers (all feeds, or those "
            "named) over HTTPS; one that fails keeps its earlier prices. `import` takes a price list "
            "of your own (CSV or JSON), `history` and `diff` show how prices moved, `accept` takes in "
            "rows that were quarantined as doubtful (--quarantined), `export --snapshot` writes a "
            "signed file for others to import, `prune --older-than` forgets old history.");
