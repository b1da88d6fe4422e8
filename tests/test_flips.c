// src/advise: what turns a decision does turn it, there and no sooner.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/advise/samples.h"
#include "src/advise/prices.h"
#include "src/advise/search.h"
#include "tests/coded_world.h"

// The verdict alone, into w->advice: what turns it takes ten times as long to find.
static void settle(World *w) {
    Err e = {0};
    Weighing weighing;
    Advice *x = &w->advice;
    if (!advise_search(&w->facts, &w->ask, &w->arena, x, &e)) FAIL_("%s", e.text);
    x->move = w->ask.move;
    take_today(&w->facts, &w->arena, x);
    weigh(&w->facts, &w->arena, x, false, &weighing);
    judge(&w->facts, &w->arena, x, &weighing);
}

// The flip of that name, or the first whose name holds it.
static const Sensitivity *flip_named(const Advice *advice, const char *what) {
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < advice->n_sensitivities; i++) {
            const Sensitivity *f = &advice->sensitivities[i];
            if (part ? text_contains(f->what, what) : strcmp(f->what, what) == 0) return f;
        }
    }
    FAIL_("no flip '%s'", what);
    return NULL;
}

// At the indifference price the move is worth nothing; a price past the stated one has another verdict, one
// short of it has not.
static void test_prices_flip_what_they_are_said_to(void) {
    for (int vendor = 0; vendor < 2; vendor++) {
        Coded c;
        make_coded(&c, 20, 8);
        run(&c.w);
        const Sensitivity *f = flip_named(&c.w.advice, vendor == VENDOR_AMD ? "mi300x" : "h100");
        double even = f->flip * 8;
        Coded d;
        make_coded(&d, vendor == VENDOR_AMD ? 20 : even, vendor == VENDOR_AMD ? even : 8);
        settle(&d.w);
        CHECK(fabs(transition_of(&d)->npv.value) < 1);
        CHECK(is_known(f->verdict_changes));
        for (int side = -1; side <= 1; side += 2) {
            Coded e;
            double at = f->verdict_changes * (1 + side * 1e-3) * 8;
            make_coded(&e, vendor == VENDOR_AMD ? 20 : at, vendor == VENDOR_AMD ? at : 8);
            settle(&e.w);
            bool past = (side > 0) == (f->verdict_changes > f->value);
            CHECK_INT(e.w.advice.verdict.winner == c.w.advice.verdict.winner, !past);
            arena_free(&e.w.arena);
        }
        arena_free(&c.w.arena);
        arena_free(&d.w.arena);
    }
}

// Held at the stated value the move is worth nothing (or no more than the one within the vendor); past where
// the verdict changes it is another one, short of it the same.
static void check_term(Coded *c, const Advice *found, const char *what, Term term, size_t *ret_checked) {
    const Sensitivity *f = flip_named(found, what);
    if (is_known(f->flip)) {
        set_term(&c->w, term, f->flip);
        settle(&c->w);
        const Transition *p = c->w.advice.transitions[TRANSITION_PROVIDER];
        CHECK(fabs(transition_of(c)->npv.value - (p != NULL ? fmax(p->npv.value, 0) : 0)) < 1);
        (*ret_checked)++;
    }
    for (int side = -1; side <= 1 && is_known(f->verdict_changes) && f->verdict_changes != f->value;
         side += 2) {
        set_term(&c->w, term, f->verdict_changes * (1 + side * 1e-3));
        settle(&c->w);
        CHECK_INT(c->w.advice.verdict.winner == found->verdict.winner,
                  (side > 0) != (f->verdict_changes > f->value));
        (*ret_checked)++;
    }
    c->w.ask.terms[term].set = false;
}

