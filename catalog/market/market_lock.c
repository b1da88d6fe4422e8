// One refresh at a time: a lock file beside the database.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "catalog/market/market.h"

struct MarketLock {
    Arena arena;  // holds this struct
    int fd;       // -1: a database in memory, which nobody else sees
};

static bool take(int fd, bool *ret_taken, Err *e) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &whole) == 0) {
        *ret_taken = true;
        return true;
    }
    if (errno == EACCES || errno == EAGAIN || errno == EINTR) {
        *ret_taken = false;
        return true;
    }
    return err_set(e, ERR_FAILED, "%s", strerror(errno));
}

bool market_lock(const Catalog *c, double wait_s, const volatile int *stop, MarketLock **ret_lock, Err *e) {
    Arena own = {0};
    MarketLock *lock = arena_alloc(&own, 1, sizeof *lock);
    const char *db = catalog_db_path(c);
    bool ok = true;
    bool taken = db[0] == '\0';
    lock->fd = -1;
    if (!taken) {
        const char *path = arena_printf(&own, "%s.refresh.lock", db);
        lock->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        ok = lock->fd >= 0 || err_set(e, ERR_FAILED, "lock '%s': %s", path, strerror(errno));
        for (double waited = 0; ok && !taken; waited += 0.5) {
            ok = take(lock->fd, &taken, e) || err_wrap(e, "lock '%s'", path);
            if (!ok || taken || waited >= wait_s || (stop != NULL && *stop != 0)) break;
            nanosleep(&(struct timespec){0, 500000000}, NULL);
        }
    }
    lock->arena = own;
    if (ok && taken) {
        *ret_lock = lock;
        return true;
    }
    market_unlock(lock);
    if (ok) *ret_lock = NULL;
    return ok;
}

void market_unlock(MarketLock *lock) {
    if (lock == NULL) return;
    if (lock->fd >= 0) close(lock->fd);
    Arena a = lock->arena;
    arena_free(&a);
}
