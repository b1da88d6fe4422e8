// Which kind each layer of a model is: from the lists of its file, from its weights, or from the rules of its
// family.
#include <math.h>
#include <string.h>

#include "src/model/model.h"

bool has_blocks(const ModelDraft *d) { return (d->family->traits & TRAIT_BLOCKS) != 0; }

// The letters of listed_mix. In a model of blocks a layer is one thing alone; elsewhere a mixer and a
// feed-forward part.
static const struct {
    char letter;
    Mix mix;
    Feed feed;
} kinds[] = {
    {'F', MIX_FULL, FEED_DENSE},   {'W', MIX_WINDOW, FEED_DENSE}, {'L', MIX_LINEAR, FEED_DENSE},
    {'S', MIX_SPARSE, FEED_DENSE}, {'P', MIX_POOLED, FEED_DENSE}, {'C', MIX_CONV, FEED_DENSE},
    {'M', MIX_MAMBA, FEED_NONE},   {'*', MIX_FULL, FEED_NONE},    {'-', MIX_NONE, FEED_DENSE},
    {'E', MIX_NONE, FEED_EXPERTS},
};

char ratio_letter(double ratio) {
    return ratio == 0                       ? 'W'
           : ratio == mix_ratio(MIX_SPARSE) ? 'S'
           : ratio == mix_ratio(MIX_POOLED) ? 'P'
                                            : '\0';
}

static bool window_reaches(const Model *m) {
    return is_known(m->sliding_window) && !(m->sliding_window >= m->max_context);
}

// The kind by rule where no list says it.
static Mix mix_by_rule(const ModelDraft *d, size_t i) {
    const Model *m = &d->m;
    double number = (double)i + 1;
    if (is_known(d->full_every)) return fmod(number, d->full_every) == 0 ? MIX_FULL : MIX_LINEAR;
    if (!window_reaches(m)) return MIX_FULL;
    double every = is_known(d->window_every) ? d->window_every : d->family->window_every;
    switch (d->family->window) {
    case WINDOW_ALL: return MIX_WINDOW;
    case WINDOW_EVERY: return fmod(number, every) == 0 ? MIX_FULL : MIX_WINDOW;
    case WINDOW_SWITCHED:
        return d->use_window == 1 && is_known(d->window_from) && (double)i >= d->window_from ? MIX_WINDOW
                                                                                             : MIX_FULL;
    case WINDOW_NONE: break;
    }
    return MIX_FULL;
}

static void set_mix(const ModelDraft *d, size_t i, Layer *ret) {
    size_t listed = strlen(d->listed_mix);
    ret->mix = mix_by_rule(d, i);
    ret->feed = FEED_DENSE;
    if (listed == 0) return;
    for (size_t k = 0; i < listed && k < COUNT_OF(kinds); k++) {
        if (d->listed_mix[i] == kinds[k].letter) ret->mix = kinds[k].mix, ret->feed = kinds[k].feed;
    }
    if (i >= listed) ret->mix = MIX_FULL;
    bool far = is_known(d->m.sliding_window) && !window_reaches(&d->m);
    if (ret->mix == MIX_WINDOW && far) ret->mix = MIX_FULL;
}

// Behind the first dense layers each `moe_every`-th has experts, where neither a list nor the weights say
// which.
static bool experts_at(const ModelDraft *d, size_t i) {
    const Model *m = &d->m;
    if (d->listed_moe[0] != '\0') return i < strlen(d->listed_moe) && d->listed_moe[i] == '1';
    if (d->tensors != NULL && tensors_moe_layers(d->tensors) > 0)
        return i < TENSOR_LAYERS_MAX && d->tensors->expert_layer[i];
    double every = is_known(m->moe_every) ? m->moe_every : 1;
    double first = is_known(m->dense_layers_first) ? m->dense_layers_first : 0;
    return (double)i >= first && fmod((double)i + 1, every) == 0;
}

void layers_plan(ModelDraft *d) {
    double layers = is_known(d->m.layers) ? d->m.layers : 0;
    bool experts = is_known(d->m.experts) && d->m.experts > 1;
    d->n_plan = (size_t)layers;
    d->plan = arena_alloc(d->arena, d->n_plan + 1, sizeof *d->plan);
    for (size_t i = 0; i < d->n_plan; i++) {
        Layer *l = &d->plan[i];
        set_mix(d, i, l);
        if (!has_blocks(d) && experts && experts_at(d, i)) l->feed = FEED_EXPERTS;
        l->indexed =
            d->listed_index[0] == '\0' ? true : i < strlen(d->listed_index) && d->listed_index[i] == '1';
        l->borrows = is_known(d->borrowing) && (double)i >= layers - d->borrowing;
    }
}

double layers_of_mix(const ModelDraft *d, Mix mix) {
    double n = 0;
    for (size_t i = 0; i < d->n_plan; i++) n += d->plan[i].mix == mix;
    return n;
}

double layers_of_feed(const ModelDraft *d, Feed feed) {
    double n = 0;
    for (size_t i = 0; i < d->n_plan; i++) n += d->plan[i].feed == feed;
    return n;
}

bool blocks_check(const char *pattern, Err *e) {
    enum { LAYERS_MAX = 1000 };
    size_t n = strlen(pattern);
    size_t good = strspn(pattern, "M*-E");
    if (good < n)
        return err_set(e, ERR_USAGE, "'hybrid_override_pattern' has a layer '%c', which is not modelled",
                       pattern[good]);
    return n <= LAYERS_MAX ||
           err_set(e, ERR_USAGE, "'hybrid_override_pattern' has over %d layers", LAYERS_MAX);
}
