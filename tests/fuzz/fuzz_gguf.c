// GGUF headers: read, or refused with a message; totals are never negative and never more than their parts.
#include <math.h>
#include <string.h>

#include "src/model/model.h"
#include "src/perf/perf.h"
#include "tests/fuzz/fuzz.h"

static void try_gguf(Str head, double file_bytes, bool assume_dense) {
    Arena a = {0};
    ModelDraft d;
    TensorTotals *t = arena_alloc(&a, 1, sizeof *t);
    Err e = {0};
    double parts = 0;
    bool more = false;
    draft_init(&d, &a, assume_dense);
    tensors_init(t);
    if (gguf_read(&d, t, head, file_bytes, true, &parts, &more, &e)) {
        MUST_HOLD(!more && isfinite(t->bytes) && t->bytes >= 0 && t->mtp_bytes <= t->bytes &&
                  t->expert_elements <= t->elements);
        d.tensors = t;
        if (t->tensors > 0) gguf_describe(&d, t);
        if (is_known(t->vocab)) d.m.vocab = t->vocab;
        if (draft_finish(&d, &e))
            MUST_HOLD(d.m.params_total >= 1e6 && d.m.weight_bytes_native > 0 &&
                      model_fixed_bytes(&d.m, (Dtype)d.m.weights_native) >= -1);
    }
    MUST_HOLD(e.kind == ERR_NONE || (e.kind == ERR_USAGE && e.text[0] != '\0'));
    MUST_HOLD(!more || (double)head.length < file_bytes);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Str head = {(const char *)data, size};
    try_gguf(head, (double)size, false);
    try_gguf(head, 5e11, true);
    return 0;
}
