// What runs of the user's own do to an estimate, as JSON and as text.
#include <math.h>
#include <string.h>

#include "src/perf/posterior.h"
#include "src/report/figures.h"

enum { MOVES_SHOWN = 12 };

// The time of an answer over what it is without them; 1: none.
static double slower_by(const ServingAnswer *w) {
    PosteriorMove moves[POSTERIOR_ROWS_MAX];
    size_t n = posterior_moves(&w->serving, w->point.running, moves, COUNT_OF(moves));
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += moves[i].moved;
    return exp(sum);
}

static const char *place_words(const PosteriorRow *r, Arena *a) {
    const Measurement *m = &r->run->m;
    const char *load = is_known(m->batch_or_concurrency)
                           ? arena_printf(a, "%g in flight", m->batch_or_concurrency)
                       : is_known(m->rate_rps) ? arena_printf(a, "%g requests/s", m->rate_rps)
                                               : "load not stated";
    return arena_printf(a, "%s, %g x %s TP%d, %s, %s, %.5g in, %.5g out, %s", m->model, m->gpu_count,
                        m->gpu_sku, r->place.layout.tp, m->engine, dtype_names[r->place.class],
                        m->input_tokens, m->output_tokens, load);
}

static double expected(const PosteriorRow *r) {
    return r->run->m.output_tokens_per_s * exp(r->off[RESPONSE_RATE]);
}

void own_runs_json(const ServingAnswer *w, Json *root) {
    const Serving *s = &w->serving;
    Json *list = json_add_array(root, "own_runs");
    PosteriorMove moves[POSTERIOR_ROWS_MAX];
    size_t n = w->status == SERVE_OK ? posterior_moves(s, w->point.running, moves, COUNT_OF(moves)) : 0;
    bool any = n > 0;
    for (size_t i = 0; i < n; i++) {
        const PosteriorRow *r = moves[i].row;
        Json *j = json_add_object(list, NULL);
        json_add(j, J_INTEGER("run", r->run->id), J_TEXT_OR_NULL("tool", r->run->tool),
                 J_TEXT_OR_NULL("ran_at", r->run->ran_at), J_TEXT("model", r->run->m.model),
                 J_NUMBER("gpu_count", r->run->m.gpu_count), J_TEXT("engine", r->run->m.engine),
                 J_NUMBER("concurrency", r->run->m.batch_or_concurrency),
                 J_NUMBER("likeness", moves[i].likeness),
                 J_NUMBER("measured_output_tokens_per_s", r->run->m.output_tokens_per_s),
                 J_NUMBER("expected_output_tokens_per_s", expected(r)),
                 J_TEXT_OR_NULL("accepted", r->run->accepted),
                 J_NUMBER("moves_time_pct", 100 * expm1(moves[i].moved)));
    }
    json_add_number(root, "own_runs_move_time_pct", any ? 100 * (slower_by(w) - 1) : (double)NAN);
    json_add_number(root, "range_pct_without_own_runs",
                    any ? 100 * expm1(Z80 * s->sigma_alone) : (double)NAN);
    json_add_text_or_null(root, "basis_without_own_runs", any ? basis_names[s->basis_alone] : "");
}

const char *own_runs_words(const Serving *s, double running, Arena *a) {
    if (s->own == NULL || (s->basis != BASIS_MEASURED && s->basis != BASIS_INFORMED)) return "";
    PosteriorMove moves[POSTERIOR_ROWS_MAX];
    size_t n = posterior_moves(s, running, moves, COUNT_OF(moves)), same = 0, here = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        same += moves[i].likeness > 0.99;
        here += strcmp(moves[i].row->place.gpu->sku_id, s->gpu->sku_id) == 0;
        sum += moves[i].moved;
    }
    const char *kin = same == n  ? "of this very configuration"
                      : same > 0 ? arena_printf(a, "%zu of this very configuration", same)
                                 : "of its kin";
    double slower = 100 * expm1(sum), now = 100 * expm1(Z80 * s->sigma_log),
           before = 100 * expm1(Z80 * s->sigma_alone);
    const char *narrower =
        before - now > 0.5 ? arena_printf(a, ", and the range is +%.2g %% instead of +%.2g %%", now, before)
                           : "";
    size_t accepted = posterior_accepted(s->own);
    if (accepted > 0) kin = arena_printf(a, "%s; %zu accepted against a quarantine", kin, accepted);
    return arena_printf(a, "%s of your own%s %s (%s): answers take %.2g %% %s than the estimate alone says%s",
                        counted(a, n, "run"), here == n ? " on this GPU" : "", n == 1 ? "counts" : "count",
                        kin, fabs(slower), slower < 0 ? "less" : "longer", narrower);
}

void own_runs_explain(const ServingAnswer *w, size_t width, Arena *a, Buf *out) {
    PosteriorMove moves[POSTERIOR_ROWS_MAX];
    size_t all = posterior_moves(&w->serving, w->point.running, moves, COUNT_OF(moves));
    size_t n = all < MOVES_SHOWN ? all : MOVES_SHOWN;
    if (n == 0) return;
    buf_puts(out, "\nruns of your own, and what each does to the time of an answer\n");
    for (size_t i = 0; i < n; i++) {
        const PosteriorRow *r = moves[i].row;
        const char *figures = is_known(r->off[RESPONSE_RATE])
                                  ? arena_printf(a, ": %.4g output tokens/s, %.4g were expected",
                                                 r->run->m.output_tokens_per_s, expected(r))
                                  : "";
        const char *accepted =
            r->run->accepted[0] != '\0'
                ? arena_printf(a, "; accepted on %s against a quarantine", r->run->accepted)
                : "";
        text_wrapped(out,
                     text_clean(a, arena_printf(a, "run %lld %+.2g %%  alike %.2f  %s%s%s",
                                                (long long)r->run->id, 100 * expm1(moves[i].moved),
                                                moves[i].likeness, place_words(r, a), figures, accepted)),
                     2, width);
    }
    size_t rest = all - n;
    if (rest > 0)
        wrapped_printf(out, 2, width, "and %s more, each of which does less", counted(a, rest, "run"));
    if (w->serving.own->left_out > 0)
        wrapped_printf(out, 2, width, "%s left out: %d count, those of the model and the newest first",
                       counted(a, w->serving.own->left_out, "run"), POSTERIOR_ROWS_MAX);
}
