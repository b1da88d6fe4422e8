// The roofline of a device: what its memory and its arithmetic gave in one run, and each test under that
// roof.
//
// Williams, Waterman and Patterson's model (Communications of the ACM 52(4), 2009): at I operations a byte
// nothing exceeds min(memory bandwidth x I, arithmetic rate). Both are measured here, none is a datasheet's.
#ifndef GPUADVISE_ROOFLINE_H
#define GPUADVISE_ROOFLINE_H

#include "src/facts/bench.h"

typedef struct RoofCeiling {
    const char *dtype, *by;  // by: the test, or the vendor's library that did better
    double gflop_s;          // of whole numbers: 10^9 operations a second
} RoofCeiling;

typedef struct RoofPoint {
    const BenchResult *result;
    double flop_per_byte, gflop_s;
    double roof_gflop_s;  // of its data type at its intensity; NaN = that ceiling was not measured
    bool memory_bound;    // the slope is lower there than the ceiling
} RoofPoint;

enum { ROOF_CEILINGS = 8 };
typedef struct Roofline {
    const char *device;
    double memory_gb_s;
    const char *memory_by;  // the stream that gave it
    RoofCeiling ceilings[ROOF_CEILINGS];
    size_t n_ceilings;
    RoofPoint *points;  // in the order of the results
    size_t n_points;
} Roofline;

#endif
