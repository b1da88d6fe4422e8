// Inside of src/report: the estimates of an option under the keys of cli.md, for JSON and CSV alike.
#ifndef GPUADVISE_REPORT_FIGURES_H
#define GPUADVISE_REPORT_FIGURES_H

#include "src/report/report.h"

typedef struct OptionFigure {
    const char *key;
    size_t offset;  // of the Estimate in Option
} OptionFigure;

extern const OptionFigure option_figures[];
extern const size_t n_option_figures;
const Estimate *option_figure(const Option *o, size_t i);

// "published": how often the very configuration was measured in public, and what came out.
void published_json(const Published *p, Json *parent);

// Runs of the user's own: "own_runs", what each moves; a sentence without full stop, "" where none has a say;
// the runs one by one.
void own_runs_json(const ServingAnswer *answer, Json *root);
const char *own_runs_words(const Serving *s, double running, Arena *a);
void own_runs_explain(const ServingAnswer *answer, size_t width, Arena *a, Buf *out);

// What src/perf/extras.h has of the configuration: "terms"; a line each.
void extras_json(const ServingAnswer *answer, Arena *a, Json *root);
void extras_explain(const ServingAnswer *answer, size_t width, Arena *a, Buf *out);

// For lists of factors: what only models with experts have, and only replicas that share them; "" elsewhere.
const char *expert_words(const Serving *s, Arena *a);
const char *spread_words(const Serving *s, Arena *a);

// The options of an advice as CSV: one row each, value, low and high of every figure in columns of their own;
// the verdict in each.
void options_csv(const Advice *advice, const ReportFrame *frame, Arena *a, Buf *out);

// "serve_command": what starts one replica of an option, null where it serves no tokens.
void launch_json(const Advice *advice, const Option *o, Arena *a, Json *parent);

// Migration, break-even, lanes, sensitivity, stack, costs, owning and an API of an advice, as members of
// `root`.
void decision_json(const Advice *advice, Json *root);

// What a month, a year and the term take: "usd_per_month", "usd_per_year", "usd_over_term", "term_months".
void sums_json(Json *parent, const Estimate *usd_month, double term_months);

// Members "onprem", "own" and "api" of `root`; "own" of a verdict.
void owning_json(const Advice *advice, Json *root);
void own_verdict_json(const Verdict *v, Json *verdict);

#endif
