// What runs of the user's own did to the answer, in a line, and what it means that one side has them and the
// other has not.
#include <math.h>
#include <string.h>

#include "src/advise/search.h"
#include "src/perf/posterior.h"

// "NVIDIA's best costs 7 % less ($0.31 per million output tokens, range +12 % instead of +40 %)".
static const char *side_words(Arena *a, const Ask *ask, int vendor, const Option *now, const Option *was) {
    static const double NOTICEABLE = 0.01;
    const char *title = vendor_titles[vendor];
    if (now == NULL || was == NULL)
        return now == was
                   ? ""
                   : arena_printf(a, "%s has %s with them", title, now != NULL ? "an option" : "no option");
    double cost = now->cost / was->cost, range = 100 * expm1(Z80 * now->sigma_log),
           before = 100 * expm1(Z80 * was->sigma_log);
    bool moved = fabs(log(cost)) > NOTICEABLE, narrowed = fabs(range - before) > 1;
    if (!moved && !narrowed) return arena_printf(a, "%s's best is as it was", title);
    const char *narrow =
        narrowed ? arena_printf(a, ", the range of its speed +%.2g %% instead of +%.2g %%", range, before)
                 : "";
    if (!moved) return arena_printf(a, "%s's best costs what it did%s", title, narrow);
    return arena_printf(a, "%s's best costs %s (%s %s instead of %s)%s", title,
                        more_or_less(a, cost, "more", "less"), usd_text(a, now->cost), per_what(ask),
                        usd_text(a, was->cost), narrow);
}

static const char *changed_words(const Facts *f, Arena *a, const Advice *with, const Advice *without,
                                 Winner winner) {
    size_t n = f->own->n, accepted = posterior_accepted(f->own);
    const char *against =
        accepted > 0 ? arena_printf(a, " (%zu accepted by you against a quarantine)", accepted) : "";
    const char *text =
        arena_printf(a, "%s of your own %s%s: ", counted(a, n, "run"), n == 1 ? "counts" : "count", against);
    for (int v = 0; v < VENDOR_COUNT; v++) {
        const char *side = side_words(a, with->ask, v, with->best[v], without->best[v]);
        text = arena_printf(a, "%s%s%s", text, side, side[0] != '\0' ? "; " : "");
    }
    Winner now = with->verdict.winner;
    return now == winner ? arena_printf(a, "%sthe verdict is what it was without them", text)
                         : arena_printf(a, "%swithout them the verdict was %s and is %s now", text,
                                        winner_names[winner], winner_names[now]);
}

static bool is_measured(const Option *o) {
    return o != NULL && o->serving.own != NULL && o->basis == BASIS_MEASURED;
}

static const char *sides_words(Arena *a, const Advice *advice) {
    bool measured[VENDOR_COUNT];
    for (int v = 0; v < VENDOR_COUNT; v++) {
        measured[v] = is_measured(advice->best[v]);
        if (advice->best[v] == NULL) return NULL;
    }
    if (measured[VENDOR_NVIDIA] == measured[VENDOR_AMD]) return NULL;
    int seen = measured[VENDOR_NVIDIA] ? VENDOR_NVIDIA : VENDOR_AMD;
    const Option *known = advice->best[seen], *other = advice->best[!seen];
    double share = other->sigma_log * other->sigma_log /
                   (other->sigma_log * other->sigma_log + known->sigma_log * known->sigma_log);
    Winner w = advice->verdict.winner;
    bool unseen_wins = w == (seen == VENDOR_NVIDIA ? WINNER_AMD : WINNER_NVIDIA);
    return arena_printf(
        a,
        "%s's best rests on your own runs (%s), %s's on an estimate (%s): %.0f %% of what is doubtful in "
        "their speeds is %s's, of what the estimator has wrong of the other side only what both have in "
        "common was taken out, and %s",
        vendor_titles[seen], known->gpu->name, vendor_titles[!seen], other->gpu->name, 100 * share,
        vendor_titles[!seen],
        unseen_wins ? "the verdict is for the side that you have not measured: measure it before you move"
                    : "a run on that side tells more than another one here");
}

bool tell_own_runs(const Facts *f, Arena *a, Advice *advice, Err *e) {
    if (f->own == NULL || !serves_tokens(&advice->ask->workload)) return true;
    Facts alone = *f;
    Ask ask = *advice->ask;
    Advice without;
    Winner winner;
    alone.own = NULL;
    ask.memo = NULL;
    if (!advise_search(&alone, &ask, a, &without, e) || !advise_winner(&alone, &ask, a, &winner, e))
        return false;
    take_today(&alone, a, &without);
    advice->verdict.own_runs_changed = changed_words(f, a, advice, &without, winner);
    advice->verdict.own_runs_sides = sides_words(a, advice);
    return true;
}
