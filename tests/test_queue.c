// src/perf: waiting at a request rate, held against a simulation event by event.
#include <stdint.h>
#include <stdlib.h>

#include "tests/check.h"
#include "tests/fixture.h"

// ---------------------------------------------------------------- a server with continuous batching, step by step

enum { REQUESTS = 6000, WARM = 1000, RUNNING_MAX = 4096 };

typedef struct Random {
    uint64_t state;
} Random;

// xorshift64*: Vigna 2016.
static double uniform(Random *r) {
    r->state ^= r->state >> 12, r->state ^= r->state << 25, r->state ^= r->state >> 27;
    return (double)((r->state * 2685821657736338717ULL) >> 11) / 9007199254740992.0 + 1e-17;
}

static double exponential(Random *r) { return -log(uniform(r)); }

typedef struct Simulated {
    double p50, p99, running;
} Simulated;

typedef struct Server {
    const Serving *s;
    double step_s[RUNNING_MAX + 1];  // of each batch
    double prompt_s;                 // that a prompt of mean length adds to a step
} Server;

static void make_server(Server *v, const Serving *s) {
    v->s = s;
    for (int b = 1; b <= RUNNING_MAX && b <= s->sequences_max; b++) {
        Point p = serving_at(s, b);
        v->step_s[b] = 0;
        for (int i = 0; i < TIME_PREFILL; i++) v->step_s[b] += p.item_s[i];
    }
    v->step_s[0] = 0;
    Point two = serving_at(s, 2);
    v->prompt_s = (two.e2e_s - s->factors.start_s - s->osl * v->step_s[2]) / 2;
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

// One server under Poisson arrivals. `spread`: lengths are exponential around their means instead of all
// alike. A step runs all sequences once and reads the prompts that arrived before it began.
static Simulated simulate(const Server *v, double rate, bool spread, uint64_t seed) {
    static double arrival[REQUESTS], prompt[REQUESTS], ttft[REQUESTS];
    static int tokens[REQUESTS], left[RUNNING_MAX], who[RUNNING_MAX];
    Random r = {seed};
    double t = 0;
    for (int i = 0; i < REQUESTS; i++) {
        t += exponential(&r) / rate;
        arrival[i] = t;
        prompt[i] = v->prompt_s * (spread ? exponential(&r) : 1);
        tokens[i] = (int)fmax(1, v->s->osl * (spread ? exponential(&r) : 1));
    }
    int next = 0, running = 0;
    double now = 0, busy = 0, start = arrival[WARM];
    while (next < REQUESTS) {
        if (running == 0 && arrival[next] > now) now = arrival[next];
        int first_new = running;
        double prompts = 0;
        while (next < REQUESTS && arrival[next] <= now && running < v->s->sequences_max &&
               running < RUNNING_MAX) {
            prompts += prompt[next];
            left[running] = tokens[next], who[running++] = next++;
        }
        double dt = v->step_s[running] + prompts;
        if (now >= start) busy += running * dt;
        now += dt;
        for (int i = first_new; i < running; i++)
            ttft[who[i]] = now - arrival[who[i]] + v->s->factors.start_s;
        int kept = 0;
        for (int i = 0; i < running; i++) {
            if (--left[i] > 0) left[kept] = left[i], who[kept++] = who[i];
        }
        running = kept;
    }
    static double sorted[REQUESTS];
    memcpy(sorted, ttft + WARM, (REQUESTS - WARM) * sizeof *sorted);
    qsort(sorted, REQUESTS - WARM, sizeof *sorted, by_value);
    return (Simulated){sorted[(REQUESTS - WARM) / 2], sorted[(REQUESTS - WARM) * 99 / 100],
                       busy / (now - start)};
}

static bool near_by(double predicted, double simulated, double most) {
    return fabs(log(predicted / simulated)) <= log(1 + most);
}

// Light load to nine tenths of saturation, short and long prompts, lengths alike and spread.
static void test_waits_are_those_of_a_simulation(void) {
    static Server v;
    static const double lengths[][2] = {{256, 256}, {1024, 512}, {8192, 256}};
    for (size_t k = 0; k < COUNT_OF(lengths); k++) {
        Served h;
        CHECK_INT(served(&h, lengths[k][0], lengths[k][1]), SERVE_OK);
        Serving s = h.serving;
        make_server(&v, &s);
        for (int u = 1; u <= 9; u += 2) {
            for (int spread = 0; spread < 2; spread++) {
                Point p;
                s.length_cv = spread;
                CHECK(serving_at_rate(&s, h.requests_s * u / 10, 1, &p));
                Simulated x = simulate(&v, h.requests_s * u / 10, spread, 88172645463325252ULL);
                bool good = near_by(p.ttft_s, x.p50, spread ? 0.20 : 0.30) &&
                            near_by(p.ttft_p99_s, x.p99, spread ? 0.20 : 0.35) &&
                            (u > 7 || near_by(p.running, x.running, 0.40));
                if (!good)
                    FAIL_("%g/%g at 0.%d, spread %d: running %.1f (%.1f) p50 %.4f (%.4f) p99 %.4f (%.4f)",
                          s.isl, s.osl, u, spread, p.running, x.running, p.ttft_s, x.p50, p.ttft_p99_s,
                          x.p99);
            }
        }
    }
}

static void test_more_load_waits_longer(void) {
    Served h;
    CHECK_INT(served(&h, 2048, 256), SERVE_OK);
    const Serving s = h.serving;
    Point before = {0};
    for (int u = 1; u < 100; u++) {
        Point p;
        CHECK(serving_at_rate(&s, h.requests_s * u / 100, 1, &p));
        CHECK(p.ttft_s > before.ttft_s && p.ttft_p99_s > before.ttft_p99_s && p.ttft_p99_s > p.ttft_s &&
              p.e2e_s > before.e2e_s);
        CHECK_NEAR(p.concurrency, h.requests_s * u / 100 * p.e2e_s, 1e-9);  // Little's law
        before = p;
    }
}

static const TestCase tests[] = {TEST(waits_are_those_of_a_simulation), TEST(more_load_waits_longer)};
TEST_MAIN(tests)
