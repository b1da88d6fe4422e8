// bench: measures and verifies this machine, one test at a time in a process of its own.
#include <signal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "catalog/facts/runs.h"
#include "cli/bench.h"
#include "cli/cmd.h"
#include "kernels/bench.h"
#include "kernels/blas.h"
#include "kernels/cpu.h"
#include "kernels/devices.h"
#include "kernels/measure.h"
#include "kernels/sysfs.h"

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) { interrupted = number; }

// ---------------------------------------------------------------- what to test, on what

typedef struct Plan {
    BenchPlan bench;
    BenchDevice cpu;
    bool on_cpu;
    const GpuDevice **gpus;  // of run->devices, one each, where not on the CPU
    const char *note;        // "" = none
} Plan;

static bool choose_tests(App *app, Plan *p, Err *e) {
    const char *names[TEST_COUNT];
    for (TestId i = 0; i < TEST_COUNT; i++) names[i] = test_name(i);
    p->bench.named = app->n_args > 0;
    if (p->bench.named && p->bench.soak_s > 0)
        return err_set(e, ERR_USAGE, "option '--minutes' has its own tests: name none beside it");
    for (TestId i = 0; i < TEST_COUNT; i++) p->bench.asked[i] = !p->bench.named && i != TEST_MEMORY;
    for (size_t i = 0; i < app->n_args; i++) {
        TestId test = 0;
        if (!test_find(app->args[i], &test)) return name_unknown(e, "test", app->args[i], names, TEST_COUNT);
        p->bench.asked[test] = true;
    }
    return true;
}

static void describe_cpu(App *app, Plan *p) {
    CpuFacts f;
    const char *root = getenv("GPUADVISE_SYSROOT");
    cpu_facts(root != NULL ? root : "", &f);
    double mib = 1048576,
           bytes = bench_working_set(f.cache_bytes, f.available_bytes, opt_flag(app, OPT_QUICK));
    if (opt_set(app, OPT_WORKING_SET)) bytes = opt_number(app, OPT_WORKING_SET, 0) * mib;
    p->bench.request.working_set_bytes = bytes;
    if (is_known(f.cache_bytes) && bytes < 4 * f.cache_bytes) {
        app_warn(app,
                 "a working set of %.0f MiB is under 4 x the last-level cache (%.1f MiB): these are figures "
                 "of the cache",
                 bytes / mib, f.cache_bytes / mib);
    }
    if (f.busy > 0.5) app_warn(app, "other programs are using this CPU: figures are of a shared machine");
    Cpu cpu;
    Err e = {0};
    const char *how = "";
    if (cpu_open(NULL, &cpu, &e)) {
        how = arena_printf(&app->arena, "%s, %s", cpu.ops->isa,
                           counted(&app->arena, (size_t)cpu.threads, "thread"));
        cpu_close(&cpu);
    }
    const char *cache = is_known(f.cache_bytes)
                            ? arena_printf(&app->arena, ", last-level cache %.1f MiB", f.cache_bytes / mib)
                            : "";
    p->cpu = bench_device_blank("cpu", "cpu", arena_printf(&app->arena, "%s", f.name));
    p->cpu.state = "tested";
    p->cpu.how = how;
    p->cpu.memory = arena_printf(&app->arena, "%.0f MiB%s", bytes / mib, cache);
}

// --device, or --gpu as typed here (a setting for other commands is not meant). Gives how many names there
// are.
static size_t named_devices(const App *app, const char *const **ret_names) {
    const OptionValue *v = opt_set(app, OPT_DEVICE) ? &app->values[OPT_DEVICE] : &app->values[OPT_GPU];
    *ret_names = v->texts;
    return v->level == LEVEL_FLAG ? v->n : 0;
}

static bool names_cpu(const App *app) {
    const char *const *names = NULL;
    return named_devices(app, &names) == 1 && text_same(names[0], "cpu");
}

static bool check_names(const App *app, Err *e) {
    const char *const *names = NULL;
    size_t n = named_devices(app, &names);
    for (size_t i = 0; n > 1 && i < n; i++) {
        if (text_same(names[i], "cpu"))
            return err_set(e, ERR_USAGE, "option '--device': the CPU is tested by itself, not beside GPUs");
    }
    return true;
}

