// A GPU through its vendor's driver.
#include "kernels/gpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/dl.h"
#include "src/facts/bench.h"
#include "kernels/sysfs.h"

static const char *const gpu_api_names[GPU_APIS] = {"cuda", "hip"};

#define AT(field) offsetof(GpuTable, field)
#define CUDA_ROW(field, cuda, hip, args) {#cuda, AT(field), false},
#define HIP_ROW(field, cuda, hip, args) {#hip, AT(field), false},
#define ONE_ROW(field, symbol, args) {#symbol, AT(field), false},
static const DlSymbol cuda_symbols[] = {GPU_COMMON(CUDA_ROW) GPU_CUDA_ONLY(ONE_ROW)};
static const DlSymbol hip_symbols[] = {GPU_COMMON(HIP_ROW) GPU_HIP_ONLY(ONE_ROW)};

typedef enum Attribute {
    ATTRIBUTE_UNITS,
    ATTRIBUTE_WARP,
    ATTRIBUTE_THREADS,
    ATTRIBUTE_CACHE,
    ATTRIBUTE_MAJOR,
    ATTRIBUTE_MINOR,
    ATTRIBUTES
} Attribute;
// Values of CUdevice_attribute and hipDeviceAttribute_t.
static const GpuAttribute attribute_values[GPU_APIS][ATTRIBUTES] = {{16, 10, 1, 38, 75, 76},
                                                                    {63, 87, 56, 19, 23, 61}};

bool gpu_api_of(const char *name, GpuApi *ret_api, Err *e) {
    for (int i = 0; i < GPU_APIS; i++) {
        if (strcmp(gpu_api_names[i], name) != 0) continue;
        *ret_api = (GpuApi)i;
        return true;
    }
    return err_set(e, ERR_FAILED, "request: no back end '%s'", name);
}

const char *gpu_driver_text(const GpuDriver *g, Arena *a) {
    if (g->api == GPU_CUDA)
        return arena_printf(a, "%s of CUDA %d.%d", g->library_name, g->driver_version / 1000,
                            g->driver_version % 1000 / 10);
    return arena_printf(a, "%s, HIP %d.%d", g->library_name, g->driver_version / 10000000,
                        g->driver_version / 100000 % 100);
}

// ---------------------------------------------------------------- errors

typedef struct ErrorWords {
    unsigned number;
    bool lost;  // the device or its context is of no use any more
    const char *words;
} ErrorWords;

// Numbers that CUresult and hipError_t share, or that only one of them has.
static const ErrorWords error_words[] = {
    {1, false, "invalid value"},
    {2, false, "out of memory"},
    {3, false, "not initialized"},
    {34, false, "this libcuda is the toolkit's stub, not a driver"},
    {35, false, "the driver is older than the library"},
    {36, false, "the call needs a newer driver"},
    {46, true, "the device is busy or unavailable: another process may hold it in exclusive mode"},
    {98, false, "invalid device function"},
    {100, false, "no device"},
    {101, false, "invalid device"},
    {200, false, "invalid device code"},
    {201, true, "invalid context"},
    {209, false, "no code for this GPU"},
    {214, true,
     "uncorrectable ECC error in GPU memory: see nvidia-smi -q -d ECC or the kernel log, the GPU may need a "
     "reset or a repair"},
    {217, false, "peer access is not supported between these devices"},
    {218, false, "the driver refused the PTX"},
    {220, true, "uncorrectable NVLink error"},
    {221, false, "the driver has no PTX compiler (libnvidia-ptxjitcompiler)"},
    {222, false, "the PTX is newer than the driver"},
    {223, false, "compiling PTX is switched off"},
    {226, true, "contained memory error"},
    {303, false, "the driver's library failed to start"},
    {400, false, "invalid handle"},
    {500, false, "not found"},
    {700, true, "illegal memory access"},
    {701, false, "launch out of resources"},
    {702, true, "the kernel ran longer than the system allows"},
    {704, false, "peer access is enabled already"},
    {705, false, "peer access is not enabled"},
    {710, true, "device assertion"},
    {711, false, "the GPU reaches as many others as it can: it takes no more"},
    {715, true, "illegal instruction"},
    {716, true, "misaligned access"},
    {719, true, "the launch failed"},
    {800, false, "no permission"},
    {801, false, "not supported"},
    {802, false, "the system is not ready: NVSwitch systems need nvidia-fabricmanager running"},
    {803, false, "driver and library versions do not match: reboot after the driver's update"},
    {804, false, "this library's forward compatibility does not cover this GPU"},
    {999, true, "unknown error: the device may have fallen off the bus, see the kernel log"},
};

