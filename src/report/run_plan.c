// The few runs that would settle a verdict: a table, and the commands.
#include <math.h>

#include "src/report/run_report.h"

// clang-format off
#define COLUMNS(X) \
    X("vendor",                     "SIDE",             TEXT,      vendor_titles[r->option->gpu->vendor]) \
    X("machine",                    "MACHINE",          TEXT,      machine_words(r->option, a)) \
    X("load",                       "LOAD OF A SERVER", TEXT,      load) \
    X("usd_an_hour",                "USD AN HOUR",      NUMBER(3), r->usd) \
    X("range_pct_before",           "RANGE +% NOW",     NUMBER(2), range_pct(r->sigma_before)) \
    X("range_pct_after",            "AFTER IT",         NUMBER(2), range_pct(r->sigma_after)) \
    X("cost_ratio_range_pct_after", "OF THE RATIO",     NUMBER(2), range_pct(r->ratio_sigma)) \
    X("command",                    "COMMAND",          MORE_TEXT, measure_command(&r->measure, measure_tool(f), a))
// clang-format on

static double range_pct(double sigma) { return 100 * expm1(Z80 * sigma); }

static const char *machine_words(const Option *o, Arena *a) {
    if (o->today) return arena_printf(a, "%d x %s, as it runs today", o->gpu_count, o->gpu->name);
    return arena_printf(a, "%d x %s at %s", (int)o->offer->gpu_count, o->gpu->name, o->offer->provider);
}

static const char *outcome_words(const Plan *plan, Arena *a) {
    double ratio = exp(plan->ratio_mean);
    const char *now =
        arena_printf(a, "AMD's best costs %.3g times NVIDIA's by estimate (80 %% range %.3g to %.3g)", ratio,
                     ratio / exp(Z80 * plan->ratio_sigma), ratio * exp(Z80 * plan->ratio_sigma));
    double sigma = plan->runs[plan->n - 1].ratio_sigma;
    return plan->settles
               ? arena_printf(a,
                              "%s. These runs would settle it: should they come out as estimated, the range "
                              "is %.3g to %.3g.",
                              now, ratio / exp(Z80 * sigma), ratio * exp(Z80 * sigma))
               : arena_printf(a,
                              "%s. Should these runs come out as estimated the two stay too near to each "
                              "other to be told apart (%.3g to %.3g): then it is a tie, and prices decide.",
                              now, ratio / exp(Z80 * sigma), ratio * exp(Z80 * sigma));
}

Listing run_plan(const Facts *f, const Plan *plan, Arena *a) {
    Listing l = LISTING(a, "plan", COLUMNS, plan->n);
    for (size_t i = 0; i < plan->n; i++) {
        const PlannedRun *r = &plan->runs[i];
        const char *load = is_known(r->measure.rate_rps)
                               ? arena_printf(a, "%.3g requests/s", r->measure.rate_rps)
                               : arena_printf(a, "%.0f in flight", r->measure.concurrency);
        listing_row(&l, COLUMNS(LISTING_CELL));
    }
    l.note = outcome_words(plan, a);
    return l;
}

void run_plan_json(const Plan *plan, const char *outcome, Json *root) {
    json_add(root, J_BOOL("settles", plan->settles),
             J_NUMBER("cost_ratio_amd_to_nvidia", exp(plan->ratio_mean)),
             J_NUMBER("cost_ratio_range_pct", range_pct(plan->ratio_sigma)), J_TEXT("text", outcome));
}

void run_plan_commands(const Facts *f, const Plan *plan, Arena *a, Buf *out) {
    for (size_t i = 0; i < plan->n; i++) {
        const PlannedRun *r = &plan->runs[i];
        buf_printf(out, "\n%zu. %s, beside the server on %s:\n   %s\n", i + 1,
                   vendor_titles[r->option->gpu->vendor], machine_words(r->option, a),
                   text_clean(a, measure_command(&r->measure, measure_tool(f), a)));
    }
    buf_puts(out, "\nThen `gpuadvise runs import` the results, and ask again.\n");
}
