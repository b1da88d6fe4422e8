// Which rank makes its pairs slow: every pair of a slow one is slow, of the others only the one with it.
#include <math.h>
#include <stdlib.h>

#include "src/base/median.h"
#include "src/fleet/fleet.h"

double fleet_pairs(const FleetPair *pairs, size_t n, size_t ranks, Arena *a, double *medians) {
    double *own = arena_alloc(a, n + ranks + 1, sizeof *own);
    size_t known = 0;
    for (size_t r = 0; r < ranks; r++) {
        size_t m = 0;
        for (size_t i = 0; i < n; i++) {
            if ((pairs[i].a == r || pairs[i].b == r) && is_known(pairs[i].speed)) own[m++] = pairs[i].speed;
        }
        medians[r] = median(own, m);
    }
    for (size_t r = 0; r < ranks; r++) {
        if (is_known(medians[r])) own[known++] = medians[r];
    }
    double middle = median(own, known);
    for (size_t i = 0; i < known; i++) own[i] = fabs(own[i] - middle);
    double limit = fleet_limit(middle, median(own, known));
    return ranks > 2 ? limit : (double)NAN;  // of one pair nobody knows which side is slow
}
