// Compiling the linked source at run time by hipRTC, for AMD targets that no linked object is for.
#include <stdio.h>
#include <string.h>

#include "kernels/dl.h"
#include "kernels/gpu.h"

#define RTC_FIELD(field, symbol, args) unsigned(*field) args;
typedef struct Rtc {
    HIPRTC_FUNCTIONS(RTC_FIELD)
} Rtc;
#undef RTC_FIELD

#define RTC_ROW(field, symbol, args) {#symbol, offsetof(Rtc, field), false},
static const DlSymbol rtc_symbols[] = {HIPRTC_FUNCTIONS(RTC_ROW)};

// Up to ROCm 6 the functions are in HIP itself too; from 7 in a library of their own.
static void *open_rtc(Rtc *r, Err *e) {
    static const char *const names[] = {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "libhiprtc.so", "libamdhip64.so.6", "libamdhip64.so.5"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        Err why = {0};
        void *library = dl_open(names[i], &why);
        if (library != NULL && dl_fill(library, rtc_symbols, COUNT_OF(rtc_symbols), r, &why)) return library;
        dl_close(library);
    }
    err_set(e, ERR_FAILED, "hipRTC (libhiprtc.so) is not here to compile it");
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

static bool take_object(const Rtc *r, RtcProgram program, Arena *a, Str *ret_object, Err *e) {
    size_t n = 0;
    if (r->code_size(program, &n) != 0 || n == 0 || n > 1 << 28) return err_set(e, ERR_FAILED, "hipRTC gives no code");
    char *object = arena_alloc(a, n + 1, 1);
    if (r->code(program, object) != 0) return err_set(e, ERR_FAILED, "hipRTC gives no code");
    *ret_object = (Str){object, n};
    return true;
}

bool rtc_compile(const char *gfx, Arena *a, Str *ret_object, Err *e) {
    Rtc r = {0};
    DeviceSource s;
    RtcProgram program = NULL;
    void *library = open_rtc(&r, e);
    if (library == NULL) return false;
    device_source(a, &s);
    const char *options[] = {arena_printf(a, "--offload-arch=%s", gfx), "-std=c++17", "-O3", "-ffp-contract=off"};
    unsigned error = r.create(&program, s.text, "kernels.hip", (int)s.n_includes, s.include_texts, s.include_names);
    if (error != 0) {
        dl_close(library);
        return err_set(e, ERR_FAILED, "hipRTC: error %u", error);
    }
    error = r.compile(program, (int)COUNT_OF(options), options);
    bool ok = error == 0 ? take_object(&r, program, a, ret_object, e)
                         : err_set(e, ERR_FAILED, "hipRTC does not compile it: error %u: %s", error, first_line(&r, program, a));
    r.destroy(&program);
    return ok;  // the library stays open: some of them crash when they are unloaded
}
