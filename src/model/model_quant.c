// quantization_config -> how a file stores weights, and which modules it stores so.
#include <math.h>
#include <string.h>

#include "src/model/model.h"

// What the methods in use come to.
typedef struct Scheme {
    double bits, group, scale_bits;  // of a weight; weights a scale; of a scale (and zero point)
    bool floating;
    const char *method;
} Scheme;

static double number_of(const Json *j, const char *name, double fallback) {
    double x = json_number(json_get(j, name));
    return is_known(x) ? x : fallback;
}

static const char *text_of(const Json *j, const char *name) {
    const char *text = json_text(json_get(j, name));
    return text != NULL ? text : "";
}

// ---------------------------------------------------------------- methods

// awq, gptq and their like: integers in groups with a 16-bit scale and a zero point.
static Scheme grouped(const Json *q, const char *method) {
    double bits = number_of(q, "bits", number_of(q, "w_bit", number_of(q, "nbits", 4)));
    return (Scheme){bits, number_of(q, "group_size", number_of(q, "q_group_size", 128)), 16 + bits, false,
                    method};
}

static Scheme bitsandbytes(const Json *q) {
    if (json_truth(json_get(q, "load_in_4bit")) != 1) return (Scheme){8, -1, 0, false, "bitsandbytes int8"};
    // A 32-bit scale for 64 weights, itself in 8 bits with one for 256 under double quantisation.
    bool twice = json_truth(json_get(q, "bnb_4bit_use_double_quant")) == 1;
    return (Scheme){4, 64, twice ? 8.125 : 32, false,
                    strcmp(text_of(q, "bnb_4bit_quant_type"), "nf4") == 0 ? "bitsandbytes nf4"
                                                                          : "bitsandbytes fp4"};
}

// {"num_bits", "type", "group_size"} of compressed-tensors and ModelOpt.
static Scheme weights_scheme(const Json *w, const char *format, const char *method) {
    bool floating = strcmp(text_of(w, "type"), "float") == 0;
    double bits = number_of(w, "num_bits", 8);
    double group = number_of(w, "group_size", -1);
    bool micro = strstr(format, "mxfp4") != NULL || strstr(text_of(w, "scale_dtype"), "uint8") != NULL;
    double scale = floating && bits <= 4 ? 8 : 16;
    if (floating && bits <= 4 && group < 1) group = micro ? 32 : 16;
    return (Scheme){bits, group, scale, floating, method};
}

static bool by_algorithm(const char *algorithm, const Json *q, Scheme *ret) {
    if (strstr(algorithm, "NVFP4") != NULL) {
        *ret = (Scheme){4, number_of(q, "group_size", 16), 8, true, "modelopt"};
    } else if (strstr(algorithm, "MXFP4") != NULL) {
        *ret = (Scheme){4, 32, 8, true, "modelopt"};
    } else if (strstr(algorithm, "MXFP8") != NULL) {
        *ret = (Scheme){8, 32, 8, true, "modelopt"};
    } else if (strncmp(algorithm, "FP8", 3) == 0) {
        *ret = (Scheme){8, -1, 0, true, "modelopt"};
    } else if (strstr(algorithm, "W4A16") != NULL || strstr(algorithm, "AWQ") != NULL) {
        *ret = (Scheme){4, number_of(q, "group_size", 128), 16, false, "modelopt"};
    } else if (strstr(algorithm, "INT8") != NULL || strstr(algorithm, "W8A8") != NULL) {
        *ret = (Scheme){8, -1, 0, false, "modelopt"};
    } else {
        return false;
    }
    return true;
}

static Scheme quark_weight(const Json *config) {
    const Json *w = json_get(config, "weight");
    if (json_is_array(w)) w = json_first(w);
    const char *dtype = text_of(w, "dtype");
    double group = number_of(w, "group_size", -1);
    if (strncmp(dtype, "fp4", 3) == 0) return (Scheme){4, group >= 1 ? group : 32, 8, true, "quark"};
    if (strncmp(dtype, "fp8", 3) == 0) return (Scheme){8, group, 8, true, "quark"};
    if (strstr(dtype, "float16") != NULL || !json_is_object(w)) return (Scheme){16, -1, 0, true, "quark"};
    bool four = strstr(dtype, "int4") != NULL;
    return (Scheme){four ? 4 : 8, group >= 1 ? group : four ? 128 : -1, 16, false, "quark"};
}

static Scheme blocks_of_8(const Json *q) {
    const Json *block = json_first(json_get(q, "weight_block_size"));
    return (Scheme){8,
                    block == NULL ? -1
                                  : json_number(block) *
                                        json_number(json_next(block) != NULL ? json_next(block) : block),
                    32, true, "fp8"};
}

