// Requests that all come at once.
//
// Counted in steps k of the engine, with a prompt every `gap` = isl / chunk steps (0 where prompts are read ahead
// of decoding) and S(x) the share of answers longer than x steps, F(x) = int_0^x S, F(inf) = m:
//   ramp   r(k) = F(k) / gap, until all are let in or r reaches the places P
//   hold   r = P; an answer's end lets the next prompt in
//   drain  what is left of those that run: after a hold P (1 - F(k) / m), else (F(K + k) - F(k)) / gap
// The steps of the hold follow from the tokens: sum of r over all steps = prompts x m. Answers of one length
// that are held up come in waves instead, each of m steps. With step(r) seconds a step and p seconds a prompt
//   T = start + prompts x p + sum over steps of step(r)
#include "src/perf/burst.h"

#include <math.h>

#include "src/perf/engines.h"

// Answers are cut: the longest of a data set's is some five times the mean of what is over the shortest.
static const double LONGEST = 5;

typedef struct Run {
    const Serving *s;
    double places, gap;
    double sure, rest;             // answers' steps: none is shorter, and what is over that on average
    double steps, sequence_steps;  // so far, and summed over the sequences that run
    double seconds, sequence_s;    // of steps of decoding, and the same over the sequences
} Run;

// ---------------------------------------------------------------- lengths

static double mean_steps(const Run *r) { return r->sure + r->rest; }

static double longer_than(const Run *r, double steps) {
    if (steps < r->sure) return 1;
    return r->rest > 0 && steps < r->sure + LONGEST * r->rest ? exp((r->sure - steps) / r->rest) : 0;
}

static double lived(const Run *r, double steps) {  // F
    if (steps <= r->sure) return steps;
    return r->rest > 0 ? r->sure + r->rest * (1 - exp((r->sure - steps) / r->rest)) : r->sure;
}

// The steps at which F is `area`; infinity when it never is.
static double steps_to(const Run *r, double area) {
    if (area <= r->sure) return area;
    return area < mean_steps(r) ? r->sure - r->rest * log(1 - (area - r->sure) / r->rest) : (double)INFINITY;
}

// ---------------------------------------------------------------- sums over steps

static void add_steps(Run *r, double steps, double running) {
    if (!(steps > 0) || !(running > 0)) return;
    // fewer than one on average: one, some of the time
    double share = fmin(running, 1), each = serving_running_step_s(r->s, fmax(running, 1));
    r->steps += steps * share, r->sequence_steps += steps * running;
    r->seconds += steps * share * each, r->sequence_s += steps * running * each;
}

// Gauss-Legendre over the steps from `from` to `to`.
static void add_span(Run *r, double from, double to, double (*running)(const Run *r, double k, double all),
                     double all) {
    static const double at[] = {0.069431844202974, 0.330009478207572, 0.669990521792428, 0.930568155797026};
    static const double weight[] = {0.173927422568727, 0.326072577431273, 0.326072577431273,
                                    0.173927422568727};
    for (size_t i = 0; i < COUNT_OF(at); i++)
        add_steps(r, weight[i] * (to - from), running(r, from + at[i] * (to - from), all));
}

static double ramping(const Run *r, double k, double all) {
    (void)all;
    return lived(r, k) / r->gap;
}

// `all`: steps of the ramp, or prompts where it has none.
static double draining_unmixed(const Run *r, double k, double all) {
    return r->gap > 0 ? (lived(r, all + k) - lived(r, k)) / r->gap : all * longer_than(r, k);
}

static double draining_mixed(const Run *r, double k, double all) {
    (void)all;
    return r->places * (1 - lived(r, k) / mean_steps(r));
}

static void add_drain(Run *r, double (*running)(const Run *r, double k, double all), double all) {
    add_span(r, 0, r->sure, running, all);
    // the tail in spans that grow, since few sequences of many steps are left
    static const double edges[] = {0, 1, 2.5, LONGEST};
    for (size_t i = 0; i + 1 < COUNT_OF(edges) && r->rest > 0; i++)
        add_span(r, r->sure + edges[i] * r->rest, r->sure + edges[i + 1] * r->rest, running, all);
}

