// The tables of `data/`: one description of each column serves loading, checking, storing and reading back.
#ifndef GPUADVISE_FACTS_TABLES_H
#define GPUADVISE_FACTS_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum FieldKind {
    FIELD_TEXT,   // const char *
    FIELD_NUM,    // double, NaN = unknown
    FIELD_BOOL,   // int; "yes", "no" or empty (= no)
    FIELD_NAME,   // int: index in `names`
    FIELD_MICRO,  // int64_t: dollars in the file, millionths in memory and in the database
    FIELD_DATE    // const char *: YYYY, YYYY-MM or YYYY-MM-DD
} FieldKind;

typedef struct Field {
    const char *name;  // column in the TSV file
    FieldKind kind;
    size_t offset;             // in the row struct
    bool key;                  // part of the row's key, where an empty cell is a value like any other
    bool required;             // never empty
    double min, max;           // FIELD_NUM, FIELD_MICRO: accepted range
    const char *const *names;  // FIELD_NAME
    // in the database, where another unit gives it another name; NULL: as in the file
    const char *column;
} Field;

typedef struct Table {
    const char *name;  // "gpus": data/gpus.tsv and the database table `gpus`
    const Field *fields;
    size_t n_fields;
    size_t row_size;
    // Where the order of rows means something: offset in the row of a size_t that takes the row's line in its file,
    // and rows stand as there. 0: they stand in the order of their key.
    size_t line;
} Table;

// Every table of facts, in an order in which references point backwards.
typedef enum TableId {
    TABLE_GPUS,
    TABLE_DEVICE_IDS,
    TABLE_MODELS,
    TABLE_TRAFFIC,
    TABLE_WORKLOADS,
    TABLE_OFFERS,
    TABLE_SUPPORT,
    TABLE_LIBRARIES,
    TABLE_PACKAGES,
    TABLE_ENGINES,
    TABLE_ENGINE_LIMITS,
    TABLE_PRECISIONS,
    TABLE_EFFICIENCY,
    TABLE_TASK_EFFICIENCY,
    TABLE_HPC_CASES,
    TABLE_CONSTANTS,
    TABLE_MEASUREMENTS,
    TABLE_CONSTRUCTS,
    TABLE_PORTS,
    TABLE_EFFORT_FACTORS,
    TABLE_REGIONS,
    TABLE_SELLERS,
    TABLE_SELLER_CLASSES,
    TABLE_PRICE_MOVES,
    TABLE_CHECKPOINTS,
    TABLE_COUNT
} TableId;

extern const Table fact_tables[TABLE_COUNT];

// data/cuda_api_map.tsv: read straight from its text by the commands that port code, and kept out of the
// database, where its ten thousand rows would cost every first run of any command.
extern const Table cuda_names_table;

// What the scan counted in documented ports before they were ported: read with the names above.
extern const Table port_trees_table, port_findings_table;
// What the scan looks for, likewise.
extern const Table text_patterns_table, cuda_patterns_table, library_signs_table;

// What sellers mean by their sizes and names: read from their text when the market opens, and kept out of the
// database, since only incoming prices ask for them.
extern const Table healthy_gpus_table, instance_gpus_table, seller_names_table, gcp_machines_table;

// Public claims: read from their text by the command that judges them, and kept out of the database.
extern const Table claims_table;

// What users call rows of the catalog: read from their text when a name is none of the catalog's own.
extern const Table user_names_table;

// What decisions are weighed with: a few rows each, read from their text and kept out of the database, which
// nothing would query.
extern const Table decision_table, licences_table, needs_table, move_steps_table;

// What engines cannot run, at which loads they were measured, and who published: a few rows each, likewise.
extern const Table engine_precisions_table, block_checkpoints_table, engine_loads_table, publishers_table;
extern const Table engine_defaults_table;

// Public runs of agents and KV capacities that engines printed: read from their text by the command that holds
// the estimator against them.
extern const Table agentic_runs_table, kv_settings_table;
// What sellers of tokens ask, likewise.
extern const Table api_prices_table;
// Times of kernels: read on demand, likewise.
extern const Table kernels_table, moe_times_table;

// A kernel that takes longer to launch was bound by the host, not measured.
enum { KERNEL_LAUNCH_US_MOST = 60 };

// Measurements of token serving, without the columns that only a prediction asks for.
extern const Table measured_table;

// Offers as the view offer_current gives them: TABLE_OFFERS, and where each was seen.
extern const Table offer_current_table;

// A cell of `table` whose text must be a key of another table, unless empty.
typedef struct Reference {
    TableId table;
    const char *field;
    TableId target;
    const char *target_field;
} Reference;

extern const Reference fact_references[];
extern const size_t n_fact_references;

// One field of a row struct. The caller keeps to the field's kind: text for FIELD_TEXT and FIELD_DATE, and so on.
void row_set_text(void *row, const Field *f, const char *x);
void row_set_number(void *row, const Field *f, double x);
void row_set_int(void *row, const Field *f, int x);
void row_set_micro(void *row, const Field *f, int64_t x);
const char *row_text(const void *row, const Field *f);
// What people read of a field: one of FIELD_NUM, or of FIELD_MICRO in dollars, as a number (NaN: unknown); any other
// as a word, "yes" and "no" of FIELD_BOOL, "" where it is unknown.
bool field_is_number(const Field *f);
double row_number(const void *row, const Field *f);
const char *row_word(const void *row, const Field *f);
const Field *field_find(const Table *t, const char *name);  // NULL: it has no such column
// What an empty cell means: "", NaN, the first of the names, no.
void row_set_empty(void *row, const Field *f);
// A row of which nothing is known.
void row_blank(const Table *t, void *row);

#endif
