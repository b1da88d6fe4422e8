// Headers of GGUF files -> a model's draft and the exact bytes of its tensors. Never reads tensor data.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/model/gguf_head.h"
#include "src/model/model.h"

enum { NAME_BYTES_MAX = 1024, DIMENSIONS_MAX = 8 };

// ggml's tensor types: elements and bytes of a block, and the dtype that they count as. Fewer than five bits
// are INT4 here, more are INT8; the bytes are exact either way.
typedef struct GgmlType {
    const char *name;  // NULL: no such type
    unsigned elements, bytes;
    Dtype dtype;
} GgmlType;

static const GgmlType ggml_types[] = {
    // at most TENSOR_TYPES_MAX
    [0] = {"f32", 1, 4, DTYPE_FP32},         [1] = {"f16", 1, 2, DTYPE_FP16},
    [2] = {"q4_0", 32, 18, DTYPE_INT4},      [3] = {"q4_1", 32, 20, DTYPE_INT4},
    [6] = {"q5_0", 32, 22, DTYPE_INT8},      [7] = {"q5_1", 32, 24, DTYPE_INT8},
    [8] = {"q8_0", 32, 34, DTYPE_INT8},      [9] = {"q8_1", 32, 36, DTYPE_INT8},
    [10] = {"q2_k", 256, 84, DTYPE_INT4},    [11] = {"q3_k", 256, 110, DTYPE_INT4},
    [12] = {"q4_k", 256, 144, DTYPE_INT4},   [13] = {"q5_k", 256, 176, DTYPE_INT8},
    [14] = {"q6_k", 256, 210, DTYPE_INT8},   [15] = {"q8_k", 256, 292, DTYPE_INT8},
    [16] = {"iq2_xxs", 256, 66, DTYPE_INT4}, [17] = {"iq2_xs", 256, 74, DTYPE_INT4},
    [18] = {"iq3_xxs", 256, 98, DTYPE_INT4}, [19] = {"iq1_s", 256, 50, DTYPE_INT4},
    [20] = {"iq4_nl", 32, 18, DTYPE_INT4},   [21] = {"iq3_s", 256, 110, DTYPE_INT4},
    [22] = {"iq2_s", 256, 82, DTYPE_INT4},   [23] = {"iq4_xs", 256, 136, DTYPE_INT4},
    [24] = {"i8", 1, 1, DTYPE_INT8},         [25] = {"i16", 1, 2, DTYPE_UNKNOWN},
    [26] = {"i32", 1, 4, DTYPE_UNKNOWN},     [27] = {"i64", 1, 8, DTYPE_UNKNOWN},
    [28] = {"f64", 1, 8, DTYPE_FP64},        [29] = {"iq1_m", 256, 56, DTYPE_INT4},
    [30] = {"bf16", 1, 2, DTYPE_BF16},       [34] = {"tq1_0", 256, 54, DTYPE_INT4},
    [35] = {"tq2_0", 256, 66, DTYPE_INT4},   [39] = {"mxfp4", 32, 17, DTYPE_MXFP4},
    [40] = {"nvfp4", 64, 36, DTYPE_NVFP4},   [41] = {"q1_0", 128, 18, DTYPE_INT4},
    [42] = {"q2_0", 64, 18, DTYPE_INT4},
};

// ---------------------------------------------------------------- tensors

// "blk.12.": 12; -1: no block's.
static double block_of(Str name) {
    if (name.length < 5 || memcmp(name.data, "blk.", 4) != 0) return -1;
    double n = 0;
    size_t i = 4;
    for (; i < name.length && i < 10 && name.data[i] >= '0' && name.data[i] <= '9'; i++)
        n = 10 * n + (name.data[i] - '0');
    return i > 4 ? n : -1;
}

typedef struct Tensor {
    Str name;
    uint64_t dimensions[DIMENSIONS_MAX];
    double elements, bytes, end;
    uint64_t type;
} Tensor;

