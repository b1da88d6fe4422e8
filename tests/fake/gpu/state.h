// What the stand-in of a driver keeps: shared by the files that play one.
#ifndef GPUADVISE_TESTS_FAKE_STATE_H
#define GPUADVISE_TESTS_FAKE_STATE_H

#include "kernels/cpu.h"
#include "tests/fake/gpu/fake.h"
#include "tests/ptx/ptx.h"

#define DECLARE_BOTH(field, cuda, hip, args)                                                                 \
    FAKE_EXPORT unsigned cuda args;                                                                          \
    FAKE_EXPORT unsigned hip args;
#define DECLARE_ONE(field, symbol, args) FAKE_EXPORT unsigned symbol args;
GPU_COMMON(DECLARE_BOTH)
GPU_CUDA_ONLY(DECLARE_ONE)
GPU_HIP_ONLY(DECLARE_ONE)
GPU_PEER_COMMON(DECLARE_BOTH)
GPU_PEER_CUDA_ONLY(DECLARE_ONE)
GPU_PEER_HIP_ONLY(DECLARE_ONE)
GPU_PEER_HIP_OPTIONAL(DECLARE_ONE)

enum {
    HELPERS = 3,  // entries that are no test
    ENTRIES = KERNEL_COUNT + HELPERS,
    ALLOCATIONS = 512,
    LOCKED = 8,
    DEVICES = 64,
    MODULES = 64,
    EVENTS = 512,
    STREAMS = 128,
    THREADS_MAX = 1024,
    SHARED_PLAIN = 49152
};

typedef struct Allocation {
    char *host;  // NULL: unused
    size_t bytes;
    int device;
    uint64_t version;  // of what is in it
} Allocation;

typedef struct Module {
    const char *image;  // NULL: unloaded
    int device;
} Module;

typedef struct Function {
    Module *module;
    const Kernel *kernel;
    unsigned shared;  // bytes beyond its own that it may ask for
} Function;

typedef struct Event {
    bool used, recorded;
    int device;
    double at;  // device seconds
} Event;

// A copy between devices that was done: the same again, of the same bytes, only takes time.
typedef struct PeerCopied {
    GpuPointer to, from;
    size_t bytes;
    uint64_t to_version, from_version;
} PeerCopied;

typedef struct Stream {
    bool used;
    int device;
    double clock;  // device seconds
    PeerCopied copied;
} Stream;

typedef struct Launched {
    const Function *function;
    uint64_t values[3 + BUFFERS_MAX];
    unsigned blocks;
    uint64_t memory;  // generation
} Launched;

typedef struct Copied {
    const void *host, *device;
    size_t bytes;
    bool to_device;
    uint64_t memory;  // generation
} Copied;

typedef struct State {
    const char *variable;
    bool started, context;
    int current;    // device of the calls, where there is a context
    unsigned lost;  // every call answers this from then on
    size_t n_devices;
    char pci[DEVICES][32];
    char contexts[DEVICES];  // their addresses are handles
    bool reaches[DEVICES][DEVICES];
    Allocation allocations[ALLOCATIONS], locked[LOCKED];
    size_t allocated[DEVICES];
    Module modules[MODULES];
    Function functions[MODULES][ENTRIES];
    Event events[EVENTS];
    Stream own[DEVICES], made[STREAMS];  // own: the stream without a handle
    uint64_t memory;                     // generation: changes with every write from outside
    Launched last, compared;             // compared: by the entry that counts differences, when its PTX ran
    uint64_t repeats;                    // of the last launch
    Copied copied;
    Cpu cpu;
} State;

extern State fake_states[FAKE_APIS];

#define STARTED(s)                                                                                           \
    do {                                                                                                     \
        if (!(s)->started) return NOT_INITIALIZED;                                                           \
    } while (0)
#define READY(s)                                                                                             \
    do {                                                                                                     \
        if (!(s)->started) return NOT_INITIALIZED;                                                           \
        if ((s)->lost != 0) return (s)->lost;                                                                \
        if (!(s)->context) return INVALID_CONTEXT;                                                           \
    } while (0)
#define DEVICE(s, d)                                                                                         \
    do {                                                                                                     \
        STARTED(s);                                                                                          \
        if ((d) < 0 || (size_t)(d) >= (s)->n_devices) return INVALID_DEVICE;                                 \
    } while (0)

// Both vendors' names of one function.
#define BOTH(cuda, hip, parameters, call)                                                                    \
    unsigned cuda parameters {                                                                               \
        State *s = &fake_states[FAKE_CUDA];                                                                  \
        return call;                                                                                         \
    }                                                                                                        \
    unsigned hip parameters {                                                                                \
        State *s = &fake_states[FAKE_HIP];                                                                   \
        return call;                                                                                         \
    }

double state_number(const State *s, const char *key, double otherwise);
bool state_word(const State *s, const char *key, const char *word);  // "key=word" is set
void state_mark(const State *s);                                     // leaves the file of "mark="

// The allocation that a range of device memory is all in; NULL: none.
Allocation *state_holder(State *s, GpuPointer pointer, size_t bytes);
char *state_host(GpuPointer pointer);  // the host's side of it
// Memory that the current device can follow: its own, or that of one it reaches. NULL: it cannot.
char *state_range(State *s, GpuPointer pointer, size_t bytes);
// Does FAKE_CUDA say that launches execute PTX? One such launch of an entry of a module; OK, or the error of a
// device that touched what it must not.
bool fake_runs_ptx(void);
unsigned fake_run_ptx(const char *image, const char *entry_name, PtxLaunch *launch);
// A stream of the current device; NULL: it is not.
Stream *state_stream(State *s, GpuStream stream);

#endif