// The scheme of the modules that nothing else is said of. Bits of 16 and more: they are not quantised.
static bool scheme_of(const Json *q, const char *method, Scheme *ret) {
    static const char *const integers =
        "awq gptq gptq_marlin awq_marlin auto-round auto_round intel/auto-round hqq gptqmodel";
    if (strcmp(method, "fp8") == 0 || strcmp(method, "fbgemm_fp8") == 0 || strcmp(method, "mxfp8") == 0) {
        *ret = strcmp(method, "mxfp8") == 0 ? (Scheme){8, 32, 8, true, method} : blocks_of_8(q);
    } else if (strcmp(method, "mxfp4") == 0) {
        *ret = (Scheme){4, 32, 8, true, "mxfp4"};
    } else if (word_in(integers, method)) {
        *ret = grouped(q, method);
    } else if (strcmp(method, "bitsandbytes") == 0) {
        *ret = bitsandbytes(q);
    } else if (strcmp(method, "quark") == 0) {
        *ret = quark_weight(json_get(q, "global_quant_config"));
    } else if (strcmp(method, "eetq") == 0) {
        *ret = (Scheme){8, -1, 0, false, method};
    } else {
        *ret = (Scheme){16, -1, 0, true, method};
        bool named =
            json_is_object(json_get(q, "config_groups")) || json_is_object(json_get(q, "quantized_layers"));
        return strcmp(method, "compressed-tensors") == 0
                   ? named
                   : by_algorithm(text_of(q, "quant_algo"), q, ret) || named;
    }
    return true;
}

// ---------------------------------------------------------------- into the draft

static Dtype dtype_of(const Scheme *s) {
    if (s->bits > 4) return s->bits > 8 ? DTYPE_BF16 : s->floating ? DTYPE_FP8 : DTYPE_INT8;
    if (!s->floating) return DTYPE_INT4;
    return s->group == 16 ? DTYPE_NVFP4 : s->group == 32 ? DTYPE_MXFP4 : DTYPE_FP4;
}

// *ret: its number among the draft's.
static bool take_scheme(ModelDraft *d, const Scheme *s, int *ret, Err *e) {
    if (!(s->bits >= 1 && s->bits <= 32) || s->group > 1e9)
        return err_set(e, ERR_USAGE, "a quantisation to %g bits in groups of %g", s->bits, s->group);
    *ret = SCHEME_NONE;
    if (s->bits >= 16) return true;
    double side = s->group >= 1 ? sqrt(s->group) : 0;
    const char *block =
        side == floor(side) ? arena_printf(d->arena, " block %.0fx%.0f", side, side) : " block";
    const char *group = s->group >= 1 && s->group < 1024 ? arena_printf(d->arena, " g%.0f", s->group)
                        : s->group >= 1                  ? block
                                                         : "";
    Dtype dtype = dtype_of(s);
    const char *text =
        text_clean(d->arena, arena_printf(d->arena, "%s%s (%s)", dtype_names[dtype], group, s->method));
    *ret = scheme_add(&d->quant,
                      (QuantScheme){dtype, s->bits + (s->group >= 1 ? s->scale_bits / s->group : 0), text});
    return true;
}

// A word for every linear layer, not a name of some.
static bool is_class(const char *target) {
    return strcmp(target, "Linear") == 0 || strstr(target, "ParallelLinear") != NULL ||
           strcmp(target, "LinearBase") == 0;
}

static bool rules_of_group(ModelDraft *d, const Json *targets, int scheme, int *ret_base, Err *e) {
    if (!json_is_array(targets)) *ret_base = scheme;
    for (const Json *t = json_first(targets); t != NULL; t = json_next(t)) {
        const char *target = json_text(t);
        if (target == NULL) continue;
        if (is_class(target))
            *ret_base = scheme;
        else if (!rule_add(d,
                           strstr(target, "MoE") != NULL && strchr(target, '.') == NULL
                               ? "re:.*\\.experts\\..*"
                               : target,
                           scheme, e))
            return false;
    }
    return true;
}

// {"group": {"weights": ..., "targets": [...]}} of compressed-tensors and ModelOpt.
static bool read_groups(ModelDraft *d, const Json *q, const char *method, int *ret_base, Err *e) {
    const char *format = text_of(q, "format");
    for (const Json *g = json_first(json_get(q, "config_groups")); g != NULL; g = json_next(g)) {
        const Json *w = json_get(g, "weights");
        const char *own = text_of(g, "format");
        int scheme = SCHEME_NONE;
        if (!json_is_object(w)) continue;
        Scheme s = weights_scheme(w, own[0] != '\0' ? own : format, method);
        if (!take_scheme(d, &s, &scheme, e) ||
            !rules_of_group(d, json_get(g, "targets"), scheme, ret_base, e))
            return false;
    }
    return true;
}

