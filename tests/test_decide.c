// src/advise: what a move costs, saves and is worth, by hand arithmetic; the verdict that follows; what turns
// it.
#include <math.h>
#include <string.h>

#include "src/advise/samples.h"
#include "tests/coded_world.h"

// Ratio of the costs of the two offers at the same price.
static double speed_ratio(void) {
    World w;
    make(&w);
    run(&w);
    double x = w.advice.best[VENDOR_AMD]->cost / 16 / (w.advice.best[VENDOR_NVIDIA]->cost / 20);
    arena_free(&w.arena);
    return x;
}

static void test_flow_by_hand(void) {
    // $10,000 a month becomes $6,000; 40 days of two engineers at $1,000; 73/12 weeks of both fleets are 1.4
    // months' ... all written out:
    Flow f = {.bill = 10000,
              .bill_after = 6000,
              .port_days = 30,
              .contract_days = 10,
              .upkeep_days_year = 6,
              .day_usd = 1000,
              .parallel_weeks = 2,
              .egress_usd = 100,
              .unused_commitment_usd = 900,
              .team = 2,
              .hire_weeks = 3,
              .horizon_months = 24,
              .rate_year = 0};
    Outcome o = flow_outcome(&f);
    double weeks_a_month = 365.0 / 12 / 7;
    CHECK_NEAR(o.work, 40000, 1e-12);
    CHECK_NEAR(o.parallel_running, 6000 * 2 / weeks_a_month, 1e-12);
    CHECK_NEAR(o.once, 40000 + 6000 * 2 / weeks_a_month + 100 + 900, 1e-12);
    CHECK_NEAR(o.upkeep, 500, 1e-12);
    CHECK_NEAR(o.saving, 4000, 1e-12);
    CHECK_NEAR(o.months, o.once / 3500, 1e-12);
    CHECK_NEAR(o.weeks, 3 + 40.0 / 5 / 2, 1e-12);
    CHECK_NEAR(o.npv, 3500 * (24 - 7 / weeks_a_month) - o.once, 1e-9);
    CHECK_NEAR(flow_pays_after(&f), 7 / weeks_a_month + o.once / 3500, 1e-9);
    // 12 % a year: the sum of 1 / 1.12^(m / 12) over whole months.
    double sum = 0;
    for (int m = 1; m <= 24; m++) sum += pow(1.12, -m / 12.0);
    CHECK_NEAR(annuity(24, 0.12), sum, 1e-9);
    f.rate_year = 0.12;
    f.hire_weeks = f.port_days = f.contract_days = 0;
    o = flow_outcome(&f);
    CHECK_NEAR(o.npv, 3500 * sum - o.once, 1e-9);
    CHECK_NEAR(flow_value(&f, flow_pays_after(&f)), 0, 1e-6);
}

static void test_transition_by_hand(void) {
    Coded c;
    make_coded(&c, 20, 10);
    run(&c.w);
    const Transition *l = transition_of(&c);
    double ratio = speed_ratio() * 10 / 20;
    double bill = 20 * 730.0;
    double days = 10 + 10 + 4;
    double parallel_running = bill * ratio * 4 / (365.0 / 12 / 7);
    double once = days * 800 + parallel_running;
    double net = bill * (1 - ratio) - 12 * 800 / 12.0;
    double live = days / 10 / (365.0 / 12 / 7);
    CHECK_NEAR(l->bill.value, bill, 1e-9);
    CHECK_NEAR(l->bill_after.value, bill * ratio, 1e-9);
    CHECK_NEAR(l->once.value, once, 1e-9);
    CHECK_NEAR(l->saving.value - l->upkeep.value, net, 1e-9);
    CHECK_NEAR(l->break_even_months.value, once / net, 1e-9);
    CHECK_NEAR(l->npv.value, net * (annuity(24, 0.12) - annuity(live, 0.12)) - once, 1e-9);
    CHECK_NEAR(l->weeks.value, 2.4, 1e-9);
    CHECK(l->break_even_months.low < l->break_even_months.value &&
          l->break_even_months.value < l->break_even_months.high);
    CHECK(l->npv.low < l->npv.value && l->npv.value < l->npv.high);
    CHECK(!is_known(l->egress.value) && !is_known(l->unused_commitment.value));
    CHECK_NEAR(l->curve[l->n_curve - 1], l->npv.value, 1e-9);
    CHECK_NEAR(l->curve_low[l->n_curve - 1], l->npv.low, 1e-9);
    CHECK_NEAR(l->curve[0], -once, 1e-9);
    arena_free(&c.w.arena);
}

