// C, C++ and CUDA: headers, masks of lanes, guards, and constants of 32 lanes.
#include <stdlib.h>
#include <string.h>

#include "src/migrate/cuda_scan.h"
#include "src/migrate/fix.h"

// ---------------------------------------------------------------- tokens

typedef struct Tokens {
    Str text;
    const CToken *list;  // C_END last
    size_t n;
} Tokens;

static Tokens lex(Fix *f, Str text) {
    CLexed lexed;
    c_lex(f->words, text, false, &f->tokens, &lexed);
    return (Tokens){text, (const CToken *)(const void *)f->tokens.data,
                    f->tokens.length / sizeof(CToken) - 1};
}

static Str word_at(const Tokens *t, size_t i) {
    return i < t->n ? (Str){t->text.data + t->list[i].at, t->list[i].length} : (Str){"", 0};
}

static bool is(const Tokens *t, size_t i, const char *what) {
    return i < t->n && t->list[i].kind == C_WORD && str_is(word_at(t, i), what);
}

static bool punct(const Tokens *t, size_t i, char c) {
    return i < t->n && t->list[i].kind == C_PUNCT && t->text.data[t->list[i].at] == c;
}

static bool in_list(const Tokens *t, size_t i, const char *const *list, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (is(t, i, list[k])) return true;
    }
    return false;
}

static bool on_directive(const Tokens *t, size_t i) {
    return i < t->n && (t->list[i].flags & C_IN_DIRECTIVE) != 0 && t->list[i].kind != C_DIRECTIVE;
}

static bool directive(const Tokens *t, size_t i, const char *what) {
    return i < t->n && t->list[i].kind == C_DIRECTIVE && str_is(word_at(t, i), what);
}

static bool guarded(const Tokens *t, size_t i) { return (t->list[i].flags & C_GUARDED) != 0; }

static size_t end_of(const Tokens *t, size_t i) { return t->list[i].at + t->list[i].length; }

// ---------------------------------------------------------------- full masks

static bool is_hex_ones(Str t) {
    if (t.length < 10 || t.data[0] != '0' || (t.data[1] | 32) != 'x') return false;
    for (size_t k = 2; k < 10; k++) {
        if ((t.data[k] | 32) != 'f') return false;
    }
    for (size_t k = 10; k < t.length; k++) {
        if ((t.data[k] | 32) != 'u' && (t.data[k] | 32) != 'l') return false;
    }
    return true;
}

// A number without an 'l' in it: of 32 bits.
static bool narrow_number(const Tokens *t, size_t i, const char *digits) {
    Str s = word_at(t, i);
    if (i >= t->n || t->list[i].kind != C_NUMBER) return false;
    if (s.length > 1 && (s.data[s.length - 1] | 32) == 'u') s.length--;
    return str_is(s, digits);
}

// 0xffffffff, -1, ~0, UINT32_MAX at `i`; the token behind it. 0: none of them.
static size_t plain_mask(const Tokens *t, size_t i) {
    static const char *const names[] = {"UINT32_MAX", "UINT_MAX"};
    if (i >= t->n) return 0;
    if (t->list[i].kind == C_NUMBER && is_hex_ones(word_at(t, i))) return i + 1;
    if (in_list(t, i, names, COUNT_OF(names))) return i + 1;
    if (punct(t, i, '-') && narrow_number(t, i + 1, "1")) return i + 2;
    if (punct(t, i, '~') && narrow_number(t, i + 1, "0")) return i + 2;
    return 0;
}

// unsigned, unsigned int, uint32_t at `i`; the token behind it. 0: another type.
static size_t narrow_type(const Tokens *t, size_t i) {
    if (is(t, i, "unsigned")) return is(t, i + 1, "int") ? i + 2 : i + 1;
    return is(t, i, "uint32_t") || is(t, i, "uint") ? i + 1 : 0;
}

static size_t full_mask(const Tokens *t, size_t i) {
    size_t end = plain_mask(t, i);
    if (end != 0) return end;
    size_t type = 0;
    if (punct(t, i, '(') && (type = narrow_type(t, i + 1)) != 0 && punct(t, type, ')'))  // (unsigned)-1
        return plain_mask(t, type + 1);
    if (punct(t, i, '(') && (end = plain_mask(t, i + 1)) != 0 && punct(t, end, ')')) return end + 1;
    if (is(t, i, "static_cast") && punct(t, i + 1, '<') && (type = narrow_type(t, i + 2)) != 0 &&
        punct(t, type, '>'))
        i = type + 1;
    else if ((type = narrow_type(t, i)) != 0)
        i = type;  // uint32_t(-1)
    else
        return 0;
    if (!punct(t, i, '(')) return 0;
    end = plain_mask(t, i + 1);
    return end != 0 && punct(t, end, ')') ? end + 1 : 0;
}

