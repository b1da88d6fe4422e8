// The worker process: this program started again, so that a crash, an abort or a hang of a driver stays its
// own.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#define DIE_WITH_PARENT() prctl(PR_SET_PDEATHSIG, SIGKILL)
#else
#define DIE_WITH_PARENT() 0  // a worker then ends when its pipe does
#endif

#include "kernels/bench.h"
#include "kernels/gpu_measure.h"
#include "kernels/peer.h"

enum {
    ANSWER_FD = 3,
    ABOVE_STANDARD = 10,
    EXEC_FAILED = 127,
    VALUES_MAX = 1000
};  // 127: what loaders and shells say too, never a worker

static const char own_program[] = "/proc/self/exe";

// ---------------------------------------------------------------- starting and ending

// A pipe away from the standard descriptors, closed by exec.
static bool open_pipe(int ends[2], Err *e) {
    int raw[2];
    if (pipe(raw) != 0) return err_set(e, ERR_FAILED, "pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, ABOVE_STANDARD);
        close(raw[i]);
    }
    if (ends[0] >= 0 && ends[1] >= 0) return true;
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
    return err_set(e, ERR_FAILED, "pipe: %s", strerror(errno));
}

// In the child: what libraries print belongs to nobody.
static void become_worker(int requests, int answers) {
    char name[] = "gpuadvise", word[] = BENCH_WORKER_WORD;
    char *arguments[] = {name, word, NULL};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    (void)DIE_WITH_PARENT();
    int nowhere = open("/dev/null", O_WRONLY);
    if (dup2(requests, STDIN_FILENO) < 0 || dup2(answers, ANSWER_FD) < 0 ||
        dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        return;
    execv(own_program, arguments);
}

bool worker_start(BenchWorker *ret_worker, Err *e) {
    int requests[2], answers[2];
    if (!open_pipe(requests, e)) return false;
    if (!open_pipe(answers, e)) {
        close(requests[0]), close(requests[1]);
        return false;
    }
    pid_t pid = fork();
    if (pid == 0) {
        become_worker(requests[0], answers[1]);
        _exit(EXEC_FAILED);  // nothing of the parent's may be flushed here
    }
    close(requests[0]), close(answers[1]);
    if (pid < 0) {
        close(requests[1]), close(answers[0]);
        return err_set(e, ERR_FAILED, "start a worker: %s", strerror(errno));
    }
    *ret_worker = (BenchWorker){.pid = pid, .to = requests[1], .from = answers[0]};
    return true;
}

// Closes, kills when told, waits. The status of waitpid.
static int end_worker(BenchWorker *w, bool at_once) {
    int status = 0;
    if (w->pid == 0) return 0;
    close(w->to), close(w->from);
    if (at_once) kill(w->pid, SIGKILL);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) continue;
    *w = (BenchWorker){0};
    return status;
}

void worker_stop(BenchWorker *w) { end_worker(w, true); }

static bool died(BenchWorker *w, Err *e) {
    int status = end_worker(w, false);
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXEC_FAILED) {
        return err_set(e, ERR_FAILED,
                       "the worker, which is this program once more, could not be started: can '%s' be "
                       "executed here (is /proc mounted)?",
                       own_program);
    }
    if (!WIFSIGNALED(status))
        return err_set(e, ERR_FAILED, "the worker ended with exit code %d", WEXITSTATUS(status));
    int number = WTERMSIG(status);
    const char *hint = number == SIGKILL ? ", perhaps for want of memory" : "";
    return err_set(e, ERR_FAILED, "the worker was ended by signal %d (%s%s)", number, strsignal(number),
                   hint);
}

// ---------------------------------------------------------------- talking

