// libnvidia-ml and libhiprtc.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/fake/gpu/fake.h"

#define DECLARE(field, symbol, optional, args) FAKE_EXPORT unsigned symbol args;
#define DECLARE_RTC(field, cuda, hip, args)                                                                  \
    FAKE_EXPORT unsigned cuda args;                                                                          \
    FAKE_EXPORT unsigned hip args;
NVML_FUNCTIONS(DECLARE)
RTC_FUNCTIONS(DECLARE_RTC)

enum { NVML_NOT_FOUND = 6, NVML_MORE_ROOM = 7, RTC_INVALID = 3, RTC_COMPILATION = 6 };
static const char nvml[] = "FAKE_NVML";
static int board;  // the handle of every device

static unsigned whole(const char *key, double otherwise, double factor, unsigned *out) {
    *out = (unsigned)(fake_number(nvml, key, otherwise) * factor);
    return 0;
}

unsigned nvmlInit_v2(void) { return (unsigned)fake_number(nvml, "init", 0); }
unsigned nvmlShutdown(void) { return 0; }

unsigned nvmlDeviceGetHandleByPciBusId_v2(const char *address, NvmlDevice *device) {
    char list[256];
    if (strstr(fake_text("FAKE_CUDA", "pci", "", list), address) == NULL) return NVML_NOT_FOUND;
    *device = &board;
    return 0;
}

unsigned nvmlSystemGetDriverVersion(char *version, unsigned size) {
    snprintf(version, size, "550.54.15");
    return 0;
}

unsigned nvmlDeviceGetMemoryInfo(NvmlDevice device, NvmlMemory *memory) {
    (void)device;
    *memory = (NvmlMemory){.total = (unsigned long long)(fake_number("FAKE_CUDA", "memory", 4) * 1073741824)};
    memory->used = (unsigned long long)(fake_number(nvml, "used", 0) * 1073741824);
    memory->unused = memory->total - memory->used;
    return 0;
}

unsigned nvmlDeviceGetClockInfo(NvmlDevice device, unsigned domain, unsigned *mhz) {
    return (void)device, domain != 1 ? 2 : whole("clock", 1980, 1, mhz);
}
unsigned nvmlDeviceGetPowerUsage(NvmlDevice device, unsigned *milliwatts) {
    return (void)device, whole("power", 450, 1000, milliwatts);
}
unsigned nvmlDeviceGetEnforcedPowerLimit(NvmlDevice device, unsigned *milliwatts) {
    return (void)device, whole("limit", 700, 1000, milliwatts);
}
unsigned nvmlDeviceGetPowerManagementDefaultLimit(NvmlDevice device, unsigned *milliwatts) {
    return (void)device, whole("default", 700, 1000, milliwatts);
}
unsigned nvmlDeviceGetTemperature(NvmlDevice device, unsigned sensor, unsigned *celsius) {
    return (void)device, (void)sensor, whole("temp", 55, 1, celsius);
}
unsigned nvmlDeviceGetCurrPcieLinkWidth(NvmlDevice device, unsigned *lanes) {
    return (void)device, whole("width", 16, 1, lanes);
}
unsigned nvmlDeviceGetMaxPcieLinkWidth(NvmlDevice device, unsigned *lanes) {
    return (void)device, whole("width_max", 16, 1, lanes);
}
unsigned nvmlDeviceGetCurrPcieLinkGeneration(NvmlDevice device, unsigned *generation) {
    return (void)device, whole("gen", 5, 1, generation);
}

unsigned nvmlDeviceGetTotalEnergyConsumption(NvmlDevice device, unsigned long long *millijoules) {
    struct timespec t = {0};
    (void)device;
    clock_gettime(CLOCK_MONOTONIC, &t);
    *millijoules = (unsigned long long)(((double)t.tv_sec + (double)t.tv_nsec / 1e9) *
                                        fake_number(nvml, "power", 450) * 1000);
    return 0;
}

unsigned nvmlDeviceGetUtilizationRates(NvmlDevice device, NvmlUse *use) {
    (void)device;
    if (fake_number(nvml, "crash", 0) > 0) raise(SIGSEGV);
    while (fake_number(nvml, "hang", 0) > 0) sleep(1);
    *use = (NvmlUse){.gpu = (unsigned)fake_number(nvml, "util", 0)};
    return 0;
}

