// Names that users type and that are unknown: what they may have meant.
#include <string.h>

#include "cli/cli.h"

// "api" in "api-usd-per-mtok", not in "capital-rate".
static bool begins_a_part(const char *name, const char *word) {
    size_t n = strlen(word);
    bool begins = strncmp(name, word, n) == 0;
    for (const char *at = strchr(name, '-'); at != NULL && !begins; at = strchr(at + 1, '-'))
        begins = strncmp(at + 1, word, n) == 0;
    return begins;
}

const char *name_nearest(const char *word, const char *const *names, size_t n) {
    size_t length = strlen(word);
    size_t limit = length <= 4 ? 1 : length <= 7 ? 2 : 3;
    const char *best = NULL;
    for (size_t i = 0; i < n; i++) {
        size_t distance = edit_distance(word, names[i], limit);
        if (distance > limit) continue;
        best = names[i];
        if (distance == 0) break;
        limit = distance - 1;
    }
    for (size_t i = 0; best == NULL && length >= 3 && i < n; i++) {
        if (begins_a_part(names[i], word)) best = names[i];
    }
    for (size_t i = 0; best == NULL && length >= 3 && i < n; i++) {
        if (text_contains(names[i], word)) best = names[i];
    }
    return best;
}

bool name_unknown(Err *e, const char *what, const char *word, const char *const *names, size_t n) {
    enum { SHORT_LIST = 24 };
    size_t count = 0;
    while (count < n && names[count] != NULL) count++;
    const char *near = name_nearest(word, names, count);
    const char *lister = catalog_lister(what);
    if (near != NULL)
        return err_set(e, ERR_USAGE, "unknown %s '%s'; did you mean '%s'?%s%s", what, word, near,
                       lister[0] != '\0' ? " " : "", lister);
    if (lister[0] != '\0') return err_set(e, ERR_USAGE, "unknown %s '%s'; %s", what, word, lister);
    if (count == 0 || count > SHORT_LIST) return err_set(e, ERR_USAGE, "unknown %s '%s'", what, word);
    Buf list;
    buf_init(&list, sizeof e->text);
    for (size_t i = 0; i < count; i++) buf_printf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    err_set(e, ERR_USAGE, "unknown %s '%s'; one of: %s", what, word, list.data);
    buf_free(&list);
    return false;
}