// Reads `n` bytes before the deadline. An end of input is the worker's end.
static bool take(BenchWorker *w, unsigned char *out, size_t n, double until,
                 const volatile sig_atomic_t *stop, Err *e) {
    enum { TICK_MS = 100 };  // a signal may come just before poll
    while (n > 0) {
        double left = until - seconds_now();
        if (*stop != 0 || left <= 0) {
            end_worker(w, true);
            w->hung = *stop == 0;
            return *stop != 0
                       ? err_set(e, ERR_FAILED, "interrupted")
                       : err_set(e, ERR_FAILED, "no answer before the deadline: the worker was stopped");
        }
        struct pollfd p = {.fd = w->from, .events = POLLIN};
        int ready = poll(&p, 1, left * 1000 < TICK_MS ? (int)(left * 1000) + 1 : TICK_MS);
        if (ready <= 0) continue;
        ssize_t got = read(w->from, out, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return died(w, e);
        out += got;
        n -= (size_t)got;
    }
    return true;
}

static bool put_all(int fd, const char *bytes, size_t n) {
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        n -= (size_t)done;
    }
    return true;
}

// Sends what is in `json` and frees it.
static bool send_request(BenchWorker *w, Json *json, Err *e) {
    Buf frame;
    buf_init(&frame, FRAME_BYTES_MAX);
    frame_put(&frame, json);
    bool ok = put_all(w->to, frame.data, frame.length);
    buf_free(&frame);
    json_free(json);
    return ok || died(w, e);
}

static bool receive_answer(BenchWorker *w, double deadline_s, const volatile sig_atomic_t *stop, Arena *a,
                           Json **ret_answer, Err *e) {
    double until = seconds_now() + deadline_s;
    unsigned char head[FRAME_HEAD];
    size_t length = 0;
    if (!take(w, head, sizeof head, until, stop, e)) return false;
    if (!frame_length(head, &length, e)) {
        end_worker(w, true);
        return false;
    }
    unsigned char *text = arena_alloc(a, length, 1);
    return take(w, text, length, until, stop, e) &&
           json_parse((Str){(const char *)text, length}, VALUES_MAX, ret_answer, e);
}

static bool exchange(BenchWorker *w, Json *json, double deadline_s, const volatile sig_atomic_t *stop,
                     Arena *a, Json **ret_answer, Err *e) {
    return send_request(w, json, e) && receive_answer(w, deadline_s, stop, a, ret_answer, e);
}

// An answer is {"result": {...}}, {"about": {...}} or {"failure": "..."}.
static bool answer_of(const Json *json, const char *key, const Json **ret_object, Err *e) {
    const char *failure = json_text(json_get(json, "failure"));
    if (failure != NULL) return err_set(e, ERR_FAILED, "%s", failure);
    *ret_object = json_get(json, key);
    return json_is_object(*ret_object) || err_set(e, ERR_FAILED, "the worker's answer has no %s", key);
}

bool worker_tell(BenchWorker *w, const BenchRequest *r, Err *e) {
    Json *request = json_object();
    bench_request_json(r, request);
    return send_request(w, request, e);
}

bool worker_hear(BenchWorker *w, const BenchRequest *r, double deadline_s, const volatile sig_atomic_t *stop,
                 Arena *a, BenchResult *ret_result, Err *e) {
    Json *json = NULL;
    const Json *object = NULL;
    bool ok = receive_answer(w, deadline_s, stop, a, &json, e) && answer_of(json, "result", &object, e);
    if (ok) bench_result_read(object, a, ret_result);
    if (ok && strcmp(ret_result->test, test_name(r->test)) != 0)
        ok = err_set(e, ERR_FAILED, "the worker answered for another test");
    json_free(json);
    return ok;
}

bool worker_ask(BenchWorker *w, const BenchRequest *r, double deadline_s, const volatile sig_atomic_t *stop,
                Arena *a, BenchResult *ret_result, Err *e) {
    return worker_tell(w, r, e) && worker_hear(w, r, deadline_s, stop, a, ret_result, e);
}

// Sends `request`, frees it, and reads what it answers of its GPU.
static bool ask_about(BenchWorker *w, Json *request, double deadline_s, const volatile sig_atomic_t *stop,
                      Arena *a, BenchAbout *ret_about, Err *e) {
    Json *json = NULL;
    const Json *object = NULL;
    bool ok = exchange(w, request, deadline_s, stop, a, &json, e) && answer_of(json, "about", &object, e);
    if (ok) bench_about_read(object, a, ret_about);
    json_free(json);
    return ok;
}

