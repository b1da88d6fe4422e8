// What moved a verdict: two answers compared, one thing swapped at a time.
#include "src/report/moved.h"

#include <string.h>

const char *const mover_names[] = {"question",   "price", "speed", "option", "version", "facts",
                                   "assumption", "needs", "port",  "range",  NULL};

typedef struct Compare {
    const Baseline *from, *to;
    Arena *a;
    Moved *m;
} Compare;

static Mover *add(Compare *c, MoverKind kind, int vendor, const char *what) {
    if (c->m->n == MOVERS_MAX) return NULL;
    Mover *x = &c->m->list[c->m->n++];
    *x = (Mover){.kind = kind,
                 .vendor = vendor,
                 .what = what,
                 .from = (double)NAN,
                 .to = (double)NAN,
                 .unit = "",
                 .ln_ratio = (double)NAN};
    return x;
}

static void why(Mover *x, const char *text) {
    if (x->n_whys < MOVER_WHYS_MAX) x->whys[x->n_whys++] = text;
}
#define why_printf(c, x, ...) why((x), arena_printf((c)->a, __VA_ARGS__))

static const char *clean_text(Arena *a, const Json *j) {
    return json_text(j) != NULL ? text_clean(a, json_text(j)) : NULL;
}

static const char *or_none(const char *text) { return text != NULL ? text : "none"; }

static bool same(const char *x, const char *y) { return strcmp(x != NULL ? x : "", y != NULL ? y : "") == 0; }

static bool same_member(const Json *x, const Json *y, const char *key) {
    return same(json_text(json_get(x, key)), json_text(json_get(y, key)));
}

// ---------------------------------------------------------------- options

// By what the options of a kind of workload are ranked, and what a GPU-hour then gives.
static const struct {
    const char *key, *unit;
} costs[] = {{"output_usd_per_mtok", "million output tokens a GPU-hour"},
             {"usd_per_1k_images", "thousand images a GPU-hour"},
             {"usd_total", "jobs a GPU-hour"},
             {"usd_per_run", "runs a GPU-hour"},
             {"input_usd_per_mtok", "million input tokens a GPU-hour"}};

// An option as an answer has it. The cost is that of a unit of work: price / speed.
typedef struct Seen {
    const Json *json;  // NULL: the answer does not list it
    size_t cost_of;
    double ln_price, ln_speed;
} Seen;

static Seen seen(const Json *option) {
    double price = json_number(json_get(option, "price_usd_per_gpu_hour"));
    for (size_t i = 0; i < COUNT_OF(costs); i++) {
        double cost = json_number(json_get(json_get(option, costs[i].key), "value"));
        if (cost > 0 && price > 0) return (Seen){option, i, log(price), log(price) - log(cost)};
    }
    return (Seen){0};
}

static double ln_cost(const Seen *s) {
    return s->json != NULL ? s->ln_price - s->ln_speed : (double)INFINITY;
}

// The same GPU of the same provider: of its regions and sizes an answer takes the cheapest. How it is run may
// differ.
static bool same_offer(const Json *x, const Json *y) {
    static const char *const keys[] = {"gpu", "provider", "pricing_model"};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (!same_member(x, y, keys[i])) return false;
    }
    return true;
}

static Seen best_of(const Baseline *b, int vendor) {
    return seen(json_get(json_get(b->root, "best"), vendor_names[vendor]));
}

// The same offer in another answer, cheapest layout first.
static Seen find(const Baseline *b, int vendor, const Json *option) {
    const Seen firsts[] = {best_of(b, vendor),
                           seen(json_get(json_get(b->root, "next_best"), vendor_names[vendor]))};
    if (option == NULL) return (Seen){0};
    for (size_t i = 0; i < COUNT_OF(firsts); i++) {
        if (firsts[i].json != NULL && same_offer(firsts[i].json, option)) return firsts[i];
    }
    for (const Json *j = json_first(json_get(b->root, "options")); j != NULL; j = json_next(j)) {
        Seen s = seen(j);
        if (s.json != NULL && same_offer(j, option)) return s;
    }
    return (Seen){0};
}

static const char *rented(Arena *a, const Json *option) {
    const char *instance = clean_text(a, json_get(option, "instance")),
               *region = clean_text(a, json_get(option, "region"));
    return arena_printf(a, "%s%s%s", instance != NULL ? instance : "one GPU", region != NULL ? " in " : "",
                        region != NULL ? region : "");
}

