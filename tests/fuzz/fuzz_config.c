// config.json and hf_quant_config.json: read into a model whose every number is known to be sensible, or
// refused with a message.
#include <math.h>
#include <string.h>

#include "src/model/model.h"
#include "src/perf/perf.h"
#include "tests/fuzz/fuzz.h"

static void check_model(const Model *m) {
    MUST_HOLD(m->layers >= 1 && m->hidden >= 1 && m->heads >= 1 && m->vocab >= 1);
    MUST_HOLD(m->params_total >= 1e6 && m->params_active > 0 &&
              m->params_active <= m->params_total * (1 + 1e-9));
    MUST_HOLD(m->weight_bytes_native > 0 && m->kv_bytes_per_token_bf16 >= 0);
    MUST_HOLD(m->kv_full_layers >= 0 &&
              m->kv_full_layers + m->kv_window_layers + m->linear_layers <= m->layers);
    MUST_HOLD(is_known(model_kv_bytes_per_token(m, DTYPE_BF16)) &&
              is_known(model_weight_bytes(m, DTYPE_FP8)));
    MUST_HOLD(is_known(model_token_flops(m)) && is_known(model_cache_bytes(m, 1000, DTYPE_BF16)));
}

static void try_config(Str text, bool assume_dense) {
    Arena a = {0};
    ModelDraft d;
    Err e = {0};
    draft_init(&d, &a, assume_dense);
    if (config_read(&d, text, &e) && draft_finish(&d, &e)) {
        check_model(&d.m);
    } else {
        MUST_HOLD(e.kind == ERR_USAGE && e.text[0] != '\0' && strlen(e.text) < sizeof e.text);
    }
    arena_free(&a);
}

static void try_quant(Str text) {
    Arena a = {0};
    ModelDraft d;
    Err e = {0};
    draft_init(&d, &a, false);
    if (config_read_quant(&d, text, &e)) {
        MUST_HOLD(d.quant.n_schemes >= 0 && d.quant.n_schemes <= SCHEMES_MAX &&
                  d.quant.base < d.quant.n_schemes);
        for (int i = 0; i < d.quant.n_schemes; i++)
            MUST_HOLD(d.quant.schemes[i].bits >= 1 && d.quant.schemes[i].bits < 1000);
    } else {
        MUST_HOLD(e.kind == ERR_USAGE && e.text[0] != '\0');
    }
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Str text = {(const char *)data, size};
    try_config(text, false);
    try_config(text, true);
    try_quant(text);
    return 0;
}