// The range is that of the log-normal ratio alone: its 10th and 90th percentile go through the arithmetic.
static void test_quantiles_are_those_of_the_ratio(void) {
    Coded c;
    make_coded(&c, 20, 10);
    run(&c.w);
    const Transition *l = transition_of(&c);
    double mean = 0, sigma = 0;
    cost_ratio(&c.w.facts, l->to, l->from, &mean, &sigma);
    for (int side = -1; side <= 1; side += 2) {
        double after = 20 * 730.0 * exp(mean + side * Z80 * sigma);
        double once = 24 * 800 + after * 4 / (365.0 / 12 / 7);
        double months = once / (20 * 730.0 - after - 800);
        CHECK_NEAR(side < 0 ? l->break_even_months.low : l->break_even_months.high, months, 1e-3);
    }
    // Never: where the ratio eats all that is saved.
    double edge = log((20 * 730.0 - 800) / (20 * 730.0));
    CHECK(fabs(l->never - erfc((edge - mean) / sigma / sqrt(2)) / 2) < 1e-4);
    arena_free(&c.w.arena);
}

// AMD at four times NVIDIA's price: no month breaks even, and no number says so.
static void test_what_never_pays_has_no_month(void) {
    Coded c;
    make_coded(&c, 10, 40);
    run(&c.w);
    const Transition *l = transition_of(&c);
    CHECK(l != NULL && l->saving.value < 0);
    CHECK(isnan(l->break_even_months.value) && isnan(l->break_even_months.high));
    CHECK_NEAR(l->never, 1, 1e-3);
    arena_free(&c.w.arena);
}

static void test_the_port_weighs_in_the_verdict(void) {
    Coded c;
    make_coded(&c, 20, 8);
    run(&c.w);
    CHECK_INT(c.w.advice.verdict.winner, WINNER_AMD);
    double pays = transition_of(&c)->pays;
    CHECK_NEAR(c.w.advice.verdict.probability, pays, 1e-12);
    // The same prices, a port that nobody gets paid back.
    c.effort.first_port = range(2000, 2000, 2000);
    run(&c.w);
    CHECK_INT(c.w.advice.verdict.winner, WINNER_NVIDIA);
    CHECK(text_contains(c.w.advice.verdict.text, "stay"));
    CHECK(c.w.advice.verdict.reasons_for[0] != NULL);
    c.w.ask.move = NULL;
    run(&c.w);
    CHECK_INT(c.w.advice.verdict.winner, WINNER_AMD);  // by cost alone
    CHECK(c.w.advice.transitions[TRANSITION_VENDOR] == NULL);
    arena_free(&c.w.arena);
}

static void test_unused_commitment_is_a_cost_and_a_reason_to_wait(void) {
    Coded c;
    make_coded(&c, 20, 8);
    run(&c.w);
    double once = transition_of(&c)->once.value;
    double npv = transition_of(&c)->npv.value;
    set_term(&c.w, TERM_COMMITMENT_USD, 30000);
    set_term(&c.w, TERM_COMMITMENT_MONTHS, 10);
    run(&c.w);
    CHECK_NEAR(transition_of(&c)->once.value, once + 300000, 1e-9);
    CHECK_NEAR(transition_of(&c)->npv.value, npv - 300000, 1e-9);
    CHECK_INT(c.w.advice.verdict.winner, WINNER_NOT_YET);
    arena_free(&c.w.arena);
}

static void test_part_of_the_load_moves_where_the_rest_is_stuck(void) {
    Coded c;
    make_coded(&c, 60, 24);
    c.effort.first_port = range(15, 15, 15);
    c.effort.first_port_with_blockers = 3000;
    run(&c.w);
    CHECK_INT(c.w.advice.verdict.winner, WINNER_NVIDIA);
    set_term(&c.w, TERM_MOVABLE_SHARE, 0.7);
    run(&c.w);
    CHECK_INT(c.w.advice.verdict.winner, WINNER_SPLIT);
    CHECK(transition_of(&c)->pays_share >= 0.9);
    CHECK(text_contains(c.w.advice.verdict.text, "70 %"));
    arena_free(&c.w.arena);
}

