// Models whose layers are one thing each: Mamba-2, attention, FFN or experts (Nemotron-H and -3). Formulas as counted for
// data/models.tsv: h (2 d_i + 2 g s + n) + (conv + 1) (d_i + 2 g s) + d_i h for a Mamba-2 layer, d_i s + (conv - 1) (d_i + 2 g s) of state.
#include "catalog/model_file.h"

bool has_blocks(const ModelDraft *d) { return is_known(d->blocks.mamba); }

bool blocks_read(ModelDraft *d, const char *pattern, Err *e) {
    enum { LAYERS_MAX = 1000 };
    d->blocks = (Blocks){0};
    size_t n = 0;
    for (; pattern[n] != '\0' && n < LAYERS_MAX; n++) {
        switch (pattern[n]) {
        case 'M': d->blocks.mamba++; break;
        case '*': d->blocks.attention++; break;
        case '-': d->blocks.ffn++; break;
        case 'E': d->blocks.moe++; break;
        default: return err_set(e, ERR_USAGE, "'hybrid_override_pattern' has a layer '%c', which is not modelled", pattern[n]);
        }
    }
    return pattern[n] == '\0' || err_set(e, ERR_USAGE, "'hybrid_override_pattern' has over %d layers", LAYERS_MAX);
}

static double inner(const ModelDraft *d) { return d->mamba_heads * d->mamba_head_dim; }

static double mixed(const ModelDraft *d) { return inner(d) + 2 * d->mamba_groups * d->mamba_state; }

double blocks_routed_params(const ModelDraft *d) {
    double width = is_known(d->expert_latent) ? d->expert_latent : d->m.hidden;
    return d->blocks.moe * d->m.experts * d->m.ffn_matrices * width * d->m.moe_intermediate;
}

double blocks_params(const ModelDraft *d) {
    const Model *m = &d->m;
    double mamba = m->hidden * (inner(d) + mixed(d) + d->mamba_heads) + (d->mamba_conv + 1) * mixed(d) + inner(d) * m->hidden + 3 * d->mamba_heads + inner(d);
    double attention = m->hidden * m->head_dim * (2 * m->heads + 2 * m->kv_heads);
    double total = m->vocab * m->hidden * (m->tied_embeddings ? 1 : 2) + d->blocks.mamba * mamba + d->blocks.attention * attention;
    if (d->blocks.ffn > 0) total += d->blocks.ffn * m->ffn_matrices * m->hidden * m->intermediate;
    if (d->blocks.moe == 0) return total;
    double latent = is_known(d->expert_latent) ? 2 * m->hidden * d->expert_latent : 0;
    double shared = m->shared_experts > 0 ? m->ffn_matrices * m->hidden * m->shared_intermediate : 0;
    return total + blocks_routed_params(d) + d->blocks.moe * (shared + latent + m->hidden * m->experts + m->experts);
}

double blocks_state(const ModelDraft *d) {
    return d->blocks.mamba * (inner(d) * d->mamba_state + (d->mamba_conv - 1) * mixed(d));
}
