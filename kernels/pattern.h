// What a memory test writes: every bit of a word on its own, every word its own address, every word at
// random, and each of them inverted.
#ifndef GPUADVISE_KERNELS_PATTERN_H
#define GPUADVISE_KERNELS_PATTERN_H

#include <stdint.h>

// Numbers as the device code knows them; PATTERN_INVERTED is added to one of the others.
enum { PATTERN_WALKING = 0, PATTERN_ADDRESS = 1, PATTERN_RANDOM = 2, PATTERN_INVERTED = 4 };

// In the order of a test: each pattern, then its inverse, so that each cell held 0 and 1.
enum { PATTERN_STEPS = 6 };
extern const unsigned pattern_steps[PATTERN_STEPS];
extern const char *const pattern_names[PATTERN_STEPS];  // "walking ones", "walking ones inverted" ...

// Word number `at` of all that is tested. `seed` moves the walking bit and draws other random words.
uint32_t pattern_word(unsigned pattern, uint64_t at, uint32_t seed);

#endif
