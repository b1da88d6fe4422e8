// Rules that need more than a word: masks, lanes, assembly, symbols and options in strings, macros.
#include <string.h>

#include "src/migrate/cuda_scan.h"

enum { LOOK_MAX = 400 };

// "FULL_MASK", "WARP_MASK", "kFullWarpMask": what nothing that was read declares is judged by how it is written.
static bool is_mask_constant(Str t) {
    bool full = str_has(t, "FULL") || str_has(t, "Full") || str_has(t, "WARP") || str_has(t, "Warp") ||
                str_has(t, "ALL");
    return full && (str_has(t, "MASK") || (t.data[0] == 'k' && str_has(t, "Mask")));
}

bool narrow_by_spelling(const Width *w) {
    bool all = w->n > 0 && !w->unknown && w->bits < WIDTH_ANY;
    for (size_t i = 0; i < w->n; i++) all = all && is_mask_constant(w->names[i]);
    return all;
}

static bool number_is(const Scan *s, size_t i, const char *a, const char *b) {
    if (i >= s->n || s->tokens[i].kind != C_NUMBER) return false;
    Str t = token_text(s, i);
    while (t.length > 1 && strchr("uUlL", t.data[t.length - 1]) != NULL) t.length--;
    return str_is(t, a) || str_is(t, b);
}

static bool is_width(const Scan *s, size_t i) {
    return number_is(s, i, "32", "16") || number_is(s, i, "8", "4") || number_is(s, i, "2", "2");
}

static bool is_lane_word(Str t) {
    return str_has(t, "lane") || str_has(t, "Lane") || str_has(t, "LANE") || str_is(t, "tid") ||
           str_is(t, "tidx") || str_is(t, "idx") || str_has(t, "thread") || str_has(t, "Thread");
}

// Is what ends at `i` an index of threads? "threadIdx.x", "tid", "(threadIdx.x)".
static bool is_lane_at(const Scan *s, size_t i) {
    if (token_char(s, i, ')') && i > 0) i--;
    if (s->tokens[i].kind != C_WORD) return false;
    Str t = token_text(s, i);
    if (t.length == 1 && strchr("xyz", t.data[0]) != NULL && i >= 2 && token_char(s, i - 1, '.'))
        t = token_text(s, i - 2);
    return is_lane_word(t);
}

// `uint32_t m = __ballot_sync(`, `m |= __ballot_sync(`, `masks[k] = __ballot_sync(`: the variable that keeps the
// vote at `i`. SIZE_MAX: none.
static size_t kept_in(const Scan *s, size_t i) {
    enum { INDEX_MAX = 20 };
    if (i < 3 || !token_char(s, i - 1, '=')) return SIZE_MAX;
    size_t k = i - 2;
    if (token_char(s, k, '|') || token_char(s, k, '&') || token_char(s, k, '^')) k--;
    for (size_t from = k; token_char(s, k, ']') && k > 0;) {
        while (k > 0 && k + INDEX_MAX > from && !token_char(s, k, '[')) k--;
        if (k == 0 || !token_char(s, k, '[')) return SIZE_MAX;
        k--;
    }
    return s->tokens[k].kind == C_WORD ? k : SIZE_MAX;
}

static void act_vote(Scan *s, size_t i) {
    size_t k = s->words->lanes64 ? kept_in(s, i) : SIZE_MAX;
    if (k == SIZE_MAX) return;
    Width w = width_of_variable(s, k);
    scan_narrow(s, "warp-mask-var32", i, &w);
}

// The end of the first argument in the parentheses at `open`.
static size_t argument_end(const Scan *s, size_t open, size_t close) {
    size_t depth = 0;
    for (size_t k = open; k < close && k < s->n; k++) {
        depth += token_char(s, k, '(') || token_char(s, k, '{') || token_char(s, k, '[');
        depth -= (token_char(s, k, ')') || token_char(s, k, '}') || token_char(s, k, ']')) && depth > 0;
        if (depth == 1 && token_char(s, k, ',')) return k;
    }
    return close < s->n ? close : open + 1;
}

