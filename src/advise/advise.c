// From an ask to an advice: search, decide, and what is worth saying beside.
#include "src/advise/advise.h"

#include "src/advise/samples.h"
#include "src/advise/search.h"

static void find_nearest(const Facts *facts, Arena *a, Advice *advice) {
    for (int v = 0; v < VENDOR_COUNT && serves_tokens(&advice->ask->workload); v++) {
        const Option *o = advice->best[v];
        if (o != NULL)
            advice->nearest[v] = nearest_measured(facts, &o->serving, o->replicas, o->concurrency, a);
    }
}

bool advise_decide(const Facts *facts, Arena *a, Advice *advice, Err *e) {
    Weighing weighing;
    if (!advise_settle(facts, a, advice, false, &weighing, e)) return false;
    advice->checkpoints = checkpoints_of(facts, advice->ask->model, a, &advice->n_checkpoints);
    if (advice->ask->current != NULL && advice->current == NULL)
        advice->current_unfit = current_unfit(facts, advice->ask, a);
    find_nearest(facts, a, advice);
    find_costs(facts, a, advice);
    find_session_curves(facts, a, advice);
    judge(facts, a, advice, &weighing);
    judge_owning(facts, a, advice);
    find_sensitivities(facts, a, advice, &weighing);
    find_next_steps(facts, a, advice, &weighing);
    return tell_own_runs(facts, a, advice, e);
}

bool advise(const Facts *facts, const Ask *ask, Arena *a, Advice *ret_advice, Err *e) {
    return advise_search(facts, ask, a, ret_advice, e) && advise_decide(facts, a, ret_advice, e);
}