static bool is_named(const BenchDevice *d, const char *name) {
    int64_t index = 0;
    if (parse_integer(str_of(name), 0, 100000, &index, NULL)) {
        char id[32];
        snprintf(id, sizeof id, "gpu%lld", (long long)index);
        return strcmp(d->id, id) == 0;
    }
    return text_same(d->id, name) || text_same(d->pci, name) || text_same(d->sku_id, name) ||
           (d->sku_id[0] != '\0' && strncmp(d->sku_id, name, strlen(name)) == 0);
}

// The devices that one of the names means, all without a name; a name that means none stands for itself, not
// tested.
static void take_named(App *app, Plan *p, const GpuDevice *gpus, const BenchDevice *devices, size_t n,
                       BenchRun *run) {
    const char *const *names = NULL;
    size_t n_names = named_devices(app, &names);
    bool *found = arena_alloc(&app->arena, n_names + 1, sizeof *found);
    for (size_t i = 0; i < n; i++) {
        bool named = n_names == 0;
        for (size_t k = 0; k < n_names; k++) {
            if (is_named(&devices[i], names[k])) named = found[k] = true;
        }
        if (!named) continue;
        p->gpus[run->n_devices] = &gpus[i];
        run->devices[run->n_devices++] = devices[i];
    }
    for (size_t k = 0; k < n_names; k++) {
        if (found[k]) continue;
        app_warn(app, "no GPU '%s' on this machine (%zu seen)", names[k], n);
        run->devices[run->n_devices] = bench_device_blank(names[k], "unknown", names[k]);
        run->devices[run->n_devices++].why = "no such device on this machine";
    }
}

// Which devices the answer names: the CPU where it is meant, the GPUs where they are. Sets p->on_cpu.
static void choose_devices(App *app, Plan *p, BenchRun *run) {
    const GpuDevice *gpus = NULL;
    BenchDevice *devices = NULL;
    const char *const *names = NULL;
    bool cpu_named = names_cpu(app);
    size_t n = cpu_named ? 0 : app_gpus(app, &gpus, &devices), n_names = named_devices(app, &names);
    // and a group of each vendor
    run->devices = arena_alloc(&app->arena, n + n_names + 3, sizeof *run->devices);
    p->gpus = arena_alloc(&app->arena, n + n_names + 1, sizeof *p->gpus);
    if (!cpu_named) take_named(app, p, gpus, devices, n, run);
    p->on_cpu = cpu_named || (n_names == 0 && n == 0);
    p->note = "";
    if (p->on_cpu) {
        describe_cpu(app, p);
        run->devices[run->n_devices++] = p->cpu;
        if (!cpu_named) p->note = "No GPU of NVIDIA or AMD is visible on this machine: the CPU was measured.";
    } else if (p->gpus[0] != NULL) {
        p->note =
            "The code for GPUs of this version was tested against stand-ins for the drivers only: it has run "
            "on no real GPU, see docs/gpu-results.md. `gpuadvise bench --device cpu` measures the CPU.";
    }
}

// ---------------------------------------------------------------- measuring

static bool ask(App *app, const Plan *p, BenchWorker *w, const BenchRequest *r, BenchResult *ret_result,
                Err *e) {
    if (w->pid == 0 && !worker_start(w, e)) return false;
    return worker_ask(w, r, p->bench.deadline_s, &interrupted, &app->arena, ret_result, e);
}

// The fastest library's figure beside ours. Each is asked by itself: the failure of one takes nothing away.
static void add_ceiling(App *app, const Plan *p, BenchWorker *w, BenchRequest r, BenchResult *own) {
    r.ceiling = true;
    for (r.library = 0; blas_name(r.library) != NULL && interrupted == 0; r.library++) {
        BenchResult library;
        Err e = {0};
        if (!ask(app, p, w, &r, &library, &e)) {
            if (interrupted == 0)
                app_warn(app, "%s: no figure of %s beside it: %s", own->test, blas_name(r.library), e.text);
            continue;
        }
        if (library.library[0] != '\0' && !library.verified)
            app_warn(app, "%s of %s: %s", own->test, library.library, library.error);
        if (!library.verified || own->library_ceiling >= library.library_ceiling) continue;
        own->library = library.library;
        own->library_ceiling = library.library_ceiling;
    }
}

