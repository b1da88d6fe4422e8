// The container of a GGUF file: its numbers, texts and pairs, read from the bytes of its header. Internal to this folder.
//
// Layout: "GGUF", version u32, tensor count u64, pair count u64, pairs (key, type u32, value), tensors (name,
// dimensions u32, u64 each, type u32, offset u64), padding, data; little endian. Source: ggml-org/ggml
// include/gguf.h, src/ggml-common.h (2026-08).
#ifndef GPUADVISE_MODEL_GGUF_HEAD_H
#define GPUADVISE_MODEL_GGUF_HEAD_H

#include "src/base/base.h"

typedef enum GgufType {
    G_U8,
    G_I8,
    G_U16,
    G_I16,
    G_U32,
    G_I32,
    G_F32,
    G_BOOL,
    G_STRING,
    G_ARRAY,
    G_U64,
    G_I64,
    G_F64,
    G_COUNT
} GgufType;

// Bytes of a value; 0 for texts and arrays, which say their own length.
extern const size_t gguf_type_bytes[G_COUNT];

// A pair of the header. Texts and elements are borrowed from the header.
typedef struct GgufPair {
    Str key;
    GgufType type;  // of the value, of the elements of an array
    bool array;
    uint64_t length;       // of an array
    double number;         // NaN: no number
    Str text;              // of a string
    const char *elements;  // of an array of numbers
} GgufPair;

typedef struct GgufHead {
    Str head;
    size_t at;
    double file_bytes;
    bool more;  // the head ended where the file goes on
    uint64_t n_tensors, n_pairs;
    GgufPair *pairs;
    Err *e;
} GgufHead;

// Begins at r->head: the counts and all pairs, which live in `a`. False, with r->e, on bytes that are no such header; r->more
// tells that the header is longer than what was read of it.
bool gguf_start(GgufHead *r, Arena *a);

// The next n bytes as a number, or a text of at most `limit` bytes.
bool gguf_take_number(GgufHead *r, size_t n, uint64_t *ret);
bool gguf_take_text(GgufHead *r, uint64_t limit, Str *ret);

// One value at `bytes`; NaN: the type is no number.
double gguf_value(GgufType type, const char *bytes);

const GgufPair *gguf_pair(const GgufHead *r, const char *key);  // NULL: none
double gguf_pair_number(const GgufHead *r, const char *key,
                        double fallback);  // where there is none, or no number

#endif
