// Numbers as people write them.
#ifndef GPUADVISE_TUI_UNITS_H
#define GPUADVISE_TUI_UNITS_H

#include <stdbool.h>

// A number in the unit of a field, with k or M, that unit or a related one behind it: "32k", "1,024 tokens",
// "$2.20", "3 s" of milliseconds, "30 %" of a share. False: `text` is something else.
bool unit_number(const char *text, const char *unit, double *ret_x);

#endif