// ---------------------------------------------------------------- the three parts

// Steps until `prompts` are let in, which all find places.
static void add_ramp(Run *r, double prompts) {
    double end = prompts * r->gap, kink = fmin(end, r->sure);
    add_span(r, 0, kink, ramping, 0);
    add_span(r, kink, end, ramping, 0);
}

static void run_free(Run *r, double prompts) {
    if (r->gap > 0) add_ramp(r, prompts);
    add_drain(r, draining_unmixed, r->gap > 0 ? prompts * r->gap : prompts);
}

// Prompts let in until the places are full.
static double ramped(const Run *r, double prompts) {
    if (r->gap <= 0) return fmin(prompts, r->places);
    return fmin(prompts, steps_to(r, r->gap * r->places) / r->gap);
}

// Answers of one length: waves of all places, and a last one of what is left.
static void run_in_waves(Run *r, double prompts) {
    double waves = ceil(prompts / r->places) - 1;
    add_steps(r, waves * mean_steps(r), r->places);
    run_free(r, prompts - waves * r->places);
}

static void run_mixed(Run *r, double prompts, double first) {
    Run drain = *r;
    add_ramp(r, first);
    drain.steps = drain.sequence_steps = drain.seconds = drain.sequence_s = 0;
    add_drain(&drain, draining_mixed, 0);
    double left = prompts * mean_steps(r) - r->sequence_steps - drain.sequence_steps;
    add_steps(r, left / r->places, r->places);
    r->steps += drain.steps, r->sequence_steps += drain.sequence_steps;
    r->seconds += drain.seconds, r->sequence_s += drain.sequence_s;
}

static Run run_all(const Run *empty, double prompts, double cv) {
    Run waves = *empty, mixed = *empty;
    double first = ramped(empty, prompts);
    if (first >= prompts) {
        run_free(&mixed, prompts);
        return mixed;
    }
    run_mixed(&mixed, prompts, first);
    if (cv >= 1) return mixed;
    run_in_waves(&waves, prompts);
    double share = 1 - cv;
    mixed.seconds += share * (waves.seconds - mixed.seconds);
    mixed.sequence_s += share * (waves.sequence_s - mixed.sequence_s);
    return mixed;
}

// Seconds until the last of `prompts` is read, of `all`.
static double until_read_s(const Run *empty, double prompts, double all, double prompt_s) {
    Run r = *empty;
    double first = fmin(prompts, ramped(empty, all));
    if (r.gap > 0) add_ramp(&r, first);
    // an answer that ends lets one in; those of one length end a wave at once
    double mixed = (prompts - first) / r.places, waves = fmax(ceil(prompts / r.places) - 1, 0);
    double share = r.rest / fmax(mean_steps(&r), 1);
    add_steps(&r, (share * mixed + (1 - share) * waves) * mean_steps(&r), r.places);
    return r.seconds + prompts * prompt_s;
}

// Passes that `prompts` are read in ahead of decoding: full ones while places are free, then one whenever answers have
// ended since the last.
static double passes_of(const Serving *s, double prompts, double places) {
    double first = fmin(prompts, places), tokens = s->isl * (1 - s->cached_share);
    double step = serving_running_step_s(s, first), hold = serving_prompt_hold_s(s);
    double ends_s = first * s->kept / (fmax(s->osl, 1) * step);
    return first * fmin(tokens / s->limits->chunk_tokens, 1) +
           (prompts - first) / (1 + ends_s * (step + hold));
}

