// Lines that were typed before, newest last.
#ifndef GPUADVISE_TUI_RECENT_H
#define GPUADVISE_TUI_RECENT_H

#include "tui/line.h"

enum { RECENT_MAX = 20 };
typedef struct Recent {
    char line[RECENT_MAX][LINE_MAX_BYTES];
    size_t n;
} Recent;

// An empty line is not kept; one that is there already becomes the newest, and the oldest makes room.
void recent_add(Recent *r, const char *line);
// The one `back` lines ago, 1: the newest. NULL: there are not so many.
const char *recent_at(const Recent *r, size_t back);

#endif
