// Device code linked into the program (cmake/Device.cmake), and how each kernel of it is launched.
#ifndef GPUADVISE_KERNELS_CODE_H
#define GPUADVISE_KERNELS_CODE_H

#include "kernels/kernels.h"
#include "src/base/embedded.h"

// PTX text or an AMD code object.
typedef struct DeviceCode {
    const char *target;  // "sm_80", "gfx942"
    int ptx_version;     // times ten: 70; 0 = a code object
    const char *data;    // PTX: NUL-terminated
    size_t length;
} DeviceCode;

// Number `i`, by name; false past the end.
bool device_code(size_t i, DeviceCode *ret_code);

// PTX that a GPU of compute capability `capability` (times ten: 90) and a driver of `driver` (CUDA's number: 12040) can load,
// best first: `rank` 0, 1 ... False when there is no further one.
bool device_ptx(int capability, int driver, size_t rank, DeviceCode *ret_code);
// The oldest driver that takes this PTX version: 11000 for 70. 0 = a version that is not known.
int ptx_needs_driver(int ptx_version);
// The code object of "gfx942"; features behind a colon do not count ("gfx90a:sramecc+:xnack-"). False: none is linked.
bool device_object(const char *gfx, DeviceCode *ret_code);

// The source, for compilers at run time: `includes` is what it includes, named as there.
typedef struct DeviceSource {
    const char *text;
    const char *include_names[8], *include_texts[8];
    size_t n_includes;
} DeviceSource;
void device_source(DeviceSource *ret_source);

// ---------------------------------------------------------------- launches

// Blocks are of DEVICE_THREADS threads in one dimension; arguments are sizes, then the buffers in the order of the table.
enum { DEVICE_THREADS = 128, DEVICE_SIZES_MAX = 3, DEVICE_ARGUMENTS_MAX = DEVICE_SIZES_MAX + BUFFERS_MAX };

const char *device_entry(KernelId id);  // "gk_triad"
// The sizes that a launch passes. Returns how many.
size_t device_sizes(KernelId id, const Shape *s, uint64_t ret_sizes[DEVICE_SIZES_MAX]);
// Blocks for a GPU of so many multiprocessors or compute units.
unsigned device_blocks(KernelId id, unsigned units);

#endif
