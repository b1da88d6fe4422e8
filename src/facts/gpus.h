// GPUs: what they are, how they report themselves, what healthy ones reach, what their terms say. Part of
// facts.h, whose conventions hold.
#ifndef GPUADVISE_FACTS_GPUS_H
#define GPUADVISE_FACTS_GPUS_H

#include "src/facts/columns.h"
#include "src/facts/words.h"

// clang-format off
// One GPU SKU (data/gpus.tsv). Counts are per SKU: an MI250X row holds both of its devices.
#define GPU_FIELDS(X) \
    /* the catalog's key, e.g. "h100-sxm5-80gb" */ \
    X(Gpu, TEXT, KEY, sku_id) \
    X(Gpu, NAME, MUST, vendor, int, vendor_names)   /* Vendor */ \
    X(Gpu, TEXT, MUST, name)                        /* marketing name */ \
    /* family key used by factor tables: pascal volta turing ampere ada hopper blackwell rubin; */ \
    /* vega cdna1 cdna2 cdna3 cdna4 cdna5 rdna1 rdna2 rdna3 rdna3.5 rdna4 */ \
    X(Gpu, TEXT, MUST, architecture) \
    X(Gpu, TEXT, MAY, chip)                         /* e.g. "GH100" */ \
    /* CUDA compute capability ("9.0") or LLVM target ("gfx942") */ \
    X(Gpu, TEXT, MAY, target) \
    X(Gpu, DATE, MAY, launch)                       /* YYYY-MM */ \
    /* the vendor's number; its unit differs by product, never plan with it */ \
    X(Gpu, NUM, MUST, memory_gb, 4, 2000) \
    X(Gpu, NUM, MAY, memory_usable_mib, 1000, 2e6)  /* what a real device reports */ \
    X(Gpu, TEXT, MAY, memory_type) \
    X(Gpu, NUM, MAY, memory_bw_gb_s, 50, 50000) \
    X(Gpu, NUM, MAY, cache_mb, 0.5, 2000)           /* largest on-package shared cache */ \
    X(Gpu, NUM, MAY, compute_units, 8, 1000)        /* SMs or CUs */ \
    X(Gpu, NUM, MAY, fp64_vector_tflops, 0.05, 1000) \
    X(Gpu, NUM, MAY, fp64_matrix_tflops, 0.05, 1000) \
    X(Gpu, NUM, MAY, fp32_vector_tflops, 1, 1000) \
    X(Gpu, NUM, MAY, tf32_tflops, 1, 10000) \
    X(Gpu, NUM, MAY, fp16_tflops, 1, 20000) \
    X(Gpu, NUM, MAY, bf16_tflops, 1, 20000) \
    X(Gpu, NUM, MAY, fp8_tflops, 1, 40000) \
    X(Gpu, NUM, MAY, fp6_tflops, 1, 40000) \
    X(Gpu, NUM, MAY, fp4_tflops, 1, 80000) \
    X(Gpu, NUM, MAY, int8_tops, 1, 40000) \
    X(Gpu, NUM, MAY, board_power_w, 10, 5000) \
    X(Gpu, TEXT, MAY, form_factor) \
    X(Gpu, TEXT, MAY, link) \
    X(Gpu, NAME, MUST, link_topology, LinkTopology, link_topology_names) \
    /* all scale-up links of one GPU, both directions */ \
    X(Gpu, NUM, MAY, link_gb_s, 10, 10000) \
    X(Gpu, NUM, MAY, pcie_gen, 2, 8) \
    X(Gpu, NUM, MAY, street_price_usd, 50, 500000) \
    X(Gpu, TEXT, MAY, street_price_basis) \
    /* supported, deprecated (current toolkit has dropped it), planned */ \
    X(Gpu, TEXT, MUST, support) \
    X(Gpu, NAME, MUST, market, GpuMarket, market_names) \
    X(Gpu, NUM, MUST, devices_per_package, 1, 8) \
    X(Gpu, NUM, MAY, peak_clock_mhz, 300, 5000) \
    X(Gpu, NUM, MAY, flop_per_clk_per_unit, 32, 65536) \
    X(Gpu, TEXT, MUST, confidence)                  /* A, B, C */ \
    X(Gpu, TEXT, MAY, note) \
    ORIGIN(X, Gpu)
typedef struct Gpu {GPU_FIELDS(MEMBER)} Gpu;

// How a device reports itself (data/device_ids.tsv).
#define DEVICE_ID_FIELDS(X) \
    X(DeviceId, NAME, KEY, vendor, int, vendor_names) \
    X(DeviceId, TEXT, KEY_MAY, pci_device)                    /* "10de:1eb8"; "" = any */ \
    X(DeviceId, TEXT, KEY_MAY, pci_subsystem) \
    X(DeviceId, TEXT, KEY_MAY, pci_revision) \
    X(DeviceId, TEXT, KEY_MAY, name) \
    X(DeviceId, TEXT, KEY_MAY, name_api) \
    X(DeviceId, TEXT, KEY, sku_id) \
    X(DeviceId, NUM, KEY_MAY, gfx_target_version, 0, 999999)  /* further conditions */ \
    X(DeviceId, NUM, KEY_MAY, cu_count, 0, 1000) \
    X(DeviceId, NUM, KEY_MAY, memory_gib, 1, 2000) \
    X(DeviceId, TEXT, MAY, note) \
    ORIGIN(X, DeviceId)
typedef struct DeviceId {DEVICE_ID_FIELDS(MEMBER)} DeviceId;

// What healthy GPUs reach (data/healthy_gpus.tsv), whole boards; of a product by a library, sides about 8192.
#define HEALTHY_GPU_FIELDS(X) \
    X(HealthyGpu, TEXT, KEY, sku_id) \
    X(HealthyGpu, TEXT, KEY, test)                     /* a test of `gpuadvise bench list` */ \
    X(HealthyGpu, NUM, MAY, gpu_count, 2, 1024)        /* that took part, in a test of several; NaN: one */ \
    /* low and high: lowest and highest of several readings */ \
    X(HealthyGpu, NUM, MAY, median_gb_s, 5, 50000) \
    X(HealthyGpu, NUM, MAY, low_gb_s, 5, 50000) \
    X(HealthyGpu, NUM, MAY, high_gb_s, 5, 50000) \
    X(HealthyGpu, NUM, MAY, median_tflop_s, 1, 50000)  /* of a product, in place of those */ \
    X(HealthyGpu, NUM, MAY, low_tflop_s, 1, 50000) \
    X(HealthyGpu, NUM, MAY, high_tflop_s, 1, 50000) \
    /* measured, secondary; threshold: from there on a vendor's own validation passes */ \
    X(HealthyGpu, TEXT, MUST, kind) \
    ORIGIN(X, HealthyGpu)
typedef struct HealthyGpu {HEALTHY_GPU_FIELDS(MEMBER)} HealthyGpu;

// What a maker's terms and the card itself say about use in a data centre, by what a GPU's name begins with
// (data/licences.tsv). The longest beginning counts.
#define LICENCE_FIELDS(X) \
    X(Licence, NAME, KEY, vendor, int, vendor_names) \
    X(Licence, TEXT, KEY, name_begins) \
    /* "forbidden": by the licence of its driver; "": nothing known against it */ \
    X(Licence, TEXT, MAY, datacenter) \
    /* a sentence on the terms, and on errors of its memory; "": nothing to say */ \
    X(Licence, TEXT, MAY, licence) \
    X(Licence, TEXT, MAY, memory) \
    ORIGIN(X, Licence)
typedef struct Licence {LICENCE_FIELDS(MEMBER)} Licence;
// clang-format on

#endif
