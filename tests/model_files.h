// Model files made by tests: GGUF and safetensors headers byte by byte, configurations as text.
#ifndef GPUADVISE_TESTS_MODEL_FILES_H
#define GPUADVISE_TESTS_MODEL_FILES_H

#include <fcntl.h>
#include <stdarg.h>

#include "catalog/facts/catalog.h"
#include "catalog/facts/model_file.h"
#include "src/model/model.h"
#include "tests/scratch.h"

// ---------------------------------------------------------------- reading

static inline Model model_read(Scratch *s, const char *path, bool assume_dense, const char **ret_warning) {
    Model m = {0};
    Err e = {0};
    const char *warning = "";
    if (!model_file_read(path, assume_dense, &s->arena, &m, &warning, &e)) FAIL_("%s", e.text);
    if (ret_warning != NULL) *ret_warning = warning;
    return m;
}

// The message, which must name `want`.
static inline const char *model_fails(Scratch *s, const char *path, bool assume_dense, const char *want) {
    Model m = {.layers = 12345};
    Err e = {0};
    const char *warning = NULL;
    if (model_file_read(path, assume_dense, &s->arena, &m, &warning, &e))
        FAIL_("'%s' was read; wanted: %s", path, want);
    CHECK_INT(e.kind, ERR_USAGE);
    CHECK(m.layers == 12345 && warning == NULL);
    if (strstr(e.text, want) == NULL) FAIL_("got \"%s\", wanted \"%s\" in it", e.text, want);
    return arena_copy(&s->arena, e.text, strlen(e.text));
}

static inline const char *made_model(Scratch *s, const char *name, const char *text) {
    const char *path = scratch_path(s, name);
    scratch_write(path, text, strlen(text));
    return path;
}

static inline const char *made_dir(Scratch *s, const char *name) {
    const char *path = scratch_path(s, name);
    if (access(path, F_OK) != 0) CHECK(mkdir(path, 0700) == 0);
    return path;
}

// Bytes with nothing but zeros behind them up to `size`: a header and the room of its data.
static inline void write_sparse(const char *path, const Buf *bytes, double size) {
    scratch_write(path, bytes->data, bytes->length);
    if (size > (double)bytes->length) CHECK(truncate(path, (off_t)size) == 0);
}

// ---------------------------------------------------------------- GGUF

static inline void put_number(Buf *b, uint64_t x, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        char c = (char)(x >> (8 * i) & 0xff);
        buf_add(b, &c, 1);
    }
}

static inline void put_text(Buf *b, const char *text) {
    put_number(b, strlen(text), 8);
    buf_puts(b, text);
}

static inline void put_start(Buf *b, uint64_t tensors, uint64_t pairs) {
    buf_init(b, BUF_LIMIT);
    buf_puts(b, "GGUF");
    put_number(b, 3, 4);
    put_number(b, tensors, 8);
    put_number(b, pairs, 8);
}

static inline void put_pair_text(Buf *b, const char *key, const char *text) {
    put_text(b, key);
    put_number(b, 8, 4);
    put_text(b, text);
}

static inline void put_pair(Buf *b, const char *key, uint64_t x) {  // u32
    put_text(b, key);
    put_number(b, 4, 4);
    put_number(b, x, 4);
}

static inline void put_pair_list(Buf *b, const char *key, const uint32_t *x, size_t n) {
    put_text(b, key);
    put_number(b, 9, 4);
    put_number(b, 4, 4);
    put_number(b, n, 8);
    for (size_t i = 0; i < n; i++) put_number(b, x[i], 4);
}

static inline void put_tensor(Buf *b, const char *name, uint64_t rows, uint64_t columns, uint64_t experts,
                              uint32_t type, uint64_t offset) {
    put_text(b, name);
    put_number(b, experts > 0 ? 3 : rows > 0 ? 2 : 1, 4);
    put_number(b, columns, 8);
    if (rows > 0) put_number(b, rows, 8);
    if (experts > 0) put_number(b, experts, 8);
    put_number(b, type, 4);
    put_number(b, offset, 8);
}

// ---------------------------------------------------------------- safetensors

typedef struct Safetensors {
    Buf header;
    double data;
} Safetensors;

static inline void st_open(Safetensors *st) {
    *st = (Safetensors){0};
    buf_init(&st->header, BUF_LIMIT);
    buf_puts(&st->header, "{\"__metadata__\":{\"format\":\"pt\"}");
}

static inline void st_add(Safetensors *st, const char *name, const char *dtype, double bytes_each,
                          double rows, double columns) {
    double bytes = bytes_each * (rows > 0 ? rows : 1) * columns;
    buf_printf(&st->header, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", name, dtype);
    if (rows > 0) buf_printf(&st->header, "%.0f,", rows);
    buf_printf(&st->header, "%.0f],\"data_offsets\":[%.0f,%.0f]}", columns, st->data, st->data + bytes);
    st->data += bytes;
}

static inline void st_write(Safetensors *st, const char *path) {
    Buf file;
    buf_init(&file, BUF_LIMIT);
    buf_puts(&st->header, "}");
    put_number(&file, st->header.length, 8);
    buf_add(&file, st->header.data, st->header.length);
    write_sparse(path, &file, (double)file.length + st->data);
    buf_free(&file);
    buf_free(&st->header);
}

#endif
