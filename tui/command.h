// The line after ":": what the screen itself knows, else a command of the program.
#ifndef GPUADVISE_TUI_COMMAND_H
#define GPUADVISE_TUI_COMMAND_H

#include "tui/services.h"

void command_run(Tui *t, const char *line);
// Whether its first word is a command's name, the screen's or the program's.
bool command_known(const Tui *t, const char *line);
// The screen's own, by number. NULL: there are no more.
const char *command_name(size_t i);

#endif
