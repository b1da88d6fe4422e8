// Serving: a replica's time at a load, and the load that it can carry.
#include <math.h>
#include <string.h>

#include "src/perf/posterior.h"
#include "src/perf/replica.h"

const char *const time_item_names[] = {"weights", "compute", "kv-cache", "interconnect",
                                       "launch",  "prefill", NULL};
const char *const time_item_titles[] = {
    "reading weights from memory",
    "matrix arithmetic of decoding",
    "reading the KV cache",
    "messages between the GPUs",
    "kernel launches and scheduling",
    "prompts of other requests in between",
    NULL,
};

static double cube(double x) { return x * x * x; }

// ---------------------------------------------------------------- time

// All-reduces of one token at full rates: two a layer, but where experts are spread over replicas only the
// attention's.
static double reduces_s(const Serving *s) {
    double reduces = 2 * s->model->layers - (s->expert_ranks > 1 ? model_expert_layers(s->model) : 0);
    return ranks(s) <= 1 ? 0 : reduces * s->model->hidden * 2 * (reduce_link_s(s) + reduce_network_s(s));
}

static double all_to_all_s(const Serving *s, double tokens, double message) {
    if (s->expert_ranks <= 1) return 0;
    double token = s->model->experts_per_token * s->model->hidden * 2;
    return tokens * model_expert_layers(s->model) * all_to_all_bytes(s) * all_to_all_byte_s(s) /
           factors_link_share(&s->factors, message / ranks(s) * token);
}

// `tokens` in messages of `message` tokens.
static double link_s(const Serving *s, double tokens, double message) {
    double all_to_all = all_to_all_s(s, tokens, message);
    return all_to_all +
           tokens * reduces_s(s) / factors_link_share(&s->factors, message * s->model->hidden * 2);
}

static double launch_s(const Serving *s) {
    return s->model->layers * (s->factors.layer_overhead_s + (ranks(s) > 1 ? s->factors.tau_tp_s : 0));
}

// Bytes of routed experts that `tokens` of each replica touch, on the GPUs of one. Experts dealt out whole wait
// for the GPU that has most of them to read; between replicas that is in spread_step_ratio.
static double touched_experts(const Serving *s, double tokens) {
    const Model *m = s->model;
    if (!model_is_moe(m)) return 0;
    double share = 1 - pow(1 - m->experts_per_token / m->experts, tokens * s->expert_ranks);
    double parts = expert_parts(s);
    double fullest = s->expert_ranks > 1 ? 1 : fullest_over_mean(parts, m->experts / parts, share);
    return s->expert_bytes / s->expert_ranks * fmin(share * fullest, 1);
}

static double touched_bytes(const Serving *s, double tokens) {
    return s->fixed_bytes + touched_experts(s, tokens);
}

static double bandwidth(const Serving *s) { return s->gpu->memory_bw_gb_s * 1e9 * s->layout.tp; }
static double flops_rate(const Serving *s) {
    return gpu_peak_flops(s->gpu, s->compute) * s->clock * s->layout.tp;
}

static double weights_s(const Serving *s, double tokens) {
    return (s->fixed_bytes / s->factors.eta_bw + touched_experts(s, tokens) / s->factors.eta_expert) /
           bandwidth(s);
}

// Seconds that drafts of one token each for `batch` sequences take to read, and their flops: one more layer
// and the head.
static double draft_read_s(const Serving *s, double batch) {
    return weights_s(s, batch) / s->model->layers +
           s->model->vocab * s->model->hidden * 2 / s->factors.eta_bw / bandwidth(s);
}
static double draft_flops(const Serving *s, double batch) {
    return batch * (model_token_flops(s->model) / s->model->layers + 2 * s->model->vocab * s->model->hidden);
}

