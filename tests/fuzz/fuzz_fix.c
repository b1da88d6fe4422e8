// The patch writer: whatever the bytes, edits lie inside the text, in order and apart, and the patch of a change
// has the lines of both sides.
#include <string.h>

#include "src/migrate/fix.h"
#include "tests/fuzz/fuzz.h"

static void check_edits(const FixEdit *edits, size_t n, Str text) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        MUST_HOLD(edits[i].at >= at && edits[i].at <= text.length &&
                  edits[i].length <= text.length - edits[i].at);
        at = edits[i].at + edits[i].length;
    }
}

static const char *const names[] = {"a.cu",
                                    "a.py",
                                    "a.ipynb",
                                    "CMakeLists.txt",
                                    "Makefile",
                                    "BUILD",
                                    "meson.build",
                                    "a.sh",
                                    "Dockerfile",
                                    "a.yaml",
                                    "a.toml",
                                    "tox.ini",
                                    "requirements.txt",
                                    "Pipfile.lock"};

// The first byte is the kind of file, the second the line of a finding.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const PortRule rules[] = {{.rule = "ptx-asm", .port_class = PORT_MANUAL, .what = "x"}};
    static const CudaName cuda_h[] = {{.cuda_name = "cuda_runtime.h",
                                       .library = "runtime",
                                       .kind = "header",
                                       .hip_name = "hip/hip_runtime.h"}};
    static const CudaName *const headers[] = {&cuda_h[0]};
    if (size < 2) return 0;
    PortingFacts facts = {.names = cuda_h, .n_names = 1, .rules = rules, .n_rules = 1};
    static CWords words;
    words = (CWords){
        .facts = &facts, .headers = (const CudaName **)(uintptr_t)headers, .n_headers = 1, .lanes64 = true};
    Arena a = {0};
    Fix f;
    size_t kind = data[0] % COUNT_OF(names);
    ScanFinding finding = {.line = data[1], .column = 1, .word = "x"};
    FixFile file = {.path = names[kind],
                    .text = {(const char *)data + 2, size - 2},
                    .c = kind == 0,
                    .kind = (TextKind)kind,
                    .findings = &finding,
                    .n_findings = 1};
    fix_open(&f, &facts, &words, &a);
    f.header = FIX_HEADER;
    for (int pass = 0; pass < 2 && file.c; pass++) {
        fix_learn(&f, &file);
        if (pass == 0) fix_learned(&f);
    }
    FixEdit *edits = NULL;
    bool compat = false;
    size_t n = fix_file(&f, &file, &a, &edits, &compat);
    check_edits(edits, n, file.text);
    const char **lines = fix_line_texts(&f, &file, &a);
    MUST_HOLD(lines[0] == NULL || strchr(lines[0], '\n') == NULL);
    Str after = fix_apply(file.text, edits, n, &a);
    Buf patch;
    buf_init(&patch, BUF_LIMIT);
    fix_diff(file.path, file.text, after, &patch);
    bool same = after.length == file.text.length && memcmp(after.data, file.text.data, after.length) == 0;
    MUST_HOLD(same == (patch.length == 0));
    buf_free(&patch);
    fix_header_text(&f, file.text, &a);
    fix_cmake_text(&f, file.text, &a);
    fix_close(&f);
    arena_free(&a);
    return 0;
}
