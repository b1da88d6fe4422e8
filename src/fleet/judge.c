// From records to nodes: who left what, who is alike, who is odd.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/fleet/inside.h"

// ---------------------------------------------------------------- records of one machine

static int compare_records(const FleetRecord *a, const FleetRecord *b) {
    int by_name = strcmp(a->name, b->name), by_time = strcmp(b->taken_at, a->taken_at);
    return by_name != 0 ? by_name : by_time != 0 ? by_time : strcmp(b->file, a->file);
}

static int by_name_newest_first(const void *a, const void *b) {
    return compare_records(*(const FleetRecord *const *)a, *(const FleetRecord *const *)b);
}

// Would one of them replace the other, had the machine been tested again?
static bool same_part(const Fleet *f, const FleetRecord *a, const FleetRecord *b) {
    if (is_known(a->rank) || is_known(b->rank)) return a->rank == b->rank;
    if (a->n_devices == 0 || b->n_devices == 0) return true;
    return strcmp(f->devices[a->first_device].facts.id, f->devices[b->first_device].facts.id) == 0;
}

static bool is_older(const Fleet *f, FleetRecord *const *newest, size_t n, const FleetRecord *r) {
    if (strcmp(newest[0]->job, r->job) != 0 || strcmp(newest[0]->launcher, r->launcher) != 0) return true;
    for (size_t i = 0; i < n; i++) {
        if (!newest[i]->superseded && same_part(f, newest[i], r)) return true;
    }
    return false;
}

static FleetNode *new_node(Fleet *f, const char *name) {
    f->nodes = arena_grow(f->arena, f->nodes, f->n_nodes, &f->room.nodes, sizeof *f->nodes);
    FleetNode *n = &f->nodes[f->n_nodes++];
    *n = (FleetNode){.name = name, .launcher = "", .slowest = (double)NAN, .slowest_text = ""};
    return n;
}

static void make_nodes(Fleet *f) {
    FleetRecord **sorted = arena_alloc(f->arena, f->n_records + 1, sizeof *sorted);
    for (size_t i = 0; i < f->n_records; i++) sorted[i] = &f->records[i];
    qsort(sorted, f->n_records, sizeof *sorted, by_name_newest_first);
    for (size_t i = 0; i < f->n_records;) {
        FleetNode *node = new_node(f, sorted[i]->name);
        size_t first = i;
        node->launcher = sorted[i]->launcher;
        for (; i < f->n_records && strcmp(sorted[i]->name, sorted[first]->name) == 0; i++) {
            FleetRecord *r = sorted[i];
            r->superseded = i > first && is_older(f, sorted + first, i - first, r);
            r->node = f->n_nodes - 1;
            f->superseded += r->superseded;
            if (r->superseded) continue;
            node->records++;
            node->scheduled = node->scheduled || r->scheduled;
            for (size_t d = 0; d < r->n_devices; d++) node->devices += f->devices[r->first_device + d].tested;
        }
    }
}

static void move_findings(Fleet *f) {
    size_t kept = 0;
    for (size_t i = 0; i < f->n_findings; i++) {
        FleetFinding x = f->findings[i];
        if (f->records[x.node].superseded) continue;
        x.node = f->records[x.node].node;
        f->findings[kept++] = x;
    }
    f->n_findings = kept;
}

// ---------------------------------------------------------------- who is missing

static bool has_host(const Fleet *f, const char *host) {
    for (size_t i = 0; i < f->n_records; i++) {
        const FleetRecord *r = &f->records[i];
        if (fleet_same_host(r->name, host) || fleet_same_host(r->host, host)) return true;
    }
    return false;
}

static void miss_hosts(Fleet *f) {
    for (size_t i = 0; i < f->n_expected; i++) {
        if (has_host(f, f->expected[i])) continue;
        new_node(f, f->expected[i])->scheduled = true;
        fleet_found(f, f->n_nodes - 1, FLEET_MISSING, 0, "no record");
    }
}

