// --price: what a provider would take for a GPU, instead of what it lists.
#ifndef GPUADVISE_CLI_REPORT_PRICE_H
#define GPUADVISE_CLI_REPORT_PRICE_H

#include "cli/cli.h"

// Gives `f` a copy of its offers in which those that --price PROVIDER:GPU=USD names cost that per GPU-hour, whatever the pricing
// model. Warns of each. ERR_USAGE: an unknown provider or GPU, or no such offer.
bool report_prices(App *app, Facts *f, Err *e);

#endif
