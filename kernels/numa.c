// NUMA nodes by the kernel's calls.
#define _DEFAULT_SOURCE  // syscall
#include "kernels/numa.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "kernels/sysfs.h"

enum { NODES_MAX = 1024, WORD_BITS = sizeof(unsigned long) * CHAR_BIT };

int numa_of(const char *root, const char *pci) {
    Arena a = {0};
    double node = pci[0] != '\0' ? sysfs_number(&a, "%s/sys/bus/pci/devices/%s/numa_node", root, pci) : -1;
    arena_free(&a);
    return node >= 0 && node < NODES_MAX ? (int)node : -1;
}

#ifdef SYS_set_mempolicy
// As linux/mempolicy.h numbers them, which not every libc ships.
enum { POLICY_DEFAULT = 0, POLICY_PREFERRED = 1 };

// The kernel takes one bit more than there are for the number of bits.
static bool set_policy(int policy, const unsigned long *mask) {
    return syscall(SYS_set_mempolicy, policy, mask, mask != NULL ? NODES_MAX + 1UL : 0UL) == 0;
}

const char *numa_prefer(int node, Arena *a) {
    unsigned long mask[NODES_MAX / WORD_BITS + 1] = {0};
    if (node < 0) return "host memory not bound: the machine names no NUMA node of this GPU";
    mask[(size_t)node / WORD_BITS] = 1UL << (size_t)node % WORD_BITS;
    if (set_policy(POLICY_PREFERRED, mask)) return arena_printf(a, "host memory on NUMA node %d", node);
    return arena_printf(a, "host memory not bound to NUMA node %d: %s", node, strerror(errno));
}

void numa_forget(void) { (void)set_policy(POLICY_DEFAULT, NULL); }
#else
const char *numa_prefer(int node, Arena *a) {
    return node < 0 ? "host memory not bound: the machine names no NUMA node of this GPU"
                    : arena_printf(a, "host memory not bound to NUMA node %d: this system has no call for it",
                                   node);
}

void numa_forget(void) {}
#endif