// Without a list of hosts: the ranks of the newest job that left nothing.
static void miss_ranks(Fleet *f) {
    enum { RANKS_MAX = 65536 };
    const FleetRecord *newest = NULL;
    for (size_t i = 0; i < f->n_records; i++) {
        const FleetRecord *r = &f->records[i];
        bool counts = !r->superseded && r->ranks <= RANKS_MAX;
        if (counts && (newest == NULL || strcmp(r->taken_at, newest->taken_at) > 0)) newest = r;
    }
    if (newest == NULL) return;
    bool *seen = arena_alloc(f->arena, RANKS_MAX, sizeof *seen);
    for (size_t i = 0; i < f->n_records; i++) {
        const FleetRecord *r = &f->records[i];
        if (r->rank < newest->ranks && strcmp(r->job, newest->job) == 0 &&
            strcmp(r->launcher, newest->launcher) == 0)
            seen[(size_t)r->rank] = true;
    }
    for (size_t i = 0; i < (size_t)newest->ranks; i++) {
        if (seen[i]) continue;
        new_node(f, arena_printf(f->arena, "rank %zu", i));
        fleet_found(f, f->n_nodes - 1, FLEET_MISSING, 0,
                    arena_printf(f->arena, "no record of rank %zu of %.0f", i, newest->ranks));
    }
}

// ---------------------------------------------------------------- groups

static const char *model_of(const BenchDevice *d) { return d->sku_id[0] != '\0' ? d->sku_id : d->name; }

static bool alike(const FleetGroup *g, const BenchDevice *d) {
    return strcmp(g->model, model_of(d)) == 0 && strcmp(g->part, d->part) == 0 &&
           number_order(g->share, d->share) == 0;
}

bool fleet_counts(const Fleet *f, const FleetDevice *d) {
    return d->tested && !f->records[d->record].superseded;
}

static void make_groups(Fleet *f) {
    for (size_t i = 0; i < f->n_devices; i++) {
        FleetDevice *d = &f->devices[i];
        if (!fleet_counts(f, d)) continue;
        size_t g = 0;
        while (g < f->n_groups &&
               !(alike(&f->groups[g], &d->facts) && strcmp(f->groups[g].driver, d->facts.driver) == 0))
            g++;
        if (g == f->n_groups) {
            f->groups = arena_grow(f->arena, f->groups, f->n_groups, &f->room.groups, sizeof *f->groups);
            f->groups[f->n_groups++] = (FleetGroup){model_of(&d->facts), d->facts.vendor, d->facts.part,
                                                    d->facts.driver,     d->facts.share,  0};
        }
        d->group = g;
        f->groups[g].devices++;
    }
}

// ---------------------------------------------------------------- another driver, VBIOS, power limit

typedef enum Trait { TRAIT_DRIVER, TRAIT_VBIOS, TRAIT_LIMIT, TRAITS } Trait;
static const char *const trait_names[] = {"driver", "VBIOS", "power limit"};

static const char *trait_text(Fleet *f, const BenchDevice *d, Trait t) {
    if (t == TRAIT_DRIVER) return d->driver;
    if (t == TRAIT_VBIOS) return d->vbios;
    return is_known(d->power_limit_w) ? arena_printf(f->arena, "%.0f W", d->power_limit_w) : "";
}

typedef struct Vote {
    const char *value;
    size_t n;
} Vote;

enum { VOTES_MAX = 64 };

