// A fleet of replicas under requests as they come, event by event.
#include "src/traffic/simulate.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t NONE = UINT32_MAX;

// A request on its way.
typedef struct Job {
    float first_s, end_s, admitted_s;  // since its arrival
    uint32_t next;                     // behind it in a queue
} Job;

typedef struct Queue {
    uint32_t head, tail;
    size_t n;
} Queue;

// When a sequence is done, counted in steps of its replica.
typedef struct Done {
    double step;
    uint32_t job;
} Done;

typedef struct Replica {
    double at_s;     // when the segment that runs began
    double step_s;   // of each of its steps
    double steps;    // that it has
    double counted;  // steps before it, since the start
    bool working;
    Queue waiting, reading;
    double read_left_s;  // of the first one that is read
    Done *running;       // a heap
    size_t n_running, room;
    double tokens;  // that running sequences and those that are read take
    double busy_s;
    uint32_t *joining;  // whose prompt ends with the segment
    size_t n_joining, joining_room;
} Replica;

typedef struct Fleet {
    const ReplicaModel *model;
    const Arrival *arrivals;
    Job *jobs;
    Replica *replicas;
    size_t n_replicas;
    Queue held;
    Arena *arena;
    double area, last_s, in_flight, until_s;
} Fleet;

// ---------------------------------------------------------------- queues and heap

static void queue_add(Fleet *f, Queue *q, uint32_t job) {
    f->jobs[job].next = NONE;
    if (q->n++ == 0)
        q->head = job;
    else
        f->jobs[q->tail].next = job;
    q->tail = job;
}

static uint32_t queue_take(Fleet *f, Queue *q) {
    uint32_t job = q->head;
    q->head = f->jobs[job].next;
    q->n--;
    return job;
}

static void running_add(Fleet *f, Replica *r, Done d) {
    r->running = arena_grow(f->arena, r->running, r->n_running, &r->room, sizeof *r->running);
    size_t at = r->n_running++;
    for (; at > 0 && r->running[(at - 1) / 2].step > d.step; at = (at - 1) / 2)
        r->running[at] = r->running[(at - 1) / 2];
    r->running[at] = d;
}

static void running_pop(Replica *r) {
    Done moved = r->running[--r->n_running];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= r->n_running) break;
        if (child + 1 < r->n_running && r->running[child + 1].step < r->running[child].step) child++;
        if (r->running[child].step >= moved.step) break;
        r->running[at] = r->running[child];
        at = child;
    }
    r->running[at] = moved;
}

// ---------------------------------------------------------------- one replica

static double cached_of(const ReplicaModel *m, const Arrival *a) {
    return a->cached == TOKENS_UNKNOWN ? m->cached_share * a->input : a->cached;
}

static double read_s(const ReplicaModel *m, const Arrival *a) {
    double n = a->input, held = cached_of(m, a);
    return m->prompt_token_s * (n - held) + m->prompt_pair_s * (n * n - held * held) / 2;
}

static double tokens_of(const Arrival *a) { return a->input + a->output / 2.0; }

static size_t let_in(const Replica *r) { return r->n_running + r->reading.n + r->n_joining; }

static bool has_room(const Fleet *f, const Replica *r, const Arrival *a) {
    return let_in(r) < f->model->places &&
           (let_in(r) == 0 || r->tokens + tokens_of(a) <= f->model->tokens_max);
}

static double segment_end(const Replica *r) { return r->at_s + r->steps * r->step_s; }

static void account(Fleet *f, double now_s, double change) {
    f->area += f->in_flight * (fmin(now_s, f->until_s) - fmin(f->last_s, f->until_s));
    f->in_flight += change;
    f->last_s = now_s;
}

static void finish(Fleet *f, Replica *r, uint32_t job, double now_s) {
    f->jobs[job].end_s = (float)(now_s - f->arrivals[job].at_s + f->model->start_s);
    r->tokens -= tokens_of(&f->arrivals[job]);
    account(f, now_s, -1);
}