static const ErrorWords *words_of(unsigned error) {
    for (size_t i = 0; i < COUNT_OF(error_words); i++) {
        if (error_words[i].number == error) return &error_words[i];
    }
    return NULL;
}

const char *gpu_error_words(unsigned error) {
    const ErrorWords *w = words_of(error);
    return w != NULL ? w->words : "an error that this program does not know";
}

bool gpu_is_lost(const GpuDriver *g) {
    const ErrorWords *w = words_of(g->last_error);
    return w != NULL && w->lost;
}

static const char *symbol_at(const GpuDriver *g, size_t offset) {
    const DlSymbol *symbols = g->api == GPU_CUDA ? cuda_symbols : hip_symbols;
    size_t n = g->api == GPU_CUDA ? COUNT_OF(cuda_symbols) : COUNT_OF(hip_symbols);
    for (size_t i = 0; i < n; i++) {
        if (symbols[i].offset == offset) return symbols[i].name;
    }
    return "driver";
}

bool gpu_good(GpuDriver *g, const char *symbol, unsigned error, Err *e) {
    if (error == 0) return true;
    g->last_error = error;
    return err_set(e, ERR_FAILED, "%s: error %u: %s", symbol, error, gpu_error_words(error));
}

static bool good(GpuDriver *g, size_t offset, unsigned error, Err *e) {
    return gpu_good(g, symbol_at(g, offset), error, e);
}
#define CALL(g, field, ...) good((g), AT(field), (g)->f.field(__VA_ARGS__), e)

// ---------------------------------------------------------------- the library

static bool fill(GpuDriver *g, Err *e) {
    bool cuda = g->api == GPU_CUDA;
    return dl_fill(g->library, cuda ? cuda_symbols : hip_symbols,
                   cuda ? COUNT_OF(cuda_symbols) : COUNT_OF(hip_symbols), &g->f, e);
}

static void close_library(GpuDriver *g) {
    dl_close(g->library);
    g->library = NULL;
}

// Opens `name` and counts its devices. False, closed: *e says why, and is kept from an earlier name that was
// found.
static bool try_library(GpuDriver *g, const char *name, int *ret_count, bool *found, Err *e) {
    Err why = {0};
    int count = 0;
    g->library = dl_open(name, &why);
    if (g->library == NULL) {
        if (!*found) *e = why;
        return false;
    }
    *found = true;
    snprintf(g->library_name, sizeof g->library_name, "%s", name);
    bool ok = fill(g, &why) && good(g, AT(init), g->f.init(0), &why) &&
              good(g, AT(count), g->f.count(&count), &why);
    if (ok && count == 0) ok = good(g, AT(count), 100, &why);
    if (!ok) {
        err_wrap(&why, "%s", name);
        *e = why;
        close_library(g);
        return false;
    }
    *ret_count = count;
    return true;
}

// A newer ROCm beside an old distribution's package: the first copy that sees a device counts.
static bool try_rocm_folders(GpuDriver *g, Arena *a, int *ret_count, bool *found, Err *e) {
    const char *const *names = NULL;
    size_t n = sysfs_list(a, "/opt", &names);
    for (size_t i = n; i-- > 0;) {
        if (strncmp(names[i], "rocm", 4) != 0) continue;
        if (try_library(g, arena_printf(a, "/opt/%s/lib/libamdhip64.so", names[i]), ret_count, found, e))
            return true;
    }
    return false;
}

// What hides devices from a library, as set here; "" = nothing.
static const char *hiding(GpuApi api, Arena *a) {
    static const char *const variables[GPU_APIS][2] = {{"CUDA_VISIBLE_DEVICES", NULL},
                                                       {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}};
    const char *text = "";
    for (size_t i = 0; i < 2; i++) {
        const char *name = variables[api][i], *value = name != NULL ? getenv(name) : NULL;
        if (value != NULL) text = arena_printf(a, "%s (%s=%s)", text, name, value);
    }
    return text;
}

static bool open_library(GpuDriver *g, Arena *a, int *ret_count, Err *e) {
    static const char *const names[GPU_APIS][4] = {
        {"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1", NULL},
        {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}};
    static const char *const fix[GPU_APIS] = {
        "install NVIDIA's driver, or start the container with --gpus all and "
        "NVIDIA_DRIVER_CAPABILITIES=compute,utility",
        "install ROCm's runtime (package hip-runtime-amd, Debian's libamdhip64-5)"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(names[0]); i++) {
        if (names[g->api][i] != NULL && try_library(g, names[g->api][i], ret_count, &found, e)) return true;
    }
    if (g->api == GPU_HIP && try_rocm_folders(g, a, ret_count, &found, e)) return true;
    if (!found) return err_set(e, ERR_FAILED, "%s is not here: %s", names[g->api][0], fix[g->api]);
    if (g->last_error == 100)
        return err_set(e, ERR_FAILED, "%s sees no device%s", g->library_name, hiding(g->api, a));
    return false;
}

