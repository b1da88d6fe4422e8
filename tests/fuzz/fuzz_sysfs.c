// A tree that stands for /sys, /proc and /dev of a machine with an MI300X and an H100, one of its files with
// other bytes.
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/devices.h"
#include "kernels/telemetry.h"
#include "tests/fuzz/fuzz.h"
#include "tests/scratch.h"

static const char amd[] = "sys/bus/pci/devices/0000:05:00.0", nvidia[] = "sys/bus/pci/devices/0000:07:00.0",
                  node[] = "sys/class/kfd/kfd/topology/nodes/2";

// Files of the tree, as a healthy machine has them. The first byte of the input says which one is spoiled.
static const struct {
    const char *folder, *name, *text;
} files[] = {
    {amd, "vendor", "0x1002\n"},
    {amd, "device", "0x74a1\n"},
    {amd, "class", "0x120000\n"},
    {amd, "revision", "0x00\n"},
    {amd, "product_name", "AMD Instinct MI300X\n"},
    {amd, "current_link_width", "16\n"},
    {amd, "current_compute_partition", "CPX\n"},
    {amd, "current_memory_partition", "NPS4\n"},
    {amd, "pp_dpm_sclk", "0: 132Mhz\n1: 2100Mhz *\n"},
    {amd, "gpu_busy_percent", "3\n"},
    {amd, "gpu_metrics", ""},
    {"sys/bus/pci/devices/0000:05:00.0/hwmon/hwmon1", "power1_average", "300000000\n"},
    {"sys/bus/pci/devices/0000:05:00.0/hwmon/hwmon1", "temp2_label", "junction\n"},
    {"sys/bus/pci/devices/0000:05:00.0/hwmon/hwmon1", "temp2_input", "66000\n"},
    {"sys/bus/pci/devices/0000:05:00.0/ras", "umc_err_count", "ue: 0\nce: 0\n"},
    {node, "properties",
     "simd_count 152\nsimd_per_cu 4\ngfx_target_version 90402\nlocation_id 1280\ndomain 0\ndrm_render_minor "
     "128\n"},
    {"sys/class/kfd/kfd/topology/nodes/2/mem_banks/0", "properties",
     "heap_type 1\nsize_in_bytes 25769803776\n"},
    {nvidia, "vendor", "0x10de\n"},
    {nvidia, "device", "0x2330\n"},
    {nvidia, "class", "0x030200\n"},
    {"proc/driver/nvidia/gpus/0000:07:00.0", "information",
     "Model: \t NVIDIA H100 80GB HBM3\nDevice Minor: \t 0\n"},
    {"proc/driver/nvidia", "version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Wed\n"},
};

static char root[64];  // "" = not made yet

static void make_folder(char *path) {
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/') continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}

static void put(size_t file, const void *bytes, size_t n) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, files[file].folder);
    make_folder(path);
    snprintf(path, sizeof path, "%s/%s/%s", root, files[file].folder, files[file].name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    MUST_HOLD(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
    close(fd);
}

static void remove_tree(void) {
    Arena a = {0};
    scratch_remove(&a, root);
    arena_free(&a);
}

// Made once, in memory where there is such a folder; gone when the process ends.
static void make_tree(void) {
    if (root[0] != '\0') return;
    snprintf(root, sizeof root, "/dev/shm/gpuadvise-fuzz-XXXXXX");
    if (mkdtemp(root) == NULL) {
        snprintf(root, sizeof root, "/tmp/gpuadvise-fuzz-XXXXXX");
        MUST_HOLD(mkdtemp(root) != NULL);
    }
    MUST_HOLD(atexit(remove_tree) == 0);
    for (size_t i = 0; i < COUNT_OF(files); i++) put(i, files[i].text, strlen(files[i].text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size > 4096) return 0;
    const char *why = "";
    size_t spoiled = data[0] % COUNT_OF(files);
    Arena a = {0};
    const GpuDevice *devices = NULL;
    Telemetry t;
    GpuState s;
    BoardFacts b;
    make_tree();
    put(spoiled, data + 1, size - 1);
    size_t n = devices_probe(root, &a, &devices);
    MUST_HOLD(n <= 2);
    for (size_t i = 0; i < n; i++) {
        for (const char *c = devices[i].name; *c != '\0'; c++) MUST_HOLD((unsigned char)*c >= ' ');
        MUST_HOLD(devices[i].part >= 1 && devices[i].part <= devices[i].parts);
    }
    telemetry_open(GPU_HIP, root, "0000:05:00.0", &a, &t, &why);
    telemetry_read(&t, &s);
    telemetry_board(&t, &b);
    telemetry_close(&t);
    put(spoiled, files[spoiled].text, strlen(files[spoiled].text));
    arena_free(&a);
    return 0;
}