static const char *label(Arena *a, const Json *option) {
    if (option == NULL) return NULL;
    return arena_printf(a, "%s at %s", or_none(clean_text(a, json_get(option, "gpu"))),
                        or_none(clean_text(a, json_get(option, "provider"))));
}

// ---------------------------------------------------------------- why a speed differs

static const char *setting(Arena *a, const Json *option) {
    const Json *p = json_get(option, "parallel");
    const char *engine = clean_text(a, json_get(option, "engine")),
               *weights = clean_text(a, json_get(option, "weights")),
               *kv = clean_text(a, json_get(option, "kv"));
    static const char *const keys[] = {"tp", "pp", "ep", "dp"};
    const char *layout = "";
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        double n = json_number(json_get(p, keys[i]));
        if (n > 1) layout = arena_printf(a, "%s %s%.6g", layout, keys[i], n);
    }
    return arena_printf(a, "%s%s, weights %s, KV cache %s", engine != NULL ? engine : "no engine", layout,
                        or_none(weights), or_none(kv));
}

static void why_basis(Compare *c, Mover *x, const Seen *was, const Seen *now) {
    const char *from = clean_text(c->a, json_get(json_get(was->json, costs[was->cost_of].key), "basis"));
    const char *to = clean_text(c->a, json_get(json_get(now->json, costs[now->cost_of].key), "basis"));
    if (same(from, to)) return;
    const char *stands =
        same(to, basis_names[BASIS_MEASURED])    ? ": runs on your own GPU stand for the datasheet now"
        : same(to, basis_names[BASIS_PUBLISHED]) ? ": a public measurement stands for the estimate now"
                                                 : "";
    why_printf(c, x, "basis %s -> %s%s", or_none(from), or_none(to), stands);
}

static void why_speed(Compare *c, Mover *x, const Seen *was, const Seen *now, bool other_question,
                      bool other_facts) {
    const char *from = setting(c->a, was->json), *to = setting(c->a, now->json);
    if (!same(from, to)) why_printf(c, x, "runs as %s instead of %s", to, from);
    why_basis(c, x, was, now);
    double rows_from = json_number(json_get(json_get(was->json, "published"), "n")),
           rows_to = json_number(json_get(json_get(now->json, "published"), "n"));
    if (is_known(rows_from) && is_known(rows_to) && !figures_agree(rows_from, rows_to))
        why_printf(c, x, "public measurements of it %.6g -> %.6g", rows_from, rows_to);
    double n_from = json_number(json_get(was->json, "gpu_count")),
           n_to = json_number(json_get(now->json, "gpu_count"));
    if (is_known(n_from) && is_known(n_to) && !figures_agree(n_from, n_to))
        why_printf(c, x, "%.6g -> %.6g GPUs share the load", n_from, n_to);
    if (other_question) why(x, "the question differs");
    if (other_facts) why(x, "facts or version differ");
    if (x->n_whys == 0) why(x, "the estimate itself differs: the answers do not say why");
}

// ---------------------------------------------------------------- prices, speeds and options of a vendor

// The former best option and the new one, each as both answers have it, and what is put in so far.
typedef struct Choice {
    int vendor;
    Seen was_from, was_to, now_from, now_to;
    bool same;
    double price[2], speed[2];  // logarithms; former, new
    bool there[2];
    double cost;  // ln of the cheaper one's
} Choice;

static double cheaper(const Choice *x) {
    double least = (double)INFINITY;
    for (int i = 0; i < 2; i++) {
        if (x->there[i]) least = fmin(least, x->price[i] - x->speed[i]);
    }
    return least;
}

// What a step did to ln of the ratio; 0 for what did nothing.
static double step(Compare *c, Choice *x) {
    double change = cheaper(x) - x->cost;
    x->cost += change;
    if (isnan(c->m->ratio_from) || isnan(c->m->ratio_to)) return (double)NAN;
    return x->vendor == VENDOR_AMD ? change : -change;
}

