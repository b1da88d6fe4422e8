// A claim beside what was measured in public of that GPU, model and load.
#include <math.h>
#include <string.h>

#include "src/advise/check_parts.h"

// Figures no further apart are of the same load: sweeps double from one run to the next, and lengths are
// means of samples.
static const double SAME = 1.5;
// What a run that does not say how large it was is apart from a claim that does.
static const double UNSTATED = 4;

// How far the load of a measured row is from that of the claim.
typedef struct Apart {
    double distance;  // sum of |ln ratio| over what is not the same; 0: the same load
    bool harder;      // something makes the row slower by nature: a claim above it is no wonder
    Arena *arena;     // NULL: no words are wanted
    const char *words[DIFFERENCES_MAX];
    size_t n_words;
} Apart;

static void say(Apart *x, const char *text) {
    if (x->n_words < DIFFERENCES_MAX) x->words[x->n_words++] = text;
}

static void compare(Apart *x, double claimed, double measured, bool more_is_easier, const char *what) {
    if (!is_known(claimed)) return;
    double ratio = is_known(measured) ? measured / claimed : UNSTATED;
    if (fabs(log(ratio)) <= log(SAME)) return;
    x->distance += fabs(log(ratio));
    if (is_known(measured) && (ratio > 1) != more_is_easier) x->harder = true;
    if (x->arena == NULL) return;
    char a[40], b[40];
    format_number(a, sizeof a, measured, 4);
    format_number(b, sizeof b, claimed, 4);
    say(x, is_known(measured) ? arena_printf(x->arena, "%s %s instead of %s", what, a, b)
                              : arena_printf(x->arena, "%s not stated", what));
}

double judge_whole_bits(Dtype dtype) { return floor(dtype_bits(dtype)); }

bool claim_speculates(const Measurement *m) {
    return m->draft_tokens[0] != '\0' && strcmp(m->draft_tokens, "0") != 0;
}

static void compare_serving(Apart *x, const PublicClaim *c, const Measurement *m) {
    double gpus = is_known(c->gpus) ? c->gpus : 1;
    compare(x, c->batch / gpus, m->batch_or_concurrency / m->gpu_count, true, "sequences a GPU:");
    // A claim that leaves the batch open has the best one; a run of a given one need not.
    if (!is_known(c->batch) && is_known(m->batch_or_concurrency)) {
        x->harder = true;
        if (x->arena != NULL) say(x, "a given batch, where the claim leaves it open");
    }
    compare(x, c->osl_tokens, m->output_tokens, true, "output tokens:");
    if (!m->prompt_cached) {
        compare(x, c->isl_tokens, m->input_tokens, false, "input tokens:");
    } else if (is_known(c->isl_tokens)) {
        x->distance += log(UNSTATED);
        say(x, "prompts out of a cache");
    }
}

static Apart apart_of(const Judge *j, const PublicClaim *c, const Measurement *m, Arena *arena) {
    Apart x = {.arena = arena};
    compare(&x, judge_whole_bits(c->weights),
            judge_whole_bits(dtype_named(m->precision_weights, DTYPE_UNKNOWN)), false, "bits of a weight:");
    if (c->kind == CLAIM_SERVING) compare_serving(&x, c, m);
    if (arena == NULL) return x;
    // The rest is told and counts for nothing: rates are held against each other a GPU, and one shape runs as
    // another.
    if (strcmp(m->model, j->ask->model->model_id) != 0)
        say(&x, arena_printf(arena, "%s, a model of the same shape", m->model));
    if (is_known(c->gpus) && m->gpu_count != c->gpus)
        say(&x,
            arena_printf(arena, "%s instead of %.0f", counted(arena, (size_t)m->gpu_count, "GPU"), c->gpus));
    if (claim_speculates(m)) say(&x, "with speculation");
    return x;
}

// ---------------------------------------------------------------- rows

