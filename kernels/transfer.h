// Copies between host and device, and the tests as one list: kernels, then copies.
#ifndef GPUADVISE_KERNELS_TRANSFER_H
#define GPUADVISE_KERNELS_TRANSFER_H

#include "kernels/kernels.h"

typedef enum TransferId { TRANSFER_H2D_PINNED, TRANSFER_D2H_PINNED, TRANSFER_H2D_PAGEABLE, TRANSFER_D2H_PAGEABLE, TRANSFER_COUNT } TransferId;

typedef struct Transfer {
    const char *name, *what;
    bool to_device;
    bool pinned;  // host memory that the driver locked, which the device reads and writes by itself
} Transfer;
extern const Transfer transfer_table[TRANSFER_COUNT];

// A KernelId, or KERNEL_COUNT + a TransferId.
typedef unsigned TestId;
enum { TEST_COUNT = KERNEL_COUNT + TRANSFER_COUNT };

bool test_find(const char *name, TestId *ret_test);
const Kernel *test_kernel(TestId test);      // NULL: a copy
const Transfer *test_transfer(TestId test);  // NULL: a kernel
const char *test_name(TestId test);
const char *test_unit(TestId test);
const char *test_dtype(TestId test);  // "-" = none
const char *test_dims(TestId test);
const char *test_what(TestId test);
// Sizes as a result of this test states them, see shape_text.
bool test_sizes_hold(TestId test, const char *shape);

#endif
