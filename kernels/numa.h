// Memory of the host on the NUMA node of a GPU: on a machine of several sockets the way from another one is
// slower. Through the kernel's own calls: no libnuma is needed.
#ifndef GPUADVISE_KERNELS_NUMA_H
#define GPUADVISE_KERNELS_NUMA_H

#include "src/base/base.h"

// The node that the PCI device hangs on; -1: the machine has none, or does not say. `root`: "" = the machine.
int numa_of(const char *root, const char *pci);
// Pages that this thread asks for from here on come from that node where it has any. Gives what came of it, for
// the answer (arena): "host memory on NUMA node 1", or why it is anywhere.
const char *numa_prefer(int node, Arena *a);
// From here on they come from anywhere again.
void numa_forget(void);

#endif
