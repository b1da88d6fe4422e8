// C, C++ and CUDA: headers, guards, and names.
#include <string.h>

#include "src/migrate/fix_tokens.h"

// ---------------------------------------------------------------- guards

typedef struct Twin {
    const char *cuda, *hip;
} Twin;

// Macros of which HIP has an exact twin: a compiler that takes kernels, and its pass for the device.
static const Twin twins[] = {{"__CUDACC__", "__HIPCC__"}, {"__CUDA_ARCH__", "__HIP_DEVICE_COMPILE__"}};

static const Twin *twin_at(const Tokens *t, size_t i) {
    for (size_t k = 0; k < COUNT_OF(twins); k++) {
        if (tokens_is(t, i, twins[k].cuda)) return &twins[k];
    }
    return NULL;
}

// `defined(X)` or `defined X` at `i`; the token behind it. 0: neither.
static size_t defined_end(const Tokens *t, size_t i, size_t *ret_name) {
    if (!tokens_is(t, i, "defined")) return 0;
    *ret_name = tokens_punct(t, i + 1, '(') ? i + 2 : i + 1;
    if (*ret_name == i + 1) return i + 2;
    return tokens_punct(t, i + 3, ')') ? i + 4 : 0;
}

// May this condition name HIP too? Not when it speaks of it already, and not when a macro of CUDA is used for
// its number as well.
static bool guard_is_plain(const Tokens *t, size_t from, size_t end) {
    for (size_t k = from; k < end; k++) {
        Str s = tokens_word(t, k);
        if (t->list[k].kind != C_WORD) continue;
        if (str_has(s, "HIP") || str_has(s, "ROCM") || str_has(s, "AMD") || str_has(s, "hip")) return false;
        bool number = twin_at(t, k) != NULL && !tokens_is(t, k - 1, "defined") &&
                      !(tokens_punct(t, k - 1, '(') && tokens_is(t, k - 2, "defined"));
        if (number || str_has(s, "__CUDACC_VER") || str_has(s, "CUDA_VERSION") ||
            str_has(s, "CUDART_VERSION"))
            return false;
    }
    return true;
}

static void fix_guard(FixWork *w, const Tokens *t, size_t i, size_t end) {
    const Twin *x = twin_at(t, i + 1);
    bool yes = tokens_directive(t, i, "ifdef");
    if ((yes || tokens_directive(t, i, "ifndef")) && x != NULL) {
        size_t from = t->list[i].at;
        fix_edit(w, FIX_GUARD, from, tokens_end(t, i + 1) - from,
                 arena_printf(w->arena,
                              yes ? "if defined(%s) || defined(%s)" : "if !defined(%s) && !defined(%s)",
                              x->cuda, x->hip));
        fix_settle(w, "cuda", t->list[i].line);
        return;
    }
    if (!(tokens_directive(t, i, "if") || tokens_directive(t, i, "elif")) || !guard_is_plain(t, i + 1, end))
        return;
    for (size_t k = i + 1; k < end; k++) {
        size_t name = 0;
        size_t behind = defined_end(t, k, &name);
        if (behind == 0 || behind > end || (x = twin_at(t, name)) == NULL) continue;
        // Kept from nvcc among other conditions: whether clang's HIP is meant too, only a person can tell.
        bool whole = behind == end && (k == i + 1 || (k == i + 2 && tokens_punct(t, i + 1, '!')));
        if (tokens_punct(t, k - 1, '!') && !whole) continue;
        size_t from = t->list[k].at;
        fix_edit(
            w, FIX_GUARD, from, tokens_end(t, behind - 1) - from,
            arena_printf(w->arena,
                         k == i + 1 && whole ? "defined(%s) || defined(%s)" : "(defined(%s) || defined(%s))",
                         x->cuda, x->hip));
        fix_settle(w, "cuda", t->list[name].line);
    }
}

static void fix_guards(FixWork *w, const Tokens *t) {
    for (size_t i = 0; i < t->n; i++) {
        if (t->list[i].kind != C_DIRECTIVE || tokens_guarded(t, i)) continue;
        size_t end = i + 1;
        while (tokens_on_directive(t, end)) end++;
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
    Str s = tokens_word(t, i);
    size_t n = strlen(FIX_HEADER);
    return t->list[i].kind == C_HEADER && s.length >= n && memcmp(s.data + s.length - n, FIX_HEADER, n) == 0;
}

// The header at `i` is CUDA's, alone on a plain line, and has a counterpart.
static const char *wrappable(const FixWork *w, const Tokens *t, size_t i) {
    if (t->list[i].kind != C_HEADER || tokens_guarded(t, i)) return NULL;
    bool quoted = t->list[i].at > 0 && t->text.data[t->list[i].at - 1] == '"';
    Str path = tokens_word(t, i);
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
        if (tokens_directive(t, k - 1, "endif")) depth++;
        bool opens = tokens_directive(t, k - 1, "if") || tokens_directive(t, k - 1, "ifdef") ||
                     tokens_directive(t, k - 1, "ifndef");
        if (opens && depth-- == 0)
            return tokens_directive(t, k - 1, "ifndef") && tokens_is(t, k, "GPU_COMPAT_HIP");
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
    bool own_guard = tokens_directive(t, 0, "ifndef") && t->n > 3 && tokens_directive(t, 2, "define");
    size_t base = own_guard ? 1 : 0;
    size_t depth = 0;
    size_t braces = 0;
    size_t code = SIZE_MAX;
    for (size_t i = 0; i < t->n; i++) {
        size_t line = t->list[i].line - 1;
        bool here = depth == base && braces == 0 && line < w->lines.n && w->lines.free[line];
        if (tokens_directive(t, i, "include") && here) return line;
        if (tokens_directive(t, i, "if") || tokens_directive(t, i, "ifdef") ||
            tokens_directive(t, i, "ifndef"))
            depth++;
        if (tokens_directive(t, i, "endif") && depth > 0) depth--;
        if ((t->list[i].flags & C_IN_DIRECTIVE) != 0 || t->list[i].kind == C_DIRECTIVE) continue;
        if (code == SIZE_MAX && here) code = line;
        braces += tokens_punct(t, i, '{');
        braces -= tokens_punct(t, i, '}') && braces > 0;
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
    Tokens t = tokens_of(w->fix, w->file->text);
    bool has = false;
    for (size_t i = 0; i < t.n; i++) has = has || is_ours(&t, i);
    bool names = uses_renamed(w);
    fix_masks(w, &t);
    fix_votes(w, &t);
    fix_warp_sizes(w, &t);
    fix_guards(w, &t);
    w->compat = w->compat || names;
    bool put = fix_includes(w, &t, has);
    if (!w->compat || put) return;
    size_t line = place_of_include(w, &t);
    if (line == SIZE_MAX) return;
    fix_edit(w, FIX_INCLUDE, w->lines.starts[line], 0, include_line(w));
}
