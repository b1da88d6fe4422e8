// Drivers of GPUs that lie: every answer of CUDA's driver, HIP, NVML, NVRTC and hipRTC is bytes of the input, texts
// without their end among them. What the program makes of them is text fit for a terminal and figures that can be.
//
// The functions of kernels/dl.h stand here instead of the loader's, so that no library is opened.
#include <math.h>
#include <string.h>

#include "kernels/dl.h"
#include "kernels/telemetry.h"
#include "tests/fuzz/fuzz.h"

static Str left;  // of the input

static void take(void *bytes, size_t n) {
    size_t have = n < left.length ? n : left.length;
    memset(bytes, 0, n);
    if (have > 0) memcpy(bytes, left.data, have);
    left.data += have;
    left.length -= have;
}

static unsigned byte(void) {
    unsigned char b = 0;
    take(&b, 1);
    return b;
}

// The number of a call's error: most go well.
static unsigned answer(void) {
    enum { WELL = 0xd0 };
    uint16_t number = 0;
    if (byte() < WELL) return 0;
    take(&number, sizeof number);
    return number;
}

// A text of any length up to all the room, with an end only where the input has one.
static unsigned text(char *out, size_t room) {
    size_t n = byte();
    if (n > room) n = room;
    take(out, n);
    return answer();
}

#define GIVE(type, out) (take(out, sizeof(type)), answer())

static unsigned nothing(void) { return answer(); }
static unsigned give_int(int *out) { return GIVE(int, out); }
static unsigned count(int *out) {
    *out = (int)byte() - 2;
    return answer();
}
static unsigned device(GpuOrdinal *out, int i) { return (void)i, GIVE(GpuOrdinal, out); }
static unsigned name(char *out, int room, GpuOrdinal d) { return (void)d, text(out, (size_t)room); }
static unsigned total(size_t *out, GpuOrdinal d) { return (void)d, GIVE(size_t, out); }
static unsigned attribute(int *out, GpuAttribute which, GpuOrdinal d) {
    return (void)which, (void)d, GIVE(int, out);
}
static unsigned memory(size_t *unused, size_t *all) {
    return take(unused, sizeof *unused), GIVE(size_t, all);
}
static unsigned pointer(void **out) {
    *out = byte() != 0 ? out : NULL;
    return answer();
}
static unsigned retain(GpuContext *out, GpuOrdinal d) { return (void)d, pointer(out); }
static unsigned event_create(GpuEvent *out, unsigned flags) { return (void)flags, pointer(out); }
static unsigned module_load(GpuModule *out, const void *image) { return (void)image, pointer(out); }
static unsigned elapsed(float *ms, GpuEvent from, GpuEvent to) {
    return (void)from, (void)to, GIVE(float, ms);
}
static unsigned properties(void *out, int d) {
    enum { SIZE = 1472 };  // of hipDeviceProp_t in ROCm 6
    unsigned char at = (unsigned char)byte();
    (void)d;
    memset(out, (int)byte(), SIZE);
    take((char *)out + 4 * at, 64);
    return answer();
}

static unsigned by_pci(const char *address, NvmlDevice *out) { return (void)address, pointer(out); }
static unsigned version(char *out, unsigned room) { return text(out, room); }
static unsigned nvml_text(NvmlDevice d, char *out, unsigned room) { return (void)d, text(out, room); }
static unsigned nvml_memory(NvmlDevice d, NvmlMemory *out) { return (void)d, GIVE(NvmlMemory, out); }
static unsigned nvml_use(NvmlDevice d, NvmlUse *out) { return (void)d, GIVE(NvmlUse, out); }
static unsigned nvml_one(NvmlDevice d, unsigned *out) { return (void)d, GIVE(unsigned, out); }
static unsigned nvml_of(NvmlDevice d, unsigned which, unsigned *out) {
    return (void)d, (void)which, GIVE(unsigned, out);
}
static unsigned nvml_long(NvmlDevice d, unsigned long long *out) {
    return (void)d, GIVE(unsigned long long, out);
}
static unsigned nvml_two(NvmlDevice d, unsigned *x, unsigned *y) {
    return (void)d, take(x, sizeof *x), GIVE(unsigned, y);
}
static unsigned nvml_errors(NvmlDevice d, unsigned kind, unsigned counter, unsigned long long *out) {
    return (void)kind, (void)counter, nvml_long(d, out);
}
static unsigned nvml_processes(NvmlDevice d, unsigned *n, void *infos) {
    MUST_HOLD(infos == NULL && *n == 0);
    return nvml_one(d, n);
}
static unsigned nvml_rows(NvmlDevice d, unsigned *w, unsigned *x, unsigned *y, unsigned *z) {
    return nvml_two(d, w, x) + nvml_two(d, y, z);
}

