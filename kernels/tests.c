// Copies, launches by the host's clock, what several GPUs do together, and the list of all tests.
#include "kernels/tests.h"

#include <string.h>

static const Transfer transfer_table[TRANSFER_COUNT] = {
    [TRANSFER_H2D_PINNED] = {"h2d-pinned", "host to device, locked memory", true, true},
    [TRANSFER_D2H_PINNED] = {"d2h-pinned", "device to host, locked memory", false, true},
    [TRANSFER_H2D_PAGEABLE] = {"h2d-pageable", "host to device, ordinary memory, by the host's clock", true,
                               false},
    [TRANSFER_D2H_PAGEABLE] = {"d2h-pageable", "device to host, ordinary memory, by the host's clock", false,
                               false},
};

static const char *const start_names[START_COUNT] = {"launch-call", "launch-trip"};
static const char *const start_whats[START_COUNT] = {
    "the host's call that starts the kernel of launch",
    "starting it and waiting for its end, by the host's clock"};

static const char memory_what[] =
    "patterns written to nearly all of a GPU's memory and read back; when named, and under --minutes";

#define MIB ((size_t)1 << 20)
// 16 KiB: what tensor parallelism adds up for one token of 8192 in 16 bits; 2 MiB: for a batch of 128.
#define SMALL ((size_t)16384)
#define BUS "bus bandwidth: data / time x 2 (n - 1) / n"
const GroupTest group_table[GROUP_COUNT] = {
    [GROUP_PEER_COPY] = {"peer-copy", "from one GPU to another, every pair and direction", true, false, false,
                         false, 256 * MIB},
    [GROUP_PEER_BOTH] = {"peer-copy-both", "both ways at once, the sum of both, every pair", true, true,
                         false, false, 256 * MIB},
    [GROUP_REDUCE_SMALL] = {"all-reduce-small", "sum over all GPUs by NCCL or RCCL, 16 KiB", false, false,
                            true, true, SMALL},
    [GROUP_REDUCE_MEDIUM] = {"all-reduce-medium", "the same, 2 MiB", false, false, true, true, 2 * MIB},
    [GROUP_REDUCE_LARGE] = {"all-reduce-large", "the same, 512 MiB; " BUS, false, false, true, false,
                            512 * MIB},
    [GROUP_RING_SMALL] = {"ring-small", "sum over all GPUs by our own ring of peer copies, 16 KiB", false,
                          false, false, true, SMALL},
    [GROUP_RING_MEDIUM] = {"ring-medium", "the same, 2 MiB", false, false, false, true, 2 * MIB},
    [GROUP_RING_LARGE] = {"ring-large", "the same, 512 MiB; " BUS, false, false, false, false, 512 * MIB},
};

const Kernel *test_kernel(TestId test) { return test < KERNEL_COUNT ? &kernel_table[test] : NULL; }

const Transfer *test_transfer(TestId test) {
    return test >= KERNEL_COUNT && test < TEST_START ? &transfer_table[test - KERNEL_COUNT] : NULL;
}

bool test_is_start(TestId test) { return test >= TEST_START && test < TEST_MEMORY; }

const GroupTest *test_group(TestId test) {
    return test >= TEST_GROUP && test < TEST_COUNT ? &group_table[test - TEST_GROUP] : NULL;
}

const char *test_name(TestId test) {
    if (test < KERNEL_COUNT) return kernel_table[test].name;
    if (test < TEST_START) return transfer_table[test - KERNEL_COUNT].name;
    if (test == TEST_MEMORY) return "memory";
    return test < TEST_GROUP ? start_names[test - TEST_START] : group_table[test - TEST_GROUP].name;
}

const char *test_unit(TestId test) {
    const GroupTest *g = test_group(test);
    if (test < KERNEL_COUNT) return kernel_unit(&kernel_table[test]);
    return test_is_start(test) || (g != NULL && g->of_time) ? "us" : "GB/s";
}

const char *test_dtype(TestId test) {
    const GroupTest *g = test_group(test);
    if (test < KERNEL_COUNT) return kernel_table[test].dtype;
    return g != NULL && !g->of_pair ? "fp32" : "-";
}

const char *test_dims(TestId test) {
    if (test < KERNEL_COUNT) return kernel_table[test].dims;
    return test_is_start(test) ? kernel_table[KERNEL_LAUNCH].dims : "bytes";
}

const char *test_what(TestId test) {
    if (test < KERNEL_COUNT) return kernel_table[test].what;
    if (test < TEST_START) return transfer_table[test - KERNEL_COUNT].what;
    if (test == TEST_MEMORY) return memory_what;
    return test < TEST_GROUP ? start_whats[test - TEST_START] : group_table[test - TEST_GROUP].what;
}

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
    if (test < KERNEL_COUNT || test_is_start(test))
        return shape_read(&kernel_table[test < KERNEL_COUNT ? test : KERNEL_LAUNCH], shape, &s);
    return parse_integer(str_of(shape), 1, INT64_C(1) << 53, &bytes, NULL);
}
