// One pass over requests: every figure is gathered as they come.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/traffic/parts.h"
#include "src/traffic/reader.h"

struct TrafficScan {
    Arena *arena;
    TrafficOptions options;
    const char *format;
    Lengths input, output;
    LengthPairs pairs;
    Arrivals arrivals;
    Reuse reuse;
    Sessions *sessions;
    LengthFound estimated[2];  // of histograms: input, output; n NaN: none
    double requests, left_out, without_time, cached, cached_of, total_requests;
    double in_sum, out_sum;  // of totals
    double running_s, running_sum;
    Minute *minutes;  // of totals with times
    size_t n_minutes, minutes_capacity;
    int64_t minutes_from;
    double capacity_tokens;
    bool calendar, by_session, block_sizes_differ;
    const struct Metrics *first_metrics, *last_metrics;
    Arrival *kept;
    size_t n_kept, kept_capacity;
    uint64_t kept_seen, kept_each;
    const char *notes[NOTES_MAX];
    size_t n_notes;
};

TrafficScan *traffic_scan_open(Arena *a, const TrafficOptions *options) {
    TrafficScan *s = arena_alloc(a, 1, sizeof *s);
    *s = (TrafficScan){
        .arena = a, .options = *options, .format = "", .kept_each = 1, .minutes_from = TIME_UNKNOWN};
    s->estimated[0].n = s->estimated[1].n = s->capacity_tokens = (double)NAN;
    lengths_open(&s->input, a);
    lengths_open(&s->output, a);
    pairs_open(&s->pairs, a);
    arrivals_open(&s->arrivals, a, options->service);
    reuse_open(&s->reuse, a);
    s->sessions = sessions_open(a);
    return s;
}

void traffic_scan_note(TrafficScan *s, const char *note) {
    bool known = row_named(note, s->notes, s->n_notes, sizeof *s->notes) != NULL;
    if (!known && s->n_notes < NOTES_MAX) s->notes[s->n_notes++] = note;
}

void traffic_scan_format(TrafficScan *s, const char *name) {
    if (s->format[0] == '\0')
        s->format = name;
    else if (strcmp(s->format, name) != 0)
        traffic_scan_note(s, "The files are of different formats.");
}

void traffic_scan_block(TrafficScan *s, double block_tokens) {
    if (!(block_tokens > 0)) return;
    s->block_sizes_differ =
        s->block_sizes_differ || (is_known(s->reuse.block_tokens) && s->reuse.block_tokens != block_tokens);
    s->reuse.block_tokens = block_tokens;
}

void traffic_scan_calendar(TrafficScan *s) { s->calendar = true; }
void traffic_scan_left_out(TrafficScan *s) { s->left_out++; }
void traffic_scan_capacity(TrafficScan *s, double tokens) { s->capacity_tokens = tokens; }
void traffic_scan_lengths(TrafficScan *s, bool input, const LengthFound *estimated) {
    s->estimated[input ? 0 : 1] = *estimated;
}
void traffic_scan_session(TrafficScan *s) {
    s->by_session = true;
    sessions_begin(s->sessions);
}

bool traffic_scan_metrics(TrafficScan *s, const struct Metrics *m, Err *e) {
    if (s->last_metrics != NULL)
        return err_set(e, ERR_USAGE, "a third snapshot of metrics: give the first and the last");
    if (s->first_metrics == NULL)
        s->first_metrics = m;
    else
        s->last_metrics = m;
    return true;
}

// ---------------------------------------------------------------- one request

// Every kept_each-th of those that are asked for; each time the room is full, half of them go.
static void keep(TrafficScan *s, const Request *r) {
    const TrafficOptions *o = &s->options;
    if (r->at_ns < o->keep_from_ns || r->at_ns >= o->keep_to_ns || s->kept_seen++ % s->kept_each != 0) return;
    if (s->n_kept == o->keep_max) {
        for (size_t i = 0; 2 * i < s->n_kept; i++) s->kept[i] = s->kept[2 * i];
        s->n_kept = (s->n_kept + 1) / 2;
        s->kept_each *= 2;
    }
    s->kept = arena_grow(s->arena, s->kept, s->n_kept, &s->kept_capacity, sizeof *s->kept);
    s->kept[s->n_kept++] =
        (Arrival){(double)(r->at_ns - o->keep_from_ns) / 1e9, r->input, r->output, r->cached};
}

