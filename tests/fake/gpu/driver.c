// Devices, contexts and memory: CUDA's driver and HIP.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fake/gpu/state.h"

FAKE_EXPORT unsigned hipGetDevicePropertiesR0600(void *out, int device);

static const GpuPointer veil = 0xFEull << 48;  // no host address has these bits

State fake_states[FAKE_APIS] = {{.variable = "FAKE_CUDA"}, {.variable = "FAKE_HIP"}};

double state_number(const State *s, const char *key, double otherwise) {
    return fake_number(s->variable, key, otherwise);
}

bool state_word(const State *s, const char *key, const char *word) {
    char text[256];
    return strcmp(fake_text(s->variable, key, "", text), word) == 0;
}

static bool marked(const State *s) {
    char path[256];
    return access(fake_text(s->variable, "mark", "/nonexistent", path), F_OK) == 0;
}

// ---------------------------------------------------------------- devices

static unsigned do_init(State *s, unsigned flags) {
    char list[256];
    Err e = {0};
    Str rest = str_of(fake_text(s->variable, "pci", "", list)), part;
    unsigned error = (unsigned)state_number(s, "init", 0);
    if (flags != 0) return INVALID_VALUE;
    if (error != 0) return error;
    if (s->started) return OK;
    s->n_devices = 0;
    while (!marked(s) && s->n_devices < DEVICES && str_next(&rest, ',', &part)) {
        if (part.length > 0) snprintf(s->pci[s->n_devices++], 32, "%.*s", (int)part.length, part.data);
    }
    if (s->n_devices == 0) return NO_DEVICE;
    if (!cpu_open(NULL, &s->cpu, &e)) return OUT_OF_MEMORY;
    s->started = true;
    return OK;
}

