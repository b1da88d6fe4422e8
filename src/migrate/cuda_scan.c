// Rules over the tokens of C, C++ and CUDA: names, qualified names, headers, launches, and what the text
// itself defines.
#include <string.h>

#include "src/migrate/cuda_scan.h"

enum { BACK_MAX = 200, SCOPE_BYTES_MAX = 160 };

// Code points between the start of `to`'s line and `to`, when there were `before` of them up to `from`, a
// place not after it.
static size_t points_on_line(Str text, size_t from, size_t to, size_t before) {
    for (const char *at = text.data + from; (at = memchr(at, '\n', to - (size_t)(at - text.data))) != NULL;) {
        at++;
        from = (size_t)(at - text.data);
        before = 0;
    }
    return before + str_points((Str){text.data + from, to - from});
}

static CFinding finding_at(Scan *s, uint16_t rule, size_t i, const CudaName *name) {
    const CToken *t = &s->tokens[i];
    CFinding f = {.rule = (uint16_t)(rule - 1),
                  .in_string = s->in_string || t->kind == C_STRING,
                  .device = s->device,
                  .line = t->line,
                  .offset = t->at,
                  .length = t->length,
                  .name = name};
    const CToken *last = &s->tokens[i + s->span];
    f.length = last->at + last->length - t->at;
    f.word = (Str){s->text.data + t->at, f.length};
    // Columns: tokens come mostly in order.
    if (t->at < s->place) s->place = s->points = 0;
    s->points = points_on_line(s->text, s->place, t->at, s->points);
    s->place = t->at;
    f.column = s->points + 1;
    return f;
}

void scan_report_rule(Scan *s, uint16_t rule, size_t i, const CudaName *name) {
    if (rule == 0) return;
    CFinding f = finding_at(s, rule, i, name);
    s->sink->finding(s->sink->context, &f);
}

void scan_narrow(Scan *s, const char *rule, size_t i, const Width *w) {
    uint16_t k = cuda_rule(s->words, rule);
    if (k == 0 || w->unknown || (w->n == 0 && !(w->bits > 0 && w->bits < WIDTH_ANY))) return;
    CQuestion q = {finding_at(s, k, i, NULL), *w};
    q.finding.declared_line = s->declared;
    if (w->n > 0 && s->sink->question != NULL) {
        s->sink->question(s->sink->context, &q);
    } else if (w->n == 0 || narrow_by_spelling(w)) {
        s->sink->finding(s->sink->context, &q.finding);
    }
}

void scan_report(Scan *s, const char *rule, size_t i) {
    scan_report_rule(s, cuda_rule(s->words, rule), i, NULL);
}

// ---------------------------------------------------------------- launches

// Steps back over "<...>" that ends at `i`; the token before it, or SIZE_MAX.
size_t before_template(const Scan *s, size_t i) {
    size_t depth = 0;
    for (size_t k = i; k > 0 && k + BACK_MAX > i; k--) {
        if (token_char(s, k, '>')) depth++;
        if (token_char(s, k, ';') || token_char(s, k, '{') || token_char(s, k, '}')) break;
        if (token_char(s, k, '<') && --depth == 0) return k - 1;
    }
    return SIZE_MAX;
}

// The kernel's name before the chevrons at `i`: plain, qualified, with template arguments, or in parentheses.
static size_t kernel_name(const Scan *s, size_t i) {
    if (i == 0) return SIZE_MAX;
    size_t k = i - 1;
    if (token_char(s, k, ')')) {
        size_t depth = 0;
        for (; k > 0 && k + BACK_MAX > i; k--) {
            if (token_char(s, k, ')')) depth++;
            if (token_char(s, k, '(') && --depth == 0) break;
        }
        // A macro's call, or the kernel in parentheses: its last name outside template arguments.
        if (k > 0 && s->tokens[k - 1].kind == C_WORD) return k - 1;
        while (k + 1 < i && s->tokens[k + 1].kind != C_WORD) k++;
        while (k + 3 < i && s->tokens[k + 2].kind == C_SCOPE) k += 2;
        return k + 1 < i ? k + 1 : SIZE_MAX;
    }
    if (token_char(s, k, '>')) k = before_template(s, k);
    return k != SIZE_MAX && s->tokens[k].kind == C_WORD ? k : SIZE_MAX;
}