static void test_terms_flip_what_they_are_said_to(void) {
    static const struct {
        const char *what;
        Term term;
    } terms[] = {{"price of an engineer's day", TERM_ENGINEER_DAY},
                 {"load over the horizon", TERM_LOAD},
                 {"horizon", TERM_HORIZON},
                 {"AMD's prices against NVIDIA's over the horizon", TERM_PRICE_LEVEL},
                 {"work of changing provider", TERM_CONTRACT_DAYS},
                 {"both fleets paid", TERM_PARALLEL_VENDOR},
                 {"engineers on the move", TERM_TEAM_SIZE},
                 {"discount rate", TERM_DISCOUNT_RATE}};
    // NVIDIA, AMD: whether it pays is open, it does, it does not
    static const double prices[][2] = {{20, 10}, {20, 8}, {20, 14}};
    for (size_t k = 0; k < COUNT_OF(prices); k++) {
        size_t checked = 0;
        Coded c;
        make_coded(&c, prices[k][0], prices[k][1]);
        run(&c.w);
        Advice found = c.w.advice;
        for (size_t i = 0; i < COUNT_OF(terms); i++)
            check_term(&c, &found, terms[i].what, terms[i].term, &checked);
        CHECK(checked >= 6);
        arena_free(&c.w.arena);
    }
}

// With a cheaper provider of the same vendor, too: its price, today's price, and what bears on both moves.
static void make_with_provider(Coded *c, double today, double same, double amd) {
    make_coded(c, same * 8, amd * 8);
    c->w.ask.current = &c->w.gpus[0];
    c->w.ask.current_usd_gpu_h = today;
}

static void test_flips_beside_a_move_within_the_vendor(void) {
    enum { TODAY_PRICE, SAME_PRICE, AMD_PRICE, PRICES };
    static const char *const names[PRICES] = {"h100 at today", "h100 at north", "mi300x"};
    const double prices[PRICES] = {5, 4, 1.2};
    size_t checked = 0;
    Coded c;
    make_with_provider(&c, prices[0], prices[1], prices[2]);
    run(&c.w);
    Advice found = c.w.advice;
    check_term(&c, &found, "work of changing provider", TERM_CONTRACT_DAYS, &checked);
    check_term(&c, &found, "both fleets paid where the vendor stays", TERM_PARALLEL_PROVIDER, &checked);
    check_term(&c, &found, "AMD's prices against", TERM_PRICE_LEVEL, &checked);
    CHECK(checked >= 3);
    size_t changed = 0;
    for (int i = 0; i < PRICES; i++) {
        const Sensitivity *f = flip_named(&found, names[i]);
        CHECK_NEAR(f->value, prices[i], 1e-9);
        double x[PRICES] = {prices[0], prices[1], prices[2]};
        if (is_known(f->flip)) {
            Coded d;
            x[i] = f->flip;
            make_with_provider(&d, x[0], x[1], x[2]);
            settle(&d.w);
            // prices are whole millionths
            CHECK(fabs(transition_of(&d)->npv.value -
                       fmax(d.w.advice.transitions[TRANSITION_PROVIDER]->npv.value, 0)) < 5);
            arena_free(&d.w.arena);
        }
        for (int side = -1; side <= 1 && is_known(f->verdict_changes); side += 2) {
            Coded d;
            x[i] = f->verdict_changes * (1 + side * 1e-3);
            make_with_provider(&d, x[0], x[1], x[2]);
            settle(&d.w);
            CHECK_INT(d.w.advice.verdict.winner == found.verdict.winner,
                      (side > 0) != (f->verdict_changes > f->value));
            arena_free(&d.w.arena);
            changed++;
        }
    }
    CHECK(changed >= 4);
    arena_free(&c.w.arena);
}

