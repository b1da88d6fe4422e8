// OCI: list prices of parts joined with the shapes that are made of them. One price holds in all commercial
// regions.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"
#include "catalog/market/market_store.h"

static const char everywhere[] = "all commercial regions (one price)";

// ---------------------------------------------------------------- parts

typedef struct Part {
    const char *number, *name;
    const char *metric;  // "GPU Per Hour", "OCPU Per Hour", ...; "": the estimator's list does not tell
    bool hourly;         // as far as the list tells
    double usd;
} Part;

// The estimator's list says how a part is billed: "UCM" (universal credits) by the "HOUR" is what the price
// list has too.
static bool is_hourly(const Json *item) {
    const char *billing = feed_text(item, "billingModel");
    const char *type = feed_text(item, "pricetype");
    return (billing[0] == '\0' || text_same(billing, "UCM")) && (type[0] == '\0' || text_same(type, "HOUR"));
}

typedef struct Parts {
    Part *all;
    size_t n;
} Parts;

static double usd_of(const Json *item) {
    for (const Json *l = json_first(json_get(item, "currencyCodeLocalizations")); l != NULL;
         l = json_next(l)) {
        if (strcmp(feed_text(l, "currencyCode"), "USD") != 0) continue;
        for (const Json *p = json_first(json_get(l, "prices")); p != NULL; p = json_next(p)) {
            if (text_same(feed_text(p, "model"), "PAY_AS_YOU_GO")) return feed_number(json_get(p, "value"));
        }
    }
    return (double)NAN;
}

static bool read_parts(FeedDoc *doc, const Json *root, Err *e) {
    const Json *items = NULL;
    if (!feed_array(root, "items", &items, e)) return false;
    size_t n = 0;
    for (const Json *i = json_first(items); i != NULL; i = json_next(i)) n++;
    Parts *parts = arena_alloc(&doc->arena, 1, sizeof *parts);
    parts->all = arena_alloc(&doc->arena, n + 1, sizeof *parts->all);
    for (const Json *i = json_first(items); i != NULL; i = json_next(i)) {
        parts->all[parts->n++] =
            (Part){feed_printf(doc, "%s", feed_text(i, "partNumber")),
                   feed_printf(doc, "%s", feed_text(i, "displayName")),
                   feed_printf(doc, "%s", feed_text(i, "metricName")), is_hourly(i), usd_of(i)};
    }
    doc->kept = parts;
    return true;
}

// ---------------------------------------------------------------- shapes

typedef struct Need {
    const char *part;
    double quantity;
} Need;

typedef struct Shape {
    const char *name, *said;
    double gpus;
    bool preemptible;
    Need needs[8];
    size_t n_needs;
} Shape;

typedef struct Shapes {
    Shape *all;
    size_t n;
} Shapes;

static bool read_shapes(FeedDoc *doc, const Json *root, Err *e) {
    const Json *items = NULL;
    if (!feed_array(root, "items", &items, e)) return false;
    size_t n = 0;
    for (const Json *i = json_first(items); i != NULL; i = json_next(i)) n++;
    Shapes *shapes = arena_alloc(&doc->arena, 1, sizeof *shapes);
    shapes->all = arena_alloc(&doc->arena, n + 1, sizeof *shapes->all);
    for (const Json *i = json_first(items); i != NULL; i = json_next(i)) {
        Shape s = {.name = feed_printf(doc, "%s", feed_text(i, "name")),
                   .said = feed_said(doc, i),
                   .gpus = feed_number(json_get(i, "gpuQty")),
                   .preemptible = json_truth(json_get(i, "allowPreemptible")) == 1};
        const char *status = feed_text(i, "status");
        if (!(s.gpus > 0)) continue;
        if (json_truth(json_get(i, "hidden")) == 1 || (status[0] != '\0' && !text_same(status, "ACTIVE"))) {
            feed_reject(doc, "shape that is hidden or no longer sold", s.name);
            continue;
        }
        for (const Json *p = json_first(json_get(i, "products")); p != NULL && s.n_needs < COUNT_OF(s.needs);
             p = json_next(p)) {
            s.needs[s.n_needs++] =
                (Need){feed_printf(doc, "%s", feed_text(p, "partNumber")), feed_number(json_get(p, "qty"))};
        }
        shapes->all[shapes->n++] = s;
    }
    doc->kept = shapes;
    return true;
}

// ---------------------------------------------------------------- the join

static const Part *part_find(const Parts *parts, const char *number) {
    return row_named(number, parts->all, parts->n, sizeof *parts->all);
}