static bool take_tensor(GgufHead *r, Tensor *t) {
    uint64_t n = 0, offset = 0;
    *t = (Tensor){.elements = 1, .dimensions = {1, 1}};
    if (!gguf_take_text(r, NAME_BYTES_MAX, &t->name) || !gguf_take_number(r, 4, &n)) return false;
    int shown = t->name.length > 60 ? 60 : (int)t->name.length;
    if (n > DIMENSIONS_MAX)
        return err_set(r->e, ERR_USAGE, "tensor '%.*s' has %" PRIu64 " dimensions", shown, t->name.data, n);
    for (uint64_t i = 0; i < n; i++) {
        if (!gguf_take_number(r, 8, &t->dimensions[i])) return false;
        t->elements *= (double)t->dimensions[i];
    }
    if (!gguf_take_number(r, 4, &t->type) || !gguf_take_number(r, 8, &offset)) return false;
    if (!(t->elements <= 9e15))
        return err_set(r->e, ERR_USAGE, "tensor '%.*s' has %g elements", shown, t->name.data, t->elements);
    if (t->type >= COUNT_OF(ggml_types) || ggml_types[t->type].name == NULL) {
        return err_set(r->e, ERR_USAGE, "tensor '%.*s' is of type %" PRIu64 ", which is not known", shown,
                       t->name.data, t->type);
    }
    const GgmlType *type = &ggml_types[t->type];
    if (t->dimensions[0] % type->elements != 0) {
        return err_set(r->e, ERR_USAGE,
                       "tensor '%.*s': rows of %" PRIu64 " elements are no whole blocks of %s", shown,
                       t->name.data, t->dimensions[0], type->name);
    }
    t->bytes = t->elements / type->elements * type->bytes;
    t->end = (double)offset + t->bytes;
    return true;
}

static void add_tensor(TensorTotals *sum, const Tensor *t, double layers) {
    double block = block_of(t->name);
    bool mtp = block >= layers;
    bool experts = str_has(t->name, "_exps.");
    sum->tensors++;
    sum->elements += t->elements;
    sum->bytes += t->bytes;
    sum->dtype_bytes[ggml_types[t->type].dtype] += t->bytes;
    sum->type_bytes[t->type] += t->bytes;
    if (mtp) sum->mtp_elements += t->elements, sum->mtp_bytes += t->bytes;
    if (experts && !mtp) sum->expert_elements += t->elements, sum->expert_bytes += t->bytes;
    if (experts && !mtp && block >= 0 && block < TENSOR_LAYERS_MAX) sum->expert_layer[(size_t)block] = true;
    if (str_is(t->name, "output.weight")) sum->head = true;
    if (str_is(t->name, "token_embd.weight")) {
        sum->embedding_bytes = t->bytes;
        sum->vocab = (double)t->dimensions[1];
    }
}

static bool read_tensors(GgufHead *r, TensorTotals *sum, double layers) {
    Tensor t;
    double end = 0;
    for (uint64_t i = 0; i < r->n_tensors; i++) {
        if (!take_tensor(r, &t)) return false;
        add_tensor(sum, &t, layers);
        if (t.end > end) end = t.end;
    }
    double alignment = gguf_pair_number(r, "general.alignment", 32);
    if (!(alignment >= 1 && alignment <= 1e6))
        return err_set(r->e, ERR_USAGE, "an alignment of %g bytes", alignment);
    double start = ceil((double)r->at / alignment) * alignment;
    if (r->n_tensors > 0 && start + end > r->file_bytes) sum->cut = true;
    sum->files++;
    return true;
}

// ---------------------------------------------------------------- into the draft

