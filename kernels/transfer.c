// The copies, and the list of all tests.
#include "kernels/transfer.h"

#include <string.h>

const Transfer transfer_table[TRANSFER_COUNT] = {
    [TRANSFER_H2D_PINNED] = {"h2d-pinned", "host to device, locked memory", true, true},
    [TRANSFER_D2H_PINNED] = {"d2h-pinned", "device to host, locked memory", false, true},
    [TRANSFER_H2D_PAGEABLE] = {"h2d-pageable", "host to device, ordinary memory, by the host's clock", true, false},
    [TRANSFER_D2H_PAGEABLE] = {"d2h-pageable", "device to host, ordinary memory, by the host's clock", false, false},
};

const Kernel *test_kernel(TestId test) { return test < KERNEL_COUNT ? &kernel_table[test] : NULL; }

const Transfer *test_transfer(TestId test) { return test >= KERNEL_COUNT && test < TEST_COUNT ? &transfer_table[test - KERNEL_COUNT] : NULL; }

const char *test_name(TestId test) { return test < KERNEL_COUNT ? kernel_table[test].name : transfer_table[test - KERNEL_COUNT].name; }

const char *test_unit(TestId test) { return test < KERNEL_COUNT ? kernel_unit(&kernel_table[test]) : "GB/s"; }

const char *test_dtype(TestId test) { return test < KERNEL_COUNT ? kernel_table[test].dtype : "-"; }

const char *test_dims(TestId test) { return test < KERNEL_COUNT ? kernel_table[test].dims : "bytes"; }

const char *test_what(TestId test) { return test < KERNEL_COUNT ? kernel_table[test].what : transfer_table[test - KERNEL_COUNT].what; }

bool test_find(const char *name, TestId *ret_test) {
    for (TestId i = 0; i < TEST_COUNT; i++) {
        if (strcmp(test_name(i), name) != 0) continue;
        *ret_test = i;
        return true;
    }
    return false;
}

bool test_sizes_hold(TestId test, const char *shape) {
    Shape s;
    int64_t bytes = 0;
    return test < KERNEL_COUNT ? shape_read(&kernel_table[test], shape, &s) : parse_integer(str_of(shape), 1, INT64_C(1) << 53, &bytes, NULL);
}
