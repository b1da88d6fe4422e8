// Telemetry of GPUs: NVML, or sysfs.
#include "kernels/telemetry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/dl.h"
#include "kernels/sysfs.h"
#include "src/facts/bench.h"

#define NVML_ROW(field, symbol, optional, args) {#symbol, offsetof(NvmlTable, field), optional},
static const DlSymbol nvml_symbols[] = {NVML_FUNCTIONS(NVML_ROW)};

static const double gib = 1073741824;
enum {
    CLOCK_SM = 1,
    SENSOR_GPU = 0,
    ECC_CORRECTED = 0,
    ECC_UNCORRECTED = 1,
    ECC_VOLATILE = 0,
    NVML_MORE_ROOM = 7
};

static const GpuState nothing = {
    .clock_mhz = (double)NAN,
    .power_w = (double)NAN,
    .temperature_c = (double)NAN,
    .busy_pct = (double)NAN,
    .memory_used_gib = (double)NAN,
    .energy_j = (double)NAN,
    .residency = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN},
    .accumulated = (double)NAN};

// ---------------------------------------------------------------- NVIDIA

static void open_nvml(const char *pci, Arena *a, Telemetry *t, const char **ret_why) {
    static const char *const names[] = {"libnvidia-ml.so.1", "libnvidia-ml.so",
                                        "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
    Err e = {0};
    for (size_t i = 0; i < COUNT_OF(names) && t->library == NULL; i++) t->library = dl_open(names[i], &e);
    if (t->library == NULL) {
        *ret_why = "no NVML (libnvidia-ml.so.1): no clocks, power and temperature; a container needs the "
                   "utility capability";
        return;
    }
    unsigned error = 0;
    bool ok = dl_fill(t->library, nvml_symbols, COUNT_OF(nvml_symbols), &t->f, &e);
    if (!ok || (error = t->f.init()) != 0) {
        *ret_why =
            ok ? arena_printf(a, "NVML does not start (error %u): no clocks, power and temperature", error)
               : arena_printf(a, "NVML: %s", e.text);
        dl_close(t->library);
        t->library = NULL;
        return;
    }
    error = t->f.by_pci(pci, &t->device);
    if (error == 0) return;
    *ret_why =
        arena_printf(a, "NVML does not show this GPU (error %u): no clocks, power and temperature", error);
    t->device = NULL;
}

// A reading of an optional function: NaN when the library lacks it or refuses.
static double figure(unsigned error, double value) { return error == 0 ? value : (double)NAN; }
#define READ(field, unit, ...)                                                                               \
    (t->f.field == NULL ? (double)NAN                                                                        \
                        : (error = t->f.field(t->device, __VA_ARGS__), figure(error, (double)x * (unit))))

static unsigned nvml_limits(const Telemetry *t) {
    static const struct {
        unsigned long long bit;
        unsigned limit;
    } reasons[] = {{0x4, LIMIT_POWER},
                   {0x8, LIMIT_HARDWARE},
                   {0x20, LIMIT_THERMAL},
                   {0x40, LIMIT_THERMAL},
                   {0x80, LIMIT_BRAKE}};
    unsigned long long bits = 0;
    unsigned limits = 0;
    unsigned (*read)(NvmlDevice, unsigned long long *) =
        t->f.reasons != NULL ? t->f.reasons : t->f.reasons_before;
    if (read == NULL || read(t->device, &bits) != 0) return 0;
    for (size_t i = 0; i < COUNT_OF(reasons); i++)
        limits |= (bits & reasons[i].bit) != 0 ? reasons[i].limit : 0;
    return limits;
}

static void read_nvml(const Telemetry *t, GpuState *s) {
    unsigned error = 0, x = 0;
    unsigned long long mj = 0;
    NvmlUse use = {0};
    NvmlMemory memory = {0};
    s->clock_mhz = READ(clock, 1, CLOCK_SM, &x);
    s->power_w = READ(power, 1e-3, &x);
    s->temperature_c = READ(temperature, 1, SENSOR_GPU, &x);
    if (t->f.energy != NULL && t->f.energy(t->device, &mj) == 0) s->energy_j = (double)mj / 1000;
    if (t->f.use != NULL && t->f.use(t->device, &use) == 0) s->busy_pct = use.gpu;
    if (t->f.memory != NULL && t->f.memory(t->device, &memory) == 0)
        s->memory_used_gib = (double)memory.used / gib;
    s->limits = nvml_limits(t);
}

// A text of the driver's, which may leave out its end and hold anything.
static void nvml_text(const Telemetry *t, unsigned (*read)(NvmlDevice, char *, unsigned), char *ret_text,
                      size_t size) {
    if (read == NULL || read(t->device, ret_text, (unsigned)size) != 0) ret_text[0] = '\0';
    ret_text[size - 1] = '\0';
    text_scrub(ret_text);
}

static void nvml_board(const Telemetry *t, BoardFacts *b) {
    unsigned error = 0, x = 0, y = 0;
    unsigned long long errors = 0;
    if (t->f.mig != NULL && t->f.mig(t->device, &x, &y) == 0) b->mig = x == 1;
    if (t->f.processes != NULL) {  // asked for none, it says how many there are
        x = 0;
        error = t->f.processes(t->device, &x, NULL);
        if (error == 0 || error == NVML_MORE_ROOM) b->other_processes = x;
    }
    b->power_limit_w = READ(power_limit, 1e-3, &x);
    b->power_default_w = READ(power_default, 1e-3, &x);
    b->link_width = READ(link_width, 1, &x);
    b->link_width_max = READ(link_width_max, 1, &x);
    nvml_text(t, t->f.uuid, b->uuid, sizeof b->uuid);
    nvml_text(t, t->f.serial, b->serial, sizeof b->serial);
    nvml_text(t, t->f.vbios, b->vbios, sizeof b->vbios);
    if (t->f.ecc_mode != NULL && t->f.ecc_mode(t->device, &x, &y) == 0) b->ecc_on = x;
    if (t->f.ecc_errors != NULL && t->f.ecc_errors(t->device, ECC_UNCORRECTED, ECC_VOLATILE, &errors) == 0)
        b->ecc_errors = (double)errors;
    if (t->f.ecc_errors != NULL && t->f.ecc_errors(t->device, ECC_CORRECTED, ECC_VOLATILE, &errors) == 0)
        b->ecc_corrected = (double)errors;
    unsigned corrected = 0, uncorrected = 0, pending = 0, failed = 0;
    if (t->f.remapped != NULL && t->f.remapped(t->device, &corrected, &uncorrected, &pending, &failed) == 0)
        b->rows_pending = pending > 0 || failed > 0;
}

// ---------------------------------------------------------------- AMD

double dpm_active_mhz(const char *text) {
    const char *star = strchr(text, '*');
    double mhz = (double)NAN;
    if (star == NULL) return mhz;
    const char *line = star;
    while (line > text && line[-1] != '\n') line--;
    line += strcspn(line, ": \n");
    line += strspn(line, ": ");
    return parse_number((Str){line, strspn(line, "0123456789")}, 0, 1e6, &mhz, NULL) ? mhz : (double)NAN;
}

// The folder of the board's sensors.
static const char *hwmon(Arena *a, const char *folder) {
    const char *const *names = NULL;
    const char *parent = arena_printf(a, "%s/hwmon", folder);
    return sysfs_list(a, parent, &names) > 0 ? arena_printf(a, "%s/%s", parent, names[0]) : "";
}

// The junction's temperature where it has a sensor, else the edge's.
static double temperature(Arena *a, const char *sensors) {
    for (int i = 1; i <= 3; i++) {
        if (strcmp(sysfs_text(a, "%s/temp%d_label", sensors, i), "junction") == 0)
            return sysfs_number(a, "%s/temp%d_input", sensors, i) / 1000;
    }
    return sysfs_number(a, "%s/temp1_input", sensors) / 1000;
}

static void read_amd(const Telemetry *t, GpuState *s) {
    Arena a = {0};
    Str bytes = {0};
    const char *sensors = hwmon(&a, t->folder);
    s->clock_mhz = dpm_active_mhz(sysfs_text(&a, "%s/pp_dpm_sclk", t->folder));
    if (sensors[0] != '\0') {
        double hz = sysfs_number(&a, "%s/freq1_input", sensors),
               watts = sysfs_number(&a, "%s/power1_average", sensors) / 1e6;
        if (is_known(hz)) s->clock_mhz = hz / 1e6;
        s->power_w = is_known(watts) ? watts : sysfs_number(&a, "%s/power1_input", sensors) / 1e6;
        s->temperature_c = temperature(&a, sensors);
    }
    s->busy_pct = sysfs_number(&a, "%s/gpu_busy_percent", t->folder);
    s->memory_used_gib = sysfs_number(&a, "%s/mem_info_vram_used", t->folder) / gib;
    if (file_read(&a, arena_printf(&a, "%s/gpu_metrics", t->folder), 1 << 16, &bytes, NULL)) {
        gpu_metrics_read((const unsigned char *)bytes.data, bytes.length, s);
    }
    arena_free(&a);
}

static double errors_of(const char *counts, const char *kind) {
    const char *at = strstr(counts, kind);
    double errors = (double)NAN;
    return at != NULL && parse_number((Str){at + 4, strspn(at + 4, "0123456789")}, 0, 1e18, &errors, NULL)
               ? errors
               : (double)NAN;
}

static void amd_board(const Telemetry *t, BoardFacts *b) {
    Arena a = {0};
    const char *sensors = hwmon(&a, t->folder);
    if (sensors[0] != '\0') {
        b->power_limit_w = sysfs_number(&a, "%s/power1_cap", sensors) / 1e6;
        b->power_default_w = sysfs_number(&a, "%s/power1_cap_default", sensors) / 1e6;
    }
    // "ue: 0\nce: 2": uncorrected, corrected
    const char *counts = sysfs_text(&a, "%s/ras/umc_err_count", t->folder);
    b->ecc_errors = errors_of(counts, "ue: ");
    b->ecc_corrected = errors_of(counts, "ce: ");
    snprintf(b->uuid, sizeof b->uuid, "%s", sysfs_text(&a, "%s/unique_id", t->folder));
    snprintf(b->serial, sizeof b->serial, "%s", sysfs_text(&a, "%s/serial_number", t->folder));
    snprintf(b->vbios, sizeof b->vbios, "%s", sysfs_text(&a, "%s/vbios_version", t->folder));
    b->link_width = sysfs_number(&a, "%s/current_link_width", t->folder);
    b->link_width_max = sysfs_number(&a, "%s/max_link_width", t->folder);
    arena_free(&a);
}

// ---------------------------------------------------------------- both

void telemetry_open(GpuApi api, const char *root, const char *pci, Arena *a, Telemetry *ret_telemetry,
                    const char **ret_why) {
    Telemetry t = {.api = api};
    *ret_why = "";
    if (api == GPU_CUDA) {
        open_nvml(pci, a, &t, ret_why);
    } else if (pci[0] != '\0') {
        snprintf(t.folder, sizeof t.folder, "%s/sys/bus/pci/devices/%s", root, pci);
    } else {
        *ret_why = "no PCI tree here: no clocks, power and temperature";
    }
    *ret_telemetry = t;
}

void telemetry_close(Telemetry *t) {
    if (t->library != NULL) (void)t->f.shutdown();
    dl_close(t->library);
    *t = (Telemetry){0};
}

void telemetry_read(const Telemetry *t, GpuState *ret_state) {
    *ret_state = nothing;
    if (t->device != NULL) read_nvml(t, ret_state);
    if (t->folder[0] != '\0') read_amd(t, ret_state);
}

void telemetry_board(const Telemetry *t, BoardFacts *ret_facts) {
    double nan = (double)NAN;
    *ret_facts = (BoardFacts){.other_processes = nan,
                              .power_limit_w = nan,
                              .power_default_w = nan,
                              .ecc_on = nan,
                              .ecc_errors = nan,
                              .ecc_corrected = nan,
                              .rows_pending = nan,
                              .link_width = nan,
                              .link_width_max = nan};
    if (t->device != NULL) nvml_board(t, ret_facts);
    if (t->folder[0] != '\0') amd_board(t, ret_facts);
}

unsigned telemetry_limits(const GpuState *before, const GpuState *after) {
    static const unsigned limit_of[RESIDENCIES] = {LIMIT_HARDWARE, LIMIT_POWER, LIMIT_THERMAL, LIMIT_THERMAL,
                                                   LIMIT_THERMAL};
    const double share_that_counts = 0.02;
    unsigned limits = after->limits;
    double passed = after->accumulated - before->accumulated;
    for (size_t i = 0; i < RESIDENCIES && passed > 0; i++) {
        if ((after->residency[i] - before->residency[i]) / passed > share_that_counts) limits |= limit_of[i];
    }
    return limits;
}

const char *limits_text(Arena *a, unsigned limits) {
    static const char *const words[] = {BENCH_POWER_CAP,     "current limit",           "heat",
                                        "hardware slowdown", "throttled by the driver", BENCH_POWER_BRAKE};
    const char *text = "";
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if ((limits >> i & 1) != 0)
            text = text[0] != '\0' ? arena_printf(a, "%s, %s", text, words[i]) : words[i];
    }
    return text;
}