// A number, or a list with one for each layer; zeros in a list are layers without (recurrent ones).
static bool pair_value(ModelDraft *d, const GgufPair *p, const char *name, double *ret, Err *e) {
    if (!p->array) {
        if (!is_known(p->number)) return err_set(e, ERR_USAGE, "'%s' is not a number", name);
        *ret = p->number;
        return true;
    }
    size_t each = p->type < G_COUNT ? gguf_type_bytes[p->type] : 0;
    if (each == 0 || p->length > TENSOR_LAYERS_MAX)
        return err_set(e, ERR_USAGE, "'%s' is not a list of numbers", name);
    double most = (double)NAN, least = (double)NAN, sum = 0, n = 0;
    for (uint64_t i = 0; i < p->length; i++) {
        double x = gguf_value(p->type, p->elements + i * each);
        if (x == 0) continue;
        most = fmax(most, x), least = fmin(least, x), sum += x, n++;
    }
    bool exact = strstr(name, "feed_forward_length") != NULL;  // tensors tell the weights
    if (most > least && !exact && !d->assume_dense)
        return err_set(
            e, ERR_USAGE,
            "'%s' differs from layer to layer, which is not modelled; `--assume-dense` takes the mean", name);
    if (most > least && !exact) draft_warn(d, "'%s' differs from layer to layer: the mean is taken", name);
    *ret = most > least ? round(sum / n) : n > 0 ? most : 0;
    return true;
}

// ---------------------------------------------------------------- lists with an entry a layer

static const GgufPair *list_of(const ModelDraft *d, const GgufHead *r, const char *name) {
    const GgufPair *p = gguf_pair(r, arena_printf(d->arena, "%s%s", d->key_prefix, name));
    return p != NULL && p->array && p->type < G_COUNT && gguf_type_bytes[p->type] > 0 ? p : NULL;
}

// NaN: no list, or none so long.
static double entry(const GgufPair *p, size_t i) {
    return p != NULL && i < p->length ? gguf_value(p->type, p->elements + i * gguf_type_bytes[p->type])
                                      : (double)NAN;
}

// Lists that are read by kind of layer, with what full and windowed layers take from them.
static const struct {
    const char *name;
    size_t full, window;  // offsets in ModelDraft
} kind_lists[] = {
    {"attention.head_count", offsetof(ModelDraft, m.heads), offsetof(ModelDraft, window_heads)},
    {"attention.head_count_kv", offsetof(ModelDraft, m.kv_heads), offsetof(ModelDraft, window_kv_heads)},
};

static bool is_kind_list(const GgufPair *p, const char *name) {
    static const char *const others[] = {"attention.sliding_window_pattern", "attention.compress_ratios"};
    return p->array && (TABLE_ROW(name, kind_lists) != NULL || TABLE_ROW(name, others) != NULL);
}

// A layer without keys and values: what it has instead.
static char letter_without_cache(const ModelDraft *d, double feed_forward) {
    if (has_blocks(d)) return !(feed_forward > 0) ? 'M' : is_known(d->m.experts) ? 'E' : '-';
    return is_known(d->conv_cache) ? 'C' : 'L';
}

static bool list_kinds(ModelDraft *d, const GgufHead *r, Err *e) {
    const GgufPair *kv = list_of(d, r, "attention.head_count_kv");
    const GgufPair *windows = list_of(d, r, "attention.sliding_window_pattern");
    const GgufPair *ratios = list_of(d, r, "attention.compress_ratios");
    const GgufPair *feeds = list_of(d, r, "feed_forward_length");
    size_t layers = is_known(d->m.layers) ? (size_t)d->m.layers : 0;
    char *letters = arena_alloc(d->arena, layers + 1, 1);
    bool said = windows != NULL || ratios != NULL || (kv != NULL && has_blocks(d));
    for (size_t i = 0; i < layers; i++) {
        letters[i] = ratios != NULL                             ? ratio_letter(entry(ratios, i))
                     : windows != NULL && entry(windows, i) > 0 ? 'W'
                     : has_blocks(d)                            ? '*'
                                                                : 'F';
        if (letters[i] == '\0')
            return err_set(
                e, ERR_USAGE,
                "'attention.compress_ratios' has a layer of %g tokens an entry, which is not modelled",
                entry(ratios, i));
        if (entry(kv, i) == 0) letters[i] = letter_without_cache(d, entry(feeds, i)), said = true;
    }
    if (said && layers > 0) d->listed_mix = letters;
    return true;
}

