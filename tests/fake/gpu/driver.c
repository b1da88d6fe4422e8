// Devices, memory, launches: CUDA's driver and HIP.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/cpu.h"
#include "tests/fake/gpu/fake.h"

#define DECLARE(field, cuda, hip, args) FAKE_EXPORT unsigned cuda args; FAKE_EXPORT unsigned hip args;
#define DECLARE_ONE(field, symbol, args) FAKE_EXPORT unsigned symbol args;
GPU_COMMON(DECLARE)
GPU_CUDA_ONLY(DECLARE_ONE)
GPU_HIP_ONLY(DECLARE_ONE)
FAKE_EXPORT unsigned hipGetDevicePropertiesR0600(void *out, int device);

enum { ALLOCATIONS = 64, LOCKED = 8, DEVICES = 64, MODULES = 4, FUNCTIONS = 64, EVENTS = 8, THREADS_MAX = 1024 };
static const GpuPointer veil = 0xFEull << 48;  // no host address has these bits

typedef struct Allocation {
    char *host;  // NULL: unused
    size_t bytes;
} Allocation;

typedef struct Module {
    const char *image;  // NULL: unloaded
} Module;

typedef struct Function {
    Module *module;
    const Kernel *kernel;
} Function;

typedef struct Event {
    bool used, recorded;
    double at;  // device seconds
} Event;

typedef struct Launched {
    const Function *function;
    uint64_t values[3 + BUFFERS_MAX];
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
    unsigned lost;  // every call answers this from then on
    size_t n_devices;
    char pci[DEVICES][32];
    Allocation allocations[ALLOCATIONS], locked[LOCKED];
    size_t allocated;
    Module modules[MODULES];
    Function functions[FUNCTIONS];
    Event events[EVENTS];
    double clock;
    uint64_t memory;  // generation: changes with every write from outside
    Launched last;
    Copied copied;
    Cpu cpu;
} State;

static State states[FAKE_APIS] = {{.variable = "FAKE_CUDA"}, {.variable = "FAKE_HIP"}};

static double number(const State *s, const char *key, double otherwise) { return fake_number(s->variable, key, otherwise); }

static bool marked(const State *s) {
    char path[256];
    return access(fake_text(s->variable, "mark", "/nonexistent", path), F_OK) == 0;
}

// ---------------------------------------------------------------- devices

static unsigned do_init(State *s, unsigned flags) {
    char list[256];
    Err e = {0};
    Str rest = str_of(fake_text(s->variable, "pci", "", list)), part;
    unsigned error = (unsigned)number(s, "init", 0);
    if (flags != 0) return INVALID_VALUE;
    if (error != 0) return error;
    s->n_devices = 0;
    while (!marked(s) && s->n_devices < DEVICES && str_next(&rest, ',', &part)) {
        if (part.length > 0) snprintf(s->pci[s->n_devices++], 32, "%.*s", (int)part.length, part.data);
    }
    if (s->n_devices == 0) return NO_DEVICE;
    if (!cpu_open(NULL, &s->cpu, &e)) return OUT_OF_MEMORY;
    s->started = true;
    return OK;
}

#define STARTED(s) do { if (!(s)->started) return NOT_INITIALIZED; } while (0)
#define READY(s) do { if (!(s)->started) return NOT_INITIALIZED; if ((s)->lost != 0) return (s)->lost; if (!(s)->context) return INVALID_CONTEXT; } while (0)

static unsigned do_driver_version(State *s, int *version) {
    *version = (int)number(s, "driver", s == &states[FAKE_CUDA] ? 12040 : 60300000);
    return OK;
}

static unsigned do_count(State *s, int *count) {
    STARTED(s);
    *count = (int)s->n_devices;
    return OK;
}

static unsigned do_device(State *s, GpuOrdinal *device, int index) {
    STARTED(s);
    if (index < 0 || (size_t)index >= s->n_devices) return INVALID_DEVICE;
    *device = index;
    return OK;
}

