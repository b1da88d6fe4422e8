// GPUs from sysfs: the PCI devices of both vendors, what NVIDIA's driver adds under /proc, what AMD's adds in
// KFD and DRM.
#include "kernels/devices.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "kernels/sysfs.h"

enum {
    DEVICES_MAX = 256,
    NODES_MAX = 512,
    CLASS_DISPLAY = 0x03,
    CLASS_ACCELERATOR = 0x12,
    VENDOR_ID_NVIDIA = 0x10de,
    VENDOR_ID_AMD = 0x1002
};

// One compute device of the kernel's KFD: a GPU, a die of one, or a partition.
typedef struct Node {
    const char *pci_address;  // without function: partitions count there
    double target, compute_units, memory_gib, render_minor;
} Node;

// ---------------------------------------------------------------- AMD: KFD

// "key value" lines; NaN when the key is missing.
static double property(const char *text, const char *key) {
    size_t n = strlen(key);
    for (const char *line = text; line != NULL; line = next_line(line)) {
        if (strncmp(line, key, n) != 0 || line[n] != ' ') continue;
        double x = (double)NAN;
        line += n + 1;
        return parse_number((Str){line, strspn(line, "0123456789")}, 0, 1.9e19, &x, NULL) ? x : (double)NAN;
    }
    return (double)NAN;
}

// A number that a register of so many bits holds; false: it is not known, or no register of that width holds it.
static bool in_bits(double x, unsigned bits, unsigned *ret_value) {
    if (!(x >= 0 && x <= (double)(UINT32_MAX >> (32 - bits)))) return false;
    *ret_value = (unsigned)x;
    return true;
}

// Memory of the banks that are the GPU's own (heap types 1 and 2: frame buffer, public and private).
static double node_memory(Arena *a, const char *folder) {
    const char *const *banks = NULL;
    const char *list = arena_printf(a, "%s/mem_banks", folder);
    size_t n = sysfs_list(a, list, &banks);
    double bytes = 0;
    for (size_t i = 0; i < n; i++) {
        const char *text = sysfs_text(a, "%s/%s/properties", list, banks[i]);
        double type = property(text, "heap_type"), size = property(text, "size_in_bytes");
        if ((type == 1 || type == 2) && is_known(size)) bytes += size;
    }
    return bytes > 0 ? bytes / 1073741824 : (double)NAN;
}

static size_t read_nodes(const char *root, Arena *a, Node *nodes) {
    const char *const *names = NULL;
    const char *folder = arena_printf(a, "%s/sys/class/kfd/kfd/topology/nodes", root);
    size_t n = sysfs_list(a, folder, &names), used = 0;
    for (size_t i = 0; i < n && used < NODES_MAX; i++) {
        const char *node = arena_printf(a, "%s/%s", folder, names[i]);
        const char *text = sysfs_text(a, "%s/properties", node);
        double lanes = property(text, "simd_count"), per_unit = property(text, "simd_per_cu"),
               location = property(text, "location_id");
        double domain = property(text, "domain"), target = property(text, "gfx_target_version");
        // a CPU, or another kernel's layout
        unsigned place = 0, of_domain = 0;
        if (!(lanes > 0) || !(per_unit > 0) || !in_bits(location, 32, &place) || !(target > 0)) continue;
        place &= 0xFFFFu;
        if (is_known(domain) && !in_bits(domain, 32, &of_domain)) continue;
        nodes[used++] =
            (Node){arena_printf(a, "%04x:%02x:%02x", of_domain & 0xFFFFu, place >> 8, place >> 3 & 0x1F),
                   target, lanes / per_unit, node_memory(a, node), property(text, "drm_render_minor")};
    }
    return used;
}

// ---------------------------------------------------------------- what keeps a program out

static bool usable(const char *path) { return access(path, R_OK | W_OK) == 0; }
static bool there(const char *path) { return access(path, F_OK) == 0; }