static void admit(Fleet *f, Replica *r, double now_s) {
    Queue *queues[] = {&r->waiting, &f->held};
    for (size_t i = 0; i < COUNT_OF(queues); i++) {
        Queue *q = queues[i];
        while (q->n > 0 && has_room(f, r, &f->arrivals[q->head])) {
            uint32_t job = queue_take(f, q);
            f->jobs[job].admitted_s = (float)(now_s - f->arrivals[job].at_s);
            r->tokens += tokens_of(&f->arrivals[job]);
            if (r->reading.n == 0) r->read_left_s = read_s(f->model, &f->arrivals[job]);
            queue_add(f, &r->reading, job);
        }
    }
}

// The prompts that one step reads: seconds; those that it ends join the running ones behind it.
static double read_chunk(Fleet *f, Replica *r) {
    const ReplicaModel *m = f->model;
    double seconds = 0, tokens = m->chunk_tokens;
    while (r->reading.n > 0 && tokens > 0) {
        const Arrival *a = &f->arrivals[r->reading.head];
        double whole_s = read_s(m, a), fresh = a->input - cached_of(m, a);
        double left = whole_s > 0 ? fresh * r->read_left_s / whole_s : 0;
        if (left > tokens) {
            double part_s = r->read_left_s * tokens / left;
            r->read_left_s -= part_s;
            return seconds + part_s;
        }
        seconds += r->read_left_s;
        tokens -= left;
        r->joining = arena_grow(f->arena, r->joining, r->n_joining, &r->joining_room, sizeof *r->joining);
        r->joining[r->n_joining++] = queue_take(f, &r->reading);
        if (r->reading.n > 0) r->read_left_s = read_s(m, &f->arrivals[r->reading.head]);
    }
    return seconds;
}

static double step_of(const ReplicaModel *m, size_t running) {
    return running > 0 ? m->step_s[running - 1] : 0;
}

// Begins the next segment at `now_s`, or stops.
static void begin(Fleet *f, Replica *r, double now_s) {
    admit(f, r, now_s);
    r->at_s = now_s;
    r->working = let_in(r) > 0;
    if (!r->working) return;
    if (r->reading.n > 0) {
        r->step_s = step_of(f->model, r->n_running) + read_chunk(f, r) + f->model->pass_s;
        r->steps = 1;
    } else {
        r->step_s = step_of(f->model, r->n_running);
        r->steps = r->running[0].step - r->counted;
    }
}

// The segment is over: prompts that were read have their first token, sequences may be done.
static void end_segment(Fleet *f, Replica *r) {
    double now_s = segment_end(r);
    r->busy_s += fmax(fmin(now_s, f->until_s) - fmin(r->at_s, f->until_s), 0);
    // while only prompts are read nobody's tokens pass; the count moves all the same
    r->counted += r->steps;
    for (size_t i = 0; i < r->n_joining; i++) {
        uint32_t job = r->joining[i];
        const Arrival *a = &f->arrivals[job];
        f->jobs[job].first_s = (float)(now_s - a->at_s + f->model->start_s);
        double more = a->output > 1 ? ceil((a->output - 1) / f->model->kept) : 0;
        running_add(f, r, (Done){r->counted + more, job});
    }
    r->n_joining = 0;
    while (r->n_running > 0 && r->running[0].step <= r->counted) {
        uint32_t job = r->running[0].job;
        running_pop(r);
        finish(f, r, job, now_s);
    }
    begin(f, r, now_s);
}

// A request came while steps run through: the one under way is the last of the segment, if there is room.
static void interrupt(const Fleet *f, Replica *r, const Arrival *a, double now_s) {
    if (!r->working || r->n_joining > 0 || r->reading.n > 0 || !has_room(f, r, a) || !(r->step_s > 0)) return;
    double under_way = ceil((now_s - r->at_s) / r->step_s - 1e-9);
    r->steps = fmin(r->steps, fmax(under_way, 1));
}

// ---------------------------------------------------------------- the fleet

static Replica *choose(Fleet *f, Route route, const Arrival *a) {
    Replica *best = NULL;
    size_t fewest = 0;
    for (size_t i = 0; i < f->n_replicas; i++) {
        Replica *r = &f->replicas[i];
        size_t n = let_in(r) + r->waiting.n;
        if (route == ROUTE_HOLD && !(r->waiting.n == 0 && n < f->model->places && has_room(f, r, a)))
            continue;
        if (best == NULL || n < fewest) best = r, fewest = n;
    }
    return best;
}

