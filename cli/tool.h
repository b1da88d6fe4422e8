// Another program of this machine, run to its end without a shell: compilers, git, HIPIFY.
#ifndef GPUADVISE_CLI_TOOL_H
#define GPUADVISE_CLI_TOOL_H

#include "src/base/base.h"

typedef struct ToolRun {
    int code;    // exit code; -1: ended by a signal, or stopped
    bool late;   // stopped after `limit_s`
    Str output;  // standard output and error together, at most TOOL_OUTPUT_MAX bytes; in the arena
} ToolRun;

enum { TOOL_OUTPUT_MAX = 1 << 20 };

// `words` ends with NULL; `folder` NULL: where this program runs. False: it cannot be started.
bool tool_run(Arena *a, char *const *words, const char *folder, int limit_s, ToolRun *ret);
// The first of the names (separated by blanks) that PATH has, as a path; NULL: none.
const char *tool_find(Arena *a, const char *names);

#endif
