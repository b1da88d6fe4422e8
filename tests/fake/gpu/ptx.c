// Launches that execute the PTX which the program loaded, in the tests' interpreter: FAKE_CUDA's key `ptx`.
#include <stdio.h>
#include <string.h>

#include "tests/fake/gpu/state.h"

// A module as it was read; the text stays where it is while it is loaded.
typedef struct Loaded {
    const char *image;
    Arena arena;
    PtxModule module;
} Loaded;
static Loaded loaded[MODULES];

static PtxModule *module_of(const char *image, Err *e) {
    for (size_t i = 0; i < MODULES; i++) {
        Loaded *l = &loaded[i];
        if (l->image == image) return &l->module;
        if (l->image != NULL) continue;
        if (!ptx_module(str_of(image), &l->arena, &l->module, e)) return NULL;
        l->image = image;
        return &l->module;
    }
    err_set(e, ERR_FAILED, "too many modules");
    return NULL;
}

static void note(const char *entry, const PtxLaunch *l, const PtxTally *t, const Err *e) {
    char path[256];
    FILE *f = fopen(fake_text("FAKE_CUDA", "ptx", "/nonexistent/log", path), "a");
    if (f == NULL) return;
    fprintf(f, "%s\t%u\t%llu\t%llu\t%llu\t%s\n", entry, l->blocks, (unsigned long long)t->instructions,
            (unsigned long long)t->products, (unsigned long long)t->group_products, e->text);
    fclose(f);
}

bool fake_runs_ptx(void) {
    char path[256];
    return fake_text("FAKE_CUDA", "ptx", "", path)[0] != '\0';
}

unsigned fake_run_ptx(const char *image, const char *entry_name, PtxLaunch *l) {
    static uint64_t launches;
    Err e = {0};
    PtxEntry *entry = NULL;
    PtxTally t = {0};
    PtxModule *m = module_of(image, &e);
    // another order with each launch
    l->order = (PtxOrder)(launches % PTX_ORDERS), l->seed = ++launches;
    bool ok = m != NULL && ptx_entry(m, entry_name, &entry, &e) && ptx_run(entry, l, &t, &e);
    note(entry_name, l, &t, &e);
    return ok ? OK : ILLEGAL_ADDRESS;
}
