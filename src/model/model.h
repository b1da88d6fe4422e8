// Models from files: what the readers of config.json, GGUF and safetensors share. Internal to this folder.
//
// A reader fills a ModelDraft as far as its file tells; draft_finish works out the rest, checks it and gives
// the Model. Units are those of Model; unknown is NaN. Text is owned by the draft's arena.
#ifndef GPUADVISE_MODEL_MODEL_H
#define GPUADVISE_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"
#include "src/facts/facts.h"

// ---------------------------------------------------------------- families (model_family.c)

// What sets a family apart from a Llama: gated FFN of three matrices, two RMS norms a layer, no biases, an
// own head.
enum {
    TRAIT_TIED = 1 << 0,         // embedding and head are one where the file does not say
    TRAIT_PLAIN = 1 << 1,        // FFN of two matrices
    TRAIT_EXPERT_FFN = 1 << 2,   // the FFN width of the file is an expert's
    TRAIT_FFN_4H = 1 << 3,       // FFN is four times the hidden size where the file does not say
    TRAIT_BIAS_QKV = 1 << 4,     // biases
    TRAIT_BIAS_OUT = 1 << 5,     // of the attention's output
    TRAIT_BIAS_FFN = 1 << 6,     // of the dense FFN
    TRAIT_BIAS_EXPERT = 1 << 7,  // of experts and router
    TRAIT_NORM_BIAS = 1 << 8,
    TRAIT_NORM_ONE = 1 << 9,  // norms a layer
    TRAIT_NORM_FOUR = 1 << 10,
    TRAIT_QK_NORM = 1 << 11,  // one query and one key norm, head_dim wide
    TRAIT_MLA = 1 << 12,
    TRAIT_POSITIONS = 1 << 13,     // a table of learned positions
    TRAIT_SHARED_GATE = 1 << 14,   // the shared expert has a gate
    TRAIT_GATED_QUERY = 1 << 15,   // the query projection carries an output gate
    TRAIT_DENSE_BESIDE = 1 << 16,  // every MoE layer has a dense FFN, too
    TRAIT_MULTI_QUERY = 1 << 17,   // one KV head where the file does not say
    TRAIT_SINKS = 1 << 18,         // a learned sink for each head
    TRAIT_BLOCKS = 1 << 19,        // layers are one thing each
    TRAIT_HEAD_GATE = 1 << 20,     // what attention gives has a gate, a number a head ...
    TRAIT_WIDE_GATE = 1 << 21,     // ... or as wide as the heads
    TRAIT_KIMI_DELTA = 1 << 22,    // linear layers are Kimi Delta Attention
    TRAIT_FULL_DECAY = 1 << 23,    // of which decay and gate go through no narrow space
    TRAIT_COMPRESSED = 1 << 24,    // attention over compressed tokens (DeepSeek-V4)
    TRAIT_NO_ROTARY = 1 << 26,     // attention has no rotary part
    TRAIT_INDEX_16 = 1 << 27,      // the indexer's keys are kept in 16 bits
    TRAIT_LLAMA4_NAMES = 1 << 25,  // the shared experts are called one
    TRAIT_BIAS = TRAIT_BIAS_QKV | TRAIT_BIAS_OUT | TRAIT_BIAS_FFN | TRAIT_NORM_BIAS
};

// Which layers have a window where the file has no list of them.
typedef enum WindowKind {
    WINDOW_NONE,
    WINDOW_ALL,      // whenever a window is stated
    WINDOW_EVERY,    // all but each n-th
    WINDOW_SWITCHED  // use_sliding_window, from layer max_window_layers on
} WindowKind;

typedef struct ModelDefault {
    size_t field;  // offset in ModelDraft
    double value;
} ModelDefault;

typedef struct ModelFamily {
    const char *types;  // model_type of config.json, separated by blanks
    const char *gguf;   // general.architecture of GGUF, separated by blanks
    unsigned traits;
    WindowKind window;
    double window_every;           // WINDOW_EVERY
    const ModelDefault *defaults;  // what the family's published configuration class assumes
    size_t n_defaults;
    const char *refusal;  // NULL, or why its cache cannot be computed: only --assume-dense takes it
    // what files call these parts of a layer, separated by blanks; NULL: self_attn, mlp
    const char *attention_group, *ffn_group;
} ModelFamily;

