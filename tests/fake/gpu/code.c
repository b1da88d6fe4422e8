// What real drivers look at in the code they are given.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fake/gpu/fake.h"

const char *fake_text(const char *variable, const char *key, const char *otherwise, char out[256]) {
    const char *at = getenv(variable), *value = otherwise;
    size_t n = strlen(key);
    while (at != NULL) {
        if (strncmp(at, key, n) == 0 && at[n] == '=') {
            snprintf(out, 256, "%.*s", (int)strcspn(at + n + 1, ";"), at + n + 1);
            value = out;
        }
        at = strchr(at, ';');
        if (at != NULL) at++;
    }
    return value;
}

double fake_number(const char *variable, const char *key, double otherwise) {
    char text[256];
    double x = 0;
    const char *value = fake_text(variable, key, "", text);
    return parse_number(str_of(value), -1e18, 1e18, &x, NULL) ? x : otherwise;
}

static int number_after(const char *text, const char *word, int factor) {
    const char *at = strstr(text, word);
    int whole = 0, rest = 0;
    if (at == NULL) return -1;
    for (at += strlen(word); *at >= '0' && *at <= '9'; at++) whole = whole * 10 + *at - '0';
    if (*at == '.') rest = at[1] - '0';
    return whole * factor + (factor > 1 ? rest : 0);
}

unsigned fake_check_ptx(const char *image, int driver, int capability) {
    if (strncmp(image, FAKE_OBJECT "sm_", sizeof FAKE_OBJECT + 2) == 0)
        return number_after(image, "sm_", 1) == capability ? OK : NO_BINARY;
    static const int needs[][2] = {{60, 9000},  {70, 11000}, {78, 11080}, {80, 12000},
                                   {84, 12040}, {87, 12080}, {90, 13000}};
    int version = number_after(image, "\n.version ", 10), target = number_after(image, "\n.target sm_", 1),
        driver_needed = 0;
    for (size_t i = 0; i < COUNT_OF(needs); i++) {
        if (needs[i][0] == version) driver_needed = needs[i][1];
    }
    if (driver_needed == 0 || target < 0) return INVALID_IMAGE;
    if (driver < driver_needed) return UNSUPPORTED_PTX;
    // no later one has its instructions
    bool exact = strstr(image, "\n.target sm_90a") != NULL || strstr(image, "\n.target sm_120a") != NULL;
    return capability < target || (exact && capability != target) ? NO_BINARY : OK;
}

enum { ELF_MACHINE = 18, ELF_SECTIONS = 40, ELF_FLAGS = 48, ELF_SECTION_SIZE = 58, MACHINE_AMDGPU = 224 };

static uint64_t whole(const char *bytes, size_t at, size_t size) {
    uint64_t x = 0;
    for (size_t i = size; i-- > 0;) x = x << 8 | (unsigned char)bytes[at + i];
    return x;
}

unsigned fake_check_object(const char *image, const char *gfx) {
    // EF_AMDGPU_MACH of the ELF header's flags, LLVM's AMDGPUUsage
    static const struct {
        const char *gfx;
        unsigned mach;
    } known[] = {{"gfx906", 0x2f},  {"gfx90a", 0x3f},  {"gfx942", 0x4c},  {"gfx1030", 0x36},
                 {"gfx1100", 0x41}, {"gfx1151", 0x4a}, {"gfx1200", 0x48}, {"gfx1201", 0x4e}};
    if (strncmp(image, FAKE_OBJECT, sizeof FAKE_OBJECT - 1) == 0)
        return strcmp(image + sizeof FAKE_OBJECT - 1, gfx) == 0 ? OK : NO_BINARY;
    if (memcmp(image, "\177ELF", 4) != 0 || whole(image, ELF_MACHINE, 2) != MACHINE_AMDGPU)
        return INVALID_IMAGE;
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strncmp(known[i].gfx, gfx, strcspn(gfx, ":")) == 0 &&
            known[i].mach == (whole(image, ELF_FLAGS, 4) & 0xFF))
            return OK;
    }
    return NO_BINARY;
}

// Kernel descriptors are symbols named ENTRY.kd. Section headers end an object file.
static bool object_has(const char *image, const char *entry) {
    size_t length = whole(image, ELF_SECTIONS, 8) +
                    whole(image, ELF_SECTION_SIZE, 2) * whole(image, ELF_SECTION_SIZE + 2, 2);
    char name[96];
    size_t n = (size_t)snprintf(name, sizeof name, "%s.kd", entry) + 1;
    for (size_t i = 0; i + n <= length; i++) {
        if (memcmp(image + i, name, n) == 0 && image[i - 1] == '\0') return true;
    }
    return false;
}

bool fake_has_entry(FakeApi api, const char *image, const char *entry) {
    char word[96];
    if (strncmp(image, FAKE_OBJECT, sizeof FAKE_OBJECT - 1) == 0) return true;
    if (api == FAKE_HIP) return object_has(image, entry);
    snprintf(word, sizeof word, ".entry %s(", entry);
    return strstr(image, word) != NULL;
}
