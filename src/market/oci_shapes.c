// Which GPU a shape or a part of OCI has: its price list names neither by the catalog's ids.
#include <string.h>

#include "src/market/gpu_names.h"

// Shape or part name (the piece between "GPU" and the count) -> GPU.
static const struct {
    const char *word, *sku_id, *name;
} gpus[] = {
    {"MI300X", "mi300x-192gb", "AMD Instinct MI300X"},
    {"MI355X", "mi355x-288gb", "AMD Instinct MI355X"},
    {"B200", "b200-sxm6-180gb", "NVIDIA B200 SXM6"},
    {"B300", "b300-sxm6-288gb", "NVIDIA B300 SXM6"},
    {"GB200", "gb200-186gb", "NVIDIA GB200"},
    {"GB300", "gb300-288gb", "NVIDIA GB300"},
    {"H100", "h100-sxm5-80gb", "NVIDIA H100 SXM5 80GB"},
    {"H200", "h200-sxm5-141gb", "NVIDIA H200 SXM5 141GB"},
    {"L40S", "l40s-48gb", "NVIDIA L40S"},
    {"A10", "a10-24gb", "NVIDIA A10"},
    {"A100-v2", "a100-sxm4-80gb", "NVIDIA A100 SXM4 80GB"},
    {"GPU4", "a100-sxm4-40gb", "NVIDIA A100 SXM4 40GB"},
    {"GPU3", "v100-sxm2-16gb", "NVIDIA V100 SXM2 16GB"},
    {"GPU2", "", "NVIDIA P100 16GB"},
    {"RTXPRO", "rtx-pro-6000-blackwell-server-96gb", "NVIDIA RTX PRO 6000 Blackwell Server"},
};

// "BM.GPU.MI300X.8", "BM.GPU4.8", "VM.GPU.A10.1", "BM.GPU.GB200.4 (NVL72)": the piece that names the GPU.
Str oci_shape_word(const char *shape) {
    Str rest = str_of(shape);
    Str part = {"", 0};
    Str word = {"", 0};
    while (str_next(&rest, '.', &part)) {
        if (part.length >= 3 && memcmp(part.data, "GPU", 3) == 0) word = part;
        if (word.length == 3) {  // "GPU" alone: the name follows
            if (!str_next(&rest, '.', &word)) return (Str){"", 0};
            return word;
        }
        if (word.length > 3) return word;
    }
    return (Str){"", 0};
}

bool oci_gpu(Str word, const char **ret_sku, const char **ret_name) {
    for (size_t i = 0; i < COUNT_OF(gpus); i++) {
        if (!str_is(word, gpus[i].word)) continue;
        *ret_sku = gpus[i].sku_id;
        *ret_name = gpus[i].name;
        return true;
    }
    // "GB200-v3", "L40S-NC": a later build of a shape with the same GPU.
    size_t bare = 0;
    while (bare < word.length && word.data[bare] != '-') bare++;
    return bare > 0 && bare < word.length && oci_gpu((Str){word.data, bare}, ret_sku, ret_name);
}

const char *oci_shape_sku(const char *shape) {
    const char *sku = "";
    const char *name = "";
    Str word = oci_shape_word(shape);
    return word.length > 0 && oci_gpu(word, &sku, &name) ? sku : "";
}
