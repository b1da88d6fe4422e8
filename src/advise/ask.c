// What an ask lets through: GPUs, and the precisions of a model.
#include <string.h>

#include "src/advise/loaded.h"

bool ask_takes_gpu(const Ask *ask, const Gpu *g) {
    if (ask->vendor >= 0 && g->vendor != ask->vendor) return false;
    // What nobody can have yet is taken only where the user names it.
    bool meant = ask->gpus.n == 0 ? g->market != MARKET_ANNOUNCED : names_hold(&ask->gpus, g->sku_id);
    return meant && !names_hold(&ask->without_gpus, g->sku_id);
}

const Checkpoint *const *checkpoints_of(const Facts *f, const Model *m, Arena *a, size_t *ret_n) {
    const Checkpoint **found = arena_alloc(a, f->n_checkpoints + 1, sizeof *found);
    size_t n = 0;
    for (size_t i = 0; m != NULL && i < f->n_checkpoints; i++) {
        if (strcmp(f->checkpoints[i].model_id, m->model_id) == 0) found[n++] = &f->checkpoints[i];
    }
    *ret_n = n;
    return found;
}

const char *usual_weights(const Facts *f, const Model *m, Arena *a) {
    enum { LEAST_BITS = 8 };  // fewer cost quality that an answer must not spend unasked
    size_t n = 0;
    const Checkpoint *const *found = checkpoints_of(f, m, a, &n);
    const char *text = dtype_names[m->weights_native];
    for (size_t i = 0; i < n; i++) {
        const char *name = dtype_names[found[i]->weights];
        bool searched = found[i]->maker == MAKER_OWNER && dtype_bits(found[i]->weights) >= LEAST_BITS;
        if (searched && !word_in(text, name)) text = arena_printf(a, "%s %s", name, text);
    }
    return text;
}

bool bound_by_reach(const Ask *ask) { return ask->engines.n == 0; }
