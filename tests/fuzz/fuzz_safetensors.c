// safetensors headers, behind a length that fits and as they stand, and indexes: read, or refused with a
// message.
#include <math.h>
#include <string.h>

#include "src/model/model.h"
#include "tests/fuzz/fuzz.h"

static void try_header(const uint8_t *data, size_t size, bool fitting) {
    Arena a = {0};
    TensorTotals *t = arena_alloc(&a, 1, sizeof *t);
    char *file = arena_alloc(&a, size + 8, 1);
    size_t used = 0;
    for (size_t i = 0; fitting && i < 8; i++) file[used++] = (char)(size >> (8 * i) & 0xff);
    if (size > 0) memcpy(file + used, data, size);
    Err e = {0};
    tensors_init(t);
    if (safetensors_read(t, (Str){file, used + size}, 1e9, 2, &e)) {
        MUST_HOLD(isfinite(t->bytes) && t->bytes >= 0 && t->mtp_bytes <= t->bytes &&
                  t->mtp_elements + t->expert_elements <= t->elements);
        ModelDraft d;
        draft_init(&d, &a, true);
        d.tensors = t;
        if (draft_from_tensors(&d, t, &e) && draft_finish(&d, &e)) MUST_HOLD(d.m.params_total >= 1e6);
    }
    MUST_HOLD(e.kind == ERR_NONE || (e.kind == ERR_USAGE && e.text[0] != '\0'));
    arena_free(&a);
}

static void try_index(Str text) {
    Arena a = {0};
    const char *const *names = NULL;
    size_t n = 0;
    Err e = {0};
    if (safetensors_index(&a, text, &names, &n, &e)) {
        MUST_HOLD(n >= 1 && n <= MODEL_FILES_MAX);
        for (size_t i = 0; i < n; i++) {
            MUST_HOLD(strchr(names[i], '/') == NULL && strstr(names[i], "..") == NULL && names[i][0] != '\0');
            MUST_HOLD(i == 0 || strcmp(names[i - 1], names[i]) < 0);
        }
    } else {
        MUST_HOLD(e.kind == ERR_USAGE && e.text[0] != '\0');
    }
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_header(data, size, true);
    try_header(data, size, false);
    try_index((Str){(const char *)data, size});
    return 0;
}
