// C, C++ and CUDA: whatever the bytes, the scan ends and findings lie inside the text at places that exist.
#include <string.h>

#include "src/migrate/cuda.h"
#include "tests/fuzz/porting.h"

typedef struct Watch {
    Str text;
    size_t lines, rules;
} Watch;

static void on_finding(void *context, const CFinding *f) {
    const Watch *w = context;
    MUST_HOLD(f->rule < w->rules && f->line >= 1 && f->line <= w->lines && f->column >= 1);
    MUST_HOLD(f->offset + f->length <= w->text.length && f->word.length == f->length);
}

static void on_defined(void *context, Str word) {
    const Watch *w = context;
    MUST_HOLD(word.length > 0 && word.length <= w->text.length);
}

static void width_holds(const Watch *w, const Width *x) {
    MUST_HOLD(x->bits <= 64 && x->n <= WIDTH_NAMES_MAX);
    for (size_t i = 0; i < x->n; i++) {
        MUST_HOLD(x->names[i].data >= w->text.data &&
                  x->names[i].data + x->names[i].length <= w->text.data + w->text.length);
    }
}

static void on_symbol(void *context, const CSymbol *s) {
    const Watch *w = context;
    MUST_HOLD(s->name.length > 0 && s->line >= 1 && s->line <= w->lines);
    width_holds(w, &s->width);
}

static void on_question(void *context, const CQuestion *q) {
    const Watch *w = context;
    on_finding(context, &q->finding);
    MUST_HOLD(q->width.n > 0 && q->finding.declared_line <= w->lines);
    width_holds(w, &q->width);
}

static bool on_include(void *context, Str path, bool quoted) {
    const Watch *w = context;
    MUST_HOLD(path.length <= w->text.length);
    return quoted;
}

// The first byte says whether the file is CUDA and whether it is a string's inside.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const CudaName names[] = {
        {.cuda_name = "cudaFree",
         .kind = "function",
         .hip_name = "hipFree",
         .hip_since = "1.5.0",
         .hip_removed = "",
         .cuda_removed = ""},
        {.cuda_name = "cudaMalloc",
         .kind = "function",
         .hip_name = "hipMalloc",
         .hip_since = "1.5.0",
         .hip_removed = "",
         .cuda_removed = ""},
        {.cuda_name = "max",
         .kind = "device-function",
         .hip_name = "max",
         .hip_since = "",
         .hip_removed = "",
         .cuda_removed = "",
         .shared_name = 1},
    };
    if (size == 0) return 0;
    static Arena a;  // what every input is held against
    static PortingFacts facts;
    static CWords *words;
    Err e = {0};
    if (words == NULL) {
        facts = *fuzz_porting(&a);
        facts.names = names;
        facts.n_names = COUNT_OF(names);
        MUST_HOLD(cuda_words(&facts, "7.2", true, &a, &words, &e));
    }
    Str text = {(const char *)data + 1, size - 1};
    Watch w = {.text = text, .lines = 1, .rules = facts.n_rules};
    for (size_t i = 0; i < text.length; i++) w.lines += text.data[i] == '\n';
    CSink sink = {.context = &w,
                  .finding = on_finding,
                  .defined = on_defined,
                  .symbol = on_symbol,
                  .question = on_question,
                  .include = on_include};
    Buf tokens;
    CLexed lexed;
    buf_init(&tokens, BUF_LIMIT);
    cuda_scan(words, text, (data[0] & 1) != 0, (data[0] & 2) != 0, &tokens, &sink, &lexed);
    MUST_HOLD(lexed.lines >= 1 && lexed.lines <= w.lines && lexed.guarded_lines <= w.lines);
    buf_free(&tokens);
    return 0;
}