static const char *missing_amd(const char *root, Arena *a, const GpuDevice *d, double render_minor) {
    const char *kfd = arena_printf(a, "%s/dev/kfd", root);
    const char *render =
        is_known(render_minor) ? arena_printf(a, "%s/dev/dri/renderD%.0f", root, render_minor) : NULL;
    if (d->driver[0] == '\0')
        return "no kernel driver is bound: load amdgpu (package linux-modules-extra or amdgpu-dkms)";
    if (!there(kfd)) return "/dev/kfd is missing: in a container pass --device=/dev/kfd --device=/dev/dri";
    if (!usable(kfd))
        return "no permission on /dev/kfd: add yourself to group render (usermod -aG render,video), then log "
               "in again";
    if (render != NULL && !there(render))
        return arena_printf(a, "/dev/dri/renderD%.0f is missing: in a container pass --device=/dev/dri",
                            render_minor);
    if (render != NULL && !usable(render))
        return arena_printf(a, "no permission on /dev/dri/renderD%.0f: add yourself to group render",
                            render_minor);
    return "";
}

static const char *missing_nvidia(const char *root, Arena *a, const GpuDevice *d, const char *minor) {
    const char *control = arena_printf(a, "%s/dev/nvidiactl", root);
    if (strcmp(d->driver, "nouveau") == 0) return "the nouveau driver is bound: CUDA needs NVIDIA's own";
    if (strcmp(d->driver, "vfio-pci") == 0) return "bound to vfio-pci: passed through to a virtual machine";
    if (strncmp(d->driver, "nvidia", 6) != 0)
        return "no kernel driver is bound: install NVIDIA's driver and load module nvidia";
    if (!there(control))
        return "/dev/nvidiactl is missing: run nvidia-modprobe -u, or start the container with --gpus all";
    if (!usable(control)) return "no permission on /dev/nvidiactl";
    const char *device = arena_printf(a, "%s/dev/nvidia%s", root, minor);
    if (minor[0] != '\0' && !there(device))
        return arena_printf(a, "/dev/nvidia%s is missing: start the container with --gpus all", minor);
    if (minor[0] != '\0' && !usable(device)) return arena_printf(a, "no permission on /dev/nvidia%s", minor);
    return "";
}

// ---------------------------------------------------------------- PCI