// Arguments in the parentheses at `open`: commas outside brackets of any kind, and one more.
static size_t argument_count(const Scan *s, size_t open, size_t close) {
    size_t n = 1;
    for (size_t k = argument_end(s, open, close); k < close && k < s->n; n++) {
        size_t depth = 1;
        for (k++; k < close && k < s->n && !(depth == 1 && token_char(s, k, ',')); k++) {
            depth += token_char(s, k, '(') || token_char(s, k, '{') || token_char(s, k, '[');
            depth -= (token_char(s, k, ')') || token_char(s, k, '}') || token_char(s, k, ']')) && depth > 1;
        }
    }
    return n;
}

// A vote or shuffle with a mask. HIP refuses masks of under 64 bits on every target.
static void act_masked(Scan *s, size_t i) {
    if (!token_char(s, i + 1, '(')) return;
    size_t close = token_close(s, i + 1);
    Width w = width_of_expression(s, i + 2, argument_end(s, i + 1, close));
    Str call = token_text(s, i);
    bool narrow = w.n > 0 || (w.bits > 0 && w.bits < WIDTH_ANY);
    s->lexed->masks++;
    s->lexed->masks_unknown += w.unknown;
    scan_narrow(s, "warp-mask-literal32", i, &w);
    // Of these calls only votes and matches give a mask.
    if (str_has(call, "__ballot") || str_has(call, "__match")) act_vote(s, i);
    // The width is the last of four; the last of three is the lane or the distance.
    enum { WITH_WIDTH = 4 };
    if (!(narrow && !w.unknown && w.n == 0) && s->words->lanes64 && close < s->n && close >= 2 &&
        str_has(call, "__shfl") && token_char(s, close - 2, ',') && is_width(s, close - 1) &&
        argument_count(s, i + 1, close) == WITH_WIDTH)
        scan_report(s, "warp-width-subtile", i);
}

static void act_popc(Scan *s, size_t i) {
    if (!s->words->lanes64 || !token_char(s, i + 1, '(') || i + 2 >= s->n || s->tokens[i + 2].kind != C_WORD)
        return;
    Str t = token_text(s, i + 2);
    bool votes = str_has(t, "__ballot") || str_has(t, "__activemask") || str_has(t, "mask") ||
                 str_has(t, "Mask") || str_has(t, "ballot");
    if (votes) scan_report(s, "ballot-popc32", i);
}

static void act_for(Scan *s, size_t i) {
    if (!s->words->lanes64 || !s->device || !token_char(s, i + 1, '(')) return;
    size_t close = token_close(s, i + 1);
    bool starts = false;
    bool halves = false;
    for (size_t k = i + 2; k < close && k < s->n; k++) {
        starts =
            starts || (token_char(s, k, '=') && number_is(s, k + 1, "16", "16") && token_char(s, k + 2, ';'));
        halves = halves ||
                 (token_char(s, k, '>') && token_char(s, k + 1, '>') && token_char(s, k + 2, '=')) ||
                 (token_char(s, k, '/') && token_char(s, k + 1, '='));
    }
    if (starts && halves) scan_report(s, "shuffle-tree-16", i);
}

static void act_shared(Scan *s, size_t i) {
    for (size_t k = i + 1; k < s->n && k < i + 24; k++) {
        if (token_char(s, k, ';') || token_char(s, k, '=') || token_char(s, k, '(')) return;
        if (token_is(s, k, "volatile")) {
            scan_report(s, "implicit-warp-sync", i);
            return;
        }
        if (!token_char(s, k, '[') || !number_is(s, k + 1, "32", "0x20") || !token_char(s, k + 2, ']'))
            continue;
        // Behind a dimension of many rows, 32 is the width of a tile.
        bool tile = k > 1 && token_char(s, k - 1, ']') && s->tokens[k - 2].kind == C_NUMBER &&
                    s->tokens[k - 2].length > 1;
        if (s->words->lanes64 && !tile && !token_char(s, k + 3, '[')) scan_report(s, "shared-32-slots", i);
        return;
    }
}

