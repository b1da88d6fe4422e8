// Terms of a decision: their bounds, where their values come from, and the power that two of them make.
#include <math.h>
#include <string.h>

#include "src/advise/search.h"

static const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};

const TermSpec term_specs[TERM_COUNT] = {
    [TERM_ENGINEER_DAY] = {"engineer_day_usd", "engineer-day-usd", "USD a day",
                           "what a day of an engineer costs", 1e-6, 1e9},
    [TERM_HORIZON] = {"horizon_months", "horizon-months", "months", "time over which a move has to pay", 1,
                      600},
    [TERM_DISCOUNT_RATE] = {"discount_rate_pct", "discount-rate", "percent a year",
                            "rate at which later money counts for less", 0, 1000},
    [TERM_LOAD] = {"load_factor", "load-factor", "of the load asked", "load over the horizon", 1e-6, 1e6},
    [TERM_PRICE_LEVEL] = {"price_level", "price-level", "of today's",
                          "prices of AMD's GPU-hours against NVIDIA's over the horizon", 0.01, 100},
    [TERM_CONTRACT_DAYS] = {"contract_days", "contract-days", "engineer-days",
                            "work of changing provider whatever the GPUs", 0, 1e6},
    [TERM_REVALIDATION_DAYS] = {"revalidation_days", "revalidation-days", "engineer-days",
                                "validating again what is regulated", 0, 1e6},
    [TERM_PORT_DAYS] = {"port_days", "port-days", "engineer-days",
                        "moving the software with its tests and CI, where you know it; for moves to NVIDIA "
                        "the only word on it",
                        0, 1e6},
    [TERM_UPKEEP_DAYS] = {"upkeep_days_year", "upkeep-days-per-year", "engineer-days a year",
                          "keeping what was moved, where you know it", 0, 1e6},
    [TERM_PARALLEL_PROVIDER] = {"dual_weeks_provider", "dual-weeks-provider", "weeks",
                                "both fleets paid while changing provider", 0, 520},
    [TERM_PARALLEL_VENDOR] = {"dual_weeks_vendor", "dual-weeks", "weeks",
                              "both fleets paid while changing vendor", 0, 520},
    [TERM_TEAM_SIZE] = {"team_size", "team-size", "engineers", "who work on the move at the same time", 0.01,
                        1e5},
    [TERM_HIRE_WEEKS] = {"hire_weeks", "hire-weeks", "weeks", "until those who can do it are there", 0, 520},
    [TERM_DATA_GB] = {"data_gb", "data-gb", "GB", "data that has to leave the old provider", 0, 1e12},
    [TERM_EGRESS_USD_GB] = {"egress_usd_gb", "egress-usd-per-gb", "USD a GB",
                            "what the old provider takes for that", 0, 1e6},
    [TERM_COMMITMENT_USD] = {"commitment_usd_month", "commitment-usd-per-month", "USD a month",
                             "commitment to the old provider that would go unused", 0, 1e12},
    [TERM_COMMITMENT_MONTHS] = {"commitment_months", "commitment-months", "months", "for which it still runs",
                                0, 600},
    [TERM_MOVABLE_SHARE] = {"movable_share", "movable-share", "of the load, 0-1",
                            "load that needs no blocker solved", 0, 1},
    [TERM_JOBS_MONTH] = {"jobs_per_month", "jobs-per-month", "jobs", "runs of a job a month (training, HPC)",
                         1e-6, 1e9},
    [TERM_SPOT_LOSS] = {"spot_loss_pct", "spot-loss", "percent", "of spot hours lost to interruptions", 0,
                        95},
    [TERM_POWER_PRICE] = {"power_price", "power-price", "USD a kWh", "electricity", 0, 1000},
    [TERM_PUE] = {"pue", "pue", "factor", "power of the data centre for that of its servers", 1, 10},
    [TERM_HOST_POWER] = {"host_power_factor", "host-power-factor", "factor",
                         "power of a server for that of its GPUs", 1, 10},
    [TERM_HOST_PRICE] = {"host_price_factor", "host-price-factor", "factor",
                         "price of a server for that of its GPUs", 1, 10},
    [TERM_HOSTING] = {"hosting_usd_kw_month", "hosting-usd-per-kw", "USD a kW and month", "space and cooling",
                      0, 1e6},
    [TERM_AMORTISE] = {"amortise_months", "amortise-months", "months",
                       "over which owned servers are written off", 1, 600},
    [TERM_RESIDUAL] = {"residual_pct", "residual", "percent", "of the price that they fetch then", 0, 99},
    [TERM_CAPITAL_RATE] = {"capital_rate_pct", "capital-rate", "percent a year",
                           "what the money in owned servers costs; unsaid: the discount rate", 0, 1000},
    [TERM_STREET_PRICE] = {"street_price_factor", "street-price-factor", "factor",
                           "what a GPU is bought for, for its street price", 0.01, 100},
    [TERM_API_OUTPUT] = {"api_output_usd_mtok", "api-usd-per-mtok", "USD a million tokens",
                         "an API's price of output tokens", 0, 1e6},
    [TERM_API_INPUT] = {"api_input_usd_mtok", "api-input-usd-per-mtok", "USD a million tokens",
                        "an API's price of input tokens", 0, 1e6},
};

Estimate term_of(const Facts *f, const Ask *ask, Term t) {
    if (ask->terms[t].set)
        return (Estimate){ask->terms[t].value, ask->terms[t].value, ask->terms[t].value, BASIS_PUBLISHED,
                          "as given"};
    if (ask->stack != NULL && ask->stack->terms[t].set)
        return (Estimate){ask->stack->terms[t].value, ask->stack->terms[t].value, ask->stack->terms[t].value,
                          BASIS_PUBLISHED, "stack file"};
    for (size_t i = 0; i < f->n_assumptions; i++) {
        const Assumption *x = &f->assumptions[i];
        if (strcmp(x->name, term_specs[t].name) == 0)
            return (Estimate){x->value, x->low, x->high, BASIS_EXTRAPOLATED, x->source};
    }
    return unknown;
}

// What one board takes at most: its own limit, or the cap it runs under.
double board_kw(const Ask *ask, const Gpu *g) {
    return (ask->techniques.power_cap_w > 0 ? fmin(ask->techniques.power_cap_w, g->board_power_w)
                                            : g->board_power_w) /
           1000;
}

double site_kw_of(const Facts *f, const Ask *ask, const Gpu *g, double gpus) {
    return board_kw(ask, g) * gpus * term_of(f, ask, TERM_HOST_POWER).value * term_of(f, ask, TERM_PUE).value;
}
