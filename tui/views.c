// The table of views, and their names as the command line knows them.
#include "tui/views.h"

#include "tui/tui.h"

// clang-format off
#define ROW_(id, view, name, key, title, about) [VIEW_##id] = {name, key, title, about},
#define NAME_(id, view, name, key, title, about) [VIEW_##id] = name,
// clang-format on

const ViewRow view_table[VIEW_COUNT] = {TUI_VIEWS(ROW_)};
const char *const tui_view_names[] = {TUI_VIEWS(NAME_) NULL};
_Static_assert(COUNT_OF(tui_view_names) == VIEW_COUNT + 1, "a name for each view, and an end");