// A pointer to shared memory that is volatile: warps that were taken to run in step.
static void act_volatile(Scan *s, size_t i) {
    if (!s->cuda || !s->device) return;
    if (i > 0 && token_is(s, i - 1, "__shared__")) return;  // reported there
    for (size_t k = i + 1; k + 1 < s->n && k < i + 5; k++) {
        if (token_is(s, k, "__shared__")) {
            scan_report(s, "implicit-warp-sync", i);
            return;
        }
        if (!token_char(s, k, '*') || s->tokens[k + 1].kind != C_WORD) continue;
        Str t = token_text(s, k + 1);
        if (str_has(t, "smem") || str_has(t, "sdata") || str_has(t, "shared") || pattern_fits("sh*", t))
            scan_report(s, "implicit-warp-sync", i);
        return;
    }
}

static void act_bounds(Scan *s, size_t i) {
    if (!token_char(s, i + 1, '(')) return;
    size_t close = token_close(s, i + 1);
    size_t depth = 0;
    for (size_t k = i + 1; k < close && k < s->n; k++) {
        depth += token_char(s, k, '(');
        depth -= token_char(s, k, ')') && depth > 0;
        if (depth == 1 && token_char(s, k, ',')) {
            scan_report(s, "launch-bounds-2", i);
            return;
        }
    }
}

static void act_lookup(Scan *s, size_t i) {
    size_t close = token_char(s, i + 1, '(') ? token_close(s, i + 1) : i;
    if (i < s->consumed) return;  // dlsym(dlopen(...), ...) is one piece of work
    for (size_t k = i + 2; k < close && k < s->n; k++) {
        if (s->tokens[k].kind != C_STRING) continue;
        Str t = token_text(s, k);
        static const char *const parts[] = {"libcuda",       "libcudart",    "libnvrtc", "libcublas",
                                            "libcudnn",      "libnvidia-ml", "libnccl",  "nvcuda",
                                            "libnvToolsExt", "libcupti"};
        bool ours = pattern_fits("cu*", t) || pattern_fits("nvrtc*", t) || pattern_fits("nvml*", t) ||
                    pattern_fits("nccl*", t);
        for (size_t p = 0; p < COUNT_OF(parts); p++)
            ours = ours || pattern_fits(parts[p], t) || str_has(t, parts[p]);
        if (!ours) continue;
        scan_report(s, "dlsym-driver", i);
        s->consumed = close < s->n ? close : k + 1;
        return;
    }
}

// The operator at `i` that compares: its tokens, or 0. Templates and shifts compare nothing.
static size_t comparison(const Scan *s, size_t i) {
    bool doubled = token_char(s, i + 1, '=');
    if (token_char(s, i, '=') || token_char(s, i, '!')) return doubled ? 2 : 0;
    if (!token_char(s, i, '<') && !token_char(s, i, '>')) return 0;
    if (doubled) return 2;
    return token_char(s, i + 1, '<') || token_char(s, i + 1, '>') ? 0 : 1;
}

// A number, or a name that says it is a size of warps. Equal to 64, or not, was written with AMD in mind.
static bool is_lane_count(const Scan *s, size_t i, bool equality) {
    if (i >= s->n) return false;
    // Steps of a reduction under 16 are the same for 32 lanes and for 64.
    if (s->tokens[i].kind == C_NUMBER)
        return number_is(s, i, "32", "0x20") || number_is(s, i, "16", "31") || number_is(s, i, "33", "63") ||
               (!equality && number_is(s, i, "64", "0x40"));
    Str t = token_text(s, i);
    return s->tokens[i].kind == C_WORD &&
           (str_has(t, "arpSize") || str_has(t, "arp_size") || str_has(t, "ARP_SIZE")) &&
           !str_is(t, "warpSize");
}