// Flops of a token on the GPUs: those of layers and experts in host memory are the CPU's.
static double gpu_token_flops(const Serving *s, double context) {
    const Model *m = s->model;
    double all = model_token_flops(m) + model_decode_attention_flops(m, context);
    double experts = s->host_expert_bytes + s->expert_bytes;
    if (!(serving_host_bytes(s) > 0)) return all;
    if (!(experts > 0)) return all * (1 - s->host_share);
    double routed = 2 * m->params_expert_routed * m->experts_per_token / m->experts;
    return (all - routed) * (1 - s->host_share) + routed * s->expert_bytes / experts;
}

// One decode step of `batch` sequences through all layers, by item (TIME_PREFILL stays 0). Drafts are
// verified with the token that they follow.
static double roofline_items(const Serving *s, double batch, double items[TIME_COUNT]) {
    double context = mean_context(s), tokens = batch * (1 + s->drafts);
    double weights = weights_s(s, tokens);
    double flops = tokens * gpu_token_flops(s, context);
    if (s->drafts > 0) {
        weights += s->drafts * draft_read_s(s, batch);
        flops += s->drafts * draft_flops(s, batch);
    }
    double compute =
        flops / flops_rate(s) / s->factors.eta_compute + extras_step_s(s, EXTRA_UNPACKING, batch, tokens);
    // Reading and computing overlap, but not quite where they take alike: a smooth maximum, shown under the
    // larger.
    double both = cbrt(weights * weights * weights + compute * compute * compute);
    items[TIME_WEIGHTS] = weights >= compute ? both : 0;
    items[TIME_COMPUTE] = weights >= compute ? 0 : both;
    items[TIME_KV] = batch * s->read_bytes_per_seq / bandwidth(s) / s->factors.eta_kv +
                     extras_step_s(s, EXTRA_INDEXER, batch, tokens) +
                     extras_step_s(s, EXTRA_LINEAR, batch, tokens);
    items[TIME_LINK] = link_s(s, tokens, tokens);
    items[TIME_LAUNCH] = launch_s(s) * (1 + s->drafts / s->model->layers) +
                         batch * stages_at_once(s) * s->factors.sequence_overhead_s;
    items[TIME_PREFILL] = 0;
    double step = 0;
    for (int i = 0; i < TIME_COUNT; i++) step += items[i] *= 1 + s->pp_bubble * (s->layout.pp - 1);
    return step;
}

// The same as a sum of kernels, with what an engine makes of it.
static double kernel_items(const Serving *s, double batch, double items[TIME_COUNT]) {
    double tokens = batch * (1 + s->drafts), step = 0;
    const Factors *f = &s->factors;
    kernels_step(s, batch, tokens, items);
    double bubble = 1 + s->pp_bubble * (s->layout.pp - 1);
    double scale = f->scale * (1 + s->drafts / s->model->layers) * bubble;
    for (int i = 0; i < TIME_COUNT; i++) step += items[i] *= scale;
    double beside = (f->step_s + batch * stages_at_once(s) * f->kernel_sequence_s) * bubble;
    items[TIME_LAUNCH] += beside;
    step += beside;
    return step;
}

// Of two ways to say a time that are off independently, the geometric mean.
static double mixed(const Serving *s, double kernels, double roofline) {
    return roofline * pow(kernels / roofline, s->kernel_share);
}

static double gpu_items(const Serving *s, double batch, double items[TIME_COUNT]) {
    double other[TIME_COUNT], share = s->kernel_share;
    if (share >= 1) return kernel_items(s, batch, items);
    double roofline = roofline_items(s, batch, items);
    if (share <= 0) return roofline;
    double kernels = kernel_items(s, batch, other), step = mixed(s, kernels, roofline);
    double of_kernels = step * share / kernels, of_roofline = step * (1 - share) / roofline;
    for (int i = 0; i < TIME_COUNT; i++) items[i] = of_kernels * other[i] + of_roofline * items[i];
    return step;
}

static double host_s(const Serving *s, double batch) {
    return extras_step_s(s, EXTRA_HOST, batch, batch * (1 + s->drafts));
}

double serving_step_items(const Serving *s, double batch, double items[TIME_COUNT]) {
    double step = gpu_items(s, batch, items);
    double host = host_s(s, batch);
    items[TIME_WEIGHTS] += host;
    return step + host;
}