// ---------------------------------------------------------------- the device

// "0000:c1:00.0" and "00000000:C1:00.0" are one place; its function (the last figure) goes to *ret_function.
static bool same_place(const char *x, const char *y, int64_t *ret_function) {
    size_t n = strlen(x), m = strlen(y);
    while (n > m && *x == '0') x++, n--;
    while (m > n && *y == '0') y++, m--;
    if (n != m || n < 2) return false;
    for (size_t i = 0; i < n - 1; i++) {
        if (char_lower(x[i]) != char_lower(y[i])) return false;
    }
    return parse_integer((Str){x + n - 1, 1}, 0, 9, ret_function, NULL);
}

// The device at target->pci. Where it holds several, by order when all are visible, else by the function
// number.
static bool find_device(GpuDriver *g, const GpuTarget *target, int count, Arena *a, Err *e) {
    GpuOrdinal at_place[64], by_function = -1;
    size_t n = 0;
    if (target->pci[0] == '\0') return CALL(g, device, &g->device, 0);
    for (int i = 0; i < count; i++) {
        char address[32] = "";
        GpuOrdinal device = 0;
        int64_t function = 0;
        if (!CALL(g, device, &device, i) || !CALL(g, pci, address, sizeof address, device)) return false;
        address[sizeof address - 1] = '\0';
        if (!same_place(address, target->pci, &function) || n == COUNT_OF(at_place)) continue;
        if (function == (int64_t)target->part - 1) by_function = device;
        at_place[n++] = device;
    }
    if (n > 0 && n == target->parts) {
        g->device = at_place[target->part - 1];
        return true;
    }
    if (n > 0 && target->parts > 1 && by_function >= 0) {
        g->device = by_function;
        return true;
    }
    return err_set(e, ERR_FAILED, "%s" BENCH_NOT_SHOWN "%s%s", g->library_name, target->pci,
                   hiding(g->api, a));
}

static unsigned attribute(GpuDriver *g, Attribute which) {
    int value = 0;
    unsigned error = g->f.attribute(&value, attribute_values[g->api][which], g->device);
    return error == 0 && value > 0 ? (unsigned)value : 0;
}

// hipDeviceProp_t differs between versions: the call fills a buffer that is larger than any, and the name is
// looked for.
static void arch_of_hip(GpuDriver *g) {
    enum { ANY_VERSION = 8192 };
    static const char *const names[] = {"hipGetDevicePropertiesR0600", "hipGetDeviceProperties"};
    unsigned (*properties)(void *out, int device) = NULL;
    char out[ANY_VERSION] = {0};
    for (size_t i = 0; i < COUNT_OF(names) && properties == NULL; i++) {
        const DlSymbol symbol = {names[i], 0, true};
        (void)dl_fill(g->library, &symbol, 1, &properties, NULL);
    }
    if (properties == NULL || properties(out, g->device) != 0) return;
    out[sizeof out - 1] = '\0';
    for (size_t i = 0; i + sizeof g->arch < sizeof out; i++) {
        if (strncmp(out + i, "gfx", 3) != 0 || out[i + 3] < '0' || out[i + 3] > '9') continue;
        snprintf(g->arch, sizeof g->arch, "%.*s", (int)strspn(out + i, "gfx0123456789abcdef"), out + i);
        return;
    }
}

static bool describe(GpuDriver *g, const GpuTarget *target, Err *e) {
    size_t unused = 0, total = 0;
    if (!CALL(g, driver_version, &g->driver_version) ||
        !CALL(g, name, g->name, (int)sizeof g->name, g->device))
        return false;
    g->name[sizeof g->name - 1] = '\0';
    text_scrub(g->name);
    g->units = attribute(g, ATTRIBUTE_UNITS);
    g->warp = attribute(g, ATTRIBUTE_WARP);
    g->threads_max = attribute(g, ATTRIBUTE_THREADS);
    unsigned cache = attribute(g, ATTRIBUTE_CACHE);
    g->cache_bytes = cache > 0 ? cache : (double)NAN;
    g->total_bytes = g->free_bytes = (double)NAN;
    if (g->f.memory(&unused, &total) == 0) g->free_bytes = (double)unused;
    if (g->f.total(&total, g->device) == 0) g->total_bytes = (double)total;
    if (g->api == GPU_CUDA) {
        g->capability = (int)(attribute(g, ATTRIBUTE_MAJOR) * 10 + attribute(g, ATTRIBUTE_MINOR));
        snprintf(g->arch, sizeof g->arch, "sm_%d", g->capability);
    } else if (target->gfx[0] != '\0') {
        snprintf(g->arch, sizeof g->arch, "%s", target->gfx);
    } else {
        arch_of_hip(g);
    }
    if (g->units == 0)
        return err_set(e, ERR_FAILED, "%s does not say how many units %s has", g->library_name, g->name);
    return true;
}

