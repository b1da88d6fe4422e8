// What other tools call an option or a command of this one: for errors that say what would have been right.
#ifndef GPUADVISE_CLI_WORDS_H
#define GPUADVISE_CLI_WORDS_H

#include "cli/cli.h"

// The option that is meant by `name` (without dashes; unknown, or not taken by the command), of those that
// `c` takes (NULL: any); NULL: none. `name` may be an option of this program: another that says the same may
// be taken where it is not.
const OptionSpec *word_option(const Command *c, const char *name);

// The option that a part of `name` between hyphens says, the longest such part: "max-age-days" has "max-age"
// in it. NULL: none, or none that `c` takes.
const OptionSpec *word_inside(const Command *c, const char *name);

// What to do instead of a command of that name: "`gpuadvise report` compares ..."; NULL: unknown.
const char *word_command(const char *name);

#endif
