// The box and the chart of the options of an answer.
#ifndef GPUADVISE_TUI_OPTION_BOX_H
#define GPUADVISE_TUI_OPTION_BOX_H

#include "tui/services.h"

// What somebody who would rent it wants to know first; then its figures, each source once; then how they came
// about. `row`: of the list, whose rows are the options.
const char *option_text(const Advice *advice, const List *list, size_t row, Arena *a);
// Why a vendor has no option, as a sentence; NULL: it has one.
const char *vendor_absent(const Advice *advice, int vendor, Arena *a);
// In one line.
const char *option_brief(const Advice *advice, size_t option, Arena *a);

// The options that pass the filter as points, cost against speed; the one under the cursor stands out and is
// named below.
// `walks`: left and right move along the front here.
void options_chart_draw(const Advice *advice, const List *list, Grid *g, Rect at, bool walks);
// The cursor goes to the next point of the Pareto front, -1: the one before. False: there is no other.
bool options_front_move(const Advice *advice, List *list, int step);

#endif
