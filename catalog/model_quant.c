// quantization_config -> dtype and bits of the quantised weights.
#include <math.h>
#include <string.h>

#include "catalog/model_file.h"

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
    return (Scheme){bits, number_of(q, "group_size", number_of(q, "q_group_size", 128)), 16 + bits, false, method};
}

static Scheme bitsandbytes(const Json *q) {
    if (json_truth(json_get(q, "load_in_4bit")) != 1) return (Scheme){8, -1, 0, false, "bitsandbytes int8"};
    // A 32-bit scale for 64 weights, itself in 8 bits with one for 256 under double quantisation.
    bool twice = json_truth(json_get(q, "bnb_4bit_use_double_quant")) == 1;
    return (Scheme){4, 64, twice ? 8.125 : 32, false, strcmp(text_of(q, "bnb_4bit_quant_type"), "nf4") == 0 ? "bitsandbytes nf4" : "bitsandbytes fp4"};
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

// The group of most promise: the fewest bits.
static Scheme config_groups(const Json *q, const char *method) {
    Scheme best = {16, -1, 0, true, method};
    const char *format = text_of(q, "format");
    for (const Json *g = json_first(json_get(q, "config_groups")); g != NULL; g = json_next(g)) {
        const Json *w = json_get(g, "weights");
        if (!json_is_object(w)) continue;
        const char *own = text_of(g, "format");
        Scheme s = weights_scheme(w, own[0] != '\0' ? own : format, method);
        if (s.bits < best.bits) best = s;
    }
    return best;
}

static bool by_algorithm(const char *algorithm, const Json *q, Scheme *ret) {
    if (strstr(algorithm, "NVFP4") != NULL) {
        *ret = (Scheme){4, number_of(q, "group_size", 16), 8, true, "modelopt"};
    } else if (strstr(algorithm, "MXFP4") != NULL) {
        *ret = (Scheme){4, 32, 8, true, "modelopt"};
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

// Mixed precision: the algorithm of the first layer that has four bits, else of the first.
static const char *mixed_algorithm(const Json *q) {
    const char *found = "";
    for (const Json *l = json_first(json_get(q, "quantized_layers")); l != NULL; l = json_next(l)) {
        const char *algorithm = text_of(l, "quant_algo");
        if (found[0] == '\0' || (strstr(algorithm, "4") != NULL && strstr(found, "4") == NULL)) found = algorithm;
    }
    return found;
}

static bool modelopt(const Json *q, Scheme *ret) {
    const char *moe = text_of(q, "moe_quant_algo");
    const char *algorithm = text_of(q, "quant_algo");
    if (moe[0] != '\0' && by_algorithm(moe, q, ret)) return true;
    if (by_algorithm(algorithm, q, ret) || by_algorithm(mixed_algorithm(q), q, ret)) return true;
    *ret = config_groups(q, "modelopt");
    return ret->bits < 16;
}

static Scheme quark(const Json *q) {
    const Json *w = json_get(json_get(q, "global_quant_config"), "weight");
    if (json_is_array(w)) w = json_first(w);
    const char *dtype = text_of(w, "dtype");
    if (strncmp(dtype, "fp4", 3) == 0) return (Scheme){4, 32, 8, true, "quark"};
    if (strncmp(dtype, "fp8", 3) == 0) return (Scheme){8, -1, 0, true, "quark"};
    bool four = strstr(dtype, "int4") != NULL;
    return (Scheme){four ? 4 : 8, four ? number_of(w, "group_size", 128) : -1, 16, false, "quark"};
}

static bool scheme_of(const Json *q, const char *method, Scheme *ret) {
    static const char *const integers = "awq gptq gptq_marlin awq_marlin auto-round auto_round intel/auto-round hqq gptqmodel";
    if (strcmp(method, "fp8") == 0 || strcmp(method, "fbgemm_fp8") == 0) {
        if (text_of(q, "moe_quant_algo")[0] != '\0') return modelopt(q, ret);
        const Json *block = json_first(json_get(q, "weight_block_size"));
        *ret = (Scheme){8, block == NULL ? -1 : json_number(block) * json_number(json_next(block) != NULL ? json_next(block) : block), 32, true, "fp8"};
    } else if (strcmp(method, "mxfp4") == 0) {
        *ret = (Scheme){4, 32, 8, true, "mxfp4"};
    } else if (word_in(integers, method)) {
        *ret = grouped(q, method);
    } else if (strcmp(method, "bitsandbytes") == 0) {
        *ret = bitsandbytes(q);
    } else if (strcmp(method, "compressed-tensors") == 0) {
        *ret = config_groups(q, method);
        return ret->bits < 16;
    } else if (strcmp(method, "quark") == 0) {
        *ret = quark(q);
    } else if (strcmp(method, "eetq") == 0) {
        *ret = (Scheme){8, -1, 0, false, method};
    } else {
        return modelopt(q, ret);
    }
    return true;
}

// ---------------------------------------------------------------- into the draft

// Do the exceptions name the attention of every layer, so that only experts are left?
static bool spares_attention(const Json *q) {
    static const char *const lists[] = {"ignore", "modules_to_not_convert", "exclude_modules"};
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        for (const Json *item = json_first(json_get(q, lists[i])); item != NULL; item = json_next(item)) {
            const char *text = json_text(item);
            if (text == NULL || strstr(text, "indexer") != NULL || strstr(text, "norm") != NULL) continue;  // small parts of it
            if (strstr(text, "self_attn") != NULL || strstr(text, ".attn") != NULL) return true;
        }
    }
    return false;
}

static Dtype dtype_of(const Scheme *s) {
    if (s->bits > 4) return s->bits > 8 ? DTYPE_BF16 : s->floating ? DTYPE_FP8 : DTYPE_INT8;
    if (!s->floating) return DTYPE_INT4;
    return s->group == 16 ? DTYPE_NVFP4 : s->group == 32 ? DTYPE_MXFP4 : DTYPE_FP4;
}

bool quant_read(ModelDraft *d, const Json *q, Err *e) {
    if (q == NULL) return true;
    if (!json_is_object(q)) return err_set(e, ERR_USAGE, "the description of the quantisation is not an object");
    const char *method = text_of(q, "quant_method");
    Scheme s = {0};
    if (!scheme_of(q, method, &s)) {
        draft_warn(d, "quantisation '%s' is not known: weights are taken as not quantised", method);
        return true;
    }
    if (!(s.bits >= 1 && s.bits <= 16) || s.group > 1e9) return err_set(e, ERR_USAGE, "a quantisation to %g bits in groups of %g", s.bits, s.group);
    d->quant.dtype = dtype_of(&s);
    d->quant.bits = s.bits + (s.group >= 1 ? s.scale_bits / s.group : 0);
    d->quant.experts_only = spares_attention(q);
    double side = s.group >= 1 ? sqrt(s.group) : 0;
    const char *block = side == floor(side) ? arena_printf(d->arena, " block %.0fx%.0f", side, side) : " block";
    const char *group = s.group >= 1 && s.group < 1e4 ? arena_printf(d->arena, " g%.0f", s.group) : s.group >= 1 ? block : "";
    d->quant.text = text_clean(d->arena, arena_printf(d->arena, "%s%s (%s)%s", dtype_names[d->quant.dtype], group, s.method, d->quant.experts_only ? ", attention in 16 bits" : ""));
    return true;
}
