// Seeweb's plans: machines with GPUs in euros, active in the regions that a plan names; where one can be had
// now is a document of its own.
#include <math.h>
#include <string.h>

#include "catalog/feeds/feed.h"

static void read_plan(FeedDoc *doc, const Json *plan) {
    const char *name = feed_text(plan, "name");
    double count = feed_number(json_get(plan, "gpu"));
    const char *why = !(count > 0)                                   ? "no GPU"
                      : json_truth(json_get(plan, "available")) == 0 ? "no longer sold"
                                                                     : NULL;
    if (why != NULL) {
        feed_reject(doc, why, name);
        return;
    }
    FeedRow r = {.instance = name,
                 .said = feed_said(doc, plan),
                 .gpu = feed_text(plan, "gpu_label"),
                 .gpu_count = count,
                 .gpu_memory_gb = (double)NAN,
                 .vcpus = feed_number(json_get(plan, "cpu")),
                 .ram_gb = feed_number(json_get(plan, "ram")) * 1.048576 / 1000,
                 .price = feed_number(json_get(plan, "hourly_price")),
                 .currency = "EUR"};
    const Json *region = json_first(json_get(plan, "available_regions"));
    if (region == NULL) feed_row(doc, &r);
    for (; region != NULL; region = json_next(region)) {
        r.region = feed_text(region, "location");
        feed_row(doc, &r);
    }
}

static bool read_plans(FeedDoc *doc, const Json *root, Err *e) {
    return feed_each(doc, root, "plans", read_plan, e);
}

// ---------------------------------------------------------------- what can be had now

static bool read_places(FeedDoc *doc, const Json *root, Err *e) {
    const Json *plans = NULL;
    if (!feed_array(root, "plans", &plans, e)) return false;
    for (const Json *p = json_first(plans); p != NULL; p = json_next(p)) {
        const char *plan = feed_text(p, "name");
        for (const Json *r = json_first(json_get(p, "region_availables")); r != NULL; r = json_next(r))
            feed_place(doc, plan, feed_text(r, "region"));
    }
    return true;
}

static Available place_of(const FeedDoc *now, const FeedRow *row) {
    for (size_t i = 0; i < now->n_places; i++) {
        if (strcmp(now->places[i].instance, row->instance) == 0 &&
            strcmp(now->places[i].region, row->region) == 0)
            return AVAILABLE_YES;
    }
    return AVAILABLE_NO;
}

static bool join(FeedJob *job, FeedDoc *into, Err *e) {
    (void)into;
    FeedDoc *plans = feed_doc(job, "");
    const FeedDoc *now = feed_doc(job, "available");
    if (plans == NULL) return err_set(e, ERR_FAILED, "no plans");
    for (size_t i = 0; now != NULL && i < plans->n_rows; i++)
        plans->rows[i].available = place_of(now, &plans->rows[i]);
    return true;
}

#define SEEWEB "https://api.seeweb.it/ecs/v2/"

static const FeedDocSpec docs[] = {
    {.part = "", .url = SEEWEB "plans", .json = read_plans},
    {.part = "available", .url = SEEWEB "plans/availables", .optional = true, .json = read_places},
};

const Feed feed_seeweb = {.name = "seeweb",
                          .home = "api.seeweb.it/ecs/v2/plans",
                          .docs = docs,
                          .n_docs = COUNT_OF(docs),
                          .finish = join,
                          .auth = AUTH_HEADER,
                          .key_name = "SEEWEB_API_TOKEN",
                          .key_field = "X-APITOKEN"};
