// A model in the making: empty, filled number by number, checked against the bounds of the table of models.
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "src/model/model.h"
#include "src/facts/tables.h"

void draft_init(ModelDraft *d, Arena *a, bool assume_dense) {
    const double unknown = (double)NAN;
    *d = (ModelDraft){.arena = a,
                      .type = "",
                      .key_prefix = "",
                      .warning = "",
                      .assume_dense = assume_dense,
                      .ffn_ratio = unknown,
                      .vision_layers = unknown,
                      .vision_width = unknown,
                      .vision_ffn = unknown,
                      .tied = -1,
                      .attention_bias = -1,
                      .use_window = -1,
                      .k_is_v = -1,
                      .wide_borrowers = -1,
                      .full_gate = -1,
                      .gated = -1,
                      .listed_mix = "",
                      .listed_moe = "",
                      .listed_index = "",
                      .lookup_params = unknown,
                      .lookup_small = unknown,
                      .quant.base = SCHEME_NONE,
                      .quant.text = ""};
    row_blank(&fact_tables[TABLE_MODELS], &d->m);
    for (size_t i = 0; i < n_model_keys; i++)
        memcpy((char *)d + model_keys[i].field, &unknown, sizeof unknown);
}

void draft_warn(ModelDraft *d, const char *format, ...) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    va_list args;
    va_start(args, format);
    buf_vprintf(&b, format, args);
    va_end(args);
    const char *clean = text_clean(d->arena, b.length > 0 ? b.data : "");
    d->warning = d->warning[0] == '\0' ? clean : arena_printf(d->arena, "%s; %s", d->warning, clean);
    buf_free(&b);
}

bool draft_put(ModelDraft *d, const ModelKey *key, const char *name, double value, Err *e) {
    double known = value;
    if (!isfinite(value) || value < 0 || floor(value) != value || (value == 0 && key->zero == ZERO_WRONG)) {
        return err_set(e, ERR_USAGE, "'%s' is %.15g: not a number that makes sense there", name, value);
    }
    if (value > key->max) return err_set(e, ERR_USAGE, "'%s' is %.15g: over %g", name, value, key->max);
    if (value == 0 && key->zero == ZERO_NONE) known = (double)NAN;
    memcpy((char *)d + key->field, &known, sizeof known);
    return true;
}

bool draft_family(ModelDraft *d, Err *e) {
    d->family = d->gguf ? family_of_gguf(d->type) : family_of_type(d->type);
    if (d->family != NULL && d->family->refusal == NULL) return true;
    if (d->family != NULL && !d->assume_dense)
        return err_set(e, ERR_USAGE,
                       "architecture '%s': %s; `--assume-dense` estimates it as a plain decoder", d->type,
                       d->family->refusal);
    if (!d->assume_dense) {
        if (d->type[0] == '\0')
            return err_set(e, ERR_USAGE, "'%s' is missing, so the architecture is unknown",
                           d->gguf ? "general.architecture" : "model_type");
        return err_set(
            e, ERR_USAGE,
            "unknown architecture '%s'; known: %s; `--assume-dense` estimates it as a plain decoder", d->type,
            families_known(d->arena));
    }
    d->family = family_assumed();
    d->m.doubt = "its architecture is not known";
    // Held against 92 configurations of architectures that are known, each read as if it were not.
    draft_warn(d,
               "architecture '%s' is not known: taken for a plain decoder with gated feed-forward layers, "
               "the experts that it states, and full attention; left out are windows, recurrent "
               "and compressed layers, shared caches, tables and towers: read so, known architectures come "
               "to 0.9 to 11 times their weights and 0.9 to 12 times their cache",
               d->type);
    return true;
}

// ---------------------------------------------------------------- bounds

bool draft_check(const ModelDraft *d, Err *e) {
    const Model *m = &d->m;
    if (!is_known(m->params_total) || !is_known(m->params_active) || !is_known(m->kv_bytes_per_token_bf16) ||
        !is_known(m->weight_bytes_native)) {
        return err_set(e, ERR_USAGE, "its numbers do not add up to a model");
    }
    // all from the files, parts from the configuration where the files name none
    double parts = or_zero(m->params_expert_routed) + or_zero(m->params_lookup) + or_zero(m->params_vision) +
                   or_zero(m->params_input_embedding);
    if (parts > m->params_total * (1 + 1e-9))
        return err_set(
            e, ERR_USAGE,
            "%.4g billion parameters in all, and %.4g billion in experts, tables and vision alone: the "
            "weight files hold another model than the configuration says",
            m->params_total / 1e9, parts / 1e9);
    const Table *t = &fact_tables[TABLE_MODELS];
    for (size_t i = 0; i < t->n_fields; i++) {
        const Field *f = &t->fields[i];
        if (f->kind != FIELD_NUM) continue;
        double x = row_number(m, f);
        if (!is_known(x) || (x >= f->min && x <= f->max)) continue;
        return err_set(e, ERR_USAGE, "'%s' comes to %.15g: outside %g..%g", f->name, x, f->min, f->max);
    }
    return true;
}
