// Other loads and lengths: the verdict there, found as it would be if that load or length were asked for.
#include <math.h>
#include <string.h>

#include "src/advise/samples.h"
#include "src/advise/search.h"

typedef enum LoadTerm { LOAD_TERM_RATE, LOAD_TERM_CONCURRENCY, LOAD_TERM_ISL, LOAD_TERM_COUNT } LoadTerm;

static const struct {
    const char *what, *unit;
    bool whole;
} terms[LOAD_TERM_COUNT] = {
    [LOAD_TERM_RATE] = {"load", "requests per second", false},
    [LOAD_TERM_CONCURRENCY] = {"load (requests in flight)", "requests", true},
    [LOAD_TERM_ISL] = {"context length (input tokens)", "tokens", true},
};

static double *load_term_of(Workload *w, LoadTerm k) {
    return k == LOAD_TERM_RATE ? &w->rate_rps : k == LOAD_TERM_CONCURRENCY ? &w->concurrency : &w->isl_tokens;
}

enum { ASKED_MAX = 16 };

typedef struct Turn {
    const Facts *facts;
    const Advice *advice;
    LoadTerm term;
    double asked[ASKED_MAX];  // values that were asked and gave the verdict of now
    size_t n_asked;
} Turn;

static Winner verdict_at(Turn *t, double x) {
    Ask ask = *t->advice->ask;
    Arena a = {0};
    Err e = {0};
    Winner winner = WINNER_NEITHER;
    SearchMemo memo = *t->advice->memo;
    memo.has_configs = memo.has_configs && t->term != LOAD_TERM_ISL;
    ask.memo = &memo;
    *load_term_of(&ask.workload, t->term) = x;
    ask.top = 1;
    ask.pareto = false;
    if (!advise_winner(t->facts, &ask, &a, &winner, &e)) winner = WINNER_NEITHER;
    arena_free(&a);
    if (winner == t->advice->verdict.winner && t->n_asked < ASKED_MAX) t->asked[t->n_asked++] = x;
    return winner;
}

static double rounded(const Turn *t, double x) { return terms[t->term].whole ? fmax(round(x), 1) : x; }

// Where the verdict turned: still that of now at `holds`, another one at `turns`. turns NaN: it did not.
typedef struct Bracket {
    double holds, turns;
    Winner becomes;
} Bracket;

// In one direction: four times further each time, three times at most (two where an answer takes samples or
// queues); then nearer until both ends are half as far apart as they are large.
static Bracket turn_towards(Turn *t, double now, double step, double limit) {
    enum { STEPS = 3, NARROWINGS = 2 };
    bool slow = t->advice->verdict.samples > 0 || is_known(t->advice->ask->workload.rate_rps);
    static const double CLOSE = 1.5;
    Bracket b = {now, (double)NAN, t->advice->verdict.winner};
    for (int i = 0; i < STEPS - slow; i++) {
        double next = rounded(t, step > 1 ? fmin(b.holds * step, limit) : fmax(b.holds * step, limit));
        if (next == b.holds) return b;
        b.becomes = verdict_at(t, next);
        if (b.becomes != t->advice->verdict.winner) {
            b.turns = next;
            break;
        }
        b.holds = next;
    }
    for (int i = 0; i < NARROWINGS && is_known(b.turns) && fmax(b.turns / b.holds, b.holds / b.turns) > CLOSE;
         i++) {
        double middle = rounded(t, sqrt(b.holds * b.turns));
        if (middle == b.holds || middle == b.turns) break;
        Winner winner = verdict_at(t, middle);
        if (winner == t->advice->verdict.winner) {
            b.holds = middle;
        } else {
            b.turns = middle, b.becomes = winner;
        }
    }
    return b;
}

// ---------------------------------------------------------------- words

static const char *becomes_words(Winner w) {
    static const char *const words[WINNER_COUNT] = {
        "NVIDIA", "AMD", "to split", "a tie", "that nothing does it", "not yet", "not known"};
    return words[w];
}

static const char *bracket_words(Arena *a, const Bracket *b) {
    return is_known(b->turns)
               ? arena_printf(a, "at %s the verdict is %s, at %s still as now", number_text(a, b->turns, 6),
                              becomes_words(b->becomes), number_text(a, b->holds, 6))
               : "";
}

static const char *asked_words(Arena *a, const Turn *t) {
    const char *text = "";
    for (size_t i = 0; i < t->n_asked; i++)
        text = arena_printf(a, "%s%s%s", text, i > 0 ? ", " : "", number_text(a, t->asked[i], 6));
    return text;
}

static void load_sensitivity(const Facts *f, Arena *a, Advice *advice, LoadTerm term, double now,
                             double least, double most) {
    if (!is_known(now) || advice->n_sensitivities == SENSITIVITIES_MAX) return;
    Turn t = {.facts = f, .advice = advice, .term = term};
    Bracket down = turn_towards(&t, now, 0.25, least);
    Bracket up = turn_towards(&t, now, 4, most);
    bool nearer_up = is_known(up.turns) && (!is_known(down.turns) || up.turns / now < now / down.turns);
    const Bracket *nearest = nearer_up ? &up : &down;
    Sensitivity flip = {.what = terms[term].what,
                        .unit = terms[term].unit,
                        .value = now,
                        .low = (double)NAN,
                        .high = (double)NAN,
                        .flip = (double)NAN,
                        .verdict_changes = nearest->turns,
                        .at_low = (double)NAN,
                        .at_high = (double)NAN};
    flip.holds = is_known(nearest->turns) ? nearest->holds : (double)NAN;
    const char *below = bracket_words(a, &down);
    const char *above = bracket_words(a, &up);
    const char *both = is_known(down.turns) && is_known(up.turns) ? "; " : "";
    const char *none = t.n_asked > 0 ? arena_printf(a, "the verdict is the same at %s", asked_words(a, &t))
                                     : "no other value can be asked";
    flip.text = is_known(nearest->turns)
                    ? arena_printf(a, "now %s: %s%s%s", number_text(a, now, 6), below, both, above)
                    : arena_printf(a, "now %s: %s", number_text(a, now, 6), none);
    advice->sensitivities[advice->n_sensitivities++] = flip;
}

void find_load_sensitivities(const Facts *f, Arena *a, Advice *advice) {
    const Ask *ask = advice->ask;
    const Workload *w = &ask->workload;
    if (!serves_tokens(w)) return;
    if (is_known(w->rate_rps)) {
        load_sensitivity(f, a, advice, LOAD_TERM_RATE, w->rate_rps, 1e-6, 1e6);
    } else {
        load_sensitivity(f, a, advice, LOAD_TERM_CONCURRENCY, w->concurrency, 1, 1e6);
    }
    double most = is_known(ask->model->max_context)
                      ? fmax(ask->model->max_context - w->osl_tokens, w->isl_tokens)
                      : w->isl_tokens * 40;
    load_sensitivity(f, a, advice, LOAD_TERM_ISL, w->isl_tokens, 1, most);
}