const ModelFamily *family_of_type(const char *type);  // NULL: unknown
const ModelFamily *family_of_gguf(const char *architecture);
const ModelFamily *family_assumed(void);  // a Llama, for --assume-dense
const char *families_known(Arena *a);     // the model types, for messages

// ---------------------------------------------------------------- weights as files hold them

enum {
    TENSOR_TYPES_MAX = 48,
    TENSOR_LAYERS_MAX = 4096  // of which lists are looked at
};

// What headers of weight files say, summed up.
typedef struct TensorTotals {
    size_t files, tensors;
    double elements, bytes;  // all tensors
    double mtp_elements, mtp_bytes;
    double vision_elements, expert_elements, expert_bytes, embedding_bytes;
    double dtype_bytes[DTYPE_COUNT];       // bytes by the dtype that they count as here
    double type_bytes[TENSOR_TYPES_MAX];   // bytes by the file format's own type
    bool expert_layer[TENSOR_LAYERS_MAX];  // has routed experts
    bool packed;                           // several weights in one element: elements tell no parameters
    bool head;                             // the output matrix is a tensor of its own
    bool cut;                              // a file is shorter than its header says
    // from shapes of well-known names
    double layers, hidden, vocab, intermediate, head_dim, q_width, kv_width;
} TensorTotals;

void tensors_init(TensorTotals *t);
Dtype tensors_main_dtype(const TensorTotals *t);   // of most bytes; DTYPE_UNKNOWN: none
double tensors_moe_layers(const TensorTotals *t);  // layers with routed experts

// ---------------------------------------------------------------- drafts (model_draft.c, model_shape.c)

// A way of storing weights.
typedef struct QuantScheme {
    Dtype dtype;
    double bits;       // of one weight, scales included
    const char *text;  // for people
} QuantScheme;

typedef enum PatternKind { PATTERN_PLAIN, PATTERN_GLOB, PATTERN_EXPRESSION } PatternKind;

enum { SCHEMES_MAX = 16, SCHEME_NONE = -1, SCHEME_UNSAID = -2 };  // none: 16 bits

// Modules that a pattern names take a scheme; of several rules the one that the file states first.
typedef struct QuantRule {
    const char *pattern;
    PatternKind kind;
    int scheme;  // of ModelQuant's, or SCHEME_NONE
    int layer;   // the only one meant; -1: any
    size_t order;
} QuantRule;

// How the weights are quantised; no schemes: not at all.
typedef struct ModelQuant {
    QuantScheme schemes[SCHEMES_MAX];
    int n_schemes;
    int base;  // scheme of what no rule names
    QuantRule *rules;
    size_t n_rules, rules_capacity, n_general;
    bool sorted, strange;  // strange: a pattern is written in a way that is not read
    int64_t budget;        // steps of matching that are left
    const char *text;      // for people
} ModelQuant;

// What a layer mixes tokens with, and what it does to each.
typedef enum Mix {
    MIX_NONE,
    MIX_FULL,
    MIX_WINDOW,
    MIX_LINEAR,
    MIX_MAMBA,
    MIX_CONV,
    MIX_SPARSE,
    MIX_POOLED
} Mix;
typedef enum Feed { FEED_NONE, FEED_DENSE, FEED_EXPERTS } Feed;

typedef struct Layer {
    Mix mix;
    Feed feed;
    bool indexed;  // has the sparse-attention indexer, where the model has one
    bool borrows;  // uses keys and values of an earlier layer
} Layer;

