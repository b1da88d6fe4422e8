// Traces by session: agents whose requests follow each other, put together as so many sessions at once.
#include <math.h>

#include "src/traffic/parts.h"

// A pause that somebody takes overnight says nothing of a loaded server: longer ones count as this.
static const double PAUSE_MAX_S = 300;

enum { SESSION_IDS_MAX = 16 << 20, LANES_TOGETHER_MAX = 1 << 16, BLOCKS_OF_REQUEST_MAX = 1 << 20 };

// A prompt is the first `shared` blocks of the one before in its lane, then `n` of its own.
typedef struct Stored {
    double at_s;  // since the start of its session
    uint32_t input, shared, n;
    size_t first;  // of its own blocks
} Stored;

// Requests of one agent, in order.
typedef struct LaneOf {
    size_t session, first, n;
} LaneOf;

// When a request came, and when it comes once pauses are cut.
typedef struct Moment {
    double told_s, at_s;
} Moment;

struct Sessions {
    Arena *arena;
    Stored *requests;
    LaneOf *lanes;
    uint32_t *ids;
    size_t n_requests, requests_capacity, n_lanes, lanes_capacity, n_ids, ids_capacity, n_sessions;
    uint32_t *before;  // the last prompt of the lane that grows
    size_t n_before, before_capacity;
    Moment *moments;  // of the session's first lane
    size_t n_moments, moments_capacity;
    Moment last;  // of the lane that grows
    double think_s, thinks;
};

Sessions *sessions_open(Arena *a) {
    Sessions *s = arena_alloc(a, 1, sizeof *s);
    s->arena = a;
    return s;
}

static void lane_begin(Sessions *s) {
    s->lanes = arena_grow(s->arena, s->lanes, s->n_lanes, &s->lanes_capacity, sizeof *s->lanes);
    s->lanes[s->n_lanes++] = (LaneOf){s->n_sessions - 1, s->n_requests, 0};
    s->n_before = 0;
}

void sessions_begin(Sessions *s) {
    s->n_sessions++;
    s->n_moments = 0;
    s->last = (Moment){0, 0};
    lane_begin(s);
}

static double after(const Moment *m, double told_s) {
    return m->at_s + fmin(fmax(told_s - m->told_s, 0), PAUSE_MAX_S);
}

// The time of a request with long pauses cut. Another agent's lane begins beside the request of the first
// lane that came before it.
static double cut_time(Sessions *s, const Request *r) {
    double told_s = (double)r->at_ns / 1e9;
    if (r->lane_begins) {
        size_t i = s->n_moments;
        while (i > 0 && s->moments[i - 1].told_s > told_s) i--;
        s->last = i > 0 ? s->moments[i - 1] : (Moment){0, 0};
    }
    s->last = (Moment){told_s, after(&s->last, told_s)};
    bool first_lane = s->n_lanes == 1 || s->lanes[s->n_lanes - 2].session != s->n_sessions - 1;
    if (first_lane) {
        s->moments = arena_grow(s->arena, s->moments, s->n_moments, &s->moments_capacity, sizeof *s->moments);
        s->moments[s->n_moments++] = s->last;
    }
    return s->last.at_s;
}

size_t sessions_count(const Sessions *s) { return s->n_sessions; }
double sessions_think_s(const Sessions *s) { return s->thinks > 0 ? s->think_s / s->thinks : (double)NAN; }

static uint32_t short_id(uint64_t id) { return id < UINT32_MAX ? (uint32_t)id : (uint32_t)hash64(id); }