// "Model: \t\t NVIDIA H100" -> "NVIDIA H100"; "" when there is no such line.
static const char *entry(Arena *a, const char *text, const char *key) {
    size_t n = strlen(key);
    for (const char *line = text; line != NULL; line = next_line(line)) {
        if (strncmp(line, key, n) != 0 || line[n] != ':') continue;
        Str value = str_trim((Str){line + n + 1, strcspn(line + n + 1, "\n")});
        return text_clean(a, arena_copy(a, value.data, value.length));
    }
    return "";
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  ..." -> "580.95.05"
static const char *nvidia_version(const char *root, Arena *a) {
    Str rest = str_of(entry(a, sysfs_text(a, "%s/proc/driver/nvidia/version", root), "NVRM version"));
    Str word;
    while (str_next(&rest, ' ', &word)) {
        size_t n = strspn(arena_copy(a, word.data, word.length), "0123456789.");
        if (word.length > 3 && n == word.length && memchr(word.data, '.', n) != NULL)
            return arena_copy(a, word.data, word.length);
    }
    return "";
}

static const char *bound_driver(Arena *a, const char *folder) {
    char target[512];
    ssize_t n = readlink(arena_printf(a, "%s/driver", folder), target, sizeof target - 1);
    if (n <= 0) return "";
    target[n] = '\0';
    return text_clean(a, path_name(target));
}

static const char *ids(Arena *a, double vendor, double device) {
    unsigned of_vendor = 0, of_device = 0;
    bool known = in_bits(vendor, 16, &of_vendor) && in_bits(device, 16, &of_device);
    return known ? arena_printf(a, "%04x:%04x", of_vendor, of_device) : "";
}

// False: no GPU of either vendor.
static bool read_pci(Arena *a, const char *folder, const char *address, GpuDevice *ret_device) {
    double vendor = sysfs_number(a, "%s/vendor", folder), class = sysfs_number(a, "%s/class", folder);
    if (vendor != VENDOR_ID_NVIDIA && vendor != VENDOR_ID_AMD) return false;
    unsigned whole = 0, revision = 0;
    if (!in_bits(class, 24, &whole)) return false;
    if (whole >> 16 != CLASS_DISPLAY && whole >> 16 != CLASS_ACCELERATOR) return false;
    bool revised = in_bits(sysfs_number(a, "%s/revision", folder), 8, &revision);
    *ret_device = (GpuDevice){
        .vendor = vendor == VENDOR_ID_AMD ? VENDOR_AMD : VENDOR_NVIDIA,
        .pci_address = text_clean(a, address),
        .pci_device = ids(a, vendor, sysfs_number(a, "%s/device", folder)),
        .pci_subsystem = ids(a, sysfs_number(a, "%s/subsystem_vendor", folder),
                             sysfs_number(a, "%s/subsystem_device", folder)),
        .pci_revision = revised ? arena_printf(a, "%02x", revision) : "",
        .name = text_clean(a, sysfs_text(a, "%s/product_name", folder)),
        .driver = bound_driver(a, folder),
        .partition = "",
        .part = 1,
        .parts = 1,
        .gfx_target_version = (double)NAN,
        .cu_count = (double)NAN,
        .memory_gib = sysfs_number(a, "%s/mem_info_vram_total", folder) / 1073741824,
        .link_width = sysfs_number(a, "%s/current_link_width", folder),
        .link_width_max = sysfs_number(a, "%s/max_link_width", folder),
        .missing = "",
    };
    return true;
}

static size_t add_nvidia(const char *root, Arena *a, GpuDevice d, GpuDevice *out) {
    const char *text = sysfs_text(a, "%s/proc/driver/nvidia/gpus/%s/information", root, d.pci_address);
    const char *model = entry(a, text, "Model"), *version = nvidia_version(root, a);
    if (model[0] != '\0') d.name = model;
    const char *minor = entry(a, text, "Device Minor");
    d.missing = missing_nvidia(root, a, &d, minor);
    d.hidden = minor[0] != '\0' && usable(arena_printf(a, "%s/dev/nvidiactl", root)) &&
               !usable(arena_printf(a, "%s/dev/nvidia%s", root, minor));
    if (strcmp(d.driver, "nvidia") == 0 && version[0] != '\0')
        d.driver = arena_printf(a, "nvidia %s", version);
    *out = d;
    return 1;
}

static size_t add_amd(const char *root, Arena *a, const char *folder, GpuDevice d, const Node *nodes,
                      size_t n_nodes, GpuDevice *out, size_t room) {
    size_t n = 0, length = strlen(d.pci_address);
    const char *compute = sysfs_text(a, "%s/current_compute_partition", folder),
               *memory = sysfs_text(a, "%s/current_memory_partition", folder);
    if (compute[0] != '\0')
        d.partition = text_clean(a, arena_printf(a, "%s%s%s", compute, memory[0] != '\0' ? "/" : "", memory));
    for (size_t i = 0; i < n_nodes && n < room; i++) {
        size_t same = strlen(nodes[i].pci_address);
        if (length < same || strncmp(nodes[i].pci_address, d.pci_address, same) != 0) continue;
        out[n] = d;
        out[n].gfx_target_version = nodes[i].target;
        out[n].cu_count = nodes[i].compute_units;
        if (is_known(nodes[i].memory_gib)) out[n].memory_gib = nodes[i].memory_gib;
        out[n].missing = missing_amd(root, a, &d, nodes[i].render_minor);
        out[n].hidden = is_known(nodes[i].render_minor) && usable(arena_printf(a, "%s/dev/kfd", root)) &&
                        !usable(arena_printf(a, "%s/dev/dri/renderD%.0f", root, nodes[i].render_minor));
        n++;
    }
    for (size_t i = 0; i < n; i++) out[i].part = i + 1, out[i].parts = n;
    if (n > 0 || room == 0) return n;
    d.missing = missing_amd(root, a, &d, (double)NAN);
    if (d.missing[0] == '\0')
        d.missing =
            "KFD does not list it: ROCm does not drive this device, or the kernel's driver is too old for it";
    *out = d;
    return 1;
}

// Windows shows its GPUs to WSL without any PCI tree: through /dev/dxg and libraries of the host.
static GpuDevice of_windows(const char *root, Arena *a) {
    double nan = (double)NAN;
    bool nvidia = there(arena_printf(a, "%s/usr/lib/wsl/lib/libcuda.so.1", root));
    return (GpuDevice){.vendor = nvidia ? VENDOR_NVIDIA : VENDOR_AMD,
                       .pci_address = "",
                       .pci_device = "",
                       .pci_subsystem = "",
                       .pci_revision = "",
                       .name = "GPU of the Windows host",
                       .driver = "dxgkrnl (WSL)",
                       .partition = "",
                       .part = 1,
                       .parts = 1,
                       .gfx_target_version = nan,
                       .cu_count = nan,
                       .memory_gib = nan,
                       .link_width = nan,
                       .link_width_max = nan,
                       .missing = ""};
}

size_t devices_probe(const char *root, Arena *a, const GpuDevice **ret_devices) {
    const char *const *names = NULL;
    const char *pci = arena_printf(a, "%s/sys/bus/pci/devices", root);
    size_t n = sysfs_list(a, pci, &names), used = 0;
    GpuDevice *devices = arena_alloc(a, DEVICES_MAX, sizeof *devices);
    Node *nodes = arena_alloc(a, NODES_MAX, sizeof *nodes);
    size_t n_nodes = n > 0 ? read_nodes(root, a, nodes) : 0;
    for (size_t i = 0; i < n && used < DEVICES_MAX; i++) {
        GpuDevice d;
        const char *folder = arena_printf(a, "%s/%s", pci, names[i]);
        if (!read_pci(a, folder, names[i], &d)) continue;
        used += d.vendor == VENDOR_NVIDIA
                    ? add_nvidia(root, a, d, &devices[used])
                    : add_amd(root, a, folder, d, nodes, n_nodes, &devices[used], DEVICES_MAX - used);
    }
    if (used == 0 && there(arena_printf(a, "%s/dev/dxg", root))) devices[used++] = of_windows(root, a);
    *ret_devices = devices;
    return used;
}

// ---------------------------------------------------------------- which GPU of the catalog

const char *gfx_name(Arena *a, double target) {
    if (!(target >= 60000 && target < 1e6)) return "";
    unsigned t = (unsigned)target;
    return arena_printf(a, "gfx%u%x%x", t / 10000, t / 100 % 100, t % 100);
}

// How many conditions of the row the device meets; -1: it breaks one.
static int fit(const GpuDevice *d, const DeviceId *row) {
    int score = 0;
    if (row->vendor != d->vendor || row->pci_device[0] == '\0' || !text_same(row->pci_device, d->pci_device))
        return -1;
    if (row->pci_subsystem[0] != '\0') {
        if (!text_same(row->pci_subsystem, d->pci_subsystem)) return -1;
        score += 4;
    }
    if (row->pci_revision[0] != '\0') {
        if (!text_same(row->pci_revision, d->pci_revision)) return -1;
        score += 2;
    }
    double units = d->cu_count * (double)d->parts, gib = d->memory_gib * (double)d->parts;
    if (is_known(row->gfx_target_version) && is_known(d->gfx_target_version) &&
        row->gfx_target_version != d->gfx_target_version)
        return -1;
    if (is_known(row->cu_count) && is_known(units)) {
        if (row->cu_count != units) return -1;
        score++;
    }
    if (is_known(row->memory_gib) && is_known(gib) && fabs(gib / row->memory_gib - 1) > 0.1) return -1;
    return score;
}

const DeviceId *device_match(const GpuDevice *d, const DeviceId *rows, size_t n, Arena *a,
                             const char **ret_why) {
    const DeviceId *best = NULL;
    int most = -1;
    bool tie = false;
    for (size_t i = 0; i < n; i++) {
        int score = fit(d, &rows[i]);
        if (score < 0 || score < most) continue;
        bool other = best != NULL && strcmp(best->sku_id, rows[i].sku_id) != 0;
        tie = score == most ? tie || other : false;
        most = score;
        best = &rows[i];
    }
    if (best == NULL)
        *ret_why = arena_printf(a, "PCI device %s is not in the catalog",
                                d->pci_device[0] != '\0' ? d->pci_device : "of unknown id");
    if (tie)
        *ret_why = arena_printf(a, "PCI device %s is several GPUs, and nothing here tells them apart",
                                d->pci_device);
    return tie ? NULL : best;
}

const DeviceId *device_named(int vendor, const char *name, const DeviceId *rows, size_t n) {
    const DeviceId *found = NULL;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].vendor != vendor || strcmp(rows[i].name, name) != 0) continue;
        if (found != NULL && strcmp(found->sku_id, rows[i].sku_id) != 0) return NULL;
        found = &rows[i];
    }
    return found;
}
