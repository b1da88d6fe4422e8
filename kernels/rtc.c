// Compiling the linked source at run time: hipRTC for AMD targets that no linked object is for, NVRTC where a
// driver takes none of the PTX.
#include <stdio.h>
#include <string.h>

#include "kernels/dl.h"
#include "kernels/gpu.h"

#define RTC_FIELD(field, cuda, hip, args) unsigned(*field) args;
typedef struct Rtc {
    RTC_FUNCTIONS(RTC_FIELD)
} Rtc;
#undef RTC_FIELD

#define CUDA_ROW(field, cuda, hip, args) {#cuda, offsetof(Rtc, field), false},
#define HIP_ROW(field, cuda, hip, args) {#hip, offsetof(Rtc, field), false},
static const DlSymbol cuda_symbols[] = {RTC_FUNCTIONS(CUDA_ROW)}, hip_symbols[] = {RTC_FUNCTIONS(HIP_ROW)};
static const char *const titles[GPU_APIS] = {"NVRTC", "hipRTC"};

// hipRTC: up to ROCm 6 the functions are in HIP itself too; from 7 in a library of their own.
static void *open_rtc(GpuApi api, Rtc *r, Err *e) {
    static const char *const names[GPU_APIS][6] = {
        {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"},
        {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so", "libamdhip64.so.6",
         "libamdhip64.so.5"}};
    for (size_t i = 0; i < COUNT_OF(names[0]) && names[api][i] != NULL; i++) {
        Err why = {0};
        void *library = dl_open(names[api][i], &why);
        if (library != NULL &&
            dl_fill(library, api == GPU_CUDA ? cuda_symbols : hip_symbols, COUNT_OF(hip_symbols), r, &why))
            return library;
        dl_close(library);
    }
    err_set(e, ERR_FAILED, "%s (%s) is not here to compile it", titles[api],
            api == GPU_CUDA ? "libnvrtc.so" : "libhiprtc.so");
    return NULL;
}

// The first line of the compiler's log that says what is wrong.
static const char *first_line(const Rtc *r, RtcProgram program, Arena *a) {
    size_t n = 0;
    if (r->log_size(program, &n) != 0 || n == 0 || n > 1 << 20) return "no log";
    char *text = arena_alloc(a, n + 1, 1);
    if (r->log(program, text) != 0) return "no log";
    const char *at = strstr(text, "error");
    while (at != NULL && at > text && at[-1] != '\n') at--;
    return at != NULL ? arena_copy(a, at, strcspn(at, "\n")) : arena_copy(a, text, strcspn(text, "\n"));
}

static bool take_object(GpuApi api, const Rtc *r, RtcProgram program, Arena *a, Str *ret_object, Err *e) {
    size_t n = 0;
    if (r->code_size(program, &n) != 0 || n == 0 || n > 1 << 28)
        return err_set(e, ERR_FAILED, "%s gives no code", titles[api]);
    char *object = arena_alloc(a, n + 1, 1);
    if (r->code(program, object) != 0) return err_set(e, ERR_FAILED, "%s gives no code", titles[api]);
    *ret_object = (Str){object, n};
    return true;
}

bool rtc_compile(GpuApi api, const char *arch, Arena *a, Str *ret_object, Err *e) {
    Rtc r = {0};
    DeviceSource s;
    RtcProgram program = NULL;
    void *library = open_rtc(api, &r, e);
    if (library == NULL) return false;
    device_source(a, &s);
    const char *cuda[] = {arena_printf(a, "--gpu-architecture=%s", arch), "-std=c++17", "--fmad=false"};
    const char *hip[] = {arena_printf(a, "--offload-arch=%s", arch), "-std=c++17", "-O3",
                         "-ffp-contract=off"};
    unsigned error = r.create(&program, s.text, api == GPU_CUDA ? "kernels.cu" : "kernels.hip",
                              (int)s.n_includes, s.include_texts, s.include_names);
    if (error != 0) {
        dl_close(library);
        return err_set(e, ERR_FAILED, "%s: error %u", titles[api], error);
    }
    error = api == GPU_CUDA ? r.compile(program, (int)COUNT_OF(cuda), cuda)
                            : r.compile(program, (int)COUNT_OF(hip), hip);
    bool ok = error == 0 ? take_object(api, &r, program, a, ret_object, e)
                         : err_set(e, ERR_FAILED, "%s does not compile it: error %u: %s", titles[api], error,
                                   first_line(&r, program, a));
    r.destroy(&program);
    return ok;  // the library stays open: some of them crash when they are unloaded
}
