// Made-up files of facts: rows that pass every check but for the cells that a test gives.
#ifndef GPUADVISE_TESTS_MADE_H
#define GPUADVISE_TESTS_MADE_H

#include "src/facts/tables.h"
#include "src/facts/facts.h"
#include "src/perf/perf.h"
#include "tests/scratch.h"

// A cell that passes every check of its column.
static inline void plain_cell(Buf *b, const Field *f) {
    if (!f->required) return;
    switch (f->kind) {
    case FIELD_TEXT: buf_puts(b, "x"); break;
    case FIELD_DATE: buf_puts(b, "2026-05"); break;
    case FIELD_NAME: buf_puts(b, f->names[0]); break;
    case FIELD_NUM:
    case FIELD_MICRO: buf_printf(b, "%.15g", f->max); break;
    case FIELD_BOOL: break;
    }
}

// A row of plain cells but for those given: "sku_id=a vendor=amd"; '~' stands for a blank, '@' for nothing at
// all.
static inline void add_row(Buf *b, TableId id, const char *given) {
    const Table *t = &fact_tables[id];
    for (size_t i = 0; i < t->n_fields; i++) {
        if (i > 0) buf_puts(b, "\t");
        Str rest = str_of(given);
        Str word, name;
        bool set = false;
        while (!set && str_next(&rest, ' ', &word)) {
            Str value = word;
            set = str_next(&value, '=', &name) && str_is(name, t->fields[i].name);
            for (size_t k = 0; set && k < value.length; k++) {
                if (value.data[k] != '@') buf_add(b, value.data[k] == '~' ? " " : value.data + k, 1);
            }
        }
        if (!set) plain_cell(b, &t->fields[i]);
    }
    buf_puts(b, "\n");
}

static inline void add_header(Buf *b, const Table *t) {
    for (size_t i = 0; i < t->n_fields; i++) buf_printf(b, "%s%s", i == 0 ? "" : "\t", t->fields[i].name);
    buf_puts(b, "\n");
}

// A row of a file of facts, for `made_file`.
typedef struct Made {
    TableId table;
    const char *given;
} Made;

// Some tables of facts must be whole: rows of those that a test does not care about.
static inline void add_whole(Buf *b, TableId id, Arena *a) {
    for (size_t i = 0; id == TABLE_CONSTANTS && i < CONSTANT_COUNT; i++)
        add_row(b, id, arena_printf(a, "name=%s value=%g", constant_specs[i].name, constant_specs[i].min));
    for (int c = 0; id == TABLE_SELLER_CLASSES && c < SELLER_CLASS_COUNT; c++)
        add_row(b, id, arena_printf(a, "seller_class=%s", seller_class_names[c]));
    for (int c = SELLER_UNKNOWN + 1; id == TABLE_PRICE_MOVES && c < SELLER_CLASS_COUNT; c++) {
        for (int p = 0; p < PRICING_COUNT; p++) {
            for (int day = 0; day <= 365; day += 365)
                add_row(b, id,
                        arena_printf(a, "seller_class=%s pricing_model=%s lag_days=%d", seller_class_names[c],
                                     pricing_names[p], day));
        }
    }
}

static inline Str made_file(Arena *a, TableId id, const Made *rows, size_t n) {
    Buf b;
    bool any = false;
    buf_init(&b, BUF_LIMIT);
    add_header(&b, &fact_tables[id]);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].table == id) add_row(&b, id, rows[i].given);
        any = any || rows[i].table == id;
    }
    if (!any) add_whole(&b, id, a);
    Str text = {arena_copy(a, b.data, b.length), b.length};
    buf_free(&b);
    return text;
}

// A data folder with all files; those without rows here hold their header.
static inline const char *made_folder(Scratch *s, const char *name, const Made *rows, size_t n) {
    const char *folder = scratch_path(s, name);
    if (access(folder, F_OK) != 0) CHECK(mkdir(folder, 0700) == 0);
    for (int id = 0; id < TABLE_COUNT; id++) {
        Str text = made_file(&s->arena, (TableId)id, rows, n);
        scratch_write(arena_printf(&s->arena, "%s/%s.tsv", folder, fact_tables[id].name), text.data,
                      text.length);
    }
    const Table *const apart[] = {&instance_gpus_table,     &seller_names_table,      &user_names_table,
                                  &gcp_machines_table,      &decision_table,          &licences_table,
                                  &engine_precisions_table, &block_checkpoints_table, &engine_loads_table,
                                  &publishers_table,        &kernels_table,           &moe_times_table,
                                  &engine_defaults_table};
    for (size_t i = 0; i < COUNT_OF(apart); i++) {
        Buf b;
        buf_init(&b, BUF_LIMIT);
        add_header(&b, apart[i]);
        scratch_write(arena_printf(&s->arena, "%s/%s.tsv", folder, apart[i]->name), b.data, b.length);
        buf_free(&b);
    }
    return folder;
}

static const Made two_gpus[] = {
    {TABLE_GPUS, "sku_id=b-gpu vendor=amd memory_gb=192 note=two~words"},
    {TABLE_GPUS, "sku_id=a-gpu vendor=nvidia memory_gb=80.5 launch=2022-10"},
    {TABLE_OFFERS, "provider=p sku_id=a-gpu gpu_count=8 price_usd_per_hour=98.3201234 as_of=2026-05-08"},
    {TABLE_MODELS, "model_id=m tied_embeddings=yes"},
    {TABLE_ENGINE_LIMITS, "engine=marker chunk_tokens=17"},
};

#endif
