// bench --join FILE: the GPUs of all processes of a job as one group, one a process: sums over all of them,
// then copies in pairs, which tell a slow one.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench.h"
#include "kernels/join.h"
#include "kernels/measure.h"
#include "src/fleet/fleet.h"

enum { NOTE_BYTES_MAX = 1 << 20, NOTE_VALUES_MAX = 100000, ROUNDS_MAX = 15, SHOWN = 16 };

typedef struct Join {
    App *app;
    const BenchPlan *plan;
    const BenchRun *run;
    size_t rank, ranks;
    const char *file;
    JoinNote own;
    BenchWorker worker;
    BenchGroupAbout about;
    double until;  // seconds_now
    BenchResult results[GROUP_COUNT];
    size_t n_results;
} Join;

// ---------------------------------------------------------------- notes

static const char *note_path(const Join *j, size_t rank) {
    return arena_printf(&j->app->arena, "%s.rank%zu", j->file, rank);
}

static bool write_json(const char *path, Json *json, Err *e) {
    Buf text;
    buf_init(&text, BUF_LIMIT);
    json_print(json, &text);
    json_free(json);
    bool ok = file_write(path, text.data, text.length, e);
    buf_free(&text);
    return ok;
}

static bool leave_note(Join *j, const char *state, const char *why, Err *e) {
    Json *json = json_object();
    j->own.state = state;
    j->own.why = why;
    join_note_json(&j->own, json);
    return write_json(note_path(j, j->rank), json, e);
}

// False: there is none, or none that is whole.
static bool read_json(const Join *j, const char *path, Json **ret_json) {
    Str text;
    Err ignored = {0};
    return file_read(&j->app->arena, path, NOTE_BYTES_MAX, &text, &ignored) &&
           json_parse(text, NOTE_VALUES_MAX, ret_json, &ignored);
}

static bool read_note(const Join *j, size_t rank, JoinNote *ret_note) {
    Json *json = NULL;
    bool ok = read_json(j, note_path(j, rank), &json) && join_note_read(json, &j->app->arena, ret_note);
    json_free(json);
    return ok;
}

static bool read_answer(const Join *j, JoinAnswer *ret_answer) {
    Json *json = NULL;
    bool ok = read_json(j, j->file, &json) && join_answer_read(json, &j->app->arena, ret_answer);
    json_free(json);
    return ok;
}

static bool is_over(const Join *j) { return *j->plan->stop != 0 || seconds_now() > j->until; }

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); }

// "rank 3 (node04): here; rank 7: nothing": of ranks that have not come as far as `state`; `answer`: to which
// they must have come; NULL: to any.
static const char *who_lacks(const Join *j, const char *state, const char *answer) {
    static const char *const states[] = {"here", "joined", "done", NULL};
    const char *text = "";
    size_t lacking = 0;
    for (size_t r = 0; r < j->ranks; r++) {
        JoinNote n;
        bool there = read_note(j, r, &n) && (answer == NULL || strcmp(n.answer, answer) == 0);
        if (there && name_index(states, n.state) >= name_index(states, state)) continue;
        if (lacking++ >= SHOWN) continue;
        const char *more = there && strcmp(n.state, "failed") == 0
                               ? arena_printf(&j->app->arena, "%s: failed: %s", n.host, n.why)
                           : there ? n.host
                                   : "no note";
        text = arena_printf(&j->app->arena, "%s%srank %zu (%s)", text, text[0] != '\0' ? ", " : "", r, more);
    }
    return lacking > SHOWN ? arena_printf(&j->app->arena, "%s and %zu more", text, lacking - SHOWN) : text;
}

// ---------------------------------------------------------------- finding each other

static const char *new_token(const Join *j) {
    struct timespec t = {0};
    clock_gettime(CLOCK_REALTIME, &t);
    return arena_printf(&j->app->arena, "%zu-%ld-%lld-%ld", j->rank, (long)getpid(), (long long)t.tv_sec,
                        t.tv_nsec);
}