unsigned nvmlDeviceGetCurrentClocksEventReasons(NvmlDevice device, unsigned long long *bits) {
    (void)device;
    *bits = (unsigned long long)fake_number(nvml, "reasons", 1);
    return 0;
}
unsigned nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice device, unsigned long long *bits) {
    return nvmlDeviceGetCurrentClocksEventReasons(device, bits);
}

unsigned nvmlDeviceGetMigMode(NvmlDevice device, unsigned *now, unsigned *pending) {
    (void)device;
    *pending = *now = (unsigned)fake_number(nvml, "mig", 0);
    return 0;
}

unsigned nvmlDeviceGetEccMode(NvmlDevice device, unsigned *now, unsigned *pending) {
    (void)device;
    *pending = *now = (unsigned)fake_number(nvml, "ecc", 1);
    return 0;
}

unsigned nvmlDeviceGetTotalEccErrors(NvmlDevice device, unsigned kind, unsigned counter,
                                     unsigned long long *count) {
    (void)device, (void)counter;
    *count = (unsigned long long)fake_number(nvml, kind == 1 ? "ecc_errors" : "ecc_corrected", 0);
    return 0;
}

unsigned nvmlDeviceGetRemappedRows(NvmlDevice device, unsigned *corrected, unsigned *uncorrected,
                                   unsigned *pending, unsigned *failed) {
    (void)device;
    *corrected = *uncorrected = *failed = 0;
    *pending = (unsigned)fake_number(nvml, "remap_pending", 0);
    return 0;
}

unsigned nvmlDeviceGetComputeRunningProcesses_v3(NvmlDevice device, unsigned *count, void *infos) {
    (void)device;
    enum { NOT_SUPPORTED = 3 };
    if (fake_number(nvml, "processes", 0) < 0) return NOT_SUPPORTED;
    unsigned n = (unsigned)fake_number(nvml, "processes", 0), room = *count;
    *count = n;
    return n > room || infos != NULL ? NVML_MORE_ROOM : 0;
}

static unsigned text_of(const char *key, const char *otherwise, char *out, unsigned size) {
    char text[256];
    int n = snprintf(out, size, "%s", fake_text(nvml, key, otherwise, text));
    return n >= 0 && (unsigned)n < size ? 0 : NVML_MORE_ROOM;
}
unsigned nvmlDeviceGetUUID(NvmlDevice device, char *uuid, unsigned size) {
    (void)device;
    return text_of("uuid", "GPU-00000000-1111-2222-3333-444444444444", uuid, size);
}
unsigned nvmlDeviceGetSerial(NvmlDevice device, char *serial, unsigned size) {
    (void)device;
    return text_of("serial", "1650000000001", serial, size);
}
unsigned nvmlDeviceGetVbiosVersion(NvmlDevice device, char *version, unsigned size) {
    (void)device;
    return text_of("vbios", "96.00.89.00.01", version, size);
}

// Between any two of them: NVLink where there is some, else the PCIe tree's highest place, as NVML numbers
// it.
unsigned nvmlDeviceGetP2PStatus(NvmlDevice device, NvmlDevice peer, unsigned way, unsigned *status) {
    enum { WAY_NVLINK = 2, NOT_SUPPORTED = 5 };
    (void)device, (void)peer;
    *status = way == WAY_NVLINK && fake_number(nvml, "nvlink", 18) > 0 ? 0 : NOT_SUPPORTED;
    return 0;
}
unsigned nvmlDeviceGetNvLinkState(NvmlDevice device, unsigned link, unsigned *active) {
    enum { INVALID_LINK = 2 };
    (void)device;
    *active = link < (unsigned)fake_number(nvml, "nvlink", 18);
    return link < 18 ? 0 : INVALID_LINK;
}
unsigned nvmlDeviceGetTopologyCommonAncestor(NvmlDevice device, NvmlDevice peer, unsigned *level) {
    (void)device, (void)peer;
    return whole("topology", 50, 1, level);
}

