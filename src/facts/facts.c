// Names of the domain's enumerations.
#include "src/facts/facts.h"
#include "src/base/base.h"
#include "src/facts/needs.h"

#include <math.h>
#include <string.h>

const char *const vendor_names[] = {"nvidia", "amd", NULL};
const char *const vendor_titles[] = {"NVIDIA", "AMD", NULL};
const char *const dtype_names[] = {"unknown", "fp64", "fp32",  "tf32",  "fp16", "bf16", "fp8",
                                   "int8",    "fp4",  "mxfp4", "nvfp4", "int4", "fp6",  NULL};
const char *const pricing_names[] = {"on-demand", "spot", "reserved-1y", "reserved-3y", NULL};
const char *const basis_names[] = {"measured",     "published", "informed", "calibrated",
                                   "extrapolated", "datasheet", "unknown",  NULL};
const char *const kind_names[] = {"serve", "images", "train", "lora", "hpc", "embed", NULL};
const char *const market_names[] = {"shipping", "rented", "announced", NULL};
const char *const link_topology_names[] = {"none", "pair", "mesh", "switch", NULL};
const char *const available_names[] = {"unknown", "yes", "no", NULL};
const char *const checkpoint_maker_names[] = {"owner", "third-party", NULL};
const char *const seller_class_names[] = {"unknown", "hyperscaler",     "cloud", "marketplace-host",
                                          "broker",  "price-list-only", NULL};
const char *const standing_names[] = {"listed", "superseded", "secondary", NULL};
const char *const support_names[] = {"full", "partial", "experimental", "none", NULL};
const char *const fit_names[] = {"works", "changes", "loses", "blocked", "unknown", NULL};
const char *const fit_titles[] = {"works", "works with changes", "loses a feature", "blocked", "unknown",
                                  NULL};

int name_index(const char *const *names, const char *text) {
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], text) == 0) return i;
    }
    return -1;
}

Dtype dtype_named(const char *text, Dtype otherwise) {
    int d = name_index(dtype_names, text);
    return d > 0 ? (Dtype)d : otherwise;
}

double dtype_bits(Dtype d) {
    switch (d) {
    case DTYPE_FP64: return 64;
    case DTYPE_FP32:
    case DTYPE_TF32: return 32;
    case DTYPE_FP16:
    case DTYPE_BF16: return 16;
    case DTYPE_FP8:
    case DTYPE_INT8: return 8;
    case DTYPE_FP4:
    case DTYPE_MXFP4: return 4.25;
    case DTYPE_NVFP4:
    case DTYPE_INT4: return 4.5;
    case DTYPE_FP6: return 6.25;
    case DTYPE_UNKNOWN:
    case DTYPE_COUNT: break;
    }
    return (double)NAN;
}

bool model_same_shape(const Model *a, const Model *b) {
    return number_order(a->layers, b->layers) == 0 && number_order(a->hidden, b->hidden) == 0 &&
           number_order(a->heads, b->heads) == 0 && number_order(a->kv_heads, b->kv_heads) == 0 &&
           number_order(a->vocab, b->vocab) == 0 && number_order(a->experts, b->experts) == 0;
}

const char *const named_kind_names[] = {"gpu", "provider", "subject", "api", "variant", NULL};
const char *const load_kind_names[] = {"measured", "said", NULL};

const char *const claim_kind_names[] = {"serving", "training", "images",    "peak", "bill",
                                        "support", "ratio",    "statement", NULL};
const char *const compared_names[] = {"unknown", "serving",    "training", "cost",
                                      "price",   "all-reduce", "memory",   NULL};
const char *const port_class_names[] = {"automatic", "review", "manual", "blocker", NULL};
const char *const port_area_names[] = {"source",   "python",     "build",   "container", "cluster",
                                       "language", "dependency", "project", NULL};
const char *const port_effect_names[] = {"none", "build", "run", "wrong", "slow", NULL};
const PortStep port_steps[] = {{PORT_EFFECT_BUILD, "first: does not build"},
                               {PORT_EFFECT_WRONG, "then: builds, and is wrong without a word"},
                               {PORT_EFFECT_RUN, "then: builds, and fails while running"},
                               {PORT_EFFECT_SLOW, "last: slow"},
                               {PORT_EFFECT_NONE, "besides: nothing breaks"}};

int port_step_of(int effect) {
    for (int i = 0; i < PORT_EFFECT_COUNT; i++) {
        if ((int)port_steps[i].effect == effect) return i;
    }
    return PORT_EFFECT_COUNT - 1;
}

