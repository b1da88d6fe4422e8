// Inside of src/fleet.
#ifndef GPUADVISE_FLEET_INSIDE_H
#define GPUADVISE_FLEET_INSIDE_H

#include "src/fleet/fleet.h"

// One finding more: of a record while they are gathered, of a node later.
void fleet_found(Fleet *f, size_t of, FleetState state, double weight, const char *text);
// Is the device one that is compared with others?
bool fleet_counts(const Fleet *f, const FleetDevice *d);
// Lines, and stragglers among nodes; sorts the readings.
void fleet_figures(Fleet *f);

#endif
