// Inside of src/report: what the page of an advice has besides its text.
#ifndef GPUADVISE_REPORT_ADVICE_HTML_H
#define GPUADVISE_REPORT_ADVICE_HTML_H

#include "src/report/report.h"

// The winner's name and chance, at the head of the verdict.
void advice_html_answer(const Verdict *v, Arena *a, Buf *out);
// All figures, and the matrix of what runs where. Their data is added to `figures`.
void advice_html_figures(const Advice *advice, const ReportPage *page, Json *figures, Arena *a, Buf *out);
// What the best options rest on.
void advice_html_evidence(const Advice *advice, Arena *a, Buf *out);

#endif
