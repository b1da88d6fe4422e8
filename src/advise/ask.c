// What an ask lets through: lists of names, and the GPUs that pass them.
#include <string.h>

#include "src/advise/advise.h"

bool names_hold(const Names *names, const char *name) {
    for (size_t i = 0; i < names->n; i++) {
        if (strcmp(names->items[i], name) == 0) return true;
    }
    return false;
}

const char *names_text(const Names *names, Arena *a) {
    const char *text = names->n > 0 ? names->items[0] : "";
    for (size_t i = 1; i < names->n; i++) text = arena_printf(a, "%s, %s", text, names->items[i]);
    return text;
}

bool ask_takes_gpu(const Ask *ask, const Gpu *g) {
    if (ask->vendor >= 0 && g->vendor != ask->vendor) return false;
    return (ask->gpus.n == 0 || names_hold(&ask->gpus, g->sku_id)) && !names_hold(&ask->without_gpus, g->sku_id);
}