// Dollars an hour of the whole shape, or why not. Parts per GPU count as often as there are GPUs; so does the
// only part of a shape whose list does not tell the unit (the estimator's lists name no unit, and price GPU
// shapes so).
static const char *shape_usd(const Shape *s, const Parts *parts, double *ret_usd) {
    double sum = 0;
    for (size_t i = 0; i < s->n_needs; i++) {
        const Part *p = part_find(parts, s->needs[i].part);
        if (p == NULL || !is_known(p->usd)) return "a part of the shape has no price";
        if (!p->hourly) return "a part of the shape is not billed by the hour";
        if (p->metric[0] == '\0' && s->n_needs > 1) return "a part of the shape has no unit";
        bool per_gpu = p->metric[0] == '\0' || text_contains(p->metric, "GPU");
        sum += p->usd * (per_gpu ? s->gpus : s->needs[i].quantity);
    }
    if (s->n_needs == 0 || !is_known(sum)) return "a part of the shape has no price";
    *ret_usd = sum;
    return NULL;
}

static void shape_row(FeedDoc *into, const Shape *s, const Parts *parts) {
    const char *sku = "";
    Str word = oci_shape_word(s->name);
    const char *name = feed_printf(into, "%.*s", (int)word.length, word.data);
    if (!oci_gpu(word, &sku, &name) && name[0] == '\0') name = s->name;
    double usd = (double)NAN;
    const char *why = shape_usd(s, parts, &usd);
    if (why != NULL) {
        feed_reject(into, why, s->name);
        return;
    }
    // "BM.GPU.GB200.4 (NVL72)": the API does not know what stands in brackets
    size_t length = strcspn(s->name, "(");
    const char *instance = feed_cell(into, (Str){s->name, length});
    FeedRow r = {.instance = instance,
                 .said = s->said,
                 .region = everywhere,
                 .sku_id = sku,
                 .gpu = name,
                 .gpu_count = s->gpus,
                 .vcpus = (double)NAN,
                 .ram_gb = (double)NAN,
                 .price = usd};
    feed_row(into, &r);
    if (!s->preemptible) return;
    r.pricing_model = PRICING_SPOT;
    r.price = usd / 2;  // preemptible capacity costs half the list price (OCI price list)
    feed_row(into, &r);
}

// Without shapes: what one GPU costs.
static void part_row(FeedDoc *into, const Part *p) {
    if (!text_contains(p->metric, "GPU") || !text_contains(p->name, "GPU")) return;
    const char *at = p->name + strlen(p->name);
    while (at > p->name && at[-1] != ' ') at--;
    const char *sku = "";
    const char *name = p->name;
    oci_gpu(str_of(at), &sku, &name);
    feed_row(into, &(FeedRow){.instance = p->number,
                              .region = everywhere,
                              .sku_id = sku,
                              .gpu = name,
                              .gpu_count = (double)NAN,
                              .vcpus = (double)NAN,
                              .ram_gb = (double)NAN,
                              .price = p->usd});
}

static bool join(FeedJob *job, FeedDoc *into, Err *e) {
    const FeedDoc *list = feed_doc(job, "");
    const FeedDoc *more = feed_doc(job, "parts");
    const FeedDoc *shaped = feed_doc(job, "shapes");
    const Parts *parts = list != NULL ? list->kept : NULL;
    if (parts == NULL) return err_set(e, ERR_FAILED, "no price list");
    if (more != NULL && more->kept != NULL) {  // parts that only the estimator's list has
        const Parts *others = more->kept;
        Parts *all = arena_alloc(&into->arena, 1, sizeof *all);
        all->all = arena_alloc(&into->arena, parts->n + others->n, sizeof *all->all);
        for (size_t i = 0; i < parts->n; i++) all->all[all->n++] = parts->all[i];
        for (size_t i = 0; i < others->n; i++) all->all[all->n++] = others->all[i];
        parts = all;
    }
    const Shapes *shapes = shaped != NULL ? shaped->kept : NULL;
    for (size_t i = 0; shapes != NULL && i < shapes->n; i++) shape_row(into, &shapes->all[i], parts);
    for (size_t i = 0; shapes == NULL && i < parts->n; i++) part_row(into, &parts->all[i]);
    return true;
}

#define ESTIMATOR "https://www.oracle.com/a/ocom/docs/cloudestimator2/data/"

static const FeedDocSpec docs[] = {
    {.part = "",
     .url = "https://apexapps.oracle.com/pls/apex/cetools/api/v1/products/?currencyCode=USD",
     .body_max = 16 * FEED_MIB,
     .timeout_s = 120,
     .json = read_parts},
    {.part = "shapes",
     .url = ESTIMATOR "shapes.json",
     .optional = true,
     .body_max = 16 * FEED_MIB,
     .timeout_s = 120,
     .json = read_shapes},
    {.part = "parts",
     .url = ESTIMATOR "products.json",
     .optional = true,
     .body_max = 16 * FEED_MIB,
     .timeout_s = 120,
     .json = read_parts},
};

const Feed feed_oci = {.name = "oci",
                       .home = "apexapps.oracle.com list prices",
                       .docs = docs,
                       .n_docs = COUNT_OF(docs),
                       .finish = join};