static bool is_of_kind(const Measurement *m, ClaimKind kind) {
    static const struct {
        ClaimKind kind;
        const char *task, *tokens_kind;  // "": of any
    } tasks[] = {{CLAIM_SERVING, "serving", ""},
                 {CLAIM_TRAINING, "pretrain", "train tokens"},
                 {CLAIM_TRAINING, "finetune-full", "train tokens"},
                 {CLAIM_IMAGES, "images", "images/s"}};
    for (size_t i = 0; i < COUNT_OF(tasks); i++) {
        if (tasks[i].kind == kind && strcmp(tasks[i].task, m->task) == 0 &&
            (tasks[i].tokens_kind[0] == '\0' || strcmp(tasks[i].tokens_kind, m->tokens_kind) == 0))
            return true;
    }
    return false;
}

double claim_measured_rate(const Measurement *m, ClaimKind kind) {
    return !is_of_kind(m, kind)    ? (double)NAN
           : kind == CLAIM_SERVING ? m->output_tokens_per_s
                                   : m->tokens_per_s_total;
}

size_t judge_same_models(const Judge *j, const char **names, size_t most) {
    size_t n = 0;
    names[n++] = j->ask->model->model_id;
    for (size_t i = 0; i < j->facts->n_models && n < most; i++) {
        const Model *m = &j->facts->models[i];
        if (model_same_shape(m, j->ask->model) && strcmp(m->model_id, names[0]) != 0)
            names[n++] = m->model_id;
    }
    return n;
}

bool judge_is_one_of(const char *name, const char *const *names, size_t n) {
    while (n > 0 && strcmp(names[n - 1], name) != 0) n--;
    return n > 0;
}

typedef enum Drafts { DRAFTS_ANY, DRAFTS_NONE, DRAFTS_SOME } Drafts;

// The fastest a GPU of the rows whose load is the nearest. False: nothing of that GPU and model was measured.
static bool find_best(const Judge *j, const PublicClaim *c, Drafts drafts, BestMeasured *ret_best) {
    enum { MODELS_MAX = 32 };
    const char *models[MODELS_MAX];
    size_t n = judge_same_models(j, models, MODELS_MAX);
    BestMeasured best = {.row = NULL};
    double distance = (double)INFINITY;
    for (size_t i = 0; i < j->ask->n_measured; i++) {
        const Measurement *m = &j->ask->measured[i];
        double a_gpu = claim_measured_rate(m, c->kind) / m->gpu_count;
        if (m->held_out || !(a_gpu > 0) || strcmp(m->gpu_sku, j->ask->gpu->sku_id) != 0 ||
            !judge_is_one_of(m->model, models, n))
            continue;
        if (drafts != DRAFTS_ANY && claim_speculates(m) != (drafts == DRAFTS_SOME)) continue;
        Apart x = apart_of(j, c, m, NULL);
        if (x.distance > distance || (x.distance == distance && a_gpu <= best.rate_per_gpu)) continue;
        distance = x.distance;
        best = (BestMeasured){.row = m,
                              .rate = claim_measured_rate(m, c->kind),
                              .rate_per_gpu = a_gpu,
                              .same_load = x.distance == 0,
                              .harder = x.harder};
    }
    if (best.row == NULL) return false;
    Apart x = apart_of(j, c, best.row, j->arena);
    memcpy(best.differs, x.words, sizeof best.differs);
    best.n_differs = x.n_words;
    *ret_best = best;
    return true;
}

// ---------------------------------------------------------------- words

// "vllm, fp8, 64 sequences, 922 tokens in and 922 out" as far as the row says it.
static const char *load_words(Judge *j, const Measurement *m) {
    const char *text = counted(j->arena, (size_t)m->gpu_count, "GPU");
    if (m->engine[0] != '\0') text = arena_printf(j->arena, "%s, %s", text, m->engine);
    if (m->precision_weights[0] != '\0') text = arena_printf(j->arena, "%s, %s", text, m->precision_weights);
    if (is_known(m->batch_or_concurrency))
        text = arena_printf(j->arena, "%s, %s", text,
                            counted(j->arena, (size_t)m->batch_or_concurrency, "sequence"));
    if (is_known(m->input_tokens)) text = arena_printf(j->arena, "%s, %.0f tokens in", text, m->input_tokens);
    if (is_known(m->output_tokens)) text = arena_printf(j->arena, "%s, %.0f out", text, m->output_tokens);
    return text;
}