#define DEVICE(s, d) do { STARTED(s); if ((d) < 0 || (size_t)(d) >= (s)->n_devices) return INVALID_DEVICE; } while (0)

static unsigned do_name(State *s, char *name, int size, GpuOrdinal device) {
    char text[256];
    DEVICE(s, device);
    snprintf(name, (size_t)size, "%s", fake_text(s->variable, "name", "Fake GPU", text));
    return OK;
}

static unsigned do_pci(State *s, char *address, int size, GpuOrdinal device) {
    DEVICE(s, device);
    snprintf(address, (size_t)size, "%s", s->pci[device]);
    return OK;
}

static size_t memory_bytes(const State *s) { return (size_t)(number(s, "memory", 4) * 1073741824); }

static unsigned do_total(State *s, size_t *bytes, GpuOrdinal device) {
    DEVICE(s, device);
    *bytes = memory_bytes(s);
    return OK;
}

static unsigned do_attribute(State *s, int *value, GpuAttribute attribute, GpuOrdinal device) {
    bool cuda = s == &states[FAKE_CUDA];
    int capability = (int)number(s, "cc", 90);
    const int answers[][3] = {{16, 63, (int)number(s, "units", 132)}, {10, 87, cuda ? 32 : 64}, {1, 56, THREADS_MAX},
                              {38, 19, (int)(number(s, "cache", 50) * 1048576)}, {75, 23, capability / 10}, {76, 61, capability % 10}};
    DEVICE(s, device);
    for (size_t i = 0; i < COUNT_OF(answers); i++) {
        if ((GpuAttribute)answers[i][cuda ? 0 : 1] != attribute) continue;
        *value = answers[i][2];
        return OK;
    }
    return INVALID_VALUE;
}

// ---------------------------------------------------------------- memory

static unsigned do_memory(State *s, size_t *unused, size_t *total) {
    READY(s);
    *total = memory_bytes(s);
    *unused = *total - s->allocated;
    return OK;
}

static unsigned do_alloc(State *s, GpuPointer *pointer, size_t bytes) {
    READY(s);
    if (bytes == 0) return INVALID_VALUE;
    if (s->allocated + bytes > memory_bytes(s)) return OUT_OF_MEMORY;
    for (size_t i = 0; i < ALLOCATIONS; i++) {
        Allocation *a = &s->allocations[i];
        if (a->host != NULL) continue;
        *a = (Allocation){malloc(bytes), bytes};
        if (a->host == NULL) return OUT_OF_MEMORY;
        memset(a->host, 0x5C, bytes);  // what was there before
        s->allocated += bytes;
        s->memory++;
        *pointer = (GpuPointer)(uintptr_t)a->host ^ veil;
        return OK;
    }
    return OUT_OF_MEMORY;
}

// The host's side of a range of device memory; NULL where it is not all in one allocation.
static char *range(const State *s, GpuPointer pointer, size_t bytes) {
    char *host = (char *)(uintptr_t)(pointer ^ veil);
    for (size_t i = 0; i < ALLOCATIONS; i++) {
        const Allocation *a = &s->allocations[i];
        if (a->host != NULL && host >= a->host && (size_t)(host - a->host) <= a->bytes && bytes <= a->bytes - (size_t)(host - a->host)) return host;
    }
    return NULL;
}

char *fake_memory(FakeApi api, GpuPointer pointer, size_t bytes) { return range(&states[api], pointer, bytes); }
uint64_t fake_memory_changes(FakeApi api) { return states[api].memory; }
void fake_spend(FakeApi api, double seconds) { states[api].clock += seconds; }

static unsigned do_release(State *s, GpuPointer pointer) {
    READY(s);
    for (size_t i = 0; i < ALLOCATIONS; i++) {
        Allocation *a = &s->allocations[i];
        if (a->host == NULL || ((GpuPointer)(uintptr_t)a->host ^ veil) != pointer) continue;
        s->allocated -= a->bytes;
        s->memory++;
        free(a->host);
        *a = (Allocation){0};
        return OK;
    }
    return INVALID_VALUE;
}

