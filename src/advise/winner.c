// Who wins: what a verdict rests on, and its winner alone.
#include "src/advise/samples.h"
#include "src/advise/search.h"

// The stack judged for the best AMD option's GPU; its work is the move's where no code was counted.
static bool judge_stack(const Facts *facts, Arena *a, Advice *advice, Err *e) {
    const Ask *ask = advice->ask;
    const Option *amd = advice->best[VENDOR_AMD];
    StackView *view = arena_alloc(a, 1, sizeof *view);
    if (!stack_judge(ask->stack_facts, ask->stack, amd != NULL ? amd->gpu->target : "",
                     term_of(facts, ask, TERM_ENGINEER_DAY).value, a, view, e))
        return false;
    advice->stack = view;
    if (advice->move != NULL) return true;
    Move *m = arena_alloc(a, 1, sizeof *m);
    *m = (Move){.source = ask->stack->path, .effort = &view->effort, .findings = view->findings};
    advice->move = m;
    return true;
}

// `now` in its place among options, cheapest first.
static Option *with_today(const Option *options, size_t n, const Option *now, Arena *a) {
    size_t at = 0;
    while (at < n && options[at].cost <= now->cost) at++;
    Option *all = arena_alloc(a, n + 1, sizeof *all);
    for (size_t i = 0; i < n; i++) all[i + (i >= at)] = options[i];
    all[at] = *now;
    return all;
}

static const Option *first_of(const Option *options, size_t n, int vendor) {
    for (size_t i = 0; i < n; i++) {
        if (options[i].gpu->vendor == vendor) return &options[i];
    }
    return NULL;
}

// What runs today is an option of its vendor: the best one where none that is for rent costs less, and there
// when others are gone.
void take_today(const Facts *f, Arena *a, Advice *advice) {
    const Option *now = current_option(f, advice->ask, a);
    if (now == NULL) return;
    advice->options = with_today(advice->options, advice->n_options, now, a);
    advice->all = with_today(advice->all, advice->n_all, now, a);
    advice->n_options++;
    advice->n_all++;
    for (int v = 0; v < VENDOR_COUNT; v++) advice->best[v] = first_of(advice->options, advice->n_options, v);
    int vendor = now->gpu->vendor;
    note_next(f, a, advice, vendor);
    for (size_t i = 0; i < advice->n_options; i++) {
        if (advice->options[i].today) advice->current = &advice->options[i];
    }
    // nobody depends on an offer that is rented already
    if (advice->best[vendor] == advice->current) advice->providers[vendor] = 2;
}

// All that a verdict rests on: the move, what runs today, the transitions.
bool advise_settle(const Facts *facts, Arena *a, Advice *advice, bool chances_only, Weighing *weighing,
                   Err *e) {
    const Ask *ask = advice->ask;
    advice->move = ask->move;
    if (ask->stack != NULL && !judge_stack(facts, a, advice, e)) return false;
    take_today(facts, a, advice);
    weigh(facts, a, advice, chances_only, weighing);
    return true;
}

bool advise_winner(const Facts *facts, const Ask *ask, Arena *a, Winner *ret_winner, Err *e) {
    Advice advice;
    Weighing weighing = {.gain = NULL};
    if (!advise_search(facts, ask, a, &advice, e)) return false;
    // Without a move only the costs count, and no sample is needed for them.
    bool by_costs = ask->stack == NULL && ask->move == NULL && ask->current == NULL;
    if (!by_costs && !advise_settle(facts, a, &advice, true, &weighing, e)) return false;
    *ret_winner = decide_winner(facts, a, &advice, &weighing);
    return true;
}