// The margin of a verdict is above or at 0 just where it is the verdict, also where a chance meets a limit
// exactly.
static void test_margins_turn_where_verdicts_do(void) {
    static const double chances[] = {0, 0.05, 1 - SURE, 0.1, 0.5, 0.8999, SURE, 0.95, 1, (double)NAN};
    static const Winner ends[][2] = {{WINNER_NVIDIA, WINNER_AMD}, {WINNER_AMD, WINNER_NVIDIA}};
    static const Winner all[] = {WINNER_NVIDIA, WINNER_AMD, WINNER_SPLIT, WINNER_TIE, WINNER_NOT_YET};
    size_t n = COUNT_OF(chances);
    for (size_t i = 0; i < n * n * n * 4; i++) {
        Chances c = {chances[i % n], chances[i / n % n], chances[i / n / n % n]};
        const Winner *end = ends[i / n / n / n % 2];
        bool stuck = i / n / n / n >= 2;
        if (!is_known(c.pays)) continue;
        Winner is = winner_by_move(&c, end[0], end[1], stuck);
        for (size_t k = 0; k < COUNT_OF(all); k++) {
            if (stuck && all[k] == WINNER_TIE) continue;  // no such verdict: what is needed decides
            CHECK_INT(winner_margin(all[k], &c, end[0], end[1], stuck) >= 0, all[k] == is);
        }
    }
}

static int by_cost(const void *left, const void *right) {
    const Option *a = left;
    const Option *b = right;
    return (a->cost > b->cost) - (a->cost < b->cost);
}

// A ladder with some costs scaled is that of a list of options with these costs, however far down they came
// from.
static void test_a_scaled_ladder_is_that_of_scaled_options(void) {
    enum { OPTIONS = 30, GPUS = 5, SELLERS = 7 };
    static const char *const sellers[SELLERS] = {"a", "b", "c", "d", "e", "f", "g"};
    static const double factors[] = {0.01, 0.2, 0.5, 1, 1.1, 3, 100};
    Gpu gpus[GPUS] = {{.vendor = VENDOR_AMD}};
    Offer offers[SELLERS] = {{0}};
    Option options[OPTIONS], scaled[OPTIONS];
    for (int i = 0; i < GPUS; i++) gpus[i].vendor = i == 4 ? VENDOR_NVIDIA : VENDOR_AMD;
    for (int i = 0; i < SELLERS; i++)
        offers[i] = (Offer){
            .provider = sellers[i], .region = "", .as_of = "2026-11-01", .seller_class = SELLER_CLOUD};
    for (int i = 0; i < OPTIONS; i++)
        options[i] = (Option){.gpu = &gpus[i % GPUS], .offer = &offers[i % SELLERS], .cost = 1 + 0.1 * i};
    Facts f = {0};
    for (int what = 0; what < 4; what++) {
        Meant m = {VENDOR_AMD, what & 1 ? &gpus[2] : NULL, what & 2 ? "c" : NULL};
        Halves h = ladder_halves(&f, options, OPTIONS, &m);
        for (size_t t = 0; t < COUNT_OF(factors); t++) {
            memcpy(scaled, options, sizeof options);
            for (int i = 0; i < OPTIONS; i++) {
                if ((m.gpu == NULL || scaled[i].gpu == m.gpu) &&
                    (m.provider == NULL || scaled[i].offer == &offers[2]))
                    scaled[i].cost *= factors[t];
            }
            qsort(scaled, OPTIONS, sizeof *scaled, by_cost);
            Ladder want = ladder_of(&f, scaled, OPTIONS, VENDOR_AMD);
            Ladder got = ladder_scaled(&h, factors[t]);
            CHECK_INT(got.n, want.n);
            for (size_t i = 0; i < want.n; i++) CHECK_NEAR(got.rungs[i].cost, want.rungs[i].cost, 1e-12);
        }
    }
}

static const TestCase tests[] = {
    TEST(margins_turn_where_verdicts_do),        TEST(a_scaled_ladder_is_that_of_scaled_options),
    TEST(prices_flip_what_they_are_said_to),     TEST(terms_flip_what_they_are_said_to),
    TEST(flips_beside_a_move_within_the_vendor),
};

TEST_MAIN(tests)
