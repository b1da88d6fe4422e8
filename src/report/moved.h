// What moved a verdict between two answers of `report`: prices, speeds, options, what was asked, what was
// assumed, facts.
#ifndef GPUADVISE_REPORT_MOVED_H
#define GPUADVISE_REPORT_MOVED_H

#include "src/report/baseline.h"

typedef enum MoverKind {
    MOVER_QUESTION,
    MOVER_PRICE,
    MOVER_SPEED,
    MOVER_OPTION,
    MOVER_VERSION,
    MOVER_FACTS,
    MOVER_ASSUMPTION,
    MOVER_NEEDS,
    MOVER_PORT,
    MOVER_RANGE,
    MOVER_KIND_COUNT
} MoverKind;
// question, price, speed, option, version, facts, assumption, needs, port, range
extern const char *const mover_names[];

#define MOVED_NOTICED 1e-6  // of a logarithm; figures in JSON have 10 digits
enum { MOVERS_MAX = 96, MOVER_WHYS_MAX = 8 };

// One thing that differs and bears on the verdict. Texts live in the arena; NaN and NULL: not there.
typedef struct Mover {
    MoverKind kind;
    int vendor;        // whose price, speed or option; -1: both
    const char *what;  // the option, the assumption, the part of the question
    double from, to;
    const char *from_text, *to_text, *unit;
    double ln_ratio;  // what it added to ln of the cost ratio AMD / NVIDIA; NaN: not known, or no such part
    const char *whys[MOVER_WHYS_MAX];
    size_t n_whys;
} Mover;

struct Moved {
    double ratio_from, ratio_to;  // of the costs of the best options, AMD / NVIDIA; NaN: a vendor has none
    Mover list[MOVERS_MAX];
    size_t n;
};

// Nothing where winner, probability and cost ratio agree. Prices and speeds are put from the first answer's
// to the second's one after the other - prices, then speeds, of the former best option and of the new one -
// while a vendor takes the cheaper of the two; what is left is the option's own: it came, or the other went.
// The parts add up to the whole change of the ratio.
void baseline_moved(const Baseline *from, const Baseline *to, Arena *a, Moved *ret_moved);

void moved_json(const Moved *m, Json *root);
void moved_text(const Moved *m, Format format, Room room, Arena *a, Buf *out);  // table, md

#endif
