// Earlier answers of `report` as JSON: what of them is compared, for `report diff` and for gates.
#ifndef GPUADVISE_REPORT_BASELINE_H
#define GPUADVISE_REPORT_BASELINE_H

#include "src/report/report.h"

// An answer read back. Texts live in the arena; the figures stay in `root`.
typedef struct Baseline {
    const char *name;  // file
    Json *root;        // owned: json_free
    Winner winner;
    const char *generated_at, *text;  // "" when it does not say
} Baseline;

// Foreign text: at most a million values. ERR_USAGE for what is no answer of `report` of this schema version.
bool baseline_read(Str text, const char *name, Arena *a, Baseline *ret_baseline, Err *e);

// One figure or word that two answers give differently. NaN and NULL: not there.
typedef struct Difference {
    const char *key;  // path in the JSON: "best.amd.output_usd_per_mtok.value"
    bool number;
    const char *from_text, *to_text;
    double from, to;
} Difference;

bool figures_agree(double x, double y);  // to 9 digits, or both unknown

enum { DIFFERENCES_MAX = 128 };

// By what was asked, the verdict, the best of each vendor, what moving takes; figures that agree to 9 digits
// are the same.
size_t baseline_diff(const Baseline *from, const Baseline *to, Arena *a,
                     Difference ret_list[DIFFERENCES_MAX]);

void diff_json(const Baseline *from, const Baseline *to, const Difference *list, size_t n, Json *root);
typedef struct Moved Moved;  // src/report/moved.h
// table, md, csv
void diff_text(const Baseline *from, const Baseline *to, const Difference *list, size_t n, const Moved *moved,
               Format format, Room room, Arena *a, Buf *out);

#endif