bool fix_is_full_mask(Str text, const CToken *tokens, size_t n, size_t i, size_t *ret_end) {
    Tokens t = {text, tokens, n};
    *ret_end = full_mask(&t, i);
    return *ret_end != 0;
}

// ---------------------------------------------------------------- constants of the tree

static int by_constant(const void *a, const void *b) {
    const FixConstant *x = a;
    const FixConstant *y = b;
    return strcmp(x->name, y->name);
}

const FixConstant *fix_constant(const Fix *f, Str name) {
    enum { NAME_MAX_BYTES = 100 };
    char text[NAME_MAX_BYTES];
    if (name.length >= sizeof text || f->constants.length == 0) return NULL;
    memcpy(text, name.data, name.length);
    text[name.length] = '\0';
    FixConstant key = {.name = text};
    return bsearch(&key, f->constants.data, f->constants.length / sizeof key, sizeof key, by_constant);
}

// What the constant at `i` (behind '=' or the name of a macro) is, when it ends where `ends` says.
static bool constant_value(const Tokens *t, size_t i, bool macro, bool *ret_mask) {
    size_t end = full_mask(t, i);
    *ret_mask = end != 0;
    if (end == 0 && (narrow_number(t, i, "32") || narrow_number(t, i, "0x20"))) end = i + 1;
    if (end == 0) return false;
    return macro ? !on_directive(t, end) : punct(t, end, ';');
}

// `#define NAME value` or `const type NAME = value;` with the name at `i`.
static bool defines_constant(const Tokens *t, size_t i, bool *ret_mask) {
    if (i > 0 && directive(t, i - 1, "define")) return constant_value(t, i + 1, true, ret_mask);
    if (!punct(t, i + 1, '=') || punct(t, i + 2, '=') || on_directive(t, i)) return false;
    bool fixed = false;
    for (size_t k = i; k > 0 && k + 8 > i && t->list[k - 1].kind == C_WORD; k--)
        fixed = fixed || is(t, k - 1, "const") || is(t, k - 1, "constexpr");
    return fixed && constant_value(t, i + 2, false, ret_mask);
}

static void learn_definitions(Fix *f, const Tokens *t) {
    bool mask = false;
    for (size_t i = 1; i < t->n; i++) {
        if (t->list[i].kind != C_WORD || guarded(t, i) || !defines_constant(t, i, &mask)) continue;
        Str s = word_at(t, i);
        FixConstant x = {.name = arena_copy(f->arena, s.data, s.length), .defined = 1, .mask = mask};
        buf_add(&f->constants, (const char *)&x, sizeof x);
    }
}

void fix_learned(Fix *f) {
    FixConstant *rows = (FixConstant *)(void *)f->constants.data;
    size_t n = f->constants.length / sizeof *rows;
    size_t kept = 0;
    if (n > 0) qsort(rows, n, sizeof *rows, by_constant);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && strcmp(rows[kept - 1].name, rows[i].name) == 0) {
            if (rows[kept - 1].mask != rows[i].mask) rows[kept - 1].otherwise++;
            rows[kept - 1].defined++;
        } else {
            rows[kept++] = rows[i];
        }
    }
    f->constants.length = kept * sizeof *rows;
    f->learned = true;
}

// `type name` before , ) = ; { [: something else of that name.
static bool declares(const Tokens *t, size_t i) {
    static const char *const no_types[] = {"return", "else", "case",   "new",
                                           "throw",  "goto", "delete", "sizeof"};
    if (i == 0) return false;
    if (directive(t, i - 1, "define") || directive(t, i - 1, "undef")) return true;
    size_t type = punct(t, i - 1, '*') || punct(t, i - 1, '&') ? i - 2 : i - 1;
    if (type >= t->n || t->list[type].kind != C_WORD || in_list(t, type, no_types, COUNT_OF(no_types)))
        return false;
    if (on_directive(t, i) || (type != i - 1 && (i < 2 || t->list[type].word == 0))) return false;
    return punct(t, i + 1, ',') || punct(t, i + 1, ')') || punct(t, i + 1, '=') || punct(t, i + 1, ';') ||
           punct(t, i + 1, '{') || punct(t, i + 1, '[');
}

