// Lines that were typed before.
#include "tui/recent.h"

#include <stdio.h>
#include <string.h>

static void drop(Recent *r, size_t at) {
    r->n--;
    memmove(r->line[at], r->line[at + 1], (r->n - at) * sizeof r->line[0]);
}

void recent_add(Recent *r, const char *line) {
    if (line[0] == '\0' || strlen(line) >= LINE_MAX_BYTES) return;
    for (size_t i = 0; i < r->n; i++) {
        if (strcmp(r->line[i], line) != 0) continue;
        drop(r, i);
        break;
    }
    if (r->n == RECENT_MAX) drop(r, 0);
    snprintf(r->line[r->n++], LINE_MAX_BYTES, "%s", line);
}

const char *recent_at(const Recent *r, size_t back) {
    return back >= 1 && back <= r->n ? r->line[r->n - back] : NULL;
}