// ---------------------------------------------------------------- NVRTC, hipRTC

static struct {
    char text[64];
    bool whole, compiled;
} rtc;

static const char *rtc_fault(void) {
    const char *value = getenv("FAKE_RTC");
    return value != NULL ? value : "";
}

static unsigned create(RtcProgram *program, const char *source, int n_headers, RtcTexts headers,
                       RtcTexts names) {
    rtc.whole = strstr(source, "gk_triad") != NULL;
    for (const char *at = strstr(source, "#include \""); at != NULL; at = strstr(at + 1, "#include \"")) {
        bool found = false;
        for (int i = 0; i < n_headers; i++)
            found = found || (strncmp(names[i], at + 10, strlen(names[i])) == 0 && headers[i] != NULL);
        rtc.whole = rtc.whole && found;
    }
    *program = &rtc;
    return 0;
}

static unsigned compile(RtcProgram program, int n_options, RtcTexts options, const char *word) {
    if (program != &rtc || !rtc.whole) return RTC_INVALID;
    if (strcmp(rtc_fault(), "abort") == 0) abort();
    if (strcmp(rtc_fault(), "fail") == 0) return RTC_COMPILATION;
    for (int i = 0; i < n_options; i++) {
        if (strncmp(options[i], word, strlen(word)) != 0) continue;
        snprintf(rtc.text, sizeof rtc.text, FAKE_OBJECT "%s", options[i] + strlen(word));
        rtc.compiled = true;
        return 0;
    }
    return RTC_INVALID;
}

static const char rtc_log[] =
    "warning: nothing\nkernels.hip:1:2: error: unknown type name 'gk_size'\n1 error generated\n";

static unsigned code_size(RtcProgram program, size_t *bytes) {
    *bytes = strlen(rtc.text) + 1;
    return program == &rtc && rtc.compiled ? 0 : RTC_INVALID;
}
static unsigned code_of(RtcProgram program, char *code) {
    if (program != &rtc || !rtc.compiled) return RTC_INVALID;
    memcpy(code, rtc.text, strlen(rtc.text) + 1);
    return 0;
}
static unsigned log_size(RtcProgram program, size_t *bytes) {
    *bytes = sizeof rtc_log;
    return program == &rtc ? 0 : RTC_INVALID;
}
static unsigned log_text(RtcProgram program, char *log) {
    memcpy(log, rtc_log, sizeof rtc_log);
    return program == &rtc ? 0 : RTC_INVALID;
}
static unsigned destroy(RtcProgram *program) {
    *program = NULL;
    return 0;
}

#define BOTH(cuda, hip, parameters, cuda_call, hip_call)                                                     \
    unsigned cuda parameters { return cuda_call; }                                                           \
    unsigned hip parameters { return hip_call; }

BOTH(nvrtcCreateProgram, hiprtcCreateProgram,
     (RtcProgram * program, const char *source, const char *name, int n_headers, RtcTexts headers,
      RtcTexts names),
     name != NULL ? create(program, source, n_headers, headers, names) : RTC_INVALID,
     name != NULL ? create(program, source, n_headers, headers, names) : RTC_INVALID)
BOTH(nvrtcCompileProgram, hiprtcCompileProgram, (RtcProgram program, int n_options, RtcTexts options),
     compile(program, n_options, options, "--gpu-architecture="),
     compile(program, n_options, options, "--offload-arch="))
BOTH(nvrtcGetCUBINSize, hiprtcGetCodeSize, (RtcProgram program, size_t *bytes), code_size(program, bytes),
     code_size(program, bytes))
BOTH(nvrtcGetCUBIN, hiprtcGetCode, (RtcProgram program, char *code), code_of(program, code),
     code_of(program, code))
BOTH(nvrtcGetProgramLogSize, hiprtcGetProgramLogSize, (RtcProgram program, size_t *bytes),
     log_size(program, bytes), log_size(program, bytes))
BOTH(nvrtcGetProgramLog, hiprtcGetProgramLog, (RtcProgram program, char *log), log_text(program, log),
     log_text(program, log))
BOTH(nvrtcDestroyProgram, hiprtcDestroyProgram, (RtcProgram * program), destroy(program), destroy(program))