// {"module": {"quant_algo": ...}} of ModelOpt: what is not named is not quantised.
static bool read_named(ModelDraft *d, const Json *q, Err *e) {
    for (const Json *l = json_first(json_get(q, "quantized_layers")); l != NULL; l = json_next(l)) {
        Scheme s;
        int scheme = SCHEME_NONE;
        if (!by_algorithm(text_of(l, "quant_algo"), l, &s)) continue;
        if (!take_scheme(d, &s, &scheme, e) || !rule_add(d, json_key(l), scheme, e)) return false;
    }
    return true;
}

// {"pattern": a configuration of its own}: Quark's layer_quant_config, AutoRound's extra_config, GPTQModel's
// dynamic.
static bool read_own(ModelDraft *d, const Json *q, const char *method, Err *e) {
    static const char *const lists[] = {"layer_quant_config", "extra_config", "dynamic"};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        for (const Json *l = json_first(json_get(q, lists[i])); l != NULL; l = json_next(l)) {
            const char *name = json_key(l);
            bool signed_name = name[0] == '+' || name[0] == '-';
            bool left_out = name[0] == '-' || !json_is_object(l);
            int scheme = SCHEME_NONE;
            Scheme s = i == 0 ? quark_weight(l) : grouped(l, method);
            if (!left_out && !take_scheme(d, &s, &scheme, e)) return false;
            const char *pattern =
                signed_name ? arena_printf(d->arena, "re:%s", name[1] == ':' ? name + 2 : name + 1) : name;
            if (!rule_add(d, pattern, scheme, e)) return false;
        }
    }
    return true;
}

// Modules that stay in 16 bits.
static bool read_exceptions(ModelDraft *d, const Json *q, Err *e) {
    static const char *const lists[] = {
        "ignore",         "modules_to_not_convert", "exclude", "exclude_modules", "exclude_layers",
        "ignored_layers", "llm_int8_skip_modules"};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        for (const Json *item = json_first(json_get(q, lists[i])); item != NULL; item = json_next(item)) {
            if (json_text(item) != NULL && !rule_add(d, json_text(item), SCHEME_NONE, e)) return false;
        }
    }
    return true;
}

// Experts whose scheme a word of its own tells, the rest being as the method says (DeepSeek-V4 and copies of
// it).
static bool read_experts(ModelDraft *d, const Json *q, const char *expert_dtype, bool *ret_done, Err *e) {
    const char *own = text_of(q, "expert_dtype");
    const char *algorithm = text_of(q, "moe_quant_algo");
    int scheme = SCHEME_NONE;
    if (own[0] != '\0') expert_dtype = own;
    Scheme s = {4, 32, 8, true, "experts"};
    bool said = algorithm[0] != '\0' && by_algorithm(algorithm, q, &s);
    bool four = !said && strcmp(expert_dtype, "fp4") == 0;
    *ret_done = said;
    if (!said && !four) return true;
    if (!take_scheme(d, &s, &scheme, e)) return false;
    if (four && scheme >= 0) d->quant.schemes[scheme].dtype = DTYPE_FP4;
    return rule_add(d, "experts", scheme, e);
}

bool quant_read(ModelDraft *d, const Json *q, const char *expert_dtype, Err *e) {
    if (q == NULL) return true;
    if (!json_is_object(q))
        return err_set(e, ERR_USAGE, "the description of the quantisation is not an object");
    const char *method = text_of(q, "quant_method");
    if (method[0] == '\0' && text_of(q, "quant_algo")[0] != '\0') method = "modelopt";
    Scheme s = {0};
    if (!scheme_of(q, method, &s)) {
        draft_warn(d, "quantisation '%s' is not known: weights are taken as not quantised", method);
        return true;
    }
    int base = SCHEME_NONE;
    bool by_experts = false;
    bool named = json_is_object(json_get(q, "quantized_layers"));
    if (!take_scheme(d, &s, &base, e) || !read_experts(d, q, expert_dtype, &by_experts, e)) return false;
    bool ok = by_experts || (read_exceptions(d, q, e) && read_own(d, q, method, e) &&
                             (named ? read_named(d, q, e) : read_groups(d, q, method, &base, e)));
    d->quant.base = base;
    if (json_truth(json_get(q, "lm_head")) == 1) ok = ok && rule_add(d, "lm_head", base, e);
    return ok;
}
