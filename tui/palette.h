// What ":" finds: commands of the program, views, panels, fields and actions, by the names that the screen shows.
#ifndef GPUADVISE_TUI_PALETTE_H
#define GPUADVISE_TUI_PALETTE_H

#include "tui/services.h"

typedef enum ItemKind { ITEM_ACTION, ITEM_VIEW, ITEM_PANEL, ITEM_FIELD, ITEM_COMMAND } ItemKind;

typedef struct Item {
    ItemKind kind;
    int value;         // Action, ViewId or field; of a panel its view * PANELS_MAX + panel
    const char *name;  // what is looked for, in the main
    const char *what;  // a few words on it
    const char *key;   // "" = none
    int score;
} Item;

// How well `typed` finds a thing: every word of it must stand in its name, its letters in their order at least,
// or in `what`, with some of the latter's words beginning so. 0: not at all.
int palette_score(const char *name, const char *what, const char *typed);

// The one that Enter takes; false: none, since the line is a command as it stands or finds nothing.
bool palette_chosen(Tui *t, Arena *a, Item *ret_item);
// Does what an item stands for. False: it wants words after its name, which is now the line.
bool palette_take(Tui *t, const Item *item);

void palette_draw(Tui *t, Grid *g, int bottom);

#endif
