// GPUs of this machine as the kernel shows them: /sys, /proc and /dev, without any library.
#ifndef GPUADVISE_DEVICES_H
#define GPUADVISE_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/base.h"
#include "src/facts/facts.h"

typedef struct GpuDevice {
    int vendor;               // Vendor
    const char *pci_address;  // "0000:c1:00.0"
    // "1002:74a1", "1002:74a1", "00"; "" = not readable
    const char *pci_device, *pci_subsystem, *pci_revision;
    const char *name;             // as the driver says; "" = it says none
    const char *driver;           // "nvidia 580.95.05", "amdgpu"; "" = none bound
    const char *partition;        // "CPX/NPS4"; "" = none, or not a GPU that has them
    size_t part, parts;           // this device is part 1..parts of what stands at the PCI address
    double gfx_target_version;    // 90402 = gfx942; NaN on NVIDIA
    double cu_count, memory_gib;  // of this part
    double link_width, link_width_max;
    bool hidden;          // its device file is kept from this process, and its driver is there
    const char *missing;  // what keeps a program from using it, with the fix; "" = nothing seen
} GpuDevice;

// All of them in order of PCI address and part; 0 when there is none. Under WSL one without PCI address
// stands for what Windows shows. `root` "" is the machine itself, else a folder that stands for "/" (tests).
size_t devices_probe(const char *root, Arena *a, const GpuDevice **ret_devices);

// 90402 -> "gfx942", a stepping above 9 as a letter; "" for no target.
const char *gfx_name(Arena *a, double gfx_target_version);

// The catalog's GPU, by PCI ids, revision, target, compute units and memory; never by parts of a name. NULL
// when no row fits or when rows of different GPUs fit as well; *ret_why then says so (arena).
const DeviceId *device_match(const GpuDevice *d, const DeviceId *ids, size_t n, Arena *a,
                             const char **ret_why);

// By the name that a driver gives, where it is one GPU's alone, letter for letter: for devices without PCI
// ids. NULL: none.
const DeviceId *device_named(int vendor, const char *name, const DeviceId *ids, size_t n);

#endif
