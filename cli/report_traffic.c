// `report --traffic`: the load of logs, traces and kept summaries, and the fleets that carry it.
#include "cli/report_traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/traffic.h"

// Requests of the busy hour that are simulated at most; beyond, each stands for several of a larger fleet.
enum { BUSY_MAX = 100000, MINUTES_OF_DAY = 1440, MINUTE_S = 60 };

// One traffic of those that share the fleet.
typedef struct Part {
    double requests_rps, input_mean, output_mean;  // of the busy hour; means of all
    const Arrival *busy;
    size_t n;
    double busy_s, thinned;
    double *rates;  // by minute; NULL: not known
    size_t n_rates;
    const char *basis;
} Part;

// Seconds of an hour that are simulated: whole minutes, as many as there is time for.
static double part_of_hour(double rate, double hour_s) {
    if (rate * hour_s <= BUSY_MAX) return hour_s;
    return fmax(floor(BUSY_MAX / rate / MINUTE_S), 1) * MINUTE_S;
}

// ---------------------------------------------------------------- kept summaries

// 24 numbers as rates by the minute, their highest being `busy_rps`. NULL: they are not known.
static double *rates_of_hours(App *app, const Traffic *t, double busy_rps) {
    Str rest = str_of(t->hours);
    Str word;
    double hours[HOURS_OF_DAY], most = 0;
    int n = 0;
    Err ignored = {0};
    while (str_next(&rest, ' ', &word)) {
        if (word.length == 0) continue;
        if (n == HOURS_OF_DAY || !parse_number(word, 0, 1e6, &hours[n], &ignored)) return NULL;
        most = fmax(most, hours[n++]);
    }
    if (n < HOURS_OF_DAY || !(most > 0)) return NULL;
    double *rates = arena_alloc(&app->arena, MINUTES_OF_DAY, sizeof *rates);
    for (int i = 0; i < MINUTES_OF_DAY; i++) rates[i] = busy_rps * hours[i / MINUTE_S] / most;
    return rates;
}

static bool named_part(App *app, const Facts *f, const char *name, Part *p, Err *e) {
    const Traffic *t = NULL;
    if (!find_traffic(f->traffic, f->n_traffic, name, &t, e)) return false;
    double rate = is_known(t->busy_rps) ? t->busy_rps : t->rate_rps;
    if (opt_set(app, OPT_RATE)) rate = opt_number(app, OPT_RATE, rate);
    if (!is_known(rate))
        return err_set(e, ERR_USAGE, "traffic '%s' has no rate: give --rate%s", name,
                       is_known(t->hit_sessions) ? ", or name it alone, for sessions at once" : "");
    if (!is_known(t->input_mean) || !is_known(t->output_mean))
        return err_set(e, ERR_USAGE, "traffic '%s' has no lengths", name);
    *p = (Part){.requests_rps = rate,
                .input_mean = t->input_mean,
                .output_mean = t->output_mean,
                .busy_s = HOUR_S,
                .thinned = 1};
    p->busy_s = part_of_hour(rate, HOUR_S);
    while (rate / p->thinned * p->busy_s > BUSY_MAX) p->thinned *= 2;
    p->busy = traffic_draw(t, rate / p->thinned, p->busy_s, (uint64_t)opt_integer(app, OPT_SEED, 0),
                           &app->arena, &p->n);
    p->rates = rates_of_hours(app, t, rate);
    p->n_rates = p->rates != NULL ? MINUTES_OF_DAY : 0;
    p->basis = arena_printf(&app->arena, "%s: requests drawn from its lengths and bursts", name);
    return true;
}

// ---------------------------------------------------------------- files

// The busiest minutes of the busy hour, where the whole is too much.
static void narrow(const TrafficFound *x, TrafficOptions *o) {
    const int64_t minute_ns = MINUTE_S * INT64_C(1000000000);
    size_t first = (size_t)((x->busy_from_ns - x->first_ns) / minute_ns),
           hour = (size_t)(x->busy_s / MINUTE_S);
    size_t m = (size_t)(part_of_hour(x->busy_rps, x->busy_s) / MINUTE_S), best = first;
    double sum = 0, most = -1;
    if (m >= hour) return;
    for (size_t i = first; i < first + hour && i < x->n_minutes; i++) {
        sum += x->minutes[i].requests;
        if (i >= first + m) sum -= x->minutes[i - m].requests;
        if (i + 1 >= first + m && sum > most) most = sum, best = i + 1 - m;
    }
    o->keep_from_ns = x->first_ns + (int64_t)best * minute_ns;
    o->keep_to_ns = o->keep_from_ns + (int64_t)m * minute_ns;
}