static void arrive(Fleet *f, Route route, uint32_t job) {
    const Arrival *a = &f->arrivals[job];
    account(f, a->at_s, 1);
    Replica *r = choose(f, route, a);
    if (r == NULL) {
        queue_add(f, &f->held, job);
        return;
    }
    interrupt(f, r, a, a->at_s);
    queue_add(f, &r->waiting, job);
    if (!r->working) begin(f, r, a->at_s);
}

static Replica *next_to_end(const Fleet *f) {
    Replica *first = NULL;
    for (size_t i = 0; i < f->n_replicas; i++) {
        Replica *r = &f->replicas[i];
        if (r->working && (first == NULL || segment_end(r) < segment_end(first))) first = r;
    }
    return first;
}

static void run_all(Fleet *f, Route route, size_t n, FleetRun *run) {
    size_t coming = 0;
    for (;;) {
        while (coming < n && tokens_of(&f->arrivals[coming]) > f->model->tokens_max) {
            f->jobs[coming++].end_s = -1;
            run->unserved = true;
        }
        Replica *r = next_to_end(f);
        if (coming < n && (r == NULL || f->arrivals[coming].at_s <= segment_end(r)))
            arrive(f, route, (uint32_t)coming++);
        else if (r != NULL)
            end_segment(f, r);
        else
            break;
    }
}

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static Percentiles percentiles(float *x, size_t n) {
    if (n == 0) return (Percentiles){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double sum = 0;
    qsort(x, n, sizeof *x, by_size);
    for (size_t i = 0; i < n; i++) sum += (double)x[i];
    return (Percentiles){sum / (double)n, (double)x[(n - 1) / 2], (double)x[(size_t)(0.9 * (double)(n - 1))],
                         (double)x[(size_t)(0.99 * (double)(n - 1))]};
}

static void sum_up(const Fleet *f, size_t n, FleetRun *run) {
    Arena scratch = {0};
    float *x = arena_alloc(&scratch, n, sizeof *x);
    size_t served = 0, k = 0;
    double output = 0;
    for (size_t i = 0; i < n; i++) {
        if (f->jobs[i].end_s < 0) continue;
        x[served++] = f->jobs[i].first_s;
        output += f->arrivals[i].output;
        run->span_s = fmax(run->span_s, f->arrivals[i].at_s + (double)f->jobs[i].end_s - f->arrivals[0].at_s);
    }
    run->requests = (double)served;
    run->ttft_s = percentiles(x, served);
    for (size_t i = k = 0; i < n; i++)
        if (f->jobs[i].end_s >= 0) x[k++] = f->jobs[i].end_s;
    run->e2e_s = percentiles(x, k);
    for (size_t i = k = 0; i < n; i++)
        if (f->jobs[i].end_s >= 0) x[k++] = f->jobs[i].admitted_s;
    run->wait_s = percentiles(x, k);
    for (size_t i = k = 0; i < n; i++) {
        if (f->jobs[i].end_s < 0 || f->arrivals[i].output < 2) continue;
        x[k++] = (f->jobs[i].end_s - f->jobs[i].first_s) / (float)(f->arrivals[i].output - 1);
    }
    run->tpot_s = percentiles(x, k);
    double busy = 0;
    for (size_t i = 0; i < f->n_replicas; i++) busy += f->replicas[i].busy_s;
    double arriving_s = f->until_s - f->arrivals[0].at_s;
    run->busy_share = arriving_s > 0 ? busy / (arriving_s * (double)f->n_replicas) : (double)NAN;
    run->in_flight_mean = arriving_s > 0 ? f->area / arriving_s : (double)NAN;
    run->output_tokens_s = output / run->span_s;
    arena_free(&scratch);
}

bool fleet_simulate(const ReplicaModel *m, size_t replicas, Route route, const Arrival *arrivals, size_t n,
                    Arena *a, FleetRun *ret_run) {
    if (n == 0 || replicas == 0) return false;
    Fleet f = {.model = m, .arrivals = arrivals, .n_replicas = replicas, .arena = a};
    FleetRun run = {0};
    f.jobs = arena_alloc(a, n, sizeof *f.jobs);
    f.replicas = arena_alloc(a, replicas, sizeof *f.replicas);
    f.last_s = arrivals[0].at_s;
    f.until_s = arrivals[n - 1].at_s;
    run_all(&f, route, n, &run);
    sum_up(&f, n, &run);
    *ret_run = run;
    return true;
}