typedef struct ModelDraft {
    Model m;
    Arena *arena;
    const ModelFamily *family;
    const char *type;        // as the file names the architecture; "" when it does not
    const char *key_prefix;  // of key names in messages
    bool gguf;               // keys in messages are those of GGUF
    bool assume_dense;
    const char *warning;  // "" or sentences separated by "; "

    double dense_width;                   // FFN of dense layers where `intermediate` is an expert's
    double ffn_ratio;                     // FFN width / hidden size
    double window_every, window_from;     // see WindowKind
    double nextn;                         // multi-token prediction layers, not among `layers`
    double index_heads, index_dim;        // sparse-attention indexer
    double index_topk, index_block;       // what it picks: entries, or blocks of so many tokens
    double full_kv_heads, full_head_dim;  // layers without a window, where they differ
    double window_kv_heads, window_head_dim, window_v_dim;  // layers with one, where they differ
    // Gated DeltaNet
    double linear_key_heads, linear_value_heads, linear_key_dim, linear_value_dim, linear_conv, full_every;
    double per_layer_width, per_layer_vocab;  // embeddings that every layer has
    double mamba_heads, mamba_head_dim, mamba_state, mamba_groups, mamba_conv;  // Mamba-2
    // width that routed experts work in, where it is not `hidden`
    double expert_latent;
    double vision_layers, vision_width, vision_ffn;
    // of layers that hand on what they see, besides the last
    double vision_mergers;
    int tied, attention_bias, use_window, k_is_v;  // 1, 0; -1: not said
    bool vision;                                   // has a vision tower
    const char *listed_mix;                        // a letter a layer (model_layers.c); "": no list
    // '1' for each layer with experts, with an indexer of its own
    const char *listed_moe, *listed_index;
    double window_heads;  // of layers with a window
    double index_pool;    // tokens that the indexer takes as one
    bool index_shared;    // layers without an indexer of their own attend to what another one's picks
    double borrowing;     // last layers that borrow keys and values
    int wide_borrowers;   // 1: their feed-forward part is twice as wide
    // tokens whose key the indexer keeps as one, elsewhere
    double index_ratio;
    // 1: the file switches a gate as wide as the heads on
    int gated;
    double output_groups, output_rank;  // grouped output projection
    // residual streams, and the narrow space that they mix through
    double streams, stream_rank;
    double relative_dim, short_conv, conv_cache;  // relative positions; short convolutions
    // 1: Kimi Delta Attention's gate goes through no narrow space
    int full_gate;
    // tables that tokens look up, which engines keep in host memory; what reads them
    double lookup_params, lookup_small;
    Layer *plan;  // by layers_plan
    size_t n_plan;
    Dtype dtype;  // of what is not quantised
    ModelQuant quant;
    const TensorTotals *tensors;  // NULL: no weights read
} ModelDraft;

static inline bool draft_has(const ModelDraft *d, unsigned trait) { return (d->family->traits & trait) != 0; }

void draft_init(ModelDraft *d, Arena *a, bool assume_dense);
void draft_warn(ModelDraft *d, const char *format, ...) PRINTF_LIKE(2, 3);

// A number of a draft and its names in files.
typedef enum Zero { ZERO_WRONG, ZERO_NONE, ZERO_VALUE } Zero;  // what a 0 in the file says
typedef struct ModelKey {
    size_t field;               // offset in ModelDraft
    const char *config, *gguf;  // names, best first, separated by blanks; '.': a member of a member
    double max;
    Zero zero;
} ModelKey;
extern const ModelKey model_keys[];
extern const size_t n_model_keys;

// Checks a number of the file (whole, 0..max; `name` is its key) and stores it.
bool draft_put(ModelDraft *d, const ModelKey *key, const char *name, double value, Err *e);

// Looks up the family; fails on an unknown one unless --assume-dense.
bool draft_family(ModelDraft *d, Err *e);

// Derives, checks, counts. Names what is missing.
bool draft_finish(ModelDraft *d, Err *e);
// every number of the model is within the bounds of its column
bool draft_check(const ModelDraft *d, Err *e);

// ---------------------------------------------------------------- layers and their parts (model_layers.c, model_parts.c)

bool has_blocks(const ModelDraft *d);            // each layer is one thing
bool blocks_check(const char *pattern, Err *e);  // "MEM*": Mamba-2, experts, attention; '-': FFN
void layers_plan(ModelDraft *d);
double layers_of_mix(const ModelDraft *d, Mix mix);
double layers_of_feed(const ModelDraft *d, Feed feed);

