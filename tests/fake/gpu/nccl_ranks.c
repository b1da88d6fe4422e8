// NCCL over several processes: ranks meet in a file that all of them map. FAKE_NCCL of each rank: busbw=GB/s
// that it can move (the slowest of those that take part counts), fault=hang (never comes), wrong-pair.
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/fake/gpu/nccl_ranks.h"

enum { RANKS = 64, SLOT_BYTES = 4 << 20 };

typedef struct Meeting {
    atomic_uint arrived, round;
    atomic_uint sent[RANKS], taken[RANKS], to[RANKS];  // messages of each rank, and whom its last is for
    double speed[RANKS];
    char slots[RANKS][SLOT_BYTES];
} Meeting;

static struct {
    Meeting *m;
    unsigned rank, ranks;
} here;

bool ranks_joined(void) { return here.m != NULL; }

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL); }

// All ranks leave together.
static void meet(void) {
    unsigned round = atomic_load(&here.m->round);
    if (atomic_fetch_add(&here.m->arrived, 1) + 1 == here.ranks) {
        atomic_store(&here.m->arrived, 0);
        atomic_fetch_add(&here.m->round, 1);
        return;
    }
    while (atomic_load(&here.m->round) == round) nap();
}

void ranks_make_id(NcclId *id) {
    memset(id, 0, sizeof *id);
    snprintf(id->bytes, sizeof id->bytes, "/tmp/fake-nccl-%ld-%u", (long)getpid(), (unsigned)rand());
}

bool ranks_join(const NcclId *id, int ranks, int rank, double speed) {
    int fd = open(id->bytes, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ranks < 2 || ranks > RANKS || ftruncate(fd, sizeof(Meeting)) != 0) return false;
    void *at = mmap(NULL, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED) return false;
    here.m = at;
    here.rank = (unsigned)rank;
    here.ranks = (unsigned)ranks;
    here.m->speed[rank] = speed;
    meet();
    unlink(id->bytes);  // all have it mapped
    return true;
}

static double slowest(unsigned a, unsigned b) {
    return here.m->speed[a] < here.m->speed[b] ? here.m->speed[a] : here.m->speed[b];
}

double ranks_sum(const float *from, float *to, size_t count) {
    double speed = here.m->speed[0];
    if (count * sizeof(float) > SLOT_BYTES) return 0;
    memcpy(here.m->slots[here.rank], from, count * sizeof(float));
    meet();
    memset(to, 0, count * sizeof(float));
    for (unsigned r = 0; r < here.ranks; r++) {
        const float *x = (const float *)(const void *)here.m->slots[r];
        for (size_t i = 0; i < count; i++) to[i] += x[i];
        if (here.m->speed[r] < speed) speed = here.m->speed[r];
    }
    meet();
    return speed;
}

// Its own message goes out when the last one was taken; then the other's is waited for.
double ranks_exchange(const float *from, float *to, size_t count, int peer, bool wrong) {
    Meeting *m = here.m;
    unsigned other = (unsigned)peer, me = here.rank;
    if (count * sizeof(float) > SLOT_BYTES || other >= here.ranks) return 0;
    while (atomic_load(&m->sent[me]) != atomic_load(&m->taken[me])) nap();
    memcpy(m->slots[me], from, count * sizeof(float));
    atomic_store(&m->to[me], other);
    atomic_fetch_add(&m->sent[me], 1);
    while (atomic_load(&m->sent[other]) == atomic_load(&m->taken[other]) || atomic_load(&m->to[other]) != me)
        nap();
    memcpy(to, m->slots[other], count * sizeof(float));
    if (wrong) to[count / 2] += 1;
    atomic_fetch_add(&m->taken[other], 1);
    return slowest(me, other);
}
