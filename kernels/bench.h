// Measuring a device: requests to a worker process, and what it answers.
//
// Level 4. Vendor libraries may crash, hang or abort: they are opened in the worker only, never in the
// program itself.
#ifndef GPUADVISE_BENCH_H
#define GPUADVISE_BENCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "kernels/kernels.h"
#include "kernels/tests.h"
#include "src/base/base.h"
#include "src/facts/bench.h"

// The one argument that makes the program a worker: requests on descriptor 0, answers on descriptor 3.
#define BENCH_WORKER_WORD "--bench-worker"

typedef struct BenchRequest {
    TestId test;
    bool ceiling;    // measure the vendor's library instead of our kernel
    size_t library;  // which of the CPU's (kernels/blas.h); a GPU has one
    bool quick;
    bool check_only;  // verify, time nothing
    double working_set_bytes;
    bool sized;   // the working set was asked for: a GPU's products fit it too
    size_t side;  // of a GPU's product; 0 = what fills it
    // what the test should take, checks included: its timing is cut to what is left of it; 0 = no matter
    double budget_s;
    // under load for so long, by the host's clock: checked at the size that is timed alone, no warm-up; 0 = no
    double hold_s;
    uint64_t seed;
    size_t from, to;  // of a pair in a group: which of its GPUs, or ranks
} BenchRequest;

// clang-format off
// Which device a worker is for.
#define BENCH_TARGET(X) \
    X(BenchTarget, TEXT, id)      /* "gpu0", as results name it */ \
    X(BenchTarget, TEXT, api)     /* cuda, hip */ \
    X(BenchTarget, TEXT, pci)     /* "0000:c1:00.0"; "" = the first of that vendor */ \
    X(BenchTarget, NUMBER, part)  /* 1..parts of what stands there */ \
    X(BenchTarget, NUMBER, parts) \
    X(BenchTarget, TEXT, gfx)     /* "gfx942"; "" = not known, or NVIDIA */
typedef struct BenchTarget {BENCH_TARGET(BENCH_MEMBER)} BenchTarget;
// clang-format on

enum { BENCH_GROUP_MAX = 64, BENCH_RANKS_MAX = 65536 };

// GPUs of one vendor that a worker opens together, 2 to BENCH_GROUP_MAX; or one, of a process that is a rank
// of several.
typedef struct BenchGroupTarget {
    const char *id;  // "8xnvidia"
    const BenchTarget *gpus;
    size_t n;
    size_t rank, ranks;  // 0, 0: all GPUs are of this process
} BenchGroupTarget;

// clang-format off
// What it found of them, in words.
#define BENCH_GROUP_ABOUT(X) \
    X(BenchGroupAbout, TEXT, library)  /* of the driver: "libcuda.so.1 of CUDA 12.4" */ \
    X(BenchGroupAbout, TEXT, path)     /* what joins them: "NVLink, GPU with 18 links" */ \
    /* "libnccl.so.2, NCCL 2.21.5"; which names were tried where there is none */ \
    X(BenchGroupAbout, TEXT, collectives)
typedef struct BenchGroupAbout {BENCH_GROUP_ABOUT(BENCH_MEMBER)} BenchGroupAbout;

// What a worker found when it opened its device. Unknown numbers are NaN, texts "".
#define BENCH_ABOUT(X) \
    X(BenchAbout, TEXT, name)        /* "NVIDIA H100 80GB HBM3" */ \
    X(BenchAbout, TEXT, arch)        /* "sm_90" */ \
    X(BenchAbout, TEXT, library)     /* "libcuda.so.1 of CUDA 12.4" */ \
    X(BenchAbout, TEXT, code)        /* what was loaded: "sm_80, PTX 7.0" */ \
    X(BenchAbout, TEXT, unread)      /* why there is no telemetry */ \
    X(BenchAbout, NUMBER, units) \
    X(BenchAbout, NUMBER, memory_bytes) \
    X(BenchAbout, NUMBER, free_bytes) \
    X(BenchAbout, NUMBER, cache_bytes) \
    X(BenchAbout, NUMBER, busy_pct)  /* before anything was started here; the next as well */ \
    X(BenchAbout, NUMBER, other_processes) \
    X(BenchAbout, NUMBER, power_limit_w) \
    X(BenchAbout, NUMBER, power_default_w) \
    X(BenchAbout, NUMBER, ecc_on) \
    X(BenchAbout, NUMBER, ecc_errors) \
    X(BenchAbout, NUMBER, link_width) \
    X(BenchAbout, NUMBER, link_width_max) \
    X(BenchAbout, TEXT, uuid) \
    X(BenchAbout, TEXT, vbios) \
    X(BenchAbout, TEXT, serial) \
    X(BenchAbout, NUMBER, ecc_corrected) \
    X(BenchAbout, NUMBER, rows_pending) \
    X(BenchAbout, FLAG, mig)
typedef struct BenchAbout {BENCH_ABOUT(BENCH_MEMBER)} BenchAbout;
// clang-format on

// max(4 x last-level cache, 512 MiB), at most 40 % of the memory that can be had. `quick`: without the 512
// MiB where the cache is known.
double bench_working_set(double cache_bytes, double available_bytes, bool quick);

