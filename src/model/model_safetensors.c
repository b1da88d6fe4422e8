// Headers of safetensors files: bytes and elements of every tensor, never their data; indexes of sharded
// models.
//
// Layout: length of the header u64 (little endian), the header as JSON {name: {dtype, shape, data_offsets}},
// data. Source: huggingface/safetensors README.md, "Format".
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/model/model.h"

enum { SHARD_NAME_BYTES_MAX = 255, DIMENSIONS_MAX = 16 };

void tensors_init(TensorTotals *t) {
    const double unknown = (double)NAN;
    *t = (TensorTotals){.layers = unknown,
                        .hidden = unknown,
                        .vocab = unknown,
                        .intermediate = unknown,
                        .head_dim = unknown,
                        .q_width = unknown,
                        .kv_width = unknown};
}

Dtype tensors_main_dtype(const TensorTotals *t) {
    int best = DTYPE_UNKNOWN;
    for (int i = DTYPE_UNKNOWN + 1; i < DTYPE_COUNT; i++) {
        if (t->dtype_bytes[i] > (best == DTYPE_UNKNOWN ? 0 : t->dtype_bytes[best])) best = i;
    }
    return (Dtype)best;
}

double tensors_moe_layers(const TensorTotals *t) {
    double n = 0;
    for (size_t i = 0; i < TENSOR_LAYERS_MAX; i++) n += t->expert_layer[i];
    return n;
}

// ---------------------------------------------------------------- one tensor

static const struct {
    const char *name;
    double bits;
    Dtype dtype;
    bool packed;  // holds several weights, or none
} types[] = {
    {"BF16", 16, DTYPE_BF16, false},      {"F16", 16, DTYPE_FP16, false},
    {"F32", 32, DTYPE_FP32, false},       {"F64", 64, DTYPE_FP64, false},
    {"F8_E4M3", 8, DTYPE_FP8, false},     {"F8_E5M2", 8, DTYPE_FP8, false},
    {"F8_E4M3FNUZ", 8, DTYPE_FP8, false}, {"F8_E5M2FNUZ", 8, DTYPE_FP8, false},
    {"F8_E8M0", 8, DTYPE_UNKNOWN, true},  {"F4", 4, DTYPE_FP4, false},
    {"F6_E2M3", 6, DTYPE_FP8, false},     {"F6_E3M2", 6, DTYPE_FP8, false},
    {"I8", 8, DTYPE_INT8, false},         {"U8", 8, DTYPE_FP4, true},
    {"I32", 32, DTYPE_INT4, true},        {"U32", 32, DTYPE_INT4, true},
    {"I16", 16, DTYPE_UNKNOWN, true},     {"U16", 16, DTYPE_UNKNOWN, true},
    {"I64", 64, DTYPE_UNKNOWN, true},     {"U64", 64, DTYPE_UNKNOWN, true},
    {"BOOL", 8, DTYPE_UNKNOWN, true},
};

typedef struct Tensor {
    const char *name;
    size_t type;
    double shape[DIMENSIONS_MAX];
    size_t dimensions;
    double elements, bytes, end;
} Tensor;

static bool fault(const Tensor *t, const char *what, Err *e) {
    return err_set(e, ERR_USAGE, "tensor '%.80s': %s", t->name, what);
}

static bool read_whole(const Json *j, double *ret) {
    double x = json_number(j);
    if (!(x >= 0 && x <= 9007199254740992.0 && floor(x) == x)) return false;
    *ret = x;
    return true;
}

static bool read_tensor(const Json *j, Tensor *t, Err *e) {
    *t = (Tensor){.name = json_key(j), .type = COUNT_OF(types), .elements = 1};
    const char *dtype = json_text(json_get(j, "dtype"));
    const Json *shape = json_get(j, "shape");
    const Json *offsets = json_get(j, "data_offsets");
    for (size_t i = 0; dtype != NULL && i < COUNT_OF(types); i++) {
        if (strcmp(dtype, types[i].name) == 0) t->type = i;
    }
    if (t->type == COUNT_OF(types)) return fault(t, "its dtype is not known", e);
    if (!json_is_array(shape)) return fault(t, "it has no shape", e);
    for (const Json *item = json_first(shape); item != NULL; item = json_next(item)) {
        if (t->dimensions == DIMENSIONS_MAX || !read_whole(item, &t->shape[t->dimensions]))
            return fault(t, "a shape that is none", e);
        t->elements *= t->shape[t->dimensions++];
    }
    if (!(t->elements <= 9e15)) return fault(t, "too large", e);
    t->bytes = t->elements * types[t->type].bits / 8;
    double begin = 0;
    const Json *first = json_first(offsets);
    if (first == NULL || json_next(first) == NULL || !read_whole(first, &begin) ||
        !read_whole(json_next(first), &t->end))
        return fault(t, "it has no offsets", e);
    if (t->end - begin < t->bytes || t->end - begin > t->bytes)
        return fault(t, "its bytes do not fit its shape", e);
    return true;
}