// Why a CPU cannot run it; NULL: it can.
static const char *cpu_lacks(TestId test) {
    if (test_transfer(test) != NULL) return "a CPU has no memory of a device to copy to";
    if (test == TEST_MEMORY) return "patterns are for the memory of a GPU";
    if (test_is_start(test)) return "a CPU starts and ends a kernel in one call: see launch";
    if (test >= KERNEL_COUNT) return "a CPU has no other GPU beside it";
    return kernel_table[test].matrix_unit == MATRIX_WGMMA
               ? "it measures instructions of NVIDIA's Hopper: the same product without the ending is for all"
               : NULL;
}

static void measure_cpu(App *app, const Plan *p, BenchRun *run) {
    const double quick_s = 45;  // leaves a busy machine what a minute has more
    BenchWorker w = {0};
    double start = seconds_now();
    size_t left = 0;
    for (TestId i = 0; i < TEST_COUNT; i++) left += p->bench.asked[i] && cpu_lacks(i) == NULL;
    for (TestId i = 0; i < KERNEL_COUNT && interrupted == 0; i++) {
        if (!p->bench.asked[i] || cpu_lacks(i) != NULL) continue;
        Err e = {0};
        BenchRequest r = p->bench.request;
        BenchResult result;
        r.test = i;
        if (r.quick) r.budget_s = fmax(quick_s - (seconds_now() - start), 0.01) / (double)left--;
        app_step(app, run->n_results, kernel_table[i].name);
        bench_progress(app, arena_printf(&app->arena, "%s ...", kernel_table[i].name));
        bool ok = ask(app, p, &w, &r, &result, &e);
        if (!ok && interrupted != 0) break;
        if (!ok) result = bench_failed(app, r.test, "cpu", e.text);
        if (ok && result.verified && blas_has((KernelId)i) && !r.check_only)
            add_ceiling(app, p, &w, r, &result);
        run->results[run->n_results++] = result;
    }
    worker_stop(&w);
    for (TestId i = 0; i < TEST_COUNT; i++) {
        if (!p->bench.asked[i] || cpu_lacks(i) == NULL) continue;
        BenchResult none = bench_blank(i, "cpu");
        none.verdict = "not supported";
        none.error = cpu_lacks(i);
        run->results[run->n_results++] = none;
    }
}

static void measure_gpus(App *app, Plan *p, BenchRun *run) {
    size_t n = 0, n_devices = run->n_devices;
    const char *const *names = NULL;
    BenchMember *members = arena_alloc(&app->arena, n_devices, sizeof *members);
    if (p->bench.soak_s > 0) n = bench_soak(app, &p->bench, p->gpus, run, members);
    for (size_t i = 0; i < n_devices && interrupted == 0 && p->bench.soak_s <= 0; i++) {
        if (p->gpus[i] != NULL)
            n += bench_gpu_run(app, &p->bench, p->gpus[i], &run->devices[i], run, &members[n]);
    }
    if (named_devices(app, &names) == 0) bench_allocation(app, p->gpus, members, n, run);
    if (p->bench.soak_s > 0) return;
    const char *between = bench_groups_run(app, &p->bench, members, n, run);
    if (between[0] != '\0') p->note = arena_printf(&app->arena, "%s %s", between, p->note);
}

static void measure(App *app, Plan *p, BenchRun *run) {
    size_t alone = 0;
    for (TestId i = 0; i < TEST_GROUP; i++) alone += p->bench.asked[i];
    app->steps = alone * run->n_devices + bench_groups_steps(&p->bench, run->n_devices);
    run->results =
        arena_alloc(&app->arena, TEST_COUNT * (run->n_devices + 1) + bench_groups_room(run->n_devices),
                    sizeof *run->results);
    if (p->on_cpu) {
        measure_cpu(app, p, run);
    } else {
        measure_gpus(app, p, run);
    }
    bench_progress(app, "");
}

static void measure_until_interrupted(App *app, Plan *p, BenchRun *run) {
    struct sigaction act = {0}, before_int, before_term;
    act.sa_handler = on_interrupt;
    sigaction(SIGINT, &act, &before_int);
    sigaction(SIGTERM, &act, &before_term);
    measure(app, p, run);
    run->complete = interrupted == 0;
    sigaction(SIGINT, &before_int, NULL);
    sigaction(SIGTERM, &before_term, NULL);
}

