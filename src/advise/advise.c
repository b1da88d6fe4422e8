// From an ask to an advice: filter offers, make options, rank, cut, judge.
#include "src/advise/advise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/draws.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"

static int cheapest_first(const void *left, const void *right) {
    const Option *a = left;
    const Option *b = right;
    if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    if (a->sigma_log != b->sigma_log) return a->sigma_log < b->sigma_log ? -1 : 1;
    int order = strcmp(b->offer->as_of, a->offer->as_of);
    if (order == 0) order = strcmp(a->gpu->sku_id, b->gpu->sku_id);
    if (order == 0) order = strcmp(a->offer->provider, b->offer->provider);
    return order != 0 ? order : a->gpu_count - b->gpu_count;
}

// Keeps, within each vendor, the options that no other one beats both in cost and in time per token.
static size_t keep_pareto(Option *options, size_t n) {
    double best_tpot[VENDOR_COUNT] = {(double)INFINITY, (double)INFINITY};
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        int vendor = options[i].gpu->vendor;
        if (options[i].tpot_ms.value >= best_tpot[vendor]) continue;
        best_tpot[vendor] = options[i].tpot_ms.value;
        options[kept++] = options[i];
    }
    return kept;
}

// Takes down a vendor's next GPU. False: it is there already, or enough are.
static bool another_gpu(const Gpu *seen[VENDOR_KEPT], size_t *n, const Gpu *g) {
    for (size_t i = 0; i < *n; i++) {
        if (seen[i] == g) return false;
    }
    if (*n == VENDOR_KEPT) return false;
    seen[(*n)++] = g;
    return true;
}

// The first `top`, and further down those of the best GPUs of each vendor.
static void keep_top(Advice *advice, Arena *a, const Option *options, size_t n, size_t top) {
    Option *kept = arena_alloc(a, n + 1, sizeof *kept);
    const Gpu *seen[VENDOR_COUNT][VENDOR_KEPT];
    size_t n_seen[VENDOR_COUNT] = {0};
    for (size_t i = 0; i < n; i++) {
        int vendor = options[i].gpu->vendor;
        const Option **best = &advice->best[vendor];
        bool first = another_gpu(seen[vendor], &n_seen[vendor], options[i].gpu);
        if (i >= top && !first) continue;
        kept[advice->n_options] = options[i];
        if (*best == &options[i]) *best = &kept[advice->n_options];
        advice->n_options++;
    }
    advice->options = kept;
}

// Of the same GPU at the same provider and class of seller only the cheapest option says something new.
static size_t keep_cheapest_size(const Facts *f, Advice *advice, Arena *a, Option *options, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < kept && !same_seller(f, &options[k], &options[i])) k++;
        if (k < kept) {
            exclude_dearer(advice, options[i].offer, a);
        } else {
            options[kept++] = options[i];
        }
    }
    return kept;
}

static void count_providers(Advice *advice, const Option *options, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int vendor = options[i].gpu->vendor;
        size_t k = 0;
        while (k < i && (options[k].gpu->vendor != vendor ||
                         strcmp(options[k].offer->provider, options[i].offer->provider) != 0))
            k++;
        advice->providers[vendor] += k == i;
    }
}

static void note_running(Advice *advice, const Option *options, size_t n) {
    size_t of_vendor[VENDOR_COUNT] = {0};
    for (size_t i = 0; i < n; i++) {
        const Gpu *g = options[i].gpu;
        size_t k = 0;
        while (k < advice->n_running && advice->running[k] != g) k++;
        if (k < advice->n_running || of_vendor[g->vendor] == RUNNING_MAX) continue;
        of_vendor[g->vendor]++;
        advice->running[advice->n_running++] = g;
    }
}

// The vendor's best option that does not hang on the price of its very best.
static const Option *next_best(const Option *options, size_t n, const Option *best) {
    for (size_t i = 0; i < n && best != NULL; i++) {
        const Option *o = &options[i];
        bool same = o->gpu == best->gpu && strcmp(o->offer->provider, best->offer->provider) == 0;
        if (o->gpu->vendor == best->gpu->vendor && !same) return o;
    }
    return NULL;
}