// May the number of lanes at `i` be known only while the kernel runs? Not where a constant is asked for.
static bool wants_constant(const Tokens *t, size_t i) {
    static const char *const fixed[] = {
        "constexpr",  "case",     "enum",    "static_assert", "__launch_bounds__",
        "__shared__", "template", "typedef", "using"};
    if (on_directive(t, i)) return true;
    if ((i > 0 && punct(t, i - 1, '<') && (punct(t, i + 1, '>') || punct(t, i + 1, ','))) ||
        punct(t, i + 1, '>'))
        return true;
    size_t open = 0;
    for (size_t k = i; k > 0; k--) {
        if (punct(t, k - 1, ';') || punct(t, k - 1, '{') || punct(t, k - 1, '}')) return false;
        if (punct(t, k - 1, ']')) open++;
        if (punct(t, k - 1, '[') && open-- == 0) return true;
        if (in_list(t, k - 1, fixed, COUNT_OF(fixed))) return true;
    }
    return true;
}

// Does the file hold anything else that rests on 32 lanes?
static bool rests_on_32(const Fix *f, const FixFile *file) {
    for (size_t i = 0; i < file->n_findings; i++) {
        const PortRule *r = &f->facts->rules[file->findings[i].rule];
        if (r->lanes64 != 0 && strcmp(r->rule, "warp-size-define") != 0) return true;
        if (strcmp(r->rule, "warpsize-constexpr") == 0) return true;
    }
    return false;
}

typedef struct Device {
    size_t depth, at;
    bool head, inside;
} Device;

static void follow(Device *d, const Fix *f, const Tokens *t, size_t i) {
    const CToken *x = &t->list[i];
    if ((x->flags & C_IN_DIRECTIVE) != 0) return;
    if (x->word != 0 && (f->words->words[x->word - 1].flags & WORD_DEVICE) != 0) d->head = true;
    if (punct(t, i, '{')) {
        d->depth++;
        if (d->head && !d->inside) {
            d->inside = true;
            d->at = d->depth;
        }
        d->head = false;
    } else if (punct(t, i, '}')) {
        if (d->inside && d->depth == d->at) d->inside = false;
        if (d->depth > 0) d->depth--;
    } else if (punct(t, i, ';')) {
        d->head = false;
    }
}

static void learn_uses(Fix *f, const FixFile *file, const Tokens *t) {
    bool rests = rests_on_32(f, file);
    bool mask = false;
    Device d = {0};
    for (size_t i = 0; i < t->n; i++) {
        follow(&d, f, t, i);
        if (t->list[i].kind != C_WORD) continue;
        FixConstant *c = (FixConstant *)(uintptr_t)fix_constant(f, word_at(t, i));
        if (c == NULL) continue;
        if (defines_constant(t, i, &mask)) {
            c->otherwise += guarded(t, i);
        } else if (declares(t, i)) {
            c->otherwise++;
        } else if (!c->mask && (!d.inside || rests || wants_constant(t, i))) {
            c->unsafe++;
        }
    }
}

void fix_learn(Fix *f, const FixFile *file) {
    Tokens t = lex(f, file->text);
    if (f->learned) {
        learn_uses(f, file, &t);
    } else {
        learn_definitions(f, &t);
    }
}

// ---------------------------------------------------------------- masks

static const char *const masked_calls[] = {
    "__shfl_sync",       "__shfl_up_sync",    "__shfl_down_sync",  "__shfl_xor_sync",  "__ballot_sync",
    "__any_sync",        "__all_sync",        "__match_any_sync",  "__match_all_sync", "__reduce_add_sync",
    "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync"};

// What the scan says of the mask and of a stated width: with all lanes both are right at any number of them.
static void settle_call(FixWork *w, const Tokens *t, size_t i, size_t end) {
    for (size_t k = i; k < end; k++) {
        fix_settle(w, "warp-mask-literal32", t->list[k].line);
        fix_settle(w, "warp-width-subtile", t->list[k].line);
    }
}

