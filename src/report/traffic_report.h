// What a log or trace says, as JSON, text, CSV, Markdown and as a page with plots.
#ifndef GPUADVISE_REPORT_TRAFFIC_H
#define GPUADVISE_REPORT_TRAFFIC_H

#include "src/report/report.h"
#include "src/traffic/traffic.h"

void traffic_json(const TrafficFound *f, Arena *a, Json *root);

// table, md, csv (the figures alone), html. `title`: "traffic describe FILE"; `made`: by which version, when.
void traffic_text(const TrafficFound *f, const char *title, const char *made, Format format, Room room,
                  Arena *a, Buf *out);

#endif
