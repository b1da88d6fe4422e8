// OpenBLAS, BLIS or MKL by dlopen, through the CBLAS interface that all three export.
#include "kernels/blas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };  // values of the CBLAS standard

// ISO C has no conversion between object and function pointers; POSIX promises that their bytes agree.
static void take(void *handle, const char *name, void *ret_function, size_t size) {
    void *symbol = dlsym(handle, name);
    memcpy(ret_function, &symbol, size);
}

bool blas_open(int threads, Blas *ret_blas) {
    static const char *const names[] = {"libopenblas.so.0", "libblis.so.4", "libmkl_rt.so.2"};
    static const char *const threads_of[] = {"openblas_set_num_threads", "bli_thread_set_num_threads", "MKL_Set_Num_Threads"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Blas b = {.name = names[i], .handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL)};
        if (b.handle == NULL) continue;
        take(b.handle, "cblas_sgemm", &b.sgemm, sizeof b.sgemm);
        if (b.sgemm == NULL) {
            dlclose(b.handle);
            continue;
        }
        if (i == 1) {  // BLIS counts in its own 64-bit type
            void (*set_long)(long) = NULL;
            take(b.handle, threads_of[i], &set_long, sizeof set_long);
            if (set_long != NULL) set_long(threads);
        } else {
            void (*set)(int) = NULL;
            take(b.handle, threads_of[i], &set, sizeof set);
            if (set != NULL) set(threads);
        }
        *ret_blas = b;
        return true;
    }
    return false;
}

void blas_close(Blas *b) {
    if (b->handle != NULL) dlclose(b->handle);
}

void blas_product(const Blas *b, size_t m, size_t n, size_t k, const float *a, const float *x, float *c) {
    b->sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, (int)m, (int)n, (int)k, 1, a, (int)k, x, (int)n, 0, c, (int)n);
}
