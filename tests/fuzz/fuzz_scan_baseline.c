// The file of `migrate scan --baseline`, which anybody may have written, against a tree's findings and itself.
#include <string.h>

#include "cli/migrate_scan.h"
#include "tests/fuzz/fuzz.h"

static const char **copy_of(Arena *a, const char *const *keys, size_t n) {
    const char **copy = arena_alloc(a, n + 1, sizeof *copy);
    for (size_t i = 0; i < n; i++) copy[i] = keys[i];
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const found[] = {"a.cu\nasm-ptx\nasm", "a.cu\nwarp-size\n32",
                                        "src/b.cu\nasm-ptx\nasm"};
    Arena a = {0};
    Err e = {0};
    const char **keys = NULL;
    size_t n = 0;
    if (scan_baseline_keys((Str){(const char *)data, size}, "fuzz", &a, &keys, &n, &e)) {
        for (size_t i = 0; i < n; i++) {
            const char *rule = strchr(keys[i], '\n');
            MUST_HOLD(rule != NULL && strchr(rule + 1, '\n') != NULL);
        }
        ScanChange c = scan_changes(keys, n, copy_of(&a, found, COUNT_OF(found)), COUNT_OF(found));
        MUST_HOLD(c.asked && c.gone + c.same == n && c.added + c.same == COUNT_OF(found));
        ScanChange none = scan_changes(keys, n, copy_of(&a, keys, n), n);
        MUST_HOLD(none.added == 0 && none.gone == 0 && none.same == n);
    } else {
        MUST_HOLD(e.text[0] != '\0' && keys == NULL && n == 0);
    }
    arena_free(&a);
    return 0;
}