static const char *row_words(Judge *j, const BestMeasured *b) {
    const Measurement *m = b->row;
    return arena_printf(j->arena, "%s %s a GPU on %s%s; %s of %s, %s", judge_number(j, b->rate_per_gpu, 5),
                        j->answer.unit, load_words(j, m), claim_speculates(m) ? ", with speculation" : "",
                        m->id, m->date, m->source);
}

static const char *differs_words(Judge *j, const BestMeasured *b) {
    const char *text = "";
    for (size_t i = 0; i < b->n_differs; i++)
        text = arena_printf(j->arena, "%s%s%s", text, i > 0 ? ", " : "", b->differs[i]);
    return text;
}

static const char *measured_words(Judge *j) {
    const BestMeasured *b = &j->answer.best;
    double times = j->answer.times_measured;
    const char *what =
        b->same_load && !b->harder ? "anything measured of it" : "the nearest that was measured of it";
    const char *over = times > 1 ? arena_printf(j->arena, "%s times %s", judge_number(j, times, 3), what)
                                 : arena_printf(j->arena, "%s %% of %s", judge_number(j, 100 * times, 3),
                                                b->same_load ? "the best measured of it" : what);
    const char *differs =
        b->n_differs > 0 ? arena_printf(j->arena, "; it differs: %s", differs_words(j, b)) : "";
    return arena_printf(j->arena, "%s (%s)%s", over, row_words(j, b), differs);
}

// ---------------------------------------------------------------- judging

void judge_faster(Judge *j, double times, const char *than, const char *why) {
    bool drafts_help = j->row->kind == CLAIM_SERVING && strcmp(j->answer.bound_by, "compute") != 0;
    double gain = constant_of(j->facts, CONSTANT_CLAIM_DRAFT_GAIN_MOST);
    const char *faster = judge_number(j, drafts_help && times > gain ? times / gain : times, 3);
    const char *how =
        !drafts_help    ? arena_printf(j->arena, "software %s times as fast as", faster)
        : times <= gain ? arena_printf(j->arena, "speculation, or with software %s times as fast as", faster)
                        : arena_printf(j->arena,
                                       "speculation, which gave at most %s times in public, and software %s "
                                       "times as fast besides, against",
                                       judge_number(j, gain, 3), faster);
    condition_printf(j, "only with %s %s: %s", how, than, why);
}

// A condition where rows with speculation reach the claim, and those without do not.
static void take_speculation(Judge *j, const PublicClaim *c, double a_gpu) {
    BestMeasured plain, drafted;
    if (c->kind != CLAIM_SERVING || !find_best(j, c, DRAFTS_NONE, &plain) ||
        !find_best(j, c, DRAFTS_SOME, &drafted) || plain.harder || drafted.harder)
        return;
    // what a run may give when it is done again
    double once_more = exp(Z80 * constant_of(j->facts, CONSTANT_SIGMA_PUBLISHED));
    if (a_gpu <= plain.rate_per_gpu * once_more || a_gpu > drafted.rate_per_gpu * once_more) return;
    condition_printf(j,
                     "only with speculation, or with software %s times as fast as the best measured without "
                     "it (%s); with it %s",
                     judge_number(j, a_gpu / plain.rate_per_gpu, 3), row_words(j, &plain),
                     row_words(j, &drafted));
}

bool judge_measured(Judge *j, double gpus) {
    ClaimAnswer *x = &j->answer;
    PublicClaim c = *j->row;
    c.gpus = is_known(c.gpus) ? c.gpus : gpus > 1 ? gpus : c.gpus;
    double a_gpu = x->claimed / gpus;
    if (!find_best(j, &c, DRAFTS_ANY, &x->best)) return false;
    x->times_measured = a_gpu / x->best.rate_per_gpu;
    x->measured = measured_words(j);
    bool says = !x->best.harder || x->times_measured <= 1;
    if (x->verdict == CLAIM_IMPOSSIBLE || !says) return says;
    double most = constant_of(j->facts, CONSTANT_CLAIM_MEASURED_MOST);
    if (x->times_measured > most) {
        judge_faster(
            j, x->times_measured, "anything measured of it",
            arena_printf(j->arena,
                         "of public measurements one in a hundred lies over %s times the best before it",
                         judge_number(j, most, 3)));
    } else {
        take_speculation(j, &c, a_gpu);
    }
    return true;
}
