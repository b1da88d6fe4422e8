// A grid as the text that `tui --once` prints.
#ifndef GPUADVISE_TESTS_PRINTED_H
#define GPUADVISE_TESTS_PRINTED_H

#include "tui/grid.h"

static inline const char *printed(const Grid *g, bool ascii) {
    Buf b;
    buf_init(&b, BUF_LIMIT);
    grid_print(g, ascii, &b);
    const char *text = arena_copy(g->arena, b.data, b.length);
    buf_free(&b);
    return text;
}

#endif
