// Which device of one run is which of another: by the board's UUID, else by model, else by position.
#include <string.h>

#include "src/report/bench_compare.h"

// A UUID that two devices of a side share (parts of a GPU, drivers that make one up) tells neither.
static bool is_unique(const BenchSide *s, const char *uuid) {
    size_t n = 0;
    for (size_t i = 0; i < s->n_devices; i++) n += strcmp(s->devices[i].uuid, uuid) == 0;
    return n == 1;
}

static size_t by_uuid(const BenchSide *a, const BenchSide *b, const BenchDevice *d) {
    if (d->uuid[0] == '\0' || !is_unique(a, d->uuid) || !is_unique(b, d->uuid)) return a->n_devices;
    size_t i = 0;
    while (i < a->n_devices && strcmp(a->devices[i].uuid, d->uuid) != 0) i++;
    return i;
}

static const char *model_of(const BenchDevice *d) { return d->sku_id[0] != '\0' ? d->sku_id : d->name; }

// The first one of that model that stands for no other yet.
static size_t by_model(const BenchSide *a, const bool *taken, const BenchDevice *d) {
    size_t i = 0;
    while (i < a->n_devices && (taken[i] || strcmp(model_of(&a->devices[i]), model_of(d)) != 0)) i++;
    return i;
}

BenchMatch *bench_match(Arena *arena, const BenchSide *a, const BenchSide *b, size_t *ret_n) {
    BenchMatch *list = arena_alloc(arena, b->n_devices + 1, sizeof *list);
    bool *taken = arena_alloc(arena, a->n_devices + 1, sizeof *taken);
    for (size_t i = 0; i < b->n_devices; i++) {
        size_t at = by_uuid(a, b, &b->devices[i]);
        list[i] = (BenchMatch){b->devices[i].id, "", "uuid"};
        if (at == a->n_devices) continue;
        taken[at] = true;
        list[i].other = a->devices[at].id;
    }
    for (size_t i = 0; i < b->n_devices; i++) {
        if (list[i].other[0] != '\0') continue;
        size_t at = by_model(a, taken, &b->devices[i]);
        list[i].by = "model";
        if (at == a->n_devices && i < a->n_devices && !taken[i] &&
            strcmp(a->devices[i].vendor, b->devices[i].vendor) == 0)
            at = i, list[i].by = "position";
        if (at == a->n_devices) continue;
        taken[at] = true;
        list[i].other = a->devices[at].id;
    }
    *ret_n = b->n_devices;
    return list;
}

static const BenchMatch *match_of(const BenchMatch *list, size_t n, const char *id, size_t length) {
    for (size_t i = 0; i < n; i++) {
        if (strlen(list[i].id) == length && strncmp(list[i].id, id, length) == 0) return &list[i];
    }
    return NULL;
}

const char *bench_matched(Arena *a, const BenchMatch *list, size_t n, const char *device,
                          const char **ret_by) {
    size_t length = strcspn(device, ">+");
    const BenchMatch *from = match_of(list, n, device, length);
    *ret_by = from != NULL ? from->by : "name";  // an answer of old lists no devices
    if (device[length] == '\0') return from != NULL ? from->other : n == 0 ? device : "";
    const BenchMatch *to = match_of(list, n, device + length + 1, strlen(device + length + 1));
    if (from == NULL || to == NULL) return n == 0 ? device : "";
    if (strcmp(to->by, "uuid") != 0) *ret_by = to->by;
    return arena_printf(a, "%s%c%s", from->other, device[length], to->other);
}
