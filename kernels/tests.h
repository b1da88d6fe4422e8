// The tests as one list: kernels, copies between host and device, ways to time a launch, and what several
// GPUs do together.
#ifndef GPUADVISE_KERNELS_TESTS_H
#define GPUADVISE_KERNELS_TESTS_H

#include "kernels/kernels.h"

typedef enum TransferId {
    TRANSFER_H2D_PINNED,
    TRANSFER_D2H_PINNED,
    TRANSFER_H2D_PAGEABLE,
    TRANSFER_D2H_PAGEABLE,
    TRANSFER_COUNT
} TransferId;

typedef struct Transfer {
    const char *name, *what;
    bool to_device;
    bool pinned;  // host memory that the driver locked, which the device reads and writes by itself
} Transfer;

// The kernel "launch" by the host's clock: how long the call takes that starts it, how long until it is known
// to be done.
typedef enum StartId { START_CALL, START_TRIP, START_COUNT } StartId;

// What GPUs of one vendor do together. Copies are of a pair, the others of the whole group.
typedef enum GroupId {
    GROUP_PEER_COPY,
    GROUP_PEER_BOTH,
    GROUP_REDUCE_SMALL,
    GROUP_REDUCE_MEDIUM,
    GROUP_REDUCE_LARGE,
    GROUP_RING_SMALL,
    GROUP_RING_MEDIUM,
    GROUP_RING_LARGE,
    GROUP_COUNT
} GroupId;

typedef struct GroupTest {
    const char *name, *what;
    bool of_pair;
    bool both_ways;  // of a pair: at the same time
    bool library;    // NCCL or RCCL; else our own ring
    bool of_time;    // in us; else GB/s: of a pair all that moved, of an all-reduce bus bandwidth
    size_t bytes;    // at most: of each GPU's numbers, or of a copy one way
} GroupTest;
extern const GroupTest group_table[GROUP_COUNT];

// A KernelId, KERNEL_COUNT + a TransferId, TEST_START + a StartId, TEST_MEMORY, or TEST_GROUP + a GroupId.
typedef unsigned TestId;
enum {
    TEST_START = KERNEL_COUNT + TRANSFER_COUNT,
    TEST_MEMORY = TEST_START + START_COUNT,  // patterns in nearly all of a GPU's memory
    TEST_GROUP,
    TEST_COUNT = TEST_GROUP + GROUP_COUNT
};

bool test_find(const char *name, TestId *ret_test);
const Kernel *test_kernel(TestId test);      // NULL: none
const Transfer *test_transfer(TestId test);  // NULL: none
bool test_is_start(TestId test);
const GroupTest *test_group(TestId test);  // NULL: none
const char *test_name(TestId test);
const char *test_unit(TestId test);
const char *test_dtype(TestId test);  // "-" = none
const char *test_dims(TestId test);
const char *test_what(TestId test);
// Sizes as a result of this test states them, see shape_text.
bool test_sizes_hold(TestId test, const char *shape);

#endif