// Two transitions: today's price against another provider's, and against the other vendor's.
static void test_transitions_from_what_runs_today(void) {
    Coded c;
    make_coded(&c, 20, 12);
    c.w.ask.current = &c.w.gpus[0];
    c.w.ask.current_usd_gpu_h = 5;
    run(&c.w);
    const Transition *p = c.w.advice.transitions[TRANSITION_PROVIDER];
    const Transition *v = transition_of(&c);
    CHECK(p != NULL && v != NULL && c.w.advice.current != NULL);
    CHECK_NEAR(p->bill.value, 8 * 5 * 730.0 * c.w.advice.current->gpu_count / 8, 1e-6);
    CHECK_NEAR(p->days.value, 4, 1e-12);  // contract and data alone
    CHECK_NEAR(v->days.value, 24, 1e-12);
    CHECK_NEAR(p->upkeep.value, 0, 1e-12);
    CHECK(p->parallel_running.value < v->bill.value);
    // What is gained within the vendor is not what the other one brings.
    CHECK(c.w.advice.verdict.winner != WINNER_AMD || v->npv.value > p->npv.value);
    arena_free(&c.w.arena);
}

// From AMD to NVIDIA nobody counts the work: it is unknown, not nothing, until the user says it. What it may
// take at most is worth nothing then.
static void test_work_towards_nvidia_is_the_users_word(void) {
    Coded c;
    make_coded(&c, 12, 30);
    c.w.ask.current = &c.w.gpus[1];
    c.w.ask.current_usd_gpu_h = 5;
    run(&c.w);
    const Transition *l = transition_of(&c);
    CHECK(l != NULL && l->to->gpu->vendor == VENDOR_NVIDIA && !is_known(l->npv.value) &&
          !is_known(l->once.value));
    CHECK(text_contains(c.w.advice.verdict.text, "not known") && text_contains(l->text, "fewer than"));
    double most = l->port_days_at_most;
    CHECK(most > 0);
    set_term(&c.w, TERM_PORT_DAYS, most);
    run(&c.w);
    CHECK(!is_known(transition_of(&c)->npv.value));  // upkeep is still not known
    set_term(&c.w, TERM_UPKEEP_DAYS, 0);
    run(&c.w);
    const Transition *p = c.w.advice.transitions[TRANSITION_PROVIDER];
    CHECK(fabs(transition_of(&c)->npv.value - (p != NULL ? fmax(p->npv.value, 0) : 0)) < 1);
    CHECK_NEAR(transition_of(&c)->days.value, most + 4, 1e-9);
    CHECK(!is_known(transition_of(&c)->port_days_at_most));
    set_term(&c.w, TERM_PORT_DAYS, 1);
    run(&c.w);
    CHECK_INT(c.w.advice.verdict.winner, WINNER_NVIDIA);
    arena_free(&c.w.arena);
}

// What the user knows of the work goes before what was counted.
static void test_days_that_are_given_go_before_counted_ones(void) {
    Coded c;
    make_coded(&c, 20, 10);
    c.effort.first_port = range(10, 3, 30);
    set_term(&c.w, TERM_PORT_DAYS, 7);
    run(&c.w);
    CHECK_NEAR(transition_of(&c)->days.value, 7 + 4, 1e-12);
    CHECK_NEAR(transition_of(&c)->days.low, transition_of(&c)->days.high, 1e-12);
    CHECK_NEAR(transition_of(&c)->upkeep.value, 800, 1e-9);  // twelve days a year as counted
    arena_free(&c.w.arena);
}