static unsigned create(RtcProgram *out, const char *source, const char *title, int n, RtcTexts headers,
                       RtcTexts names) {
    (void)source, (void)title, (void)n, (void)headers, (void)names;
    return pointer(out);
}
static unsigned compile(RtcProgram p, int n, RtcTexts options) {
    return (void)p, (void)n, (void)options, answer();
}
// Sizes that nobody has room for are said as they come; what is written afterwards fits into the honest ones.
static size_t said;
static unsigned size_of(RtcProgram p, size_t *out) {
    (void)p;
    take(out, sizeof *out);
    if (byte() != 0) *out %= 5000;
    said = *out;
    return answer();
}
static unsigned code_of(RtcProgram p, char *out) {
    (void)p;
    take(out, said < 100 ? said : 100);
    return answer();
}

#define FUNCTION(field) (void (*)(void))(field)
static const struct {
    const char *symbols[2];  // of NVIDIA's library and AMD's
    void (*call)(void);
} functions[] = {
    {{"cuDriverGetVersion", "hipDriverGetVersion"}, FUNCTION(give_int)},
    {{"cuDeviceGetCount", "hipGetDeviceCount"}, FUNCTION(count)},
    {{"cuDeviceGet", "hipDeviceGet"}, FUNCTION(device)},
    {{"cuDeviceGetName", "hipDeviceGetName"}, FUNCTION(name)},
    {{"cuDeviceGetPCIBusId", "hipDeviceGetPCIBusId"}, FUNCTION(name)},
    {{"cuDeviceTotalMem_v2", "hipDeviceTotalMem"}, FUNCTION(total)},
    {{"cuDeviceGetAttribute", "hipDeviceGetAttribute"}, FUNCTION(attribute)},
    {{"cuMemGetInfo_v2", "hipMemGetInfo"}, FUNCTION(memory)},
    {{"cuDevicePrimaryCtxRetain", NULL}, FUNCTION(retain)},
    {{"cuEventCreate", "hipEventCreateWithFlags"}, FUNCTION(event_create)},
    {{"cuModuleLoadData", "hipModuleLoadData"}, FUNCTION(module_load)},
    {{"cuEventElapsedTime", "hipEventElapsedTime"}, FUNCTION(elapsed)},
    {{"hipGetDevicePropertiesR0600", "hipGetDeviceProperties"}, FUNCTION(properties)},
    {{"nvmlDeviceGetHandleByPciBusId_v2", NULL}, FUNCTION(by_pci)},
    {{"nvmlSystemGetDriverVersion", NULL}, FUNCTION(version)},
    {{"nvmlDeviceGetMemoryInfo", NULL}, FUNCTION(nvml_memory)},
    {{"nvmlDeviceGetClockInfo", "nvmlDeviceGetTemperature"}, FUNCTION(nvml_of)},
    {{"nvmlDeviceGetPowerUsage", "nvmlDeviceGetEnforcedPowerLimit"}, FUNCTION(nvml_one)},
    {{"nvmlDeviceGetPowerManagementDefaultLimit", "nvmlDeviceGetCurrPcieLinkGeneration"}, FUNCTION(nvml_one)},
    {{"nvmlDeviceGetCurrPcieLinkWidth", "nvmlDeviceGetMaxPcieLinkWidth"}, FUNCTION(nvml_one)},
    {{"nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetCurrentClocksEventReasons"}, FUNCTION(nvml_long)},
    {{"nvmlDeviceGetCurrentClocksThrottleReasons", NULL}, FUNCTION(nvml_long)},
    {{"nvmlDeviceGetUtilizationRates", NULL}, FUNCTION(nvml_use)},
    {{"nvmlDeviceGetMigMode", "nvmlDeviceGetEccMode"}, FUNCTION(nvml_two)},
    {{"nvmlDeviceGetTotalEccErrors", NULL}, FUNCTION(nvml_errors)},
    {{"nvmlDeviceGetComputeRunningProcesses_v3", NULL}, FUNCTION(nvml_processes)},
    {{"nvmlDeviceGetRemappedRows", NULL}, FUNCTION(nvml_rows)},
    {{"nvmlDeviceGetUUID", "nvmlDeviceGetSerial"}, FUNCTION(nvml_text)},
    {{"nvmlDeviceGetVbiosVersion", NULL}, FUNCTION(nvml_text)},
    {{"nvrtcCreateProgram", "hiprtcCreateProgram"}, FUNCTION(create)},
    {{"nvrtcCompileProgram", "hiprtcCompileProgram"}, FUNCTION(compile)},
    {{"nvrtcGetCUBINSize", "hiprtcGetCodeSize"}, FUNCTION(size_of)},
    {{"nvrtcGetProgramLogSize", "hiprtcGetProgramLogSize"}, FUNCTION(size_of)},
    {{"nvrtcGetCUBIN", "hiprtcGetCode"}, FUNCTION(code_of)},
    {{"nvrtcGetProgramLog", "hiprtcGetProgramLog"}, FUNCTION(code_of)},
};

