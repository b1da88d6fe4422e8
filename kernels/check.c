// Comparing a kernel's outputs with the reference.
#include <math.h>
#include <string.h>

#include "kernels/kernels.h"

double error_of_bound(double got, double want, double bound) {
    if (isnan(want)) return isnan(got) ? 0 : (double)INFINITY;
    double error = got == want ? 0 : fabs(got - want);
    // bound 0: infinite, as it should be
    return error == 0 ? 0 : isinf(want) ? (double)INFINITY : error / bound;
}

static void check_one(const RefIn *in, const void *output, size_t i, CheckTally *t) {
    double want, bound;
    in->kernel->reference(in, i, &want, &bound);
    double got = elem_read(in->kernel->buffers[in->kernel->output].elem, output, i);
    double of_bound = error_of_bound(got, want, bound), error = of_bound == 0 ? 0 : fabs(got - want);
    t->checked++;
    if (!(of_bound <= 1)) {  // NaN is wrong too
        if (t->wrong == 0) t->first_wrong = i, t->got = got, t->want = want;
        t->wrong++;
    }
    if (!(error <= t->max_error)) t->max_error = error;
    if (!(of_bound <= t->max_of_bound)) t->max_of_bound = of_bound;
}

void check_outputs(const RefIn *in, const void *output, size_t samples, CheckTally *t) {
    size_t n = buffer_count(&in->kernel->buffers[in->kernel->output], &in->shape);
    if (n <= samples) {
        for (size_t i = 0; i < n; i++) check_one(in, output, i, t);
        return;
    }
    size_t ends = samples / 4;
    for (size_t i = 0; i < ends; i++) {
        check_one(in, output, i, t);
        check_one(in, output, n - 1 - i, t);
    }
    uint64_t state = in->seed;
    for (size_t i = 2 * ends; i < samples; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        check_one(in, output, (size_t)((state >> 11) % n), t);
    }
}
