// Who may touch which bytes when: bounds, alignment, races, bytes that are not there yet.
#include "tests/ptx/machine.h"

void shadow_map(Block *b) {
    const PtxEntry *entry = b->entry;
    for (size_t i = 0; i < b->shared_bytes / SHARED_GRANULE; i++) b->cells[i] = (Cell){.flags = CELL_OUTSIDE};
    for (size_t i = 0; i < entry->n_shared; i++) {
        const PtxShared *s = &entry->shared[i];
        size_t bytes = s->dynamic ? b->launch->dynamic_bytes : s->bytes;
        for (size_t at = 0; s->placed && at < bytes; at += SHARED_GRANULE)
            b->cells[(s->offset + at) / SHARED_GRANULE].flags = 0;
    }
}

// Was it touched by another thread since the last barrier? Blocks meet at none.
static bool apart(const Block *b, uint32_t when, int who, int thread) {
    return when != 0 && (when < b->first_epoch || (when == b->epoch && who != thread));
}

static const char *read_fault(const Block *b, const Cell *c, int thread) {
    if ((c->flags & CELL_OUTSIDE) != 0) return "reads outside of every array";
    if ((c->flags & CELL_PENDING) != 0) return "reads what cp.async has yet to bring";
    return apart(b, c->written, c->writer, thread)
               ? "reads what another thread wrote, with no barrier between"
               : NULL;
}

static const char *write_fault(const Block *b, const Cell *c, int thread, bool atomic) {
    if ((c->flags & CELL_OUTSIDE) != 0) return "writes outside of every array";
    if ((c->flags & CELL_PENDING) != 0) return "writes where cp.async will";
    if (c->products > 0) return "writes what a product by a warpgroup still reads";
    bool both = atomic && (c->flags & CELL_ATOMIC) != 0;
    if (!both && apart(b, c->written, c->writer, thread))
        return "writes what another thread wrote, with no barrier between";
    return apart(b, c->read, c->reader, thread) ? "writes what another thread read, with no barrier between"
                                                : NULL;
}

static void note_read(const Block *b, Cell *c, int thread) {
    c->reader = c->read == b->epoch && c->reader != thread ? THREAD_MANY : (int16_t)thread;
    c->read = b->epoch;
}

static void note_write(Block *b, Cell *c, int thread, bool atomic) {
    bool both = atomic && c->written == b->epoch && c->writer != thread;
    c->writer = both ? THREAD_MANY : (int16_t)thread;
    c->written = b->epoch;
    c->stamp = b->stamp;
    c->flags = atomic ? CELL_ATOMIC : 0;
}

static void say(Warp *w, const Ins *in, int lane, const char *what, const char *where, uint64_t address,
                const Cell *c) {
    if (c->writer >= 0 && c->written != 0) {
        ptx_fault(w, in, lane, "%s: %s at 0x%llx, last written by thread %d", what, where,
                  (unsigned long long)address, c->writer);
    } else {
        ptx_fault(w, in, lane, "%s: %s at 0x%llx", what, where, (unsigned long long)address);
    }
}

unsigned char *shared_at(Warp *w, const Ins *in, int lane, uint64_t address, uint32_t bytes, bool writes) {
    Block *b = w->block;
    int thread = thread_of(w, lane);
    if (address % bytes != 0 || b->shared_bytes < bytes || address > b->shared_bytes - bytes) {
        ptx_fault(w, in, lane, "%s of %u bytes at 0x%llx of shared memory",
                  address % bytes != 0 ? "misaligned access" : "access outside of every array", bytes,
                  (unsigned long long)address);
        return NULL;
    }
    for (uint64_t at = address; at < address + bytes; at += SHARED_GRANULE) {
        Cell *c = &b->cells[at / SHARED_GRANULE];
        const char *what = writes ? write_fault(b, c, thread, false) : read_fault(b, c, thread);
        if (what == NULL && !writes && c->written == 0) what = "reads what nobody wrote";
        if (what != NULL) {
            say(w, in, lane, what, "shared memory", at, c);
            return NULL;
        }
        if (writes) note_write(b, c, thread, false);
        if (!writes) note_read(b, c, thread);
    }
    return b->shared + address;
}

