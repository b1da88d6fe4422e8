// A GPU through its vendor's driver, opened at run time: one interface for CUDA's driver and HIP.
//
// For worker processes only: drivers crash, hang and abort. Every failure is one line with the function, the
// number and what it means; after one that leaves the device unusable gpu_is_lost() holds.
#ifndef GPUADVISE_KERNELS_GPU_H
#define GPUADVISE_KERNELS_GPU_H

#include "kernels/code.h"
#include "kernels/gpu_abi.h"

typedef enum GpuApi { GPU_CUDA, GPU_HIP, GPU_APIS } GpuApi;
// cuda, hip
bool gpu_api_of(const char *name, GpuApi *ret_api, Err *e);

// Which device of this machine is meant.
typedef struct GpuTarget {
    GpuApi api;
    const char *pci;     // "0000:c1:00.0"; "" = the first device of that vendor (machines without a PCI tree)
    size_t part, parts;  // 1..parts of what stands there
    const char *gfx;     // "gfx942" as the kernel says; "" = not known, or NVIDIA
} GpuTarget;

#define GPU_FIELD(field, cuda, hip, args) unsigned(*field) args;
#define GPU_FIELD_ONE(field, symbol, args) unsigned(*field) args;
typedef struct GpuTable {
    GPU_COMMON(GPU_FIELD)
    GPU_CUDA_ONLY(GPU_FIELD_ONE)
    GPU_HIP_ONLY(GPU_FIELD_ONE)
} GpuTable;
#undef GPU_FIELD
#undef GPU_FIELD_ONE

typedef struct GpuDriver {
    GpuApi api;
    void *library;
    GpuTable f;
    GpuOrdinal device;
    GpuContext context;  // CUDA's, of the device; HIP has none
    GpuModule module;
    GpuEvent from, to;
    unsigned last_error;  // of the driver; 0 = none
    // what it says of itself
    char name[128];
    char arch[64];  // "sm_90", "gfx942"
    char library_name[64];
    char code[96];       // what was loaded: "sm_80, PTX 7.0"; "" before gpu_load
    int driver_version;  // CUDA: 12040 = 12.4; HIP: its own number
    int capability;      // NVIDIA, times ten
    unsigned units, warp, threads_max;
    double total_bytes, free_bytes, cache_bytes;  // NaN = it does not say
} GpuDriver;

// Opens the driver and the device. On failure nothing is left open.
bool gpu_open(const GpuTarget *target, GpuDriver *ret_gpu, Err *e);
// Loads the kernels: linked code that the driver takes, else what NVRTC or hipRTC makes of the source.
bool gpu_load(GpuDriver *g, Err *e);
// "libcuda.so.1 of CUDA 12.4", in the arena.
const char *gpu_driver_text(const GpuDriver *g, Arena *a);
bool gpu_is_lost(const GpuDriver *g);
// Calls of this thread are for this device from here on: needed where a process has several open.
bool gpu_use(GpuDriver *g, Err *e);
// True for error 0. Else the message, of that function, and the number is kept.
bool gpu_good(GpuDriver *g, const char *symbol, unsigned error, Err *e);

// Device addresses are numbers in CUDA's driver and pointers in the libraries; all bytes of both agree.
static inline void *gpu_address(GpuPointer p) { return (void *)(uintptr_t)p; }
bool gpu_alloc(GpuDriver *g, size_t bytes, GpuPointer *ret_pointer, Err *e);
void gpu_release(GpuDriver *g, GpuPointer pointer);  // 0 is fine
bool gpu_to_device(GpuDriver *g, GpuPointer to, const void *from, size_t bytes, Err *e);
bool gpu_to_host(GpuDriver *g, void *to, GpuPointer from, size_t bytes, Err *e);
// Those that return before they are done, on locked memory; gpu_clock_stop and gpu_wait wait for them.
bool gpu_to_device_async(GpuDriver *g, GpuPointer to, const void *from, size_t bytes, Err *e);
bool gpu_to_host_async(GpuDriver *g, void *to, GpuPointer from, size_t bytes, Err *e);
// Memory of the host that the driver locks. On failure *ret_pages stays.
bool gpu_host_alloc(GpuDriver *g, size_t bytes, void **ret_pages, Err *e);
void gpu_host_release(GpuDriver *g, void *pages);  // NULL is fine
bool gpu_fill(GpuDriver *g, GpuPointer to, unsigned char value, size_t bytes, Err *e);

bool gpu_function(GpuDriver *g, const char *entry, GpuFunction *ret_function, Err *e);
// Lets launches ask for that much shared memory beyond what the code declares: gpu_launch's `shared_bytes`.
// NVIDIA alone; 0 is fine everywhere.
bool gpu_share(GpuDriver *g, GpuFunction function, unsigned shared_bytes, Err *e);
// `arguments`: pointers to the values, as the drivers take them. Runs later: gpu_wait, or the next copy.
bool gpu_launch(GpuDriver *g, GpuFunction function, unsigned blocks, unsigned threads, unsigned shared_bytes,
                void **arguments, Err *e);
bool gpu_launch_on(GpuDriver *g, GpuStream stream, GpuFunction function, unsigned blocks, unsigned threads,
                   void **arguments, Err *e);
bool gpu_wait(GpuDriver *g, Err *e);
// Device time of what is launched between the two.
bool gpu_clock_start(GpuDriver *g, Err *e);
bool gpu_clock_stop(GpuDriver *g, double *ret_seconds, Err *e);
// The same of a stream; gpu_clock_mark ends it without waiting, so that several devices can run at once, and
// gpu_clock_read waits.
bool gpu_clock_start_on(GpuDriver *g, GpuStream stream, Err *e);
bool gpu_clock_mark_on(GpuDriver *g, GpuStream stream, Err *e);
bool gpu_clock_read(GpuDriver *g, double *ret_seconds, Err *e);
// Events that other streams wait for; they stay until the process ends.
bool gpu_event_create(GpuDriver *g, GpuEvent *ret_event, Err *e);
bool gpu_event_record(GpuDriver *g, GpuEvent event, GpuStream stream, Err *e);

// "out of memory" of a driver's error number; the same words for both vendors.
const char *gpu_error_words(unsigned error);
// What NVRTC or hipRTC makes of the linked source for "sm_90" or "gfx950", in the arena.
bool rtc_compile(GpuApi api, const char *arch, Arena *a, Str *ret_object, Err *e);

#endif
