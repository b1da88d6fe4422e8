// Which GPU of the catalog a seller means: by the name that he gives it, or by his instance type. Pure.
#ifndef GPUADVISE_MARKET_GPU_NAMES_H
#define GPUADVISE_MARKET_GPU_NAMES_H

#include "src/base/base.h"
#include "src/facts/facts.h"
#include "src/facts/offers.h"

typedef struct GpuNames GpuNames;  // owned by the arena it was made in

typedef struct GpuAsked {
    const char *listed;
    double memory_gb;      // of one card or of all, NaN unknown: breaks ties
    const char *provider;  // as this program names it; NULL: nobody in particular
    const char *instance;  // may tell the card's form; NULL: none
} GpuAsked;
GpuNames *gpu_names_make(Arena *a, const Gpu *gpus, size_t n_gpus, const DeviceId *devices, size_t n_devices,
                         const SellerFacts *sellers);
const Gpu *gpu_names_find(const GpuNames *names, const GpuAsked *asked);  // NULL: unknown or ambiguous
const Gpu *gpu_names_sku(const GpuNames *names, const char *sku_id);      // NULL: no such id
// whose cards a name could mean, its form and memory aside; -1: none of the catalog's
int gpu_names_vendor(const GpuNames *names, const char *text);
// could it be a card of the catalog, its form and memory aside?
bool gpu_names_any(const GpuNames *names, const char *text);

// ---------------------------------------------------------------- instance types

// What data/instance_gpus.tsv says of a size of this seller; NULL: nothing. Borrowed from `f`.
const InstanceGpu *instance_gpu_find(const SellerFacts *f, const char *provider, const char *instance);
// GPUs of a plan that is named by the memory of all: "vcg-a40-1c-5g-2vram" (Vultr) has a 24th of a card of 48
// GB. NaN: it is not so named.
double plan_gpus(const char *instance, double card_gb);

// Is the size one of a series that has GPUs, by the way in which the cloud names such machines? `provider` NULL:
// of any cloud.
bool instance_has_gpus(const char *provider, const char *instance);

// ---------------------------------------------------------------- shapes of OCI

// The piece of "BM.GPU.MI300X.8", "BM.GPU4.8" or "VM.GPU.A10.1" that names the GPU; empty: none does.
Str oci_shape_word(const char *shape);
// The GPU that such a piece, or the name of a part, stands for: id in the catalog ("": not in it) and name.
bool oci_gpu(Str word, const char **ret_sku, const char **ret_name);
const char *oci_shape_sku(const char *shape);  // the card of "BM.GPU.H100.8", as the catalog's id; "" unknown

#endif