static unsigned do_to_device(State *s, GpuPointer to, GpuSource from, size_t bytes) {
    READY(s);
    char *host = range(s, to, bytes);
    if (host == NULL) return INVALID_VALUE;
    memcpy(host, from, bytes);
    s->memory++;
    return OK;
}

static unsigned do_to_host(State *s, void *to, GpuPointer from, size_t bytes) {
    READY(s);
    const char *host = range(s, from, bytes);
    if (host == NULL) return INVALID_VALUE;
    memcpy(to, host, bytes);
    return OK;
}

// Copies that return before they are done: a driver locks, or stages, what is not locked; staging halves the speed here.
static unsigned do_async(State *s, void *host, GpuPointer device, size_t bytes, bool to_device) {
    READY(s);
    char *at = range(s, device, bytes), text[256];
    bool locked = false;
    if (at == NULL || host == NULL) return INVALID_VALUE;
    for (size_t i = 0; i < LOCKED; i++) {
        const Allocation *l = &s->locked[i];
        locked = locked || (l->host != NULL && (char *)host >= l->host && bytes <= l->bytes && (size_t)((char *)host - l->host) <= l->bytes - bytes);
    }
    const Copied *last = &s->copied;
    bool again = last->host == host && last->device == at && last->bytes == bytes && last->to_device == to_device && last->memory == s->memory;
    if (!again) memcpy(to_device ? at : host, to_device ? host : at, bytes);
    if (!again && to_device) s->memory++;
    s->copied = (Copied){host, at, bytes, to_device, s->memory};
    char *arrived = to_device ? at : host;
    bool spoilt = strcmp(fake_text(s->variable, "copies", "", text), to_device ? "wrong-h2d" : "wrong-d2h") == 0;
    if (spoilt && !again) arrived[bytes / 2] = (char)~arrived[bytes / 2];
    s->clock += (double)bytes / (number(s, "link", 50) * 1e9) * (locked ? 1 : 2) + 1e-6;
    return OK;
}

static unsigned do_host_alloc(State *s, void **pointer, size_t bytes, unsigned flags) {
    READY(s);
    if (bytes == 0 || flags != 0) return INVALID_VALUE;
    if ((double)bytes > number(s, "lockable", 64) * 1073741824) return OUT_OF_MEMORY;
    for (size_t i = 0; i < LOCKED; i++) {
        if (s->locked[i].host != NULL) continue;
        s->locked[i] = (Allocation){malloc(bytes), bytes};
        *pointer = s->locked[i].host;
        return s->locked[i].host != NULL ? OK : OUT_OF_MEMORY;
    }
    return OUT_OF_MEMORY;
}

static unsigned do_host_release(State *s, void *pointer) {
    READY(s);
    for (size_t i = 0; i < LOCKED; i++) {
        if (pointer == NULL || s->locked[i].host != pointer) continue;
        free(pointer);
        s->locked[i] = (Allocation){0};
        return OK;
    }
    return INVALID_VALUE;
}

static unsigned do_fill(State *s, GpuPointer to, unsigned char value, size_t bytes) {
    READY(s);
    char *host = range(s, to, bytes);
    if (host == NULL) return INVALID_VALUE;
    memset(host, value, bytes);
    s->memory++;
    return OK;
}

// ---------------------------------------------------------------- code

static unsigned do_module_load(State *s, GpuModule *module, const void *image) {
    char gfx[256];
    READY(s);
    int driver = 0;
    do_driver_version(s, &driver);
    unsigned error = s == &states[FAKE_CUDA] ? fake_check_ptx(image, driver, (int)number(s, "cc", 90)) : fake_check_object(image, fake_text(s->variable, "gfx", "gfx942", gfx));
    bool compiled = strncmp(image, FAKE_OBJECT, sizeof FAKE_OBJECT - 1) == 0;
    if (error == OK && !compiled) error = (unsigned)number(s, "refuse", 0);
    if (error != OK) return error;
    for (size_t i = 0; i < MODULES; i++) {
        if (s->modules[i].image != NULL) continue;
        // What a compiler made may be gone after this call; what is linked into the program stays.
        s->modules[i].image = compiled ? FAKE_OBJECT : image;
        *module = &s->modules[i];
        return OK;
    }
    return OUT_OF_MEMORY;
}