static void fix_masks(FixWork *w, const Tokens *t) {
    for (size_t i = 0; i + 3 < t->n; i++) {
        if (guarded(t, i) || !in_list(t, i, masked_calls, COUNT_OF(masked_calls)) || !punct(t, i + 1, '('))
            continue;
        size_t end = full_mask(t, i + 2);
        if (is(t, i + 2, "GPU_ALL_LANES")) settle_call(w, t, i, i + 3);  // of an earlier run
        const FixConstant *c = end == 0 ? fix_constant(w->fix, word_at(t, i + 2)) : NULL;
        if (c != NULL && c->mask && c->otherwise == 0) end = i + 3;
        if (end == 0 || !(punct(t, end, ',') || punct(t, end, ')'))) continue;
        size_t from = t->list[i + 2].at;
        fix_edit(w, FIX_MASK, from, end_of(t, end - 1) - from, "GPU_ALL_LANES");
        settle_call(w, t, i, end);
        w->compat = true;
        w->fix->lanes = true;
    }
}

// ---------------------------------------------------------------- constants of 32 lanes

static void fix_warp_sizes(FixWork *w, const Tokens *t) {
    for (size_t i = 1; i + 1 < t->n; i++) {
        if (!directive(t, i - 1, "define") || t->list[i].kind != C_WORD || guarded(t, i)) continue;
        Str name = word_at(t, i);
        const FixConstant *c = fix_constant(w->fix, name);
        bool warp = str_has(name, "WARP") || str_has(name, "Warp") || str_has(name, "warp");
        if (c == NULL || c->mask || !warp || c->defined != 1 || c->otherwise > 0 || c->unsafe > 0) continue;
        fix_edit(w, FIX_WARP_SIZE, t->list[i + 1].at, t->list[i + 1].length, "GPU_WARP_SIZE");
        fix_settle(w, "warp-size-define", t->list[i].line);
        w->compat = true;
        w->fix->lanes = true;
    }
}

// ---------------------------------------------------------------- guards

typedef struct Twin {
    const char *cuda, *hip;
} Twin;

// Macros of which HIP has an exact twin: a compiler that takes kernels, and its pass for the device.
static const Twin twins[] = {{"__CUDACC__", "__HIPCC__"}, {"__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__"}};

static const Twin *twin_at(const Tokens *t, size_t i) {
    for (size_t k = 0; k < COUNT_OF(twins); k++) {
        if (is(t, i, twins[k].cuda)) return &twins[k];
    }
    return NULL;
}

// `defined(X)` or `defined X` at `i`; the token behind it. 0: neither.
static size_t defined_end(const Tokens *t, size_t i, size_t *ret_name) {
    if (!is(t, i, "defined")) return 0;
    *ret_name = punct(t, i + 1, '(') ? i + 2 : i + 1;
    if (*ret_name == i + 1) return i + 2;
    return punct(t, i + 3, ')') ? i + 4 : 0;
}

// May this condition name HIP too? Not when it speaks of it already, and not when a macro of CUDA is used for
// its number as well.
static bool guard_is_plain(const Tokens *t, size_t from, size_t end) {
    for (size_t k = from; k < end; k++) {
        Str s = word_at(t, k);
        if (t->list[k].kind != C_WORD) continue;
        if (str_has(s, "HIP") || str_has(s, "ROCM") || str_has(s, "AMD") || str_has(s, "hip")) return false;
        bool number = twin_at(t, k) != NULL && !is(t, k - 1, "defined") &&
                      !(punct(t, k - 1, '(') && is(t, k - 2, "defined"));
        if (number || str_has(s, "__CUDACC_VER") || str_has(s, "CUDA_VERSION") ||
            str_has(s, "CUDART_VERSION"))
            return false;
    }
    return true;
}

static void fix_guard(FixWork *w, const Tokens *t, size_t i, size_t end) {
    const Twin *x = twin_at(t, i + 1);
    bool yes = directive(t, i, "ifdef");
    if ((yes || directive(t, i, "ifndef")) && x != NULL) {
        size_t from = t->list[i].at;
        fix_edit(w, FIX_GUARD, from, end_of(t, i + 1) - from,
                 arena_printf(w->arena,
                              yes ? "if defined(%s) || defined(%s)" : "if !defined(%s) && !defined(%s)",
                              x->cuda, x->hip));
        fix_settle(w, "cuda", t->list[i].line);
        return;
    }
    if (!(directive(t, i, "if") || directive(t, i, "elif")) || !guard_is_plain(t, i + 1, end)) return;
    for (size_t k = i + 1; k < end; k++) {
        size_t name = 0;
        size_t behind = defined_end(t, k, &name);
        if (behind == 0 || behind > end || (x = twin_at(t, name)) == NULL) continue;
        // Kept from nvcc among other conditions: whether clang's HIP is meant too, only a person can tell.
        bool whole = behind == end && (k == i + 1 || (k == i + 2 && punct(t, i + 1, '!')));
        if (punct(t, k - 1, '!') && !whole) continue;
        size_t from = t->list[k].at;
        fix_edit(
            w, FIX_GUARD, from, end_of(t, behind - 1) - from,
            arena_printf(w->arena,
                         k == i + 1 && whole ? "defined(%s) || defined(%s)" : "(defined(%s) || defined(%s))",
                         x->cuda, x->hip));
        fix_settle(w, "cuda", t->list[name].line);
    }
}

