// How a column of a table is written: in src/facts/tables*.c and own_run.c alone.
#ifndef GPUADVISE_FACTS_TABLE_FIELDS_H
#define GPUADVISE_FACTS_TABLE_FIELDS_H

#include "src/facts/tables.h"

#define FIELD(T, f, kind, key, required, lo, hi, list)                                                       \
    { #f, kind, offsetof(T, f), key, required, lo, hi, list, NULL }
#define TEXT(T, f) FIELD(T, f, FIELD_TEXT, false, false, 0, 0, NULL)
#define MUST(T, f) FIELD(T, f, FIELD_TEXT, false, true, 0, 0, NULL)
#define KEY(T, f) FIELD(T, f, FIELD_TEXT, true, true, 0, 0, NULL)
#define KEYTEXT(T, f) FIELD(T, f, FIELD_TEXT, true, false, 0, 0, NULL)  // empty is a value
#define NUM(T, f, lo, hi) FIELD(T, f, FIELD_NUM, false, false, lo, hi, NULL)
#define MUSTNUM(T, f, lo, hi) FIELD(T, f, FIELD_NUM, false, true, lo, hi, NULL)
#define KEYNUM(T, f, lo, hi) FIELD(T, f, FIELD_NUM, true, false, lo, hi, NULL)  // empty is a value
#define MUSTKEYNUM(T, f, lo, hi) FIELD(T, f, FIELD_NUM, true, true, lo, hi, NULL)
#define BOOL(T, f) FIELD(T, f, FIELD_BOOL, false, false, 0, 0, NULL)
#define NAME(T, f, list) FIELD(T, f, FIELD_NAME, false, true, 0, 0, list)
#define MAYBE(T, f, list)                                                                                    \
    FIELD(T, f, FIELD_NAME, false, false, 0, 0, list)  // empty: its first name, which is "unknown"
#define KEYNAME(T, f, list) FIELD(T, f, FIELD_NAME, true, true, 0, 0, list)
#define DATE(T, f) FIELD(T, f, FIELD_DATE, false, false, 0, 0, NULL)
#define KEYDATE(T, f) FIELD(T, f, FIELD_DATE, true, true, 0, 0, NULL)
// Dollars in the file, millionths in memory and in the database, where the column has another name.
#define KEYMICRO(T, f, name, column, lo, hi)                                                                 \
    { name, FIELD_MICRO, offsetof(T, f), true, true, lo, hi, NULL, column }
#define ORIGIN(T) MUST(T, source), FIELD(T, as_of, FIELD_DATE, false, true, 0, 0, NULL)

#define TABLE(name, fields, type)                                                                            \
    { name, fields, sizeof fields / sizeof *fields, sizeof(type), 0 }
#define TABLE_AS_FILED(name, fields, type)                                                                   \
    { name, fields, sizeof fields / sizeof *fields, sizeof(type), offsetof(type, line) }

#endif
