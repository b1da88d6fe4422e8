// src/advise: what owning costs by hand arithmetic, its ranges, which fleets count, and what it makes of the
// verdict.
#include <math.h>
#include <string.h>

#include "src/advise/search.h"
#include "tests/coded_world.h"

// $30,000 a GPU with its share of the server, $6,000 left after 40 months; by months, each at 1.01^-m of its
// money.
static double capital_by_hand(double server, double left, int months, double rate_year) {
    double paid = 0;
    for (int m = 1; m <= months; m++) paid += pow(1 + rate_year, -m / 12.0);
    return (server - left * pow(1 + rate_year, -months / 12.0)) / paid / 730;
}

static void own(World *w, double nvidia_usd, double amd_usd) {
    make(w);
    w->ask.onprem = true;
    w->ask.quotes[0] = (Quote){&w->gpus[0], nvidia_usd};
    w->ask.quotes[1] = (Quote){&w->gpus[1], amd_usd};
    w->ask.n_quotes = 2;
}

static void test_an_hour_by_hand(void) {
    World w;
    make(&w);
    w.gpus[0].street_price_usd = 20000;
    w.ask.onprem = true;
    run(&w);
    const Owning *x = &w.advice.owning[VENDOR_NVIDIA];
    // 700 W x 2 x PUE 1.5 at $0.1; 1.4 kW at $146 a month.
    CHECK_NEAR(x->capital_usd_h, capital_by_hand(30000, 6000, 40, 0.12), 1e-9);
    CHECK_NEAR(x->power_usd_h, 1.4 * 1.5 * 0.1, 1e-9);
    CHECK_NEAR(x->hosting_usd_h, 1.4 * 146 / 730, 1e-9);
    CHECK_NEAR(x->usd_gpu_h, x->capital_usd_h + 0.21 + 0.28, 1e-9);
    CHECK(w.advice.owning[VENDOR_AMD].gpu == NULL &&
          text_contains(w.advice.owning[VENDOR_AMD].text, "not known"));
    // The same price for every size: an owned server of eight does the work of the rented one, and both
    // figures are one.
    const Advice *owned = w.advice.owned;
    CHECK(owned != NULL && owned->n_options == 1);
    const Option *o = &owned->options[0];
    CHECK_NEAR(o->price_usd_gpu_h, x->usd_gpu_h, 1e-6);
    CHECK_NEAR(o->cost, usd_per_mtok(8 * x->usd_gpu_h * o->instances, o->output_tokens_s.value), 1e-6);
    CHECK_NEAR(x->output_usd_mtok, o->output_usd_mtok.value, 1e-12);
    CHECK(text_contains(o->offer->source, "data/decision.tsv") &&
          w.advice.best[VENDOR_NVIDIA]->offer != o->offer);
    // The cost of capital apart from the discount rate, and none: a straight line.
    set_term(&w, TERM_CAPITAL_RATE, 0);
    run(&w);
    CHECK_NEAR(w.advice.owning[VENDOR_NVIDIA].capital_usd_h, 24000 / (40 * 730.0), 1e-9);
    set_term(&w, TERM_CAPITAL_RATE, 30);
    run(&w);
    CHECK_NEAR(w.advice.owning[VENDOR_NVIDIA].capital_usd_h, capital_by_hand(30000, 6000, 40, 0.3), 1e-9);
    // With 10 %, 48 months and 15 % left, as docs/owning.md says.
    set_term(&w, TERM_CAPITAL_RATE, 10);
    set_term(&w, TERM_AMORTISE, 48);
    set_term(&w, TERM_RESIDUAL, 15);
    w.gpus[0].street_price_usd = 15000;
    run(&w);
    CHECK(fabs(w.advice.owning[VENDOR_NVIDIA].capital_usd_h - 0.696) < 0.0005);
    arena_free(&w.arena);
}

