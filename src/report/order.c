// Order of the vendors, truth of probabilities, and what is missed where whole publishers are left out.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/validation.h"

void order_json(const VendorOrder *j, Json *root) {
    Json *pairs = json_add_array(root, "pairs");
    for (size_t i = 0; i < ORDER_BINS; i++) {
        const OrderStats *s = &j->apart[i];
        Json *o = json_add_object(pairs, NULL);
        json_add(o, J_TEXT("apart", s->name), J_INTEGER("n", s->n), J_NUMBER("right_pct", s->right_pct),
                 J_INTEGER("publishers", s->publishers), J_NUMBER("error_pct", s->error_pct));
    }
    Json *said = json_add_array(root, "said");
    for (size_t i = 0; i < SAID_BINS; i++) {
        const SaidStats *s = &j->said[i];
        Json *o = json_add_object(said, NULL);
        json_add(o, J_NUMBER("from", s->from), J_NUMBER("to", s->to), J_INTEGER("n", s->n),
                 J_NUMBER("said_pct", s->said_pct), J_NUMBER("right_pct", s->right_pct),
                 J_INTEGER("publishers", s->publishers), J_NUMBER("error_pct", s->error_pct),
                 J_BOOL("holds", said_holds(s)));
    }
}

// ---------------------------------------------------------------- text

// clang-format off
#define PAIRS_COLUMNS(X) \
    X("apart",      "PAIRS APART BY", TEXT,      s->name) \
    X("n",          "N",              NUMBER(5), s->n) \
    X("right_pct",  "RIGHT%",         NUMBER(3), s->right_pct) \
    X("publishers", "PUBLISHERS",     NUMBER(4), s->publishers) \
    X("error_pct",  "+/-",            NUMBER(2), s->error_pct)
// clang-format on

static void order_text(const VendorOrder *j, Format format, Room room, Arena *a, Buf *out) {
    Listing l = LISTING(a, "pairs", PAIRS_COLUMNS, ORDER_BINS);
    for (size_t i = 0; i < ORDER_BINS; i++) {
        const OrderStats *s = &j->apart[i];
        listing_row(&l, PAIRS_COLUMNS(LISTING_CELL));
    }
    listing_print(&l, format, room, out);
}

// clang-format off
#define SAID_COLUMNS(X) \
    X("said",       "SAID OF THE FASTER", TEXT,      arena_printf(a, "%.2f to %.2f", s->from, s->to)) \
    X("n",          "PAIRS",              NUMBER(5), s->n) \
    X("said_pct",   "SAID%",              NUMBER(3), s->said_pct) \
    X("right_pct",  "RIGHT%",             NUMBER(3), s->right_pct) \
    X("publishers", "PUBLISHERS",         NUMBER(4), s->publishers) \
    X("error_pct",  "+/-",                NUMBER(2), s->error_pct) \
    X("holds",      "HOLDS",              TEXT,      s->n == 0 ? "" : said_holds(s) ? "yes" : "no")
// clang-format on

static void said_text(const VendorOrder *j, Format format, Room room, Arena *a, Buf *out) {
    Listing l = LISTING(a, "said", SAID_COLUMNS, SAID_BINS);
    for (size_t i = 0; i < SAID_BINS; i++) {
        const SaidStats *s = &j->said[i];
        listing_row(&l, SAID_COLUMNS(LISTING_CELL));
    }
    listing_print(&l, format, room, out);
}