static bool chevrons_close(const Scan *s, size_t i) {
    size_t depth = 0;
    for (size_t k = i + 1; k + 2 < s->n && k < i + AHEAD_MAX; k++) {
        if (token_char(s, k, '(') || token_char(s, k, '{') || token_char(s, k, '[')) depth++;
        if ((token_char(s, k, ')') || token_char(s, k, '}') || token_char(s, k, ']')) && depth > 0) depth--;
        if (depth == 0 && token_char(s, k, ';')) return false;
        if (depth == 0 && token_char(s, k, '>') && token_char(s, k + 1, '>') && token_char(s, k + 2, '>'))
            return true;
    }
    return false;
}

// The literal that the launch argument at `k` begins with: "1024", "dim3(1024, 2)". 0: none.
static double launch_literal(const Scan *s, size_t k) {
    if (token_is(s, k, "dim3") && token_char(s, k + 1, '(')) k += 2;
    int64_t n = 0;
    Str t = token_text(s, k);
    bool ends = token_char(s, k + 1, ',') || token_char(s, k + 1, ')') || token_char(s, k + 1, '>');
    if (k >= s->n || s->tokens[k].kind != C_NUMBER || !ends) return 0;
    while (t.length > 1 && strchr("uUlL", t.data[t.length - 1]) != NULL) t.length--;
    if (t.length < 3 || t.length > 12 || t.data[0] != '0' || (t.data[1] | 32) != 'x')
        return parse_integer(t, 1, INT64_MAX, &n, NULL) ? (double)n : 0;
    for (size_t i = 2; i < t.length; i++) {
        char c = char_lower(t.data[i]);
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return 0;
        n = n * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return (double)n;
}

// Do the literals of `<<<grid, block>>>` make 2^32 threads or more in the first dimension?
static bool is_huge_launch(const Scan *s, size_t i) {
    size_t depth = 0;
    double grid = launch_literal(s, i + 1);
    for (size_t k = i + 1; grid > 0 && k < s->n && k < i + BACK_MAX; k++) {
        depth += token_char(s, k, '(');
        if (token_char(s, k, ')') && depth > 0) depth--;
        if (depth == 0 && token_char(s, k, ',')) return grid * launch_literal(s, k + 1) >= 4294967296.0;
    }
    return false;
}

static void take_launch(Scan *s, size_t i) {
    size_t name = kernel_name(s, i);
    if (name == SIZE_MAX || !chevrons_close(s, i)) return;
    scan_report(s,
                s->device              ? "dynamic-parallelism"
                : is_huge_launch(s, i) ? "grid-over-2e32"
                                       : "kernel-launch",
                name);
}

// ---------------------------------------------------------------- qualified names

// Takes "a::b::c" as a whole: the token after it.
static size_t take_scoped(Scan *s, size_t i) {
    char chain[SCOPE_BYTES_MAX];
    size_t n = 0;
    size_t k = i;
    for (;;) {
        Str t = token_text(s, k);
        if (n + t.length + 3 > sizeof chain) break;
        memcpy(chain + n, t.data, t.length);
        n += t.length;
        if (s->tokens[k + 1].kind != C_SCOPE || k + 2 >= s->n || s->tokens[k + 2].kind != C_WORD) break;
        memcpy(chain + n, "::", 2);
        n += 2;
        k += 2;
    }
    uint16_t rule = cuda_pattern(s->words, PLACE_QUALIFIED, (Str){chain, n});
    if (rule == 0) return i + 1;
    s->span = k - i;
    scan_report_rule(s, rule, i, NULL);
    s->span = 0;
    return k + 1;
}

// `using namespace nvcuda;`, `namespace cg = cooperative_groups;`
static void take_namespace(Scan *s, size_t i) {
    if (i == 0 || !(token_is(s, i - 1, "namespace") || token_char(s, i - 1, '='))) return;
    if (token_char(s, i + 1, '{')) return;
    if (token_is(s, i, "cooperative_groups")) scan_report(s, "coop-groups-basic", i);
    if (token_is(s, i, "nvcuda")) scan_report(s, "wmma-api", i);
}

// ---------------------------------------------------------------- names

static bool is_member(const Scan *s, size_t i) {
    return i > 0 &&
           (token_char(s, i - 1, '.') || (token_char(s, i - 1, '>') && i > 1 && token_char(s, i - 2, '-')));
}

static bool allowed(const Scan *s, size_t i, uint8_t needs) {
    if ((needs & NEED_CUDA) != 0 && !s->cuda) return false;
    if ((needs & NEED_DEVICE) != 0 && !s->device) return false;
    if ((needs & NEED_CALL) != 0 && !token_char(s, i + 1, '(')) return false;
    return (needs & NEED_MEMBER) == 0 || is_member(s, i);
}

// A name of CUDA that belongs to something else here: x.min, my::min, std::max.
static bool is_foreign(const Scan *s, size_t i, const CWord *w) {
    if (i == 0) return false;
    bool member = is_member(s, i);
    bool field = w->name != NULL && strcmp(w->name->kind, "function") != 0 &&
                 strcmp(w->name->kind, "device-function") != 0;
    if (member) return !(field && w->name->shared_name == 0);
    if (s->tokens[i - 1].kind != C_SCOPE || i < 2 || s->tokens[i - 2].kind != C_WORD) return false;
    // "cudaDataType::CUDA_R_16BF" is CUDA's twice.
    uint16_t owner = s->tokens[i - 2].word;
    return !(field && owner != 0 && s->words->words[owner - 1].name != NULL &&
             s->words->words[owner - 1].name->shared_name == 0);
}

static void take_known(Scan *s, size_t i, const CWord *w) {
    if (w->action != ACT_NONE) scan_action(s, i, (CAction)w->action);
    if (w->rule == 0 || !allowed(s, i, w->needs)) return;
    if ((w->needs & NEED_MEMBER) == 0 && is_foreign(s, i, w)) return;
    scan_report_rule(s, w->rule, i, w->name);
}

// cuda and a capital: a name of CUDA that no table has, or of the project.
bool looks_cuda(Str t) {
    return t.length > 5 && memcmp(t.data, "cuda", 4) == 0 && t.data[4] >= 'A' && t.data[4] <= 'Z';
}

static void take_unknown(Scan *s, size_t i) {
    Str t = token_text(s, i);
    size_t start = t.length < 2 ? 0 : (size_t)((unsigned char)t.data[0] << 8 | (unsigned char)t.data[1]);
    if (((unsigned)s->words->starts[start / 8] >> start % 8 & 1u) != 0) {
        for (size_t k = 0; k < s->words->n_patterns[PLACE_WORD]; k++) {
            const CPattern *p = &s->words->patterns[PLACE_WORD][k];
            if (t.length < p->length || memcmp(t.data, p->text, p->length) != 0 ||
                !pattern_fits(p->text, t) || !allowed(s, i, p->needs))
                continue;
            // No function or type of a library is a member: x.curand_states is the tree's own.
            if ((p->needs & (NEED_MEMBER | MEMBER_TOO)) == 0 && is_member(s, i)) return;
            scan_report_rule(s, p->rule, i, NULL);
            return;
        }
    }
    bool member = i > 0 && (token_char(s, i - 1, '.') || s->tokens[i - 1].kind == C_SCOPE);
    if (looks_cuda(t) && !member) {
        scan_report(s, "api-unknown", i);
    } else if (s->device) {
        scan_plain(s, i);
        if (i > 0 && token_is(s, i - 1, "new") && token_char(s, i + 1, '['))
            scan_report(s, "device-malloc", i - 1);
    }
    // constexpr int kWarpSize = 32;
    if (s->cuda && s->words->lanes64 && t.length > 7 && token_char(s, i + 1, '=') &&
        token_char(s, i + 3, ';') && str_is(token_text(s, i + 2), "32") &&
        (str_has(t, "arpSize") || str_has(t, "arp_size") || str_has(t, "ARP_SIZE")))
        scan_report(s, "warp-size-define", i);
}

// ---------------------------------------------------------------- the walk

static void take_header(Scan *s, size_t i) {
    Str path = token_text(s, i);
    bool quoted = (s->tokens[i].flags & C_QUOTED) != 0;
    if (s->sink->include != NULL && s->sink->include(s->sink->context, path, quoted)) return;
    uint16_t rule = cuda_pattern(s->words, PLACE_HEADER, path);
    if (rule != 0) {
        scan_report_rule(s, rule, i, NULL);
        return;
    }
    for (size_t k = 0; k < s->words->n_headers; k++) {
        const CudaName *x = s->words->headers[k];
        if (!str_is(path, x->cuda_name)) continue;
        scan_report_rule(s, cuda_rule(s->words, x->hip_name[0] != '\0' ? "api-rename" : "api-unmapped"), i,
                         x);
        return;
    }
}

static void take_braces(Scan *s, size_t i) {
    char c = s->text.data[s->tokens[i].at];
    if (c == '{') {
        s->depth++;
        if (s->device_head && !s->device) {
            s->device = true;
            s->device_depth = s->depth;
        }
        s->device_head = false;
    } else if (c == '}') {
        if (s->device && s->depth == s->device_depth) s->device = false;
        if (s->depth > 0) s->depth--;
        s->device_head = false;
    } else if (c == ';') {
        s->device_head = false;
    }
}

// `#ifndef USE_CUDA`, `#if !defined(USE_CUDA)`: code for builds without CUDA, where a ROCm build would land.
static void take_directive(Scan *s, size_t i) {
    static const char *const switches[] = {"USE_CUDA", "WITH_CUDA", "HAVE_CUDA", "ENABLE_CUDA"};
    bool not_defined = str_is(token_text(s, i), "ifndef");
    if (str_is(token_text(s, i), "define")) {
        if (i + 1 < s->n && s->tokens[i + 1].kind == C_WORD) {
            define(s, i + 1);
            scan_define(s, i + 1);
            scan_symbol(s, i);
        }
        return;
    }
    if (str_is(token_text(s, i), "pragma") && token_is(s, i + 1, "acc")) scan_report(s, "acc-pragma", i + 1);
    if (!not_defined && !(str_is(token_text(s, i), "if") && token_char(s, i + 1, '!'))) return;
    for (size_t k = i + 1; k < s->n && k < i + 5 && s->tokens[k].kind != C_DIRECTIVE &&
                           (s->tokens[k].flags & C_IN_DIRECTIVE) != 0;
         k++) {
        Str t = token_text(s, k);
        for (size_t p = 0; p < COUNT_OF(switches); p++) {
            size_t n = strlen(switches[p]);
            if (s->tokens[k].kind != C_WORD || t.length < n ||
                memcmp(t.data + t.length - n, switches[p], n) != 0)
                continue;
            scan_report(s, "not-cuda-guard", k);
            return;
        }
    }
}

static size_t take_word(Scan *s, size_t i) {
    const CToken *t = &s->tokens[i];
    if (t->word == 0) {
        Str x = token_text(s, i);
        if (x.length > 1) take_unknown(s, i);
        if (may_be_named(s, i)) definitions(s, i);
        return i + 1;
    }
    const CWord *w = &s->words->words[t->word - 1];
    if ((w->flags & WORD_DEVICE) != 0) s->device_head = true;
    if (w->name != NULL) definitions(s, i);
    if ((w->flags & WORD_QUALIFIER) != 0) {
        if (s->tokens[i + 1].kind == C_SCOPE &&
            !(i > 0 && s->tokens[i - 1].kind == C_SCOPE && i > 1 && s->tokens[i - 2].kind == C_WORD))
            return take_scoped(s, i);
        take_namespace(s, i);
    }
    take_known(s, i, w);
    return i + 1;
}

// In code that a condition keeps for AMD or away from it: who includes whom, and what is declared there, still
// counts.
static void take_guarded(Scan *s, size_t i) {
    const CToken *t = &s->tokens[i];
    if (t->kind == C_HEADER && s->sink->include != NULL)
        s->sink->include(s->sink->context, token_text(s, i), (t->flags & C_QUOTED) != 0);
    bool declares = t->kind == C_DIRECTIVE
                        ? str_is(token_text(s, i), "define")
                        : t->word != 0 && s->words->words[t->word - 1].action == ACT_DECLARES;
    if (declares) scan_symbol(s, i);
    if (t->kind == C_DIRECTIVE && declares && i + 1 < s->n) define(s, i + 1);
    bool known = t->word != 0 && s->words->words[t->word - 1].name == NULL;
    if (t->kind == C_WORD && !known && may_be_named(s, i)) definitions(s, i);
}

static void take_branch(Scan *s, size_t i) {
    Str t = token_text(s, i);
    if (str_is(t, "if") || str_is(t, "ifdef") || str_is(t, "ifndef")) {
        if (s->n_branches++ < BRANCHES_MAX)
            s->branches[s->n_branches - 1] = (Braces){s->depth, s->device_depth, s->device, s->device_head};
    } else if (s->n_branches == 0) {
        return;
    } else if (str_is(t, "endif")) {
        s->n_branches--;
    } else if ((str_is(t, "else") || str_is(t, "elif")) && s->n_branches <= BRANCHES_MAX) {
        const Braces *b = &s->branches[s->n_branches - 1];
        s->depth = b->depth;
        s->device_depth = b->device_depth;
        s->device = b->device;
        s->device_head = b->device_head;
    }
}

static void scan_tokens(Scan *s) {
    size_t i = 0;
    while (i < s->n) {
        const CToken *t = &s->tokens[i];
        if (t->kind == C_DIRECTIVE) take_branch(s, i);
        if ((t->flags & C_GUARDED) != 0 && t->kind != C_PUNCT) {
            take_guarded(s, i);
            i++;
        } else if (t->kind == C_WORD) {
            i = take_word(s, i);
        } else {
            if (t->kind == C_PUNCT && (t->flags & (C_IN_DIRECTIVE | C_GUARDED)) == 0) take_braces(s, i);
            if (t->kind == C_NUMBER) scan_number(s, i);
            if (t->kind == C_LAUNCH) take_launch(s, i);
            if (t->kind == C_HEADER) take_header(s, i);
            if (t->kind == C_DIRECTIVE) take_directive(s, i);
            if (t->kind == C_STRING) scan_string(s, i);
            i++;
        }
    }
}

static bool has_cuda_header(const CToken *tokens, size_t n, Str text) {
    static const char *const starts[] = {"cuda*",       "cub/*",
                                         "cutlass/*",   "cute/*",
                                         "mma.h",       "cooperative_groups*",
                                         "thrust/*",    "device_launch_parameters.h",
                                         "ATen/cuda/*", "c10/cuda/*"};
    for (size_t i = 0; i < n; i++) {
        if (tokens[i].kind != C_HEADER) continue;
        for (size_t k = 0; k < COUNT_OF(starts); k++) {
            if (pattern_fits(starts[k], (Str){text.data + tokens[i].at, tokens[i].length})) return true;
        }
    }
    return false;
}

// Strings that hold kernels (NVRTC) are source by themselves, one level deep.
typedef struct Inner {
    const CSink *sink;
    size_t line, offset, column;
} Inner;

static void inner_finding(void *context, const CFinding *f) {
    const Inner *in = context;
    CFinding moved = *f;
    if (f->line == 1) moved.column += in->column - 1;
    moved.line += in->line - 1;
    moved.offset += in->offset;
    moved.in_string = true;
    in->sink->finding(in->sink->context, &moved);
}

static void inner_source(const CWords *w, Str text, const CToken *t, size_t column, const CSink *sink) {
    Inner in = {sink, t->line, t->at, column};
    CSink inner = {.context = &in, .finding = inner_finding};
    Buf tokens;
    Locals locals = {0};
    CLexed lexed;
    buf_init(&tokens, BUF_LIMIT);
    buf_init(&locals.rows, BUF_LIMIT);
    bool raw = (t->flags & C_RAW) != 0;
    Str source = {text.data + t->at, t->length};
    c_lex(w, source, !raw, &tokens, &lexed);
    size_t n = tokens.length / sizeof(CToken);
    Scan s = {.words = w,
              .text = source,
              .tokens = (const CToken *)(const void *)tokens.data,
              .n = n - 1,
              .sink = &inner,
              .cuda = true,
              .in_string = true,
              .locals = &locals,
              .lexed = &lexed};
    scan_tokens(&s);
    buf_free(&tokens);
    buf_free(&locals.rows);
}

void cuda_scan(const CWords *w, Str text, bool cuda_file, bool escaped, Buf *tokens, const CSink *sink,
               CLexed *ret) {
    c_lex(w, text, escaped, tokens, ret);
    const CToken *list = (const CToken *)(const void *)tokens->data;
    size_t n = tokens->length / sizeof(CToken) - 1;
    bool cuda = cuda_file || has_cuda_header(list, n, text) || (ret->mark && ret->hip_at == 0);
    Locals locals = {0};
    Scan s = {.words = w,
              .text = text,
              .tokens = list,
              .n = n,
              .sink = sink,
              .cuda = cuda,
              .locals = &locals,
              .lexed = ret};
    buf_init(&locals.rows, BUF_LIMIT);
    scan_tokens(&s);
    buf_free(&locals.rows);
    ret->mark = cuda;
    size_t place = 0;
    size_t points = 0;
    for (size_t i = 0; i < n; i++) {
        Str t = {text.data + list[i].at, list[i].length};
        if (list[i].kind != C_STRING || (list[i].flags & C_GUARDED) != 0 || t.length <= 20 ||
            !str_has(t, "__global__"))
            continue;
        points = points_on_line(text, place, list[i].at, points);
        place = list[i].at;
        inner_source(w, text, &list[i], points + 1, sink);
    }
}
