// What leaves the screen: files, the terminal's clipboard, the state that is saved.
#ifndef GPUADVISE_TUI_OUTPUT_H
#define GPUADVISE_TUI_OUTPUT_H

#include "tui/services.h"

// What is listed, by the ending of the file's name; else the frame as text.
const char *export_name(const Tui *t, Arena *a);  // that is offered
void export_ask(Tui *t, const char *path);        // asks first where a file stands already
void export_write(Tui *t, const char *path);

// The clipboard of the terminal, as far as it has one that programs may fill (OSC 52).
void copy_row(Tui *t);
void copy_line(Tui *t);

// "key = value" lines. Reading refuses nothing: what it does not know is left out.
void state_read(Tui *t, Str text);
void state_write(const Tui *t, Buf *out);
bool state_folder(const char *path, Err *e);  // makes the folders that the file at `path` stands in

#endif