// Who makes the error: "SemiAnalysis InferenceX 41 % of the squared error (600 rows, bias -12 %), ...".
static const char *makers_of_error(const Validation *v, Arena *a) {
    enum { SHOWN = 4 };
    static const double LEAST = 0.05;
    struct Maker {
        const GroupStats *group;
        double squares;
    } makers[SHOWN + 1] = {0};
    double all = 0;
    for (size_t g = 0; g < v->n_groups; g++) {
        const GroupStats *s = &v->groups[g];
        if (strcmp(s->by, "publisher") != 0) continue;
        struct Maker m = {s, (double)s->n * s->rms_log * s->rms_log};
        all += m.squares;
        size_t at = SHOWN;
        for (; at > 0 && makers[at - 1].squares < m.squares; at--) makers[at] = makers[at - 1];
        makers[at] = m;
    }
    const char *text = "";
    for (size_t i = 0; i < SHOWN && makers[i].group != NULL; i++) {
        const GroupStats *s = makers[i].group;
        if (makers[i].squares < LEAST * all) break;
        text = arena_printf(a, "%s%s%s %.0f %% (%zu rows, median error %.0f %%, bias %+.0f %%)", text,
                            i > 0 ? ", " : "", s->name, 100 * makers[i].squares / all, s->n,
                            s->median_abs_error_pct, s->bias_pct);
    }
    return text;
}

// How far off a row is, in per cent; NaN: it does not count.
static double scored_error_pct(const Check *c) {
    bool counts = is_scored_check(c) && c->prediction.not_predicted == NULL;
    return counts ? fabs(expm1(c->error)) * 100 : (double)NAN;
}

// The 90th percentile without one publisher's rows.
static double p90_without(const Validation *v, const char *publisher, double *scratch) {
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        double error = scored_error_pct(&v->checks[i]);
        if (is_known(error) && strcmp(v->checks[i].publisher, publisher) != 0) scratch[n++] = error;
    }
    qsort(scratch, n, sizeof *scratch, compare_numbers);
    return sorted_quantile(scratch, n, 0.9);
}

// Whose rows are off by more than is wanted of nine in ten: "of 199 rows off by over 45 %, Argonne has 90 of its 179;
// ...; without the first of them ...".
static const char *makers_of_tail(const Validation *v, Arena *a) {
    enum { SHOWN = 5 };
    struct Tail {
        const char *publisher;
        size_t n, over;
    } *tails = arena_alloc(a, v->n_groups + 1, sizeof *tails);
    size_t made = 0, over = 0;
    double *scratch = arena_alloc(a, v->n + 1, sizeof *scratch);
    for (size_t g = 0; g < v->n_groups; g++) {
        if (strcmp(v->groups[g].by, "publisher") != 0) continue;
        struct Tail t = {v->groups[g].name, 0, 0};
        for (size_t i = 0; i < v->n; i++) {
            double error = scored_error_pct(&v->checks[i]);
            if (!is_known(error) || strcmp(v->checks[i].publisher, t.publisher) != 0) continue;
            t.n++, t.over += error > UNSEEN_P90;
        }
        over += t.over;
        size_t at = made++;
        for (; at > 0 && tails[at - 1].over < t.over; at--) tails[at] = tails[at - 1];
        tails[at] = t;
    }
    if (over == 0) return "";
    const char *text = arena_printf(a, "Of the %zu rows off by over %d %%", over, UNSEEN_P90);
    for (size_t i = 0; i < made && i < SHOWN && tails[i].over > 0; i++)
        text = arena_printf(a, "%s%s %s has %zu of its %zu", text, i > 0 ? ";" : "", tails[i].publisher,
                            tails[i].over, tails[i].n);
    return arena_printf(a, "%s. Without the first of these the 90th percentile is %.3g %%.", text,
                        p90_without(v, tails[0].publisher, scratch));
}

static void unseen_text(const Validation *v, size_t width, Arena *a, Buf *out) {
    const char *misses[UNSEEN_MISSES_MAX], *list = "";
    size_t n = unseen_misses(v, a, misses);
    for (size_t i = 0; i < n; i++) list = arena_printf(a, "%s%s%s", list, i > 0 ? "; " : "", misses[i]);
    buf_puts(out, "\n");
    text_wrapped(out,
                 n == 0 ? arena_printf(a, "All that is wanted with each %s left out holds.", v->left_out)
                        : arena_printf(a, "Wanted with each %s left out, and missed: %s.", v->left_out, list),
                 0, width);
    if (n == 0 || !is_unseen(v))
        return;  // of cells the groups that miss are told with their reasons (validation.c)
    buf_puts(out, "\n");
    wrapped_printf(out, 0, width,
                   "Whose rows make the squared error: %s. What a publisher's engine version, flags and "
                   "harness do to a whole stack is known from his rows alone, and here it is taken away.",
                   makers_of_error(v, a));
    const char *tail = v->groups[0].p90_abs_error_pct > UNSEEN_P90 ? makers_of_tail(v, a) : "";
    if (tail[0] == '\0') return;
    buf_puts(out, "\n");
    wrapped_printf(out, 0, width,
                   "%s Argonne's vLLM of 2024 on AMD GPUs runs at about half of what later releases reach "
                   "there, while its NVIDIA rows are met: nobody else published that software. The cookbook "
                   "of SGLang benchmarks models in their first weeks, over five waves of requests of spread "
                   "lengths whose start and end weigh in, and leaves dtypes unsaid.",
                   tail);
}