static unsigned do_module_unload(State *s, GpuModule module) {
    READY(s);
    ((Module *)module)->image = NULL;
    return OK;
}

static unsigned do_function(State *s, GpuFunction *function, GpuModule module, const char *name) {
    READY(s);
    Module *m = module;
    if (m < s->modules || m >= s->modules + MODULES || m->image == NULL) return INVALID_HANDLE;
    if (!fake_has_entry((FakeApi)(s - states), m->image, name)) return NOT_FOUND;
    for (size_t i = 0; i < KERNEL_COUNT; i++) {
        if (strcmp(kernel_table[i].launch.entry, name) != 0) continue;
        s->functions[i] = (Function){m, &kernel_table[i]};
        *function = &s->functions[i];
        return OK;
    }
    return NOT_FOUND;
}

// ---------------------------------------------------------------- launches

// A fault that strikes at this entry: "hang=gk_triad".
static bool strikes(const State *s, const char *key, const Kernel *k) {
    char text[256];
    return strcmp(fake_text(s->variable, key, "", text), k->launch.entry) == 0;
}

static void leave_mark(const State *s) {
    char path[256];
    FILE *f = fopen(fake_text(s->variable, "mark", "/nonexistent/mark", path), "w");
    if (f != NULL) fclose(f);
}

// "error=gk_triad:719"
static unsigned error_of(State *s, const Kernel *k) {
    char text[256];
    const char *value = fake_text(s->variable, "error", "", text), *colon = strchr(value, ':');
    if (colon == NULL || strlen(k->launch.entry) != (size_t)(colon - value) || strncmp(value, k->launch.entry, (size_t)(colon - value)) != 0) return OK;
    s->lost = (unsigned)strtoul(colon + 1, NULL, 10);
    leave_mark(s);
    return s->lost;
}

static void spoil(const State *s, const Kernel *k, char *out, size_t bytes) {
    if (strikes(s, "wrong", k)) out[bytes / 2] = (char)~out[bytes / 2];
    if (strikes(s, "stray", k)) out[bytes] = 0;
}

static double seconds_of(const State *s, const Kernel *k, const Shape *shape) {
    const double least = 20e-6, latency_s = 600e-9;  // few launches a batch: tests stay short
    double bytes = k->bytes(shape);
    if (k->kind == KIND_LATENCY) return bytes * latency_s;
    double moving = bytes / (number(s, "bw", 3000) * 1e9), computing = k->flops(shape) / (number(s, "gflops", 50000) * 1e9);
    return fmax(least, k->kind == KIND_COMPUTE ? computing : moving);
}

// Sizes and buffers of the arguments: every buffer must be memory of the device, whole.
static bool take_arguments(const State *s, const Kernel *k, void **arguments, CpuArgs *call, size_t *ret_out_bytes, uint64_t *values) {
    size_t dims = kernel_dims(k);
    for (size_t i = 0; i < dims; i++) {
        memcpy(&values[i], arguments[i], sizeof values[i]);
        call->shape.d[i] = values[i];
    }
    for (size_t i = 0; i <= k->output; i++) {
        GpuPointer pointer = 0;
        memcpy(&pointer, arguments[dims + i], sizeof pointer);
        values[dims + i] = pointer;
        size_t bytes = buffer_count(&k->buffers[i], &call->shape) * elem_size(k->buffers[i].elem);
        char *host = range(s, pointer, bytes);
        if (host == NULL) return false;
        if (i == k->output) call->out = host, *ret_out_bytes = bytes;
        if (i < k->output) call->in[i] = host;
    }
    return true;
}

