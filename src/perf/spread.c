// The range of an estimate, from its doubt.
#include <math.h>

#include "src/perf/perf.h"

const double Z80 = 1.2815515655446004;

Estimate estimate_of(double value, double sigma_log, Basis basis, const char *sources) {
    double spread = exp(Z80 * sigma_log);
    return (Estimate){value, value / spread, value * spread, is_known(value) ? basis : BASIS_UNKNOWN,
                      sources};
}