void pairs_text(const Validation *v, Format format, Room room, Arena *a, Buf *out) {
    buf_puts(out, "\n");
    text_wrapped(
        out,
        "Pairs: a row of each vendor, of one model under the same lengths, load, scenario and number of "
        "GPUs, of all grades but D that state them; right: the faster one is predicted faster. PUBLISHERS "
        "counts groups of pairs that the same one or two publishers made; +/- is the sampling error with "
        "those groups as the sample. SAID: what a verdict would say of two estimates that far apart and that "
        "sure, at equal prices; it HOLDS within 7 points or the sampling error.",
        0, room.width);
    buf_puts(out, "\n");
    order_text(&v->order, format, room, a, out);
    buf_puts(out, "\n");
    said_text(&v->order, format, room, a, out);
    if (v->left_out[0] != '\0' && !v->own) unseen_text(v, room.width, a, out);
}

// ---------------------------------------------------------------- all kinds of parts

static const GroupStats *group_named(const Validation *v, const char *by, const char *name) {
    for (size_t i = 0; i < v->n_groups; i++) {
        if (strcmp(v->groups[i].by, by) == 0 && strcmp(v->groups[i].name, name) == 0) return &v->groups[i];
    }
    return NULL;
}

static int by_median(const void *left, const void *right) {
    double a = (*(const Validation *const *)left)->groups[0].median_abs_error_pct;
    double b = (*(const Validation *const *)right)->groups[0].median_abs_error_pct;
    return (a < b) - (a > b);
}

// clang-format off
#define KINDS_COLUMNS(X) \
    X("left_out",              "LEFT OUT",              TEXT,      kinds[i]->left_out) \
    X("n",                     "N",                     NUMBER(5), all->n) \
    X("median_abs_error_pct",  "MEDIAN%",               NUMBER(3), all->median_abs_error_pct) \
    X("p90_abs_error_pct",     "P90%",                  NUMBER(3), all->p90_abs_error_pct) \
    X("pairs_right_pct",       "PAIRS%",                NUMBER(3), kinds[i]->order.apart[0].right_pct) \
    X("far_pairs_right_pct",   "PAIRS OVER 25% APART%", NUMBER(3), kinds[i]->order.apart[2].right_pct) \
    X("bias_nvidia_pct",       "NVIDIA BIAS%",          NUMBER(3), nvidia != NULL ? nvidia->bias_pct : (double)NAN) \
    X("bias_amd_pct",          "AMD BIAS%",             NUMBER(3), amd != NULL ? amd->bias_pct : (double)NAN) \
    X("interval_coverage_pct", "IN RANGE%",             NUMBER(3), all->interval_coverage_pct)
// clang-format on