// A quote goes before the street price and has no range; each term of the hour adds its own square.
static void test_ranges(void) {
    World w;
    make(&w);
    Assumption rows[64];
    size_t n = w.facts.n_assumptions;
    memcpy(rows, w.facts.assumptions, n * sizeof *rows);
    w.facts.assumptions = rows;
    w.gpus[0].street_price_usd = 20000;
    w.ask.onprem = true;
    run(&w);
    // no term has a range
    CHECK_NEAR(w.advice.owning[VENDOR_NVIDIA].gpu_hour.low, w.advice.owning[VENDOR_NVIDIA].gpu_hour.high,
               1e-12);
    size_t street = 0, host = 0;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(rows[i].name, "street_price_factor") == 0) street = i;
        if (strcmp(rows[i].name, "host_price_factor") == 0) host = i;
    }
    rows[street].low = 0.8, rows[street].high = 1.25;
    rows[host].low = 1.2, rows[host].high = 1.875;
    run(&w);
    const Owning *x = &w.advice.owning[VENDOR_NVIDIA];
    double rest = x->usd_gpu_h - x->capital_usd_h;
    // both terms move the same
    double one = log((x->capital_usd_h * 1.25 + rest) / (x->capital_usd_h * 0.8 + rest)) / 2;
    CHECK_NEAR(log(x->gpu_hour.high / x->usd_gpu_h), one * sqrt(2), 1e-9);
    CHECK_NEAR(x->gpu_price.low, 16000, 1e-9);
    const Option *o = &w.advice.owned->options[0];
    double speed = log(w.advice.best[VENDOR_NVIDIA]->output_usd_mtok.high /
                       w.advice.best[VENDOR_NVIDIA]->output_usd_mtok.value);
    CHECK_NEAR(log(o->output_usd_mtok.high / o->cost), hypot(one * sqrt(2), speed), 1e-9);
    CHECK_NEAR(o->sigma_log, w.advice.best[VENDOR_NVIDIA]->sigma_log, 1e-12);
    // The same GPU, owned and rented: the errors of speed are one.
    const OwnAnswer *own = w.advice.verdict.own;
    CHECK(own->choices[OWN_OWN].option == o && own->choices[OWN_RENT].option == w.advice.best[VENDOR_AMD]);
    w.ask.quotes[0] = (Quote){&w.gpus[0], 20000};
    w.ask.n_quotes = 1;
    run(&w);
    x = &w.advice.owning[VENDOR_NVIDIA];
    CHECK(x->quoted && x->gpu_price.low == 20000 && x->gpu_price.high == 20000 &&
          x->gpu_price.basis == BASIS_PUBLISHED);
    CHECK_NEAR(log(x->gpu_hour.high / x->usd_gpu_h), one, 1e-9);
    // One vendor alone: rented and owned differ in price only.
    w.ask.vendor = VENDOR_NVIDIA;
    w.ask.quotes[0].usd = 21000;
    run(&w);
    own = w.advice.verdict.own;
    CHECK_NEAR(own->probability,
               erfc(log(own->cost_ratio.value) / (own_sigma(own->choices[OWN_OWN].owning, NULL)) / sqrt(2)) /
                   2,
               1e-9);
    arena_free(&w.arena);
}

// By arithmetic: rented, NVIDIA is dearer than AMD; a quote at which owning H100 costs a third of it must
// turn the answer, a dear one must not.
static void test_a_quote_turns_the_verdict(void) {
    World w;
    own(&w, 3000, 90000);
    run(&w);
    const OwnAnswer *x = w.advice.verdict.own;
    CHECK_INT(w.advice.verdict.winner, x->before);
    double ratio = w.advice.owned->options[0].cost / w.advice.best[VENDOR_AMD]->cost;
    CHECK(w.advice.owned->options[0].gpu == &w.gpus[0] && ratio < 0.5);
    CHECK_INT(x->winner, WINNER_NVIDIA);
    CHECK(x->changes && text_contains(x->text, "changes the verdict") &&
          text_contains(x->text, "quote of $3000"));
    CHECK_INT(x->cheapest, OWN_OWN);
    CHECK_NEAR(x->vendor_ratio.value, 1 / ratio, 1e-9);
    CHECK_NEAR(x->cost_ratio.value, ratio, 1e-9);
    CHECK(x->probability > 0.9 && x->winner_probability > 0.9);
    arena_free(&w.arena);
    own(&w, 90000, 90000);
    run(&w);
    x = w.advice.verdict.own;
    CHECK(!x->changes && x->cheapest == OWN_RENT && x->probability < 0.1);
    CHECK_INT(x->winner, w.advice.verdict.winner);
    arena_free(&w.arena);
}

// At the share of hours that is said, both cost the same when it is put in as the duty cycle of the owned
// fleet.
static void test_even_hours_are_even(void) {
    World w;
    own(&w, 20000, 15000);
    run(&w);
    const OwnAnswer *x = w.advice.verdict.own;
    double rent = x->choices[OWN_RENT].option->cost;
    double even = x->even_hours.value;
    CHECK(even > 0 && even < 1 && x->even_hours.low <= even && even <= x->even_hours.high);
    w.ask.workload.duty_cycle = even;
    run(&w);
    CHECK_NEAR(w.advice.verdict.own->choices[OWN_OWN].option->cost, rent, 1e-5);
    CHECK_NEAR(w.advice.verdict.own->even_hours.value, even, 1e-5);  // it does not hang on the use
    arena_free(&w.arena);
}

