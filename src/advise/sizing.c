// Replicas for the busy hour by simulation, and what a day costs with and without scaling.
#include "src/advise/sizing.h"

#include <math.h>

// ---------------------------------------------------------------- over a day

static int needed(double rate, double each_rps) { return (int)fmax(ceil(rate / each_rps - 1e-9), 1); }

static double billed(double use_s, double billing_s) {
    return billing_s > 0 ? ceil(use_s / billing_s - 1e-9) * billing_s : use_s;
}

// What the k-th instance is billed, which runs while k or more are wanted, and over a pause where stopping it
// would not cost less.
static double paid_s(const int *want, size_t n, double interval_s, int k, double billing_s) {
    double paid = 0, use = 0, gap = 0, next = 0;
    for (size_t i = 0; i <= n; i++) {
        bool runs = i < n && want[i] >= k;
        next += runs ? interval_s : 0;
        if (runs && i + 1 < n && want[i + 1] >= k) continue;
        if (next > 0) {
            if (use > 0 &&
                billed(use + gap + next, billing_s) > billed(use, billing_s) + billed(next, billing_s)) {
                paid += billed(use, billing_s);
                use = gap = 0;
            }
            use += gap + next;
            next = gap = 0;
        } else if (use > 0) {
            gap += interval_s;
        }
    }
    return paid + billed(use, billing_s);
}

double scaled_hours(const double *rates, size_t n, double interval_s, double each_rps, const Scaling *s,
                    Arena *a, int *ret_floor) {
    int *want = arena_alloc(a, n, sizeof *want);
    size_t ahead = (size_t)ceil(s->start_s / interval_s);
    int most = 0, least = INT32_MAX;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = i; k < n && k <= i + ahead; k++) {  // paid from the order on
            int need = needed(rates[k], each_rps);
            if (need > want[i]) want[i] = need;
        }
        if (want[i] > most) most = want[i];
        if (want[i] < least) least = want[i];
    }
    double seconds = 0;
    for (int k = 1; k <= most; k++)
        seconds += fmin(paid_s(want, n, interval_s, k, s->billing_s), (double)n * interval_s);
    *ret_floor = least;
    return seconds / HOUR_S;
}

double reacting_short(const double *rates, size_t n, double interval_s, double each_rps, const Scaling *s) {
    size_t late = (size_t)ceil(s->start_s / interval_s) + 1;  // seen once an interval is over
    double missed = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        int have = i >= late ? needed(rates[i - late], each_rps) : needed(rates[0], each_rps);
        all += rates[i];
        if (needed(rates[i], each_rps) > have) missed += rates[i];
    }
    return all > 0 ? missed / all : 0;
}

// ---------------------------------------------------------------- the busy hour

static bool keeps(const Ask *ask, const FleetRun *r) {
    const Workload *w = &ask->workload;
    bool limited = is_known(w->ttft_p99_ms) || is_known(w->tpot_ms);
    if (r->unserved || r->requests <= 0) return false;
    return !(r->ttft_s.p99 * 1000 > w->ttft_p99_ms) && !(r->tpot_s.p99 * 1000 > w->tpot_ms) &&
           (limited || r->wait_s.p99 <= SIZING_WAIT_S);
}

typedef struct Trial {
    const Ask *ask;
    const Option *option;
    const TrafficLoad *load;
    ReplicaModel model;
    int per_instance;
} Trial;

// So many instances under the busy hour; with requests that stand for several, a part of the fleet.
static bool try_instances(const Trial *t, int instances, FleetRun *ret_run) {
    Arena scratch = {0};
    double replicas = fmax(round(instances * t->per_instance / t->load->thinned), 1);
    bool ok = fleet_simulate(&t->model, (size_t)replicas, ROUTE_LEAST, t->load->busy, t->load->n_busy,
                             &scratch, ret_run) &&
              keeps(t->ask, ret_run);
    arena_free(&scratch);
    return ok;
}