bool worker_look(BenchWorker *w, double deadline_s, const volatile sig_atomic_t *stop, Arena *a,
                 BenchAbout *ret_about, Err *e) {
    Json *request = json_object();
    json_add_bool(request, "look", true);
    return ask_about(w, request, deadline_s, stop, a, ret_about, e);
}

bool worker_open(BenchWorker *w, const BenchTarget *t, double deadline_s, const volatile sig_atomic_t *stop,
                 Arena *a, BenchAbout *ret_about, Err *e) {
    Json *request = json_object();
    bench_target_json(t, json_add_object(request, "open"));
    return ask_about(w, request, deadline_s, stop, a, ret_about, e);
}

bool worker_open_group(BenchWorker *w, const BenchGroupTarget *t, double deadline_s,
                       const volatile sig_atomic_t *stop, Arena *a, BenchGroupAbout *ret_about, Err *e) {
    Json *request = json_object(), *json = NULL;
    const Json *object = NULL;
    bench_group_json(t, json_add_object(request, "open_group"));
    bool ok = exchange(w, request, deadline_s, stop, a, &json, e) && answer_of(json, "group", &object, e);
    if (ok) bench_group_about_read(object, a, ret_about);
    json_free(json);
    return ok;
}

bool worker_make_id(BenchWorker *w, double deadline_s, const volatile sig_atomic_t *stop, Arena *a,
                    const char **ret_id, Err *e) {
    Json *request = json_object(), *json = NULL;
    const Json *object = NULL;
    json_add_object(request, "make_id");
    bool ok = exchange(w, request, deadline_s, stop, a, &json, e) && answer_of(json, "made", &object, e);
    const char *id = ok ? json_text(json_get(object, "id")) : NULL;
    if (ok && id == NULL) ok = err_set(e, ERR_FAILED, "the worker's answer has no id");
    if (ok) *ret_id = text_clean(a, id);
    json_free(json);
    return ok;
}

bool worker_join(BenchWorker *w, const char *id, double deadline_s, const volatile sig_atomic_t *stop,
                 Arena *a, Err *e) {
    Json *request = json_object(), *json = NULL;
    const Json *object = NULL;
    json_add_text(json_add_object(request, "join"), "id", id);
    bool ok = exchange(w, request, deadline_s, stop, a, &json, e) && answer_of(json, "joined", &object, e);
    json_free(json);
    return ok;
}

// ---------------------------------------------------------------- the worker's side

static bool take_all(int fd, void *out, size_t n) {
    unsigned char *to = out;
    while (n > 0) {
        ssize_t got = read(fd, to, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got;
        n -= (size_t)got;
    }
    return true;
}

typedef struct Side {
    Arena arena;  // of the worker's life
    GpuSession gpu;
    PeerGroup group;
    bool on_gpu, on_group;  // one of them, or the CPU
    BenchAbout about;       // of the GPU, when it was opened
} Side;

static bool open_group(Side *side, const Json *target, Json *answer, Err *e) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    BenchGroupTarget t;
    BenchGroupAbout about;
    if (side->on_gpu || side->on_group)
        return err_set(e, ERR_FAILED, "request: this worker has a device already");
    if (!bench_group_read(target, &side->arena, &t, e)) return false;
    side->on_group = peer_open(&t, root != NULL ? root : "", &side->arena, &side->group, &about, e);
    if (side->on_group) bench_group_about_json(&about, json_add_object(answer, "group"));
    return side->on_group;
}

static bool open_device(Side *side, const Json *target, Json *answer, Err *e) {
    const char *root = getenv("GPUADVISE_SYSROOT");
    BenchTarget t;
    if (side->on_gpu || side->on_group)
        return err_set(e, ERR_FAILED, "request: this worker has a device already");
    if (!bench_target_read(target, &side->arena, &t, e)) return false;
    side->on_gpu = gpu_session_open(&t, root != NULL ? root : "", &side->arena, &side->gpu, &side->about, e);
    if (side->on_gpu) bench_about_json(&side->about, json_add_object(answer, "about"));
    return side->on_gpu;
}

static bool look_at_device(const Side *side, Json *answer, Err *e) {
    BenchAbout about = side->about;
    if (!side->on_gpu) return err_set(e, ERR_FAILED, "request: this worker has no GPU");
    gpu_session_look(&side->gpu, &about);
    bench_about_json(&about, json_add_object(answer, "about"));
    return true;
}

