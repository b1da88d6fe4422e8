// Streams, events and what one device may do with another's memory: CUDA's driver and HIP.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/fake/gpu/state.h"

enum { PEER_UNSUPPORTED = 217, PEER_TWICE = 704, NON_BLOCKING = 1 };
static const double least = 100e-6;  // of a copy: few of them a batch, tests stay short

// ---------------------------------------------------------------- streams

static bool is_made(const State *s, const Stream *stream) {
    return stream >= s->made && stream < s->made + STREAMS && stream->used;
}

Stream *state_stream(State *s, GpuStream handle) {
    Stream *stream = handle;
    if (handle == NULL) return &s->own[s->current];
    return is_made(s, stream) && stream->device == s->current ? stream : NULL;
}

static unsigned do_stream_create(State *s, GpuStream *stream, unsigned flags) {
    READY(s);
    for (size_t i = 0; flags <= NON_BLOCKING && i < STREAMS; i++) {
        if (s->made[i].used) continue;
        s->made[i] = (Stream){.used = true, .device = s->current};
        *stream = &s->made[i];
        return OK;
    }
    return INVALID_VALUE;
}

static unsigned do_stream_destroy(State *s, GpuStream handle) {
    READY(s);
    Stream *stream = handle;
    if (!is_made(s, stream)) return INVALID_HANDLE;
    *stream = (Stream){0};
    return OK;
}

// ---------------------------------------------------------------- events

static bool is_event(const State *s, const Event *e) {
    return e >= s->events && e < s->events + EVENTS && e->used;
}

static unsigned do_event_create(State *s, GpuEvent *event, unsigned flags) {
    READY(s);
    for (size_t i = 0; flags == 0 && i < EVENTS; i++) {
        if (s->events[i].used) continue;
        s->events[i] = (Event){.used = true, .device = s->current};
        *event = &s->events[i];
        return OK;
    }
    return INVALID_VALUE;
}

static unsigned do_event_record(State *s, GpuEvent event, GpuStream handle) {
    READY(s);
    Event *e = event;
    const Stream *stream = state_stream(s, handle);
    if (!is_event(s, e) || stream == NULL || e->device != s->current) return INVALID_HANDLE;
    e->recorded = true;
    e->at = stream->clock;
    return OK;
}

static unsigned do_event_wait(State *s, GpuEvent event) {
    READY(s);
    return is_event(s, event) && ((Event *)event)->recorded ? OK : INVALID_HANDLE;
}

static unsigned do_event_elapsed(State *s, float *ms, GpuEvent from, GpuEvent to) {
    READY(s);
    const Event *a = from, *b = to;
    if (!is_event(s, a) || !is_event(s, b) || !a->recorded || !b->recorded || a->device != b->device)
        return INVALID_HANDLE;
    *ms = (float)((b->at - a->at) * 1000);
    return OK;
}

// Of any device, and of none that was recorded: that waits for nothing.
static unsigned do_stream_wait(State *s, GpuStream handle, GpuEvent event, unsigned flags) {
    READY(s);
    Stream *stream = state_stream(s, handle);
    const Event *e = event;
    if (flags != 0) return INVALID_VALUE;
    if (stream == NULL || !is_event(s, e)) return INVALID_HANDLE;
    if (e->recorded && e->at > stream->clock) stream->clock = e->at;
    return OK;
}

static unsigned do_synchronize(State *s) {
    READY(s);
    return OK;
}

// ---------------------------------------------------------------- peers

static bool can(const State *s, int device, int peer) {
    return device != peer && !state_word(s, "peers", "none");
}

static unsigned do_can_access(State *s, int *ret_can, GpuOrdinal device, GpuOrdinal peer) {
    DEVICE(s, device);
    DEVICE(s, peer);
    *ret_can = can(s, device, peer);
    return OK;
}

static unsigned do_reach(State *s, int peer, unsigned flags) {
    READY(s);
    DEVICE(s, peer);
    if (flags != 0) return INVALID_VALUE;
    if (peer == s->current) return INVALID_DEVICE;
    if (!can(s, s->current, peer)) return PEER_UNSUPPORTED;
    if (s->reaches[s->current][peer]) return PEER_TWICE;
    s->reaches[s->current][peer] = true;
    return OK;
}

static bool same(const PeerCopied *a, const PeerCopied *b) {
    return a->to == b->to && a->from == b->from && a->bytes == b->bytes && a->to_version == b->to_version &&
           a->from_version == b->from_version;
}