// Rank 0: answers who is there, again when somebody came anew, until all have read one answer.
static bool call_all(Join *j, const char *id, Err *e) {
    JoinAnswer x = {.name = "", .id = id, .ranks = j->ranks};
    x.tokens = arena_alloc(&j->app->arena, j->ranks, sizeof *x.tokens);
    while (!is_over(j)) {
        bool all = true, anew = false, read = true;
        for (size_t r = 0; r < j->ranks && all; r++) {
            JoinNote n;
            all = r == 0 || read_note(j, r, &n);
            const char *token = r == 0 ? j->own.token : all ? n.token : "";
            anew = anew || x.tokens[r] == NULL || strcmp(x.tokens[r], token) != 0;
            read = read && (r == 0 || (all && strcmp(n.answer, x.name) == 0));
            x.tokens[r] = token;
        }
        if (all && (anew || (read && x.name[0] != '\0'))) {
            if (anew) x.name = new_token(j);
            x.go = !anew;
            j->own.answer = x.name;
            Json *json = json_object();
            join_answer_json(&x, json);
            if (!write_json(j->file, json, e)) return false;
            if (x.go) return leave_note(j, "here", "", e);
        }
        nap();
    }
    return err_set(e, ERR_FAILED, "not all of %zu ranks came in time: %s", j->ranks,
                   who_lacks(j, "here", x.name[0] != '\0' ? x.name : NULL));
}

static bool hear_call(Join *j, const char **ret_id, Err *e) {
    while (!is_over(j)) {
        JoinAnswer x;
        bool mine = read_answer(j, &x) && x.ranks == j->ranks && strcmp(x.tokens[j->rank], j->own.token) == 0;
        if (mine && x.go && strcmp(x.name, j->own.answer) == 0) {
            *ret_id = x.id;
            return true;
        }
        if (mine && strcmp(x.name, j->own.answer) != 0) {
            j->own.answer = x.name;
            if (!leave_note(j, "here", "", e)) return false;
        }
        nap();
    }
    const char *lacking = who_lacks(j, "here", NULL);
    return err_set(e, ERR_FAILED, "not all of %zu ranks came in time: %s", j->ranks,
                   lacking[0] != '\0' ? lacking : "rank 0 gave no answer");
}

static bool find_all(Join *j, Err *e) {
    const char *id = "";
    j->own.token = new_token(j);
    j->own.answer = "";
    if (!leave_note(j, "here", "", e)) return false;
    bool ok = j->rank == 0
                  ? worker_make_id(&j->worker, j->plan->deadline_s, j->plan->stop, &j->app->arena, &id, e) &&
                        call_all(j, id, e)
                  : hear_call(j, &id, e);
    if (!ok) return false;
    if (worker_join(&j->worker, id, j->plan->deadline_s, j->plan->stop, &j->app->arena, e))
        return leave_note(j, "joined", "", e);
    const char *why = arena_printf(&j->app->arena, "%s", e->text);
    return err_set(e, ERR_FAILED, "%s; not joined: %s", why, who_lacks(j, "joined", j->own.answer));
}

// ---------------------------------------------------------------- the GPU of this process

static bool open_gpu(Join *j, const GpuDevice *g, const BenchDevice *d, Err *e) {
    BenchTarget target = bench_target(j->app, g, d);
    BenchGroupTarget t = {arena_printf(&j->app->arena, "%zuxranks", j->ranks), &target, 1, j->rank, j->ranks};
    if (worker_start(&j->worker, e) &&
        worker_open_group(&j->worker, &t, j->plan->deadline_s, j->plan->stop, &j->app->arena, &j->about, e))
        return true;
    worker_stop(&j->worker);
    return false;
}

// The one of its place on the node, else the first that this process may use.
static bool take_gpu(Join *j, const GpuDevice *const *gpus, Err *e) {
    size_t n = j->run->n_devices, first = is_known(j->run->local_rank) ? (size_t)j->run->local_rank : 0;
    err_set(e, ERR_FAILED, "no GPU of NVIDIA or AMD is visible or named");
    for (size_t i = 0; i < n; i++) {
        size_t at = (first + i) % n;
        if (gpus[at] != NULL && open_gpu(j, gpus[at], &j->run->devices[at], e)) return true;
    }
    return false;
}

// ---------------------------------------------------------------- measuring