static void test_today_is_a_transition(void) {
    World w;
    own(&w, 20000, 15000);
    w.ask.current = &w.gpus[0];
    w.ask.current_usd_gpu_h = 0.1;
    run(&w);
    const OwnAnswer *x = w.advice.verdict.own;
    CHECK_INT(x->cheapest, OWN_TODAY);
    CHECK(x->choices[OWN_TODAY].option == w.advice.current && x->of[VENDOR_AMD][OWN_TODAY].option == NULL);
    CHECK_NEAR(x->choices[OWN_TODAY].usd_month.value, w.advice.current->gpu_count * 0.1 * 730, 1e-6);
    arena_free(&w.arena);
}

// What the licence keeps out of data centres is listed and noted, and taken only where its price was quoted.
static void test_licences(void) {
    static const Licence licences[] = {
        {VENDOR_NVIDIA, "Ge", "", "short", "", "test", "2026"},
        {VENDOR_NVIDIA, "GeForce", "forbidden", "terms", "no ECC", "test", "2026"},
        {VENDOR_AMD, "Gef", "", "other", "", "test", "2026"}};
    World w;
    make(&w);
    w.facts.licences = licences;
    w.facts.n_licences = COUNT_OF(licences);
    w.gpus[0].name = "GeForce X";
    CHECK(licence_of(&w.facts, &w.gpus[0]) == &licences[1] && licence_of(&w.facts, &w.gpus[1]) == NULL);
    CHECK_STR(licence_note(&w.facts, &w.gpus[0], &w.arena), "GeForce X: terms; no ECC");
    CHECK_STR(licence_note(&w.facts, &w.gpus[1], &w.arena), "");
    w.gpus[0].street_price_usd = 1000;
    w.ask.onprem = true;
    run(&w);
    CHECK(w.advice.owned->n_options == 1 && w.advice.verdict.own->choices[OWN_OWN].option == NULL);
    CHECK_INT(w.advice.verdict.own->n_notes, 1);
    w.ask.quotes[0] = (Quote){&w.gpus[0], 1000};
    w.ask.n_quotes = 1;
    run(&w);
    CHECK(w.advice.verdict.own->choices[OWN_OWN].option == &w.advice.owned->options[0]);
    arena_free(&w.arena);
}

static const Exclusion *left_out(const World *w, const char *what) {
    for (size_t i = 0; i < w->advice.n_exclusions; i++) {
        if (strcmp(w->advice.exclusions[i].what, what) == 0 &&
            text_contains(w->advice.exclusions[i].reason, "owned"))
            return &w->advice.exclusions[i];
    }
    return NULL;
}

// A fleet of many slow GPUs beside one of few: left out and counted, but not where its price was quoted.
static void test_fleets_that_nobody_would_rack(void) {
    World w;
    make(&w);
    w.gpus[0].street_price_usd = w.gpus[1].street_price_usd = 20000;
    w.gpus[0].memory_bw_gb_s /= 20;
    w.gpus[0].bf16_tflops /= 20;
    w.ask.workload.concurrency = 2048;
    w.ask.workload.tpot_ms = 400;
    w.ask.onprem = true;
    run(&w);
    const Exclusion *x = left_out(&w, "fleets");
    CHECK(x != NULL && x->count == 1 && text_contains(x->example, "h100"));
    CHECK(owned_option(w.advice.owned, &w.gpus[0]) == NULL &&
          owned_option(w.advice.owned, &w.gpus[1]) != NULL);
    w.ask.quotes[0] = (Quote){&w.gpus[0], 20000};
    w.ask.n_quotes = 1;
    run(&w);
    CHECK(left_out(&w, "fleets") == NULL && owned_option(w.advice.owned, &w.gpus[0]) != NULL);
    arena_free(&w.arena);
}

// Cards are bought one by one, boards of eight whole.
static void test_sizes_of_servers(void) {
    World w;
    make(&w);
    w.gpus[1].street_price_usd = 20000;
    w.ask.workload.concurrency = 1;
    w.ask.onprem = true;
    run(&w);
    CHECK_INT(w.advice.owned->options[0].gpu_count, 8);
    w.gpus[1].link_topology = LINK_NONE;
    w.gpus[1].link_gb_s = UNKNOWN;
    run(&w);
    CHECK_INT(w.advice.owned->options[0].gpu_count, 1);
    arena_free(&w.arena);
}

static const TestCase tests[] = {
    TEST(an_hour_by_hand),
    TEST(ranges),
    TEST(a_quote_turns_the_verdict),
    TEST(even_hours_are_even),
    TEST(today_is_a_transition),
    TEST(licences),
    TEST(fleets_that_nobody_would_rack),
    TEST(sizes_of_servers),
};

TEST_MAIN(tests)