static void note_ages(Advice *advice, const Option *options, size_t n) {
    advice->oldest_price_days = advice->newest_price_days = -1;
    for (size_t i = 0; i < n; i++) {
        int64_t age = options[i].price_age_days;
        if (age > advice->oldest_price_days) advice->oldest_price_days = age;
        if (advice->newest_price_days < 0 || age < advice->newest_price_days) advice->newest_price_days = age;
    }
}

static int sku_to_offer(const void *sku_id, const void *offer) {
    return strcmp(sku_id, (*(const Offer *const *)offer)->sku_id);
}

static void count_gpus_without_offers(const Facts *f, const Ask *ask, const Offer **offers, size_t n,
                                      Advice *advice) {
    for (size_t i = 0; i < f->n_gpus; i++) {
        const Gpu *g = &f->gpus[i];
        if (!ask_takes_gpu(ask, g)) continue;
        if (bsearch(g->sku_id, offers, n, sizeof *offers, sku_to_offer) != NULL) continue;
        if (exclude(advice, "GPUs", "no offer that passes the filters")) exclude_example(advice, g->sku_id);
    }
}

static bool check_ask(const Ask *ask, Err *e) {
    const Workload *w = &ask->workload;
    if (w->kind == KIND_HPC && ask->model != NULL)
        return err_set(e, ERR_USAGE, "option '--model': workload '%s' runs no model", w->workload_id);
    if (w->kind != KIND_HPC && ask->model == NULL)
        return err_set(e, ERR_USAGE, "workload '%s' has no model", w->workload_id);
    if (w->kind == KIND_SERVE && !(w->isl_tokens >= 1 && w->osl_tokens >= 1))
        return err_set(e, ERR_USAGE, "workload '%s' has no input or output length", w->workload_id);
    if ((w->kind == KIND_TRAIN || w->kind == KIND_LORA) && !is_known(w->tokens_total))
        return err_set(e, ERR_USAGE, "workload '%s' has no tokens to train on", w->workload_id);
    if (w->kind == KIND_EMBED && !(w->isl_tokens >= 1))
        return err_set(e, ERR_USAGE, "workload '%s' has no input length", w->workload_id);
    if (w->kind == KIND_EMBED) return model_reads_text(ask->model, w->isl_tokens, e);
    bool decoder = w->kind == KIND_HPC || w->kind == KIND_IMAGES || model_is_decoder(ask->model);
    if (!decoder)
        return err_set(e, ERR_USAGE, "model '%s' (%s) is no decoder: workload '%s' needs one",
                       ask->model->model_id, ask->model->family, w->workload_id);
    if (w->kind == KIND_IMAGES && !is_known(ask->model->tflop_per_image))
        return err_set(e, ERR_USAGE, "model '%s' (%s) makes no images", ask->model->model_id,
                       ask->model->family);
    return true;
}

static void find_offers(const Facts *f, const Ask *ask, Arena *a, Advice *advice, SearchMemo *memo) {
    memo->offers = usable_offers(f, ask, a, advice, &memo->n_offers);
    memo->offers_used = advice->offers_used;
    memcpy(memo->offers_of, advice->offers_of, sizeof memo->offers_of);
    count_gpus_without_offers(f, ask, memo->offers, memo->n_offers, advice);
}

static const Ladder *keep_ladder(Ladder l, Arena *a) {
    Ladder *kept = arena_alloc(a, 1, sizeof *kept);
    *kept = l;
    return kept;
}