bool traffic_scan_request(TrafficScan *s, const Request *r, Err *e) {
    s->requests++;
    lengths_add(&s->input, s->arena, r->input);
    lengths_add(&s->output, s->arena, r->output);
    pairs_add(&s->pairs, r->input, r->output);
    if (r->cached != TOKENS_UNKNOWN) {
        s->cached += r->cached;
        s->cached_of += r->input;
    }
    if (s->by_session) return sessions_add(s->sessions, r, e);
    if (r->at_ns == TIME_UNKNOWN) {
        s->without_time++;
    } else {
        arrivals_add(&s->arrivals, (Stamp){r->at_ns, r->input, r->output});
        if (s->options.keep_to_ns > s->options.keep_from_ns) keep(s, r);
    }
    if (r->n_blocks > 0 && is_known(s->reuse.block_tokens))
        reuse_add(&s->reuse, r->blocks, r->n_blocks, r->input);
    return true;
}

// ---------------------------------------------------------------- sums of many

static void spread(TrafficScan *s, const Totals *t) {
    const int64_t minute_ns = INT64_C(60000000000);
    if (t->from_ns == TIME_UNKNOWN || t->to_ns <= t->from_ns) return;
    if (s->minutes_from == TIME_UNKNOWN) s->minutes_from = t->from_ns / minute_ns * minute_ns;
    double length = (double)(t->to_ns - t->from_ns);
    for (int64_t at = t->from_ns; at < t->to_ns;) {
        int64_t index = (at - s->minutes_from) / minute_ns;
        int64_t end = s->minutes_from + (index + 1) * minute_ns;
        if (at < s->minutes_from || index >= MINUTES_MAX) {
            traffic_scan_note(
                s, "Times before the first one, or two years after it, are left out of the load by time.");
            return;
        }
        if (end > t->to_ns) end = t->to_ns;
        while (s->minutes_capacity <= (size_t)index) {
            size_t before = s->minutes_capacity;
            s->minutes = arena_grow(s->arena, s->minutes, before, &s->minutes_capacity, sizeof *s->minutes);
        }
        double share = (double)(end - at) / length;
        Minute *m = &s->minutes[index];
        m->requests += share * (is_known(t->requests) ? t->requests : 0);
        m->input += share * (is_known(t->input) ? t->input : 0);
        m->output += share * (is_known(t->output) ? t->output : 0);
        if ((size_t)index + 1 > s->n_minutes) s->n_minutes = (size_t)index + 1;
        at = end;
    }
}

void traffic_scan_totals(TrafficScan *s, const Totals *t) {
    if (is_known(t->requests)) s->total_requests += t->requests;
    if (is_known(t->input)) s->in_sum += t->input;
    if (is_known(t->output)) s->out_sum += t->output;
    if (t->cached > t->input) {
        traffic_scan_note(
            s, "Where more tokens are told as cached than as read, the share from the cache is left out.");
    } else if (is_known(t->cached) && is_known(t->input)) {
        s->cached += t->cached;
        s->cached_of += t->input;
    }
    if (is_known(t->running_mean)) {
        s->running_sum += t->running_mean;
        s->running_s++;
    }
    spread(s, t);
}

// ---------------------------------------------------------------- the end

static void totals_found(const TrafficScan *s, TrafficFound *f) {
    f->requests = s->total_requests > 0 ? s->total_requests : (double)NAN;
    f->input = is_known(s->estimated[0].n) ? s->estimated[0] : lengths_unknown((double)NAN);
    f->output = is_known(s->estimated[1].n) ? s->estimated[1] : lengths_unknown((double)NAN);
    f->input.sum = s->in_sum;
    f->output.sum = s->out_sum;
    f->input.mean = s->in_sum / f->requests;
    f->output.mean = s->out_sum / f->requests;
    if (s->n_minutes == 0) return;
    f->has_times = true;
    f->absolute = s->calendar;
    f->minutes = s->minutes;
    f->n_minutes = s->n_minutes;
    f->first_ns = s->minutes_from;
    f->last_ns = s->minutes_from + (int64_t)s->n_minutes * INT64_C(60000000000);
    f->span_s = 60.0 * (double)s->n_minutes;
    f->rate_rps = f->requests / f->span_s;
    busiest_hour(f);
    if (s->calendar) hours_of_day(f);
}

