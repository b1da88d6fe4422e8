// Device code linked into the program.
#include "kernels/code.h"

#include <string.h>

extern const EmbeddedFile embedded_device[], embedded_device_source[];
extern const size_t n_embedded_device, n_embedded_device_source;

// ---------------------------------------------------------------- what is linked

// ".version 7.0" -> 70; 0 when the text has no such line.
static int version_of(const char *ptx) {
    static const char word[] = "\n.version ";
    const char *at = strstr(ptx, word);
    if (at == NULL) return 0;
    at += sizeof word - 1;
    return at[0] >= '0' && at[0] <= '9' && at[1] == '.' && at[2] >= '0' && at[2] <= '9'
               ? (at[0] - '0') * 10 + at[2] - '0'
               : 0;
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
            if (!ptx_fits(&c, capability, driver) || (before.target != NULL && !is_better(&before, &c)))
                continue;
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

void device_source(Arena *a, DeviceSource *ret_source) {
    DeviceSource s = {.text = ""};
    for (size_t i = 0; i < n_embedded_device_source; i++) {
        const EmbeddedFile *f = &embedded_device_source[i];
        if (strcmp(f->name, "kernels") == 0) {
            s.text = f->data;
        } else if (s.n_includes < COUNT_OF(s.include_texts)) {
            s.include_names[s.n_includes] = arena_printf(a, "kernels/device/%s.h", f->name);
            s.include_texts[s.n_includes++] = f->data;
        }
    }
    *ret_source = s;
}
