// The index of git: whatever the bytes, reading ends, and each path lies in memory that is there.
#include <string.h>

#include "src/migrate/scan.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    Buf paths;
    buf_init(&paths, BUF_LIMIT);
    git_index((Str){(const char *)data, size}, &a, &paths);
    const char *const *rows = (const char *const *)(const void *)paths.data;
    for (size_t i = 0; i < paths.length / sizeof *rows; i++)
        MUST_HOLD(rows[i][0] != '\0' && strlen(rows[i]) <= 4096);
    buf_free(&paths);
    arena_free(&a);
    return 0;
}