// ---------------------------------------------------------------- the run

// False, with a warning, where the run is lost but for the answer.
static bool keep(App *app, BenchRun *run) {
    Catalog *c = NULL;
    Err e = {0};
    bool ok = run->n_results == 0 || (app_kept(app, &c, &e) && runs_add(c, run, &run->id, &e));
    if (!ok) app_warn(app, "%s", e.text);
    return ok;
}

// 5: a device that could not be tested although this job has it, or that says itself that it is faulty, or a
// result that is wrong or missing. A test that the GPU has no unit for is neither, nor is one of several GPUs
// where there is one.
// What is wrong with the hardware, told as the reason for the exit code.
static int unfit(App *app, const char *who, const char *why) {
    app_warn(app, "exit code 5: %s: %s", who, why[0] != '\0' ? why : "not fit, and nothing says why");
    return EXIT_HARDWARE;
}

static int exit_code(App *app, const BenchRun *run) {
    size_t verified = 0, alone = 0;
    bool faulty = bench_is_faulty(app, run);
    if (!run->complete) return EXIT_INTERRUPTED;
    if (faulty) return EXIT_HARDWARE;
    for (size_t i = 0; i < run->n_devices; i++) {
        bool fine = strcmp(run->devices[i].state, "tested") == 0 ||
                    strcmp(run->devices[i].state, BENCH_NOT_ALLOCATED) == 0;
        if (!fine)
            return unfit(app, run->devices[i].id,
                         arena_printf(&app->arena, "%s: %s", run->devices[i].state, run->devices[i].why));
    }
    for (size_t i = 0; i < run->n_results; i++) {
        verified += run->results[i].verified;
        alone += bench_is_alone(&run->results[i]);
        const BenchResult *r = &run->results[i];
        if (!r->verified && strcmp(r->verdict, "not supported") != 0)
            return unfit(app, arena_printf(&app->arena, "%s on %s", r->test, r->device),
                         r->error[0] != '\0' ? r->error : r->verdict);
    }
    return verified + alone > 0 ? EXIT_DONE : unfit(app, "no test", "none could be run here");
}

// What would fail after minutes of measuring fails before: a file to compare with that is none, a run that
// could not be kept, an answer that cannot be written.
static bool ready(App *app, OptionId with, BenchSide *ret_before, Err *e) {
    Catalog *c = NULL;
    if (opt_set(app, with) && !bench_side_read(app, opt_text(app, with, ""), ret_before, e))
        return err_wrap(e, "option '--%s'", option_table[with].name);
    if (with == OPT_BASELINE && !app_kept(app, &c, e)) return false;
    FileOut probe;
    struct stat st;
    const char *path = opt_text(app, OPT_OUTPUT, "-");
    // a reader at a pipe would take the probe for the end
    if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
        return true;
    if (!file_out_open(path, &probe, e)) return false;
    file_out_drop(&probe);
    return true;
}

static BenchRun new_run(App *app) {
    struct utsname u;
    char time[32];
    format_time(time, app->now);
    bool known = uname(&u) == 0;
    const char *root = getenv("GPUADVISE_SYSROOT");
    BenchRun run = {
        .host = known ? text_clean(&app->arena, u.nodename) : "",
        .quick = opt_flag(app, OPT_QUICK),
        .boot_id = text_clean(&app->arena, sysfs_text(&app->arena, "%s/proc/sys/kernel/random/boot_id",
                                                      root != NULL ? root : "")),
        .taken_at = arena_printf(&app->arena, "%s", time),
        .tool_version = tool_version(),
        .options = app->command_line,
        .complete = true,
        .origin = "",
        .device_names = "",
        .system = known ? arena_printf(&app->arena, "%s %s %s", u.sysname, u.release, u.machine) : "unknown"};
    bench_job(app, &run);
    return run;
}