// What of a prompt no cache holds, and its arithmetic: its own tokens, with all that stand before them.
static double fresh_tokens(const Serving *s) { return s->isl * (1 - s->cached_share); }

static double prompt_flops(const Serving *s) {
    double held = model_prompt_attention_flops(s->model, s->isl * s->cached_share);
    return fresh_tokens(s) * model_token_flops(s->model) + model_prompt_attention_flops(s->model, s->isl) -
           held;
}

// What of a prompt is neither products nor attention.
static double prompt_extras_s(const Serving *s) {
    double tokens = fresh_tokens(s), sum = 0;
    for (int i = 0; i < EXTRA_COUNT; i++) sum += extras_prompt_s(s, (ExtraKind)i, s->isl - tokens, tokens);
    return sum;
}

// Tokens that are read in one go: engines cut long prompts, and read short ones together.
static const double CHUNK_LEAST = 1024, CHUNK_MOST = 8192;

// The arithmetic of one prompt while decoding goes on, and all of its time where nothing else runs.
static double mixed_chunk(const Serving *s) { return fmin(fmax(fresh_tokens(s), CHUNK_LEAST), CHUNK_MOST); }

static double prompt_roofline_mixed_s(const Serving *s) {
    if (s->cached_share >= 1) return 0;
    return prompt_flops(s) / flops_rate(s) / s->factors.eta_prefill + prompt_extras_s(s) +
           link_s(s, fresh_tokens(s), mixed_chunk(s));
}

static double prompt_kernels_mixed_s(const Serving *s) {
    if (s->cached_share >= 1) return 0;
    return s->factors.prompt * kernels_prompt_s(s, fresh_tokens(s), mixed_chunk(s));
}

static double prefill_mixed_s(const Serving *s) {
    double roofline = prompt_roofline_mixed_s(s);
    return s->kernel_share <= 0 || s->cached_share >= 1 ? roofline
                                                        : mixed(s, prompt_kernels_mixed_s(s), roofline);
}

static double roofline_alone_s(const Serving *s) {
    double tokens = fresh_tokens(s);
    double reading = prompt_flops(s) / flops_rate(s) / s->factors.eta_prefill + prompt_extras_s(s) +
                     link_s(s, tokens, fmin(fmax(tokens, CHUNK_LEAST), CHUNK_MOST));
    return fmax(s->cached_share < 1 ? reading : 0, weights_s(s, tokens)) + launch_s(s);
}

static double prefill_alone_s(const Serving *s) {
    double roofline = roofline_alone_s(s), tokens = fresh_tokens(s);
    if (s->kernel_share <= 0 || s->cached_share >= 1) return roofline;
    double kernels =
        s->factors.prompt * kernels_prompt_s(s, tokens, fmin(tokens, CHUNK_MOST)) + s->factors.step_s;
    return mixed(s, kernels, roofline);
}

double serving_prompt_s(const Serving *s) { return prefill_alone_s(s); }

double serving_ways_variance(const Facts *facts, const Serving *s) {
    static const double RUNNING = 32;
    if (s->kernel_share <= 0) return 0;
    double running = fmin(s->sequences_max, RUNNING), steps = s->osl / s->kept, items[TIME_COUNT];
    double host = steps * host_s(s, running);
    // seconds of a batch and its prompts, said one way alone
    double kernels = running * prompt_kernels_mixed_s(s) + steps * kernel_items(s, running, items) + host;
    double roofline = running * prompt_roofline_mixed_s(s) + steps * roofline_items(s, running, items) + host;
    double apart = log(kernels / roofline);
    return square(constant_of(facts, CONSTANT_WAYS_DOUBT) * apart);
}

static TimeItem largest(const double items[TIME_COUNT]) {
    TimeItem best = TIME_WEIGHTS;
    for (int i = 1; i < TIME_COUNT; i++) {
        if (items[i] > items[best]) best = (TimeItem)i;
    }
    return best;
}

