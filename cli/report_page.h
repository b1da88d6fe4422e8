// What the HTML of a report shows besides the advice.
#ifndef GPUADVISE_REPORT_PAGE_CLI_H
#define GPUADVISE_REPORT_PAGE_CLI_H

#include "cli/cli.h"

// Asks the same question for options that none beats in cost and speed, and the market for prices so far.
// What cannot be had is left out, with a warning.
void report_page(App *app, const Facts *facts, const Advice *advice, ReportPage *ret_page);

#endif