static unsigned do_launch(State *s, GpuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                          unsigned shared_bytes, void **arguments, void **extra) {
    READY(s);
    const Function *f = function;
    if (f < s->functions || f >= s->functions + FUNCTIONS || f->module == NULL || f->module->image == NULL) return INVALID_HANDLE;
    const Kernel *k = f->kernel;
    if (grid_x == 0 || grid_x > 0x7FFFFFFF || grid_y != 1 || grid_z != 1 || block_y != 1 || block_z != 1 || extra != NULL || shared_bytes > 49152) return INVALID_VALUE;
    if (block_x == 0 || block_x > THREADS_MAX || block_x != k->launch.threads) return INVALID_VALUE;
    if (strikes(s, "crash", k)) raise(SIGSEGV);
    if (strikes(s, "hang", k)) leave_mark(s);
    while (strikes(s, "hang", k)) sleep(1);
    unsigned error = error_of(s, k);
    if (error != OK) return error;
    CpuArgs call = {0};
    Launched now = {.function = f, .memory = s->memory};
    size_t out_bytes = 0;
    if (!take_arguments(s, k, arguments, &call, &out_bytes, now.values)) return s->lost = ILLEGAL_ADDRESS;
    if (memcmp(&now, &s->last, sizeof now) != 0) {
        cpu_run(&s->cpu, (KernelId)(k - kernel_table), &call);
        spoil(s, k, call.out, out_bytes);
    }
    s->last = now;
    s->clock += seconds_of(s, k, &call.shape);
    return OK;
}

// ---------------------------------------------------------------- time

static unsigned do_synchronize(State *s) {
    READY(s);
    return OK;
}

static unsigned do_event_create(State *s, GpuEvent *event, unsigned flags) {
    READY(s);
    for (size_t i = 0; flags == 0 && i < EVENTS; i++) {
        if (s->events[i].used) continue;
        s->events[i] = (Event){.used = true};
        *event = &s->events[i];
        return OK;
    }
    return INVALID_VALUE;
}

static bool is_event(const State *s, const Event *e) { return e >= s->events && e < s->events + EVENTS && e->used; }

static unsigned do_event_record(State *s, GpuEvent event) {
    READY(s);
    Event *e = event;
    if (!is_event(s, e)) return INVALID_HANDLE;
    e->recorded = true;
    e->at = s->clock;
    return OK;
}

static unsigned do_event_wait(State *s, GpuEvent event) {
    READY(s);
    return is_event(s, event) && ((Event *)event)->recorded ? OK : INVALID_HANDLE;
}

static unsigned do_event_elapsed(State *s, float *ms, GpuEvent from, GpuEvent to) {
    READY(s);
    const Event *a = from, *b = to;
    if (!is_event(s, a) || !is_event(s, b) || !a->recorded || !b->recorded) return INVALID_HANDLE;
    *ms = (float)((b->at - a->at) * 1000);
    return OK;
}

// ---------------------------------------------------------------- the exported names

#define BOTH(cuda, hip, parameters, call) \
    unsigned cuda parameters { State *s = &states[FAKE_CUDA]; return call; } \
    unsigned hip parameters { State *s = &states[FAKE_HIP]; return call; }

BOTH(cuInit, hipInit, (unsigned flags), do_init(s, flags))
BOTH(cuDriverGetVersion, hipDriverGetVersion, (int *version), do_driver_version(s, version))
BOTH(cuDeviceGetCount, hipGetDeviceCount, (int *count), do_count(s, count))
BOTH(cuDeviceGet, hipDeviceGet, (GpuOrdinal *device, int index), do_device(s, device, index))
BOTH(cuDeviceGetName, hipDeviceGetName, (char *name, int size, GpuOrdinal device), do_name(s, name, size, device))
BOTH(cuDeviceTotalMem_v2, hipDeviceTotalMem, (size_t *bytes, GpuOrdinal device), do_total(s, bytes, device))
BOTH(cuDeviceGetAttribute, hipDeviceGetAttribute, (int *value, GpuAttribute attribute, GpuOrdinal device), do_attribute(s, value, attribute, device))
BOTH(cuMemGetInfo_v2, hipMemGetInfo, (size_t *unused, size_t *total), do_memory(s, unused, total))
BOTH(cuMemAlloc_v2, hipMalloc, (GpuPointer *pointer, size_t bytes), do_alloc(s, pointer, bytes))
BOTH(cuMemFree_v2, hipFree, (GpuPointer pointer), do_release(s, pointer))
BOTH(cuMemcpyHtoD_v2, hipMemcpyHtoD, (GpuPointer to, GpuSource from, size_t bytes), do_to_device(s, to, from, bytes))
BOTH(cuMemcpyDtoH_v2, hipMemcpyDtoH, (void *to, GpuPointer from, size_t bytes), do_to_host(s, to, from, bytes))
BOTH(cuMemsetD8_v2, hipMemsetD8, (GpuPointer to, unsigned char value, size_t bytes), do_fill(s, to, value, bytes))
BOTH(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync, (GpuPointer to, GpuSource from, size_t bytes, GpuStream stream),
     stream != NULL ? INVALID_HANDLE : do_async(s, (void *)(uintptr_t)from, to, bytes, true))
