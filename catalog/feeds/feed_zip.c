// One file out of a zip archive in memory, on libzip, or of a .gz, on zlib.
#include "catalog/feeds/feed_zip.h"

#include <stdio.h>
#include <string.h>
#include <zip.h>
#define ZLIB_CONST  // input is not written to
#include <zlib.h>

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

static bool find_entry(zip_t *z, const char *suffix, zip_uint64_t *ret_index, char *ret_name,
                       size_t name_size, Err *e) {
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
    return found == 1 || err_set(e, ERR_FAILED, "the zip archive holds %s '%s' file",
                                 found == 0 ? "no" : "more than one", suffix);
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

bool gzip_begins(Str bytes) { return bytes.length >= 3 && memcmp(bytes.data, "\x1f\x8b\x08", 3) == 0; }

enum { GZIP_ONLY = 15 + 16, GZIP_OUT = 65536 };

struct GzipStream {
    z_stream z;
    int state;
    char out[GZIP_OUT];
};

GzipStream *gzip_open(Arena *a, Err *e) {
    GzipStream *g = arena_alloc(a, 1, sizeof *g);
    g->state = inflateInit2(&g->z, GZIP_ONLY);
    if (g->state == Z_OK) return g;
    err_set(e, ERR_FAILED, "the .gz cannot be read");
    return NULL;
}

bool gzip_feed(GzipStream *g, Str packed, bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e) {
    if (packed.length > UINT32_MAX / 2) return err_set(e, ERR_FAILED, "the .gz cannot be read");
    g->z.next_in = (const Bytef *)packed.data;
    g->z.avail_in = (uInt)packed.length;
    // what the last call had no room for comes even without further input
    for (bool full = false; g->z.avail_in > 0 || full;) {
        if (g->state == Z_STREAM_END && inflateReset(&g->z) != Z_OK) break;  // a further member
        g->z.next_out = (Bytef *)g->out;
        g->z.avail_out = GZIP_OUT;
        g->state = inflate(&g->z, Z_NO_FLUSH);
        if (g->state == Z_BUF_ERROR) {
            g->state = Z_OK;
            return true;
        }
        if (g->state != Z_OK && g->state != Z_STREAM_END)
            return err_set(e, ERR_FAILED, "bad .gz: it is damaged or ends too soon");
        full = g->z.avail_out == 0 && g->state == Z_OK;
        if (!piece(user, (Str){g->out, GZIP_OUT - g->z.avail_out}, e)) return false;
    }
    return true;
}

void gzip_drop(GzipStream *g) {
    if (g != NULL) inflateEnd(&g->z);
}

bool gzip_close(GzipStream *g, Err *e) {
    bool whole = g->state == Z_STREAM_END;
    gzip_drop(g);
    return whole || err_set(e, ERR_FAILED, "bad .gz: it is damaged or ends too soon");
}

bool gzip_unpack(Str packed, bool (*piece)(void *user, Str bytes, Err *e), void *user, Err *e) {
    Arena a = {0};
    GzipStream *g = gzip_open(&a, e);
    bool ok = g != NULL && gzip_feed(g, packed, piece, user, e);
    if (ok)
        ok = gzip_close(g, e);
    else
        gzip_drop(g);
    arena_free(&a);
    return ok;
}