// The mean of the hour around each minute.
static double *smooth(App *app, const TrafficFound *x, double faster) {
    enum { HALF = 30 };
    double *rates = arena_alloc(&app->arena, x->n_minutes, sizeof *rates);
    for (size_t i = 0; i < x->n_minutes; i++) {
        size_t from = i > HALF ? i - HALF : 0, to = i + HALF < x->n_minutes ? i + HALF : x->n_minutes;
        for (size_t k = from; k < to; k++) rates[i] += x->minutes[k].requests;
        rates[i] *= faster / (MINUTE_S * (double)(to - from));
    }
    return rates;
}

static bool file_part(App *app, const char *path, Part *p, Err *e) {
    enum { DAY_LEAST = 20 * 60 };  // minutes of a trace that tells how a day goes
    TrafficOptions options = {.sessions = (double)NAN, .keep_max = BUSY_MAX};
    TrafficScan *scan = NULL;
    TrafficFound x;
    if (!traffic_read(app, &path, 1, &options, &scan, &x, e)) return false;
    if (!(x.requests > 0) || !is_known(x.input.p50) || !(x.rate_rps > 0))
        return err_set(e, ERR_USAGE, "'%s' has no arrivals of single requests, which a simulation needs",
                       path);
    for (size_t i = 0; i < x.n_notes; i++) app_warn_text(app, x.notes[i]);
    options.keep_from_ns = x.busy_from_ns;
    options.keep_to_ns = x.busy_from_ns + (int64_t)(x.busy_s * 1e9) + 1;
    narrow(&x, &options);
    TrafficFound again;
    if (!traffic_read(app, &path, 1, &options, &scan, &again, e)) return false;
    *p = (Part){.requests_rps = x.busy_rps,
                .input_mean = x.input.mean,
                .output_mean = x.output.mean,
                .busy_s = (double)(options.keep_to_ns - options.keep_from_ns) / 1e9};
    const Arrival *kept = traffic_scan_kept(scan, &p->n, &p->thinned);
    double faster = opt_set(app, OPT_RATE) ? opt_number(app, OPT_RATE, 1) / x.busy_rps : 1;
    Arrival *busy = arena_alloc(&app->arena, p->n + 1, sizeof *busy);
    for (size_t i = 0; i < p->n; i++) {
        busy[i] = kept[i];
        busy[i].at_s /= faster;
    }
    p->busy = busy;
    p->busy_s /= faster;
    p->requests_rps *= faster;
    if (x.n_minutes >= DAY_LEAST) {
        p->n_rates = x.n_minutes;
        p->rates = smooth(app, &x, faster);
    }
    p->basis = arena_printf(&app->arena, "%s: requests as they came%s", text_clean(&app->arena, path),
                            faster != 1 ? ", at the rate that --rate gives" : "");
    return true;
}

// ---------------------------------------------------------------- together

// Requests of all parts, each thinned as the most thinned one.
static void merge_busy(App *app, const Part *parts, size_t n, TrafficLoad *load) {
    size_t all = 0;
    load->thinned = 1;
    for (size_t i = 0; i < n; i++) {
        all += parts[i].n;
        load->thinned = fmax(load->thinned, parts[i].thinned);
    }
    Arrival *busy = arena_alloc(&app->arena, all + 1, sizeof *busy);
    for (size_t i = 0; i < n; i++) {
        size_t each = (size_t)(load->thinned / parts[i].thinned);
        for (size_t k = 0; k < parts[i].n; k += each) busy[load->n_busy++] = parts[i].busy[k];
    }
    if (n > 1) arrivals_sort(busy, load->n_busy);
    load->busy = busy;
}

static double spread_of(const Arrival *x, size_t n) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += x[i].input;
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) squares += (x[i].input - mean) * (x[i].input - mean);
    return mean > 0 ? sqrt(squares / (double)n) / mean : 0;
}