// One number for all layers of a kind. *field stays where the kind has none.
static bool list_value(ModelDraft *d, const GgufPair *p, char kind, const char *name, double *field, Err *e) {
    double most = (double)NAN, least = (double)NAN, sum = 0, n = 0;
    bool listed = d->listed_mix[0] != '\0';
    for (size_t i = 0; i < p->length && (!is_known(d->m.layers) || (double)i < d->m.layers); i++) {
        double x = entry(p, i);
        bool window = listed && d->listed_mix[i] == 'W';
        if (x == 0 || window != (kind == 'W')) continue;
        if (!(x > 0 && x <= 1e5 && floor(x) == x))
            return err_set(e, ERR_USAGE, "'%s%s' is not a list of numbers", d->key_prefix, name);
        most = fmax(most, x), least = fmin(least, x), sum += x, n++;
    }
    if (most > least && !d->assume_dense)
        return err_set(e, ERR_USAGE,
                       "'%s%s' differs from layer to layer of one kind, which is not modelled; "
                       "`--assume-dense` takes the mean",
                       d->key_prefix, name);
    if (most > least)
        draft_warn(d, "'%s%s' differs from layer to layer: the mean is taken", d->key_prefix, name);
    if (n > 0) *field = round(sum / n);
    return true;
}

static bool read_lists(ModelDraft *d, const GgufHead *r, Err *e) {
    if (d->nextn >= d->m.layers)
        return err_set(e, ERR_USAGE, "'%snextn_predict_layers' is %g of %g layers: none is left",
                       d->key_prefix, d->nextn, d->m.layers);
    if (is_known(d->nextn)) d->m.layers -= d->nextn;
    if (!list_kinds(d, r, e)) return false;
    for (size_t i = 0; i < COUNT_OF(kind_lists); i++) {
        const GgufPair *p = list_of(d, r, kind_lists[i].name);
        if (p == NULL) continue;
        double full = (double)NAN, window = (double)NAN;
        if (!list_value(d, p, 'F', kind_lists[i].name, &full, e) ||
            !list_value(d, p, 'W', kind_lists[i].name, &window, e))
            return false;
        if (!is_known(full)) full = window;
        memcpy((char *)d + kind_lists[i].full, &full, sizeof full);
        if (is_known(window)) memcpy((char *)d + kind_lists[i].window, &window, sizeof window);
    }
    return true;
}

static bool read_keys(ModelDraft *d, const GgufHead *r, Err *e) {
    for (size_t i = 0; i < n_model_keys; i++) {
        Str rest = str_of(model_keys[i].gguf);
        Str word;
        bool found = false;
        while (!found && str_next(&rest, ' ', &word)) {
            const char *name = arena_printf(d->arena, "%s%.*s", d->key_prefix, (int)word.length, word.data);
            const GgufPair *p = word.length == 0 ? NULL : gguf_pair(r, name);
            double value = 0;
            found = p != NULL && !is_kind_list(p, arena_copy(d->arena, word.data, word.length));
            if (found && !(pair_value(d, p, name, &value, e) && draft_put(d, &model_keys[i], name, value, e)))
                return false;
        }
    }
    return true;
}

