// Stand-ins for libcuda, libamdhip64, libnvrtc, libhiprtc, libnvidia-ml, libcublasLt, libhipblaslt, libnccl
// and librccl in one library, linked under each of their names. Devices are described by environment
// variables, "key=value;key=value" (of one key that stands twice the last value counts):
//
//   FAKE_CUDA, FAKE_HIP   pci=ADDRESS,... (one a device; none: no device)  name= units= memory=GiB cache=MiB bw=GB/s gflops=
//                         cc=90 driver=12040 (CUDA)   gfx=gfx942 driver=60300000 (HIP)
//                         init=N (error of the first call)   hang= crash= wrong= stray=ENTRY  wrong_after=N (from that repetition of a launch on)  wrong_unit=N (what that multiprocessor computes)
//                          error=ENTRY:N (from then on)   only=DEVICE (has that error)   lame=DEVICE (takes twice the time)
//                          stuck=WORD alias=BIT flaky=WORD (of the memory under patterns)
//                         ptx=FILE (CUDA: launches execute the loaded PTX in the tests' interpreter; a line each in FILE)
//                         link=GB/s of copies   lockable=GiB of host memory   copies=wrong-h2d, wrong-d2h
//                         mark=FILE (made when a fault of the device fires; while it is there no device is)
//                         peers=none (may reach others)   peer= staged=GB/s of copies between devices, with and without access   slow=FROM:TO (half of it)
//                         copies=wrong-peer   peer_error=N   peer_fault=crash, hang   xgmi=0 (HIP: PCIe between them)
//   FAKE_NCCL             version=22105 us= busbw=GB/s   async=N   fault=system (at the start), unhandled, crash, hang, wrong, stray, missing, late (a rank that never joins), wrong-pair
//   FAKE_NVML             nvlink=links of each (0: PCIe) topology=LEVEL
//                         clock=MHz power=W limit=W default=W temp=C reasons=BITS mig=0 util=% processes=N
//                         (-1: it does not count them) ecc=1 ecc_errors=N ecc_corrected=N remap_pending=1
//                         width= width_max= uuid= serial= vbios=
//   FAKE_LT               gflops=   fault=crash, hang, wrong, stray, unsupported, none (the vendors' matrix products)
//   FAKE_RTC              fail, abort; unset: it compiles
//
// Kernels run as the native CPU code on memory whose addresses only the "device" can follow. Calls that a
// real driver refuses are refused: freed or foreign memory, unloaded modules, launches beyond the limits, no
// context. A launch or a copy that repeats the last one on unchanged memory only takes (device) time: a test
// that times thousands stays short.
#ifndef GPUADVISE_TESTS_FAKE_H
#define GPUADVISE_TESTS_FAKE_H

#include "kernels/gpu_abi.h"
#include "kernels/kernels.h"

#define FAKE_EXPORT __attribute__((visibility("default")))

typedef enum FakeApi { FAKE_CUDA, FAKE_HIP, FAKE_APIS } FakeApi;

enum {
    OK = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    NO_BINARY = 209,
    UNSUPPORTED_PTX = 222,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    ILLEGAL_ADDRESS = 700
};

// The value of a key in an environment variable, `otherwise` when it is not there. `out` holds it.
const char *fake_text(const char *variable, const char *key, const char *otherwise, char out[256]);
double fake_number(const char *variable, const char *key, double otherwise);

// Is this image code for that device, and does it have the entry? fake_code.c
unsigned fake_check_ptx(const char *image, int driver, int capability);
unsigned fake_check_object(const char *image, const char *gfx);
bool fake_has_entry(FakeApi api, const char *image, const char *entry);

// The host's side of a device's memory, NULL where it is not all in one allocation; a number that changes
// with what is in it; device time.
char *fake_memory(FakeApi api, GpuPointer pointer, size_t bytes);
uint64_t fake_memory_changes(FakeApi api);
void fake_spend(FakeApi api, double seconds);

// What NVRTC and hipRTC answer: a line that the checks take.
#define FAKE_OBJECT "fake code object for "

#endif
