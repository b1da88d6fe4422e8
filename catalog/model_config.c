// Hugging Face config.json -> a model's draft.
#include <math.h>
#include <string.h>

#include "catalog/model_file.h"

enum { NAME_MAX_BYTES = 100 };

// "attn_config.kv_n_heads": a member of a member.
static const Json *member(const Json *object, Str path) {
    Str part;
    char name[NAME_MAX_BYTES];
    while (object != NULL && str_next(&path, '.', &part)) {
        if (part.length >= sizeof name) return NULL;
        memcpy(name, part.data, part.length);
        name[part.length] = '\0';
        object = json_get(object, name);
    }
    return object;
}

// The configuration of the whole and that of its language model, which goes first; the same where they are one.
typedef struct Config {
    const Json *outer, *inner;
} Config;

static const Json *find(const Config *c, Str path) {
    const Json *found = member(c->inner, path);
    return found != NULL ? found : member(c->outer, path);
}

static const Json *find_name(const Config *c, const char *name) { return find(c, str_of(name)); }

static const char *find_text(const Config *c, const char *name) {
    const char *text = json_text(find_name(c, name));
    return text != NULL ? text : "";
}

static int find_truth(const Config *c, const char *name) { return json_truth(find_name(c, name)); }

// ---------------------------------------------------------------- numbers

// A number, or a list that has one for every layer. *ret_value NaN: it says "none".
static bool read_value(ModelDraft *d, const Json *j, const char *name, double *ret_value, Err *e) {
    if (json_is_number(j)) {
        *ret_value = json_number(j);
        return true;
    }
    if (json_truth(j) == 0) {
        *ret_value = (double)NAN;
        return true;
    }
    if (!json_is_array(j)) return err_set(e, ERR_USAGE, "'%s' is not a number", name);
    double sum = 0;
    double n = 0;
    double first = json_number(json_first(j));
    bool same = true;
    for (const Json *item = json_first(j); item != NULL; item = json_next(item)) {
        if (!json_is_number(item)) return err_set(e, ERR_USAGE, "'%s' is not a list of numbers", name);
        sum += json_number(item);
        n++;
        if (json_number(item) < first || json_number(item) > first) same = false;
    }
    if (!same && !d->assume_dense) return err_set(e, ERR_USAGE, "'%s' differs from layer to layer, which is not modelled; `--assume-dense` takes the mean", name);
    if (!same) draft_warn(d, "'%s' differs from layer to layer: the mean is taken", name);
    *ret_value = n == 0 ? (double)NAN : same ? first : round(sum / n);
    return true;
}

// Lists of layers have readers of their own.
static bool is_list_of_layers(const char *name, const Json *j) {
    return (json_is_array(j) && strcmp(name, "moe_layer_freq") == 0) || (json_text(j) != NULL && strstr(name, "sliding_window_pattern") != NULL);
}

static bool read_key(ModelDraft *d, const Config *c, const ModelKey *key, Err *e) {
    Str rest = str_of(key->config);
    Str word;
    while (str_next(&rest, ' ', &word)) {
        const char *name = arena_copy(d->arena, word.data, word.length);
        const Json *j = find(c, word);
        double value = 0;
        if (j == NULL || is_list_of_layers(name, j)) continue;
        if (!read_value(d, j, name, &value, e)) return false;
        return !is_known(value) || draft_put(d, key, name, value, e);
    }
    return true;
}

// ---------------------------------------------------------------- lists of layers

static bool count_kind(ModelDraft *d, const char *kind, Err *e) {
    static const char *const windowed = "sliding_attention chunked_attention local_attention sliding local";
    static const char *const full = "full_attention attention global_attention full global deepseek_sparse_attention";
    if (word_in(windowed, kind)) {
        d->listed_window++;
    } else if (word_in(full, kind)) {
        d->listed_full++;
    } else if (strcmp(kind, "linear_attention") == 0) {
        d->listed_linear++;
    } else {
        return err_set(e, ERR_USAGE, "'layer_types' has a layer of kind '%s', which is not modelled", kind);
    }
    return true;
}

// layer_types: a word for each layer. hybrid_layer_pattern: 1 for each windowed one.
static bool read_layer_types(ModelDraft *d, const Config *c, Err *e) {
    const Json *words = find_name(c, "layer_types");
    const Json *bits = find_name(c, "hybrid_layer_pattern");
    const Json *list = json_is_array(words) ? words : json_is_array(bits) ? bits : NULL;
    if (list == NULL || json_first(list) == NULL) return true;
    d->listed_window = d->listed_full = d->listed_linear = 0;
    double n = 0;
    for (const Json *item = json_first(list); item != NULL; item = json_next(item)) {
        n++;
        const char *kind = json_is_number(item) ? (json_number(item) > 0 ? "sliding" : "full") : json_text(item);
        if (kind == NULL) return err_set(e, ERR_USAGE, "the list of layer kinds has an entry that is none");
        if (!count_kind(d, kind, e)) return false;
    }
    if (is_known(d->m.layers) && n != d->m.layers) return err_set(e, ERR_USAGE, "the list of layer kinds has %.0f entries for %.0f layers", n, d->m.layers);
    return true;
}

