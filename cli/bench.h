// What the files of `gpuadvise bench` share.
#ifndef GPUADVISE_CLI_BENCH_H
#define GPUADVISE_CLI_BENCH_H

#include "cli/cli.h"
#include "kernels/bench.h"
#include "kernels/devices.h"
#include "kernels/verdict.h"
#include "src/facts/bench.h"
#include "src/fleet/fleet.h"
#include "src/report/bench_compare.h"

// What is asked of the devices.
typedef struct BenchPlan {
    bool asked[TEST_COUNT];
    BenchRequest request;  // but for the test; a GPU's working set is its own, unless one was given
    bool working_set_given, shared;
    bool named;  // the tests were named: each is answered, if only by why not
    double deadline_s;
    double soak_s;  // all GPUs under load for so long; 0: each test in its turn
    const volatile sig_atomic_t *stop;
} BenchPlan;

// ---- cmd_bench.c

void bench_progress(const App *app, const char *text);
BenchResult bench_failed(App *app, TestId test, const char *device, const char *why);

// A GPU that was tested, and may be tested together with others.
typedef struct BenchMember {
    const GpuDevice *gpu;
    const BenchDevice *device;
    BenchAbout about;
    VerdictBasis basis;
    double working_set_bytes;
} BenchMember;

// ---- bench_job.c

// The job and the environment of this process into `run`.
void bench_job(App *app, BenchRun *run);

// ---- bench_record.c

// Leaves a stub in the folder of --record, before anything is measured; marks `run` as one that is recorded.
bool bench_record_begin(App *app, BenchRun *run, const char **ret_path, Err *e);
// Puts the run in its place, and answers.
bool bench_record_end(App *app, const char *path, const BenchRun *run, const char *note, Err *e);

// ---- bench_gpu.c

// Opens the GPU in a worker. False: `d` says why it is not tested, and no worker is left.
bool bench_gpu_open(App *app, const GpuDevice *g, BenchDevice *d, double deadline_s,
                    const volatile sig_atomic_t *stop, BenchWorker *w, BenchAbout *ret_about);
// A GPU that is open and may be tested.
typedef struct GpuBench {
    App *app;
    const BenchPlan *plan;
    const GpuDevice *gpu;
    BenchDevice *device;
    BenchWorker worker;
    BenchAbout about;
    BenchRequest request;
    VerdictBasis basis;
} GpuBench;
// Opens it, and looks whether it is in use. False: `d` says why it is not tested; the worker may be left.
bool bench_gpu_begin(App *app, const BenchPlan *p, const GpuDevice *g, BenchDevice *d, GpuBench *ret_bench);
// Opens it and says in `d` what came of it: for doctor.
void bench_gpu_look(App *app, const GpuDevice *g, BenchDevice *d);
BenchTarget bench_target(App *app, const GpuDevice *g, const BenchDevice *d);
// Tests it: results go to `run`, which has room; what becomes of the device into `d`. False: it is of no use
// in a group.
bool bench_gpu_run(App *app, const BenchPlan *p, const GpuDevice *g, BenchDevice *d, BenchRun *run,
                   BenchMember *ret_member);

// ---- bench_soak.c

// All GPUs of `gpus` (of the run's devices, NULL: none) under load together until p->soak_s are over: results, one
// a GPU and test, go to `run`, which has room for four a device, and run->soak. Those that were loaded go to
// `members`; gives how many.
size_t bench_soak(App *app, const BenchPlan *p, const GpuDevice *const *gpus, BenchRun *run,
                  BenchMember *members);

// ---- bench_gate.c

// GPUs that could not be tested since this job was not given them (`gpus`: of the run's devices; `members`:
// that were tested) are told from faulty ones.
void bench_allocation(App *app, const GpuDevice *const *gpus, const BenchMember *members, size_t n,
                      BenchRun *run);
// Does a GPU say itself that it should be taken out of use? Warns.
bool bench_is_faulty(App *app, const BenchRun *run);
// Does a gate of --fail-if fail? Warns.
bool bench_gates_fail(App *app, const BenchRun *run);

// ---- bench_peer.c: GPUs of one vendor together

// How many tests `n` GPUs of one vendor are given together; how many results there can be whoever they are.
size_t bench_groups_steps(const BenchPlan *p, size_t n);
size_t bench_groups_room(size_t n);
// Tests them: results and a device a group go to `run`, which has room. Gives what there is to say; "" =
// nothing.
const char *bench_groups_run(App *app, const BenchPlan *p, const BenchMember *members, size_t n,
                             BenchRun *run);
bool bench_is_pair(const BenchResult *r);
// A test of several GPUs where there is one.
bool bench_is_alone(const BenchResult *r);
// Copies of all pairs as matrices. False: nothing is written, since there are none, or they are too many for
// the width.
bool bench_pairs_text(const Writer *w, const BenchRun *run);

// ---- bench_out.c: answers

// A run with everything measured. `run->id` 0: it was not kept.
void bench_answer(App *app, const BenchRun *run, const char *note);
// The same as JSON, whatever the format.
void bench_answer_print(App *app, const BenchRun *run, const char *note, Buf *out);
void bench_devices_json(const BenchDevice *devices, size_t n, Json *root);  // adds "devices"
void bench_results_json(const BenchResult *results, size_t n, Json *root);  // adds "results"
// `bench list`, `bench runs`.
int bench_list(App *app);
int bench_runs(App *app);

// ---- bench_roofline.c: of each device that has a stream and a product among its results; nothing of others

void bench_roofline_text(App *app, const BenchRun *run);
void bench_roofline_json(App *app, const BenchRun *run, Json *root);  // adds "rooflines"

// ---- bench_files.c

// `bench export [ID...]`: JSON. `bench import FILE...`: each run new, unchanged or rejected with the reason;
// exit code 1 when one was.
int bench_export(App *app);
int bench_import(App *app);

// ---- bench_join.c

// `bench --join FILE`: sums over one GPU of each process of the job that `run` is a part of, and copies in
// pairs. `gpus`: of the run's devices. Exit code 4 when a rank is slow, 5 when one is wrong.
int bench_join(App *app, const BenchPlan *plan, const BenchRun *run, const GpuDevice *const *gpus);

// ---- bench_fleet.c

// `bench fleet DIR|FILE...`: judges the records of --record. Exit code 5 when a node is faulty, unfinished,
// unreadable or missing; 4 when one is slow, throttled or differs, or a median is below known good.
int bench_fleet(App *app);
// Into `f`, in the order of the paths: records, or what cannot be read and why. `now`: seconds since 1970, UTC.
void bench_fleet_read(const char *const *paths, size_t n, int64_t now, Fleet *f);

// ---- bench_compare.c

bool bench_side_read(App *app, const char *name, BenchSide *ret_side, Err *e);

int bench_compare(App *app);
// A gate: is a test of `run` slower than before, ranges apart? Says which.
bool bench_is_slower(App *app, const BenchRun *run, const BenchSide *before);

// ---- bench_verify.c

// The bits of `run` against those of the reference. `code`: of the run itself. Gives the exit code: 4 when
// they disagree, 3 when nothing can be compared.
int bench_verify_run(App *app, const BenchRun *run, const BenchSide *reference, int code);

#endif