static unsigned do_driver_version(State *s, int *version) {
    *version = (int)state_number(s, "driver", s == &fake_states[FAKE_CUDA] ? 12040 : 60300000);
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

static size_t memory_bytes(const State *s) { return (size_t)(state_number(s, "memory", 4) * 1073741824); }

static unsigned do_total(State *s, size_t *bytes, GpuOrdinal device) {
    DEVICE(s, device);
    *bytes = memory_bytes(s);
    return OK;
}

static unsigned do_attribute(State *s, int *value, GpuAttribute attribute, GpuOrdinal device) {
    bool cuda = s == &fake_states[FAKE_CUDA];
    int capability = (int)state_number(s, "cc", 90);
    const int answers[][3] = {{16, 63, (int)state_number(s, "units", 132)},
                              {10, 87, cuda ? 32 : 64},
                              {1, 56, THREADS_MAX},
                              {38, 19, (int)(state_number(s, "cache", 50) * 1048576)},
                              {75, 23, capability / 10},
                              {76, 61, capability % 10}};
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
    *unused = *total - s->allocated[s->current];
    return OK;
}

static unsigned do_alloc(State *s, GpuPointer *pointer, size_t bytes) {
    READY(s);
    if (bytes == 0) return INVALID_VALUE;
    if (s->allocated[s->current] + bytes > memory_bytes(s)) return OUT_OF_MEMORY;
    for (size_t i = 0; i < ALLOCATIONS; i++) {
        Allocation *a = &s->allocations[i];
        if (a->host != NULL) continue;
        *a = (Allocation){malloc(bytes), bytes, s->current, ++s->memory};
        if (a->host == NULL) return OUT_OF_MEMORY;
        memset(a->host, 0x5C, bytes);  // what was there before
        s->allocated[s->current] += bytes;
        *pointer = (GpuPointer)(uintptr_t)a->host ^ veil;
        return OK;
    }
    return OUT_OF_MEMORY;
}

char *state_host(GpuPointer pointer) { return (char *)(uintptr_t)(pointer ^ veil); }

Allocation *state_holder(State *s, GpuPointer pointer, size_t bytes) {
    const char *host = state_host(pointer);
    for (size_t i = 0; i < ALLOCATIONS; i++) {
        Allocation *a = &s->allocations[i];
        if (a->host != NULL && host >= a->host && (size_t)(host - a->host) <= a->bytes &&
            bytes <= a->bytes - (size_t)(host - a->host))
            return a;
    }
    return NULL;
}

char *state_range(State *s, GpuPointer pointer, size_t bytes) {
    const Allocation *a = state_holder(s, pointer, bytes);
    return a != NULL && (a->device == s->current || s->reaches[s->current][a->device]) ? state_host(pointer)
                                                                                       : NULL;
}

// What the host, or a library that is told the device, may touch.
static char *any_range(State *s, GpuPointer pointer, size_t bytes) {
    return state_holder(s, pointer, bytes) != NULL ? state_host(pointer) : NULL;
}

static void written(State *s, GpuPointer pointer) { state_holder(s, pointer, 0)->version = ++s->memory; }

char *fake_memory(FakeApi api, GpuPointer pointer, size_t bytes) {
    return any_range(&fake_states[api], pointer, bytes);
}
uint64_t fake_memory_changes(FakeApi api) { return fake_states[api].memory; }
void fake_spend(FakeApi api, double seconds) {
    fake_states[api].own[fake_states[api].current].clock += seconds;
}

static unsigned do_release(State *s, GpuPointer pointer) {
    READY(s);
    Allocation *a = state_holder(s, pointer, 1);
    if (a == NULL || a->host != state_host(pointer)) return INVALID_VALUE;
    s->allocated[a->device] -= a->bytes;
    s->memory++;
    free(a->host);
    *a = (Allocation){0};
    return OK;
}

static unsigned do_to_device(State *s, GpuPointer to, GpuSource from, size_t bytes) {
    READY(s);
    char *host = any_range(s, to, bytes);
    if (host == NULL) return INVALID_VALUE;
    memcpy(host, from, bytes);
    written(s, to);
    return OK;
}

static unsigned do_to_host(State *s, void *to, GpuPointer from, size_t bytes) {
    READY(s);
    const char *host = any_range(s, from, bytes);
    if (host == NULL) return INVALID_VALUE;
    memcpy(to, host, bytes);
    return OK;
}

// Copies that return before they are done: a driver locks, or stages, what is not locked; staging halves the
// speed here.
static unsigned do_async(State *s, void *host, GpuPointer device, size_t bytes, bool to_device) {
    READY(s);
    char *at = state_range(s, device, bytes);
    bool locked = false;
    if (at == NULL || host == NULL) return INVALID_VALUE;
    for (size_t i = 0; i < LOCKED; i++) {
        const Allocation *l = &s->locked[i];
        locked = locked || (l->host != NULL && (char *)host >= l->host && bytes <= l->bytes &&
                            (size_t)((char *)host - l->host) <= l->bytes - bytes);
    }
    const Copied *last = &s->copied;
    bool again = last->host == host && last->device == at && last->bytes == bytes &&
                 last->to_device == to_device && last->memory == s->memory;
    if (!again) memcpy(to_device ? at : host, to_device ? host : at, bytes);
    if (!again && to_device) written(s, device);
    s->copied = (Copied){host, at, bytes, to_device, s->memory};
    char *arrived = to_device ? at : host;
    bool spoilt = state_word(s, "copies", to_device ? "wrong-h2d" : "wrong-d2h");
    if (spoilt && !again) arrived[bytes / 2] = (char)~arrived[bytes / 2];
    s->own[s->current].clock += (double)bytes / (state_number(s, "link", 50) * 1e9) * (locked ? 1 : 2) + 1e-6;
    return OK;
}

static unsigned do_host_alloc(State *s, void **pointer, size_t bytes, unsigned flags) {
    READY(s);
    if (bytes == 0 || flags != 0) return INVALID_VALUE;
    if ((double)bytes > state_number(s, "lockable", 64) * 1073741824) return OUT_OF_MEMORY;
    for (size_t i = 0; i < LOCKED; i++) {
        if (s->locked[i].host != NULL) continue;
        s->locked[i] = (Allocation){.host = malloc(bytes), .bytes = bytes};
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
    char *host = any_range(s, to, bytes);
    if (host == NULL) return INVALID_VALUE;
    memset(host, value, bytes);
    written(s, to);
    return OK;
}

// ---------------------------------------------------------------- the exported names

BOTH(cuInit, hipInit, (unsigned flags), do_init(s, flags))
BOTH(cuDriverGetVersion, hipDriverGetVersion, (int *version), do_driver_version(s, version))
BOTH(cuDeviceGetCount, hipGetDeviceCount, (int *count), do_count(s, count))
BOTH(cuDeviceGet, hipDeviceGet, (GpuOrdinal * device, int index), do_device(s, device, index))
BOTH(cuDeviceGetName, hipDeviceGetName, (char *name, int size, GpuOrdinal device),
     do_name(s, name, size, device))
BOTH(cuDeviceTotalMem_v2, hipDeviceTotalMem, (size_t * bytes, GpuOrdinal device), do_total(s, bytes, device))
BOTH(cuDeviceGetAttribute, hipDeviceGetAttribute, (int *value, GpuAttribute attribute, GpuOrdinal device),
     do_attribute(s, value, attribute, device))
BOTH(cuMemGetInfo_v2, hipMemGetInfo, (size_t * unused, size_t *total), do_memory(s, unused, total))
BOTH(cuMemAlloc_v2, hipMalloc, (GpuPointer * pointer, size_t bytes), do_alloc(s, pointer, bytes))
BOTH(cuMemFree_v2, hipFree, (GpuPointer pointer), do_release(s, pointer))
BOTH(cuMemcpyHtoD_v2, hipMemcpyHtoD, (GpuPointer to, GpuSource from, size_t bytes),
     do_to_device(s, to, from, bytes))
BOTH(cuMemcpyDtoH_v2, hipMemcpyDtoH, (void *to, GpuPointer from, size_t bytes),
     do_to_host(s, to, from, bytes))
BOTH(cuMemsetD8_v2, hipMemsetD8, (GpuPointer to, unsigned char value, size_t bytes),
     do_fill(s, to, value, bytes))
BOTH(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync,
     (GpuPointer to, GpuSource from, size_t bytes, GpuStream stream),
     stream != NULL ? INVALID_HANDLE : do_async(s, (void *)(uintptr_t)from, to, bytes, true))
BOTH(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync, (void *to, GpuPointer from, size_t bytes, GpuStream stream),
     stream != NULL ? INVALID_HANDLE : do_async(s, to, from, bytes, false))
BOTH(cuMemHostAlloc, hipHostMalloc, (void **pointer, size_t bytes, unsigned flags),
     do_host_alloc(s, pointer, bytes, flags))
BOTH(cuMemFreeHost, hipHostFree, (void *pointer), do_host_release(s, pointer))
BOTH(cuDeviceGetPCIBusId, hipDeviceGetPCIBusId, (char *address, int size, GpuOrdinal device),
     do_pci(s, address, size, device))

unsigned cuDevicePrimaryCtxRetain(GpuContext *context, GpuOrdinal device) {
    State *s = &fake_states[FAKE_CUDA];
    DEVICE(s, device);
    *context = &s->contexts[device];
    return (unsigned)state_number(s, "retain", OK);
}

static unsigned make_current(State *s, int device) {
    DEVICE(s, device);
    s->context = true;
    s->current = device;
    return OK;
}

unsigned cuCtxSetCurrent(GpuContext context) {
    State *s = &fake_states[FAKE_CUDA];
    const char *at = context;
    return at >= s->contexts && at < s->contexts + DEVICES ? make_current(s, (int)(at - s->contexts))
                                                           : INVALID_CONTEXT;
}

unsigned hipSetDevice(int device) { return make_current(&fake_states[FAKE_HIP], device); }

// The layout of 6.0 and later: the name of the target stands 1160 bytes in.
unsigned hipGetDevicePropertiesR0600(void *out, int device) {
    enum { ARCH_AT = 1160 };
    char gfx[256];
    State *s = &fake_states[FAKE_HIP];
    DEVICE(s, device);
    snprintf((char *)out + ARCH_AT, 64, "%s:sramecc+:xnack-", fake_text(s->variable, "gfx", "gfx942", gfx));
    return OK;
}
