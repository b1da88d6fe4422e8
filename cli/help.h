// Inside of cli: what help knows beside the command and option tables: examples, groups of options, lists.
#ifndef GPUADVISE_CLI_HELP_H
#define GPUADVISE_CLI_HELP_H

#include "cli/cli.h"

typedef struct Example {
    Str command, verb;  // verb "": what the command does when none is named
    Str line, says;     // says "": nothing
} Example;

Str example_rows(void);  // of cli/examples.tsv, in the order shown
// Takes the first of the rows off them. False: there are none left.
bool example_next(Str *rows, Example *ret_example);

// Options under a heading, the everyday ones first. Every option that not all commands take stands in one group.
typedef struct OptionGroup {
    const char *title;
    const OptionId *options;  // OPT_COUNT after the last
} OptionGroup;

extern const OptionGroup option_groups[];
extern const size_t n_option_groups;
bool option_has_group(OptionId id);  // false: help shows it behind the groups, and a test misses one for it

extern const char help_about[], help_usage[];

// Lines of the lists in help and man page: exit codes, files, environment.
typedef struct HelpEntry {
    const char *name, *text;
} HelpEntry;

extern const HelpEntry help_exit_codes[], help_files[], help_surroundings[];
extern const size_t n_help_exit_codes, n_help_files, n_help_surroundings;

// "-o, --output FILE", blanks in place of a letter that it has not
void help_option(Buf *out, const OptionSpec *o);
// "gpuadvise gpus [list] [OPTION...]", "gpuadvise gpus show GPU"
void help_verb_usage(Buf *out, const Command *c, size_t verb);

#endif
