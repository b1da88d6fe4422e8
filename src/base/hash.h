// FNV-1a with 64 bits: finds texts again and tells them apart. No guard against somebody who wants two to agree.
#ifndef GPUADVISE_BASE_HASH_H
#define GPUADVISE_BASE_HASH_H

#include <stdint.h>

#include "src/base/base.h"

static inline uint64_t hash_fnv1a(Str s) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < s.length; i++) hash = (hash ^ (unsigned char)s.data[i]) * 0x100000001b3;
    return hash;
}

#endif
