// src/perf: a run of one vendor's side and the ratio of both, whose errors have a part in common.
#include <math.h>

#include "tests/posterior_world.h"

// A small generator of numbers from 0 to 1.
static double chance(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

// A run of a figure of throughput, off by `off`.
static PosteriorRow run_of(const Place *place, double off, const OwnRun *run) {
    return (PosteriorRow){.run = run, .place = *place, .off = {off, (double)NAN, (double)NAN}, .noise = 0.01};
}

// One run of the other side: what it says of this one is the covariance of both over the variance of the run's value.
static void test_a_run_says_of_the_other_side_what_two_gaussians_say(void) {
    World w;
    open_world(&w);
    Asked here = ask(&w, "h100-sxm5-80gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32, false),
          there = ask(&w, "mi300x-192gb", "llama-3.1-70b", "vllm", 4, DTYPE_FP8, 32, false);
    Place a = serving_place(&here.serving, 32), b = serving_place(&there.serving, 32);
    OwnRun run = own_run_blank();
    for (double sigma = 0.15; sigma < 0.6; sigma *= 1.5) {
        a.sigma = 0.3, b.sigma = sigma;
        PosteriorRow row = run_of(&a, 0.2, &run);
        const Posterior *p = posterior_of(&w.facts, &row, 1, NULL, &w.arena);
        // Of the prior's variance 0.1 another GPU has 0.36, made up as constants share_* say.
        double hand = constant_of(&w.facts, CONSTANT_SHARE_HAND),
               always =
                   constant_of(&w.facts, CONSTANT_SHARE_MODEL) + constant_of(&w.facts, CONSTANT_SHARE_ENGINE);
        double evenly = fmin(0.3, sigma) / fmax(0.3, sigma);
        double variance = 0.1, repeats = 0.003, noise = repeats + 0.01;
        double covariance = variance * 0.36 * (always + hand * evenly) / (always + hand);
        double means[RESPONSE_COUNT];
        posterior_means(p, &b, means);
        CHECK_NEAR(means[RESPONSE_RATE], covariance / (variance + noise) * 0.2, 1e-12);
        double left = variance - covariance * covariance / (variance + noise);
        CHECK_NEAR(posterior_left(p, &b, RESPONSE_RATE), (left + repeats) / (variance + repeats), 1e-12);
        // The ratio: both variances less twice the covariance, each as the run leaves it.
        double x = sqrt(0.09 - 0.01), y = sqrt(sigma * sigma - 0.01), share = noise / (variance + noise);
        double ratio = (x * x * (variance * share + repeats) + y * y * (left + repeats) -
                        2 * x * y * covariance * share) /
                       (variance + repeats);
        CHECK_NEAR(posterior_ratio_left(&w.facts, p, &a, &b), ratio, 1e-12);
    }
    close_world(&w);
}

// Whatever was measured of whatever: one run more leaves no ratio less sure, and no variance below 0.
static void test_no_run_widens_a_ratio(void) {
    static const char *const gpus[] = {"h100-sxm5-80gb", "mi300x-192gb", "h200-sxm5-141gb"};
    static const char *const engines[] = {"vllm", "sglang"};
    static const char *const models[] = {"llama-3.1-70b", "llama-3.1-8b"};
    enum { PLACES = 40, RUNS = 12 };
    World w;
    open_world(&w);
    unsigned state = 20;
    Place places[PLACES];
    OwnRun run = own_run_blank();
    for (int i = 0; i < PLACES; i++) {
        const char *gpu = gpus[(int)(3 * chance(&state))], *engine = engines[(int)(2 * chance(&state))];
        const char *model = models[chance(&state) < 0.2];
        Asked x = ask(&w, gpu, model, engine, 4, chance(&state) < 0.3 ? DTYPE_BF16 : DTYPE_FP8, 32, false);
        places[i] = serving_place(&x.serving, exp(6 * chance(&state)));
        places[i].sigma = 0.1 + 0.5 * chance(&state);
    }
    for (int trial = 0; trial < 200; trial++) {
        PosteriorRow rows[RUNS];
        const Place *a = &places[(int)(PLACES * chance(&state))],
                    *b = &places[(int)(PLACES * chance(&state))];
        double before = (double)INFINITY;
        for (size_t n = 0; n <= RUNS; n++) {
            const Posterior *p = posterior_of(&w.facts, rows, n, NULL, &w.arena);
            double left = posterior_ratio_left(&w.facts, p, a, b);
            CHECK(left >= 0 && left <= before + 1e-12);
            before = left;
            if (n < RUNS)
                rows[n] = run_of(&places[(int)(PLACES * chance(&state))], chance(&state) - 0.5, &run);
        }
    }
    close_world(&w);
}

// What a publisher's runs of one vendor make of the other's: squared errors of ln of a model's ratio of both vendors.
typedef struct Sides {
    double unmeasured, one_side, both;  // no run counts; those of one side for that alone; also for the other
    size_t n;
} Sides;

static bool is_of(const World *w, size_t i, const char *publisher, const Model *model, int vendor) {
    const FitRow *r = &w->rows[i];
    return counts(w, i) && strcmp(r->row->submitter, publisher) == 0 && r->prediction.model == model &&
           (int)r->prediction.serving.gpu->vendor == vendor;
}

// Each row of `vendor` as the one that was run, against each of the other side of the same model.
static void try_side(World *w, size_t i, Sides *s) {
    const FitRow *r = &w->rows[i];
    int vendor = (int)r->prediction.serving.gpu->vendor;
    OwnRun run = own_run_blank();
    PosteriorRow row = own_row(w, i, &run);
    const Posterior *p = posterior_of(&w->facts, &row, 1, NULL, &w->arena);
    double here[RESPONSE_COUNT], there[RESPONSE_COUNT];
    posterior_means(p, &row.place, here);
    double a = row.off[RESPONSE_RATE], rest = a - here[RESPONSE_RATE];
    for (size_t k = 0; k < w->n; k++) {
        if (!is_of(w, k, r->row->submitter, r->prediction.model, !vendor)) continue;
        PosteriorRow other = own_row(w, k, &run);
        posterior_means(p, &other.place, there);
        double b = other.off[RESPONSE_RATE], carried = b - there[RESPONSE_RATE];
        s->unmeasured += (a - b) * (a - b);
        s->one_side += (rest - b) * (rest - b);
        s->both += (rest - carried) * (rest - carried);
        s->n++;
    }
}

// With all but one publisher of both vendors at the least, left out of the fit, a run of one side makes the ratio better
// known where it counts for the other side too; where it does not, with fewer of them.
static void test_runs_of_one_side_make_ratios_of_public_rows_better(void) {
    if (check_sanitized()) SKIP("figures over all rows: the tests above take the same code");
    World w;
    open_world(&w);
    fit_world(&w, LEAVE_OUT_PUBLISHER);
    size_t publishers = 0, better = 0, better_alone = 0, than_alone = 0;
    bool *done = arena_alloc(&w.arena, w.n + 1, sizeof *done);
    for (size_t i = 0; i < w.n; i++) {
        Sides s = {0};
        for (size_t k = i; k < w.n && !done[i]; k++) {
            if (strcmp(w.rows[k].row->submitter, w.rows[i].row->submitter) != 0) continue;
            done[k] = k != i;
            if (counts(&w, k)) try_side(&w, k, &s);
        }
        if (s.n == 0) continue;
        double n = (double)s.n;
        printf("%s: %zu pairs, rms of ln of the ratio %.3f, with a run of one side %.3f, which counts for "
               "both %.3f\n",
               w.rows[i].row->submitter, s.n, sqrt(s.unmeasured / n), sqrt(s.one_side / n), sqrt(s.both / n));
        publishers++;
        better += s.both < s.unmeasured;
        better_alone += s.one_side < s.unmeasured;
        than_alone += s.both < s.one_side;
    }
    printf("%zu publishers: better with %zu (alone %zu), better than alone with %zu\n", publishers, better,
           better_alone, than_alone);
    CHECK(publishers >= 6 && better > better_alone && better + 1 >= publishers);
    close_world(&w);
}

static const TestCase tests[] = {
    TEST(a_run_says_of_the_other_side_what_two_gaussians_say),
    TEST(no_run_widens_a_ratio),
    TEST(runs_of_one_side_make_ratios_of_public_rows_better),
};
TEST_MAIN(tests)
