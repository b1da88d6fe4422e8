// What a log or trace says: figures, hit rates, the load by time, what to mind.
#include "src/report/traffic_report.h"

#include <math.h>

#include "src/report/html_page.h"

static const int64_t NS = INT64_C(1000000000);
enum { MINUTES_OF_HOUR = 60 };

// An hour of the trace, from its start: rates and tokens of its minutes.
typedef struct HourSum {
    double seconds, requests, input, output;
} HourSum;

static HourSum hour_of(const TrafficFound *f, size_t hour) {
    HourSum s = {0};
    for (size_t i = hour * MINUTES_OF_HOUR; i < f->n_minutes && i < (hour + 1) * MINUTES_OF_HOUR; i++) {
        s.requests += f->minutes[i].requests;
        s.input += f->minutes[i].input;
        s.output += f->minutes[i].output;
    }
    s.seconds = fmin(HOUR_S, fmax(f->span_s - (double)hour * HOUR_S, 1));
    return s;
}

static size_t hours_in(const TrafficFound *f) {
    return (f->n_minutes + MINUTES_OF_HOUR - 1) / MINUTES_OF_HOUR;
}

// clang-format off
#define HOUR_COLUMNS(X) \
    X("hour",          "HOUR",       NUMBER(4), h) \
    X("rate_rps",      "REQ/s",      NUMBER(4), s.requests / s.seconds) \
    X("input_tokens",  "TOKENS IN",  NUMBER(6), s.input) \
    X("output_tokens", "TOKENS OUT", NUMBER(6), s.output)

#define CURVE_COLUMNS(X) \
    X("capacity_tokens", "KV CAPACITY", NUMBER(6), f->hits.points[i].capacity_tokens) \
    X("block_hit_rate",  "BLOCK HITS",  NUMBER(5), f->block_hits.points[i].hit_rate) \
    X("hit_rate",        "TOKEN HITS",  NUMBER(5), f->hits.points[i].hit_rate)
// clang-format on

// Of the first `most` hours.
static Listing hours_listing(const TrafficFound *f, size_t most, Arena *a) {
    size_t n = hours_in(f) < most ? hours_in(f) : most;
    Listing l = LISTING(a, "by_hour", HOUR_COLUMNS, n + 1);
    for (size_t h = 0; h < n; h++) {
        HourSum s = hour_of(f, h);
        listing_row(&l, HOUR_COLUMNS(LISTING_CELL));
    }
    return l;
}

static Listing curve_listing(const TrafficFound *f, Arena *a) {
    Listing l = LISTING(a, "curve", CURVE_COLUMNS, f->hits.n + 1);
    for (size_t i = 0; i < f->hits.n; i++) listing_row(&l, CURVE_COLUMNS(LISTING_CELL));
    return l;
}

// ---------------------------------------------------------------- JSON

static void lengths_json(Json *root, const char *key, const LengthFound *l) {
    Json *j = json_add_object(root, key);
    json_add(j, J_NUMBER("mean", l->mean), J_NUMBER("std", l->std), J_NUMBER("min", l->min),
             J_NUMBER("p50", l->p50), J_NUMBER("p90", l->p90), J_NUMBER("p99", l->p99),
             J_NUMBER("max", l->max), J_NUMBER("sum", l->sum));
}

static void stamp_json(Json *j, const char *key, int64_t ns, bool absolute) {
    char text[32];
    if (!absolute) {
        json_add_null(j, key);
        return;
    }
    format_time(text, ns / NS);
    json_add_text(j, key, text);
}