bool advise_search(const Facts *facts, const Ask *ask, Arena *a, Advice *ret_advice, Err *e) {
    if (!check_ask(ask, e)) return false;
    Advice advice = {.ask = ask};
    SearchMemo *memo = advice.memo = arena_alloc(a, 1, sizeof *memo);
    *memo = ask->memo != NULL ? *ask->memo : (SearchMemo){.offers = NULL};
    if (memo->offers == NULL) find_offers(facts, ask, a, &advice, memo);
    const Offer **offers = memo->offers;
    size_t n_offers = memo->n_offers;
    advice.offers_used = memo->offers_used;
    memcpy(advice.offers_of, memo->offers_of, sizeof advice.offers_of);
    size_t n = 0;
    Option *options = ask->workload.kind == KIND_SERVE
                          ? serving_options(facts, ask, offers, n_offers, a, &advice, &n)
                          : task_options(facts, ask, offers, n_offers, a, &advice, &n);
    qsort(options, n, sizeof *options, cheapest_first);
    n = ask->pareto ? keep_pareto(options, n) : keep_cheapest_size(facts, &advice, a, options, n);
    note_ages(&advice, options, n);
    count_providers(&advice, options, n);
    note_running(&advice, options, n);
    advice.n_found = advice.n_all = n;
    advice.all = options;
    for (size_t i = n; i-- > 0;) advice.best[options[i].gpu->vendor] = &options[i];
    for (int v = 0; v < VENDOR_COUNT; v++) {
        advice.next[v] = next_best(options, n, advice.best[v]);
        advice.ladders[v] = advice.best[v] != NULL ? keep_ladder(ladder_of(facts, options, n, v), a) : NULL;
    }
    keep_top(&advice, a, options, n, ask->top);
    *ret_advice = advice;
    return true;
}

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
    advice->next[vendor] = next_best(advice->all, advice->n_all, advice->best[vendor]);
    advice->ladders[vendor] = keep_ladder(ladder_of(f, advice->all, advice->n_all, vendor), a);
    for (size_t i = 0; i < advice->n_options; i++) {
        if (advice->options[i].today) advice->current = &advice->options[i];
    }
    // nobody depends on an offer that is rented already
    if (advice->best[vendor] == advice->current) advice->providers[vendor] = 2;
}

const Option *cheapest_offered(const Advice *advice) {
    for (size_t i = 0; i < advice->n_options; i++) {
        if (!advice->options[i].today) return &advice->options[i];
    }
    return NULL;
}

static void find_nearest(const Facts *facts, Arena *a, Advice *advice) {
    for (int v = 0; v < VENDOR_COUNT && advice->ask->workload.kind == KIND_SERVE; v++) {
        const Option *o = advice->best[v];
        if (o != NULL)
            advice->nearest[v] = nearest_measured(facts, &o->serving, o->replicas, o->concurrency, a);
    }
}

// All that a verdict rests on: the move, what runs today, the lanes.
static bool settle(const Facts *facts, Arena *a, Advice *advice, bool chances_only, Weighing *weighing,
                   Err *e) {
    const Ask *ask = advice->ask;
    advice->move = ask->move;
    if (ask->stack != NULL && !judge_stack(facts, a, advice, e)) return false;
    take_today(facts, a, advice);
    weigh(facts, a, advice, chances_only, weighing);
    return true;
}

bool advise_decide(const Facts *facts, Arena *a, Advice *advice, Err *e) {
    Weighing weighing;
    if (!settle(facts, a, advice, false, &weighing, e)) return false;
    advice->checkpoints = checkpoints_of(facts, advice->ask->model, a, &advice->n_checkpoints);
    if (advice->ask->current != NULL && advice->current == NULL)
        advice->current_unfit = current_unfit(facts, advice->ask, a);
    find_nearest(facts, a, advice);
    find_costs(facts, a, advice);
    find_session_curves(facts, a, advice);
    judge(facts, a, advice, &weighing);
    judge_owning(facts, a, advice);
    find_flips(facts, a, advice, &weighing);
    find_next_steps(facts, a, advice, &weighing);
    return tell_own_runs(facts, a, advice, e);
}

bool advise_winner(const Facts *facts, const Ask *ask, Arena *a, Winner *ret_winner, Err *e) {
    Advice advice;
    Weighing weighing = {.gain = NULL};
    if (!advise_search(facts, ask, a, &advice, e)) return false;
    // Without a move only the costs count, and no draw is needed for them.
    bool by_costs = ask->stack == NULL && ask->move == NULL && ask->current == NULL;
    if (!by_costs && !settle(facts, a, &advice, true, &weighing, e)) return false;
    *ret_winner = decide_winner(facts, a, &advice, &weighing);
    return true;
}

bool advise(const Facts *facts, const Ask *ask, Arena *a, Advice *ret_advice, Err *e) {
    return advise_search(facts, ask, a, ret_advice, e) && advise_decide(facts, a, ret_advice, e);
}
