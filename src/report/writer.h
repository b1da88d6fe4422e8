// What a writer needs of the program around it: memory, where text goes, and the room that it has there.
#ifndef GPUADVISE_REPORT_WRITER_H
#define GPUADVISE_REPORT_WRITER_H

#include "src/report/report.h"

typedef struct Writer {
    Arena *arena;
    Buf *out;
    Format format;
    Room room;
    void (*drain)(
        void *program);  // for answers too large to be held: writes `out` where it has grown, and empties it
    void *program;
} Writer;

#define writer_put(w, ...) buf_printf((w)->out, __VA_ARGS__)

// A sentence, printed as by printf and broken at blanks; its further lines stand `indent` columns in.
#define writer_line(w, indent, ...) wrapped_printf((w)->out, (indent), (w)->room.width, __VA_ARGS__)

// "    label: text", wrapped; nothing where there is no text.
static inline void writer_field(const Writer *w, const char *label, const char *text) {
    text_labelled(w->out, label, text, w->room.width);
}

static inline void writer_drain(const Writer *w) {
    if (w->drain != NULL) w->drain(w->program);
}

// The elements of a list, made and written one by one; the list is the last member of `root`.
static inline void writer_row(const Writer *w, JsonRows *rows, Json *owned) {
    json_rows_add(rows, owned);
    json_free(owned);
    writer_drain(w);
}

enum { COLUMNS_MAX = 10000 };  // of a terminal

// Columns that a text table may choose its own for; COLUMNS_MAX where nothing limits it.
static inline size_t writer_columns(const Writer *w) {
    size_t columns = room_columns(w->room);
    return columns > 0 ? columns : COLUMNS_MAX;
}

#endif