static void arrivals_json(const TrafficFound *f, Arena *a, Json *root) {
    Json *j = json_add_object(root, "arrivals");
    stamp_json(j, "first", f->first_ns, f->has_times && f->absolute);
    stamp_json(j, "last", f->last_ns, f->has_times && f->absolute);
    json_add(j, J_NUMBER("span_s", f->span_s), J_NUMBER("rate_rps", f->rate_rps),
             J_NUMBER("busy_rps", f->busy_rps), J_NUMBER("busy_s", f->busy_s),
             J_NUMBER("busy_from_s",
                      f->has_times ? (double)(f->busy_from_ns - f->first_ns) / (double)NS : (double)NAN),
             J_BOOL("stamps_coarse", f->coarse_stamps), J_NUMBER("gap_cv", f->gap_cv));
    Json *list = json_add_array(j, "dispersion");
    for (int i = 0; i < IDC_WINDOWS; i++) {
        Json *x = json_add_object(list, NULL);
        json_add(x, J_NUMBER("window_s", idc_windows_s[i]), J_NUMBER("index", f->idc[i]));
    }
    Listing hours = hours_listing(f, SIZE_MAX, a);
    listing_json(&hours, j);
    list = json_add_array(j, "hours_of_day");
    for (int h = 0; h < HOURS_OF_DAY && is_known(f->hours[h]); h++) json_add_number(list, NULL, f->hours[h]);
}

static void in_flight_json(const TrafficFound *f, Json *root) {
    Json *j = json_add_object(root, "in_flight");
    json_add(j, J_NUMBER("first_s", f->service.first_s), J_NUMBER("input_token_s", f->service.input_s),
             J_NUMBER("output_token_s", f->service.output_s), J_NUMBER("mean", f->levels.mean),
             J_NUMBER("p50", f->levels.p50), J_NUMBER("p90", f->levels.p90), J_NUMBER("p99", f->levels.p99),
             J_NUMBER("max", f->levels.max), J_NUMBER("server_mean", f->running_mean));
}

static void reuse_json(const TrafficFound *f, Arena *a, Json *root) {
    Json *j = json_add_object(root, "reuse");
    json_add(j, J_NUMBER("server_hit_rate", f->cached_share),
             J_NUMBER("server_capacity_tokens", f->capacity_tokens),
             J_NUMBER("block_tokens", f->block_tokens), J_NUMBER("blocks", f->blocks),
             J_NUMBER("distinct_blocks", f->distinct_blocks),
             J_NUMBER("block_hit_rate_max", f->block_hit_max), J_NUMBER("hit_rate_max", f->hit_max),
             J_NUMBER("sessions", f->sessions), J_NUMBER("turns_mean", f->turns_mean),
             J_NUMBER("think_s_mean", f->think_s_mean));
    Listing curve = curve_listing(f, a);
    listing_json(&curve, j);
}

void traffic_json(const TrafficFound *f, Arena *a, Json *root) {
    json_add(root, J_TEXT("format", f->format), J_NUMBER("requests", f->requests),
             J_NUMBER("left_out", f->left_out), J_NUMBER("without_time", f->without_time));
    lengths_json(root, "input_tokens", &f->input);
    lengths_json(root, "output_tokens", &f->output);
    Json *j = json_add_object(root, "correlation");
    json_add(j, J_NUMBER("pearson", f->pearson), J_NUMBER("spearman", f->spearman));
    arrivals_json(f, a, root);
    in_flight_json(f, root);
    reuse_json(f, a, root);
    json_add_texts(root, "notes", f->notes, f->n_notes);
}

// ---------------------------------------------------------------- listings

// clang-format off
#define LENGTH_COLUMNS(X) \
    X("tokens", "TOKENS", TEXT,       name) \
    X("mean",   "MEAN",   NUMBER(6),  x->mean) \
    X("p50",    "P50",    NUMBER(6),  x->p50) \
    X("p90",    "P90",    NUMBER(6),  x->p90) \
    X("p99",    "P99",    NUMBER(6),  x->p99) \
    X("max",    "MAX",    NUMBER(6),  x->max) \
    X("sum",    "SUM",    NUMBER(10), x->sum)
// clang-format on

static void length_row(Listing *l, const char *name, const LengthFound *x) {
    listing_row(l, LENGTH_COLUMNS(LISTING_CELL));
}

static Listing lengths_listing(const TrafficFound *f, Arena *a) {
    Listing l = LISTING(a, "lengths", LENGTH_COLUMNS, 2);
    length_row(&l, "input", &f->input);
    length_row(&l, "output", &f->output);
    return l;
}

// clang-format off
#define FIGURE_COLUMNS(X) \
    X("what",    "WHAT",    TEXT,      what) \
    X("value",   "VALUE",   NUMBER(6), value) \
    X("meaning", "MEANING", TEXT,      meaning)
