// Hugging Face config.json -> a model's draft.
#include <math.h>
#include <string.h>

#include "src/model/config.h"
#include "src/model/model.h"

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

static const Json *find(const Config *c, Str path) {
    const Json *found = member(c->inner, path);
    return found != NULL ? found : member(c->outer, path);
}

const Json *config_member(const Config *c, const char *name) { return find(c, str_of(name)); }

const char *config_text(const Config *c, const char *name) {
    const char *text = json_text(config_member(c, name));
    return text != NULL ? text : "";
}

static int find_truth(const Config *c, const char *name) { return json_truth(config_member(c, name)); }

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
    if (!same && !d->assume_dense)
        return err_set(
            e, ERR_USAGE,
            "'%s' differs from layer to layer, which is not modelled; `--assume-dense` takes the mean", name);
    if (!same) draft_warn(d, "'%s' differs from layer to layer: the mean is taken", name);
    *ret_value = n == 0 ? (double)NAN : same ? first : round(sum / n);
    return true;
}

// Lists of layers have readers of their own.
static bool is_list_of_layers(const char *name, const Json *j) {
    static const char *const lists[] = {"moe_layer_freq"};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        if (json_is_array(j) && strcmp(name, lists[i]) == 0) return true;
    }
    return json_text(j) != NULL && strstr(name, "sliding_window_pattern") != NULL;
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

// ---------------------------------------------------------------- the rest

static Dtype dtype_of(const char *text) {
    static const struct {
        const char *word;
        Dtype dtype;
    } words[] = {{"bfloat16", DTYPE_BF16},
                 {"float16", DTYPE_FP16},
                 {"half", DTYPE_FP16},
                 {"float32", DTYPE_FP32},
                 {"float8_e4m3fn", DTYPE_FP8}};
    if (strncmp(text, "torch.", 6) == 0) text += 6;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcmp(text, words[i].word) == 0) return words[i].dtype;
    }
    return DTYPE_UNKNOWN;
}

// Falcon and StarCoder state heads that only a flag tells to be shared; ChatGLM groups that only a flag
// switches on.
static void read_multi_query(ModelDraft *d, const Config *c) {
    if ((d->family->traits & TRAIT_MULTI_QUERY) != 0 && find_truth(c, "new_decoder_architecture") != 1 &&
        config_member(c, "n_head_kv") == NULL) {
        d->m.kv_heads = find_truth(c, "multi_query") == 0 ? d->m.heads : 1;
    }
    if (find_truth(c, "multi_query_attention") == 0) d->m.kv_heads = d->m.heads;
}

// Sizes of the vision tower, under the names that the towers in use give them.
static void read_vision(ModelDraft *d, const Json *root) {
    const Json *v = json_get(root, "vision_config");
    static const char *const layers[] = {"num_hidden_layers", "depth",  "vt_num_hidden_layers",
                                         "num_layers",        "layers", "n_layers"};
    static const char *const widths[] = {"embed_dim", "vt_hidden_size", "hidden_size", "width"};
    static const char *const wides[] = {"intermediate_size", "vt_intermediate_size"};
    const struct {
        const char *const *names;
        size_t n;
        double *value, max;
    } wanted[] = {{layers, COUNT_OF(layers), &d->vision_layers, 1000},
                  {widths, COUNT_OF(widths), &d->vision_width, 1e5},
                  {wides, COUNT_OF(wides), &d->vision_ffn, 1e6}};
    d->vision = json_is_object(v);
    const Json *deep = json_get(v, "deepstack_visual_indexes");
    for (const Json *item = json_is_array(deep) ? json_first(deep) : NULL;
         item != NULL && d->vision_mergers < 1000; item = json_next(item))
        d->vision_mergers++;
    for (size_t i = 0; d->vision && i < COUNT_OF(wanted); i++) {
        for (size_t k = 0; k < wanted[i].n && !is_known(*wanted[i].value); k++) {
            double x = json_number(json_get(v, wanted[i].names[k]));
            if (x >= 1 && x <= wanted[i].max) *wanted[i].value = x;
        }
    }
}

// Tables that tokens look up by what came before them: one at each of the layers named, read through two
// projections.
static bool read_lookup(ModelDraft *d, const Config *c, Err *e) {
    const Json *layers = config_member(c, "ple_layer_ids");
    double rows = json_number(config_member(c, "ngram_vocab_size_base"));
    double width = json_number(config_member(c, "ple_embed_dim"));
    double n = 0;
    for (const Json *item = json_is_array(layers) ? json_first(layers) : NULL; item != NULL;
         item = json_next(item))
        n++;
    if (n == 0) return true;
    if (!(rows >= 1 && rows <= 1e12 && width >= 1 && width <= 1e6 && n <= 1000))
        return err_set(e, ERR_USAGE, "'ple_layer_ids' speaks of tables whose size is not stated");
    double streams = is_known(d->streams) ? d->streams : 1;
    d->lookup_params = n * rows * width;  // a row for each n-gram and head, as wide as one head's share
    d->lookup_small = n * width * d->m.hidden * (streams + 1);
    return true;
}

