// What a writer needs of the program around it: memory, where text goes, and the room that it has there.
#ifndef GPUADVISE_REPORT_WRITER_H
#define GPUADVISE_REPORT_WRITER_H

#include "src/report/report.h"

typedef struct Writer {
    Arena *arena;
    Buf *out;
    Format format;
    Room room;
} Writer;

// A sentence, printed as by printf and broken at blanks; its further lines stand `indent` columns in.
#define writer_line(w, indent, ...)                                                                          \
    text_wrapped((w)->out, arena_printf((w)->arena, __VA_ARGS__), (indent), (w)->room.width)

enum { COLUMNS_MAX = 10000 };  // of a terminal

// Columns that a text table may choose its own for; COLUMNS_MAX where nothing limits it.
static inline size_t writer_columns(const Writer *w) {
    size_t columns = room_columns(w->room);
    return columns > 0 ? columns : COLUMNS_MAX;
}

#endif
