// What the system says of the CPU and its memory; pages for large buffers.
#define _DEFAULT_SOURCE  // madvise, MAP_ANONYMOUS
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels/cpu.h"
#include "kernels/sysfs.h"

void *pages_map(size_t bytes, Err *e) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        err_set(e, ERR_FAILED, "%.0f MiB of memory: %s", (double)bytes / 1048576, strerror(errno));
        return NULL;
    }
    madvise(pages, bytes, MADV_HUGEPAGE);  // a wish
    return pages;
}

void pages_unmap(void *pages, size_t bytes) {
    if (pages != NULL) munmap(pages, bytes);
}

// "35840K" -> bytes
static double size_of(const char *text) {
    size_t digits = strspn(text, "0123456789");
    int64_t n = 0;
    if (!parse_integer((Str){text, digits}, 0, INT32_MAX, &n, NULL)) return (double)NAN;
    return (double)n * (text[digits] == 'K' ? 1024 : text[digits] == 'M' ? 1048576 : 1);
}

static double largest_cache(const char *root, Arena *a) {
    double most = (double)NAN;
    for (int i = 0; i < 8; i++) {
        const char *text = sysfs_text(a, "%s/sys/devices/system/cpu/cpu0/cache/index%d/size", root, i);
        double size = size_of(text);
        if (is_known(size) && !(size <= most)) most = size;
    }
    return most;
}

// The value after "key" and blanks, colon, blanks; "" when the text has no such line.
static const char *value_of(Arena *a, const char *text, const char *key) {
    for (const char *line = text; line != NULL; line = next_line(line)) {
        size_t n = strlen(key);
        if (strncmp(line, key, n) != 0 || strchr(" \t:", line[n]) == NULL) continue;
        line += n;
        line += strspn(line, " \t:");
        return arena_copy(a, line, strcspn(line, "\n"));
    }
    return "";
}

static double leading_number(const char *text) {
    double x = (double)NAN;
    size_t n = strspn(text, "0123456789.");
    return parse_number((Str){text, n}, 0, 1e18, &x, NULL) ? x : (double)NAN;
}

static double hottest(const char *root, Arena *a) {
    double most = (double)NAN;
    for (int i = 0; i < 16; i++) {
        const char *type = sysfs_text(a, "%s/sys/class/thermal/thermal_zone%d/type", root, i);
        if (!text_contains(type, "cpu") && !text_contains(type, "x86_pkg") && !text_contains(type, "soc"))
            continue;
        double c = sysfs_number(a, "%s/sys/class/thermal/thermal_zone%d/temp", root, i) / 1000;
        if (is_known(c) && !(c <= most)) most = c;
    }
    return most;
}

void cpu_facts(const char *root, CpuFacts *ret_facts) {
    Arena a = {0};
    const char *info = sysfs_text(&a, "%s/proc/cpuinfo", root);
    const char *memory = sysfs_text(&a, "%s/proc/meminfo", root);
    const char *load = sysfs_text(&a, "%s/proc/loadavg", root);
    CpuFacts f = {.cache_bytes = largest_cache(root, &a)};
    const char *name = value_of(&a, info, "model name");
    if (name[0] == '\0') name = value_of(&a, info, "CPU part");
    snprintf(f.name, sizeof f.name, "%s", name[0] != '\0' ? text_clean(&a, name) : "CPU");
    f.available_bytes = leading_number(value_of(&a, memory, "MemAvailable")) * 1024;
    f.clock_mhz = sysfs_number(&a, "%s/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", root) / 1000;
    if (!is_known(f.clock_mhz)) f.clock_mhz = leading_number(value_of(&a, info, "cpu MHz"));
    f.temperature_c = hottest(root, &a);
    f.energy_j = sysfs_number(&a, "%s/sys/class/powercap/intel-rapl:0/energy_uj", root) / 1e6;
    // "0.12 0.34 0.56 3/812 4711": the fourth figure counts what runs right now, this process included.
    const char *slash = strchr(load, '/');
    const char *at = slash;
    while (at != NULL && at > load && at[-1] != ' ') at--;
    double cpus = (double)sysconf(_SC_NPROCESSORS_ONLN);
    f.busy = at != NULL ? (leading_number(at) - 1) / cpus : (double)NAN;
    arena_free(&a);
    *ret_facts = f;
}