void left_out_kinds_text(const Validation *v, Format format, Room room, Arena *a, Buf *out) {
    if (v->n_kinds == 0) return;
    const Validation **kinds = arena_alloc(a, v->n_kinds, sizeof *kinds);
    for (size_t i = 0; i < v->n_kinds; i++) kinds[i] = &v->kinds[i];
    qsort(kinds, v->n_kinds, sizeof *kinds, by_median);
    Listing l = LISTING(a, "kinds", KINDS_COLUMNS, v->n_kinds);
    for (size_t i = 0; i < v->n_kinds; i++) {
        const GroupStats *all = &kinds[i]->groups[0];
        const GroupStats *nvidia = group_named(kinds[i], "since 2025-07", "nvidia");
        const GroupStats *amd = group_named(kinds[i], "since 2025-07", "amd");
        listing_row(&l, KINDS_COLUMNS(LISTING_CELL));
    }
    buf_puts(out,
             "What to expect, worst first: every row of grades A and B predicted with factors refitted "
             "without its publisher (all that he measured), without its block (its model on GPUs of its "
             "vendor, whoever measured it), without its cell (GPU, model, engine, submitter). What nobody "
             "has published lies between the first lines and the last. Bias: of rows since 2025-07.\n\n");
    listing_print(&l, format, room, out);
    buf_puts(out, "\n");
}

// ---------------------------------------------------------------- what is wanted

bool is_unseen(const Validation *v) {
    return strcmp(v->left_out, leave_out_names[LEAVE_OUT_PUBLISHER]) == 0 ||
           strcmp(v->left_out, leave_out_names[LEAVE_OUT_BLOCK]) == 0;
}

typedef struct Misses {
    const char **list;
    size_t n;
    Arena *arena;
} Misses;

// One that is not known misses nothing: there are no rows to tell.
static void want_within(Misses *m, const char *what, double x, double low, double high) {
    if (!is_known(x) || (x >= low && x <= high) || m->n == UNSEEN_MISSES_MAX) return;
    const char *wanted = low <= -100                ? arena_printf(m->arena, "at most %g", high)
                         : high >= (double)INFINITY ? arena_printf(m->arena, "at least %g", low)
                                                    : arena_printf(m->arena, "%g to %g", low, high);
    m->list[m->n++] = arena_printf(m->arena, "%s %.3g %% (%s)", what, x, wanted);
}

size_t unseen_misses(const Validation *v, Arena *a, const char *ret[UNSEEN_MISSES_MAX]) {
    Misses m = {ret, 0, a};
    const double any = (double)INFINITY;
    if (v->n_groups == 0) return 0;
    want_within(&m, "median error", v->groups[0].median_abs_error_pct, -any,
                is_unseen(v) ? UNSEEN_MEDIAN : CELL_MEDIAN);
    want_within(&m, "90th percentile", v->groups[0].p90_abs_error_pct, -any,
                is_unseen(v) ? UNSEEN_P90 : CELL_P90);
    want_within(&m, "vendor pairs right", v->order.apart[0].right_pct, UNSEEN_PAIRS, any);
    want_within(&m, "of those over 25 % apart", v->order.apart[2].right_pct, UNSEEN_PAIRS_FAR, any);
    want_within(&m, "in range", v->groups[0].interval_coverage_pct, UNSEEN_RANGE_LOW, UNSEEN_RANGE_HIGH);
    for (size_t i = 0; i < v->n_groups; i++) {
        const GroupStats *s = &v->groups[i];
        if (strcmp(s->by, "since 2025-07") == 0)
            want_within(&m, arena_printf(a, "bias of %s since 2025-07", s->name), s->bias_pct, -UNSEEN_BIAS,
                        UNSEEN_BIAS);
        if (strcmp(s->by, "burst") == 0)
            want_within(&m, arena_printf(a, "median error of bursts, %s", s->name), s->median_abs_error_pct,
                        -any, UNSEEN_BURSTS);
        if (strcmp(s->by, "sigma") == 0)
            want_within(&m, arena_printf(a, "in range at sigma %s", s->name), s->interval_coverage_pct,
                        UNSEEN_FIFTH_LOW, UNSEEN_FIFTH_HIGH);
    }
    for (size_t i = 0; i < SAID_BINS && m.n < UNSEEN_MISSES_MAX; i++) {
        const SaidStats *s = &v->order.said[i];
        if (!said_holds(s))
            m.list[m.n++] = arena_printf(a, "said %.2f to %.2f: right in %.3g %% where %.3g %% is said",
                                         s->from, s->to, s->right_pct, s->said_pct);
    }
    return m.n;
}