// The fewest instances that keep the limits, from what the closed form says: up until they do, then by
// halves.
static int fewest(const Trial *t, int from, FleetRun *ret_run, bool *ret_met) {
    enum { TRIES = 8 };
    int bad = 0, good = from;
    *ret_met = try_instances(t, good, ret_run);
    for (int i = 0; i < TRIES && !*ret_met; i++) {
        bad = good;
        good = (int)ceil(good * 1.5);
        *ret_met = try_instances(t, good, ret_run);
    }
    while (*ret_met && good - bad > 1 && (double)good / fmax(bad, 1) > 1.05) {
        int middle = (good + bad) / 2;
        FleetRun run;
        if (try_instances(t, middle, &run)) {
            good = middle;
            *ret_run = run;
        } else {
            bad = middle;
        }
    }
    return good;
}

static Estimate as_paid(const Option *o, double usd, double tokens) {
    const Estimate *x = &o->output_usd_mtok;
    double value = usd / tokens * 1e6;
    return (Estimate){value, value * x->low / x->value, value * x->high / x->value, x->basis, x->sources};
}

static double mean_rate(const TrafficLoad *load) {
    double sum = 0;
    for (size_t i = 0; i < load->n_rates; i++) sum += load->rates[i];
    return sum / (double)load->n_rates;
}

// Over a day, where the trace tells how the load moves.
static void cost_days(const TrafficLoad *load, const Scaling *scaling, Arena *a, Sizing *s) {
    const Option *o = s->option;
    double usd_h = o->price_usd_h / o->instances;
    s->fixed_usd_day = usd_h * s->instances * 24;
    s->fixed_usd_month = s->fixed_usd_day * DAYS_A_MONTH;
    if (load->rates == NULL) return;
    double days = (double)load->n_rates * load->interval_s / DAY_S, rate = mean_rate(load);
    double each_rps = load->busy_rps / s->instances;
    double output = rate * load->output_mean * DAY_S, total = output + rate * load->input_mean * DAY_S;
    // work is in proportion to requests: the busy hour's share of working time, at the day's mean rate
    double work = s->run.busy_share * s->instances * rate / load->busy_rps * 24;
    s->scaled_hours_day = scaled_hours(load->rates, load->n_rates, load->interval_s, each_rps, scaling, a,
                                       &s->floor_instances) /
                          days;
    s->scaled_usd_day = usd_h * s->scaled_hours_day;
    s->scaled_usd_month = s->scaled_usd_day * DAYS_A_MONTH;
    s->short_share = reacting_short(load->rates, load->n_rates, load->interval_s, each_rps, scaling);
    s->fixed_idle = fmax(1 - work / (24.0 * s->instances), 0);
    s->scaled_idle = fmax(1 - work / s->scaled_hours_day, 0);
    s->fixed_usd_mtok = as_paid(o, s->fixed_usd_day, output);
    s->scaled_usd_mtok = as_paid(o, s->scaled_usd_day, output);
    s->fixed_total_usd_mtok = s->fixed_usd_day / total * 1e6;
    s->scaled_total_usd_mtok = s->scaled_usd_day / total * 1e6;
}

// ---------------------------------------------------------------- growth

// The busy hour's requests `faster` times as fast.
static TrafficLoad faster_load(const TrafficLoad *load, double faster, Arena *a) {
    TrafficLoad quick = *load;
    Arrival *busy = arena_alloc(a, load->n_busy + 1, sizeof *busy);
    for (size_t i = 0; i < load->n_busy; i++) {
        busy[i] = load->busy[i];
        busy[i].at_s /= faster;
    }
    quick.busy = busy;
    return quick;
}