const char *const cuda_place_names[] = {"word", "qualified", "header", "assembly", "string", NULL};
const char *const port_unit_names[] = {"occurrence", "file", "kloc", "project", NULL};
const char *const port_scope_names[] = {"first-port", "product", "upkeep", NULL};

Available offer_one_host(const Offer *o, SellerClass seller) {
    double counted = o->hosts_seen >= 1 ? o->hosts_seen : o->machines_seen;
    if (seller != SELLER_MARKETPLACE_HOST || counted >= 2) return AVAILABLE_NO;
    return counted >= 1 ? AVAILABLE_YES : AVAILABLE_UNKNOWN;
}

const Seller *seller_find(const Seller *sellers, size_t n, const char *provider, const char *region) {
    const Seller *any = NULL;
    for (size_t i = 0; i < n; i++) {
        const Seller *s = &sellers[i];
        if (strcmp(s->provider, provider) != 0) continue;
        if (s->region[0] == '\0')
            any = s;
        else if (strcmp(s->region, region) == 0)
            return s;
    }
    return any;
}

const Gpu *facts_gpu(const Facts *f, const char *sku_id) {
    return row_named(sku_id, f->gpus, f->n_gpus, sizeof *f->gpus);
}

const Model *facts_model(const Facts *f, const char *model_id) {
    return row_named(model_id, f->models, f->n_models, sizeof *f->models);
}

int port_class_of(double effort_class) {
    if (isnan(effort_class)) return -1;
    return effort_class < 2   ? PORT_AUTOMATIC
           : effort_class < 4 ? PORT_REVIEW
           : effort_class < 5 ? PORT_MANUAL
                              : PORT_BLOCKER;
}

const char *const kernel_op_names[] = {
    "gemm",          "attn_decode",    "attn_prefill", "mla_decode",    "mla_prefill", "allreduce",
    "linear_decode", "linear_prefill", "index_decode", "index_prefill", NULL};
const char *const kernel_type_names[] = {"",        "bf16",     "fp8",  "fp8-block", "fp4",
                                         "fp4-fp8", "fp4-bf16", "int4", NULL};
const double moe_tokens[MOE_POINTS] = {1, 4, 16, 64, 256, 1024, 4096, 16384};

const char *const effect_names[] = {
    "all", "vendor", "layout",    "architecture", "engine", "class",     "native",          "stack",  "model",
    "run", "trend",  "new-model", "dispatch",     "age",    "publisher", "published-stack", "spread", NULL};

const char *const task_effect_names[] = {"all",    "kind", "vendor", "architecture", "class", "native",
                                         "family", "run",  "layout", "scenario",     "split", "scale",
                                         "spread", NULL};

NAMES_FIT(vendor_names, VENDOR_COUNT);
NAMES_FIT(vendor_titles, VENDOR_COUNT);
NAMES_FIT(dtype_names, DTYPE_COUNT);
NAMES_FIT(pricing_names, PRICING_COUNT);
NAMES_FIT(basis_names, BASIS_COUNT);
NAMES_FIT(kind_names, KIND_COUNT);
NAMES_FIT(market_names, MARKET_ANNOUNCED + 1);
NAMES_FIT(link_topology_names, LINK_TOPOLOGY_COUNT);
NAMES_FIT(available_names, AVAILABLE_COUNT);
NAMES_FIT(checkpoint_maker_names, MAKER_COUNT);
NAMES_FIT(seller_class_names, SELLER_CLASS_COUNT);
NAMES_FIT(standing_names, STANDING_COUNT);
NAMES_FIT(support_names, SUPPORT_COUNT);
NAMES_FIT(fit_names, FIT_COUNT);
NAMES_FIT(fit_titles, FIT_COUNT);
NAMES_FIT(named_kind_names, NAMED_KIND_COUNT);
NAMES_FIT(claim_kind_names, CLAIM_KIND_COUNT);
NAMES_FIT(compared_names, COMPARED_COUNT);
NAMES_FIT(port_class_names, PORT_CLASS_COUNT);
NAMES_FIT(port_area_names, AREA_COUNT);
NAMES_FIT(port_effect_names, PORT_EFFECT_COUNT);
NAMES_FIT(cuda_place_names, PLACE_COUNT);
NAMES_FIT(port_unit_names, UNIT_COUNT);
NAMES_FIT(port_scope_names, SCOPE_COUNT);
NAMES_FIT(kernel_op_names, KERNEL_OP_COUNT);
NAMES_FIT(kernel_type_names, KERNEL_TYPE_COUNT);
NAMES_FIT(effect_names, EFFECT_COUNT);
NAMES_FIT(task_effect_names, TASK_EFFECT_COUNT);
