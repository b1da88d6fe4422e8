// Lists of a config.json that say something of each layer: its kind of attention, its blocks, its experts.
#include <math.h>
#include <string.h>

#include "src/model/config.h"

// '1' for each entry of a list that is one of the words, or a number over 0; "": there is no such list.
static const char *marks_of(const ModelDraft *d, const Config *c, const char *name, const char *words) {
    const Json *list = config_member(c, name);
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (const Json *item = json_is_array(list) ? json_first(list) : NULL; item != NULL;
         item = json_next(item)) {
        bool marked = json_is_number(item) ? json_number(item) > 0
                                           : json_text(item) != NULL && word_in(words, json_text(item));
        buf_puts(&b, marked ? "1" : "0");
    }
    return buf_take(&b, d->arena);
}

// What the words for kinds of layers in use come to: letters of model_layers.c.
static char kind_letter(const ModelDraft *d, const char *kind) {
    static const struct {
        char letter;
        const char *words;
    } kinds[] = {
        {'W', "sliding_attention chunked_attention local_attention sliding local hybrid_sliding"},
        {'F', "full_attention attention global_attention full global deepseek_sparse_attention "
              "indexed_attention minimax_m3_sparse hybrid"},
        {'L', "linear_attention kda kimi_delta_attention"},
        {'S', "compressed_sparse_attention"},
        {'P', "heavily_compressed_attention"},
        {'C', "conv"},
    };
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        bool known = word_in(kinds[i].words, kind);
        if (known && ((kinds[i].letter != 'S' && kinds[i].letter != 'P') ||
                      (d->family->traits & TRAIT_COMPRESSED) != 0))
            return kinds[i].letter;
    }
    return '\0';
}

// layer_types: a word for each layer. hybrid_layer_pattern: 1 for each windowed one. compress_ratios: tokens
// an entry, 0 a window.
bool config_layer_types(ModelDraft *d, const Config *c, Err *e) {
    bool compressed = (d->family->traits & TRAIT_COMPRESSED) != 0;
    const Json *words = config_member(c, "layer_types");
    const Json *bits = config_member(c, compressed ? "compress_ratios" : "hybrid_layer_pattern");
    const Json *list = json_is_array(words) ? words : json_is_array(bits) ? bits : NULL;
    if (list == NULL || json_first(list) == NULL) return true;
    Buf b;
    buf_init(&b, BUF_LIMIT);
    bool ok = true;
    for (const Json *item = json_first(list); ok && item != NULL; item = json_next(item)) {
        const char *kind = json_text(item);
        bool number = json_is_number(item);
        char letter = number && compressed ? ratio_letter(json_number(item))
                      : number             ? (json_number(item) > 0 ? 'W' : 'F')
                      : kind != NULL       ? kind_letter(d, kind)
                                           : '\0';
        if (kind == NULL && !number)
            ok = err_set(e, ERR_USAGE, "the list of layer kinds has an entry that is none");
        else if (letter == '\0' && number)
            ok = err_set(e, ERR_USAGE,
                         "'compress_ratios' has a layer of %g tokens an entry, which is not modelled",
                         json_number(item));
        else if (letter == '\0')
            ok = err_set(e, ERR_USAGE, "'layer_types' has a layer of kind '%s', which is not modelled", kind);
        else
            buf_add(&b, &letter, 1);
    }
    // Ratios may go on with those of the layers that predict further tokens.
    bool longer = list == bits && compressed && (double)b.length > d->m.layers;
    if (ok && is_known(d->m.layers) && (double)b.length != d->m.layers && !longer) {
        ok = err_set(e, ERR_USAGE, "the list of layer kinds has %zu entries for %.0f layers", b.length,
                     d->m.layers);
    }
    if (ok) d->listed_mix = arena_copy(d->arena, b.data, b.length);
    // Where some layers attend to all tokens and some to those that an indexer picks, the latter have one.
    const char *sparse =
        marks_of(d, c, "layer_types", "minimax_m3_sparse indexed_attention deepseek_sparse_attention");
    if (strchr(sparse, '1') != NULL) d->listed_index = sparse;
    buf_free(&b);
    return ok;
}

// A list of the numbers of some layers, counted from `first`, puts its letter where they are.
static bool place_layers(const Json *list, const char *name, double first, char letter, char *letters,
                         double layers, Err *e) {
    for (const Json *item = json_first(list); item != NULL; item = json_next(item)) {
        double i = json_number(item) - first;
        if (!(i >= 0 && i < layers && floor(i) == i))
            return err_set(e, ERR_USAGE, "'%s' names a layer that the model does not have", name);
        letters[(size_t)i] = letter;
    }
    return true;
}

