// The words that C sources are held against: CUDA's names and the rules' own, in one hash table.
#include <math.h>
#include <string.h>

#include "src/migrate/cuda.h"
#include "src/migrate/effort_sum.h"
#include "src/migrate/text.h"

enum { VOCABULARY_MAX = 200 };

uint32_t cuda_hash(Str text) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < text.length; i++) hash = (hash ^ (unsigned char)text.data[i]) * 16777619u;
    return hash;
}

// "7.2.1" -> 7002; NaN: none.
static double cuda_version(const char *text) {
    double parts[2] = {0, 0};
    Str rest = str_of(text);
    Str part;
    size_t n = 0;
    while (n < 2 && str_next(&rest, '.', &part)) {
        if (!parse_number(part, 0, 999, &parts[n], NULL)) return (double)NAN;
        n++;
    }
    return n == 0 ? (double)NAN : parts[0] * 1000 + parts[1];
}

bool pattern_fits(const char *pattern, Str text) {
    size_t at = 0;
    for (const char *p = pattern; *p != '\0'; p++) {
        if (*p == '*') return true;
        if (*p == '@') {
            if (at >= text.length || text.data[at] < 'A' || text.data[at++] > 'Z') return false;
            continue;
        }
        if (*p != '#') {
            if (at >= text.length || text.data[at++] != *p) return false;
            continue;
        }
        size_t from = at;
        while (at < text.length && text.data[at] >= '0' && text.data[at] <= '9') at++;
        if (at - from < 2 || at - from > 3) return false;
        if (at < text.length && (text.data[at] == 'a' || text.data[at] == 'f')) at++;
    }
    return at == text.length;
}

uint16_t cuda_rule(const CWords *w, const char *id) {
    const PortRule *r = rule_find(w->facts, id);
    return r == NULL ? 0 : (uint16_t)(r - w->facts->rules + 1);
}

static bool same_spliced(const char *word, Str text) {
    size_t k = 0;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if (c == '\\' || c == '\n' || c == '\r') continue;
        if (word[k] != c) return false;
        k++;
    }
    return word[k] == '\0';
}

uint32_t cuda_word(const CWords *w, Str text, uint32_t hash) {
    for (size_t at = (hash ^ hash >> 16) % C_SLOTS; w->slots[at] != 0; at = (at + 1) % C_SLOTS) {
        const char *word = w->words[w->slots[at] - 1].text;
        if (strncmp(word, text.data, text.length) == 0 ? word[text.length] == '\0' : same_spliced(word, text))
            return w->slots[at];
    }
    return 0;
}

static CWord *word_add(CWords *w, const char *text) {
    Str s = str_of(text);
    uint32_t hash = cuda_hash(s);
    uint32_t k = cuda_word(w, s, hash);
    if (k != 0) return &w->words[k - 1];
    size_t at = (hash ^ hash >> 16) % C_SLOTS;
    while (w->slots[at] != 0) at = (at + 1) % C_SLOTS;
    w->slots[at] = (uint16_t)(w->n_words + 1);
    w->words[w->n_words] = (CWord){.text = text};
    return &w->words[w->n_words++];
}

// What the name's own state asks for on the target.
static uint16_t name_rule(const CWords *w, const CudaName *x) {
    if (x->hip_name[0] == '\0') return cuda_rule(w, x->cuda_removed[0] != '\0' ? "api-gone" : "api-unmapped");
    if (strcmp(x->hip_name, x->cuda_name) == 0) return 0;  // HIP calls it the same: nothing to do
    double removed = cuda_version(x->hip_removed);
    if (is_known(removed) && removed <= w->rocm) return cuda_rule(w, "api-unmapped");
    double since = cuda_version(x->hip_since);
    return cuda_rule(w, is_known(since) && since > w->rocm ? "api-later" : "api-rename");
}

static double weight(const CWords *w, uint16_t rule) {
    if (rule == 0) return -1;
    const PortRule *r = &w->facts->rules[rule - 1];
    return r->port_class * 1e6 + r->minutes_high;
}

// A construct keeps its name unless the name's own state weighs more. In the runtime the construct's minutes
// are those of just this kind of call; elsewhere they are of a whole library, whose gaps weigh more.
static uint16_t heavier(const CWords *w, const CudaName *x, uint16_t rule, uint16_t own) {
    bool narrow = rule != 0 && (strncmp(x->library, "runtime", 7) == 0 || strcmp(x->library, "driver") == 0);
    if (narrow && w->facts->rules[rule - 1].port_class >= PORT_REVIEW) return rule;
    return weight(w, own) > weight(w, rule) ? own : rule;
}

// Words that say something whatever the rules are: what makes a file CUDA and a function device code, and where the
// scan looks closer.
typedef struct Vocabulary {
    const char *words;
    uint8_t needs, flags;
    CAction action;
} Vocabulary;

