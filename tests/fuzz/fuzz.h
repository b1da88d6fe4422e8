// What every fuzzer provides, and how it states what must hold.
#ifndef GPUADVISE_TESTS_FUZZ_H
#define GPUADVISE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Feeds `size` bytes from outside to one parser. Returns 0; ends the process when an invariant breaks.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST_HOLD(condition)                                                                                 \
    ((condition) ? (void)0                                                                                   \
                 : (fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition), abort()))

#endif