bool gpu_use(GpuDriver *g, Err *e) {
    return g->api == GPU_HIP ? CALL(g, set_device, g->device) : CALL(g, set_context, g->context);
}

static bool take_device(GpuDriver *g, Err *e) {
    return (g->api == GPU_HIP || CALL(g, retain, &g->context, g->device)) && gpu_use(g, e);
}

bool gpu_open(const GpuTarget *target, GpuDriver *ret_gpu, Err *e) {
    GpuDriver g = {.api = target->api};
    Arena a = {0};
    int count = 0;
    bool ok = open_library(&g, &a, &count, e) && find_device(&g, target, count, &a, e) &&
              take_device(&g, e) && describe(&g, target, e) && gpu_event_create(&g, &g.from, e) &&
              gpu_event_create(&g, &g.to, e);
    arena_free(&a);
    if (!ok) return close_library(&g), false;
    *ret_gpu = g;
    return true;
}

// ---------------------------------------------------------------- code

// A refusal that an older file may survive.
static bool is_refusal(unsigned error) {
    return error == 200 || error == 209 || error == 218 || error == 221 || error == 222 || error == 223;
}

static bool load_compiled(GpuDriver *g, Err *e) {
    Arena a = {0};
    Str object;
    bool ok = rtc_compile(g->api, g->arch, &a, &object, e) && CALL(g, module_load, &g->module, object.data);
    if (ok)
        snprintf(g->code, sizeof g->code, "%s, compiled here by %s", g->arch,
                 g->api == GPU_CUDA ? "NVRTC" : "hipRTC");
    arena_free(&a);
    return ok;
}

// The linked PTX, best first, while the driver refuses it. False, with *refused: another way may do.
static bool load_linked_ptx(GpuDriver *g, bool *refused, Err *e) {
    DeviceCode c;
    *refused = true;
    if (!device_ptx(g->capability, g->driver_version, 0, &c)) {
        return err_set(e, ERR_FAILED, "no device code of this build fits %s with a driver of CUDA %d.%d: %s",
                       g->arch, g->driver_version / 1000, g->driver_version % 1000 / 10,
                       g->capability < 60 ? "the GPU is too old" : "the driver is too old");
    }
    for (size_t rank = 0; *refused && device_ptx(g->capability, g->driver_version, rank, &c); rank++) {
        if (CALL(g, module_load, &g->module, c.data)) {
            snprintf(g->code, sizeof g->code, "%s, PTX %d.%d", c.target, c.ptx_version / 10,
                     c.ptx_version % 10);
            return true;
        }
        err_wrap(e, "%s, PTX %d.%d", c.target, c.ptx_version / 10, c.ptx_version % 10);
        *refused = is_refusal(g->last_error);
    }
    return false;
}

static bool load_ptx(GpuDriver *g, Err *e) {
    bool refused = false;
    Err linked = {0}, why = {0};
    if (load_linked_ptx(g, &refused, &linked) || (refused && load_compiled(g, &why))) return true;
    return err_set(e, linked.kind, "%s%s%s", linked.text, refused ? ", and " : "", why.text);
}

static bool load_object(GpuDriver *g, Err *e) {
    DeviceCode c;
    if (g->arch[0] == '\0')
        return err_set(e, ERR_FAILED, "neither the kernel nor HIP says which gfx target this is");
    if (!device_object(g->arch, &c)) {
        Err why = {0};
        return load_compiled(g, &why) ||
               err_set(e, ERR_FAILED, "this build has no code for %s, and %s", g->arch, why.text);
    }
    if (!CALL(g, module_load, &g->module, c.data)) {
        err_wrap(e, "%s", c.target);
        Err why = {0};
        return is_refusal(g->last_error) && load_compiled(g, &why);
    }
    snprintf(g->code, sizeof g->code, "%s code object", c.target);
    return true;
}

bool gpu_load(GpuDriver *g, Err *e) { return g->api == GPU_CUDA ? load_ptx(g, e) : load_object(g, e); }