static Range *range_of(Block *b, uint64_t address, uint32_t bytes) {
    for (size_t i = 0; i < b->n_ranges; i++) {
        Range *r = &b->ranges[i];
        if (address >= r->r.address && address - r->r.address <= r->r.bytes &&
            r->r.bytes - (address - r->r.address) >= bytes)
            return r;
    }
    return NULL;
}

unsigned char *global_at(Warp *w, const Ins *in, int lane, uint64_t address, uint32_t bytes, bool writes,
                         bool atomic) {
    Block *b = w->block;
    Range *r = range_of(b, address, bytes);
    const char *what = address % bytes != 0       ? "misaligned"
                       : r == NULL                ? "outside of every buffer"
                       : writes && !r->r.writable ? "in an input"
                                                  : NULL;
    if (what != NULL) {
        ptx_fault(w, in, lane, "%s of %u bytes at 0x%llx of global memory: %s", writes ? "write" : "read",
                  bytes, (unsigned long long)address, what);
        return NULL;
    }
    uint64_t inside = address - r->r.address;
    int thread = thread_of(w, lane);
    for (uint64_t i = inside / GLOBAL_GRANULE; r->cells != NULL && i * GLOBAL_GRANULE < inside + bytes; i++) {
        Cell *c = &r->cells[i];
        what = writes ? write_fault(b, c, thread, atomic) : read_fault(b, c, thread);
        if (what != NULL) {
            say(w, in, lane, what, "global memory", address, c);
            return NULL;
        }
        if (writes) note_write(b, c, thread, atomic);
        if (!writes) note_read(b, c, thread);
    }
    return (unsigned char *)r->r.host + inside;
}

// ---------------------------------------------------------------- copies and products on their way

bool shadow_announce(Warp *w, const Ins *in, int lane, uint32_t at, uint32_t bytes) {
    if (shared_at(w, in, lane, at, bytes, true) == NULL) return false;
    for (uint32_t i = at; i < at + bytes; i += SHARED_GRANULE)
        w->block->cells[i / SHARED_GRANULE].flags |= CELL_PENDING;
    return true;
}

void shadow_land(Warp *w, int lane, uint32_t at, uint32_t bytes) {
    for (uint32_t i = at; i < at + bytes; i += SHARED_GRANULE)
        note_write(w->block, &w->block->cells[i / SHARED_GRANULE], thread_of(w, lane), false);
}

// Another proxy sees a write when its thread fenced it and a barrier came after.
static const char *product_fault(const Block *b, const Cell *c) {
    if ((c->flags & CELL_OUTSIDE) != 0) return "a product reads outside of every array";
    if ((c->flags & CELL_PENDING) != 0) return "a product reads what cp.async has yet to bring";
    if (c->written == 0) return "a product reads what nobody wrote";
    if (c->written == b->epoch) return "a product reads what was written since the last barrier";
    if (b->fence_stamp[c->writer] <= c->stamp) return "a product reads what no proxy fence came after";
    return b->fence_epoch[c->writer] == b->epoch ? "no barrier between a proxy fence and a product" : NULL;
}

bool shadow_hold(Warp *w, const Ins *in, uint32_t at, uint32_t bytes) {
    Block *b = w->block;
    for (uint32_t i = at; i < at + bytes; i += SHARED_GRANULE) {
        if (i >= b->shared_bytes) {
            ptx_fault(w, in, 0, "a product reads beyond shared memory");
            return false;
        }
        Cell *c = &b->cells[i / SHARED_GRANULE];
        const char *what = product_fault(b, c);
        if (what != NULL) {
            say(w, in, 0, what, "shared memory", i, c);
            return false;
        }
        c->products++;
    }
    return true;
}

void shadow_release(Block *b, uint32_t at, uint32_t bytes) {
    for (uint32_t i = at; i < at + bytes; i += SHARED_GRANULE) {
        Cell *c = &b->cells[i / SHARED_GRANULE];
        c->products--;
        c->read = b->epoch, c->reader = THREAD_MANY;
    }
}
