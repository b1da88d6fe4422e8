// How the columns of a table are listed: once, for the struct of its rows and for its Table
// (src/facts/tables.h).
//
// A list is a macro that calls X for each column, in the order of the file:
//     X(struct of the row, kind, need, field of the struct, what the kind asks for)
// Kinds:
//     TEXT                  const char *, "" = unknown
//     DATE                  const char *: YYYY, YYYY-MM or YYYY-MM-DD
//     NUM, low, high        double in this range, NaN = unknown
//     BOOL                  int: yes, no or empty (= no)
//     NAME, type, names     an enum: one of `names`; empty: the first, which is "unknown"
//     NAMED, "column", ...  the same of a column whose name is not the field's
//     ARRAY, n                              no column: double [n], whose elements are columns of the next kind
//     NUMAT, i, "column", low, high         element i of such an array, in this range
//     MICRO, "column", "stored", low, high  int64_t: dollars in the file; millionths in memory and in the
//                                           database, which has another name for it
// Needs:
//     KEY      part of the row's key, never empty
//     KEY_MAY  part of the key, where an empty cell is a value like any other
//     MUST     never empty
//     MAY      empty where nobody knows
#ifndef GPUADVISE_FACTS_COLUMNS_H
#define GPUADVISE_FACTS_COLUMNS_H

// Where a row comes from, and when that was so: the last columns of nearly every table.
#define ORIGIN(X, T) X(T, TEXT, MUST, source) X(T, DATE, MUST, as_of)

// The members of the struct: typedef struct Region {REGION_FIELDS(MEMBER)} Region;
#define MEMBER(T, kind, need, ...) MEMBER_##kind(__VA_ARGS__)
#define MEMBER_TEXT(f) const char *f;
#define MEMBER_DATE(f) const char *f;
#define MEMBER_NUM(f, lo, hi) double f;
#define MEMBER_BOOL(f) int f;
#define MEMBER_NAME(f, type, list) type f;
#define MEMBER_NAMED(f, name, type, list) type f;
#define MEMBER_ARRAY(f, n) double f[n];
#define MEMBER_NUMAT(f, i, name, lo, hi)
#define MEMBER_MICRO(f, name, column, lo, hi) int64_t f;

// Rows of a table as members of a struct of facts: `gpus` and `n_gpus`.
#define ROWS(T, rows)                                                                                        \
    const T *rows;                                                                                           \
    size_t n_##rows

// The fields of the Table: TABLE("regions", Region, REGION_FIELDS)
#define FIELD(T, kind, need, ...) FIELD_AS_##kind(T, NEED_##need, __VA_ARGS__)
#define FIELD_AS_TEXT(T, need, f) {#f, FIELD_TEXT, offsetof(T, f), need, 0, 0, NULL, NULL},
#define FIELD_AS_DATE(T, need, f) {#f, FIELD_DATE, offsetof(T, f), need, 0, 0, NULL, NULL},
#define FIELD_AS_NUM(T, need, f, lo, hi) {#f, FIELD_NUM, offsetof(T, f), need, lo, hi, NULL, NULL},
#define FIELD_AS_BOOL(T, need, f) {#f, FIELD_BOOL, offsetof(T, f), need, 0, 0, NULL, NULL},
#define FIELD_AS_NAME(T, need, f, type, list) {#f, FIELD_NAME, offsetof(T, f), need, 0, 0, list, NULL},
#define FIELD_AS_NAMED(T, need, f, name, type, list)                                                         \
    {name, FIELD_NAME, offsetof(T, f), need, 0, 0, list, NULL},
#define FIELD_AS_ARRAY(T, need, f, n)
#define FIELD_AS_NUMAT(T, need, f, i, name, lo, hi)                                                          \
    {name, FIELD_NUM, offsetof(T, f) + (i) * sizeof(double), need, lo, hi, NULL, NULL},
#define FIELD_AS_MICRO(T, need, f, name, column, lo, hi)                                                     \
    {name, FIELD_MICRO, offsetof(T, f), need, lo, hi, NULL, column},
// Field.key and Field.required
#define NEED_KEY true, true
#define NEED_KEY_MAY true, false
#define NEED_MUST false, true
#define NEED_MAY false, false

#define TABLE_IN_ORDER(name, T, FIELDS, line)                                                                \
    {                                                                                                        \
        name, (const Field[]){FIELDS(FIELD)}, sizeof((const Field[]){FIELDS(FIELD)}) / sizeof(Field),        \
            sizeof(T), line                                                                                  \
    }
#define TABLE(name, T, FIELDS) TABLE_IN_ORDER(name, T, FIELDS, 0)
// The order of rows means something: see Table.line.
#define TABLE_AS_FILED(name, T, FIELDS) TABLE_IN_ORDER(name, T, FIELDS, offsetof(T, line))

#endif
