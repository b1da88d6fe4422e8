// Hit rate against capacity, from the text that a table keeps.
#include "src/facts/traffic.h"

#include <math.h>

#include "src/base/base.h"

static bool read_point(Str text, HitPoint *ret_point) {
    Str capacity;
    Err ignored = {0};
    return str_next(&text, ':', &capacity) &&
           parse_number(capacity, 1, 1e15, &ret_point->capacity_tokens, &ignored) &&
           parse_number(text, 0, 1, &ret_point->hit_rate, &ignored);
}

bool hit_curve_of(const Traffic *t, HitCurve *ret_curve) {
    HitCurve c = {.hit_rate_max = t->hit_rate_max, .sessions = t->hit_sessions};
    Str rest = str_of(t->hits);
    Str word;
    if (!is_known(c.hit_rate_max)) return false;
    while (str_next(&rest, ' ', &word)) {
        HitPoint p;
        if (word.length == 0) continue;
        if (c.n == HIT_POINTS_MAX || !read_point(word, &p) || p.hit_rate > c.hit_rate_max) return false;
        if (c.n > 0 && (p.capacity_tokens <= c.points[c.n - 1].capacity_tokens ||
                        p.hit_rate < c.points[c.n - 1].hit_rate))
            return false;
        c.points[c.n++] = p;
    }
    if (c.n == 0) return false;
    *ret_curve = c;
    return true;
}

double hit_curve_at(const HitCurve *c, double capacity_tokens, double sessions) {
    if (is_known(c->sessions)) capacity_tokens *= c->sessions / sessions;
    if (!(capacity_tokens > 0)) return isnan(capacity_tokens) ? (double)NAN : 0;
    const HitPoint *p = c->points;
    if (capacity_tokens <= p->capacity_tokens) return p->hit_rate * capacity_tokens / p->capacity_tokens;
    size_t i = 1;
    while (i < c->n && capacity_tokens > p[i].capacity_tokens) i++;
    if (i == c->n) return p[c->n - 1].hit_rate;
    double share = log(capacity_tokens / p[i - 1].capacity_tokens) /
                   log(p[i].capacity_tokens / p[i - 1].capacity_tokens);
    return p[i - 1].hit_rate + share * (p[i].hit_rate - p[i - 1].hit_rate);
}
