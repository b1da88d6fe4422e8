// Device code linked into the program (cmake/Device.cmake).
#ifndef GPUADVISE_KERNELS_CODE_H
#define GPUADVISE_KERNELS_CODE_H

#include "src/base/base.h"
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

// PTX that a GPU of compute capability `capability` (times ten: 90) and a driver of `driver` (CUDA's number:
// 12040) can load, best first: `rank` 0, 1 ... False when there is no further one.
bool device_ptx(int capability, int driver, size_t rank, DeviceCode *ret_code);
// The oldest driver that takes this PTX version: 11000 for 70. 0 = a version that is not known.
int ptx_needs_driver(int ptx_version);
// The code object of "gfx942"; features behind a colon do not count ("gfx90a:sramecc+:xnack-"). False: none
// is linked.
bool device_object(const char *gfx, DeviceCode *ret_code);

// The source, for compilers at run time: `includes` is what it includes, named as there.
typedef struct DeviceSource {
    const char *text;
    const char *include_names[16], *include_texts[16];
    size_t n_includes;
} DeviceSource;
void device_source(Arena *a, DeviceSource *ret_source);

#endif