// Of a rank: an id for all to join by (`join` NULL), or joining them.
static bool join_ranks(Side *side, const Json *join, Json *answer, Err *e) {
    PeerGroup *p = &side->group;
    const char *id = json_text(json_get(join, "id"));
    if (!side->on_group || p->ranks == p->n) return err_set(e, ERR_FAILED, "request: this worker is no rank");
    if (join == NULL) {
        if (!nccl_make_id(&p->nccl, &side->arena, &id, e)) return false;
        json_add_text(json_add_object(answer, "made"), "id", id);
        return true;
    }
    json_add_object(answer, "joined");
    return gpu_use(&p->gpus[0].gpu, e) &&
           nccl_join_rank(&p->nccl, id != NULL ? id : "", p->rank, p->ranks, &side->arena, e);
}

static bool run_on_cpu(const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e) {
    return test_kernel(r->test) != NULL ? bench_cpu(r, a, ret_result, e)
                                        : err_set(e, ERR_FAILED, "request: a CPU has no such test");
}

static bool run_on_gpu(GpuSession *s, const BenchRequest *r, Arena *a, BenchResult *ret_result, Err *e) {
    if (test_group(r->test) != NULL) return err_set(e, ERR_FAILED, "request: one GPU has no such test");
    if (test_transfer(r->test) != NULL) return bench_gpu_transfer(s, r, a, ret_result, e);
    if (r->test == TEST_MEMORY) return bench_gpu_memory(s, r, a, ret_result, e);
    return test_is_start(r->test) ? bench_gpu_start(s, r, a, ret_result, e)
                                  : bench_gpu(s, r, a, ret_result, e);
}

static bool run_test(Side *side, const Json *request, Arena *a, Json *answer, Err *e) {
    BenchRequest r;
    BenchResult result;
    if (!bench_request_read(request, &r, e)) return false;
    bool ok = side->on_group ? bench_peer(&side->group, &r, a, &result, e)
              : side->on_gpu ? run_on_gpu(&side->gpu, &r, a, &result, e)
                             : run_on_cpu(&r, a, &result, e);
    if (ok) bench_result_json(&result, json_add_object(answer, "result"));
    return ok;
}

// False: no more requests. After an error that leaves the device of no use the process ends, and with it what
// it holds.
static bool answer_request(Side *side, Str text, int out) {
    Arena a = {0};
    Err e = {0};
    Json *request = NULL, *answer = json_object();
    bool ok = json_parse(text, VALUES_MAX, &request, &e);
    const Json *target = json_get(request, "open"), *group = json_get(request, "open_group");
    const Json *join = json_get(request, "join");
    bool ranks = join != NULL || json_get(request, "make_id") != NULL;
    ok = ok && (target != NULL                      ? open_device(side, target, answer, &e)
                : ranks                             ? join_ranks(side, join, answer, &e)
                : group != NULL                     ? open_group(side, group, answer, &e)
                : json_get(request, "look") != NULL ? look_at_device(side, answer, &e)
                                                    : run_test(side, request, &a, answer, &e));
    if (!ok) json_add_text(answer, "failure", e.text);
    Buf frame;
    buf_init(&frame, FRAME_BYTES_MAX);
    frame_put(&frame, answer);
    bool sent = put_all(out, frame.data, frame.length);
    buf_free(&frame);
    json_free(request);
    json_free(answer);
    arena_free(&a);
    return sent && !(side->on_gpu && gpu_is_lost(&side->gpu.gpu)) &&
           !(side->on_group && peer_is_lost(&side->group));
}

int worker_main(int in, int out) {
    unsigned char head[FRAME_HEAD];
    Side side = {0};
    Err e = {0};
    bool ok = true;
    while (ok && take_all(in, head, sizeof head)) {
        Arena a = {0};
        size_t length = 0;
        ok = frame_length(head, &length, &e);
        char *text = ok ? arena_alloc(&a, length, 1) : NULL;
        ok = ok && take_all(in, text, length) && answer_request(&side, (Str){text, length}, out);
        arena_free(&a);
    }
    arena_free(&side.arena);
    return ok ? 0 : 1;
}