static bool is_compared(const Scan *s, size_t i) {
    size_t n = comparison(s, i + 1);
    bool equality = token_char(s, i + 1, '=') || token_char(s, i + 1, '!');
    if (n > 0) return is_lane_count(s, i + 1 + n, equality);
    // `32 == warpSize`, `32 != prop.warpSize`
    size_t first = i;
    while (first >= 2 && (token_char(s, first - 1, '.') || s->tokens[first - 1].kind == C_SCOPE)) first -= 2;
    while (first >= 3 && token_char(s, first - 1, '>') && token_char(s, first - 2, '-')) first -= 3;
    for (n = 2; n > 0; n--) {
        if (first < n + 1 || comparison(s, first - n) != n) continue;
        equality = token_char(s, first - n, '=') || token_char(s, first - n, '!');
        return is_lane_count(s, first - n - 1, equality);
    }
    return false;
}

static void act_warpsize(Scan *s, size_t i) {
    if (!s->cuda) return;
    if (is_compared(s, i)) {
        if (s->words->lanes64) scan_report(s, "warp-assert-32", i);
        return;
    }
    bool fixed = (i > 0 && token_char(s, i - 1, '[') && token_char(s, i + 1, ']')) ||
                 (i > 0 && token_char(s, i - 1, '<') && token_char(s, i + 1, '>'));
    for (size_t k = i; !fixed && k > 0 && k + 10 > i && !token_char(s, k, ';') && !token_char(s, k, '{'); k--)
        fixed = token_is(s, k, "constexpr");
    if (fixed) scan_report(s, "warpsize-constexpr", i);
}

static void act_atomic(Scan *s, size_t i) {
    size_t k = i + 1;
    while (k < i + 4 && token_char(s, k, '(')) k++;
    static const char *const types[] = {"half",          "half2",          "__half", "__half2", "nv_bfloat16",
                                        "__nv_bfloat16", "__nv_bfloat162", "float",  "double"};
    for (size_t p = 0; p < COUNT_OF(types); p++) {
        if (token_is(s, k, types[p])) {
            scan_report(s, "fp-atomics", i);
            return;
        }
    }
}

// `texture<float, 2, cudaReadModeElementType> name;`
static void act_texture(Scan *s, size_t i) {
    if (!s->cuda || !token_char(s, i + 1, '<') || (i > 0 && s->tokens[i - 1].kind == C_SCOPE)) return;
    size_t k = i + 2;
    while (k < s->n && k < i + LOOK_MAX && !token_char(s, k, '>') && !token_char(s, k, ';')) k++;
    if (token_char(s, k, '>') && k + 1 < s->n && s->tokens[k + 1].kind == C_WORD && token_char(s, k + 2, ';'))
        scan_report(s, "texture-reference", i);
}

// ---------------------------------------------------------------- capabilities

// "major" and "minor" are of a compute capability or of a version: the word that spoke of one last tells. 1,
// -1; 0: none did.
static int told_capability(const Scan *s, size_t i) {
    enum { TOLD_MAX = 300 };
    for (size_t k = i; k > 0 && k + TOLD_MAX > i; k--) {
        if (s->tokens[k - 1].kind != C_WORD || (s->tokens[k - 1].flags & C_IN_DIRECTIVE) != 0) continue;
        Str t = token_text(s, k - 1);
        if (str_has(t, "apability") || str_has(t, "CAPABILITY") || str_has(t, "prop") || str_has(t, "Prop"))
            return 1;
        if (str_has(t, "ersion") || str_has(t, "VERSION")) return -1;
    }
    return 0;
}

static void act_capability(Scan *s, size_t i) {
    bool member =
        i > 1 && (token_char(s, i - 1, '.') || (token_char(s, i - 1, '>') && token_char(s, i - 2, '-')));
    if (s->cuda && member && told_capability(s, i) >= 0) scan_report(s, "device-props", i);
}