static void add_notes(TrafficScan *s, TrafficFound *f) {
    enum { HOURS_FOR_IDC = 7200 };
    Arena *a = s->arena;
    if (f->coarse_stamps)
        traffic_scan_note(
            s, arena_printf(a,
                            "Time stamps are coarse: %.0f of %.0f requests have the stamp of the one "
                            "before, one step is about %.3g s. The spread of gaps and the dispersion "
                            "below ten seconds say nothing.",
                            f->zero_gaps, f->requests, f->stamp_step_s));
    if (s->arrivals.disordered)
        traffic_scan_note(
            s, "Requests are too far out of the order of time: sort the file by time. Rates and bursts "
               "are not known.");
    if (s->arrivals.too_long)
        traffic_scan_note(
            s, "The times span more than two years: is their unit right? Rates and bursts are not known.");
    if (s->arrivals.too_many)
        traffic_scan_note(
            s, "More than a million requests would run at once at the given service time: not counted.");
    if (f->has_times && f->span_s < HOURS_FOR_IDC)
        traffic_scan_note(s, "Shorter than two hours: dispersion by the hour is not defined.");
    if (f->without_time > 0)
        traffic_scan_note(
            s, arena_printf(a, "%.0f requests have no time: they count for lengths alone.", f->without_time));
    if (f->left_out > 0)
        traffic_scan_note(
            s, arena_printf(a, "%.0f requests failed or had no answer, and are left out.", f->left_out));
    if (s->requests > PAIRS_MAX)
        traffic_scan_note(s,
                          arena_printf(a, "The rank correlation is of a sample of %d requests.", PAIRS_MAX));
    if (s->reuse.share < 1)
        traffic_scan_note(
            s, arena_printf(a, "Reuse is estimated from %.3g %% of the blocks, drawn by their hash.",
                            100 * s->reuse.share));
    if (s->block_sizes_differ)
        traffic_scan_note(
            s,
            "The files' blocks are of different sizes: their reuse is counted as if all had the last one's.");
    traffic_scan_note(s, "Counts of tokens are of the model that was served: another model's tokenizer may "
                         "make 10 to 30 % more or fewer "
                         "of the same text.");
}

