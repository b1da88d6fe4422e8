// JSON objects with many requests in them: agents' sessions, detailed results of benchmarks, pages of usage,
// traces of OpenTelemetry.
#include <math.h>
#include <string.h>

#include "src/traffic/parts.h"
#include "src/traffic/reader.h"

// The members of an object that a reader asks for, where they stand: NULL: not there.
typedef struct Member {
    const char *name;
    JsonPull at;
    JsonKind kind;
} Member;

// Finds them all in one walk; the last one where one stands twice. False: bad JSON.
static bool find_members(JsonPull *p, Member *members, size_t n) {
    Str key;
    for (size_t i = 0; i < n; i++) members[i].kind = JSON_NOTHING;
    if (pull_kind(p) != JSON_OBJECT) return pull_skip(p);
    for (pull_enter(p); pull_key(p, &key);) {
        JsonPull at = *p;
        for (size_t i = 0; i < n; i++) {
            if (!str_is(key, members[i].name)) continue;
            members[i].at = at;
            members[i].kind = pull_kind(&members[i].at);
        }
        if (!pull_skip(p)) return false;
    }
    return !p->bad;
}

static Str scalar_of(const Member *m) {
    JsonPull at = m->at;
    Str raw = {"", 0};
    if (m->kind == JSON_TEXT || m->kind == JSON_NUMBER) pull_scalar(&at, &raw);
    return raw;
}

static double number_of(const Member *m) {
    Decimal d;
    return decimal_read(scalar_of(m), &d) ? decimal_value(&d) : (double)NAN;
}

// The bytes of the value to come, which is passed.
static bool value_text(JsonPull *p, Str *ret_text) {
    pull_kind(p);
    const char *start = p->at;
    if (!pull_skip(p)) return false;
    *ret_text = (Str){start, (size_t)(p->at - start)};
    return true;
}

// ---------------------------------------------------------------- sessions of agents (Weka, AgentX)

typedef struct SessionReader {
    JsonReader *reader;
    double parent_s;  // when the agent that is read was started
    bool lane_begins;
} SessionReader;

static bool read_ids(JsonReader *r, const Member *m, Err *e) {
    enum { IDS_MAX = 1 << 20 };
    JsonPull at = m->at;
    r->n_blocks = 0;
    if (m->kind != JSON_ARRAY) return true;
    for (pull_enter(&at); pull_element(&at);) {
        Str raw;
        Decimal d;
        int64_t id = 0;
        if (!pull_scalar(&at, &raw) || !decimal_read(raw, &d) || !decimal_scaled(&d, 0, &id))
            return err_set(e, ERR_FAILED, "hash_ids: no whole number");
        if (r->n_blocks == IDS_MAX) return err_set(e, ERR_FAILED, "over %d blocks", IDS_MAX);
        r->blocks = arena_grow(r->arena, r->blocks, r->n_blocks, &r->blocks_capacity, sizeof *r->blocks);
        r->blocks[r->n_blocks++] = (uint64_t)id;
    }
    return true;
}

static bool session_request(SessionReader *s, const Member *m, Err *e) {
    enum { T, IN, OUT, IDS, THINK };
    JsonReader *r = s->reader;
    Request q = {.cached = TOKENS_UNKNOWN, .lane_begins = s->lane_begins, .session = 1};
    double at_s = number_of(&m[T]) + s->parent_s;
    if (!tokens_read(scalar_of(&m[IN]), "input", &q.input, e) ||
        !tokens_read(scalar_of(&m[OUT]), "output", &q.output, e) || !read_ids(r, &m[IDS], e))
        return false;
    if (!(at_s >= 0) || at_s > 1e9) return err_set(e, ERR_FAILED, "a time t that is none");
    q.at_ns = (int64_t)(at_s * 1e9);
    q.blocks = r->blocks;
    q.n_blocks = r->n_blocks;
    q.think_s = number_of(&m[THINK]);
    s->lane_begins = false;
    return traffic_scan_request(r->scan, &q, e);
}

