// A rule of the porting scan, and what becomes of CUDA names and libraries.
#ifndef GPUADVISE_REPORT_PORTING_H
#define GPUADVISE_REPORT_PORTING_H

#include "src/migrate/cuda.h"
#include "src/report/browse.h"

void rule_text(const Writer *w, const PortRule *r);

// What a word names: names of the CUDA libraries, a word of the language (one name, with a note), or a whole
// library.
typedef struct NamesFound {
    const CudaName *names;
    size_t n;
    const char *note;  // "": none
    const Library *libraries;
    size_t n_libraries;
    bool whole;  // a library
    const CWords *words;
} NamesFound;

// The rule that `migrate scan` has for a use of the name on the target; NULL: nothing to do.
const PortRule *cuda_rule_of(const CWords *words, const char *name);
void cuda_names_json(const NamesFound *x, Json *root);
void cuda_names_listing(const NamesFound *found, Arena *a, Listing *ret_listing);
void cuda_names_text(const Writer *w, const NamesFound *x);

#endif
