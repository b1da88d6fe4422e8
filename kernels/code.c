// Device code linked into the program, and how its kernels are launched.
#include "kernels/code.h"

#include <string.h>

#include "kernels/reference.h"

extern const EmbeddedFile embedded_device[], embedded_device_source[];
extern const size_t n_embedded_device, n_embedded_device_source;

// ---------------------------------------------------------------- what is linked

// ".version 7.0" -> 70; 0 when the text has no such line.
static int version_of(const char *ptx) {
    static const char word[] = "\n.version ";
    const char *at = strstr(ptx, word);
    if (at == NULL) return 0;
    at += sizeof word - 1;
    return at[0] >= '0' && at[0] <= '9' && at[1] == '.' && at[2] >= '0' && at[2] <= '9' ? (at[0] - '0') * 10 + at[2] - '0' : 0;
}

bool device_code(size_t i, DeviceCode *ret_code) {
    if (i >= n_embedded_device) return false;
    const EmbeddedFile *f = &embedded_device[i];
    bool ptx = strncmp(f->name, "sm_", 3) == 0;
    *ret_code = (DeviceCode){f->name, ptx ? version_of(f->data) : 0, f->data, f->length};
    return true;
}

// ---------------------------------------------------------------- which one a GPU takes

int ptx_needs_driver(int ptx_version) {
    // NVIDIA, PTX ISA, release notes: the first CUDA version whose driver knows each PTX version.
    static const int known[][2] = {{60, 9000},  {63, 10000}, {70, 11000}, {78, 11080}, {80, 12000},
                                   {84, 12040}, {86, 12070}, {87, 12080}, {88, 12090}, {90, 13000}};
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (known[i][0] == ptx_version) return known[i][1];
    }
    return 0;
}

// "sm_80" -> 80; "sm_90a" -> 90, and only for that very capability. -1: no PTX.
static int capability_of(const char *target, bool *ret_exact) {
    int64_t value = 0;
    if (strncmp(target, "sm_", 3) != 0) return -1;
    size_t digits = strspn(target + 3, "0123456789");
    *ret_exact = target[3 + digits] != '\0';
    return parse_integer((Str){target + 3, digits}, 0, 999, &value, NULL) ? (int)value : -1;
}

static bool ptx_fits(const DeviceCode *c, int capability, int driver) {
    bool exact = false;
    int wanted = capability_of(c->target, &exact), needs = ptx_needs_driver(c->ptx_version);
    if (wanted < 0 || needs == 0 || driver < needs) return false;
    return exact ? capability == wanted : capability >= wanted;
}

// Of two that fit: the later target, of equal ones the exact.
static bool is_better(const DeviceCode *a, const DeviceCode *b) {
    bool exact_a = false, exact_b = false;
    int x = capability_of(a->target, &exact_a), y = capability_of(b->target, &exact_b);
    return x != y ? x > y : exact_a && !exact_b;
}

bool device_ptx(int capability, int driver, size_t rank, DeviceCode *ret_code) {
    DeviceCode c, before = {0}, best = {0};
    for (size_t r = 0; r <= rank; r++, before = best) {
        best = (DeviceCode){0};
        for (size_t i = 0; device_code(i, &c); i++) {
            if (!ptx_fits(&c, capability, driver) || (before.target != NULL && !is_better(&before, &c))) continue;
            if (best.target == NULL || is_better(&c, &best)) best = c;
        }
        if (best.target == NULL) return false;
    }
    *ret_code = best;
    return true;
}

bool device_object(const char *gfx, DeviceCode *ret_code) {
    DeviceCode c;
    size_t n = strcspn(gfx, ":");
    for (size_t i = 0; device_code(i, &c); i++) {
        if (strlen(c.target) != n || strncmp(c.target, gfx, n) != 0) continue;
        *ret_code = c;
        return true;
    }
    return false;
}

void device_source(DeviceSource *ret_source) {
    static const struct {
        const char *file, *include;
    } includes[] = {{"gk", "kernels/device/gk.h"}};
    DeviceSource s = {.text = ""};
    for (size_t i = 0; i < n_embedded_device_source; i++) {
        if (strcmp(embedded_device_source[i].name, "kernels") == 0) s.text = embedded_device_source[i].data;
        for (size_t k = 0; k < COUNT_OF(includes); k++) {
            if (strcmp(embedded_device_source[i].name, includes[k].file) != 0) continue;
            s.include_names[s.n_includes] = includes[k].include;
            s.include_texts[s.n_includes++] = embedded_device_source[i].data;
        }
    }
    *ret_source = s;
}

// ---------------------------------------------------------------- launches

typedef struct Launch {
    const char *entry;
    size_t sizes;  // leading dimensions that are passed
} Launch;

static const Launch launches[KERNEL_COUNT] = {
    [KERNEL_COPY] = {"gk_copy", 1},           [KERNEL_SCALE] = {"gk_scale", 1},         [KERNEL_ADD] = {"gk_add", 1},
    [KERNEL_TRIAD] = {"gk_triad", 1},         [KERNEL_READ] = {"gk_read", 2},           [KERNEL_LATENCY] = {"gk_latency", 1},
    [KERNEL_REDUCE] = {"gk_reduce", 2},       [KERNEL_GEMM_F32] = {"gk_gemm", 3},       [KERNEL_GEMV_BF16] = {"gk_gemv_bf16", 2},
    [KERNEL_GEMV_I8] = {"gk_gemv_i8", 2},     [KERNEL_RMSNORM] = {"gk_rmsnorm", 2},     [KERNEL_SOFTMAX] = {"gk_softmax", 2},
    [KERNEL_ROTARY] = {"gk_rotary", 3},       [KERNEL_SWIGLU] = {"gk_swiglu", 1},       [KERNEL_ARGMAX] = {"gk_argmax", 2},
    [KERNEL_TOPK] = {"gk_topk", 2},
};

const char *device_entry(KernelId id) { return launches[id].entry; }

size_t device_sizes(KernelId id, const Shape *s, uint64_t ret_sizes[DEVICE_SIZES_MAX]) {
    for (size_t i = 0; i < launches[id].sizes; i++) ret_sizes[i] = s->d[i];
    if (id == KERNEL_LATENCY) ret_sizes[0] = chase_steps(s);  // its size is the length of the walk
    return launches[id].sizes;
}

unsigned device_blocks(KernelId id, unsigned units) {
    enum { BLOCKS_A_UNIT = 16 };  // 2048 threads: what a multiprocessor holds
    return id == KERNEL_LATENCY ? 1 : units * BLOCKS_A_UNIT;
}