bool traffic_scan_end(TrafficScan *s, TrafficFound *ret_found, Err *e) {
    static const double SESSIONS = 16;
    TrafficFound f = {
        .format = s->format, .capacity_tokens = s->capacity_tokens, .service = s->options.service};
    double *unknown[] = {&f.pearson,      &f.spearman,  &f.span_s,          &f.rate_rps,
                         &f.busy_rps,     &f.busy_s,    &f.gap_cv,          &f.cached_share,
                         &f.block_tokens, &f.blocks,    &f.distinct_blocks, &f.block_hit_max,
                         &f.hit_max,      &f.sessions,  &f.turns_mean,      &f.think_s_mean,
                         &f.running_mean, &f.zero_gaps, &f.distinct_stamps, &f.stamp_step_s};
    for (size_t i = 0; i < COUNT_OF(unknown); i++) *unknown[i] = (double)NAN;
    for (int i = 0; i < IDC_WINDOWS; i++) f.idc[i] = (double)NAN;
    for (int i = 0; i < HOURS_OF_DAY; i++) f.hours[i] = (double)NAN;
    f.levels = (Levels){(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    if (s->first_metrics != NULL &&
        !metrics_tell(s->last_metrics != NULL ? s->first_metrics : NULL,
                      s->last_metrics != NULL ? s->last_metrics : s->first_metrics, s, e))
        return false;
    f.left_out = s->left_out;
    f.without_time = s->without_time;
    if (s->requests > 0) {
        f.requests = s->requests;
        f.input = lengths_found(&s->input);
        f.output = lengths_found(&s->output);
        f.pearson = pairs_pearson(&s->pairs);
        f.spearman = pairs_spearman(&s->pairs, s->arena);
        arrivals_end(&s->arrivals);
        arrivals_found(&s->arrivals, s->calendar, &f);
    } else if (s->in_sum > 0 || s->out_sum > 0) {
        totals_found(s, &f);
    } else {
        return err_set(e, ERR_FAILED, "no request with lengths of prompt and answer is in it%s",
                       s->left_out > 0 ? ", but for failed ones" : "");
    }
    if (s->cached_of > 0) f.cached_share = s->cached / s->cached_of;
    if (s->running_s > 0) f.running_mean = s->running_sum / s->running_s;
    if (s->by_session) {
        double wanted = is_known(s->options.sessions) ? s->options.sessions : SESSIONS;
        f.sessions = fmin(wanted, (double)sessions_count(s->sessions));
        f.turns_mean = s->requests / (double)sessions_count(s->sessions);
        f.think_s_mean = sessions_think_s(s->sessions);
        sessions_play(s->sessions, f.sessions, &s->reuse);
        traffic_scan_note(
            s, "Sessions have no dates: how many run at once is up to the load. Reuse is that of so many at "
               "once as told, each followed by the next, with pauses of at most five minutes.");
    }
    if (s->reuse.blocks > 0) reuse_found(&s->reuse, &f);
    if (s->by_session) f.hits.sessions = f.block_hits.sessions = f.sessions;
    add_notes(s, &f);
    memcpy(f.notes, s->notes, sizeof f.notes);
    f.n_notes = s->n_notes;
    *ret_found = f;
    return true;
}

static int by_arrival(const void *a, const void *b) {
    double x = ((const Arrival *)a)->at_s, y = ((const Arrival *)b)->at_s;
    return (x > y) - (x < y);
}

void arrivals_sort(Arrival *all, size_t n) {
    if (n > 0) qsort(all, n, sizeof *all, by_arrival);
}

const Arrival *traffic_scan_kept(const TrafficScan *s, size_t *ret_n, double *ret_thinned) {
    arrivals_sort(s->kept, s->n_kept);
    *ret_n = s->n_kept;
    *ret_thinned = (double)s->kept_each;
    return s->kept;
}

// ---------------------------------------------------------------- as a row of facts

static const char *hits_text(const HitCurve *c, Arena *a) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    for (size_t i = 0; i < c->n; i++)
        buf_printf(&b, "%s%.0f:%.6f", i > 0 ? " " : "", c->points[i].capacity_tokens,
                   floor(c->points[i].hit_rate * 1e6) / 1e6);  // never above hit_rate_max
    return buf_take(&b, a);
}

static const char *hours_text(const double hours[HOURS_OF_DAY], Arena *a) {
    const char *text = "";
    for (int i = 0; i < HOURS_OF_DAY; i++) {
        if (isnan(hours[i])) return "";
        text = arena_printf(a, "%s%s%.3f", text, i > 0 ? " " : "", hours[i]);
    }
    return text;
}

Traffic traffic_of(const TrafficFound *f, const char *id, const char *title, Arena *a) {
    bool fine = !f->coarse_stamps;
    return (Traffic){.traffic_id = id,
                     .title = title,
                     .requests = f->requests,
                     .span_s = f->span_s,
                     .rate_rps = f->rate_rps,
                     .busy_rps = f->busy_rps,
                     .input_mean = f->input.mean,
                     .input_p50 = f->input.p50,
                     .input_p90 = f->input.p90,
                     .input_p99 = f->input.p99,
                     .input_max = f->input.max,
                     .output_mean = f->output.mean,
                     .output_p50 = f->output.p50,
                     .output_p90 = f->output.p90,
                     .output_p99 = f->output.p99,
                     .output_max = f->output.max,
                     .correlation = f->pearson,
                     .gap_cv = fine ? f->gap_cv : (double)NAN,
                     .idc_1s = fine ? f->idc[0] : (double)NAN,
                     .idc_60s = f->idc[2],
                     .idc_3600s = f->idc[4],
                     .cached_share = f->cached_share,
                     .block_tokens = f->block_tokens,
                     .hit_rate_max = f->hit_max,
                     .hits = hits_text(&f->hits, a),
                     .hit_sessions = f->hits.n > 0 ? f->hits.sessions : (double)NAN,
                     .turns_mean = f->turns_mean,
                     .think_s_mean = f->think_s_mean,
                     .hours = hours_text(f->hours, a),
                     .note = "",
                     .source = "",
                     .as_of = ""};
}
