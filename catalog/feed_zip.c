// One file out of a zip archive in memory, on libzip.
#include "catalog/feed_zip.h"

#include <stdio.h>
#include <string.h>
#include <zip.h>

enum { ENTRIES_MAX = 1000 };

bool zip_begins(Str bytes) { return bytes.length >= 4 && memcmp(bytes.data, "PK\x03\x04", 4) == 0; }

static bool bad(Err *e, zip_error_t *error) {
    err_set(e, ERR_FAILED, "bad zip archive: %s", zip_error_strerror(error));
    zip_error_fini(error);
    return false;
}

static bool open_archive(Str archive, zip_t **ret_zip, Err *e) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(archive.data, archive.length, 0, &error);
    if (source == NULL) return bad(e, &error);
    zip_t *z = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (z == NULL) {
        zip_source_free(source);
        return bad(e, &error);
    }
    zip_error_fini(&error);
    *ret_zip = z;
    return true;
}

static bool find_entry(zip_t *z, const char *suffix, zip_uint64_t *ret_index, char *ret_name, size_t name_size, Err *e) {
    zip_int64_t n = zip_get_num_entries(z, 0);
    if (n > ENTRIES_MAX) return err_set(e, ERR_FAILED, "the zip archive holds %lld files", (long long)n);
    size_t found = 0;
    for (zip_uint64_t i = 0; i < (zip_uint64_t)n; i++) {
        const char *name = zip_get_name(z, i, 0);
        size_t length = name != NULL ? strlen(name) : 0;
        if (length < strlen(suffix) || strcmp(name + length - strlen(suffix), suffix) != 0) continue;
        if (found++ > 0) break;
        snprintf(ret_name, name_size, "%s", name);
        *ret_index = i;
    }
    return found == 1 || err_set(e, ERR_FAILED, "the zip archive holds %s '%s' file", found == 0 ? "no" : "more than one", suffix);
}

bool zip_unpack(Str archive, const char *suffix, int64_t bytes_max, char *ret_name, size_t name_size,
                bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e) {
    zip_t *z = NULL;
    zip_file_t *f = NULL;
    zip_uint64_t index = 0;
    bool ok = false;
    if (!open_archive(archive, &z, e)) return false;
    if (!find_entry(z, suffix, &index, ret_name, name_size, e)) goto out;
    f = zip_fopen_index(z, index, 0);
    if (f == NULL) {
        err_set(e, ERR_FAILED, "bad zip archive: %s", zip_strerror(z));
        goto out;
    }
    char bytes[32768];
    int64_t total = 0;
    for (;;) {
        zip_int64_t n = zip_fread(f, bytes, sizeof bytes);
        if (n < 0) err_set(e, ERR_FAILED, "bad zip archive: %s", zip_file_strerror(f));
        if (n <= 0) {
            ok = n == 0;
            break;
        }
        total += n;
        if (total > bytes_max) {
            err_set(e, ERR_FAILED, "the zip archive unpacks to over %lld bytes", (long long)bytes_max);
            break;
        }
        if (!piece(user, (Str){bytes, (size_t)n}, e)) break;
    }
out:
    if (f != NULL) zip_fclose(f);
    zip_discard(z);
    return ok;
}