// `major >= 8`, `prop.minor == 0`; of two digits only where capabilities were spoken of. `k`: the word.
static bool is_capability(const Scan *s, size_t k, size_t number) {
    if (!token_is(s, k, "major") && !token_is(s, k, "minor")) return false;
    bool two = number_is(s, number, "10", "11") || number_is(s, number, "12", "12");
    return s->tokens[number].length == 1 ? told_capability(s, k) >= 0 : two && told_capability(s, k) > 0;
}

// ---------------------------------------------------------------- assembly

static bool looks_like_ptx(Str t) {
    static const char *const signs[] = {".b32", ".u32",  ".s32",  ".f32",    ".b64",    ".u64",    ".f16",
                                        ".f64", ".pred", ".sync", ".global", ".shared", "membar.", "fence.",
                                        ".b16", ".bf16", "%%",    "exit;",   "trap;"};
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        if (str_has(t, signs[i])) return true;
    }
    return false;
}

static void act_asm(Scan *s, size_t i) {
    size_t open = i + 1;
    while (open < i + 4 && open < s->n && s->tokens[open].kind == C_WORD) open++;
    if (!token_char(s, open, '(')) return;
    size_t close = token_close(s, open);
    const CPattern *patterns = s->words->patterns[PLACE_ASSEMBLY];
    size_t best = s->words->n_patterns[PLACE_ASSEMBLY];
    bool ptx = s->device;
    bool text = false;
    size_t k = open + 1;
    for (; k < close && k < s->n && !token_char(s, k, ':') && s->tokens[k].kind != C_SCOPE; k++) {
        if (s->tokens[k].kind != C_STRING) continue;
        Str t = token_text(s, k);
        text = true;
        ptx = ptx || looks_like_ptx(t);
        for (size_t p = 0; p < best; p++) {
            if (str_has(t, patterns[p].text)) best = p;
        }
    }
    s->consumed = close < s->n ? close : k;
    if (!s->cuda || !text || !ptx) return;
    bool known = best < s->words->n_patterns[PLACE_ASSEMBLY];
    scan_report_rule(s, known ? patterns[best].rule : cuda_rule(s->words, "ptx-asm"), i, NULL);
}

void scan_action(Scan *s, size_t i, CAction action) {
    static void (*const acts[])(Scan * s, size_t i) = {
        [ACT_ASM] = act_asm,
        [ACT_MASKED] = act_masked,
        [ACT_FOR] = act_for,
        [ACT_SHARED] = act_shared,
        [ACT_BOUNDS] = act_bounds,
        [ACT_LOOKUP] = act_lookup,
        [ACT_POPC] = act_popc,
        [ACT_WARPSIZE] = act_warpsize,
        [ACT_VOLATILE] = act_volatile,
        [ACT_ATOMIC] = act_atomic,
        [ACT_VOTE] = act_vote,
        [ACT_TEXTURE] = act_texture,
        [ACT_CAPABILITY] = act_capability,
        [ACT_DECLARES] = scan_symbol,
    };
    if (action != ACT_NONE) acts[action](s, i);
}

// ---------------------------------------------------------------- numbers, strings, macros

// 31 and 32 beside the index of a thread; a capability that something is compared with.
void scan_number(Scan *s, size_t i) {
    if (!s->cuda || i < 2) return;
    const CToken *before = &s->tokens[i - 1];
    if (before->kind != C_PUNCT) return;
    char c = s->text.data[before->at];
    bool shift = c == '>' && token_char(s, i - 2, '>') && i >= 3;
    if (c == '=' || c == '<' || c == '>') {
        size_t k = i - 2;
        if (s->tokens[k].kind == C_PUNCT && k > 0 && strchr("=<>!", s->text.data[s->tokens[k].at]) != NULL &&
            !shift)
            k--;
        if (!shift && (c != '=' || k == i - 3) && is_capability(s, k, i)) scan_report(s, "sm-hardcode", k);
    }
    if (!s->device || !s->words->lanes64) return;
    bool hit = (c == '&' && number_is(s, i, "31", "0x1f") && is_lane_at(s, i - 2)) ||
               (c == '&' && number_is(s, i, "0x1F", "0x1F") && is_lane_at(s, i - 2)) ||
               ((c == '%' || c == '/') && number_is(s, i, "32", "0x20") && is_lane_at(s, i - 2)) ||
               (shift && number_is(s, i, "5", "5") && is_lane_at(s, i - 3));
    if (hit) scan_report(s, "lane-arith-32", i);
}

