// Seeded samples and their quantiles.
#include "src/advise/samples.h"
#include "src/advise/prices.h"

#include <math.h>

static uint64_t next_random(uint64_t *state) {
    // splitmix64 (Steele, Lea, Flood 2014).
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// The middles of n equally likely slices of a standard normal, ascending: Newton's steps from one to the
// next.
static void normal_slices(double *x, size_t n) {
    static const double ROOT_2PI = 2.5066282746310002;
    double at = 0;
    for (size_t i = n / 2; i < n; i++) {
        double want = 1 - ((double)i + 0.5) / (double)n;  // above
        for (int step = 0; step < 3; step++)
            at += (erfc(at / sqrt(2)) / 2 - want) * ROOT_2PI * exp(at * at / 2);
        x[i] = at;
        x[n - 1 - i] = -at;
    }
}

void samples_make(uint64_t seed, Arena *a, Samples *ret_samples) {
    uint64_t state = seed;
    double *slices = arena_alloc(a, SAMPLES, sizeof *slices);
    normal_slices(slices, SAMPLES);
    for (int c = 0; c < SAMPLE_COUNT; c++) {
        double *z = ret_samples->z[c] = arena_alloc(a, SAMPLES, sizeof *z);
        for (size_t i = 0; i < SAMPLES; i++) {
            size_t k = (size_t)((next_random(&state) >> 32) * (i + 1) >> 32);
            z[i] = z[k];
            z[k] = slices[i];
        }
    }
}

static void swap(double *x, double *y) {
    double t = *x;
    *x = *y;
    *y = t;
}

// Moves to x[want] what belongs there in ascending order, the lesser ones before it.
static double put_in_place(double *x, size_t from, size_t to, size_t want) {
    while (from < to) {
        double pivot = x[from + (to - from) / 2];
        size_t i = from;
        size_t k = to;
        while (i <= k) {
            while (x[i] < pivot) i++;
            while (x[k] > pivot) k--;
            if (i > k) break;
            swap(&x[i++], &x[k]);
            if (k == 0) break;
            k--;
        }
        if (want <= k) {
            to = k;
        } else if (want >= i) {
            from = i;
        } else {
            break;
        }
    }
    return x[want];
}

static size_t place_of(size_t n, double q) { return (size_t)(q * (double)(n - 1) + 0.5); }

void tenths_of(double *x, size_t n, double *ret_low, double *ret_high) {
    size_t low = place_of(n, 0.1);
    *ret_low = put_in_place(x, 0, n - 1, low);
    *ret_high = put_in_place(x, low, n - 1, place_of(n, 0.9));
}

double share_above(const double *x, size_t n, double limit) {
    size_t above = 0;
    for (size_t i = 0; i < n; i++) above += x[i] > limit;
    return (double)above / (double)n;
}

// ---------------------------------------------------------------- prices

// The z above which a standard normal lies with probability 1 - p.
static double normal_at(double p) {
    double low = -9;
    double high = 9;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        *(erfc(-middle / sqrt(2)) / 2 < p ? &low : &high) = middle;
    }
    return low;
}

static void draw_price(const Facts *f, const Samples *d, const Ladder *l, int vendor, Arena *a,
                       PriceSamples *ret) {
    double weights[RUNGS_USED], edges[RUNGS_USED];
    size_t n = 0;
    double sum = 0;
    double market = constant_of(f, CONSTANT_SIGMA_MARKET_YEAR);
    ladder_weights(l, weights, &n);
    for (size_t r = 0; r < n; r++) {
        sum += weights[r];
        edges[r] = r + 1 < n ? normal_at(fmin(sum, 1)) : (double)INFINITY;
    }
    bool certain = true;
    for (size_t r = 0; r < n; r++)
        certain = certain && (weights[r] == 0 ||
                              (l->rungs[r].doubt.sigma == 0 && l->rungs[r].doubt.years == 0 && r == 0));
    if (certain) return;
    double *factor = arena_alloc(a, SAMPLES, sizeof *factor);
    bool *stands = arena_alloc(a, SAMPLES, sizeof *stands);
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t r = 0;
        while (d->z[SAMPLE_STANDS + vendor][i] > edges[r]) r++;
        const Rung *taken = &l->rungs[r];
        const PriceDoubt *x = &taken->doubt;
        double drift = x->drift + (x->years > 0 ? market * x->years * d->z[SAMPLE_MARKET][i] : 0);
        factor[i] = taken->cost / l->rungs[0].cost * exp(drift + x->sigma * d->z[SAMPLE_OFFER + vendor][i]);
        stands[i] = r == 0;
    }
    ret->factor[vendor] = factor;
    ret->stands[vendor] = stands;
}

void draw_prices(const Facts *f, const Samples *d, const Advice *advice, Arena *a, PriceSamples *ret) {
    *ret = (PriceSamples){.factor = {NULL}};
    for (int v = 0; v < VENDOR_COUNT; v++) {
        Ladder l = ladder_for_rent(f, advice->all, advice->n_all, v);
        if (l.n > 0) draw_price(f, d, &l, v, a, ret);
    }
}

double said(const Weighing *w, double share) {
    return is_known(share) ? fmin(fmax(share, w->least), w->most) : share;
}

double log_spread(const Estimate *x) {
    return x->low > 0 && x->high > x->low ? log(x->high / x->low) / (2 * Z80) : 0;
}
