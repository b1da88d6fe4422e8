// URLs that requests may go to, and how they are shown.
#include <stdio.h>
#include <string.h>

#include "catalog/feeds/http.h"

void http_url_shown(char *out, size_t size, const char *url) {
    snprintf(out, size, "%.*s", (int)strcspn(url, "?#"), url);
}

bool http_url_check(const char *url, Err *e) {
    char shown[120];
    http_url_shown(shown, sizeof shown, url);
    if (strncmp(url, "https://", 8) != 0) return err_set(e, ERR_USAGE, "'%s' is not an https URL", shown);
    size_t host = strcspn(url + 8, "/?#");
    if (memchr(url + 8, '@', host) != NULL)
        return err_set(e, ERR_USAGE, "the URL holds a user name or password");
    if (host == 0) return err_set(e, ERR_USAGE, "'%s' names no host", shown);
    if (strlen(url) >= HTTP_URL_MAX)
        return err_set(e, ERR_USAGE, "a URL of %zu bytes is too long", strlen(url));
    for (const char *c = url; *c != '\0'; c++) {
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f)
            return err_set(e, ERR_USAGE, "'%s' holds a character that no URL has", shown);
    }
    return true;
}

// Scheme, host and port alike?
bool http_same_origin(const char *a, const char *b) {
    size_t n = 8 + strcspn(a + 8, "/?#");
    return n == 8 + strcspn(b + 8, "/?#") && strncmp(a, b, n) == 0;
}
