// Inside of src/report: fleets for a traffic, as JSON and text.
#ifndef GPUADVISE_REPORT_SIZING_H
#define GPUADVISE_REPORT_SIZING_H

#include "src/report/page.h"

void sizing_json(const Advice *advice, Json *root);  // "traffic": null where none was given
void sizing_text(Page *p);

// A few short lines about each fleet; nothing without one.
void sizing_brief(const Advice *advice, Buf *out);

#endif