static void fix_guards(FixWork *w, const Tokens *t) {
    for (size_t i = 0; i < t->n; i++) {
        if (t->list[i].kind != C_DIRECTIVE || guarded(t, i)) continue;
        size_t end = i + 1;
        while (on_directive(t, end)) end++;
        fix_guard(w, t, i, end);
    }
}

// ---------------------------------------------------------------- headers

// What CUDA's header is on the HIP side; NULL: it stays. "": nothing is wanted for it there.
static const char *hip_header_of(const Fix *f, Str path) {
    static const char *const libraries = "runtime driver cublas cufft curand cusparse cusolver nccl nvrtc "
                                         "cucomplex cub nvtx";
    // Headers of today's CUDA and where today's ROCm keeps its own.
    static const Twin also[] = {
        {"cuda_bf16.h", "hip/hip_bf16.h"},        {"device_launch_parameters.h", ""},
        {"hipblas.h", "hipblas/hipblas.h"},       {"hipblaslt.h", "hipblaslt/hipblaslt.h"},
        {"hipsparse.h", "hipsparse/hipsparse.h"}, {"hipsolver.h", "hipsolver/hipsolver.h"}};
    const char *hip = NULL;
    if (pattern_fits("cub/*", path)) return "hipcub/hipcub.hpp";
    for (size_t i = 0; i < f->words->n_headers && hip == NULL; i++) {
        const CudaName *x = f->words->headers[i];
        bool samples = strncmp(x->cuda_name, "helper_", 7) == 0;  // of NVIDIA's samples, not of CUDA
        if (str_is(path, x->cuda_name) && x->hip_name[0] != '\0' && !samples &&
            word_in(libraries, x->library))
            hip = x->hip_name;
    }
    for (size_t i = 0; i < COUNT_OF(also); i++) {
        if (hip == NULL ? str_is(path, also[i].cuda) : strcmp(hip, also[i].cuda) == 0) return also[i].hip;
    }
    return hip;
}

static bool is_ours(const Tokens *t, size_t i) {
    Str s = word_at(t, i);
    size_t n = strlen(FIX_HEADER);
    return t->list[i].kind == C_HEADER && s.length >= n && memcmp(s.data + s.length - n, FIX_HEADER, n) == 0;
}

// The header at `i` is CUDA's, alone on a plain line, and has a counterpart.
static const char *wrappable(const FixWork *w, const Tokens *t, size_t i) {
    if (t->list[i].kind != C_HEADER || guarded(t, i)) return NULL;
    bool quoted = t->list[i].at > 0 && t->text.data[t->list[i].at - 1] == '"';
    Str path = word_at(t, i);
    if (quoted && fix_has_file(w->fix, path)) return NULL;
    size_t line = t->list[i].line - 1;
    Str s = str_trim(fix_line(&w->lines, t->text, line));
    bool plain = line < w->lines.n && w->lines.free[line] && s.length > 0 && s.data[0] == '#' &&
                 s.data[s.length - 1] != '\\' && !str_has(s, "/*");
    return plain ? hip_header_of(w->fix, path) : NULL;
}

// Is the innermost open condition at token `i` the one that keeps CUDA's headers for CUDA?
static bool is_kept_for_cuda(const Tokens *t, size_t i) {
    size_t depth = 0;
    for (size_t k = i; k > 0; k--) {
        if (directive(t, k - 1, "endif")) depth++;
        bool opens =
            directive(t, k - 1, "if") || directive(t, k - 1, "ifdef") || directive(t, k - 1, "ifndef");
        if (opens && depth-- == 0) return directive(t, k - 1, "ifndef") && is(t, k, "GPU_COMPAT_HIP");
    }
    return false;
}

static const char *include_line(FixWork *w) {
    const char *header = w->fix->header == NULL ? FIX_HEADER : w->fix->header;
    return arena_printf(w->arena, "#include \"%s\"%s", fix_relative(w->arena, w->file->path, header),
                        fix_newline(w->file->text));
}

