// Order of the vendors and truth of probabilities over pairs of rows.
#include "src/fit/order.h"

#include <math.h>
#include <string.h>

// A pair of rows, the faster by measurement first or not, as two estimates see it.
typedef struct Pair {
    double measured, predicted;  // ln of the ratio of the rates
    double said;                 // probability of the one predicted faster
    const char *publishers[2];   // in order of the alphabet
    bool held_out;
} Pair;

static bool may_pair(const Check *c) {
    return c->prediction.not_predicted == NULL && is_known(c->error) && !c->special &&
           strcmp(c->row->task, "serving") == 0 && strcmp(c->row->grade, "D") != 0;
}

static bool are_pair(const Check *a, const Check *b) {
    return is_vendor_pair(a, b) && strcmp(a->row->scenario, b->row->scenario) == 0;
}

static Pair pair_of(const Facts *facts, const Check *a, const Check *b) {
    bool ordered = strcmp(a->publisher, b->publisher) <= 0;
    Pair p = {.measured = log(a->row->output_tokens_per_s / b->row->output_tokens_per_s),
              .predicted = log(a->prediction.rate / b->prediction.rate),
              .publishers = {ordered ? a->publisher : b->publisher, ordered ? b->publisher : a->publisher},
              .held_out = a->row->held_out || b->row->held_out};
    Common common = {.model = true,
                     .engine = strcmp(a->row->engine, b->row->engine) == 0,
                     .hand = strcmp(a->publisher, b->publisher) == 0};
    double sigma = ratio_sigma(facts, a->prediction.sigma_log, b->prediction.sigma_log, common);
    p.said = erfc(-fabs(p.predicted) / sigma / sqrt(2)) / 2;
    return p;
}

static bool is_right(const Pair *p) { return p->measured * p->predicted > 0; }

// Share that is right of the pairs of a bin, and its standard error: pairs of the same publishers count as one
// draw (a ratio estimate over clusters), and never as surer than as many pairs drawn apart.
typedef struct Share {
    size_t n, publishers;
    double right, error, said;
} Share;

typedef bool InBin(const Pair *p, double from, double to);

static Share share_of(const Pair *pairs, size_t n, InBin *in, double from, double to, Arena *a) {
    struct Group {
        const Pair *of;
        double n, right;
    } *groups = arena_alloc(a, n + 1, sizeof *groups);
    Share s = {.error = (double)NAN};
    double right = 0;
    for (size_t i = 0; i < n; i++) {
        if (!in(&pairs[i], from, to)) continue;
        size_t g = 0;
        while (g < s.publishers && (strcmp(groups[g].of->publishers[0], pairs[i].publishers[0]) != 0 ||
                                    strcmp(groups[g].of->publishers[1], pairs[i].publishers[1]) != 0))
            g++;
        if (g == s.publishers) groups[s.publishers++] = (struct Group){&pairs[i], 0, 0};
        groups[g].n++, groups[g].right += is_right(&pairs[i]);
        s.n++, right += is_right(&pairs[i]), s.said += pairs[i].said;
    }
    double count = (double)s.n, clusters = (double)s.publishers, squares = 0;
    s.right = s.n > 0 ? right / count : (double)NAN;
    s.said = s.n > 0 ? s.said / count : (double)NAN;
    for (size_t g = 0; g < s.publishers; g++) {
        double off = groups[g].right - s.right * groups[g].n;
        squares += off * off;
    }
    if (s.publishers > 1)
        s.error =
            fmax(sqrt(squares * clusters / (clusters - 1)) / count, sqrt(s.right * (1 - s.right) / count));
    return s;
}

static bool in_order_bin(const Pair *p, double from, double to) {
    return !p->held_out && fabs(p->measured) > from && fabs(p->measured) <= to;
}
static bool in_held_out_bin(const Pair *p, double from, double to) {
    return p->held_out && fabs(p->measured) > from && fabs(p->measured) <= to;
}
static bool in_said_bin(const Pair *p, double from, double to) {
    return !p->held_out && p->measured != 0 && p->said >= from && p->said < to;
}

static size_t make_pairs(const Facts *facts, const Check *checks, size_t n, Arena *a, Pair **ret) {
    const Check **kept = arena_alloc(a, n + 1, sizeof *kept);
    Pair *pairs = NULL;
    size_t n_kept = 0, made = 0, capacity = 0;
    for (size_t i = 0; i < n; i++) {
        if (may_pair(&checks[i])) kept[n_kept++] = &checks[i];
    }
    for (size_t i = 0; i < n_kept; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!are_pair(kept[i], kept[k])) continue;
            pairs = arena_grow(a, pairs, made, &capacity, sizeof *pairs);
            pairs[made++] = pair_of(facts, kept[i], kept[k]);
        }
    }
    *ret = pairs;
    return made;
}

void vendor_order(const Facts *facts, const Check *checks, size_t n, Arena *a, VendorOrder *ret) {
    static const struct {
        const char *name;
        InBin *in;
        double from, to;  // ratio of the measured rates
    } orders[ORDER_BINS] = {{"over 10 %", in_order_bin, 1.1, (double)INFINITY},
                            {"10 to 25 %", in_order_bin, 1.1, 1.25},
                            {"over 25 %", in_order_bin, 1.25, (double)INFINITY},
                            {"held out, over 10 %", in_held_out_bin, 1.1, (double)INFINITY}};
    static const double said[SAID_BINS + 1] = {0.5, 0.65, 0.8, 0.9, 1.01};
    Pair *pairs = NULL;
    size_t n_pairs = make_pairs(facts, checks, n, a, &pairs);
    for (size_t i = 0; i < ORDER_BINS; i++) {
        Share s = share_of(pairs, n_pairs, orders[i].in, log(orders[i].from), log(orders[i].to), a);
        ret->apart[i] = (OrderStats){orders[i].name, s.n, 100 * s.right, s.publishers, 100 * s.error};
    }
    for (size_t i = 0; i < SAID_BINS; i++) {
        Share s = share_of(pairs, n_pairs, in_said_bin, said[i], said[i + 1], a);
        ret->said[i] = (SaidStats){.from = said[i],
                                   .to = fmin(said[i + 1], 1),
                                   .n = s.n,
                                   .said_pct = 100 * s.said,
                                   .right_pct = 100 * s.right,
                                   .publishers = s.publishers,
                                   .error_pct = 100 * s.error};
    }
}

bool said_holds(const SaidStats *s) {
    double allowed = fmax(SAID_WITHIN_PCT, is_known(s->error_pct) ? s->error_pct : 0);
    return s->n == 0 || fabs(s->right_pct - s->said_pct) <= allowed;
}
