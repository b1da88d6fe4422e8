// GPUs of AWS and Azure sizes: their price lists name the size, not the GPU.
//
// Counts: AWS and Azure size pages as collected by vantage-sh/ec2instances.info gpu_data.go@2026-07-20 and
// Azure/karpenter-provider-azure@2026-06-18; A10 v5, V710 v5, V620 v1 and MI25 v4 sizes hold slices of a GPU.
#include <string.h>

#include "catalog/feed.h"

typedef struct Family {
    const char *name;    // what stands before the dot of an AWS type
    const char *sku_id, *gpu;
    const char *sizes;  // "size:count" separated by blanks
} Family;

static const Family aws_families[] = {
    {"p2", "", "NVIDIA K80 12GB", "xlarge:1 8xlarge:8 16xlarge:16"},
    {"p3", "v100-sxm2-16gb", "NVIDIA V100 SXM2 16GB", "2xlarge:1 8xlarge:4 16xlarge:8"},
    {"p3dn", "v100-sxm2-32gb", "NVIDIA V100 SXM2 32GB", "24xlarge:8"},
    {"p4d", "a100-sxm4-40gb", "NVIDIA A100 SXM4 40GB", "24xlarge:8"},
    {"p4de", "a100-sxm4-80gb", "NVIDIA A100 SXM4 80GB", "24xlarge:8"},
    {"p5", "h100-sxm5-80gb", "NVIDIA H100 SXM5 80GB", "4xlarge:1 48xlarge:8"},
    {"p5e", "h200-sxm5-141gb", "NVIDIA H200 SXM5 141GB", "48xlarge:8"},
    {"p5en", "h200-sxm5-141gb", "NVIDIA H200 SXM5 141GB", "48xlarge:8"},
    {"p6-b200", "b200-sxm6-180gb", "NVIDIA B200 SXM6", "48xlarge:8"},
    {"p6-b300", "b300-sxm6-288gb", "NVIDIA B300 SXM6", "48xlarge:8"},
    {"p6e-gb200", "gb200-186gb", "NVIDIA GB200", "36xlarge:4"},
    {"g3", "", "NVIDIA M60 8GB", "4xlarge:1 8xlarge:2 16xlarge:4"},
    {"g3s", "", "NVIDIA M60 8GB", "xlarge:1"},
    {"g4dn", "t4-16gb", "NVIDIA T4 16GB", "xlarge:1 2xlarge:1 4xlarge:1 8xlarge:1 12xlarge:4 16xlarge:1 metal:8"},
    {"g4ad", "v520-8gb", "AMD Radeon Pro V520", "xlarge:1 2xlarge:1 4xlarge:1 8xlarge:2 16xlarge:4"},
    {"g5", "a10g-24gb", "NVIDIA A10G 24GB", "xlarge:1 2xlarge:1 4xlarge:1 8xlarge:1 12xlarge:4 16xlarge:1 24xlarge:4 48xlarge:8"},
    {"g5g", "", "NVIDIA T4G 16GB", "xlarge:1 2xlarge:1 4xlarge:1 8xlarge:1 16xlarge:2 metal:2"},
    {"g6", "l4-24gb", "NVIDIA L4 24GB", "xlarge:1 2xlarge:1 4xlarge:1 8xlarge:1 12xlarge:4 16xlarge:1 24xlarge:4 48xlarge:8"},
    {"gr6", "l4-24gb", "NVIDIA L4 24GB", "4xlarge:1 8xlarge:1"},
    {"g6f", "l4-24gb", "NVIDIA L4 24GB", "large:0.125 xlarge:0.125 2xlarge:0.25 4xlarge:0.5"},
    {"gr6f", "l4-24gb", "NVIDIA L4 24GB", "4xlarge:0.5"},
    {"g6e", "l40s-48gb", "NVIDIA L40S 48GB", "xlarge:1 2xlarge:1 4xlarge:1 8xlarge:1 12xlarge:4 16xlarge:1 24xlarge:4 48xlarge:8"},
    {"g7", "", "NVIDIA RTX PRO 4500 32GB", "2xlarge:1 4xlarge:1 8xlarge:1 12xlarge:2 24xlarge:4 48xlarge:8"},
    {"g7e", "rtx-pro-6000-blackwell-server-96gb", "NVIDIA RTX PRO 6000 Blackwell Server", "2xlarge:1 4xlarge:1 8xlarge:1 12xlarge:2 24xlarge:4 48xlarge:8"},
};

typedef struct Sizes {
    const char *sku_id, *gpu;
    const char *sizes;  // "size:count" of Azure, without "Standard_"
} Sizes;