// What GGUF says in another way than config.json.
static void settle_keys(ModelDraft *d, const GgufHead *r) {
    Model *m = &d->m;
    if (has_blocks(d)) {  // Mamba-2 under the names that serve for every recurrent layer
        d->mamba_heads = d->linear_value_heads, d->mamba_groups = d->linear_key_heads,
        d->mamba_state = d->linear_key_dim, d->mamba_conv = d->linear_conv;
        d->mamba_head_dim = floor(
            gguf_pair_number(r, arena_printf(d->arena, "%sssm.inner_size", d->key_prefix), (double)NAN) /
            d->mamba_heads);
    }
    if ((d->family->traits & TRAIT_MLA) != 0) {
        double qk = gguf_pair_number(r, arena_printf(d->arena, "%sattention.key_length_mla", d->key_prefix),
                                     m->head_dim);
        m->qk_nope_head_dim = qk - m->qk_rope_head_dim;
        m->v_head_dim = gguf_pair_number(
            r, arena_printf(d->arena, "%sattention.value_length_mla", d->key_prefix), m->v_head_dim);
    }
    double inner =
        gguf_pair_number(r, arena_printf(d->arena, "%sssm.inner_size", d->key_prefix), (double)NAN);
    if (is_known(d->linear_value_heads) && inner >= 1 && inner <= 1e6)
        d->linear_value_dim = floor(inner / d->linear_value_heads);
    const GgufPair *tokens = gguf_pair(r, "tokenizer.ggml.tokens");
    if (!is_known(m->vocab) && tokens != NULL && tokens->array) m->vocab = (double)tokens->length;
    d->use_window = 1;
    if (!is_known(d->window_from)) d->window_from = 0;
}

static bool read_shape(ModelDraft *d, const GgufHead *r, Err *e) {
    const GgufPair *p = gguf_pair(r, "general.architecture");
    const GgufPair *type = gguf_pair(r, "general.type");
    d->gguf = true;
    if (p != NULL && p->text.data != NULL)
        d->type = text_clean(d->arena, arena_copy(d->arena, p->text.data, p->text.length));
    d->key_prefix = arena_printf(d->arena, "%s.", d->type);
    if (type != NULL && type->text.data != NULL && !str_is(type->text, "model")) {
        const char *kind = arena_copy(d->arena, type->text.data, type->text.length);
        return err_set(e, ERR_USAGE, "holds a thing of type '%s', not a model", text_clean(d->arena, kind));
    }
    if (!draft_family(d, e) || !read_keys(d, r, e) || !read_lists(d, r, e)) return false;
    settle_keys(d, r);
    return true;
}

// "gguf q4_k 71 %, q6_k 27 %, f32 2 %"
void gguf_describe(ModelDraft *d, const TensorTotals *t) {
    enum { SHOWN_MAX = 3 };
    Buf b;
    buf_init(&b, BUF_LIMIT);
    buf_puts(&b, "gguf");
    bool done[COUNT_OF(ggml_types)] = {false};
    for (int shown = 0; shown < SHOWN_MAX; shown++) {
        size_t best = COUNT_OF(ggml_types);
        for (size_t i = 0; i < COUNT_OF(ggml_types); i++) {
            if (!done[i] && t->type_bytes[i] > 0 &&
                (best == COUNT_OF(ggml_types) || t->type_bytes[i] > t->type_bytes[best]))
                best = i;
        }
        if (best == COUNT_OF(ggml_types) || t->type_bytes[best] < 0.005 * t->bytes) break;
        done[best] = true;
        buf_printf(&b, "%s %s %.0f %%", shown == 0 ? "" : ",", ggml_types[best].name,
                   100 * t->type_bytes[best] / t->bytes);
    }
    d->quant.text = buf_take(&b, d->arena);
}

bool gguf_read(ModelDraft *d, TensorTotals *t, Str head, double file_bytes, bool first, double *ret_parts,
               bool *ret_more, Err *e) {
    Arena scratch = {0};
    GgufHead r = {.head = head, .file_bytes = file_bytes, .e = e};
    bool ok =
        gguf_start(&r, &scratch) && (!first || read_shape(d, &r, e)) && read_tensors(&r, t, d->m.layers);
    if (ok) *ret_parts = gguf_pair_number(&r, "split.count", 1);
    *ret_more = r.more;
    arena_free(&scratch);
    return ok;
}
