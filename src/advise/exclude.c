// What an answer leaves out, counted by reason.
#include <string.h>

#include "src/advise/search.h"

bool exclude(Advice *advice, const char *what, const char *reason) {
    for (size_t i = 0; i < advice->n_exclusions; i++) {
        Exclusion *x = &advice->exclusions[i];
        if (strcmp(x->reason, reason) != 0 || strcmp(x->what, what) != 0) continue;
        x->count++;
        return false;
    }
    if (advice->n_exclusions == EXCLUSIONS_MAX) return false;
    advice->exclusions[advice->n_exclusions++] = (Exclusion){what, reason, 1, ""};
    return true;
}

void exclude_example(Advice *advice, const char *example) {
    advice->exclusions[advice->n_exclusions - 1].example = example;
}

void exclude_dearer(Advice *advice, const Offer *offer, Arena *a) {
    if (!exclude(advice, "offers", "dearer region or instance of the same provider")) return;
    exclude_example(advice, arena_printf(a, "%s %s %s", offer->provider, offer->instance, offer->region));
}

void exclude_short(Advice *advice, const Offer *offer, bool assumed, Arena *a) {
    advice->short_of[assumed]++;
    if (!exclude(advice, "offers",
                 assumed ? "the load takes more machines than its class of sellers is taken to have"
                         : "the load takes more machines than were seen"))
        return;
    exclude_example(advice, arena_printf(a, "%s %s", offer->provider,
                                         offer->instance[0] != '\0' ? offer->instance : offer->listed_name));
}
