// URLs against curl's own parser: what is let through is an https URL of one host without a password, and two of one
// origin are so for curl too: a key never goes where it does not belong. Two URLs, a line each.
#include <curl/curl.h>
#include <string.h>

#include "catalog/feeds/http.h"
#include "tests/fuzz/fuzz.h"

// "https host port" as curl sees it; "" when curl sees no URL.
static const char *seen_by_curl(Arena *a, const char *url) {
    const char *text = "";
    char *scheme = NULL, *host = NULL, *port = NULL, *user = NULL, *password = NULL;
    CURLU *u = curl_url();
    MUST_HOLD(u != NULL);
    if (curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK &&
        curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
        curl_url_get(u, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
        curl_url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK) {
        text = arena_printf(a, "%s %s %s", scheme, host, port);
        MUST_HOLD(strcmp(scheme, "https") == 0);
        MUST_HOLD(curl_url_get(u, CURLUPART_USER, &user, 0) != CURLUE_OK);
        MUST_HOLD(curl_url_get(u, CURLUPART_PASSWORD, &password, 0) != CURLUE_OK);
    }
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(u);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena a = {0};
    const char *urls[2];
    Str rest = {(const char *)data, size}, line = {"", 0};
    bool taken[2];
    for (size_t i = 0; i < 2; i++) {
        char shown[64];
        Err e = {0};
        if (!str_next(&rest, '\n', &line)) line.length = 0;
        urls[i] = arena_copy(&a, line.data, line.length);
        taken[i] = http_url_check(urls[i], &e);
        MUST_HOLD(taken[i] == (e.text[0] == '\0'));
        http_url_shown(shown, sizeof shown, urls[i]);
        MUST_HOLD(strpbrk(shown, "?#") == NULL);
    }
    if (taken[0] && taken[1]) {
        const char *one = seen_by_curl(&a, urls[0]), *two = seen_by_curl(&a, urls[1]);
        bool same = http_same_origin(urls[0], urls[1]);
        MUST_HOLD(same == http_same_origin(urls[1], urls[0]));
        if (same) MUST_HOLD(strcmp(one, two) == 0 || one[0] == '\0' || two[0] == '\0');
    }
    arena_free(&a);
    return 0;
}