// Runs of lines with CUDA's headers are kept for CUDA. True: the compatibility header came in before them.
static bool fix_includes(FixWork *w, const Tokens *t, bool has) {
    const char *newline = fix_newline(t->text);
    bool put = has;
    for (size_t i = 0; i < t->n; i++) {
        const char *hip = wrappable(w, t, i);
        if (hip == NULL) continue;
        if (hip[0] != '\0') fix_use_header(w->fix, hip);
        w->fix->cub = w->fix->cub || strcmp(hip, "hipcub/hipcub.hpp") == 0;
        w->compat = true;
        fix_settle(w, NULL, t->list[i].line);
        if (is_kept_for_cuda(t, i)) continue;
        size_t first = t->list[i].line - 1;
        size_t last = first;
        // "#include" is a directive and the header after it.
        while (i + 2 < t->n && t->list[i + 2].line == last + 2 && (hip = wrappable(w, t, i + 2)) != NULL) {
            if (hip[0] != '\0') fix_use_header(w->fix, hip);
            w->fix->cub = w->fix->cub || strcmp(hip, "hipcub/hipcub.hpp") == 0;
            fix_settle(w, NULL, last + 2);
            last++;
            i += 2;
        }
        size_t end = w->lines.starts[last + 1];
        bool open = t->text.data[end - 1] != '\n';
        fix_edit(w, FIX_INCLUDE, w->lines.starts[first], 0,
                 arena_printf(w->arena, "%s#ifndef GPU_COMPAT_HIP%s", put ? "" : include_line(w), newline));
        fix_edit(w, FIX_INCLUDE, end, 0,
                 arena_printf(w->arena, "%s#endif%s", open ? newline : "", open ? "" : newline));
        put = true;
    }
    return put;
}

// The first line that is outside braces and conditions (the header's own guard aside), of an #include or,
// where there is none, of code.
static size_t place_of_include(const FixWork *w, const Tokens *t) {
    bool own_guard = directive(t, 0, "ifndef") && t->n > 3 && directive(t, 2, "define");
    size_t base = own_guard ? 1 : 0;
    size_t depth = 0;
    size_t braces = 0;
    size_t code = SIZE_MAX;
    for (size_t i = 0; i < t->n; i++) {
        size_t line = t->list[i].line - 1;
        bool here = depth == base && braces == 0 && line < w->lines.n && w->lines.free[line];
        if (directive(t, i, "include") && here) return line;
        if (directive(t, i, "if") || directive(t, i, "ifdef") || directive(t, i, "ifndef")) depth++;
        if (directive(t, i, "endif") && depth > 0) depth--;
        if ((t->list[i].flags & C_IN_DIRECTIVE) != 0 || t->list[i].kind == C_DIRECTIVE) continue;
        if (code == SIZE_MAX && here) code = line;
        braces += punct(t, i, '{');
        braces -= punct(t, i, '}') && braces > 0;
    }
    return code;
}

// ---------------------------------------------------------------- names

// Names that HIP has under another one, and that the header renames there.
static bool uses_renamed(FixWork *w) {
    bool any = false;
    for (size_t i = 0; i < w->file->n_findings; i++) {
        const ScanFinding *f = &w->file->findings[i];
        const PortRule *r = &w->fix->facts->rules[f->rule];
        const CudaName *x = f->name;
        if (strncmp(r->rule, "cub-", 4) == 0 && strcmp(r->rule, "cub-internals") != 0)
            w->fix->cub = any = true;
        if (x == NULL || f->in_string || x->hip_name[0] == '\0' || strcmp(x->kind, "header") == 0 ||
            strcmp(x->cuda_name, x->hip_name) == 0 || x->shared_name != 0 || r->port_class > PORT_REVIEW ||
            strcmp(r->rule, "api-later") == 0)
            continue;
        w->fix->renamed[x - w->fix->facts->names] = 1;
        any = true;
    }
    return any;
}

void fix_c(FixWork *w) {
    Tokens t = lex(w->fix, w->file->text);
    bool has = false;
    for (size_t i = 0; i < t.n; i++) has = has || is_ours(&t, i);
    bool names = uses_renamed(w);
    fix_masks(w, &t);
    fix_warp_sizes(w, &t);
    fix_guards(w, &t);
    w->compat = w->compat || names;
    bool put = fix_includes(w, &t, has);
    if (!w->compat || put) return;
    size_t line = place_of_include(w, &t);
    if (line == SIZE_MAX) return;
    fix_edit(w, FIX_INCLUDE, w->lines.starts[line], 0, include_line(w));
}