static void test_a_public_measurement_goes_before_the_estimate(void) {
    World w;
    make(&w);
    run(&w);
    const Option *o = w.advice.best[VENDOR_AMD];
    double estimate = o->output_tokens_s.value;
    CHECK_INT(o->published.n, 0);
    Measurement m = {.gpu_sku = "mi300x",
                     .gpu_count = o->gpu_count,
                     .model = "llama-70b",
                     .precision_weights = "bf16",
                     .precision_kv = "bf16",
                     .engine = o->engine,
                     .input_tokens = 1024,
                     .output_tokens = 512,
                     .batch_or_concurrency = 64,
                     .rate_rps = UNKNOWN,
                     .tp = o->layout.tp,
                     .pp = UNKNOWN,
                     .dp = o->replicas,
                     .draft_tokens = "",
                     .output_tokens_per_s = estimate * 1.2,
                     .source = "a paper",
                     .date = "2026-01-01"};
    w.facts.published = &m;
    w.facts.n_published = 1;
    run(&w);
    o = w.advice.best[VENDOR_AMD];
    CHECK_INT(o->published.n, 1);
    CHECK_INT(o->basis, BASIS_PUBLISHED);
    CHECK_NEAR(o->output_tokens_s.value, estimate * 1.2, 1e-9);
    CHECK_NEAR(o->output_usd_mtok.value, usd_per_mtok(o->price_usd_h, estimate * 1.2), 1e-9);
    CHECK(text_contains(o->sources, "a paper"));
    m.batch_or_concurrency = 65;
    run(&w);
    CHECK_INT(w.advice.best[VENDOR_AMD]->published.n, 0);
    m.batch_or_concurrency = 64;
    w.ask.workload.tpot_ms = o->point.tpot_p99_s * 1000 / 2;  // by the measurement, too slow
    run(&w);
    CHECK(w.advice.best[VENDOR_AMD] == NULL || w.advice.best[VENDOR_AMD]->published.n == 0);
    arena_free(&w.arena);
}

static void test_draws_are_seeded(void) {
    Coded c, d, e;
    make_coded(&c, 20, 11);
    make_coded(&d, 20, 11);
    make_coded(&e, 20, 11);
    Effort *all[] = {&c.effort, &d.effort, &e.effort};
    for (int i = 0; i < 3; i++) all[i]->first_port = range(10, 3, 30);
    e.w.ask.seed = 7;
    run(&c.w);
    run(&d.w);
    run(&e.w);
    CHECK(memcmp(&transition_of(&c)->npv, &transition_of(&d)->npv, 3 * sizeof(double)) == 0);
    CHECK(transition_of(&c)->npv.low != transition_of(&e)->npv.low);
    CHECK_NEAR(transition_of(&c)->npv.low, transition_of(&e)->npv.low, 0.02);
    arena_free(&c.w.arena);
    arena_free(&d.w.arena);
    arena_free(&e.w.arena);
}

static void test_draws_are_normal(void) {
    Arena a = {0};
    Samples d;
    samples_make(3, &a, &d);
    for (int col = 0; col < SAMPLE_COUNT; col++) {
        double sum = 0, squares = 0, cross = 0;
        for (size_t i = 0; i < SAMPLES; i++) {
            sum += d.z[col][i];
            squares += d.z[col][i] * d.z[col][i];
            cross += d.z[col][i] * d.z[(col + 1) % SAMPLE_COUNT][i];
        }
        CHECK(fabs(sum / SAMPLES) < 1e-9);
        CHECK_NEAR(squares / SAMPLES, 1, 1e-3);
        CHECK(fabs(cross / SAMPLES) < 0.03);
        CHECK_NEAR(share_above(d.z[col], SAMPLES, 1.2815515655446004), 0.1, 1e-3);
    }
    double x[] = {5, (double)INFINITY, 1, 3, 2, 4, (double)INFINITY, 7, 6, 9, 8};
    double low = 0, high = 0;
    tenths_of(x, 11, &low, &high);
    CHECK(low == 2 && isinf(high));
    tenths_of(x, 1, &low, &high);
    CHECK(low == x[0] && high == x[0]);
    double y[] = {11, 1, 10, 2, 9, 3, 8, 4, 7, 5, 6};
    tenths_of(y, 11, &low, &high);
    CHECK(low == 2 && high == 10);
    arena_free(&a);
}