// Layers by number: those with a window, those of linear attention (counted from 1 in files that have no
// layer_types).
bool config_layer_numbers(ModelDraft *d, const Config *c, Err *e) {
    const Json *local = config_member(c, "local_layer_ids");
    const Json *linear = config_member(c, "linear_attn_config.kda_layers");
    const Json *full = config_member(c, "linear_attn_config.full_attn_layers");
    if (d->listed_mix[0] != '\0' || !is_known(d->m.layers) ||
        (!json_is_array(local) && !json_is_array(linear)))
        return true;
    char *letters = arena_alloc(d->arena, (size_t)d->m.layers + 1, 1);
    memset(letters, 'F', (size_t)d->m.layers);
    double first = 1;
    for (const Json *item = json_first(linear); item != NULL; item = json_next(item))
        first = fmin(first, json_number(item));
    for (const Json *item = json_first(full); item != NULL; item = json_next(item))
        first = fmin(first, json_number(item));
    bool ok = place_layers(local, "local_layer_ids", 0, 'W', letters, d->m.layers, e) &&
              place_layers(linear, "linear_attn_config.kda_layers", first, 'L', letters, d->m.layers, e);
    if (ok) d->listed_mix = letters;
    return ok;
}

// A letter for each layer, or a word (in later files).
bool config_blocks(ModelDraft *d, const Config *c, Err *e) {
    static const char *const words[] = {"mamba", "moe", "attention", "mlp", NULL};
    const char *pattern = config_text(c, "hybrid_override_pattern");
    const Json *list = config_member(c, "layers_block_type");
    if (!json_is_array(list)) list = config_member(c, "layer_types");
    Buf letters;
    buf_init(&letters, BUF_LIMIT);
    buf_puts(&letters, pattern);
    for (const Json *item = pattern[0] == '\0' && json_is_array(list) ? json_first(list) : NULL; item != NULL;
         item = json_next(item)) {
        const char *word = json_text(item) != NULL ? json_text(item) : "";
        int kind = strcmp(word, "linear_attention") == 0 ? 0
                   : strcmp(word, "full_attention") == 0 ? 2
                                                         : name_index(words, word);
        buf_puts(&letters, kind < 0 ? "?" : kind == 0 ? "M" : kind == 1 ? "E" : kind == 2 ? "*" : "-");
    }
    bool ok = letters.length > 0 ? blocks_check(letters.data, e)
                                 : err_set(e, ERR_USAGE, "missing: hybrid_override_pattern");
    if (ok) d->listed_mix = arena_copy(d->arena, letters.data, letters.length);
    if (ok && !is_known(d->m.layers)) d->m.layers = (double)letters.length;
    buf_free(&letters);
    return ok;
}

// "LLLG": a letter for each layer of the pattern, L with a window.
void config_letters(ModelDraft *d, const Config *c) {
    const char *pattern = config_text(c, "sliding_window_pattern");
    if (pattern[0] != '\0' && strlen(pattern) <= NAME_MAX_BYTES && strspn(pattern, "LG") == strlen(pattern))
        d->window_every = (double)strlen(pattern);
}

bool config_expert_layers(ModelDraft *d, const Config *c, Err *e) {
    static const char *const indexers[] = {"indexer_types", "sparse_attention_config.sparse_attention_freq"};
    for (size_t i = 0; i < COUNT_OF(indexers); i++) {
        const char *listed = marks_of(d, c, indexers[i], "full");
        if (listed[0] != '\0') d->listed_index = listed, d->index_shared = i == 0;
    }
    d->listed_moe = marks_of(d, c, "mlp_layer_types", "sparse moe hash_moe");
    const Json *each = config_member(c, "moe_layer_freq");
    const Json *dense = config_member(c, "mlp_only_layers");
    if (d->listed_moe[0] != '\0') return true;
    for (const Json *item = json_is_array(each) ? json_first(each) : NULL; item != NULL;
         item = json_next(item)) {
        if (!json_is_number(item)) return err_set(e, ERR_USAGE, "'moe_layer_freq' is not a list of numbers");
    }
    d->listed_moe = marks_of(d, c, "moe_layer_freq", "");
    if (d->listed_moe[0] != '\0' || !json_is_array(dense) || json_first(dense) == NULL ||
        !is_known(d->m.layers) || is_known(d->m.dense_layers_first))
        return true;
    int every = is_known(d->m.moe_every) ? (int)d->m.moe_every : 1;
    size_t layers = (size_t)d->m.layers;
    char *marks = arena_alloc(d->arena, layers + 1, 1);
    for (size_t i = 0; i < layers; i++) marks[i] = (i + 1) % (size_t)every == 0 ? '1' : '0';
    for (const Json *item = json_first(dense); item != NULL; item = json_next(item)) {
        double layer = json_number(item);
        if (layer >= 0 && layer < (double)layers) marks[(size_t)layer] = '0';
    }
    d->listed_moe = marks;
    return true;
}