// The same as an engine runs it. Replicas that share experts go in step, each waiting for the slowest and for
// tokens of the others.
static double engine_step(const Serving *s, double batch, double items[TIME_COUNT]) {
    double step = serving_step_items(s, batch, items);
    if (s->expert_ranks <= 1) return step;
    for (int i = 0; i < TIME_COUNT; i++) items[i] *= s->limits->spread_step_ratio;
    return step * s->limits->spread_step_ratio;
}

double serving_prompt_hold_s(const Serving *s) {
    return s->cached_share < 1 ? s->hold_share * s->factors.start_s : 0;
}

double serving_prompt_mixed_s(const Serving *s) { return prefill_mixed_s(s) / stages_at_once(s); }
double serving_running_step_s(const Serving *s, double running) {
    double items[TIME_COUNT];
    return engine_step(s, fmax(running / stages_at_once(s), 1), items);
}

// Seconds that do not depend on what else runs: of a prompt in steps of others and alone, of a request that
// runs alone, and of one of its steps, whose parts are `items`.
typedef struct Prompts {
    double mixed_s, alone_s, request_s, step_s;
    double items[TIME_COUNT];
} Prompts;

static Prompts prompts_of(const Serving *s) {
    double alone = s->cached_share < 1 ? s->ttft_alone_share * prefill_alone_s(s) : 0;
    Prompts p = {.mixed_s = prefill_mixed_s(s), .alone_s = alone};
    p.step_s = engine_step(s, 1, p.items);
    p.request_s = alone + s->osl * p.step_s / s->kept;
    return p;
}

// What a prompt waits on average for those before it, which are read one after the other and take alike
// (Pollaczek and Khinchine), where each of `running` sequences brings its next one after `e2e_s`.
static double wait_for_prompts(double running, double prompt_s, double e2e_s) {
    static const double RHO_MOST = 0.95;
    double rho = fmin(running * prompt_s / e2e_s, RHO_MOST);
    return running > 1 ? rho * prompt_s / (2 * (1 - rho)) : 0;
}

// What of a pass falls on one prompt where prompts come at `rate`: those that came in a pass and the step behind it
// share the next. (Were arrivals Poisson and passes as prompt as they can be there would be up to a quarter more of
// them; with that, publishers left out are further off.)
static double hold_of_prompt(const Serving *s, double rate, double step) {
    double hold = serving_prompt_hold_s(s);
    return hold / (1 + rate * (step + hold));
}

// E2E of `running` sequences, `e2e_s` without the passes that the others' prompts are read in:
// E = e2e + others x hold_of_prompt at others / E a second, which is a quadratic.
static double held_up(const Serving *s, double e2e_s, double running, double step) {
    double hold = serving_prompt_hold_s(s), others = running - 1;
    if (others <= 0 || hold <= 0) return e2e_s;
    double half = (e2e_s - others * step) / 2;
    return half + sqrt(square(half) + e2e_s * others * (step + hold));
}

// How requests come: as many as run are always there, or at a rate, whose waits put_waits() adds.
typedef enum Arriving { CLOSED_LOOP, AT_A_RATE } Arriving;