typedef enum PartKind {
    PART_MATRIX,  // what quantisers take
    PART_SMALL,   // norms, biases, routers, convolutions: never quantised
    PART_ROUTED,  // of all routed experts
    PART_ROUTED_SMALL,
    PART_TABLE,  // looked up by token
    PART_HEAD,
    PART_LOOKUP,  // looked up, in host memory
    PART_VISION
} PartKind;

// A module with weights, or several that are quantised alike.
typedef struct Part {
    const char *group;  // what it lies in, by all names in use, separated by blanks; "-": nothing
    const char *name;
    PartKind kind;
    double weights;
} Part;

enum { PARTS_MAX = 40 };
typedef struct Parts {
    Part list[PARTS_MAX];
    size_t n;
} Parts;

typedef struct HeadShape {
    double heads, kv_heads, k_dim, v_dim;
    bool k_is_v;  // one projection for both
} HeadShape;

HeadShape heads_full(const ModelDraft *d);
HeadShape heads_window(const ModelDraft *d);
double mix_ratio(Mix mix);        // tokens that a compressing layer keeps as one
char ratio_letter(double ratio);  // the letter of such a layer, '\0': none is modelled
// channels that go through the convolution of a layer of linear attention
double linear_mixed(const ModelDraft *d);
double mamba_mixed(const ModelDraft *d);
void layer_parts(const ModelDraft *d, const Layer *l, Parts *ret);
void outer_parts(const ModelDraft *d, Parts *ret);

// ---------------------------------------------------------------- quantisation (model_quant.c, model_rules.c, model_pattern.c)

// ret_strange: set where an expression holds what is not read. Each step takes from the budget.
bool pattern_match(PatternKind kind, const char *pattern, const char *name, int64_t *budget,
                   bool *ret_strange);
bool rule_add(ModelDraft *d, const char *pattern, int scheme, Err *e);
int scheme_add(ModelQuant *q, QuantScheme s);
// of that part of that layer; -1: outside the layers
int quant_scheme(ModelQuant *q, int layer, const Part *p);

// ---------------------------------------------------------------- readers

enum {
    CONFIG_BYTES_MAX = 32 * 1024 * 1024,
    GGUF_HEAD_BYTES_MAX = 64 * 1024 * 1024,
    SAFETENSORS_HEAD_BYTES_MAX = 100 * 1000 * 1000,
    JSON_VALUES_MAX = 4 * 1000 * 1000,
    CONFIG_VALUES_MAX = 200 * 1000,
    MODEL_FILES_MAX = 10000  // in a folder, or shards of a model
};

// config.json.
bool config_read(ModelDraft *d, Str text, Err *e);
// hf_quant_config.json, which lies beside some.
bool config_read_quant(ModelDraft *d, Str text, Err *e);
// A quantization_config, NULL: none; expert_dtype: what the file says of the experts, or "".
bool quant_read(ModelDraft *d, const Json *q, const char *expert_dtype, Err *e);

// One GGUF file: head is its beginning, file_bytes its whole length; `first`: its pairs describe the model.
// ret_parts: how many files the model is split over. ret_more: failed because the header goes on behind
// `head`.
bool gguf_read(ModelDraft *d, TensorTotals *t, Str head, double file_bytes, bool first, double *ret_parts,
               bool *ret_more, Err *e);
void gguf_describe(ModelDraft *d, const TensorTotals *t);  // native_quantization

// One safetensors file: head begins with its first byte. layers: NaN, or where multi-token prediction layers
// begin.
bool safetensors_read(TensorTotals *t, Str head, double file_bytes, double layers, Err *e);
// Names of the files that an index lists, each once; refuses names that leave the folder.
bool safetensors_index(Arena *a, Str text, const char *const **ret_names, size_t *ret_n, Err *e);
// Fills what the tensors tell where there is no config.json.
bool draft_from_tensors(ModelDraft *d, const TensorTotals *t, Err *e);

#endif