static void put_price(Compare *c, Choice *x, int i, const Seen *from, const Seen *to) {
    if (from->json == NULL || to->json == NULL || figures_agree(from->ln_price, to->ln_price)) return;
    x->price[i] = to->ln_price;
    double moved = step(c, x);
    Mover *m = fabs(moved) < MOVED_NOTICED ? NULL : add(c, MOVER_PRICE, x->vendor, label(c->a, to->json));
    if (m == NULL) return;
    m->from = exp(from->ln_price);
    m->to = exp(to->ln_price);
    m->from_text = clean_text(c->a, json_get(from->json, "price_seen_at"));
    m->to_text = clean_text(c->a, json_get(to->json, "price_seen_at"));
    m->unit = "USD a GPU-hour";
    m->ln_ratio = moved;
    if (!same(m->from_text, m->to_text))
        why_printf(c, m, "seen %s -> %s", or_none(m->from_text), or_none(m->to_text));
    const char *was = rented(c->a, from->json), *is = rented(c->a, to->json);
    if (!same(was, is)) why_printf(c, m, "rented as %s instead of %s", is, was);
    if (!same_member(from->json, to->json, "price_source"))
        why_printf(c, m, "now from %s", or_none(clean_text(c->a, json_get(to->json, "price_source"))));
}

static void put_speed(Compare *c, Choice *x, int i, const Seen *from, const Seen *to, bool other_question,
                      bool other_facts) {
    if (from->json == NULL || to->json == NULL || fabs(to->ln_speed - from->ln_speed) < MOVED_NOTICED) return;
    x->speed[i] = to->ln_speed;
    double moved = step(c, x);
    Mover *m = fabs(moved) < MOVED_NOTICED ? NULL : add(c, MOVER_SPEED, x->vendor, label(c->a, to->json));
    if (m == NULL) return;
    m->from = exp(from->ln_speed);
    m->to = exp(to->ln_speed);
    m->unit = costs[to->cost_of].unit;
    m->ln_ratio = moved;
    why_speed(c, m, from, to, other_question, other_facts);
}

static double cost_usd(const Seen *s) { return exp(s->ln_price - s->ln_speed); }

// Another offer is the best one now: how the two stand in each answer.
static void put_option(Compare *c, Choice *x) {
    if (x->same || (x->was_from.json == NULL && x->now_to.json == NULL)) return;
    x->there[0] = false;
    x->there[1] = x->now_to.json != NULL;
    x->price[1] = x->now_to.ln_price;
    x->speed[1] = x->now_to.ln_speed;
    double moved = x->was_from.json != NULL && x->now_to.json != NULL ? step(c, x) : (double)NAN;
    Mover *m = add(c, MOVER_OPTION, x->vendor, "best option");
    if (m == NULL) return;
    m->from_text = label(c->a, x->was_from.json);
    m->to_text = label(c->a, x->now_to.json);
    m->from = x->was_from.json != NULL ? cost_usd(&x->was_from) : (double)NAN;
    m->to = x->now_to.json != NULL ? cost_usd(&x->now_to) : (double)NAN;
    m->unit = "USD a unit of work";
    m->ln_ratio = moved;
    if (x->was_from.json == NULL || x->now_to.json == NULL) {
        why(m, x->now_to.json == NULL ? "no option is left" : "there was no option");
        return;
    }
    if (x->was_to.json == NULL) why_printf(c, m, "%s is not among the options listed now", m->from_text);
    if (x->was_to.json != NULL)
        why_printf(c, m, "%s: cost $%.4g -> $%.4g", m->from_text, cost_usd(&x->was_from),
                   cost_usd(&x->was_to));
    if (x->now_from.json == NULL) why_printf(c, m, "%s was not among the options listed before", m->to_text);
    if (x->now_from.json != NULL)
        why_printf(c, m, "%s: cost $%.4g -> $%.4g", m->to_text, cost_usd(&x->now_from), cost_usd(&x->now_to));
}

static void move_vendor(Compare *c, int vendor, bool other_question, bool other_facts) {
    Choice x = {.vendor = vendor, .was_from = best_of(c->from, vendor), .now_to = best_of(c->to, vendor)};
    x.same = x.was_from.json != NULL && x.now_to.json != NULL && same_offer(x.was_from.json, x.now_to.json);
    x.was_to = find(c->to, vendor, x.was_from.json);
    x.now_from = x.same ? (Seen){0} : find(c->from, vendor, x.now_to.json);
    // ranked by something else there
    if (ln_cost(&x.now_from) < ln_cost(&x.was_from)) x.now_from = (Seen){0};
    const Seen *begins[2] = {&x.was_from, &x.now_from}, *ends[2] = {&x.was_to, &x.now_to};
    for (int i = 0; i < 2; i++) {
        x.there[i] = begins[i]->json != NULL;
        x.price[i] = begins[i]->ln_price;
        x.speed[i] = begins[i]->ln_speed;
    }
    x.cost = cheaper(&x);
    for (int i = 0; i < 2; i++) put_price(c, &x, i, begins[i], ends[i]);
    for (int i = 0; i < 2; i++) put_speed(c, &x, i, begins[i], ends[i], other_question, other_facts);
    put_option(c, &x);
}