// A letter for each layer, or a word (in later files).
static bool read_blocks(ModelDraft *d, const Config *c, Err *e) {
    static const char *const words[] = {"mamba", "moe", "attention", "mlp", NULL};
    const char *pattern = find_text(c, "hybrid_override_pattern");
    const Json *list = find_name(c, "layers_block_type");
    if ((d->family->traits & TRAIT_BLOCKS) == 0) return true;
    if (pattern[0] != '\0') return blocks_read(d, pattern, e);
    Buf letters;
    buf_init(&letters, BUF_LIMIT);
    for (const Json *item = json_is_array(list) ? json_first(list) : NULL; item != NULL; item = json_next(item)) {
        int kind = json_text(item) != NULL ? name_index(words, json_text(item)) : -1;
        buf_puts(&letters, kind < 0 ? "?" : kind == 0 ? "M" : kind == 1 ? "E" : kind == 2 ? "*" : "-");
    }
    bool ok = letters.length > 0 ? blocks_read(d, letters.data, e) : err_set(e, ERR_USAGE, "missing: hybrid_override_pattern");
    if (ok && !is_known(d->m.layers)) d->m.layers = (double)letters.length;
    buf_free(&letters);
    return ok;
}

// "LLLG": a letter for each layer of the pattern, L with a window.
static void read_letters(ModelDraft *d, const Config *c) {
    const char *pattern = find_text(c, "sliding_window_pattern");
    if (pattern[0] != '\0' && strlen(pattern) <= NAME_MAX_BYTES && strspn(pattern, "LG") == strlen(pattern)) d->window_every = (double)strlen(pattern);
}

// How many entries of a list are that word; NaN: there is no such list.
static double count_word(const Config *c, const char *name, const char *word) {
    const Json *list = find_name(c, name);
    if (!json_is_array(list) || json_first(list) == NULL) return (double)NAN;
    double n = 0;
    for (const Json *item = json_first(list); item != NULL; item = json_next(item)) n += json_text(item) != NULL && strcmp(json_text(item), word) == 0;
    return n;
}

static bool read_expert_layers(ModelDraft *d, const Config *c, Err *e) {
    d->listed_index = count_word(c, "indexer_types", "full");
    d->listed_moe = count_word(c, "mlp_layer_types", "sparse");
    if (is_known(d->listed_moe)) return true;
    const Json *each = find_name(c, "moe_layer_freq");
    const Json *dense = find_name(c, "mlp_only_layers");
    if (json_is_array(each)) {
        d->listed_moe = 0;
        for (const Json *item = json_first(each); item != NULL; item = json_next(item)) {
            if (!json_is_number(item)) return err_set(e, ERR_USAGE, "'moe_layer_freq' is not a list of numbers");
            d->listed_moe += json_number(item) > 0;
        }
        return true;
    }
    if (!json_is_array(dense) || json_first(dense) == NULL || !is_known(d->m.layers) || is_known(d->m.dense_layers_first)) return true;
    int every = is_known(d->m.moe_every) ? (int)d->m.moe_every : 1;
    int layers = d->m.layers < TENSOR_LAYERS_MAX ? (int)d->m.layers : TENSOR_LAYERS_MAX;
    bool listed[TENSOR_LAYERS_MAX] = {false};
    for (const Json *item = json_first(dense); item != NULL; item = json_next(item)) {
        double layer = json_number(item);
        if (layer >= 0 && layer < layers) listed[(int)layer] = true;
    }
    d->listed_moe = 0;
    for (int i = 0; i < layers; i++) d->listed_moe += !listed[i] && (i + 1) % every == 0;
    return true;
}

// ---------------------------------------------------------------- the rest

static Dtype dtype_of(const char *text) {
    static const struct {
        const char *word;
        Dtype dtype;
    } words[] = {{"bfloat16", DTYPE_BF16}, {"float16", DTYPE_FP16}, {"half", DTYPE_FP16}, {"float32", DTYPE_FP32}, {"float8_e4m3fn", DTYPE_FP8}};
    if (strncmp(text, "torch.", 6) == 0) text += 6;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcmp(text, words[i].word) == 0) return words[i].dtype;
    }
    return DTYPE_UNKNOWN;
}

