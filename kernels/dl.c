// Libraries of others, opened at run time.
#include "kernels/dl.h"

#include <dlfcn.h>
#include <string.h>

void *dl_open(const char *name, Err *e) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) err_set(e, ERR_FAILED, "%s", dlerror());
    return library;
}

void dl_close(void *library) {
    if (library != NULL) dlclose(library);
}

bool dl_fill(void *library, const DlSymbol *symbols, size_t n, void *table, Err *e) {
    for (size_t i = 0; i < n; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (symbol == NULL && !symbols[i].optional)
            return err_set(e, ERR_FAILED, "symbol %s is missing: too old", symbols[i].name);
        // ISO C has no conversion between object and function pointers; POSIX promises that their bytes
        // agree.
        memcpy((char *)table + symbols[i].offset, &symbol, sizeof symbol);
    }
    return true;
}