// The requests of one agent; `subagents` asks for those that it starts instead of its own.
static bool session_requests(SessionReader *s, JsonPull list, bool subagents, int level, Err *e) {
    enum { T, IN, OUT, IDS, THINK, TYPE, REQUESTS, MEMBERS, LEVELS = 4 };
    for (pull_enter(&list); pull_element(&list);) {
        Member m[MEMBERS] = {{.name = "t"},        {.name = "in"},         {.name = "out"},
                             {.name = "hash_ids"}, {.name = "think_time"}, {.name = "type"},
                             {.name = "requests"}};
        if (!find_members(&list, m, MEMBERS)) return err_set(e, ERR_FAILED, "bad JSON");
        bool nested = m[REQUESTS].kind == JSON_ARRAY;
        if (!nested && !subagents && !session_request(s, m, e)) return false;
        double started = number_of(&m[T]);
        if (!nested || !subagents || level >= LEVELS || !is_known(started)) continue;
        SessionReader inner = {s->reader, s->parent_s + started, true};
        if (!session_requests(&inner, m[REQUESTS].at, false, level + 1, e) ||
            !session_requests(&inner, m[REQUESTS].at, true, level + 1, e))
            return false;
    }
    return !list.bad || err_set(e, ERR_FAILED, "bad JSON");
}

static bool session_read(JsonReader *r, const Member *requests, const Member *block_size, Err *e) {
    SessionReader s = {.reader = r};
    double block = number_of(block_size);
    if (!(block >= 1 && block <= 65536)) return err_set(e, ERR_FAILED, "a block_size that is none");
    r->format = "sessions of agents (Weka)";
    traffic_scan_block(r->scan, block);
    traffic_scan_session(r->scan);
    return session_requests(&s, requests->at, false, 0, e) && session_requests(&s, requests->at, true, 0, e);
}

// ---------------------------------------------------------------- detailed results (vLLM, SGLang)