// ---------------------------------------------------------------- what it is

static bool names_any(const char *name, const char *const *parts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (strstr(name, parts[i]) != NULL) return true;
    }
    return false;
}

static bool is_vision(const char *name) {
    static const char *const parts[] = {"vision_tower",   "vision_model",  "visual.",
                                        "vision_encoder", "vision_embed",  "multi_modal_projector",
                                        "mm_projector",   "image_newline", "patch_merger"};
    return names_any(name, parts, COUNT_OF(parts));
}

static bool is_scale(const char *name) {
    static const char *const ends[] = {"_scale",    "scale_inv",   ".scales",     "_scales",
                                       ".qzeros",   ".g_idx",      "_zero_point", ".absmax",
                                       "quant_map", "quant_state", "_scale_2",    "_shape"};
    size_t length = strlen(name);
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t n = strlen(ends[i]);
        if (length >= n && strcmp(name + length - n, ends[i]) == 0) return true;
    }
    return strstr(name, ".absmax") != NULL || strstr(name, ".quant_state") != NULL;
}

// "model.layers.12.mlp...", "transformer.h.12....": 12; -1: no layer's. Towers number their own layers.
static double layer_of(const char *name) {
    static const char *const marks[] = {"layers.", "blocks.", ".h."};
    if (is_vision(name)) return -1;
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        const char *at = strstr(name, marks[i]);
        if (at == NULL) continue;
        double n = 0;
        const char *c = at + strlen(marks[i]);
        const char *start = c;
        for (; *c >= '0' && *c <= '9' && c - start < 6; c++) n = 10 * n + (*c - '0');
        if (c > start && *c == '.') return n;
    }
    return -1;
}

// Shapes of the tensors that a decoder of the usual names has.
static void note_shape(TensorTotals *sum, const Tensor *t, double layer) {
    static const char *const embeddings[] = {"embed_tokens.weight", "wte.weight", "word_embeddings.weight",
                                             "tok_embeddings.weight"};
    static const char *const heads[] = {"lm_head.weight", "embed_out.weight", "output_layer.weight"};
    bool vision = is_vision(t->name);
    if (layer + 1 > (is_known(sum->layers) ? sum->layers : 0)) sum->layers = layer + 1;
    for (size_t i = 0; !vision && i < COUNT_OF(embeddings); i++) {
        if (!text_ends(t->name, embeddings[i]) || t->dimensions != 2) continue;
        sum->vocab = t->shape[0], sum->hidden = t->shape[1];
        sum->embedding_bytes = t->bytes;
    }
    for (size_t i = 0; i < COUNT_OF(heads); i++) sum->head = sum->head || text_ends(t->name, heads[i]);
    sum->head = sum->head || strcmp(t->name, "output.weight") == 0;
    if (layer < 0) return;
    if (text_ends(t->name, ".self_attn.q_proj.weight")) sum->q_width = t->shape[0];
    if (text_ends(t->name, ".self_attn.k_proj.weight")) sum->kv_width = t->shape[0];
    if (text_ends(t->name, ".self_attn.q_norm.weight") && t->dimensions == 1) sum->head_dim = t->shape[0];
    if (text_ends(t->name, ".self_attn.rotary_emb.inv_freq")) sum->head_dim = 2 * t->shape[0];
    if (text_ends(t->name, ".mlp.up_proj.weight")) sum->intermediate = t->shape[0];
}

static void add_tensor(TensorTotals *sum, const Tensor *t, double layers) {
    double layer = layer_of(t->name);
    bool mtp = layer >= layers || strncmp(t->name, "mtp.", 4) == 0 || strstr(t->name, ".mtp.") != NULL;
    bool scale = is_scale(t->name);
    double weights = scale ? 0 : t->elements;
    sum->tensors++;
    sum->bytes += t->bytes;
    sum->elements += weights;
    sum->type_bytes[t->type] += t->bytes;
    if (!scale) sum->dtype_bytes[types[t->type].dtype] += t->bytes;
    if (!scale && types[t->type].packed && t->elements > 1024) sum->packed = true;
    if (mtp) {
        sum->mtp_elements += weights;
        sum->mtp_bytes += t->bytes;
        return;
    }
    if (is_vision(t->name)) sum->vision_elements += weights;
    if (strstr(t->name, ".experts.") != NULL) {
        sum->expert_elements += weights;
        sum->expert_bytes += t->bytes;
        if (layer >= 0 && layer < TENSOR_LAYERS_MAX) sum->expert_layer[(size_t)layer] = true;
    }
    note_shape(sum, t, layer);
}

// ---------------------------------------------------------------- files