// Of a process among many: launchers end a whole job when one of its processes says that it failed, so what
// was found stands in the record alone, for `bench fleet`, and so does the run.
static int recorded(App *app, const char *path, const BenchRun *run, const char *note) {
    Err e = {0};
    if (!bench_record_end(app, path, run, note, &e)) return app_fail(app, &e);
    return run->complete ? EXIT_DONE : EXIT_INTERRUPTED;
}

// --record leaves what one process among many found for `bench fleet`: nothing is decided here.
static bool check_record(const App *app, bool verify, Err *e) {
    static const OptionId gates[] = {OPT_BASELINE, OPT_FAIL_IF, OPT_REFERENCE};
    if (opt_set(app, OPT_JOIN) && (verify || opt_set(app, OPT_RECORD)))
        return err_set(e, ERR_USAGE,
                       "option '--join' measures all processes together, which no record keeps");
    for (size_t i = 0; i < COUNT_OF(gates) && opt_set(app, OPT_RECORD); i++) {
        if (opt_set(app, gates[i]))
            return err_set(e, ERR_USAGE,
                           "option '--%s' decides, and with '--record' that is for `bench fleet`",
                           option_table[gates[i]].name);
    }
    return !verify || !opt_set(app, OPT_RECORD) ||
           err_set(e, ERR_USAGE, "`bench verify` measures nothing that '--record' could keep");
}

// `verify`: only checked, against another machine's bits, and not kept.
static int measure_machine(App *app, bool verify) {
    Err e = {0};
    if (verify && !opt_set(app, OPT_REFERENCE))
        return app_refuse(app, "option '--reference' is needed: the other machine's answer, written by "
                               "`gpuadvise bench --json`");
    Plan p = {.bench = {.request = {.quick = opt_flag(app, OPT_QUICK),
                                    .check_only = verify,
                                    .seed = (uint64_t)opt_integer(app, OPT_SEED, 1)},
                        .shared = opt_flag(app, OPT_SHARED),
                        .working_set_given = opt_set(app, OPT_WORKING_SET),
                        .stop = &interrupted}};
    p.bench.soak_s = 60 * opt_number(app, OPT_MINUTES, 0);
    p.bench.deadline_s = opt_number(app, OPT_DEADLINE, p.bench.request.quick ? 60 : 180);
    p.bench.request.working_set_bytes = opt_number(app, OPT_WORKING_SET, 0) * 1048576;
    BenchSide before = {0};
    if (!check_record(app, verify, &e) || !check_names(app, &e) || !choose_tests(app, &p, &e) ||
        !ready(app, verify ? OPT_REFERENCE : OPT_BASELINE, &before, &e))
        return app_fail(app, &e);
    BenchRun run = new_run(app);
    choose_devices(app, &p, &run);
    if (p.on_cpu && p.bench.soak_s > 0)
        return app_refuse(app, "option '--minutes' loads GPUs: none of NVIDIA or AMD is visible or named");
    for (TestId i = 0; i < TEST_COUNT; i++) {
        if (verify && i >= KERNEL_COUNT) p.bench.asked[i] = false;  // copies have no bits of their own
        if (p.on_cpu && app->n_args == 0 && cpu_lacks(i) != NULL) p.bench.asked[i] = false;
    }
    if (opt_set(app, OPT_JOIN)) return bench_join(app, &p.bench, &run, p.gpus);
    const char *record = NULL;
    if (opt_set(app, OPT_RECORD) && !bench_record_begin(app, &run, &record, &e)) return app_fail(app, &e);
    measure_until_interrupted(app, &p, &run);
    if (!run.complete) app_warn(app, "interrupted: %s done", counted(&app->arena, run.n_results, "test"));
    int code = exit_code(app, &run);
    if (verify) return bench_verify_run(app, &run, &before, code);
    if (record != NULL) return recorded(app, record, &run, p.note);
    bool kept = keep(app, &run);
    bool gate = bench_gates_fail(app, &run),
         slower = before.name != NULL && bench_is_slower(app, &run, &before);
    bench_answer(app, &run, p.note);
    if (!kept && code != EXIT_INTERRUPTED) return EXIT_FAILED;
    return code == EXIT_DONE && (gate || slower) ? EXIT_GATE : code;
}

static int measure_alone(App *app) { return measure_machine(app, false); }
static int verify(App *app) { return measure_machine(app, true); }