// clang-format on

static void figure(Listing *l, const char *what, double value, const char *meaning) {
    if (!is_known(value)) return;
    listing_row(l, FIGURE_COLUMNS(LISTING_CELL));
}

static void arrivals_figures(const TrafficFound *f, Arena *a, Listing *l) {
    static const char *const windows[IDC_WINDOWS] = {"dispersion at 1 s", "dispersion at 10 s",
                                                     "dispersion at 60 s", "dispersion at 300 s",
                                                     "dispersion at 1 h"};
    figure(l, "requests", f->requests, "with lengths of prompt and answer");
    figure(l, "span", f->span_s, "seconds from the first arrival to the last");
    figure(l, "rate", f->rate_rps, "requests a second, mean");
    figure(l, "busy rate", f->busy_rps,
           f->busy_s >= HOUR_S ? "requests a second in the busiest hour"
                               : "the same: there is no whole hour to choose");
    figure(l, "CV of gaps", f->coarse_stamps ? (double)NAN : f->gap_cv, "1 for Poisson arrivals");
    for (int i = 0; i < IDC_WINDOWS; i++) {
        bool below = f->coarse_stamps && idc_windows_s[i] < 10;
        figure(l, windows[i], below ? (double)NAN : f->idc[i],
               "variance over mean of counts; 1 for Poisson arrivals");
    }
    if (!is_known(f->levels.mean)) return;
    const char *service =
        arena_printf(a, "requests at once if each takes %g s + %g ms a prompt token + %g ms a token more",
                     f->service.first_s, f->service.input_s * 1e3, f->service.output_s * 1e3);
    figure(l, "in flight, mean", f->levels.mean, service);
    figure(l, "in flight, p50", f->levels.p50, "of the time");
    figure(l, "in flight, p90", f->levels.p90, "of the time");
    figure(l, "in flight, p99", f->levels.p99, "of the time");
    figure(l, "in flight, most", f->levels.max, "a fleet sized for the mean misses this");
}

static Listing figures_listing(const TrafficFound *f, Arena *a) {
    enum { ROWS_MAX = 40 };
    Listing made = LISTING(a, "figures", FIGURE_COLUMNS, ROWS_MAX), *l = &made;
    arrivals_figures(f, a, l);
    figure(l, "in flight, server", f->running_mean, "requests at once, as the server said");
    figure(l, "correlation", f->pearson, "of input and output lengths (Pearson)");
    figure(l, "rank correlation", f->spearman, "the same of ranks (Spearman)");
    figure(l, "tokens in per out", f->input.sum / f->output.sum,
           "a price per output token alone says little where this is high");
    figure(l, "hit rate, server", f->cached_share,
           "share of input tokens that the server's cache held, as it said");
    figure(l, "KV cache, server", f->capacity_tokens, "tokens, as the server said");
    figure(l, "block", f->block_tokens, "tokens");
    figure(l, "blocks", f->blocks, "of all prompts");
    figure(l, "distinct blocks", f->distinct_blocks, "");
    figure(l, "hit rate, endless cache", f->hit_max, "share of input tokens that came before (theoretical)");
    figure(l, "sessions at once", f->sessions, "for which the hit rates below hold");
    figure(l, "requests a session", f->turns_mean, "mean");
    figure(l, "think time", f->think_s_mean, "seconds from an answer to the next request, mean");
    return made;
}

enum { HOURS_SHOWN = 48 };

// ---------------------------------------------------------------- a page

static void numbers(Json *parent, const char *key, double x) { json_add_number(parent, key, x); }

// Points of a line: {"id","kind":"curve","x","y","log","series":[{"label","points":[{"x","y"}]}]}.
static Json *curve_figure(Json *figures, const char *id, const char *x, const char *y, bool log,
                          const char *label) {
    Json *j = json_add_object(figures, NULL);
    json_add(j, J_TEXT("id", id), J_TEXT("kind", "curve"), J_TEXT("x", x), J_TEXT("y", y),
             J_BOOL("log", log));
    Json *series = json_add_object(json_add_array(j, "series"), NULL);
    json_add_text(series, "label", label);
    return json_add_array(series, "points");
}