static const Vocabulary vocabulary[] = {
    {"__global__ __device__ CUTLASS_DEVICE CUTLASS_HOST_DEVICE CUTE_DEVICE CUTE_HOST_DEVICE", 0,
     WORD_MARK | WORD_DEVICE, ACT_NONE},
    {"C10_DEVICE C10_HOST_DEVICE GPU_LAMBDA", 0, WORD_DEVICE, ACT_NONE},
    {"__host__ __constant__ cooperative_groups nvcuda", 0, WORD_MARK, ACT_NONE},
    {"__shared__", 0, WORD_MARK, ACT_SHARED},
    {"__launch_bounds__", NEED_CUDA, WORD_MARK, ACT_BOUNDS},
    {"asm __asm__ __asm", 0, 0, ACT_ASM},
    {"__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync "
     "__match_any_sync __match_all_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync "
     "__reduce_and_sync __reduce_or_sync __reduce_xor_sync",
     NEED_CUDA, 0, ACT_MASKED},
    {"__ballot __activemask", NEED_CUDA, 0, ACT_VOTE},
    {"__popc __ffs __clz __brev", NEED_CUDA, 0, ACT_POPC},
    {"for", 0, 0, ACT_FOR},
    {"volatile", 0, 0, ACT_VOLATILE},
    {"warpSize", 0, 0, ACT_WARPSIZE},
    {"atomicAdd", NEED_CUDA, 0, ACT_ATOMIC},
    {"dlsym dlopen GetProcAddress", 0, 0, ACT_LOOKUP},
    {"texture", NEED_CUDA, 0, ACT_TEXTURE},
    {"major minor", NEED_CUDA, 0, ACT_CAPABILITY},
    // what starts a declaration of an integer
    {"static inline constexpr const using typedef unsigned int long uint uint32_t uint64_t int32_t int64_t "
     "size_t",
     0, 0, ACT_DECLARES},
};

static void words_of_vocabulary(CWords *w, Arena *a) {
    for (size_t i = 0; i < COUNT_OF(vocabulary); i++) {
        Str rest = str_of(vocabulary[i].words);
        Str word;
        while (str_next(&rest, ' ', &word)) {
            CWord *x = word_add(w, arena_copy(a, word.data, word.length));
            x->needs = vocabulary[i].needs;
            x->flags = vocabulary[i].flags;
            x->action = (uint8_t)vocabulary[i].action;
        }
    }
}

static const WordBits needs[] = {{"cuda", NEED_CUDA},
                                 {"device", NEED_DEVICE},
                                 {"call", NEED_CALL},
                                 {"member", NEED_MEMBER},
                                 {"also-member", MEMBER_TOO}};

// What is wrong with a row whose text begins with `plain` characters before its first sign; NULL: nothing.
static const char *pattern_fault(const CudaPattern *r, size_t plain) {
    bool word = r->place == PLACE_WORD;
    bool whole = word && r->text[plain] == '\0';
    if (!word && r->needs[0] != '\0') return "column 'needs': for words alone";
    if (!whole && r->says_cuda != 0) return "column 'says_cuda': for whole words alone";
    if (plain > UINT8_MAX) return "column 'text': too long";
    if (word && !whole && plain < 2) return "column 'text': not two characters before its first sign";
    if (r->place == PLACE_QUALIFIED && strstr(r->text, "::") == NULL) return "column 'text': no '::' in it";
    return NULL;
}

static bool pattern_add(CWords *w, const CudaPattern *r, Arena *a, Err *e) {
    unsigned bits = 0;
    uint16_t rule = cuda_rule(w, r->rule);
    size_t plain = strcspn(r->text, "*#@");
    const char *fault = pattern_fault(r, plain);
    if (rule == 0) return err_set(e, ERR_FAILED, "no rule '%.60s' in cuda_constructs.tsv", r->rule);
    if (fault != NULL) return err_set(e, ERR_FAILED, "%s", fault);
    if (!cell_bits("needs", r->needs, needs, COUNT_OF(needs), &bits, e)) return false;
    if (r->place == PLACE_WORD && r->text[plain] == '\0') {
        CWord *x = word_add(w, r->text);
        x->rule = rule;
        x->needs = (uint8_t)(x->needs | bits);
        if (r->says_cuda != 0) x->flags |= WORD_MARK;
        return true;
    }
    if (r->place == PLACE_WORD) {
        size_t start = (size_t)((unsigned char)r->text[0] << 8 | (unsigned char)r->text[1]);
        w->starts[start / 8] = (uint8_t)(w->starts[start / 8] | 1u << start % 8);
    } else if (r->place == PLACE_QUALIFIED) {
        size_t first = (size_t)(strstr(r->text, "::") - r->text);
        word_add(w, arena_copy(a, r->text, first))->flags |= WORD_QUALIFIER;
    }
    w->patterns[r->place][w->n_patterns[r->place]++] =
        (CPattern){r->text, rule, (uint8_t)plain, (uint8_t)bits};
    return true;
}

static bool words_of_patterns(CWords *w, Arena *a, Err *e) {
    const PortingFacts *f = w->facts;
    for (size_t p = 0; p < PLACE_COUNT; p++)
        w->patterns[p] = arena_alloc(a, f->n_cuda_patterns + 1, sizeof **w->patterns);
    for (size_t i = 0; i < f->n_cuda_patterns; i++) {
        if (!pattern_add(w, &f->cuda_patterns[i], a, e))
            return err_wrap(e, "'cuda_patterns.tsv': line %zu", f->cuda_patterns[i].line);
    }
    return true;
}