static bool add_header(TensorTotals *t, const Json *root, double data_bytes, double layers, Err *e) {
    if (!json_is_object(root)) return err_set(e, ERR_USAGE, "the header is not an object");
    double end = 0, sum = 0;
    for (const Json *j = json_first(root); j != NULL; j = json_next(j)) {
        Tensor tensor;
        if (strcmp(json_key(j), "__metadata__") == 0) continue;
        if (!read_tensor(j, &tensor, e)) return false;
        add_tensor(t, &tensor, layers);
        sum += tensor.bytes;
        end = fmax(end, tensor.end);
    }
    if (sum > end) return err_set(e, ERR_USAGE, "tensors overlap: %.15g bytes of them in %.15g", sum, end);
    if (end > data_bytes) t->cut = true;
    t->files++;
    return true;
}

bool safetensors_read(TensorTotals *t, Str head, double file_bytes, double layers, Err *e) {
    if (head.length < 8) return err_set(e, ERR_USAGE, "too short for a safetensors file");
    uint64_t length = 0;
    for (size_t i = 0; i < 8; i++) length |= (uint64_t)(unsigned char)head.data[i] << (8 * i);
    if (length > SAFETENSORS_HEAD_BYTES_MAX)
        return err_set(e, ERR_USAGE, "a header of %" PRIu64 " bytes: not a safetensors file", length);
    if (length > head.length - 8) return err_set(e, ERR_USAGE, "ends within its header: is the file whole?");
    Json *root = NULL;
    if (!json_parse((Str){head.data + 8, (size_t)length}, JSON_VALUES_MAX, &root, e))
        return err_wrap(e, "header");
    bool ok = add_header(t, root, file_bytes - 8 - (double)length, layers, e);
    json_free(root);
    return ok;
}

// A name of a file in the same folder, and of no other.
static bool is_shard_name(const char *name) {
    size_t length = strlen(name);
    return length > 12 && length <= SHARD_NAME_BYTES_MAX && strchr(name, '/') == NULL &&
           strchr(name, '\\') == NULL && strstr(name, "..") == NULL && name[0] != '.' &&
           text_ends(name, ".safetensors");
}

static bool collect(Arena *a, const Json *map, const char ***ret_names, size_t *ret_n, Err *e) {
    const char **names = arena_alloc(a, MODEL_FILES_MAX, sizeof *names);
    size_t n = 0;
    if (!json_is_object(map)) return err_set(e, ERR_USAGE, "'weight_map' is missing");
    for (const Json *j = json_first(map); j != NULL; j = json_next(j)) {
        const char *name = json_text(j);
        if (name == NULL)
            return err_set(e, ERR_USAGE, "'weight_map': tensor '%.80s' names no file", json_key(j));
        if (!is_shard_name(name))
            return err_set(e, ERR_USAGE,
                           "'weight_map' names '%.80s', which is no safetensors file of the same folder",
                           name);
        size_t at = rows_from(name, names, n, sizeof *names, order_name);
        if (at < n && strcmp(names[at], name) == 0) continue;
        if (n == MODEL_FILES_MAX)
            return err_set(e, ERR_USAGE, "'weight_map' names more than %d files", MODEL_FILES_MAX);
        memmove(names + at + 1, names + at, (n - at) * sizeof *names);
        names[at] = arena_copy(a, name, strlen(name));
        n++;
    }
    if (n == 0) return err_set(e, ERR_USAGE, "'weight_map' is empty");
    *ret_names = names;
    *ret_n = n;
    return true;
}

bool safetensors_index(Arena *a, Str text, const char *const **ret_names, size_t *ret_n, Err *e) {
    Json *root = NULL;
    const char **names = NULL;
    if (!json_parse(text, JSON_VALUES_MAX, &root, e)) return false;
    bool ok = collect(a, json_get(root, "weight_map"), &names, ret_n, e);
    if (ok) *ret_names = names;
    json_free(root);
    return ok;
}

// ---------------------------------------------------------------- without config.json

bool draft_from_tensors(ModelDraft *d, const TensorTotals *t, Err *e) {
    Model *m = &d->m;
    d->family = family_assumed();
    m->layers = t->layers, m->hidden = t->hidden, m->vocab = t->vocab, m->intermediate = t->intermediate;
    if (t->expert_elements > 0)
        return err_set(e, ERR_USAGE,
                       "has experts and no config.json beside it, which says how many of them a token uses");
    if (t->packed)
        return err_set(e, ERR_USAGE,
                       "has packed weights and no config.json beside it, which says their shape");
    double width = t->head_dim;
    if (!is_known(width) && d->assume_dense && is_known(t->q_width)) {
        draft_warn(d, "no config.json: attention heads are taken to be 128 wide");
        width = 128;
    }
    if (!is_known(width))
        return err_set(e, ERR_USAGE,
                       "no config.json lies beside it and its tensors do not tell the number of heads; "
                       "`--assume-dense` takes them to be 128 wide");
    m->head_dim = width;
    m->heads = floor(t->q_width / width);
    m->kv_heads = is_known(t->kv_width) ? floor(t->kv_width / width) : m->heads;
    if (m->heads < 1 || m->kv_heads < 1)
        return err_set(e, ERR_USAGE, "its tensors give no whole attention heads of %.0f", width);
    d->tied = !t->head;
    return true;
}