void *dl_open(const char *library, Err *e) {
    if (byte() < 0x80) return &left;
    err_set(e, ERR_FAILED, "no %s", library);
    return NULL;
}

void dl_close(void *library) { (void)library; }

bool dl_fill(void *library, const DlSymbol *symbols, size_t n, void *table, Err *e) {
    (void)library;
    for (size_t i = 0; i < n; i++) {
        void (*call)(void) = FUNCTION(nothing);
        for (size_t k = 0; k < COUNT_OF(functions); k++) {
            for (int v = 0; v < 2; v++) {
                const char *symbol = functions[k].symbols[v];
                if (symbol != NULL && strcmp(symbol, symbols[i].name) == 0) call = functions[k].call;
            }
        }
        if (symbols[i].optional && byte() >= 0xc0) call = NULL;
        memcpy((char *)table + symbols[i].offset, &call, sizeof call);
    }
    return byte() < 0xf8 || err_set(e, ERR_FAILED, "a symbol is missing");
}

static void fit_for_terminals(const char *told, size_t room) {
    Arena a = {0};
    MUST_HOLD(memchr(told, '\0', room) != NULL);
    MUST_HOLD(strcmp(text_clean(&a, told), told) == 0);
    arena_free(&a);
}

static void check(double x) { MUST_HOLD(isnan(x) || (x >= 0 && x < 1e20)); }

static void try_driver(GpuApi api, bool by_place) {
    Arena a = {0};
    Err e = {0};
    GpuDriver g;
    double seconds = 0;
    GpuTarget target = {.api = api, .pci = by_place ? "0000:c1:00.0" : "", .part = 1, .parts = 1, .gfx = ""};
    if (gpu_open(&target, &g, &e)) {
        fit_for_terminals(g.name, sizeof g.name);
        fit_for_terminals(g.arch, sizeof g.arch);
        MUST_HOLD(g.units > 0);
        check(g.total_bytes), check(g.free_bytes), check(g.cache_bytes);
        if (gpu_load(&g, &e)) fit_for_terminals(g.code, sizeof g.code);
        const char *about = gpu_driver_text(&g, &a);
        fit_for_terminals(about, strlen(about) + 1);
        if (gpu_clock_start(&g, &e) && gpu_clock_stop(&g, &seconds, &e)) check(seconds);
    }
    fit_for_terminals(e.text, sizeof e.text);
    arena_free(&a);
}

static void try_nvml(void) {
    Arena a = {0};
    Telemetry t;
    GpuState before, after;
    BoardFacts b;
    const char *why = NULL;
    telemetry_open(GPU_CUDA, "", "0000:c1:00.0", &a, &t, &why);
    fit_for_terminals(why, strlen(why) + 1);
    telemetry_read(&t, &before);
    telemetry_read(&t, &after);
    check(after.clock_mhz), check(after.power_w), check(after.temperature_c), check(after.busy_pct);
    check(after.memory_used_gib), check(after.energy_j);
    MUST_HOLD(telemetry_limits(&before, &after) < 64);
    telemetry_board(&t, &b);
    check(b.other_processes), check(b.power_limit_w), check(b.power_default_w), check(b.ecc_errors);
    check(b.ecc_corrected), check(b.link_width), check(b.link_width_max);
    fit_for_terminals(b.uuid, sizeof b.uuid);
    fit_for_terminals(b.serial, sizeof b.serial);
    fit_for_terminals(b.vbios, sizeof b.vbios);
    telemetry_close(&t);
    arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    left = (Str){(const char *)data + 1, size - 1};
    switch (data[0] % 5) {
    case 0: try_nvml(); break;
    case 1: try_driver(GPU_CUDA, false); break;
    case 2: try_driver(GPU_HIP, false); break;
    case 3: try_driver(GPU_CUDA, true); break;
    default: try_driver(GPU_HIP, true);
    }
    return 0;
}