static bool details_read(JsonReader *r, const Member *m, Err *e) {
    enum { IN, OUT, START, LISTS };
    JsonPull at[LISTS];
    DayMemo memo = {"", 0};
    bool timed = m[START].kind == JSON_ARRAY;
    for (int i = 0; i < LISTS; i++) at[i] = m[i].at;
    for (int i = 0; i < (timed ? LISTS : START); i++) pull_enter(&at[i]);
    r->format = "detailed result of a benchmark (vLLM, SGLang)";
    traffic_scan_note(r->scan,
                      "It is a benchmark's load, not a service's: its arrivals are what the tool was told.");
    for (size_t n = 1; pull_element(&at[IN]); n++) {
        Str text[LISTS] = {{"", 0}, {"", 0}, {"", 0}};
        Request q = {.at_ns = TIME_UNKNOWN, .cached = TOKENS_UNKNOWN, .think_s = (double)NAN};
        bool ok = pull_scalar(&at[IN], &text[IN]) && pull_element(&at[OUT]) &&
                  pull_scalar(&at[OUT], &text[OUT]) &&
                  (!timed || (pull_element(&at[START]) && pull_scalar(&at[START], &text[START])));
        if (!ok) return err_set(e, ERR_FAILED, "request %zu: lists of different lengths", n);
        if (!tokens_read(text[IN], "input", &q.input, e) || !tokens_read(text[OUT], "output", &q.output, e) ||
            (timed && !time_read(text[START], TIME_IN_S, &memo, &q.at_ns, e)))
            return err_wrap(e, "request %zu", n);
        if (q.output == 0)
            traffic_scan_left_out(r->scan);
        else if (!traffic_scan_request(r->scan, &q, e))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- pages of usage (OpenAI)

static double plus(double sum, double x) { return is_known(x) ? (is_known(sum) ? sum : 0) + x : sum; }

static bool usage_bucket(JsonReader *r, JsonPull *list, Err *e) {
    enum { START, END, RESULTS, MEMBERS };
    enum { IN, OUT, CACHED, REQUESTS, COUNTS };
    Member m[MEMBERS] = {{.name = "start_time"}, {.name = "end_time"}, {.name = "results"}};
    Totals t = {.requests = (double)NAN,
                .input = (double)NAN,
                .output = (double)NAN,
                .cached = (double)NAN,
                .running_mean = (double)NAN};
    DayMemo memo = {"", 0};
    if (!find_members(list, m, MEMBERS)) return err_set(e, ERR_FAILED, "bad JSON");
    if (!time_read(scalar_of(&m[START]), TIME_IN_S, &memo, &t.from_ns, e) ||
        !time_read(scalar_of(&m[END]), TIME_IN_S, &memo, &t.to_ns, e))
        return err_wrap(e, "bucket");
    if (t.to_ns <= t.from_ns) return err_set(e, ERR_FAILED, "bucket: it ends before it starts");
    JsonPull results = m[RESULTS].at;
    if (m[RESULTS].kind != JSON_ARRAY) return err_set(e, ERR_FAILED, "bucket without results");
    for (pull_enter(&results); pull_element(&results);) {
        Member c[COUNTS] = {{.name = "input_tokens"},
                            {.name = "output_tokens"},
                            {.name = "input_cached_tokens"},
                            {.name = "num_model_requests"}};
        if (!find_members(&results, c, COUNTS)) return err_set(e, ERR_FAILED, "bad JSON");
        t.input = plus(t.input, number_of(&c[IN]));
        t.output = plus(t.output, number_of(&c[OUT]));
        t.cached = plus(t.cached, number_of(&c[CACHED]));
        t.requests = plus(t.requests, number_of(&c[REQUESTS]));
        if (t.input < 0 || t.output < 0 || t.cached < 0 || t.requests < 0)
            return err_set(e, ERR_FAILED, "bucket: a count below 0");
    }
    traffic_scan_totals(r->scan, &t);
    return true;
}

static bool usage_read(JsonReader *r, const Member *data, Err *e) {
    JsonPull list = data->at;
    r->format = "usage of the OpenAI API";
    traffic_scan_calendar(r->scan);
    traffic_scan_note(r->scan,
                      "Usage gives sums by time: means and the shape of the load, no lengths of single "
                      "requests and no bursts.");
    for (pull_enter(&list); pull_element(&list);) {
        if (!usage_bucket(r, &list, e)) return false;
    }
    return !list.bad || err_set(e, ERR_FAILED, "bad JSON");
}

// ---------------------------------------------------------------- OpenTelemetry

// Every object in `list` whose member `inner` is a list leads on; at the last level it is a record.
static bool spans_read(JsonReader *r, JsonPull list, const char *const *inner, Err *e) {
    for (pull_enter(&list); pull_element(&list);) {
        Str text;
        if (inner[0] == NULL) {
            if (!value_text(&list, &text)) return err_set(e, ERR_FAILED, "bad JSON");
            Str rest = text;
            bool counts = false;
            static const char mark[] = "gen_ai.usage.input_tokens";
            while (!counts && rest.length >= sizeof mark - 1) {
                const char *at = memchr(rest.data, 'g', rest.length - (sizeof mark - 2));
                if (at == NULL) break;
                counts = memcmp(at, mark, sizeof mark - 1) == 0;
                rest = (Str){at + 1, rest.length - (size_t)(at + 1 - rest.data)};
            }
            if (counts && !json_record(r, text, e)) return false;
            continue;
        }
        Member m = {.name = inner[0]};
        if (!find_members(&list, &m, 1)) return err_set(e, ERR_FAILED, "bad JSON");
        if (m.kind == JSON_ARRAY && !spans_read(r, m.at, inner + 1, e)) return false;
    }
    return !list.bad || err_set(e, ERR_FAILED, "bad JSON");
}

// ---------------------------------------------------------------- which

bool json_document(JsonReader *r, Str text, bool *ret_taken, Err *e) {
    enum { REQUESTS, BLOCK_SIZE, IN, OUT, START, OBJECT, DATA, SPANS, MEMBERS };
    Member m[MEMBERS] = {{.name = "requests"},    {.name = "block_size"},   {.name = "input_lens"},
                         {.name = "output_lens"}, {.name = "start_times"},  {.name = "object"},
                         {.name = "data"},        {.name = "resourceSpans"}};
    JsonPull p;
    pull_open(&p, text);
    *ret_taken = true;
    if (!find_members(&p, m, MEMBERS)) return err_set(e, ERR_FAILED, "bad JSON");
    if (m[REQUESTS].kind == JSON_ARRAY && m[BLOCK_SIZE].kind == JSON_NUMBER)
        return session_read(r, &m[REQUESTS], &m[BLOCK_SIZE], e);
    if (m[IN].kind == JSON_ARRAY && m[OUT].kind == JSON_ARRAY) return details_read(r, &m[IN], e);
    if (m[DATA].kind == JSON_ARRAY && str_is(scalar_of(&m[OBJECT]), "page"))
        return usage_read(r, &m[DATA], e);
    static const char *const levels[] = {"scopeSpans", "spans", NULL};
    if (m[SPANS].kind == JSON_ARRAY) return spans_read(r, m[SPANS].at, levels, e);
    *ret_taken = false;
    return true;
}
