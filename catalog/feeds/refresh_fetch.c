// One file over HTTPS into memory: snapshots and their signatures.
#include "catalog/feeds/http.h"
#include "catalog/feeds/refresh.h"

#include <string.h>

typedef struct Fetch {
    Buf body;
    bool ok;
    Err err;
} Fetch;

static void done(void *user, const HttpReply *reply, const Err *e) {
    (void)reply;
    Fetch *f = user;
    f->ok = e == NULL;
    if (e != NULL) f->err = *e;
}

bool refresh_fetch(const RefreshOptions *o, const char *url, size_t limit, Arena *a, Str *ret_text, Err *e) {
    Http *h = NULL;
    Fetch f = {0};
    HttpOptions options = {.ca_file = o->ca_file, .user_agent = o->user_agent};
    if (!http_url_check(url, e) || !http_open(&options, &h, e)) return false;
    buf_init(&f.body, limit);
    http_add(h, &(HttpRequest){.url = url,
                               .body_max = (int64_t)limit,
                               .timeout_s = 300,
                               .group = &f,
                               .user = &f,
                               .begin = http_keep_begin,
                               .bytes = http_keep_bytes,
                               .done = done});
    bool ok = http_run(h, e);
    http_close(h);
    if (ok && !f.ok) {
        *e = f.err;
        ok = false;
    }
    if (ok)
        *ret_text = (Str){arena_copy(a, f.body.length > 0 ? f.body.data : "", f.body.length), f.body.length};
    buf_free(&f.body);
    return ok;
}
