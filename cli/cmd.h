// The constant entry of every command, one `cmd_x.c` each, and the table of them.
#ifndef GPUADVISE_CMD_H
#define GPUADVISE_CMD_H

#include "cli/cli.h"

// The options of the one verb of a command, or of the verb without a name, for its row.
#define OPTIONS(...) static const OptionId options[] = {__VA_ARGS__, OPT_COUNT}

// The entry of a command, with `verbs` of its file; then summary and description.
#define COMMAND(id, word, in_formats, ...)                                                                   \
    const Command cmd_##id = {                                                                               \
        .name = word, .verbs = verbs, .n_verbs = COUNT_OF(verbs), .formats = in_formats, __VA_ARGS__}

extern const Command cmd_report, cmd_estimate, cmd_validate, cmd_calibrate, cmd_gpus, cmd_models,
    cmd_workloads, cmd_prices, cmd_compat, cmd_sources;
extern const Command cmd_migrate, cmd_bench, cmd_stack;
extern const Command cmd_check, cmd_runs;
extern const Command cmd_tui;
extern const Command cmd_traffic;
extern const Command cmd_doctor, cmd_self_check, cmd_help, cmd_completion, cmd_version;

extern const CommandTable command_table;  // in the order of help

#endif
