// --price and --gpu-price: what a provider would take for an hour of a GPU, and what a GPU would be bought
// for, by the user's own quotes.
#ifndef GPUADVISE_CLI_REPORT_PRICE_H
#define GPUADVISE_CLI_REPORT_PRICE_H

#include "cli/cli.h"

// Gives `f` a copy of its offers in which those that --price PROVIDER:GPU=USD names cost that per GPU-hour,
// whatever the pricing model. Warns of each. ERR_USAGE: an unknown provider or GPU, or no such offer.
bool report_prices(App *app, Facts *f, Err *e);

// The quotes of --gpu-price into `ask`. ERR_USAGE: an unknown GPU, one given twice, too many.
bool report_quotes(App *app, const Facts *f, Ask *ask, Err *e);

#endif