// ---------------------------------------------------------------- question, facts, assumptions

static const char *value_text(Arena *a, const Json *j) {
    if (json_text(j) != NULL) return text_clean(a, json_text(j));
    if (json_is_number(j)) return arena_printf(a, "%.10g", json_number(j));
    if (json_truth(j) >= 0) return json_truth(j) == 1 ? "yes" : "no";
    const char *list = NULL;
    for (const Json *i = json_is_array(j) ? json_first(j) : NULL; i != NULL; i = json_next(i)) {
        const char *one = json_is_array(i) || json_is_object(i) ? "..." : value_text(a, i);
        list = list != NULL ? arena_printf(a, "%s, %s", list, or_none(one)) : one;
    }
    return list;
}

static void put_text(Compare *c, MoverKind kind, const char *what, const Json *x, const Json *y) {
    const char *from = value_text(c->a, x), *to = value_text(c->a, y);
    if (same(from, to)) return;
    Mover *m = add(c, kind, -1, what);
    if (m == NULL) return;
    m->from_text = from;
    m->to_text = to;
    if (json_is_number(x)) m->from = json_number(x);
    if (json_is_number(y)) m->to = json_number(y);
}

// What decides nothing.
static bool idle_option(const char *key) {
    static const char *const keys[] = {"resolved", "top", "explain", "fail_over_usd_per_mtok",
                                       "fail_if_verdict_changes"};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (strcmp(key, keys[i]) == 0) return true;
    }
    return false;
}

// Members that differ; those of `y` alone after those of `x`.
static void put_members(Compare *c, const Json *x, const Json *y) {
    if (!json_is_object(x) || !json_is_object(y)) return;
    for (const Json *j = json_first(x); j != NULL; j = json_next(j)) {
        if (!idle_option(json_key(j)))
            put_text(c, MOVER_QUESTION, text_clean(c->a, json_key(j)), json_get(x, json_key(j)),
                     json_get(y, json_key(j)));
    }
    for (const Json *j = json_first(y); j != NULL; j = json_next(j)) {
        if (!idle_option(json_key(j)) && json_get(x, json_key(j)) == NULL)
            put_text(c, MOVER_QUESTION, text_clean(c->a, json_key(j)), NULL, json_get(y, json_key(j)));
    }
}

// The options typed; where they agree, what they came to, which rows of the facts may have changed.
static bool put_question(Compare *c) {
    size_t before = c->m->n;
    const Json *x = json_get(c->from->root, "inputs"), *y = json_get(c->to->root, "inputs");
    put_members(c, x, y);
    if (c->m->n == before) put_members(c, json_get(x, "resolved"), json_get(y, "resolved"));
    return c->m->n > before;
}

static bool put_facts(Compare *c) {
    size_t before = c->m->n;
    const Json *x = c->from->root, *y = c->to->root;
    put_text(c, MOVER_VERSION, "gpuadvise", json_get(x, "tool_version"), json_get(y, "tool_version"));
    const Json *from = json_get(json_get(x, "facts"), "digest"),
               *to = json_get(json_get(y, "facts"), "digest");
    // older answers have none
    if (from != NULL && to != NULL) put_text(c, MOVER_FACTS, "digest of all tables of facts", from, to);
    return c->m->n > before;
}

static const Json *named(const Json *list, const char *name) {
    const Json *j = json_first(list);
    while (j != NULL && !same(json_text(json_get(j, "name")), name)) j = json_next(j);
    return j;
}

static const char *range_text(Arena *a, const Json *j) {
    if (j == NULL) return NULL;
    return arena_printf(a, "%.6g (%.6g-%.6g)", json_number(json_get(j, "value")),
                        json_number(json_get(j, "low")), json_number(json_get(j, "high")));
}