static bool ask(Join *j, TestId test, size_t other, BenchResult *ret, Err *e) {
    BenchRequest r = j->plan->request;
    const double mib = 1048576;
    r.test = test;
    r.from = j->rank;
    r.to = other;
    if (!j->plan->working_set_given) r.working_set_bytes = 512 * mib;
    app_step(j->app, j->n_results, test_name(test));
    return worker_ask(&j->worker, &r, j->plan->deadline_s, j->plan->stop, &j->app->arena, ret, e);
}

// Ranks in a circle: in each round all but one (of an odd number) meet another one.
static size_t partner(size_t rank, size_t ranks, size_t round) {
    size_t n = ranks + ranks % 2, fixed = n - 1;
    if (rank == fixed) return round % (n - 1);
    if (rank == round % (n - 1)) return fixed;
    return (2 * (round % (n - 1)) + (n - 1) - rank % (n - 1)) % (n - 1);
}

static bool measure_pairs(Join *j, Err *e) {
    size_t n = j->ranks + j->ranks % 2, rounds = n - 1 < ROUNDS_MAX ? n - 1 : ROUNDS_MAX;
    j->own.pairs = arena_alloc(&j->app->arena, rounds, sizeof *j->own.pairs);
    for (size_t i = 0; i < rounds; i++) {
        size_t other = partner(j->rank, j->ranks, i);
        BenchResult r;
        if (other >= j->ranks) continue;
        if (!ask(j, TEST_GROUP + GROUP_PEER_BOTH, other, &r, e)) return err_wrap(e, "with rank %zu", other);
        if (!r.verified) app_warn(j->app, "rank %zu: %s", j->rank, r.error);
        j->own.pairs[j->own.n_pairs++] = (JoinPair){j->rank, other, r.median};
    }
    return true;
}

static bool measure(Join *j, Err *e) {
    for (TestId i = TEST_GROUP; i < TEST_COUNT; i++) {
        if (!j->plan->asked[i] || test_group(i)->of_pair) continue;
        if (!ask(j, i, 0, &j->results[j->n_results], e)) return err_wrap(e, "%s", test_name(i));
        j->n_results++;
    }
    return measure_pairs(j, e);
}

// ---------------------------------------------------------------- the answer

typedef struct Bisected {
    FleetPair *pairs;
    const char **hosts;  // by rank
    double *medians;
    double limit;
    size_t n;
} Bisected;

// Rank 0 waits for all, the others answer for themselves.
static bool gather(Join *j, Bisected *ret, Err *e) {
    Bisected b = {.pairs = arena_alloc(&j->app->arena, j->ranks * ROUNDS_MAX, sizeof *b.pairs),
                  .hosts = arena_alloc(&j->app->arena, j->ranks, sizeof *b.hosts),
                  .medians = arena_alloc(&j->app->arena, j->ranks, sizeof *b.medians)};
    j->until = seconds_now() + j->plan->deadline_s;
    for (size_t r = 0; r < j->ranks; r++) {
        JoinNote n;
        while (!read_note(j, r, &n) || strcmp(n.answer, j->own.answer) != 0 || strcmp(n.state, "done") != 0) {
            if (is_over(j))
                return err_set(e, ERR_FAILED, "not all ranks ended in time: %s",
                               who_lacks(j, "done", j->own.answer));
            nap();
        }
        b.hosts[r] = n.host;
        for (size_t i = 0; i < n.n_pairs && i < ROUNDS_MAX; i++)
            b.pairs[b.n++] = (FleetPair){n.pairs[i].a, n.pairs[i].b, n.pairs[i].gb_s};
    }
    b.limit = fleet_pairs(b.pairs, b.n, j->ranks, &j->app->arena, b.medians);
    *ret = b;
    return true;
}

static void answer_json(const Join *j, const Bisected *b, Json *root) {
    json_add(root, J_INTEGER("rank", j->rank), J_INTEGER("ranks", j->ranks),
             J_TEXT("collectives", j->about.collectives));
    bench_results_json(j->results, j->n_results, root);
    Json *ranks = json_add_array(root, "pairs_by_rank");
    for (size_t r = 0; b != NULL && r < j->ranks; r++) {
        Json *one = json_add_object(ranks, NULL);
        json_add(one, J_INTEGER("rank", r), J_TEXT("host", b->hosts[r]),
                 J_NUMBER("median_gb_per_s", b->medians[r]), J_BOOL("slow", b->medians[r] < b->limit));
    }
}

