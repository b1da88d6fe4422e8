// Conditions of the preprocessor, as far as they decide between builds for AMD and others.
#include "src/migrate/lex_condition.h"

enum { EXPRESSION_DEPTH_MAX = 40 };

typedef struct Expression {
    const CWords *words;
    const char *text;
    const CToken *tokens;
    size_t n, at, depth;
} Expression;

static bool punct_is(const Expression *x, size_t at, char c) {
    return at < x->n && x->tokens[at].kind == C_PUNCT && x->text[x->tokens[at].at] == c;
}

bool is_amd_macro(const CWords *known, Str s) {
    static const char *const words[] = {"__HIP__",
                                        "__HIPCC__",
                                        "__HIP_PLATFORM_AMD__",
                                        "__HIP_PLATFORM_HCC__",
                                        "__HIP_DEVICE_COMPILE__",
                                        "HIP_VERSION",
                                        "USE_ROCM",
                                        "USE_HIP",
                                        "WITH_HIP",
                                        "WITH_ROCM",
                                        "ENABLE_HIP",
                                        "ENABLE_ROCM",
                                        "HAVE_HIP",
                                        "HAVE_ROCM",
                                        "GGML_USE_HIP",
                                        "GGML_USE_HIPBLAS",
                                        "TORCH_HIP_VERSION",
                                        "ROCM_VERSION",
                                        "__AMDGCN__",
                                        "__HIP_ROCclr__",
                                        "BUILD_AMD"};
    if (str_in(s, words, COUNT_OF(words)) || says_amd(s) || macro_is_amd(known->macros, s)) return true;
    // Families of chips as code for both vendors names them: "__gfx942__", "CDNA3", "RDNA",
    // "AMD_MFMA_AVAILABLE".
    return pattern_fits("__gfx*", s) || pattern_fits("CDNA*", s) || pattern_fits("RDNA*", s) ||
           pattern_fits("AMD_MFMA*", s) || pattern_fits("AMD_WMMA*", s);
}

static Truth truth_not(Truth a) {
    static const Truth of[] = {
        [NEVER] = ALWAYS, [ALWAYS] = NEVER, [OPEN] = OPEN, [AMD_ONLY] = NOT_AMD, [NOT_AMD] = AMD_ONLY};
    return of[a];
}

static Truth truth_and(Truth a, Truth b) {
    if (a == NEVER || b == NEVER) return NEVER;
    if (a == NOT_AMD || b == NOT_AMD) return NOT_AMD;
    if (a == AMD_ONLY || b == AMD_ONLY) return AMD_ONLY;
    return a == ALWAYS ? b : a;
}

static Truth truth_or(Truth a, Truth b) {
    if (a == ALWAYS || b == ALWAYS) return ALWAYS;
    if (a == b) return a;
    if (a == NEVER) return b;
    return b == NEVER ? a : OPEN;
}

static Truth any_of(Expression *x);

static Truth of_word(Expression *x) {
    const CToken *t = &x->tokens[x->at++];
    Str s = {x->text + t->at, t->length};
    if (str_is(s, "defined")) {
        bool open = punct_is(x, x->at, '(');
        if (open) x->at++;
        Truth answer = OPEN;
        if (x->at < x->n && x->tokens[x->at].kind == C_WORD) {
            const CToken *name = &x->tokens[x->at++];
            if (is_amd_macro(x->words, (Str){x->text + name->at, name->length})) answer = AMD_ONLY;
        }
        if (open && punct_is(x, x->at, ')')) x->at++;
        return answer;
    }
    if (is_amd_macro(x->words, s)) return AMD_ONLY;
    return str_is(s, "true") ? ALWAYS : str_is(s, "false") ? NEVER : OPEN;
}

static Truth one_of(Expression *x) {
    if (x->at >= x->n || ++x->depth > EXPRESSION_DEPTH_MAX) {
        x->at = x->n;
        return OPEN;
    }
    Truth answer = OPEN;
    const CToken *t = &x->tokens[x->at];
    if (punct_is(x, x->at, '!') && !punct_is(x, x->at + 1, '=')) {
        x->at++;
        answer = truth_not(one_of(x));
    } else if (punct_is(x, x->at, '(')) {
        x->at++;
        answer = any_of(x);
        if (punct_is(x, x->at, ')')) x->at++;
    } else if (t->kind == C_WORD) {
        answer = of_word(x);
    } else {
        if (t->kind == C_NUMBER) answer = t->length == 1 && x->text[t->at] == '0' ? NEVER : ALWAYS;
        x->at++;
    }
    x->depth--;
    // Whatever is compared or computed with: known only when it is about AMD.
    bool joined = false;
    while (x->at < x->n && !punct_is(x, x->at, ')') && !punct_is(x, x->at, '&') && !punct_is(x, x->at, '|')) {
        joined = true;
        if (punct_is(x, x->at, '(')) {
            x->at++;
            if (x->depth < EXPRESSION_DEPTH_MAX) any_of(x);
        }
        if (x->at < x->n) x->at++;
    }
    return joined && answer != AMD_ONLY ? OPEN : answer;
}

static Truth both_of(Expression *x) {
    Truth a = one_of(x);
    while (punct_is(x, x->at, '&')) {
        while (punct_is(x, x->at, '&')) x->at++;
        a = truth_and(a, one_of(x));
    }
    return a;
}

static Truth any_of(Expression *x) {
    Truth a = both_of(x);
    while (punct_is(x, x->at, '|')) {
        while (punct_is(x, x->at, '|')) x->at++;
        a = truth_or(a, both_of(x));
    }
    return a;
}

Truth condition_truth(const CWords *words, const char *text, const CToken *tokens, size_t n) {
    return any_of(&(Expression){.words = words, .text = text, .tokens = tokens, .n = n});
}