static void put_assumptions(Compare *c) {
    const Json *others = json_get(c->to->root, "assumptions");
    const Json *list = json_get(c->from->root, "assumptions");
    for (const Json *x = json_is_array(list) && json_is_array(others) ? json_first(list) : NULL; x != NULL;
         x = json_next(x)) {
        const char *name = json_text(json_get(x, "name"));
        const Json *y = name != NULL ? named(others, name) : NULL;
        const char *from = range_text(c->a, x), *to = range_text(c->a, y);
        if (name == NULL || y == NULL || same(from, to)) continue;
        Mover *m = add(c, MOVER_ASSUMPTION, -1, text_clean(c->a, name));
        if (m == NULL) return;
        m->from = json_number(json_get(x, "value"));
        m->to = json_number(json_get(y, "value"));
        m->from_text = from;
        m->to_text = to;
        const char *unit = clean_text(c->a, json_get(y, "unit"));
        m->unit = unit != NULL ? unit : "";
    }
}

static const Json *inside(const Json *root, const char *one, const char *two, const char *three) {
    return json_get(json_get(json_get(root, one), two), three);
}

static double sigma(const Baseline *b) {
    const Json *x = json_get(json_get(b->root, "verdict"), "cost_ratio_amd_to_nvidia");
    double low = json_number(json_get(x, "low")), high = json_number(json_get(x, "high"));
    return low > 0 && high > low ? log(high / low) / (2 * Z80) : (double)NAN;
}

static void put_number(Compare *c, MoverKind kind, const char *what, const char *unit, double from,
                       double to) {
    Mover *m = figures_agree(from, to) || (fabs(from - to) < MOVED_NOTICED) ? NULL : add(c, kind, -1, what);
    if (m == NULL) return;
    m->from = from;
    m->to = to;
    m->unit = unit;
}

static void put_decision(Compare *c) {
    const Json *x = c->from->root, *y = c->to->root;
    put_text(c, MOVER_NEEDS, "decided by what the stack cannot do without",
             json_get(json_get(x, "verdict"), "decided_by_needs"),
             json_get(json_get(y, "verdict"), "decided_by_needs"));
    put_number(c, MOVER_PORT, "first port", "days",
               json_number(json_get(inside(x, "migration", "effort_days", "first_port"), "value")),
               json_number(json_get(inside(y, "migration", "effort_days", "first_port"), "value")));
    put_number(c, MOVER_RANGE, "doubt in the cost ratio", "standard deviation of ln", sigma(c->from),
               sigma(c->to));
}

// ---------------------------------------------------------------- all together

static double ratio(const Baseline *b) {
    Seen nvidia = best_of(b, VENDOR_NVIDIA), amd = best_of(b, VENDOR_AMD);
    return nvidia.json != NULL && amd.json != NULL ? exp(ln_cost(&amd) - ln_cost(&nvidia)) : (double)NAN;
}

static bool verdict_differs(const Baseline *x, const Baseline *y) {
    const Json *from = json_get(x->root, "verdict"), *to = json_get(y->root, "verdict");
    return x->winner != y->winner ||
           !figures_agree(json_number(json_get(from, "probability")),
                          json_number(json_get(to, "probability"))) ||
           !figures_agree(json_number(json_get(json_get(from, "cost_ratio_amd_to_nvidia"), "value")),
                          json_number(json_get(json_get(to, "cost_ratio_amd_to_nvidia"), "value")));
}

// Those whose part is known by its size, between the question and the rest.
static void sort_parts(Mover *list, size_t n) {
    for (size_t i = 1; i < n; i++) {
        for (size_t k = i; k > 0 && fabs(list[k].ln_ratio) > fabs(list[k - 1].ln_ratio); k--) {
            Mover x = list[k];
            list[k] = list[k - 1];
            list[k - 1] = x;
        }
    }
}

void baseline_moved(const Baseline *from, const Baseline *to, Arena *a, Moved *ret_moved) {
    *ret_moved = (Moved){.ratio_from = ratio(from), .ratio_to = ratio(to)};
    if (!verdict_differs(from, to)) return;
    Compare c = {from, to, a, ret_moved};
    bool other_question = put_question(&c);
    size_t parts = ret_moved->n;
    Moved facts = {0};
    bool other_facts = put_facts(&(Compare){from, to, a, &facts});
    for (int v = 0; v < VENDOR_COUNT; v++) move_vendor(&c, v, other_question, other_facts);
    sort_parts(ret_moved->list + parts, ret_moved->n - parts);
    put_facts(&c);
    put_assumptions(&c);
    put_decision(&c);
}
