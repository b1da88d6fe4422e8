// GPUs of instance types whose price list names the type, not the GPU: data/instance_gpus.tsv.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/market/gpu_names.h"

static int by_key(const void *key, const void *row) {
    const InstanceGpu *x = key, *y = row;
    int order = strcmp(x->provider, y->provider);
    return order != 0 ? order : strcmp(x->instance, y->instance);
}

static const InstanceGpu *find(const SellerFacts *f, const char *provider, const char *instance) {
    InstanceGpu key = {.provider = provider, .instance = instance};
    return row_find(&key, f->instances, f->n_instances, sizeof key, by_key);
}

double plan_gpus(const char *instance, double card_gb) {
    static const char head[] = "vcg-", tail[] = "vram";
    size_t length = instance == NULL ? 0 : strlen(instance);
    double gb = 0;
    if (length <= sizeof head + sizeof tail || memcmp(instance, head, sizeof head - 1) != 0 ||
        strcmp(instance + length - (sizeof tail - 1), tail) != 0)
        return (double)NAN;
    size_t end = length - (sizeof tail - 1);
    size_t begin = end;
    while (begin > 0 && instance[begin - 1] >= '0' && instance[begin - 1] <= '9') begin--;
    if (!parse_number((Str){instance + begin, end - begin}, 1, 10000, &gb, NULL)) return (double)NAN;
    return gb / card_gb;
}

// Azure's pages and lists made of them write "NC24ads A100 v4" for Standard_NC24ads_A100_v4.
static const InstanceGpu *find_azure(const SellerFacts *f, const char *instance) {
    char name[80];
    int length = snprintf(name, sizeof name, "Standard_%s", instance);
    if (strncmp(instance, "Standard_", 9) == 0 || length < 0 || (size_t)length >= sizeof name) return NULL;
    for (char *c = name; *c != '\0'; c++) *c = *c == ' ' ? '_' : *c;
    return find(f, "azure", name);
}

const InstanceGpu *instance_gpu_find(const SellerFacts *f, const char *provider, const char *instance) {
    const InstanceGpu *row = find(f, provider, instance);
    return row == NULL && strcmp(provider, "azure") == 0 ? find_azure(f, instance) : row;
}

// How clouds name such machines; '#' stands for digits, '*' for letters.
static const char *const gpu_series[][2] = {
    {"azure", "Standard_NC"}, {"azure", "Standard_ND"}, {"azure", "Standard_NG"}, {"azure", "Standard_NV"},
    {"aws", "g#*."},          {"aws", "gr#*."},         {"aws", "p#*."},          {"gcp", "a#-"},
    {"gcp", "a#x-"},          {"gcp", "g#-standard-"},  {"oci", "BM.GPU"},        {"oci", "VM.GPU"}};

static bool begins_as(const char *name, const char *series) {
    for (; *series != '\0'; series++) {
        if (*series == '#') {
            size_t digits = strspn(name, "0123456789");
            if (digits == 0) return false;
            name += digits;
        } else if (*series == '*') {
            while (char_is_letter(*name)) name++;
        } else if (*name++ != *series) {
            return false;
        }
    }
    return true;
}

bool instance_has_gpus(const char *provider, const char *instance) {
    for (size_t i = 0; i < COUNT_OF(gpu_series); i++) {
        if ((provider == NULL || strcmp(provider, gpu_series[i][0]) == 0) &&
            begins_as(instance, gpu_series[i][1]))
            return true;
    }
    return false;
}
