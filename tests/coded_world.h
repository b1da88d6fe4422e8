// A world for tests of moves: that of advise_world.h, with code to move whose work is known.
#ifndef GPUADVISE_TESTS_CODED_WORLD_H
#define GPUADVISE_TESTS_CODED_WORLD_H

#include "tests/advise_world.h"

static inline Estimate range(double value, double low, double high) {
    return (Estimate){value, low, high, BASIS_CALIBRATED, "test"};
}

// Ten days of port, ten of tests, twelve a year of upkeep, no doubt.
typedef struct Coded {
    World w;
    Effort effort;
    size_t findings[PORT_CLASS_COUNT];
    Move move;
} Coded;

static inline void make_coded(Coded *c, double nvidia_usd_h, double amd_usd_h) {
    *c = (Coded){0};
    make(&c->w);
    c->w.offers[0] = offer("north", "h100", 8, nvidia_usd_h);
    c->w.offers[1] = offer("south", "mi300x", 8, amd_usd_h);
    c->effort = (Effort){.first_port = range(10, 10, 10),
                         .tests_and_ci = range(10, 10, 10),
                         .maintenance_a_year = range(12, 12, 12),
                         .first_port_with_blockers = 10,
                         .confidence = "high",
                         .confidence_note = ""};
    c->move = (Move){.source = "x", .effort = &c->effort, .findings = c->findings, .scanned = true};
    c->w.ask.move = &c->move;
}

static inline const Transition *transition_of(const Coded *c) {
    return c->w.advice.transitions[TRANSITION_VENDOR];
}

static inline void set_term(World *w, Term t, double x) { w->ask.terms[t] = (Given){true, x}; }

#endif
