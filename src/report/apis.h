// Sellers of the model's tokens beside an answer.
#ifndef GPUADVISE_REPORT_APIS_H
#define GPUADVISE_REPORT_APIS_H

#include "src/report/page.h"

// Where inputs dominate the price of all tokens stands first, and what APIs ask beside it.
bool inputs_dominate(const Advice *advice);

void apis_json(const Advice *advice, Json *root);
void apis_text(Page *p);

#endif
