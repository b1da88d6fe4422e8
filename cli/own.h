// `add`, `import` and `remove`: rows of the user's own, for every command that browses a table which takes
// them.
#ifndef GPUADVISE_CLI_OWN_H
#define GPUADVISE_CLI_OWN_H

#include "cli/cli.h"

#define OWN_VERBS(what, row)                                                                                 \
    {"add", what " COLUMN=VALUE...", 2, 200, true, "add a " row " of your own", NO_OPTIONS, own_run},        \
        {"import", "FILE", 1, 1, true, "take in rows of your own from a file", NO_OPTIONS, own_run}, {       \
        "remove", what "...", 1, 100, true, "take rows of your own back", NO_OPTIONS, own_run                \
    }

// For the description of such a command.
#define OWN_HELP(columns)                                                                                    \
    "Rows of your own: `add` takes one (" columns                                                            \
    "), `import` a file, CSV or tab-separated with the columns by name, `remove` takes them back. "          \
    "Columns are the keys of `show ... --json`; those not given are unknown, `as_of` is today, and "         \
    "`source` begins with \"own: \". Shipped rows stay as they are."

// What runs them: the table is that which the command browses.
int own_run(App *app);

// Keeps a row that a command made, as `import` would: `row` is a struct of the table. `file`: what it was
// made of.
int own_keep(App *app, TableId table, const void *row, const char *file);

#endif
