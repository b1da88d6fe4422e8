// KV capacity in tokens.
#include "src/perf/kv.h"

#include <math.h>

#include "src/perf/replica.h"

double kv_state_bytes(const Model *m) {
    return or_zero(m->state_elements_per_seq) * 4;  // recurrent state is kept in fp32
}

double kv_sequence_bytes(const Serving *s, double context) {
    double state = kv_state_bytes(s->model);
    double copies = (model_cache_bytes(s->model, context, s->kv) - state) * s->cache_copies + state;
    return copies * (1 - s->host_share);
}

double kv_state_share(const Serving *s) {
    bool pool = is_known(s->limits->state_share) && kv_state_bytes(s->model) > 0;
    return pool ? s->limits->state_share : 0;
}

// Activations of a chunk of prompt on one GPU: the residual stream and its copies, what the ranks have of the
// widest layer, and of a layer of experts the token's copies on their way to them and back.
static double activation_bytes(const Serving *s) {
    const Model *m = s->model;
    bool moe = model_is_moe(m);
    double experts = moe ? or_zero(m->experts_per_token) : 0;
    double width = fmax(or_zero(m->intermediate),
                        moe ? or_zero(m->moe_intermediate) * experts : or_zero(m->moe_intermediate));
    return s->limits->chunk_tokens * ((4 + experts) * m->hidden + 2 * width / s->layout.tp) * 2;
}

double kv_workspace_bytes(const Facts *facts, const Serving *s) {
    double own = s->limits->process_gb;
    double process = (is_known(own) ? own : constant_of(facts, CONSTANT_WORKSPACE_GB_PER_GPU)) * 1e9;
    double rest = constant_of(facts, CONSTANT_WORKSPACE_SHARE) * gpu_usable_bytes(s->gpu);
    return s->layout.tp * s->layout.pp * (process + rest + activation_bytes(s));
}

// Host memory keeps a token once: engines that offload copy the cache of one rank where all hold the same.
static double host_bytes_per_token(const Serving *s, double context) {
    return model_cache_bytes(s->model, context, s->kv) / context;
}

KvCapacity kv_capacity(const Facts *facts, const Serving *s) {
    const double nan = (double)NAN;
    if (!(s->usable_bytes > 0)) return (KvCapacity){nan, nan, nan, nan, nan, nan};
    double context = mean_context(s), share = kv_state_share(s);
    double sequence = kv_sequence_bytes(s, context) - (share > 0 ? kv_state_bytes(s->model) : 0);
    double a_token = sequence / context;
    double doubt = constant_of(facts, CONSTANT_KV_DOUBT_SHARE) * s->usable_bytes * (1 - share);
    double room = s->room_bytes * (1 - share);
    return (KvCapacity){.tokens = room / a_token,
                        .low = fmax(room - doubt, 0) / a_token,
                        .high = room > 0 ? (room + doubt) / a_token : 0,
                        .bytes_per_token = a_token,
                        .state_bytes = s->room_bytes * share,
                        .host_tokens = s->host_bytes / host_bytes_per_token(s, context)};
}

double kv_load_s(const Facts *facts, const Serving *s, double tokens) {
    double link = constant_of(facts, CONSTANT_HOST_LINK_GB_S) * 1e9 * s->layout.tp * s->layout.pp;
    return tokens * host_bytes_per_token(s, mean_context(s)) * s->cache_copies / link;
}
