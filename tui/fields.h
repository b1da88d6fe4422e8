// The assumptions of the report as fields of What-if: what was typed into them, what they are without a change.
#ifndef GPUADVISE_TUI_FIELDS_H
#define GPUADVISE_TUI_FIELDS_H

#include "tui/line.h"
#include "tui/tui.h"

struct Tui;

// What is asked of `report`: an option's text by its row in field_table; "" = as the workload has it.
enum { FIELDS_MAX = 64, FIELD_BYTES = LINE_MAX_BYTES };
typedef struct Fields {
    char value[FIELDS_MAX][FIELD_BYTES];
    char first[FIELD_BYTES];  // the workload that the screen began with
    size_t cursor, top;
} Fields;

typedef struct WhatifField {
    const char *option, *label, *unit;
} WhatifField;
extern const WhatifField field_table[];
extern const size_t n_fields;

const TuiOption *field_option(const struct Tui *t, size_t field);
size_t fields_changed(const struct Tui *t);
const char *field_value(const struct Tui *t, const char *option);  // "" = as the workload has it
// numbers with k, M or a unit become plain ones. False: no such field
bool field_set(struct Tui *t, const char *option, const char *text);
void fields_changed_now(struct Tui *t);  // the question is another one
size_t fields_words(const struct Tui *t, Arena *a, const char ***ret_words);
// Without a change: what the answer was asked for, or what stands for it in the tables.
const char *field_effective(const TuiAnswer *answer, const char *option, Arena *a);
const char *field_number(Arena *a, double x);  // "none" for an unknown one
// The most that a figure may be, by the context of the answer's model; NaN: no bound is known.
double field_most(const TuiAnswer *answer, const char *option);

#endif
