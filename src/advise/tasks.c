// Images, training, HPC and embeddings: one instance of an offer does the work, several nodes where training
// does not fit one; cost is price times time.
#include <math.h>
#include <string.h>

#include "src/advise/prices.h"
#include "src/advise/search.h"

// May training be spread over several of these instances?
static bool makes_nodes(const Option *o) {
    return o->gpu_count >= NODE_GPUS &&
           (o->gpu->link_topology == LINK_SWITCH || o->gpu->link_topology == LINK_MESH);
}

enum { NODES_MAX = 128 };

// Whole nodes, `most` at the most, that together hold what training keeps, where one does not; 1: no number
// does, or none may be joined.
static int nodes_to_train_on(const Facts *f, const Ask *ask, const Option *o, double most, Arena *a) {
    const Gpu *g = o->gpu;
    if (!kind_of(&ask->workload)->trains || !makes_nodes(o)) return 1;
    TaskPoint two;
    task_at(f, g, ask->model, &ask->workload, 2 * o->gpu_count, a, &two);
    double each = two.memory_bytes - o->task.memory_bytes, shared = o->task.memory_bytes - each;
    double room = o->task.usable_bytes * constant_of(f, CONSTANT_TRAIN_MEMORY_FRACTION) - each;
    double nodes = ceil(shared / room);
    return room > 0 && nodes <= fmin(most, NODES_MAX) && !(nodes * o->gpu_count > ask->gpus_max) ? (int)nodes
                                                                                                 : 1;
}

// Whether the seller of `offer` has an option among them already.
static bool has_option_of(const Facts *f, const Option *options, size_t n, const Offer *offer) {
    for (size_t i = 0; i < n; i++) {
        if (strcmp(options[i].offer->provider, offer->provider) == 0 &&
            offer_seller(f, options[i].offer) == offer_seller(f, offer))
            return true;
    }
    return false;
}

// Training works on all instances together, over their network.
static ServeStatus train_on(const Facts *f, const Ask *ask, int instances, Arena *a, Option *o) {
    o->instances = instances;
    o->gpu_count *= instances;
    ServeStatus status = task_at(f, o->gpu, ask->model, &ask->workload, o->gpu_count, a, &o->task);
    o->task.sigma_log = hypot(o->task.sigma_log, constant_of(f, CONSTANT_SIGMA_NETWORK));
    o->task.basis = BASIS_EXTRAPOLATED;
    return status;
}

// Of any other kind each instance does its own share.
static void share_work(int instances, Option *o) {
    TaskPoint *t = &o->task;
    o->instances = instances;
    o->gpu_count *= instances;
    t->rate *= instances, t->rate_most *= instances, t->memory_bytes *= instances,
        t->usable_bytes *= instances;
}

// The whole fleet, or the nodes that training needs. NULL, or why the fleet cannot be had of these instances.
static const char *task_on_several(const Facts *f, const Ask *ask, double most, Arena *a, Option *o,
                                   ServeStatus *status) {
    int instances = is_known(ask->fleet)         ? (int)(ask->fleet / o->gpu_count)
                    : *status == SERVE_NO_MEMORY ? nodes_to_train_on(f, ask, o, most, a)
                                                 : 1;
    if (instances <= 1) return NULL;
    if (!kind_of(&ask->workload)->trains) {
        share_work(instances, o);
    } else if (makes_nodes(o)) {
        *status = train_on(f, ask, instances, a, o);
    } else {
        return "training is spread over whole nodes with fast links only";
    }
    return NULL;
}

Option *task_options(const Facts *f, const Ask *ask, const Offer **offers, size_t n_offers, Arena *a,
                     Advice *advice, size_t *ret_n) {
    Option *options = arena_alloc(a, n_offers + 1, sizeof *options);
    size_t first = 0;  // option of this GPU and size
    size_t n = 0;
    const Gpu *g = NULL;
    for (size_t i = 0; i < n_offers; i++) {
        bool same_gpu = g != NULL && strcmp(g->sku_id, offers[i]->sku_id) == 0;
        if (!same_gpu) g = f->gpus;
        while (strcmp(g->sku_id, offers[i]->sku_id) != 0) g++;
        if (!same_gpu || offers[i - 1]->gpu_count != offers[i]->gpu_count) first = n;
        if (has_option_of(f, options + first, n - first, offers[i])) {
            exclude_dearer(advice, offers[i], a);
            continue;
        }
        bool assumed = false;
        double most = offer_instances_most(f, offers[i], &assumed);
        Option *o = &options[n];
        *o = (Option){.gpu = g, .offer = offers[i], .instances = 1, .replicas = 1, .layout = {1, 1, 1, 1}};
        o->gpu_count = (int)offers[i]->gpu_count;
        clear_estimates(o);
        ServeStatus status = task_at(f, g, ask->model, &ask->workload, o->gpu_count, a, &o->task);
        const char *why = task_on_several(f, ask, most, a, o, &status);
        advice->judged[g->vendor] += status == SERVE_OK || status == SERVE_NO_MEMORY;
        if (why == NULL && status != SERVE_OK)
            why = status == SERVE_NO_PRECISION ? "no efficiency known for the GPU and precision"
                                               : serve_status_names[status];
        if (why == NULL && over_site(f, ask, g, o->gpu_count)) why = over_site_reason;
        if (why == NULL && o->instances > most) {
            exclude_short(advice, offers[i], assumed, a);
            continue;
        }
        if (why != NULL) {
            if (exclude(advice, "offers", why))
                exclude_example(advice, arena_printf(a, "%s x%g", g->sku_id, offers[i]->gpu_count));
            continue;
        }
        o->layout.dp = o->gpu_count;
        o->engine = "";
        o->weights = o->task.dtype;
        o->basis = o->task.basis;
        o->sources = o->task.sources;
        o->price_usd_h = offer_price_usd_h(ask, offers[i]) * o->instances;
        o->price_usd_gpu_h = o->price_usd_h / o->gpu_count;
        note_offer(f, ask, o);
        o->memory_used_pct =
            o->task.usable_bytes > 0 ? 100 * o->task.memory_bytes / o->task.usable_bytes : (double)NAN;
        fill_task_cost(ask, o);
        n++;
    }
    *ret_n = n;
    return options;
}
