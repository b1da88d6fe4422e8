// Sellers of the model's tokens beside an answer.
#ifndef GPUADVISE_REPORT_APIS_H
#define GPUADVISE_REPORT_APIS_H

#include "src/report/page.h"

void apis_json(const Advice *advice, Json *root);
void apis_text(Page *p);  // where inputs lead

#endif
