// Two runs of the user's own side by side, and what of their difference was expected.
#include <math.h>
#include <string.h>

#include "src/report/run_report.h"

enum { C_WHAT, C_A, C_B, C_RATIO, C_EXPECTED };
static const Column columns[] = {
    [C_WHAT] = {.key = "what", .title = ""},
    [C_A] = {.key = "a", .title = "A"},
    [C_B] = {.key = "b", .title = "B"},
    [C_RATIO] = {.key = "b_over_a", .title = "B / A", .number = true, .digits = 3},
    [C_EXPECTED] = {.key = "expected_b_over_a", .title = "EXPECTED", .number = true, .digits = 3},
};

static const char *number(Arena *a, double x) { return is_known(x) ? number_text(a, x, 4) : ""; }

static void text_row(Listing *l, const char *what, const char *a, const char *b) {
    listing_add(l, L_TEXT(C_WHAT, what), L_TEXT(C_A, a), L_TEXT(C_B, b), L_NUMBER(C_RATIO, (double)NAN),
                L_NUMBER(C_EXPECTED, (double)NAN));
}

// `pa`, `pb`: what is predicted of them without any own run.
static void number_row(Listing *l, Arena *arena, const char *what, double a, double b, double pa, double pb) {
    listing_add(l, L_TEXT(C_WHAT, what), L_TEXT(C_A, number(arena, a)), L_TEXT(C_B, number(arena, b)),
                L_NUMBER(C_RATIO, b / a), L_NUMBER(C_EXPECTED, pb / pa));
}

static void conditions(Listing *l, Arena *arena, const OwnRun *x, const OwnRun *y) {
    const Measurement *a = &x->m, *b = &y->m;
    const struct {
        const char *what, *a, *b;
    } texts[] = {{"tool", x->tool, y->tool},
                 {"date", x->ran_at, y->ran_at},
                 {"model", a->model, b->model},
                 {"GPU", a->gpu_sku, b->gpu_sku},
                 {"engine", a->engine, b->engine},
                 {"engine version", a->engine_version, b->engine_version},
                 {"weights", a->precision_weights, b->precision_weights},
                 {"KV cache", a->precision_kv, b->precision_kv}};
    for (size_t i = 0; i < COUNT_OF(texts); i++) text_row(l, texts[i].what, texts[i].a, texts[i].b);
    const struct {
        const char *what;
        double a, b;
    } numbers[] = {{"GPUs", a->gpu_count, b->gpu_count},
                   {"tensor parallel", a->tp, b->tp},
                   {"input tokens", a->input_tokens, b->input_tokens},
                   {"output tokens", a->output_tokens, b->output_tokens},
                   {"requests in flight", a->batch_or_concurrency, b->batch_or_concurrency},
                   {"requests/s", a->rate_rps, b->rate_rps},
                   {"seconds", x->seconds, y->seconds}};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        text_row(l, numbers[i].what, number(arena, numbers[i].a), number(arena, numbers[i].b));
}

static void figures(Listing *l, Arena *arena, const JudgedRun *x, const JudgedRun *y) {
    const Measurement *a = &x->run->m, *b = &y->run->m;
    const Prediction *p = &x->prediction, *q = &y->prediction;
    number_row(l, arena, "output tokens/s", a->output_tokens_per_s, b->output_tokens_per_s, p->rate, q->rate);
    number_row(l, arena, "of a GPU", a->output_tokens_per_s / a->gpu_count,
               b->output_tokens_per_s / b->gpu_count, p->rate / a->gpu_count, q->rate / b->gpu_count);
    number_row(l, arena, "TTFT ms", a->ttft_ms, b->ttft_ms, p->ttft_s, q->ttft_s);
    number_row(l, arena, "TPOT ms", a->tpot_ms, b->tpot_ms, p->tpot_s, q->tpot_s);
}

// Are they of one configuration and load? Then they differ by what repeats do, or by their software.
static const char *verdict(const Facts *f, Arena *a, const JudgedRun *x, const JudgedRun *y) {
    if (!x->counts || !y->counts) return "A run that does not count is not to be compared: see STATE.";
    double off = x->row.off[RESPONSE_RATE] - y->row.off[RESPONSE_RATE];
    if (!is_known(off)) return "";
    double usual = Z80 * sqrt(2) * constant_of(f, CONSTANT_SIGMA_OWN);
    return arena_printf(a,
                        "B does %.3g times of A what the estimates of both had let expect; repeats of one "
                        "run lie within %.3g times either way (80 %%): %s.",
                        exp(off), exp(usual),
                        fabs(off) <= usual ? "no more than they vary"
                                           : "a difference that the estimator does not know");
}

Listing runs_compared(const Facts *f, const JudgedRun *x, const JudgedRun *y, Arena *a) {
    Listing l = listing_new(a, "compared", columns, COUNT_OF(columns), 24);
    conditions(&l, a, x->run, y->run);
    figures(&l, a, x, y);
    text_row(&l, "state", own_run_state(x, a), own_run_state(y, a));
    l.note = verdict(f, a, x, y);
    return l;
}