Point serving_burst(const Serving *s, const Burst *b) {
    double n = fmax(b->prompts, 1), m = fmax(s->osl - 1, 0) / s->kept;
    double prompt_s = fmax(serving_prompt_mixed_s(s), serving_prompt_s(s) * s->ttft_alone_share / n);
    prompt_s += serving_prompt_hold_s(s) * passes_of(s, n, b->places) / n;
    Run empty = {.s = s,
                 .places = fmax(fmin(b->places, n), 1),
                 .gap = is_known(b->chunk_tokens) ? s->isl * (1 - s->cached_share) / b->chunk_tokens : 0,
                 .sure = m * (1 - b->length_cv),
                 .rest = m * b->length_cv};
    Run all = run_all(&empty, n, b->length_cv);
    // while prompts are read, those that run wait for them
    double held = empty.gap > 0 ? fmin(n * prompt_s * empty.places, n * n * prompt_s / 2) : 0;
    Point p = {.concurrency = n, .running = empty.places};
    double seconds = s->factors.start_s + n * prompt_s + all.seconds;
    p.ttft_s = s->factors.start_s + until_read_s(&empty, fmax(n / 2, 1), n, prompt_s);
    p.ttft_p99_s = s->factors.start_s + until_read_s(&empty, n - 0.01 * (n - 1), n, prompt_s);
    p.tpot_s = s->osl > 1 ? (all.sequence_s + held) / n / (s->osl - 1) : (double)NAN;
    p.tpot_p99_s = p.tpot_s * s->tpot_p99_ratio;
    p.e2e_s = p.ttft_s + (s->osl > 1 ? p.tpot_s * (s->osl - 1) : 0);
    p.output_tokens_s = n * s->osl / seconds;
    p.total_tokens_s = n * (s->isl + s->osl) / seconds;
    p.queued = n > b->places;
    return p;
}

// ---------------------------------------------------------------- what an engine does

Burst burst_of(const Facts *facts, const Serving *s, double prompts, double length_cv, bool told,
               double release, double date) {
    const EngineDefaults *d = engine_defaults(facts, s->gpu, s->engine, release, date);
    Burst b = {.prompts = prompts, .places = s->sequences_max, .length_cv = length_cv};
    b.chunk_tokens = d != NULL ? d->chunk_tokens : s->limits->chunk_tokens;
    // Long answers hold their cache for longer: what runs is on average (1 + cv^2) / 2 of an answer long.
    double context = s->isl + s->osl / 2, resident = s->isl + s->osl * (1 + length_cv * length_cv) / 2;
    if (s->memory_limited) b.places = fmax(floor(b.places * context / resident), 1);
    // It ran so many: memory held them, within what its estimate may be off.
    static const double DOUBT = 0.25;
    if (told && prompts < b.places * (1 + DOUBT)) b.places = prompts;
    if (!told && d != NULL && is_known(d->max_running_sequences))
        b.places = fmin(b.places, d->max_running_sequences);
    return b;
}

double run_ttft_mean(const Serving *s, const Point *steady, double waves) {
    double behind = (fmax(steady->running, 1) - 1) / 2 * serving_prompt_mixed_s(s);
    return steady->ttft_s + behind / waves;
}

// A whole number of fifties or sixteens; or a digit and zeros, half of that, a power of two or half of it more, or
// 2^n thousand, but for the shares `under` and `over`.
static bool is_round(double tokens, double under, double over) {
    if (!(tokens >= 1)) return false;
    if (fmod(tokens, 50) == 0 || fmod(tokens, 16) == 0) return true;
    double ten = pow(10, floor(log10(tokens))), two = exp2(floor(log2(tokens)));
    const double units[] = {ten / 2, two / 2, 1000 * exp2(round(log2(tokens / 1000)))};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        double nearest = fmax(round(tokens / units[i]), 1) * units[i];
        if (tokens >= nearest * (1 - under) && tokens <= nearest * (1 + over)) return true;
    }
    return false;
}

double spread_of_lengths(const Facts *facts, double isl, double osl) {
    // What a tokenizer takes and a chat's template adds; answers that end a little early.
    static const double TAKEN = 0.0075, TEMPLATE = 0.012, EARLY = 0.01, ROUNDED = 0.0005;
    bool fixed = is_round(isl, TAKEN, TEMPLATE) && (osl < 2 || is_round(osl, EARLY, ROUNDED));
    return fixed ? 0 : constant_of(facts, CONSTANT_LENGTH_CV);
}
