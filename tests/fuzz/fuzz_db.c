// The database's file: a sound one with bytes changed is read, mended or refused, never trusted.
//
// The input is a list of changes, 8 bytes each: place (4, little end first), how many bytes (1), with what (3, again
// and again). The facts' digest is that of the program, so that the tables are read as they stand.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catalog/facts/catalog.h"
#include "src/base/base.h"
#include "tests/fuzz/fuzz.h"

enum { FILE_MAX = 64 << 20, CHANGE = 8, CHANGES_MAX = 64 };

static char folder[] = "/tmp/gpuadvise-fuzz-db-XXXXXX";
static char path[64];
static Str sound;
static Arena kept;

static void clear(void) {
    static const char *const ends[] = {"", "-wal", "-shm", "-journal", ".lock"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        char name[96];
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
}

static void leave(void) {
    clear();
    rmdir(folder);
    arena_free(&kept);
}

static void use(const char *file, bool must) {
    Arena a = {0};
    Err e = {0};
    Catalog *c = NULL;
    const char *warning = NULL;
    CatalogOptions options = {.db_path = file};
    bool ok = catalog_open(&options, &a, &c, &warning, &e);
    MUST_HOLD(ok || (e.text[0] != '\0' && !must));
    if (ok) {
        Facts facts;
        Err why = {0};
        const DataAge *ages = NULL;
        size_t n = 0;
        bool read = catalog_facts(c, &a, &facts, &why) && catalog_ages(c, true, &a, &ages, &n, &why);
        MUST_HOLD(read || (why.text[0] != '\0' && !must));
        bool whole = catalog_check(c, &why);
        MUST_HOLD(whole || !must);
    }
    catalog_close(c);
    arena_free(&a);
}

static void prepare(void) {
    Err e = {0};
    MUST_HOLD(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/catalog.db", folder);
    use(path, true);
    MUST_HOLD(file_read(&kept, path, FILE_MAX, &sound, &e));
    atexit(leave);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (sound.length == 0) prepare();
    clear();
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    MUST_HOLD(fd >= 0 && write(fd, sound.data, sound.length) == (ssize_t)sound.length);
    for (size_t i = 0; i + CHANGE <= size && i < (size_t)CHANGES_MAX * CHANGE; i += CHANGE) {
        size_t at =
            (data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16 | (size_t)data[i + 3] << 24) %
            sound.length;
        for (size_t k = 0; k < data[i + 4] && at + k < sound.length; k++)
            MUST_HOLD(pwrite(fd, &data[i + 5 + k % 3], 1, (off_t)(at + k)) == 1);
    }
    if (size % CHANGE == 1) MUST_HOLD(ftruncate(fd, (off_t)(sound.length * data[size - 1] / 256)) == 0);
    close(fd);
    use(path, size == 0);
    return 0;
}