BOTH(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync, (void *to, GpuPointer from, size_t bytes, GpuStream stream),
     stream != NULL ? INVALID_HANDLE : do_async(s, to, from, bytes, false))
BOTH(cuMemHostAlloc, hipHostMalloc, (void **pointer, size_t bytes, unsigned flags), do_host_alloc(s, pointer, bytes, flags))
BOTH(cuMemFreeHost, hipHostFree, (void *pointer), do_host_release(s, pointer))
BOTH(cuModuleLoadData, hipModuleLoadData, (GpuModule *module, const void *image), do_module_load(s, module, image))
BOTH(cuModuleUnload, hipModuleUnload, (GpuModule module), do_module_unload(s, module))
BOTH(cuModuleGetFunction, hipModuleGetFunction, (GpuFunction *function, GpuModule module, const char *name), do_function(s, function, module, name))
BOTH(cuLaunchKernel, hipModuleLaunchKernel,
     (GpuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
      GpuStream stream, void **arguments, void **extra),
     stream != NULL ? INVALID_HANDLE : do_launch(s, function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, arguments, extra))
BOTH(cuEventCreate, hipEventCreateWithFlags, (GpuEvent *event, unsigned flags), do_event_create(s, event, flags))
BOTH(cuEventRecord, hipEventRecord, (GpuEvent event, GpuStream stream), stream != NULL ? INVALID_HANDLE : do_event_record(s, event))
BOTH(cuEventSynchronize, hipEventSynchronize, (GpuEvent event), do_event_wait(s, event))
BOTH(cuEventElapsedTime, hipEventElapsedTime, (float *ms, GpuEvent from, GpuEvent to), do_event_elapsed(s, ms, from, to))
BOTH(cuCtxSynchronize, hipDeviceSynchronize, (void), do_synchronize(s))
BOTH(cuDeviceGetPCIBusId, hipDeviceGetPCIBusId, (char *address, int size, GpuOrdinal device), do_pci(s, address, size, device))

unsigned cuDevicePrimaryCtxRetain(GpuContext *context, GpuOrdinal device) {
    State *s = &states[FAKE_CUDA];
    DEVICE(s, device);
    *context = s;
    return (unsigned)number(s, "retain", OK);
}

unsigned cuCtxSetCurrent(GpuContext context) {
    State *s = &states[FAKE_CUDA];
    STARTED(s);
    if (context != s) return INVALID_CONTEXT;
    s->context = true;
    return OK;
}

unsigned hipSetDevice(int device) {
    State *s = &states[FAKE_HIP];
    DEVICE(s, device);
    s->context = true;
    return OK;
}

// The layout of 6.0 and later: the name of the target stands 1160 bytes in.
unsigned hipGetDevicePropertiesR0600(void *out, int device) {
    enum { ARCH_AT = 1160 };
    char gfx[256];
    State *s = &states[FAKE_HIP];
    DEVICE(s, device);
    snprintf((char *)out + ARCH_AT, 64, "%s:sramecc+:xnack-", fake_text(s->variable, "gfx", "gfx942", gfx));
    return OK;
}
