// Disaggregated serving: some replicas read prompts, others write answers, and the caches go from one to the
// other.
//
//   X(b)  = D b / ((O - 1) step(b) / A)                      D replicas that write, b sequences in each
//   C     = D b + X (prompt + hand-over) + waiting           Little's law over all that is in flight
//   X    <= P / prompt                                       P replicas that read, one prompt after the other
//   TTFT  = overhead + prompt + hand-over + waiting;  TPOT = step(b) / A
// A step takes split_step_ratio times what it takes on one node: caches come in and pools wait for each other
// meanwhile. The upper bounds of a closed network (Denning and Buzen 1978): what waits, waits before the
// first token.
#include <math.h>

#include "src/perf/perf.h"

typedef struct Network {
    const Serving *reading, *writing;
    double prefill_replicas, decode_replicas;
    double first_s;  // of a prompt on its own: read and handed over
} Network;

double serving_hand_over_s(const Serving *s) {
    return model_cache_bytes(s->model, s->isl, s->kv) / (s->network_bytes_s * s->layout.tp);
}

// Seconds of an output token with `batch` in each writer, and where they go.
static double token_s(const Network *n, double batch, double items[TIME_COUNT]) {
    const Serving *s = n->writing;
    double step = serving_step_items(s, fmax(batch, 1), items);
    for (int i = 0; i < TIME_COUNT; i++) items[i] *= s->split_step_ratio / s->kept;
    return step * s->split_step_ratio / s->kept;
}

// Seconds of an answer after its first token.
static double answer_s(const Network *n, double batch) {
    double items[TIME_COUNT];
    return (n->writing->osl - 1) * token_s(n, batch, items);
}

static double requests_s(const Network *n, double batch) {
    return n->decode_replicas * batch / answer_s(n, batch);
}

// The largest batch of a decode replica that the load, the prefill replicas and the memory allow.
static double batch_of(const Network *n, double concurrency) {
    double most = n->prefill_replicas / serving_prompt_s(n->reading), low = 0,
           high = fmin(n->writing->sequences_max, concurrency / n->decode_replicas);
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, rate = requests_s(n, middle);
        bool room = n->decode_replicas * middle + rate * n->first_s <= concurrency && rate <= most;
        *(room ? &low : &high) = middle;
    }
    return low;
}

// Per writer and reader, as all figures of a replica are.
static void put_point(const Network *n, double concurrency, double running, double rate, double each,
                      Point *p) {
    const Serving *s = n->writing;
    double replicas = n->prefill_replicas + n->decode_replicas;
    double wait = fmax(concurrency / rate - n->first_s - (s->osl - 1) * each, 0);
    p->queued = wait > 1e-6 * n->first_s;
    p->ttft_s = s->factors.start_s + n->first_s + wait;
    p->tpot_s = s->osl > 1 ? each : (double)NAN;
    p->ttft_p99_s = p->ttft_s * s->ttft_p99_ratio;
    p->tpot_p99_s = p->tpot_s * s->tpot_p99_ratio;
    p->e2e_s = p->ttft_s + (s->osl - 1) * each;
    p->concurrency = concurrency / replicas;
    p->running = running / replicas;
    p->output_tokens_s = concurrency * s->osl / p->e2e_s / replicas;
    p->total_tokens_s = p->output_tokens_s * (s->isl + s->osl) / s->osl;
    p->item_s[TIME_PREFILL] = (p->ttft_s - wait) / s->osl;
}

Point serving_split(const Serving *reading, const Serving *writing, int prefill_replicas, int decode_replicas,
                    double concurrency) {
    Network n = {reading, writing, prefill_replicas, decode_replicas,
                 serving_prompt_s(reading) + serving_hand_over_s(reading)};
    Point p = {0};
    if (writing->osl > 1) {
        double batch = batch_of(&n, concurrency);
        double each = token_s(&n, batch, p.item_s);
        for (int i = 0; i < TIME_COUNT; i++) p.item_s[i] *= (writing->osl - 1) / writing->osl;
        put_point(&n, concurrency, n.decode_replicas * batch, requests_s(&n, batch), each, &p);
    } else {
        put_point(&n, concurrency, 0,
                  fmin(n.prefill_replicas / serving_prompt_s(reading), concurrency / n.first_s), 0, &p);
    }
    for (int i = 0; i < TIME_COUNT; i++) {
        if (p.item_s[i] > p.item_s[p.bound_by]) p.bound_by = (TimeItem)i;
    }
    return p;
}