// How many times the load the fleet still carries, between 1, which it does, and `most`.
static double carries_times(const Trial *t, int instances, double most) {
    enum { TRIES = 6 };
    double low = 1, high = most;
    for (int i = 0; i <= TRIES && high > low; i++) {
        Arena scratch = {0};
        double times = i == 0 ? most : sqrt(low * high);
        TrafficLoad quick = faster_load(t->load, times, &scratch);
        Trial trial = *t;
        trial.load = &quick;
        FleetRun run;
        if (try_instances(&trial, instances, &run))
            low = times;
        else
            high = times;
        arena_free(&scratch);
    }
    return low;
}

static double scaled_month_usd(const TrafficLoad *load, const Scaling *scaling, double usd_h, double times,
                               double each_rps) {
    if (load->rates == NULL) return (double)NAN;
    Arena scratch = {0};
    int ignored = 0;
    double hours = scaled_hours(load->rates, load->n_rates, load->interval_s, each_rps / times, scaling,
                                &scratch, &ignored);
    arena_free(&scratch);
    return usd_h * hours / ((double)load->n_rates * load->interval_s / DAY_S) * DAYS_A_MONTH;
}

void grow_fleet(const Ask *ask, const TrafficLoad *load, const Scaling *scaling, size_t months, Arena *a,
                Sizing *s) {
    if (!s->met || months == 0) return;
    const Option *o = s->option;
    double usd_h = o->price_usd_h / o->instances;
    Trial t = {.ask = ask, .option = o, .load = load, .model = replica_model(&o->serving, a)};
    t.per_instance = o->replicas / o->instances;
    Growth *g = arena_alloc(a, 1, sizeof *g);
    GrowthMonth *m = arena_alloc(a, months, sizeof *m);
    double most = fmax(pow(1 + load->growth, (double)months - 1), 1);
    *g = (Growth){.short_month = (double)NAN, .months = m, .n_months = months};
    g->carries_rps = load->busy_rps * carries_times(&t, s->instances, most);
    double each_rps = g->carries_rps / s->instances;
    for (size_t i = 0; i < months; i++) {
        double times = pow(1 + load->growth, (double)i);
        m[i].busy_rps = load->busy_rps * times;
        int need = needed(m[i].busy_rps, each_rps);
        // what was simulated for the first month stands: smaller fleets carry less each
        m[i].instances = times >= 1 ? (need > s->instances ? need : s->instances)
                                    : (need < s->instances ? need : s->instances);
        m[i].fixed_usd = usd_h * m[i].instances * 24 * DAYS_A_MONTH;
        m[i].scaled_usd = scaled_month_usd(load, scaling, usd_h, times, each_rps);
        g->fixed_usd += m[i].fixed_usd;
        g->scaled_usd += m[i].scaled_usd;
        if (!is_known(g->short_month) && m[i].instances > s->instances) g->short_month = (double)(i + 1);
    }
    s->growth = g;
}

Sizing size_fleet(const Ask *ask, const Option *o, const TrafficLoad *load, const Scaling *scaling,
                  Arena *a) {
    const Estimate unknown = {(double)NAN, (double)NAN, (double)NAN, BASIS_UNKNOWN, ""};
    Sizing s = {.option = o,
                .closed_instances = o->instances,
                .fixed_idle = (double)NAN,
                .scaled_usd_day = (double)NAN,
                .scaled_usd_month = (double)NAN,
                .scaled_idle = (double)NAN,
                .scaled_hours_day = (double)NAN,
                .short_share = (double)NAN,
                .fixed_usd_mtok = unknown,
                .scaled_usd_mtok = unknown,
                .fixed_total_usd_mtok = (double)NAN,
                .scaled_total_usd_mtok = (double)NAN};
    Trial t = {.ask = ask, .option = o, .load = load, .model = replica_model(&o->serving, a)};
    t.per_instance = o->replicas / o->instances;
    s.instances = fewest(&t, o->instances, &s.run, &s.met);
    s.replicas = s.instances * t.per_instance;
    s.gpus = o->gpu_count / o->instances * s.instances;
    cost_days(load, scaling, a, &s);
    return s;
}