// Verifies, then times one kernel on the CPU of this process. False when it could not be run (memory); a
// result that is wrong is an answer: verified false, `error` set, no speed. Text lives in the arena.
bool bench_cpu(const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e);

// A result with nothing measured.
BenchResult bench_blank(TestId test, const char *device);
// A device of which nothing but this is known.
BenchDevice bench_device_blank(const char *id, const char *vendor, const char *name);

// ---------------------------------------------------------------- statistics

// Of n values, which get sorted; NaN for none. `share` 0..1.
double bench_percentile(double *values, size_t n, double share);
// samples, median, p5 and p95; sorts `figures`
void bench_figures(BenchResult *r, double *figures, size_t n);

// ---------------------------------------------------------------- wire

// Keys as in the answer of `bench --json`. Reading refuses nothing: what is missing or of another kind is
// unknown.
void bench_result_json(const BenchResult *r, Json *object);
void bench_result_read(const Json *object, Arena *a, BenchResult *ret_result);
void bench_where_json(const BenchRun *run, Json *object);  // host, boot, --quick or not, job
void bench_where_read(const Json *object, Arena *a, BenchRun *run);
void bench_device_json(const BenchDevice *d, Json *object);
void bench_device_read(const Json *object, Arena *a, BenchDevice *ret_device);
void bench_about_json(const BenchAbout *about, Json *object);
void bench_about_read(const Json *object, Arena *a, BenchAbout *ret_about);
void bench_target_json(const BenchTarget *t, Json *object);
bool bench_target_read(const Json *object, Arena *a, BenchTarget *ret_target, Err *e);
void bench_group_json(const BenchGroupTarget *t, Json *object);
bool bench_group_read(const Json *object, Arena *a, BenchGroupTarget *ret_target, Err *e);
void bench_group_about_json(const BenchGroupAbout *about, Json *object);
void bench_group_about_read(const Json *object, Arena *a, BenchGroupAbout *ret_about);
void bench_request_json(const BenchRequest *r, Json *object);
bool bench_request_read(const Json *object, BenchRequest *ret_request, Err *e);

// A run as `bench export` writes it.
void bench_run_json(const BenchRun *run, Json *object);
// A run from a file of any origin: one of `bench export`, or an answer of `bench --json`. False, with what is
// wrong, unless times, devices, sizes, units and figures are those of tests this version knows; *ret_unknown
// results of other tests are left out. A record that was only begun (BENCH_STARTED) has no results. Text lives in the arena. `now`: seconds since 1970, UTC.
bool bench_run_read(const Json *object, int64_t now, Arena *a, BenchRun *ret_run, size_t *ret_unknown,
                    Err *e);

// A frame is "GAB1", four bytes of length (little-endian), that many bytes of JSON.
enum { FRAME_HEAD = 8, FRAME_BYTES_MAX = 1 << 20 };
void frame_put(Buf *out, const Json *json);
bool frame_length(const unsigned char head[FRAME_HEAD], size_t *ret_length, Err *e);

// ---------------------------------------------------------------- worker process

typedef struct BenchWorker {
    pid_t pid;  // 0: none
    int to, from;
    bool hung;  // the last one gave no answer in time
} BenchWorker;

// Starts this program again as a worker.
bool worker_start(BenchWorker *ret_worker, Err *e);
// Sends the request and waits for its answer. False, with the reason in words, when the worker died, gave no
// answer within `deadline_s` or nonsense, or *stop became non-zero; it is then gone and must be started
// again.
bool worker_ask(BenchWorker *w, const BenchRequest *r, double deadline_s, const volatile sig_atomic_t *stop,
                Arena *a, BenchResult *ret_result, Err *e);
// The two halves of worker_ask: several workers can be at work at once. False: it is gone, as there.
bool worker_tell(BenchWorker *w, const BenchRequest *r, Err *e);
bool worker_hear(BenchWorker *w, const BenchRequest *r, double deadline_s, const volatile sig_atomic_t *stop,
                 Arena *a, BenchResult *ret_result, Err *e);
// What the GPU's sensors say by now of its board: errors of its memory, limits. As worker_open answered else.
bool worker_look(BenchWorker *w, double deadline_s, const volatile sig_atomic_t *stop, Arena *a,
                 BenchAbout *ret_about, Err *e);
// Makes it a worker for that GPU, under the same rules. A worker that was given no GPU measures the CPU.
bool worker_open(BenchWorker *w, const BenchTarget *t, double deadline_s, const volatile sig_atomic_t *stop,
                 Arena *a, BenchAbout *ret_about, Err *e);
// Makes it a worker for several GPUs together, under the same rules.
bool worker_open_group(BenchWorker *w, const BenchGroupTarget *t, double deadline_s,
                       const volatile sig_atomic_t *stop, Arena *a, BenchGroupAbout *ret_about, Err *e);
// Of a rank's worker that was opened: an id for all ranks to join by; joins them, which waits for all.
bool worker_make_id(BenchWorker *w, double deadline_s, const volatile sig_atomic_t *stop, Arena *a,
                    const char **ret_id, Err *e);
bool worker_join(BenchWorker *w, const char *id, double deadline_s, const volatile sig_atomic_t *stop,
                 Arena *a, Err *e);
void worker_stop(BenchWorker *w);
// The other side: answers requests until its input ends. Gives an exit code.
int worker_main(int in, int out);

#endif