// Values of a trait among devices like `group`, most frequent first. Past VOTES_MAX kinds nobody is odd.
static size_t count_votes(Fleet *f, const FleetGroup *group, Trait t, Vote votes[VOTES_MAX]) {
    size_t n = 0, best = 0;
    for (size_t i = 0; i < f->n_devices; i++) {
        const FleetDevice *d = &f->devices[i];
        if (!fleet_counts(f, d) || !alike(group, &d->facts)) continue;
        const char *value = trait_text(f, &d->facts, t);
        size_t k = 0;
        while (k < n && strcmp(votes[k].value, value) != 0) k++;
        if (value[0] == '\0' || (k == n && n == VOTES_MAX)) continue;
        if (k == n) votes[n++] = (Vote){value, 0};
        votes[k].n++;
        if (votes[k].n > votes[best].n) best = k;
    }
    if (n > 0) {
        Vote first = votes[best];
        votes[best] = votes[0];
        votes[0] = first;
    }
    return n;
}

static void find_odd(Fleet *f, const FleetGroup *group, Trait t) {
    Vote votes[VOTES_MAX];
    size_t n = count_votes(f, group, t, votes), last = SIZE_MAX;
    if (n < 2) return;
    bool tie = false;
    for (size_t k = 1; k < n; k++) tie = tie || votes[k].n == votes[0].n;
    for (size_t i = 0; i < f->n_devices; i++) {
        const FleetDevice *d = &f->devices[i];
        size_t node = f->records[d->record].node;
        if (!fleet_counts(f, d) || !alike(group, &d->facts) || node == last) continue;
        const char *value = trait_text(f, &d->facts, t);
        if (value[0] == '\0' || (!tie && strcmp(value, votes[0].value) == 0)) continue;
        last = node;  // devices of a node stand together: one finding each
        fleet_found(f, node, FLEET_MIXED, 0,
                    tie ? arena_printf(f->arena, "%s: %s %s, and no %s is the usual one", d->facts.id,
                                       trait_names[t], value, trait_names[t])
                        : arena_printf(f->arena, "%s: %s %s, most have %s", d->facts.id, trait_names[t],
                                       value, votes[0].value));
    }
}

static void find_mixed(Fleet *f) {
    for (size_t g = 0; g < f->n_groups; g++) {
        bool again = false;  // a group of another driver is of the same model
        for (size_t k = 0; k < g && !again; k++) {
            const FleetGroup *x = &f->groups[k], *y = &f->groups[g];
            again = strcmp(x->model, y->model) == 0 && strcmp(x->part, y->part) == 0 &&
                    number_order(x->share, y->share) == 0;
        }
        for (Trait t = 0; t < TRAITS && !again; t++) find_odd(f, &f->groups[g], t);
    }
}

// ---------------------------------------------------------------- nodes

static int by_node_worst_first(const void *a, const void *b) {
    const FleetFinding *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    if (x->state != y->state) return x->state > y->state ? -1 : 1;
    return (x->weight < y->weight) - (x->weight > y->weight);
}

static int worst_first(const void *a, const void *b) {
    const FleetNode *x = *(const FleetNode *const *)a, *y = *(const FleetNode *const *)b;
    if (x->state != y->state) return x->state > y->state ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void settle_nodes(Fleet *f) {
    if (f->n_findings > 0) qsort(f->findings, f->n_findings, sizeof *f->findings, by_node_worst_first);
    for (size_t i = 0; i < f->n_findings; i++) {
        FleetNode *n = &f->nodes[f->findings[i].node];
        if (n->n_findings++ == 0) n->state = f->findings[i].state, n->findings = &f->findings[i];
    }
    f->by_state = arena_alloc(f->arena, f->n_nodes + 1, sizeof *f->by_state);
    for (size_t i = 0; i < f->n_nodes; i++) {
        f->by_state[i] = &f->nodes[i];
        f->counts[f->nodes[i].state]++;
    }
    qsort(f->by_state, f->n_nodes, sizeof *f->by_state, worst_first);
}

void fleet_judge(Fleet *f) {
    make_nodes(f);
    move_findings(f);
    make_groups(f);
    find_mixed(f);
    fleet_figures(f);
    if (f->n_expected > 0) {
        miss_hosts(f);
    } else {
        miss_ranks(f);
    }
    settle_nodes(f);
}