bool sessions_add(Sessions *s, const Request *r, Err *e) {
    if (r->n_blocks > BLOCKS_OF_REQUEST_MAX || s->n_ids + r->n_blocks > SESSION_IDS_MAX)
        return err_set(e, ERR_FAILED, "more than %d blocks: give fewer sessions", SESSION_IDS_MAX);
    if (r->lane_begins) lane_begin(s);
    size_t shared = 0;
    while (shared < s->n_before && shared < r->n_blocks && s->before[shared] == short_id(r->blocks[shared]))
        shared++;
    Stored stored = {.at_s = cut_time(s, r),
                     .input = r->input,
                     .shared = (uint32_t)shared,
                     .n = (uint32_t)(r->n_blocks - shared),
                     .first = s->n_ids};
    for (size_t i = shared; i < r->n_blocks; i++) {
        uint32_t id = short_id(r->blocks[i]);
        s->ids = arena_grow(s->arena, s->ids, s->n_ids, &s->ids_capacity, sizeof *s->ids);
        s->ids[s->n_ids++] = id;
        s->before = arena_grow(s->arena, s->before, i, &s->before_capacity, sizeof *s->before);
        s->before[i] = id;
    }
    s->n_before = r->n_blocks;
    s->requests =
        arena_grow(s->arena, s->requests, s->n_requests, &s->requests_capacity, sizeof *s->requests);
    s->requests[s->n_requests++] = stored;
    s->lanes[s->n_lanes - 1].n++;
    if (is_known(r->think_s)) s->think_s += fmin(r->think_s, PAUSE_MAX_S), s->thinks++;
    return true;
}

// ---------------------------------------------------------------- together

// A lane that runs: what of it comes next, and its prompt as it stands.
typedef struct Running {
    const LaneOf *lane;
    double start_s;
    size_t next, n_ids, capacity;
    uint64_t *ids;
} Running;

typedef struct Play {
    const Sessions *s;
    Arena arena;
    Running *running;
    size_t n, capacity;
    size_t next_lane;  // of the session to start
    double *left;      // lanes of each session that are not over
    Reuse *reuse;
} Play;

// The lanes of the next session, from now on.
static bool start_session(Play *p, double now_s) {
    const Sessions *s = p->s;
    if (p->next_lane == s->n_lanes) return false;
    size_t session = s->lanes[p->next_lane].session;
    for (; p->next_lane < s->n_lanes && s->lanes[p->next_lane].session == session; p->next_lane++) {
        if (s->lanes[p->next_lane].n == 0) continue;
        p->running = arena_grow(&p->arena, p->running, p->n, &p->capacity, sizeof *p->running);
        p->running[p->n++] = (Running){.lane = &s->lanes[p->next_lane], .start_s = now_s};
        p->left[session]++;
    }
    return true;
}

static double time_of(const Play *p, const Running *r) {
    return r->start_s + p->s->requests[r->lane->first + r->next].at_s;
}

static void play_request(Play *p, Running *r) {
    const Stored *q = &p->s->requests[r->lane->first + r->next];
    uint64_t space = hash64(r->lane->session + 1);
    for (size_t i = 0; i < q->n; i++) {
        r->ids = arena_grow(&p->arena, r->ids, q->shared + i, &r->capacity, sizeof *r->ids);
        r->ids[q->shared + i] = hash64(space ^ p->s->ids[q->first + i]);
    }
    r->n_ids = q->shared + q->n;
    reuse_add(p->reuse, r->ids, r->n_ids, q->input);
    r->next++;
}

void sessions_play(const Sessions *s, double at_once, Reuse *reuse) {
    Play p = {.s = s, .reuse = reuse};
    p.left = arena_alloc(&p.arena, s->n_sessions + 1, sizeof *p.left);
    bool more = true;
    for (size_t i = 0; i < (size_t)at_once && more; i++) more = start_session(&p, 0);
    bool all = !more || p.next_lane == s->n_lanes;  // fewer than asked for: each to its end
    while (p.n > 0) {
        size_t first = 0;
        for (size_t i = 1; i < p.n; i++) {
            if (time_of(&p, &p.running[i]) < time_of(&p, &p.running[first])) first = i;
        }
        Running *r = &p.running[first];
        double now_s = time_of(&p, r);
        size_t session = r->lane->session;
        play_request(&p, r);
        if (r->next < r->lane->n) continue;
        *r = p.running[--p.n];
        // Once nobody takes the place of a session that ended, fewer are at once than the curve says.
        if (--p.left[session] <= 0 && !start_session(&p, now_s) && !all) break;
    }
    arena_free(&p.arena);
}
