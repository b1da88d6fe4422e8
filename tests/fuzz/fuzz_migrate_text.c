// Files that are not C: whatever the bytes, every scanner ends, and hits lie inside the text, in order, at
// places that exist.
#include <string.h>

#include "src/migrate/text.h"
#include "tests/fuzz/porting.h"

typedef struct Watch {
    Str text;
    size_t lines;
    bool whole;  // offsets are in order of the text
    size_t last;
} Watch;

static void on_hit(void *context, const TextHit *h) {
    Watch *w = context;
    MUST_HOLD(h->rule != NULL && h->line >= 1 && h->line <= w->lines && h->column >= 1);
    MUST_HOLD(h->offset <= w->text.length);
    if (!w->whole) return;
    MUST_HOLD(h->offset + h->length <= w->text.length && h->offset >= w->last);
    w->last = h->offset;
}

static void on_dependency(void *context, const DependencyHit *h) {
    Watch *w = context;
    MUST_HOLD(h->name.length > 0 && h->line >= 1 && h->line <= w->lines && h->column >= 1);
    MUST_HOLD(h->offset <= w->text.length && h->port_class >= -1 && h->port_class < PORT_CLASS_COUNT);
}

static void on_cuda(void *context, Str text, size_t offset, size_t line, size_t column) {
    Watch *w = context;
    (void)column;
    (void)offset;
    MUST_HOLD(text.length <= w->text.length && line >= 1 && line <= w->lines);
}

static void on_list(void *context, const ListHit *h) {
    const Watch *w = context;
    MUST_HOLD(h->target.length > 0 && h->line >= 1 && h->line <= w->lines);
}

// Lists named by lists: targets lie in the text, and no path leads out of the tree.
static void links(Str text, size_t lines, Arena *a) {
    Str rest = text;
    Str target;
    for (size_t line = 0; requirements_link(&rest, &line, &target);) {
        MUST_HOLD(line >= 1 && line <= lines && target.length > 0);
        MUST_HOLD(target.data >= text.data && target.data + target.length <= text.data + text.length);
        const char *path = link_path(a, "a/b/requirements.txt", target);
        if (path == NULL) continue;
        MUST_HOLD(path[0] != '/' && path[0] != '\0' && strncmp(path, "../", 3) != 0 &&
                  strstr(path, "/../") == NULL && strcmp(path, "..") != 0);
    }
}

// The first byte chooses the language.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const Package packages[] = {
        {.package = "cupy-cuda12x", .rocm_status = "different-wheel", .effort_class = 2, .lost = ""},
        {.package = "nvidia-cuda-runtime-cu12", .rocm_status = "none", .effort_class = 1, .lost = ""},
        {.package = "torch", .rocm_status = "different-wheel", .effort_class = 1, .lost = ""},
    };
    if (size == 0) return 0;
    TextKind kind = (TextKind)(data[0] % TEXT_KIND_COUNT);
    Str text = {(const char *)data + 1, size - 1};
    Watch w = {.text = text, .lines = 1, .whole = kind != TEXT_NOTEBOOK};
    for (size_t i = 0; i < text.length; i++) w.lines += text.data[i] == '\n';
    TextSink sink = {
        .context = &w, .hit = on_hit, .dependency = on_dependency, .list = on_list, .cuda_source = on_cuda};
    static const char *const own[] = {"gsplat"};
    static Arena shipped;
    static TextFacts facts;
    Arena a = {0};
    Err e = {0};
    if (facts.patterns == NULL) {
        facts = (TextFacts){
            .packages = packages, .n_packages = COUNT_OF(packages), .own = own, .n_own = COUNT_OF(own)};
        MUST_HOLD(text_patterns(fuzz_porting(&shipped), &shipped, &facts, &e));
    }
    facts.rocm_index = (data[0] & 128) != 0;
    const char *name = kind == TEXT_PYTHON ? "setup.py" : "environment.yml";
    bool ok = text_scan(kind, name, text, &facts, &sink, &a, &e);
    MUST_HOLD(ok || e.kind != ERR_NONE);
    links(text, w.lines, &a);
    arena_free(&a);
    return 0;
}
