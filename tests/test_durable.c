// What is kept is on the disk before it is answered for: SQLite's calls of fsync and fdatasync come here, are
// counted, and fail when told to.
#include <errno.h>
#include <unistd.h>

#include "catalog/facts/own.h"
#include "catalog/facts/runs.h"
#include "catalog/facts/store.h"
#include "tests/market_world.h"

static struct {
    size_t n;
    bool broken;
} syncs;

static int synced(void) {
    syncs.n++;
    if (!syncs.broken) return 0;
    errno = EIO;
    return -1;
}

// The library finds them where they are exported.
#define SEEN __attribute__((visibility("default")))

SEEN int fsync(int fd) {
    (void)fd;
    return synced();
}

SEEN int fdatasync(int fd) {
    (void)fd;
    return synced();
}

// A market whose database somebody else has open too, as the screen does: closing it syncs nothing then.
typedef struct Shared {
    World w;
    Db *other;
} Shared;

static Shared shared(bool keep) {
    Shared s = {.w = world()};
    Err e = {0};
    if (!db_open(s.w.path, &s.other, &e) || (keep && !catalog_keep(s.w.c, &e))) FAIL_("%s", e.text);
    syncs.n = 0;
    syncs.broken = false;
    return s;
}

static void shared_free(Shared *s) {
    syncs.broken = false;
    world_free(&s->w);
    db_close(s->other);
}

static bool take_prices(Shared *s, Err *e) {
    MarketOutcome out;
    MarketRefresh *r = market_begin(s->w.m, "quote", "u");
    const FeedRow row = plain("a", 20);
    return market_add(r, &row, e) && market_finish(r, &s->w.s.arena, &out, e);
}

static bool take_own(Shared *s, Err *e) {
    OwnChange change = {.table = TABLE_WORKLOADS,
                        .arena = &s->w.s.arena,
                        .today = "2026-11-27",
                        .text = str_of("workload_id\tkind\tmodel_id\nmine\tserve\tllama-3.1-70b\n")};
    return catalog_own_add(s->w.c, &change, e);
}

static bool take_run(Shared *s, Err *e) {
    int64_t id = 0;
    const BenchRun run = {.taken_at = "2026-11-27T12:00:00Z",
                          .tool_version = "t",
                          .system = "s",
                          .options = "o",
                          .origin = "",
                          .device_names = ""};
    return runs_add(s->w.c, &run, &id, e);
}

static bool (*const takes[])(Shared *s, Err *e) = {take_prices, take_own, take_run};

static void test_each_commit_is_synced(void) {
    for (size_t i = 0; i < COUNT_OF(takes); i++) {
        Shared s = shared(true);
        Err e = {0};
        if (!takes[i](&s, &e)) FAIL_("%zu: %s", i, e.text);
        if (syncs.n == 0) FAIL_("%zu: answered for before it is on the disk", i);
        shared_free(&s);
    }
}

static void test_a_disk_that_cannot_sync_is_a_failure(void) {
    for (size_t i = 0; i < COUNT_OF(takes); i++) {
        Shared s = shared(true);
        Err e = {0};
        syncs.broken = true;
        if (takes[i](&s, &e)) FAIL_("%zu: told as kept", i);
        CHECK(db_at_fault(&e));
        if (strstr(e.text, "disk I/O error") == NULL) FAIL_("%s", e.text);
        shared_free(&s);
    }
}

// Facts can be loaded again: nobody waits for the disk.
static void test_facts_wait_for_no_disk(void) {
    Shared s = shared(false);
    Err e = {0};
    CHECK(catalog_rebuild(s.w.c, NULL, NULL, &e));
    if (!take_prices(&s, &e)) FAIL_("%s", e.text);
    CHECK_INT(syncs.n, 0);
    shared_free(&s);
}

static const TestCase tests[] = {
    TEST(each_commit_is_synced),
    TEST(a_disk_that_cannot_sync_is_a_failure),
    TEST(facts_wait_for_no_disk),
};
TEST_MAIN(tests)