// Names that nobody else has say by themselves that a file is CUDA.
static bool is_telling(const CudaName *x) {
    static const char *const starts[] = {"cuda",   "cublas",   "cudnn",    "cufft",
                                         "curand", "cusparse", "cusolver", "nvrtc"};
    for (size_t i = 0; i < COUNT_OF(starts); i++) {
        if (strncmp(x->cuda_name, starts[i], strlen(starts[i])) == 0) return true;
    }
    return x->cuda_name[0] == 'c' && x->cuda_name[1] == 'u' && x->cuda_name[2] >= 'A' &&
           x->cuda_name[2] <= 'Z';
}

static bool is_distinct(const char *name) {
    static const char *const starts[] = {"cu",    "CU",    "nccl", "NCCL",  "nvml",  "nvtx",
                                         "nvrtc", "NVRTC", "NVML", "__nv_", "__NV_", "nv_bf"};
    for (size_t i = 0; i < COUNT_OF(starts); i++) {
        if (strncmp(name, starts[i], strlen(starts[i])) == 0) return true;
    }
    return false;
}

static void words_of_names(CWords *w) {
    for (size_t i = 0; i < w->facts->n_names; i++) {
        const CudaName *x = &w->facts->names[i];
        if (strcmp(x->kind, "header") == 0) {
            w->headers[w->n_headers++] = x;
            continue;
        }
        CWord *word = word_add(w, x->cuda_name);
        // a name of two libraries: the one that has a counterpart
        if (word->name != NULL && word->name->hip_name[0] != '\0') continue;
        uint16_t construct = word->name == NULL ? word->rule : 0;
        unsigned needed = word->needs;
        Str text = str_of(x->cuda_name);
        for (size_t k = 0; construct == 0 && k < w->n_patterns[PLACE_WORD]; k++) {
            if (!pattern_fits(w->patterns[PLACE_WORD][k].text, text)) continue;
            construct = w->patterns[PLACE_WORD][k].rule;
            needed = w->patterns[PLACE_WORD][k].needs;
        }
        word->name = x;
        word->rule = heavier(w, x, construct, name_rule(w, x));
        if (x->shared_name != 0) needed |= NEED_DEVICE | NEED_CALL;
        word->needs = (uint8_t)(needed | (is_distinct(x->cuda_name) ? 0 : NEED_CUDA));
        if (is_telling(x)) word->flags |= WORD_MARK;
    }
}

bool cuda_words(const PortingFacts *facts, const char *rocm, bool lanes64, Arena *a, CWords **ret_words,
                Err *e) {
    CWords *w = arena_alloc(a, 1, sizeof *w);
    w->facts = facts;
    w->lanes64 = lanes64;
    w->rocm = cuda_version(rocm);
    if (!is_known(w->rocm)) return err_set(e, ERR_USAGE, "'%s' is no version of ROCm", rocm);
    // each row is a word at most
    size_t most = facts->n_names + facts->n_cuda_patterns + VOCABULARY_MAX;
    if (most > C_SLOTS / 2) return err_set(e, ERR_FAILED, "more CUDA names than the table of words holds");
    w->words = arena_alloc(a, most, sizeof *w->words);
    w->headers = arena_alloc(a, facts->n_names + 1, sizeof *w->headers);
    words_of_vocabulary(w, a);
    if (!words_of_patterns(w, a, e)) return false;
    words_of_names(w);
    *ret_words = w;
    return true;
}

uint16_t cuda_pattern(const CWords *w, CudaPlace place, Str text) {
    for (size_t i = 0; i < w->n_patterns[place]; i++) {
        if (pattern_fits(w->patterns[place][i].text, text)) return w->patterns[place][i].rule;
    }
    return 0;
}

// The rule that the construct around a word fires, where the word alone fires none.
static uint16_t rule_of_action(const CWords *w, uint8_t action) {
    static const char *const rules[] = {
        [ACT_MASKED] = "warp-mask-literal32", [ACT_VOTE] = "warp-mask-var32",
        [ACT_POPC] = "ballot-popc32",         [ACT_WARPSIZE] = "warp-assert-32",
        [ACT_BOUNDS] = "launch-bounds-2",     [ACT_LOOKUP] = "dlsym-driver"};
    return action < COUNT_OF(rules) && rules[action] != NULL ? cuda_rule(w, rules[action]) : 0;
}

uint16_t cuda_judge(const CWords *w, Str name) {
    uint32_t k = cuda_word(w, name, cuda_hash(name));
    if (str_has(name, "::")) return cuda_pattern(w, PLACE_QUALIFIED, name);
    if (k != 0 && w->words[k - 1].rule != 0) return w->words[k - 1].rule;
    if (k != 0) return rule_of_action(w, w->words[k - 1].action);
    uint16_t header = cuda_pattern(w, PLACE_HEADER, name);
    if (header != 0 && (str_has(name, ".h") || str_has(name, ".cuh") || str_has(name, "/"))) return header;
    return cuda_pattern(w, PLACE_WORD, name);
}