// ---------------------------------------------------------------- memory, launches, time

bool gpu_alloc(GpuDriver *g, size_t bytes, GpuPointer *ret_pointer, Err *e) {
    GpuPointer p = 0;
    if (!CALL(g, alloc, &p, bytes)) return err_wrap(e, "%.0f MiB on the device", (double)bytes / 1048576);
    *ret_pointer = p;
    return true;
}

void gpu_release(GpuDriver *g, GpuPointer pointer) {
    if (pointer != 0) (void)g->f.release(pointer);
}

bool gpu_to_device(GpuDriver *g, GpuPointer to, const void *from, size_t bytes, Err *e) {
    return CALL(g, to_device, to, from, bytes);
}
bool gpu_to_host(GpuDriver *g, void *to, GpuPointer from, size_t bytes, Err *e) {
    return CALL(g, to_host, to, from, bytes);
}
bool gpu_to_device_async(GpuDriver *g, GpuPointer to, const void *from, size_t bytes, Err *e) {
    return CALL(g, to_device_async, to, from, bytes, NULL);
}
bool gpu_to_host_async(GpuDriver *g, void *to, GpuPointer from, size_t bytes, Err *e) {
    return CALL(g, to_host_async, to, from, bytes, NULL);
}

bool gpu_host_alloc(GpuDriver *g, size_t bytes, void **ret_pages, Err *e) {
    void *pages = NULL;
    if (!CALL(g, host_alloc, &pages, bytes, 0))
        return err_wrap(e, "%.0f MiB of locked host memory", (double)bytes / 1048576);
    *ret_pages = pages;
    return true;
}

void gpu_host_release(GpuDriver *g, void *pages) {
    if (pages != NULL) (void)g->f.host_release(pages);
}

bool gpu_fill(GpuDriver *g, GpuPointer to, unsigned char value, size_t bytes, Err *e) {
    return CALL(g, fill, to, value, bytes);
}

bool gpu_function(GpuDriver *g, const char *entry, GpuFunction *ret_function, Err *e) {
    return CALL(g, function, ret_function, g->module, entry) || err_wrap(e, "%s", entry);
}

bool gpu_share(GpuDriver *g, GpuFunction function, unsigned shared_bytes, Err *e) {
    enum { MOST_DYNAMIC_SHARED = 8 };  // CUfunction_attribute
    return shared_bytes == 0 || CALL(g, function_set, function, MOST_DYNAMIC_SHARED, (int)shared_bytes);
}

bool gpu_launch_on(GpuDriver *g, GpuStream stream, GpuFunction function, unsigned blocks, unsigned threads,
                   void **arguments, Err *e) {
    return CALL(g, launch, function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, NULL);
}

bool gpu_launch(GpuDriver *g, GpuFunction function, unsigned blocks, unsigned threads, unsigned shared_bytes,
                void **arguments, Err *e) {
    return CALL(g, launch, function, blocks, 1, 1, threads, 1, 1, shared_bytes, NULL, arguments, NULL);
}

bool gpu_wait(GpuDriver *g, Err *e) { return good(g, AT(synchronize), g->f.synchronize(), e); }

bool gpu_event_create(GpuDriver *g, GpuEvent *ret_event, Err *e) {
    return CALL(g, event_create, ret_event, 0);
}

bool gpu_event_record(GpuDriver *g, GpuEvent event, GpuStream stream, Err *e) {
    return CALL(g, event_record, event, stream);
}

bool gpu_clock_start_on(GpuDriver *g, GpuStream stream, Err *e) {
    return gpu_event_record(g, g->from, stream, e);
}

bool gpu_clock_mark_on(GpuDriver *g, GpuStream stream, Err *e) {
    return gpu_event_record(g, g->to, stream, e);
}

bool gpu_clock_read(GpuDriver *g, double *ret_seconds, Err *e) {
    float ms = 0;
    if (!CALL(g, event_wait, g->to) || !CALL(g, event_elapsed, &ms, g->from, g->to)) return false;
    if (!(ms >= 0 && ms < 1e9F))
        return err_set(e, ERR_FAILED, "%s: %g ms, which is no time", symbol_at(g, AT(event_elapsed)),
                       (double)ms);
    *ret_seconds = (double)ms / 1000;
    return true;
}

bool gpu_clock_start(GpuDriver *g, Err *e) { return gpu_clock_start_on(g, NULL, e); }

bool gpu_clock_stop(GpuDriver *g, double *ret_seconds, Err *e) {
    return gpu_clock_mark_on(g, NULL, e) && gpu_clock_read(g, ret_seconds, e);
}