static void answer_text(const Join *j, const Bisected *b, const Writer *w) {
    writer_line(w, 0, "%zu ranks by %s.", j->ranks, j->about.collectives);
    for (size_t i = 0; i < j->n_results; i++) {
        const BenchResult *r = &j->results[i];
        if (r->verified) {
            writer_line(w, 2, "%s: %s %s", r->test, number_text(w->arena, r->median, 4), r->unit);
        } else {
            writer_line(w, 2, "%s: %s: %s", r->test, r->verdict, r->error);
        }
    }
    for (size_t r = 0; r < j->ranks; r++)
        writer_line(w, 2, "rank %zu (%s): its pairs exchange %s GB/s%s", r, b->hosts[r],
                    number_text(w->arena, b->medians[r], 4), b->medians[r] < b->limit ? ": slow" : "");
}

static int exit_code(const Join *j, const Bisected *b) {
    for (size_t i = 0; i < j->n_results; i++) {
        if (!j->results[i].verified && strcmp(j->results[i].verdict, "not supported") != 0)
            return EXIT_HARDWARE;
    }
    for (size_t i = 0; i < j->own.n_pairs; i++) {
        if (!is_known(j->own.pairs[i].gb_s)) return EXIT_HARDWARE;
    }
    for (size_t i = 0; b != NULL && i < b->n; i++) {
        if (!is_known(b->pairs[i].speed)) return EXIT_HARDWARE;
    }
    for (size_t r = 0; b != NULL && r < j->ranks; r++) {
        if (isnan(b->medians[r])) return EXIT_HARDWARE;
        if (b->medians[r] < b->limit) return EXIT_GATE;
    }
    return EXIT_DONE;
}

static void remove_files(const Join *j) {
    for (size_t r = 0; r < j->ranks; r++) unlink(note_path(j, r));
    unlink(j->file);
}

static int answer(Join *j) {
    Err e = {0};
    Bisected b;
    if (!leave_note(j, "done", "", &e)) return app_fail(j->app, &e);
    if (j->rank != 0) {
        if (j->app->format == FORMAT_JSON) answer_json(j, NULL, app_json(j->app));
        return exit_code(j, NULL);
    }
    if (!gather(j, &b, &e)) return app_fail(j->app, &e);
    for (size_t i = 0; i < b.n; i++) {
        if (!is_known(b.pairs[i].speed))
            app_warn(j->app, "what rank %zu sent came wrong to rank %zu (%s)", b.pairs[i].b, b.pairs[i].a,
                     b.hosts[b.pairs[i].a]);
    }
    remove_files(j);
    if (j->app->format == FORMAT_JSON) {
        answer_json(j, &b, app_json(j->app));
    } else {
        Writer w = app_writer(j->app);
        answer_text(j, &b, &w);
    }
    return exit_code(j, &b);
}

int bench_join(App *app, const BenchPlan *plan, const BenchRun *run, const GpuDevice *const *gpus) {
    Err e = {0}, ignored = {0};
    Join j = {.app = app, .plan = plan, .run = run, .file = opt_text(app, OPT_JOIN, "")};
    if (!(run->ranks >= 2 && run->rank < run->ranks && run->ranks <= BENCH_RANKS_MAX))
        return app_refuse(app, "option '--join' is for the processes of a job: srun, mpirun or an indexed "
                               "Job of Kubernetes says which of how many this one is");
    j.rank = (size_t)run->rank;
    j.ranks = (size_t)run->ranks;
    j.until = seconds_now() + plan->deadline_s;
    j.own.host = run->node[0] != '\0' ? run->node : run->host;
    bool ok = take_gpu(&j, gpus, &e) && find_all(&j, &e) && measure(&j, &e);
    worker_stop(&j.worker);
    if (ok) return answer(&j);
    if (j.own.token == NULL) j.own.token = new_token(&j), j.own.answer = "";
    (void)leave_note(&j, "failed", arena_printf(&app->arena, "%s", e.text), &ignored);
    return app_fail(app, &e);
}
