// Libraries of others, opened at run time: names to try, and a table of functions filled by symbol.
#ifndef GPUADVISE_KERNELS_DL_H
#define GPUADVISE_KERNELS_DL_H

#include "src/base/base.h"

typedef struct DlSymbol {
    const char *name;
    size_t offset;  // of the function pointer in the table
    bool optional;  // stays NULL when the library lacks it
} DlSymbol;

// The library as a handle for dlclose; NULL with the loader's words in *e.
void *dl_open(const char *name, Err *e);
void dl_close(void *library);  // NULL is fine
// False: names the first symbol that is missing.
bool dl_fill(void *library, const DlSymbol *symbols, size_t n, void *table, Err *e);

#endif
