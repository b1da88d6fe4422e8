// Patterns of a memory test.
#include "kernels/pattern.h"

const unsigned pattern_steps[PATTERN_STEPS] = {PATTERN_WALKING, PATTERN_WALKING | PATTERN_INVERTED,
                                               PATTERN_ADDRESS, PATTERN_ADDRESS | PATTERN_INVERTED,
                                               PATTERN_RANDOM,  PATTERN_RANDOM | PATTERN_INVERTED};
const char *const pattern_names[PATTERN_STEPS] = {"walking ones",       "walking ones inverted",
                                                  "address in address", "address in address inverted",
                                                  "random words",       "random words inverted"};

uint32_t pattern_word(unsigned pattern, uint64_t at, uint32_t seed) {
    uint32_t low = (uint32_t)at, high = (uint32_t)(at >> 32), word = low ^ high * UINT32_C(0x9E3779B1);
    if ((pattern & 3) == PATTERN_WALKING) word = UINT32_C(1) << ((low + seed) & 31);
    if ((pattern & 3) == PATTERN_RANDOM) {  // the last steps of a hash: each bit of the place moves half
        word = (word + seed) * UINT32_C(0x85EBCA6B);
        word = (word ^ word >> 13) * UINT32_C(0xC2B2AE35);
        word ^= word >> 16;
    }
    return (pattern & PATTERN_INVERTED) != 0 ? ~word : word;
}