// Any two devices: without access the driver takes the way through the host.
static unsigned do_copy(State *s, GpuPointer to, int to_device, GpuPointer from, int from_device,
                        size_t bytes, GpuStream handle) {
    READY(s);
    DEVICE(s, to_device);
    DEVICE(s, from_device);
    Allocation *a = state_holder(s, to, bytes);
    const Allocation *b = state_holder(s, from, bytes);
    Stream *stream = state_stream(s, handle);
    unsigned error = (unsigned)state_number(s, "peer_error", OK);
    if (stream == NULL) return INVALID_HANDLE;
    if (a == NULL || b == NULL || a->device != to_device || b->device != from_device) return INVALID_VALUE;
    if (state_word(s, "peer_fault", "crash")) raise(SIGSEGV);
    if (state_word(s, "peer_fault", "hang")) state_mark(s);
    while (state_word(s, "peer_fault", "hang")) sleep(1);
    if (error != OK) return s->lost = error;
    PeerCopied now = {to, from, bytes, a->version, b->version};
    if (!same(&now, &stream->copied)) {
        memmove(state_host(to), state_host(from), bytes);
        if (state_word(s, "copies", "wrong-peer"))
            state_host(to)[bytes / 2] = (char)~state_host(to)[bytes / 2];
        now.to_version = a->version = ++s->memory;
        now.from_version = b->version;
    }
    stream->copied = now;
    bool direct = s->reaches[from_device][to_device] || s->reaches[to_device][from_device];
    char word[16];
    snprintf(word, sizeof word, "%d:%d", from_device, to_device);
    double speed = (direct ? state_number(s, "peer", 400) : state_number(s, "staged", 20)) * 1e9;
    stream->clock += (least + (double)bytes / speed) * (state_word(s, "slow", word) ? 2 : 1);
    return OK;
}

static unsigned do_link(State *s, int device, int peer, uint32_t *type, uint32_t *hops) {
    enum { LINK_PCIE = 2, LINK_XGMI = 4 };
    DEVICE(s, device);
    DEVICE(s, peer);
    bool xgmi = state_number(s, "xgmi", 1) > 0;
    *type = xgmi ? LINK_XGMI : LINK_PCIE;
    *hops = xgmi ? 1 : 2;
    return OK;
}

// ---------------------------------------------------------------- the exported names

BOTH(cuStreamCreate, hipStreamCreateWithFlags, (GpuStream * stream, unsigned flags),
     do_stream_create(s, stream, flags))
BOTH(cuStreamDestroy_v2, hipStreamDestroy, (GpuStream stream), do_stream_destroy(s, stream))
BOTH(cuStreamWaitEvent, hipStreamWaitEvent, (GpuStream stream, GpuEvent event, unsigned flags),
     do_stream_wait(s, stream, event, flags))
BOTH(cuEventCreate, hipEventCreateWithFlags, (GpuEvent * event, unsigned flags),
     do_event_create(s, event, flags))
BOTH(cuEventRecord, hipEventRecord, (GpuEvent event, GpuStream stream), do_event_record(s, event, stream))
BOTH(cuEventSynchronize, hipEventSynchronize, (GpuEvent event), do_event_wait(s, event))
BOTH(cuEventElapsedTime, hipEventElapsedTime, (float *ms, GpuEvent from, GpuEvent to),
     do_event_elapsed(s, ms, from, to))
BOTH(cuCtxSynchronize, hipDeviceSynchronize, (void), do_synchronize(s))
BOTH(cuDeviceCanAccessPeer, hipDeviceCanAccessPeer, (int *ret_can, GpuOrdinal device, GpuOrdinal peer),
     do_can_access(s, ret_can, device, peer))

// The device of a context; none of ours: -1.
static int device_of(const State *s, GpuContext context) {
    const char *at = context;
    return at >= s->contexts && at < s->contexts + DEVICES ? (int)(at - s->contexts) : -1;
}

unsigned cuCtxEnablePeerAccess(GpuContext peer, unsigned flags) {
    return do_reach(&fake_states[FAKE_CUDA], device_of(&fake_states[FAKE_CUDA], peer), flags);
}
unsigned hipDeviceEnablePeerAccess(int peer, unsigned flags) {
    return do_reach(&fake_states[FAKE_HIP], peer, flags);
}

unsigned cuMemcpyPeerAsync(GpuPointer to, GpuContext to_context, GpuPointer from, GpuContext from_context,
                           size_t bytes, GpuStream stream) {
    State *s = &fake_states[FAKE_CUDA];
    return do_copy(s, to, device_of(s, to_context), from, device_of(s, from_context), bytes, stream);
}
unsigned hipMemcpyPeerAsync(GpuPointer to, int to_device, GpuPeerSource from, int from_device, size_t bytes,
                            GpuStream stream) {
    return do_copy(&fake_states[FAKE_HIP], to, to_device, from, from_device, bytes, stream);
}
unsigned hipExtGetLinkTypeAndHopCount(int device, int peer, uint32_t *type, uint32_t *hops) {
    return do_link(&fake_states[FAKE_HIP], device, peer, type, hops);
}