static void point(Json *points, double x, double y) {
    Json *p = json_add_object(points, NULL);
    numbers(p, "x", x);
    numbers(p, "y", y);
}

static void page_figures(const TrafficFound *f, Arena *a, Json *figures, Buf *out) {
    enum { POINTS_MAX = 1000 };
    if (f->n_minutes > 1) {
        Listing l = hours_listing(f, HOURS_SHOWN, a);
        html_figure(out, "load", "Load by time", "Requests a second, minute by minute",
                    "a line of requests a second", &l);
        Json *points = curve_figure(figures, "load", "minutes from the first arrival", "requests/s", false,
                                    "requests/s");
        size_t each = f->n_minutes / POINTS_MAX + 1;
        for (size_t i = 0; i + each <= f->n_minutes; i += each) {
            double sum = 0;
            for (size_t k = 0; k < each; k++) sum += f->minutes[i + k].requests;
            point(points, (double)i, sum / (60.0 * (double)each));
        }
    }
    if (f->hits.n > 0) {
        Listing l = curve_listing(f, a);
        html_figure(out, "hits", "Hit rate by KV capacity",
                    "What a least-recently-used prefix cache of so many tokens finds",
                    "a rising line of hit rate against capacity", &l);
        Json *points = curve_figure(figures, "hits", "tokens of KV cache for reuse", "hit rate", true,
                                    "share of input tokens");
        for (size_t i = 0; i < f->hits.n; i++)
            point(points, f->hits.points[i].capacity_tokens, f->hits.points[i].hit_rate);
    }
}

static void html_page(const TrafficFound *f, const char *title, const char *made, Arena *a, Buf *out) {
    Listing lengths = lengths_listing(f, a), found = figures_listing(f, a);
    Json *figures = json_array();
    html_open(out, title);
    html_element(out, "h1", "", title);
    html_section(out, "", f->format[0] != '\0' ? f->format : "Traffic");
    html_table(out, "lengths", &lengths);
    html_table(out, "figures", &found);
    html_end(out, "section");
    html_section(out, "", "Plots");
    page_figures(f, a, figures, out);
    html_end(out, "section");
    html_section(out, "", "To mind");
    buf_puts(out, "<ul>");
    for (size_t i = 0; i < f->n_notes; i++) html_element(out, "li", "", f->notes[i]);
    buf_puts(out, "</ul>");
    html_end(out, "section");
    html_close(out, figures, made);
    json_free(figures);
}

// ---------------------------------------------------------------- text

static void heading(Buf *out, Format format, const char *title) {
    buf_printf(out, format == FORMAT_MD ? "\n## %s\n\n" : "\n%s\n", title);
}

static void section(const char *title, Listing l, Format format, Room room, Buf *out) {
    heading(out, format, title);
    listing_print(&l, format, room, out);
}

void traffic_text(const TrafficFound *f, const char *title, const char *made, Format format, Room room,
                  Arena *a, Buf *out) {
    if (format == FORMAT_HTML) {
        html_page(f, title, made, a, out);
        return;
    }
    Listing l = figures_listing(f, a);
    if (format == FORMAT_CSV) {
        listing_print(&l, format, room, out);
        return;
    }
    buf_printf(out, format == FORMAT_MD ? "# %s\n\n%s\n" : "%s: %s\n", title, f->format);
    section("Lengths", lengths_listing(f, a), format, room, out);
    section("Arrivals and reuse", l, format, room, out);
    if (f->hits.n > 0)
        section("Hit rate by KV capacity (tokens left for reuse)", curve_listing(f, a), format, room, out);
    if (hours_in(f) > 1) {
        section("By hour, from the first arrival", hours_listing(f, HOURS_SHOWN, a), format, room, out);
        if (hours_in(f) > HOURS_SHOWN)
            buf_printf(out, "The first %d of %zu hours; --json has all.\n", HOURS_SHOWN, hours_in(f));
    }
    heading(out, format, "To mind");
    for (size_t i = 0; i < f->n_notes; i++) {
        buf_puts(out, "- ");
        text_wrapped(out, f->notes[i], 2, room.width > 2 ? room.width - 2 : room.width);
    }
}