// One traffic's minutes as they are; of several the mean day of each, added.
static void merge_rates(App *app, const Part *parts, size_t n, TrafficLoad *load) {
    load->interval_s = MINUTE_S;
    for (size_t i = 0; i < n; i++) {
        if (parts[i].rates == NULL) return;
    }
    if (n == 1) {
        load->rates = parts[0].rates;
        load->n_rates = parts[0].n_rates;
        return;
    }
    double *rates = arena_alloc(&app->arena, MINUTES_OF_DAY, sizeof *rates);
    for (size_t i = 0; i < n; i++) {
        double days = (double)parts[i].n_rates / MINUTES_OF_DAY;
        for (size_t k = 0; k < parts[i].n_rates; k++)
            rates[k % MINUTES_OF_DAY] += parts[i].rates[k] / fmax(days, 1);
    }
    load->rates = rates;
    load->n_rates = MINUTES_OF_DAY;
}

static void merge(App *app, const char *const *names, const Part *parts, size_t n, TrafficLoad *load) {
    const char *name = "", *basis = "";
    for (size_t i = 0; i < n; i++) {
        const Part *p = &parts[i];
        name =
            arena_printf(&app->arena, "%s%s%s", name, i > 0 ? " + " : "", text_clean(&app->arena, names[i]));
        basis = arena_printf(&app->arena, "%s%s%s", basis, i > 0 ? "; " : "", p->basis);
        load->input_mean += p->input_mean * p->requests_rps;
        load->output_mean += p->output_mean * p->requests_rps;
        load->busy_rps += p->requests_rps;
        load->busy_s = fmax(load->busy_s, p->busy_s);
    }
    load->name = name;
    load->basis = basis;
    load->input_mean /= load->busy_rps;
    load->output_mean /= load->busy_rps;
    merge_busy(app, parts, n, load);
    load->input_cv = spread_of(load->busy, load->n_busy);
    merge_rates(app, parts, n, load);
}

static bool is_file(const char *name) {
    struct stat st;
    return stat(name, &st) == 0 && S_ISREG(st.st_mode);
}

// A kept traffic of agents, whose requests wait for answers: the load is sessions at once, not a rate. NULL: it
// is none, or --rate makes a rate of it.
static const Traffic *of_sessions(const App *app, const Facts *f, const char *name) {
    const Traffic *t = is_file(name) || opt_set(app, OPT_RATE) ? NULL : traffic_named(f, name);
    bool sessions = t != NULL && is_known(t->hit_sessions) && !is_known(t->rate_rps) &&
                    is_known(t->input_mean) && is_known(t->output_mean);
    return sessions ? t : NULL;
}

static void plan_sessions(App *app, const Traffic *t, Workload *w) {
    w->traffic_id = t->traffic_id;
    w->isl_tokens = fmax(round(t->input_mean), 1);
    w->osl_tokens = fmax(round(t->output_mean), 1);
    w->rate_rps = w->concurrency = (double)NAN;
    app_warn(app,
             "traffic '%s' is of sessions, which wait for their answers: the fleet is sized for %s, without "
             "a busy hour",
             t->traffic_id,
             opt_set(app, OPT_SESSIONS)
                 ? "--sessions"
                 : "as many as give most within the limits (--sessions N: for so many)");
}

// What says lengths or load too.
static bool refuse_others(const App *app, bool sessions, Err *e) {
    static const OptionId others[] = {OPT_CONCURRENCY, OPT_FLEET, OPT_ISL, OPT_OSL, OPT_SESSIONS};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (!opt_typed(app, others[i]) || (others[i] == OPT_SESSIONS && sessions)) continue;
        return err_set(
            e, ERR_USAGE,
            "options '--traffic' and '--%s' exclude each other: load and lengths are the traffic's",
            option_table[others[i]].name);
    }
    return true;
}

// What only says something of a traffic at a rate, and of these what only reads a file.
static bool allows(const App *app, const char *const *names, size_t n, const Traffic *sessions, Err *e) {
    static const OptionId of_rates[] = {OPT_GROWTH, OPT_START_MIN, OPT_BILLING_MIN, OPT_MAP,
                                        OPT_BLOCK_TOKENS};
    enum { OF_FILES = 3 };
    bool file = false;
    for (size_t i = 0; i < n; i++) file = file || is_file(names[i]);
    for (size_t i = 0; i < COUNT_OF(of_rates); i++) {
        const char *name = option_table[of_rates[i]].name;
        if (!opt_typed(app, of_rates[i])) continue;
        if (n == 0)
            return err_set(e, ERR_USAGE, "option '--%s' is of a traffic: give --traffic as well", name);
        if (sessions != NULL)
            return err_set(e, ERR_USAGE,
                           "option '--%s' is of requests at a rate, and traffic '%s' is of sessions", name,
                           sessions->traffic_id);
        if (i >= OF_FILES && !file)
            return err_set(e, ERR_USAGE, "option '--%s' is of a file: '--traffic' names none", name);
    }
    return true;
}