static bool allows(const App *app, Err *e) {
    bool of_fleet = app->format == FORMAT_HTML || app->format == FORMAT_SLURM || app->format == FORMAT_K8S;
    return !of_fleet || app->verb->run == bench_fleet ||
           err_set(e, ERR_USAGE, "format '%s' is of `gpuadvise bench fleet` alone",
                   format_names[app->format]);
}

enum { FILES_MAX = 1000, RECORDS_MAX = 100000 };
OPTIONS(OPT_QUICK, OPT_DEVICE, OPT_GPU, OPT_WORKING_SET, OPT_DEADLINE, OPT_SEED, OPT_BASELINE, OPT_SHARED,
        OPT_FAIL_IF, OPT_REFERENCE, OPT_MINUTES, OPT_PROGRESS, OPT_WHERE, OPT_SORT, OPT_RECORD, OPT_EXPECT,
        OPT_KEEP, OPT_JOIN);
static const Verb verbs[] = {
    {"", "[TEST...]", 0, TEST_COUNT, false, NULL, options, measure_alone},
    {"list", "", 0, 0, false, "the tests", ROW_OPTIONS, bench_list},
    {"runs", "[ID]", 0, 1, false, "runs that are kept, or one of them", ROW_OPTIONS, bench_runs},
    {"compare", "A B", 2, 2, false, "two runs, by id or file", NO_OPTIONS, bench_compare},
    {"verify", "[TEST...]", 0, TEST_COUNT, false,
     "the checks alone, and bits against those of another machine",
     TAKES(OPT_QUICK, OPT_DEVICE, OPT_GPU, OPT_REFERENCE, OPT_DEADLINE, OPT_SEED, OPT_SHARED, OPT_PROGRESS),
     verify},
    {"export", "[ID...]", 0, FILES_MAX, true, "write runs that are kept", NO_OPTIONS, bench_export},
    {"import", "FILE...", 1, FILES_MAX, true, "take in runs of other machines", NO_OPTIONS, bench_import},
    {"fleet", "DIR|FILE...", 1, RECORDS_MAX, false,
     "records of many nodes (--record) judged together: stragglers, faulty, missing",
     TAKES(OPT_EXPECT, OPT_KEEP, OPT_FAIL_IF, OPT_WHERE, OPT_SORT), bench_fleet}};

COMMAND(
    bench, "bench", FORMATS_LISTING | 1u << FORMAT_HTML | 1u << FORMAT_SLURM | 1u << FORMAT_K8S,
    .allows = allows, .summary = "measure and verify this machine",
    .description =
        "Every kernel is held against a double-precision reference before its speed is shown. GPUs are "
        "tested through their vendors' drivers, opened at run time; without a GPU the CPU is measured. A GPU "
        "that is present or named and cannot be tested is listed with the reason, exit code 5; so are wrong "
        "results, and memory with uncorrected errors. GPUs that this job was not given (cgroup, "
        "*_VISIBLE_DEVICES, MIG) are no fault. GPUs of one vendor are then tested together: copies of each "
        "pair, sums over all of them by NCCL or RCCL and by our own ring. With --minutes all GPUs are under "
        "load at once instead: patterns in nearly all of their memory, matrix products and bandwidth in "
        "turn, every output compared, sensors and memory errors read beside; Ctrl-C ends it with what was "
        "found. The code for GPUs has been tested against stand-ins for the drivers only, on no real GPU so "
        "far. Runs are kept: `bench runs` lists them, `bench compare A B` takes their ids or files written "
        "by `bench --json`. `bench verify --reference FILE` runs the checks alone and compares the bits of "
        "fixed problems with those another machine wrote: exit code 4 when they disagree, 3 when nothing can "
        "be compared. `bench export -o FILE` writes runs kept here, `bench import FILE` takes those of other "
        "machines (or answers of `bench --json`) in: estimates then rest on the newest of their GPU. `bench "
        "--record DIR`, started on every node by srun, mpirun or an indexed Job of Kubernetes, leaves a file "
        "of each in DIR; its exit code says only whether that was written. `bench fleet DIR` compares them: "
        "exit code 4 when a node is slow, throttled or differs, or all are slow, 5 when one is faulty, "
        "unfinished, unreadable or missing; --format slurm and k8s print what takes nodes out of use.");