// Knowing how fast the AMD option is cannot be worth less than nothing, nor more than knowing everything.
static void test_value_of_knowing(void) {
    Coded c;
    make_coded(&c, 20, 13);
    run(&c.w);
    const Verdict *v = &c.w.advice.verdict;
    CHECK(v->n_next_steps >= 2);
    Weighing w;
    Arena a = {0};
    Advice again = c.w.advice;
    CHECK(weigh(&c.w.facts, &a, &again, false, &w));
    double all = 0, mean = 0;
    for (size_t i = 0; i < SAMPLES; i++) all += fmax(w.gain[i], 0) / SAMPLES, mean += w.gain[i] / SAMPLES;
    for (size_t i = 0; i < v->n_next_steps; i++) {
        CHECK(v->next_steps[i].worth_usd >= 0);
        CHECK(v->next_steps[i].worth_usd <= all - fmax(mean, 0) + 1e-6);
        if (i > 0)
            CHECK(v->next_steps[i - 1].worth_usd - v->next_steps[i - 1].cost_usd >=
                  v->next_steps[i].worth_usd - v->next_steps[i].cost_usd);
    }
    CHECK(all - fmax(mean, 0) > 0);
    arena_free(&a);
    arena_free(&c.w.arena);
}

static void test_electricity_by_hand(void) {
    World w;
    make(&w);
    run(&w);
    const Costs *c = &w.advice.costs[VENDOR_NVIDIA];
    CHECK_NEAR(c->power_kw, 0.7 * 8 * 2 * 1.5, 1e-9);
    CHECK_NEAR(c->kwh_per_mtok.value, c->power_kw / (c->option->output_tokens_s.value * 3600) * 1e6, 1e-9);
    CHECK_NEAR(c->usd_month.value, 20 * 730, 1e-9);
    arena_free(&w.arena);
}

static void test_spot_hours_are_lost_in_part(void) {
    World w;
    make(&w);
    w.offers[0].pricing_model = w.offers[1].pricing_model = PRICING_SPOT;
    w.ask.pricing_model = PRICING_SPOT;
    run(&w);
    CHECK_NEAR(w.advice.costs[VENDOR_NVIDIA].usd_month.value, 20 * 730 / 0.9, 1e-9);
    CHECK_NEAR(w.advice.best[VENDOR_NVIDIA]->output_usd_mtok.value,
               usd_per_mtok(20, w.advice.best[VENDOR_NVIDIA]->output_tokens_s.value), 1e-9);
    arena_free(&w.arena);
}

static void test_an_api_by_hand(void) {
    World w;
    make(&w);
    set_term(&w, TERM_API_OUTPUT, 3);
    set_term(&w, TERM_API_INPUT, 0.5);
    run(&w);
    const Api *x = w.advice.api;
    CHECK_NEAR(x->usd_mtok, 3 + 0.5 * 1024 / 512, 1e-12);
    CHECK_NEAR(x->even_duty, w.advice.options[0].cost / 4, 1e-9);
    // A month of the fleet at the API's price of a million: that share of what it gives, and of 512 tokens a
    // request.
    const ApiVolume *v = &x->rented;
    CHECK_NEAR(v->even_mtok.value, 16 * 730 / 4.0, 1e-6);
    CHECK_NEAR(v->even_mtok.value / v->asked_mtok, x->even_duty, 1e-9);
    CHECK_NEAR(v->even_requests_day, 16 * 730 / 4.0 * 1e6 / 512 * 12 / 365, 1e-6);
    CHECK(v->most_mtok >= v->asked_mtok && x->owned.option == NULL);
    CHECK(text_contains(x->text, v->asked_mtok >= v->even_mtok.value ? "is above that" : "never reaches"));
    set_term(&w, TERM_API_OUTPUT, 1e-3);
    set_term(&w, TERM_API_INPUT, 0);
    run(&w);
    CHECK(w.advice.api->rented.even_mtok.value > w.advice.api->rented.most_mtok &&
          text_contains(w.advice.api->text, "never"));
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(flow_by_hand),
    TEST(transition_by_hand),
    TEST(quantiles_are_those_of_the_ratio),
    TEST(what_never_pays_has_no_month),
    TEST(the_port_weighs_in_the_verdict),
    TEST(unused_commitment_is_a_cost_and_a_reason_to_wait),
    TEST(part_of_the_load_moves_where_the_rest_is_stuck),
    TEST(transitions_from_what_runs_today),
    TEST(work_towards_nvidia_is_the_users_word),
    TEST(days_that_are_given_go_before_counted_ones),
    TEST(a_public_measurement_goes_before_the_estimate),
    TEST(draws_are_seeded),
    TEST(draws_are_normal),
    TEST(value_of_knowing),
    TEST(electricity_by_hand),
    TEST(spot_hours_are_lost_in_part),
    TEST(an_api_by_hand),
};

TEST_MAIN(tests)