static const Sizes azure_sizes[] = {
    {"mi300x-192gb", "AMD Instinct MI300X", "ND96isr_MI300X_v5:8 ND96is_MI300X_v5:8"},
    {"v710-28gb", "AMD Radeon PRO V710",
     "NV4ads_V710_v5:0.166667 NV8ads_V710_v5:0.333333 NV12ads_V710_v5:0.5 NV24ads_V710_v5:1 NV28adms_V710_v5:1"},
    {"v620-32gb", "AMD Radeon PRO V620", "NG8ads_V620_v1:0.25 NG16ads_V620_v1:0.5 NG32ads_V620_v1:1 NG32adms_V620:1 NG32adms_V620_v1:1"},
    {"mi25-16gb", "AMD Radeon Instinct MI25", "NV4as_v4:0.125 NV8as_v4:0.25 NV16as_v4:0.5 NV32as_v4:1"},
    {"gb300-288gb", "NVIDIA GB300", "ND128isr_GB300_v6:4 ND128isr_NDR_GB300_v6:4"},
    {"gb200-186gb", "NVIDIA GB200", "ND128isr_NDR_GB200_v6:4 ND128isrf_NDR_GB200_v6:4"},
    {"h200-sxm5-141gb", "NVIDIA H200 SXM5 141GB", "ND96isr_H200_v5:8"},
    {"h100-sxm5-80gb", "NVIDIA H100 SXM5 80GB",
     "ND96isr_H100_v5:8 ND96is_H100_v5:8 ND96isf_H100_v5:8 ND96isrf_H100_v5:8 ND96is_flex_H100_v5:8 ND96is_noIB_H100_v5:8"},
    {"h100-nvl-94gb", "NVIDIA H100 NVL 94GB", "NC40ads_H100_v5:1 NC80adis_H100_v5:2 NCC40ads_H100_v5:1"},
    {"a100-sxm4-80gb", "NVIDIA A100 SXM4 80GB", "ND96amsr_A100_v4:8 ND96ams_A100_v4:8"},
    {"a100-sxm4-40gb", "NVIDIA A100 SXM4 40GB", "ND96asr_A100_v4:8 ND96asr_v4:8"},
    {"a100-pcie-80gb", "NVIDIA A100 PCIe 80GB", "NC24ads_A100_v4:1 NC48ads_A100_v4:2 NC96ads_A100_v4:4"},
    {"v100-sxm2-32gb", "NVIDIA V100 SXM2 32GB", "ND40rs_v2:8 ND40s_v2:8"},
    {"v100-pcie-16gb", "NVIDIA V100 PCIe 16GB", "NC6s_v3:1 NC12s_v3:2 NC24s_v3:4 NC24rs_v3:4"},
    {"a10-24gb", "NVIDIA A10 24GB",
     "NV6ads_A10_v5:0.166667 NV12ads_A10_v5:0.333333 NV18ads_A10_v5:0.5 NV36ads_A10_v5:1 NV36adms_A10_v5:1 NV72ads_A10_v5:2"},
    {"t4-16gb", "NVIDIA T4 16GB", "NC4as_T4_v3:1 NC8as_T4_v3:1 NC16as_T4_v3:1 NC64as_T4_v3:4"},
    {"", "NVIDIA M60 8GB", "NV12s_v3:1 NV24s_v3:2 NV48s_v3:4"},
};

// The count beside `size` in "size:count size:count".
static bool count_in(const char *sizes, const char *size, double *ret_count) {
    Str rest = str_of(sizes);
    Str item, name;
    while (str_next(&rest, ' ', &item)) {
        if (str_next(&item, ':', &name) && str_is(name, size)) return parse_number(item, 0, 1000, ret_count, NULL);
    }
    return false;
}

bool aws_size(const char *instance_type, SizeGpu *ret_gpu) {
    Str size = str_of(instance_type);
    Str family;
    if (!str_next(&size, '.', &family) || size.data == NULL) return false;
    for (size_t i = 0; i < COUNT_OF(aws_families); i++) {
        const Family *f = &aws_families[i];
        double n = 0;
        if (!str_is(family, f->name) || !count_in(f->sizes, size.data, &n)) continue;
        *ret_gpu = (SizeGpu){f->sku_id, f->gpu, n};
        return true;
    }
    return false;
}

bool azure_size(const char *arm_sku_name, SizeGpu *ret_gpu) {
    static const char prefix[] = "Standard_";
    if (strncmp(arm_sku_name, prefix, sizeof prefix - 1) != 0) return false;
    for (size_t i = 0; i < COUNT_OF(azure_sizes); i++) {
        const Sizes *s = &azure_sizes[i];
        double n = 0;
        if (!count_in(s->sizes, arm_sku_name + sizeof prefix - 1, &n)) continue;
        *ret_gpu = (SizeGpu){s->sku_id, s->gpu, n};
        return true;
    }
    return false;
}