// `1u << lane`
void scan_plain(Scan *s, size_t i) {
    if (!s->device || !s->words->lanes64 || i < 3) return;
    size_t k = i - 1;
    if (token_char(s, k, '(') && k > 0) k--;
    if (!token_char(s, k, '<') || k < 2 || !token_char(s, k - 1, '<') || !number_is(s, k - 2, "1", "0x1"))
        return;
    if (str_has(token_text(s, k - 2), "l") || str_has(token_text(s, k - 2), "L")) return;
    Str t = token_text(s, i);
    if (str_has(t, "lane") || str_has(t, "Lane")) scan_report(s, "lane-shift-int", k - 2);
}

static bool is_symbol(const CudaName *x) {
    bool telling = strncmp(x->cuda_name, "cu", 2) == 0 || strncmp(x->cuda_name, "nv", 2) == 0 ||
                   strncmp(x->cuda_name, "nccl", 4) == 0;
    return telling && x->shared_name == 0 && strcmp(x->kind, "function") == 0;
}

void scan_string(Scan *s, size_t i) {
    Str t = token_text(s, i);
    if (t.length == 0 || i < s->consumed) return;
    if (t.length < 100) {
        uint32_t k = cuda_word(s->words, t, cuda_hash(t));
        if (k != 0 && s->words->words[k - 1].name != NULL && is_symbol(s->words->words[k - 1].name)) {
            scan_report_rule(s, cuda_rule(s->words, "api-string"), i, s->words->words[k - 1].name);
            return;
        }
    }
    if (!s->cuda) return;
    uint16_t rule = cuda_pattern(s->words, PLACE_STRING, t);
    if (rule != 0) {
        scan_report_rule(s, rule, i, NULL);
        return;
    }
    static const char *const ends[] = {".ptx", ".cubin", ".fatbin"};
    for (size_t k = 0; k < COUNT_OF(ends); k++) {
        size_t n = strlen(ends[k]);
        if (t.length < n || memcmp(t.data + t.length - n, ends[k], n) != 0) continue;
        scan_report(s, "ptx-module-load", i);
        return;
    }
    if (str_has(t, ".target sm_")) scan_report(s, "ptx-module-load", i);
}

// `#define WARP_SIZE 32`, `#define CALL(x) cuda##x`
void scan_define(Scan *s, size_t i) {
    Str name = token_text(s, i);
    bool warp = str_has(name, "WARP") || str_has(name, "warp") || str_has(name, "Warp");
    if (s->cuda && warp && s->words->lanes64 && number_is(s, i + 1, "32", "0x20") &&
        ((s->tokens[i + 2].flags & C_IN_DIRECTIVE) == 0 || s->tokens[i + 2].kind == C_DIRECTIVE))
        scan_report(s, "warp-size-define", i);
    for (size_t k = i + 1; k + 2 < s->n && k < i + LOOK_MAX && (s->tokens[k].flags & C_IN_DIRECTIVE) != 0 &&
                           s->tokens[k].kind != C_DIRECTIVE;
         k++) {
        if (!token_char(s, k + 1, '#') || !token_char(s, k + 2, '#')) continue;
        static const char *const stems[] = {"cuda",  "cu",       "cublas",   "cudnn", "cublasLt",
                                            "cufft", "cusparse", "cusolver", "curand"};
        for (size_t p = 0; p < COUNT_OF(stems); p++) {
            if (!token_is(s, k, stems[p])) continue;
            scan_report(s, "token-paste-api", k);
            return;
        }
    }
}