// Falcon and StarCoder state heads that only a flag tells to be shared; ChatGLM groups that only a flag switches on.
static void read_multi_query(ModelDraft *d, const Config *c) {
    if ((d->family->traits & TRAIT_MULTI_QUERY) != 0 && find_truth(c, "new_decoder_architecture") != 1 && find_name(c, "n_head_kv") == NULL) {
        d->m.kv_heads = find_truth(c, "multi_query") == 0 ? d->m.heads : 1;
    }
    if (find_truth(c, "multi_query_attention") == 0) d->m.kv_heads = d->m.heads;
}

// Sizes of the vision tower, under the names that the towers in use give them.
static void read_vision(ModelDraft *d, const Json *root) {
    const Json *v = json_get(root, "vision_config");
    static const char *const layers[] = {"num_hidden_layers", "depth", "vt_num_hidden_layers", "num_layers", "layers"};
    static const char *const widths[] = {"embed_dim", "vt_hidden_size", "hidden_size", "width"};
    static const char *const wides[] = {"intermediate_size", "vt_intermediate_size"};
    const struct {
        const char *const *names;
        size_t n;
        double *value, max;
    } wanted[] = {{layers, COUNT_OF(layers), &d->vision_layers, 1000}, {widths, COUNT_OF(widths), &d->vision_width, 1e5}, {wides, COUNT_OF(wides), &d->vision_ffn, 1e6}};
    d->vision = json_is_object(v);
    for (size_t i = 0; d->vision && i < COUNT_OF(wanted); i++) {
        for (size_t k = 0; k < wanted[i].n && !is_known(*wanted[i].value); k++) {
            double x = json_number(json_get(v, wanted[i].names[k]));
            if (x >= 1 && x <= wanted[i].max) *wanted[i].value = x;
        }
    }
}

static void read_flags(ModelDraft *d, const Config *c) {
    d->tied = find_truth(c, "tie_word_embeddings");
    d->attention_bias = find_truth(c, "attention_bias");
    d->use_window = find_truth(c, "use_sliding_window");
    d->k_is_v = find_truth(c, "attention_k_eq_v");
    if (find_truth(c, "enable_moe_block") == 0) d->m.experts = (double)NAN;
    const char *dtype = find_text(c, "torch_dtype");
    d->dtype = dtype_of(dtype[0] != '\0' ? dtype : find_text(c, "dtype"));
    double ratio = json_number(find_name(c, "expansion_ratio"));
    if (ratio >= 0.1 && ratio <= 100) d->ffn_ratio = ratio;
    const char *name = find_text(c, "_name_or_path");
    if (strchr(name, '/') != NULL && name[0] != '/' && name[0] != '.' && strlen(name) <= NAME_MAX_BYTES) d->m.hf_name = text_clean(d->arena, name);
}

// Where the language model's own configuration lies.
static const Json *inner_of(const Json *root) {
    static const char *const names[] = {"text_config", "llm_config", "language_config", "language_model", "thinker_config"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const Json *inner = json_get(root, names[i]);
        if (json_is_object(inner)) return strcmp(names[i], "thinker_config") == 0 && json_is_object(json_get(inner, "text_config")) ? json_get(inner, "text_config") : inner;
    }
    return root;
}

static void read_type(ModelDraft *d, const Config *c) {
    const char *inner = json_text(json_get(c->inner, "model_type"));
    const char *outer = json_text(json_get(c->outer, "model_type"));
    const char *type = inner != NULL && (family_of_type(inner) != NULL || outer == NULL || family_of_type(outer) == NULL) ? inner : outer;
    if (type != NULL) d->type = text_clean(d->arena, type);
}

static bool read_config(ModelDraft *d, const Json *root, Err *e) {
    if (!json_is_object(root)) return err_set(e, ERR_USAGE, "not an object");
    Config c = {root, inner_of(root)};
    read_type(d, &c);
    if (!draft_family(d, e)) return false;
    for (size_t i = 0; i < n_model_keys; i++) {
        if (!read_key(d, &c, &model_keys[i], e)) return false;
    }
    read_flags(d, &c);
    read_multi_query(d, &c);
    read_letters(d, &c);
    read_vision(d, root);
    const Json *quant = find_name(&c, "quantization_config");
    if (quant == NULL) quant = find_name(&c, "compression_config");
    if (!read_blocks(d, &c, e)) return false;
    return read_layer_types(d, &c, e) && read_expert_layers(d, &c, e) && quant_read(d, quant, e);
}

bool config_read(ModelDraft *d, Str text, Err *e) {
    Json *root = NULL;
    if (!json_parse(text, CONFIG_VALUES_MAX, &root, e)) return false;
    bool ok = read_config(d, root, e);
    json_free(root);
    return ok;
}

bool config_read_quant(ModelDraft *d, Str text, Err *e) {
    Json *root = NULL;
    if (!json_parse(text, CONFIG_VALUES_MAX, &root, e)) return false;
    bool ok = quant_read(d, json_get(root, "quantization"), e);
    json_free(root);
    return ok;
}
