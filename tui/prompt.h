// The line at the bottom: filter, command, file names; and text that is pasted.
#ifndef GPUADVISE_TUI_PROMPT_H
#define GPUADVISE_TUI_PROMPT_H

#include "tui/services.h"

void prompt_key(Tui *t, int key);
void prompt_item(Tui *t, size_t number);  // a click on what ":" found
void paste_key(Tui *t, int key);
void prompt_draw(Tui *t, Grid *g, Rect at);
// Tab: the rest of the word that the cursor stands behind, as far as there is only one. False: nothing to add.
bool prompt_complete(Tui *t);

#endif