// A batch of `running` sequences with no more than those there.
static Point batch_point(const Serving *s, const Prompts *prompts, double running, Arriving how) {
    Point p = {.concurrency = running, .running = running};
    double pp = stages_at_once(s);
    double step = prompts->step_s;
    memcpy(p.item_s, prompts->items, sizeof p.item_s);
    if (running > pp) step = engine_step(s, running / pp, p.item_s);
    double each = step / s->kept;  // of an output token
    for (int i = 0; i < TIME_COUNT; i++) p.item_s[i] /= s->kept;
    // A prompt alone takes less than one in the steps of others. With others no request ends sooner than
    // alone, nor later than in a row.
    double together =
        held_up(s, fmax(running / pp, 1) * prompts->mixed_s + s->osl * each, running / pp, step);
    p.e2e_s = s->factors.start_s +
              (running > 1 ? fmin(fmax(together, prompts->request_s), running * prompts->request_s)
                           : prompts->request_s);
    // A prompt waits for the step that is running, and never takes from the steps of its own output.
    double first = s->factors.start_s + prompts->alone_s + (running > 1.5 ? step : 0);
    if (how == CLOSED_LOOP)
        first += wait_for_prompts(running, prompts->mixed_s / pp + serving_prompt_hold_s(s), p.e2e_s);
    p.ttft_s = s->osl > 1 ? fmin(first, p.e2e_s - (s->osl - 1) * each) : p.e2e_s;
    p.tpot_s = s->osl > 1 ? (p.e2e_s - p.ttft_s) / (s->osl - 1) : (double)NAN;
    p.ttft_p99_s = p.ttft_s * s->ttft_p99_ratio;
    p.tpot_p99_s = p.tpot_s * s->tpot_p99_ratio;
    p.item_s[TIME_PREFILL] = fmax(p.e2e_s / s->osl - each, 0);
    p.bound_by = largest(p.item_s);
    p.output_tokens_s = running * s->osl / p.e2e_s;
    p.total_tokens_s = running * (s->isl + s->osl) / p.e2e_s;
    posterior_correct(s, &p);
    return p;
}

// Time that a request waits before it starts goes to TTFT and so to E2E.
static void add_wait(const Serving *s, Point *p, double wait_s) {
    p->ttft_s += wait_s;
    p->ttft_p99_s += wait_s;
    p->e2e_s += wait_s;
    p->concurrency = p->output_tokens_s * p->e2e_s / s->osl;  // Little's law
}

Point serving_at(const Serving *s, double concurrency) {
    Prompts prompts = prompts_of(s);
    Point p = batch_point(s, &prompts, fmax(fmin(concurrency, s->sequences_max), 1), CLOSED_LOOP);
    if (concurrency > p.running) {
        add_wait(s, &p, concurrency * s->osl / p.output_tokens_s - p.e2e_s);
        p.queued = true;
    }
    return p;
}

// Moments of a wait: mean and variance.
typedef struct Wait {
    double mean, variance;
} Wait;

// What Poisson arrivals wait, apart from the step and the prompt that are their own. Steps follow each other; a
// prompt is read in the first one that begins after its arrival, with all that came meanwhile: a single server
// with gated vacations (Takagi 1991), a vacation being a step without prompts. A step lasts C = V + the prompts
// that came in the one before, whose cumulants follow from that; an arrival sees one drawn by its length, waits
// for what is left of it, and then for what came in it.
static Wait gated_wait(double rate, double step, double prompt, double length_cv, double rho) {
    double spread = 1 + square(length_cv);  // E[S^2] = prompt^2 x spread, E[S^3] = prompt^3 x spread^3
    double second = rate * square(prompt) * spread, third = rate * cube(prompt * spread);
    double k1 = step / (1 - rho), k2 = second * k1 / (1 - square(rho));
    double k3 = (3 * rho * second * k2 + third * k1) / (1 - cube(rho));
    double seen = (k2 + square(k1)) / k1;  // E[C^2] / E[C], and of its square
    double seen2 = (k3 + 3 * k2 * k1 + cube(k1)) / k1;
    return (Wait){seen * (0.5 + rho),
                  (seen2 - square(seen)) * square(0.5 + rho) + seen2 / 12 + second * seen};
}

// Quantiles: a log-normal with the mean and variance of the wait and of as much of the own prompt as varies.
static void put_waits(const Serving *s, double rate, Point *p) {
    static const double Z99 = 2.3263478740408408, RHO_MOST = 0.99;
    double prompt = prefill_mixed_s(s) / stages_at_once(s), step = 0;
    for (int i = 0; i < TIME_PREFILL; i++) step += p->item_s[i] * s->kept;
    prompt += hold_of_prompt(s, rate, step);  // of a pass, one prompt's part
    double rho = fmin(rate * prompt, RHO_MOST);
    Wait wait = gated_wait(rate, step, prompt, s->length_cv, rho);
    // else a request finds nothing running, and starts at once
    double working = 1 - exp(-p->running), mean = working * wait.mean;
    double variance = working * (wait.variance + square(wait.mean)) - square(mean);
    // Clients of a closed loop come in bursts, which the engine's overhead is fitted to; those that come at
    // random do not.
    double overhead = s->rate_overhead_s - s->factors.start_s;
    double varying = prompt * fmin(s->length_cv, 1);
    double base = p->ttft_s + overhead - varying, whole = mean + varying;
    double log_variance = log(1 + (variance + square(prompt * s->length_cv)) / square(whole));
    double typical = base + whole * exp(-log_variance / 2);
    p->e2e_s += typical - p->ttft_s;
    p->ttft_s = typical;
    p->concurrency = rate * p->e2e_s;  // Little's law
    p->ttft_p99_s = base + whole * exp(Z99 * sqrt(log_variance) - log_variance / 2);
}