// "5" or "5%" as 0.05.
static bool read_growth(const App *app, double *ret_share, Err *e) {
    *ret_share = (double)NAN;
    if (!opt_set(app, OPT_GROWTH)) return true;
    Str text = str_of(opt_text(app, OPT_GROWTH, ""));
    if (text.length > 0 && text.data[text.length - 1] == '%') text.length--;
    if (!parse_number(text, -50, 100, ret_share, e)) return err_wrap(e, "option '--growth'");
    *ret_share /= 100;
    return true;
}

bool report_traffic(App *app, const Facts *f, Ask *ask, const TrafficLoad **ret_load, Err *e) {
    const char *const *names = NULL;
    size_t n = opt_list(app, OPT_TRAFFIC, &names);
    double growth = (double)NAN;
    *ret_load = NULL;
    if (!read_growth(app, &growth, e)) return false;
    if (n == 0) return allows(app, names, n, NULL, e);
    if (!serves_tokens(&ask->workload))
        return err_set(e, ERR_USAGE, "option '--traffic' is for token serving; workload '%s' is of kind %s",
                       ask->workload.workload_id, kind_names[ask->workload.kind]);
    const Traffic *agents = n == 1 ? of_sessions(app, f, names[0]) : NULL;
    if (!refuse_others(app, agents != NULL, e) || !allows(app, names, n, agents, e)) return false;
    if (agents != NULL) {
        plan_sessions(app, agents, &ask->workload);
        return true;
    }
    if (n > 1 && opt_set(app, OPT_RATE))
        return err_set(e, ERR_USAGE, "option '--rate' says the rate of one traffic, and there are %zu", n);
    Part *parts = arena_alloc(&app->arena, n, sizeof *parts);
    for (size_t i = 0; i < n; i++) {
        if (!(is_file(names[i]) ? file_part(app, names[i], &parts[i], e)
                                : named_part(app, f, names[i], &parts[i], e)))
            return err_wrap(e, "option '--traffic'");
    }
    TrafficLoad *load = arena_alloc(&app->arena, 1, sizeof *load);
    merge(app, names, parts, n, load);
    load->growth = growth;
    Workload *w = &ask->workload;
    w->isl_tokens = fmax(round(load->input_mean), 1);
    w->osl_tokens = fmax(round(load->output_mean), 1);
    w->rate_rps = load->busy_rps;
    w->concurrency = (double)NAN;
    ask->techniques.length_cv = fmax(load->input_cv, LENGTHS_ALIKE);
    *ret_load = load;
    return true;
}

void report_size(App *app, const TrafficLoad *load, Advice *advice) {
    enum { SIZED_MAX = 4 };
    static const double START_MIN = 10, BILLING_MIN = 60;
    if (load == NULL) return;
    Sizing *sizings = arena_alloc(&app->arena, SIZED_MAX, sizeof *sizings);
    Scaling *scaling = arena_alloc(&app->arena, 1, sizeof *scaling);
    *scaling = (Scaling){opt_number(app, OPT_START_MIN, START_MIN) * MINUTE_S,
                         opt_number(app, OPT_BILLING_MIN, BILLING_MIN) * MINUTE_S};
    const Option *options[SIZED_MAX] = {advice->best[VENDOR_NVIDIA], advice->best[VENDOR_AMD],
                                        advice->next[VENDOR_NVIDIA], advice->next[VENDOR_AMD]};
    size_t n = 0;
    for (size_t i = 0; i < SIZED_MAX; i++) {
        if (options[i] == NULL || options[i]->serving.limits == NULL) continue;
        sizings[n] = size_fleet(advice->ask, options[i], load, scaling, &app->arena);
        if (is_known(load->growth))
            grow_fleet(advice->ask, load, scaling, (size_t)round(advice->term_months), &app->arena,
                       &sizings[n]);
        n++;
    }
    advice->sizings = sizings;
    advice->n_sizings = n;
    advice->load = load;
    advice->scaling = scaling;
}
