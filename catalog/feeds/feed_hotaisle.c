// Hot Aisle: machines with AMD GPUs that a team may start now; prices in cents of the machine.
#include <math.h>

#include "catalog/feeds/feed.h"

static bool read_machines(FeedDoc *doc, const Json *root, Err *e) {
    if (!json_is_array(root)) return err_set(e, ERR_FAILED, "the answer is no list of machines");
    for (const Json *m = json_first(root); m != NULL; m = json_next(m)) {
        const Json *specs = json_get(m, "Specs");
        const Json *gpu = json_first(json_get(specs, "gpus"));
        double count = feed_number(json_get(gpu, "count"));
        const char *model = feed_text(gpu, "model");
        // some machines differ in nothing else
        const char *cpu = feed_text(json_get(specs, "cpus"), "model");
        if (!(count > 0)) {
            feed_reject(doc, "no GPU", model);
            continue;
        }
        feed_row(doc, &(FeedRow){.instance = feed_printf(doc, "%.0fx %s%s%s", count, model,
                                                         cpu[0] != '\0' ? " " : "", cpu),
                                 .said = feed_said(doc, m),
                                 .region = "us-michigan-1",
                                 .country = "US",
                                 .gpu = model,
                                 .gpu_count = count,
                                 .vcpus = feed_number(json_get(specs, "cpu_cores")),
                                 .ram_gb = feed_number(json_get(specs, "ram_capacity")) / 1e9,
                                 .price = feed_number(json_get(m, "OnDemandPrice")) / 100,
                                 .available = AVAILABLE_YES});
    }
    return true;
}

static const FeedDocSpec docs[] = {
    {.part = "",
     .url = "https://admin.hotaisle.app/api/teams/{team}/virtual_machines/available/",
     .json = read_machines}};

const Feed feed_hotaisle = {.name = "hotaisle",
                            .home = "admin.hotaisle.app available machines",
                            .docs = docs,
                            .n_docs = COUNT_OF(docs),
                            .auth = AUTH_TOKEN,
                            .key_name = "HOTAISLE_API_KEY",
                            .team_name = "HOTAISLE_TEAM"};