bool serving_at_rate(const Serving *s, double rate, double utilisation_max, Point *ret_point) {
    Prompts prompts = prompts_of(s);
    Point best = batch_point(s, &prompts, s->sequences_max, AT_A_RATE);
    if (rate > utilisation_max * best.output_tokens_s / s->osl) return false;
    double low = 1;
    double high = s->sequences_max;
    // sequences that come in the time of one, above those that run
    Point p = batch_point(s, &prompts, low, AT_A_RATE);
    double over = rate * p.e2e_s - low;
    double under = rate * best.e2e_s - high;
    if (over <= 0) {
        high = low;
    } else {
        p = best;
    }
    // regula falsi (Illinois), halving now and then for the sake of kinks
    for (int i = 1; i <= 60 && high - low > 1e-6 * high; i++) {
        double x = i % 4 != 0 ? (low * under - high * over) / (under - over) : (low + high) / 2;
        if (!(x > low && x < high)) x = (low + high) / 2;
        Point at = batch_point(s, &prompts, x, AT_A_RATE);
        double left = rate * at.e2e_s - x;
        if (left > 0) {
            low = x, over = left, under /= 2;
        } else {
            high = x, under = left, over /= 2, p = at;
            if (-left <= 1e-7 * x) break;
        }
    }
    p.output_tokens_s = rate * s->osl;
    p.total_tokens_s = rate * (s->isl + s->osl);
    put_waits(s, rate, &p);
    *ret_point = p;
    return true;
}

static bool within(const Point *p, double ttft_limit_s, double tpot_limit_s) {
    return !(p->ttft_p99_s > ttft_limit_s) && !(p->tpot_p99_s > tpot_limit_s);
}

Roof serving_roof(const Serving *s, double running) {
    double gpus = s->layout.tp * stages_at_once(s);
    double prompt = s->cached_share < 1 ? prompt_flops(s) : 0;
    Roof r = {.read_bytes = touched_bytes(s, running) + running * s->read_bytes_per_seq,
              .flops = running * ((1 + s->drafts) * model_token_flops(s->model) + s->kept * prompt / s->osl)};
    r.read_s =
        r.read_bytes / (s->gpu->memory_bw_gb_s * 1e9 * gpus) + extras_step_s(s, EXTRA_HOST, running, running);
    r.compute_s = r.flops / (gpu_peak_flops(s->gpu, s->compute) * gpus);
    r.tokens_s = running * s->kept / fmax(r.read_s, r.compute_s);
    return r;
}

double serving_bound(const Serving *s, double running) { return serving_roof(s, running).tokens_s; }

double serving_user_bound(const Serving *s, double running) {
    Serving decoding = *s;
    decoding.cached_share = 1;
    return serving_roof(&decoding, running).tokens_s / running;
}

double serving_capacity(const Serving *s, double ttft_limit_s, double tpot_limit_s) {
    Prompts prompts = prompts_of(s);
    double low = 0;
    double high = s->sequences_max + 1;
    while (high - low > 1) {  // invariant: low fits (0 trivially), high does not
        double middle = floor((low + high) / 2);
        Point p = batch_point(s, &prompts, middle, CLOSED_LOOP);
        if (within(&p, ttft_limit_s, tpot_limit_s)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