// Heads of each layer, where windowed ones have more: a list, or an entry of their own.
static bool read_heads_by_kind(ModelDraft *d, const Config *c, Err *e) {
    const Json *list = config_member(c, "num_attention_heads_per_layer");
    double own = json_number(config_member(c, "attention_other_setting.num_attention_heads"));
    if (own >= 1 && own <= 1e5) d->window_heads = own;
    size_t i = 0;
    for (const Json *item = json_is_array(list) ? json_first(list) : NULL; item != NULL;
         item = json_next(item), i++) {
        double heads = json_number(item);
        if (!(heads >= 1 && heads <= 1e5))
            return err_set(e, ERR_USAGE, "'num_attention_heads_per_layer' is not a list of numbers");
        bool window = i < strlen(d->listed_mix) && d->listed_mix[i] == 'W';
        *(window ? &d->window_heads : &d->m.heads) = heads;
    }
    return true;
}

// What a layer says of itself goes for all layers of its kind: they must agree.
static bool put_of_kind(ModelDraft *d, const Json *own, char letter, Err *e) {
    static const char *const harmless = "layer_type attention_dropout sliding_window";
    for (const Json *x = json_first(own); x != NULL; x = json_next(x)) {
        const char *name = json_key(x);
        bool width = strcmp(name, "head_dim") == 0;
        if (strncmp(name, "rope", 4) == 0 || word_in(harmless, name)) continue;
        if (!width && strcmp(name, "num_key_value_heads") != 0)
            return err_set(e, ERR_USAGE,
                           "'per_layer_config' sets '%s' for single layers, which is not modelled", name);
        double value = json_number(x);
        double *field = letter == 'W' ? (width ? &d->window_head_dim : &d->window_kv_heads)
                        : width       ? &d->full_head_dim
                                      : &d->full_kv_heads;
        if (!(value >= 1 && value <= 1e5) || (is_known(*field) && (*field < value || *field > value))) {
            return err_set(
                e, ERR_USAGE,
                "'per_layer_config' gives layers of one kind different '%s', which is not modelled", name);
        }
        *field = value;
    }
    return true;
}

// {"05": {"head_dim": 512}}: numbers of layers. Every layer of a kind must be there, or none.
static bool read_per_layer(ModelDraft *d, const Config *c, Err *e) {
    const Json *all = config_member(c, "per_layer_config");
    size_t layers = strlen(d->listed_mix);
    size_t said[2] = {0};  // of full, of windowed layers
    size_t there[2] = {0};
    if (!json_is_object(all) || json_first(all) == NULL || d->assume_dense) return true;
    for (size_t i = 0; i < layers; i++) there[d->listed_mix[i] == 'W']++;
    d->full_head_dim = d->full_kv_heads = (double)NAN;
    for (const Json *x = json_first(all); x != NULL; x = json_next(x)) {
        int64_t i = 0;
        if (!json_is_object(x) || !parse_integer(str_of(json_key(x)), 0, (int64_t)layers - 1, &i, NULL))
            return err_set(
                e, ERR_USAGE,
                "'per_layer_config' speaks of a layer '%s', which the list of layer kinds does not have",
                json_key(x));
        if (!put_of_kind(d, x, d->listed_mix[i], e)) return false;
        said[d->listed_mix[i] == 'W']++;
    }
    bool whole = (said[0] == 0 || said[0] == there[0]) && (said[1] == 0 || said[1] == there[1]);
    return whole ||
           err_set(
               e, ERR_USAGE,
               "'per_layer_config' speaks of some layers of a kind and not of others, which is not modelled");
}

