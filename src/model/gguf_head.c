// The container of a GGUF file: numbers, texts and pairs.
#include "src/model/gguf_head.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/model/model.h"

enum { PAIRS_MAX = 100000, TENSORS_MAX = 1000000, KEY_BYTES_MAX = 65535, ARRAY_DEPTH_MAX = 4 };

const size_t gguf_type_bytes[G_COUNT] = {
    [G_U8] = 1,  [G_I8] = 1,   [G_U16] = 2, [G_I16] = 2, [G_U32] = 4, [G_I32] = 4,
    [G_F32] = 4, [G_BOOL] = 1, [G_U64] = 8, [G_I64] = 8, [G_F64] = 8};

static bool ends(GgufHead *r) {
    r->more = (double)r->head.length < r->file_bytes;
    return err_set(r->e, ERR_USAGE, "the header %s",
                   r->more ? "is longer than this program reads" : "ends too early: is the file whole?");
}

static bool take(GgufHead *r, size_t n, const char **ret_bytes) {
    if (n > r->head.length - r->at) return ends(r);
    *ret_bytes = r->head.data + r->at;
    r->at += n;
    return true;
}

static uint64_t number_at(const char *bytes, size_t n) {
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++) x |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    return x;
}

bool gguf_take_number(GgufHead *r, size_t n, uint64_t *ret) {
    const char *bytes = NULL;
    if (!take(r, n, &bytes)) return false;
    *ret = number_at(bytes, n);
    return true;
}

bool gguf_take_text(GgufHead *r, uint64_t limit, Str *ret) {
    uint64_t n = 0;
    const char *bytes = NULL;
    if (!gguf_take_number(r, 8, &n)) return false;
    if (n > limit) return err_set(r->e, ERR_USAGE, "a text of %" PRIu64 " bytes at byte %zu", n, r->at - 8);
    if (!take(r, (size_t)n, &bytes)) return false;
    *ret = (Str){bytes, (size_t)n};
    return true;
}

static bool take_type(GgufHead *r, GgufType *ret) {
    uint64_t x = 0;
    if (!gguf_take_number(r, 4, &x)) return false;
    if (x >= G_COUNT)
        return err_set(r->e, ERR_USAGE, "a value of type %" PRIu64 " at byte %zu", x, r->at - 4);
    *ret = (GgufType)x;
    return true;
}

double gguf_value(GgufType type, const char *bytes) {
    uint64_t x = number_at(bytes, gguf_type_bytes[type]);
    float f = 0;
    double d = 0;
    uint32_t low = (uint32_t)x;
    switch (type) {
    case G_I8: return (int8_t)x;
    case G_I16: return (int16_t)x;
    case G_I32: return (int32_t)x;
    case G_I64: return (double)(int64_t)x;
    case G_F32: memcpy(&f, &low, sizeof f); return (double)f;
    case G_F64: memcpy(&d, &x, sizeof d); return d;
    case G_U8:
    case G_U16:
    case G_U32:
    case G_U64:
    case G_BOOL: return (double)x;
    case G_STRING:
    case G_ARRAY:
    case G_COUNT: break;
    }
    return (double)NAN;
}

// ---------------------------------------------------------------- pairs

// Over an array whose type and length are still to come. Arrays of arrays are passed over, too.
static bool take_array(GgufHead *r, GgufPair *p, int depth) {
    GgufType type = G_U8;
    uint64_t n = 0;
    Str text;
    if (depth > ARRAY_DEPTH_MAX) return err_set(r->e, ERR_USAGE, "arrays nested too deep at byte %zu", r->at);
    if (!take_type(r, &type) || !gguf_take_number(r, 8, &n)) return false;
    size_t least = type == G_STRING ? 8 : type == G_ARRAY ? 12 : gguf_type_bytes[type];
    if (n > (r->head.length - r->at) / least) {
        if (n > GGUF_HEAD_BYTES_MAX)
            return err_set(r->e, ERR_USAGE, "an array of %" PRIu64 " values at byte %zu", n, r->at - 8);
        return ends(r);
    }
    if (p != NULL)
        *p = (GgufPair){.key = p->key,
                        .type = type,
                        .array = true,
                        .length = n,
                        .number = (double)NAN,
                        .elements = r->head.data + r->at};
    if (type != G_STRING && type != G_ARRAY) {
        r->at += (size_t)n * least;
        return true;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (!(type == G_STRING ? gguf_take_text(r, GGUF_HEAD_BYTES_MAX, &text)
                               : take_array(r, NULL, depth + 1)))
            return false;
    }
    return true;
}

static bool take_pair(GgufHead *r, GgufPair *p) {
    const char *bytes = NULL;
    *p = (GgufPair){.number = (double)NAN};
    if (!gguf_take_text(r, KEY_BYTES_MAX, &p->key) || !take_type(r, &p->type)) return false;
    if (p->type == G_ARRAY) return take_array(r, p, 1);
    if (p->type == G_STRING) return gguf_take_text(r, GGUF_HEAD_BYTES_MAX, &p->text);
    if (!take(r, gguf_type_bytes[p->type], &bytes)) return false;
    p->number = gguf_value(p->type, bytes);
    return true;
}

const GgufPair *gguf_pair(const GgufHead *r, const char *key) {
    for (size_t i = 0; i < r->n_pairs; i++) {
        if (str_is(r->pairs[i].key, key)) return &r->pairs[i];
    }
    return NULL;
}

double gguf_pair_number(const GgufHead *r, const char *key, double fallback) {
    const GgufPair *p = gguf_pair(r, key);
    return p == NULL || !is_known(p->number) ? fallback : p->number;
}

bool gguf_start(GgufHead *r, Arena *a) {
    uint64_t magic = 0, version = 0;
    if (!gguf_take_number(r, 4, &magic) || !gguf_take_number(r, 4, &version)) return false;
    if (magic != 0x46554747) return err_set(r->e, ERR_USAGE, "not a GGUF file");
    if (version == 0x02000000 || version == 0x03000000)
        return err_set(r->e, ERR_USAGE, "big-endian GGUF is not read");
    if (version != 2 && version != 3)
        return err_set(r->e, ERR_USAGE, "GGUF version %" PRIu64 " is not read; 2 and 3 are", version);
    if (!gguf_take_number(r, 8, &r->n_tensors) || !gguf_take_number(r, 8, &r->n_pairs)) return false;
    if (r->n_tensors > TENSORS_MAX)
        return err_set(r->e, ERR_USAGE, "%" PRIu64 " tensors: at most %d are read", r->n_tensors,
                       TENSORS_MAX);
    if (r->n_pairs > PAIRS_MAX)
        return err_set(r->e, ERR_USAGE, "%" PRIu64 " pairs: at most %d are read", r->n_pairs, PAIRS_MAX);
    if (r->n_pairs > (r->head.length - r->at) / 13) return ends(r);  // bytes of the smallest
    uint64_t wanted = r->n_pairs;
    r->pairs = arena_alloc(a, (size_t)wanted + 1, sizeof *r->pairs);
    for (uint64_t i = 0; i < wanted; i++) {
        if (!take_pair(r, &r->pairs[i])) return false;
    }
    return true;
}