// Keys that are not read, and whose names say that they shape layers or their caches.
static void check_unread(ModelDraft *d, const Config *c) {
    static const char *const telling[] = {"kv_",          "_kv",          "per_layer",     "layer_id",
                                          "layer_types",  "layer_type",   "block_configs", "block_type",
                                          "compress",     "engram",       "ngram_",        "shared_layers",
                                          "source_layer", "share_factor", "lookup"};
    static const char *const read =
        "layer_types layers_block_type mlp_layer_types hybrid_layer_pattern compress_ratios local_layer_ids "
        "indexer_types per_layer_config ple_layer_ids ngram_vocab_size_base multi_query "
        "num_attention_heads_per_layer num_experts_per_tok mlp_only_layers compress_rope_theta "
        "compress_rates compress_rate_csa compress_rate_hca index_kpool_compress heads_per_ngram ngram_size "
        "make_ngram_vocab_size_divisible_by split_ngram_parts attention_k_eq_v indexer_kv_heads "
        "mtp_local_layer_ids mtp_layer_types mtp_mlp_layer_types kv_cache_scheme kv_cache_quant_algo "
        "use_kv_cache";
    for (const Json *x = json_first(c->inner); x != NULL; x = json_next(x)) {
        const char *name = json_key(x);
        bool said = (json_is_number(x) && json_number(x) > 0) ||
                    (json_is_array(x) && json_first(x) != NULL) ||
                    (json_is_object(x) && json_first(x) != NULL);
        bool shapes = false;
        for (size_t i = 0; said && i < COUNT_OF(telling); i++)
            shapes = shapes || strstr(name, telling[i]) != NULL;
        if (!shapes || word_in(read, name) || strstr(name, "rope") != NULL) continue;
        for (size_t i = 0; shapes && i < n_model_keys; i++) shapes = !word_in(model_keys[i].config, name);
        if (!shapes) continue;
        draft_warn(d, "'%.60s' is not read and may change shape or cache", name);
        d->m.doubt =
            arena_printf(d->arena, "'%.60s' of its configuration is not read", text_clean(d->arena, name));
        return;
    }
}

// LFM2 states a width of which it takes two thirds, to the next multiple.
static void read_adjusted_width(ModelDraft *d, const Config *c) {
    double stated = json_number(config_member(c, "block_ff_dim"));
    double factor = json_number(config_member(c, "block_ffn_dim_multiplier"));
    double step = json_number(config_member(c, "block_multiple_of"));
    if (stated >= 1 && stated <= 1e7) d->m.intermediate = stated;
    if (find_truth(c, "block_auto_adjust_ff_dim") != 1 || !(step >= 1 && step <= 1e6) ||
        !is_known(d->m.intermediate))
        return;
    double wanted = floor(2 * d->m.intermediate / 3) * (factor > 0 && factor <= 100 ? factor : 1);
    d->m.intermediate = ceil(floor(wanted) / step) * step;
}

static void read_flags(ModelDraft *d, const Config *c) {
    d->tied = find_truth(c, "tie_word_embeddings");
    d->attention_bias = find_truth(c, "attention_bias");
    d->use_window = find_truth(c, "use_sliding_window");
    d->k_is_v = find_truth(c, "attention_k_eq_v");
    d->wide_borrowers = find_truth(c, "use_double_wide_mlp");
    d->gated = find_truth(c, "mla_use_output_gate");
    d->full_gate = find_truth(c, "linear_attn_config.use_full_rank_gate");
    if (find_truth(c, "enable_moe_block") == 0) d->m.experts = (double)NAN;
    const char *dtype = config_text(c, "torch_dtype");
    d->dtype = dtype_of(dtype[0] != '\0' ? dtype : config_text(c, "dtype"));
    double ratio = json_number(config_member(c, "expansion_ratio"));
    if (ratio >= 0.1 && ratio <= 100) d->ffn_ratio = ratio;
    read_adjusted_width(d, c);
    const char *name = config_text(c, "_name_or_path");
    if (strchr(name, '/') != NULL && name[0] != '/' && name[0] != '.' && strlen(name) <= NAME_MAX_BYTES)
        d->m.hf_name = text_clean(d->arena, name);
}

// Where the language model's own configuration lies.
static const Json *inner_of(const Json *root) {
    static const char *const names[] = {"text_config", "llm_config", "language_config", "language_model",
                                        "thinker_config"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const Json *inner = json_get(root, names[i]);
        if (json_is_object(inner))
            return strcmp(names[i], "thinker_config") == 0 && json_is_object(json_get(inner, "text_config"))
                       ? json_get(inner, "text_config")
                       : inner;
    }
    return root;
}

// The type of the language model where the file states one, else that of the whole: a wrapper says nothing of
// what it wraps.
static void read_type(ModelDraft *d, const Config *c) {
    const char *inner = json_text(json_get(c->inner, "model_type"));
    const char *outer = json_text(json_get(c->outer, "model_type"));
    const char *type = inner != NULL && inner[0] != '\0' ? inner : outer;
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
    config_letters(d, &c);
    read_vision(d, root);
    const Json *quant = config_member(&c, "quantization_config");
    if (quant == NULL) quant = config_member(&c, "compression_config");
    check_unread(d, &c);
    bool layered = has_blocks(d) ? config_blocks(d, &c, e)
                                 : config_layer_types(d, &c, e) && config_layer_numbers(d, &c, e);
    return layered && read_lookup(d, &c, e) && read_heads_by_kind(d, &c, e) && read_per_layer(d, &c, e) &&
           config_expert_layers(d, &c, e) && quant_read(d, quant, config_text(&c, "expert_dtype"), e);
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
    bool ok = quant_read(d, json_get(root, "quantization"), "", e);
    json_free(root);
    return ok;
}
